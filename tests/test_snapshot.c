// Snapshots: a restored world goes on bit for bit, and damaged bytes are refused.
#include "collision/memory.h"
#include "collision/quat.h"
#include "engine/clatter.h"
#include "scenes/loader.h"
#include "scenes/scene.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include "tests/fuzz/fuzz_snapshot.c"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Falling, resting, sleeping and colliding bodies of every shape, a turntable, and a compound.
static ctWorld *makeBusyWorld(int bodies)
{
    ctRandom r = ctRandomSeed(9);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.5);
    ctMaterialDef rubber = ctDefaultMaterialDef();
    rubber.name = "rubber";
    rubber.self.friction = 0.9;
    ctMaterialId rubberId;
    ck_assert(ctWorld_CreateMaterial(world, &rubber, &rubberId, NULL));
    ck_assert(ctWorld_SetPair(world, rubberId, (ctMaterialId){0}, (ctCoefficients){.friction = 0.7, .restitution = 0.3},
                              NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyDef table = ctDefaultBodyDef();
    table.name = "turntable";
    table.motion = ct_motionKinematic;
    table.shape = ctWorld_CreateCylinder(world, 0.5, 0.1, NULL);
    table.position = ctV3(0, 0, 0.2);
    table.spin = ctV3(0, 0, 2);
    ck_assert(ctWorld_CreateBody(world, &table, NULL).index1 != 0);
    const double outlineR[4] = {0.0, 0.06, 0.02, 0.0}, outlineZ[4] = {-0.1, -0.1, 0.0, 0.1};
    ctShapeId pin = ctWorld_CreateLathe(world, outlineR, outlineZ, 4, NULL);
    ctShapeId knob = ctWorld_CreateSphere(world, 0.04, NULL), bar = ctWorld_CreateCapsule(world, 0.03, 0.15, NULL);
    const ctPart parts[2] = {{knob, ctTransformOf(ctV3(0, 0, 0.12), ctQuatIdentity())}, {bar, ctTransformIdentity()}};
    ctShapeId mace = ctWorld_CreateCompound(world, parts, 2, NULL);
    for (int i = 0; i < bodies; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        int kind = i % 9;
        def.shape = kind == 7 ? pin : kind == 8 ? mace : ctTestSolid(world, kind);
        def.material = i % 2 == 0 ? rubberId : (ctMaterialId){0};
        def.position = ctV3(0.3 * (i % 3 - 1), 0.3 * (i / 3 % 3 - 1), 0.45 + 0.35 * (i / 9));
        def.orientation = ctRandomQuat(&r);
        def.velocity = ctRandomVec3(&r, -0.5, 0.5);
        def.spin = ctRandomVec3(&r, -5, 5);
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    }
    // A gap in the slots, and a ball that has come to rest.
    ck_assert(ctWorld_DestroyBody(world, ctWorld_GetBody(world, 4), NULL));
    ctTestBall(world, 0.05, ctV3(2, 0, 0.05), ctZero3());
    return world;
}

START_TEST(a_loaded_world_goes_on_exactly)
{
    ctWorld *world = makeBusyWorld(18);
    for (int k = 0; k < 3; k++) {
        ctTestRun(world, 0.45);
        void *data;
        size_t size;
        ck_assert(ctWorld_Save(world, &data, &size, NULL));
        ctError error = {0};
        ctWorld *copy = ctWorld_Load(data, size, &error);
        ck_assert_msg(copy != NULL, "%s", error.message);
        ck_assert(ctWorld_Hash(copy) == ctWorld_Hash(world));
        // What is saved again is the same to the byte.
        void *again;
        size_t againSize;
        ck_assert(ctWorld_Save(copy, &again, &againSize, NULL));
        ck_assert_uint_eq(size, againSize);
        ck_assert(memcmp(data, again, size) == 0);
        for (int i = 0; i < 20; i++) {
            ctTestRun(copy, 1.0 / 60.0);
            ctTestRun(world, 1.0 / 60.0);
            ck_assert_msg(ctWorld_Hash(copy) == ctWorld_Hash(world), "round %d frame %d", k, i);
        }
        ck_assert_str_eq(ctBody_GetName(copy, ctWorld_GetBody(copy, 1)), "turntable");
        ck_assert_int_eq((int)ctWorld_GetStats(copy).impacts, (int)ctWorld_GetStats(world).impacts);
        ctFreeSnapshot(data);
        ctFreeSnapshot(again);
        ctWorld_Destroy(copy);
    }
    ctWorld_Destroy(world);
}
END_TEST

// What is told about the last step is told by the copy too.
static void checkEvents(const ctWorld *world, const ctWorld *copy)
{
    const ctImpact *impacts, *same;
    int count = ctWorld_GetImpacts(world, &impacts);
    ck_assert_int_eq(ctWorld_GetImpacts(copy, &same), count);
    for (int i = 0; i < count; i++) {
        const ctImpact *a = &impacts[i], *b = &same[i];
        ck_assert(a->time == b->time && a->kind == b->kind && a->law == b->law && a->energyLost == b->energyLost);
        ck_assert(a->body1.index1 == b->body1.index1 && a->body2.generation == b->body2.generation);
        ck_assert(ctDistance(a->impulse, b->impulse) == 0.0 && ctDistance(a->k.cz, b->k.cz) == 0.0);
        ck_assert(a->pair.friction == b->pair.friction && a->frictionLoss == b->frictionLoss);
    }
    const ctContact *contacts, *again;
    count = ctWorld_GetContacts(world, &contacts);
    ck_assert_int_eq(ctWorld_GetContacts(copy, &again), count);
    for (int i = 0; i < count; i++) {
        const ctContact *a = &contacts[i], *b = &again[i];
        ck_assert(a->body1.index1 == b->body1.index1 && a->body2.index1 == b->body2.index1 && a->gap == b->gap);
        ck_assert(ctDistance(a->force, b->force) == 0.0 && ctDistance(a->point, b->point) == 0.0);
    }
    ctStats s = ctWorld_GetStats(world), t = ctWorld_GetStats(copy);
    ck_assert(s.contacts == t.contacts && s.contactLoss == t.contactLoss && s.stepError == t.stepError);
}

static ctWorld *copyOf(const ctWorld *world)
{
    void *data;
    size_t size;
    ctError error = {0};
    ck_assert_msg(ctWorld_Save(world, &data, &size, &error), "%s at %g s", error.message, ctWorld_GetTime(world));
    ctWorld *copy = ctWorld_Load(data, size, &error);
    ck_assert_msg(copy != NULL, "%s", error.message);
    ctFreeSnapshot(data);
    return copy;
}

// Every demo, at several moments; with the impacts and contacts of the last step.
static void checkDemo(const char *name, ctContactMode contact, double until, int every, int frames)
{
    ctError error = {0};
    ctSceneOptions options = {.hasContact = true, .contact = contact};
    ctScene *scene = ctScene_Load(name, &options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    for (int i = 1; ctWorld_GetTime(scene->world) < until; i++) {
        ctTestRun(scene->world, 1.0 / 60.0);
        if (i % every != 0) {
            continue;
        }
        ctWorld *copy = copyOf(scene->world);
        checkEvents(scene->world, copy);
        for (int k = 0; k < frames; k++) {
            ctTestRun(scene->world, 1.0 / 60.0);
            ctTestRun(copy, 1.0 / 60.0);
            ck_assert_msg(ctWorld_Hash(copy) == ctWorld_Hash(scene->world), "%s parts at %g s", name,
                          ctWorld_GetTime(copy));
        }
        checkEvents(scene->world, copy);
        ctWorld_Destroy(copy);
    }
    ctScene_Destroy(scene);
}

START_TEST(every_demo_goes_on_exactly)
{
    double share = ctTestCases(10) == 10 ? 1.0 : 0.4;
    const char *const demos[] = {"bowling", "coins",     "marbles", "platter", "ramp",   "superball", "dominoes",
                                 "tower",   "billiards", "galton",  "gas",     "tumble", "disk",      "rattleback"};
    for (size_t i = 0; i < sizeof demos / sizeof demos[0]; i++) {
        checkDemo(demos[i], ct_contactIsland, 2.5 * share, 23, 10);
    }
    checkDemo("coins", ct_contactMicrocollision, share, 23, 10);
    checkDemo("bowling", ct_contactMicrocollision, share, 23, 10);
}
END_TEST

// A pile large enough for the coarse steps, while it forms.
START_TEST(a_pile_goes_on_exactly)
{
    ctWorld *world = ctTestBin(90);
    for (int k = 0; k < ctTestCases(60) / 10; k++) {
        ctTestRun(world, 0.12);
        ctWorld *copy = copyOf(world);
        for (int i = 0; i < 8; i++) {
            ctTestRun(world, 1.0 / 60.0);
            ctTestRun(copy, 1.0 / 60.0);
            ck_assert_msg(ctWorld_Hash(copy) == ctWorld_Hash(world), "the pile parts at %g s", ctWorld_GetTime(copy));
        }
        ctWorld_Destroy(copy);
    }
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(a_world_goes_back_in_time)
{
    ctWorld *world = makeBusyWorld(9);
    ctBodyId body = ctWorld_GetBody(world, 3);
    const struct ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    ctTestRun(world, 0.5);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    uint64_t start = ctWorld_Hash(world);
    ctTestRun(world, 0.5);
    uint64_t end = ctWorld_Hash(world);
    for (int k = 0; k < 3; k++) {
        ck_assert(ctWorld_Restore(world, data, size, NULL));
        ck_assert(ctWorld_Hash(world) == start);
        ck_assert(ctBody_IsValid(world, body));
        ck_assert_ptr_eq(ctWorld_GetShape(world, ctBody_GetShape(world, body)), shape);
        if (k == 1) { // a change of course in between does no harm
            ck_assert(ctBody_SetVelocity(world, body, ctV3(1, 1, 3), ctZero3(), NULL));
        }
        ctTestRun(world, 0.5);
        ck_assert((ctWorld_Hash(world) == end) == (k != 1));
    }
    // A failed restore changes nothing.
    ((uint8_t *)data)[size / 2] ^= 1;
    uint64_t before = ctWorld_Hash(world);
    ctError error = {0};
    ck_assert(!ctWorld_Restore(world, data, size, &error));
    ck_assert_int_eq(error.status, ct_corrupt);
    ck_assert(ctWorld_Hash(world) == before);
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(damage_is_refused)
{
    ctWorld *world = makeBusyWorld(9);
    ctTestRun(world, 0.6);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    uint8_t *bytes = malloc(size);
    ctError error = {0};
    ck_assert_ptr_null(ctWorld_Load(NULL, 0, &error));
    ck_assert_ptr_null(ctWorld_Load("not a snapshot at all, and long enough", 38, &error));
    ctRandom r = ctRandomSeed(4);
    // Any byte, without the checksum's help and with it.
    for (int i = 0; i < ctTestCases(3000); i++) {
        memcpy(bytes, data, size);
        size_t at = (size_t)ctRandomInt(&r, 0, (int)size - 1);
        bytes[at] ^= (uint8_t)(1u << ctRandomInt(&r, 0, 7));
        ck_assert_ptr_null(ctWorld_Load(bytes, size, &error));
        ck_assert_int_eq(error.status, ct_corrupt);
    }
    for (int i = 0; i < ctTestCases(200); i++) {
        memcpy(bytes, data, size);
        for (int k = ctRandomInt(&r, 1, 3); k > 0; k--) {
            bytes[ctRandomInt(&r, HEADER, (int)size - 1)] = (uint8_t)ctRandomBits(&r);
        }
        LLVMFuzzerTestOneInput(bytes + HEADER, size - HEADER);
    }
    for (int i = 0; i < ctTestCases(500); i++) {
        size_t part = (size_t)ctRandomInt(&r, 0, (int)size - 1);
        ck_assert_ptr_null(ctWorld_Load(data, part, &error));
    }
    free(bytes);
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
}
END_TEST

// Two boxes, one about to rest on the other, and every byte of their snapshot changed in turn, with a checksum that is
// right: what comes in is taken or refused, but does no harm. A force of 1e300 N, a part that a shape does not have.
START_TEST(no_byte_does_harm)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.3);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0, 0, 0.051));
    ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0.02, 0, 0.2));
    ctTestRun(world, 20.0 / 60.0);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    uint8_t *bytes = malloc(size);
    size_t stride = size / (size_t)ctTestCases((int)size);
    for (size_t at = HEADER; at < size; at += stride) {
        memcpy(bytes, data, size);
        bytes[at] ^= at % 2 == 0 ? 0xff : 0x7f;
        LLVMFuzzerTestOneInput(bytes + HEADER, size - HEADER);
    }
    free(bytes);
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
}
END_TEST

// A body that an impact has set spinning faster than a program may is saved and loaded as any other.
START_TEST(fast_spins_are_loaded)
{
    ctWorld *world = ctTestWorld(ctZero3(), 1.0, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 1e-4, ctV3(0, 0, 1e-3), ctV3(3000, 0, -3000));
    ctTestRun(world, 1.0 / 60.0);
    ck_assert(ctLength(ctBody_GetSpin(world, ball)) > 2e6);
    void *data;
    size_t size;
    ctError error = {0};
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    ctWorld *loaded = ctWorld_Load(data, size, &error);
    ck_assert_msg(loaded != NULL, "%s", error.message);
    ck_assert(ctWorld_Hash(loaded) == ctWorld_Hash(world));
    ctFreeSnapshot(data);
    ctWorld_Destroy(loaded);
    ctWorld_Destroy(world);
}
END_TEST

// Saves, loads, and goes on with the loaded world.
static ctWorld *throughSnapshot(ctWorld *world, const char *what)
{
    void *data;
    size_t size;
    ctError error = {ct_ok, ""};
    ck_assert_msg(ctWorld_Save(world, &data, &size, &error), "%s: %s", what, error.message);
    ctWorld *loaded = ctWorld_Load(data, size, &error);
    ck_assert_msg(loaded != NULL, "%s: %s", what, error.message);
    ck_assert(ctWorld_Hash(loaded) == ctWorld_Hash(world));
    ctFreeSnapshot(data);
    ctWorld_Destroy(world);
    return loaded;
}

START_TEST(what_is_saved_always_loads)
{
    const double frames[] = {1e-6, 1.0 / 60.0, 64.0 / 480.0, 0.25, 0.5, 1.0};
    for (int k = 0; k < 6; k++) {
        ctWorld *world = makeBusyWorld(12);
        ck_assert(ctWorld_SetFrameTime(world, frames[k], NULL));
        char what[40];
        snprintf(what, sizeof what, "frames of %g s", frames[k]);
        for (int i = 0; i < 6; i++) {
            ck_assert(ctWorld_Step(world, NULL));
            world = throughSnapshot(world, what);
        }
        ck_assert(ctWorld_SetFrameTime(world, 1e-3, NULL)); // contacts still carry the long steps
        world = throughSnapshot(world, "shorter frames");
        ctWorld_Destroy(world);
    }
}
END_TEST

START_TEST(extreme_bodies_load)
{
    const double speeds[] = {1.0, 1e3, 2e5}, sizes[] = {1e-6, 1e-3, 1.0, 1e3};
    for (int k = 0; k < 12; k++) {
        double speed = speeds[k % 3], size = sizes[k / 3];
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.5);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        for (int i = 0; i < 4; i++) {
            ctBodyDef def = ctDefaultBodyDef();
            ctVec3 radii = ctV3(size, i == 0 ? size : 1e-3 * size, i < 2 ? 1e-3 * size : size);
            def.shape = i < 3 ? ctWorld_CreateEllipsoid(world, radii, NULL)
                              : ctWorld_CreateCylinder(world, 1e-3 * size, size, NULL);
            def.position = ctV3(5.0 * size * i, 0.0, 2.0 * size);
            def.velocity = ctV3(speed, 0.1 * speed, -speed);
            def.spin = ctV3(0.1 * speed / size, speed / size, 0.0);
            ctWorld_CreateBody(world, &def, NULL);
        }
        char what[60];
        snprintf(what, sizeof what, "%g m at %g m/s", size, speed);
        for (int i = 0; i < 3; i++) {
            ck_assert(ctWorld_Step(world, NULL));
            world = throughSnapshot(world, what);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// The motion of a disc with resistance is found ahead for eight of its steps, which are longer than a frame for a large
// one.
START_TEST(discs_of_all_sizes_load)
{
    const double radii[] = {0.01, 0.1, 0.3, 2.0};
    for (int k = 0; k < 4; k++) {
        double r = radii[k];
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.0);
        ctCoefficients pair = {.friction = 0.5, .rolling = 1e-3 * r, .spinning = 1e-3 * r};
        ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCylinder(world, r, 0.1 * r, NULL);
        def.orientation = ctQuatExp(ctV3(1.3, 0, 0));
        def.position = ctV3(0, 0, 1.01 * r);
        def.velocity = ctV3(sqrt(r), 0, 0);
        def.spin = ctV3(0, 1 / sqrt(r), 0);
        ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        char what[30];
        snprintf(what, sizeof what, "radius %g m", r);
        for (int i = 0; i < 60; i++) {
            ck_assert(ctWorld_Step(world, NULL));
            world = throughSnapshot(world, what);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

static double steepHill(double x, double y)
{
    return 0.08 * sin(4.5 * x) * cos(3.2 * y);
}

// A ball that rides on one triangle, from which others that it is near are steeper than it would begin to ride with.
START_TEST(balls_among_steep_hills_load)
{
    ctRandom r = ctRandomSeed(3);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.0);
    ctTestGround(world, ctTestField(world, 8, 2.0, steepHill, NULL), ctZero3(), ctQuatIdentity());
    for (int i = 0; i < 40; i++) {
        ctVec3 place = ctV3(0.2 * (i % 8) - 0.7, 0.3 * (i / 8) - 0.6, 0.2);
        ctTestBall(world, 0.06, place, ctRandomVec3(&r, -1, 1));
    }
    for (int i = 0; i < 120; i++) {
        ctWorld *copy = copyOf(world);
        ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(copy, NULL));
        ck_assert_msg(ctWorld_Hash(world) == ctWorld_Hash(copy), "frame %d", i);
        ctWorld_Destroy(copy);
    }
    ctWorld_Destroy(world);
}
END_TEST

// A slab that slides and an egg that rolls have motions found ahead. What is done to them or to the world at the end of
// a frame ends those motions, and the world loads all the same, at once and a frame later.
START_TEST(motions_that_have_ended_load)
{
    const ctCoefficients smooth = {.friction = 0.01};
    for (int change = 0; change < 8; change++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.2, 0.0);
        ctBodyId floor = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyId slab = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.3, 0.1), ctV3(0, 0, 0.05));
        ctBodyId other = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.3, 0.1), ctV3(0, 3, 0.05));
        ck_assert(ctBody_SetVelocity(world, slab, ctV3(2, 0, 0), ctV3(0, 0, 1), NULL));
        ck_assert(ctBody_SetVelocity(world, other, ctV3(0, 2, 0), ctV3(0, 0, 1), NULL));
        ctBodyDef egg = ctDefaultBodyDef();
        egg.shape = ctWorld_CreateEllipsoid(world, ctV3(0.1, 0.12, 0.08), NULL);
        egg.position = ctV3(0, -3, 0.08);
        egg.velocity = ctV3(1, 0, 0);
        egg.spin = ctV3(0, 12, 3);
        ck_assert(ctWorld_CreateBody(world, &egg, NULL).index1 != 0);
        egg.position.y -= 0.2402; // so close that motions are short
        ck_assert(ctWorld_CreateBody(world, &egg, NULL).index1 != 0);
        for (int i = 0; i < 6; i++) {
            ck_assert(ctWorld_Step(world, NULL));
        }
        bool done = change == 0   ? ctBody_SetMotionType(world, slab, ct_motionFixed, NULL)
                    : change == 1 ? ctBody_SetMotionType(world, slab, ct_motionKinematic, NULL)
                    : change == 2 ? ctWorld_DestroyBody(world, slab, NULL)
                    : change == 3 ? ctWorld_DestroyBody(world, floor, NULL)
                    : change == 4 ? ctWorld_SetGravity(world, ctV3(0, 30, 20), NULL)
                    : change == 5 ? ctWorld_SetMaterial(world, (ctMaterialId){0}, smooth, NULL)
                    : change == 6 ? ctWorld_SetContactMode(world, ct_contactMicrocollision, NULL)
                                  : ctBody_SetVelocity(world, slab, ctV3(0, 0, 3), ctZero3(), NULL);
        ck_assert(done);
        char what[20];
        snprintf(what, sizeof what, "change %d", change);
        ctWorld *twin = copyOf(world);
        for (int i = 0; i < 4; i++) {
            world = throughSnapshot(world, what);
            ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(twin, NULL));
            ck_assert_msg(ctWorld_Hash(world) == ctWorld_Hash(twin), "change %d, frame %d", change, i);
        }
        ctWorld_Destroy(twin);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Files that earlier builds have written: all shapes on and beside a turntable, a slider, a stack, after 0.4 s. A
// change of the format raises the version, keeps these files, and adds one of its own.
START_TEST(kept_files_load_and_go_on)
{
    size_t size;
    ctError error = {ct_ok, ""};
    char path[40];
    snprintf(path, sizeof path, "tests/data/snapshot_%d.snap", _i);
    char *data = ctReadFile(path, 1 << 20, &size, &error);
    ck_assert_msg(data != NULL, "%s", error.message);
    ctWorld *world = ctWorld_Load(data, size, &error);
    ck_assert_msg(world != NULL, "%s", error.message);
    ctFree(data);
    ck_assert_uint_eq(ctWorld_Hash(world), 0xa8a82c458504afddULL);
    ck_assert((ctWorld_GetNotes(world, &size) != NULL) == (_i >= 11) && size == (_i >= 11 ? 4 : 0));
    ctStats start = ctWorld_GetStats(world);
    ck_assert_int_eq(start.contacts, 13);
    ck_assert_int_eq(start.impacts, 80);
    ck_assert_str_eq(ctBody_GetName(world, ctWorld_GetBody(world, 1)), "table");
    for (int i = 0; i < 60; i++) {
        ck_assert_msg(ctWorld_Step(world, &error), "%s", error.message);
    }
    ctTestEnergy(world);
    ctStats end = ctWorld_GetStats(world);
    ck_assert(fabs(ctWorld_GetTime(world) - 1.4) < 1e-9 && end.impacts >= start.impacts);
    for (int i = 1; i < ctWorld_GetBodyCount(world); i++) {
        ck_assert(ctBody_GetCenter(world, ctWorld_GetBody(world, i)).z > 0.02);
    }
    ctWorld_Destroy(throughSnapshot(world, "a second later"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("snapshot");
    TCase *tc = tcase_create("snapshot");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, a_loaded_world_goes_on_exactly);
    tcase_add_test(tc, every_demo_goes_on_exactly);
    tcase_add_test(tc, a_pile_goes_on_exactly);
    tcase_add_test(tc, what_is_saved_always_loads);
    tcase_add_test(tc, extreme_bodies_load);
    tcase_add_test(tc, discs_of_all_sizes_load);
    tcase_add_test(tc, balls_among_steep_hills_load);
    tcase_add_test(tc, motions_that_have_ended_load);
    tcase_add_loop_test(tc, kept_files_load_and_go_on, 10, 15);
    tcase_add_test(tc, no_byte_does_harm);
    tcase_add_test(tc, fast_spins_are_loaded);
    tcase_add_test(tc, a_world_goes_back_in_time);
    tcase_add_test(tc, damage_is_refused);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
