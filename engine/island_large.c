// One step of a large island: a pile, where many small errors matter less than time.
//
// Sub-stepping: short steps with little work in each do more for a pile than long ones with much
// (Macklin et al. 2019, "Small steps in physics simulation"). A step of length h is
//     relax     one sweep that takes out of the velocities what pushed overlaps apart
//     v += h g, and the forces of the last step as the start
//     push      one sweep; a gap closes no further than to touch, an overlap is pushed out
//     move      x += h v, left to the flight between steps
// Points are found again only when the two bodies have moved by a share of their size relative to each
// other; until then their gaps follow from where the bodies carry them. Contacts with immovable bodies
// come last in each sweep, so that nothing is pushed through a wall.
#include "engine/contact.h"

#include "collision/memory.h"

#define FIND_AGAIN 0.02    // relative motion, of the size, after which points are found again
#define PUSH_SHARE 0.05    // share of an overlap that one step pushes out
#define DEEP_SHARE 0.4     // the same of what is deeper than ...
#define DEEP 0.01          // ... this, of the size
#define FASTEST_PUSH 8.0   // sizes per second
#define MOVE_PER_STEP 0.08 // sizes: the fastest relative motion in one eighth of a frame
#define LARGE_HALVINGS 2   // of the world's micro-step

// ---- points -----------------------------------------------------------------------------------

// Where the points of a record are now, and how far apart.
static void carryPoints(const ctWorld *world, ctContactRecord *record)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *p = &record->points[i];
        p->armA = ctRotate(a->q, p->localA);
        p->armB = ctRotate(b->q, p->localB);
        p->pointA = ctAdd(a->x, p->armA);
        p->pointB = ctAdd(b->x, p->armB);
        p->gap = ctDot(p->n, ctSub(p->pointA, p->pointB));
    }
}

static void anchorPoints(const ctWorld *world, ctContactRecord *record)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *p = &record->points[i];
        p->armA = ctSub(p->pointA, a->x);
        p->armB = ctSub(p->pointB, b->x);
        p->localA = ctInvRotate(a->q, p->armA);
        p->localB = ctInvRotate(b->q, p->armB);
        p->known = true;
    }
}

static double relativeSpeed(const ctBody *a, const ctBody *b)
{
    double reach = b->plane || a->radius < b->radius ? a->radius : b->radius;
    return ctDistance(a->v, b->v) + ctDistance(a->w, b->w) * reach;
}

// How far apart are two bodies that have no points: they need not be looked at before they have moved by
// that much.
static double distanceOf(ctWorld *world, const ctContactRecord *record)
{
    const ctShape *a = ctBody_Shape(world, record->a), *b = ctBody_Shape(world, record->b);
    if (world->pairs[record->pair].kind != ct_pairGeneral || a->leafCount != 1 || b->leafCount != 1) {
        return 0.0;
    }
    ctPose poseA = ctBody_Pose(world, &world->bodies[record->a]), poseB = ctBody_Pose(world, &world->bodies[record->b]);
    ctClosest closest;
    ctClosestPoints(a, &poseA, b, &poseB, &world->extras[record->pair].leaves[0].cache, &closest);
    world->stats.distanceChecks++;
    return closest.distance;
}

// Points found again, or carried along. *fastest grows to the record's relative speed in sizes.
static bool updateRecord(ctWorld *world, ctContactRecord *record, double step, double *fastest)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    double size = ctContact_PairSize(world, record->a, record->b), speed = relativeSpeed(a, b);
    record->moved += (world->now - record->seen) * speed;
    record->seen = world->now;
    if (record->moved >= record->limit) {
        if (!ctContact_UpdatePoints(world, record, step, FIND_AGAIN * size)) {
            return false;
        }
        anchorPoints(world, record);
        record->moved = 0.0;
        record->limit = FIND_AGAIN * size;
        if (record->count == 0) {
            record->limit = fmax(record->limit, 0.8 * distanceOf(world, record) - 2.0 * step * speed);
        }
        ctPair material = ctPair_Coefficients(world, &world->pairs[record->pair]);
        record->friction = material.friction;
        record->rolling = material.rolling;
        record->spinning = material.spinning;
        record->lost = false;
    } else {
        carryPoints(world, record);
    }
    if (record->count > 0) {
        *fastest = fmax(*fastest, speed / size);
    }
    return true;
}

static bool addPoints(ctWorld *world, int index, double step)
{
    ctContacts *c = world->contacts;
    const ctContactRecord *record = &c->records[index];
    int n = c->solverPointCount;
    if (!ctReserve((void **)&c->solverPoints, &c->solverPointCapacity, n + record->count, sizeof(ctSolverPoint)) ||
        !ctReserve((void **)&c->refs, &c->refCapacity, n + record->count, sizeof(ctPointRef))) {
        return false;
    }
    if (record->count == 0) {
        return true;
    }
    int slotA = ctIsland_SlotOf(world, record->a), slotB = ctIsland_SlotOf(world, record->b);
    double size = ctContact_PairSize(world, record->a, record->b);
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *point = &record->points[i];
        ctSolverPoint *p = &c->solverPoints[c->solverPointCount];
        *p = (ctSolverPoint){.a = slotA,
                             .b = slotB,
                             .n = point->n,
                             .ra = point->armA,
                             .rb = point->armB,
                             .mu = record->friction,
                             .impulse = ctScale(step, point->force),
                             .rolling = record->rolling,
                             .spinning = record->spinning,
                             .twist = ctScale(step, point->torque)};
        c->refs[c->solverPointCount++] = (ctPointRef){.record = index, .point = i, .size = size};
    }
    return slotA >= 0 && slotB >= 0;
}

static bool isWall(const ctWorld *world, const ctContactRecord *record)
{
    return !ctBody_IsMovable(&world->bodies[record->b]);
}

// Brings all records up to date; the fastest relative speed in sizes per second.
static bool updateRecords(ctWorld *world, const ctIsland *island, double *fastest)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair >= 0 && !updateRecord(world, record, world->tickStep, fastest)) {
            return false;
        }
    }
    for (int i = island->extras; i >= 0; i = c->records[i].nextExtra) {
        if (c->records[i].pair >= 0 && !updateRecord(world, &c->records[i], world->tickStep, fastest)) {
            return false;
        }
    }
    return true;
}

// Pairs of members with each other and with walls leave the heap: their records watch over them.
static void absorbNeighbours(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    int which = (int)(island - c->islands);
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        for (int k = 0, pairIndex; (pairIndex = ctBody_Pair(world, index, k)) >= 0; k++) {
            if (world->pairs[pairIndex].state != ct_pairApart) {
                continue;
            }
            const ctBodyPair *pair = &world->pairs[pairIndex];
            const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
            bool member = c->bodies[pair->a].records > 0 && a->island == which &&
                          (!ctBody_IsMovable(b) || (c->bodies[pair->b].records > 0 && b->island == which));
            if (member) {
                ctPairLook look = {.normal = ctNormalize(ctSub(a->x, b->x))};
                ctPair_BecomeContact(world, pairIndex, &look);
            }
        }
    }
}

// The solver's arrays: members first, walls last.
static bool gather(ctWorld *world, const ctIsland *island, double step, int *movable)
{
    ctContacts *c = world->contacts;
    c->stamp++;
    c->solverBodyCount = c->solverPointCount = 0;
    for (int i = 0; i < island->bodyCount; i++) {
        if (ctIsland_SlotOf(world, c->members[island->firstBody + i]) < 0) {
            return false;
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < island->recordCount; i++) {
            int index = c->sorted[island->firstRecord + i];
            const ctContactRecord *record = &c->records[index];
            if (record->pair >= 0 && isWall(world, record) == (pass == 1) && !addPoints(world, index, step)) {
                return false;
            }
        }
        for (int i = island->extras; i >= 0; i = c->records[i].nextExtra) {
            const ctContactRecord *record = &c->records[i];
            if (record->pair >= 0 && isWall(world, record) == (pass == 1) && !addPoints(world, i, step)) {
                return false;
            }
        }
        *movable = pass == 0 ? c->solverPointCount : *movable;
    }
    return true;
}

// ---- the step ---------------------------------------------------------------------------------

// push: overlaps are to be reduced; otherwise they must only not grow.
static void setTargets(ctContacts *c, double step, bool push)
{
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctPointRef *ref = &c->refs[i];
        double gap = c->records[ref->record].points[ref->point].gap, deep = DEEP * ref->size, target = -gap / step;
        if (gap < 0.0) {
            double speed = PUSH_SHARE * -gap + (-gap > deep ? DEEP_SHARE * (-gap - deep) : 0.0);
            target = push ? fmin(speed / step, FASTEST_PUSH * ref->size) : 0.0;
        }
        c->solverPoints[i].target = target;
    }
}

static void sweep(ctWorld *world, int movable, bool backwards)
{
    ctContacts *c = world->contacts;
    ctSolver_Sweep(c->solverBodies, c->solverPoints, movable, backwards);
    ctSolver_Sweep(c->solverBodies, c->solverPoints + movable, c->solverPointCount - movable, false);
    world->stats.solverSweeps++;
}

static void takeForces(ctContacts *c, double step)
{
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        ctContactPoint *point = &c->records[c->refs[i].record].points[c->refs[i].point];
        point->force = ctScale(1.0 / step, p->impulse);
        point->torque = ctScale(1.0 / step, p->twist);
        point->impulse = ctAdd(point->impulse, p->impulse);
    }
}

// Marks the slots of bodies that something pushes.
static void markPushed(ctContacts *c)
{
    for (int i = 0; i < c->solverBodyCount; i++) {
        c->slotBody[i] = 0;
    }
    for (int i = 0; i < c->solverPointCount; i++) {
        if (c->solverPoints[i].pn > 0.0) {
            c->slotBody[c->solverPoints[i].a] = c->slotBody[c->solverPoints[i].b] = 1;
        }
    }
}

// Bodies that nothing pushes fly; the others move straight on.
static void setMotions(ctWorld *world, const ctIsland *island, double step)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        bool pushed = c->slotBody[i] != 0;
        body->mode = pushed ? ct_modeContact : ct_modeFlying;
        body->v = pushed ? c->solverBodies[i].v : ctMulAdd(c->solverBodies[i].v, -step, world->def.gravity);
        body->w = c->solverBodies[i].w;
        body->a = pushed ? ctZero3() : world->def.gravity;
        body->alpha = ctZero3();
        body->struck = false;
    }
}

static double stepLength(const ctWorld *world, double fastest)
{
    double step = world->tickStep;
    for (int i = 0; i < LARGE_HALVINGS && fastest * step > MOVE_PER_STEP; i++) {
        step *= 0.5;
    }
    return step;
}

static void becomeSmall(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        c->bodies[index].large = false;
        world->bodies[index].struck = true;
    }
    island->large = false;
}

bool ctIsland_StepLarge(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    double fastest = 0.0;
    int movable = 0;
    bool backwards = world->stats.contactSteps & 1;
    world->stats.contactSteps++;
    ctIsland_Advance(world, island);
    ctEnergy_OpenStep(world, island);
    if (island->absorbing) {
        island->absorbing = false;
        absorbNeighbours(world, island);
    }
    if (!updateRecords(world, island, &fastest)) {
        return false;
    }
    island->due = ctIsland_NextRegular(world, stepLength(world, fastest));
    double step = island->due - world->now;
    if (!gather(world, island, step, &movable)) {
        return false;
    }
    ctSolver_Prepare(c->solverBodies, c->solverPoints, c->solverPointCount);
    setTargets(c, step, false);
    sweep(world, movable, backwards);
    ctSolver_Finish(c->solverPoints, c->solverPointCount);
    for (int i = 0; i < island->bodyCount; i++) {
        c->solverBodies[i].v = ctMulAdd(c->solverBodies[i].v, step, world->def.gravity);
    }
    ctSolver_Apply(c->solverBodies, c->solverPoints, c->solverPointCount, 1.0);
    setTargets(c, step, true);
    sweep(world, movable, !backwards);
    ctSolver_Finish(c->solverPoints, c->solverPointCount);
    takeForces(c, step);
    island->pointCount = c->solverPointCount;
    markPushed(c);
    ctEnergy_AddLarge(world, island, step);
    setMotions(world, island, step);
    if (fastest < CT_CALM && island->pointCount < CT_LARGE_POINTS_CALM) {
        becomeSmall(world, island);
    }
    ctIsland_TrySleep(world, island, step);
    ctEnergy_CloseLarge(world, island);
    return ctIsland_Announce(world, island);
}
