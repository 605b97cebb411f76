// Creating, changing and destroying bodies.
#include "collision/memory.h"
#include "engine/api/api_internal.h"

#include <string.h>

static const uint32_t bodyDefCookie = 0x424f4459U;

ctBodyDef ctDefaultBodyDef(void)
{
    ctBodyDef def;
    memset(&def, 0, sizeof def);
    def.orientation = ctQuatIdentity();
    def.filter = (ctFilter){1, UINT64_MAX};
    def.internal = bodyDefCookie;
    return def;
}

// ---- checking a definition --------------------------------------------------------------------

static bool isDefined(double value)
{
    return isfinite(value) && fabs(value) <= 1e12;
}

static bool isDefined3(ctVec3 v)
{
    return isDefined(v.x) && isDefined(v.y) && isDefined(v.z);
}

bool ctBody_CheckPose(ctTransform pose, ctError *error)
{
    if (!isDefined3(pose.p)) {
        return ctFail(error, ct_badArgument, "position must be finite and within 1e12 m");
    }
    double n2 = pose.q.w * pose.q.w + pose.q.x * pose.q.x + pose.q.y * pose.q.y + pose.q.z * pose.q.z;
    if (!(n2 > 1e-12 && n2 < 1e12)) {
        return ctFail(error, ct_badArgument, "orientation must be a quaternion that is not zero");
    }
    return true;
}

static bool checkMotion(const ctBodyDef *def, ctError *error)
{
    if (!ctBody_CheckPose((ctTransform){def->position, def->orientation}, error)) {
        return false;
    }
    if (!ctIsFinite3(def->velocity) || ctLength(def->velocity) > 1e9) {
        return ctFail(error, ct_badArgument, "velocity must be finite and at most 1e9 m/s");
    }
    if (!ctIsFinite3(def->spin) || ctLength(def->spin) > CT_MAX_SPIN) {
        return ctFail(error, ct_badArgument, "spin must be finite and at most %g rad/s", CT_MAX_SPIN);
    }
    if (def->motion == ct_motionFixed && (ctLength(def->velocity) > 0.0 || ctLength(def->spin) > 0.0)) {
        return ctFail(error, ct_badArgument, "a fixed body has neither velocity nor spin");
    }
    return true;
}

// Mass, centre and inertia of a dynamic body.
bool ctBodyDef_Mass(const ctWorld *world, const ctBodyDef *def, const ctShape *shape, ctMassProperties *out,
                    ctError *error)
{
    if (!(def->mass >= 0.0) || !isDefined(def->mass)) {
        return ctFail(error, ct_badArgument, "mass must be positive and at most 1e12 kg, not %g kg", def->mass);
    }
    if (!(def->density >= 0.0) || !isDefined(def->density)) {
        return ctFail(error, ct_badArgument, "density must be positive and at most 1e12 kg/m^3, not %g", def->density);
    }
    if (def->mass > 0.0 && def->density > 0.0) {
        return ctFail(error, ct_badArgument, "give mass or density, not both");
    }
    double density = def->density > 0.0 ? def->density : world->materials[def->material.index].density;
    *out = ctShape_Mass(shape, density);
    if (def->mass > 0.0) {
        out->inertia = ctScaleM(def->mass / out->mass, out->inertia);
        out->mass = def->mass;
    }
    if (!(out->mass >= CT_MIN_MASS) || !isfinite(out->mass)) {
        return ctFail(error, ct_badArgument, "mass must be finite and at least %g kg, not %g kg", CT_MIN_MASS,
                      out->mass);
    }
    if (def->hasCenter) {
        if (!isDefined3(def->center)) {
            return ctFail(error, ct_badArgument, "center must be finite and within 1e12 m");
        }
        out->center = def->center;
    }
    if (!def->hasInertia) {
        return ctInertia_Check(out->inertia, error);
    }
    double even = ctInertia_FromTensor(out->inertia).principal.x;
    out->inertia = def->inertia;
    if (!ctInertia_Check(out->inertia, error)) {
        return false;
    }
    ctVec3 given = ctInertia_FromTensor(out->inertia).principal;
    if (given.x < CT_MIN_INERTIA * even || given.z > 1e30) {
        return ctFail(
            error, ct_badArgument,
            "inertia must be at least %g of that of the shape filled evenly, and at most 1e30 kg m^2; it is %g to %g",
            CT_MIN_INERTIA, given.x, given.z);
    }
    return true;
}

static bool checkDef(const ctWorld *world, const ctBodyDef *def, ctError *error)
{
    if (def == NULL || def->internal != bodyDefCookie) {
        return ctFail(error, ct_badArgument, "a ctBodyDef must come from ctDefaultBodyDef");
    }
    const ctShape *shape = ctWorld_GetShape(world, def->shape);
    if (shape == NULL) {
        return ctFail(error, ct_badArgument, "a body needs a shape");
    }
    if (def->motion != ct_motionDynamic && def->motion != ct_motionFixed && def->motion != ct_motionKinematic) {
        return ctFail(error, ct_badArgument, "motion must be dynamic, fixed or kinematic");
    }
    if (shape->type == ct_shapePlane && def->motion != ct_motionFixed) {
        return ctFail(error, ct_badArgument, "a plane can only be a fixed body");
    }
    if (shape->type == ct_shapeTerrain && (def->motion != ct_motionFixed || def->sensor)) {
        return ctFail(error, ct_badArgument, "a terrain can only be a fixed body, and no sensor");
    }
    if (def->material.index < 0 || def->material.index >= world->materialCount) {
        return ctFail(error, ct_badArgument, "there is no material %d", def->material.index);
    }
    if (def->sensor && def->motion == ct_motionDynamic) {
        return ctFail(error, ct_badArgument, "a sensor must be fixed or kinematic");
    }
    if (world->bodyCount >= CT_MAX_BODIES) {
        return ctFail(error, ct_limit, "at most %d bodies", CT_MAX_BODIES);
    }
    return checkMotion(def, error);
}

// ---- slots ------------------------------------------------------------------------------------

// Makes room for one more body in all arrays, so that nothing can fail afterwards. The index, or -1.
static int reserveSlot(ctWorld *world)
{
    int index = world->freeBody >= 0 ? world->freeBody : world->bodySlots;
    int need = index + 1 > world->bodySlots ? index + 1 : world->bodySlots;
    if (!ctReserveAligned((void **)&world->bodies, &world->bodyCapacity, need, sizeof(ctBody)) ||
        !ctReserveAligned((void **)&world->infos, &world->infoCapacity, need, sizeof(ctBodyInfo)) ||
        !ctReserve((void **)&world->order, &world->orderCapacity, world->bodyCount + 1, sizeof(int)) ||
        !ctAgenda_Reserve(&world->boxAgenda, need) || !ctGas_Reserve(&world->gas, need)) {
        return -1;
    }
    return index;
}

static bool addTileSlot(ctWorld *world)
{
    int need = world->bodySlots + 1;
    if (!ctReserveAligned((void **)&world->bodies, &world->bodyCapacity, need, sizeof(ctBody)) ||
        !ctReserveAligned((void **)&world->infos, &world->infoCapacity, need, sizeof(ctBodyInfo)) ||
        !ctAgenda_Reserve(&world->boxAgenda, need) || !ctGas_Reserve(&world->gas, need)) {
        return false;
    }
    int index = world->bodySlots++;
    memset(&world->bodies[index], 0, sizeof(ctBody));
    memset(&world->infos[index], 0, sizeof(ctBodyInfo));
    world->bodies[index].island = world->freeTile;
    world->freeTile = index;
    world->tileSlots++;
    return true;
}

// Makes slots for the tiles of all bodies and terrains (pairs/tile.c), so that none is made within a step.
static bool reserveTiles(ctWorld *world)
{
    while (world->tileSlots < (int64_t)world->terrainCount * world->bodyCount) {
        if (!addTileSlot(world)) {
            return false;
        }
    }
    return true;
}

static void takeSlot(ctWorld *world, int index)
{
    uint32_t generation = 1;
    if (index == world->freeBody) {
        world->freeBody = world->bodies[index].island;
        generation = world->infos[index].generation;
    } else {
        world->bodySlots = index + 1;
    }
    memset(&world->bodies[index], 0, sizeof(ctBody));
    memset(&world->infos[index], 0, sizeof(ctBodyInfo));
    world->bodies[index].island = -1;
    world->bodies[index].microTime = -1.0;
    world->infos[index].generation = generation;
    world->infos[index].ordinal = world->bodyCount;
    world->order[world->bodyCount++] = index;
}

static void giveSlot(ctWorld *world, int index)
{
    ctBodyInfo *info = &world->infos[index];
    for (int i = info->ordinal; i + 1 < world->bodyCount; i++) {
        world->order[i] = world->order[i + 1];
        world->infos[world->order[i]].ordinal = i;
    }
    world->bodyCount--;
    ctBody *body = &world->bodies[index];
    world->terrainCount -= body->terrain;
    ctFree(info->name);
    ctPath_Free(info->route);
    uint32_t generation = info->generation + 1;
    memset(body, 0, sizeof *body);
    memset(info, 0, sizeof *info);
    info->generation = generation != 0 ? generation : 1;
    body->island = world->freeBody;
    world->freeBody = index;
}

// ---- creation ---------------------------------------------------------------------------------

static const ctBodyMode startMode[] = {ct_modeFlying, ct_modeFixed, ct_modeKinematic};

static void fillBody(ctWorld *world, int index, const ctBodyDef *def, const ctMassProperties *mass)
{
    ctBody *body = &world->bodies[index];
    ctBodyInfo *info = &world->infos[index];
    const ctShape *shape = ctShape_Only(ctWorld_GetShape(world, def->shape));
    bool dynamic = def->motion == ct_motionDynamic;
    info->shape = def->shape.index1 - 1;
    info->material = def->material.index;
    info->motion = def->motion;
    info->center = mass->center;
    info->userData = def->userData;
    info->filter = def->filter;
    body->sensor = def->sensor;
    body->choosy = ctFilter_IsChoosy(def->filter);
    body->t = world->now;
    body->courseEnd = INFINITY;
    body->mode = startMode[def->motion];
    body->q = ctNormalizeQ(def->orientation);
    body->x = ctAdd(def->position, ctRotate(body->q, mass->center));
    body->v = def->velocity;
    body->w = def->spin;
    body->plane = shape->type == ct_shapePlane;
    body->terrain = shape->type == ct_shapeTerrain;
    double shift = ctDistance(mass->center, shape->unit.center);
    body->radius = body->plane ? 0.0 : shape->boundRadius + shift;
    body->ball = shape->type == ct_shapeSphere && shift == 0.0 && !def->sensor;
    if (dynamic) {
        info->mass = mass->mass;
        info->inertia = ctInertia_FromTensor(mass->inertia);
        body->invMass = 1.0 / mass->mass;
        body->a = world->def.gravity;
        if (info->inertia.kind == ct_inertiaSpherical) {
            body->invInertia = info->inertia.inversePrincipal.x;
        }
    }
    if (body->plane) {
        ctBody_UpdatePlane(world, index);
    }
    ctBody_UpdateBounds(world, index);
}

// A body whose shape is a compound of one part is kept as a body of that part, in the part's frame: code for plain
// shapes then holds for it too. ctBody_GetTransform and similar calls give the frame of the compound.
static bool unwrap(const ctShape *shape, ctBodyDef *def, ctError *error)
{
    if (!ctShape_IsWrapped(shape)) {
        return true;
    }
    if (def->hasInertia && !ctInertia_Check(def->inertia, error)) {
        return false;
    }
    ctTransform part = shape->leaves[0].pose;
    def->orientation = ctNormalizeQ(def->orientation);
    def->position = ctAdd(def->position, ctRotate(def->orientation, part.p));
    def->orientation = ctMulQ(def->orientation, part.q);
    ctMassData mass = ctMassData_Seen(&(ctMassData){def->mass, def->center, def->inertia}, part);
    def->center = mass.center;
    def->inertia = mass.inertia;
    return true;
}

ctMassData ctMassData_Seen(const ctMassData *mass, ctTransform frame)
{
    ctMat3 r = ctMat3FromQuat(frame.q), turned = ctMulMM(ctMulMM(ctTranspose(r), mass->inertia), r);
    return (ctMassData){mass->mass, ctInvTransformPoint(frame, mass->center),
                        ctScaleM(0.5, ctAddMM(turned, ctTranspose(turned)))};
}

// The definition in the form that the engine keeps, and its mass.
static bool prepare(ctWorld *world, const ctBodyDef *given, ctBodyDef *def, ctMassProperties *mass, ctError *error)
{
    if (!checkDef(world, given, error)) {
        return false;
    }
    const ctShape *whole = ctWorld_GetShape(world, given->shape), *shape = ctShape_Only(whole);
    *def = *given;
    if (!unwrap(whole, def, error)) {
        return false;
    }
    if (def->motion == ct_motionDynamic) {
        return ctBodyDef_Mass(world, def, shape, mass, error);
    }
    // An immovable body turns about the point about which a dynamic one would turn.
    memset(mass, 0, sizeof *mass);
    if (shape->type != ct_shapePlane) {
        mass->center = def->hasCenter ? def->center : shape->unit.center;
    }
    if (!isDefined3(mass->center)) {
        return ctFail(error, ct_badArgument, "center must be finite and within 1e12 m");
    }
    return true;
}

ctBodyId ctWorld_CreateBody(ctWorld *world, const ctBodyDef *given, ctError *error)
{
    ctBodyId none = {0};
    ctMassProperties mass;
    ctBodyDef own, *def = &own;
    if (!ctWorld_MayChange(world, error) || !prepare(world, given, def, &mass, error)) {
        return none;
    }
    char *name = NULL;
    if (def->name != NULL && def->name[0] != '\0') {
        size_t length = strlen(def->name) + 1;
        name = ctAllocate(length, 1);
        if (name == NULL) {
            ctFailMemory(error, "a body");
            return none;
        }
        memcpy(name, def->name, length);
    }
    int index = reserveSlot(world);
    if (index < 0) {
        ctFree(name);
        ctFailMemory(error, "a body");
        return none;
    }
    takeSlot(world, index);
    fillBody(world, index, def, &mass);
    world->infos[index].name = name;
    world->terrainCount += world->bodies[index].terrain;
    if (!reserveTiles(world)) {
        giveSlot(world, index);
        ctFailMemory(error, "a body");
        return none;
    }
    if (!ctWorld_AdmitBody(world, index, error)) {
        giveSlot(world, index);
        return none;
    }
    ctEnergy_Give(world, index, ctBody_Energy(world, index));
    return ctBody_IdOf(world, index);
}

int ctBody_ToChange(const ctWorld *world, ctBodyId body, ctError *error)
{
    if (!ctWorld_MayChange(world, error)) {
        return -1;
    }
    int index = ctBody_Resolve(world, body);
    if (index < 0) {
        ctFail(error, ct_badArgument, "there is no such body");
    }
    return index;
}

bool ctWorld_DestroyBody(ctWorld *world, ctBodyId body, ctError *error)
{
    int index = ctBody_ToChange(world, body, error);
    if (index < 0 || !ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctBody_Advance(world, index);
    ctEnergy_Settle(world, index);
    ctEnergy_Give(world, index, -ctBody_Energy(world, index));
    ctWorld_DismissBody(world, index);
    giveSlot(world, index);
    return true;
}

int ctWorld_GetBodyCount(const ctWorld *world)
{
    return world->bodyCount;
}

ctBodyId ctWorld_GetBody(const ctWorld *world, int ordinal)
{
    return ordinal >= 0 && ordinal < world->bodyCount ? ctBody_IdOf(world, world->order[ordinal]) : (ctBodyId){0};
}

ctBodyId ctWorld_FindBody(const ctWorld *world, const char *name)
{
    for (int i = 0; name != NULL && i < world->bodyCount; i++) {
        const char *own = world->infos[world->order[i]].name;
        if (own != NULL && strcmp(own, name) == 0) {
            return ctBody_IdOf(world, world->order[i]);
        }
    }
    return (ctBodyId){0};
}

// ---- changes between steps --------------------------------------------------------------------

bool ctBody_SetVelocity(ctWorld *world, ctBodyId id, ctVec3 velocity, ctVec3 spin, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    ctBodyDef def = ctDefaultBodyDef();
    def.motion = world->infos[index].motion;
    def.velocity = velocity;
    def.spin = spin;
    if (!checkMotion(&def, error)) {
        return false;
    }
    if (world->infos[index].route != NULL) {
        return ctFail(error, ct_badArgument, "the body has a path, which gives it its velocity");
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctContact_Wake(world, index);
    ctBody_Advance(world, index);
    double energy = ctBody_Energy(world, index);
    // What the rest of a pile's step still adds is in the velocities already.
    ctBody *body = &world->bodies[index];
    ctBodyState seen = ctBody_SeenState(world, index);
    body->v = ctAdd(velocity, ctSub(body->v, seen.v));
    body->w = ctAdd(spin, ctSub(body->w, seen.w));
    ctEnergy_Give(world, index, ctBody_Energy(world, index) - energy);
    ctContact_Strike(world, index);
    ctContact_Jolt(world, index);
    return ctWorld_Announce(world, index, error);
}

bool ctBody_SetMaterial(ctWorld *world, ctBodyId id, ctMaterialId material, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    if (material.index < 0 || material.index >= world->materialCount) {
        return ctFail(error, ct_badArgument, "there is no material %d", material.index);
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    world->infos[index].material = material.index;
    if (world->bodies[index].terrain) {
        ctTiles_Refresh(world, index);
    }
    ctContact_Wake(world, index);
    return true;
}

bool ctBody_ApplyImpulse(ctWorld *world, ctBodyId id, ctVec3 impulse, ctVec3 point, ctError *error)
{
    int index = ctBody_ToChange(world, id, error);
    if (index < 0) {
        return false;
    }
    ctBody *body = &world->bodies[index];
    if (!ctBody_IsMovable(body)) {
        return ctFail(error, ct_badArgument, "an impulse needs a dynamic body");
    }
    if (!isDefined3(impulse) || !isDefined3(point)) {
        return ctFail(error, ct_badArgument, "impulse and point must be finite");
    }
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    ctMat3 inverse = ctInertia_WorldInverse(&world->infos[index].inertia, s.q);
    ctVec3 spin = ctAdd(s.w, ctMulMV(inverse, ctCross(ctSub(point, s.x), impulse)));
    if (!(ctLength(ctMulAdd(s.v, body->invMass, impulse)) <= 1e9 && ctLength(spin) <= CT_MAX_SPIN)) {
        return ctFail(error, ct_badArgument, "the impulse is too large for this body");
    }
    if (!ctContact_EndStep(world, index, error)) {
        return false;
    }
    ctContact_Wake(world, index);
    ctBody_Advance(world, index);
    double energy = ctBody_Energy(world, index);
    ctBody_Push(world, index, impulse, point);
    ctEnergy_Give(world, index, ctBody_Energy(world, index) - energy);
    ctContact_Strike(world, index);
    ctContact_Jolt(world, index);
    return ctWorld_Announce(world, index, error);
}

void ctBody_Wake(ctWorld *world, ctBodyId body)
{
    int index = ctBody_Resolve(world, body);
    if (index >= 0 && !world->stepping) {
        ctContact_Wake(world, index);
    }
}
