// A rigid body that rolls, slides or spins on one smooth point of a flat, resting ground: its equations of motion, and
// a method of high order for them. motion/motion.c derives them; contact/plan/roll.c uses them for bodies in contact.
#ifndef CT_ENGINE_MOTION_H
#define CT_ENGINE_MOTION_H

#include "collision/quat.h"
#include "collision/shape.h"
#include "engine/motion/system.h"

// A disc tilted by less than this (rad) lies flat: it touches the ground at more than one point. Larger: coins fall
// flat early; smaller: their last turns cost more.
#define CT_ROLL_FLAT 3e-4

typedef struct ctRoller {
    // Set by the caller.
    const ctShape *shape;    // convex: a lathe, an ellipsoid or a sphere
    ctVec3 n, gravity;       // world
    double offset;           // m: n.x = offset on the ground
    ctVec3 center;           // of mass, in the shape's frame
    ctMat3 axes;             // principal axes to the shape's frame
    ctQuat frame;            // the same
    bool turned;             // these frames differ
    bool revolves;           // the shape is a lathe, its inertia that of a body of revolution, and the ground is level
    ctVec3 inertia, inverse; // principal moments, kg m^2, and their inverses
    double mass, friction;
    double rolling, spinning; // resistances, m
    int bears;                // 1 + the piece of the core that is to touch, 0: the lowest one

    // Set by ctRoll_Enter and by every evaluation.
    int code;         // the piece of the core that touches
    double invMass;   // 1/kg
    double weight;    // N
    bool slides;      // friction is that of sliding; otherwise it holds, within the cone
    bool slipped;     // it did not hold at some evaluation
    double holds;     // the share of the last part of a step in which it did
    double grip;      // 1/s: rate at which friction that holds stops slip
    double leastSlip; // m/s: of sliding
    double leastTurn; // rad/s: slower rolling meets less resistance
    double slowing;   // m/s^2: rate at which sliding ends
    double stiffness; // 1/s: how fast friction turns the slip
    double part;      // s: length of the parts of a step that was accepted last; 0: not known
    double gain[3];   // angular acceleration at the last evaluation, principal axes, or as motion/disc.c has them
    ctVec3 force, torque, arm; // at the last evaluation, or when a disc was left; world
    double mostForce,
        mostGain; // N^2, rad^2/s^4: squares of the greatest force and angular acceleration in the last step

    // motion/disc.c
    bool disc;                    // the state is that of a disc
    double rim, rimHeight;        // m: radius of the circle that touches, and its height above the centre
    double across, along, bias;   // 1/A, 1/C, (C - A) / A
    double pullN;                 // m/s^2: gravity along n
    ctVec3 t0, e0, origin;        // T, E2 and the centre at the start, world
    double psiCos, psiSin;        // where the body's x axis was then, from E1
    double contact[3], resist[3]; // force and torque at the last evaluation, T, E2 and n
} ctRoller;

// The state, as an array: position and velocity of the centre, orientation (principal axes to the world), spin
// (principal axes), the work of the contact; two more numbers fill up the last vector.
enum { ct_rollX = 0, ct_rollV = 3, ct_rollQ = 6, ct_rollW = 10, ct_rollWork = 13, ct_rollState = 16 };

static inline ctVec3 ctRoll_Get(const double *y, int at)
{
    return ctV3(y[at], y[at + 1], y[at + 2]);
}

static inline void ctRoll_Put(double *y, int at, ctVec3 v)
{
    y[at] = v.x;
    y[at + 1] = v.y;
    y[at + 2] = v.z;
}

static inline ctQuat ctRoll_Orientation(const double *y)
{
    return ctQuatOf(y[ct_rollQ], y[ct_rollQ + 1], y[ct_rollQ + 2], y[ct_rollQ + 3]);
}

static inline void ctRoll_PutOrientation(double *y, ctQuat q)
{
    y[ct_rollQ] = q.w;
    y[ct_rollQ + 1] = q.x;
    y[ct_rollQ + 2] = q.y;
    y[ct_rollQ + 3] = q.z;
}

// The point of the surface farthest along d, from the centre of mass, and its rate along the surface while d changes at
// rate, in the shape's frame. The piece of the core is b->code, whether or not another piece is farther. False where
// there is more than one such point.
bool ctRoll_ShapePoint(const ctRoller *b, ctVec3 d, ctVec3 rate, ctVec3 *r, ctVec3 *run);
// The lowest piece of the core; the surface's lowest point from the centre, world.
int ctRoll_LowestPiece(const ctRoller *b, ctQuat q);
ctVec3 ctRoll_LowestPoint(const ctRoller *b, ctQuat q);
// Converts between the state y and its integrated form s. Overlap and forbidden velocity are removed. False when there
// is more than one point of contact.
bool ctRoll_Enter(ctRoller *b, const double *y, double *s);
// rates: of velocity and spin; also computes force, torque and arm.
void ctRoll_Leave(ctRoller *b, const double *s, double *y, double *rates);
// A step of at most dt (s). Returns its length; 0 when the motion is not smooth: s is then undefined.
double ctRoll_Step(ctRoller *b, double *s, double dt);

// The tilt of a body of revolution: the downward direction in its frame has the length rho across the axis and z along
// it. The rate at which the point of contact goes round the body, and the rate of the body's turning, rad/s.
typedef struct ctRollPose {
    double rho, rhoRate, z, zRate, circling, turning;
} ctRollPose;
ctRollPose ctRoll_Pose(const ctRoller *b, const double *s);
// Centre, axis (of discs; zero for others) and point of contact, world.
typedef struct ctRollPlace {
    ctVec3 x, axis, foot;
} ctRollPlace;
ctRollPlace ctRoll_Where(const ctRoller *b, const double *s);
// Bounds for all parts of the body within the radius: of the speed (m/s), and of the acceleration wherever it was
// evaluated in the last step, or at the last evaluation if there was no step yet (m/s^2).
double ctRoll_Speed(const ctRoller *b, const double *s, double radius);
double ctRoll_Pull(const ctRoller *b, double radius);

#endif
