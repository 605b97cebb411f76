// The parts of the viewer that need no window: states between states, settings, the timeline, the list of impacts, the
// simulation's thread, picking, the camera.
#include "collision/quat.h"
#include "render/draw/camera.h"
#include "render/draw/framing.h"
#include "render/draw/trails.h"
#include "render/session/history.h"
#include "render/session/sim.h"
#include "render/session/timeline.h"
#include "render/window/settings.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- between two states -----------------------------------------------------------------------

START_TEST(flight_between_two_states_is_the_parabola)
{
    ctRandom r = ctRandomSeed(11);
    const ctVec3 g = {0.0, 0.0, -9.81};
    for (int i = 0; i < ctTestCases(2000); i++) {
        double dt = ctRandomLog(&r, 1e-3, 0.2);
        ctVec3 p = ctRandomVec3(&r, -2, 2), v = ctRandomVec3(&r, -5, 5), w = ctRandomVec3(&r, -60, 60);
        ctVec3 offset = ctRandomVec3(&r, -0.1, 0.1); // of the shape's origin from the centre of mass
        ctQuat q = ctRandomQuat(&r);
        ctBodyState a = {{1, 1}, ctTransformOf(ctAdd(p, ctRotate(q, offset)), q), p, v, w, false}, b = a;
        b.center = ctMulAdd(ctMulAdd(p, dt, v), 0.5 * dt * dt, g);
        b.velocity = ctMulAdd(v, dt, g);
        b.pose.q = ctMulQ(ctQuatExp(ctScale(dt, w)), q);
        b.pose.p = ctAdd(b.center, ctRotate(b.pose.q, offset));
        for (int k = 0; k <= 4; k++) {
            double t = 0.25 * k * dt;
            ctQuat turned = ctMulQ(ctQuatExp(ctScale(t, w)), q);
            ctVec3 center = ctMulAdd(ctMulAdd(p, t, v), 0.5 * t * t, g);
            ctTransform pose = ctInterpolate(&a, 3.0, &b, 3.0 + dt, 3.0 + t);
            ctAssertClose(ctDistance(pose.p, ctAdd(center, ctRotate(turned, offset))), 0.0, 1e-11);
            ctAssertClose(fabs(pose.q.w * turned.w + pose.q.x * turned.x + pose.q.y * turned.y + pose.q.z * turned.z),
                          1.0, 1e-12);
        }
    }
}
END_TEST

START_TEST(after_an_impact_the_way_is_straight_and_stays_between_the_ends)
{
    // Down and up again within the interval: a cubic through both velocities would dive below the floor.
    ctBodyState a = {{1, 1}, ctTransformIdentity(), {0, 0, 0.1}, {0, 0, -10}, {0, 0, 0}, false}, b = a;
    a.pose.p = a.center;
    b.center = b.pose.p = ctV3(0, 0, 0.08);
    b.velocity = ctV3(0, 0, 8);
    for (int k = 0; k <= 10; k++) {
        double z = ctInterpolate(&a, 0.0, &b, 0.02, 0.002 * k).p.z;
        ck_assert(z >= 0.08 - 1e-12 && z <= 0.1 + 1e-12);
    }
}
END_TEST

// ---- the thread -------------------------------------------------------------------------------

static ctScene *load(const char *name)
{
    ctError error = {0};
    ctScene *scene = ctScene_Load(name, NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    return scene;
}

// The viewer's way of advancing, in pieces that follow a clock, must not change what happens.
START_TEST(the_viewer_simulates_what_a_plain_loop_does)
{
    static const char *const scenes[] = {"marbles", "superball", "pinball"};
    for (int i = 0; i < 3; i++) {
        ctScene *plain = load(scenes[i]);
        for (int k = 0; k < 90; k++) {
            ck_assert(ctWorld_Step(plain->world, NULL));
        }
        for (int way = 0; way < 4; way++) {
            bool knots = way % 2 == 1, threaded = way < 2;
            ctSim sim;
            ctError error = {0};
            ctScene *scene = load(scenes[i]);
            ctSim_Start(&sim, threaded);
            ck_assert(ctSim_SetScene(&sim, scene, &error));
            double end = ctWorld_GetTime(plain->world);
            int64_t impacts = 0;
            for (double t = 0.0; ctWorld_GetTime(scene->world) < end - 1e-9;) {
                t = fmin(end, t + 0.0037);
                ctSim_Advance(&sim, knots ? ct_advanceKnots : ct_advanceFrames, t);
                ck_assert(ctSim_Wait(&sim, 30.0));
                ck_assert_msg(!sim.failed, "%s", sim.error.message);
                ck_assert(sim.before.time <= sim.now.time);
                impacts += sim.impactCount;
                sim.impactCount = 0;
            }
            // The last frame may have been left in its middle.
            while (ctWorld_GetStats(scene->world).frames < 90) {
                ck_assert(ctWorld_Step(scene->world, NULL));
                const ctImpact *list;
                impacts += ctWorld_GetImpacts(scene->world, &list);
            }
            ck_assert_msg(ctWorld_Hash(scene->world) == ctWorld_Hash(plain->world), "%s differs (%s)", scenes[i],
                          knots == 1 ? "states at impacts" : "frames");
            ctStats stats = ctWorld_GetStats(scene->world);
            ck_assert_int_eq(impacts, stats.impacts + stats.microcollisions);
            ctSim_Stop(&sim);
            ctScene_Destroy(scene);
        }
        ctScene_Destroy(plain);
    }
}
END_TEST

START_TEST(an_advance_to_an_impact_ends_there_or_gives_up)
{
    ctSim sim;
    ctScene *scene = load("superball");
    ctSim_Start(&sim, true);
    ck_assert(ctSim_SetScene(&sim, scene, NULL));
    double last = 0.0;
    for (int i = 0; i < 5; i++) {
        ctSim_Advance(&sim, ct_advanceImpact, 0.0);
        ck_assert(ctSim_Wait(&sim, 30.0));
        ck_assert(sim.foundImpact);
        ck_assert_int_gt(sim.impactCount, i);
        ctAssertClose(sim.impacts[sim.impactCount - 1].time, sim.now.time, 1e-12);
        ck_assert(sim.now.time >= last);
        last = sim.now.time;
    }
    ctSim_Stop(&sim);
    ctScene_Destroy(scene);
}
END_TEST

// ---- settings ---------------------------------------------------------------------------------

// Pairs of materials that no two bodies can bring together are not among the settings.
START_TEST(only_materials_that_can_meet_have_a_row)
{
    static const char text[] =
        "for _, m in ipairs {'floor', 'post', 'red', 'blue', 'gate'} do material(m, { friction = 0.5 }) end\n"
        "local function at(x, t) t.shape = sphere { radius = 0.1 }; t.position = {x, 0, 1}; body(t) end\n"
        "body { motion = 'fixed', shape = plane { normal = {0, 0, 1}, offset = 0 }, material = 'floor' }\n"
        "at(0, { motion = 'fixed', material = 'post' })\n"
        "at(1, { material = 'red', group = 'red', collides_with = {'default', 'red'} })\n"
        "at(2, { material = 'red', group = 'red', collides_with = {'default', 'red'} })\n"
        "at(3, { material = 'blue', group = 'blue', collides_with = {'default', 'blue'} })\n"
        "at(4, { motion = 'fixed', material = 'gate', sensor = true })\n";
    ctError error = {0};
    ctScene *scene = ctScene_LoadText(text, strlen(text), "test.lua", NULL, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    ctSettings s = {0};
    ck_assert(ctSettings_Read(&s, scene, NULL));
    char found[256] = "";
    for (int i = 0; i < s.pairCount; i++) {
        size_t n = strlen(found);
        snprintf(found + n, sizeof found - n, "%s-%s ", s.pairs[i].nameA, s.pairs[i].nameB);
    }
    // Not: floor-post (both fixed), red-blue (filters), blue-blue (one body), anything with the gate (a sensor).
    ck_assert_str_eq(found, "floor-red floor-blue post-red post-blue red-red ");
    ctSettings_Free(&s);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(changed_settings_come_out_as_a_command_line_and_go_into_the_world)
{
    ctScene *scene = load("dominoes");
    ctSettings s = {0}, again = {0};
    char text[4096];
    ck_assert(ctSettings_Read(&s, scene, NULL));
    ck_assert(ctSettings_IsDefault(&s));
    ck_assert(ctSettings_CommandLine(&s, &(ctSceneOptions){0}, "dominoes", text, sizeof text));
    ck_assert_str_eq(text, "clatter run dominoes");
    ck_assert_int_ge(s.pairCount, 2);
    ck_assert_int_ge(s.paramCount, 1);
    for (int i = 0; i < s.pairCount; i++) {
        s.pairs[i].value.friction = 0.125;
    }
    s.law = ct_lawPoisson;
    s.params[0].value = s.params[0].max;
    ck_assert(!ctSettings_IsDefault(&s));
    ck_assert(ctSettings_CommandLine(&s, &(ctSceneOptions){0}, "a scene's.lua", text, sizeof text));
    char expected[512];
    snprintf(expected, sizeof expected, "clatter run 'a scene'\\''s.lua' --set %s=%g --mu 0.125 --law poisson",
             s.params[0].name, s.params[0].max);
    ck_assert_str_eq(text, expected);
    // What the scene was loaded with, and the panel has not changed, is said again.
    ctSettings_Restore(&s);
    ctSceneOptions given = {.hasRestitution = true, .hasLaw = true, .hasFps = true, .fps = 144.0};
    for (int i = 0; i < s.pairCount; i++) {
        s.pairs[i].value.restitution = s.pairs[i].initial.restitution = 0.25;
    }
    ck_assert(ctSettings_CommandLine(&s, &given, "dominoes", text, sizeof text));
    ck_assert_str_eq(text, "clatter run dominoes --e 0.25 --fps 144 --law stronge");
    for (int i = 0; i < s.pairCount; i++) {
        s.pairs[i].value.friction = 0.125;
    }
    s.law = ct_lawPoisson;
    s.params[0].value = s.params[0].max;
    // Into the world.
    ck_assert(ctSettings_Apply(&s, scene->world, NULL));
    ctAssertClose(ctWorld_GetPair(scene->world, s.pairs[0].a, s.pairs[0].b).friction, 0.125, 0.0);
    ck_assert_int_eq(ctWorld_GetSettings(scene->world).law, ct_lawPoisson);
    // Into the same scene, loaded again.
    ctScene *second = load("dominoes");
    ck_assert(ctSettings_Read(&again, second, NULL));
    ctSettings_Inherit(&again, &s);
    ck_assert(again.changed);
    ctAssertClose(again.pairs[1].value.friction, 0.125, 0.0);
    ctAssertClose(again.pairs[1].initial.friction, s.pairs[1].initial.friction, 0.0);
    // One pair alone cannot be said by options: it comes as a line for the scene.
    ctSettings_Restore(&s);
    ck_assert(ctSettings_IsDefault(&s));
    s.pairs[1].value.restitution = 0.75;
    ck_assert(ctSettings_CommandLine(&s, &(ctSceneOptions){0}, "dominoes", text, sizeof text));
    ck_assert_ptr_nonnull(strstr(text, "restitution = 0.75"));
    ck_assert_ptr_null(strstr(text, "--e"));
    ck_assert(!ctSettings_CommandLine(&s, &(ctSceneOptions){0}, "dominoes", text, 20));
    ck_assert_uint_lt(strlen(text), 20);
    ctSettings_Free(&s);
    ctSettings_Free(&again);
    ctScene_Destroy(scene);
    ctScene_Destroy(second);
}
END_TEST

// ---- the past ---------------------------------------------------------------------------------

START_TEST(going_back_in_time_leads_to_the_same_future)
{
    ctScene *scene = load("marbles");
    ctTimeline line = {0};
    uint64_t hashes[61];
    for (int k = 0; k <= 60; k++) {
        void *data;
        size_t size;
        ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
        ck_assert(ctTimeline_Add(&line, ctWorld_GetTime(scene->world), data, size, NULL));
        hashes[k] = ctWorld_Hash(scene->world);
        ck_assert(ctWorld_Step(scene->world, NULL));
    }
    ck_assert_int_eq(line.count, 61);
    int at = ctTimeline_Find(&line, 20.3 / 60.0);
    ck_assert_int_eq(at, 20);
    ck_assert(ctWorld_Restore(scene->world, line.moments[at].snapshot, line.moments[at].size, NULL));
    for (int k = at; k <= 60; k++) {
        ck_assert(ctWorld_Hash(scene->world) == hashes[k]);
        ck_assert(ctWorld_Step(scene->world, NULL));
    }
    // Going on from there with something new drops what lay beyond.
    void *data;
    size_t size;
    ck_assert(ctWorld_Restore(scene->world, line.moments[at].snapshot, line.moments[at].size, NULL));
    ck_assert(ctWorld_Step(scene->world, NULL));
    ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
    ck_assert(ctTimeline_Add(&line, ctWorld_GetTime(scene->world), data, size, NULL));
    ck_assert_int_eq(line.count, 22);
    ctTimeline_Free(&line);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(a_long_past_is_thinned_within_its_budget)
{
    ctScene *scene = load("marbles");
    ctTimeline line = {0};
    size_t one = 0;
    for (int k = 0; k < 500; k++) {
        void *data;
        size_t size;
        ck_assert(ctWorld_Save(scene->world, &data, &size, NULL));
        one = size;
        line.budget = 50 * one;
        ck_assert(ctTimeline_Add(&line, 0.1 * k, data, size, NULL));
        ck_assert_uint_le(line.bytes, line.budget);
    }
    // The first and the last are there, in order, and the recent past is whole.
    ctAssertClose(line.moments[0].time, 0.0, 0.0);
    ctAssertClose(line.moments[line.count - 1].time, 49.9, 1e-12);
    for (int i = 1; i < line.count; i++) {
        ck_assert(line.moments[i].time > line.moments[i - 1].time);
    }
    ctAssertClose(line.moments[line.count - 10].time, 49.0, 1e-9);
    ctTimeline_Free(&line);
    ctScene_Destroy(scene);
}
END_TEST

START_TEST(impacts_are_found_by_body_in_both_directions)
{
    ctHistory h = {0};
    ctImpact list[6] = {{0}};
    for (int i = 0; i < 6; i++) {
        list[i].time = 0.1 * i;
        list[i].kind = i == 3 ? ct_eventMicro : ct_eventImpact;
        list[i].body1 = (ctBodyId){1 + i % 2, 1};
        list[i].body2 = (ctBodyId){9, 1};
    }
    ck_assert(ctHistory_AddImpacts(&h, list, 6));
    ck_assert_int_eq(h.impactCount, 5); // without the microcollision
    ctBodyId second = {2, 1}, none = {0}, other = {7, 1}, nine = {9, 1};
    ck_assert_int_eq(ctHistory_NextImpact(&h, -1, 1, second), 1);
    ck_assert_int_eq(ctHistory_NextImpact(&h, 1, 1, second), 4);
    ck_assert_int_eq(ctHistory_NextImpact(&h, 4, 1, second), -1);
    ck_assert_int_eq(ctHistory_NextImpact(&h, 5, -1, second), 4);
    ck_assert_int_eq(ctHistory_NextImpact(&h, 2, 1, none), 3);
    ck_assert_int_eq(ctHistory_NextImpact(&h, 2, -1, nine), 1);
    ck_assert_int_eq(ctHistory_NextImpact(&h, -1, 1, other), -1);
    for (int i = 0; i < 6; i++) {
        ck_assert(ctHistory_AddSample(&h, (ctSample){.time = 0.1 * i}));
    }
    ctHistory_Rewind(&h, 0.2);
    ck_assert_int_eq(h.sampleCount, 3);
    ck_assert_int_eq(h.impactCount, 3);
    ctHistory_Free(&h);
}
END_TEST

// ---- trails -----------------------------------------------------------------------------------

// A superball's path, run in frames that do not end at its impacts: it bounces from the floor and from under the table
// at exactly its radius from them, and between impacts it is a parabola.
START_TEST(trails_pass_through_every_impact)
{
    ctSim sim;
    ctError error = {0};
    ctScene *scene = load("superball");
    ctSim_Start(&sim, true);
    ck_assert(ctSim_SetScene(&sim, scene, &error));
    ctBodyId ball = ctWorld_FindBody(scene->world, "superball");
    sim.paths.on = true;
    sim.paths.only = ball;
    ctPathLog_AddState(&sim.paths, &sim.now);
    ctSim_Advance(&sim, ct_advanceFrames, 1.0);
    ck_assert(ctSim_Wait(&sim, 30.0));
    int bounces = 0, impacts = 0;
    for (int i = 0; i < sim.impactCount; i++) {
        impacts += sim.impacts[i].body1.index1 == ball.index1 || sim.impacts[i].body2.index1 == ball.index1;
    }
    for (int i = 0; i + 1 < sim.paths.count; i++) {
        const ctKnot *a = &sim.paths.knots[i], *b = a + 1;
        ck_assert(b->time >= a->time);
        bounces += fabs(a->place.z - 0.03) < 1e-9 || fabs(a->place.z - 0.61) < 1e-9;
        if (b->time > a->time) {
            // Half way on, by gravity alone.
            double t = 0.5 * (b->time - a->time);
            ctVec3 fallen = ctMulAdd(ctMulAdd(a->place, t, a->velocity), -0.5 * 9.81 * t * t, ctV3(0, 0, 1));
            ctAssertClose(ctDistance(ctPath_Between(a, b, 0.5), fallen), 0.0, 1e-9);
        }
    }
    ck_assert_int_ge(impacts, 3);
    ck_assert_int_eq(bounces, impacts);
    ctSim_Stop(&sim);
    ctScene_Destroy(scene);
}
END_TEST

// ---- the camera -------------------------------------------------------------------------------

START_TEST(rays_and_projections_of_a_view_are_inverse)
{
    ctRandom r = ctRandomSeed(12);
    for (int i = 0; i < ctTestCases(2000); i++) {
        ctCamera camera;
        ctCamera_LookAt(&camera, ctRandomVec3(&r, 2, 5), ctRandomVec3(&r, -1, 1), 30.0);
        ctCamera_Orbit(&camera, ctRandomUniform(&r, -3, 3), ctRandomUniform(&r, -2, 2));
        ctCamera_Pan(&camera, ctRandomUniform(&r, -1, 1), ctRandomUniform(&r, -1, 1));
        ctCamera_Zoom(&camera, ctRandomUniform(&r, 0.5, 2));
        ctView view = ctCamera_GetView(&camera);
        view.shift = ctRandomUniform(&r, -0.4, 0.4);
        view.lift = ctRandomUniform(&r, -0.4, 0.4);
        double x = ctRandomUniform(&r, -1, 1), y = ctRandomUniform(&r, -1, 1), px, py;
        ctRay ray = ctView_GetRay(&view, 1.6, x, y);
        ck_assert(
            ctView_Project(&view, 1.6, ctMulAdd(ray.origin, ctRandomUniform(&r, 0.5, 20), ray.direction), &px, &py));
        ctAssertClose(px, x, 1e-9);
        ctAssertClose(py, y, 1e-9);
        ck_assert(ctView_Project(&view, 1.6, view.target, &px, &py));
        ctAssertClose(px, view.shift, 1e-9);
        ctAssertClose(py, view.lift, 1e-9);
    }
}
END_TEST

// What a camera frames in a picture of the free part's size, it frames in that part of a larger picture.
START_TEST(a_view_is_put_into_the_free_part_of_the_picture)
{
    ctRandom r = ctRandomSeed(13);
    for (int i = 0; i < ctTestCases(500); i++) {
        ctCamera camera;
        ctCamera_LookAt(&camera, ctRandomVec3(&r, 2, 5), ctRandomVec3(&r, -1, 1), 35.0);
        ctView alone = ctCamera_GetView(&camera);
        double width = ctRandomUniform(&r, 400, 2000), height = ctRandomUniform(&r, 300, 1200);
        ctFreePart part = {ctRandomUniform(&r, 0, 0.3 * width), ctRandomUniform(&r, 0, 0.2 * height), 0.0, 0.0};
        part.width = width - part.left - ctRandomUniform(&r, 0, 0.3 * width);
        part.height = height - part.top - ctRandomUniform(&r, 0, 0.2 * height);
        ctView view = ctView_Fit(alone, width, height, part);
        double x, y, ax, ay;
        ck_assert(ctView_Project(&view, width / height, alone.target, &x, &y));
        ctAssertClose(0.5 * (x + 1.0) * width, part.left + 0.5 * part.width, 1e-6);
        ctAssertClose(0.5 * (1.0 - y) * height, part.top + 0.5 * part.height, 1e-6);
        // A corner of a picture of 4 : 3 lands inside the part.
        ctRay ray = ctView_GetRay(&alone, CT_VIEW_ASPECT, 1.0, 1.0);
        ctView_Project(&view, width / height, ctMulAdd(ray.origin, 3.0, ray.direction), &ax, &ay);
        ck_assert(0.5 * (ax + 1.0) * width <= part.left + part.width + 1e-6);
        ck_assert(0.5 * (1.0 - ay) * height >= part.top - 1e-6);
    }
}
END_TEST

// A scene without a camera, from a grain of a millimetre to a house: it fills the picture, and nothing sticks out.
START_TEST(a_scene_without_a_camera_is_framed_at_any_size)
{
    static const double sizes[] = {1e-3, 0.01, 1.0, 50.0};
    for (int i = 0; i < 4; i++) {
        char path[] = "build/test_framing_XXXXXX.lua";
        int fd = mkstemps(path, 4);
        FILE *f = fdopen(fd, "w");
        fprintf(f, "local s = %g\n", sizes[i]);
        fputs("body { name = 'ground', shape = plane { normal = {0, 0, 1}, offset = -s } }\n"
              "body { shape = box { size = {s, 2 * s, s} }, position = {7 * s, 0, 0} }\n"
              "body { shape = sphere { radius = s / 2 }, position = {7 * s, 3 * s, s} }\n",
              f);
        fclose(f);
        ctScene *scene = load(path);
        remove(path);
        ck_assert(!scene->hasCamera);
        ctView view;
        ck_assert(ctStage_FindView(scene, NULL, &view));
        double widest = 0.0;
        for (int k = 0; k < 8; k++) {
            ctVec3 corner = ctV3(sizes[i] * ((k & 1) != 0 ? 7.5 : 6.5), sizes[i] * ((k & 2) != 0 ? 3.5 : -1.0),
                                 sizes[i] * ((k & 4) != 0 ? 1.5 : -1.0));
            double x, y;
            ck_assert(ctView_Project(&view, CT_VIEW_ASPECT, corner, &x, &y));
            widest = fmax(widest, fmax(fabs(x), fabs(y)));
        }
        ck_assert_msg(widest < 1.0 && widest > 0.7, "size %g: widest %g", sizes[i], widest);
        ctScene_Destroy(scene);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("viewer_state");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 30);
    tcase_add_test(all, flight_between_two_states_is_the_parabola);
    tcase_add_test(all, after_an_impact_the_way_is_straight_and_stays_between_the_ends);
    tcase_add_test(all, the_viewer_simulates_what_a_plain_loop_does);
    tcase_add_test(all, an_advance_to_an_impact_ends_there_or_gives_up);
    tcase_add_test(all, only_materials_that_can_meet_have_a_row);
    tcase_add_test(all, changed_settings_come_out_as_a_command_line_and_go_into_the_world);
    tcase_add_test(all, going_back_in_time_leads_to_the_same_future);
    tcase_add_test(all, a_long_past_is_thinned_within_its_budget);
    tcase_add_test(all, impacts_are_found_by_body_in_both_directions);
    tcase_add_test(all, trails_pass_through_every_impact);
    tcase_add_test(all, rays_and_projections_of_a_view_are_inverse);
    tcase_add_test(all, a_view_is_put_into_the_free_part_of_the_picture);
    tcase_add_test(all, a_scene_without_a_camera_is_framed_at_any_size);
    suite_add_tcase(suite, all);
    return ctRunSuite(suite);
}
