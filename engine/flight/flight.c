// Exact torque-free flight.
//
// Symbols: I1, I2, I3 principal moments (kg m^2); w angular velocity (rad/s); L = I w angular momentum,
// constant in the world frame; T = w.L / 2 rotational energy, constant.
//
// Spherical (I1 = I2 = I3 = I): w = L / I is constant, and the body turns by exp(w t).
//
// Axisymmetric (moment I3 about the unit axis a, I1 about the others): w = W + c a with the precession
// W = L / I1 fixed in the world and the spin c = (1 - I3 / I1) w.a about the axis constant, so that
//     q(t) = exp(W t) q(0) exp(c t a_body),      a(t) = exp(W t) a(0).
//
// General: Euler's equations in principal axes, w1' = k1 w2 w3 with k1 = (I2 - I3) / I1 and so on round,
// have a power series in t whose coefficients follow from products of the earlier ones. The orientation
// needs one more quadrature only, since it must carry the unit vector l = L / |L|, known in both frames,
// from the body to the world: with l0 = l(0) and S the smallest rotation that takes l(t) to l0,
//     q(t) = q(0) exp(phi l0) S,      phi' = (2T / |L| + w.l0) / (1 + l.l0).
// (The spin of S has no component along l + l0, which gives phi'.) The direction of L in the world is thus
// kept to rounding whatever the series does, and |L| and T by the series of w, which is summed until its
// terms vanish against rounding. |k| <= 1 by the triangle inequality of the moments, so the series
// converges for t < 1 / max|w|; longer flights are cut into pieces.
#include "engine/flight/flight.h"
#include "engine/core/tunables.h"

// [rounding] Moments closer than this, relative to the largest, are taken as equal.
#define EQUAL_MOMENTS 1e-12
// [rounding] A series is cut when two terms in a row are below this, relative to its sum.
#define TERM_TOLERANCE 0x1.0p-57
#define MAX_ORDER 26 // [method] of the series: a piece that needs more is flown in two
// One piece of a general flight turns by no more than about this angle (rad).
// Larger: series of higher order; smaller: more pieces.
#define PIECE_ANGLE 0.5
// [cap] Turn in one flight, rad, beyond which the series is not used: only a broken state spins so fast. It turns about
// a fixed axis instead.
#define MOST_ANGLE 1e6

bool ctInertia_Check(ctMat3 tensor, ctError *error)
{
    if (!ctIsFiniteM(tensor)) {
        return ctFail(error, ct_badArgument, "inertia has an element that is not a finite number");
    }
    double skew = ctFmax(fabs(tensor.cx.y - tensor.cy.x),
                         ctFmax(fabs(tensor.cx.z - tensor.cz.x), fabs(tensor.cy.z - tensor.cz.y)));
    double trace = ctTrace(tensor);
    if (skew > CT_EQUAL * fabs(trace)) {
        return ctFail(error, ct_badArgument, "inertia is not symmetric: two opposite elements differ by %g", skew);
    }
    ctVec3 d;
    ctMat3 axes;
    ctEigenSymmetric(tensor, &d, &axes);
    if (!(d.x > 0.0)) {
        return ctFail(error, ct_badArgument, "inertia is not positive definite: a principal moment is %g", d.x);
    }
    if (d.z > (d.x + d.y) * (1.0 + CT_EQUAL)) {
        return ctFail(error, ct_badArgument,
                      "no body has this inertia: principal moment %g is larger than the sum of the others, %g and %g",
                      d.z, d.x, d.y);
    }
    return true;
}

ctInertia ctInertia_FromTensor(ctMat3 tensor)
{
    ctInertia in = {0};
    ctVec3 d;
    ctEigenSymmetric(tensor, &d, &in.axes);
    in.kind = ct_inertiaGeneral;
    bool low = d.y - d.x <= EQUAL_MOMENTS * d.z, high = d.z - d.y <= EQUAL_MOMENTS * d.z;
    if (low && high) {
        in.kind = ct_inertiaSpherical;
        double mean = ctTrace(tensor) / 3.0;
        d = ctV3(mean, mean, mean);
        in.axes = ctMat3Identity();
    } else if (low || high) {
        in.kind = ct_inertiaAxisymmetric;
        in.axis = low ? 2 : 0;
        double mean = low ? 0.5 * (d.x + d.y) : 0.5 * (d.y + d.z);
        d = low ? ctV3(mean, mean, d.z) : ctV3(d.x, mean, mean);
    }
    in.principal = d;
    in.inversePrincipal = ctV3(1.0 / d.x, 1.0 / d.y, 1.0 / d.z);
    in.frame = ctQuatFromMat3(in.axes);
    in.bodyAxis = in.axis == 2 ? in.axes.cz : in.axes.cx;
    in.along = in.axis == 2 ? d.z : d.x;
    in.across = d.y;
    return in;
}

ctMat3 ctInertia_WorldInverse(const ctInertia *inertia, ctQuat q)
{
    double across = inertia->inversePrincipal.y;
    if (inertia->kind == ct_inertiaSpherical) {
        return ctMat3Diagonal(across, across, across);
    }
    if (inertia->kind == ct_inertiaAxisymmetric) {
        ctVec3 a = ctRotate(q, inertia->bodyAxis);
        double d = 1.0 / inertia->along - across;
        return ctMat3Symmetric(across + d * a.x * a.x, d * a.x * a.y, d * a.x * a.z, across + d * a.y * a.y,
                               d * a.y * a.z, across + d * a.z * a.z);
    }
    return ctRotateDiagonal(ctMulMM(ctMat3FromQuat(q), inertia->axes), inertia->inversePrincipal);
}

// The principal axes in the world, as columns.
static ctMat3 worldAxes(const ctInertia *inertia, ctQuat q)
{
    return ctMat3FromQuat(ctMulQ(q, inertia->frame));
}

ctVec3 ctInertia_Momentum(const ctInertia *inertia, ctQuat q, ctVec3 w)
{
    if (inertia->kind != ct_inertiaGeneral) {
        ctVec3 a = ctRotate(q, inertia->bodyAxis);
        return ctMulAdd(ctScale(inertia->across, w), (inertia->along - inertia->across) * ctDot(w, a), a);
    }
    ctMat3 axes = worldAxes(inertia, q);
    return ctMulMV(axes, ctMul(inertia->principal, ctMulTMV(axes, w)));
}

double ctInertia_Energy(const ctInertia *inertia, ctQuat q, ctVec3 w)
{
    if (w.x == 0.0 && w.y == 0.0 && w.z == 0.0) {
        return 0.0; // as most bodies that lie
    }
    ctVec3 b = ctMulTMV(worldAxes(inertia, q), w);
    return 0.5 * ctDot(b, ctMul(inertia->principal, b));
}

// ---- rotation ---------------------------------------------------------------------------------

static void flySpherical(ctQuat *q, const ctVec3 *w, double dt)
{
    *q = ctNormalizeQ(ctMulQ(ctQuatExp(ctScale(dt, *w)), *q));
}

static void flyAxisymmetric(const ctInertia *inertia, ctQuat *q, ctVec3 *w, double dt)
{
    ctVec3 a = ctRotate(*q, inertia->bodyAxis);
    double spin = (1.0 - inertia->along / inertia->across) * ctDot(*w, a); // c
    ctVec3 precession = ctMulAdd(*w, -spin, a);
    ctQuat turn = ctQuatExp(ctScale(dt, precession));
    ctQuat twist = ctQuatExp(ctScale(spin * dt, inertia->bodyAxis));
    *q = ctNormalizeQ(ctMulQ(turn, ctMulQ(*q, twist)));
    *w = ctMulAdd(precession, spin, ctRotate(turn, a));
}

// 1 / n.
static const double reciprocal[MAX_ORDER + 2] = {0.0,      1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,
                                                 1.0 / 7,  1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13,
                                                 1.0 / 14, 1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20,
                                                 1.0 / 21, 1.0 / 22, 1.0 / 23, 1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

// Four numbers in one vector. Each lane is computed as a scalar would be, so results do not depend on the width of the
// machine's registers.
typedef double Four __attribute__((vector_size(32)));

// The series of one piece, in s = t / h: x, y, z are h times the rates in principal axes, d is 1 + l.l0 and f is
// d(phi)/ds. The coefficients of order n stand side by side such that one convolution of left and right gives all the
// products: yz, zx, xy, and df without its first and last term.
typedef struct Series {
    int order;
    Four left[MAX_ORDER + 1];  // y, z, x, d / 2
    Four right[MAX_ORDER + 1]; // z, x, y, f
    double f0;                 // f of order 0, which stands aside, as d does
} Series;

// Fills in the series up to the order at which it has converged on [0, 1], and returns how far it may be
// used: 1, or less when the largest order was not enough. rates: h w at the start; l0, inverseMomentum: the unit
// vector l and 1 / (|L| h).
static double expand(Series *s, const ctInertia *inertia, ctVec3 rates, ctVec3 l0, double inverseMomentum)
{
    ctVec3 m = inertia->principal, inverse = inertia->inversePrincipal;
    Four k = {(m.y - m.z) * inverse.x, (m.z - m.x) * inverse.y, (m.x - m.y) * inverse.z, 0.0};
    ctVec3 share = ctScale(inverseMomentum, m); // h w to l
    ctVec3 weight = ctMul(share, l0);           // h w to l.l0
    double turn = ctMaxElement(ctAbs(rates)), unit = 1.0 / turn;
    ctVec3 gauge = ctMax(ctV3(unit, unit, unit), share); // terms relative to the fastest rate and to |L|
    double f0 = ctDot(rates, l0);                        // 2T / |L| = w.l0 at the start: (w.l0 + w.l0) / 2
    // f d = 2T / |L| + w.l0 and d = 2 at the start: f of order n is aside.c - (d1 f(n-1) + ... + d(n-1) f1) / 2.
    ctVec3 aside = ctScale(0.5, ctMulAdd(l0, -f0, weight));
    Four c = {rates.x, rates.y, rates.z, 0.0}, left = {0.0}, right = {0.0};
    Four left0 = __builtin_shufflevector(c, c, 1, 2, 0, 3), right0 = __builtin_shufflevector(c, c, 2, 0, 1, 3);
    s->f0 = f0;
    c = k * left0 * right0;
    weight = ctScale(0.5, weight);
    double last, size = 1.0, reach = 1.0;
    int n = 1;
    for (;;) {
        // Each addition waits for the one before. The newest coefficients are ready last, so they are added last.
        Four sum = {0.0, 0.0, 0.0, 0.0};
        for (int i = 2; i < n - 1; i++) {
            sum += s->left[i] * s->right[n - i];
        }
        if (n > 2) {
            sum = sum + left * s->right[1] + s->left[1] * right;
        } else if (n == 2) {
            sum = left * right;
        }
        double x = c[0], y = c[1], z = c[2], f = aside.x * x + aside.y * y + aside.z * z - sum[3];
        Four lead = __builtin_shufflevector(c, c, 1, 2, 0, 3), trail = __builtin_shufflevector(c, c, 2, 0, 1, 3);
        Four d = {0.0, 0.0, 0.0, weight.x * x + weight.y * y + weight.z * z}, g = {0.0, 0.0, 0.0, f};
        s->left[n] = left = __builtin_shufflevector(lead, d, 0, 1, 2, 7);
        s->right[n] = right = __builtin_shufflevector(trail, g, 0, 1, 2, 7);
        last = size;
        size = larger(larger(fabs(x) * gauge.x, fabs(y) * gauge.y), larger(fabs(z) * gauge.z, fabs(f) * unit));
        // The next term is at most turn times this one or turn^2 times the last one.
        if (size <= TERM_TOLERANCE && last * turn * turn <= TERM_TOLERANCE) {
            break;
        }
        if (n == MAX_ORDER) {
            reach = ctFmin(1.0, ctPow(TERM_TOLERANCE / larger(last, size), reciprocal[n]));
            break;
        }
        n++;
        c = k * reciprocal[n] * (sum + (left0 * trail + lead * right0));
    }
    s->order = n;
    return reach;
}

// The change of (y, z, x), and phi, after a share of the piece. The constant terms are left out: small steps must not
// round the rates away.
static Four sumSeries(const Series *s, double reach, double *phi)
{
    Four sum = {0.0, 0.0, 0.0, 0.0};
    double angle = 0.0;
    if (reach == 1.0) { // the usual case, without a product to wait for
        for (int n = s->order; n >= 1; n--) {
            sum += s->left[n];
            angle += s->right[n][3] * reciprocal[n + 1];
        }
    } else {
        for (int n = s->order; n >= 1; n--) {
            sum = (sum + s->left[n]) * reach;
            angle = (angle + s->right[n][3] * reciprocal[n + 1]) * reach;
        }
    }
    *phi = reach * (angle + s->f0);
    return sum;
}

// Moves the rates (principal axes) by h seconds or somewhat less, and turns the orientation *turned with
// them. Returns the fraction of h that was flown.
static double flyPiece(const ctInertia *inertia, ctVec3 *rates, ctQuat *turned, double h)
{
    ctVec3 scaled = ctScale(h, *rates), l = ctMul(inertia->principal, scaled);
    double momentum = ctLength(l);
    if (!(momentum > 1e-290)) { // h w underflows: the turn is below rounding
        return 1.0;
    }
    double inv = 1.0 / momentum, phi;
    ctVec3 l0 = ctScale(inv, l);
    Series s;
    double reach = expand(&s, inertia, scaled, l0, inv);
    Four sum = sumSeries(&s, reach, &phi);
    double half = 0.5 * phi, c, sine;
    ctSinCos(half, &sine, &c);
    ctVec3 change = ctV3(sum[2], sum[0], sum[1]);
    ctVec3 l1 = ctMulAdd(l0, inv, ctMul(inertia->principal, change));
    ctVec3 axis = ctCross(l1, l0);
    ctQuat back = ctQuatOf(1.0 + ctDot(l1, l0), axis.x, axis.y, axis.z); // S, up to its length
    ctQuat about = ctQuatOf(c, sine * l0.x, sine * l0.y, sine * l0.z);
    *turned = ctMulQ(*turned, ctMulQ(about, back));
    *rates = ctMulAdd(*rates, 1.0 / h, change);
    return reach;
}

static void flyGeneral(const ctInertia *inertia, ctQuat *q, ctVec3 *w, double dt)
{
    ctVec3 rates = ctMulTMV(worldAxes(inertia, *q), *w);
    double fastest = ctMaxElement(ctAbs(rates)), left = dt;
    if (!(fabs(dt) * fastest <= MOST_ANGLE)) {
        flySpherical(q, w, dt);
        return;
    }
    ctQuat turned = ctQuatIdentity(); // in principal axes, from the start, of any length
    while (left != 0.0) {
        bool whole = fabs(left) * fastest <= PIECE_ANGLE;
        double h = whole ? left : copysign(PIECE_ANGLE / fastest, left);
        double reach = flyPiece(inertia, &rates, &turned, h);
        left = whole && reach == 1.0 ? 0.0 : left - reach * h;
        if (left != 0.0) {
            turned = ctNormalizeQ(turned);
        }
    }
    ctVec3 v = ctRotate(inertia->frame, ctV3(turned.x, turned.y, turned.z));
    *q = ctNormalizeQ(ctMulQ(*q, ctQuatOf(turned.w, v.x, v.y, v.z)));
    // q is a rotation only to rounding, and its error has the same sign for many calls. w would drift if each call
    // turned it to the world and back with this error. One step of refinement makes the way back exact.
    ctMat3 axes = worldAxes(inertia, *q);
    *w = ctMulMV(axes, rates);
    *w = ctAdd(*w, ctMulMV(axes, ctSub(rates, ctMulTMV(axes, *w))));
}

void ctFlyRotation(const ctInertia *inertia, ctQuat *q, ctVec3 *w, double dt)
{
    if (dt == 0.0 || (w->x == 0.0 && w->y == 0.0 && w->z == 0.0)) {
        return;
    }
    switch (inertia->kind) {
    case ct_inertiaSpherical:
        flySpherical(q, w, dt);
        break;
    case ct_inertiaAxisymmetric:
        flyAxisymmetric(inertia, q, w, dt);
        break;
    case ct_inertiaGeneral:
        flyGeneral(inertia, q, w, dt);
        break;
    }
}

void ctFly(const ctInertia *inertia, ctVec3 *x, ctVec3 *v, ctQuat *q, ctVec3 *w, ctVec3 gravity, double dt)
{
    *x = ctAdd(*x, ctScale(dt, ctMulAdd(*v, 0.5 * dt, gravity)));
    *v = ctMulAdd(*v, dt, gravity);
    ctFlyRotation(inertia, q, w, dt);
}

// ---- bounds -----------------------------------------------------------------------------------

// Along a torque-free path the squared rates s = (w1^2, w2^2, w3^2) keep two linear sums, 2T and |L|^2, so
// they move on a straight line s + r d between the two points where one of them is zero. |w|^2 is linear
// and |w'|^2 = sum k1^2 s2 s3 quadratic in r: both are largest at an end or at the quadratic's apex.
static void generalBounds(const ctInertia *inertia, ctVec3 b, double *wMax, double *alphaMax)
{
    ctVec3 p = inertia->principal, m = ctScale(1.0 / p.z, p); // scaled such that the largest is 1
    ctVec3 gap = ctScale(1.0 / p.z, ctV3(p.z - p.y, p.x - p.z, p.y - p.x));
    ctVec3 s = ctMul(b, b);
    ctVec3 k = ctV3(gap.x / m.x, gap.y / m.y, gap.z / m.z);
    ctVec3 d = ctV3(m.y * m.z * gap.x, m.x * m.z * gap.y, m.x * m.y * gap.z);
    double si[3] = {s.x, s.y, s.z}, di[3] = {d.x, d.y, d.z};
    double lo = -INFINITY, hi = INFINITY;
    for (int i = 0; i < 3; i++) {
        double r = -si[i] / di[i]; // moments differ, so no d is zero
        lo = di[i] > 0.0 ? ctFmax(lo, r) : lo;
        hi = di[i] < 0.0 ? ctFmin(hi, r) : hi;
    }
    double rate2 = s.x + s.y + s.z, slope = d.x + d.y + d.z;
    double best = rate2 + ctFmax(lo * slope, hi * slope);
    // The line is ill-conditioned for nearly equal moments; |w| <= |L| / I_min always holds.
    ctVec3 l = ctMul(m, b);
    best = ctFmin(best, ctLengthSquared(l) / (m.x * m.x));
    best = ctFmin(best, ctDot(l, b) / m.x); // 2T / I_min
    best = ctFmax(best, rate2);
    *wMax = sqrt(best) * (1.0 + 1e-12);

    ctVec3 kk = ctMul(k, k);
    double c0 = kk.x * s.y * s.z + kk.y * s.z * s.x + kk.z * s.x * s.y;
    double c1 = kk.x * (s.y * d.z + s.z * d.y) + kk.y * (s.z * d.x + s.x * d.z) + kk.z * (s.x * d.y + s.y * d.x);
    double c2 = kk.x * d.y * d.z + kk.y * d.z * d.x + kk.z * d.x * d.y;
    double top = ctFmax(c0, ctFmax(c0 + lo * (c1 + lo * c2), c0 + hi * (c1 + hi * c2)));
    double apex = c2 < 0.0 ? -0.5 * c1 / c2 : NAN;
    if (apex > lo && apex < hi) {
        top = ctFmax(top, c0 + apex * (c1 + apex * c2));
    }
    // |w'| <= k_max |w|^2 always holds.
    double kMax = ctMaxElement(ctAbs(k));
    *alphaMax = ctFmin(sqrt(top), kMax * best) * (1.0 + 1e-12);
}

void ctFlightBounds(const ctInertia *inertia, ctQuat q, ctVec3 w, double *wMax, double *alphaMax)
{
    if (inertia->kind == ct_inertiaGeneral) {
        generalBounds(inertia, ctMulTMV(worldAxes(inertia, q), w), wMax, alphaMax);
        return;
    }
    *wMax = ctLength(w) * (1.0 + 1e-12);
    *alphaMax = 0.0;
    if (inertia->kind == ct_inertiaAxisymmetric) {
        // w' = W x w with W = w - c a: |w'| = |c| |a x w|, constant.
        ctVec3 a = ctRotate(q, inertia->bodyAxis);
        double spin = (1.0 - inertia->along / inertia->across) * ctDot(w, a);
        *alphaMax = fabs(spin) * ctLength(ctCross(a, w)) * (1.0 + 1e-12);
    }
}

void ctFlight_Describe(const ctInertia *inertia, ctMotion *motion)
{
    motion->axis = motion->precession = motion->alpha = ctZero3();
    if (inertia->kind == ct_inertiaAxisymmetric) {
        ctVec3 a = ctRotate(motion->q, inertia->bodyAxis);
        double spin = (1.0 - inertia->along / inertia->across) * ctDot(motion->w, a);
        motion->axis = a;
        motion->precession = ctMulAdd(motion->w, -spin, a);
        motion->alpha = ctCross(motion->precession, motion->w);
    } else if (inertia->kind == ct_inertiaGeneral) {
        // Euler's equations in principal axes.
        ctMat3 axes = worldAxes(inertia, motion->q);
        ctVec3 b = ctMulTMV(axes, motion->w), l = ctMul(inertia->principal, b);
        motion->alpha = ctMulMV(axes, ctMul(inertia->inversePrincipal, ctCross(l, b)));
    }
}
