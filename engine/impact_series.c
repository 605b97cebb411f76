// The way to the origin near an invariant ray that attracts (f' < 0) and leads there (g < 0).
//
// With x = theta - theta_ray, an integral still to come from here to the origin, over tau, of r k(theta) is r A(x),
// and one of r^2 k(theta) is r^2 A(x). Their derivatives by tau are -r k and -r^2 k, with x' = f and r' = r g, so that
//
//     g A + f A_x = -k        or        2 g A + f A_x = -k.
//
// Both have power series in x, since f = f1 x + f2 x^2 + ... and m f1 + g0 < 0 for every m:
//
//     (m f1 + g0) a_m = -k_m - sum_{i=2..m} f_i (m+1-i) a_{m+1-i} - sum_{i=1..m} g_i a_{m-i}.
//
// k = 1 is the normal impulse, c and s the tangential one, kz the change of u_z. The work of the normal force is the
// integral of r u_z = r u_z(end) - r (r Z(x)), with Z the series of u_z; that of friction has k = 1 with r^2. Each has
// a series of its own, because a sum of the others cancels when K is ill-conditioned.
#include "engine/impact_internal.h"

enum { TERMS = 9 };

typedef double Four __attribute__((vector_size(32)));
typedef double Two __attribute__((vector_size(16)));

bool ctTurnToRay(const Flow *k, double *c, double *s)
{
    double x = 1.0;
    for (int i = 0; i < 8 && fabs(x) > 1e-15; i++) {
        FlowLocal l = flowLocal(k, *c, *s);
        if (!(l.fSlope < 0.0)) {
            return false;
        }
        x = l.f / l.fSlope; // the angle to the ray, to first order
        double q = 1.0 / sqrt(1.0 + x * x), turned = (*c + *s * x) * q;
        *s = (*s - *c * x) * q;
        *c = turned;
    }
    return fabs(x) < 1e-9;
}

// The Taylor coefficients of f, g, and of k = (1, c, s, kz) at a ray.
typedef struct AtRay {
    double f[TERMS], g[TERMS];
    Four k[TERMS];
} AtRay;

static void expandAtRay(const Flow *flow, double c, double s, AtRay *x)
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
    // The values themselves, as accurate as the rest of the solver has them.
    FlowLocal l = flowLocal(flow, c, s);
    x->f[0] = 0.0;
    x->f[1] = l.fSlope;
    x->g[0] = l.g;
    x->k[0] = (Four){1.0, c, s, l.kz};
}

bool ctWayToOrigin(const Flow *flow, const FlowState *at, double tolerance, double floor, WayToOrigin *way)
{
    double c = at->c, s = at->s;
    if (!ctTurnToRay(flow, &c, &s)) {
        return false;
    }
    const double across = c * at->s - s * at->c, along = c * at->c + s * at->s;
    if (!(along > 0.8)) {
        return false;
    }
    const double x = asin(across);
    AtRay q;
    expandAtRay(flow, c, s, &q);
    if (!(q.g[0] < 0.0) || !(q.f[1] < 0.0)) {
        return false;
    }
    Four first[TERMS]; // impulse, its components over -mu, u_z
    Two second[TERMS]; // r^2: slip, and the integral of r Z
    for (int m = 0; m < TERMS; m++) {
        Four a = -q.k[m];
        for (int i = 2; i <= m; i++) {
            a -= q.f[i] * (m + 1 - i) * first[m + 1 - i];
        }
        for (int i = 1; i <= m; i++) {
            a -= q.g[i] * first[m - i];
        }
        first[m] = a / (m * q.f[1] + q.g[0]);
        Two b = {m == 0 ? -1.0 : 0.0, -first[m][3]};
        for (int i = 2; i <= m; i++) {
            b -= q.f[i] * (m + 1 - i) * second[m + 1 - i];
        }
        for (int i = 1; i <= m; i++) {
            b -= 2.0 * q.g[i] * second[m - i];
        }
        second[m] = b / (m * q.f[1] + 2.0 * q.g[0]);
    }
    Four sum = first[TERMS - 1];
    Two square = second[TERMS - 1];
    for (int m = TERMS - 2; m >= 0; m--) {
        sum = sum * x + first[m];
        square = square * x + second[m];
    }
    const double r = at->r, x2 = x * x, x7 = fabs(x2 * x2 * x2 * x), x8 = x2 * x2 * x2 * x2;
    *way = (WayToOrigin){r * sum[0], r * sum[1], r * sum[2], r * sum[3], r * r * square[0], -r * r * square[1]};
    const double sofar = at->pz + way->pz, limit = tolerance * (sofar > floor ? sofar : floor);
    return 4.0 * fabs(first[8][0]) * x8 * r < limit && fabs(first[7][0]) * x7 * r < 10.0 * limit;
}
