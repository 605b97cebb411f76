#include "tests/support/planar.h"

#include <math.h>

#define G 9.81

static void ratesOf(const ctPlanarBox *b, const double *s, double *d)
{
    double c = cos(s[2]), sn = sin(s[2]), x[4], y[4], fx[4], fy[4], m[4] = {0}, r[2] = {0}, load = G / 4.0;
    for (int i = 0; i < 4; i++) {
        double px = i & 1 ? b->hx : -b->hx, py = i & 2 ? b->hy : -b->hy;
        x[i] = c * px - sn * py;
        y[i] = sn * px + c * py;
        double ux = s[3] - s[5] * y[i], uy = s[4] + s[5] * x[i], l = hypot(ux, uy);
        fx[i] = -b->mu * ux / l;
        fy[i] = -b->mu * uy / l;
        double k1 = y[i] + b->hz * fy[i], k2 = -b->hz * fx[i] - x[i];
        m[0] += k1 * x[i], m[1] += k1 * y[i], m[2] += k2 * x[i], m[3] += k2 * y[i];
        r[0] -= k1 * load, r[1] -= k2 * load;
    }
    double det = m[0] * m[3] - m[1] * m[2], p = (r[0] * m[3] - r[1] * m[1]) / det,
           q = (m[0] * r[1] - m[2] * r[0]) / det;
    double inertia = b->inertia > 0.0 ? b->inertia : (b->hx * b->hx + b->hy * b->hy) / 3.0;
    d[0] = s[3], d[1] = s[4], d[2] = s[5], d[3] = d[4] = d[5] = 0.0;
    for (int i = 0; i < 4; i++) {
        double n = load + p * x[i] + q * y[i];
        d[3] += n * fx[i];
        d[4] += n * fy[i];
        d[5] += (x[i] * n * fy[i] - y[i] * n * fx[i]) / inertia;
    }
}

double ctPlanarBox_Stop(const ctPlanarBox *b, double *s)
{
    double time = 0.0, speed;
    while ((speed = hypot(s[3], s[4]) + fabs(s[5]) * 0.1) > 1e-9) {
        double h = fmin(2e-5, 0.02 * speed / 3.0), k[4][6], z[6];
        ratesOf(b, s, k[0]);
        for (int j = 1; j < 4; j++) {
            for (int i = 0; i < 6; i++) {
                z[i] = s[i] + (j < 3 ? 0.5 : 1.0) * h * k[j - 1][i];
            }
            ratesOf(b, z, k[j]);
        }
        for (int i = 0; i < 6; i++) {
            s[i] += h / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
        time += h;
    }
    return time;
}
