// What the public interface promises, call by call: engine/clatter.h.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/peers/peers.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <string.h>

static const double G = 9.81;

START_TEST(cpp_can_call_it)
{
    double first;
    ck_assert_int_gt(ctCallFromCpp(1.0, &first), 2);
    ctAssertClose(first, sqrt(2.0 / G), 1e-12);
}
END_TEST

// ---- shapes -----------------------------------------------------------------------------------

static void refused(ctShapeId id, const ctError *error)
{
    ck_assert_int_eq(id.index1, 0);
    ck_assert_int_ne(error->status, ct_ok);
    ck_assert(error->message[0] != '\0');
}

START_TEST(bad_shapes_are_refused)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0, 1);
    const double bad[4] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        double x = bad[i];
        ctError error = {0};
        refused(ctWorld_CreateSphere(world, x, &error), &error);
        refused(ctWorld_CreateHollowSphere(world, x, &error), &error);
        refused(ctWorld_CreateBox(world, ctV3(1, x, 1), &error), &error);
        refused(ctWorld_CreateCylinder(world, 1, x, &error), &error);
        refused(ctWorld_CreateCapsule(world, x, 1, &error), &error);
        refused(ctWorld_CreateCone(world, x, 1, &error), &error);
        refused(ctWorld_CreateEllipsoid(world, ctV3(1, 1, x), &error), &error);
        ck_assert_int_eq(ctWorld_CreateSphere(world, x, NULL).index1, 0);
    }
    ctError error = {0};
    refused(ctWorld_CreatePlane(world, ctZero3(), 0, &error), &error);
    refused(ctWorld_CreatePlane(world, ctV3(0, 0, 1), NAN, &error), &error);
    const ctVec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    refused(ctWorld_CreateHull(world, flat, 4, &error), &error);
    refused(ctWorld_CreateHull(world, NULL, 0, &error), &error);
    const double r[3] = {0, 1, -1}, z[3] = {0, 1, 2};
    refused(ctWorld_CreateLathe(world, r, z, 3, &error), &error);
    refused(ctWorld_CreateCompound(world, NULL, 0, &error), &error);
    const ctPart part = {{99}, ctTransformIdentity()};
    refused(ctWorld_CreateCompound(world, &part, 1, &error), &error);
    refused(ctWorld_CreateMesh(world, "f 1 2 3\n", 8, "none.obj", false, &error), &error);
    ctWorld_Destroy(world);
}
END_TEST

// A cube of one kilogramme per litre from the text of a file.
START_TEST(meshes_become_bodies)
{
    static const char cube[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                               "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    ctWorld *world = ctTestWorld(ctZero3(), 0, 1);
    ctError error = {0};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateMesh(world, cube, sizeof cube - 1, "cube.obj", false, &error);
    ck_assert_msg(def.shape.index1 != 0, "%s", error.message);
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    ctAssertClose(ctBody_GetMass(world, id), 1000.0, 0.1);
    ctAssertClose(ctDistance(ctBody_GetCenter(world, id), ctV3(0.5, 0.5, 0.5)), 0.0, 1e-9);
    ctWorld_Destroy(world);
}
END_TEST

// ---- pushing ----------------------------------------------------------------------------------

// J at r changes v by J / m and w by I^-1 r x J.
START_TEST(impulses_do_what_they_say)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0, 1);
    ctBodyId box = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.4, 0.6), ctV3(1, 2, 3));
    ctBodyId wall = ctTestBox(world, ct_motionFixed, ctV3(1, 1, 1), ctV3(9, 9, 9));
    double m = ctBody_GetMass(world, box);
    ctVec3 impulse = ctV3(1, -2, 3), arm = ctV3(0.1, 0.15, -0.2);
    ck_assert(ctBody_ApplyImpulse(world, box, impulse, ctAdd(ctV3(1, 2, 3), arm), NULL));
    ctVec3 spin = ctMulMV(ctInverse(ctBody_GetInertia(world, box)), ctCross(arm, impulse));
    ctAssertClose(ctDistance(ctBody_GetVelocity(world, box), ctScale(1.0 / m, impulse)), 0.0, 1e-15);
    ctAssertClose(ctDistance(ctBody_GetSpin(world, box), spin), 0.0, 1e-13);
    ctAssertClose(ctDistance(ctWorld_GetStats(world).momentum, impulse), 0.0, 1e-14);
    // Refused, and nothing changes.
    uint64_t hash = ctWorld_Hash(world);
    ctError error = {0};
    ck_assert(!ctBody_ApplyImpulse(world, wall, impulse, ctZero3(), &error));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert(!ctBody_ApplyImpulse(world, box, ctV3(NAN, 0, 0), ctZero3(), &error));
    ck_assert(!ctBody_ApplyImpulse(world, box, impulse, ctV3(0, INFINITY, 0), &error));
    ck_assert(!ctBody_ApplyImpulse(world, box, ctV3(1e300, 0, 0), ctZero3(), &error));
    ck_assert(!ctBody_ApplyImpulse(world, (ctBodyId){0}, impulse, ctZero3(), NULL));
    ck_assert(!ctBody_SetVelocity(world, box, ctZero3(), ctV3(0, 0, 1e9), &error));
    ck_assert(!ctBody_SetVelocity(world, wall, ctV3(1, 0, 0), ctZero3(), &error));
    ck_assert(ctWorld_Hash(world) == hash);
    ctWorld_Destroy(world);
}
END_TEST

// A sleeping block on a slope that becomes ice slides off at g (sin a - mu cos a).
START_TEST(a_body_changes_its_material)
{
    const double angle = 0.3;
    ctVec3 up = ctV3(sin(angle), 0, cos(angle)), down = ctV3(cos(angle), 0, -sin(angle));
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.6, 0.0);
    ctMaterialDef ice = ctDefaultMaterialDef();
    ice.self = (ctCoefficients){.friction = 0.05};
    ctMaterialId id;
    ck_assert(ctWorld_CreateMaterial(world, &ice, &id, NULL));
    ck_assert(ctWorld_SetPair(world, id, (ctMaterialId){0}, (ctCoefficients){.friction = 0.05}, NULL));
    ctTestPlane(world, up, 0.0);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(0.2, 0.2, 0.1), NULL);
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    def.position = ctScale(0.05, up);
    ctBodyId block = ctWorld_CreateBody(world, &def, NULL);
    ctTestRun(world, 2.0);
    ck_assert(ctBody_IsAsleep(world, block));
    ck_assert_int_eq(ctBody_GetMaterial(world, block).index, 0);
    ck_assert(!ctBody_SetMaterial(world, block, (ctMaterialId){7}, NULL));
    ck_assert(ctBody_SetMaterial(world, block, id, NULL));
    ck_assert_int_eq(ctBody_GetMaterial(world, block).index, id.index);
    ctTestRun(world, 1.0);
    double a = G * (sin(angle) - 0.05 * cos(angle));
    ctAssertClose(ctDot(ctBody_GetVelocity(world, block), down), a, 1e-6);
    ctWorld_Destroy(world);
}
END_TEST

// ---- what happened ----------------------------------------------------------------------------

typedef struct Heard {
    int count;
    ctImpact list[64];
} Heard;

static void listen(void *context, const ctWorld *world, const ctImpact *impact)
{
    Heard *heard = context;
    ck_assert(ctBody_IsValid(world, impact->body1));
    if (heard->count < 64) {
        heard->list[heard->count++] = *impact;
    }
}

// A ball between two walls: whoever subscribes hears what the list tells, until he unsubscribes.
START_TEST(impacts_are_told)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 0.8);
    ctBodyId right = ctTestPlane(world, ctV3(-1, 0, 0), -1.0);
    ctTestPlane(world, ctV3(1, 0, 0), -1.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctZero3(), ctV3(9, 0, 0));
    Heard heard = {0};
    ctWorld_OnImpact(world, listen, &heard);
    double m = ctBody_GetMass(world, ball);
    int told = 0;
    for (int i = 0; i < 60; i++) {
        const ctImpact *impacts;
        ctTestRun(world, 1.0 / 60.0);
        int count = ctWorld_GetImpacts(world, &impacts);
        for (int k = 0; k < count; k++) {
            ck_assert(memcmp(&impacts[k].time, &heard.list[told].time, sizeof(double)) == 0);
            ck_assert(ctDistance(impacts[k].impulse, heard.list[told++].impulse) == 0.0);
        }
    }
    ck_assert(told == heard.count && told > 2);
    const ctImpact *first = &heard.list[0];
    ctAssertClose(first->time, 0.1, 1e-14);
    ck_assert(first->body1.index1 == ball.index1 && first->body2.index1 == right.index1);
    ck_assert(first->kind == ct_eventImpact && first->law == ct_lawStronge && first->pair.restitution == 0.8);
    ctAssertClose(ctDistance(first->point, ctV3(1, 0, 0)), 0.0, 1e-12);
    ctAssertClose(ctDistance(first->normal, ctV3(-1, 0, 0)), 0.0, 1e-15);
    ctAssertClose(ctDistance(first->velocity, ctV3(9, 0, 0)), 0.0, 1e-12);
    ctAssertClose(ctDistance(first->impulse, ctV3(-16.2 * m, 0, 0)), 0.0, 1e-12 * m);
    ctAssertClose(first->energyLost, 0.5 * m * 81.0 * 0.36, 1e-11 * m);
    ctAssertClose(first->restitutionLoss, first->energyLost, 1e-11 * m);
    ctAssertClose(first->k.cx.x, 1.0 / m, 1e-12 / m);
    ctWorld_OnImpact(world, NULL, NULL);
    ck_assert(ctBody_SetVelocity(world, ball, ctV3(9, 0, 0), ctZero3(), NULL));
    ctTestRun(world, 1.0);
    ck_assert_int_eq(heard.count, told);
    ctWorld_Destroy(world);
}
END_TEST

// Two boxes, one on the other: contacts carry the weight, pair by pair and body by body; a block that is made to
// slide feels friction too.
START_TEST(contact_forces_are_told)
{
    const double mu = 0.4;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), mu, 0.0);
    ctBodyId floor = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId low = ctTestBox(world, ct_motionDynamic, ctV3(0.4, 0.4, 0.2), ctV3(0, 0, 0.1));
    ctBodyId high = ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.1), ctV3(0, 0, 0.25));
    double weightLow = G * ctBody_GetMass(world, low), weightHigh = G * ctBody_GetMass(world, high);
    for (int k = 0; k < 2; k++) {
        ctTestRun(world, 0.25);
        ck_assert(ctBody_IsAsleep(world, low));
        if (k == 0) {
            ctBody_Wake(world, low); // awake, and asleep
        }
        ck_assert_int_eq(ctBody_IsAsleep(world, low), k);
        double all = weightLow + weightHigh;
        ctAssertClose(ctWorld_GetPairTally(world, floor, low).contactForce, all, 1e-6 * all);
        ctAssertClose(ctWorld_GetPairTally(world, high, low).contactForce, weightHigh, 1e-6 * all);
        ctAssertClose(ctBody_GetTally(world, high).contactForce, weightHigh, 1e-6 * all);
        ctAssertClose(ctBody_GetTally(world, low).contactForce, all + weightHigh, 1e-6 * all);
        const ctContact *contacts;
        int count = ctWorld_GetContacts(world, &contacts);
        ck_assert_int_eq(count, 8);
        ck_assert_int_eq(ctWorld_GetStats(world).contacts, 8);
        double sum = 0.0;
        for (int i = 0; i < count; i++) {
            bool top = contacts[i].body1.index1 == high.index1 || contacts[i].body2.index1 == high.index1;
            sum += top ? 0.0 : contacts[i].force.z * contacts[i].normal.z;
            ctAssertClose(contacts[i].point.z, top ? 0.2 : 0.0, 1e-6);
            ctAssertClose(fabs(contacts[i].normal.z), 1.0, 1e-9);
            ctAssertClose(contacts[i].gap, 0.0, 1e-6);
        }
        ctAssertClose(sum, all, 1e-6 * all);
    }
    ck_assert(ctWorld_DestroyBody(world, high, NULL));
    ck_assert(ctBody_SetVelocity(world, low, ctV3(3, 0, 0), ctZero3(), NULL));
    ctTestRun(world, 0.5);
    ctAssertClose(ctBody_GetTally(world, low).contactForce, weightLow * hypot(1.0, mu), 1e-6 * weightLow);
    ctAssertClose(ctWorld_GetPairTally(world, high, low).contactForce, 0.0, 0.0); // it is gone
    ctWorld_Destroy(world);
}
END_TEST

// Sums by pair add up to those by body, and outlive the meeting.
START_TEST(tallies_add_up)
{
    ctRandom r = ctRandomSeed(2);
    ctWorld *world = ctTestWorld(ctZero3(), 0.3, 0.8);
    ctBodyId ids[33];
    for (int k = 0; k < 6; k++) {
        double sign = k % 2 == 0 ? 1.0 : -1.0;
        ids[k] =
            ctTestPlane(world, ctV3(k / 2 == 0 ? sign : 0.0, k / 2 == 1 ? sign : 0.0, k / 2 == 2 ? sign : 0.0), -1);
    }
    for (int i = 0; i < 27; i++) {
        ctVec3 x = ctScale(0.6, ctV3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        ids[6 + i] = ctTestBall(world, 0.1, x, ctRandomVec3(&r, -5, 5));
    }
    ctTestRun(world, 2.0);
    ctStats stats = ctWorld_GetStats(world);
    int64_t impacts = 0;
    double lost = 0.0;
    for (int i = 0; i < 33; i++) {
        ctTally body = ctBody_GetTally(world, ids[i]), sum = {0};
        for (int k = 0; k < 33; k++) {
            ctTally pair = ctWorld_GetPairTally(world, ids[i], ids[k]);
            sum.impacts += pair.impacts;
            sum.impulse += pair.impulse;
            sum.energyLost += pair.energyLost;
        }
        ck_assert_int_eq((int)sum.impacts, (int)body.impacts);
        ctAssertClose(sum.impulse, body.impulse, 1e-11 * (1.0 + body.impulse));
        ctAssertClose(sum.energyLost, body.energyLost, 1e-11 * (1.0 + body.energyLost));
        impacts += body.impacts;
        lost += body.energyLost;
    }
    ck_assert_int_gt((int)stats.impacts, 100);
    ck_assert_int_eq((int)impacts, 2 * (int)stats.impacts);
    ctAssertClose(lost, 2.0 * (stats.frictionLoss + stats.restitutionLoss), 1e-10 * lost);
    ctWorld_Destroy(world);
}
END_TEST

// ---- inside the loop --------------------------------------------------------------------------

// A body stays in its box until the end of the frame, and a pair cannot touch before its time.
START_TEST(boxes_and_pending_times_hold)
{
    ctRandom r = ctRandomSeed(8);
    for (int i = 0; i < ctTestCases(200); i++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.0, 1.0);
        ctBodyId floor = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        double h = ctRandomUniform(&r, 0.01, 0.05), v = ctRandomUniform(&r, 0.5, 5.0);
        ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1 + h), ctV3(ctRandomUniform(&r, -3, 3), 0, -v));
        double touch = (sqrt(v * v + 2.0 * G * h) - v) / G;
        const ctPending *pending;
        ck_assert_int_eq(ctWorld_GetPending(world, &pending), 1);
        ck_assert(pending[0].body1.index1 == ball.index1 && pending[0].body2.index1 == floor.index1);
        ck_assert(pending[0].time <= touch + 1e-12 && pending[0].time >= 0.0);
        ctAssertClose(pending[0].distance, h, 1e-12);
        ctVec3 lo, hi;
        ck_assert(ctBody_GetSweptBox(world, ball, &lo, &hi));
        ck_assert(!ctBody_GetSweptBox(world, (ctBodyId){0}, &lo, &hi));
        bool hit = false;
        ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        ctVec3 x = ctBody_GetCenter(world, ball);
        ck_assert(hit == (touch < 1.0 / 60.0));
        ck_assert(lo.x <= x.x - 0.1 && x.x + 0.1 <= hi.x && lo.z <= x.z - 0.1 + 1e-12 && x.z + 0.1 <= hi.z);
        ctWorld_Destroy(world);
    }
}
END_TEST

// More events than a frame may have: the frame is cut short and counted, the state stays valid, time goes on, and
// when the haste is over the world goes on as before.
START_TEST(too_many_events_cut_a_frame_short)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ck_assert(ctWorld_SetFrameTime(world, 1.0, NULL));
    ctTestPlane(world, ctV3(1, 0, 0), 0.0);
    ctTestPlane(world, ctV3(-1, 0, 0), -0.3);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0.15, 0, 0), ctV3(1e5, 0, 0)); // a million impacts in a frame
    for (int i = 1; i <= 3; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        ctStats stats = ctWorld_GetStats(world);
        ck_assert_int_eq((int)stats.eventLimitHits, i);
        ctAssertClose(ctWorld_GetTime(world), i, 1e-12);
        double x = ctBody_GetCenter(world, ball).x;
        ck_assert(x > 0.1 - 1e-9 && x < 0.2 + 1e-9);
        ctAssertClose(fabs(ctBody_GetVelocity(world, ball).x), 1e5, 1e-9 * 1e5);
        ck_assert_int_le((int)stats.impacts, i * 100001);
    }
    ck_assert(ctBody_SetVelocity(world, ball, ctV3(1, 0, 0), ctZero3(), NULL));
    int64_t before = ctWorld_GetStats(world).impacts;
    ctTestRun(world, 2.0);
    ctStats stats = ctWorld_GetStats(world);
    ck_assert_int_eq((int)stats.eventLimitHits, 3);
    ck_assert(stats.impacts - before >= 19 && stats.impacts - before <= 20);
    ctWorld_Destroy(world);
}
END_TEST

// ---- the rest ---------------------------------------------------------------------------------

START_TEST(rays_meet_every_kind_of_body)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyDef def = ctDefaultBodyDef();
    ctShapeId ball = ctWorld_CreateSphere(world, 0.1, NULL), bar = ctWorld_CreateBox(world, ctV3(1, 0.1, 0.1), NULL);
    const ctPart parts[2] = {{ball, ctTransformOf(ctV3(0, 0, 0.5), ctQuatIdentity())}, {bar, ctTransformIdentity()}};
    def.shape = ctWorld_CreateCompound(world, parts, 2, NULL);
    ctBodyId dumbbell = ctWorld_CreateBody(world, &def, NULL);
    def.shape = ctWorld_CreateBox(world, ctV3(1, 1, 1), NULL);
    def.motion = ct_motionFixed;
    def.position = ctV3(0, 0, -3);
    def.orientation = ctQuatExp(ctV3(0, 0, CT_PI / 4));
    ctBodyId box = ctWorld_CreateBody(world, &def, NULL);
    ctRayHit hit;
    ck_assert(ctWorld_RayCast(world, ctV3(0, 0, 5), ctV3(0, 0, -0.5), 100, &hit));
    ck_assert_int_eq(hit.body.index1, dumbbell.index1);
    ctAssertClose(hit.t, (5.0 - 0.6) / 0.5, 1e-9);
    ck_assert(ctWorld_RayCast(world, ctV3(0.4, 0, 5), ctV3(0, 0, -1), 100, &hit));
    ctAssertClose(hit.point.z, 0.05, 1e-9);
    ck_assert(ctWorld_RayCast(world, ctV3(0.6, 0, 5), ctV3(0, 0, -1), 100, &hit)); // the box's corner, turned
    ck_assert_int_eq(hit.body.index1, box.index1);
    ctAssertClose(hit.point.z, -2.5, 1e-9);
    ctAssertClose(ctDistance(hit.normal, ctV3(0, 0, 1)), 0.0, 1e-9);
    ck_assert(ctWorld_RayCast(world, ctV3(5, 0, -3), ctV3(-1, 0, 0), 100, &hit));
    ctAssertClose(hit.point.x, sqrt(0.5), 1e-6); // the edge
    ck_assert(!ctWorld_RayCast(world, ctV3(0.8, 0, 5), ctV3(0, 0, -1), 100, &hit));
    ck_assert(!ctWorld_RayCast(world, ctV3(0, 0, 5), ctV3(0, 0, NAN), 100, &hit));
    ck_assert(!ctWorld_RayCast(world, ctV3(0, 0, 5), ctZero3(), 100, &hit));
    // Directions whose squares vanish or overflow.
    const double lengths[] = {1e-300, 1e-170, 1e170, 1e300};
    for (int i = 0; i < 4; i++) {
        ck_assert(ctWorld_RayCast(world, ctV3(0, 0, 5), ctV3(0, 0, -lengths[i]), INFINITY, &hit));
        ctAssertClose(hit.t * lengths[i], 5.0 - 0.6, 1e-9);
        ctAssertClose(hit.point.z, 0.6, 1e-9);
        ck_assert(!ctWorld_RayCast(world, ctV3(0, 0, 5), ctV3(0, 0, -lengths[i]), 4.3 / lengths[i], &hit));
    }
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(small_things)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.0, 1.0);
    ctBodyId a = ctTestBall(world, 0.1, ctZero3(), ctZero3()), b = ctTestBall(world, 0.1, ctV3(1, 0, 0), ctZero3());
    ck_assert_int_eq(ctBody_GetOrdinal(world, b), 1);
    ck_assert(ctWorld_DestroyBody(world, a, NULL));
    ck_assert_int_eq(ctBody_GetOrdinal(world, b), 0);
    ck_assert_int_eq(ctBody_GetOrdinal(world, a), -1);
    ck_assert_str_eq(ctBody_GetName(world, b), "");
    ctWorld_SetAudit(world, false);
    ck_assert(!ctWorld_GetSettings(world).audit);
    ctWorld_SetAudit(world, true);
    ck_assert(ctWorld_GetSettings(world).audit);
    ctAssertClose(ctWorld_GetMaterialDensity(world, (ctMaterialId){0}), 1000.0, 0.0);
    ctAssertClose(ctBody_GetKineticEnergy(world, b), 0.0, 0.0);
    ck_assert(!ctWorld_SetContactMode(world, (ctContactMode)7, NULL));
    ctMaterialDef bad = ctDefaultMaterialDef();
    bad.self.friction = NAN;
    ck_assert(!ctWorld_CreateMaterial(world, &bad, NULL, NULL));
    bad = ctDefaultMaterialDef();
    bad.density = 0.0;
    ck_assert(!ctWorld_CreateMaterial(world, &bad, NULL, NULL));
    ck_assert_int_eq(ctWorld_GetMaterialCount(world), 1);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api");
    TCase *tc = tcase_create("api");
    tcase_set_timeout(tc, 30.0);
    tcase_add_test(tc, cpp_can_call_it);
    tcase_add_test(tc, bad_shapes_are_refused);
    tcase_add_test(tc, meshes_become_bodies);
    tcase_add_test(tc, impulses_do_what_they_say);
    tcase_add_test(tc, a_body_changes_its_material);
    tcase_add_test(tc, impacts_are_told);
    tcase_add_test(tc, contact_forces_are_told);
    tcase_add_test(tc, tallies_add_up);
    tcase_add_test(tc, boxes_and_pending_times_hold);
    tcase_add_test(tc, too_many_events_cut_a_frame_short);
    tcase_add_test(tc, rays_meet_every_kind_of_body);
    tcase_add_test(tc, small_things);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
