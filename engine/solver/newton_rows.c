// The rows that points add to the matrix of a step of Newton's method: solver/newton.c derives them. Points are visited
// four at a time, and each is computed as it would be alone.
#include "engine/solver/newton_rows.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(ctSolverPoint, slide) == offsetof(ctSolverPoint, p1) + 3 * sizeof(double), "a row of a point");

static const ctFour none, one = {1.0, 1.0, 1.0, 1.0};

// ---- four points --------------------------------------------------------------------------------

// In the lanes of which the number is as given, and zero in others.
static inline ctFour only(ctFourBits which, ctFour a)
{
    return (ctFour)(which & (ctFourBits)a);
}

// The laws of discs with impulses p1, p2 at velocities u1, u2, for the present normal impulses pn and those that z
// predicts. rho: impulse per velocity. Zero in other lanes than those of which.
static inline void setDisc(ctDiscLaw *d, ctFourBits which, ctFour p1, ctFour p2, ctFour u1, ctFour u2, ctFour share,
                           ctFour pn, ctFour zn, ctFour rho, ctFour stiffness)
{
    ctFour stiff = stiffness * rho, z1 = p1 - rho * u1, z2 = p2 - rho * u2;
    ctFour length = ctFour_Roots(z1 * z1 + z2 * z2), bound = share * zn;
    ctFourBits sticks = which & (ctFourBits)(length <= bound), slides = which & ~sticks;
    d->c1 = only(sticks, one);
    d->gc = only(sticks, stiff);
    d->qc = only(sticks, -stiff * u1);
    d->gx = only(sticks, stiff);
    d->qx = only(sticks, -stiff * u2);
    d->c2 = d->share = none;
    if (!ctFour_IsAny(slides)) {
        return;
    }
    ctFour inverse = one / length, c1 = z1 * inverse, c2 = z2 * inverse;
    ctFour alpha = bound * inverse, across = c1 * u2 - c2 * u1;
    ctFour stretch = rho / ctFour_Max(one - alpha, one / stiffness);
    d->c1 = ctFour_Choose(slides, c1, d->c1);
    d->c2 = only(slides, c2);
    d->share = only(slides, share);
    d->qc = ctFour_Choose(slides, share * pn - (c1 * p1 + c2 * p2), d->qc);
    d->qx = ctFour_Choose(slides, -across * stretch, d->qx);
    d->gx = ctFour_Choose(slides, alpha * stretch, d->gx);
}

static inline const double *const *velocities(const ctSolverBody *bodies, const int *index, const double *from[4])
{
    for (int i = 0; i < 4; i++) {
        from[i] = &bodies[index[i]].v.x;
    }
    return from;
}

// The relative spins.
static inline ctFourVec spins(const ctSolverBody *bodies, const ctPointFour *f)
{
    ctFourVec w;
    for (int i = 0; i < 4; i++) {
        ctVec3 spin = ctSub(bodies[f->a[i]].w, bodies[f->b[i]].w);
        w.x[i] = spin.x;
        w.y[i] = spin.y;
        w.z[i] = spin.z;
    }
    return w;
}

// The laws of the resistances at points of which some have them.
static void setResistances(const ctPointFour *f, const ctSolverBody *bodies, const ctSolverPoint *const points[4],
                           ctFour zn, ctFour stiffness, ctLawFour *law)
{
    ctFourVec w = spins(bodies, f), twist, n = ctFourVec_Load(f->n);
    ctFourVec t1 = ctFourVec_Load(f->t1), t2 = ctFourVec_Load(f->t2);
    for (int i = 0; i < 4; i++) {
        twist.x[i] = i < f->count ? points[i]->twist.x : 0.0;
        twist.y[i] = i < f->count ? points[i]->twist.y : 0.0;
        twist.z[i] = i < f->count ? points[i]->twist.z : 0.0;
    }
    law->twist[0] = twist.x;
    law->twist[1] = twist.y;
    law->twist[2] = twist.z;
    ctFourBits bears = (ctFourBits)(zn > none);
    setDisc(&law->roll, bears & (ctFourBits)(f->rolling > none), ctFourVec_Dot(t1, twist), ctFourVec_Dot(t2, twist),
            ctFourVec_Dot(t1, w), ctFourVec_Dot(t2, w), f->rolling, law->pn, zn, one / f->roll2, stiffness);
    ctFour before = ctFourVec_Dot(n, twist), spin = ctFourVec_Dot(n, w), z = before - spin / f->spinMobility;
    ctFourBits turns = bears & (ctFourBits)(f->spinning > none);
    ctFourBits held = turns & (ctFourBits)(ctFour_Size(z) <= f->spinning * zn), slides = turns & ~held;
    ctFour share = ctFour_Choose((ctFourBits)z < 0, -f->spinning, f->spinning);
    law->spinShare = only(slides, share);
    law->gs = only(held, stiffness / f->spinMobility);
    law->qs = ctFour_Choose(held, -law->gs * spin, only(slides, share * law->pn - before));
}

void ctNewton_SetLaws(ctNewton *nw, const ctSolverBody *bodies, const ctSolverPoint *points, int four, double stiff)
{
    const ctPointFour *f = &nw->fours[four];
    ctLawFour *law = &nw->laws[four];
    const ctSolverPoint *p[4];
    for (int i = 0; i < 4; i++) {
        p[i] = &points[4 * four + (i < f->count ? i : f->count - 1)];
    }
    ctFour impulses[4];
    ctFour_Transpose(*(const ctFourAt *)&p[0]->p1, *(const ctFourAt *)&p[1]->p1, *(const ctFourAt *)&p[2]->p1,
                     *(const ctFourAt *)&p[3]->p1, impulses);
    law->p1 = impulses[0];
    law->p2 = impulses[1];
    law->pn = impulses[2];
    ctFour stiffness = stiff * ctFour_Max(one, nw->burden * f->knn);
    const double *from[4];
    ctFourVec u = ctNewton_VelocityAt(velocities(bodies, f->a, from), ctFourVec_Load(f->ra));
    u = ctFourVec_Sub(u, ctNewton_VelocityAt(velocities(bodies, f->b, from), ctFourVec_Load(f->rb)));
    ctFour un = ctFourVec_Dot(ctFourVec_Load(f->n), u) - f->target, zn = law->pn - f->invKnn * un;
    ctFourBits open = (ctFourBits)(zn <= none);
    for (int i = f->count; i < 4; i++) {
        open[i] = -1;
        zn[i] = 0.0;
    }
    memcpy(law->open, &open, sizeof open);
    law->gn = stiffness * f->invKnn;
    law->qn = -law->gn * un;
    setDisc(&law->slip, ~open & (ctFourBits)(f->mu > none), law->p1, law->p2, ctFourVec_Dot(ctFourVec_Load(f->t1), u),
            ctFourVec_Dot(ctFourVec_Load(f->t2), u), f->mu, law->pn, zn, f->invS2, stiffness);
    if (f->resists) {
        setResistances(f, bodies, p, zn, stiffness, law);
    }
}

// ---- assembly -----------------------------------------------------------------------------------

// The directions of the discs' impulses, and across them.
static inline ctFourVec along(const ctPointFour *f, const ctDiscLaw *d)
{
    return ctFourVec_MulAdd(ctFourVec_Scale(d->c1, ctFourVec_Load(f->t1)), d->c2, ctFourVec_Load(f->t2));
}

static inline ctFourVec across(const ctPointFour *f, const ctDiscLaw *d)
{
    return ctFourVec_MulAdd(ctFourVec_Scale(d->c1, ctFourVec_Load(f->t2)), -d->c2, ctFourVec_Load(f->t1));
}

// f v n^T
static inline void setProduct(ctFourVec h[3], ctFour f, ctFourVec v, ctFourVec n)
{
    h[0] = ctFourVec_Scale(f * v.x, n);
    h[1] = ctFourVec_Scale(f * v.y, n);
    h[2] = ctFourVec_Scale(f * v.z, n);
}

// The laws of discs as matrices: adds g_c c c^T + g_x x x^T.
static inline void addDisc(ctFourVec h[3], ctFourVec c, ctFourVec x, const ctDiscLaw *d)
{
    h[0] = ctFourVec_MulAdd(ctFourVec_MulAdd(h[0], d->gc * c.x, c), d->gx * x.x, x);
    h[1] = ctFourVec_MulAdd(ctFourVec_MulAdd(h[1], d->gc * c.y, c), d->gx * x.y, x);
    h[2] = ctFourVec_MulAdd(ctFourVec_MulAdd(h[2], d->gc * c.z, c), d->gx * x.z, x);
}

void ctRows_Spread(const ctFourVec h[3], ctFourVec arm, ctRows rows[4])
{
    for (int i = 0; i < 3; i++) {
        ctFourVec k = ctFourVec_Cross(arm, h[i]);
        ctFour first[4], second[4];
        ctFour_Transpose(h[i].x, h[i].y, h[i].z, k.x, first);
        ctFour_Transpose(k.y, k.z, none, none, second);
        for (int lane = 0; lane < 4; lane++) {
            rows[lane].at[2 * i] = first[lane];
            rows[lane].at[2 * i + 1] = second[lane];
        }
    }
}

// Adds turn to rows that have been spread.
static inline void addTurns(const ctFourVec turn[3], ctRows rows[4])
{
    for (int i = 0; i < 3; i++) {
        ctFour first[4], second[4];
        ctFour_Transpose(none, none, none, turn[i].x, first);
        ctFour_Transpose(turn[i].y, turn[i].z, none, none, second);
        for (int lane = 0; lane < 4; lane++) {
            rows[lane].at[2 * i] += first[lane];
            rows[lane].at[2 * i + 1] += second[lane];
        }
    }
}

// The resistances of points: dm = t - turn dw - pull du. Returns t, and the rows of the others.
static ctFourVec findResistances(const ctPointFour *f, const ctLawFour *law, ctRows a[4], ctRows b[4])
{
    const ctDiscLaw *d = &law->roll;
    ctFourVec n = ctFourVec_Load(f->n), c = along(f, d), x = across(f, d);
    ctFourVec lead = ctFourVec_MulAdd(ctFourVec_Scale(law->spinShare, n), d->share, c), pull[3], turn[3];
    setProduct(pull, law->gn, lead, n);
    setProduct(turn, law->gs, n, n);
    addDisc(turn, c, x, d);
    ctRows_Spread(pull, ctFourVec_Load(f->ra), a);
    ctRows_Spread(pull, ctFourVec_Load(f->rb), b);
    addTurns(turn, a);
    addTurns(turn, b);
    ctFourVec t = ctFourVec_MulAdd(ctFourVec_Scale(law->qn, lead), d->qc, c);
    t = ctFourVec_MulAdd(ctFourVec_MulAdd(t, d->qx, x), law->qs, n);
    ctFourBits open;
    memcpy(&open, law->open, sizeof open);
    return (ctFourVec){ctFour_Choose(open, -law->twist[0], t.x), ctFour_Choose(open, -law->twist[1], t.y),
                       ctFour_Choose(open, -law->twist[2], t.z)};
}

// At points with the law dp = q - H du. An open point loses its impulse.
static void addImpulses(ctNewton *nw, const ctPointFour *f, const ctLawFour *law, ctFourVec q, ctFourVec twist)
{
    ctFourVec onA = ctFourVec_Add(ctFourVec_Cross(ctFourVec_Load(f->ra), q), twist);
    ctFourVec onB = ctFourVec_Add(ctFourVec_Cross(ctFourVec_Load(f->rb), q), twist);
    ctFour firstA[4], restA[4], firstB[4], restB[4];
    ctFour_Transpose(q.x, q.y, q.z, onA.x, firstA);
    ctFour_Transpose(onA.y, onA.z, none, none, restA);
    ctFour_Transpose(q.x, q.y, q.z, onB.x, firstB);
    ctFour_Transpose(onB.y, onB.z, none, none, restB);
    for (int i = 0; i < f->count; i++) {
        bool counts = law->open[i] == 0 || law->pn[i] != 0.0;
        int a = CT_STRIDE * f->blockA[i], b = CT_STRIDE * f->blockB[i];
        if (counts && a >= 0) {
            *(ctFourAt *)&nw->x[a] += firstA[i];
            *(ctFourAt *)&nw->x[a + 4] += restA[i];
        }
        if (counts && b >= 0) {
            *(ctFourAt *)&nw->x[b] -= firstB[i];
            *(ctFourAt *)&nw->x[b + 4] -= restB[i];
        }
    }
}

void ctNewton_AddFour(ctNewton *nw, const ctSolverPoint *points, int four)
{
    const ctPointFour *f = &nw->fours[four];
    const ctLawFour *law = &nw->laws[four];
    const ctDiscLaw *d = &law->slip;
    ctFourVec n = ctFourVec_Load(f->n), t1 = ctFourVec_Load(f->t1), t2 = ctFourVec_Load(f->t2);
    ctFourVec c = along(f, d), x = across(f, d), lead = ctFourVec_MulAdd(n, d->share, c), h[3];
    ctFourVec q = ctFourVec_MulAdd(ctFourVec_MulAdd(ctFourVec_Scale(law->qn, lead), d->qc, c), d->qx, x);
    ctFourVec twist = {none, none, none};
    ctRows a[4], b[4], turnA[4], turnB[4];
    setProduct(h, law->gn, lead, n);
    addDisc(h, c, x, d);
    ctRows_Spread(h, ctFourVec_Load(f->ra), a);
    ctRows_Spread(h, ctFourVec_Load(f->rb), b);
    if (f->resists) {
        twist = findResistances(f, law, turnA, turnB);
    }
    for (int i = 0; i < f->count; i++) {
        if (law->open[i] == 0) {
            ctBlocks_AddPoint(&nw->matrix, &points[4 * four + i], &a[i], &b[i]);
        }
        if (law->open[i] == 0 && (f->rolling[i] > 0.0 || f->spinning[i] > 0.0)) {
            ctBlocks_AddTorque(&nw->matrix, &points[4 * four + i], &turnA[i], &turnB[i]);
        }
    }
    ctFourBits open;
    memcpy(&open, law->open, sizeof open);
    ctFourVec lost = ctFourVec_MulAdd(ctFourVec_MulAdd(ctFourVec_Scale(law->pn, n), law->p1, t1), law->p2, t2);
    q = (ctFourVec){ctFour_Choose(open, -lost.x, q.x), ctFour_Choose(open, -lost.y, q.y),
                    ctFour_Choose(open, -lost.z, q.z)};
    addImpulses(nw, f, law, q, twist);
}
