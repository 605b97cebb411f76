// The sound of a recording made in the window, whose pictures show simulated time at a changing speed: each impact is
// heard between the two pictures between which it happened, to a fraction of a sample.
#ifndef CT_SOUND_CLIP_H
#define CT_SOUND_CLIP_H

#include "render/sound/soundtrack.h"

typedef struct ctClip {
    ctWavWriter *writer; // NULL: no sound is recorded
    ctSoundtrack track;
    ctStrike *strikes; // of impacts that no picture has shown yet
    int count, capacity;
    double fps;
    int frames;   // pictures so far
    double shown; // simulated time of the last one, s
    double rate;  // simulated seconds per second between the last two
    bool failed;
} ctClip;

// Of a world that rests, whose first picture shows that time (s).
bool ctClip_Begin(ctClip *clip, const ctWorld *world, const char *path, double shown, double fps, ctError *error);
// What the world did, while it rests. speed: simulated seconds per second; frameTime: s.
void ctClip_Take(ctClip *clip, const ctWorld *world, const ctImpact *impacts, int count, double speed,
                 double frameTime);
// Another scene, or another moment of it.
void ctClip_Jump(ctClip *clip, const ctWorld *world);
// A picture of that simulated time (s) was taken.
void ctClip_Picture(ctClip *clip, double shown);
// Ends the file, which is as long as its pictures. Unless whole, nothing is left of it.
bool ctClip_Finish(ctClip *clip, bool whole, ctError *error);

#endif
