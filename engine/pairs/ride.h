// The interface between the files about riding balls (pairs/ride.c, pairs/ride_way.c).
#ifndef CT_RIDE_H
#define CT_RIDE_H

#include "engine/pairs/tile_internal.h"

// The ball in the terrain's frame: its centre, velocity and acceleration.
typedef struct ctRider {
    ctVec3 x, v, a;
} ctRider;

ctRider ctRide_Of(const ctWorld *world, const ctTile *tile, ctPose *pose);

// The plane that bisects the angle at side k, seen from a triangle: positive beyond. Its normal is not of unit length.
typedef struct ctSeam {
    ctVec3 n;
    double offset;
} ctSeam;

ctSeam ctRide_Seam(const ctTerrain *terrain, int triangle, int k);

// Whether a triangle other than that of the ball reaches into the ball: the surface is too curved here.
bool ctRide_IsCramped(const ctTerrain *terrain, const ctTile *tile, ctVec3 centre, double radius);
// The same for a riding ball. Also finds the triangle that it touches in a corner of its own and moves into (-1: none).
// False when it is cramped, or touches a triangle that shares no corner with its own.
bool ctRide_IsFree(const ctTerrain *terrain, const ctTile *tile, const ctRider *rider, double radius, int *ahead);

#endif
