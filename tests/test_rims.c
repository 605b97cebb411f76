// Round faces that strike and rock: cylinders, cones and frusta that fall on their flat ends. Nothing depends on the
// direction in which they slide, nor on how they are turned about their own axes.
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

int main(void)
{
    Suite *suite = suite_create("rims");
    TCase *tests = tcase_create("rims");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, an_end_strikes_the_same_in_all_directions);
    tcase_add_loop_test(tests, what_rocks_on_its_rim_does_not_know_directions, 0, 4);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
