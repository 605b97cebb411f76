// Forces, torques and drag that the program applies to bodies.
#include "engine/api/api_internal.h"
#include "engine/gas/gas.h"

void ctForces_Derive(ctBody *body, ctBodyInfo *info, const ctShape *shape)
{
    info->pull = ctScale(body->invMass, ctAdd(info->force, info->stepForce));
    info->drive.torque = ctAdd(info->torque, info->stepTorque);
    // A driven body stays driven: a body that is pushed in some frames only would change its kind of flight all the
    // time.
    body->driven = body->driven || !ctDrive_IsNone(&info->drive) || info->route != NULL;
    if (shape != NULL) {
        bool centred = ctDistance(info->center, shape->unit.center) == 0.0;
        body->ball = shape->type == ct_shapeSphere && centred && !body->sensor && !body->driven;
    }
}

static bool checkForce(const ctBodyInfo *info, ctVec3 force, const char *what, ctError *error)
{
    if (!ctIsFinite3(force)) {
        return ctFail(error, ct_badArgument, "%s must be finite", what);
    }
    double pull = ctLength(ctAdd(force, info->stepForce)) / info->mass;
    if (!(pull <= CT_MAX_PULL)) {
        return ctFail(error, ct_badArgument, "%s must accelerate the body by at most %g m/s^2, not by %g", what,
                      CT_MAX_PULL, pull);
    }
    return true;
}

static bool checkTorque(const ctBodyInfo *info, ctVec3 torque, const char *what, ctError *error)
{
    double spin = ctLength(torque) / ctMinElement(info->inertia.principal);
    if (!ctIsFinite3(torque) || !(spin <= CT_MAX_PULL)) {
        return ctFail(error, ct_badArgument, "%s must be finite and accelerate the body by at most %g rad/s^2", what,
                      CT_MAX_PULL);
    }
    return true;
}

// A dynamic body that may be changed now, or -1 and an error.
static int dynamicToChange(const ctWorld *world, ctBodyId id, const char *what, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index >= 0 && !ctBody_IsMovable(&world->bodies[index])) {
        ctFail(error, ct_badArgument, "%s needs a dynamic body", what);
        return -1;
    }
    return index;
}

// Replaces the record of a body: its forces, torques or drag have changed.
static bool change(ctWorld *world, int index, const ctBodyInfo *info, ctError *error)
{
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBodyInfo next = *info;
    ctBody *body = &world->bodies[index];
    ctBody probe = *body;
    ctForces_Derive(&probe, &next, ctBody_Shape(world, index));
    world->pulled = world->pulled || ctLengthSquared(next.pull) > 0.0;
    if (probe.driven != body->driven) {
        ctBody now = ctBody_AsNow(world, index);
        ctForces_Derive(&now, &next, ctBody_Shape(world, index));
        return ctWorld_Readmit(world, index, &now, &next, error);
    }
    ctContact_Wake(world, index);
    ctBody_Advance(world, index);
    double energy = ctBody_Energy(world, index);
    next.still = world->infos[index].still; // waking and advancing have changed the rest of the record
    next.tally = world->infos[index].tally;
    next.reach = world->infos[index].reach;
    next.pace = world->infos[index].pace;
    next.surge = world->infos[index].surge;
    world->infos[index] = next;
    ctEnergy_Give(world, index, ctBody_Energy(world, index) - energy);
    if (ctBody_IsFlying(body)) {
        body->a = ctBody_FreeAcceleration(world, index);
    }
    return ctWorld_Announce(world, index, error);
}

bool ctBody_SetForce(ctWorld *world, ctBodyId id, ctVec3 force, ctError *error)
{
    int index = dynamicToChange(world, id, "a force", error);
    if (index < 0 || !checkForce(&world->infos[index], force, "force", error)) {
        return false;
    }
    ctBodyInfo info = world->infos[index];
    info.force = force;
    return change(world, index, &info, error);
}

bool ctBody_SetTorque(ctWorld *world, ctBodyId id, ctVec3 torque, ctError *error)
{
    int index = dynamicToChange(world, id, "a torque", error);
    if (index < 0 || !checkTorque(&world->infos[index], torque, "torque", error)) {
        return false;
    }
    ctBodyInfo info = world->infos[index];
    info.torque = torque;
    return change(world, index, &info, error);
}

ctVec3 ctBody_GetForce(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    return index >= 0 ? world->infos[index].force : ctZero3();
}

ctVec3 ctBody_GetTorque(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    return index >= 0 ? world->infos[index].torque : ctZero3();
}

// ---- for a frame ------------------------------------------------------------------------------

static bool apply(ctWorld *world, ctBodyId id, ctVec3 force, ctVec3 torque, ctError *error)
{
    int index = dynamicToChange(world, id, "a force", error);
    if (index < 0) {
        return false;
    }
    ctBodyInfo info = world->infos[index];
    info.stepForce = ctAdd(info.stepForce, force);
    info.stepTorque = ctAdd(info.stepTorque, torque);
    if (!checkForce(&info, info.force, "force", error) ||
        !checkTorque(&info, ctAdd(info.torque, info.stepTorque), "torque", error)) {
        return false;
    }
    world->pushed = true;
    return change(world, index, &info, error);
}

bool ctBody_ApplyForce(ctWorld *world, ctBodyId id, ctVec3 force, ctError *error)
{
    return apply(world, id, force, ctZero3(), error);
}

bool ctBody_ApplyForceAt(ctWorld *world, ctBodyId id, ctVec3 force, ctVec3 point, ctError *error)
{
    return apply(world, id, force, ctCross(ctSub(point, ctBody_GetCenter(world, id)), force), error);
}

bool ctBody_ApplyTorque(ctWorld *world, ctBodyId id, ctVec3 torque, ctError *error)
{
    return apply(world, id, ctZero3(), torque, error);
}

bool ctForces_EndFrame(ctWorld *world, ctError *error)
{
    for (int i = 0; i < world->bodyCount && world->pushed; i++) {
        int index = world->order[i];
        ctBodyInfo info = world->infos[index];
        if (ctLengthSquared(info.stepForce) + ctLengthSquared(info.stepTorque) > 0.0) {
            info.stepForce = info.stepTorque = ctZero3();
            if (!change(world, index, &info, error)) {
                return false;
            }
        }
    }
    world->pushed = false;
    return true;
}

// ---- drag -------------------------------------------------------------------------------------

bool ctBody_SetDrag(ctWorld *world, ctBodyId id, double linear, double angular, ctError *error)
{
    int index = dynamicToChange(world, id, "drag", error);
    if (index < 0) {
        return false;
    }
    if (!(linear >= 0.0 && linear <= CT_MAX_DRAG && angular >= 0.0 && angular <= CT_MAX_DRAG)) {
        return ctFail(error, ct_badArgument, "rates of drag must be from 0 to %g 1/s, not %g and %g", CT_MAX_DRAG,
                      linear, angular);
    }
    ctBodyInfo info = world->infos[index];
    info.drive.drag = linear;
    info.drive.turning = angular;
    return change(world, index, &info, error);
}

void ctBody_GetDrag(const ctWorld *world, ctBodyId id, double *linear, double *angular)
{
    int index = ctBody_Resolve(world, id);
    if (linear != NULL) {
        *linear = index >= 0 ? world->infos[index].drive.drag : 0.0;
    }
    if (angular != NULL) {
        *angular = index >= 0 ? world->infos[index].drive.turning : 0.0;
    }
}

// ---- surfaces that move -----------------------------------------------------------------------

bool ctBody_SetSurfaceVelocity(ctWorld *world, ctBodyId id, ctVec3 linear, ctVec3 angular, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (ctBody_IsMovable(&world->bodies[index])) {
        return ctFail(error, ct_badArgument, "a surface velocity needs a fixed or kinematic body");
    }
    if (!ctIsFinite3(linear) || !ctIsFinite3(angular) || !(ctLength(linear) <= CT_MAX_SURFACE) ||
        !(ctLength(angular) <= CT_MAX_SURFACE)) {
        return ctFail(error, ct_badArgument, "a surface velocity must be finite, at most %g m/s and %g rad/s",
                      CT_MAX_SURFACE, CT_MAX_SURFACE);
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    world->infos[index].surface = linear;
    world->infos[index].surfaceSpin = angular;
    if (world->bodies[index].terrain) {
        ctTiles_Refresh(world, index);
    }
    world->belted = world->belted || ctLengthSquared(linear) + ctLengthSquared(angular) > 0.0;
    ctContact_WakeOn(world, index);
    return true;
}

void ctBody_GetSurfaceVelocity(const ctWorld *world, ctBodyId id, ctVec3 *linear, ctVec3 *angular)
{
    int index = ctBody_Resolve(world, id);
    if (linear != NULL) {
        *linear = index >= 0 ? world->infos[index].surface : ctZero3();
    }
    if (angular != NULL) {
        *angular = index >= 0 ? world->infos[index].surfaceSpin : ctZero3();
    }
}
