// Closest points by the algorithm of Gilbert, Johnson and Keerthi (1988) on cores.
//
// W = {a - b} is the difference of the cores and v its point nearest to the origin, approached from simplices of
// support points. Along any unit n the support point w gives a lower bound n.w of the distance, while |v| of a simplex
// is an upper bound: the loop ends when the two meet. Polyhedra end after finitely many steps, when a support point is
// in the simplex already. Circles and ellipsoids do not, and are finished by Newton's method (gjk_smooth.c) from a
// simplex that is near enough.
#include "collision/gjk_internal.h"

// [cap] Steps before the best answer so far is taken. Polyhedra need about ten from a cold start.
#define MAX_STEPS 64
// [cap] Steps without gain before the answer is taken, while the bounds have not met.
#define MAX_STALLS 8
// The bounds meet: |v| - n.w, in units of rounding errors of the coordinates.
#define GAP_TOLERANCE 1e-15
// A proof with a larger gap than this fraction of the scale is examined again.
#define SHARP_GAP 4e-15
// Newton's method is tried at gaps as for cores that are this fraction of the scale apart, at least.
#define NEWTON_NEAR 1e-4
// Cores that intersect are looked at this far apart, as a fraction of the scale, until the depth stays the same.
#define CLEAR 1e-4
#define LOOKS_APART 16
#define SAME_DEPTH 1e-12

typedef enum Outcome { outcomeApart, outcomeRefined, outcomeOverlap } Outcome;

// The point of the simplex made of the same pieces as p, or -1.
static int find(const ctSimplex *s, const ctSimplexPoint *p)
{
    for (int i = 0; i < s->count; i++) {
        if (s->p[i].ca == p->ca && s->p[i].cb == p->cb) {
            return i;
        }
    }
    return -1;
}

// The support point of W against v. For polyhedra its codes are found first: most often they are in the simplex
// already, with the point. Returns true then.
static bool nextPoint(const ctShapePair *pair, const ctSimplex *s, ctSimplexPoint *p)
{
    int last = s->count > 0 ? s->count - 1 : 0; // no point is left where coordinates are not numbers
    p->ca = s->p[last].ca;
    p->cb = s->p[last].cb;
    if (pair->smooth) {
        ctPairSupport(pair, s->v, p);
        return false;
    }
    p->ca = ctCoreCode(pair->a, ctNeg(s->v), p->ca);
    p->cb = ctCoreCode(pair->b, ctMulTMV(pair->r, s->v), p->cb);
    int known = find(s, p);
    if (known >= 0) {
        p->w = s->p[known].w;
        return true;
    }
    ctPairPiece(pair, s->v, p);
    return false;
}

// Starts from the pieces of the last answer, or from a direction alone. Returns v.
static void start(const ctShapePair *pair, const ctGjkCache *cache, ctSimplex *s)
{
    s->count = 0;
    s->v = ctNeg(pair->t);
    if (cache && cache->count > 0) {
        s->count = cache->count;
        for (int i = 0; i < s->count; i++) {
            s->p[i].ca = cache->a[i];
            s->p[i].cb = cache->b[i];
            ctPairPiece(pair, cache->axis, &s->p[i]);
        }
        if (ctSimplex_Reduce(s)) {
            return;
        }
        s->count = 0;
    }
    if (cache && ctLengthSquared(cache->axis) > 0.0) {
        s->v = cache->axis;
    } else if (!(ctMaxElement(ctAbs(s->v)) > 0.0)) {
        s->v = ctV3(1.0, 0.0, 0.0);
    }
    s->p[0].ca = s->p[0].cb = 0;
    ctPairSupport(pair, s->v, &s->p[0]);
    s->count = 1;
    ctSimplex_Reduce(s);
}

// *left: the difference of the bounds at the end.
static Outcome descend(const ctShapePair *pair, ctSimplex *s, ctVec3 *n, int *steps, double *left)
{
    double tolerance = GAP_TOLERANCE * pair->scale, contact = CT_CORE_CONTACT * pair->scale;
    double milestone = 0.05; // relative gap at which Newton's method is tried next
    double squared = ctDot(s->v, s->v);
    int stalls = 0;
    for (int k = 1; k <= MAX_STEPS; k++) {
        *steps = k;
        if (squared <= contact * contact) {
            return outcomeOverlap;
        }
        ctSimplexPoint p;
        bool known = nextPoint(pair, s, &p);
        double length = sqrt(squared), gap = length - ctDot(s->v, p.w) / length;
        *left = gap;
        if (pair->smooth && gap <= milestone * ctFmax(length, NEWTON_NEAR * pair->scale)) {
            *n = ctScale(1.0 / length, s->v);
            if (ctRefine(pair, s, n)) {
                return outcomeRefined;
            }
            milestone *= 0.02;
        }
        if (known || gap <= (pair->smooth ? tolerance : 0.0)) {
            return outcomeApart;
        }
        ctSimplex last = *s;
        s->p[s->count++] = p;
        if (!ctSimplex_Reduce(s)) {
            return outcomeOverlap;
        }
        double now = ctDot(s->v, s->v);
        if (!(now < squared)) {
            // Between nearly parallel faces a step may turn the simplex and gain nothing that can be seen;
            // the next one does.
            double noise = GAP_TOLERANCE * pair->scale * length;
            if (gap <= SHARP_GAP * pair->scale || now > squared * (1.0 + 1e-12) + noise || ++stalls > MAX_STALLS) {
                *s = last;
                return outcomeApart;
            }
        }
        squared = now;
    }
    return outcomeApart;
}

// The normal of the flat or straight part of a core that best faces d (unit), in the core's frame. hint: the code of a
// piece near it.
static bool facing(const ctShape *shape, ctVec3 d, int hint, ctVec3 *normal)
{
    if (shape->type == ct_shapeBox) {
        ctVec3 m = ctAbs(d);
        int k = m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2);
        *normal = ctV3(k == 0 ? copysign(1.0, d.x) : 0.0, k == 1 ? copysign(1.0, d.y) : 0.0,
                       k == 2 ? copysign(1.0, d.z) : 0.0);
        return true;
    }
    if (shape->type == ct_shapeHull) {
        *normal = shape->u.hull.faceNormals[ctHullFace(&shape->u.hull, d, &hint)];
        return true;
    }
    *normal = ctV3(0.0, 0.0, copysign(1.0, d.z));
    return shape->type == ct_shapeLathe;
}

typedef struct Proof {
    ctVec3 n;
    double lower, upper; // on the distance
} Proof;

static void tryNormal(const ctShapePair *pair, const ctSimplex *s, ctVec3 n, Proof *proof)
{
    ctSimplexPoint p = s->p[0];
    ctPairSupport(pair, n, &p);
    double lower = ctDot(n, p.w);
    if (lower > proof->lower && lower <= proof->upper + SHARP_GAP * pair->scale) {
        proof->lower = lower;
        proof->n = n;
    }
}

// Where faces or edges are parallel to rounding, the simplex may be degenerate, with a direction of its own. The
// normals of the faces, and the common perpendiculars of the edges of the simplex, then prove more: the one with the
// best lower bound of the distance is taken.
static void sharpen(const ctShapePair *pair, const ctSimplex *s, double gap, ctVec3 *n)
{
    Proof proof = {*n, ctLength(s->v) - gap, ctLength(s->v)};
    ctVec3 normal;
    if (facing(pair->a, ctNeg(*n), s->p[0].ca, &normal)) {
        tryNormal(pair, s, ctNeg(normal), &proof);
    }
    if (facing(pair->b, ctMulTMV(pair->r, *n), s->p[0].cb, &normal)) {
        tryNormal(pair, s, ctMulMV(pair->r, normal), &proof);
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            ctVec3 ea = ctSub(s->p[i % s->count].a, s->p[(i + 1) % s->count].a);
            ctVec3 eb = ctSub(s->p[j % s->count].b, s->p[(j + 1) % s->count].b);
            ctVec3 x = ctNormalize(ctCross(ea, eb));
            if (ctLengthSquared(x) > 0.0) {
                tryNormal(pair, s, ctDot(x, *n) > 0.0 ? x : ctNeg(x), &proof);
            }
        }
    }
    *n = proof.n;
}

static int distinct(const int *codes, int count)
{
    int n = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int j = 0; j < i; j++) {
            seen = seen || codes[j] == codes[i];
        }
        n += seen ? 0 : 1;
    }
    return n;
}

// A normal within the first angle (rad) of an axis belongs to a flat face, and within the second equals the face's
// normal up to rounding.
#define FACE_ANGLE 1e-9
#define SNAP_ANGLE 1e-12

// A normal along an axis belongs to a face of a box, one across an axis to an edge. n is outward.
static inline ctFeature boxFeature(ctVec3 *n)
{
    ctVec3 m = ctAbs(*n);
    bool x = m.x < FACE_ANGLE, y = m.y < FACE_ANGLE, z = m.z < FACE_ANGLE;
    int across = x + y + z;
    if (across < 2) {
        return across == 1 ? ct_featureEdge : ct_featureVertex;
    }
    if ((x ? m.x : 0.0) + (y ? m.y : 0.0) + (z ? m.z : 0.0) < SNAP_ANGLE) {
        *n = ctV3(x ? 0.0 : copysign(1.0, n->x), y ? 0.0 : copysign(1.0, n->y), z ? 0.0 : copysign(1.0, n->z));
    }
    return ct_featureFace;
}

static ctFeature latheFeature(const ctLathe *lathe, const int *codes, int count, ctVec3 *n)
{
    if (fabs(n->x) + fabs(n->y) < SNAP_ANGLE) {
        *n = ctV3(0.0, 0.0, copysign(1.0, n->z));
        return lathe->r[codes[0]] > 0.0 ? ct_featureFace : ct_featureVertex;
    }
    return distinct(codes, count) == 1 && !(lathe->r[codes[0]] > 0.0) ? ct_featureVertex : ct_featureSmooth;
}

// n is outward from the shape, in its frame; that of a flat face is made exact.
static inline ctFeature featureOf(const ctShape *shape, const int *codes, int count, ctVec3 *n)
{
    switch (shape->type) {
    case ct_shapeBox:
        return boxFeature(n);
    case ct_shapeLathe:
        return latheFeature(&shape->u.lathe, codes, count, n);
    case ct_shapeSphere:
    case ct_shapeEllipsoid:
        return ct_featureSmooth;
    default: {
        int pieces = distinct(codes, count);
        return pieces == 1 ? ct_featureVertex : pieces == 2 ? ct_featureEdge : ct_featureFace;
    }
    }
}

// Names the features, and takes a flat face's own normal. ca, cb: the codes of the pieces that carry the answer.
static inline void nameFeatures(const ctShapePair *pair, const int *ca, const int *cb, int count, ctCoreAnswer *answer)
{
    ctVec3 a = ctNeg(answer->n), b = ctMulTMV(pair->r, answer->n);
    answer->featureA = featureOf(pair->a, ca, count, &a);
    answer->featureB = featureOf(pair->b, cb, count, &b);
    if (answer->featureA == ct_featureFace) {
        answer->n = ctNeg(a);
    } else if (answer->featureB == ct_featureFace) {
        answer->n = ctMulMV(pair->r, b);
    } else {
        return;
    }
    answer->distance = ctDot(answer->n, ctSub(answer->a, answer->b));
}

// The normal of cores that nearly touch, where that of v is off by rounding errors over its length. That of a triangle
// of W (a vertex over a face, two edges that cross) comes from the features.
static void improveNormal(const ctShapePair *pair, const ctSimplex *s, ctVec3 *n)
{
    if (s->count == 3) {
        ctVec3 e = ctSub(s->p[1].w, s->p[0].w), f = ctSub(s->p[2].w, s->p[0].w), x = ctCross(e, f);
        double xx = ctDot(x, x);
        if (xx > CT_THIN * CT_THIN * ctDot(e, e) * ctDot(f, f)) {
            *n = ctScale(copysign(1.0 / sqrt(xx), ctDot(x, *n)), x);
            return;
        }
    }
    *n = ctNormalize(ctExactVector(pair, s, *n));
}

static void answerFromSimplex(const ctShapePair *pair, const ctSimplex *s, ctVec3 n, ctCoreAnswer *answer)
{
    int ca[4], cb[4];
    answer->a = answer->b = ctZero3();
    for (int i = 0; i < s->count; i++) {
        answer->a = ctMulAdd(answer->a, s->p[i].weight, s->p[i].a);
        answer->b = ctMulAdd(answer->b, s->p[i].weight, s->p[i].b);
        ca[i] = s->p[i].ca;
        cb[i] = s->p[i].cb;
    }
    answer->n = n;
    answer->distance = ctDot(n, ctSub(answer->a, answer->b));
    nameFeatures(pair, ca, cb, s->count, answer);
}

static void remember(ctGjkCache *cache, const ctSimplex *s, ctVec3 axis)
{
    cache->count = s->count < 4 ? s->count : 0;
    for (int i = 0; i < cache->count; i++) {
        cache->a[i] = s->p[i].ca;
        cache->b[i] = s->p[i].cb;
    }
    cache->axis = axis;
}

// From core to surface, and from A's frame to the world.
static void toWorld(const ctCoreAnswer *answer, const ctShapePair *pair, const ctPose *poseA, bool overlapping,
                    ctClosest *result)
{
    double round = pair->a->round + pair->b->round;
    result->distance = answer->distance - round;
    result->state = overlapping ? ct_overlapping : result->distance > 0.0 ? ct_apart : ct_touching;
    result->normal = ctMulMV(poseA->r, answer->n);
    result->pointB = ctPosePoint(poseA, ctMulAdd(answer->b, pair->b->round, answer->n));
    result->pointA = ctMulAdd(result->pointB, result->distance, result->normal);
    result->featureA = answer->featureA;
    result->featureB = answer->featureB;
}

// Round bodies mostly lie on flat faces: that case is exact and immediate.
static bool isRound(const ctShapePair *pair)
{
    return pair->smooth || pair->a->type == ct_shapeCapsule || pair->b->type == ct_shapeCapsule;
}

// For intersecting cores with a known separating direction: B moves that way until they are apart. The closest points
// there give the points of contact and a better direction, with a smaller depth, until it is a local minimum.
static void lookApart(const ctShapePair *pair, ctSimplex *s, ctCoreAnswer *answer, int *iterations)
{
    for (int i = 0; i < LOOKS_APART; i++) {
        ctVec3 n = ctZero3(), way = ctScale(CLEAR * pair->scale - answer->distance, answer->n);
        ctShapePair apart = *pair;
        double gap = 0.0;
        apart.t = ctSub(pair->t, way);
        start(&apart, NULL, s);
        Outcome outcome = descend(&apart, s, &n, iterations, &gap);
        if (outcome == outcomeOverlap) {
            break;
        }
        ctCoreAnswer there;
        answerFromSimplex(&apart, s, outcome == outcomeApart ? ctNormalize(s->v) : n, &there);
        double depth = ctDot(there.n, way) - there.distance, change = -answer->distance - depth;
        ctVec3 mid = ctScale(0.5, ctAdd(there.a, ctAdd(there.b, way)));
        *answer = there;
        ctAnswerAlong(there.n, depth, mid, answer);
        if (change <= SAME_DEPTH * depth) {
            break;
        }
    }
    s->count = 0;
}

static void convexPair(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB, ctGjkCache *cache,
                       ctClosest *result)
{
    ctShapePair pair = ctPairOf(a, poseA, b, poseB);
    ctCoreAnswer answer;
    bool overlapping = false;
    result->iterations = 0;
    if (b->type <= ct_shapeCapsule && ctClosedForm(&pair, &answer, &overlapping)) {
        toWorld(&answer, &pair, poseA, overlapping, result);
        return;
    }
    if (isRound(&pair) && ctEitherFacePoint(&pair, CT_CORE_CONTACT * pair.scale, &answer)) {
        if (cache) {
            cache->count = 0;
            cache->axis = answer.n;
        }
        toWorld(&answer, &pair, poseA, overlapping, result);
        return;
    }
    if (!pair.smooth && cache && cache->count == 3 && ctResume(&pair, cache, &answer, &overlapping)) {
        result->iterations = 1;
        nameFeatures(&pair, cache->a, cache->b, 3, &answer);
        cache->axis = answer.n;
        toWorld(&answer, &pair, poseA, overlapping, result);
        return;
    }
    overlapping = false;
    ctSimplex s;
    ctVec3 n = ctZero3();
    start(&pair, cache, &s);
    double gap = 0.0;
    Outcome outcome = descend(&pair, &s, &n, &result->iterations, &gap);
    if (outcome == outcomeOverlap) {
        overlapping = true;
        if (!ctOverlap(&pair, cache, &s, &answer)) {
            lookApart(&pair, &s, &answer, &result->iterations);
        }
    } else {
        if (outcome == outcomeApart) {
            n = ctNormalize(s.v);
            // A direction taken from v is off by rounding errors over |v|, and the bound by that times the size.
            double length = ctLength(s.v), noise = SHARP_GAP * pair.scale * ctFmax(1.0, pair.scale / length);
            if (!pair.smooth && length < CT_NEARLY_TOUCHING * pair.scale) {
                ctSimplexPoint p = s.p[0];
                improveNormal(&pair, &s, &n);
                ctPairSupport(&pair, n, &p);
                gap = ctDot(n, ctSub(s.v, p.w));
                noise = SHARP_GAP * pair.scale;
            }
            if (gap > noise) {
                sharpen(&pair, &s, gap, &n);
            }
        }
        ctCoreAnswer exact;
        answerFromSimplex(&pair, &s, n, &answer);
        if (outcome == outcomeApart && pair.smooth && ctPointAndLathe(&pair, &s, &exact)) {
            exact.featureA = answer.featureA;
            exact.featureB = answer.featureB;
            answer = exact;
        }
    }
    if (cache) {
        remember(cache, &s, answer.n);
    }
    toWorld(&answer, &pair, poseA, overlapping, result);
}

// A convex shape against a half-space: one support point is the answer. sign is 1 when the plane is B.
static void planePair(const ctShape *plane, const ctPose *planePose, const ctShape *shape, const ctPose *pose,
                      bool planeIsB, ctClosest *result)
{
    ctVec3 up = ctMulMV(planePose->r, plane->u.plane.normal), d = ctNeg(ctMulTMV(pose->r, up));
    int code = 0;
    ctVec3 p = ctMulMV(pose->r, ctCoreSupport(shape, d, &code));
    // Heights relative to the plane's own origin: a plane is usually posed at the world's.
    double height = ctDot(up, ctSub(pose->p, planePose->p)) + ctDot(up, p) - plane->u.plane.offset - shape->round;
    ctVec3 onShape = ctMulAdd(ctAdd(pose->p, p), -shape->round, up);
    ctVec3 onPlane = ctMulAdd(onShape, -height, up);
    result->distance = height;
    result->state = height > 0.0 ? ct_apart : height + shape->round > 0.0 ? ct_touching : ct_overlapping;
    result->normal = planeIsB ? up : ctNeg(up);
    result->pointA = planeIsB ? onShape : onPlane;
    result->pointB = planeIsB ? onPlane : onShape;
    ctFeature feature = featureOf(shape, &code, 1, &d);
    result->featureA = planeIsB ? feature : ct_featureFace;
    result->featureB = planeIsB ? ct_featureFace : feature;
    result->iterations = 1;
}

void ctClosestPoints(const ctShape *givenA, const ctPose *poseA, const ctShape *givenB, const ctPose *poseB,
                     ctGjkCache *cache, ctClosest *result)
{
    const ctShape *a = ctShape_Against(givenA, givenB), *b = ctShape_Against(givenB, givenA);
    if (b->type == ct_shapePlane) {
        planePair(b, poseB, a, poseA, true, result);
    } else if (a->type == ct_shapePlane) {
        planePair(a, poseA, b, poseB, false, result);
    } else if (a->type == ct_shapeSphere && (b->type == ct_shapeBox || b->type == ct_shapeLathe)) {
        // In the frame of the flat faces, which makes their normals exact.
        ctClosest r;
        convexPair(b, poseB, a, poseA, NULL, &r);
        ctClosest swapped = {r.state, r.distance, ctNeg(r.normal), r.pointB, r.pointA, r.featureB, r.featureA, 0};
        *result = swapped;
    } else {
        convexPair(a, poseA, b, poseB, cache, result);
    }
}
