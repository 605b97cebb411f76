// Resistance to rolling and to spinning: torques of a length times the load. Ways to a stop in closed form, for every
// shape, on each other, on slopes and on ground that moves; and the limit of no resistance.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

// Each case runs at four frame rates, as it is drawn and turned as a whole.
enum { RATES = 4, WAYS = 2 * RATES };
static const double rates[RATES] = {30.0, 60.0, 144.0, 1000.0};
static ctWorld *world;
static ctQuat turned;

// slope: of the floor, falling along x.
static void makeWorld(int way, ctCoefficients material, double slope)
{
    turned = ctQuatExp(way < RATES ? ctZero3() : ctV3(0.4, -0.7, 0.3));
    world = ctTestWorld(ctRotate(turned, ctV3(G * sin(slope), 0, -G * cos(slope))), 0.0, 0.0);
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / rates[way % RATES], NULL));
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, material, NULL));
}

static void addFloor(void)
{
    ctTestPlane(world, ctRotate(turned, ctV3(0, 0, 1)), 0.0);
}

static ctMaterialId newMaterial(const char *name, ctCoefficients self)
{
    ctMaterialDef def = ctDefaultMaterialDef();
    ctMaterialId id;
    def.name = name;
    def.self = self;
    ck_assert(ctWorld_CreateMaterial(world, &def, &id, NULL));
    return id;
}

// A body of 1 kg, in coordinates that are not turned.
static ctBodyDef bodyOf(ctShapeId shape, ctVec3 position, ctVec3 velocity, ctVec3 spin)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.mass = 1.0;
    def.position = position;
    def.velocity = velocity;
    def.spin = spin;
    return def;
}

static ctBodyId add(ctBodyDef def)
{
    def.position = ctRotate(turned, def.position);
    def.orientation = ctMulQ(turned, def.orientation);
    def.velocity = ctRotate(turned, def.velocity);
    def.spin = ctRotate(turned, def.spin);
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

// The same as a compound of one part, which is displaced and turned in it.
static ctBodyDef wrapped(ctBodyDef def)
{
    ctPart part = {def.shape, {ctV3(0.01, 0.02, 0.005), ctQuatExp(ctV3(0.3, 0.2, 0.1))}};
    def.shape = ctWorld_CreateCompound(world, &part, 1, NULL);
    def.orientation = ctMulQ(def.orientation, ctConjugate(part.pose.q));
    def.position = ctSub(def.position, ctRotate(def.orientation, part.pose.p));
    return def;
}

static ctVec3 centre(ctBodyId body)
{
    return ctInvRotate(turned, ctBody_GetCenter(world, body));
}

static ctVec3 spin(ctBodyId body)
{
    return ctInvRotate(turned, ctBody_GetSpin(world, body));
}

static ctShapeId ball(int kind, double r)
{
    return kind == 1 ? ctWorld_CreateEllipsoid(world, ctV3(r, r, r), NULL) : ctWorld_CreateSphere(world, r, NULL);
}

// A ball as a sphere, as an ellipsoid of equal axes, or as a compound of one part.
enum { BALLS = 3 };
static ctBodyId addBall(int kind, double r, ctVec3 position, ctVec3 velocity, ctMaterialId material, double mass)
{
    ctBodyDef def = bodyOf(ball(kind, r), position, velocity, ctV3(-velocity.y / r, velocity.x / r, 0));
    def.material = material;
    def.mass = mass;
    return add(kind == 2 ? wrapped(def) : def);
}

// ---- one body on the ground -------------------------------------------------------------------

// What rolls along x about an axis across it, with the moment I and the radius r, slows down by rho g / (r (1 + I / m
// r^2)), and stays where it stops.
START_TEST(what_rolls_stops_after_its_way)
{
    const double rho = 2e-3, v = 0.5, r = 0.05;
    for (int i = 0; i < 2 * WAYS; i++) {
        makeWorld(i / 2, (ctCoefficients){.friction = 0.6, .rolling = rho}, 0.0);
        addFloor();
        ctShapeId shapes[] = {ball(0, r),
                              ball(1, r),
                              ctWorld_CreateHollowSphere(world, r, NULL),
                              ctWorld_CreateCylinder(world, r, 0.12, NULL),
                              ctWorld_CreateCapsule(world, r, 0.1, NULL),
                              ctWorld_CreateEllipsoid(world, ctV3(r, r, 0.09), NULL)};
        ctBodyDef def = bodyOf(shapes[_i], ctV3(0, 0, r), ctV3(v, 0, 0), ctV3(0, v / r, 0));
        def.orientation = ctQuatExp(ctV3(1.57079632679489661923, 0, 0));
        ctBodyId id = add(i % 2 == 1 ? wrapped(def) : def);
        ctVec3 axis = ctInvRotate(ctBody_GetTransform(world, id).q, ctRotate(turned, ctV3(0, 1, 0)));
        double share = ctDot(axis, ctMulMV(ctBody_GetInertia(world, id), axis)) / (r * r);
        double slowing = rho * G / r / (1.0 + share), way = 0.5 * v * v / slowing;
        ctTestRun(world, 3.0);
        ck_assert(ctBody_IsAsleep(world, id) && v / slowing < 2.5);
        ctVec3 x = centre(id);
        ctRequire(ctDistance(x, ctV3(way, 0, r)) < 2e-9, "case %d: %g m off", i, ctDistance(x, ctV3(way, 0, r)));
        ctTestFinish(world);
    }
}
END_TEST

// A cone on its side rolls around its tip. Its spin is along the line of contact, about which it has the moment I, and
// falls by rho m g / I.
START_TEST(a_cone_stops_on_its_way_around_its_tip)
{
    const double rho = 1e-3, r = 0.05, h = 0.1, t = atan2(r, h), d = 0.75 * h, w = 6.0;
    const double moment = 0.3 * r * r * cos(t) * cos(t) + (0.15 * r * r + 0.0375 * h * h + d * d) * sin(t) * sin(t);
    const double slowing = rho * G / moment, angle = 0.5 * w * w / slowing * tan(t);
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){.friction = 0.6, .rolling = rho}, 0.0);
        addFloor();
        ctBodyDef def = bodyOf(ctWorld_CreateCone(world, r, h, NULL), ctV3(0, 0, 1), ctZero3(), ctZero3());
        def.orientation = ctQuatExp(ctV3(0, -1.57079632679489661923 - t, 0));
        ctBodyId cone = add(def);
        ctVec3 there = ctV3(d * cos(t), 0, d * sin(t)), u = ctV3(w, 0, 0);
        ctTransform pose = ctBody_GetTransform(world, cone);
        pose.p = ctAdd(pose.p, ctRotate(turned, ctSub(there, centre(cone))));
        ck_assert(ctBody_SetTransform(world, cone, pose, NULL));
        ck_assert(ctBody_SetVelocity(world, cone, ctRotate(turned, ctCross(u, there)), ctRotate(turned, u), NULL));
        ctTestRun(world, 3.0);
        ck_assert(ctBody_IsAsleep(world, cone) && w / slowing < 2.5);
        ctVec3 want = ctV3(there.x * cos(angle), -there.x * sin(angle), there.z);
        ctRequire(ctDistance(centre(cone), want) < 1e-8, "way %d: %g m off", i, ctDistance(centre(cone), want));
        ctTestFinish(world);
    }
}
END_TEST

// A ball and a flat ellipsoid that spin about the vertical stop after I w^2 / (2 spinning m g).
START_TEST(what_spins_stops_after_its_turn)
{
    const double sigma = 1e-3, w = 2.0, r = 0.05;
    for (int i = 0; i < 2 * WAYS; i++) {
        makeWorld(i / 2, (ctCoefficients){.friction = 0.6, .spinning = sigma}, 0.0);
        addFloor();
        double wide = i % 2 == 0 ? r : 0.08, slowing = sigma * G / (0.4 * wide * wide), angle = 0.5 * w * w / slowing;
        ctShapeId shape = i % 2 == 0 ? ball(0, r) : ctWorld_CreateEllipsoid(world, ctV3(wide, wide, r), NULL);
        ctBodyId id = add(bodyOf(shape, ctV3(0, 0, r), ctZero3(), ctV3(0, 0, w)));
        ctTestRun(world, 2.0);
        ck_assert(ctBody_IsAsleep(world, id));
        ctVec3 x = ctInvRotate(turned, ctRotate(ctBody_GetTransform(world, id).q, ctV3(1, 0, 0)));
        ctRequire(ctDistance(x, ctV3(cos(angle), sin(angle), 0)) < 5e-9, "case %d: %g rad off", i,
                  ctDistance(x, ctV3(cos(angle), sin(angle), 0)));
        ctTestFinish(world);
    }
}
END_TEST

// A ball rolls up a slope. It stops, and rolls back if rho cos < r sin; otherwise resistance holds it there.
START_TEST(a_ball_on_a_slope_turns_back_or_is_held)
{
    static const double slopes[2] = {0.2, 0.1}, rhos[2] = {1e-3, 6e-3};
    const double r = 0.05, v = 1.0;
    for (int i = 0; i < 2 * WAYS; i++) {
        double slope = slopes[i % 2], rho = rhos[i % 2], drag = rho * G * cos(slope) / r, pull = G * sin(slope);
        makeWorld(i / 2, (ctCoefficients){.friction = 0.6, .rolling = rho}, slope);
        addFloor();
        ctBodyId id = addBall(_i, r, ctV3(0, 0, r), ctV3(-v, 0, 0), (ctMaterialId){0}, 1.0);
        double up = (pull + drag) / 1.4, down = ctFmax(0.0, pull - drag) / 1.4, left = 1.0 - v / up;
        ctTestRun(world, 1.0);
        ctAssertClose(centre(id).x, -0.5 * v * v / up + 0.5 * down * left * left, 1e-11);
        ctTestRun(world, 1.0);
        ck_assert(down > 0.0 || ctBody_IsAsleep(world, id));
        ctTestFinish(world);
    }
}
END_TEST

// The rates of place (2), velocity (2) and spin (2) of a ball of 1 kg.
typedef void Rates(const double *y, double r, double rho, double *k);

// It rolls on a platter that turns at 1 rad/s.
static void ratesOnPlatter(const double *y, double r, double rho, double *k)
{
    double moment = 0.4 * r * r, turn = sqrt(y[4] * y[4] + y[5] * y[5]), easy = 1.0 + r * r / moment;
    double tx = -rho * G * y[4] / turn, ty = -rho * G * y[5] / turn;
    double fx = (-y[3] + r * ty / moment) / easy, fy = (y[2] - r * tx / moment) / easy;
    k[0] = y[2];
    k[1] = y[3];
    k[2] = fx;
    k[3] = fy;
    k[4] = (tx + r * fy) / moment;
    k[5] = (ty - r * fx) / moment;
}

#define SLOPE 0.1
#define SLIP 0.2 // the friction

// It slides on a slope.
static void ratesOnSlope(const double *y, double r, double rho, double *k)
{
    double moment = 0.4 * r * r, turn = sqrt(y[4] * y[4] + y[5] * y[5]), load = G * cos(SLOPE);
    double ux = y[2] - r * y[5], uy = y[3] + r * y[4], slip = sqrt(ux * ux + uy * uy);
    double fx = -SLIP * load * ux / slip, fy = -SLIP * load * uy / slip;
    k[0] = y[2];
    k[1] = y[3];
    k[2] = fx + G * sin(SLOPE);
    k[3] = fy;
    k[4] = (r * fy - rho * load * y[4] / turn) / moment;
    k[5] = (-r * fx - rho * load * y[5] / turn) / moment;
}

// The classical Runge-Kutta method.
static void integrate(Rates *law, double r, double rho, double time, double *y)
{
    enum { STEPS = 4000 };
    const double h = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double k[4][6], z[6];
        for (int stage = 0; stage < 4; stage++) {
            for (int j = 0; j < 6; j++) {
                z[j] = y[j] + (stage == 0 ? 0.0 : stage == 3 ? h * k[2][j] : 0.5 * h * k[stage - 1][j]);
            }
            law(z, r, rho, k[stage]);
        }
        for (int j = 0; j < 6; j++) {
            y[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
}

// A ball that slides on a slope is turned aside by its weight, and by resistance to its rolling. A sphere takes general
// steps, whose friction turns with the slip; an ellipsoid has a course.
START_TEST(a_ball_slides_aside_on_a_slope)
{
    const double r = 0.05, time = 0.1;
    for (int i = 0; i < 2 * WAYS; i++) {
        double rho = 1e-3 * (i % 2), y[6] = {0, 0, 1, 0.3, 15, 10};
        ctVec3 v = ctV3(y[2], y[3], 0), w = ctV3(y[4], y[5], 0);
        integrate(ratesOnSlope, r, rho, time, y);
        makeWorld(i / 2, (ctCoefficients){.friction = SLIP, .rolling = rho}, SLOPE);
        ck_assert(ctWorld_SetFrameTime(world, time / (3 << i / 2 % RATES), NULL));
        addFloor();
        ctBodyDef def = bodyOf(ball(_i, r), ctV3(0, 0, r), v, w);
        ctBodyId id = add(_i == 2 ? wrapped(def) : def);
        ctTestRun(world, time);
        ctAssertClose(ctDistance(centre(id), ctV3(y[0], y[1], r)), 0.0, _i == 1 ? 1e-10 : 1e-6);
        ctAssertClose(r * ctDistance(spin(id), ctV3(y[4], y[5], 0)), 0.0, _i == 1 ? 1e-9 : 2e-5);
        ctTestFinish(world);
    }
}
END_TEST

// A ball rolls with resistance on a platter that turns.
START_TEST(a_ball_rolls_on_a_platter)
{
    const double r = 0.05, rho = 2e-4, time = 2.0;
    ctVec3 x = ctV3(0.5, 0, r), v = ctV3(0, 0.3, 0), w = ctV3(0.2 / r, 0, 0);
    double y[6] = {x.x, x.y, v.x, v.y, w.x, w.y};
    integrate(ratesOnPlatter, r, rho, time, y);
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){.friction = 0.6, .rolling = rho}, 0.0);
        ctBodyDef def =
            bodyOf(ctWorld_CreateCylinder(world, 2.0, 0.2, NULL), ctV3(0, 0, -0.1), ctZero3(), ctV3(0, 0, 1));
        def.motion = ct_motionKinematic;
        add(def);
        def = bodyOf(ball(_i, r), x, v, w);
        ctBodyId id = add(_i == 2 ? wrapped(def) : def);
        ctTestRun(world, time);
        ctAssertClose(ctDistance(centre(id), ctV3(y[0], y[1], r)), 0.0, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// An ellipsoid that rocks comes to rest where its weight, beside its point of contact by no more than rho, is held.
START_TEST(an_ellipsoid_that_rocks_comes_to_rest_tilted)
{
    const double rho = 2e-3, a = 0.1, c = 0.05;
    double ends[WAYS];
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){.friction = 0.6, .rolling = rho}, 0.0);
        addFloor();
        double tilt = 0.4, height = hypot(a * sin(tilt), c * cos(tilt));
        ctBodyDef def =
            bodyOf(ctWorld_CreateEllipsoid(world, ctV3(a, a, c), NULL), ctV3(0, 0, height), ctZero3(), ctZero3());
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        ctBodyId id = add(def);
        ctTestRun(world, 4.0);
        ck_assert(ctBody_IsAsleep(world, id));
        ctVec3 axis = ctInvRotate(turned, ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1)));
        double high = centre(id).z, arm = (a * a - c * c) * axis.x * axis.z / high;
        ends[i] = centre(id).x;
        ctAssertClose(high, hypot(a * axis.x, c * axis.z), 1e-10);
        ctRequire(fabs(arm) > 0.05 * rho && fabs(arm) <= rho, "way %d: %g of the bound", i, arm / rho);
        ctAssertClose(ends[i], ends[0], 1e-8);
        ctTestFinish(world);
    }
}
END_TEST

// ---- several bodies ---------------------------------------------------------------------------

// A ball rolls on a plank on ice until it rests on it: -v' = 2 V' = f, 2/5 r w' = f - rho g / r, v - V = w r.
START_TEST(a_ball_comes_to_rest_on_a_plank_that_slides)
{
    const double rho = 2e-3, r = 0.05, v = 0.6, time = 3.0, f = 2.5 / 4.0 * rho * G / r, ends = v / (1.5 * f);
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){0}, 0.0);
        addFloor();
        ctMaterialId wood = newMaterial("wood", (ctCoefficients){.friction = 0.4, .rolling = rho});
        ck_assert(ctWorld_SetPair(world, wood, (ctMaterialId){0}, (ctCoefficients){0}, NULL));
        ctBodyDef def =
            bodyOf(ctWorld_CreateBox(world, ctV3(4, 0.5, 0.1), NULL), ctV3(0, 0, 0.05), ctZero3(), ctZero3());
        def.material = wood;
        def.mass = 2.0;
        ctBodyId plank = add(def), id = addBall(_i, r, ctV3(-0.3, 0, 0.1 + r), ctV3(v, 0, 0), wood, 1.0);
        ctTestRun(world, time);
        ctAssertClose(centre(id).x + 0.3, v * time - f * ends * (time - 0.5 * ends), 1e-10);
        ctAssertClose(centre(plank).x, 0.5 * f * ends * (time - 0.5 * ends), 1e-10);
        ctAssertClose(ctLength(spin(id)), 0.0, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A ball pushes another, without friction between them, until both stop.
START_TEST(a_ball_that_pushes_another_stops_with_it)
{
    const double r = 0.05, v = 0.3, slowing = (2.0 * 5e-4 + 3e-3) * G / r / (3.0 * 1.4), way = 0.5 * v * v / slowing;
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){0}, 0.0);
        addFloor();
        ctMaterialId easy = newMaterial("easy", (ctCoefficients){0}), hard = newMaterial("hard", (ctCoefficients){0});
        ctCoefficients low = {.friction = 0.6, .rolling = 5e-4}, high = {.friction = 0.6, .rolling = 3e-3};
        ck_assert(ctWorld_SetPair(world, easy, (ctMaterialId){0}, low, NULL));
        ck_assert(ctWorld_SetPair(world, hard, (ctMaterialId){0}, high, NULL));
        ctBodyId behind = addBall(_i, r, ctV3(-2.0 * r, 0, r), ctV3(v, 0, 0), easy, 2.0);
        ctBodyId before = addBall(_i, r, ctV3(0, 0, r), ctV3(v, 0, 0), hard, 1.0);
        ctTestRun(world, 3.0);
        ctAssertClose(centre(behind).x + 2.0 * r, way, 1e-9);
        ctAssertClose(centre(before).x, way, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A ball strikes one that rests, squarely, without friction or loss between them. Each then slides until it rolls.
START_TEST(balls_that_strike_each_other_slide_and_roll_on)
{
    const double r = 0.05, v = 1.0, rho = 1e-3, mu = 0.3, time = 2.0, drag = rho * G / r, slow = drag / 1.4;
    const double hit = sqrt(v * v - 0.4034 * slow), at = (v - hit) / slow, left = time - at;
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){0}, 0.0);
        addFloor();
        ctMaterialId ivory = newMaterial("ivory", (ctCoefficients){.restitution = 1.0});
        ctCoefficients cloth = {.friction = mu, .rolling = rho};
        ck_assert(ctWorld_SetPair(world, ivory, (ctMaterialId){0}, cloth, NULL));
        ctBodyId a = addBall(_i, r, ctV3(-0.3017, 0, r), ctV3(v, 0, 0), ivory, 1.0);
        ctBodyId b = addBall(_i, r, ctV3(0, 0, r), ctZero3(), ivory, 1.0);
        ctTestRun(world, time);
        double slide = hit / (mu * G + 2.5 * (mu * G - drag)), u = hit - mu * G * slide, rest = left - slide;
        ctAssertClose(centre(b).x, 0.5 * (hit + u) * slide + u * rest - 0.5 * slow * rest * rest, 1e-9);
        slide = hit / (mu * G + 2.5 * (mu * G + drag));
        u = mu * G * slide;
        rest = left - slide;
        ctAssertClose(centre(a).x + 2.0 * r, 0.5 * u * slide + u * rest - 0.5 * slow * rest * rest, 1e-9);
        ctTestFinish(world);
    }
}
END_TEST

// A plank of 2 kg on two rollers on a slope; every line of contact resists. With the angle p of the rollers:
// (3 m r^2 + 4 M r^2) p'' = g sin (2 m r + 2 M r) - rho g cos (2 m + 2 M).
START_TEST(a_plank_rolls_on_rollers)
{
    const double slope = 0.05, r = 0.05, rho = 1e-3, time = 0.5;
    const double rate = (G * sin(slope) * 6.0 * r - rho * G * cos(slope) * 6.0) / (11.0 * r * r);
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){.friction = 0.6, .rolling = rho}, slope);
        addFloor();
        ctShapeId roller = ctWorld_CreateCylinder(world, r, 0.2, NULL);
        ctBodyId rollers[2];
        for (int k = 0; k < 2; k++) {
            ctBodyDef def = bodyOf(roller, ctV3(0.4 * k - 0.2, 0, r), ctZero3(), ctZero3());
            def.orientation = ctQuatExp(ctV3(1.57079632679489661923, 0, 0));
            rollers[k] = add(def);
        }
        ctBodyDef def = bodyOf(ctWorld_CreateBox(world, ctV3(1, 0.2, 0.04), NULL), ctV3(0, 0, 2.0 * r + 0.02),
                               ctZero3(), ctZero3());
        def.mass = 2.0;
        ctBodyId plank = add(def);
        ctTestRun(world, time);
        double angle = 0.5 * rate * time * time;
        ctAssertClose(centre(rollers[0]).x, -0.2 + r * angle, 1e-10);
        ctAssertClose(centre(rollers[1]).x, 0.2 + r * angle, 1e-10);
        ctAssertClose(centre(plank).x, 2.0 * r * angle, 1e-10);
        ctTestFinish(world);
    }
}
END_TEST

// A box that spins on its face: friction at its corners, and resistance to spinning.
START_TEST(a_box_spins_to_a_stop)
{
    const double mu = 0.3, sigma = 0.02, half = 0.1, w = 10.0;
    const double slowing = 1.5 * G * (mu * sqrt(2.0) * half + sigma) / (half * half), angle = 0.5 * w * w / slowing;
    for (int i = 0; i < WAYS; i++) {
        makeWorld(i, (ctCoefficients){.friction = mu, .spinning = sigma}, 0.0);
        addFloor();
        ctShapeId shape = ctWorld_CreateBox(world, ctV3(2.0 * half, 2.0 * half, 0.05), NULL);
        ctBodyId box = add(bodyOf(shape, ctV3(0, 0, 0.025), ctZero3(), ctV3(0, 0, w)));
        ctTestRun(world, 1.5);
        ck_assert(ctBody_IsAsleep(world, box));
        ctVec3 x = ctInvRotate(turned, ctRotate(ctBody_GetTransform(world, box).q, ctV3(1, 0, 0)));
        ctAssertClose(ctDistance(x, ctV3(cos(angle), sin(angle), 0)), 0.0, 1e-8);
        ctTestFinish(world);
    }
}
END_TEST

// ---- the limit of no resistance ---------------------------------------------------------------

// The places and the last spin of a few bodies: a block that rocks, one that slides and spins, an ellipsoid that
// wobbles, a rod that rolls and spins, a block on a block, a coin that slides and spins, a ball on a block.
enum { LIMITS = 7 };
static ctVec3 moveWith(int kind, int way, double resistance)
{
    double tilt = 0.15;
    makeWorld(way, (ctCoefficients){kind == 0 ? 0.8 : 0.3, .rolling = resistance, .spinning = resistance}, 0.0);
    addFloor();
    ctBodyId last, under = {0};
    ctBodyDef def = ctDefaultBodyDef();
    if (kind >= 4 && kind != 5) {
        def = bodyOf(ctWorld_CreateBox(world, ctV3(0.3, 0.2, 0.1), NULL), ctV3(0, 0, 0.05), ctV3(0.3, 0, 0),
                     ctV3(0, 0, 1));
        under = add(def);
    }
    switch (kind) {
    case 0:
        def = bodyOf(ctWorld_CreateBox(world, ctV3(0.1, 0.2, 0.4), NULL),
                     ctV3(0, 0, 0.2 * cos(tilt) + 0.05 * sin(tilt)), ctZero3(), ctZero3());
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        break;
    case 1:
        def = bodyOf(ctWorld_CreateBox(world, ctV3(0.3, 0.2, 0.05), NULL), ctV3(0, 0, 0.025), ctV3(1, 0, 0),
                     ctV3(0, 0, 5));
        break;
    case 2:
        def = bodyOf(ctWorld_CreateEllipsoid(world, ctV3(0.1, 0.06, 0.05), NULL), ctV3(0, 0, 0.05), ctV3(0.2, 0.1, 0),
                     ctV3(1, 2, 3));
        break;
    case 3:
        def =
            bodyOf(ctWorld_CreateCapsule(world, 0.01, 0.2, NULL), ctV3(0, 0, 0.01), ctV3(0.2, 0.1, 0), ctV3(0, 20, 6));
        def.orientation = ctQuatExp(ctV3(1.57079632679489661923, 0, 0));
        break;
    case 4:
        def = bodyOf(ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL), ctV3(0.02, 0.01, 0.15), ctZero3(),
                     ctV3(0, 0, 2));
        break;
    case 5:
        def = bodyOf(ctWorld_CreateCylinder(world, 0.05, 0.02, NULL), ctV3(0, 0, 0.01), ctV3(0.7, 0.1, 0),
                     ctV3(0, 0, 20));
        break;
    default:
        def = bodyOf(ball(0, 0.05), ctV3(0.05, 0.02, 0.15), ctV3(0, 0.1, 0), ctV3(0, 1, 3));
        break;
    }
    last = add(def);
    ctTestRun(world, 0.5);
    ctVec3 sum = ctMulAdd(centre(last), 0.1, spin(last));
    sum = under.index1 != 0 ? ctAdd(sum, centre(under)) : sum;
    ctTestFinish(world);
    return sum;
}

START_TEST(little_resistance_is_nearly_none)
{
    for (int i = 0; i < WAYS; i++) {
        double off = ctDistance(moveWith(_i, i, 0.0), moveWith(_i, i, 1e-12));
        ctRequire(off < 1e-7, "way %d: %g m off", i, off);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("resistance");
    TCase *tests = tcase_create("resistance");
    tcase_set_timeout(tests, 120.0);
    tcase_add_loop_test(tests, what_rolls_stops_after_its_way, 0, 6);
    tcase_add_test(tests, a_cone_stops_on_its_way_around_its_tip);
    tcase_add_test(tests, what_spins_stops_after_its_turn);
    tcase_add_loop_test(tests, a_ball_on_a_slope_turns_back_or_is_held, 0, BALLS);
    tcase_add_loop_test(tests, a_ball_slides_aside_on_a_slope, 0, BALLS);
    tcase_add_loop_test(tests, a_ball_rolls_on_a_platter, 0, BALLS);
    tcase_add_test(tests, an_ellipsoid_that_rocks_comes_to_rest_tilted);
    tcase_add_loop_test(tests, a_ball_comes_to_rest_on_a_plank_that_slides, 0, BALLS);
    tcase_add_loop_test(tests, a_ball_that_pushes_another_stops_with_it, 0, BALLS);
    tcase_add_loop_test(tests, balls_that_strike_each_other_slide_and_roll_on, 0, BALLS);
    tcase_add_test(tests, a_plank_rolls_on_rollers);
    tcase_add_test(tests, a_box_spins_to_a_stop);
    tcase_add_loop_test(tests, little_resistance_is_nearly_none, 0, LIMITS);
    suite_add_tcase(suite, tests);
    return ctRunSuite(suite);
}
