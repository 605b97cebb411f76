// Where two patches lie over each other: the corners of their common area, seen along the normal.
//
// A chart maps points to the plane of contact along n. For a disc it is the disc's own plane, in which
// its rim is a circle however the disc is tilted. A point of the chart is lifted back to each patch, and
// the gap is what lies between: exact for every vertex and every point of a rim.
#include "collision/manifold_internal.h"

// Segments that cross at a sine above this touch in one point.
#define CROSSING 0.5
// Discs whose centres are nearer than this fraction of the smaller radius count as concentric.
#define CONCENTRIC 0.02
// A rim's tilt (rad) from which its lowest point alone is a point of contact.
#define TILT 1e-7

typedef struct Flat {
    double x, y;
} Flat;

typedef struct Chart {
    ctVec3 o, e1, e2; // origin and axes of the plane
    ctVec3 f1, f2;    // coordinates of p: f.(p - o)
    ctVec3 n;
} Chart;

static Chart chartAcross(ctVec3 o, ctVec3 n, ctVec3 x)
{
    ctVec3 y = ctCross(n, x);
    Chart c = {o, x, y, x, y, n};
    return c;
}

// The plane of a disc, with points mapped along n, and its first axis nearest to x.
static Chart chartOnDisc(const ctPatch *disc, ctVec3 n, ctVec3 x)
{
    ctVec3 m = ctDot(disc->n, n) > 0.0 ? disc->n : ctNeg(disc->n);
    ctVec3 e1 = ctNormalize(ctMulAdd(x, -ctDot(x, m), m));
    if (!(ctLengthSquared(e1) > 0.0)) {
        ctVec3 other;
        ctFrameFromNormal(m, &e1, &other);
    }
    ctVec3 e2 = ctCross(m, e1);
    double s = 1.0 / ctDot(m, n);
    Chart c = {disc->centre, e1, e2, ctMulAdd(e1, -s * ctDot(e1, n), m), ctMulAdd(e2, -s * ctDot(e2, n), m), n};
    return c;
}

static Flat flatten(const Chart *c, ctVec3 p)
{
    ctVec3 q = ctSub(p, c->o);
    Flat f = {ctDot(c->f1, q), ctDot(c->f2, q)};
    return f;
}

// The point of a flat patch over a place of the chart.
static ctVec3 lift(const Chart *c, const ctPatch *patch, Flat at)
{
    ctVec3 p0 = patch->kind == ct_patchDisc ? patch->centre : patch->p[0];
    ctVec3 base = ctMulAdd(ctMulAdd(c->o, at.x, c->e1), at.y, c->e2);
    double s = ctDot(patch->n, ctSub(p0, base)) / ctDot(patch->n, c->n);
    return ctMulAdd(base, s, c->n);
}

// The two patches of an overlay, in the order of the computation: first may be B.
typedef struct Sides {
    const ctPatch *first, *second;
    bool swapped;
} Sides;

static void emit(const Sides *s, ctVec3 p, ctVec3 q, Flat at, uint32_t idFirst, uint32_t idSecond, ctCandidates *out)
{
    ctVec3 a = s->swapped ? q : p, b = s->swapped ? p : q;
    uint32_t id = s->swapped ? ctPointId(idSecond, idFirst) : ctPointId(idFirst, idSecond);
    ctAddCandidate(out, a, b, ctDot(out->n, ctSub(a, b)) - s->first->round - s->second->round, at.x, at.y, id);
}

static void emitFlat(const Sides *s, const Chart *c, Flat at, uint32_t idFirst, uint32_t idSecond, ctCandidates *out)
{
    emit(s, lift(c, s->first, at), lift(c, s->second, at), at, idFirst, idSecond, out);
}

// A polygon in the chart, counter-clockwise.
typedef struct FlatPolygon {
    int count;
    double room; // margin that counts as inside, m
    Flat p[CT_PATCH_POINTS];
    uint32_t id[CT_PATCH_POINTS];
} FlatPolygon;

static FlatPolygon flattenPolygon(const Chart *c, const ctPatch *patch)
{
    FlatPolygon f;
    f.count = patch->count;
    double loX = INFINITY, hiX = -INFINITY, loY = INFINITY, hiY = -INFINITY;
    bool reversed = ctDot(patch->n, c->n) < 0.0;
    for (int i = 0; i < f.count; i++) {
        int k = reversed ? f.count - 1 - i : i;
        f.p[i] = flatten(c, patch->p[k]);
        f.id[i] = patch->id[k];
        loX = ctFmin(loX, f.p[i].x);
        hiX = ctFmax(hiX, f.p[i].x);
        loY = ctFmin(loY, f.p[i].y);
        hiY = ctFmax(hiY, f.p[i].y);
    }
    f.room = ctInsideRoom(ctDot(patch->n, c->n)) * ctFmax(hiX - loX, hiY - loY);
    return f;
}

// How far q lies outside side i (from corner i to the next), with a little room.
static double outside(const FlatPolygon *f, int i, Flat q)
{
    Flat a = f->p[i], b = f->p[i + 1 < f->count ? i + 1 : 0];
    double ex = b.x - a.x, ey = b.y - a.y, length = sqrt(ex * ex + ey * ey);
    if (!(length > 0.0)) {
        return -1.0;
    }
    return ((q.x - a.x) * ey - (q.y - a.y) * ex) / length - f->room;
}

static bool insidePolygon(const FlatPolygon *f, Flat q)
{
    for (int i = 0; i < f->count; i++) {
        if (outside(f, i, q) > 0.0) {
            return false;
        }
    }
    return true;
}

// ---- segments ----------------------------------------------------------------------------------

static void emitAlong(const Sides *s, const Chart *c, double t, uint32_t idFirst, uint32_t idSecond, ctCandidates *out)
{
    ctVec3 p = ctLerp(s->first->p[0], s->first->p[1], t);
    Flat at = flatten(c, p);
    emit(s, p, lift(c, s->second, at), at, idFirst, idSecond, out);
}

// first is a segment, second a polygon or a disc.
static void segmentOnFace(const Sides *s, ctCandidates *out)
{
    bool disc = s->second->kind == ct_patchDisc;
    Chart c = disc ? chartOnDisc(s->second, out->n, out->x) : chartAcross(s->second->p[0], out->n, out->x);
    Flat p = flatten(&c, s->first->p[0]), q = flatten(&c, s->first->p[1]);
    double lo = 0.0, hi = 1.0;
    uint32_t idLo = ctFeatureId(ct_idFace, s->second->face), idHi = idLo;
    if (disc) {
        double ex = q.x - p.x, ey = q.y - p.y, r = s->second->radius * (1.0 + ctInsideRoom(ctDot(s->second->n, c.n)));
        double a = ex * ex + ey * ey, b = p.x * ex + p.y * ey, k = p.x * p.x + p.y * p.y - r * r, d = b * b - a * k;
        if (!(d > 0.0) || !(a > 0.0)) {
            return;
        }
        double t0 = (-b - sqrt(d)) / a, t1 = (-b + sqrt(d)) / a;
        if (t0 > lo) {
            lo = t0;
            idLo = ctFeatureId(ct_idRim, 0);
        }
        if (t1 < hi) {
            hi = t1;
            idHi = ctFeatureId(ct_idRim, 1);
        }
    } else {
        FlatPolygon f = flattenPolygon(&c, s->second);
        for (int i = 0; i < f.count; i++) {
            double dp = outside(&f, i, p), dq = outside(&f, i, q);
            if (dp > 0.0 && dq > 0.0) {
                return;
            }
            double t = (dp + f.room) / (dp - dq); // at the side itself, without the margin
            if (dp > 0.0 && t > lo) {
                lo = t;
                idLo = ctFeatureId(ct_idEdge, f.id[i]);
            } else if (dq > 0.0 && t < hi) {
                hi = t;
                idHi = ctFeatureId(ct_idEdge, f.id[i]);
            }
        }
    }
    if (lo <= hi) {
        emitAlong(s, &c, lo, s->first->id[0], idLo, out);
        emitAlong(s, &c, hi, s->first->id[1], idHi, out);
    }
}

// The surface over a point of a segment: perpendicular to the segment, nearest to the way out.
static ctVec3 ridge(const ctPatch *patch, ctVec3 p, ctVec3 out)
{
    ctVec3 e = ctNormalize(ctSub(patch->p[1], patch->p[0]));
    return ctMulAdd(p, patch->round, ctNormalize(ctMulAdd(out, -ctDot(out, e), e)));
}

// A point of the ridge, turned about the patch's axis until it is at `aside` from where it was, towards side (unit).
static ctVec3 turnAside(const ctPatch *patch, ctVec3 p, double radius, ctVec3 side, double aside)
{
    ctVec3 d = ctSub(p, patch->centre), foot = ctMulAdd(patch->centre, ctDot(d, patch->axis), patch->axis);
    ctVec3 arm = ctSub(p, foot), across = ctCross(patch->axis, arm);
    double sine = copysign(aside / radius, ctDot(across, side));
    return ctMulAdd(ctMulAdd(foot, sqrt(1.0 - sine * sine), arm), sine, across);
}

static double radiusAt(const ctPatch *patch, ctVec3 p)
{
    return ctLength(ctCross(patch->axis, ctSub(p, patch->centre)));
}

// Two ridges that pass each other at a distance y, seen along n: surfaces round about their axes are nearest where y is
// shared as the radii are. e: along the first segment. Nothing where they have passed each other.
static void emitRidges(const Sides *s, ctVec3 p, ctVec3 q, ctVec3 e, Flat at, uint32_t idFirst, uint32_t idSecond,
                       ctCandidates *out)
{
    ctVec3 away = s->swapped ? out->n : ctNeg(out->n);
    ctVec3 a = ridge(s->first, p, away), b = ridge(s->second, q, ctNeg(away));
    ctVec3 side = ctNormalize(ctCross(out->n, e));
    double ra = radiusAt(s->first, a), rb = radiusAt(s->second, b), y = ctDot(side, ctSub(b, a));
    double share = fabs(y) / (ra + rb);
    if (!(share < ctFmin(s->first->swing, s->second->swing))) {
        return;
    }
    side = y < 0.0 ? ctNeg(side) : side;
    a = turnAside(s->first, a, ra, side, share * ra);
    b = turnAside(s->second, b, rb, ctNeg(side), share * rb);
    emit(s, a, b, at, idFirst, idSecond, out);
    ctCandidate *c = &out->c[out->count - 1];
    c->onSurface = true;
    c->gap = ctDot(out->n, ctSub(c->a, c->b));
}

// The ends of the stretch that two segments share, with their gaps. These open as the segments turn against each other;
// an end leaves the contact when its gap exceeds the margin.
static void segmentOnSegment(const Sides *s, ctCandidates *out)
{
    Chart c = chartAcross(s->first->p[0], out->n, out->x);
    Flat q = flatten(&c, s->first->p[1]), r0 = flatten(&c, s->second->p[0]), r1 = flatten(&c, s->second->p[1]);
    double l1 = sqrt(q.x * q.x + q.y * q.y);
    double fx = r1.x - r0.x, fy = r1.y - r0.y, l2 = sqrt(fx * fx + fy * fy);
    if (!(l1 > 0.0) || !(l2 > 0.0) || fabs(q.x * fy - q.y * fx) > CROSSING * l1 * l2) {
        return; // the closest points are enough
    }
    double ux = q.x / l1, uy = q.y / l1, t0 = r0.x * ux + r0.y * uy, t1 = r1.x * ux + r1.y * uy;
    double lo = ctFmax(0.0, ctFmin(t0, t1)), hi = ctFmin(l1, ctFmax(t0, t1));
    if (!(lo < hi)) {
        return;
    }
    const double ends[2] = {lo, hi};
    for (int i = 0; i < 2; i++) {
        double t = ends[i];
        ctVec3 p = ctLerp(s->first->p[0], s->first->p[1], t / l1);
        ctVec3 w = ctLerp(s->second->p[0], s->second->p[1], (t - t0) / (t1 - t0));
        bool own = i == 0 ? lo == 0.0 : hi == l1;
        uint32_t end = i == 0 ? (t0 < t1 ? 0 : 1) : (t0 < t1 ? 1 : 0);
        Flat at = {t * ux, t * uy};
        emitRidges(s, p, w, ctSub(s->first->p[1], s->first->p[0]), at,
                   own ? s->first->id[i] : ctFeatureId(ct_idEdge, 0),
                   own ? ctFeatureId(ct_idEdge, 0) : s->second->id[end], out);
    }
}

// ---- polygons ----------------------------------------------------------------------------------

typedef struct Vertex {
    Flat p;
    int edge; // of the line to the next: side of second (>= 0) or -1 - side of first
    uint32_t idFirst, idSecond;
    int side, other; // where lines cross: side of first, and side of second (>= 0) or -1 - corner of first; or -1
} Vertex;

// Where lines cross, without the margin.
static Flat crossing(const FlatPolygon *first, const FlatPolygon *second, const Vertex *v)
{
    if (v->side < 0) {
        return v->p;
    }
    if (v->other < 0) {
        return first->p[-1 - v->other];
    }
    Flat p = second->p[v->other], q = second->p[v->other + 1 < second->count ? v->other + 1 : 0];
    double dp = outside(first, v->side, p) + first->room, dq = outside(first, v->side, q) + first->room;
    double f = ctFmax(0.0, ctFmin(1.0, dp / (dp - dq)));
    return (Flat){p.x + f * (q.x - p.x), p.y + f * (q.y - p.y)};
}

static int clipSide(const FlatPolygon *first, const FlatPolygon *second, int side, const Vertex *in, int count,
                    Vertex *out)
{
    int kept = 0;
    double dp = count > 0 ? outside(first, side, in[0].p) : 0.0, d0 = dp;
    for (int i = 0; i < count; i++) {
        const Vertex *p = &in[i], *q = &in[i + 1 < count ? i + 1 : 0];
        double dq = i + 1 < count ? outside(first, side, q->p) : d0;
        if (dp <= 0.0) {
            out[kept++] = *p;
        }
        if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) {
            double f = dp / (dp - dq);
            Vertex v = {{p->p.x + f * (q->p.x - p->p.x), p->p.y + f * (q->p.y - p->p.y)},
                        dp > 0.0 ? p->edge : -1 - side,
                        ctFeatureId(ct_idEdge, first->id[side]),
                        0,
                        side,
                        p->edge};
            if (p->edge >= 0) {
                v.idSecond = ctFeatureId(ct_idEdge, second->id[p->edge]);
            } else {
                // Two sides of the first polygon meet: its own corner, over the face of the second.
                int other = -1 - p->edge, corner = (other + 1) % first->count == side ? side : other;
                v.idFirst = ctFeatureId(ct_idVertex, first->id[corner]);
                v.idSecond = ct_idFace;
                v.other = -1 - corner;
            }
            out[kept++] = v;
        }
        dp = dq;
    }
    return kept;
}

// Whether all of the common area is in the margin beyond one side: the faces are beside each other.
static bool liesBeside(const FlatPolygon *first, const Vertex *v, int count)
{
    for (int side = 0; side < first->count; side++) {
        bool all = true;
        for (int i = 0; i < count && all; i++) {
            all = outside(first, side, v[i].p) + first->room > 0.0;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

static void polygonOnPolygon(const Sides *s, ctCandidates *out)
{
    Chart c = chartAcross(s->first->p[0], out->n, out->x);
    FlatPolygon first = flattenPolygon(&c, s->first), second = flattenPolygon(&c, s->second);
    Vertex buffer[2][2 * CT_PATCH_POINTS + 2];
    int count = second.count, now = 0;
    for (int i = 0; i < count; i++) {
        Vertex v = {second.p[i], i, ct_idFace, ctFeatureId(ct_idVertex, second.id[i]), -1, -1};
        buffer[0][i] = v;
    }
    for (int side = 0; side < first.count && count > 0; side++) {
        count = clipSide(&first, &second, side, buffer[now], count, buffer[now ^ 1]);
        now ^= 1;
    }
    if (liesBeside(&first, buffer[now], count)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        const Vertex *v = &buffer[now][i];
        emitFlat(s, &c, crossing(&first, &second, v), v->idFirst, v->idSecond, out);
    }
}

// ---- discs -------------------------------------------------------------------------------------

static const double RIM[8][2] = {{1.0, 0.0},  {0.70710678118654752, 0.70710678118654752},
                                 {0.0, 1.0},  {-0.70710678118654752, 0.70710678118654752},
                                 {-1.0, 0.0}, {-0.70710678118654752, -0.70710678118654752},
                                 {0.0, -1.0}, {0.70710678118654752, -0.70710678118654752}};

// The direction in the chart in which the gap between the two faces falls most steeply.
// False when they are parallel.
static bool steepest(const Sides *s, const Chart *c, Flat *down)
{
    const ctVec3 e[2] = {c->e1, c->e2};
    double g[2];
    ctVec3 m1 = s->first->n, m2 = s->second->n;
    for (int i = 0; i < 2; i++) {
        // Along e the height of a plane with normal m changes by -(m.e)/(m.n).
        g[i] = -ctDot(m1, e[i]) / ctDot(m1, c->n) + ctDot(m2, e[i]) / ctDot(m2, c->n);
    }
    double sign = s->swapped ? 1.0 : -1.0, slope = sqrt(g[0] * g[0] + g[1] * g[1]);
    if (!(slope > TILT)) {
        return false;
    }
    down->x = sign * g[0] / slope;
    down->y = sign * g[1] / slope;
    return true;
}

// first is a disc, second a polygon.
static void discOnPolygon(const Sides *s, ctCandidates *out)
{
    // The rim's points keep their place on the face while the disc spins.
    ctVec3 x = ctNormalize(ctSub(s->second->p[1], s->second->p[0]));
    Chart c = chartOnDisc(s->first, out->n, x);
    FlatPolygon f = flattenPolygon(&c, s->second);
    double r = s->first->radius;
    uint32_t face = ctFeatureId(ct_idFace, s->second->face);
    Flat down;
    if (steepest(s, &c, &down)) {
        down.x *= r;
        down.y *= r;
        if (insidePolygon(&f, down)) {
            emitFlat(s, &c, down, ctFeatureId(ct_idRim, 8), face, out);
            out->c[out->count - 1].lowest = true;
        }
    }
    for (uint32_t k = 0; k < 8; k++) {
        Flat p = {r * RIM[k][0], r * RIM[k][1]};
        if (insidePolygon(&f, p)) {
            emitFlat(s, &c, p, ctFeatureId(ct_idRim, k), face, out);
        }
    }
    for (int i = 0; i < f.count; i++) {
        Flat p = f.p[i], q = f.p[i + 1 < f.count ? i + 1 : 0];
        if (p.x * p.x + p.y * p.y < r * r) {
            emitFlat(s, &c, p, ct_idFace, ctFeatureId(ct_idVertex, f.id[i]), out);
        }
        double ex = q.x - p.x, ey = q.y - p.y, a = ex * ex + ey * ey, b = p.x * ex + p.y * ey;
        double d = b * b - a * (p.x * p.x + p.y * p.y - r * r);
        if (d > 0.0 && a > 0.0) {
            const double t[2] = {(-b - sqrt(d)) / a, (-b + sqrt(d)) / a};
            for (uint32_t k = 0; k < 2; k++) {
                if (t[k] > 0.0 && t[k] < 1.0) {
                    Flat at = {p.x + t[k] * ex, p.y + t[k] * ey};
                    emitFlat(s, &c, at, ctFeatureId(ct_idRim, 16 + k), ctFeatureId(ct_idEdge, f.id[i]), out);
                }
            }
        }
    }
}

// The rim of the smaller disc, which lies inside the larger or nearly so.
static void discInside(const Sides *s, const Chart *c, Flat centre, double rSmall, Flat large, double rLarge,
                       ctCandidates *out)
{
    Flat down;
    bool tilted = steepest(s, c, &down);
    for (uint32_t k = tilted ? 0 : 1; k < 9; k++) {
        double ux = k == 0 ? down.x : RIM[k - 1][0], uy = k == 0 ? down.y : RIM[k - 1][1];
        Flat p = {centre.x + rSmall * ux, centre.y + rSmall * uy};
        double dx = p.x - large.x, dy = p.y - large.y, d = sqrt(dx * dx + dy * dy);
        if (d > rLarge) {
            p.x = large.x + dx * rLarge / d;
            p.y = large.y + dy * rLarge / d;
        }
        emitFlat(s, c, p, ctFeatureId(ct_idRim, k), ct_idRim, out);
        out->c[out->count - 1].lowest = k == 0;
    }
}

// Two discs: the rim of the smaller one, or the lens where they overlap: its two ends and the middles of its sides, or
// the widest part where that is wider.
static void discOnDisc(const Sides *s, ctCandidates *out)
{
    Chart c = chartOnDisc(s->first, out->n, out->x);
    Flat o = {0.0, 0.0}, q = flatten(&c, s->second->centre);
    double r1 = s->first->radius, r2 = s->second->radius, d = sqrt(q.x * q.x + q.y * q.y);
    if (d >= r1 + r2) {
        return;
    }
    if (d <= fabs(r1 - r2) + CONCENTRIC * ctFmin(r1, r2)) {
        if (r1 <= r2) {
            discInside(s, &c, o, r1, q, r2, out);
        } else {
            discInside(s, &c, q, r2, o, r1, out);
        }
        return;
    }
    double ux = q.x / d, uy = q.y / d, along = (d * d + r1 * r1 - r2 * r2) / (2.0 * d), half;
    if (along < 0.0) {
        along = 0.0;
        half = r1;
    } else if (along > d) {
        along = d;
        half = r2;
    } else {
        half = sqrt(ctFmax(0.0, r1 * r1 - along * along));
    }
    const double where[4][2] = {{r1, 0.0}, {d - r2, 0.0}, {along, half}, {along, -half}};
    for (uint32_t k = 0; k < 4; k++) {
        Flat p = {where[k][0] * ux - where[k][1] * uy, where[k][0] * uy + where[k][1] * ux};
        emitFlat(s, &c, p, ctFeatureId(ct_idRim, 32 + k), ctFeatureId(ct_idRim, 32), out);
    }
}

void ctPatch_Overlay(const ctPatch *a, const ctPatch *b, ctCandidates *out)
{
    Sides s = {a, b, false};
    if (a->kind == ct_patchPoint || b->kind == ct_patchPoint) {
        return;
    }
    if ((b->kind == ct_patchSegment && a->kind != ct_patchSegment) ||
        (b->kind == ct_patchDisc && a->kind == ct_patchPolygon)) {
        s.first = b;
        s.second = a;
        s.swapped = true;
    }
    if (s.first->kind == ct_patchSegment) {
        if (s.second->kind == ct_patchSegment) {
            segmentOnSegment(&s, out);
        } else {
            segmentOnFace(&s, out);
        }
    } else if (s.first->kind == ct_patchPolygon) {
        polygonOnPolygon(&s, out);
    } else if (s.second->kind == ct_patchPolygon) {
        discOnPolygon(&s, out);
    } else {
        discOnDisc(&s, out);
    }
}

void ctPatch_OverPlane(const ctPatch *patch, ctVec3 up, double offset, ctCandidates *out)
{
    Chart c = chartAcross(ctZero3(), up, out->x);
    ctVec3 rim[9];
    int count = patch->count;
    const ctVec3 *p = patch->p;
    if (patch->kind == ct_patchDisc) {
        Chart d = chartOnDisc(patch, up, out->x);
        double gx = ctDot(up, d.e1), gy = ctDot(up, d.e2), slope = sqrt(gx * gx + gy * gy), r = patch->radius;
        for (count = 0; count < 8; count++) {
            rim[count] = ctMulAdd(ctMulAdd(d.o, r * RIM[count][0], d.e1), r * RIM[count][1], d.e2);
        }
        if (slope > TILT) {
            rim[count++] = ctMulAdd(ctMulAdd(d.o, -r * gx / slope, d.e1), -r * gy / slope, d.e2);
        }
        p = rim;
    }
    for (int i = 0; i < count; i++) {
        double height = ctDot(up, p[i]) - offset;
        Flat at = flatten(&c, p[i]);
        uint32_t id =
            patch->kind == ct_patchDisc ? ctFeatureId(ct_idRim, (uint32_t)i) : ctFeatureId(ct_idVertex, patch->id[i]);
        ctAddCandidate(out, p[i], ctMulAdd(p[i], -height, up), height - patch->round, at.x, at.y, ctPointId(id, 0));
        out->c[out->count - 1].onSurface = patch->kind != ct_patchDisc && patch->round == 0.0;
        out->c[out->count - 1].lowest = patch->kind == ct_patchDisc && i == 8;
    }
}
