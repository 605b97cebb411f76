// The events of balls of the gas: they leave their cells, and hit each other.
#include "collision/memory.h"
#include "engine/collide/collide.h"
#include "engine/contact/contact.h"
#include "engine/gas/gas_internal.h"

// ---- courses ----------------------------------------------------------------------------------

// When and on which side a coordinate leaves the cell.
typedef struct Exit {
    double t;
    int way;
} Exit;

// For x + v s.
static inline Exit leavesStraight(double side, int cell, double x, double v)
{
    int up = v > 0.0;
    double t = (side * (cell + up) - x) / v;
    return (Exit){v != 0.0 ? (t > 0.0 ? t : 0.0) : (double)INFINITY, 2 * up - 1};
}

// For x + v s + a s^2 / 2.
static Exit leaves(double side, int cell, double x, double v, double a)
{
    if (a == 0.0) {
        return leavesStraight(side, cell, x, v);
    }
    double up = ctFirstRoot(side * (cell + 1) - x, -v, -a), down = ctFirstRoot(x - side * cell, v, a);
    return (Exit){up < down ? up : down, up < down ? 1 : -1};
}

static inline void findCrossing(const ctWorld *world, ctGasBall *g, ctVec3 centre, ctVec3 v)
{
    double side = world->gas.side;
    ctVec3 a = world->def.gravity;
    Exit x, y, z;
    if ((a.x == 0.0) & (a.y == 0.0) & (a.z == 0.0)) {
        x = leavesStraight(side, g->cell[0], centre.x, v.x);
        y = leavesStraight(side, g->cell[1], centre.y, v.y);
        z = leavesStraight(side, g->cell[2], centre.z, v.z);
    } else {
        x = leaves(side, g->cell[0], centre.x, v.x, a.x);
        y = leaves(side, g->cell[1], centre.y, v.y, a.y);
        z = leaves(side, g->cell[2], centre.z, v.z, a.z);
    }
    bool second = y.t < x.t;
    Exit first = second ? y : x;
    bool third = z.t < first.t;
    g->axis = (int8_t)(third ? 2 : second);
    g->way = (int8_t)(third ? z.way : first.way);
    double t = third ? z.t : first.t;
    g->cross = world->now + t;
}

void ctGas_Schedule(ctWorld *world, int index)
{
    const ctGasBall *g = &world->gas.balls[index];
    ctAgenda_Set(&world->boxAgenda, index, g->hit < g->cross ? g->hit : g->cross);
}

void ctGas_SetCourse(ctWorld *world, int index, const ctCentre *centre)
{
    findCrossing(world, &world->gas.balls[index], centre->x, centre->v);
    ctGas_LookAround(world, index);
    ctGas_Schedule(world, index);
}

// Finds the next event of a member whose course has changed. False when the ball is no member, or leaves the gas.
static bool newCourse(ctWorld *world, int index)
{
    if (!ctBody_IsInGas(&world->bodies[index])) {
        return false;
    }
    ctCentre centre = ctGas_CentreNow(world, index);
    ctBody *body = &world->bodies[index];
    body->wMax = ctLength(body->w);
    if (!ctGas_IsEligible(world, body) || !ctGas_IsSlow(world, centre.x, centre.v)) {
        ctGas_Leave(world, index);
        return false;
    }
    ctGas_SetCourse(world, index, &centre);
    return true;
}

void ctGas_CourseChanged(ctWorld *world, int index)
{
    if (newCourse(world, index)) {
        ctPair_ScheduleAll(world, index);
    } else {
        ctWorld_CourseChanged(world, index);
    }
}

// The same for two members that have just hit each other, and for their pairs with others. The two look around
// together. crowd: NULL when they cannot.
static void newCourses(ctWorld *world, int a, int b, ctGasCrowd *crowd)
{
    ctBody *bodyA = &world->bodies[a], *bodyB = &world->bodies[b];
    if (crowd == NULL || !ctGas_IsSlow(world, bodyA->x, bodyA->v) || !ctGas_IsSlow(world, bodyB->x, bodyB->v)) {
        ctGas_CourseChanged(world, a);
        ctGas_CourseChanged(world, b);
        return;
    }
    bodyA->wMax = ctLength(bodyA->w);
    bodyB->wMax = ctLength(bodyB->w);
    findCrossing(world, &world->gas.balls[a], bodyA->x, bodyA->v);
    findCrossing(world, &world->gas.balls[b], bodyB->x, bodyB->v);
    ctGas_LookBoth(world, a, b, crowd);
    ctGas_Schedule(world, a);
    ctGas_Schedule(world, b);
    ctPair_ScheduleAll(world, a);
    ctPair_ScheduleAll(world, b);
}

// ---- events -----------------------------------------------------------------------------------

static void crossEvent(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    ctGasBall *g = &gas->balls[index];
    ctCentre centre = ctGas_CentreNow(world, index);
    if (!ctGas_IsSlow(world, centre.x, centre.v)) {
        ctGas_Leave(world, index);
        return;
    }
    int axis = g->axis, way = g->way;
    ctGasCrowd crowd;
    ctGas_GatherAhead(world, index, axis, way, &crowd);
    ctGas_Unlink(gas, index);
    g->cell[axis] += way;
    g->away[axis] = (int8_t)(g->away[axis] + way);
    g->place += (uint32_t)way * gas->steps[axis];
    ctGas_Link(gas, index);
    findCrossing(world, g, centre.x, centre.v);
    ctGas_LookAhead(world, index, &crowd);
    ctGas_Schedule(world, index);
    if (abs(g->away[axis]) > g->room) {
        ctGas_HoldBox(world, index);
        if (world->terrainCount > 0 && ctTiles_IsPassing(world, index)) {
            ctGas_Leave(world, index);
        }
    }
}

// The partner has another course, or is still a rounding error away.
static void lookAgain(ctWorld *world, int index)
{
    ctGas_LookAround(world, index);
    ctGas_Schedule(world, index);
}

// ctBody_Advance for a member.
static inline void fly(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctVec3 g = world->def.gravity;
    double dt = world->now - body->t, speed = ctBody_SpeedBound(body);
    body->path += dt * (speed + 0.5 * dt * ctLength(g));
    body->x = ctAdd(body->x, ctScale(dt, ctMulAdd(body->v, 0.5 * dt, g)));
    body->v = ctMulAdd(body->v, dt, g);
    body->t = world->now;
    if (body->wMax > 0.0) {
        ctFlyRotation(&world->infos[index].inertia, &body->q, &body->w, dt);
    }
}

static void countSlow(const ctWorld *world, ctGasBall *g)
{
    uint32_t step = (uint32_t)(int64_t)(world->now / ctWorld_StepOf(world, world->gas.side));
    g->slow = step == g->slowStep ? (uint8_t)(g->slow + 1) : 1;
    g->slowStep = step;
}

// Whether the hit is an impact for certain: it is fast, or it is slow with a rebound and does not happen again and
// again. Otherwise it may become a contact. Nothing presses two members together.
static bool isImpact(ctWorld *world, int a, int b, double speed, const ctCoefficients *coefficients)
{
    ctBodyPair pair = {.a = a, .b = b};
    if (!ctGas_Bounces(coefficients)) {
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
    ctBroadphase_PrefetchLinks(world->broadphase, a);
    ctBroadphase_PrefetchLinks(world->broadphase, b);
    ctGasCrowd crowd;
    bool together = ctGas_GatherBoth(world, a, b, &crowd);
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
    if (distance < 0.0) {
        ctWorld_SeeGap(world, a, b, distance);
    }
    ctVec3 normal = ctScale(1.0 / length, d);
    double speed = -ctDot(normal, u);
    bool alone = ctIsLater(ctAgenda_TopTime(&world->pairAgenda), world->now) && !ctGas_IsHitDue(world, a, b);
    ctCoefficients c = ctBodies_Coefficients(world, a, b);
    if (!alone || !isImpact(world, a, b, speed, &c) || !ctBalls_Collide(world, a, b, normal, &c)) {
        ctGas_Leave(world, a);
        ctGas_Leave(world, b);
        return;
    }
    newCourses(world, a, b, together ? &crowd : NULL);
}

// ---- memory -----------------------------------------------------------------------------------

// Prefetches three by three rows of cells from this place on.
static void prefetchRows(const ctGas *gas, uint32_t place)
{
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t j = 0; j < 3; j++) {
            ctPrefetch(&gas->first[(place + j * gas->steps[1] + k * gas->steps[2]) & ctGas_MaskOf(gas)]);
        }
    }
}

// Prefetches the cells around one.
static void prefetchCells(const ctGas *gas, uint32_t place)
{
    prefetchRows(gas, place - 1u - gas->steps[1] - gas->steps[2]);
}

static void prefetchBall(const ctWorld *world, int index)
{
    ctPrefetch(&world->gas.balls[index]);
    ctPrefetch(&world->bodies[index]);
}

// Prefetches the rest of what a hit needs.
static void prefetchHit(const ctWorld *world, int index)
{
    ctPrefetch(&world->bodies[index].a);
    ctPrefetch(&world->bodies[index].q);
    ctPrefetch(&world->infos[index]);
    ctBroadphase_PrefetchList(world->broadphase, index);
}

// Prefetches the cells that a crossing looks at (ctGas_GatherAhead), and the box of a ball that leaves it.
static void prefetchCrossing(const ctWorld *world, int index)
{
    const ctGas *gas = &world->gas;
    const ctGasBall *g = &gas->balls[index];
    uint32_t place = g->place + 2u * (uint32_t)g->way * gas->steps[g->axis];
    if (g->axis == 0) {
        prefetchRows(gas, place - gas->steps[1] - gas->steps[2]);
    } else {
        uint32_t aside = gas->steps[3 - g->axis];
        for (uint32_t j = 0; j < 3; j++) {
            ctPrefetch(&gas->first[(place - 1u + (j - 1u) * aside) & ctGas_MaskOf(gas)]);
        }
    }
    if (abs(g->away[g->axis] + g->way) > g->room) {
        ctPrefetch(&world->bodies[index].a);
        ctPrefetch(&world->bodies[index].box);
        ctBroadphase_Prefetch(world->broadphase, index);
    }
}

// Prefetches what the next events need, in stages: each stage reads only what the one before has asked for.
void ctGas_PrefetchNext(const ctWorld *world)
{
    const ctGas *gas = &world->gas;
    int third = ctAgenda_NextItem(&world->boxAgenda, 5), second = ctAgenda_NextItem(&world->boxAgenda, 3);
    int next = ctAgenda_NextItem(&world->boxAgenda, 1);
    prefetchBall(world, third);
    const ctGasBall *g = &gas->balls[second];
    if (!ctGas_Awaits(gas, second)) {
        // It renews its box.
    } else if (g->cross <= g->hit) {
        prefetchCrossing(world, second);
    } else {
        prefetchCells(gas, g->place);
        prefetchBall(world, g->partner);
        prefetchHit(world, second);
    }
    g = &gas->balls[next];
    if (g->hit < g->cross) {
        prefetchHit(world, g->partner);
        prefetchCells(gas, gas->balls[g->partner].place);
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
