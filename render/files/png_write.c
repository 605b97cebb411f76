#include "render/files/png_write.h"

#include "render/files/atomic_file.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static void onError(png_structp png, png_const_charp message)
{
    ctError *error = png_get_error_ptr(png);
    if (error != NULL && error->status == ct_ok) {
        ctFail(error, ct_io, "%s", errno != 0 ? strerror(errno) : message);
    }
    longjmp(png_jmpbuf(png), 1);
}

static void onWarning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

// libpng unwinds by longjmp: everything that it allocates belongs to png and info.
static bool encode(FILE *file, int width, int height, const uint8_t *rgb, bool bottomUp, int level, ctError *why)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, why, onError, onWarning);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    if (info == NULL) {
        png_destroy_write_struct(&png, NULL);
        return ctFailMemory(why, "PNG encoder");
    }
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_compression_level(png, level);
    png_set_filter(png, 0, level == 0 ? PNG_FILTER_NONE : PNG_FILTER_SUB | PNG_FILTER_UP);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        size_t row = (size_t)(bottomUp ? height - 1 - y : y);
        png_write_row(png, rgb + row * (size_t)width * 3);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

bool ctPng_Write(const char *path, int width, int height, const uint8_t *rgb, bool bottomUp, int level, ctError *error)
{
    ctAtomicFile file;
    if (!ctAtomicFile_Open(&file, path, error)) {
        return false;
    }
    ctError why = {0};
    errno = 0;
    if (!encode(file.stream, width, height, rgb, bottomUp, level, &why)) {
        ctAtomicFile_Abort(&file);
        return ctFail(error, why.status, "%s: %s", path, why.message);
    }
    return ctAtomicFile_Commit(&file, error);
}

bool ctPng_Encode(int width, int height, const uint8_t *rgb, int level, uint8_t **png, size_t *size, ctError *error)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    if (stream == NULL) {
        return ctFailMemory(error, "a picture");
    }
    errno = 0;
    bool good = encode(stream, width, height, rgb, false, level, error);
    if (fclose(stream) != 0 && good) {
        good = ctFailMemory(error, "a picture");
    }
    if (!good) {
        free(bytes);
        bytes = NULL;
    }
    *png = (uint8_t *)bytes;
    return good;
}
