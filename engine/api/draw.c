// Geometry for drawing: triangles and lines of shapes, and the debug view of the engine's data.
#include "collision/elementary.h"
#include "collision/memory.h"
#include "collision/mesh.h"
#include "engine/api/api_internal.h"

#include <stdlib.h>
#include <string.h>

// [format] m: half the side of the square that stands for a plane.
#define PLANE_REACH 100.0
#define SMOOTH CT_GENTLE // faces that meet with a smaller cosine make an edge
enum { LEAST_SEGMENTS = 8, MOST_SEGMENTS = 512, LINE_SEGMENTS = 24, ROUND_SEGMENTS = 8 };

static bool planeMesh(const ctShape *shape, ctMesh *mesh, ctError *error)
{
    *mesh = (ctMesh){0};
    ctVec3 n = shape->u.plane.normal, x, y, at = ctScale(shape->u.plane.offset, n);
    ctFrameFromNormal(n, &x, &y);
    const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        ctVec3 p = ctMulAdd(ctMulAdd(at, PLANE_REACH * corners[i][0], x), PLANE_REACH * corners[i][1], y);
        ctMesh_AddVertex(mesh, p, n);
    }
    ctMesh_AddTriangle(mesh, 0, 1, 2);
    ctMesh_AddTriangle(mesh, 0, 2, 3);
    if (mesh->failed) {
        ctMesh_Free(mesh);
        return ctFailMemory(error, "a mesh");
    }
    return true;
}

static bool meshOf(const ctShape *shape, int segments, ctMesh *mesh, ctError *error)
{
    return shape->type == ct_shapePlane ? planeMesh(shape, mesh, error)
                                        : ctMesh_FromShape(mesh, shape, segments, error);
}

bool ctShape_GetMesh(const ctWorld *world, ctShapeId id, int segments, ctMesh *mesh, ctError *error)
{
    const ctShape *shape = ctWorld_GetShape(world, id);
    if (shape == NULL || mesh == NULL) {
        return ctFail(error, ct_badArgument, "a mesh needs a shape, and somewhere to go");
    }
    if (segments < LEAST_SEGMENTS || segments > MOST_SEGMENTS) {
        return ctFail(error, ct_badArgument, "segments must be from %d to %d, not %d", LEAST_SEGMENTS, MOST_SEGMENTS,
                      segments);
    }
    return meshOf(shape, segments - segments % 4, mesh, error);
}

// ---- lines ------------------------------------------------------------------------------------

// One side of a triangle: its ends, in order, and the normal of the triangle.
typedef struct Side {
    float a[3], b[3];
    ctVec3 n;
} Side;

static ctVec3 positionOf(const float p[3])
{
    return ctV3(p[0], p[1], p[2]);
}

static int bySides(const void *x, const void *y)
{
    const Side *s = x, *t = y;
    int first = memcmp(s->a, t->a, sizeof s->a);
    return first != 0 ? first : memcmp(s->b, t->b, sizeof s->b);
}

static Side sideOf(const ctMesh *mesh, uint32_t i, uint32_t j, ctVec3 n)
{
    Side side = {.n = n};
    for (int k = 0; k < 3; k++) { // -0 and 0 are the same place
        side.a[k] = mesh->vertices[i].position[k] + 0.0F;
        side.b[k] = mesh->vertices[j].position[k] + 0.0F;
    }
    if (memcmp(side.a, side.b, sizeof side.a) > 0) {
        float swap[3];
        memcpy(swap, side.a, sizeof swap);
        memcpy(side.a, side.b, sizeof swap);
        memcpy(side.b, swap, sizeof swap);
    }
    return side;
}

// The sides of all triangles, sorted, equal ones adjacent. NULL when memory is short.
static Side *sidesOf(const ctMesh *mesh)
{
    Side *sides = ctAllocate((size_t)mesh->indexCount + 1, sizeof *sides);
    for (int i = 0; i + 2 < mesh->indexCount && sides != NULL; i += 3) {
        const uint32_t *v = &mesh->indices[i];
        ctVec3 p[3];
        for (int k = 0; k < 3; k++) {
            p[k] = positionOf(mesh->vertices[v[k]].position);
        }
        ctVec3 n = ctCross(ctSub(p[1], p[0]), ctSub(p[2], p[0]));
        double length = ctLength(n);
        n = length > 0.0 ? ctScale(1.0 / length, n) : ctZero3();
        for (int k = 0; k < 3; k++) {
            sides[i + k] = sideOf(mesh, v[k], v[(k + 1) % 3], n);
        }
    }
    if (sides != NULL && mesh->indexCount > 1) {
        qsort(sides, (size_t)mesh->indexCount, sizeof *sides, bySides);
    }
    return sides;
}

// Writes the sides where faces meet at an angle, or all sides except diagonals of flat faces. Returns their number.
static int pickSides(const Side *sides, int count, bool all, ctVec3 *points)
{
    int lines = 0;
    for (int i = 0; i < count;) {
        int run = 1;
        bool sharp = false, flat = false;
        for (; i + run < count && bySides(&sides[i], &sides[i + run]) == 0; run++) {
            double cosine = ctDot(sides[i].n, sides[i + run].n);
            bool known = ctLengthSquared(sides[i].n) > 0.0 && ctLengthSquared(sides[i + run].n) > 0.0;
            sharp = sharp || (known && cosine < SMOOTH);
            flat = flat || (known && cosine > 1.0 - 1e-6);
        }
        bool point = memcmp(sides[i].a, sides[i].b, sizeof sides[i].a) == 0;
        if (!point && (sharp || run == 1 || (all && !flat))) {
            points[2 * lines] = positionOf(sides[i].a);
            points[2 * lines + 1] = positionOf(sides[i].b);
            lines++;
        }
        i += run;
    }
    return lines;
}

static bool linesOf(const ctShape *shape, ctVec3 **points, int *count, ctError *error)
{
    bool round = shape->type == ct_shapeSphere || shape->type == ct_shapeEllipsoid || shape->type == ct_shapeCapsule;
    ctMesh mesh;
    if (!meshOf(shape, round ? ROUND_SEGMENTS : LINE_SEGMENTS, &mesh, error)) {
        return false;
    }
    Side *sides = sidesOf(&mesh);
    *points = ctAllocate(2 * (size_t)mesh.indexCount + 1, sizeof **points);
    *count = 0;
    if (sides != NULL && *points != NULL) {
        *count = 2 * pickSides(sides, mesh.indexCount, round, *points);
    }
    bool ok = sides != NULL && *points != NULL;
    ctFree(sides);
    ctMesh_Free(&mesh);
    if (!ok) {
        ctFree(*points);
        *points = NULL;
    }
    return ok || ctFailMemory(error, "lines");
}

bool ctShape_GetLines(const ctWorld *world, ctShapeId id, ctVec3 **points, int *count, ctError *error)
{
    const ctShape *shape = ctWorld_GetShape(world, id);
    if (shape == NULL || points == NULL || count == NULL) {
        return ctFail(error, ct_badArgument, "lines need a shape, and somewhere to go");
    }
    return linesOf(shape, points, count, error);
}

void ctFreeLines(ctVec3 *points)
{
    ctFree(points);
}

// ---- what the engine sees ---------------------------------------------------------------------

enum {
    AWAKE = 0xe0e0e0,
    ASLEEP = 0x707070,
    FIXED = 0x6080a0,
    SENSOR = 0xd0a030,
    BOX = 0x3050a0,
    CENTER = 0xffff40,
    SPEED = 0x40c040,
    CONTACT = 0xff4040,
    FORCE = 0xff8040,
    IMPACT = 0xff40ff,
};

static uint32_t colorOf(const ctBody *body)
{
    return body->sensor ? SENSOR : !ctBody_IsMovable(body) ? FIXED : body->mode == ct_modeAsleep ? ASLEEP : AWAKE;
}

static bool drawLines(const ctWorld *world, int index, const ctDebugDraw *draw, ctError *error)
{
    ctVec3 *points;
    int count;
    if (!linesOf(ctBody_Shape(world, index), &points, &count, error)) {
        return false;
    }
    ctTransform pose = ctBody_GetTransform(world, ctBody_IdOf(world, index));
    uint32_t color = colorOf(&world->bodies[index]);
    for (int i = 0; i + 1 < count; i += 2) {
        draw->line(draw->context, ctTransformPoint(pose, points[i]), ctTransformPoint(pose, points[i + 1]), color);
    }
    ctFree(points);
    return true;
}

static bool drawBody(const ctWorld *world, int index, const ctDebugDraw *draw, ctError *error)
{
    const ctBody *body = &world->bodies[index];
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    if (draw->shapes && draw->line != NULL && !drawLines(world, index, draw, error)) {
        return false;
    }
    if (draw->boxes && draw->box != NULL && !body->plane) {
        draw->box(draw->context, body->box.lo, body->box.hi, BOX);
    }
    if (draw->centers && draw->point != NULL && ctBody_IsMovable(body)) {
        draw->point(draw->context, s.x, 0.1 * body->radius, CENTER);
    }
    if (draw->velocities && draw->arrow != NULL && ctLengthSquared(s.v) > 0.0) {
        draw->arrow(draw->context, s.x, ctAdd(s.x, s.v), SPEED);
    }
    return true;
}

bool ctWorld_DebugDraw(const ctWorld *world, const ctDebugDraw *draw, ctError *error)
{
    if (draw == NULL) {
        return ctFail(error, ct_badArgument, "nothing to draw with");
    }
    for (int i = 0; i < world->bodyCount; i++) {
        if (!drawBody(world, world->order[i], draw, error)) {
            return false;
        }
    }
    for (int i = 0; i < world->contactCount && draw->contacts; i++) {
        const ctContact *c = &world->contactList[i];
        if (draw->point != NULL) {
            draw->point(draw->context, c->point, 0.01, CONTACT);
        }
        if (draw->arrow != NULL) {
            draw->arrow(draw->context, c->point, ctMulAdd(c->point, draw->forceScale, c->force), FORCE);
        }
    }
    for (int i = 0; i < world->impactCount && draw->impacts; i++) {
        const ctImpact *m = &world->impacts[i];
        if (draw->point != NULL) {
            draw->point(draw->context, m->point, 0.01, IMPACT);
        }
        if (draw->arrow != NULL) {
            draw->arrow(draw->context, m->point, ctMulAdd(m->point, draw->impulseScale, m->impulse), IMPACT);
        }
    }
    return true;
}
