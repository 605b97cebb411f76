#include "tests/support/solid.h"

#include <stdlib.h>

static double latheDepth(const ctLathe *l, ctVec3 x)
{
    double rho = hypot(x.x, x.y);
    int last = l->outlineCount - 1;
    double depth = fmin(x.z - l->outlineZ[0], l->outlineZ[last] - x.z);
    for (int i = 0; i < last; i++) {
        double dr = l->outlineR[i + 1] - l->outlineR[i], dz = l->outlineZ[i + 1] - l->outlineZ[i];
        double out = (dz * (rho - l->outlineR[i]) - dr * (x.z - l->outlineZ[i])) / hypot(dr, dz);
        depth = fmin(depth, -out);
    }
    return depth;
}

static double leafDepth(const ctShape *s, ctVec3 x)
{
    switch (s->type) {
    case ct_shapeSphere:
        return s->round - ctLength(x);
    case ct_shapeCapsule: {
        double z = fabs(x.z) - s->u.halfHeight;
        return s->round - ctLength(ctV3(x.x, x.y, fmax(z, 0.0)));
    }
    case ct_shapeBox:
        return ctMinElement(ctSub(s->hi, ctAbs(x)));
    case ct_shapeLathe:
        return latheDepth(&s->u.lathe, x);
    case ct_shapeEllipsoid: {
        ctVec3 r = s->u.radii;
        return (1.0 - ctLength(ctV3(x.x / r.x, x.y / r.y, x.z / r.z))) * ctMinElement(r);
    }
    case ct_shapeHull: {
        double depth = INFINITY;
        for (int i = 0; i < s->u.hull.faceCount; i++) {
            depth = fmin(depth, s->u.hull.faceOffsets[i] + s->round - ctDot(s->u.hull.faceNormals[i], x));
        }
        return depth;
    }
    case ct_shapePlane:
        return s->u.plane.offset - ctDot(s->u.plane.normal, x);
    case ct_shapeTerrain:
    case ct_shapeCompound:
        break;
    }
    return -INFINITY;
}

double ctSolidDepth(const ctShape *shape, ctVec3 x)
{
    double depth = -INFINITY;
    for (int i = 0; i < shape->leafCount; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        depth = fmax(depth, leafDepth(leaf->shape, ctInvTransformPoint(leaf->pose, x)));
    }
    return depth;
}

static double profileHeight(const double *r, const double *z, int count, ctVec3 d)
{
    double best = -INFINITY, across = hypot(d.x, d.y);
    for (int i = 0; i < count; i++) {
        best = fmax(best, r[i] * across + z[i] * d.z);
    }
    return best;
}

static double pointsHeight(const ctVec3 *p, int count, ctVec3 d)
{
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        best = fmax(best, ctDot(p[i], d));
    }
    return best;
}

double ctSolidHeight(const ctShape *s, ctVec3 d)
{
    switch (s->type) {
    case ct_shapeBox:
        return ctDot(ctAbs(d), s->hi);
    case ct_shapeLathe:
        return profileHeight(s->u.lathe.outlineR, s->u.lathe.outlineZ, s->u.lathe.outlineCount, d);
    case ct_shapeHull:
        return pointsHeight(s->u.hull.corners, s->u.hull.cornerCount, d);
    default:
        return ctRoundedHeight(s, d);
    }
}

double ctRoundedHeight(const ctShape *s, ctVec3 d)
{
    double ball = s->round * ctLength(d);
    switch (s->type) {
    case ct_shapeSphere:
        return ball;
    case ct_shapeCapsule:
        return s->u.halfHeight * fabs(d.z) + ball;
    case ct_shapeBox:
        return ctDot(ctAbs(d), s->u.half) + ball;
    case ct_shapeLathe:
        return profileHeight(s->u.lathe.r, s->u.lathe.z, s->u.lathe.count, d) + ball;
    case ct_shapeEllipsoid:
        return ctLength(ctMul(d, s->u.radii));
    case ct_shapeHull:
        return pointsHeight(s->u.hull.vertices, s->u.hull.vertexCount, d) + ball;
    case ct_shapePlane:
    case ct_shapeTerrain:
    case ct_shapeCompound:
        break;
    }
    return INFINITY;
}

// int x dV = int (x^2 / 2) n_x dA and so on, each term a polynomial of degree three at most: integrated
// exactly over each triangle by Strang and Fix's rule of that degree.
void ctSurfaceSum_Add(ctSurfaceSum *sum, ctVec3 a, ctVec3 b, ctVec3 c)
{
    static const double w[4] = {-27.0 / 48.0, 25.0 / 48.0, 25.0 / 48.0, 25.0 / 48.0};
    static const double at[4][3] = {
        {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, {0.6, 0.2, 0.2}, {0.2, 0.6, 0.2}, {0.2, 0.2, 0.6}};
    ctVec3 n = ctScale(0.5, ctCross(ctSub(b, a), ctSub(c, a)));
    for (int i = 0; i < 4; i++) {
        ctVec3 p = ctAdd(ctScale(at[i][0], a), ctAdd(ctScale(at[i][1], b), ctScale(at[i][2], c)));
        sum->volume += w[i] * (p.x * n.x + p.y * n.y + p.z * n.z) / 3.0;
        sum->x += w[i] * p.x * p.x / 2.0 * n.x;
        sum->y += w[i] * p.y * p.y / 2.0 * n.y;
        sum->z += w[i] * p.z * p.z / 2.0 * n.z;
        sum->xx += w[i] * p.x * p.x * p.x / 3.0 * n.x;
        sum->yy += w[i] * p.y * p.y * p.y / 3.0 * n.y;
        sum->zz += w[i] * p.z * p.z * p.z / 3.0 * n.z;
        sum->xy += w[i] * p.x * p.y * p.z * n.z;
        sum->yz += w[i] * p.x * p.y * p.z * n.x;
        sum->zx += w[i] * p.x * p.y * p.z * n.y;
    }
}

ctMassProperties ctSurfaceSum_Mass(const ctSurfaceSum *s)
{
    ctMassProperties m;
    m.mass = s->volume;
    m.center = ctV3(s->x / m.mass, s->y / m.mass, s->z / m.mass);
    ctVec3 c = m.center;
    double xx = s->xx - m.mass * c.x * c.x, yy = s->yy - m.mass * c.y * c.y, zz = s->zz - m.mass * c.z * c.z;
    double xy = s->xy - m.mass * c.x * c.y, yz = s->yz - m.mass * c.y * c.z, zx = s->zx - m.mass * c.z * c.x;
    m.inertia = ctMat3Symmetric(yy + zz, -xy, -zx, zz + xx, -yz, xx + yy);
    return m;
}

ctMassProperties ctRevolutionMass(const double *r, const double *z, int count, int sides, ctVec3 scale)
{
    ctSurfaceSum sum = {0};
    for (int k = 0; k < sides; k++) {
        double p = 2.0 * CT_PI * k / sides, q = 2.0 * CT_PI * (k + 1) / sides;
        ctVec3 bottom = ctMul(scale, ctV3(0.0, 0.0, z[0])), top = ctMul(scale, ctV3(0.0, 0.0, z[count - 1]));
        for (int i = 0; i < count; i++) {
            ctVec3 a = ctMul(scale, ctV3(r[i] * cos(p), r[i] * sin(p), z[i]));
            ctVec3 b = ctMul(scale, ctV3(r[i] * cos(q), r[i] * sin(q), z[i]));
            if (i == 0) {
                ctSurfaceSum_Add(&sum, bottom, b, a);
            }
            if (i == count - 1) {
                ctSurfaceSum_Add(&sum, top, a, b);
                continue;
            }
            ctVec3 c = ctMul(scale, ctV3(r[i + 1] * cos(p), r[i + 1] * sin(p), z[i + 1]));
            ctVec3 d = ctMul(scale, ctV3(r[i + 1] * cos(q), r[i + 1] * sin(q), z[i + 1]));
            ctSurfaceSum_Add(&sum, a, b, d);
            ctSurfaceSum_Add(&sum, a, d, c);
        }
    }
    return ctSurfaceSum_Mass(&sum);
}

void *ctFailingRealloc(void *memory, size_t size, void *context)
{
    ctFailingMemory *m = context;
    if (size == 0) {
        m->alive -= memory != NULL;
        free(memory);
        return NULL;
    }
    m->calls++;
    if (m->calls == m->failAt) {
        return NULL;
    }
    m->alive += memory == NULL;
    return realloc(memory, size);
}
