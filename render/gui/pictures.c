#include "render/gui/pictures.h"

#include "scenes/scene.h"

#include <glad/gl.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PICTURES = 64 };

static struct {
    char name[64];
    GLuint texture;
} pictures[MAX_PICTURES];
static int count;

static GLuint load(const char *path)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path) || image.width > 2048 || image.height > 2048) {
        png_image_free(&image);
        return 0;
    }
    image.format = PNG_FORMAT_RGBA;
    uint8_t *rgba = malloc(PNG_IMAGE_SIZE(image));
    GLuint texture = 0;
    if (rgba != NULL && png_image_finish_read(&image, NULL, rgba, 0, NULL)) {
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, (GLsizei)image.width, (GLsizei)image.height, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, rgba);
    }
    png_image_free(&image);
    free(rgba);
    return texture;
}

unsigned ctPictures_OfDemo(const char *name)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(pictures[i].name, name) == 0) {
            return pictures[i].texture;
        }
    }
    if (count == MAX_PICTURES || strlen(name) >= sizeof pictures[0].name) {
        return 0;
    }
    char relative[128];
    snprintf(relative, sizeof relative, "assets/gallery/%s.png", name);
    char *path = ctData_Find(relative);
    strcpy(pictures[count].name, name);
    pictures[count].texture = path != NULL ? load(path) : 0;
    free(path);
    return pictures[count++].texture;
}

void ctPictures_Clear(void)
{
    for (int i = 0; i < count; i++) {
        glDeleteTextures(1, &pictures[i].texture);
    }
    count = 0;
}
