// Bodies that rest, slide and roll, against closed forms (design figures in docs/contact.md).
#include "collision/quat.h"
#include "collision/shape.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"

#define G 9.81

static ctWorld *world;

static void makeWorld(double friction, double restitution)
{
    ctWorldDef def = ctDefaultWorldDef();
    world = ctWorld_Create(&def, NULL);
    ck_assert_ptr_nonnull(world);
    ctCoefficients pair = {.friction = friction, .restitution = restitution};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
}

static ctBodyId add(const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static ctBodyId addPlane(ctVec3 normal)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreatePlane(world, normal, 0.0, NULL);
    return add(&def);
}

static ctBodyDef at(ctShapeId shape, ctVec3 position)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.position = position;
    return def;
}

static void run(double seconds)
{
    ctError error = {0};
    int frames = (int)(seconds * 60.0 + 0.5);
    for (int i = 0; i < frames; i++) {
        ck_assert_msg(ctWorld_Step(world, &error), "%s", error.message);
    }
}

static void finish(void)
{
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq(stats.eventLimitHits, 0);
    ctWorld_Destroy(world);
}

// ---- a block on a ramp ------------------------------------------------------------------------

static ctBodyId addRampBlock(double angle)
{
    ctVec3 normal = ctV3(sin(angle), 0.0, cos(angle));
    addPlane(normal);
    ctBodyDef def = at(ctWorld_CreateBox(world, ctV3(0.2, 0.16, 0.1), NULL), ctScale(0.05, normal));
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    return add(&def);
}

START_TEST(a_block_on_a_ramp_does_not_creep)
{
    for (int i = 0; i < 2; i++) {
        makeWorld(i == 0 ? 0.5 : 0.37, 0.3); // tan 20 degrees is 0.364
        ctBodyId block = addRampBlock(20.0 * CT_PI / 180.0);
        ctVec3 start = ctBody_GetCenter(world, block);
        run(30.0);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, block), start), 0.0, 1e-12);
        ck_assert(ctBody_IsAsleep(world, block));
        finish();
    }
}
END_TEST

// The same, woken by a tap in every frame that is too weak to move it.
START_TEST(a_block_that_is_woken_again_and_again_does_not_creep)
{
    makeWorld(0.5, 0.3);
    ctBodyId block = addRampBlock(20.0 * CT_PI / 180.0);
    ctVec3 start = ctBody_GetCenter(world, block);
    for (int i = 0; i < 600; i++) {
        ctBody_Wake(world, block);
        ck_assert(!ctBody_IsAsleep(world, block));
        run(1.0 / 60.0);
    }
    ck_assert_int_ge((int)ctWorld_GetStats(world).contactSteps, 600);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, block), start), 0.0, 1e-12);
    finish();
}
END_TEST

START_TEST(a_block_slides_down_a_ramp)
{
    double angle = 20.0 * CT_PI / 180.0, mu = 0.3, a = G * (sin(angle) - mu * cos(angle));
    makeWorld(mu, 0.3);
    ctBodyId block = addRampBlock(angle);
    ctVec3 start = ctBody_GetCenter(world, block), down = ctV3(cos(angle), 0.0, -sin(angle));
    run(1.0);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, block), ctMulAdd(start, 0.5 * a, down)), 0.0, 1e-6 * 0.5 * a);
    ctAssertClose(ctDistance(ctBody_GetVelocity(world, block), ctScale(a, down)), 0.0, 1e-6 * a);
    ctAssertClose(ctLength(ctBody_GetSpin(world, block)), 0.0, 1e-9);
    finish();
}
END_TEST

// Thrown up the ramp it stops, and stays: v^2 / 2 (g (sin + mu cos)).
START_TEST(a_block_thrown_up_a_ramp_stops_for_good)
{
    double angle = 20.0 * CT_PI / 180.0, mu = 0.5, speed = 2.0;
    makeWorld(mu, 0.3);
    ctBodyId block = addRampBlock(angle);
    ctVec3 start = ctBody_GetCenter(world, block), up = ctV3(-cos(angle), 0.0, sin(angle));
    ck_assert(ctBody_SetVelocity(world, block, ctScale(speed, up), ctZero3(), NULL));
    run(3.0);
    double reach = 0.5 * speed * speed / (G * (sin(angle) + mu * cos(angle)));
    ctAssertClose(ctDistance(ctBody_GetCenter(world, block), ctMulAdd(start, reach, up)), 0.0, 1e-6 * reach);
    ck_assert(ctBody_IsAsleep(world, block));
    finish();
}
END_TEST

// ---- rolling ----------------------------------------------------------------------------------

// Slip u0 = v0 + r z x w0 keeps its direction and falls by 7/2 mu g per second; rolling begins at
// 2 u0 / (7 mu g) with v0 - 2/7 u0.
START_TEST(the_bowling_hook)
{
    double radius = 0.108, mu = 0.12;
    makeWorld(mu, 0.5);
    addPlane(ctV3(0, 0, 1));
    ctVec3 v0 = ctV3(8, 0, 0), w0 = ctV3(-30, 0, 0);
    ctBodyDef def = at(ctWorld_CreateSphere(world, radius, NULL), ctV3(0, 0, radius));
    def.velocity = v0;
    def.spin = w0;
    ctBodyId ball = add(&def);
    ctVec3 slip = ctAdd(v0, ctCross(w0, ctV3(0, 0, -radius)));
    double onset = 2.0 * ctLength(slip) / (7.0 * mu * G);
    ctVec3 rolling = ctMulAdd(v0, -2.0 / 7.0, slip), a = ctScale(-mu * G / ctLength(slip), slip);
    for (int frame = 1; frame <= 240; frame++) {
        run(1.0 / 60.0);
        double t = frame / 60.0, s = fmin(t, onset);
        ctVec3 v = t < onset ? ctMulAdd(v0, t, a) : rolling;
        ctVec3 x = ctMulAdd(ctMulAdd(ctMulAdd(ctV3(0, 0, radius), s, v0), 0.5 * s * s, a), t - s, rolling);
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, ball), v), 0.0, 1e-9 * 8.0);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, ball), x), 0.0, 1e-9 * 17.0);
    }
    finish();
}
END_TEST

// A ball that rolls on a platter turning at W moves on a circle at the rate k W / (1 + k), k = I / m r^2.
static void rollOnPlatter(bool hollow)
{
    double turn = 3.0, radius = 0.05, k = hollow ? 2.0 / 3.0 : 0.4, rate = k / (1.0 + k) * turn;
    makeWorld(1.0, 0.5);
    ctBodyDef platter = at(ctWorld_CreateCylinder(world, 2.0, 0.05, NULL), ctV3(0, 0, -0.025));
    platter.motion = ct_motionKinematic;
    platter.spin = ctV3(0, 0, turn);
    add(&platter);
    ctShapeId shape =
        hollow ? ctWorld_CreateHollowSphere(world, radius, NULL) : ctWorld_CreateSphere(world, radius, NULL);
    ctBodyDef def = at(shape, ctV3(0.3, 0, radius));
    def.velocity = ctV3(0, 0.2, 0);
    ctVec3 slip = ctSub(ctCross(platter.spin, ctV3(0.3, 0, 0)), def.velocity);
    def.spin = ctV3(slip.y / radius, -slip.x / radius, 0);
    ctBodyId ball = add(&def);
    ctVec3 center = ctV3(0.3 - 0.2 / rate, 0, radius), arm = ctV3(0.2 / rate, 0, 0);
    int frames = (int)(5.0 * 2.0 * CT_PI / rate * 60.0);
    double angle = 0.0;
    for (int i = 0; i < frames; i++) {
        run(1.0 / 60.0);
        ctVec3 now = ctSub(ctBody_GetCenter(world, ball), center);
        angle += atan2(arm.x * now.y - arm.y * now.x, arm.x * now.x + arm.y * now.y);
        arm = now;
    }
    ctAssertClose(angle / (frames / 60.0) / rate, 1.0, 1e-9);
    ctAssertClose(ctLength(arm) / (0.2 / rate), 1.0, 1e-9);
    ctAssertClose(arm.z, 0.0, 1e-9);
    finish();
}

// Bodies that are put on a platter slip until it takes them along. All work of the platter counts, that of the last
// moment of slip, too.
START_TEST(a_platter_takes_bodies_along)
{
    for (int kind = 0; kind < 4; kind++) {
        makeWorld(0.5, 0.0);
        ctBodyDef platter = at(ctWorld_CreateCylinder(world, 2.0, 0.05, NULL), ctV3(0, 0, -0.025));
        platter.motion = ct_motionKinematic;
        platter.spin = ctV3(0, 0, 3.0);
        add(&platter);
        ctShapeId shape = kind == 0   ? ctWorld_CreateSphere(world, 0.05, NULL)
                          : kind == 1 ? ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL)
                          : kind == 2 ? ctWorld_CreateEllipsoid(world, ctV3(0.06, 0.07, 0.05), NULL)
                                      : ctWorld_CreateCylinder(world, 0.08, 0.1, NULL);
        ctBodyDef def = at(shape, ctV3(0.3, 0, 0.05));
        add(&def);
        run(1.0);
        ctStats s = ctWorld_GetStats(world);
        ck_assert_msg(fabs(s.stepError) < 1e-9, "%d: %g J of %g J", kind, s.stepError, s.kineticEnergy);
        finish();
    }
}
END_TEST

// Balls and capsules roll from one box to the next as over one face: they feel no edge, whatever the restitution. The
// start is anywhere, so that the seam comes at any place in a step; at 0.05 m it comes at the end of one.
static void rollOverSeam(bool isBall, double start, double restitution)
{
    double r = 0.1;
    makeWorld(0.5, restitution);
    ctBodyDef box = at(ctWorld_CreateBox(world, ctV3(2, 2, 1), NULL), ctV3(-1, 0, -0.5));
    box.motion = ct_motionFixed;
    add(&box);
    box.position.x = 1.0;
    add(&box);
    ctBodyDef def = at(isBall ? ctWorld_CreateSphere(world, r, NULL) : ctWorld_CreateCapsule(world, r, 0.3, NULL),
                       ctV3(-start, 0, r));
    def.orientation = ctQuatExp(ctV3(CT_PI / 2, 0, 0));
    def.velocity = ctV3(1, 0, 0);
    def.spin = ctV3(0, 1.0 / r, 0);
    ctBodyId id = add(&def);
    for (int k = 0; k < 6 || ctBody_GetCenter(world, id).x < 0.1; k++) {
        run(1.0 / 60.0);
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), ctV3(1, 0, 0)), 0.0, 1e-7);
        ctAssertClose(ctBody_GetCenter(world, id).z, r, 1e-7);
    }
    ctAssertClose(ctWorld_GetStats(world).maxPenetration, 0.0, 1e-8);
    finish();
}

START_TEST(rolling_over_a_seam)
{
    for (int i = 0; i < 72; i++) {
        rollOverSeam(i % 2 == 1, 0.05 + 0.00123 * i, 0.45 * (i % 3));
        rollOverSeam(i % 2 == 0, 0.05, 0.9 * i / 71.0);
    }
}
END_TEST

START_TEST(a_ball_on_a_platter)
{
    rollOnPlatter(false);
    rollOnPlatter(true);
}
END_TEST

// ---- rest -------------------------------------------------------------------------------------

typedef struct Rest {
    int count;
    ctBodyId bodies[64];
    ctVec3 start[64];
} Rest;

static void addResting(Rest *rest, ctBodyDef def)
{
    rest->bodies[rest->count] = add(&def);
    rest->start[rest->count] = ctBody_GetCenter(world, rest->bodies[rest->count]);
    rest->count++;
}

static void checkRest(const Rest *rest, double seconds)
{
    run(seconds);
    for (int i = 0; i < rest->count; i++) {
        ctAssertClose(ctDistance(ctBody_GetCenter(world, rest->bodies[i]), rest->start[i]), 0.0, 1e-6);
        ck_assert_msg(ctBody_IsAsleep(world, rest->bodies[i]), "body %d is awake", i);
    }
}

// A ball slides down a hill without friction: gravity alone gives it its speed, nothing sets it spinning, and where
// cos(angle) = 2/3 cos(first angle) it leaves.
START_TEST(a_ball_slides_off_a_hill)
{
    double first = 15.0 * CT_PI / 180.0, distance = 0.6, height = distance * cos(first);
    makeWorld(0.0, 0.0);
    ctBodyDef hill = at(ctWorld_CreateSphere(world, 0.5, NULL), ctZero3());
    hill.motion = ct_motionFixed;
    add(&hill);
    ctBodyDef def = at(ctWorld_CreateSphere(world, 0.1, NULL), ctV3(distance * sin(first), 0.0, height));
    ctBodyId ball = add(&def);
    for (bool flies = false; !flies;) {
        run(1.0 / 60.0);
        ctVec3 x = ctBody_GetCenter(world, ball), v = ctBody_GetVelocity(world, ball);
        ctAssertClose(0.5 * ctLengthSquared(v), G * (height - x.z), 1e-5 * G * distance);
        ctAssertClose(ctLength(ctBody_GetSpin(world, ball)), 0.0, 1e-12);
        flies = ctLength(x) > distance * (1.0 + 1e-6);
        ck_assert(flies ? x.z < 2.0 / 3.0 * height : x.z > 2.0 / 3.0 * height - 0.02 * distance);
    }
    finish();
}
END_TEST

START_TEST(a_sphere_and_a_block_rest)
{
    Rest rest = {0};
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    addResting(&rest, at(ctWorld_CreateSphere(world, 0.1, NULL), ctV3(0, 0, 0.1)));
    addResting(&rest, at(ctWorld_CreateBox(world, ctV3(0.1, 0.2, 0.3), NULL), ctV3(1, 0, 0.15)));
    checkRest(&rest, 60.0);
    finish();
}
END_TEST

static ctBodyDef boxAt(ctShapeId box, double x, double z)
{
    return at(box, ctV3(x, 0.0, z));
}

START_TEST(a_stack_of_ten_boxes_stands)
{
    for (int shifted = 0; shifted < 2; shifted++) {
        Rest rest = {0};
        makeWorld(0.5, 0.3);
        addPlane(ctV3(0, 0, 1));
        ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
        for (int i = 0; i < 10; i++) {
            addResting(&rest, boxAt(box, shifted * 0.004 * ((i * 7) % 3 - 1), 0.05 + 0.1 * i));
        }
        checkRest(&rest, 60.0);
        // The forces carry the weight: the lowest box that of all ten.
        const ctContact *contacts;
        int count = ctWorld_GetContacts(world, &contacts);
        double load = 0.0;
        for (int i = 0; i < count; i++) {
            if (contacts[i].body1.index1 == rest.bodies[0].index1 && contacts[i].normal.z > 0.5 &&
                contacts[i].point.z < 0.01) {
                load += contacts[i].force.z;
            }
        }
        ctAssertClose(load, 10.0 * ctBody_GetMass(world, rest.bodies[0]) * G, 1e-6 * load);
        finish();
    }
}
END_TEST

START_TEST(a_tower_of_forty_boxes_stands)
{
    Rest rest = {0};
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    for (int i = 0; i < 40; i++) {
        addResting(&rest, boxAt(box, 0.002 * ((i * 7) % 3 - 1), 0.05 + 0.1 * i));
    }
    checkRest(&rest, 20.0);
    finish();
}
END_TEST

START_TEST(a_pyramid_stands)
{
    Rest rest = {0};
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    for (int row = 0; row < 5; row++) {
        for (int i = 0; i < 5 - row; i++) {
            addResting(&rest, boxAt(box, 0.105 * (i - 0.5 * (4 - row)), 0.05 + 0.1 * row));
        }
    }
    checkRest(&rest, 60.0);
    finish();
}
END_TEST

// Two cards lean on each other, top edge against top edge. About the foot of one, its weight W at x beside it
// balances the push of the other at height z: P = W x / z. The feet slide when that is more than the friction mu W.
// Edges are rounded for each other, by r: tops are r from the edges of the cards' cores. Feet are sharp on a plane.
typedef struct Cards {
    ctBodyId left;
    double push; // over the weight
} Cards;

static Cards addCards(ctMaterialId material, double angle)
{
    const double width = 0.4, thick = 0.01, high = 0.3;
    ctShapeId card = ctWorld_CreateBox(world, ctV3(thick, width, high), NULL);
    double r = ctWorld_GetShape(world, card)->round, s = sin(angle), c = cos(angle);
    double along = 0.5 * high - r, across = 0.5 * thick - r, up = 0.5 * (high * c + thick * s);
    double beside = 0.5 * (high * s - thick * c); // from the foot to the centre
    double height = up + along * c - across * s;  // from the foot to the top
    Cards cards = {.push = beside / height};
    for (int side = -1; side <= 1; side += 2) {
        ctVec3 centre = ctV3(side * (r + along * s + across * c), 0.0, up);
        ctBodyDef def = at(card, centre);
        def.material = material;
        def.orientation = ctQuatExp(ctV3(0, -side * angle, 0));
        ctBodyId id = add(&def);
        cards.left = side < 0 ? id : cards.left;
    }
    return cards;
}

// What the right card does to the left one: push, and turn it about its foot against its weight.
static void checkTops(const Cards *cards)
{
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts), tops = 0;
    double push = 0.0, torque = 0.0, weight = G * ctBody_GetMass(world, cards->left), foot = 0.0;
    for (int i = 0; i < count; i++) {
        foot = fmin(foot, contacts[i].point.x);
    }
    for (int i = 0; i < count; i++) {
        if (contacts[i].point.z > 0.1) {
            double sign = contacts[i].body1.index1 == cards->left.index1 ? 1.0 : -1.0;
            ctVec3 force = ctScale(sign, contacts[i].force), arm = ctSub(contacts[i].point, ctV3(foot, 0.0, 0.0));
            push -= force.x;
            torque += arm.x * force.z - arm.z * force.x;
            tops++;
        }
    }
    ck_assert_int_eq(tops, 2); // the ends of the edge
    ctAssertClose(torque, weight * (ctBody_GetCenter(world, cards->left).x - foot), 1e-6 * weight);
    ctAssertClose(push, weight * cards->push, 2e-5 * weight); // they may have moved by 1e-6 m
}

START_TEST(cards_lean_on_each_other)
{
    for (int i = 0; i < 8; i++) {
        bool slides = i & 1;
        makeWorld(1.0, 0.3);
        addPlane(ctV3(0, 0, 1));
        ctMaterialDef def = ctDefaultMaterialDef();
        def.self = (ctCoefficients){.friction = 1.0, .restitution = 0.3};
        ctMaterialId paper;
        ck_assert(ctWorld_CreateMaterial(world, &def, &paper, NULL));
        Cards cards = addCards(paper, (5.0 + 5.0 * i) * CT_PI / 180.0);
        ctCoefficients feet = {.friction = cards.push * (slides ? 0.99 : 1.01), .restitution = 0.3};
        ck_assert(ctWorld_SetPair(world, paper, (ctMaterialId){0}, feet, NULL));
        ctVec3 start = ctBody_GetCenter(world, cards.left);
        run(slides ? 2.0 : 10.0);
        double moved = ctDistance(ctBody_GetCenter(world, cards.left), start);
        if (slides) {
            ck_assert(moved > 0.01);
        } else {
            ctAssertClose(moved, 0.0, 1e-6);
            ck_assert(ctBody_IsAsleep(world, cards.left));
            checkTops(&cards);
            ck_assert_int_lt(ctWorld_GetStats(world).contactSteps, 500);
        }
        finish();
    }
}
END_TEST

// A ball that slides down a ramp without friction pushes one that rolls: together they have 2 / (1 + 7/5) of what
// gravity gives along the ramp. Nothing changes but the speed, so that a frame needs no more than one step.
START_TEST(one_ball_pushes_another)
{
    double angle = 0.1, r = 0.05, v = 1.0, along = G * sin(angle) * 2.0 / (1.0 + 7.0 / 5.0);
    makeWorld(1.0, 0.3);
    ctMaterialDef def = ctDefaultMaterialDef();
    def.self = (ctCoefficients){.friction = 0.0, .restitution = 0.3};
    ctMaterialId ice;
    ck_assert(ctWorld_CreateMaterial(world, &def, &ice, NULL));
    ctVec3 n = ctV3(sin(angle), 0, cos(angle)), down = ctV3(cos(angle), 0, -sin(angle));
    addPlane(n);
    ctBodyDef front = at(ctWorld_CreateSphere(world, r, NULL), ctScale(r, n));
    front.velocity = ctScale(v, down);
    front.spin = ctV3(0, v / r, 0);
    ctBodyDef back = front;
    back.position = ctMulAdd(front.position, -2.0 * r, down);
    back.spin = ctZero3();
    back.material = ice;
    ctBodyId pushed = add(&front), pushes = add(&back);
    run(1.0);
    double way = v + 0.5 * along;
    ctAssertClose(ctDistance(ctBody_GetCenter(world, pushed), ctMulAdd(front.position, way, down)), 0.0, 1e-9);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, pushes), ctMulAdd(back.position, way, down)), 0.0, 1e-9);
    ctAssertClose(ctBody_GetSpin(world, pushed).y, (v + along) / r, 1e-7);
    ck_assert_int_lt(ctWorld_GetStats(world).contactSteps, 100); // 480 of 1/480 s
    finish();
}
END_TEST

// ---- waking -----------------------------------------------------------------------------------

static Rest threeAsleep(void)
{
    Rest rest = {0};
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    for (int i = 0; i < 3; i++) {
        addResting(&rest, boxAt(box, 0.0, 0.05 + 0.1 * i));
    }
    checkRest(&rest, 2.0);
    return rest;
}

START_TEST(what_sleeps_wakes)
{
    Rest rest = threeAsleep();
    // The support goes: the two above fall and stand again, lower.
    ck_assert(ctWorld_DestroyBody(world, rest.bodies[0], NULL));
    ck_assert(!ctBody_IsAsleep(world, rest.bodies[1]) && !ctBody_IsAsleep(world, rest.bodies[2]));
    run(3.0);
    ctAssertClose(ctBody_GetCenter(world, rest.bodies[1]).z, 0.05, 1e-5);
    ctAssertClose(ctBody_GetCenter(world, rest.bodies[2]).z, 0.15, 2e-5);
    ck_assert(ctBody_IsAsleep(world, rest.bodies[1]) && ctBody_IsAsleep(world, rest.bodies[2]));
    // Gravity leans: friction holds them where they stand. The floor turns slippery: off they slide.
    double stood = ctBody_GetCenter(world, rest.bodies[1]).x;
    ck_assert(ctWorld_SetGravity(world, ctV3(1.0, 0, -G), NULL));
    ck_assert(!ctBody_IsAsleep(world, rest.bodies[1]));
    run(1.0);
    ctAssertClose(ctBody_GetCenter(world, rest.bodies[1]).x, stood, 1e-6);
    ctCoefficients ice = {.friction = 0.0, .restitution = 0.3};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, ice, NULL));
    ck_assert(!ctBody_IsAsleep(world, rest.bodies[1]));
    run(1.0);
    ctAssertClose(ctBody_GetCenter(world, rest.bodies[1]).x, stood + 0.5, 2e-3);
    finish();
}
END_TEST

// Contacts of what sleeps are reported in every frame, and none of a body that is gone.
// What lies still from the start takes one step that finds its forces, and one that finds it in equilibrium: then it
// sleeps. The forces are as good as those of any step.
START_TEST(what_lies_rests_at_once)
{
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    ctBodyDef def = boxAt(box, 0.0, 0.05), above = boxAt(box, 0.0, 0.15);
    ctBodyId stands = add(&def);
    add(&above);
    run(1.0 / 60.0);
    ck_assert_int_eq((int)ctWorld_GetStats(world).contactSteps, 2);
    ck_assert(ctWorld_GetStats(world).impacts == 0 && ctWorld_GetStats(world).kineticEnergy == 0.0);
    ck_assert(ctBody_IsAsleep(world, stands));
    run(1.0 / 60.0);
    ck_assert_int_eq((int)ctWorld_GetStats(world).contactSteps, 2);
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts);
    double load = 0.0;
    for (int k = 0; k < count; k++) {
        load += contacts[k].point.z < 0.01 ? fabs(contacts[k].force.z) : 0.0; // on the ground
    }
    ctAssertClose(load, 2.0 * G * ctBody_GetMass(world, stands), 2e-9);
    ctAssertClose(ctBody_GetCenter(world, stands).z, 0.05, 1e-12);
    finish();
}
END_TEST

START_TEST(what_sleeps_is_reported)
{
    makeWorld(0.5, 0.3);
    addPlane(ctV3(0, 0, 1));
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
    ctBodyDef def = boxAt(box, 0.0, 0.05), beside = boxAt(box, 0.1, 0.05);
    beside.motion = ct_motionFixed;
    ctBodyId stands = add(&def), wall = add(&beside);
    run(2.0);
    ck_assert(ctBody_IsAsleep(world, stands));
    for (int i = 0; i < 4; i++) {
        if (i == 2) {
            ck_assert(ctWorld_DestroyBody(world, wall, NULL));
        }
        run(1.0 / 60.0 + (i == 3 ? 2.0 : 0.0));
        const ctContact *contacts;
        int count = ctWorld_GetContacts(world, &contacts), besides = 0;
        double load = 0.0;
        for (int k = 0; k < count; k++) {
            load += contacts[k].force.z;
            besides += contacts[k].body1.index1 == wall.index1 || contacts[k].body2.index1 == wall.index1;
        }
        ck_assert_int_eq(besides > 0, i < 2);
        ctAssertClose(load, G * ctBody_GetMass(world, stands), 1e-9);
    }
    finish();
}
END_TEST

START_TEST(a_hit_wakes_the_whole_stack)
{
    Rest rest = threeAsleep();
    ctBodyDef ball = at(ctWorld_CreateSphere(world, 0.03, NULL), ctV3(-0.5, 0, 0.25));
    ball.velocity = ctV3(8, 0, 0);
    add(&ball);
    bool woken = false;
    for (int i = 0; i < 12; i++) {
        run(1.0 / 60.0);
        woken = woken || !ctBody_IsAsleep(world, rest.bodies[0]);
    }
    ck_assert(woken); // by the push of friction on the boxes below the one that is hit
    ck_assert(!ctBody_IsAsleep(world, rest.bodies[2]));
    ck_assert(ctBody_GetCenter(world, rest.bodies[2]).x > 1e-3);
    run(5.0);
    for (int i = 0; i < 3; i++) {
        ck_assert(ctBody_IsAsleep(world, rest.bodies[i]));
    }
    finish();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("resting");
    TCase *tc = tcase_create("resting");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_block_on_a_ramp_does_not_creep);
    tcase_add_test(tc, a_block_that_is_woken_again_and_again_does_not_creep);
    tcase_add_test(tc, a_block_slides_down_a_ramp);
    tcase_add_test(tc, a_block_thrown_up_a_ramp_stops_for_good);
    tcase_add_test(tc, the_bowling_hook);
    tcase_add_test(tc, one_ball_pushes_another);
    tcase_add_test(tc, rolling_over_a_seam);
    tcase_add_test(tc, a_ball_on_a_platter);
    tcase_add_test(tc, a_platter_takes_bodies_along);
    tcase_add_test(tc, a_ball_slides_off_a_hill);
    tcase_add_test(tc, a_sphere_and_a_block_rest);
    tcase_add_test(tc, a_stack_of_ten_boxes_stands);
    tcase_add_test(tc, a_tower_of_forty_boxes_stands);
    tcase_add_test(tc, a_pyramid_stands);
    tcase_add_test(tc, cards_lean_on_each_other);
    tcase_add_test(tc, what_sleeps_wakes);
    tcase_add_test(tc, what_lies_rests_at_once);
    tcase_add_test(tc, what_sleeps_is_reported);
    tcase_add_test(tc, a_hit_wakes_the_whole_stack);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
