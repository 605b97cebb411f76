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

#include "collision/memory.h"
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
// [storage] Faces that a sequence remembers.
enum { FACES = 16 };

// The places of one pair that strike together. Bodies do not move in a sequence: it finds them once.
typedef struct ctFace {
    int begin;      // the first touch of the pair; -1: none
    uint64_t whole; // the touches from there on that belong to the face; none: another touch may see another face
    int count, places[MAX_POINTS];
    ctVec3 normals[MAX_POINTS], armsA[MAX_POINTS], armsB[MAX_POINTS];
    ctVec3 spinsA[MAX_POINTS], spinsB[MAX_POINTS]; // rad/s per N s along the normal
    double effects[MAX_POINTS][MAX_POINTS];        // m/s at one point by 1 N s at another, both along the normal
} ctFace;

// Some points of a face in some order, and the equations of their normal impulses.
typedef struct Square {
    int count, points[MAX_POINTS];
    double matrix[MAX_POINTS][MAX_POINTS], speeds[MAX_POINTS];
    double fastest; // m/s: of the greatest approach
} Square;

bool ctSequence_OpenFaces(ctSequence *s)
{
    s->faces = s->faces == NULL ? ctAllocate(FACES, sizeof *s->faces) : s->faces;
    for (int i = 0; i < FACES && s->faces != NULL; i++) {
        s->faces[i].begin = -1;
    }
    return s->faces != NULL;
}

static ctFace *slotOf(const ctSequence *s, int begin)
{
    return &s->faces[(unsigned)s->touches[begin].pair % FACES];
}

void ctSequence_DropFace(const ctSequence *s, int begin)
{
    slotOf(s, begin)->begin = -1;
}

// The places in the sequence that strike together with the first, a touch of the pair whose touches begin at begin.
static void collect(const ctSequence *s, int begin, int first, ctFace *face)
{
    const ctTouch *touch = &s->touches[first];
    face->count = 0;
    face->places[face->count++] = first;
    face->whole = (uint64_t)1 << (first - begin);
    for (int i = begin; i < s->touchCount && s->touches[i].pair == touch->pair && face->count < MAX_POINTS; i++) {
        if (i != first && ctDot(s->touches[i].normal, touch->normal) > 1.0 - CT_EQUAL) {
            face->places[face->count++] = i;
            face->whole |= (uint64_t)1 << (i - begin);
        }
    }
}

// Whether a point is as near to the line between two others, seen along a normal, as points of one impact are.
static bool isBetween(const ctTouch *touch, const ctTouch *a, const ctTouch *b, double near)
{
    ctVec3 along = ctSub(b->point, a->point), from = ctSub(touch->point, a->point);
    double length = ctLengthSquared(along), share = length > 0.0 ? ctDot(from, along) / length : 0.0;
    ctVec3 off = ctMulAdd(from, -ctFmax(0.0, ctFmin(1.0, share)), along);
    return ctLengthSquared(ctMulAdd(off, -ctDot(off, touch->normal), touch->normal)) <= near * near;
}

// Leaves out places between two others.
static void span(const ctWorld *world, const ctSequence *s, ctFace *face)
{
    int *places = face->places, count = face->count;
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
    face->whole = count < face->count ? 0 : face->whole; // which of them are left may depend on the first
    face->count = count;
    for (int i = 1; i < count && places[i - 1] > places[i]; i++) { // they are in order but for the first
        int first = places[i - 1];
        places[i - 1] = places[i];
        places[i] = first;
    }
}

static void setUp(const ctWorld *world, const ctSequence *s, ctFace *face)
{
    const ctBodyPair *pair = &world->pairs[s->touches[face->places[0]].pair];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctSolverBody one = ctBody_ForSolver(world, a), two = ctBody_ForSolver(world, b);
    double mobility = one.invMass + two.invMass;
    ctVec3 turnsA[MAX_POINTS], turnsB[MAX_POINTS];
    for (int i = 0; i < face->count; i++) {
        const ctTouch *touch = &s->touches[face->places[i]];
        face->normals[i] = touch->normal;
        face->armsA[i] = ctSub(touch->point, a->x);
        face->armsB[i] = ctSub(touch->point, b->x);
        turnsA[i] = ctCross(face->armsA[i], touch->normal);
        turnsB[i] = ctCross(face->armsB[i], touch->normal);
        face->spinsA[i] = one.invMass > 0.0 ? ctMulMV(one.invInertia, turnsA[i]) : ctZero3();
        face->spinsB[i] = two.invMass > 0.0 ? ctMulMV(two.invInertia, turnsB[i]) : ctZero3();
    }
    for (int i = 0; i < face->count; i++) {
        for (int k = 0; k < face->count; k++) {
            face->effects[i][k] = mobility * ctDot(face->normals[i], face->normals[k]) +
                                  ctDot(turnsA[k], face->spinsA[i]) + ctDot(turnsB[k], face->spinsB[i]);
        }
    }
}

// The face of a touch.
static const ctFace *faceOf(const ctWorld *world, const ctSequence *s, int first)
{
    int begin = first;
    while (begin > 0 && s->touches[begin - 1].pair == s->touches[first].pair) {
        begin--;
    }
    ctFace *face = slotOf(s, begin);
    if (face->begin != begin || (face->whole >> (first - begin) & 1) == 0) {
        face->begin = begin;
        collect(s, begin, first, face);
        span(world, s, face);
        if (face->count > 1) {
            setUp(world, s, face);
        }
    }
    return face;
}

// The equations of the points of a face that are listed. The matrix is symmetric but for rounding.
static void setEquations(const ctSequence *s, const ctFace *face, Square *sq)
{
    sq->fastest = 0.0;
    for (int i = 0; i < sq->count; i++) {
        double speed = s->speeds[face->places[sq->points[i]]];
        sq->speeds[i] = -speed;
        sq->fastest = ctFmax(sq->fastest, speed);
        for (int k = 0; k <= i; k++) {
            sq->matrix[i][k] = sq->matrix[k][i] = face->effects[sq->points[i]][sq->points[k]];
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
static bool isSlipFree(const ctWorld *world, const ctBodyPair *pair, const ctFace *face, const Square *sq,
                       const double impulses[MAX_POINTS], double rounding)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctVec3 sum = ctZero3(), wa = a->w, wb = b->w;
    for (int i = 0; i < sq->count; i++) {
        int k = sq->points[i];
        sum = ctMulAdd(sum, impulses[i], face->normals[k]);
        wa = ctMulAdd(wa, impulses[i], face->spinsA[k]);
        wb = ctMulAdd(wb, -impulses[i], face->spinsB[k]);
    }
    ctVec3 va = ctMulAdd(a->v, a->invMass, sum), vb = ctMulAdd(b->v, -b->invMass, sum);
    for (int i = 0; i < sq->count; i++) {
        int k = sq->points[i];
        ctVec3 u = ctSub(ctAdd(va, ctCross(wa, face->armsA[k])), ctAdd(vb, ctCross(wb, face->armsB[k])));
        ctVec3 slip = ctMulAdd(u, -ctDot(u, face->normals[k]), face->normals[k]);
        if (impulses[i] > 0.0 && ctLength(slip) > SLIP * sq->fastest + rounding) {
            return false;
        }
    }
    return true;
}

// Leaves only the bearing points.
static void keepBearing(Square *sq, double impulses[MAX_POINTS])
{
    double most = 0.0;
    int bearing = 0;
    for (int i = 0; i < sq->count; i++) {
        most = ctFmax(most, impulses[i]);
    }
    for (int i = 0; i < sq->count; i++) {
        if (impulses[i] > BEARS * most) {
            sq->points[bearing] = sq->points[i];
            impulses[bearing++] = impulses[i];
        }
    }
    sq->count = bearing;
}

// Impulses without friction.
static void pressSmooth(const ctSequence *s, const ctFace *face, Square *sq, double impulses[MAX_POINTS])
{
    setEquations(s, face, sq);
    if (!stopAll(sq, impulses)) {
        stopFew(sq, impulses);
    }
}

// Impulses with friction.
static void pressRough(ctWorld *world, const ctBodyPair *pair, const ctFace *face, const Square *sq, double friction,
                       double rounding, double impulses[MAX_POINTS])
{
    ctSolverBody bodies[2] = {ctBody_ForSolver(world, &world->bodies[pair->a]),
                              ctBody_ForSolver(world, &world->bodies[pair->b])};
    ctSolverPoint points[MAX_POINTS];
    for (int i = 0; i < sq->count; i++) {
        int k = sq->points[i];
        points[i] = (ctSolverPoint){
            .a = 0, .b = 1, .n = face->normals[k], .ra = face->armsA[k], .rb = face->armsB[k], .mu = friction};
    }
    ctContact_Solver(world)->shares = false;
    // Only the bearing points are wanted. Speeds are not known better than rounding.
    double tolerance = ctFmax(SLIP * sq->fastest, rounding);
    ctSolver_Solve(ctContact_Solver(world), bodies, 2, points, sq->count, tolerance, CT_SOLVER_BUDGET);
    for (int i = 0; i < sq->count; i++) {
        impulses[i] = points[i].pn;
    }
}

// Finds the points of a face that bear, and their impulses without rebound and without friction.
static void press(ctWorld *world, const ctSequence *s, const ctFace *face, Square *sq, double impulses[MAX_POINTS])
{
    const ctBodyPair *pair = &world->pairs[s->touches[face->places[0]].pair];
    double friction = ctPair_Coefficients(world, pair).friction, rounding = ctPair_SpeedRounding(world, pair);
    pressSmooth(s, face, sq, impulses);
    if (friction > 0.0 && !isSlipFree(world, pair, face, sq, impulses, rounding)) {
        pressRough(world, pair, face, sq, friction, rounding, impulses);
        keepBearing(sq, impulses);
        if (sq->count < 2) {
            return;
        }
        pressSmooth(s, face, sq, impulses);
    }
    keepBearing(sq, impulses);
}

ctTouch ctSequence_Face(ctWorld *world, const ctSequence *s, int first)
{
    const ctFace *face = faceOf(world, s, first);
    Square sq;
    double impulses[MAX_POINTS], sum = 0.0, gap = 0.0;
    sq.count = 0;
    for (int k = 0; k < 2; k++) { // the first one first
        for (int i = 0; i < face->count; i++) {
            if ((face->places[i] == first) == (k == 0)) {
                sq.points[sq.count++] = i;
            }
        }
    }
    if (sq.count > 1) {
        press(world, s, face, &sq, impulses);
    }
    ctTouch one = s->touches[sq.count > 0 ? face->places[sq.points[0]] : first];
    ctVec3 point = ctZero3(), normal = ctZero3();
    for (int i = 0; i < sq.count && sq.count > 1; i++) {
        const ctTouch *touch = &s->touches[face->places[sq.points[i]]];
        sum += impulses[i];
        gap += impulses[i] * touch->gap;
        point = ctMulAdd(point, impulses[i], touch->point);
        normal = ctMulAdd(normal, impulses[i], touch->normal);
    }
    if (sum > 0.0 && isfinite(sum)) {
        one.point = ctScale(1.0 / sum, point);
        one.normal = ctNormalize(normal);
        one.gap = gap / sum;
    }
    return one;
}
