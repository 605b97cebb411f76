// Video by the ffmpeg program: raw frames are written to its standard input.
#ifndef CT_RECORD_VIDEO_WRITER_H
#define CT_RECORD_VIDEO_WRITER_H

#include "collision/error.h"

typedef struct ctVideoWriter ctVideoWriter;

// Whether a recording is cancelled, for example by a signal.
typedef bool ctCancelFn(void);

// True when path names a video: .mp4 (H.264), .webm (VP9) or .gif.
bool ctVideo_IsVideoPath(const char *path);
// Adds a sound file to a finished video. The pictures are not encoded again.
bool ctVideo_AddSound(const char *path, const char *sound, ctError *error);

// Starts ffmpeg. The file appears under its name when ctVideoWriter_Finish succeeds, not before.
// isCancelled (NULL is allowed) is called from time to time while waiting for the encoder.
ctVideoWriter *ctVideoWriter_Create(const char *path, int width, int height, double fps, ctCancelFn *isCancelled,
                                    ctError *error);

// One frame of 8-bit RGB rows without gaps, the lowest row first (as OpenGL reads). False when ffmpeg has ended.
bool ctVideoWriter_Write(ctVideoWriter *writer, const uint8_t *rgb, ctError *error);

// Waits for ffmpeg to end and gives the file its name. Always frees the writer.
bool ctVideoWriter_Finish(ctVideoWriter *writer, ctError *error);

// Ends ffmpeg and removes its file. NULL is allowed.
void ctVideoWriter_Abort(ctVideoWriter *writer);

#endif
