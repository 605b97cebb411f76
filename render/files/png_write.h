// PNG files, for frames and screenshots.
#ifndef CT_FILES_PNG_WRITE_H
#define CT_FILES_PNG_WRITE_H

#include "collision/error.h"

// Writes 8-bit RGB rows without gaps. bottomUp: the first row in memory is the lowest (as OpenGL reads).
// level is zlib's, 0 (fast) to 9 (small). The file appears under its name only when it is complete.
bool ctPng_Write(const char *path, int width, int height, const uint8_t *rgb, bool bottomUp, int level, ctError *error);

// The same into memory, the first row on top; *png is freed with free().
bool ctPng_Encode(int width, int height, const uint8_t *rgb, int level, uint8_t **png, size_t *size, ctError *error);

#endif
