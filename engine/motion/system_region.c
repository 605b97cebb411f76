// The region of contact of a ring that reaches beyond its face: a disc on the edge of a table, two discs that lie on
// each other but do not cover each other.
//
// The region is the part of the disc that is on the face. Its border consists of arcs, of the ring and of a round face,
// and of straight chords. As for corners of polygons without number, loads are on the arcs. With the load N, the place
// m where it acts, the mean m0 and the second moments S of places on the arcs, whose length is l,
//     p(x) = (N / l) (1 + S^-1 (m - m0) . (x - m0))
// is linear in place, as long as none pulls. Beyond that the loads stay at that limit, m = m0 + t (m - m0) with a t <
// 1, and the border in that direction takes the rest, at one place, or at both ends of a chord. At the border it
// carries everything: there the disc tips. For a whole ring these are the loads of motion/system_ring.c.
//
// Friction needs the means of the direction of slip, and of that times the place. The slip is zero at one place of the
// plane: parts of an arc are as short as their distance from there, and Gauss's method of ten points sums over each.
//
// All is in two coordinates on the face, from the centre of the ring.
#include "engine/motion/system_internal.h"

// [method] Gauss's places and weights, of the positive half.
#define GAUSS 5
static const double NODES[GAUSS] = {0.14887433898163122, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                                    0.9739065285171717};
static const double WEIGHTS[GAUSS] = {0.29552422471475287, 0.26926671930999635, 0.21908636251598204, 0.1494513491505806,
                                      0.06667134430868814};
// [rounding] Distance of the place without slip from an arc, in radii, that counts as this.
#define NEAREST 1e-9
// [cap] Parts on one side of that place.
#define MOST_PARTS 40
// [method] The step of a difference in place of a derivative, as a share of the load.
#define NUDGE 1e-6
// Arcs whose second moments have a determinant below this share of the square of their sum are nearly one place.
#define NARROW CT_NEGLIGIBLE
#define PI 3.14159265358979323846 // [method]

// ---- the border ---------------------------------------------------------------------------------

static void addArc(ctRegion *g, double x, double y, double radius, double from, double to)
{
    if (g->count == CT_RING_ARCS) {
        g->known = false;
    } else if (to > from) {
        g->arcs[g->count++] = (ctArc){x, y, radius, from, to};
    }
}

// The way from the centre of the ring to a place of the face, in b's axes.
static void toPlane(const ctRegion *g, ctVec3 p, double *x, double *y)
{
    ctVec3 way = ctSub(p, g->centre);
    *x = ctDot(way, g->ownX);
    *y = ctDot(way, g->ownY);
}

// A side of a polygon, about which it is rounded: its outward normal at an angle, and its distance from the centre.
static double sideOf(const ctRegion *g, int i, double *angle)
{
    const ctPatch *f = g->face;
    double x0, y0, x1, y1;
    toPlane(g, f->p[i], &x0, &y0);
    toPlane(g, f->p[i + 1 < f->count ? i + 1 : 0], &x1, &y1);
    double length = ctHypot(x1 - x0, y1 - y0), nx = (y1 - y0) / length, ny = (x0 - x1) / length;
    *angle = ctAtan2(ny, nx);
    return nx * x0 + ny * y0 + f->round;
}

// The arcs of the ring inside a polygon. Sides cut off the rest; where two cuts meet, a corner is under the disc.
static void clipByPolygon(ctRegion *g, double radius)
{
    double from[CT_RING_ARCS], to[CT_RING_ARCS];
    int cuts = 0;
    for (int i = 0; i < g->face->count; i++) {
        double angle, distance = sideOf(g, i, &angle);
        if (!(distance < radius)) {
            continue;
        }
        if (cuts == CT_RING_ARCS || !(distance > -radius)) {
            g->known = false;
            return;
        }
        double half = ctAcos(distance / radius);
        int at = cuts++;
        for (; at > 0 && from[at - 1] > angle - half; at--) {
            from[at] = from[at - 1];
            to[at] = to[at - 1];
        }
        from[at] = angle - half;
        to[at] = angle + half;
    }
    g->partial = cuts > 0;
    for (int i = 0; i < cuts; i++) {
        double next = i + 1 < cuts ? from[i + 1] : from[0] + 2.0 * PI;
        g->known = g->known && next > to[i];
        addArc(g, 0.0, 0.0, radius, to[i], next);
    }
}

// The arcs of two circles inside each other.
static void clipByDisc(ctRegion *g, double radius)
{
    double x, y, other = g->face->radius + g->face->round;
    toPlane(g, g->face->centre, &x, &y);
    double distance = ctHypot(x, y);
    g->partial = distance + radius > (1.0 + CT_EQUAL) * other;
    g->known = distance < radius + other;
    if (!g->partial || !g->known) {
        return;
    }
    if (distance + other <= radius) {
        addArc(g, x, y, other, 0.0, 2.0 * PI);
        return;
    }
    double angle = ctAtan2(y, x), squares = (radius - other) * (radius + other);
    double half = ctAcos((distance * distance + squares) / (2.0 * distance * radius));
    double across = ctAcos((distance * distance - squares) / (2.0 * distance * other));
    addArc(g, 0.0, 0.0, radius, angle - half, angle + half);
    addArc(g, x, y, other, angle + PI - across, angle + PI + across);
}

static void sumMoments(ctRegion *g)
{
    double length = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int i = 0; i < g->count; i++) {
        const ctArc *a = &g->arcs[i];
        double s0, c0, s1, c1, r = a->radius, turn = a->to - a->from;
        ctSinCos(a->from, &s0, &c0);
        ctSinCos(a->to, &s1, &c1);
        double sum = s1 - s0, side = c0 - c1, twice = 0.5 * (s1 * c1 - s0 * c0), cross = 0.5 * (s1 * s1 - s0 * s0);
        length += r * turn;
        x += r * (a->x * turn + r * sum);
        y += r * (a->y * turn + r * side);
        xx += r * (a->x * a->x * turn + 2.0 * a->x * r * sum + r * r * (0.5 * turn + twice));
        yy += r * (a->y * a->y * turn + 2.0 * a->y * r * side + r * r * (0.5 * turn - twice));
        xy += r * (a->x * a->y * turn + a->x * r * side + a->y * r * sum + r * r * cross);
    }
    g->length = length;
    g->meanX = x / length;
    g->meanY = y / length;
    xx = xx / length - g->meanX * g->meanX;
    xy = xy / length - g->meanX * g->meanY;
    yy = yy / length - g->meanY * g->meanY;
    double det = xx * yy - xy * xy;
    g->known = g->known && det > NARROW * (xx + yy) * (xx + yy);
    g->xx = yy / det;
    g->xy = -xy / det;
    g->yy = xx / det;
}

void ctRegion_Place(const ctSystem *s, ctSystemPoint *p)
{
    ctRegion *g = p->region;
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    double radius = p->onA.radius;
    g->centre = ctMulTMV(b->r, ctSub(ctAdd(a->x, ctMulMV(a->r, p->onA.p)), b->x));
    ctFrameFromNormal(g->face->n, &g->ownX, &g->ownY);
    g->x = ctMulMV(b->r, g->ownX);
    g->y = ctMulMV(b->r, g->ownY);
    g->count = 0;
    g->known = true;
    g->partial = ctPatch_Inside(g->face, g->centre) + g->face->round < radius;
    if (!g->partial) {
        return;
    }
    if (g->face->kind == ct_patchDisc) {
        clipByDisc(g, radius);
    } else {
        clipByPolygon(g, radius);
    }
    if (g->partial && g->known) {
        sumMoments(g);
    }
}

double ctRegion_Room(const ctSystemPoint *p)
{
    const ctRegion *g = p->region;
    double least = g->known ? p->onA.radius : -p->onA.radius;
    for (int i = 0; i < g->face->count && g->face->kind == ct_patchPolygon; i++) {
        double x, y;
        toPlane(g, g->face->p[i], &x, &y);
        least = ctFmin(least, ctHypot(x, y) - p->onA.radius);
    }
    return least;
}

// How far inside the face a place of the region is.
static double insideFace(const ctRegion *g, double x, double y)
{
    ctVec3 p = ctMulAdd(ctMulAdd(g->centre, x, g->ownX), y, g->ownY);
    return ctPatch_Inside(g->face, p) + g->face->round;
}

double ctRegion_Spare(const ctSystemPoint *p, bool *own)
{
    const ctRegion *g = p->region;
    double load = ctDot(p->force, p->n), r = p->onA.radius, rim = load - ctLength(p->lean);
    double x = r * ctDot(p->lean, g->x) / load, y = r * ctDot(p->lean, g->y) / load;
    double face = load > 0.0 ? load / r * insideFace(g, x, y) : rim;
    *own = rim <= face;
    return ctFmin(rim, face);
}

bool ctRegion_Holds(const ctSystemPoint *p, ctVec3 edge)
{
    double r = p->onA.radius;
    return insideFace(p->region, r * ctDot(edge, p->region->x), r * ctDot(edge, p->region->y)) > 0.0;
}

// ---- loads --------------------------------------------------------------------------------------

// Loads: (even + slopeX (x - mean x) + slopeY (y - mean y)) / length on the arcs, and at up to two places.
typedef struct Loads {
    double even, slopeX, slopeY;
    int count;
    double x[2], y[2], load[2];
} Loads;

// The least of a slope over an arc.
static double leastOn(const ctArc *a, double slopeX, double slopeY)
{
    double steep = ctHypot(slopeX, slopeY), down = ctAtan2(-slopeY, -slopeX), s0, c0, s1, c1;
    double off = down - a->from;
    off -= 2.0 * PI * floor(off / (2.0 * PI));
    double middle = slopeX * a->x + slopeY * a->y;
    if (off <= a->to - a->from) {
        return middle - a->radius * steep;
    }
    ctSinCos(a->from, &s0, &c0);
    ctSinCos(a->to, &s1, &c1);
    return middle + a->radius * ctFmin(slopeX * c0 + slopeY * s0, slopeX * c1 + slopeY * s1);
}

// The first time at which x + t d is at the circle about c.
static double timeToCircle(double x, double y, double dx, double dy, double cx, double cy, double radius)
{
    double wx = x - cx, wy = y - cy, a = dx * dx + dy * dy, b = wx * dx + wy * dy;
    double c = wx * wx + wy * wy - radius * radius;
    return (sqrt(ctFmax(0.0, b * b - a * c)) - b) / a;
}

// Puts a load at the border of the region, from the mean in the direction d. Returns how many times d leads there.
static double findBorder(const ctSystemPoint *p, double dx, double dy, Loads *loads)
{
    const ctRegion *g = p->region;
    double r = p->onA.radius, time = timeToCircle(g->meanX, g->meanY, dx, dy, 0.0, 0.0, r), side = INFINITY,
           angle = 0.0;
    if (g->face->kind == ct_patchDisc) {
        double x, y;
        toPlane(g, g->face->centre, &x, &y);
        time = ctFmin(time, timeToCircle(g->meanX, g->meanY, dx, dy, x, y, g->face->radius + g->face->round));
    }
    for (int i = 0; i < g->face->count && g->face->kind == ct_patchPolygon; i++) {
        double at, distance = sideOf(g, i, &at), s, c;
        ctSinCos(at, &s, &c);
        double rate = dx * c + dy * s, hit = (distance - g->meanX * c - g->meanY * s) / rate;
        if (rate > 0.0 && hit < time) {
            time = hit;
            side = distance;
            angle = at;
        }
    }
    double x = g->meanX + time * dx, y = g->meanY + time * dy;
    loads->count = 1;
    loads->x[0] = x;
    loads->y[0] = y;
    loads->load[0] = 1.0;
    if (side < (double)INFINITY) { // both ends of the chord
        double s, c, half = sqrt(ctFmax(0.0, r * r - side * side));
        ctSinCos(angle, &s, &c);
        double along = half > 0.0 ? (c * y - s * x) / half : 0.0;
        loads->count = 2;
        for (int k = 0; k < 2; k++) {
            double end = k == 0 ? -half : half;
            loads->x[k] = side * c - end * s;
            loads->y[k] = side * s + end * c;
            loads->load[k] = 0.5 * (1.0 + (k == 0 ? -along : along));
        }
    }
    return time;
}

static bool isLinear(const ctSystemPoint *p, double load, double x, double y, Loads *loads)
{
    const ctRegion *g = p->region;
    double wayX = x - load * g->meanX, wayY = y - load * g->meanY, least = 0.0;
    loads->even = load;
    loads->slopeX = g->xx * wayX + g->xy * wayY;
    loads->slopeY = g->xy * wayX + g->yy * wayY;
    loads->count = 0;
    double mean = loads->slopeX * g->meanX + loads->slopeY * g->meanY;
    for (int i = 0; i < g->count; i++) {
        least = ctFmin(least, leastOn(&g->arcs[i], loads->slopeX, loads->slopeY) - mean);
    }
    if (!(load > 0.0) || least >= -load) {
        return true;
    }
    double limit = load / -least, time = findBorder(p, wayX / load, wayY / load, loads);
    double rest = ctFmin(1.0, (1.0 - limit) / ctFmax(time - limit, NUDGE));
    loads->even *= 1.0 - rest;
    loads->slopeX *= (1.0 - rest) * limit;
    loads->slopeY *= (1.0 - rest) * limit;
    for (int k = 0; k < loads->count; k++) {
        loads->load[k] *= rest * load;
    }
    return false;
}

// ---- friction -----------------------------------------------------------------------------------

// The slip of the centre, and the spin; sums of the direction of slip, in the plane and around the centre over the
// radius of the ring, weighted by 1, by x and by y from the mean.
typedef struct Sums {
    double vx, vy, w, radius;
    double even[3], byX[3], byY[3];
} Sums;

static void directionAt(const Sums *s, double x, double y, double *t)
{
    double ux = s->vx - s->w * y, uy = s->vy + s->w * x, speed = ctHypot(ux, uy), inv = speed > 0.0 ? 1.0 / speed : 0.0;
    t[0] = inv * ux;
    t[1] = inv * uy;
    t[2] = (x * t[1] - y * t[0]) / s->radius;
}

static void addPart(const ctRegion *g, const ctArc *a, double from, double to, Sums *sums)
{
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int i = 0; i < 2 * GAUSS; i++) {
        double s, c, t[3], weight = half * a->radius / g->length * WEIGHTS[i / 2];
        ctSinCos(middle + (i % 2 == 0 ? -half : half) * NODES[i / 2], &s, &c);
        double x = a->x + a->radius * c, y = a->y + a->radius * s;
        directionAt(sums, x, y, t);
        for (int k = 0; k < 3; k++) {
            sums->even[k] += weight * t[k];
            sums->byX[k] += weight * t[k] * (x - g->meanX);
            sums->byY[k] += weight * t[k] * (y - g->meanY);
        }
    }
}

// Adds what lies between two angles, of which the first is the nearest to the place without slip.
static void addSide(const ctRegion *g, const ctArc *a, double from, double to, double near, Sums *sums)
{
    double done = from, way = to > from ? 1.0 : -1.0, length = near;
    for (int i = 0; i < MOST_PARTS && way * (to - done) > 0.0; i++) {
        bool last = i == MOST_PARTS - 1 || way * (to - done) <= 1.5 * length;
        double next = last ? to : done + way * length;
        addPart(g, a, way > 0.0 ? done : next, way > 0.0 ? next : done, sums);
        length = i == 0 ? near : 2.0 * length;
        done = next;
    }
}

static void addArcSums(const ctRegion *g, const ctArc *a, Sums *sums)
{
    double wx = -sums->vy - sums->w * a->x, wy = sums->vx - sums->w * a->y, away = ctHypot(wx, wy);
    double r = fabs(sums->w) * a->radius; // the place without slip is at (wx, wy) / w from the centre of the arc
    double off = ctAtan2(sums->w < 0.0 ? -wy : wy, sums->w < 0.0 ? -wx : wx) - a->from;
    off -= 2.0 * PI * floor(off / (2.0 * PI));
    double turn = a->to - a->from, near = r > 0.0 ? ctFmax(fabs(away - r) / r, NEAREST) : 2.0 * PI;
    // Outside of the arc, the nearer end.
    double at = off <= turn ? off : off - turn < 2.0 * PI - off ? turn : 0.0;
    double beyond = off <= turn ? 0.0 : ctFmin(off - turn, 2.0 * PI - off);
    near = ctFmin(ctFmax(near, beyond), 0.5 * PI);
    addSide(g, a, a->from + at, a->to, near, sums);
    addSide(g, a, a->from + at, a->from, near, sums);
}

// The friction under a load that acts, times it, at (x, y).
static ctVec3 frictionOf(const ctSystemPoint *p, const Sums *sums, double load, double x, double y)
{
    const ctRegion *g = p->region;
    Loads loads;
    double f[3];
    isLinear(p, load, x, y, &loads);
    for (int k = 0; k < 3; k++) {
        f[k] = loads.even * sums->even[k] + loads.slopeX * sums->byX[k] + loads.slopeY * sums->byY[k];
    }
    for (int i = 0; i < loads.count; i++) {
        double t[3];
        directionAt(sums, loads.x[i], loads.y[i], t);
        for (int k = 0; k < 3; k++) {
            f[k] += loads.load[i] * t[k];
        }
    }
    return ctScale(-p->friction, ctMulAdd(ctMulAdd(ctScale(f[0], g->x), f[1], g->y), f[2], p->n));
}

bool ctRegion_IsLinear(const ctSystemPoint *p, double load, ctVec3 lean)
{
    Loads loads;
    double r = p->onA.radius;
    return isLinear(p, load, r * ctDot(lean, p->region->x), r * ctDot(lean, p->region->y), &loads);
}

// The parts of a vector along the axes of the region, of directions x and y of others.
static ctVec3 along(const ctRegion *g, ctVec3 direction, ctVec3 byX, ctVec3 byY)
{
    return ctMulAdd(ctScale(ctDot(direction, g->x), byX), ctDot(direction, g->y), byY);
}

static ctVec3 toWorld(const ctSystemPoint *p, const double *f)
{
    return ctMulAdd(ctMulAdd(ctScale(f[0], p->region->x), f[1], p->region->y), f[2], p->n);
}

void ctRegion_Friction(const ctSystemPoint *p, ctVec3 slip, ctRingFriction *f)
{
    const ctRegion *g = p->region;
    double r = p->onA.radius, load = ctDot(p->force, p->n), mu = p->friction;
    Sums sums = {.vx = ctDot(slip, g->x), .vy = ctDot(slip, g->y), .w = ctDot(slip, p->n) / r, .radius = r};
    for (int i = 0; i < g->count; i++) {
        addArcSums(g, &g->arcs[i], &sums);
    }
    ctVec3 byX = toWorld(p, sums.byX), byY = toWorld(p, sums.byY);
    ctVec3 leanX = ctMulAdd(ctScale(-mu * g->xx, byX), -mu * g->xy, byY);
    ctVec3 leanY = ctMulAdd(ctScale(-mu * g->xy, byX), -mu * g->yy, byY);
    f->load = ctMulAdd(ctScale(-mu, toWorld(p, sums.even)), -g->meanX, leanX);
    f->load = ctMulAdd(f->load, -g->meanY, leanY);
    leanX = ctScale(r, leanX);
    leanY = ctScale(r, leanY);
    ctFrameFromNormal(p->n, &f->x, &f->y);
    f->linear = ctRegion_IsLinear(p, load, p->lean);
    if (!f->linear) { // friction is in proportion to all loads together
        double atX = ctDot(p->lean, g->x), atY = ctDot(p->lean, g->y), nudge = NUDGE * load;
        ctVec3 here = frictionOf(p, &sums, load, r * atX, r * atY);
        leanX = ctScale(1.0 / nudge, ctSub(frictionOf(p, &sums, load, r * (atX + nudge), r * atY), here));
        leanY = ctScale(1.0 / nudge, ctSub(frictionOf(p, &sums, load, r * atX, r * (atY + nudge)), here));
        f->load = ctScale(1.0 / load, ctMulAdd(ctMulAdd(here, -atX, leanX), -atY, leanY));
    }
    f->leanX = along(g, f->x, leanX, leanY);
    f->leanY = along(g, f->y, leanX, leanY);
}
