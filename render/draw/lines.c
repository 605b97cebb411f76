#include "render/draw/lines.h"

#include "collision/memory.h"

#include <stddef.h>

static void describe(GLuint location, GLint size, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, sizeof(ctLine), (const void *)offset);
    glVertexAttribDivisor(location, 1);
}

bool ctLines_Create(ctLines *lines, ctError *error)
{
    *lines = (ctLines){0};
    lines->program = ctGl_Program("frame.glsl line.vert", "line.frag", "", error);
    if (lines->program == 0) {
        return false;
    }
    glUniformBlockBinding(lines->program, glGetUniformBlockIndex(lines->program, "Frame"), 0);
    lines->opacity = ctGl_Uniform(lines->program, "opacity");
    glGenVertexArrays(1, &lines->array);
    glGenBuffers(1, &lines->buffer);
    glBindVertexArray(lines->array);
    glBindBuffer(GL_ARRAY_BUFFER, lines->buffer);
    describe(0, 3, offsetof(ctLine, a));
    describe(1, 3, offsetof(ctLine, b));
    describe(2, 2, offsetof(ctLine, widths));
    describe(3, 4, offsetof(ctLine, color));
    glBindVertexArray(0);
    return true;
}

void ctLines_Destroy(ctLines *lines)
{
    glDeleteProgram(lines->program);
    glDeleteVertexArrays(1, &lines->array);
    glDeleteBuffers(1, &lines->buffer);
    ctFree(lines->items);
    *lines = (ctLines){0};
}

void ctLines_Clear(ctLines *lines)
{
    lines->count = 0;
    lines->failed = false;
}

void ctLines_Add(ctLines *lines, ctVec3 a, ctVec3 b, float widthA, float widthB, ctColor color)
{
    if (!ctIsFinite3(a) || !ctIsFinite3(b)) {
        return;
    }
    if (!ctReserve((void **)&lines->items, &lines->capacity, lines->count + 1, sizeof(ctLine))) {
        lines->failed = true;
        return;
    }
    lines->items[lines->count++] = (ctLine){
        {(float)a.x, (float)a.y, (float)a.z},
        {(float)b.x, (float)b.y, (float)b.z},
        {widthA, widthB},
        {color.r, color.g, color.b, color.a},
    };
}

void ctLines_Draw(ctLines *lines)
{
    if (lines->count == 0) {
        return;
    }
    glBindVertexArray(lines->array);
    glBindBuffer(GL_ARRAY_BUFFER, lines->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)lines->count * (GLsizeiptr)sizeof(ctLine), lines->items, GL_STREAM_DRAW);
    glUseProgram(lines->program);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE);
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_GREATER);
    glUniform1f(lines->opacity, 0.35f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, lines->count);
    glDepthFunc(GL_LEQUAL);
    glUniform1f(lines->opacity, 1.0f);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, lines->count);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glEnable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}
