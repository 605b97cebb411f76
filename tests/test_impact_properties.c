// What must hold of every impact, over a million random ones, physical and extreme; and what must happen to input that
// is no impact at all.
#include "tests/support/impact_oracle.h"
#include "tests/support/impact_vectors.h"
#include "tests/support/suite.h"

#include <string.h>

static bool sameBits(ctVec3 a, ctVec3 b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Whether du_z/dp_z may become negative: only then may Poisson's law end with the bodies still approaching.
static bool mayJam(const ctImpactInput *in)
{
    return in->mu * hypot(in->K.cz.x, in->K.cz.y) > in->K.cz.z;
}

START_TEST(every_impulse_is_permissible)
{
    // A million, in as many kinds as there are workers of Check to run this test.
    int n = ctTestCases(1000000) / ct_kindCount + 1;
    ctImpactKind kind = (ctImpactKind)_i;
    ctRandom r = ctRandomSeed(1000 + (uint64_t)_i);
    for (int i = 0; i < n; i++) {
        ctImpactInput in = ctRandomImpact(&r, kind);
        ctImpactResult x;
        ctImpactMode mode = ctSolveImpact(&in, &x);
        ctAssert(mode == ct_impactSlide || mode == ct_impactStick || mode == ct_impactReverseSlide);
        ctAssert(ctIsFinite3(x.p) && ctIsFinite3(x.v));
        // Energy, separation, cone (Chatterjee & Ruina 3.2).
        unsigned flags = ctCheckPermissible(&in, x.p, 1e-9);
        flags &= in.law == ct_lawPoisson && mayJam(&in) ? ~(unsigned)ct_leavesApproach : ~0u;
        if (flags != 0) {
            ck_abort_msg("%s %d: flags %u", ctImpactKindName(kind), i, flags);
        }
        ctAssert(in.law == ct_lawPoisson || x.v.z >= 0.0);
        ctAssert(sqrt(x.p.x * x.p.x + x.p.y * x.p.y) <= in.mu * x.p.z * (1.0 + 4e-16));
        ctAssert(x.frictionLoss >= 0.0);
        // v = u + K p, to the rounding of that sum and the accuracy of p.
        ctVec3 kp = ctMulMV(in.K, x.p);
        double size = ctLength(in.u) + ctTrace(in.K) * ctLength(x.p);
        ctAssertClose(ctDistance(x.v, ctAdd(in.u, kp)), 0.0, 1e-9 * size);
        if (in.law == ct_lawStronge) {
            ctAssert(x.restitutionLoss >= -1e-12 * x.p.z * ctLength(in.u));
        }
        ctAssert(mode != ct_impactStick || (x.v.x == 0.0 && x.v.y == 0.0));
        ctAssert(x.steps < 1000);
    }
}
END_TEST

START_TEST(the_losses_add_up)
{
    for (ctImpactKind kind = 0; kind < ct_kindCount; kind++) {
        ctRandom r = ctRandomSeed(300 + (uint64_t)kind);
        for (int i = 0; i < ctTestCases(600); i++) {
            ctImpactInput in = ctRandomImpact(&r, kind);
            in.law = (ctLaw)(i % 4);
            in.et = ctRandomUniform(&r, -1, 1);
            in.sigma = ctRandomUniform(&r, 0, 1);
            ctImpactResult x;
            ctSolveImpact(&in, &x);
            double lost = -0.5 * ctDot(x.p, ctAdd(in.u, x.v)), scale = ctLength(x.p) * (ctLength(in.u) + ctLength(x.v));
            ctAssertClose(x.frictionLoss + x.restitutionLoss, lost, 1e-9 * scale);
        }
    }
}
END_TEST

// ---- symmetries ------------------------------------------------------------------------------------

// About the normal: K -> R K R^T, u -> R u.
static ctImpactInput turned(const ctImpactInput *in, double c, double s)
{
    ctMat3 R = ctMat3Columns(ctV3(c, s, 0), ctV3(-s, c, 0), ctV3(0, 0, 1));
    ctImpactInput x = *in;
    x.K = ctMulMM(ctMulMM(R, in->K), ctTranspose(R));
    x.K = ctMat3Symmetric(x.K.cx.x, x.K.cy.x, x.K.cz.x, x.K.cy.y, x.K.cz.y, x.K.cz.z);
    x.u = ctMulMV(R, in->u);
    return x;
}

START_TEST(turning_about_the_normal_turns_the_impulse)
{
    for (ctImpactKind kind = 0; kind < ct_kindCount; kind++) {
        ctRandom r = ctRandomSeed(400 + (uint64_t)kind);
        for (int i = 0; i < ctTestCases(600); i++) {
            ctImpactInput in = ctRandomImpact(&r, kind);
            ctImpactResult x, y;
            ctSolveImpact(&in, &x);
            // A quarter turn is exact, so it must agree to the solver's accuracy in every case.
            ctImpactInput quarter = turned(&in, 0.0, 1.0);
            ctSolveImpact(&quarter, &y);
            ctAssertClose(ctRelativeError(y.p, ctV3(-x.p.y, x.p.x, x.p.z)), 0.0, 2e-9);
            ctAssert(x.mode == y.mode);
            // Any other turn changes the last bits of the input: held to what that may do.
            double angle = ctRandomUniform(&r, 0.0, 6.28), c = cos(angle), s = sin(angle);
            ctImpactInput any = turned(&in, c, s);
            ctSolveImpact(&any, &y);
            ctVec3 p = ctV3(c * x.p.x - s * x.p.y, s * x.p.x + c * x.p.y, x.p.z);
            double error = ctRelativeError(y.p, p);
            if (error > 2e-9) {
                ctVec3 truth;
                ctAssert(ctOracleImpact(&any, &truth));
                ctAssertClose(ctRelativeError(y.p, truth), 0.0, 1e-9 + 10.0 * ctOracleSensitivity(&any, truth, &r));
            }
        }
    }
}
END_TEST

START_TEST(the_impulse_scales_with_the_velocity)
{
    for (ctImpactKind kind = 0; kind < ct_kindCount; kind++) {
        ctRandom r = ctRandomSeed(500 + (uint64_t)kind);
        for (int i = 0; i < ctTestCases(600); i++) {
            ctImpactInput in = ctRandomImpact(&r, kind);
            ctImpactResult x, y;
            ctSolveImpact(&in, &x);
            // Powers of two change no digit: neither must the solver.
            ctImpactInput scaled = in;
            scaled.u = ctScale(1024.0, in.u);
            scaled.K = ctScaleM(0.125, in.K);
            ctSolveImpact(&scaled, &y);
            ctAssert(sameBits(y.p, ctScale(8192.0, x.p)) && sameBits(y.v, ctScale(1024.0, x.v)));
            scaled = in;
            double factor = ctRandomLog(&r, 1e-6, 1e6);
            scaled.u = ctScale(factor, in.u);
            ctSolveImpact(&scaled, &y);
            double error = ctRelativeError(y.p, ctScale(factor, x.p));
            if (error > 2e-9) {
                ctVec3 truth;
                ctAssert(ctOracleImpact(&scaled, &truth));
                ctAssertClose(ctRelativeError(y.p, truth), 0.0, 1e-9 + 10.0 * ctOracleSensitivity(&scaled, truth, &r));
            }
        }
    }
}
END_TEST

// ---- two bodies ------------------------------------------------------------------------------------

typedef struct Moving {
    ctImpactBody body;
    double mass;
    ctMat3 inertia;
    ctVec3 v, w;
} Moving;

static Moving randomMoving(ctRandom *r)
{
    Moving m = {.mass = ctRandomLog(r, 0.1, 10), .v = ctRandomVec3(r, -1, 1), .w = ctRandomVec3(r, -3, 3)};
    ctVec3 squares = ctV3(ctRandomLog(r, 0.05, 1), ctRandomLog(r, 0.05, 1), ctRandomLog(r, 0.05, 1));
    ctVec3 moments = ctScale(m.mass, ctV3(squares.y + squares.z, squares.x + squares.z, squares.x + squares.y));
    ctMat3 R = ctMat3FromQuat(ctRandomQuat(r));
    m.inertia = ctRotateDiagonal(R, moments);
    m.body = (ctImpactBody){1.0 / m.mass, ctRotateDiagonal(R, ctV3(1 / moments.x, 1 / moments.y, 1 / moments.z)),
                            ctRandomVec3(r, -1, 1)};
    return m;
}

static ctVec3 contactVelocity(const Moving *a, const Moving *b)
{
    return ctSub(ctAdd(a->v, ctCross(a->w, a->body.arm)), ctAdd(b->v, ctCross(b->w, b->body.arm)));
}

static void push(Moving *m, ctVec3 p)
{
    m->v = ctMulAdd(m->v, m->body.invMass, p);
    m->w = ctAdd(m->w, ctMulMV(m->body.invInertia, ctCross(m->body.arm, p)));
}

static double kinetic(const Moving *m)
{
    return 0.5 * m->mass * ctDot(m->v, m->v) + 0.5 * ctDot(m->w, ctMulMV(m->inertia, m->w));
}

START_TEST(bodies_move_as_the_result_says)
{
    ctRandom r = ctRandomSeed(15);
    for (int i = 0; i < ctTestCases(10000); i++) {
        Moving a = randomMoving(&r), b = randomMoving(&r);
        ctVec3 n = ctRandomUnit(&r), x, y;
        ctFrameFromNormal(n, &x, &y);
        ctMat3 frame = ctMat3Columns(x, y, n);
        ctVec3 u = contactVelocity(&a, &b);
        if (ctDot(u, n) > 0.0) {
            a.v = ctMulAdd(a.v, -2.0 * ctDot(u, n), n);
            u = contactVelocity(&a, &b);
        }
        ctImpactInput in = {.K = ctImpactMatrix(&a.body, &b.body, x, y, n),
                            .u = ctMulTMV(frame, u),
                            .mu = ctRandomLog(&r, 0.05, 2),
                            .e = ctRandomUniform(&r, 0, 1),
                            .et = ctRandomUniform(&r, -1, 1),
                            .sigma = ctRandomUniform(&r, 0, 1),
                            .law = (ctLaw)(i % 4)};
        ctImpactResult out;
        ctSolveImpact(&in, &out);
        double before = kinetic(&a) + kinetic(&b);
        Moving c = a, d = b;
        ctVec3 p = ctMulMV(frame, out.p);
        push(&c, p);
        push(&d, ctNeg(p));
        // The contact velocity and the energy are what the result says.
        double scale = ctLength(u) + ctTrace(in.K) * ctLength(p);
        ctAssertClose(ctDistance(ctMulTMV(frame, contactVelocity(&c, &d)), out.v), 0.0, 1e-9 * scale);
        ctAssertClose(before - kinetic(&c) - kinetic(&d), out.frictionLoss + out.restitutionLoss,
                      1e-9 * (before + ctLength(p) * ctLength(u)));
        // Theorem 7: the impulse depends on u alone. The same u from a common velocity on top:
        ctVec3 common = ctRandomVec3(&r, -5, 5);
        a.v = ctAdd(a.v, common);
        b.v = ctAdd(b.v, common);
        ctImpactInput moved = in;
        ctImpactResult again;
        moved.u = ctMulTMV(frame, contactVelocity(&a, &b));
        ctSolveImpact(&moved, &again);
        ctAssertClose(ctRelativeError(again.p, out.p), 0.0, 1e-8);
    }
}
END_TEST

START_TEST(an_immovable_partner_is_exact_zeros)
{
    ctRandom r = ctRandomSeed(16);
    for (int i = 0; i < ctTestCases(5000); i++) {
        Moving a = randomMoving(&r), b = randomMoving(&r);
        ctVec3 n = ctRandomUnit(&r), x, y;
        ctFrameFromNormal(n, &x, &y);
        ctImpactBody fixed = {0.0, ctMat3Zero(), b.body.arm}, none = {0.0, ctMat3Zero(), ctZero3()};
        ctMat3 k = ctImpactMatrix(&a.body, &fixed, x, y, n), alone = ctImpactMatrix(&a.body, &none, x, y, n);
        ctAssert(memcmp(&k, &alone, sizeof k) == 0);
        // K = 1/m - [r] I^-1 [r] in the frame (Jia & Wang, equations 3 and 5).
        ctMat3 s = ctMat3Skew(a.body.arm), f = ctMat3Columns(x, y, n);
        ctMat3 world = ctSubMM(ctScaleM(a.body.invMass, ctMat3Identity()), ctMulMM(s, ctMulMM(a.body.invInertia, s)));
        ctMat3 expected = ctMulMM(ctTranspose(f), ctMulMM(world, f)), d = ctSubMM(k, expected);
        ctAssertClose(ctLength(d.cx) + ctLength(d.cy) + ctLength(d.cz), 0.0, 1e-13 * ctTrace(k));
        ctAssert(ctIsPositiveDefinite(k));
    }
    // A sphere on the ground: diag(7, 7, 2) / 2m, and it takes the closed form in any frame.
    for (int i = 0; i < 1000; i++) {
        ctVec3 n = ctRandomUnit(&r), x, y;
        double m = ctRandomLog(&r, 0.01, 100), radius = ctRandomLog(&r, 0.01, 10),
               k = 1.0 / (0.4 * m * radius * radius);
        ctFrameFromNormal(n, &x, &y);
        ctImpactBody ball = {1.0 / m, ctMat3Diagonal(k, k, k), ctScale(-radius, n)},
                     ground = {0.0, ctMat3Zero(), ctZero3()};
        ctImpactInput in = {
            ctImpactMatrix(&ball, &ground, x, y, n), ctV3(1, 2, -3), 0.1, 0.5, 0, 0, ct_lawStronge, 0.0};
        ctAssertClose(in.K.cx.x * m, 3.5, 1e-14);
        ctAssertClose(in.K.cz.z * m, 1.0, 1e-14);
        ctImpactResult out;
        ctSolveImpact(&in, &out);
        ctAssert(out.steps == 0);
        ctAssertClose(out.p.z / m, 4.5, 1e-13);
        ctAssertClose(hypot(out.p.x, out.p.y), 0.1 * out.p.z, 1e-14 * out.p.z);
    }
}
END_TEST

// ---- what is no impact -----------------------------------------------------------------------------

static void checkInvalid(ctImpactInput in, const char *why)
{
    ctImpactResult x;
    ck_assert_msg(ctSolveImpact(&in, &x) == ct_impactInvalid, "accepted although %s", why);
    ctAssert(isnan(x.p.x) && isnan(x.p.y) && isnan(x.p.z) && isnan(x.v.x) && isnan(x.v.y) && isnan(x.v.z));
    ck_assert_msg(ctCheckImpact(&in) != NULL, "no reason although %s", why);
}

// Found by fuzzing: what the arithmetic cannot hold is refused, neither answered by zero nor by an infinite loss.
START_TEST(numbers_beyond_the_range_are_invalid)
{
    const ctImpactInput apart = {.K = ctMat3Symmetric(2413.0, 3e-86, 3e-86, 2.8e235, 3e-86, 3.03e-86),
                                 .u = {3e-86, 4.8e-87, -9.6e307}};
    checkInvalid(apart, "K has no scale");
    const ctImpactInput loss = {.K = ctMat3Symmetric(1.2e-310, 0, 0, 2e-323, 0, 1.6e-312),
                                .u = {6e-306, 4.3e16, -6.4e-53},
                                .mu = 2.9e48,
                                .law = ct_lawPoisson};
    checkInvalid(loss, "the loss overflows");
    const ctImpactInput impulse = {.K = ctMat3Symmetric(1e-200, 0, 0, 2e-200, 0, 1e-200), .u = {0, 0, -1e200}};
    checkInvalid(impulse, "the impulse overflows");
    const ctImpactInput rough = {.K = ctMat3Symmetric(2, 1, 1, 2, 1, 2), .u = {1, 0, -1}, .mu = 1.1e100};
    checkInvalid(rough, "mu is beyond its range");
    ctImpactInput wide = {.K = ctMat3Symmetric(1e60, 0, 0, 1e-60, 0, 1.0), .u = {0, 0, -1e80}};
    ctImpactResult x;
    ctAssert(ctCheckImpact(&wide) == NULL && ctSolveImpact(&wide, &x) != ct_impactInvalid);
    ctAssert(fabs(x.p.z / 1e80 - 1.0) < 1e-9 && fabs(x.restitutionLoss / 5e159 - 1.0) < 1e-9);
}
END_TEST

// Numbers so far apart that an impulse may have no digits: it is permissible, or there is none.
START_TEST(no_answer_is_wrong)
{
    const double k = 2.0087766792234922e-139, kx = 2.0316818916656423e-139, ky = 2.0120568921666402e-139;
    const ctImpactInput cases[] = {
        {.K = ctMat3Symmetric(kx, k, k, ky, k, k), .u = {2.8e-38, 1.99e-139, -8.955e-169}, .mu = 3.86e86},
        {.K = ctMat3Symmetric(kx, k, k, ky, k, k), .u = {8.6e-130, -5.6e-125, -8.955e-169}, .mu = 3.86e86},
        {.K = ctMat3Symmetric(kx, k, k, ky, k, k), .u = {8.6e-130, -6.9e135, -6.066e67}, .mu = 2.28e-138},
        {.K = ctMat3Symmetric(6.9e-101, k, k, ky, k, 1.84e-33), .u = {8.7e-130, 9.2e-309, -9.56e-53}, .mu = k},
        {.K = ctMat3Symmetric(1.5e139, 0, 1.9e53, 7.4e140, 0, 4.4e202), .u = {-2.3e-78, 0, -1.5e-291}, .mu = 8.2e62},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ctImpactResult x;
        ctImpactMode mode = ctSolveImpact(&cases[i], &x);
        ctAssert(mode == ct_impactInvalid || ctCheckPermissible(&cases[i], x.p, 1e-9) == ct_permissible);
        ctAssert((mode == ct_impactInvalid) == (ctCheckImpact(&cases[i]) != NULL));
    }
}
END_TEST

START_TEST(invalid_input_is_invalid)
{
    const ctImpactInput good = {
        ctMat3Symmetric(4, 1, 0.5, 3, 0.2, 2), {1, 2, -3}, 0.5, 0.5, 0.0, 0.5, ct_lawStronge, 0.0};
    ctImpactResult x;
    ctAssert(ctCheckImpact(&good) == NULL);
    ctAssert(ctSolveImpact(&good, &x) != ct_impactInvalid);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        for (int field = 0; field < 12; field++) {
            ctImpactInput in = good;
            double *fields[] = {&in.K.cx.x, &in.K.cy.x, &in.K.cz.x, &in.K.cy.y, &in.K.cz.y, &in.K.cz.z,
                                &in.u.x,    &in.u.y,    &in.u.z,    &in.mu,     &in.e,      &in.et};
            in.law = field == 11 ? ct_lawAlgebraic : ct_lawStronge;
            *fields[field] = bad[i];
            checkInvalid(in, "a number is not finite");
        }
    }
    ctImpactInput in = good;
    in.mu = -1e-300;
    checkInvalid(in, "mu < 0");
    in = good;
    in.e = 1.0 + 1e-15;
    checkInvalid(in, "e > 1");
    in.e = -1e-15;
    checkInvalid(in, "e < 0");
    in = good;
    in.law = ct_lawAlgebraic;
    in.et = 1.5;
    checkInvalid(in, "et > 1");
    in.law = ct_lawComposite;
    in.et = 0.0;
    in.sigma = 2.0;
    checkInvalid(in, "sigma > 1");
    in.law = (ctLaw)99;
    checkInvalid(in, "there is no such law");
    in = good;
    in.law = ct_lawBilinear;
    checkInvalid(in, "K is not diagonal");
    const ctMat3 matrices[] = {ctMat3Zero(),
                               ctMat3Diagonal(-1, 1, 1),
                               ctMat3Diagonal(1, 1, 0),
                               ctMat3Diagonal(1, 0, 1),
                               ctMat3Symmetric(1, 1, 0, 1, 0, 1),
                               ctMat3Symmetric(1, 2, 0, 1, 0, 1),
                               ctMat3Symmetric(1, 0, 2, 1, 0, 1),
                               ctMat3Symmetric(1, 1, 1, 1, 1, 1)};
    for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
        in = good;
        in.K = matrices[i];
        checkInvalid(in, "K is not positive definite");
    }
    // A separating contact is valid, and nothing happens; but only if the rest makes sense.
    for (int i = 0; i < 2; i++) {
        in = good;
        in.u.z = i;
        ctAssert(ctSolveImpact(&in, &x) == ct_impactNone);
        ctAssert(ctLength(x.p) == 0.0 && sameBits(x.v, in.u) && x.frictionLoss == 0.0 && x.restitutionLoss == 0.0);
        in.K.cx.x = -1.0;
        checkInvalid(in, "K is not positive definite");
    }
}
END_TEST

START_TEST(any_bits_at_all)
{
    // Whatever the numbers are, the answer is finite or invalid, after bounded work.
    ctRandom r = ctRandomSeed(17);
    int valid = 0;
    for (int i = 0; i < ctTestCases(100000); i++) {
        ctImpactInput in = ctRandomImpact(&r, i % ct_kindCount);
        double *fields[] = {&in.K.cx.x, &in.K.cy.x, &in.K.cz.x, &in.K.cy.y, &in.K.cz.y, &in.K.cz.z, &in.u.x,
                            &in.u.y,    &in.u.z,    &in.mu,     &in.e,      &in.et,     &in.sigma};
        in.law = (ctLaw)ctRandomInt(&r, 0, 3);
        if (i % 3 == 0) {
            uint64_t bits = ctRandomBits(&r);
            memcpy(fields[ctRandomInt(&r, 0, 12)], &bits, sizeof bits);
        } else if (i % 3 == 1) {
            *fields[ctRandomInt(&r, 0, 9)] *= ctRandomLog(&r, 1e-300, 1e300);
        } else {
            // All of K or u at once, so that it stays positive definite.
            double factor = ctRandomLog(&r, 1e-300, 1e300);
            in.K = ctScaleM(factor, in.K);
            in.u = ctScale(ctRandomLog(&r, 1e-300, 1e300), in.u);
            in.u.x *= ctRandomLog(&r, 1e-200, 1e200);
        }
        ctImpactResult x;
        ctImpactMode mode = ctSolveImpact(&in, &x);
        if (mode == ct_impactInvalid) {
            ctAssert(isnan(x.p.x) && isnan(x.v.z));
            continue;
        }
        valid++;
        ctAssert(ctIsFinite3(x.p) && ctIsFinite3(x.v));
        ctAssert(x.steps <= 2000);
        ctAssert(mode == ct_impactNone || x.p.z >= 0.0);
    }
    ctAssert(valid > ctTestCases(100000) / 4);
}
END_TEST

START_TEST(scales_of_a_hundred_decades)
{
    ctRandom r = ctRandomSeed(18);
    for (int i = 0; i < ctTestCases(5000); i++) {
        ctImpactInput in = ctRandomImpact(&r, i % ct_kindCount);
        int k = ctRandomInt(&r, -300, 300), u = ctRandomInt(&r, -300, 300);
        ctImpactInput far = in;
        far.K = ctScaleM(ldexp(1.0, k), in.K);
        far.u = ctScale(ldexp(1.0, u), in.u);
        ctImpactResult x, y;
        ctSolveImpact(&in, &x);
        ctSolveImpact(&far, &y);
        ctAssert(sameBits(y.p, ctV3(ldexp(x.p.x, u - k), ldexp(x.p.y, u - k), ldexp(x.p.z, u - k))));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("impact_properties");
    TCase *properties = tcase_create("properties");
    tcase_set_timeout(properties, 60);
    tcase_add_loop_test(properties, every_impulse_is_permissible, 0, ct_kindCount);
    tcase_add_test(properties, the_losses_add_up);
    tcase_add_test(properties, turning_about_the_normal_turns_the_impulse);
    tcase_add_test(properties, the_impulse_scales_with_the_velocity);
    tcase_add_test(properties, bodies_move_as_the_result_says);
    tcase_add_test(properties, an_immovable_partner_is_exact_zeros);
    suite_add_tcase(suite, properties);
    TCase *robustness = tcase_create("robustness");
    tcase_set_timeout(robustness, 60);
    tcase_add_test(robustness, no_answer_is_wrong);
    tcase_add_test(robustness, invalid_input_is_invalid);
    tcase_add_test(robustness, numbers_beyond_the_range_are_invalid);
    tcase_add_test(robustness, any_bits_at_all);
    tcase_add_test(robustness, scales_of_a_hundred_decades);
    suite_add_tcase(suite, robustness);
    return ctRunSuite(suite);
}
