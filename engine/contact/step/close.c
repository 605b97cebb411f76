// The end of a step: the forces over the step, and the velocities that follow from them (contact/step/step.c).
#include "engine/contact/step/step.h"

#include <string.h>

#define JUMP (4.0 * CT_SAME_POINT) // a point farther from its last place than this, in sizes, is another point
// Accelerations grow by no more than this factor in a smooth step. Larger: impacts pass for smooth motion; smaller:
// smooth motion is stepped in first order.
#define BLOW 0.5
#define EARLIER (1.0 / 6.0)        // [method] of a step
#define ON_CONE CT_SPEED_TOLERANCE // the square of sliding friction may be less than its bound by this share

// Velocities at now as if no contact had acted since the base, and those at the base.
static void freeVelocity(const ctWorld *world, int index, ctSolverBody *s, ctSolverBody *start)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    double dt = world->now - b->base;
    if (!ctBody_IsInContact(body)) {
        return; // it has been flying
    }
    if (ctBody_IsStruck(body)) {
        start->v = ctMulAdd(body->v, -dt, body->a);
        start->w = s->w = ctMulAdd(body->w, -dt, body->alpha);
        s->v = ctMulAdd(body->v, dt, ctSub(ctBody_Pull(world, index), body->a));
    } else {
        start->v = b->v;
        start->w = b->w;
        s->v = ctMulAdd(b->v, dt, ctBody_Pull(world, index));
        s->w = body->ball ? b->w : ctMulMV(s->invInertia, b->momentum);
    }
    ctBody_ApplyDrive(world, index, s->invInertia, dt, &s->v, &s->w);
}

// Whether an impulse that is moved with its point, from one arm to another, would spin the body: a body that is light
// relative to the force, for which the geometry at the start is misleading.
static bool upsets(const ctWorld *world, int index, const ctSolverBody *s, ctVec3 impulse, ctVec3 from, ctVec3 to,
                   double dt)
{
    const ctBody *body = &world->bodies[index];
    double gravity = ctLength(ctBody_Pull(world, index));
    ctVec3 turn = ctMulMV(s->invInertia, ctCross(ctSub(from, to), impulse));
    double limit = BLOW * ctFastest(body->v, body->w, body->radius) + CT_HARD * gravity * dt;
    return s->invMass > 0.0 && ctLength(turn) * body->radius > limit;
}

// The share of the last force that acted in the geometry at the start. Zero where something has struck the body, or
// where that would spin it.
static double shareBefore(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                          const ctPointRef *ref, const ctSolverPoint *p)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    const ctSolverBody *bodies = world->contacts->solverBodies;
    bool idle = ctContactBody_IsStruck(a) || ctContactBody_IsStruck(b) ||
                upsets(world, record->a, &bodies[p->a], p->impulse, point->armA, p->ra, ref->dt) ||
                upsets(world, record->b, &bodies[p->b], p->impulse, point->armB, p->rb, ref->dt);
    return idle ? 0.0 : 1.0 - CT_THETA;
}

// The force of the last step, turned to the present normal.
static ctVec3 turnedForce(const ctContactPoint *point)
{
    return ctContact_TurnWith(point->force, point->past, point->n);
}

// The rate at which the force along the normal has grown from the last step to this one of dt, as a share of the last.
static double growthOf(const ctContactPoint *point, const ctSolverPoint *p, double dt)
{
    double last = ctDot(turnedForce(point), p->n), now = ctDot(p->impulse, p->n) / dt;
    double share = last > 0.0 ? ctFmax(-1.0, ctFmin(1.0, (now - last) / last)) : 0.0;
    return 2.0 * share / (dt + point->span);
}

// Applies an impulse to the bodies of a point where it was at the start of the step.
static void pushAtStart(ctSolverBody *bodies, const ctSolverPoint *p, const ctContactPoint *point, ctVec3 impulse)
{
    ctSolverPoint old = *p;
    old.ra = point->armA;
    old.rb = point->armB;
    ctSolverPoint_Push(&old, bodies, impulse);
}

// Applies the impulses of a point to its bodies.
static void applyPoint(ctWorld *world, int i)
{
    ctContacts *c = world->contacts;
    const ctSolverPoint *p = &c->solverPoints[i];
    const ctPointRef *ref = &c->refs[i];
    const ctContactPoint *point = &c->records[ref->record].points[ref->point];
    if (point->known) {
        pushAtStart(c->solverBodies, p, point, ref->start);
        ctSolverPoint_Push(p, c->solverBodies, ctNeg(ref->counter));
    }
    ctSolver_Apply(c->solverBodies, p, 1, 1.0);
}

// By how much the force that acts in the geometry at the start exceeds the last one, as a share of that. It is the
// force a sixth of a step before the middle: while an arm r and the force F change, their torque over the step,
//     h r(h/2) x F - h/2 (r(h/2) - r(-h/2)) x (F - h/6 F'),   times from the middle,
// then has the term h^3 / 12 r' x F' of the integral. The last force would leave an error of five times that term.
static double growthOver(const ctContactPoint *point, double dt)
{
    double time = 0.5 * (dt + point->span) - EARLIER * dt;
    return ctFmax(-BLOW, ctFmin(BLOW, time * point->growth));
}

// The part of the force that acts in the geometry at the start, as foreseen, and the warm start of the solver.
static void startPoint(ctWorld *world, int i)
{
    ctContacts *c = world->contacts;
    bool many = c->solverPointCount > CT_FEW_POINTS; // for few the force of this step is found (balance)
    ctSolverPoint *p = &c->solverPoints[i];
    ctPointRef *ref = &c->refs[i];
    const ctContactRecord *record = &c->records[ref->record];
    const ctContactPoint *point = &record->points[ref->point];
    ref->started = true;
    if (!point->known) {
        return;
    }
    p->impulse = ctScale(ref->dt, point->force);
    p->twist = ctScale(ref->dt, point->torque);
    ref->before = shareBefore(world, record, point, ref, p);
    double share = ref->before * (many ? 1.0 + growthOver(point, ref->dt) : 1.0);
    ref->start = ctScale(share, p->impulse);
    p->impulse = ctScale(ref->dt, turnedForce(point));
    ref->counter = ctScale(share, p->impulse);
}

// The part that acted at the start is a share of the force of this step, and not of the last one. Now that this force
// is known, the difference is corrected. Returns the change of the velocity at a point, m/s; applies it if bodies are
// given.
static double balancePoint(const ctWorld *world, int i, ctSolverBody *bodies)
{
    const ctContacts *c = world->contacts;
    const ctSolverPoint *p = &c->solverPoints[i];
    ctPointRef *ref = &c->refs[i];
    const ctContactPoint *point = &c->records[ref->record].points[ref->point];
    if (!(ref->before > 0.0)) {
        return 0.0;
    }
    ctVec3 start = ctScale(ref->before, ctContact_TurnWith(p->impulse, p->n, point->past));
    ctVec3 counter = ctScale(ref->before, p->impulse);
    ctSolverBody ends[2] = {c->solverBodies[p->a], c->solverBodies[p->b]};
    ctSolverPoint at = *p;
    if (bodies == NULL) {
        at.a = 0;
        at.b = 1;
        bodies = ends;
    }
    ctVec3 u = ctSolverPoint_Velocity(&at, bodies);
    pushAtStart(bodies, &at, point, ctSub(start, ref->start));
    ctSolverPoint_Push(&at, bodies, ctSub(ref->counter, counter));
    if (bodies != ends) {
        ref->start = start;
        ref->counter = counter;
    }
    return ctDistance(u, ctSolverPoint_Velocity(&at, bodies));
}

// False when the correction is negligible, or so large that it would spin a light body between heavy ones.
static bool balance(ctWorld *world, double least, double upset)
{
    ctContacts *c = world->contacts;
    double most = 0.0;
    for (int i = 0; i < c->solverPointCount && !(most > upset); i++) {
        most = ctFmax(most, balancePoint(world, i, NULL));
    }
    if (!(most > least) || most > upset) {
        return false;
    }
    for (int i = 0; i < c->solverPointCount; i++) {
        balancePoint(world, i, c->solverBodies);
    }
    return true;
}

// The mean direction over the step of what turns from one velocity into another, by Simpson's rule, less the last one.
// Zero where it begins or ends, or is reversed.
static ctVec3 turnOf(ctVec3 before, ctVec3 now, double slow)
{
    double from = ctLength(before), to = ctLength(now);
    if (!(from > slow && to > slow && ctDot(before, now) > 0.0)) {
        return ctZero3();
    }
    ctVec3 sum = ctAdd(before, now), ends = ctAdd(ctScale(1.0 / from, before), ctScale(-5.0 / to, now));
    return ctScale(1.0 / 6.0, ctMulAdd(ends, 4.0 / ctLength(sum), sum));
}

static ctVec3 across(ctVec3 v, ctVec3 n)
{
    return ctMulAdd(v, -ctDot(v, n), n);
}

// The solver has friction, and resistance to rolling, against the motion at the end of the step. They have turned with
// it. Finds the difference for a point.
static void findAside(const ctContacts *c, double slow, const ctSolverPoint *p, ctPointRef *ref)
{
    const ctContactPoint *point = &c->records[ref->record].points[ref->point];
    const ctSolverBody *before = c->pseudo, *now = c->solverBodies;
    double load = ctDot(p->impulse, p->n);
    if (!(ref->before > 0.0 && load > 0.0)) {
        return;
    }
    ctSolverPoint old = *p;
    old.ra = point->armA;
    old.rb = point->armB;
    ctVec3 u0 = across(ctSolverPoint_Velocity(&old, before), point->past), u1 = ctSolverPoint_Velocity(p, now);
    ctVec3 slip = turnOf(ctContact_TurnWith(u0, point->past, p->n), across(u1, p->n), slow);
    ref->aside = ctScale(-p->mu * load, slip);
    if (p->rolling > 0.0) {
        ctVec3 w0 = across(ctSub(before[p->a].w, before[p->b].w), point->past), w1 = ctSub(now[p->a].w, now[p->b].w);
        ctVec3 roll = turnOf(ctContact_TurnWith(w0, point->past, p->n), across(w1, p->n), slow / ref->size);
        ref->astray = ctScale(-p->rolling * load, roll);
    }
}

// The change of the velocity at a point by its difference alone, m/s.
static double turnedBy(const ctContacts *c, int i)
{
    ctSolverPoint change = c->solverPoints[i];
    ctSolverBody ends[2] = {c->solverBodies[change.a], c->solverBodies[change.b]};
    change.a = 0;
    change.b = 1;
    change.impulse = c->refs[i].aside;
    change.twist = c->refs[i].astray;
    ctVec3 u = ctSolverPoint_Velocity(&change, ends);
    ctSolver_Apply(ends, &change, 1, 1.0);
    return ctDistance(u, ctSolverPoint_Velocity(&change, ends));
}

// Applies these differences. False when they are negligible, or so large that they would spin a light body between
// heavy ones.
static bool turn(ctWorld *world, const ctIslandStep *step, double least, double upset)
{
    ctContacts *c = world->contacts;
    double most = 0.0;
    for (int i = 0; i < c->solverPointCount; i++) {
        findAside(c, CT_SLIDING_SPEED * step->fall, &c->solverPoints[i], &c->refs[i]);
        most = ctFmax(most, turnedBy(c, i));
    }
    bool turns = most > least && !(most > upset);
    for (int i = 0; i < c->solverPointCount; i++) {
        ctPointRef *ref = &c->refs[i];
        if (!turns) {
            ref->aside = ref->astray = ctZero3();
            continue;
        }
        ctSolverPoint change = c->solverPoints[i];
        change.impulse = ref->aside;
        change.twist = ref->astray;
        ctSolver_Apply(c->solverBodies, &change, 1, 1.0);
    }
    return turns;
}

// The whole impulses, with what has acted along other directions.
static void addAside(ctContacts *c)
{
    for (int i = 0; i < c->solverPointCount; i++) {
        c->solverPoints[i].impulse = ctAdd(c->solverPoints[i].impulse, c->refs[i].aside);
        c->solverPoints[i].twist = ctAdd(c->solverPoints[i].twist, c->refs[i].astray);
    }
}

// Whether sliding at a point has just ended: its friction will change. pseudo has the velocities at the start of the
// step.
static bool sticks(const ctContacts *c, const ctIslandStep *step, const ctSolverPoint *p)
{
    double bound = p->mu * p->pn, speed = CT_SLIDING_SPEED * step->fall, slow = speed * speed;
    if (!(p->p1 * p->p1 + p->p2 * p->p2 > (1.0 - ON_CONE) * bound * bound)) {
        return false;
    }
    ctVec3 before = ctSolverPoint_Velocity(p, c->pseudo), now = ctSolverPoint_Velocity(p, c->solverBodies);
    return ctLengthSquared(across(before, p->n)) > slow && ctLengthSquared(across(now, p->n)) <= slow;
}

// Whether a part of the relative spin at a point has just ended. slow: rad/s.
static bool hasEnded(ctVec3 before, ctVec3 now, double slow)
{
    return ctLengthSquared(before) > slow * slow && ctLengthSquared(now) <= slow * slow;
}

// Whether resistance has just stopped the rolling or the spinning at a point: its torque will change.
static bool halts(const ctContacts *c, const ctIslandStep *step, const ctSolverPoint *p, double arm)
{
    double slow = CT_SLIDING_SPEED * step->fall / arm;
    ctVec3 before = ctSub(c->pseudo[p->a].w, c->pseudo[p->b].w),
           now = ctSub(c->solverBodies[p->a].w, c->solverBodies[p->b].w);
    ctVec3 turned = ctScale(ctDot(before, p->n), p->n), turns = ctScale(ctDot(now, p->n), p->n);
    return (p->rolling > 0.0 && hasEnded(ctSub(before, turned), ctSub(now, turns), slow)) ||
           (p->spinning > 0.0 && hasEnded(turned, turns, slow));
}

// Stores the solution in the records, and finds out whether every force existed before.
static void finishPoints(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    bool foresees = ctIslandStep_Foresees(world, island);
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        const ctPointRef *ref = &c->refs[i];
        ctContactPoint *point = &c->records[ref->record].points[ref->point];
        point->impulse = ctAdd(point->impulse, p->impulse);
        bool arrived = ctLengthSquared(p->impulse) > 0.0 && ctLengthSquared(point->force) == 0.0;
        step->changed = step->changed || (arrived && (!point->known || ref->closing > CT_ARRIVAL_SPEED * step->fall));
        bool watched = foresees && p->pn > 0.0;
        step->changed = step->changed || (watched && p->mu > 0.0 && sticks(c, step, p));
        bool turns = p->rolling > 0.0 || p->spinning > 0.0;
        step->changed = step->changed || (watched && turns && halts(c, step, p, ref->size));
        // A mean of forces at two places far apart balances at neither.
        bool jumped = point->known && ctDistance(p->ra, point->armA) > JUMP * ref->size;
        step->changed = step->changed || (jumped && ctLengthSquared(p->impulse) > 0.0);
        bool known = point->known;
        point->armA = p->ra;
        point->armB = p->rb;
        point->known = true;
        if (ref->dt > CT_SHORTEST_STEP * step->length) {
            point->growth = known ? growthOf(point, p, ref->dt) : 0.0;
            point->span = ref->dt;
            point->force = ctScale(1.0 / ref->dt, p->impulse);
            point->torque = ctScale(1.0 / ref->dt, p->twist);
        }
    }
}

// Whether the step has given a body accelerations of another kind than before: the mean over an impact, which must not
// be kept for the next step. Nor must those of an impact that has lasted for several short steps: in a step of full
// length they would reverse the body's motion.
static bool isBlow(const ctWorld *world, int index, const ctSolverBody *s, double length)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    ctVec3 pull = ctBody_Pull(world, index);
    double dt = world->now - b->base, gravity = ctLength(pull);
    ctVec3 a = ctScale(1.0 / dt, ctSub(s->v, b->v)), alpha = ctScale(1.0 / dt, ctSub(s->w, b->w));
    double push = ctDistance(a, pull), twist = ctLength(alpha) * body->radius;
    double speed = ctFastest(s->v, s->w, body->radius);
    return ctFmax(push, twist) * length > BLOW * speed + CT_HARD * gravity * length ||
           ctDistance(a, body->a) > BLOW * (ctDistance(body->a, pull) + gravity) ||
           ctDistance(alpha, body->alpha) * body->radius > BLOW * (ctLength(body->alpha) * body->radius + gravity);
}

bool ctIslandStep_Solve(ctWorld *world, const ctIslandStep *step, double tolerance)
{
    ctContacts *c = world->contacts;
    c->solver.shares = true;
    ctSolverReport report = ctSolver_Solve(&c->solver, c->solverBodies, c->solverBodyCount, c->solverPoints, step->free,
                                           tolerance, CT_SOLVER_BUDGET);
    world->stats.solverSweeps += report.sweeps;
    world->frameEvents += (int64_t)ctSolverReport_Effort(&report) * step->free / CT_EVENT_POINTS;
    if (report.astray) {
        ctSolver_LimitWork(c->solverBodies, c->pseudo, c->solverPoints, step->free);
        c->strays++;
    }
    return !report.astray;
}

// Sets the velocities without contact forces, and those at the start.
static void setFree(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        c->solverBodies[i].v = body->v;
        c->solverBodies[i].w = body->w;
    }
    memcpy(c->pseudo, c->solverBodies, (size_t)c->solverBodyCount * sizeof *c->pseudo);
    for (int i = 0; i < island->bodyCount; i++) {
        if (!c->before[i].rests) {
            freeVelocity(world, c->members[island->firstBody + i], &c->solverBodies[i], &c->pseudo[i]);
        }
    }
}

// Finds the forces, of more and more points where bodies that lay still come to move. *found: there is a solution.
static bool findForces(ctWorld *world, const ctIsland *island, ctIslandStep *step, bool *found)
{
    ctContacts *c = world->contacts;
    do {
        setFree(world, island);
        for (int i = 0; i < c->solverPointCount; i++) {
            if (!c->refs[i].started) {
                startPoint(world, i);
            }
            applyPoint(world, i);
        }
        if (step->free < c->solverPointCount) {
            ctSolver_Prepare(c->solverBodies, &c->solverPoints[step->free], c->solverPointCount - step->free);
        }
        *found = ctIslandStep_Solve(world, step, step->precision);
        if (!ctIslandStep_Spread(world, island, step)) {
            return false;
        }
    } while (step->spread > 0);
    return true;
}

// A short step changes velocities by little. In islands of many points, whose tolerance is large, its forces are to be
// as precise as those of a regular step, and so its velocities are solved better: a body that begins to slide is slower
// at first than the tolerance that the fastest allow. Not in a step in which something jumps: its forces are not handed
// on, and velocities change by much.
static void setPrecision(const ctIsland *island, ctIslandStep *step)
{
    bool counts = island->pointCount > CT_MANY_POINTS && !step->changed;
    double part = ctFmax(ldexp(1.0, -CT_MAX_HALVINGS), ctFmin(1.0, step->dt / step->regular));
    step->precision = step->rest + (counts ? part : 1.0) * (step->tolerance - step->rest);
}

// The longest time since the base of a body in contact; where all fly, of any: one that flies in has an old base.
static double timeOf(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double flown = 0.0, longest = -1.0;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        double time = world->now - c->bodies[index].base;
        flown = ctFmax(flown, time);
        longest = ctBody_IsInContact(&world->bodies[index]) ? ctFmax(longest, time) : longest;
    }
    return longest < 0.0 ? flown : longest;
}

// Whether a point pushes a member that has been flying. What flies on disturbs none of the others.
static bool catches(const ctWorld *world)
{
    const ctContacts *c = world->contacts;
    bool any = false;
    for (int i = 0; i < c->solverPointCount && !any; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        const ctBody *a = &world->bodies[c->slotBody[p->a]], *b = &world->bodies[c->slotBody[p->b]];
        any = ctLengthSquared(p->impulse) > 0.0 && (a->mode == ct_modeFlying || b->mode == ct_modeFlying);
    }
    return any;
}

bool ctIslandStep_Close(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    double pull = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        pull = ctFmax(pull, ctLength(ctBody_Pull(world, index)));
        const ctBody *body = &world->bodies[index];
        step->changed = step->changed || ctBody_IsStruck(body);
    }
    step->dt = timeOf(world, island);
    step->changed = step->changed || step->dt < CT_SHORTEST_STEP * step->length;
    setPrecision(island, step);
    bool found;
    if (!findForces(world, island, step, &found)) {
        return false;
    }
    double fall = step->dt * pull, least = ctFmax(CT_SLOW * fall, step->tolerance);
    bool few = found && c->solverPointCount <= CT_FEW_POINTS;
    double upset = BLOW * step->speed + fall;
    bool balanced = few && balance(world, least, upset);
    if (few && (turn(world, step, step->precision, upset) || balanced)) {
        c->solver.prepared = true;
        ctIslandStep_Solve(world, step, step->precision);
    }
    addAside(c);
    step->changed = step->changed || catches(world);
    step->smooth = !step->changed;
    ctEnergy_AddPoints(world);
    finishPoints(world, island, step);
    for (int i = 0; i < island->bodyCount && !step->changed; i++) {
        int index = c->members[island->firstBody + i];
        bool counts = !c->before[i].rests && ctBody_IsInContact(&world->bodies[index]);
        step->changed = counts && isBlow(world, index, &c->solverBodies[i], step->length);
    }
    return true;
}
