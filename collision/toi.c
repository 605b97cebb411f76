// Lower bounds of the time of impact (Mirtich & Canny 1995, section 3.1; the bound itself is our own).
//
// Let n be a unit vector, from B to A. While
//     S(t) = min over A of n.a(t)  -  max over B of n.b(t)
// is positive, a plane separates the two. With x the centres of mass and r the points about them,
//     S(t) = n.(xA - xB)(t) + min n.rA(t) + min (-n).rB(t).
// n may turn, n(t) = exp(nu t) n, about any constant nu (rad/s): S is a lower bound of the distance for each nu. For a
// body that turns by the constant w
//     min over r of n.(exp(w t) r) = low(m),  m = exp(-w t) n,  low(m) = min over r(0) of m.r,
// which the support function of the shape gives exactly, for any t, without moving the body. The deviation of the true
// rotation (|dw/dt| <= alphaMax) turns no point by more than alphaMax t^2 / 2, so S loses at most alphaMax rho t^2 / 2,
// with the distance rho of the farthest point. Where alpha = dw/dt is known now and turns are small, the body turns by
// exp(alpha t^2 / 2) exp(w t) instead: its angular velocity alpha t + exp(alpha t^2 / 2) w has an error of at most (|w
// x alpha| + max|d2w/dt2|) t^2 / 2, and S loses a sixth of that times rho t^3 (Euler's equations give
// d2w/dt2| <= 3 wMax alphaMax). Only the core turns: the rounding about it adds the same in every direction, and a ball
// about its centre of mass has no core. So r are points of the cores here, and the two roundings are subtracted from S.
//
// Between two looks, at t and t + T, where S is s and s1: low is a minimum of linear functions, hence low(m1 + m2) >=
// low(m1) + low(m2), and m stays close to its chord. With u = nu - w
//     m' = exp(-w t) (u x n),   m'' = exp(-w t) (u x (u x n) + (u x nu) x n),
//     m(t + tau) = (1 - tau/T) m(t) + (tau/T) m(t + T) + e,   |e| <= max|m''| tau (T - tau) / 2, so that
//     S(t + tau) >= s + (s1 - s) tau / T - B tau (T - tau) / 2,   B >= (n.(xA - xB))'' + sum of rho max|m''|.
// Every point counts with its own velocity (the per-feature bound), and nothing is lost at either end. The first root
// of this parabola is safe; when it has none, all of T is. The next look is where the points that are lowest now meet,
// as in Newton's method, and no farther than B allows. A look costs two support points.
//
// The best nu is that of the shortest connection. Its ends are a = lowest point of A, b = highest of B. With the
// derivative H of the support point by the direction (radii of curvature: 0 at a vertex, unbounded along an edge), a -
// b stays parallel to n if, in the plane across n,
//     (d + HA + HB) n' = v + HA (wA x n) + HB (wB x n),   v the velocity of A relative to B at a, b.
// Differences of support points give H, for every kind of feature. The plane of a face turns with its body.
//
// A solid of revolution in the flight of an axisymmetric body turns only by the constant precession (alpha = 0). Spin
// about its own axis does not matter: with w = along + across the axis, m may be seen from a frame that turns with
// `across` only, whose direction changes at the rate |along|.
//
// Two more bounds hold: the balls of radius rho cannot meet before their own time; and the distance shrinks by no more
// than the sum of all speeds. The result is the largest of these times.
#include "collision/toi.h"

#include "collision/support.h"

// [cap] Looks for one nu.
#define MAX_LOOKS 16
// The plane is given up when S has fallen to this share of its first value: a new n is then better. The second share is
// for planes where S is the distance itself.
#define ENOUGH 0.01
#define ENOUGH_EXACT 1e-9
// rad: for turns smaller than this the angular acceleration is used.
#define SMALL_TURN 0.7
// S is known to this share of the sizes.
#define ROUNDING 1e-15
// A turning plane is good when it gives this share of the time that the closest points' approach suggests.
#define GOOD 0.8
// rad: the step of the differences that give H.
#define TILT 1e-6
// s: nothing is followed for longer than this.
#define MAX_HORIZON 1e6
// A centre of mass within this share of the size from a sphere's centre coincides with it.
#define CENTRED 1e-15

// One of the two shapes, at the start.
typedef struct Side {
    const ctShape *shape;
    ctMat3 r;              // leaf frame to world
    ctVec3 arm;            // the leaf's origin from the centre of mass, world frame
    double rho;            // m: distance of the farthest point from the centre of mass
    double core;           // m: the same for the core; zero for a ball about its centre of mass
    ctVec3 w, unit;        // the constant turning, and its direction
    double rate;           // |w|
    double loose;          // neglected: alphaMax times core, m/s^2
    double looser;         // neglected when alpha is used: core (|w x alpha| + 3 wMax alphaMax), m/s^3
    ctVec3 alpha, ahead;   // dw/dt where it is used, and its direction
    double gain, drift;    // |alpha|; |w x alpha|
    bool revolved;         // a solid of revolution about r.cz through the centre of mass, w its precession
    double along, across;  // revolved: the parts of w
    int code;              // where the next support search starts
    ctVec3 u;              // nu - w
    double u2;             // u^2
    double far, near, off; // max|m''| = far near + off, rad^2/s^2, without alpha
} Side;

// The two sides, their relative motion, and the turning of n.
typedef struct Pair {
    Side a, b;               // b has no core when it is a half-space: no points to follow
    ctVec3 n;                // from B to A
    ctVec3 x, v, g;          // of A's centre relative to B's (or to the plane): position, velocity, acceleration
    double far, speed, pull; // |x|, |v|, |g|
    ctVec3 nu, nuUnit;
    double nuRate;
    double round;         // sum of the two roundings, minus the present overlap
    double stray;         // m/s^2: bound of the deviation of the relative acceleration from g
    double loose, looser; // sums of both, with stray
    double s0;            // S(0)
} Pair;

// s is all zero before.
static void setSide(Side *s, const ctShape *shape, const ctTransform *leaf, const ctMotion *m)
{
    s->shape = shape;
    s->r = ctMat3FromQuat(m->q);
    s->arm = ctMulMV(s->r, ctSub(leaf->p, m->center));
    if (leaf->q.w != 1.0) {
        s->r = ctMulMM(s->r, ctMat3FromQuat(leaf->q));
    }
    double off = ctLength(ctAdd(s->arm, ctMulMV(s->r, shape->unit.center)));
    s->rho = off + shape->boundRadius;
    if (shape->type == ct_shapeSphere && off <= CENTRED * s->rho) {
        return;
    }
    s->core = s->rho - shape->round;
    s->w = m->w;
    s->loose = m->alphaMax * s->core;
    if ((shape->type == ct_shapeLathe || shape->type == ct_shapeCapsule) && ctDot(m->axis, m->axis) > 0.5) {
        ctVec3 apart = ctCross(s->arm, s->r.cz), tilt = ctCross(m->axis, s->r.cz);
        s->revolved = ctDot(apart, apart) <= 1e-24 * s->rho * s->rho && ctDot(tilt, tilt) <= 1e-24;
    }
    if (s->revolved) {
        s->w = m->precession;
        s->loose = 0.0;
        s->along = fabs(ctDot(s->w, s->r.cz));
        s->across = ctLength(ctCross(s->w, s->r.cz));
    }
    s->rate = ctLength(s->w);
    s->unit = s->rate > 0.0 ? ctScale(1.0 / s->rate, s->w) : ctZero3();
}

static void setCourse(Pair *pair, ctVec3 x, ctVec3 v, ctVec3 g, ctVec3 n)
{
    pair->n = n;
    pair->x = x;
    pair->v = v;
    pair->g = g;
    pair->far = ctLength(x);
    pair->speed = ctLength(v);
    pair->pull = ctLength(g) + pair->stray;
    pair->loose = pair->a.loose + pair->b.loose + pair->stray;
    pair->looser = pair->a.looser + pair->b.looser;
    pair->round = pair->a.shape->round + (pair->b.shape != NULL ? pair->b.shape->round : 0.0);
}

// The point of the core that is lowest along m, from the centre of mass.
static ctVec3 lowest(Side *s, ctVec3 m)
{
    if (s->shape->type == ct_shapeSphere) {
        return s->arm;
    }
    ctVec3 core = ctCoreSupport(s->shape, ctNeg(ctMulTMV(s->r, m)), &s->code);
    return ctAdd(s->arm, ctMulMV(s->r, core));
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
        ctSinCos(angle, &t.s, &t.c);
    }
    return t;
}

static ctVec3 turned(const Turn *t, ctVec3 v)
{
    double along = ctDot(v, t->unit) * (1.0 - t->c);
    return ctMulAdd(ctMulAdd(ctScale(t->c, v), t->s, ctCross(t->unit, v)), along, t->unit);
}

// ---- one look ---------------------------------------------------------------------------------

// S at one time, and the lowest points then.
typedef struct Look {
    double t, s;
    ctVec3 n, x, a, b; // n(t), xA - xB, and the points from their centres of mass
} Look;

static ctVec3 lowestAt(Side *s, ctVec3 direction, double t)
{
    if (t == 0.0 || (s->rate == 0.0 && s->gain == 0.0)) {
        return lowest(s, direction);
    }
    Turn forth = turnBy(s->unit, s->rate * t), back = {forth.unit, forth.c, -forth.s};
    if (s->gain == 0.0) {
        return turned(&forth, lowest(s, turned(&back, direction)));
    }
    Turn more = turnBy(s->ahead, 0.5 * s->gain * t * t), less = {more.unit, more.c, -more.s};
    ctVec3 p = lowest(s, turned(&back, turned(&less, direction)));
    return turned(&more, turned(&forth, p));
}

// Whether the lowest point of a side is the same at every look: neither the body nor n turns.
static bool isStill(const Pair *pair, const Side *s)
{
    return pair->nuRate == 0.0 && s->rate == 0.0 && s->gain == 0.0;
}

// first: the look at the start, or NULL.
static Look lookAt(Pair *pair, double t, const Look *first)
{
    Look look = {.t = t, .n = pair->n};
    if (pair->nuRate > 0.0) {
        Turn turn = turnBy(pair->nuUnit, pair->nuRate * t);
        look.n = turned(&turn, pair->n);
    }
    look.x = ctAdd(pair->x, ctScale(t, ctMulAdd(pair->v, 0.5 * t, pair->g)));
    ctVec3 gap = look.x;
    if (pair->a.core > 0.0) {
        look.a = first != NULL && isStill(pair, &pair->a) ? first->a : lowestAt(&pair->a, look.n, t);
        gap = ctAdd(gap, look.a);
    }
    if (pair->b.core > 0.0) {
        look.b = first != NULL && isStill(pair, &pair->b) ? first->b : lowestAt(&pair->b, ctNeg(look.n), t);
        gap = ctSub(gap, look.b);
    }
    look.s = ctDot(look.n, gap) - pair->round - t * t * (0.5 * pair->loose + t * pair->looser / 6.0);
    return look;
}

// The derivatives of n.(a - b), a and b the points of a look: the first and the second, and the part of the second from
// n.(xA - xB).
typedef struct Course {
    double slope, bend, dip;
} Course;

// The share of a point: (u x n).p and (u x (u x n) + (u x nu) x n).p, and that of alpha to first order.
static void addPoint(const Side *s, ctVec3 nu, ctVec3 n, ctVec3 p, double sign, double t, Course *c)
{
    double un = ctDot(s->u, n), up = ctDot(s->u, p);
    c->slope += sign * ctDot(ctCross(s->u, n), p);
    c->bend += sign * (un * (up + ctDot(nu, p)) - s->u2 * ctDot(n, p) - up * ctDot(nu, n));
    if (s->gain > 0.0) {
        double pull = sign * ctDot(ctCross(s->alpha, n), p);
        c->slope -= t * pull;
        c->bend -= pull;
    }
}

static Course courseOf(const Pair *pair, const Look *look)
{
    ctVec3 n = look->n, v = ctMulAdd(pair->v, look->t, pair->g);
    double t = look->t, lost = pair->loose + 0.5 * t * pair->looser;
    Course c = {ctDot(n, v) - t * lost, 0.0, ctDot(n, pair->g) - pair->loose - t * pair->looser};
    if (pair->nuRate > 0.0) { // n' = nu x n
        ctVec3 rate = ctCross(pair->nu, n);
        c.slope += ctDot(rate, look->x);
        c.dip += ctDot(ctCross(pair->nu, rate), look->x) + 2.0 * ctDot(rate, v);
    }
    c.bend = c.dip;
    if (pair->a.core > 0.0) {
        addPoint(&pair->a, pair->nu, n, look->a, 1.0, look->t, &c);
    }
    if (pair->b.core > 0.0) {
        addPoint(&pair->b, pair->nu, n, look->b, -1.0, look->t, &c);
    }
    return c;
}

// core times max|m''| for the next tau seconds.
static double bendOf(const Side *s, const Pair *pair, double t, double tau)
{
    double bend = s->far * s->near + s->off;
    if (s->gain > 0.0) {
        double end = t + tau, more = end * (s->gain + 0.5 * s->drift * end); // bound of the change of w
        bend += more * (s->far + s->near + more + pair->nuRate) + s->gain * (1.0 + end * s->rate);
    } else if (s->revolved && pair->nuRate > 0.0) {
        Turn forth = turnBy(s->unit, s->rate * t);
        ctVec3 axis = turned(&forth, s->r.cz), free = ctSub(ctMulAdd(s->w, -ctDot(s->w, axis), axis), pair->nu);
        double change = s->along * s->across, most = ctLength(free) + change * tau;
        double less = most * (most + pair->nuRate) + change;
        bend = less < bend ? less : bend;
    }
    return s->core * bend;
}

// B for the next tau seconds.
static double dipOf(const Pair *pair, const Course *c, double t, double tau)
{
    double dip = c->dip + bendOf(&pair->a, pair, t, tau) + bendOf(&pair->b, pair, t, tau);
    if (pair->nuRate > 0.0) { // growth of (n.(xA - xB))''
        double end = t + tau, rate = pair->nuRate, speed = pair->speed + pair->pull * end;
        dip += tau * rate * (3.0 * pair->pull + rate * (3.0 * speed + rate * (pair->far + speed * end)));
    }
    return dip;
}

// ---- from look to look ------------------------------------------------------------------------

// The time of the next look: where the points that are lowest now meet, but no farther than two looks can guarantee the
// time in between. With s1 at the second one that is (sqrt(s) + sqrt(s1))^2 = B tau^2 / 2; s1 is estimated from the
// points' own motion.
static double aim(const Pair *pair, const Look *left, const Course *c, double horizon)
{
    double rest = horizon - left->t, tau = ctFallTime(left->s, c->slope, c->bend);
    tau = tau < rest ? tau : rest;
    for (int i = 0; i < 2; i++) {
        double dip = dipOf(pair, c, left->t, i == 0 ? 0.0 : tau);
        double reach = ctFallTime(4.0 * left->s, c->slope, c->bend - dip);
        tau = reach < tau ? reach : tau;
    }
    return left->t + tau;
}

// The same after a look that was too far.
static double aimNearer(const Pair *pair, const Look *left, const Look *right, double dip, double safe)
{
    double tau = right->t - left->t, next = left->t + 0.5 * tau;
    if (right->s > 0.0) {
        double reach = sqrt(left->s) + sqrt(right->s), ratio = 2.0 * reach * reach / (dip * tau * tau);
        double part = 0.95 * (left->s > 0.1 * right->s ? sqrt(ratio) : ratio);
        next = left->t + (part > 0.9 ? 0.9 : part < 0.2 ? 0.2 : part) * tau;
    } else {
        // Back to where the points that are lowest there met.
        double back = right->s / courseOf(pair, right).slope;
        if (back > 0.1 * tau && back < 0.9 * tau) {
            next = right->t - back;
        }
    }
    return next > safe ? next : safe;
}

static void setTurning(Side *s, const Pair *pair)
{
    s->u = ctSub(pair->nu, s->w);
    s->u2 = ctDot(s->u, s->u);
    if (pair->nuRate > 0.0) {
        s->far = s->near = sqrt(s->u2);
        s->off = ctLength(ctCross(s->u, pair->nu));
        return;
    }
    s->far = s->rate;
    s->near = ctLength(ctCross(s->w, pair->n));
    s->off = 0.0;
    if (s->revolved && s->across * (s->across + s->along) < s->far * s->near) {
        s->far = s->across;
        s->near = s->across + s->along;
    }
}

// Uses the angular acceleration of a body that does not turn far in the time considered.
static void followAlpha(Side *s, const ctMotion *m, double time)
{
    if (s->loose == 0.0 || !(time * m->wMax < SMALL_TURN)) {
        return;
    }
    double gain = ctLength(m->alpha);
    if (!(gain > 0.0)) {
        return;
    }
    s->alpha = m->alpha;
    s->ahead = ctScale(1.0 / gain, m->alpha);
    s->gain = gain;
    s->drift = ctLength(ctCross(s->w, m->alpha));
    s->looser = s->core * (s->drift + 3.0 * m->wMax * m->alphaMax);
    s->loose = 0.0;
}

// An estimate of the time for a gap, from the closest points' approach and the bounds of both.
static double timeOf(const Pair *pair, const ctToiInput *in, double speed, double pull)
{
    double gap = in->closest->distance > 0.0 ? in->closest->distance : 0.0;
    double a = pair->a.core * pair->a.rate * pair->a.rate + pair->a.loose;
    double b = pair->b.core * pair->b.rate * pair->b.rate + pair->b.loose;
    double t = ctFallTime(4.0 * gap, speed, pull - a - b);
    return t < in->horizon ? t : in->horizon;
}

// Follows the plane of n and nu for as long as it certainly separates the two.
static double followPlane(Pair *pair, ctVec3 nu, double horizon, double enough)
{
    pair->nu = nu;
    pair->nuRate = ctLength(nu);
    pair->nuUnit = pair->nuRate > 0.0 ? ctScale(1.0 / pair->nuRate, nu) : ctZero3();
    setTurning(&pair->a, pair);
    setTurning(&pair->b, pair);
    Look left = lookAt(pair, 0.0, NULL);
    if (left.s < 0.0) { // the present overlap is allowed
        pair->round += left.s;
        left.s = 0.0;
    }
    pair->s0 = left.s;
    Course course = courseOf(pair, &left);
    double safe = 0.0, to = aim(pair, &left, &course, horizon);
    double small = enough * left.s + ROUNDING * (pair->a.rho + pair->b.rho);
    for (int i = 0; i < MAX_LOOKS && to > left.t; i++) {
        Look right = lookAt(pair, to, &left);
        double tau = to - left.t, dip = dipOf(pair, &course, left.t, tau);
        double root = ctFallTime(left.s, (right.s - left.s) / tau - 0.5 * dip * tau, dip);
        bool whole = root >= tau;
        double reached = whole ? to : left.t + root;
        safe = reached > safe ? reached : safe;
        if (safe >= horizon || (fabs(right.s) <= small && root > 0.99 * tau)) {
            break;
        }
        if (whole) {
            left = right;
            course = courseOf(pair, &left);
            to = aim(pair, &left, &course, horizon);
        } else {
            to = aimNearer(pair, &left, &right, dip, safe);
        }
    }
    return safe < horizon ? safe : horizon;
}

// n.(xA - xB)(t) - rhoA - rhoB cannot vanish before the balls touch, whatever the rotation: once it is positive at
// t, it holds until its own root.
static double followBalls(const Pair *pair, double t)
{
    double rho = pair->a.rho + pair->b.rho;
    double v = ctDot(pair->n, pair->v), g = ctDot(pair->n, pair->g) - pair->stray;
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
    ctVec3 to = lowest(s, ctMulAdd(direction, TILT, e)), from = lowest(s, ctMulAdd(direction, -TILT, e));
    return ctMulAdd(ctScale(0.5 / TILT, ctSub(from, to)), s->shape->round, e);
}

// On a smooth surface the rates along e1 and e2 are the columns of a symmetric matrix. Along an edge (of a box, or
// the side of a cylinder) they are jumps from end to end instead, along one line and far larger than anything else
// here; the edge and its normal are the principal directions then.
static Curve curveOf(Side *s, ctFeature feature, ctVec3 direction, ctVec3 e1, ctVec3 e2)
{
    if (feature == ct_featureVertex || s->shape->type == ct_shapeSphere) {
        Curve ball = {s->shape->round, 0.0, s->shape->round};
        return ball;
    }
    ctVec3 d1 = supportRate(s, direction, e1), d2 = supportRate(s, direction, e2);
    double h11 = ctDot(d1, e1), h12 = ctDot(d1, e2), h21 = ctDot(d2, e1), h22 = ctDot(d2, e2);
    double cross = h11 * h22 - h12 * h21, sum = h11 + h22;
    if (fabs(h12 - h21) <= 1e-3 * sum && cross > 1e-6 * sum * sum) {
        Curve smooth = {h11, 0.5 * (h12 + h21), h22};
        return smooth;
    }
    bool first = h11 * h11 + h12 * h12 > h21 * h21 + h22 * h22;
    double x = first ? h11 : h21, y = first ? h12 : h22, jump = sqrt(x * x + y * y);
    if (!(jump > 0.0)) {
        return (Curve){0.0, 0.0, 0.0};
    }
    x /= jump;
    y /= jump;
    ctVec3 across = ctAdd(ctScale(-y, e1), ctScale(x, e2));
    double rest = ctDot(supportRate(s, direction, across), across);
    Curve edge = {jump * x * x + rest * y * y, (jump - rest) * x * y, jump * y * y + rest * x * x};
    return edge;
}

// The turning of the shortest connection, from the equation for n' above.
static ctVec3 turningOf(Pair *pair, const ctClosest *closest, ctVec3 v)
{
    ctVec3 e1, e2, n = pair->n;
    ctFrameFromNormal(n, &e1, &e2);
    Curve a = curveOf(&pair->a, closest->featureA, n, e1, e2);
    Curve b = curveOf(&pair->b, closest->featureB, ctNeg(n), e1, e2);
    ctVec3 na = ctCross(pair->a.w, n), nb = ctCross(pair->b.w, n);
    double a1 = ctDot(na, e1), a2 = ctDot(na, e2), b1 = ctDot(nb, e1), b2 = ctDot(nb, e2);
    double d = closest->distance > 0.0 ? closest->distance : 0.0;
    double m11 = d + a.h11 + b.h11, m12 = a.h12 + b.h12, m22 = d + a.h22 + b.h22;
    double r1 = ctDot(v, e1) + a.h11 * a1 + a.h12 * a2 + b.h11 * b1 + b.h12 * b2;
    double r2 = ctDot(v, e2) + a.h12 * a1 + a.h22 * a2 + b.h12 * b1 + b.h22 * b2;
    double det = m11 * m22 - m12 * m12;
    if (!(det > 0.0)) {
        return ctZero3();
    }
    ctVec3 rate = ctAdd(ctScale((r1 * m22 - r2 * m12) / det, e1), ctScale((r2 * m11 - r1 * m12) / det, e2));
    // About n itself it may turn in any way: it turns with the flatter side.
    double flatA = a.h11 + a.h22, flatB = b.h11 + b.h22;
    double along = (flatA * ctDot(pair->a.w, n) + flatB * ctDot(pair->b.w, n)) / (flatA + flatB + d);
    return ctMulAdd(ctCross(n, rate), along, n);
}

static double boundAgainstPlane(const ctToiInput *in, bool *exact)
{
    bool swap = in->shapeA->type == ct_shapePlane;
    const ctMotion *mA = swap ? in->motionB : in->motionA, *mB = swap ? in->motionA : in->motionB;
    const ctShape *plane = swap ? in->shapeA : in->shapeB;
    ctTransform leaf = swap ? in->leafA : in->leafB;
    Pair pair = {.nuRate = 0.0, .stray = mA->stray};
    setSide(&pair.a, ctShape_Against(swap ? in->shapeB : in->shapeA, plane), swap ? &in->leafB : &in->leafA, mA);
    ctPose pose = ctMotion_Pose(mB);
    ctVec3 n = ctMulMV(pose.r, ctRotate(leaf.q, plane->u.plane.normal));
    double offset = plane->u.plane.offset + ctDot(n, ctPosePoint(&pose, leaf.p));
    double height = ctDot(n, mA->x) - offset;
    if (pair.a.core == 0.0) {
        *exact = mA->stray == 0.0;
        return ctFallTime(height - pair.a.shape->round, ctDot(n, mA->v), ctDot(n, mA->a) - mA->stray);
    }
    ctVec3 point = swap ? in->closest->pointB : in->closest->pointA;
    double speed = ctDot(n, ctAdd(mA->v, ctCross(mA->w, ctSub(point, mA->x))));
    followAlpha(&pair.a, mA, timeOf(&pair, in, speed, ctDot(n, mA->a)));
    setCourse(&pair, ctScale(height, n), mA->v, mA->a, n);
    double t = followPlane(&pair, ctZero3(), in->horizon, ENOUGH_EXACT);
    return t < in->horizon ? followBalls(&pair, t) : t;
}

// The distance shrinks by no more than the sum of all speeds.
static double boundBySpeed(const ctToiInput *in, const Pair *pair)
{
    if (!(in->closest->distance > 0.0)) {
        return 0.0;
    }
    double speed = pair->speed + pair->a.rho * in->motionA->wMax + pair->b.rho * in->motionB->wMax;
    return ctFallTime(in->closest->distance, -speed, -pair->pull);
}

// By the plane that turns with the shortest connection, and if that does not help by one that does not turn. v: of A's
// closest point relative to B's.
static double boundByPlane(const ctToiInput *in, Pair *pair, ctVec3 v)
{
    const ctClosest *c = in->closest;
    bool face = c->featureA == ct_featureFace || c->featureB == ct_featureFace;
    ctVec3 nu = c->featureB == ct_featureFace ? pair->b.w : face ? pair->a.w : turningOf(pair, c, v);
    double t = followPlane(pair, nu, in->horizon, face ? ENOUGH_EXACT : ENOUGH);
    double hoped = ctFallTime(pair->s0, ctDot(v, pair->n), ctDot(pair->g, pair->n));
    if (t < GOOD * (hoped < in->horizon ? hoped : in->horizon) && pair->nuRate > 0.0) {
        double fixed = followPlane(pair, ctZero3(), in->horizon, ENOUGH);
        t = t > fixed ? t : fixed;
    }
    return t < in->horizon ? followBalls(pair, t) : t;
}

static double boundBetween(const ctToiInput *in, bool *exact)
{
    const ctMotion *mA = in->motionA, *mB = in->motionB;
    Pair pair = {.nuRate = 0.0, .stray = mA->stray + mB->stray};
    setSide(&pair.a, ctShape_Against(in->shapeA, in->shapeB), &in->leafA, mA);
    setSide(&pair.b, ctShape_Against(in->shapeB, in->shapeA), &in->leafB, mB);
    ctVec3 x = ctSub(mA->x, mB->x), v = ctSub(mA->v, mB->v), g = ctSub(mA->a, mB->a);
    if (pair.a.core == 0.0 && pair.b.core == 0.0 && pair.stray > 0.0) {
        ctVec3 n = in->closest->normal;
        return ctFallTime(in->closest->distance, ctDot(n, v), ctDot(n, g) - pair.stray);
    }
    if (pair.a.core == 0.0 && pair.b.core == 0.0) {
        *exact = true;
        return ctBallsTime(x, v, g, pair.a.shape->round + pair.b.shape->round, in->horizon);
    }
    double rho = pair.a.rho + pair.b.rho, balls = 0.0;
    if (ctLengthSquared(x) > rho * rho && pair.stray == 0.0) {
        balls = ctBallsTime(x, v, g, rho, in->horizon);
        if (balls >= in->horizon) {
            return balls;
        }
    }
    const ctClosest *c = in->closest;
    ctVec3 va = ctCross(mA->w, ctSub(c->pointA, mA->x)), vb = ctCross(mB->w, ctSub(c->pointB, mB->x));
    ctVec3 approach = ctAdd(v, ctSub(va, vb));
    double time = timeOf(&pair, in, ctDot(approach, c->normal), ctDot(g, c->normal));
    followAlpha(&pair.a, mA, time);
    followAlpha(&pair.b, mB, time);
    setCourse(&pair, x, v, g, c->normal);
    double t = boundByPlane(in, &pair, approach), speed = t < in->horizon ? boundBySpeed(in, &pair) : 0.0;
    t = t > balls ? t : balls;
    return t > speed ? t : speed;
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
