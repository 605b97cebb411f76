#include "render/sound/clip.h"

#include "collision/error.h"
#include "collision/memory.h"

bool ctClip_Begin(ctClip *c, const ctWorld *world, const char *path, double shown, double fps, ctError *error)
{
    *c = (ctClip){.fps = fps, .shown = shown};
    c->writer = ctWavWriter_Create(path, error);
    if (c->writer != NULL) {
        ctSoundtrack_Begin(&c->track, world, 1.0);
    }
    return c->writer != NULL;
}

void ctClip_Take(ctClip *c, const ctWorld *world, const ctImpact *impacts, int count, double speed, double frameTime)
{
    if (c->writer == NULL) {
        return;
    }
    if (!ctReserve((void **)&c->strikes, &c->capacity, c->count + count, sizeof *c->strikes)) {
        c->failed = true;
        return;
    }
    for (int i = 0; i < count; i++) {
        if (impacts[i].kind == ct_eventImpact && impacts[i].time > c->shown) {
            c->strikes[c->count++] = ctSoundtrack_Voice(&c->track, world, &impacts[i]);
        }
    }
    c->track.speed = speed;
    ctSoundtrack_Rolls(&c->track, world, frameTime);
}

// Fades out the rolling tones: they are silent while simulated time stands still or jumps.
static void hush(ctClip *c)
{
    for (int i = 0; i < CT_SOUND_ROLLS; i++) {
        ctSynth_Glide(&c->track.synth, i, c->track.synth.rolls[i].frequency, 0.0, (int)(CT_SOUND_RATE / c->fps));
    }
}

void ctClip_Jump(ctClip *c, const ctWorld *world)
{
    if (c->writer != NULL) {
        c->count = 0;
        c->shown = ctWorld_GetTime(world);
        ctSoundtrack_SetWorld(&c->track, world);
        hush(c);
    }
}

// Plays the strikes up to a simulated time. seconds: time of the last picture in the recording.
static void strike(ctClip *c, double until, double seconds)
{
    int kept = 0;
    c->track.speed = c->rate;
    c->track.origin = c->shown - seconds * c->rate;
    for (int i = 0; i < c->count; i++) {
        if (c->strikes[i].time > until) {
            c->strikes[kept++] = c->strikes[i];
        } else if (!ctSoundtrack_Strike(&c->track, &c->strikes[i])) {
            c->failed = true;
        }
    }
    c->count = kept;
}

void ctClip_Picture(ctClip *c, double shown)
{
    if (c->writer == NULL) {
        return;
    }
    double last = (c->frames - 1) / c->fps, now = c->frames / c->fps;
    if (c->frames > 0 && shown > c->shown) {
        c->rate = (shown - c->shown) * c->fps;
        strike(c, shown, last);
    } else if (c->frames > 0) {
        hush(c);
    }
    c->failed = c->failed || !ctWavWriter_Add(c->writer, &c->track, now);
    c->shown = shown;
    c->frames++;
}

bool ctClip_Finish(ctClip *c, bool whole, ctError *error)
{
    bool good = true;
    if (c->writer != NULL && whole && c->frames > 0) {
        // The last picture is shown for one frame.
        if (c->rate > 0.0) {
            strike(c, c->shown + c->rate / c->fps, (c->frames - 1) / c->fps);
        }
        good = !c->failed && ctWavWriter_Add(c->writer, &c->track, c->frames / c->fps);
    }
    if (c->writer != NULL && whole && good) {
        good = ctWavWriter_Finish(c->writer, error);
    } else {
        ctWavWriter_Abort(c->writer);
        good = good || ctFail(error, ct_io, "cannot write the sound");
    }
    ctSoundtrack_Free(&c->track);
    ctFree(c->strikes);
    *c = (ctClip){0};
    return good;
}
