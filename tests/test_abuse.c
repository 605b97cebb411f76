// What a careless program does: null pointers, made-up ids, changes from inside a callback, bodies that no flight can
// follow, scenes that collide without end. Errors, never a crash or a hang.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <string.h>

#define G 9.81

START_TEST(answers_may_be_left_out)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.2), ctZero3());
    ctTestRun(world, 0.2);
    const ctImpact *impacts;
    const ctContact *contacts;
    const ctPending *pending;
    ck_assert_int_eq(ctWorld_GetImpacts(world, NULL), ctWorld_GetImpacts(world, &impacts));
    ck_assert_int_eq(ctWorld_GetContacts(world, NULL), ctWorld_GetContacts(world, &contacts));
    ck_assert_int_eq(ctWorld_GetPending(world, NULL), ctWorld_GetPending(world, &pending));
    ck_assert(ctWorld_RayCast(world, ctV3(0, 0, 5), ctV3(0, 0, -1), 10, NULL));
    ctVec3 lo = ctZero3(), hi = ctZero3();
    ck_assert(ctBody_GetSweptBox(world, ball, NULL, NULL));
    ck_assert(ctBody_GetSweptBox(world, ball, &lo, NULL) && ctBody_GetSweptBox(world, ball, NULL, &hi));
    ck_assert(lo.z < hi.z);
    ctError error = {0};
    void *data;
    ck_assert(!ctWorld_Save(world, NULL, NULL, &error) && error.status == ct_badArgument);
    ck_assert(!ctWorld_Save(world, &data, NULL, NULL));
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(no_id_is_too_strange)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctBodyId ball = ctTestBall(world, 0.1, ctZero3(), ctZero3());
    const int32_t indices[] = {INT32_MIN, INT32_MIN + 1, -1, 0, 2, INT32_MAX};
    for (size_t i = 0; i < sizeof indices / sizeof indices[0]; i++) {
        ctBodyId id = {indices[i], ball.generation};
        ck_assert(!ctBody_IsValid(world, id));
        ck_assert(!ctWorld_DestroyBody(world, id, NULL));
        ck_assert(!ctBody_SetVelocity(world, id, ctZero3(), ctZero3(), NULL));
        ck_assert(!ctBody_ApplyImpulse(world, id, ctZero3(), ctZero3(), NULL));
        ctBody_Wake(world, id);
        ctAssertClose(ctBody_GetMass(world, id), 0.0, 0.0);
        ck_assert(ctWorld_GetPairTally(world, id, ball).impacts == 0);
        ck_assert(ctWorld_GetShape(world, (ctShapeId){indices[i]}) == NULL);
        ck_assert(!ctBody_SetMaterial(world, ball, (ctMaterialId){indices[i] == 0 ? 1 : indices[i]}, NULL));
    }
    ck_assert(!ctBody_IsValid(world, (ctBodyId){ball.index1, ball.generation + 1}));
    ctWorld_Destroy(world);
}
END_TEST

// ---- callbacks --------------------------------------------------------------------------------

typedef struct Meddler {
    ctWorld *world;
    ctMaterialId material;
    int calls;
} Meddler;

static void meddle(void *context, const ctWorld *seen, const ctImpact *impact)
{
    Meddler *m = context;
    ctWorld *world = m->world;
    ctError error = {0};
    bool hit;
    void *data;
    size_t size;
    ctBodyDef def = ctDefaultBodyDef();
    ctMaterialDef material = ctDefaultMaterialDef();
    ctCoefficients pair = ctWorld_GetPair(seen, m->material, m->material);
    def.shape = ctBody_GetShape(seen, impact->body1);
    def.position = ctV3(5, 0, 1);
    ck_assert(!ctWorld_Step(world, &error) && error.status == ct_badArgument);
    ck_assert(!ctWorld_StepToImpact(world, &hit, NULL));
    ck_assert(!ctWorld_SetGravity(world, ctV3(0, 0, 1), NULL));
    ck_assert(!ctWorld_SetLaw(world, ct_lawPoisson, NULL));
    ck_assert(!ctWorld_SetContactMode(world, ct_contactMicrocollision, NULL));
    ck_assert(!ctWorld_SetFrameTime(world, 0.1, NULL));
    ck_assert(!ctWorld_CreateMaterial(world, &material, NULL, NULL));
    ck_assert(!ctWorld_SetMaterial(world, m->material, pair, NULL));
    ck_assert(!ctWorld_SetPair(world, m->material, m->material, pair, NULL));
    ck_assert_int_eq(ctWorld_CreateSphere(world, 0.1, NULL).index1, 0);
    ck_assert_int_eq(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    ck_assert(!ctWorld_DestroyBody(world, impact->body1, NULL));
    ck_assert(!ctBody_SetVelocity(world, impact->body1, ctZero3(), ctZero3(), NULL));
    ck_assert(!ctBody_ApplyImpulse(world, impact->body1, ctV3(0, 0, 1), ctZero3(), NULL));
    ck_assert(!ctBody_SetMaterial(world, impact->body1, m->material, NULL));
    ck_assert(!ctWorld_Save(world, &data, &size, NULL));
    ctBody_Wake(world, impact->body1);
    // To look is allowed.
    const ctImpact *impacts;
    int count = ctWorld_GetImpacts(seen, &impacts);
    ck_assert(count > 0 && impacts[count - 1].time == impact->time);
    ck_assert(ctWorld_GetStats(seen).impacts > m->calls);
    ck_assert(ctWorld_RayCast(seen, ctV3(0, 0, 5), ctV3(0, 0, -1), 10, NULL));
    m->calls++;
}

// What a callback tries to change is refused, and the world goes on as if nobody had listened.
START_TEST(callbacks_only_look)
{
    uint64_t hashes[2];
    for (int k = 0; k < 2; k++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.7);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.11));
        ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0.05, 0, 0.4));
        Meddler meddler = {world, {0}, 0};
        if (k == 1) {
            ctWorld_OnImpact(world, meddle, &meddler);
        }
        ctTestRun(world, 1.0);
        hashes[k] = ctWorld_Hash(world);
        ck_assert(k == 0 || meddler.calls > 5);
        ck_assert(ctWorld_SetGravity(world, ctV3(0, 0, -1), NULL)); // between steps it is allowed again
        ctWorld_Destroy(world);
    }
    ck_assert(hashes[0] == hashes[1]);
}
END_TEST

// ---- definitions at the edge ------------------------------------------------------------------

// A call that fails changes nothing: what sleeps goes on sleeping.
START_TEST(what_is_refused_wakes_nobody)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.1));
    ctTestRun(world, 2.0);
    ck_assert(ctBody_IsAsleep(world, box));
    ck_assert(!ctBody_ApplyImpulse(world, box, ctV3(1e12, 0, 0), ctZero3(), NULL));
    ck_assert(!ctBody_ApplyImpulse(world, box, ctV3(1e7, 0, 0), ctV3(0, 0, 1e3), NULL)); // spins too fast
    ck_assert(!ctBody_SetVelocity(world, box, ctV3(1e10, 0, 0), ctZero3(), NULL));
    ck_assert(!ctWorld_SetGravity(world, ctV3(0, 0, 1e7), NULL));
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctBody_GetShape(world, box);
    def.position = ctV3(0, 0, 0.25);
    ck_assert_int_eq(ctWorld_CreateBody(world, &def, NULL).index1, 0);
    ck_assert(ctBody_IsAsleep(world, box));
    ctTestRun(world, 0.1);
    ck_assert(ctBody_IsAsleep(world, box));
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(masses_and_inertias_have_bounds)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.5);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.1, 0.2), NULL);
    ctError error = {0};
    const double masses[] = {1e-300, 1e-100, 1e13};
    for (int i = 0; i < 3; i++) {
        def.mass = masses[i];
        ck_assert_int_eq(ctWorld_CreateBody(world, &def, &error).index1, 0);
        ck_assert(error.status == ct_badArgument && strstr(error.message, "mass") != NULL);
    }
    def.mass = 1.0;
    def.hasInertia = true;
    const double moments[] = {5e-324, 1e-300, 1e-12, 1e-9, 1e100, 1e300};
    for (int i = 0; i < 6; i++) {
        def.inertia = ctMat3Diagonal(moments[i], moments[i], 1.5 * moments[i]);
        ck_assert_int_eq(ctWorld_CreateBody(world, &def, &error).index1, 0);
        ck_assert(error.status == ct_badArgument && strstr(error.message, "inertia") != NULL);
    }
    def.inertia = ctMat3Diagonal(1e-6, 1e-6, 1.5e-6);
    ck_assert_int_ne(ctWorld_CreateBody(world, &def, &error).index1, 0);
    ctWorld_Destroy(world);
}
END_TEST

// A heavy box drives a light one, which bounces without loss between it and a wall, against the wall: ten thousand
// and a million impacts at once (pi / 2 times the root of the ratio of the masses). By microcollisions a frame does its
// share of them and ends; otherwise some thousand are enough, and the rest is one impulse.
START_TEST(impacts_at_once_count_as_events)
{
    for (int mode = 0; mode < 2; mode++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
        ck_assert(ctWorld_SetContactMode(world, (ctContactMode)mode, NULL));
        ctTestPlane(world, ctV3(1, 0, 0), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
        def.mass = mode == 0 ? 1e-3 : 1e-6;
        def.position = ctV3(0.05, 0, 0);
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        def.mass = mode == 0 ? 1e5 : 1e6;
        def.position = ctV3(0.15, 0, 0);
        def.velocity = ctV3(-10, 0, 0);
        ctBodyId heavy = ctWorld_CreateBody(world, &def, NULL);
        for (int i = 1; i <= 2; i++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctStats stats = ctWorld_GetStats(world);
            ck_assert_int_eq((int)stats.eventLimitHits, mode == 0 ? 0 : i);
            ck_assert_int_le((int)stats.impacts, mode == 0 ? 5000 : i * 102000);
            ck_assert(ctBody_GetCenter(world, heavy).x > 0.15 - 1e-6);
            ck_assert(mode == 1 || ctBody_GetVelocity(world, heavy).x > 9.999);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// Three bodies in a row that touch, with their inverse masses and velocities: impacts one by one, the fastest approach
// first, until nothing approaches.
static void bounceOut(const double invMass[3], double e, double v[3])
{
    double least = 1e-9 * fabs(v[2]);
    for (;;) {
        int i = v[0] - v[1] >= v[1] - v[2] ? 0 : 1;
        double approach = v[i] - v[i + 1];
        if (!(approach > least)) {
            return;
        }
        double impulse = (1.0 + e) * approach / (invMass[i] + invMass[i + 1]);
        v[i] -= impulse * invMass[i];
        v[i + 1] += impulse * invMass[i + 1];
    }
}

// Up to a hundred thousand impacts are cut short by one impulse, and lead to the same: with restitution 1 the heavy
// body comes back as it came; with less, by what all the impacts would have left, or it is stopped where they would
// never end. Before a wall and between two.
START_TEST(a_light_body_is_squeezed_as_by_all_its_impacts)
{
    const double restitutions[] = {1.0, 0.9999, 0.999, 0.99, 0.9};
    for (int i = 0; i < 50; i++) {
        double ratio = pow(10.0, 3 + i / 10), e = restitutions[i % 5];
        bool wall = i % 10 < 5;
        const double invMass[3] = {wall ? 0.0 : 1.0 / ratio, 1.0, 1.0 / ratio};
        double v[3] = {wall ? 0.0 : 10.0, 0.0, -10.0};
        bounceOut(invMass, e, v);
        ctWorld *world = ctTestWorld(ctZero3(), wall ? 0.0 : 0.3, e);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
        if (wall) {
            ctTestPlane(world, ctV3(1, 0, 0), -0.05);
        } else {
            def.mass = ratio;
            def.position = ctV3(-0.1, 0, 0);
            def.velocity = ctV3(10, 0, 0);
            ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        }
        def.mass = 1.0;
        def.position = def.velocity = ctZero3();
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        def.mass = ratio;
        def.position = ctV3(0.1, 0, 0);
        def.velocity = ctV3(-10, 0, 0);
        ctBodyId heavy = ctWorld_CreateBody(world, &def, NULL);
        double before = ctWorld_GetStats(world).kineticEnergy;
        ck_assert(ctWorld_Step(world, NULL));
        ctStats s = ctWorld_GetStats(world);
        double off = ctBody_GetVelocity(world, heavy).x - v[2];
        ctRequire(fabs(off) < (e == 1.0 ? 2e-3 : 0.3), "ratio %g, restitution %g, wall %d: %g m/s off %g", ratio, e,
                  wall, off, v[2]);
        ctAssert(s.kineticEnergy <= before * (1.0 + 1e-12) && s.impacts < 2000 && s.maxPenetration < 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- never through a wall ---------------------------------------------------------------------

// A rod that spins and barely falls hits a wall by its tips, again and again, at hundreds of metres per second.
START_TEST(a_fast_rod_stays_in_front_of_a_wall)
{
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(60); i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -0.2), ctRandomUniform(&r, 0, 3), 0.0);
        ck_assert(ctWorld_SetContactMode(world, (ctContactMode)(i % 2), NULL));
        ctTestBox(world, ct_motionFixed, ctV3(0.1, 500, 500), ctV3(0.05, 0, 0));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCylinder(world, 0.2, 2.0, NULL);
        def.position = ctV3(-2, 0, 0);
        def.orientation = ctRandomQuat(&r);
        def.velocity = ctV3(ctRandomLog(&r, 10, 2000), ctRandomUniform(&r, -500, 500), 0);
        def.spin = ctScale(ctRandomLog(&r, 1, 1000), ctRandomUnit(&r));
        ctBodyId rod = ctWorld_CreateBody(world, &def, NULL);
        ck_assert_int_ne(rod.index1, 0);
        ctTestRun(world, 0.05);
        ctAssert(ctBody_GetCenter(world, rod).x < -0.19);
        double overlap = ctWorld_GetStats(world).maxPenetration;
        ctRequire(overlap < 0.01, "case %d: %g m", i, overlap);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Grains of a tenth of a millimetre fall over within two micro-steps of 1/480 s, under strong gravity within a half.
START_TEST(grains_lie_on_the_floor)
{
    ctRandom r = ctRandomSeed(6);
    for (int i = 0; i < ctTestCases(40); i++) {
        double size = ctRandomLog(&r, 1e-4, 1e-3);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -ctRandomLog(&r, 5, 500)), 0.4, 0.3);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        const ctShapeId shapes[3] = {
            ctWorld_CreateBox(world, ctV3(size, 0.7 * size, 0.5 * size), NULL),
            ctWorld_CreateCylinder(world, 0.5 * size, 0.8 * size, NULL),
            ctWorld_CreateCapsule(world, 0.2 * size, 0.6 * size, NULL),
        };
        ctBodyId grains[3];
        for (int k = 0; k < 3; k++) {
            def.shape = shapes[k];
            def.position = ctV3(2.0 * k * size, 0, ctRandomUniform(&r, 0.8, 5) * size);
            def.orientation = ctRandomQuat(&r);
            grains[k] = ctWorld_CreateBody(world, &def, NULL);
            ck_assert_int_ne(grains[k].index1, 0);
        }
        ctTestRun(world, 0.5);
        for (int k = 0; k < 3; k++) {
            double z = ctBody_GetCenter(world, grains[k]).z;
            ctRequire(z > 0.19 * size, "case %d, shape %d of %g m: z = %g", i, k, size, z);
        }
        double overlap = ctWorld_GetStats(world).maxPenetration / size;
        ctRequire(overlap < 0.02, "case %d: %g of the size", i, overlap);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Stones that turn about the vertical, and do not roll because of the resistance to rolling, go on turning, and cost as
// little as others: the end of rolling takes one short step, not all that follow. Times are in proportion to the root
// of the size, so that small stones turn as far as large ones.
START_TEST(stones_that_do_not_roll_turn_on)
{
    for (int k = 0; k < 8; k++) {
        double size = k % 2 == 0 ? 0.1 : 1e-5, flat = k / 4 == 0 ? 0.06 : 0.2, second = sqrt(size / 0.1);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.0, 0.0);
        ck_assert(ctWorld_SetFrameTime(world, second / 60.0, NULL));
        ctCoefficients pair = {.friction = k / 2 % 2 == 0 ? 0.0 : 0.3, .rolling = 2e-3 * size};
        ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateEllipsoid(world, ctV3(size, k / 4 == 0 ? 0.4 * size : size, flat * size), NULL);
        def.position = ctV3(0, 0, flat * size);
        def.spin = ctScale(1.0 / second, ctV3(1e-6, 5e-6, 0.4));
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        ctTestRun(world, second);
        ctAssertClose(second * ctBody_GetSpin(world, body).z, 0.4, 1e-6);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq(stats.eventLimitHits, 0);
        ck_assert_msg(stats.contactSteps < 100, "%ld steps", (long)stats.contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Pebbles among millstones: masses up to ten thousand million times apart, in a box that is nearly full. Whatever they
// do to each other, energy does not rise, nothing is pressed deep into anything, and nobody leaves.
START_TEST(light_bodies_between_heavy_ones)
{
    ctRandom r = ctRandomSeed(8);
    for (int i = 0; i < ctTestCases(20); i++) {
        const double half = 0.02;
        ctWorld *world = ctTestWorld(ctV3(0, 0, -ctRandomLog(&r, 0.1, 100)), ctRandomUniform(&r, 0, 2), 0.3);
        for (int k = 0; k < 6; k++) {
            ctVec3 n = ctScale(k % 2 == 0 ? 1.0 : -1.0, ctV3(k / 2 == 0, k / 2 == 1, k / 2 == 2));
            ctTestPlane(world, n, -half);
        }
        ctBodyId bodies[8];
        int count = 0;
        double least = half;
        for (int k = 0; k < 30 && count < 8; k++) {
            ctBodyDef def = ctDefaultBodyDef();
            double size = ctRandomLog(&r, 0.1, 1.0) * half;
            int kind = ctRandomInt(&r, 0, 2);
            def.shape = kind == 0   ? ctWorld_CreateSphere(world, 0.5 * size, NULL)
                        : kind == 1 ? ctWorld_CreateBox(world, ctV3(size, 0.6 * size, 0.4 * size), NULL)
                                    : ctWorld_CreateCylinder(world, 0.5 * size, 0.5 * size, NULL);
            def.mass = ctRandomLog(&r, 1e-5, 1e5);
            def.position = ctRandomVec3(&r, -half, half);
            def.orientation = ctRandomQuat(&r);
            def.velocity = ctRandomVec3(&r, -0.2, 0.2);
            bodies[count] = ctWorld_CreateBody(world, &def, NULL);
            least = bodies[count].index1 != 0 ? fmin(least, size) : least;
            count += bodies[count].index1 != 0;
        }
        ctStats start = ctWorld_GetStats(world);
        double lowest = start.kineticEnergy + start.potentialEnergy;
        for (int f = 0; f < 40; f++) {
            ctTestRun(world, 1.0 / 60.0);
            ctStats s = ctWorld_GetStats(world);
            double energy = s.kineticEnergy + s.potentialEnergy, lost = s.frictionLoss + s.restitutionLoss;
            ctRequire(energy - lowest < 1e-3 * (start.kineticEnergy + lost), "case %d, frame %d: %g J of %g", i, f,
                      energy - lowest, start.kineticEnergy + lost);
            lowest = fmin(lowest, energy);
            for (int k = 0; k < count; k++) {
                ctVec3 x = ctAbs(ctBody_GetCenter(world, bodies[k]));
                ctRequire(ctMaxElement(x) < half, "case %d, frame %d: body %d is outside", i, f, k);
            }
        }
        double overlap = ctWorld_GetStats(world).maxPenetration / least;
        ctRequire(overlap < 0.1, "case %d: overlap of %g of the smallest", i, overlap);
        ctWorld_Destroy(world);
    }
}
END_TEST

// An anvil of 100 kg falls by half a metre onto a crumb of 0.1 g to 0.1 mg, flat or on an edge.
START_TEST(an_anvil_falls_on_a_crumb)
{
    for (int i = 0; i < ctTestCases(40); i++) {
        ctRandom r = ctRandomSeed((uint64_t)(i % 10) + 1);
        double e = ctRandomUniform(&r, 0, 0.9), mu = ctRandomUniform(&r, 0, 1), size = ctRandomLog(&r, 2e-3, 2e-2);
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), mu, e);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        int kind = ctRandomInt(&r, 0, 2);
        def.shape = kind == 0   ? ctWorld_CreateBox(world, ctV3(size, size, size), NULL)
                    : kind == 1 ? ctWorld_CreateSphere(world, 0.5 * size, NULL)
                                : ctWorld_CreateCylinder(world, 0.5 * size, size, NULL);
        def.mass = 1e-4 * pow(10.0, -(i / 10));
        def.position = ctV3(ctRandomUniform(&r, -0.05, 0.05), ctRandomUniform(&r, -0.05, 0.05), 0.5 * size);
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
        def.mass = 100.0;
        def.position = ctV3(0, 0, size + (i % 2 == 0 ? 0.62 : 0.72));
        if (i % 2 == 1) {
            def.orientation = ctQuatExp(ctScale(ctRandomUniform(&r, 0, 0.3), ctRandomUnit(&r)));
        }
        ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        double lowest = INFINITY;
        for (int f = 0; f < 90; f++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctStats s = ctWorld_GetStats(world);
            double energy = s.kineticEnergy + s.potentialEnergy;
            ctRequire(energy - lowest < 0.1, "case %d, frame %d: %g J of 500", i, f, energy - lowest);
            lowest = fmin(lowest, energy);
            ctTestEnergy(world);
        }
        double overlap = ctWorld_GetStats(world).maxPenetration / size;
        ctRequire(overlap < 0.03, "case %d: overlap of %g of the crumb", i, overlap);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("abuse");
    TCase *tc = tcase_create("abuse");
    tcase_set_timeout(tc, 30.0);
    tcase_add_test(tc, answers_may_be_left_out);
    tcase_add_test(tc, no_id_is_too_strange);
    tcase_add_test(tc, callbacks_only_look);
    tcase_add_test(tc, what_is_refused_wakes_nobody);
    tcase_add_test(tc, masses_and_inertias_have_bounds);
    tcase_add_test(tc, impacts_at_once_count_as_events);
    tcase_add_test(tc, a_light_body_is_squeezed_as_by_all_its_impacts);
    tcase_add_test(tc, a_fast_rod_stays_in_front_of_a_wall);
    tcase_add_test(tc, grains_lie_on_the_floor);
    tcase_add_test(tc, stones_that_do_not_roll_turn_on);
    tcase_add_test(tc, light_bodies_between_heavy_ones);
    tcase_add_test(tc, an_anvil_falls_on_a_crumb);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
