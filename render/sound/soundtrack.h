// What a world sounds like: every impact as the two bodies' modes, at its own time; every rolling contact as a tone
// that follows the speed of the contact point.
#ifndef CT_SOUND_SOUNDTRACK_H
#define CT_SOUND_SOUNDTRACK_H

#include "render/sound/synth.h"

typedef struct ctRollTrack {
    ctBodyId body; // null: free
    ctVec3 point;  // where it touched in the last frame
    bool fresh;    // it touches in this frame
} ctRollTrack;

// An impact as it will be heard, whenever that is.
typedef struct ctStrike {
    double time; // simulated, s
    double contact;
    ctVoicing voices[2];
    double loudness[2];
} ctStrike;

typedef struct ctSoundtrack {
    ctSynth synth;
    double origin;      // simulated time of the first sample, s
    double speed;       // simulated seconds per second that is heard
    double loudImpulse; // N s: sounds at full loudness
    ctRollTrack rolls[CT_SOUND_ROLLS];
} ctSoundtrack;

// Begins at the world's present time.
void ctSoundtrack_Begin(ctSoundtrack *track, const ctWorld *world, double speed);
void ctSoundtrack_Free(ctSoundtrack *track);
// Goes on with another world: what is loud is loud in it. What sounds goes on sounding.
void ctSoundtrack_SetWorld(ctSoundtrack *track, const ctWorld *world);
// One impact. False without memory.
bool ctSoundtrack_Impact(ctSoundtrack *track, const ctWorld *world, const ctImpact *impact);
// The same in two parts, the second of which needs no world. An impact before the first sample is not heard.
ctStrike ctSoundtrack_Voice(const ctSoundtrack *track, const ctWorld *world, const ctImpact *impact);
bool ctSoundtrack_Strike(ctSoundtrack *track, const ctStrike *strike);
// After a frame of the world: its impacts, and what rolls. frameTime: s, simulated.
bool ctSoundtrack_Frame(ctSoundtrack *track, const ctWorld *world, double frameTime);

// What rolls alone.
void ctSoundtrack_Rolls(ctSoundtrack *track, const ctWorld *world, double frameTime);

// A WAV file, 16 bits, one channel: all samples up to the world's time that were not written yet.
typedef struct ctWavWriter ctWavWriter;
ctWavWriter *ctWavWriter_Create(const char *path, ctError *error);
bool ctWavWriter_Add(ctWavWriter *writer, ctSoundtrack *track, double seconds); // up to so many seconds in all
bool ctWavWriter_Finish(ctWavWriter *writer, ctError *error);                   // closes it; the file has its name now
void ctWavWriter_Abort(ctWavWriter *writer);                                    // NULL is allowed

#endif
