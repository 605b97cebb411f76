// Exact torque-free flight of a rigid body under uniform gravity.
#ifndef CT_FLIGHT_H
#define CT_FLIGHT_H

#include "collision/error.h"
#include "collision/motion.h"

// How many principal moments coincide: three, two, none.
typedef enum ctInertiaKind { ct_inertiaSpherical, ct_inertiaAxisymmetric, ct_inertiaGeneral } ctInertiaKind;

// An inertia tensor about the centre of mass, ready for flight. The body frame is the shape's frame.
typedef struct ctInertia {
    ctVec3 principal;        // kg m^2
    ctVec3 inversePrincipal; // 1/(kg m^2)
    ctQuat frame;            // principal axes to body frame
    ctMat3 axes;             // the same as a matrix: its columns are the principal axes
    ctInertiaKind kind;
    int axis;        // axisymmetric: which principal axis (0, 1, 2) is the axis of symmetry
    ctVec3 bodyAxis; // axisymmetric: that axis in the body frame
    double along;    // axisymmetric and spherical: the moment about the axis of symmetry
    double across;   // axisymmetric and spherical: the moment about every perpendicular axis
} ctInertia;

// False, with a message, unless a body of positive extent can have this tensor: finite, symmetric,
// positive definite, and no principal moment larger than the sum of the other two.
bool ctInertia_Check(ctMat3 tensor, ctError *error);
// The tensor must have passed ctInertia_Check. Moments equal to 1e-12 of the largest count as equal.
ctInertia ctInertia_FromTensor(ctMat3 tensor);

// R I^-1 R^T: from angular momentum to angular velocity, both in the world frame.
ctMat3 ctInertia_WorldInverse(const ctInertia *inertia, ctQuat q);
// Angular momentum about the centre, world frame, kg m^2/s.
ctVec3 ctInertia_Momentum(const ctInertia *inertia, ctQuat q, ctVec3 w);
// Rotational kinetic energy, J.
double ctInertia_Energy(const ctInertia *inertia, ctQuat q, ctVec3 w);

// Moves a body by dt seconds (of either sign): centre of mass x, its velocity v, orientation q (body
// frame to world) and angular velocity w (world frame).
void ctFly(const ctInertia *inertia, ctVec3 *x, ctVec3 *v, ctQuat *q, ctVec3 *w, ctVec3 gravity, double dt);
// The rotation alone.
void ctFlyRotation(const ctInertia *inertia, ctQuat *q, ctVec3 *w, double dt);

// Bounds that hold for all of a torque-free rotation, past and future: wMax >= |w| and
// alphaMax >= |dw/dt|. They are attained: the largest values on the whole path, to rounding.
void ctFlightBounds(const ctInertia *inertia, ctQuat q, ctVec3 w, double *wMax, double *alphaMax);
// Fills in alpha, axis and precession of a motion in flight from its q and w.
void ctFlight_Describe(const ctInertia *inertia, ctMotion *motion);

// ---- flight with more than gravity (flight/driven.c) ---------------------------------------------

// A constant torque, and drag on the velocity and on the angular momentum.
typedef struct ctDrive {
    ctVec3 torque;        // N m, world frame
    double drag, turning; // 1/s: dv/dt = pull - drag v, dL/dt = torque - turning L
} ctDrive;

static inline bool ctDrive_IsNone(const ctDrive *drive)
{
    return drive->drag == 0.0 && drive->turning == 0.0 && drive->torque.x == 0.0 && drive->torque.y == 0.0 &&
           drive->torque.z == 0.0;
}

// The velocity after dt >= 0 under a constant acceleration pull (m/s^2); the same for the angular momentum.
ctVec3 ctDrive_Velocity(const ctDrive *drive, ctVec3 v, ctVec3 pull, double dt);
ctVec3 ctDrive_Momentum(const ctDrive *drive, ctVec3 momentum, double dt);
// ctFly with a drive. The result is exact, but for the orientation under a torque, whose error is 1e-11 rad for each
// radian of turn.
void ctFlyDriven(const ctInertia *inertia, const ctDrive *drive, ctVec3 *x, ctVec3 *v, ctQuat *q, ctVec3 *w,
                 ctVec3 pull, double dt);
// Bounds as those of ctFlightBounds, for the next seconds only.
void ctDrivenBounds(const ctInertia *inertia, const ctDrive *drive, ctQuat q, ctVec3 w, double seconds, double *wMax,
                    double *alphaMax);

// ---- paths of kinematic bodies (flight/path.c) -----------------------------------------------------

typedef struct ctPathKnot {
    double time; // s
    ctVec3 p, v; // of the shape's origin
    ctQuat q;    // shape to world
    ctVec3 w;    // rad/s, world frame
} ctPathKnot;

// At least two points by ascending time. Before the first and after the last point the body rests there, unless the
// path is a loop.
typedef struct ctPath {
    int count;
    bool loop;
    ctPathKnot *knots;
} ctPath;

// The state of the centre of mass, which is given in the shape's frame.
typedef struct ctPathState {
    ctVec3 x, v, a;
    ctQuat q;
    ctVec3 w, alpha;
} ctPathState;
ctPathState ctPath_At(const ctPath *path, ctVec3 center, double time);
// The first point after a time, where accelerations may jump; infinite: none.
double ctPath_NextKnot(const ctPath *path, double time);

// Bounds of speed and acceleration, of the centre and of the rotation, for some seconds from a time on.
typedef struct ctPathBounds {
    double speed, rate, spin, twist;
} ctPathBounds;
ctPathBounds ctPath_Bounds(const ctPath *path, ctVec3 center, double from, double seconds);
// Fills in the velocities that are not given, such that the path is smooth.
void ctPath_Smooth(ctPath *path, const bool *given);

#endif
