// Who touches whom: filters, sensors, begin and end of contact, forces, and changes of a living body.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

static const double G = 9.81;
static const ctVec3 DOWN = {0, 0, -9.81};

static ctBodyId make(ctWorld *world, ctShapeId shape, ctMotionType motion, ctVec3 at, ctFilter filter, bool sensor)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.motion = motion;
    def.position = at;
    def.filter = filter;
    def.sensor = sensor;
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    ck_assert_msg(id.index1 != 0, "%s", error.message);
    return id;
}

static const ctFilter ALL = {1, UINT64_MAX};

// ---- filters ----------------------------------------------------------------------------------

// Every kind of shape falls through what it does not touch, dynamic, kinematic or fixed, and rests on what it does.
START_TEST(filters_decide_over_every_pair_of_kinds)
{
    for (int kind = 0; kind < 7; kind++) {
        for (int other = 0; other < 7; other++) {
            for (int motion = 0; motion < 3; motion++) {
                for (int touch = 0; touch < 2; touch++) {
                    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.0);
                    ctFilter first = {2, touch ? 4 : ~4ULL}, second = {4, UINT64_MAX};
                    ctBodyId a = make(world, ctTestSolid(world, kind), ct_motionDynamic, ctV3(0, 0, 1), first, false);
                    make(world, ctTestSolid(world, other), (ctMotionType)motion, ctZero3(), second, false);
                    ck_assert(ctBody_SetVelocity(world, a, ctV3(0, 0, -4), ctZero3(), NULL));
                    ctTestRun(world, 0.5);
                    int hits = (int)ctWorld_GetStats(world).impacts;
                    ctRequire((hits > 0) == (touch == 1), "kinds %d and %d, motion %d: %d impacts", kind, other, motion,
                              hits);
                    ctWorld_Destroy(world);
                }
            }
        }
    }
}
END_TEST

START_TEST(filtered_bodies_may_overlap_at_the_start)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctShapeId box = ctWorld_CreateBox(world, ctV3(1, 1, 1), NULL);
    ctFilter ghost = {2, ~1ULL};
    make(world, box, ct_motionFixed, ctZero3(), ALL, false);
    ctBodyId body = make(world, box, ct_motionDynamic, ctV3(0, 0, 0.5), ghost, false);
    ctError error = {0};
    ck_assert(!ctBody_SetFilter(world, body, ALL, &error)); // it would overlap
    ck_assert_ptr_nonnull(strstr(error.message, "overlap"));
    ck_assert(ctBody_GetFilter(world, body).category == 2);
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, body).z, 0.5 - 0.5 * G, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// A ball that rests on a floor falls when the filter changes, and bounces from the next when it changes back.
START_TEST(a_filter_can_change)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctZero3());
    ctTestRun(world, 2.0);
    ctAssertClose(ctBody_GetCenter(world, ball).z, 0.1, 1e-9);
    ck_assert(ctBody_SetFilter(world, ball, (ctFilter){2, 2}, NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, ball).z, 0.1 - 0.5 * G, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

static bool evenWithEven(void *context, const ctWorld *world, ctBodyId a, ctBodyId b)
{
    *(int *)context += 1;
    ctWorld *sneaky = (ctWorld *)world;
    ctAssert(!ctWorld_Step(sneaky, NULL)); // a filter may only look
    return ctBody_GetUserData(world, a) % 2 == ctBody_GetUserData(world, b) % 2;
}

START_TEST(a_function_filters_too)
{
    for (int odd = 0; odd < 2; odd++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
        ctBodyId a = ctTestBall(world, 0.1, ctZero3(), ctV3(1, 0, 0));
        ctBodyId b = ctTestBall(world, 0.1, ctV3(1, 0, 0), ctZero3());
        int asked = 0;
        ctBody_SetUserData(world, b, (uint64_t)odd);
        ck_assert_int_eq((int)ctBody_GetUserData(world, b), odd);
        ck_assert(ctWorld_SetFilter(world, evenWithEven, &asked, NULL));
        ctTestRun(world, 2.0);
        ck_assert_int_gt(asked, 0);
        ctAssertClose(ctBody_GetVelocity(world, a).x, odd ? 1.0 : 0.0, 1e-12);
        ctAssertClose(ctBody_GetVelocity(world, b).x, odd ? 0.0 : 1.0, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

// ---- sensors ----------------------------------------------------------------------------------

// How far two solids are apart, one of them at this height above the other.
static double distanceAt(int kind, int other, double height)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctFilter apart = {1, 2};
    ctBodyId a = make(world, ctTestSolid(world, other), ct_motionFixed, ctZero3(), apart, false);
    ctBodyId b = make(world, ctTestSolid(world, kind), ct_motionDynamic, ctV3(0, 0, height), apart, false);
    ctNearest nearest;
    ck_assert(ctWorld_Closest(world, a, b, &nearest));
    ctWorld_Destroy(world);
    return nearest.distance;
}

// A body of every kind flies through a sensor of every kind: it comes in at the time of the first touch, leaves at that
// of the last, and its velocity does not change. Also at 3 km/s, far less than a step inside.
START_TEST(sensors_see_every_kind_pass)
{
    for (int kind = 0; kind < 7; kind++) {
        for (int other = 0; other < 8; other++) {
            for (int fast = 0; fast < 2; fast++) {
                double speed = fast ? 3000.0 : 2.0;
                ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
                ctShapeId shape =
                    other < 7 ? ctTestSolid(world, other) : ctWorld_CreatePlane(world, ctV3(0, 0, 1), 0.0, NULL);
                ctBodyId sensor = make(world, shape, ct_motionFixed, ctZero3(), ALL, true);
                ctBodyId body = make(world, ctTestSolid(world, kind), ct_motionDynamic, ctV3(0, 0, 2), ALL, false);
                ck_assert(ctBody_SetVelocity(world, body, ctV3(0, 0, -speed), ctZero3(), NULL));
                int begins = 0, ends = 0;
                double begin = -1.0, end = 0.0;
                for (int frame = 0; frame < 150; frame++) {
                    ck_assert(ctWorld_Step(world, NULL));
                    const ctSensorEvent *events;
                    int count = ctWorld_GetSensorEvents(world, &events);
                    for (int i = 0; i < count; i++) {
                        begins += events[i].begin;
                        ends += !events[i].begin;
                        begin = events[i].begin ? events[i].time : begin;
                        end = events[i].begin ? end : events[i].time;
                        ctAssert(events[i].sensor.index1 == sensor.index1 && events[i].visitor.index1 == body.index1);
                    }
                    ctAssert(ctBody_GetVisitors(world, sensor, NULL, 0) == begins - ends);
                }
                // Solids are at most 0.25 m high: the first touch is between these two heights.
                double early = (2.0 - 0.6) / speed, late = 2.0 / speed;
                ctRequire(begins == 1 && ends == (other < 7), "kinds %d and %d: %d in, %d out", kind, other, begins,
                          ends);
                ctRequire(begin > early && begin < late, "kinds %d and %d: in at %g s", kind, other, begin);
                ctRequire(ends == 0 || fabs(distanceAt(kind, other, 2.0 - speed * begin)) < 1e-7,
                          "kinds %d and %d: in at %g", kind, other, distanceAt(kind, other, 2.0 - speed * begin));
                ctRequire(ends == 0 || fabs(distanceAt(kind, other, 2.0 - speed * end)) < 1e-7,
                          "kinds %d and %d: out at %g", kind, other, distanceAt(kind, other, 2.0 - speed * end));
                ctAssertClose(ctBody_GetVelocity(world, body).z, -speed, 0.0);
                ck_assert_int_eq((int)ctBody_GetTally(world, sensor).impacts, 1);
                ck_assert_int_eq((int)ctWorld_GetPairTally(world, sensor, body).impacts, 1);
                ck_assert_int_eq((int)ctBody_GetTally(world, body).impacts, 0);
                ck_assert_int_eq((int)ctWorld_GetStats(world).impacts, 0);
                ck_assert(ctWorld_GetStats(world).maxPenetration == 0.0);
                ctWorld_Destroy(world);
            }
        }
    }
}
END_TEST

START_TEST(sensor_times_are_exact)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.5);
    ctShapeId gate = ctWorld_CreateBox(world, ctV3(1, 1, 0.1), NULL);
    make(world, gate, ct_motionKinematic, ctV3(0, 0, -5), ALL, true);
    ctTestBall(world, 0.1, ctZero3(), ctZero3());
    double expected = sqrt(2.0 * (5.0 - 0.05 - 0.1) / G), left = sqrt(2.0 * (5.0 + 0.05 + 0.1) / G);
    int seen = 0;
    for (int i = 0; i < 90; i++) {
        const ctSensorEvent *events;
        ck_assert(ctWorld_Step(world, NULL));
        for (int k = 0, count = ctWorld_GetSensorEvents(world, &events); k < count; k++) {
            ctAssertClose(events[k].time, events[k].begin ? expected : left, 1e-9);
            seen++;
        }
    }
    ck_assert_int_eq(seen, 2);
    ctWorld_Destroy(world);
}
END_TEST

// Balls and boxes roll, slide and bounce through a gate on a plane: each leaves at its time, at any frame rate.
START_TEST(leaving_does_not_depend_on_the_frame_rate)
{
    double times[3][6] = {{0}};
    for (int rate = 0; rate < 3; rate++) {
        ctWorldDef settings = ctDefaultWorldDef();
        settings.frameTime = rate == 0 ? 1.0 / 30.0 : rate == 1 ? 1.0 / 60.0 : 1.0 / 1000.0;
        ctWorld *world = ctWorld_Create(&settings, NULL);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctShapeId gate = ctWorld_CreateBox(world, ctV3(0.3, 4, 0.5), NULL);
        make(world, gate, ct_motionFixed, ctV3(0.5, 0, 0.3), ALL, true);
        for (int i = 0; i < 3; i++) {
            ctBodyDef def = ctDefaultBodyDef();
            def.shape =
                i == 1 ? ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.2), NULL) : ctWorld_CreateSphere(world, 0.1, NULL);
            def.position = ctV3(0, i - 1.0, i == 2 ? 0.4 : 0.1);
            def.velocity = ctV3(i == 1 ? 4.0 : 1.0, 0, 0);
            def.spin = ctV3(0, i == 1 ? 0.0 : 10.0, 0);
            ck_assert_uint_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        }
        int seen = 0;
        while (ctWorld_GetTime(world) < 1.5) {
            const ctSensorEvent *events;
            ck_assert(ctWorld_Step(world, NULL));
            for (int k = 0, count = ctWorld_GetSensorEvents(world, &events); k < count; k++, seen++) {
                int which = (int)events[k].visitor.index1 - 3;
                ck_assert(which >= 0 && which < 3);
                times[rate][2 * which + !events[k].begin] = events[k].time;
            }
        }
        ck_assert_int_eq(seen, 6);
        ctWorld_Destroy(world);
    }
    for (int i = 0; i < 6; i++) {
        ctAssertClose(times[0][i], times[1][i], 1e-6);
        ctAssertClose(times[2][i], times[1][i], 1e-6);
    }
    // The first ball rolls: it leaves after 0.75 m; the box slides 0.75 m under friction 0.5.
    ctAssertClose(times[1][1], 0.75, 1e-8);
    double a = 0.5 * G;
    ctAssertClose(times[1][3], (4.0 - sqrt(16.0 - 2.0 * a * 0.75)) / a, 1e-6);
}
END_TEST

// A body that slides, rolls, wobbles or tips on a floor, with a sensor in its way (1), a thin one flush with the floor
// (2), one along its side that it grazes (3), and none (0). Returns where it ends.
static ctVec3 pass(int kind, int gate, double graze, int *events)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.3);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctShapeId box = ctWorld_CreateBox(world, ctV3(0.3, 0.2, kind == 4 ? 0.6 : 0.2), NULL);
    ctShapeId can = ctWorld_CreateCylinder(world, 0.1, 0.2, NULL);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = kind == 0 || kind == 4   ? box
                : kind == 1 || kind == 2 ? can
                                         : ctWorld_CreateEllipsoid(world, ctV3(0.2, 0.15, 0.1), NULL);
    def.position = ctV3(0, 0, kind == 4 ? 0.3 : 0.1);
    def.velocity = ctV3(1.5, gate == 3 || graze != 0.0 ? 0.0 : 0.1, 0);
    def.spin = kind == 3 ? ctV3(1, 3, 2) : kind == 4 ? ctV3(0, 2, 0) : ctV3(0, 0, graze != 0.0 ? 0.0 : 3.0);
    def.orientation = kind == 2 ? ctQuatExp(ctV3(acos(0.0), 0, 0)) : def.orientation;
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    ctVec3 sizes[3] = {ctV3(0.3, 2, 0.5), ctV3(0.3, 2, 0.02), ctV3(8, 1, 1)};
    if (gate > 0) {
        make(world, ctWorld_CreateBox(world, sizes[gate - 1], NULL), ct_motionFixed,
             gate < 3 ? ctV3(0.55, 0, 0) : ctV3(0, 0.6 + graze, 0.3), ALL, true);
    }
    *events = 0;
    for (int i = 0; i < 120; i++) {
        const ctSensorEvent *list;
        ck_assert(ctWorld_Step(world, NULL));
        *events += ctWorld_GetSensorEvents(world, &list);
    }
    ck_assert_int_lt((int)ctWorld_GetStats(world).distanceChecks, 20000);
    ctVec3 at = ctBody_GetCenter(world, body);
    ctWorld_Destroy(world);
    return at;
}

// Nothing feels a sensor: bodies in contact end where they end without it, and one that a body slides along does not
// take ever more looks.
START_TEST(nothing_feels_a_sensor)
{
    const double grazes[6] = {1e-9, 1e-8, 1e-6, -1e-9, -1e-8, -1e-6};
    int events;
    for (int kind = 0; kind < 5; kind++) {
        ctVec3 alone = pass(kind, 0, 0.0, &events);
        ck_assert_int_eq(events, 0);
        for (int gate = 1; gate < 3; gate++) {
            ctAssertClose(ctDistance(pass(kind, gate, 0.0, &events), alone), 0.0, 1e-12);
            ck_assert_int_ge(events, 1);
        }
    }
    ctVec3 alone = pass(0, 0, 1.0, &events);
    for (int i = 0; i < 6; i++) {
        ctAssertClose(ctDistance(pass(0, 3, grazes[i], &events), alone), 0.0, 1e-12);
        ck_assert_int_eq(events, grazes[i] < 0.0);
    }
}
END_TEST

// An ellipsoid that spins beside a sensor, and wobbles in and out of it, goes on without a step for each look.
START_TEST(a_sensor_does_not_end_plans_for_ever)
{
    for (int k = 0; k < 6; k++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.2);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateEllipsoid(world, ctV3(0.1, 0.04, 0.05), NULL);
        def.position = ctV3(0, 0, 0.05);
        def.spin = ctV3(0, 0, 30);
        ck_assert_uint_ne(ctWorld_CreateBody(world, &def, NULL).index1, 0);
        ctBodyDef gate = ctDefaultBodyDef();
        gate.shape = ctWorld_CreateBox(world, ctV3(0.1, 0.1, 0.1), NULL);
        gate.motion = ct_motionFixed;
        gate.sensor = true;
        gate.position = ctV3(0.12 + 0.02 * k, 0.0, 0.06);
        ck_assert_uint_ne(ctWorld_CreateBody(world, &gate, NULL).index1, 0);
        ctTestRun(world, 1.0);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq(stats.eventLimitHits, 0);
        ck_assert_msg(stats.contactSteps < 20000, "%ld steps", (long)stats.contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A plate in the floor is a sensor, flush with it, up to x = 1. What rolls and slides over it may have left at any
// moment, and is not looked at without end; when it does leave, that is told at its time, in the frame in which it
// happens.
START_TEST(visitors_that_graze_leave_in_time)
{
    double sizes[3] = {0.1, 1e-3, 1e-5};
    for (int k = 0; k < 6; k++) {
        double size = sizes[k / 2], speed = k % 2 == 0 ? 1.0 : 0.1;
        ctWorld *world = ctTestWorld(DOWN, 0.0, 0.2);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyId plate =
            make(world, ctWorld_CreateBox(world, ctV3(2, 2, 1), NULL), ct_motionFixed, ctV3(0, 0, -0.5), ALL, true);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = k % 2 == 0 ? ctWorld_CreateSphere(world, size, NULL)
                               : ctWorld_CreateEllipsoid(world, ctV3(3 * size, 3 * size, size), NULL);
        def.position = ctV3(1.0 - 0.777 * speed, 0, size);
        def.velocity = ctV3(speed, 0, 0);
        def.spin = ctV3(0, 0, 0.1 / size);
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        double left = -1.0;
        for (int i = 0; i < 60; i++) {
            const ctSensorEvent *events;
            ck_assert(ctWorld_Step(world, NULL));
            int count = ctWorld_GetSensorEvents(world, &events);
            for (int j = 0; j < count; j++) {
                left = events[j].begin ? left : events[j].time;
                ck_assert(events[j].time <= ctWorld_GetTime(world));
                ck_assert(events[j].time >= ctWorld_GetTime(world) - 1.0 / 60.0 - 1e-12);
            }
            int inside = ctBody_GetCenter(world, body).x < 1.0;
            ck_assert_int_eq(ctBody_GetVisitors(world, plate, NULL, 0), inside);
        }
        // The gap grows with the square of the way beyond the edge: it shows after a millionth of the size.
        ctAssertClose(left, 0.777, 1e-5 * size / speed + 1e-8);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_msg(stats.distanceChecks < 100000, "%ld looks", (long)stats.distanceChecks);
        ctWorld_Destroy(world);
    }
}
END_TEST

// A visitor that is destroyed, or moved away, has left: the next step says so.
START_TEST(what_is_gone_has_left)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctShapeId gate = ctWorld_CreateBox(world, ctV3(1, 1, 1), NULL);
    ctBodyId sensor = make(world, gate, ct_motionFixed, ctZero3(), ALL, true);
    ctBodyId one = ctTestBall(world, 0.1, ctZero3(), ctZero3());
    ctBodyId two = ctTestBall(world, 0.1, ctV3(0.3, 0, 0), ctZero3());
    const ctSensorEvent *events;
    ck_assert(ctWorld_Step(world, NULL));
    ck_assert_int_eq(ctWorld_GetSensorEvents(world, &events), 2);
    ctBodyId inside[2] = {{0}};
    ck_assert_int_eq(ctBody_GetVisitors(world, sensor, inside, 2), 2);
    ck_assert_int_eq(inside[0].index1, one.index1);
    ck_assert(ctWorld_DestroyBody(world, one, NULL));
    ck_assert(ctBody_SetTransform(world, two, (ctTransform){{5, 0, 0}, {1, 0, 0, 0}}, NULL));
    ck_assert(ctWorld_Step(world, NULL));
    ck_assert_int_eq(ctWorld_GetSensorEvents(world, &events), 2);
    ck_assert(!events[0].begin && !events[1].begin);
    ck_assert_int_eq(events[1].visitor.index1, two.index1);
    ck_assert_int_eq(ctBody_GetVisitors(world, sensor, NULL, 0), 0);
    ctBodyDef bad = ctDefaultBodyDef();
    bad.shape = gate;
    bad.sensor = true;
    ctError error = {0};
    ck_assert_int_eq(ctWorld_CreateBody(world, &bad, &error).index1, 0);
    ck_assert_ptr_nonnull(strstr(error.message, "sensor"));
    ctWorld_Destroy(world);
}
END_TEST

// ---- begin and end of contact, forces ---------------------------------------------------------

START_TEST(contacts_begin_and_end_once)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.15));
    int begins = 0, ends = 0;
    for (int i = 0; i < 240; i++) {
        if (i == 120) {
            ck_assert(ctBody_SetVelocity(world, box, ctV3(0, 0, 5), ctZero3(), NULL));
        }
        ck_assert(ctWorld_Step(world, NULL));
        const ctTouchPair *pairs;
        begins += ctWorld_GetContactBegins(world, &pairs);
        if (ctWorld_GetContactBegins(world, NULL) > 0) {
            ck_assert(pairs[0].body1.index1 == box.index1 && pairs[0].body2.index1 == plane.index1);
        }
        ends += ctWorld_GetContactEnds(world, &pairs);
        ck_assert_int_eq(begins - ends, ctWorld_GetContacts(world, NULL) > 0);
    }
    ck_assert_int_eq(begins, 2);
    ck_assert_int_eq(ends, 1);
    ctWorld_Destroy(world);
}
END_TEST

// m dv = (m g + F) dt, step by step: a block that falls, slides and stops; friction and normal force by Coulomb.
START_TEST(forces_account_for_the_change_of_momentum)
{
    ctWorld *world = ctTestWorld(DOWN, 0.4, 0.0);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1), ctV3(0, 0, 0.06));
    ck_assert(ctBody_SetVelocity(world, box, ctV3(2, 0, 0), ctZero3(), NULL));
    double m = ctBody_GetMass(world, box), dt = ctWorld_GetSettings(world).frameTime;
    for (int i = 0; i < 60; i++) {
        ctVec3 before = ctBody_GetVelocity(world, box);
        ck_assert(ctWorld_Step(world, NULL));
        ctVec3 n, f, change = ctSub(ctBody_GetVelocity(world, box), before);
        ctWorld_GetContactForce(world, box, plane, &n, &f);
        ctVec3 sum = ctScale(dt / m, ctAdd(ctAdd(n, f), ctScale(m, DOWN)));
        ctAssertClose(ctDistance(sum, change), 0.0, 1e-6);
        ctAssert(fabs(n.x) + fabs(n.y) < 1e-9 * m * G);
        ctAssert(ctLength(f) <= 0.4 * ctLength(n) * (1.0 + 1e-6) + 1e-9);
        ctVec3 back, whole;
        ctWorld_GetContactForce(world, plane, (ctBodyId){0}, &back, NULL);
        ctAssertClose(ctLength(ctAdd(back, n)), 0.0, 1e-9);
        ck_assert_int_eq(ctWorld_GetBulk(world, 1, 9, &(ctBulk){.forces = &whole}), 1);
        ctAssertClose(ctDistance(whole, ctAdd(n, f)), 0.0, 1e-9);
    }
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(bulk_access_agrees_with_the_rest)
{
    ctWorld *world = ctTestBin(20);
    ctTestRun(world, 0.6);
    int count = ctWorld_GetBodyCount(world);
    ctVec3 positions[64], centers[64], velocities[64], spins[64];
    ctQuat orientations[64];
    uint8_t asleep[64];
    ctBulk bulk = {positions, orientations, centers, velocities, spins, NULL, asleep};
    ck_assert_int_le(count, 64);
    ck_assert_int_eq(ctWorld_GetBulk(world, 0, 64, &bulk), count);
    ck_assert_int_eq(ctWorld_GetBulk(world, count, 1, &bulk), 0);
    ck_assert_int_eq(ctWorld_GetBulk(world, -1, 1, &bulk), 0);
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        ctTransform pose = ctBody_GetTransform(world, id);
        ctVec3 x = ctBody_GetCenter(world, id), v = ctBody_GetVelocity(world, id), w = ctBody_GetSpin(world, id);
        ctAssert(memcmp(&pose.p, &positions[i], sizeof pose.p) == 0);
        ctAssert(memcmp(&pose.q, &orientations[i], sizeof pose.q) == 0);
        ctAssert(memcmp(&x, &centers[i], sizeof x) == 0 && memcmp(&v, &velocities[i], sizeof v) == 0);
        ctAssert(memcmp(&w, &spins[i], sizeof w) == 0 && asleep[i] == ctBody_IsAsleep(world, id));
    }
    ctWorld_Destroy(world);
}
END_TEST

// ---- a living body changes --------------------------------------------------------------------

START_TEST(a_body_is_put_elsewhere)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.1));
    ctBodyId top = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.3));
    ctTestRun(world, 2.0);
    ck_assert(ctBody_IsAsleep(world, top));
    ctError error = {0};
    ctTransform inside = {{0, 0, 0.05}, {1, 0, 0, 0}}, away = {{3, 0, 1.1}, {1, 0, 0, 0}};
    uint64_t hash = ctWorld_Hash(world);
    ck_assert(!ctBody_SetTransform(world, top, inside, &error));
    ck_assert_ptr_nonnull(strstr(error.message, "overlap"));
    ck_assert(!ctBody_SetTransform(world, top, (ctTransform){{NAN, 0, 0}, {1, 0, 0, 0}}, &error));
    ck_assert(!ctBody_SetTransform(world, top, (ctTransform){{0, 0, 5}, {0, 0, 0, 0}}, &error));
    ck_assert(hash == ctWorld_Hash(world));
    // The lower box is taken away: the upper one falls on the plane.
    ck_assert(ctBody_SetTransform(world, box, away, &error));
    ctTestRun(world, 0.1);
    ctAssertClose(ctBody_GetCenter(world, top).z, 0.3 - 0.005 * G, 1e-4);
    ctAssertClose(ctBody_GetCenter(world, box).z, 1.1 - 0.005 * G, 1e-9);
    ctAssertClose(ctBody_GetCenter(world, box).x, 3.0, 1e-9);
    ctTestRun(world, 2.0);
    ctAssertClose(ctBody_GetCenter(world, top).z, 0.1, 1e-6);
    ctAssertClose(ctBody_GetCenter(world, box).z, 0.1, 1e-6);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(a_body_changes_the_way_it_moves)
{
    ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 2.0));
    double mass = ctBody_GetMass(world, box);
    ck_assert(ctBody_SetMotionType(world, box, ct_motionFixed, NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, box).z, 2.0, 0.0);
    ck_assert(ctBody_GetMass(world, box) == 0.0);
    ck_assert(ctBody_SetMotionType(world, box, ct_motionKinematic, NULL));
    ck_assert(ctBody_SetVelocity(world, box, ctV3(0, 0, 1), ctZero3(), NULL));
    ctTestRun(world, 1.0);
    ctAssertClose(ctBody_GetCenter(world, box).z, 3.0, 1e-12);
    ck_assert(ctBody_SetMotionType(world, box, ct_motionDynamic, NULL));
    ctAssertClose(ctBody_GetMass(world, box), mass, 1e-12);
    ctTestRun(world, 0.5);
    ctAssertClose(ctBody_GetCenter(world, box).z, 3.5 - 0.125 * G, 1e-9);
    ctError error = {0};
    ck_assert(!ctBody_SetMotionType(world, plane, ct_motionDynamic, &error));
    ck_assert(!ctBody_SetMotionType(world, box, (ctMotionType)7, &error));
    // In the floor it may be fixed, but not fall.
    ctBodyId pier = ctTestBox(world, ct_motionFixed, ctV3(0.2, 0.2, 0.2), ctV3(3, 0, 0));
    ck_assert(!ctBody_SetMotionType(world, pier, ct_motionDynamic, &error));
    ck_assert_str_eq(error.message, "the body overlaps body 1, (no name), by 0.1 m");
    ck_assert(ctBody_SetMotionType(world, pier, ct_motionKinematic, NULL));
    ctWorld_Destroy(world);
}
END_TEST

// What a fixed body bore is nothing to it when it is made movable, nor to another that gets its place.
START_TEST(what_bore_others_begins_anew)
{
    for (int k = 0; k < 2; k++) {
        ctWorld *world = ctTestWorld(DOWN, 0.5, 0.0);
        ctTestPlane(world, ctV3(0, 0, 1), -5.0);
        ctBodyId table = ctTestBox(world, ct_motionFixed, ctV3(1, 1, 0.2), ctV3(0, 0, -0.1));
        ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctV3(0.3, 0, 0));
        ctTestRun(world, 0.2);
        ck_assert(ctWorld_DestroyBody(world, ball, NULL));
        ctTestRun(world, 0.1);
        if (k == 0) {
            ck_assert(ctBody_SetMotionType(world, table, ct_motionDynamic, NULL));
        } else {
            ck_assert(ctWorld_DestroyBody(world, table, NULL));
            table = ctTestBox(world, ct_motionDynamic, ctV3(1, 1, 0.2), ctV3(0, 0, -0.1));
        }
        ctStats before = ctWorld_GetStats(world);
        for (int i = 0; i < 20; i++) {
            ck_assert(ctBody_SetVelocity(world, table, ctV3(0, 0, 0.1), ctZero3(), NULL)); // wakes what it is with
            ck_assert(ctWorld_Step(world, NULL));
            ck_assert_int_eq(ctWorld_GetStats(world).islands, 0);
            ctWorld_Destroy(ctTestCopy(world));
        }
        ck_assert_int_eq(ctWorld_GetStats(world).contactSteps, before.contactSteps);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Momentum, spin and place of the shape survive a change of mass; the energy is accounted for.
START_TEST(a_body_gets_another_mass)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyId a = ctTestBall(world, 0.1, ctZero3(), ctV3(1, 0, 0));
    ctBodyId b = ctTestBall(world, 0.1, ctV3(1, 0, 0), ctZero3());
    ctMassData mass = ctBody_GetMassData(world, a);
    mass.mass *= 3.0;
    mass.inertia =
        (ctMat3){{3 * mass.inertia.cx.x, 0, 0}, {0, 3 * mass.inertia.cy.y, 0}, {0, 0, 3 * mass.inertia.cz.z}};
    ck_assert(ctBody_SetMass(world, a, &mass, NULL));
    ctTestRun(world, 2.0);
    ctAssertClose(ctBody_GetVelocity(world, a).x, 0.5, 1e-12); // (m1 - m2) / (m1 + m2)
    ctAssertClose(ctBody_GetVelocity(world, b).x, 1.5, 1e-12);
    ctStats s = ctWorld_GetStats(world);
    ctAssertClose(s.kineticEnergy, s.givenEnergy, 1e-12 * s.kineticEnergy);
    ctError error = {0};
    mass.mass = -1.0;
    ck_assert(!ctBody_SetMass(world, a, &mass, &error));
    mass.mass = 1.0;
    mass.inertia.cx.x = -1.0;
    ck_assert(!ctBody_SetMass(world, a, &mass, &error));
    ck_assert(!ctBody_SetMass(world, a, NULL, &error));
    ctWorld_Destroy(world);
}
END_TEST

// A compound of one part has mass data in its own axes, as another body has: what is read can be set again, and is what
// was given; the inertia is that of the part, turned.
START_TEST(a_turned_part_has_the_mass_data_of_its_compound)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctQuat q = ctQuatExp(ctV3(0.3, -0.7, 0.5));
    ctPart part = {ctWorld_CreateBox(world, ctV3(0.4, 0.2, 0.1), NULL), {ctV3(0.1, -0.2, 0.3), q}};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateCompound(world, &part, 1, NULL);
    ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
    ctMassData mass = ctBody_GetMassData(world, body);
    double m = mass.mass / 12.0;
    ctMat3 r = ctMat3FromQuat(q), own = ctMat3Diagonal(m * 0.05, m * 0.17, m * 0.2);
    ctMat3 wanted = ctMulMM(ctMulMM(r, own), ctTranspose(r)), other = ctBody_GetInertia(world, body);
    ctAssertClose(ctDistance(mass.center, ctV3(0.1, -0.2, 0.3)), 0.0, 1e-15);
    for (int i = 0; i < 3; i++) {
        ctVec3 e = ctV3(i == 0, i == 1, i == 2);
        ctAssertClose(ctDistance(ctMulMV(mass.inertia, e), ctMulMV(wanted, e)), 0.0, 1e-14 * mass.mass);
        ctAssertClose(ctDistance(ctMulMV(mass.inertia, e), ctMulMV(other, e)), 0.0, 1e-14 * mass.mass);
    }
    mass.center = ctV3(0.12, -0.2, 0.3);
    mass.inertia = ctScaleM(2.0, mass.inertia);
    ck_assert(ctBody_SetMass(world, body, &mass, NULL));
    ctMassData now = ctBody_GetMassData(world, body);
    ctAssertClose(ctDistance(now.center, mass.center), 0.0, 1e-15);
    for (int i = 0; i < 3; i++) {
        ctVec3 e = ctV3(i == 0, i == 1, i == 2);
        ctAssertClose(ctDistance(ctMulMV(now.inertia, e), ctMulMV(mass.inertia, e)), 0.0, 1e-14 * mass.mass);
    }
    ctWorld_Destroy(world);
}
END_TEST

// ---- snapshots --------------------------------------------------------------------------------

// A world with sensors, filters and contacts goes on the same from a snapshot: hash, events and lists.
START_TEST(snapshots_keep_sensors_and_filters)
{
    ctWorld *world = ctTestBin(27);
    ctShapeId gate = ctWorld_CreateBox(world, ctV3(2, 2, 0.2), NULL);
    make(world, gate, ct_motionFixed, ctV3(0, 0, 0.5), ALL, true);
    ctShapeId ball = ctWorld_CreateSphere(world, 0.05, NULL);
    make(world, ball, ct_motionDynamic, ctV3(0, 0, 3), (ctFilter){2, 2}, false);
    ctTestRun(world, 0.1);
    void *data;
    size_t size;
    ck_assert(ctWorld_Save(world, &data, &size, NULL));
    ctError error = {0};
    ctWorld *other = ctWorld_Load(data, size, &error);
    ck_assert_msg(other != NULL, "%s", error.message);
    int told = 0;
    for (int i = 0; i < 120; i++) {
        ck_assert(ctWorld_Step(world, NULL) && ctWorld_Step(other, NULL));
        ctAssert(ctWorld_Hash(world) == ctWorld_Hash(other));
        const ctSensorEvent *one, *two;
        int count = ctWorld_GetSensorEvents(world, &one);
        ctAssert(count == ctWorld_GetSensorEvents(other, &two));
        for (int k = 0; k < count; k++, told++) {
            ctAssert(one[k].time == two[k].time && one[k].visitor.index1 == two[k].visitor.index1 &&
                     one[k].begin == two[k].begin);
        }
        ctAssert(ctWorld_GetContactBegins(world, NULL) == ctWorld_GetContactBegins(other, NULL));
        ctAssert(ctWorld_GetContactEnds(world, NULL) == ctWorld_GetContactEnds(other, NULL));
    }
    ck_assert_int_gt(told, 4);
    void *again;
    size_t length;
    ck_assert(ctWorld_Restore(world, data, size, &error));
    ck_assert(ctWorld_Save(world, &again, &length, NULL));
    ck_assert(length == size && memcmp(data, again, size) == 0);
    ctFreeSnapshot(again);
    ctFreeSnapshot(data);
    ctWorld_Destroy(other);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(the_version_is_told)
{
    ck_assert_str_eq(ctVersion(), CT_VERSION);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("touching");
    TCase *tc = tcase_create("touching");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, filters_decide_over_every_pair_of_kinds);
    tcase_add_test(tc, filtered_bodies_may_overlap_at_the_start);
    tcase_add_test(tc, a_filter_can_change);
    tcase_add_test(tc, a_function_filters_too);
    tcase_add_test(tc, sensors_see_every_kind_pass);
    tcase_add_test(tc, sensor_times_are_exact);
    tcase_add_test(tc, leaving_does_not_depend_on_the_frame_rate);
    tcase_add_test(tc, nothing_feels_a_sensor);
    tcase_add_test(tc, a_sensor_does_not_end_plans_for_ever);
    tcase_add_test(tc, visitors_that_graze_leave_in_time);
    tcase_add_test(tc, what_is_gone_has_left);
    tcase_add_test(tc, contacts_begin_and_end_once);
    tcase_add_test(tc, forces_account_for_the_change_of_momentum);
    tcase_add_test(tc, bulk_access_agrees_with_the_rest);
    tcase_add_test(tc, a_body_is_put_elsewhere);
    tcase_add_test(tc, a_body_changes_the_way_it_moves);
    tcase_add_test(tc, what_bore_others_begins_anew);
    tcase_add_test(tc, a_body_gets_another_mass);
    tcase_add_test(tc, a_turned_part_has_the_mass_data_of_its_compound);
    tcase_add_test(tc, snapshots_keep_sensors_and_filters);
    tcase_add_test(tc, the_version_is_told);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
