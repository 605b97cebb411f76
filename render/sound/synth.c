#include "render/sound/synth.h"

#include "collision/memory.h"

#include <math.h>

#define HIGHEST 16000.0   // Hz
#define SILENCE 3e-5f     // amplitude below which a partial has ended
#define PARTIALS_MAX 4096 // at a time; beyond that the oldest are dropped

void ctSynth_Free(ctSynth *s)
{
    ctFree(s->partials);
    *s = (ctSynth){0};
}

// The amplitude, relative to a short push, of a mode of frequency f after a half-sine push of duration t.
static double excited(double f, double t)
{
    double x = 2.0 * f * t;
    return fabs(1.0 - x * x) < 1e-3 ? 0.785398 : fabs(cos(0.5 * 3.14159265358979 * x) / (1.0 - x * x));
}

static bool addPartial(ctSynth *s, double begin, double frequency, double decay, double amplitude)
{
    if (s->count >= PARTIALS_MAX) {
        for (int i = 1; i < s->count; i++) {
            s->partials[i - 1] = s->partials[i];
        }
        s->count--;
    }
    if (!ctReserve((void **)&s->partials, &s->capacity, s->count + 1, sizeof(ctPartial))) {
        return false;
    }
    double turn = 2.0 * 3.14159265358979 * frequency / CT_SOUND_RATE, shrink = exp(-decay / CT_SOUND_RATE);
    // The phasor one sample before the first that is heard. Its phase at `begin` is 0.
    double late = ceil(begin) - begin - 1.0, first = amplitude * exp(-decay * late / CT_SOUND_RATE);
    s->partials[s->count++] = (ctPartial){begin, (float)(first * cos(turn * late)), (float)(first * sin(turn * late)),
                                          (float)(shrink * cos(turn)), (float)(shrink * sin(turn))};
    return true;
}

bool ctSynth_Strike(ctSynth *s, const ctVoicing *v, double time, double loudness, double contact)
{
    bool room = true;
    double begin = fmax(time * CT_SOUND_RATE, (double)s->sample);
    for (int i = 0; i < CT_SOUND_MODES && room; i++) {
        double amplitude = loudness * excited(v->frequency[i], contact) / (1.0 + 0.6 * i);
        if (v->frequency[i] < HIGHEST && v->frequency[i] > 20.0 && amplitude > SILENCE) {
            room = addPartial(s, begin, v->frequency[i], v->decay[i], amplitude);
        }
    }
    return room;
}

void ctSynth_Glide(ctSynth *s, int roll, double frequency, double loudness, int samples)
{
    ctRoll *r = &s->rolls[roll];
    if (r->loudness <= 0.0) {
        r->frequency = frequency;
    }
    frequency = fmin(frequency, HIGHEST);
    r->frequencyStep = (frequency - r->frequency) / (samples > 0 ? samples : 1);
    r->loudnessStep = (loudness - r->loudness) / (samples > 0 ? samples : 1);
}

// Removes partials that can no longer be heard. The order stays.
static void sweep(ctSynth *s)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++) {
        const ctPartial *p = &s->partials[i];
        if (p->begin >= (double)s->sample || p->re * p->re + p->im * p->im > SILENCE * SILENCE) {
            s->partials[kept++] = *p;
        }
    }
    s->count = kept;
}

static void addRoll(ctSynth *s, ctRoll *r, float *out, int count)
{
    if (r->loudness <= 0.0 && r->loudnessStep <= 0.0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        r->frequency += r->frequencyStep;
        r->loudness = fmax(0.0, r->loudness + r->loudnessStep);
        r->phase += r->frequency / CT_SOUND_RATE;
        r->phase -= floor(r->phase);
        s->noise = s->noise * 1664525u + 1013904223u;
        double hiss = (double)(s->noise >> 8) / 8388608.0 - 1.0, angle = 2.0 * 3.14159265358979 * r->phase;
        out[i] += (float)(r->loudness * (0.7 * sin(angle) + 0.2 * sin(2.0 * angle) + 0.1 * hiss));
    }
    r->loudnessStep = r->frequencyStep = 0.0;
}

void ctSynth_Render(ctSynth *s, float *out, int count)
{
    for (int i = 0; i < count; i++) {
        out[i] = 0.0f;
    }
    for (int k = 0; k < s->count; k++) {
        ctPartial *p = &s->partials[k];
        int64_t first = (int64_t)ceil(p->begin) - s->sample;
        for (int i = first > 0 ? (first < count ? (int)first : count) : 0; i < count; i++) {
            float re = p->re * p->turnRe - p->im * p->turnIm;
            p->im = p->re * p->turnIm + p->im * p->turnRe;
            p->re = re;
            out[i] += p->im;
        }
    }
    for (int k = 0; k < CT_SOUND_ROLLS; k++) {
        addRoll(s, &s->rolls[k], out, count);
    }
    for (int i = 0; i < count; i++) {
        out[i] = tanhf(out[i]);
    }
    s->sample += count;
    sweep(s);
}
