// Rays against the true, sharp solids. Every convex solid here is an intersection of regions that a line meets in one
// interval (half-spaces, cones, cylinders, ellipsoids): the ray is clipped by each of them.
#include "collision/terrain.h"

// The part [enter, leave] of the ray that is inside all regions so far, and the normal where it enters.
typedef struct Clip {
    double enter, leave;
    ctVec3 normal; // of any length
} Clip;

static void clipInterval(Clip *clip, double enter, double leave, ctVec3 normal)
{
    if (enter > clip->enter) {
        clip->enter = enter;
        clip->normal = normal;
    }
    clip->leave = ctFmin(clip->leave, leave);
}

static void clipAll(Clip *clip)
{
    clip->leave = -INFINITY;
}

// n.x <= c
static void clipHalfSpace(Clip *clip, ctVec3 n, double c, ctVec3 o, ctVec3 d)
{
    double at = c - ctDot(n, o), speed = ctDot(n, d);
    if (speed < 0.0) {
        clipInterval(clip, at / speed, INFINITY, n);
    } else if (speed > 0.0) {
        clip->leave = ctFmin(clip->leave, at / speed);
    } else if (at < 0.0) {
        clipAll(clip);
    }
}

static void clipEllipsoid(Clip *clip, ctVec3 radii, ctVec3 o, ctVec3 d)
{
    ctVec3 so = ctV3(o.x / radii.x, o.y / radii.y, o.z / radii.z);
    ctVec3 sd = ctV3(d.x / radii.x, d.y / radii.y, d.z / radii.z);
    // From the point of the line nearest the centre, so that far origins lose no digits.
    double dd = ctDot(sd, sd), mid = -ctDot(so, sd) / dd;
    ctVec3 near = ctMulAdd(so, mid, sd);
    double rest = 1.0 - ctDot(near, near);
    if (!(rest >= 0.0)) {
        clipAll(clip);
        return;
    }
    double half = sqrt(rest / dd);
    ctVec3 at = ctMulAdd(near, -half, sd);
    clipInterval(clip, mid - half, mid + half, ctV3(at.x / radii.x, at.y / radii.y, at.z / radii.z));
}

// Roots t0 <= t1 of a t^2 + 2 b t + c, a > 0, without cancellation.
static bool roots(double a, double b, double c, double *t0, double *t1)
{
    double disc = b * b - a * c;
    if (!(disc >= 0.0)) {
        return false;
    }
    double s = b < 0.0 ? -b + sqrt(disc) : -b - sqrt(disc);
    double p = s / a, q = s != 0.0 ? c / s : 0.0;
    *t0 = ctFmin(p, q);
    *t1 = ctFmax(p, q);
    return true;
}

// sqrt(x^2 + y^2) <= p - q z =: k: a cylinder (q = 0), or the nappe of a cone where k >= 0.
// f(t) = x^2 + y^2 - k^2 along the ray is a t^2 + 2 b t + c.
static void clipCone(Clip *clip, double p, double q, ctVec3 o, ctVec3 d)
{
    double ko = p - q * o.z, kd = -q * d.z;
    double a = d.x * d.x + d.y * d.y - kd * kd;
    double b = o.x * d.x + o.y * d.y - ko * kd;
    double c = o.x * o.x + o.y * o.y - ko * ko;
    double enter = -INFINITY, leave = INFINITY, t0, t1;
    bool inside = true;
    if (a > 0.0) {
        // f <= 0 between the roots, both on the same nappe.
        inside = roots(a, b, c, &t0, &t1);
        if (inside) {
            enter = t0;
            leave = t1;
            inside = ko + kd * 0.5 * (t0 + t1) >= 0.0;
        }
    } else if (a < 0.0) {
        // Steeper than the cone: f <= 0 outside the roots, one half-line on each nappe.
        if (roots(-a, -b, -c, &t0, &t1)) {
            *(kd > 0.0 ? &enter : &leave) = kd > 0.0 ? t1 : t0;
        } else {
            *(kd > 0.0 ? &enter : &leave) = -ko / kd;
        }
    } else if (b != 0.0) {
        *(b < 0.0 ? &enter : &leave) = -0.5 * c / b;
    } else {
        inside = c <= 0.0 && ko >= 0.0;
    }
    if (!inside) {
        clipAll(clip);
        return;
    }
    ctVec3 normal = ctV3(0.0, 0.0, copysign(1.0, q));
    if (isfinite(enter)) {
        ctVec3 x = ctMulAdd(o, enter, d);
        double rho = sqrt(x.x * x.x + x.y * x.y);
        normal = rho > 0.0 ? ctV3(x.x / rho, x.y / rho, q) : normal;
    }
    clipInterval(clip, enter, leave, normal);
}

static void clipLathe(Clip *clip, const ctLathe *l, ctVec3 o, ctVec3 d)
{
    int last = l->outlineCount - 1;
    clipHalfSpace(clip, ctV3(0.0, 0.0, -1.0), -l->outlineZ[0], o, d);
    clipHalfSpace(clip, ctV3(0.0, 0.0, 1.0), l->outlineZ[last], o, d);
    for (int i = 0; i < last && clip->enter <= clip->leave; i++) {
        double q = (l->outlineR[i] - l->outlineR[i + 1]) / (l->outlineZ[i + 1] - l->outlineZ[i]);
        clipCone(clip, l->outlineR[i] + q * l->outlineZ[i], q, o, d);
    }
}

// A capsule is a union: the tube between the end centres, and a ball about each.
static void clipCapsule(Clip *clip, double radius, double half, ctVec3 o, ctVec3 d)
{
    Clip best = *clip;
    clipAll(&best);
    for (int k = -1; k <= 1; k++) {
        Clip part = *clip;
        if (k == 0) {
            clipHalfSpace(&part, ctV3(0.0, 0.0, -1.0), half, o, d);
            clipHalfSpace(&part, ctV3(0.0, 0.0, 1.0), half, o, d);
            clipCone(&part, radius, 0.0, o, d);
        } else {
            clipEllipsoid(&part, ctV3(radius, radius, radius), ctSub(o, ctV3(0.0, 0.0, k * half)), d);
        }
        if (part.enter <= part.leave && (best.enter > best.leave || part.enter < best.enter)) {
            best = part;
        }
    }
    *clip = best;
}

static void clipBox(Clip *clip, ctVec3 half, ctVec3 o, ctVec3 d)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        clipHalfSpace(clip, ctV3(sign, 0.0, 0.0), half.x, o, d);
        clipHalfSpace(clip, ctV3(0.0, sign, 0.0), half.y, o, d);
        clipHalfSpace(clip, ctV3(0.0, 0.0, sign), half.z, o, d);
    }
}

static bool castLeaf(const ctShape *s, ctVec3 o, ctVec3 d, double maxT, double *t, ctVec3 *normal)
{
    Clip clip = {0.0, maxT, ctNeg(d)};
    switch (s->type) {
    case ct_shapeSphere:
        clipEllipsoid(&clip, ctV3(s->round, s->round, s->round), o, d);
        break;
    case ct_shapeEllipsoid:
        clipEllipsoid(&clip, s->u.radii, o, d);
        break;
    case ct_shapeCapsule:
        clipCapsule(&clip, s->round, s->u.halfHeight, o, d);
        break;
    case ct_shapeBox:
        clipBox(&clip, s->hi, o, d);
        break;
    case ct_shapeLathe:
        clipLathe(&clip, &s->u.lathe, o, d);
        break;
    case ct_shapeHull:
        for (int i = 0; i < s->u.hull.faceCount && clip.enter <= clip.leave; i++) {
            clipHalfSpace(&clip, s->u.hull.faceNormals[i], s->u.hull.faceOffsets[i] + s->round, o, d);
        }
        break;
    case ct_shapePlane:
        clipHalfSpace(&clip, s->u.plane.normal, s->u.plane.offset, o, d);
        break;
    case ct_shapeTerrain:
        return ctTerrain_RayCast(s->u.terrain, o, d, maxT, t, normal);
    case ct_shapeCompound:
        return false;
    }
    if (!(clip.enter <= clip.leave)) {
        return false;
    }
    *t = clip.enter;
    *normal = ctNormalize(clip.normal);
    return true;
}

bool ctShape_RayCast(const ctShape *shape, ctVec3 origin, ctVec3 direction, double maxT, double *t, ctVec3 *normal)
{
    if (!ctIsFinite3(origin) || !ctIsFinite3(direction) || !(ctMaxElement(ctAbs(direction)) > 0.0) || !(maxT >= 0.0)) {
        return false;
    }
    bool hit = false;
    for (int i = 0; i < shape->leafCount; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        ctVec3 o = ctInvTransformPoint(leaf->pose, origin), d = ctInvRotate(leaf->pose.q, direction), n;
        double at;
        if (castLeaf(leaf->shape, o, d, maxT, &at, &n) && (!hit || at < *t)) {
            hit = true;
            *t = at;
            *normal = ctRotate(leaf->pose.q, n);
        }
    }
    return hit;
}
