// Bodies that lie still take no part in the steps of a lively island.
//
// A row of dominoes falls at its head, and behind it lie dozens. Their forces hold them: the next step would find the
// same forces at the same places, to the tolerance of the solution. So in an island of many points only these bodies
// take part in a step: those that move, the neighbours of these, and those that have not been slow for long enough. The
// forces between one of them and a body that lies still stay as they are. That is a solution of the whole island as
// long as the body that takes part does not move there. Where it does, the body beside it takes part as well, and the
// forces are found once more.
//
// A body comes to lie still when it has been no faster than solutions leave it at the end of every step for 1/60 s, and
// overlaps and gaps are closed. A body that begins to fall gets faster in that time, unless it is nearer to its balance
// than the solutions. As soon as nothing moves any more, all take part again: then the tolerance is that of an island
// at rest, and the whole island comes to rest by its own rule (contact/step/rest.c). As there, no velocity, no
// acceleration, and the time for which it has been still show that nothing has happened to a body.
#include "engine/contact/step/step.h"

#include "collision/memory.h"

// In tolerances: solutions that are hard to find may leave ten times as much.
#define NOTICEABLE (0.1 * CT_SOLVER_ASTRAY)

static bool isZero(ctVec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static bool liesStill(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    return ctBody_IsInContact(body) && !ctBody_IsStruck(body) && world->infos[index].still > 0.0 && isZero(body->v) &&
           isZero(body->w) && isZero(body->a) && isZero(body->alpha);
}

// A slower speed may be what solutions have left, m/s.
static double noticeable(double tolerance)
{
    return NOTICEABLE * tolerance;
}

// Whether the body moves; as found at the end of the last step, or because something has happened since.
static bool moves(const ctWorld *world, int index)
{
    const ctContactBody *b = &world->contacts->bodies[index];
    return ctContactBody_IsStruck(&world->bodies[index]) || !(world->infos[index].still > 0.0) || b->thawed >= b->base;
}

// The bodies of a record that are members of the island, by their slots; -1: not a member.
typedef struct Ends {
    int slot[2];
} Ends;

static Ends endsOf(const ctWorld *world, const ctContactRecord *record)
{
    const ctContacts *c = world->contacts;
    const int bodies[2] = {record->a, record->b};
    Ends ends;
    for (int k = 0; k < 2; k++) {
        bool member = ctBody_IsAwake(world, bodies[k]) && c->bodies[bodies[k]].stamp == c->stamp;
        ends.slot[k] = member ? c->bodies[bodies[k]].slot : -1;
    }
    return ends;
}

static bool rests(const ctContacts *c, int slot)
{
    return slot >= 0 && c->before[slot].rests;
}

ctStepShare ctIslandStep_ShareOf(const ctWorld *world, const ctContactRecord *record)
{
    const ctContacts *c = world->contacts;
    Ends ends = endsOf(world, record);
    bool idle[2] = {rests(c, ends.slot[0]), rests(c, ends.slot[1])};
    if (!idle[0] && !idle[1]) {
        return ct_shareFull;
    }
    bool both = (idle[0] || ends.slot[0] < 0) && (idle[1] || ends.slot[1] < 0);
    return both ? ct_shareNone : ct_shareHeld;
}

// The body takes part in the step that ends now.
static void join(ctWorld *world, int slot)
{
    ctContacts *c = world->contacts;
    int index = c->slotBody[slot];
    c->before[slot].rests = false;
    c->bodies[index].thawed = c->bodies[index].base;
}

void ctIslandStep_Choose(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    bool many = island->pointCount > CT_MANY_POINTS, lively = false;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->slotBody[i];
        c->before[i].rests = many && liesStill(world, index);
        c->before[i].moves = many && !c->before[i].rests && moves(world, index);
        lively = lively || c->before[i].moves;
    }
    for (int i = 0; i < island->bodyCount && !lively; i++) {
        if (c->before[i].rests) {
            join(world, i);
        }
    }
    for (int i = 0; i < island->recordCount && many; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        Ends ends = endsOf(world, record);
        bool changes = record->pair < 0 || record->fresh || record->lost || record->ended;
        for (int k = 0; k < 2; k++) {
            int other = ends.slot[1 - k];
            if (rests(c, ends.slot[k]) && (changes || (other >= 0 && c->before[other].moves))) {
                join(world, ends.slot[k]);
            }
        }
    }
    for (int i = 0; i < island->bodyCount; i++) {
        c->solverBodies[i].invMass = c->before[i].rests ? 0.0 : c->solverBodies[i].invMass;
    }
}

// Lets a body that lies still join in a layer: one contact farther from those that have been moved than the layer
// before.
static void want(ctContacts *c, int slot, int layer)
{
    if (rests(c, slot) && c->before[slot].layer == 0) {
        c->before[slot].layer = layer;
    }
}

// Lets bodies join that lie still beside one that has been moved, and each further time twice as many layers of them.
static bool joinMoved(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    bool any = false;
    for (int i = step->free; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        if (ctLength(ctSolverPoint_Velocity(p, c->solverBodies)) > noticeable(step->precision)) {
            want(c, p->a < island->bodyCount ? p->a : -1, 1);
            want(c, p->b < island->bodyCount ? p->b : -1, 1);
        }
    }
    int layers = step->spread > 0 ? 2 * step->spread : 1;
    for (int layer = 1; layer < layers; layer++) {
        for (int i = 0; i < island->recordCount; i++) {
            const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
            Ends ends = endsOf(world, record);
            for (int k = 0; k < 2 && record->pair >= 0; k++) {
                if (ends.slot[k] >= 0 && c->before[ends.slot[k]].layer == layer) {
                    want(c, ends.slot[1 - k], layer + 1);
                }
            }
        }
    }
    for (int i = 0; i < island->bodyCount; i++) {
        if (c->before[i].layer > 0) {
            join(world, i);
            c->before[i].layer = 0;
            any = true;
        }
    }
    step->spread = any ? layers : 0;
    return any;
}

// Moves a point to another place in the solver's arrays; those in between move on by one.
static void movePoint(ctContacts *c, int from, int to)
{
    ctSolverPoint point = c->solverPoints[from];
    ctPointRef ref = c->refs[from];
    for (int i = from; i > to; i--) {
        c->solverPoints[i] = c->solverPoints[i - 1];
        c->refs[i] = c->refs[i - 1];
    }
    c->solverPoints[to] = point;
    c->refs[to] = ref;
}

int ctIslandStep_RestingPoints(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    int count = 0;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        count += record->pair >= 0 && ctIslandStep_ShareOf(world, record) == ct_shareNone ? record->count : 0;
    }
    return count;
}

bool ctIslandStep_Spread(ctWorld *world, const ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    int known = c->solverPointCount;
    if (!joinMoved(world, island, step)) {
        return true;
    }
    for (int i = 0; i < island->recordCount; i++) {
        int record = c->sorted[island->firstRecord + i];
        Ends ends = endsOf(world, &c->records[record]);
        bool taken = c->records[record].pair < 0, joins = false;
        for (int k = 0; k < 2; k++) {
            bool part = ends.slot[k] >= 0 && !c->before[ends.slot[k]].rests;
            bool was = part && c->solverBodies[ends.slot[k]].invMass > 0.0;
            taken = taken || was;
            joins = joins || part;
        }
        if (joins && !taken && !ctIslandStep_GatherRecord(world, record, step)) {
            return false;
        }
    }
    ctSolver_Align(&c->solverPoints[known], c->solverPointCount - known);
    for (int i = 0; i < island->bodyCount; i++) {
        if (!c->before[i].rests && c->solverBodies[i].invMass == 0.0) {
            c->solverBodies[i] = ctBody_ForSolver(world, &world->bodies[c->slotBody[i]]);
        }
    }
    for (int i = step->free; i < c->solverPointCount; i++) {
        if (ctIslandStep_ShareOf(world, &c->records[c->refs[i].record]) == ct_shareFull) {
            movePoint(c, i, step->free++);
        }
    }
    return ctReserve((void **)&c->pseudo, &c->pseudoCapacity, c->solverBodyCount, sizeof(ctSolverBody));
}

static bool isMoved(const ctBody *body, const ctIslandStep *step)
{
    return ctContactBody_IsStruck(body) || ctFastest(body->v, body->w, body->radius) > noticeable(step->tolerance);
}

// Whether bodies at the points of a record must not come to lie still: a point overlaps or gapes, or the ground moves.
static bool isRestless(const ctWorld *world, const ctContactRecord *r)
{
    const ctBody *b = &world->bodies[r->b];
    if (ctBody_HasBelt(world, r->b) ||
        (!ctBody_IsMovable(b) && (ctBody_WillMove(world, r->b) || !isZero(b->v) || !isZero(b->w)))) {
        return true;
    }
    double most = CT_CLOSED * ctContact_PairSize(world, r->a, r->b);
    for (int k = 0; k < r->count; k++) {
        if (r->points[k].gap < -most || (r->points[k].gap > most && ctLengthSquared(r->points[k].force) > 0.0)) {
            return true;
        }
    }
    return false;
}

// Looks through the records: which bodies must not come to lie still? The forces of records that take no part have
// acted on for dt.
static void lookThrough(ctWorld *world, const ctIsland *island, double dt)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        c->before[i].restless = !ctBody_IsInContact(body) || body->driven;
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        bool out = r->pair < 0 || ctIslandStep_ShareOf(world, r) == ct_shareNone;
        for (int k = 0; k < r->count && r->pair >= 0 && out; k++) {
            r->points[k].impulse = ctMulAdd(r->points[k].impulse, dt, r->points[k].force);
        }
        if (out || !isRestless(world, r)) {
            continue;
        }
        Ends ends = endsOf(world, r);
        for (int k = 0; k < 2; k++) {
            if (ends.slot[k] >= 0) {
                c->before[ends.slot[k]].restless = true;
            }
        }
    }
}

void ctIslandStep_Calm(ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    if (!(island->pointCount > CT_MANY_POINTS)) {
        return;
    }
    lookThrough(world, island, step->dt);
    bool lively = false;
    for (int i = 0; i < island->bodyCount && !lively; i++) {
        lively = isMoved(&world->bodies[c->members[island->firstBody + i]], step);
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        ctContactBody *b = &c->bodies[index];
        if (c->before[i].rests) {
            continue;
        }
        if (isMoved(body, step)) {
            b->thawed = world->now;
        } else if (lively && !c->before[i].restless && world->now - b->thawed >= CT_LONGEST_STEPS * step->regular) {
            c->work.contact -= ctBody_Energy(world, index);
            body->v = body->w = body->a = body->alpha = ctZero3();
            c->work.contact += ctBody_Energy(world, index);
            world->infos[index].still = ctFmax(world->infos[index].still, CT_SHORTEST_STEP * step->regular);
        }
    }
}
