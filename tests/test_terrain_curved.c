// Bodies on curved terrain: they slide and roll over its seams as on the smooth surface that it stands for. No impact,
// no hop, no loss; friction and resistances feel the curvature; and what lies on a ridge comes to rest. More about
// balls: tests/test_terrain.c.
#include "collision/quat.h"
#include "collision/vec3.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include <math.h>

static const ctVec3 down = {0.0, 0.0, -9.81};
static const double R = 2.0, g = 9.81; // m: radius of the valley and of the ridge; m/s^2

static double valley(double x, double y)
{
    (void)y;
    return R - sqrt(R * R - x * x);
}

static double ridge(double x, double y)
{
    (void)y;
    return sqrt(R * R - x * x) - R;
}

static double bowl(double x, double y)
{
    return R - sqrt(R * R - x * x - y * y);
}

typedef enum Kind { box, coin, upright, capsule, ellipsoid, log_, kinds } Kind;

static const char *const names[] = {"box", "coin", "upright cylinder", "capsule", "ellipsoid", "cylinder across"};

// The half of its height, and of its width along x where it is flat, m.
static const double halfHeight[] = {0.05, 0.005, 0.05, 0.05, 0.05, 0.05};
static const double halfWidth[] = {0.1, 0.05, 0.08, 0.0, 0.0, 0.0};

static ctShapeId shapeOf(ctWorld *world, Kind kind)
{
    switch (kind) {
    case box:
        return ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL);
    case coin:
        return ctWorld_CreateCylinder(world, 0.05, 0.01, NULL);
    case upright:
        return ctWorld_CreateCylinder(world, 0.08, 0.1, NULL);
    case capsule:
        return ctWorld_CreateCapsule(world, 0.05, 0.15, NULL);
    case ellipsoid:
        return ctWorld_CreateEllipsoid(world, ctV3(0.08, 0.06, 0.05), NULL);
    default:
        return ctWorld_CreateCylinder(world, 0.05, 0.15, NULL);
    }
}

// A body on the ground at an angle (rad) from the axis of the valley or the ridge; round ones lie across.
static ctBodyId bodyAt(ctWorld *world, Kind kind, bool hollow, double angle, double lift, double speed)
{
    ctBodyDef def = ctDefaultBodyDef();
    ctError error = {ct_ok, ""};
    ctQuat across = ctQuatExp(ctV3(CT_PI / 2.0, 0, 0));
    ctQuat lean = ctQuatExp(ctV3(0, hollow ? -angle : angle, 0));
    double side = hollow ? -1.0 : 1.0;
    double far = hollow ? sqrt(R * R - halfWidth[kind] * halfWidth[kind]) : R;
    double from = far + side * (halfHeight[kind] + lift);
    def.shape = shapeOf(world, kind);
    def.density = 1000.0;
    def.orientation = kind == capsule || kind == log_ ? across : lean;
    def.position = ctV3(from * sin(angle), 0.0137, side * (from * cos(angle) - R));
    def.velocity = ctV3(speed * cos(angle), 0.0, side * -speed * sin(angle));
    ctBodyId body = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(body.index1 != 0, "%s", error.message);
    return body;
}

static double energyOf(const ctWorld *world, ctBodyId body)
{
    return ctBody_GetKineticEnergy(world, body) + g * ctBody_GetMass(world, body) * ctBody_GetCenter(world, body).z;
}

static double gapOf(const ctWorld *world, ctBodyId body, ctBodyId ground)
{
    ctNearest nearest;
    ctAssert(ctWorld_Closest(world, body, ground, &nearest));
    return nearest.distance;
}

// A pendulum: on two edges, 2 b apart, the centre is c = sqrt(R^2 - b^2) - h from the axis, and the body turns with it.
// Round bodies without friction do not. For small angles T = 2 pi sqrt((c^2 + k^2) / (g c)), and half a period passes
// from one turning point to the other.
static double halfPeriod(Kind kind, double angle)
{
    double b = halfWidth[kind], h = halfHeight[kind], c = sqrt(R * R - b * b) - h, k2 = 0.0;
    if (kind == box) {
        k2 = (0.2 * 0.2 + 0.1 * 0.1) / 12.0;
    } else if (kind == coin || kind == upright) {
        k2 = b * b / 4.0 + 4.0 * h * h / 12.0;
    }
    double a2 = angle * angle;
    return CT_PI * sqrt((c * c + k2) / (g * c)) * (1.0 + a2 / 16.0 + 11.0 * a2 * a2 / 3072.0);
}

// Through the valley from one side to the other, over a hundred seams.
START_TEST(bodies_swing_through_a_valley)
{
    double restitution = 0.5, angle = 0.35;
    ctWorld *world = ctTestWorld(down, 0.0, restitution);
    ctBodyId ground = ctTestGround(world, ctTestField(world, 201, 3.0, valley, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId body = bodyAt(world, (Kind)_i, true, angle, 2e-5, 0.0);
    ctTestRun(world, 0.2);
    double start = energyOf(world, body), mass = ctBody_GetMass(world, body), passed = 0.0, turned = 0.0, most = 0.0;
    double swing = start - mass * g * (R - (sqrt(R * R - halfWidth[_i] * halfWidth[_i]) - halfHeight[_i]));
    int64_t impacts = ctWorld_GetStats(world).impacts;
    ctVec3 last = ctBody_GetVelocity(world, body);
    while (turned == 0.0) {
        ck_assert(ctWorld_Step(world, NULL));
        ctVec3 x = ctBody_GetCenter(world, body), v = ctBody_GetVelocity(world, body);
        double time = ctWorld_GetTime(world);
        passed = passed == 0.0 && x.x <= 0.0 ? time - x.x / v.x : passed;
        turned = passed > 0.0 && v.x >= 0.0 ? time - v.x / (v.x - last.x) / 60.0 : 0.0;
        last = v;
        most = fmax(most, gapOf(world, body, ground));
        ctRequire(fabs(energyOf(world, body) - start) < 1e-6 * swing, "%s, %g s: %g J of %g J", names[_i], time,
                  energyOf(world, body) - start, swing);
        ck_assert(time < 4.0);
    }
    double half = halfPeriod((Kind)_i, angle);
    ctRequire(most < 2e-5, "%s: a hop of %g m", names[_i], most); // the ground is right to 14 um: 0.015^2 / 8 R
    ctRequire(_i == ellipsoid || fabs(turned / half - 1.0) < 3e-3, "%s: %g s instead of %g s", names[_i], turned, half);
    ctRequire(_i == ellipsoid || fabs(passed / (0.5 * half) - 1.0) < 5e-3, "%s: at the bottom after %g s, not %g s",
              names[_i], passed, 0.5 * half);
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, impacts);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Down from a ridge whose triangles are 30 and 60 mm long and stand off the round surface by l^2 / 8 R.
START_TEST(bodies_slide_down_a_ridge)
{
    int n = _i % 2 == 0 ? 51 : 101, kind = _i / 2;
    ctWorld *world = ctTestWorld(down, 0.0, 0.5);
    ctBodyId ground = ctTestGround(world, ctTestField(world, n, 3.0, ridge, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId body = bodyAt(world, (Kind)kind, false, 0.01, 1e-5, 0.5);
    // What tips while it is slow, from triangle to triangle as large as itself, loses what it has got by tipping.
    double start = 0.0, most = 0.0, side = 3.0 / (n - 1), kept = n == 51 ? 2e-2 : 5e-3, out;
    int64_t impacts = 0;
    for (int i = 0; (out = ctBody_GetCenter(world, body).x) < 1.1; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        if (i == 20) {
            start = energyOf(world, body);
            impacts = ctWorld_GetStats(world).impacts;
        }
        if (i < 20) {
            continue;
        }
        // Triangles on the side of the ridge are longer.
        double length = side / sqrt(1.0 - out * out / (R * R)), bow = length * length / (8.0 * R);
        double motion = ctBody_GetKineticEnergy(world, body);
        most = fmax(most, gapOf(world, body, ground) / bow);
        ctRequire(fabs(energyOf(world, body) - start) < kept * motion, "%s, %d: %g J of %g J", names[kind], n,
                  energyOf(world, body) - start, motion);
    }
    ctRequire(most < 2.0, "%s, %d: a hop of %g times what the triangles stand off", names[kind], n, most);
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, impacts);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// All ways through a bowl, with some spin: the seams run in all directions.
START_TEST(bodies_circle_in_a_bowl)
{
    ctWorld *world = ctTestWorld(down, 0.0, 0.5);
    ctTestGround(world, ctTestField(world, 121, 2.4, bowl, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId body = bodyAt(world, (Kind)_i, true, 0.3, 2.5e-3, 0.0);
    ck_assert(ctBody_SetVelocity(world, body, ctV3(0.0, 0.8, 0.0), ctV3(0.0, 0.0, 1.0), NULL));
    ctTestRun(world, 0.5);
    double start = energyOf(world, body), motion = ctBody_GetKineticEnergy(world, body);
    int64_t impacts = ctWorld_GetStats(world).impacts;
    for (int i = 0; i < 180; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        motion = fmax(motion, ctBody_GetKineticEnergy(world, body));
        ctRequire(fabs(energyOf(world, body) - start) < 5e-3 * motion, "%s, frame %d: %g J of %g J", names[_i], i,
                  energyOf(world, body) - start, motion);
    }
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, impacts);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Friction with the press of the curvature, mu (g cos(phi) + v^2 / R): with w = v^2 over the angle from the bottom,
//     dw/dphi = 2 mu w - 2 R g (sin(phi) - mu cos(phi)),
// w = A cos(phi) + B sin(phi) + C exp(2 mu phi).
START_TEST(friction_feels_the_curvature)
{
    double mu = 0.2, h = 0.004, angle = 0.6, size = 0.02, last = 1.0, speed = 0.0;
    ctWorld *world = ctTestWorld(down, mu, 0.0);
    ctTestGround(world, ctTestField(world, 301, 3.0, valley, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    double c = sqrt(R * R - size * size / 4.0) - h / 2.0;
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(size, size, h), NULL);
    def.density = 1000.0;
    def.orientation = ctQuatExp(ctV3(0, -angle, 0));
    def.position = ctV3((c - 2e-5) * sin(angle), 0.004, R - (c - 2e-5) * cos(angle));
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    while (speed == 0.0) {
        ck_assert(ctWorld_Step(world, NULL));
        double x = ctBody_GetCenter(world, body).x, v = ctLength(ctBody_GetVelocity(world, body));
        speed = x <= 0.0 ? v : 0.0;
        ck_assert(ctWorld_GetTime(world) < 3.0);
        last = x;
    }
    double phi = asin(-last / c), q = 1.0 + 4.0 * mu * mu;
    double A = 2.0 * R * g * (1.0 - 2.0 * mu * mu) / q, B = 6.0 * mu * R * g / q;
    double C = -(A * cos(angle) + B * sin(angle)) * exp(-2.0 * mu * angle);
    double exact = sqrt(A * cos(phi) - B * sin(phi) + C * exp(-2.0 * mu * phi));
    ctRequire(fabs(speed / exact - 1.0) < 5e-3, "%g m/s instead of %g m/s", speed, exact);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// A ball: what rolls against a resistance c N, which is (c / r) / (1 + k) in place of mu and g / (1 + k) in place of g,
// and what slides without turning, because its moment of inertia is so large. Their centres are R - r from the axis.
START_TEST(a_ball_feels_the_curvature)
{
    double r = 0.05, angle = 0.6, rho = R - r, c = 2e-3, mu = 0.15, k = _i == 0 ? 0.4 : INFINITY;
    ctWorld *world = ctTestWorld(down, mu, 0.0);
    ctCoefficients resisting = {.friction = 1.0, .rolling = c};
    ck_assert(_i == 1 || ctWorld_SetMaterial(world, (ctMaterialId){0}, resisting, NULL));
    ctTestGround(world, ctTestField(world, 301, 3.0, valley, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, r, NULL);
    def.mass = 1.0;
    def.hasInertia = _i == 1;
    def.inertia = (ctMat3){{1e3, 0, 0}, {0, 1e3, 0}, {0, 0, 1e3}};
    def.position = ctV3((rho - 5e-5) * sin(angle), 0.0137, R - (rho - 5e-5) * cos(angle));
    ctBodyId ball = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(ball.index1 != 0);
    ctVec3 x;
    while ((x = ctBody_GetCenter(world, ball)).x > 0.0) {
        ck_assert(ctWorld_Step(world, NULL) && ctWorld_GetTime(world) < 3.0);
    }
    double phi = asin(x.x / rho), part = _i == 0 ? 1.0 / (1.0 + k) : 1.0, ratio = _i == 0 ? c / r : mu;
    double q = ratio * part, f = 2.0 * rho * g * part; // dw/dphi = 2 q w - f (sin(phi) - ratio cos(phi))
    double A = f * (1.0 - 2.0 * q * ratio) / (1.0 + 4.0 * q * q), B = 2.0 * q * A + f * ratio;
    double C = -(A * cos(angle) + B * sin(angle)) * exp(-2.0 * q * angle);
    double exact = sqrt(A * cos(phi) + B * sin(phi) + C * exp(2.0 * q * phi));
    double speed = ctLength(ctBody_GetVelocity(world, ball));
    ctRequire(fabs(speed / exact - 1.0) < 1e-3, "%g m/s instead of %g m/s", speed, exact);
    ck_assert_int_eq(ctWorld_GetStats(world).impacts, 0);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// Against both resistances, around and around in a bowl: the way does not depend on the frame rate, and it ends.
START_TEST(resistances_bring_a_ball_to_rest_in_a_bowl)
{
    static const int rates[] = {30, 60, 480};
    ctVec3 places[3];
    for (int i = 0; i < 3; i++) {
        ctWorld *world = ctTestWorld(down, 1.0, 0.0);
        ctCoefficients resisting = {.friction = 1.0, .rolling = 1e-3, .spinning = 1e-3};
        ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, resisting, NULL));
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[i], NULL));
        ctTestGround(world, ctTestField(world, 121, 2.4, bowl, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
        ctBodyId ball = ctTestSolidAt(world, ctWorld_CreateSphere(world, 0.05, NULL),
                                      ctV3(1.949 * sin(0.4), 0.0, R - 1.949 * cos(0.4)), ctV3(0.0, 1.2, 0.0),
                                      ctV3(-24.0 * cos(0.4), 0.0, 5.0));
        for (int k = 0; k < 3 * rates[i]; k++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        places[i] = ctBody_GetCenter(world, ball);
        while (!ctBody_IsAsleep(world, ball)) {
            ck_assert(ctWorld_Step(world, NULL) && ctWorld_GetTime(world) < 25.0);
        }
        ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
        ctWorld_Destroy(world);
    }
    double coarse = ctDistance(places[0], places[2]), fine = ctDistance(places[1], places[2]);
    ctRequire(coarse < 3e-3 && fine < 1e-3, "%g m and %g m apart after 3.4 m", coarse, fine);
}
END_TEST

// The forces that the program sees are those which turn a ball around in a bowl.
START_TEST(forces_turn_a_ball_around)
{
    ctWorld *world = ctTestWorld(down, 0.8, 0.0);
    ctBodyId ground = ctTestGround(world, ctTestField(world, 241, 2.4, bowl, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId ball = ctTestSolidAt(world, ctWorld_CreateSphere(world, 0.05, NULL),
                                  ctV3(1.94 * sin(0.4), 0.0, R - 1.94 * cos(0.4)), ctV3(0.0, 1.2, 0.0), ctZero3());
    ctTestRun(world, 0.5);
    ctVec3 start = ctBody_GetVelocity(world, ball), sum = ctZero3(), normal, friction;
    for (int i = 0; i < 90; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctWorld_GetContactForce(world, ball, ground, &normal, &friction);
        sum = ctMulAdd(sum, 1.0 / 60.0, ctAdd(normal, friction));
    }
    ctVec3 change = ctMulAdd(ctSub(ctBody_GetVelocity(world, ball), start), -1.5, down);
    double mass = ctBody_GetMass(world, ball), off = ctDistance(sum, ctScale(mass, change)) / (mass * 1.5 * g);
    ctRequire(off < 5e-3, "%g of the weight is missing", off);
    ctWorld_Destroy(world);
}
END_TEST

// A body that is larger than the triangles of a ridge lies on a line of them, and comes to rest there.
START_TEST(what_lies_on_a_ridge_comes_to_rest)
{
    ctWorld *world = ctTestWorld(down, 0.3, 0.5);
    ctTestGround(world, ctTestField(world, 102, 3.0, ridge, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId body = bodyAt(world, (Kind)_i, false, 0.01, 5e-4, 0.5);
    ctTestRun(world, 2.0);
    ctRequire(ctBody_IsAsleep(world, body), "%s: awake", names[_i]);
    ctRequire(ctWorld_GetStats(world).maxPenetration < 5e-5, "%s: %g m deep", names[_i],
              ctWorld_GetStats(world).maxPenetration);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_Destroy(world);
}
END_TEST

// What falls on it bounces: a landing is none of the surface's angles.
START_TEST(what_falls_on_a_curved_surface_bounces)
{
    ctWorld *world = ctTestWorld(down, 0.0, 0.5);
    ctTestGround(world, ctTestField(world, 51, 3.0, valley, NULL), ctZero3(), (ctQuat){1, 0, 0, 0});
    ctBodyId body = bodyAt(world, capsule, true, 0.008, 0.05, 0.0);
    double rise = 0.0;
    ctTestRun(world, 0.11); // it falls for 0.1 s
    for (int i = 0; i < 12; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        rise = fmax(rise, ctBody_GetCenter(world, body).z - 0.05);
    }
    ctAssertClose(rise, 0.25 * 0.05, 5e-4); // as far as frames see its top
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain_curved");
    TCase *tc = tcase_create("terrain_curved");
    tcase_set_timeout(tc, 60.0);
    tcase_add_loop_test(tc, bodies_swing_through_a_valley, 0, kinds);
    tcase_add_loop_test(tc, bodies_slide_down_a_ridge, 0, 2 * kinds);
    tcase_add_loop_test(tc, bodies_circle_in_a_bowl, 0, kinds);
    tcase_add_test(tc, friction_feels_the_curvature);
    tcase_add_loop_test(tc, a_ball_feels_the_curvature, 0, 2);
    tcase_add_test(tc, forces_turn_a_ball_around);
    tcase_add_test(tc, resistances_bring_a_ball_to_rest_in_a_bowl);
    tcase_add_loop_test(tc, what_lies_on_a_ridge_comes_to_rest, 0, 3);
    tcase_add_test(tc, what_falls_on_a_curved_surface_bounces);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
