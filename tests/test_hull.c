// Convex hulls: the core is the exact inner parallel body, its topology is sound, and bad input is refused.
#include "collision/support.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <stdlib.h>
#include <string.h>

// Every promise that ctHull makes, for a hull of the points.
static void checkHull(const ctShape *s, const ctVec3 *points, int count)
{
    const ctHull *h = &s->u.hull;
    double tol = 1e-12 * s->size;
    ck_assert_int_eq(s->type, ct_shapeHull);
    ck_assert(s->round > 0.0 && s->round <= 1.0000001e-4 * s->size);
    // All points are inside the faces, and each face holds at least three of them. The core's vertices
    // are inside the core's faces in the same way. (Check writes a record for every assertion: the
    // inner loops only collect.)
    double outside = -INFINITY;
    int fewest = 3;
    for (int f = 0; f < h->faceCount; f++) {
        ctAssertClose(ctLength(h->faceNormals[f]), 1.0, 1e-14);
        int on = 0;
        for (int i = 0; i < count; i++) {
            double d = ctDot(h->faceNormals[f], points[i]) - (h->faceOffsets[f] + s->round);
            outside = fmax(outside, d);
            on += d > -tol;
        }
        fewest = on < fewest ? on : fewest;
    }
    for (int i = 0; i < h->vertexCount; i++) {
        int on = 0;
        for (int f = 0; f < h->faceCount; f++) {
            double d = ctDot(h->faceNormals[f], h->vertices[i]) - h->faceOffsets[f];
            outside = fmax(outside, d);
            on += d > -tol;
        }
        fewest = on < fewest ? on : fewest;
        ck_assert(h->vertexCorner[i] >= 0 && h->vertexCorner[i] < h->cornerCount);
    }
    ck_assert_msg(outside <= tol, "something is %g outside", outside);
    ck_assert_int_eq(fewest, 3);
    // Face loops run counter-clockwise, each of their edges is a neighbourhood, and each of their vertices knows the
    // face.
    int edges = 0;
    for (int f = 0; f < h->faceCount; f++) {
        int n = h->firstFaceVertex[f + 1] - h->firstFaceVertex[f];
        const int *v = &h->faceVertices[h->firstFaceVertex[f]];
        ck_assert_int_ge(n, 3);
        ctVec3 area = ctZero3();
        bool beside = true;
        double off = 0.0;
        for (int i = 0; i < n; i++) {
            int a = v[i], b = v[(i + 1) % n];
            off = fmax(off, fabs(ctDot(h->faceNormals[f], h->vertices[a]) - h->faceOffsets[f]));
            area = ctAdd(area,
                         ctCross(ctSub(h->vertices[a], h->vertices[v[0]]), ctSub(h->vertices[b], h->vertices[v[0]])));
            bool found = false;
            for (int k = h->firstNeighbour[a]; k < h->firstNeighbour[a + 1]; k++) {
                found = found || h->neighbours[k] == b;
            }
            beside = beside && found;
            found = false;
            for (int k = h->firstVertexFace[a]; k < h->firstVertexFace[a + 1]; k++) {
                found = found || h->vertexFaces[k] == f;
            }
            beside = beside && found;
            edges++;
        }
        ck_assert(beside && off <= tol && ctDot(area, h->faceNormals[f]) >= 0.0);
    }
    ck_assert_int_le(edges, h->firstNeighbour[h->vertexCount]);
    ck_assert_int_eq(edges, h->firstVertexFace[h->vertexCount]);
    ck_assert_int_eq(h->vertexCount - edges / 2 + h->faceCount, 2);
    // Climbing finds the highest vertex from everywhere, also along directions close to a face's normal, where
    // what is highest hangs on small differences.
    ctRandom r = ctRandomSeed(77);
    for (int i = 0; i < 100; i++) {
        ctVec3 d = ctRandomUnit(&r);
        if (i % 2) {
            d = ctMulAdd(h->faceNormals[ctRandomInt(&r, 0, h->faceCount - 1)], ctRandomLog(&r, 1e-12, 1e-2), d);
        }
        double best = -INFINITY;
        for (int k = 0; k < h->vertexCount; k++) {
            best = fmax(best, ctDot(d, h->vertices[k]));
        }
        int top = ctHullClimb(h, d, ctRandomInt(&r, 0, h->vertexCount - 1));
        ctAssertClose(ctDot(d, h->vertices[top]), best, tol);
    }
    // The bounds hold all points, tightly; the ball holds them too.
    ctVec3 lo = points[0], hi = points[0];
    double far = 0.0;
    for (int i = 0; i < count; i++) {
        lo = ctMin(lo, points[i]);
        hi = ctMax(hi, points[i]);
        far = fmax(far, ctDistance(points[i], s->unit.center));
    }
    ctAssertClose(ctDistance(lo, s->lo), 0.0, tol);
    ctAssertClose(ctDistance(hi, s->hi), 0.0, tol);
    ctAssertClose(far, s->boundRadius, tol);
}

static ctShape *hullOf(const ctVec3 *points, int count)
{
    ctError error = {ct_ok, ""};
    ctShape *s = ctShape_Hull(points, count, &error);
    ck_assert_msg(s != NULL, "%s", error.message);
    checkHull(s, points, count);
    return s;
}

START_TEST(random_point_sets)
{
    ctRandom r = ctRandomSeed(1);
    ctVec3 p[300];
    for (int i = 0; i < ctTestCases(300); i++) {
        int n = ctRandomInt(&r, 4, 60);
        double size = ctRandomLog(&r, 1e-4, 1e3);
        ctVec3 stretch = ctV3(size, size * ctRandomLog(&r, 1e-3, 1), size * ctRandomLog(&r, 1e-3, 1));
        ctVec3 shift = ctRandomVec3(&r, -size, size);
        ctQuat q = ctRandomQuat(&r);
        for (int k = 0; k < n; k++) {
            ctVec3 x = ctRandomInt(&r, 0, 1) ? ctRandomUnit(&r) : ctRandomVec3(&r, -1, 1);
            p[k] = ctAdd(shift, ctRotate(q, ctMul(stretch, x)));
        }
        ctShape_Release(hullOf(p, n));
    }
}
END_TEST

START_TEST(lattice_points_make_a_box)
{
    ctVec3 p[1000];
    int n = 0;
    for (int i = 0; i < 10; i++) {
        for (int j = 0; j < 10; j++) {
            for (int k = 0; k < 10; k++) {
                p[n++] = ctV3(0.1 * i, 0.2 * j, 0.3 * k);
            }
        }
    }
    ctShape *s = hullOf(p, n);
    ck_assert_int_eq(s->u.hull.faceCount, 6);
    ck_assert_int_eq(s->u.hull.vertexCount, 8);
    ctAssertClose(s->unit.mass, 0.9 * 1.8 * 2.7, 1e-13);
    ctShape_Release(s);
}
END_TEST

START_TEST(many_faces_at_one_corner)
{
    for (int n = 3; n <= 500; n = n * 2 + 1) {
        ctVec3 p[501 + 500];
        for (int i = 0; i < n; i++) {
            double a = 2.0 * CT_PI * i / n;
            p[i] = ctV3(cos(a), sin(a), 0.0);
        }
        p[n] = ctV3(0.0, 0.0, 1.5);
        ctShape *s = hullOf(p, n + 1);
        ck_assert_int_eq(s->u.hull.faceCount, n + 1);
        // A leaning apex: the corner of the core falls into several.
        p[n] = ctV3(0.3, 0.1, 1.5);
        ctShape_Release(s);
        s = hullOf(p, n + 1);
        ck_assert_int_eq(s->u.hull.faceCount, n + 1);
        ctShape_Release(s);
    }
}
END_TEST

START_TEST(marble_of_thousands_of_facets)
{
    ctRandom r = ctRandomSeed(5);
    int n = ctTestCases(2600);
    ctVec3 *p = malloc((size_t)n * sizeof *p);
    for (int i = 0; i < n; i++) {
        p[i] = ctScale(0.0125, ctRandomUnit(&r));
    }
    ctShape *s = hullOf(p, n);
    ck_assert_int_eq(s->u.hull.cornerCount, n);
    ck_assert_int_eq(s->u.hull.faceCount, 2 * n - 4);
    free(p);
    ctShape_Release(s);
}
END_TEST

START_TEST(nearly_coplanar_facets)
{
    ctRandom r = ctRandomSeed(6);
    for (int i = 0; i < ctTestCases(200); i++) {
        double noise = ctRandomLog(&r, 1e-17, 1e-3);
        ctVec3 p[60];
        int n = 0;
        for (int k = 0; k < 60; k++) { // on the six faces of a cube, each a little off
            ctVec3 x = ctRandomVec3(&r, -1, 1);
            double side = 1.0 + noise * ctRandomUniform(&r, -1, 1);
            if (k % 3 == 0) {
                x.x = copysign(side, x.x);
            } else if (k % 3 == 1) {
                x.y = copysign(side, x.y);
            } else {
                x.z = copysign(side, x.z);
            }
            p[n++] = x;
        }
        ctShape_Release(hullOf(p, n));
    }
}
END_TEST

START_TEST(hull_of_a_hull_is_the_same)
{
    ctRandom r = ctRandomSeed(7);
    ctVec3 p[200];
    for (int i = 0; i < ctTestCases(100); i++) {
        for (int k = 0; k < 200; k++) {
            p[k] = ctRandomVec3(&r, -1, 1);
        }
        ctShape *a = hullOf(p, 200);
        ctShape *b = hullOf(a->u.hull.corners, a->u.hull.cornerCount);
        ck_assert_int_eq(a->u.hull.faceCount, b->u.hull.faceCount);
        ck_assert_int_eq(a->u.hull.vertexCount, b->u.hull.vertexCount);
        ck_assert_int_eq(a->u.hull.cornerCount, b->u.hull.cornerCount);
        ctAssertClose(a->unit.mass, b->unit.mass, 1e-14);
        ctAssertClose(a->round, b->round, 1e-16);
        ctAssertClose(ctDistance(a->unit.center, b->unit.center), 0.0, 1e-14);
        // Points repeated, and points inside, change nothing.
        int n = a->u.hull.cornerCount;
        for (int k = 0; k < 200; k++) {
            p[k] = k < 2 * n ? a->u.hull.corners[k % n] : ctLerp(a->u.hull.corners[0], a->u.hull.corners[k % n], 0.5);
        }
        ctShape *c = hullOf(p, 200);
        ck_assert_int_eq(a->u.hull.faceCount, c->u.hull.faceCount);
        ck_assert_int_eq(a->u.hull.cornerCount, c->u.hull.cornerCount);
        ctAssertClose(a->unit.mass, c->unit.mass, 1e-14);
        ctShape_Release(a);
        ctShape_Release(b);
        ctShape_Release(c);
    }
}
END_TEST

static void refused(const ctVec3 *points, int count, const char *says)
{
    ctError error = {ct_ok, ""};
    ck_assert(ctShape_Hull(points, count, &error) == NULL);
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert_msg(strstr(error.message, says) != NULL, "\"%s\" does not say \"%s\"", error.message, says);
    ck_assert(ctShape_Hull(points, count, NULL) == NULL);
}

START_TEST(flat_and_bad_points_are_refused)
{
    ctVec3 p[50];
    ctRandom r = ctRandomSeed(8);
    memset(p, 0, sizeof p);
    refused(NULL, 10, "at least four points");
    refused(p, 0, "at least four points, not 0");
    refused(p, 3, "at least four points, not 3");
    refused(p, 50, "are the same");
    for (double scale = 1e-4; scale < 2e3; scale *= 10.0) {
        ctVec3 o = ctRandomVec3(&r, -scale, scale), u = ctRandomUnit(&r), v = ctRandomUnit(&r);
        for (int i = 0; i < 50; i++) {
            p[i] = o;
        }
        refused(p, 50, "are the same");
        for (int i = 0; i < 50; i++) {
            p[i] = ctMulAdd(o, scale * ctRandomUniform(&r, -1, 1), u);
        }
        refused(p, 50, "on one line");
        for (int i = 0; i < 50; i++) {
            p[i] = ctMulAdd(p[i], scale * ctRandomUniform(&r, -1, 1), v);
        }
        refused(p, 50, "in one plane");
        p[17] = ctV3(0.0, NAN, 0.0);
        refused(p, 50, "point 18");
        p[17] = ctV3(0.0, 0.0, -INFINITY);
        refused(p, 50, "point 18");
        p[17] = ctV3(1e12, 0.0, 0.0);
        refused(p, 50, "point 18");
    }
}
END_TEST

// Slivers and grids of whole numbers: many points on common lines and planes, exactly or nearly.
START_TEST(degenerate_point_sets)
{
    ctRandom r = ctRandomSeed(9);
    ctVec3 p[120];
    int made = 0;
    for (int i = 0; i < ctTestCases(2000); i++) {
        int n = ctRandomInt(&r, 4, 120), grid = ctRandomInt(&r, 1, 6);
        double noise = ctRandomInt(&r, 0, 1) ? 0.0 : ctRandomLog(&r, 1e-17, 1e-6);
        double flat = ctRandomInt(&r, 0, 3) ? 1.0 : ctRandomLog(&r, 1e-6, 1);
        ctQuat q = ctRandomInt(&r, 0, 1) ? ctQuatIdentity() : ctRandomQuat(&r);
        for (int k = 0; k < n; k++) {
            ctVec3 x = ctV3(ctRandomInt(&r, 0, grid), ctRandomInt(&r, 0, grid), flat * ctRandomInt(&r, 0, grid));
            p[k] = ctRotate(q, ctMulAdd(x, noise, ctRandomVec3(&r, -1, 1)));
        }
        ctError error = {ct_ok, ""};
        ctShape *s = ctShape_Hull(p, n, &error);
        if (s != NULL) {
            checkHull(s, p, n);
            made++;
        } else {
            ck_assert_msg(strstr(error.message, "in one plane") != NULL ||
                              strstr(error.message, "on one line") != NULL ||
                              strstr(error.message, "are the same") != NULL,
                          "case %d: %s", i, error.message);
        }
        ctShape_Release(s);
    }
    ck_assert_int_gt(made, ctTestCases(2000) / 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hull");
    TCase *tc = tcase_create("hull");
    tcase_add_test(tc, random_point_sets);
    tcase_add_test(tc, lattice_points_make_a_box);
    tcase_add_test(tc, many_faces_at_one_corner);
    tcase_add_test(tc, marble_of_thousands_of_facets);
    tcase_add_test(tc, nearly_coplanar_facets);
    tcase_add_test(tc, hull_of_a_hull_is_the_same);
    tcase_add_test(tc, flat_and_bad_points_are_refused);
    tcase_add_test(tc, degenerate_point_sets);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
