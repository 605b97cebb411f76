// Faces and edges strike as one.
//
// Points of two bodies whose gaps are below a small share of their size arrive within the duration of one impact: they
// are one impact. The points that bear follow from impulses without rebound, in their friction cones, after which no
// point approaches. The solver of sustained contact finds these. Then the impulses of the bearing points without
// friction, p_i >= 0, are found in the same way. Normals of one face are parallel. So p acts on the bodies as its sum
// does at the centre of pressure,
//     c = sum p_i x_i / sum p_i,
// and where all points stop, c stops too. The impact is therefore solved at c, by the law of the world. Without
// friction, every bearing point leaves with e times its speed of approach. A block that falls or slides flat against a
// wall keeps its orientation. A block that lands on one edge while it stands on another may leave the other. A touch at
// one point is unchanged. How p is divided among more than three points is not determined, but its sum and c are.
//
// Without friction the impulses are a small linear complementarity problem, u = A p + u_0 >= 0, p >= 0, p u = 0. Sweeps
// over p solve it; where all points stop, linear equations do. If that solution leaves no slip at any bearing point, it
// is also the solution with friction. This is so for everything that falls flat and does not slide.
#include "engine/collide/collide_internal.h"

#include "engine/contact/contact.h"

enum { MAX_POINTS = 16 };
// As a share of the greatest approach. Larger: a body that falls flat leaves with a spin; smaller: sweeps that change
// nothing.
#define PRECISION (0.01 * CT_EQUAL)
#define BEARS CT_SPEED_TOLERANCE // as a share of the greatest impulse: a point with more bears
// As a share of the greatest approach, above rounding: the impulse that stops slower slip is less than BEARS.
#define SLIP (0.1 * BEARS)
// [method] As a share of the greatest mobility: makes the matrix of redundant points regular; refinement removes it.
#define REGULAR 1e-7
enum { SWEEPS = 100, ROUNDS = 3 };

// The places in the sequence that strike together with the first. Returns their number.
static int collect(const ctSequence *s, int first, int places[MAX_POINTS])
{
    const ctTouch *touch = &s->touches[first];
    int count = 0;
    places[count++] = first;
    for (int i = 0; i < s->touchCount && count < MAX_POINTS; i++) {
        if (i != first && s->touches[i].pair == touch->pair &&
            ctDot(s->touches[i].normal, touch->normal) > 1.0 - CT_EQUAL) {
            places[count++] = i;
        }
    }
    return count;
}

static ctSolverBody bodyOf(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    ctSolverBody s = {.v = body->v, .w = body->w, .invMass = ctBody_IsMovable(body) ? body->invMass : 0.0};
    s.invInertia = ctBody_InverseInertia(world, body);
    return s;
}

// The points of one pair, and the effect of impulses along their normals: column i is the change of velocity and spin
// of a and b.
typedef struct Square {
    int count;
    double fastest; // m/s: of the greatest approach
    ctVec3 normals[MAX_POINTS], armsA[MAX_POINTS], armsB[MAX_POINTS];
    ctVec3 spinsA[MAX_POINTS], spinsB[MAX_POINTS]; // rad/s per N s
    double matrix[MAX_POINTS][MAX_POINTS], speeds[MAX_POINTS];
    ctSolverBody bodies[2];
} Square;

static void setUp(const ctWorld *world, const ctSequence *s, const int places[MAX_POINTS], int count, Square *sq)
{
    const ctBodyPair *pair = &world->pairs[s->touches[places[0]].pair];
    sq->count = count;
    sq->fastest = 0.0;
    sq->bodies[0] = bodyOf(world, pair->a);
    sq->bodies[1] = bodyOf(world, pair->b);
    double mobility = sq->bodies[0].invMass + sq->bodies[1].invMass;
    ctVec3 turnsA[MAX_POINTS], turnsB[MAX_POINTS];
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        sq->normals[i] = touch->normal;
        sq->armsA[i] = ctSub(touch->point, world->bodies[pair->a].x);
        sq->armsB[i] = ctSub(touch->point, world->bodies[pair->b].x);
        turnsA[i] = ctCross(sq->armsA[i], touch->normal);
        turnsB[i] = ctCross(sq->armsB[i], touch->normal);
        sq->spinsA[i] = sq->bodies[0].invMass > 0.0 ? ctMulMV(sq->bodies[0].invInertia, turnsA[i]) : ctZero3();
        sq->spinsB[i] = sq->bodies[1].invMass > 0.0 ? ctMulMV(sq->bodies[1].invInertia, turnsB[i]) : ctZero3();
        sq->speeds[i] = -s->speeds[places[i]];
        sq->fastest = ctFmax(sq->fastest, s->speeds[places[i]]);
        for (int k = 0; k <= i; k++) {
            sq->matrix[i][k] = sq->matrix[k][i] = mobility * ctDot(touch->normal, sq->normals[k]) +
                                                  ctDot(turnsA[k], sq->spinsA[i]) + ctDot(turnsB[k], sq->spinsB[i]);
        }
    }
}

// The least impulses that stop all points: the limit of the solutions of (A + eps) p = -u_0, by refinement. If none of
// them pulls, they are the solution. False if one does, or if the points cannot all be stopped.
static inline __attribute__((always_inline)) bool stop(const Square *sq, int n, double impulses[MAX_POINTS])
{
    double lower[MAX_POINTS][MAX_POINTS], most = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++) {
        impulses[i] = 0.0;
        most = ctFmax(most, sq->matrix[i][i]);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = sq->matrix[i][j] + (i == j ? REGULAR * most : 0.0);
            for (int k = 0; k < j; k++) {
                sum -= lower[i][k] * lower[j][k];
            }
            lower[i][j] = i == j ? 1.0 / sqrt(sum) : sum * lower[j][j];
        }
    }
    for (int round = 0; round <= ROUNDS; round++) {
        double rest[MAX_POINTS];
        worst = 0.0;
        for (int i = 0; i < n; i++) {
            rest[i] = -sq->speeds[i];
            for (int k = 0; k < n; k++) {
                rest[i] -= sq->matrix[i][k] * impulses[k];
            }
            worst = ctFmax(worst, fabs(rest[i]));
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                rest[i] -= lower[i][k] * rest[k];
            }
            rest[i] *= lower[i][i];
        }
        for (int i = n - 1; i >= 0 && round < ROUNDS; i--) {
            for (int k = i + 1; k < n; k++) {
                rest[i] -= lower[k][i] * rest[k];
            }
            rest[i] *= lower[i][i];
            impulses[i] += rest[i];
        }
    }
    bool presses = worst <= PRECISION * sq->fastest;
    for (int i = 0; i < n; i++) {
        presses = presses && impulses[i] > 0.0;
    }
    return presses;
}

// Most faces have four points: a number that the compiler knows.
static bool stopAll(const Square *sq, double impulses[MAX_POINTS])
{
    return sq->count == 4 ? stop(sq, 4, impulses) : stop(sq, sq->count, impulses);
}

// Sweeps until no speed changes. False when that takes too long.
static bool sweepSquare(const Square *sq, double impulses[MAX_POINTS])
{
    double worst = INFINITY;
    for (int i = 0; i < sq->count; i++) {
        impulses[i] = 0.0;
    }
    for (int sweep = 0; sweep < SWEEPS && worst > CT_SPEED_ROUNDING * sq->fastest; sweep++) {
        worst = 0.0;
        for (int j = 0; j < sq->count; j++) {
            int i = sweep & 1 ? sq->count - 1 - j : j;
            double speed = sq->speeds[i];
            for (int k = 0; k < sq->count; k++) {
                speed += sq->matrix[i][k] * impulses[k];
            }
            double after = ctFmax(0.0, impulses[i] - speed / sq->matrix[i][i]);
            worst = ctFmax(worst, fabs(after - impulses[i]) * sq->matrix[i][i]);
            impulses[i] = after;
        }
    }
    return worst <= PRECISION * sq->fastest;
}

// Whether no bearing point slips after the impulses. rounding: the speed (m/s) below which slip is not known.
static bool isSlipFree(const Square *sq, const double impulses[MAX_POINTS], double rounding)
{
    ctVec3 sum = ctZero3(), va = sq->bodies[0].v, vb = sq->bodies[1].v, wa = sq->bodies[0].w, wb = sq->bodies[1].w;
    for (int i = 0; i < sq->count; i++) {
        sum = ctMulAdd(sum, impulses[i], sq->normals[i]);
        wa = ctMulAdd(wa, impulses[i], sq->spinsA[i]);
        wb = ctMulAdd(wb, -impulses[i], sq->spinsB[i]);
    }
    va = ctMulAdd(va, sq->bodies[0].invMass, sum);
    vb = ctMulAdd(vb, -sq->bodies[1].invMass, sum);
    for (int i = 0; i < sq->count; i++) {
        ctVec3 u = ctSub(ctAdd(va, ctCross(wa, sq->armsA[i])), ctAdd(vb, ctCross(wb, sq->armsB[i])));
        ctVec3 slip = ctMulAdd(u, -ctDot(u, sq->normals[i]), sq->normals[i]);
        if (impulses[i] > 0.0 && ctLength(slip) > SLIP * sq->fastest + rounding) {
            return false;
        }
    }
    return true;
}

// Moves the bearing places to the front. Returns their number.
static int keepBearing(int places[MAX_POINTS], double impulses[MAX_POINTS], int count)
{
    double most = 0.0;
    int bearing = 0;
    for (int i = 0; i < count; i++) {
        most = ctFmax(most, impulses[i]);
    }
    for (int i = 0; i < count; i++) {
        if (impulses[i] > BEARS * most) {
            places[bearing] = places[i];
            impulses[bearing++] = impulses[i];
        }
    }
    return bearing;
}

// Finds impulses without rebound at some places, with a friction, after which none of them approaches. Moves the
// bearing places to the front and returns their number. *smooth: without friction they are the same.
static int press(ctWorld *world, const ctSequence *s, double friction, int places[MAX_POINTS], int count,
                 double impulses[MAX_POINTS], bool *smooth)
{
    Square sq;
    setUp(world, s, places, count, &sq);
    double rounding = ctPair_SpeedRounding(world, &world->pairs[s->touches[places[0]].pair]);
    bool found = stopAll(&sq, impulses) || sweepSquare(&sq, impulses);
    *smooth = found && (friction == 0.0 || isSlipFree(&sq, impulses, rounding));
    if (*smooth) {
        return keepBearing(places, impulses, count);
    }
    ctSolverPoint points[MAX_POINTS];
    for (int i = 0; i < count; i++) {
        points[i] =
            (ctSolverPoint){.a = 0, .b = 1, .n = sq.normals[i], .ra = sq.armsA[i], .rb = sq.armsB[i], .mu = friction};
    }
    ctContact_Solver(world)->shares = false;
    // With friction only the bearing points are wanted. Speeds are not known better than rounding.
    double tolerance = ctFmax((friction > 0.0 ? SLIP : PRECISION) * sq.fastest, rounding);
    ctSolver_Solve(ctContact_Solver(world), sq.bodies, 2, points, count, tolerance, CT_SOLVER_BUDGET);
    for (int i = 0; i < count; i++) {
        impulses[i] = points[i].pn;
    }
    return keepBearing(places, impulses, count);
}

ctTouch ctSequence_Face(ctWorld *world, const ctSequence *s, int first)
{
    int places[MAX_POINTS], count = collect(s, first, places);
    ctTouch one = s->touches[first];
    double friction = ctPair_Coefficients(world, &world->pairs[one.pair]).friction, impulses[MAX_POINTS];
    bool smooth = false;
    count = count > 1 && friction > 0.0 ? press(world, s, friction, places, count, impulses, &smooth) : count;
    count = count > 1 && !smooth ? press(world, s, 0.0, places, count, impulses, &smooth) : count;
    if (count == 0) {
        return one;
    }
    double sum = 0.0, gap = 0.0;
    ctVec3 point = ctZero3(), normal = ctZero3();
    impulses[0] = count == 1 ? 1.0 : impulses[0];
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        sum += impulses[i];
        gap += impulses[i] * touch->gap;
        point = ctMulAdd(point, impulses[i], touch->point);
        normal = ctMulAdd(normal, impulses[i], touch->normal);
    }
    if (count > 1 && sum > 0.0 && isfinite(sum)) {
        one.point = ctScale(1.0 / sum, point);
        one.normal = ctNormalize(normal);
        one.gap = gap / sum;
    } else {
        one = s->touches[places[0]];
    }
    return one;
}
