// The borders between surfaces in a frame's picture:
//   - the edges of meshes that are sharp or on the outline;
//   - the lines in which the parts of a compound cross, and those of fixed bodies;
//   - the lines in which bodies cross planes;
//   - the borders of planes, and the lines in which they cross;
//   - the outlines of selected bodies.
// Other bodies touch, and do not cross. The shaders smooth patterns, shadows and lines.
#include "render/draw/find_borders.h"

#include "collision/memory.h"
#include "render/draw/ground.h"
#include "render/draw/mesh_crossings.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// cglm works in single precision: doubles are converted here.
#include <cglm/cglm.h>

#define APART 1e-3 // of their size: bodies that overlap by less only touch

typedef struct finder {
    ctRenderer *r;
    const float *viewProjection;
    ctTriangle *triangles;
    int triangleCount, triangleCapacity;
    bool good;
} finder;

static ctTransform poseOf(const ctInstance *i)
{
    return (ctTransform){ctV3((double)i->place[0], (double)i->place[1], (double)i->place[2]),
                         {(double)i->turn[3], (double)i->turn[0], (double)i->turn[1], (double)i->turn[2]}};
}

static ctVec3 fromFloat(const float v[3])
{
    return ctV3((double)v[0], (double)v[1], (double)v[2]);
}

static void cornersOf(const ctMeshRange *range, const ctInstance *instance, ctVec3 corners[8])
{
    ctTransform pose = poseOf(instance);
    for (int i = 0; i < 8; i++) {
        ctVec3 p = {(double)((i & 1 ? range->hi : range->lo)[0]), (double)((i & 2 ? range->hi : range->lo)[1]),
                    (double)((i & 4 ? range->hi : range->lo)[2])};
        corners[i] = ctTransformPoint(pose, ctMul(p, fromFloat(instance->scale)));
    }
}

// A corner of a mesh's triangle in the world; corner: its place among the mesh's indices.
static ctVec3 cornerAt(const finder *f, int corner, const ctInstance *instance)
{
    const ctMesh *all = &f->r->meshes.all;
    ctVec3 p = fromFloat(all->vertices[all->indices[corner]].position);
    return ctTransformPoint(poseOf(instance), ctMul(p, fromFloat(instance->scale)));
}

static void addBorder(void *context, ctVec3 a, ctVec3 b)
{
    finder *f = context;
    ctBorders_Add(&f->r->borders, a, b);
}

static void addTriangle(finder *f, ctVec3 a, ctVec3 b, ctVec3 c, int body)
{
    if (!ctReserve((void **)&f->triangles, &f->triangleCapacity, f->triangleCount + 1, sizeof(ctTriangle))) {
        f->good = false;
        return;
    }
    f->triangles[f->triangleCount++] = ctTriangle_Make(a, b, c, body);
}

// ---- edges of meshes --------------------------------------------------------------------------

typedef struct edgeList {
    ctMeshEdge *edges;
    int count, capacity;
    bool good;
} edgeList;

static void addSharpEdge(void *context, ctVec3 a, ctVec3 b)
{
    edgeList *list = context;
    if (!ctReserve((void **)&list->edges, &list->capacity, list->count + 1, sizeof(ctMeshEdge))) {
        list->good = false;
        return;
    }
    ctVec3 n = ctV3(0.0, 0.0, 1.0);
    list->edges[list->count++] = (ctMeshEdge){a, b, n, ctNeg(n), true};
}

// Finds the edges of a mesh, and the lines in which the parts of a compound cross, once.
static bool findEdges(finder *f, ctMeshRange *range)
{
    if (range->edges != NULL) {
        return true;
    }
    const ctMesh *all = &f->r->meshes.all;
    edgeList list = {.good = true};
    list.count = list.capacity = ctMesh_FindEdges(all, range->firstIndex, range->indexCount, &list.edges);
    if (list.count < 0) {
        return false;
    }
    if (range->shape != NULL && range->shape->type == ct_shapeCompound) {
        f->triangleCount = 0;
        for (int i = range->firstIndex; i + 2 < range->firstIndex + range->indexCount; i += 3) {
            addTriangle(f, fromFloat(all->vertices[all->indices[i]].position),
                        fromFloat(all->vertices[all->indices[i + 1]].position),
                        fromFloat(all->vertices[all->indices[i + 2]].position), 0);
        }
        ctTriangles_Cross(f->triangles, f->triangleCount, addSharpEdge, &list);
    }
    range->edges = list.edges;
    range->edgeCount = list.count;
    return list.good;
}

// Moves a point of a body to where assets/shaders/outline.vert moves it.
static ctVec3 onOutline(const finder *f, ctVec3 point, ctVec3 outwards)
{
    mat4 viewProjection, inverse;
    memcpy(viewProjection, f->viewProjection, sizeof(mat4));
    glm_mat4_inv(viewProjection, inverse);
    vec4 p = {(float)point.x, (float)point.y, (float)point.z, 1.0f}, at, back;
    vec4 out = {(float)outwards.x, (float)outwards.y, (float)outwards.z, 0.0f}, away;
    glm_mat4_mulv(viewProjection, p, at);
    glm_mat4_mulv(viewProjection, out, away);
    float width = (float)f->r->target.width, height = (float)f->r->target.height;
    float x = away[0] * width, y = away[1] * height, size = hypotf(x, y);
    float reach = size > 0.0f ? 2.0f * ctRenderer_OutlineWidth(f->r) * at[3] / size : 0.0f;
    at[0] += x * reach / width;
    at[1] += y * reach / height;
    glm_mat4_mulv(inverse, at, back);
    return ctScale(1.0 / (double)back[3], ctV3((double)back[0], (double)back[1], (double)back[2]));
}

// Adds the edges of a body that are sharp or on the outline: one side faces the eye and the other does not. The test is
// done in the mesh's frame without its scale, because scaling does not change on which side of a plane the eye is.
static void addEdges(finder *f, ctMeshRange *range, const ctInstance *instance)
{
    if (!findEdges(f, range)) {
        f->good = false;
        return;
    }
    ctTransform pose = poseOf(instance);
    ctVec3 scale = fromFloat(instance->scale), inverse = {1.0 / scale.x, 1.0 / scale.y, 1.0 / scale.z};
    ctVec3 eye = ctMul(ctInvTransformPoint(pose, f->r->view.eye), inverse);
    ctVec3 middle = ctTransformPoint(pose, ctMul(ctLerp(fromFloat(range->lo), fromFloat(range->hi), 0.5), scale));
    bool selected = ((int)(instance->state + 0.5f) & ct_stateSelected) != 0;
    for (int i = 0; i < range->edgeCount; i++) {
        const ctMeshEdge *e = &range->edges[i];
        ctVec3 d = ctSub(eye, e->a);
        bool left = ctDot(e->left, d) > 0.0, right = ctDot(e->right, d) > 0.0;
        if (left != right || (e->sharp && left)) {
            ctVec3 a = ctTransformPoint(pose, ctMul(e->a, scale)), b = ctTransformPoint(pose, ctMul(e->b, scale));
            addBorder(f, a, b);
            if (selected && left != right) {
                addBorder(f, onOutline(f, a, ctSub(a, middle)), onOutline(f, b, ctSub(b, middle)));
            }
        }
    }
}

// ---- crossings --------------------------------------------------------------------------------

// Adds the lines in which a body crosses a plane.
static void addCuts(finder *f, const ctMeshRange *range, const ctInstance *instance, const ctVec3 corners[8],
                    const ctGroundItem *ground)
{
    double lo = HUGE_VAL, hi = -HUGE_VAL, tolerance = APART * ctDistance(corners[0], corners[7]);
    for (int i = 0; i < 8; i++) {
        double h = ctDot(corners[i], ground->normal) - ground->offset;
        lo = fmin(lo, h);
        hi = fmax(hi, h);
    }
    if (lo > -tolerance || hi < tolerance) {
        return;
    }
    for (int i = range->firstIndex; i + 2 < range->firstIndex + range->indexCount; i += 3) {
        ctVec3 p[3], ends[3];
        double h[3];
        int count = 0;
        for (int k = 0; k < 3; k++) {
            p[k] = cornerAt(f, i + k, instance);
            h[k] = ctDot(p[k], ground->normal) - ground->offset;
        }
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            if ((h[k] > 0.0) != (h[next] > 0.0)) {
                ends[count++] = ctLerp(p[k], p[next], h[k] / (h[k] - h[next]));
            }
        }
        if (count == 2) {
            addBorder(f, ends[0], ends[1]);
        }
    }
}

typedef struct box {
    ctVec3 lo, hi;
} box;

static box boxOf(const ctVec3 *points, int count)
{
    box b = {points[0], points[0]};
    for (int i = 1; i < count; i++) {
        b = (box){ctMin(b.lo, points[i]), ctMax(b.hi, points[i])};
    }
    return b;
}

static bool overlap(box a, box b, double tolerance)
{
    ctVec3 size = ctSub(ctMin(a.hi, b.hi), ctMax(a.lo, b.lo));
    return fmin(size.x, fmin(size.y, size.z)) >= tolerance;
}

static box boxOfBody(const finder *f, const ctFixedBody *body)
{
    ctVec3 corners[8];
    cornersOf(&f->r->meshes.ranges[body->mesh], &body->instance, corners);
    return boxOf(corners, 8);
}

// Collects the triangles of a body that reach into the box of another one.
static void collect(finder *f, const ctFixedBody *body, box other, int owner)
{
    const ctMeshRange *range = &f->r->meshes.ranges[body->mesh];
    for (int i = range->firstIndex; i + 2 < range->firstIndex + range->indexCount; i += 3) {
        ctVec3 corners[3];
        for (int k = 0; k < 3; k++) {
            corners[k] = cornerAt(f, i + k, &body->instance);
        }
        if (overlap(boxOf(corners, 3), other, 0.0)) {
            addTriangle(f, corners[0], corners[1], corners[2], owner);
        }
    }
}

// Adds the lines in which a fixed body crosses those before it.
static void addCrossings(finder *f, int index)
{
    const ctFixedBody *body = &f->r->fixed[index];
    box b = boxOfBody(f, body);
    double tolerance = APART * ctDistance(b.lo, b.hi);
    for (int i = 0; i < index; i++) {
        box other = boxOfBody(f, &f->r->fixed[i]);
        if (overlap(b, other, tolerance)) {
            f->triangleCount = 0;
            collect(f, body, other, 1);
            collect(f, &f->r->fixed[i], b, 2);
            ctTriangles_Cross(f->triangles, f->triangleCount, addBorder, f);
        }
    }
}

// Takes note of the fixed bodies. Returns whether they are those of the picture before.
static bool noteFixed(finder *f)
{
    ctRenderer *r = f->r;
    bool same = true;
    int count = 0;
    for (int g = 0; g < r->meshes.count * CT_PATTERNS && f->good; g++) {
        for (int i = r->firstOf[g]; i < r->firstOf[g + 1]; i++) {
            const ctInstance *instance = &r->sorted[i];
            if (((int)(instance->state + 0.5f) & ct_stateFixed) == 0) {
                continue;
            }
            if (!ctReserve((void **)&r->fixed, &r->fixedCapacity, count + 1, sizeof(ctFixedBody))) {
                f->good = false;
                break;
            }
            ctFixedBody *body = &r->fixed[count++];
            same = same && count <= r->fixedCount && body->mesh == g / CT_PATTERNS &&
                   memcmp(&body->instance, instance, offsetof(ctInstance, state)) == 0;
            *body = (ctFixedBody){g / CT_PATTERNS, *instance};
        }
    }
    same = same && count == r->fixedCount;
    r->fixedCount = count;
    return same;
}

// Adds the lines in which fixed bodies cross each other. They are found again when a fixed body has changed.
static void addFixed(finder *f)
{
    ctRenderer *r = f->r;
    if (noteFixed(f)) {
        for (int i = 0; i < r->crossingCount; i++) {
            ctBorders_Repeat(&r->borders, &r->crossings[i]);
        }
        return;
    }
    int first = r->borders.count;
    for (int i = 0; i < r->fixedCount; i++) {
        addCrossings(f, i);
    }
    int count = r->borders.count - first;
    if (!f->good || !ctReserve((void **)&r->crossings, &r->crossingCapacity, count, sizeof(ctBorder))) {
        f->good = false;
        r->fixedCount = r->crossingCount = 0;
        return;
    }
    r->crossingCount = count;
    for (int i = 0; i < count; i++) {
        r->crossings[i] = r->borders.items[first + i];
    }
}

// ---- all of a picture -------------------------------------------------------------------------

static bool isBehind(const finder *f, const ctVec3 corners[8])
{
    const float *m = f->viewProjection;
    for (int i = 0; i < 8; i++) {
        const ctVec3 p = corners[i];
        if ((double)m[3] * p.x + (double)m[7] * p.y + (double)m[11] * p.z + (double)m[15] > 0.0) {
            return false;
        }
    }
    return true;
}

static void addBody(finder *f, int mesh, const ctInstance *instance)
{
    ctMeshRange *range = &f->r->meshes.ranges[mesh];
    ctVec3 corners[8];
    cornersOf(range, instance, corners);
    if (isBehind(f, corners)) {
        return;
    }
    addEdges(f, range, instance);
    for (int i = 0; i < f->r->groundCount; i++) {
        addCuts(f, range, instance, corners, &f->r->grounds[i]);
    }
}

// Adds the border of a plane as it is drawn, and the lines where two planes cross.
static void addGround(finder *f, int index)
{
    const ctGroundItem *item = &f->r->grounds[index];
    const ctGroundPlace place = ctRenderer_PlaceGround(f->r, item);
    for (int i = 0; i < 4; i++) {
        addBorder(f, place.corners[i], place.corners[(i + 1) % 4]);
    }
    for (int i = 0; i < index; i++) {
        const ctGroundItem *other = &f->r->grounds[i];
        ctVec3 along = ctCross(item->normal, other->normal);
        double l2 = ctLengthSquared(along);
        if (l2 > 1e-12) { // p is the point of both planes that is nearest to the centre, which lies in the first plane
            double away = other->offset - ctDot(other->normal, place.center);
            ctVec3 p = ctMulAdd(place.center, away / l2, ctCross(along, item->normal));
            ctVec3 step = ctScale(2.0 * place.radius / sqrt(l2), along);
            addBorder(f, ctSub(p, step), ctAdd(p, step));
        }
    }
}

bool ctRenderer_FindBorders(ctRenderer *r, const float *viewProjection)
{
    finder f = {.r = r, .viewProjection = viewProjection, .good = true};
    ctBorders_Clear(&r->borders);
    for (int g = 0; g < r->meshes.count * CT_PATTERNS; g++) {
        for (int i = r->firstOf[g]; i < r->firstOf[g + 1] && f.good; i++) {
            addBody(&f, g / CT_PATTERNS, &r->sorted[i]);
        }
    }
    for (int i = 0; i < r->ghostCount && f.good; i++) {
        addBody(&f, r->ghostGroupOf[i] / CT_PATTERNS, &r->ghosts[i]);
    }
    addFixed(&f);
    for (int i = 0; i < r->groundCount; i++) {
        addGround(&f, i);
    }
    ctFree(f.triangles);
    return f.good && !r->borders.failed;
}
