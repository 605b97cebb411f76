// The points of a contact: how many, where, and the same from step to step.
#include "collision/manifold.h"
#include "tests/support/convex.h"
#include "tests/support/suite.h"

static ctPose at(double x, double y, double z)
{
    return ctPoseOf(ctTransformOf(ctV3(x, y, z), ctQuatIdentity()));
}

static ctPose turned(double x, double y, double z, ctVec3 rotation)
{
    return ctPoseOf(ctTransformOf(ctV3(x, y, z), ctQuatExp(rotation)));
}

static ctManifold collide(const ctShape *a, ctPose pa, const ctShape *b, ctPose pb, double margin)
{
    ctManifold m;
    ctCollide(a, &pa, b, &pb, margin, NULL, NULL, &m);
    ck_assert_int_ge(m.count, 0);
    ck_assert_int_le(m.count, CT_MANIFOLD_POINTS);
    for (int i = 0; i < m.count; i++) {
        ck_assert(m.points[i].gap <= margin);
        ctAssertClose(ctDot(m.normal, ctSub(m.points[i].pointA, m.points[i].pointB)), m.points[i].gap, 1e-12);
        for (int j = 0; j < i; j++) {
            ck_assert_msg(m.points[i].id != m.points[j].id, "two points share the id %x", m.points[i].id);
        }
    }
    return m;
}

// The extent of the points of A along a direction.
static double span(const ctManifold *m, ctVec3 d)
{
    double lo = INFINITY, hi = -INFINITY;
    for (int i = 0; i < m->count; i++) {
        double h = ctDot(m->points[i].pointA, d);
        lo = fmin(lo, h);
        hi = fmax(hi, h);
    }
    return hi - lo;
}

static const ctVec3 X = {1, 0, 0}, Y = {0, 1, 0};

static void checkFlat(const ctManifold *m, int count, ctVec3 normal, double gap, double spanX, double spanY, double tol)
{
    ck_assert_int_eq(m->count, count);
    ctAssertClose(ctDistance(m->normal, normal), 0.0, 1e-15);
    for (int i = 0; i < count; i++) {
        ctAssertClose(m->points[i].gap, gap, 1e-15);
    }
    ctAssertClose(span(m, X), spanX, tol);
    ctAssertClose(span(m, Y), spanY, tol);
}

START_TEST(a_box_on_a_plane_or_a_box_has_four_corners)
{
    ctShape *box = ctShape_Box(ctV3(1, 2, 0.5), NULL), *table = ctShape_Box(ctV3(4, 4, 1), NULL);
    ctShape *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    const double gaps[3] = {0.0, 0.0078125, -0.0078125};
    for (int i = 0; i < 3; i++) {
        ctManifold m = collide(box, at(0, 0, 0.25 + gaps[i]), ground, at(0, 0, 0), 0.01);
        checkFlat(&m, 4, ctV3(0, 0, 1), gaps[i], 1, 2, 1e-3);
        m = collide(ground, at(0, 0, 0), box, at(0, 0, 0.25 + gaps[i]), 0.01);
        checkFlat(&m, 4, ctV3(0, 0, -1), gaps[i], 1, 2, 1e-3);
        m = collide(box, at(0, 0, 0.25 + gaps[i]), table, at(0, 0, -0.5), 0.01);
        checkFlat(&m, 4, ctV3(0, 0, 1), gaps[i], 1, 2, 1e-3);
        m = collide(table, at(0, 0, -0.5), box, at(0, 0, 0.25 + gaps[i]), 0.01);
        checkFlat(&m, 4, ctV3(0, 0, -1), gaps[i], 1, 2, 1e-3);
    }
    ctShape_Release(box);
    ctShape_Release(table);
    ctShape_Release(ground);
}
END_TEST

START_TEST(a_box_on_its_edge_has_two_points)
{
    ctShape *box = ctShape_Box(ctV3(1, 1, 1), NULL), *table = ctShape_Box(ctV3(4, 4, 1), NULL);
    ctShape *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    double height = sqrt(0.5);
    ctPose pose = turned(0, 0, height, ctV3(CT_PI / 4, 0, 0));
    ctManifold m = collide(box, pose, ground, at(0, 0, 0), 0.01);
    ck_assert_int_eq(m.count, 2);
    ctAssertClose(span(&m, X), 1.0, 1e-3);
    m = collide(box, pose, table, at(0, 0, -0.5), 0.01);
    ck_assert_int_eq(m.count, 2);
    ctAssertClose(span(&m, X), 1.0, 1e-3);
    ctAssertClose(ctDistance(m.normal, ctV3(0, 0, 1)), 0.0, 1e-15);
    ctShape_Release(box);
    ctShape_Release(table);
    ctShape_Release(ground);
}
END_TEST

START_TEST(a_coin_lying_flat_has_four_points_on_its_rim)
{
    double radius = 0.0125, half = 0.0009;
    ctShape *coin = ctShape_Cylinder(radius, 2 * half, NULL), *table = ctShape_Box(ctV3(1, 1, 0.1), NULL);
    ctShape *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    uint32_t ids[2][4] = {{0}};
    ctVec3 points[2][4];
    for (int k = 0; k < 50; k++) {
        ctPose pose = turned(0.01, 0.02, half, ctV3(0, 0, 0.3 * k));
        for (int j = 0; j < 2; j++) {
            ctManifold m =
                j ? collide(coin, pose, table, at(0, 0, -0.05), 1e-4) : collide(coin, pose, ground, at(0, 0, 0), 1e-4);
            checkFlat(&m, 4, ctV3(0, 0, 1), 0.0, sqrt(2) * radius, sqrt(2) * radius, 1e-4);
            for (int i = 0; i < 4; i++) {
                // A spinning coin stands on the same four places.
                if (k > 0) {
                    ck_assert_uint_eq(m.points[i].id, ids[j][i]);
                    ctAssertClose(ctDistance(m.points[i].pointA, points[j][i]), 0.0, 1e-12);
                }
                ids[j][i] = m.points[i].id;
                points[j][i] = m.points[i].pointA;
            }
        }
    }
    ctShape_Release(coin);
    ctShape_Release(table);
    ctShape_Release(ground);
}
END_TEST

START_TEST(round_bodies_on_their_sides_have_two_points)
{
    ctShape *table = ctShape_Box(ctV3(4, 4, 1), NULL), *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    ctShape *cylinder = ctShape_Cylinder(0.1, 1.0, NULL), *capsule = ctShape_Capsule(0.1, 1.0, NULL);
    ctPose lying = turned(0, 0, 0.1, ctV3(0, CT_PI / 2, 0));
    const ctShape *bodies[2] = {cylinder, capsule};
    for (int i = 0; i < 2; i++) {
        ctManifold m = collide(bodies[i], lying, ground, at(0, 0, 0), 0.001);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), 1.0, 1e-3);
        m = collide(bodies[i], lying, table, at(0, 0, -0.5), 0.001);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), 1.0, 1e-3);
        ctAssertClose(m.points[0].gap, 0.0, 1e-14);
        ctAssertClose(m.points[1].gap, 0.0, 1e-14);
        // Half over the edge of the table.
        lying.p.x = 2.0;
        m = collide(bodies[i], lying, table, at(0, 0, -0.5), 0.001);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), 0.5, 1e-3);
        lying.p.x = 0.0;
        // One beside the other, half as far along.
        ctPose beside = lying;
        beside.p.x = 0.5;
        beside.p.y = 0.2;
        m = collide(bodies[i], lying, bodies[i], beside, 0.001);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), 0.5, 1e-3);
        ctAssertClose(ctDistance(m.normal, ctNeg(Y)), 0.0, 1e-12);
    }
    ctShape_Release(table);
    ctShape_Release(ground);
    ctShape_Release(cylinder);
    ctShape_Release(capsule);
}
END_TEST

START_TEST(coins_on_coins_touch_in_a_lens)
{
    double r = 0.01, h = 0.001;
    ctShape *coin = ctShape_Cylinder(r, h, NULL);
    for (int i = 1; i < 20; i++) {
        double d = 2.0 * r * i / 20.0;
        ctManifold m = collide(coin, turned(d, 0, h, ctV3(0, 0, i)), coin, at(0, 0, 0), 1e-5);
        ck_assert_int_eq(m.count, 4);
        ctAssertClose(ctDistance(m.normal, ctV3(0, 0, 1)), 0.0, 1e-15);
        // Core rims are smaller than the coins by the rounding.
        double core = r - coin->round;
        ctAssertClose(span(&m, X), 2 * core - d, 1e-9);
        ctAssertClose(span(&m, Y), 2.0 * sqrt(core * core - 0.25 * d * d), 1e-9);
        for (int k = 0; k < 4; k++) {
            ctAssertClose(m.points[k].gap, 0.0, 1e-17);
        }
    }
    ctManifold m = collide(coin, turned(0, 0, h, ctV3(0, 0, 1)), coin, at(0, 0, 0), 1e-5);
    ck_assert_int_eq(m.count, 4);
    ctShape_Release(coin);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("manifold");
    TCase *shapes = tcase_create("shapes");
    tcase_add_test(shapes, a_box_on_a_plane_or_a_box_has_four_corners);
    tcase_add_test(shapes, a_box_on_its_edge_has_two_points);
    tcase_add_test(shapes, a_coin_lying_flat_has_four_points_on_its_rim);
    tcase_add_test(shapes, round_bodies_on_their_sides_have_two_points);
    tcase_add_test(shapes, coins_on_coins_touch_in_a_lens);
    suite_add_tcase(suite, shapes);
    return ctRunSuite(suite);
}
