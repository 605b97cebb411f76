// The factor inside its envelope against a dense matrix that is put together and multiplied out here.
#include "collision/memory.h"
#include "engine/solver/blocks.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <math.h>
#include <string.h>

enum { BODIES = 14, POINTS = 30, SIZE = CT_BLOCK * BODIES };

typedef struct Case {
    ctSolverBody bodies[BODIES];
    ctSolverPoint points[POINTS];
    ctVec3 h[POINTS][3];
    int pointCount;
    double dense[SIZE][SIZE]; // by body: 6 i + component
} Case;

// The velocity at a point per component of a body's velocity and spin: v + w x r.
static ctVec3 column(ctVec3 r, int k)
{
    ctVec3 unit = ctV3(k % 3 == 0, k % 3 == 1, k % 3 == 2);
    return k < 3 ? unit : ctCross(unit, r);
}

static ctVec3 jacobian(const ctSolverPoint *p, int body, int k)
{
    ctVec3 sum = ctZero3();
    sum = body == p->a ? ctAdd(sum, column(p->ra, k)) : sum;
    return body == p->b ? ctSub(sum, column(p->rb, k)) : sum;
}

static void addMasses(Case *c)
{
    for (int i = 0; i < BODIES; i++) {
        const ctSolverBody *b = &c->bodies[i];
        for (int k = 0; k < 3; k++) {
            double *row = &c->dense[CT_BLOCK * i + 3 + k][CT_BLOCK * i + 3];
            ctVec3 inertia;
            ck_assert(ctSolve(b->invInertia, ctV3(k == 0, k == 1, k == 2), &inertia));
            c->dense[CT_BLOCK * i + k][CT_BLOCK * i + k] = 1.0 / b->invMass;
            row[0] = inertia.x;
            row[1] = inertia.y;
            row[2] = inertia.z;
        }
    }
}

// J^T H J over all components of the point's two bodies.
static void addPoint(Case *c, const ctSolverPoint *p, const ctVec3 h[3])
{
    int ends[2] = {p->a, p->b};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < CT_BLOCK; k++) {
                for (int l = 0; l < CT_BLOCK; l++) {
                    ctVec3 left = jacobian(p, ends[i], k), right = jacobian(p, ends[j], l);
                    ctVec3 hr = ctV3(ctDot(h[0], right), ctDot(h[1], right), ctDot(h[2], right));
                    if (c->bodies[ends[i]].invMass > 0.0 && c->bodies[ends[j]].invMass > 0.0) {
                        c->dense[CT_BLOCK * ends[i] + k][CT_BLOCK * ends[j] + l] += ctDot(left, hr);
                    }
                }
            }
        }
    }
}

// H J for a body with such an arm.
static ctRows rowsOf(const ctVec3 h[3], ctVec3 arm)
{
    ctRows rows;
    for (int i = 0; i < 3; i++) {
        ctVec3 turn = ctCross(arm, h[i]);
        rows.at[2 * i] = (ctFour){h[i].x, h[i].y, h[i].z, turn.x};
        rows.at[2 * i + 1] = (ctFour){turn.y, turn.z, 0.0, 0.0};
    }
    return rows;
}

static void fill(Case *c, ctRandom *r)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < BODIES; i++) {
        ctMat3 axes = ctMat3FromQuat(ctRandomQuat(r));
        c->bodies[i].invMass = 1.0 / ctRandomLog(r, 0.1, 10.0);
        c->bodies[i].invInertia = ctRotateDiagonal(axes, ctRandomVec3(r, 50.0, 500.0));
    }
    addMasses(c);
    c->bodies[3].invMass = 0.0; // a wall
    for (int i = 0; i < POINTS; i++) {
        // Neighbours in a chain first, so that every body has a point; then some that close loops.
        ctSolverPoint *p = &c->points[i];
        p->a = i < BODIES - 1 ? i : ctRandomInt(r, 0, BODIES - 1);
        p->b = i < BODIES - 1 ? i + 1 : (p->a + ctRandomInt(r, 1, 4)) % BODIES;
        p->n = ctRandomUnit(r);
        p->ra = ctRandomVec3(r, -0.2, 0.2);
        p->rb = ctRandomVec3(r, -0.2, 0.2);
        // Positive definite, and not symmetric: a rotation of slip into another direction makes it so. Where it is far
        // from symmetric, pivots of the diagonal are small.
        ctMat3 h = ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), ctRandomVec3(r, 0.1, 3.0));
        double most = i % 3 == 0 ? 30.0 : 0.1, skew = ctRandomUniform(r, -most, most);
        c->h[i][0] = ctV3(h.cx.x, h.cy.x + skew, h.cz.x);
        c->h[i][1] = ctV3(h.cx.y - skew, h.cy.y, h.cz.y);
        c->h[i][2] = ctV3(h.cx.z, h.cy.z, h.cz.z);
        addPoint(c, p, c->h[i]);
    }
}

START_TEST(the_factor_solves_the_dense_system)
{
    ctRandom r = ctRandomSeed(5);
    Case *c = ctAllocate(1, sizeof *c);
    ctBlocks m = {0};
    for (int run = 0; run < ctTestCases(100); run++) {
        double x[BODIES * CT_STRIDE] = {0}, right[BODIES * CT_STRIDE] = {0}, worst = 0.0;
        fill(c, &r);
        ck_assert(ctBlocks_Begin(&m, c->bodies, BODIES, c->points, POINTS));
        ck_assert_int_eq(m.count, BODIES - 1);
        ck_assert_int_eq(m.block[3], -1);
        ctBlocks_SetMasses(&m);
        for (int i = 0; i < POINTS; i++) {
            ctRows a = rowsOf(c->h[i], c->points[i].ra), b = rowsOf(c->h[i], c->points[i].rb);
            ctBlocks_AddPoint(&m, &c->points[i], &a, &b);
        }
        ck_assert(ctBlocks_Factor(&m));
        for (int i = 0; i < m.count; i++) {
            for (int k = 0; k < CT_BLOCK; k++) {
                right[i * CT_STRIDE + k] = x[i * CT_STRIDE + k] = ctRandomUniform(&r, -1.0, 1.0);
            }
        }
        ctBlocks_Solve(&m, x);
        for (int i = 0; i < m.count; i++) {
            for (int k = 0; k < CT_BLOCK; k++) {
                const double *row = c->dense[CT_BLOCK * m.order[i] + k];
                double sum = 0.0, size = 0.0;
                for (int j = 0; j < m.count; j++) {
                    for (int l = 0; l < CT_BLOCK; l++) {
                        double term = row[CT_BLOCK * m.order[j] + l] * x[j * CT_STRIDE + l];
                        sum += term;
                        size += fabs(term);
                    }
                }
                worst = ctFmax(worst, fabs(sum - right[i * CT_STRIDE + k]) / (size + 1.0));
            }
        }
        ck_assert_msg(worst < 1e-12, "run %d: residual %g", run, worst);
    }
    ctBlocks_Destroy(&m);
    ctFree(c);
}
END_TEST

// A chain has one block beside the diagonal in each row, whatever the order in which its bodies come.
START_TEST(a_chain_needs_no_room_for_fill_in)
{
    ctRandom r = ctRandomSeed(6);
    Case *c = ctAllocate(1, sizeof *c);
    ctBlocks m = {0};
    fill(c, &r);
    c->bodies[3].invMass = 1.0;
    int place[BODIES];
    for (int i = 0; i < BODIES; i++) {
        place[i] = 5 * i % BODIES; // a permutation: 5 and 14 have no common divisor
    }
    for (int i = 0; i < BODIES - 1; i++) {
        c->points[i].a = place[i];
        c->points[i].b = place[i + 1];
    }
    ck_assert(ctBlocks_Begin(&m, c->bodies, BODIES, c->points, BODIES - 1));
    ck_assert_int_eq(m.count, BODIES);
    for (int i = 0; i < m.count; i++) {
        ck_assert_int_eq(m.low[i], i > 0 ? i - 1 : 0);
    }
    ctBlocks_Destroy(&m);
    ctFree(c);
}
END_TEST

START_TEST(a_singular_matrix_is_refused)
{
    ctRandom r = ctRandomSeed(7);
    Case *c = ctAllocate(1, sizeof *c);
    ctBlocks m = {0};
    fill(c, &r);
    ck_assert(ctBlocks_Begin(&m, c->bodies, BODIES, c->points, POINTS));
    ctBlocks_SetMasses(&m);
    memset(m.diagonal, 0, (size_t)m.count * CT_BLOCK * CT_STRIDE * sizeof *m.diagonal);
    ck_assert(!ctBlocks_Factor(&m));
    ctBlocks_Destroy(&m);
    ctFree(c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("blocks");
    TCase *tc = tcase_create("blocks");
    tcase_add_test(tc, the_factor_solves_the_dense_system);
    tcase_add_test(tc, a_chain_needs_no_room_for_fill_in);
    tcase_add_test(tc, a_singular_matrix_is_refused);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
