// Friction of a ring: the flat end of a coin, a can or a cone, which touches a face with its whole rim.
//
// Loads. A normal force N and a torque R q x n about the centre (R: radius, n: normal; |q| <= N, or the ring tips over
// its edge) are carried by the loads, per turn of the unit vector e from the centre,
//     p(e) = N + 2 q.e                                             (|q| <= N / 2: linear in place, as on springs)
//     p(e) = (2 N - 2 |q|) (1 + e.q/|q|) + (2 |q| - N) at e = q/|q|       (beyond: none pulls; the edge takes the
//     rest).
// At |q| = N the edge carries everything: the ring then rests on one point of its rim.
//
// Friction. A ring whose centre slips with v and that spins with w about n has the slip v + w R n x e at e, and
// friction against it: -mu p(e) times its direction, everywhere. With a = |v|, b = |w| R, and the angle s from where
// both are parallel, the means around the ring
//     I0 = <1 / |u|>,   I1 = -<cos s / |u|>,   I2 = <cos^2 s / |u|>,   |u|^2 = a^2 + b^2 + 2 a b cos s,
// are complete elliptic integrals: with x = a + b, y = |a - b| and their arithmetic-geometric mean, whose differences
// are c_i = (x_i-1 - y_i-1) / 2,
//     I0 = 1 / mean,   I1 = I0 S / (2 a b),   I2 = I0 ((a^2 + b^2) S / (2 a^2 b^2) + 1) / 3,   S = sum 2^(i-1) c_i^2.
//
// Slip is a vector of three: v, and w R along n. Friction is one too: the force, and the torque about n divided by R.
#include "engine/motion/system_internal.h"

// [cap] Rounds of the arithmetic-geometric mean, and of the search for the direction in which a ring slips first.
#define MEANS 12
#define SEARCHES 20
// [method] The step of a difference in place of a derivative.
#define NUDGE 1e-6
// [rounding] Difference of the two speeds, as a share of their sum, at which the mean ends, and below which they count
// as this different: there one point of the ring does not slip.
#define ALIKE 1e-15

typedef struct Means {
    double i0, i1, i2;
} Means;

static Means meansOf(double a, double b)
{
    double most = ctFmax(a, b), least = ctFmin(a, b), x = a + b, y = ctFmax(fabs(a - b), ALIKE * x);
    double sum = 1.0, weight = 1.0, first = 0.5 * (x - y); // least, to rounding
    for (int i = 0; i < MEANS && x - y > ALIKE * x; i++) {
        double mean = 0.5 * (x + y), root = sqrt(x * y), c = 0.5 * (mean - root);
        x = mean;
        y = root;
        weight *= 2.0;
        sum += first > 0.0 ? weight * (c / first) * (c / first) : 0.0;
    }
    double inv = 1.0 / x, share = least / most;
    return (Means){inv, 0.5 * inv * sum * share, inv * (0.5 * (1.0 + share * share) * sum + 1.0) / 3.0};
}

// The slip of a ring in its own directions: along v, and where on the ring both parts of the slip are parallel.
typedef struct Slip {
    double a, b, sign;
    ctVec3 along, beside, parallel;
    Means means;
} Slip;

static Slip slipOf(ctVec3 n, ctVec3 slip)
{
    double spin = ctDot(slip, n);
    ctVec3 v = ctMulAdd(slip, -spin, n), y;
    Slip s = {.a = ctLength(v), .b = fabs(spin), .sign = spin < 0.0 ? -1.0 : 1.0};
    if (s.a > 0.0) {
        s.along = ctScale(1.0 / s.a, v);
    } else {
        ctFrameFromNormal(n, &s.along, &y);
    }
    s.beside = ctScale(s.sign, ctCross(n, s.along));
    s.parallel = ctScale(s.sign, ctCross(s.along, n));
    s.means = meansOf(s.a, s.b);
    return s;
}

// The mean direction of slip, weighted with e.x around the ring.
static ctVec3 weighted(const Slip *s, ctVec3 n, ctVec3 x)
{
    Means m = s->means;
    double p = ctDot(x, s->parallel), q = ctDot(x, s->along);
    ctVec3 sum = ctScale(p * (s->b * m.i2 - s->a * m.i1), s->along);
    sum = ctMulAdd(sum, q * s->b * (m.i0 - m.i2), s->beside);
    return ctMulAdd(sum, p * s->sign * (s->a * m.i2 - s->b * m.i1), n);
}

// The direction of slip at e, and how it changes when e turns by a radian towards aside.
static ctVec3 directionAt(ctVec3 n, ctVec3 slip, ctVec3 e, ctVec3 aside, ctVec3 *change)
{
    double spin = ctDot(slip, n);
    ctVec3 round = ctCross(n, e), u = ctMulAdd(ctMulAdd(slip, -spin, n), spin, round);
    double inv = 1.0 / ctFmax(ctLength(u), ALIKE * ctLength(slip));
    ctVec3 t = ctScale(inv, u), rate = ctScale(spin, ctCross(n, aside)), onward = ctCross(n, aside);
    ctVec3 turned = ctScale(inv, ctMulAdd(rate, -ctDot(rate, t), t));
    *change = ctMulAdd(turned, ctDot(turned, round) + ctDot(t, onward), n);
    return ctMulAdd(t, ctDot(t, round), n);
}

void ctRing_Friction(const ctSystemPoint *p, ctVec3 slip, ctRingFriction *f)
{
    double mu = p->friction, lean = ctLength(p->lean), load = ctDot(p->force, p->n);
    ctVec3 n = p->n;
    if (ctPoint_IsPartial(p)) {
        ctRegion_Friction(p, slip, f);
        return;
    }
    Slip s = slipOf(n, slip);
    Means m = s.means;
    ctVec3 even = ctMulAdd(ctScale(s.a * m.i0 - s.b * m.i1, s.along), s.sign * (s.b * m.i0 - s.a * m.i1), n);
    ctFrameFromNormal(n, &f->x, &f->y);
    f->linear = !(lean > 0.5 * load);
    if (f->linear) {
        f->load = ctScale(-mu, even);
        f->leanX = ctScale(-2.0 * mu, weighted(&s, n, f->x));
        f->leanY = ctScale(-2.0 * mu, weighted(&s, n, f->y));
        return;
    }
    ctVec3 e = ctScale(1.0 / lean, p->lean), aside = ctCross(n, e), change;
    ctVec3 lobe = ctAdd(even, weighted(&s, n, e)), edge = directionAt(n, slip, e, aside, &change);
    ctVec3 along = ctScale(2.0 * mu, ctSub(lobe, edge));
    ctVec3 across = ctScale((2.0 * load - 2.0 * lean) / lean, weighted(&s, n, aside));
    across = ctScale(-mu, ctMulAdd(across, (2.0 * lean - load) / lean, change));
    f->load = ctScale(-mu, ctMulAdd(ctScale(2.0, lobe), -1.0, edge));
    f->leanX = ctMulAdd(ctScale(ctDot(f->x, e), along), ctDot(f->x, aside), across);
    f->leanY = ctMulAdd(ctScale(ctDot(f->y, e), along), ctDot(f->y, aside), across);
}

// The friction at a slip, for the present loads: force, and torque divided by the radius along the normal.
static ctVec3 frictionAt(const ctSystemPoint *p, ctVec3 slip)
{
    ctRingFriction f;
    ctRing_Friction(p, slip, &f);
    ctVec3 force = ctScale(ctDot(p->force, p->n), f.load);
    return ctMulAdd(ctMulAdd(force, ctDot(p->lean, f.x), f.leanX), ctDot(p->lean, f.y), f.leanY);
}

// Friction holds a force unless there is a slip in which the force does more work than friction takes. Of slips in
// which the force does the same work, that is the one from which friction takes least. This is a convex function, whose
// slope is the friction itself: Newton's method finds its least value.
double ctRing_Hold(const ctSystemPoint *p, ctVec3 *slip)
{
    double load = ctDot(p->force, p->n), hold = p->friction * (load - 2.0 * ctLength(p->lean));
    ctVec3 force = ctMulAdd(p->force, ctDot(p->torque, p->n) / p->onA.radius - load, p->n), axes[2];
    double most = ctLength(force), spin = fabs(ctDot(force, p->n)), push = ctLength(ctPoint_Across(p, force));
    *slip = most > 0.0 ? ctScale(1.0 / most, force) : p->n;
    if (!ctPoint_IsPartial(p) && (spin + push <= 0.5 * hold || !(most > 0.0))) { // a ring holds at least twice as much
        return hold - spin - push;
    }
    if (most <= CT_SYSTEM_NONE * load) {
        return p->friction * load - most;
    }
    ctFrameFromNormal(*slip, &axes[0], &axes[1]);
    ctVec3 at = *slip, friction = frictionAt(p, at);
    for (int i = 0; i < SEARCHES; i++) {
        double g[2], h[2][2], power = -ctDot(friction, at);
        for (int k = 0; k < 2; k++) {
            ctVec3 beside = frictionAt(p, ctMulAdd(at, NUDGE, axes[k]));
            g[k] = -ctDot(friction, axes[k]);
            h[k][0] = (-ctDot(beside, axes[0]) + ctDot(friction, axes[0])) / NUDGE;
            h[k][1] = (-ctDot(beside, axes[1]) + ctDot(friction, axes[1])) / NUDGE;
        }
        double mixed = 0.5 * (h[0][1] + h[1][0]), det = h[0][0] * h[1][1] - mixed * mixed;
        double wayX = (mixed * g[1] - h[1][1] * g[0]) / det, wayY = (mixed * g[0] - h[0][0] * g[1]) / det;
        double length = sqrt(wayX * wayX + wayY * wayY), part = ctFmin(1.0, 1.0 / length);
        if (!(det > 0.0) || !(length > CT_EQUAL)) {
            break;
        }
        ctVec3 next = at;
        for (; part * length > CT_EQUAL; part *= 0.5) {
            next = ctMulAdd(ctMulAdd(at, part * wayX, axes[0]), part * wayY, axes[1]);
            friction = frictionAt(p, next);
            if (-ctDot(friction, next) <= power) {
                break;
            }
        }
        at = next;
    }
    *slip = ctNormalize(at);
    return -ctDot(frictionAt(p, at), at) - most;
}

double ctRing_Spare(const ctSystemPoint *p, bool *own)
{
    *own = true;
    return ctPoint_IsPartial(p) ? ctRegion_Spare(p, own) : ctDot(p->force, p->n) - ctLength(p->lean);
}

void ctRing_Share(const ctSystem *s, const ctSystemPoint *ring, int count, ctVec3 *forces)
{
    const ctSystemPose *a = &s->poses[ring->a], *b = &s->poses[ring->b];
    ctVec3 r[CT_SYSTEM_POINTS], middle = ctAdd(a->x, ctMulMV(a->r, ring->onA.p)), mean = ctZero3();
    for (int i = 0; i < count; i++) {
        r[i] = ctPoint_Across(ring, ctMulMV(b->r, ring[1 + i].onA.p));
        mean = ctMulAdd(mean, 1.0 / count, r[i]);
    }
    ctMat3 j = ctMat3Zero();
    for (int i = 0; i < count; i++) {
        r[i] = ctSub(r[i], mean);
        double own = ctLengthSquared(r[i]);
        j = ctAddMM(j, ctSubMM(ctMat3Diagonal(own, own, own), ctMat3Outer(r[i], r[i])));
    }
    double size = ring->onA.radius * ring->onA.radius;
    bool spread = ctDeterminant(j) > CT_NEGLIGIBLE * size * size * size;
    ctVec3 arm = ctSub(ctPoint_Across(ring, ctSub(ring->at, middle)), mean);
    ctVec3 torque = ctAdd(ring->torque, ctCross(arm, ring->force));
    ctVec3 turn = spread ? ctMulMV(ctInverse(j), torque) : ctZero3();
    for (int i = 0; i < count; i++) {
        forces[i] = ctAdd(ctScale(1.0 / count, ring->force), ctCross(turn, r[i]));
    }
}
