// The motion of a body until something touches it, as collision needs it: the state at one time and bounds that hold
// afterwards. The engine fills this in; collision knows no forces.
#ifndef CT_MOTION_H
#define CT_MOTION_H

#include "collision/quat.h"

typedef struct ctMotion {
    ctVec3 x;        // centre of mass, m
    ctVec3 v;        // m/s
    double stray;    // m/s^2: bound of the later change of acceleration, by drag or a path
    ctVec3 a;        // constant acceleration, m/s^2 (gravity in flight, zero at rest)
    ctQuat q;        // shape frame to world
    ctVec3 w;        // angular velocity, world frame, rad/s
    double wMax;     // bound of |w| at any later time of this motion
    double alphaMax; // bound of |dw/dt| at any later time of this motion, rad/s^2
    ctVec3 alpha;    // dw/dt now, in flight, or constant; zero: not known
    ctVec3 center;   // centre of mass in the shape's frame: the shape's origin is at x - q center q*
    // Where the rotation is a constant turning about `precession` (rad/s, world frame) and a spin about
    // `axis` (unit, fixed in the body; world frame, now), as in the flight of an axisymmetric body: a solid of
    // revolution about that axis moves by the turning alone, which bounds its motion far better than w does.
    // A zero axis: not known.
    ctVec3 axis, precession;
} ctMotion;

static inline ctPose ctMotion_Pose(const ctMotion *m)
{
    ctPose pose = {ctZero3(), ctMat3FromQuat(m->q)};
    pose.p = ctSub(m->x, ctMulMV(pose.r, m->center));
    return pose;
}

#endif
