// Turns what a renderer draws into files: PNG frames in a folder, or a video.
#ifndef CT_RECORDER_H
#define CT_RECORDER_H

#include "render/draw/renderer.h"

typedef struct ctRecorder ctRecorder;

typedef struct ctRecorderDef {
    const char *path;          // FILE.mp4, FILE.webm or FILE.gif; anything else is a folder, made if it is not there
    double fps;                // of the video
    int firstFrame;            // the number of the first frame in a folder
    bool (*isCancelled)(void); // asked while a video's encoder is waited for; NULL is allowed
} ctRecorderDef;

typedef struct ctRecorderStats {
    int frames;
    double readSeconds;   // waiting for pictures to come back from the renderer, wall clock
    double encodeSeconds; // CPU time of all workers; for videos, wall clock of feeding the encoder
} ctRecorderStats;

// The renderer's size must stay what it is while the recorder lives.
ctRecorder *ctRecorder_Create(const ctRecorderDef *def, ctRenderer *renderer, ctError *error);

// Takes the picture that the renderer has finished. False when it cannot be written; the recorder is then only
// good for ctRecorder_Finish, which says why.
bool ctRecorder_Capture(ctRecorder *recorder);

// Waits until everything is written. Frees the recorder in every case. stats may be NULL.
bool ctRecorder_Finish(ctRecorder *recorder, ctRecorderStats *stats, ctError *error);

// Gives up: complete frames stay, an unfinished video is removed. NULL is allowed.
void ctRecorder_Abort(ctRecorder *recorder);

// Makes a folder and those above it.
bool ctMakeFolder(const char *path, ctError *error);

#endif
