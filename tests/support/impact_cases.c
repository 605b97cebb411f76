// Random impacts of many kinds.
#include "tests/support/impact_oracle.h"

const char *ctImpactKindName(ctImpactKind kind)
{
    static const char *const names[ct_kindCount] = {
        "central iso", "central diagonal", "bodies",         "body on ground", "matrix", "thin",
        "grazing",     "slow sliding",     "no sliding",     "unstable",       "jam",    "two phases",
        "on a ray",    "near a ray",       "small friction", "scales"};
    return names[kind];
}

// A body of random shape: principal moments that obey the triangle inequality.
static ctImpactBody randomBody(ctRandom *r)
{
    double mass = ctRandomLog(r, 0.1, 10.0), size = ctRandomLog(r, 0.1, 1.0);
    double a = ctRandomLog(r, 0.05, 1.0), b = ctRandomLog(r, 0.05, 1.0), c = ctRandomLog(r, 0.05, 1.0);
    ctVec3 squares = ctV3(a, b, c);
    double k = 1.0 / (mass * size * size);
    ctVec3 inverse = ctV3(k / (squares.y + squares.z), k / (squares.x + squares.z), k / (squares.x + squares.y));
    ctMat3 axes = ctMat3FromQuat(ctRandomQuat(r));
    double reach = ctRandomUniform(r, 0.2, 1.5);
    ctImpactBody body = {1.0 / mass, ctRotateDiagonal(axes, inverse), ctScale(size * reach, ctRandomUnit(r))};
    return body;
}

static ctMat3 randomMatrix(ctRandom *r, double condition)
{
    ctVec3 d = ctV3(1.0, ctRandomLog(r, 1.0 / condition, 1.0), 1.0 / condition);
    double scale = ctRandomLog(r, 0.3, 30.0);
    return ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), ctScale(scale, d));
}

static ctMat3 bodiesMatrix(ctRandom *r, bool ground)
{
    ctImpactBody a = randomBody(r);
    ctImpactBody b = randomBody(r);
    if (ground) {
        b.invMass = 0.0;
        b.invInertia = ctMat3Zero();
    }
    return ctImpactMatrix(&a, &b, ctV3(1, 0, 0), ctV3(0, 1, 0), ctV3(0, 0, 1));
}

static double stickLimit(const ctMat3 *K)
{
    double det = K->cx.x * K->cy.y - K->cy.x * K->cy.x;
    double x = (K->cy.y * K->cz.x - K->cy.x * K->cz.y) / det, y = (K->cx.x * K->cz.y - K->cy.x * K->cz.x) / det;
    return sqrt(x * x + y * y);
}

static void setSliding(ctImpactInput *in, double angle, double speed)
{
    in->u.x = speed * cos(angle);
    in->u.y = speed * sin(angle);
}

static void putOnRay(ctImpactInput *in, ctRandom *r, double off)
{
    ctInvariantRays rays;
    ctFindInvariantRays(in, &rays);
    if (rays.count > 0) {
        double speed = ctRandomLog(r, 0.1, 10.0);
        int which = ctRandomInt(r, 0, rays.count - 1);
        setSliding(in, rays.rays[which].angle + off, speed);
    }
}

// Against d, so that du_z/dp_z = K33 - mu |d| < 0.
static void jam(ctImpactInput *in, ctRandom *r)
{
    double d = hypot(in->K.cz.x, in->K.cz.y);
    in->mu = in->K.cz.z / d * ctRandomLog(r, 1.05, 5.0);
    double angle = ctRandomUniform(r, -0.3, 0.3);
    setSliding(in, atan2(in->K.cz.y, in->K.cz.x) + angle, ctRandomLog(r, 0.1, 30.0));
}

static void nearBaber(ctImpactInput *in, ctRandom *r)
{
    double f[10];
    for (int i = 0; i < 10; i++) {
        f[i] = ctRandomUniform(r, 0.99, 1.01);
    }
    in->K = ctMat3Symmetric(20 * f[0], -23 * f[1], 4 * f[2], 31 * f[3], -7 * f[4], 4 * f[5]);
    in->u = ctV3(630 * f[6], -780 * f[7], -0.22 * ctRandomLog(r, 0.1, 10.0));
    in->mu = 0.5 * f[8];
}

ctImpactInput ctRandomImpact(ctRandom *r, ctImpactKind kind)
{
    ctImpactInput in = {.u = ctRandomVec3(r, -1.0, 1.0)};
    in.mu = ctRandomLog(r, 0.05, 2.0);
    in.e = ctRandomUniform(r, 0.0, 1.0);
    int special = ctRandomInt(r, 0, 9);
    in.e = special == 0 ? 0.0 : special == 1 ? 1.0 : in.e;
    in.law = ctRandomInt(r, 0, 2) == 0 ? ct_lawPoisson : ct_lawStronge;
    in.u.z = -ctRandomLog(r, 0.03, 3.0);
    in.K = kind % 2 == 0 ? bodiesMatrix(r, kind % 4 == 0) : randomMatrix(r, ctRandomLog(r, 1.5, 300.0));
    double a, b;
    switch (kind) {
    case ct_kindCentralIso:
        a = ctRandomLog(r, 0.3, 30.0);
        in.K = ctMat3Diagonal(a, a, ctRandomLog(r, 0.3, 30.0));
        break;
    case ct_kindCentralDiagonal:
        a = ctRandomLog(r, 0.1, 30.0);
        b = ctRandomLog(r, 0.1, 30.0);
        in.K = ctMat3Diagonal(a, b, ctRandomLog(r, 0.3, 30.0));
        break;
    case ct_kindBodies:
        in.K = bodiesMatrix(r, false);
        break;
    case ct_kindBodyOnGround:
        in.K = bodiesMatrix(r, true);
        break;
    case ct_kindThin:
        in.K = randomMatrix(r, ctRandomLog(r, 1e2, 1e6));
        break;
    case ct_kindGrazing:
        in.u.z *= ctRandomLog(r, 1e-7, 1e-2);
        break;
    case ct_kindSlowSliding:
        a = ctRandomLog(r, 1e-9, 1e-2);
        in.u.x *= a;
        in.u.y *= a;
        break;
    case ct_kindNoSliding:
        in.u.x = in.u.y = 0.0;
        break;
    case ct_kindUnstable:
        in.mu = stickLimit(&in.K) * ctRandomUniform(r, 0.05, 0.98);
        break;
    case ct_kindJam:
        jam(&in, r);
        break;
    case ct_kindTwoPhases:
        nearBaber(&in, r);
        break;
    case ct_kindOnRay:
        putOnRay(&in, r, 0.0);
        break;
    case ct_kindNearRay:
        a = ctRandomInt(r, 0, 1) == 0 ? 1.0 : -1.0;
        putOnRay(&in, r, a * ctRandomLog(r, 1e-13, 1e-3));
        break;
    case ct_kindSmallFriction:
        in.mu = ctRandomLog(r, 1e-9, 1e-2);
        break;
    case ct_kindScales:
        in.K = ctScaleM(ctRandomLog(r, 1e-6, 1e6), in.K);
        in.u = ctScale(ctRandomLog(r, 1e-6, 1e6), in.u);
        break;
    case ct_kindMatrix:
    case ct_kindCount:
        break;
    }
    return in;
}
