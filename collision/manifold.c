// Contact manifolds: the points of two shapes that carry the contact between them.
#include "collision/manifold_internal.h"

#include "collision/terrain.h"

// How much deeper than the chosen points the deepest must be to replace one of them, as a fraction of the contact's
// extent.
#define DEEPEST 1e-7
// The least gap is that of the closest points, to this fraction of the smaller size.
#define CLOSEST 1e-10
// Closest points within this share of a stretch from its end replace the end.
#define NEAR_END 0.02
// A face bears a body that is at most this many times as deep below it as the least way out of its triangle.
#define DEEPER 2.0
// Steps of Newton's method to the surface.
#define SURFACE_STEPS 8
// [rounding] A distance from the core is known to this share of the size.
#define SURFACE_ROUNDING 1e-15
// A face is flat on the contact when the cosine of its tilt is one minus this.
#define FLAT 1e-14

// One body of a contact: the part of its core that meets the other, and the direction out to the surface. In A's frame;
// for a box that is B, in its own.
typedef struct Side {
    const ctShape *shape;
    const ctPatch *patch;
    const ctShapePair *pair;
    bool isB, ownFrame;
    bool flat; // the way out is perpendicular to a face
    ctVec3 out;
} Side;

static Side sideOf(const ctShapePair *pair, const ctCandidates *in, bool isB)
{
    const ctShape *shape = isB ? pair->b : pair->a;
    const ctPatch *patch = isB ? in->patchB : in->patchA;
    bool own = isB && shape->type == ct_shapeBox;
    ctVec3 out = own ? ctMulTMV(pair->r, in->n) : isB ? in->n : ctNeg(in->n);
    double across = shape->type == ct_shapeBox       ? 1.0 - ctMaxElement(ctAbs(out))
                    : shape->type == ct_shapePlane   ? 0.0
                    : patch->kind >= ct_patchPolygon ? 1.0 - ctDot(patch->n, out)
                                                     : 1.0;
    Side s = {shape, patch, pair, isB, own, across < FLAT, out};
    return s;
}

// The point of the core nearest to x.
static ctVec3 nearestOnCore(const Side *side, ctVec3 x)
{
    if (side->shape->type == ct_shapeBox) {
        return ctMax(ctNeg(side->shape->u.half), ctMin(side->shape->u.half, x));
    }
    return side->shape->type == ct_shapePlane ? x : ctPatch_Nearest(side->patch, x);
}

// Whether no vertex of a hull lies beyond the plane through q across d: d is then perpendicular to the core at q.
static bool isSquare(const Side *side, ctVec3 q, ctVec3 d)
{
    if (side->shape->type != ct_shapeHull) {
        return true;
    }
    const ctHull *hull = &side->shape->u.hull;
    if (side->isB) {
        q = ctMulTMV(side->pair->r, ctSub(q, side->pair->t));
        d = ctMulTMV(side->pair->r, d);
    }
    ctVec3 top = hull->vertices[ctHullSupport(hull, d, (int)side->patch->id[0])];
    return ctDot(d, ctSub(top, q)) <= 1e-10 * side->shape->size * ctLength(d);
}

// The point of the surface over a point of the core, along the way out. A face seen at an angle is farther away than
// its rounding, as Newton's method finds: the distance from the core grows with the way, and its rate does too. Where
// another face of a hull is in the way, the surface perpendicularly over the core's point is used.
static ctVec3 wayOut(const Side *side, ctVec3 core)
{
    double round = side->shape->round, way = round, enough = 1e-12 * round + SURFACE_ROUNDING * side->shape->size;
    ctVec3 p = nearestOnCore(side, core), x = ctMulAdd(p, way, side->out);
    for (int step = 0; step < SURFACE_STEPS && !side->flat; step++) {
        ctVec3 q = nearestOnCore(side, x), d = ctSub(x, q);
        double distance = ctLength(d), slope = ctDot(side->out, d);
        if (!(slope > 0.1 * distance) || fabs(distance - round) <= enough) {
            bool face = side->patch && side->patch->kind == ct_patchPolygon;
            return face && !isSquare(side, q, d) ? ctMulAdd(p, round, side->patch->n) : x;
        }
        way += (round - distance) * distance / slope;
        x = ctMulAdd(p, way, side->out);
    }
    return x;
}

static ctVec3 onSurface(const Side *side, ctVec3 core)
{
    if (!side->ownFrame) {
        return wayOut(side, core);
    }
    const ctShapePair *pair = side->pair;
    return ctAdd(pair->t, ctMulMV(pair->r, wayOut(side, ctMulTMV(pair->r, ctSub(core, pair->t)))));
}

// Moves a point of contact that is beside the core, across n, over it.
static ctVec3 wayOver(const Side *side, ctVec3 core, ctVec3 n)
{
    ctVec3 own = side->ownFrame ? ctMulTMV(side->pair->r, ctSub(core, side->pair->t)) : core;
    ctVec3 way = ctSub(nearestOnCore(side, own), own);
    if (!(ctLengthSquared(way) > 0.0)) {
        return ctZero3();
    }
    way = side->ownFrame ? ctMulMV(side->pair->r, way) : way;
    return ctMulAdd(way, -ctDot(way, n), n);
}

// A point that counts as over a face may lie slightly beside it. Both points then move over the face: apart from each
// other across the normal, they would demand speeds that no rigid body has.
static ctManifoldPoint pointOf(const Side *a, const Side *b, const ctPose *poseA, const ctCandidates *in, int i)
{
    ctVec3 onA = in->c[i].a, onB = in->c[i].b;
    if (!in->c[i].onSurface) {
        ctVec3 over = ctAdd(wayOver(a, onA, in->n), wayOver(b, onB, in->n));
        onA = onSurface(a, ctAdd(onA, over));
        onB = onSurface(b, ctAdd(onB, over));
    }
    return (ctManifoldPoint){ctPosePoint(poseA, onA), ctPosePoint(poseA, onB), ctDot(in->n, ctSub(onA, onB)),
                             in->c[i].id};
}

static void emitPoint(const Side *a, const Side *b, const ctPose *poseA, const ctCandidates *in, int i,
                      ctManifold *manifold)
{
    manifold->points[manifold->count++] = pointOf(a, b, poseA, in, i);
}

// The candidate farthest from all those chosen so far, and not one of them, even where others lie at the same place.
static int farthest(const ctCandidates *in, const int *chosen, int count, double sx, double sy)
{
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < in->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            double dx = sx * (in->c[i].x - in->c[chosen[k]].x), dy = sy * (in->c[i].y - in->c[chosen[k]].y);
            least = chosen[k] == i ? -INFINITY : ctFmin(least, dx * dx + dy * dy);
        }
        if (least > most) {
            most = least;
            best = i;
        }
    }
    return best;
}

// The extremes along the diagonals of the contact's box: fixed directions, so that the choice does not change from step
// to step.
static void chooseExtremes(const ctCandidates *in, double sx, double sy, int chosen[4])
{
    for (int k = 0; k < 4; k++) {
        double wx = k & 1 ? sx : -sx, wy = k & 2 ? sy : -sy, best = -INFINITY;
        chosen[k] = 0;
        for (int i = 0; i < in->count; i++) {
            double score = wx * in->c[i].x + wy * in->c[i].y;
            if (score > best + 1e-9) {
                best = score;
                chosen[k] = i;
            }
        }
    }
}

static bool isKept(const ctManifoldKeep *keep, uint32_t id)
{
    for (int i = 0; keep != NULL && i < keep->count; i++) {
        if (keep->ids[i] == id) {
            return true;
        }
    }
    return false;
}

// Replaces the nearest of the chosen by a candidate, if it is not among them: one that need not be kept, if there is
// any.
static void replaceNearest(const ctCandidates *in, const ctManifoldKeep *keep, int candidate, int chosen[4])
{
    int nearest = -1;
    double distance = INFINITY;
    bool free = false;
    for (int k = 0; k < 4; k++) {
        if (chosen[k] == candidate) {
            return;
        }
        double dx = in->c[chosen[k]].x - in->c[candidate].x, dy = in->c[chosen[k]].y - in->c[candidate].y;
        bool loose = !isKept(keep, in->c[chosen[k]].id);
        if ((loose && !free) || (loose == free && dx * dx + dy * dy < distance)) {
            distance = dx * dx + dy * dy;
            nearest = k;
            free = loose;
        }
    }
    chosen[nearest] = candidate;
}

static void listAll(const Side *a, const Side *b, const ctPose *poseA, const ctCandidates *in, ctWholeManifold *whole)
{
    whole->count = in->count;
    for (int i = 0; i < in->count; i++) {
        whole->points[i] = pointOf(a, b, poseA, in, i);
    }
}

void ctChoosePoints(const ctShapePair *pair, const ctPose *poseA, double margin, const ctManifoldKeep *keep,
                    ctCandidates *in, ctManifold *manifold)
{
    int count = 0, deepest = 0;
    manifold->count = 0;
    manifold->normal = ctMulMV(poseA->r, in->n);
    double loX = INFINITY, hiX = -INFINITY, loY = INFINITY, hiY = -INFINITY;
    Side a = sideOf(pair, in, false), b = sideOf(pair, in, true);
    ctWholeManifold *whole = keep != NULL ? keep->whole : NULL;
    if (whole != NULL && !keep->within) {
        listAll(&a, &b, poseA, in, whole);
    }
    for (int i = 0; i < in->count; i++) {
        if (in->c[i].gap <= margin) {
            in->c[count] = in->c[i];
            deepest = in->c[count].gap < in->c[deepest].gap ? count : deepest;
            loX = ctFmin(loX, in->c[count].x);
            hiX = ctFmax(hiX, in->c[count].x);
            loY = ctFmin(loY, in->c[count].y);
            hiY = ctFmax(hiY, in->c[count].y);
            count++;
        }
    }
    in->count = count;
    if (count == 0) {
        return;
    }
    if (count <= CT_MANIFOLD_POINTS) {
        for (int i = 0; i < count; i++) {
            emitPoint(&a, &b, poseA, in, i, manifold);
        }
        return;
    }
    if (whole != NULL && keep->within) {
        listAll(&a, &b, poseA, in, whole);
    }
    double width = hiX - loX, depth = hiY - loY, sx = width > 0.0 ? 1.0 / width : 0.0,
           sy = depth > 0.0 ? 1.0 / depth : 0.0;
    int chosen[4];
    chooseExtremes(in, sx, sy, chosen);
    for (int i = 0; i < count && keep != NULL; i++) {
        if (isKept(keep, in->c[i].id)) {
            replaceNearest(in, keep, i, chosen);
        }
    }
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        least = ctFmin(least, in->c[chosen[k]].gap);
    }
    if (in->c[deepest].lowest || in->c[deepest].gap < least - DEEPEST * (width + depth)) {
        replaceNearest(in, keep, deepest, chosen);
    }
    for (int k = 1; k < 4; k++) {
        for (int j = 0; j < k; j++) {
            if (chosen[j] == chosen[k]) {
                chosen[k] = farthest(in, chosen, k, sx, sy);
                break;
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        emitPoint(&a, &b, poseA, in, chosen[k], manifold);
    }
}

// A direction across the world normal that depends on nothing else, in A's frame.
static ctVec3 steadyDirection(ctVec3 worldNormal, const ctPose *poseA)
{
    ctVec3 x, y;
    ctFrameFromNormal(worldNormal, &x, &y);
    return ctMulTMV(poseA->r, x);
}

static void single(const ctClosest *closest, ctManifold *manifold)
{
    manifold->normal = closest->normal;
    manifold->count = 1;
    manifold->points[0].pointA = closest->pointA;
    manifold->points[0].pointB = closest->pointB;
    manifold->points[0].gap = closest->distance;
    manifold->points[0].id = UINT32_MAX;
}

// Where faces are rounded the patches may miss the closest points by a little: the nearest point moves there.
static void takeClosest(const ctClosest *closest, double tolerance, ctManifold *manifold)
{
    int next = 0;
    double least = INFINITY, distance = INFINITY;
    for (int i = 0; i < manifold->count; i++) {
        double d = ctLengthSquared(ctSub(manifold->points[i].pointA, closest->pointA));
        least = ctFmin(least, manifold->points[i].gap);
        if (d < distance) {
            distance = d;
            next = i;
        }
    }
    if (manifold->count > 0 && least > closest->distance + tolerance) {
        manifold->points[next].pointA = closest->pointA;
        manifold->points[next].pointB = closest->pointB;
        manifold->points[next].gap = closest->distance;
    }
}

// Between the ends of a stretch that two rods share, the closest points are a third point, unless they are near an end.
static void addBetween(const ctClosest *closest, const ctPose *poseA, double tolerance, ctCandidates *out)
{
    ctVec3 p = ctInvPosePoint(poseA, closest->pointA), q = ctInvPosePoint(poseA, closest->pointB);
    double stretch = ctDistance(out->c[0].a, out->c[out->count - 1].a);
    for (int i = 0; i < out->count; i++) {
        if (ctDistance(out->c[i].a, p) <= NEAR_END * stretch || out->c[i].gap <= closest->distance + tolerance) {
            return;
        }
    }
    ctAddCandidate(out, p, q, closest->distance, 0.0, 0.0, UINT32_MAX);
    out->c[out->count - 1].onSurface = true;
}

static void swapPoints(ctManifoldPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        ctVec3 p = points[i].pointA;
        points[i].pointA = points[i].pointB;
        points[i].pointB = p;
    }
}

// The points of a manifold that were moved, or are not among all candidates, go to the whole one, too.
static void completeWhole(const ctManifold *m, ctWholeManifold *whole)
{
    bool alone = m->count == 1 && m->points[0].id == UINT32_MAX;
    for (int i = 0; i < whole->count; i++) {
        alone = alone && whole->points[i].id != UINT32_MAX;
    }
    whole->count = m->count == 0 || alone ? 0 : whole->count;
    for (int i = 0; i < m->count; i++) {
        int k = 0;
        while (k < whole->count && whole->points[k].id != m->points[i].id) {
            k++;
        }
        if (k < CT_WHOLE_POINTS) {
            whole->points[k] = m->points[i];
            whole->count = k == whole->count ? k + 1 : whole->count;
        }
    }
}

// No candidates yet, of two patches that meet along n.
static void setOut(ctCandidates *out, ctVec3 n, ctVec3 x, const ctPatch *a, const ctPatch *b)
{
    out->count = 0;
    out->n = n;
    out->x = x;
    out->patchA = a;
    out->patchB = b;
}

static void collidePlane(const ctShape *shape, const ctPose *pose, const ctShape *plane, const ctPose *planePose,
                         double margin, const ctManifoldKeep *keep, ctManifold *manifold)
{
    ctVec3 normal = ctMulMV(planePose->r, plane->u.plane.normal), up = ctMulTMV(pose->r, normal);
    double offset = plane->u.plane.offset - ctDot(normal, ctSub(pose->p, planePose->p));
    ctShapePair pair = {shape, plane, ctMat3Identity(), ctZero3(), shape->size, false, pose, planePose};
    ctCandidates out;
    ctPatch patch;
    setOut(&out, up, steadyDirection(normal, pose), &patch, &patch);
    ctPatchOf(shape, ctNeg(up), 0, &patch);
    ctPatch_OverPlane(&patch, up, offset, &out);
    ctChoosePoints(&pair, pose, margin, keep, &out, manifold);
    manifold->normal = normal;
}

static bool isPointLike(const ctShape *s)
{
    return s->type == ct_shapeSphere || s->type == ct_shapeEllipsoid;
}

// A stretch of a solid of revolution A over a face of a box B with the normal n: if both ends are over the face they
// are the points, as ctPatch_Overlay would find them. False if they are not, or the closest points are elsewhere.
static bool liesOnBox(const ctShapePair *pair, const ctPose *poseA, const ctPatch *patch, ctVec3 n, double margin,
                      double distance, ctManifold *manifold)
{
    ctVec3 up = ctMulTMV(pair->r, n), m = ctAbs(up), half = pair->b->u.half;
    int axis = m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2);
    double upward = axis == 0   ? up.x
                    : axis == 1 ? up.y
                                : up.z,
           level = axis == 0   ? half.x
                   : axis == 1 ? half.y
                               : half.z;
    double height[2], round = pair->a->round + pair->b->round;
    for (int i = 0; i < 2; i++) {
        ctVec3 q = ctMulTMV(pair->r, ctSub(patch->p[i], pair->t)), out = ctSub(ctAbs(q), half);
        if ((axis != 0 && out.x > 0.0) || (axis != 1 && out.y > 0.0) || (axis != 2 && out.z > 0.0)) {
            return false;
        }
        height[i] = copysign(1.0, upward) * (axis == 0 ? q.x : axis == 1 ? q.y : q.z) - level;
    }
    if (ctFmin(height[0], height[1]) - round > ctFmin(margin, distance + 1e-6 * ctFmin(pair->a->size, pair->b->size))) {
        return false;
    }
    Side side = {pair->a, patch, pair, false, false, false, ctNeg(n)};
    uint32_t face = ctFeatureId(ct_idFace, (uint32_t)(2 * axis + (upward > 0.0)));
    for (int i = 0; i < 2; i++) {
        if (height[i] - round <= margin) {
            ctVec3 onA = wayOut(&side, patch->p[i]), onB = ctMulAdd(patch->p[i], pair->b->round - height[i], n);
            manifold->points[manifold->count++] = (ctManifoldPoint){.pointA = ctPosePoint(poseA, onA),
                                                                    .pointB = ctPosePoint(poseA, onB),
                                                                    .gap = ctDot(n, ctSub(onA, onB)),
                                                                    .id = ctPointId(patch->id[i], face)};
        }
    }
    return true;
}

static void collideConvex(const ctShape *givenA, const ctPose *poseA, const ctShape *givenB, const ctPose *poseB,
                          double margin, ctGjkCache *cache, const ctManifoldKeep *keep, ctManifold *manifold)
{
    const ctShape *a = ctShape_Against(givenA, givenB), *b = ctShape_Against(givenB, givenA);
    ctClosest closest;
    ctClosestPoints(a, poseA, b, poseB, cache, &closest);
    manifold->count = 0;
    manifold->normal = closest.normal;
    manifold->apart = closest.distance;
    if (closest.distance > margin) {
        return;
    }
    if (isPointLike(a) || isPointLike(b)) {
        single(&closest, manifold);
        return;
    }
    ctShapePair pair = ctPairOf(a, poseA, b, poseB);
    ctCandidates out;
    ctPatch pa, pb, edgeA, edgeB;
    out.count = 0;
    out.n = ctMulTMV(poseA->r, closest.normal);
    bool known = cache && cache->count > 0;
    ctPatchOf(a, ctNeg(out.n), known ? cache->a[0] : 0, &pa);
    if (!(keep && keep->whole) && a->type == ct_shapeLathe && b->type == ct_shapeBox &&
        closest.featureB == ct_featureFace && pa.kind == ct_patchSegment &&
        liesOnBox(&pair, poseA, &pa, out.n, margin, closest.distance, manifold)) {
        takeClosest(&closest, CLOSEST * ctFmin(a->size, b->size), manifold);
        return;
    }
    out.x = steadyDirection(closest.normal, poseA);
    out.patchA = &pa;
    out.patchB = &pb;
    ctPatchOf(b, ctMulTMV(pair.r, out.n), known ? cache->b[0] : 0, &pb);
    ctPatch_Move(&pb, &pair.r, pair.t);
    if (ctPatch_ToEdge(&pa, ctNeg(out.n), &edgeA) && ctPatch_ToEdge(&pb, out.n, &edgeB)) {
        // Faces that both lean away from the contact share at most a stretch of two edges.
        out.patchA = &edgeA;
        out.patchB = &edgeB;
    }
    ctPatch_Overlay(out.patchA, out.patchB, &out);
    double least = INFINITY;
    for (int i = 0; i < out.count; i++) {
        least = ctFmin(least, out.c[i].gap);
    }
    if (out.patchA->kind == ct_patchSegment && out.patchB->kind == ct_patchSegment && out.count > 0) {
        addBetween(&closest, poseA, CLOSEST * ctFmin(a->size, b->size), &out);
    } else if (least > closest.distance + 1e-6 * ctFmin(a->size, b->size) &&
               !(pa.kind == ct_patchDisc && pb.kind == ct_patchDisc && out.count > 0)) {
        // The patches miss each other, or the closest points are not among them. Two discs on each other keep the
        // others, which are hardly farther apart.
        single(&closest, manifold);
        return;
    }
    ctChoosePoints(&pair, poseA, margin, keep, &out, manifold);
    if (manifold->count == 0) {
        single(&closest, manifold); // rods that cross near an end, where they are farther apart than the margin
        return;
    }
    manifold->normal = closest.normal;
    takeClosest(&closest, CLOSEST * ctFmin(a->size, b->size), manifold);
}

// The tip of A over the side of a triangle B with the given normal, along that. Its foot on the plane is on the
// triangle, or beside it by at most a few times the depth (m) of the least overlap, and the tip is no deeper than that.
// False: it is not over the side.
static bool standOnSide(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 normal,
                        ctVec3 tip, double depth, ctManifold *manifold)
{
    const ctVec3 *v = b->u.hull.vertices;
    ctVec3 n = ctMulTMV(poseB->r, normal), p = ctMulAdd(ctPosePoint(poseA, tip), -a->round, normal);
    ctVec3 at = ctInvPosePoint(poseB, p);
    double gap = ctDot(n, ctSub(at, v[0])),
           turn = ctDot(n, ctCross(ctSub(v[1], v[0]), ctSub(v[2], v[0]))) < 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        ctVec3 side = ctSub(v[(k + 1) % 3], v[k]);
        if (turn * ctDot(n, ctCross(side, ctSub(at, v[k]))) < -DEEPER * depth * ctLength(side)) {
            return false;
        }
    }
    if (gap < 0.0 && gap >= -DEEPER * depth) {
        single(&(ctClosest){.normal = normal, .pointA = p, .pointB = ctMulAdd(p, -gap, normal), .distance = gap},
               manifold);
    }
    return true;
}

// The points of A over the side of a triangle B with the given normal, along that. None where A is deeper below it than
// a few times the depth (m) of the least overlap: it has come from another side. False: nothing of A is over the side.
static bool lieOnSide(const ctShape *givenA, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctVec3 normal,
                      double depth, double margin, const ctManifoldKeep *keep, ctManifold *manifold)
{
    const ctShape *a = ctShape_Against(givenA, b);
    ctShapePair pair = ctPairOf(a, poseA, b, poseB);
    ctCandidates out;
    ctPatch pa, pb;
    setOut(&out, ctMulTMV(poseA->r, normal), steadyDirection(normal, poseA), &pa, &pb);
    ctPatchOf(a, ctNeg(out.n), 0, &pa);
    if (pa.kind == ct_patchPoint) {
        return standOnSide(a, poseA, b, poseB, normal, pa.p[0], depth, manifold);
    }
    ctPatchOf(b, ctMulTMV(pair.r, out.n), 0, &pb);
    ctPatch_Move(&pb, &pair.r, pair.t);
    ctPatch_Overlay(&pa, &pb, &out);
    bool overlaps = false;
    for (int i = 0; i < out.count; i++) {
        overlaps = overlaps || out.c[i].gap < 0.0;
        if (out.c[i].gap < -DEEPER * depth) {
            return true;
        }
    }
    if (overlaps) {
        ctChoosePoints(&pair, poseA, margin, keep, &out, manifold);
        manifold->normal = normal;
    }
    return out.count > 0;
}

// In the fold of a terrain the least way out of each triangle may lead past the seam, into its neighbour: both then
// leave the touch to the other. The face itself bears.
static void collideTriangle(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
                            ctGjkCache *cache, const ctManifoldKeep *keep, ctManifold *manifold)
{
    ctVec3 front;
    collideConvex(a, poseA, b, poseB, margin, cache, keep, manifold);
    double depth = -manifold->apart;
    ctVec3 n = manifold->normal;
    if (ctTerrain_Filter(b, poseB, manifold, &front) || !(depth > 0.0) ||
        lieOnSide(a, poseA, b, poseB, front, depth, margin, keep, manifold) || manifold->count > 0) {
        return;
    }
    // What is below the seam is over neither face, but below both of them, which go on below each other.
    ctPose moved = *poseA;
    ctVec3 back = ctScale(-DEEPER * depth, ctNormalize(ctMulAdd(n, -ctDot(n, front), front)));
    moved.p = ctAdd(moved.p, back);
    lieOnSide(a, &moved, b, poseB, front, depth, margin, keep, manifold);
    for (int i = 0; i < manifold->count; i++) {
        manifold->points[i].pointA = ctSub(manifold->points[i].pointA, back);
        manifold->points[i].pointB = ctSub(manifold->points[i].pointB, back);
    }
}

static void collideBoxes(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
                         ctGjkCache *cache, const ctManifoldKeep *keep, ctManifold *manifold)
{
    ctShapePair pair = ctPairOf(a, poseA, b, poseB);
    ctCandidates out;
    out.patchA = out.patchB = NULL;
    manifold->count = 0;
    manifold->normal = ctV3(0.0, 0.0, 1.0);
    if (!ctCollideBoxes(&pair, margin, &out)) {
        manifold->apart = out.apart;
        return;
    }
    ctChoosePoints(&pair, poseA, margin, keep, &out, manifold);
    if (manifold->count > 0) {
        return;
    }
    // Apart, edge beside edge or corner beside corner: no face lies over the other box.
    collideConvex(a, poseA, b, poseB, margin, cache, keep, manifold);
}

void ctCollide(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
               ctGjkCache *cache, const ctManifoldKeep *keep, ctManifold *manifold)
{
    manifold->apart = 0.0;
    if (keep && keep->whole) {
        keep->whole->count = 0;
    }
    if (b->type == ct_shapePlane) {
        collidePlane(ctShape_Against(a, b), poseA, b, poseB, margin, keep, manifold);
    } else if (a->type == ct_shapePlane) {
        collidePlane(ctShape_Against(b, a), poseB, a, poseA, margin, keep, manifold);
        manifold->normal = ctNeg(manifold->normal);
        swapPoints(manifold->points, manifold->count);
        if (keep && keep->whole) {
            swapPoints(keep->whole->points, keep->whole->count);
        }
    } else if (a->type == ct_shapeBox && b->type == ct_shapeBox) {
        collideBoxes(a, poseA, b, poseB, margin, cache, keep, manifold);
    } else if (b->type == ct_shapeHull && b->u.hull.terrain != NULL) {
        collideTriangle(a, poseA, b, poseB, margin, cache, keep, manifold);
    } else {
        collideConvex(a, poseA, b, poseB, margin, cache, keep, manifold);
    }
    if (keep && keep->whole && (!keep->within || keep->whole->count > 0)) {
        completeWhole(manifold, keep->whole);
    }
}
