// Paths of kinematic bodies: poses over time, joined by cubics.
//
// Between two points, T apart, the shape's origin follows the cubic p(s) with the given places and velocities at both
// ends, and the orientation is q(s) = q0 exp(f(s)), f the cubic of rotation vectors in the frame of q0 with
//     f(0) = 0,  f(T) = F = log(q0^-1 q1),  f'(0) = w0,  f'(T) = J(F)^-1 w1,
// w0 and w1 the angular velocities there in the body's frames. The angular velocity in between is J(f) f', with the
// right Jacobian of rotations, a = |f|,
//     J(f) = 1 - (1 - cos a) / a^2 [f] + (a - sin a) / a^3 [f]^2.
// J is no longer than 1, and neither is its derivative, so that |w| <= |f'| and |dw/dt| <= |f''| + |f'|^2. The
// derivative of a cubic is a quadratic, and nowhere longer than its three Bezier points.
#include "engine/flight/flight.h"

#include "collision/elementary.h"
#include "collision/memory.h"
#include "collision/quat.h"

// [rounding] Step of the central differences for the angular acceleration, as a share of a piece.
#define STEP 1e-5
// [rounding] Times that differ by this share are one.
#define ROUNDING 1e-12

// J v, and J^-1 v.
static ctVec3 jacobian(ctVec3 f, ctVec3 v)
{
    double a2 = ctLengthSquared(f), a = sqrt(a2);
    double b = a > 1e-4 ? (1.0 - ctCos(a)) / a2 : 0.5 - a2 / 24.0;
    double c = a > 1e-2 ? (a - ctSin(a)) / (a2 * a) : 1.0 / 6.0 - a2 / 120.0 + a2 * a2 / 5040.0;
    ctVec3 once = ctCross(f, v);
    return ctMulAdd(ctMulAdd(v, -b, once), c, ctCross(f, once));
}

static ctVec3 inverseJacobian(ctVec3 f, ctVec3 v)
{
    double a2 = ctLengthSquared(f), a = sqrt(a2);
    double c = a > 1e-2 ? 1.0 / a2 - (1.0 + ctCos(a)) / (2.0 * a * ctSin(a)) : 1.0 / 12.0 + a2 / 720.0;
    ctVec3 once = ctCross(f, v);
    return ctMulAdd(ctMulAdd(v, 0.5, once), c, ctCross(f, once));
}

// The cubic from a to b in time t with rates da and db: value, first and second derivative at s.
static void cubic(ctVec3 a, ctVec3 da, ctVec3 b, ctVec3 db, double t, double s, ctVec3 out[3])
{
    double u = s / t;
    ctVec3 d = ctSub(b, a), p = ctScale(t, da), q = ctScale(t, db);
    ctVec3 c2 = ctSub(ctScale(3.0, d), ctAdd(ctScale(2.0, p), q)), c3 = ctSub(ctAdd(p, q), ctScale(2.0, d));
    out[0] = ctAdd(a, ctScale(u, ctAdd(p, ctScale(u, ctMulAdd(c2, u, c3)))));
    out[1] = ctScale(1.0 / t, ctAdd(p, ctScale(u, ctAdd(ctScale(2.0, c2), ctScale(3.0 * u, c3)))));
    out[2] = ctScale(2.0 / (t * t), ctMulAdd(c2, 3.0 * u, c3));
}

// The cubic of rotation vectors of a piece: f(T), f'(0), f'(T).
static void turnsOf(const ctPathKnot *k, const ctPathKnot *next, ctVec3 *end, ctVec3 *rate0, ctVec3 *rate1)
{
    *end = ctQuatLog(ctMulQ(ctConjugate(k->q), next->q));
    *rate0 = ctInvRotate(k->q, k->w);
    *rate1 = inverseJacobian(*end, ctInvRotate(next->q, next->w));
}

// The piece of the path at a time, and the time s within it; false before the first and after the last point, where the
// body rests.
static bool placeAt(const ctPath *path, double time, int *piece, double *s)
{
    double start = path->knots[0].time, length = path->knots[path->count - 1].time - start;
    if (path->loop && time > start) {
        time = start + (time - start) - length * floor((time - start) / length);
    }
    if (!(time >= start) || time >= start + length) {
        *piece = time < start ? 0 : path->count - 1;
        return false;
    }
    int lo = 0, hi = path->count - 1; // knots[lo].time <= time < knots[hi].time
    while (hi - lo > 1) {
        int middle = (lo + hi) / 2;
        *(path->knots[middle].time <= time ? &lo : &hi) = middle;
    }
    *piece = lo;
    *s = time - path->knots[lo].time;
    return true;
}

static ctVec3 spinIn(const ctPathKnot *k, const ctPathKnot *next, double s, ctQuat *q)
{
    ctVec3 end, r0, r1, f[3];
    turnsOf(k, next, &end, &r0, &r1);
    cubic(ctZero3(), r0, end, r1, next->time - k->time, s, f);
    *q = ctNormalizeQ(ctMulQ(k->q, ctQuatExp(f[0])));
    return ctRotate(*q, jacobian(f[0], f[1]));
}

ctPathState ctPath_At(const ctPath *path, ctVec3 center, double time)
{
    int i;
    double s;
    if (!placeAt(path, time, &i, &s)) {
        const ctPathKnot *k = &path->knots[i];
        return (ctPathState){.x = ctAdd(k->p, ctRotate(k->q, center)), .q = k->q};
    }
    const ctPathKnot *k = &path->knots[i], *next = &path->knots[i + 1];
    double t = next->time - k->time, h = STEP * t;
    double before = s > h ? s - h : 0.0, after = s < t - h ? s + h : t;
    ctPathState state;
    ctQuat ignored;
    state.w = spinIn(k, next, s, &state.q);
    state.alpha =
        ctScale(1.0 / (after - before), ctSub(spinIn(k, next, after, &ignored), spinIn(k, next, before, &ignored)));
    ctVec3 p[3], arm = ctRotate(state.q, center), swing = ctCross(state.w, arm);
    cubic(k->p, k->v, next->p, next->v, t, s, p);
    state.x = ctAdd(p[0], arm);
    state.v = ctAdd(p[1], swing);
    state.a = ctAdd(p[2], ctAdd(ctCross(state.alpha, arm), ctCross(state.w, swing)));
    return state;
}

double ctPath_NextKnot(const ctPath *path, double time)
{
    double start = path->knots[0].time, length = path->knots[path->count - 1].time - start;
    double turns = path->loop && time > start ? length * floor((time - start) / length) : 0.0;
    double least = time + ROUNDING * (fabs(time) + length);
    for (int i = 0; i < path->count; i++) {
        if (path->knots[i].time + turns > least) {
            return path->knots[i].time + turns;
        }
    }
    return path->loop ? path->knots[1].time + turns + length : (double)INFINITY;
}

// Bounds of the first and second derivative of a cubic from a to b.
static void longest(ctVec3 a, ctVec3 da, ctVec3 b, ctVec3 db, double t, double *speed, double *rate)
{
    ctVec3 middle = ctSub(ctScale(3.0 / t, ctSub(b, a)), ctAdd(da, db));
    *speed = ctFmax(ctFmax(ctLength(da), ctLength(db)), ctLength(middle));
    *rate = 2.0 / t * ctFmax(ctDistance(middle, da), ctDistance(db, middle));
}

ctPathBounds ctPath_Bounds(const ctPath *path, ctVec3 center, double from, double seconds)
{
    ctPathBounds bounds = {0};
    double start = path->knots[0].time, length = path->knots[path->count - 1].time - start, arm = ctLength(center);
    double first = from - start, last = first + seconds;
    if (path->loop && first > 0.0) {
        first -= length * floor(first / length);
        last = first + seconds;
    }
    for (int i = 0; i + 1 < path->count; i++) {
        const ctPathKnot *k = &path->knots[i], *next = &path->knots[i + 1];
        double begin = k->time - start, end = next->time - start;
        bool again = path->loop && begin + length <= last; // the path starts again
        if (!((begin <= last && end >= first) || again)) {
            continue;
        }
        ctVec3 turn, r0, r1;
        double speed, rate, spin, twist;
        longest(k->p, k->v, next->p, next->v, end - begin, &speed, &rate);
        turnsOf(k, next, &turn, &r0, &r1);
        longest(ctZero3(), r0, turn, r1, end - begin, &spin, &twist);
        twist += spin * spin;
        bounds.spin = ctFmax(bounds.spin, spin);
        bounds.twist = ctFmax(bounds.twist, twist);
        bounds.speed = ctFmax(bounds.speed, speed + arm * spin);
        bounds.rate = ctFmax(bounds.rate, rate + arm * (twist + spin * spin));
    }
    return bounds;
}

// ---- making one -------------------------------------------------------------------------------

// The rate at a point from the slopes before and after it: that of the parabola through the three points.
static ctVec3 between(ctVec3 before, ctVec3 after, double t0, double t1)
{
    return ctScale(1.0 / (t0 + t1), ctAdd(ctScale(t1, before), ctScale(t0, after)));
}

static ctVec3 turnRate(const ctPathKnot *k, const ctPathKnot *next)
{
    ctVec3 turn = ctQuatLog(ctMulQ(next->q, ctConjugate(k->q)));
    return ctScale(1.0 / (next->time - k->time), turn);
}

static ctVec3 slope(const ctPathKnot *k, const ctPathKnot *next)
{
    return ctScale(1.0 / (next->time - k->time), ctSub(next->p, k->p));
}

void ctPath_Smooth(ctPath *path, const bool *given)
{
    int last = path->count - 1;
    for (int i = 0; i <= last; i++) {
        ctPathKnot *k = path->knots;
        bool end = i == 0 || i == last;
        if (given[i] || (end && !path->loop)) {
            continue; // a path that is no loop starts and ends at rest
        }
        const ctPathKnot *a = end ? &k[last - 1] : &k[i - 1], *b = end ? &k[last] : &k[i];
        const ctPathKnot *c = end ? &k[0] : &k[i], *d = end ? &k[1] : &k[i + 1];
        double t0 = b->time - a->time, t1 = d->time - c->time;
        k[i].v = between(slope(a, b), slope(c, d), t0, t1);
        k[i].w = between(turnRate(a, b), turnRate(c, d), t0, t1);
    }
}
