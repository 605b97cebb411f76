// Coins and cans that stand flat: a ring of contact, whose loads and friction are integrated around it here.
#include "collision/quat.h"
#include "tests/support/energy.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <string.h>

#define G 9.81

// ---- an independent solution --------------------------------------------------------------------

// A disc of mass one: friction, radius, height, squared radius of gyration about its axis; the spin of the ground about
// the origin.
typedef struct Disc {
    double mu, r, h, gyration, ground;
} Disc;

// Around the ring: mean of the direction of slip and of its moment, with loads 1 + 2 m.e, or 1 + e.m/|m| and the rest
// at m/|m| where |m| > 1/2. Places are dense where the ring slips least.
static void ringMeans(const double *slip, double spin, const double *m, double *sums)
{
    enum { PLACES = 200 };
    double turn = 2.0 * 3.14159265358979323846, lean = hypot(m[0], m[1]);
    double least = atan2(slip[1], slip[0]) + (spin > 0.0 ? 0.25 : -0.25) * turn;
    double lobe = lean > 0.5 ? 2.0 - 2.0 * lean : 1.0, tilt = lean > 0.5 ? 1.0 / lean : 2.0;
    sums[0] = sums[1] = sums[2] = 0.0;
    for (int i = 0; i <= PLACES; i++) {
        double x = (i + 0.5) / PLACES, at = least + turn * x - sin(turn * x), weight = (1.0 - cos(turn * x)) / PLACES;
        double e[2] = {cos(at), sin(at)}, load = lobe * (1.0 + tilt * (m[0] * e[0] + m[1] * e[1])) * weight;
        if (i == PLACES) { // the edge
            load = lean > 0.5 ? 2.0 * lean - 1.0 : 0.0;
            e[0] = lean > 0.5 ? m[0] / lean : 1.0;
            e[1] = lean > 0.5 ? m[1] / lean : 0.0;
        }
        double u[2] = {slip[0] - spin * e[1], slip[1] + spin * e[0]}, speed = hypot(u[0], u[1]) + 1e-300;
        sums[0] += load * u[0] / speed;
        sums[1] += load * u[1] / speed;
        sums[2] += load * (e[0] * u[1] - e[1] * u[0]) / speed;
    }
}

// Accelerations of x, y and the angle. The torque of friction about the centre leans the loads: m = -h/(2 r) F / N.
static void accelerate(const Disc *d, const double *s, double *m, double *rates)
{
    double slip[2] = {s[3] + d->ground * s[1], s[4] - d->ground * s[0]}, spin = (s[5] - d->ground) * d->r;
    double k = 0.5 * d->mu * d->h / d->r, f[3], beside[3];
    for (int round = 0; round < 30; round++) {
        double j[2][2], miss[2], nudge = 1e-7;
        ringMeans(slip, spin, m, f);
        miss[0] = m[0] - k * f[0];
        miss[1] = m[1] - k * f[1];
        if (hypot(miss[0], miss[1]) < 1e-12) {
            break;
        }
        for (int i = 0; i < 2; i++) {
            double moved[2] = {m[0] + (i == 0 ? nudge : 0.0), m[1] + (i == 1 ? nudge : 0.0)};
            ringMeans(slip, spin, moved, beside);
            j[0][i] = (i == 0 ? 1.0 : 0.0) - k * (beside[0] - f[0]) / nudge;
            j[1][i] = (i == 1 ? 1.0 : 0.0) - k * (beside[1] - f[1]) / nudge;
        }
        double det = j[0][0] * j[1][1] - j[0][1] * j[1][0];
        m[0] -= (j[1][1] * miss[0] - j[0][1] * miss[1]) / det;
        m[1] -= (j[0][0] * miss[1] - j[1][0] * miss[0]) / det;
    }
    rates[0] = s[3];
    rates[1] = s[4];
    rates[2] = s[5];
    rates[3] = -d->mu * G * f[0];
    rates[4] = -d->mu * G * f[1];
    rates[5] = -d->mu * G * d->r / d->gyration * f[2];
}

static double slipOf(const Disc *d, const double *s)
{
    return hypot(hypot(s[3] + d->ground * s[1], s[4] - d->ground * s[0]), (s[5] - d->ground) * d->r);
}

// Moves the state (place, angle, and their rates) on until the disc no longer slips, or for the time. Returns when.
static double solve(const Disc *d, double *s, double most)
{
    double time = 0.0, m[2] = {0.0, 0.0};
    for (double slip = slipOf(d, s); slip > 1e-9 && time < most; slip = slipOf(d, s)) {
        double step = fmin(fmin(1e-3, 0.01 * slip / (d->mu * G)), most - time), k[4][6], z[6];
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? step : 0.5 * step;
            for (int i = 0; i < 6; i++) {
                z[i] = s[i] + (stage > 0 ? part * k[stage - 1][i] : 0.0);
            }
            accelerate(d, z, m, k[stage]);
        }
        for (int i = 0; i < 6; i++) {
            s[i] += step / 6.0 * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
        }
        time += step;
    }
    return time;
}

// ---- worlds -------------------------------------------------------------------------------------

// How a world is made: frames per second, and whether its floor is a box, and it is turned as a whole or mirrored.
typedef struct Way {
    double fps;
    bool box, turned, mirrored;
} Way;

static const Way ways[] = {{60, false, false, false}, {144, false, false, false}, {30, true, false, false},
                           {1000, true, true, false}, {60, false, true, false},   {144, true, false, true}};
enum { WAYS = sizeof ways / sizeof ways[0] };

static ctQuat turnOf(const Way *way)
{
    return way->turned ? ctQuatExp(ctV3(0.7, -1.1, 0.4)) : ctQuatIdentity();
}

static ctVec3 vectorIn(const Way *way, ctVec3 v)
{
    return ctRotate(turnOf(way), way->mirrored ? ctV3(v.x, -v.y, v.z) : v);
}

static ctVec3 spinIn(const Way *way, ctVec3 w)
{
    return ctRotate(turnOf(way), way->mirrored ? ctV3(-w.x, w.y, -w.z) : w);
}

static ctBodyId add(ctWorld *world, const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static ctWorld *newWorld(const Way *way, double friction)
{
    ctWorld *world = ctTestWorld(vectorIn(way, ctV3(0, 0, -G)), friction, 0.0);
    ck_assert(ctWorld_SetFrameTime(world, 1.0 / way->fps, NULL));
    return world;
}

static void addFloor(ctWorld *world, const Way *way)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = way->box ? ctWorld_CreateBox(world, ctV3(4, 4, 1), NULL)
                         : ctWorld_CreatePlane(world, vectorIn(way, ctV3(0, 0, 1)), 0.0, NULL);
    def.position = way->box ? vectorIn(way, ctV3(0, 0, -0.5)) : ctZero3();
    def.orientation = way->box ? turnOf(way) : ctQuatIdentity();
    add(world, &def);
}

// A cylinder that stands at a height, at a state of the plane (place, angle, rates).
static ctBodyId addDisc(ctWorld *world, const Way *way, const Disc *d, double height, const double *s)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCylinder(world, d->r, d->h, NULL);
    def.mass = 1.0;
    def.position = vectorIn(way, ctV3(s[0], s[1], height + 0.5 * d->h));
    def.orientation = turnOf(way);
    def.velocity = vectorIn(way, ctV3(s[3], s[4], 0));
    def.spin = spinIn(way, ctV3(0, 0, s[5]));
    return add(world, &def);
}

static void run(ctWorld *world, const Way *way, double seconds)
{
    for (int i = 0; i < (int)(seconds * way->fps + 0.5); i++) {
        ck_assert(ctWorld_Step(world, NULL));
    }
}

// The disc is where the solution has it: its place to near (m), its angle to that by its radius.
static void compare(const ctWorld *world, const Way *way, ctBodyId id, const Disc *d, const double *s, double near)
{
    ctQuat back = ctConjugate(turnOf(way));
    ctVec3 x = ctRotate(back, ctBody_GetCenter(world, id));
    ctVec3 along = ctRotate(back, ctRotate(ctBody_GetTransform(world, id).q, ctV3(1, 0, 0)));
    double sign = way->mirrored ? -1.0 : 1.0, angle = sign * atan2(along.y, along.x) - s[2];
    angle -= 2.0 * 3.14159265358979323846 * round(angle / (2.0 * 3.14159265358979323846));
    ctRequire(hypot(x.x - s[0], sign * x.y - s[1]) < near, "%g fps: %g %g m off", way->fps, x.x - s[0],
              sign * x.y - s[1]);
    ctRequire(fabs(angle) * d->r < near, "%g fps: %g rad off", way->fps, angle);
}

// ---- tests --------------------------------------------------------------------------------------

// Coins and cans that slide and spin to a stop: loads lean forward, so they turn aside. The last two bear on a part of
// their edge.
START_TEST(discs_slide_and_spin_to_a_stop)
{
    static const double cases[][4] = {// friction, height, speed, spin
                                      {0.3, 0.02, 1.2, 20.0}, {0.3, 0.02, 1.2, 60.0}, {0.1, 0.002, 0.3, -15.0},
                                      {0.5, 0.05, 0.5, 20.0}, {0.6, 0.1, 1.0, 20.0},  {0.45, 0.2, 1.0, 30.0}};
    const double *c = cases[_i];
    Disc d = {c[0], 0.05, c[1], 0.5 * 0.05 * 0.05, 0.0};
    double start[6] = {0, 0, 0, c[2], 0, c[3]}, end[6] = {0, 0, 0, c[2], 0, c[3]};
    double stopped = solve(&d, end, 10.0);
    for (int i = 0; i < WAYS; i++) {
        ctWorld *world = newWorld(&ways[i], d.mu);
        addFloor(world, &ways[i]);
        ctBodyId id = addDisc(world, &ways[i], &d, 0.0, start);
        run(world, &ways[i], stopped + 0.1);
        compare(world, &ways[i], id, &d, end, 1e-7);
        ctAssertClose(ctLength(ctBody_GetVelocity(world, id)), 0.0, 1e-9);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Without spin a disc stops after v^2 / (2 mu g), without speed after w r / (mu g) times its inertia over m r^2.
START_TEST(discs_slide_or_spin_to_a_stop)
{
    for (int i = 0; i < WAYS; i++) {
        Disc d = {0.3, 0.05, 0.02, 0.5 * 0.05 * 0.05, 0.0};
        double slides[6] = {0, 0, 0, 1.2, 0, 0}, spins[6] = {1, 0, 0, 0, 0, 30};
        double stop = 30.0 * d.gyration / (d.mu * G * d.r);
        ctWorld *world = newWorld(&ways[i], d.mu);
        addFloor(world, &ways[i]);
        ctBodyId first = addDisc(world, &ways[i], &d, 0.0, slides), second = addDisc(world, &ways[i], &d, 0.0, spins);
        run(world, &ways[i], 1.0);
        slides[0] = 1.2 * 1.2 / (2.0 * d.mu * G);
        spins[2] = 0.5 * 30.0 * stop;
        compare(world, &ways[i], first, &d, slides, 1e-8);
        compare(world, &ways[i], second, &d, spins, 1e-8);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Three coins on each other move like one that is three times as high: each of them is on the verge of slipping on the
// one below.
START_TEST(a_stack_slides_like_one_disc)
{
    Disc d = {0.3, 0.05, 0.02, 0.5 * 0.05 * 0.05, 0.0}, whole = {0.3, 0.05, 0.06, 0.5 * 0.05 * 0.05, 0.0};
    double start[6] = {0, 0, 0, 1.2, 0, 30.0 * _i}, end[6] = {0, 0, 0, 1.2, 0, 30.0 * _i};
    double stopped = solve(&whole, end, 10.0);
    for (int i = 0; i < WAYS; i++) {
        const Way *way = &ways[i];
        ctBodyId ids[3];
        ctWorld *world = newWorld(way, d.mu);
        addFloor(world, way);
        for (int k = 0; k < 3; k++) {
            ids[k] = addDisc(world, way, &d, d.h * k, start);
        }
        run(world, way, stopped + 0.1);
        for (int k = 0; k < 3; k++) {
            compare(world, way, ids[k], &d, end, 2e-7);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// A disc that slides and spins on a larger one, which sticks to the floor.
START_TEST(a_disc_on_a_larger_disc)
{
    Disc d = {0.3, 0.03, 0.02, 0.5 * 0.03 * 0.03, 0.0}, large = {0.3, 0.15, 0.02, 0.5 * 0.15 * 0.15, 0.0};
    double start[6] = {0, 0, 0, 0.4, 0, 10.0}, end[6] = {0, 0, 0, 0.4, 0, 10.0}, still[6] = {0};
    double stopped = solve(&d, end, 10.0);
    for (int i = 0; i < WAYS; i++) {
        const Way *way = &ways[i];
        ctWorld *world = newWorld(way, d.mu);
        addFloor(world, way);
        ctBodyId under = addDisc(world, way, &large, 0.0, still), id = addDisc(world, way, &d, large.h, start);
        run(world, way, stopped + 0.1);
        compare(world, way, id, &d, end, 1e-7);
        compare(world, way, under, &large, still, 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A disc that is put down on a turning platter is taken along.
START_TEST(a_disc_on_a_platter)
{
    Disc d = {0.3, 0.05, 0.02, 0.5 * 0.05 * 0.05, 2.0};
    double start[6] = {0.3, 0, 0, 0, 0, 0}, end[6] = {0.3, 0, 0, 0, 0, 0};
    double stopped = solve(&d, end, 10.0), angle = d.ground * (1.0 - stopped), c = cos(angle), s = sin(angle);
    double want[6] = {c * end[0] - s * end[1], s * end[0] + c * end[1], end[2] + angle};
    ck_assert(stopped < 0.5);
    for (int i = 0; i < WAYS; i++) {
        const Way *way = &ways[i];
        double rate = way->mirrored ? -d.ground : d.ground;
        ctWorld *world = newWorld(way, d.mu);
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionKinematic;
        def.shape = ctWorld_CreateCylinder(world, 1.0, 0.1, NULL);
        def.position = vectorIn(way, ctV3(0, 0, -0.05));
        def.orientation = turnOf(way);
        def.spin = ctRotate(turnOf(way), ctV3(0, 0, rate));
        add(world, &def);
        ctBodyId id = addDisc(world, way, &d, 0.0, start);
        run(world, way, 1.0);
        compare(world, way, id, &d, want, 2e-7);
        ctWorld_Destroy(world);
    }
}
END_TEST

// By statics a can that slides tips over its edge when mu h/2 > r.
START_TEST(a_can_slides_until_it_tips)
{
    for (int i = 0; i < 2 * WAYS; i++) {
        const Way *way = &ways[i / 2];
        Disc d = {0.5, 0.03, 0.12 * (i % 2 == 0 ? 0.99 : 1.01), 0.5 * 0.03 * 0.03, 0.0};
        double start[6] = {0, 0, 0, 3.0, 0, 0};
        ctWorld *world = newWorld(way, d.mu);
        addFloor(world, way);
        ctBodyId id = addDisc(world, way, &d, 0.0, start);
        run(world, way, 0.6);
        ctVec3 up = ctRotate(ctConjugate(turnOf(way)), ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1)));
        if (i % 2 == 0) {
            ctRequire(up.z > 1.0 - 1e-12, "%g fps: it leans by %g", way->fps, acos(up.z));
        } else {
            ctRequire(up.z < 0.99 && up.x > 0.1, "%g fps: it leans by %g", way->fps, acos(up.z));
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// A can that slides and tips over its edge moves in a plane. With its tilt, the edge is ahead of the centre by
// r cos - h/2 sin and below it by r sin + h/2 cos: the floor and friction give N and the torque N (mu below - ahead).
static void topple(const Disc *d, double *s, double *rates)
{
    double ahead = d->r * cos(s[1]) - 0.5 * d->h * sin(s[1]), below = d->r * sin(s[1]) + 0.5 * d->h * cos(s[1]);
    double inertia = 0.25 * d->r * d->r + d->h * d->h / 12.0, torque = d->mu * below - ahead;
    double n = (G - below * s[3] * s[3]) / (1.0 - ahead * torque / inertia);
    rates[0] = s[2];
    rates[1] = s[3];
    rates[2] = -d->mu * n;
    rates[3] = n * torque / inertia;
}

START_TEST(a_can_tips_over_its_edge)
{
    const Disc d = {0.6, 0.03, 0.12, 0.5 * 0.03 * 0.03, 0.0};
    const Way planes[] = {{60, false, false, false}, {1000, false, true, false}, {140, false, true, true}};
    double s[4] = {0, 0, 3.0, 0}, start[6] = {0, 0, 0, 3.0, 0, 0};
    enum { STEPS = 5000 };
    for (int i = 0; i < STEPS; i++) {
        double k[4][4], z[4], h = 0.1 / STEPS;
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int j = 0; j < 4; j++) {
                z[j] = s[j] + (stage > 0 ? part * k[stage - 1][j] : 0.0);
            }
            topple(&d, z, k[stage]);
        }
        for (int j = 0; j < 4; j++) {
            s[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
    ck_assert(s[1] > 0.2);
    for (int i = 0; i < 3; i++) {
        const Way *way = &planes[i];
        ctWorld *world = newWorld(way, d.mu);
        addFloor(world, way);
        ctBodyId id = addDisc(world, way, &d, 0.0, start);
        run(world, way, 0.1);
        ctQuat back = ctConjugate(turnOf(way));
        ctVec3 up = ctRotate(back, ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1)));
        ctVec3 x = ctRotate(back, ctBody_GetCenter(world, id));
        ctAssertClose(atan2(up.x, up.z), s[1], 1e-6);
        ctAssertClose(up.y, 0.0, 1e-6);
        ctAssertClose(x.x, s[0], 1e-7);
        ctAssertClose(x.y, 0.0, 1e-7);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy;
}

// A can that rocks on its rim lands flat and goes on over the opposite point. With its angular momentum about that
// point it keeps (I + m (h^2/4 - r^2)) / (I + m (h^2/4 + r^2)) of its spin, as Housner's block does (1963).
START_TEST(a_can_rocks_until_it_is_flat)
{
    const double r = 0.03, h = 0.12, tilt = 0.1, middle = 0.25 * r * r + h * h / 12.0 + 0.25 * h * h;
    const Way planes[] = {{60, false, false, false}, {1000, false, false, true}, {144, true, false, false}};
    for (int i = 0; i < 3; i++) {
        const Way *way = &planes[i];
        ctWorld *world = newWorld(way, 1.0);
        addFloor(world, way);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCylinder(world, r, h, NULL);
        def.mass = 1.0;
        def.position = ctV3(0, 0, 0.5 * h * cos(tilt) + r * sin(tilt));
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        ctBodyId id = add(world, &def);
        double flat = G * 0.5 * h, level = energyOf(world) - flat, kept = (middle - r * r) / (middle + r * r);
        int landings = 0;
        for (int f = 0; f < (int)(1.5 * way->fps); f++) {
            run(world, way, 1.0 / way->fps);
            double energy = energyOf(world) - flat;
            for (; energy < 0.9 * level && landings < 4; landings++) {
                level *= kept * kept;
            }
            // An edge of a body on a box is rounded by 1e-5 of its size.
            bool right = fabs(energy / level - 1.0) < (way->box ? 1e-4 : 2e-6);
            ctRequire(landings == 4 || right, "%g fps: %g after %d", way->fps, energy / level - 1.0, landings);
        }
        ck_assert_int_eq(landings, 4);
        ck_assert(ctBody_IsAsleep(world, id));
        ctAssertClose(ctBody_GetCenter(world, id).z, 0.5 * h, 1e-9);
        ctAssertClose(ctBody_GetCenter(world, id).y, 0.0, 1e-7);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// However the steps of a motion come to lie: a can that has landed flat once rises over the opposite point, as above.
START_TEST(a_rim_falls_flat_from_any_tilt)
{
    const double r = 0.03, h = 0.12, middle = 0.25 * r * r + h * h / 12.0 + 0.25 * h * h;
    const double kept = (middle - r * r) / (middle + r * r);
    for (int i = 0; i < 60; i++) {
        const Way way = {60, i % 2 == 1, false, false};
        double tilt = 0.05 + 0.002 * i;
        ctWorld *world = newWorld(&way, 1.0);
        addFloor(world, &way);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateCylinder(world, r, h, NULL);
        def.mass = 1.0;
        def.position = ctV3(0, 0, 0.5 * h * cos(tilt) + r * sin(tilt));
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        add(world, &def);
        double flat = G * 0.5 * h, level = energyOf(world) - flat, energy = level;
        while (energy > 0.9 * level) {
            run(world, &way, 1.0 / way.fps);
            energy = energyOf(world) - flat;
        }
        ctRequire(fabs(energy / (kept * kept * level) - 1.0) < (way.box ? 3e-3 : 2e-6), "%g rad: %g", tilt,
                  energy / (kept * kept * level) - 1.0);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A can that slides and tips, but stops before it falls over, falls back and rocks. And one that also spins, for as
// long as it has not rolled around its rim for long: after that rounding matters.
START_TEST(a_can_that_stops_falls_back)
{
    const Way planes[] = {
        {60, false, false, false}, {1000, false, false, false}, {30, false, true, false}, {250, false, false, true}};
    const Disc d = {0.55, 0.03, 0.12, 0.5 * 0.03 * 0.03, 0.0};
    double start[6] = {0, 0, 0, 0.3, 0, _i == 0 ? 0.0 : 5.0}, first[3] = {0};
    for (int i = 0; i < 4; i++) {
        const Way *way = &planes[i];
        ctWorld *world = newWorld(way, d.mu);
        addFloor(world, way);
        ctBodyId id = addDisc(world, way, &d, 0.0, start);
        run(world, way, _i == 0 ? 0.5 : 0.2);
        ctVec3 x = ctRotate(ctConjugate(turnOf(way)), ctBody_GetCenter(world, id));
        double place[3] = {x.x, way->mirrored ? -x.y : x.y, x.z};
        for (int k = 0; k < 3; k++) {
            first[k] = i == 0 ? place[k] : first[k];
            ctAssertClose(place[k], first[k], 1e-8);
        }
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
    ctAssertClose(first[2], 0.06, _i == 0 ? 1e-9 : 1e-2);
}
END_TEST

// ---- over an edge -------------------------------------------------------------------------------

// A can that slides with its face over an edge at the origin moves in a plane: centre c, tilt, velocity v, spin w. With
// the normal n = (sin, cos) and the direction t = (cos, -sin) of the face, n.c = h/2. The edge pushes with N n and,
// where there is friction, with -mu N t.
static void leave(const Disc *d, const double *s, double *rates)
{
    double sine = sin(s[2]), cosine = cos(s[2]), inertia = 0.25 * d->r * d->r + d->h * d->h / 12.0;
    double along = cosine * s[0] - sine * s[1], slip = cosine * s[3] - sine * s[4], lever = along + 0.5 * d->mu * d->h;
    double n = (G * cosine - 2.0 * s[5] * slip + 0.5 * s[5] * s[5] * d->h) / (1.0 + along * lever / inertia);
    rates[0] = s[3];
    rates[1] = s[4];
    rates[2] = s[5];
    rates[3] = n * (sine - d->mu * cosine);
    rates[4] = n * (cosine + d->mu * sine) - G;
    rates[5] = n * lever / inertia;
}

static void addTable(ctWorld *world, const Way *way)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.shape = ctWorld_CreateBox(world, ctV3(2, 4, 1), NULL);
    def.position = vectorIn(way, ctV3(-1, 0, -0.5));
    def.orientation = turnOf(way);
    add(world, &def);
}

// It tips where the load, which is ahead of the centre by mu h/2, comes to the edge.
START_TEST(a_can_slides_off_a_table)
{
    static const double cases[][4] = {// friction, height, speed at the edge, time since then
                                      {0.0, 0.12, 0.4, 0.1},
                                      {0.0, 0.01, 0.5, 0.05},
                                      {0.2, 0.12, 0.5, 0.05},
                                      {0.3, 0.004, 0.4, 0.05}};
    const double *c = cases[_i];
    Disc d = {c[0], 0.03, c[1], 0.5 * 0.03 * 0.03, 0.0};
    enum { STEPS = 2000 };
    double s[6] = {-0.5 * d.mu * d.h, 0.5 * d.h, 0, c[2], 0, 0}, before = 0.1;
    double start[6] = {s[0] - c[2] * before - 0.5 * d.mu * G * before * before, 0, 0, c[2] + d.mu * G * before, 0, 0};
    for (int i = 0; i < STEPS; i++) {
        double k[4][6], z[6], h = c[3] / STEPS;
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
            for (int j = 0; j < 6; j++) {
                z[j] = s[j] + (stage > 0 ? part * k[stage - 1][j] : 0.0);
            }
            leave(&d, z, k[stage]);
        }
        for (int j = 0; j < 6; j++) {
            s[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
    ck_assert(s[2] > 0.02 && cos(s[2]) * s[0] - sin(s[2]) * s[1] < 0.9 * d.r); // it has not left yet
    for (int i = 0; i < WAYS; i++) {
        Way way = ways[i];
        way.fps = 20.0 * ceil(way.fps / 20.0);
        ctWorld *world = newWorld(&way, d.mu);
        addTable(world, &way);
        ctBodyId id = addDisc(world, &way, &d, 0.0, start);
        run(world, &way, before + c[3]);
        ctQuat back = ctConjugate(turnOf(&way));
        ctVec3 up = ctRotate(back, ctRotate(ctBody_GetTransform(world, id).q, ctV3(0, 0, 1)));
        ctVec3 x = ctRotate(back, ctBody_GetCenter(world, id));
        ctAssertClose(atan2(up.x, up.z), s[2], 1e-8);
        ctAssertClose(x.x, s[0], 2e-9);
        ctAssertClose(x.y, 0.0, 1e-12);
        ctAssertClose(x.z, s[1], 2e-9);
        ctTestEnergy(world);
        ctAssertClose(ctWorld_GetStats(world).stepError, 0.0, 1e-9);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A disc that reaches beyond an edge at x = 0, or beyond a round face of the same radius about the origin.
typedef struct Place {
    double x, y, weight, ux, uy;
} Place;

// The places on the border of the region, from the centre of the disc: on its rim, and on that of a round face.
enum { PLACES = 4000 };
static int findPlaces(const Disc *d, const double *s, bool round, Place *places)
{
    double pi = 3.14159265358979323846, away = hypot(s[0], s[1]), half = round ? acos(0.5 * away / d->r) : 0.0;
    double toward = round ? atan2(-s[1], -s[0]) : pi;
    half = round ? half : pi - acos(fmin(1.0, -s[0] / d->r));
    int arcs = round ? 2 : 1;
    for (int i = 0; i < PLACES; i++) {
        bool other = i % arcs == 1;
        double part = (i / arcs + 0.5) / (PLACES / arcs), at = toward + (other ? pi : 0.0) + half * (2.0 * part - 1.0);
        places[i] = (Place){d->r * cos(at) - (other ? s[0] : 0.0), d->r * sin(at) - (other ? s[1] : 0.0), 1.0, 0, 0};
    }
    return PLACES;
}

// Force and torque of friction, with loads linear in place whose resultant acts at m: of unit weight.
static void regionFriction(const Disc *d, const double *s, bool round, double *m, double *f)
{
    static Place places[PLACES];
    int count = findPlaces(d, s, round, places);
    double mean[2] = {0, 0}, a[3] = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        Place *p = &places[i];
        double ux = s[3] - s[5] * p->y, uy = s[4] + s[5] * p->x, speed = hypot(ux, uy) + 1e-300;
        p->ux = ux / speed;
        p->uy = uy / speed;
        mean[0] += p->x / count;
        mean[1] += p->y / count;
    }
    for (int i = 0; i < count; i++) {
        double x = places[i].x - mean[0], y = places[i].y - mean[1];
        a[0] += x * x / count;
        a[1] += x * y / count;
        a[2] += y * y / count;
    }
    double least = 1.0;
    for (int turn = 0; turn < 50; turn++) {
        double wx = m[0] - mean[0], wy = m[1] - mean[1], det = a[0] * a[2] - a[1] * a[1];
        double gx = (a[2] * wx - a[1] * wy) / det, gy = (a[0] * wy - a[1] * wx) / det;
        f[0] = f[1] = f[2] = 0.0;
        for (int i = 0; i < count; i++) {
            const Place *p = &places[i];
            double load = (1.0 + gx * (p->x - mean[0]) + gy * (p->y - mean[1])) / count;
            least = fmin(least, load);
            f[0] -= d->mu * load * p->ux;
            f[1] -= d->mu * load * p->uy;
            f[2] -= d->mu * load * (p->x * p->uy - p->y * p->ux);
        }
        double to[2] = {-0.5 * d->h * f[0], -0.5 * d->h * f[1]}, miss = hypot(to[0] - m[0], to[1] - m[1]);
        m[0] = to[0];
        m[1] = to[1];
        if (miss < 1e-13) {
            break;
        }
    }
    ck_assert(least > 0.0);
}

// The friction of a coin that spins while it slides over an edge or on another coin is that of the part that bears.
START_TEST(coins_slide_and_spin_beyond_their_faces)
{
    bool round = _i == 1;
    Disc d = {0.2, 0.03, 0.002, 0.5 * 0.03 * 0.03, 0.0};
    double start[6] = {round ? -0.012 : -0.02, 0.002, 0, 0.02, 0.25, 12.0}, s[6], m[2] = {0, 0};
    memcpy(s, start, sizeof s);
    enum { STEPS = 100 };
    for (int i = 0; i < STEPS; i++) {
        double k[4][6], z[6], h = 0.05 / STEPS;
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h, f[3];
            for (int j = 0; j < 6; j++) {
                z[j] = s[j] + (stage > 0 ? part * k[stage - 1][j] : 0.0);
            }
            regionFriction(&d, z, round, m, f);
            const double rates[6] = {z[3], z[4], z[5], G * f[0], G * f[1], G * f[2] / d.gyration};
            memcpy(k[stage], rates, sizeof rates);
        }
        for (int j = 0; j < 6; j++) {
            s[j] += h / 6.0 * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
        }
    }
    for (int i = 0; i < WAYS; i++) {
        Way way = ways[i];
        way.fps = 20.0 * ceil(way.fps / 20.0);
        ctWorld *world = newWorld(&way, d.mu);
        if (round) {
            ctBodyDef def = ctDefaultBodyDef();
            def.motion = ct_motionFixed;
            def.shape = ctWorld_CreateCylinder(world, d.r, 1.0, NULL);
            def.position = vectorIn(&way, ctV3(0, 0, -0.5));
            def.orientation = turnOf(&way);
            add(world, &def);
        } else {
            addTable(world, &way);
        }
        ctBodyId id = addDisc(world, &way, &d, 0.0, start);
        run(world, &way, 0.05);
        compare(world, &way, id, &d, s, 1e-8);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- on several faces ---------------------------------------------------------------------------

// A floor with seams: two halves that meet at x = 0, tiles, the same as parts of one body, and a table with legs.
enum { HALVES, TILES, PARTS, LEGS, FLOORS };

static void addTiles(ctWorld *world, const Way *way, double edge, int count, bool parts)
{
    ctPart all[64];
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.orientation = turnOf(way);
    for (int i = 0; i < count * count; i++) {
        ctVec3 at = ctV3(edge * (i % count - count / 2), edge * (i / count - count / 2), -0.05);
        all[i].shape = def.shape = ctWorld_CreateBox(world, ctV3(edge, edge, 0.1), NULL);
        all[i].pose = ctTransformOf(at, ctQuatIdentity());
        def.position = vectorIn(way, at);
        if (!parts) {
            add(world, &def);
        }
    }
    if (parts) { // a gap in one corner, or they would be one box
        def.shape = ctWorld_CreateCompound(world, all, count * count - 1, NULL);
        def.position = ctZero3();
        add(world, &def);
    }
}

static void addSeams(ctWorld *world, const Way *way, int floor)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = ct_motionFixed;
    def.orientation = turnOf(way);
    if (floor == HALVES) {
        def.shape = ctWorld_CreateBox(world, ctV3(1, 2, 0.1), NULL);
        for (int k = -1; k <= 1; k += 2) {
            def.position = vectorIn(way, ctV3(0.5 * k, 0, -0.05));
            add(world, &def);
        }
    } else if (floor == LEGS) {
        ctPart parts[2] = {
            {ctWorld_CreateBox(world, ctV3(1, 1, 0.1), NULL), ctTransformOf(ctV3(0, 0, -0.05), ctQuatIdentity())},
            {ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.5), NULL), ctTransformOf(ctV3(0, 0, -0.35), ctQuatIdentity())}};
        def.shape = ctWorld_CreateCompound(world, parts, 2, NULL);
        add(world, &def);
    } else {
        addTiles(world, way, 0.1, 5, floor == PARTS);
    }
}

// A disc feels no seam: it slides and spins to where it would on a floor of one piece.
START_TEST(a_disc_slides_over_seams)
{
    const Disc d = {.mu = 0.3, .r = 0.03, .h = 0.06, .gyration = 0.5 * 0.03 * 0.03};
    const double start[6] = {-0.09, -0.02, 0.0, 0.8, 0.3, 5.0};
    double s[6];
    memcpy(s, start, sizeof s);
    solve(&d, s, 1.0);
    for (int i = 0; i < WAYS; i++) {
        ctWorld *world = newWorld(&ways[i], d.mu);
        addSeams(world, &ways[i], _i);
        ctBodyId id = addDisc(world, &ways[i], &d, 0.0, start);
        run(world, &ways[i], 1.0);
        compare(world, &ways[i], id, &d, s, 1e-7);
        ctRequire(fabs(ctWorld_GetStats(world).stepError) < 1e-9, "%g J", ctWorld_GetStats(world).stepError);
        ctTestEnergy(world);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("discs");
    TCase *flat = tcase_create("flat");
    tcase_set_timeout(flat, 60.0);
    tcase_add_loop_test(flat, discs_slide_and_spin_to_a_stop, 0, 6);
    tcase_add_test(flat, discs_slide_or_spin_to_a_stop);
    tcase_add_loop_test(flat, a_stack_slides_like_one_disc, 0, 2);
    tcase_add_test(flat, a_disc_on_a_larger_disc);
    tcase_add_test(flat, a_disc_on_a_platter);
    tcase_add_test(flat, a_can_slides_until_it_tips);
    tcase_add_test(flat, a_can_tips_over_its_edge);
    tcase_add_test(flat, a_can_rocks_until_it_is_flat);
    tcase_add_test(flat, a_rim_falls_flat_from_any_tilt);
    tcase_add_loop_test(flat, a_can_that_stops_falls_back, 0, 2);
    tcase_add_loop_test(flat, a_can_slides_off_a_table, 0, 4);
    tcase_add_loop_test(flat, coins_slide_and_spin_beyond_their_faces, 0, 2);
    tcase_add_loop_test(flat, a_disc_slides_over_seams, 0, FLOORS);
    suite_add_tcase(suite, flat);
    return ctRunSuite(suite);
}
