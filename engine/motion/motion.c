// A body that rolls, slides or spins on one point of a flat, resting ground: a coin on its rim, a rattleback, a top.
//
// Everything below is in the body's frame: n the ground's normal, W the spin, I the inertia about the centre and
// A = 1/I. The shape touches the ground at the point r = p(d) that lies farthest along d = -n, where p, the gradient of
// the support function, has the derivative H(d), its Hessian (a circle of radius R about z: p = R e, H = (R/rho) t t'
// with e and t the unit vectors along and across the horizontal part of d, of length rho; an ellipsoid of radii^2 D:
// p = D d / h, H = (D - p p') / h, h = sqrt(d.Dd); a ball: H = its radius). While the body turns, d' = W x n: the point
// of contact runs along the surface at H d', and the velocity of the matter there, u = v + W x r, changes by
//     u' = K F + g + (A (T - W x IW)) x r + W x (W x r + H d'),       K = 1/m - [r] A [r],
// with the force F and the torque T of the resistances to rolling and spinning.
// Sliding: n.u' = 0 and F = F_n (n - mu u_t / |u_t|). Friction that holds: u' = -u / tau, three equations for F, so
// that slip dies out within the step; where that force would leave the cone, it keeps its direction and is as large as
// the cone allows. That is rolling, what comes before and after it, and the slow creep of a point that is dragged
// around, where the true law would turn the slip in no time. T = -F_n (rolling W_t / |W_t| + spinning sign(W_n) n);
// where the spin about n is about to come to rest T_n is what stops it and holds it, T_n = -(n.A(-W x IW) + W_n / tau +
// An.(r x F + ...)) / n.An, within the same bound. Either way the equations for F stay linear.
//
// Where the point parts, the motion is not smooth. What a step leaves of u and of a gap is put right after it.
#include "engine/motion/motion_internal.h"

#include "collision/support.h"

#include <string.h>

bool ctRoll_ShapePoint(const ctRoller *b, ctVec3 d, ctVec3 rate, ctVec3 *r, ctVec3 *run)
{
    const ctShape *s = b->shape;
    *run = ctScale(s->round, rate);
    if (s->type == ct_shapeLathe) {
        double rho2 = d.x * d.x + d.y * d.y, radius = s->u.lathe.r[b->code];
        if (!(rho2 > CT_ROLL_FLAT * CT_ROLL_FLAT)) {
            return false;
        }
        double inv = 1.0 / sqrt(rho2), across = radius * inv * inv * inv * (d.x * rate.y - d.y * rate.x);
        *r = ctMulAdd(ctV3(radius * inv * d.x, radius * inv * d.y, s->u.lathe.z[b->code]), s->round, d);
        run->x -= across * d.y;
        run->y += across * d.x;
    } else if (s->type == ct_shapeEllipsoid) {
        ctVec3 squares = ctMul(s->u.radii, s->u.radii);
        double inv = 1.0 / ctLength(ctMul(s->u.radii, d));
        *r = ctScale(inv, ctMul(squares, d));
        *run = ctScale(inv, ctMulAdd(ctMul(squares, rate), -ctDot(*r, rate), *r));
    } else {
        *r = ctScale(s->round, d);
    }
    *r = ctSub(*r, b->center);
    return true;
}

bool ctRoll_Point(const ctRoller *b, ctVec3 d, ctVec3 rate, ctVec3 *r, ctVec3 *run)
{
    if (!b->turned) {
        return ctRoll_ShapePoint(b, d, rate, r, run);
    }
    bool ok = ctRoll_ShapePoint(b, ctMulMV(b->axes, d), ctMulMV(b->axes, rate), r, run);
    *r = ctMulTMV(b->axes, *r);
    *run = ctMulTMV(b->axes, *run);
    return ok;
}

int ctRoll_LowestPiece(const ctRoller *b, ctQuat q)
{
    int code = 0;
    ctVec3 d = ctNeg(ctInvRotate(q, b->n));
    ctCoreSupport(b->shape, b->turned ? ctMulMV(b->axes, d) : d, &code);
    return code;
}

// The contact at a state; all in the body's frame.
typedef struct Contact {
    ctMat3 m; // to the world
    ctVec3 v, w, n, r, u, course;
    ctVec3 free;  // A (-W x IW)
    ctVec3 c;     // u' without contact
    ctVec3 an;    // A n
    ctVec3 lever; // A n x r: u' for a torque about n
    double ann;   // n.An
    double spin;  // W_n
} Contact;

static bool contactAt(ctRoller *b, const double *y, Contact *c)
{
    c->m = ctMat3FromQuat(ctRoll_Orientation(y));
    c->v = ctRoll_Get(y, ct_rollV);
    c->w = ctRoll_Get(y, ct_rollW);
    c->n = ctMulTMV(c->m, b->n);
    ctVec3 run;
    if (!ctRoll_Point(b, ctNeg(c->n), ctCross(c->w, c->n), &c->r, &run)) {
        return false;
    }
    ctVec3 turn = ctCross(c->w, c->r);
    c->u = ctAdd(ctMulTMV(c->m, c->v), turn);
    c->course = ctAdd(turn, run);
    c->free = ctMul(b->inverse, ctCross(ctMul(b->inertia, c->w), c->w));
    c->c = ctAdd(ctAdd(ctMulTMV(c->m, b->gravity), ctCross(c->free, c->r)), ctCross(c->w, c->course));
    c->an = ctMul(b->inverse, c->n);
    c->ann = ctDot(c->an, c->n);
    c->lever = ctCross(c->an, c->r);
    c->spin = ctDot(c->w, c->n);
    return true;
}

// K = 1/m - [r] A [r]
static ctMat3 mobilityAt(const ctRoller *b, ctVec3 r)
{
    ctVec3 a = b->inverse;
    double xx = r.x * r.x, yy = r.y * r.y, zz = r.z * r.z, m = b->invMass;
    return ctMat3Symmetric(m + a.y * zz + a.z * yy, -a.z * r.x * r.y, -a.y * r.x * r.z, m + a.x * zz + a.z * xx,
                           -a.x * r.y * r.z, m + a.x * yy + a.y * xx);
}

// The force for a torque F_n resist, and with held a further torque about n that stops the spin. False when the two
// separate.
static bool solveForce(ctRoller *b, const Contact *c, ctVec3 resist, bool held, ctVec3 *force)
{
    ctVec3 twist = ctMul(b->inverse, resist), push = ctCross(twist, c->r), a = c->c;
    ctMat3 k = mobilityAt(b, c->r);
    if (held) {
        push = ctMulAdd(push, -ctDot(twist, c->n) / c->ann, c->lever);
        a = ctMulAdd(a, -(ctDot(c->free, c->n) + b->grip * c->spin) / c->ann, c->lever);
        k = ctSubMM(k, ctMat3Outer(ctScale(1.0 / c->ann, c->lever), c->lever));
    }
    k = ctAddMM(k, ctMat3Outer(push, c->n));
    ctVec3 across;
    if (b->slides) {
        ctVec3 slip = ctMulAdd(c->u, -ctDot(c->u, c->n), c->n);
        double speed = ctLength(slip);
        if (!(speed > b->leastSlip)) {
            return false;
        }
        across = ctScale(speed > 0.0 ? -b->friction / speed : 0.0, slip);
    } else {
        a = ctMulAdd(a, b->grip, c->u);
        ctVec3 r0 = ctCross(k.cy, k.cz), r1 = ctCross(k.cz, k.cx), r2 = ctCross(k.cx, k.cy);
        double inv = -1.0 / ctDot(k.cx, r0);
        ctVec3 f = ctV3(inv * ctDot(r0, a), inv * ctDot(r1, a), inv * ctDot(r2, a));
        double fn = ctDot(f, c->n);
        ctVec3 tangential = ctMulAdd(f, -fn, c->n);
        double size = ctLength(tangential);
        *force = f;
        if (fn > 0.0 && size <= b->friction * fn) {
            return true;
        }
        b->slipped = true;
        across = ctScale(b->friction / size, tangential);
    }
    ctVec3 cone = ctAdd(c->n, across), response = ctMulMV(k, cone);
    double fn = -ctDot(c->n, a) / ctDot(c->n, response);
    *force = ctScale(fn, cone);
    if (b->slides) {
        ctVec3 change = ctMulAdd(a, fn, response); // u'
        double speed = ctLength(ctMulAdd(c->u, -ctDot(c->u, c->n), c->n));
        b->slowing = -ctDot(c->u, change) / (speed + 1e-300);
        b->stiffness = 3.0 * b->friction * fn * b->invMass / (speed + 1e-300);
    }
    return fn > 0.0;
}

// Force and torque under all resistances. The torque that holds the spin about n is bounded: beyond the bound it slips.
static bool resistAt(ctRoller *b, const Contact *c, ctVec3 *force, ctVec3 *torque)
{
    ctVec3 across = ctMulAdd(c->w, -c->spin, c->n), resist = ctZero3();
    if (b->rolling > 0.0) {
        resist = ctScale(-b->rolling / sqrt(ctLengthSquared(across) + b->leastTurn * b->leastTurn), across);
    }
    if (!(b->spinning > 0.0)) {
        bool ok = solveForce(b, c, resist, false, force);
        *torque = ctScale(ctDot(*force, c->n), resist);
        return ok;
    }
    // Fast spin slips, whatever the force.
    if (fabs(c->spin) * b->grip > CT_ROLL_FAST_SPIN * b->spinning * b->weight * c->ann) {
        resist = ctMulAdd(resist, -copysign(b->spinning, c->spin), c->n);
        bool ok = solveForce(b, c, resist, false, force);
        *torque = ctScale(ctDot(*force, c->n), resist);
        return ok;
    }
    if (!solveForce(b, c, resist, true, force)) {
        return false;
    }
    double fn = ctDot(*force, c->n);
    ctVec3 known = ctMulAdd(ctCross(c->r, *force), fn, resist);
    double hold = -(ctDot(c->free, c->n) + b->grip * c->spin + ctDot(c->an, known)) / c->ann;
    if (fabs(hold) > b->spinning * fn) {
        resist = ctMulAdd(resist, copysign(b->spinning, hold), c->n);
        bool ok = solveForce(b, c, resist, false, force);
        *torque = ctScale(ctDot(*force, c->n), resist);
        return ok;
    }
    *torque = ctMulAdd(ctScale(fn, resist), hold, c->n);
    return true;
}

bool ctRoll_Derive(ctRoller *b, const double *y, double *dy)
{
    Contact c;
    ctVec3 f, torque;
    if (!contactAt(b, y, &c) || !resistAt(b, &c, &f, &torque)) {
        return false;
    }
    b->force = ctMulMV(c.m, f);
    b->torque = ctMulMV(c.m, torque);
    b->arm = ctMulMV(c.m, c.r);
    ctRoll_Put(dy, ct_rollX, c.v);
    ctRoll_Put(dy, ct_rollV, ctMulAdd(b->gravity, b->invMass, b->force));
    ctRoll_Put(b->gain, 0, ctAdd(c.free, ctMul(b->inverse, ctAdd(ctCross(c.r, f), torque))));
    ctRoll_Put(dy, ct_rollW, ctRoll_Get(b->gain, 0));
    const double *q = y + ct_rollQ;
    dy[ct_rollQ] = -0.5 * (q[1] * c.w.x + q[2] * c.w.y + q[3] * c.w.z);
    dy[ct_rollQ + 1] = 0.5 * (q[0] * c.w.x + q[2] * c.w.z - q[3] * c.w.y);
    dy[ct_rollQ + 2] = 0.5 * (q[0] * c.w.y + q[3] * c.w.x - q[1] * c.w.z);
    dy[ct_rollQ + 3] = 0.5 * (q[0] * c.w.z + q[1] * c.w.y - q[2] * c.w.x);
    double slides = ctDot(f, c.u) - ctDot(f, c.n) * ctDot(c.u, c.n);
    dy[ct_rollWork] = slides + ctDot(torque, c.w);
    return true;
}

// ---- what a step leaves ------------------------------------------------------------------------

ctVec3 ctRoll_LowestPoint(const ctRoller *b, ctQuat q)
{
    ctVec3 r, run;
    bool ok = ctRoll_Point(b, ctNeg(ctInvRotate(q, b->n)), ctZero3(), &r, &run);
    return ok ? ctRotate(q, r) : ctZero3();
}

void ctRoll_Project(const ctRoller *b, bool stop, double *y)
{
    ctQuat q = ctNormalizeQ(ctRoll_Orientation(y));
    ctVec3 x = ctRoll_Get(y, ct_rollX), arm = ctRoll_LowestPoint(b, q), n = ctInvRotate(q, b->n),
           r = ctInvRotate(q, arm);
    ctVec3 w = ctRoll_Get(y, ct_rollW), v = ctInvRotate(q, ctRoll_Get(y, ct_rollV)), u = ctAdd(v, ctCross(w, r)), p;
    x = ctMulAdd(x, b->offset - ctDot(b->n, ctAdd(x, arm)), b->n);
    ctMat3 k = mobilityAt(b, r);
    if (stop) {
        p = ctNeg(ctMulMV(ctInverse(k), u));
    } else {
        p = ctScale(-ctDot(u, n) / ctDot(n, ctMulMV(k, n)), n);
    }
    v = ctMulAdd(v, b->invMass, p);
    ctRoll_Put(y, ct_rollX, x);
    ctRoll_Put(y, ct_rollV, ctRotate(q, v));
    ctRoll_Put(y, ct_rollW, ctAdd(w, ctMul(b->inverse, ctCross(r, p))));
    ctRoll_PutOrientation(y, q);
}
