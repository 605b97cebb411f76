// Rotations: unit quaternions (w first), rigid transforms, and poses that also store the matrix.
#ifndef CT_QUAT_H
#define CT_QUAT_H

#include "collision/mat3.h"

static inline ctQuat ctQuatOf(double w, double x, double y, double z)
{
    ctQuat q = {w, x, y, z};
    return q;
}

static inline ctQuat ctQuatIdentity(void)
{
    return ctQuatOf(1.0, 0.0, 0.0, 0.0);
}

static inline ctQuat ctConjugate(ctQuat q)
{
    return ctQuatOf(q.w, -q.x, -q.y, -q.z);
}

// a b: first b, then a.
static inline ctQuat ctMulQ(ctQuat a, ctQuat b)
{
    return ctQuatOf(a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w);
}

static inline ctQuat ctNormalizeQ(ctQuat q)
{
    double n = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (!(n > 0.0)) {
        return ctQuatIdentity();
    }
    double s = 1.0 / n;
    return ctQuatOf(s * q.w, s * q.x, s * q.y, s * q.z);
}

// q v q*
static inline ctVec3 ctRotate(ctQuat q, ctVec3 v)
{
    ctVec3 u = ctV3(q.x, q.y, q.z);
    ctVec3 t = ctScale(2.0, ctCross(u, v));
    return ctAdd(ctMulAdd(v, q.w, t), ctCross(u, t));
}

// q* v q
static inline ctVec3 ctInvRotate(ctQuat q, ctVec3 v)
{
    return ctRotate(ctConjugate(q), v);
}

// The rotation by |a| radians about a. Exact to rounding for every |a|, zero included.
ctQuat ctQuatExp(ctVec3 a);

// The rotation vector of q, of length at most pi: ctQuatExp(ctQuatLog(q)) = +-q.
ctVec3 ctQuatLog(ctQuat q);

// The rotation of a proper orthonormal matrix.
ctQuat ctQuatFromMat3(ctMat3 r);

static inline ctMat3 ctMat3FromQuat(ctQuat q)
{
    double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return ctMat3Columns(ctV3(1.0 - (yy + zz), xy + wz, xz - wy), ctV3(xy - wz, 1.0 - (xx + zz), yz + wx),
                         ctV3(xz + wy, yz - wx, 1.0 - (xx + yy)));
}

static inline ctTransform ctTransformOf(ctVec3 p, ctQuat q)
{
    ctTransform t = {p, q};
    return t;
}

static inline ctTransform ctTransformIdentity(void)
{
    return ctTransformOf(ctZero3(), ctQuatIdentity());
}

static inline ctVec3 ctTransformPoint(ctTransform t, ctVec3 v)
{
    return ctAdd(t.p, ctRotate(t.q, v));
}

static inline ctVec3 ctInvTransformPoint(ctTransform t, ctVec3 v)
{
    return ctInvRotate(t.q, ctSub(v, t.p));
}

// a b: first b, then a.
static inline ctTransform ctMulT(ctTransform a, ctTransform b)
{
    return ctTransformOf(ctTransformPoint(a, b.p), ctMulQ(a.q, b.q));
}

static inline ctTransform ctInverseT(ctTransform t)
{
    ctQuat q = ctConjugate(t.q);
    return ctTransformOf(ctNeg(ctRotate(q, t.p)), q);
}

// A transform with its rotation as a matrix: what collision queries take.
typedef struct ctPose {
    ctVec3 p;
    ctMat3 r;
} ctPose;

static inline ctPose ctPoseOf(ctTransform t)
{
    ctPose pose = {t.p, ctMat3FromQuat(t.q)};
    return pose;
}

static inline ctVec3 ctPosePoint(const ctPose *pose, ctVec3 v)
{
    return ctAdd(pose->p, ctMulMV(pose->r, v));
}

static inline ctVec3 ctInvPosePoint(const ctPose *pose, ctVec3 v)
{
    return ctMulTMV(pose->r, ctSub(v, pose->p));
}

#endif
