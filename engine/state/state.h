// The data of a world, and the interface between the parts that use it: the event loop (loop/loop.c), the pairs
// (pairs/pairs.c), impacts (collide/sequence.c, collide/response.c), and sustained contact (contact/).
//
// Bodies are in two parallel arrays by index: ctBody, what the loop needs at every event, and ctBodyInfo, the rest. An
// index is stable for the life of a body; public ids add a generation.
//
// TIME. Every body has a time of its own, body->t, and is advanced only when something needs its state
// (ctBody_Advance). world->now is the time of the event being handled. From body->t on the centre of mass moves as
//     x(t) = x + v s + a s^2 / 2,       s = t - body->t,
// and the body turns, by mode:
//   flying      torque-free (ctFly); a is gravity
//   gas         as flying
//   contact     w(t) = w + alpha s, until the next step of its island
//   struck      as in contact
//   planned     by equations of motion that have been solved ahead. Nothing may read its motion before the body has
//               been advanced, which ends the plan
//   asleep      not at all: v = a = w = alpha = 0
//   fixed       not at all
//   kinematic   at constant w; a = 0
// So the bounds of ctMotion hold in every mode, and one code finds times of impact for all.
//
// EVENTS, earliest first; at equal times pairs, then boxes, then the tick:
//   a pair      world->pairAgenda by pair index: the time before which the two cannot touch
//   a box       world->boxAgenda by body index: the body may leave its broadphase box. For a ball of the gas
//   (gas/gas.c):
//               it leaves its cell, or meets another ball
//   the tick    ctContact_NextTick: an island of bodies in contact is due. That is at least at every multiple of
//               their step (ctWorld_StepOf), wherever frames end, except for bodies that rest, move steadily or follow
//               a plan
//
// PAIRS. The broadphase makes one ctBodyPair for each two bodies whose boxes overlap, except for two balls of the gas.
// If one of the two is a plane or immovable, it is b. Normals point from b to a everywhere. A pair is
//   apart       in pairAgenda (or not, if its time is infinite)
//   contact     owned by the contact code (ctContact_Begin), and never in pairAgenda. The loop asks the contact code
//   for
//               points (ctContact_Points) when an impact on one of the bodies propagates. It ends the contact
//               (ctContact_End) when the boxes separate or a body is destroyed. The contact code gives the pair back
//               (ctPair_Release) when the bodies separate
// Code that changes v, w, a, alpha or the pose of a body (at body->t == world->now) then calls ctWorld_CourseChanged
// for it once: bounds, box and pairs are renewed there.
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
#include <string.h>

typedef enum ctBodyMode {
    ct_modeFree, // an unused slot
    ct_modeFlying,
    ct_modeContact,
    ct_modePlanned, // in contact, and follows a plan (contact/plan)
    ct_modeAsleep,
    ct_modeFixed,
    ct_modeKinematic,
    ct_modeStruck, // in contact; an impact or the program has changed its motion since the last step
    ct_modeGas,    // flying, as a member of the gas (gas/gas.c)
} ctBodyMode;

// What every event needs of a body. The first two cache lines are what times of impact of balls need; the third is the
// rotation.
typedef struct ctBody {
    _Alignas(CT_CACHE_LINE) double t; // s: the time of the state below
    ctVec3 x, v;                      // centre of mass
    double radius;                    // m: of the ball about the centre of mass that holds the shape

    ctVec3 a;          // of the centre of mass
    double invMass;    // 1/kg; 0: immovable
    double invInertia; // 1/(kg m^2), ball only: the inverse moment about any axis
    ctBodyMode mode : 8;
    bool sensor;      // touches nothing
    bool choosy;      // has a collision filter of its own
    bool pending;     // its course is about to be announced, and its pairs get new times then
    bool driven;      // by a torque, drag or a path: its flight is neither a parabola nor torque-free
    bool ball;        // the shape is a sphere about the centre of mass: exact times, no GJK
    bool plane;       // the shape is a plane
    bool terrain;     // the shape is a terrain, which others meet through tiles
    int contactPairs; // how many of its pairs are in contact
    int island;       // of the contact code: its island, or -1
    double wMax;      // bound of |w| from here on, for ctMotion

    ctQuat q;    // shape frame to world
    ctVec3 w;    // rad/s
    double path; // m: a bound of the distance that any point of the body has travelled since its creation

    ctBox box;        // of this body in the broadphase
    double alphaMax;  // bound of |dw/dt| from here on
    ctVec3 alpha;     // rad/s^2, contact mode
    double microTime; // s: of its last microcollision
    ctVec3 normal;    // of a plane, which never moves: the half-space n.x <= offset, world frame
    double offset;
    double courseEnd; // s, in contact: when its island takes the next step
} ctBody;

_Static_assert(sizeof(ctBody) == 5 * CT_CACHE_LINE, "a body is five lines");

// The part of a terrain that one body sees until its box is renewed (pairs/tile.c): a plane, or some triangles as a
// compound.
typedef struct ctTile {
    int terrain, body; // indices: the terrain, and the body that sees it
    ctBox box;         // in the terrain's frame: everything in it is seen
    int facet;   // >= 0: the tile is the plane of this facet; -1: a compound; one beyond the last: nothing is there
    bool flat;   // all that is seen is one facet, and the terrain goes on beyond it
    int ride;    // the triangle that a ball in contact rolls on, and whose plane it sees (pairs/ride.c); -1: none
    bool front;  // of a plane: whether its normal is the facet's
    bool failed; // memory was short when the tile was filled
    int count, capacity;
    int *triangles; // by ascending number, except where a ball rides; parallel to the leaves of a compound
    ctShape shape;
    ctLeaf self;
    int flatCapacity, leafCapacity;
    ctFlat *flats;
    ctLeaf *leaves;
    int formerCount, formerCapacity, formerFacet; // what was seen before the tile moved
    int *former;
    int passedCount, passedCapacity, sideCapacity, patience; // patience: how many choices in a row have been the same
    int *passed;      // triangles that the body passes from behind (pairs/side.c)
    uint8_t *sides;   // scratch
    double watch;     // s: when another choice is due; infinite: never
    int turns;        // of a ball that rides, near this place ...
    ctVec3 turnPlace; // ... in the terrain's frame (pairs/ride.c)
} ctTile;

// The rest of a body; the first cache line is what an impact needs.
typedef struct ctBodyInfo {
    _Alignas(CT_CACHE_LINE) uint32_t generation;
    int ordinal;  // position in world->order
    int shape;    // index into world->shapes
    int material; // index into world->materials
    ctTally tally;
    double still; // s, of the contact code: how long it has been at rest
    ctTile *tile; // owned: set when this slot is a tile and no body of the program; NULL for bodies

    double mass; // as given; 0 for immovable bodies
    char *name;  // owned; NULL when it has none
    ctMotionType motion;
    ctVec3 center; // centre of mass in the shape's frame
    ctInertia inertia;
    uint64_t userData;
    double reach; // m: no point of the body moves farther before its plan ends ...
    double pace;  // m/s: ... nor is faster; infinite: not known
    double surge; // m/s^2: ... nor has a larger acceleration
    ctFilter filter;
    ctVec3 force, torque;         // N, N m: until the program changes them
    ctVec3 stepForce, stepTorque; // for the present frame only
    ctVec3 pull;                  // m/s^2: acceleration by both forces; zero for immovable bodies
    ctDrive drive;                // both torques, and drag
    ctVec3 surface, surfaceSpin;  // m/s, rad/s: motion of the surface in the body's frame, as of a conveyor belt
    ctPath *route;                // owned: the path of a kinematic body; NULL for most
    double stray;                 // m/s^2, on a path: a bound of the change of acceleration while bounds last
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
    ct_pairOutside, // b is a sensor, and a is outside: scheduled as if b were solid
    ct_pairInside,  // a is inside: scheduled for the time at which it may have left
} ctPairState;

// Two bodies whose boxes overlap. The broadphase lists the pairs of each body, with their indices as tags. A pair of
// balls that has not been about to meet since its boxes overlap is latent: it has no record yet. A gas is thus spared
// most of its records.
typedef struct ctBodyPair {
    int a, b;            // body indices
    uint8_t kind;        // ctPairKind
    uint8_t state;       // ctPairState
    int rattle;          // impacts since rattleTime
    double rattleTime;   // s; of a visitor to a sensor: it has been in, or out, from then on at least
    double microTime;    // s: time of its last microcollision
    double distance;     // m: the gap at distanceTime; a lower bound of it for general pairs
    double pathA, pathB; // m: the bodies' path at distanceTime
    int contact;         // of the contact code: its record of this pair, or -1
    int nextFree;
} ctBodyPair;

_Static_assert(sizeof(ctBodyPair) == CT_CACHE_LINE, "a pair is one line");

// One convex part of a with one of b, in the order leafA * leafCountB + leafB.
typedef struct ctLeafPair {
    ctGjkCache cache;
    ctVec3 normal; // unit, from b to a, at the last look; zero before the first
} ctLeafPair;

// The rest of a general pair; parallel to world->pairs.
typedef struct ctPairExtra {
    int leafCount;
    ctLeafPair *leaves; // owned, or one of world->leafBlocks
    int closest;        // the leaf pair that was closest at the last look
    int idle;           // looks in a row at which the two touched and nothing happened
    double pressing;    // m/s^2: see collide/microcollision.c
    double apart;       // s: where the motion has separated them, they are certain not to touch before
    ctTally tally;
    int64_t touched; // the report (world->reports) that last listed the two as touching; 0: none
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

// The current second of the energy audit.
typedef struct ctLedgerWatch {
    bool began;
    double since;        // s
    double turned;       // J: energy lost, done as work and exchanged since then, frame by frame
    double weight;       // J: the largest sum of weight times radius over the bodies awake
    ctStats start, last; // the sums at the start, and at the end of the last frame
} ctLedgerWatch;

// Sums of a pair of bodies outlive the pair: a hash table by the two ids. a.index1 is 0 in an empty place.
typedef struct ctPairTally {
    ctBodyId a, b; // a.index1 < b.index1
    ctTally tally;
} ctPairTally;

// One place where two bodies touch.
typedef struct ctTouch {
    int pair;
    ctVec3 normal, point;
    uint32_t id; // breaks ties within a pair
    double gap;  // m, signed; used in microcollision mode
} ctTouch;

// Scratch memory of a sequence of impacts, kept between sequences.
typedef struct ctSequence {
    // places that strike together, found before (collide/face.c)
    struct ctFace *faces;
    int touchCount, touchCapacity;
    ctTouch *touches;
    double *speeds; // approach speed of each touch, m/s
    int speedCapacity;
    int bodyCount, bodyCapacity;
    int *bodies;     // the bodies that take part: their pairs have been looked at
    uint8_t *member; // by body slot
    int memberCapacity;
    uint8_t *seen; // by pair slot
    int seenCapacity;
    int pairCount, pairCapacity;
    int *pairs; // the pairs that are marked in seen
    int poppedCount, poppedCapacity;
    int *popped; // pairs with an event at the same time
    int reachedCount, reachedCapacity, markCapacity;
    int *reached;   // bodies connected with the first two by touches ...
    uint8_t *marks; // ... by body slot
    bool alone;     // impacts elsewhere are left to other sequences
    double instant; // s: time of the last sequence in this frame ...
    int repeats;    // ... and how many there have been at that time
    bool stuck;     // too many: the sequence must come to an end
} ctSequence;

// The state of a body at some time.
typedef struct ctBodyState {
    ctVec3 x, v;
    ctQuat q;
    ctVec3 w;
} ctBodyState;
// Calls from this room and the rooms between up into the contact code, which sets these when the world is made.
typedef struct ctHooks {
    // For a body on a plan: its state at a time before the plan's end (ctRoll_StateAt); ends the plan now
    // (ctRoll_Settle).
    ctBodyState (*plannedState)(const ctWorld *world, int body, double t);
    void (*endPlan)(ctWorld *world, int body);
    // A pair in contact is about to be removed (ctContact_End).
    void (*endContact)(ctWorld *world, int pair);
    // A pair in contact now sees another part of a terrain (ctContact_FollowTile).
    void (*tileMoved)(ctWorld *world, int pair);
    // Adds the work of contacts since the last steps of their islands to the sums (ctContact_AddOpen).
    void (*addOpenWork)(const ctWorld *world, ctStats *stats);
    // Corrects the state of a body in contact, which moves in a step of a pile, to what is seen (ctPile_SeeMember).
    void (*seeMember)(const ctWorld *world, int body, ctBodyState *state);
} ctHooks;

struct ctWorld {
    ctWorldDef def;
    double now;          // s: time of the event being handled; between steps, the world's time
    double frameBase;    // s: frame k ends at frameBase + k * def.frameTime
    int64_t frame;       // k of the present frame
    double frameEnd;     // s: equal to now between frames
    double gravity;      // m/s^2: magnitude of gravity; that on earth in a weightless world
    int64_t frameEvents; // events of this frame, for the cap

    int shapeCount, shapeCapacity;
    ctShape **shapes;
    int recipeCapacity;
    ctRecipe *recipes; // parallel to shapes
    int materialCount, materialCapacity, materialPairCapacity;
    ctMaterial *materials;
    ctMaterialPair *materialPairs; // lower triangle: (a, b <= a) at a (a + 1) / 2 + b

    // freeBody: head of the free list, linked by body->island; -1: empty
    int bodySlots, bodyCapacity, infoCapacity, freeBody;
    ctBody *bodies;
    ctBodyInfo *infos;
    int bodyCount, orderCapacity;
    int *order;                            // body indices by creation
    int terrainCount, tileSlots, freeTile; // freeTile: the same for slots of tiles

    ctBroadphase *broadphase;
    int pairSlots, pairCapacity, extraCapacity, freePair;
    int pairCount;
    ctBodyPair *pairs;
    ctPairExtra *extras;
    struct ctLeafBlock *leafBlocks; // the leaves of pairs that have one
    ctLeafPair *freeLeaf;           // the first of these that no pair has; the next one's address is in its memory
    ctAgenda pairAgenda, boxAgenda;
    ctGas gas;
    int freshCount, freshCapacity;
    int *fresh;       // pairs begun since the last schedule
    bool outOfMemory; // set in callbacks that cannot report it
    bool stepping;    // a step runs: callbacks may read, but not change the world
    ctSequence sequence;

    ctHooks hooks;
    struct ctContacts *contacts; // the data of the contact code: contact/contact_internal.h

    int impactCount, impactCapacity;
    ctImpact *impacts; // of the last step
    ctImpactFn *onImpact;
    void *onImpactContext;
    int contactCount, contactCapacity;
    ctContact *contactList; // filled by the contact code at the end of a step
    // api/touching.c: the pairs of contactList, once each; those that began and ended in the last step; the number of
    // reports so far.
    int touchingCount, touchingCapacity, beginCount, beginCapacity, endCount, endCapacity;
    ctTouchPair *touching, *begins, *ends;
    int64_t reports;
    bool contactsListed; // contactList has been filled in this step
    // pairs/sensors.c: events of the last step.
    int sensorEventCount, sensorEventCapacity, sensorEventsTold; // told: how many the program has been told
    ctSensorEvent *sensorEvents;
    bool pulled; // some body has or had a force
    bool belted; // some body has a surface that moves
    bool pushed; // some body has a force for the present frame
    ctFilterFn *filter;
    void *filterContext;
    bool filtered; // a filter function has decided about some pair
    // api/steer.c: the program's function inside steps, how much of the step's lists it has been told, and its notes.
    ctSteerFn *steer;
    void *steerContext;
    bool steerAtImpacts, steering; // steering: the function is running
    int impactsTold, visitsTold;
    uint8_t *notes;
    int noteSize, noteCapacity;
    int pendingCapacity;
    ctPending *pending;
    int tallyCount, tallyCapacity;
    ctPairTally *tallies; // in order of first impact (state/tally.c)
    int tallyPlaces;
    uint32_t *tallyTable;
    int keptCount;
    ctPairTally kept[CT_KEPT_TALLIES]; // of pairs that have separated lately, not in the table yet

    ctStats stats; // counts and sums; the other statistics are computed on demand
    ctAudit audit; // the details of stats.auditViolations
    ctLedgerWatch ledger;
    bool profiling;
};

// The time and the speed of a fall by a length (m). All times and speeds that matter to contacts are shares of these,
// so that a world moves the same at every size (lengths s, times sqrt(s), with the same gravity).
static inline double ctWorld_FallTime(const ctWorld *world, double length)
{
    return sqrt(length / world->gravity);
}
static inline double ctWorld_FallSpeed(const ctWorld *world, double length)
{
    return sqrt(length * world->gravity);
}
// The regular step of contact for bodies of a size (m), s: the longest power of two of the common step that is no
// longer than a share of such a fall. So the steps of bodies of any size end together, and with the usual frames.
static inline double ctWorld_StepOf(const ctWorld *world, double size)
{
    double steps = CT_FALL_PER_STEP / CT_COMMON_STEP * ctWorld_FallTime(world, size);
    uint64_t bits;
    memcpy(&bits, &steps, sizeof bits);
    bits &= UINT64_MAX << 52; // the power of two alone
    memcpy(&steps, &bits, sizeof bits);
    return CT_COMMON_STEP * steps;
}

// The time at which a frame ends, s. Ends that are the same time at several frame rates, but for rounding, are exactly
// the same.
static inline double ctWorld_EndOfFrame(const ctWorld *world, int64_t frame)
{
    double end = world->frameBase + (double)frame * world->def.frameTime;
    double regular = floor(end / CT_COMMON_STEP + 0.5) * CT_COMMON_STEP;
    return fabs(end - regular) <= 1e-9 * ctFmin(world->def.frameTime, CT_COMMON_STEP) ? regular : end;
}

// ---- bodies (state/body.c) --------------------------------------------------------------------------

// The state at a time no earlier than body->t; the body does not change.
ctBodyState ctBody_StateAt(const ctWorld *world, const ctBody *body, double t);
// The present state as the program sees it.
ctBodyState ctBody_SeenState(const ctWorld *world, int body);
// Advances a body to world->now.
void ctBody_Advance(ctWorld *world, int index);
// Whether the body is a member of the gas; whether it flies, as a member or not.
static inline bool ctBody_IsInGas(const ctBody *body)
{
    return body->mode == ct_modeGas;
}

static inline bool ctBody_IsFlying(const ctBody *body)
{
    return body->mode == ct_modeFlying || body->mode == ct_modeGas;
}

// Whether forces of contacts move the body; whether it follows a plan, so that its state is known to hooks.plannedState
// only.
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
// When a body in contact changes its course, at the next step of its island, s; infinite for others.
static inline double ctBody_CourseEnd(const ctBody *body)
{
    return ctBody_IsInContact(body) ? body->courseEnd : (double)INFINITY;
}
// Computes wMax and alphaMax from mode, w and alpha.
void ctBody_UpdateBounds(ctWorld *world, int index);
// The motion at body->t, for collision/toi.h.
ctMotion ctBody_Motion(const ctWorld *world, const ctBody *body);
// The same without the details of torque-free rotation: bounds only.
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
// The length that tolerances of a pair scale with, m: the smaller radius. If one of the two is a plane, it is b.
static inline double ctBodies_Size(const ctBody *a, const ctBody *b)
{
    return b->plane || a->radius < b->radius ? a->radius : b->radius;
}
// The size of a body that sets its regular step, m; that step, and the step of two bodies, s.
static inline double ctBody_StepSize(const ctBody *body)
{
    return body->ball ? CT_BALL_SIZE * body->radius : body->radius;
}
static inline double ctBody_Step(const ctWorld *world, const ctBody *body)
{
    return ctWorld_StepOf(world, ctBody_StepSize(body));
}
static inline double ctBodies_Step(const ctWorld *world, const ctBody *a, const ctBody *b)
{
    double sizeA = ctBody_StepSize(a), sizeB = ctBody_StepSize(b);
    return ctWorld_StepOf(world, b->plane || sizeA < sizeB ? sizeA : sizeB);
}
// The least life of a body's box, s; the horizon of a short look at two bodies. It is shorter where a body is driven:
// its bounds widen with the time for which they hold.
static inline double ctBody_BoxTime(const ctWorld *world, const ctBody *body)
{
    return (body->driven ? CT_DRIVEN_STEPS : CT_BOX_STEPS) * ctBody_Step(world, body);
}
static inline double ctBodies_BoxTime(const ctWorld *world, const ctBody *a, const ctBody *b)
{
    return (a->driven || b->driven ? CT_DRIVEN_STEPS : CT_BOX_STEPS) * ctBodies_Step(world, a, b);
}
// A bound of the speed of any point of the body at body->t, m/s; of any point of a relative to any of b.
static inline double ctBody_SpeedBound(const ctBody *body)
{
    return ctLength(body->v) + body->wMax * body->radius;
}
// What turning adds to that now, at an orientation and a spin (world frame), m/s: the speed of a corner of the shape's
// box. Solids of revolution that turn about their axis stay where they are, and balls however they turn.
double ctBody_RimSpeed(const ctWorld *world, int index, ctQuat q, ctVec3 w);
static inline double ctBodies_SpeedBound(const ctBody *a, const ctBody *b)
{
    return ctDistance(a->v, b->v) + a->wMax * a->radius + b->wMax * b->radius;
}
// The velocity of a relative to b at a point, m/s; the speed of approach there along the normal, which points from b to
// a.
static inline ctVec3 ctBodies_VelocityAt(const ctBody *a, const ctBody *b, ctVec3 point)
{
    return ctSub(ctBody_PointVelocity(a, point), ctBody_PointVelocity(b, point));
}
static inline double ctBodies_Approach(const ctBody *a, const ctBody *b, ctVec3 normal, ctVec3 point)
{
    return -ctDot(normal, ctBodies_VelocityAt(a, b, point));
}
// The acceleration of a dynamic body by gravity and by its forces; the same with drag at velocity v.
static inline ctVec3 ctBody_Pull(const ctWorld *world, int index)
{
    return world->pulled ? ctAdd(world->def.gravity, world->infos[index].pull) : world->def.gravity;
}
// The greater of the two accelerations by gravity and forces, m/s^2.
static inline double ctBodies_Pull(const ctWorld *world, int a, int b)
{
    double pull = ctLength(ctBody_Pull(world, a));
    return world->pulled ? ctFmax(pull, ctLength(ctBody_Pull(world, b))) : pull;
}
ctVec3 ctBody_FreeAcceleration(const ctWorld *world, int index);
// Whether a body follows a path.
static inline bool ctBody_HasRoute(const ctBody *body)
{
    return body->driven && body->mode == ct_modeKinematic;
}
// Moves a kinematic body to the pose of its path at world->now.
void ctBody_FollowRoute(ctWorld *world, int index);
// Whether a kinematic body on a path may move before its bounds are renewed.
static inline bool ctBody_WillMove(const ctWorld *world, int index)
{
    return world->bodies[index].driven && world->infos[index].stray + world->bodies[index].wMax > 0.0;
}
// Adds what torque and drag do in dt to the velocities that a body in contact would have without contacts.
void ctBody_ApplyDrive(const ctWorld *world, int index, ctMat3 inverseInertia, double dt, ctVec3 *v, ctVec3 *w);
// The work of torque and drag on a body in flight from body->t to a later state, J.
double ctBody_DriveWork(const ctWorld *world, int index, const ctBodyState *later);
// A bound, m/s^2, of the difference between the body's acceleration and body->a until its bounds are renewed.
double ctBody_Stray(const ctWorld *world, const ctBody *body);
// The velocity of a surface that moves in its body (a belt), world frame: a rigid motion about the centre of mass. It
// is zero for most bodies. Contacts feel only the part across their normals.
static inline bool ctBody_HasBelt(const ctWorld *world, int index)
{
    const ctBodyInfo *info = &world->infos[index];
    return world->belted && ctLengthSquared(info->surface) + ctLengthSquared(info->surfaceSpin) > 0.0;
}
void ctBody_AddBelt(const ctWorld *world, int index, ctVec3 *v, ctVec3 *w);
// The velocity of the belt at a world point; its part along a normal; the rest of it.
ctVec3 ctBody_BeltAt(const ctWorld *world, int index, ctVec3 point);
double ctBody_BeltAlong(const ctWorld *world, int index, ctVec3 point, ctVec3 n);
ctVec3 ctBody_BeltAcross(const ctWorld *world, int index, ctVec3 point, ctVec3 n);
// Changes the mode of a body. The changes that are allowed are a table in state/body.c, and asserted.
void ctBody_SetMode(ctBody *body, ctBodyMode mode);
// R I^-1 R^T, zero for immovable bodies.
ctMat3 ctBody_InverseInertia(const ctWorld *world, const ctBody *body);
// The body in the form of the solver.
ctSolverBody ctBody_ForSolver(const ctWorld *world, const ctBody *body);
// Applies an impulse: v += J / m, w += I^-1 (point - x) x J. The caller announces the changed course.
void ctBody_Push(ctWorld *world, int index, ctVec3 impulse, ctVec3 point);
static inline int ctBody_Index(const ctWorld *world, const ctBody *body)
{
    return (int)(body - world->bodies);
}
// The index behind an id, or -1 when it is null or stale.
int ctBody_Resolve(const ctWorld *world, ctBodyId id);
ctBodyId ctBody_IdOf(const ctWorld *world, int index);
// The body itself; for a tile its terrain.
static inline int ctBody_Owner(const ctWorld *world, int index)
{
    const ctTile *tile = world->infos[index].tile;
    return tile != NULL ? tile->terrain : index;
}
const ctShape *ctBody_Shape(const ctWorld *world, int index);
// Computes the half-space of a body that is a plane.
void ctBody_UpdatePlane(ctWorld *world, int body);

// ---- shapes (state/shapes.c) ------------------------------------------------------------------

void ctRecipe_Free(ctRecipe *recipe);
void ctRecipe_Archive(struct ctArchive *ar, ctRecipe *recipe); // writes a recipe, or reads it into memory of its own
bool ctRecipe_Equal(const ctRecipe *a, const ctRecipe *b);
ctShapeId ctRecipe_Make(ctWorld *world, const ctRecipe *recipe, ctError *error);

// ---- time, and the world as a whole (state/world.c) ---------------------------------------------------

// Whether a time is after now by more than rounding.
static inline bool ctIsLater(double time, double now)
{
    return time > now + 4e-16 * (now + 1.0);
}

// False, with an error, while a step is running. Every public call that changes the world asks first.
bool ctWorld_MayChange(const ctWorld *world, ctError *error);
// The first t >= 0 at which gap + u t + a t^2 / 2 = 0 while falling; INFINITY when there is none. A negative gap counts
// as zero.
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

// The largest number of events in a frame; after them the frame ends without motion.
int64_t ctWorld_EventLimit(const ctWorld *world);
// Counts a violation by two bodies (indices; -1: by no body in particular), unless ok is true.
void ctWorld_Audit(ctWorld *world, bool ok, ctAuditKind kind, int a, int b);
// The same for an impulse, by the flags of ctCheckPermissible.
void ctWorld_AuditImpulse(ctWorld *world, unsigned flags, int a, int b);
// Audits the sums of energy at the end of a frame (state/ledger.c).
void ctWorld_AuditLedger(ctWorld *world);

// ---- sums (state/stats.c, state/tally.c) ------------------------------------------------------------------

// Adds the counts, sums and audit of a part of the work to the whole.
void ctStats_Add(ctStats *sum, const ctStats *part);
void ctWorld_AddSums(ctWorld *world, const ctStats *stats, const ctAudit *audit);
// Every measured gap is reported here: for the deepest overlap, and for the audit.
void ctWorld_SeeGap(ctWorld *world, int a, int b, double gap);
// Keeps the sums of a pair that is about to be removed.
void ctTally_Keep(ctWorld *world, int pair);
// Adds to the sums of two bodies that have no pair.
void ctTally_Put(ctWorld *world, ctBodyId a, ctBodyId b, int64_t impacts, double impulse, double energyLost);
bool ctTally_Add(ctWorld *world, const ctPairTally *tally); // false when memory is short
bool ctTally_Merge(ctWorld *world);                         // moves the kept sums into the table
// Adds the kept sums of two bodies to *sum.
void ctTally_Collect(const ctWorld *world, ctBodyId a, ctBodyId b, ctTally *sum);

#endif
