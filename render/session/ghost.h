// A ghost: places of bodies over time from a file, shown beside those of the simulation. The file is a trace of
// `clatter sim --trace`, or a measurement.
#ifndef CT_SESSION_GHOST_H
#define CT_SESSION_GHOST_H

#include "engine/clatter.h"

typedef struct ctGhostSample {
    double time; // s
    ctVec3 center;
    ctQuat q; // of the shape's frame
    ctVec3 velocity, spin;
} ctGhostSample;

typedef struct ctGhostBody {
    ctBodyId id;
    ctVec3 center; // of mass, in the shape's frame
    int first, count;
} ctGhostBody;

typedef struct ctGhost {
    ctGhostBody *bodies;
    ctGhostSample *samples; // of one body after the other, in order of time
    int count, capacity, sampleCount, sampleCapacity;
    bool moving; // the file has velocities and spins
} ctGhost;

// Reads a table with the columns time, x, y, z, qw, qx, qy, qz (centre of mass, m; rotation), in any order. Optional
// columns are body (a name; without it: the first dynamic body) and vx, vy, vz, wx, wy, wz. Other columns and bodies
// that cannot move are ignored. Messages name the file, the line and the column. On failure *ghost is empty.
bool ctGhost_Load(ctGhost *ghost, const char *path, const ctWorld *world, ctError *error);
void ctGhost_Free(ctGhost *ghost);

// The pose of the ghost of a body. Before its first and after its last sample the ghost does not move. center may be
// NULL. False: the body has no ghost.
bool ctGhost_At(const ctGhost *ghost, ctBodyId body, double time, ctTransform *pose, ctVec3 *center);

// The distance between the centres of mass of a body and its ghost, m, and the angle between their rotations, rad.
bool ctGhost_Difference(const ctGhost *ghost, ctBodyId body, double time, ctVec3 center, ctQuat rotation,
                        double *distance, double *angle);

#endif
