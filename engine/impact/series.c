// Power series near an invariant ray: the way to the origin along one that attracts, and the way out from next to one
// that repels.
//
// With x = theta - theta_ray, x' = f and r' = r g over tau. Let A(x) solve
//
//     g A + f A_x = -k        or        2 g A + f A_x = -k.
//
// Then the derivative of r A(x) is -r k(theta), or that of r^2 A(x) is -r^2 k(theta), so that the integral of r k (or
// r^2 k) over tau between two points of the course is the difference of r A (or r^2 A) there; at the origin it is zero.
// f = f1 x + f2 x^2 + ... gives the coefficients
//
//     (m f1 + g0) a_m = -k_m - sum_{i=2..m} f_i (m+1-i) a_{m+1-i} - sum_{i=1..m} g_i a_{m-i},
//
// or with 2 g for g. Where the ray attracts and leads to the origin, f1 and g0 are negative and all is well. Where it
// repels, m f1 + g0 may vanish; then there is no such series, and the caller integrates.
//
// k = 1 is the normal impulse, c and s the tangential one, kz the change of u_z. The work of the normal force is the
// integral of r u_z, where u_z follows from its series Z; that of friction has k = 1 with r^2. Each has a series of its
// own, because a sum of the others cancels when K is ill-conditioned.
#include "engine/impact/impact_internal.h"

enum { TERMS = 9 };

typedef double Four __attribute__((vector_size(32)));
typedef double Two __attribute__((vector_size(16)));

// Newton's method for the ray next to a direction, as long as the slope of f there has the sign given.
static bool turnToRay(const ctFlow *k, double sign, double *c, double *s)
{
    double x = 1.0;
    for (int i = 0; i < 8 && fabs(x) > 1e-15; i++) {
        ctFlowLocal l = flowLocal(k, *c, *s);
        if (!(sign * l.fSlope > 0.0)) {
            return false;
        }
        x = l.f / l.fSlope; // the angle to the ray, to first order
        double q = 1.0 / sqrt(1.0 + x * x), turned = (*c + *s * x) * q;
        *s = (*s - *c * x) * q;
        *c = turned;
    }
    return fabs(x) < 1e-9;
}

bool ctTurnToRay(const ctFlow *k, double *c, double *s)
{
    return turnToRay(k, -1.0, c, s);
}

// The Taylor coefficients of f, g, and of k = (1, c, s, kz) at a ray.
typedef struct AtRay {
    double f[TERMS], g[TERMS];
    Four k[TERMS];
} AtRay;

static void expandAtRay(const ctFlow *flow, double c, double s, AtRay *x)
{
    // f and g are the imaginary and the real part of -mu tr(B)/2 + a + b, with a = d e^(-i theta) and
    // b = -mu ((B11 - B22)/2 + i B12) e^(-2 i theta); d/dtheta multiplies a by -i and b by -2i.
    const double half = 0.5 * (flow->m11 - flow->m22), c2 = c * c - s * s, s2 = 2.0 * c * s;
    double ar = flow->d1 * c + flow->d2 * s, ai = flow->d2 * c - flow->d1 * s;
    double br = -(half * c2 + flow->m12 * s2), bi = -(flow->m12 * c2 - half * s2);
    double cn = c, sn = s; // derivatives of cos and sin
    static const double over[TERMS] = {1.0,         1.0,         1.0 / 2.0,    1.0 / 6.0,    1.0 / 24.0,
                                       1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0, 1.0 / 40320.0};
    for (int n = 0; n < TERMS; n++) {
        x->f[n] = over[n] * (ai + bi);
        x->g[n] = over[n] * (ar + br);
        x->k[n] = (Four){0.0, over[n] * cn, over[n] * sn, over[n] * -(flow->n1 * cn + flow->n2 * sn)};
        double t = ar;
        ar = ai;
        ai = -t;
        t = br;
        br = 2.0 * bi;
        bi = -2.0 * t;
        t = cn;
        cn = -sn;
        sn = t;
    }
    // The values themselves, as accurate as in the rest of the solver.
    ctFlowLocal l = flowLocal(flow, c, s);
    x->f[0] = 0.0;
    x->f[1] = l.fSlope;
    x->g[0] = l.g;
    x->k[0] = (Four){1.0, c, s, l.kz};
}

typedef struct Series {
    Four first[TERMS]; // with r: impulse, its components over -mu, u_z
    Two second[TERMS]; // with r^2: slip, and the integral of r Z
} Series;

// False when a denominator is too small for the series to exist, or to be accurate.
static bool expandSeries(const AtRay *q, Series *out)
{
    const double least = q->f[1] > 0.0 ? 2e-3 * q->f[1] : 0.0;
    for (int m = 0; m < TERMS; m++) {
        const double once = m * q->f[1] + q->g[0], twice = once + q->g[0];
        if (!(fabs(once) > least && fabs(twice) > least)) {
            return false;
        }
        Four a = -q->k[m];
        Two b = {m == 0 ? -1.0 : 0.0, 0.0};
        for (int i = 2; i <= m; i++) {
            a -= q->f[i] * (m + 1 - i) * out->first[m + 1 - i];
            b -= q->f[i] * (m + 1 - i) * out->second[m + 1 - i];
        }
        for (int i = 1; i <= m; i++) {
            a -= q->g[i] * out->first[m - i];
            b -= 2.0 * q->g[i] * out->second[m - i];
        }
        out->first[m] = a / once;
        b[1] -= out->first[m][3];
        out->second[m] = b / twice;
    }
    return true;
}

// The values of all series at x, times r or r^2.
typedef struct Sum {
    double pz, ix, iy, uz, slip, work;
} Sum;

static Sum sumSeries(const Series *q, double x, double r)
{
    Four first = q->first[TERMS - 1];
    Two second = q->second[TERMS - 1];
    for (int m = TERMS - 2; m >= 0; m--) {
        first = first * x + q->first[m];
        second = second * x + q->second[m];
    }
    return (Sum){r * first[0], r * first[1], r * first[2], r * first[3], r * r * second[0], r * r * second[1]};
}

// Whether the last terms at x are below limit.
static bool isAccurate(const Series *q, double x, double r, double limit)
{
    const double x2 = x * x, x7 = fabs(x2 * x2 * x2 * x), x8 = x2 * x2 * x2 * x2;
    return 4.0 * fabs(q->first[8][0]) * x8 * r < limit && fabs(q->first[7][0]) * x7 * r < 10.0 * limit;
}

bool ctWayToOrigin(const ctFlow *flow, const ctFlowState *at, double tolerance, double floor, ctOriginWay *way)
{
    double c = at->c, s = at->s;
    if (!turnToRay(flow, -1.0, &c, &s)) {
        return false;
    }
    const double across = c * at->s - s * at->c, along = c * at->c + s * at->s;
    if (!(along > 0.8)) {
        return false;
    }
    AtRay ray;
    Series series;
    expandAtRay(flow, c, s, &ray);
    if (!(ray.g[0] < 0.0) || !expandSeries(&ray, &series)) {
        return false;
    }
    const double x = ctAsin(across);
    const Sum sum = sumSeries(&series, x, at->r);
    *way = (ctOriginWay){sum.pz, sum.ix, sum.iy, sum.uz, sum.slip, -sum.work};
    const double sofar = at->pz + way->pz;
    return isAccurate(&series, x, at->r, tolerance * (sofar > floor ? sofar : floor));
}

// ln r changes by the integral of g/f = (g0/f1)/x + q0 + q1 x + ...; false when the series of q is not accurate to
// `tolerance` at x1.
static bool growth(const AtRay *ray, double x0, double x1, double tolerance, double *logarithm)
{
    // f / x times (g0/f1/x + q0 + q1 x + ...) = g, term by term.
    double q[TERMS - 1], sum = 0.0;
    const double leading = ray->g[0] / ray->f[1];
    for (int n = 0; n < TERMS - 1; n++) {
        double a = ray->g[n + 1] - (n + 2 < TERMS ? leading * ray->f[n + 2] : 0.0);
        for (int i = 0; i < n; i++) {
            a -= ray->f[n + 1 - i] * q[i];
        }
        q[n] = a / ray->f[1];
    }
    // The last coefficient lacks f9, so it only serves as an estimate of the error.
    double power0 = x0, power1 = x1;
    for (int n = 0; n < TERMS - 2; n++) {
        sum += q[n] * (power1 - power0) / (n + 1);
        power0 *= x0;
        power1 *= x1;
    }
    *logarithm = leading * ctLog(x1 / x0) + sum;
    return fabs(q[TERMS - 2] * power1) < tolerance && fabs(q[TERMS - 3] * power1 / x1) < 10.0 * tolerance;
}

bool ctWayFromRay(const ctFlow *flow, const ctFlowState *at, double tolerance, double floor, ctFlowState *to)
{
    double c = at->c, s = at->s;
    if (!turnToRay(flow, 1.0, &c, &s)) {
        return false;
    }
    AtRay ray;
    Series series;
    expandAtRay(flow, c, s, &ray);
    const double x0 = ctAsin(c * at->s - s * at->c);
    if (x0 == 0.0 || !(ray.g[0] < 0.0) || !expandSeries(&ray, &series)) {
        return false;
    }
    // As far out as the series are accurate.
    for (double far = 0.08; far > 8.0 * fabs(x0); far *= 0.5) {
        double x1 = copysign(far, x0), logarithm;
        double impulse = at->pz > floor ? at->pz : floor;
        if (!growth(&ray, x0, x1, tolerance, &logarithm) || !isAccurate(&series, x1, at->r, tolerance * impulse)) {
            continue;
        }
        const double r1 = at->r * ctExp(logarithm);
        const Sum a = sumSeries(&series, x0, at->r), b = sumSeries(&series, x1, r1);
        const double pz = a.pz - b.pz, x2 = x1 * x1;
        // sin and cos of a small angle by their series: quicker, and the same with every C library
        const double s1 = x1 * (1.0 - x2 / 6.0 * (1.0 - x2 / 20.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0))));
        const double c1 = 1.0 - x2 / 2.0 * (1.0 - x2 / 12.0 * (1.0 - x2 / 30.0 * (1.0 - x2 / 56.0)));
        to->c = c * c1 - s * s1;
        to->s = s * c1 + c * s1;
        to->r = r1;
        to->uz = at->uz + (a.uz - b.uz);
        to->pz = at->pz + pz;
        to->ix = at->ix + (a.ix - b.ix);
        to->iy = at->iy + (a.iy - b.iy);
        to->slip = at->slip + (a.slip - b.slip);
        to->work = at->work + ((at->uz + a.uz) * pz - (a.work - b.work));
        return true;
    }
    return false;
}
