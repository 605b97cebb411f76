// Forces, torques and drag against closed forms: in flight, in contact, over impacts.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;
static const ctVec3 DOWN = {0, 0, -9.81};

// ---- constant force ---------------------------------------------------------------------------

START_TEST(a_constant_force_is_a_parabola)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
    ctBodyId boxes[2] = {ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.2, 0.3), ctV3(0, 0, 5)),
                         ctTestBall(world, 0.1, ctV3(5, 0, 5), ctZero3())};
    for (int i = 0; i < 2; i++) {
        double m = ctBody_GetMass(world, boxes[i]);
        ck_assert(ctBody_SetForce(world, boxes[i], ctV3(2 * m, -m, 3 * m), NULL));
        ctAssertClose(ctBody_GetForce(world, boxes[i]).y, -m, 0.0);
        ck_assert(ctBody_SetVelocity(world, boxes[i], ctV3(1, 2, 3), ctV3(3, 1, 2), NULL));
    }
    ctTestRun(world, 1.0);
    for (int i = 0; i < 2; i++) {
        ctVec3 at = ctBody_GetCenter(world, boxes[i]);
        ctAssertClose(at.x, 5.0 * i + 1.0 + 1.0, 1e-12);
        ctAssertClose(at.y, 2.0 - 0.5, 1e-12);
        ctAssertClose(at.z, 5.0 + 3.0 + 0.5 * (3.0 - G), 1e-12);
    }
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A ball under half its weight upwards bounces as under half of gravity: the times of its impacts, to 1e-9.
START_TEST(bounces_under_a_force)
{
    ctWorld *world = ctTestWorld(DOWN, 0.0, 0.8);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 1.1), ctZero3());
    double m = ctBody_GetMass(world, ball), g = 0.5 * G, due = sqrt(2.0 / g), speed = g * due;
    ck_assert(ctBody_SetForce(world, ball, ctV3(0, 0, 0.5 * m * G), NULL));
    int hits = 0;
    for (int frame = 0; frame < 180; frame++) {
        const ctImpact *impacts;
        ck_assert(ctWorld_Step(world, NULL));
        for (int i = 0, n = ctWorld_GetImpacts(world, &impacts); i < n; i++, hits++) {
            ctAssertClose(impacts[i].time, due, 1e-9);
            speed *= 0.8;
            due += 2.0 * speed / g;
        }
    }
    ck_assert_int_ge(hits, 3);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// The weight as a force, and no gravity: the same world. Rolling, sliding, a stack, a coin, and a heap.
START_TEST(a_force_acts_as_gravity_does)
{
    for (int kind = 0; kind < 3; kind++) {
        ctVec3 ends[2][40];
        int count = 0;
        for (int way = 0; way < 2; way++) {
            ctWorld *world = ctTestWorld(way == 0 ? DOWN : ctZero3(), 0.3, 0.2);
            ctTestPlane(world, ctNormalize(ctV3(0.1, 0, 1)), 0.0);
            for (int i = 0; i < 3 && kind == 0; i++) {
                ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1), ctV3(0.01 * i, 0, 0.15 + 0.11 * i));
            }
            if (kind == 1) {
                ctTestBall(world, 0.1, ctV3(0, 0, 0.2), ctV3(1, 1, 0));
            }
            if (kind == 2) {
                ctBodyDef def = ctDefaultBodyDef();
                def.shape = ctWorld_CreateCylinder(world, 0.1, 0.02, NULL);
                def.position = ctV3(0, 0, 0.3);
                def.orientation = ctQuatExp(ctV3(1.2, 0, 0));
                def.spin = ctV3(0, 0, 5);
                ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
            }
            count = ctWorld_GetBodyCount(world);
            for (int i = 1; i < count && way == 1; i++) {
                ctBodyId id = ctWorld_GetBody(world, i);
                ck_assert(ctBody_SetForce(world, id, ctScale(ctBody_GetMass(world, id), DOWN), NULL));
            }
            ctTestRun(world, kind == 2 ? 0.5 : 1.0);
            ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-6);
            for (int i = 0; i < count; i++) {
                ends[way][i] = ctBody_GetCenter(world, ctWorld_GetBody(world, i));
            }
            ctWorld_Destroy(world);
        }
        for (int i = 1; i < count; i++) {
            // Tolerances of the contact code are shares of gravity: the two do not take the same steps.
            ctRequire(ctDistance(ends[0][i], ends[1][i]) < 1e-6, "kind %d, body %d: %g", kind, i,
                      ctDistance(ends[0][i], ends[1][i]));
        }
    }
}
END_TEST

// A block on a floor: below mu m g it stays, above it accelerates by (F - mu m g) / m. It wakes for that.
START_TEST(a_push_against_friction)
{
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.3, 0.1), ctV3(0, 0, 0.05));
    double m = ctBody_GetMass(world, box);
    ctTestRun(world, 1.0);
    ck_assert(ctBody_IsAsleep(world, box));
    ck_assert(ctBody_SetForce(world, box, ctV3(0.39 * m * G, 0, 0), NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, box).x, 0.0, 1e-6);
    ck_assert(ctBody_SetForce(world, box, ctV3(0.5 * m * G, 0, 0), NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, box).x, 0.5 * 0.1 * G, 1e-3 * G);
    ctAssertClose(ctBody_GetVelocity(world, box).x, 0.1 * G, 1e-3 * G);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-6);
    ctWorld_Destroy(world);
}
END_TEST

// ---- for a step -------------------------------------------------------------------------------

START_TEST(a_force_for_a_step_is_an_impulse)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctZero3());
    double m = ctBody_GetMass(world, box), i = ctBody_GetInertia(world, box).cx.x, dt = 1.0 / 60.0;
    ck_assert(ctBody_ApplyForce(world, box, ctV3(2 * m, 0, 0), NULL));
    ck_assert(ctBody_ApplyForce(world, box, ctV3(m, 0, 0), NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetVelocity(world, box).x, 3.0 * dt, 1e-14);
    ctAssertClose(ctBody_GetCenter(world, box).x, 3.0 * dt * (1.0 - 0.5 * dt), 1e-12);
    ctVec3 corner = ctAdd(ctBody_GetCenter(world, box), ctV3(0, 0.1, 0));
    ck_assert(ctBody_ApplyForceAt(world, box, ctV3(-m, 0, 0), corner, NULL));
    ck_assert(ctBody_ApplyTorque(world, box, ctV3(0, 0, -0.05 * m), NULL));
    ctTestRun(world, 0.5);
    ctAssertClose(ctBody_GetVelocity(world, box).x, 2.0 * dt, 1e-14);
    ctAssertClose(ctBody_GetSpin(world, box).z, 0.05 * m * dt / i, 1e-12);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

// ---- torque -----------------------------------------------------------------------------------

START_TEST(a_torque_turns_a_ball)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 9), ctV3(1, 0, 0));
    double i = ctBody_GetInertia(world, ball).cx.x;
    ck_assert(ctBody_SetTorque(world, ball, ctV3(0, 0, 0.5 * i), NULL));
    ctTestRun(world, 2.0);
    ctAssertClose(ctBody_GetSpin(world, ball).z, 1.0, 1e-12);
    ctQuat q = ctBody_GetTransform(world, ball).q; // by 1 rad
    ctAssertClose(fabs(q.w), cos(0.5), 1e-11);
    ctAssertClose(ctBody_GetCenter(world, ball).x, 2.0, 1e-12);
    ctAssertClose(ctWorld_GetStats(world).driveWork, 0.5 * i, 1e-9 * i); // torque times angle
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A tumbling brick under a torque: L = L0 + T t, and the work is the gain of energy.
START_TEST(a_torque_on_a_tumbling_brick)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.2, 0.3), ctZero3());
    ck_assert(ctBody_SetVelocity(world, box, ctZero3(), ctV3(0.1, 5, 0.1), NULL));
    ctVec3 start = ctWorld_GetStats(world).angularMomentum, torque = ctV3(0.02, -0.01, 0.03);
    ck_assert(ctBody_SetTorque(world, box, torque, NULL));
    ctTestRun(world, 3.0);
    ctVec3 expected = ctMulAdd(start, 3.0, torque), l = ctWorld_GetStats(world).angularMomentum;
    ctAssertClose(ctDistance(l, expected), 0.0, 1e-12);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-10);
    // Whatever the frame rate: the orientation too.
    ctQuat q[2];
    for (int k = 0; k < 2; k++) {
        ctWorld *other = ctTestWorld(ctZero3(), 0.5, 0.5);
        ck_assert(ctWorld_SetFrameTime(other, k == 0 ? 1.0 / 25.0 : 1.0 / 400.0, NULL));
        ctBodyId b = ctTestBox(other, ct_motionDynamic, ctV3(0.1, 0.2, 0.3), ctZero3());
        ck_assert(ctBody_SetVelocity(other, b, ctZero3(), ctV3(0.1, 5, 0.1), NULL));
        ck_assert(ctBody_SetTorque(other, b, torque, NULL));
        ctTestRun(other, 2.0);
        q[k] = ctBody_GetTransform(other, b).q;
        ctWorld_Destroy(other);
    }
    ctAssertClose(fabs(q[0].w * q[1].w + q[0].x * q[1].x + q[0].y * q[1].y + q[0].z * q[1].z), 1.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A driven wheel: a solid ball that rolls under a torque T accelerates by 5 T / (7 m r).
START_TEST(a_torque_drives_a_rolling_ball)
{
    ctWorld *world = ctTestWorld(DOWN, 0.8, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctZero3());
    ctTestRun(world, 0.2);
    double m = ctBody_GetMass(world, ball), a = 1.0;
    ck_assert(ctBody_SetTorque(world, ball, ctV3(0, 1.4 * m * 0.1 * a, 0), NULL));
    double start = ctWorld_GetTime(world), x = ctBody_GetCenter(world, ball).x;
    ctTestRun(world, 1.0);
    double t = ctWorld_GetTime(world) - start;
    ctAssertClose(ctBody_GetVelocity(world, ball).x, a * t, 1e-12);
    ctAssertClose(ctBody_GetCenter(world, ball).x - x, 0.5 * a * t * t, 1e-12);
    ctAssertClose(ctBody_GetCenter(world, ball).z, 0.1, 1e-12);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

// A world with a floor, at some frames per second.
static ctWorld *floorAt(double frames, double friction)
{
    ctWorldDef settings = ctDefaultWorldDef();
    settings.frameTime = 1.0 / frames;
    settings.gravity = DOWN;
    ctWorld *world = ctWorld_Create(&settings, NULL);
    ck_assert(ctWorld_SetMaterial(world, (ctMaterialId){0}, (ctCoefficients){.friction = friction}, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    return world;
}

static const double RATES[4] = {30.0, 60.0, 150.0, 1000.0};

// A torque 30 % greater than the weight holds back turns a block over its edge: energy at the angle that it has, and
// the same angle at every frame rate.
START_TEST(a_torque_tips_a_block)
{
    double b = 0.1, h = 0.2, first = 0.0;
    for (int i = 0; i < 4; i++) {
        ctWorld *world = floorAt(RATES[i], 0.9);
        ctBodyId block = ctTestBox(world, ct_motionDynamic, ctV3(b, 0.3, h), ctV3(0, 0, 0.5 * h));
        double m = ctBody_GetMass(world, block), torque = 1.3 * 0.5 * m * G * b;
        ck_assert(ctBody_SetTorque(world, block, ctV3(0, torque, 0), NULL));
        ctTestRun(world, 0.2);
        ctQuat q = ctBody_GetTransform(world, block).q;
        double angle = 2.0 * atan2(q.y, q.w), inertia = m * (b * b + h * h) / 3.0;
        double rise = 0.5 * (b * sin(angle) + h * cos(angle) - h);
        first = i == 0 ? angle : first;
        ck_assert_double_gt(angle, 0.2);
        ctAssertClose(angle, first, 1e-12);
        ctAssertClose(ctBody_GetCenter(world, block).z, 0.5 * h + rise, 1e-9);
        ctAssertClose(ctBody_GetSpin(world, block).y, sqrt(2.0 * (torque * angle - m * G * rise) / inertia), 1e-8);
        ctAssertClose(ctWorld_GetStats(world).driveWork, torque * angle, 1e-8);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A block is pulled out from under another: both slide, each with its own constant acceleration.
START_TEST(a_force_on_one_of_two_blocks)
{
    double mu = 0.3;
    for (int i = 0; i < 4; i++) {
        ctWorld *world = floorAt(RATES[i], mu);
        ctBodyId low = ctTestBox(world, ct_motionDynamic, ctV3(0.6, 0.6, 0.1), ctV3(0, 0, 0.05));
        ctBodyId high = ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.1, 0.1), ctV3(0, 0, 0.15));
        double m = ctBody_GetMass(world, low), n = ctBody_GetMass(world, high);
        ctTestRun(world, 0.1);
        double start = ctWorld_GetTime(world), a = mu * G + 1.0;
        ck_assert(ctBody_SetForce(world, low, ctV3(m * a + mu * (m + 2.0 * n) * G, 0, 0), NULL));
        ctTestRun(world, 0.5);
        double t = ctWorld_GetTime(world) - start;
        ctAssertClose(ctBody_GetCenter(world, low).x, 0.5 * a * t * t, 1e-12);
        ctAssertClose(ctBody_GetCenter(world, high).x, 0.5 * mu * G * t * t, 1e-12);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-10);
        ctWorld_Destroy(world);
    }
}
END_TEST

// An ellipsoid that wobbles, slides and rolls under a torque, a force and drag, as one solid and as the part of a
// compound: the same at every frame rate, and all energy is accounted for.
START_TEST(a_driven_ellipsoid_is_the_same_at_every_frame_rate)
{
    ctVec3 first = ctZero3();
    for (int i = 0; i < 8; i++) {
        ctWorld *world = floorAt(RATES[i % 4], 0.4);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateEllipsoid(world, ctV3(0.2, 0.15, 0.1), NULL);
        if (i >= 4) {
            ctPart part = {def.shape, ctTransformOf(ctZero3(), ctQuatIdentity())};
            def.shape = ctWorld_CreateCompound(world, &part, 1, NULL);
        }
        def.position = ctV3(0, 0, 0.1);
        def.spin = ctV3(0.3, 0.2, 4.0);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        double m = ctBody_GetMass(world, body);
        ck_assert(ctBody_SetTorque(world, body, ctV3(0.1 * m, 0.03 * m, -0.05 * m), NULL));
        ck_assert(ctBody_SetDrag(world, body, 0.5, 0.7, NULL) && ctBody_SetForce(world, body, ctV3(0, m, 0), NULL));
        ctTestRun(world, 1.0);
        first = i == 0 ? ctBody_GetCenter(world, body) : first;
        ctAssertClose(ctDistance(ctBody_GetCenter(world, body), first), 0.0, i < 4 ? 1e-12 : 1e-9);
        ctAssertClose(ctWorld_GetStats(world).stepError, 0.0, 1e-8);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- drag -------------------------------------------------------------------------------------

START_TEST(drag_has_a_terminal_velocity)
{
    const double rates[4] = {1e-7, 0.3, 2.0, 50.0};
    for (int i = 0; i < 4; i++) {
        double c = rates[i], t = 1.5;
        ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
        ctBodyId ball = ctTestBall(world, 0.1, ctZero3(), ctV3(4, 0, 2));
        ck_assert(ctBody_SetDrag(world, ball, c, 0.0, NULL));
        ctTestRun(world, t);
        double z = c * t, gone = -expm1(-z) / c;
        double fall = z < 1e-3 ? 0.5 * t * t * (1.0 - z / 3.0) : (t - gone) / c;
        ctVec3 x = ctBody_GetCenter(world, ball), v = ctBody_GetVelocity(world, ball);
        ctAssertClose(x.x, 4.0 * gone, 1e-12);
        ctAssertClose(x.z, 2.0 * gone - G * fall, 1e-11);
        ctAssertClose(v.z, 2.0 * exp(-z) - G * gone, 1e-11);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-8);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Drag on the spin: L decays by exp(-k t) and keeps its direction; the body turns as a free one in the time
// (1 - exp(-k t)) / k.
START_TEST(drag_slows_a_tumbling_brick)
{
    double k = 0.7, t = 2.0, s = -expm1(-k * t) / k;
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5), *free = ctTestWorld(ctZero3(), 0.5, 0.5);
    ck_assert(ctWorld_SetFrameTime(free, s / 100.0, NULL));
    ctBodyId a = ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.2, 0.3), ctZero3());
    ctBodyId b = ctTestBox(free, ct_motionDynamic, ctV3(0.1, 0.2, 0.3), ctZero3());
    ck_assert(ctBody_SetVelocity(world, a, ctZero3(), ctV3(0.1, 5, 1), NULL));
    ck_assert(ctBody_SetVelocity(free, b, ctZero3(), ctV3(0.1, 5, 1), NULL));
    ck_assert(ctBody_SetDrag(world, a, 0.0, k, NULL));
    ctTestRun(world, t);
    for (int i = 0; i < 100; i++) {
        ck_assert(ctWorld_Step(free, NULL));
    }
    ctQuat p = ctBody_GetTransform(world, a).q, q = ctBody_GetTransform(free, b).q;
    ctAssertClose(fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z), 1.0, 1e-12);
    ctVec3 l = ctWorld_GetStats(world).angularMomentum, m = ctWorld_GetStats(free).angularMomentum;
    ctAssertClose(ctDistance(l, ctScale(exp(-k * t), m)), 0.0, 1e-12);
    ctWorld_Destroy(world);
    ctWorld_Destroy(free);
}
END_TEST

// The first impact of a falling ball with drag, against the root of its closed form; on a plane, a box and a ball.
START_TEST(impacts_with_drag_are_on_time)
{
    for (int kind = 0; kind < 3; kind++) {
        double c = 1.3, lo = 0.0, hi = 5.0;
        ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
        if (kind == 0) {
            ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        } else if (kind == 1) {
            ctTestBox(world, ct_motionFixed, ctV3(1, 1, 1), ctV3(0, 0, -0.5));
        } else {
            ctBodyDef def = ctDefaultBodyDef();
            def.motion = ct_motionFixed;
            def.shape = ctWorld_CreateSphere(world, 1.0, NULL);
            def.position = ctV3(0, 0, -1);
            ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
        }
        ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 3.1), ctZero3());
        ck_assert(ctBody_SetDrag(world, ball, c, 0.5, NULL));
        for (int i = 0; i < 100; i++) {
            double t = 0.5 * (lo + hi);
            *(G / c * (t + expm1(-c * t) / c) < 3.0 ? &lo : &hi) = t;
        }
        bool impact = false;
        while (!impact) {
            ck_assert(ctWorld_StepToImpact(world, &impact, NULL));
            ck_assert(ctWorld_GetTime(world) < 5.0);
        }
        ctAssertClose(ctWorld_GetTime(world), lo, 1e-8);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Nothing is missed: bodies of every kind with drag, torque and forces, in a thin-walled box, never get out.
START_TEST(no_wall_is_passed)
{
    ctRandom r = ctRandomSeed(3);
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.7);
    for (int i = 0; i < 6; i++) {
        ctVec3 at = ctZero3(), size = ctV3(3.002, 3.002, 3.002);
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        *(i < 2 ? &at.x : i < 4 ? &at.y : &at.z) = 1.5005 * sign;
        *(i < 2 ? &size.x : i < 4 ? &size.y : &size.z) = 1e-3;
        ctTestBox(world, ct_motionFixed, size, at);
    }
    for (int i = 0; i < 21; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, i % 7);
        def.position = ctV3(0.8 * (i % 3 - 1), 0.8 * (i / 3 % 3 - 1), 0.9 * (i / 9 - 1));
        def.velocity = ctScale(30.0, ctRandomUnit(&r));
        def.spin = ctScale(20.0, ctRandomUnit(&r));
        ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
        ck_assert(id.index1 != 0);
        double m = ctBody_GetMass(world, id);
        ck_assert(ctBody_SetDrag(world, id, 0.5 * (i % 4), 0.3 * (i % 3), NULL));
        ck_assert(ctBody_SetForce(world, id, ctScale(20.0 * m, ctRandomUnit(&r)), NULL));
        ck_assert(ctBody_SetTorque(world, id, ctScale(0.05 * m, ctRandomUnit(&r)), NULL));
    }
    for (int frame = 0; frame < 150; frame++) {
        ck_assert(ctWorld_Step(world, NULL));
        for (int i = 6; i < 27; i++) {
            ctVec3 x = ctBody_GetCenter(world, ctWorld_GetBody(world, i));
            ctAssert(ctMaxElement(ctAbs(x)) < 1.5);
        }
    }
    ck_assert(ctWorld_GetStats(world).maxPenetration < 1e-3);
    ctAssertClose(ctTestMissingEnergy(world) / ctWorld_GetStats(world).givenEnergy, 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A block that slides through a fluid: v' = -mu g - c v, and it stops where v is zero.
START_TEST(drag_and_friction_stop_a_block)
{
    double c = 0.8, mu = 0.2, v = 2.0, stop = log1p(c * v / (mu * G)) / c;
    double way = (v + mu * G / c) * -expm1(-c * stop) / c - mu * G / c * stop;
    for (int i = 0; i < 4; i++) {
        ctWorld *world = floorAt(RATES[i], mu);
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.3, 0.1), ctV3(0, 0, 0.05));
        double m = ctBody_GetMass(world, box);
        ck_assert(ctBody_SetVelocity(world, box, ctV3(v, 0, 0), ctZero3(), NULL));
        ck_assert(ctBody_SetDrag(world, box, c, c, NULL));
        ctTestRun(world, 1.5);
        ctStats stats = ctWorld_GetStats(world);
        ctAssertClose(ctBody_GetCenter(world, box).x, way, 1e-9);
        ctAssertClose(stats.frictionLoss, m * mu * G * way, 1e-8);
        ctAssertClose(stats.driveWork, m * (mu * G * way - 0.5 * v * v), 1e-8);
        ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Drag so strong that it stops a body within a step: the body creeps along the floor at F / (m c), and does not sleep.
START_TEST(a_force_through_syrup)
{
    const double rates[3] = {600.0, 1e3, 5e3};
    for (int i = 0; i < 3; i++) {
        ctWorld *world = floorAt(60.0, 0.0);
        ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.3, 0.1), ctV3(0, 0, 0.05));
        double m = ctBody_GetMass(world, box);
        ck_assert(ctBody_SetDrag(world, box, rates[i], rates[i], NULL));
        ck_assert(ctBody_SetForce(world, box, ctV3(3.0 * m, 0, 0), NULL));
        ctTestRun(world, 0.5);
        double x = ctBody_GetCenter(world, box).x, speed = 3.0 / rates[i];
        ctTestRun(world, 3.0);
        ctAssertClose(ctBody_GetCenter(world, box).x - x, 3.0 * speed, 1e-9 * speed);
        ctAssertClose(ctBody_GetVelocity(world, box).x, speed, 1e-9 * speed);
        ctTestFinish(world);
    }
}
END_TEST

// Without friction v = v0 exp(-c t).
START_TEST(drag_acts_in_contact)
{
    ctWorld *world = ctTestWorld(DOWN, 0.0, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.3, 0.1), ctV3(0, 0, 0.05));
    ck_assert(ctBody_SetVelocity(world, box, ctV3(2, 0, 0), ctZero3(), NULL));
    ck_assert(ctBody_SetDrag(world, box, 0.8, 0.8, NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetVelocity(world, box).x, 2.0 * exp(-0.8), 1e-9);
    ctAssertClose(ctBody_GetCenter(world, box).x, 2.0 * -expm1(-0.8) / 0.8, 1e-9);
    ctAssertClose(ctTestMissingEnergy(world), 0.0, 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

// ---- the rest ---------------------------------------------------------------------------------

START_TEST(bad_forces_are_refused)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), 0.0), ball = ctTestBall(world, 0.1, ctV3(0, 0, 1), ctZero3());
    uint64_t hash = ctWorld_Hash(world);
    const ctVec3 bad[3] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, 1e30}};
    for (int i = 0; i < 3; i++) {
        ctError error = {0};
        ck_assert(!ctBody_SetForce(world, ball, bad[i], &error) && error.status == ct_badArgument);
        ck_assert(!ctBody_SetTorque(world, ball, bad[i], &error) && !ctBody_ApplyForce(world, ball, bad[i], &error));
        ck_assert(!ctBody_ApplyForceAt(world, ball, ctV3(1, 0, 0), bad[i], &error));
        ck_assert(!ctBody_ApplyTorque(world, ball, bad[i], &error));
    }
    ck_assert(!ctBody_SetDrag(world, ball, -1, 0, NULL) && !ctBody_SetDrag(world, ball, 0, NAN, NULL));
    ck_assert(!ctBody_SetForce(world, plane, ctV3(0, 0, 1), NULL) && !ctBody_SetDrag(world, plane, 1, 1, NULL));
    ck_assert(!ctBody_SetForce(world, (ctBodyId){0}, ctV3(0, 0, 1), NULL));
    ck_assert(hash == ctWorld_Hash(world));
    ctTestRun(world, 0.1);
    ctAssertClose(ctBody_GetCenter(world, ball).z, 1.0 - 0.005 * G, 1e-12);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(snapshots_keep_forces)
{
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.4);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    for (int i = 0; i < 7; i++) {
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, i);
        def.position = ctV3(0.5 * i, 0, 0.5);
        ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
        double m = ctBody_GetMass(world, id);
        ck_assert(ctBody_SetForce(world, id, ctV3(m, 0, 0.3 * i * m), NULL));
        ck_assert(ctBody_SetTorque(world, id, ctV3(0, 0.01 * m * (i % 2), 0), NULL));
        ck_assert(ctBody_SetDrag(world, id, 0.2 * (i % 3), 0.1, NULL));
    }
    ctTestRun(world, 0.4);
    ck_assert(ctBody_ApplyForce(world, ctWorld_GetBody(world, 2), ctV3(0, 5, 0), NULL));
    ctWorld *other = ctTestCopy(world);
    for (int i = 0; i < 60; i++) {
        ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(other, NULL));
        ctAssert(ctWorld_Hash(world) == ctWorld_Hash(other));
    }
    ctWorld_Destroy(other);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forces");
    TCase *tc = tcase_create("forces");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_constant_force_is_a_parabola);
    tcase_add_test(tc, bounces_under_a_force);
    tcase_add_test(tc, a_force_acts_as_gravity_does);
    tcase_add_test(tc, a_push_against_friction);
    tcase_add_test(tc, a_force_for_a_step_is_an_impulse);
    tcase_add_test(tc, a_torque_turns_a_ball);
    tcase_add_test(tc, a_torque_on_a_tumbling_brick);
    tcase_add_test(tc, a_torque_drives_a_rolling_ball);
    tcase_add_test(tc, a_torque_tips_a_block);
    tcase_add_test(tc, a_force_on_one_of_two_blocks);
    tcase_add_test(tc, a_driven_ellipsoid_is_the_same_at_every_frame_rate);
    tcase_add_test(tc, drag_has_a_terminal_velocity);
    tcase_add_test(tc, drag_slows_a_tumbling_brick);
    tcase_add_test(tc, impacts_with_drag_are_on_time);
    tcase_add_test(tc, no_wall_is_passed);
    tcase_add_test(tc, drag_acts_in_contact);
    tcase_add_test(tc, drag_and_friction_stop_a_block);
    tcase_add_test(tc, a_force_through_syrup);
    tcase_add_test(tc, bad_forces_are_refused);
    tcase_add_test(tc, snapshots_keep_forces);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
