// The sound of a world: every impact excites the modes of both bodies, at its own time; every rolling contact is a tone
// that follows the speed of the contact point.
#ifndef CT_SOUND_SOUNDTRACK_H
#define CT_SOUND_SOUNDTRACK_H

#include "render/sound/synth.h"

typedef struct ctRollTrack {
    ctBodyId body; // null: free
    ctVec3 point;  // contact point in the last frame
    bool fresh;    // the body is in contact in this frame
} ctRollTrack;

// The sound of an impact, to be played later.
typedef struct ctStrike {
    double time; // simulated, s
    double contact;
    ctVoicing voices[2];
    double loudness[2];
} ctStrike;

typedef struct ctSoundtrack {
    ctSynth synth;
    double origin;      // simulated time of the first sample, s
    double speed;       // simulated seconds per second of sound
    double loudImpulse; // N s: normal impulse of a loud impact
    ctRollTrack rolls[CT_SOUND_ROLLS];
} ctSoundtrack;

// Begins at the world's present time.
void ctSoundtrack_Begin(ctSoundtrack *track, const ctWorld *world, double speed);
void ctSoundtrack_Free(ctSoundtrack *track);
// Continues with another world, whose masses set the loudness. Sounds that have begun continue.
void ctSoundtrack_SetWorld(ctSoundtrack *track, const ctWorld *world);
// One impact. False without memory.
bool ctSoundtrack_Impact(ctSoundtrack *track, const ctWorld *world, const ctImpact *impact);
// The same in two calls, the second of which needs no world. An impact before the first sample is not heard.
ctStrike ctSoundtrack_Voice(const ctSoundtrack *track, const ctWorld *world, const ctImpact *impact);
bool ctSoundtrack_Strike(ctSoundtrack *track, const ctStrike *strike);
// To be called after a frame of the world: adds its impacts and rolling contacts. frameTime: s, simulated.
bool ctSoundtrack_Frame(ctSoundtrack *track, const ctWorld *world, double frameTime);

// Only the rolling contacts.
void ctSoundtrack_Rolls(ctSoundtrack *track, const ctWorld *world, double frameTime);

// A WAV file, 16 bits, one channel: all samples up to the world's time that were not written yet.
typedef struct ctWavWriter ctWavWriter;
ctWavWriter *ctWavWriter_Create(const char *path, ctError *error);
bool ctWavWriter_Add(ctWavWriter *writer, ctSoundtrack *track, double seconds); // up to a total length of seconds
bool ctWavWriter_Finish(ctWavWriter *writer, ctError *error);                   // closes the file and gives it its name
void ctWavWriter_Abort(ctWavWriter *writer);                                    // NULL is allowed

#endif
