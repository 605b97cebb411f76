// A picture with one sample per pixel shows at each pixel the surface at the pixel's centre. Where a straight border
// between two surfaces crosses the pixel, the surface on the other side is the one that the next pixel across the
// border shows. So the pixel is mixed with that neighbour, by the areas on both sides of the border (after E. Persson's
// geometric antialiasing, 2011). The ends of the borders are known from the meshes, and the areas are exact.
#include "render/draw/borders.h"

#include "collision/memory.h"

#include <stddef.h>

static void describe(GLuint location, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, 3, GL_FLOAT, GL_FALSE, sizeof(ctBorder), (const void *)offset);
    glVertexAttribDivisor(location, 1);
}

static bool create(ctBorders *borders, ctError *error)
{
    static const char *const passes[2] = {"#define PASS 0\n", "#define PASS 1\n"};
    for (int i = 0; i < 2; i++) {
        GLuint program = ctGl_Program("frame.glsl border.vert", "frame.glsl border.frag", passes[i], error);
        if (program == 0) {
            return false;
        }
        glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Frame"), 0);
        glUseProgram(program);
        glUniform1i(ctGl_Uniform(program, "picture"), 1);
        glUniform1i(ctGl_Uniform(program, "depth"), 2);
        glUniform1i(ctGl_Uniform(program, "shares"), 3);
        borders->programs[i] = program;
    }
    glGenVertexArrays(1, &borders->array);
    glGenBuffers(1, &borders->buffer);
    glBindVertexArray(borders->array);
    glBindBuffer(GL_ARRAY_BUFFER, borders->buffer);
    describe(0, offsetof(ctBorder, a));
    describe(1, offsetof(ctBorder, b));
    return true;
}

void ctBorders_Destroy(ctBorders *borders)
{
    glDeleteProgram(borders->programs[0]);
    glDeleteProgram(borders->programs[1]);
    glDeleteVertexArrays(1, &borders->array);
    glDeleteBuffers(1, &borders->buffer);
    ctFree(borders->items);
    *borders = (ctBorders){0};
}

void ctBorders_Clear(ctBorders *borders)
{
    borders->count = 0;
    borders->failed = false;
}

void ctBorders_Repeat(ctBorders *borders, const ctBorder *border)
{
    if (!ctReserve((void **)&borders->items, &borders->capacity, borders->count + 1, sizeof(ctBorder))) {
        borders->failed = true;
        return;
    }
    borders->items[borders->count++] = *border;
}

void ctBorders_Add(ctBorders *borders, ctVec3 a, ctVec3 b)
{
    ctBorders_Repeat(borders, &(ctBorder){{(float)a.x, (float)a.y, (float)a.z}, {(float)b.x, (float)b.y, (float)b.z}});
}

bool ctBorders_Draw(ctBorders *borders, ctTarget *target, ctError *error)
{
    if (borders->count == 0) {
        return true;
    }
    if (borders->programs[1] == 0 && !create(borders, error)) {
        return false;
    }
    if (!ctTarget_BeginShares(target, error)) {
        return false;
    }
    glBindVertexArray(borders->array);
    glBindBuffer(GL_ARRAY_BUFFER, borders->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)borders->count * (GLsizeiptr)sizeof(ctBorder), borders->items,
                 GL_STREAM_DRAW);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_MAX);
    glUseProgram(borders->programs[0]);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, borders->count);
    glBlendEquation(GL_FUNC_ADD);
    glDisable(GL_BLEND);
    ctTarget_BeginMix(target);
    glUseProgram(borders->programs[1]);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, borders->count);
    ctTarget_Bind(target);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
    return true;
}
