// The boxes that moving bodies sweep (Mirtich & Canny 1995, section 3.2 and figure 2).
#include "collision/broadphase.h"

#include <float.h>

// The range of x + v t + a t^2 / 2 over [0, duration].
static void sweep(double x, double v, double a, double duration, double *lo, double *hi)
{
    double end = x + duration * (v + 0.5 * a * duration), apex = v * a < 0.0 ? -v / a : duration;
    *lo = x < end ? x : end;
    *hi = x < end ? end : x;
    if (apex < duration) {
        double top = x + 0.5 * v * apex;
        *lo = top < *lo ? top : *lo;
        *hi = top > *hi ? top : *hi;
    }
}

// The path of the centre, with a margin on each side above rounding.
static ctBox sweptCentre(ctVec3 x, ctVec3 v, ctVec3 a, double duration)
{
    ctBox box;
    sweep(x.x, v.x, a.x, duration, &box.lo.x, &box.hi.x);
    sweep(x.y, v.y, a.y, duration, &box.lo.y, &box.hi.y);
    sweep(x.z, v.z, a.z, duration, &box.lo.z, &box.hi.z);
    ctVec3 slack = ctScale(8.0 * DBL_EPSILON, ctMax(ctAbs(box.lo), ctAbs(box.hi)));
    box.lo = ctSub(box.lo, slack);
    box.hi = ctAdd(box.hi, slack);
    return box;
}

ctBox ctSweptBall(ctVec3 x, ctVec3 v, ctVec3 a, double boundRadius, double duration)
{
    ctBox box = sweptCentre(x, v, a, duration);
    double r = boundRadius * (1.0 + 8.0 * DBL_EPSILON);
    box.lo = ctSub(box.lo, ctV3(r, r, r));
    box.hi = ctAdd(box.hi, ctV3(r, r, r));
    return box;
}

ctBox ctSweptBox(const ctMotion *motion, double boundRadius, double duration)
{
    double off = 0.5 * motion->stray * duration * duration;
    return ctSweptBall(motion->x, motion->v, motion->a, boundRadius + off, duration);
}

ctBox ctSweptBoxTight(const ctMotion *motion, ctBox start, double boundRadius, double duration)
{
    ctBox path = sweptCentre(motion->x, motion->v, motion->a, duration);
    double r = boundRadius * (1.0 + 8.0 * DBL_EPSILON);
    double turn = r * motion->wMax * duration + 8.0 * DBL_EPSILON * r; // a chord is not longer than its arc
    // The body reaches from the centre to the faces of the start box, moved by turn, and never farther than r.
    ctVec3 below = ctAdd(ctSub(motion->x, start.lo), ctV3(turn, turn, turn));
    ctVec3 above = ctAdd(ctSub(start.hi, motion->x), ctV3(turn, turn, turn));
    double off = 0.5 * motion->stray * duration * duration;
    path.lo = ctSub(path.lo, ctAdd(ctMin(below, ctV3(r, r, r)), ctV3(off, off, off)));
    path.hi = ctAdd(path.hi, ctAdd(ctMin(above, ctV3(r, r, r)), ctV3(off, off, off)));
    return path;
}
