// Damped sines, each with an exact start to a fraction of a sample, and gliding tones.
#ifndef CT_SOUND_SYNTH_H
#define CT_SOUND_SYNTH_H

#include "render/sound/modes.h"

#define CT_SOUND_RATE 48000 // samples per second
#define CT_SOUND_ROLLS 16   // gliding tones at a time

typedef struct ctPartial {
    double begin; // samples
    float re, im; // its phasor at the last sample; im is the signal
    float turnRe, turnIm;
} ctPartial;

typedef struct ctRoll {
    double phase;
    double frequency, frequencyStep; // Hz, per sample
    double loudness, loudnessStep;
} ctRoll;

typedef struct ctSynth {
    int64_t sample;      // index of the next sample
    ctPartial *partials; // present and future ones
    int count, capacity;
    ctRoll rolls[CT_SOUND_ROLLS];
    uint32_t noise;
} ctSynth;

void ctSynth_Free(ctSynth *synth);
// A strike at a time (s, since the first sample). loudness of its modes: 0 ... about 1; contact: duration of the
// contact, s, which damps faster modes. Frequencies above 16 kHz are left out. False without memory.
bool ctSynth_Strike(ctSynth *synth, const ctVoicing *voicing, double time, double loudness, double contact);
// Glides a tone to a frequency and a loudness within `samples` samples.
void ctSynth_Glide(ctSynth *synth, int roll, double frequency, double loudness, int samples);
// Overwrites count samples, -1 ... 1, softly limited.
void ctSynth_Render(ctSynth *synth, float *out, int count);

#endif
