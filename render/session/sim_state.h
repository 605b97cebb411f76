// What the viewer shows of a world at one instant, copied out so that the world can go on meanwhile.
#ifndef CT_SESSION_SIM_STATE_H
#define CT_SESSION_SIM_STATE_H

#include "engine/clatter.h"

typedef struct ctBodyState {
    ctBodyId id;
    ctTransform pose; // of the shape's frame
    ctVec3 center, velocity, spin;
    bool asleep;
} ctBodyState;

typedef struct ctSweptBox {
    ctVec3 lo, hi;
} ctSweptBox;

typedef struct ctSimState {
    double time; // s
    int count, capacity;
    ctBodyState *bodies; // by ordinal
    ctStats stats;
    // Only when inside is asked for.
    ctContact *contacts;
    ctPending *pending;
    ctSweptBox *boxes;
    int contactCount, contactCapacity, pendingCount, pendingCapacity, boxCount, boxCapacity;
} ctSimState;

// What of the world's inside to copy.
typedef struct ctCaptureWhat {
    bool contacts, pending, boxes;
} ctCaptureWhat;

// False when memory is short; the state is then empty.
bool ctSimState_Capture(ctSimState *state, const ctWorld *world, ctCaptureWhat what);
bool ctSimState_Copy(ctSimState *to, const ctSimState *from);
void ctSimState_Free(ctSimState *state);

// The pose of a body between two states of it, exact for free flight of the centre: the cubic through both
// positions and velocities is the parabola. After an impact in between it is a straight line.
ctTransform ctInterpolate(const ctBodyState *a, double timeA, const ctBodyState *b, double timeB, double time);

#endif
