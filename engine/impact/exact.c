// The exact solver of Stronge's and Poisson's laws.
//
// An impact is a walk in p_z from the first touch to the end of restitution. The contact slides along
// the curve of impact/flow.h until it ends, or until u_t reaches the origin; there it sticks when
// |B^-1 d| <= mu, and otherwise leaves along the unique diverging ray (Baber 3.5-3.10; Jia & Wang 5). All
// pieces but the curved one are straight: dp/dp_z and du/dp_z are constant, and the ends follow from
// quadratic equations (Baber 3.6 and 3.9; Jia & Wang 6.2 and 6.3, equations 38 to 47).
//
// Phases. u_z < 0 is compression, u_z > 0 decompression; there may be several of each, because du_z/dp_z
// can be negative. With W_c and W_d the work of the normal force over all phases of either kind, Stronge's
// impact ends when W_d = -e^2 W_c (Baber 3.4). Here `debt` is W_d + e^2 W_c of the phases that are over.
// Poisson's ends at 1 + e times the normal impulse at the first greatest compression. With e = 0 both end at
// the first upward zero of u_z.
#include "engine/impact/walk.h"

// An impact whose end magnifies errors by more than this is solved again with smaller tolerances. Larger: digits are
// lost; smaller: more impacts are solved twice.
#define FAIR_AMPLIFICATION 10.0

// ---- recording ------------------------------------------------------------------------------------

void ctCourse_Add(ctImpactCourse *course, ctCourseSample sample)
{
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
    course->samples[course->sampleCount++] = sample;
}

void ctRecordSample(ctWalk *w, const ctFlowState *at)
{
    ctCourseSample s;
    s.p = ctV3(-w->flow.mu * at->ix, -w->flow.mu * at->iy, at->pz);
    s.u = ctV3(at->r * at->c, at->r * at->s, at->uz);
    if (w->flow.mu == 0.0) { // u_t has no influence without friction
        s.u.x = w->course->in.u.x + w->flow.d1 * at->pz;
        s.u.y = w->course->in.u.y + w->flow.d2 * at->pz;
    }
    s.work = at->work;
    ctCourse_Add(w->course, s);
}

void ctRecordEvent(ctWalk *w, ctCourseEventKind kind)
{
    ctImpactCourse *course = w->course;
    if (course != NULL && course->eventCount < CT_COURSE_EVENTS) {
        course->events[course->eventCount++] = (ctCourseEvent){kind, course->sampleCount - 1};
    }
}

// ---- phases ---------------------------------------------------------------------------------------

// u_z has just passed zero with the slope kz over p_z. True when the impact is over.
bool ctChangePhase(ctWalk *w, double kz)
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
        ctRecordEvent(w, ct_courseRecompression);
        return false;
    }
    w->debt += w->eSquared * work;
    ctRecordEvent(w, ct_courseCompressionEnds);
    w->turnSlope = w->turnSlope == 0.0 ? kz : w->turnSlope;
    if (w->poisson && w->target == INFINITY) {
        w->target = (1.0 + w->contact->e) * w->at.pz;
    }
    return w->eSquared == 0.0;
}

// ---- straight pieces ------------------------------------------------------------------------------

// A constant rate of change: dp_t/dp_z = -mu (x, y), d|u_t|/dp_z = g, du_z/dp_z = kz.
typedef struct Straight {
    double x, y, g, kz;
} Straight;

// The state after the normal impulse x on a straight piece.
static ctFlowState straightState(const ctFlowState *at, const Straight *d, double x)
{
    ctFlowState y = *at;
    y.work += x * (at->uz + 0.5 * d->kz * x);
    y.slip += x * (at->r + 0.5 * d->g * x);
    y.uz += d->kz * x;
    y.r = most(0.0, at->r + d->g * x);
    y.pz += x;
    y.ix += d->x * x;
    y.iy += d->y * x;
    return y;
}

static void moveStraight(ctWalk *w, const Straight *direction, double x)
{
    enum { INSIDE = 16 };
    const ctFlowState start = w->at;
    for (int i = 1; i < INSIDE && w->course != NULL; i++) {
        ctFlowState between = straightState(&start, direction, x * i / INSIDE);
        ctRecordSample(w, &between);
    }
    w->at = straightState(&start, direction, x);
    if (w->course != NULL) {
        ctRecordSample(w, &w->at);
    }
}

// Follows a straight piece for the normal impulse `left` at most. True when the impact is over.
static bool walkStraight(ctWalk *w, Straight direction, double left)
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
            return true; // unreachable: du_z/dp_z > 0 wherever a straight piece has no end (Baber 3.11)
        }
        moveStraight(w, &direction, most(0.0, x));
        if (ends || (turns && ctChangePhase(w, kz))) {
            return true;
        }
        left -= x;
        if (!turns) {
            return false;
        }
    }
    return true;
}

bool ctWalkAlongRay(ctWalk *w)
{
    ctFlowLocal l = flowLocal(&w->flow, w->at.c, w->at.s);
    ctRecordEvent(w, ct_courseOnRay);
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

// From u_t = 0 to the end of the impact.
static void walkFromOrigin(ctWalk *w)
{
    const ctCollisionMatrix *k = w->contact;
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
    ctFlowLocal l = flowLocal(&w->flow, w->at.c, w->at.s);
    walkStraight(w, (Straight){w->at.c, w->at.s, l.g, l.kz}, INFINITY);
}

// ---- the whole ------------------------------------------------------------------------------------

static void walk(ctWalk *w, const ctImpactInput *in)
{
    const double r = sqrt(in->u.x * in->u.x + in->u.y * in->u.y);
    w->at = (ctFlowState){.r = r, .uz = in->u.z};
    if (r > 0.0) {
        w->at.c = in->u.x / r;
        w->at.s = in->u.y / r;
    }
    if (w->course != NULL) {
        w->course->sampleCount = w->course->eventCount = 0;
        ctRecordSample(w, &w->at);
    }
    if (in->mu == 0.0) {
        // No friction: p = p_z z, whatever u_t does.
        walkStraight(w, (Straight){0.0, 0.0, 0.0, w->contact->k33}, INFINITY);
    } else if (r == 0.0 || !ctWalkCurve(w)) {
        if (r > 0.0) {
            ctRecordEvent(w, ct_courseSlidingStops);
        }
        walkFromOrigin(w);
    }
    ctRecordEvent(w, ct_courseEnds);
}

// By how much the end of the impact magnifies an error of u_z or of the work, beyond the condition of K, which the
// steps take into account. It is large when u_z barely passes zero, or is barely positive at the end. An error of u_z
// moves a zero of u_z by 1/kz of itself, and Poisson's end with it; an error of the work moves Stronge's end by 1/u_z
// of itself.
static double amplification(const ctWalk *w)
{
    bool byTurn = w->poisson || w->eSquared == 0.0;
    return w->scale.rate * (byTurn ? 1.0 / w->turnSlope : w->at.pz / w->at.uz);
}

// K^-1| <= |B^-1| + (1 + |B^-1 d|^2) / kappa, with |B^-1| <= tr B / det B. Over p_z, u_z cannot rise faster than
// K33 + mu |d|, which gives the least impulse that stops the approach.
static ctFlowScale scaleOf(const ctCollisionMatrix *k, double uz)
{
    double larger = most(k->b11, k->b22), inverse = (k->b11 + k->b22) / (larger * k->pivot);
    inverse += (1.0 + k->stick1 * k->stick1 + k->stick2 * k->stick2) / k->kappa;
    return (ctFlowScale){1.0 / inverse, -uz / (k->k33 + k->mu * sqrt(k->d1 * k->d1 + k->d2 * k->d2))};
}

void ctSolveExact(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out,
                  ctImpactCourse *course)
{
    const double mu = in->mu;
    const ctWalk start = {.contact = contact,
                          .flow = {mu * contact->b11, mu * contact->b12, mu * contact->b22, contact->d1, contact->d2,
                                   mu * contact->d1, mu * contact->d2, contact->k33, mu},
                          .scale = scaleOf(contact, in->u.z),
                          .eSquared = in->e * in->e,
                          .target = INFINITY,
                          .finesse = 1.0,
                          .poisson = in->law == ct_lawPoisson,
                          .course = course};
    ctWalk w = start;
    walk(&w, in);
    double worse = w.steps > 0 ? amplification(&w) : 0.0;
    if (!(worse <= FAIR_AMPLIFICATION)) {
        int steps = w.steps;
        w = start;
        w.finesse = most(1e-4, FAIR_AMPLIFICATION / worse);
        walk(&w, in);
        w.steps += steps;
    }
    // Rounding may leave p_t slightly outside the friction cone.
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
