// Questions of the program about a body.
#include "engine/api/api_internal.h"

bool ctBody_IsValid(const ctWorld *world, ctBodyId body)
{
    return ctBody_Resolve(world, body) >= 0;
}

int ctBody_GetOrdinal(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 ? world->infos[i].ordinal : -1;
}

const char *ctBody_GetName(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 && world->infos[i].name != NULL ? world->infos[i].name : "";
}

ctMotionType ctBody_GetMotionType(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 ? world->infos[i].motion : ct_motionDynamic;
}

ctShapeId ctBody_GetShape(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return (ctShapeId){i >= 0 ? world->infos[i].shape + 1 : 0};
}

ctMaterialId ctBody_GetMaterial(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return (ctMaterialId){i >= 0 ? world->infos[i].material : 0};
}

uint64_t ctBody_GetUserData(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 ? world->infos[i].userData : 0;
}

double ctBody_GetMass(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 ? world->infos[i].mass : 0.0;
}

ctMat3 ctBody_GetInertia(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    if (i < 0 || !ctBody_IsMovable(&world->bodies[i])) {
        return ctMat3Zero();
    }
    const ctInertia *inertia = &world->infos[i].inertia;
    const ctShape *shape = world->shapes[world->infos[i].shape];
    ctMat3 axes = inertia->axes;
    axes = ctShape_IsWrapped(shape) ? ctMulMM(ctMat3FromQuat(shape->leaves[0].pose.q), axes) : axes;
    return ctRotateDiagonal(axes, inertia->principal);
}

static ctBodyState stateNow(const ctWorld *world, ctBodyId id)
{
    int i = ctBody_Resolve(world, id);
    if (i < 0) {
        return (ctBodyState){.q = ctQuatIdentity()};
    }
    return ctBody_SeenState(world, i);
}

ctVec3 ctBody_GetCenter(const ctWorld *world, ctBodyId body)
{
    return stateNow(world, body).x;
}

ctTransform ctBody_GetTransform(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    if (i < 0) {
        return ctTransformIdentity();
    }
    ctBodyState s = ctBody_SeenState(world, i);
    ctTransform pose = ctTransformOf(ctSub(s.x, ctRotate(s.q, world->infos[i].center)), s.q);
    const ctShape *shape = world->shapes[world->infos[i].shape];
    return ctShape_IsWrapped(shape) ? ctMulT(pose, ctInverseT(shape->leaves[0].pose)) : pose;
}

ctVec3 ctBody_GetVelocity(const ctWorld *world, ctBodyId body)
{
    return stateNow(world, body).v;
}

ctVec3 ctBody_GetSpin(const ctWorld *world, ctBodyId body)
{
    return stateNow(world, body).w;
}

double ctBody_GetKineticEnergy(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    if (i < 0 || !ctBody_IsMovable(&world->bodies[i])) {
        return 0.0;
    }
    ctBodyState s = ctBody_SeenState(world, i);
    const ctBodyInfo *info = &world->infos[i];
    return 0.5 * info->mass * ctLengthSquared(s.v) + ctInertia_Energy(&info->inertia, s.q, s.w);
}

bool ctBody_IsAsleep(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 && world->bodies[i].mode == ct_modeAsleep;
}

ctTally ctBody_GetTally(const ctWorld *world, ctBodyId body)
{
    int i = ctBody_Resolve(world, body);
    return i >= 0 ? world->infos[i].tally : (ctTally){0};
}

bool ctBody_GetSweptBox(const ctWorld *world, ctBodyId body, ctVec3 *lo, ctVec3 *hi)
{
    int i = ctBody_Resolve(world, body);
    if (i < 0) {
        return false;
    }
    if (lo != NULL) {
        *lo = world->bodies[i].box.lo;
    }
    if (hi != NULL) {
        *hi = world->bodies[i].box.hi;
    }
    return true;
}
