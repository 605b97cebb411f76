#include "tests/support/convex.h"

#include <assert.h>
#include <stdlib.h>

double ctTestReach(const ctShape *s, ctVec3 d)
{
    double reach = -INFINITY, across = sqrt(d.x * d.x + d.y * d.y);
    switch (s->type) {
    case ct_shapeSphere:
        return s->round;
    case ct_shapeCapsule:
        return s->round + fabs(d.z) * s->u.halfHeight;
    case ct_shapeBox:
        return s->round + ctDot(ctAbs(d), s->u.half);
    case ct_shapeEllipsoid:
        return ctLength(ctMul(s->u.radii, d));
    case ct_shapeLathe:
        for (int i = 0; i < s->u.lathe.count; i++) {
            reach = fmax(reach, s->u.lathe.r[i] * across + s->u.lathe.z[i] * d.z);
        }
        return s->round + reach;
    default:
        for (int i = 0; i < s->u.hull.vertexCount; i++) {
            reach = fmax(reach, ctDot(s->u.hull.vertices[i], d));
        }
        return s->round + reach;
    }
}

static double segmentDistance2(double px, double py, double ax, double ay, double bx, double by)
{
    double ex = bx - ax, ey = by - ay, ee = ex * ex + ey * ey;
    double t = ee > 0.0 ? ((px - ax) * ex + (py - ay) * ey) / ee : 0.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return hypot(px - ax - t * ex, py - ay - t * ey);
}

// Distance of a point from a lathe's core, zero inside.
static double latheDistance(const ctLathe *l, double rho, double z)
{
    bool inside = z >= l->z[0] && z <= l->z[l->count - 1];
    double best = fmin(segmentDistance2(rho, z, 0.0, l->z[0], l->r[0], l->z[0]),
                       segmentDistance2(rho, z, 0.0, l->z[l->count - 1], l->r[l->count - 1], l->z[l->count - 1]));
    for (int i = 0; i + 1 < l->count; i++) {
        double r0 = l->r[i], r1 = l->r[i + 1], z0 = l->z[i], z1 = l->z[i + 1];
        inside = inside && (rho - r0) * (z1 - z0) - (z - z0) * (r1 - r0) <= 0.0;
        best = fmin(best, segmentDistance2(rho, z, r0, z0, r1, z1));
    }
    return inside ? 0.0 : best;
}

// n: the normal of the plane in which the triangle lies. That of a sliver would be rounding.
static ctVec3 nearestOnTriangle(ctVec3 p, ctVec3 a, ctVec3 b, ctVec3 c, ctVec3 n)
{
    ctVec3 best = a;
    double least = INFINITY;
    const ctVec3 v[3] = {a, b, c};
    bool inside = true;
    for (int i = 0; i < 3; i++) {
        ctVec3 s = v[i], e = ctSub(v[(i + 1) % 3], s);
        inside = inside && ctDot(ctCross(e, ctSub(p, s)), n) >= 0.0;
        double ee = ctDot(e, e), t = ee > 0.0 ? ctDot(ctSub(p, s), e) / ee : 0.0;
        ctVec3 q = ctMulAdd(s, fmin(fmax(t, 0.0), 1.0), e);
        if (ctDistance(p, q) < least) {
            least = ctDistance(p, q);
            best = q;
        }
    }
    return inside ? ctMulAdd(p, -ctDot(n, ctSub(p, a)), n) : best;
}

static double hullDistance(const ctHull *h, ctVec3 p)
{
    double above = -INFINITY, least = INFINITY;
    for (int f = 0; f < h->faceCount; f++) {
        // The nearest point is on a face that sees p.
        double height = ctDot(h->faceNormals[f], p) - h->faceOffsets[f];
        above = height > above ? height : above;
        if (!(height >= 0.0) || height > least) {
            continue;
        }
        const int *v = &h->faceVertices[h->firstFaceVertex[f]];
        int count = h->firstFaceVertex[f + 1] - h->firstFaceVertex[f];
        for (int i = 1; i + 1 < count; i++) {
            ctVec3 q =
                nearestOnTriangle(p, h->vertices[v[0]], h->vertices[v[i]], h->vertices[v[i + 1]], h->faceNormals[f]);
            least = fmin(least, ctDistance(p, q));
        }
    }
    return above <= 0.0 ? above : least;
}

double ctTestPointDistance(const ctShape *s, ctVec3 p)
{
    switch (s->type) {
    case ct_shapeSphere:
        return ctLength(p) - s->round;
    case ct_shapeCapsule: {
        double z = fmin(fmax(p.z, -s->u.halfHeight), s->u.halfHeight);
        return ctDistance(p, ctV3(0.0, 0.0, z)) - s->round;
    }
    case ct_shapeBox:
        return ctDistance(p, ctMax(ctNeg(s->u.half), ctMin(s->u.half, p))) - s->round;
    case ct_shapeEllipsoid: {
        // To first order: the level set's value over the length of its gradient.
        ctVec3 q = ctV3(p.x / s->u.radii.x, p.y / s->u.radii.y, p.z / s->u.radii.z);
        ctVec3 g = ctV3(q.x / s->u.radii.x, q.y / s->u.radii.y, q.z / s->u.radii.z);
        double f = ctLength(q), slope = ctLength(g);
        return slope > 0.0 ? f * (f - 1.0) / slope : -ctMinElement(s->u.radii);
    }
    case ct_shapeLathe:
        return latheDistance(&s->u.lathe, hypot(p.x, p.y), p.z) - s->round;
    default:
        return hullDistance(&s->u.hull, p) - s->round;
    }
}

static ctShape *randomHull(ctRandom *r, double size)
{
    ctVec3 p[64];
    int count = ctRandomInt(r, 4, 40);
    ctVec3 stretch = ctV3(1.0, ctRandomLog(r, 0.05, 1.0), ctRandomLog(r, 0.05, 1.0));
    for (int i = 0; i < count; i++) {
        p[i] = ctScale(0.5 * size, ctMul(stretch, ctRandomUnit(r)));
    }
    return ctShape_Hull(p, count, NULL);
}

static ctShape *randomLathe(ctRandom *r, double size)
{
    switch (ctRandomInt(r, 0, 3)) {
    case 0:
        return ctShape_Cylinder(0.5 * size, size * ctRandomLog(r, 1e-3, 1.0), NULL);
    case 1:
        return ctShape_Cylinder(0.5 * size * ctRandomLog(r, 1e-3, 1.0), size, NULL);
    case 2:
        return ctShape_Cone(0.5 * size * ctRandomLog(r, 0.05, 1.0), size * ctRandomLog(r, 0.05, 1.0), NULL);
    default: {
        double radius[5], z[5], aspect = ctRandomLog(r, 0.1, 3.0);
        for (int i = 0; i < 5; i++) {
            double angle = -1.2 + 0.6 * i;
            radius[i] = 0.5 * size * cos(angle);
            z[i] = 0.5 * size * aspect * sin(angle);
        }
        return ctShape_Lathe(radius, z, 5, NULL);
    }
    }
}

ctShape *ctTestShape(ctRandom *r, ctShapeType type, double size)
{
    ctShape *s = NULL;
    for (int tries = 0; s == NULL && tries < 20; tries++) {
        switch (type) {
        case ct_shapeSphere:
            s = ctShape_Sphere(0.5 * size, NULL);
            break;
        case ct_shapeCapsule:
            s = ctShape_Capsule(0.5 * size * ctRandomLog(r, 0.01, 1.0), size * ctRandomLog(r, 0.01, 1.0), NULL);
            break;
        case ct_shapeBox:
            s = ctShape_Box(ctV3(size, size * ctRandomLog(r, 1e-3, 1.0), size * ctRandomLog(r, 0.1, 1.0)), NULL);
            break;
        case ct_shapeEllipsoid:
            s = ctShape_Ellipsoid(
                ctV3(0.5 * size, 0.5 * size * ctRandomLog(r, 0.05, 1.0), 0.5 * size * ctRandomLog(r, 0.05, 1.0)), NULL);
            break;
        case ct_shapeLathe:
            s = randomLathe(r, size);
            break;
        default:
            s = randomHull(r, size);
            break;
        }
    }
    if (s == NULL) {
        abort();
    }
    return s;
}
