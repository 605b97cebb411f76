// The curved piece of an impact: sliding along the flow of impact/flow.h to the origin or to the end.
//
// Accuracy. What is left of the angular transient near an attracting ray is dropped when it is below 1e-12 of the
// impulse. Near a ray that attracts and leads to the origin the rest of the way is a power series (jumpToOrigin). Near
// a ray that repels, the deviation from it grows exponentially and must be accurate relative to itself, which no error
// estimate of the direction can see: it grows by a power series too (jumpFromRay), or in steps that are capped.
#include "engine/impact/walk.h"

#include <string.h>

// Tunables of the walk. Raising the first loses digits; it is far below the promised 1e-9 because errors of a step are
// amplified by what follows. Of the others: larger, steps are rejected or digits lost; smaller, time.
#define STEP_TOLERANCE 1.5e-10
#define RAY_ROUNDING 4e-15                     // [rounding] |f| below this fraction of its scale is zero
#define ORIGIN_TOLERANCE (10.0 * CT_LAST_TERM) // of the impulse, that r may still change
#define FIRST_STEP 0.35  // times 1/flowSpeed; also the longest step near a repelling ray, times 1/(df/dtheta)
#define LONGEST_STEP 2.0 // times 1/flowSpeed
#define MAX_STEPS 1000   // [cap] far above what any input has needed

// Samples strictly inside a curved step, so that pictures of it are smooth.
static void recordCurve(ctWalk *w, double h, double speed)
{
    enum { INSIDE = 12 };
    for (int i = 1; i < INSIDE; i++) {
        ctFlowState between;
        ctFlowMove(&w->flow, &w->at, h * i / INSIDE, speed, &between);
        ctRecordSample(w, &between);
    }
}

// ---- goals and steps ------------------------------------------------------------------------------

typedef enum Goal { NOTHING, UZ_RISES, UZ_FALLS, END } Goal;

// What must become zero for a goal, rising, with its first and half its second derivative by tau.
typedef struct Residual {
    double value, slope, bend;
} Residual;

static Residual residualOf(const ctWalk *w, Goal goal, const ctFlowState *at)
{
    ctFlowLocal l = flowLocal(&w->flow, at->c, at->s);
    double r = at->r;
    Residual x;
    if (goal == END && w->poisson) {
        x = (Residual){at->pz - w->target, r, 0.5 * r * l.g};
    } else if (goal == END) {
        x = (Residual){debtNow(w, at), r * at->uz, 0.5 * (r * l.g * at->uz + r * r * l.kz)};
    } else {
        double sign = goal == UZ_RISES ? 1.0 : -1.0;
        x = (Residual){sign * at->uz, sign * r * l.kz, sign * 0.5 * r * (l.g * l.kz + l.f * l.kzSlope)};
    }
    return x;
}

// The step in tau at which the parabola through a residual reaches zero upwards; INFINITY when it does not.
static double parabolaRoot(Residual x)
{
    double discriminant = x.slope * x.slope - 4.0 * x.bend * x.value;
    double root = discriminant > 0.0 ? x.slope + sqrt(discriminant) : 0.0;
    return root > 0.0 ? -2.0 * x.value / root : INFINITY;
}

// What the walk should aim its next step at.
static Goal nextGoal(const ctWalk *w)
{
    if (w->poisson && w->target < INFINITY) {
        return END;
    }
    return w->decompressing ? END : UZ_RISES;
}

// What has happened between w->at and next. u_z is monotone on the piece.
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

// The point between tau = lo and hi after w->at where the residual of a goal is zero, by Newton's method of
// second order kept inside the bracket. *state is at *tau on the way in and out.
static void locate(const ctWalk *w, Goal goal, double lo, double hi, double speed, double *tau, ctFlowState *state)
{
    double width = hi - lo;
    for (int i = 0; i < 60; i++) {
        Residual x = residualOf(w, goal, state);
        if (x.value == 0.0) {
            return;
        }
        if (x.value > 0.0) {
            hi = least(hi, *tau);
        } else {
            lo = most(lo, *tau);
        }
        double next = *tau + (x.slope > 0.0 || x.value < 0.0 ? parabolaRoot(x) : INFINITY);
        bool bisects = !(next > lo && next < hi);
        next = bisects ? 0.5 * (lo + hi) : next;
        double step = next - *tau;
        ctFlowMove(&w->flow, state, step, speed, state);
        *tau = next;
        if (!bisects && fabs(step) * speed < 1e-5 && fabs(x.bend * step) < 1e-3 * fabs(x.slope)) {
            return; // the next correction is of third order in this one
        }
        if (hi - lo <= 1e-16 * width) {
            return;
        }
    }
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

// A step that was aimed at a goal may have fallen a little short of it: goes on to the goal, if it is there. (It need
// not be: the work may fall short of the debt by a hair, and u_z turn back.) True when *next and *length are at the
// goal.
static bool reachGoal(const ctWalk *w, Goal goal, double speed, double *length, ctFlowState *next)
{
    Residual x = residualOf(w, goal, next);
    if (!(x.slope > 0.0 && -x.value <= 0.2 * x.slope * *length)) {
        return false;
    }
    ctFlowState beyond = *next;
    double longer = *length;
    locate(w, goal, 0.0, 1.5 * *length, speed, &longer, &beyond);
    x = residualOf(w, goal, &beyond);
    if (!(x.slope > 0.0 && fabs(x.value) <= 1e-6 * x.slope * *length)) {
        return false;
    }
    *next = beyond;
    *length = longer;
    return true;
}

// Accepts the step of length h to next, which is where the walk goes on, or where something happens before. True when
// the impact is over.
static bool acceptStep(ctWalk *w, double h, double speed, bool aimed, ctFlowState *next)
{
    Goal goal = passedGoal(w, next);
    double length = h;
    if (goal != NOTHING) {
        locate(w, goal, 0.0, h, speed, &length, next);
        if (goal == UZ_FALLS && !w->poisson && debtNow(w, next) >= 0.0) {
            // It ended before u_z turned back.
            goal = END;
            *next = w->at;
            double limit = length;
            length = 0.0;
            locate(w, goal, 0.0, limit, speed, &length, next);
        }
    } else if (aimed && reachGoal(w, nextGoal(w), speed, &length, next)) {
        goal = nextGoal(w);
    }
    if (w->course != NULL) {
        recordCurve(w, length, speed);
        ctRecordSample(w, next);
    }
    w->at = *next;
    return goal == END || (goal != NOTHING && ctChangePhase(w, flowLocal(&w->flow, next->c, next->s).kz));
}

// How long the next step may be, aimed at the next goal when that is near. *h is what the error control wants; after
// a step that was too long (rejected) the goal must be well within it.
static double chooseStep(const ctWalk *w, const ctFlowLocal *l, double speed, bool rejected, double *h, bool *aimed)
{
    *h = least(*h, LONGEST_STEP / speed);
    if (l->fSlope > 0.0) {
        *h = least(*h, FIRST_STEP / l->fSlope);
    }
    double goal = parabolaRoot(residualOf(w, nextGoal(w), &w->at));
    *aimed = goal < (rejected ? 1.0 : 1.15) * *h;
    return *aimed ? goal : *h;
}

// ---- near a ray that attracts ---------------------------------------------------------------------

// Whether nothing would happen on the straight way to the origin: then nothing happens on a part of it.
static bool wayIsFree(const ctWalk *w, const ctFlowLocal *l)
{
    const ctFlowState *at = &w->at;
    double way = at->r / -l->g, uz = at->uz + l->kz * way;
    if (w->target < INFINITY) {
        return at->pz + way < w->target;
    }
    return w->decompressing ? uz > 0.0 && debtNow(w, at) + 0.5 * way * (at->uz + uz) < 0.0 : uz < 0.0;
}

// A cheap guess whether jumpToOrigin will succeed: the ray is near enough for the series to be accurate, and going
// straight to the origin nothing would happen on the way.
static bool originIsNext(const ctWalk *w, const ctFlowLocal *l, double total)
{
    const ctFlowState *at = &w->at;
    double x = l->f / l->fSlope, x2 = x * x, x8 = x2 * x2 * x2 * x2;
    if (!(x8 * at->r < -1e-11 * l->g * total)) {
        return false;
    }
    return wayIsFree(w, l);
}

// From here to the origin in one go, when the ray next to us leads there, the series is accurate, and
// nothing happens on the way. True when it did.
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
        return false; // it ends on the way
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

// Next to a ray that repels, the deviation from it grows by many powers of ten before it matters: in one go when
// nothing happens meanwhile. True when it did.
static bool jumpFromRay(ctWalk *w, const ctFlowLocal *l)
{
    const ctFlowState *at = &w->at;
    ctFlowState next;
    if (!(l->fSlope > 0.0 && l->g < 0.0 && fabs(l->f) < 2e-3 * l->fSlope) || !wayIsFree(w, l) ||
        !ctWayFromRay(&w->flow, at, w->finesse * CT_LAST_TERM, w->scale.impulse, &next)) {
        return false;
    }
    if (l->kz * flowLocal(&w->flow, next.c, next.s).kz < 0.0 || passedGoal(w, &next) != NOTHING) {
        return false; // u_z may turn, or something happens after all
    }
    w->at = next;
    return true;
}

// ---- the curve -------------------------------------------------------------------------------------

// x^(1/16) to about 1 %, x > 0: sign, exponent and mantissa of a double, read as one integer, are nearly a logarithm.
static inline double roughRoot16(double x)
{
    const uint64_t one = (uint64_t)1023 << 52;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = bits / 16 + (one - one / 16);
    memcpy(&x, &bits, sizeof x);
    return x;
}

// By how much the next step may be longer than one with this squared error: the method is of order eight.
static double stepFactor(double squaredError, double squaredTolerance)
{
    if (!(squaredError > 1e-12 * squaredTolerance)) {
        return squaredError >= 0.0 ? 4.0 : 0.2;
    }
    return squaredError < INFINITY ? least(4.0, most(0.2, 0.9 * roughRoot16(squaredTolerance / squaredError))) : 0.2;
}

// Where the curve has become straight, or is as good as at the origin.
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
        if (at->r < ORIGIN_TOLERANCE * w->scale.rate * total) {
            at->r = 0.0;
            if (w->course != NULL) {
                ctRecordSample(w, at);
            }
            return AT_ORIGIN;
        }
        // Pictures want all of the way.
        if (w->course == NULL && fabs(l->f) < -w->nearEnough * l->fSlope && originIsNext(w, l, total)) {
            if (jumpToOrigin(w)) {
                return AT_ORIGIN;
            }
            w->nearEnough = -0.6 * fabs(l->f) / l->fSlope; // do not try again before the ray is nearer
        }
    }
    return NO_SHORTCUT;
}

bool ctWalkCurve(ctWalk *w)
{
    const ctFlow *k = &w->flow;
    const Turning turning = turningDirections(k);
    const double tolerance = w->finesse * STEP_TOLERANCE, squaredTolerance = tolerance * tolerance;
    double h = INFINITY;
    bool rejected = false;
    w->nearEnough = 0.5;
    for (w->steps = 0; w->steps < MAX_STEPS; w->steps++) {
        const ctFlowState *at = &w->at;
        ctFlowLocal l = flowLocal(k, at->c, at->s);
        Shortcut shortcut = findShortcut(w, &l);
        if (shortcut != NO_SHORTCUT) {
            return shortcut == ON_RAY && ctWalkAlongRay(w);
        }
        if (w->course == NULL && jumpFromRay(w, &l)) {
            h = INFINITY;
            continue;
        }
        const double speed = flowSpeed(&l);
        if (h == INFINITY) {
            h = FIRST_STEP / speed;
        }
        ctFlowState next;
        bool aimed;
        double step = chooseStep(w, &l, speed, rejected, &h, &aimed);
        double squaredError = ctFlowStep(k, at, step, &w->scale, &next);
        double factor = stepFactor(squaredError, squaredTolerance);
        rejected = !(squaredError <= squaredTolerance);
        if (rejected) {
            h = step * least(factor, 0.9);
            continue;
        }
        double wanted = step * most(0.3, factor);
        h = !aimed || wanted > h || factor < 1.0 ? wanted : h;
        double fraction = turningFraction(&turning, at, &next, step, l.f);
        if (fraction < 1.0) {
            step *= fraction;
            aimed = false;
            ctFlowMove(k, at, step, speed, &next);
        }
        if (acceptStep(w, step, speed, aimed, &next)) {
            return true;
        }
    }
    return ctWalkAlongRay(w);
}
