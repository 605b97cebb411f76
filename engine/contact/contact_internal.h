// Sustained contact inside the engine: records of touching pairs, islands, and their steps.
//
//     contact/contact.c      records, and the seam of the room (contact/contact.h)
//     contact/points.c       the points of a record: geometry, and what they remember from step to step
//     contact/island.c       which bodies move together; contact/stale.c: which of that is to be found anew
//     contact/step/step.c    one step of a small island; contact/step/step.h names the files of its parts
//     contact/plan/roll.c    the motion ahead of one body on one smooth point, by its equations of motion
//     contact/plan/course.c  the same for a few bodies on several points (motion/system.h)
//     contact/ground.c       the flat face that a body rolls on
//     contact/circling.c     how long a step may be that follows a point around a body
//     contact/step/large.c   one step of a large island, cheaper and coarser
//     contact/pile/pile.c    the compact form in which large islands are stepped; contact/pile/pile.h names its parts
//     contact/energy.c       what contacts do to the energy of the bodies
//     contact/crowd.c        which bodies strike each other too often
//     contact/sleep.c        falling asleep and waking up
//     contact/report.c       what happened in a frame
#ifndef CT_CONTACT_INTERNAL_H
#define CT_CONTACT_INTERNAL_H

#include "engine/contact/contact.h"
#include "engine/contact/pile/pile.h"
#include "engine/core/tasks.h"
#include "engine/motion/motion.h"
#include "engine/solver/solver.h"

#include <float.h>

typedef struct ctContactPoint {
    uint32_t leaf, id; // which convex parts, and which of their features
    ctVec3 n;          // from b to a
    ctVec3 pointA, pointB;
    double gap;
    ctVec3 armA, armB; // from the centres to the points at the last step
    ctVec3 force;      // on a, mean over the last step, N
    ctVec3 past;       // the normal at the last step
    ctVec3 torque;     // on a, of the resistances to rolling and spinning, N m
    ctVec3 impulse;    // on a, summed over the frame, N s
    double span;       // s: the length of the step over which the force is a mean; 0: it is that of a moment
    double growth;     // 1/s: the rate at which the force along the normal grows, as a share of it
    bool known;        // force and arms are those of the last step
} ctContactPoint;

// Sets the force of a moment, N, and its torque, N m.
static inline void ctContactPoint_Load(ctContactPoint *point, ctVec3 force, ctVec3 torque)
{
    point->force = force;
    point->torque = torque;
    point->span = point->growth = 0.0;
}

// Whether a point bears, also across a gap that a course keeps. size: of the pair, m.
static inline bool ctContactPoint_Bears(const ctContactPoint *point, double size)
{
    return point->gap <= CT_APART * size && ctLengthSquared(point->force) > 0.0;
}

// A pair in contact.
typedef struct ctContactRecord {
    int pair; // -1: free
    int a, b; // body indices
    int count, capacity;
    int watch; // its index in the pile
    ctContactPoint *points;
    ctPile *pile; // the pile that it is in, or NULL
    ctVec3 normal;
    double bending; // rad/s: rate at which its normal has turned in the last step
    // rad/s: greatest rate at which a point ran around body a then, where a or an edge under it is sharp
    double running;
    double found; // s: when its points were found
    int island;   // the island that lists it, or -1
    int nextFree; // link of the free list
    bool fresh;   // it has not been in a step yet
    bool ended;   // no point is near: to be released
    bool lifted;  // the same, because the motion of its island separates it
    bool lost;    // a point that carried force has vanished since the last step
    bool covered; // a point that another body covers has been left out when points were found last
    bool piled;   // its forces come from a pile
} ctContactRecord;

// The role of a body in a pile. It says which code steps the body; ctBodyMode says how it moves until then: a member
// flies while nothing pushes it. contact/body.c has the table of changes.
typedef enum ctPileRole {
    ct_roleNone,    // its island is small, or it has none
    ct_roleWanted,  // its island is large, and its pile is about to be built
    ct_roleMember,  // a member of a pile, due with it
    ct_roleFrozen,  // the same, but it lies still and is not stepped (contact/pile/freeze.c)
    ct_roleParting, // still a member, but its island will be a small one
} ctPileRole;

// The data of the contact code about a body, by body index.
typedef struct ctContactBody {
    double base;     // s: the start of its present motion
    ctVec3 x, v, w;  // the state then
    ctQuat q;        //
    ctVec3 momentum; // angular momentum then
    double energy;   // J: kinetic and potential, as accounted for (contact/energy.c)
    int parent;      // the lowest index of its island, while islands are built
    bool loose;      // it is in the list of bodies whose island is to be found
    int records;     // number of records that it takes part in, counted when islands are built
    ctPileRole role;
    double thawed;   // s: when it was last frozen no more
    int hits;        // impacts in the time ...
    int64_t hitBeat; // ... of this number (ctWorld_Beat)
    int crowd;       // size of the crowd that it was found in then, 0: none (contact/crowd.c)
    int tried;       // hits when a crowd was last looked for
    int64_t sought;  // the search that it was last met in
    int slot;        // in the solver's arrays, valid when stamp is current; or in those of its pile
    int64_t stamp;
    bool planIsOn;              // its plan is the present one
    struct ctRollPlan *plan;    // owned: of its motion on one smooth point; NULL: it has never had one
    struct ctCourse *course;    // that it follows or followed last, owned by the first body of its island; NULL: none
    struct ctCourse *ownCourse; // owned: of islands whose first body it is; NULL: there was none
    double boxPath;             // m: its path when its box was made with full room, while it is in contact
    ctVec3 restX;               // for sleep: where the body has been for a while
    ctQuat restQ;
    double restSpeed; // m/s, its speed then
} ctContactBody;

// A state during a plan, at a time (s) from its start.
typedef struct ctRollMark {
    double time, part; // s: ... and the length of parts of steps then
    double state[ct_rollState];
} ctRollMark;

// The motion ahead of a body on one smooth point (contact/plan/roll.c).
#define CT_ROLL_MARKS                                                                                                  \
    16 // [storage] states of a plan, an even number; of a longer plan every second, fourth ... is kept
typedef struct ctRollPlan {
    int record;
    double base, length; // s: start and length
    double asked, room;  // s, m: the wished length, and how far the body may move
    double least;        // s: the shortest length that is worth while
    double part;         // s: roller.part at the start
    double radius;       // m, of the body
    double path;         // m: no part of the body moves farther in that time ...
    double fastest;      // m/s: ... nor moves faster
    double crowded;      // s: others are too near until then
    int steps;           // number of steps it took
    bool cramped;        // it ends where the room ends
    ctRoller roller;     // at the end
    double start[ct_rollState], end[ct_rollState], rates[ct_rollState]; // states; derivatives at the end
    int markCount;
    ctRollMark marks[CT_ROLL_MARKS]; // in between, in the integrated form; the first at the start
} ctRollPlan;

// A point of a course in its record: which parts and features meet there, and whether body a of the record is body b of
// the course. record is -1 where it is not a point of a record yet.
typedef struct ctCoursePoint {
    int record;
    uint32_t leaf, id;
    bool flipped;
} ctCoursePoint;

// Bodies of an island that follows its equations of motion, at most.
#define CT_COURSE_BODIES CT_SYSTEM_MOVABLE
// [storage] Steps of a course: it ends after the last.
#define CT_COURSE_STEPS 24

// The motion ahead of an island of few bodies (contact/plan/course.c). Its track may be longer than what the bodies
// follow: they are advanced to every regular time, and continue from there.
typedef struct ctCourse {
    int bodyCount, bodies[CT_SYSTEM_MOVABLE];
    int recordCount, records[CT_SYSTEM_POINTS];
    bool active;                    // the bodies follow it, from `since` (s) to `until`
    bool goesOn;                    // they did until `since`, and nothing has changed them
    bool broken;                    // something has changed them
    bool cramped;                   // it ends where the room ends
    double base, since, until;      // s: base: when its track begins
    double crowded;                 // s: others are too near until then
    int again;                      // how often it has ended where it began
    double begun;                   // s: when it has begun anew ...
    int beginnings;                 // ... so often
    bool eventless;                 // its track ends where nothing happens
    double next;                    // s: length of the next step, as suggested at its end
    double strongest;               // m/s^2: greatest acceleration of a point on the track
    double path[CT_SYSTEM_MOVABLE]; // m: no part of a body moves farther until then ...
    double fastest;                 // m/s: ... nor moves faster
    double push, stop;              // J: work of closing gaps, and of stopping slow separation; not accounted for yet
    double friction, kinematic;     // J: work that is accounted for
    ctCoursePoint points[CT_SYSTEM_POINTS];
    ctSystemTrack track;
    int stepCapacity; // numbers in track.steps
} ctCourse;

typedef struct ctIsland {
    int firstBody, bodyCount; // in members; the lowest index first. bodyCount 0: the slot is free
    int firstRecord, recordCount;
    int nextFree;      // of the free slots
    bool stale;        // it must be found again
    bool queued;       // for a step in the present tick
    int pointCount;    // at its last step
    double due;        // s: its next step
    int extra;         // number of steps since the last regular one
    int doublings;     // of the regular step, where the motion is smooth
    bool changed;      // its forces must be found again
    int strays;        // failed solutions in the time ...
    int64_t strayBeat; // ... of this number (ctWorld_Beat)
    int formerly;      // the island of its bodies before; -1: several, or none
    bool large;        // stepped by contact/step/large.c
    ctPile *pile;      // of a large island, from its first step on
} ctIsland;

// The work of a step on an island, J (contact/energy.c).
typedef struct ctStepWork {
    double start;             // energy of the bodies before
    double friction, contact; // work of the contacts along their surfaces and normals
    double kinematic;         // of kinematic bodies
    double push;              // of pushing overlaps apart
} ctStepWork;

typedef struct ctContacts {
    bool lent;           // of a worker: records, bodies and islands belong to another (contact/crew/view.c)
    struct ctCrew *crew; // NULL: one thread makes all steps
    int recordSlots, recordCapacity, freeRecord, recordCount;
    int limbo; // freed records that may still be listed in an island
    int endedCount, endedCapacity;
    int *ended; // records found without a point near; the list may hold others, and some twice
    ctContactRecord *records;
    int bodyCapacity;
    ctContactBody *bodies;

    int *pressed; // bodies with a contact force in their tallies, perhaps more than once
    int pressedCount, pressedCapacity;
    int strays;                                               // failed solutions of the present step
    bool reported;                                            // everything sleeps, and the list of contacts is complete
    bool pressedKnown;                                        // false in a world that has just been loaded
    int islandSlots, islandCapacity, freeIsland, islandCount; // islandCount: islands in use
    ctIsland *islands;
    ctAgenda agenda; // when each is due, by slot
    double due;      // s: a tick is due then, with or without an island
    int staleCount, staleCapacity, looseCount, looseCapacity;
    int *stale, *loose; // islands that must be found again, and awake bodies in contact that are in no island
    int builtCount, builtCapacity;
    int *built; // the islands found last, by their lowest body; scratch
    int memberCount, memberCapacity, memberSpareCapacity, memberLive;
    int *members, *memberSpare; // body indices by island; those of removed islands stay for a while
    int sortedCount, sortedCapacity, sortedSpareCapacity, sortedLive;
    int *sorted, *sortedSpare; // the same for record indices, by bodies
    int dueCount, dueCapacity, laterCount, laterCapacity;
    uint64_t *dueKeys; // islands to step in the present tick, by lowest body
    int *later;        // islands that are due and not stepped in this tick
    int keyCapacity, scratchCapacity;
    uint64_t *keys, *keyScratch;
    struct ctCourseDraft *draft; // scratch

    int oldPileCount, oldPileCapacity;
    ctPile **oldPiles;              // of the last islands, while new ones are built
    int pileCount, spareCount;      // pileCount: those of islands, and old ones
    ctPile *spares[CT_SPARE_PILES]; // memory of former piles

    // Scratch of one step.
    ctSolver solver;
    int64_t stamp;
    int solverBodyCount, solverBodyCapacity;
    ctSolverBody *solverBodies;
    int *slotBody; // body index of a slot
    int slotBodyCapacity;
    int solverPointCount, solverPointCapacity;
    ctSolverPoint *solverPoints;
    int refCapacity;
    struct ctPointRef *refs; // parallel to solverPoints
    int pseudoCapacity, pushCapacity;
    ctSolverBody *pseudo; // parallel to solverBodies: at the start of the step; then pseudo-velocities
    ctPush *pushes;
    int foundCapacity;
    ctContactPoint *found;
    double apart; // m: least distance of the last pair without points; 0: not known
    int beforeCapacity;
    struct ctBefore *before; // the bodies of an island, parallel to its members
    int announceCount, announceCapacity;
    int *announce; // bodies whose courses have changed
    int impactCount, impactCapacity;
    int *impactPairs; // pairs with a point that has hit hard
    int calledCount, calledCapacity;
    int *called;    // of a worker: pairs to look at
    int64_t search; // number of the last search for a crowd
    int queueCapacity;
    int *queue; // bodies to wake
    ctStepWork work;
} ctContacts;

typedef struct ctPointRef {
    int record, point;
    double dt;             // s: how long its force has acted
    double size;           // m: the smaller body's
    double closing;        // m/s: approach before the solution
    bool started;          // start, counter and the first impulse are set
    double before;         // share of its force that acts in the geometry at the start
    ctVec3 start, counter; // N s: that impulse, and the same at the present normal, where it is subtracted
    ctVec3 aside, astray;  // N s, N m s: what friction and rolling resistance have done along other directions than now
} ctPointRef;

// A body at the start of a step.
typedef struct ctBefore {
    bool flying;
    bool rests;    // it lies still, and takes no part in the step (contact/step/calm.c)
    bool moves;    // it has moved before the step
    bool restless; // it must not come to lie still
    int layer;     // it comes to take part, so many contacts from what has moved; 0: it does not
    ctVec3 x, v, w;
    ctQuat q;
} ctBefore;

// ---- contact/crowd.c ----------------------------------------------------------------------------------

// Whether the body is in a crowd of at least so many bodies.
bool ctCrowd_Has(ctWorld *world, int body, int size);

// ---- contact/records.c --------------------------------------------------------------------------------

// The number of points of a body's island.
int ctContact_PointsAround(const ctWorld *world, int body);
// The size that tolerances of a pair scale with, m.
static inline double ctContact_PairSize(const ctWorld *world, int a, int b)
{
    return ctBodies_Size(&world->bodies[a], &world->bodies[b]);
}
// Makes a record for a pair, not filled in; -1 when memory is short.
int ctContact_NewRecord(ctContacts *contacts);
void ctContact_FreeRecord(ctWorld *world, int record);
// Makes room for the data of every body. False when memory is short.
bool ctContact_ReserveBodies(ctWorld *world);
// Whether something other than its contacts has changed the body's motion since the last step, or it has been flying.
static inline bool ctContactBody_IsStruck(const ctBody *body)
{
    return ctBody_IsMovable(body) && (ctBody_IsStruck(body) || !ctBody_IsInContact(body));
}
// A body in contact flies from now on.
void ctContactBody_LetFly(ctWorld *world, int body);

// ---- contact/points.c -------------------------------------------------------------------------

// Finds the points of a record again, at the bodies' present poses, and passes forces on to points that still exist.
// False when memory is short. reach: how much farther (m) points may be than usual. keep: where there are more points
// than a manifold holds, those that carry force are chosen again; otherwise those that span the contact.
bool ctContact_UpdatePoints(ctWorld *world, ctContactRecord *record, double step, double reach, bool keep);
// Whether a point on a fixed box does not count because it is on an edge that a box beside it covers (contact/cover.c).
// The point of a ball right over the seam is moved to the common face. Whether a ball has come to the seam between two
// such boxes; the other box is then looked at.
bool ctContact_IsCovered(const ctWorld *world, const ctContactRecord *record, ctContactPoint *point);
bool ctContact_IsAtSeam(ctWorld *world, const ctContactRecord *record);
// Whether another fixed box goes on at a point at the edge of b, which is fixed.
bool ctContact_HasNext(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);
// Whether two parts of b have faces there in one plane.
bool ctContact_HasNextPart(const ctWorld *world, int a, int b, ctVec3 point, ctVec3 normal);
// After a step: balls begin and end to ride on triangles of curved terrain, and pass its seams; the island is due at
// the next seam (contact/seam.c). elapsed: the step has taken some time. False when memory is short.
bool ctIsland_Ride(ctWorld *world, ctIsland *island, bool elapsed);
// A ball that rides alone and rolls passes a seam, or takes its step, without a solver. False when it does not.
bool ctIsland_RideOn(ctWorld *world, ctIsland *island, double dt);
// The tile of a pair in contact has moved: its points get the present numbers of their parts.
void ctContact_FollowTile(ctWorld *world, int pair);
// v turned by the smallest angle that takes n to m; unchanged where that is a right angle or more.
ctVec3 ctContact_TurnWith(ctVec3 v, ctVec3 n, ctVec3 m);

// ---- contact/island.c ---------------------------------------------------------------------------------

// Finds the stale islands again, and those of bodies that have come into contact.
bool ctIslands_Build(ctWorld *world);
// The size of its smallest body, m; the regular step of an island, s.
double ctIsland_Size(const ctWorld *world, const ctIsland *island);
double ctIsland_RegularStep(const ctWorld *world, const ctIsland *island);
// The regular length of a general step, s: a part of that for one body that has courses, and takes such steps for
// moments only.
double ctIsland_GeneralStep(const ctWorld *world, const ctIsland *island);
// The step length of an island with this regular length, s.
double ctIsland_StepLength(const ctWorld *world, const ctIsland *island, double regular);
// The end of the present regular step: a multiple of its length, wherever frames end.
static inline double ctIsland_NextRegular(const ctWorld *world, double step)
{
    return (floor(world->now / step + 1e-6) + 1.0) * step;
}
// The same for a large island: a bit later. Its step begins with the gravity of its whole length, so a frame that ends
// at a regular time ends before the step.
static inline double ctIsland_NextLarge(const ctWorld *world, double step)
{
    return ctIsland_NextRegular(world, step) * (1.0 + DBL_EPSILON);
}

// The number of the present interval of 1/60 s, from 1. Things that happen too often are counted in these intervals, so
// that the frame rate does not matter.
static inline int64_t ctWorld_Beat(const ctWorld *world)
{
    return (int64_t)floor(world->now / CT_BEAT + 1e-6) + 1;
}

// ---- contact/stale.c ----------------------------------------------------------------------------------

// Whether the body moves, or may: islands consist of such bodies.
static inline bool ctBody_IsAwake(const ctWorld *world, int body)
{
    return ctBody_IsFlying(&world->bodies[body]) || ctBody_IsInContact(&world->bodies[body]);
}
// Marks an island as stale; that of a body, or, if it is awake and in none, a new one; all.
void ctIsland_MarkStale(ctContacts *contacts, int island);
void ctIslands_MarkBody(ctWorld *world, int body);
void ctIslands_MarkAll(ctWorld *world);
static inline bool ctIslands_AreStale(const ctContacts *c)
{
    return c->staleCount > 0 || c->looseCount > 0;
}
// Whether the body's island exists and is not stale.
bool ctIslands_Knows(const ctWorld *world, int body);
// The island of a body in contact is due at a time, now or soon.
void ctIsland_MakeDue(ctWorld *world, int body, double time);
// When what begins or happens now in an island of many points takes part in a step, together with what follows at once.
static inline double ctContact_BeginTime(const ctWorld *world, int body)
{
    return world->now + ldexp(ctBody_Step(world, &world->bodies[body]), -CT_BEGIN_HALVINGS);
}
// A pair that is apart is looked at now; in the step of a worker, as soon as that is merged into the world.
void ctContact_CallPair(ctWorld *world, int pair);
// Removes what is left of removed islands from the lists of members and records. False when memory is short.
bool ctIslands_Compact(ctContacts *contacts);
// Makes room for the data of every island. False when memory is short.
bool ctIslands_Reserve(ctContacts *contacts, int count);

// ---- contact/step/step.c ----------------------------------------------------------------------------

bool ctIsland_Step(ctWorld *world, ctIsland *island);
// The time after which the separation of two bodies becomes visible, s.
double ctPair_LiftTime(const ctWorld *world, const ctBodyPair *pair);
// A point of the pair lands: an impact follows. False when memory is short.
bool ctContact_AddImpact(ctContacts *c, int pair);

// ---- contact/crew/crew.c ------------------------------------------------------------------------------

// Of the islands that are due, steps the small ones that are independent of each other on all threads, if the world has
// several.
void ctCrew_StepMany(ctWorld *world);
// Whether that was done to this island; then merges what its step leaves into the world. *ok: false when memory is
// short.
bool ctCrew_HasStepped(ctWorld *world, int island, bool *ok);

// ---- contact/crew/parts.c -----------------------------------------------------------------------------

// A part of the work: changes only its own data, and the sums of the world that it is given. False when memory is
// short.
typedef bool ctPartFn(ctWorld *world, void *context, int item);
// Does parts 0 to count - 1 on the threads of the world, or one after the other; their sums are added in this order.
// Work that touches terrains has one thread.
bool ctCrew_DoParts(ctWorld *world, ctPartFn *fn, void *context, int count);
// The same for work that needs no world.
void ctCrew_Run(ctWorld *world, ctTaskFn *fn, void *context, int count);

// ---- contact/plan/roll.c ----------------------------------------------------------------------------

// The step of an island of one body that rolls or slides on one point of flat ground, dt after the last. False when the
// island is not of that kind, or will not be: the general step must follow.
bool ctIsland_Roll(ctWorld *world, ctIsland *island, double dt);
// Makes a plan for such a body from now on, which is its base, or a course for a few bodies; goesOn: as in
// ctIsland_PlanCourse. False when there is none.
bool ctIsland_PlanRoll(ctWorld *world, ctIsland *island, bool goesOn);
// Adds the work of the contacts of a body on a plan to the sums, as far as it has not been accounted for; and the
// impulses of its points so far, times a sign, to the points. A course is handled with its first body.
void ctRoll_AddOpen(const ctWorld *world, int body, ctStats *stats);
void ctRoll_LendImpulses(ctWorld *world, int body, double sign);
// The memory of a body's plan, which it keeps; NULL when there is none.
ctRollPlan *ctRoll_TakePlan(ctContactBody *body);
// Restores the plan of a body after a snapshot is read. False when that fails.
bool ctRoll_Restore(ctWorld *world, int body);

// ---- contact/plan/course.c --------------------------------------------------------------------------

// Makes a course for an island of few bodies from now on, which is their base. goesOn: nothing has changed them since
// the last one. False when there is none.
bool ctIsland_PlanCourse(ctWorld *world, ctIsland *island, bool goesOn);
// Whether a body follows a course.
bool ctCourse_Has(const ctWorld *world, int body);
// The same as ctRoll_StateAt, ctRoll_Settle and ctRoll_Drop for a body that follows a course.
ctBodyState ctCourse_StateAt(const ctWorld *world, int body, double t);
void ctCourse_Settle(ctWorld *world, int body);
void ctCourse_Drop(ctWorld *world, int body);
// Frees the track of a body's own course that nobody follows.
void ctCourse_Release(ctContactBody *body);
void ctCourse_AddOpen(const ctWorld *world, int body, ctStats *stats);
void ctCourse_LendImpulses(ctWorld *world, int body, double sign);
// Whether the bodies of an island follow its course.
bool ctCourse_IsFollowed(const ctWorld *world, const ctIsland *island);
// Whether a body follows the course or can still continue it: snapshots keep such courses.
bool ctCourse_IsOfUse(const ctWorld *world, const ctCourse *course);
// Checks a course after a snapshot is read, and sets the reach of its bodies.
bool ctCourse_Restore(ctWorld *world, ctCourse *course);
// The course of islands whose first body this is, which it keeps; NULL when memory is short.
ctCourse *ctCourse_Take(ctContactBody *body);
// Frees the courses and plans of all bodies.
void ctCourse_FreeAll(ctContacts *c);

// ---- contact/circling.c -----------------------------------------------------------------------

// Whether a body of this shape can touch the ground at one point that moves along its surface.
bool ctContact_IsSmooth(const ctShape *shape);
// Whether one of the two is a box that touches with an edge or a corner, with the normal n.
bool ctContact_IsOnEdge(const ctWorld *world, const ctContactRecord *record, ctVec3 n);
// The shortest step of contact for a body of this size (m), s, after the most halvings: no motion in contact is
// resolved more finely.
double ctContact_LeastStep(const ctWorld *world, double size);
// The longest step, the given one or its halves, that resolves the motion of the point around its bodies: on a wobbling
// coin that hardly turns it races along the rim. alone: its island has one body.
double ctContact_StepOf(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, bool alone,
                        double step);

// ---- contact/step/large.c ---------------------------------------------------------------------------

bool ctIsland_StepLarge(ctWorld *world, ctIsland *island);

// ---- contact/energy.c ---------------------------------------------------------------------------------

// Called after the bodies have been advanced, and when they move on. In between: the work of the solution's points,
// before the records take over their forces.
void ctEnergy_OpenStep(ctWorld *world, const ctIsland *island);
void ctEnergy_AddPoints(ctWorld *world);
void ctEnergy_CloseStep(ctWorld *world, const ctIsland *island);
// The power of torque and drag on a body in a state, W.
double ctEnergy_DrivePower(const ctWorld *world, int body, const ctBodyState *state);
// The same for steps that are under way, with the forces that act in them; for plans, the change of energy alone. How
// long the forces of a record have acted since the last step, s.
void ctEnergy_AddOpen(const ctWorld *world, ctStats *stats);
double ctContact_OpenTime(const ctWorld *world, const ctContactRecord *record);
// A member of a large island will be pushed in the step that begins now; pushing out may have moved it by push (m). Its
// energy changes by change until the end. Afterwards: the shares of friction and of kinematic bodies.
void ctEnergy_StepMember(ctWorld *world, int body, ctVec3 push, double change);
// A body on one smooth point is at now; the work (J) of the contact since its base.
void ctEnergy_CloseRoll(ctWorld *world, int body, double work);
// Bodies on a course are at now; work on them until then, J: of friction and of moving ground since the course's base,
// of torques and drag since they began to follow it.
typedef struct ctCourseWork {
    double friction, kinematic, drive;
} ctCourseWork;
void ctEnergy_AddCourse(const ctCourse *course, const ctCourseWork *work, ctStats *stats);
void ctEnergy_CloseCourse(ctWorld *world, ctCourse *course, const ctCourseWork *work);
// What a displacement adds to the potential energy of a body, J.
double ctEnergy_Lift(const ctWorld *world, int body, ctVec3 displacement);
// Adds a share of the work of a manifold in the last step of its pile to the sums.
void ctEnergy_AddPile(const ctPile *pile, const ctPileManifold *manifold, double share, ctStats *stats);
// Impacts on members, which have been advanced, have changed the work of the pile's steps.
void ctEnergy_SettlePile(ctWorld *world, const ctPile *pile);
// The kinetic and potential energy of a body in some state, J.
double ctEnergy_Of(const ctWorld *world, int body, const ctBodyState *state);

// ---- contact/sleep.c ----------------------------------------------------------------------------------

// How long a body must be still before it sleeps, s.
static inline double ctBody_SleepTime(const ctWorld *world, const ctBody *body)
{
    return CT_SLEEP_TIME * ctWorld_FallTime(world, body->radius);
}
// After a step: counts how long every body of the island has been still, and lets the island sleep.
void ctIsland_TrySleep(ctWorld *world, ctIsland *island, double dt);
// Counts how long a body has been still, dt after the last call; makes it sleep.
void ctContactBody_Watch(ctWorld *world, int body, double dt);
void ctContactBody_FallAsleep(ctWorld *world, int body);
// The same for a large island (contact/pile/pile_sleep.c).
void ctIsland_TrySleepLarge(ctWorld *world, ctIsland *island, double dt);

// ---- contact/body.c -----------------------------------------------------------------------------------

// Whether no body of the island moves faster than rounding within a time (s). ballsCount false: balls may spin.
bool ctIsland_IsStill(const ctWorld *world, const ctIsland *island, double length, bool ballsCount);
bool ctIsland_IsAtRest(const ctWorld *world, const ctIsland *island, double length);
// Whether an island of so many points is better stepped as a pile.
bool ctIsland_IsTooLarge(const ctWorld *world, const ctIsland *island);
// Sets the base of an awake body to now.
void ctContactBody_Rebase(ctWorld *world, int body);
// Whether the body is one of a course.
bool ctCourse_Lists(const ctCourse *course, int body);
// Something other than the course's contacts has changed the body: the course ends.
void ctCourse_Break(ctWorld *world, int body);
// Changes the role of a body in a pile; the change must be in the table.
void ctContactBody_SetRole(ctContactBody *body, ctPileRole role);
// Whether a step of the body's island, a small one, is under way: the body moves with the forces that act in it.
bool ctContactBody_IsInStep(const ctWorld *world, int body);
// Whether the last step of a pile moves the body, also one that has just left it.
bool ctContactBody_IsInPile(const ctWorld *world, int body);
// Whether a plan or a course of the body is under way. At its start it may have stopped the body already.
static inline bool ctContactBody_IsInPlan(const ctWorld *world, int body)
{
    return ctBody_IsPlanned(&world->bodies[body]);
}
// The island of the body is to be stepped as a pile.
void ctContactBody_Enlist(ctContactBody *body);
// A frozen body is stepped again.
static inline void ctContactBody_Thaw(ctContactBody *body)
{
    ctContactBody_SetRole(body, body->role == ct_roleFrozen ? ct_roleMember : body->role);
}
// Whether the island of the body is large.
static inline bool ctContactBody_IsLarge(const ctContactBody *body)
{
    return body->role == ct_roleWanted || body->role == ct_roleMember || body->role == ct_roleFrozen;
}
// Whether the body is in a pile.
static inline bool ctContactBody_IsPiled(const ctContactBody *body)
{
    return body->role >= ct_roleMember;
}

// ---- contact/report.c -----------------------------------------------------------------------------------

// Adds the work of contacts in steps and plans that are under way to the sums.
void ctContact_AddOpen(const ctWorld *world, ctStats *stats);

#endif
