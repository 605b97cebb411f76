// Box against box: the axis of greatest separation among the fifteen, then one face clipped to another.
//
// All computations use cores, and the sum of the two roundings is subtracted from the gaps. So gaps are exact for
// faces, and for edges they are the distance between the rounded edges. An edge axis is chosen when it is better than
// every face: faces that are tilted by a thousandth strike where two edges cross, along the normal of both.
#include "collision/manifold_internal.h"

// How much better an edge axis must be than a face, in units of the smallest half side: by more than rounding.
#define EDGE_PREFERENCE CT_INSIDE_TILTED
// How much better a face of B must be than one of A, and how far outside the reference face a corner may lie and still
// count as inside, in units of half sides. Boxes squarely on each other thus keep their ids.
#define FACE_PREFERENCE CT_INSIDE
// Edges at a smaller angle (rad) have no axis of their own; a face's axis serves as well.
#define PARALLEL 1e-3

// Codes of features in ids.
enum { idFace = 0x01, idVertex = 0x10, idEdge = 0x20 };

typedef struct Boxes {
    double ha[3], hb[3], t[3];
    double r[3][3], q[3][3]; // r[i][j] = a_i.b_j and its magnitude
    double tb[3];            // t along B's axes
} Boxes;

typedef struct Axis {
    double separation; // between the cores
    double most;       // of a face: the greatest of all faces
    int index;         // 0-2 faces of A, 3-5 faces of B, 6-14 edge i of A and j of B as 6 + 3 i + j
} Axis;

static const int NEXT[3] = {1, 2, 0}, AFTER[3] = {2, 0, 1};

static void unpack(ctVec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static Boxes boxesOf(const ctShapePair *pair)
{
    Boxes s;
    unpack(pair->a->u.half, s.ha);
    unpack(pair->b->u.half, s.hb);
    unpack(pair->t, s.t);
    const ctVec3 *col[3] = {&pair->r.cx, &pair->r.cy, &pair->r.cz};
    for (int j = 0; j < 3; j++) {
        s.r[0][j] = col[j]->x;
        s.r[1][j] = col[j]->y;
        s.r[2][j] = col[j]->z;
        s.tb[j] = ctDot(*col[j], pair->t);
        for (int i = 0; i < 3; i++) {
            s.q[i][j] = fabs(s.r[i][j]);
        }
    }
    return s;
}

static Axis bestFace(const Boxes *s)
{
    Axis best = {-INFINITY, -INFINITY, 0};
    for (int i = 0; i < 3; i++) {
        double d = fabs(s->t[i]) - (s->ha[i] + s->hb[0] * s->q[i][0] + s->hb[1] * s->q[i][1] + s->hb[2] * s->q[i][2]);
        if (d > best.separation) {
            best.separation = best.most = d;
            best.index = i;
        }
    }
    for (int j = 0; j < 3; j++) {
        double d = fabs(s->tb[j]) - (s->hb[j] + s->ha[0] * s->q[0][j] + s->ha[1] * s->q[1][j] + s->ha[2] * s->q[2][j]);
        best.most = ctFmax(best.most, d);
        if (d > best.separation + FACE_PREFERENCE * s->hb[j]) {
            best.separation = d;
            best.index = 3 + j;
        }
    }
    return best;
}

// The best edge axis above floor, if any. enough: a separation at which the search may stop, since the boxes are too
// far apart.
static Axis bestEdge(const Boxes *s, double floor, double enough)
{
    Axis best = {floor, floor, -1};
    for (int i = 0; i < 3; i++) {
        int i1 = NEXT[i], i2 = AFTER[i];
        for (int j = 0; j < 3; j++) {
            int j1 = NEXT[j], j2 = AFTER[j];
            double across = fabs(s->t[i2] * s->r[i1][j] - s->t[i1] * s->r[i2][j]);
            double ra = s->ha[i1] * s->q[i2][j] + s->ha[i2] * s->q[i1][j];
            double rb = s->hb[j1] * s->q[i][j2] + s->hb[j2] * s->q[i][j1];
            double d = across - ra - rb, sin2 = 1.0 - s->r[i][j] * s->r[i][j];
            // d is to be divided by the sine of the angle: a negative value can only get worse.
            if ((d <= 0.0 && d <= best.separation) || sin2 < PARALLEL * PARALLEL) {
                continue;
            }
            d /= sqrt(sin2);
            if (d > best.separation) {
                best.separation = d;
                best.index = 6 + 3 * i + j;
                if (d > enough) {
                    return best;
                }
            }
        }
    }
    return best;
}

static ctVec3 unitAxis(int i)
{
    return ctV3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
}

static ctVec3 column(const ctMat3 *m, int i)
{
    return i == 0 ? m->cx : i == 1 ? m->cy : m->cz;
}

static double element(ctVec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static uint32_t edgeId(int axis, int code)
{
    int bits = axis == 0 ? code >> 1 & 3 : axis == 1 ? (code & 1) | (code >> 1 & 2) : code & 3;
    return (uint32_t)(idEdge + 4 * axis + bits);
}

// One point where edge i of A crosses edge j of B.
static void edgePoint(const ctShapePair *pair, const Boxes *s, int i, int j, double round, ctCandidates *out)
{
    ctVec3 u = unitAxis(i), w = column(&pair->r, j), n = ctNormalize(ctCross(u, w));
    if (ctDot(n, pair->t) > 0.0) {
        n = ctNeg(n);
    }
    int ca = ctBoxCode(ctNeg(n)) & ~(1 << i), cb = ctBoxCode(ctMulTMV(pair->r, n)) & ~(1 << j);
    // The low ends of both edges.
    ctVec3 p = ctBoxCorner(pair->a->u.half, ca);
    ctVec3 q = ctAdd(pair->t, ctMulMV(pair->r, ctBoxCorner(pair->b->u.half, cb)));
    ctVec3 d = ctSub(p, q);
    double c = ctDot(u, w), du = ctDot(d, u), dw = ctDot(d, w), det = 1.0 - c * c;
    double x = (c * dw - du) / det, y = (dw - c * du) / det;
    double room = FACE_PREFERENCE * ctFmin(s->ha[i], s->hb[j]);
    if (x < -room || x > 2.0 * s->ha[i] + room || y < -room || y > 2.0 * s->hb[j] + room) {
        return; // the lines cross beyond the edges
    }
    ctVec3 a = ctMulAdd(p, x, u), b = ctMulAdd(q, y, w);
    out->n = n;
    ctAddCandidate(out, a, b, ctDot(n, ctSub(a, b)) - round, 0.0, 0.0, ctPointId(edgeId(i, ca), edgeId(j, cb)));
}

// A vertex of the clipped face: in the plane of the reference face, with its height over it.
typedef struct Corner {
    double x, y, h;
    int edge; // of the line to the next corner: incident side 0-3, or reference side 4-7
    int code; // corner of the incident box, or -1 - (edge, side) where two lines cross
} Corner;

// One side of the reference rectangle: keeps the part with sign * (x or y) <= limit.
static int clipSide(const Corner *in, int count, int side, double limit, Corner *out)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const Corner *p = &in[i], *q = &in[i + 1 < count ? i + 1 : 0];
        double dp = (side & 2 ? p->y : p->x), dq = (side & 2 ? q->y : q->x);
        dp = (side & 1 ? -dp : dp) - limit;
        dq = (side & 1 ? -dq : dq) - limit;
        if (dp <= 0.0) {
            out[kept++] = *p;
        }
        if ((dp < 0.0 && dq > 0.0) || (dp > 0.0 && dq < 0.0)) {
            double f = dp / (dp - dq);
            Corner c = {p->x + f * (q->x - p->x), p->y + f * (q->y - p->y), p->h + f * (q->h - p->h),
                        dp > 0.0 ? p->edge : 4 + side, -1 - (p->edge * 4 + side)};
            out[kept++] = c;
        }
    }
    return kept;
}

// Whether all of the clipped face is in the margin beyond one side of the reference rectangle: the two faces are beside
// each other, with an edge along an edge.
static bool liesBeside(const Corner *c, int count, double hx, double hy)
{
    double loX = INFINITY, hiX = -INFINITY, loY = INFINITY, hiY = -INFINITY;
    for (int i = 0; i < count; i++) {
        loX = ctFmin(loX, c[i].x);
        hiX = ctFmax(hiX, c[i].x);
        loY = ctFmin(loY, c[i].y);
        hiY = ctFmax(hiY, c[i].y);
    }
    return loX > hx || hiX < -hx || loY > hy || hiY < -hy;
}

// Where lines cross, without the margin: side s of the reference rectangle with half sides h, and a side of the
// incident face or another of the rectangle.
static void putOnSide(const Corner face[4], const double h[2], Corner *c)
{
    int edge = (-1 - c->code) >> 2, side = (-1 - c->code) & 3;
    if (edge < 4) {
        const Corner *p = &face[edge], *q = &face[(edge + 1) & 3];
        double limit = side & 1 ? -h[side >> 1] : h[side >> 1];
        double dp = (side & 2 ? p->y : p->x) - limit, dq = (side & 2 ? q->y : q->x) - limit;
        double f = ctFmax(0.0, ctFmin(1.0, dp / (dp - dq)));
        c->x = p->x + f * (q->x - p->x);
        c->y = p->y + f * (q->y - p->y);
        c->h = p->h + f * (q->h - p->h);
        return;
    }
    double x = copysign(h[0], c->x), y = copysign(h[1], c->y);
    // The height of the face there: its sides u and w span a x + b y.
    double ux = face[1].x - face[0].x, uy = face[1].y - face[0].y, wx = face[3].x - face[0].x,
           wy = face[3].y - face[0].y, det = ux * wy - uy * wx, dx = x - c->x, dy = y - c->y;
    double a = (dx * wy - dy * wx) / det, b = (ux * dy - uy * dx) / det;
    c->h += a * (face[1].h - face[0].h) + b * (face[3].h - face[0].h);
    c->x = x;
    c->y = y;
}

// The reference face's frame: axis k of the box at pose (r, t), sign, and the two axes across.
typedef struct FaceFrame {
    int k, k1, k2;
    double sign;
    ctVec3 centre, n, u, w;
} FaceFrame;

static FaceFrame faceFrame(const ctMat3 *r, ctVec3 t, const double half[3], int k, double sign)
{
    FaceFrame f = {k, NEXT[k], AFTER[k], sign, t, ctScale(sign, column(r, k)), column(r, NEXT[k]), column(r, AFTER[k])};
    f.centre = ctMulAdd(t, half[k], f.n);
    return f;
}

static const int SIGN_X[4] = {-1, 1, 1, -1}, SIGN_Y[4] = {-1, -1, 1, 1};

static int faceCorner(const FaceFrame *f, int sx, int sy)
{
    return (f->sign > 0.0 ? 1 << f->k : 0) | (sx > 0 ? 1 << f->k1 : 0) | (sy > 0 ? 1 << f->k2 : 0);
}

// Side i of a face runs from corner i to the next: an edge of the box along k1 (even) or k2.
static uint32_t sideId(const FaceFrame *f, int i)
{
    int code = faceCorner(f, SIGN_X[i], SIGN_Y[i]) & faceCorner(f, SIGN_X[(i + 1) & 3], SIGN_Y[(i + 1) & 3]);
    return edgeId(i & 1 ? f->k2 : f->k1, code);
}

// Reference side s (0: +x, 1: -x, 2: +y, 3: -y) as a side of its face by the numbering above.
static uint32_t referenceSideId(const FaceFrame *f, int s)
{
    static const int side[4] = {1, 3, 2, 0};
    return sideId(f, side[s]);
}

// The features that meet at a corner of the clipped face: of the reference box, and of the incident box.
static void cornerIds(const FaceFrame *ref, const FaceFrame *inc, const Corner *c, uint32_t *idRef, uint32_t *idInc)
{
    if (c->code >= 0) {
        *idRef = (uint32_t)(idFace + 2 * ref->k + (ref->sign > 0.0));
        *idInc = (uint32_t)(idVertex + c->code);
        return;
    }
    int edge = (-1 - c->code) >> 2, side = (-1 - c->code) & 3;
    if (edge < 4) {
        *idRef = referenceSideId(ref, side);
        *idInc = sideId(inc, edge);
        return;
    }
    int first = edge - 4, x = first < 2 ? first : side, y = first < 2 ? side : first;
    *idRef = (uint32_t)(idVertex + faceCorner(ref, x == 0 ? 1 : -1, y == 2 ? 1 : -1));
    *idInc = (uint32_t)(idFace + 2 * inc->k + (inc->sign > 0.0));
}

// A face as seen from the other box: each number is a product with a vector from the centre of the reference face.
typedef struct View {
    ctVec3 x, y, h; // along the face, and the distance from it
    ctVec3 out;     // which way that is
} View;

// Faces that lie on each other are seen perpendicularly to the reference face; at a crossing of edges, along the normal
// there.
static View viewAlong(const FaceFrame *ref, ctVec3 out)
{
    ctVec3 h = ctScale(1.0 / ctDot(ref->n, out), ref->n);
    View v = {ctMulAdd(ref->u, -ctDot(ref->u, out), h), ctMulAdd(ref->w, -ctDot(ref->w, out), h), h, out};
    return v;
}

static int mainAxis(ctVec3 v)
{
    ctVec3 m = ctAbs(v);
    return m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2);
}

// Clips the face of the other box that faces the reference face to it.
static void clipFaces(const ctShapePair *pair, const Boxes *s, bool refIsA, const FaceFrame *ref, const View *view,
                      double round, ctCandidates *out)
{
    const ctMat3 one = ctMat3Identity(), *ri = refIsA ? &pair->r : &one;
    ctVec3 l = ctMulTMV(*ri, view->out);
    int k = mainAxis(l);
    const double *hr = refIsA ? s->ha : s->hb, *hi = refIsA ? s->hb : s->ha;
    FaceFrame inc = faceFrame(ri, refIsA ? pair->t : ctZero3(), hi, k, element(l, k) > 0.0 ? -1.0 : 1.0);
    ctVec3 d = ctSub(inc.centre, ref->centre), u = ctScale(hi[inc.k1], inc.u), w = ctScale(hi[inc.k2], inc.w);
    ctVec3 dl = ctV3(ctDot(d, view->x), ctDot(d, view->y), ctDot(d, view->h));
    ctVec3 ul = ctV3(ctDot(u, view->x), ctDot(u, view->y), ctDot(u, view->h));
    ctVec3 wl = ctV3(ctDot(w, view->x), ctDot(w, view->y), ctDot(w, view->h));
    Corner face[4], buffer[2][12];
    for (int i = 0; i < 4; i++) {
        double sx = SIGN_X[i], sy = SIGN_Y[i];
        Corner c = {dl.x + sx * ul.x + sy * wl.x, dl.y + sx * ul.y + sy * wl.y, dl.z + sx * ul.z + sy * wl.z, i,
                    faceCorner(&inc, SIGN_X[i], SIGN_Y[i])};
        buffer[0][i] = face[i] = c;
    }
    int count = 4;
    for (int side = 0; side < 4 && count > 0; side++) {
        double limit = (1.0 + FACE_PREFERENCE) * (side < 2 ? hr[ref->k1] : hr[ref->k2]);
        count = clipSide(buffer[side & 1], count, side, limit, buffer[(side & 1) ^ 1]);
    }
    if (liesBeside(buffer[0], count, hr[ref->k1], hr[ref->k2])) {
        return;
    }
    for (int i = 0; i < count; i++) {
        Corner *c = &buffer[0][i];
        if (c->code < 0) {
            putOnSide(face, (const double[2]){hr[ref->k1], hr[ref->k2]}, c);
        }
        ctVec3 onRef = ctMulAdd(ctMulAdd(ref->centre, c->x, ref->u), c->y, ref->w);
        ctVec3 onInc = ctMulAdd(onRef, c->h, view->out);
        uint32_t idRef, idInc;
        cornerIds(ref, &inc, c, &idRef, &idInc);
        ctAddCandidate(out, refIsA ? onRef : onInc, refIsA ? onInc : onRef, c->h - round, c->x, c->y,
                       refIsA ? ctPointId(idRef, idInc) : ctPointId(idInc, idRef));
    }
}

static void facePoints(const ctShapePair *pair, const Boxes *s, int axis, double round, ctCandidates *out)
{
    const ctMat3 one = ctMat3Identity();
    bool refIsA = axis < 3;
    FaceFrame ref = refIsA ? faceFrame(&one, ctZero3(), s->ha, axis, s->t[axis] < 0.0 ? -1.0 : 1.0)
                           : faceFrame(&pair->r, pair->t, s->hb, axis - 3, s->tb[axis - 3] > 0.0 ? -1.0 : 1.0);
    View square = {ref.u, ref.w, ref.n, ref.n};
    out->n = refIsA ? ctNeg(ref.n) : ref.n;
    clipFaces(pair, s, refIsA, &ref, &square, round, out);
}

// Faces beside two crossing edges may be nearly parallel: their corners will touch as soon as the boxes turn.
static void cornersAround(const ctShapePair *pair, const Boxes *s, double round, ctCandidates *out)
{
    const ctMat3 one = ctMat3Identity();
    ctVec3 away = ctNeg(out->n);
    int k = mainAxis(away);
    FaceFrame ref = faceFrame(&one, ctZero3(), s->ha, k, element(away, k) < 0.0 ? -1.0 : 1.0);
    View view = viewAlong(&ref, away);
    uint32_t crossing = out->c[0].id;
    clipFaces(pair, s, true, &ref, &view, round, out);
    int count = 1;
    for (int i = 1; i < out->count; i++) {
        if (out->c[i].id == crossing) {
            out->c[0].x = out->c[i].x;
            out->c[0].y = out->c[i].y;
        } else {
            out->c[count++] = out->c[i];
        }
    }
    out->count = count;
}

bool ctCollideBoxes(const ctShapePair *pair, double margin, ctCandidates *out)
{
    Boxes s = boxesOf(pair);
    double round = pair->a->round + pair->b->round, limit = margin + round;
    Axis face = bestFace(&s);
    out->count = 0;
    if (face.separation > limit) {
        out->apart = bestEdge(&s, face.separation, INFINITY).separation - round;
        return false;
    }
    double half = ctFmin(ctMinElement(pair->a->u.half), ctMinElement(pair->b->u.half));
    Axis edge = bestEdge(&s, face.most + EDGE_PREFERENCE * half, limit);
    if (edge.index >= 0 && edge.separation > limit) {
        out->apart = edge.separation - round;
        return false;
    }
    if (edge.index >= 0) {
        edgePoint(pair, &s, (edge.index - 6) / 3, (edge.index - 6) % 3, round, out);
        if (out->count > 0) {
            cornersAround(pair, &s, round, out);
        }
    } else {
        facePoints(pair, &s, face.index, round, out);
        // Beside the face and not over it, the nearest parts are not among its points.
        double deepest = INFINITY;
        for (int i = 0; i < out->count; i++) {
            deepest = ctFmin(deepest, out->c[i].gap);
        }
        if (deepest > face.separation - round + 2.0 * FACE_PREFERENCE * half) {
            out->count = 0;
        }
    }
    return true;
}
