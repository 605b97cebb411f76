// Coins and discs: rolling around at a steady tilt, energy kept and lost, and how deep coins that are tossed sink in.
#include "collision/quat.h"
#include "engine/motion/motion.h"
#include "engine/state/state.h"
#include "scenes/scene.h"
#include "tests/support/random.h"
#include "tests/support/script.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <string.h>

static ctWorld *makeGround(ctCoefficients pair, bool box)
{
    ctWorldDef worldDef = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&worldDef, NULL);
    ck_assert_ptr_nonnull(world);
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, pair, NULL));
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape =
        box ? ctWorld_CreateBox(world, ctV3(1, 1, 0.1), NULL) : ctWorld_CreatePlane(world, ctV3(0, 0, 1), 0.0, NULL);
    def.position.z = box ? -0.05 : 0.0;
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    return world;
}

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

static ctVec3 axisOf(const ctWorld *world, ctBodyId id)
{
    return ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1));
}

// ---- steady rolling ---------------------------------------------------------------------------

// A disc of radius a, thickness h and tilt t that rolls around with its centre at rest. With its axis at
// e = (s, 0, c), s = sin t, c = cos t, and an edge rounded by r, the rim of the core has the radius a - r and lies
// h/2 - r below the middle, so that the ground is touched at (x, 0, -z) from the centre,
//     x = (a - r) c - (h/2 - r) s,   z = (a - r) s + (h/2 - r) c + r.
// The spin is rate z^ + own e; the point of contact stands still when rate x + own (c x + s z) = 0. The weight's torque
// turns the angular momentum, which goes round with the axis:
//     rate s [I1 rate c - I3 (rate c + own)] = m g x.
typedef struct Steady {
    double rate, own, x, z;
} Steady;

static Steady steadyRolling(double a, double h, double r, double t)
{
    double s = sin(t), c = cos(t), i1 = (3.0 * a * a + h * h) / 12.0, i3 = 0.5 * a * a;
    Steady d = {.x = (a - r) * c - (0.5 * h - r) * s, .z = (a - r) * s + (0.5 * h - r) * c + r};
    double ratio = d.x / (c * d.x + s * d.z);
    d.rate = sqrt(9.81 * d.x / (s * (i1 * c - i3 * (c - ratio))));
    d.own = -d.rate * ratio;
    return d;
}

// box: the ground is one, for which edges are rounded.
static ctBodyId addDisc(ctWorld *world, double a, double h, double t, bool box, Steady *steady)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCylinder(world, a, h, NULL);
    *steady = steadyRolling(a, h, box ? world->shapes[def.shape.index1 - 1]->round : 0.0, t);
    def.position = ctV3(0, 0, steady->z);
    def.orientation = ctQuatExp(ctV3(0, t, 0));
    def.spin = ctV3(steady->own * sin(t), 0, steady->rate + steady->own * cos(t));
    ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
    ck_assert(id.index1 != 0);
    return id;
}

START_TEST(a_disc_rolls_around_at_the_rate_of_theory)
{
    static const double tilts[] = {0.05, 0.2, 0.45, 0.8};
    for (int i = 0; i < 8; i++) {
        ctWorld *world = makeGround((ctCoefficients){.friction = 1.0}, i % 2 == 1);
        double t = tilts[i / 2], a = 0.0375, h = i % 2 == 0 ? 0.0127 : 0.001, turned = 0.0;
        Steady steady;
        ctBodyId id = addDisc(world, a, h, t, i % 2 == 1, &steady);
        double before = energyOf(world);
        enum { FRAMES = 120 };
        for (int k = 0; k < FRAMES; k++) {
            ctVec3 n0 = axisOf(world, id);
            ctTestRun(world, 1.0 / 60.0);
            ctVec3 n1 = axisOf(world, id);
            double angle = atan2(n0.x * n1.y - n0.y * n1.x, n0.x * n1.x + n0.y * n1.y), due = steady.rate / 60.0;
            turned += angle + 2.0 * CT_PI * round((due - angle) / (2.0 * CT_PI));
            ck_assert_msg(fabs(acos(n1.z) - t) < 2e-5 * t, "tilt %g: %g off", t, acos(n1.z) - t);
        }
        ctVec3 x = ctBody_GetCenter(world, id);
        double rate = turned * 60.0 / FRAMES;
        ck_assert_msg(fabs(rate / steady.rate - 1.0) < 1e-5, "tilt %g: rate %g times %g", t, rate / steady.rate,
                      steady.rate);
        ck_assert_msg(sqrt(x.x * x.x + x.y * x.y) < 1e-5 * a, "tilt %g: centre moves to %g %g", t, x.x, x.y);
        ck_assert_msg(fabs(x.z - steady.z) < 1e-5 * a, "tilt %g: height off by %g", t, x.z - steady.z);
        double change = energyOf(world) / before - 1.0;
        ck_assert_msg(fabs(change) < 1e-6, "tilt %g: energy changes by %g", t, change);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Resistance to rolling takes rho times the load times the horizontal part of the spin; the load is the weight, but for
// the slow sinking. Twice the resistance lets the disc go on for half the time.
START_TEST(a_disc_sinks_as_resistance_to_rolling_has_it)
{
    const double a = 0.0375, h = 0.0127, t = 0.4;
    double lasted[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
        double rho = i == 0 ? 2e-4 : 4e-4, work = 0.0;
        ctWorld *world = makeGround((ctCoefficients){.friction = 1.0, .rolling = rho}, false);
        Steady steady;
        ctBodyId id = addDisc(world, a, h, t, false, &steady);
        double weight = ctBody_GetMass(world, id) * 9.81, before = energyOf(world), w0 = 0.0;
        for (int k = 0; k < 60 * 20 && !ctBody_IsAsleep(world, id); k++) {
            ctVec3 w = ctBody_GetSpin(world, id);
            w0 = sqrt(w.x * w.x + w.y * w.y);
            ctTestRun(world, 1.0 / 60.0);
            w = ctBody_GetSpin(world, id);
            work += rho * weight * 0.5 * (w0 + sqrt(w.x * w.x + w.y * w.y)) / 60.0;
            double tilt = acos(fmin(axisOf(world, id).z, 1.0));
            if (tilt > 0.1) {
                double lost = before - energyOf(world);
                ck_assert_msg(fabs(lost - work) < 0.01 * work + 1e-4 * before, "after %d frames lost %g, not %g", k,
                              lost, work);
                lasted[i] = (k + 1) / 60.0;
            }
        }
        ck_assert(ctBody_IsAsleep(world, id));
        ctAssertClose(ctBody_GetCenter(world, id).z, 0.5 * h, 1e-5);
        ctWorld_Destroy(world);
    }
    ck_assert_msg(fabs(lasted[0] / lasted[1] - 2.0) < 0.02, "%g and %g s", lasted[0], lasted[1]);
}
END_TEST

// ---- two forms of the equations ---------------------------------------------------------------

// A coin, by the equations of any body or by those of a disc.
static ctRoller coinRoller(const ctShape *shape, bool disc, ctCoefficients pair)
{
    const double mass = 0.008, a = 0.0125, h = 0.002, along = 0.5 * mass * a * a,
                 across = mass * (3.0 * a * a + h * h) / 12.0;
    ctRoller b = {.shape = shape, .n = ctV3(0, 0, 1), .gravity = ctV3(0, 0, -9.81), .mass = mass};
    b.axes = ctMat3Identity();
    b.frame = ctQuatIdentity();
    b.inertia = ctV3(across, across, along);
    b.inverse = ctV3(1.0 / across, 1.0 / across, 1.0 / along);
    b.friction = pair.friction;
    b.rolling = pair.rolling;
    b.spinning = pair.spinning;
    b.revolves = disc;
    b.along = 1.0 / along;
    b.across = 1.0 / across;
    b.bias = along / across - 1.0;
    b.pullN = -9.81;
    return b;
}

// A tilted one that spins, nods and slips.
static void rollFor(double seconds, const ctShape *shape, bool disc, ctCoefficients pair, double *y)
{
    ctRoller b = coinRoller(shape, disc, pair);
    memset(y, 0, ct_rollState * sizeof *y);
    ctQuat q = ctMulQ(ctQuatExp(ctV3(0, 0, 0.7)), ctMulQ(ctQuatExp(ctV3(0.4, 0, 0)), ctQuatExp(ctV3(0, 0, 0.3))));
    ctRoll_PutOrientation(y, q);
    ctRoll_Put(y, ct_rollV, ctV3(0.05, -0.1, 0.0));
    ctRoll_Put(y, ct_rollW, ctV3(4.0, -3.0, 12.0));
    double s[ct_rollState], rates[ct_rollState], done = 0.0;
    ck_assert(ctRoll_Enter(&b, y, s));
    ck_assert(b.disc == disc);
    while (done < seconds) {
        double taken = ctRoll_Step(&b, s, fmin(5e-5, seconds - done));
        ck_assert(taken > 0.0);
        done += taken;
    }
    ctRoll_Leave(&b, s, y, rates);
}

START_TEST(a_disc_moves_as_any_body_of_its_shape)
{
    static const ctCoefficients pairs[] = {
        {.friction = 0.0}, {.friction = 2.0}, {.friction = 0.15}, {.friction = 2.0, .rolling = 1e-4, .spinning = 1e-4}};
    ctWorld *world = makeGround((ctCoefficients){0}, false);
    ctShapeId id = ctWorld_CreateCylinder(world, 0.0125, 0.002, NULL);
    for (int i = 0; i < 4; i++) {
        double y[2][ct_rollState];
        for (int form = 0; form < 2; form++) {
            rollFor(0.1, world->shapes[id.index1 - 1], form == 1, pairs[i], y[form]);
        }
        double sign = y[0][ct_rollQ] * y[1][ct_rollQ] < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k <= ct_rollWork; k++) {
            bool turns = k >= ct_rollQ && k < ct_rollW;
            double scale = k < ct_rollV ? 0.0125 : k < ct_rollQ ? 0.1 : turns ? 1.0 : k < ct_rollWork ? 20.0 : 1e-4;
            double off = fabs(y[0][k] - (turns ? sign : 1.0) * y[1][k]) / scale;
            ck_assert_msg(off < (i < 2 ? 1e-6 : 1e-4), "case %d: number %d is off by %g", i, k, off);
        }
    }
    ctWorld_Destroy(world);
}
END_TEST

// What others are told of a body on its course: in the middle of a step it is no faster than the speeds at both ends
// and the accelerations met on the way allow. Steps here are as long as the point of contact takes for 0.8 rad.
START_TEST(no_coin_is_faster_than_foretold)
{
    ctWorld *world = makeGround((ctCoefficients){0}, false);
    const ctShape *shape = world->shapes[ctWorld_CreateCylinder(world, 0.0125, 0.002, NULL).index1 - 1];
    const double radius = shape->boundRadius;
    ctRandom r = ctRandomSeed(11);
    int taken = 0;
    for (int i = 0; i < ctTestCases(4000); i++) {
        ctCoefficients pair = {.friction = ctRandomInt(&r, 0, 3) == 0 ? 0.0 : ctRandomUniform(&r, 0.05, 1.0)};
        ctRoller b = coinRoller(shape, i % 2 == 0, pair);
        double y[ct_rollState] = {0.0}, s[ct_rollState], z[ct_rollState];
        double tilt = ctRandomLog(&r, 0.02, 1.5), spin = ctRandomLog(&r, 1.0, 100.0);
        ctRoll_PutOrientation(y,
                              ctMulQ(ctQuatExp(ctV3(0, 0, ctRandomUniform(&r, -3, 3))), ctQuatExp(ctV3(tilt, 0, 0))));
        ctRoll_Put(y, ct_rollV, ctScale(0.01 * spin, ctRandomUnit(&r)));
        ctRoll_Put(y, ct_rollW, ctScale(spin, ctRandomUnit(&r)));
        if (!ctRoll_Enter(&b, y, s)) {
            continue;
        }
        ctRollPose pose = ctRoll_Pose(&b, s);
        double length = 0.8 / fmax(pose.circling, pose.turning), fast = ctRoll_Speed(&b, s, radius);
        memcpy(z, s, sizeof z);
        ctRoller c = b;
        double time = ctRoll_Step(&b, z, length);
        if (!(time > 0.0) || !(ctRoll_Pose(&b, z).rho > 1e-3)) {
            continue;
        }
        double most = fmax(fast, ctRoll_Speed(&b, z, radius)) + time * ctRoll_Pull(&b, radius);
        taken++;
        for (double done = 0.0, part = 1.0; done < 0.999 * time && part > 0.0; done += part) {
            part = ctRoll_Step(&c, s, fmin(time / 64.0, time - done));
            double speed = ctRoll_Speed(&c, s, radius);
            ctRequire(speed <= most * (1.0 + 1e-9), "case %d: %g m/s, foretold were %g", i, speed, most);
        }
    }
    ctRequire(taken > ctTestCases(2000), "only %d steps", taken);
    ctWorld_Destroy(world);
}
END_TEST

// ---- energy -----------------------------------------------------------------------------------

// On its rim, so far from upright.
static void addSpinningCoin(ctWorld *world, double tilt)
{
    double r = 0.012, half = 0.0009;
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCylinder(world, r, 2.0 * half, NULL);
    def.position = ctV3(0, 0, r * cos(tilt) + half * sin(tilt));
    def.orientation = ctQuatExp(ctV3(0.5 * CT_PI - tilt, 0, 0));
    def.spin = ctV3(0, 0, 40);
    ck_assert_int_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
}

// A tilted coin that spins slips at first, and again and again while it nods, or rolls, or knows no friction: its
// energy is what friction has left, and where there is none, all of it.
START_TEST(a_spinning_coin_keeps_its_energy)
{
    for (int i = 0; i < 6; i++) {
        bool rough = i % 2 == 0;
        ctWorld *world = makeGround((ctCoefficients){.friction = rough ? 0.5 : 0.0, .restitution = 0.4}, i % 3 == 0);
        addSpinningCoin(world, 0.3 + 0.3 * (i / 2));
        ctTestRun(world, 0.5);
        double begin = energyOf(world), before = begin, lost = ctWorld_GetStats(world).frictionLoss;
        for (int k = 0; k < 120; k++) {
            ctTestRun(world, 1.0 / 60.0);
            ctStats stats = ctWorld_GetStats(world);
            double now = energyOf(world), friction = stats.frictionLoss - lost;
            ck_assert_msg(now <= before + (rough ? 4e-6 : 1e-7) * begin, "case %d: the energy rises by %g", i,
                          (now - before) / begin);
            ck_assert_msg(fabs(now + friction - begin) < (rough ? 1e-3 : 1e-6) * begin, "case %d: off by %g", i,
                          (now + friction - begin) / begin);
            before = now;
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// Friction that slips now and then does its work whatever the steps are: with frames a sixteenth as long, the same coin
// has lost as much after two seconds.
START_TEST(slip_costs_what_it_must)
{
    double left[2];
    for (int i = 0; i < 2; i++) {
        ctWorld *world = makeGround((ctCoefficients){.friction = 0.5, .restitution = 0.4}, false);
        ck_assert(ctWorld_SetFrameTime(world, i == 0 ? 1.0 / 60.0 : 1.0 / 960.0, NULL));
        addSpinningCoin(world, 0.9);
        double begin = energyOf(world);
        ctTestRun(world, 2.0);
        left[i] = energyOf(world) / begin;
        ctWorld_Destroy(world);
    }
    ck_assert_msg(left[0] < 0.5 && fabs(left[0] - left[1]) < 2e-3, "%g and %g of the energy are left", left[0],
                  left[1]);
}
END_TEST

// ---- rest --------------------------------------------------------------------------------------

// A coin that has fallen flat and lies still is not set moving again by what has stopped it: it only closes gaps of a
// ten-thousandth of its radius, a fifth of them in a step.
START_TEST(a_coin_that_has_come_to_rest_stays_there)
{
    for (int i = 0; i < 20; i++) {
        ctWorld *world =
            makeGround((ctCoefficients){.friction = 0.3, .restitution = 0.4, .rolling = 1e-4, .spinning = 1e-4}, true);
        ck_assert(ctWorld_SetFrameTime(world, 1.0 / 960.0, NULL));
        double r = 0.012, half = 0.0009, tilt = 0.01 + 0.005 * i;
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCylinder(world, r, 2.0 * half, NULL);
        def.position = ctV3(0, 0, r * sin(tilt) + half * cos(tilt));
        def.orientation = ctQuatExp(ctV3(tilt, 0, 0));
        def.spin = ctV3(0, 0, 0.5 * i);
        ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
        ck_assert_int_ne(id.index1, 0);
        bool still = false;
        for (int k = 0; k < 960; k++) {
            ctTestRun(world, 1.0 / 960.0);
            double speed = ctLength(ctBody_GetVelocity(world, id)) + r * ctLength(ctBody_GetSpin(world, id));
            ck_assert_msg(!still || speed < 2.0 * 0.2 * 1e-4 * r * 960.0,
                          "case %d: moves at %g m/s again after %d frames", i, speed, k);
            still = still || speed < 1e-8;
        }
        ck_assert_msg(still, "case %d moves on", i);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- overlaps ---------------------------------------------------------------------------------

// Eight coins, fifty tosses: nothing ever sinks into anything by more than 2 % of the thinnest coin, energy is what
// friction, impacts and contact have left, and no frame has more events than it may: coins that roll against each other
// come into contact.
START_TEST(tossed_coins_do_not_sink_in)
{
    double worst = 0.0;
    for (int toss = 1; toss <= ctTestCases(50); toss++) {
        ctSetting seed = {"seed", toss};
        ctSceneOptions options = {.settings = &seed, .settingCount = 1};
        ctError error = {0};
        ctScene *s = ctScene_Load("coins", &options, &error);
        ck_assert_msg(s != NULL, "%s", error.message);
        ctTestRun(s->world, 2.0);
        ctStats stats = ctWorld_GetStats(s->world);
        ck_assert_msg(stats.maxPenetration <= 0.02 * 1.67e-3, "toss %d: overlap %g", toss, stats.maxPenetration);
        ck_assert_msg(stats.eventLimitHits == 0, "toss %d: two coins rub without end", toss);
        worst = fmax(worst, stats.maxPenetration);
        ctScene_Destroy(s);
    }
    ck_assert(worst > 0.0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("coins");
    TCase *tc = tcase_create("coins");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, a_disc_rolls_around_at_the_rate_of_theory);
    tcase_add_test(tc, a_disc_sinks_as_resistance_to_rolling_has_it);
    tcase_add_test(tc, a_disc_moves_as_any_body_of_its_shape);
    tcase_add_test(tc, no_coin_is_faster_than_foretold);
    tcase_add_test(tc, a_spinning_coin_keeps_its_energy);
    tcase_add_test(tc, slip_costs_what_it_must);
    tcase_add_test(tc, a_coin_that_has_come_to_rest_stays_there);
    tcase_add_test(tc, tossed_coins_do_not_sink_in);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
