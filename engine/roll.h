// A rigid body that rolls, slides or spins on one smooth point of a flat, resting ground: its equations of motion, and
// a method of high order for them. roll.c derives them; island_roll.c uses them for bodies in contact.
#ifndef CT_ROLL_H
#define CT_ROLL_H

#include "collision/quat.h"
#include "collision/shape.h"

// A disc that is tilted by less (rad) lies flat: it touches the ground at no one point.
#define CT_ROLL_FLAT 1e-3

typedef struct ctRoller {
    // Set by the caller.
    const ctShape *shape;    // convex: a lathe, an ellipsoid or a sphere
    ctVec3 n, gravity;       // world
    double offset;           // m: n.x = offset on the ground
    ctVec3 center;           // of mass, in the shape's frame
    ctMat3 axes;             // principal axes to the shape's frame
    bool turned;             // these frames differ
    ctVec3 inertia, inverse; // principal moments, kg m^2, and their inverses
    double mass, friction;
    double rolling, spinning; // resistances, m

    // Set by ctRoll_Begin and by every evaluation.
    int code;             // the piece of the core that touches
    double invMass;       // 1/kg
    double weight;        // N
    bool slides;          // friction is that of sliding; else it holds, within the cone
    bool slipped;         // it did not hold at some evaluation
    double grip;          // 1/s: how fast friction that holds takes slip away
    double leastSlip;     // m/s: of sliding
    double leastTurn;     // rad/s: slower rolling meets less resistance
    double slowing;       // m/s^2: how fast sliding comes to its end
    double stiffness;     // 1/s: how fast friction turns the slip
    ctVec3 force, torque; // at the last evaluation, world
    ctVec3 arm, course;   // from the centre to the point of contact, and its rate of change, world
} ctRoller;

// The state, as an array: position and velocity of the centre, orientation (principal axes to the world), spin
// (principal axes), the work of the contact; two numbers more for the sake of whole vectors.
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

// The point of the surface farthest along d, from the centre of mass, and how fast it runs along the surface while d
// changes at rate, in the shape's frame. The piece of the core is b->code, whether or not another one lies farther.
// False where there is no one point.
bool ctRoll_ShapePoint(const ctRoller *b, ctVec3 d, ctVec3 rate, ctVec3 *r, ctVec3 *run);
// The piece of the core that lies lowest; the surface's lowest point from the centre, world.
int ctRoll_LowestPiece(const ctRoller *b, ctQuat q);
ctVec3 ctRoll_LowestPoint(const ctRoller *b, ctQuat q);
// For a step of dt from the state y.
void ctRoll_Begin(ctRoller *b, const double *y, double dt);
// The step. first, last: the derivatives at both ends. False when the motion is not smooth: then it has got as far as
// *reached (s), where y and last are; 0 when they are of no use.
bool ctRoll_Integrate(ctRoller *b, double *y, double dt, double *first, double *last, double *reached);

#endif
