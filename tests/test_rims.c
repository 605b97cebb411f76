// Round faces that strike and rock: cylinders, cones and frusta that fall on their flat ends. Nothing depends on the
// direction in which they slide, nor on how they are turned about their own axes. And cones against closed forms.
#include "collision/elementary.h"
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>

#define G 9.81

enum { CYLINDER, CONE, FOOT, CUP, SOLIDS }; // of radius 1 m; the frusta have 0.6 m at their other end
enum { PLANE, BOX, TABLE, PILLAR, GROUNDS };

// A solid that falls on its end from a centimetre.
typedef struct Fall {
    int solid, ground;
    double height, friction, restitution;
    double speed, slip, spin; // downwards; along x; about the axis
    double tipX, tipY;        // rad/s: the spin across the axis
} Fall;

typedef struct State {
    ctVec3 x, v, w;
} State;

static ctShapeId shapeOf(ctWorld *world, const Fall *f)
{
    const double z[2] = {-0.5 * f->height, 0.5 * f->height}, foot[2] = {1.0, 0.6}, cup[2] = {0.6, 1.0};
    return f->solid == CYLINDER ? ctWorld_CreateCylinder(world, 1.0, f->height, NULL)
           : f->solid == CONE   ? ctWorld_CreateCone(world, 1.0, f->height, NULL)
                                : ctWorld_CreateLathe(world, f->solid == FOOT ? foot : cup, z, 2, NULL);
}

static void addGround(ctWorld *world, int kind, ctQuat turn)
{
    if (kind == PLANE) {
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        return;
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.orientation = turn;
    def.position = ctV3(0, 0, -1);
    def.shape = kind == BOX     ? ctWorld_CreateBox(world, ctV3(20, 20, 2), NULL)
                : kind == TABLE ? ctWorld_CreateCylinder(world, 15, 2, NULL)
                                : ctWorld_CreateCylinder(world, 0.45, 2, NULL); // narrower than the end
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
}

// The state after some time in a world that is turned by an angle about the vertical, in the axes of that world. own:
// the turn of the solid about its axis.
static State fall(const Fall *f, double seconds, double angle, double own)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), f->friction, f->restitution);
    ctQuat turn = ctQuatExp(ctV3(0, 0, angle));
    addGround(world, f->ground, turn);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shapeOf(world, f);
    def.orientation = ctMulQ(turn, ctQuatExp(ctV3(0, 0, own)));
    def.position = ctV3(0, 0, 0.5 * f->height + 0.01);
    def.velocity = ctRotate(turn, ctV3(f->slip, 0, -f->speed));
    def.spin = ctRotate(turn, ctV3(f->tipX, f->tipY, f->spin));
    ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(id.index1 != 0);
    ctTestRun(world, seconds);
    State s = {ctInvRotate(turn, ctBody_GetCenter(world, id)), ctInvRotate(turn, ctBody_GetVelocity(world, id)),
               ctInvRotate(turn, ctBody_GetSpin(world, id))};
    ctTestFinish(world);
    return s;
}

// The greatest difference between worlds turned in several ways.
static double spread(const Fall *f, double seconds)
{
    State first = fall(f, seconds, 0.0, 0.0);
    double most = 0.0;
    for (int i = 1; i <= 4; i++) {
        State s = i % 2 == 0 ? fall(f, seconds, 1.7 * i, 0.0) : fall(f, seconds, 0.0, 1.7 * i);
        most =
            ctFmax(most, ctFmax(ctDistance(s.x, first.x), ctFmax(ctDistance(s.v, first.v), ctDistance(s.w, first.w))));
    }
    return most;
}

START_TEST(an_end_strikes_the_same_in_all_directions)
{
    int cases = ctTestCases(60);
    for (int i = 0; i < cases; i++) {
        ctRandom g = ctRandomSeed((uint64_t)i);
        Fall f = {.solid = i % SOLIDS,
                  .ground = i / SOLIDS % GROUNDS,
                  .height = ctRandomLog(&g, 0.05, 4.0),
                  .friction = ctRandomUniform(&g, 0.0, 0.8),
                  .restitution = ctRandomUniform(&g, 0.0, 0.9),
                  .speed = ctRandomUniform(&g, 0.2, 3.0),
                  .slip = ctRandomUniform(&g, 0.1, 3.0),
                  .spin = i % 3 == 0 ? 0.0 : ctRandomUniform(&g, -20.0, 20.0)};
        if (i % 4 == 3) {
            f.tipX = ctRandomUniform(&g, -1.0, 1.0);
            f.tipY = ctRandomUniform(&g, -1.0, 1.0);
        }
        double most = spread(&f, 0.1);
        ctRequire(most < 1e-9, "fall %d differs by %g", i, most);
    }
}
END_TEST

// They rock over the places on which they have landed, and wobble on. There slip ends, and goes on at once in another
// direction, and rims that stick reach the limit of their friction while their load changes fast.
START_TEST(what_rocks_on_its_rim_does_not_know_directions)
{
    const Fall falls[4] = {
        {CONE, TABLE, 3.01822, 0.3, 0.6, 2.073440292, 0.9846310257, 0.0, 0.416303, -0.569328},
        {CONE, PLANE, 0.18559, 0.606615, 0.737542, 2.327315568, 1.50870225, -8.61627228, 0.481505, 0.920608},
        {CYLINDER, PLANE, 0.22337, 0.490713, 0.142121, 2.724916875, 0.1935378035, 3.856699869, 0.549303, -0.00653752},
        {CONE, PLANE, 1.01239, 0.3, 0.6, 0.2693409667, 0.5784569576, 1.872122708, 0.0, 0.0}};
    ctAssert(spread(&falls[_i], 0.5) < 1e-7);
}
END_TEST

// ---- closed forms -----------------------------------------------------------------------------

static const double rates[3] = {30.0, 144.0, 1000.0};
static const double cone = 0.1; // m: the radius of the base

// A cone of some height with its tip at the origin and its axis, from there to the base, along a unit vector.
static ctBodyId addCone(ctWorld *world, double height, ctVec3 axis, ctVec3 spin)
{
    ctBodyDef def = ctDefaultBodyDef();
    ctVec3 turn = ctCross(axis, ctV3(0, 0, -1));
    double sine = ctLength(turn);
    def.shape = ctWorld_CreateCone(world, cone, height, NULL);
    def.orientation = ctQuatExp(ctScale(-atan2(sine, -axis.z) / sine, turn));
    def.position = ctScale(0.5 * height, axis);
    def.velocity = ctCross(spin, ctScale(0.75 * height, axis));
    def.spin = spin;
    ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(id.index1 != 0);
    return id;
}

static double off(ctWorld *world, ctBodyId id, ctVec3 centre, double angle)
{
    return ctDistance(ctBody_GetCenter(world, id), ctRotate(ctQuatExp(ctV3(0, 0, angle)), centre));
}

// A cone on its side rolls around its tip at a constant rate, with its whole spin along the line on which it lies.
START_TEST(a_cone_rolls_in_a_circle)
{
    const double heights[3] = {0.05, 0.3, 1.0}, rate = 0.8, seconds = 2.0;
    for (int i = 0; i < 9; i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 1.0, 0.5);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[i % 3], NULL));
        addGround(world, _i, ctQuatIdentity());
        double h = heights[i / 3], side = hypot(cone, h);
        ctVec3 axis = ctV3(h / side, 0, cone / side);
        ctBodyId id = addCone(world, h, axis, ctV3(-rate * h / cone, 0, 0));
        ctTestRun(world, seconds);
        ctAssertClose(off(world, id, ctScale(0.75 * h, axis), rate * seconds), 0.0, 1e-8);
        ctTestFinish(world);
    }
}
END_TEST

// A cone spins on its tip, leaning by t, and precesses at the slower rate W of
//     I1 cos t W^2 - I3 w W + m g l = 0,   I3 = 3/10 m r^2,   I1 = 3/5 m (r^2 / 4 + h^2),   l = 3/4 h.
// For boxes and tables tips are rounded.
START_TEST(a_cone_on_its_tip_precesses)
{
    const double h = 0.1, lean = 0.3, spin = 120.0, seconds = 2.0;
    const double i3 = 0.3 * cone * cone, i1 = 0.6 * (0.25 * cone * cone + h * h), weight = 0.75 * G * h;
    const double rate = 2.0 * weight / (i3 * spin + sqrt(i3 * i3 * spin * spin - 4.0 * i1 * cos(lean) * weight));
    const ctVec3 axis = ctV3(sin(lean), 0, cos(lean));
    for (int i = 0; i < 3; i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 2.0, 0.0);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[i], NULL));
        addGround(world, _i, ctQuatIdentity());
        ctBodyId id = addCone(world, h, axis, ctMulAdd(ctV3(0, 0, rate), spin - rate * cos(lean), axis));
        ctTestRun(world, seconds);
        ctAssertClose(off(world, id, ctScale(0.75 * h, axis), rate * seconds), 0.0, _i == PLANE ? 2e-8 : 1e-4);
        ctTestFinish(world);
    }
}
END_TEST

// A cone falls over the rim of its base, past the place where it is in balance: as a pendulum on its head, whose centre
// is at l from the rim.
START_TEST(a_cone_falls_over_its_rim)
{
    const double h = 0.5, seconds = 0.7, step = 1e-4, l = hypot(cone, 0.25 * h), start = 0.01;
    const double k = G * l / (0.6 * (0.25 * cone * cone + h * h) - 0.5625 * h * h + l * l),
                 lean = atan2(cone, 0.25 * h);
    double a = start, w = 0.0;
    for (int i = 0; i < (int)(seconds / step + 0.5); i++) { // Stormer and Verlet's method of order four (Yoshida)
        const double parts[3] = {1.0 / (2.0 - cbrt(2.0)), -cbrt(2.0) / (2.0 - cbrt(2.0)), 1.0 / (2.0 - cbrt(2.0))};
        for (int j = 0; j < 3; j++) {
            a += 0.5 * parts[j] * step * w;
            w += parts[j] * step * k * sin(a);
            a += 0.5 * parts[j] * step * w;
        }
    }
    for (int i = 0; i < 2; i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 10.0, 0.0);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / (i == 0 ? 30.0 : 1000.0), NULL));
        addGround(world, _i, ctQuatIdentity());
        ctBodyDef def = ctDefaultBodyDef();
        double tilt = lean + start;
        def.shape = ctWorld_CreateCone(world, cone, h, NULL);
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        def.position = ctV3(0.5 * h * sin(tilt) - cone * cos(tilt), 0, 0.5 * h * cos(tilt) + cone * sin(tilt));
        ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
        ctTestRun(world, seconds);
        ctAssertClose(off(world, id, ctV3(l * sin(a), 0, l * cos(a)), 0.0), 0.0, _i == PLANE ? 1e-8 : 1e-4);
        ctTestFinish(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rims");
    TCase *tests = tcase_create("rims");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, an_end_strikes_the_same_in_all_directions);
    tcase_add_loop_test(tests, what_rocks_on_its_rim_does_not_know_directions, 0, 4);
    tcase_add_loop_test(tests, a_cone_rolls_in_a_circle, 0, PILLAR);
    tcase_add_loop_test(tests, a_cone_on_its_tip_precesses, 0, PILLAR);
    tcase_add_loop_test(tests, a_cone_falls_over_its_rim, 0, PILLAR);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
