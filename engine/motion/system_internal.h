// The interface between the files of the equations of motion of a system.
#ifndef CT_MOTION_SYSTEM_INTERNAL_H
#define CT_MOTION_SYSTEM_INTERNAL_H

#include "engine/core/four.h"
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

// Where the next four numbers of a state are. They are at least four: the last ones overlap.
static inline int ctFour_At(int i, int n)
{
    return i < n - 4 ? i : n - 4;
}

// The part of a vector across the normal of a point.
static inline ctVec3 ctPoint_Across(const ctSystemPoint *p, ctVec3 v)
{
    return ctMulAdd(v, -ctDot(v, p->n), p->n);
}

static inline bool ctPoint_IsRing(const ctSystemPoint *p)
{
    return p->onA.kind == ct_guideRing;
}

// The slip: the velocity across the normal, and of a ring its spin, times the radius, along the normal.
static inline ctVec3 ctPoint_Slip(const ctSystemPoint *p)
{
    return ctMulAdd(p->u, ctDot(p->turn, p->n) - ctDot(p->u, p->n), p->n);
}

// The gap where a point is lowest, and its rate there at least: a ring may be tilted.
static inline double ctPoint_Lowest(const ctSystemPoint *p)
{
    return ctPoint_IsRing(p) ? p->gap - ctLength(p->tilt) : p->gap;
}

static inline double ctPoint_Closing(const ctSystemPoint *p)
{
    return ctPoint_IsRing(p) ? p->un - ctLength(ctPoint_Across(p, p->turn)) : p->un;
}

// Whether a point has resistances.
static inline bool ctPoint_Resists(const ctSystemPoint *p)
{
    return p->rolling > 0.0 || p->spinning > 0.0;
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

// Slip slower than this share of the speeds is zero: friction stops it within an invisible distance. A point with less
// than this share of the greatest force carries none, and redundant points are told apart by this share of the greatest
// mobility. Larger: bodies stop early; smaller: slip never ends, and forces of redundant points are lost in rounding.
#define CT_NEGLIGIBLE 1e-7
// Precision of the direction of slip, rad.
#define CT_TURNED (0.1 * CT_NEGLIGIBLE)
// Equations with a pivot below this share of the greatest mobility are redundant.
#define CT_REDUNDANT (1e3 * CT_NEGLIGIBLE)
static inline double ctSystem_NoSlip(const ctSystem *s)
{
    return ctFmax(s->tolerance, CT_NEGLIGIBLE) * s->speed;
}

// Gravity times the size, as a speed.
static inline double ctSystem_FallSpeed(const ctSystem *s)
{
    return sqrt(ctSystem_Weight(s) * s->size);
}

// The turn, in a time, of a frame that turns with a spin.
static inline ctQuat ctSystem_Turn(ctVec3 spin, double time)
{
    bool none = time == 0.0 || (spin.x == 0.0 && spin.y == 0.0 && spin.z == 0.0);
    return none ? ctQuatIdentity() : ctQuatExp(ctScale(time, spin));
}

// ---- motion/system_forces.c -------------------------------------------------------------------

// A condition on the velocity u and the relative spin w at a point, e.u' + turn.w' + c = 0, and the force f d that
// satisfies it, with a torque f twist.
typedef struct ctRow {
    int point;
    ctVec3 e, turn, d, twist;
    double c, give; // give: compliance, m/s^2 per N
    double f;
    int resists; // it holds a turn (1 + its kind); 0: it does not. These rows come last
} ctRow;

#define CT_SYSTEM_ROWS (4 * CT_SYSTEM_POINTS)

// Places a movable body.
void ctSystem_PlaceMovable(ctSystem *s, int body, double time, const double *y);
// Places all bodies, and computes the geometry of the closed points.
void ctSystem_PlaceClosed(ctSystem *s, double time, const double *y);
// Computes the gaps of the open points, and their rates, where the bodies have been placed.
void ctSystem_PlaceGaps(ctSystem *s);
// The geometry of one point, where the bodies have been placed.
void ctSystem_PlacePoint(const ctSystem *s, ctSystemPoint *c);
// The velocity of a ground's belt at a point, across its normal.
ctVec3 ctPoint_BeltAt(const ctSystemPose *ground, const ctSystemPoint *c);
// Finds the points over faces that do not move.
void ctSystem_FindGround(ctSystem *s);
// Computes the forces for the present modes, at the geometry of the last ctSystem_Place, and lists the points that
// bear. False where there are none.
bool ctSystem_Forces(ctSystem *s);
// The forces of the points that are listed, and accelerations, where friction of stiff slip has turned.
bool ctSystem_TurnForces(ctSystem *s, ctVec3 *a, ctVec3 *alpha);
// The accelerations of bodies under the last forces; those of the velocity at a point.
void ctSystem_Accelerate(const ctSystem *s, ctVec3 *a, ctVec3 *alpha);
ctVec3 ctPoint_Acceleration(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha);
// The accelerations of a ring's turn, and of a point's slip.
ctVec3 ctPoint_Turning(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *alpha);
ctVec3 ctPoint_SlipRate(const ctSystem *s, const ctSystemPoint *p, const ctVec3 *a, const ctVec3 *alpha);
// The forces of all points as they are reported: those of rings are shared out to their spokes.
void ctSystem_Report(const ctSystem *s, ctVec3 *forces);
// Adds a condition: on the velocity in the direction e, by a force along d; on the turning about an axis, by a torque.
void ctRows_Add(ctRow *rows, int *count, int point, ctVec3 e, ctVec3 d, double c, double give);
void ctRows_AddTurn(ctRow *rows, int *count, int point, ctVec3 axis, double c);
// Adds friction against a slip to the first three rows of a ring: its normal force, and two torques about axes in its
// plane.
void ctRing_AddFriction(const ctSystemPoint *p, ctVec3 slip, ctRow *rows);
// Adds the work of a force and a torque on a point: of friction at its slip, and of ground that moves.
void ctPoint_AddWork(const ctSystem *s, const ctSystemPoint *p, ctVec3 force, ctVec3 torque, double *work);
// The rates of the state; computes the forces of all points.
bool ctSystem_Rates(ctSystem *s, double time, const double *y, double *rates);
// The rates of the state of a movable body that has been placed, where it accelerates so.
void ctSystem_PutRates(const ctSystem *s, int body, const double *y, ctVec3 a, ctVec3 alpha, double *rates);
// Lists the points that bear.
void ctSystem_ListBearing(ctSystem *s);
// The direction of slip within a step is that of the velocity, as long as it has not reversed. none: slip (m/s) that is
// zero.
static inline ctVec3 ctPoint_Steer(const ctSystemPoint *p, ctVec3 slip, double none)
{
    double speed = ctLength(slip);
    if (!p->held && !p->last && speed > none && ctDot(slip, p->startDir) > 0.0) {
        return ctScale(1.0 / speed, slip);
    }
    return ctNormalize(ctPoint_IsRing(p) ? p->startDir : ctPoint_Across(p, p->startDir));
}
// Stores the rates of slip at the state whose rates were evaluated last.
void ctSystem_NoteSlip(ctSystem *s, const double *rates);
// The rate at which friction turns the slip at a point, 1/s.
double ctPoint_Stiffness(const ctSystem *s, const ctSystemPoint *p);

// ---- motion/system_land.c ---------------------------------------------------------------------

// Closes gaps of closed points and removes velocities that they forbid, by the least change, at the placed state.
// Returns their size, as a share of size and speed. begins: what is left of a slip that goes
// on in another direction, too.
double ctSystem_Project(ctSystem *s, double time, bool begins, double *y);
// Turns a body at constant angular momentum.
void ctSystem_TurnBody(const ctSystem *s, int index, ctVec3 turn, double *y);
// The same where a motion begins: what stops approach and separation there has friction. True when modes that were
// found for the velocities before do not hold afterwards. candidates: points that may be closed.
bool ctSystem_Land(ctSystem *s, const bool *candidates);

// ---- motion/system_series.c -------------------------------------------------------------------

// Whether bodies slip on corners of their own over faces that do not move, nothing else bears, and nothing else pushes
// them but a constant force: then their motion has series. More than three corners of a body have one normal.
bool ctSystem_IsOnCorners(const ctSystem *s);
// Expands the motion of such bodies from the state y on, where that is not done yet; the points are placed there. False
// where that is not possible.
bool ctSystem_Expand(ctSystem *s);

// ---- motion/system_series_track.c -------------------------------------------------------------

static inline ctVec3 ctVec3FromFour(ctFour a)
{
    return ctV3(a[0], a[1], a[2]);
}
// A state of the series at a time (s) after y, with the orientations themselves.
void ctSystem_Follow(const ctSystem *s, double time, double *y);
// A bound of the acceleration of any point of the bodies during a step, m/s^2.
double ctSystem_SeriesPull(const ctSystem *s, double h);
// How long a step of at most h is so that no point pulls where a part of it ends before.
double ctSystem_SoundSeries(const ctSystem *s, double h);
// How many steps of a track a step of h becomes; stores them. There is room.
int ctSystem_Parts(const ctSystem *s, double h);
void ctSystem_KeepSeries(ctSystem *s, double h, const ctVec3 *first);

// ---- motion/system_ring.c ---------------------------------------------------------------------

// The friction of a ring that slips, per unit of its normal force, and of the parts x and y of what its loads lean to:
// a force, and along the normal the torque divided by the radius. linear: it does not depend on the present loads.
typedef struct ctRingFriction {
    ctVec3 load, leanX, leanY, x, y;
    bool linear;
} ctRingFriction;

void ctRing_Friction(const ctSystemPoint *p, ctVec3 slip, ctRingFriction *f);
// How much friction a ring that sticks has left before it slips, N, and the slip with which it would begin.
double ctRing_Hold(const ctSystemPoint *p, ctVec3 *slip);
// How far its loads are from where they would tip it, N; own: over its own rim.
double ctRing_Spare(const ctSystemPoint *p, bool *own);
// Shares the force and torque of a ring, or of a rim that was one, out to its spokes, linear in place.
void ctRing_Share(const ctSystem *s, const ctSystemPoint *ring, int count, ctVec3 *forces);

// ---- motion/system_region.c -------------------------------------------------------------------

// Whether a ring reaches beyond its face, where it was placed last.
static inline bool ctPoint_IsPartial(const ctSystemPoint *p)
{
    return p->region != NULL && p->region->partial;
}
// Finds the region of a ring where the bodies have been placed.
void ctRegion_Place(const ctSystem *s, ctSystemPoint *p);
// How far the loads of a ring are from the border of the region, N; own: its rim is the nearest border.
double ctRegion_Spare(const ctSystemPoint *p, bool *own);
// Whether the face is under the rim of a ring in a direction from the centre.
bool ctRegion_Holds(const ctSystemPoint *p, ctVec3 edge);
// Whether loads are linear in place; friction, as of a whole ring.
bool ctRegion_IsLinear(const ctSystemPoint *p, double load, ctVec3 lean);
void ctRegion_Friction(const ctSystemPoint *p, ctVec3 slip, ctRingFriction *f);

// ---- motion/system_resist.c -------------------------------------------------------------------

// The torque of the resistances against turns, per unit of normal force.
ctVec3 ctPoint_Twist(const ctSystemPoint *p);
// Adds the conditions of turns that are held: their rates; for a projection, the turns themselves, whose size is added
// to worst, as a share of the speed. False where there is no room.
bool ctSystem_AddHolds(const ctSystem *s, ctRow *rows, int *count);
bool ctSystem_StopTurns(const ctSystem *s, ctRow *rows, int *count, double *worst);
// The directions of turns within a step; their rates, where the bodies accelerate so.
void ctPoint_SteerTurns(const ctSystem *s, ctSystemPoint *p);
void ctPoint_NoteTurns(ctSystemPoint *p, const ctVec3 *alpha);
// A turn along its direction at the start of the step, times the size, m/s.
double ctPoint_TurnAlong(const ctSystem *s, const ctSystemPoint *p, int part);
// Stores and restores the turns at the start of a step.
void ctPoint_KeepTurns(const ctSystem *s, ctSystemPoint *p);
void ctPoint_RestoreTurns(ctSystemPoint *p);
// Finds turns that are about to end within the tolerance: they keep their direction. Returns whether any has changed.
bool ctSystem_ChooseLast(ctSystem *s);
// The longest step for turns that end while their direction changes, in which they lose a share of themselves, s.
double ctSystem_LongestTurn(const ctSystem *s, double share);
// Whether turns of a point go on throughout a step, by their rates at its ends.
bool ctPoint_TurnsOn(const ctSystem *s, const ctSystemPoint *p, double h);
// Negative when a turn of a point has ended, or has begun although others kept it; as a share of the speed.
double ctPoint_TurnLeft(const ctSystem *s, const ctSystemPoint *p);
// The margin of torques that hold within their bounds, in sizes times the greatest force.
double ctSystem_TurnMargin(const ctSystem *s);
// Modes of turns where those of points are looked for: how a search begins; whether they obey their laws (others
// change); what the modes found mean. scale: m/s^2.
void ctPoint_SetOutTurns(const ctSystem *s, ctSystemPoint *p);
bool ctSystem_CheckTurns(ctSystem *s, const bool *candidates, const ctVec3 *alpha, double scale);
void ctPoint_SettleTurns(const ctSystem *s, ctSystemPoint *p, const ctVec3 *alpha, double scale);

// ---- motion/system_rows.c ---------------------------------------------------------------------

// The least forces that satisfy the conditions. False where there are none. The rows of a point are adjacent, and those
// of a sticking point are three at right angles.
bool ctRows_Solve(const ctSystem *s, ctRow *rows, int count);

// ---- motion/system_step.c ---------------------------------------------------------------------

// The polynomials of the step of h from y to y1, and a state on them, at a share of the step.
void ctSystem_MakePiece(const ctSystem *s, double h, double *c);
void ctPiece_Read(const double *c, int count, double at, double *y);

// ---- motion/system_track.c --------------------------------------------------------------------

// Stores the step of h from y to y1; first: forces at its start. There is room.
void ctSystem_KeepStep(ctSystem *s, double h, const ctVec3 *first);
// Stores a step with given polynomials, from a time on.
void ctSystem_KeepPart(ctSystem *s, double time, double h, const double *c, const ctVec3 *first, const ctVec3 *end);

// ---- motion/system_events.c -------------------------------------------------------------------

// Points that separate or approach more slowly than `slow`, or than the tolerance, are closed while pressed. A faster
// approach is an impact.
static inline double ctPoint_Slow(const ctSystem *s, const ctSystemPoint *p)
{
    return ctFmax(ctSystem_Error(s), p->slow);
}
// Overlap of an open point, in sizes, at which it has arrived again; force, as a share of the greatest, that is zero.
// Larger: points arrive late; smaller: rounding makes events.
#define CT_SYSTEM_NONE (CT_EQUAL / 10.0)
// [rounding] Torque, in sizes times the greatest force, that is zero.
#define CT_SYSTEM_NO_TORQUE 1e-13
// Torque beyond a bound that does not count, N m.
static inline double ctSystem_NoTorque(const ctSystem *s, double bound)
{
    return CT_SYSTEM_NONE * bound + CT_SYSTEM_NO_TORQUE * s->size * s->force;
}
// Whether a quantity that is positive at both ends of a step is positive in the middle, by the cubic through values and
// rates there, with a margin.
static inline bool ctStaysPositive(double f0, double f1, double rate0, double rate1, double h)
{
    double least = ctFmin(f0, f1);
    return least > 0.0 && 0.5 * (f0 + f1) + 0.125 * h * (rate0 - rate1) > 0.5 * least;
}

typedef enum ctSystemEvent {
    ct_eventNone,
    ct_eventSlip,    // slip has ended, or a held point moves
    ct_eventLoose,   // a point without force is no longer kept closed
    ct_eventArrival, // an open point has arrived, or a crossing comes to an end of its lines
    ct_eventWatched, // by the caller
    ct_eventForce,   // a force has left what its mode allows
} ctSystemEvent;

// The share of a tried step at which the first event has just happened; 1 when there is none: the points are then
// placed at the step's end.
double ctSystem_FirstEvent(ctSystem *s, double h, ctSystemEvent *event);
// The margin of the last forces inside what their modes allow, as a share of the greatest force.
double ctSystem_Margin(const ctSystem *s);
// The points that may carry force: closed ones, and those within near (m) that do not separate.
void ctSystem_Candidates(const ctSystem *s, double near, bool *candidates);
// Finds the modes at a state where forces have left what theirs allow. Returns the change of the motion over a step, in
// tolerances; infinite when there are no modes.
double ctSystem_Adopt(ctSystem *s, double h, double time, const double *y, const double *rates);
// The share of a step up to which forces are within what their modes allow.
double ctSystem_FirstBreach(ctSystem *s, double h);

// ---- motion/system_smooth.c -------------------------------------------------------------------

// The normal between two features, their distance along it, and the place on a's; rates.
typedef struct ctSmooth {
    ctVec3 n, nRate, place, placeRate;
    double distance; // m
} ctSmooth;

// For a point of an ellipsoid or a rim (a) and any feature but a face (b), or of two surfaces in any order. The search
// begins at the last normal. Sets the gap and the reach of the point, too.
void ctSmooth_Place(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m);

// ---- motion/system_modes.c --------------------------------------------------------------------

// Rings that are flat to near (m), and turn about a point of their edge, become rims there, at the state y: the
// bodies have been placed there.
void ctSystem_TipRings(ctSystem *s, double near, double *y);
// Finds the modes of closed points, and of candidates, at the geometry of the last ctSystem_Place.
bool ctSystem_FindModes(ctSystem *s, const bool *candidates);

#endif
