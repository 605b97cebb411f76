// Terrains as surfaces: their structure, what is refused, and rays, casts, overlaps and closest points against all
// triangles one by one.
#include "collision/gjk.h"
#include "collision/terrain.h"
#include "engine/clatter.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"
#include "tests/support/terrains.h"
#include "tests/support/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const ctVec3 down = {0.0, 0.0, -9.81};

// ---- structure --------------------------------------------------------------------------------

START_TEST(neighbours_facets_and_tree)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    const ctTerrain *t = ctWorld_GetShape(world, ctTestField(world, 30, 2.0, ctTestHill, NULL))->u.terrain;
    int sides = 0;
    ck_assert_int_eq(t->triangleCount, 2 * 29 * 29);
    ck_assert_int_eq(t->vertexCount, 900);
    for (int i = 0; i < t->triangleCount; i++) {
        for (int k = 0; k < 3; k++) {
            int other = t->neighbours[3 * i + k], back = 0;
            sides += other >= 0;
            for (int j = 0; j < 3 && other >= 0; j++) {
                back += t->neighbours[3 * other + j] == i;
            }
            ctAssert(other < 0 || back == 1);
            ctAssert(fabs(ctDot(ctTerrain_Normal(t, i), ctTerrain_Vertex(t, i, k)) - t->offsets[t->facets[i]]) < 1e-9);
        }
        ctAssert(ctTerrain_Normal(t, i).z > 0.0);
    }
    ck_assert_int_eq(sides, 3 * t->triangleCount - 4 * 29);
    bool *held = calloc((size_t)t->triangleCount, 1);
    for (int i = 0; i < t->triangleCount; i++) {
        ctAssert(!held[t->order[i]]);
        held[t->order[i]] = true;
    }
    free(held);
    const ctTerrain *f = ctWorld_GetShape(world, ctTestField(world, 20, 2.0, ctTestFlat, NULL))->u.terrain;
    ck_assert_int_eq(f->facetCount, 1);
    ctWorld_Destroy(world);
}
END_TEST

// A mesh whose triangles share no vertices is joined: the seams are known all the same.
START_TEST(equal_vertices_are_one)
{
    const ctVec3 v[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}, {-0.0, 1, 0}};
    const int triangles[6] = {0, 1, 2, 3, 4, 5};
    ctTerrainInput in = {.vertices = v, .triangles = triangles, .vertexCount = 6, .triangleCount = 2, .smooth = 0.1};
    ctShape *shape = ctShape_Trimesh(&in, NULL);
    ck_assert_int_eq(shape->u.terrain->vertexCount, 4);
    ck_assert_int_eq(shape->u.terrain->facetCount, 1);
    ck_assert_int_eq(shape->u.terrain->neighbours[1], 1);
    ctShape_Release(shape);
}
END_TEST

// ---- what is refused --------------------------------------------------------------------------

static void refuses(const ctTerrainInput *in, const char *what)
{
    ctError error = {ct_ok, ""};
    ctShape *shape = ctShape_Trimesh(in, &error);
    ck_assert_msg(shape == NULL, "accepted: %s", what);
    ck_assert_msg(strstr(error.message, what) != NULL, "\"%s\" instead of \"%s\"", error.message, what);
}

START_TEST(bad_meshes_are_refused)
{
    ctVec3 v[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}};
    const int good[6] = {0, 1, 2, 1, 3, 2}, range[3] = {0, 1, 5}, thin[3] = {0, 1, 1}, turned[6] = {0, 1, 2, 1, 2, 3},
              three[9] = {0, 1, 2, 1, 0, 3, 1, 0, 4};
    ctTerrainInput in = {.vertices = v, .triangles = good, .vertexCount = 5, .triangleCount = 2, .smooth = 0.1};
    ctShape_Release(ctShape_Trimesh(&in, NULL));
    in.smooth = 2.0;
    refuses(&in, "smooth must be an angle");
    in.smooth = NAN;
    refuses(&in, "smooth must be an angle");
    in.smooth = 0.1;
    in.triangles = turned;
    refuses(&in, "run the same way along a side");
    in.triangleCount = 1;
    in.triangles = range;
    refuses(&in, "triangle 1 has no vertex 6, there are 5");
    in.triangles = thin;
    refuses(&in, "triangle 1 has no area");
    in.triangles = three;
    in.triangleCount = 3;
    refuses(&in, "share");
    in.triangles = good;
    in.triangleCount = 2;
    v[4].y = NAN;
    refuses(&in, "vertex 5 is no place");
    in.vertexCount = 2;
    refuses(&in, "at least three vertices");
}
END_TEST

START_TEST(bad_fields_and_files_are_refused)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    ctError error = {ct_ok, ""};
    double h[6] = {0, 0, 0, 0, INFINITY, 0};
    ck_assert_int_eq(ctWorld_CreateHeightfield(world, 1, 1, 3, 2, h, NULL, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "height 2 of row 2") != NULL, "%s", error.message);
    ck_assert_int_eq(ctWorld_CreateHeightfield(world, 1, 1, 1, 2, h, NULL, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "2 x 2 heights") != NULL, "%s", error.message);
    ck_assert_int_eq(ctWorld_CreateHeightfield(world, -1, 1, 2, 2, h, NULL, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "size (x)") != NULL, "%s", error.message);
    ck_assert_int_eq(ctWorld_CreateHeightfield(world, 1, 1, 100000, 100000, h, NULL, &error).index1, 0);
    ck_assert_int_eq(error.status, ct_limit);
    const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 2\n";
    ck_assert_int_eq(ctWorld_CreateTrimeshFromObj(world, obj, strlen(obj), "ctTestHill.obj", NULL, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "ctTestHill.obj:5:") != NULL, "%s", error.message);
    ctShapeId ok = ctWorld_CreateTrimeshFromObj(world, obj, 32, "ctTestHill.obj", NULL, &error);
    ck_assert_msg(ok.index1 != 0, "%s", error.message);
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ok;
    ck_assert_int_eq(ctWorld_CreateBody(world, &def, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "a terrain can only be a fixed body") != NULL, "%s", error.message);
    ctPart part = {ok, {{0, 0, 0}, {1, 0, 0, 0}}};
    ck_assert_int_eq(ctWorld_CreateCompound(world, &part, 1, &error).index1, 0);
    ck_assert_msg(strstr(error.message, "is a terrain") != NULL, "%s", error.message);
    def.motion = ct_motionFixed;
    ctBodyId ground = ctWorld_CreateBody(world, &def, &error);
    ck_assert(!ctBody_SetMotionType(world, ground, ct_motionDynamic, &error));
    ctWorld_Destroy(world);
}
END_TEST

// ---- questions --------------------------------------------------------------------------------

// The first triangle that a ray meets, by solving for each.
static double bruteRay(const ctTerrain *t, ctVec3 o, ctVec3 d, double *edge)
{
    double best = INFINITY;
    *edge = INFINITY;
    for (int i = 0; i < t->triangleCount; i++) {
        ctVec3 n = ctTerrain_Normal(t, i);
        double speed = ctDot(n, d), at = (t->offsets[t->facets[i]] - ctDot(n, o)) / speed, inside = INFINITY;
        if ((!t->twoSided && speed >= 0.0) || !(at >= 0.0)) {
            continue;
        }
        ctVec3 p = ctMulAdd(o, at, d);
        for (int k = 0; k < 3; k++) {
            ctVec3 a = ctTerrain_Vertex(t, i, k), b = ctTerrain_Vertex(t, i, (k + 1) % 3);
            inside = fmin(inside, ctDot(n, ctCross(ctSub(b, a), ctSub(p, a))) / ctDistance(a, b));
        }
        if (inside >= -1e-12 && at < best) {
            best = at;
        }
        *edge = fmin(*edge, fabs(inside));
    }
    return best;
}

START_TEST(rays_are_those_of_brute_force)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    ctTerrainDef def = ctDefaultTerrainDef();
    def.twoSided = _i == 1;
    const ctShape *shape = ctWorld_GetShape(world, ctTestField(world, 20, 2.0, ctTestHill, &def));
    ctRandom r = ctRandomSeed(3);
    int hits = 0;
    for (int k = 0; k < ctTestCases(3000); k++) {
        ctVec3 o = ctRandomVec3(&r, -1.5, 1.5), d = ctSub(ctRandomVec3(&r, -1.0, 1.0), o), n;
        d.z *= 0.3;
        double t, edge, brute = bruteRay(shape->u.terrain, o, d, &edge);
        bool hit = ctShape_RayCast(shape, o, d, 10.0, &t, &n);
        if (edge > 1e-9) {
            ctRequire(hit == (brute <= 10.0), "ray %d: %d, brute force %g", k, hit, brute);
            ctAssert(!hit || (fabs(t - brute) < 1e-9 * (1.0 + brute) && ctDot(n, d) <= 0.0));
        }
        hits += hit;
    }
    ck_assert_int_gt(hits, ctTestCases(3000) / 10);
    ctWorld_Destroy(world);
}
END_TEST

// Through sides and corners, where a ray could slip between two triangles.
START_TEST(no_ray_gets_through_a_seam)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    const ctShape *shape = ctWorld_GetShape(world, ctTestField(world, 20, 2.0, ctTestHill, NULL));
    const ctTerrain *terrain = shape->u.terrain;
    ctRandom r = ctRandomSeed(4);
    for (int k = 0; k < ctTestCases(5000); k++) {
        int i = ctRandomInt(&r, 0, terrain->triangleCount - 1), side = ctRandomInt(&r, 0, 2);
        double t, u = k % 3 == 0 ? 0.0 : ctRandomUniform(&r, 0.0, 1.0);
        ctVec3 n, p = ctLerp(ctTerrain_Vertex(terrain, i, side), ctTerrain_Vertex(terrain, i, (side + 1) % 3), u);
        ctVec3 d = ctV3(ctRandomUniform(&r, -0.3, 0.3), ctRandomUniform(&r, -0.3, 0.3), -1.0), o = ctMulAdd(p, -3.0, d);
        bool inside = fabs(p.x) < 0.99 && fabs(p.y) < 0.99;
        ctAssert(!inside || ctShape_RayCast(shape, o, d, 10.0, &t, &n));
    }
    ctWorld_Destroy(world);
}
END_TEST

static double bruteDistance(const ctTerrain *t, const ctPose *poseT, const ctShape *shape, const ctPose *pose)
{
    double best = INFINITY;
    for (int i = 0; i < t->triangleCount; i++) {
        ctFlat f;
        ctFlat_Make(&f, t, i);
        for (int k = 0; k < shape->leafCount; k++) {
            ctPose part = ctShape_PartPose(shape, k, pose);
            ctClosest c;
            ctClosestPoints(shape->leaves[k].shape, &part, &f.shape, poseT, NULL, &c);
            best = fmin(best, c.distance);
        }
    }
    return best;
}

START_TEST(closest_points_overlaps_and_casts_are_those_of_brute_force)
{
    ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
    ctTerrainDef two = {true, 0.4};
    ctShapeId field = ctTestField(world, 9, 2.0, ctTestHill, &two);
    ctQuat turn = ctNormalizeQ((ctQuat){0.9, 0.2, -0.1, 0.3});
    ctBodyId ground = ctTestGround(world, field, ctV3(0.3, -0.2, 0.1), turn);
    const ctTerrain *t = ctWorld_GetShape(world, field)->u.terrain;
    ctPose poseT = {ctV3(0.3, -0.2, 0.1), ctMat3FromQuat(turn)};
    ctRandom r = ctRandomSeed(5);
    int touching = 0, cast = 0;
    for (int k = 0; k < ctTestCases(400); k++) {
        ctShapeId id = ctTestSolid(world, k % 7);
        ctTransform pose = {ctRandomVec3(&r, -1.2, 1.2), ctRandomQuat(&r)};
        ctPose at = {pose.p, ctMat3FromQuat(pose.q)};
        double brute = bruteDistance(t, &poseT, ctWorld_GetShape(world, id), &at);
        ctBodyId found;
        int count = ctWorld_Overlap(world, id, pose, NULL, &found, 1);
        ctAssert(count == (brute <= 0.0) && (count == 0 || found.index1 == ground.index1));
        touching += count;
        if (brute > 1e-6) {
            ctBodyDef def = ctDefaultBodyDef();
            def.shape = id;
            def.position = pose.p;
            def.orientation = pose.q;
            ctBodyId body = ctWorld_CreateBody(world, &def, NULL);
            ctNearest nearest;
            ctAssert(ctWorld_Closest(world, body, ground, &nearest));
            ctRequire(fabs(nearest.distance - brute) < 1e-9, "%.12g, brute force %.12g", nearest.distance, brute);
            ctWorld_DestroyBody(world, body, NULL);
            // A cast ends where the distance is gone, and everywhere before there is some.
            ctVec3 way = ctScale(2.0, ctRandomUnit(&r));
            ctRayHit hit;
            if (ctWorld_ShapeCast(world, id, pose, way, NULL, &hit)) {
                ctPose end = {ctMulAdd(pose.p, hit.t, way), at.r}, middle = {ctMulAdd(pose.p, 0.9 * hit.t, way), at.r};
                ctAssert(fabs(bruteDistance(t, &poseT, ctWorld_GetShape(world, id), &end)) < 1e-6);
                ctAssert(bruteDistance(t, &poseT, ctWorld_GetShape(world, id), &middle) > 0.0);
                cast++;
            }
        }
    }
    ck_assert_int_gt(touching, ctTestCases(400) / 40);
    ck_assert_int_gt(cast, ctTestCases(400) / 40);
    ctWorld_Destroy(world);
}
END_TEST

// From behind: a cast passes through a one-sided surface, and meets a two-sided one.
START_TEST(sides_count_for_casts)
{
    for (int two = 0; two < 2; two++) {
        ctWorld *world = ctTestWorld(ctZero3(), 0.5, 0.5);
        ctTerrainDef def = ctDefaultTerrainDef();
        def.twoSided = two == 1;
        ctTestGround(world, ctTestField(world, 5, 2.0, ctTestFlat, &def), ctZero3(), (ctQuat){1, 0, 0, 0});
        ctShapeId ball = ctWorld_CreateSphere(world, 0.1, NULL);
        ctTransform below = {{0.05, 0.02, -1}, {1, 0, 0, 0}}, above = {{0.05, 0.02, 1}, {1, 0, 0, 0}};
        ctRayHit hit;
        ck_assert(ctWorld_ShapeCast(world, ball, below, ctV3(0, 0, 2), NULL, &hit) == (two == 1));
        ck_assert(ctWorld_ShapeCast(world, ball, above, ctV3(0, 0, -2), NULL, &hit));
        ctAssertClose(hit.t, 0.45, 1e-12);
        ctWorld_Destroy(world);
    }
}
END_TEST

START_TEST(a_mesh_is_drawn_whole)
{
    ctWorld *world = ctTestWorld(down, 0.5, 0.5);
    ctTerrainDef def = ctDefaultTerrainDef();
    ctMesh mesh;
    ck_assert(ctShape_GetMesh(world, ctTestField(world, 40, 2.0, ctTestHill, &def), 24, &mesh, NULL));
    ck_assert_int_eq(mesh.indexCount, 3 * 2 * 39 * 39);
    ck_assert_int_eq(mesh.vertexCount, 1600); // shared: the hills are smooth
    ctMesh_Free(&mesh);
    def.smooth = 0.0;
    def.twoSided = true;
    ck_assert(ctShape_GetMesh(world, ctTestField(world, 12, 2.0, ctTestHill, &def), 24, &mesh, NULL));
    ck_assert_int_eq(mesh.indexCount, 2 * 3 * 2 * 11 * 11);
    for (int i = 0; i < mesh.indexCount; i += 3) {
        const ctMeshVertex *v[3];
        ctVec3 p[3];
        for (int k = 0; k < 3; k++) {
            v[k] = &mesh.vertices[mesh.indices[i + k]];
            p[k] = ctV3(v[k]->position[0], v[k]->position[1], v[k]->position[2]);
        }
        ctVec3 n = ctNormalize(ctCross(ctSub(p[1], p[0]), ctSub(p[2], p[0])));
        ctAssert(ctDot(n, ctV3(v[0]->normal[0], v[0]->normal[1], v[0]->normal[2])) > 0.999);
    }
    ctMesh_Free(&mesh);
    ctWorld_Destroy(world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("terrain_surface");
    TCase *tc = tcase_create("terrain_surface");
    tcase_set_timeout(tc, 60.0);
    tcase_add_test(tc, neighbours_facets_and_tree);
    tcase_add_test(tc, equal_vertices_are_one);
    tcase_add_test(tc, bad_meshes_are_refused);
    tcase_add_test(tc, bad_fields_and_files_are_refused);
    tcase_add_loop_test(tc, rays_are_those_of_brute_force, 0, 2);
    tcase_add_test(tc, no_ray_gets_through_a_seam);
    tcase_add_test(tc, closest_points_overlaps_and_casts_are_those_of_brute_force);
    tcase_add_test(tc, sides_count_for_casts);
    tcase_add_test(tc, a_mesh_is_drawn_whole);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
