// The tree of boxes over a terrain's triangles, and its queries.
#include "collision/terrain.h"

#include "collision/memory.h"

#include <stdlib.h>

// Triangles in a box that is not divided further.
enum { LEAF_TRIANGLES = 4, DEEPEST = 64 };

// ---- building ---------------------------------------------------------------------------------

typedef struct Item {
    ctVec3 middle;
    int triangle;
} Item;

static double along(ctVec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static bool isBefore(const Item *a, const Item *b, int axis)
{
    double x = along(a->middle, axis), y = along(b->middle, axis);
    return x != y ? x < y : a->triangle < b->triangle;
}

static void swapItems(Item *a, Item *b)
{
    Item t = *a;
    *a = *b;
    *b = t;
}

// Moves the items before the k-th, along an axis, to its left: quickselect with the median of three.
static void divide(Item *items, int count, int k, int axis)
{
    int lo = 0, hi = count - 1;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (isBefore(&items[mid], &items[lo], axis)) {
            swapItems(&items[mid], &items[lo]);
        }
        if (isBefore(&items[hi], &items[lo], axis)) {
            swapItems(&items[hi], &items[lo]);
        }
        if (isBefore(&items[hi], &items[mid], axis)) {
            swapItems(&items[hi], &items[mid]);
        }
        Item pivot = items[mid];
        int i = lo, j = hi;
        while (i <= j) {
            while (isBefore(&items[i], &pivot, axis)) {
                i++;
            }
            while (isBefore(&pivot, &items[j], axis)) {
                j--;
            }
            if (i <= j) {
                swapItems(&items[i++], &items[j--]);
            }
        }
        if (k <= j) {
            hi = j;
        } else if (k >= i) {
            lo = i;
        } else {
            return;
        }
    }
}

static void holdTriangles(const ctTerrain *t, ctTerrainNode *node, const Item *items, int count)
{
    node->lo = ctV3(INFINITY, INFINITY, INFINITY);
    node->hi = ctNeg(node->lo);
    for (int i = 0; i < 3 * count; i++) {
        ctVec3 v = ctTerrain_Vertex(t, items[i / 3].triangle, i % 3);
        node->lo = ctMin(node->lo, v);
        node->hi = ctMax(node->hi, v);
    }
}

// Makes the node of some items, and all below it. Halves are equal in number: the depth is logarithmic.
static void build(ctTerrain *t, Item *items, int first, int count)
{
    ctTerrainNode *node = &t->nodes[t->nodeCount++];
    holdTriangles(t, node, items + first, count);
    if (count <= LEAF_TRIANGLES) {
        node->first = first;
        node->count = count;
    } else {
        ctVec3 lo = items[first].middle, hi = lo;
        for (int i = first + 1; i < first + count; i++) {
            lo = ctMin(lo, items[i].middle);
            hi = ctMax(hi, items[i].middle);
        }
        ctVec3 d = ctSub(hi, lo);
        int axis = d.x >= d.y && d.x >= d.z ? 0 : d.y >= d.z ? 1 : 2, half = count / 2;
        divide(items + first, count, half, axis);
        build(t, items, first, half);
        build(t, items, first + half, count - half);
    }
    node->next = t->nodeCount;
}

bool ctTerrain_BuildTree(ctTerrain *t)
{
    Item *items = ctAllocate((size_t)t->triangleCount, sizeof *items);
    t->nodes = ctAllocate((size_t)t->triangleCount + 1, sizeof *t->nodes); // leaves hold at least two
    t->order = ctAllocate((size_t)t->triangleCount, sizeof *t->order);
    bool ok = items != NULL && t->nodes != NULL && t->order != NULL;
    for (int i = 0; i < t->triangleCount && ok; i++) {
        ctVec3 sum = ctAdd(ctAdd(ctTerrain_Vertex(t, i, 0), ctTerrain_Vertex(t, i, 1)), ctTerrain_Vertex(t, i, 2));
        items[i] = (Item){ctScale(1.0 / 3.0, sum), i};
    }
    if (ok) {
        build(t, items, 0, t->triangleCount);
    }
    for (int i = 0; i < t->triangleCount && ok; i++) {
        t->order[i] = items[i].triangle;
    }
    ctFree(items);
    return ok;
}

// ---- boxes ------------------------------------------------------------------------------------

static bool meets(ctVec3 lo, ctVec3 hi, ctVec3 from, ctVec3 to)
{
    return lo.x <= to.x && lo.y <= to.y && lo.z <= to.z && hi.x >= from.x && hi.y >= from.y && hi.z >= from.z;
}

static void boxOfTriangle(const ctTerrain *t, int triangle, ctVec3 *lo, ctVec3 *hi)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0), b = ctTerrain_Vertex(t, triangle, 1),
           c = ctTerrain_Vertex(t, triangle, 2);
    *lo = ctMin(a, ctMin(b, c));
    *hi = ctMax(a, ctMax(b, c));
}

void ctTerrain_Query(const ctTerrain *t, ctVec3 lo, ctVec3 hi, ctTriangleFn *visit, void *context)
{
    for (int i = 0; i < t->nodeCount;) {
        const ctTerrainNode *node = &t->nodes[i];
        bool inside = meets(node->lo, node->hi, lo, hi);
        for (int k = 0; k < node->count && inside; k++) {
            ctVec3 from, to;
            boxOfTriangle(t, t->order[node->first + k], &from, &to);
            if (meets(from, to, lo, hi) && !visit(context, t->order[node->first + k])) {
                return;
            }
        }
        i = inside ? i + 1 : node->next;
    }
}

// The square of the distance between two boxes.
static double wayBetween(ctVec3 lo, ctVec3 hi, ctVec3 from, ctVec3 to)
{
    ctVec3 zero = ctZero3();
    return ctLengthSquared(ctMax(zero, ctMax(ctSub(lo, to), ctSub(from, hi))));
}

int ctTerrain_Near(const ctTerrain *t, ctVec3 point)
{
    int at = 0;
    while (t->nodes[at].count == 0) {
        const ctTerrainNode *left = &t->nodes[at + 1], *right = &t->nodes[left->next];
        double l = wayBetween(left->lo, left->hi, point, point), r = wayBetween(right->lo, right->hi, point, point);
        at = l <= r ? at + 1 : left->next;
    }
    int best = t->order[t->nodes[at].first];
    double least = INFINITY;
    for (int k = 0; k < t->nodes[at].count; k++) {
        ctVec3 lo, hi;
        int triangle = t->order[t->nodes[at].first + k];
        boxOfTriangle(t, triangle, &lo, &hi);
        double way = wayBetween(lo, hi, point, point);
        best = way < least || (way == least && triangle < best) ? triangle : best;
        least = ctFmin(least, way);
    }
    return best;
}

void ctTerrain_BoxOf(const ctPose *poseTerrain, const ctShape *shape, const ctPose *pose, ctVec3 *lo, ctVec3 *hi)
{
    ctPose local = {ctInvPosePoint(poseTerrain, pose->p), ctMulMM(ctTranspose(poseTerrain->r), pose->r)};
    ctShape_Bounds(shape, &local, lo, hi);
}

// ---- closest points ---------------------------------------------------------------------------

typedef struct Nearest {
    const ctShape *shape;
    const ctPose *pose, *poseTerrain;
    double least;
    bool found;
    ctClosest *best;
} Nearest;

static void tryTriangle(const ctTerrain *t, int triangle, Nearest *n)
{
    ctFlat flat;
    ctFlat_Make(&flat, t, triangle);
    for (int i = 0; i < n->shape->leafCount; i++) {
        ctPose part = ctShape_PartPose(n->shape, i, n->pose);
        ctClosest c;
        ctClosestPoints(n->shape->leaves[i].shape, &part, &flat.shape, n->poseTerrain, NULL, &c);
        if (c.distance < n->least) {
            n->least = c.distance;
            n->found = true;
            *n->best = c;
        }
    }
}

bool ctTerrain_Closest(const ctTerrain *t, const ctPose *poseTerrain, const ctShape *shape, const ctPose *pose,
                       double most, ctClosest *closest)
{
    Nearest n = {shape, pose, poseTerrain, most, false, closest};
    ctVec3 lo, hi;
    ctTerrain_BoxOf(poseTerrain, shape, pose, &lo, &hi);
    if (isinf(most)) {
        tryTriangle(t, ctTerrain_Near(t, ctLerp(lo, hi, 0.5)), &n);
    }
    for (int i = 0; i < t->nodeCount;) {
        const ctTerrainNode *node = &t->nodes[i];
        double reach = ctFmax(n.least, 0.0);
        bool near = wayBetween(node->lo, node->hi, lo, hi) <= reach * reach;
        for (int k = 0; k < node->count && near; k++) {
            ctVec3 from, to;
            boxOfTriangle(t, t->order[node->first + k], &from, &to);
            reach = ctFmax(n.least, 0.0);
            if (wayBetween(from, to, lo, hi) <= reach * reach) {
                tryTriangle(t, t->order[node->first + k], &n);
            }
        }
        i = near ? i + 1 : node->next;
    }
    return n.found;
}

// ---- rays -------------------------------------------------------------------------------------

// A ray whose largest component is moved to the last axis. Sheared along it, sides of triangles are crossed in a plane.
// Both triangles of a common side then decide by the same test on which side the ray passes, so no ray gets between
// them.
typedef struct Ray {
    ctVec3 origin, d;
    int x, y, z; // axes
    double shearX, shearY, scale;
} Ray;

static Ray rayOf(ctVec3 origin, ctVec3 d)
{
    ctVec3 m = ctAbs(d);
    int z = m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2), x = (z + 1) % 3, y = (z + 2) % 3;
    if (along(d, z) < 0.0) {
        int swap = x;
        x = y;
        y = swap;
    }
    double scale = 1.0 / along(d, z);
    return (Ray){origin, d, x, y, z, along(d, x) * scale, along(d, y) * scale, scale};
}

// The time at which a ray meets a triangle; infinity when it does not.
static double timeOf(const Ray *ray, const ctTerrain *t, int triangle)
{
    double x[3], y[3], z[3], side[3];
    for (int k = 0; k < 3; k++) {
        ctVec3 v = ctSub(ctTerrain_Vertex(t, triangle, k), ray->origin);
        z[k] = ray->scale * along(v, ray->z);
        x[k] = along(v, ray->x) - ray->shearX * along(v, ray->z);
        y[k] = along(v, ray->y) - ray->shearY * along(v, ray->z);
    }
    bool above = true, below = true;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        side[k] = x[j] * y[i] - y[j] * x[i];
        above = above && side[k] >= 0.0;
        below = below && side[k] <= 0.0;
    }
    double sum = side[0] + side[1] + side[2];
    if (!(above || below) || sum == 0.0) {
        return INFINITY;
    }
    return (side[0] * z[0] + side[1] * z[1] + side[2] * z[2]) / sum;
}

// Whether a ray passes through a box before a time.
static bool passes(const Ray *ray, ctVec3 lo, ctVec3 hi, double maxT)
{
    double enter = 0.0, leave = maxT;
    for (int k = 0; k < 3; k++) {
        double o = along(ray->origin, k), d = along(ray->d, k), a = along(lo, k) - o, b = along(hi, k) - o;
        double slack = 1e-14 * (fabs(o) + fabs(a) + fabs(b));
        a -= slack;
        b += slack;
        if (d == 0.0) {
            if (a > 0.0 || b < 0.0) {
                return false;
            }
            continue;
        }
        enter = ctFmax(enter, (d > 0.0 ? a : b) / d);
        leave = ctFmin(leave, (d > 0.0 ? b : a) / d);
    }
    return enter <= leave;
}

bool ctTerrain_RayCast(const ctTerrain *t, ctVec3 origin, ctVec3 direction, double maxT, double *time, ctVec3 *normal)
{
    Ray ray = rayOf(origin, direction);
    int hit = -1;
    double best = maxT;
    for (int i = 0; i < t->nodeCount;) {
        const ctTerrainNode *node = &t->nodes[i];
        bool inside = passes(&ray, node->lo, node->hi, best);
        for (int k = 0; k < node->count && inside; k++) {
            int triangle = t->order[node->first + k];
            if (!t->twoSided && !(ctDot(ctTerrain_Normal(t, triangle), direction) < 0.0)) {
                continue;
            }
            double at = timeOf(&ray, t, triangle);
            if (at >= 0.0 && (at < best || (at == best && (hit < 0 || triangle < hit)))) {
                best = at;
                hit = triangle;
            }
        }
        i = inside ? i + 1 : node->next;
    }
    if (hit < 0) {
        return false;
    }
    ctVec3 n = ctTerrain_Normal(t, hit);
    *time = best;
    *normal = ctDot(n, direction) < 0.0 ? n : ctNeg(n);
    return true;
}
