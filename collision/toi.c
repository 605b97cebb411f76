// Lower bounds on the time of impact (Mirtich & Canny 1995, section 3.1; the bound itself is our own).
//
// Let n be a fixed unit vector, from B to A. While
//     S(t) = min over A of n.a(t)  -  max over B of n.b(t)
// is positive, a plane separates the two. With x the centres of mass and r the points about them,
//     S(t) = n.(xA - xB)(t) + min n.rA(t) + min (-n).rB(t).
// The first term is a parabola. For the others: a body that turns by the constant w has
//     min over r of n.(exp(w t) r) = low(m),  m = exp(-w t) n,  low(m) = min over r(0) of m.r,
// which the support function of the shape gives exactly, for any t, without moving the body. What the true
// rotation adds (|dw/dt| <= alpha) turns no point by more than alpha t^2 / 2, so S loses at most
// alpha rho t^2 / 2, rho the distance of the farthest point.
//
// From a time t0 with S(t0) > 0 a step tau is safe as follows. The velocity of the point r along n changes
// by no more than w^2 rho per second, so n.r(t0 + tau) >= (m + tau m x w).r - w^2 rho tau^2 / 2, and
//     S(t0 + tau) >= M(tau) = s + p tau + q tau^2 / 2 + F(tau),
//     F(tau) = low(mA + tau mA x wA) + low(mB + tau mB x wB) - (the same at tau = 0).
// F is a minimum of linear functions, one for each point of A and B (the per-feature bound), hence concave.
// Newton's method on M descends on its root from above, point by point; the chord of F from 0 to where it
// stands gives a quadratic below M, whose root is the step. A few such steps with n fixed cost less than one
// distance query.
//
// A solid of revolution in the flight of an axisymmetric body turns by the constant precession alone
// (alpha = 0). In the local model any spin about its own axis is free: with w = along + across the axis, the
// points may move with `across` only, whose direction changes at the rate |along|.
//
// Besides: the balls of radius rho cannot meet before their own time; and the distance itself shrinks by
// no more than the sum of all speeds. The answer is the largest of these times.
#include "collision/toi.h"

#include "collision/support.h"

// Steps with one n, and Newton iterations in each.
#define MAX_STEPS 6
#define MAX_NEWTON 4
#define MAX_NEWTON_TOUCHING 16
// A step is done when S has fallen to this part of its first value: a new n is worth more then.
#define ENOUGH 0.02
// s: nothing is followed for longer than this.
#define MAX_HORIZON 1e6
// A centre of mass within this part of the size from a sphere's centre is at it.
#define CENTRED 1e-15

// One of the two shapes, as it stands at the start.
typedef struct Side {
    const ctShape *shape;
    ctMat3 r;        // leaf frame to world
    ctVec3 arm;      // the leaf's origin from the centre of mass, world frame
    double rho;      // m: no point is farther from the centre of mass
    ctVec3 w, unit;  // the constant turning, and its direction
    double rate;     // |w|
    double alphaRho; // what it leaves out: alpha rho, m/s^2
    ctVec3 drift;    // the turning of the local model
    double bend;     // m/s^2: bound on a point's acceleration in the local model, less alphaRho
    int code;        // where the next support search starts
} Side;

typedef struct Low {
    double value;
    ctVec3 point; // from the centre of mass
} Low;

// The two sides and their relative motion along n.
typedef struct Pair {
    Side a, b;
    bool plane;  // B is a half-space: no points to follow
    ctVec3 n;    // from B to A
    double v, g; // velocity and acceleration along n, A relative to B
    double s0;   // S(0)
} Pair;

static Side sideOf(const ctShape *shape, const ctTransform *leaf, const ctMotion *m)
{
    Side s = {.shape = shape, .code = 0};
    ctMat3 body = ctMat3FromQuat(m->q);
    s.r = ctMulMM(body, ctMat3FromQuat(leaf->q));
    s.arm = ctMulMV(body, ctSub(leaf->p, m->center));
    ctVec3 middle = ctAdd(s.arm, ctMulMV(s.r, shape->unit.center));
    s.rho = ctLength(middle) + shape->boundRadius;
    s.w = s.drift = m->w;
    s.alphaRho = m->alphaMax * s.rho;
    bool revolved = false;
    if (shape->type == ct_shapeLathe || shape->type == ct_shapeCapsule) {
        double off = ctLength(ctCross(s.arm, s.r.cz)), tilt = ctLength(ctCross(m->axis, s.r.cz));
        revolved = off <= 1e-12 * s.rho && tilt <= 1e-12 && ctDot(m->axis, m->axis) > 0.5;
    }
    if (revolved) {
        s.w = s.drift = m->precession;
        s.alphaRho = 0.0;
    }
    s.rate = ctLength(s.w);
    s.unit = s.rate > 0.0 ? ctScale(1.0 / s.rate, s.w) : ctZero3();
    s.bend = s.rate * s.rate * s.rho;
    if (revolved) {
        double along = ctDot(s.w, s.r.cz);
        ctVec3 across = ctMulAdd(s.w, -along, s.r.cz);
        double c = ctLength(across), bend = c * (c + fabs(along)) * s.rho;
        if (bend < s.bend) {
            s.bend = bend;
            s.drift = across;
        }
    }
    return s;
}

// low(m) and the point that attains it.
static Low lowest(Side *s, ctVec3 m)
{
    ctVec3 p = s->arm;
    if (s->shape->type != ct_shapeSphere) {
        ctVec3 core = ctCoreSupport(s->shape, ctNeg(ctMulTMV(s->r, m)), &s->code);
        p = ctAdd(p, ctMulMV(s->r, core));
    }
    p = ctMulAdd(p, -s->shape->round / ctLength(m), m);
    Low low = {ctDot(m, p), p};
    return low;
}

// exp(-w t) n
static ctVec3 turnedBack(const Side *s, ctVec3 n, double t)
{
    double angle = s->rate * t;
    if (angle == 0.0) {
        return n;
    }
    double c = cos(angle), sine = sin(angle);
    double along = ctDot(n, s->unit) * (1.0 - c);
    return ctMulAdd(ctMulAdd(ctScale(c, n), sine, ctCross(n, s->unit)), along, s->unit);
}

// The local model at one time.
typedef struct Local {
    double s, p, q; // M(tau) = s + p tau + q tau^2 / 2 + F(tau)
    ctVec3 mA, mB;  // directions, body fixed
    ctVec3 dA, dB;  // their rates: m x w
    double slope;   // of F along the points lowest now
    double low;     // low(mA) + low(mB)
} Local;

static double lowestBoth(Pair *pair, const Local *l, double tau, double *slope)
{
    Low a = lowest(&pair->a, ctMulAdd(l->mA, tau, l->dA));
    double value = a.value;
    *slope = ctDot(l->dA, a.point);
    if (!pair->plane) {
        Low b = lowest(&pair->b, ctMulAdd(l->mB, tau, l->dB));
        value += b.value;
        *slope += ctDot(l->dB, b.point);
    }
    return value;
}

static Local localAt(Pair *pair, double t)
{
    Local l = {0};
    l.mA = turnedBack(&pair->a, pair->n, t);
    l.dA = ctCross(l.mA, pair->a.drift);
    double bend = pair->a.bend, loose = pair->a.alphaRho;
    if (!pair->plane) {
        l.mB = turnedBack(&pair->b, ctNeg(pair->n), t);
        l.dB = ctCross(l.mB, pair->b.drift);
        bend += pair->b.bend;
        loose += pair->b.alphaRho;
    }
    l.low = lowestBoth(pair, &l, 0.0, &l.slope);
    l.p = pair->v + (pair->g - loose) * t;
    l.q = pair->g - loose - bend;
    return l;
}

// A step from l, at most left, before which M stays positive (or, from s = 0, not negative).
static double safeStep(Pair *pair, const Local *l, double left)
{
    double tau = ctFallTime(l->s, l->p + l->slope, l->q);
    int most = l->s > 0.0 ? MAX_NEWTON : MAX_NEWTON_TOUCHING;
    double safe = 0.0;
    for (int i = 0; i < most; i++) {
        tau = tau < left ? tau : left;
        if (!(tau > 0.0)) {
            return 0.0;
        }
        double slope, f = lowestBoth(pair, l, tau, &slope) - l->low;
        double chord = ctFallTime(l->s, l->p + f / tau, l->q);
        if (chord >= tau) {
            return tau;
        }
        safe = chord;
        if (chord > 0.98 * tau) {
            break;
        }
        // The root of the point that is lowest at tau.
        double next = ctFallTime(l->s + f - slope * tau, l->p + slope, l->q);
        if (!(next < tau)) {
            break;
        }
        tau = next;
    }
    return safe;
}

static double followPlane(Pair *pair, double horizon)
{
    pair->s0 = pair->s0 > 0.0 ? pair->s0 : 0.0; // touching: what is there now is allowed
    double t = 0.0, first = 0.0, loose = pair->a.alphaRho + (pair->plane ? 0.0 : pair->b.alphaRho);
    for (int i = 0; i < MAX_STEPS; i++) {
        Local l = localAt(pair, t);
        if (i == 0) {
            first = l.low;
        }
        l.s = pair->s0 + t * (pair->v + 0.5 * (pair->g - loose) * t) + (l.low - first);
        if (i > 0 && l.s <= ENOUGH * pair->s0) {
            break;
        }
        double step = safeStep(pair, &l, horizon - t);
        t += step;
        if (t >= horizon || step < 0.02 * t) {
            break;
        }
    }
    return t < horizon ? t : horizon;
}

// S2(t) = n.(xA - xB)(t) - rhoA - rhoB cannot vanish before the balls touch, whatever the bodies' rotation: once
// it is positive at t, it holds until its own root.
static double followBalls(const Pair *pair, double between, double t)
{
    double rho = pair->a.rho + (pair->plane ? 0.0 : pair->b.rho);
    double gap = between - rho + t * (pair->v + 0.5 * pair->g * t);
    if (!(gap > 0.0)) {
        return t;
    }
    return t + ctFallTime(gap, pair->v + pair->g * t, pair->g);
}

static double boundAgainstPlane(const ctToiInput *in, bool *exact)
{
    bool swap = in->shapeA->type == ct_shapePlane;
    const ctMotion *mA = swap ? in->motionB : in->motionA, *mB = swap ? in->motionA : in->motionB;
    const ctShape *plane = swap ? in->shapeA : in->shapeB;
    ctTransform leaf = swap ? in->leafA : in->leafB;
    Pair pair = {.plane = true};
    pair.a = swap ? sideOf(in->shapeB, &in->leafB, mA) : sideOf(in->shapeA, &in->leafA, mA);
    ctPose pose = ctMotion_Pose(mB);
    pair.n = ctMulMV(pose.r, ctRotate(leaf.q, plane->u.plane.normal));
    double offset = plane->u.plane.offset + ctDot(pair.n, ctPosePoint(&pose, leaf.p));
    double between = ctDot(pair.n, mA->x) - offset;
    pair.v = ctDot(pair.n, mA->v);
    pair.g = ctDot(pair.n, mA->a);
    if (pair.a.shape->type == ct_shapeSphere && ctLength(pair.a.arm) <= CENTRED * pair.a.rho) {
        *exact = true;
        return ctFallTime(between - pair.a.shape->round, pair.v, pair.g);
    }
    pair.s0 = between + lowest(&pair.a, pair.n).value;
    double t = followPlane(&pair, in->horizon);
    return t < in->horizon ? followBalls(&pair, between, t) : t;
}

// The distance shrinks by no more than the sum of all speeds.
static double boundBySpeed(const ctToiInput *in, const Pair *pair, ctVec3 v, ctVec3 a)
{
    if (!(in->closest->distance > 0.0)) {
        return 0.0;
    }
    double speed = ctLength(v) + pair->a.rho * in->motionA->wMax + pair->b.rho * in->motionB->wMax;
    return ctFallTime(in->closest->distance, -speed, -ctLength(a));
}

static double boundBetween(const ctToiInput *in, bool *exact)
{
    const ctMotion *mA = in->motionA, *mB = in->motionB;
    Pair pair = {.plane = false};
    pair.a = sideOf(in->shapeA, &in->leafA, mA);
    pair.b = sideOf(in->shapeB, &in->leafB, mB);
    ctVec3 x = ctSub(mA->x, mB->x), v = ctSub(mA->v, mB->v), a = ctSub(mA->a, mB->a);
    bool ballA = pair.a.shape->type == ct_shapeSphere && ctLength(pair.a.arm) <= CENTRED * pair.a.rho;
    bool ballB = pair.b.shape->type == ct_shapeSphere && ctLength(pair.b.arm) <= CENTRED * pair.b.rho;
    if (ballA && ballB) {
        *exact = true;
        return ctBallsTime(x, v, a, pair.a.shape->round + pair.b.shape->round, in->horizon);
    }
    double rho = pair.a.rho + pair.b.rho, balls = 0.0;
    if (ctLengthSquared(x) > rho * rho) {
        balls = ctBallsTime(x, v, a, rho, in->horizon);
        if (balls >= in->horizon) {
            return balls;
        }
    }
    double best = boundBySpeed(in, &pair, v, a);
    best = best > balls ? best : balls;
    pair.n = in->closest->normal;
    pair.v = ctDot(pair.n, v);
    pair.g = ctDot(pair.n, a);
    double between = ctDot(pair.n, x);
    pair.s0 = between + lowest(&pair.a, pair.n).value + lowest(&pair.b, ctNeg(pair.n)).value;
    double t = followPlane(&pair, in->horizon);
    if (t < in->horizon) {
        t = followBalls(&pair, between, t);
    }
    return t > best ? t : best;
}

double ctTimeOfImpactBound(const ctToiInput *input, bool *exact)
{
    ctToiInput limited = *input;
    limited.horizon = limited.horizon < MAX_HORIZON ? limited.horizon : MAX_HORIZON;
    const ctToiInput *in = &limited;
    bool isExact = false, plane = in->shapeA->type == ct_shapePlane || in->shapeB->type == ct_shapePlane;
    double t = plane ? boundAgainstPlane(in, &isExact) : boundBetween(in, &isExact);
    if (exact != NULL) {
        *exact = isExact;
    }
    return t < in->horizon ? t : in->horizon;
}
