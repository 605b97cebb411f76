// Mass, centre and inertia at unit density.
//
// Polyhedra: the tetrahedron (0, a, b, c) has V = det(a b c) / 6, first moment V (a+b+c) / 4, and
//     int x xT dV = V/20 (a aT + b bT + c cT + s sT),  s = a + b + c.
// Signed sums over a closed surface leave the solid inside. Inertia about the origin is
// tr(M) 1 - M with M = int x xT; about the centre of mass c it is less by m (|c|^2 1 - c cT).
//
// Solids of revolution: over a frustum of height h with radii p (at s = 0) and q (at s = 1),
//     int r^2 ds = (pp + pq + qq) / 3            int r^2 s ds   = (pp + 2pq + 3qq) / 12
//     int r^2 s^2 ds = (pp + 3pq + 6qq) / 30     int r^4 ds     = (p^4 + p^3 q + p^2 q^2 + p q^3 + q^4) / 5.
#include "collision/shape_build.h"

// |d|^2 1 - d dT
static ctMat3 parallelAxis(ctVec3 d)
{
    double q = ctLengthSquared(d);
    return ctMat3Symmetric(q - d.x * d.x, -d.x * d.y, -d.x * d.z, q - d.y * d.y, -d.y * d.z, q - d.z * d.z);
}

void ctMoments_AddTriangle(ctMoments *m, ctVec3 a, ctVec3 b, ctVec3 c)
{
    double v = ctDot(a, ctCross(b, c)) / 6.0;
    ctVec3 s = ctAdd(a, ctAdd(b, c));
    m->volume += v;
    m->first = ctMulAdd(m->first, 0.25 * v, s);
    double k = v / 20.0;
    double xx = k * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    double xy = k * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    double xz = k * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
    double yy = k * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    double yz = k * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
    double zz = k * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    m->second = ctAddMM(m->second, ctMat3Symmetric(xx, xy, xz, yy, yz, zz));
}

ctMassProperties ctMoments_Finish(const ctMoments *m, ctVec3 origin)
{
    ctMassProperties p = {m->volume, origin, ctMat3Zero()};
    if (!(m->volume > 0.0)) {
        return p;
    }
    ctVec3 c = ctScale(1.0 / m->volume, m->first);
    double trace = ctTrace(m->second);
    ctMat3 about = ctSubMM(ctMat3Diagonal(trace, trace, trace), m->second);
    p.center = ctAdd(origin, c);
    p.inertia = ctSubMM(about, ctScaleM(m->volume, parallelAxis(c)));
    return p;
}

ctMassProperties ctMass_Lathe(const double *r, const double *z, int count)
{
    // Heights from the middle, so that an outline far up the axis loses no digits.
    double middle = 0.5 * (z[0] + z[count - 1]);
    double volume = 0.0, first = 0.0, second = 0.0, axial = 0.0;
    for (int i = 0; i + 1 < count; i++) {
        double p = r[i], q = r[i + 1], h = z[i + 1] - z[i], z0 = z[i] - middle;
        double pp = p * p, pq = p * q, qq = q * q;
        double s0 = CT_PI * h * (pp + pq + qq) / 3.0;
        double s1 = CT_PI * h * h * (pp + 2.0 * pq + 3.0 * qq) / 12.0;
        double s2 = CT_PI * h * h * h * (pp + 3.0 * pq + 6.0 * qq) / 30.0;
        volume += s0;
        first += z0 * s0 + s1;
        second += z0 * z0 * s0 + 2.0 * z0 * s1 + s2;
        axial += 0.1 * CT_PI * h * (pp * pp + pp * pq + pq * pq + pq * qq + qq * qq);
    }
    double c = first / volume;
    double across = 0.5 * axial + (second - c * first);
    ctMassProperties m = {volume, ctV3(0.0, 0.0, middle + c), ctMat3Diagonal(across, across, axial)};
    return m;
}

ctMassProperties ctMass_Sum(const ctLeaf *leaves, int count)
{
    ctMassProperties sum = {0.0, ctZero3(), ctMat3Zero()};
    ctVec3 first = ctZero3();
    for (int i = 0; i < count; i++) {
        const ctMassProperties *unit = &leaves[i].shape->unit;
        sum.mass += unit->mass;
        first = ctMulAdd(first, unit->mass, ctTransformPoint(leaves[i].pose, unit->center));
    }
    sum.center = ctScale(1.0 / sum.mass, first);
    for (int i = 0; i < count; i++) {
        const ctMassProperties *unit = &leaves[i].shape->unit;
        ctMat3 r = ctMat3FromQuat(leaves[i].pose.q);
        ctMat3 turned = ctMulMM(r, ctMulMM(unit->inertia, ctTranspose(r)));
        ctVec3 d = ctSub(ctTransformPoint(leaves[i].pose, unit->center), sum.center);
        sum.inertia = ctAddMM(sum.inertia, ctAddMM(turned, ctScaleM(unit->mass, parallelAxis(d))));
    }
    // Exactly symmetric, as users of the tensor expect.
    ctMat3 t = sum.inertia;
    sum.inertia = ctMat3Symmetric(t.cx.x, 0.5 * (t.cx.y + t.cy.x), 0.5 * (t.cx.z + t.cz.x), t.cy.y,
                                  0.5 * (t.cy.z + t.cz.y), t.cz.z);
    return sum;
}

ctMassProperties ctShape_Mass(const ctShape *shape, double density)
{
    ctMassProperties m = shape->unit;
    m.mass *= density;
    m.inertia = ctScaleM(density, m.inertia);
    return m;
}

void ctMass_Principal(const ctMassProperties *mass, ctVec3 *moments, ctMat3 *axes)
{
    ctEigenSymmetric(mass->inertia, moments, axes);
}
