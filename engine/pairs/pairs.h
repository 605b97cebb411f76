// The seam of the pairs: two bodies whose boxes overlap, when they may touch, and the boxes.
#ifndef CT_PAIRS_H
#define CT_PAIRS_H

#include "engine/pairs/tunables.h"
#include "engine/state/state.h"

// ---- pairs (pairs/pairs.c, pairs/schedule.c, pairs/look.c)
// --------------------------------------------------------------------------

// Where and how two bodies are closest, at world->now (both bodies are flown there).
typedef struct ctPairLook {
    double distance; // m, signed
    ctVec3 normal;   // unit, from b to a
    ctVec3 pointA, pointB;
    int leafA, leafB;
    double until; // s: the two cannot touch before (absolute); now when they touch and approach
    double speed; // m/s: of approach, where they have been found to touch
} ctPairLook;
void ctPair_Look(ctWorld *world, int pair, ctPairLook *look);
void ctPair_LookGeneral(ctWorld *world, int pair, ctPairLook *look); // for general pairs
// A new time in the heap for a general pair that is apart, without a look; false when one is needed.
bool ctPair_PutOff(ctWorld *world, int pair);
// The same for one whose time has come while bodies follow plans: the plans go on.
bool ctPair_PassBy(ctWorld *world, int pair);
// New bound for a pair that is apart, and its place in the heap. full: look at the geometry even when a
// cheap bound would do.
void ctPair_Schedule(ctWorld *world, int pair, bool full);
// The same for all pairs of a body that are apart.
void ctPair_ScheduleAll(ctWorld *world, int body);
// The pair of two bodies, or -1 when it is latent or there is none.
int ctPair_Find(const ctWorld *world, int a, int b);
// The pairs of a body, in ascending order of the other: tags are indices into world->pairs, or CT_LATENT. Good until
// a course changes.
#define CT_LATENT INT32_MAX
static inline const ctLink *ctBody_Links(const ctWorld *world, int index, int *count)
{
    return ctBroadphase_Links(world->broadphase, index, count);
}
// The same one by one, for loops that change courses: the index of the k-th pair, which is latent no longer, or -1
// after the last.
int ctBody_Pair(ctWorld *world, int body, int k);
// A record for a latent pair, not scheduled; -1 when memory is short, which the world notes.
int ctPair_Make(ctWorld *world, int a, int b);
// When two balls meet on their present courses, s; infinite: never.
double ctBalls_Time(const ctWorld *world, int a, int b);
// Contact code: the two are no longer in contact; the pair goes back to the heap.
void ctPair_Release(ctWorld *world, int pair);
// The gap at which the two touch, to rounding.
double ctPair_TouchGap(const ctWorld *world, const ctBodyPair *pair);
// Approach slower than this is rounding, m/s.
double ctPair_SpeedRounding(const ctWorld *world, const ctBodyPair *pair);
// Approach speed, m/s, at and above which the two always collide.
double ctPair_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair);
ctCoefficients ctPair_Coefficients(const ctWorld *world, const ctBodyPair *pair);
ctCoefficients ctBodies_Coefficients(const ctWorld *world, int a, int b);
// The closest points of a general pair over all parts, bodies as they are; returns which parts those are.
int ctPair_Nearest(ctWorld *world, int pair, ctClosest *nearest);
// The places where the two touch: gap (m) or less, at now. Returns how many, at most max.
int ctPair_Touches(ctWorld *world, int pair, double gap, ctTouch *touches, int max);
// How fast the two approach at a touch, m/s.
static inline double ctTouch_Approach(const ctWorld *world, const ctTouch *touch)
{
    const ctBodyPair *pair = &world->pairs[touch->pair];
    return ctBodies_Approach(&world->bodies[pair->a], &world->bodies[pair->b], touch->normal, touch->point);
}
// A new pair, for the broadphase's reports and for snapshots: -1 when memory is short. It is not scheduled.
int ctPair_Add(ctWorld *world, int a, int b);
void ctPair_Remove(ctWorld *world, int pair);
// For a pair whose bodies are known: its kind, and cold caches. False when memory is short.
bool ctPair_Prepare(ctWorld *world, int pair);
// Takes in what the broadphase reports.
ctPairSink ctWorld_PairSink(ctWorld *world);
// Schedules the pairs that have come. False when one could not, for want of memory.
bool ctWorld_ScheduleFresh(ctWorld *world);
// The distance of two bodies at now, without a pair; that of a pair.
double ctBodies_Distance(ctWorld *world, int a, int b);
double ctPair_Distance(ctWorld *world, int pair);
// Gives a body a box that it cannot leave for a while, from body->t == now on, unless the one it has
// still holds (renew: in any case).
bool ctWorld_UpdateBox(ctWorld *world, int body, bool renew, ctError *error);
// The first box of a body: where it is.
void ctWorld_StartBox(ctWorld *world, int body);
// A ball that leaves the gas keeps its box until it leaves it.
bool ctWorld_KeepBox(ctWorld *world, int body);
// Tells the broadphase of body->box.
bool ctWorld_MoveBox(ctWorld *world, int body, ctError *error);
// The motion of a body that is not in the gas has changed: bounds, box, and all its pairs that are apart.
void ctWorld_CourseChanged(ctWorld *world, int body);
// Whether two bodies may touch, or one be seen by the other: filters, sensors, the program's function
// (pairs/sensors.c).
bool ctBodies_MayMeet(const ctWorld *world, int a, int b);
// Tells the broadphase about a body, with the box it has; takes it out again, with every pair it has. parted hears of
// each body that it had a pair with.
bool ctWorld_EnterBroadphase(ctWorld *world, int body, const ctPairSink *sink, ctError *error);
void ctWorld_LeaveBroadphase(ctWorld *world, int body, void (*parted)(ctWorld *world, int other));

// ---- tiles on terrains (pairs/tile.c) -------------------------------------------------------------

// A tile on a terrain for a body, in the place of the terrain; -1 when memory is short.
int ctTile_Open(ctWorld *world, int body, int terrain);
void ctTile_Close(ctWorld *world, int tile);
void ctTile_Free(ctTile *tile); // the memory alone; NULL is allowed
// Looks out over tile->box again, for a snapshot.
bool ctTile_Fill(ctWorld *world, int tile);
// A body has another box: its tiles follow. False when memory is short.
bool ctTiles_Move(ctWorld *world, int body);
// A body is about to follow a plan: its tiles show enough around it.
bool ctTiles_MakeRoom(ctWorld *world, int body);
// Bodies that pass a terrain with one side from behind: the course of one has changed, or time has come for another
// choice of what it passes (false when memory is short); and one touches a triangle: true when it passes it and sees
// other triangles now, so that its pair waits for a schedule (pairs/side.c).
bool ctTiles_Attend(ctWorld *world, int body);
bool ctTiles_IsPassing(const ctWorld *world, int body);
bool ctTile_LetPass(ctWorld *world, int pair, const ctPairLook *look);
// A ball in contact rides on the triangle under it, where the surface is smooth: the part `leaf` of the tile, or where
// that is a plane; and it does no longer. False when memory is short (pairs/ride.c).
bool ctTile_Mount(ctWorld *world, int pair, int leaf);
bool ctTile_Dismount(ctWorld *world, int pair);
// When a ball that rides passes a seam on its present course, before until (s), or infinite. Now: it passes those that
// it is at, where it moves on with its velocities turned, or its ride ends: it takes off, or stays in a groove which it
// would be back at within a time (s). pull: its acceleration without contact.
double ctTile_NextSeam(const ctWorld *world, int tile, double until);
typedef enum ctRideEvent { ct_rideGoesOn, ct_rideTurns, ct_rideEnds } ctRideEvent;
// *press: by how much the surface has turned its velocity, m/s along the normal; less than 0 over convex seams.
ctRideEvent ctTile_Cross(ctWorld *world, int tile, ctVec3 pull, double shortest, double *press);
// Material and motion of its surface have changed.
void ctTiles_Refresh(ctWorld *world, int terrain);
// When a tile has moved: which part a point (world) is on that was on a part of what was seen before; -1: none. How
// many parts there are, or were.
int ctTile_Follow(const ctWorld *world, int tile, int leaf, ctVec3 point);
int ctTile_LeafCount(const ctTile *tile, bool former);
// How far a body can get, m, before it may meet something that its tile does not show.
double ctTile_Room(const ctWorld *world, int tile);
// A look at the parts of a tile that are near: those whose boxes do not meet this one, of a convex shape and a margin,
// are farther from it than that. For other bodies it leaves out none.
typedef struct ctNearby {
    bool tile;
    ctVec3 lo, hi;
} ctNearby;
ctNearby ctTile_Nearby(const ctWorld *world, int body, const ctPose *pose, const ctShape *shape,
                       const ctPose *poseShape, double margin);
static inline bool ctNearby_LeavesOut(const ctNearby *n, const ctShape *part)
{
    return n->tile && ((part->lo.x > n->hi.x) | (part->hi.x < n->lo.x) | (part->lo.y > n->hi.y) |
                       (part->hi.y < n->lo.y) | (part->lo.z > n->hi.z) | (part->hi.z < n->lo.z));
}
// What the approach of a body to a part of its tile is, where that stands for a curved surface (pairs/glide.c).
typedef enum ctGraze {
    ct_grazeNone,   // that of an impact, or the part is flat, or no tile
    ct_grazeGoesOn, // there only because the part is flat: on the curved surface the body goes on
    ct_grazeTips,   // that of a body which lies there and tips from one part to the next
} ctGraze;
// approach: m/s. flies: the body is not in contact.
ctGraze ctTile_Graze(const ctWorld *world, int tile, int leaf, double approach, bool flies);
// Whether two parts of a body are one flat face; for all but tiles: whether they are the same.
bool ctTile_IsSameFace(const ctWorld *world, int body, int leafA, int leafB);

// ---- members of the gas (pairs/cells.c) -----------------------------------------------------------

void ctGas_Free(ctGas *gas);
// Room for body slots below limit. False, with nothing lost, when memory is short.
bool ctGas_Reserve(ctGas *gas, int limit);
// The ball goes back to the broadphase, which makes pairs of it and all balls around. Its box stays, and so do the
// pairs that it has.
void ctGas_Leave(ctWorld *world, int body);
// The same without a way back: the body goes.
void ctGas_Forget(ctWorld *world, int body);
// Whether a member waits for a hit, and its partner is still on the course on which it was found.
bool ctGas_IsHitValid(const ctWorld *world, const ctGasBall *g);
// Whether another hit than that of a and b is due at now.
bool ctGas_IsHitDue(const ctWorld *world, int a, int b);
// The balls that are about to hit each other at now leave.
void ctGas_Expose(ctWorld *world);

// ---- sensors (pairs/sensors.c) ----------------------------------------------------------------

static inline bool ctPair_IsSensor(const ctBodyPair *pair)
{
    return pair->state >= ct_pairOutside;
}
// Whether the two are apart, and times are kept at which they may not be any more.
static inline bool ctPair_IsAwaited(const ctBodyPair *pair)
{
    return pair->state == ct_pairApart || pair->state == ct_pairOutside;
}
// A pair with a sensor is due: whether the visitor is inside now, or when to look again.
void ctSensor_Event(ctWorld *world, int pair);
// A visitor is inside, and one of the two has taken another course: whether it is still, and when to look again.
void ctSensor_Watch(ctWorld *world, int pair);
// The pair of a sensor goes: a visitor that was inside is no longer.
void ctSensor_Part(ctWorld *world, int pair);

#endif
