#include "tests/support/impact_oracle.h"

#include <float.h>
#include <string.h>

typedef long double Real;
enum { ORDER = 26, PARTS = 24, MAX_STEPS = 6000 };

typedef struct Oracle {
    Real m11, m12, m22, d1, d2, k33, mu, e, detB; // mu B, d
    Real ux, uy, uz, pz, px, py;
    Real debt, target; // W_d + e^2 W_c so far; Poisson's p_z at the end
    bool poisson, decompressing;
} Oracle;

typedef Real Series[ORDER + 2];

static Real value(const Real *a, Real t)
{
    Real x = 0;
    for (int n = ORDER; n >= 0; n--) {
        x = x * t + a[n];
    }
    return x;
}

// True when the impact is over: u_z has passed zero with the work of the phase added to the debt.
static bool turn(Oracle *o)
{
    o->uz = 0;
    o->decompressing = !o->decompressing;
    if (o->decompressing && o->poisson && o->target < 0) {
        o->target = (1 + o->e) * o->pz;
    }
    return o->decompressing && o->e == 0;
}

static Real workShare(const Oracle *o)
{
    return o->decompressing ? 1 : o->e * o->e;
}

// Straight on: dp/dp_z = (qx, qy, 1), du/dp_z = (kx, ky, kz), for `left` at most.
static bool straightOn(Oracle *o, Real qx, Real qy, Real kx, Real ky, Real kz, Real left)
{
    for (int i = 0; i < 10; i++) {
        Real t = left, zero = kz != 0 ? -o->uz / kz : -1;
        bool ends = false, turns = false;
        if (o->target >= 0) {
            t = fminl(left, o->target - o->pz);
            ends = o->target - o->pz <= left;
        } else if (!o->decompressing) {
            turns = kz > 0 && zero <= left;
            t = turns ? zero : left;
        } else {
            turns = kz < 0 && zero <= left;
            t = turns ? zero : left;
            // The end lies before t when the debt is paid there; u_z > 0 in between, so bisection will do.
            Real debt = o->debt + (t < INFINITY ? t * (o->uz + kz * t / 2) : INFINITY);
            if (debt >= 0) {
                Real q = sqrtl(o->uz * o->uz - 2 * kz * o->debt);
                t = o->debt < 0 ? -2 * o->debt / (o->uz + q) : 0;
                ends = true;
                turns = false;
            }
        }
        if (!(t < INFINITY)) {
            return true;
        }
        o->debt += workShare(o) * t * (o->uz + kz * t / 2);
        o->ux += kx * t;
        o->uy += ky * t;
        o->uz += kz * t;
        o->pz += t;
        o->px += qx * t;
        o->py += qy * t;
        if (ends || (turns && turn(o))) {
            return true;
        }
        left -= t;
        if (!turns) {
            return false;
        }
    }
    return true;
}

static bool alongDirection(Oracle *o, Real c, Real s, Real left)
{
    return straightOn(o, -o->mu * c, -o->mu * s, o->d1 - o->m11 * c - o->m12 * s, o->d2 - o->m12 * c - o->m22 * s,
                      o->k33 - o->mu * (o->d1 * c + o->d2 * s), left);
}

static void fromOrigin(Oracle *o)
{
    Real b1 = o->mu * (o->m22 * o->d1 - o->m12 * o->d2) / o->detB,
         b2 = o->mu * (o->m11 * o->d2 - o->m12 * o->d1) / o->detB;
    o->ux = o->uy = 0;
    if (b1 * b1 + b2 * b2 <= o->mu * o->mu) {
        straightOn(o, -b1, -b2, 0, 0, o->k33 - o->d1 * b1 - o->d2 * b2, INFINITY);
        return;
    }
    // |(lambda I + mu B)^-1 d| falls with lambda through 1.
    Real lo = 0, hi = sqrtl(o->d1 * o->d1 + o->d2 * o->d2), x = 0, y = 0;
    for (int i = 0; i < 90; i++) {
        Real l = (lo + hi) / 2, a = l + o->m11, c = l + o->m22, det = a * c - o->m12 * o->m12;
        x = (c * o->d1 - o->m12 * o->d2) / det;
        y = (a * o->d2 - o->m12 * o->d1) / det;
        *(x * x + y * y > 1 ? &lo : &hi) = l;
    }
    Real n = sqrtl(x * x + y * y);
    alongDirection(o, x / n, y / n, INFINITY);
}

typedef struct Expansion {
    Series ux, uy, r, uz, pz, px, py, work;
    Real length; // of validity
} Expansion;

// u_t' = -mu B u_t + d r with r^2 = u_t^2, and the integrals, in powers of tau.
static void expand(const Oracle *o, Expansion *x)
{
    x->ux[0] = o->ux;
    x->uy[0] = o->uy;
    x->r[0] = sqrtl(o->ux * o->ux + o->uy * o->uy);
    x->uz[0] = o->uz;
    x->pz[0] = o->pz;
    x->px[0] = o->px;
    x->py[0] = o->py;
    x->work[0] = 0;
    for (int n = 0; n <= ORDER; n++) {
        if (n > 0) {
            Real q = 0;
            for (int j = 0; j <= n; j++) {
                q += x->ux[j] * x->ux[n - j] + x->uy[j] * x->uy[n - j];
                q -= j > 0 && j < n ? x->r[j] * x->r[n - j] : 0;
            }
            x->r[n] = q / (2 * x->r[0]);
        }
        Real work = 0;
        for (int j = 0; j <= n; j++) {
            work += x->r[j] * x->uz[n - j];
        }
        Real over = 1 / (Real)(n + 1);
        x->ux[n + 1] = (o->d1 * x->r[n] - o->m11 * x->ux[n] - o->m12 * x->uy[n]) * over;
        x->uy[n + 1] = (o->d2 * x->r[n] - o->m12 * x->ux[n] - o->m22 * x->uy[n]) * over;
        x->uz[n + 1] = (o->k33 * x->r[n] - o->mu * (o->d1 * x->ux[n] + o->d2 * x->uy[n])) * over;
        x->pz[n + 1] = x->r[n] * over;
        x->px[n + 1] = -o->mu * x->ux[n] * over;
        x->py[n + 1] = -o->mu * x->uy[n] * over;
        x->work[n + 1] = work * over;
    }
    x->length = INFINITY;
    for (int n = ORDER - 1; n <= ORDER; n++) {
        Real largest = fmaxl(fabsl(x->ux[n]), fmaxl(fabsl(x->uy[n]), fabsl(x->r[n]))) / x->r[0];
        x->length = fminl(x->length, powl(1e-20L / fmaxl(largest, 1e-300L), (Real)1 / n));
    }
}

static bool turned(const Oracle *o, Real uz)
{
    return o->decompressing ? uz < 0 : uz >= 0;
}

static bool finished(const Oracle *o, const Expansion *x, Real t)
{
    if (o->target >= 0) {
        return value(x->pz, t) >= o->target;
    }
    return !o->poisson && o->decompressing && o->debt + value(x->work, t) >= 0;
}

static Real slope(const Real *a, Real t)
{
    Real x = 0;
    for (int n = ORDER; n >= 1; n--) {
        x = x * t + n * a[n];
    }
    return x;
}

// Where u_z has its extremum between two points of the expansion; the second when it has none.
static Real extremum(const Expansion *x, Real lo, Real hi)
{
    Real atLo = slope(x->uz, lo);
    if (atLo * slope(x->uz, hi) >= 0) {
        return hi;
    }
    for (int j = 0; j < 70; j++) {
        Real m = (lo + hi) / 2;
        *(slope(x->uz, m) * atLo > 0 ? &lo : &hi) = m;
    }
    return hi;
}

// The first of turning and finishing in the expansion's range; *ends tells which.
static Real firstEvent(const Oracle *o, const Expansion *x, bool *turns, bool *ends)
{
    Real before = 0;
    *turns = *ends = false;
    for (int i = 1; i <= PARTS; i++) {
        Real t = x->length * i / PARTS, hi = t, top = extremum(x, before, t);
        if (o->target < 0 && turned(o, value(x->uz, top))) {
            hi = top; // a short excursion through zero and back counts
        }
        if (o->target < 0 && turned(o, value(x->uz, hi))) {
            Real lo = before;
            for (int j = 0; j < 80; j++) {
                Real m = (lo + hi) / 2;
                *(turned(o, value(x->uz, m)) ? &hi : &lo) = m;
            }
            *turns = true;
        }
        if (finished(o, x, hi)) {
            Real lo = before;
            for (int j = 0; j < 80; j++) {
                Real m = (lo + hi) / 2;
                *(finished(o, x, m) ? &hi : &lo) = m;
            }
            *ends = true;
        }
        if (*turns || *ends) {
            return hi;
        }
        before = t;
    }
    return x->length;
}

// The curved piece. 1: over, 0: at the origin, -1: gave up.
static int curve(Oracle *o)
{
    static _Thread_local Expansion x;
    for (int step = 0; step < MAX_STEPS; step++) {
        Real r = sqrtl(o->ux * o->ux + o->uy * o->uy), c = o->ux / r, s = o->uy / r;
        Real hx = o->d1 - o->m11 * c - o->m12 * s, hy = o->d2 - o->m12 * c - o->m22 * s;
        Real f = c * hy - s * hx, g = c * hx + s * hy, scale = o->m11 + o->m22 + fabsl(o->d1) + fabsl(o->d2);
        if (fabsl(f) < 4 * LDBL_EPSILON * scale) {
            return alongDirection(o, c, s, g < 0 ? r / -g : INFINITY);
        }
        if (g < 0 && r < -1e-18L * g * o->pz) {
            return 0;
        }
        expand(o, &x);
        // Near a ray that repels, the deviation is lost in the size of u: keep its own series converging.
        Real slope = -g - (c * (o->m22 * c - o->m12 * s) - s * (o->m12 * c - o->m11 * s));
        x.length = fminl(x.length, 2 / (fabsl(slope) + fabsl(g) + fabsl(f)));
        bool turns, ends;
        Real t = firstEvent(o, &x, &turns, &ends);
        o->debt += workShare(o) * value(x.work, t);
        o->ux = value(x.ux, t);
        o->uy = value(x.uy, t);
        o->uz = value(x.uz, t);
        o->pz = value(x.pz, t);
        o->px = value(x.px, t);
        o->py = value(x.py, t);
        if (ends || (turns && turn(o))) {
            return 1;
        }
    }
    return -1;
}

bool ctOracleImpact(const ctImpactInput *in, ctVec3 *p)
{
    // Of order one, so that absolute thresholds mean something.
    Real k = in->K.cz.z, u = ctLength(in->u), mu = in->mu;
    Oracle o = {.m11 = mu * in->K.cx.x / k,
                .m12 = mu * in->K.cy.x / k,
                .m22 = mu * in->K.cy.y / k,
                .d1 = in->K.cz.x / k,
                .d2 = in->K.cz.y / k,
                .k33 = 1,
                .mu = mu,
                .e = in->e,
                .ux = in->u.x / u,
                .uy = in->u.y / u,
                .uz = in->u.z / u,
                .target = -1,
                .poisson = in->law == ct_lawPoisson};
    o.detB = o.m11 * o.m22 - o.m12 * o.m12;
    int state = 0;
    if (mu == 0) {
        straightOn(&o, 0, 0, o.d1, o.d2, o.k33, INFINITY);
    } else {
        state = o.ux == 0 && o.uy == 0 ? 0 : curve(&o);
        if (state == 0) {
            fromOrigin(&o);
        }
    }
    Real back = u / k;
    *p = ctV3((double)(o.px * back), (double)(o.py * back), (double)(o.pz * back));
    return state >= 0;
}

double ctOracleSensitivity(const ctImpactInput *in, ctVec3 p, ctRandom *r)
{
    double worst = 0.0;
    for (int i = 0; i < 3; i++) {
        ctImpactInput x = *in;
        double *numbers[] = {&x.K.cx.x, &x.K.cy.x, &x.K.cz.x, &x.K.cy.y, &x.K.cz.y,
                             &x.K.cz.z, &x.u.x,    &x.u.y,    &x.u.z,    &x.mu};
        for (int j = 0; j < 10; j++) {
            *numbers[j] *= 1.0 + ctRandomInt(r, -2, 2) * DBL_EPSILON;
        }
        ctVec3 q;
        ctOracleImpact(&x, &q);
        worst = fmax(worst, ctDistance(q, p) / ctLength(p));
    }
    return worst;
}

ctVec3 ctPlanarImpact(double k11, double k13, double k33, double ux, double uz, double mu, double e)
{
    // The numbers are Baber's steps; his y is our z. k = K (-+mu, 1).
    const Real ux0 = ux, uz0 = uz, det = (Real)k11 * k33 - (Real)k13 * k13;
    Real wc = 0, wd = 0, kx = 0, kz = 0, sign = ux > 0.0 ? -1 : 1, x = ux, z = uz;
    bool done = false, onward = false;
    if (x != 0.0) { // 3
        kx = (Real)k11 * sign * mu + k13;
        kz = k13 * sign * mu + k33;
        onward = x > 0.0 ? kx >= 0.0 : kx <= 0.0;
        if (!onward) { // 4: a converging ray
            Real origin = z - kz / kx * x;
            if (kz <= 0.0 || origin <= 0.0) {
                wc = -x * z / kx + kz * x * x / (2.0 * kx * kx);
            } else if (origin < -e * z) {
                wc = -z * z / (2.0 * kz);
                wd = origin * origin / (2.0 * kz);
            } else {
                x -= (1.0 + e) * kx / kz * z;
                z *= -e;
                done = true;
            }
            if (!done) {
                x = 0.0;
                z = origin;
            }
        }
    }
    if (!done) {
        if (!onward) { // 5: sticking, stable (6) or not (7)
            if (fabs(k13) <= mu * k11) {
                kx = 0.0;
                kz = det / k11;
            } else {
                sign = k13 - mu * k11 > 0.0 ? -1.0 : 1.0;
                kx = (Real)k11 * sign * mu + k13;
                kz = k13 * sign * mu + k33;
            }
        }
        Real old = z; // 8
        if (z < 0.0) {
            wc -= z * z / (2.0 * kz);
            z = 0.0;
        }
        z = sqrtl(2.0 * kz * (-e * e * wc - wd) + z * z);
        x += kx / kz * (z - old);
    }
    Real dx = x - ux0, dz = z - uz0; // 9: p = K^-1 (u - u0)
    return ctV3((double)((k33 * dx - k13 * dz) / det), 0.0, (double)((k11 * dz - k13 * dx) / det));
}
