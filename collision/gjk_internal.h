// The interface between the files of the closest-point query: the pair in one frame, and the simplex.
//
// All computations are in A's frame, so that a pair 10 km from the origin loses no digits. The set searched is the
// difference of the cores, W = {a - b}; its point v nearest to the origin points from B to A.
#ifndef CT_GJK_INTERNAL_H
#define CT_GJK_INTERNAL_H

#include "collision/gjk.h"
#include "collision/support.h"

// Cores nearer than this fraction of the scale count as intersecting: the direction would be noise.
#define CT_CORE_CONTACT 1e-14

// A triangle of W whose angle has a smaller sine is a sliver: its normal is not taken.
#define CT_THIN 1e-3

typedef struct ctShapePair {
    const ctShape *a, *b;
    ctMat3 r;     // B's frame to A's
    ctVec3 t;     // B's origin in A's frame
    double scale; // the magnitude of the coordinates, m: rounding errors are 1e-16 of it
    bool smooth;  // a core has circles or is an ellipsoid
    const ctPose *poseA, *poseB;
} ctShapePair;

// A point of W with the points and pieces it came from.
typedef struct ctSimplexPoint {
    ctVec3 w, a, b; // w = a - b, all in A's frame
    int ca, cb;     // codes of the pieces
    double weight;  // of this point in v; they add to one
} ctSimplexPoint;

typedef struct ctSimplex {
    int count;
    ctSimplexPoint p[4];
    ctVec3 v; // the point of the simplex nearest to the origin
} ctSimplex;

// An answer for the cores in A's frame: n from B to A, a - b = distance n.
typedef struct ctCoreAnswer {
    ctVec3 n, a, b;
    double distance;
    ctFeature featureA, featureB;
} ctCoreAnswer;

static inline ctShapePair ctPairOf(const ctShape *a, const ctPose *poseA, const ctShape *b, const ctPose *poseB)
{
    ctShapePair pair;
    pair.a = a;
    pair.b = b;
    pair.r = ctMat3Columns(ctMulTMV(poseA->r, poseB->r.cx), ctMulTMV(poseA->r, poseB->r.cy),
                           ctMulTMV(poseA->r, poseB->r.cz));
    pair.t = ctMulTMV(poseA->r, ctSub(poseB->p, poseA->p));
    pair.scale = a->size + b->size + ctMaxElement(ctAbs(pair.t));
    pair.smooth = ctCoreIsSmooth(a) || ctCoreIsSmooth(b);
    pair.poseA = poseA;
    pair.poseB = poseB;
    return pair;
}

// The point of W least along d: a is farthest along -d, b along d. p's codes are hints and results.
static inline void ctPairSupport(const ctShapePair *pair, ctVec3 d, ctSimplexPoint *p)
{
    p->a = ctCoreSupport(pair->a, ctNeg(d), &p->ca);
    p->b = ctAdd(pair->t, ctMulMV(pair->r, ctCoreSupport(pair->b, ctMulTMV(pair->r, d), &p->cb)));
    p->w = ctSub(p->a, p->b);
}

// The same for given pieces.
static inline void ctPairPiece(const ctShapePair *pair, ctVec3 d, ctSimplexPoint *p)
{
    p->a = ctCorePiece(pair->a, p->ca, ctNeg(d));
    p->b = ctAdd(pair->t, ctMulMV(pair->r, ctCorePiece(pair->b, p->cb, ctMulTMV(pair->r, d))));
    p->w = ctSub(p->a, p->b);
}

// Cores nearer than this fraction of the scale have the vector between them found to more digits.
#define CT_NEARLY_TOUCHING 1e-4

// The point of a simplex of at most three points nearest to the origin, in A's frame: right to the last bits, however
// near. n: the direction that the points of circles belong to.
ctVec3 ctExactVector(const ctShapePair *pair, const ctSimplex *s, ctVec3 n);

// The answer for two polyhedra when it lies on the three pairs of vertices that carried the last one. False
// otherwise: that says nothing. Features are left alone. overlapping is set when the cores intersect.
bool ctResume(const ctShapePair *pair, const ctGjkCache *cache, ctCoreAnswer *answer, bool *overlapping);

// The nearest point of a simplex to the origin: reduces it to the points with weight, and sets weights and v. False
// when a tetrahedron contains the origin (it does not change).
bool ctSimplex_Reduce(ctSimplex *s);

// Newton's method on the separating direction, where GJK alone closes in slowly: s is a simplex near
// the answer and *n a direction near its normal. True when it has converged and a support point proves
// that the bound is met: s and *n are then the answer, and otherwise as before.
bool ctRefine(const ctShapePair *pair, ctSimplex *s, ctVec3 *n);

// Pairs with a closed form: spheres and capsules among themselves, a box or a lathe (A) and a sphere (B).
// False when the pair has none. The answer is in A's frame; overlapping is set when the cores intersect.
bool ctClosedForm(const ctShapePair *pair, ctCoreAnswer *answer, bool *overlapping);

// A vertex or tip against a lathe, for a simplex that rests on one: near the axis of a cap, where a circle's curvature
// is no help to Newton's method. False when a support point does not prove it to be the answer.
bool ctPointAndLathe(const ctShapePair *pair, const ctSimplex *s, ctCoreAnswer *answer);

// A cap of a lathe or a face of a box, A's or B's, when the nearest point of the other core lies over it and
// the distance is more than least. False otherwise: that says nothing. With a negative least also for cores
// that overlap: the depth is then a local minimum.
bool ctEitherFacePoint(const ctShapePair *pair, double least, ctCoreAnswer *answer);

// Overlaps deeper than this part of the thinner body's least extent may have several ways out, and the shortest is
// looked for; shallow ones go on from the last answer.
#define CT_SHALLOW 0.2

static inline double ctShallowDepth(const ctShapePair *pair)
{
    ctVec3 a = ctSub(pair->a->hi, pair->a->lo), b = ctSub(pair->b->hi, pair->b->lo);
    return CT_SHALLOW * ctFmin(ctMinElement(a), ctMinElement(b));
}

// Cores that intersect by a depth: points along n from a point in the middle of the overlap.
static inline void ctAnswerAlong(ctVec3 n, double depth, ctVec3 mid, ctCoreAnswer *answer)
{
    answer->n = n;
    answer->distance = -depth;
    answer->a = ctMulAdd(mid, -0.5 * depth, n);
    answer->b = ctMulAdd(mid, 0.5 * depth, n);
}

// Depth and direction for cores that intersect: distance is minus the depth. s is GJK's last simplex, and
// afterwards the pieces that carry the answer (none when they are not known). cache may be NULL. False when no more is
// known than a direction in which moving by the depth parts the cores; the points are then anywhere along it.
bool ctOverlap(const ctShapePair *pair, const ctGjkCache *cache, ctSimplex *s, ctCoreAnswer *answer);

#endif
