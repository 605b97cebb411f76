// WAV files: a RIFF header of 44 bytes, then samples.
#include "collision/error.h"
#include "render/files/atomic_file.h"
#include "render/sound/soundtrack.h"

#include <stdlib.h>
#include <string.h>

struct ctWavWriter {
    ctAtomicFile file;
    int64_t samples;
};

static void put(FILE *f, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        fputc((int)(value >> (8 * i) & 0xffu), f);
    }
}

static void writeHeader(FILE *f, int64_t samples)
{
    uint32_t bytes = (uint32_t)(2 * samples);
    fputs("RIFF", f);
    put(f, 36 + bytes, 4);
    fputs("WAVEfmt ", f);
    put(f, 16, 4);
    put(f, 1, 2); // plain samples
    put(f, 1, 2); // one channel
    put(f, CT_SOUND_RATE, 4);
    put(f, 2 * CT_SOUND_RATE, 4);
    put(f, 2, 2);
    put(f, 16, 2);
    fputs("data", f);
    put(f, bytes, 4);
}

ctWavWriter *ctWavWriter_Create(const char *path, ctError *error)
{
    ctWavWriter *w = calloc(1, sizeof *w);
    if (w == NULL) {
        ctFailMemory(error, "a sound file");
        return NULL;
    }
    if (!ctAtomicFile_Open(&w->file, path, error)) {
        free(w);
        return NULL;
    }
    writeHeader(w->file.stream, 0);
    return w;
}

bool ctWavWriter_Add(ctWavWriter *w, ctSoundtrack *track, double seconds)
{
    float block[1024];
    int64_t end = (int64_t)(seconds * CT_SOUND_RATE + 0.5);
    while (w->samples < end) {
        int n = end - w->samples < 1024 ? (int)(end - w->samples) : 1024;
        ctSynth_Render(&track->synth, block, n);
        for (int i = 0; i < n; i++) {
            put(w->file.stream, (uint32_t)(int32_t)(32767.0f * block[i]), 2);
        }
        w->samples += n;
    }
    return ferror(w->file.stream) == 0;
}

bool ctWavWriter_Finish(ctWavWriter *w, ctError *error)
{
    rewind(w->file.stream);
    writeHeader(w->file.stream, w->samples);
    bool good = ctAtomicFile_Commit(&w->file, error);
    free(w);
    return good;
}

void ctWavWriter_Abort(ctWavWriter *w)
{
    if (w != NULL) {
        ctAtomicFile_Abort(&w->file);
        free(w);
    }
}
