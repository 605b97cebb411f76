// Bodies: their motion in every mode, and what the public interface tells about them.
#include "engine/state/state.h"

#include <assert.h>

// The largest turn by Magnus's second term (rad) that is made in one piece; a larger one is halved, and so on. Larger:
// fast spins lose digits; smaller: more time.
#define LARGEST_TERM 1e-6
#define MOST_PIECES 16 // [cap]

// ---- ids --------------------------------------------------------------------------------------

int ctBody_Resolve(const ctWorld *world, ctBodyId id)
{
    if (id.index1 < 1 || id.index1 > world->bodySlots) {
        return -1;
    }
    int index = id.index1 - 1;
    if (world->bodies[index].mode == ct_modeFree || world->infos[index].tile != NULL ||
        world->infos[index].generation != id.generation) {
        return -1;
    }
    return index;
}

ctBodyId ctBody_IdOf(const ctWorld *world, int index)
{
    index = ctBody_Owner(world, index);
    return (ctBodyId){index + 1, world->infos[index].generation};
}

const ctShape *ctBody_Shape(const ctWorld *world, int index)
{
    const ctBodyInfo *info = &world->infos[index];
    return info->tile != NULL ? &info->tile->shape : ctShape_Only(world->shapes[info->shape]);
}

void ctBody_UpdatePlane(ctWorld *world, int index)
{
    ctBody *plane = &world->bodies[index];
    const ctShape *shape = ctBody_Shape(world, index);
    plane->normal = ctRotate(plane->q, shape->u.plane.normal);
    plane->offset = shape->u.plane.offset + ctDot(plane->normal, plane->x);
}

// ---- modes ------------------------------------------------------------------------------------

// The modes that may follow each mode. A body that the program creates, moves or gives another motion type starts anew.
#define BIT(mode) (1u << (mode))
static const unsigned successors[] = {
    [ct_modeFree] = 0,
    // A member of a pile may sleep while nothing pushes it.
    [ct_modeFlying] = BIT(ct_modeContact) | BIT(ct_modeAsleep) | BIT(ct_modeGas),
    [ct_modeGas] = BIT(ct_modeFlying),
    [ct_modeContact] = BIT(ct_modeFlying) | BIT(ct_modeAsleep) | BIT(ct_modePlanned) | BIT(ct_modeStruck),
    [ct_modeAsleep] = BIT(ct_modeStruck) | BIT(ct_modeContact), // hit, or woken with a neighbour that is
    [ct_modeFixed] = 0,
    [ct_modeKinematic] = 0,
    [ct_modePlanned] = BIT(ct_modeContact),                     // a plan ends before anything else happens
    [ct_modeStruck] = BIT(ct_modeFlying) | BIT(ct_modeContact), // its next step decides
};

void ctBody_SetMode(ctBody *body, ctBodyMode mode)
{
    assert(mode == body->mode || (successors[body->mode] & BIT(mode)) != 0);
    (void)successors;
    body->mode = mode;
}

// ---- motion -----------------------------------------------------------------------------------

// The orientation after a time in which w changes at a constant rate. Besides the integral of w there is Magnus's
// second term, alpha x w dt^3 / 12. Where that is no small turn, the time is divided.
static ctQuat turnOn(ctQuat q, ctVec3 w, ctVec3 alpha, double dt)
{
    ctVec3 across = ctScale(1.0 / 12.0, ctCross(alpha, w));
    int pieces = 1;
    for (double most = ctLength(across) * dt * dt * dt; most > LARGEST_TERM && pieces < MOST_PIECES; most *= 0.125) {
        pieces *= 2;
    }
    double h = dt / pieces;
    for (int i = 0; i < pieces; i++) {
        ctVec3 turn = ctMulAdd(ctScale(h, ctMulAdd(w, (i + 0.5) * h, alpha)), h * h * h, across);
        q = ctMulQ(ctQuatExp(turn), q);
    }
    return ctNormalizeQ(q);
}

ctBodyState ctBody_StateAt(const ctWorld *world, const ctBody *body, double t)
{
    if (ctBody_IsPlanned(body)) { // also at its start, where it may stop a slow approach
        return world->hooks.plannedState(world, ctBody_Index(world, body), t);
    }
    ctBodyState s = {body->x, body->v, body->q, body->w};
    double dt = t - body->t;
    if (dt == 0.0) {
        return s;
    }
    switch (body->mode) {
    case ct_modeFlying:
    case ct_modeGas:
        if (body->driven) {
            int index = ctBody_Index(world, body);
            const ctBodyInfo *info = &world->infos[index];
            ctFlyDriven(&info->inertia, &info->drive, &s.x, &s.v, &s.q, &s.w, ctBody_Pull(world, index), dt);
            break;
        }
        ctFly(&world->infos[ctBody_Index(world, body)].inertia, &s.x, &s.v, &s.q, &s.w, body->a, dt);
        break;
    case ct_modeContact:
    case ct_modeStruck:
        s.x = ctMulAdd(ctMulAdd(s.x, dt, s.v), 0.5 * dt * dt, body->a);
        s.v = ctMulAdd(s.v, dt, body->a);
        s.q = turnOn(s.q, s.w, body->alpha, dt);
        s.w = ctMulAdd(s.w, dt, body->alpha);
        break;
    case ct_modeKinematic:
        if (body->driven) {
            const ctBodyInfo *info = &world->infos[ctBody_Index(world, body)];
            ctPathState there = ctPath_At(info->route, info->center, t);
            return (ctBodyState){there.x, there.v, there.q, there.w};
        }
        s.x = ctMulAdd(s.x, dt, s.v);
        if (body->wMax > 0.0) {
            s.q = ctNormalizeQ(ctMulQ(ctQuatExp(ctScale(dt, s.w)), s.q));
        }
        break;
    case ct_modePlanned: // hooks.plannedState has answered before
    case ct_modeAsleep:
    case ct_modeFixed:
    case ct_modeFree:
        break;
    }
    return s;
}

ctVec3 ctBody_FreeAcceleration(const ctWorld *world, int index)
{
    ctVec3 pull = ctBody_Pull(world, index);
    const ctBody *body = &world->bodies[index];
    return body->driven ? ctMulAdd(pull, -world->infos[index].drive.drag, body->v) : pull;
}

void ctBody_ApplyDrive(const ctWorld *world, int index, ctMat3 inverseInertia, double dt, ctVec3 *v, ctVec3 *w)
{
    const ctDrive *drive = &world->infos[index].drive;
    if (!world->bodies[index].driven) {
        return;
    }
    ctVec3 pull = ctBody_Pull(world, index), start = ctMulAdd(*v, -dt, pull);
    *v = ctDrive_Velocity(drive, start, pull, dt);
    ctVec3 change = ctMulMV(inverseInertia, drive->torque);
    *w = ctDrive_Momentum(&(ctDrive){change, 0.0, drive->turning}, *w, dt);
}

// The longest time for which bounds must hold: a box is renewed within CT_BOX_FRAMES, and a look reaches as far again.
static double boundTime(const ctWorld *world, const ctBody *body)
{
    return 2.2 * CT_BOX_FRAMES * ctBody_BoxTime(world, body);
}

double ctBody_RimSpeed(const ctWorld *world, int index, ctQuat q, ctVec3 w)
{
    const ctShape *shape = ctBody_Shape(world, index);
    ctVec3 center = world->infos[index].center, u = ctAbs(ctInvRotate(q, w));
    ctVec3 h = ctMax(ctAbs(ctSub(shape->lo, center)), ctAbs(ctSub(shape->hi, center)));
    bool centred = center.x == 0.0 && center.y == 0.0, ball = shape->type == ct_shapeSphere;
    if (ball && centred && center.z == 0.0) {
        return 0.0;
    }
    if (centred && (ball || shape->type == ct_shapeCapsule || shape->type == ct_shapeLathe)) {
        u.z = 0.0;
    }
    return ctLength(ctV3(u.y * h.z + u.z * h.y, u.z * h.x + u.x * h.z, u.x * h.y + u.y * h.x));
}

double ctBody_Stray(const ctWorld *world, const ctBody *body)
{
    if (!body->driven) {
        return 0.0;
    }
    const ctBodyInfo *info = &world->infos[ctBody_Index(world, body)];
    if (ctBody_IsFlying(body)) {
        // The acceleration decays as exp(-drag t).
        double part = info->drive.drag * boundTime(world, body);
        return (part < 1.0 ? part : 1.0) * ctLength(body->a);
    }
    return body->mode == ct_modeKinematic ? info->stray : 0.0;
}

double ctBody_DriveWork(const ctWorld *world, int index, const ctBodyState *later)
{
    const ctBody *body = &world->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    if (!body->driven || !ctBody_IsFlying(body)) {
        return 0.0;
    }
    double gain = 0.5 * info->mass * (ctLengthSquared(later->v) - ctLengthSquared(body->v));
    gain += ctInertia_Energy(&info->inertia, later->q, later->w) - ctInertia_Energy(&info->inertia, body->q, body->w);
    return gain - info->mass * ctDot(ctBody_Pull(world, index), ctSub(later->x, body->x));
}

void ctBody_FollowRoute(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctPathState s = ctPath_At(world->infos[index].route, world->infos[index].center, world->now);
    body->t = world->now;
    body->x = s.x;
    body->v = s.v;
    body->a = s.a;
    body->q = s.q;
    body->w = s.w;
    body->alpha = s.alpha;
}

static void flyDriven(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    world->stats.driveWork += ctBody_DriveWork(world, index, &s);
    body->x = s.x;
    body->v = s.v;
    body->q = s.q;
    body->w = s.w;
    body->a = ctBody_FreeAcceleration(world, index);
}

ctBodyState ctBody_SeenState(const ctWorld *world, int index)
{
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
    if (ctBody_IsInContact(&world->bodies[index]) && !ctBody_IsPlanned(&world->bodies[index])) {
        world->hooks.seeMember(world, index, &s);
    }
    return s;
}

void ctBody_Advance(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    if (ctBody_IsPlanned(body)) {
        world->hooks.endPlan(world, index);
        return;
    }
    double dt = world->now - body->t;
    if (dt == 0.0) {
        return;
    }
    assert(dt > 0.0);
    if (body->mode != ct_modeAsleep && body->mode != ct_modeFixed) {
        // No point moves farther than the centre's path plus the arc of the farthest point.
        double speed = ctBody_SpeedBound(body);
        double pull = ctLength(body->a) + ctBody_Stray(world, body);
        body->path += dt * (speed + 0.5 * dt * (pull + body->alphaMax * body->radius));
        if (ctBody_IsFlying(body) && body->driven) {
            flyDriven(world, index);
        } else if (body->mode == ct_modeKinematic && body->driven) {
            ctBody_FollowRoute(world, index);
        } else if (ctBody_IsFlying(body)) {
            ctFly(&world->infos[index].inertia, &body->x, &body->v, &body->q, &body->w, body->a, dt);
        } else {
            ctBodyState s = ctBody_StateAt(world, body, world->now);
            body->x = s.x;
            body->v = s.v;
            body->q = s.q;
            body->w = s.w;
        }
    }
    body->t = world->now;
}

double ctBody_TimeLeft(const ctWorld *world, const ctBody *body)
{
    double left = body->courseEnd - world->now, step = ctBody_Step(world, body);
    double longest = ctFmax(world->def.frameTime, CT_LONGEST_STEPS * step);
    return left < (double)INFINITY ? ctFmin(ctFmax(left, step), longest) : step;
}

void ctBody_UpdateBounds(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    switch (body->mode) {
    case ct_modeFlying:
    case ct_modeGas:
        if (body->driven) {
            const ctBodyInfo *info = &world->infos[index];
            // an impact may have changed the velocity, and with it the drag
            body->a = ctBody_FreeAcceleration(world, index);
            ctDrivenBounds(&info->inertia, &info->drive, body->q, body->w, boundTime(world, body), &body->wMax,
                           &body->alphaMax);
        } else if (body->invInertia > 0.0) {
            body->wMax = ctLength(body->w);
            body->alphaMax = 0.0;
        } else {
            ctFlightBounds(&world->infos[index].inertia, body->q, body->w, &body->wMax, &body->alphaMax);
        }
        break;
    case ct_modePlanned: // only its reach matters
        body->alphaMax = 0.0;
        body->wMax = ctLength(body->w);
        break;
    case ct_modeContact:
    case ct_modeStruck:
        body->alphaMax = ctLength(body->alpha);
        body->wMax = ctLength(body->w) + body->alphaMax * ctBody_TimeLeft(world, body);
        break;
    case ct_modeKinematic:
        if (body->driven) {
            ctBodyInfo *info = &world->infos[index];
            ctPathBounds b = ctPath_Bounds(info->route, info->center, world->now, boundTime(world, body));
            body->wMax = b.spin;
            body->alphaMax = b.twist;
            info->stray = 2.0 * b.rate; // bounds the change from any acceleration in that time to any other
            break;
        }
        body->wMax = ctLength(body->w);
        body->alphaMax = 0.0;
        break;
    case ct_modeAsleep:
    case ct_modeFixed:
    case ct_modeFree:
        body->wMax = body->alphaMax = 0.0;
        break;
    }
}

ctMotion ctBody_PlainMotion(const ctWorld *world, const ctBody *body)
{
    return (ctMotion){
        .x = body->x,
        .v = body->v,
        .a = body->a,
        .q = body->q,
        .w = body->w,
        .wMax = body->wMax,
        .alphaMax = body->alphaMax,
        .stray = ctBody_Stray(world, body),
        .center = world->infos[ctBody_Index(world, body)].center,
    };
}

ctMotion ctBody_Motion(const ctWorld *world, const ctBody *body)
{
    const ctBodyInfo *info = &world->infos[ctBody_Index(world, body)];
    ctMotion motion = ctBody_PlainMotion(world, body);
    if (ctBody_IsFlying(body) && body->wMax > 0.0 && !body->driven) {
        ctFlight_Describe(&info->inertia, &motion);
    } else if (ctBody_IsInContact(body)) {
        motion.alpha = body->alpha;
    }
    return motion;
}

ctPose ctBody_Pose(const ctWorld *world, const ctBody *body)
{
    ctPose pose = {ctZero3(), ctMat3FromQuat(body->q)};
    pose.p = ctSub(body->x, ctMulMV(pose.r, world->infos[ctBody_Index(world, body)].center));
    return pose;
}

void ctBody_AddBelt(const ctWorld *world, int index, ctVec3 *v, ctVec3 *w)
{
    if (ctBody_HasBelt(world, index)) {
        ctQuat q = world->bodies[index].q;
        *v = ctAdd(*v, ctRotate(q, world->infos[index].surface));
        *w = ctAdd(*w, ctRotate(q, world->infos[index].surfaceSpin));
    }
}

ctVec3 ctBody_BeltAt(const ctWorld *world, int index, ctVec3 point)
{
    ctVec3 v = ctZero3(), w = ctZero3();
    ctBody_AddBelt(world, index, &v, &w);
    return ctAdd(v, ctCross(w, ctSub(point, world->bodies[index].x)));
}

double ctBody_BeltAlong(const ctWorld *world, int index, ctVec3 point, ctVec3 n)
{
    return ctBody_HasBelt(world, index) ? ctDot(n, ctBody_BeltAt(world, index, point)) : 0.0;
}

ctVec3 ctBody_BeltAcross(const ctWorld *world, int index, ctVec3 point, ctVec3 n)
{
    if (!ctBody_HasBelt(world, index)) {
        return ctZero3();
    }
    ctVec3 v = ctBody_BeltAt(world, index, point);
    return ctMulAdd(v, -ctDot(n, v), n);
}

ctMat3 ctBody_InverseInertia(const ctWorld *world, const ctBody *body)
{
    if (!ctBody_IsMovable(body)) {
        return ctMat3Zero();
    }
    if (body->invInertia > 0.0) {
        return ctMat3Diagonal(body->invInertia, body->invInertia, body->invInertia);
    }
    return ctInertia_WorldInverse(&world->infos[ctBody_Index(world, body)].inertia, body->q);
}

ctSolverBody ctBody_ForSolver(const ctWorld *world, const ctBody *body)
{
    return (ctSolverBody){body->v, body->w, ctBody_IsMovable(body) ? body->invMass : 0.0,
                          ctBody_InverseInertia(world, body)};
}

void ctBody_Push(ctWorld *world, int index, ctVec3 impulse, ctVec3 point)
{
    ctBody *body = &world->bodies[index];
    if (!ctBody_IsMovable(body)) {
        return;
    }
    ctVec3 torque = ctCross(ctSub(point, body->x), impulse);
    body->v = ctMulAdd(body->v, body->invMass, impulse);
    if (body->invInertia > 0.0) {
        body->w = ctMulAdd(body->w, body->invInertia, torque);
    } else {
        body->w = ctAdd(body->w, ctMulMV(ctBody_InverseInertia(world, body), torque));
    }
}
