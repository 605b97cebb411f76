// The contact solver against the conditions it must satisfy and against closed forms.
#include "engine/solver/part.h"
#include "engine/solver/solver.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <string.h>

#define G 9.81
#define H (1.0 / 480.0)

static ctSolverBody movable(double mass, ctVec3 inertia)
{
    ctSolverBody b = {.invMass = 1.0 / mass, .invInertia = ctMat3Diagonal(1 / inertia.x, 1 / inertia.y, 1 / inertia.z)};
    return b;
}

static ctSolverBody randomBody(ctRandom *r)
{
    double mass = ctRandomLog(r, 0.1, 10.0), size = ctRandomLog(r, 0.03, 0.3);
    ctVec3 side = ctRandomVec3(r, 0.2, 1.0), sq = ctMul(side, side);
    ctVec3 inertia = ctScale(mass * size * size / 12.0, ctV3(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y));
    ctSolverBody b = {.invMass = 1.0 / mass};
    b.invInertia = ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), ctV3(1 / inertia.x, 1 / inertia.y, 1 / inertia.z));
    b.v = ctRandomVec3(r, -1, 1);
    b.w = ctRandomVec3(r, -10, 10);
    return b;
}

// Signorini and Coulomb, with u the velocity after.
static void checkPoint(const ctSolverBody *bodies, const ctSolverPoint *p, double tolV, double tolP)
{
    ctVec3 u = ctSolverPoint_Velocity(p, bodies);
    double un = ctDot(u, p->n) - p->target, pn = ctDot(p->impulse, p->n);
    ctVec3 ut = ctMulAdd(u, -ctDot(u, p->n), p->n), pt = ctMulAdd(p->impulse, -pn, p->n);
    ck_assert_msg(pn >= 0.0, "normal impulse %g", pn);
    ck_assert_msg(un >= -tolV, "approach %g left", un);
    if (pn > tolP) {
        ctAssertClose(un, 0.0, tolV);
    }
    ck_assert_msg(ctLength(pt) <= p->mu * pn + tolP, "outside the cone by %g", ctLength(pt) - p->mu * pn);
    if (ctLength(ut) > tolV && pn > 0.0) {
        ctVec3 expected = ctScale(-p->mu * pn / ctLength(ut), ut);
        ctAssertClose(ctDistance(pt, expected) * ctLength(ut), 0.0, tolV * (p->mu + 1.0) * pn + tolP * ctLength(ut));
    }
}

START_TEST(one_point_obeys_signorini_and_coulomb)
{
    ctRandom r = ctRandomSeed(1);
    ctSolver solver = {0};
    int stuck = 0, slid = 0, parted = 0;
    for (int i = 0; i < ctTestCases(20000); i++) {
        ctSolverBody bodies[2] = {randomBody(&r), randomBody(&r)};
        if (i % 3 == 0) {
            bodies[1].invMass = 0.0;
        }
        ctSolverPoint p = {
            .a = i & 1, .b = 1 - (i & 1), .n = ctRandomUnit(&r), .mu = i % 7 ? ctRandomLog(&r, 0.01, 3.0) : 0.0};
        p.ra = ctRandomVec3(&r, -0.2, 0.2);
        p.rb = ctRandomVec3(&r, -0.2, 0.2);
        p.target = i % 5 == 0 ? ctRandomUniform(&r, -0.1, 0.1) : 0.0;
        ctSolverReport report = ctSolver_Solve(&solver, bodies, 2, &p, 1, CT_SOLVER_TOLERANCE, 100);
        ck_assert(report.converged);
        ck_assert_int_le(report.sweeps, 3);
        double scale = fmax(1.0, ctLength(p.impulse));
        checkPoint(bodies, &p, 1e-9, 1e-12 * scale);
        ctVec3 u = ctSolverPoint_Velocity(&p, bodies);
        parted += ctLength(p.impulse) == 0.0;
        bool slides = ctLength(ctMulAdd(u, -ctDot(u, p.n), p.n)) > 1e-8;
        slid += slides && ctLength(p.impulse) > 0.0;
        stuck += !slides;
    }
    ctSolver_Destroy(&solver);
    ck_assert(stuck > ctTestCases(500) && slid > ctTestCases(500) && parted > ctTestCases(500));
}
END_TEST

// The impulse at one point of bodies with such a share of their velocities.
static ctVec3 slidesAt(ctSolverBody bodies[2], ctSolverPoint p, double share)
{
    for (int i = 0; i < 2; i++) {
        bodies[i].v = ctScale(share, bodies[i].v);
        bodies[i].w = ctScale(share, bodies[i].w);
    }
    ctSolver_Prepare(bodies, &p, 1);
    ctSolver_Sweep(bodies, &p, 1, false);
    ctSolver_Finish(&p, 1);
    return ctScale(1.0 / share, p.impulse);
}

// Loads of points that are about to part may be as small as numbers can be.
START_TEST(slip_is_found_at_any_scale)
{
    ctRandom r = ctRandomSeed(5);
    for (int i = 0; i < ctTestCases(1000); i++) {
        ctSolverBody bodies[2] = {randomBody(&r), randomBody(&r)};
        ctSolverBody slow[2] = {bodies[0], bodies[1]};
        ctSolverPoint p = {.a = 0, .b = 1, .n = ctRandomUnit(&r), .mu = 0.1};
        p.ra = ctRandomVec3(&r, -0.05, 0.05);
        p.rb = ctRandomVec3(&r, -0.05, 0.05);
        ctVec3 expected = slidesAt(bodies, p, 1.0);
        ctAssertClose(ctDistance(slidesAt(slow, p, 0x1p-400), expected), 0.0, 1e-12 * (1.0 + ctLength(expected)));
    }
}
END_TEST

typedef struct Sums {
    ctVec3 momentum;
    double energy;
} Sums;

static Sums sums(const ctSolverBody *bodies, int n)
{
    Sums s = {ctZero3(), 0.0};
    for (int i = 0; i < n; i++) {
        if (bodies[i].invMass > 0.0) {
            s.momentum = ctMulAdd(s.momentum, 1.0 / bodies[i].invMass, bodies[i].v);
            s.energy += 0.5 * ctLengthSquared(bodies[i].v) / bodies[i].invMass;
            s.energy += 0.5 * ctDot(bodies[i].w, ctMulMV(ctInverse(bodies[i].invInertia), bodies[i].w));
        }
    }
    return s;
}

// Bodies about random centres, each touching some of the others near the line of centres.
static void buildCluster(ctRandom *r, ctSolverBody *bodies, int n, ctSolverPoint *points, int m)
{
    ctVec3 centers[8];
    for (int j = 0; j < n; j++) {
        double mass = ctRandomLog(r, 0.3, 3.0), gyration = ctRandomUniform(r, 0.04, 0.08);
        double inertia = mass * gyration * gyration;
        bodies[j] = movable(mass, ctV3(inertia, 1.3 * inertia, 0.8 * inertia));
        bodies[j].v = ctRandomVec3(r, -1, 1);
        bodies[j].w = ctRandomVec3(r, -10, 10);
        centers[j] = ctRandomVec3(r, -0.1, 0.1);
    }
    for (int j = 0; j < m; j++) {
        ctSolverPoint p = {.a = ctRandomInt(r, 0, n - 2), .mu = ctRandomUniform(r, 0.0, 0.6)};
        p.b = ctRandomInt(r, p.a + 1, n - 1);
        ctVec3 apart = ctNormalize(ctSub(centers[p.a], centers[p.b]));
        p.n = ctNormalize(ctMulAdd(apart, 0.2, ctRandomUnit(r)));
        ctVec3 middle = ctAdd(ctLerp(centers[p.a], centers[p.b], 0.5), ctRandomVec3(r, -0.02, 0.02));
        p.ra = ctSub(middle, centers[p.a]);
        p.rb = ctSub(middle, centers[p.b]);
        points[j] = p;
    }
}

// Every condition at every point, momentum kept, energy not raised. The two last are hard ones of 20,000.
START_TEST(clusters_obey_every_condition)
{
    enum { n = 8, m = 20, hard = 7106, hardest = 15219 };
    ctRandom r = ctRandomSeed(2);
    ctSolver solver = {0};
    int many = ctTestCases(2000);
    for (int i = 0; i <= hardest; i++) {
        ctSolverBody bodies[n];
        ctSolverPoint points[m];
        buildCluster(&r, bodies, n, points, m);
        if (i >= many && i != hard && i != hardest) {
            continue;
        }
        Sums before = sums(bodies, n);
        ctSolverReport report = ctSolver_Solve(&solver, bodies, n, points, m, CT_SOLVER_TOLERANCE, 2000);
        Sums after = sums(bodies, n);
        ctAssertClose(ctDistance(before.momentum, after.momentum), 0.0, 1e-12 * (1.0 + ctLength(before.momentum)));
        ck_assert_msg(report.converged, "cluster %d: residual %g", i, report.residual);
        ck_assert_msg(after.energy <= before.energy * (1.0 + 1e-9), "energy %.17g -> %.17g", before.energy,
                      after.energy);
        for (int j = 0; j < m; j++) {
            checkPoint(bodies, &points[j], 1e-7, 1e-9);
        }
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// A block of half sides hx, hy, hz on an incline that drops along +x. Body 0 is the incline.
static void blockOnIncline(double angle, double mu, ctVec3 half, ctSolverBody *bodies, ctSolverPoint *points)
{
    ctVec3 sq = ctMul(half, half);
    memset(points, 0, sizeof(ctSolverPoint) * 4);
    memset(&bodies[0], 0, sizeof bodies[0]);
    bodies[1] = movable(2.0, ctScale(2.0 / 3.0, ctV3(sq.y + sq.z, sq.z + sq.x, sq.x + sq.y)));
    bodies[1].v = ctScale(G * H, ctV3(sin(angle), 0.0, -cos(angle)));
    for (int i = 0; i < 4; i++) {
        ctVec3 corner = ctV3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, -half.z);
        ctSolverPoint p = {.a = 1, .b = 0, .n = ctV3(0, 0, 1), .ra = corner, .rb = corner, .mu = mu};
        points[i] = p;
    }
}

START_TEST(a_block_on_an_incline_sticks_or_slides)
{
    ctSolver solver = {0};
    double angle = 20.0 * CT_PI / 180.0, mass = 2.0;
    ctVec3 half = ctV3(0.1, 0.08, 0.05);
    for (int i = 0; i <= 20; i++) {
        double mu = 0.05 * i;
        ctSolverBody bodies[2];
        ctSolverPoint points[4];
        blockOnIncline(angle, mu, half, bodies, points);
        ck_assert(ctSolver_Solve(&solver, bodies, 2, points, 4, 1e-13, 500).converged);
        double slide = fmax(0.0, sin(angle) - mu * cos(angle)) * G * H;
        ctAssertClose(bodies[1].v.x, slide, CT_SOLVER_TOLERANCE);
        ctAssertClose(ctLength(ctSub(bodies[1].v, ctV3(slide, 0, 0))), 0.0, CT_SOLVER_TOLERANCE);
        ctAssertClose(ctLength(bodies[1].w), 0.0, 10.0 * CT_SOLVER_TOLERANCE);
        // Normal forces carry the weight, and the lower pair the moment of friction about the centre.
        double normal = 0.0, lower = 0.0, friction = 0.0;
        for (int j = 0; j < 4; j++) {
            normal += points[j].impulse.z;
            lower += j & 1 ? points[j].impulse.z : 0.0;
            friction -= points[j].impulse.x;
        }
        double weight = mass * G * H, expected = fmin(mu * cos(angle), sin(angle)) * weight;
        ctAssertClose(normal, weight * cos(angle), mass * CT_SOLVER_TOLERANCE);
        ctAssertClose(friction, expected, mass * CT_SOLVER_TOLERANCE);
        ctAssertClose(lower, 0.5 * (normal + friction * half.z / half.x), 1e-12);
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// A tower of n unit masses, each box shifted a little from the one below.
static int buildTower(int n, double shift, ctSolverBody *bodies, ctSolverPoint *points)
{
    double s = 0.05, inertia = 8.0 * s * s / 12.0, under = 0.0;
    memset(&bodies[0], 0, sizeof bodies[0]);
    for (int i = 1; i <= n; i++) {
        bodies[i] = movable(1.0, ctV3(inertia, inertia, inertia));
        bodies[i].v.z = -G * H;
        double x = shift * ((i * 7) % 3 - 1);
        double lo = fmax(x, i > 1 ? under : x) - s, hi = fmin(x, i > 1 ? under : x) + s;
        for (int k = 0; k < 4; k++) {
            double px = k & 1 ? hi : lo, py = k & 2 ? s : -s;
            ctSolverPoint p = {.a = i, .b = i - 1, .n = ctV3(0, 0, 1), .mu = 0.5};
            p.ra = ctV3(px - x, py, -s);
            p.rb = ctV3(px - (i > 1 ? under : 0.0), py, i > 1 ? s : 0.0);
            points[4 * (i - 1) + k] = p;
        }
        under = x;
    }
    return 4 * n;
}

START_TEST(a_tower_of_forty_stands)
{
    static ctSolverBody bodies[41];
    static ctSolverPoint points[160];
    ctSolver solver = {0};
    const double shifts[] = {0.0, 0.002, 0.01};
    for (int n = 5; n <= 40; n *= 2) {
        for (int s = 0; s < 3; s++) {
            int m = buildTower(n, shifts[s], bodies, points);
            ctSolverReport report = ctSolver_Solve(&solver, bodies, n + 1, points, m, CT_SOLVER_TOLERANCE, 400);
            ck_assert_msg(report.converged, "%d boxes: residual %g", n, report.residual);
            for (int i = 1; i <= n; i++) {
                double load = 0.0;
                for (int k = 0; k < 4; k++) {
                    load += points[4 * (i - 1) + k].impulse.z;
                }
                ctAssertClose(ctLength(bodies[i].v) + 0.05 * ctLength(bodies[i].w), 0.0, 1e-7);
                ctAssertClose(load / ((n - i + 1) * G * H), 1.0, 1e-6);
            }
            // Started from its own solution, nothing is left to do.
            for (int i = 1; i <= n; i++) {
                bodies[i].v = ctV3(0, 0, -G * H);
                bodies[i].w = ctZero3();
            }
            ctSolver_Apply(bodies, points, m, 1.0);
            ck_assert_int_le(ctSolver_Solve(&solver, bodies, n + 1, points, m, CT_SOLVER_TOLERANCE, 400).factored,
                             report.factored / 2);
        }
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// A tower whose boxes are kicked is solved by the whole solver and by sweeps alone, to the end: what each finds must
// be a solution.
typedef struct Twice {
    bool converged; // the solver did; sweeps always do, given time
    double apart;   // m/s: between the two solutions
} Twice;

static Twice solveTwice(ctSolver *solver, ctRandom *r, double kick)
{
    static ctSolverBody bodies[7], swept[7];
    static ctSolverPoint points[24], sweptPoints[24];
    int m = buildTower(6, ctRandomUniform(r, 0.0, 0.04), bodies, points);
    for (int j = 1; j <= 6; j++) {
        bodies[j].v = ctAdd(bodies[j].v, ctRandomVec3(r, -kick, kick));
        bodies[j].w = ctRandomVec3(r, -0.02, 0.02);
    }
    memcpy(swept, bodies, sizeof bodies);
    memcpy(sweptPoints, points, sizeof points);
    ctSolverReport report = ctSolver_Solve(solver, bodies, 7, points, m, CT_SOLVER_TOLERANCE, 3000);
    ctSolver_Prepare(swept, sweptPoints, m);
    double residual = 1.0;
    for (int j = 0; j < 50000 && residual > 1e-14; j++) {
        residual = ctSolver_Sweep(swept, sweptPoints, m, j & 1);
    }
    ctSolver_Finish(sweptPoints, m);
    ck_assert_msg(residual < 1e-11, "residual %g", residual);
    for (int j = 0; j < m; j++) {
        checkPoint(swept, &sweptPoints[j], 1e-7, 1e-9);
        if (report.converged) {
            checkPoint(bodies, &points[j], 1e-7, 1e-9);
        }
    }
    double apart = 0.0;
    for (int j = 1; j <= 6; j++) {
        apart = fmax(apart, fmax(ctDistance(bodies[j].v, swept[j].v), 0.04 * ctDistance(bodies[j].w, swept[j].w)));
    }
    return (Twice){report.converged, apart};
}

// Slow kicks leave one solution. Fast ones, where boxes slide, leave many with Coulomb's law (two of three times the
// sweeps end in another one), and each must obey every condition.
// Ten towers in one problem, solved; then the boxes of one are kicked. What is found must be a solution of all, and the
// others keep their impulses: the work is that of one tower.
START_TEST(only_what_is_unsolved_is_solved_again)
{
    enum { TOWERS = 10, BOXES = 5, COUNT = TOWERS * BOXES };
    static ctSolverBody bodies[COUNT + 1], tower[BOXES + 1];
    static ctSolverPoint points[4 * COUNT], before[4 * COUNT], alone[4 * BOXES];
    ctSolver solver = {0};
    for (int k = 0; k < TOWERS; k++) {
        int m = buildTower(BOXES, 0.01, tower, alone);
        bodies[0] = tower[0];
        for (int i = 1; i <= BOXES; i++) {
            bodies[BOXES * k + i] = tower[i];
        }
        for (int i = 0; i < m; i++) {
            ctSolverPoint p = alone[i];
            p.a += p.a > 0 ? BOXES * k : 0;
            p.b += p.b > 0 ? BOXES * k : 0;
            points[m * k + i] = p;
        }
    }
    ck_assert(ctSolver_Solve(&solver, bodies, COUNT + 1, points, 4 * COUNT, CT_SOLVER_TOLERANCE, 4000).converged);
    memcpy(before, points, sizeof points);
    for (int i = 1; i <= COUNT; i++) {
        bodies[i].v = ctV3(0, 0, -G * H);
        bodies[i].w = ctZero3();
    }
    const int first = 4 * BOXES * 6, kicked = BOXES * 6 + 1; // the seventh tower
    for (int i = 0; i < BOXES; i++) {
        bodies[kicked + i].v.x += i == 2 ? 0.3 : 0.0;
    }
    ctSolver_Apply(bodies, points, 4 * COUNT, 1.0);
    ctSolverReport report = ctSolver_Solve(&solver, bodies, COUNT + 1, points, 4 * COUNT, CT_SOLVER_TOLERANCE, 4000);
    ck_assert_msg(report.converged, "residual %g", report.residual);
    double most = 0.0;
    for (int i = 0; i < 4 * COUNT; i++) {
        checkPoint(bodies, &points[i], 1e-7, 1e-9);
        double change = ctDistance(points[i].impulse, before[i].impulse);
        if (i < first || i >= first + 4 * BOXES) {
            ctAssertClose(change, 0.0, CT_SOLVER_TOLERANCE);
        } else {
            most = fmax(most, change);
        }
    }
    ck_assert_msg(most > 0.01 * G * H, "the kick has changed nothing: %g", most);
    ck_assert_int_eq(solver.part->count, 4 * BOXES);
    ctSolver_Destroy(&solver);
}
END_TEST

// The swaying of a tall tower hardly moves one box on the next: sweeps do not see it.
START_TEST(a_swaying_tower_is_stopped)
{
    static ctSolverBody bodies[41];
    static ctSolverPoint points[160];
    ctSolver solver = {0};
    int n = 40, m = buildTower(n, 0.002, bodies, points);
    ck_assert(ctSolver_Solve(&solver, bodies, n + 1, points, m, CT_SOLVER_TOLERANCE, 400).converged);
    for (int i = 1; i <= n; i++) {
        double height = 0.1 * i - 0.05, curvature = 1e-6;
        bodies[i].v = ctV3(0.5 * curvature * height * height, 0, -G * H);
        bodies[i].w = ctV3(0, curvature * height, 0);
    }
    ctSolver_Apply(bodies, points, m, 1.0);
    ctSolverReport report = ctSolver_Solve(&solver, bodies, n + 1, points, m, CT_SOLVER_TOLERANCE, 400);
    ck_assert_msg(report.converged, "residual %g", report.residual);
    for (int i = 1; i <= n; i++) {
        ctAssertClose(ctLength(bodies[i].v), 0.0, 1e-7); // the top begins with 8e-6
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// A block that sticks by an edge and closes gaps of different width at its ends: the arms of the ends differ by the
// gaps, and no rigid body can have both speeds. Once aligned, it can.
START_TEST(aligned_points_fit_together)
{
    ctSolver solver = {0};
    ctSolverBody bodies[2];
    ctSolverPoint points[4];
    for (int aligned = 0; aligned < 2; aligned++) {
        blockOnIncline(0.0, 5.0, ctV3(0.1, 0.08, 0.05), bodies, points);
        bodies[1].v = ctV3(0.001, 0, -0.02);
        for (int i = 0; i < 4; i++) {
            double gap = i & 1 ? 1e-4 : 0.0;
            points[i].ra.z += gap;
            points[i].target = -50.0 * gap;
        }
        if (aligned) {
            ctSolver_Align(points, 4);
        }
        ctSolverReport report = ctSolver_Solve(&solver, bodies, 2, points, 4, 1e-12, 20);
        double slip = 0.0;
        for (int i = 0; i < 4; i++) {
            ctVec3 u = ctSolverPoint_Velocity(&points[i], bodies);
            slip = fmax(slip, fabs(u.x));
            ctAssertClose(u.z, points[i].target, 1e-5);
        }
        ck_assert_msg(aligned ? report.converged && slip < 1e-10 : slip > 1e-7, "aligned %d: slip %g", aligned, slip);
    }
    ctSolver_Destroy(&solver);
}
END_TEST

// A face that sticks and is not quite flat: no rigid body has the speeds that its points demand, to the tolerance. The
// search ends long before its budgets are spent, and what it has found is as good as can be.
START_TEST(a_search_in_vain_ends)
{
    ctRandom r = ctRandomSeed(5);
    ctSolver solver = {0};
    ctSolverBody bodies[2];
    ctSolverPoint points[4];
    int factored = 0, cases = 100;
    for (int k = 0; k < cases; k++) {
        blockOnIncline(0.0, 5.0, ctV3(0.1, 0.08, 0.05), bodies, points);
        bodies[1].v = ctRandomVec3(&r, -0.3, 0.3);
        bodies[1].w = ctRandomVec3(&r, -0.3, 0.3);
        bodies[1].v.z = -1.0;
        for (int i = 0; i < 4; i++) {
            points[i].ra = ctAdd(points[i].ra, ctRandomVec3(&r, -1e-7, 1e-7));
            points[i].target = ctRandomUniform(&r, -1e-3, 1e-3);
        }
        ctSolverReport report = ctSolver_Solve(&solver, bodies, 2, points, 4, 1e-12, CT_SOLVER_BUDGET);
        ck_assert(!report.converged);
        ck_assert_msg(report.residual < 1e-8, "residual %g", report.residual);
        factored += report.factored;
    }
    ck_assert_msg(factored < 100 * cases, "%d matrices", factored);
    ctSolver_Destroy(&solver);
}
END_TEST

START_TEST(newton_and_sweeps_agree)
{
    ctRandom r = ctRandomSeed(3);
    ctSolver solver = {0};
    int cases = ctTestCases(40), converged = 0;
    for (int i = 0; i < cases; i++) {
        Twice slow = solveTwice(&solver, &r, 0.002);
        ck_assert(slow.converged);
        ctAssertClose(slow.apart, 0.0, 2e-7);
        converged += solveTwice(&solver, &r, 0.05).converged;
    }
    ck_assert_msg(converged >= cases * 9 / 10, "%d of %d converge", converged, cases);
    ctSolver_Destroy(&solver);
}
END_TEST

// A solver that has solved other problems before gives the same bits as a new one.
START_TEST(a_solution_has_no_memory)
{
    enum { n = 8, m = 20 };
    ctRandom r = ctRandomSeed(4);
    ctSolver used = {0};
    for (int i = 0; i < ctTestCases(300); i++) {
        ctSolverBody bodies[2][n];
        ctSolverPoint points[2][m];
        buildCluster(&r, bodies[0], n, points[0], m);
        for (int j = 0; j < m; j++) {
            points[0][j].rolling = (i + j) % 3 == 0 ? 0.01 : 0.0;
            points[0][j].spinning = (i + j) % 2 == 0 ? 0.02 : 0.0;
        }
        memcpy(bodies[1], bodies[0], sizeof bodies[0]);
        memcpy(points[1], points[0], sizeof points[0]);
        ctSolver fresh = {0};
        ctSolver_Solve(&used, bodies[0], n, points[0], m, CT_SOLVER_TOLERANCE, 200);
        ctSolver_Solve(&fresh, bodies[1], n, points[1], m, CT_SOLVER_TOLERANCE, 200);
        ctSolver_Destroy(&fresh);
        for (int j = 0; j < n; j++) {
            ck_assert_msg(ctDistance(bodies[0][j].v, bodies[1][j].v) == 0.0 &&
                              ctDistance(bodies[0][j].w, bodies[1][j].w) == 0.0,
                          "cluster %d, body %d", i, j);
        }
    }
    ctSolver_Destroy(&used);
}
END_TEST

// A rolling sphere slows down by 5/7 of rolling * g / r; a spinning one by spinning * g m / I.
START_TEST(rolling_and_spinning_resistance)
{
    ctSolver solver = {0};
    double radius = 0.1, mass = 3.0, inertia = 0.4 * mass * radius * radius;
    ctSolverBody bodies[2] = {{.invMass = 0.0}, movable(mass, ctV3(inertia, inertia, inertia))};
    bodies[1].v = ctV3(2.0, 1.0, -G * H);
    bodies[1].w = ctV3(-1.0 / radius, 2.0 / radius, 30.0);
    ctSolverPoint p = {.a = 1, .b = 0, .n = ctV3(0, 0, 1), .mu = 0.5, .rolling = 0.002, .spinning = 0.001};
    p.ra = ctV3(0, 0, -radius);
    ck_assert(ctSolver_Solve(&solver, bodies, 2, &p, 1, CT_SOLVER_TOLERANCE, 500).converged);
    double speed = sqrt(5.0), slower = 5.0 / 7.0 * 0.002 / radius * G * H;
    ctVec3 v = ctScale((speed - slower) / speed, ctV3(2.0, 1.0, 0.0));
    ctAssertClose(ctDistance(bodies[1].v, v), 0.0, 1e-9);
    ctAssertClose(bodies[1].w.z, 30.0 - 0.001 * mass * G * H / inertia, 1e-10);
    ctAssertClose(ctLength(ctSolverPoint_Velocity(&p, bodies)), 0.0, 1e-10);
    // Slow enough, both stop altogether.
    bodies[1].v = ctV3(1e-5, 0, -G * H);
    bodies[1].w = ctV3(0, 1e-5 / radius, 1e-4);
    p.impulse = p.twist = ctZero3();
    ck_assert(ctSolver_Solve(&solver, bodies, 2, &p, 1, CT_SOLVER_TOLERANCE, 500).converged);
    ctAssertClose(ctLength(bodies[1].v) + ctLength(bodies[1].w), 0.0, 1e-8);
    ctSolver_Destroy(&solver);
}
END_TEST

START_TEST(overlaps_are_pushed_out)
{
    ctSolver solver = {0};
    ctSolverBody bodies[2];
    ctSolverPoint points[4];
    blockOnIncline(0.0, 0.5, ctV3(0.1, 0.08, 0.05), bodies, points);
    ctSolver_Prepare(bodies, points, 4);
    ctSolverBody pseudo[2] = {bodies[0], bodies[1]};
    pseudo[1].v = pseudo[1].w = ctZero3();
    ctPush even[4] = {{.target = 0.3}, {.target = 0.3}, {.target = 0.3}, {.target = 0.3}};
    ctSolver_PushOut(pseudo, points, even, 4, CT_SOLVER_TOLERANCE, 500);
    ctAssertClose(ctDistance(pseudo[1].v, ctV3(0, 0, 0.3)), 0.0, 0.3e-3);
    ctAssertClose(ctLength(pseudo[1].w), 0.0, 0.3e-3 / 0.08);
    ctPush tilted[4] = {{.target = 0.1}, {.target = 0.3}, {.target = 0.1}, {.target = 0.3}};
    pseudo[1].v = pseudo[1].w = ctZero3();
    ctSolver_PushOut(pseudo, points, tilted, 4, CT_SOLVER_TOLERANCE, 500);
    for (int i = 0; i < 4; i++) {
        ck_assert(ctSolverPoint_Velocity(&points[i], pseudo).z >= tilted[i].target - 0.3e-3);
    }
    ctAssertClose(pseudo[1].w.y, -1.0, 3e-3);
    ctPush none[4] = {{.target = -0.1}, {.target = 0.0}, {.target = -0.2}, {.target = -0.1}};
    pseudo[1].v = pseudo[1].w = ctZero3();
    ctSolver_PushOut(pseudo, points, none, 4, CT_SOLVER_TOLERANCE, 500);
    ck_assert(ctLength(pseudo[1].v) == 0.0 && ctLength(pseudo[1].w) == 0.0);
    // Where a point pulls, the gap is closed at just its speed.
    ctPush pulls[4];
    for (int i = 0; i < 4; i++) {
        pulls[i] = (ctPush){.target = -0.1, .pulls = true};
    }
    ctSolver_PushOut(pseudo, points, pulls, 4, CT_SOLVER_TOLERANCE, 500);
    ctAssertClose(ctDistance(pseudo[1].v, ctV3(0, 0, -0.1)), 0.0, 0.1e-3);
    ctSolver_Destroy(&solver);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact_solver");
    TCase *tc = tcase_create("solver");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, one_point_obeys_signorini_and_coulomb);
    tcase_add_test(tc, slip_is_found_at_any_scale);
    tcase_add_test(tc, clusters_obey_every_condition);
    tcase_add_test(tc, a_block_on_an_incline_sticks_or_slides);
    tcase_add_test(tc, a_tower_of_forty_stands);
    tcase_add_test(tc, only_what_is_unsolved_is_solved_again);
    tcase_add_test(tc, a_swaying_tower_is_stopped);
    tcase_add_test(tc, aligned_points_fit_together);
    tcase_add_test(tc, a_search_in_vain_ends);
    tcase_add_test(tc, newton_and_sweeps_agree);
    tcase_add_test(tc, a_solution_has_no_memory);
    tcase_add_test(tc, rolling_and_spinning_resistance);
    tcase_add_test(tc, overlaps_are_pushed_out);
    suite_add_tcase(suite, tc);
    return ctRunSuite(suite);
}
