// The bodies of a snapshot.
#include "collision/memory.h"
#include "engine/api/api_internal.h"
#include "engine/api/snapshot.h"
#include "engine/gas/tunables.h"

#include <stdlib.h>
#include <string.h>

static void archiveInertia(ctArchive *ar, ctInertia *inertia)
{
    int kind = (int)inertia->kind;
    ctArchive_Vec3(ar, &inertia->principal);
    ctArchive_Vec3(ar, &inertia->inversePrincipal);
    ctArchive_Quat(ar, &inertia->frame);
    ctArchive_Mat3(ar, &inertia->axes);
    ctArchive_Enum(ar, &kind, 3, "an inertia");
    ctArchive_Index(ar, &inertia->axis, 0, 3);
    ctArchive_Vec3(ar, &inertia->bodyAxis);
    ctArchive_Finite(ar, &inertia->along);
    ctArchive_Finite(ar, &inertia->across);
    inertia->kind = (ctInertiaKind)kind;
}

static void archiveKnot(ctArchive *ar, ctPathKnot *knot)
{
    ctArchive_Finite(ar, &knot->time);
    ctArchive_Vec3(ar, &knot->p);
    ctArchive_Vec3(ar, &knot->v);
    ctArchive_Quat(ar, &knot->q);
    ctArchive_Vec3(ar, &knot->w);
    double q2 = knot->q.w * knot->q.w + knot->q.x * knot->q.x + knot->q.y * knot->q.y + knot->q.z * knot->q.z;
    ctArchive_Check(ar, fabs(q2 - 1.0) < 1e-6, "a path");
}

// The path of a kinematic body: none, or at least two points by ascending time.
static void archiveRoute(ctArchive *ar, ctBodyInfo *info)
{
    int count = info->route != NULL ? info->route->count : 0;
    ctArchive_Count(ar, &count, 14 * 8);
    if (!ar->writing && (count == 0 || !ctArchive_Check(ar, count >= 2, "a path"))) {
        return;
    }
    if (!ar->writing) {
        info->route = ctAllocate(1, sizeof *info->route);
        ctPathKnot *knots = info->route != NULL ? ctAllocate((size_t)count, sizeof *knots) : NULL;
        if (!ctArchive_CheckMemory(ar, knots != NULL)) {
            ctFree(info->route);
            info->route = NULL;
            return;
        }
        *info->route = (ctPath){count, false, knots};
    }
    for (int i = 0; i < count; i++) {
        ctPathKnot *knot = &info->route->knots[i];
        archiveKnot(ar, knot);
        ctArchive_Check(ar, i == 0 || knot->time - knot[-1].time >= 0.9e-6, "a path");
    }
    if (count > 0) {
        ctArchive_Bool(ar, &info->route->loop);
    }
}

static void archiveInfo(ctWorld *world, ctArchive *ar, ctBodyInfo *info)
{
    int motion = (int)info->motion;
    ctArchive_Index(ar, &info->ordinal, 0, world->bodySlots);
    ctArchive_Index(ar, &info->shape, 0, world->shapeCount);
    ctArchive_Index(ar, &info->material, 0, world->materialCount);
    ctArchive_Text(ar, &info->name);
    ctArchive_Enum(ar, &motion, 3, "a motion");
    ctArchive_Finite(ar, &info->mass);
    ctArchive_Vec3(ar, &info->center);
    archiveInertia(ar, &info->inertia);
    ctArchive_U64(ar, &info->userData);
    ctArchive_U64(ar, &info->filter.category);
    ctArchive_U64(ar, &info->filter.mask);
    ctVec3 *forces[] = {&info->force, &info->torque,       &info->stepForce, &info->stepTorque,
                        &info->pull,  &info->drive.torque, &info->surface,   &info->surfaceSpin};
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++) {
        ctArchive_Vec3(ar, forces[i]);
    }
    ctArchive_Finite(ar, &info->drive.drag);
    ctArchive_Finite(ar, &info->drive.turning);
    ctArchive_Finite(ar, &info->stray);
    archiveRoute(ar, info);
    ctSnapshot_Tally(ar, &info->tally);
    ctArchive_Finite(ar, &info->still);
    info->motion = (ctMotionType)motion;
}

static void archiveMotion(ctArchive *ar, ctBody *body, bool *struck)
{
    double *numbers[] = {&body->t,        &body->invMass, &body->radius,     &body->wMax,
                         &body->alphaMax, &body->path,    &body->invInertia, &body->microTime};
    ctVec3 *vectors[] = {&body->x, &body->v, &body->a, &body->w, &body->alpha};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ctArchive_Finite(ar, numbers[i]);
    }
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        ctArchive_Vec3(ar, vectors[i]);
    }
    ctArchive_Quat(ar, &body->q);
    double *box[] = {&body->box.lo.x, &body->box.lo.y, &body->box.lo.z,
                     &body->box.hi.x, &body->box.hi.y, &body->box.hi.z};
    for (int i = 0; i < 6; i++) {
        ctArchive_F64(ar, box[i]);
    }
    ctArchive_Bool(ar, &body->ball);
    ctArchive_Bool(ar, &body->plane);
    ctArchive_Bool(ar, struck);
    ctArchive_Bool(ar, &body->sensor);
    ctArchive_Bool(ar, &body->choosy);
    ctArchive_Bool(ar, &body->driven);
}

// Whether moments, their inverses and axes are consistent.
static bool isInertia(const ctInertia *inertia)
{
    ctVec3 unit = ctMul(inertia->principal, inertia->inversePrincipal);
    ctMat3 frame = ctMulMM(ctTranspose(inertia->axes), inertia->axes);
    ctVec3 off = ctAdd(ctAdd(ctAbs(ctSub(frame.cx, ctV3(1, 0, 0))), ctAbs(ctSub(frame.cy, ctV3(0, 1, 0)))),
                       ctAbs(ctSub(frame.cz, ctV3(0, 0, 1))));
    ctVec3 moments = inertia->principal;
    double largest = ctMaxElement(moments), sum = moments.x + moments.y + moments.z;
    return ctMinElement(moments) > 0.0 && ctMaxElement(ctAbs(ctSub(unit, ctV3(1, 1, 1)))) < 1e-9 &&
           ctMaxElement(off) < 1e-9 && 2.0 * largest <= sum * (1.0 + 1e-9) &&
           (inertia->kind == ct_inertiaGeneral || (inertia->along > 0.0 && inertia->across > 0.0));
}

// A tumbling body in flight is advanced at least as often as its box is renewed.
static bool isRecent(const ctWorld *world, const ctBody *body)
{
    return body->mode == ct_modeFixed || body->mode == ct_modeAsleep || body->ball ||
           world->now - body->t <= 2.0 * CT_BOX_FRAMES;
}

// Whether the data that follows from the shape and the mass is consistent with them.
static bool isDerived(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    const ctShape *shape = ctBody_Shape(world, index);
    bool dynamic = info->motion == ct_motionDynamic, plane = shape->type == ct_shapePlane;
    bool spherical = dynamic && info->inertia.kind == ct_inertiaSpherical;
    double shift = ctDistance(info->center, shape->unit.center);
    return body->plane == plane && (!plane || !dynamic) && body->radius == (plane ? 0.0 : shape->boundRadius + shift) &&
           body->ball == (shape->type == ct_shapeSphere && shift == 0.0 && !body->sensor && !body->driven) &&
           (!body->sensor || !dynamic) && body->choosy == ctFilter_IsChoosy(info->filter) &&
           body->invMass == (dynamic ? 1.0 / info->mass : 0.0) &&
           body->invInertia == (spherical ? info->inertia.inversePrincipal.x : 0.0);
}

// Whether a world can reach this place and motion. Impacts may spin a grain faster than the program may, and the bound
// of its spin grows by its angular acceleration until the next step.
static bool isReachable(const ctBody *body)
{
    return ctLength(body->x) < 1e15 && ctLength(body->v) < 1e12 && ctLength(body->a) < 1e15 &&
           ctLength(body->w) < 1e12 && body->wMax >= 0.0 && body->wMax < 1e21 && ctLength(body->alpha) < 1e21 &&
           body->alphaMax >= 0.0 && body->alphaMax < 1e24;
}

// Whether a program can give these forces, and whether the derived data is consistent with them.
static bool areForces(const ctBody *body, const ctBodyInfo *info)
{
    ctBody same = *body;
    ctBodyInfo again = *info;
    ctForces_Derive(&same, &again, NULL);
    bool kinematic = info->motion == ct_motionKinematic && body->driven == (info->route != NULL);
    bool none = ctDrive_IsNone(&info->drive) && ctLengthSquared(info->pull) == 0.0 && info->stray >= 0.0 &&
                (kinematic || (info->route == NULL && !body->driven));
    return ctDistance(again.pull, info->pull) == 0.0 && ctDistance(again.drive.torque, info->drive.torque) == 0.0 &&
           info->drive.drag >= 0.0 && info->drive.drag <= CT_MAX_DRAG && info->drive.turning >= 0.0 &&
           info->drive.turning <= CT_MAX_DRAG && ctLength(info->pull) <= CT_MAX_PULL &&
           ctLength(info->surface) <= CT_MAX_SURFACE && ctLength(info->surfaceSpin) <= CT_MAX_SURFACE &&
           (body->invMass > 0.0 ? (body->driven || ctDrive_IsNone(&info->drive)) && info->route == NULL : none);
}

// Checks what a damaged but well-formed body could break.
static bool isSound(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    bool dynamic = info->motion == ct_motionDynamic;
    bool mode = dynamic ? body->mode <= ct_modeAsleep || ctBody_IsStruck(body) || ctBody_IsInGas(body)
                        : body->mode == (info->motion == ct_motionFixed ? ct_modeFixed : ct_modeKinematic);
    double q2 = body->q.w * body->q.w + body->q.x * body->q.x + body->q.y * body->q.y + body->q.z * body->q.z;
    bool inside =
        body->box.lo.x <= body->box.hi.x && body->box.lo.y <= body->box.hi.y && body->box.lo.z <= body->box.hi.z;
    bool moments = !dynamic || (isInertia(&info->inertia) && info->mass > 0.0);
    return mode && isRecent(world, body) && body->t <= world->now && body->t >= 0.0 && fabs(q2 - 1.0) < 1e-6 &&
           inside && moments && isDerived(world, index) && isReachable(body) && areForces(body, info);
}

// The events of a ball of the gas.
static void archiveMember(ctWorld *world, ctArchive *ar, int index)
{
    ctGasBall *g = &world->gas.balls[index];
    ctBody *body = &world->bodies[index];
    bool member = ctBody_IsInGas(body);
    ctArchive_Bool(ar, &member);
    if (!member) {
        return;
    }
    ctArchive_Check(ar, ctBody_IsFlying(body), "a cell");
    body->mode = ct_modeGas;
    int axis = g->axis, way = g->way, room = g->room;
    ctArchive_F64(ar, &g->hit);
    ctArchive_F64(ar, &g->cross);
    ctArchive_Index(ar, &g->partner, -1, world->bodySlots);
    ctArchive_Finite(ar, &g->partnerTime);
    ctArchive_U32(ar, &g->slowStep);
    ctArchive_U8(ar, &g->slow);
    for (int i = 0; i < 3; i++) {
        int home = g->cell[i] - g->away[i];
        ctArchive_I32(ar, &g->cell[i]);
        ctArchive_I32(ar, &home);
        ctArchive_Check(ar, abs(g->cell[i]) <= (int)CT_GAS_FARTHEST && abs(home) <= (int)CT_GAS_FARTHEST, "a cell");
        ctArchive_Check(ar, abs(g->cell[i] - home) <= CT_GAS_ROOM + 1, "a box of cells");
        g->away[i] = (int8_t)(g->cell[i] - home);
    }
    ctArchive_Index(ar, &room, -1, CT_GAS_ROOM + 1);
    ctArchive_Index(ar, &axis, 0, 3);
    ctArchive_Index(ar, &way, -1, 2);
    g->axis = (int8_t)axis;
    g->way = (int8_t)way;
    g->room = (int8_t)room;
}

// The table of the gas follows from its size and the members' cells.
static void archiveGas(ctWorld *world, ctArchive *ar)
{
    ctGas *gas = &world->gas;
    ctArchive_Finite(ar, &gas->side);
    ctArchive_I32(ar, &gas->places);
    ctArchive_I32(ar, &gas->refused);
    ctArchive_I32(ar, &gas->known);
}

// Slots of tiles have modes of their own in snapshots.
enum { TILE_MODE = ct_modeKinematic + 1, FREE_TILE_MODE, MODES };

// The triangles that a tile leaves out, and the turns of a ball that rides. Before version 13 terrains had no side that
// bodies pass.
static void archivePassed(ctArchive *ar, ctTile *w)
{
    w->watch = ar->writing ? w->watch : (double)INFINITY;
    if (ar->version < 13) {
        return;
    }
    int count = w->passedCount;
    ctArchive_Count(ar, &count, 4);
    if (!ar->writing &&
        !ctArchive_CheckMemory(ar, ctReserve((void **)&w->passed, &w->passedCapacity, count, sizeof(int)))) {
        return;
    }
    w->passedCount = count;
    for (int i = 0; i < count; i++) {
        ctArchive_Index(ar, &w->passed[i], i > 0 ? w->passed[i - 1] + 1 : 0, CT_TERRAIN_TRIANGLES);
    }
    ctArchive_F64(ar, &w->watch);
    ctArchive_Index(ar, &w->patience, 0, INT32_MAX);
    ctArchive_Index(ar, &w->turns, 0, INT32_MAX);
    ctArchive_Vec3(ar, &w->turnPlace);
}

// The content of a tile follows from its box; the body and the terrain from the indices.
static void archiveTile(ctWorld *world, ctArchive *ar, int index)
{
    ctBody *body = &world->bodies[index];
    ctBodyInfo *info = &world->infos[index];
    if (!ar->writing) {
        info->tile = ctAllocate(1, sizeof *info->tile);
        if (!ctArchive_CheckMemory(ar, info->tile != NULL)) {
            return;
        }
        body->mode = ct_modeFixed;
        body->island = -1;
        body->courseEnd = INFINITY;
        info->motion = ct_motionFixed;
    }
    ctTile *w = info->tile;
    double *numbers[] = {&body->t,     &body->microTime, &w->box.lo.x, &w->box.lo.y,
                         &w->box.lo.z, &w->box.hi.x,     &w->box.hi.y, &w->box.hi.z};
    ctArchive_Index(ar, &w->terrain, 0, world->bodySlots);
    ctArchive_Index(ar, &w->body, 0, world->bodySlots);
    ctArchive_Bool(ar, &w->front);
    ctArchive_Index(ar, &w->ride, -1, CT_TERRAIN_TRIANGLES);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        ctArchive_Finite(ar, numbers[i]);
    }
    archivePassed(ar, w);
    bool box = w->box.lo.x <= w->box.hi.x && w->box.lo.y <= w->box.hi.y && w->box.lo.z <= w->box.hi.z;
    ctArchive_Check(ar, box && body->t >= 0.0 && body->t <= world->now, "a tile");
}

static bool isFreeTile(const ctWorld *world, int index)
{
    return world->bodies[index].mode == ct_modeFree && world->infos[index].generation == 0;
}

// After all bodies have been read: fills the tiles. The list of free tiles begins with the one that no other points to.
static void openTiles(ctWorld *world, ctArchive *ar)
{
    int free = 0;
    int64_t sum = 0;
    for (int i = 0; i < world->bodySlots && !ar->failed; i++) {
        const ctTile *w = world->infos[i].tile;
        if (isFreeTile(world, i)) {
            free++;
            sum += i - world->bodies[i].island;
        }
        world->tileSlots += w != NULL || isFreeTile(world, i);
        if (w != NULL) {
            bool known = world->bodies[w->terrain].terrain && ctBody_IsMovable(&world->bodies[w->body]) &&
                         world->infos[w->body].tile == NULL &&
                         (w->ride < 0 || (world->bodies[w->body].ball &&
                                          w->ride < ctBody_Shape(world, w->terrain)->u.terrain->triangleCount));
            if (ctArchive_Check(ar, known, "a tile")) {
                ctArchive_CheckMemory(ar, ctTile_Fill(world, i));
            }
        }
    }
    world->freeTile =
        // each but the first is pointed to by one, and the last points to -1
        (int)(sum > world->bodySlots ? -1 : sum - 1);
    int at = world->freeTile;
    for (; at >= 0 && at < world->bodySlots && free > 0 && isFreeTile(world, at); at = world->bodies[at].island) {
        free--;
    }
    ctArchive_Check(ar, free == 0 && at == -1, "the tiles");
}

static void archiveBody(ctWorld *world, ctArchive *ar, int index)
{
    ctBody *body = &world->bodies[index];
    bool struck = ctBody_IsStruck(body); // stored apart, as membership of the gas
    int mode = struck ? (int)ct_modeContact : ctBody_IsInGas(body) ? (int)ct_modeFlying : (int)body->mode;
    mode = world->infos[index].tile != NULL ? TILE_MODE : isFreeTile(world, index) ? FREE_TILE_MODE : mode;
    ctArchive_Enum(ar, &mode, MODES, "a mode");
    if (mode == TILE_MODE) {
        archiveTile(world, ar, index);
        return;
    }
    if (!ar->writing) {
        body->mode = (ctBodyMode)(mode == FREE_TILE_MODE ? (int)ct_modeFree : mode);
    }
    if (mode == FREE_TILE_MODE) {
        ctArchive_Index(ar, &body->island, -1, world->bodySlots);
        return;
    }
    ctArchive_U32(ar, &world->infos[index].generation);
    ctArchive_I32(ar, &body->island);
    if (body->mode == ct_modeFree) {
        ctArchive_Check(ar, body->island >= -1 && body->island < world->bodySlots, "a free body");
        return;
    }
    ctArchive_Check(ar, body->island >= -1, "an island");
    archiveMotion(ar, body, &struck);
    body->mode = struck && body->mode == ct_modeContact ? ct_modeStruck : body->mode;
    archiveInfo(world, ar, &world->infos[index]);
    double boxTime = ar->writing ? ctAgenda_Time(&world->boxAgenda, index) : 0.0;
    ctArchive_F64(ar, &boxTime);
    archiveMember(world, ar, index);
    if (!ar->writing && !ar->failed) {
        ctAgenda_Set(&world->boxAgenda, index, boxTime);
        ctArchive_Check(ar, isSound(world, index), "a body");
        const ctBodyInfo *info = &world->infos[index];
        world->belted = world->belted || ctLengthSquared(info->surface) + ctLengthSquared(info->surfaceSpin) > 0.0;
        world->pulled = world->pulled || ctLengthSquared(info->pull) > 0.0;
        world->pushed = world->pushed || ctLengthSquared(info->stepForce) + ctLengthSquared(info->stepTorque) > 0.0;
        if (!ar->failed && body->plane) {
            ctBody_UpdatePlane(world, index);
        }
        body->terrain = !ar->failed && ctBody_Shape(world, index)->type == ct_shapeTerrain;
        world->terrainCount += body->terrain;
    }
}

static bool reserveBodies(ctWorld *world, int slots, int count)
{
    if (slots == 0) {
        return true;
    }
    if (!ctReserveAligned((void **)&world->bodies, &world->bodyCapacity, slots, sizeof(ctBody)) ||
        !ctReserveAligned((void **)&world->infos, &world->infoCapacity, slots, sizeof(ctBodyInfo)) ||
        !ctReserve((void **)&world->order, &world->orderCapacity, count + 1, sizeof(int)) ||
        !ctAgenda_Reserve(&world->boxAgenda, slots) || !ctGas_Reserve(&world->gas, slots)) {
        return false;
    }
    memset(world->bodies, 0, (size_t)slots * sizeof(ctBody));
    memset(world->infos, 0, (size_t)slots * sizeof(ctBodyInfo));
    world->bodySlots = slots;
    return true;
}

// Whether the ordinals are a permutation, and the free list holds every free slot once.
static bool checkOrder(ctWorld *world)
{
    for (int i = 0; i < world->bodyCount; i++) {
        world->order[i] = -1;
    }
    int live = 0;
    int free = 0;
    for (int i = 0; i < world->bodySlots; i++) {
        free += world->bodies[i].mode == ct_modeFree && !isFreeTile(world, i);
        if (world->bodies[i].mode != ct_modeFree && world->infos[i].tile == NULL) {
            int ordinal = world->infos[i].ordinal;
            if (ordinal >= world->bodyCount || world->order[ordinal] >= 0) {
                return false;
            }
            world->order[ordinal] = i;
            live++;
        }
    }
    int at = world->freeBody;
    for (; at >= 0 && free > 0; at = world->bodies[at].island, free--) {
        if (world->bodies[at].mode != ct_modeFree) {
            return false;
        }
    }
    return live == world->bodyCount && free == 0 && at < 0;
}

void ctSnapshot_Bodies(ctWorld *world, ctArchive *ar)
{
    int slots = world->bodySlots;
    ctArchive_Count(ar, &slots, 12);
    ctArchive_Index(ar, &world->bodyCount, 0, slots + 1);
    ctArchive_Index(ar, &world->freeBody, -1, slots);
    if (!ar->writing && !ctArchive_CheckMemory(ar, reserveBodies(world, slots, world->bodyCount))) {
        world->bodyCount = 0;
        return;
    }
    archiveGas(world, ar);
    for (int i = 0; i < slots && !ar->failed; i++) {
        archiveBody(world, ar, i);
    }
    if (!ar->writing && !ar->failed) {
        ctArchive_Check(ar, checkOrder(world), "the order of bodies");
        openTiles(world, ar);
    }
}
