// What a world is made of, and the seams between its parts: the event loop (loop/loop.c), the pairs
// (pairs/pairs.c), impacts (collide/sequence.c, collide/response.c), and sustained contact (contact*.c, island*.c).
//
// Bodies live in two parallel arrays by index: ctBody, what the loop touches at every event, and
// ctBodyInfo, the rest. An index is stable for the life of a body; public ids add a generation.
//
// TIME. Every body has a time of its own, body->t, and is flown only when something asks:
// ctBody_Advance. world->now is the time of the event being handled. A body's motion from body->t on is
//   x(t) = x + v s + a s^2 / 2,       s = t - body->t,
// and its rotation is, by mode,
//   flying      torque-free (ctFly); a is gravity
//   contact     w(t) = w + alpha s, until the next contact tick
//   planned     a body that rolls undisturbed on one smooth point follows its equations of motion: nobody may ask for
//   its
//               motion before it has been advanced, which ends the plan
//   asleep      none: v = a = w = alpha = 0
//   fixed       none
//   kinematic   constant w; a = 0
// so that ctMotion's bounds hold in every mode and one code finds times of impact for all.
//
// EVENTS, earliest first; at equal times pairs, then boxes, then the tick:
//   a pair      world->pairAgenda by pair index: the time before which the two cannot touch
//   a box       world->boxAgenda by body index: the body may leave its broadphase box; for a ball of the gas
//   (gas/gas.c)
//               also that it leaves its cell, or meets another
//   the tick    ctContact_NextTick: an island of bodies in contact is due, which is at least every
//               world->tickStep from the frame's start and at its end, but for bodies at rest or on one
//               smooth point
//
// PAIRS. The broadphase makes one ctBodyPair for each two bodies whose boxes overlap, but for two of the gas; b is the
// plane or the immovable body where there is one; the normal points from b to a everywhere. A pair is
//   apart       in the heap (or out of it for ever: infinite time)
//   contact     owned by the contact code, which answers ctContact_Begin; never in the heap. The loop
//               asks it for points (ctContact_Points) when an impact on one of the bodies propagates,
//               and ends it (ctContact_End) when the broadphase parts the two or a body is destroyed.
//               The contact code gives a pair back with ctPair_Release when the bodies separate.
// Whoever changes v, w, a, alpha or the pose of a body (at body->t == world->now) calls
// ctWorld_CourseChanged for it, once, afterwards: bounds, box and pairs are renewed there.
#ifndef CT_STATE_H
#define CT_STATE_H

#include "collision/broadphase.h"
#include "collision/gjk.h"
#include "collision/memory.h"
#include "collision/shape.h"
#include "collision/terrain.h"
#include "engine/clatter.h"
#include "engine/core/agenda.h"
#include "engine/core/tunables.h"
#include "engine/flight/flight.h"
#include "engine/solver/solver.h"
#include "engine/state/cells.h"
#include "engine/state/tunables.h"

#include <math.h>
#include <stddef.h>

typedef enum ctBodyMode {
    ct_modeFree, // an unused slot
    ct_modeFlying,
    ct_modeContact,
    ct_modePlanned, // in contact, and follows a plan (contact/plan)
    ct_modeAsleep,
    ct_modeFixed,
    ct_modeKinematic,
    ct_modeStruck, // in contact, and something other than its contacts has changed its motion since the last step
} ctBodyMode;

// What every event needs of a body.
//
// The first two cache lines are what times of impact of balls need, the third is the rotation.
typedef struct ctBody {
    _Alignas(CT_CACHE_LINE) double t; // s: the state below is the state at this time
    ctVec3 x, v;                      // centre of mass
    double radius;                    // m, of a ball about the centre of mass that holds the shape

    ctVec3 a;          // of the centre of mass
    double invMass;    // 1/kg; 0: immovable
    double invInertia; // 1/(kg m^2), ball only: the inverse moment about any axis
    ctBodyMode mode : 8;
    bool sensor;      // touches nothing
    bool choosy;      // has a filter of its own
    bool driven;      // by a torque, by drag or along a path: no parabola, no torque-free flight
    bool ball;        // the shape is a sphere about the centre of mass: exact times, no GJK
    bool plane;       // the shape is a plane
    bool terrain;     // the shape is a terrain, which others meet through tiles
    int contactPairs; // how many of its pairs are in contact
    int island;       // contact code: the island, or -1
    double wMax;      // bounds of the motion from here on, for ctMotion

    ctQuat q;    // shape frame to world
    ctVec3 w;    // rad/s
    double path; // m: no point of the body has travelled farther than this since its creation

    ctBox box;        // the broadphase's box of this body
    double alphaMax;  // as wMax
    ctVec3 alpha;     // rad/s^2, contact mode
    double microTime; // s: of its last microcollision
    ctVec3 normal;    // of a plane, which never moves: the half-space n.x <= offset, world frame
    double offset;
    double courseEnd; // s, contact mode: when its island takes the next step
} ctBody;

_Static_assert(sizeof(ctBody) == 5 * CT_CACHE_LINE, "a body is five lines");

// What one body sees of a terrain until its box is renewed (pairs/tile.c): a plane, or some triangles as a compound.
typedef struct ctTile {
    int terrain, body; // indices: of what, and for whom
    ctBox box;         // the terrain's frame: all that is in it is seen
    int facet;         // a plane: this facet's; -1: a compound; one beyond the last: nothing is there
    bool flat;         // all that is seen is one facet, which goes on beyond
    int ride;          // the triangle that a ball in contact is on, and whose plane it sees (pairs/ride.c); -1: none
    bool front;        // a plane: whether its normal is the facet's
    bool failed;       // memory ran short while it was filled
    int count, capacity;
    int *triangles; // by ascending number, but where a ball rides; with a compound its leaves
    ctShape shape;
    ctLeaf self;
    int flatCapacity, leafCapacity;
    ctFlat *flats;
    ctLeaf *leaves;
    int formerCount, formerCapacity, formerFacet; // what was seen before it moved
    int *former;
    int passedCount, passedCapacity, sideCapacity, patience; // patience: choices in a row that have been the same
    int *passed;                                             // triangles left out: from behind (pairs/side.c)
    uint8_t *sides;                                          // scratch
    double watch;                                            // s: when another choice is due; infinite: never
    int turns;                                               // of a ball that rides, near this place ...
    ctVec3 turnPlace;                                        // ... in the terrain's frame (pairs/ride.c)
} ctTile;

// The rest of a body; the first cache line is what an impact needs.
typedef struct ctBodyInfo {
    _Alignas(CT_CACHE_LINE) uint32_t generation;
    int ordinal;  // position in world->order
    int shape;    // index into world->shapes
    int material; // index into world->materials
    ctTally tally;
    double still; // s, contact code: how long it has been at rest
    ctTile *tile; // owned: no body of the program's, but a tile; NULL for bodies

    double mass; // as given; 0 for immovable bodies
    char *name;  // owned; NULL when it has none
    ctMotionType motion;
    ctVec3 center; // centre of mass in the shape's frame
    ctInertia inertia;
    uint64_t userData;
    double reach; // m: no point of the body gets farther before the plan that it follows ends ...
    double pace;  // m/s: ... nor is faster; infinite: not known
    double surge; // m/s^2: ... nor accelerates more
    ctFilter filter;
    ctVec3 force, torque;         // N, N m: until the program changes them
    ctVec3 stepForce, stepTorque; // for the present frame alone
    ctVec3 pull;                  // m/s^2: of both forces; zero for immovable bodies
    ctDrive drive;                // of both torques, and drag
    ctVec3 surface, surfaceSpin;  // m/s, rad/s: how the surface moves in the body's own frame, a conveyor's belt
    ctPath *route;                // owned: the path of a kinematic body; NULL for most
    double stray;                 // m/s^2, on a path: for as long as bounds last, its acceleration differs by less
} ctBodyInfo;

_Static_assert(offsetof(ctBodyInfo, mass) == CT_CACHE_LINE, "what an impact needs is one line");

typedef enum ctPairKind {
    ct_pairBalls,     // two balls: exact roots
    ct_pairBallPlane, // a ball and a fixed plane: exact roots
    ct_pairGeneral,
} ctPairKind;

typedef enum ctPairState {
    ct_pairFree,
    ct_pairApart,
    ct_pairContact,
    ct_pairOutside, // b is a sensor, and a is not in it: scheduled as if it were solid
    ct_pairInside,  // a is in it: scheduled for when it may have left
} ctPairState;

// Two bodies whose boxes overlap. The broadphase lists the pairs of each body, with their indices as tags. Two balls
// that have not been about to meet since their boxes did are latent: they have no record yet, which spares a gas
// most of them.
typedef struct ctBodyPair {
    int a, b;      // body indices
    uint8_t kind;  // ctPairKind
    uint8_t state; // ctPairState
    int rattle;    // impacts since rattleTime
    double rattleTime;
    double microTime;    // s: of its last microcollision
    double distance;     // m: the gap at distanceTime (a lower bound of it for general pairs)
    double pathA, pathB; // the bodies' paths then
    int contact;         // contact code: its record of this pair, or -1
    int nextFree;
} ctBodyPair;

_Static_assert(sizeof(ctBodyPair) == CT_CACHE_LINE, "a pair is one line");

// One convex part of a against one of b, in the order leafA * leafCountB + leafB.
typedef struct ctLeafPair {
    ctGjkCache cache;
    ctVec3 normal; // unit, from b to a, at the last look; zero when there was none
} ctLeafPair;

// What general pairs carry besides; parallel to world->pairs.
typedef struct ctPairExtra {
    int leafCount, leafCapacity;
    ctLeafPair *leaves;
    int closest;     // the leaf pair that was closest at the last look
    int idle;        // looks in a row at which the two touched and nothing happened
    double pressing; // m/s^2: by microcollisions, see collide/microcollision.c
    ctTally tally;
    int64_t touched; // the report (world->reports) that last found the two in contact; 0: none
} ctPairExtra;

// What a shape was made from: the arguments of its constructor.
typedef enum ctRecipeKind {
    ct_recipeSphere,
    ct_recipeHollowSphere,
    ct_recipeBox,
    ct_recipeCylinder,
    ct_recipeCapsule,
    ct_recipeCone,
    ct_recipeEllipsoid,
    ct_recipePlane,
    ct_recipeHull,
    ct_recipeLathe,
    ct_recipeCompound,
    ct_recipeMesh,
    ct_recipeTrimesh,
    ct_recipeHeightfield,
    ct_recipeTrimeshObj,
} ctRecipeKind;

typedef struct ctRecipe {
    uint8_t kind; // ctRecipeKind
    int numberCount;
    double *numbers;
    int textLength;
    char *text; // of a mesh
    char *name; // of a mesh
} ctRecipe;

struct ctArchive;

typedef struct ctMaterial {
    char *name;
    ctCoefficients self;
    double density;
} ctMaterial;

typedef struct ctMaterialPair {
    ctCoefficients pair;
    bool isSet;
} ctMaterialPair;

// The second of the world that the audit of its energy is in.
typedef struct ctLedgerWatch {
    bool began;
    double since;        // s
    double turned;       // J: lost, done and exchanged since then, frame by frame
    double weight;       // J: the most that weights times radii of what is awake have been
    ctStats start, last; // the sums then, and at the end of the last frame
} ctLedgerWatch;

// Tallies outlive the pairs: a hash table by the two ids. a.index1 is 0 in an empty place.
typedef struct ctPairTally {
    ctBodyId a, b; // a.index1 < b.index1
    ctTally tally;
} ctPairTally;

// One place where two bodies touch.
typedef struct ctTouch {
    int pair;
    ctVec3 normal, point;
    uint32_t id; // breaks ties within a pair
    double gap;  // m, signed; read in microcollision mode
} ctTouch;

// The scratch memory of a sequence of impacts, kept between sequences.
typedef struct ctSequence {
    int touchCount, touchCapacity;
    ctTouch *touches;
    double *speeds; // approach speed of each touch, m/s
    int speedCapacity;
    int bodyCount, bodyCapacity;
    int *bodies;     // that take part: their pairs have been looked at
    uint8_t *member; // by body slot
    int memberCapacity;
    uint8_t *seen; // by pair slot
    int seenCapacity;
    int pairCount, pairCapacity;
    int *pairs; // that are marked in seen
    int poppedCount, poppedCapacity;
    int *popped; // pairs that waited for the same moment
    int reachedCount, reachedCapacity, markCapacity;
    int *reached;   // bodies that are connected with the first two by touches ...
    uint8_t *marks; // ... by body slot
    bool alone;     // impacts elsewhere are left to others
    double instant; // s: of the last sequence in this frame ...
    int repeats;    // ... and how many there have been at that time
    bool stuck;     // so many that it must come to an end
} ctSequence;

// The state of a body at some time.
typedef struct ctBodyState {
    ctVec3 x, v;
    ctQuat q;
    ctVec3 w;
} ctBodyState;
// What the contact code does where rooms below it must know: it sets these when the world is made.
typedef struct ctHooks {
    // Of a body that follows a plan: its state at a time before the end; and the plan ends now (ctRoll_StateAt,
    // ctRoll_Settle).
    ctBodyState (*plannedState)(const ctWorld *world, int body, double t);
    void (*endPlan)(ctWorld *world, int body);
    // A pair in contact is about to be removed (ctContact_End).
    void (*endContact)(ctWorld *world, int pair);
    // A pair in contact sees another part of a terrain (ctContact_FollowTile).
    void (*tileMoved)(ctWorld *world, int pair);
} ctHooks;

struct ctWorld {
    ctWorldDef def;
    double now;          // s: time of the event being handled; between steps, the world's time
    double frameBase;    // s: frames end at frameBase + k * def.frameTime
    int64_t frame;       // k of the frame's end
    double frameStart;   // s
    double frameEnd;     // s: equal to now between frames
    double tickStep;     // s: def.frameTime / ticks
    int ticks;           // micro-steps in a frame
    double boxTime;      // s: the least life of a box, and a short look at a pair: a frame, if that is not long
    double impactSpeed;  // m/s: CT_IMPACT_SPEED or 2 g h
    int64_t frameEvents; // in this frame, against the cap

    int shapeCount, shapeCapacity;
    ctShape **shapes;
    int recipeCapacity;
    ctRecipe *recipes; // parallel to shapes
    int materialCount, materialCapacity, materialPairCapacity;
    ctMaterial *materials;
    ctMaterialPair *materialPairs; // lower triangle: (a, b <= a) at a (a + 1) / 2 + b

    int bodySlots, bodyCapacity, infoCapacity, freeBody; // freeBody: head of the free list by body->island, or -1
    ctBody *bodies;
    ctBodyInfo *infos;
    int bodyCount, orderCapacity;
    int *order;                            // body indices by creation
    int terrainCount, tileSlots, freeTile; // freeTile: as freeBody, of slots that are kept for tiles

    ctBroadphase *broadphase;
    int pairSlots, pairCapacity, extraCapacity, freePair;
    int pairCount;
    ctBodyPair *pairs;
    ctPairExtra *extras;
    ctAgenda pairAgenda, boxAgenda;
    ctGas gas;
    int freshCount, freshCapacity;
    int *fresh;       // pairs begun since the last schedule
    bool outOfMemory; // set where a callback cannot report
    bool hadImpact;   // since the loop was entered
    bool stepping;    // a step is under way: callbacks may look, but change nothing
    ctSequence sequence;

    ctHooks hooks;
    struct ctContacts *contacts; // the contact code's own, see contact/contact_internal.h

    int impactCount, impactCapacity;
    ctImpact *impacts; // of the last step
    ctImpactFn *onImpact;
    void *onImpactContext;
    int contactCount, contactCapacity;
    ctContact *contactList; // filled by the contact code at the end of a step
    // api/touching.c: the pairs of contactList, once each; what came and went in the last step; reports so far.
    int touchingCount, touchingCapacity, beginCount, beginCapacity, endCount, endCapacity;
    ctTouchPair *touching, *begins, *ends;
    int64_t reports;
    bool contactsListed; // contactList has been made anew
    // pairs/sensors.c: events of the last step.
    int sensorEventCount, sensorEventCapacity, sensorEventsTold; // told: there at the end of the step
    ctSensorEvent *sensorEvents;
    bool pulled; // some body has had a force
    bool belted; // some body has a surface that moves
    bool pushed; // some body has one for the present frame
    ctFilterFn *filter;
    void *filterContext;
    bool filtered; // a filter function has decided about pairs
    // api/steer.c: the program's function inside steps, what of the step's lists it has been told, and its notes.
    ctSteerFn *steer;
    void *steerContext;
    bool steerAtImpacts, steering; // steering: the function runs
    int impactsTold, visitsTold;
    uint8_t *notes;
    int noteSize, noteCapacity;
    int pendingCapacity;
    ctPending *pending;
    int tallyCount, tallyCapacity;
    ctPairTally *tallies; // in the order in which they have come (state/tally.c)
    int tallyPlaces;
    uint32_t *tallyTable;
    int keptCount;
    ctPairTally kept[CT_KEPT_TALLIES]; // of pairs that have parted lately, not in the table yet

    ctStats stats; // counts and sums; the rest is computed on demand
    ctAudit audit; // what auditViolations of the statistics are made of
    ctLedgerWatch ledger;
    bool profiling;
};

// ---- bodies (state/body.c) --------------------------------------------------------------------------

// That at a time no earlier than body->t, without changing the body.
ctBodyState ctBody_StateAt(const ctWorld *world, const ctBody *body, double t);
// Flies a body to world->now.
void ctBody_Advance(ctWorld *world, int index);
// Whether the forces of contacts move the body; whether it follows a plan, so that only hooks.plannedState knows where
// it is.
static inline bool ctBody_IsInContact(const ctBody *body)
{
    return body->mode == ct_modeContact || body->mode == ct_modeStruck || body->mode == ct_modePlanned;
}
static inline bool ctBody_IsStruck(const ctBody *body)
{
    return body->mode == ct_modeStruck;
}
static inline bool ctBody_IsPlanned(const ctBody *body)
{
    return body->mode == ct_modePlanned;
}
// How long the present motion of a body in contact lasts, s: a step at least and a frame at most.
double ctBody_TimeLeft(const ctWorld *world, const ctBody *body);
// When a body in contact takes another course, at the next step of its island, s; infinite for others.
static inline double ctBody_CourseEnd(const ctBody *body)
{
    return ctBody_IsInContact(body) ? body->courseEnd : (double)INFINITY;
}
// Recomputes wMax and alphaMax from mode, w and alpha.
void ctBody_UpdateBounds(ctWorld *world, int index);
// The motion at body->t, for collision/toi.h.
ctMotion ctBody_Motion(const ctWorld *world, const ctBody *body);
// The same without what is known about the turning of bodies in flight.
ctMotion ctBody_PlainMotion(const ctWorld *world, const ctBody *body);
// The pose of the shape's frame at body->t.
ctPose ctBody_Pose(const ctWorld *world, const ctBody *body);
// Velocity of the body's point at a world position.
static inline ctVec3 ctBody_PointVelocity(const ctBody *body, ctVec3 point)
{
    return ctVelocityAt(body->v, body->w, ctSub(point, body->x));
}
static inline bool ctBody_IsMovable(const ctBody *body)
{
    return body->invMass > 0.0;
}
// The size that tolerances of two bodies scale with, m: the smaller radius. Where one is a plane, it is b.
static inline double ctBodies_Size(const ctBody *a, const ctBody *b)
{
    return b->plane || a->radius < b->radius ? a->radius : b->radius;
}
// No point of the body moves faster than this at body->t, m/s; no point of one relative to the other.
static inline double ctBody_SpeedBound(const ctBody *body)
{
    return ctLength(body->v) + body->wMax * body->radius;
}
static inline double ctBodies_SpeedBound(const ctBody *a, const ctBody *b)
{
    return ctDistance(a->v, b->v) + a->wMax * a->radius + b->wMax * b->radius;
}
// The velocity of a relative to b at a point, m/s; how fast they approach there along the normal, from b to a.
static inline ctVec3 ctBodies_VelocityAt(const ctBody *a, const ctBody *b, ctVec3 point)
{
    return ctSub(ctBody_PointVelocity(a, point), ctBody_PointVelocity(b, point));
}
static inline double ctBodies_Approach(const ctBody *a, const ctBody *b, ctVec3 normal, ctVec3 point)
{
    return -ctDot(normal, ctBodies_VelocityAt(a, b, point));
}
// The acceleration of a dynamic body by gravity and by the forces on it; with drag, when it moves at v.
static inline ctVec3 ctBody_Pull(const ctWorld *world, int index)
{
    return world->pulled ? ctAdd(world->def.gravity, world->infos[index].pull) : world->def.gravity;
}
ctVec3 ctBody_FreeAcceleration(const ctWorld *world, int index);
// Puts a kinematic body where its path is at world->now.
void ctBody_FollowRoute(ctWorld *world, int index);
// Whether a kinematic body on a path will move before its bounds are renewed.
static inline bool ctBody_WillMove(const ctWorld *world, int index)
{
    return world->bodies[index].driven && world->infos[index].stray + world->bodies[index].wMax > 0.0;
}
// What a drive does besides the pull to a body in contact for dt, to velocities as they are without contacts.
void ctBody_ApplyDrive(const ctWorld *world, int index, ctMat3 inverseInertia, double dt, ctVec3 *v, ctVec3 *w);
// The work of torque and drag on a body in flight from body->t to a later state, J.
double ctBody_DriveWork(const ctWorld *world, int index, const ctBodyState *later);
// By no more than this, m/s^2, the acceleration of a body differs from body->a until its bounds are renewed.
double ctBody_Stray(const ctWorld *world, const ctBody *body);
// The velocity of a surface that moves in its body, world frame: as if the body did, about its centre of mass. Zero for
// most. Contacts feel it across their normals only.
static inline bool ctBody_HasBelt(const ctWorld *world, int index)
{
    const ctBodyInfo *info = &world->infos[index];
    return world->belted && ctLengthSquared(info->surface) + ctLengthSquared(info->surfaceSpin) > 0.0;
}
void ctBody_AddBelt(const ctWorld *world, int index, ctVec3 *v, ctVec3 *w);
// At a world point; the same without its part along a normal.
ctVec3 ctBody_BeltAt(const ctWorld *world, int index, ctVec3 point);
ctVec3 ctBody_BeltAcross(const ctWorld *world, int index, ctVec3 point, ctVec3 n);
// The body begins to do something else. Which changes there are is listed in state/body.c, and asserted.
void ctBody_SetMode(ctBody *body, ctBodyMode mode);
// R I^-1 R^T, zero for immovable bodies.
ctMat3 ctBody_InverseInertia(const ctWorld *world, const ctBody *body);
// The body as the solver takes it.
ctSolverBody ctBody_ForSolver(const ctWorld *world, const ctBody *body);
// v += J / m, w += I^-1 (point - x) x J. The caller announces the changed course.
void ctBody_Push(ctWorld *world, int index, ctVec3 impulse, ctVec3 point);
static inline int ctBody_Index(const ctWorld *world, const ctBody *body)
{
    return (int)(body - world->bodies);
}
// The index behind an id, or -1 when it is null or stale.
int ctBody_Resolve(const ctWorld *world, ctBodyId id);
ctBodyId ctBody_IdOf(const ctWorld *world, int index);
// The body itself, or the terrain behind a tile.
static inline int ctBody_Owner(const ctWorld *world, int index)
{
    const ctTile *tile = world->infos[index].tile;
    return tile != NULL ? tile->terrain : index;
}
const ctShape *ctBody_Shape(const ctWorld *world, int index);
// Works out the half-space of a body that is a plane.
void ctBody_UpdatePlane(ctWorld *world, int body);

// ---- shapes (state/shapes.c) ------------------------------------------------------------------

void ctRecipe_Free(ctRecipe *recipe);
void ctRecipe_Archive(struct ctArchive *ar, ctRecipe *recipe); // written, or read with memory of its own
bool ctRecipe_Equal(const ctRecipe *a, const ctRecipe *b);
ctShapeId ctRecipe_Make(ctWorld *world, const ctRecipe *recipe, ctError *error);

// ---- time, and the world as a whole (state/world.c) ---------------------------------------------------

// Whether a time is after now by more than rounding.
static inline bool ctIsLater(double time, double now)
{
    return time > now + 4e-16 * (now + 1.0);
}

// False, with an error, while a step is under way: every public call that changes the world asks first.
bool ctWorld_MayChange(const ctWorld *world, ctError *error);
// The first t >= 0 with gap + u t + a t^2 / 2 = 0 on the way down, INFINITY when there is none. A gap
// that is not positive counts as zero.
static inline double ctFirstRoot(double gap, double u, double a)
{
    gap = gap > 0.0 ? gap : 0.0;
    if (a < 0.0) {
        double s = sqrt(u * u - 2.0 * a * gap);
        return u < 0.0 ? 2.0 * gap / (s - u) : (u + s) / -a;
    }
    if (u >= 0.0) {
        return INFINITY;
    }
    double disc = u * u - 2.0 * a * gap;
    return disc < 0.0 ? (double)INFINITY : 2.0 * gap / (sqrt(disc) - u);
}

// Events that a frame may have; beyond, it ends without motion.
int64_t ctWorld_EventLimit(const ctWorld *world);
// Counts a violation of two bodies (by index; -1: of no one body), unless ok is true.
void ctWorld_Audit(ctWorld *world, bool ok, ctAuditKind kind, int a, int b);
// The same for an impulse, by the flags of ctCheckPermissible.
void ctWorld_AuditImpulse(ctWorld *world, unsigned flags, int a, int b);
// The sums of the energy at the end of a frame (state/ledger.c).
void ctWorld_AuditLedger(ctWorld *world);

// ---- sums (state/stats.c, state/tally.c) ------------------------------------------------------------------

// What a part of the work has counted and added up comes to the whole; with what its audit has found.
void ctStats_Add(ctStats *sum, const ctStats *part);
void ctWorld_AddSums(ctWorld *world, const ctStats *stats, const ctAudit *audit);
// Every gap that is measured passes here: the deepest overlap, and the audit of it.
void ctWorld_SeeGap(ctWorld *world, int a, int b, double gap);
// Keeps what a pair has added up, before the pair goes.
void ctTally_Keep(ctWorld *world, int pair);
// The sums of two that have no pair, or no longer.
void ctTally_Put(ctWorld *world, ctBodyId a, ctBodyId b, int64_t impacts, double impulse, double energyLost);
bool ctTally_Add(ctWorld *world, const ctPairTally *tally); // false when memory is short
bool ctTally_Merge(ctWorld *world);                         // takes those that have been kept into the table
// Adds what has been kept of two bodies to *sum.
void ctTally_Collect(const ctWorld *world, ctBodyId a, ctBodyId b, ctTally *sum);

#endif
