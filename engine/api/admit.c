// Bodies enter the world and leave it.
#include "engine/api/api_internal.h"
#include "engine/gas/gas.h"

typedef struct Overlap {
    ctWorld *world;
    int body, other;
    double depth;
    // A body that is in the world already, as it was: it may overlap others by what contact leaves. Else NULL.
    const ctBody *old;
    const ctBodyInfo *oldInfo;
} Overlap;

// The depth of the overlap that the body had with another before it changed.
static double formerDepth(const Overlap *o, int other)
{
    ctWorld *world = o->world;
    if (o->old == NULL || o->old->sensor || !(ctBody_IsMovable(o->old) || ctBody_IsMovable(&world->bodies[other]))) {
        return 0.0;
    }
    ctBody body = world->bodies[o->body];
    ctBodyInfo info = world->infos[o->body];
    world->bodies[o->body] = *o->old;
    world->infos[o->body] = *o->oldInfo;
    double depth = ctBodies_MayMeet(world, other, o->body) ? -ctBodies_Distance(world, o->body, other) : 0.0;
    world->bodies[o->body] = body;
    world->infos[o->body] = info;
    return depth;
}

static bool testOverlap(void *context, int other)
{
    Overlap *o = context;
    ctWorld *world = o->world;
    if (other == o->body || world->bodies[other].sensor ||
        (!ctBody_IsMovable(&world->bodies[other]) && !ctBody_IsMovable(&world->bodies[o->body])) ||
        !ctBodies_MayMeet(world, other, o->body)) {
        return true;
    }
    double depth = -ctBodies_Distance(world, o->body, other);
    const ctBody *a = &world->bodies[o->body], *b = &world->bodies[other];
    double size = a->plane ? b->radius : ctBodies_Size(a, b);
    double scale = ctMaxElement(ctAbs(a->x)) + size;
    double rounding = CT_EQUAL * size + 1e-14 * scale;
    if (depth > rounding && depth > formerDepth(o, other) + rounding) {
        o->other = other;
        o->depth = depth;
        return false;
    }
    return true;
}

static const char *nameOf(const ctWorld *world, int index)
{
    const char *name = world->infos[index].name;
    return name != NULL ? name : "(no name)";
}

// A plane is tested with every body, any other shape with those whose boxes meet its own. old, oldInfo: see Overlap.
static bool checkOverlap(ctWorld *world, int index, const ctBody *old, const ctBodyInfo *oldInfo, ctError *error)
{
    const ctBody *body = &world->bodies[index];
    Overlap o = {world, index, -1, 0.0, old, oldInfo};
    if (body->sensor) {
        return true;
    }
    if (body->plane) {
        for (int i = 0; i < world->bodyCount && testOverlap(&o, world->order[i]); i++) {
        }
    } else {
        ctPose pose = ctBody_Pose(world, body);
        ctBox box;
        ctShape_Bounds(ctBody_Shape(world, index), &pose, &box.lo, &box.hi);
        ctBroadphase_QueryBox(world->broadphase, box, testOverlap, &o);
    }
    if (o.other >= 0) {
        return ctFail(error, ct_badArgument, "the body overlaps body %d, %s, by %g m",
                      world->infos[o.other].ordinal + 1, nameOf(world, o.other), o.depth);
    }
    return true;
}

static bool admit(ctWorld *world, int index, ctError *error)
{
    ctWorld_StartBox(world, index);
    ctPairSink sink = ctWorld_PairSink(world);
    bool ok = ctWorld_EnterBroadphase(world, index, &sink, error) &&
              (ctGas_Enter(world, index) || ctWorld_UpdateBox(world, index, true, error));
    if (ok && !ctWorld_ScheduleFresh(world)) {
        ok = ctFailMemory(error, "the pairs of a body");
    }
    if (!ok) {
        ctGas_Forget(world, index);
        ctAgenda_Remove(&world->boxAgenda, index);
        ctWorld_LeaveBroadphase(world, index, ctContact_Leave);
        world->outOfMemory = false;
        return false;
    }
    return true;
}

bool ctWorld_AdmitBody(ctWorld *world, int index, ctError *error)
{
    return checkOverlap(world, index, NULL, NULL, error) && admit(world, index, error);
}

void ctWorld_DismissBody(ctWorld *world, int index)
{
    // ctContact_End wakes what rested on it.
    ctContact_Forget(world, index);
    ctGas_Forget(world, index);
    ctAgenda_Remove(&world->boxAgenda, index);
    ctWorld_LeaveBroadphase(world, index, ctContact_Leave);
}

bool ctWorld_Readmit(ctWorld *world, int index, const ctBody *body, const ctBodyInfo *info, ctError *error)
{
    ctBody old = world->bodies[index];
    ctBodyInfo oldInfo = world->infos[index];
    world->bodies[index] = *body;
    world->infos[index] = *info;
    bool free = checkOverlap(world, index, &old, &oldInfo, error);
    world->bodies[index] = old;
    world->infos[index] = oldInfo;
    if (!free) {
        return false;
    }
    ctBody_Advance(world, index);
    ctRoll_Drop(world, index);
    ctEnergy_Settle(world, index);
    double energy = ctBody_Energy(world, index), path = world->bodies[index].path;
    ctWorld_DismissBody(world, index);
    ctTally tally = world->infos[index].tally;
    world->bodies[index] = *body;
    world->infos[index] = *info;
    world->bodies[index].path = path;
    world->bodies[index].island = -1;
    world->bodies[index].contactPairs = 0;
    world->infos[index].tally = tally;
    world->infos[index].still = 0.0;
    if (body->plane) {
        ctBody_UpdatePlane(world, index);
    }
    ctBody_UpdateBounds(world, index);
    ctEnergy_Give(world, index, ctBody_Energy(world, index) - energy);
    return admit(world, index, error);
}

bool ctWorld_Announce(ctWorld *world, int index, ctError *error)
{
    ctGas_CourseChanged(world, index);
    return !world->outOfMemory || ctFailMemory(error, "pairs of bodies");
}

bool ctWorld_AllCoursesChanged(ctWorld *world, ctError *error)
{
    for (int i = 0; i < world->bodyCount; i++) {
        if (!ctWorld_Announce(world, world->order[i], error)) {
            return false;
        }
    }
    return true;
}
