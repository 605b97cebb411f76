// Parts of a compound that together are convex become one part.
//
// The parts of a compound are convex. Where the union of two of them is convex as well, it is the same solid as one
// part, and has no seam: two halves of a box are the box. Two parts with a plane between them that touches both are
// disjoint. So their hull is their union exactly if its volume is the sum of theirs. Boxes and solids of revolution
// keep their kind.
#include "collision/memory.h"
#include "collision/shape_build.h"

#include <string.h>

// [cost] In a compound of more parts none are joined.
#define MOST_JOINED 1024
// [rounding] Lengths that differ by less than this share of the size are the same; directions likewise.
#define SAME 1e-9

static double coordinate(ctVec3 v, int k)
{
    return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

// The two boxes with faces of the same size on each other. False when there are none.
static bool joinBoxes(const ctLeaf *a, const ctLeaf *b, double same, bool *full, ctLeaf *both)
{
    ctPose pa = ctPoseOf(a->pose), pb = ctPoseOf(b->pose);
    ctVec3 half = a->shape->hi, way = ctInvPosePoint(&pa, pb.p), size = ctZero3(), middle = ctZero3();
    int across = -1;
    for (int k = 0; k < 3; k++) {
        ctVec3 axis = k == 0 ? pa.r.cx : k == 1 ? pa.r.cy : pa.r.cz, seen = ctAbs(ctMulTMV(pb.r, axis));
        double most = ctMaxElement(seen), other = ctDot(seen, b->shape->hi), own = coordinate(half, k);
        double d = coordinate(way, k), length = 2.0 * own, shift = 0.0;
        if (seen.x + seen.y + seen.z - most > SAME) {
            return false; // turned against each other
        }
        if (fabs(fabs(d) - own - other) <= same) {
            if (across >= 0) {
                return false;
            }
            across = k;
            length = ctFmax(own, d + other) - ctFmin(-own, d - other);
            shift = 0.5 * (ctFmax(own, d + other) + ctFmin(-own, d - other));
        } else if (fabs(d) > same || fabs(own - other) > same) {
            return false;
        }
        ctVec3 unit = ctV3(k == 0, k == 1, k == 2);
        size = ctMulAdd(size, length, unit);
        middle = ctMulAdd(middle, shift, unit);
    }
    both->pose = ctTransformOf(ctPosePoint(&pa, middle), a->pose.q);
    ctError why = {ct_ok, ""};
    both->shape = across >= 0 ? ctShape_Box(size, &why) : NULL;
    *full = *full || why.status == ct_outOfMemory;
    return both->shape != NULL;
}

// Appends the outline of a lathe that is turned to up (1 or -1) and lifted, upwards.
static int addOutline(const ctLathe *lathe, double up, double lift, double *r, double *z, int count)
{
    for (int i = 0; i < lathe->outlineCount; i++) {
        int k = up > 0.0 ? i : lathe->outlineCount - 1 - i;
        r[count] = lathe->outlineR[k];
        z[count++] = up * lathe->outlineZ[k] + lift;
    }
    return count;
}

// Two solids of revolution about one axis with flat ends of the same size on each other.
static bool joinLathes(const ctLeaf *a, const ctLeaf *b, double same, bool *full, ctLeaf *both)
{
    const ctLathe *la = &a->shape->u.lathe, *lb = &b->shape->u.lathe;
    ctPose pa = ctPoseOf(a->pose), pb = ctPoseOf(b->pose);
    ctVec3 way = ctInvPosePoint(&pa, pb.p), tilt = ctCross(pa.r.cz, pb.r.cz);
    if (ctLength(tilt) > SAME || ctHypot(way.x, way.y) > same) {
        return false;
    }
    double *r = ctAllocate(2 * (size_t)(la->outlineCount + lb->outlineCount), sizeof *r);
    if (r == NULL) {
        *full = true;
        return false;
    }
    double *z = r + la->outlineCount + lb->outlineCount, up = ctDot(pa.r.cz, pb.r.cz) > 0.0 ? 1.0 : -1.0;
    bool above = way.z + 0.5 * up * (lb->outlineZ[0] + lb->outlineZ[lb->outlineCount - 1]) >
                 0.5 * (la->outlineZ[0] + la->outlineZ[la->outlineCount - 1]);
    int joint = above ? addOutline(la, 1.0, 0.0, r, z, 0) : addOutline(lb, up, way.z, r, z, 0);
    int count = above ? addOutline(lb, up, way.z, r, z, joint) : addOutline(la, 1.0, 0.0, r, z, joint);
    ctShape *shape = NULL;
    double middle = 0.5 * (z[0] + z[count - 1]);
    if (r[joint] > 0.0 && fabs(r[joint] - r[joint - 1]) <= same && fabs(z[joint] - z[joint - 1]) <= same) {
        ctError why = {ct_ok, ""};
        for (int i = 0; i < count; i++) {
            z[i] -= middle;
        }
        r[joint] = r[joint - 1];
        z[joint] = z[joint - 1];
        shape = ctShape_Lathe(r, z, count, &why);
        *full = *full || why.status == ct_outOfMemory;
    }
    ctFree(r);
    if (shape == NULL || shape->type != ct_shapeLathe) {
        ctShape_Release(shape);
        return false;
    }
    *both = (ctLeaf){shape, ctTransformOf(ctMulAdd(a->pose.p, middle, pa.r.cz), a->pose.q)};
    return true;
}

static int cornerCount(const ctShape *part)
{
    return part->type == ct_shapeBox ? 8 : part->u.hull.cornerCount;
}

static void addCorners(const ctLeaf *leaf, ctVec3 *points)
{
    ctVec3 h = leaf->shape->hi;
    for (int i = 0; i < cornerCount(leaf->shape); i++) {
        bool box = leaf->shape->type == ct_shapeBox;
        ctVec3 corner = ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
        points[i] = ctTransformPoint(leaf->pose, box ? corner : leaf->shape->u.hull.corners[i]);
    }
}

// Whether the plane of one of the faces of a part has the points on its other side, and touches them.
static bool hasPlaneTo(const ctLeaf *leaf, const ctVec3 *points, int count, double same)
{
    const ctShape *part = leaf->shape;
    bool box = part->type == ct_shapeBox, found = false;
    for (int k = 0; k < (box ? 6 : part->u.hull.faceCount) && !found; k++) {
        double side = k & 1 ? -1.0 : 1.0;
        ctVec3 unit = ctV3(k / 2 == 0 ? side : 0.0, k / 2 == 1 ? side : 0.0, k / 2 == 2 ? side : 0.0);
        double offset = box ? coordinate(part->hi, k / 2) : part->u.hull.faceOffsets[k] + part->round;
        ctVec3 n = ctRotate(leaf->pose.q, box ? unit : part->u.hull.faceNormals[k]);
        double least = INFINITY;
        for (int i = 0; i < count; i++) {
            least = ctFmin(least, ctDot(n, ctSub(points[i], leaf->pose.p)) - offset);
        }
        found = fabs(least) <= same;
    }
    return found;
}

static bool joinHulls(const ctLeaf *a, const ctLeaf *b, double same, bool *full, ctLeaf *both)
{
    int n = cornerCount(a->shape), m = cornerCount(b->shape);
    ctVec3 *points = ctAllocate((size_t)(n + m), sizeof *points);
    if (points == NULL) {
        *full = true;
        return false;
    }
    addCorners(a, points);
    addCorners(b, points + n);
    ctError why = {ct_ok, ""};
    ctShape *hull =
        hasPlaneTo(a, points + n, m, same) || hasPlaneTo(b, points, n, same) ? ctShape_Hull(points, n + m, &why) : NULL;
    ctFree(points);
    *full = *full || why.status == ct_outOfMemory;
    if (hull != NULL && hull->unit.mass > (1.0 + SAME) * (a->shape->unit.mass + b->shape->unit.mass)) {
        ctShape_Release(hull);
        hull = NULL;
    }
    *both = (ctLeaf){hull, ctTransformIdentity()};
    return hull != NULL;
}

static bool isPolyhedron(const ctShape *part)
{
    return part->type == ct_shapeBox || part->type == ct_shapeHull;
}

static bool join(const ctLeaf *a, const ctLeaf *b, bool *full, ctLeaf *both)
{
    double same = SAME * ctFmax(a->shape->size, b->shape->size);
    ctVec3 ca = ctTransformPoint(a->pose, a->shape->unit.center), cb = ctTransformPoint(b->pose, b->shape->unit.center);
    if (ctDistance(ca, cb) > a->shape->boundRadius + b->shape->boundRadius + same) {
        return false;
    }
    if (a->shape->type == ct_shapeLathe && b->shape->type == ct_shapeLathe) {
        return joinLathes(a, b, same, full, both);
    }
    bool boxes = a->shape->type == ct_shapeBox && b->shape->type == ct_shapeBox;
    return isPolyhedron(a->shape) && isPolyhedron(b->shape) &&
           ((boxes && joinBoxes(a, b, same, full, both)) || joinHulls(a, b, same, full, both));
}

// Joins what can be joined to part i. True if anything was.
static bool joinTo(ctLeaf *leaves, int *count, int i, bool *full)
{
    bool any = false;
    for (int k = i + 1; k < *count && !*full; k++) {
        ctLeaf both;
        if (join(&leaves[i], &leaves[k], full, &both)) {
            ctShape_Release((ctShape *)leaves[i].shape);
            ctShape_Release((ctShape *)leaves[k].shape);
            leaves[i] = both;
            memmove(&leaves[k], &leaves[k + 1], (size_t)(*count - k - 1) * sizeof *leaves);
            --*count;
            any = true;
            k = i; // the new part has new neighbours
        }
    }
    return any;
}

ctShape *ctShape_Compound(const ctLeaf *parts, int count, ctError *error)
{
    ctShape *shape = ctNewCompound(parts, count, error);
    int before = shape != NULL ? shape->leafCount : 0;
    bool full = false, more = before > 1 && before <= MOST_JOINED;
    while (more && !full) {
        more = false;
        for (int i = 0; i < shape->leafCount; i++) {
            more = joinTo(shape->leaves, &shape->leafCount, i, &full) || more;
        }
    }
    if (full) {
        ctShape_Release(shape);
        ctFailMemory(error, "a compound");
        return NULL;
    }
    if (shape != NULL && shape->leafCount < before) {
        ctCompound_Complete(shape);
    }
    return shape;
}
