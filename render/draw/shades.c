// A ball of radius r has its centre at the height c above a surface. At the distance x along the surface from the point
// below the centre, it hides the share
//     cos(theta) (r / d)^2 = c r^2 / (x^2 + c^2)^(3/2),     d^2 = x^2 + c^2,
// of the light of a uniform sky. Other bodies are treated as ellipsoids: lengths along the surface are measured in half
// widths, heights in the lesser of half width and half height, so that a tall body shades the ground around its foot.
#include "render/draw/shades.h"

#include "collision/memory.h"

#include <math.h>
#include <stddef.h>

#define HIGHEST 2.0 // half widths above the surface from which a body casts no shade
#define REACH 2.4   // half widths; as in assets/shaders/shade.vert

static void describe(GLuint location, size_t offset)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, 4, GL_FLOAT, GL_FALSE, sizeof(ctShadeItem), (const void *)offset);
    glVertexAttribDivisor(location, 1);
}

bool ctShades_Create(ctShades *shades, ctError *error)
{
    *shades = (ctShades){0};
    shades->program = ctGl_Program("frame.glsl shade.vert", "shade.frag", "", error);
    if (shades->program == 0) {
        return false;
    }
    glUniformBlockBinding(shades->program, glGetUniformBlockIndex(shades->program, "Frame"), 0);
    glGenVertexArrays(1, &shades->array);
    glGenBuffers(1, &shades->buffer);
    glBindVertexArray(shades->array);
    glBindBuffer(GL_ARRAY_BUFFER, shades->buffer);
    describe(0, offsetof(ctShadeItem, center));
    describe(1, offsetof(ctShadeItem, axis1));
    describe(2, offsetof(ctShadeItem, axis2));
    describe(3, offsetof(ctShadeItem, at));
    describe(4, offsetof(ctShadeItem, step2));
    glBindVertexArray(0);
    return true;
}

void ctShades_Destroy(ctShades *shades)
{
    glDeleteProgram(shades->program);
    glDeleteVertexArrays(1, &shades->array);
    glDeleteBuffers(1, &shades->buffer);
    ctFree(shades->items);
    *shades = (ctShades){0};
}

void ctShades_Clear(ctShades *shades)
{
    shades->count = 0;
    shades->failed = false;
}

static void toFloats(ctVec3 v, float out[3])
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

// The principal half axes of the caster's outline on the surface. The caster is an ellipsoid with the half sizes of the
// box.
static void widths(const ctShadeCaster *caster, const ctShadeSurface *s, ctVec3 *axis1, ctVec3 *axis2)
{
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < 3; i++) {
        double a = ctDot(caster->axes[i], s->x), b = ctDot(caster->axes[i], s->y);
        xx += a * a;
        xy += a * b;
        yy += b * b;
    }
    double middle = 0.5 * (xx + yy), apart = hypot(0.5 * (xx - yy), xy);
    double angle = apart > 0.0 ? 0.5 * atan2(xy, 0.5 * (xx - yy)) : 0.0;
    ctVec3 e1 = ctMulAdd(ctScale(cos(angle), s->x), sin(angle), s->y);
    ctVec3 e2 = ctMulAdd(ctScale(-sin(angle), s->x), cos(angle), s->y);
    *axis1 = ctScale(sqrt(middle + apart), e1);
    *axis2 = ctScale(sqrt(fmax(middle - apart, 0.0)), e2);
}

void ctShades_Add(ctShades *shades, const ctShadeCaster *caster, const ctShadeSurface *s)
{
    ctVec3 normal = ctCross(s->x, s->y), away = ctSub(caster->center, s->center), axis1, axis2;
    double height = ctDot(away, normal), below = caster->below, gap = height - below;
    widths(caster, s, &axis1, &axis2);
    double a = ctLength(axis1), b = ctLength(axis2), width = sqrt(a * b);
    if (!(width > 0.0) || gap > HIGHEST * width || height < 0.0 || gap < -0.5 * below) {
        return;
    }
    double x = ctDot(away, s->x), y = ctDot(away, s->y);
    if (fabs(x) > s->halfX + REACH * a || fabs(y) > s->halfY + REACH * a) {
        return;
    }
    if (!ctReserve((void **)&shades->items, &shades->capacity, shades->count + 1, sizeof(ctShadeItem))) {
        shades->failed = true;
        return;
    }
    ctShadeItem *item = &shades->items[shades->count++];
    *item = (ctShadeItem){.nearness = (float)((fmax(gap, 0.0) + fmin(below, width)) / width),
                          .round = s->round ? 1.0f : 0.0f,
                          .at = {(float)(x / s->halfX), (float)(y / s->halfY)},
                          .step1 = {(float)(ctDot(axis1, s->x) / s->halfX), (float)(ctDot(axis1, s->y) / s->halfY)},
                          .step2 = {(float)(ctDot(axis2, s->x) / s->halfX), (float)(ctDot(axis2, s->y) / s->halfY)}};
    toFloats(ctMulAdd(caster->center, -height, normal), item->center);
    toFloats(axis1, item->axis1);
    toFloats(axis2, item->axis2);
}

void ctShades_Draw(ctShades *shades)
{
    if (shades->count == 0) {
        return;
    }
    glBindVertexArray(shades->array);
    glBindBuffer(GL_ARRAY_BUFFER, shades->buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)shades->count * (GLsizeiptr)sizeof(ctShadeItem), shades->items,
                 GL_STREAM_DRAW);
    glUseProgram(shades->program);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ZERO, GL_SRC_COLOR, GL_ZERO, GL_ONE);
    glDisable(GL_CULL_FACE);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_LEQUAL);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(-1.0f, -8.0f); // the ellipses lie in the surfaces
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, shades->count);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glEnable(GL_CULL_FACE);
    glDisable(GL_BLEND);
}
