// Flight against closed forms, an independent integrator, and the conservation laws.
#include "engine/flight/flight.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <string.h>

static double quatAngle(ctQuat a, ctQuat b)
{
    ctVec3 v = ctQuatLog(ctMulQ(ctConjugate(a), b));
    return ctLength(v);
}

// Moments of a random box, from plates to needles: every triangle inequality holds.
static ctMat3 randomTensor(ctRandom *r, ctVec3 *moments)
{
    double x = ctRandomLog(r, 0.05, 1), y = ctRandomLog(r, 0.05, 1), z = ctRandomLog(r, 0.05, 1);
    *moments = ctScale(ctRandomLog(r, 1e-6, 1e3), ctV3(y * y + z * z, z * z + x * x, x * x + y * y));
    return ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), *moments);
}

// ---- the oracle: Runge-Kutta in extended precision on (q, w), no code in common with the engine -----

typedef struct {
    long double q[4], w[3];
} Top;

static Top topRate(const Top *s, const long double *m)
{
    const long double *q = s->q, *w = s->w;
    Top d;
    d.q[0] = 0.5L * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    d.q[1] = 0.5L * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    d.q[2] = 0.5L * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    d.q[3] = 0.5L * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    d.w[0] = (m[1] - m[2]) * w[1] * w[2] / m[0];
    d.w[1] = (m[2] - m[0]) * w[2] * w[0] / m[1];
    d.w[2] = (m[0] - m[1]) * w[0] * w[1] / m[2];
    return d;
}

static Top topAdd(const Top *a, long double h, const Top *b)
{
    Top c;
    for (int i = 0; i < 4; i++) {
        c.q[i] = a->q[i] + h * b->q[i];
    }
    for (int i = 0; i < 3; i++) {
        c.w[i] = a->w[i] + h * b->w[i];
    }
    return c;
}

// body axes = principal axes here.
static void oracle(ctVec3 moments, ctQuat *q, ctVec3 *w, double dt, int steps)
{
    long double m[3] = {moments.x, moments.y, moments.z};
    ctVec3 b = ctInvRotate(*q, *w);
    Top s = {{q->w, q->x, q->y, q->z}, {b.x, b.y, b.z}};
    long double h = (long double)dt / steps;
    for (int i = 0; i < steps; i++) {
        Top k1 = topRate(&s, m), s2 = topAdd(&s, h / 2, &k1);
        Top k2 = topRate(&s2, m), s3 = topAdd(&s, h / 2, &k2);
        Top k3 = topRate(&s3, m), s4 = topAdd(&s, h, &k3);
        Top k4 = topRate(&s4, m);
        s = topAdd(&s, h / 6, &k1);
        s = topAdd(&s, h / 3, &k2);
        s = topAdd(&s, h / 3, &k3);
        s = topAdd(&s, h / 6, &k4);
    }
    *q = ctNormalizeQ(ctQuatOf((double)s.q[0], (double)s.q[1], (double)s.q[2], (double)s.q[3]));
    *w = ctRotate(*q, ctV3((double)s.w[0], (double)s.w[1], (double)s.w[2]));
}

START_TEST(general_flight_matches_the_oracle)
{
    ctRandom r = ctRandomSeed(1);
    double worstAngle = 0.0, worstRate = 0.0;
    for (int i = 0; i < ctTestCases(60); i++) {
        ctVec3 m;
        (void)randomTensor(&r, &m);
        ctInertia in = ctInertia_FromTensor(ctMat3Diagonal(m.x, m.y, m.z));
        ck_assert_int_eq(in.kind, ct_inertiaGeneral);
        double turn = ctRandomLog(&r, 0.01, 5.0), rate = ctRandomLog(&r, 0.1, 500.0);
        double dt = (i % 2 ? 1.0 : -1.0) * turn / rate;
        ctQuat q = ctRandomQuat(&r), p = q;
        ctVec3 w = ctScale(rate, ctRandomUnit(&r)), u = w;
        ctFlyRotation(&in, &q, &w, dt);
        oracle(m, &p, &u, dt, 6000);
        worstAngle = fmax(worstAngle, quatAngle(p, q));
        worstRate = fmax(worstRate, ctDistance(w, u) / rate);
    }
    ctAssertClose(worstAngle, 0.0, 2e-14);
    ctAssertClose(worstRate, 0.0, 2e-14);
}
END_TEST

// Euler's equations by Jacobi's elliptic functions, summed by the arithmetic-geometric mean: for I1 < I2 < I3
// and |L|^2 > 2 T I2, started where w2 = 0: w = (A cn u, B sn u, C dn u) (Landau & Lifshitz 37.10).
static void jacobi(double u, double parameter, double *sn, double *cn, double *dn)
{
    double a[16], c[16], b = sqrt(1.0 - parameter);
    int n = 0;
    a[0] = 1.0;
    c[0] = sqrt(parameter);
    while (n < 15 && fabs(c[n]) > 1e-17) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
        n++;
    }
    double phi = ldexp(a[n] * u, n);
    for (; n > 0; n--) {
        phi = 0.5 * (asin(c[n] * sin(phi) / a[n]) + phi);
    }
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1.0 - parameter * *sn * *sn);
}

START_TEST(general_flight_matches_jacobi)
{
    const double i1 = 1.0, i2 = 2.0, i3 = 3.0;
    ctInertia in = ctInertia_FromTensor(ctMat3Diagonal(i1, i2, i3));
    ctRandom r = ctRandomSeed(2);
    for (int i = 0; i < ctTestCases(2000); i++) {
        double w1 = ctRandomUniform(&r, 0.1, 1.0), w3 = ctRandomUniform(&r, 1.0, 3.0);
        double t2 = i1 * w1 * w1 + i3 * w3 * w3, l2 = i1 * i1 * w1 * w1 + i3 * i3 * w3 * w3;
        ck_assert(l2 > t2 * i2);
        double rate = sqrt((i3 - i2) * (l2 - t2 * i1) / (i1 * i2 * i3));
        double parameter = (i2 - i1) * (t2 * i3 - l2) / ((i3 - i2) * (l2 - t2 * i1));
        double t = ctRandomUniform(&r, -3.0, 3.0), sn, cn, dn;
        jacobi(rate * t, parameter, &sn, &cn, &dn);
        double a = sqrt((t2 * i3 - l2) / (i1 * (i3 - i1))), b = sqrt((t2 * i3 - l2) / (i2 * (i3 - i2)));
        double c = sqrt((l2 - t2 * i1) / (i3 * (i3 - i1)));
        ctQuat q = ctQuatIdentity();
        ctVec3 w = ctV3(w1, 0.0, w3);
        ctFlyRotation(&in, &q, &w, t);
        ctVec3 body = ctInvRotate(q, w);
        // w2' = (I3 - I1) / I2 w3 w1 > 0 at the start.
        ctAssertClose(ctDistance(body, ctV3(a * cn, b * sn, c * dn)), 0.0, 1e-13);
    }
}
END_TEST

START_TEST(symmetric_bodies_match_the_general_series)
{
    ctRandom r = ctRandomSeed(3);
    for (int i = 0; i < ctTestCases(20000); i++) {
        double across = ctRandomLog(&r, 1e-3, 1e3), along = across * ctRandomUniform(&r, 0.05, 1.99);
        if (i % 3 == 0) {
            along = across;
        }
        ctVec3 d = i % 2 ? ctV3(across, across, along) : ctV3(along, across, across);
        ctMat3 frame = ctMat3FromQuat(ctRandomQuat(&r));
        ctInertia in = ctInertia_FromTensor(ctRotateDiagonal(frame, d));
        ck_assert_int_eq(in.kind, i % 3 == 0 ? ct_inertiaSpherical : ct_inertiaAxisymmetric);
        ctInertia general = in;
        general.kind = ct_inertiaGeneral;
        double rate = ctRandomLog(&r, 1e-3, 1e3), dt = ctRandomUniform(&r, -2.0, 2.0) / rate;
        ctQuat q = ctRandomQuat(&r), p = q;
        ctVec3 w = ctScale(rate, ctRandomUnit(&r)), u = w;
        ctFlyRotation(&in, &q, &w, dt);
        ctFlyRotation(&general, &p, &u, dt);
        ctAssertClose(quatAngle(p, q), 0.0, 1e-13);
        ctAssertClose(ctDistance(w, u), 0.0, 1e-13 * rate);
    }
}
END_TEST

typedef struct {
    double energy, momentum, attitude;
} Drift;

// Tumbles for 60 s in the given number of pieces, even or uneven.
static Drift tumble(const ctInertia *in, ctVec3 w0, int pieces, bool even, ctRandom *r)
{
    ctQuat q = ctRandomQuat(r);
    ctVec3 w = ctRotate(q, w0), x = ctV3(0, 0, 1), v = ctV3(1, 2, 3), g = ctV3(0, 0, -9.81);
    ctVec3 l0 = ctInertia_Momentum(in, q, w);
    double t0 = ctInertia_Energy(in, q, w), left = 60.0;
    Drift worst = {0.0, 0.0, 0.0};
    for (int i = 0; i < pieces; i++) {
        double dt = left / (pieces - i);
        if (!even && i < pieces - 1) {
            dt *= ctRandomUniform(r, 0, 1) < 0.2 ? ctRandomLog(r, 1e-6, 1.0) : ctRandomUniform(r, 0.0, 2.0);
        }
        ctFly(in, &x, &v, &q, &w, g, dt);
        left -= dt;
        double energy = ctInertia_Energy(in, q, w);
        worst.energy = fmax(worst.energy, fabs(energy / t0 - 1.0));
        worst.momentum = fmax(worst.momentum, ctDistance(ctInertia_Momentum(in, q, w), l0) / ctLength(l0));
    }
    // The parabola: 60 s later to rounding of the distance.
    ctAssertClose(x.z, 1.0 + 3.0 * 60.0 - 0.5 * 9.81 * 3600.0, 1e-12 * 17658.0);
    ctAssertClose(x.x, 60.0, 1e-12 * 60.0);
    ctAssertClose(v.z, 3.0 - 9.81 * 60.0, 1e-12 * 588.6);
    return worst;
}

START_TEST(energy_and_momentum_do_not_drift)
{
    ctRandom r = ctRandomSeed(4);
    ctInertia general = ctInertia_FromTensor(ctMat3Diagonal(1, 2, 3));
    ctInertia turned =
        ctInertia_FromTensor(ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(&r)), ctV3(1e-3, 2.7e-3, 3.1e-3)));
    ctInertia coin = ctInertia_FromTensor(ctMat3Diagonal(1, 1, 1.98));
    ctInertia ball = ctInertia_FromTensor(ctMat3Diagonal(0.4, 0.4, 0.4));
    const ctInertia *bodies[] = {&general, &turned, &coin, &ball};
    // Plain tumbling, about the unstable axis, and fast.
    const ctVec3 rates[] = {{1, 2, 3}, {1e-3, 5, 1e-3}, {40, -70, 20}};
    for (int b = 0; b < 4; b++) {
        for (int k = 0; k < 3; k++) {
            Drift even = tumble(bodies[b], rates[k], 3600, true, &r);
            ctAssertClose(even.energy, 0.0, 1e-12);
            ctAssertClose(even.momentum, 0.0, 1e-12);
            Drift uneven = tumble(bodies[b], rates[k], ctTestCases(30000), false, &r);
            ctAssertClose(uneven.energy, 0.0, 1e-12);
            ctAssertClose(uneven.momentum, 0.0, 1e-12);
        }
    }
}
END_TEST

START_TEST(flight_forth_and_back_is_the_identity)
{
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctVec3 m;
        ctInertia in = ctInertia_FromTensor(randomTensor(&r, &m));
        double rate = ctRandomLog(&r, 1e-6, 1e3), dt = ctRandomUniform(&r, 0, 3) / rate;
        ctQuat q0 = ctRandomQuat(&r), q = q0;
        ctVec3 x0 = ctRandomVec3(&r, -1, 1), v0 = ctRandomVec3(&r, -1, 1), w0 = ctScale(rate, ctRandomUnit(&r));
        ctVec3 x = x0, v = v0, w = w0, g = ctScale(1.0 / (dt * dt), ctRandomVec3(&r, -1, 1));
        ctFly(&in, &x, &v, &q, &w, g, 0.0);
        ck_assert(memcmp(&x, &x0, sizeof x) == 0 && memcmp(&q, &q0, sizeof q) == 0 && memcmp(&w, &w0, sizeof w) == 0);
        ctFly(&in, &x, &v, &q, &w, g, dt);
        ctFly(&in, &x, &v, &q, &w, g, -dt);
        ctAssertClose(quatAngle(q, q0), 0.0, 4e-13); // near the unstable axis errors grow by exp(3)
        ctAssertClose(ctDistance(w, w0), 0.0, 4e-13 * rate);
        ctAssertClose(ctDistance(x, x0), 0.0, 1e-14 * (1.0 + dt));
        ctAssertClose(ctDistance(v, v0), 0.0, 1e-14 * (1.0 + 1.0 / dt));
    }
}
END_TEST

START_TEST(bounds_hold_and_are_attained)
{
    ctRandom r = ctRandomSeed(6);
    for (int i = 0; i < ctTestCases(1000); i++) {
        ctVec3 m;
        ctMat3 tensor = randomTensor(&r, &m);
        if (i % 4 == 0) {
            tensor = ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(&r)), ctV3(m.x, m.x, m.x * 1.5));
        }
        ctInertia in = ctInertia_FromTensor(tensor);
        ctQuat q = ctRandomQuat(&r);
        ctVec3 w = ctScale(ctRandomLog(&r, 0.01, 100.0), ctRandomUnit(&r));
        double wMax, alphaMax, topRate2 = 0.0, topAlpha = 0.0;
        ctFlightBounds(&in, q, w, &wMax, &alphaMax);
        for (int k = 0; k < 400; k++) {
            topRate2 = fmax(topRate2, ctLengthSquared(w));
            // dw/dt = I^-1 (L x w)
            ctVec3 l = ctInertia_Momentum(&in, q, w);
            ctVec3 alpha = ctMulMV(ctInertia_WorldInverse(&in, q), ctCross(l, w));
            topAlpha = fmax(topAlpha, ctLength(alpha));
            ctFlyRotation(&in, &q, &w, 0.1 / wMax);
        }
        ck_assert_msg(sqrt(topRate2) <= wMax, "%.17g > %.17g", sqrt(topRate2), wMax);
        ck_assert_msg(topAlpha <= alphaMax * (1.0 + 1e-9), "%.17g > %.17g", topAlpha, alphaMax);
        if (i % 4 == 0) {
            ctAssertClose(topAlpha, alphaMax, 1e-9 * alphaMax);
        }
    }
    // 1:2:3 over whole periods: the largest rate is reached.
    ctInertia in = ctInertia_FromTensor(ctMat3Diagonal(1, 2, 3));
    ctQuat q = ctQuatIdentity();
    ctVec3 w = ctV3(1.0, 0.5, 2.0);
    double wMax, alphaMax, top = 0.0, topAlpha = 0.0;
    ctFlightBounds(&in, q, w, &wMax, &alphaMax);
    for (int k = 0; k < 20000; k++) {
        ctFlyRotation(&in, &q, &w, 1e-3);
        ctVec3 alpha = ctMulMV(ctInertia_WorldInverse(&in, q), ctCross(ctInertia_Momentum(&in, q, w), w));
        top = fmax(top, ctLength(w));
        topAlpha = fmax(topAlpha, ctLength(alpha));
    }
    ctAssertClose(top, wMax, 1e-5 * wMax);
    ctAssertClose(topAlpha, alphaMax, 1e-5 * alphaMax);
}
END_TEST

START_TEST(world_inverse_inverts_the_tensor)
{
    ctRandom r = ctRandomSeed(7);
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctVec3 m;
        ctMat3 tensor = randomTensor(&r, &m);
        if (i % 3 == 0) {
            tensor = ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(&r)), ctV3(m.x, m.x, m.x * 1.5));
        }
        if (i % 3 == 1) {
            tensor = ctMat3Diagonal(m.x, m.x, m.x);
        }
        ctInertia in = ctInertia_FromTensor(tensor);
        ctQuat q = ctRandomQuat(&r);
        ctMat3 rot = ctMat3FromQuat(q);
        ctVec3 w = ctRandomVec3(&r, -1, 1);
        ctVec3 l = ctMulMV(rot, ctMulMV(tensor, ctMulTMV(rot, w)));
        double scale = ctLength(l);
        ctAssertClose(ctDistance(ctInertia_Momentum(&in, q, w), l), 0.0, 1e-13 * scale);
        ctAssertClose(ctDistance(ctMulMV(ctInertia_WorldInverse(&in, q), l), w), 0.0, 1e-11);
        ctAssertClose(ctInertia_Energy(&in, q, w), 0.5 * ctDot(w, l), 1e-13 * scale);
    }
}
END_TEST

START_TEST(impossible_tensors_are_refused)
{
    ctError error = {0};
    ck_assert(ctInertia_Check(ctMat3Diagonal(1, 2, 3), &error)); // a flat plate: allowed
    ck_assert(!ctInertia_Check(ctMat3Diagonal(1, 2, 3.1), &error));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert_ptr_nonnull(strstr(error.message, "3.1"));
    ck_assert(!ctInertia_Check(ctMat3Diagonal(0, 1, 1), &error));
    ck_assert(!ctInertia_Check(ctMat3Diagonal(-1, 1, 1), &error));
    ck_assert(!ctInertia_Check(ctMat3Diagonal(NAN, 1, 1), &error));
    ck_assert(!ctInertia_Check(ctMat3Diagonal(INFINITY, 1, 1), &error));
    ctMat3 skewed = ctMat3Identity();
    skewed.cx.y = 0.1;
    ck_assert(!ctInertia_Check(skewed, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "symmetric"));
    ck_assert(!ctInertia_Check(ctMat3Symmetric(1, 2, 0, 1, 0, 1), NULL));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("flight");
    TCase *rotation = tcase_create("rotation");
    tcase_add_test(rotation, general_flight_matches_the_oracle);
    tcase_add_test(rotation, general_flight_matches_jacobi);
    tcase_add_test(rotation, symmetric_bodies_match_the_general_series);
    tcase_add_test(rotation, energy_and_momentum_do_not_drift);
    tcase_add_test(rotation, flight_forth_and_back_is_the_identity);
    suite_add_tcase(suite, rotation);
    TCase *inertia = tcase_create("inertia");
    tcase_add_test(inertia, bounds_hold_and_are_attained);
    tcase_add_test(inertia, world_inverse_inverts_the_tensor);
    tcase_add_test(inertia, impossible_tensors_are_refused);
    suite_add_tcase(suite, inertia);
    return ctRunSuite(suite);
}
