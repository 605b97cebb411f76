// Visits of sweeps and of push-out, to several manifolds at once.
//
// A visit to a manifold waits for its own results: each point starts from the velocities that the point before leaves.
// So manifolds that have no moving body in common are visited together: four side by side, one in each lane of the
// vectors, and two such quads in turn, point by point, so that the processor works on one while the other waits. Each
// lane is computed as a scalar would be, and none depends on another: the bits are those of one visit after another, on
// any machine. Manifolds and bodies stay as they are in memory. Four consecutive numbers of four manifolds, or
// bodies, are read as the rows of a matrix, which is transposed.
#include "engine/contact/pile/pile_solver.h"

#include "engine/contact/tunables.h"
#include "engine/core/four.h"

#include <stddef.h>

enum { LANES = CT_PILE_QUAD };

_Static_assert(LANES == 4, "lanes of a vector");
typedef double HalfRow __attribute__((vector_size(16), aligned(8), may_alias));

typedef struct Mat {
    ctFourVec cx, cy, cz;
} Mat;

_Static_assert(sizeof(ctSolverBody) == 16 * sizeof(double) && offsetof(ctSolverBody, invMass) == 6 * sizeof(double),
               "rows of a body");
_Static_assert(offsetof(ctPilePoint, k1n) == 8 * sizeof(double) && offsetof(ctPilePoint, p1) == 14 * sizeof(double),
               "rows of a point");
_Static_assert(offsetof(ctPileManifold, friction) - offsetof(ctPileManifold, n) == 3 * sizeof(double) &&
                   offsetof(ctPileManifold, t2) - offsetof(ctPileManifold, t1) == 4 * sizeof(double),
               "rows of a manifold");

// ---- lanes --------------------------------------------------------------------------------------

// Four consecutive numbers of each lane.
static inline void load(const double *const from[LANES], ctFour out[4])
{
    ctFour_Transpose(*(const ctFourAt *)from[0], *(const ctFourAt *)from[1], *(const ctFourAt *)from[2],
                     *(const ctFourAt *)from[3], out);
}

static inline ctFourVec mulMV(const Mat *m, ctFourVec v)
{
    return (ctFourVec){m->cx.x * v.x + m->cy.x * v.y + m->cz.x * v.z, m->cx.y * v.x + m->cy.y * v.y + m->cz.y * v.z,
                       m->cx.z * v.x + m->cy.z * v.y + m->cz.z * v.z};
}

static inline ctFour gather(const double *const from[LANES])
{
    return (ctFour){*from[0], *from[1], *from[2], *from[3]};
}

// ---- what is visited ----------------------------------------------------------------------------

typedef struct Bodies {
    ctFourVec v, w;
    ctFour invMass;
    Mat invInertia;
} Bodies;

static inline Bodies loadBodies(const ctSolverBody *const from[LANES])
{
    ctFour rows[4][4];
    for (int k = 0; k < 4; k++) {
        const double *const at[LANES] = {&from[0]->v.x + 4 * k, &from[1]->v.x + 4 * k, &from[2]->v.x + 4 * k,
                                         &from[3]->v.x + 4 * k};
        load(at, rows[k]);
    }
    return (Bodies){.v = {rows[0][0], rows[0][1], rows[0][2]},
                    .w = {rows[0][3], rows[1][0], rows[1][1]},
                    .invMass = rows[1][2],
                    .invInertia = {{rows[1][3], rows[2][0], rows[2][1]},
                                   {rows[2][2], rows[2][3], rows[3][0]},
                                   {rows[3][1], rows[3][2], rows[3][3]}}};
}

// The first two rows of each lane, which have the velocities. What is read as a row soon is written as one.
static inline void storeBodies(const Bodies *s, ctFour first[LANES], ctFour second[LANES])
{
    ctFour_Transpose(s->v.x, s->v.y, s->v.z, s->w.x, first);
    ctFour_Transpose(s->w.y, s->w.z, s->invMass, s->invInertia.cx.x, second);
}

// Manifolds, and bodies that they read. Lanes without a manifold repeat the first one.
typedef struct Visit {
    ctPileManifold *m[LANES];
    const ctSolverBody *a[LANES], *b[LANES];
    int most;          // points of a manifold
    ctFourBits counts; // points of each
    ctFourVec n;
    ctFour friction;
} Visit;

static inline void fill(Visit *visit, const ctSolverBody *bodies, ctPileManifold *const *manifolds, int count)
{
    visit->most = 0;
    for (int i = 0; i < LANES; i++) {
        ctPileManifold *m = manifolds[i < count ? i : 0];
        visit->m[i] = m;
        visit->a[i] = &bodies[m->a];
        visit->b[i] = &bodies[m->b];
        // Where neither of two bodies can move, no point is visited.
        int points = visit->a[i]->invMass == 0.0 && visit->b[i]->invMass == 0.0 ? 0 : m->count;
        visit->counts[i] = points;
        visit->most = points > visit->most ? points : visit->most;
    }
    ctFour rows[4];
    const double *const normals[LANES] = {&visit->m[0]->n.x, &visit->m[1]->n.x, &visit->m[2]->n.x, &visit->m[3]->n.x};
    load(normals, rows);
    visit->n = (ctFourVec){rows[0], rows[1], rows[2]};
    visit->friction = rows[3];
}

// A row of the points of that number.
static inline void loadPoints(const Visit *visit, int number, int row, ctFour out[4])
{
    const double *const at[LANES] = {&visit->m[0]->points[number].ra.x + row, &visit->m[1]->points[number].ra.x + row,
                                     &visit->m[2]->points[number].ra.x + row, &visit->m[3]->points[number].ra.x + row};
    load(at, out);
}

// ---- sweeps -------------------------------------------------------------------------------------

typedef struct Frame {
    ctFourVec t1, t2;
    ctFour patch;
} Frame;

static inline Frame loadFrame(const Visit *visit)
{
    ctFour rows[2][4];
    for (int k = 0; k < 2; k++) {
        const double *const at[LANES] = {&visit->m[0]->t1.x + 4 * k, &visit->m[1]->t1.x + 4 * k,
                                         &visit->m[2]->t1.x + 4 * k, &visit->m[3]->t1.x + 4 * k};
        load(at, rows[k]);
    }
    return (Frame){{rows[0][0], rows[0][1], rows[0][2]}, {rows[1][0], rows[1][1], rows[1][2]}, rows[0][3]};
}

static inline void pushBodies(Bodies *s, ctFourVec r, ctFourVec impulse, double sign)
{
    s->v = ctFourVec_MulAdd(s->v, sign * s->invMass, impulse);
    s->w = ctFourVec_MulAdd(s->w, (ctFour){sign, sign, sign, sign}, mulMV(&s->invInertia, ctFourVec_Cross(r, impulse)));
}

// What the visits to points add up to.
typedef struct Sums {
    ctFour load;        // N s: of the normal impulses
    ctFourBits loaded;  // how many points push, negative
    ctFourBits changed; // where a velocity has changed by more than the tolerance
} Sums;

// The friction of a point that slides: as far as it goes towards holding it, within the cone.
static inline ctFour cutDown(ctFour bound, ctFour squared, ctFourBits beyond)
{
    return ctFour_Choose(beyond, bound / ctFour_Roots(squared), (ctFour){1.0, 1.0, 1.0, 1.0});
}

static inline void solvePoints(const Visit *visit, const Frame *frame, int number, Bodies *a, Bodies *b,
                               double tolerance, Sums *sums)
{
    ctFour r0[4], r1[4], r2[4], r3[4], r4[4];
    loadPoints(visit, number, 0, r0);
    loadPoints(visit, number, 4, r1);
    ctFourVec ra = {r0[0], r0[1], r0[2]}, rb = {r0[3], r1[0], r1[1]};
    ctFourVec u =
        ctFourVec_Sub(ctFourVec_Add(a->v, ctFourVec_Cross(a->w, ra)), ctFourVec_Add(b->v, ctFourVec_Cross(b->w, rb)));
    ctFour e1 = ctFourVec_Dot(frame->t1, u), e2 = ctFourVec_Dot(frame->t2, u), en = ctFourVec_Dot(visit->n, u) - r1[2];
    loadPoints(visit, number, 14, r4);
    ctFour p1 = r4[0], p2 = r4[1], pn = r4[2], invKnn = r4[3];
    ctFourBits there = visit->counts > number;
    ctFourBits visited = there & ~((pn == 0.0) & (en >= 0.0) & (p1 == 0.0) & (p2 == 0.0));
    if (!ctFour_IsAny(visited)) {
        return; // all are open
    }
    loadPoints(visit, number, 8, r2);
    loadPoints(visit, number, 12, r3);
    ctFour k1n = r2[0], k2n = r2[1], m11 = r2[2], m12 = r2[3], m22 = r3[0], hold = r3[1];
    ctFour q1 = p1 - (m11 * e1 + m12 * e2), q2 = p2 - (m12 * e1 + m22 * e2);
    ctFour bound = visit->friction * pn;
    ctFourBits slides = visited & (q1 * q1 + q2 * q2 > bound * bound);
    if (ctFour_IsAny(slides)) {
        ctFour s1 = p1 - hold * e1, s2 = p2 - hold * e2, squared = s1 * s1 + s2 * s2;
        ctFour factor = cutDown(bound, squared, squared > bound * bound);
        q1 = ctFour_Choose(slides, s1 * factor, q1);
        q2 = ctFour_Choose(slides, s2 * factor, q2);
    }
    en += k1n * (q1 - p1) + k2n * (q2 - p2);
    ctFour qn = pn - en * invKnn;
    qn = ctFour_Choose(qn > 0.0, qn, (ctFour){0});
    ctFour limit = visit->friction * qn, squared = q1 * q1 + q2 * q2;
    ctFourBits beyond = visited & (limit < bound) & (squared > limit * limit);
    if (ctFour_IsAny(beyond)) {
        ctFour factor = cutDown(limit, squared, beyond);
        q1 *= factor;
        q2 *= factor;
    }
    q1 = ctFour_Choose(visited, q1, p1);
    q2 = ctFour_Choose(visited, q2, p2);
    qn = ctFour_Choose(visited, qn, pn);
    ctFour d1 = q1 - p1, d2 = q2 - p2, dn = qn - pn;
    ctFourVec change = ctFourVec_MulAdd(ctFourVec_MulAdd(ctFourVec_Scale(dn, visit->n), d1, frame->t1), d2, frame->t2);
    pushBodies(a, ra, change, 1.0);
    pushBodies(b, rb, change, -1.0);
    sums->changed |= (ctFour_Size(dn) > tolerance * invKnn) | (ctFour_Size(d1) + ctFour_Size(d2) > tolerance * hold);
    sums->load += ctFour_Choose(there, qn, (ctFour){0});
    sums->loaded += there & (qn > 0.0);
    ctFour rows[4];
    ctFour_Transpose(q1, q2, qn, invKnn, rows);
    for (int i = 0; i < LANES; i++) {
        *(ctFourAt *)&visit->m[i]->points[number].p1 = rows[i];
    }
}

// Rolling and spinning, each within its bound. One number that is at least the largest mobility serves for both.
static inline void resist(const Visit *visit, ctFourBits which, Bodies *a, Bodies *b, ctFour spinning, ctFour rolling)
{
    ctPileManifold *const *m = visit->m;
    const Mat *ia = &a->invInertia, *ib = &b->invInertia;
    const double *const x[LANES] = {&m[0]->twist.x, &m[1]->twist.x, &m[2]->twist.x, &m[3]->twist.x};
    const double *const y[LANES] = {&m[0]->twist.y, &m[1]->twist.y, &m[2]->twist.y, &m[3]->twist.y};
    const double *const z[LANES] = {&m[0]->twist.z, &m[1]->twist.z, &m[2]->twist.z, &m[3]->twist.z};
    ctFourVec before = {gather(x), gather(y), gather(z)};
    ctFour answer = 1.0 / ((ia->cx.x + ia->cy.y + ia->cz.z) + (ib->cx.x + ib->cy.y + ib->cz.z));
    ctFourVec twist = ctFourVec_MulAdd(before, -answer, ctFourVec_Sub(a->w, b->w));
    ctFour spin = ctFourVec_Dot(visit->n, twist);
    ctFourVec roll = ctFourVec_MulAdd(twist, -spin, visit->n);
    ctFour squared = ctFourVec_Dot(roll, roll);
    roll = ctFourVec_Scale(cutDown(rolling, squared, squared > rolling * rolling), roll);
    spin = ctFour_Choose(spin > -spinning, spin, -spinning);
    spin = ctFour_Choose(spin < spinning, spin, spinning);
    twist = ctFourVec_MulAdd(roll, spin, visit->n);
    twist = (ctFourVec){ctFour_Choose(which, twist.x, before.x), ctFour_Choose(which, twist.y, before.y),
                        ctFour_Choose(which, twist.z, before.z)};
    ctFourVec change = ctFourVec_Sub(twist, before);
    a->w = ctFourVec_Add(a->w, mulMV(ia, change));
    b->w = ctFourVec_Sub(b->w, mulMV(ib, change));
    for (int i = 0; i < LANES; i++) {
        m[i]->twist = ctV3(twist.x[i], twist.y[i], twist.z[i]);
    }
}

// Resists turning with the load of the points.
static inline void resistAll(const Visit *visit, const Frame *frame, const Sums *sums, Bodies *a, Bodies *b)
{
    ctPileManifold *const *m = visit->m;
    const double *const rollings[LANES] = {&m[0]->rolling, &m[1]->rolling, &m[2]->rolling, &m[3]->rolling};
    const double *const spinnings[LANES] = {&m[0]->spinning, &m[1]->spinning, &m[2]->spinning, &m[3]->spinning};
    ctFour least = ctFour_Choose(sums->loaded == -1, frame->patch, (ctFour){0}), spin = visit->friction * least;
    ctFour rolling = gather(rollings), spinning = gather(spinnings);
    spinning = ctFour_Choose(spinning > spin, spinning, spin);
    rolling = ctFour_Choose(rolling > least, rolling, least);
    ctFourBits twisted = (spinning > 0.0) | (rolling > 0.0);
    ctFourBits before = {-m[0]->twisted, -m[1]->twisted, -m[2]->twisted, -m[3]->twisted};
    ctFourBits which = (visit->counts > 0) & (twisted | before);
    if (ctFour_IsAny(which)) {
        resist(visit, which, a, b, spinning * sums->load, rolling * sums->load);
    }
    for (int i = 0; i < LANES; i++) {
        m[i]->twisted = visit->counts[i] > 0 ? twisted[i] != 0 : m[i]->twisted;
        m[i]->loaded = visit->counts[i] > 0 ? sums->loaded[i] != 0 : m[i]->loaded;
    }
}

// Four manifolds that are being visited.
typedef struct Quad {
    Visit visit;
    Frame frame;
    Bodies a, b;
    Sums sums;
} Quad;

static inline void begin(Quad *quad, const ctSolverBody *bodies, ctPileManifold *const *manifolds, int count)
{
    fill(&quad->visit, bodies, manifolds, count);
    quad->frame = loadFrame(&quad->visit);
    quad->a = loadBodies(quad->visit.a);
    quad->b = loadBodies(quad->visit.b);
    quad->sums = (Sums){.load = {0}};
}

static inline unsigned end(Quad *quad, ctSolverBody *bodies, int count)
{
    ctFour firstA[LANES], secondA[LANES], firstB[LANES], secondB[LANES];
    resistAll(&quad->visit, &quad->frame, &quad->sums, &quad->a, &quad->b);
    storeBodies(&quad->a, firstA, secondA);
    storeBodies(&quad->b, firstB, secondB);
    unsigned changed = 0;
    for (int i = 0; i < count; i++) {
        const ctPileManifold *m = quad->visit.m[i];
        *(ctFourAt *)&bodies[m->a].v.x = firstA[i];
        *(ctFourAt *)&bodies[m->a].w.y = secondA[i];
        if (!m->wall) {
            *(ctFourAt *)&bodies[m->b].v.x = firstB[i];
            *(ctFourAt *)&bodies[m->b].w.y = secondB[i];
        }
        changed |= (unsigned)(quad->sums.changed[i] != 0) << i;
    }
    return changed;
}

static inline void solveQuad(Quad *quad, int number, double tolerance)
{
    if (number < quad->visit.most) {
        solvePoints(&quad->visit, &quad->frame, number, &quad->a, &quad->b, tolerance, &quad->sums);
    }
}

unsigned ctPile_Solve(ctSolverBody *bodies, ctPileManifold *const *manifolds, int count, double tolerance)
{
    Quad first, second;
    int some = count < LANES ? count : LANES, others = count - some;
    begin(&first, bodies, manifolds, some);
    if (others > 0) {
        begin(&second, bodies, manifolds + LANES, others);
    }
    for (int i = 0; i < CT_PILE_POINTS; i++) {
        solveQuad(&first, i, tolerance);
        if (others > 0) {
            solveQuad(&second, i, tolerance);
        }
    }
    unsigned changed = end(&first, bodies, some);
    return others > 0 ? changed | end(&second, bodies, others) << LANES : changed;
}

// ---- overlaps -----------------------------------------------------------------------------------

// An impulse along n at a point of a body: the turn that a unit of it gives, and the motion of the point along n.
typedef struct Lever {
    ctFourVec turn; // I^-1 (r x n)
    ctFour give;
} Lever;

static inline Lever leverOf(const Bodies *body, ctFourVec r, ctFourVec n)
{
    ctFourVec arm = ctFourVec_Cross(r, n);
    Lever lever = {.turn = mulMV(&body->invInertia, arm)};
    lever.give = body->invMass + ctFourVec_Dot(arm, lever.turn);
    return lever;
}

// Displacements of the bodies of four manifolds.
typedef struct Pushes {
    ctFourVec x, turn;
} Pushes;

static inline Pushes loadPushes(const ctPilePush *const from[LANES])
{
    ctFour first[4];
    const double *const at[LANES] = {&from[0]->x.x, &from[1]->x.x, &from[2]->x.x, &from[3]->x.x};
    HalfRow rest[LANES];
    load(at, first);
    for (int i = 0; i < LANES; i++) {
        rest[i] = *(const HalfRow *)&from[i]->turn.y;
    }
    ctFour some = __builtin_shufflevector(rest[0], rest[1], 0, 1, 2, 3);
    ctFour others = __builtin_shufflevector(rest[2], rest[3], 0, 1, 2, 3);
    return (Pushes){.x = {first[0], first[1], first[2]},
                    .turn = {first[3], __builtin_shufflevector(some, others, 0, 2, 4, 6),
                             __builtin_shufflevector(some, others, 1, 3, 5, 7)}};
}

static inline void displace(Pushes *push, const Bodies *body, const Lever *lever, ctFourVec n, ctFour impulse)
{
    push->x = ctFourVec_MulAdd(push->x, impulse * body->invMass, n);
    push->turn = ctFourVec_MulAdd(push->turn, impulse, lever->turn);
}

// Four manifolds that are being visited.
typedef struct PushQuad {
    Visit visit;
    Bodies bodyA, bodyB;
    Pushes a, b;
    ctFour shareA, shareB; // of a displacement
    ctFour least;          // m: what is lacking by less is left
    ctFourBits moved;
} PushQuad;

// Displacements carry no momentum, so they may be shared in any way. The lower body stays in place, and a stack is
// corrected in one sweep from below.
static inline void shareOut(PushQuad *quad, ctVec3 up)
{
    ctPileManifold *const *m = quad->visit.m;
    ctFourVec n = quad->visit.n;
    ctFour lean = up.x * n.x + up.y * n.y + up.z * n.z;
    lean = ctFour_Choose((quad->bodyA.invMass == 0.0) | (quad->bodyB.invMass == 0.0), (ctFour){0}, lean);
    ctFourBits walls = {-m[0]->wall, -m[1]->wall, -m[2]->wall, -m[3]->wall};
    quad->shareA = 1.0 + lean;
    quad->shareB = ctFour_Choose(walls, (ctFour){0}, 1.0 - lean);
}

static inline void beginPush(PushQuad *quad, const ctSolverBody *bodies, const ctPilePush *pushes,
                             ctPileManifold *const *manifolds, int count, ctVec3 up)
{
    fill(&quad->visit, bodies, manifolds, count);
    ctPileManifold *const *m = quad->visit.m;
    const ctPilePush *const fromA[LANES] = {&pushes[m[0]->a], &pushes[m[1]->a], &pushes[m[2]->a], &pushes[m[3]->a]};
    const ctPilePush *const fromB[LANES] = {&pushes[m[0]->b], &pushes[m[1]->b], &pushes[m[2]->b], &pushes[m[3]->b]};
    quad->bodyA = loadBodies(quad->visit.a);
    quad->bodyB = loadBodies(quad->visit.b);
    quad->a = loadPushes(fromA);
    quad->b = loadPushes(fromB);
    quad->least = CT_POINT_TOUCH * (ctFour){m[0]->size, m[1]->size, m[2]->size, m[3]->size};
    quad->moved = (ctFourBits){0};
    shareOut(quad, up);
}

static inline void pushQuad(PushQuad *quad, int number)
{
    ctFour r0[4], r1[4];
    ctFourVec n = quad->visit.n;
    loadPoints(&quad->visit, number, 0, r0);
    loadPoints(&quad->visit, number, 4, r1);
    ctFourVec ra = {r0[0], r0[1], r0[2]}, rb = {r0[3], r1[0], r1[1]};
    ctFourVec d = ctFourVec_Sub(ctFourVec_Add(quad->a.x, ctFourVec_Cross(quad->a.turn, ra)),
                                ctFourVec_Add(quad->b.x, ctFourVec_Cross(quad->b.turn, rb)));
    ctFour lack = -r1[3] - ctFourVec_Dot(n, d);
    ctFourBits moves = (quad->visit.counts > number) & (lack > quad->least);
    if (ctFour_IsAny(moves)) {
        Lever leverA = leverOf(&quad->bodyA, ra, n), leverB = leverOf(&quad->bodyB, rb, n);
        ctFour give = quad->shareA * leverA.give + quad->shareB * leverB.give;
        ctFour impulse = ctFour_Choose(moves, lack / give, (ctFour){0});
        displace(&quad->a, &quad->bodyA, &leverA, n, quad->shareA * impulse);
        displace(&quad->b, &quad->bodyB, &leverB, n, -quad->shareB * impulse);
        quad->moved |= moves;
    }
}

static inline void storePush(ctPilePush *push, ctFour first, ctFour second, const ctSolverBody *body)
{
    *(ctFourAt *)&push->x.x = first;
    *(HalfRow *)&push->turn.y = __builtin_shufflevector(second, second, 0, 1);
    push->any = push->any || body->invMass > 0.0;
}

static inline unsigned endPush(const PushQuad *quad, ctPilePush *pushes, int count)
{
    const Pushes *a = &quad->a, *b = &quad->b;
    ctFour firstA[LANES], secondA[LANES], firstB[LANES], secondB[LANES];
    unsigned moved = 0;
    if (!ctFour_IsAny(quad->moved)) {
        return 0;
    }
    ctFour_Transpose(a->x.x, a->x.y, a->x.z, a->turn.x, firstA);
    ctFour_Transpose(a->turn.y, a->turn.z, a->turn.y, a->turn.z, secondA);
    ctFour_Transpose(b->x.x, b->x.y, b->x.z, b->turn.x, firstB);
    ctFour_Transpose(b->turn.y, b->turn.z, b->turn.y, b->turn.z, secondB);
    for (int i = 0; i < count; i++) {
        const ctPileManifold *m = quad->visit.m[i];
        if (quad->moved[i] != 0) {
            storePush(&pushes[m->a], firstA[i], secondA[i], quad->visit.a[i]);
            moved |= 1u << i;
        }
        if (quad->moved[i] != 0 && !m->wall) {
            storePush(&pushes[m->b], firstB[i], secondB[i], quad->visit.b[i]);
        }
    }
    return moved;
}

unsigned ctPile_Push(const ctSolverBody *bodies, ctPilePush *pushes, ctPileManifold *const *manifolds, int count,
                     ctVec3 up)
{
    PushQuad quad;
    beginPush(&quad, bodies, pushes, manifolds, count, up);
    for (int i = 0; i < quad.visit.most; i++) {
        pushQuad(&quad, i);
    }
    return endPush(&quad, pushes, count);
}
