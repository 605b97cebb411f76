// Piles: hundreds of bodies that fall into a bin come to rest, stay where they are, and wake when they must.
#include "collision/gjk.h"
#include "collision/memory.h"
#include "engine/contact/contact_internal.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <stdlib.h>

#define SIDE 0.15

// Sanitizers make everything ten times as slow: fewer bodies then.
static bool isShort(void)
{
    return ctTestCases(10) < 10;
}

static int many(int count)
{
    return isShort() ? count / 4 : count;
}

typedef struct Bin {
    ctWorld *world;
    ctBodyId wall; // the one at +x
} Bin;

// Columns of boxes, or of boxes, balls, cylinders and capsules in turn, in random attitudes.
static Bin makeSeededBin(int count, bool mixed, uint64_t seed)
{
    ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.2);
    Bin bin = {.world = world};
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    bin.wall = ctTestPlane(world, ctV3(-1, 0, 0), -0.75);
    ctTestPlane(world, ctV3(1, 0, 0), -0.75);
    ctTestPlane(world, ctV3(0, 1, 0), -0.75);
    ctTestPlane(world, ctV3(0, -1, 0), -0.75);
    ctShapeId shapes[4] = {ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL),
                           ctWorld_CreateSphere(world, 0.5 * SIDE, NULL),
                           ctWorld_CreateCylinder(world, 0.4 * SIDE, SIDE, NULL),
                           ctWorld_CreateCapsule(world, 0.35 * SIDE, 0.6 * SIDE, NULL)};
    ctRandom r = ctRandomSeed(seed);
    ctBodyDef def = ctDefaultBodyDef();
    for (int i = 0; i < count; i++) {
        def.shape = shapes[mixed ? i % 4 : 0];
        ctVec3 cell = ctV3(-0.56 + 0.275 * (i % 5), -0.56 + 0.275 * (i / 5 % 5), 0.2 + 0.275 * (i / 25));
        def.position = ctAdd(cell, ctV3(ctRandomUniform(&r, 0, 0.01), ctRandomUniform(&r, 0, 0.01), 0));
        def.orientation = ctRandomQuat(&r);
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    }
    return bin;
}

static Bin makeBin(int count, bool mixed)
{
    return makeSeededBin(count, mixed, 5);
}

// Without what pushing overlaps apart has lifted.
static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy - stats.pushWork;
}

// A few bodies make no large island, and the steps of small ones gain a little as bodies turn about edges.
static double gainOfSteps(double energy)
{
    return isShort() ? 1e-6 * energy : 0.0;
}

// Steps until everything sleeps. The energy must not rise by more than rounding, and what pushing overlaps apart adds
// must be tiny. Some island must have been a large one.
static void settle(ctWorld *world, double seconds)
{
    double start = energyOf(world), lowest = start, highest = 0.0, push = ctWorld_GetStats(world).pushWork;
    bool large = false, asleep = false;
    for (int i = 0; i < (int)(60.0 * seconds) && !asleep; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        double now = energyOf(world);
        highest = fmax(highest, now - lowest);
        lowest = fmin(lowest, now);
        ctStats stats = ctWorld_GetStats(world);
        asleep = stats.asleep == stats.dynamicBodies;
        for (int k = 0; k < world->contacts->islandSlots; k++) {
            large = large || world->contacts->islands[k].pile != NULL;
        }
    }
    push = ctWorld_GetStats(world).pushWork - push;
    ck_assert_msg(highest < 1e-12 * start + gainOfSteps(start), "the energy rises by %g J of %g J", highest, start);
    ck_assert_msg(push < 0.02 * start, "pushing overlaps apart adds %g J to %g J", push, start);
    ck_assert_msg(asleep, "%d of %d bodies sleep", ctWorld_GetStats(world).asleep,
                  ctWorld_GetStats(world).dynamicBodies);
    ck_assert(large || isShort());
}

// Overlaps found anew from the shapes: no body has left the bin, none is deep in another.
static void checkOverlaps(const ctWorld *world, double meanBound, double deepestBound)
{
    int count = ctWorld_GetBodyCount(world), touching = 0;
    double sum = 0.0, deepest = 0.0;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            ctBodyId ids[2] = {ctWorld_GetBody(world, i), ctWorld_GetBody(world, j)};
            const ctShape *shapes[2];
            ctPose poses[2];
            for (int k = 0; k < 2; k++) {
                ctTransform t = ctBody_GetTransform(world, ids[k]);
                poses[k] = (ctPose){t.p, ctMat3FromQuat(t.q)};
                shapes[k] = ctWorld_GetShape(world, ctBody_GetShape(world, ids[k]));
            }
            bool plane = shapes[1]->type == ct_shapePlane;
            if (shapes[0]->type == ct_shapePlane ||
                (!plane && ctDistance(poses[0].p, poses[1].p) > shapes[0]->boundRadius + shapes[1]->boundRadius)) {
                continue;
            }
            ctClosest closest;
            ctClosestPoints(shapes[0], &poses[0], shapes[1], &poses[1], NULL, &closest);
            if (closest.distance < 1e-3 * SIDE) {
                touching++;
                sum += fmax(0.0, -closest.distance);
                deepest = fmax(deepest, -closest.distance);
            }
        }
    }
    ck_assert_int_gt(touching, count);
    ck_assert_msg(sum / touching < meanBound * SIDE, "mean overlap %g of the side", sum / touching / SIDE);
    ck_assert_msg(deepest < deepestBound * SIDE, "deepest overlap %g of the side", deepest / SIDE);
}

// How deep the worst of thousands of impacts goes is a matter of chance, to the last bit of every distance: the mean of
// several piles is not.
START_TEST(piles_fall_without_deep_overlaps)
{
    double sum = 0.0;
    for (uint64_t seed = 5; seed < 10; seed++) {
        Bin bin = makeSeededBin(many(300), false, seed);
        ctTestRun(bin.world, 0.75);
        double deepest = ctWorld_GetStats(bin.world).maxPenetration / SIDE;
        sum += deepest;
        ck_assert_msg(deepest < 0.045, "pile %d: overlap %g of the side", (int)seed, deepest);
        ctWorld_Destroy(bin.world);
    }
    ck_assert_msg(sum < 5 * 0.034, "overlap %g of the side on the mean", sum / 5.0);
}
END_TEST

START_TEST(a_pile_sleeps_and_wakes)
{
    Bin bin = makeBin(many(300), false);
    ctWorld *world = bin.world;
    settle(world, 8.0);
    checkOverlaps(world, 3e-4, 0.02);
    // Asleep nothing moves, and nothing is done.
    uint64_t hash = ctWorld_Hash(world);
    int64_t steps = ctWorld_GetStats(world).contactSteps;
    ctVec3 x = ctBody_GetCenter(world, ctWorld_GetBody(world, 40));
    for (int i = 0; i < 60; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ck_assert_int_eq(ctWorld_GetStats(world).contactSteps, steps);
    ck_assert(ctDistance(ctBody_GetCenter(world, ctWorld_GetBody(world, 40)), x) == 0.0);
    ck_assert(ctWorld_Hash(world) != hash); // the clock goes on
    // A hit wakes it: by a box, because a ball that gets to the floor rolls for ever.
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.13, 0.13, 0.13), NULL);
    def.density = 3000.0;
    def.position = ctV3(0.05, 0.05, 4.0);
    def.velocity = ctV3(0, 0, -4.0);
    ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    bool woken = false;
    for (int i = 0; i < 60 && !woken; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctStats stats = ctWorld_GetStats(world);
        // A low pile is in several parts, each of which wakes on its own.
        woken = stats.asleep < (isShort() ? stats.dynamicBodies - 1 : stats.dynamicBodies / 2);
    }
    ck_assert(woken);
    settle(world, 8.0);
    checkOverlaps(world, 3e-4, 0.02);
    // So does a wall that is taken away: what leans on it falls out.
    ck_assert(ctWorld_DestroyBody(world, bin.wall, NULL));
    ck_assert(ctWorld_GetStats(world).asleep < ctWorld_GetStats(world).dynamicBodies || isShort()); // or nothing leans
    for (int i = 0; i < 30; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ck_assert(ctWorld_GetStats(world).kineticEnergy > 1.0 || isShort()); // a low pile may stand without it
    ctWorld_Destroy(world);
}
END_TEST

static int frozenOf(const ctWorld *world)
{
    int count = 0;
    for (int i = 0; i < world->bodySlots && i < world->contacts->bodyCapacity; i++) {
        count += world->contacts->bodies[i].role == ct_roleFrozen;
    }
    return count;
}

// What floor and walls carry, N.
static double carriedOf(const ctWorld *world)
{
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts);
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        bool fixed1 = ctBody_GetMotionType(world, contacts[i].body1) == ct_motionFixed;
        bool fixed2 = ctBody_GetMotionType(world, contacts[i].body2) == ct_motionFixed;
        sum += fixed2 ? contacts[i].force.z : fixed1 ? -contacts[i].force.z : 0.0;
    }
    return sum;
}

// Before the last body has come to rest, most others are frozen. These do not move, their weight is carried as before,
// and they fall when the floor goes. Returns the share of the weight that is carried too much or too little.
static double freeze(int boxes)
{
    enum { MOST = 200 };
    Bin bin = makeBin(boxes, false);
    ctWorld *world = bin.world;
    double weight = 0.0;
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        weight += ctBody_GetMass(world, ctWorld_GetBody(world, i)) * ctLength(world->def.gravity);
    }
    int most = 0;
    for (int i = 0; i < 60 * 8 && most < boxes / 2; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        most = frozenOf(world);
    }
    ck_assert_int_ge(most, boxes / 2);
    ck_assert_int_eq(ctWorld_GetStats(world).asleep, 0);
    ctVec3 before[MOST];
    bool frozen[MOST] = {false};
    ck_assert_int_le(boxes, MOST);
    for (int i = 0; i < boxes; i++) {
        int index = ctWorld_GetBody(world, i + 5).index1 - 1;
        before[i] = world->bodies[index].x;
        frozen[i] = world->contacts->bodies[index].role == ct_roleFrozen;
    }
    double carried = 0.0;
    for (int i = 0; i < 6; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        carried += carriedOf(world) / 6.0;
    }
    int still = 0;
    for (int i = 0; i < boxes; i++) {
        int index = ctWorld_GetBody(world, i + 5).index1 - 1;
        bool stays = frozen[i] && world->contacts->bodies[index].role == ct_roleFrozen;
        bool rests = world->bodies[index].mode == ct_modeAsleep; // the whole pile may have come to rest meanwhile
        still += stays || (frozen[i] && rests);
        ck_assert(!stays || ctDistance(before[i], world->bodies[index].x) < 1e-4 * SIDE);
    }
    ck_assert_int_ge(still, boxes / 4);
    ck_assert(ctWorld_DestroyBody(world, ctWorld_GetBody(world, 0), NULL)); // the floor
    for (int i = 0; i < 30; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ck_assert_int_eq(frozenOf(world), 0);
    for (int i = 0; i < boxes; i++) {
        ctBodyId id = ctWorld_GetBody(world, i + 4);
        ck_assert(ctBody_GetCenter(world, id).z < before[i].z - 0.5);
    }
    ctWorld_Destroy(world);
    return fabs(carried - weight) / weight;
}

// Forces that are frozen balance as well as they did when their bodies came to rest: 0.9 % of the weight is missing or
// too much on the mean of twenty piles, and in one of them more than 3 %. The mean of a few says more than one.
START_TEST(what_lies_still_in_a_pile_is_frozen)
{
    double astray = 0.0;
    for (int i = 0; i < 6; i++) {
        astray += freeze(176 + 4 * i) / 6.0;
    }
    ck_assert_msg(astray < 0.02, "%g of the weight is not carried, or carried twice", astray);
}
END_TEST

// A pile is built again every few frames, and hands its watches and manifolds on: those that are kept in case there are
// more piles have room for small ones only. A record has less than twice the room of its points.
START_TEST(a_pile_keeps_no_copies)
{
    ctWorld *world = makeBin(many(500), false).world;
    const ctContacts *c = world->contacts;
    int largest = 0, piles = 0;
    for (int frame = 0; frame < 60; frame++) {
        ck_assert(ctWorld_Step(world, NULL));
        for (int i = 0; i < c->islandSlots; i++) {
            const ctPile *pile = c->islands[i].pile;
            largest = pile != NULL && pile->watchCount > largest ? pile->watchCount : largest;
        }
        for (int i = 0; i < c->spareCount && frame >= 45; i++) {
            ck_assert_int_le(2 * c->spares[i]->watchCapacity, largest);
            ck_assert_int_le(2 * c->spares[i]->manifoldCapacity, largest);
            piles++;
        }
        for (int i = 0; i < c->recordSlots; i++) {
            const ctContactRecord *record = &c->records[i];
            ck_assert(record->pair < 0 || record->count == 0 || record->capacity < 2 * record->count);
        }
    }
    ck_assert(piles > 0 && largest > many(500));
    ctWorld_Destroy(world);
}
END_TEST

// What a world has allocated, with and without what it has given back.
typedef struct Memory {
    size_t used, most;
} Memory;

static void *counted(void *memory, size_t size, void *context)
{
    enum { HEAD = 64 };
    Memory *m = context;
    char *block = memory != NULL ? (char *)memory - HEAD : NULL;
    m->used += size - (block != NULL ? *(size_t *)block : 0);
    m->most = m->used > m->most ? m->used : m->most;
    if (size == 0) {
        free(block);
        return NULL;
    }
    char *grown = realloc(block, size + HEAD);
    ck_assert_ptr_nonnull(grown);
    *(size_t *)grown = size;
    return grown + HEAD;
}

// What is needed for a moment is given back: the list of a frame with many impacts, the tracks of bodies that join a
// pile, the points of contacts that have ended. What most pairs have is small.
START_TEST(a_pile_needs_little_memory)
{
    Memory memory = {0};
    ctSetAllocator(counted, &memory);
    ctWorld *world = makeBin(200, false).world;
    int impacts = 0, frames = isShort() ? 60 : 90;
    for (int i = 0; i < frames; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        impacts = world->impactCount > impacts ? world->impactCount : impacts;
    }
    double list = 2.0 * impacts * sizeof(ctImpact); // of the frame with most impacts
    ck_assert_double_lt((double)memory.used / 200, 25e3);
    ck_assert_double_lt((double)memory.most, (double)memory.used + list);
    ck_assert_int_gt(impacts, 500);
    ck_assert_int_lt(world->impactCapacity, impacts / 4);
    for (int i = 0; i < world->contacts->recordSlots; i++) {
        const ctContactRecord *record = &world->contacts->records[i];
        ck_assert(record->pair >= 0 || record->points == NULL);
    }
    for (int i = 0; i < world->contacts->bodyCapacity; i++) {
        const ctContactBody *body = &world->contacts->bodies[i];
        ck_assert(body->role != ct_roleMember || body->ownCourse == NULL || body->ownCourse->track.steps == NULL);
    }
    ctWorld_Destroy(world);
    ctSetAllocator(NULL, NULL);
    ck_assert_int_eq((int)memory.used, 0);
}
END_TEST

START_TEST(a_mixed_pile_comes_to_rest)
{
    Bin bin = makeBin(many(240), true);
    ctMaterialId id = {0};
    ctCoefficients pair = {.friction = 0.5, .restitution = 0.2, .rolling = 2e-3, .spinning = 2e-3};
    ck_assert(ctWorld_SetMaterial(bin.world, id, pair, NULL));
    settle(bin.world, 10.0);
    checkOverlaps(bin.world, 3e-4, 0.02);
    ctWorld_Destroy(bin.world);
}
END_TEST

// The same again gives the same; so does a world that was saved in the middle of the fall, at the end of a frame
// and inside one.
START_TEST(a_pile_is_reproducible)
{
    Bin first = makeBin(many(150), false), second = makeBin(many(150), false);
    for (int i = 0; i < 45; i++) {
        ck_assert(ctWorld_Step(first.world, NULL));
        ck_assert(ctWorld_Step(second.world, NULL));
        ck_assert(ctWorld_Hash(first.world) == ctWorld_Hash(second.world));
    }
    bool hit = false;
    for (int k = 0; k < 3; k++) {
        void *data;
        size_t size;
        ck_assert(ctWorld_Save(first.world, &data, &size, NULL));
        ctError error = {0};
        ctWorld *copy = ctWorld_Load(data, size, &error);
        ck_assert_msg(copy != NULL, "%s", error.message);
        ctFreeSnapshot(data);
        for (int i = 0; i < 40; i++) {
            ck_assert(ctWorld_Step(first.world, NULL));
            ck_assert(ctWorld_Step(copy, NULL));
            ck_assert_msg(ctWorld_Hash(first.world) == ctWorld_Hash(copy), "frame %d after save %d", i, k);
        }
        ctWorld_Destroy(copy);
        // Something to meet inside the frame.
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateSphere(first.world, 0.05, NULL);
        def.position = ctV3(0.0, 0.1 * k, 3.0);
        def.velocity = ctV3(0, 0, -20.0);
        ck_assert_int_ne(ctWorld_CreateBody(first.world, &def, NULL).index1, 0);
        hit = false;
        for (int i = 0; i < 30 && !hit; i++) {
            ck_assert(ctWorld_StepToImpact(first.world, &hit, NULL));
        }
        ck_assert(hit);
    }
    ctWorld_Destroy(first.world);
    ctWorld_Destroy(second.world);
}
END_TEST

// A tower among the bodies of a large island stands as it does in a small one: pushed, it sways and comes to rest.
START_TEST(a_tower_in_a_pile_stops_swaying)
{
    ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.2);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL);
    // Rows of boxes, side by side: one island of more points than small ones have; a tower on one of them.
    int columns = 10;
    for (int i = 0; i < columns * columns; i++) {
        def.position = ctV3(SIDE * (i % columns), SIDE * (i / columns), 0.5 * SIDE);
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    }
    ctBodyId tower[6];
    for (int i = 0; i < 6; i++) {
        def.position = ctV3(3.0 * SIDE + 0.01 * sin(2.3 * i), 3.0 * SIDE + 0.01 * cos(1.7 * i), (1.5 + i) * SIDE);
        def.orientation = ctQuatExp(ctV3(0, 0, 0.2 * i));
        def.velocity = ctV3(0.2 * (i + 0.5) / 6.0, 0.06 * (i + 0.5) / 6.0, 0);
        tower[i] = ctWorld_CreateBody(world, &def, NULL);
    }
    settle(world, 5.0);
    for (int i = 0; i < 6; i++) {
        ctVec3 x = ctBody_GetCenter(world, tower[i]);
        ck_assert_msg(fabs(x.z - (1.5 + i) * SIDE) < 2e-3 * SIDE * (i + 1), "box %d is at height %g", i, x.z / SIDE);
        ck_assert(fabs(x.x - 3.0 * SIDE) < 0.2 * SIDE && fabs(x.y - 3.0 * SIDE) < 0.2 * SIDE);
    }
    ctWorld_Destroy(world);
}
END_TEST

// What is struck between two steps does not go into what it lies on until the next.
START_TEST(a_pile_passes_impacts_on)
{
    ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.2);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(SIDE, SIDE, SIDE), NULL);
    int columns = 9;
    for (int i = 0; i < 2 * columns * columns; i++) {
        def.position =
            ctV3(SIDE * (i % columns), SIDE * (i / columns % columns), SIDE * (i < columns * columns ? 0.5 : 1.5));
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    }
    def.velocity = ctV3(0, 0, -5.0);
    for (int i = 0; i < 9; i++) {
        int x = 1 + 3 * (i % 3), y = 1 + 3 * (i / 3);
        def.position = ctV3(SIDE * x, SIDE * y, 0.7 + 0.0231 * i);
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    }
    for (int i = 0; i < 12; i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_ge(stats.impacts, 9);
    ck_assert_msg(stats.maxPenetration < 0.03 * SIDE, "overlap %g of the side", stats.maxPenetration / SIDE);
    ctWorld_Destroy(world);
}
END_TEST

// Twelve layers of bricks somewhere on a floor, and a ball that flies at them, so far aside of their middle.
static ctBodyId throwAtBricks(ctWorld *world, ctVec3 where, double aside)
{
    ctShapeId along = ctWorld_CreateBox(world, ctV3(0.249, 0.083, 0.05), NULL);
    ctShapeId across = ctWorld_CreateBox(world, ctV3(0.083, 0.249, 0.05), NULL);
    ctBodyDef def = ctDefaultBodyDef();
    for (int i = 0; i < 36; i++) {
        double beside = 0.0835 * (i % 3 - 1), height = 0.025 + 0.05 * (i / 3);
        def.shape = i / 3 % 2 ? across : along;
        def.position = ctAdd(where, i / 3 % 2 ? ctV3(beside, 0, height) : ctV3(0, beside, height));
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    }
    def.shape = ctWorld_CreateSphere(world, 0.05, NULL);
    def.position = ctAdd(where, ctV3(-1.5, aside, 0.3));
    def.velocity = ctV3(6, 0, 1.5);
    return ctWorld_CreateBody(world, &def, NULL);
}

// A member of a pile that flies does not sink into the floor where it lands, wherever the middle of the floor is: the
// direction to that says nothing about how fast the two approach each other.
START_TEST(a_ball_falls_beside_a_pile)
{
    for (int i = 0; i < 12; i++) {
        ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.3);
        ctBodyDef def = ctDefaultBodyDef();
        if (i % 2 == 0) {
            ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        } else {
            def.motion = ct_motionFixed;
            def.shape = ctWorld_CreateBox(world, ctV3(30.0, 30.0, 1.0), NULL);
            def.position = ctV3(0, 0, -0.5);
            ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        }
        ctBodyId ball = throwAtBricks(world, ctV3(i < 6 ? 0.0 : -8.0, 0, 0), 0.016 + 0.001 * (i / 2 % 3));
        ctTestRun(world, 0.4);
        ck_assert_int_eq(world->contacts->bodies[ball.index1 - 1].role, ct_roleMember);
        ck_assert_double_gt(ctBody_GetCenter(world, ball).z, 0.06);
        double lowest = INFINITY;
        for (int frame = 0; frame < 12; frame++) {
            ck_assert(ctWorld_Step(world, NULL));
            lowest = ctFmin(lowest, ctBody_GetCenter(world, ball).z);
        }
        ck_assert_double_lt(lowest, 0.06);
        double overlap = ctWorld_GetStats(world).maxPenetration;
        ck_assert_msg(overlap < 1e-3, "case %d: overlap %g", i, overlap);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Steps of a pile do not end where frames do. At the same moments the pile is the same, bit for bit, at any frame rate;
// in the middle of a step velocities are seen as forces have changed them so far, and the sums of energy close.
START_TEST(frames_do_not_show_in_a_pile)
{
    static const int rates[] = {30, 144, 250, 1000};
    for (int k = 0; k < (isShort() ? 2 : 4); k++) {
        Bin usual = makeBin(many(120), true), other = makeBin(many(120), true);
        ck_assert(ctWorld_SetFrameTime(other.world, 1.0 / rates[k], NULL));
        int common = rates[k] == 30 ? 30 : rates[k] == 144 ? 12 : rates[k] == 250 ? 10 : 20;
        double start = energyOf(usual.world), off = 0.0;
        for (int i = 0; i < common * 3 / 2; i++) {
            ctTestRun(usual.world, 1.0 / common);
            for (int n = 0; n < rates[k] / common; n++) {
                ck_assert(ctWorld_Step(other.world, NULL));
                ctStats s = ctWorld_GetStats(other.world);
                double lost = s.frictionLoss + s.restitutionLoss + s.contactLoss - s.stepError;
                off = fmax(off, fabs(energyOf(other.world) + lost - s.givenEnergy - s.kinematicWork));
            }
            ck_assert_msg(ctWorld_Hash(usual.world) == ctWorld_Hash(other.world), "%d frames per second, %d / %d s",
                          rates[k], i + 1, common);
            ck_assert_double_eq(ctBody_GetVelocity(usual.world, ctWorld_GetBody(usual.world, 9)).z,
                                ctBody_GetVelocity(other.world, ctWorld_GetBody(other.world, 9)).z);
        }
        ck_assert_double_lt(off, 1e-12 * start);
        ctWorld_Destroy(usual.world);
        ctWorld_Destroy(other.world);
    }
}
END_TEST

// The program finds what it has set, and what it has added, in the middle of a step too.
START_TEST(a_push_meets_a_pile_in_its_step)
{
    Bin bin = makeBin(many(120), false);
    ck_assert(ctWorld_SetFrameTime(bin.world, 1e-3, NULL));
    for (int i = 0; i < 24; i++) {
        ctTestRun(bin.world, 0.025);
        ctBodyId body = ctWorld_GetBody(bin.world, 5 + i);
        double mass = ctBody_GetMassData(bin.world, body).mass;
        ctVec3 v = ctBody_GetVelocity(bin.world, body), w = ctBody_GetSpin(bin.world, body), dv = ctV3(0.1, 0.2, 0.3);
        ctVec3 impulse = ctScale(mass, dv), place = ctBody_GetCenter(bin.world, body);
        ck_assert(ctBody_ApplyImpulse(bin.world, body, impulse, place, NULL));
        ctAssertClose(ctDistance(ctBody_GetVelocity(bin.world, body), ctAdd(v, dv)), 0.0, 1e-14);
        ck_assert(ctBody_SetVelocity(bin.world, body, v, w, NULL));
        ctAssertClose(ctDistance(ctBody_GetVelocity(bin.world, body), v), 0.0, 1e-14);
        ctAssertClose(ctDistance(ctBody_GetSpin(bin.world, body), w), 0.0, 1e-13);
    }
    ctWorld_Destroy(bin.world);
}
END_TEST

// A ball that bounces off a pile: on its own again, it rolls on as if there were no pile.
START_TEST(a_ball_leaves_a_pile)
{
    ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.3);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = throwAtBricks(world, ctZero3(), 0.02);
    ctTestRun(world, 0.3);
    ck_assert_int_eq(world->contacts->bodies[ball.index1 - 1].role, ct_roleMember);
    ctTestRun(world, 1.7);
    ctVec3 start = ctBody_GetCenter(world, ball), v = ctBody_GetVelocity(world, ball);
    ck_assert(ctLength(v) > 0.1 && start.x < -0.25);
    ctTestRun(world, 2.0);
    ctAssertClose(ctDistance(ctBody_GetVelocity(world, ball), v), 0.0, 1e-9);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, ball), ctMulAdd(start, 2.0, v)), 0.0, 1e-7);
    ctAssertClose(ctBody_GetCenter(world, ball).z, 0.05, 1e-5);
    ck_assert_double_lt(ctWorld_GetStats(world).maxPenetration, 1e-3);
    ck_assert_int_eq(ctWorld_GetStats(world).eventLimitHits, 0); // the bricks come to rest without trouble
    ctWorld_Destroy(world);
}
END_TEST

// Five storeys of slabs on round columns, put up with gaps of a tenth of a millimetre. The forces on so many rings of
// points are hard to find while the columns wobble; they come to rest all the same, where they were put.
START_TEST(a_colonnade_comes_to_rest)
{
    ctWorld *world = ctTestWorld(ctDefaultWorldDef().gravity, 0.5, 0.3);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctShapeId column = ctWorld_CreateCylinder(world, 0.05, 0.3, NULL);
    ctShapeId slab = ctWorld_CreateBox(world, ctV3(0.8, 0.8, 0.05), NULL);
    ctBodyDef def = ctDefaultBodyDef();
    ctBodyId bodies[25];
    ctVec3 places[25];
    for (int i = 0; i < 25; i++) {
        double floor = 0.3502 * (i / 5);
        def.shape = i % 5 == 4 ? slab : column;
        def.position = i % 5 == 4 ? ctV3(0, 0, floor + 0.3252)
                                  : ctV3(i % 5 & 1 ? 0.3 : -0.3, i % 5 & 2 ? 0.3 : -0.3, floor + 0.1501);
        bodies[i] = ctWorld_CreateBody(world, &def, NULL);
        places[i] = def.position;
    }
    double start = energyOf(world);
    ctTestRun(world, 2.5);
    ck_assert_int_eq(ctWorld_GetStats(world).asleep, 25);
    ck_assert(energyOf(world) < start);
    ck_assert_double_lt(ctWorld_GetStats(world).maxPenetration, 5e-4);
    for (int i = 0; i < 25; i++) {
        ck_assert_double_lt(ctDistance(ctBody_GetCenter(world, bodies[i]), places[i]), 5e-3);
    }
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pile");
    TCase *tc = tcase_create("pile");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, piles_fall_without_deep_overlaps);
    tcase_add_test(tc, a_pile_sleeps_and_wakes);
    tcase_add_test(tc, what_lies_still_in_a_pile_is_frozen);
    tcase_add_test(tc, a_pile_keeps_no_copies);
    tcase_add_test(tc, a_pile_needs_little_memory);
    tcase_add_test(tc, a_mixed_pile_comes_to_rest);
    tcase_add_test(tc, a_pile_is_reproducible);
    tcase_add_test(tc, a_tower_in_a_pile_stops_swaying);
    tcase_add_test(tc, a_pile_passes_impacts_on);
    tcase_add_test(tc, a_ball_falls_beside_a_pile);
    tcase_add_test(tc, frames_do_not_show_in_a_pile);
    tcase_add_test(tc, a_push_meets_a_pile_in_its_step);
    tcase_add_test(tc, a_ball_leaves_a_pile);
    tcase_add_test(tc, a_colonnade_comes_to_rest);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
