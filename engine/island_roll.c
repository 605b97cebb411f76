// The step of an island of one body that rolls, slides or spins on one point of a flat ground at rest.
//
// Its contact is smooth, so that its motion is an ordinary differential equation (roll.c), which takes steps many times
// longer than those of island_step.c without loss of energy. Between two steps the body moves on a parabola, as bodies
// in contact do; its accelerations are extrapolated from the last step, so that it ends almost where the equations put
// it. Whatever is not smooth is left to the general step.
#include "engine/contact.h"
#include "engine/roll.h"

#include "collision/patch.h"
#include "collision/support.h"

#include <string.h>

// Turn of the point of contact around the body, or of the body, in one step, rad.
#define ROLL_PER_STEP 0.4
// A disc that is tilted by less (rad) may turn farther, by up to 1.4 times; by more, less.
#define STEEP 0.1
// Gap or overlap, as a share of the radius, at the end of a step, beyond which the next is shortened.
#define MISS 4e-4
// Gap or overlap, as a share of the radius, that a step may begin with; it is taken away at once.
#define NEAR 5e-3
// Turn (rad) in a step of the general kind of a disc that may pass through its flat pose: the lowest point is then
// somewhere else on its rim, between the points that are looked at.
#define FLAT_TURN 5e-3
// Points this near each other, as a share of the radius, are one.
#define TOGETHER 1e-3

// ---- the body and its ground ------------------------------------------------------------------

typedef struct Ground {
    ctVec3 n;
    double offset; // n.x = offset on its surface
    ctPatch patch; // world; a plane has none
    bool endless;
} Ground;

// The flat face that faces along n.
static bool findGround(const ctWorld *world, int index, int leaf, ctVec3 n, Ground *ground)
{
    const ctBody *body = &world->bodies[index];
    ground->endless = body->plane;
    if (body->plane) {
        ground->n = ctBody_PlaneNormal(world, body, &ground->offset);
        return true;
    }
    const ctShape *shape = ctBody_Shape(world, index);
    const ctLeaf *part = &shape->leaves[leaf];
    ctPose pose = ctBody_Pose(world, body);
    if (shape->leafCount > 1) {
        pose = (ctPose){ctPosePoint(&pose, part->pose.p), ctMulMM(pose.r, ctMat3FromQuat(part->pose.q))};
    }
    ctPatchOf(part->shape, ctMulTMV(pose.r, n), 0, &ground->patch);
    if (ground->patch.kind < ct_patchPolygon) {
        return false;
    }
    ctPatch_Move(&ground->patch, &pose.r, pose.p);
    ctVec3 on = ground->patch.kind == ct_patchDisc ? ground->patch.centre : ground->patch.p[0];
    ground->n = ground->patch.n;
    ground->offset = ctDot(ground->n, on) + part->shape->round;
    return ctDot(ground->n, n) > 0.999;
}

// Whether the face reaches farther than room (m) around the point.
static bool liesInside(const Ground *ground, ctVec3 p, double room)
{
    const ctPatch *patch = &ground->patch;
    if (ground->endless) {
        return true;
    }
    if (patch->kind == ct_patchDisc) {
        ctVec3 d = ctSub(p, patch->centre);
        return ctLength(ctMulAdd(d, -ctDot(d, patch->n), patch->n)) + room < patch->radius;
    }
    for (int i = 0; i < patch->count; i++) {
        ctVec3 edge = ctSub(patch->p[i + 1 < patch->count ? i + 1 : 0], patch->p[i]);
        double inward = ctDot(ctCross(patch->n, edge), ctSub(p, patch->p[i]));
        if (!(inward > room * ctLength(edge))) {
            return false;
        }
    }
    return true;
}

bool ctContact_StaysOnFace(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctVec3 way,
                           double room)
{
    Ground ground;
    int leaf = (int)point->leaf % ctBody_Shape(world, record->b)->leafCount;
    return world->bodies[record->b].mode == ct_modeFixed && findGround(world, record->b, leaf, point->n, &ground) &&
           liesInside(&ground, point->pointB, room) && liesInside(&ground, ctAdd(point->pointB, way), room);
}

bool ctContact_IsSmooth(const ctShape *shape)
{
    return shape->type == ct_shapeLathe || shape->type == ct_shapeEllipsoid || shape->type == ct_shapeSphere;
}

// The one place where the record bears, or -1: its lowest point. Where the lowest point of a rim is one of the fixed
// points beside it as well, there are two of them.
static int bearingPoint(const ctContactRecord *record, double near)
{
    int found = -1;
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *p = &record->points[i];
        if (!(ctLengthSquared(p->force) > 0.0)) {
            continue;
        }
        if (!p->known || (found >= 0 && ctDistance(p->pointA, record->points[found].pointA) > near)) {
            return -1;
        }
        found = found < 0 || p->gap < record->points[found].gap ? i : found;
    }
    return found;
}

static void setUp(const ctWorld *world, const ctContactRecord *record, const Ground *ground, double dt, ctRoller *b,
                  double *y)
{
    const ctContactBody *base = &world->contacts->bodies[record->a];
    const ctBodyInfo *info = &world->infos[record->a];
    ctPair pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    *b = (ctRoller){
        .shape = ctBody_Shape(world, record->a), .center = info->center, .n = ground->n, .offset = ground->offset};
    b->gravity = world->def.gravity;
    b->axes = info->inertia.axes;
    ctQuat f = info->inertia.frame;
    b->turned = f.x != 0.0 || f.y != 0.0 || f.z != 0.0;
    b->inertia = info->inertia.principal;
    b->inverse = info->inertia.inversePrincipal;
    b->mass = info->mass;
    b->friction = pair.friction;
    b->rolling = pair.rolling;
    b->spinning = pair.spinning;
    ctQuat q = b->turned ? ctMulQ(base->q, f) : base->q;
    memset(y, 0, ct_rollState * sizeof *y);
    ctRoll_Put(y, ct_rollX, base->x);
    ctRoll_Put(y, ct_rollV, base->v);
    ctRoll_Put(y, ct_rollW, ctInvRotate(q, base->w));
    ctRoll_PutOrientation(y, q);
    ctRoll_Begin(b, y, dt);
}

// ---- the step ---------------------------------------------------------------------------------

// How a body of revolution is tilted, in its frame: d and d' of the derivation, the length of d's part across the axis,
// and its rate.
typedef struct Tilt {
    ctVec3 d, rate;
    double rho, rhoRate;
} Tilt;

static Tilt tiltOf(const Ground *ground, const ctBody *body)
{
    Tilt t;
    t.d = ctInvRotate(body->q, ctNeg(ground->n));
    t.rate = ctInvRotate(body->q, ctCross(body->w, ground->n));
    t.rho = sqrt(t.d.x * t.d.x + t.d.y * t.d.y);
    t.rhoRate = t.rho > 0.0 ? (t.d.x * t.rate.x + t.d.y * t.rate.y) / t.rho : 0.0;
    return t;
}

// The longest step that follows the motion; 0 when that is too short. It is twice the last one, dt, at most, and less
// when that one missed the ground by some gap (m). A disc that sinks wobbles faster and faster.
static double nextLength(const ctWorld *world, const ctRoller *b, const Ground *ground, const ctBody *body, double gap,
                         double dt)
{
    double circling = ctLength(b->course) / ctLength(b->arm), turning = ctLength(body->w);
    double longest = fmin(2.0 * dt, CT_FALL_PER_STEP * sqrt(body->radius / ctLength(world->def.gravity)));
    Tilt t = tiltOf(ground, body);
    if (fabs(gap) > MISS * body->radius) {
        longest = fmin(longest, dt * cbrt(MISS * body->radius / fabs(gap)));
    }
    // A parabola misses the ground by the tilt times the third power of the turn.
    double flatter = b->shape->type == ct_shapeLathe ? fmax(fmin(cbrt(STEEP / t.rho), 1.4), 0.7) : 1.0;
    double least = ldexp(world->tickStep, -CT_MAX_HALVINGS), step = ldexp(world->tickStep, CT_DOUBLINGS);
    for (; step >= least; step *= 0.5) {
        double left = b->shape->type == ct_shapeLathe ? t.rho + 1.5 * step * fmin(t.rhoRate, 0.0) : t.rho;
        double faster = left > CT_ROLL_FLAT ? (t.rho / left) * (t.rho / left) : INFINITY;
        bool follows = fmax(circling * (t.rho > 0.0 ? faster : 1.0), turning) * step <= ROLL_PER_STEP * flatter;
        if (follows && step <= world->def.frameTime && (step <= longest || step == least)) {
            return step;
        }
    }
    return 0.0;
}

// Whether for so long nothing else can come to bear: another edge of the body, or the edge of the ground.
static bool staysAlone(const ctRoller *b, const Ground *ground, const ctBody *body, double length)
{
    ctVec3 foot = ctAdd(body->x, b->arm), along = ctAdd(body->v, b->course);
    if (!liesInside(ground, foot, 0.01 * body->radius + 2.0 * length * ctLength(along))) {
        return false;
    }
    if (b->shape->type != ct_shapeLathe) {
        return true;
    }
    const ctLathe *l = &b->shape->u.lathe;
    Tilt t = tiltOf(ground, body);
    double bend = length * length * (ctLengthSquared(body->w) + ctLength(body->alpha));
    for (int other = b->code - 1; other <= b->code + 1; other += 2) {
        if (other >= 0 && other < l->count) {
            double dr = l->r[other] - l->r[b->code], dz = l->z[other] - l->z[b->code];
            double below = -(dr * t.rho + dz * t.d.z), closing = dr * t.rhoRate + dz * t.rate.z;
            if (!(below > 1.5 * length * fmax(closing, 0.0) + bend * sqrt(dr * dr + dz * dz))) {
                return false;
            }
        }
    }
    return t.rho + 2.0 * length * t.rhoRate > CT_ROLL_FLAT;
}

// The body is where y says; first, last: the derivatives at the start and the end of the step. Returns how long the
// next one is to be.
static double adopt(ctWorld *world, ctContactRecord *record, int bearing, const Ground *ground, const ctRoller *b,
                    const double *y, const double *first, const double *last, double gap, double dt)
{
    ctBody *body = &world->bodies[record->a];
    const ctContactBody *base = &world->contacts->bodies[record->a];
    ctContactPoint *p = &record->points[0];
    if (bearing != 0) {
        *p = record->points[bearing];
    }
    body->x = ctRoll_Get(y, ct_rollX);
    body->v = ctRoll_Get(y, ct_rollV);
    ctQuat q = ctRoll_Orientation(y), frame = world->infos[record->a].inertia.frame;
    body->q = b->turned ? ctNormalizeQ(ctMulQ(q, ctConjugate(frame))) : q;
    body->w = ctRotate(q, ctRoll_Get(y, ct_rollW));
    ctVec3 mean = ctSub(ctScale(1.0 / dt, ctSub(body->v, base->v)), b->gravity);
    p->impulse = ctMulAdd(p->impulse, dt * b->mass, mean);
    p->force = b->force;
    p->torque = b->torque;
    p->n = record->normal = ground->n;
    p->gap = 0.0;
    p->armA = ctRoll_LowestPoint(b, q);
    p->pointA = p->pointB = ctAdd(body->x, p->armA);
    p->armB = ctSub(p->pointB, world->bodies[record->b].x);
    record->count = 1;
    record->lost = record->ended = false;
    // The coming step is a parabola: what the accelerations will be on the mean, when they change as they did.
    ctVec3 a[2] = {ctRoll_Get(first, ct_rollV), ctRoll_Get(last, ct_rollV)};
    ctQuat q0 = b->turned ? ctMulQ(base->q, frame) : base->q;
    ctVec3 alpha[2] = {ctRotate(q0, ctRoll_Get(first, ct_rollW)), ctRotate(q, ctRoll_Get(last, ct_rollW))};
    body->a = ctSub(a[1], a[0]);
    body->alpha = ctSub(alpha[1], alpha[0]);
    double length = nextLength(world, b, ground, body, gap, dt), ahead = length / (3.0 * dt);
    body->a = ctMulAdd(a[1], ahead, body->a);
    body->alpha = ctMulAdd(alpha[1], ahead, body->alpha);
    body->alpha = ctMulAdd(body->alpha, -length / 6.0, ctCross(body->w, alpha[1]));
    return length;
}

// The motion was smooth for a part of the step, up to y: the general step is to begin there, in the past.
static void retreat(ctWorld *world, ctContactRecord *record, int bearing, const ctRoller *b, const double *y,
                    const double *last, double reached)
{
    ctBody *body = &world->bodies[record->a];
    ctContactBody *base = &world->contacts->bodies[record->a];
    ctContactPoint *p = &record->points[bearing];
    ctQuat q = ctRoll_Orientation(y), frame = world->infos[record->a].inertia.frame;
    ctVec3 v = ctRoll_Get(y, ct_rollV), gained = ctMulAdd(ctSub(v, base->v), -reached, b->gravity);
    p->impulse = ctMulAdd(p->impulse, b->mass, gained);
    p->force = b->force;
    p->torque = b->torque;
    body->x = base->x = ctRoll_Get(y, ct_rollX);
    body->v = base->v = v;
    body->q = base->q = ctNormalizeQ(b->turned ? ctMulQ(q, ctConjugate(frame)) : q);
    body->w = base->w = ctRotate(q, ctRoll_Get(y, ct_rollW));
    base->momentum = ctInertia_Momentum(&world->infos[record->a].inertia, base->q, base->w);
    base->base += reached;
    p->armA = b->arm;
    p->armB = ctSub(ctAdd(body->x, b->arm), world->bodies[record->b].x);
    body->a = ctRoll_Get(last, ct_rollV);
    body->alpha = ctRotate(q, ctRoll_Get(last, ct_rollW));
    body->t = base->base;
    ctBody_Advance(world, record->a);
    world->contacts->work.friction += y[ct_rollWork];
}

bool ctIsland_Roll(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    if (island->bodyCount != 1 || island->recordCount != 1 || island->changed) {
        return false;
    }
    int index = c->members[island->firstBody];
    ctContactRecord *record = &c->records[c->sorted[island->firstRecord]];
    ctBody *body = &world->bodies[index];
    double dt = world->now - c->bodies[index].base;
    if (record->pair < 0 || record->a != index || world->bodies[record->b].mode != ct_modeFixed || body->ball ||
        body->struck || body->mode != ct_modeContact || !(dt > 1e-6 * world->tickStep) ||
        !ctContact_IsSmooth(ctBody_Shape(world, index))) {
        return false;
    }
    int bearing = bearingPoint(record, TOGETHER * body->radius);
    Ground ground;
    if (bearing < 0 || !(fabs(record->points[bearing].gap) <= NEAR * body->radius) ||
        !findGround(world, record->b, (int)record->points[bearing].leaf, record->points[bearing].n, &ground)) {
        return false;
    }
    ctRoller b;
    double y[ct_rollState];
    double first[ct_rollState], last[ct_rollState];
    setUp(world, record, &ground, dt, &b, y);
    if (!liesInside(&ground, ctAdd(ctRoll_Get(y, ct_rollX), b.arm), 0.0)) {
        return false;
    }
    double reached;
    if (!ctRoll_Integrate(&b, y, dt, first, last, &reached)) {
        if (reached > 0.0) {
            retreat(world, record, bearing, &b, y, last, reached);
        }
        return false;
    }
    if (!liesInside(&ground, ctAdd(ctRoll_Get(y, ct_rollX), b.arm), 0.0)) {
        return false;
    }
    ctQuat q = b.turned ? ctMulQ(body->q, world->infos[index].inertia.frame) : body->q;
    double gap = ctDot(ground.n, ctAdd(body->x, ctRoll_LowestPoint(&b, q))) - ground.offset;
    ctWorld_SeeGap(world, record->a, record->b, gap);
    double length = adopt(world, record, bearing, &ground, &b, y, first, last, gap, dt);
    c->work.friction += y[ct_rollWork];
    bool goesOn = length > 0.0 && staysAlone(&b, &ground, body, length);
    if (goesOn) {
        island->pointCount = 1;
        island->extra = 0;
        island->due = ctIsland_NextRegular(world, length);
        ctIsland_TrySleep(world, island, dt);
    }
    ctEnergy_CloseStep(world, island);
    if (!goesOn) {
        ctContactBody_Rebase(world, index);
        ctEnergy_OpenStep(world, island);
    }
    return goesOn;
}

// ---- the general step asks --------------------------------------------------------------------

// H d' of the surface of a convex part for directions in the part's frame; zero where there is no smooth point.
static ctVec3 runOf(const ctShape *shape, ctVec3 d, ctVec3 rate)
{
    ctRoller b = {.shape = shape, .code = 0};
    ctVec3 r, run;
    ctCoreSupport(shape, d, &b.code);
    return ctContact_IsSmooth(shape) && ctRoll_ShapePoint(&b, d, rate, &r, &run) ? run : ctZero3();
}

// The longest step, of the one given or its halves, in which the point of a body's convex part runs around it by no
// more than a share of a radian. A disc that sinks wobbles faster and faster.
static double stepOfPart(const ctShape *shape, ctQuat q, ctVec3 n, ctVec3 w, ctVec3 arm, ctVec3 spin, double step)
{
    ctVec3 d = ctInvRotate(q, ctNeg(n)), rate = ctInvRotate(q, ctCross(w, n));
    ctVec3 run = ctRotate(q, runOf(shape, d, rate));
    double circling = ctLength(ctAdd(ctCross(spin, arm), run)) / ctLength(arm);
    double rho = sqrt(d.x * d.x + d.y * d.y), rhoRate = rho > CT_ROLL_FLAT ? (d.x * rate.x + d.y * rate.y) / rho : 0.0;
    for (int i = 0; i < CT_MAX_HALVINGS; i++, step *= 0.5) {
        double left = fmax(rho + step * fmin(rhoRate, 0.0), CT_ROLL_FLAT);
        bool disc = shape->type == ct_shapeLathe;
        double faster = disc && rho > CT_ROLL_FLAT ? rho / left : 1.0, turn = ctLength(rate) * step;
        bool flips = disc && rho < 2.0 * turn && turn > FLAT_TURN;
        if (!flips && circling * faster * faster * step <= CT_CIRCLING_PER_STEP) {
            break;
        }
    }
    return step;
}

double ctContact_StepOf(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, double step)
{
    const ctBody *ends[2] = {&world->bodies[record->a], &world->bodies[record->b]};
    int index[2] = {record->a, record->b}, partsB = ctBody_Shape(world, record->b)->leafCount;
    int leaf[2] = {(int)point->leaf / partsB, (int)point->leaf % partsB};
    ctVec3 w = ctSub(ends[0]->w, ends[1]->w), arm[2] = {point->armA, point->armB};
    if (!point->known) {
        arm[0] = ctSub(point->pointA, ends[0]->x);
        arm[1] = ctSub(point->pointB, ends[1]->x);
    }
    for (int k = 0; k < 2; k++) {
        const ctBody *body = ends[k];
        const ctShape *shape = ctBody_Shape(world, index[k]);
        if (ctBody_IsMovable(body) && !body->ball && ctLengthSquared(arm[k]) > 0.0) {
            // Seen from the other body, whose surface counts as flat.
            const ctLeaf *part = &shape->leaves[leaf[k]];
            ctQuat q = shape->leafCount > 1 ? ctMulQ(body->q, part->pose.q) : body->q;
            ctVec3 n = k == 0 ? point->n : ctNeg(point->n);
            step = stepOfPart(part->shape, q, n, k == 0 ? w : ctNeg(w), arm[k], body->w, step);
        }
    }
    return step;
}
