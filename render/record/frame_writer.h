// PNG frames on worker threads, so that drawing does not wait for compression.
#ifndef CT_RECORD_FRAME_WRITER_H
#define CT_RECORD_FRAME_WRITER_H

#include "collision/error.h"

typedef struct ctFrameWriter ctFrameWriter;

// directory exists. threads 0 takes one per processor.
ctFrameWriter *ctFrameWriter_Create(const char *directory, int width, int height, int threads, ctError *error);

// A buffer for one frame of 8-bit RGB rows, the lowest row first. Waits while all buffers are being written. NULL once
// a frame could not be written; ctFrameWriter_Finish then returns the error.
uint8_t *ctFrameWriter_Acquire(ctFrameWriter *writer);

// Queues a filled buffer, which is written to directory/frame_%06d.png.
void ctFrameWriter_Submit(ctFrameWriter *writer, uint8_t *rgb, int index);

// Waits until all frames are written and frees the writer. seconds (may be NULL): total time of the workers.
bool ctFrameWriter_Finish(ctFrameWriter *writer, double *seconds, ctError *error);

// The path of a frame (ctFrameWriter_Submit). False when it does not fit.
bool ctFramePath(char *path, size_t size, const char *directory, int index);

#endif
