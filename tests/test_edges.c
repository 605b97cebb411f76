// The end of a face: bodies that roll and slide off edges, against closed forms and finer integration.
#include "collision/quat.h"
#include "collision/shape.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

static const ctVec3 gravity = {0, 0, -G};

static ctBodyId add(ctWorld *world, const ctBodyDef *def)
{
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static double energyOf(const ctWorld *world)
{
    ctStats stats = ctWorld_GetStats(world);
    return stats.kineticEnergy + stats.potentialEnergy - stats.pushWork;
}

// The table's top is z = 0, its edge is at x = 1.
static ctBodyId addTable(ctWorld *world)
{
    return ctTestBox(world, ct_motionFixed, ctV3(2, 2, 1), ctV3(0, 0, -0.5));
}

// Runs a frame. Energy is accounted for, and does not rise by more than a share of itself.
static void runFrame(ctWorld *world, double share)
{
    double before = energyOf(world);
    ctTestRun(world, 1.0 / 60.0);
    ctTestEnergy(world);
    ctRequire(energyOf(world) <= before + share * fabs(before), "energy rises by %g J", energyOf(world) - before);
}

// ---- leaving at once --------------------------------------------------------------------------

// A round body that rolls over a sharp edge with v^2 > g r is free as soon as it is there: its parabola bends less than
// its surface.
static void rollOff(ctShapeId (*shape)(ctWorld *world, double radius), double r, double v, double way, double mu,
                    double restitution)
{
    ctWorld *world = ctTestWorld(gravity, mu, restitution);
    addTable(world);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape(world, r);
    double left = way / v;
    def.position = ctV3(1.0 - way, 0, r);
    def.orientation = ctQuatExp(ctV3(CT_PI / 2, 0, 0));
    def.velocity = ctV3(v, 0, 0);
    def.spin = ctV3(0, v / r, 0);
    ctBodyId id = add(world, &def);
    for (int i = 1; i / 60.0 < left + 0.2; i++) {
        runFrame(world, 1e-10);
        double t = i / 60.0, fall = fmax(t - left, 0.0);
        ctVec3 x = ctV3(def.position.x + v * t, 0, r - 0.5 * G * fall * fall);
        ctAssertClose(ctDistance(ctBody_GetCenter(world, id), x), 0.0, 1e-10);
        ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), ctV3(v, 0, -G * fall)), 0.0, 1e-9);
        ctAssertClose(ctDistance(ctBody_GetSpin(world, id), def.spin), 0.0, 1e-9 * v / r);
    }
    ctWorld_Destroy(world);
}

static ctShapeId ball(ctWorld *world, double radius)
{
    return ctWorld_CreateSphere(world, radius, NULL);
}

static ctShapeId capsule(ctWorld *world, double radius)
{
    return ctWorld_CreateCapsule(world, radius, 3.0 * radius, NULL);
}

static ctShapeId cylinder(ctWorld *world, double radius)
{
    return ctWorld_CreateCylinder(world, radius, 3.0 * radius, NULL);
}

START_TEST(round_bodies_roll_off_a_table)
{
    for (int i = 0; i < 40; i++) {
        double v = 1.5 + 2.0 * i / 39.0, way = 0.1 + 0.00317 * i, e = 0.3 * (i % 4);
        rollOff(ball, 0.1, v, way, 0.5 * (i % 2), e);
        rollOff(capsule, 0.1, v, way, 0.5, e);
        rollOff(cylinder, 0.1, v, way, 0.5, e);
    }
}
END_TEST

// Faster, smaller, and where the edge is reached just at the end of a step of 1/480 s.
START_TEST(fast_bodies_roll_off_a_table)
{
    for (int i = 0; i < 20; i++) {
        double v = 1.0 + 9.0 * i / 19.0;
        rollOff(ball, 0.02, v, 0.1 + 0.0123 * i, 0.5, 0.9);
        rollOff(cylinder, 0.02, v, 0.1 + 0.0123 * i, 0.5, 0.9);
        rollOff(ball, 0.1, v + 0.5, (v + 0.5) * (10 + i) / 480.0, 0.5, 0.5);
        rollOff(cylinder, 0.1, v + 0.5, (v + 0.5) * (10 + i) / 480.0, 0.5, 0.5);
    }
}
END_TEST

// A ball rolls down a ramp, which is a hull, from rest: 5/7 g sin of the angle.
START_TEST(a_ball_rolls_off_a_ramp)
{
    for (int i = 0; i < 20; i++) {
        double angle = 0.3, r = 0.05, way = 0.5 + 0.0137 * i, a = 5.0 / 7.0 * G * sin(angle);
        ctWorld *world = ctTestWorld(gravity, 0.5, 0.5);
        ctVec3 along = ctV3(cos(angle), 0, -sin(angle)), n = ctV3(sin(angle), 0, cos(angle)), corners[8];
        for (int k = 0; k < 8; k++) {
            ctVec3 end = ctV3(k & 1 ? 0.0 : -2.0 * along.x, k & 2 ? 1.0 : -1.0, k & 1 ? 0.0 : -2.0 * along.z);
            corners[k] = ctMulAdd(end, k & 4 ? -0.5 : 0.0, n);
        }
        ctBodyDef def = ctDefaultBodyDef();
        def.motion = ct_motionFixed;
        def.shape = ctWorld_CreateHull(world, corners, 8, NULL);
        add(world, &def);
        def = ctDefaultBodyDef();
        def.shape = ball(world, r);
        def.position = ctMulAdd(ctScale(-way, along), r, n);
        ctBodyId id = add(world, &def);
        double left = sqrt(2.0 * way / a);
        for (int k = 1; k / 60.0 < left + 0.2; k++) {
            runFrame(world, 1e-10);
            double t = k / 60.0, s = fmin(t, left), fall = fmax(t - left, 0.0);
            ctVec3 v = ctMulAdd(ctScale(a * s, along), fall, gravity);
            ctVec3 x =
                ctMulAdd(ctMulAdd(def.position, 0.5 * a * s * s + a * s * fall, along), 0.5 * fall * fall, gravity);
            ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), v), 0.0, 1e-8);
            ctAssertClose(ctDistance(ctBody_GetCenter(world, id), x), 0.0, 1e-8);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// A ball that rolls on a platter turning at W goes round at 2/7 W, until it is at the rim.
START_TEST(a_ball_rolls_off_a_platter)
{
    for (int i = 0; i < 20; i++) {
        double turn = 2.0 + 0.1 * i, r = 0.02, rate = 2.0 / 7.0 * turn, speed = 0.8 + 0.03 * i;
        ctWorld *world = ctTestWorld(gravity, 1.0, 0.5);
        ctBodyDef platter = ctDefaultBodyDef();
        platter.shape = ctWorld_CreateCylinder(world, 0.5, 0.05, NULL);
        platter.position = ctV3(0, 0, -0.025);
        platter.motion = ct_motionKinematic;
        platter.spin = ctV3(0, 0, turn);
        add(world, &platter);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ball(world, r);
        def.position = ctV3(0.1, 0.0123 * i, r);
        def.velocity = ctV3(speed, 0, 0);
        ctVec3 slip = ctSub(ctCross(platter.spin, ctV3(def.position.x, def.position.y, 0)), def.velocity);
        def.spin = ctV3(slip.y / r, -slip.x / r, 0);
        ctBodyId id = add(world, &def);
        ctVec3 centre = ctAdd(def.position, ctV3(0, speed / rate, 0));
        double left = 0.0, right = 1.0; // when it is at the rim
        for (int k = 0; k < 60; k++) {
            double t = 0.5 * (left + right), s = speed / rate;
            ctVec3 x = ctAdd(centre, ctV3(s * sin(rate * t), -s * cos(rate * t), 0));
            *(hypot(x.x, x.y) < 0.5 ? &left : &right) = t;
        }
        for (int k = 1; k / 60.0 < left + 0.2; k++) {
            ctTestRun(world, 1.0 / 60.0);
            double t = fmin(k / 60.0, left), fall = fmax(k / 60.0 - left, 0.0), s = speed / rate;
            ctVec3 v = ctV3(speed * cos(rate * t), speed * sin(rate * t), 0);
            ctVec3 x = ctMulAdd(ctAdd(centre, ctV3(s * sin(rate * t), -s * cos(rate * t), 0)), fall, v);
            x = ctMulAdd(x, 0.5 * fall * fall, gravity);
            ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), ctMulAdd(v, fall, gravity)), 0.0, 1e-6);
            ctAssertClose(ctDistance(ctBody_GetCenter(world, id), x), 0.0, 1e-6);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- turning about the edge -------------------------------------------------------------------

// A slow ball turns about the edge. At the angle t, with the speed v, the spin w, and friction f in the direction of
// motion,
//     v' = g sin t + f / m,   w' = -f r / I,   t' = v / r,   N = m (g cos t - v^2 / r),
// and f = -2/7 m g sin t as long as that is within the cone, else -mu N. It leaves where N = 0: without friction at
// cos t = (2 + v0^2 / (g r)) / 3.
typedef struct Pivot {
    double angle, v, w; // the spin times the radius
    bool slides;
} Pivot;

static Pivot pivotRate(Pivot p, double r, double mu)
{
    double normal = G * cos(p.angle) - p.v * p.v / r, f = -2.0 / 7.0 * G * sin(p.angle);
    f = p.slides ? -mu * normal : f;
    return (Pivot){p.v / r, G * sin(p.angle) + f, -2.5 * f, false};
}

static Pivot pivotMove(Pivot p, Pivot rate, double h)
{
    return (Pivot){p.angle + h * rate.angle, p.v + h * rate.v, p.w + h * rate.w, p.slides};
}

static Pivot pivotLeaves(double v, double r, double mu)
{
    Pivot p = {0.0, v, mu > 0.0 ? v : 0.0, !(mu > 0.0)};
    for (;;) {
        double h = 1e-5, normal = G * cos(p.angle) - p.v * p.v / r;
        p.slides = p.slides || 2.0 / 7.0 * G * sin(p.angle) > mu * normal;
        Pivot a = pivotRate(p, r, mu), b = pivotRate(pivotMove(p, a, 0.5 * h), r, mu);
        Pivot c = pivotRate(pivotMove(p, b, 0.5 * h), r, mu), d = pivotRate(pivotMove(p, c, h), r, mu);
        Pivot mean = {(a.angle + 2.0 * b.angle + 2.0 * c.angle + d.angle) / 6.0,
                      (a.v + 2.0 * b.v + 2.0 * c.v + d.v) / 6.0, (a.w + 2.0 * b.w + 2.0 * c.w + d.w) / 6.0, false};
        Pivot next = pivotMove(p, mean, h);
        double after = G * cos(next.angle) - next.v * next.v / r;
        if (after < 0.0) {
            return pivotMove(p, mean, h * normal / (normal - after));
        }
        p = next;
    }
}

static void pivotOff(double v, double mu)
{
    double r = 0.1;
    Pivot p = pivotLeaves(v, r, mu);
    if (mu == 0.0) {
        ctAssertClose(cos(p.angle), (2.0 + v * v / (G * r)) / 3.0, 1e-9);
    }
    ctWorld *world = ctTestWorld(gravity, mu, 0.5);
    addTable(world);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ball(world, r);
    def.position = ctV3(0.97, 0, r);
    def.velocity = ctV3(v, 0, 0);
    def.spin = ctV3(0, mu > 0.0 ? v / r : 0.0, 0);
    ctBodyId id = add(world, &def);
    ctVec3 x = def.position;
    for (int i = 0; i < 600 && (x.x < 1.0 || hypot(x.x - 1.0, x.z) < r + 1e-3); i++) {
        runFrame(world, 1e-6);
        x = ctBody_GetCenter(world, id);
    }
    // On the parabola from where it should have left, at the height where it is now.
    double down = p.v * sin(p.angle), fall = sqrt(down * down + 2.0 * G * (r * cos(p.angle) - x.z));
    ctVec3 want = ctV3(p.v * cos(p.angle), 0, -fall);
    ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), want), 0.0, 1e-4);
    ctAssertClose(x.x - 1.0 - r * sin(p.angle), want.x * (fall - down) / G, 1e-5);
    ctAssertClose(ctBody_GetSpin(world, id).y * r, p.w, mu > 0.0 ? 2e-4 : 1e-13);
    ctWorld_Destroy(world);
}

START_TEST(a_slow_ball_turns_about_the_edge)
{
    static const double frictions[] = {0.0, 0.2, 0.5, 1.0};
    for (int i = 0; i < 48; i++) {
        pivotOff(0.1 + 0.07 * (i / 4), frictions[i % 4]);
    }
}
END_TEST

// A block that slides off. Its weight acts mu b before its centre, b being half its height, because friction slows it
// down: there it begins to tip. At the tilt t, with the centre s beyond the edge along its base,
//     s'' + b t'' - s t'^2 = g sin t - mu N / m,   N / m = g cos t - s t'' - 2 s' t' - b t'^2,   I t'' = N (s + mu b),
// until its rear edge is at the table's.
typedef struct Tipping {
    double s, ds, tilt, dtilt;
} Tipping;

typedef struct Slider {
    double flat, b;     // m: half its base; see above
    double mu, inertia; // the moment of inertia per mass
} Slider;

static Tipping tippingRate(const Slider *k, Tipping y)
{
    double lever = y.s + k->mu * k->b;
    double normal =
        (G * cos(y.tilt) - 2.0 * y.ds * y.dtilt - k->b * y.dtilt * y.dtilt) / (1.0 + y.s * lever / k->inertia);
    double ddtilt = normal * lever / k->inertia;
    double dds = G * sin(y.tilt) - k->mu * normal + y.s * y.dtilt * y.dtilt - k->b * ddtilt;
    return (Tipping){y.ds, dds, y.dtilt, ddtilt};
}

static Tipping tippingMove(Tipping y, Tipping rate, double h)
{
    return (Tipping){y.s + h * rate.s, y.ds + h * rate.ds, y.tilt + h * rate.tilt, y.dtilt + h * rate.dtilt};
}

static Tipping tippingStep(const Slider *k, Tipping y, double h)
{
    Tipping a = tippingRate(k, y), b = tippingRate(k, tippingMove(y, a, 0.5 * h));
    Tipping c = tippingRate(k, tippingMove(y, b, 0.5 * h)), d = tippingRate(k, tippingMove(y, c, h));
    return tippingMove(tippingMove(tippingMove(tippingMove(y, a, h / 6.0), b, h / 3.0), c, h / 3.0), d, h / 6.0);
}

// Whether the edge still holds the block.
static bool isHeld(const Slider *k, Tipping y)
{
    return y.s < k->flat && G * cos(y.tilt) - 2.0 * y.ds * y.dtilt - k->b * y.dtilt * y.dtilt > 0.0;
}

static void checkTipping(const ctWorld *world, ctBodyId id, const Slider *k, Tipping y)
{
    double c = cos(y.tilt), s = sin(y.tilt);
    double along = y.ds + k->b * y.dtilt, up = -y.s * y.dtilt;
    ctVec3 x = ctV3(1.0 + y.s * c + k->b * s, 0, -y.s * s + k->b * c);
    ctVec3 v = ctV3(along * c + up * s, 0, -along * s + up * c);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, id), x), 0.0, 2e-5);
    ctAssertClose(ctDistance(ctBody_GetVelocity(world, id), v), 0.0, 1e-3);
    ctAssertClose(ctBody_GetSpin(world, id).y, y.dtilt, 3e-3);
}

static void slideOff(double v, double mu, double way)
{
    ctWorld *world = ctTestWorld(gravity, mu, 0.5);
    addTable(world);
    Slider k = {.flat = 0.1, .b = 0.05, .mu = mu, .inertia = (0.2 * 0.2 + 0.1 * 0.1) / 12.0};
    double start = 1.0 - mu * k.b - way, slowing = mu * G, speed = sqrt(v * v - 2.0 * slowing * way);
    double tips = 2.0 * way / (v + speed), time = tips;
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.1), NULL);
    def.position = ctV3(start, 0, k.b);
    def.velocity = ctV3(v, 0, 0);
    ctBodyId id = add(world, &def);
    Tipping y = {-mu * k.b, speed, 0.0, 0.0};
    for (int i = 1; isHeld(&k, y); i++) {
        runFrame(world, 1e-6);
        double t = i / 60.0;
        if (t < tips) {
            ctAssertClose(ctBody_GetCenter(world, id).x, start + v * t - 0.5 * slowing * t * t, 1e-8);
            ctAssertClose(ctBody_GetSpin(world, id).y, 0.0, 1e-5);
            continue;
        }
        while (time < t && isHeld(&k, y)) {
            double step = fmin(1e-5, t - time);
            y = tippingStep(&k, y, step);
            time += step;
        }
        if (isHeld(&k, y)) {
            checkTipping(world, id, &k, y);
        }
    }
    runFrame(world, 1e-6); // it flies
    ctAssertClose(ctBody_GetSpin(world, id).y, y.dtilt, 3e-3);
    ctWorld_Destroy(world);
}

START_TEST(a_block_slides_off_a_table)
{
    for (int i = 0; i < 10; i++) {
        slideOff(1.0 + 0.2 * i, 0.2, 0.15 + 0.0123 * i);
        slideOff(0.5 + 0.2 * i, 0.0, 0.15 + 0.0123 * i);
    }
}
END_TEST

// ---- from circle to circle --------------------------------------------------------------------

// A bowling pin's profile, inches: diameters at heights.
static const double profile[16][2] = {{2.031, 0},   {2.828, 0.75},  {3.906, 2.25},   {4.510, 3.375},
                                      {4.766, 4.5}, {4.563, 5.875}, {3.703, 7.25},   {2.472, 8.625},
                                      {1.797, 10},  {2.094, 11.75}, {2.406, 12.625}, {2.547, 13.5},
                                      {2.36, 14.2}, {1.85, 14.6},   {1.2, 14.85},    {0, 15}};

// A tilted pin tips over and rolls from one circle of its profile on to the next, each time with an impact. Nothing of
// that gives energy.
START_TEST(pins_tip_over)
{
    ctRandom random = ctRandomSeed(8);
    double r[16], z[16];
    for (int i = 0; i < 16; i++) {
        r[i] = 0.5 * 0.0254 * profile[i][0];
        z[i] = 0.0254 * profile[i][1];
    }
    for (int k = 0; k < ctTestCases(40); k++) {
        ctWorld *world = ctTestWorld(gravity, 0.35, 0.4);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateLathe(world, r, z, 16, NULL);
        def.mass = 1.55;
        double tilt = ctRandomUniform(&random, 0.15, 0.95), low = INFINITY;
        for (int i = 0; i < 16; i++) {
            low = fmin(low, z[i] * cos(tilt) - r[i] * sin(tilt));
        }
        def.position = ctV3(0, 0, 1e-5 - low);
        def.orientation = ctQuatExp(ctV3(0, tilt, 0));
        def.spin =
            ctV3(ctRandomUniform(&random, -3, 3), ctRandomUniform(&random, -3, 3), ctRandomUniform(&random, -6, 6));
        def.velocity = ctV3(ctRandomUniform(&random, -0.3, 0.3), ctRandomUniform(&random, -0.3, 0.3), 0);
        add(world, &def);
        for (int i = 0; i < 120; i++) {
            runFrame(world, 2e-5);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// A ball rolls along two rails, on the edges of boxes: steadily, in steps as long as frames. The ends of the
// rails are foreseen: it flies from there.
START_TEST(round_bodies_roll_along_rails)
{
    double r = 0.05, half = 0.03, v = 0.7, height = sqrt(r * r - half * half);
    for (int k = 0; k < 2; k++) {
        ctWorld *world = ctTestWorld(gravity, 0.5, 0.3);
        for (int side = -1; side <= 1; side += 2) {
            ctTestBox(world, ct_motionFixed, ctV3(4, 0.2, 1), ctV3(0, side * (half + 0.1), -0.5));
        }
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ball(world, r);
        def.position = ctV3(k == 0 ? -1.5 : 1.5, 0, height);
        def.velocity = ctV3(v, 0, 0);
        def.spin = ctV3(0, v / height, 0);
        ctBodyId id = add(world, &def);
        double left = (2.0 - def.position.x) / v;
        for (int i = 1; i <= 120; i++) {
            runFrame(world, 1e-10);
            double t = i / 60.0, fall = fmax(t - left, 0.0);
            ctVec3 x = ctV3(def.position.x + v * t, 0, height - 0.5 * G * fall * fall);
            if (fall == 0.0) {
                ctAssertClose(ctDistance(ctBody_GetCenter(world, id), x), 0.0, 1e-10);
                ctAssertClose(ctDistance(ctBody_GetSpin(world, id), def.spin), 0.0, 1e-9);
            }
        }
        if (k == 0) {
            ck_assert_int_lt(ctWorld_GetStats(world).contactSteps, 180); // 960 of 1/480 s
        } else {
            ck_assert(ctBody_GetCenter(world, id).z < -0.1);
        }
        ctWorld_Destroy(world);
    }
}
END_TEST

// Two boxes on each other slide and spin together. Where two of their sides are flush, corners are at the rim of a
// face, and rounding moves them across it. That takes hardly more steps than where the upper box is turned by 0.02 rad.
START_TEST(corners_at_the_rim_of_a_face_stay)
{
    int64_t steps[2];
    for (int k = 0; k < 2; k++) {
        ctWorld *world = ctTestWorld(gravity, 0.3, 0.0);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctMaterialDef rough = ctDefaultMaterialDef();
        rough.self = (ctCoefficients){.friction = 0.5};
        ctBodyDef def = ctDefaultBodyDef();
        ck_assert(ctWorld_CreateMaterial(world, &rough, &def.material, NULL));
        ck_assert(ctWorld_SetPair(world, def.material, (ctMaterialId){0}, (ctCoefficients){.friction = 0.3}, NULL));
        def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
        def.mass = 8.0;
        def.position = ctV3(0, 0, 0.1);
        def.velocity = ctV3(3, 0, 0);
        def.spin = ctV3(0, 0, 0.5);
        add(world, &def);
        def.position = ctV3(0.03, 0, 0.3);
        def.velocity = ctV3(3, 0.5 * 0.03, 0);
        def.orientation = ctQuatExp(ctV3(0, 0, 0.02 * k));
        add(world, &def);
        for (int i = 0; i < 60; i++) {
            runFrame(world, 1e-10);
        }
        steps[k] = ctWorld_GetStats(world).contactSteps;
        ctWorld_Destroy(world);
    }
    ctRequire(4 * steps[0] <= 5 * steps[1], "%d steps, and %d", (int)steps[0], (int)steps[1]);
}
END_TEST

// A box slides over the end of a table of its own width, 3 um to one side, and turned a little. So a corner of the
// table is beyond the rim of its lower face, and moves on outwards: by less than 1e-9 of the size in the time that
// counts, which is a hundredth of a fall by the size. A course lasts as long.
START_TEST(corners_move_along_the_rim_of_a_face)
{
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? -1.0 : 1.0, yaw = 1e-7 * pow(0.1, (double)(k / 2));
        ctWorld *world = ctTestWorld(gravity, 0.3, 0.0);
        ctTestBox(world, ct_motionFixed, ctV3(0.4, 0.2, 0.2), ctV3(-0.2, 0, -0.1));
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL);
        def.position = ctV3(-0.05, sign * 3e-6, 0.1);
        def.velocity = ctV3(0.5, 0, 0);
        def.orientation = ctQuatExp(ctV3(0, 0, -sign * yaw));
        add(world, &def);
        ctTestRun(world, 0.1);
        int steps = (int)ctWorld_GetStats(world).contactSteps;
        ctRequire(steps <= 80, "turned by %g: %d steps", -sign * yaw, steps);
        ctWorld_Destroy(world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("edges");
    TCase *tc = tcase_create("edges");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, round_bodies_roll_off_a_table);
    tcase_add_test(tc, fast_bodies_roll_off_a_table);
    tcase_add_test(tc, a_ball_rolls_off_a_ramp);
    tcase_add_test(tc, a_ball_rolls_off_a_platter);
    tcase_add_test(tc, a_slow_ball_turns_about_the_edge);
    tcase_add_test(tc, a_block_slides_off_a_table);
    tcase_add_test(tc, pins_tip_over);
    tcase_add_test(tc, round_bodies_roll_along_rails);
    tcase_add_test(tc, corners_at_the_rim_of_a_face_stay);
    tcase_add_test(tc, corners_move_along_the_rim_of_a_face);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
