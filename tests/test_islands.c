// Bodies in contact that move: coming to rest, piles, and the same result every time.
#include "collision/quat.h"
#include "engine/contact/step/step.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static ctWorld *makeWorld(ctCoefficients pair)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    ck_assert_ptr_nonnull(world);
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, ctV3(0, 0, 1), 0.0, NULL);
    ctWorld_CreateBody(world, &def, NULL);
    return world;
}

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

static ctWorld *tossCoins(void)
{
    ctWorld *world =
        makeWorld((ctCoefficients){.friction = 0.25, .restitution = 0.4, .rolling = 1e-4, .spinning = 1e-4});
    ctRandom r = ctRandomSeed(7);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCylinder(world, 0.012, 0.0018, NULL);
    def.density = 8000.0;
    for (int i = 0; i < 8; i++) {
        def.position = ctV3(ctRandomUniform(&r, -0.025, 0.025), ctRandomUniform(&r, -0.025, 0.025), 0.03 + 0.026 * i);
        def.orientation = ctRandomQuat(&r);
        def.spin = ctRandomVec3(&r, -10, 10);
        ctWorld_CreateBody(world, &def, NULL);
    }
    return world;
}

START_TEST(eight_coins_come_to_rest)
{
    ctWorld *world = tossCoins();
    double before = energyOf(world);
    ctTestRun(world, 6.0);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.asleep, 8);
    ck_assert_msg(stats.maxPenetration < 6e-4, "overlap %g", stats.maxPenetration);
    ck_assert(energyOf(world) < before);
    uint64_t hash = ctWorld_Hash(world);
    ctWorld_Destroy(world);
    // The same again gives the same, to the last bit.
    world = tossCoins();
    ctTestRun(world, 6.0);
    ck_assert(ctWorld_Hash(world) == hash);
    ctWorld_Destroy(world);
}
END_TEST

// A pile of 24 boxes comes to rest; returns its deepest overlap ever.
static double restingPile(uint64_t seed)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
    ctRandom r = ctRandomSeed(seed);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.15, 0.15, 0.15), NULL);
    ctBodyId ids[24];
    for (int i = 0; i < 24; i++) {
        def.position = ctV3(0.27 * (i % 2), 0.27 * (i / 2 % 2), 0.2 + 0.27 * (i / 4));
        def.orientation = ctRandomQuat(&r);
        ids[i] = ctWorld_CreateBody(world, &def, NULL);
    }
    double before = energyOf(world);
    // A box that stands on its edge may fall over late. One that is held at two points spins about them, slowly, until
    // it meets another.
    ctTestRun(world, 10.0);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.asleep, 24);
    ck_assert(energyOf(world) < before);
    for (int i = 0; i < 24; i++) {
        ck_assert(ctBody_GetCenter(world, ids[i]).z > 0.07);
    }
    ctWorld_Destroy(world);
    return stats.maxPenetration;
}

// How deep the worst of many impacts goes is a matter of chance, to the last bit of every distance: the mean of
// several piles is not.
START_TEST(piles_of_boxes_come_to_rest)
{
    double sum = 0.0, worst = 0.0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        double overlap = restingPile(seed);
        sum += overlap;
        worst = fmax(worst, overlap);
    }
    ck_assert_msg(sum < 5 * 0.004 * 0.15 && worst < 0.008 * 0.15, "overlaps %g at most, %g on average", worst,
                  sum / 5.0);
}
END_TEST

// Every body knows how many of its pairs are in contact; one that knows too many is not looked at again
// when its course changes, and what it then meets is found too late.
static void checkContactCounts(const ctWorld *world)
{
    for (int i = 0; i < world->bodyCount; i++) {
        const ctBody *body = &world->bodies[world->order[i]];
        int count = 0;
        int links;
        const ctLink *link = ctBody_Links(world, world->order[i], &links);
        for (int k = 0; k < links; k++) {
            count += link[k].tag != CT_LATENT && world->pairs[link[k].tag].state == ct_pairContact;
        }
        ck_assert_msg(body->contactPairs == count, "body %d counts %d contacts and has %d", i, body->contactPairs,
                      count);
    }
}

START_TEST(removed_pairs_are_no_longer_counted)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    ctBodyId ids[3];
    for (int i = 0; i < 3; i++) {
        def.position = ctV3(0, 0, 0.05 + 0.1 * i);
        ids[i] = ctWorld_CreateBody(world, &def, NULL);
    }
    ctTestRun(world, 0.2);
    checkContactCounts(world);
    // The pair goes with a body that is destroyed, and with a body that flies out of its neighbour's box.
    ck_assert(ctWorld_DestroyBody(world, ids[2], NULL));
    checkContactCounts(world);
    ck_assert(ctBody_SetVelocity(world, ids[1], ctV3(0, 0, 6), ctZero3(), NULL));
    ctTestRun(world, 0.3);
    checkContactCounts(world);
    ctWorld_Destroy(world);
}
END_TEST

// A ball, a box, and one on another that overlap by a twentieth of their size are pushed apart in a quarter of a
// second, without a velocity: the only energy that comes is that of being lifted.
START_TEST(overlaps_of_what_rests_are_pushed_out)
{
    for (int kind = 0; kind < 3; kind++) {
        ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5});
        ctBodyDef def = ctDefaultBodyDef();
        def.shape =
            kind == 0 ? ctWorld_CreateSphere(world, 0.1, NULL) : ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
        ctBodyId ids[2];
        int count = kind == 2 ? 2 : 1;
        for (int i = 0; i < count; i++) {
            def.position.z = 0.1 + 0.2 * i;
            ids[i] = ctWorld_CreateBody(world, &def, NULL);
        }
        ctTestRun(world, 0.2);
        for (int i = 0; i < count; i++) {
            int index = ids[i].index1 - 1;
            ctBody_Wake(world, ids[i]);
            world->bodies[index].x.z -= 0.01 * (i + 1);
            world->contacts->bodies[index].x.z -= 0.01 * (i + 1);
        }
        double energy = energyOf(world), pushed = ctWorld_GetStats(world).pushWork;
        for (int f = 0; f < 20; f++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctAssert(ctWorld_GetStats(world).kineticEnergy < 1e-15);
        }
        for (int i = 0; i < count; i++) {
            ctAssertClose(ctBody_GetCenter(world, ids[i]).z, 0.1 + 0.2 * i, 2e-6);
        }
        ctAssertClose(energyOf(world) - energy, ctWorld_GetStats(world).pushWork - pushed, 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A stack of boxes that lands, at a place and from a height above its rest.
static void addStack(ctWorld *world, double x, double drop, int boxes)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
    for (int k = 0; k < boxes; k++) {
        def.position = ctV3(x, 0.01 * k, 0.1 + 0.2 * k + drop * (k + 1));
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    }
}

// What happens in one place changes nothing in another, to the last bit: neither what lands at the same moment nor what
// comes into contact, parts and falls asleep at others.
START_TEST(islands_far_apart_know_nothing_of_each_other)
{
    ctWorld *worlds[2];
    for (int k = 0; k < 2; k++) {
        worlds[k] = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.3});
        addStack(worlds[k], 0.0, 1e-3, 4);
        for (int i = 1; i < 12 && k == 1; i++) {
            addStack(worlds[k], 2.0 * i, i % 3 == 0 ? 1e-3 : 7e-4 * i, 1 + i % 4);
        }
    }
    for (int i = 0; i < 90; i++) {
        ck_assert(ctWorld_Step(worlds[0], NULL) && ctWorld_Step(worlds[1], NULL));
        for (int b = 1; b <= 4; b++) {
            ctBodyId one = ctWorld_GetBody(worlds[0], b), other = ctWorld_GetBody(worlds[1], b);
            ctTransform p = ctBody_GetTransform(worlds[0], one), q = ctBody_GetTransform(worlds[1], other);
            ck_assert_msg(memcmp(&p, &q, sizeof p) == 0, "frame %d, box %d", i, b);
        }
    }
    for (int k = 0; k < 2; k++) {
        ctStats stats = ctWorld_GetStats(worlds[k]);
        ck_assert_int_eq(stats.asleep, stats.dynamicBodies);
        ck_assert_int_eq(worlds[k]->contacts->islandCount, 0);
        ctWorld_Destroy(worlds[k]);
    }
}
END_TEST

// An island that nothing happens to keeps its slot while others come and go; lists stay short.
START_TEST(only_what_changes_is_found_anew)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.3});
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateSphere(world, 0.1, NULL);
    def.position = ctV3(0.0, 5.0, 0.1);
    def.velocity = ctV3(1.0, 0.0, 0.0);
    def.spin = ctV3(0.0, 10.0, 0.0); // it rolls on for ever
    int ball = ctWorld_CreateBody(world, &def, NULL).index1 - 1;
    for (int i = 0; i < 20; i++) {
        addStack(world, 2.0 * i, 1e-2 + 1e-3 * i, 3);
    }
    ctTestRun(world, 0.1);
    const ctContacts *c = world->contacts;
    int slot = world->bodies[ball].island;
    ck_assert_int_ge(slot, 0);
    for (int i = 0; i < 120; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ck_assert_int_eq(world->bodies[ball].island, slot);
        ck_assert_int_eq(c->members[c->islands[slot].firstBody], ball);
        ck_assert_int_le(c->memberCount, 2 * 61 + 61);
    }
    ck_assert_int_eq(c->islandCount, 1);
    ck_assert_int_le(c->islandSlots, 2 * 61);
    ctWorld_Destroy(world);
}
END_TEST

// Bricks that touch at rest: no impact, contact everywhere from the first moment on, and no motion.
START_TEST(a_wall_that_stands_starts_as_a_whole)
{
    enum { ROWS = 6, BRICKS = 5 };
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.3});
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.1, 0.1), NULL);
    for (int i = 0; i < ROWS * BRICKS; i++) {
        int row = i / BRICKS;
        def.position = ctV3(0.2 * (i % BRICKS) + 0.1 * (row % 2), 0.0, 0.05 + 0.1 * row);
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    }
    ck_assert(ctWorld_Step(world, NULL));
    ck_assert_int_eq(ctWorld_GetStats(world).islands, 1);
    ck_assert_int_le(ctWorld_GetStats(world).contactSteps, 8 + 2);
    ctTestRun(world, 2.0);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.impacts, 0);
    ck_assert_int_eq(stats.asleep, ROWS * BRICKS);
    for (int i = 0; i < ROWS * BRICKS; i++) {
        int row = i / BRICKS;
        ctVec3 x = ctBody_GetCenter(world, ctWorld_GetBody(world, 1 + i));
        double moved = ctDistance(x, ctV3(0.2 * (i % BRICKS) + 0.1 * (row % 2), 0.0, 0.05 + 0.1 * row));
        ck_assert_msg(moved < 1e-6, "brick %d has moved by %g m", i, moved);
    }
    ctWorld_Destroy(world);
}
END_TEST

// A world in which all that touches sleeps passes over the end of its frames, but not while a body that has been moved
// waits for its island to be found: a loaded world would not, and the two would not count the same events.
START_TEST(what_is_moved_beside_sleepers_does_not_wait)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
    ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctZero3());
    ctBodyId flying = ctTestBall(world, 0.1, ctV3(1, 0, 100), ctV3(0, 0, 60));
    ctTestRun(world, 2.0);
    ck_assert_int_eq(ctWorld_GetStats(world).asleep, 1);
    ctAssert(ctBody_SetTransform(world, flying, ctTransformOf(ctV3(2, 0, 100), ctQuatIdentity()), NULL));
    ck_assert(ctIslands_AreStale(world->contacts));
    for (int i = 0; i < 2; i++) { // the end of the first, and the beginning of the second
        void *data = NULL;
        size_t size = 0;
        ctAssert(ctWorld_Save(world, &data, &size, NULL));
        ctWorld *copy = ctWorld_Load(data, size, NULL);
        ck_assert_ptr_nonnull(copy);
        ctAssert(ctWorld_Step(world, NULL) && ctWorld_Step(copy, NULL));
        ck_assert_int_eq(ctIslands_AreStale(world->contacts), ctIslands_AreStale(copy->contacts));
        ck_assert(world->contacts->due == copy->contacts->due);
        ck_assert_int_eq(world->frameEvents, copy->frameEvents);
        ctFreeSnapshot(data);
        ctWorld_Destroy(copy);
    }
    ck_assert(!ctIslands_AreStale(world->contacts));
    ctWorld_Destroy(world);
}
END_TEST

// A box on its edge falls over, and one of its edges meets an edge of a box that does not move. Until then it follows
// its course: looks at the two end it a few times only, and not once for each halving of their distance.
START_TEST(a_box_on_its_course_meets_an_edge_after_few_steps)
{
    for (int k = 1; k <= 2; k++) {
        ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
        ctBodyDef def = ctDefaultBodyDef();
        double tilt = 0.9;
        def.motion = ct_motionFixed;
        def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.3, 0.04), NULL);
        def.position = ctV3(0.24 + 0.004 * k, 0.0, 0.07);
        def.orientation = ctMulQ(ctQuatExp(ctV3(0, 0, 0.3 + 0.1 * k)), ctQuatExp(ctV3(0.15, 0, 0)));
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        def.motion = ct_motionDynamic;
        def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
        def.position = ctV3(0, 0, 0.1 * (cos(tilt) + sin(tilt)));
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        bool hit = false;
        for (int i = 0; i < 60 && !hit; i++) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        ck_assert(hit);
        ctRequire(ctWorld_GetStats(world).contactSteps <= 20, "%d steps", (int)ctWorld_GetStats(world).contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A box that lands on others, and stays there, is in their island from that moment on: no step finds the forces of the
// others without the box. With such a step there would be one more until all sleep.
START_TEST(a_box_that_lands_on_a_stack_joins_it_at_once)
{
    for (int count = 4; count <= 5; count++) {
        ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
        for (int k = 0; k <= count; k++) {
            ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0, 0, 0.1 * k + (k < count ? 0.05 : 0.052)));
        }
        int64_t before = 0;
        for (int i = 0; i < 60 && ctWorld_GetStats(world).impacts == 0; i++) {
            before = ctWorld_GetStats(world).contactSteps;
            ck_assert(ctWorld_Step(world, NULL));
        }
        ck_assert_int_gt(ctWorld_GetStats(world).impacts, 0);
        ctTestRun(world, 0.2);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq(stats.asleep, count + 1);
        ck_assert_msg(stats.contactSteps - before <= count, "%lld steps", (long long)(stats.contactSteps - before));
        ctWorld_Destroy(world);
    }
}
END_TEST

// Five boxes above each other fall on the floor, with a millimetre between them, and land one after the other. A look
// at a box that is about to land does not end the course of those that lie still under it, so that no step finds their
// forces anew. A box that stays where it lands is in their island at once, by the rule of few bodies as well.
// Four and five boxes that a landing stops are at rest with the step that finds their forces.
START_TEST(a_stack_that_lands_takes_few_steps)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.2});
    for (int k = 0; k < 5; k++) {
        ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.2 * k + 0.1 + 0.001 * (k + 1)));
    }
    ctTestRun(world, 0.3);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.asleep, 5);
    ck_assert_msg(stats.contactSteps <= 8, "%lld steps", (long long)stats.contactSteps);
    ctWorld_Destroy(world);
}
END_TEST

// A corner of a box stays where it is on its box: on the floor it runs around the centre no faster than the box turns,
// however short the steps are that landings and impacts in its row leave. Otherwise further steps would be short, too.
START_TEST(corners_on_the_floor_run_no_faster_than_their_boxes_turn)
{
    enum { COUNT = 16 };
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.3, .restitution = 0.2});
    ctBodyId row[COUNT];
    for (int i = 0; i < COUNT; i++) {
        row[i] = ctTestBox(world, ct_motionDynamic, ctV3(0.0075, 0.024, 0.048), ctV3(0.024 * i, 0, 0.024));
    }
    ck_assert(ctBody_SetVelocity(world, row[0], ctV3(0.1, 0, 0.01), ctV3(0, 4, 0), NULL));
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / 960.0, NULL));
    double spin = 0.0, run = 0.0;
    for (int k = 0; k < 800; k++) {
        ck_assert(ctWorld_Step(world, NULL));
        for (int i = 0; i < COUNT; i++) {
            spin = fmax(spin, ctLength(ctBody_GetSpin(world, row[i])));
        }
        const ctContacts *c = world->contacts;
        for (int i = 0; i < c->recordSlots; i++) {
            const ctContactRecord *r = &c->records[i];
            run = r->pair >= 0 && world->bodies[r->b].plane ? fmax(run, r->running) : run;
        }
    }
    ck_assert_double_gt(run, 1.0);
    ck_assert_msg(run <= 1.5 * spin, "%g rad/s, and boxes turn at %g", run, spin);
    ctWorld_Destroy(world);
}
END_TEST

// A box on a box has been moved a little since the points were found: where one edge of it touches, they show a gap.
// The opposite edge comes down at 3 m/s. A step that ends now would change nothing: the next event is the landing.
START_TEST(a_touch_without_a_point_is_not_awaited)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5});
    ctTestBox(world, ct_motionFixed, ctV3(0.4, 0.4, 0.2), ctV3(0, 0, 0.1));
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.3));
    ctTestRun(world, 0.1);
    ctBody *body = &world->bodies[2];
    ctContactRecord *record = &world->contacts->records[world->pairs[ctPair_Find(world, 1, 2)].contact];
    const double turn = 1e-3, spin = 15.0, size = ctContact_PairSize(world, 1, 2);
    ck_assert_int_eq(record->count, 4);
    ck_assert(ctBody_SetVelocity(world, box, ctV3(0, 0, 1e-4), ctZero3(), NULL));
    body->w = ctV3(0, spin, 0);
    body->q = ctQuatExp(ctV3(0, -turn, 0));
    body->x = ctSub(ctV3(-0.1, 0, 0.2 - 1e-9), ctRotate(body->q, ctV3(-0.1, 0, -0.1)));
    body->v = ctCross(body->w, ctSub(body->x, ctV3(-0.1, 0, 0.2)));
    body->a = body->alpha = ctZero3();
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *p = &record->points[i];
        p->force = ctZero3();
        p->gap = p->pointA.x < 0.0 ? 2e-6 * size : 0.2 * turn;
    }
    double arrival = ctContact_TimeOfArrival(world, record, world->now + 1e-3, false, false) - world->now;
    ck_assert_msg(fabs(arrival * spin / turn - 1.0) < 1e-2, "%g s", arrival);
    ctWorld_Destroy(world);
}
END_TEST

// The top box of a tower hops by 10 um. It touches nothing, and yet is a member of the island of all boxes. Six balls
// strike it within a microsecond. As for a box that lies, one step of the island takes in all of them, 2 us later.
START_TEST(impacts_on_a_member_that_flies_share_a_step)
{
    ctWorld *world = makeWorld((ctCoefficients){.friction = 0.5, .restitution = 0.5});
    ctBodyId top = {0};
    for (int i = 0; i < 10; i++) {
        top = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.1 + 0.2 * i));
    }
    ctTestRun(world, 0.1);
    int64_t before = ctWorld_GetStats(world).contactSteps;
    for (int i = 0; i < 6; i++) { // each touches its side a tenth of a microsecond after the last
        double side = i < 3 ? -1.0 : 1.0, way = 1e-3 + 1e-7 * i;
        ctTestBall(world, 0.02, ctV3(side * (0.12 + way), 0.05 * (i % 3 - 1), 1.9), ctV3(-side, 0, 0));
    }
    ck_assert(ctWorld_SetFrameTime(world, 1.5e-3, NULL));
    ck_assert(ctBody_SetVelocity(world, top, ctV3(0, 0, 0.014), ctZero3(), NULL));
    ck_assert(ctWorld_Step(world, NULL));
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_ge(stats.impacts, 6);
    ctRequire(stats.contactSteps <= before + 3, "%d steps", (int)(stats.contactSteps - before));
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("islands");
    TCase *tc = tcase_create("islands");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, eight_coins_come_to_rest);
    tcase_add_test(tc, piles_of_boxes_come_to_rest);
    tcase_add_test(tc, removed_pairs_are_no_longer_counted);
    tcase_add_test(tc, overlaps_of_what_rests_are_pushed_out);
    tcase_add_test(tc, islands_far_apart_know_nothing_of_each_other);
    tcase_add_test(tc, only_what_changes_is_found_anew);
    tcase_add_test(tc, what_is_moved_beside_sleepers_does_not_wait);
    tcase_add_test(tc, a_wall_that_stands_starts_as_a_whole);
    tcase_add_test(tc, a_box_on_its_course_meets_an_edge_after_few_steps);
    tcase_add_test(tc, a_box_that_lands_on_a_stack_joins_it_at_once);
    tcase_add_test(tc, a_stack_that_lands_takes_few_steps);
    tcase_add_test(tc, corners_on_the_floor_run_no_faster_than_their_boxes_turn);
    tcase_add_test(tc, a_touch_without_a_point_is_not_awaited);
    tcase_add_test(tc, impacts_on_a_member_that_flies_share_a_step);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
