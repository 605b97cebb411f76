// What the files about tiles share (pairs/tile.c, pairs/tile_move.c, pairs/ride.c).
#ifndef CT_TILE_INTERNAL_H
#define CT_TILE_INTERNAL_H

#include "collision/terrain.h"
#include "engine/pairs/pairs.h"

const ctTerrain *ctTile_Terrain(const ctWorld *world, const ctTile *tile);
// Whether some of the segment from a to b is in a box.
bool ctBox_Crosses(const ctBox *box, ctVec3 a, ctVec3 b);
// How far inside a triangle a point of its plane is, as the least of its barycentric coordinates.
double ctTriangle_Inside(const ctTerrain *terrain, int triangle, ctVec3 p);
// A body's box in the frame of a terrain, grown.
ctBox ctTile_BoxIn(const ctWorld *world, int terrain, const ctBox *box, double grow);
// How far around itself a body that follows a plan for a time (s) wants to know the terrain, m.
double ctTile_Need(const ctWorld *world, int body, double time);
// How far around the body a tile reaches that is made for such a plan, m.
double ctTile_Reach(const ctWorld *world, int body, double time);
// Looks out for the body's present box, and as far around the body as it may get in a time (s). Where it is flat, the
// body's side counts. False when memory is short.
bool ctTile_Look(ctWorld *world, int tile, double time);
// The same with the box that it has.
bool ctTile_See(ctWorld *world, int tile);
// The tile becomes the plane of a facet.
void ctTile_BecomePlane(ctWorld *world, int tile, int facet);
// Whether a ball may ride on the triangle tile->ride: all that is seen belongs to one surface, less curved than the
// ball.
bool ctTile_IsGentle(const ctTerrain *terrain, const ctTile *tile);
// Keeps what is seen now, before the tile moves.
bool ctTile_Keep(ctTile *tile);
// Afterwards: the pair knows nothing about what it sees now, and its points are told, or it waits for its schedule.
bool ctTile_RenewPair(ctWorld *world, int pair);

// ---- terrains with one side (pairs/side.c)

// Of all triangles in its box the tile keeps those that its body may touch from the front. False when memory is short.
bool ctTile_ChooseSides(ctWorld *world, ctTile *tile);
// The same by the choice that was made before.
void ctTile_LeaveOut(ctTile *tile);
// Whether a part of a compound tile is touched from behind (point and normal: world), and has no back.
bool ctTile_IsTouchedBehind(const ctWorld *world, const ctTile *tile, int leaf, ctVec3 point, ctVec3 normal);

#endif
