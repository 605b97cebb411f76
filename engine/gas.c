// Balls in free flight, among themselves.
//
// A ball that flies and touches nothing in a lasting way is a member of the gas: it has no pairs with other members.
// Space is divided into cubes whose side is at least two radii, so that two balls that touch have their centres in the
// same cube or in neighbours. Each member knows the cube that its centre is in, and the time of its own next event, one
// entry of world->boxHeap:
//   cross   its centre leaves the cube. It then looks at the nine cubes that have become neighbours.
//   hit     the earliest of its meetings with the members in the 27 cubes around. The partner may have changed its
//           course since; then the ball looks again.
// Its box in the broadphase, which is there for all that is no member, is a block of cubes.
// For every two members in neighbouring cubes on their present courses, one has a hit no later than their meeting:
// the one that looked last has seen the other, and its hit is the earliest of all that it saw. So nothing is missed,
// and a change of course concerns nobody but the ball itself.
//
// Members share their acceleration, so that all times are roots of quadratics. Whatever is not the impact of two balls
// alone (others at the same moment, slow ones that may turn into contact) is left to pairs: the balls leave the gas,
// the broadphase finds their pairs, and they come back when they next renew their boxes.
//
// The cubes of all space share a table: cube (i, j, k) is at place i + j stepY + k stepZ modulo its size, with steps
// such that cubes in the same place are far apart. Strangers that are met there do no harm.
#include "engine/gas.h"

#include "collision/memory.h"
#include "engine/balls.h"
#include "engine/contact.h"
#include "engine/sequence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Fractions of the table's size from the plastic number p = 1.3247 (p^3 = p + 1): no small combination of 1, 1/p and
// 1/p^2 is close to a whole number, and so cubes in the same place are about as far apart as they can be.
#define STEP_Y 0.75487766624669276
#define STEP_Z 0.56984029099805327
enum { PLACES_MIN = 64 };

void ctGas_Free(ctGas *gas)
{
    ctFreeAligned(gas->balls);
    ctFreeAligned(gas->next);
    ctFreeAligned(gas->first);
    *gas = (ctGas){0};
}

bool ctGas_Reserve(ctGas *gas, int limit)
{
    int old = gas->capacity;
    if (!ctReserveAligned((void **)&gas->balls, &gas->capacity, limit, sizeof *gas->balls)) {
        return false;
    }
    if (gas->capacity > old) {
        memset(&gas->balls[old], 0, (size_t)(gas->capacity - old) * sizeof *gas->balls);
    }
    return ctReserveAligned((void **)&gas->next, &gas->nextCapacity, limit, sizeof *gas->next);
}

// ---- cells ------------------------------------------------------------------------------------

static void link(ctGas *gas, int index)
{
    int *first = &gas->first[ctGas_PlaceOf(gas, gas->balls[index].cell) & ctGas_MaskOf(gas)];
    gas->next[index] = *first;
    *first = index;
}

static void unlink(ctGas *gas, int index)
{
    int *at = &gas->first[ctGas_PlaceOf(gas, gas->balls[index].cell) & ctGas_MaskOf(gas)];
    while (*at != index) {
        at = &gas->next[*at];
    }
    *at = gas->next[index];
}

static void findCell(const ctGas *gas, ctVec3 x, int cell[3])
{
    cell[0] = (int)floor(x.x * gas->inverse);
    cell[1] = (int)floor(x.y * gas->inverse);
    cell[2] = (int)floor(x.z * gas->inverse);
}

static inline ctCentre centreNow(const ctWorld *world, int index)
{
    return ctBody_CentreAt(&world->bodies[index], world->now);
}

// When the coordinate x + v s + a s^2 / 2 leaves the cell, and on which side.
static inline double leaves(double side, int cell, double x, double v, double a, int8_t *way)
{
    double below = x - side * cell, above = side * (cell + 1) - x;
    if (a == 0.0) {
        double left = v > 0.0 ? above : below;
        *way = v > 0.0 ? 1 : -1;
        return v != 0.0 ? (left > 0.0 ? left : 0.0) / fabs(v) : (double)INFINITY;
    }
    double up = ctFirstRoot(above, -v, -a), down = ctFirstRoot(below, v, a);
    *way = up < down ? 1 : -1;
    return up < down ? up : down;
}

static void findCrossing(const ctWorld *world, ctGasBall *g, const ctCentre *c)
{
    double side = world->gas.side;
    ctVec3 a = world->def.gravity;
    int8_t way[3];
    double x = leaves(side, g->cell[0], c->x.x, c->v.x, a.x, &way[0]);
    double y = leaves(side, g->cell[1], c->x.y, c->v.y, a.y, &way[1]);
    double z = leaves(side, g->cell[2], c->x.z, c->v.z, a.z, &way[2]);
    int axis = y < x ? 1 : 0;
    double t = y < x ? y : x;
    axis = z < t ? 2 : axis;
    t = z < t ? z : t;
    g->axis = (int8_t)axis;
    g->way = way[axis];
    g->cross = world->now + t;
}

// ---- events of its own ------------------------------------------------------------------------

static void schedule(ctWorld *world, int index)
{
    const ctGasBall *g = &world->gas.balls[index];
    ctHeap_Set(&world->boxHeap, index, g->hit < g->cross ? g->hit : g->cross);
}

// ---- members ----------------------------------------------------------------------------------

// A table for so many members, empty.
static bool makeTable(ctGas *gas, int members)
{
    int places = PLACES_MIN;
    while (places < CT_GAS_PLACES * members) {
        places *= 2;
    }
    if (!ctReserveAligned((void **)&gas->first, &gas->firstCapacity, places, sizeof *gas->first)) {
        return false;
    }
    gas->places = places;
    gas->stepY = (uint32_t)(STEP_Y * places) | 1u;
    gas->stepZ = (uint32_t)(STEP_Z * places) | 1u;
    for (int i = 0; i < places; i++) {
        gas->first[i] = -1;
    }
    return true;
}

static int compareNumbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The side for which most balls fit. Zero when memory is short or there are no balls.
static double bestSide(const ctWorld *world)
{
    double *radii = ctAllocate((size_t)world->bodyCount + 1, sizeof *radii), best = 0.0;
    int count = 0, most = 0;
    for (int i = 0; radii != NULL && i < world->bodyCount; i++) {
        const ctBody *body = &world->bodies[world->order[i]];
        if (body->ball && ctBody_IsMovable(body)) {
            radii[count++] = body->radius;
        }
    }
    if (count > 1) {
        qsort(radii, (size_t)count, sizeof *radii, compareNumbers);
    }
    for (int lo = 0, hi = 0; hi < count; hi++) {
        for (; radii[lo] < CT_GAS_SMALLEST * radii[hi]; lo++) {
        }
        if (hi - lo + 1 > most) {
            most = hi - lo + 1;
            best = radii[hi];
        }
    }
    ctFree(radii);
    return CT_GAS_CELL * best;
}

static bool fits(const ctGas *gas, double radius)
{
    return CT_GAS_CELL * radius <= gas->side * (1.0 + 1e-12) &&
           CT_GAS_CELL * radius >= CT_GAS_SMALLEST * gas->side * (1.0 - 1e-12);
}

// Balls that bounce little may stick together in crowds, which is contact.
static bool bounces(const ctWorld *world, int a, int b)
{
    return ctBodies_Coefficients(world, a, b).restitution > CT_CROWD_RESTITUTION;
}

static bool isEligible(const ctWorld *world, const ctBody *body)
{
    ctVec3 g = world->def.gravity;
    return body->ball && body->mode == ct_modeFlying && body->contactPairs == 0 && body->invInertia > 0.0 &&
           body->a.x == g.x && body->a.y == g.y && body->a.z == g.z && world->def.contact == ct_contactIsland;
}

// Neither so fast that cells are a burden, nor so far away that they are not known well.
static bool isSlow(const ctWorld *world, const ctCentre *c)
{
    double most = CT_GAS_CROSSINGS * world->gas.side / world->def.frameTime;
    return ctLengthSquared(c->v) <= most * most && ctMaxElement(ctAbs(c->x)) * world->gas.inverse < CT_GAS_FARTHEST;
}

static bool mayStay(const ctWorld *world, int index, const ctCentre *c)
{
    return isEligible(world, &world->bodies[index]) && isSlow(world, c);
}

// A box of cells around the one that the ball is in, larger while there is little in it.
static bool renewBox(ctWorld *world, int index)
{
    ctGasBall *g = &world->gas.balls[index];
    ctBody *body = &world->bodies[index];
    int links;
    (void)ctBody_Links(world, index, &links);
    g->room = links <= CT_GAS_FEW ? CT_GAS_ROOM : 0;
    memcpy(g->home, g->cell, sizeof g->home);
    double side = world->gas.side, margin = (1.0 + 0.01 * CT_BOX_MARGIN) * body->radius;
    ctVec3 low = ctV3(g->cell[0] - g->room, g->cell[1] - g->room, g->cell[2] - g->room);
    ctVec3 high = ctV3(g->cell[0] + g->room + 1, g->cell[1] + g->room + 1, g->cell[2] + g->room + 1);
    ctVec3 grow = ctV3(margin, margin, margin);
    body->box = (ctBox){ctSub(ctScale(side, low), grow), ctAdd(ctScale(side, high), grow)};
    return ctWorld_MoveBox(world, index, NULL) && ctWorld_ScheduleFresh(world);
}

// The same, or a crossing to nowhere at once, which tries again.
static void holdBox(ctWorld *world, int index)
{
    if (!renewBox(world, index)) {
        ctGasBall *g = &world->gas.balls[index];
        world->outOfMemory = true;
        g->room = -1;
        g->way = 0;
        g->cross = world->now;
        schedule(world, index);
    }
}

static bool isHome(const ctGasBall *g)
{
    return abs(g->cell[0] - g->home[0]) <= g->room && abs(g->cell[1] - g->home[1]) <= g->room &&
           abs(g->cell[2] - g->home[2]) <= g->room;
}

static void setCourse(ctWorld *world, int index, const ctCentre *centre)
{
    ctGasBall *g = &world->gas.balls[index];
    findCrossing(world, g, centre);
    ctGas_LookAround(world, index, centre);
    schedule(world, index);
}

bool ctGas_NewCourse(ctWorld *world, int index)
{
    if (!ctGas_Has(&world->gas, index)) {
        return false;
    }
    ctCentre centre = centreNow(world, index);
    ctBody *body = &world->bodies[index];
    body->wMax = ctLength(body->w);
    if (!mayStay(world, index, &centre)) {
        ctGas_Leave(world, index);
        return false;
    }
    setCourse(world, index, &centre);
    return true;
}

static void settle(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    ctCentre c = centreNow(world, index);
    findCell(gas, c.x, gas->balls[index].cell);
    link(gas, index);
}

// A new table, and with another side new cells for all.
static bool rearrange(ctWorld *world)
{
    ctGas *gas = &world->gas;
    double side = bestSide(world);
    if (side <= 0.0 || !makeTable(gas, 2 * gas->count)) {
        return false;
    }
    bool same = side == gas->side;
    gas->side = side;
    gas->inverse = 1.0 / side;
    gas->refused = 0;
    for (int i = 0; i < world->bodySlots; i++) {
        if (ctGas_Has(gas, i) && same) {
            link(gas, i);
        } else if (ctGas_Has(gas, i)) {
            settle(world, i);
        }
    }
    for (int i = 0; i < world->bodySlots && !same; i++) {
        if (!ctGas_Has(gas, i)) {
            continue;
        }
        ctCentre centre = centreNow(world, i);
        if (!fits(gas, world->bodies[i].radius) || !isSlow(world, &centre)) {
            ctGas_Leave(world, i);
            continue;
        }
        setCourse(world, i, &centre);
        holdBox(world, i);
    }
    return true;
}

bool ctGas_Enter(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    const ctBody *body = &world->bodies[index];
    if (!isEligible(world, body) || !bounces(world, index, index)) {
        return false;
    }
    bool full = CT_GAS_PLACES * gas->count >= gas->places, useless = gas->refused > world->bodyCount;
    if ((full || useless) && !rearrange(world)) {
        return false;
    }
    ctCentre centre = centreNow(world, index);
    bool room = fits(gas, body->radius);
    gas->refused += !room;
    if (!room || !isSlow(world, &centre)) {
        return false;
    }
    gas->balls[index].member = true;
    gas->count++;
    settle(world, index);
    setCourse(world, index, &centre);
    holdBox(world, index);
    return true;
}

void ctGas_Forget(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    if (ctGas_Has(gas, index)) {
        unlink(gas, index);
        gas->balls[index].member = false;
        gas->count--;
    }
}

void ctGas_Leave(ctWorld *world, int index)
{
    if (!ctGas_Has(&world->gas, index)) {
        return;
    }
    ctGas_Forget(world, index);
    if (!ctWorld_KeepBox(world, index) || !ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
}

// A ball that may be a member, in the cell that it says, to rounding.
static bool isSound(const ctWorld *world, int index)
{
    const ctGas *gas = &world->gas;
    const int *cell = gas->balls[index].cell;
    ctVec3 x = ctScale(gas->inverse, centreNow(world, index).x);
    ctVec3 off = ctAbs(ctSub(x, ctV3(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5)));
    return isEligible(world, &world->bodies[index]) && fits(gas, world->bodies[index].radius) &&
           ctMaxElement(off) < 0.5 + 1e-3;
}

bool ctGas_Rebuild(ctWorld *world, ctError *error)
{
    ctGas *gas = &world->gas;
    int places = gas->places, most = 4 * CT_GAS_PLACES * world->bodySlots;
    bool none = places == 0 && gas->side == 0.0;
    bool sound = gas->side > 0.0 && places >= PLACES_MIN && (places & (places - 1)) == 0 &&
                 (places == PLACES_MIN || places <= most);
    if (!none && !sound) {
        return ctFail(error, ct_corrupt, "the snapshot is damaged: the cells");
    }
    if (!none && !makeTable(gas, places / CT_GAS_PLACES)) {
        return ctFailMemory(error, "the cells of a snapshot");
    }
    gas->inverse = none ? 0.0 : 1.0 / gas->side;
    for (int i = 0; i < world->bodySlots; i++) {
        if (!ctGas_Has(gas, i)) {
            continue;
        }
        if (none || world->bodies[i].mode == ct_modeFree || !isSound(world, i)) {
            return ctFail(error, ct_corrupt, "the snapshot is damaged: a cell");
        }
        link(gas, i);
        gas->count++;
    }
    return true;
}

void ctGas_Delay(ctWorld *world, double seconds)
{
    for (int i = 0; i < world->bodySlots; i++) {
        ctGasBall *g = &world->gas.balls[i];
        if (g->member) {
            g->hit += seconds;
            g->cross += seconds;
        }
    }
}

// ---- events -----------------------------------------------------------------------------------

static void crossEvent(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    ctGasBall *g = &gas->balls[index];
    ctCentre centre = centreNow(world, index);
    if (!isSlow(world, &centre)) {
        ctGas_Leave(world, index);
        return;
    }
    int axis = g->axis, way = g->way;
    unlink(gas, index);
    g->cell[axis] += way;
    link(gas, index);
    findCrossing(world, g, &centre);
    ctGas_LookAhead(world, index, &centre, axis, way);
    schedule(world, index);
    if (!isHome(g)) {
        holdBox(world, index);
    }
}

bool ctGas_IsHitValid(const ctWorld *world, const ctGasBall *g)
{
    return g->partner >= 0 && ctGas_Has(&world->gas, g->partner) && world->bodies[g->partner].t == g->partnerTime;
}

// A hit that is due, but that of a and b: one of the two balls, or -1.
static int dueHit(const ctWorld *world, int a, int b)
{
    const ctGas *gas = &world->gas;
    const ctHeapEntry *entry;
    for (int k = 0; (entry = ctHeap_Next(&world->boxHeap, k)) != NULL && !ctIsLater(entry->time, world->now); k++) {
        int item = entry->item;
        const ctGasBall *g = &gas->balls[item];
        bool own = (item == a && g->partner == b) || (item == b && g->partner == a);
        if (g->member && !own && !ctIsLater(g->hit, world->now) && ctGas_IsHitValid(world, g)) {
            return item;
        }
    }
    return -1;
}

bool ctGas_IsHitDue(const ctWorld *world, int a, int b)
{
    return world->gas.count > 0 && dueHit(world, a, b) >= 0;
}

void ctGas_Expose(ctWorld *world)
{
    for (int ball; world->gas.count > 0 && (ball = dueHit(world, -1, -1)) >= 0;) {
        int partner = world->gas.balls[ball].partner;
        ctGas_Leave(world, ball);
        ctGas_Leave(world, partner);
    }
}

// Looks again: the partner has gone another way, or is a rounding error away.
static void lookAgain(ctWorld *world, int index)
{
    ctCentre centre = centreNow(world, index);
    ctGas_LookAround(world, index, &centre);
    schedule(world, index);
}

// As ctBody_Advance, for a member.
static void fly(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    double dt = world->now - body->t, speed = ctLength(body->v) + body->wMax * body->radius;
    body->path += dt * (speed + 0.5 * dt * ctLength(world->def.gravity));
    ctFly(&world->infos[index].inertia, &body->x, &body->v, &body->q, &body->w, world->def.gravity, dt);
    body->t = world->now;
}

static void countSlow(const ctWorld *world, ctGasBall *g)
{
    uint32_t step = (uint32_t)(int64_t)(world->now / world->tickStep);
    g->slow = step == g->slowStep ? (uint8_t)(g->slow + 1) : 1;
    g->slowStep = step;
}

// Whether the hit is an impact, and not perhaps a contact: fast, or slow but with a rebound, and not again and again.
// Nothing presses two members together.
static bool isImpact(ctWorld *world, int a, int b, double speed)
{
    ctBodyPair pair = {.a = a, .b = b};
    if (!bounces(world, a, b)) {
        return false;
    }
    if (speed >= ctPair_ImpactSpeed(world, &pair)) {
        return true;
    }
    ctGasBall *ga = &world->gas.balls[a], *gb = &world->gas.balls[b];
    countSlow(world, ga);
    countSlow(world, gb);
    return CT_CROWD_RESTITUTION * speed > ctPair_SpeedRounding(world, &pair) && ga->slow <= CT_GAS_SLOW &&
           gb->slow <= CT_GAS_SLOW;
}

static void hitEvent(ctWorld *world, int index)
{
    const ctGasBall *g = &world->gas.balls[index];
    if (!ctGas_IsHitValid(world, g)) {
        lookAgain(world, index);
        return;
    }
    int a = index < g->partner ? index : g->partner, b = index + g->partner - a;
    fly(world, a);
    fly(world, b);
    const ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    ctVec3 d = ctSub(bodyA->x, bodyB->x), u = ctSub(bodyA->v, bodyB->v);
    double length = ctLength(d), distance = length - bodyA->radius - bodyB->radius;
    double until = world->now + ctBalls_TimeFrom(bodyA, bodyB, d, u);
    if (distance > ctBodies_TouchGap(bodyA, bodyB) && ctIsLater(until, world->now)) {
        lookAgain(world, index);
        return;
    }
    ctWorld_SeeGap(world, a, b, distance);
    ctVec3 normal = ctScale(1.0 / length, d);
    double speed = -ctDot(normal, u);
    bool alone = ctIsLater(ctHeap_TopTime(&world->pairHeap), world->now) && !ctGas_IsHitDue(world, a, b);
    if (!alone || !isImpact(world, a, b, speed) || !ctBalls_Collide(world, a, b, normal)) {
        ctGas_Leave(world, a);
        ctGas_Leave(world, b);
        return;
    }
    world->hadImpact = true;
    ctWorld_CourseChanged(world, a);
    ctWorld_CourseChanged(world, b);
}

// ---- memory -----------------------------------------------------------------------------------

static void prefetchCells(const ctGas *gas, const int cell[3])
{
    uint32_t place = ctGas_PlaceOf(gas, cell) - gas->stepY - gas->stepZ;
    for (int k = 0; k < 3; k++, place += gas->stepZ - 3u * gas->stepY) {
        for (int j = 0; j < 3; j++, place += gas->stepY) {
            ctPrefetch(&gas->first[place & ctGas_MaskOf(gas)]);
        }
    }
}

static void prefetchBall(const ctWorld *world, int index)
{
    ctPrefetch(&world->gas.balls[index]);
    ctPrefetch(&world->bodies[index]);
    ctPrefetch(&world->bodies[index].a);
}

// The rest of what a hit needs.
static void prefetchHit(const ctWorld *world, int index)
{
    ctPrefetch(&world->bodies[index].q);
    ctPrefetch(&world->infos[index]);
    ctBroadphase_PrefetchList(world->broadphase, index);
}

// What the events after this one need, in steps: what a step needs to know has been asked for by the one before.
void ctGas_PrefetchNext(const ctWorld *world)
{
    const ctGas *gas = &world->gas;
    const ctHeapEntry *third = ctHeap_Next(&world->boxHeap, 5), *second = ctHeap_Next(&world->boxHeap, 3);
    const ctHeapEntry *next = ctHeap_Next(&world->boxHeap, 1);
    if (third != NULL) {
        prefetchBall(world, third->item);
    }
    if (second != NULL && ctGas_Has(gas, second->item)) {
        const ctGasBall *g = &gas->balls[second->item];
        prefetchCells(gas, g->cell);
        if (g->hit < g->cross) {
            prefetchBall(world, g->partner);
            prefetchHit(world, second->item);
        }
    }
    if (next != NULL && ctGas_Has(gas, next->item)) {
        const ctGasBall *g = &gas->balls[next->item];
        if (g->hit < g->cross) {
            prefetchHit(world, g->partner);
            prefetchCells(gas, gas->balls[g->partner].cell);
        }
    }
}

void ctGas_Event(ctWorld *world, int index)
{
    const ctGasBall *g = &world->gas.balls[index];
    if (g->cross <= g->hit) {
        crossEvent(world, index);
    } else {
        hitEvent(world, index);
    }
}
