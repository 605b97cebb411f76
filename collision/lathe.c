// Solids of revolution about z.
//
// An outline r(z) is cut at its concave points by planes across the axis; between two cuts r(z) is a
// concave function, so each piece is convex. A convex piece is the intersection of the regions
//     a r + b z <= c    (a >= 0, the unit normal (a, b) turning from -z to +z),
// one for each edge and one for each flat end, and its core is the intersection with c - round
// instead: the solid's inner parallel body.
#include "collision/memory.h"
#include "collision/shape_build.h"

// Points this close to the chord of their neighbours, as a share of the size, are on a straight edge.
#define STRAIGHT 1e-12

typedef struct Line {
    double a, b, c;
} Line;

static Line lineThrough(double r0, double z0, double r1, double z1)
{
    double dr = r1 - r0, dz = z1 - z0, length = ctHypot(dr, dz);
    Line l = {dz / length, -dr / length, 0.0};
    l.c = l.a * r0 + l.b * z0;
    return l;
}

static void meet(const Line *p, const Line *q, double *r, double *z)
{
    double det = p->a * q->b - p->b * q->a;
    *r = (p->c * q->b - p->b * q->c) / det;
    *z = (p->a * q->c - p->c * q->a) / det;
}

// The edges and flat ends of a convex outline, from the bottom up. Returns how many, at most count + 1.
static int outlineLines(const double *r, const double *z, int count, Line *lines)
{
    int n = 0;
    if (r[0] > 0.0) {
        Line bottom = {0.0, -1.0, -z[0]};
        lines[n++] = bottom;
    }
    for (int i = 0; i + 1 < count; i++) {
        lines[n++] = lineThrough(r[i], z[i], r[i + 1], z[i + 1]);
    }
    if (r[count - 1] > 0.0) {
        Line top = {0.0, 1.0, z[count - 1]};
        lines[n++] = top;
    }
    return n;
}

// The largest ball inside has its centre on the axis, where the least distance to the lines, a concave function of the
// height, is greatest.
static double inradius(const Line *lines, int n, double lo, double hi)
{
    double best = 0.0;
    for (int step = 0; step < 80; step++) {
        double at[2] = {lo + (hi - lo) / 3.0, hi - (hi - lo) / 3.0}, least[2];
        for (int k = 0; k < 2; k++) {
            least[k] = INFINITY;
            for (int i = 0; i < n; i++) {
                least[k] = ctFmin(least[k], lines[i].c - lines[i].b * at[k]);
            }
        }
        best = ctFmax(best, ctFmax(least[0], least[1]));
        if (least[0] < least[1]) {
            lo = at[0];
        } else {
            hi = at[1];
        }
    }
    return best;
}

// Where edge i of the stack begins: at the edge below, or on the axis.
static void lineStart(const Line *stack, int i, double *r, double *z)
{
    if (i > 0) {
        meet(&stack[i - 1], &stack[i], r, z);
    } else {
        *r = 0.0;
        *z = stack[0].c / stack[0].b;
    }
}

// The region inside all lines. Edges that are cut off completely are dropped from the stack, which is made in place.
// Writes the corners from the bottom up and returns their number.
static int intersectLines(Line *lines, int n, double *r, double *z)
{
    int top = 0;
    for (int i = 0; i < n; i++) {
        Line next = lines[i];
        while (top > 0) {
            double sr, sz;
            lineStart(lines, top - 1, &sr, &sz);
            if (next.a * sr + next.b * sz < next.c) {
                break;
            }
            top--;
        }
        lines[top++] = next;
    }
    while (top > 1) {
        double sr, sz;
        lineStart(lines, top - 1, &sr, &sz);
        if (sr > 0.0) {
            break;
        }
        top--;
    }
    int count = 0;
    if (lines[0].a > 0.0) {
        lineStart(lines, 0, &r[count], &z[count]);
        count++;
    }
    for (int i = 1; i < top; i++) {
        meet(&lines[i - 1], &lines[i], &r[count], &z[count]);
        count++;
    }
    if (lines[top - 1].a > 0.0) {
        r[count] = 0.0;
        z[count] = lines[top - 1].c / lines[top - 1].b;
        count++;
    }
    return count;
}

static void fillLathe(ctShape *shape, const double *r, const double *z, int count, double *block, Line *lines)
{
    // n lines have n - 1 corners and at most two tips; n is at most count + 1.
    ctLathe *lathe = &shape->u.lathe;
    lathe->r = block;
    lathe->z = block + count + 2;
    lathe->outlineR = lathe->z + count + 2;
    lathe->outlineZ = lathe->outlineR + count;
    lathe->outlineCount = count;
    double widest = 0.0;
    for (int i = 0; i < count; i++) {
        lathe->outlineR[i] = r[i];
        lathe->outlineZ[i] = z[i];
        widest = ctFmax(widest, r[i]);
    }
    ctSetBox(shape, ctV3(-widest, -widest, z[0]), ctV3(widest, widest, z[count - 1]));
    shape->unit = ctMass_Lathe(r, z, count);
    shape->boundRadius = ctFarthestFrom(shape, shape->unit.center);

    int n = outlineLines(r, z, count, lines);
    shape->round = ctRoundFor(shape->size, inradius(lines, n, z[0], z[count - 1]));
    for (int i = 0; i < n; i++) {
        lines[i].c -= shape->round;
    }
    lathe->count = intersectLines(lines, n, lathe->r, lathe->z);
    ctLathe *sharp = &ctShape_AddSharp(shape)->u.lathe;
    sharp->r = lathe->outlineR;
    sharp->z = lathe->outlineZ;
    sharp->count = count;
}

ctShape *ctNewLathe(const double *r, const double *z, int count, ctError *error)
{
    double *block = ctAllocate(4 * (size_t)count + 4, sizeof *block);
    Line *lines = ctAllocate((size_t)count + 1, sizeof *lines);
    ctShape *shape = block != NULL && lines != NULL ? ctNewShape(ct_shapeLathe, error) : NULL;
    if (shape == NULL) {
        ctFree(block);
        ctFailMemory(error, "a lathe");
    } else {
        fillLathe(shape, r, z, count, block, lines);
    }
    ctFree(lines);
    return shape;
}

// ---- outlines from the user --------------------------------------------------------------------

static bool checkPoints(const double *r, const double *z, int count, ctError *error)
{
    if (r == NULL || z == NULL || count < 2) {
        return ctFail(error, ct_badArgument, "a profile needs at least two points");
    }
    if (count > CT_LATHE_POINTS) {
        return ctFail(error, ct_limit, "a profile may have %d points, not %d", CT_LATHE_POINTS, count);
    }
    double widest = 0.0;
    for (int i = 0; i < count; i++) {
        if (!isfinite(r[i]) || !isfinite(z[i]) || fabs(z[i]) > CT_LENGTH_MAX || r[i] > CT_LENGTH_MAX) {
            return ctFail(error, ct_badArgument, "profile point %d: (%g, %g) is no point within %g m", i + 1, r[i],
                          z[i], CT_LENGTH_MAX);
        }
        if (r[i] < 0.0) {
            return ctFail(error, ct_badArgument, "profile point %d: the radius %g is negative", i + 1, r[i]);
        }
        widest = ctFmax(widest, r[i]);
    }
    double height = fabs(z[count - 1] - z[0]);
    if (!(widest >= CT_LENGTH_MIN) || !(height >= CT_LENGTH_MIN)) {
        return ctFail(error, ct_badArgument, "the profile encloses no area: its ends are %g m apart, its radius %g m",
                      height, widest);
    }
    return true;
}

// An outline that always goes up (or down) cannot cross itself, except along a step.
static bool checkOrder(const double *r, const double *z, int count, ctError *error)
{
    double up = z[count - 1] > z[0] ? 1.0 : -1.0;
    for (int i = 1; i < count; i++) {
        if (up * (z[i] - z[i - 1]) < 0.0) {
            return ctFail(error, ct_badArgument,
                          "profile point %d: z turns back; a profile runs from one end of the axis to the other",
                          i + 1);
        }
    }
    for (int i = 2; i < count; i++) {
        if (z[i] == z[i - 1] && z[i - 1] == z[i - 2] && (r[i] - r[i - 1]) * (r[i - 1] - r[i - 2]) < 0.0) {
            return ctFail(error, ct_badArgument, "profile point %d: the profile doubles back over itself", i + 1);
        }
    }
    if ((z[1] == z[0] && r[1] < r[0]) || (z[count - 1] == z[count - 2] && r[count - 1] > r[count - 2])) {
        return ctFail(error, ct_badArgument, "the profile doubles back over its flat end");
    }
    return true;
}

// Twice the area of a triangle: positive when the outline (upwards) turns towards the axis at i1.
static double turn(const double *r, const double *z, int i0, int i1, int i2)
{
    return (r[i1] - r[i0]) * (z[i2] - z[i1]) - (z[i1] - z[i0]) * (r[i2] - r[i1]);
}

// Upwards, without the axis ends of flat caps, repeated points, and points on straight edges.
static int cleanOutline(const double *r, const double *z, int count, double *outR, double *outZ)
{
    bool down = z[count - 1] < z[0];
    double size = fabs(z[count - 1] - z[0]);
    for (int i = 0; i < count; i++) {
        size = ctFmax(size, 2.0 * r[i]);
    }
    int n = 0;
    for (int i = 0; i < count; i++) {
        double ri = r[down ? count - 1 - i : i], zi = z[down ? count - 1 - i : i];
        if (n > 0 && ctHypot(ri - outR[n - 1], zi - outZ[n - 1]) <= STRAIGHT * size) {
            continue;
        }
        outR[n] = ri;
        outZ[n] = zi;
        while (n >= 2 && fabs(turn(outR, outZ, n - 2, n - 1, n)) <=
                             STRAIGHT * size * ctHypot(outR[n] - outR[n - 2], outZ[n] - outZ[n - 2])) {
            outR[n - 1] = outR[n];
            outZ[n - 1] = outZ[n];
            n--;
        }
        n++;
    }
    while (n >= 2 && outZ[n - 1] == outZ[n - 2]) {
        n--;
    }
    int first = 0;
    while (first + 1 < n && outZ[first + 1] == outZ[first]) {
        first++;
    }
    for (int i = first; i < n; i++) {
        outR[i - first] = outR[i];
        outZ[i - first] = outZ[i];
    }
    return n - first;
}

// The last point of the convex piece that begins at point i.
static int pieceEnd(const double *r, const double *z, int n, int i)
{
    int end = i + 1;
    while (end + 1 < n && turn(r, z, end - 1, end, end + 1) > 0.0) {
        end++;
    }
    return end;
}

// Cuts a clean outline with at least one concave point.
static ctShape *cutOutline(const double *r, const double *z, int n, ctError *error)
{
    ctLeaf *parts = ctAllocate((size_t)n, sizeof *parts);
    if (parts == NULL) {
        ctFailMemory(error, "a lathe");
        return NULL;
    }
    int count = 0;
    bool ok = true;
    for (int i = 0; ok && i + 1 < n;) {
        int end = pieceEnd(r, z, n, i);
        // A step at either end of the piece is part of its flat end.
        int from = i, to = end;
        while (from < to && z[from + 1] == z[from]) {
            from++;
        }
        while (to > from && z[to - 1] == z[to]) {
            to--;
        }
        if (to > from) {
            parts[count].shape = ctNewLathe(r + from, z + from, to - from + 1, error);
            parts[count].pose = ctTransformIdentity();
            ok = parts[count].shape != NULL;
            count += ok;
        }
        i = end;
    }
    ctShape *shape = ok ? ctNewCompound(parts, count, error) : NULL;
    for (int i = 0; i < count; i++) {
        ctShape_Release((ctShape *)parts[i].shape);
    }
    ctFree(parts);
    return shape;
}

static ctShape *fromClean(const double *r, const double *z, int n, ctError *error)
{
    if (n < 2 || (n == 2 && r[0] == 0.0 && r[1] == 0.0)) {
        ctFail(error, ct_badArgument, "the profile encloses no area");
        return NULL;
    }
    for (int i = 1; i + 1 < n; i++) {
        if (r[i] == 0.0) {
            ctFail(error, ct_badArgument, "the profile touches the axis at z = %g, between its ends", z[i]);
            return NULL;
        }
    }
    return pieceEnd(r, z, n, 0) == n - 1 ? ctNewLathe(r, z, n, error) : cutOutline(r, z, n, error);
}

ctShape *ctShape_Lathe(const double *r, const double *z, int count, ctError *error)
{
    if (!checkPoints(r, z, count, error) || !checkOrder(r, z, count, error)) {
        return NULL;
    }
    double *clean = ctAllocate(2 * (size_t)count, sizeof *clean);
    if (clean == NULL) {
        ctFailMemory(error, "a lathe");
        return NULL;
    }
    int n = cleanOutline(r, z, count, clean, clean + count);
    ctShape *shape = fromClean(clean, clean + count, n, error);
    ctFree(clean);
    return shape;
}
