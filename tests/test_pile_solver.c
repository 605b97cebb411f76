// The sweeps of piles against the conditions that they must converge to, closed forms, and the exact solver.
#include "collision/quat.h"
#include "engine/contact/pile/pile_solver.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <math.h>

#define G 9.81
#define H (1.0 / 480.0)

// A cube of side 2 r on a wall (body 0): four points at its lower corners, the normal n, friction mu.
static void makeCube(ctSolverBody bodies[2], ctPileManifold *m, double mass, double r, ctVec3 n, double mu)
{
    double inertia = mass * 2.0 * r * r / 3.0;
    bodies[0] = (ctSolverBody){.invMass = 0.0};
    bodies[1] =
        (ctSolverBody){.invMass = 1.0 / mass, .invInertia = ctMat3Diagonal(1 / inertia, 1 / inertia, 1 / inertia)};
    *m = (ctPileManifold){.a = 1, .b = 0, .count = 4, .wall = true, .n = n, .size = r, .friction = mu};
    ctFrameFromNormal(n, &m->t1, &m->t2);
    for (int i = 0; i < 4; i++) {
        ctVec3 corner = ctMulAdd(ctScale(i & 1 ? r : -r, m->t1), i & 2 ? r : -r, m->t2);
        m->points[i] = (ctPilePoint){.ra = ctMulAdd(corner, -r, n)};
    }
    ctPile_Prepare(bodies, m);
}

static int converge(ctSolverBody *bodies, ctPileManifold *m, double tolerance)
{
    int visits = 1;
    while (ctPile_Solve(bodies, &(ctPileManifold *){m}, 1, tolerance) && visits < 20000) {
        visits++;
    }
    return visits;
}

static ctVec3 velocityAt(const ctSolverBody *bodies, const ctPileManifold *m, const ctPilePoint *p)
{
    ctVec3 a = ctAdd(bodies[m->a].v, ctCross(bodies[m->a].w, p->ra));
    return ctSub(a, ctAdd(bodies[m->b].v, ctCross(bodies[m->b].w, p->rb)));
}

// Signorini and Coulomb at every point, for the velocities after.
static void checkManifold(const ctSolverBody *bodies, const ctPileManifold *m, double tolV, double tolP)
{
    for (int i = 0; i < m->count; i++) {
        const ctPilePoint *p = &m->points[i];
        ctVec3 u = velocityAt(bodies, m, p);
        double un = ctDot(u, m->n) - p->target, u1 = ctDot(u, m->t1), u2 = ctDot(u, m->t2);
        double slip = sqrt(u1 * u1 + u2 * u2), bound = m->friction * p->pn;
        ck_assert_msg(p->pn >= 0.0 && un >= -tolV, "normal impulse %g, approach %g", p->pn, -un);
        ck_assert_msg(sqrt(p->p1 * p->p1 + p->p2 * p->p2) <= bound + tolP, "outside the cone");
        if (p->pn > tolP) {
            ctAssertClose(un, 0.0, tolV);
        }
        if (slip > 100.0 * tolV && p->pn > tolP) { // friction opposes the slip, and is all that it can be
            ctAssertClose(p->p1, -bound * u1 / slip, 0.02 * bound + tolP);
            ctAssertClose(p->p2, -bound * u2 / slip, 0.02 * bound + tolP);
        }
    }
}

START_TEST(a_cube_is_stopped_by_its_four_corners)
{
    ctSolverBody bodies[2];
    ctPileManifold m;
    makeCube(bodies, &m, 2.0, 0.1, ctV3(0, 0, 1), 0.5);
    bodies[1].v = ctV3(0, 0, -1.0);
    converge(bodies, &m, 1e-12);
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum += m.points[i].pn;
    }
    ctAssertClose(sum, 2.0, 1e-9);
    ctAssertClose(ctLength(bodies[1].v) + ctLength(bodies[1].w), 0.0, 1e-9);
    // What is at rest stays so, and a visit changes nothing.
    ck_assert(!ctPile_Solve(bodies, &(ctPileManifold *){&m}, 1, 1e-9));
}
END_TEST

// Steps of gravity on a slope whose tangent is 0.4: friction of 0.5 holds the cube, 0.3 lets it slide at
// g (sin - mu cos).
START_TEST(a_cube_on_a_slope_sticks_or_slides)
{
    double angle = atan(0.4);
    for (int k = 0; k < 2; k++) {
        double mu = k == 0 ? 0.5 : 0.3, speed = 0.0;
        ctSolverBody bodies[2];
        ctPileManifold m;
        makeCube(bodies, &m, 2.0, 0.1, ctV3(-sin(angle), 0, cos(angle)), mu);
        for (int step = 0; step < 240; step++) {
            bodies[1].v.z -= G * H;
            for (int i = 0; i < 4; i++) {
                m.points[i].p1 = m.points[i].p2 = m.points[i].pn = 0.0;
            }
            converge(bodies, &m, 1e-13);
            checkManifold(bodies, &m, 1e-10, 1e-10);
            speed = ctLength(bodies[1].v);
        }
        ctAssertClose(speed, k == 0 ? 0.0 : 240 * H * G * (sin(angle) - mu * cos(angle)), 1e-8);
    }
}
END_TEST

// Random motions of the cube: whatever the sweeps end with obeys every condition.
START_TEST(what_sweeps_converge_to_is_the_exact_cone)
{
    ctRandom r = ctRandomSeed(11);
    int slid = 0, stuck = 0, open = 0;
    for (int run = 0; run < ctTestCases(2000); run++) {
        ctSolverBody bodies[2];
        ctPileManifold m;
        makeCube(bodies, &m, ctRandomLog(&r, 0.1, 10.0), ctRandomLog(&r, 0.01, 1.0), ctRandomUnit(&r),
                 ctRandomUniform(&r, 0.0, 1.0));
        bodies[1].v = ctRandomVec3(&r, -1, 1);
        bodies[1].w = ctScale(1.0 / m.size, ctRandomVec3(&r, -1, 1));
        bodies[0].v = ctScale(0.3, ctRandomUnit(&r)); // a wall that moves
        converge(bodies, &m, 1e-12);
        checkManifold(bodies, &m, 1e-9, 1e-9 / bodies[1].invMass);
        for (int i = 0; i < 4; i++) {
            const ctPilePoint *p = &m.points[i];
            double friction = sqrt(p->p1 * p->p1 + p->p2 * p->p2);
            open += p->pn == 0.0;
            slid += p->pn > 0.0 && friction > 0.999 * m.friction * p->pn;
            stuck += p->pn > 0.0 && friction < 0.999 * m.friction * p->pn;
        }
    }
    ck_assert_msg(slid > 20 && stuck > 20 && open > 20, "slid %d, stuck %d, open %d", slid, stuck, open);
}
END_TEST

// Without friction the velocities after are unique: those of the exact solver.
START_TEST(without_friction_the_exact_solver_agrees)
{
    ctRandom r = ctRandomSeed(12);
    ctSolver solver = {0};
    for (int run = 0; run < ctTestCases(500); run++) {
        ctSolverBody bodies[2], exact[2];
        ctSolverPoint points[4] = {{0}};
        ctPileManifold m;
        makeCube(bodies, &m, ctRandomLog(&r, 0.1, 10.0), 0.1, ctRandomUnit(&r), 0.0);
        bodies[1].v = ctRandomVec3(&r, -1, 1);
        bodies[1].w = ctRandomVec3(&r, -10, 10);
        for (int i = 0; i < 4; i++) {
            points[i] = (ctSolverPoint){.a = 1, .b = 0, .n = m.n, .ra = m.points[i].ra, .rb = m.points[i].rb};
        }
        exact[0] = bodies[0];
        exact[1] = bodies[1];
        converge(bodies, &m, 1e-13);
        ctSolver_Solve(&solver, exact, 2, points, 4, 1e-12, 2000);
        ctAssertClose(ctDistance(bodies[1].v, exact[1].v), 0.0, 1e-8);
        ctAssertClose(ctDistance(bodies[1].w, exact[1].w), 0.0, 1e-7);
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// Impulses of the last step as the start of the next: a cube at rest needs no more than one visit.
START_TEST(impulses_of_the_last_step_are_a_start)
{
    ctSolverBody bodies[2];
    ctPileManifold m;
    makeCube(bodies, &m, 2.0, 0.1, ctV3(0, 0, 1), 0.5);
    bodies[1].v.z = -G * H;
    converge(bodies, &m, 1e-13);
    bodies[1].v.z -= 0.5 * G * H; // a step of half the length
    ctPile_Scale(&m, 0.5);
    ctPile_Apply(bodies, &m);
    ctAssertClose(ctLength(bodies[1].v), 0.0, 1e-12);
    ck_assert(!ctPile_Solve(bodies, &(ctPileManifold *){&m}, 1, 1e-9));
}
END_TEST

START_TEST(overlaps_are_pushed_out)
{
    ctSolverBody bodies[2];
    ctPileManifold m;
    makeCube(bodies, &m, 2.0, 0.1, ctV3(0, 0, 1), 0.5);
    // Three corners overlap by different depths, one has room.
    double rooms[4] = {-1e-3, -2e-3, -3e-3, 1e-3};
    for (int i = 0; i < 4; i++) {
        m.points[i].room = rooms[i];
    }
    ctPilePush pushes[2] = {{.any = false}, {.any = false}};
    for (int i = 0; i < 500 && ctPile_Push(bodies, pushes, &(ctPileManifold *){&m}, 1, ctZero3()); i++) {
    }
    ck_assert(pushes[1].any && !pushes[0].any);
    for (int i = 0; i < 4; i++) {
        ctVec3 d = ctAdd(pushes[1].x, ctCross(pushes[1].turn, m.points[i].ra));
        ck_assert_msg(rooms[i] + d.z > -2e-8, "corner %d overlaps by %g", i, -(rooms[i] + d.z));
    }
    // Of two cubes on each other the upper one gives way, all of it.
    ctSolverBody two[3] = {bodies[1], bodies[1], bodies[1]};
    ctPilePush moved[3] = {{.any = false}};
    m.b = 2;
    m.wall = false;
    for (int i = 0; i < 4; i++) {
        m.points[i].rb = ctV3(m.points[i].ra.x, m.points[i].ra.y, 0.1);
        m.points[i].room = -1e-3;
    }
    for (int i = 0; i < 500 && ctPile_Push(two, moved, &(ctPileManifold *){&m}, 1, ctV3(0, 0, 1)); i++) {
    }
    for (int i = 0; i < 4; i++) {
        ctVec3 d = ctAdd(moved[1].x, ctCross(moved[1].turn, m.points[i].ra));
        ck_assert_msg(d.z > 1e-3 - 2e-8 && d.z < 1.3e-3, "corner %d is pushed by %g", i, d.z);
    }
    ctAssertClose(ctLength(moved[2].x), 0.0, 1e-12);
}
END_TEST

// A body of a pile that does not move, against a wall that does: nothing can answer, and nothing becomes NaN.
START_TEST(two_that_cannot_move_stay_as_they_are)
{
    ctSolverBody bodies[2];
    ctPileManifold m;
    makeCube(bodies, &m, 2.0, 0.1, ctV3(0, 0, 1), 0.5);
    bodies[1] = (ctSolverBody){.invMass = 0.0};
    bodies[0].v = ctV3(0.1, 0, 0.5);
    bodies[0].w = ctV3(0, 0, 1.0);
    m.rolling = m.spinning = 1e-3;
    ctPile_Prepare(bodies, &m);
    ck_assert(!ctPile_Solve(bodies, &(ctPileManifold *){&m}, 1, 1e-9));
    ck_assert(ctIsFinite3(m.twist) && ctIsFinite3(bodies[1].w) && ctLength(bodies[1].v) == 0.0);
}
END_TEST

// Manifolds of all kinds, of bodies 2 i + 1 and 2 i + 2: pairs and walls that move, one to four points that stick,
// slide or are open, resistances, bodies that cannot move.
static void makeSome(ctRandom *r, ctSolverBody *bodies, ctPilePush *pushes, ctPileManifold *manifolds, int count)
{
    bodies[0] = (ctSolverBody){.v = ctV3(0.1, 0, 0), .w = ctV3(0, 0, 0.2)};
    pushes[0] = (ctPilePush){.any = false};
    for (int i = 1; i <= 2 * count; i++) {
        bool still = ctRandomUniform(r, 0.0, 1.0) < 0.2;
        double mass = ctRandomLog(r, 0.1, 10.0), inertia = still ? 0.0 : 600.0 / mass;
        bodies[i] = (ctSolverBody){.v = ctRandomVec3(r, -1, 1),
                                   .w = ctRandomVec3(r, -10, 10),
                                   .invMass = still ? 0.0 : 1.0 / mass,
                                   .invInertia = ctMat3Diagonal(inertia, 1.2 * inertia, 0.9 * inertia)};
        pushes[i] = (ctPilePush){.x = ctRandomVec3(r, -1e-3, 1e-3), .turn = ctRandomVec3(r, -1e-2, 1e-2)};
    }
    for (int i = 0; i < count; i++) {
        ctPileManifold *m = &manifolds[i];
        bool wall = ctRandomUniform(r, 0.0, 1.0) < 0.3, rolls = ctRandomUniform(r, 0.0, 1.0) < 0.3;
        *m = (ctPileManifold){.a = 2 * i + 1,
                              .b = wall ? 0 : 2 * i + 2,
                              .count = 1 + (int)ctRandomUniform(r, 0.0, 3.999),
                              .wall = wall,
                              .n = ctRandomUnit(r),
                              .size = 0.1,
                              .friction = ctRandomUniform(r, 0.0, 1.0),
                              .patch = 2e-4,
                              .rolling = rolls ? 1e-3 : 0.0};
        ctFrameFromNormal(m->n, &m->t1, &m->t2);
        for (int k = 0; k < m->count; k++) {
            bool open = ctRandomUniform(r, 0.0, 1.0) < 0.3;
            m->points[k] = (ctPilePoint){.ra = ctRandomVec3(r, -0.1, 0.1),
                                         .rb = ctRandomVec3(r, -0.1, 0.1),
                                         .target = open ? -10.0 : 0.0,
                                         .room = open ? 0.1 : -1e-3,
                                         .pn = open ? 0.0 : ctRandomUniform(r, 0.0, 1.0)};
        }
        ctPile_Prepare(bodies, m);
    }
}

static bool sameManifold(const ctPileManifold *a, const ctPileManifold *b)
{
    bool same = a->loaded == b->loaded && a->twisted == b->twisted && ctDistance(a->twist, b->twist) == 0.0;
    for (int k = 0; k < a->count; k++) {
        const ctPilePoint *p = &a->points[k], *q = &b->points[k];
        same = same && p->p1 == q->p1 && p->p2 == q->p2 && p->pn == q->pn;
    }
    return same;
}

// What a visit does to a manifold does not depend on those that are visited with it, to the last bit.
START_TEST(visits_at_once_are_visits_one_by_one)
{
    enum { MOST = CT_PILE_LANES, BODIES = 2 * MOST + 1 };
    ctRandom r = ctRandomSeed(5);
    int changed = 0, moved = 0;
    for (int run = 0; run < ctTestCases(2000); run++) {
        ctSolverBody together[BODIES], alone[BODIES];
        ctPilePush pushes[BODIES], pushesAlone[BODIES];
        ctPileManifold m[MOST], n[MOST], *list[MOST];
        int count = 1 + run % MOST;
        makeSome(&r, together, pushes, m, count);
        for (int i = 0; i < 2 * count + 1; i++) {
            alone[i] = together[i];
            pushesAlone[i] = pushes[i];
        }
        unsigned one = 0, oneMoved = 0;
        for (int i = 0; i < count; i++) {
            n[i] = m[i];
            list[i] = &m[i];
            one |= ctPile_Solve(alone, &(ctPileManifold *){&n[i]}, 1, 1e-3) << i;
            oneMoved |= ctPile_Push(alone, pushesAlone, &(ctPileManifold *){&n[i]}, 1, ctV3(0, 0, 1)) << i;
        }
        ck_assert_uint_eq(ctPile_Solve(together, list, count, 1e-3), one);
        int some = count < CT_PILE_QUAD ? count : CT_PILE_QUAD;
        unsigned allMoved = ctPile_Push(together, pushes, list, some, ctV3(0, 0, 1));
        if (count > some) {
            allMoved |= ctPile_Push(together, pushes, list + some, count - some, ctV3(0, 0, 1)) << some;
        }
        ck_assert_uint_eq(allMoved, oneMoved);
        for (int i = 0; i < 2 * count + 1; i++) {
            ck_assert_msg(ctDistance(together[i].v, alone[i].v) == 0.0 && ctDistance(together[i].w, alone[i].w) == 0.0,
                          "run %d: velocity of body %d", run, i);
            ck_assert(together[i].invMass == alone[i].invMass &&
                      together[i].invInertia.cx.x == alone[i].invInertia.cx.x);
            ck_assert_msg(ctDistance(pushes[i].x, pushesAlone[i].x) == 0.0 &&
                              ctDistance(pushes[i].turn, pushesAlone[i].turn) == 0.0 &&
                              pushes[i].any == pushesAlone[i].any,
                          "run %d: displacement of body %d", run, i);
        }
        for (int i = 0; i < count; i++) {
            ck_assert_msg(sameManifold(&m[i], &n[i]), "run %d: manifold %d", run, i);
            changed += one >> i & 1;
            moved += oneMoved >> i & 1;
        }
    }
    ck_assert(changed > ctTestCases(2000) && moved > ctTestCases(2000));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pile_solver");
    TCase *tc = tcase_create("pile_solver");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_cube_is_stopped_by_its_four_corners);
    tcase_add_test(tc, a_cube_on_a_slope_sticks_or_slides);
    tcase_add_test(tc, what_sweeps_converge_to_is_the_exact_cone);
    tcase_add_test(tc, without_friction_the_exact_solver_agrees);
    tcase_add_test(tc, impulses_of_the_last_step_are_a_start);
    tcase_add_test(tc, overlaps_are_pushed_out);
    tcase_add_test(tc, two_that_cannot_move_stay_as_they_are);
    tcase_add_test(tc, visits_at_once_are_visits_one_by_one);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
