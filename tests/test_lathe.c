// Lathes: outlines as users give them, their convex pieces, and the pieces' cores.
#include "collision/shape.h"
#include "tests/support/random.h"
#include "tests/support/solid.h"
#include "tests/support/suite.h"

#include <string.h>

static ctShape *made(ctShape *shape, const ctError *error)
{
    ck_assert_msg(shape != NULL, "%s", error->message);
    return shape;
}

START_TEST(lathe_outlines)
{
    ctError error;
    // A cylinder, with its axis points, repeated points, and points along its side.
    double r[] = {0, 0.2, 0.5, 0.5, 0.5, 0.5, 0.5, 0.3, 0}, z[] = {-1, -1, -1, -1, 0, 0.3, 1, 1, 1};
    ctShape *s = made(ctShape_Lathe(r, z, 9, &error), &error);
    ctShape *cylinder = made(ctShape_Cylinder(0.5, 2.0, &error), &error);
    ck_assert_int_eq(s->type, ct_shapeLathe);
    ck_assert_int_eq(s->u.lathe.count, 2);
    ck_assert_int_eq(s->u.lathe.outlineCount, 2);
    ctAssertClose(s->unit.mass, cylinder->unit.mass, 1e-15);
    ctAssertClose(s->unit.inertia.cx.x, cylinder->unit.inertia.cx.x, 1e-15);
    ctAssertClose(s->u.lathe.r[0], 0.5 - s->round, 1e-16);
    ctAssertClose(s->u.lathe.z[1], 1.0 - s->round, 1e-16);
    ctShape_Release(cylinder);
    ctShape_Release(s);
    // A dumb-bell with steps: three cylinders.
    double r2[] = {0, 1, 1, 0.2, 0.2, 1, 1, 0}, z2[] = {0, 0, 1, 1, 3, 3, 4, 4};
    s = made(ctShape_Lathe(r2, z2, 8, &error), &error);
    ck_assert_int_eq(s->leafCount, 3);
    ctAssertClose(s->unit.mass, CT_PI * (2.0 + 0.04 * 2.0), 1e-14);
    ctAssertClose(s->unit.center.z, 2.0, 1e-14);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(s->leaves[i].shape->u.lathe.outlineCount, 2);
    }
    ctShape_Release(s);
    // Short edges at a sharp rim are cut off in the core; the core is the inner parallel body all the same.
    double r3[] = {0, 1 - 2e-9, 1, 1, 1 - 1e-9, 0}, z3[] = {0, 1e-10, 1e-9, 0.5, 0.5 + 1e-9, 1};
    s = made(ctShape_Lathe(r3, z3, 6, &error), &error);
    ck_assert_int_eq(s->type, ct_shapeLathe);
    ck_assert_int_lt(s->u.lathe.count, s->u.lathe.outlineCount);
    ctShape_Release(s);
}
END_TEST

// Height of a profile along (a, b).
static double profileHeight(const double *r, const double *z, int count, double a, double b)
{
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        best = fmax(best, a * r[i] + b * z[i]);
    }
    return best;
}

typedef struct Line {
    double a, b, c; // a r + b z <= c
} Line;

// The core against the inner parallel body by brute force: all points where two of the outline's lines,
// moved inwards, or the axis, meet, and that are inside of all the others. Its height along the normal
// of every edge must be that of the core.
static void checkLatheCore(const ctShape *s)
{
    const ctLathe *l = &s->u.lathe;
    Line lines[40] = {{0, -1, -s->lo.z - s->round}, {0, 1, s->hi.z - s->round}, {-1, 0, 0}};
    int n = 3;
    for (int e = 0; e + 1 < l->outlineCount; e++) {
        double dr = l->outlineR[e + 1] - l->outlineR[e], dz = l->outlineZ[e + 1] - l->outlineZ[e];
        double length = hypot(dr, dz), a = dz / length, b = -dr / length;
        lines[n++] = (Line){a, b, a * l->outlineR[e] + b * l->outlineZ[e] - s->round};
    }
    // Lines of the ends go where there is no end but a tip: they would be in the way.
    lines[0].c = l->outlineR[0] > 0.0 ? lines[0].c : INFINITY;
    lines[1].c = l->outlineR[l->outlineCount - 1] > 0.0 ? lines[1].c : INFINITY;
    double height[40], tol = 1e-13 * (s->size + fabs(s->lo.z));
    for (int k = 0; k < n; k++) {
        height[k] = -INFINITY;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double det = lines[i].a * lines[j].b - lines[i].b * lines[j].a;
            double r = (lines[i].c * lines[j].b - lines[i].b * lines[j].c) / det;
            double z = (lines[i].a * lines[j].c - lines[i].c * lines[j].a) / det;
            bool inside = fabs(det) > 1e-9 && isfinite(r) && isfinite(z);
            for (int k = 0; k < n && inside; k++) {
                inside = k == i || k == j || lines[k].a * r + lines[k].b * z <= lines[k].c + tol;
            }
            for (int k = 0; k < n && inside; k++) {
                height[k] = fmax(height[k], lines[k].a * r + lines[k].b * z);
            }
        }
    }
    double worst = 0.0, bend = 0.0;
    for (int k = 3; k < n; k++) {
        double h = profileHeight(l->r, l->z, l->count, lines[k].a, lines[k].b);
        worst = fmax(worst, fabs(h - height[k]));
    }
    for (int i = 0; i + 2 < l->count; i++) {
        double turn = (l->r[i + 1] - l->r[i]) * (l->z[i + 2] - l->z[i + 1]) -
                      (l->z[i + 1] - l->z[i]) * (l->r[i + 2] - l->r[i + 1]);
        bend = fmin(bend, turn);
    }
    ck_assert_msg(worst <= 3.0 * tol, "the core is off by %g of %g", worst, s->size);
    ck_assert_msg(bend >= -tol * s->size, "the core is concave by %g", bend);
}

START_TEST(random_outlines)
{
    ctRandom g = ctRandomSeed(31);
    for (int i = 0; i < ctTestCases(3000); i++) {
        double r[30], z[30], size = ctRandomLog(&g, 1e-4, 1e3), at = ctRandomUniform(&g, -size, size);
        int n = ctRandomInt(&g, 2, 30);
        bool arched = i % 2 == 0; // a convex one, with a waist or two
        for (int k = 0; k < n; k++) {
            double u = (k + 0.5) / n;
            bool step = !arched && k > 1 && k + 1 < n && z[k - 1] != z[k - 2] && ctRandomInt(&g, 0, 4) == 0;
            at += step ? 0.0 : size * ctRandomLog(&g, 1e-3, 1) / n;
            z[k] = at;
            r[k] = arched ? size * sqrt(u * (1.0 - u)) * (ctRandomInt(&g, 0, 9) ? 1.0 : 0.9)
                          : size * ctRandomLog(&g, 1e-3, 1);
        }
        if (ctRandomInt(&g, 0, 1)) {
            r[0] = 0.0;
        }
        if (ctRandomInt(&g, 0, 1) && n > 2) {
            r[n - 1] = 0.0;
        }
        ctError error;
        ctShape *s = made(ctShape_Lathe(r, z, n, &error), &error);
        // Flat sides have less volume than the round by sin(2 pi / n) n / 2 pi, exactly.
        double sides = 16.0, factor = sin(2.0 * CT_PI / sides) * sides / (2.0 * CT_PI);
        ctMassProperties flat = ctRevolutionMass(r, z, n, 16, ctV3(1, 1, 1));
        ctAssertClose(s->unit.mass * factor, flat.mass, 1e-12 * flat.mass + 1e-13 * size * size * fabs(at));
        ctAssertClose(s->unit.center.z, flat.center.z, 1e-11 * (size + fabs(at)));
        for (int k = 0; k < s->leafCount; k++) {
            checkLatheCore(s->leaves[k].shape);
        }
        ctShape_Release(s);
    }
}
END_TEST

static void refused(ctShape *shape, const ctError *error, ctStatus status, const char *says)
{
    ck_assert(shape == NULL);
    ck_assert_int_eq(error->status, status);
    ck_assert_msg(strstr(error->message, says) != NULL, "\"%s\" does not say \"%s\"", error->message, says);
}

START_TEST(bad_profiles_are_refused)
{
    ctError e;
    const struct {
        int n;
        double r[6], z[6];
        const char *says;
    } bad[] = {
        {1, {1}, {0}, "at least two points"},
        {3, {1, -0.1, 1}, {0, 1, 2}, "point 2: the radius -0.1 is negative"},
        {3, {1, NAN, 1}, {0, 1, 2}, "point 2"},
        {3, {1, 1, 1}, {0, INFINITY, 2}, "point 2"},
        {3, {0, 0, 0}, {0, 1, 2}, "no area"},
        {3, {0, 1, 0}, {1, 1, 1}, "no area"},
        {4, {1, 1, 1, 1}, {0, 2, 1, 3}, "point 3: z turns back"},
        {6, {0, 1, 1, 0.8, 0.8, 0}, {0, 0, 1, 1, 0.1, 0.1}, "point 5: z turns back"}, // a cup
        {4, {1, 2, 0.5, 1}, {0, 1, 1, 2}, NULL},
        {5, {1, 2, 3, 1, 1}, {0, 1, 1, 1, 2}, "point 4: the profile doubles back"},
        {3, {2, 1, 1}, {0, 0, 1}, "doubles back over its flat end"},
        {3, {1, 0, 1}, {0, 1, 2}, "touches the axis at z = 1"},
        {4, {0, 0, 1, 0}, {0, 1, 2, 3}, "touches the axis at z = 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ctShape *s = ctShape_Lathe(bad[i].r, bad[i].z, bad[i].n, &e);
        if (bad[i].says != NULL) {
            refused(s, &e, ct_badArgument, bad[i].says);
        } else {
            ctShape_Release(made(s, &e));
        }
    }
    refused(ctShape_Lathe(NULL, NULL, 5, &e), &e, ct_badArgument, "points");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("lathe");
    TCase *tc = tcase_create("lathe");
    tcase_add_test(tc, lathe_outlines);
    tcase_add_test(tc, random_outlines);
    tcase_add_test(tc, bad_profiles_are_refused);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
