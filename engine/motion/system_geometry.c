// Points of contact of a system: where they are, and how their velocities change while nothing pushes.
//
// Two features of bodies a and b give the normal n (from b to a), the place p of the point and the gap; and, with the
// velocities and spins of both bodies, the rates n' and p' of the first two, where p' is the velocity of the point of
// contact, which runs along both surfaces, and not that of any matter. The velocity of a relative to b there is
//     u = v_a + w_a x (p - x_a) - v_b - w_b x (p - x_b),
// and without contact forces it changes by
//     c = a_a + alpha_a x (p - x_a) + w_a x (p' - v_a) - (the same for b),
// its normal part by n.c + n'.u.
//
// A smooth surface on a face touches where it reaches farthest along d = -n: the circle of radius R about an axis at
// R h/|h|, h the part of d across the axis; an ellipsoid with the form D (squares of its semi-axes) at p = D d / s,
// s = sqrt(d.Dd), which changes by (D d' - p (p.d')) / s.
#include "engine/motion/system_internal.h"

// A body's point or direction and its rate.
typedef struct Moving {
    ctVec3 x, rate;
} Moving;

static inline Moving placeOf(const ctSystemPose *b, ctVec3 p)
{
    ctVec3 arm = ctMulMV(b->r, p);
    return (Moving){ctAdd(b->x, arm), ctVelocityAt(b->v, b->w, arm)};
}

static Moving directionOf(const ctSystemPose *b, ctVec3 d)
{
    ctVec3 x = ctMulMV(b->r, d);
    return (Moving){x, ctCross(b->w, x)};
}

static Moving minus(Moving a, Moving b)
{
    return (Moving){ctSub(a.x, b.x), ctSub(a.rate, b.rate)};
}

static Moving plus(Moving a, double s, double rate, Moving b)
{
    return (Moving){ctMulAdd(a.x, s, b.x), ctMulAdd(ctMulAdd(a.rate, s, b.rate), rate, b.x)};
}

static Moving unitOf(Moving a, double *length)
{
    *length = ctLength(a.x);
    double inv = *length > 0.0 ? 1.0 / *length : 0.0; // a rim that lies flat: none of it is lowest
    ctVec3 n = ctScale(inv, a.x);
    return (Moving){n, ctScale(inv, ctMulAdd(a.rate, -ctDot(n, a.rate), n))};
}

// The direction from the axis of a rim to its lowest point, in the axes of a. d: down; rate: how it changes. Where the
// rim is flat all of it is lowest: it then touches at its edge, a direction that b carries along. A step that takes a
// rim through flat goes on with the same side of it, at a negative tilt: so forces do not jump within the step.
static Moving lowestOn(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, ctVec3 d, ctVec3 rate)
{
    ctVec3 axis = c->onA.d;
    Moving h = {ctMulAdd(d, -ctDot(d, axis), axis), ctMulAdd(rate, -ctDot(rate, axis), axis)};
    double length;
    c->sine = ctLength(h.x);
    c->sineRate = c->sine > 0.0 ? ctDot(h.x, h.rate) / c->sine : 0.0;
    c->low = c->sine > 0.0 ? ctMulMV(a->r, ctScale(1.0 / c->sine, h.x)) : ctZero3();
    if (ctDot(c->low, c->startLow) < 0.0) {
        c->sine = -c->sine;
        c->low = ctNeg(c->low);
        c->sineRate = -c->sineRate;
        h = (Moving){ctNeg(h.x), ctNeg(h.rate)};
    } else if (c->sine < CT_FLAT_RIM && ctLengthSquared(c->edge) > 0.0) {
        ctVec3 e = ctMulMV(b->r, c->edge);
        d = ctMulTMV(a->r, e);
        rate = ctMulTMV(a->r, ctCross(ctSub(b->w, a->w), e));
        h = (Moving){ctMulAdd(d, -ctDot(d, axis), axis), ctMulAdd(rate, -ctDot(rate, axis), axis)};
    }
    return unitOf(h, &length);
}

// The point of a smooth feature of a that is farthest against n.
static Moving lowestOf(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving n)
{
    const ctGuide *f = &c->onA;
    if (f->kind == ct_guidePoint || f->kind == ct_guideRing) {
        return placeOf(a, f->p);
    }
    // In the body's axes, where the feature does not move.
    ctVec3 d = ctNeg(ctMulTMV(a->r, n.x)), rate = ctNeg(ctMulTMV(a->r, ctSub(n.rate, ctCross(a->w, n.x)))), p, run;
    if (f->kind == ct_guideEllipsoid) {
        ctVec3 form = ctMulMV(f->form, d);
        double inv = 1.0 / sqrt(ctDot(d, form));
        p = ctScale(inv, form);
        run = ctScale(inv, ctMulAdd(ctMulMV(f->form, rate), -ctDot(p, rate), p));
    } else {
        Moving h = lowestOn(a, b, c, d, rate);
        p = ctScale(f->radius, h.x);
        run = ctScale(f->radius, h.rate);
    }
    Moving at = placeOf(a, ctAdd(f->p, p));
    at.rate = ctAdd(at.rate, ctMulMV(a->r, run));
    return at;
}

static void onFace(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    *n = directionOf(b, c->onB.d);
    *p = plus(lowestOf(a, b, c, *n), -c->onA.round, 0.0, *n);
    c->gap = ctDot(n->x, ctSub(p->x, placeOf(b, c->onB.p).x)) - c->onB.round;
    c->reach = INFINITY;
}

static void onPoint(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    Moving from = placeOf(a, c->onA.p);
    double length;
    *n = unitOf(minus(from, placeOf(b, c->onB.p)), &length);
    *p = plus(from, -c->onA.round, 0.0, *n);
    c->gap = length - c->onA.round - c->onB.round;
    c->reach = INFINITY;
}

static void onLine(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    Moving from = placeOf(a, c->onA.p), way = minus(from, placeOf(b, c->onB.p)), d = directionOf(b, c->onB.d);
    double sine = c->onB.slope, cosine = sqrt(1.0 - sine * sine);
    double along = ctDot(way.x, d.x), rate = ctDot(way.rate, d.x) + ctDot(way.x, d.rate), length;
    Moving out = unitOf(plus(way, -along, -rate, d), &length);
    *n = sine == 0.0 ? out : plus((Moving){ctScale(cosine, out.x), ctScale(cosine, out.rate)}, sine, 0.0, d);
    *p = plus(from, -c->onA.round, 0.0, *n);
    c->gap = cosine * length + sine * along - c->onA.round - c->onB.round;
    c->reach = c->onB.half - fabs(cosine * along - sine * length - c->onB.shift);
}

// A ball at a rim: nearest is the point of the circle in the half plane of its centre.
static void onRim(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    Moving from = placeOf(a, c->onA.p), way = minus(from, placeOf(b, c->onB.p)), axis = directionOf(b, c->onB.d);
    double along = ctDot(way.x, axis.x), rate = ctDot(way.rate, axis.x) + ctDot(way.x, axis.rate), length;
    Moving out = unitOf(plus(way, -along, -rate, axis), &length);
    *n = unitOf(plus(way, -c->onB.radius, 0.0, out), &length);
    *p = plus(from, -c->onA.round, 0.0, *n);
    c->gap = length - c->onA.round - c->onB.round;
    c->reach = INFINITY;
}

static Moving crossOf(Moving a, Moving b)
{
    return (Moving){ctCross(a.x, b.x), ctAdd(ctCross(a.rate, b.x), ctCross(a.x, b.rate))};
}

static double dotRate(Moving a, Moving b)
{
    return ctDot(a.rate, b.x) + ctDot(a.x, b.rate);
}

// The normal with given sines along two axes: x a + y b + z (a x b).
static Moving normalOf(Moving a, double along, Moving b, double beside, double side)
{
    Moving across = crossOf(a, b);
    double c = ctDot(a.x, b.x), rate = dotRate(a, b), square = 1.0 - c * c;
    double x = (along - c * beside) / square, y = (beside - c * along) / square;
    double xRate = rate * (2.0 * c * x - beside) / square, yRate = rate * (2.0 * c * y - along) / square;
    double rest = 1.0 - along * x - beside * y, z = side * sqrt(ctFmax(rest, CT_NEGLIGIBLE) / square);
    double zRate =
        0.5 * z * ((-along * xRate - beside * yRate) / ctFmax(rest, CT_NEGLIGIBLE) + 2.0 * c * rate / square);
    return plus(plus(plus((Moving){ctZero3(), ctZero3()}, x, xRate, a), y, yRate, b), z, zRate, across);
}

// The line along which a side touches, out: the normal away from it. d: the axis.
static Moving alongSide(const ctGuide *g, Moving d, Moving out)
{
    double length;
    return g->slope == 0.0 ? d : unitOf(plus(d, -g->slope, 0.0, out), &length);
}

static void onCrossing(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    Moving da = directionOf(a, c->onA.d), db = directionOf(b, c->onB.d), from = placeOf(a, c->onA.p);
    Moving way = minus(from, placeOf(b, c->onB.p)), across = crossOf(da, db);
    double length;
    across.x = ctScale(c->side, across.x);
    across.rate = ctScale(c->side, across.rate);
    if (c->onA.slope == 0.0 && c->onB.slope == 0.0) {
        *n = unitOf(across, &length);
    } else {
        *n = normalOf(da, -c->onA.slope, db, c->onB.slope, c->side);
        da = alongSide(&c->onA, da, (Moving){ctNeg(n->x), ctNeg(n->rate)});
        db = alongSide(&c->onB, db, *n);
    }
    double cosine = ctDot(da.x, db.x), cosineRate = dotRate(da, db);
    double d = ctDot(da.x, way.x), e = ctDot(db.x, way.x), square = 1.0 - cosine * cosine;
    double dRate = dotRate(da, way), eRate = dotRate(db, way);
    double s = (cosine * e - d) / square, t = (e - cosine * d) / square;
    double sRate = (cosineRate * e + cosine * eRate - dRate + 2.0 * s * cosine * cosineRate) / square;
    *p = plus(plus(from, s, sRate, da), -c->onA.round, 0.0, *n);
    c->gap = ctDot(n->x, way.x) - c->onA.round - c->onB.round;
    c->reach = ctFmin(c->onA.half - fabs(s - c->onA.shift), c->onB.half - fabs(t - c->onB.shift));
}

static bool isSmooth(const ctGuide *g)
{
    return g->kind == ct_guideEllipsoid || g->kind == ct_guideRim;
}

static void onSmooth(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c, Moving *n, Moving *p)
{
    ctSmooth m;
    ctSmooth_Place(a, b, c, &m);
    *n = (Moving){m.n, m.nRate};
    *p = plus((Moving){m.place, m.placeRate}, -c->onA.round, 0.0, *n);
}

// How a ring is tilted and turns. On its face the relative spin is along the normal, which turns with b.
static void placeRing(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c)
{
    double r = c->onA.radius;
    ctVec3 w = ctSub(a->w, b->w), follow = ctScale(ctDot(w, c->n), ctCross(b->w, c->n));
    c->tilt = ctScale(r, ctCross(directionOf(a, c->onA.d).x, c->n));
    c->turn = ctScale(r, w);
    c->turnCurve = ctScale(r, ctSub(ctSub(a->alpha, b->alpha), follow));
}

static bool isBelt(ctVec3 belt, ctVec3 spin)
{
    return ctLengthSquared(belt) + ctLengthSquared(spin) > 0.0;
}

ctVec3 ctPoint_BeltAt(const ctSystemPose *ground, const ctSystemPoint *c)
{
    return ctPoint_Across(c, ctVelocityAt(ground->belt, ground->beltSpin, ctSub(c->at, ground->x)));
}

// Takes the motion of a belt out of the slip of a point, and out of its rate. side: 1 for the belt of b, -1 for that of
// a; n, p: the normal and the place with their rates. The belt turns with its body; its part across the normal counts,
// whose rate across the normal is (B' - (B.n) n').
static void slipOnBelt(const ctSystemPose *ground, ctSystemPoint *c, double side, Moving n, Moving p)
{
    ctVec3 arm = ctSub(p.x, ground->x), spin = ground->beltSpin;
    ctVec3 b = ctVelocityAt(ground->belt, spin, arm), across = ctPoint_Across(c, b);
    ctVec3 rate = ctAdd(ctCross(ground->w, ground->belt), ctCross(ctCross(ground->w, spin), arm));
    rate = ctMulAdd(ctAdd(rate, ctCross(spin, ctSub(p.rate, ground->v))), -ctDot(b, n.x), n.rate);
    c->u = ctMulAdd(c->u, -side, across);
    c->curve = ctMulAdd(c->curve, -side, ctPoint_Across(c, rate));
    if (ctPoint_IsRing(c)) {
        c->turn = ctMulAdd(c->turn, -side * c->onA.radius * ctDot(spin, c->n), c->n);
    }
}

// A corner, a rim, a ring or an ellipsoid over a face that does not move: the normal is constant.
static void placeOverGround(const ctSystemPose *a, const ctSystemPose *b, ctSystemPoint *c)
{
    Moving n = {c->n, ctZero3()}, p;
    if (c->onA.kind == ct_guidePoint) {
        p = placeOf(a, c->onA.p);
    } else {
        p = lowestOf(a, b, c, n);
    }
    p.x = ctMulAdd(p.x, -c->onA.round, c->n);
    ctVec3 ra = ctSub(p.x, a->x);
    c->at = p.x;
    c->gap = ctDot(c->n, ctSub(p.x, c->foot)) - c->onB.round;
    c->reach = INFINITY;
    c->way = p.rate;
    c->nRate = ctZero3();
    c->u = ctAdd(a->v, ctCross(a->w, ra));
    c->curve = ctAdd(ctAdd(a->a, ctCross(a->alpha, ra)), ctCross(a->w, ctSub(p.rate, a->v)));
    c->un = ctDot(c->n, c->u);
    c->bend = ctDot(c->n, c->curve);
    if (!c->bare && isBelt(b->belt, b->beltSpin)) {
        slipOnBelt(b, c, 1.0, n, p);
    }
}

void ctSystem_PlacePoint(const ctSystem *s, ctSystemPoint *c)
{
    const ctSystemPose *a = &s->poses[c->a], *b = &s->poses[c->b];
    if (ctPoint_IsRing(c)) {
        c->n = directionOf(b, c->onB.d).x;
        placeRing(a, b, c);
        if (c->region != NULL) {
            ctRegion_Place(s, c);
        }
    }
    if (c->grounded) {
        placeOverGround(a, b, c);
        return;
    }
    Moving n, p;
    if (c->onB.kind == ct_guideFace) {
        onFace(a, b, c, &n, &p);
    } else if (c->onA.kind == ct_guidePoint && c->onB.kind == ct_guideRim) {
        onRim(a, b, c, &n, &p);
    } else if (isSmooth(&c->onA) || isSmooth(&c->onB)) {
        onSmooth(a, b, c, &n, &p);
    } else if (c->onA.kind == ct_guideLine) {
        onCrossing(a, b, c, &n, &p);
    } else if (c->onB.kind == ct_guideLine) {
        onLine(a, b, c, &n, &p);
    } else {
        onPoint(a, b, c, &n, &p);
    }
    c->n = n.x;
    c->nRate = n.rate;
    c->at = p.x;
    ctVec3 ra = ctSub(p.x, a->x), rb = ctSub(p.x, b->x);
    ctVec3 under = ctVelocityAt(b->v, b->w, rb);
    c->u = ctSub(ctVelocityAt(a->v, a->w, ra), under);
    c->way = ctSub(p.rate, under);
    ctVec3 ca = ctAdd(ctAdd(a->a, ctCross(a->alpha, ra)), ctCross(a->w, ctSub(p.rate, a->v)));
    ctVec3 cb = ctAdd(ctAdd(b->a, ctCross(b->alpha, rb)), ctCross(b->w, ctSub(p.rate, b->v)));
    c->curve = ctSub(ca, cb);
    c->un = ctDot(n.x, c->u);
    c->bend = ctDot(n.x, c->curve) + ctDot(n.rate, c->u);
    if (!c->bare && isBelt(b->belt, b->beltSpin)) {
        slipOnBelt(b, c, 1.0, n, p);
    }
    if (!c->bare && isBelt(a->belt, a->beltSpin)) {
        slipOnBelt(a, c, -1.0, n, p);
    }
}

static bool isStill(const ctSystemBody *ground)
{
    return ground->path == NULL && ctLengthSquared(ground->v) + ctLengthSquared(ground->w) == 0.0;
}

static void placeGround(const ctSystemBody *b, double time, ctSystemPose *pose)
{
    if (b->path != NULL) {
        ctPathState at = ctPath_At(b->path, b->center, b->pathTime + time);
        pose->x = at.x;
        pose->v = at.v;
        pose->w = at.w;
        pose->a = at.a;
        pose->alpha = at.alpha;
        pose->r = ctMat3FromQuat(at.q);
    } else {
        bool turns = ctLengthSquared(b->w) > 0.0;
        pose->x = ctMulAdd(b->x, time, b->v);
        pose->v = b->v;
        pose->w = b->w;
        pose->a = pose->alpha = ctZero3();
        pose->r = ctMat3FromQuat(turns ? ctMulQ(ctQuatExp(ctScale(time, b->w)), b->q) : b->q);
    }
    pose->belt = ctMulMV(pose->r, b->belt);
    pose->beltSpin = ctMulMV(pose->r, b->beltSpin);
    pose->inverse = ctMat3Zero();
    pose->invMass = 0.0;
}

void ctSystem_PlaceMovable(ctSystem *s, int index, double time, const double *y)
{
    const ctSystemBody *b = &s->bodies[index];
    ctSystemPose *pose = &s->poses[index];
    pose->time = time;
    pose->known = true;
    ctVec3 i = b->inertia, inverse = ctV3(1.0 / i.x, 1.0 / i.y, 1.0 / i.z);
    ctQuat turn = pose->turn = ctSystem_Turn(s->spins[index], time - s->base);
    pose->x = ctSystem_Get(y, index, ct_systemX);
    pose->v = ctSystem_Get(y, index, ct_systemV);
    pose->w = ctSystem_Get(y, index, ct_systemW);
    pose->r = ctMat3FromQuat(ctNormalizeQ(ctMulQ(turn, ctSystem_GetQ(y, index))));
    ctVec3 spin = ctMulTMV(pose->r, pose->w);
    pose->belt = pose->beltSpin = ctZero3();
    pose->a = ctSystem_Pull(s, index);
    pose->alpha = ctMulMV(pose->r, ctMul(inverse, ctCross(ctMul(i, spin), spin)));
    pose->inverse = ctRotateDiagonal(pose->r, inverse);
    pose->invMass = 1.0 / b->mass;
    if (!ctDrive_IsNone(&b->drive)) {
        pose->a = ctMulAdd(pose->a, -b->drive.drag, pose->v);
        pose->alpha = ctAdd(ctMulAdd(pose->alpha, -b->drive.turning, pose->w), ctMulMV(pose->inverse, b->drive.torque));
    }
}

static void placeBody(ctSystem *s, int index, double time, const double *y)
{
    ctSystemPose *pose = &s->poses[index];
    if (index < s->movable) {
        ctSystem_PlaceMovable(s, index, time, y);
    } else if (!pose->known || !(pose->still || time == pose->time)) {
        pose->time = time;
        pose->known = true;
        pose->still = isStill(&s->bodies[index]);
        placeGround(&s->bodies[index], time, pose);
    }
}

void ctSystem_FindGround(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *c = &s->points[i];
        const ctSystemBody *a = &s->bodies[c->a], *b = &s->bodies[c->b];
        ctSystemPose *pose = &s->poses[c->b];
        c->grounded = c->onB.kind == ct_guideFace && c->b >= s->movable && isStill(b);
        c->bare = !isBelt(a->belt, a->beltSpin) && !isBelt(b->belt, b->beltSpin);
        if (c->grounded) {
            placeBody(s, c->b, s->time, s->y);
            c->n = directionOf(pose, c->onB.d).x;
            c->foot = placeOf(pose, c->onB.p).x;
        }
    }
}

// Only the gap of a corner over a face that does not move, and its rate.
static void placeGap(const ctSystemPose *a, ctSystemPoint *c)
{
    ctVec3 arm = ctMulMV(a->r, c->onA.p);
    c->gap = ctDot(c->n, ctSub(ctAdd(a->x, arm), c->foot)) - c->onA.round - c->onB.round;
    c->un = ctDot(c->n, ctVelocityAt(a->v, a->w, arm));
}

static void place(ctSystem *s, double time, const double *y, bool all)
{
    for (int i = 0; i < s->bodyCount; i++) {
        placeBody(s, i, time, y);
    }
    for (int i = 0; i < s->pointCount; i++) {
        if ((all || ctPoint_IsClosed(&s->points[i])) && s->points[i].onA.kind != ct_guideSpoke) {
            ctSystem_PlacePoint(s, &s->points[i]);
        }
    }
}

void ctSystem_Place(ctSystem *s, double time, const double *y)
{
    place(s, time, y, true);
}

void ctSystem_PlaceClosed(ctSystem *s, double time, const double *y)
{
    place(s, time, y, false);
}

void ctSystem_PlaceGaps(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *c = &s->points[i];
        if (ctPoint_IsClosed(c) || c->onA.kind == ct_guideSpoke) {
            continue;
        }
        if (c->grounded && c->onA.kind == ct_guidePoint) {
            placeGap(&s->poses[c->a], c);
        } else {
            ctSystem_PlacePoint(s, c);
        }
    }
}
