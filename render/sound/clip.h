// The sound of a recording made in the window, whose pictures show simulated time at a varying speed. Each impact is
// heard at its exact time between the two pictures around it, to a fraction of a sample.
#ifndef CT_SOUND_CLIP_H
#define CT_SOUND_CLIP_H

#include "render/sound/soundtrack.h"

typedef struct ctClip {
    ctWavWriter *writer; // NULL: no sound is recorded
    ctSoundtrack track;
    ctStrike *strikes; // of impacts later than the last picture
    int count, capacity;
    double fps;
    int frames;   // number of pictures so far
    double shown; // simulated time of the last picture, s
    double rate;  // simulated seconds per second between the last two pictures
    bool failed;
} ctClip;

// Begins the sound. shown: simulated time of the first picture, s. No other thread may use the world.
bool ctClip_Begin(ctClip *clip, const ctWorld *world, const char *path, double shown, double fps, ctError *error);
// Takes the impacts and the rolling contacts of an advance. speed: simulated seconds per second; frameTime: s. No other
// thread may use the world.
void ctClip_Take(ctClip *clip, const ctWorld *world, const ctImpact *impacts, int count, double speed,
                 double frameTime);
// To be called when the scene or its time has changed by a jump.
void ctClip_Jump(ctClip *clip, const ctWorld *world);
// A picture of that simulated time (s) was taken.
void ctClip_Picture(ctClip *clip, double shown);
// Ends the file, whose length is that of the pictures. Deletes the file unless the recording is whole.
bool ctClip_Finish(ctClip *clip, bool whole, ctError *error);

#endif
