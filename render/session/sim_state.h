// The state of a world at one instant as the viewer shows it. It is a copy, so that the world can be stepped meanwhile.
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
    // Filled only as ctCaptureWhat says.
    ctContact *contacts;
    ctPending *pending;
    ctSweptBox *boxes;
    int contactCount, contactCapacity, pendingCount, pendingCapacity, boxCount, boxCapacity;
} ctSimState;

// Which lists of the world to copy.
typedef struct ctCaptureWhat {
    bool contacts, pending, boxes;
} ctCaptureWhat;

// False when memory is short; the state is then empty.
bool ctSimState_Capture(ctSimState *state, const ctWorld *world, ctCaptureWhat what);
bool ctSimState_Copy(ctSimState *to, const ctSimState *from);
void ctSimState_Free(ctSimState *state);

// The pose of a body between two of its states. The cubic through both positions and velocities is exact for free
// flight of the centre: it is the parabola. After an impact in between, the centre moves on a straight line.
ctTransform ctInterpolate(const ctBodyState *a, double timeA, const ctBodyState *b, double timeB, double time);

#endif
