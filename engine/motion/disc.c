// A body of revolution that rolls or slides on a level ground: the equations of motion/motion.c in a frame that turns
// with the point of contact.
//
// E3 is the axis of the body, E1 the direction across it that leads to the point of contact, E2 = E3 x E1. With n the
// ground's normal, -n = rho E1 + z E3, where rho is the sine of the tilt. E2 is level, and so is T = -z E1 + rho E3; T,
// E2 and n are a right-handed frame, too. The rim of radius R lies Z above the centre of mass along E3 and is rounded
// by c; the inertia is A about E1 and E2, C about E3. Then the point of contact is at r = t T + h n,
//     t = Z rho - R z,   h = -(R rho + Z z + c),   t' = w2 (h + c),   h' = -w2 t,
// with the spin w = w1 E1 + w2 E2 + w3 E3. The two frames go round n at p = -w1 / rho, and
//     rho' = -w2 z,   z' = w2 rho,   w1' = al1 - (w3 - s) w2,   w2' = al2 + (w3 - s) w1,   w3' = al3,   s = w1 z / rho,
// with the angular acceleration al = (r x F + torque - w x Iw) / I. The velocity u of the matter at the point of
// contact is level; as seen in T and E2 it changes by (K F + ...) - p n x u. Its place x + i y is e^(i phi) (zT + i
// z2), phi' = p,
//     zT' = vT + p z2,   z2' = v2 - p zT,
// from an origin that is chosen so that the two change little. So nothing changes at all while a disc rolls around
// steadily, however fast it does, and steps are as long as its nodding allows. No rate needs trigonometry, and n.u = 0
// and the gap need no correction.
#include "engine/motion/motion_internal.h"

// [range] Slip or spin slower than this share of other speeds is zero.
#define TINY 1e-300
// Turn of the frame in a step (rad) up to which the origin of the place is the centre. Larger: places lose digits;
// smaller: more time.
#define LITTLE 0.3

// ---- to and from the world --------------------------------------------------------------------

bool ctDisc_Enter(ctRoller *b, const double *y, double *d)
{
    const ctLathe *l = &b->shape->u.lathe;
    ctQuat q = ctRoll_Orientation(y);
    ctVec3 w = ctRotate(q, ctRoll_Get(y, ct_rollW)), v = ctRoll_Get(y, ct_rollV);
    ctMat3 m = ctMat3FromQuat(b->turned ? ctMulQ(q, ctConjugate(b->frame)) : q);
    ctVec3 down = ctMulTMV(m, ctNeg(b->n));
    double rho = sqrt(down.x * down.x + down.y * down.y);
    if (!(rho > CT_ROLL_FLAT)) {
        return false;
    }
    b->rim = l->r[b->code];
    b->rimHeight = l->z[b->code] - b->center.z;
    if (!(b->rim > 0.0)) {
        return false;
    }
    ctVec3 e1 = ctMulMV(m, ctV3(down.x / rho, down.y / rho, 0.0)), e2 = ctCross(m.cz, e1);
    b->t0 = ctCross(e2, b->n);
    b->e0 = e2;
    b->psiCos = down.x / rho; // the body's x axis from E1
    b->psiSin = -down.y / rho;
    b->origin = ctRoll_Get(y, ct_rollX);
    d[ct_discRho] = rho;
    d[ct_discZ] = down.z;
    d[ct_discW] = ctDot(w, e1);
    d[ct_discW + 1] = ctDot(w, e2);
    d[ct_discW + 2] = ctDot(w, m.cz);
    double t = b->rimHeight * rho - b->rim * down.z, h = -(b->rim * rho + b->rimHeight * down.z + b->shape->round);
    ctVec3 u = ctAdd(v, ctCross(w, ctMulAdd(ctScale(t, b->t0), h, b->n)));
    d[ct_discU] = ctDot(u, b->t0);
    d[ct_discU + 1] = ctDot(u, b->e0);
    d[ct_discPhi] = d[ct_discPsi] = d[ct_discPlace] = d[ct_discPlace + 1] = 0.0;
    d[ct_discWork] = y[ct_rollWork];
    d[ct_discX] = d[ct_discX + 1] = d[14] = d[15] = 0.0;
    return true;
}

void ctDisc_Leave(ctRoller *b, const double *d, double *y, double *rates)
{
    double k[ct_rollState];
    if (!ctDisc_Derive(b, d, k)) {
        b->contact[0] = b->contact[1] = b->contact[2] = 0.0;
        b->resist[0] = b->resist[1] = b->resist[2] = 0.0;
    }
    double rho = d[ct_discRho], z = d[ct_discZ], c, s, cp, sp;
    ctSinCos(d[ct_discPhi], &s, &c);
    ctVec3 t = ctMulAdd(ctScale(c, b->t0), s, b->e0), e2 = ctMulAdd(ctScale(c, b->e0), -s, b->t0), n = b->n;
    ctVec3 e1 = ctMulAdd(ctScale(-z, t), -rho, n), e3 = ctMulAdd(ctScale(rho, t), -z, n);
    ctSinCos(d[ct_discPsi], &sp, &cp);
    double ca = b->psiCos * cp - b->psiSin * sp, sa = b->psiSin * cp + b->psiCos * sp;
    ctMat3 m = ctMat3Columns(ctMulAdd(ctScale(ca, e1), sa, e2), ctMulAdd(ctScale(ca, e2), -sa, e1), e3);
    ctQuat q = ctNormalizeQ(ctQuatFromMat3(m));
    q = b->turned ? ctMulQ(q, b->frame) : q;
    double reach = b->rim * rho + b->rimHeight * z + b->shape->round, across = b->rimHeight * rho - b->rim * z;
    const double *at = d + ct_discPlace;
    ctVec3 x = ctMulAdd(ctMulAdd(b->origin, d[ct_discX] + c * at[0] - s * at[1], b->t0),
                        d[ct_discX + 1] + s * at[0] + c * at[1], b->e0);
    x = ctMulAdd(x, b->offset + reach - ctDot(n, x), n);
    b->arm = ctMulAdd(ctScale(across, t), -reach, n);
    const double *w = d + ct_discW, *u = d + ct_discU;
    ctVec3 spin = ctMulAdd(ctMulAdd(ctScale(w[0], e1), w[1], e2), w[2], e3);
    ctVec3 slip = ctMulAdd(ctScale(u[0], t), u[1], e2);
    ctRoll_Put(y, ct_rollX, x);
    ctRoll_Put(y, ct_rollV, ctSub(slip, ctCross(spin, b->arm)));
    ctRoll_Put(y, ct_rollW, ctInvRotate(q, spin));
    ctRoll_PutOrientation(y, q);
    y[ct_rollWork] = d[ct_discWork];
    b->force = ctMulAdd(ctMulAdd(ctScale(b->contact[0], t), b->contact[1], e2), b->contact[2], n);
    b->torque = ctMulAdd(ctMulAdd(ctScale(b->resist[0], t), b->resist[1], e2), b->resist[2], n);
    ctVec3 gain = ctMulAdd(ctMulAdd(ctScale(b->gain[0], e1), b->gain[1], e2), b->gain[2], e3);
    ctRoll_Put(rates, ct_rollV, ctMulAdd(b->gravity, b->invMass, b->force));
    ctRoll_Put(rates, ct_rollW, ctInvRotate(q, gain));
}

// ---- rates ------------------------------------------------------------------------------------

// The contact at a state: in T, E2, n unless said otherwise.
typedef struct Level {
    double rho, z, w1, w2, w3, wT, wn, uT, u2, p;
    double t, h, r1, r3;                // the arm; in E1 and E3
    double aT, a2, an;                  // u' without contact
    double f1, f2, fn;                  // al without contact, in E1, E2 and n
    double kTT, kTn, knn, k22;          // K
    double pushT, push2, pushN, twistN; // u' and n.al for the torque of the resistances, per load
    double qT, q2, qn;                  // that torque
    double lever, ann;                  // u'_2 and n.al for a torque about n
} Level;

static void look(const ctRoller *b, const double *d, Level *c)
{
    double a = b->across, round = b->shape->round;
    c->rho = d[ct_discRho];
    c->z = d[ct_discZ];
    c->w1 = d[ct_discW];
    c->w2 = d[ct_discW + 1];
    c->w3 = d[ct_discW + 2];
    c->uT = d[ct_discU];
    c->u2 = d[ct_discU + 1];
    c->p = -c->w1 / c->rho;
    c->wT = c->rho * c->w3 - c->z * c->w1;
    c->wn = -c->rho * c->w1 - c->z * c->w3;
    c->t = b->rimHeight * c->rho - b->rim * c->z;
    c->h = -(b->rim * c->rho + b->rimHeight * c->z + round);
    c->r1 = b->rim + round * c->rho;
    c->r3 = b->rimHeight + round * c->z;
    double bias = b->bias * c->w3; // (C - A) / A
    c->f1 = -bias * c->w2;
    c->f2 = bias * c->w1;
    c->fn = -c->rho * c->f1;
    double fT = -c->z * c->f1, runT = c->w2 * (c->h + round), runN = -c->w2 * c->t, run2 = c->p * c->t;
    c->aT = c->f2 * c->h + c->w2 * runN - c->wn * run2;
    c->a2 = c->fn * c->t - fT * c->h + c->wn * runT - c->wT * runN;
    c->an = b->pullN - c->f2 * c->t + c->wT * run2 - c->w2 * runT;
    c->kTT = b->invMass + a * c->h * c->h;
    c->knn = b->invMass + a * c->t * c->t;
    c->kTn = -a * c->h * c->t;
    c->k22 = b->invMass + a * c->r3 * c->r3 + b->along * c->r1 * c->r1;
    c->ann = a * c->rho * c->rho + b->along * c->z * c->z;
    c->lever = c->ann * c->t - c->rho * c->z * (a - b->along) * c->h;
}

// The torque per load of the resistance to rolling, and to spinning in the direction given (0: none).
static void resist(const ctRoller *b, Level *c, double direction)
{
    c->qT = c->q2 = c->qn = c->pushT = c->push2 = c->pushN = c->twistN = 0.0;
    if (b->rolling > 0.0) {
        double s = -b->rolling / sqrt(c->wT * c->wT + c->w2 * c->w2 + b->leastTurn * b->leastTurn);
        c->qT = s * c->wT;
        c->q2 = s * c->w2;
    }
    c->qn = direction * b->spinning;
    if (c->qT == 0.0 && c->q2 == 0.0 && c->qn == 0.0) {
        return;
    }
    double t1 = -b->across * (c->z * c->qT + c->rho * c->qn), t3 = b->along * (c->rho * c->qT - c->z * c->qn);
    double tT = c->rho * t3 - c->z * t1, t2 = b->across * c->q2;
    c->twistN = -c->rho * t1 - c->z * t3;
    c->pushT = t2 * c->h;
    c->push2 = c->twistN * c->t - tT * c->h;
    c->pushN = -t2 * c->t;
}

// The force on the body, in T, E2 and n. held: a torque about n stops the spin. False where the two separate, or
// sliding ends.
static bool solve(ctRoller *b, const Level *c, bool held, double *f)
{
    double a2 = c->a2, k22 = c->k22, push2 = c->push2;
    if (held) {
        double share = c->lever / c->ann;
        a2 -= share * (c->fn + b->grip * c->wn);
        push2 -= share * c->twistN;
        k22 -= share * c->lever;
    }
    double knn = c->knn + c->pushN, kTn = c->kTn + c->pushT, dT, d2;
    if (b->slides) {
        double speed = sqrt(c->uT * c->uT + c->u2 * c->u2);
        if (!(speed > b->leastSlip)) {
            return false;
        }
        double s = speed > 0.0 ? -b->friction / speed : 0.0;
        dT = s * c->uT;
        d2 = s * c->u2;
        f[2] = -c->an / (knn + c->kTn * dT);
        f[0] = f[2] * dT;
        f[1] = f[2] * d2;
        double changeT = c->aT + c->kTT * f[0] + kTn * f[2], change2 = a2 + k22 * f[1] + push2 * f[2];
        b->slowing = -(c->uT * changeT + c->u2 * change2) / (speed + TINY);
        b->stiffness = 3.0 * b->friction * f[2] * b->invMass / (speed + TINY);
        return f[2] > 0.0;
    }
    double aT = c->aT + b->grip * c->uT;
    a2 += b->grip * c->u2;
    double inv = 1.0 / (c->kTT * knn - kTn * c->kTn);
    f[0] = inv * (kTn * c->an - knn * aT);
    f[2] = inv * (c->kTn * aT - c->kTT * c->an);
    f[1] = -(a2 + push2 * f[2]) / k22;
    double size2 = f[0] * f[0] + f[1] * f[1], most = b->friction * f[2];
    if (f[2] > 0.0 && size2 <= most * most) {
        return true;
    }
    b->slipped = true;
    double s = b->friction / sqrt(size2 + TINY);
    dT = s * f[0];
    d2 = s * f[1];
    f[2] = -c->an / (knn + c->kTn * dT);
    f[0] = f[2] * dT;
    f[1] = f[2] * d2;
    return f[2] > 0.0;
}

// Force f and torque m under all resistances. The torque that holds the spin about n is bounded: beyond the bound it
// slips.
static bool balance(ctRoller *b, Level *c, double *f, double *m)
{
    double hold = 0.0;
    bool fast = fabs(c->wn) * b->grip > CT_ROLL_FAST_SPIN * b->spinning * b->weight * c->ann;
    bool held = b->spinning > 0.0 && !fast;
    resist(b, c, b->spinning > 0.0 && fast ? -copysign(1.0, c->wn) : 0.0);
    if (!solve(b, c, held, f)) {
        return false;
    }
    if (held) {
        hold = -(c->fn + b->grip * c->wn + c->lever * f[1] + c->twistN * f[2]) / c->ann;
        if (fabs(hold) > b->spinning * f[2]) {
            resist(b, c, copysign(1.0, hold));
            hold = 0.0;
            if (!solve(b, c, false, f)) {
                return false;
            }
        }
    }
    m[0] = c->qT * f[2];
    m[1] = c->q2 * f[2];
    m[2] = c->qn * f[2] + hold;
    return true;
}

bool ctDisc_Derive(ctRoller *b, const double *d, double *rates)
{
    Level c;
    double *f = b->contact, *m = b->resist;
    if (!(d[ct_discRho] > CT_ROLL_FLAT)) {
        return false;
    }
    look(b, d, &c);
    if (!balance(b, &c, f, m)) {
        return false;
    }
    double m1 = -c.r3 * f[1] - c.z * m[0] - c.rho * m[2], m3 = c.r1 * f[1] + c.rho * m[0] - c.z * m[2];
    double m2 = c.h * f[0] - c.t * f[2] + m[1], s = -c.p * c.z, own = c.w3 - s;
    double al1 = c.f1 + b->across * m1, al2 = c.f2 + b->across * m2, al3 = b->along * m3;
    // u' from al, so that it includes a torque that holds the spin.
    double alT = c.rho * al3 - c.z * al1, alN = -c.rho * al1 - c.z * al3;
    double runT = c.w2 * (c.h + b->shape->round), runN = -c.w2 * c.t, run2 = c.p * c.t;
    double gainT = b->invMass * f[0] + al2 * c.h + c.w2 * runN - c.wn * run2;
    double gain2 = b->invMass * f[1] + alN * c.t - alT * c.h + c.wn * runT - c.wT * runN;
    rates[ct_discRho] = -c.w2 * c.z;
    rates[ct_discZ] = c.w2 * c.rho;
    rates[ct_discW] = al1 - own * c.w2;
    rates[ct_discW + 1] = al2 + own * c.w1;
    rates[ct_discW + 2] = al3;
    rates[ct_discU] = gainT + c.p * c.u2;
    rates[ct_discU + 1] = gain2 - c.p * c.uT;
    rates[ct_discPhi] = c.p;
    rates[ct_discPsi] = own;
    rates[ct_discPlace] = c.uT - c.w2 * c.h + c.p * d[ct_discPlace + 1];
    rates[ct_discPlace + 1] = c.u2 - c.wn * c.t + c.wT * c.h - c.p * d[ct_discPlace];
    rates[ct_discWork] = f[0] * c.uT + f[1] * c.u2 + m[0] * c.wT + m[1] * c.w2 + m[2] * c.wn;
    b->gain[0] = al1;
    b->gain[1] = al2;
    b->gain[2] = al3;
    return true;
}

// ---- steps ------------------------------------------------------------------------------------

void ctDisc_Place(const ctRoller *b, double *d, double h, double *rates)
{
    double c, s, *at = d + ct_discPlace, *x = d + ct_discX;
    ctSinCos(d[ct_discPhi], &s, &c);
    double rho = d[ct_discRho], z = d[ct_discZ], w1 = d[ct_discW], w2 = d[ct_discW + 1], w3 = d[ct_discW + 2];
    double t = b->rimHeight * rho - b->rim * z, r = -(b->rim * rho + b->rimHeight * z + b->shape->round);
    double vT = d[ct_discU] - w2 * r, v2 = d[ct_discU + 1] + (rho * w1 + z * w3) * t + (rho * w3 - z * w1) * r;
    x[0] += c * at[0] - s * at[1];
    x[1] += s * at[0] + c * at[1];
    at[0] = at[1] = 0.0;
    rates[ct_discPlace] = vT;
    rates[ct_discPlace + 1] = v2;
    // At rest relative to the origin: zT = v2 / p, z2 = -vT / p.
    double p = -w1 / rho;
    if (fabs(p) * h > LITTLE) {
        at[0] = v2 / p;
        at[1] = -vT / p;
        rates[ct_discPlace] = rates[ct_discPlace + 1] = 0.0;
        x[0] -= c * at[0] - s * at[1];
        x[1] -= s * at[0] + c * at[1];
    }
}

void ctDisc_Project(const ctRoller *b, bool stop, double *d)
{
    double size = 1.0 / sqrt(d[ct_discRho] * d[ct_discRho] + d[ct_discZ] * d[ct_discZ]);
    d[ct_discRho] *= size;
    d[ct_discZ] *= size;
    if (!stop) {
        return;
    }
    Level c;
    look(b, d, &c);
    // The impulse that stops all slip, u += K P.
    double inv = 1.0 / (c.kTT * c.knn - c.kTn * c.kTn), pT = -inv * c.knn * c.uT, pn = inv * c.kTn * c.uT;
    double p2 = -c.u2 / c.k22;
    d[ct_discW] -= b->across * c.r3 * p2;
    d[ct_discW + 1] += b->across * (c.h * pT - c.t * pn);
    d[ct_discW + 2] += b->along * c.r1 * p2;
    d[ct_discU] = d[ct_discU + 1] = 0.0;
}

double ctDisc_Circling(const ctRoller *b, const double *d, double *arm)
{
    double rho = d[ct_discRho], z = d[ct_discZ], w2 = d[ct_discW + 1];
    double t = b->rimHeight * rho - b->rim * z, core = b->rim * rho + b->rimHeight * z, h = core + b->shape->round;
    double run2 = d[ct_discW] * t / rho;
    *arm = sqrt(t * t + h * h);
    return sqrt(w2 * w2 * (core * core + t * t) + run2 * run2) / *arm;
}

void ctDisc_Where(const ctRoller *b, const double *d, ctRollPlace *place)
{
    double c, s, rho = d[ct_discRho], z = d[ct_discZ];
    ctSinCos(d[ct_discPhi], &s, &c);
    double t = b->rimHeight * rho - b->rim * z, h = b->rim * rho + b->rimHeight * z + b->shape->round;
    double aT = d[ct_discPlace], a2 = d[ct_discPlace + 1];
    ctVec3 across = ctMulAdd(ctScale(c, b->t0), s, b->e0);
    ctVec3 x =
        ctMulAdd(ctMulAdd(b->origin, d[ct_discX] + c * aT - s * a2, b->t0), d[ct_discX + 1] + s * aT + c * a2, b->e0);
    place->x = ctMulAdd(x, b->offset + h - ctDot(b->n, x), b->n);
    place->axis = ctMulAdd(ctScale(rho, across), -z, b->n);
    place->foot = ctMulAdd(ctMulAdd(place->x, t, across), -h, b->n);
}
