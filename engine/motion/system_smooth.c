// Points of contact of which one surface is an ellipsoid or a rim, and the other any but a face.
//
// Each surface has a point that is farthest along a direction d: its place s(d) from the centre of the body, and how it
// runs as d turns, s' = K d', where K is symmetric and K d = 0:
//     an ellipsoid with the form D:   s = D d / sqrt(d.Dd),  K = (D - s s^T) / sqrt(d.Dd);
//     a circle of radius R, axis e:   s = R h / |h|,  h = d - (d.e) e,  K = R / |h| t t^T,  t = e x h / |h|;
//     a corner or a ball:             s and K are zero.
// Two bodies are nearest to each other along the normal n, from b to a, for which q = s_a(-n) - s_b(n) is along n. By
// Newton's method n turns by the part of (K_a + K_b + q.n) \ q across n, until that is nothing. The rates of n and of
// the place follow from the same matrix. A line adds that n is across it, and leaves q free along it; the
// side of a cone that n has a given sine along its axis.
//
// Where a rim meets a line, or another rim, the places on rims are searched as well. A rim may be flat there: a line
// that lies on the end of a disc crosses the rim at both ends of a chord, each of which is a point of its own, and the
// search finds the one that it begins at.
#include "engine/motion/system_internal.h"

// [method] Steps of Newton's method; a turn after which one more step is exact to rounding.
#define ROUNDS 30
#define EXACT 1e-9
// [method] The longest turn that is taken at once, rad.
#define FARTHEST 0.5
// Half of the length of a chord, in radii of its rim, at which its ends are one place.
#define SHORT (1e4 * CT_NEGLIGIBLE)

// The point of a surface that is farthest along a direction, its rate while the direction stays, and K.
typedef struct Support {
    ctVec3 x, rate;
    ctMat3 k;
} Support;

static Support supportOf(const ctSystemPose *body, const ctGuide *g, ctVec3 d)
{
    ctVec3 from = ctMulMV(body->r, g->p), s = ctZero3();
    Support p = {.k = ctMat3Zero()};
    if (g->kind == ct_guideEllipsoid) {
        ctMat3 form = ctMulMM(body->r, ctMulMM(g->form, ctTranspose(body->r)));
        ctVec3 along = ctMulMV(form, d);
        double inv = 1.0 / sqrt(ctDot(d, along));
        s = ctScale(inv, along);
        p.k = ctScaleM(inv, ctSubMM(form, ctMat3Outer(s, s)));
    } else if (g->kind == ct_guideRim) {
        ctVec3 axis = ctMulMV(body->r, g->d), h = ctMulAdd(d, -ctDot(d, axis), axis);
        double length = ctLength(h), inv = length > 0.0 ? 1.0 / length : 0.0;
        ctVec3 out = ctScale(inv, h), t = ctCross(axis, out);
        s = ctScale(g->radius, out);
        p.k = ctScaleM(g->radius * inv, ctMat3Outer(t, t));
    }
    ctVec3 arm = ctAdd(from, s);
    p.x = ctAdd(body->x, arm);
    p.rate = ctSub(ctVelocityAt(body->v, body->w, arm), ctMulMV(p.k, ctCross(body->w, d)));
    return p;
}

// Solves (K + gap) x = f in the plane across n.
static ctVec3 solveAcross(ctMat3 k, double gap, ctVec3 n, ctVec3 f)
{
    ctVec3 e, h;
    ctFrameFromNormal(n, &e, &h);
    ctVec3 ke = ctMulMV(k, e), kh = ctMulMV(k, h);
    double ee = ctDot(e, ke) + gap, eh = ctDot(h, ke), hh = ctDot(h, kh) + gap;
    double fe = ctDot(e, f), fh = ctDot(h, f), inv = 1.0 / (ee * hh - eh * eh);
    return ctMulAdd(ctScale(inv * (hh * fe - eh * fh), e), inv * (ee * fh - eh * fe), h);
}

static ctVec3 turned(ctVec3 n, ctVec3 by)
{
    double length = ctLength(by);
    return ctNormalize(ctMulAdd(n, length > FARTHEST ? FARTHEST / length : 1.0, by));
}

// Both surfaces are smooth: the normal is free.
static void onSurface(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    Support pa, pb;
    ctVec3 q, by;
    double distance;
    bool last = false;
    for (int i = 0; i < ROUNDS; i++) {
        pa = supportOf(a, &c->onA, ctNeg(m->n));
        pb = supportOf(b, &c->onB, m->n);
        q = ctSub(pa.x, pb.x);
        distance = ctDot(q, m->n);
        if (last) {
            break;
        }
        by = solveAcross(ctAddMM(pa.k, pb.k), distance, m->n, q);
        last = ctLength(by) < EXACT;
        m->n = turned(m->n, by);
    }
    m->nRate = solveAcross(ctAddMM(pa.k, pb.k), distance, m->n, ctSub(pa.rate, pb.rate));
    m->distance = distance;
    m->place = pa.x;
    m->placeRate = ctSub(pa.rate, ctMulMV(pa.k, m->nRate));
    c->reach = INFINITY;
}

// The other feature is a rim, on which the place is searched as well: at the angle of the direction out from the axis,
// with the tangent t = axis x out. It is the nearest where t is across the normal, and where the rim is flat, too.
static void onRim(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    ctVec3 axis = ctMulMV(b->r, c->onB.d), middle = ctAdd(b->x, ctMulMV(b->r, c->onB.p)), t, q, push;
    ctVec3 from = ctLengthSquared(c->at) < (double)INFINITY ? ctSub(c->at, middle) : m->n;
    ctVec3 out = ctNormalize(ctMulAdd(from, -ctDot(from, axis), axis));
    double radius = c->onB.radius, bend;
    Support pa;
    bool last = false;
    for (int i = 0; i < ROUNDS; i++) {
        pa = supportOf(a, &c->onA, ctNeg(m->n));
        t = ctCross(axis, out);
        q = ctSub(pa.x, ctMulAdd(middle, radius, out));
        m->distance = ctDot(q, m->n);
        push = ctScale(radius, solveAcross(pa.k, m->distance, m->n, t));
        bend = ctDot(t, push) + ctDot(m->n, out);
        if (last) {
            break;
        }
        ctVec3 by = solveAcross(pa.k, m->distance, m->n, q);
        double turn = (ctDot(m->n, t) + ctDot(t, by)) / bend;
        by = ctMulAdd(by, -turn, push);
        last = ctLength(by) + fabs(turn) < EXACT;
        m->n = turned(m->n, by);
        out = turned(out, ctScale(turn, t));
    }
    ctVec3 arm = ctSub(ctMulAdd(middle, radius, out), b->x);
    ctVec3 by = solveAcross(pa.k, m->distance, m->n, ctSub(pa.rate, ctVelocityAt(b->v, b->w, arm)));
    double turn = (ctDot(m->n, ctCross(b->w, t)) + ctDot(t, by)) / bend;
    m->nRate = ctMulAdd(by, -turn, push);
    m->place = pa.x;
    m->placeRate = ctSub(pa.rate, ctMulMV(pa.k, m->nRate));
    c->reach = INFINITY;
}

// A rim and a line, or the side of a cone, of which two angles are searched. That of the place on the rim: out is the
// direction to it from the axis, t = axis x out. And that of the normal about the line: n = cosine up + sine u, with
// up across u, and e = u x up. The line is opposite to the place where e.q = 0, and the place is nearest where t.n = 0.
typedef struct Crossing {
    ctVec3 axis, middle, out, t, u, base, up, e, n, q;
    double radius, sine, cosine;
} Crossing;

static void place(Crossing *x)
{
    x->t = ctCross(x->axis, x->out);
    x->e = ctCross(x->u, x->up);
    x->n = ctMulAdd(ctScale(x->cosine, x->up), x->sine, x->u);
    x->q = ctSub(ctMulAdd(x->middle, x->radius, x->out), x->base);
}

// How much nearer the place is than its neighbours on the rim, times the distance; m.
static double bendOf(const Crossing *x)
{
    double across = ctDot(x->e, x->t);
    return x->cosine * x->radius * across * across - ctDot(x->up, x->q) * ctDot(x->out, x->n);
}

// The turns of up and of out that change e.q and t.n by given amounts.
static void turnsFor(const Crossing *x, double f, double g, double *byUp, double *byOut)
{
    double across = ctDot(x->e, x->t), bend = fabs(bendOf(x)) + 1e-300;
    *byUp = (f * ctDot(x->out, x->n) + g * x->radius * across) / bend;
    *byOut = (f * x->cosine * across + g * ctDot(x->up, x->q)) / bend;
}

static void onCrossing(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    Crossing x = {.radius = c->onA.radius, .sine = c->onB.slope, .axis = ctMulMV(a->r, c->onA.d)};
    ctVec3 arm = ctMulMV(b->r, c->onB.p);
    x.cosine = sqrt(1.0 - x.sine * x.sine);
    x.middle = ctAdd(a->x, ctMulMV(a->r, c->onA.p));
    x.u = ctMulMV(b->r, c->onB.d);
    x.base = ctAdd(b->x, arm);
    ctVec3 from = ctSub(ctLengthSquared(c->at) < (double)INFINITY ? c->at : x.base, x.middle);
    x.out = ctNormalize(ctMulAdd(from, -ctDot(from, x.axis), x.axis));
    x.up = ctNormalize(ctMulAdd(m->n, -ctDot(m->n, x.u), x.u));
    Crossing start = x;
    double byUp, byOut;
    bool last = false;
    for (int i = 0; i < ROUNDS; i++) {
        place(&x);
        if (last) {
            break;
        }
        turnsFor(&x, -ctDot(x.e, x.q), -ctDot(x.t, x.n), &byUp, &byOut);
        last = fabs(byUp) + fabs(byOut) < EXACT;
        x.up = turned(x.up, ctScale(byUp, x.e));
        x.out = turned(x.out, ctScale(byOut, x.t));
    }
    bool lost = !(ctDot(start.up, x.up) > 0.0); // there is no such place, but another on the far side
    if (lost) {
        x = start;
        place(&x);
    }
    m->n = x.n;
    m->distance = ctDot(x.q, x.n);
    m->place = ctAdd(x.base, x.q);
    ctVec3 ra = ctSub(m->place, a->x), va = ctVelocityAt(a->v, a->w, ra);
    ctVec3 u = ctSub(va, ctVelocityAt(b->v, b->w, ctSub(m->place, b->x))), w = ctSub(a->w, b->w);
    turnsFor(&x, -ctDot(x.e, u), -ctDot(x.n, ctCross(w, x.t)), &byUp, &byOut);
    m->nRate = ctMulAdd(ctCross(b->w, x.n), x.cosine * byUp, x.e);
    m->placeRate = ctMulAdd(va, x.radius * byOut, x.t);
    double along = x.cosine * ctDot(x.q, x.u) - x.sine * ctDot(x.up, x.q);
    double half = sqrt(ctFmax(0.0, bendOf(&x) * x.radius / x.cosine));
    c->reach = lost ? -x.radius : ctFmin(c->onB.half - fabs(along - c->onB.shift), half - SHORT * x.radius);
}

// A rim where it crosses another: the direction from its axis to the place, and along it.
typedef struct Arc {
    ctVec3 axis, middle, out, t, place;
    double radius;
} Arc;

static Arc arcOf(const ctSystemPose *body, const ctGuide *g, ctVec3 at)
{
    Arc x = {.axis = ctMulMV(body->r, g->d), .radius = g->radius};
    x.middle = ctAdd(body->x, ctMulMV(body->r, g->p));
    ctVec3 from = ctSub(at, x.middle);
    x.out = ctNormalize(ctMulAdd(from, -ctDot(from, x.axis), x.axis));
    return x;
}

static void placeArc(Arc *x)
{
    x->t = ctCross(x->axis, x->out);
    x->place = ctMulAdd(x->middle, x->radius, x->out);
}

// The turns along two rims that change the parts of q, the way between the places, along them by given amounts.
static void turnsAlong(const Arc *x, const Arc *y, ctVec3 q, double f, double g, double *byX, double *byY)
{
    double across = ctDot(x->t, y->t), a = x->radius - ctDot(q, x->out), b = y->radius + ctDot(q, y->out);
    double det = a * b - x->radius * y->radius * across * across;
    *byX = (f * b - g * y->radius * across) / det;
    *byY = (f * x->radius * across - g * a) / det;
}

// Two rims: the way between the places is across both, and so is the normal.
static void onRims(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    Arc x = arcOf(a, &c->onA, c->at), y = arcOf(b, &c->onB, c->at);
    double byX, byY, length;
    ctVec3 q;
    bool last = false;
    for (int i = 0; i < ROUNDS; i++) {
        placeArc(&x);
        placeArc(&y);
        q = ctSub(x.place, y.place);
        if (last) {
            break;
        }
        turnsAlong(&x, &y, q, -ctDot(q, x.t), -ctDot(q, y.t), &byX, &byY);
        last = fabs(byX) + fabs(byY) < EXACT;
        x.out = turned(x.out, ctScale(byX, x.t));
        y.out = turned(y.out, ctScale(byY, y.t));
    }
    ctVec3 va = ctVelocityAt(a->v, a->w, ctSub(x.place, a->x)), vb = ctVelocityAt(b->v, b->w, ctSub(y.place, b->x));
    ctVec3 u = ctSub(va, vb), ta = ctCross(a->w, x.t), tb = ctCross(b->w, y.t);
    turnsAlong(&x, &y, q, -ctDot(u, x.t) - ctDot(q, ta), -ctDot(u, y.t) - ctDot(q, tb), &byX, &byY);
    ctVec3 across = ctAdd(ctCross(ctMulAdd(ta, -byX, x.out), y.t), ctCross(x.t, ctMulAdd(tb, -byY, y.out)));
    ctVec3 n = ctCross(x.t, y.t);
    length = copysign(ctLength(n), ctDot(n, m->n));
    m->n = ctScale(1.0 / length, n);
    m->nRate = ctScale(1.0 / length, ctMulAdd(across, -ctDot(across, m->n), m->n));
    m->distance = ctDot(q, m->n);
    m->place = x.place;
    m->placeRate = ctMulAdd(va, x.radius * byX, x.t);
    c->reach = ctFmin(x.radius, y.radius) * (fabs(length) - SHORT);
}

// The other feature is a line, or the side of a cone: the normal is free to turn about its axis. out: the direction
// from the axis to the point; n = cosine out + sine axis.
static void onLine(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    ctVec3 u = ctMulMV(b->r, c->onB.d), arm = ctMulMV(b->r, c->onB.p), uRate = ctCross(b->w, u), e, q;
    ctVec3 base = ctAdd(b->x, arm), baseRate = ctVelocityAt(b->v, b->w, arm);
    ctVec3 out = ctNormalize(ctMulAdd(m->n, -ctDot(m->n, u), u));
    double sine = c->onB.slope, cosine = sqrt(1.0 - sine * sine), stiff, along;
    Support pa;
    bool last = false;
    for (int i = 0; i < ROUNDS; i++) {
        m->n = ctMulAdd(ctScale(cosine, out), sine, u);
        pa = supportOf(a, &c->onA, ctNeg(m->n));
        e = ctCross(u, out);
        q = ctSub(pa.x, base);
        along = ctDot(q, u);
        stiff = ctDot(out, q) + cosine * ctDot(e, ctMulMV(pa.k, e));
        if (last) {
            break;
        }
        double by = ctDot(e, q) / stiff;
        last = fabs(by) < EXACT;
        out = turned(out, ctScale(by, e));
    }
    ctVec3 tip = ctMulAdd(ctScale(sine, uRate), -cosine * ctDot(out, uRate), u);
    ctVec3 run = ctSub(pa.rate, ctMulAdd(baseRate, along, uRate));
    double turn = (ctDot(e, run) - ctDot(e, ctMulMV(pa.k, tip))) / stiff;
    m->nRate = ctMulAdd(tip, cosine * turn, e);
    m->distance = ctDot(q, m->n);
    m->place = pa.x;
    m->placeRate = ctSub(pa.rate, ctMulMV(pa.k, m->nRate));
    c->reach = c->onB.half - fabs(cosine * along - sine * ctDot(out, q) - c->onB.shift);
}

void ctSmooth_Place(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctSmooth *m)
{
    // A step that has failed may leave no normal.
    m->n = ctLengthSquared(c->n) > 0.5 ? c->n : c->startN;
    if (c->onA.kind == ct_guideRim && c->onB.kind == ct_guideLine) {
        onCrossing(a, b, c, m);
    } else if (c->onA.kind == ct_guideRim && c->onB.kind == ct_guideRim) {
        onRims(a, b, c, m);
    } else if (c->onB.kind == ct_guideLine) {
        onLine(a, b, c, m);
    } else if (c->onA.kind == ct_guideEllipsoid && c->onB.kind == ct_guideRim) {
        onRim(a, b, c, m);
    } else {
        onSurface(a, b, c, m);
    }
    c->gap = m->distance - c->onA.round - c->onB.round;
}
