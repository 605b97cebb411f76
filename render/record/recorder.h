// Writes the pictures of a renderer to files: PNG frames in a folder, or a video.
#ifndef CT_RECORDER_H
#define CT_RECORDER_H

#include "render/draw/renderer.h"

typedef struct ctRecorder ctRecorder;

typedef struct ctRecorderDef {
    const char *path;          // FILE.mp4, FILE.webm or FILE.gif; anything else is a folder, made if it does not exist
    double fps;                // of the video
    int firstFrame;            // the number of the first frame in a folder
    bool (*isCancelled)(void); // called while waiting for a video's encoder; NULL is allowed
} ctRecorderDef;

typedef struct ctRecorderStats {
    int frames;
    double readSeconds;   // wall time spent waiting for pictures of the renderer
    double encodeSeconds; // CPU time of all workers; for videos, wall clock of feeding the encoder
} ctRecorderStats;

// The renderer's size must not change while the recorder exists.
ctRecorder *ctRecorder_Create(const ctRecorderDef *def, ctRenderer *renderer, ctError *error);

// Takes the picture that the renderer has finished. False when it cannot be written; then only ctRecorder_Finish, which
// returns the error, or ctRecorder_Abort may be called.
bool ctRecorder_Capture(ctRecorder *recorder);

// Waits until everything is written. Always frees the recorder. stats may be NULL.
bool ctRecorder_Finish(ctRecorder *recorder, ctRecorderStats *stats, ctError *error);

// Ends without finishing: complete frames stay, an unfinished video is removed. NULL is allowed.
void ctRecorder_Abort(ctRecorder *recorder);

// Makes a folder and those above it.
bool ctMakeFolder(const char *path, ctError *error);

#endif
