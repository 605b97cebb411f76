// Balls in free flight, among themselves: cells instead of boxes (gas/gas.c).
#ifndef CT_GAS_H
#define CT_GAS_H

#include "collision/error.h"

struct ctWorld;

// One line for each body.
typedef struct ctGasBall {
    _Alignas(64) double hit; // s: it meets its partner, or has to look again; infinite: it meets nobody
    double cross;            // s: it leaves its cell
    double partnerTime;      // s: the partner's body->t when the hit was found. It flew on: another course
    int partner;             // body index
    int cell[3];
    uint32_t place;    // of the cell in the table, to be taken with the mask
    uint32_t slowStep; // the micro-step of its last slow hit
    uint8_t slow;      // slow hits in that step
    int8_t away[3];    // cells from the middle of its box, which holds it as long as none is more than room
    int8_t room;
    int8_t axis, way; // of the next crossing: the coordinate, and +1 or -1
    bool member;
} ctGasBall;

// Cells in a row that are read at once.
enum { CT_GAS_ROW = 4 };

typedef struct ctGas {
    ctGasBall *balls; // by body slot
    int *next;        // by body slot: another ball in the same place of the table, or -1
    int *first;       // the table: by place, a ball or -1; the first places again after the last, for rows
    int capacity, nextCapacity, firstCapacity;
    int places;           // a power of two, or 0
    uint32_t steps[3];    // from a cell's place to that of its neighbours
    double side, inverse; // m, 1/m: of a cell
    int count;            // members
    int refused;          // balls that did not fit since the side was chosen
    int known;            // balls that there were then, members or not
} ctGas;

void ctGas_Free(ctGas *gas);
// Room for body slots below limit. False, with nothing lost, when memory is short.
bool ctGas_Reserve(ctGas *gas, int limit);

// The place of a cell, modulo the size of the table: to be taken with the mask.
static inline uint32_t ctGas_PlaceOf(const ctGas *gas, const int cell[3])
{
    return (uint32_t)cell[0] + (uint32_t)cell[1] * gas->steps[1] + (uint32_t)cell[2] * gas->steps[2];
}

static inline uint32_t ctGas_MaskOf(const ctGas *gas)
{
    return (uint32_t)gas->places - 1u;
}

static inline bool ctGas_Has(const ctGas *gas, int body)
{
    return gas->balls[body].member;
}

// Makes a ball a member if it may be one, and it stays one until something happens that only pairs can deal with. True
// when it has become one.
bool ctGas_Enter(struct ctWorld *world, int body);
// The ball goes back to the broadphase, which makes pairs of it and all balls around. Its box stays, and so do the
// pairs that it has.
void ctGas_Leave(struct ctWorld *world, int body);
// The same without a way back: the body goes.
void ctGas_Forget(struct ctWorld *world, int body);
// The course of a member has changed: its next event. False when it has left, and is the broadphase's business.
bool ctGas_NewCourse(struct ctWorld *world, int body);
// What a member has been waiting for: to leave its cell, or a hit.
void ctGas_Event(struct ctWorld *world, int body);
// Asks for the memory of what is next.
void ctGas_PrefetchNext(const struct ctWorld *world);
// Whether another hit than that of a and b is due at now.
bool ctGas_IsHitDue(const struct ctWorld *world, int a, int b);
// The balls that are about to hit each other at now leave.
void ctGas_Expose(struct ctWorld *world);
// Time jumps without motion.
void ctGas_Delay(struct ctWorld *world, double seconds);
// After a snapshot: the table from the members' cells, which are checked.
bool ctGas_Rebuild(struct ctWorld *world, ctError *error);
// Whether a member waits for a hit, and its partner is still on the course on which it was found.
bool ctGas_IsHitValid(const struct ctWorld *world, const ctGasBall *g);

#endif
