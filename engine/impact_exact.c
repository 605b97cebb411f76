// The exact solver of Stronge's and Poisson's laws.
//
// An impact is a walk in p_z from the first touch to the end of restitution. The contact slides along
// the curve of impact_flow.h until it ends, or until u_t reaches the origin; there it sticks when
// |B^-1 d| <= mu, and otherwise leaves along the unique diverging ray (Baber 3.5-3.10; Jia & Wang 5). All
// pieces but the curved one are straight: dp/dp_z and du/dp_z are constant, and the ends follow from
// quadratic equations (Baber 3.6 and 3.9; Jia & Wang 6.2 and 6.3, equations 38 to 47).
//
// Phases. u_z < 0 is compression, u_z > 0 decompression; there may be several of each, because du_z/dp_z
// can be negative. With W_c and W_d the work of the normal force over all phases of either kind, Stronge's
// impact ends when W_d = -e^2 W_c (Baber 3.4). Here `debt` is W_d + e^2 W_c of the phases that are over.
// Poisson's ends at 1 + e times the normal impulse at the first greatest compression. With e = 0 both end at
// the first upward zero of u_z.
//
// Accuracy. What is left of the angular transient near an attracting ray is dropped when it is below
// 1e-12 of the impulse. Near a ray that attracts and leads to the origin the rest of the way is a power
// series (jumpToOrigin). Near a ray that repels, the deviation from it grows exponentially and must be
// accurate relative to itself, which no error estimate of the direction can see: steps there are capped.
#include "engine/impact_internal.h"

// Tunables of the walk. Raising the first loses digits; it is far below the promised 1e-9 because
// errors of a step are amplified by what follows.
#define STEP_TOLERANCE 1e-10
#define RAY_TOLERANCE 1e-12      // angular transient that may be dropped, relative to the impulse
#define SERIES_TOLERANCE 1e-12   // last term of the series to the origin, relative to the impulse
#define RAY_ROUNDING 4e-15       // |f| below this fraction of its scale is zero
#define ORIGIN_TOLERANCE 1e-13   // r below this fraction of |g| p_z is zero
#define FIRST_STEP 0.35          // times 1/flowSpeed
#define LONGEST_STEP 2.0         // times 1/flowSpeed
#define REPELLED_STEP 0.4        // times 1/(df/dtheta)
#define FAIR_AMPLIFICATION 300.0 // beyond this the walk is repeated with finer tolerances
#define MAX_STEPS 1000           // far above what any input has needed

static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double most(double a, double b)
{
    return a > b ? a : b;
}

typedef struct Walk {
    const Contact *contact;
    Flow flow;
    FlowState at;
    double eSquared;
    double debt;      // W_d + e^2 W_c of the phases that are over, <= 0; J
    double mark;      // work at the beginning of this phase
    double target;    // Poisson: p_z at the end, once it is known
    double turnSlope; // du_z/dp_z at the first end of compression
    double finesse;   // all tolerances are multiplied by this: 1, or less in a second attempt
    bool poisson, decompressing, stopped;
    int steps;
    ctImpactCourse *course;
} Walk;

// ---- recording ------------------------------------------------------------------------------------

static void recordSample(Walk *w, const FlowState *at)
{
    ctImpactCourse *course = w->course;
    if (course->sampleCount == CT_COURSE_SAMPLES) {
        // Full: keep every other sample, and those that events point to.
        int kept = 0, event = 0;
        for (int i = 0; i < course->sampleCount; i++) {
            bool marked = false;
            for (; event < course->eventCount && course->events[event].sample == i; event++) {
                course->events[event].sample = kept;
                marked = true;
            }
            if (marked || i % 2 == 0) {
                course->samples[kept++] = course->samples[i];
            }
        }
        course->sampleCount = kept;
    }
    ctCourseSample *s = &course->samples[course->sampleCount++];
    s->p = ctV3(-w->flow.mu * at->ix, -w->flow.mu * at->iy, at->pz);
    s->u = ctV3(at->r * at->c, at->r * at->s, at->uz);
    if (w->flow.mu == 0.0) { // u_t takes no part in a frictionless walk
        s->u.x = course->in.u.x + w->flow.d1 * at->pz;
        s->u.y = course->in.u.y + w->flow.d2 * at->pz;
    }
    s->work = at->work;
}

static void recordEvent(Walk *w, ctCourseEventKind kind)
{
    ctImpactCourse *course = w->course;
    if (course != NULL && course->eventCount < CT_COURSE_EVENTS) {
        course->events[course->eventCount++] = (ctCourseEvent){kind, course->sampleCount - 1};
    }
}

// Samples strictly inside a curved step, so that pictures of it are smooth.
static void recordCurve(Walk *w, double h, double speed)
{
    enum { INSIDE = 12 };
    for (int i = 1; i < INSIDE; i++) {
        FlowState between;
        ctFlowMove(&w->flow, &w->at, h * i / INSIDE, speed, &between);
        recordSample(w, &between);
    }
}

// ---- phases ---------------------------------------------------------------------------------------

// u_z has just passed zero with the slope kz over p_z. True when the impact is over.
static bool changePhase(Walk *w, double kz)
{
    double work = w->at.work - w->mark;
    w->mark = w->at.work;
    w->at.uz = 0.0;
    if (w->course != NULL) {
        w->course->samples[w->course->sampleCount - 1].u.z = 0.0;
    }
    w->decompressing = !w->decompressing;
    if (!w->decompressing) {
        w->debt += work;
        recordEvent(w, ct_courseRecompression);
        return false;
    }
    w->debt += w->eSquared * work;
    recordEvent(w, ct_courseCompressionEnds);
    w->turnSlope = w->turnSlope == 0.0 ? kz : w->turnSlope;
    if (w->poisson && w->target == INFINITY) {
        w->target = (1.0 + w->contact->e) * w->at.pz;
    }
    return w->eSquared == 0.0;
}

// W_d + e^2 W_c so far, in decompression; the impact ends when it reaches zero.
static inline double debtNow(const Walk *w, const FlowState *at)
{
    return w->debt + (at->work - w->mark);
}

// ---- straight pieces ------------------------------------------------------------------------------

// A constant rate of change: dp_t/dp_z = -mu (x, y), d|u_t|/dp_z = g, du_z/dp_z = kz.
typedef struct Straight {
    double x, y, g, kz;
} Straight;

// A piece of a straight course by the normal impulse x.
static FlowState straightState(const FlowState *at, const Straight *d, double x)
{
    FlowState y = *at;
    y.work += x * (at->uz + 0.5 * d->kz * x);
    y.slip += x * (at->r + 0.5 * d->g * x);
    y.uz += d->kz * x;
    y.r = most(0.0, at->r + d->g * x);
    y.pz += x;
    y.ix += d->x * x;
    y.iy += d->y * x;
    return y;
}

static void moveStraight(Walk *w, const Straight *direction, double x)
{
    enum { INSIDE = 16 };
    const FlowState start = w->at;
    for (int i = 1; i < INSIDE && w->course != NULL; i++) {
        FlowState between = straightState(&start, direction, x * i / INSIDE);
        recordSample(w, &between);
    }
    w->at = straightState(&start, direction, x);
    if (w->course != NULL) {
        recordSample(w, &w->at);
    }
}

// Goes on straight for the normal impulse `left` at most. True when the impact is over.
static bool walkStraight(Walk *w, Straight direction, double left)
{
    const double kz = direction.kz;
    // Each round but the last ends a phase, and a straight piece has three phases at most.
    for (int round = 0; round < 4; round++) {
        double uz = w->at.uz, x = INFINITY;
        bool ends = false, turns = false;
        if (w->target < INFINITY) {
            x = w->target - w->at.pz;
            ends = x <= left;
        } else if (!w->decompressing) {
            x = kz > 0.0 ? -uz / kz : INFINITY;
            turns = x <= left;
        } else {
            // debt + u_z x + kz x^2 / 2 = 0 (Jia & Wang 6.2; Baber, equation 8)
            double debt = debtNow(w, &w->at), discriminant = uz * uz - 2.0 * kz * debt;
            double turn = kz < 0.0 ? -uz / kz : INFINITY;
            double root = discriminant >= 0.0 ? uz + sqrt(discriminant) : 0.0;
            x = root > 0.0 ? -2.0 * debt / root : (debt < 0.0 ? INFINITY : 0.0);
            ends = x <= left && x <= turn;
            if (!ends) {
                x = turn;
                turns = turn < left;
            }
        }
        if (!ends && !turns) {
            x = left;
        }
        if (!(x < INFINITY)) {
            return true; // cannot be: du_z/dp_z > 0 wherever a straight piece has no end (Baber 3.11)
        }
        moveStraight(w, &direction, most(0.0, x));
        if (ends || (turns && changePhase(w, kz))) {
            return true;
        }
        left -= x;
        if (!turns) {
            return false;
        }
    }
    return true;
}

static bool walkAlongRay(Walk *w)
{
    FlowLocal l = flowLocal(&w->flow, w->at.c, w->at.s);
    recordEvent(w, ct_courseOnRay);
    // Sliding stops after -r/g (Jia & Wang, equation 42).
    double left = l.g < 0.0 ? w->at.r / -l.g : INFINITY;
    if (walkStraight(w, (Straight){w->at.c, w->at.s, l.g, l.kz}, left)) {
        return true;
    }
    w->at.r = 0.0;
    if (w->course != NULL) {
        ctCourseSample *last = &w->course->samples[w->course->sampleCount - 1];
        last->u.x = last->u.y = 0.0;
    }
    return false;
}

// u_t = 0: to the end of the impact.
static void walkFromOrigin(Walk *w)
{
    const Contact *k = w->contact;
    w->at.r = 0.0;
    w->stopped = true;
    if (k->stick1 * k->stick1 + k->stick2 * k->stick2 <= k->mu * k->mu) {
        w->at.c = w->at.s = 0.0;
        // mu > 0 here, or B^-1 d = 0.
        double share = k->mu > 0.0 ? 1.0 / k->mu : 0.0;
        walkStraight(w, (Straight){share * k->stick1, share * k->stick2, 0.0, k->kappa}, INFINITY);
        return;
    }
    ctDivergingRay(k, &w->at.c, &w->at.s);
    ctTurnToRay(&w->flow, &w->at.c, &w->at.s); // to the last bit
    FlowLocal l = flowLocal(&w->flow, w->at.c, w->at.s);
    walkStraight(w, (Straight){w->at.c, w->at.s, l.g, l.kz}, INFINITY);
}

// ---- near an attracting ray -----------------------------------------------------------------------

// A cheap guess whether jumpToOrigin will succeed: the ray is near enough for the series to be accurate, and going
// straight to the origin nothing would happen on the way.
static bool originIsNext(const Walk *w, const FlowLocal *l, double total)
{
    const FlowState *at = &w->at;
    if (w->course != NULL) {
        return false; // pictures want all of the way
    }
    double x = l->f / l->fSlope, x2 = x * x, x8 = x2 * x2 * x2 * x2;
    if (!(l->fSlope < 0.0 && fabs(x) < 0.5 && x8 * at->r < -1e-11 * l->g * total)) {
        return false;
    }
    double way = at->r / -l->g, uz = at->uz + l->kz * way;
    if (w->target < INFINITY) {
        return at->pz + way < w->target;
    }
    return w->decompressing ? uz > 0.0 && debtNow(w, at) + 0.5 * way * (at->uz + uz) < 0.0 : uz < 0.0;
}

// From here to the origin in one go, when the ray next to us leads there, the series is accurate, and
// nothing happens on the way. True when it did.
static bool jumpToOrigin(Walk *w)
{
    FlowState *at = &w->at;
    WayToOrigin way;
    if (!ctWayToOrigin(&w->flow, at, w->finesse * SERIES_TOLERANCE, &way)) {
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
        recordSample(w, at);
    }
    return true;
}

// ---- the curved piece -----------------------------------------------------------------------------

typedef enum Goal { NOTHING, UZ_RISES, UZ_FALLS, END } Goal;

// What must become zero for a goal, rising, with its first and half its second derivative by tau.
typedef struct Residual {
    double value, slope, bend;
} Residual;

static Residual residualOf(const Walk *w, Goal goal, const FlowState *at)
{
    FlowLocal l = flowLocal(&w->flow, at->c, at->s);
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
static Goal nextGoal(const Walk *w)
{
    if (w->poisson && w->target < INFINITY) {
        return END;
    }
    return w->decompressing ? END : UZ_RISES;
}

// What has happened between w->at and next. u_z is monotone on the piece.
static Goal passedGoal(const Walk *w, const FlowState *next)
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
static void locate(const Walk *w, Goal goal, double lo, double hi, double speed, double *tau, FlowState *state)
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

static Turning turningDirections(const Flow *k)
{
    Turning t = {0, {0, 0}, {0, 0}};
    double n = sqrt(k->n1 * k->n1 + k->n2 * k->n2);
    if (n > k->k33) {
        double q = k->k33 / n, side = sqrt((1.0 - q) * (1.0 + q)), a = k->n1 / n, b = k->n2 / n;
        t = (Turning){2, {a * q - b * side, a * q + b * side}, {b * q + a * side, b * q - a * side}};
    }
    return t;
}

// The fraction of a step from a to b at which the first turning direction is passed; 1 when none is.
static double turningFraction(const Turning *t, const FlowState *a, const FlowState *b)
{
    double fraction = 1.0;
    for (int i = 0; i < t->count; i++) {
        double before = a->c * t->s[i] - a->s * t->c[i], after = b->c * t->s[i] - b->s * t->c[i];
        bool ahead = a->c * t->c[i] + a->s * t->s[i] > 0.0;
        if (before * after < 0.0 && fabs(before) > 1e-9 && ahead) {
            fraction = least(fraction, before / (before - after));
        }
    }
    return fraction;
}

// Accepts the step of length h to next, which is where the walk goes on, or where something happens before.
// True when the impact is over. A step aimed at its goal may have fallen a little short of it.
static bool acceptStep(Walk *w, double h, double speed, bool aimed, FlowState *next)
{
    Goal goal = passedGoal(w, next);
    double limit = h;
    if (goal == NOTHING && aimed) {
        Residual x = residualOf(w, nextGoal(w), next);
        if (x.slope > 0.0 && -x.value <= 0.2 * x.slope * h) {
            goal = nextGoal(w);
            limit = 1.5 * h;
        }
    }
    if (goal != NOTHING) {
        double tau = h;
        locate(w, goal, 0.0, limit, speed, &tau, next);
        if (goal == UZ_FALLS && !w->poisson && debtNow(w, next) >= 0.0) {
            // It ended before u_z turned back.
            goal = END;
            limit = tau;
            tau = 0.0;
            *next = w->at;
            locate(w, goal, 0.0, limit, speed, &tau, next);
        }
        h = tau;
    }
    if (w->course != NULL) {
        recordCurve(w, h, speed);
        recordSample(w, next);
    }
    w->at = *next;
    return goal == END || (goal != NOTHING && changePhase(w, flowLocal(&w->flow, next->c, next->s).kz));
}

// How long the next step may be, aimed at the next goal when that is near. *h is what the error control wants; after
// a step that was too long (rejected) the goal must be well within it.
static double chooseStep(const Walk *w, const FlowLocal *l, double speed, bool rejected, double *h, bool *aimed)
{
    *h = least(*h, LONGEST_STEP / speed);
    if (l->fSlope > 0.0) {
        *h = least(*h, REPELLED_STEP / l->fSlope);
    }
    double goal = parabolaRoot(residualOf(w, nextGoal(w), &w->at));
    *aimed = goal < (rejected ? 1.0 : 1.15) * *h;
    return *aimed ? goal : *h;
}

// Slides until the origin (false) or the end of the impact (true).
static bool walkCurve(Walk *w)
{
    const Flow *k = &w->flow;
    const Turning turning = turningDirections(k);
    const double scale = k->m11 + k->m22 + fabs(k->d1) + fabs(k->d2);
    const double tolerance = w->finesse * STEP_TOLERANCE;
    double h = INFINITY;
    bool rejected = false;
    for (w->steps = 0; w->steps < MAX_STEPS; w->steps++) {
        FlowState *at = &w->at;
        FlowLocal l = flowLocal(k, at->c, at->s);
        double speed = flowSpeed(&l), total = at->pz + fabs(at->uz) / k->k33;
        double reach = at->r + (l.g > 0.0 ? l.g * total : 0.0);
        bool onRay = fabs(l.f) < RAY_ROUNDING * scale;
        if (onRay || (fabs(l.f) < -0.05 * l.fSlope &&
                      fabs(l.f) * reach < w->finesse * RAY_TOLERANCE * l.fSlope * l.fSlope * total)) {
            double c = at->c, s = at->s;
            if (!onRay && ctTurnToRay(k, &c, &s)) {
                at->c = c;
                at->s = s;
            }
            return walkAlongRay(w);
        }
        if (l.g < 0.0) {
            if (at->r < -ORIGIN_TOLERANCE * l.g * at->pz) {
                at->r = 0.0;
                if (w->course != NULL) {
                    recordSample(w, at);
                }
                return false;
            }
            if (originIsNext(w, &l, total) && jumpToOrigin(w)) {
                return false;
            }
        }
        if (h == INFINITY) {
            h = FIRST_STEP / speed;
        }
        FlowState next;
        bool aimed;
        double step = chooseStep(w, &l, speed, rejected, &h, &aimed);
        double error = ctFlowStep(k, at, step, speed, &next);
        double factor = error > 0.0 ? 0.9 * sqrt(sqrt(sqrt(tolerance / error))) : 4.0;
        rejected = !(error <= tolerance);
        if (rejected) {
            h = step * most(0.2, factor < 0.9 ? factor : 0.2);
            continue;
        }
        double wanted = step * least(4.0, most(0.3, factor));
        h = !aimed || wanted > h || factor < 1.0 ? wanted : h;
        double fraction = turningFraction(&turning, at, &next);
        if (fraction < 1.0) {
            step *= fraction;
            aimed = false;
            ctFlowMove(k, at, step, speed, &next);
        }
        if (acceptStep(w, step, speed, aimed, &next)) {
            return true;
        }
    }
    return walkAlongRay(w);
}

// ---- the whole ------------------------------------------------------------------------------------

static void walk(Walk *w, const ctImpactInput *in)
{
    const double r = sqrt(in->u.x * in->u.x + in->u.y * in->u.y);
    w->at = (FlowState){.r = r, .uz = in->u.z};
    if (r > 0.0) {
        w->at.c = in->u.x / r;
        w->at.s = in->u.y / r;
    }
    if (w->course != NULL) {
        w->course->sampleCount = w->course->eventCount = 0;
        recordSample(w, &w->at);
    }
    if (in->mu == 0.0) {
        // No friction: p = p_z z, whatever u_t does.
        walkStraight(w, (Straight){0.0, 0.0, 0.0, w->contact->k33}, INFINITY);
    } else if (r == 0.0 || !walkCurve(w)) {
        if (r > 0.0) {
            recordEvent(w, ct_courseSlidingStops);
        }
        walkFromOrigin(w);
    }
    recordEvent(w, ct_courseEnds);
}

// By how much the end of the impact magnifies an error that was made on the way. An error of u_z moves a zero of u_z
// by 1/kz of it, and with it Poisson's end; an error of the work moves Stronge's end by 1/u_z of it.
static double amplification(const Walk *w)
{
    double rate = w->flow.k33 + fabs(w->flow.n1) + fabs(w->flow.n2);
    return w->poisson || w->eSquared == 0.0 ? rate / w->turnSlope : rate * w->at.pz / w->at.uz;
}

void ctSolveExact(const ctImpactInput *in, const Contact *contact, ctImpactResult *out, ctImpactCourse *course)
{
    const double mu = in->mu;
    const Walk start = {.contact = contact,
                        .flow = {mu * contact->b11, mu * contact->b12, mu * contact->b22, contact->d1, contact->d2,
                                 mu * contact->d1, mu * contact->d2, contact->k33, mu},
                        .eSquared = in->e * in->e,
                        .target = INFINITY,
                        .finesse = 1.0,
                        .poisson = in->law == ct_lawPoisson,
                        .course = course};
    Walk w = start;
    walk(&w, in);
    double worse = w.steps > 0 ? amplification(&w) : 0.0;
    if (!(worse <= FAIR_AMPLIFICATION)) {
        int steps = w.steps;
        w = start;
        w.finesse = most(1e-4, FAIR_AMPLIFICATION / worse);
        walk(&w, in);
        w.steps += steps;
    }
    // Rounding may leave p_t a hair outside the friction cone.
    double used = sqrt(w.at.ix * w.at.ix + w.at.iy * w.at.iy), share = used > w.at.pz ? mu * (w.at.pz / used) : mu;
    out->p = ctV3(-share * w.at.ix, -share * w.at.iy, w.at.pz);
    out->v = ctV3(w.at.r * w.at.c, w.at.r * w.at.s, w.at.uz);
    if (mu == 0.0) {
        out->v.x = in->u.x + contact->d1 * w.at.pz;
        out->v.y = in->u.y + contact->d2 * w.at.pz;
    }
    out->steps = w.steps;
    if (out->v.x == 0.0 && out->v.y == 0.0) {
        out->mode = ct_impactStick;
    } else {
        bool slid = in->u.x != 0.0 || in->u.y != 0.0;
        out->mode = w.stopped && slid ? ct_impactReverseSlide : ct_impactSlide;
    }
    out->restitutionLoss = -w.at.work;
    out->frictionLoss = mu * w.at.slip;
}
