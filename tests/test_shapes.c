// Shapes: mass against surface integrals, bounds against heights, cores against the true solids, rays
// against depths, and refusals.
#include "collision/memory.h"
#include "collision/shape.h"
#include "tests/support/random.h"
#include "tests/support/solid.h"
#include "tests/support/suite.h"

#include <string.h>

static double matDistance(ctMat3 a, ctMat3 b)
{
    ctMat3 d = ctSubMM(a, b);
    return fmax(ctMaxElement(ctAbs(d.cx)), fmax(ctMaxElement(ctAbs(d.cy)), ctMaxElement(ctAbs(d.cz))));
}

static void assertMass(const ctMassProperties *m, const ctMassProperties *want, double size, double tol)
{
    ctAssertClose(m->mass, want->mass, tol * want->mass);
    ctAssertClose(ctDistance(m->center, want->center), 0.0, tol * size);
    ctAssertClose(matDistance(m->inertia, want->inertia), 0.0, tol * ctTrace(want->inertia));
}

static ctShape *made(ctShape *shape, const ctError *error)
{
    ck_assert_msg(shape != NULL, "%s", error->message);
    return shape;
}

// A USBC bowling pin, from its specification: heights and diameters in inches, the head as an arc of
// radius 1.273 about 13.727.
static const double pinIn[][2] = {
    {0.0, 2.031},   {0.75, 2.828},  {2.25, 3.906}, {3.375, 4.510}, {4.5, 4.755},   {5.875, 4.563},  {7.25, 3.703},
    {8.625, 2.472}, {9.375, 1.965}, {10.0, 1.797}, {10.875, 1.87}, {11.75, 2.094}, {12.625, 2.406}, {13.5, 2.547},
};
#define PIN_GIVEN ((int)(sizeof pinIn / sizeof pinIn[0]))
#define PIN_POINTS (PIN_GIVEN + 7)

static void pinProfile(double *r, double *z)
{
    for (int i = 0; i < PIN_GIVEN; i++) {
        z[i] = 0.0254 * pinIn[i][0];
        r[i] = 0.0127 * pinIn[i][1];
    }
    for (int i = 0; i < 7; i++) {
        double a = 0.5 * CT_PI * (i + 1) / 7;
        r[PIN_GIVEN + i] = i == 6 ? 0.0 : 0.0254 * 1.273 * cos(a);
        z[PIN_GIVEN + i] = 0.0254 * (13.727 + 1.273 * sin(a));
    }
}

// One shape of every kind, of about the given size, chosen at random.
#define KINDS 11
static ctShape *randomShape(ctRandom *g, int kind, double size, ctError *error)
{
    double a = size * ctRandomLog(g, 0.001, 1), b = size * ctRandomLog(g, 0.05, 1), c = size * ctRandomLog(g, 0.05, 1);
    switch (kind) {
    case 0:
        return ctShape_Sphere(b, error);
    case 1:
        return ctShape_HollowSphere(b, error);
    case 2:
        return ctShape_Box(ctV3(a, b, c), error);
    case 3:
        return ctShape_Cylinder(b, a, error);
    case 4:
        return ctShape_Capsule(b, c, error);
    case 5:
        return ctShape_Cone(b, c, error);
    case 6:
        return ctShape_Ellipsoid(ctV3(b, c, size), error);
    case 7: {
        ctVec3 p[20];
        for (int i = 0; i < 20; i++) {
            p[i] = ctMul(ctV3(size, b, c), ctRandomVec3(g, -0.5, 0.5));
        }
        return ctShape_Hull(p, 20, error);
    }
    case 8: { // a convex outline: part of an ellipse
        double r[12], z[12];
        for (int i = 0; i < 12; i++) {
            double t = -1.4 + 2.6 * i / 11.0;
            r[i] = b * cos(t);
            z[i] = c * sin(t);
        }
        return ctShape_Lathe(r, z, 12, error);
    }
    case 9: { // waists, steps and tips
        double r[6] = {0.0, b, 0.5 * b, 0.5 * b, c, 0.0}, z[6] = {0.0, 0.2 * c, 0.5 * c, c, c, 1.1 * c};
        return ctShape_Lathe(r, z, 6, error);
    }
    default: {
        ctLeaf parts[3];
        ctShape *shape = NULL;
        int n = 0;
        for (; n < 3; n++) {
            parts[n].shape = randomShape(g, ctRandomInt(g, 0, KINDS - 2), size, error);
            parts[n].pose = ctTransformOf(ctRandomVec3(g, -size, size), ctRandomQuat(g));
            if (parts[n].shape == NULL) {
                break;
            }
        }
        if (n == 3) {
            shape = ctShape_Compound(parts, 3, error);
        }
        while (n > 0) {
            ctShape_Release((ctShape *)parts[--n].shape);
        }
        return shape;
    }
    }
}

// ---- mass --------------------------------------------------------------------------------------

// An outline in a number of steps. Revolved at three resolutions its errors fall with the square of
// the step, so that two extrapolations leave about the sixth power.
typedef void ProfileFn(int steps, double *r, double *z, int *count);

static void arcProfile(int steps, double *r, double *z, int *count)
{
    for (int i = 0; i <= steps; i++) {
        double a = -0.5 * CT_PI + CT_PI * i / steps;
        r[i] = i == 0 || i == steps ? 0.0 : cos(a);
        z[i] = sin(a);
    }
    *count = steps + 1;
}

static void capsuleProfile(int steps, double *r, double *z, int *count)
{
    int half = steps / 2;
    arcProfile(2 * half, r, z, count);
    for (int i = 2 * half; i >= half; i--) {
        r[i + 1] = r[i];
        z[i + 1] = z[i] + 0.75;
    }
    for (int i = 0; i <= half; i++) {
        z[i] -= 0.75;
    }
    *count = 2 * half + 2;
}

static void coneProfile(int steps, double *r, double *z, int *count)
{
    (void)steps;
    r[0] = 0.7;
    r[1] = 0.0;
    z[0] = -1.0;
    z[1] = 1.0;
    *count = 2;
}

static void cylinderProfile(int steps, double *r, double *z, int *count)
{
    coneProfile(steps, r, z, count);
    r[1] = r[0];
}

static ctMassProperties mix(const ctMassProperties *a, double wa, const ctMassProperties *b, double wb)
{
    ctMassProperties m = {wa * a->mass + wb * b->mass, ctAdd(ctScale(wa, a->center), ctScale(wb, b->center)),
                          ctAddMM(ctScaleM(wa, a->inertia), ctScaleM(wb, b->inertia))};
    return m;
}

static ctMassProperties extrapolate(ProfileFn *profile, ctVec3 scale)
{
    ctMassProperties level[3];
    for (int k = 0; k < 3; k++) {
        double r[300], z[300];
        int n, steps = 64 << k;
        profile(steps, r, z, &n);
        level[k] = ctRevolutionMass(r, z, n, steps, scale);
    }
    ctMassProperties coarse = mix(&level[1], 4.0 / 3.0, &level[0], -1.0 / 3.0);
    ctMassProperties fine = mix(&level[2], 4.0 / 3.0, &level[1], -1.0 / 3.0);
    return mix(&fine, 16.0 / 15.0, &coarse, -1.0 / 15.0);
}

START_TEST(mass_of_curved_solids)
{
    ctError error;
    struct {
        ctShape *shape;
        ProfileFn *profile;
        ctVec3 scale;
    } cases[] = {
        {ctShape_Sphere(0.3, &error), arcProfile, {0.3, 0.3, 0.3}},
        {ctShape_Ellipsoid(ctV3(0.3, 0.5, 0.01), &error), arcProfile, {0.3, 0.5, 0.01}},
        {ctShape_Capsule(2.0, 3.0, &error), capsuleProfile, {2.0, 2.0, 2.0}},
        {ctShape_Cone(0.7, 2.0, &error), coneProfile, {1, 1, 1}},
        {ctShape_Cylinder(0.07, 0.0002, &error), cylinderProfile, {0.1, 0.1, 0.0001}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ctShape *s = made(cases[i].shape, &error);
        ctMassProperties want = extrapolate(cases[i].profile, cases[i].scale);
        assertMass(&s->unit, &want, s->size, 1e-9);
        // Density scales mass and inertia, not the centre.
        ctMassProperties heavy = ctShape_Mass(s, 7800.0);
        ctAssertClose(heavy.mass, 7800.0 * s->unit.mass, 1e-12 * heavy.mass);
        ctAssertClose(heavy.inertia.cx.x, 7800.0 * s->unit.inertia.cx.x, 1e-12 * heavy.inertia.cx.x);
        ctAssertClose(ctDistance(heavy.center, s->unit.center), 0.0, 0.0);
        ctShape_Release(s);
    }
    ctShape *hollow = made(ctShape_HollowSphere(0.02, &error), &error);
    ctAssertClose(hollow->unit.inertia.cy.y, 2.0 / 3.0 * hollow->unit.mass * 4e-4, 1e-16);
    ctShape_Release(hollow);
}
END_TEST

START_TEST(mass_of_boxes_and_hulls_agree_and_turn)
{
    ctRandom g = ctRandomSeed(11);
    for (int i = 0; i < ctTestCases(300); i++) {
        ctError error;
        double scale = ctRandomLog(&g, 1e-4, 1e3);
        ctVec3 size = ctScale(scale, ctV3(ctRandomLog(&g, 0.001, 1), 1.0, ctRandomLog(&g, 0.01, 1)));
        ctTransform pose = ctTransformOf(ctRandomVec3(&g, -scale, scale), ctRandomQuat(&g));
        ctVec3 p[8], q[8];
        for (int k = 0; k < 8; k++) {
            p[k] = ctMul(size, ctV3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5));
            q[k] = ctTransformPoint(pose, p[k]);
        }
        ctShape *box = made(ctShape_Box(size, &error), &error);
        ctShape *hull = made(ctShape_Hull(p, 8, &error), &error);
        ctShape *moved = made(ctShape_Hull(q, 8, &error), &error);
        ctLeaf part = {box, pose};
        ctShape *compound = made(ctShape_Compound(&part, 1, &error), &error);
        assertMass(&hull->unit, &box->unit, scale, 1e-13);
        ctAssertClose(hull->boundRadius, box->boundRadius, 1e-13 * scale);
        ctMat3 r = ctMat3FromQuat(pose.q);
        ctMassProperties want = {box->unit.mass, pose.p, ctMulMM(r, ctMulMM(box->unit.inertia, ctTranspose(r)))};
        assertMass(&moved->unit, &want, scale, 1e-11); // a plate of 1 : 1000, seen from an angle
        assertMass(&compound->unit, &want, scale, 1e-14);
        ctAssertClose(compound->boundRadius, box->boundRadius, 1e-14 * scale);
        // Principal moments are those of the box.
        ctVec3 d, e;
        ctMat3 axes;
        ctMass_Principal(&compound->unit, &d, &axes);
        ctMass_Principal(&box->unit, &e, &axes);
        ctAssertClose(ctDistance(d, e), 0.0, 1e-13 * ctTrace(box->unit.inertia));
        ctShape_Release(compound);
        ctShape_Release(moved);
        ctShape_Release(hull);
        ctShape_Release(box);
    }
}
END_TEST

// Makes a compound of two or three parts, each moved and turned, and says how many parts are left. *unit: of the first.
static int joined(const ctLeaf *parts, int count, ctTransform pose, ctMassProperties *unit, ctShapeType *type)
{
    ctError error;
    ctLeaf moved[3];
    double volume = 0.0;
    for (int i = 0; i < count; i++) {
        moved[i] = (ctLeaf){parts[i].shape, ctMulT(pose, parts[i].pose)};
        volume += parts[i].shape->unit.mass;
    }
    ctShape *shape = made(ctShape_Compound(moved, count, &error), &error);
    int left = shape->leafCount;
    *unit = shape->leaves[0].shape->unit;
    *type = shape->leaves[0].shape->type;
    ctAssertClose(shape->unit.mass, volume, 1e-12 * volume);
    ctShape_Release(shape);
    return left;
}

// Parts whose union is convex become one part, of the same kind; others do not, by however little they miss it.
START_TEST(parts_that_are_convex_together_are_joined)
{
    ctRandom g = ctRandomSeed(11);
    ctError error;
    ctShape *half = made(ctShape_Box(ctV3(0.1, 0.2, 0.3), &error), &error);
    ctShape *can = made(ctShape_Cylinder(0.1, 0.2, &error), &error),
            *tip = made(ctShape_Cone(0.1, 0.3, &error), &error);
    ctShape *thin = made(ctShape_Cylinder(0.09, 0.2, &error), &error);
    const ctVec3 wedge[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    ctShape *prism = made(ctShape_Hull(wedge, 6, &error), &error);
    const ctQuat id = ctQuatIdentity(), over = ctQuatOf(0, 1, 0, 0), around = ctQuatOf(0, 0, 0, 1);
    const ctQuat aside = ctQuatOf(sqrt(0.5), 0, 0, sqrt(0.5));
    const struct {
        ctLeaf parts[3];
        int count, left;
        ctShapeType type;
    } cases[] = {
        {{{half, {{-0.05, 0, 0}, id}}, {half, {{0.05, 0, 0}, over}}}, 2, 1, ct_shapeBox},
        {{{half, {{-0.05, 0, 0}, id}}, {half, {{0.05, 1e-6, 0}, id}}}, 2, 2, ct_shapeBox}, // not flush
        {{{half, {{-0.05, 0, 0}, id}}, {half, {{0.051, 0, 0}, id}}}, 2, 2, ct_shapeBox},   // apart
        {{{half, {{-0.05, 0, 0}, id}}, {half, {{0.049, 0, 0}, id}}}, 2, 2, ct_shapeBox},   // they overlap
        {{{half, {{-0.05, 0, 0}, id}}, {half, {{0.1, 0, 0}, aside}}}, 2, 2, ct_shapeBox},  // faces of different size
        {{{half, {{-0.1, 0, 0}, id}}, {half, {{0.1, 0, 0}, id}}, {half, {{0, 0, 0}, id}}}, 3, 1, ct_shapeBox},
        {{{prism, {{0, 0, 0}, id}}, {prism, {{1, 1, 0}, around}}}, 2, 1, ct_shapeHull}, // a cube
        {{{prism, {{0, 0, 0}, id}}, {prism, {{1, 1, 1e-6}, around}}}, 2, 2, ct_shapeHull},
        {{{can, {{0, 0, 0.1}, id}}, {can, {{0, 0, -0.1}, over}}}, 2, 1, ct_shapeLathe},
        {{{can, {{0, 0, 0.1}, id}}, {tip, {{0, 0, 0.35}, id}}}, 2, 1, ct_shapeLathe}, // a pencil
        {{{can, {{0, 0, 0.1}, id}}, {thin, {{0, 0, 0.3}, id}}}, 2, 2, ct_shapeLathe}, // a step
        {{{tip, {{0, 0, 0.15}, id}}, {can, {{0, 0, 0.4}, id}}}, 2, 2, ct_shapeLathe}, // on its tip
        {{{can, {{0, 0, 0.1}, id}}, {can, {{1e-6, 0, -0.1}, id}}}, 2, 2, ct_shapeLathe},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        for (int k = 0; k < 4; k++) {
            ctTransform pose = ctTransformOf(ctRandomVec3(&g, -1, 1), k == 0 ? id : ctRandomQuat(&g));
            ctMassProperties unit;
            ctShapeType type;
            int left = joined(cases[i].parts, cases[i].count, pose, &unit, &type);
            ck_assert_msg(left == cases[i].left && type == cases[i].type, "case %d: %d parts, type %d", i, left, type);
        }
    }
    ctShape *all[] = {half, can, tip, thin, prism};
    for (int i = 0; i < 5; i++) {
        ctShape_Release(all[i]);
    }
}
END_TEST

START_TEST(parts_add_up)
{
    // A box cut in three, put together again, nested twice: the parts are joined.
    ctError error;
    ctShape *whole = made(ctShape_Box(ctV3(0.6, 0.2, 0.1), &error), &error);
    ctShape *third = made(ctShape_Box(ctV3(0.2, 0.2, 0.1), &error), &error);
    ctLeaf two[2] = {{third, ctTransformOf(ctV3(-0.2, 0, 0), ctQuatIdentity())},
                     {third, ctTransformOf(ctV3(0.0, 0, 0), ctQuatOf(0, 0, 0, 1))}};
    ctShape *pair = made(ctShape_Compound(two, 2, &error), &error);
    ctLeaf all[2] = {{pair, ctTransformIdentity()}, {third, ctTransformOf(ctV3(0.2, 0, 0), ctQuatIdentity())}};
    ctShape *sum = made(ctShape_Compound(all, 2, &error), &error);
    ck_assert_int_eq(pair->leafCount, 1);
    ck_assert_int_eq(sum->leafCount, 1);
    ck_assert_int_eq(sum->type, ct_shapeCompound);
    assertMass(&sum->unit, &whole->unit, 0.6, 1e-14);
    ctAssertClose(ctDistance(sum->lo, whole->lo) + ctDistance(sum->hi, whole->hi), 0.0, 1e-15);
    ctAssertClose(sum->boundRadius, whole->boundRadius, 1e-15);
    // The parts live as long as the compound does.
    ctShape_Release(pair);
    ctShape_Release(third);
    ck_assert_int_eq(sum->leaves[0].shape->type, ct_shapeBox);
    ctShape_Release(sum);
    ctShape_Release(whole);
}
END_TEST

START_TEST(bowling_pin)
{
    double r[PIN_POINTS], z[PIN_POINTS], rd[PIN_POINTS], zd[PIN_POINTS];
    pinProfile(r, z);
    ctError error;
    ctShape *pin = made(ctShape_Lathe(r, z, PIN_POINTS, &error), &error);
    ck_assert_int_eq(pin->type, ct_shapeCompound);
    ck_assert_int_ge(pin->leafCount, 3);
    for (int i = 0; i < pin->leafCount; i++) {
        ck_assert_int_eq(pin->leaves[i].shape->type, ct_shapeLathe);
    }
    // Against the same outline as flat sides, extrapolated to infinitely many.
    ctMassProperties a = ctRevolutionMass(r, z, PIN_POINTS, 64, ctV3(1, 1, 1));
    ctMassProperties b = ctRevolutionMass(r, z, PIN_POINTS, 128, ctV3(1, 1, 1));
    ctMassProperties c = ctRevolutionMass(r, z, PIN_POINTS, 256, ctV3(1, 1, 1));
    ctMassProperties ab = mix(&b, 4.0 / 3.0, &a, -1.0 / 3.0), bc = mix(&c, 4.0 / 3.0, &b, -1.0 / 3.0);
    ctMassProperties want = mix(&bc, 16.0 / 15.0, &ab, -1.0 / 15.0);
    assertMass(&pin->unit, &want, 0.38, 1e-11);
    // USBC: centre of gravity 5 5/8 to 5 61/64 inches up (the specification's pin has a void near the base).
    ctAssertClose(pin->unit.center.z / 0.0254, 5.8, 0.2);
    ctAssertClose(pin->hi.z, 15.0 * 0.0254, 1e-15);
    ctAssertClose(pin->hi.x, 0.0127 * 4.755, 1e-15);
    // Listed downwards it is the same solid.
    for (int i = 0; i < PIN_POINTS; i++) {
        rd[i] = r[PIN_POINTS - 1 - i];
        zd[i] = z[PIN_POINTS - 1 - i];
    }
    ctShape *down = made(ctShape_Lathe(rd, zd, PIN_POINTS, &error), &error);
    assertMass(&down->unit, &pin->unit, 0.38, 0.0);
    ck_assert_int_eq(down->leafCount, pin->leafCount);
    ctShape_Release(down);
    ctShape_Release(pin);
}
END_TEST

// ---- cores, bounds, rays -----------------------------------------------------------------------

START_TEST(rounded_solids_fill_the_true_ones)
{
    ctRandom g = ctRandomSeed(21);
    for (int i = 0; i < ctTestCases(3000); i++) {
        ctError error;
        double size = ctRandomLog(&g, 1e-4, 1e3);
        ctShape *shape = made(randomShape(&g, i % KINDS, size, &error), &error);
        double worst = -INFINITY, lost = -INFINITY;
        for (int k = 0; k < shape->leafCount; k++) {
            const ctShape *leaf = shape->leaves[k].shape;
            double tol = 1e-13 * leaf->size;
            ck_assert(leaf->round > 0.0);
            for (int j = 0; j < 20; j++) {
                // Never outside; in the direction of a face, exactly there.
                ctVec3 d = ctRandomUnit(&g);
                worst = fmax(worst, (ctRoundedHeight(leaf, d) - ctSolidHeight(leaf, d)) / tol);
                ctVec3 face = d;
                if (leaf->type == ct_shapeBox) {
                    face = j % 3 == 0 ? ctV3(1, 0, 0) : j % 3 == 1 ? ctV3(0, -1, 0) : ctV3(0, 0, 1);
                } else if (leaf->type == ct_shapeHull) {
                    face = leaf->u.hull.faceNormals[ctRandomInt(&g, 0, leaf->u.hull.faceCount - 1)];
                } else if (leaf->type == ct_shapeLathe) {
                    const ctLathe *l = &leaf->u.lathe;
                    int e = ctRandomInt(&g, 0, l->outlineCount - 2);
                    double a = ctRandomUniform(&g, 0, 7), dr = l->outlineR[e + 1] - l->outlineR[e];
                    double dz = l->outlineZ[e + 1] - l->outlineZ[e];
                    face = ctNormalize(ctV3(dz * cos(a), dz * sin(a), -dr));
                }
                lost = fmax(lost, (ctSolidHeight(leaf, face) - ctRoundedHeight(leaf, face)) / tol);
            }
        }
        ck_assert_msg(worst <= 1.0, "kind %d: %g outside", i % KINDS, worst);
        ck_assert_msg(lost <= 1.0, "kind %d: a face is %g inside", i % KINDS, lost);
        ctShape_Release(shape);
    }
}
END_TEST

START_TEST(bounds_are_tight)
{
    ctRandom g = ctRandomSeed(22);
    const ctVec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < ctTestCases(3000); i++) {
        ctError error;
        double size = ctRandomLog(&g, 1e-4, 1e3);
        ctShape *s = made(randomShape(&g, i % KINDS, size, &error), &error);
        ctPose pose = ctPoseOf(ctTransformOf(ctRandomVec3(&g, -size, size), ctRandomQuat(&g)));
        if (i % 3 == 0) {
            pose = ctPoseOf(ctTransformIdentity());
        }
        ctVec3 lo, hi;
        ctShape_Bounds(s, &pose, &lo, &hi);
        double wantLo[3] = {INFINITY, INFINITY, INFINITY}, wantHi[3] = {-INFINITY, -INFINITY, -INFINITY};
        for (int k = 0; k < s->leafCount; k++) {
            for (int a = 0; a < 3; a++) {
                ctVec3 u = ctMulTMV(pose.r, axes[a]), local = ctInvRotate(s->leaves[k].pose.q, u);
                double at = ctDot(axes[a], ctPosePoint(&pose, s->leaves[k].pose.p));
                wantHi[a] = fmax(wantHi[a], at + ctSolidHeight(s->leaves[k].shape, local));
                wantLo[a] = fmin(wantLo[a], at - ctSolidHeight(s->leaves[k].shape, ctNeg(local)));
            }
        }
        double tol = 1e-14 * s->size;
        ctAssertClose(ctDistance(lo, ctV3(wantLo[0], wantLo[1], wantLo[2])), 0.0, 10.0 * tol);
        ctAssertClose(ctDistance(hi, ctV3(wantHi[0], wantHi[1], wantHi[2])), 0.0, 10.0 * tol);
        if (i % 3 == 0) {
            ctAssertClose(ctDistance(lo, s->lo) + ctDistance(hi, s->hi), 0.0, tol);
            ctAssertClose(ctMaxElement(ctSub(hi, lo)), s->size, tol);
        }
        // The ball about the centre of mass holds the highest point in every direction, and is no
        // larger than the box demands.
        double most = 0.0;
        for (int j = 0; j < 50; j++) {
            ctVec3 d = ctRandomUnit(&g);
            for (int k = 0; k < s->leafCount; k++) {
                const ctLeaf *leaf = &s->leaves[k];
                most = fmax(most, ctDot(d, ctSub(leaf->pose.p, s->unit.center)) +
                                      ctSolidHeight(leaf->shape, ctInvRotate(leaf->pose.q, d)));
            }
        }
        ck_assert(most <= s->boundRadius + tol);
        ck_assert(s->boundRadius <= ctLength(ctSub(s->hi, s->lo)) * 1.0000001);
        ctShape_Release(s);
    }
}
END_TEST

// Steps along a ray until the depth turns positive: an oracle for the first hit, to one step.
START_TEST(rays_hit_the_surface_first)
{
    ctRandom g = ctRandomSeed(23);
    int hits = 0, misses = 0;
    for (int i = 0; i < ctTestCases(6000); i++) {
        ctError error;
        double size = ctRandomLog(&g, 1e-4, 1e3);
        ctShape *s = made(randomShape(&g, i % KINDS, size, &error), &error);
        ctVec3 middle = ctScale(0.5, ctAdd(s->lo, s->hi));
        ctVec3 o = ctAdd(middle, ctScale(2.0 * s->size, ctRandomUnit(&g)));
        ctVec3 aim = ctAdd(middle, ctMul(ctSub(s->hi, middle), ctRandomVec3(&g, -1, 1)));
        ctVec3 d = ctScale(ctRandomLog(&g, 0.1, 10), ctSub(aim, o));
        double t = -1.0, length = ctLength(d);
        ctVec3 n = ctZero3();
        bool hit = ctShape_RayCast(s, o, d, 1e9, &t, &n);
        double until = hit ? t : 4.0 * s->size / length, deepest = -INFINITY;
        for (int k = 0; k < 200; k++) {
            deepest = fmax(deepest, ctSolidDepth(s, ctMulAdd(o, until * k / 200.0, d)));
        }
        ck_assert_msg(deepest <= 1e-12 * s->size, "kind %d: passes %g inside before t = %g", i % KINDS, deepest, until);
        if (!hit) {
            misses++;
        } else {
            hits++;
            ctAssertClose(ctLength(n), 1.0, 1e-14);
            ctVec3 at = ctMulAdd(o, t, d);
            ctAssertClose(ctSolidDepth(s, at), 0.0, 1e-12 * s->size);
            ck_assert(ctDot(n, d) <= 1e-12 * length);
            // Along the normal the depth falls: to first order, where the surface is smooth.
            double h = 1e-7 * s->leaves[0].shape->size;
            ck_assert(ctSolidDepth(s, ctMulAdd(at, h, n)) < 0.0);
            // Limits, and starts inside.
            double again;
            ctVec3 m;
            ck_assert(!ctShape_RayCast(s, o, d, 0.999 * t, &again, &m));
            ck_assert(ctShape_RayCast(s, o, d, 1.001 * t, &again, &m));
            ctVec3 within = ctMulAdd(o, t + 1e-9 * s->size / length, d);
            if (ctSolidDepth(s, within) > 0.0) {
                ck_assert(ctShape_RayCast(s, within, d, 1.0, &again, &m) && again == 0.0);
            }
        }
        ctShape_Release(s);
    }
    ck_assert_int_gt(hits, 100);
    ck_assert_int_gt(misses, 10);
    ctError error;
    ctShape *plane = made(ctShape_Plane(ctV3(0, 0, 2), 0.5, &error), &error);
    double t;
    ctVec3 n;
    ck_assert(ctShape_RayCast(plane, ctV3(1, 2, 3), ctV3(0, 0, -1), 10.0, &t, &n));
    ctAssertClose(t, 2.5, 1e-15);
    ctAssertClose(n.z, 1.0, 0.0);
    ck_assert(!ctShape_RayCast(plane, ctV3(1, 2, 3), ctV3(0, 1, 0.1), 10.0, &t, &n));
    ck_assert(!ctShape_RayCast(plane, ctV3(1, 2, 3), ctZero3(), 10.0, &t, &n));
    ctShape_Release(plane);
}
END_TEST

// ---- refusals ----------------------------------------------------------------------------------

static void refused(ctShape *shape, const ctError *error, ctStatus status, const char *says)
{
    ck_assert(shape == NULL);
    ck_assert_int_eq(error->status, status);
    ck_assert_msg(strstr(error->message, says) != NULL, "\"%s\" does not say \"%s\"", error->message, says);
}

START_TEST(bad_sizes_are_refused)
{
    ctError e;
    const double bad[] = {0.0, -1.0, NAN, INFINITY, -INFINITY, 1e300, 1e-300};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double x = bad[i];
        refused(ctShape_Sphere(x, &e), &e, ct_badArgument, "radius");
        refused(ctShape_HollowSphere(x, &e), &e, ct_badArgument, "radius");
        refused(ctShape_Box(ctV3(1, x, 1), &e), &e, ct_badArgument, "size y");
        refused(ctShape_Cylinder(x, 1, &e), &e, ct_badArgument, "radius");
        refused(ctShape_Cylinder(1, x, &e), &e, ct_badArgument, "height");
        refused(ctShape_Cone(1, x, &e), &e, ct_badArgument, "height");
        refused(ctShape_Capsule(1, x, &e), &e, ct_badArgument, "height");
        refused(ctShape_Ellipsoid(ctV3(1, 1, x), &e), &e, ct_badArgument, "radius z");
        ck_assert(ctShape_Sphere(x, NULL) == NULL);
    }
    refused(ctShape_Plane(ctZero3(), 0, &e), &e, ct_badArgument, "normal");
    refused(ctShape_Plane(ctV3(NAN, 0, 1), 0, &e), &e, ct_badArgument, "normal");
    refused(ctShape_Plane(ctV3(0, 0, 1), NAN, &e), &e, ct_badArgument, "offset");
}
END_TEST

START_TEST(bad_compounds_are_refused)
{
    ctError e;
    ctShape *ball = made(ctShape_Sphere(1, &e), &e), *plane = made(ctShape_Plane(ctV3(0, 0, 1), 0, &e), &e);
    ctLeaf parts[2] = {{ball, ctTransformIdentity()}, {plane, ctTransformIdentity()}};
    refused(ctShape_Compound(parts, 0, &e), &e, ct_badArgument, "at least one part");
    refused(ctShape_Compound(parts, 2, &e), &e, ct_badArgument, "part 2 of the compound is a plane");
    parts[1].shape = NULL;
    refused(ctShape_Compound(parts, 2, &e), &e, ct_badArgument, "part 2 of the compound has no shape");
    parts[1].shape = ball;
    parts[1].pose.p.x = NAN;
    refused(ctShape_Compound(parts, 2, &e), &e, ct_badArgument, "position");
    parts[1].pose.p.x = 0;
    parts[1].pose.q.w = 2;
    refused(ctShape_Compound(parts, 2, &e), &e, ct_badArgument, "rotation");
    ck_assert_int_eq(ball->references, 1);
    ctShape_Release(ball);
    ctShape_Release(plane);
    ctShape_Release(NULL);
}
END_TEST

// Every constructor, with its every allocation failing in turn.
START_TEST(short_memory_is_survived)
{
    for (int kind = 0; kind < KINDS; kind++) {
        ctFailingMemory memory = {0, 0, 0};
        ctSetAllocator(ctFailingRealloc, &memory);
        long calls = 0;
        for (long fail = 0; fail <= calls; fail++) {
            memory.calls = 0;
            memory.failAt = fail;
            ctRandom g = ctRandomSeed((uint64_t)kind);
            ctError e = {ct_ok, ""};
            ctShape *s = randomShape(&g, kind, 0.3, &e);
            if (fail == 0) {
                ck_assert_msg(s != NULL, "%s", e.message);
                ck_assert_int_eq(e.status, ct_ok);
                calls = memory.calls;
                ck_assert_int_gt(calls, 0);
            } else {
                ck_assert_msg(s == NULL, "kind %d survived the failure of allocation %ld", kind, fail);
                ck_assert_int_eq(e.status, ct_outOfMemory);
            }
            ctShape_Release(s);
            ck_assert_msg(memory.alive == 0, "kind %d leaks when allocation %ld fails", kind, fail);
        }
        ctSetAllocator(NULL, NULL);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shapes");
    TCase *mass = tcase_create("mass");
    tcase_add_test(mass, mass_of_curved_solids);
    tcase_add_test(mass, mass_of_boxes_and_hulls_agree_and_turn);
    tcase_add_test(mass, parts_add_up);
    tcase_add_test(mass, parts_that_are_convex_together_are_joined);
    tcase_add_test(mass, bowling_pin);
    suite_add_tcase(suite, mass);
    TCase *form = tcase_create("form");
    tcase_add_test(form, rounded_solids_fill_the_true_ones);
    tcase_add_test(form, bounds_are_tight);
    tcase_add_test(form, rays_hit_the_surface_first);
    suite_add_tcase(suite, form);
    TCase *refuse = tcase_create("refusals");
    tcase_add_test(refuse, bad_sizes_are_refused);
    tcase_add_test(refuse, bad_compounds_are_refused);
    tcase_add_test(refuse, short_memory_is_survived);
    suite_add_tcase(suite, refuse);
    return ctRunSuite(suite);
}
