#include "collision/quat.h"

ctQuat ctQuatExp(ctVec3 a)
{
    double half2 = 0.25 * ctLengthSquared(a);
    double c, s; // cos(|a|/2), sin(|a|/2)/|a|
    if (half2 < 1e-3) {
        // The series of sin(h)/h and cos(h) in h², short enough and exact to rounding here.
        s = 0.5 * (1.0 - half2 / 6.0 * (1.0 - half2 / 20.0 * (1.0 - half2 / 42.0 * (1.0 - half2 / 72.0))));
        c = 1.0 - half2 / 2.0 * (1.0 - half2 / 12.0 * (1.0 - half2 / 30.0 * (1.0 - half2 / 56.0)));
    } else {
        double half = sqrt(half2);
        ctSinCos(half, &s, &c);
        s = 0.5 * s / half;
    }
    return ctQuatOf(c, s * a.x, s * a.y, s * a.z);
}

ctVec3 ctQuatLog(ctQuat q)
{
    ctVec3 v = ctV3(q.x, q.y, q.z);
    double w = q.w;
    if (w < 0.0) {
        v = ctNeg(v);
        w = -w;
    }
    double s = ctLength(v);
    if (s < 1e-8) {
        return ctScale(2.0 / (w > 0.0 ? w : 1.0), v);
    }
    return ctScale(2.0 * ctAtan2(s, w) / s, v);
}

ctQuat ctQuatFromMat3(ctMat3 r)
{
    // The largest of the four squared components is at least 1/4: dividing by it is safe (Shepperd 1978).
    double xx = r.cx.x, yy = r.cy.y, zz = r.cz.z, trace = xx + yy + zz;
    ctQuat q;
    if (trace >= xx && trace >= yy && trace >= zz) {
        q = ctQuatOf(1.0 + trace, r.cy.z - r.cz.y, r.cz.x - r.cx.z, r.cx.y - r.cy.x);
    } else if (xx >= yy && xx >= zz) {
        q = ctQuatOf(r.cy.z - r.cz.y, 1.0 + xx - yy - zz, r.cy.x + r.cx.y, r.cz.x + r.cx.z);
    } else if (yy >= zz) {
        q = ctQuatOf(r.cz.x - r.cx.z, r.cy.x + r.cx.y, 1.0 + yy - xx - zz, r.cz.y + r.cy.z);
    } else {
        q = ctQuatOf(r.cx.y - r.cy.x, r.cz.x + r.cx.z, r.cz.y + r.cy.z, 1.0 + zz - xx - yy);
    }
    return ctNormalizeQ(q);
}
