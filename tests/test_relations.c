// The same world described otherwise moves the same. No answer is written down here: worlds are compared with each
// other, frame by frame, for as long as twins that start 1e-12 m away stay near: then nothing is chaotic, and
// rounding explains no difference.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define MAX_BODIES 12
#define APART 1e-12 // m: between a world and its twin
#define TWINS 4
#define CHAOTIC 1e-9 // m: a twin that has strayed as far says that rounding matters from here on

// ---- worlds as data ---------------------------------------------------------------------------

// An angle is a box without a quarter: its section is an L.
typedef enum Kind { kindSphere, kindBox, kindCylinder, kindCapsule, kindEllipsoid, kindCount, kindAngle } Kind;

typedef struct Thing {
    Kind kind;
    bool fixed;
    ctVec3 size; // m: radii, edges, or radius and height
    ctVec3 position, velocity, spin;
    ctQuat orientation;
} Thing;

typedef struct Scene {
    int count;
    Thing things[MAX_BODIES];
    double friction, restitution;
    bool floor;
} Scene;

// What a box, a cylinder, a cone or an angle is made of. An angle is cut into two boxes along one side, along the
// other, or into three.
typedef enum Drawn { drawnWhole, drawnHull, drawnHalves, drawnQuarters, drawnLathe, drawnAcross, drawnThirds } Drawn;

// How a scene is made into a world.
typedef struct Way {
    double fps;
    bool crowd;     // two hundred bodies far away
    bool balls;     // two hundred balls far away, larger ones
    bool compounds; // every body is a compound of one part, which is moved and turned in it
    bool turned;    // as a whole, with gravity
    bool mirrored;  // left is right
    bool reversed;  // bodies are made in the opposite order
    ctVec3 moved;   // m: as a whole
    double scale;   // lengths, with times as their square root; 0: one
    Drawn drawn;    // where the kind has such a form
    int twin;       // 0, or how each body starts APART from its place
} Way;

static ctQuat turnOf(const Way *way)
{
    return way->turned ? ctQuatExp(ctV3(0.7, -1.1, 0.4)) : ctQuatIdentity();
}

static double scaleOf(const Way *way)
{
    return way->scale > 0.0 ? way->scale : 1.0;
}

// A place, a velocity, a spin, an attitude as they are in a world made in a way. Shapes are their own mirror images.
static ctVec3 vectorIn(const Way *way, ctVec3 v)
{
    return ctRotate(turnOf(way), way->mirrored ? ctV3(-v.x, v.y, v.z) : v);
}

static ctVec3 placeIn(const Way *way, ctVec3 x)
{
    return ctAdd(way->moved, ctScale(scaleOf(way), vectorIn(way, x)));
}

static ctVec3 spinIn(const Way *way, ctVec3 w)
{
    return ctScale(1.0 / sqrt(scaleOf(way)), ctRotate(turnOf(way), way->mirrored ? ctV3(w.x, -w.y, -w.z) : w));
}

static ctQuat attitudeIn(const Way *way, ctQuat q)
{
    return ctMulQ(turnOf(way), way->mirrored ? ctQuatOf(q.w, q.x, -q.y, -q.z) : q);
}

// Two halves of a box or of a cylinder, one on the other.
static ctShapeId halvesOf(ctWorld *world, Kind kind, ctVec3 s)
{
    bool box = kind == kindBox;
    ctShapeId half = box ? ctWorld_CreateBox(world, ctV3(0.5 * s.x, s.y, s.z), NULL)
                         : ctWorld_CreateCylinder(world, s.x, 0.5 * s.y, NULL);
    ctVec3 aside = box ? ctV3(0.25 * s.x, 0.0, 0.0) : ctV3(0.0, 0.0, 0.25 * s.y);
    ctPart parts[2] = {{half, ctTransformOf(aside, ctQuatIdentity())},
                       {half, ctTransformOf(ctNeg(aside), ctQuatIdentity())}};
    return ctWorld_CreateCompound(world, parts, 2, NULL);
}

static ctShapeId hullOfBox(ctWorld *world, ctVec3 s)
{
    ctVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = ctScale(0.5, ctV3(i & 1 ? s.x : -s.x, i & 2 ? s.y : -s.y, i & 4 ? s.z : -s.z));
    }
    return ctWorld_CreateHull(world, corners, 8, NULL);
}

// The part of an angle from lo to hi, as shares of its half size.
static ctPart partOf(ctWorld *world, ctVec3 size, ctVec3 lo, ctVec3 hi)
{
    ctVec3 half = ctScale(0.5, size);
    return (ctPart){ctWorld_CreateBox(world, ctMul(half, ctSub(hi, lo)), NULL),
                    ctTransformOf(ctScale(0.5, ctMul(half, ctAdd(lo, hi))), ctQuatIdentity())};
}

static ctShapeId angleOf(ctWorld *world, ctVec3 s, Drawn drawn)
{
    bool across = drawn == drawnAcross, thirds = drawn == drawnThirds;
    ctPart parts[3];
    parts[0] = partOf(world, s, ctV3(-1, -1, -1), ctV3(across || thirds ? 0 : 1, across ? 1 : 0, 1));
    parts[1] =
        across ? partOf(world, s, ctV3(0, -1, -1), ctV3(1, 0, 1)) : partOf(world, s, ctV3(-1, 0, -1), ctV3(0, 1, 1));
    parts[2] = thirds ? partOf(world, s, ctV3(0, -1, -1), ctV3(1, 0, 1)) : parts[1];
    return ctWorld_CreateCompound(world, parts, thirds ? 3 : 2, NULL);
}

static ctShapeId shapeOf(ctWorld *world, const Thing *thing, const Way *way)
{
    ctVec3 s = ctScale(scaleOf(way), thing->size);
    if (thing->kind == kindAngle) {
        return angleOf(world, s, way->drawn);
    }
    if (way->drawn == drawnHull && thing->kind == kindBox) {
        return hullOfBox(world, s);
    }
    if (way->drawn == drawnHalves && (thing->kind == kindBox || thing->kind == kindCylinder)) {
        return halvesOf(world, thing->kind, s);
    }
    if (way->drawn == drawnQuarters && thing->kind == kindBox) {
        return ctTestBlock(world, ct_testQuarters, s);
    }
    if (way->drawn == drawnLathe && thing->kind == kindCylinder) {
        return ctWorld_CreateLathe(world, (double[2]){s.x, s.x}, (double[2]){-0.5 * s.y, 0.5 * s.y}, 2, NULL);
    }
    switch (thing->kind) {
    case kindSphere:
        return ctWorld_CreateSphere(world, s.x, NULL);
    case kindBox:
        return ctWorld_CreateBox(world, s, NULL);
    case kindCylinder:
        return ctWorld_CreateCylinder(world, s.x, s.y, NULL);
    case kindCapsule:
        return ctWorld_CreateCapsule(world, s.x, s.y, NULL);
    default:
        return ctWorld_CreateEllipsoid(world, s, NULL);
    }
}

static ctBodyId create(ctWorld *world, const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

// Where a part is in its compound.
static ctTransform partPose(void)
{
    return ctTransformOf(ctV3(0.3, -0.2, 0.15), ctQuatExp(ctV3(0.4, 0.7, -0.3)));
}

static void addThing(ctWorld *world, const Thing *thing, const Way *way)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = thing->fixed ? ct_motionFixed : ct_motionDynamic;
    def.shape = shapeOf(world, thing, way);
    def.position = placeIn(way, thing->position);
    def.orientation = attitudeIn(way, thing->orientation);
    def.velocity = ctScale(sqrt(scaleOf(way)), vectorIn(way, thing->velocity));
    def.spin = spinIn(way, thing->spin);
    if (way->compounds) {
        ctPart part = {def.shape, partPose()};
        def.shape = ctWorld_CreateCompound(world, &part, 1, NULL);
        def.orientation = ctMulQ(def.orientation, ctConjugate(part.pose.q));
        def.position = ctSub(def.position, ctRotate(def.orientation, part.pose.p));
    }
    create(world, &def);
}

// Stacks of boxes that fall over, and things of every kind but balls among them, a kilometre away.
static void addCrowd(ctWorld *world)
{
    ctRandom r = ctRandomSeed(99);
    for (int i = 0; i < 200; i++) {
        Thing thing = {.kind = i < 160 ? kindBox : (Kind)(1 + i % (kindCount - 1)), .size = ctV3(0.2, 0.2, 0.2)};
        int column = i / 5, level = i % 5;
        thing.size = i < 160 ? thing.size : ctRandomVec3(&r, 0.05, 0.12);
        thing.position = ctV3(1000.0 + 0.5 * (column % 8), 0.5 * (column / 8), 0.2 + 0.26 * level);
        thing.orientation = ctQuatExp(ctV3(0.02 * (level + 1), 0.01 * column, 0.1 * level));
        addThing(world, &thing, &(Way){.fps = 60.0});
    }
}

static void addBalls(ctWorld *world)
{
    ctRandom r = ctRandomSeed(98);
    for (int i = 0; i < 200; i++) {
        Thing thing = {.kind = kindSphere, .orientation = ctQuatIdentity()};
        thing.size.x = ctRandomUniform(&r, 0.1, 0.2);
        thing.position = ctV3(1000.0 + 0.5 * (i % 14), 0.5 * (i / 14), 0.6);
        thing.velocity = ctRandomVec3(&r, -3.0, 3.0);
        addThing(world, &thing, &(Way){.fps = 60.0});
    }
}

static ctWorld *make(const Scene *scene, const Way *way)
{
    ctError error = {0};
    ctWorldDef settings = ctDefaultWorldDef();
    settings.frameTime = sqrt(scaleOf(way)) / way->fps;
    settings.gravity = vectorIn(way, settings.gravity);
    ctWorld *world = ctWorld_Create(&settings, &error);
    ck_assert_msg(world != NULL, "%s", error.message);
    ctCoefficients pair = {.friction = scene->friction, .restitution = scene->restitution};
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
    for (int k = 0; k < scene->count; k++) {
        int i = way->reversed ? scene->count - 1 - k : k;
        Thing thing = scene->things[i];
        ctVec3 aside = ctV3(cos(3.0 * i + way->twin), sin(2.0 * i + way->twin), cos(i + 2.0 * way->twin));
        thing.position = ctMulAdd(thing.position, way->twin > 0 && !thing.fixed ? APART : 0.0, aside);
        addThing(world, &thing, way);
    }
    if (scene->floor) {
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionFixed;
        ctVec3 up = vectorIn(way, ctV3(0, 0, 1));
        def.shape = ctWorld_CreatePlane(world, up, ctDot(up, way->moved), NULL);
        create(world, &def);
    }
    if (way->crowd) {
        addCrowd(world);
    }
    if (way->balls) {
        addBalls(world);
    }
    return world;
}

// ---- comparing --------------------------------------------------------------------------------

// How far apart a body is in two worlds, the second made in a way: its centre, and a point of it that is its size away,
// m.
static double distanceOf(const Scene *scene, const ctWorld *a, const ctWorld *b, int body, const Way *way)
{
    double size = ctMaxElement(scene->things[body].size);
    ctBodyId one = ctWorld_GetBody(a, body), two = ctWorld_GetBody(b, way->reversed ? scene->count - 1 - body : body);
    ctQuat p = attitudeIn(way, ctBody_GetTransform(a, one).q), q = ctBody_GetTransform(b, two).q;
    q = way->compounds ? ctMulQ(q, partPose().q) : q;
    ctQuat turn = ctMulQ(p, ctConjugate(q));
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    double apart = ctDistance(placeIn(way, ctBody_GetCenter(a, one)), ctBody_GetCenter(b, two)) / scaleOf(way);
    return apart + 2.0 * sine * size;
}

static double farthest(const Scene *scene, const ctWorld *a, const ctWorld *b, const Way *way)
{
    double most = 0.0;
    for (int i = 0; i < scene->count; i++) {
        double d = distanceOf(scene, a, b, i, way);
        most = !(d <= most) ? d : most;
    }
    return most;
}

// How often in a second frames of both rates end, 1/s.
static int commonRate(const Way *one, const Way *other)
{
    int a = (int)(one->fps + 0.5), b = (int)(other->fps + 0.5);
    while (b > 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void step(ctWorld *world, int frames)
{
    ctError error = {0};
    for (int i = 0; i < frames; i++) {
        ck_assert_msg(ctWorld_Step(world, &error), "%s", error.message);
    }
}

// The largest distance between the world made in the two ways, while its twins stay near.
static double compare(const Scene *scene, const Way *one, const Way *other, double seconds)
{
    ctWorld *a = make(scene, one), *b = make(scene, other), *twins[TWINS];
    for (int i = 0; i < TWINS; i++) {
        Way near = *one;
        near.twin = i + 1;
        twins[i] = make(scene, &near);
    }
    double most = 0.0, astray = 0.0;
    int frames = (int)(one->fps + 0.5) / commonRate(one, other);
    for (int i = 0; i < (int)(seconds * one->fps / frames + 0.5); i++) {
        step(a, frames);
        step(b, (int)(frames * other->fps / one->fps + 0.5));
        for (int k = 0; k < TWINS; k++) {
            step(twins[k], frames);
            astray = fmax(astray, farthest(scene, a, twins[k], one));
        }
        if (astray > CHAOTIC) {
            break;
        }
        most = fmax(most, farthest(scene, a, b, other));
    }
    ctWorld_Destroy(a);
    ctWorld_Destroy(b);
    for (int i = 0; i < TWINS; i++) {
        ctWorld_Destroy(twins[i]);
    }
    return most;
}

// ---- random worlds ----------------------------------------------------------------------------

// kind: of all things; kindCount: any.
static Thing anyThing(ctRandom *r, ctVec3 place, Kind kind)
{
    Kind any = (Kind)ctRandomInt(r, 0, kindCount - 1);
    Thing t = {.kind = kind == kindCount ? any : kind, .position = place};
    t.size = ctV3(ctRandomUniform(r, 0.05, 0.1), ctRandomUniform(r, 0.05, 0.1), ctRandomUniform(r, 0.05, 0.1));
    t.orientation = ctQuatExp(ctRandomVec3(r, -2.0, 2.0));
    t.velocity = ctRandomVec3(r, -1.0, 1.0);
    t.spin = ctRandomVec3(r, -5.0, 5.0);
    return t;
}

// Whether bodies are the same in two worlds, bit for bit.
static bool isSame(const Scene *scene, const ctWorld *a, const ctWorld *b)
{
    for (int i = 0; i < scene->count; i++) {
        ctBodyId one = ctWorld_GetBody(a, i), two = ctWorld_GetBody(b, i);
        ctTransform p = ctBody_GetTransform(a, one), q = ctBody_GetTransform(b, two);
        ctVec3 v = ctSub(ctBody_GetVelocity(a, one), ctBody_GetVelocity(b, two));
        ctVec3 w = ctSub(ctBody_GetSpin(a, one), ctBody_GetSpin(b, two));
        bool turned = p.q.w != q.q.w || p.q.x != q.q.x || p.q.y != q.q.y || p.q.z != q.q.z;
        if (turned || ctDistance(p.p, q.p) != 0.0 || ctLength(v) != 0.0 || ctLength(w) != 0.0) {
            return false;
        }
    }
    return true;
}

// Bodies on a grid above a floor, with a fixed block in their way.
static Scene anyScene(int seed, int count, Kind kind)
{
    ctRandom r = ctRandomSeed((uint64_t)seed);
    Scene s = {.count = count, .friction = ctRandomUniform(&r, 0.0, 0.8), .restitution = ctRandomUniform(&r, 0.0, 0.9)};
    s.floor = true;
    for (int i = 0; i < count; i++) {
        s.things[i] = anyThing(&r, ctV3(0.3 * (i % 2), 0.3 * (i / 2 % 2), 0.4 + 0.3 * (i / 4)), kind);
    }
    s.things[count - 1] = (Thing){.kind = kindBox,
                                  .fixed = true,
                                  .size = ctV3(0.2, 0.3, 0.1),
                                  .position = ctV3(0.1, 0.1, 0.05),
                                  .orientation = ctQuatExp(ctV3(0, 0, 0.3))};
    return s;
}

// A stack of 4 to 11 boxes, turned a little about the vertical, one of which is pushed.
static Scene anyStack(int seed)
{
    ctRandom r = ctRandomSeed((uint64_t)seed);
    Scene s = {.count = 4 + seed % 8, .friction = ctRandomUniform(&r, 0.2, 0.8)};
    s.restitution = ctRandomUniform(&r, 0.0, 0.5);
    s.floor = true;
    for (int i = 0; i < s.count; i++) {
        ctVec3 aside = ctRandomVec3(&r, -0.005, 0.005), push = ctRandomVec3(&r, -0.5, 0.5);
        s.things[i] = (Thing){.kind = kindBox,
                              .size = ctV3(0.1, 0.1, 0.05),
                              .position = ctV3(aside.x, aside.y, 0.025 + 0.05 * i),
                              .velocity = i == seed % s.count ? ctV3(push.x, push.y, 0.0) : ctZero3(),
                              .orientation = ctQuatExp(ctV3(0, 0, 40.0 * aside.z))};
    }
    return s;
}

// A row of 4 to 12 dominoes, the first of which is pushed over.
static Scene anyRow(int seed)
{
    ctRandom r = ctRandomSeed((uint64_t)seed);
    Scene s = {.count = 4 + seed % 9, .friction = ctRandomUniform(&r, 0.2, 0.6), .floor = true};
    s.restitution = ctRandomUniform(&r, 0.0, 0.5);
    double gap = ctRandomUniform(&r, 0.015, 0.03);
    for (int i = 0; i < s.count; i++) {
        s.things[i] = (Thing){.kind = kindBox,
                              .size = ctV3(0.0075, 0.024, 0.048),
                              .position = ctV3(gap * i, 0.0, 0.024),
                              .orientation = ctQuatExp(ctV3(0, 0, ctRandomUniform(&r, -0.05, 0.05)))};
    }
    s.things[0].spin = ctV3(0.0, 3.0, 0.0);
    s.things[0].velocity = ctV3(0.072, 0.0, 0.0);
    return s;
}

static const Way usual = {.fps = 60.0};

START_TEST(a_compound_of_one_part_moves_as_the_part)
{
    Way way = {.fps = 60.0, .compounds = true};
    for (int seed = 1; seed <= ctTestCases(40); seed++) {
        Scene scene = anyScene(seed, 2 + seed % (MAX_BODIES - 1), kindCount);
        ctAssertClose(compare(&scene, &usual, &way, 1.0), 0.0, 1e-7);
    }
}
END_TEST

START_TEST(a_world_that_is_elsewhere_moves_the_same)
{
    Way way = {.fps = 60.0, .moved = ctV3(3, -2, 1.5)};
    for (int seed = 1; seed <= ctTestCases(30); seed++) {
        Scene scene = anyScene(seed, 2 + seed % (MAX_BODIES - 1), kindCount);
        ctAssertClose(compare(&scene, &usual, &way, 1.0), 0.0, 1e-9);
    }
}
END_TEST

// A body that falls on the floor or on a block, whichever of them was made first. Solutions with several bodies are
// found to a tolerance, from one end of the list to the other: there order is seen.
START_TEST(the_order_of_creation_does_not_matter_to_one_body)
{
    Way way = {.fps = 60.0, .reversed = true};
    for (int seed = 1; seed <= ctTestCases(60); seed++) {
        Scene scene = anyScene(seed, 2, (Kind)(seed % kindCount));
        ctAssertClose(compare(&scene, &usual, &way, 1.0), 0.0, 1e-9);
    }
}
END_TEST

// A ball that falls, bounces, slides and rolls, off a block and on: turned and mirrored, and at half the frame rate.
START_TEST(a_ball_is_the_same_however_it_is_seen)
{
    Way ways[3] = {{.fps = 60.0, .turned = true}, {.fps = 60.0, .mirrored = true}, {.fps = 30.0}};
    for (int i = 0; i < 3 * ctTestCases(40); i++) {
        Scene scene = anyScene(1 + i / 3, 2, kindSphere);
        ctAssertClose(compare(&scene, &usual, &ways[i % 3], 1.0), 0.0, 1e-9);
    }
}
END_TEST

// Boxes, capsules, ellipsoids and cylinders that fall, bounce, tip, rock, roll and slide to a stop, on the floor and
// over a block: the same turned, mirrored and at other frame rates.
START_TEST(a_body_lands_the_same_however_it_is_seen)
{
    static const Kind kinds[4] = {kindBox, kindCapsule, kindEllipsoid, kindCylinder};
    Way ways[5] = {
        {.fps = 60.0, .turned = true}, {.fps = 60.0, .mirrored = true}, {.fps = 30.0}, {.fps = 300.0}, {.fps = 1020.0}};
    for (int k = 0; k < 5; k++) {
        int differ = 0;
        for (int i = 0; i < 4 * ctTestCases(16); i++) {
            Scene scene = anyScene(1 + i / 4, 2, kinds[i % 4]);
            differ += compare(&scene, &usual, &ways[k], 1.0) > 1e-9;
        }
        ck_assert_msg(differ == 0, "%d differ, way %d", differ, k);
    }
}
END_TEST

// A world s times as large, whose times are longer by sqrt(s), under the same gravity. Where s is a power of four all
// numbers change by powers of two, without rounding: a constant with a unit anywhere would show in the last bit,
// however chaotic the motion is.
static void assertSameAt(const Scene *scene, double scale, int seed, double seconds)
{
    Way way = {.fps = 60.0, .scale = scale};
    ctWorld *a = make(scene, &usual), *b = make(scene, &way);
    for (int frame = 0; frame < (int)(60.0 * seconds); frame++) {
        step(a, 1);
        step(b, 1);
        for (int i = 0; i < scene->count; i++) {
            ctBodyId one = ctWorld_GetBody(a, i), two = ctWorld_GetBody(b, i);
            ctTransform p = ctBody_GetTransform(a, one), q = ctBody_GetTransform(b, two);
            ctVec3 v = ctScale(sqrt(scale), ctBody_GetVelocity(a, one)), w = ctBody_GetSpin(a, one);
            bool same = ctDistance(ctScale(scale, p.p), q.p) == 0.0 && ctDistance(v, ctBody_GetVelocity(b, two)) == 0.0;
            same = same && ctDistance(w, ctScale(sqrt(scale), ctBody_GetSpin(b, two))) == 0.0 &&
                   ctBody_IsAsleep(a, one) == ctBody_IsAsleep(b, two);
            ctRequire(same && p.q.w == q.q.w && p.q.x == q.q.x && p.q.y == q.q.y && p.q.z == q.q.z,
                      "seed %d, %g times as large: body %d differs in frame %d", seed, scale, i, frame);
        }
    }
    ctWorld_Destroy(a);
    ctWorld_Destroy(b);
}

START_TEST(a_body_moves_the_same_at_every_size)
{
    static const double scales[3] = {4.0, 0.25, 16.0};
    for (int i = 0; i < (int)kindCount * ctTestCases(24); i++) {
        Scene scene = anyScene(1 + i / (int)kindCount, 2, (Kind)(i % (int)kindCount));
        assertSameAt(&scene, scales[i % 3], i, 1.5);
    }
}
END_TEST

START_TEST(worlds_move_the_same_at_every_size)
{
    for (int seed = 1; seed <= ctTestCases(24); seed++) {
        Scene scene = anyScene(seed, 5 + seed % (MAX_BODIES - 4), seed % 6 == 0 ? kindSphere : kindCount);
        assertSameAt(&scene, seed % 2 == 0 ? 4.0 : 0.0625, seed, 1.0);
    }
}
END_TEST

START_TEST(stacks_and_rows_move_the_same_at_every_size)
{
    for (int seed = 1; seed <= ctTestCases(24); seed++) {
        Scene scene = seed % 2 == 0 ? anyStack(seed) : anyRow(seed);
        assertSameAt(&scene, seed % 4 < 2 ? 4.0 : 0.25, seed, 1.0);
    }
}
END_TEST

// A box is the hull of its corners, its two halves and its quarters; a cylinder is a lathe and its two halves.
START_TEST(a_solid_moves_the_same_however_it_is_drawn)
{
    static const struct {
        Kind kind;
        Drawn drawn;
        double near; // m
    } cases[5] = {{kindBox, drawnHull, 1e-8},
                  {kindCylinder, drawnLathe, 1e-9},
                  {kindBox, drawnHalves, 1e-9},
                  {kindBox, drawnQuarters, 1e-9},
                  {kindCylinder, drawnHalves, 1e-9}};
    for (int k = 0; k < 5; k++) {
        Way way = {.fps = 60.0, .drawn = cases[k].drawn};
        for (int i = 0; i < ctTestCases(30); i++) {
            Scene scene = anyScene(1 + i, 2, cases[k].kind);
            ctAssertClose(compare(&scene, &usual, &way, 0.6), 0.0, cases[k].near);
        }
    }
}
END_TEST

// Two boxes squarely one above the other, but for a shift, fall flat: their faces strike, tilt by a thousandth, and
// strike again where edges cross, along the normal of both edges. However they are drawn and seen.
START_TEST(faces_strike_the_same_however_they_are_seen)
{
    Way ways[3] = {{.fps = 60.0, .drawn = drawnHull}, {.fps = 60.0, .mirrored = true}, {.fps = 60.0, .turned = true}};
    for (int i = 0; i < 3 * ctTestCases(20); i++) {
        ctRandom r = ctRandomSeed((uint64_t)(1 + i / 3));
        Scene scene = anyStack(1 + i / 3);
        scene.count = 2;
        scene.friction = 0.0;
        scene.restitution = 0.5;
        for (int k = 0; k < 2; k++) {
            scene.things[k].position.z += 0.02 * (k + 1) + ctRandomUniform(&r, 0.0, 0.01);
            scene.things[k].orientation = ctQuatIdentity();
            scene.things[k].velocity = ctZero3();
        }
        ctAssertClose(compare(&scene, &usual, &ways[i % 3], 0.12), 0.0, 1e-9);
    }
}
END_TEST

// Boxes of quarters on boxes of quarters, which slide and turn on each other.
START_TEST(a_stack_of_quarters_is_a_stack_of_boxes)
{
    Way way = {.fps = 60.0, .drawn = drawnQuarters};
    for (int seed = 1; seed <= ctTestCases(16); seed++) {
        Scene scene = anyStack(seed);
        scene.count = 2 + seed % 4;
        ctAssertClose(compare(&scene, &usual, &way, 0.3), 0.0, 1e-9);
    }
}
END_TEST

// The corners at the seams of an angle are no corners of it: it is the same however it is cut, to what the rounding of
// its edges grows to.
START_TEST(an_angle_moves_the_same_however_it_is_cut)
{
    static const Drawn ways[2] = {drawnAcross, drawnThirds};
    for (int i = 0; i < 2 * ctTestCases(60); i++) {
        Scene scene = anyScene(1 + i / 2, 2, kindAngle);
        ctAssertClose(compare(&scene, &usual, &(Way){.fps = 60.0, .drawn = ways[i % 2]}, 0.6), 0.0, 1e-5);
    }
}
END_TEST

// Steps and plans do not end where frames do: where frames end they are read from, and go on. At moments that are the
// ends of frames at both rates worlds are the same, bit for bit, although the least change would grow to 1e-5 m.
static void assertNoFrames(const Scene *scene, int seed, double seconds)
{
    static const double rates[4] = {30.0, 144.0, 250.0, 1000.0};
    Way way = {.fps = rates[seed % 4]};
    ctWorld *a = make(scene, &usual), *b = make(scene, &way);
    int common = commonRate(&usual, &way);
    for (int k = 0; k < (int)(seconds * common); k++) {
        step(a, 60 / common);
        step(b, (int)(way.fps + 0.5) / common);
        ctRequire(isSame(scene, a, b), "seed %d at %g frames per second: %g m after %d / %d s", seed, way.fps,
                  farthest(scene, a, b, &way), k + 1, common);
    }
    ctWorld_Destroy(a);
    ctWorld_Destroy(b);
}

START_TEST(frames_do_not_show)
{
    for (int seed = 1; seed <= ctTestCases(48); seed++) {
        Scene scene = anyScene(seed, 2 + seed % (MAX_BODIES - 1), kindCount);
        assertNoFrames(&scene, seed, 1.5);
    }
}
END_TEST

START_TEST(frames_do_not_show_in_a_stack)
{
    for (int seed = 1; seed <= ctTestCases(32); seed++) {
        Scene scene = anyStack(seed);
        assertNoFrames(&scene, seed, 0.6);
    }
}
END_TEST

// A push in the middle of a step meets the velocities that all forces up to then have given: the time at which the
// program gets its turn does not matter to where a pushed stack goes, beyond the error of the steps.
START_TEST(a_push_between_frames_ends_the_step)
{
    for (int seed = 1; seed <= ctTestCases(8); seed++) {
        Scene scene = anyStack(seed);
        Way ways[2] = {{.fps = 480.0}, {.fps = 1440.0}}; // the second: a third and two thirds into a step
        double speeds[2];
        for (int k = 0; k < 2; k++) {
            ctWorld *world = make(&scene, &ways[k]);
            step(world, k == 0 ? 48 : 143);
            ctBodyId body = ctWorld_GetBody(world, seed % scene.count);
            double mass = ctBody_GetMassData(world, body).mass;
            ctStats before = ctWorld_GetStats(world);
            ck_assert(ctBody_ApplyImpulse(world, body, ctV3(0.1 * mass, 0, 0), ctBody_GetCenter(world, body), NULL));
            ctStats after = ctWorld_GetStats(world);
            ctAssertClose(after.momentum.x - before.momentum.x, 0.1 * mass, 1e-3 * mass);
            step(world, k == 0 ? 24 : 73);
            speeds[k] = ctBody_GetCenter(world, body).x;
            ctWorld_Destroy(world);
        }
        ctAssertClose(speeds[0], speeds[1], 2e-4);
    }
}
END_TEST

// What the program reads in the middle of a step: contacts carry the weight in every frame, and energy is accounted for
// to rounding.
START_TEST(frames_shorter_than_a_step_are_told_the_same)
{
    for (int seed = 1; seed <= ctTestCases(8); seed++) {
        Scene scene = anyStack(seed);
        for (int i = 0; i < scene.count; i++) {
            scene.things[i].velocity = ctZero3();
        }
        ctWorld *world = make(&scene, &(Way){.fps = 1000.0});
        double weight = 0.0;
        for (int i = 0; i < scene.count; i++) {
            weight += 9.81 * ctBody_GetMassData(world, ctWorld_GetBody(world, i)).mass;
        }
        ctBodyId top = ctWorld_GetBody(world, scene.count - 1), floor = ctWorld_GetBody(world, scene.count);
        for (int frame = 0; frame < 400; frame++) {
            if (frame == 200) {
                ck_assert(ctBody_SetVelocity(world, top, ctV3(0.4, 0.1, 0.0), ctZero3(), NULL));
            }
            step(world, 1);
            ctVec3 normal;
            ctWorld_GetContactForce(world, floor, (ctBodyId){0}, &normal, NULL);
            ctRequire(frame < 20 || frame >= 200 || fabs(normal.z + weight) < 1e-6 * weight, "%g N of %g in frame %d",
                      normal.z, weight, frame);
            ctStats s = ctWorld_GetStats(world);
            double sum = s.givenEnergy + s.kinematicWork + s.pushWork + s.stepError - s.frictionLoss -
                         s.restitutionLoss - s.contactLoss;
            ctAssertClose(s.kineticEnergy + s.potentialEnergy, sum, 1e-12);
            ctRequire(fabs(s.stepError) < 1e-3 * (s.frictionLoss + s.contactLoss) + 1e-6, "%g J in frame %d",
                      s.stepError, frame);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// Bodies of all kinds, saved again and again while they fall, land and come to rest, at the ends of steps and in the
// middle of them.
START_TEST(a_loaded_world_goes_on_bit_for_bit)
{
    for (int seed = 1; seed <= ctTestCases(48); seed++) {
        Scene scene = seed % 6 == 0 ? anyStack(seed) : anyScene(seed, 2 + seed % (MAX_BODIES - 1), kindCount);
        ctWorld *world = make(&scene, seed % 2 == 0 ? &usual : &(Way){.fps = 144.0}), *copy = NULL;
        for (int frame = 0; frame < 60; frame++) {
            if (frame % 6 == 0) {
                ctWorld_Destroy(copy);
                copy = ctTestCopy(world);
            }
            step(world, 1);
            step(copy, 1);
            ck_assert_msg(ctWorld_Hash(world) == ctWorld_Hash(copy), "seed %d frame %d", seed, frame);
        }
        ctWorld_Destroy(world);
        ctWorld_Destroy(copy);
    }
}
END_TEST

// Twelve balls among each other.
START_TEST(balls_are_the_same_mirrored)
{
    Way way = {.fps = 60.0, .mirrored = true};
    for (int seed = 1; seed <= ctTestCases(10); seed++) {
        Scene scene = anyScene(seed, MAX_BODIES, kindSphere);
        ctAssertClose(compare(&scene, &usual, &way, 1.0), 0.0, 1e-9);
    }
}
END_TEST

// Fails unless bodies move in company as they do alone, bit for bit.
static void requireSame(const Scene *scene, const Way *company, int seed)
{
    ctWorld *alone = make(scene, &usual), *beside = make(scene, company);
    for (int i = 0; i < 60; i++) {
        step(alone, 1);
        step(beside, 1);
        ctRequire(isSame(scene, alone, beside), "seed %d, frame %d", seed, i);
    }
    ctWorld_Destroy(alone);
    ctWorld_Destroy(beside);
}

START_TEST(bodies_far_away_change_nothing)
{
    Way company = {.fps = 60.0, .crowd = true};
    for (int seed = 1; seed <= ctTestCases(3); seed++) {
        Scene scene = anyScene(seed, MAX_BODIES, kindCount);
        requireSame(&scene, &company, seed);
    }
}
END_TEST

// The cells in which balls find each other are as large as the balls of the whole world need. When two of them meet, or
// one meets the floor, does not depend on that.
START_TEST(balls_far_away_change_nothing_for_balls)
{
    Way company = {.fps = 60.0, .balls = true};
    for (int seed = 1; seed <= ctTestCases(40); seed++) {
        Scene scene = anyScene(seed, MAX_BODIES, kindSphere);
        scene.count--;           // without the block
        scene.restitution = 0.9; // so that none comes to rest
        requireSame(&scene, &company, seed);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("relations");
    TCase *tests = tcase_create("relations");
    tcase_set_timeout(tests, 120.0);
    tcase_add_test(tests, a_compound_of_one_part_moves_as_the_part);
    tcase_add_test(tests, a_world_that_is_elsewhere_moves_the_same);
    tcase_add_test(tests, the_order_of_creation_does_not_matter_to_one_body);
    tcase_add_test(tests, a_ball_is_the_same_however_it_is_seen);
    tcase_add_test(tests, a_body_lands_the_same_however_it_is_seen);
    tcase_add_test(tests, a_body_moves_the_same_at_every_size);
    tcase_add_test(tests, worlds_move_the_same_at_every_size);
    tcase_add_test(tests, stacks_and_rows_move_the_same_at_every_size);
    tcase_add_test(tests, frames_do_not_show);
    tcase_add_test(tests, frames_do_not_show_in_a_stack);
    tcase_add_test(tests, a_push_between_frames_ends_the_step);
    tcase_add_test(tests, frames_shorter_than_a_step_are_told_the_same);
    tcase_add_test(tests, a_solid_moves_the_same_however_it_is_drawn);
    tcase_add_test(tests, faces_strike_the_same_however_they_are_seen);
    tcase_add_test(tests, a_stack_of_quarters_is_a_stack_of_boxes);
    tcase_add_test(tests, an_angle_moves_the_same_however_it_is_cut);
    tcase_add_test(tests, a_loaded_world_goes_on_bit_for_bit);
    tcase_add_test(tests, balls_are_the_same_mirrored);
    tcase_add_test(tests, bodies_far_away_change_nothing);
    tcase_add_test(tests, balls_far_away_change_nothing_for_balls);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
