// Two polyhedra that have moved a little since the last query: most often the same features are nearest.
//
// The last answer was a triangle of W = {a - b} with corners w_i, each a vertex of A less one of B: a vertex over
// a face, or two edges that cross. With the edges e, f from w_0 and x = e cross f, the foot of the origin on the
// triangle's plane is at the height h = n.w_0 along n = +-x / |x|, and has the weights
//     l_1 = x.(f cross w_0) / x.x,      l_2 = x.(w_0 cross e) / x.x,      l_0 = 1 - l_1 - l_2.
// It is the point of the triangle nearest to the origin when all weights are positive, and of W when no support
// point along n lies lower: two climbs of no step each, and no search. The normal comes from the features and
// not from the vector between the points: it is as good at a gap of nothing as at any other. For cores that overlap
// h is negative, and minus the depth: a local minimum, which is taken while it is shallow.
#include "collision/gjk_internal.h"

// Lower by less than this fraction of the scale is as low: a corner of a face that lies on the plane.
#define AS_LOW 1e-15

static inline ctVec3 vertexOf(const ctShape *shape, int code)
{
    return shape->type == ct_shapeBox    ? ctBoxCorner(shape->u.half, code)
           : shape->type == ct_shapeHull ? shape->u.hull.vertices[code]
                                         : ctCorePiece(shape, code, ctZero3());
}

// Whether no point of W is lower along n than the triangle at height h: c holds its corners.
static bool isLowest(const ctShapePair *pair, const ctGjkCache *c, ctVec3 n, double h)
{
    ctVec3 d = ctMulTMV(pair->r, n);
    int ca = ctCoreCode(pair->a, ctNeg(n), c->a[0]), cb = ctCoreCode(pair->b, d, c->b[0]);
    for (int i = 0; i < 3; i++) {
        if (ca == c->a[i] && cb == c->b[i]) {
            return true;
        }
    }
    double low = ctDot(n, vertexOf(pair->a, ca)) - ctDot(n, pair->t) - ctDot(d, vertexOf(pair->b, cb));
    return h - low <= AS_LOW * pair->scale;
}

bool ctResume(const ctShapePair *pair, const ctGjkCache *cache, ctCoreAnswer *answer, bool *overlapping)
{
    ctVec3 w[3], b[3];
    for (int i = 0; i < 3; i++) {
        b[i] = ctAdd(pair->t, ctMulMV(pair->r, vertexOf(pair->b, cache->b[i])));
        w[i] = ctSub(vertexOf(pair->a, cache->a[i]), b[i]);
    }
    ctVec3 e = ctSub(w[1], w[0]), f = ctSub(w[2], w[0]), x = ctCross(e, f);
    double xx = ctDot(x, x);
    double l1 = ctDot(x, ctCross(f, w[0])), l2 = ctDot(x, ctCross(w[0], e));
    if (!(xx > CT_THIN * CT_THIN * ctDot(e, e) * ctDot(f, f)) || !(l1 > 0.0 && l2 > 0.0 && l1 + l2 < xx)) {
        return false;
    }
    // On the same side as last time.
    double s = copysign(1.0 / sqrt(xx), ctDot(x, cache->axis)), share = 1.0 / xx;
    ctVec3 n = ctScale(s, x);
    answer->distance = ctDot(n, w[0]);
    *overlapping = !(answer->distance > CT_CORE_CONTACT * pair->scale);
    if ((*overlapping && -answer->distance > ctShallowDepth(pair)) || !isLowest(pair, cache, n, answer->distance)) {
        return false;
    }
    answer->n = n;
    answer->b = ctMulAdd(ctMulAdd(b[0], share * l1, ctSub(b[1], b[0])), share * l2, ctSub(b[2], b[0]));
    answer->a = ctMulAdd(answer->b, answer->distance, n);
    return true;
}
