// Lower bounds on the time of impact (Mirtich & Canny 1995, section 3.1; the bound itself is our own).
//
// Let n be a unit vector, from B to A. While
//     S(t) = min over A of n.a(t)  -  max over B of n.b(t)
// is positive, a plane separates the two. With x the centres of mass and r the points about them,
//     S(t) = n.(xA - xB)(t) + min n.rA(t) + min (-n).rB(t).
// n may turn, n(t) = exp(nu t) n, about any constant nu (rad/s): S is a lower bound on the distance for each.
// For a body that turns by the constant w
//     min over r of n.(exp(w t) r) = low(m),  m = exp(-w t) n,  low(m) = min over r(0) of m.r,
// which the support function of the shape gives exactly, for any t, without moving the body. What the true
// rotation adds (|dw/dt| <= alpha) turns no point by more than alpha t^2 / 2, so S loses at most
// alpha rho t^2 / 2, rho the distance of the farthest point.
//
// From a time t with S(t) > 0 a step tau is safe as follows. Seen from the turning n, a point r has the
// velocity u x r with u = w - nu, and the acceleration u x (u x r) + (u x nu) x r, so that
//     n.r(t + tau) >= (m + tau m x u).r - (u^2 + |u x nu|) rho tau^2 / 2, and
//     S(t + tau) >= M(tau) = s + p tau + q tau^2 / 2 + F(tau),
//     F(tau) = low(mA + tau mA x uA) + low(mB + tau mB x uB) - (the same at tau = 0).
// F is a minimum of linear functions, one for each point of A and B (the per-feature bound), hence concave.
// Newton's method on M descends on its root from above, point by point; the chord of F from 0 to where it
// stands gives a quadratic below M, whose root is the step. A few such steps cost less than one distance query.
//
// The best nu is that of the shortest connection. Its ends are a = lowest point of A, b = highest of B; with H
// the derivative of the support point by the direction (radii of curvature: 0 at a vertex, without bounds along
// an edge), the condition that a - b stays parallel to n is, in the plane across n,
//     (d + HA + HB) n' = u + HA (wA x n) + HB (wB x n),   u the velocity of A relative to B at a, b.
// Differences of support points give H, for every kind of feature.
//
// A solid of revolution in the flight of an axisymmetric body turns by the constant precession alone
// (alpha = 0). In the local model any spin about its own axis is free: with w = along + across the axis, the
// points may move with `across` only, whose direction changes at the rate |along|.
//
// Besides: the balls of radius rho cannot meet before their own time; and the distance itself shrinks by
// no more than the sum of all speeds. The answer is the largest of these times.
#include "collision/toi.h"

#include "collision/support.h"

// Steps with one nu, and Newton iterations in each.
#define MAX_STEPS 8
#define MAX_NEWTON 4
#define MAX_NEWTON_TOUCHING 16
// The steps are done when S has fallen to this part of its first value: a new n is worth more then.
#define ENOUGH 0.02
// A fixed n is good enough when it gives this part of the time that the closest points' approach suggests.
#define CLOSE_TO_IDEAL 0.8
// rad: the step of the differences that give H.
#define TILT 1e-6
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
    bool revolved;   // a solid of revolution about r.cz through the centre of mass, w its precession
    int code;        // where the next support search starts
} Side;

typedef struct Low {
    double value;
    ctVec3 point; // from the centre of mass
} Low;

// The two sides, their relative motion, and the turning of n.
typedef struct Pair {
    Side a, b;
    bool plane;     // B is a half-space: no points to follow, and n does not turn
    ctVec3 n;       // from B to A
    ctVec3 x, v, g; // of A's centre relative to B's (or to the plane): position, velocity, acceleration
    ctVec3 nu, nuUnit;
    double nuRate;
    double loose; // sum of alphaRho
    double s0;    // S(0)
} Pair;

static Side sideOf(const ctShape *shape, const ctTransform *leaf, const ctMotion *m)
{
    Side s = {.shape = shape, .code = 0};
    ctMat3 body = ctMat3FromQuat(m->q);
    s.r = ctMulMM(body, ctMat3FromQuat(leaf->q));
    s.arm = ctMulMV(body, ctSub(leaf->p, m->center));
    ctVec3 middle = ctAdd(s.arm, ctMulMV(s.r, shape->unit.center));
    s.rho = ctLength(middle) + shape->boundRadius;
    s.w = m->w;
    s.alphaRho = m->alphaMax * s.rho;
    if ((shape->type == ct_shapeLathe || shape->type == ct_shapeCapsule) && ctDot(m->axis, m->axis) > 0.5) {
        double off = ctLength(ctCross(s.arm, s.r.cz)), tilt = ctLength(ctCross(m->axis, s.r.cz));
        s.revolved = off <= 1e-12 * s.rho && tilt <= 1e-12;
    }
    if (s.revolved) {
        s.w = m->precession;
        s.alphaRho = 0.0;
    }
    s.rate = ctLength(s.w);
    s.unit = s.rate > 0.0 ? ctScale(1.0 / s.rate, s.w) : ctZero3();
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

// An angle with its cosine and sine, about an axis.
typedef struct Turn {
    ctVec3 unit;
    double c, s;
} Turn;

static Turn turnBy(ctVec3 unit, double angle)
{
    Turn t = {unit, 1.0, 0.0};
    if (angle != 0.0) {
        t.c = cos(angle);
        t.s = sin(angle);
    }
    return t;
}

static ctVec3 turned(const Turn *t, ctVec3 v)
{
    double along = ctDot(v, t->unit) * (1.0 - t->c);
    return ctMulAdd(ctMulAdd(ctScale(t->c, v), t->s, ctCross(t->unit, v)), along, t->unit);
}

// One side's part in the local model.
typedef struct View {
    ctVec3 m, rate; // the direction and its rate of change, in the frame of the start
    double bend;    // m/s^2: no point accelerates more than this along n, seen from n
} View;

// direction: n(t) for A, -n(t) for B.
static View viewAt(const Side *s, const Pair *pair, ctVec3 direction, double t)
{
    ctVec3 u = ctSub(s->w, pair->nu);
    double bend = ctDot(u, u) + (pair->nuRate > 0.0 ? ctLength(ctCross(u, pair->nu)) : 0.0);
    Turn back = turnBy(s->unit, -s->rate * t);
    if (s->revolved) {
        Turn forth = {back.unit, back.c, -back.s};
        ctVec3 axis = turned(&forth, s->r.cz);
        double along = ctDot(s->w, axis);
        ctVec3 across = ctMulAdd(s->w, -along, axis), free = ctSub(across, pair->nu);
        double less = ctDot(free, free) + ctLength(ctCross(free, pair->nu)) + fabs(along) * ctLength(across);
        if (less < bend) {
            bend = less;
            u = free;
        }
    }
    View view = {turned(&back, direction), turned(&back, ctCross(direction, u)), bend * s->rho};
    return view;
}

// The local model at one time.
typedef struct Local {
    double s, p, q; // M(tau) = s + p tau + q tau^2 / 2 + F(tau)
    double cubic;   // bound on the change of q per second
    View a, b;
    double slope; // of F along the points lowest now
    double low;   // low(mA) + low(mB)
} Local;

static double lowestBoth(Pair *pair, const Local *l, double tau, double *slope)
{
    Low a = lowest(&pair->a, ctMulAdd(l->a.m, tau, l->a.rate));
    double value = a.value;
    *slope = ctDot(l->a.rate, a.point);
    if (!pair->plane) {
        Low b = lowest(&pair->b, ctMulAdd(l->b.m, tau, l->b.rate));
        value += b.value;
        *slope += ctDot(l->b.rate, b.point);
    }
    return value;
}

static Local localAt(Pair *pair, double t, double left)
{
    Turn turn = turnBy(pair->nuUnit, pair->nuRate * t);
    ctVec3 n = turned(&turn, pair->n), nu = pair->nu;
    ctVec3 x = ctAdd(pair->x, ctScale(t, ctMulAdd(pair->v, 0.5 * t, pair->g))), v = ctMulAdd(pair->v, t, pair->g);
    Local l = {.a = viewAt(&pair->a, pair, n, t)};
    double bend = l.a.bend;
    if (!pair->plane) {
        l.b = viewAt(&pair->b, pair, ctNeg(n), t);
        bend += l.b.bend;
    }
    l.low = lowestBoth(pair, &l, 0.0, &l.slope);
    l.s = ctDot(n, x) + l.low - 0.5 * pair->loose * t * t;
    l.p = ctDot(n, v) - pair->loose * t;
    l.q = ctDot(n, pair->g) - pair->loose - bend;
    if (pair->nuRate > 0.0) {
        // The derivatives of n.x as seen from the turning n.
        ctVec3 across = ctCross(nu, x);
        double rate = pair->nuRate, pull = ctLength(pair->g), speed = ctLength(v) + pull * left;
        l.p -= ctDot(n, across);
        l.q += ctDot(n, ctSub(ctCross(nu, across), ctScale(2.0, ctCross(nu, v))));
        l.cubic = rate * (3.0 * pull + rate * (3.0 * speed + rate * (ctLength(x) + speed * left)));
    }
    return l;
}

// A step from l, at most left, before which M stays positive (or, from s = 0, not negative).
static double safeStep(Pair *pair, const Local *l, double left)
{
    double tau = ctFallTime(l->s, l->p + l->slope, l->q), q = l->q;
    tau = tau < left ? tau : left;
    if (l->cubic > 0.0) {
        // A first idea of the step bounds the change of q in it; no more than the rest may come of q.
        double most = tau + tau, much = 0.5 * fabs(q) / l->cubic + 1e-3 * tau;
        most = most < much ? most : much;
        left = left < most ? left : most;
        q -= l->cubic * left;
        tau = ctFallTime(l->s, l->p + l->slope, q);
    }
    int limit = l->s > 0.0 ? MAX_NEWTON : MAX_NEWTON_TOUCHING;
    double safe = 0.0;
    for (int i = 0; i < limit; i++) {
        tau = tau < left ? tau : left;
        if (!(tau > 0.0)) {
            return 0.0;
        }
        double slope, f = lowestBoth(pair, l, tau, &slope) - l->low;
        double chord = ctFallTime(l->s, l->p + f / tau, q);
        if (chord >= tau) {
            return tau;
        }
        safe = chord;
        if (chord > 0.98 * tau) {
            break;
        }
        // The root of the point that is lowest at tau.
        double next = ctFallTime(l->s + f - slope * tau, l->p + slope, q);
        if (!(next < tau)) {
            break;
        }
        tau = next;
    }
    return safe;
}

// Follows the plane of n and nu for as long as it separates the two for certain.
static double followPlane(Pair *pair, ctVec3 nu, double horizon)
{
    pair->nu = nu;
    pair->nuRate = ctLength(nu);
    pair->nuUnit = pair->nuRate > 0.0 ? ctScale(1.0 / pair->nuRate, nu) : ctZero3();
    double t = 0.0;
    for (int i = 0; i < MAX_STEPS; i++) {
        Local l = localAt(pair, t, horizon - t);
        if (i == 0) {
            pair->s0 = l.s = l.s > 0.0 ? l.s : 0.0; // touching: what is there now is allowed
        } else if (l.s <= ENOUGH * pair->s0) {
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

// n.(xA - xB)(t) - rhoA - rhoB cannot vanish before the balls touch, whatever the rotation: once it is positive at
// t, it holds until its own root.
static double followBalls(const Pair *pair, double t)
{
    double rho = pair->a.rho + (pair->plane ? 0.0 : pair->b.rho);
    double v = ctDot(pair->n, pair->v), g = ctDot(pair->n, pair->g);
    double gap = ctDot(pair->n, pair->x) - rho + t * (v + 0.5 * g * t);
    if (!(gap > 0.0)) {
        return t;
    }
    return t + ctFallTime(gap, v + g * t, g);
}

// H of one side, in the basis e1, e2 of the plane across the direction.
typedef struct Curve {
    double h11, h12, h22;
} Curve;

// The change of the support point with the direction, along the tangent e.
static ctVec3 supportRate(Side *s, ctVec3 direction, ctVec3 e)
{
    Low to = lowest(s, ctMulAdd(direction, TILT, e)), from = lowest(s, ctMulAdd(direction, -TILT, e));
    return ctScale(0.5 / TILT, ctSub(from.point, to.point));
}

// On a smooth surface the rates along e1 and e2 are the columns of a symmetric matrix. Along an edge (of a box, or
// the side of a cylinder) they are jumps from end to end instead, far larger than anything else here; the edge and
// its normal are the principal directions then.
static Curve curveOf(Side *s, ctVec3 direction, ctVec3 e1, ctVec3 e2)
{
    ctVec3 d1 = supportRate(s, direction, e1), d2 = supportRate(s, direction, e2);
    double h11 = ctDot(d1, e1), h12 = ctDot(d1, e2), h21 = ctDot(d2, e1), h22 = ctDot(d2, e2);
    if (fabs(h12 - h21) <= 1e-3 * (h11 + h22)) {
        Curve smooth = {h11, 0.5 * (h12 + h21), h22};
        return smooth;
    }
    bool first = h11 * h11 + h12 * h12 > h21 * h21 + h22 * h22;
    double x = first ? h11 : h21, y = first ? h12 : h22, jump = sqrt(x * x + y * y);
    x /= jump;
    y /= jump;
    ctVec3 across = ctAdd(ctScale(-y, e1), ctScale(x, e2));
    double rest = ctDot(supportRate(s, direction, across), across);
    Curve edge = {jump * x * x + rest * y * y, (jump - rest) * x * y, jump * y * y + rest * x * x};
    return edge;
}

// The turning of the shortest connection, from the equation for n' above.
static ctVec3 turningOf(Pair *pair, const ctClosest *closest, ctVec3 u)
{
    ctVec3 e1, e2, n = pair->n;
    ctFrameFromNormal(n, &e1, &e2);
    Curve a = curveOf(&pair->a, n, e1, e2), b = curveOf(&pair->b, ctNeg(n), e1, e2);
    ctVec3 na = ctCross(pair->a.w, n), nb = ctCross(pair->b.w, n);
    double a1 = ctDot(na, e1), a2 = ctDot(na, e2), b1 = ctDot(nb, e1), b2 = ctDot(nb, e2);
    double d = closest->distance > 0.0 ? closest->distance : 0.0;
    double m11 = d + a.h11 + b.h11, m12 = a.h12 + b.h12, m22 = d + a.h22 + b.h22;
    double r1 = ctDot(u, e1) + a.h11 * a1 + a.h12 * a2 + b.h11 * b1 + b.h12 * b2;
    double r2 = ctDot(u, e2) + a.h12 * a1 + a.h22 * a2 + b.h12 * b1 + b.h22 * b2;
    double det = m11 * m22 - m12 * m12;
    if (!(det > 0.0)) {
        return ctZero3();
    }
    ctVec3 rate = ctAdd(ctScale((r1 * m22 - r2 * m12) / det, e1), ctScale((r2 * m11 - r1 * m12) / det, e2));
    // About n itself it may turn as it likes: with the flatter side.
    double flatA = a.h11 + a.h22, flatB = b.h11 + b.h22;
    double along = (flatA * ctDot(pair->a.w, n) + flatB * ctDot(pair->b.w, n)) / (flatA + flatB + d);
    return ctMulAdd(ctCross(n, rate), along, n);
}

static bool isBall(const Side *s)
{
    return s->shape->type == ct_shapeSphere && ctLength(s->arm) <= CENTRED * s->rho;
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
    double height = ctDot(pair.n, mA->x) - offset;
    if (isBall(&pair.a)) {
        *exact = true;
        return ctFallTime(height - pair.a.shape->round, ctDot(pair.n, mA->v), ctDot(pair.n, mA->a));
    }
    pair.x = ctScale(height, pair.n);
    pair.v = mA->v;
    pair.g = mA->a;
    pair.loose = pair.a.alphaRho;
    double t = followPlane(&pair, ctZero3(), in->horizon);
    return t < in->horizon ? followBalls(&pair, t) : t;
}

// The distance shrinks by no more than the sum of all speeds.
static double boundBySpeed(const ctToiInput *in, const Pair *pair)
{
    if (!(in->closest->distance > 0.0)) {
        return 0.0;
    }
    double speed = ctLength(pair->v) + pair->a.rho * in->motionA->wMax + pair->b.rho * in->motionB->wMax;
    return ctFallTime(in->closest->distance, -speed, -ctLength(pair->g));
}

static double boundBetween(const ctToiInput *in, bool *exact)
{
    const ctMotion *mA = in->motionA, *mB = in->motionB;
    Pair pair = {.plane = false};
    pair.a = sideOf(in->shapeA, &in->leafA, mA);
    pair.b = sideOf(in->shapeB, &in->leafB, mB);
    pair.x = ctSub(mA->x, mB->x);
    pair.v = ctSub(mA->v, mB->v);
    pair.g = ctSub(mA->a, mB->a);
    if (isBall(&pair.a) && isBall(&pair.b)) {
        *exact = true;
        return ctBallsTime(pair.x, pair.v, pair.g, pair.a.shape->round + pair.b.shape->round, in->horizon);
    }
    double rho = pair.a.rho + pair.b.rho, balls = 0.0;
    if (ctLengthSquared(pair.x) > rho * rho) {
        balls = ctBallsTime(pair.x, pair.v, pair.g, rho, in->horizon);
        if (balls >= in->horizon) {
            return balls;
        }
    }
    double best = boundBySpeed(in, &pair);
    best = best > balls ? best : balls;
    const ctClosest *c = in->closest;
    pair.n = c->normal;
    pair.loose = pair.a.alphaRho + pair.b.alphaRho;
    double t = followPlane(&pair, ctZero3(), in->horizon);
    ctVec3 u = ctAdd(pair.v, ctSub(ctCross(mA->w, ctSub(c->pointA, mA->x)), ctCross(mB->w, ctSub(c->pointB, mB->x))));
    double ideal = ctFallTime(pair.s0, ctDot(u, pair.n), ctDot(pair.g, pair.n));
    if (t < CLOSE_TO_IDEAL * (ideal < in->horizon ? ideal : in->horizon)) {
        double turning = followPlane(&pair, turningOf(&pair, c, u), in->horizon);
        t = t > turning ? t : turning;
    }
    if (t < in->horizon) {
        t = followBalls(&pair, t);
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
