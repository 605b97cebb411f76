// Bodies that are struck while they roll, slide or rest on something: a step of contact has no inside, so that an
// impact meets the velocities that all forces up to its moment have given. Against closed forms, at several frame
// rates.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81
#define R 0.05

static const double rates[4] = {30.0, 60.0, 144.0, 1000.0};
static ctWorld *world;
static double frame; // s

static void makeWorld(double fps, double friction, double restitution)
{
    frame = 1.0 / fps;
    world = ctTestWorld(ctV3(0, 0, -G), friction, restitution);
    ck_assert(ctWorld_SetFrameTime(world, frame, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
}

static void run(double seconds)
{
    for (int i = 0; i < (int)(seconds / frame + 0.5); i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
}

static ctBodyId addBall(ctVec3 position, ctVec3 velocity, ctVec3 spin)
{
    ctBodyId ball = ctTestBall(world, R, position, velocity);
    ck_assert(ctBody_SetVelocity(world, ball, velocity, spin, NULL));
    return ball;
}

static double energy(void)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

// ---- balls ------------------------------------------------------------------------------------

// Balls on a floor with friction, and materials that slide on each other without: what strikes a ball leaves its spin.
static ctMaterialId iceFor(double restitution)
{
    ctMaterialDef def = ctDefaultMaterialDef();
    ctMaterialId ice;
    def.name = "ice";
    def.self = (ctCoefficients){.friction = 0.0, .restitution = restitution};
    ck_assert(ctWorld_CreateMaterial(world, &def, &ice, NULL));
    return ice;
}

// A ball with the velocity v and the spin w (of rolling forwards) slides until it rolls at (5 v + 2 w R) / 7, under the
// friction mu. Where it is then, after a time.
static double slideTo(double v, double w, double mu, double time)
{
    double roll = (5.0 * v + 2.0 * w * R) / 7.0, side = v > roll ? 1.0 : -1.0, slide = fabs(v - roll) / (mu * G);
    ck_assert(slide < time);
    return v * slide - side * 0.5 * mu * G * slide * slide + roll * (time - slide);
}

START_TEST(two_rolling_balls_meet)
{
    const double mu = 0.2, e = 0.9, v1 = 1.0, v2 = -0.7;
    for (int i = 0; i < 4; i++) {
        makeWorld(rates[i], mu, 0.0);
        ctMaterialId ice = iceFor(e);
        ctCoefficients floor = {.friction = mu};
        ck_assert(ctWorld_SetPair(world, ice, (ctMaterialId){0}, floor, NULL));
        ctBodyId one = addBall(ctV3(-0.5, 0, R), ctV3(v1, 0, 0), ctV3(0, v1 / R, 0));
        ctBodyId two = addBall(ctV3(0.5, 0, R), ctV3(v2, 0, 0), ctV3(0, v2 / R, 0));
        ck_assert(ctBody_SetMaterial(world, one, ice, NULL) && ctBody_SetMaterial(world, two, ice, NULL));
        double meet = (1.0 - 2.0 * R) / (v1 - v2), seconds = 2.0, left = seconds - meet;
        double u1 = 0.5 * ((1.0 - e) * v1 + (1.0 + e) * v2), u2 = v1 + v2 - u1;
        run(seconds);
        ctAssertClose(ctBody_GetVelocity(world, one).x, (5.0 * u1 + 2.0 * v1) / 7.0, 1e-9);
        ctAssertClose(ctBody_GetVelocity(world, two).x, (5.0 * u2 + 2.0 * v2) / 7.0, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, one).x, -0.5 + v1 * meet + slideTo(u1, v1 / R, mu, left), 1e-9);
        ctAssertClose(ctBody_GetCenter(world, two).x, 0.5 + v2 * meet + slideTo(u2, v2 / R, mu, left), 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// Balls roll down a slope, one behind the other. The first resists rolling, so that the others press on it: all have
// the same acceleration a. A ball rolls in from the side and strikes the last one. Returns where that is at the end,
// and the steps before the impact.
static ctVec3 strikeLastOf(int count, double fps, int *steps)
{
    const double mu = 0.2, slope = 0.05, a = 0.3, u = 1.0, way = 0.6537, meet = way / u;
    makeWorld(fps, mu, 0.0);
    ck_assert(ctWorld_SetGravity(world, ctV3(G * slope, 0, -G), NULL));
    ctMaterialId ice = iceFor(0.0), slow = iceFor(0.0), hard = iceFor(1.0);
    double rolling = (slope - 1.4 * a / G) * R * count;
    ck_assert(ctWorld_SetPair(world, ice, (ctMaterialId){0}, (ctCoefficients){.friction = mu}, NULL));
    ck_assert(ctWorld_SetPair(world, hard, (ctMaterialId){0}, (ctCoefficients){.friction = mu}, NULL));
    ck_assert(
        ctWorld_SetPair(world, slow, (ctMaterialId){0}, (ctCoefficients){.friction = mu, .rolling = rolling}, NULL));
    ck_assert(ctWorld_SetPair(world, hard, ice, (ctCoefficients){.restitution = 1.0}, NULL));
    ctBodyId last = {0};
    for (int k = 0; k < count; k++) {
        ctBodyId ball = addBall(ctV3(2.0 * R * k, 0, R), ctV3(0.5, 0, 0), ctV3(0, 0.5 / R, 0));
        ck_assert(ctBody_SetMaterial(world, ball, k == count - 1 ? slow : ice, NULL));
        last = k == 0 ? ball : last;
    }
    double x = (0.5 * a - G * slope / 2.8) * meet * meet;
    ctBodyId other = addBall(ctV3(x, -2.0 * R - way, R), ctV3(0.5, u, 0), ctV3(-u / R, 0.5 / R, 0));
    ck_assert(ctBody_SetMaterial(world, other, hard, NULL));
    run(0.6);
    *steps = (int)ctWorld_GetStats(world).contactSteps;
    double t = ctWorld_GetTime(world);
    ctAssertClose(ctBody_GetCenter(world, last).x, 0.5 * t + 0.5 * a * t * t, 1e-5);
    run(0.6);
    ctVec3 end = ctBody_GetCenter(world, last);
    ctTestFinish(world);
    return end;
}

// Twenty balls are an island of 39 points. Its steps become long, since nothing changes, and one of them ends where the
// ball is struck. So the ball goes the way of the last one of two, which follow their equations of motion.
START_TEST(the_last_of_a_long_row_is_struck_between_long_steps)
{
    for (int i = 0; i < 4; i++) {
        int steps;
        ctVec3 of2 = strikeLastOf(2, rates[i], &steps), of20 = strikeLastOf(20, rates[i], &steps);
        ctRequire(steps <= 150, "%d steps", steps); // 288 of 1/480 s
        ctRequire(of20.y > 0.3 && ctDistance(of2, of20) < 2e-5, "%g m apart", ctDistance(of2, of20));
    }
}
END_TEST

START_TEST(a_rolling_ball_comes_back_from_a_cushion)
{
    const double mu = 0.15, e = 0.8, v = 1.3;
    for (int i = 0; i < 4; i++) {
        makeWorld(rates[i], mu, 0.0);
        ctMaterialId ice = iceFor(e);
        ck_assert(ctBody_SetMaterial(world, ctTestPlane(world, ctV3(-1, 0, 0), -0.5), ice, NULL));
        ck_assert(ctWorld_SetPair(world, ice, (ctMaterialId){0}, (ctCoefficients){.restitution = e}, NULL));
        ctBodyId ball = addBall(ctV3(0, 0, R), ctV3(v, 0, 0), ctV3(0, v / R, 0));
        double hit = (0.5 - R) / v, seconds = 2.0;
        run(seconds);
        ctAssertClose(ctBody_GetVelocity(world, ball).x, (-5.0 * e * v + 2.0 * v) / 7.0, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, ball).x, 0.5 - R + slideTo(-e * v, v / R, mu, seconds - hit), 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// Wheels of the radius R about y: a ball, a cylinder, a capsule, an ellipsoid, a cylinder as a compound of one part and
// of two halves.
enum { wheelBall, wheelCylinder, wheelCapsule, wheelEllipsoid, wheelOnePart, wheelHalves, wheelCount };

static ctBodyId addWheel(int kind, double speed)
{
    const ctQuat lie = ctQuatExp(ctV3(CT_PI / 2, 0, 0)); // the axis of a shape, z, becomes y
    ctShapeId cylinder = ctWorld_CreateCylinder(world, R, kind == wheelHalves ? 0.02 : 0.04, NULL);
    ctBodyDef def = ctDefaultBodyDef();
    ctPart parts[2];
    for (int i = 0; i < 2; i++) {
        parts[i] = (ctPart){cylinder, {ctV3(0, 0, kind == wheelHalves ? 0.02 * i - 0.01 : 0.0), ctQuatIdentity()}};
    }
    switch (kind) {
    case wheelBall:
        def.shape = ctWorld_CreateSphere(world, R, NULL);
        break;
    case wheelCylinder:
        def.shape = cylinder;
        break;
    case wheelCapsule:
        def.shape = ctWorld_CreateCapsule(world, R, 0.04, NULL);
        break;
    case wheelEllipsoid:
        def.shape = ctWorld_CreateEllipsoid(world, ctV3(R, R, 0.8 * R), NULL);
        break;
    default:
        def.shape = ctWorld_CreateCompound(world, parts, kind == wheelHalves ? 2 : 1, NULL);
        break;
    }
    def.orientation = lie;
    def.position = ctV3(0, 0, R);
    def.velocity = ctV3(speed, 0, 0);
    def.spin = ctV3(0, speed / R, 0);
    return ctWorld_CreateBody(world, &def, NULL);
}

// Angular momentum about the edge of the curb is kept when a wheel strikes it; then the wheel turns about the edge,
// where it keeps its energy.
START_TEST(a_wheel_rolls_onto_a_curb)
{
    const double height = 0.01, v = 1.3;
    for (int i = 0; i < 4 * wheelCount; i++) {
        makeWorld(rates[i % 4], 2.0, 0.0);
        ctTestBox(world, ct_motionFixed, ctV3(1, 1, height), ctV3(0.8, 0, 0.5 * height));
        ctBodyId wheel = addWheel(i / 4, v);
        double mass = ctBody_GetMass(world, wheel), k = ctBody_GetInertia(world, wheel).cz.z / (mass * R * R);
        double spin = (k * v * R + v * (R - height)) / ((1.0 + k) * R * R);
        double time = (0.3 - sqrt(R * R - (R - height) * (R - height))) / v;
        for (int n = 0; n < (int)(time / frame) + 1; n++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        ctAssertClose(energy() / mass, 0.5 * (1.0 + k) * R * R * spin * spin + G * R, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A ball falls on another that rolls, off its middle, with friction everywhere; and from the side.
START_TEST(the_frame_rate_does_not_matter_to_a_ball_that_is_struck)
{
    for (int k = 0; k < 2; k++) {
        ctVec3 reference[3] = {{0}};
        for (int i = 3; i >= 0; i--) {
            makeWorld(rates[i], 0.2, 0.9);
            ctBodyId one = addBall(ctV3(0, 0, R), ctV3(1, 0, 0), ctV3(0, k == 0 ? 1.0 / R : 0.0, 0));
            ctBodyId two = addBall(k == 0 ? ctV3(0.043, 0.01, 3.0 * R + 0.03) : ctV3(0.3, 0.3, R),
                                   k == 0 ? ctV3(0.5, 0, -1) : ctV3(0, -1.03, 0), ctZero3());
            run(0.5); // a whole number of frames at every rate
            ctVec3 now[3] = {ctBody_GetVelocity(world, one), ctBody_GetVelocity(world, two),
                             ctBody_GetSpin(world, one)};
            for (int j = 0; j < 3; j++) {
                reference[j] = i == 3 ? now[j] : reference[j];
                ctAssertClose(ctDistance(now[j], reference[j]), 0.0, 1e-8);
            }
            ck_assert_int_gt((int)ctWorld_GetStats(world).impacts, 0);
            ctTestFinish(world);
        }
    }
}
END_TEST

// ---- blocks -----------------------------------------------------------------------------------

// A block slides into another that rests; both slide on and stop.
START_TEST(a_block_that_rests_is_struck)
{
    const double mu = 0.2, e = 0.5, v = 2.0, side = 0.1;
    for (int i = 0; i < 4; i++) {
        makeWorld(rates[i], mu, e);
        ctVec3 size = ctV3(side, side, side);
        ctBodyId one = ctTestBox(world, ct_motionDynamic, size, ctV3(0, 0, 0.5 * side));
        ctBodyId two = ctTestBox(world, ct_motionDynamic, size, ctV3(0.3, 0, 0.5 * side));
        ck_assert(ctBody_SetVelocity(world, one, ctV3(v, 0, 0), ctZero3(), NULL));
        double hit = sqrt(v * v - 2.0 * mu * G * 0.2), after[2] = {0.5 * (1.0 - e) * hit, 0.5 * (1.0 + e) * hit};
        run(1.5);
        ctAssertClose(ctBody_GetCenter(world, one).x, 0.2 + after[0] * after[0] / (2.0 * mu * G), 1e-6);
        ctAssertClose(ctBody_GetCenter(world, two).x, 0.3 + after[1] * after[1] / (2.0 * mu * G), 1e-6);
        ctAssertClose(ctBody_GetCenter(world, two).z, 0.5 * side, 1e-7);
        ctTestFinish(world);
    }
}
END_TEST

// A material with a friction of its own against another one, and that of the default against the floor.
static ctMaterialId otherThan(ctMaterialId other, double friction)
{
    ctMaterialDef def = ctDefaultMaterialDef();
    ctMaterialId id;
    def.name = "wood";
    def.self = ctWorld_GetPair(world, (ctMaterialId){0}, (ctMaterialId){0});
    ck_assert(ctWorld_CreateMaterial(world, &def, &id, NULL));
    ck_assert(ctWorld_SetPair(world, id, other, (ctCoefficients){.friction = friction}, NULL));
    return id;
}

// A block slides without friction and catches another one, which slides with it, under the friction mu, and stays.
// Their faces stick together. As on springs the heavier one sinks, and is held up with the friction of the other: as
// much as the push H allows. So m1 a = -H, m2 a = H - mu (m2 g - side H). The direction of the way does not matter, nor
// how the blocks are drawn.
START_TEST(a_block_pushes_another)
{
    const double mu = 0.2, side = 0.5, m1 = 1.0, m2 = 2.5, v = 3.0, size = 0.1, seconds = 0.5;
    const double meet = size / v, together = m1 * v / (m1 + m2), a = -mu * m2 * G / (m1 + m2 + mu * side * m1);
    const double left = seconds - meet, way = size + together * left + 0.5 * a * left * left;
    for (int i = 0; i < 12; i++) {
        makeWorld(rates[i % 4], mu, 0.0);
        ctMaterialId ice = iceFor(0.0), wood = otherThan(ice, side);
        ctQuat turn = ctQuatExp(ctV3(0, 0, 0.7 * (i / 4)));
        ctVec3 along = ctRotate(turn, ctV3(1, 0, 0));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestBlock(world, _i, ctV3(size, size, 0.06));
        def.orientation = turn;
        def.position = ctV3(0, 0, 0.03);
        def.velocity = ctScale(v, along);
        def.mass = m1;
        def.material = ice;
        ctBodyId one = ctWorld_CreateBody(world, &def, NULL);
        def.position = ctMulAdd(def.position, 2.0 * size, along);
        def.velocity = ctZero3();
        def.mass = m2;
        def.material = wood;
        ctBodyId two = ctWorld_CreateBody(world, &def, NULL);
        run(seconds);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, one), ctV3(way * along.x, way * along.y, 0.03)), 0.0, 1e-8);
        ctAssertClose(ctDot(along, ctBody_GetVelocity(world, two)), together + a * left, 1e-9);
        ctAssertClose(ctLength(ctBody_GetSpin(world, two)), 0.0, 1e-6);
        ctTestFinish(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("struck");
    TCase *tests = tcase_create("struck");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, two_rolling_balls_meet);
    tcase_add_test(tests, the_last_of_a_long_row_is_struck_between_long_steps);
    tcase_add_test(tests, a_rolling_ball_comes_back_from_a_cushion);
    tcase_add_test(tests, a_wheel_rolls_onto_a_curb);
    tcase_add_test(tests, the_frame_rate_does_not_matter_to_a_ball_that_is_struck);
    tcase_add_test(tests, a_block_that_rests_is_struck);
    tcase_add_loop_test(tests, a_block_pushes_another, 0, ct_testForms);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
