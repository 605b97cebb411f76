#include "app/record_sound.h"

#include "collision/error.h"
#include "render/record/video_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool endsIn(const char *path, const char *ending)
{
    size_t n = strlen(path), m = strlen(ending);
    return n > m && strcmp(path + n - m, ending) == 0;
}

bool ctRecordSound_Begin(ctRecordSound *s, const ctRecording *r, bool video, ctError *error)
{
    *s = (ctRecordSound){0};
    bool track = video && !r->mute && !endsIn(r->out, ".gif");
    if (r->sound == NULL && !track) {
        return true;
    }
    size_t size = strlen(r->out) + 40;
    s->path = r->sound != NULL ? strdup(r->sound) : malloc(size);
    if (s->path == NULL) {
        return ctFailMemory(error, "a path");
    }
    s->intoVideo = track;
    if (r->sound == NULL) {
        snprintf(s->path, size, "%s.tmp-%ld.wav", r->out, (long)getpid());
    }
    s->writer = ctWavWriter_Create(s->path, error);
    return s->writer != NULL;
}

void ctRecordSound_Start(ctRecordSound *s, const ctWorld *world, double speed)
{
    if (s->writer != NULL) {
        ctSoundtrack_Begin(&s->track, world, speed);
    }
}

bool ctRecordSound_Frame(ctRecordSound *s, const ctWorld *world, double frameTime, double seconds, ctError *error)
{
    if (s->writer == NULL) {
        return true;
    }
    if (!ctSoundtrack_Frame(&s->track, world, frameTime)) {
        return ctFailMemory(error, "sound");
    }
    return ctWavWriter_Add(s->writer, &s->track, seconds) ||
           ctFail(error, ct_io, "%s: cannot write the sound", s->path);
}

bool ctRecordSound_Finish(ctRecordSound *s, const char *video, bool whole, ctError *error)
{
    bool good = true;
    if (s->writer != NULL && whole) {
        bool kept = access(s->path, F_OK) == 0;
        good = ctWavWriter_Finish(s->writer, error);
        good = good && (!s->intoVideo || ctVideo_AddSound(video, s->path, error));
        if (s->intoVideo && !kept && strstr(s->path, ".tmp-") != NULL) {
            unlink(s->path);
        }
    } else {
        ctWavWriter_Abort(s->writer);
    }
    ctSoundtrack_Free(&s->track);
    free(s->path);
    *s = (ctRecordSound){0};
    return good;
}
