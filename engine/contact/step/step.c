// One step of an island of bodies in contact.
//
// Between steps every body in contact moves with a constant acceleration a and angular acceleration
// alpha: what the forces of the last step were on the mean. At the end of the step, h later, the contact
// velocities must obey the conditions of solver/sweep.c, and the forces F over the step follow. They
// act in two parts (the theta-rule): 1 - theta of the last forces in the geometry at the start,
//     v = v0 + h g + (1 - theta) h F_old / m + ...,
// and the rest, F - (1 - theta) F_old, in the geometry at the end, where the solver finds it; there F_old is
// turned with the normal, so that what is taken back has the arm of F, not that of the past. The cone binds the
// whole F. With theta one half a turning body keeps its energy; because the force that is handed on is the mean
// over the step and not its last part, nothing rings.
//
// The position at the end is that of the parabola with the mean acceleration now known,
//     x += h^2 / 2 (a_new - a_used),
// a tiny correction that makes the motion the trapezoidal rule. Overlaps are pushed out by
// pseudo-velocities that move bodies but never enter v.
//
// Where something breaks (a point comes or goes, a body is struck, sliding or all motion ends), last forces say
// nothing about the next: they are found by looking ahead, solving a short virtual step from the present
// velocities. Ends of sliding, ends of faces and hard arrivals of further points are foreseen from the motion, and
// the island takes an extra step just there.
#include "engine/contact/step/step.h"

#include "collision/memory.h"

#include <string.h>

// Length of the virtual step, in steps. Longer: forces belong to a later time; shorter: they are lost in the tolerance.
#define LOOK_AHEAD (1.0 / 16.0)
#define HOP 10.0    // [method] times as fast as anything else: no point approaches so fast
#define LOADED 10.0 // [rounding] tolerances: an impulse that changes velocities by less may be none
#define STOPPED (10.0 * CT_SHORTEST_STEP) // of its speed: a body with less left stands still (tests/test_references.c)

// Errors of a step are corrected in the next one: where many points share the load, and where they move, less precision
// is enough, but for long steps, which are smooth. The points of one face are solved a thousand times better: their
// result then does not depend on the orientation of the world.
static void setTolerance(const ctIsland *island, ctIslandStep *step)
{
    int points = island->pointCount;
    double many = (double)points / CT_MANY_POINTS, speed = step->speed / (CT_LIVELY_SPEED * step->fall);
    double lively = 1.0 + 9.0 * ctFmin(1.0, speed);
    double share = points <= 4 ? 0.001 : many > 1.0 && island->doublings == 0 ? lively : 1.0;
    step->rest = CT_REST_TOLERANCE * step->fall * ctFmax(1.0, many * many);
    step->tolerance = step->rest + CT_SPEED_TOLERANCE * step->speed * share;
}

// ---- the next step ----------------------------------------------------------------------------

static bool isSame(ctVec3 a, ctVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether the step has stopped all bodies. The forces that did so, kept for the next step, would push them back to
// where they came from for a whole step.
static bool stops(const ctWorld *world, const ctIsland *island, double length)
{
    const ctContacts *c = world->contacts;
    bool counts = false;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        const ctSolverBody *s = &c->solverBodies[i];
        double before = ctFastest(body->v, body->w, body->radius);
        double after = ctFastest(s->v, s->w, body->radius);
        if (after > ctFmax(STOPPED * before, CT_REST_SPEED * ctWorld_FallSpeed(world, body->radius))) {
            return false;
        }
        counts = counts || before * length > CT_CLOSED * body->radius;
    }
    return counts;
}

// Corrects a body's orientation by a small turn. Nothing has acted on the body meanwhile: its angular momentum I(q) w
// is kept, and not its spin, which would add energy in every step for a rod that lies and spins.
static void putRight(ctWorld *world, int index, ctVec3 turn, ctVec3 *w)
{
    ctBody *body = &world->bodies[index];
    const ctInertia *inertia = &world->infos[index].inertia;
    ctVec3 momentum = body->ball ? ctZero3() : ctInertia_Momentum(inertia, body->q, *w);
    body->q = ctNormalizeQ(ctMulQ(ctQuatExp(turn), body->q));
    body->path += ctLength(turn) * body->radius;
    if (!body->ball) {
        *w = ctMulMV(ctInertia_WorldInverse(inertia, body->q), momentum);
    }
}

// A smooth step of a body in contact: the accelerations were the mean ones, and the position follows from them.
static void carryOn(ctWorld *world, int index, ctSolverBody *s)
{
    ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    double dt = world->now - b->base;
    ctVec3 a = ctScale(1.0 / dt, ctSub(s->v, b->v)), alpha = ctScale(1.0 / dt, ctSub(s->w, b->w));
    body->x = ctMulAdd(body->x, 0.5 * dt * dt, ctSub(a, body->a));
    putRight(world, index, ctScale(0.5 * dt * dt, ctSub(alpha, body->alpha)), &s->w);
    body->path += 0.5 * dt * dt * ctDistance(a, body->a);
    body->a = a;
    body->alpha = alpha;
    body->v = s->v;
    body->w = s->w;
}

// Whether a ball leaves a plane or another ball faster than this (m/s). Then nothing bears it until it has returned,
// which is foreseen: a mean force over the virtual step, in which it may return, would act for the whole step.
static bool hops(const ctWorld *world, const ctContactRecord *record, const ctSolverPoint *p, double slow)
{
    if (world->pairs[record->pair].kind == ct_pairGeneral) {
        return false;
    }
    double belt = ctBody_BeltAlong(world, record->b, ctAdd(world->bodies[record->b].x, p->rb), p->n);
    return ctDot(ctSolverPoint_Velocity(p, world->contacts->solverBodies), p->n) + belt > slow;
}

// How surfaces turn and roll away from each other, or leave their faces, in a short virtual step.
static void bendAway(ctWorld *world, const ctIslandStep *step, double ahead)
{
    ctContacts *c = world->contacts;
    bool few = c->solverPointCount <= CT_FEW_POINTS, leaves = false;
    for (int i = 0; i < c->solverPointCount; i++) {
        ctSolverPoint *p = &c->solverPoints[i];
        const ctSolverBody *a = &c->solverBodies[p->a], *b = &c->solverBodies[p->b];
        const ctContactRecord *record = &c->records[c->refs[i].record];
        ctPointMotion motion = {p->n, p->ra, p->rb, a->v, a->w, b->v, b->w};
        if (ctBody_HasBelt(world, record->b)) { // the shape does not move
            motion.vb = world->bodies[record->b].v;
            motion.wb = world->bodies[record->b].w;
        }
        if (i == 0 || c->refs[i].record != c->refs[i - 1].record) {
            leaves = few && ctContact_TimeOfLeaving(world, record, world->now + ahead) <= world->now;
        }
        p->target -= ahead * ctContact_Bend(world, record, &record->points[c->refs[i].point], &motion, ahead, leaves);
        double pull = ahead * ctBodies_Pull(world, record->a, record->b);
        if (few && hops(world, record, p, CT_SHORTEST_STEP * pull)) {
            p->target -= HOP * (step->speed + pull);
        }
    }
}

// Forces from a short virtual step at the present velocities; afterwards accelerations are known.
static void lookAhead(ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    double ahead = LOOK_AHEAD * step->length;
    bendAway(world, step, ahead);
    memcpy(c->pseudo, c->solverBodies, (size_t)c->solverBodyCount * sizeof *c->pseudo);
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        ctSolverBody *s = &c->solverBodies[i];
        if (c->before[i].rests) {
            continue;
        }
        s->v = ctMulAdd(s->v, ahead, ctBody_Pull(world, index));
        if (!body->ball) {
            ctVec3 momentum = ctInertia_Momentum(&world->infos[index].inertia, body->q, body->w);
            s->w = ctMulAdd(s->w, -ahead, ctMulMV(s->invInertia, ctCross(body->w, momentum)));
        }
        ctBody_ApplyDrive(world, index, s->invInertia, ahead, &s->v, &s->w);
    }
    for (int i = island->bodyCount; i < c->solverBodyCount; i++) { // a body on a path is faster or slower then
        const ctBody *body = &world->bodies[c->slotBody[i]];
        if (ctBody_HasRoute(body)) {
            c->solverBodies[i].v = ctMulAdd(c->solverBodies[i].v, ahead, body->a);
            c->solverBodies[i].w = ctMulAdd(c->solverBodies[i].w, ahead, body->alpha);
        }
    }
    for (int i = 0; i < c->solverPointCount; i++) {
        ctSolverPoint *p = &c->solverPoints[i];
        const ctContactPoint *point = &c->records[c->refs[i].record].points[c->refs[i].point];
        p->impulse = ctScale(ahead, point->force);
        p->twist = ctScale(ahead, point->torque);
    }
    ctSolver_Apply(c->solverBodies, c->solverPoints, c->solverPointCount, 1.0);
    c->solver.prepared = true; // by ctIslandStep_Close
    ctIslandStep_Solve(world, step, step->tolerance - (1.0 - LOOK_AHEAD) * step->rest);
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        ctContactPoint *point = &c->records[c->refs[i].record].points[c->refs[i].point];
        ctContactPoint_Load(point, ctScale(1.0 / ahead, p->impulse), ctScale(1.0 / ahead, p->twist));
    }
    for (int i = 0; i < island->bodyCount; i++) {
        ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        body->a = ctScale(1.0 / ahead, ctSub(c->solverBodies[i].v, body->v));
        body->alpha = ctScale(1.0 / ahead, ctSub(c->solverBodies[i].w, body->w));
    }
}

// Whether the step has stopped all bodies, but for speeds that do not count.
static bool halts(const ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    const ctContacts *c = world->contacts;
    double before = 0.0, after = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        before = ctFmax(before, ctFastest(c->before[i].v, c->before[i].w, body->radius));
        after = ctFmax(after, ctFastest(body->v, body->w, body->radius));
    }
    return after <= ctFmin(CT_REST_SPEED * step->fall, STOPPED * before);
}

// What the step has left of velocities would be stopped within the short virtual step. The forces that hold the bodies
// are found with the tolerance of an island at rest.
static void halt(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        c->work.contact -= ctBody_Energy(world, index);
        body->v = body->w = c->solverBodies[i].v = c->solverBodies[i].w = ctZero3();
        c->work.contact += ctBody_Energy(world, index);
    }
    step->speed = 0.0;
    setTolerance(island, step);
}

// Velocities are those at the end of the step. Where nothing had changed before its end, positions follow from them.
// Otherwise forces are found again, unless something hits now: then the step after that finds them.
static void moveOn(ctWorld *world, ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    double miss = step->smooth ? ctIslandStep_Miss(world, island) : 0.0;
    bool breaks = step->changed || stops(world, island, step->length);
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        if (c->before[i].rests) {
            continue;
        }
        // flight is exact; and a body that has just been stepped has nothing to be carried on by
        bool smooth = step->smooth && ctBody_IsInContact(body) && world->now > c->bodies[index].base;
        if (smooth && (!breaks || ctIslandStep_MissOf(world, index, &c->solverBodies[i]) <= CT_APART)) {
            carryOn(world, index, &c->solverBodies[i]);
        }
        body->v = c->solverBodies[i].v;
        body->w = c->solverBodies[i].w;
    }
    if (!breaks) {
        ctIslandStep_Stride(world, island, step, miss);
        return;
    }
    island->doublings = 0;
    step->length = ctFmin(step->length, step->regular);
    if (!step->hits) {
        if (halts(world, island, step)) {
            halt(world, island, step);
        }
        lookAhead(world, island, step);
    }
}

// A body that nothing pushes flies exactly.
static void setModes(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->solverBodyCount; i++) {
        c->slotBody[i] = -c->slotBody[i] - 1; // not pushed so far
    }
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctContactPoint *point = &c->records[c->refs[i].record].points[c->refs[i].point];
        if (ctLengthSquared(point->force) > 0.0) {
            int ends[2] = {c->solverPoints[i].a, c->solverPoints[i].b};
            for (int k = 0; k < 2; k++) {
                c->slotBody[ends[k]] = c->slotBody[ends[k]] < 0 ? -c->slotBody[ends[k]] - 1 : c->slotBody[ends[k]];
            }
        }
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        if (c->slotBody[i] >= 0) {
            ctBody_SetMode(body, ct_modeContact);
        } else if (!c->before[i].rests) {
            ctBody_SetMode(body, ct_modeFlying);
            body->a = ctBody_FreeAcceleration(world, index);
            body->alpha = ctZero3();
        }
    }
}

// ---- overlaps ---------------------------------------------------------------------------------

// Whether another point of the contact overlaps: pushing that out may open the gaps beside it.
static bool isDeepBeside(const ctContactRecord *record, double size)
{
    for (int i = 0; i < record->count; i++) {
        if (record->points[i].gap < -CT_CLOSED * size) {
            return true;
        }
    }
    return false;
}

static ctPush pushOf(const ctWorld *world, int i, const ctIslandStep *step)
{
    const ctContacts *c = world->contacts;
    const ctPointRef *ref = &c->refs[i];
    double gap = c->records[ref->record].points[ref->point].gap, slop = CT_OVERLAP_SLOP * ref->size;
    // In proportion to the time: with whole shares in short steps, arriving bodies would be held off. But a body that
    // is struck again and again has only short steps.
    double length = step->length, part = gap < -CT_SHALLOW * ref->size ? 1.0 : ctFmin(1.0, step->dt / length);
    double share = part * (step->rests ? CT_REST_PUSH_OUT : CT_PUSH_OUT);
    double closing = part * (step->rests ? CT_REST_PUSH_OUT : CT_PUSH_OUT);
    if (gap < -slop) {
        double fastest = CT_PUSH_SPEED * ctWorld_FallSpeed(world, ref->size);
        // a body that slides fast penetrates fast where the ground is curved
        fastest = ctFmax(fastest, CT_DEEP * step->speed);
        return (ctPush){.target = ctFmin(share * (-gap - slop) / length, fastest)};
    }
    const ctSolverPoint *p = &c->solverPoints[i];
    bool bears = p->pn * p->knn > LOADED * step->tolerance;
    if (gap > slop && gap <= CT_CONTACT_MARGIN * ref->size && bears &&
        !isDeepBeside(&c->records[ref->record], ref->size)) {
        return (ctPush){.target = -closing * (gap - slop) / length, .pulls = true};
    }
    return (ctPush){.target = ctFmin(-gap, 0.0) / length};
}

// Whether a point overlaps by more than is left to later steps.
static bool isDeep(const ctContacts *c)
{
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctPointRef *ref = &c->refs[i];
        if (c->records[ref->record].points[ref->point].gap < -CT_SHALLOW * ref->size) {
            return true;
        }
    }
    return false;
}

// Arms turn with the bodies that have been pushed: points would seem to run around them in a short step after this one.
static void turnArms(ctContacts *c, double length)
{
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        ctContactPoint *point = &c->records[c->refs[i].record].points[c->refs[i].point];
        point->armA = ctMulAdd(point->armA, length, ctCross(c->pseudo[p->a].w, point->armA));
        point->armB = ctMulAdd(point->armB, length, ctCross(c->pseudo[p->b].w, point->armB));
    }
}

// Not in the shortest extra steps: an arriving point would be pushed back each time, and never arrive.
static bool pushOut(ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    int n = c->solverPointCount;
    bool needed = false;
    double length = step->length;
    if (island->extra > 0 && step->dt < CT_SHORTEST_STEP * length && !isDeep(c)) {
        return true;
    }
    if (!ctReserve((void **)&c->pushes, &c->pushCapacity, n, sizeof(ctPush))) {
        return false;
    }
    for (int i = 0; i < n; i++) {
        c->pushes[i] = pushOf(world, i, step);
        needed = needed || c->pushes[i].pulls || c->pushes[i].target > 0.0;
    }
    if (!needed) {
        return true;
    }
    for (int i = 0; i < c->solverBodyCount; i++) {
        c->pseudo[i] = c->solverBodies[i];
        c->pseudo[i].v = c->pseudo[i].w = ctZero3();
    }
    // A short step asks for a part of the push-out. Many points, which are not solved to the end, take that part of the
    // sweeps for it.
    double part = n <= CT_MANY_POINTS || isDeep(c) ? 1.0 : ctFmin(1.0, step->dt / length);
    ctSolver_PushOut(c->pseudo, c->solverPoints, c->pushes, n, 10.0 * CT_REST_TOLERANCE * step->fall,
                     (int)ceil(part * CT_PUSH_SWEEPS));
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        if (c->before[i].rests) {
            c->pseudo[i].w = ctZero3(); // it stays
            continue;
        }
        c->work.push -= ctBody_Energy(world, index);
        body->x = ctMulAdd(body->x, length, c->pseudo[i].v);
        body->path += length * ctLength(c->pseudo[i].v);
        ctVec3 spin = body->w;
        putRight(world, index, ctScale(length, c->pseudo[i].w), n <= CT_FEW_POINTS ? &body->w : &spin);
        c->work.push += ctBody_Energy(world, index);
    }
    turnArms(c, length);
    return true;
}

// ---- around the step --------------------------------------------------------------------------

// Whether a body flies on as it did before the step.
static bool isSteady(const ctBody *body, const ctBefore *before)
{
    ctQuat p = before->q, q = body->q;
    return before->flying && body->mode == ct_modeFlying && isSame(before->x, body->x) && isSame(before->v, body->v) &&
           isSame(before->w, body->w) && p.w == q.w && p.x == q.x && p.y == q.y && p.z == q.z;
}

// The motions of the bodies have changed, except for those that fly on: sets due times, and the list for the end of the
// tick.
static bool announce(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    if (!ctReserve((void **)&c->announce, &c->announceCapacity, c->announceCount + island->bodyCount, sizeof(int))) {
        return false;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        world->bodies[index].courseEnd = island->due;
        if (!c->before[i].rests && !isSteady(&world->bodies[index], &c->before[i])) {
            c->announce[c->announceCount++] = index;
        }
    }
    return true;
}

// Advances the bodies of an island, and those that they touch.
static bool advance(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    if (!ctReserve((void **)&c->before, &c->beforeCapacity, island->bodyCount, sizeof(ctBefore))) {
        return false;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        ctBody_Advance(world, c->members[island->firstBody + i]);
        c->before[i] =
            (ctBefore){.flying = body->mode == ct_modeFlying, .x = body->x, .v = body->v, .w = body->w, .q = body->q};
    }
    // those that a worker's island touches are advanced already, or fixed
    for (int i = 0; i < island->recordCount && !c->lent; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        ctBody_Advance(world, record->a);
        ctBody_Advance(world, record->b);
    }
    return true;
}

// Finds the points of new contacts: the length of the next step depends on them.
static bool findFresh(ctWorld *world, const ctIsland *island, double step)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair >= 0 && record->fresh && !ctContact_UpdatePoints(world, record, step, 0.0, true)) {
            return false;
        }
    }
    return true;
}

// An island whose solutions fail becomes a pile, which accepts rough solutions and comes to rest.
static void giveUp(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    island->strays = (island->strayBeat == ctWorld_Beat(world) ? island->strays : 0) + c->strays;
    island->strayBeat = ctWorld_Beat(world);
    if (island->strays < CT_STRAYS || c->solverPointCount < CT_SMALL_POINTS) {
        return;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        ctContactBody_Enlist(&c->bodies[c->members[island->firstBody + i]]);
    }
    island->strays = 0;
    ctIsland_MarkStale(c, (int)(island - c->islands));
}

static double sinceBase(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    return world->now - c->bodies[c->members[island->firstBody]].base;
}

// The step itself: forces, velocities and places, and when the next is due. *dt: its length, s.
static bool solveStep(ctWorld *world, ctIsland *island, double *dt)
{
    ctContacts *c = world->contacts;
    world->frameEvents += island->recordCount; // each takes about as long as an event
    double regular = ctIsland_GeneralStep(world, island);
    if (!findFresh(world, island, regular)) {
        return false;
    }
    ctIslandStep step = {.regular = regular,
                         .fall = ctWorld_FallSpeed(world, ctIsland_Size(world, island)),
                         .length = ctIsland_StepLength(world, island, regular),
                         .next = INFINITY,
                         .changed = island->changed};
    step.full = island->extra >= CT_EXTRA_STEPS;
    if (!ctIslandStep_Gather(world, island, &step) ||
        !ctReserve((void **)&c->pseudo, &c->pseudoCapacity, c->solverBodyCount, sizeof(ctSolverBody))) {
        return false;
    }
    island->pointCount = c->solverPointCount + ctIslandStep_RestingPoints(world, island);
    setTolerance(island, &step);
    if (!ctIslandStep_Close(world, island, &step)) {
        return false;
    }
    moveOn(world, island, &step);
    setModes(world, island);
    // Where something has changed, accelerations are those of the look-ahead.
    step.rests = !step.hits && ctIsland_IsAtRest(world, island, step.length);
    if (!pushOut(world, island, &step)) {
        return false;
    }
    ctIslandStep_Glide(world, island, &step);
    ctIslandStep_Calm(world, island, &step);
    ctIslandStep_Plan(world, island, &step);
    *dt = step.dt;
    return true;
}

// What may follow a step of dt: a seam, a plan, a pile.
static bool lookOn(ctWorld *world, ctIsland *island, double dt)
{
    if (!ctIsland_Ride(world, island, dt > 0.0)) {
        return false;
    }
    ctIsland_PlanRoll(world, island, false);
    giveUp(world, island);
    if (ctIsland_IsTooLarge(world, island)) { // points may have come without a new contact
        ctIsland_MarkStale(world->contacts, (int)(island - world->contacts->islands));
    }
    return true;
}

// After this time (s) all bodies of an island have been still for long enough.
static double longestSleepTime(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double longest = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        longest = ctFmax(longest, ctBody_SleepTime(world, &world->bodies[c->members[island->firstBody + i]]));
    }
    return longest;
}

bool ctIsland_Step(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    world->stats.contactSteps++;
    c->strays = 0;
    double dt = sinceBase(world, island); // before plans end, which gives bodies a new base
    if (!advance(world, island)) {
        return false;
    }
    ctEnergy_OpenStep(world, island);
    if (ctIsland_Roll(world, island, dt)) {
        ctEnergy_CloseStep(world, island);
        return announce(world, island);
    }
    dt = sinceBase(world, island);
    bool rests = ctIsland_Rest(world, island, dt);
    bool simple = rests || ctIsland_FlyOn(world, island) || ctIsland_RideOn(world, island, dt);
    if (!simple && !solveStep(world, island, &dt)) {
        return false;
    }
    ctIsland_TrySleep(world, island, rests ? longestSleepTime(world, island) : dt); // equilibrium need not last
    ctEnergy_CloseStep(world, island);
    for (int i = 0; i < island->bodyCount; i++) {
        ctContactBody_Rebase(world, c->members[island->firstBody + i]);
    }
    return (simple || lookOn(world, island, dt)) && announce(world, island);
}
