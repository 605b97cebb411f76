// Vectors by value, so that a formula in code reads like the formula on paper.
#ifndef CT_VEC3_H
#define CT_VEC3_H

#include "collision/elementary.h"
#include "collision/types.h"

#include <math.h>

#define CT_PI 3.14159265358979323846

static inline ctVec3 ctV3(double x, double y, double z)
{
    ctVec3 v = {x, y, z};
    return v;
}

static inline ctVec3 ctZero3(void)
{
    return ctV3(0.0, 0.0, 0.0);
}

static inline ctVec3 ctAdd(ctVec3 a, ctVec3 b)
{
    return ctV3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline ctVec3 ctSub(ctVec3 a, ctVec3 b)
{
    return ctV3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline ctVec3 ctNeg(ctVec3 a)
{
    return ctV3(-a.x, -a.y, -a.z);
}

static inline ctVec3 ctScale(double s, ctVec3 a)
{
    return ctV3(s * a.x, s * a.y, s * a.z);
}

// a + s b
static inline ctVec3 ctMulAdd(ctVec3 a, double s, ctVec3 b)
{
    return ctV3(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

// Component by component.
static inline ctVec3 ctMul(ctVec3 a, ctVec3 b)
{
    return ctV3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline ctVec3 ctMin(ctVec3 a, ctVec3 b)
{
    return ctV3(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

static inline ctVec3 ctMax(ctVec3 a, ctVec3 b)
{
    return ctV3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static inline ctVec3 ctAbs(ctVec3 a)
{
    return ctV3(fabs(a.x), fabs(a.y), fabs(a.z));
}

static inline double ctDot(ctVec3 a, ctVec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ctVec3 ctCross(ctVec3 a, ctVec3 b)
{
    return ctV3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double ctLengthSquared(ctVec3 a)
{
    return ctDot(a, a);
}

static inline double ctLength(ctVec3 a)
{
    return sqrt(ctDot(a, a));
}

static inline double ctDistance(ctVec3 a, ctVec3 b)
{
    return ctLength(ctSub(a, b));
}

// Of a body whose centre moves at v and which turns at w: the velocity of its point at an arm from the centre, that
// relative to a point of another body (likewise for accelerations), and a bound on the speeds of all points within a
// radius.
static inline ctVec3 ctVelocityAt(ctVec3 v, ctVec3 w, ctVec3 arm)
{
    return ctAdd(v, ctCross(w, arm));
}

static inline ctVec3 ctVelocityBetween(ctVec3 va, ctVec3 wa, ctVec3 armA, ctVec3 vb, ctVec3 wb, ctVec3 armB)
{
    return ctSub(ctVelocityAt(va, wa, armA), ctVelocityAt(vb, wb, armB));
}

static inline double ctFastest(ctVec3 v, ctVec3 w, double radius)
{
    return ctLength(v) + ctLength(w) * radius;
}

static inline ctVec3 ctLerp(ctVec3 a, ctVec3 b, double t)
{
    return ctV3(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z));
}

static inline double ctMaxElement(ctVec3 a)
{
    double m = a.x > a.y ? a.x : a.y;
    return m > a.z ? m : a.z;
}

static inline double ctMinElement(ctVec3 a)
{
    double m = a.x < a.y ? a.x : a.y;
    return m < a.z ? m : a.z;
}

static inline bool ctIsFinite3(ctVec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// The unit vector along a; zero for a zero vector. Lengths from 1e-300 to 1e300 are safe.
static inline ctVec3 ctNormalize(ctVec3 a)
{
    double m = ctMaxElement(ctAbs(a));
    if (!(m > 0.0)) {
        return ctZero3();
    }
    ctVec3 b = (m > 1e-100 && m < 1e100) ? a : ctV3(a.x / m, a.y / m, a.z / m);
    return ctScale(1.0 / ctLength(b), b);
}

// Two unit vectors that make a right-handed frame with the unit vector n: x cross y = n.
// Continuous in n except at n.z = 0, where the sign changes (Duff et al. 2017).
static inline void ctFrameFromNormal(ctVec3 n, ctVec3 *x, ctVec3 *y)
{
    double sign = copysign(1.0, n.z);
    double a = -1.0 / (sign + n.z);
    double b = n.x * n.y * a;
    *x = ctV3(1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x);
    *y = ctV3(b, sign + n.y * n.y * a, -n.y);
}

#endif
