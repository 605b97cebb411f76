// Energy is accounted for: what the bodies have is what they were given less what was lost.
#include "collision/quat.h"
#include "engine/clatter.h"
#include "engine/impact/impact.h"
#include "engine/state/state.h"
#include "tests/support/energy.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

// A block that slides to rest loses its energy to friction.
START_TEST(a_sliding_block)
{
    const double speed = 2.0;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId block = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.2, 0.1), ctV3(0, 0, 0.05));
    ck_assert(ctBody_SetVelocity(world, block, ctV3(speed, 0, 0), ctZero3(), NULL));
    ctTestRun(world, 2.0);
    double energy = 0.5 * ctBody_GetMass(world, block) * speed * speed;
    ctStats stats = ctWorld_GetStats(world);
    ck_assert(ctBody_IsAsleep(world, block));
    ctAssertClose(stats.frictionLoss / energy, 1.0, 1e-6);
    ctAssertClose(stats.contactLoss / energy, 0.0, 1e-6);
    ctAssertClose(stats.stepError / energy, 0.0, 1e-6);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// A ball that slides and then rolls: friction takes 2/7 of its energy, and nothing more.
START_TEST(a_ball_that_begins_to_roll)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.3, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId ball = ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctV3(3, 0, 0));
    ctTestRun(world, 3.0);
    double energy = 0.5 * ctBody_GetMass(world, ball) * 9.0;
    ctStats stats = ctWorld_GetStats(world);
    ctAssertClose(stats.frictionLoss / energy, 2.0 / 7.0, 1e-9);
    ctAssertClose(stats.stepError / energy, 0.0, 1e-9);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// Marbles that rattle down a groove, with friction: impacts happen at small gaps, and those count.
START_TEST(marbles_in_a_groove)
{
    ctRandom r = ctRandomSeed(4);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.3);
    ctTestPlane(world, ctNormalize(ctV3(1, 0, 1)), 0.0);
    ctTestPlane(world, ctNormalize(ctV3(-1, 0, 1)), 0.0);
    ctTestPlane(world, ctV3(0, 1, 0), -0.02);
    ctTestPlane(world, ctV3(0, -1, 0), -0.02);
    for (int i = 0; i < 24; i++) {
        ctVec3 x = ctV3(0.012 * (i % 2) - 0.006, 0.012 * (i / 2 % 3) - 0.012, 0.03 + 0.012 * (i / 6));
        ctTestBall(world, 0.004, ctMulAdd(x, 1e-3, ctRandomVec3(&r, -1, 1)), ctRandomVec3(&r, -0.1, 0.1));
    }
    ctTestRun(world, 2.0);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// A block that is laid on a belt is brought to the belt's speed V. The belt moves on by V t while the block
// moves by V t / 2: it does the work m V^2, half of which is lost.
START_TEST(a_block_on_a_belt)
{
    const double speed = 1.5;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.0);
    ctBodyId belt = ctTestBox(world, ct_motionKinematic, ctV3(20, 1, 0.2), ctV3(0, 0, -0.1));
    ctBodyId block = ctTestBox(world, ct_motionDynamic, ctV3(0.3, 0.2, 0.1), ctV3(-5, 0, 0.05));
    ck_assert(ctBody_SetVelocity(world, belt, ctV3(speed, 0, 0), ctZero3(), NULL));
    ctTestRun(world, 1.0);
    double energy = ctBody_GetMass(world, block) * speed * speed;
    ctStats stats = ctWorld_GetStats(world);
    ctAssertClose(ctBody_GetVelocity(world, block).x, speed, 1e-9);
    ctAssertClose(stats.kinematicWork / energy, 1.0, 1e-6);
    ctAssertClose(stats.frictionLoss / energy, 0.5, 1e-6);
    ctTestEnergy(world);
    ctWorld_Destroy(world);
}
END_TEST

// A ball between a bat that comes nearer and a wall: each return from the bat, at rest energy m v^2 / 2, is at
// v + 2 V. The bat's work is the whole gain.
START_TEST(a_ball_and_a_bat)
{
    const double bat = 0.5;
    ctWorld *world = ctTestWorld(ctZero3(), 0.3, 1.0);
    ctTestPlane(world, ctV3(-1, 0, 0), -2.0);
    ctBodyId paddle = ctTestBox(world, ct_motionKinematic, ctV3(0.1, 1, 1), ctV3(-1, 0, 0));
    ck_assert(ctBody_SetVelocity(world, paddle, ctV3(bat, 0, 0), ctZero3(), NULL));
    ctBodyId ball = ctTestBall(world, 0.05, ctZero3(), ctV3(-4, 0, 0));
    double v = 4.0, mass = ctBody_GetMass(world, ball);
    for (int i = 1; i <= 6; i++) {
        bool hit = false;
        while (!hit) {
            ck_assert(ctWorld_StepToImpact(world, &hit, NULL));
        }
        v += i % 2 == 1 ? 2.0 * bat : 0.0;
        ctStats stats = ctWorld_GetStats(world);
        ctAssertClose(fabs(ctBody_GetVelocity(world, ball).x), v, 1e-12);
        ctAssertClose(stats.kinematicWork, 0.5 * mass * (v * v - 16.0), 1e-12 * stats.kineticEnergy);
        ctTestEnergy(world);
    }
    ctWorld_Destroy(world);
}
END_TEST

// Bodies of all shapes on a turntable, while a program pushes them about, changes gravity, adds and removes bodies. No
// frame runs out of events.
START_TEST(whatever_the_program_does)
{
    ctRandom r = ctRandomSeed(5);
    for (int k = 0; k < ctTestCases(10) / 2 + 1; k++) {
        ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.4);
        ctTestPlane(world, ctV3(0, 0, 1), 0.0);
        ctBodyDef table = ctDefaultBodyDef();
        table.shape = ctWorld_CreateCylinder(world, 1.0, 0.1, NULL);
        table.motion = ct_motionKinematic;
        table.position = ctV3(0, 0, 0.2);
        table.spin = ctV3(0, 0, 2.0);
        ck_assert(ctWorld_CreateBody(world, &table, NULL).index1 != 0);
        for (int i = 0; i < 80; i++) {
            ctBodyId id = ctWorld_GetBody(world, ctRandomInt(&r, 0, ctWorld_GetBodyCount(world) - 1));
            bool moves = ctBody_GetMotionType(world, id) == ct_motionDynamic;
            switch (ctRandomInt(&r, 0, i < 20 ? 1 : 12)) {
            case 0:
            case 1: {
                ctBodyDef def = ctDefaultBodyDef();
                def.shape = ctTestSolid(world, ctRandomInt(&r, 0, 6));
                def.position = ctAdd(ctV3(0, 0, 0.8), ctRandomVec3(&r, -0.4, 0.4));
                def.velocity = ctRandomVec3(&r, -1, 1);
                ctWorld_CreateBody(world, &def, NULL); // refused where it overlaps
                break;
            }
            case 2:
                ck_assert(!moves || ctWorld_DestroyBody(world, id, NULL));
                break;
            case 3:
                ck_assert(!moves ||
                          ctBody_SetVelocity(world, id, ctRandomVec3(&r, -1, 1), ctRandomVec3(&r, -5, 5), NULL));
                break;
            case 4:
                ck_assert(!moves || ctBody_ApplyImpulse(world, id, ctRandomVec3(&r, -1, 1),
                                                        ctBody_GetTransform(world, id).p, NULL));
                break;
            case 5:
                ck_assert(ctWorld_SetGravity(world, ctV3(ctRandomUniform(&r, -1, 1), 0, -9.0), NULL));
                break;
            case 6:
                ck_assert(ctWorld_SetContactMode(world, ct_contactMicrocollision, NULL));
                if (i % 4 == 0) { // a frame of it is long: many touch at many points
                    ctTestRun(world, 1.0 / 60.0);
                }
                ctTestEnergy(world);
                ck_assert(ctWorld_SetContactMode(world, ct_contactIsland, NULL));
                break;
            default:
                break;
            }
            ctTestEnergy(world);
            ctTestRun(world, 2.0 / 60.0);
            ctTestEnergy(world);
        }
        ck_assert_int_eq(ctWorld_GetStats(world).eventLimitHits, 0);
        ctWorld_Destroy(world);
    }
}
END_TEST

// Drag of one rate k takes 2 k times the kinetic energy per second, from bodies that hop, land on each other and lie.
START_TEST(a_heap_in_syrup)
{
    const double k = 2.0, dt = 1e-4;
    ctRandom r = ctRandomSeed(6);
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.4, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    for (int i = 0; i < 6; i++) {
        ctVec3 at = ctV3(0.03 * (i % 2), 0.02 * (i % 3), 0.1 + 0.12 * i);
        ctBodyId id = ctTestBox(world, ct_motionDynamic, ctV3(0.1, 0.07, 0.05), at);
        ck_assert(ctBody_SetVelocity(world, id, ctZero3(), ctRandomVec3(&r, -5, 5), NULL));
        ck_assert(ctBody_SetDrag(world, id, k, k, NULL));
    }
    ck_assert(ctWorld_SetFrameTime(world, dt, NULL));
    double before = ctWorld_GetStats(world).kineticEnergy, work = 0.0, most = 0.0;
    for (int i = 0; i < 15000; i++) {
        ck_assert(ctWorld_Step(world, NULL));
        double now = ctWorld_GetStats(world).kineticEnergy;
        work -= 2.0 * k * 0.5 * (before + now) * dt;
        most = ctFmax(most, now);
        before = now;
    }
    ctStats stats = ctWorld_GetStats(world);
    ctAssertClose(stats.driveWork, work, 1e-3 * fabs(work));
    ctAssertClose(stats.stepError, 0.0, 1e-3 * most);
    ctWorld_Destroy(world);
}
END_TEST

// A pile large enough for the coarse steps.
START_TEST(a_large_pile)
{
    ctWorld *world = ctTestBin(100);
    double start = ctWorld_GetStats(world).potentialEnergy;
    for (int i = 0; i < ctTestCases(20); i++) {
        ctTestRun(world, 0.1);
        ctTestEnergy(world);
        ctStats stats = ctWorld_GetStats(world);
        ck_assert(stats.kineticEnergy + stats.potentialEnergy < start * (1.0 + 1e-12));
        ck_assert(stats.frictionLoss >= 0.0 && stats.restitutionLoss >= 0.0);
    }
    ctWorld_Destroy(world);
}
END_TEST

// Violations are counted by kind, and the first is remembered with its time and bodies.
START_TEST(the_audit_names_the_first_offender)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctWorld_SetAudit(world, true);
    ctBodyId a = ctTestBall(world, 0.1, ctZero3(), ctZero3()), b = ctTestBall(world, 0.1, ctV3(1, 0, 0), ctZero3());
    ctTestRun(world, 0.5);
    ctWorld_AuditImpulse(world, ct_permissible, 0, 1);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 0);
    ctWorld_AuditImpulse(world, ct_leavesCone, 1, 0);
    ctWorld_AuditImpulse(world, ct_gainsEnergy | ct_pulls, 0, 1);
    ctWorld_SeeGap(world, 0, 1, -0.05);
    ctWorld_SeeGap(world, 0, 1, -1e-9); // within what is allowed
    ctAudit audit = ctWorld_GetAudit(world);
    ck_assert_int_eq(audit.counts[ct_auditCone], 1);
    ck_assert_int_eq(audit.counts[ct_auditEnergy], 1);
    ck_assert_int_eq(audit.counts[ct_auditOverlap], 1);
    ck_assert_int_eq(audit.counts[ct_auditPull] + audit.counts[ct_auditApproach], 0);
    ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, 3);
    ck_assert_int_eq(audit.firstKind, ct_auditCone);
    ctAssertClose(audit.firstTime, 0.5, 1e-9);
    ck_assert(audit.firstBodies[0].index1 == b.index1 && audit.firstBodies[1].index1 == a.index1);
    ck_assert_str_eq(ctAuditKind_Name(ct_auditOverlap), "overlap");
    ctWorld_Destroy(world);
}
END_TEST

// A second in which one of the sums gains more than a thousandth of the scale is a violation of its kind.
static void checkGain(ctWorld *world, double scale)
{
    const double shares[] = {-5e-3, 0.9e-3, 1.1e-3};
    ctWorld_SetAudit(world, true);
    ctTestRun(world, 1.0 / 60.0); // the first second begins
    for (int k = 0; k < 6; k++) {
        int64_t before = ctWorld_GetStats(world).auditViolations;
        ctAudit old = ctWorld_GetAudit(world);
        ctTestRun(world, 0.5);
        *(k < 3 ? &world->stats.stepError : &world->stats.pushWork) += shares[k % 3] * scale;
        ctTestRun(world, 0.4);
        ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, before);
        ctTestRun(world, 0.1);
        ctAudit audit = ctWorld_GetAudit(world);
        ck_assert_int_eq(audit.counts[ct_auditStepError] - old.counts[ct_auditStepError], k == 2);
        ck_assert_int_eq(audit.counts[ct_auditPushWork] - old.counts[ct_auditPushWork], k == 5);
        ck_assert_int_eq(ctWorld_GetStats(world).auditViolations, before + (k % 3 == 2));
        ck_assert_int_eq(audit.firstBodies[0].index1, 0);
    }
    ctWorld_Destroy(world);
}

START_TEST(the_audit_sees_energy_that_steps_bring)
{
    // A ball that flies on turns over what it moves with, and nothing else.
    ctWorld *flying = ctTestWorld(ctZero3(), 0.5, 1.0);
    ctBodyId id = ctTestBall(flying, 0.1, ctZero3(), ctV3(2, 0, 0));
    checkGain(flying, 0.5 * ctBody_GetMass(flying, id) * 4.0);
    // One that rolls has its weight times its radius, too.
    ctWorld *rolling = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.0);
    ctTestPlane(rolling, ctV3(0, 0, 1), 0.0);
    id = ctTestBall(rolling, 0.1, ctV3(0, 0, 0.1), ctV3(0.5, 0, 0));
    ctBody_SetVelocity(rolling, id, ctV3(0.5, 0, 0), ctV3(0, 5, 0), NULL);
    checkGain(rolling, ctBody_GetMass(rolling, id) * (0.7 * 0.25 + 9.81 * 0.1));
}
END_TEST

// Steps of contact end with the frame, whatever its length has been before.
START_TEST(sums_close_after_a_change_of_the_frame_time)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctTestBall(world, 0.1, ctV3(0, 0, 0.1), ctV3(4, 0, 0)); // slides for 0.23 s
    ctTestRun(world, 0.1);
    const double times[] = {1.0 / 60.0, 1.0 / 240.0, 0.7e-3, 1.0 / 30.0, 3e-3};
    for (int k = 0; k < 10; k++) {
        ck_assert(ctWorld_SetFrameTime(world, times[k % 5], NULL));
        for (int i = 0; i < 3; i++) {
            ck_assert(ctWorld_Step(world, NULL));
            ctTestEnergy(world);
        }
    }
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("energy");
    TCase *tc = tcase_create("energy");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, the_audit_names_the_first_offender);
    tcase_add_test(tc, the_audit_sees_energy_that_steps_bring);
    tcase_add_test(tc, sums_close_after_a_change_of_the_frame_time);
    tcase_add_test(tc, a_sliding_block);
    tcase_add_test(tc, a_ball_that_begins_to_roll);
    tcase_add_test(tc, marbles_in_a_groove);
    tcase_add_test(tc, a_block_on_a_belt);
    tcase_add_test(tc, a_ball_and_a_bat);
    tcase_add_test(tc, whatever_the_program_does);
    tcase_add_test(tc, a_heap_in_syrup);
    tcase_add_test(tc, a_large_pile);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
