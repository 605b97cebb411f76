// Worlds of a few bodies, saved and loaded at every frame: the loaded world takes the next step as the other does, bit
// for bit. The worlds here are those in which something of the past once stayed in one of the two and not in the other:
// courses that bodies followed together before they parted, courses that begin with points of contact that nobody has
// seen before, and courses after which a coin whirls on a plan of its own.
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

typedef struct Row {
    int bodies;     // 0: two to four
    double spacing; // m
    double speed;   // m/s
    double spin;    // rad/s; 0: 10
    bool coins;
} Row;

static ctShapeId shapeOf(ctWorld *world, int kind, double s)
{
    switch (kind) {
    case 0:
        return ctWorld_CreateCylinder(world, s, 0.4 * s, NULL);
    case 1:
        return ctWorld_CreateCone(world, 0.5 * s, s, NULL);
    case 2:
        return ctWorld_CreateBox(world, ctV3(s, 0.6 * s, 0.4 * s), NULL);
    default:
        return ctWorld_CreateEllipsoid(world, ctV3(s, 0.6 * s, 0.4 * s), NULL);
    }
}

// Cylinders, cones, boxes and ellipsoids beside each other over a floor.
static ctWorld *makeRow(const Row *row, int seed)
{
    ctRandom random = ctRandomSeed((uint64_t)seed);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), ctRandomUniform(&random, 0, 0.6), 0.3);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    int count = row->bodies > 0 ? row->bodies : ctRandomInt(&random, 2, 4);
    for (int i = 0; i < count; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        int kind = row->coins ? 0 : ctRandomInt(&random, 0, 3);
        double s = ctRandomUniform(&random, 0.03, 0.12), spin = row->spin > 0.0 ? row->spin : 10.0;
        def.shape = shapeOf(world, kind, s);
        def.position = ctV3(row->spacing * i, 0, ctRandomUniform(&random, s, 1.5 * s));
        def.orientation = ctRandomQuat(&random);
        def.velocity = ctRandomVec3(&random, -row->speed, row->speed);
        def.spin = ctRandomVec3(&random, -spin, spin);
        ctWorld_CreateBody(world, &def, NULL); // refused where it would overlap the last
    }
    return world;
}

static void checkFrames(const Row *row, int seed)
{
    ctWorld *world = makeRow(row, seed);
    for (int i = 0; i < 60; i++) {
        void *data = NULL;
        size_t size = 0;
        ctError error = {ct_ok, ""};
        ctRequire(ctWorld_Save(world, &data, &size, &error), "%s", error.message);
        ctWorld *copy = ctWorld_Load(data, size, &error);
        ctRequire(copy != NULL, "spacing %g, seed %d, frame %d: %s", row->spacing, seed, i, error.message);
        ctAssert(ctWorld_Step(copy, NULL) && ctWorld_Step(world, NULL));
        ctRequire(ctWorld_Hash(copy) == ctWorld_Hash(world), "spacing %g, seed %d, frame %d", row->spacing, seed, i);
        ctWorld_Destroy(copy);
        ctFreeSnapshot(data);
    }
    ctWorld_Destroy(world);
}

START_TEST(bodies_that_part_go_on_exactly)
{
    static const int close[] = {127, 285, 335, 472};
    for (size_t i = 0; i < sizeof close / sizeof close[0]; i++) {
        checkFrames(&(Row){.spacing = 0.16, .speed = 0.6}, close[i]);
    }
    checkFrames(&(Row){.spacing = 0.3, .speed = 0.6}, 167);
}
END_TEST

// The first step after a course asks where its points were when it began.
START_TEST(new_points_of_courses_load)
{
    checkFrames(&(Row){.bodies = 2, .spacing = 0.5, .speed = 0.3}, 162);
}
END_TEST

// How far a coin may stray is a matter of its plan, not of the course that it has left.
START_TEST(coins_that_begin_to_whirl_go_on_exactly)
{
    for (int seed = 0; seed < 12; seed++) {
        checkFrames(&(Row){.spacing = 0.16, .speed = 0.3, .spin = 60.0, .coins = true}, seed);
    }
}
END_TEST

START_TEST(rows_go_on_exactly)
{
    for (int seed = 0; seed < ctTestCases(40); seed++) {
        checkFrames(&(Row){.spacing = 0.3, .speed = 0.6}, seed);
        checkFrames(&(Row){.bodies = 2, .spacing = 0.5, .speed = 0.3}, seed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot_frames");
    TCase *tests = tcase_create("frames");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, bodies_that_part_go_on_exactly);
    tcase_add_test(tests, new_points_of_courses_load);
    tcase_add_test(tests, coins_that_begin_to_whirl_go_on_exactly);
    tcase_add_test(tests, rows_go_on_exactly);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
