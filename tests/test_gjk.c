// Closest points against proofs, closed forms, brute force and other libraries.
//
// The strongest check needs no second algorithm: a direction along which the shapes' reaches leave a gap
// of d proves that they are no nearer than d, and two points on them that are d apart prove that they are
// no farther. Both sides are computed by slow code of the test's own (tests/support/convex.h).
#include "collision/gjk.h"
#include "tests/peers/peers.h"
#include "tests/support/convex.h"
#include "tests/support/features.h"
#include "tests/support/nearest.h"
#include "tests/support/suite.h"

#include <string.h>

static const ctShapeType TYPES[6] = {ct_shapeSphere, ct_shapeCapsule,   ct_shapeBox,
                                     ct_shapeLathe,  ct_shapeEllipsoid, ct_shapeHull};

// The gap between the two along n, by their reaches.
static double separation(const ctShape *givenA, const ctPose *pa, const ctShape *givenB, const ctPose *pb, ctVec3 n)
{
    const ctShape *a = ctShape_Against(givenA, givenB), *b = ctShape_Against(givenB, givenA);
    return ctDot(n, ctSub(pa->p, pb->p)) - ctTestReach(a, ctNeg(ctMulTMV(pa->r, n))) -
           ctTestReach(b, ctMulTMV(pb->r, n));
}

// In plain comparisons: Check writes a record for every assertion, which would take most of the time.
static void checkBounds(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, const ctClosest *c,
                        double tol, bool checkPoints)
{
    double unit = fabs(ctLength(c->normal) - 1.0), proof = fabs(separation(a, pa, b, pb, c->normal) - c->distance);
    double points = ctDistance(c->pointA, ctMulAdd(c->pointB, c->distance, c->normal)), outside = 0.0;
    if (checkPoints && c->state != ct_overlapping) {
        outside = fmax(ctTestPointDistance(ctShape_Against(a, b), ctInvPosePoint(pa, c->pointA)),
                       ctTestPointDistance(ctShape_Against(b, a), ctInvPosePoint(pb, c->pointB)));
    }
    if (!(unit <= 1e-14 && proof <= tol && points <= tol && outside <= tol) ||
        (c->state == ct_apart) != (c->distance > 0.0)) {
        ck_abort_msg("state %d distance %.17g: normal's length off by %g, bound by %g, points by %g, off the surfaces "
                     "by %g, tolerance %g",
                     (int)c->state, c->distance, unit, proof, points, outside, tol);
    }
}

static void checkProof(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, const ctClosest *c,
                       double tol)
{
    checkBounds(a, pa, b, pb, c, tol, true);
}

static ctClosest query(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb)
{
    ctClosest c;
    ctClosestPoints(a, pa, b, pb, NULL, &c);
    return c;
}

static ctPose at(double x, double y, double z)
{
    return ctPoseOf(ctTransformOf(ctV3(x, y, z), ctQuatIdentity()));
}

// ---- proofs over random pairs ------------------------------------------------------------------

START_TEST(every_pair_of_types_is_proved)
{
    ctShapeType ta = TYPES[_i / 6], tb = TYPES[_i % 6];
    ctRandom r = ctRandomSeed(100 + (uint64_t)_i);
    for (int i = 0; i < ctTestCases(140); i++) {
        double sa = 1.0, sb = ctRandomLog(&r, 0.2, 5.0);
        ctShape *a = ctTestShape(&r, ta, sa), *b = ctTestShape(&r, tb, sb);
        for (int k = 0; k < 200; k++) {
            ctTransform xa = ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)), xb = xa;
            double apart = (sa + sb) * ctRandomUniform(&r, 0.3, 0.9);
            xb.p = ctMulAdd(xa.p, apart, k % 10 == 0 ? ctRotate(xa.q, ctV3(0, 0, 1)) : ctRandomUnit(&r));
            xb.q = k % 5 == 0 ? xa.q : ctRandomQuat(&r);
            ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
            ctClosest c = query(a, &pa, b, &pb);
            // Whether a point is on a hull is expensive to ask.
            bool cheap = ta != ct_shapeHull && tb != ct_shapeHull;
            checkBounds(a, &pa, b, &pb, &c, 1e-11 * (sa + sb), cheap || k % 8 == 0);
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

// Sizes from 0.1 mm to 1 km, ratios up to 1e5, 10 km from the origin, parallel and almost parallel,
// touching exactly and almost: the same proof, to 1e-10 of the size; and a start from the last answer
// finds the same one.
static ctTransform hardPose(ctRandom *r, int kind, const ctTransform *xa, double size, double sb)
{
    ctTransform xb = *xa;
    xb.p = ctMulAdd(xa->p, size * ctRandomUniform(r, 0.3, 0.9), ctRandomUnit(r));
    switch (kind) {
    case 0: // the same orientation, above, a little aside
        xb.p = ctTransformPoint(*xa, ctV3(0.1 * sb * ctRandomNormal(r), 0, 0.6 * size));
        break;
    case 1: // turned about the common axis
        xb.q = ctMulQ(xa->q, ctQuatExp(ctV3(0, 0, ctRandomUniform(r, 0, 6))));
        xb.p = ctTransformPoint(*xa, ctV3(0, 0, 0.6 * size));
        break;
    case 2: // a quarter turn
        xb.q = ctMulQ(xa->q, ctQuatExp(ctV3(CT_PI / 2, 0, 0)));
        break;
    case 3: // almost parallel
        xb.q = ctMulQ(xa->q, ctQuatExp(ctScale(ctRandomLog(r, 1e-12, 1e-2), ctRandomUnit(r))));
        xb.p = ctTransformPoint(*xa, ctV3(0, 0, 0.6 * size));
        break;
    case 4: // the same orientation
        break;
    default:
        xb.q = ctRandomQuat(r);
        break;
    }
    return xb;
}

START_TEST(hard_pairs_are_proved)
{
    ctShapeType ta = TYPES[_i / 6], tb = TYPES[_i % 6];
    ctRandom r = ctRandomSeed(200 + (uint64_t)_i);
    for (int i = 0; i < ctTestCases(200); i++) {
        double sa = ctRandomLog(&r, 1e-4, 1e3), sb = i % 2 ? sa : fmax(1e-4, sa * ctRandomLog(&r, 1e-5, 1.0));
        ctShape *a = ctTestShape(&r, ta, sa);
        ctShape *b = ta == tb && i % 4 == 1 ? ctShape_Retain(a) : ctTestShape(&r, tb, sb);
        double far = i % 3 == 0 ? 1e4 : 1.0, size = sa + sb;
        ctGjkCache cache;
        memset(&cache, 0, sizeof cache);
        for (int k = 0; k < 8; k++) {
            ctTransform xa = ctTransformOf(ctRandomVec3(&r, -far, far), ctRandomQuat(&r));
            ctTransform xb = hardPose(&r, k, &xa, size, sb);
            double gap = k == 7 || k == 4 ? 0.0 : size * ctRandomLog(&r, 1e-12, 0.1);
            ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
            ctClosest c = query(a, &pa, b, &pb);
            for (int j = 0; j < 3; j++) {
                xb.p = ctMulAdd(xb.p, c.distance - gap, c.normal);
                pb = ctPoseOf(xb);
                c = query(a, &pa, b, &pb);
            }
            double tol = 1e-10 * size + 4e-15 * far; // the world's own rounding
            checkProof(a, &pa, b, &pb, &c, tol);
            ctClosest warm;
            ctClosestPoints(a, &pa, b, &pb, &cache, &warm);
            checkProof(a, &pa, b, &pb, &warm, tol);
            if (!(fabs(warm.distance - c.distance) <= tol)) {
                ck_abort_msg("warm %.17g, cold %.17g", warm.distance, c.distance);
            }
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

// Normals at contact, against closest points in extended precision: gaps of 0, 1e-9, 1e-6 and 1e-3 of the smaller
// size, asked anew and going on from an answer a little before, turned anyhow and almost parallel. Where closest points
// are not unique (faces or edges parallel to a part in 1e6, which is what a gain of 1e6 means) the oracle has no
// answer, and normals have only the proofs above.
START_TEST(normals_at_contact_are_right)
{
    static const double gaps[4] = {0.0, 1e-9, 1e-6, 1e-3};
    ctShapeType ta = TYPES[_i / 6], tb = TYPES[_i % 6];
    ctRandom r = ctRandomSeed(700 + (uint64_t)_i);
    int asked = 0, answered = 0, shapes = ta == ct_shapeHull && tb == ct_shapeHull ? 6 : 16;
    for (int i = 0; i < ctTestCases(shapes); i++) {
        ctShape *a = ctTestShape(&r, ta, 1.0), *b = ctTestShape(&r, tb, i % 2 ? 1.0 : ctRandomLog(&r, 1e-3, 1e3));
        double size = fmin(a->size, b->size);
        for (int k = 0; k < 8; k++) {
            ctTransform xa = ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r));
            ctTransform xb = hardPose(&r, k < 5 ? 7 : 3, &xa, 2.0 * (a->size + b->size), b->size);
            ctPose pa = ctPoseOf(xa), pb = ctPoseOf(xb);
            ctClosest c = query(a, &pa, b, &pb), warm;
            for (int j = 0; j < 4; j++) {
                pb.p = ctMulAdd(pb.p, c.distance - gaps[k % 4] * size, c.normal);
                c = query(a, &pa, b, &pb);
            }
            ctGjkCache cache;
            memset(&cache, 0, sizeof cache);
            ctPose before = pb;
            before.p = ctMulAdd(pb.p, -1e-3 * size, c.normal);
            ctClosestPoints(a, &pa, b, &before, &cache, &warm);
            ctClosestPoints(a, &pa, b, &pb, &cache, &warm);
            ctTestNearest right;
            asked++;
            if (!ctTestFindNearest(ctShape_Against(a, b), &pa, ctShape_Against(b, a), &pb,
                                   ctMulAdd(c.pointB, -ctShape_Against(b, a)->round, c.normal), &right) ||
                right.gain > 1e6) {
                continue;
            }
            answered++;
            double cold = ctDistance(c.normal, right.normal), kept = ctDistance(warm.normal, right.normal);
            double far = fmax(fabs(c.distance - right.distance), fabs(warm.distance - right.distance));
            if (!(cold <= 1e-9 && kept <= 1e-9 && far <= 1e-14 * (a->size + b->size))) {
                ck_abort_msg("gap %g: normals off by %g and %g rad, distances by %g", c.distance, cold, kept, far);
            }
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
    ck_assert_int_ge(answered, asked * 7 / 10);
}
END_TEST

// ---- closed forms ------------------------------------------------------------------------------

START_TEST(balls_over_flat_faces_are_exact)
{
    ctShape *ball = ctShape_Sphere(0.25, NULL), *box = ctShape_Box(ctV3(2, 2, 1), NULL);
    ctShape *coin = ctShape_Cylinder(1.0, 1.0, NULL), *ground = ctShape_Plane(ctV3(0, 0, 1), 0.5, NULL);
    ctRandom r = ctRandomSeed(1);
    const ctShape *solids[3] = {box, coin, ground};
    for (int i = 0; i < ctTestCases(1000); i++) {
        // Heights that are exact in binary: the answer has no rounding at all. Coins and boxes have a core
        // whose faces are rounded to the last bit once.
        double gap = ctRandomInt(&r, 1, 1 << 20) * 0x1p-20;
        for (int k = 0; k < 3; k++) {
            ctTransform turn = ctTransformOf(ctZero3(), k == 2 ? ctQuatIdentity() : ctRandomQuat(&r));
            ctPose pose = ctPoseOf(turn);
            ctVec3 above = ctV3(ctRandomUniform(&r, -0.6, 0.6), ctRandomUniform(&r, -0.6, 0.6), 0.75 + gap);
            ctPose center = ctPoseOf(turn);
            center.p = ctPosePoint(&pose, above);
            ctClosest c = query(ball, &center, solids[k], &pose), d = query(solids[k], &pose, ball, &center);
            ck_assert(c.normal.x == pose.r.cz.x && c.normal.y == pose.r.cz.y && c.normal.z == pose.r.cz.z);
            ck_assert(d.normal.x == -pose.r.cz.x && d.normal.y == -pose.r.cz.y && d.normal.z == -pose.r.cz.z);
            ctAssertClose(c.distance, gap, k == 2 ? 0.0 : 4e-15); // the ball's place is rounded

            ctAssertClose(d.distance, gap, k == 2 ? 0.0 : 4e-15);
            ck_assert_int_eq(c.featureB, ct_featureFace);
            ck_assert_int_eq(c.state, ct_apart);
        }
    }
    ctShape_Release(ball);
    ctShape_Release(box);
    ctShape_Release(coin);
    ctShape_Release(ground);
}
END_TEST

START_TEST(boxes_on_boxes_are_exact)
{
    ctShape *box = ctShape_Box(ctV3(1, 1, 1), NULL);
    for (int i = -8; i <= 8; i++) {
        ctPose pa = at(0.0625 * i, 0, 1.25), pb = at(0, 0, 0);
        ctClosest c = query(box, &pa, box, &pb);
        ck_assert(c.normal.x == 0.0 && c.normal.y == 0.0 && c.normal.z == 1.0);
        ctAssertClose(c.distance, 0.25, 1e-16);
        ck_assert_int_eq(c.featureB, ct_featureFace);
        pa.p.z = 1.0;
        c = query(box, &pa, box, &pb);
        ck_assert(c.normal.z == 1.0);
        ctAssertClose(c.distance, 0.0, 1e-16);
    }
    ctShape_Release(box);
}
END_TEST

START_TEST(features_are_named)
{
    ctShape *box = ctShape_Box(ctV3(1, 1, 1), NULL), *ball = ctShape_Sphere(0.5, NULL);
    ctPose pb = at(0, 0, 0), pa = at(0, 0, 2);
    ck_assert_int_eq(query(ball, &pa, box, &pb).featureB, ct_featureFace);
    pa = at(0, 2, 2);
    ck_assert_int_eq(query(ball, &pa, box, &pb).featureB, ct_featureEdge);
    pa = at(2, 2, 2);
    ck_assert_int_eq(query(ball, &pa, box, &pb).featureB, ct_featureVertex);
    ck_assert_int_eq(query(ball, &pa, box, &pb).featureA, ct_featureSmooth);
    pa = ctPoseOf(ctTransformOf(ctV3(0, 0, 2), ctQuatExp(ctV3(0.3, 0.2, 0.1))));
    ctClosest c = query(box, &pa, box, &pb);
    ck_assert_int_eq(c.featureA, ct_featureVertex);
    ck_assert_int_eq(c.featureB, ct_featureFace);
    pa = ctPoseOf(ctTransformOf(ctV3(0, 0, 2), ctQuatExp(ctV3(0.3, 0, 0))));
    c = query(box, &pa, box, &pb);
    ck_assert_int_ne(c.featureA, ct_featureFace);
    ck_assert_int_eq(c.featureB, ct_featureFace);
    // Edge across edge.
    pa = ctPoseOf(ctTransformOf(ctV3(0, 0, 2), ctQuatExp(ctV3(CT_PI / 4, 0, 0))));
    pb = ctPoseOf(ctTransformOf(ctV3(0, 0, 0), ctQuatExp(ctV3(0, CT_PI / 4, 0))));
    c = query(box, &pa, box, &pb);
    ck_assert_int_eq(c.featureA, ct_featureEdge);
    ck_assert_int_eq(c.featureB, ct_featureEdge);
    ctAssertClose(ctDistance(c.normal, ctV3(0, 0, 1)), 0.0, 1e-12);
    ctShape_Release(box);
    ctShape_Release(ball);
}
END_TEST

START_TEST(planes_take_one_support_point)
{
    ctRandom r = ctRandomSeed(4);
    for (int i = 0; i < ctTestCases(3000); i++) {
        ctVec3 up = ctRandomUnit(&r);
        double offset = ctRandomUniform(&r, -1, 1);
        ctShape *plane = ctShape_Plane(up, offset, NULL), *a = ctTestShape(&r, TYPES[i % 6], 1.0);
        ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctPose pp = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctVec3 world = ctMulMV(pp.r, plane->u.plane.normal);
        double reach = ctTestReach(ctShape_Against(a, plane), ctNeg(ctMulTMV(pa.r, world)));
        double height = ctDot(world, ctSub(pa.p, pp.p)) - offset - reach;
        ctClosest c = query(a, &pa, plane, &pp), d = query(plane, &pp, a, &pa);
        ctAssertClose(c.distance, height, 1e-14);
        ctAssertClose(d.distance, height, 1e-14);
        ctAssertClose(ctDistance(c.normal, world), 0.0, 0.0);
        ctAssertClose(ctDistance(d.normal, ctNeg(world)), 0.0, 0.0);
        ctAssertClose(ctDistance(c.pointA, ctMulAdd(c.pointB, c.distance, c.normal)), 0.0, 1e-14);
        ctAssertClose(ctDot(world, ctSub(c.pointB, pp.p)), offset, 1e-14);
        ctShape_Release(plane);
        ctShape_Release(a);
    }
}
END_TEST

// ---- brute force and peers ---------------------------------------------------------------------

// The suite takes some thousands; bench_gjk compares 10^6 pairs of simpler polyhedra in the same way.
START_TEST(polyhedra_agree_with_brute_force)
{
    ctRandom r = ctRandomSeed(6);
    int compared = 0;
    for (int i = 0; i < ctTestCases(250); i++) {
        ctShape *a = ctTestShape(&r, i % 3 ? ct_shapeHull : ct_shapeBox, 1.0);
        ctShape *b = ctTestShape(&r, i % 2 ? ct_shapeHull : ct_shapeBox, 1.0);
        for (int k = 0; k < 16; k++) {
            ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
            ctPose pb = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
            ctClosest c = query(a, &pa, b, &pb);
            if (c.state != ct_overlapping) {
                ctAssertClose(c.distance, ctTestFeatureDistance(a, &pa, b, &pb), 1e-14);
                compared++;
            }
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
    ck_assert_int_gt(compared, ctTestCases(2000));
}
END_TEST

// Bullet's distance is that of two points of the bodies, so that it cannot be less than the least, but for rounding;
// for boxes, balls and capsules it is the least. Among the vertices of hulls that lie close together it may stop early.
static void checkBullet(const ctBulletShape *ba, const ctPose *pa, const ctBulletShape *bb, const ctPose *pb,
                        double core, bool hulls)
{
    ctVec3 axis = ctZero3();
    double more = ctBullet_Distance(ba, pa, bb, pb, &axis) - core;
    if (!(more >= -1e-14 && more <= (hulls ? 2e-6 : 1e-14))) {
        ck_abort_msg("Bullet finds a distance that is more by %g", more);
    }
}

// libccd has no distances, but knows whether cores meet, to 1e-6 or so: they do not when one is moved by a little less
// than the distance, and boxes do when it is moved by a little more. Of overlaps it finds the depth, which is the
// least.
static void checkCcd(const ctShape *a, ctTransform ta, const ctShape *b, const ctTransform *tb, const ctClosest *c)
{
    double core = c->distance + a->round + b->round;
    if (fabs(core) > 1e-6) {
        ck_assert_int_eq(ctCcd_Meet(a, &ta, b, tb), core < 0.0);
    }
    if (core > 1e-3) {
        ctTransform moved = ta;
        moved.p = ctMulAdd(ta.p, 4e-6 - core, c->normal);
        ck_assert(!ctCcd_Meet(a, &moved, b, tb));
        moved.p = ctMulAdd(ta.p, -4e-6 - core, c->normal);
        ck_assert(a->type != ct_shapeBox || b->type != ct_shapeBox || ctCcd_Meet(a, &moved, b, tb));
    } else if (core < -1e-3) {
        double depth = ctCcd_Depth(a, &ta, b, tb);
        ck_assert_msg(depth <= -core * (1.0 + 1e-12) && depth >= -0.98 * core,
                      "libccd finds a depth of %.17g, not %.17g", depth, -core);
    }
}

START_TEST(peers_agree)
{
    const ctShapeType types[4] = {ct_shapeSphere, ct_shapeCapsule, ct_shapeBox, ct_shapeHull};
    ctRandom r = ctRandomSeed(7);
    int met = 0;
    for (int i = 0; i < ctTestCases(1600); i++) {
        ctShape *givenA = ctTestShape(&r, types[i % 4], 1.0), *givenB = ctTestShape(&r, types[i / 4 % 4], 1.0);
        const ctShape *a = ctShape_Against(givenA, givenB), *b = ctShape_Against(givenB, givenA);
        ctBulletShape *ba = ctBullet_Create(a), *bb = ctBullet_Create(b);
        for (int k = 0; k < 5; k++) {
            ctTransform ta = ctTransformOf(ctRandomVec3(&r, -0.7, 0.7), ctRandomQuat(&r));
            ctTransform tb = ctTransformOf(ctRandomVec3(&r, -0.7, 0.7), ctRandomQuat(&r));
            ctPose pa = ctPoseOf(ta), pb = ctPoseOf(tb);
            ctClosest c = query(a, &pa, b, &pb);
            double core = c.distance + a->round + b->round;
            checkCcd(a, ta, b, &tb, &c);
            if (core > 1e-3) {
                checkBullet(ba, &pa, bb, &pb, core, a->type == ct_shapeHull || b->type == ct_shapeHull);
            }
            met += core < -1e-3;
        }
        ctBullet_Destroy(ba);
        ctBullet_Destroy(bb);
        ctShape_Release(givenA);
        ctShape_Release(givenB);
    }
    ck_assert_int_gt(met, ctTestCases(200));
}
END_TEST

// ---- overlaps ----------------------------------------------------------------------------------

// Moving A by the depth along the normal parts the two, and no direction of many needs less.
static void checkWayOut(const ctShape *a, ctPose pa, const ctShape *b, const ctPose *pb, const ctClosest *c,
                        double size, ctRandom *r)
{
    ctAssertClose(separation(a, &pa, b, pb, c->normal), c->distance, 1e-11 * size);
    for (int i = 0; i < 200; i++) {
        // Anywhere, and around the answer. Deep overlaps may miss the least depth by a hundredth.
        ctVec3 n = ctRandomUnit(r);
        double room = -0.01 * c->distance;
        if (i % 2) {
            n = ctNormalize(ctMulAdd(c->normal, ctRandomLog(r, 1e-6, 0.01), n));
            room = 1e-9 * size;
        }
        double s = separation(a, &pa, b, pb, n);
        if (!(s <= c->distance + room)) {
            ck_abort_msg("types %d and %d: a depth of %.17g where %.17g is enough", (int)a->type, (int)b->type,
                         -c->distance, -s);
        }
    }
    pa.p = ctMulAdd(pa.p, -c->distance, c->normal);
    ctClosest after = query(a, &pa, b, pb);
    ck_assert_int_ne(after.state, ct_overlapping);
    ctAssertClose(after.distance, 0.0, 1e-10 * size);
}

START_TEST(overlaps_have_the_shortest_way_out)
{
    ctShapeType ta = TYPES[_i / 6], tb = TYPES[_i % 6];
    ctRandom r = ctRandomSeed(300 + (uint64_t)_i);
    int found = 0;
    for (int i = 0; i < ctTestCases(100); i++) {
        double sb = ctRandomLog(&r, 0.3, 3.0);
        ctShape *a = ctTestShape(&r, ta, 1.0), *b = ctTestShape(&r, tb, sb);
        for (int k = 0; k < 4; k++) {
            ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
            ctPose pb = ctPoseOf(ctTransformOf(ctMulAdd(pa.p, ctRandomUniform(&r, 0, 0.5), ctRandomUnit(&r)),
                                               k == 0 ? ctQuatFromMat3(pa.r) : ctRandomQuat(&r)));
            ctClosest c = query(a, &pa, b, &pb);
            if (c.state == ct_overlapping) {
                checkWayOut(a, pa, b, &pb, &c, 1.0 + sb, &r);
                found++;
            }
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
    ck_assert(found > 0 || (ta <= ct_shapeCapsule && tb <= ct_shapeCapsule));
}
END_TEST

START_TEST(identical_shapes_in_one_place_have_an_answer)
{
    ctRandom r = ctRandomSeed(9);
    for (int i = 0; i < ctTestCases(600); i++) {
        double size = ctRandomLog(&r, 1e-4, 1e3);
        ctShape *a = ctTestShape(&r, TYPES[i % 6], size);
        ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -10, 10), ctRandomQuat(&r)));
        ctClosest c = query(a, &pa, a, &pa);
        ck_assert_int_eq(c.state, ct_overlapping);
        checkWayOut(a, pa, a, &pa, &c, size, &r);
        ctShape_Release(a);
    }
}
END_TEST

// A pair that sinks into each other step by step: the depth goes on from the distance without a jump.
START_TEST(depth_continues_distance)
{
    ctRandom r = ctRandomSeed(10);
    for (int i = 0; i < ctTestCases(360); i++) {
        ctShape *a = ctTestShape(&r, TYPES[i % 6], 1.0), *b = ctTestShape(&r, TYPES[i / 6 % 6], 1.0);
        ctPose pa = ctPoseOf(ctTransformOf(ctZero3(), ctRandomQuat(&r)));
        ctPose pb = ctPoseOf(ctTransformOf(ctScale(1.2, ctRandomUnit(&r)), ctRandomQuat(&r)));
        ctClosest c = query(a, &pa, b, &pb);
        pb.p = ctMulAdd(pb.p, c.distance - 1e-3, c.normal);
        ctVec3 towards = c.normal;
        ctGjkCache cache;
        memset(&cache, 0, sizeof cache);
        double last = 1e-3;
        for (int k = 0; k < 40; k++) {
            ctClosestPoints(a, &pa, b, &pb, &cache, &c);
            // Moving by a step makes it deeper by no more than the step. A shorter way out may be found, and
            // what is found is the least depth to two parts in a hundred.
            ck_assert_msg(c.distance >= last - 1.0001e-4 - 0.02 * fabs(last), "from %g to %g", last, c.distance);
            last = c.distance;
            pb.p = ctMulAdd(pb.p, 1e-4, towards);
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

START_TEST(the_same_question_has_the_same_answer)
{
    ctRandom r = ctRandomSeed(11);
    for (int i = 0; i < ctTestCases(2000); i++) {
        ctShape *a = ctTestShape(&r, TYPES[i % 6], 1.0), *b = ctTestShape(&r, TYPES[i / 6 % 6], 1.0);
        ctPose pa = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctPose pb = ctPoseOf(ctTransformOf(ctRandomVec3(&r, -1, 1), ctRandomQuat(&r)));
        ctClosest c = query(a, &pa, b, &pb), d = query(a, &pa, b, &pb);
        ck_assert(c.distance == d.distance && c.normal.x == d.normal.x && c.normal.y == d.normal.y &&
                  c.normal.z == d.normal.z && c.pointA.x == d.pointA.x && c.pointB.z == d.pointB.z);
        // Asked the other way round, the answer is the mirror image.
        ctClosest e = query(b, &pb, a, &pa);
        if (c.state != ct_overlapping && e.state != ct_overlapping) {
            ctAssertClose(e.distance, c.distance, 1e-13);
            if (c.distance > 1e-3) {
                ctAssertClose(ctDistance(e.normal, ctNeg(c.normal)), 0.0, 1e-9);
            }
        }
        ctShape_Release(a);
        ctShape_Release(b);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gjk");
    TCase *proofs = tcase_create("proofs"), *exact = tcase_create("exact"), *others = tcase_create("others");
    TCase *overlaps = tcase_create("overlaps");
    tcase_set_timeout(proofs, 120);
    tcase_set_timeout(others, 120);
    tcase_set_timeout(overlaps, 120);
    tcase_add_loop_test(proofs, every_pair_of_types_is_proved, 0, 36);
    tcase_add_loop_test(proofs, hard_pairs_are_proved, 0, 36);
    tcase_add_loop_test(proofs, normals_at_contact_are_right, 0, 36);
    tcase_add_test(exact, balls_over_flat_faces_are_exact);
    tcase_add_test(exact, boxes_on_boxes_are_exact);
    tcase_add_test(exact, features_are_named);
    tcase_add_test(exact, planes_take_one_support_point);
    tcase_add_test(others, polyhedra_agree_with_brute_force);
    tcase_add_test(others, peers_agree);
    tcase_add_test(others, the_same_question_has_the_same_answer);
    tcase_add_loop_test(overlaps, overlaps_have_the_shortest_way_out, 0, 36);
    tcase_add_test(overlaps, identical_shapes_in_one_place_have_an_answer);
    tcase_add_test(overlaps, depth_continues_distance);
    suite_add_tcase(suite, proofs);
    suite_add_tcase(suite, exact);
    suite_add_tcase(suite, others);
    suite_add_tcase(suite, overlaps);
    return ctRunSuite(suite);
}
