#include "tests/support/nearest.h"

typedef long double Real;

typedef struct Point {
    Real c[3];
} Point;

static Point point(ctVec3 v)
{
    Point p = {{v.x, v.y, v.z}};
    return p;
}

static Point sub(Point a, Point b)
{
    Point p = {{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
    return p;
}

static Point mulAdd(Point a, Real s, Point b)
{
    Point p = {{a.c[0] + s * b.c[0], a.c[1] + s * b.c[1], a.c[2] + s * b.c[2]}};
    return p;
}

static Real dot(Point a, Point b)
{
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static Point cross(Point a, Point b)
{
    Point p = {
        {a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
    return p;
}

static Real clamp(Real x, Real lo, Real hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

// ---- the nearest point of each kind of core, in its frame ----------------------------------------

// In the half-plane through the axis: the nearest point of the outline, or the point itself inside.
static Point onLathe(const ctLathe *l, Point p)
{
    Real rho = sqrtl(p.c[0] * p.c[0] + p.c[1] * p.c[1]), z = p.c[2], best = INFINITY, r = rho, h = z;
    bool inside = true;
    for (int i = -1; i < l->count; i++) {
        Real r0 = i < 0 ? 0.0L : l->r[i], z0 = l->z[i < 0 ? 0 : i];
        Real r1 = i + 1 < l->count ? l->r[i + 1] : 0.0L, z1 = l->z[i + 1 < l->count ? i + 1 : i];
        Real er = r1 - r0, ez = z1 - z0, ee = er * er + ez * ez;
        if (!(ee > 0.0L) || (rho - r0) * ez - (z - z0) * er <= 0.0L) {
            continue;
        }
        inside = false;
        Real t = clamp(((rho - r0) * er + (z - z0) * ez) / ee, 0.0L, 1.0L), pr = r0 + t * er, pz = z0 + t * ez;
        Real d = (rho - pr) * (rho - pr) + (z - pz) * (z - pz);
        if (d < best) {
            best = d;
            r = pr;
            h = pz;
        }
    }
    if (inside) {
        return p;
    }
    Real s = rho > 0.0L ? r / rho : 0.0L;
    Point q = {{s * p.c[0], s * p.c[1], h}};
    return q;
}

// x_i = r_i^2 p_i / (r_i^2 + t) is on the surface, and p on the normal there; then inwards by round.
static Point onEllipsoid(ctVec3 radii, Real round, Point p)
{
    const Real r[3] = {radii.x, radii.y, radii.z};
    Real t = -INFINITY;
    for (int i = 0; i < 3; i++) {
        t = fmaxl(t, r[i] * fabsl(p.c[i]) - r[i] * r[i]);
    }
    for (int step = 0; step < 100; step++) {
        Real f = -1.0L, g = 0.0L;
        for (int i = 0; i < 3; i++) {
            Real d = r[i] * r[i] + t, q = r[i] * p.c[i] / d;
            f += q * q;
            g -= 2.0L * q * q / d;
        }
        Real next = t - f / g;
        if (!(next > t)) {
            break;
        }
        t = next;
    }
    Point x, n;
    for (int i = 0; i < 3; i++) {
        x.c[i] = r[i] * r[i] * p.c[i] / (r[i] * r[i] + t);
        n.c[i] = x.c[i] / (r[i] * r[i]);
    }
    Real length = sqrtl(dot(n, n));
    return t <= -round * length ? p : mulAdd(x, -round / length, n);
}

static Point onTriangle(Point p, const Point v[3])
{
    Point n = cross(sub(v[1], v[0]), sub(v[2], v[0])), best = v[0];
    Real nn = dot(n, n), least = INFINITY;
    bool inside = nn > 0.0L;
    for (int i = 0; i < 3; i++) {
        Point e = sub(v[(i + 1) % 3], v[i]), d = sub(p, v[i]);
        inside = inside && dot(cross(e, d), n) >= 0.0L;
        Real ee = dot(e, e), t = ee > 0.0L ? clamp(dot(d, e) / ee, 0.0L, 1.0L) : 0.0L;
        Point q = mulAdd(v[i], t, e), away = sub(p, q);
        if (dot(away, away) < least) {
            least = dot(away, away);
            best = q;
        }
    }
    return inside ? mulAdd(p, -dot(n, sub(p, v[0])) / nn, n) : best;
}

// On a face that sees the point, and whose plane is nearer than the best so far; inside, the point itself.
static Point onHull(const ctHull *h, Point p)
{
    Point best = p;
    Real least = INFINITY;
    for (int f = 0; f < h->faceCount; f++) {
        Real above = dot(point(h->faceNormals[f]), p) - h->faceOffsets[f];
        if (above < 0.0L || above * above > least) {
            continue;
        }
        const int *v = &h->faceVertices[h->firstFaceVertex[f]];
        int count = h->firstFaceVertex[f + 1] - h->firstFaceVertex[f];
        for (int i = 1; i + 1 < count; i++) {
            const Point corner[3] = {point(h->vertices[v[0]]), point(h->vertices[v[i]]), point(h->vertices[v[i + 1]])};
            Point q = onTriangle(p, corner), d = sub(p, q);
            if (dot(d, d) < least) {
                least = dot(d, d);
                best = q;
            }
        }
    }
    return best;
}

static Point onCore(const ctShape *s, Point p)
{
    ctVec3 h = ctZero3();
    switch (s->type) {
    case ct_shapeLathe:
        return onLathe(&s->u.lathe, p);
    case ct_shapeEllipsoid:
        return onEllipsoid(s->u.radii, s->round, p);
    case ct_shapeHull:
        return onHull(&s->u.hull, p);
    case ct_shapeBox:
        h = s->u.half;
        break;
    case ct_shapeCapsule:
        h.z = s->u.halfHeight;
        break;
    default:
        break;
    }
    Point q = {{clamp(p.c[0], -h.x, h.x), clamp(p.c[1], -h.y, h.y), clamp(p.c[2], -h.z, h.z)}};
    return q;
}

static Point toWorld(const ctPose *pose, Point local)
{
    const Point axis[3] = {point(pose->r.cx), point(pose->r.cy), point(pose->r.cz)};
    Point out = point(pose->p);
    for (int i = 0; i < 3; i++) {
        out = mulAdd(out, local.c[i], axis[i]);
    }
    return out;
}

// A rotation in double precision is one to 1e-16 only, so that its transpose is its inverse to that: what is left is
// taken in again.
static Point toLocal(const ctPose *pose, Point world)
{
    const Point axis[3] = {point(pose->r.cx), point(pose->r.cy), point(pose->r.cz)};
    Point local = {{0.0L, 0.0L, 0.0L}};
    for (int pass = 0; pass < 3; pass++) {
        Point d = sub(world, toWorld(pose, local)), more = {{dot(axis[0], d), dot(axis[1], d), dot(axis[2], d)}};
        local = mulAdd(local, 1.0L, more);
    }
    return local;
}

static Point nearest(const ctShape *s, const ctPose *pose, Point world)
{
    return toWorld(pose, onCore(s, toLocal(pose, world)));
}

// ---- the fixed point -----------------------------------------------------------------------------

// Solves m x = r by elimination; *gain is the largest element of the inverse. False when m is singular.
static bool solve(Real m[3][3], Point r, Point *x, Real *gain)
{
    Real w[3][7] = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            w[i][j] = m[i][j];
        }
        w[i][3] = r.c[i];
        w[i][4 + i] = 1.0L;
    }
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int i = k + 1; i < 3; i++) {
            pivot = fabsl(w[i][k]) > fabsl(w[pivot][k]) ? i : pivot;
        }
        for (int j = 0; j < 7; j++) {
            Real t = w[k][j];
            w[k][j] = w[pivot][j];
            w[pivot][j] = t;
        }
        if (!(fabsl(w[k][k]) > 0.0L)) {
            return false;
        }
        for (int i = 0; i < 3; i++) {
            Real f = i == k ? 0.0L : w[i][k] / w[k][k];
            for (int j = 0; j < 7; j++) {
                w[i][j] -= f * w[k][j];
            }
        }
    }
    *gain = 0.0L;
    for (int i = 0; i < 3; i++) {
        x->c[i] = w[i][3] / w[i][i];
        for (int j = 4; j < 7; j++) {
            *gain = fmaxl(*gain, fabsl(w[i][j] / w[i][i]));
        }
    }
    return true;
}

bool ctTestFindNearest(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb, ctVec3 start,
                       ctTestNearest *out)
{
    const Real size = a->size < b->size ? a->size : b->size, h = 1e-13L * size;
    Point x = point(start);
    Real gain = 1.0L, residual = INFINITY;
    for (int step = 0; step < 20 && residual > 1e-18L * size; step++) {
        Point t = nearest(b, pb, nearest(a, pa, x)), r = sub(t, x), dx;
        Real m[3][3];
        for (int j = 0; j < 3; j++) {
            Point moved = x;
            moved.c[j] += h;
            Point d = sub(nearest(b, pb, nearest(a, pa, moved)), t);
            for (int i = 0; i < 3; i++) {
                m[i][j] = (i == j ? 1.0L : 0.0L) - d.c[i] / h;
            }
        }
        if (!solve(m, r, &dx, &gain)) {
            return false;
        }
        x = nearest(b, pb, mulAdd(x, 1.0L, dx));
        residual = sqrtl(dot(dx, dx));
    }
    Point p = nearest(a, pa, x), n = sub(p, nearest(b, pb, p));
    Real length = sqrtl(dot(n, n));
    out->normal = ctV3((double)(n.c[0] / length), (double)(n.c[1] / length), (double)(n.c[2] / length));
    out->distance = (double)(length - a->round - b->round);
    out->gain = (double)gain;
    return residual <= 1e-10L * length; // the normal is off by residual over length
}
