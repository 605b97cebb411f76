// The seam of the pairs: two bodies whose boxes overlap, when they may touch, and the boxes.
#ifndef CT_PAIRS_H
#define CT_PAIRS_H

#include "engine/pairs/tunables.h"
#include "engine/state/state.h"

// ---- pairs (pairs/pairs.c, pairs/schedule.c, pairs/look.c)
// --------------------------------------------------------------------------

// The closest points of two bodies at world->now (both bodies are advanced).
typedef struct ctPairLook {
    double distance; // m, signed
    ctVec3 normal;   // unit, from b to a
    ctVec3 pointA, pointB;
    int leafA, leafB;
    double until; // s, absolute: the two cannot touch before; now when they touch and approach
    double speed; // m/s: speed of approach, where they touch
} ctPairLook;
void ctPair_Look(ctWorld *world, int pair, ctPairLook *look);
void ctPair_LookGeneral(ctWorld *world, int pair, ctPairLook *look); // for general pairs
// Gives a general pair that is apart a new time in the agenda without a look; false when it needs one.
bool ctPair_PutOff(ctWorld *world, int pair);
// The same for a pair whose time has come while bodies follow plans, which go on.
bool ctPair_PassBy(ctWorld *world, int pair);
// Gives a pair that is apart a new bound, and its time in the agenda. full: look at the geometry even if a cheap bound
// would do.
void ctPair_Schedule(ctWorld *world, int pair, bool full);
// The same for all pairs of a body that are apart.
void ctPair_ScheduleAll(ctWorld *world, int body);
// The pair of two bodies, or -1 when it is latent or there is none.
int ctPair_Find(const ctWorld *world, int a, int b);
// The pairs of a body, in ascending order of the other: tags are indices into world->pairs, or CT_LATENT. Valid until a
// course changes.
#define CT_LATENT INT32_MAX
static inline const ctLink *ctBody_Links(const ctWorld *world, int index, int *count)
{
    return ctBroadphase_Links(world->broadphase, index, count);
}
// The same one by one, for loops that change courses: the index of the k-th pair, which gets a record if it was latent;
// -1 after the last.
int ctBody_Pair(ctWorld *world, int body, int k);
// Makes the record of a latent pair, not scheduled; -1 when memory is short, which the world notes.
int ctPair_Make(ctWorld *world, int a, int b);
// When two balls meet on their present courses, s; infinite: never.
double ctBalls_Time(const ctWorld *world, int a, int b);
// For the contact code: the two are no longer in contact, and the pair goes back into the agenda.
void ctPair_Release(ctWorld *world, int pair);
// The gap at which the two touch, to rounding.
double ctPair_TouchGap(const ctWorld *world, const ctBodyPair *pair);
// Approach slower than this is rounding, m/s.
double ctPair_SpeedRounding(const ctWorld *world, const ctBodyPair *pair);
// Approach speed, m/s, at and above which the two always collide.
double ctPair_ImpactSpeed(const ctWorld *world, const ctBodyPair *pair);
ctCoefficients ctPair_Coefficients(const ctWorld *world, const ctBodyPair *pair);
ctCoefficients ctBodies_Coefficients(const ctWorld *world, int a, int b);
// The closest points of a general pair over all parts, at the bodies' present poses; returns the pair of leaves.
int ctPair_Nearest(ctWorld *world, int pair, ctClosest *nearest);
// What a box or a hull is to a point with a normal, in its frame: nothing, a face in the plane of contact, or one that
// rises.
typedef enum ctBeside { ct_besideNothing, ct_besideFlush, ct_besideHigher } ctBeside;
bool ctHasFlatFaces(const ctShape *part);
ctBeside ctBesidePart(const ctShape *part, ctVec3 p, ctVec3 n, double near);
// Closest points of two parts on an edge that other parts of the same body continue become those on the face.
void ctPair_LevelEdge(const ctWorld *world, int pair, int leaf, ctClosest *closest);
// A point of a manifold of two parts, with its own normal. False: another part has it.
bool ctPair_PointOf(const ctWorld *world, int pair, int leaf, const ctManifoldPoint *p, ctVec3 normal,
                    ctClosest *point);
// Whether two parts are of a pair whose parts may make up flat faces: all points of their contact are found, however
// far apart these are, and thinned out with those of other parts (ctKeepCorners).
bool ctPair_HasFaces(const ctWorld *world, int pair, const ctShape *a, const ctShape *b);
// [cap] Points of two single faces that count: as many as two rectangles have. Of more, those of the manifold do.
#define CT_FACE_POINTS 8
// Whether two parts alone may have more points on a common face than a manifold. All of them bear.
bool ctPair_HasFace(const ctWorld *world, int pair, const ctShape *a, const ctShape *b);
// The cosine of normals that belong to one face.
double ctPair_FaceCosine(const ctWorld *world, int pair);
// The places where the two touch at now, with a gap (m) of at most this. Returns their number, at most max.
int ctPair_Touches(ctWorld *world, int pair, double gap, ctTouch *touches, int max);
// An end of a solid of revolution, which a touch is on the rim of.
typedef struct ctRim {
    ctVec3 centre, out;  // m; towards the other body, along the normal
    double radius, sine; // m; of its tilt
    double off;          // m: how far around the rim the touch is from the place that is nearest to the other body
    int end;             // of which part, and which one
} ctRim;
// The rim of a body of the pair that a touch is on. False where it is elsewhere.
bool ctTouch_FindRim(const ctWorld *world, int body, const ctTouch *touch, ctRim *rim);
// Leaves only the lowest place of each tilted rim in the touches of a pair, where that is one of them. Returns their
// number.
int ctTouches_KeepLowest(const ctWorld *world, ctTouch *touches, int count);
// How fast the two approach at a touch, m/s.
static inline double ctTouch_Approach(const ctWorld *world, const ctTouch *touch)
{
    const ctBodyPair *pair = &world->pairs[touch->pair];
    return ctBodies_Approach(&world->bodies[pair->a], &world->bodies[pair->b], touch->normal, touch->point);
}
// A new pair, for the broadphase's reports and for snapshots: -1 when memory is short. It is not scheduled.
int ctPair_Add(ctWorld *world, int a, int b);
void ctPair_Remove(ctWorld *world, int pair);
// Frees the leaves of all pairs, for the end of the world.
void ctPairs_FreeLeaves(ctWorld *world);
// Sets the kind of a pair whose bodies are set, and empties its caches. False when memory is short.
bool ctPair_Prepare(ctWorld *world, int pair);
// The sink for the reports of the broadphase.
ctPairSink ctWorld_PairSink(ctWorld *world);
// Schedules the new pairs. False when memory was short for one.
bool ctWorld_ScheduleFresh(ctWorld *world);
// The distance of two bodies at now, without a pair; that of a pair at a time, with the states of its bodies then.
double ctBodies_Distance(ctWorld *world, int a, int b);
double ctPair_Distance(ctWorld *world, int pair, double time, ctBodyState states[2]);
// Gives a body a box that it cannot leave for a while, from body->t == now on, unless its present box still holds it
// (renew: in any case).
bool ctWorld_UpdateBox(ctWorld *world, int body, bool renew, ctError *error);
// The first box of a body: around its place.
void ctWorld_StartBox(ctWorld *world, int body);
// A ball that leaves the gas keeps its box.
bool ctWorld_KeepBox(ctWorld *world, int body);
// Moves the body's proxy in the broadphase to body->box.
bool ctWorld_MoveBox(ctWorld *world, int body, ctError *error);
// The motion of a body that is not in the gas has changed: bounds, box, and all its pairs that are apart.
void ctWorld_CourseChanged(ctWorld *world, int body);
// Whether two bodies may touch, or one may be in the other: filters, sensors, the program's function (pairs/sensors.c).
bool ctBodies_MayMeet(const ctWorld *world, int a, int b);
// Adds a body to the broadphase, with its box; removes it, with all its pairs. parted is called for each body that it
// had a pair with.
bool ctWorld_EnterBroadphase(ctWorld *world, int body, const ctPairSink *sink, ctError *error);
void ctWorld_LeaveBroadphase(ctWorld *world, int body, void (*parted)(ctWorld *world, int other));

// ---- tiles on terrains (pairs/tile.c) -------------------------------------------------------------

// Makes a tile of a terrain for a body, which replaces the terrain in their pair; -1 when memory is short.
int ctTile_Open(ctWorld *world, int body, int terrain);
void ctTile_Close(ctWorld *world, int tile);
void ctTile_Free(ctTile *tile); // frees the memory only; NULL is allowed
// Fills a tile from tile->box, for a snapshot.
bool ctTile_Fill(ctWorld *world, int tile);
// Moves the tiles of a body that has another box. False when memory is short.
bool ctTiles_Move(ctWorld *world, int body);
// Makes the tiles of a body large enough for a plan.
bool ctTiles_MakeRoom(ctWorld *world, int body);
// Bodies that pass a one-sided terrain from behind (pairs/side.c). ctTiles_IsPassing: whether a body passes one.
// ctTiles_Attend: a body's course has changed, or its choice of passed triangles is due; false when memory is short.
// ctTile_LetPass: a body touches a triangle; true when it passes it and now sees other triangles, so that its pair
// waits for a schedule.
bool ctTiles_Attend(ctWorld *world, int body);
bool ctTiles_IsPassing(const ctWorld *world, int body);
bool ctTile_LetPass(ctWorld *world, int pair, const ctPairLook *look);
// A ball in contact begins to ride on the triangle under it, where the surface is smooth: part `leaf` of the tile, or
// its plane; it stops riding. False when memory is short (pairs/ride.c).
bool ctTile_Mount(ctWorld *world, int pair, int leaf);
bool ctTile_Dismount(ctWorld *world, int pair);
// The time at which a riding ball passes a seam on its present course, before until (s); infinite: none. Passes the
// seams that the ball is at now: it continues with its velocities turned, or its ride ends. It takes off, or stays in a
// groove to which it would return within a time (s). pull: its acceleration without contact.
double ctTile_NextSeam(const ctWorld *world, int tile, double until);
typedef enum ctRideEvent { ct_rideGoesOn, ct_rideTurns, ct_rideEnds } ctRideEvent;
// *press: the change of its velocity along the normal by the surface, m/s; negative over convex seams.
ctRideEvent ctTile_Cross(ctWorld *world, int tile, ctVec3 pull, double shortest, double *press);
// Updates the tiles of a terrain whose material or surface motion has changed.
void ctTiles_Refresh(ctWorld *world, int terrain);
// After a tile has moved: the part on which a point (world) is that was on a part of the former tile; -1: none. The
// number of parts now, or before.
int ctTile_Follow(const ctWorld *world, int tile, int leaf, ctVec3 point);
int ctTile_LeafCount(const ctTile *tile, bool former);
// How far a body can move, m, before it may meet something that its tile does not show.
double ctTile_Room(const ctWorld *world, int tile);
// The parts of a tile near a convex shape: parts whose boxes do not meet this box, that of the shape with a margin, are
// farther away than the margin. For bodies that are no tiles it leaves out none.
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
// The kind of approach of a body to a part of its tile, where the tile represents a curved surface (pairs/glide.c).
typedef enum ctGraze {
    ct_grazeNone,   // an impact; or the part is flat, or there is no tile
    ct_grazeGoesOn, // only due to the flat part: on the curved surface the body continues
    ct_grazeTips,   // of a body that lies there and tips from one part to the next
} ctGraze;
// approach: m/s. flies: the body is not in contact.
ctGraze ctTile_Graze(const ctWorld *world, int tile, int leaf, double approach, bool flies);
// Whether two parts of a body are one flat face; for bodies that are no tiles: whether they are the same part.
bool ctTile_IsSameFace(const ctWorld *world, int body, int leafA, int leafB);

// ---- members of the gas (pairs/cells.c) -----------------------------------------------------------

void ctGas_Free(ctGas *gas);
// Room for body slots below limit. False, with nothing lost, when memory is short.
bool ctGas_Reserve(ctGas *gas, int limit);
// The ball returns to the broadphase, which pairs it with all balls around. Its box and its pairs stay.
void ctGas_Leave(ctWorld *world, int body);
// The same for a body that is being removed.
void ctGas_Forget(ctWorld *world, int body);
// Whether a member has a hit, and its partner is still on the course for which it was found.
bool ctGas_IsHitValid(const ctWorld *world, const ctGasBall *g);
// Whether a hit other than that of a and b is due now.
bool ctGas_IsHitDue(const ctWorld *world, int a, int b);
// Balls that are about to hit each other now leave the gas.
void ctGas_Expose(ctWorld *world);

// ---- sensors (pairs/sensors.c) ----------------------------------------------------------------

static inline bool ctPair_IsSensor(const ctBodyPair *pair)
{
    return pair->state >= ct_pairOutside;
}
// Whether the two are apart, and have a time in the agenda.
static inline bool ctPair_IsAwaited(const ctBodyPair *pair)
{
    return pair->state == ct_pairApart || pair->state == ct_pairOutside;
}
// The event of a pair with a sensor: the visitor is inside now, or the pair is looked at later.
void ctSensor_Event(ctWorld *world, int pair);
// Whether a body of the pair is on a plan, which a look at a sensor need not end; looks at it there, while it is
// outside, and says when to look again.
bool ctSensor_IsOnPlan(const ctWorld *world, int pair);
void ctSensor_Await(ctWorld *world, int pair);
// A visitor is inside, and one of the two has changed its course: whether it is still inside, and when to look again.
void ctSensor_Watch(ctWorld *world, int pair);
// The pair of a sensor is removed: its visitor leaves.
void ctSensor_Part(ctWorld *world, int pair);

#endif
