// The data of the gas (gas/gas.c): balls in free flight, which are kept in cells and have no pairs among themselves.
#ifndef CT_STATE_CELLS_H
#define CT_STATE_CELLS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// One cache line for each body.
typedef struct ctGasBall {
    _Alignas(64) double hit; // s: when it meets its partner, or must look again; infinite: never
    double cross;            // s: when its centre leaves the cell; infinite, as hit, for balls that are no members
    // s: the partner's body->t when the hit was found; another value: the partner has another course
    double partnerTime;
    int partner; // body index
    int cell[3];
    uint32_t place;    // of the cell in the table, before the mask is applied
    uint32_t slowStep; // the micro-step of its last slow hit
    uint8_t slow;      // slow hits in that step
    int8_t away[3];    // cells from the middle of its broadphase box; the box holds the ball while none exceeds room
    int8_t room;
    int8_t axis, way; // of the next crossing: the coordinate, and +1 or -1
} ctGasBall;

// Cells of a row, which are read at once.
enum { CT_GAS_ROW = 4 };

typedef struct ctGas {
    ctGasBall *balls; // by body slot
    int *next;        // by body slot: the next ball at the same place of the table, or -1
    int *first;       // the table: by place, a ball or -1; the first places are repeated after the last, for rows
    int capacity, nextCapacity, firstCapacity;
    int places;           // a power of two, or 0
    uint32_t steps[3];    // differences of place between neighbouring cells
    double side, inverse; // m, 1/m: of a cell
    int count;            // members
    int refused;          // balls that did not fit since the side was chosen
    int known;            // balls at that time, members or not
} ctGas;

// The place of a cell in the table, before the mask is applied.
static inline uint32_t ctGas_PlaceOf(const ctGas *gas, const int cell[3])
{
    return (uint32_t)cell[0] + (uint32_t)cell[1] * gas->steps[1] + (uint32_t)cell[2] * gas->steps[2];
}

static inline uint32_t ctGas_MaskOf(const ctGas *gas)
{
    return (uint32_t)gas->places - 1u;
}

// Whether a body waits for an event of the gas. Only members do; a member at rest without gravity does not.
static inline bool ctGas_Awaits(const ctGas *gas, int body)
{
    return gas->balls[body].hit < (double)INFINITY || gas->balls[body].cross < (double)INFINITY;
}

static inline void ctGas_SetFirst(ctGas *gas, uint32_t place, int first)
{
    gas->first[place] = first;
    if (place < CT_GAS_ROW - 1) {
        gas->first[(uint32_t)gas->places + place] = first;
    }
}

// Links a member into the table at its place; unlinks it.
static inline void ctGas_Link(ctGas *gas, int ball)
{
    uint32_t place = gas->balls[ball].place & ctGas_MaskOf(gas);
    gas->next[ball] = gas->first[place];
    ctGas_SetFirst(gas, place, ball);
}

static inline void ctGas_Unlink(ctGas *gas, int ball)
{
    uint32_t place = gas->balls[ball].place & ctGas_MaskOf(gas);
    int at = gas->first[place];
    if (at == ball) {
        ctGas_SetFirst(gas, place, gas->next[ball]);
        return;
    }
    while (gas->next[at] != ball) {
        at = gas->next[at];
    }
    gas->next[at] = gas->next[ball];
}

#endif
