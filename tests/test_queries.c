// Rays, casts, overlaps and closest points against brute force; meshes and lines against the solids they draw.
#include "collision/gjk.h"
#include "collision/quat.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <string.h>

enum { BODIES = 60, KINDS = 7 };

// Bodies of every kind in random attitudes, a compound among them, over a plane; a sensor that queries do not see.
static ctWorld *crowd(void)
{
    ctRandom r = ctRandomSeed(8);
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctTestPlane(world, ctV3(0, 0, 1), -3.0);
    ctShapeId pair[2] = {ctTestSolid(world, 0), ctTestSolid(world, 1)};
    ctPart parts[2] = {{pair[0], {{-0.1, 0, 0}, {1, 0, 0, 0}}}, {pair[1], {{0.15, 0, 0.05}, {1, 0, 0, 0}}}};
    ctShapeId compound = ctWorld_CreateCompound(world, parts, 2, NULL);
    ctBodyDef def = ctDefaultBodyDef();
    for (int i = 0; i < BODIES;) {
        def.shape = i % 8 == 7 ? compound : ctTestSolid(world, i % 8);
        def.position = ctRandomVec3(&r, -0.9, 0.9);
        def.orientation = ctRandomQuat(&r);
        def.filter = (ctFilter){i % 2 == 0 ? 1 : 2, UINT64_MAX};
        i += ctWorld_CreateBody(world, &def, NULL).index1 != 0;
    }
    def.motion = ct_motionFixed;
    def.sensor = true;
    def.shape = ctWorld_CreateBox(world, ctV3(4, 4, 4), NULL);
    def.position = ctZero3();
    ck_assert(ctWorld_CreateBody(world, &def, NULL).index1 != 0);
    return world;
}

static ctPose poseOf(const ctWorld *world, ctBodyId id)
{
    ctTransform t = ctBody_GetTransform(world, id);
    return (ctPose){t.p, ctMat3FromQuat(t.q)};
}

static double distanceOf(const ctShape *a, ctPose pa, const ctShape *b, ctPose pb)
{
    double best = INFINITY;
    for (int i = 0; i < a->leafCount; i++) {
        for (int j = 0; j < b->leafCount; j++) {
            ctPose la = ctLeaf_Pose(&a->leaves[i], &pa), lb = ctLeaf_Pose(&b->leaves[j], &pb);
            ctClosest c;
            ctClosestPoints(a->leaves[i].shape, &la, b->leaves[j].shape, &lb, NULL, &c);
            best = fmin(best, c.distance);
        }
    }
    return best;
}

START_TEST(all_hits_of_a_ray)
{
    ctWorld *world = crowd();
    ctRandom r = ctRandomSeed(1);
    int all = 0;
    for (int k = 0; k < 2000; k++) {
        ctVec3 from = ctScale(4.0, ctRandomUnit(&r)), to = ctRandomVec3(&r, -1.0, 1.0), way = ctSub(to, from);
        ctFilter odd = {1, 2};
        const ctFilter *filter = k % 2 == 0 ? NULL : &odd;
        ctRayHit hits[64];
        int count = ctWorld_RayCastAll(world, from, way, 2.0, filter, hits, 64), expected = 0;
        for (int i = 0; i < BODIES + 1; i++) {
            ctBodyId id = ctWorld_GetBody(world, i);
            ctTransform pose = ctBody_GetTransform(world, id);
            double t;
            ctVec3 n;
            if ((filter == NULL || ctBody_GetFilter(world, id).category == 2) &&
                ctShape_RayCast(ctWorld_GetShape(world, ctBody_GetShape(world, id)), ctInvTransformPoint(pose, from),
                                ctInvRotate(pose.q, way), 2.0, &t, &n)) {
                expected++;
                bool found = false;
                for (int h = 0; h < count; h++) {
                    found = found || (hits[h].body.index1 == id.index1 && hits[h].t == t);
                }
                ctAssert(found);
            }
        }
        ctAssert(count == expected);
        for (int h = 1; h < count; h++) {
            ctAssert(hits[h - 1].t <= hits[h].t);
        }
        if (count > 0) {
            ctRayHit one;
            ctAssert(ctWorld_RayCastAll(world, from, way, 2.0, filter, &one, 1) == count && one.t == hits[0].t);
            ctAssert(ctDistance(hits[0].point, ctMulAdd(from, hits[0].t, way)) < 1e-12);
        }
        all += count;
    }
    ck_assert_int_gt(all, 500);
    ck_assert_int_eq(ctWorld_RayCastAll(world, ctZero3(), ctZero3(), 1.0, NULL, NULL, 0), 0);
    ck_assert_int_eq(ctWorld_RayCastAll(world, ctV3(NAN, 0, 0), ctV3(1, 0, 0), 1.0, NULL, NULL, 0), 0);
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(overlaps_are_those_of_brute_force)
{
    ctWorld *world = crowd();
    ctRandom r = ctRandomSeed(2);
    int all = 0;
    for (int k = 0; k < 700; k++) {
        ctShapeId shape = ctTestSolid(world, k % KINDS);
        ctTransform pose = {ctRandomVec3(&r, -1.0, 1.0), ctRandomQuat(&r)};
        ctBodyId found[BODIES];
        int count = ctWorld_Overlap(world, shape, pose, NULL, found, BODIES), at = 0;
        ctPose p = {pose.p, ctMat3FromQuat(pose.q)};
        for (int i = 1; i < BODIES + 1; i++) {
            ctBodyId id = ctWorld_GetBody(world, i);
            double d = distanceOf(ctWorld_GetShape(world, shape), p,
                                  ctWorld_GetShape(world, ctBody_GetShape(world, id)), poseOf(world, id));
            if (d <= 0.0) {
                ctAssert(at < count && found[at].index1 == id.index1);
                at++;
            }
        }
        ctAssert(at == count);
        all += count;
    }
    ck_assert_int_gt(all, 100);
    ctWorld_Destroy(world);
}
END_TEST

// Just before the time of a cast the shape touches nothing, just after it overlaps what was hit.
START_TEST(casts_end_at_the_first_touch)
{
    ctWorld *world = crowd();
    ctRandom r = ctRandomSeed(3);
    int hits = 0;
    for (int k = 0; k < 700; k++) {
        ctShapeId shape = ctTestSolid(world, k % KINDS);
        ctTransform pose = {ctScale(2.6, ctRandomUnit(&r)), ctRandomQuat(&r)};
        ctVec3 way = ctSub(ctRandomVec3(&r, -1.0, 1.0), pose.p);
        way = ctScale(1.5, way);
        if (ctWorld_Overlap(world, shape, pose, NULL, NULL, 0) > 0) {
            continue;
        }
        ctRayHit hit;
        bool met = ctWorld_ShapeCast(world, shape, pose, way, NULL, &hit);
        double end = met ? hit.t : 1.0, slack = 1e-9 / ctLength(way);
        for (int i = 0; i <= 40; i++) {
            ctTransform at = {ctMulAdd(pose.p, (end - slack) * i / 40.0, way), pose.q};
            ctAssert(ctWorld_Overlap(world, shape, at, NULL, NULL, 0) == 0);
        }
        if (met) {
            hits++;
            ctTransform there = {ctMulAdd(pose.p, hit.t, way), pose.q};
            ctPose p = {there.p, ctMat3FromQuat(there.q)};
            double d = distanceOf(ctWorld_GetShape(world, shape), p,
                                  ctWorld_GetShape(world, ctBody_GetShape(world, hit.body)), poseOf(world, hit.body));
            ctAssert(fabs(d) < 1e-9);
            ctAssert(ctDot(hit.normal, way) < 0.0 || hit.t == 0.0);
            ctNearest near;
            ctAssert(ctWorld_ClosestToPoint(world, hit.point, 1e-6, NULL, &near));
        }
    }
    ck_assert_int_gt(hits, 200);
    ck_assert(!ctWorld_ShapeCast(world, (ctShapeId){0}, ctTransformIdentity(), ctV3(1, 0, 0), NULL, NULL));
    ctWorld_Destroy(world);
}
END_TEST

// A ball cast at a ball and at a plane: closed forms.
START_TEST(casts_of_balls_are_exact)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctBodyId plane = ctTestPlane(world, ctV3(0, 0, 1), 0.0), ball = ctTestBall(world, 0.5, ctV3(3, 0, 1), ctZero3());
    ctShapeId shape = ctWorld_CreateSphere(world, 0.2, NULL);
    ctRayHit hit;
    ctTransform start = {{0, 0.3, 1}, {1, 0, 0, 0}};
    ck_assert(ctWorld_ShapeCast(world, shape, start, ctV3(10, 0, 0), NULL, &hit));
    ctAssertClose(hit.t, (3.0 - sqrt(0.49 - 0.09)) / 10.0, 1e-11);
    ck_assert_int_eq(hit.body.index1, ball.index1);
    ck_assert(ctWorld_ShapeCast(world, shape, start, ctV3(-1, 0, -2), NULL, &hit));
    ctAssertClose(hit.t, 0.4, 1e-12);
    ck_assert_int_eq(hit.body.index1, plane.index1);
    ctAssertClose(hit.normal.z, 1.0, 1e-12);
    ctNearest near;
    ck_assert(ctWorld_Closest(world, ball, plane, &near));
    ctAssertClose(near.distance, 0.5, 1e-12);
    ctAssertClose(near.normal.z, 1.0, 1e-12);
    ck_assert(ctWorld_Closest(world, plane, ball, &near));
    ctAssertClose(near.normal.z, -1.0, 1e-12);
    ctAssertClose(near.pointB.z, 0.5, 1e-12);
    ck_assert(!ctWorld_Closest(world, plane, plane, &near) && !ctWorld_Closest(world, ball, (ctBodyId){0}, &near));
    ctWorld_Destroy(world);
}
END_TEST

START_TEST(the_nearest_body_is_found)
{
    ctWorld *world = crowd();
    ctRandom r = ctRandomSeed(5);
    ctShape *dot = ctShape_Sphere(1e-7, NULL);
    for (int k = 0; k < 300; k++) {
        ctVec3 p = ctRandomVec3(&r, -2.0, 2.0);
        ctNearest near;
        bool found = ctWorld_ClosestToPoint(world, p, 0.5, NULL, &near);
        double best = INFINITY;
        for (int i = 0; i < BODIES + 1; i++) {
            ctBodyId id = ctWorld_GetBody(world, i);
            double d = distanceOf(dot, (ctPose){p, ctMat3Identity()},
                                  ctWorld_GetShape(world, ctBody_GetShape(world, id)), poseOf(world, id));
            best = fmin(best, d + 1e-7);
        }
        ctAssert(found == (best <= 0.5));
        ctAssert(!found || fabs(near.distance - best) < 1e-6);
        ctAssert(!found || near.distance < 0.0 || fabs(ctDistance(p, near.pointB) - near.distance) < 1e-6);
    }
    ctShape_Release(dot);
    ctWorld_Destroy(world);
}
END_TEST

// ---- drawing ----------------------------------------------------------------------------------

static ctVec3 vertex(const ctMesh *mesh, uint32_t i)
{
    const float *p = mesh->vertices[i].position;
    return ctV3(p[0], p[1], p[2]);
}

// Vertices are on the surface (but for the rounding of edges and tips, 1e-5 of the size), normals point outwards, and
// the volume by the divergence theorem is the solid's.
START_TEST(meshes_are_the_solids)
{
    for (int kind = 0; kind < KINDS; kind++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctTestSolid(world, kind);
        def.density = 1.0;
        ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
        ctMesh mesh;
        ck_assert(ctShape_GetMesh(world, def.shape, 96, &mesh, NULL));
        double volume = 0.0;
        for (int i = 0; i < mesh.indexCount; i += 3) {
            ctVec3 p[3];
            for (int k = 0; k < 3; k++) {
                p[k] = vertex(&mesh, mesh.indices[i + k]);
            }
            volume += ctDot(p[0], ctCross(p[1], p[2])) / 6.0;
        }
        ctAssertClose(volume / ctBody_GetMass(world, body), 1.0, 3e-3);
        for (int i = 0; i < mesh.vertexCount; i++) {
            ctNearest near;
            ctAssert(ctWorld_ClosestToPoint(world, vertex(&mesh, (uint32_t)i), 1.0, NULL, &near));
            ctRequire(fabs(near.distance) < 5e-5, "kind %d: a vertex is %g m off", kind, near.distance);
        }
        ctVec3 *lines;
        int count;
        ck_assert(ctShape_GetLines(world, def.shape, &lines, &count, NULL));
        ck_assert_int_gt(count, 4);
        for (int i = 0; i < count; i++) {
            ctNearest near;
            ctAssert(ctWorld_ClosestToPoint(world, lines[i], 1.0, NULL, &near) && fabs(near.distance) < 5e-5);
        }
        if (kind == 1) { // a box has twelve edges
            ck_assert_int_eq(count, 24);
        }
        ctFreeLines(lines);
        ctMesh_Free(&mesh);
        ctError error = {0};
        ck_assert(!ctShape_GetMesh(world, def.shape, 3, &mesh, &error));
        ck_assert(!ctShape_GetMesh(world, (ctShapeId){0}, 24, &mesh, &error));
        ctWorld_Destroy(world);
    }
}
END_TEST

typedef struct Drawn {
    int lines, points, boxes, arrows;
} Drawn;

static void onLine(void *context, ctVec3 a, ctVec3 b, uint32_t color)
{
    ctAssert(ctIsFinite3(a) && ctIsFinite3(b) && color <= 0xffffff);
    ((Drawn *)context)->lines++;
}

static void onPoint(void *context, ctVec3 at, double size, uint32_t color)
{
    ctAssert(ctIsFinite3(at) && size > 0.0 && color <= 0xffffff);
    ((Drawn *)context)->points++;
}

static void onBox(void *context, ctVec3 lo, ctVec3 hi, uint32_t color)
{
    ctAssert(lo.x <= hi.x && color <= 0xffffff);
    ((Drawn *)context)->boxes++;
}

static void onArrow(void *context, ctVec3 from, ctVec3 to, uint32_t color)
{
    ctAssert(ctIsFinite3(from) && ctIsFinite3(to) && color <= 0xffffff);
    ((Drawn *)context)->arrows++;
}

START_TEST(what_the_engine_sees_is_drawn)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -9.81), 0.5, 0.0);
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctTestBox(world, ct_motionDynamic, ctV3(0.2, 0.2, 0.2), ctV3(0, 0, 0.1));
    ctTestBall(world, 0.1, ctV3(1, 0, 1), ctV3(1, 0, 0));
    ctTestRun(world, 0.2);
    Drawn drawn = {0};
    ctDebugDraw draw = {.line = onLine, .point = onPoint, .box = onBox, .arrow = onArrow, .context = &drawn};
    ck_assert(ctWorld_DebugDraw(world, &draw, NULL));
    ck_assert_int_eq(drawn.lines + drawn.points + drawn.boxes + drawn.arrows, 0);
    draw.shapes = draw.boxes = draw.centers = draw.velocities = draw.contacts = draw.impacts = true;
    draw.forceScale = 0.01;
    ck_assert(ctWorld_DebugDraw(world, &draw, NULL));
    ck_assert_int_gt(drawn.lines, 16);
    ck_assert_int_eq(drawn.boxes, 2);
    ck_assert_int_ge(drawn.points, 2 + 4); // centres and contacts
    ck_assert_int_ge(drawn.arrows, 1 + 4);
    ctDebugDraw nothing = draw;
    nothing.line = NULL;
    nothing.point = NULL;
    nothing.box = NULL;
    nothing.arrow = NULL;
    ck_assert(ctWorld_DebugDraw(world, &nothing, NULL) && !ctWorld_DebugDraw(world, NULL, NULL));
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queries");
    TCase *tc = tcase_create("queries");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, all_hits_of_a_ray);
    tcase_add_test(tc, overlaps_are_those_of_brute_force);
    tcase_add_test(tc, casts_end_at_the_first_touch);
    tcase_add_test(tc, casts_of_balls_are_exact);
    tcase_add_test(tc, the_nearest_body_is_found);
    tcase_add_test(tc, meshes_are_the_solids);
    tcase_add_test(tc, what_the_engine_sees_is_drawn);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
