// The law `compliant`: an impact with a spring along the normal and one along the tangent (Stronge's lumped
// parameters: W. J. Stronge, Impact Mechanics, 2000, chapter 5; in the plane Stronge, James & Ravani 2001).
//
// A massless particle sits between the bodies: a spring of stiffness k along the normal and of eta^2 k along every
// tangent joins it to body 1, and on body 2 it sticks or slips with the coefficient of friction mu. With the relative
// velocity u of the bodies' contact points and the force f = (f_t, N) on body 1, in the time t of the contact,
//
//     u' = K f,      N' = -k u_z,                    compression, u_z < 0
//                    N' = -(k / e^2) u_z,            restitution, u_z > 0
//     stuck          f_t' = -eta^2 k u_t             while |f_t| < mu N
//     sliding        f_t = -mu N (c, s)              along (c, s), the direction in which the particle slips.
//
// Normal direction. N^2 = 2 k (W_c + W_d / e^2), with W_c, W_d the work that the normal force took in and gave back in
// all phases. N = 0, the end, is therefore where W_d = -e^2 W_c: Stronge's energetic restitution, as in
// impact/exact.c, also when compression comes back.
// Sliding. The particle slips at v_s (c, s), v_s >= 0, and the spring stretches by the rest of u_t:
// f_t' = -eta^2 k (u_t - v_s (c, s)). Its part along (c, s) gives v_s = u_t . (c, s) - mu N' / (eta^2 k), and the part
// across it the turning of the direction, mu N theta' = eta^2 k u_t . (-s, c). The contact sticks where v_s = 0.
// First touch. N = f_t = 0; stuck forces grow as eta^2 |u_t| : |u_z|, so it starts stuck where eta^2 |u_t| <= mu |u_z|
// and sliding along u_t elsewhere.
// Energy. At the end N = 0, hence f_t = 0: the tangential spring has given back what it had. What is lost is
// (1 - e^2) of the work of compression, and mu N v_s, which is not negative: no energy is gained. The impulse is in
// the friction cone, because f is at every instant.
//
// k cancels; here k = 1/K33. eta^2 -> infinity is Stronge's law, with a difference of order 1/eta^2: the tangential
// oscillation of a stuck contact is slower than the fall of N until that is over, and ends with it. The number of
// oscillations grows as eta; above RIGID the contact is taken as rigid.
//
// Between changes of mode all motions are power series in t (impact/compliant_series.c), and the next change is the
// first zero of such a series (impact/taylor.c): none is missed.
#include "engine/impact/compliant.h"
#include "engine/core/tunables.h"

#include <string.h>

// Relative accuracy of a step with a curved slide. Larger: the promised 1e-9 is missed.
#define TOLERANCE 5e-10
// [rounding] The same for all other steps, which are cheap.
#define LINEAR_TOLERANCE 1e-13

// eta^2 times tr B / 2 K33 above which the tangential spring is rigid: the impulse differs by 1e-6 at most.
#define RIGID 1e6

// Below this restitution is taken as zero: it changes the impulse by as much of itself.
#define SMALLEST_E (CT_EQUAL / 10.0)

// [cap] Steps of a solution. Reached only by contacts that stick and slip thousands of times.
enum { MOST_STEPS = 20000 };

typedef enum Change { NO_CHANGE, TURNS, STICKS, SLIPS, ENDS } Change;

typedef struct Spring {
    ctSprings k;
    ctSpringState at;
    double speed, load; // scales: of velocities and forces
    double stride;      // of the last step
    int fresh;          // 2 just after a slide has ended: both the force and its rate are on the cone
    bool sliding, restitution, turned, stuckOnce;
    int steps;
    ctImpactCourse *course;
} Spring;

// ---- recording ------------------------------------------------------------------------------------

static void sample(Spring *w, const ctSpringState *at)
{
    if (w->course != NULL) {
        ctCourse_Add(w->course, (ctCourseSample){at->p, at->u, at->work});
    }
}

static void event(Spring *w, ctCourseEventKind kind)
{
    ctImpactCourse *course = w->course;
    if (course != NULL && course->eventCount < CT_COURSE_EVENTS - (kind != ct_courseEnds)) {
        course->events[course->eventCount++] = (ctCourseEvent){kind, course->sampleCount - 1};
    }
}

// ---- one step -------------------------------------------------------------------------------------

// Near the end of restitution N falls at a constant rate, in the time `left`, and u is constant. A contact that slides
// turns towards u_t as left^a, a = k_t |u_t| / (mu k u_z) with the stiffness k of restitution; weighted by N the mean
// of the angle to u_t is 2 / (a + 2) of what it is now.
static double timeLeft(const Spring *w)
{
    return w->restitution && w->at.u.z > 0.0 ? w->at.force.z / (w->k.normal * w->at.u.z) : INFINITY;
}

static double largest(ctTwo a)
{
    return most(fabs(a[0]), fabs(a[1]));
}

// The largest coefficient of t^j, each as a multiple of the error that its series may have.
static double termOf(const Spring *w, const ctSpringSeries *x, int j)
{
    const double tolerance = w->sliding && !w->k.straight ? TOLERANCE : LINEAR_TOLERANCE;
    // An error of the direction counts by the impulse along it that is still to come.
    double toCome = (least(timeLeft(w), 1.0) * w->at.force.z + TOLERANCE * w->load) / (10.0 * TOLERANCE * w->load);
    double velocity = most(largest(x->slip[j]), fabs(x->approach[j])) / (tolerance * w->speed);
    double force = most(largest(x->friction[j]), fabs(x->load[j])) / (tolerance * w->load);
    return most(most(velocity, force), toCome * largest(x->direction[j]));
}

// The step at which the last two terms reach their tolerance, by iteration: t <- t (1 / terms(t))^(1/16).
static double strideOf(const Spring *w, const ctSpringSeries *x)
{
    const double last = termOf(w, x, CT_TAYLOR_ORDER), before = termOf(w, x, CT_TAYLOR_ORDER - 1);
    const double longest = 2.0 * w->stride;
    double t = w->stride;
    for (int i = 0; i < 3; i++) {
        double terms = last * t + before;
        for (int j = 1; j < CT_TAYLOR_ORDER; j++) {
            terms *= t;
        }
        terms = least(most(terms, 1e-16), 1e160); // neither a step of zero nor an infinite one
        t = least(t * sqrt(sqrt(sqrt(sqrt(1.0 / terms)))), longest);
    }
    return t;
}

static ctSpringState stateAt(const Spring *w, const ctSpringSeries *x, double t)
{
    ctTwo u = taylorPairAt(x->slip, t), p = taylorPairAt(x->shear, t);
    ctSpringState y = {.u = ctV3(u[0], u[1], taylorAt(x->approach, t)),
                       .force = ctV3(0.0, 0.0, taylorAt(x->load, t)),
                       .p = ctV3(p[0], p[1], taylorAt(x->impulse, t))};
    y.work = w->at.work + 0.5 * (w->at.force.z - y.force.z) * (w->at.force.z + y.force.z) / w->k.normal;
    ctTwo friction;
    if (w->sliding) {
        ctTwo direction = taylorPairAt(x->direction, t);
        direction /= sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
        y.c = direction[0];
        y.s = direction[1];
        friction = -w->k.mu * y.force.z * direction;
    } else {
        friction = taylorPairAt(x->friction, t);
    }
    y.force.x = friction[0];
    y.force.y = friction[1];
    return y;
}

static void negate(const ctTaylor a, ctTaylor minus)
{
    for (int j = 0; j <= CT_TAYLOR_ORDER; j++) {
        minus[j] = -a[j];
    }
}

// The first change of mode in (0, *t]; its time replaces *t.
static Change nextChange(const Spring *w, const ctSpringSeries *x, double *t)
{
    Change change = NO_CHANGE;
    ctTaylor minus;
    double first = ctTaylor_FirstZero(x->margin, w->fresh, *t);
    if (first <= *t) {
        *t = first;
        change = w->sliding ? STICKS : SLIPS;
    }
    if (w->restitution) {
        negate(x->load, minus);
        first = ctTaylor_FirstZero(minus, 0, *t);
        if (first <= *t) {
            *t = first;
            change = ENDS;
        }
        negate(x->approach, minus);
    }
    first = ctTaylor_FirstZero(w->restitution ? minus : x->approach, w->turned ? 1 : 0, *t);
    if (first <= *t) {
        *t = first;
        change = TURNS;
    }
    return change;
}

// ---- changes of mode ------------------------------------------------------------------------------

static void startSliding(Spring *w)
{
    double size = sqrt(w->at.force.x * w->at.force.x + w->at.force.y * w->at.force.y);
    w->at.c = -w->at.force.x / size;
    w->at.s = -w->at.force.y / size;
    w->sliding = true;
    w->fresh = 0;
    event(w, ct_courseSlidingBegins);
}

static void startSticking(Spring *w)
{
    w->sliding = false;
    w->stuckOnce = true;
    w->fresh = 2;
    event(w, ct_courseSlidingStops);
}

// True when the impact is over.
static bool makeChange(Spring *w, Change change, double e)
{
    switch (change) {
    case TURNS:
        w->at.u.z = 0.0;
        w->turned = true;
        w->restitution = !w->restitution;
        event(w, w->restitution ? ct_courseCompressionEnds : ct_courseRecompression);
        if (e == 0.0) {
            return true;
        }
        w->k.normal = (w->restitution ? 1.0 / (e * e) : 1.0) / w->k.contact->k33;
        w->stride *= w->restitution ? e : 1.0;
        return false;
    case STICKS:
        startSticking(w);
        return false;
    case SLIPS:
        startSliding(w);
        return false;
    case ENDS:
        return true;
    case NO_CHANGE:
        break;
    }
    return false;
}

static bool isNearlyOver(const Spring *w)
{
    double rest = 0.5 * timeLeft(w) * w->at.force.z, across = w->at.u.y * w->at.c - w->at.u.x * w->at.s;
    double along = w->at.u.x * w->at.c + w->at.u.y * w->at.s;
    bool settled = w->sliding && along > 0.0 && fabs(across) <= 0.1 * along;
    return rest <= (settled ? 1e-7 : 1e-10) * w->at.p.z;
}

static void finish(Spring *w)
{
    const ctCollisionMatrix *K = w->k.contact;
    const ctVec3 u = w->at.u;
    double half = 0.5 * timeLeft(w), c = w->at.c, s = w->at.s, speed = sqrt(u.x * u.x + u.y * u.y);
    ctVec3 force = w->at.force;
    if (w->sliding && speed > 0.0) {
        double a = w->k.tangential * speed / (w->k.mu * w->k.normal * u.z);
        double turn = a / (a + 2.0) * (u.y * c - u.x * s) / speed, size = w->k.mu * force.z / sqrt(1.0 + turn * turn);
        force.x = -size * (c - turn * s);
        force.y = -size * (s + turn * c);
    }
    ctVec3 p = ctScale(half, force);
    w->at.work += p.z * u.z;
    w->at.u = ctAdd(u, ctV3(K->b11 * p.x + K->b12 * p.y + K->d1 * p.z, K->b12 * p.x + K->b22 * p.y + K->d2 * p.z,
                            K->d1 * p.x + K->d2 * p.y + K->k33 * p.z));
    w->at.p = ctAdd(w->at.p, p);
}

// ---- the whole ------------------------------------------------------------------------------------

static void start(Spring *w, const ctImpactInput *in)
{
    const double r = sqrt(in->u.x * in->u.x + in->u.y * in->u.y);
    w->at.u = in->u;
    w->speed = most(r, -in->u.z);
    w->load = -in->u.z / w->k.contact->k33;
    w->stride = 0.5;
    w->sliding = in->eta2 * r > in->mu * -in->u.z;
    w->stuckOnce = !w->sliding;
    w->fresh = w->sliding ? 0 : 2;
    if (w->sliding) {
        w->at.c = in->u.x / r;
        w->at.s = in->u.y / r;
    }
    sample(w, &w->at);
}

// False when the contact changes its mode too often.
static bool walk(Spring *w, double e)
{
    enum { INSIDE = 8 };
    ctSpringSeries x;
    while (w->steps < MOST_STEPS) {
        w->steps++;
        if (w->sliding) {
            ctSpringSeries_Sliding(&w->k, &w->at, &x);
        } else {
            ctSpringSeries_Stuck(&w->k, &w->at, &x);
        }
        double t = strideOf(w, &x);
        w->stride = t;
        Change change = nextChange(w, &x, &t);
        for (int i = 1; i < INSIDE && w->course != NULL; i++) {
            ctSpringState between = stateAt(w, &x, t * i / INSIDE);
            sample(w, &between);
        }
        w->at = stateAt(w, &x, t);
        sample(w, &w->at);
        if (t > 0.0) {
            w->turned = false;
            w->fresh = 0;
        }
        if (makeChange(w, change, e)) {
            return true;
        }
        if (isNearlyOver(w)) {
            finish(w);
            return true;
        }
    }
    return false;
}

static ctImpactMode modeOf(const Spring *w, const ctImpactInput *in)
{
    double left = sqrt(w->at.u.x * w->at.u.x + w->at.u.y * w->at.u.y);
    if (left <= 1e-12 * w->speed) {
        return ct_impactStick;
    }
    bool slid = in->u.x != 0.0 || in->u.y != 0.0;
    return w->stuckOnce && slid ? ct_impactReverseSlide : ct_impactSlide;
}

void ctSolveCompliant(const ctImpactInput *in, const ctCollisionMatrix *contact, bool central, ctImpactResult *out,
                      ctImpactCourse *course)
{
    const double e = in->e < SMALLEST_E ? 0.0 : in->e, b = 0.5 * (contact->b11 + contact->b22);
    Spring w = {.k = {contact, 1.0 / contact->k33, in->eta2 / contact->k33, in->mu, central}, .course = course};
    bool rigid = in->mu == 0.0 || in->eta2 * b > RIGID * contact->k33;
    if (!rigid) {
        start(&w, in);
        rigid = !walk(&w, e);
    }
    if (rigid) {
        if (course != NULL) {
            course->sampleCount = course->eventCount = 0;
        }
        ctSolveExact(in, contact, out, course);
        return;
    }
    if (course != NULL) { // only what rounding or the closed form of the end have not changed
        course->samples[course->sampleCount - 1] = (ctCourseSample){w.at.p, w.at.u, w.at.work};
    }
    event(&w, ct_courseEnds);
    // Rounding may leave p_t slightly outside the friction cone.
    double used = sqrt(w.at.p.x * w.at.p.x + w.at.p.y * w.at.p.y), limit = in->mu * w.at.p.z;
    double share = used > limit ? limit / used : 1.0;
    out->p = ctV3(share * w.at.p.x, share * w.at.p.y, w.at.p.z);
    out->v = w.at.u;
    out->steps = w.steps;
    out->mode = modeOf(&w, in);
    out->restitutionLoss = -w.at.work;
    double lost =
        -0.5 * (out->p.x * (in->u.x + out->v.x) + out->p.y * (in->u.y + out->v.y) + out->p.z * (in->u.z + out->v.z));
    out->frictionLoss = most(0.0, lost + w.at.work);
}
