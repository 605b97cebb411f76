#include "render/record/frame_writer.h"

#include "collision/clock.h"
#include "render/files/png_write.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Fast compression: encoding a frame then takes about as long as drawing it.
enum { MAX_THREADS = 16, PNG_LEVEL = 2 };

typedef enum SlotState { slotFree, slotFilling, slotQueued, slotWriting } SlotState;

typedef struct Slot {
    uint8_t *rgb;
    int index;
    SlotState state;
} Slot;

struct ctFrameWriter {
    char *directory;
    int width, height;
    pthread_t threads[MAX_THREADS];
    int threadCount, slotCount;
    Slot slots[2 * MAX_THREADS];
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool closing, failed;
    ctError error;
    double seconds;
};

bool ctFramePath(char *path, size_t size, const char *directory, int index)
{
    int n = snprintf(path, size, "%s/frame_%06d.png", directory, index);
    return n > 0 && (size_t)n < size;
}

// The queued slot with the smallest index, so that frames appear nearly in order.
static Slot *nextQueued(ctFrameWriter *writer)
{
    Slot *best = NULL;
    for (int i = 0; i < writer->slotCount; i++) {
        Slot *slot = &writer->slots[i];
        if (slot->state == slotQueued && (best == NULL || slot->index < best->index)) {
            best = slot;
        }
    }
    return best;
}

static void writeSlot(ctFrameWriter *writer, Slot *slot, ctError *error)
{
    char path[4096];
    if (!ctFramePath(path, sizeof path, writer->directory, slot->index)) {
        ctFail(error, ct_limit, "%s: the path is too long", writer->directory);
        return;
    }
    ctPng_Write(path, writer->width, writer->height, slot->rgb, true, PNG_LEVEL, error);
}

static void *work(void *context)
{
    ctFrameWriter *writer = context;
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        Slot *slot = nextQueued(writer);
        if (slot == NULL && writer->closing) {
            break;
        }
        if (slot == NULL) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
            continue;
        }
        slot->state = slotWriting;
        pthread_mutex_unlock(&writer->mutex);
        ctError error = {ct_ok, ""};
        writeSlot(writer, slot, &error);
        pthread_mutex_lock(&writer->mutex);
        slot->state = slotFree;
        if (error.status != ct_ok && !writer->failed) {
            writer->failed = true;
            writer->error = error;
        }
        pthread_cond_broadcast(&writer->changed);
    }
    writer->seconds += ctClock_Thread();
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

static void stopThreads(ctFrameWriter *writer)
{
    pthread_mutex_lock(&writer->mutex);
    writer->closing = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
    for (int i = 0; i < writer->threadCount; i++) {
        pthread_join(writer->threads[i], NULL);
    }
}

static void destroy(ctFrameWriter *writer)
{
    stopThreads(writer);
    for (int i = 0; i < writer->slotCount; i++) {
        free(writer->slots[i].rgb);
    }
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->mutex);
    free(writer->directory);
    free(writer);
}

ctFrameWriter *ctFrameWriter_Create(const char *directory, int width, int height, int threads, ctError *error)
{
    ctFrameWriter *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        ctFailMemory(error, "a frame writer");
        return NULL;
    }
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->changed, NULL);
    writer->width = width;
    writer->height = height;
    writer->directory = strdup(directory);
    long processors = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    int count = processors < 1 ? 1 : processors > MAX_THREADS ? MAX_THREADS : (int)processors;
    bool good = writer->directory != NULL;
    for (int i = 0; good && i < 2 * count; i++) {
        writer->slots[i].rgb = malloc((size_t)width * (size_t)height * 3);
        good = writer->slots[i].rgb != NULL;
        writer->slotCount = i + 1;
    }
    for (int i = 0; good && i < count; i++) {
        good = pthread_create(&writer->threads[i], NULL, work, writer) == 0;
        writer->threadCount += good ? 1 : 0;
    }
    if (!good) {
        destroy(writer);
        ctFailMemory(error, "a frame writer");
        return NULL;
    }
    return writer;
}

uint8_t *ctFrameWriter_Acquire(ctFrameWriter *writer)
{
    uint8_t *rgb = NULL;
    pthread_mutex_lock(&writer->mutex);
    while (rgb == NULL && !writer->failed) {
        for (int i = 0; i < writer->slotCount && rgb == NULL; i++) {
            if (writer->slots[i].state == slotFree) {
                writer->slots[i].state = slotFilling;
                rgb = writer->slots[i].rgb;
            }
        }
        if (rgb == NULL) {
            pthread_cond_wait(&writer->changed, &writer->mutex);
        }
    }
    pthread_mutex_unlock(&writer->mutex);
    return rgb;
}

void ctFrameWriter_Submit(ctFrameWriter *writer, uint8_t *rgb, int index)
{
    pthread_mutex_lock(&writer->mutex);
    for (int i = 0; i < writer->slotCount; i++) {
        if (writer->slots[i].rgb == rgb) {
            writer->slots[i].index = index;
            writer->slots[i].state = slotQueued;
        }
    }
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->mutex);
}

bool ctFrameWriter_Finish(ctFrameWriter *writer, double *seconds, ctError *error)
{
    stopThreads(writer);
    writer->threadCount = 0;
    bool good = !writer->failed;
    if (!good && error != NULL) {
        *error = writer->error;
    }
    if (seconds != NULL) {
        *seconds = writer->seconds;
    }
    destroy(writer);
    return good;
}
