#include "render/draw/target.h"

#include <assert.h>
#include <string.h>

static GLuint storage(GLenum format, int width, int height, int samples)
{
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, format, width, height);
    return buffer;
}

static GLuint texture(const ctTarget *target, GLenum format, GLenum parts, GLenum type)
{
    GLuint made;
    glGenTextures(1, &made);
    glBindTexture(GL_TEXTURE_2D, made);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, target->width, target->height, 0, parts, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return made;
}

static GLuint framebuffer(void)
{
    GLuint made;
    glGenFramebuffers(1, &made);
    glBindFramebuffer(GL_FRAMEBUFFER, made);
    return made;
}

// Whether the bound framebuffer can be drawn into.
static bool isComplete(const ctTarget *target, ctError *error)
{
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE ||
           ctFail(error, ct_io, "OpenGL refuses a picture of %d x %d pixels", target->width, target->height);
}

void ctTarget_Destroy(ctTarget *target)
{
    glDeleteFramebuffers(1, &target->drawn);
    glDeleteFramebuffers(1, &target->resolved);
    glDeleteFramebuffers(1, &target->copied);
    glDeleteFramebuffers(1, &target->shares);
    glDeleteRenderbuffers(1, &target->drawnColor);
    glDeleteRenderbuffers(1, &target->drawnDepth);
    glDeleteRenderbuffers(1, &target->resolvedColor);
    glDeleteTextures(1, &target->resolvedDepth);
    glDeleteTextures(1, &target->copiedColor);
    glDeleteTextures(1, &target->sharesColor);
    glDeleteBuffers(CT_READS_MAX, target->reads);
    *target = (ctTarget){0};
}

static bool createDrawn(ctTarget *target, ctError *error)
{
    target->drawnColor = storage(GL_RGBA8, target->width, target->height, target->samples);
    target->drawnDepth = storage(GL_DEPTH_COMPONENT24, target->width, target->height, target->samples);
    target->drawn = framebuffer();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->drawnColor);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, target->drawnDepth);
    return isComplete(target, error);
}

static bool createResolved(ctTarget *target, ctError *error)
{
    target->resolvedColor = storage(GL_RGBA8, target->width, target->height, 1);
    target->resolvedDepth = texture(target, GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    target->resolved = framebuffer();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->resolvedColor);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->resolvedDepth, 0);
    return isComplete(target, error);
}

static bool createTexture(const ctTarget *target, GLuint *color, GLuint *made, ctError *error)
{
    *color = texture(target, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE);
    *made = framebuffer();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *color, 0);
    return isComplete(target, error);
}

bool ctTarget_SetSize(ctTarget *target, int width, int height, int samples, ctError *error)
{
    GLint most = 1, largest = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    samples = samples < 1 ? 1 : samples > most ? most : samples;
    if (width < 1 || height < 1 || width > largest || height > largest) {
        return ctFail(error, ct_badArgument, "a picture of %d x %d pixels cannot be drawn; the largest side is %d",
                      width, height, largest);
    }
    if (target->resolved != 0 && width == target->width && height == target->height && samples == target->samples) {
        return true;
    }
    ctTarget_Destroy(target);
    target->width = width;
    target->height = height;
    target->samples = samples;
    bool complete = createResolved(target, error);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glGenBuffers(CT_READS_MAX, target->reads);
    for (int i = 0; i < CT_READS_MAX; i++) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, target->reads[i]);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)width * height * 3, NULL, GL_STREAM_READ);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return complete;
}

bool ctTarget_Begin(ctTarget *target, bool multisampled, ctError *error)
{
    if (multisampled && target->drawn == 0 && !createDrawn(target, error)) {
        return false;
    }
    glBindFramebuffer(GL_FRAMEBUFFER, multisampled ? target->drawn : target->resolved);
    glViewport(0, 0, target->width, target->height);
    glClear(GL_DEPTH_BUFFER_BIT); // the sky covers every pixel
    return true;
}

static void copy(GLuint from, GLuint to, int width, int height, int toWidth, int toHeight)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    bool same = width == toWidth && height == toHeight;
    glBlitFramebuffer(0, 0, width, height, 0, 0, toWidth, toHeight, GL_COLOR_BUFFER_BIT, same ? GL_NEAREST : GL_LINEAR);
}

void ctTarget_Resolve(ctTarget *target)
{
    copy(target->drawn, target->resolved, target->width, target->height, target->width, target->height);
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
}

static void bindTexture(GLenum unit, GLuint texture)
{
    glActiveTexture(unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    glActiveTexture(GL_TEXTURE0);
}

bool ctTarget_BeginShares(ctTarget *target, ctError *error)
{
    if (target->shares == 0 && (!createTexture(target, &target->copiedColor, &target->copied, error) ||
                                !createTexture(target, &target->sharesColor, &target->shares, error))) {
        return false;
    }
    copy(target->resolved, target->copied, target->width, target->height, target->width, target->height);
    bindTexture(GL_TEXTURE1, target->copiedColor);
    bindTexture(GL_TEXTURE2, target->resolvedDepth);
    glBindFramebuffer(GL_FRAMEBUFFER, target->shares);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    return true;
}

void ctTarget_BeginMix(ctTarget *target)
{
    bindTexture(GL_TEXTURE3, target->sharesColor);
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
}

void ctTarget_Bind(ctTarget *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->resolved);
    glViewport(0, 0, target->width, target->height);
}

void ctTarget_Show(ctTarget *target, int width, int height)
{
    copy(target->resolved, 0, target->width, target->height, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void read(ctTarget *target, void *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->resolved);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, target->width, target->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
}

void ctTarget_Read(ctTarget *target, uint8_t *rgb)
{
    read(target, rgb);
}

void ctTarget_StartRead(ctTarget *target)
{
    assert(target->readCount < CT_READS_MAX);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, target->reads[(target->readFirst + target->readCount) % CT_READS_MAX]);
    read(target, NULL);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    target->readCount++;
}

bool ctTarget_FinishRead(ctTarget *target, uint8_t *rgb)
{
    if (target->readCount == 0) {
        return false;
    }
    size_t size = (size_t)target->width * (size_t)target->height * 3;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, target->reads[target->readFirst]);
    const void *pixels = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (pixels != NULL) {
        memcpy(rgb, pixels, size);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    target->readFirst = (target->readFirst + 1) % CT_READS_MAX;
    target->readCount--;
    return pixels != NULL;
}
