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

// The direction between two points of cores in extended precision, without its part along x: of a cube at a pose the
// corner that is farthest along y, of another the one that is farthest against y.
static ctVec3 directionBetween(const ctShape *cube, const ctPose *above, const ctPose *below)
{
    const ctPose *poses[2] = {above, below};
    long double at[2][2] = {{0.0L, 0.0L}, {0.0L, 0.0L}};
    for (int k = 0; k < 2; k++) {
        ctVec3 h = cube->u.half, corner = ctZero3();
        ctMat3 rows = ctTranspose(poses[k]->r);
        double far = -INFINITY;
        for (int i = 0; i < 8; i++) {
            ctVec3 v = cube->type == ct_shapeBox ? ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z)
                                                 : cube->u.hull.vertices[i];
            double along = ctDot(rows.cy, v) * (k == 0 ? -1.0 : 1.0);
            corner = along > far + 1e-9 ? v : corner;
            far = fmax(far, along);
        }
        const ctVec3 turns[2] = {rows.cy, rows.cz};
        const double places[2] = {poses[k]->p.y, poses[k]->p.z};
        for (int i = 0; i < 2; i++) {
            at[k][i] = (long double)places[i] + (long double)turns[i].x * (long double)corner.x +
                       (long double)turns[i].y * (long double)corner.y +
                       (long double)turns[i].z * (long double)corner.z;
        }
    }
    long double y = at[0][0] - at[1][0], z = at[0][1] - at[1][1], length = sqrtl(y * y + z * z);
    return ctV3(0.0, (double)(y / length), (double)(z / length));
}

START_TEST(edge_along_edge_has_two_points)
{
    // Turned by 45 degrees, and side by side along y, shifted along x.
    ctVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = ctV3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    }
    ctShape *cubes[2] = {ctShape_Box(ctV3(1, 1, 1), NULL), ctShape_Hull(corners, 8, NULL)};
    for (int i = 0; i < 6; i++) {
        ctShape *cube = cubes[i / 3];
        double gap = 0.5 * cube->round * (i % 3 - 1), apart = sqrt(2.0) - 2.0 * (sqrt(2.0) - 1.0) * cube->round + gap;
        ctVec3 turn = ctV3(CT_PI / 4, 0, 0);
        ctPose above = turned(0.25, apart, 0, turn), below = turned(0, 0, 0, turn);
        ctManifold m = collide(cube, above, cube, below, 0.01);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), 0.75, 1e-3);
        // The last digits of the places turn the direction between the cores, by that over their distance.
        ctAssertClose(ctDistance(m.normal, directionBetween(cube, &above, &below)), 0.0, 1e-12);
        ctAssertClose(ctDistance(m.normal, ctV3(0, 1, 0)), 0.0, 4e-16 / cube->round);
        ctAssertClose(m.points[0].gap, gap, 1e-15);
        ctAssertClose(m.points[1].gap, gap, 1e-15);
    }
    ctShape_Release(cubes[0]);
    ctShape_Release(cubes[1]);
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

// Two rods of radius r, one on the other, turned against each other by an angle: at the ends of what they share, half
// a length L from the crossing, the axes have parted by y = L sin(angle) / 2, and the gap along the normal is
// 2 r - sqrt(4 r^2 - y^2). The ends open gently, and leave at the margin; the crossing stays.
START_TEST(crossing_rods_part_at_their_ends)
{
    double r = 0.1, length = 1.0, margin = 1e-3;
    ctShape *rods[2] = {ctShape_Cylinder(r, length, NULL), ctShape_Capsule(r, length, NULL)};
    for (int k = 0; k < 4; k++) {
        const ctShape *a = rods[k % 2], *b = rods[k / 2], *ca = ctShape_Against(a, b), *cb = ctShape_Against(b, a);
        double half = 0.5 * fmin(length - (a->type == ct_shapeLathe ? 2.0 * ca->round : 0.0),
                                 length - (b->type == ct_shapeLathe ? 2.0 * cb->round : 0.0)),
               last = 0.0;
        bool left = false;
        for (int i = 0; i <= 4000; i++) {
            double angle = 1e-4 * i;
            ctQuat along = ctQuatExp(ctV3(0, CT_PI / 2, 0));
            ctPose pb = ctPoseOf(ctTransformOf(ctZero3(), along));
            ctPose pa = ctPoseOf(ctTransformOf(ctV3(0, 0, 2 * r), ctMulQ(ctQuatExp(ctV3(0, 0, angle)), along)));
            ctManifold m = collide(a, pa, b, pb, margin);
            ctAssertClose(ctDistance(m.normal, ctV3(0, 0, 1)), 0.0, 1e-11);
            double least = INFINITY, most = -INFINITY;
            for (int j = 0; j < m.count; j++) {
                least = fmin(least, m.points[j].gap);
                most = fmax(most, m.points[j].gap);
                ctAssertClose(ctTestPointDistance(ca, ctInvPosePoint(&pa, m.points[j].pointA)), 0.0, 1e-12);
                ctAssertClose(ctTestPointDistance(cb, ctInvPosePoint(&pb, m.points[j].pointB)), 0.0, 1e-12);
            }
            ctAssertClose(least, 0.0, 1e-10);
            left = left || m.count == 1;
            ck_assert_int_eq(m.count, left ? 1 : most < 1e-10 ? 2 : 3);
            // Half a length along one rod or along the other.
            double y = half * sin(angle), far = half * tan(angle);
            double low = 2 * r - sqrt(4 * r * r - y * y), high = 2 * r - sqrt(4 * r * r - far * far);
            ck_assert_msg(left || (most >= low - 1e-12 && most <= high + 1e-12), "angle %g: %g, not %g to %g", angle,
                          most, low, high);
            ck_assert(left || most - last <= 3e-5);
            ck_assert(!left || low > 0.95 * margin);
            last = most;
        }
        ck_assert(left);
    }
    ctShape_Release(rods[0]);
    ctShape_Release(rods[1]);
}
END_TEST

// Rods that cross anywhere, also next to their ends, at any angle, and slip along each other: the crossing is a point,
// however little the margin is.
START_TEST(crossing_rods_have_their_crossing)
{
    ctRandom rnd = ctRandomSeed(17);
    double r = 0.05, half = 0.05;
    ctShape *rods[2] = {ctShape_Capsule(r, 2.0 * half, NULL), ctShape_Cylinder(r, 2.0 * half, NULL)};
    for (int i = 0; i < ctTestCases(10000); i++) {
        const ctShape *a = rods[i % 2], *b = rods[i / 2 % 2];
        double gap = ctRandomUniform(&rnd, -1e-4, 0.0), angle = ctRandomLog(&rnd, 1e-4, 1.5);
        double s = ctRandomUniform(&rnd, -half, half), t = half - ctRandomLog(&rnd, 1e-6, half);
        ctQuat along = ctQuatExp(ctV3(0, CT_PI / 2, 0)), turn = ctQuatExp(ctV3(0, 0, angle));
        ctPose pa = ctPoseOf(ctTransformOf(ctV3(s, 0, 0), along));
        ctVec3 middle = ctMulAdd(ctV3(0, 0, 2.0 * r + gap), t, ctRotate(turn, X));
        ctQuat lean = ctQuatExp(ctScale(ctRandomUniform(&rnd, -1e-3, 1e-3), ctV3(0, 1, 0)));
        ctPose pb = ctPoseOf(ctTransformOf(middle, ctMulQ(turn, ctMulQ(lean, along))));
        ctClosest closest;
        ctClosestPoints(a, &pa, b, &pb, NULL, &closest);
        ctManifold m;
        ctCollide(a, &pa, b, &pb, fmax(closest.distance, 0.0), NULL, NULL, &m);
        double least = INFINITY;
        for (int k = 0; k < m.count; k++) {
            least = fmin(least, m.points[k].gap);
        }
        ctRequire(m.count > 0 && least <= closest.distance + 1e-10, "case %d: %d points, %g above the distance", i,
                  m.count, least - closest.distance);
    }
    ctShape_Release(rods[0]);
    ctShape_Release(rods[1]);
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

// A coin that lies on another at a tilt of 1e-6 to 1e-3 still lies on it: a point less far apart than those of the lens
// takes the place of one of them, not of all.
START_TEST(coins_on_coins_at_a_small_tilt_keep_their_points)
{
    double radius = 0.012, half = 0.001, margin = 1e-4;
    ctShape *coin = ctShape_Cylinder(radius, 2 * half, NULL);
    for (int k = 0; k < 600; k++) {
        double tilt = pow(10.0, -6.0 + 3.0 * (k % 30) / 29.0), around = 0.7 * k, off = radius * (0.1 + 0.05 * (k % 20));
        ctPose upper = turned(off, 0, 2 * half + 0.5 * radius * tilt, ctV3(tilt * cos(around), tilt * sin(around), 0));
        ctManifold m = collide(coin, upper, coin, at(0, 0, 0), margin);
        ck_assert_msg(m.count >= 3, "tilt %g, %g beside: %d points", tilt, off, m.count);
        ctClosest closest;
        ctPose lower = at(0, 0, 0);
        ctClosestPoints(coin, &upper, coin, &lower, NULL, &closest);
        double least = INFINITY;
        for (int i = 0; i < m.count; i++) {
            least = fmin(least, m.points[i].gap);
        }
        ctAssertClose(least, closest.distance, 1e-11);
    }
    ctShape_Release(coin);
}
END_TEST

START_TEST(a_cone_on_its_side_has_two_points)
{
    double radius = 0.3, height = 0.8;
    ctShape *cone = ctShape_Cone(radius, height, NULL), *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    ctShape *table = ctShape_Box(ctV3(4, 4, 1), NULL);
    // Lying on a generator: the axis leans by the half angle, and the base's rim and the tip touch.
    double half = atan2(radius, height);
    ctPose pose = turned(0, 0, 0, ctV3(0, CT_PI / 2 + half, 0));
    ctClosest c;
    ctPose floor = at(0, 0, 0), under = at(0, 0, -0.5);
    ctClosestPoints(cone, &pose, ground, &floor, NULL, &c);
    pose.p.z -= c.distance;
    double slant = sqrt(radius * radius + height * height);
    for (int i = 0; i < 2; i++) {
        ctManifold m = i ? collide(cone, pose, table, under, 1e-4) : collide(cone, pose, ground, floor, 1e-4);
        ck_assert_int_eq(m.count, 2);
        ctAssertClose(span(&m, X), slant, 0.01 * slant);
        for (int k = 0; k < 2; k++) {
            ctAssertClose(m.points[k].gap, 0.0, 1e-13);
        }
    }
    ctShape_Release(cone);
    ctShape_Release(ground);
    ctShape_Release(table);
}
END_TEST

START_TEST(hulls_meet_in_clipped_polygons)
{
    // A box and a hexagonal prism, as hulls.
    ctVec3 corner[8], prism[12];
    for (int i = 0; i < 8; i++) {
        corner[i] = ctV3(i & 1 ? 0.5 : -0.5, i & 2 ? 1.0 : -1.0, i & 4 ? 0.25 : -0.25);
    }
    for (int i = 0; i < 12; i++) {
        prism[i] = ctV3(cos(i % 6 * CT_PI / 3), sin(i % 6 * CT_PI / 3), i < 6 ? -0.5 : 0.5);
    }
    ctShape *box = ctShape_Hull(corner, 8, NULL), *six = ctShape_Hull(prism, 12, NULL);
    ctShape *ground = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL), *table = ctShape_Box(ctV3(4, 4, 1), NULL);
    ctManifold m = collide(box, at(0, 0, 0.25), ground, at(0, 0, 0), 1e-3);
    ck_assert_int_eq(m.count, 4);
    ctAssertClose(span(&m, X), 1.0, 1e-3);
    ctAssertClose(span(&m, Y), 2.0, 1e-3);
    m = collide(box, at(0, 0, 0.25), table, at(0, 0, -0.5), 1e-3);
    ck_assert_int_eq(m.count, 4);
    ctAssertClose(ctDistance(m.normal, ctV3(0, 0, 1)), 0.0, 1e-14);
    ctAssertClose(span(&m, X), 1.0, 1e-3);
    ctAssertClose(span(&m, Y), 2.0, 1e-3);
    m = collide(six, at(0, 0, 0.5), table, at(0, 0, -0.5), 1e-3);
    ck_assert_int_eq(m.count, 4);
    ctAssertClose(span(&m, Y), sqrt(3.0), 1e-3);
    // Half over the prism's side: the common area is clipped at x = 0.5 .. 1 or so.
    m = collide(box, at(0.8, 0, 0.75), six, at(0, 0, 0), 1e-3);
    ck_assert_int_eq(m.count, 4);
    for (int i = 0; i < 4; i++) {
        ctAssertClose(m.points[i].gap, 0.0, 1e-14);
        ctVec3 p = m.points[i].pointA;
        ck_assert(p.x >= 0.3 - 1e-3 && p.x <= 1.0 + 1e-3 && fabs(p.y) <= sqrt(3.0) / 2.0 + 1e-3);
    }
    ctShape_Release(box);
    ctShape_Release(six);
    ctShape_Release(ground);
    ctShape_Release(table);
}
END_TEST

START_TEST(a_coin_over_the_edge_of_a_table_is_clipped)
{
    double r = 0.01, h = 0.002;
    ctShape *coin = ctShape_Cylinder(r, h, NULL), *table = ctShape_Box(ctV3(1, 1, 1), NULL);
    for (int i = 0; i < 9; i++) {
        // The centre is inside the edge by d: points reach no farther than the edge, and span the rest.
        double d = r * (0.9 - 0.2 * i);
        ctManifold m = collide(coin, turned(0.5 - d, 0, 0.5 + 0.5 * h, ctV3(0, 0, i)), table, at(0, 0, 0), 1e-5);
        ck_assert_int_ge(m.count, 3);
        double most = -INFINITY, left = INFINITY;
        for (int k = 0; k < m.count; k++) {
            most = fmax(most, m.points[k].pointA.x);
            left = fmin(left, m.points[k].pointA.x);
            ctAssertClose(m.points[k].gap, 0.0, 1e-15);
        }
        ck_assert(most <= 0.5 + 1e-4 * r && most >= fmin(0.5, 0.5 - d + 0.7 * r) - 1.5e-4);
        ck_assert(left <= 0.5 - d - 0.7 * r + 1e-4);
    }
    ctShape_Release(coin);
    ctShape_Release(table);
}
END_TEST

// Where one hangs over the edge of the other, too, the points of both bodies are on one line along the normal: else
// they would ask for speeds that no rigid body has as soon as the two turn together.
START_TEST(points_face_each_other)
{
    ctVec3 corners[8];
    for (int i = 0; i < 8; i++) {
        corners[i] = ctV3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    }
    ctShape *cubes[3] = {ctShape_Box(ctV3(1, 1, 1), NULL), ctShape_Hull(corners, 8, NULL),
                         ctShape_Box(ctV3(1.5, 0.3, 1), NULL)};
    ctRandom r = ctRandomSeed(77);
    for (int i = 0; i < ctTestCases(3000); i++) {
        const ctShape *above = cubes[i % 3], *below = cubes[i / 3 % 3];
        double tilt = i & 1 ? ctRandomLog(&r, 1e-12, 1e-4) : 0.0;
        ctQuat q = ctMulQ(ctQuatExp(ctScale(tilt, ctRandomUnit(&r))),
                          ctQuatExp(ctV3(0, 0, i & 2 ? ctRandomUniform(&r, 0, 6.28) : 0.0)));
        double x = ctRandomUniform(&r, -0.5, 0.5), y = i & 4 ? ctRandomUniform(&r, -0.2, 0.2) : 0.0;
        ctManifold m = collide(above, ctPoseOf(ctTransformOf(ctV3(x, y, 1.0), q)), below, at(0, 0, 0), 1e-3);
        ck_assert_int_ge(m.count, 3);
        for (int k = 0; k < m.count; k++) {
            ctVec3 between = ctSub(m.points[k].pointA, m.points[k].pointB);
            double across = ctLength(ctMulAdd(between, -m.points[k].gap, m.normal));
            ck_assert_msg(across <= 1e-9, "apart across the normal by %g in case %d", across, i);
        }
    }
    for (int i = 0; i < 3; i++) {
        ctShape_Release(cubes[i]);
    }
}
END_TEST

// A coin that wobbles: from flat to steep the lowest point is always among the points, with its exact height.
START_TEST(a_wobbling_coin_keeps_its_lowest_point)
{
    double r = 0.0125, h = 0.0018;
    ctShape *coin = ctShape_Cylinder(r, h, NULL), *table = ctShape_Box(ctV3(1, 1, 1), NULL);
    ctShape *ground = ctShape_Plane(ctV3(0, 0, 1), 0.5, NULL);
    ctRandom rnd = ctRandomSeed(3);
    for (int i = 0; i < ctTestCases(2000); i++) {
        double tilt = ctRandomLog(&rnd, 1e-9, 1.0), azimuth = ctRandomUniform(&rnd, 0, 6.28);
        ctQuat q = ctMulQ(ctQuatExp(ctScale(tilt, ctV3(cos(azimuth), sin(azimuth), 0))),
                          ctQuatExp(ctV3(0, 0, ctRandomUniform(&rnd, 0, 6.28))));
        ctPose pose = ctPoseOf(ctTransformOf(ctV3(0.01, 0.02, 0.5), q));
        for (int k = 0; k < 2; k++) {
            ctShape *other = k ? table : ground;
            pose.p.z = 0.5 + ctTestReach(ctShape_Against(coin, other), ctNeg(ctMulTMV(pose.r, ctV3(0, 0, 1))));
            ctManifold m = collide(coin, pose, other, at(0, 0, 0), 1e-5); // touching exactly
            ck_assert_int_ge(m.count, 1);
            double least = INFINITY;
            for (int j = 0; j < m.count; j++) {
                least = fmin(least, m.points[j].gap);
            }
            // The lowest point of an almost flat coin may be one of four others, higher by 1e-7 of the coin.
            ctAssertClose(least, 0.0, 1e-8);
            ctAssertClose(ctDistance(m.normal, ctV3(0, 0, 1)), 0.0, 1e-12);
            if (tilt * r > 2e-4) {
                ck_assert_int_le(m.count, 2);
            }
        }
    }
    ctShape_Release(coin);
    ctShape_Release(table);
    ctShape_Release(ground);
}
END_TEST

// Two boxes that lie askew on each other, tilted a little, touch where two edges cross; the corners around are among
// the points.
START_TEST(boxes_that_cross_at_edges_have_the_corners_around)
{
    ctShape *box = ctShape_Box(ctV3(1, 1, 1), NULL);
    ctRandom r = ctRandomSeed(71);
    int crossings = 0;
    for (int i = 0; i < ctTestCases(2000); i++) {
        ctQuat askew = ctQuatExp(ctV3(0, 0, ctRandomUniform(&r, 0.2, 1.4)));
        ctVec3 tilt = ctScale(ctRandomUniform(&r, 0.02, 0.08), ctRandomUnit(&r));
        ctTransform above = ctTransformOf(ctV3(ctRandomUniform(&r, -0.2, 0.2), ctRandomUniform(&r, -0.2, 0.2), 1.0),
                                          ctMulQ(ctQuatExp(tilt), askew));
        ctPose pa = ctPoseOf(above), pb = at(0, 0, 0);
        ctClosest c;
        ctClosestPoints(box, &pa, box, &pb, NULL, &c);
        ctManifold m = collide(box, pa, box, pb, 0.3);
        double least = INFINITY;
        for (int k = 0; k < m.count; k++) {
            least = fmin(least, m.points[k].gap);
        }
        ctAssertClose(least, c.distance, 0.004);
        if (1.0 - m.normal.z > 1e-9 && 1.0 - ctDot(m.normal, pa.r.cz) > 1e-9) {
            crossings++;
            ck_assert_int_eq(m.count, 4);
            ck_assert_msg(span(&m, X) > 0.5 && span(&m, Y) > 0.5, "spans %g and %g", span(&m, X), span(&m, Y));
            ctAssertClose(least, c.distance, 1e-9);
        }
    }
    ck_assert_int_ge(crossings, ctTestCases(200));
    ctShape_Release(box);
}
END_TEST

// What holds for every pair: points on both surfaces, gaps along the normal, and the closest points among
// them.
START_TEST(every_pair_has_sound_points)
{
    static const ctShapeType types[6] = {ct_shapeSphere, ct_shapeCapsule,   ct_shapeBox,
                                         ct_shapeLathe,  ct_shapeEllipsoid, ct_shapeHull};
    ctRandom r = ctRandomSeed(500 + (uint64_t)_i);
    for (int i = 0; i < ctTestCases(60); i++) {
        ctShape *a = ctTestShape(&r, types[_i / 6], 1.0),
                *b = ctTestShape(&r, types[_i % 6], ctRandomLog(&r, 0.3, 3.0));
        for (int k = 0; k < 10; k++) {
            ctTransform xa = ctTransformOf(ctZero3(), ctRandomQuat(&r));
            ctTransform xb = ctTransformOf(ctScale(2.0, ctRandomUnit(&r)), ctRandomQuat(&r));
            xb.q = k < 3 ? xa.q : xb.q;
            if (k == 2) {
                xb.q = ctMulQ(xa.q, ctQuatExp(ctScale(ctRandomLog(&r, 1e-6, 1e-2), ctRandomUnit(&r))));
            }
            xb.p = k == 1 ? ctRotate(xa.q, ctV3(0.1, 0, 3)) : xb.p;
            ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
            ctClosest c;
            ctClosestPoints(a, &pa, b, &pb, NULL, &c);
            double gap = ctRandomUniform(&r, -1e-3, 1e-3), margin = 0.02;
            pb.p = ctMulAdd(pb.p, c.distance - gap, c.normal);
            ctClosestPoints(a, &pa, b, &pb, NULL, &c);
            ctManifold m = collide(a, pa, b, pb, margin), far = collide(a, pa, b, pb, c.distance - 1e-3);
            ck_assert_int_eq(far.count, 0);
            ck_assert_int_ge(m.count, 1);
            double least = INFINITY;
            for (int j = 0; j < m.count; j++) {
                const ctManifoldPoint *p = &m.points[j];
                least = fmin(least, p->gap);
                // Inside is no error: a face seen at an angle is measured along the normal.
                double offA = ctTestPointDistance(ctShape_Against(a, b), ctInvPosePoint(&pa, p->pointA));
                double offB = ctTestPointDistance(ctShape_Against(b, a), ctInvPosePoint(&pb, p->pointB));
                ck_assert_msg(fabs(offA) <= 1e-9 && fabs(offB) <= 1e-9, "off by %g and %g", offA, offB);
            }
            // Boxes may use the normal of one face where that of the other is hardly better (1e-5 of its half side).
            bool boxes = a->type == ct_shapeBox && b->type == ct_shapeBox;
            double room = boxes ? 2e-5 * fmax(ctMaxElement(a->hi), ctMaxElement(b->hi)) + 1e-9 : 1e-9;
            ctAssertClose(least, c.distance, room);
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

// Small motions keep ids: a solver finds each point's impulse of the step before.
static int changedIds(const ctShape *a, ctTransform xa, const ctShape *b, ctTransform xb, ctVec3 spin, ctVec3 drift)
{
    uint32_t last[4] = {0};
    int count = -1, changes = 0;
    for (int k = 0; k < 200; k++) {
        ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
        ctManifold m = collide(a, pa, b, pb, 2e-3);
        bool same = m.count == count;
        for (int i = 0; same && i < m.count; i++) {
            bool found = false;
            for (int j = 0; j < count; j++) {
                found = found || last[j] == m.points[i].id;
            }
            same = found;
        }
        changes += k > 0 && !same;
        count = m.count;
        for (int i = 0; i < count; i++) {
            last[i] = m.points[i].id;
        }
        xa.q = ctNormalizeQ(ctMulQ(ctQuatExp(spin), xa.q));
        xa.p = ctAdd(xa.p, drift);
    }
    return changes;
}

START_TEST(ids_stay_while_bodies_move_a_little)
{
    ctShape *box = ctShape_Box(ctV3(1, 1, 1), NULL), *coin = ctShape_Cylinder(0.5, 0.1, NULL);
    ctShape *rod = ctShape_Cylinder(0.1, 1.0, NULL), *table = ctShape_Box(ctV3(4, 4, 1), NULL);
    ctTransform under = ctTransformOf(ctV3(0, 0, -0.5), ctQuatIdentity());
    ctRandom r = ctRandomSeed(12);
    for (int i = 0; i < ctTestCases(100); i++) {
        // Rocking by rounding errors and more, a box squarely on a box of its own size.
        ctVec3 tiny = ctScale(ctRandomLog(&r, 1e-16, 1e-8), ctRandomUnit(&r));
        ctTransform square = ctTransformOf(ctV3(0, 0, 0.5), ctQuatIdentity());
        ck_assert_int_eq(changedIds(box, square, box, under, tiny, ctScale(0.1, tiny)), 0);
        // Askew: turned and offset by any amount, with a slow slide and turn.
        ctTransform askew = ctTransformOf(ctV3(ctRandomUniform(&r, -0.4, 0.4), ctRandomUniform(&r, -0.4, 0.4), 0.5),
                                          ctQuatExp(ctV3(0, 0, ctRandomUniform(&r, 0, 6))));
        ck_assert_int_le(changedIds(box, askew, box, under, ctV3(0, 0, 1e-5), ctV3(1e-6, -1e-6, 0)), 2);
        ck_assert_int_eq(changedIds(box, askew, table, under, ctV3(1e-7, 2e-7, 1e-4), ctV3(1e-5, 0, 0)), 0);
        // A coin that spins, and slides.
        ctTransform flat = ctTransformOf(ctV3(askew.p.x, askew.p.y, 0.05), askew.q);
        ck_assert_int_eq(changedIds(coin, flat, table, under, ctV3(0, 0, 0.3), ctV3(1e-4, 0, 0)), 0);
        // A rod on its side that rolls.
        ctTransform lying = ctTransformOf(ctV3(0, 0, 0.1), ctQuatExp(ctV3(0, CT_PI / 2, 0)));
        ck_assert_int_eq(changedIds(rod, lying, table, under, ctV3(0.1, 0, 0), ctV3(0, 1e-3, 0)), 0);
    }
    ctShape_Release(box);
    ctShape_Release(coin);
    ctShape_Release(rod);
    ctShape_Release(table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("manifold");
    TCase *shapes = tcase_create("shapes");
    tcase_add_test(shapes, a_box_on_a_plane_or_a_box_has_four_corners);
    tcase_add_test(shapes, a_box_on_its_edge_has_two_points);
    tcase_add_test(shapes, edge_along_edge_has_two_points);
    tcase_add_test(shapes, a_coin_lying_flat_has_four_points_on_its_rim);
    tcase_add_test(shapes, round_bodies_on_their_sides_have_two_points);
    tcase_add_test(shapes, crossing_rods_part_at_their_ends);
    tcase_add_test(shapes, crossing_rods_have_their_crossing);
    tcase_add_test(shapes, coins_on_coins_touch_in_a_lens);
    tcase_add_test(shapes, coins_on_coins_at_a_small_tilt_keep_their_points);
    tcase_add_test(shapes, a_cone_on_its_side_has_two_points);
    tcase_add_test(shapes, hulls_meet_in_clipped_polygons);
    tcase_add_test(shapes, a_coin_over_the_edge_of_a_table_is_clipped);
    tcase_add_test(shapes, points_face_each_other);
    tcase_add_test(shapes, a_wobbling_coin_keeps_its_lowest_point);
    tcase_add_test(shapes, boxes_that_cross_at_edges_have_the_corners_around);
    tcase_add_loop_test(shapes, every_pair_has_sound_points, 0, 36);
    tcase_add_test(shapes, ids_stay_while_bodies_move_a_little);
    tcase_set_timeout(shapes, 120);
    suite_add_tcase(suite, shapes);
    return ctRunSuite(suite);
}
