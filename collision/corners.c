// Which points of a face can touch first: the corners of the lower convex hull of (place, gap).
//
// Place is measured in the plane perpendicular to the normal. A small motion of rigid bodies changes the gaps of all
// points by one linear function of place. So a point can touch before the others exactly if there is a slope s with
//   gap_k - gap - s . (p_k - p) > 0   for all other points k.
// Each other point excludes the slopes on one side of a straight line. The point is a corner if the slopes that are
// left form a polygon.
#include "collision/corners.h"

#include "collision/vec3.h"

// [rounding] Points nearer than this share of the size are at the same place; gaps that differ by less are level.
#define SAME_PLACE 1e-6
// [method] The steepest slope that counts. So a corner is farther than SAME_PLACE / STEEPEST, as a share of the size,
// from the line between two other points: more than what is left of the rounding of edges.
#define STEEPEST 1.0

typedef struct Slope {
    double x, y;
} Slope;

typedef struct Slopes {
    int count;
    Slope at[CT_MOST_SPOTS + 4];
} Slopes;

// The part of a polygon in which a x + b y <= c.
static void cut(const Slopes *in, double a, double b, double c, Slopes *out)
{
    out->count = 0;
    for (int i = 0; i < in->count; i++) {
        Slope s = in->at[i], t = in->at[i + 1 < in->count ? i + 1 : 0];
        double over = a * s.x + b * s.y - c, overNext = a * t.x + b * t.y - c;
        if (over <= 0.0) {
            out->at[out->count++] = s;
        }
        if ((over <= 0.0) != (overNext <= 0.0)) {
            double part = over / (over - overNext);
            out->at[out->count++] = (Slope){s.x + part * (t.x - s.x), s.y + part * (t.y - s.y)};
        }
    }
}

static bool isCorner(const ctSpot *spots, int count, int i, double cosine, double near)
{
    const ctSpot *spot = &spots[i];
    Slopes slopes[2];
    ctVec3 x, y;
    int now = 0;
    ctFrameFromNormal(spot->n, &x, &y);
    slopes[0].count = 4;
    for (int k = 0; k < 4; k++) {
        slopes[0].at[k] = (Slope){k == 0 || k == 3 ? -STEEPEST : STEEPEST, k < 2 ? -STEEPEST : STEEPEST};
    }
    for (int k = 0; k < count && slopes[now].count > 0; k++) {
        if (k == i || ctDot(spot->n, spots[k].n) < cosine) {
            continue;
        }
        ctVec3 way = ctSub(spots[k].p, spot->p);
        double a = ctDot(way, x), b = ctDot(way, y), rise = spots[k].gap - spot->gap;
        if (a * a + b * b <= near * near) { // at the same place: the lower point stays, or the first
            if (rise < -near || (rise <= near && k < i)) {
                return false;
            }
            continue;
        }
        cut(&slopes[now], a, b, rise - near, &slopes[1 - now]);
        now = 1 - now;
    }
    return slopes[now].count > 0;
}

void ctKeepCorners(const ctSpot *spots, int count, double cosine, double size, bool *keep)
{
    for (int i = 0; i < count; i++) {
        keep[i] = count > CT_MOST_SPOTS || isCorner(spots, count, i, cosine, SAME_PLACE * size);
    }
}
