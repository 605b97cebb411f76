// A ghost: the places of bodies over time from a file, shown beside those of the simulation. The file is a trace of
// `clatter sim --trace`, or measured.
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

// Reads a table with the columns time, x, y, z, qw, qx, qy, qz (centre of mass, m; rotation), in any order, and with
// body (a name; without it: the first dynamic body), and vx, vy, vz, wx, wy, wz if it has them; other columns are
// ignored, and so are bodies that cannot move. Messages name the file, the line and the column. On failure *ghost is
// empty.
bool ctGhost_Load(ctGhost *ghost, const char *path, const ctWorld *world, ctError *error);
void ctGhost_Free(ctGhost *ghost);

// Where the ghost of a body is; before its first and after its last sample it stands still. center may be NULL. False:
// the body has none.
bool ctGhost_At(const ctGhost *ghost, ctBodyId body, double time, ctTransform *pose, ctVec3 *center);

// How far the body is from its ghost: between the centres of mass, m, and the angle between the rotations, rad.
bool ctGhost_Difference(const ctGhost *ghost, ctBodyId body, double time, ctVec3 center, ctQuat rotation,
                        double *distance, double *angle);

#endif
