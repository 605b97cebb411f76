// Puts the points of an island into the solver's arrays; points that hit hard become impacts, or wait for their time.
#include "engine/contact/step/step.h"

#include "collision/memory.h"

// The slot of a body in the solver's arrays, made now if it has none; -1 when memory is short.
static int slotOf(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctContactBody *b = &c->bodies[index];
    bool member = ctBody_IsAwake(world, index); // others may be met by several islands at once
    if (member && b->stamp == c->stamp) {
        return b->slot;
    }
    int slot = c->solverBodyCount;
    for (int i = slot; i > 0 && !member; i--) {
        if (c->slotBody[i - 1] == index) {
            return i - 1;
        }
    }
    if (!ctReserve((void **)&c->solverBodies, &c->solverBodyCapacity, slot + 1, sizeof(ctSolverBody)) ||
        !ctReserve((void **)&c->slotBody, &c->slotBodyCapacity, slot + 1, sizeof(int))) {
        return -1;
    }
    const ctBody *body = &world->bodies[index];
    c->solverBodies[slot] = ctBody_ForSolver(world, body);
    if (body->mode == ct_modeAsleep) {
        c->solverBodies[slot].invMass = 0.0;
    }
    ctBody_AddBelt(world, index, &c->solverBodies[slot].v, &c->solverBodies[slot].w);
    c->slotBody[slot] = index;
    c->solverBodyCount++;
    if (member) {
        b->stamp = c->stamp;
        b->slot = slot;
    }
    return slot;
}

static double elapsed(const ctWorld *world, int index)
{
    return ctBody_IsMovable(&world->bodies[index]) ? world->now - world->contacts->bodies[index].base : INFINITY;
}

static bool addPoint(ctWorld *world, int recordIndex, int pointIndex, const ctCoefficients *material)
{
    ctContacts *c = world->contacts;
    const ctContactRecord *record = &c->records[recordIndex];
    const ctContactPoint *point = &record->points[pointIndex];
    int n = c->solverPointCount;
    if (!ctReserve((void **)&c->solverPoints, &c->solverPointCapacity, n + 1, sizeof(ctSolverPoint)) ||
        !ctReserve((void **)&c->refs, &c->refCapacity, n + 1, sizeof(ctPointRef))) {
        return false;
    }
    ctSolverPoint *p = &c->solverPoints[n];
    *p = (ctSolverPoint){.a = slotOf(world, record->a), .b = slotOf(world, record->b), .n = point->n};
    if (p->a < 0 || p->b < 0) {
        return false;
    }
    p->ra = ctSub(point->pointA, world->bodies[record->a].x);
    p->rb = ctSub(point->pointB, world->bodies[record->b].x);
    p->mu = material->friction;
    p->rolling = material->rolling;
    p->spinning = material->spinning;
    c->refs[n] = (ctPointRef){.record = recordIndex,
                              .point = pointIndex,
                              .dt = ctFmin(elapsed(world, record->a), elapsed(world, record->b)),
                              .size = ctContact_PairSize(world, record->a, record->b)};
    c->solverPointCount++;
    return true;
}

// Whether the point hits hard, and is a case for an impact and not for the solver. A bearing point does, unless
// something has struck the body, where the body has turned onto another part of itself: a coin that slaps down.
static bool isHard(ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, double size,
                   double *closing, ctIslandStep *step)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctVec3 u = ctSub(ctBody_PointVelocity(a, point->pointA), ctBody_PointVelocity(b, point->pointB));
    *closing = -ctDot(u, point->n);
    step->speed = ctFmax(step->speed, ctMaxElement(ctAbs(u)));
    bool bears = ctLengthSquared(point->force) > 0.0;
    ctGraze graze = ctContact_Graze(world, record, point, u);
    step->curved = step->curved || graze == ct_grazeGoesOn;
    step->lands = step->lands || (graze != ct_grazeGoesOn && *closing > CT_SLIDING_SPEED * step->fall);
    return *closing > ctPair_ImpactSpeed(world, &world->pairs[record->pair]) && graze == ct_grazeNone &&
           (!bears ||
            (point->gap <= CT_POINT_TOUCH * size && !ctContactBody_IsStruck(a) && !ctContactBody_IsStruck(b)));
}

bool ctContact_AddImpact(ctContacts *c, int pair)
{
    if (c->impactCount > 0 && c->impactPairs[c->impactCount - 1] == pair) {
        return true;
    }
    if (!ctReserve((void **)&c->impactPairs, &c->impactCapacity, c->impactCount + 1, sizeof(int))) {
        return false;
    }
    c->impactPairs[c->impactCount++] = pair;
    return true;
}

// The speed at which a point may close its gap. A bearing point does not: pushOut closes its gap, because the points of
// a jammed body could demand speeds that it cannot have.
static double targetOf(const ctContactPoint *point, bool hard, double size, double length)
{
    if (point->gap <= 0.0) {
        return 0.0;
    }
    bool near = point->gap <= CT_CONTACT_MARGIN * size;
    if (near && point->known && ctLengthSquared(point->force) > 0.0) {
        return 0.0;
    }
    return (hard || !near ? -1.0 : -CT_PUSH_OUT) * point->gap / length;
}

// How the geometry of a contact has changed since the last step, if that was longer ago than shortest (s).
static void measureMotion(const ctWorld *world, ctContactRecord *record, ctVec3 normal, double shortest)
{
    double dt = ctFmin(elapsed(world, record->a), elapsed(world, record->b));
    if (!(dt > shortest)) {
        return;
    }
    const ctBody *a = &world->bodies[record->a];
    bool smooth = a->ball || (ctContact_IsSmooth(ctBody_Shape(world, record->a)) &&
                              !ctContact_IsOnEdge(world, record, record->normal));
    record->bending = record->fresh ? 0.0 : ctDistance(normal, record->normal) / dt;
    record->running = 0.0;
    for (int i = 0; i < record->count && ctBody_IsMovable(a) && !smooth; i++) {
        const ctContactPoint *p = &record->points[i];
        if (p->known) {
            // Along the normal the solver has moved the ends of arms (ctSolver_Align).
            ctVec3 way = ctSub(ctSub(p->pointA, a->x), p->armA);
            double moved = ctLength(ctMulAdd(way, -ctDot(way, p->n), p->n));
            record->running = ctFmax(record->running, moved / (ctLength(p->armA) * dt));
        }
    }
}

// A point that takes no part in the step is nevertheless where it is now.
static void setArms(const ctWorld *world, const ctContactRecord *record, ctContactPoint *point)
{
    point->armA = ctSub(point->pointA, world->bodies[record->a].x);
    point->armB = ctSub(point->pointB, world->bodies[record->b].x);
}

// Puts the points of one record into the solver, into an impact, or lets them wait.
bool ctIslandStep_GatherRecord(ctWorld *world, int recordIndex, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    ctContactRecord *record = &c->records[recordIndex];
    ctVec3 normal = record->normal;
    bool found = record->fresh && step->length == step->regular; // by ctIsland_Step, just before
    if (!found && !ctContact_UpdatePoints(world, record, step->length, 0.0, true)) {
        return false;
    }
    measureMotion(world, record, normal, CT_SHORTEST_STEP * step->length);
    ctCoefficients material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    double size = ctContact_PairSize(world, record->a, record->b);
    step->changed = step->changed || record->lost;
    record->lost = record->fresh = record->piled = false;
    record->ended = record->count == 0 && !record->covered;
    const ctTile *tile = world->infos[record->b].tile;
    step->curved = step->curved || (record->count == 0 && tile != NULL && tile->facet < 0);
    if (record->ended) {
        if (!ctReserve((void **)&c->ended, &c->endedCapacity, c->endedCount + 1, sizeof(int))) {
            return false;
        }
        c->ended[c->endedCount++] = recordIndex;
    }
    for (int i = 0; i < record->count; i++) {
        ctContactPoint *point = &record->points[i];
        double closing;
        bool hard = isHard(world, record, point, size, &closing, step);
        if (hard && !(step->full && point->gap > CT_POINT_TOUCH * size)) {
            if (point->gap <= CT_POINT_TOUCH * size) {
                step->changed = true;
                step->hits = !step->full;
                if (!ctContact_AddImpact(c, record->pair)) {
                    return false;
                }
            }
            setArms(world, record, point);
            continue; // it waits for its time
        }
        int n = c->solverPointCount;
        if (!addPoint(world, recordIndex, i, &material)) {
            return false;
        }
        c->refs[n].closing = closing;
        // A belt does not move into the other body: its motion along the normal is left out.
        double into = ctBody_BeltAlong(world, record->b, point->pointB, point->n);
        c->solverPoints[n].target = targetOf(point, hard, size, step->length) - into;
    }
    return true;
}

bool ctIslandStep_Gather(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    c->stamp++;
    c->solverBodyCount = c->solverPointCount = 0;
    for (int i = 0; i < island->bodyCount; i++) {
        if (slotOf(world, c->members[island->firstBody + i]) < 0) {
            return false;
        }
    }
    ctIslandStep_Choose(world, island);
    for (int share = ct_shareFull; share > ct_shareNone; share--) {
        for (int i = 0; i < island->recordCount; i++) {
            int record = c->sorted[island->firstRecord + i];
            if (c->records[record].pair >= 0 && (int)ctIslandStep_ShareOf(world, &c->records[record]) == share &&
                !ctIslandStep_GatherRecord(world, record, step)) {
                return false;
            }
        }
        step->free = share == ct_shareFull ? c->solverPointCount : step->free;
    }
    ctSolver_Align(c->solverPoints, c->solverPointCount);
    return true;
}
