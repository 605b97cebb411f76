// Solves all points of an island at once: by sweeps (solver/sweep.c), and methods that speed them up.
//
// Sweeps go forwards and backwards in turn. With a warm start from the forces of the last step one or two are mostly
// enough. They converge slowly along chains of contacts. As soon as their rate predicts many more sweeps, steps of
// Newton's method (solver/newton.c) are made between them, as long as each reduces the residual of the next sweep. A
// step that does not is undone, and rounds of the proximal point method (solver/proximal.c) lead nearer to the solution
// before another step is tried. In an island of many points only those points take part that the first sweep finds
// unsolved, and their neighbours (solver/part.c).
//
// A light body between heavy ones carries forces a thousand times larger than those that would stop it, and they change
// completely from step to step. From such a warm start the solution may not be found. Then the search begins again
// without impulses, and with heavier light bodies, which changes the forces between the heavy ones little. From there
// the search continues with lighter and lighter ones.
#include "engine/solver/solver.h"

#include "engine/solver/newton.h"
#include "engine/solver/part.h"

// Effort is counted in sweeps: a matrix counts as CT_NEWTON_SWEEPS. The search ends after this many budgets; for more
// points than FULL_POINTS the budgets are smaller.
#define MOST_BUDGETS 6  // [cap]
#define FULL_POINTS 100 // [cap]
// Stiffness of the steps: it grows with success, and falls with failure. Larger: early steps diverge; smaller: more
// steps.
#define STEP_STIFFNESS (10.0 * ROUND_STIFFNESS) // also the minimum
#define STIFFENING 3.0                          // also that of the rounds
#define MOST_STEP_STIFFNESS (10.0 * MOST_ROUND_STIFFNESS)
// Least number of rounds after a failure of Newton's method, or as many as there have been failures; also the sweeps
// after a round, and the corrections of pieces in a step that is not cautious. More: more matrices; fewer: Newton's
// method fails again at once.
#define ROUNDS 2
// Stiffness of the rounds: it grows from one to the next, and falls when one does not converge, to this share of the
// change by the sweep before. Larger: rounds do not converge; smaller: more rounds.
#define ROUND_STIFFNESS 10.0
#define MOST_ROUND_STIFFNESS 1e5
// A step, or as many sweeps as it costs, that reduces the residual by less than this share is a failure.
#define PAYS CT_SOFT
// Bodies lighter than the heaviest by more than the first factor are made heavier at first, and lighter by the second
// factor from one solution to the next; all but the last are solved only to this share of the approach.
#define FIRST_GRADE CT_UNEQUAL_MASSES
#define NEXT_GRADE (0.1 * CT_UNEQUAL_MASSES)
// Accuracy, as a share of the approach or of the fastest push, that is enough if another solution or step follows:
// masses are not more exact then.
#define ROUGHLY (1.0 / CT_UNEQUAL_MASSES)
// [cap] Steps and rounds that leave the least residual so far as it is, to this share of it, after which the search
// ends: the speeds that points demand do not fit together to the tolerance, and forces only shift. Rounds become as
// stiff as they can in fewer.
#define IN_VAIN 16 // [cap]
#define SAME (0.1 * PAYS)
// [cap] Parts of an island that are solved alone, one after the other, before all of it is.
#define PARTS 3 // [cap]

static bool isWarm(const ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        if (points[i].pn > 0.0) {
            return true;
        }
    }
    return false;
}

// Whether no point with an impulse slides: the pieces are then well known, and a stiff step does not diverge.
static bool isStuck(const ctSolverPoint *points, int count)
{
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        if (p->pn > 0.0 && !(p->p1 * p->p1 + p->p2 * p->p2 < p->mu * p->mu * p->pn * p->pn)) {
            return false;
        }
    }
    return count <= CT_MANY_POINTS;
}

typedef struct Course {
    ctNewton *newton; // NULL: not yet in use
    bool alone;       // sweeps only
    bool warm;        // impulses were given: a residual near the tolerance may be left to the next solution
    bool shared;      // none were given, but springs have shared out some
    ctSolverBody *bodies;
    ctSolverPoint *points;
    int bodyCount, count;
    double tolerance;
    int budget;    // effort, sweeps
    double before; // m/s: residual at the last sweep that was not undone
    double best;   // m/s: the least since Newton's method is in use; its state is kept
    bool trial;    // the last step of Newton's method is not judged yet
    bool doubtful; // it has not reduced the residual so far
    bool cautious; // the last step was a failure
    int failures;
    int rounds;   // that remain
    int rest;     // sweeps before these
    double least; // m/s: the least residual before a step or a round so far
    int vain;     // steps and rounds since then that have led back to it
    double roundStiffness;
    double stepStiffness;
    ctSolverReport report;
} Course;

static void sweepOnce(Course *c)
{
    c->report.residual = ctSolver_Sweep(c->bodies, c->points, c->count, (c->report.sweeps & 1) != 0);
    c->report.sweeps++;
    c->report.converged = c->report.residual <= c->tolerance;
}

// The number of sweeps that remain at the present rate of convergence.
static double sweepsLeft(const Course *c)
{
    double rate = c->report.residual / c->before;
    return rate < 1.0 ? ctLog(c->report.residual / c->tolerance) / -ctLog(rate) : (double)INFINITY;
}

static void keepBest(Course *c)
{
    if (c->newton != NULL && c->report.residual < c->best) {
        c->best = c->report.residual;
        ctNewton_Keep(c->newton, ct_keptBest, c->bodies, c->points, c->count);
    }
}

static void roundOnce(Course *c)
{
    double settle = ctFmax(CT_SOFT * c->report.residual, c->tolerance);
    bool settled =
        ctNewton_Round(c->newton, c->bodies, c->points, c->count, c->roundStiffness, settle, &c->report.factored);
    c->roundStiffness = ctFmin(c->roundStiffness * (settled ? STIFFENING : 1.0 / STIFFENING), MOST_ROUND_STIFFNESS);
    c->rest = ROUNDS - 1;
    c->rounds--;
}

// Judges the last step by the sweep after it, or by a second one, which smooths the errors of the step.
static void judge(Course *c)
{
    c->trial = c->doubtful = c->cautious = false;
    if (c->report.residual < (1.0 - PAYS) * c->before) {
        c->stepStiffness = ctFmin(c->stepStiffness * STIFFENING, MOST_STEP_STIFFNESS);
        return;
    }
    if (c->report.residual > c->before) {
        ctNewton_Restore(c->newton, ct_keptStep, c->bodies, c->points, c->count);
        c->report.residual = c->before;
    }
    c->stepStiffness = ctFmax(c->stepStiffness / STIFFENING, STEP_STIFFNESS);
    c->cautious = true;
    c->failures++;
    c->rounds = c->failures > ROUNDS ? c->failures : ROUNDS;
}

// Before a step or a round: has the last one led anywhere?
static void noteProgress(Course *c)
{
    double change = c->report.residual - c->least;
    if (change < -SAME * c->least) {
        c->vain = 0;
    } else if (change <= SAME * c->least) {
        c->vain++;
    }
    c->least = ctFmin(c->least, c->report.residual);
}

// Chooses what to do between two sweeps.
static void improve(ctSolver *solver, Course *c)
{
    if (c->trial && !c->doubtful && !c->cautious && !(c->report.residual < (1.0 - PAYS) * c->before)) {
        c->doubtful = true;
        return;
    }
    if (c->trial) {
        judge(c);
    }
    if (c->rest > 0) {
        c->rest--;
        return;
    }
    if (c->rounds > 0) {
        noteProgress(c);
        roundOnce(c);
        return;
    }
    bool slow = c->newton != NULL || (c->report.sweeps > 1 && sweepsLeft(c) > CT_NEWTON_SWEEPS);
    c->before = c->report.residual;
    if (!slow) {
        return;
    }
    if (c->newton == NULL) {
        c->alone = !ctNewton_Begin(&solver->newton, c->bodies, c->bodyCount, c->points, c->count);
        c->newton = solver->newton;
    }
    if (!c->alone) {
        ctNewton_Keep(c->newton, ct_keptStep, c->bodies, c->points, c->count);
        noteProgress(c);
        c->trial = ctNewton_Step(c->newton, c->bodies, c->points, c->count, c->cautious ? 0 : ROUNDS, c->tolerance,
                                 &c->stepStiffness, &c->report.factored);
        c->rounds = c->trial ? 0 : ROUNDS;
    }
}

int ctSolverReport_Effort(const ctSolverReport *report)
{
    return report->sweeps + CT_NEWTON_SWEEPS * report->factored;
}

static bool isSpent(const Course *c)
{
    return ctSolverReport_Effort(&c->report) >= MOST_BUDGETS * c->budget;
}

// Sweeps only, as long as they make progress. Where the target speeds of points do not quite fit together, sweeps only
// shift forces.
static void sweepToStandstill(Course *c)
{
    double before = INFINITY;
    while (!c->report.converged && !isSpent(c) && c->report.residual < (1.0 - PAYS) * before) {
        before = c->report.residual;
        for (int i = 0; i < CT_NEWTON_SWEEPS && !c->report.converged; i++) {
            sweepOnce(c);
        }
    }
}

// A solution that is hard to find from a warm start is left to the next one: the tolerance grows with the spent share
// of the budget. more: effort that is about to be spent, sweeps.
static bool isGoodEnough(const Course *c, int more)
{
    double spent = ctFmin(1.0, (double)(ctSolverReport_Effort(&c->report) + more) / c->budget);
    return c->warm && c->best <= CT_SOLVER_ASTRAY * spent * spent * c->tolerance;
}

static Course preparedCourse(ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count, double tolerance,
                             int budget)
{
    Course c = {.bodies = bodies, .points = points, .bodyCount = bodyCount, .count = count, .tolerance = tolerance};
    c.budget = count <= FULL_POINTS ? budget : budget * FULL_POINTS / count;
    c.before = c.best = c.least = INFINITY;
    c.stepStiffness = STEP_STIFFNESS;
    c.roundStiffness = ROUND_STIFFNESS;
    c.report.converged = count == 0;
    return c;
}

// prepared: only impulses have changed since the last time.
static Course courseOf(ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count, double tolerance,
                       int budget, bool prepared)
{
    Course c = preparedCourse(bodies, bodyCount, points, count, tolerance, budget);
    if (prepared) {
        ctSolver_PrepareAgain(points, count);
    } else {
        ctSolver_Prepare(bodies, points, count);
    }
    c.warm = isWarm(points, count);
    c.stepStiffness = c.warm && isStuck(points, count) ? MOST_STEP_STIFFNESS : STEP_STIFFNESS;
    return c;
}

static ctSolverReport pursue(ctSolver *solver, Course *c)
{
    bool enough = isGoodEnough(c, 0);
    while (!c->report.converged && !c->alone && !isSpent(c) && !enough && c->vain < IN_VAIN) {
        sweepOnce(c);
        if (!c->report.converged) {
            keepBest(c);
            // A step that would only be undone, because what it starts from is good enough after it, is not made.
            enough = isGoodEnough(c, CT_NEWTON_SWEEPS);
            if (!enough) {
                improve(solver, c);
            }
        }
    }
    if (!c->report.converged) {
        if (c->newton != NULL && c->best < (double)INFINITY) {
            ctNewton_Restore(c->newton, ct_keptBest, c->bodies, c->points, c->count);
            c->report.residual = c->best;
        }
        if (c->alone || !c->warm) {
            sweepToStandstill(c);
        }
    }
    ctSolver_Finish(c->points, c->count);
    c->report.astray = !c->report.converged && c->report.residual > CT_SOLVER_ASTRAY * c->tolerance;
    return c->report;
}

// Sets the bodies as they were saved, but none lighter than the mobility most (1/kg) allows, and applies the impulses
// of the points to them.
static void weigh(const ctNewton *nw, ctSolverBody *bodies, const ctSolverPoint *points, int count, double most)
{
    ctNewton_RestoreBodies(nw, ct_keptFree, bodies);
    for (int i = 0; i < nw->matrix.count; i++) {
        ctSolverBody *body = &bodies[nw->matrix.order[i]];
        double share = ctFmin(1.0, most / body->invMass);
        body->invMass *= share;
        body->invInertia = ctScaleM(share, body->invInertia);
    }
    ctSolver_Apply(bodies, points, count, 1.0);
}

// The least and the greatest mobility of the bodies, 1/kg.
typedef struct Mobilities {
    double least, most;
} Mobilities;

static Mobilities mobilitiesOf(const ctNewton *nw, const ctSolverBody *bodies)
{
    Mobilities m = {INFINITY, 0.0};
    for (int i = 0; i < nw->matrix.count; i++) {
        m.least = ctFmin(m.least, bodies[nw->matrix.order[i]].invMass);
        m.most = ctFmax(m.most, bodies[nw->matrix.order[i]].invMass);
    }
    return m;
}

// Solves without a warm start. Bodies much lighter than the heaviest are heavier at first.
static ctSolverReport beginAgain(ctSolver *solver, Course *c, int budget)
{
    ctSolverReport first = c->report, all = {0};
    const ctNewton *nw = solver->newton;
    double tolerance = c->tolerance;
    ctNewton_Keep(solver->newton, ct_keptFirst, c->bodies, c->points, c->count);
    ctSolver_Apply(c->bodies, c->points, c->count, -1.0);
    for (int i = 0; i < c->count; i++) {
        c->points[i].impulse = c->points[i].twist = ctZero3();
    }
    ctNewton_Keep(solver->newton, ct_keptFree, c->bodies, c->points, c->count);
    Mobilities m = mobilitiesOf(nw, c->bodies);
    for (double grade = FIRST_GRADE * m.least;; grade *= NEXT_GRADE) {
        weigh(nw, c->bodies, c->points, c->count, grade);
        bool last = grade >= m.most;
        *c = courseOf(c->bodies, c->bodyCount, c->points, c->count,
                      last ? tolerance : ctFmax(tolerance, ROUGHLY * first.residual), budget, false);
        all = pursue(solver, c);
        first.sweeps += all.sweeps;
        first.factored += all.factored;
        if (last) {
            break;
        }
    }
    if (all.residual > first.residual) {
        ctNewton_Restore(nw, ct_keptFirst, c->bodies, c->points, c->count);
        ctSolver_Finish(c->points, c->count);
        all = first;
    }
    all.sweeps = first.sweeps;
    all.factored = first.factored;
    return all;
}

// Whether it may help to begin again: where few points are far from a solution, or light bodies are between heavy ones.
// Many points among equal bodies, nearly at rest, only converge slowly. A search that has begun without impulses, among
// equal bodies, would go the same way again.
static bool mayBeginAgain(const ctNewton *nw, const Course *c)
{
    Mobilities m = mobilitiesOf(nw, c->bodies);
    bool uneven = m.most > FIRST_GRADE * m.least;
    return !c->alone && (uneven || (c->count <= CT_MANY_POINTS && (c->warm || c->shared)));
}

// Without a warm start, and with more points than a body needs, many sets of impulses solve the problem. The one is
// taken that points on springs would have: soft springs first, then stiffer ones about their loads. It depends neither
// on the order of the points nor on the orientation of the world.
static void shareAll(ctSolver *solver, Course *c)
{
    if (!ctNewton_Begin(&solver->newton, c->bodies, c->bodyCount, c->points, c->count) || !solver->newton->even) {
        return;
    }
    ctNewton_Share(solver->newton, c->bodies, c->points, c->count, STEP_STIFFNESS, MOST_ROUND_STIFFNESS, c->tolerance,
                   &c->report.factored);
}

// How fast a body that can be pushed moves at the end of its arm, m/s.
static double speedAt(const ctSolverBody *body, ctVec3 arm)
{
    return body->invMass > 0.0 ? ctLength(ctVelocityAt(body->v, body->w, arm)) : 0.0;
}

// In an island of many points only the points of bodies that move take part, and those of their neighbours: an impact
// at the head of a row of dominoes is not shared out among those that lie.
static void shareOut(ctSolver *solver, Course *c)
{
    if (!solver->shares || c->warm || c->count < 3) {
        return;
    }
    c->shared = true;
    for (int i = 0; i < c->count; i++) {
        ctSolverPoint *p = &c->points[i];
        p->change = ctFmax(speedAt(&c->bodies[p->a], p->ra), speedAt(&c->bodies[p->b], p->rb));
    }
    if (c->count <= CT_MANY_POINTS ||
        !ctPart_Take(&solver->part, c->bodies, c->bodyCount, c->points, c->count, c->tolerance)) {
        shareAll(solver, c);
        return;
    }
    Course inner =
        preparedCourse(c->bodies, c->bodyCount, solver->part->points, solver->part->count, c->tolerance, c->budget);
    shareAll(solver, &inner);
    c->report.factored += inner.report.factored;
    ctPart_Return(solver->part, c->points);
}

// Whether no point has an impulse or needs one: none approaches.
static bool isIdle(const Course *c)
{
    for (int i = 0; i < c->count; i++) {
        const ctSolverPoint *p = &c->points[i];
        if (ctLengthSquared(p->impulse) > 0.0 || ctLengthSquared(p->twist) > 0.0 ||
            !(ctDot(p->n, ctSolverPoint_Velocity(p, c->bodies)) >= p->target)) {
            return false;
        }
    }
    return true;
}

// Where most of many points are solved from the start, only the others are solved further.
static void pursueParts(ctSolver *solver, Course *c)
{
    sweepOnce(c);
    for (int i = 0; i < PARTS && !c->report.converged && !isGoodEnough(c, 0); i++) {
        if (!ctPart_Take(&solver->part, c->bodies, c->bodyCount, c->points, c->count, c->tolerance)) {
            break;
        }
        ctPart *part = solver->part;
        Course inner = preparedCourse(c->bodies, c->bodyCount, part->points, part->count, c->tolerance, c->budget);
        inner.warm = c->warm;
        inner.before = c->report.residual;
        inner.report = c->report;
        c->report = pursue(solver, &inner);
        ctPart_Return(part, c->points);
        sweepOnce(c);
        c->best = c->report.residual;
    }
    c->before = c->report.residual;
    c->best = isGoodEnough(c, 0) ? c->best : (double)INFINITY; // its state is not kept
}

ctSolverReport ctSolver_Solve(ctSolver *solver, ctSolverBody *bodies, int bodyCount, ctSolverPoint *points, int count,
                              double tolerance, int budget)
{
    Course c = courseOf(bodies, bodyCount, points, count, tolerance, budget, solver->prepared);
    solver->prepared = false;
    if (isIdle(&c)) {
        c.report.converged = true;
        return c.report;
    }
    shareOut(solver, &c);
    if (count > CT_MANY_POINTS) {
        pursueParts(solver, &c);
    }
    ctSolverReport report = pursue(solver, &c);
    return report.astray && c.newton != NULL && mayBeginAgain(c.newton, &c) ? beginAgain(solver, &c, budget) : report;
}

// The work of the impulses at the mean of the velocities at the start and now, J.
static double workOf(const ctSolverBody *bodies, const ctSolverBody *start, const ctSolverPoint *points, int count)
{
    double twice = 0.0;
    for (int i = 0; i < count; i++) {
        const ctSolverPoint *p = &points[i];
        ctVec3 u = ctAdd(ctSolverPoint_Velocity(p, start), ctSolverPoint_Velocity(p, bodies));
        ctVec3 wa = ctAdd(start[p->a].w, bodies[p->a].w), wb = ctAdd(start[p->b].w, bodies[p->b].w);
        twice += ctDot(p->impulse, u) + ctDot(p->twist, ctSub(wa, wb));
    }
    return 0.5 * twice;
}

static void scale(ctSolverBody *bodies, ctSolverPoint *points, int count, double factor)
{
    ctSolver_Apply(bodies, points, count, factor - 1.0);
    for (int i = 0; i < count; i++) {
        ctSolverPoint *p = &points[i];
        p->impulse = ctScale(factor, p->impulse);
        p->twist = ctScale(factor, p->twist);
        p->p1 *= factor;
        p->p2 *= factor;
        p->pn *= factor;
    }
}

// With s times the impulses the work is A s + B s^2, B > 0.
void ctSolver_LimitWork(ctSolverBody *bodies, const ctSolverBody *start, ctSolverPoint *points, int count)
{
    double whole = workOf(bodies, start, points, count);
    if (!(whole > 0.0)) {
        return;
    }
    scale(bodies, points, count, 0.5);
    double square = 2.0 * (whole - 2.0 * workOf(bodies, start, points, count)), linear = whole - square;
    scale(bodies, points, count, linear < 0.0 ? -2.0 * linear / square : 0.0);
}

static void preparePush(const ctSolverBody *bodies, const ctSolverPoint *p, ctPush *push)
{
    push->impulse = 0.0;
    push->armA = ctCross(p->ra, p->n);
    push->armB = ctCross(p->rb, p->n);
    push->turnA = ctMulMV(bodies[p->a].invInertia, push->armA);
    push->turnB = ctMulMV(bodies[p->b].invInertia, push->armB);
}

// Solves one point. Returns the change of its velocity, m/s.
static double pushPoint(ctSolverBody *bodies, const ctSolverPoint *p, ctPush *push)
{
    ctSolverBody *a = &bodies[p->a], *b = &bodies[p->b];
    double speed = ctDot(p->n, ctSub(a->v, b->v)) + (ctDot(push->armA, a->w) - ctDot(push->armB, b->w));
    double after = push->impulse + (push->target - speed) * p->invKnn;
    after = push->pulls ? after : ctFmax(0.0, after);
    double change = after - push->impulse;
    push->impulse = after;
    if (change == 0.0) {
        return 0.0;
    }
    if (a->invMass > 0.0) {
        a->v = ctMulAdd(a->v, change * a->invMass, p->n);
        a->w = ctMulAdd(a->w, change, push->turnA);
    }
    if (b->invMass > 0.0) {
        b->v = ctMulAdd(b->v, -change * b->invMass, p->n);
        b->w = ctMulAdd(b->w, -change, push->turnB);
    }
    return fabs(change) * p->knn;
}

void ctSolver_PushOut(ctSolverBody *pseudo, const ctSolverPoint *points, ctPush *pushes, int count, double tolerance,
                      int maxSweeps)
{
    for (int i = 0; i < count; i++) {
        tolerance = ctFmax(tolerance, ROUGHLY * fabs(pushes[i].target) * (pushes[i].pulls || pushes[i].target > 0.0));
        preparePush(pseudo, &points[i], &pushes[i]);
    }
    for (int sweep = 0; sweep < maxSweeps; sweep++) {
        double residual = 0.0;
        for (int j = 0; j < count; j++) {
            int i = sweep & 1 ? count - 1 - j : j;
            residual = ctFmax(residual, pushPoint(pseudo, &points[i], &pushes[i]));
        }
        if (residual <= tolerance) {
            break;
        }
    }
}

void ctSolver_Destroy(ctSolver *solver)
{
    ctNewton_Destroy(solver->newton);
    solver->newton = NULL;
    ctPart_Destroy(solver->part);
    solver->part = NULL;
}
