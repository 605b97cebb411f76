// A libFuzzer target: impacts of two bodies of any masses, shapes and arms, and impacts of any numbers at all. What
// comes out is invalid, or finite, without energy gained, and inside the friction cone.
#include "engine/impact/impact.h"
#include "tests/fuzz/bytes.h"

#include <string.h>

static ctImpactBody takeBody(Bytes *b)
{
    ctImpactBody body = {0};
    if (takeChoice(b, 4) == 0) {
        return body; // fixed
    }
    double mass = takeLog(b, 1e-6, 1e6), size = takeLog(b, 1e-6, 1e4);
    ctVec3 half = ctV3(size, size * takeLog(b, 1e-3, 1.0), size * takeLog(b, 1e-3, 1.0));
    ctVec3 moments =
        ctV3(mass / 3.0 * (half.y * half.y + half.z * half.z), mass / 3.0 * (half.z * half.z + half.x * half.x),
             mass / 3.0 * (half.x * half.x + half.y * half.y));
    body.invMass = 1.0 / mass;
    body.invInertia = ctMat3Symmetric(1.0 / moments.x, 0.0, 0.0, 1.0 / moments.y, 0.0, 1.0 / moments.z);
    body.arm = takeVec3(b, 1.0);
    body.arm = ctV3(body.arm.x * half.x, body.arm.y * half.y, body.arm.z * half.z);
    return body;
}

static double takeAnyNumber(Bytes *b)
{
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | takeByte(b);
    }
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static ctImpactInput takeImpact(Bytes *b)
{
    ctImpactInput in = {0};
    in.law = (ctLaw)takeChoice(b, ct_lawBilinear + 1);
    if (takeChoice(b, 8) == 0) { // any numbers
        double k[6];
        for (int i = 0; i < 6; i++) {
            k[i] = takeAnyNumber(b);
        }
        in.K = ctMat3Symmetric(k[0], k[1], k[2], k[3], k[4], k[5]);
        in.u = ctV3(takeAnyNumber(b), takeAnyNumber(b), takeAnyNumber(b));
        in.mu = takeAnyNumber(b);
        in.e = takeAnyNumber(b);
        in.et = takeAnyNumber(b);
        in.sigma = takeAnyNumber(b);
        return in;
    }
    ctImpactBody one = takeBody(b), two = takeBody(b);
    ctVec3 normal = takeVec3(b, 1.0), x, y;
    normal = ctLength(normal) > 0.0 ? ctNormalize(normal) : ctV3(0.0, 0.0, 1.0);
    x = ctCross(normal, fabs(normal.x) < 0.5 ? ctV3(1.0, 0.0, 0.0) : ctV3(0.0, 1.0, 0.0));
    x = ctNormalize(x);
    y = ctCross(normal, x);
    in.K = ctImpactMatrix(&one, &two, x, y, normal);
    double speed = takeLog(b, 1e-9, 1e6);
    in.u = ctV3(takeRange(b, -speed, speed), takeRange(b, -speed, speed), -speed * takeLog(b, 1e-6, 1.0));
    in.mu = takeChoice(b, 8) == 0 ? 0.0 : takeLog(b, 1e-6, 100.0);
    in.e = takeRange(b, 0.0, 1.0);
    in.et = takeRange(b, -1.0, 1.0);
    in.sigma = takeRange(b, 0.0, 1.0);
    return in;
}

static void show(const ctImpactInput *in)
{
    fprintf(stderr,
            "--k %.17g,%.17g,%.17g,%.17g,%.17g,%.17g --u %.17g,%.17g,%.17g --mu %.17g --e %.17g --et %.17g --sigma "
            "%.17g --law %s\n",
            in->K.cx.x, in->K.cy.x, in->K.cz.x, in->K.cy.y, in->K.cz.y, in->K.cz.z, in->u.x, in->u.y, in->u.z, in->mu,
            in->e, in->et, in->sigma, ctLawName(in->law));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Bytes b = {data, data + size};
    ctImpactInput in = takeImpact(&b);
    ctImpactResult out;
    ctImpactMode mode = ctSolveImpact(&in, &out);
    if (mode == ct_impactInvalid || mode == ct_impactNone) {
        return 0;
    }
    bool finite =
        ctIsFinite3(out.p) && ctIsFinite3(out.v) && isfinite(out.frictionLoss) && isfinite(out.restitutionLoss);
    unsigned flags = ctCheckPermissible(&in, out.p, 1e-9);
    bool jams = in.mu * ctHypot(in.K.cz.x, in.K.cz.y) > in.K.cz.z;
    if (in.law == ct_lawPoisson && jams) { // known of this law: the bodies may still approach
        flags &= ~(unsigned)ct_leavesApproach;
    }
    if (in.law == ct_lawWhittaker) { // known of this law
        flags &= ~(unsigned)ct_gainsEnergy;
    }
    double least = ctFmin(ctTrace(in.K), ctLength(in.u));
    if (!(least > 1e-280)) { // so small that the check itself has no digits
        flags = 0;
    }
    if (!finite || flags != 0) {
        show(&in);
    }
    require(finite, "p %g %g %g", out.p.x, out.p.y, out.p.z);
    require(flags == 0, "flags %u", flags);
    return 0;
}
