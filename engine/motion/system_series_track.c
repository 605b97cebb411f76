// States and tracks of bodies that are followed by power series (motion/system_series.c).
#include "engine/motion/system_internal.h"

#include <string.h>

// ---- states -------------------------------------------------------------------------------------

// A body at a moment of the series: in its own axes but for place and orientation.
typedef struct Moment {
    ctVec3 x, v, w, a, alpha; // a, alpha: rates of v and w
    ctQuat q;
} Moment;

static Moment momentAt(const ctSeries *z, int body, double t)
{
    int o = CT_SERIES_DEGREE;
    ctFour x = *(const ctFourAt *)z->x[body][o], v = *(const ctFourAt *)z->v[body][o];
    ctFour w = *(const ctFourAt *)z->w[body][o], q = *(const ctFourAt *)z->q[body][o], a = {0.0}, alpha = {0.0};
    while (o-- > 0) {
        a = a * t + v;
        alpha = alpha * t + w;
        x = x * t + *(const ctFourAt *)z->x[body][o];
        v = v * t + *(const ctFourAt *)z->v[body][o];
        w = w * t + *(const ctFourAt *)z->w[body][o];
        q = q * t + *(const ctFourAt *)z->q[body][o];
    }
    Moment m = {.x = ctVec3FromFour(x),
                .v = ctVec3FromFour(v),
                .w = ctVec3FromFour(w),
                .a = ctVec3FromFour(a),
                .alpha = ctVec3FromFour(alpha)};
    m.q = ctNormalizeQ(ctQuatOf(q[0], q[1], q[2], q[3]));
    return m;
}

// The work of friction, and its rate.
static double workAt(const ctSeries *z, double t, double *power)
{
    double work = z->work[CT_SERIES_DEGREE];
    *power = 0.0;
    for (int o = CT_SERIES_DEGREE - 1; o >= 0; o--) {
        *power = *power * t + work;
        work = work * t + z->work[o];
    }
    return work;
}

static void putMoment(const Moment *m, int body, double *y)
{
    ctSystem_Put(y, body, ct_systemX, m->x);
    ctSystem_Put(y, body, ct_systemV, ctRotate(m->q, m->v));
    ctSystem_PutQ(y, body, m->q);
    ctSystem_Put(y, body, ct_systemW, ctRotate(m->q, m->w));
}

void ctSystem_Follow(const ctSystem *s, double time, double *y)
{
    double *work = y + ct_systemBody * s->movable, power;
    for (int i = 0; i < s->movable; i++) {
        Moment m = momentAt(&s->series, i, time);
        putMoment(&m, i, y);
    }
    work[0] = workAt(&s->series, time, &power);
    work[1] = s->y[ct_systemBody * s->movable + 1];
}

// The size of a sum of terms at a time at most.
static double bound(const ctTerms terms, int count, double t)
{
    double sum = 0.0;
    for (int o = count - 1; o >= 0; o--) {
        sum = sum * t + ctLength(ctV3(terms[o][0], terms[o][1], terms[o][2]));
    }
    return sum;
}

double ctSystem_SeriesPull(const ctSystem *s, double h)
{
    const ctSeries *z = &s->series;
    double most = 0.0;
    for (int body = 0; body < s->movable; body++) {
        double force = 0.0, alpha = 0.0;
        for (int i = 0; i < z->count; i++) {
            force += s->points[z->points[i]].a == body ? bound(z->forces[i], CT_SERIES_DEGREE, h) : 0.0;
        }
        for (int o = CT_SERIES_DEGREE; o > 0; o--) {
            const double *w = z->w[body][o];
            alpha = alpha * h + o * ctLength(ctV3(w[0], w[1], w[2]));
        }
        most = ctFmax(most, force / s->bodies[body].mass + alpha * s->bodies[body].radius);
    }
    return ctSystem_Weight(s) + most;
}

// ---- parts of a track ---------------------------------------------------------------------------

// All bodies at a moment.
typedef struct Moments {
    Moment bodies[CT_SYSTEM_MOVABLE];
    double time, work, power;
} Moments;

static Moments momentsAt(const ctSystem *s, double time)
{
    Moments m = {.time = time};
    m.work = workAt(&s->series, time, &m.power);
    for (int i = 0; i < s->movable; i++) {
        m.bodies[i] = momentAt(&s->series, i, time);
    }
    return m;
}

// The forces on all points at a moment.
static void forcesAt(const ctSystem *s, const Moments *m, ctVec3 *forces)
{
    const ctSeries *z = &s->series;
    for (int i = 0; i < s->pointCount; i++) {
        forces[i] = ctZero3();
    }
    for (int i = 0; i < z->count; i++) {
        ctFour f = {0.0};
        for (int o = CT_SERIES_DEGREE - 1; o >= 0; o--) {
            f = f * m->time + *(const ctFourAt *)z->forces[i][o];
        }
        forces[z->points[i]] = ctRotate(m->bodies[s->points[z->points[i]].a].q, ctVec3FromFour(f));
    }
}

// The state and its rates, with orientations seen from frames that turn with the spins of a moment before.
static void putTurned(const ctSystem *s, const Moments *all, const Moments *from, double *y, double *rates)
{
    double *work = y + ct_systemBody * s->movable, *power = rates + ct_systemBody * s->movable;
    for (int i = 0; i < s->movable; i++) {
        const Moment *m = &all->bodies[i];
        ctVec3 spin = ctRotate(from->bodies[i].q, from->bodies[i].w);
        ctQuat turn = ctSystem_Turn(spin, all->time - from->time), seen = ctMulQ(ctConjugate(turn), m->q);
        putMoment(m, i, y);
        ctVec3 w = ctInvRotate(turn, ctSub(ctSystem_Get(y, i, ct_systemW), spin));
        ctSystem_PutQ(y, i, seen);
        ctSystem_Put(rates, i, ct_systemX, ctSystem_Get(y, i, ct_systemV));
        ctSystem_Put(rates, i, ct_systemV, ctRotate(m->q, ctAdd(m->a, ctCross(m->w, m->v))));
        ctSystem_PutQ(rates, i, ctMulQ(ctQuatOf(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), seen));
        ctSystem_Put(rates, i, ct_systemW, ctRotate(m->q, m->alpha));
    }
    work[0] = all->work;
    work[1] = s->y[ct_systemBody * s->movable + 1];
    power[0] = all->power;
    power[1] = 0.0;
}

// The polynomials through the values and rates at both ends, and the value in the middle.
static void makePart(const ctSystem *s, const Moments *from, const Moments *to, double *c)
{
    double y0[CT_SYSTEM_STATE], y1[CT_SYSTEM_STATE], middle[CT_SYSTEM_STATE];
    double k0[CT_SYSTEM_STATE], k1[CT_SYSTEM_STATE], none[CT_SYSTEM_STATE], h = to->time - from->time;
    Moments half = momentsAt(s, 0.5 * (from->time + to->time));
    int n = ctSystem_Count(s);
    putTurned(s, from, from, y0, k0);
    putTurned(s, &half, from, middle, none);
    putTurned(s, to, from, y1, k1);
    for (int i = 0; i < n; i++) {
        double change = y1[i] - y0[i], bend = h * k0[i] - change, twist = change - h * k1[i] - bend;
        c[i] = y0[i];
        c[n + i] = change;
        c[2 * n + i] = bend;
        c[3 * n + i] = twist;
        c[4 * n + i] = 16.0 * (middle[i] - y0[i]) - 8.0 * change - 4.0 * bend - 2.0 * twist;
    }
}

double ctSystem_SoundSeries(const ctSystem *s, double h)
{
    int parts = ctSystem_Parts(s, h);
    for (int i = 1; i < parts; i++) {
        ctVec3 forces[CT_SYSTEM_POINTS];
        Moments m = momentsAt(s, h * i / parts);
        forcesAt(s, &m, forces);
        for (int k = 0; k < s->pointCount; k++) {
            if (s->points[k].mode != ct_pointOpen && ctDot(forces[k], s->points[k].n) < 0.0) {
                return m.time;
            }
        }
    }
    return h;
}

int ctSystem_Parts(const ctSystem *s, double h)
{
    return (int)ceil(ctFmin(h / s->series.part, 1e6));
}

void ctSystem_KeepSeries(ctSystem *s, double h, const ctVec3 *first)
{
    ctVec3 from[CT_SYSTEM_POINTS], to[CT_SYSTEM_POINTS];
    int parts = ctSystem_Parts(s, h) > 1 ? ctSystem_Parts(s, h) : 1;
    Moments start = momentsAt(s, 0.0);
    memcpy(from, first, sizeof from);
    for (int i = 1; i <= parts; i++) {
        double c[5 * CT_SYSTEM_STATE];
        Moments end = momentsAt(s, i < parts ? h * i / parts : h);
        if (i < parts) {
            forcesAt(s, &end, to);
        } else {
            ctSystem_Report(s, to);
        }
        makePart(s, &start, &end, c);
        ctSystem_KeepPart(s, s->time + start.time, end.time - start.time, c, from, to);
        memcpy(from, to, sizeof from);
        start = end;
    }
}
