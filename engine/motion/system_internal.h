// What the parts of the equations of motion of a system share.
#ifndef CT_MOTION_SYSTEM_INTERNAL_H
#define CT_MOTION_SYSTEM_INTERNAL_H

#include "engine/core/tunables.h"
#include "engine/motion/system.h"

#include "collision/elementary.h"

static inline ctVec3 ctSystem_Get(const double *y, int body, int at)
{
    const double *p = y + ct_systemBody * body + at;
    return ctV3(p[0], p[1], p[2]);
}

static inline void ctSystem_Put(double *y, int body, int at, ctVec3 v)
{
    double *p = y + ct_systemBody * body + at;
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

static inline ctQuat ctSystem_GetQ(const double *y, int body)
{
    const double *p = y + ct_systemBody * body + ct_systemQ;
    return ctQuatOf(p[0], p[1], p[2], p[3]);
}

static inline void ctSystem_PutQ(double *y, int body, ctQuat q)
{
    double *p = y + ct_systemBody * body + ct_systemQ;
    p[0] = q.w;
    p[1] = q.x;
    p[2] = q.y;
    p[3] = q.z;
}

// The part of a vector across the normal of a point.
static inline ctVec3 ctPoint_Across(const ctSystemPoint *p, ctVec3 v)
{
    return ctMulAdd(v, -ctDot(v, p->n), p->n);
}

static inline bool ctPoint_IsClosed(const ctSystemPoint *p)
{
    return p->mode != ct_pointOpen || p->loose;
}

// The error in velocity that a step may have, m/s.
static inline double ctSystem_Error(const ctSystem *s)
{
    return s->tolerance * s->speed;
}

// Slip slower than this share of the speeds is none: friction stops it within a way that nobody sees. A point with less
// than this share of the greatest force carries none, and redundant points are told apart by this share of the greatest
// mobility. Larger: bodies stop early; smaller: slip never ends, and forces of redundant points are lost in rounding.
#define CT_NEGLIGIBLE 1e-7
// How well the direction of slip is known, rad.
#define CT_TURNED (0.1 * CT_NEGLIGIBLE)
static inline double ctSystem_NoSlip(const ctSystem *s)
{
    return ctFmax(s->tolerance, CT_NEGLIGIBLE) * s->speed;
}

// Gravity times the size, as a speed.
static inline double ctSystem_FallSpeed(const ctSystem *s)
{
    return sqrt(ctLength(s->gravity) * s->size);
}

// How far a frame that turns with a spin has turned in a time.
static inline ctQuat ctSystem_Turn(ctVec3 spin, double time)
{
    return time == 0.0 ? ctQuatIdentity() : ctQuatExp(ctScale(time, spin));
}

// ---- motion/system_forces.c -------------------------------------------------------------------

// A condition on the velocity at a point, e.u' + c = 0, and the force f d that meets it, with a torque f twist beside.
typedef struct ctRow {
    int point;
    ctVec3 e, d, twist;
    double c, give; // give: compliance, m/s^2 per N
    double f;
} ctRow;

#define CT_SYSTEM_ROWS (3 * CT_SYSTEM_POINTS)

// The places and velocities of all bodies, and the geometry of the points that are closed.
void ctSystem_PlaceClosed(ctSystem *s, double time, const double *y);
// The gaps of the points that are open, and their rates, where the bodies have been placed.
void ctSystem_PlaceGaps(ctSystem *s);
// Which points are over faces that do not move.
void ctSystem_FindGround(ctSystem *s);
// Forces for the modes that are set, at the geometry of the last ctSystem_Place. False where there are none.
bool ctSystem_Forces(ctSystem *s);
// The accelerations of movable bodies under the points' forces; those of the velocity at a point.
void ctSystem_Accelerate(const ctSystem *s, ctVec3 *a, ctVec3 *alpha);
ctVec3 ctPoint_Acceleration(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha);
// The rates of the state; forces of all points.
bool ctSystem_Rates(ctSystem *s, double time, const double *y, double *rates);
// How slip changes at the state whose rates were evaluated last.
void ctSystem_NoteSlip(ctSystem *s, const double *rates);
// Closes gaps of closed points and takes away velocities that they forbid, by the least change, at the state where the
// points are. Returns how large they were, as a share of size and speed.
double ctSystem_Project(ctSystem *s, double time, double *y);
// How fast friction turns the slip at a point, 1/s.
double ctPoint_Stiffness(const ctSystem *s, const ctSystemPoint *p);

// ---- motion/system_rows.c ---------------------------------------------------------------------

// The least forces that meet the conditions. False where there are none. The rows of a point follow each other, and
// those of a point that sticks are three at right angles.
bool ctRows_Solve(const ctSystem *s, ctRow *rows, int count);

// ---- motion/system_step.c ---------------------------------------------------------------------

// The polynomials of the step of h from y to y1, and a state on them, at a share of the step.
void ctSystem_MakePiece(const ctSystem *s, double h, double *c);
void ctPiece_Read(const double *c, int count, double at, double *y);

// ---- motion/system_track.c --------------------------------------------------------------------

// Keeps the step of h from y to y1; first: forces at its start. There is room.
void ctSystem_KeepStep(ctSystem *s, double h, const ctVec3 *first);

// ---- motion/system_events.c -------------------------------------------------------------------

// Points of a body pressed to another that part or approach more slowly than `slow`, or than the tolerance, are closed.
// What approaches faster is an impact.
static inline double ctPoint_Slow(const ctSystem *s, const ctSystemPoint *p)
{
    return ctFmax(ctSystem_Error(s), p->slow);
}
// Overlap of an open point, in sizes, at which it has come back; force, as a share of the greatest, that is none.
// Larger: points arrive late; smaller: rounding makes events.
#define CT_SYSTEM_NONE (CT_EQUAL / 10.0)

typedef enum ctSystemEvent {
    ct_eventNone,
    ct_eventSlip,    // slip has come to its end, or a point that was held moves
    ct_eventLoose,   // a point that carried nothing is not kept closed any more
    ct_eventArrival, // an open point is back, or a crossing comes to an end of its lines
    ct_eventWatched, // by the caller
    ct_eventForce,   // a force has left what its mode allows
} ctSystemEvent;

// The share of a step that has just been tried at which the first event has just happened; 1 when there is none: the
// points are where the step ends then.
double ctSystem_FirstEvent(ctSystem *s, double h, ctSystemEvent *event);
// How far inside what their modes allow the forces are that were evaluated last, as a share of the greatest.
double ctSystem_Margin(const ctSystem *s);
// Which points may carry force: closed ones, and those within near (m) that do not part.
void ctSystem_Candidates(const ctSystem *s, double near, bool *candidates);
// The modes that hold at a state where forces have left what theirs allow. Returns by how much they change the motion
// over a step, in tolerances; infinite when there are none.
double ctSystem_Adopt(ctSystem *s, double h, double time, const double *y, const double *rates);
// The share of a step up to which forces are what their modes allow.
double ctSystem_FirstBreach(ctSystem *s, double h);

// ---- motion/system_modes.c --------------------------------------------------------------------

// Modes of the points that are closed, or may be (candidates), at the geometry of the last ctSystem_Place.
bool ctSystem_FindModes(ctSystem *s, const bool *candidates);

#endif
