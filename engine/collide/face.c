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
// The speed of approach is linear in place, so a point between two others stops when these do, and its impulse acts as
// two of theirs would. Such points are left out: the ends of an edge that meets another along a part of it, a hair
// apart, could hardly be told from each other.
//
// Without friction the impulses are a small linear complementarity problem, u = A p + u_0 >= 0, p >= 0, p u = 0. Where
// all points stop, linear equations solve it. Otherwise three points at most need to bear, because u has three degrees
// of freedom: all such sets are tried. If the solution leaves no slip at any bearing point, it is also the solution
// with friction. This is so for everything that falls flat and does not slide.
#include "engine/collide/collide_internal.h"

#include "engine/contact/contact.h"

#include <string.h>

enum { MAX_POINTS = 16 };
// As a share of the greatest approach. Larger: a body that falls flat leaves with a spin; smaller: rounding.
#define PRECISION (0.01 * CT_EQUAL)
#define BEARS CT_SPEED_TOLERANCE // as a share of the greatest impulse: a point with more bears
// As a share of the greatest approach, above rounding: the impulse that stops slower slip is less than BEARS.
#define SLIP (0.1 * BEARS)
// [method] As a share of the greatest mobility: makes the matrix of redundant points regular; refinement removes it.
#define REGULAR 1e-7
enum { ROUNDS = 3, BEARING = 3 };

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

// Whether a point is as near to the line between two others, seen along a normal, as points of one impact are.
static bool isBetween(const ctTouch *touch, const ctTouch *a, const ctTouch *b, double near)
{
    ctVec3 along = ctSub(b->point, a->point), from = ctSub(touch->point, a->point);
    double length = ctLengthSquared(along), share = length > 0.0 ? ctDot(from, along) / length : 0.0;
    ctVec3 off = ctMulAdd(from, -ctFmax(0.0, ctFmin(1.0, share)), along);
    return ctLengthSquared(ctMulAdd(off, -ctDot(off, touch->normal), touch->normal)) <= near * near;
}

// Leaves out places between two others. Returns the number of those that stay.
static int span(const ctWorld *world, const ctSequence *s, int places[MAX_POINTS], int count)
{
    const ctBodyPair *pair = &world->pairs[s->touches[places[0]].pair];
    double near = CT_CLOSED * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    for (int i = count - 1; i >= 0 && count > 2; i--) {
        bool between = false;
        for (int j = 0; j < count && !between; j++) {
            for (int k = 0; k <= j && !between && j != i; k++) {
                between =
                    k != i && isBetween(&s->touches[places[i]], &s->touches[places[j]], &s->touches[places[k]], near);
            }
        }
        if (between) {
            count--;
            for (int k = i; k < count; k++) {
                places[k] = places[k + 1];
            }
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

// The impulses that stop a few of the points, and no others. False if one pulls, or if they cannot all be stopped.
static bool stopSome(const Square *sq, const int *which, int n, double impulses[MAX_POINTS])
{
    double rows[BEARING][BEARING + 1];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            rows[i][k] = sq->matrix[which[i]][which[k]];
        }
        rows[i][n] = -sq->speeds[which[i]];
    }
    for (int k = 0; k < n; k++) { // the matrix is symmetric, and positive
        for (int i = 0; i < n; i++) {
            double factor = rows[i][k] / rows[k][k];
            for (int j = k; j <= n && i != k; j++) {
                rows[i][j] -= factor * rows[k][j];
            }
        }
    }
    for (int i = 0; i < sq->count; i++) {
        impulses[i] = 0.0;
    }
    bool presses = true;
    for (int i = 0; i < n; i++) {
        impulses[which[i]] = rows[i][n] / rows[i][i];
        presses = presses && impulses[which[i]] >= 0.0 && isfinite(impulses[which[i]]);
    }
    return presses;
}

// The greatest approach that impulses leave, m/s.
static double approachAfter(const Square *sq, const double impulses[MAX_POINTS])
{
    double most = 0.0;
    for (int i = 0; i < sq->count; i++) {
        double speed = sq->speeds[i];
        for (int k = 0; k < sq->count; k++) {
            speed += sq->matrix[i][k] * impulses[k];
        }
        most = ctFmax(most, -speed);
    }
    return most;
}

// The impulses after which no point approaches, or the best of those that stop up to three of them.
static void stopFew(const Square *sq, double impulses[MAX_POINTS])
{
    double least = INFINITY, now[MAX_POINTS];
    int n = sq->count;
    for (int i = 0; i < n; i++) {
        impulses[i] = 0.0;
    }
    // i < j < k; where j or k is n, there is none
    for (int i = 0; i < n; i++) {
        for (int j = i + 1; j <= n; j++) {
            for (int k = j < n ? j + 1 : n; k <= n; k++) {
                const int which[BEARING] = {i, j, k};
                double left =
                    stopSome(sq, which, 1 + (j < n) + (k < n), now) ? approachAfter(sq, now) : (double)INFINITY;
                if (left < least) {
                    least = left;
                    memcpy(impulses, now, sizeof now);
                }
                if (least <= PRECISION * sq->fastest) {
                    return;
                }
            }
        }
    }
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
    if (!stopAll(&sq, impulses)) {
        stopFew(&sq, impulses);
    }
    *smooth = friction == 0.0 || isSlipFree(&sq, impulses, rounding);
    if (*smooth) {
        return keepBearing(places, impulses, count);
    }
    ctSolverPoint points[MAX_POINTS];
    for (int i = 0; i < count; i++) {
        points[i] =
            (ctSolverPoint){.a = 0, .b = 1, .n = sq.normals[i], .ra = sq.armsA[i], .rb = sq.armsB[i], .mu = friction};
    }
    ctContact_Solver(world)->shares = false;
    // Only the bearing points are wanted. Speeds are not known better than rounding.
    double tolerance = ctFmax(SLIP * sq.fastest, rounding);
    ctSolver_Solve(ctContact_Solver(world), sq.bodies, 2, points, count, tolerance, CT_SOLVER_BUDGET);
    for (int i = 0; i < count; i++) {
        impulses[i] = points[i].pn;
    }
    return keepBearing(places, impulses, count);
}

ctTouch ctSequence_Face(ctWorld *world, const ctSequence *s, int first)
{
    int places[MAX_POINTS], count = collect(s, first, places);
    count = span(world, s, places, count);
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
