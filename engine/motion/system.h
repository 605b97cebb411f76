// A mechanical system: one to three rigid bodies that touch each other, or ground that is fixed or moves as given, at
// up to sixteen points, and its equations of motion. This code knows no world and no shape: a point of contact is a
// pair of features (a corner on a face, two edges that cross, a rim on a face ...), from which its gap, normal, arms
// and their rates follow. motion/system_forces.c derives the forces, motion/system_modes.c finds which points stick,
// slip or separate, motion/system_resist.c has the resistances to turning, motion/system_step.c follows the motion and
// finds the events.
#ifndef CT_MOTION_SYSTEM_H
#define CT_MOTION_SYSTEM_H

#include "collision/patch.h"
#include "collision/quat.h"
#include "engine/flight/flight.h"

// Movable bodies of a system. More: islands of several bodies with faces have so many events that steps are cheaper;
// fewer: two blocks on each other depend on the frame rate.
#define CT_SYSTEM_MOVABLE 3
// [storage] Bodies with those that do not move, and points: an island with more is stepped.
#define CT_SYSTEM_BODIES 8
#define CT_SYSTEM_POINTS 16
// [rounding] Overlap, or gap if nothing else has happened, at which an open point has arrived, as a share of the size.
#define CT_ARRIVED 1e-12

// [rounding] Sine of the tilt of a rim below which its lowest point is not known well.
#define CT_FLAT_RIM 1e-8
// Sine of the tilt at which a rim that falls counts as flat.
#define CT_FALLEN_RIM (10.0 * CT_FLAT_RIM)

// The feature with which a body touches, in its principal axes from its centre of mass. The surface is `round` beyond
// it.
typedef enum ctGuideKind {
    ct_guidePoint,     // p: a corner, the centre of a ball
    ct_guideEllipsoid, // centre p; form: the squares of its semi-axes as a tensor
    ct_guideRim,       // the circle about p with the unit axis d and the radius
    ct_guideLine,      // through p along the unit vector d, half as long to either side; or the side of a cone, below
    ct_guideRing,      // the same circle, flat on a face, which it touches all around: d is its outward normal
    ct_guideSpoke,     // not a feature, but a place that reports part of a ring's force: p in the axes of body b
    ct_guideFace,      // the plane through p with the outward unit normal d; a round one has a radius about p
} ctGuideKind;

// The side of a cylinder is its axis with a round. That of a cone touches along a line as well, which turns about the
// axis d with the normal: the outward normal has the sine slope along the axis, and the line through p, across the
// normal in the plane of both, is `round` under the surface. Its middle is at shift.
typedef struct ctGuide {
    ctGuideKind kind;
    ctVec3 p, d;
    double radius, round, half; // m
    double slope, shift;        // shift: m
    ctMat3 form;                // m^2
} ctGuide;

// [storage] Arcs of the border of a region of contact: with more there is no motion.
#define CT_RING_ARCS 4

// The region of a ring that may reach beyond its face (motion/system_region.c), in two coordinates from its centre.
typedef struct ctArc {
    double x, y, radius, from, to; // m, rad
} ctArc;

typedef struct ctRegion {
    const ctPatch *face; // set by the caller: of body b, in its principal axes

    // Where the ring was placed last.
    bool partial;              // it reaches beyond the face
    bool known;                // otherwise the region is not supported
    ctVec3 x, y;               // the coordinates, world
    ctVec3 centre, ownX, ownY; // of the ring; and the coordinates; in the axes of b
    int count;
    ctArc arcs[CT_RING_ARCS];
    double length, meanX, meanY; // of the arcs, m
    double xx, xy, yy;           // inverse of their second moments, 1/m^2
} ctRegion;

// Open points carry no force. Sticking points have no velocity across the normal. Slipping points have friction against
// it.
typedef enum ctPointMode { ct_pointOpen, ct_pointStick, ct_pointSlip } ctPointMode;

// How a resistance treats its part of the relative spin: rolling, across the normal, or spinning, along it. Open: there
// is no resistance. What sticks does not turn, what slips does.
enum { ct_turnRoll, ct_turnSpin };
typedef struct ctPointTurn {
    ctPointMode mode;
    bool kept;            // it slips by its torque, which is at its bound, but others keep it from turning
    ctVec3 dir, startDir; // of the turning; and at the start of a step
    ctVec3 torque;        // that holds it, N m
    double along, across; // rad/s^2: its rate, along its direction and across
    double startAlong, startAcross, start; // at the start of a step; and the turning times the size, m/s
    bool fixed, fresh, begins, last;       // as of slip; begins: its direction is being found
} ctPointTurn;

// A point of contact. Supported are a point, an ellipsoid, a rim or a ring on a face; a point
// on a point, on a line or at a rim; two lines; an ellipsoid or a rim and a line; an ellipsoid or a rim and another
// one; an ellipsoid and a point. A ring is one point, at its centre, with the slip of the centre and a torque. Its
// spokes come next. The caller sets the normal n, and the place at, where one of the two is an
// ellipsoid or a rim.
typedef struct ctSystemPoint {
    // Set by the caller.
    int a, b; // bodies
    ctGuide onA, onB;
    double side; // of two lines: the normal is side * (direction of a x direction of b)
    double friction;
    double rolling, spinning; // resistances, m
    ctRegion *region;         // of a ring on a face that may not hold all of it; NULL: none
    double slow;              // m/s: points that separate or approach more slowly are closed; 0: at once

    // Results. All vectors are in the world frame; the normal points from b to a, forces act on a.
    ctPointMode mode;
    bool loose; // open, but it stays closed: the other points hold the bodies, and it need not carry force
    bool held;  // it slips by its force, which is on the cone, but others keep it from moving
    ctVec3 force, torque;
    ctVec3 n, at;          // normal; place
    ctVec3 way;            // velocity of the place relative to b's matter there
    ctVec3 u;              // velocity of a relative to b there, and to its belt
    double gap, un;        // m, m/s
    double sine, sineRate; // of a rim: of its tilt against the face; negative: it passes through flat in a step
    ctVec3 low;            // and from its centre to its lowest point, unit
    ctVec3 edge;           // of a rim that has just tipped over its edge: where that is, from its centre, in b's axes
    // Of a ring, zero otherwise: its tilt against the face and the relative spin of a, times its radius (m, m/s); what
    // its loads lean to: the torque about the centre is radius * (lean x n).
    ctVec3 tilt, turn, lean;
    double reach;         // m: how far inside both lines; infinite for others
    ctPointTurn turns[2]; // of rolling and spinning

    // Private to motion/system_*.c.
    ctVec3 dir, startDir, curve;       // of slip; and at the start of a step; acceleration of u without contact forces
    double bend;                       // of un
    ctVec3 turnCurve;                  // acceleration of turn without contact forces
    ctVec3 nRate;                      // of the normal
    ctVec3 startN, startU, startForce; // at the start of a step; the following likewise
    ctVec3 startTurn, startLean, startLow, startAt;
    double startAlong, startAcross, startGap, startUn;
    ctVec3 foot;                         // a place on a face that does not move
    double delay, lately, along, across; // stiff slip: delay (s); last normal force; slip's acceleration
    bool fixed, fresh, stiff;
    // Where a motion begins: it is open, near, and approaches, which is stopped; it slips before; what the impulse that
    // stops it does to its slip (open: nothing), and the direction of that.
    bool lands, glides;
    ctPointMode grip;
    ctVec3 rub;
    bool last;     // slip that is about to end keeps its direction
    bool grounded; // b is a face that does not move
    bool bare;     // neither body has a belt
} ctSystemPoint;

typedef struct ctSystemBody {
    double mass;    // kg; 0: ground
    ctVec3 inertia; // principal moments, kg m^2
    double radius;  // m: of a ball about the centre that holds the body
    ctVec3 push;    // m/s^2: by forces on it, besides gravity
    ctDrive drive;  // torque and drag
    // Ground: where it is at time 0, and its constant velocity and spin (world); the motion of its surface, a belt, in
    // its own axes, of which the part along a normal does nothing.
    ctVec3 x, v, w;
    ctQuat q;
    ctVec3 belt, beltSpin;
    const ctPath *path; // NULL: none. Otherwise the path that the ground follows, and where time 0 is on it, s;
    double pathTime;
    ctVec3 center; // its centre of mass in the axes of its path
} ctSystemBody;

// The state: for each movable body its place, velocity, orientation (principal axes to the world) and spin (world);
// then the work of friction and of moving ground, J.
enum { ct_systemX = 0, ct_systemV = 3, ct_systemQ = 6, ct_systemW = 10, ct_systemBody = 13 };
#define CT_SYSTEM_STATE (ct_systemBody * CT_SYSTEM_MOVABLE + 2)

// A body at a state, world frame.
typedef struct ctSystemPose {
    ctVec3 x, v, w;
    ctMat3 r;        // principal axes to the world
    ctMat3 inverse;  // of the inertia
    ctVec3 a, alpha; // accelerations without contact
    ctVec3 belt, beltSpin;
    double invMass;
    double time;       // s
    ctQuat turn;       // of a movable body's frame since the start of the step
    bool known, still; // still: ground that does not move
} ctSystemPose;

typedef enum ctSystemEnd {
    ct_systemDone,   // the whole time
    ct_systemWatch,  // the caller's watch reports an event
    ct_systemArrive, // an open point comes back, a crossing of two lines comes to an end of one, or a ring tips over
                     // the edge of its face
    ct_systemFree,   // no point carries force
    ct_systemFull,   // no room for another step in the track
    ct_systemFailed, // no modes that obey the laws, or too many events
} ctSystemEnd;

struct ctSystem;
// The caller's watch: negative when something has happened outside the system's own points (in units of the system's
// size).
typedef double ctSystemWatch(void *context, const struct ctSystem *s);

// The course of a system, for states in between: its steps in an array of the caller, and the state at their end. A
// step takes `stride` numbers: its start and length, the five polynomials of the state, forces on some of the points at
// its start and at its end, and their impulses until its start. The other points carry no force.
typedef struct ctSystemTrack {
    int movable, pointCount, count, capacity, stride;
    int forceCount, forced[CT_SYSTEM_POINTS]; // points that may carry force
    double *steps;
    double end[CT_SYSTEM_STATE], length; // s
} ctSystemTrack;

// [method] Degree of the power series of a motion. Higher: longer steps, that cost more.
#define CT_SERIES_DEGREE 12
// [storage] Corners on which a body may slip whose motion is found as a power series.
#define CT_SERIES_POINTS 8

// The motion of bodies that slip on corners as power series of the time, from the state y on (motion/system_series.c):
// place and orientation of each, velocity and spin in its own axes, three or four numbers each; the forces on the
// points, in the axes of their bodies; and the work of friction.
typedef double ctTerms[CT_SERIES_DEGREE + 1][4];
typedef struct ctSeries {
    bool known, used;    // it has been looked for; the tried step follows it
    double length, part; // s: of the longest step; of its longest part that a polynomial of degree 4 follows
    ctTerms x[CT_SYSTEM_MOVABLE], q[CT_SYSTEM_MOVABLE], v[CT_SYSTEM_MOVABLE], w[CT_SYSTEM_MOVABLE];
    double work[CT_SERIES_DEGREE + 1];
    int count, points[CT_SYSTEM_POINTS];
    double forces[CT_SYSTEM_POINTS][CT_SERIES_DEGREE][4];
} ctSeries;

typedef struct ctSystem {
    // Set by the caller. Movable bodies come first.
    int movable, bodyCount, pointCount;
    ctSystemBody bodies[CT_SYSTEM_BODIES];
    ctVec3 gravity;
    double size;      // m: of the smallest movable body
    double tolerance; // of a step's error, as a share of size and speed
    double longest;   // s: of a step
    double stride;    // m: bodies move at most so far between two questions to the watch
    double next;      // s: length of the next step; 0: not known
    ctSystemWatch *watch;
    void *context;
    bool locates; // the watch is asked when exactly something new has begun to touch: what is known does not count
    ctSystemTrack *track; // empty, with room for some steps; NULL: the course is not kept
    double time;          // s: from the start
    double y[CT_SYSTEM_STATE];

    // Results.
    ctSystemEnd end;
    int steps, rejected, events, solved; // counts
    const ctSystemPoint *over;           // the ring that tips over the edge of its face, where there are no modes
    double fastest;                      // m/s: bound of the speed of any point of a movable body
    double strongest;                    // m/s^2: the same of the acceleration

    // Private to motion/system_*.c.
    ctSystemPose poses[CT_SYSTEM_BODIES];
    double base; // s: a step's start, and spins then: orientations within it are seen from frames that turn with them
    ctVec3 spins[CT_SYSTEM_MOVABLE];
    double speed;                                // m/s: that errors are measured by
    double force;                                // N: the greatest at the last evaluation
    int bearing[CT_SYSTEM_POINTS], bearingCount; // points that are not open, as of the last forces
    bool ready;                                  // k[6] and the points are what they are at the start of the next step
    bool verge;                                  // forces leave their modes at once: what is on the verge has tipped
    bool begun;                                  // k[0] is what it is at y, where no slip is stiff

    // What comes from here on need not be cleared: all points are set by the caller, whole.
    ctSystemPoint points[CT_SYSTEM_POINTS];
    double k[7][CT_SYSTEM_STATE], y1[CT_SYSTEM_STATE];
    ctSeries series;
} ctSystem;

// Finds the modes of all points at the state y, which is changed so that closed points neither overlap nor approach.
// near: points no farther apart than that (m) are closed unless they part faster than is left alone. False when points
// approach, or no modes obey the laws.
bool ctSystem_Begin(ctSystem *s, double near);
// The first step that suits, s: s->next where that is known, or less where slip turns; its error is expected to grow
// with the fifth power of the turn.
double ctSystem_FirstStep(ctSystem *s);
// Follows the motion for a time (s), or with its last step beyond (whole: that step is not cut). Returns how far it
// got; s->end says why. Contact forces are those at the end.
double ctSystem_Run(ctSystem *s, double length, bool whole);
// Whether no point is closed: the bodies fly.
bool ctSystem_IsFree(const ctSystem *s);
// [storage] Numbers that a step of a track takes, at most.
#define CT_TRACK_STRIDE (2 + 5 * CT_SYSTEM_STATE + 9 * CT_SYSTEM_POINTS)
// An empty track of so many bodies and points, all of which may carry force.
ctSystemTrack ctSystemTrack_Empty(int movable, int pointCount);
// Leaves out the points that carry no force on a track, in place.
void ctSystemTrack_Pack(ctSystemTrack *track);
// The force on a point at the start (0) or the end (1) of a step; NULL: it is left out.
double *ctSystemTrack_Force(const ctSystemTrack *track, int index, int point, int end);
// Computes the impulses until the start of a step from the step before it.
void ctSystemTrack_AddImpulses(ctSystemTrack *track, int index);
// The state at the start of a step of a track; the step after the last one: at its end.
const double *ctSystemTrack_Start(const ctSystemTrack *track, int index);
// The state at a time on a track, and where rates is not NULL how fast it changes.
void ctSystemTrack_StateAt(const ctSystemTrack *track, double time, double *y, double *rates);
// The forces on the points then, and their impulses until then.
void ctSystemTrack_ForcesAt(const ctSystemTrack *track, double time, ctVec3 *forces, ctVec3 *impulses);
// The places and velocities of all bodies, and the geometry of all points, at a time and a state.
void ctSystem_Place(ctSystem *s, double time, const double *y);
// How far a ring is from where its region is not supported, m: with a corner of its face under the disc.
double ctRegion_Room(const ctSystemPoint *p);
// Kinetic and potential energy of the movable bodies at a state, J.
double ctSystem_Energy(const ctSystem *s, const double *y);

// The acceleration of a movable body by gravity and forces on it; and the greatest of them, m/s^2.
static inline ctVec3 ctSystem_Pull(const ctSystem *s, int body)
{
    return ctAdd(s->gravity, s->bodies[body].push);
}

static inline double ctSystem_Weight(const ctSystem *s)
{
    double most = 0.0;
    for (int i = 0; i < s->movable; i++) {
        most = ctFmax(most, ctLengthSquared(ctSystem_Pull(s, i)));
    }
    return sqrt(most);
}

// How many numbers the state of so many movable bodies has: theirs, and the two sums of work.
static inline int ctSystem_States(int movable)
{
    return ct_systemBody * movable + 2;
}

static inline int ctSystem_Count(const ctSystem *s)
{
    return ctSystem_States(s->movable);
}

#endif
