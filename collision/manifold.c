// Contact manifolds: which points of two shapes carry the contact between them.
#include "collision/manifold_internal.h"

// How much deeper than the chosen points the deepest must be to replace one of them, as a fraction of the
// contact's extent.
#define DEEPEST 1e-7

static void emitPoint(const ctPair *pair, const ctPose *poseA, const ctCandidates *in, int i, ctManifold *manifold)
{
    ctManifoldPoint *p = &manifold->points[manifold->count++];
    const ctCandidate *c = &in->c[i];
    p->pointA = ctPosePoint(poseA, ctMulAdd(c->a, -pair->a->round, in->n));
    p->pointB = ctPosePoint(poseA, ctMulAdd(c->b, pair->b->round, in->n));
    p->gap = c->gap;
    p->id = c->id;
}

// The candidate farthest from all those chosen so far.
static int farthest(const ctCandidates *in, const int *chosen, int count, double sx, double sy)
{
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < in->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < count; k++) {
            double dx = sx * (in->c[i].x - in->c[chosen[k]].x), dy = sy * (in->c[i].y - in->c[chosen[k]].y);
            least = fmin(least, dx * dx + dy * dy);
        }
        if (least > most) {
            most = least;
            best = i;
        }
    }
    return best;
}

void ctChoosePoints(const ctPair *pair, const ctPose *poseA, double margin, ctCandidates *in, ctManifold *manifold)
{
    int count = 0, deepest = 0;
    double loX = INFINITY, hiX = -INFINITY, loY = INFINITY, hiY = -INFINITY;
    for (int i = 0; i < in->count; i++) {
        if (in->c[i].gap <= margin) {
            in->c[count] = in->c[i];
            deepest = in->c[count].gap < in->c[deepest].gap ? count : deepest;
            loX = fmin(loX, in->c[count].x);
            hiX = fmax(hiX, in->c[count].x);
            loY = fmin(loY, in->c[count].y);
            hiY = fmax(hiY, in->c[count].y);
            count++;
        }
    }
    in->count = count;
    manifold->count = 0;
    manifold->normal = ctMulMV(poseA->r, in->n);
    if (count <= CT_MANIFOLD_POINTS) {
        for (int i = 0; i < count; i++) {
            emitPoint(pair, poseA, in, i, manifold);
        }
        return;
    }
    // The extremes along the diagonals of the contact's box: fixed directions, so that the choice does not
    // change from step to step.
    double width = hiX - loX, depth = hiY - loY, sx = width > 0.0 ? 1.0 / width : 0.0,
           sy = depth > 0.0 ? 1.0 / depth : 0.0;
    int chosen[4];
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        double wx = k & 1 ? sx : -sx, wy = k & 2 ? sy : -sy, best = -INFINITY;
        chosen[k] = 0;
        for (int i = 0; i < count; i++) {
            double score = wx * in->c[i].x + wy * in->c[i].y;
            if (score > best + 1e-9) {
                best = score;
                chosen[k] = i;
            }
        }
        least = fmin(least, in->c[chosen[k]].gap);
    }
    if (in->c[deepest].gap < least - DEEPEST * (width + depth)) {
        int nearest = 0;
        double distance = INFINITY;
        for (int k = 0; k < 4; k++) {
            double dx = in->c[chosen[k]].x - in->c[deepest].x, dy = in->c[chosen[k]].y - in->c[deepest].y;
            if (dx * dx + dy * dy < distance) {
                distance = dx * dx + dy * dy;
                nearest = k;
            }
        }
        chosen[nearest] = deepest;
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
        emitPoint(pair, poseA, in, chosen[k], manifold);
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

static void swapManifold(ctManifold *m)
{
    m->normal = ctNeg(m->normal);
    for (int i = 0; i < m->count; i++) {
        ctVec3 p = m->points[i].pointA;
        m->points[i].pointA = m->points[i].pointB;
        m->points[i].pointB = p;
    }
}

static void collidePlane(const ctShape *shape, const ctPose *pose, const ctShape *plane, const ctPose *planePose,
                         double margin, ctManifold *manifold)
{
    ctVec3 normal = ctMulMV(planePose->r, plane->u.plane.normal), up = ctMulTMV(pose->r, normal);
    double offset = plane->u.plane.offset - ctDot(normal, ctSub(pose->p, planePose->p));
    ctPair pair = {shape, plane, ctMat3Identity(), ctZero3(), shape->size, false};
    ctCandidates out;
    ctPatch patch;
    out.count = 0;
    out.n = up;
    out.x = steadyDirection(normal, pose);
    ctPatchOf(shape, ctNeg(up), &patch);
    ctPatch_OverPlane(&patch, up, offset, shape->round, &out);
    ctChoosePoints(&pair, pose, margin, &out, manifold);
    manifold->normal = normal;
}

static bool isPointLike(const ctShape *s)
{
    return s->type == ct_shapeSphere || s->type == ct_shapeEllipsoid;
}

static void collideConvex(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
                          ctGjkCache *cache, const ctClosest *closest, ctManifold *manifold)
{
    ctClosest own;
    if (!closest) {
        ctClosestPoints(a, poseA, b, poseB, cache, &own);
        closest = &own;
    }
    manifold->count = 0;
    manifold->normal = closest->normal;
    if (closest->distance > margin) {
        return;
    }
    if (isPointLike(a) || isPointLike(b)) {
        single(closest, manifold);
        return;
    }
    ctPair pair = ctPairOf(a, poseA, b, poseB);
    ctCandidates out;
    ctPatch pa, pb;
    out.count = 0;
    out.n = ctMulTMV(poseA->r, closest->normal);
    out.x = steadyDirection(closest->normal, poseA);
    ctPatchOf(a, ctNeg(out.n), &pa);
    ctPatchOf(b, ctMulTMV(pair.r, out.n), &pb);
    ctPatch_Move(&pb, &pair.r, pair.t);
    ctPatch_Overlay(&pa, &pb, a->round + b->round, &out);
    double least = INFINITY;
    for (int i = 0; i < out.count; i++) {
        least = fmin(least, out.c[i].gap);
    }
    if (least > closest->distance + 1e-6 * fmin(a->size, b->size)) {
        // The patches miss each other, or the closest points are not among them.
        single(closest, manifold);
        return;
    }
    ctChoosePoints(&pair, poseA, margin, &out, manifold);
    manifold->normal = closest->normal;
}

static void collideBoxes(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
                         ctGjkCache *cache, const ctClosest *closest, ctManifold *manifold)
{
    ctPair pair = ctPairOf(a, poseA, b, poseB);
    ctCandidates out;
    manifold->count = 0;
    manifold->normal = ctV3(0.0, 0.0, 1.0);
    if (!ctCollideBoxes(&pair, margin, &out)) {
        return;
    }
    ctChoosePoints(&pair, poseA, margin, &out, manifold);
    if (manifold->count > 0) {
        return;
    }
    // Apart, edge beside edge or corner beside corner: no face lies over the other box.
    ctClosest own;
    if (!closest) {
        ctClosestPoints(a, poseA, b, poseB, cache, &own);
        closest = &own;
    }
    if (closest->distance <= margin) {
        single(closest, manifold);
    }
}

void ctCollide(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, double margin,
               ctGjkCache *cache, const ctClosest *closest, ctManifold *manifold)
{
    if (b->type == ct_shapePlane) {
        collidePlane(a, poseA, b, poseB, margin, manifold);
    } else if (a->type == ct_shapePlane) {
        collidePlane(b, poseB, a, poseA, margin, manifold);
        swapManifold(manifold);
    } else if (a->type == ct_shapeBox && b->type == ct_shapeBox) {
        collideBoxes(a, poseA, b, poseB, margin, cache, closest, manifold);
    } else {
        collideConvex(a, poseA, b, poseB, margin, cache, closest, manifold);
    }
}
