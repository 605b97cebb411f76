// The parts of a frame's picture that have edges:
//   - bodies that are small on the screen: the whole of their box;
//   - larger bodies: the edges of their meshes that are sharp or on the outline;
//   - places where larger bodies or planes may intersect;
//   - the borders of planes.
// The shaders antialias patterns, shadows and lines, which need no mark.
#include "render/draw/part_marks.h"

#include "collision/memory.h"

#include <math.h>

#define SMALL 16        // number of squares up to which a body's box is marked as a whole
#define WORTH_WHILE 0.6 // largest share of marked squares at which two passes are faster than one
#define RECTS 16        // number of rectangles that the parts are joined to; each is drawn by itself
#define LARGE_MAX 256   // number of bodies that are checked for overlaps
#define OUTLINE 8.0     // pixels that a selected body's outline may need
#define APART 1e-3      // of their size: bodies that overlap by less only touch

typedef struct largeBody {
    ctVec3 lo, hi; // world
} largeBody;

typedef struct marker {
    ctRenderer *r;
    ctParts *parts;
    largeBody large[LARGE_MAX];
    int largeCount;
    bool good;
} marker;

static ctTransform poseOf(const ctInstance *i)
{
    return (ctTransform){ctV3((double)i->place[0], (double)i->place[1], (double)i->place[2]),
                         {(double)i->turn[3], (double)i->turn[0], (double)i->turn[1], (double)i->turn[2]}};
}

static void cornersOf(const ctMeshRange *range, const ctInstance *instance, ctVec3 corners[8])
{
    ctTransform pose = poseOf(instance);
    for (int i = 0; i < 8; i++) {
        ctVec3 p = {(double)((i & 1 ? range->hi : range->lo)[0] * instance->scale[0]),
                    (double)((i & 2 ? range->hi : range->lo)[1] * instance->scale[1]),
                    (double)((i & 4 ? range->hi : range->lo)[2] * instance->scale[2])};
        corners[i] = ctTransformPoint(pose, p);
    }
}

static void markBox(marker *m, const ctVec3 *points, int count, double margin)
{
    ctPartRect squares;
    if (count == 0) {
        return;
    }
    if (ctParts_BoxOf(m->parts, points, count, margin, &squares)) {
        ctParts_MarkSquares(m->parts, squares);
    } else {
        ctParts_MarkAll(m->parts);
    }
}

// Marks the cut of a body's box with a plane.
static void markCut(marker *m, const ctVec3 corners[8], const ctGroundItem *ground)
{
    ctVec3 points[12];
    int count = 0;
    double tolerance = APART * ctDistance(corners[0], corners[7]);
    for (int i = 0; i < 8; i++) {
        for (int axis = 1; axis < 8; axis *= 2) {
            int k = i | axis;
            double a = ctDot(corners[i], ground->normal) - ground->offset;
            double b = ctDot(corners[k], ground->normal) - ground->offset;
            if (k != i && ((a > tolerance && b < -tolerance) || (a < -tolerance && b > tolerance))) {
                points[count++] = ctLerp(corners[i], corners[k], a / (a - b));
            }
        }
    }
    markBox(m, points, count, 2.0);
}

// Marks the overlaps of a large body's box with those of the bodies before it.
static void markOverlaps(marker *m, const ctVec3 corners[8])
{
    largeBody body = {corners[0], corners[0]};
    for (int i = 1; i < 8; i++) {
        body.lo = ctMin(body.lo, corners[i]);
        body.hi = ctMax(body.hi, corners[i]);
    }
    double tolerance = APART * ctDistance(corners[0], corners[7]);
    for (int i = 0; i < m->largeCount; i++) {
        ctVec3 lo = ctMax(body.lo, m->large[i].lo), hi = ctMin(body.hi, m->large[i].hi), size = ctSub(hi, lo);
        if (fmin(size.x, fmin(size.y, size.z)) > tolerance) {
            ctVec3 points[8];
            for (int k = 0; k < 8; k++) {
                points[k] = ctV3(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, k & 4 ? hi.z : lo.z);
            }
            markBox(m, points, 8, 2.0);
        }
    }
    if (m->largeCount < LARGE_MAX) {
        m->large[m->largeCount++] = body;
    } else {
        ctParts_MarkAll(m->parts);
    }
}

// Marks the edges of a mesh that are sharp or on the outline: one side faces the eye and the other does not. The test
// is done in the mesh's frame without its scale, because scaling does not change on which side of a plane the eye is.
static void markEdges(marker *m, ctMeshRange *range, const ctInstance *instance)
{
    if (range->edges == NULL) {
        range->edgeCount = ctMesh_FindEdges(&m->r->meshes.all, range->firstIndex, range->indexCount, &range->edges);
        if (range->edgeCount < 0) {
            m->good = false;
            return;
        }
    }
    ctTransform pose = poseOf(instance);
    ctVec3 scale = {(double)instance->scale[0], (double)instance->scale[1], (double)instance->scale[2]};
    ctVec3 inverse = {1.0 / scale.x, 1.0 / scale.y, 1.0 / scale.z};
    ctVec3 eye = ctMul(ctInvTransformPoint(pose, m->r->view.eye), inverse);
    for (int i = 0; i < range->edgeCount; i++) {
        const ctMeshEdge *e = &range->edges[i];
        ctVec3 d = ctSub(eye, e->a);
        if (e->sharp || (ctDot(e->left, d) > 0.0) != (ctDot(e->right, d) > 0.0)) {
            ctParts_MarkSegment(m->parts, ctTransformPoint(pose, ctMul(e->a, scale)),
                                ctTransformPoint(pose, ctMul(e->b, scale)));
        }
    }
}

// Marks a body. Returns whether only parts of its box are marked.
static bool markBody(marker *m, int mesh, const ctInstance *instance, bool whole)
{
    ctMeshRange *range = &m->r->meshes.ranges[mesh];
    ctVec3 corners[8];
    cornersOf(range, instance, corners);
    if (ctParts_AreBehind(m->parts, corners, 8)) {
        return false;
    }
    ctPartRect s;
    bool selected = ((int)(instance->state + 0.5f) & ct_stateSelected) != 0;
    double margin = selected ? OUTLINE * fmax(1.0, m->parts->height / 800.0) : 2.0;
    bool inFront = ctParts_BoxOf(m->parts, corners, 8, margin, &s);
    // The parts of a compound may intersect.
    bool compound = range->shape != NULL && range->shape->type == ct_shapeCompound;
    if (inFront && (whole || compound || selected || (s.right - s.left) * (s.top - s.bottom) <= SMALL)) {
        ctParts_MarkSquares(m->parts, s);
        return false;
    }
    if (whole || compound || selected) {
        ctParts_MarkAll(m->parts);
        return false;
    }
    markEdges(m, range, instance);
    for (int i = 0; i < m->r->groundCount; i++) {
        markCut(m, corners, &m->r->grounds[i]);
    }
    markOverlaps(m, corners);
    return true;
}

// Marks the bodies of a group, and sorts those that are marked in part before the others.
static void markGroup(marker *m, int group, double most)
{
    ctRenderer *r = m->r;
    int end = r->firstOf[group];
    for (int i = r->firstOf[group]; i < r->firstOf[group + 1] && m->good && m->parts->marked <= most; i++) {
        if (markBody(m, group / CT_PATTERNS, &r->sorted[i], false)) {
            ctInstance kept = r->sorted[end];
            r->sorted[end++] = r->sorted[i];
            r->sorted[i] = kept;
        }
    }
    r->largeEnd[group] = end;
}

// Marks the border of a plane's triangle, as the shader makes it, and the lines where two planes intersect.
static void markGround(marker *m, int index)
{
    const ctGroundItem *item = &m->r->grounds[index];
    ctVec3 c, x, y, corners[3];
    double radius;
    ctRenderer_PlaceGround(m->r, item, &c, &x, &y, &radius);
    const ctMeshRange *range = &m->r->meshes.ranges[ct_meshGround];
    for (int i = 0; i < 3; i++) {
        const float *p = m->r->meshes.all.vertices[range->firstVertex + i].position;
        corners[i] = ctMulAdd(ctMulAdd(c, radius * (double)p[0], x), radius * (double)p[1], y);
    }
    for (int i = 0; i < 3; i++) {
        ctParts_MarkSegment(m->parts, corners[i], corners[(i + 1) % 3]);
    }
    for (int i = 0; i < index; i++) {
        const ctGroundItem *other = &m->r->grounds[i];
        ctVec3 along = ctCross(item->normal, other->normal);
        double l2 = ctLengthSquared(along);
        if (l2 > 1e-12) { // p is the point of both planes that is nearest to c, which lies in the first plane
            double away = other->offset - ctDot(other->normal, c);
            ctVec3 p = ctMulAdd(c, away / l2, ctCross(along, item->normal));
            ctVec3 step = ctScale(2.0 * radius / sqrt(l2), along);
            ctParts_MarkSegment(m->parts, ctSub(p, step), ctAdd(p, step));
        }
    }
}

bool ctRenderer_MarkParts(ctRenderer *r, const float *viewProjection)
{
    marker m = {.r = r, .parts = &r->parts, .good = true};
    if (!ctParts_Begin(m.parts, viewProjection, r->target.width, r->target.height)) {
        return false;
    }
    double most = WORTH_WHILE * m.parts->columns * m.parts->rows;
    int groups = r->meshes.count * CT_PATTERNS;
    for (int g = 0; g < groups; g++) {
        markGroup(&m, g, most);
    }
    for (int i = 0; i < r->ghostCount && m.good && m.parts->marked <= most; i++) {
        markBody(&m, r->ghostGroupOf[i] / CT_PATTERNS, &r->ghosts[i], true);
    }
    for (int i = 0; i < r->groundCount; i++) {
        markGround(&m, i);
    }
    return m.good && m.parts->marked <= most && ctParts_Join(m.parts, RECTS) &&
           ctParts_Area(m.parts) <= WORTH_WHILE * r->target.width * r->target.height;
}
