#include "render/draw/parts.h"

#include "collision/memory.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define MARGIN 5.0 // pixels around an edge that count as crossed by it
#define STRIDE 6.0 // pixels between two samples along an edge: less than twice the margin, so that none is missed

bool ctParts_Begin(ctParts *parts, const float *matrix, int width, int height)
{
    for (int i = 0; i < 16; i++) {
        parts->matrix[i] = (double)matrix[i];
    }
    parts->width = width;
    parts->height = height;
    parts->columns = (width + CT_PART_SIZE - 1) / CT_PART_SIZE;
    parts->rows = (height + CT_PART_SIZE - 1) / CT_PART_SIZE;
    parts->marked = parts->rectCount = 0;
    int count = parts->columns * parts->rows;
    if (!ctReserve((void **)&parts->marks, &parts->capacity, count, sizeof(uint8_t))) {
        return false;
    }
    memset(parts->marks, 0, (size_t)count);
    return true;
}

void ctParts_Free(ctParts *parts)
{
    ctFree(parts->marks);
    ctFree(parts->rects);
    *parts = (ctParts){0};
}

// Clip coordinates x, y, w and the distance n = z + w in front of the near plane.
typedef struct clipPoint {
    double x, y, w, n;
} clipPoint;

static clipPoint clipOf(const ctParts *parts, ctVec3 p)
{
    const double *m = parts->matrix;
    double z = m[2] * p.x + m[6] * p.y + m[10] * p.z + m[14];
    double w = m[3] * p.x + m[7] * p.y + m[11] * p.z + m[15];
    return (clipPoint){m[0] * p.x + m[4] * p.y + m[8] * p.z + m[12], m[1] * p.x + m[5] * p.y + m[9] * p.z + m[13], w,
                       z + w};
}

static void toPixels(const ctParts *parts, clipPoint p, double out[2])
{
    out[0] = 0.5 * (p.x / p.w + 1.0) * parts->width;
    out[1] = 0.5 * (p.y / p.w + 1.0) * parts->height;
}

void ctParts_MarkSquares(ctParts *parts, ctPartRect s)
{
    int left = s.left < 0 ? 0 : s.left, right = s.right > parts->columns ? parts->columns : s.right;
    int bottom = s.bottom < 0 ? 0 : s.bottom, top = s.top > parts->rows ? parts->rows : s.top;
    for (int y = bottom; y < top; y++) {
        for (int x = left; x < right; x++) {
            uint8_t *mark = &parts->marks[y * parts->columns + x];
            parts->marked += *mark == 0 ? 1 : 0;
            *mark = 1;
        }
    }
}

void ctParts_MarkAll(ctParts *parts)
{
    ctParts_MarkSquares(parts, (ctPartRect){0, 0, parts->columns, parts->rows});
}

static int squareOf(double pixel, int squares)
{
    return (int)floor(fmin(fmax(pixel / CT_PART_SIZE, -1.0), squares + 1.0));
}

static ctPartRect squaresOf(const ctParts *parts, double left, double bottom, double right, double top)
{
    return (ctPartRect){squareOf(left, parts->columns), squareOf(bottom, parts->rows),
                        squareOf(right, parts->columns) + 1, squareOf(top, parts->rows) + 1};
}

// Narrows the range begin ... end of a line's parameter t to low <= at + t * step <= high.
static void narrow(double at, double step, double low, double high, double *begin, double *end)
{
    if (fabs(step) < 1e-12) {
        *end = at < low || at > high ? -1.0 : *end;
        return;
    }
    double t = (low - at) / step, s = (high - at) / step;
    *begin = fmax(*begin, fmin(t, s));
    *end = fmin(*end, fmax(t, s));
}

void ctParts_MarkSegment(ctParts *parts, ctVec3 a, ctVec3 b)
{
    clipPoint ends[2] = {clipOf(parts, a), clipOf(parts, b)};
    if (ends[0].n <= 0.0 && ends[1].n <= 0.0) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        const clipPoint p = ends[i], q = ends[1 - i];
        if (p.n < 0.0) { // cut at the near plane
            double t = p.n / (p.n - q.n);
            ends[i] = (clipPoint){p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.w + t * (q.w - p.w), 0.0};
        }
    }
    double p[2], q[2], begin = 0.0, end = 1.0;
    toPixels(parts, ends[0], p);
    toPixels(parts, ends[1], q);
    double dx = q[0] - p[0], dy = q[1] - p[1];
    narrow(p[0], dx, -MARGIN, parts->width + MARGIN, &begin, &end);
    narrow(p[1], dy, -MARGIN, parts->height + MARGIN, &begin, &end);
    if (!(end >= begin)) {
        return;
    }
    int looks = (int)ceil((end - begin) * hypot(dx, dy) / STRIDE) + 1;
    for (int i = 0; i <= looks; i++) {
        double t = begin + (end - begin) * i / looks, x = p[0] + t * dx, y = p[1] + t * dy;
        ctParts_MarkSquares(parts, squaresOf(parts, x - MARGIN, y - MARGIN, x + MARGIN, y + MARGIN));
    }
}

bool ctParts_AreBehind(const ctParts *parts, const ctVec3 *points, int count)
{
    for (int i = 0; i < count; i++) {
        if (clipOf(parts, points[i]).n > 0.0) {
            return false;
        }
    }
    return true;
}

bool ctParts_BoxOf(const ctParts *parts, const ctVec3 *points, int count, double margin, ctPartRect *squares)
{
    double lo[2] = {HUGE_VAL, HUGE_VAL}, hi[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < count; i++) {
        clipPoint c = clipOf(parts, points[i]);
        if (!(c.n > 0.0)) {
            return false;
        }
        double p[2];
        toPixels(parts, c, p);
        for (int k = 0; k < 2; k++) {
            lo[k] = fmin(lo[k], p[k]);
            hi[k] = fmax(hi[k], p[k]);
        }
    }
    *squares = squaresOf(parts, lo[0] - margin, lo[1] - margin, hi[0] + margin, hi[1] + margin);
    return true;
}

// A row of marked squares, x ... end - 1. It extends a rectangle of the same width below, or becomes a new rectangle.
static bool addRun(ctParts *parts, int x, int end, int y)
{
    int size = CT_PART_SIZE;
    ctPartRect run = {x * size, y * size, end * size < parts->width ? end * size : parts->width,
                      (y + 1) * size < parts->height ? (y + 1) * size : parts->height};
    for (int i = parts->rectCount - 1; i >= 0; i--) {
        ctPartRect *r = &parts->rects[i];
        if (r->top == run.bottom && r->left == run.left && r->right == run.right) {
            r->top = run.top;
            return true;
        }
    }
    if (!ctReserve((void **)&parts->rects, &parts->rectCapacity, parts->rectCount + 1, sizeof(ctPartRect))) {
        return false;
    }
    parts->rects[parts->rectCount++] = run;
    return true;
}

static int areaOf(ctPartRect r)
{
    return (r.right - r.left) * (r.top - r.bottom);
}

static ctPartRect around(ctPartRect a, ctPartRect b)
{
    return (ctPartRect){a.left < b.left ? a.left : b.left, a.bottom < b.bottom ? a.bottom : b.bottom,
                        a.right > b.right ? a.right : b.right, a.top > b.top ? a.top : b.top};
}

// Replaces two rectangles by their bounding rectangle. The pair is the one that adds the least area.
static void mergeNearest(ctParts *parts)
{
    int least = INT_MAX, first = 0, second = 1;
    for (int i = 0; i < parts->rectCount; i++) {
        for (int k = 0; k < i; k++) {
            ctPartRect a = parts->rects[i], b = parts->rects[k];
            int added = areaOf(around(a, b)) - areaOf(a) - areaOf(b);
            if (added < least) {
                least = added;
                first = k;
                second = i;
            }
        }
    }
    parts->rects[first] = around(parts->rects[first], parts->rects[second]);
    parts->rects[second] = parts->rects[--parts->rectCount];
}

bool ctParts_Join(ctParts *parts, int most)
{
    parts->rectCount = 0;
    for (int y = 0; y < parts->rows; y++) {
        const uint8_t *row = &parts->marks[y * parts->columns];
        for (int x = 0, end; x < parts->columns; x = end + 1) {
            for (end = x; end < parts->columns && row[end] != 0; end++) {
            }
            if (end > x && !addRun(parts, x, end, y)) {
                return false;
            }
        }
    }
    while (parts->rectCount > most) {
        mergeNearest(parts);
    }
    return true;
}

int ctParts_Area(const ctParts *parts)
{
    int area = 0;
    for (int i = 0; i < parts->rectCount; i++) {
        area += areaOf(parts->rects[i]);
    }
    return area;
}
