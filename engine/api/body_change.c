// Changes of a body that take it out of the world and put it back: place, motion, mass, filter.
#include "collision/memory.h"
#include "engine/api/api_internal.h"

#include <string.h>

const char *ctVersion(void)
{
    return CT_VERSION;
}

void ctBody_SetUserData(ctWorld *world, ctBodyId id, uint64_t userData)
{
    int index = ctBody_Resolve(world, id);
    if (index >= 0) {
        world->infos[index].userData = userData;
    }
}

ctBody ctBody_AsNow(const ctWorld *world, int index)
{
    ctBody body = world->bodies[index];
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
    body.t = world->now;
    body.x = s.x;
    body.v = s.v;
    body.q = s.q;
    body.w = s.w;
    body.alpha = ctZero3();
    body.courseEnd = INFINITY;
    if (ctBody_IsMovable(&body)) {
        body.mode = ct_modeFlying;
        body.a = ctBody_Pull(world, index);
    }
    return body;
}

bool ctBody_SetTransform(ctWorld *world, ctBodyId id, ctTransform pose, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (!ctBody_CheckPose(pose, error)) {
        return false;
    }
    if (world->infos[index].route != NULL) {
        return ctFail(error, ct_badArgument, "the body has a path, which puts it where it is");
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody body = ctBody_AsNow(world, index);
    body.q = ctNormalizeQ(pose.q);
    body.x = ctAdd(pose.p, ctRotate(body.q, world->infos[index].center));
    if (body.plane) {
        const ctShape *shape = ctBody_Shape(world, index);
        body.normal = ctRotate(body.q, shape->u.plane.normal);
        body.offset = shape->u.plane.offset + ctDot(body.normal, body.x);
    }
    return ctWorld_Readmit(world, index, &body, &world->infos[index], error);
}

// Sets mass and centre of a body and its record; the shape stays in place.
static void setMass(ctBody *body, ctBodyInfo *info, const ctShape *shape, const ctMassProperties *mass)
{
    ctVec3 shift = ctRotate(body->q, ctSub(mass->center, info->center));
    body->x = ctAdd(body->x, shift);
    body->v = ctVelocityAt(body->v, body->w, shift);
    info->center = mass->center;
    info->mass = mass->mass;
    info->inertia = ctInertia_FromTensor(mass->inertia);
    body->invMass = 1.0 / mass->mass;
    bool spherical = info->inertia.kind == ct_inertiaSpherical;
    body->invInertia = spherical ? info->inertia.inversePrincipal.x : 0.0;
    body->radius = shape->boundRadius + ctDistance(mass->center, shape->unit.center);
    ctForces_Derive(body, info, shape);
}

bool ctBody_SetMass(ctWorld *world, ctBodyId id, const ctMassData *mass, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (mass == NULL || !ctBody_IsMovable(&world->bodies[index])) {
        return ctFail(error, ct_badArgument, "mass can be given to a dynamic body");
    }
    if (!(mass->mass > 0.0)) {
        return ctFail(error, ct_badArgument, "mass must be positive and finite, not %g kg", mass->mass);
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.material.index = world->infos[index].material;
    def.mass = mass->mass;
    def.hasInertia = def.hasCenter = true;
    const ctShape *whole = world->shapes[world->infos[index].shape], *shape = ctBody_Shape(world, index);
    bool wrapped = ctShape_IsWrapped(whole);
    if (wrapped && !ctInertia_Check(mass->inertia, error)) {
        return false;
    }
    ctMassData seen = wrapped ? ctMassData_Seen(mass, whole->leaves[0].pose) : *mass;
    def.inertia = seen.inertia;
    def.center = seen.center;
    ctMassProperties properties;
    if (!ctBodyDef_Mass(world, &def, shape, &properties, error)) {
        return false;
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody body = ctBody_AsNow(world, index);
    ctBodyInfo info = world->infos[index];
    setMass(&body, &info, shape, &properties);
    return ctWorld_Readmit(world, index, &body, &info, error);
}

ctMassData ctBody_GetMassData(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    if (index < 0 || !ctBody_IsMovable(&world->bodies[index])) {
        return (ctMassData){0};
    }
    const ctBodyInfo *info = &world->infos[index];
    const ctShape *whole = world->shapes[info->shape];
    ctMassData mass = {info->mass, info->center, ctRotateDiagonal(info->inertia.axes, info->inertia.principal)};
    return ctShape_IsWrapped(whole) ? ctMassData_Seen(&mass, ctInverseT(whole->leaves[0].pose)) : mass;
}

bool ctBody_SetMotionType(ctWorld *world, ctBodyId id, ctMotionType motion, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (motion != ct_motionDynamic && motion != ct_motionFixed && motion != ct_motionKinematic) {
        return ctFail(error, ct_badArgument, "motion must be dynamic, fixed or kinematic");
    }
    const ctBody *old = &world->bodies[index];
    ctBodyInfo info = world->infos[index];
    if (motion == info.motion) {
        return true;
    }
    if (info.route != NULL) {
        return ctFail(error, ct_badArgument, "a body with a path can only be kinematic");
    }
    if (old->plane || old->terrain) {
        return ctFail(error, ct_badArgument, "a %s can only be a fixed body", old->plane ? "plane" : "terrain");
    }
    if (old->sensor && motion == ct_motionDynamic) {
        return ctFail(error, ct_badArgument, "a sensor must be fixed or kinematic");
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody body = ctBody_AsNow(world, index);
    info = world->infos[index];
    info.motion = motion;
    if (motion == ct_motionDynamic) {
        ctBodyDef def = ctDefaultBodyDef();
        def.material.index = info.material;
        ctMassProperties properties;
        if (!ctBodyDef_Mass(world, &def, ctBody_Shape(world, index), &properties, error)) {
            return false;
        }
        setMass(&body, &info, ctBody_Shape(world, index), &properties);
        body.mode = ct_modeFlying;
        body.a = world->def.gravity;
        return ctWorld_Readmit(world, index, &body, &info, error);
    }
    body.mode = motion == ct_motionFixed ? ct_modeFixed : ct_modeKinematic;
    body.invMass = body.invInertia = info.mass = 0.0;
    memset(&info.inertia, 0, sizeof info.inertia);
    info.force = info.torque = info.stepForce = info.stepTorque = ctZero3();
    info.drive = (ctDrive){0};
    body.driven = false;
    ctForces_Derive(&body, &info, ctBody_Shape(world, index));
    body.a = ctZero3();
    if (motion == ct_motionFixed) {
        body.v = body.w = ctZero3();
    }
    return ctWorld_Readmit(world, index, &body, &info, error);
}

// ---- filters ----------------------------------------------------------------------------------

ctFilter ctBody_GetFilter(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    return index >= 0 ? world->infos[index].filter : (ctFilter){0, 0};
}

bool ctBody_IsSensor(const ctWorld *world, ctBodyId id)
{
    int index = ctBody_Resolve(world, id);
    return index >= 0 && world->bodies[index].sensor;
}

bool ctBody_SetFilter(ctWorld *world, ctBodyId id, ctFilter filter, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0 || !ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody body = ctBody_AsNow(world, index);
    ctBodyInfo info = world->infos[index];
    info.filter = filter;
    body.choosy = ctFilter_IsChoosy(filter);
    return ctWorld_Readmit(world, index, &body, &info, error);
}

// Whether the body has a pair that its filter refuses.
static bool hasRefused(const ctWorld *world, int index)
{
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    for (int i = 0; i < count; i++) {
        if (!ctBodies_MayMeet(world, index, links[i].other)) {
            return true;
        }
    }
    return false;
}

bool ctWorld_SetFilter(ctWorld *world, ctFilterFn *fn, void *context, ctError *error)
{
    if (!ctWorld_MayChange(world, error) || !ctContact_EndSteps(world, error)) {
        return false;
    }
    world->filter = fn;
    world->filterContext = context;
    world->filtered = fn != NULL;
    for (int i = 0; i < world->bodyCount && fn != NULL; i++) {
        int index = world->order[i];
        ctGas_Leave(world, index);
        if (hasRefused(world, index)) {
            ctBody body = ctBody_AsNow(world, index);
            ctBodyInfo info = world->infos[index];
            if (!ctWorld_Readmit(world, index, &body, &info, error)) {
                return false;
            }
        }
    }
    return !world->outOfMemory || ctFailMemory(error, "pairs of bodies");
}
