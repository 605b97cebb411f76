// The gas: balls in free flight find their impacts among themselves by cells.
//
// A ball that flies and is in no contact is a member of the gas: it has no pairs with other members. Space is divided
// into cubes whose side is at least two radii, so the centres of two balls that touch are in the same cube or in
// neighbouring ones. Each member stores the cube of its centre and its own next event, which is one entry of
// world->boxAgenda:
//   cross   its centre leaves the cube. It then looks at the nine cubes that have become neighbours.
//   hit     the earliest of its meetings with the members in the 27 cubes around. If the partner has changed its course
//           since, the ball looks again.
// Its box in the broadphase is a block of cubes; bodies that are no members find it by that.
//
// No hit is missed. Of two members in neighbouring cubes, the one that looked last has seen the other on its present
// course, and its hit is no later than their meeting. So a change of course needs no work but the ball's own.
//
// Members share their acceleration, so all times are roots of quadratics. Everything else than the impact of just two
// balls is left to pairs: several impacts at the same time, or slow ones that may turn into contact. The balls then
// leave the gas, the broadphase finds their pairs, and they enter again when their boxes are renewed.
//
// The cubes of all space share a table: cube (i, j, k) is at place i + j stepY + k stepZ modulo its size. The steps are
// such that cubes at the same place are far apart. Balls of a far cube that are found there do no harm.
#include "engine/gas/gas.h"

#include "collision/memory.h"
#include "engine/contact/contact.h"
#include "engine/gas/gas_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// [method] Fractions of the table's size from the plastic number p = 1.3247 (p^3 = p + 1): no small combination of 1,
// 1/p and 1/p^2 is close to a whole number, so cubes at the same place are about as far apart as possible.
#define STEP_Y 0.75487766624669276
#define STEP_Z 0.56984029099805327
enum { PLACES_MIN = 64 };

// ---- cells ------------------------------------------------------------------------------------

// Links a ball into the table at the place of its cell.
static void enterTable(ctGas *gas, int index)
{
    gas->balls[index].place = ctGas_PlaceOf(gas, gas->balls[index].cell);
    ctGas_Link(gas, index);
}

static void findCell(const ctGas *gas, ctVec3 x, int cell[3])
{
    cell[0] = (int)floor(x.x * gas->inverse);
    cell[1] = (int)floor(x.y * gas->inverse);
    cell[2] = (int)floor(x.z * gas->inverse);
}

// ---- members ----------------------------------------------------------------------------------

// Makes an empty table for so many members.
static bool makeTable(ctGas *gas, int members)
{
    int places = PLACES_MIN;
    while (places < CT_GAS_PLACES * members) {
        places *= 2;
    }
    if (!ctReserveAligned((void **)&gas->first, &gas->firstCapacity, places + CT_GAS_ROW - 1, sizeof *gas->first)) {
        return false;
    }
    gas->places = places;
    gas->steps[0] = 1u;
    gas->steps[1] = (uint32_t)(STEP_Y * places) | 1u;
    gas->steps[2] = (uint32_t)(STEP_Z * places) | 1u;
    for (int i = 0; i < places + CT_GAS_ROW - 1; i++) {
        gas->first[i] = -1;
    }
    return true;
}

static int compareNumbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The side for which most of the balls fit, and their number. Zero when memory is short or there are none.
static double bestSide(const ctWorld *world, int *balls)
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
    *balls = count;
    return CT_GAS_CELL * best;
}

static bool fits(const ctGas *gas, double radius)
{
    return CT_GAS_CELL * radius <= gas->side * (1.0 + 1e-12) &&
           CT_GAS_CELL * radius >= CT_GAS_SMALLEST * gas->side * (1.0 - 1e-12);
}

// Makes a box of cells around the cell of a ball, a larger one while few other bodies are in it.
static bool renewBox(ctWorld *world, int index)
{
    ctGasBall *g = &world->gas.balls[index];
    ctBody *body = &world->bodies[index];
    int links;
    (void)ctBody_Links(world, index, &links);
    g->room = links <= CT_GAS_FEW ? CT_GAS_ROOM : 0;
    g->away[0] = g->away[1] = g->away[2] = 0;
    double side = world->gas.side, margin = (1.0 + 0.01 * CT_BOX_MARGIN) * body->radius;
    ctVec3 low = ctV3(g->cell[0] - g->room, g->cell[1] - g->room, g->cell[2] - g->room);
    ctVec3 high = ctV3(g->cell[0] + g->room + 1, g->cell[1] + g->room + 1, g->cell[2] + g->room + 1);
    ctVec3 grow = ctV3(margin, margin, margin);
    body->box = (ctBox){ctSub(ctScale(side, low), grow), ctAdd(ctScale(side, high), grow)};
    return ctWorld_MoveBox(world, index, NULL) && ctWorld_ScheduleFresh(world);
}

void ctGas_HoldBox(ctWorld *world, int index)
{
    if (!renewBox(world, index)) {
        ctGasBall *g = &world->gas.balls[index];
        world->outOfMemory = true;
        g->room = -1;
        g->way = 0;
        g->cross = world->now;
        ctGas_Schedule(world, index);
    }
}

static void settle(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    ctCentre c = ctGas_CentreNow(world, index);
    findCell(gas, c.x, gas->balls[index].cell);
    enterTable(gas, index);
}

// Makes a new table; if the side of the cells changes, all members get new cells.
static bool rearrange(ctWorld *world)
{
    ctGas *gas = &world->gas;
    double side = bestSide(world, &gas->known);
    if (side <= 0.0 || !makeTable(gas, 2 * gas->count)) {
        return false;
    }
    bool same = side == gas->side;
    gas->side = side;
    gas->inverse = 1.0 / side;
    gas->refused = 0;
    for (int i = 0; i < world->bodySlots; i++) {
        bool member = ctBody_IsInGas(&world->bodies[i]);
        if (member && same) {
            enterTable(gas, i);
        } else if (member) {
            settle(world, i);
        }
    }
    for (int i = 0; i < world->bodySlots && !same; i++) {
        if (!ctBody_IsInGas(&world->bodies[i])) {
            continue;
        }
        ctCentre centre = ctGas_CentreNow(world, i);
        if (!fits(gas, world->bodies[i].radius) || !ctGas_IsSlow(world, centre.x, centre.v)) {
            ctGas_Leave(world, i);
            continue;
        }
        ctGas_SetCourse(world, i, &centre);
        ctGas_HoldBox(world, i);
    }
    return true;
}

bool ctGas_Enter(ctWorld *world, int index)
{
    ctGas *gas = &world->gas;
    const ctBody *body = &world->bodies[index];
    ctCoefficients coefficients = ctBodies_Coefficients(world, index, index);
    if (!ctGas_IsEligible(world, body) || !ctGas_Bounces(&coefficients)) {
        return false;
    }
    bool full = CT_GAS_PLACES * gas->count >= gas->places, useless = gas->refused > gas->known;
    if ((full || useless) && !rearrange(world)) {
        return false;
    }
    ctCentre centre = ctGas_CentreNow(world, index);
    bool room = fits(gas, body->radius);
    gas->refused += !room;
    if (!room || !ctGas_IsSlow(world, centre.x, centre.v)) {
        return false;
    }
    ctBody_SetMode(&world->bodies[index], ct_modeGas);
    gas->count++;
    settle(world, index);
    ctGas_SetCourse(world, index, &centre);
    ctGas_HoldBox(world, index);
    return true;
}

// Whether a ball may be a member, and is in the cell that it stores, to rounding.
static bool isSound(const ctWorld *world, int index)
{
    const ctGas *gas = &world->gas;
    const int *cell = gas->balls[index].cell;
    ctVec3 x = ctScale(gas->inverse, ctGas_CentreNow(world, index).x);
    ctVec3 off = ctAbs(ctSub(x, ctV3(cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5)));
    return ctGas_IsEligible(world, &world->bodies[index]) && fits(gas, world->bodies[index].radius) &&
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
        if (!ctBody_IsInGas(&world->bodies[i])) {
            continue;
        }
        if (none || !isSound(world, i)) {
            return ctFail(error, ct_corrupt, "the snapshot is damaged: a cell");
        }
        enterTable(gas, i);
        gas->count++;
    }
    return true;
}

void ctGas_Delay(ctWorld *world, double seconds)
{
    for (int i = 0; i < world->bodySlots; i++) {
        world->gas.balls[i].hit += seconds;
        world->gas.balls[i].cross += seconds;
    }
}
