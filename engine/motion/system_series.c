// The motion of bodies that slip on corners of their own, over faces that do not move, as power series of the time.
// They do not touch each other, so each has its own; some may fly.
//
// In the axes of a body its corners r_i do not move. With the velocity v of its centre, its spin w, the directions
// E_j of the world's axes, the normals n_i and the directions t_i of slip, all in the axes of the body,
//     E_j' = E_j x w,     v' = g + sum f_i / m + v x w,     I w' = (I w) x w + sum r_i x f_i,
//     f_i = N_i (n_i - mu t_i),     t_i = u_i / |u_i|,     u_i = v + w x r_i,     n_i . u_i constant.
// These are products, a square root and quotients, so that each coefficient of the series follows from those before it.
// The loads of an order are found from the condition that the velocity along the normals has no term of the next order:
// linear equations, whose matrix is the same for all orders. Four corners or more share three unknowns, as in
// motion/system_rows.c.
//
// Slip that turns while it ends has a singularity there. Steps by series are shares of the time that is left, and the
// last terms say how long they may be: none is tried in vain. A track gets them in parts, which are polynomials of
// degree 4 (motion/system_track.c).
#include "engine/motion/system_internal.h"

#include <string.h>

enum { TERMS = CT_SERIES_DEGREE + 1, MOST_UNKNOWNS = 3 };

// [method] The last terms of a step, in tolerances: those that are left out are smaller.
#define LAST_TERMS 1.0
// [method] The error of a polynomial through the values and rates at the ends and the value in the middle is this times
// the fifth term.
#define BETWEEN (0.04 * 0.2236)
// Loads whose equations have a determinant below this share of the greatest mobility are left to motion/system_rows.c.
#define SINGULAR (1e5 * CT_NEGLIGIBLE)

// A corner while the coefficients are found.
typedef struct Corner {
    const ctSystemPoint *p;
    ctFour r;                                           // in the axes of the body
    ctFour n[TERMS], slip[TERMS], dir[TERMS], d[TERMS]; // d: force per unit of load
    ctFour force[TERMS];
    double speed[TERMS], load[TERMS];
    double un;     // of u along the normal
    bool steered;  // friction is against the slip, and not along a fixed direction
    ctVec3 toward; // that direction
    bool begins;   // slip is zero, and has that direction as soon as it is not
} Corner;

// An unknown: loads of the corners are weights times unknowns.
typedef struct Unknown {
    double weights[CT_SERIES_POINTS], sum;
    ctFour arm;                // sum of weights times corners
    const ctFour *n;           // the normal
    ctFour u[TERMS];           // the velocity whose part along it is constant
    ctFour push, twist;        // accelerations by a unit of it, at the start
    double row[MOST_UNKNOWNS]; // of the inverse of the matrix
} Unknown;

typedef struct Work {
    Corner corners[CT_SERIES_POINTS];
    Unknown unknowns[MOST_UNKNOWNS];
    int body, count, unknownCount;
    double invMass, work[TERMS];
    ctVec3 pull;
    ctFour inverse, gyro; // of the principal moments; their differences over them
    ctFour e[3][TERMS], v[TERMS], w[TERMS], q[TERMS], x[TERMS];
    ctFour e1[3][TERMS], v1[TERMS], w1[TERMS], q1[3][TERMS]; // 1: components turned by one
} Work;

// ---- vectors ------------------------------------------------------------------------------------

static inline ctFour fourOf(ctVec3 a)
{
    return (ctFour){a.x, a.y, a.z, 0.0};
}

static inline ctFour turned(ctFour a)
{
    return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}

static inline double sumOf(ctFour a)
{
    return a[0] + a[1] + a[2];
}

static inline ctFour cross(ctFour a, ctFour b)
{
    return turned(a * turned(b) - turned(a) * b);
}

static inline ctFour inBody(const Work *k, ctVec3 a, int o)
{
    return a.x * k->e[0][o] + a.y * k->e[1][o] + a.z * k->e[2][o];
}

// ---- what is constant ---------------------------------------------------------------------------

static bool isPlainCorner(const ctSystemPoint *p)
{
    bool plain = p->onA.kind == ct_guidePoint && p->onA.round == 0.0 && p->grounded && p->bare;
    return plain && !ctPoint_Resists(p) && p->mode == ct_pointSlip;
}

bool ctSystem_IsOnCorners(const ctSystem *s)
{
    const ctSystemPoint *first[CT_SYSTEM_MOVABLE] = {NULL};
    int counts[CT_SYSTEM_MOVABLE] = {0}, bearing = 0;
    bool alike[CT_SYSTEM_MOVABLE], suits = true;
    for (int i = 0; i < s->movable && suits; i++) {
        suits = ctDrive_IsNone(&s->bodies[i].drive);
        alike[i] = true;
    }
    for (int i = 0; i < s->pointCount && suits; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode == ct_pointOpen) {
            continue;
        }
        suits = isPlainCorner(p);
        if (suits) {
            first[p->a] = first[p->a] == NULL ? p : first[p->a];
            alike[p->a] = alike[p->a] && ctDistance(p->n, first[p->a]->n) == 0.0;
            counts[p->a]++;
            bearing++;
        }
    }
    for (int i = 0; i < s->movable && suits; i++) {
        suits = counts[i] <= (alike[i] ? CT_SERIES_POINTS : MOST_UNKNOWNS);
    }
    return suits && bearing > 0;
}

// Where slip is about to begin its direction has no series: it is fixed, if that is right.
static void addCorner(const ctSystem *s, Work *k, const ctSystemPoint *p)
{
    Corner *c = &k->corners[k->count++];
    ctVec3 slip = ctPoint_Slip(p);
    c->p = p;
    c->r = fourOf(p->onA.p);
    c->un = ctDot(p->u, p->n);
    c->n[0] = inBody(k, p->n, 0);
    c->steered = !p->held && !p->last && ctLength(slip) > ctSystem_NoSlip(s) && ctDot(slip, p->startDir) > 0.0;
    c->begins = !c->steered && !p->held && !p->last && p->friction > 0.0;
    c->toward = c->steered ? ctZero3() : ctNormalize(ctPoint_Across(p, p->startDir));
}

// Loads that are linear in place.
static bool shareLoads(Work *k)
{
    ctFour centre = {0.0};
    double square = 0.0;
    for (int i = 0; i < k->count; i++) {
        centre += k->corners[i].r;
    }
    centre *= 1.0 / k->count;
    ctVec3 x, y;
    ctFrameFromNormal(ctVec3FromFour(k->corners[0].n[0]), &x, &y);
    for (int i = 0; i < k->count; i++) {
        square += ctLengthSquared(ctVec3FromFour(k->corners[i].r - centre));
    }
    double inv = 1.0 / sqrt(square / k->count);
    for (int i = 0; i < k->count; i++) {
        ctVec3 arm = ctScale(inv, ctVec3FromFour(k->corners[i].r - centre));
        k->unknowns[0].weights[i] = 1.0;
        k->unknowns[1].weights[i] = ctDot(arm, x);
        k->unknowns[2].weights[i] = ctDot(arm, y);
    }
    return square > 0.0;
}

static bool setUnknowns(Work *k)
{
    k->unknownCount = k->count < MOST_UNKNOWNS ? k->count : MOST_UNKNOWNS;
    for (int l = 0; l < k->unknownCount; l++) {
        Unknown *u = &k->unknowns[l];
        memset(u->weights, 0, sizeof u->weights);
        u->weights[l] = 1.0;
        u->n = k->corners[l].n;
    }
    if (k->count > MOST_UNKNOWNS && !shareLoads(k)) {
        return false;
    }
    for (int l = 0; l < k->unknownCount; l++) {
        Unknown *u = &k->unknowns[l];
        u->sum = 0.0;
        u->arm = (ctFour){0.0};
        for (int i = 0; i < k->count; i++) {
            u->sum += u->weights[i];
            u->arm += u->weights[i] * k->corners[i].r;
        }
        u->u[0] = u->sum * k->v[0] + cross(k->w[0], u->arm);
    }
    return true;
}

// The response of the velocities along the normals to the unknowns, inverted. False where that is nearly singular.
static bool respond(Work *k)
{
    int n = k->unknownCount;
    double a[MOST_UNKNOWNS][MOST_UNKNOWNS] = {{0.0}}, most = 0.0;
    for (int l = 0; l < n; l++) {
        Unknown *u = &k->unknowns[l];
        ctFour force = {0.0}, torque = {0.0};
        for (int i = 0; i < k->count; i++) {
            ctFour f = u->weights[i] * k->corners[i].d[0];
            force += f;
            torque += cross(k->corners[i].r, f);
        }
        u->push = k->invMass * force;
        u->twist = k->inverse * torque;
    }
    for (int l = 0; l < n; l++) {
        for (int m = 0; m < n; m++) {
            const Unknown *u = &k->unknowns[l], *by = &k->unknowns[m];
            a[l][m] = sumOf(u->n[0] * (u->sum * by->push + cross(by->twist, u->arm)));
        }
        most = ctFmax(most, fabs(a[l][l]));
    }
    if (n == 0) {
        return true; // it flies
    }
    for (int l = n; l < MOST_UNKNOWNS; l++) {
        a[l][l] = most;
    }
    ctMat3 m = ctMat3Columns(ctV3(a[0][0], a[1][0], a[2][0]), ctV3(a[0][1], a[1][1], a[2][1]),
                             ctV3(a[0][2], a[1][2], a[2][2]));
    double det = ctDeterminant(m);
    if (!(fabs(det) > SINGULAR * most * most * most) || !isfinite(det)) {
        return false;
    }
    ctMat3 inverse = ctInverse(m);
    for (int l = 0; l < n; l++) {
        ctVec3 row = ctMulTMV(inverse, ctV3(l == 0, l == 1, l == 2));
        k->unknowns[l].row[0] = row.x;
        k->unknowns[l].row[1] = row.y;
        k->unknowns[l].row[2] = row.z;
    }
    return true;
}

// ---- one order ----------------------------------------------------------------------------------

static void setOrder(Work *k, int o)
{
    ctFour q = k->q[o];
    k->v1[o] = turned(k->v[o]);
    k->w1[o] = turned(k->w[o]);
    for (int j = 0; j < 3; j++) {
        k->e1[j][o] = turned(k->e[j][o]);
    }
    k->q1[0][o] = (ctFour){-q[1], q[0], q[3], -q[2]};
    k->q1[1][o] = (ctFour){-q[2], -q[3], q[0], q[1]};
    k->q1[2][o] = (ctFour){-q[3], q[2], -q[1], q[0]};
}

// The direction of slip, u / |u|.
static void steer(Corner *c, int o)
{
    ctFour square = {0.0}, rest = c->slip[o];
    double inner = 0.0;
    for (int j = 0; j <= o; j++) {
        square += c->slip[j] * c->slip[o - j];
    }
    for (int j = 1; j < o; j++) {
        inner += c->speed[j] * c->speed[o - j];
    }
    c->speed[o] = o == 0 ? sqrt(sumOf(square)) : (sumOf(square) - inner) / (2.0 * c->speed[0]);
    for (int j = 1; j <= o; j++) {
        rest -= c->speed[j] * c->dir[o - j];
    }
    c->dir[o] = rest / c->speed[0];
}

// A corner at an order, with its force but for what its load of this order adds.
static void placeCorner(const Work *k, Corner *c, int o)
{
    ctFour sum = {0.0};
    c->slip[o] = k->v[o] + cross(k->w[o], c->r) - c->un * c->n[o];
    c->d[o] = c->n[o];
    if (c->p->friction > 0.0) {
        if (c->steered) {
            steer(c, o);
        } else {
            c->dir[o] = inBody(k, c->toward, o);
        }
        c->d[o] -= c->p->friction * c->dir[o];
    }
    for (int j = 0; j < o; j++) {
        sum += c->load[j] * c->d[o - j];
    }
    c->force[o] = sum;
}

// The next order without what the loads of this one add.
static void goOn(Work *k, int o)
{
    ctFour a = {0.0}, b = {0.0}, c = {0.0}, d = {0.0}, ww = {0.0}, force = {0.0}, torque = {0.0};
    for (int i = 0; i < k->count; i++) {
        force += k->corners[i].force[o];
        torque += cross(k->corners[i].r, k->corners[i].force[o]);
    }
    for (int j = 0; j <= o; j++) {
        ctFour w = k->w[o - j], w1 = k->w1[o - j];
        a += k->e[0][j] * w1 - k->e1[0][j] * w;
        b += k->e[1][j] * w1 - k->e1[1][j] * w;
        c += k->e[2][j] * w1 - k->e1[2][j] * w;
        d += k->v[j] * w1 - k->v1[j] * w;
        ww += k->w[j] * w1;
    }
    double inv = 1.0 / (o + 1);
    k->e[0][o + 1] = inv * turned(a);
    k->e[1][o + 1] = inv * turned(b);
    k->e[2][o + 1] = inv * turned(c);
    k->v[o + 1] = inv * (turned(d) + inBody(k, k->pull, o) + k->invMass * force);
    k->w[o + 1] = inv * (k->gyro * turned(ww) + k->inverse * torque);
    for (int i = 0; i < k->count; i++) {
        k->corners[i].n[o + 1] = inBody(k, k->corners[i].p->n, o + 1);
    }
}

// Finds the loads of an order, and with them the velocities of the next one.
static void findLoads(Work *k, int o)
{
    double rest[MOST_UNKNOWNS] = {0.0};
    for (int l = 0; l < k->unknownCount; l++) {
        Unknown *u = &k->unknowns[l];
        ctFour sum = {0.0};
        u->u[o + 1] = u->sum * k->v[o + 1] + cross(k->w[o + 1], u->arm);
        for (int j = 0; j <= o + 1; j++) {
            sum += u->n[j] * u->u[o + 1 - j];
        }
        rest[l] = sumOf(sum);
    }
    for (int i = 0; i < k->count; i++) {
        k->corners[i].load[o] = 0.0;
    }
    for (int l = 0; l < k->unknownCount; l++) {
        const Unknown *u = &k->unknowns[l];
        double by = -(u->row[0] * rest[0] + u->row[1] * rest[1] + u->row[2] * rest[2]);
        k->v[o + 1] += by * u->push;
        k->w[o + 1] += by * u->twist;
        for (int i = 0; i < k->count; i++) {
            k->corners[i].load[o] += (o + 1) * by * u->weights[i];
        }
    }
    for (int l = 0; l < k->unknownCount; l++) {
        Unknown *u = &k->unknowns[l];
        u->u[o + 1] = u->sum * k->v[o + 1] + cross(k->w[o + 1], u->arm);
    }
    for (int i = 0; i < k->count; i++) {
        k->corners[i].force[o] += k->corners[i].load[o] * k->corners[i].d[0];
    }
}

// What nothing else depends on: place, orientation, and the work of friction.
static void follow(Work *k, int o)
{
    ctFour x = {0.0}, y = {0.0}, z = {0.0}, q = {0.0}, work = {0.0};
    for (int j = 0; j <= o; j++) {
        ctFour v = k->v[o - j], w = k->w[o - j];
        x += k->e[0][j] * v;
        y += k->e[1][j] * v;
        z += k->e[2][j] * v;
        q += w[0] * k->q1[0][j] + w[1] * k->q1[1][j] + w[2] * k->q1[2][j];
    }
    for (int i = 0; i < k->count; i++) {
        const Corner *c = &k->corners[i];
        for (int j = 0; j <= o; j++) {
            work += c->force[j] * c->slip[o - j];
        }
    }
    double inv = 1.0 / (o + 1);
    k->x[o + 1] = inv * (ctFour){sumOf(x), sumOf(y), sumOf(z), 0.0};
    k->q[o + 1] = 0.5 * inv * q;
    k->work[o + 1] = inv * sumOf(work);
}

static void begin(const ctSystem *s, int body, Work *k)
{
    const ctSystemBody *b = &s->bodies[body];
    ctVec3 m = b->inertia;
    ctQuat q = ctSystem_GetQ(s->y, body);
    ctMat3 r = ctMat3FromQuat(q);
    k->body = body;
    k->count = 0;
    k->invMass = 1.0 / b->mass;
    k->pull = ctSystem_Pull(s, body);
    k->inverse = (ctFour){1.0 / m.x, 1.0 / m.y, 1.0 / m.z, 0.0};
    k->gyro = (ctFour){(m.y - m.z) / m.x, (m.z - m.x) / m.y, (m.x - m.y) / m.z, 0.0};
    k->e[0][0] = fourOf(ctMulTMV(r, ctV3(1.0, 0.0, 0.0)));
    k->e[1][0] = fourOf(ctMulTMV(r, ctV3(0.0, 1.0, 0.0)));
    k->e[2][0] = fourOf(ctMulTMV(r, ctV3(0.0, 0.0, 1.0)));
    k->x[0] = fourOf(ctSystem_Get(s->y, body, ct_systemX));
    k->v[0] = fourOf(ctMulTMV(r, ctSystem_Get(s->y, body, ct_systemV)));
    k->w[0] = fourOf(ctMulTMV(r, ctSystem_Get(s->y, body, ct_systemW)));
    k->q[0] = (ctFour){q.w, q.x, q.y, q.z};
    k->work[0] = 0.0;
    for (int i = 0; i < s->pointCount; i++) {
        if (s->points[i].mode != ct_pointOpen && s->points[i].a == body) {
            addCorner(s, k, &s->points[i]);
        }
    }
}

// ---- lengths ------------------------------------------------------------------------------------

// A term as a share of what errors are measured by.
static double sizeOf(const ctSystem *s, const Work *k, int o)
{
    double r = ctFmin(s->bodies[k->body].radius, s->size), speed = s->speed;
    ctFour q = k->q[o] * k->q[o];
    double v = sqrt(sumOf(k->v[o] * k->v[o])) / speed, w = sqrt(sumOf(k->w[o] * k->w[o])) * r / speed;
    return ctFmax(ctFmax(v, w), sqrt(q[0] + q[1] + q[2] + q[3]));
}

static double rootOf(double x, int n)
{
    return x > 0.0 ? ctPow(x, 1.0 / n) : 0.0;
}

// Whether slip that begins keeps its direction for a time.
static bool isStraight(const Corner *c, double time)
{
    bool straight = true;
    for (int half = 1; half <= 2 && c->begins; half++) {
        double t = 0.5 * half * time;
        ctFour slip = {0.0}, dir = {0.0};
        for (int o = CT_SERIES_DEGREE - 1; o >= 0; o--) {
            slip = slip * t + c->slip[o];
            dir = dir * t + c->dir[o];
        }
        straight = straight && ctLength(ctCross(ctVec3FromFour(slip), ctVec3FromFour(dir))) <=
                                   CT_TURNED * ctLength(ctVec3FromFour(slip));
    }
    return straight;
}

// How long the series of a body may be followed. False where it cannot. Lengths are found as shares of the longest
// one: roots are of numbers without units, and the same at every size.
static bool measure(const ctSystem *s, const Work *k, double *length, double *part)
{
    double worst = 1.0, fifth = 0.0, power = 1.0, allowed = LAST_TERMS * s->tolerance, sizes[TERMS];
    for (int o = 0; o < TERMS; o++, power *= s->longest) {
        sizes[o] = power * sizeOf(s, k, o);
    }
    for (int o = CT_SERIES_DEGREE - 1; o <= CT_SERIES_DEGREE; o++) {
        worst = ctFmax(worst, rootOf(sizes[o] / allowed, o));
    }
    power = 1.0;
    for (int o = 5; o <= CT_SERIES_DEGREE; o++, power /= worst) {
        double binomial = o * (o - 1) * (o - 2) * (o - 3) * (o - 4) / 120.0;
        fifth += binomial * power * sizes[o];
    }
    *length = s->longest / worst;
    *part = s->longest / rootOf(BETWEEN * fifth / s->tolerance, 5);
    bool straight = true;
    for (int i = 0; i < k->count; i++) {
        straight = straight && isStraight(&k->corners[i], *length);
    }
    return isfinite(worst) && isfinite(fifth) && straight;
}

static void store(const ctSystem *s, const Work *k, ctSeries *z)
{
    for (int o = 0; o < TERMS; o++) {
        *(ctFourAt *)z->x[k->body][o] = k->x[o];
        *(ctFourAt *)z->v[k->body][o] = k->v[o];
        *(ctFourAt *)z->w[k->body][o] = k->w[o];
        *(ctFourAt *)z->q[k->body][o] = k->q[o];
        z->work[o] += k->work[o];
    }
    for (int i = 0; i < k->count; i++, z->count++) {
        z->points[z->count] = (int)(k->corners[i].p - s->points);
        for (int o = 0; o < CT_SERIES_DEGREE; o++) {
            *(ctFourAt *)z->forces[z->count][o] = k->corners[i].force[o];
        }
    }
}

// Finds the series of a body.
static bool expand(const ctSystem *s, int body, Work *k)
{
    begin(s, body, k);
    for (int o = 0; o < CT_SERIES_DEGREE; o++) {
        setOrder(k, o);
        for (int i = 0; i < k->count; i++) {
            placeCorner(k, &k->corners[i], o);
        }
        if (o == 0 && !(setUnknowns(k) && respond(k))) {
            return false;
        }
        goOn(k, o);
        findLoads(k, o);
        follow(k, o);
    }
    return true;
}

bool ctSystem_Expand(ctSystem *s)
{
    ctSeries *z = &s->series;
    if (z->known) {
        return z->length > 0.0;
    }
    double length = INFINITY, part = INFINITY, own, ownPart;
    z->known = true;
    z->length = 0.0;
    z->count = 0;
    memset(z->work, 0, sizeof z->work);
    z->work[0] = s->y[ct_systemBody * s->movable];
    for (int i = 0; i < s->movable; i++) {
        Work k;
        if (!expand(s, i, &k) || !measure(s, &k, &own, &ownPart)) {
            return false;
        }
        store(s, &k, z);
        length = ctFmin(length, own);
        part = ctFmin(part, ownPart);
    }
    z->length = length;
    z->part = part;
    return true;
}
