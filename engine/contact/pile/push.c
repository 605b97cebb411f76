// Overlaps in a pile are pushed out by displacements, which never enter the velocities: a tower that is pushed by
// velocities sways for ever.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

#include <string.h>

// Share of an overlap that is pushed out in one step beside the usual one: of those deeper than CT_SHALLOW, and of
// those deeper than CT_DEEP. More: towers sway; less: piles visibly overlap.
#define SOME_SHARE (5.0 * CT_PILE_PUSH)
#define DEEP_SHARE (4.0 * SOME_SHARE)
#define PUSH_SWEEPS CT_PILE_SWEEPS           // in one step
#define AHEAD (CT_PILE_AHEAD + CT_PILE_QUAD) // links that are prefetched ahead
#define FASTEST_PUSH (20.0 * CT_PUSH_SPEED)  // sizes per second
// When everything lies still, overlaps are pushed out by this share at a time, by at most this share of the size, and
// no body by more than this share of its radius in total: touching bodies must stay in touch. The number of rounds.
// Larger: bodies move as they fall asleep; smaller: overlaps stay.
#define RELAX_SHARE 0.3
#define RELAX_STEP (2.0 * CT_CLOSED)
#define RELAX_MOST (40.0 * RELAX_STEP)
#define RELAX_ROUNDS 150 // [cap]

// The normal turns with the bodies, but not with balls, which may roll.
static void carryNormal(ctPileManifold *m, const ctPileNormal *normal, const ctPileSlot *a, const ctPileSlot *b)
{
    if (m->plane && m->wall) {
        return;
    }
    ctVec3 turnA = a->ball ? ctZero3() : ctMulMV(a->r, normal->localA);
    ctVec3 turnB = b->ball ? ctZero3() : ctMulMV(b->r, normal->localB);
    m->n = ctNormalize(a->ball && b->ball ? ctSub(a->x, b->x) : ctAdd(turnA, turnB));
    m->t1 = ctNormalize(ctMulAdd(m->t1, -ctDot(m->t1, m->n), m->n));
    m->t2 = ctCross(m->n, m->t1);
}

double ctPile_Carry(ctPile *pile, int index, double share, double step, bool *overlaps)
{
    ctPileManifold *m = &pile->manifolds[index];
    const ctPileSlot *a = &pile->slots[m->a], *b = &pile->slots[m->b];
    ctPileAnchor *anchors = &pile->anchors[CT_PILE_POINTS * index];
    ctVec3 d = ctSub(a->x, b->x);
    double deepest = INFINITY;
    carryNormal(m, &pile->normals[index], a, b);
    for (int k = 0; k < m->count; k++) {
        ctPilePoint *p = &m->points[k];
        p->ra = a->ball ? ctScale(-ctLength(anchors[k].localA), m->n) : ctMulMV(a->r, anchors[k].localA);
        p->rb = b->ball     ? ctScale(ctLength(anchors[k].localB), m->n)
                : m->b == 0 ? anchors[k].localB
                            : ctMulMV(b->r, anchors[k].localB);
        double gap = ctDot(m->n, ctAdd(d, ctSub(p->ra, p->rb))), over = -gap - CT_CONTACT_MARGIN * m->size;
        p->target = gap > 0.0 ? -gap / step : 0.0;
        if (b->belt) { // its motion along the normal is left out
            p->target -= ctDot(m->n, ctVelocityAt(b->v, b->w, p->rb));
        }
        p->room = gap > 0.0 ? gap : 0.0;
        if (over > 0.0) {
            double some = SOME_SHARE * ctFmax(0.0, over - CT_SHALLOW * m->size);
            double deep = DEEP_SHARE * ctFmax(0.0, over - CT_DEEP * m->size);
            p->room = -ctFmin(share * over + some + deep, FASTEST_PUSH * m->size * step);
            *overlaps = true;
        }
        anchors[k].gap = gap;
        deepest = ctFmin(deepest, gap);
    }
    return deepest;
}

bool ctPile_AddLink(ctPile *pile, ctPileLink link, bool wall)
{
    ctPileLink **list = wall ? &pile->walls : &pile->active;
    int *count = wall ? &pile->wallCount : &pile->activeCount;
    if (!ctReserveAligned((void **)list, wall ? &pile->wallCapacity : &pile->activeCapacity, *count + 1, sizeof link)) {
        return false;
    }
    (*list)[(*count)++] = link;
    return true;
}

// Links that are visited together.
typedef struct Batch {
    int count;
    ctPileManifold *manifolds[CT_PILE_QUAD];
} Batch;

// Visits the links of a batch, which is empty then. Whether something has moved.
static bool pushBatch(ctPile *pile, Batch *batch, ctVec3 up)
{
    bool moved = batch->count > 0 && ctPile_Push(pile->bodies, pile->pushes, batch->manifolds, batch->count, up) != 0;
    for (int i = 0; i < batch->count; i++) {
        pile->marks[batch->manifolds[i]->a].waits = false;
        if (!batch->manifolds[i]->wall) {
            pile->marks[batch->manifolds[i]->b].waits = false;
        }
    }
    batch->count = 0;
    return moved;
}

// Visits the manifolds of a list where bodies overlap or have been moved. Returns their number; moved: whether one has
// moved now.
static int pushList(ctPile *pile, const ctPileLink *list, int count, bool walls, ctVec3 up, bool *moved)
{
    int visits = 0;
    Batch batch = {.count = 0};
    for (int i = 0; i < count; i++) {
        const ctPileLink *link = &list[i];
        ctPileMark *a = &pile->marks[link->a], *b = &pile->marks[link->b];
        if (i + AHEAD < count && list[i + AHEAD].overlaps) {
            ctPile_PrefetchLink(pile, &list[i + AHEAD]);
        }
        if (batch.count == CT_PILE_QUAD || a->waits || b->waits) {
            *moved = pushBatch(pile, &batch, up) || *moved;
        }
        if (link->overlaps || pile->pushes[link->a].any || pile->pushes[link->b].any) {
            batch.manifolds[batch.count++] = &pile->manifolds[link->manifold];
            a->waits = true;
            if (!walls) {
                b->waits = true;
            }
            visits++;
        }
    }
    *moved = pushBatch(pile, &batch, up) || *moved;
    return visits;
}

static void pushGroup(void *context, ctPile *pile, ctPileGroup *group)
{
    const ctVec3 *up = context;
    bool moved = false;
    group->visits = pushList(pile, pile->active + group->first, group->count, false, *up, &moved) +
                    pushList(pile, pile->walls + group->firstWall, group->wallCount, true, *up, &moved);
    group->moved = moved;
}

// Moves a body by its displacement.
static void displace(ctWorld *world, int index, const ctPilePush *push)
{
    ctBody *body = &world->bodies[index];
    bool flies = !ctBody_IsInContact(body); // then nothing settles what turning it changes
    double before = flies ? ctBody_Energy(world, index) : 0.0;
    body->x = ctAdd(body->x, push->x);
    body->q = ctNormalizeQ(ctMulQ(ctQuatExp(push->turn), body->q));
    body->path += ctLength(push->x) + ctLength(push->turn) * body->radius;
    if (flies) {
        world->stats.stepError += ctBody_Energy(world, index) - before - ctEnergy_Lift(world, index, push->x);
    }
}

static bool displaceBodies(ctWorld *world, void *context, int part)
{
    ctPile *pile = context;
    int end = ctPile_PartEnd(part, pile->slotCount);
    for (int i = part * CT_PILE_PART; i < end; i++) {
        const ctPilePush *push = &pile->pushes[i];
        if (push->any && pile->slots[i].member) {
            displace(world, pile->slots[i].body, push);
            pile->slots[i].turned += ctLength(push->turn);
        }
    }
    return true;
}

bool ctPile_PushOut(ctWorld *world, ctPile *pile)
{
    double g = ctLength(world->def.gravity);
    ctVec3 up = g > 0.0 ? ctScale(-1.0 / g, world->def.gravity) : ctZero3();
    memset(pile->pushes, 0, (size_t)pile->slotCount * sizeof *pile->pushes);
    int budget = pile->activeCount + pile->wallCount;
    bool moved = true;
    for (int k = 0; k < PUSH_SWEEPS && budget > 0 && moved; k++) {
        ctPile_Round(world, pile, pushGroup, &up);
        moved = false;
        for (int i = 0; i < ctPile_GroupCount(pile); i++) {
            budget -= pile->groups[i].visits;
            moved = moved || pile->groups[i].moved;
        }
    }
    return ctCrew_DoParts(world, displaceBodies, pile, ctPile_PartCount(pile->slotCount));
}

// ---- before sleep -----------------------------------------------------------------------------

// Loads the bodies as displaced. Those that have been moved as far as allowed are immovable now.
static void takeStock(ctWorld *world, ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        const ctBody *body = &world->bodies[pile->slots[i].body];
        ctPile_LoadSlot(world, pile, i);
        if (body->path - pile->ways[i] > RELAX_MOST * body->radius) {
            pile->bodies[i].invMass = 0.0;
            pile->bodies[i].invInertia = ctMat3Diagonal(0.0, 0.0, 0.0);
        }
    }
}

static bool carryAll(ctPile *pile, const ctPileLink *list, int count)
{
    bool overlap = false;
    for (int i = 0; i < count; i++) {
        ctPileManifold *m = &pile->manifolds[list[i].manifold];
        ctPile_Carry(pile, list[i].manifold, RELAX_SHARE, pile->step, &overlap);
        for (int k = 0; k < m->count; k++) {
            m->points[k].room = ctFmax(m->points[k].room, -RELAX_STEP * m->size);
        }
    }
    return overlap;
}

// Lists all manifolds that have points.
static bool listAll(ctPile *pile)
{
    pile->activeCount = pile->wallCount = 0;
    for (int i = 0; i < pile->watchCount; i++) {
        bool has = pile->watches[i].record >= 0 && ctPile_HasPoints(pile, &pile->watches[i]);
        for (int k = has ? pile->watches[i].first : -1; k >= 0; k = pile->next[k]) {
            const ctPileManifold *m = &pile->manifolds[k];
            if (!ctPile_AddLink(pile, (ctPileLink){k, m->a, m->b, i, true, (uint8_t)m->count}, m->wall)) {
                return false;
            }
        }
    }
    return true;
}

void ctPile_Relax(ctWorld *world, ctPile *pile)
{
    if (!listAll(pile) || !ctPile_Divide(world, pile)) {
        world->outOfMemory = true;
        return;
    }
    for (int i = 1; i < pile->slotCount; i++) {
        pile->ways[i] = world->bodies[pile->slots[i].body].path;
    }
    for (int round = 0; round < RELAX_ROUNDS; round++) {
        takeStock(world, pile);
        bool active = carryAll(pile, pile->active, pile->activeCount);
        if (!carryAll(pile, pile->walls, pile->wallCount) && !active) {
            break;
        }
        if (!ctPile_PushOut(world, pile)) {
            world->outOfMemory = true;
            return;
        }
        for (int i = 1; i < pile->slotCount; i++) {
            if (pile->slots[i].member && pile->pushes[i].any) {
                ctEnergy_StepMember(world, pile->slots[i].body, pile->pushes[i].x, 0.0);
            }
        }
    }
}
