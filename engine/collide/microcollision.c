// Microcollisions: sustained contact as a series of tiny impacts (Mirtich & Canny 1995, sections 2 and 4.5).
//
// Below a threshold of normal speed the impulse that exactly reverses the contact velocity,
//   p = -2 K^-1 u,
// is applied when it lies in the friction cone; it does no work. Otherwise the full collision is.
//
// Left open by the paper are contacts that lose speed, which would collide infinitely often, and bodies that touch at
// several points at once.
//
// THE ENVELOPE. Bodies in contact hover within a height h, CT_MICRO_ENVELOPE of their size. A point with the gap g
// leaves a microcollision no slower than with
//   r = sqrt(2 A (h - g)),
// which takes it to the height h against the acceleration A that presses the two together: there is a least time
// between two microcollisions of a pair, and what is too deep is lifted out. It is as if the surface rose at the
// speed r: the collision is solved relative to it, u - r n, without restitution; friction gets its share, the impulse
// is one that a moving surface may give, and the audit takes it for that. The work that this does is no more than p_n
// r.
//   A is gravity's where one of the two rests, or what turning does, w^2 r, where both fly; or more, where others
// push: the mean rate at which microcollisions have changed the normal velocity of this pair lately, which is the force
// between them over their effective mass. It is limited (CT_MICRO_PRESS): bodies between others that are agitated like
// a gas would press on them ever more.
//
// SEVERAL POINTS of a pair within the envelope collide at once. With V the velocity that takes the body back to where
// it is after a hop, -a h' (a: the acceleration of one relative to the other, h' = sqrt(2 h / A) half the hop's time),
// every point that bears is to leave with the tangential velocity
//   v_t = -k u_t + (1 - k) V_t,
// which is the paper's reversal for k = 1. Reversal alone keeps whatever shaking there is for ever; k =
// CT_MICRO_REVERSAL lets it fade. Along the normal a point leaves with e |u_n|, or r if that is more. With
//   s = v + k u - (1 - k) V = (1 + k) u - (1 - k) V + K p
// for the velocity these are Signorini's and Coulomb's conditions, with the normal velocity of s bounded from below:
// the solver of sustained contact finds the impulses (solver/sweep.c). Friction is in its cone and opposes s, which
// for a body that slides is the slip, and a block stays on a slope that it should stay on, nearly (docs/engine.md).
#include "engine/collide/collide_internal.h"
#include "engine/solver/solver.h"

enum { MAX_POINTS = 16, MAX_SWEEPS = 64 };
// Precision of the solution, as a share of the speeds involved. Larger: boxes at rest drift; smaller: more sweeps.
#define PRECISION 1e-3
// What the audit allows, as a share of the speeds involved: sweeps that change little may still be this far off.
#define AUDIT_PRECISION (50.0 * PRECISION)

// ---- one point --------------------------------------------------------------------------------

static bool inCone(ctVec3 p, double mu)
{
    return p.z > 0.0 && p.x * p.x + p.y * p.y <= mu * mu * p.z * p.z;
}

bool ctMicro_Reverse(const ctImpactInput *in, double rebound, ctImpactResult *out)
{
    ctVec3 after = ctV3(-in->u.x, -in->u.y, -in->u.z > rebound ? -in->u.z : rebound), p;
    if (in->u.z <= 0.0 && ctSolve(in->K, ctSub(after, in->u), &p) && inCone(p, in->mu)) {
        *out = (ctImpactResult){.p = p, .v = after, .mode = ct_impactStick};
        return true;
    }
    return false;
}

// ---- the envelope -----------------------------------------------------------------------------

static double gravity(const ctWorld *world)
{
    return ctLength(world->def.gravity);
}

static double envelope(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return CT_MICRO_ENVELOPE * ctBodies_Size(a, b);
}

// The acceleration, m/s^2, with which turning brings points nearer. Balls do not come nearer by turning.
static double turning(const ctBody *a, const ctBody *b)
{
    double turnA = a->ball ? 0.0 : a->wMax * a->wMax * a->radius;
    double turnB = b->ball || b->plane ? 0.0 : b->wMax * b->wMax * b->radius;
    return turnA + turnB;
}

// The acceleration, m/s^2, that presses the two together.
static double pressing(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double falling = ctDistance(a->a, b->a), alone = falling > 0.0 ? falling : turning(a, b);
    return ctFmax(alone, world->extras[pair - world->pairs].pressing);
}

// Mirtich's threshold, m/s: well above the speed with which a body at rest falls back through its envelope.
static double threshold(const ctWorld *world, const ctBodyPair *pair)
{
    return ctFmax(CT_MICRO_SPEED, 4.0 * sqrt(2.0 * gravity(world) * envelope(world, pair)));
}

bool ctMicro_IsSlow(const ctWorld *world, const ctBodyPair *pair, double speed)
{
    return speed < threshold(world, pair);
}

double ctMicro_Rebound(const ctWorld *world, const ctBodyPair *pair, double gap)
{
    double way = envelope(world, pair) - gap;
    // Not so fast that the body comes back with more than a microcollision.
    return way > 0.0 ? ctFmin(sqrt(2.0 * pressing(world, pair) * way), 0.75 * threshold(world, pair)) : 0.0;
}

bool ctMicro_IsHop(const ctWorld *world, const ctBodyPair *pair, double speed)
{
    return speed < CT_MICRO_HOP * ctMicro_Rebound(world, pair, 0.0);
}

void ctMicro_Note(ctWorld *world, int index, double change)
{
    ctBodyPair *pair = &world->pairs[index];
    double g = gravity(world), *mean = &world->extras[index].pressing;
    if (g > 0.0) {
        double memory = CT_MICRO_MEMORY * sqrt(2.0 * envelope(world, pair) / g),
               time = ctFmax(world->now - pair->microTime, 0.0);
        *mean = ctFmin((*mean * memory + change) / (time + memory), CT_MICRO_PRESS * g);
    }
    pair->microTime = world->now;
    world->bodies[pair->a].microTime = world->bodies[pair->b].microTime = world->now;
}

// ---- several points ---------------------------------------------------------------------------

// All points of one pair, and their target velocities.
typedef struct Patch {
    ctSolverBody bodies[2]; // velocities s
    ctSolverPoint points[MAX_POINTS];
    ctVec3 before[MAX_POINTS], after[MAX_POINTS]; // u, v
    double least[MAX_POINTS];                     // m/s: of v_n
    ctVec3 shift;                                 // -(1 - k) V
    double fastest;                               // m/s: the largest of the speeds involved
    int count;
} Patch;

static ctSolverBody solverBody(const ctWorld *world, const ctBody *body)
{
    ctSolverBody s = ctBody_ForSolver(world, body);
    s.v = ctScale(1.0 + CT_MICRO_REVERSAL, s.v);
    s.w = ctScale(1.0 + CT_MICRO_REVERSAL, s.w);
    return s;
}

static void makePatch(const ctWorld *world, const ctBodyPair *pair, const ctTouch *touches, int count, Patch *patch)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double press = pressing(world, pair), half = press > 0.0 ? sqrt(2.0 * envelope(world, pair) / press) : 0.0;
    ctCoefficients c = ctPair_Coefficients(world, pair);
    patch->count = count;
    patch->bodies[0] = solverBody(world, a);
    patch->bodies[1] = solverBody(world, b);
    patch->shift = ctScale((1.0 - CT_MICRO_REVERSAL) * half, ctSub(a->a, b->a));
    patch->bodies[0].v = ctAdd(patch->bodies[0].v, patch->shift);
    patch->fastest = ctMicro_Rebound(world, pair, 0.0);
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &patch->points[i];
        *p = (ctSolverPoint){.a = 0, .b = 1, .n = touches[i].normal, .mu = c.friction};
        p->ra = ctSub(touches[i].point, a->x);
        p->rb = ctSub(touches[i].point, b->x);
        patch->before[i] = ctBodies_VelocityAt(a, b, touches[i].point);
        double u = ctDot(p->n, patch->before[i]), rebound = ctMicro_Rebound(world, pair, touches[i].gap);
        patch->least[i] = ctFmax(-c.restitution * u, rebound);
        p->target = CT_MICRO_REVERSAL * u + ctDot(patch->shift, p->n) + patch->least[i];
        patch->fastest = ctFmax(patch->fastest, fabs(u));
    }
}

// By how much a point falls short of its least normal velocity, m/s.
static double missOf(const Patch *patch)
{
    double most = 0.0;
    for (int i = 0; i < patch->count; i++) {
        const ctSolverPoint *p = &patch->points[i];
        most = ctFmax(most, p->target - ctDot(p->n, ctSolverPoint_Velocity(p, patch->bodies)));
    }
    return most;
}

// Solves by sweeps; where these change little far from the solution (the two ends of a rod), as one system.
static void solvePatch(ctWorld *world, Patch *patch)
{
    ctSolver_Prepare(patch->bodies, patch->points, patch->count);
    int sweeps = 0;
    double change = INFINITY;
    for (; sweeps < MAX_SWEEPS && change > PRECISION * patch->fastest; sweeps++) {
        change = ctSolver_Sweep(patch->bodies, patch->points, patch->count, (sweeps & 1) != 0);
    }
    ctSolver_Finish(patch->points, patch->count);
    if (missOf(patch) > AUDIT_PRECISION * patch->fastest) {
        ctSolver *solver = ctContact_Solver(world);
        solver->shares = false;
        ctSolverReport report = ctSolver_Solve(solver, patch->bodies, 2, patch->points, patch->count,
                                               PRECISION * patch->fastest, CT_SOLVER_BUDGET);
        sweeps += ctSolverReport_Effort(&report);
    }
    world->frameEvents += sweeps * patch->count / CT_EVENT_POINTS;
    for (int i = 0; i < patch->count; i++) {
        ctVec3 s = ctSub(ctSolverPoint_Velocity(&patch->points[i], patch->bodies), patch->shift);
        patch->after[i] = ctMulAdd(s, -CT_MICRO_REVERSAL, patch->before[i]);
    }
}

// Whether no point approaches more than before, every impulse is in its cone, and the surface does no more work than it
// may.
static bool isPermissible(const ctWorld *world, const ctBodyPair *pair, const Patch *patch)
{
    double slack = AUDIT_PRECISION * patch->fastest, work = 0.0;
    double mu = ctPair_Coefficients(world, pair).friction, push = ctLength(patch->shift);
    for (int i = 0; i < patch->count; i++) {
        const ctSolverPoint *p = &patch->points[i];
        ctVec3 mean = ctScale(0.5, ctAdd(patch->before[i], patch->after[i]));
        double along = ctDot(p->n, p->impulse), across = ctLength(ctMulAdd(p->impulse, -along, p->n));
        if (along < 0.0 || across > (mu * (1.0 + 1e-9) + 1e-9) * along ||
            ctDot(p->n, patch->after[i]) < ctFmin(0.0, patch->least[i]) - slack) {
            return false;
        }
        work += ctDot(p->impulse, mean) - along * (ctFmax(patch->least[i], 0.0) + (1.0 + mu) * push + slack);
    }
    return work <= 0.0;
}

static void collideAll(ctWorld *world, int index, const ctTouch *touches, int count)
{
    Patch patch;
    makePatch(world, &world->pairs[index], touches, count, &patch);
    solvePatch(world, &patch);
    if (world->def.audit) {
        ctWorld_Audit(world, isPermissible(world, &world->pairs[index], &patch), ct_auditEnergy, world->pairs[index].a,
                      world->pairs[index].b);
    }
    double sum = 0.0, change = 0.0;
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &patch.points[i];
        if (p->pn > 0.0 && ctIsFinite3(p->impulse)) {
            ctTouch_Apply(world, &touches[i], p->impulse, patch.before[i], patch.after[i], ct_eventMicro);
            sum += p->pn;
            change += p->pn * ctDot(p->n, ctSub(patch.after[i], patch.before[i]));
        }
    }
    ctMicro_Note(world, index, sum > 0.0 ? change / sum : 0.0);
}

// ---- the event --------------------------------------------------------------------------------

static bool approaches(const ctWorld *world, const ctTouch *touches, int count)
{
    for (int i = 0; i < count; i++) {
        const ctBodyPair *pair = &world->pairs[touches[i].pair];
        if (ctTouch_Approach(world, &touches[i]) > ctPair_SpeedRounding(world, pair)) {
            return true;
        }
    }
    return false;
}

// A body with a changed course costs a new time for each of its pairs.
static void takeCourse(ctWorld *world, int index)
{
    int count;
    ctBody_Links(world, index, &count);
    world->frameEvents += count / CT_EVENT_PAIRS;
    ctWorld_CourseChanged(world, index);
}

void ctMicro_Collide(ctWorld *world, int index, const ctPairLook *look)
{
    int a = world->pairs[index].a, b = world->pairs[index].b;
    ctTouch touches[MAX_POINTS];
    int count = ctPair_Touches(world, index, envelope(world, &world->pairs[index]), touches, MAX_POINTS);
    if (!approaches(world, touches, count)) {
        // Where an edge meets an edge, the closest points and the manifold may disagree on whether the bodies approach.
        count = count < MAX_POINTS ? count : MAX_POINTS - 1;
        touches[count++] = (ctTouch){index, look->normal, ctLerp(look->pointA, look->pointB, 0.5), 0, look->distance};
    }
    if (count == 1) {
        ctTouch_Resolve(world, &touches[0], 1.0);
    } else {
        collideAll(world, index, touches, count);
    }
    takeCourse(world, a);
    if (ctBody_IsMovable(&world->bodies[b])) {
        takeCourse(world, b);
    }
}
