// The laws that give the impulse without following the impact: Chatterjee & Ruina's, and those that
// their paper reviews (Whittaker, Smith, and the bilinear law of spheres and discs).
//
// Their V is our u, their M our K^-1, their index 1 our z. Numbers are those of their equations.
#include "engine/impact/impact_internal.h"

void ctFinishStraight(const ctImpactInput *in, ctImpactResult *out)
{
    // Along the straight path t p, 0 <= t <= 1, the work of each component is p_i (u_i + v_i) / 2.
    const ctVec3 sum = ctAdd(in->u, out->v);
    out->restitutionLoss = -0.5 * out->p.z * sum.z;
    out->frictionLoss = -0.5 * (out->p.x * sum.x + out->p.y * sum.y);
    double before = sqrt(in->u.x * in->u.x + in->u.y * in->u.y),
           after = sqrt(out->v.x * out->v.x + out->v.y * out->v.y);
    if (after <= 1e-12 * (before + fabs(in->u.z))) {
        out->mode = ct_impactStick;
    } else {
        out->mode = in->u.x * out->v.x + in->u.y * out->v.y < 0.0 ? ct_impactReverseSlide : ct_impactSlide;
    }
}

// v = u + K p, with v_z given: the laws here prescribe it, and a sum would only add rounding.
static void setVelocity(const ctImpactInput *in, const ctCollisionMatrix *k, double vz, ctImpactResult *out)
{
    const ctVec3 p = out->p;
    out->v.x = in->u.x + (k->b11 * p.x + k->b12 * p.y + k->d1 * p.z);
    out->v.y = in->u.y + (k->b12 * p.x + k->b22 * p.y + k->d2 * p.z);
    out->v.z = vz;
}

void ctSolveAlgebraic(const ctImpactInput *in, const ctCollisionMatrix *k, ctImpactResult *out)
{
    const double e = in->e, et = in->et, mu = in->mu;
    double pI = -in->u.z / k->k33; // equation 3: no friction, no rebound
    // Equation 4: P_II = -M u, neither slip nor rebound.
    double z = (-in->u.z + k->stick1 * in->u.x + k->stick2 * in->u.y) / k->kappa, x, y;
    solveB(k, -in->u.x - k->d1 * z, -in->u.y - k->d2 * z, &x, &y);
    double tangential = sqrt(x * x + y * y);
    // Equation 10: the candidate P^; equations 12 to 14: clipped by the friction cone.
    double candidate = (1.0 + e) * pI + (1.0 + et) * (z - pI);
    double kappa = 1.0 + et;
    bool clipped = (1.0 + et) * tangential > mu * candidate;
    if (clipped) {
        kappa = mu * (1.0 + e) * pI / (tangential - mu * (z - pI));
    }
    double pz = (1.0 + e) * pI + kappa * (z - pI); // equation 11
    if (clipped && mu > 1.0) {
        pz = kappa * tangential / mu; // the same on the cone, without the cancellation of a steep one
    }
    out->p = ctV3(kappa * x, kappa * y, pz);
    out->steps = 0;
    setVelocity(in, k, -e * in->u.z, out);
    ctFinishStraight(in, out);
}

void ctSolveBilinear(const ctImpactInput *in, ctImpactResult *out)
{
    // Equation 9, with M22 = 1/K11 and M33 = 1/K22.
    const double e = in->e;
    double pz = -(1.0 + e) * in->u.z / in->K.cz.z;
    double x = -(1.0 + in->et) * in->u.x / in->K.cx.x, y = -(1.0 + in->et) * in->u.y / in->K.cy.y;
    double size = sqrt(x * x + y * y), limit = in->mu * pz, share = size > limit ? limit / size : 1.0;
    out->p = ctV3(share * x, share * y, pz);
    out->v = ctV3(in->u.x + in->K.cx.x * out->p.x, in->u.y + in->K.cy.y * out->p.y, -e * in->u.z);
    out->steps = 0;
    ctFinishStraight(in, out);
}

// ---- Whittaker ------------------------------------------------------------------------------------

// With sliding at the end in the direction w = (c, s), p_t = -mu p_z w and v_z = -e u_z give
//     p_z kz(w) = -(1 + e) u_z,   v_t = u_t + p_z h(w)   (h, kz as in impact/flow.h),
// and v_t must be along w. Multiplied by kz, its components across and along w are:
typedef struct Whittaker {
    ctFlow flow;
    double ux, uy, q; // u_t, -(1 + e) u_z
} Whittaker;

static double acrossWhittaker(const Whittaker *k, double angle, double *along, double *kz)
{
    double c, s;
    ctSinCos(angle, &s, &c);
    ctFlowLocal l = flowLocal(&k->flow, c, s);
    *kz = l.kz;
    *along = (c * k->ux + s * k->uy) * l.kz + k->q * l.g;
    return (c * k->uy - s * k->ux) * l.kz + k->q * l.f;
}

void ctSolveWhittaker(const ctImpactInput *in, const ctCollisionMatrix *k, ctImpactResult *out)
{
    const double mu = in->mu, q = -(1.0 + in->e) * in->u.z;
    out->steps = 0;
    // Sticking at the end: K p = (-u_t, q).
    double z = (q + k->stick1 * in->u.x + k->stick2 * in->u.y) / k->kappa, x, y;
    solveB(k, -in->u.x - k->d1 * z, -in->u.y - k->d2 * z, &x, &y);
    if (sqrt(x * x + y * y) <= mu * z) {
        out->p = ctV3(x, y, z);
        out->v = ctV3(0.0, 0.0, -in->e * in->u.z);
        ctFinishStraight(in, out);
        return;
    }
    const Whittaker w = {
        {mu * k->b11, mu * k->b12, mu * k->b22, k->d1, k->d2, mu * k->d1, mu * k->d2, k->k33, mu}, in->u.x, in->u.y, q};
    // The condition is a trigonometric polynomial of degree two: four roots at most. Of those that push and
    // slide the right way the one nearest to the direction of approach is taken.
    enum { PARTS = 720 };
    double start = ctAtan2(in->u.y, in->u.x), along, kz, best = INFINITY;
    out->mode = ct_impactInvalid;
    // Each edge of two parts is looked at once, the last being the first again: no root falls between the parts.
    double first = acrossWhittaker(&w, start - CT_PI, &along, &kz), next = first;
    for (int i = 0; i < PARTS; i++) {
        double lo = -CT_PI + 2.0 * CT_PI * i / PARTS, hi = -CT_PI + 2.0 * CT_PI * (i + 1) / PARTS, atLo = next;
        next = i + 1 < PARTS ? acrossWhittaker(&w, start + hi, &along, &kz) : first;
        if (!(atLo == 0.0 || (atLo < 0.0 && next > 0.0) || (atLo > 0.0 && next < 0.0))) {
            continue;
        }
        for (int j = 0; j < 60; j++) {
            double middle = 0.5 * (lo + hi), at = acrossWhittaker(&w, start + middle, &along, &kz);
            if ((at > 0.0 && atLo > 0.0) || (at < 0.0 && atLo < 0.0)) {
                lo = middle;
            } else {
                hi = middle;
            }
        }
        acrossWhittaker(&w, start + lo, &along, &kz);
        if (kz > 0.0 && along >= 0.0 && fabs(lo) < best) {
            double c, s, pz = q / kz;
            ctSinCos(start + lo, &s, &c);
            best = fabs(lo);
            out->p = ctV3(-mu * pz * c, -mu * pz * s, pz);
            setVelocity(in, k, -in->e * in->u.z, out);
            ctFinishStraight(in, out);
        }
    }
}

// ---- Smith ----------------------------------------------------------------------------------------

// Equation 8 for a given v_t: p_t = -mu p_z t with t = (u_t |u_t| + v_t |v_t|) / (|u_t|^2 + |v_t|^2), and p_z
// from the normal restitution, scaled by `share`. The residual is u_t + (K p)_t - v_t.
static bool smithResidual(const ctImpactInput *in, const ctCollisionMatrix *k, double share, double vx, double vy,
                          double *rx, double *ry, ctVec3 *p)
{
    double before = sqrt(in->u.x * in->u.x + in->u.y * in->u.y), after = sqrt(vx * vx + vy * vy);
    double sum = before * before + after * after;
    double tx = sum > 0.0 ? -in->mu * (in->u.x * before + vx * after) / sum : 0.0;
    double ty = sum > 0.0 ? -in->mu * (in->u.y * before + vy * after) / sum : 0.0;
    double kz = k->k33 + k->d1 * tx + k->d2 * ty;
    if (!(kz > 0.0)) {
        return false; // only solutions that pull: rejected, as the paper says
    }
    double pz = -share * (1.0 + in->e) * in->u.z / kz;
    *p = ctV3(pz * tx, pz * ty, pz);
    *rx = in->u.x + pz * (k->b11 * tx + k->b12 * ty + k->d1) - vx;
    *ry = in->u.y + pz * (k->b12 * tx + k->b22 * ty + k->d2) - vy;
    return true;
}

// Newton's method with a difference quotient for v_t at one value of share; true when it converged.
static bool smithSolve(const ctImpactInput *in, const ctCollisionMatrix *k, double share, double *vx, double *vy,
                       ctVec3 *p)
{
    double scale = ctLength(in->u), x = *vx, y = *vy, rx, ry;
    for (int i = 0; i < 40; i++) {
        ctVec3 unused;
        double h = 1e-7 * scale, ax, ay, bx, by;
        if (!smithResidual(in, k, share, x, y, &rx, &ry, p) ||
            !smithResidual(in, k, share, x + h, y, &ax, &ay, &unused) ||
            !smithResidual(in, k, share, x, y + h, &bx, &by, &unused)) {
            return false;
        }
        if (fabs(rx) + fabs(ry) <= 1e-13 * scale) {
            *vx = x;
            *vy = y;
            return true;
        }
        double j11 = (ax - rx) / h, j21 = (ay - ry) / h, j12 = (bx - rx) / h, j22 = (by - ry) / h;
        double det = j11 * j22 - j12 * j21;
        if (!(fabs(det) > 1e-12)) {
            return false;
        }
        double dx = -(j22 * rx - j12 * ry) / det, dy = -(j11 * ry - j21 * rx) / det;
        double most = sqrt(dx * dx + dy * dy), damp = most > 0.5 * scale ? 0.5 * scale / most : 1.0;
        x += damp * dx;
        y += damp * dy;
    }
    return false;
}

void ctSolveSmith(const ctImpactInput *in, const ctCollisionMatrix *k, ctImpactResult *out)
{
    // Followed from share = 0, where v = u and p = 0, as the paper draws it by raising e from -1.
    double vx = in->u.x, vy = in->u.y, done = 0.0, stride = 0.1;
    out->mode = ct_impactInvalid;
    out->steps = 0;
    if (vx == 0.0 && vy == 0.0) {
        // t is discontinuous at v_t = 0 here; the law is then Whittaker's, with p_t against v_t.
        ctSolveWhittaker(in, k, out);
        return;
    }
    for (int i = 0; i < 400 && done < 1.0; i++) {
        double share = ctFmin(1.0, done + stride), x = vx, y = vy;
        ctVec3 p;
        if (smithSolve(in, k, share, &x, &y, &p)) {
            vx = x;
            vy = y;
            done = share;
            stride *= 1.5;
            out->p = p;
        } else {
            stride *= 0.4;
        }
    }
    if (done == 1.0) {
        out->v = ctV3(vx, vy, -in->e * in->u.z);
        ctFinishStraight(in, out);
    }
}
