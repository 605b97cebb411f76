// The curved piece of an impact: sliding along the flow of impact/flow.h to the origin or to the end.
//
// Accuracy. What is left of the angular transient near an attracting ray is dropped when it is below 1e-12 of the
// impulse. Near a ray that attracts and leads to the origin the rest of the way is a power series (jumpToOrigin). Near
// a ray that repels, the deviation from it grows exponentially and must be accurate relative to itself, which no error
// estimate of the direction can see: it grows by a power series too (jumpFromRay), or in steps that are capped.
#include "engine/impact/walk.h"

#include <string.h>

// Tolerances of the walk, as shares of the impulse: the last terms of a curve at the end of a step, and what r may
// still change near the origin. Larger: digits are lost; smaller: more time.
#define STEP_TOLERANCE (10.0 * CT_LAST_TERM)
#define RAY_ROUNDING 4e-15 // [rounding] |f| below this fraction of its scale is zero
#define REPELLED 0.35      // the longest step near a repelling ray, times 1/(df/dtheta)
#define LONGEST_STEP 2.0   // times 1/flowSpeed
// [range] Least rate of a nearly straight curve, relative to that of the impulse: products of terms stay in the range
// of double.
#define SLOWEST 1e-6
// [cap] Far above what any input has needed: steps of a walk, pieces of a step.
enum { MAX_STEPS = 1000, MAX_PIECES = 8 };

// ---- goals and steps ------------------------------------------------------------------------------

typedef enum Goal { NOTHING, UZ_RISES, UZ_FALLS, END } Goal;

// The quantity that becomes zero at a goal, rising, with its first and half its second derivative by tau or t.
typedef ctFlowValue Residual;

// At a state, by tau.
static Residual residualOf(const ctWalk *w, Goal goal, const ctFlowState *at)
{
    ctFlowLocal l = flowLocal(&w->flow, at->c, at->s);
    double r = at->r;
    if (goal == END && w->poisson) {
        return (Residual){at->pz - w->target, r, 0.5 * r * l.g};
    }
    if (goal == END) {
        return (Residual){debtNow(w, at), r * at->uz, 0.5 * (r * l.g * at->uz + r * r * l.kz)};
    }
    double sign = goal == UZ_RISES ? 1.0 : -1.0;
    return (Residual){sign * at->uz, sign * r * l.kz, sign * 0.5 * r * (l.g * l.kz + l.f * l.kzSlope)};
}

// On a curve, by t.
static Residual residualAt(const ctWalk *w, Goal goal, const ctFlowSeries *curve, double t)
{
    Residual x;
    if (goal == END && w->poisson) {
        x = ctFlow_ValueAt(curve->state, 3, t);
        x.value -= w->target;
    } else if (goal == END) {
        x = ctFlow_ValueAt(curve->sums, 3, t);
        x.value = w->debt + (x.value - w->mark);
    } else {
        double sign = goal == UZ_RISES ? 1.0 : -1.0;
        x = ctFlow_ValueAt(curve->state, 2, t);
        x = (Residual){sign * x.value, sign * x.slope, sign * x.bend};
    }
    return x;
}

// The step at which the parabola through a residual reaches zero upwards; INFINITY when it does not.
static double parabolaRoot(Residual x)
{
    double discriminant = x.slope * x.slope - 4.0 * x.bend * x.value;
    double root = discriminant > 0.0 ? x.slope + sqrt(discriminant) : 0.0;
    return root > 0.0 ? -2.0 * x.value / root : INFINITY;
}

// The goal that comes next.
static Goal nextGoal(const ctWalk *w)
{
    return w->decompressing || w->target < INFINITY ? END : UZ_RISES;
}

// The goal that was passed between w->at and next. u_z is monotone on the piece.
static Goal passedGoal(const ctWalk *w, const ctFlowState *next)
{
    if (w->poisson && w->target < INFINITY) {
        return next->pz >= w->target ? END : NOTHING;
    }
    if (!w->decompressing) {
        return next->uz >= 0.0 ? UZ_RISES : NOTHING;
    }
    if (next->uz < 0.0) {
        return UZ_FALLS;
    }
    return !w->poisson && debtNow(w, next) >= 0.0 ? END : NOTHING;
}

// A stretch of a curve: the walk is at t = from, and goes on to `end` or to the first goal before.
typedef struct Stretch {
    const ctFlowSeries *curve;
    double unit; // of t, in tau
    double from, end;
} Stretch;

// An estimate, by a parabola, of when a goal is reached.
static double guess(const ctWalk *w, Goal goal, const Stretch *s)
{
    return s->from + parabolaRoot(residualOf(w, goal, &w->at)) / s->unit;
}

// The t of a stretch at which the residual of a goal is zero, by Newton's method of second order, from t on, kept
// inside the bracket; INFINITY when it is below zero at the end.
static double locate(const ctWalk *w, Goal goal, const Stretch *s, double t)
{
    double lo = s->from, hi = s->end;
    t = t > lo && t < hi ? t : hi;
    for (int i = 0; i < 60; i++) {
        Residual x = residualAt(w, goal, s->curve, t);
        if (x.value < 0.0 && t == s->end) {
            return INFINITY;
        }
        if (x.value >= 0.0) {
            hi = least(hi, t);
        } else {
            lo = most(lo, t);
        }
        // The zero of the parabola, -2 value / (slope + sqrt(slope^2 - 4 bend value)), without squares.
        double inverse = 1.0 / x.slope, newton = -x.value * inverse, bent = newton * x.bend * inverse;
        double step = x.slope > 0.0 ? 2.0 * newton / (1.0 + sqrt(1.0 + 4.0 * bent)) : (double)INFINITY;
        double next = t + step;
        bool outside = !(next >= lo && next <= hi);
        if (outside) { // bisection, which tries the end first
            next = hi == s->end && next >= hi && t != hi ? hi : 0.5 * (lo + hi);
        }
        t = next;
        if ((!outside && fabs(step) < 1e-5 && fabs(bent) < 1e-3) || hi - lo <= 1e-16 * (s->end - s->from)) {
            break; // the next correction would be of third order in this one
        }
    }
    return t;
}

// The directions in which kz = 0, between which u_z is monotone: mu |d| cos(theta - theta_d) = K33.
typedef struct Turning {
    int count;
    double c[2], s[2];
} Turning;

static Turning turningDirections(const ctFlow *k)
{
    Turning t = {0, {0, 0}, {0, 0}};
    double n = sqrt(k->n1 * k->n1 + k->n2 * k->n2);
    if (n > k->k33) {
        double q = k->k33 / n, side = sqrt((1.0 - q) * (1.0 + q)), a = k->n1 / n, b = k->n2 / n;
        t = (Turning){2, {a * q - b * side, a * q + b * side}, {b * q + a * side, b * q - a * side}};
    }
    return t;
}

// The fraction of a step of length h from a to b at which the first turning direction is passed; 1 when none is. The
// sine of the angle to it is followed by a parabola: its values at both ends, its slope at a, where theta' = f.
static double turningFraction(const Turning *t, const ctFlowState *a, const ctFlowState *b, double h, double f)
{
    double fraction = 1.0;
    for (int i = 0; i < t->count; i++) {
        double before = a->c * t->s[i] - a->s * t->c[i], after = b->c * t->s[i] - b->s * t->c[i];
        double cosine = a->c * t->c[i] + a->s * t->s[i];
        if (before * after < 0.0 && fabs(before) > 1e-9 && cosine > 0.0) {
            double sign = before < 0.0 ? 1.0 : -1.0, slope = -f * cosine * h;
            double x = parabolaRoot((Residual){sign * before, sign * slope, sign * (after - before - slope)});
            fraction = least(fraction, x < 1.0 ? x : before / (before - after));
        }
    }
    return fraction;
}

// The first goal on a stretch. *next is the state there, and s->end its t.
static Goal firstGoal(const ctWalk *w, const Turning *turning, Stretch *s, ctFlowState *next)
{
    Goal goal = nextGoal(w);
    double t = guess(w, goal, s);
    // Where u_z cannot turn, Newton's method finds the only zero: the end of the stretch need not be known.
    t = turning->count == 0 && t < s->end ? locate(w, goal, s, t) : INFINITY;
    if (t <= s->end) {
        s->end = t;
        ctFlow_At(s->curve, t, next);
        return goal;
    }
    ctFlow_At(s->curve, s->end, next);
    if (turning->count > 0) {
        double f = flowLocal(&w->flow, w->at.c, w->at.s).f, length = s->end - s->from;
        double fraction = turningFraction(turning, &w->at, next, length * s->unit, f);
        if (fraction < 1.0) {
            s->end = s->from + fraction * length;
            ctFlow_At(s->curve, s->end, next);
        }
    }
    goal = passedGoal(w, next);
    if (goal == NOTHING) {
        return NOTHING;
    }
    s->end = least(s->end, locate(w, goal, s, guess(w, goal, s)));
    ctFlow_At(s->curve, s->end, next);
    if (goal == UZ_FALLS && !w->poisson && debtNow(w, next) >= 0.0) { // the impact ended before u_z turned back
        goal = END;
        s->end = least(s->end, locate(w, goal, s, guess(w, goal, s)));
        ctFlow_At(s->curve, s->end, next);
    }
    return goal;
}

// Samples strictly inside a stretch, so that plots of it are smooth.
static void recordCurve(ctWalk *w, const Stretch *s)
{
    enum { INSIDE = 12 };
    for (int i = 1; i < INSIDE; i++) {
        ctFlowState between;
        ctFlow_At(s->curve, s->from + (s->end - s->from) * i / INSIDE, &between);
        ctRecordSample(w, &between);
    }
}

// Follows a curve to t = end through all goals before. True when the impact is over.
static bool followCurve(ctWalk *w, const ctFlowSeries *curve, const Turning *turning, double unit, double end)
{
    Stretch s = {curve, unit, 0.0, 0.0};
    for (int i = 0; i < MAX_PIECES && s.end < end; i++) {
        ctFlowState next;
        s.from = s.end;
        s.end = end;
        Goal goal = firstGoal(w, turning, &s, &next);
        if (w->course != NULL) {
            recordCurve(w, &s);
            ctRecordSample(w, &next);
        }
        w->at = next;
        if (goal == END || (goal != NOTHING && ctChangePhase(w, flowLocal(&w->flow, next.c, next.s).kz))) {
            return true;
        }
    }
    return false;
}

// ---- near a ray that attracts ---------------------------------------------------------------------

// Whether no goal is on the straight way to the origin; then none is on a part of it.
static bool wayIsFree(const ctWalk *w, const ctFlowLocal *l)
{
    const ctFlowState *at = &w->at;
    double way = at->r / -l->g, uz = at->uz + l->kz * way;
    if (w->target < INFINITY) {
        return at->pz + way < w->target;
    }
    return w->decompressing ? uz > 0.0 && debtNow(w, at) + 0.5 * way * (at->uz + uz) < 0.0 : uz < 0.0;
}

// A cheap test whether jumpToOrigin may succeed: the ray is near enough for the series to be accurate, and no goal is
// on the straight way to the origin.
static bool originIsNext(const ctWalk *w, const ctFlowLocal *l, double total)
{
    const ctFlowState *at = &w->at;
    double x = l->f / l->fSlope, x2 = x * x, x8 = x2 * x2 * x2 * x2;
    if (!(x8 * at->r < -1e-11 * l->g * total)) {
        return false;
    }
    return wayIsFree(w, l);
}

// Jumps to the origin when the ray nearby leads there, the series is accurate, and no goal is on the way. True when it
// did.
static bool jumpToOrigin(ctWalk *w)
{
    ctFlowState *at = &w->at;
    ctOriginWay way;
    if (!ctWayToOrigin(&w->flow, at, w->finesse * CT_LAST_TERM, w->scale.impulse, &way)) {
        return false;
    }
    double uz = at->uz + way.uz, work = uz * way.pz + way.work;
    if (way.uz * flowLocal(&w->flow, at->c, at->s).kz < 0.0 || uz * at->uz < 0.0) {
        return false; // u_z may turn, or pass zero, on the way
    }
    if (w->target < INFINITY ? at->pz + way.pz >= w->target : w->decompressing && debtNow(w, at) + work >= 0.0) {
        return false; // the impact ends on the way
    }
    at->pz += way.pz;
    at->ix += way.ix;
    at->iy += way.iy;
    at->uz = uz;
    at->work += work;
    at->slip += way.slip;
    at->r = 0.0;
    if (w->course != NULL) {
        ctRecordSample(w, at);
    }
    return true;
}

// ---- near a ray that repels -----------------------------------------------------------------------

// Next to a ray that repels, the deviation from it grows by many powers of ten before it matters. This jumps over that
// growth when no goal is on the way. True when it did.
static bool jumpFromRay(ctWalk *w, const ctFlowLocal *l)
{
    const ctFlowState *at = &w->at;
    ctFlowState next;
    if (!(l->fSlope > 0.0 && l->g < 0.0 && fabs(l->f) < 2e-3 * l->fSlope) || !wayIsFree(w, l) ||
        !ctWayFromRay(&w->flow, at, w->finesse * CT_LAST_TERM, w->scale.impulse, &next)) {
        return false;
    }
    if (l->kz * flowLocal(&w->flow, next.c, next.s).kz < 0.0 || passedGoal(w, &next) != NOTHING) {
        return false; // u_z may turn, or a goal is on the way after all
    }
    w->at = next;
    return true;
}

// ---- the curve -------------------------------------------------------------------------------------

// x^(1/n) to about 1 %, x > 0: sign, exponent and mantissa of a double, read as one integer, are nearly a logarithm.
static inline double roughRoot(double x, uint64_t n)
{
    const uint64_t one = (uint64_t)1023 << 52;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / n + (one - one / n);
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The square of a term of the curve at t = 1, relative: of u_t to the speed, as far as that has an influence on the
// impulse, of p_z, and of the work.
static double squaredTerm(const ctWalk *w, const ctFlowSeries *curve, int k)
{
    const double *term = curve->state[k], impulse = most(w->at.pz, w->scale.impulse), perImpulse = 1.0 / impulse;
    double perSpeed = 1.0 / (w->at.r + w->scale.rate * impulse), p = term[3] * perImpulse;
    double work = curve->sums[k][3] * perImpulse * perImpulse / w->flow.k33;
    return (term[0] * term[0] + term[1] * term[1]) * perSpeed * perSpeed + p * p + work * work;
}

// How far the last two terms of a curve stay small. rate: of r over t; errors of u_t count relative to r at the end.
static double reachOf(const ctWalk *w, const ctFlowSeries *curve, double rate)
{
    enum { LAST = CT_FLOW_ORDER };
    const double tolerance = w->finesse * STEP_TOLERANCE, squared = tolerance * tolerance;
    double last = squaredTerm(w, curve, LAST), second = squaredTerm(w, curve, LAST - 1);
    double reach = LONGEST_STEP;
    reach = last > 0.0 ? least(reach, roughRoot(squared / last, 2 * LAST)) : reach;
    reach = second > 0.0 ? least(reach, roughRoot(squared / second, 2 * (LAST - 1))) : reach;
    return rate < 0.0 ? reach * (1.0 + rate * reach / LAST) : reach;
}

// Whether the curve has become straight, or has reached the origin to rounding.
typedef enum Shortcut { NO_SHORTCUT, ON_RAY, AT_ORIGIN } Shortcut;

static Shortcut findShortcut(ctWalk *w, const ctFlowLocal *l)
{
    const ctFlow *k = &w->flow;
    ctFlowState *at = &w->at;
    const double scale = k->m11 + k->m22 + fabs(k->d1) + fabs(k->d2), total = most(at->pz, w->scale.impulse);
    if (fabs(l->f) < RAY_ROUNDING * scale) {
        return ON_RAY;
    }
    double reach = at->r + (l->g > 0.0 ? l->g * total : 0.0);
    if (fabs(l->f) < -0.05 * l->fSlope &&
        fabs(l->f) * reach < w->finesse * CT_LAST_TERM * l->fSlope * l->fSlope * total) {
        double c = at->c, s = at->s;
        if (ctTurnToRay(k, &c, &s)) {
            at->c = c;
            at->s = s;
        }
        return ON_RAY;
    }
    if (l->g < 0.0) {
        if (at->r < STEP_TOLERANCE * w->scale.rate * total) {
            at->r = 0.0;
            if (w->course != NULL) {
                ctRecordSample(w, at);
            }
            return AT_ORIGIN;
        }
        // A recorded course needs all samples on the way.
        if (w->course == NULL && fabs(l->f) < -w->nearEnough * l->fSlope && originIsNext(w, l, total)) {
            if (jumpToOrigin(w)) {
                return AT_ORIGIN;
            }
            w->nearEnough = -0.6 * fabs(l->f) / l->fSlope; // try again only when the ray is nearer
        }
    }
    return NO_SHORTCUT;
}

bool ctWalkCurve(ctWalk *w)
{
    const Turning turning = turningDirections(&w->flow);
    w->nearEnough = 0.5;
    for (w->steps = 0; w->steps < MAX_STEPS; w->steps++) {
        ctFlowLocal l = flowLocal(&w->flow, w->at.c, w->at.s);
        Shortcut shortcut = findShortcut(w, &l);
        if (shortcut != NO_SHORTCUT) {
            return shortcut == ON_RAY && ctWalkAlongRay(w);
        }
        if (w->course == NULL && jumpFromRay(w, &l)) {
            continue;
        }
        ctFlowSeries curve;
        const double unit = 1.0 / most(flowSpeed(&l), SLOWEST * w->at.r / most(w->at.pz, w->scale.impulse));
        ctFlow_Expand(&w->flow, &w->at, unit, &curve);
        double end = reachOf(w, &curve, unit * l.g);
        end = l.fSlope > 0.0 ? least(end, REPELLED / (unit * l.fSlope)) : end;
        if (followCurve(w, &curve, &turning, unit, end)) {
            return true;
        }
    }
    return ctWalkAlongRay(w);
}
