// The solution of a pile's step: sweeps over its manifolds, first over all, then where velocities still change.
#include "engine/contact/contact_internal.h"

#define MOST_SWEEPS 40                        // [cap] in one step
#define MOST_VISITS (CT_PILE_SWEEPS / 2)      // the same as a mean over all manifolds
#define CALM_VISITS (2 * MOST_VISITS)         // the same in a pile that hardly moves
#define LOOK_UP CT_PILE_SWEEPS                // sweeps between two selections of what has changed
#define AHEAD (CT_PILE_AHEAD + CT_PILE_LANES) // links that are prefetched ahead: those of the next batch
// As a share of the speed that gravity gives in a step: smaller changes are not passed on. Larger: piles creep;
// smaller: more time.
#define TOLERANCE 0.02

typedef struct Sweep {
    int number, since; // of this sweep; of the last selection
    bool looksUp;
    bool backwards;
    double tolerance; // m/s
} Sweep;

// Links that are visited together.
typedef struct Batch {
    int count;
    const ctPileLink *links[CT_PILE_LANES];
    ctPileManifold *manifolds[CT_PILE_LANES];
} Batch;

static void note(const Sweep *sweep, ctPileMark *mark, bool loaded, bool changes)
{
    if (!mark->frozen) {
        mark->changed = changes ? sweep->number : mark->changed;
        mark->pushed = mark->pushed || loaded;
    }
}

// Visits the links of a batch, which is empty then. Whether a wall has changed its body.
static bool visitBatch(const Sweep *sweep, ctPile *pile, Batch *batch)
{
    bool stirred = false;
    unsigned changed = ctPile_Solve(pile->bodies, batch->manifolds, batch->count, sweep->tolerance);
    for (int i = 0; i < batch->count; i++) {
        const ctPileManifold *m = batch->manifolds[i];
        ctPileMark *a = &pile->marks[batch->links[i]->a], *b = &pile->marks[batch->links[i]->b];
        bool changes = (changed >> i & 1) != 0;
        note(sweep, a, m->loaded, changes);
        a->waits = false;
        if (m->wall) { // other slabs have it too
            stirred = stirred || changes;
        } else {
            note(sweep, b, m->loaded, changes);
            b->waits = false;
        }
    }
    batch->count = 0;
    return stirred;
}

// Visits the manifolds of a list where a body has changed since the last visit. After a wall has changed its body, all
// further walls are visited, because they bear what is above. Returns the number of visits.
static int visit(const Sweep *sweep, ctPile *pile, const ctPileLink *list, int count, bool walls)
{
    int visits = 0;
    bool stirred = false, backwards = sweep->backwards && !walls;
    Batch batch = {.count = 0};
    for (int i = 0; i < count; i++) {
        const ctPileLink *link = &list[backwards ? count - 1 - i : i];
        if (i + AHEAD < count) {
            ctPile_PrefetchLink(pile, &list[backwards ? count - 1 - i - AHEAD : i + AHEAD]);
        }
        ctPileMark *a = &pile->marks[link->a], *b = &pile->marks[link->b];
        if (batch.count == CT_PILE_LANES || a->waits || b->waits) {
            stirred = visitBatch(sweep, pile, &batch) || stirred;
        }
        bool stale = a->changed >= sweep->number - 1 || b->changed >= sweep->number - 1;
        if (walls && !stale && !stirred && batch.count > 0) {
            stirred = visitBatch(sweep, pile, &batch);
        }
        if (stale || stirred) {
            batch.links[batch.count] = link;
            batch.manifolds[batch.count++] = &pile->manifolds[link->manifold];
            a->waits = true;
            if (!walls) {
                b->waits = true;
            }
            visits++;
        }
    }
    if (batch.count > 0) {
        visitBatch(sweep, pile, &batch);
    }
    return visits;
}

// Selects the links of a list where a body has changed since a sweep.
static int selectLinks(const ctPile *pile, const ctPileLink *list, int count, int since, ctPileLink *chosen)
{
    int chosenCount = 0;
    for (int i = 0; i < count; i++) {
        if (pile->marks[list[i].a].changed >= since || pile->marks[list[i].b].changed >= since) {
            chosen[chosenCount++] = list[i];
        }
    }
    return chosenCount;
}

static void visitGroup(void *context, ctPile *pile, ctPileGroup *group)
{
    const Sweep *sweep = context;
    ctPileLink *links = pile->work + group->first, *walls = pile->work + pile->activeCount + group->firstWall;
    if (sweep->looksUp) {
        group->chosen = selectLinks(pile, pile->active + group->first, group->count, sweep->since, links);
        group->chosenWalls = selectLinks(pile, pile->walls + group->firstWall, group->wallCount, sweep->since, walls);
    }
    group->visits =
        visit(sweep, pile, links, group->chosen, false) + visit(sweep, pile, walls, group->chosenWalls, true);
}

// The links with changes are selected again every few sweeps.
void ctPile_Sweep(ctWorld *world, ctPile *pile)
{
    Sweep sweep = {.tolerance = TOLERANCE * pile->step * ctLength(world->def.gravity),
                   .backwards = world->stats.contactSteps & 1};
    int budget = (pile->calm ? CALM_VISITS : MOST_VISITS) * (pile->activeCount + pile->wallCount);
    for (int i = 0; i < pile->slotCount; i++) {
        pile->marks[i] = (ctPileMark){.frozen = pile->slots[i].frozen};
    }
    for (int number = 1; number <= MOST_SWEEPS && budget > 0; number++) {
        int visits = 0, chosen = 0;
        sweep.looksUp = number <= 2 || number - sweep.since == LOOK_UP;
        sweep.number = number;
        ctPile_Round(world, pile, visitGroup, &sweep);
        sweep.since = sweep.looksUp ? number : sweep.since;
        for (int i = 0; i < ctPile_GroupCount(pile); i++) {
            visits += pile->groups[i].visits;
            chosen += pile->groups[i].chosen + pile->groups[i].chosenWalls;
        }
        if (visits == 0 && chosen == 0) {
            break;
        }
        number = visits == 0 && number - sweep.since < LOOK_UP - 1 ? sweep.since + LOOK_UP - 1 : number;
        budget -= visits;
        sweep.backwards = !sweep.backwards;
        world->stats.solverSweeps++;
    }
}
