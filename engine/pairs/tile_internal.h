// The interface between the files about tiles (pairs/tile.c, pairs/tile_move.c, pairs/ride.c).
#ifndef CT_TILE_INTERNAL_H
#define CT_TILE_INTERNAL_H

#include "collision/terrain.h"
#include "engine/pairs/pairs.h"

const ctTerrain *ctTile_Terrain(const ctWorld *world, const ctTile *tile);
// Whether a part of the segment from a to b is in a box.
bool ctBox_Crosses(const ctBox *box, ctVec3 a, ctVec3 b);
// The least barycentric coordinate of a point in the plane of a triangle: how far inside it is.
double ctTriangle_Inside(const ctTerrain *terrain, int triangle, ctVec3 p);
// A body's box in the frame of a terrain, grown.
ctBox ctTile_BoxIn(const ctWorld *world, int terrain, const ctBox *box, double grow);
// How far around itself a body needs the terrain for a plan of some time (s), m.
double ctTile_Need(const ctWorld *world, int body, double time);
// How far around the body a tile for such a plan reaches, m.
double ctTile_Reach(const ctWorld *world, int body, double time);
// Fills a tile for the body's present box, and as far around as the body may move in a time (s). If the tile is a
// plane, it faces the body's side. False when memory is short.
bool ctTile_Look(ctWorld *world, int tile, double time);
// The same with its present box.
bool ctTile_See(ctWorld *world, int tile);
// The tile becomes the plane of a facet.
void ctTile_BecomePlane(ctWorld *world, int tile, int facet);
// Whether a ball may ride on the triangle tile->ride: all triangles of the tile belong to one surface, less curved than
// the ball.
bool ctTile_IsGentle(const ctTerrain *terrain, const ctTile *tile);
// Stores what is seen now, before the tile moves.
bool ctTile_Keep(ctTile *tile);
// After the tile has moved: empties the caches of the pair, and tells its points, or lets it wait for its schedule.
bool ctTile_RenewPair(ctWorld *world, int pair);

// ---- terrains with one side (pairs/side.c)

// Keeps the triangles of the box that the body may touch from the front. False when memory is short.
bool ctTile_ChooseSides(ctWorld *world, ctTile *tile);
// The same by the previous choice.
void ctTile_LeaveOut(ctTile *tile);
// Whether a part of a compound tile is touched from behind (point and normal: world), and is one-sided.
bool ctTile_IsTouchedBehind(const ctWorld *world, const ctTile *tile, int leaf, ctVec3 point, ctVec3 normal);

#endif
