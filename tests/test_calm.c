// Bodies that lie still in an island in which others move: they do not stir, and they give way when they must.
#include "collision/vec3.h"
#include "engine/contact/contact_internal.h"
#include "scenes/scene.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

static ctWorld *makeWorld(double friction)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), friction, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    return world;
}

static double heightOf(const ctWorld *world, ctBodyId body)
{
    return ctBody_GetCenter(world, body).z;
}

// The first dominoes have fallen long ago, the last ones still stand: nothing moves the first.
START_TEST(what_has_fallen_does_not_stir_while_the_row_falls_on)
{
    enum { COUNT = 40 };
    ctWorld *world = makeWorld(0.3);
    ctBodyId row[COUNT];
    for (int i = 0; i < COUNT; i++) {
        row[i] = ctTestBox(world, ct_motionDynamic, ctV3(0.0075, 0.024, 0.048), ctV3(0.024 * i, 0, 0.024));
    }
    ck_assert(ctBody_SetVelocity(world, row[0], ctV3(0.1, 0, 0.01), ctV3(0, 4, 0), NULL));
    while (heightOf(world, row[COUNT - 12]) > 0.02) {
        ctTestRun(world, 0.01);
    }
    ctVec3 before[8];
    for (int i = 0; i < 8; i++) {
        before[i] = ctBody_GetCenter(world, row[i]);
        ck_assert(heightOf(world, row[i]) < 0.02);
    }
    ctTestRun(world, 0.1);
    ck_assert(heightOf(world, row[COUNT - 9]) < 0.02);
    ck_assert(heightOf(world, row[COUNT - 1]) > 0.0239);
    for (int i = 0; i < 8; i++) {
        double moved = ctDistance(ctBody_GetCenter(world, row[i]), before[i]);
        ck_assert_msg(moved == 0.0 && ctLength(ctBody_GetSpin(world, row[i])) == 0.0, "domino %d moves", i);
    }
    ctWorld_Destroy(world);
}
END_TEST

// Twelve boxes in a row on the floor, and a smooth ball that glides along the top of the last one: it keeps the island
// lively, and presses on the box by its weight.
typedef struct Row {
    ctWorld *world;
    ctBodyId boxes[12];
    double limit; // N: the force that overcomes the friction of all
    double mass;  // kg, of the boxes
} Row;

static Row makeRow(void)
{
    Row row = {.world = makeWorld(0.5)};
    for (int i = 0; i < 12; i++) {
        ctVec3 place = ctV3(-0.2 * (11 - i), 0, 0.05);
        row.boxes[i] = ctTestBox(row.world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1), place);
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(row.world, 0.02, NULL);
    ctMaterialDef smooth = ctDefaultMaterialDef();
    smooth.name = "smooth";
    ck_assert(ctWorld_CreateMaterial(row.world, &smooth, &def.material, NULL));
    ck_assert(ctWorld_SetPair(row.world, def.material, (ctMaterialId){0}, (ctCoefficients){.friction = 0.0}, NULL));
    def.position = ctV3(-0.09, 0, 0.12);
    def.velocity = ctV3(0.1, 0, 0);
    ctBodyId ball = ctWorld_CreateBody(row.world, &def, NULL);
    row.mass = 12.0 * ctBody_GetMass(row.world, row.boxes[0]);
    row.limit = 0.5 * G * (row.mass + ctBody_GetMass(row.world, ball));
    return row;
}

// A push on the first box is passed on by all. Below the limit of friction nothing moves, above it all move as one: at
// first more slowly than the ball by far, in steps that may be short.
START_TEST(a_row_gives_way_when_the_push_is_more_than_its_friction)
{
    double more = 0.012 + 0.002 * _i;
    Row row = makeRow();
    ctTestRun(row.world, 0.5);
    ck_assert(ctBody_SetForce(row.world, row.boxes[0], ctV3(0.98 * row.limit, 0, 0), NULL));
    double first = ctBody_GetCenter(row.world, row.boxes[0]).x, last = ctBody_GetCenter(row.world, row.boxes[11]).x;
    ctTestRun(row.world, 0.5);
    ck_assert_double_eq_tol(ctBody_GetCenter(row.world, row.boxes[0]).x, first, 1e-7);
    ck_assert_double_eq_tol(ctBody_GetCenter(row.world, row.boxes[11]).x, last, 1e-7);
    ck_assert(ctBody_SetForce(row.world, row.boxes[0], ctV3((1.0 + more) * row.limit, 0, 0), NULL));
    ctTestRun(row.world, 0.5);
    double way = 0.5 * more * row.limit / row.mass * 0.5 * 0.5;
    for (int i = 0; i < 12; i++) {
        double moved = ctBody_GetCenter(row.world, row.boxes[i]).x + 0.2 * (11 - i);
        ck_assert_msg(fabs(moved - way) < 1e-5 * way, "box %d: %g instead of %g", i, moved, way);
    }
    ctWorld_Destroy(row.world);
}
END_TEST

// A push on the first box that the friction of eight withstands. As the forces are found, boxes join in layers: as many
// as bear the push, but not those at the other end, neither at once nor later.
START_TEST(a_push_rouses_its_neighbourhood)
{
    Row row = makeRow();
    ctTestRun(row.world, 0.5);
    double start = ctWorld_GetTime(row.world), first = ctBody_GetCenter(row.world, row.boxes[0]).x;
    ck_assert(ctBody_SetForce(row.world, row.boxes[0], ctV3(7.5 / 12.0 * row.limit, 0, 0), NULL));
    ctTestRun(row.world, 0.1);
    for (int i = 1; i < 11; i++) {
        bool joined = row.world->contacts->bodies[row.boxes[i].index1 - 1].thawed >= start;
        ctRequire(joined || i > 7, "box %d takes no part", i);
        ctRequire(!joined || i < 9, "box %d takes part", i);
    }
    ck_assert_double_eq_tol(ctBody_GetCenter(row.world, row.boxes[0]).x, first, 1e-6);
    ctWorld_Destroy(row.world);
}
END_TEST

// What a box stands on is taken away: the box falls freely from that moment.
START_TEST(what_lies_falls_when_its_support_is_taken)
{
    Row row = makeRow();
    ctBodyId upper = ctTestBox(row.world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(-1.2, 0, 0.15));
    ctTestRun(row.world, 0.5);
    ck_assert_double_eq_tol(heightOf(row.world, upper), 0.15, 1e-9);
    ck_assert(ctWorld_DestroyBody(row.world, row.boxes[5], NULL));
    ctTestRun(row.world, 0.1);
    ck_assert_double_eq_tol(heightOf(row.world, upper), 0.15 - 0.5 * G * 0.01, 1e-6);
    ctWorld_Destroy(row.world);
}
END_TEST

// The rate at which corners of boxes on the floor run around their centres, at most, and the fastest spin of a box,
// rad/s.
static void noteRunning(const ctWorld *world, double *running, double *spin)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < c->recordSlots; i++) {
        const ctContactRecord *r = &c->records[i];
        if (r->pair >= 0 && !world->bodies[r->a].ball) {
            *spin = fmax(*spin, ctLength(world->bodies[r->a].w));
            *running = ctBody_IsMovable(&world->bodies[r->b]) ? *running : fmax(*running, r->running);
        }
    }
}

// A ball knocks a tower down. A corner keeps its place on its box, also while it waits for its landing and takes no
// part in the steps of its island: these are not as short as for a point that races around a rim.
START_TEST(corners_that_wait_turn_with_their_boxes)
{
    for (int k = 0; k < 2; k++) {
        ctSetting speed = {"speed", k == 0 ? 5.3 : 6.2};
        ctSceneOptions options = {.settings = &speed, .settingCount = 1, .hasFps = true, .fps = 480};
        ctScene *scene = ctScene_Load("tower", &options, NULL);
        ck_assert(scene != NULL);
        double running = 0.0, spin = 0.0;
        while (ctWorld_GetTime(scene->world) < 3.0) {
            ck_assert(ctWorld_Step(scene->world, NULL));
            noteRunning(scene->world, &running, &spin);
        }
        ck_assert_msg(spin > 5.0 && running < spin, "points run by %g rad/s, boxes turn by %g rad/s", running, spin);
        ctScene_Destroy(scene);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calm");
    TCase *tests = tcase_create("calm");
    tcase_set_timeout(tests, 60.0);
    tcase_add_test(tests, what_has_fallen_does_not_stir_while_the_row_falls_on);
    tcase_add_loop_test(tests, a_row_gives_way_when_the_push_is_more_than_its_friction, 0, 10);
    tcase_add_test(tests, a_push_rouses_its_neighbourhood);
    tcase_add_test(tests, what_lies_falls_when_its_support_is_taken);
    tcase_add_test(tests, corners_that_wait_turn_with_their_boxes);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
