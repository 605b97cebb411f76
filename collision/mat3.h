// 3x3 matrices by columns: products, inverses, solves, symmetric eigen-decomposition.
#ifndef CT_MAT3_H
#define CT_MAT3_H

#include "collision/vec3.h"

static inline ctMat3 ctMat3Columns(ctVec3 cx, ctVec3 cy, ctVec3 cz)
{
    ctMat3 m = {cx, cy, cz};
    return m;
}

static inline ctMat3 ctMat3Diagonal(double a, double b, double c)
{
    return ctMat3Columns(ctV3(a, 0.0, 0.0), ctV3(0.0, b, 0.0), ctV3(0.0, 0.0, c));
}

static inline ctMat3 ctMat3Identity(void)
{
    return ctMat3Diagonal(1.0, 1.0, 1.0);
}

static inline ctMat3 ctMat3Zero(void)
{
    return ctMat3Diagonal(0.0, 0.0, 0.0);
}

static inline ctMat3 ctMat3Symmetric(double xx, double xy, double xz, double yy, double yz, double zz)
{
    return ctMat3Columns(ctV3(xx, xy, xz), ctV3(xy, yy, yz), ctV3(xz, yz, zz));
}

// [a]: the matrix with [a] b = a cross b.
static inline ctMat3 ctMat3Skew(ctVec3 a)
{
    return ctMat3Columns(ctV3(0.0, a.z, -a.y), ctV3(-a.z, 0.0, a.x), ctV3(a.y, -a.x, 0.0));
}

// a bᵀ
static inline ctMat3 ctMat3Outer(ctVec3 a, ctVec3 b)
{
    return ctMat3Columns(ctScale(b.x, a), ctScale(b.y, a), ctScale(b.z, a));
}

static inline ctVec3 ctMulMV(ctMat3 m, ctVec3 v)
{
    return ctV3(m.cx.x * v.x + m.cy.x * v.y + m.cz.x * v.z, m.cx.y * v.x + m.cy.y * v.y + m.cz.y * v.z,
                m.cx.z * v.x + m.cy.z * v.y + m.cz.z * v.z);
}

// mᵀ v
static inline ctVec3 ctMulTMV(ctMat3 m, ctVec3 v)
{
    return ctV3(ctDot(m.cx, v), ctDot(m.cy, v), ctDot(m.cz, v));
}

static inline ctMat3 ctMulMM(ctMat3 a, ctMat3 b)
{
    return ctMat3Columns(ctMulMV(a, b.cx), ctMulMV(a, b.cy), ctMulMV(a, b.cz));
}

static inline ctMat3 ctTranspose(ctMat3 m)
{
    return ctMat3Columns(ctV3(m.cx.x, m.cy.x, m.cz.x), ctV3(m.cx.y, m.cy.y, m.cz.y), ctV3(m.cx.z, m.cy.z, m.cz.z));
}

static inline ctMat3 ctAddMM(ctMat3 a, ctMat3 b)
{
    return ctMat3Columns(ctAdd(a.cx, b.cx), ctAdd(a.cy, b.cy), ctAdd(a.cz, b.cz));
}

static inline ctMat3 ctSubMM(ctMat3 a, ctMat3 b)
{
    return ctMat3Columns(ctSub(a.cx, b.cx), ctSub(a.cy, b.cy), ctSub(a.cz, b.cz));
}

static inline ctMat3 ctScaleM(double s, ctMat3 m)
{
    return ctMat3Columns(ctScale(s, m.cx), ctScale(s, m.cy), ctScale(s, m.cz));
}

static inline double ctDeterminant(ctMat3 m)
{
    return ctDot(m.cx, ctCross(m.cy, m.cz));
}

static inline double ctTrace(ctMat3 m)
{
    return m.cx.x + m.cy.y + m.cz.z;
}

// R diag(d) Rᵀ, exactly symmetric.
static inline ctMat3 ctRotateDiagonal(ctMat3 r, ctVec3 d)
{
    ctVec3 a = ctScale(d.x, r.cx), b = ctScale(d.y, r.cy), c = ctScale(d.z, r.cz);
    double xx = a.x * r.cx.x + b.x * r.cy.x + c.x * r.cz.x;
    double xy = a.x * r.cx.y + b.x * r.cy.y + c.x * r.cz.y;
    double xz = a.x * r.cx.z + b.x * r.cy.z + c.x * r.cz.z;
    double yy = a.y * r.cx.y + b.y * r.cy.y + c.y * r.cz.y;
    double yz = a.y * r.cx.z + b.y * r.cy.z + c.y * r.cz.z;
    double zz = a.z * r.cx.z + b.z * r.cy.z + c.z * r.cz.z;
    return ctMat3Symmetric(xx, xy, xz, yy, yz, zz);
}

// The inverse by cofactors. The caller knows that m is far from singular; ctSolve is for the rest.
static inline ctMat3 ctInverse(ctMat3 m)
{
    ctVec3 r0 = ctCross(m.cy, m.cz), r1 = ctCross(m.cz, m.cx), r2 = ctCross(m.cx, m.cy);
    double inv = 1.0 / ctDot(m.cx, r0);
    return ctTranspose(ctMat3Columns(ctScale(inv, r0), ctScale(inv, r1), ctScale(inv, r2)));
}

bool ctIsFiniteM(ctMat3 m);

// Solve m x = b by elimination with complete pivoting and one step of refinement.
// False, and *x = 0, when m is singular to working precision.
bool ctSolve(ctMat3 m, ctVec3 b, ctVec3 *x);

// The eigenvalues of a symmetric matrix in ascending order (d.x <= d.y <= d.z) and a proper rotation
// whose columns are the eigenvectors: m = R diag(d) Rᵀ. Cyclic Jacobi: eigenvectors are orthonormal
// to rounding even where eigenvalues coincide. Only the upper triangle of m is read.
void ctEigenSymmetric(ctMat3 m, ctVec3 *d, ctMat3 *r);

// True when a symmetric matrix is positive definite (Sylvester's criterion, scaled to unit diagonal).
bool ctIsPositiveDefinite(ctMat3 m);

#endif
