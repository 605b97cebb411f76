#include "collision/mat3.h"

bool ctIsFiniteM(ctMat3 m)
{
    return ctIsFinite3(m.cx) && ctIsFinite3(m.cy) && ctIsFinite3(m.cz);
}

static void toArray(ctMat3 m, double a[3][3])
{
    const ctVec3 c[3] = {m.cx, m.cy, m.cz};
    for (int j = 0; j < 3; j++) {
        a[0][j] = c[j].x;
        a[1][j] = c[j].y;
        a[2][j] = c[j].z;
    }
}

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

// Gaussian elimination with complete pivoting; a and b are destroyed.
static bool eliminate(double a[3][3], double b[3], double x[3])
{
    int column[3] = {0, 1, 2};
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        int pi = k, pj = k;
        for (int i = k; i < 3; i++) {
            for (int j = k; j < 3; j++) {
                if (fabs(a[i][j]) > fabs(a[pi][pj])) {
                    pi = i;
                    pj = j;
                }
            }
        }
        double pivot = fabs(a[pi][pj]);
        largest = k == 0 ? pivot : largest;
        if (!(pivot > 4e-16 * largest)) {
            return false;
        }
        for (int j = 0; j < 3; j++) {
            swap(&a[k][j], &a[pi][j]);
        }
        swap(&b[k], &b[pi]);
        for (int i = 0; i < 3; i++) {
            swap(&a[i][k], &a[i][pj]);
        }
        int c = column[k];
        column[k] = column[pj];
        column[pj] = c;
        for (int i = k + 1; i < 3; i++) {
            double f = a[i][k] / a[k][k];
            for (int j = k; j < 3; j++) {
                a[i][j] -= f * a[k][j];
            }
            b[i] -= f * b[k];
        }
    }
    double y[3];
    y[2] = b[2] / a[2][2];
    y[1] = (b[1] - a[1][2] * y[2]) / a[1][1];
    y[0] = (b[0] - a[0][1] * y[1] - a[0][2] * y[2]) / a[0][0];
    for (int k = 0; k < 3; k++) {
        x[column[k]] = y[k];
    }
    return true;
}

bool ctSolve(ctMat3 m, ctVec3 b, ctVec3 *x)
{
    double a[3][3], rhs[3] = {b.x, b.y, b.z}, y[3];
    *x = ctZero3();
    toArray(m, a);
    if (!eliminate(a, rhs, y)) {
        return false;
    }
    ctVec3 first = ctV3(y[0], y[1], y[2]);
    ctVec3 residual = ctSub(b, ctMulMV(m, first));
    double r[3] = {residual.x, residual.y, residual.z};
    toArray(m, a);
    if (!eliminate(a, r, y)) {
        return false;
    }
    *x = ctAdd(first, ctV3(y[0], y[1], y[2]));
    return ctIsFinite3(*x);
}

// One Jacobi rotation in the plane (p, q) that makes a[p][q] zero; v collects the rotations.
static void jacobiRotate(double a[3][3], double v[3][3], int p, int q)
{
    double apq = a[p][q];
    if (apq == 0.0) {
        return;
    }
    double theta = 0.5 * (a[q][q] - a[p][p]) / apq;
    double t = copysign(1.0, theta) / (fabs(theta) + sqrt(1.0 + theta * theta));
    double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    int r = 3 - p - q;
    double arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int i = 0; i < 3; i++) {
        double vp = v[i][p], vq = v[i][q];
        v[i][p] = c * vp - s * vq;
        v[i][q] = s * vp + c * vq;
    }
}

void ctEigenSymmetric(ctMat3 m, ctVec3 *d, ctMat3 *r)
{
    double a[3][3], v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    toArray(m, a);
    a[1][0] = a[0][1];
    a[2][0] = a[0][2];
    a[2][1] = a[1][2];
    // Convergence is quadratic: six sweeps suffice for every symmetric matrix; the cap is generous.
    for (int sweep = 0; sweep < 20; sweep++) {
        double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
        double diag = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
        if (!(off > 1e-300 + 1e-17 * diag)) {
            break;
        }
        jacobiRotate(a, v, 0, 1);
        jacobiRotate(a, v, 0, 2);
        jacobiRotate(a, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (a[order[j]][order[j]] > a[order[j + 1]][order[j + 1]]) {
                int t = order[j];
                order[j] = order[j + 1];
                order[j + 1] = t;
            }
        }
    }
    *d = ctV3(a[order[0]][order[0]], a[order[1]][order[1]], a[order[2]][order[2]]);
    ctVec3 x = ctV3(v[0][order[0]], v[1][order[0]], v[2][order[0]]);
    ctVec3 y = ctV3(v[0][order[1]], v[1][order[1]], v[2][order[1]]);
    x = ctNormalize(x);
    y = ctNormalize(ctMulAdd(y, -ctDot(x, y), x));
    *r = ctMat3Columns(x, y, ctCross(x, y));
}

bool ctIsPositiveDefinite(ctMat3 m)
{
    if (!ctIsFiniteM(m) || !(m.cx.x > 0.0) || !(m.cy.y > 0.0) || !(m.cz.z > 0.0)) {
        return false;
    }
    double a = sqrt(m.cx.x), b = sqrt(m.cy.y), c = sqrt(m.cz.z);
    double xy = m.cy.x / a / b, xz = m.cz.x / a / c, yz = m.cz.y / b / c;
    double minor = 1.0 - xy * xy;
    double determinant = minor - xz * xz - yz * yz + 2.0 * xy * xz * yz;
    return minor > 0.0 && determinant > 0.0;
}
