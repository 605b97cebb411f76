// A large island in a compact form that lives from step to step: velocities, manifolds, and when to look at each pair
// again. It is made from the island's records, and writes forces back to them when it ends.
//
// Slot 0 represents everything that does not move: its frame is the world's.
#ifndef CT_PILE_H
#define CT_PILE_H

#include "engine/contact/pile/pile_solver.h"
#include "engine/pairs/pairs.h"

// The data of a point besides its ctPilePoint.
typedef struct ctPileAnchor {
    ctVec3 localA, localB; // its place on each body, body frames
    double gap;            // m
    ctVec3 sum;            // impulse over the frame, manifold's frame: along t1, t2, n
} ctPileAnchor;

// A record of the pile.
typedef struct ctPileWatch {
    int record;   // -1: removed
    int a, b;     // slots
    int first;    // its manifolds, linked by next; -1: none
    double reach; // m: lever of a turn in the relative motion
    double size;  // m: the smaller body's
    double moved; // m: relative motion since its points were found
    double limit; // m: its points are found again after this motion
    // Without points (contact/pile/pile_points.c):
    ctVec3 from;       // m: a as seen from b when points were looked for
    double armA, armB; // m: nothing farther from each centre can touch the other body
    double turn;       // m: their motion by turning until then
    // While one of the two is frozen (contact/pile/freeze.c):
    bool frozen; // both bodies are, or one is and the other is a wall: its impulses are forces, N
    ctVec3 load; // N: on a when the first was frozen
} ctPileWatch;

// [format] Longer than the path of any two bodies.
#define CT_PILE_NEVER 1e30

// When a watch needs a look. Small and contiguous, because most watches have no points and need no look for long.
typedef struct ctPileGuard {
    int a, b;     // slots
    double until; // m: the path of both together; negative: always; CT_PILE_NEVER: it is frozen
} ctPileGuard;

// The normal turns with the two bodies: it is the mean of its directions in both.
typedef struct ctPileNormal {
    ctVec3 localA, localB;
} ctPileNormal;

// A manifold that has points, and its slots.
typedef struct ctPileLink {
    int manifold, a, b, watch;
    bool overlaps; // its points must be pushed apart
    uint8_t points;
} ctPileLink;

// Three cache lines: the data for two bodies without points comes first.
typedef struct ctPileSlot {
    _Alignas(CT_CACHE_LINE) int body; // -1: slot 0
    bool member;
    bool ball;            // its points do not turn with it
    bool steady;          // it flies on as before
    bool frozen;          // it lies still and is not stepped (contact/pile/freeze.c)
    bool belt;            // a fixed body whose surface moves
    bool restless, fresh; // it has not lain still for long; it is about to be frozen, or has just been thawed
    int slab;             // in the present step (contact/pile/slabs.c)
    ctVec3 x, v, w;       // before the step; v and w after it once it is solved
    double path;          // m: as the body's (state/state.h)
    double turned;        // rad: the sum of its turns since it is in the pile
    ctMat3 r;
} ctPileSlot;

// [storage] Slabs of a pile: more threads than these would have no work.
#define CT_PILE_SLABS 32

// Links that one thread visits, one after another (contact/pile/slabs.c).
typedef struct ctPileGroup {
    int first, count;         // in active
    int firstWall, wallCount; // in walls
    int chosen, chosenWalls;  // those of them that a sweep visits: in work, walls after all active ones
    int visits;               // of the last sweep
    bool moved;               // something, by the last push
} ctPileGroup;

// A watch that needs a look in the present step.
typedef struct ctPileLook {
    int watch;
    bool finds;   // its points are found again
    bool rests;   // it has no points, or nothing moves
    bool near;    // the two may touch in the step
    double speed; // m/s: of one body as seen from the other
} ctPileLook;

// The data of a slot that sweeps read: a few bytes each, which stay in the cache.
typedef struct ctPileMark {
    int changed; // the last sweep that changed its velocity by more than the tolerance
    bool pushed; // by a point, in this step
    bool frozen; // as the slot
    bool waits;  // a visit to a link of it is about to be made
} ctPileMark;

// The effect of a step on the energy of a slot that has been pushed, J (contact/pile/work.c).
typedef struct ctPileWork {
    double linear, square, fall;
} ctPileWork;

typedef struct ctPile {
    double time;    // s: of the last step
    double fastest; // 1/s: relative speed at a contact in sizes per second
    bool calm;      // that was small in the last step
    bool atRest;    // nothing moved when it was made
    bool thawed;    // some body is stepped again whose watches are still frozen
    double step;    // s: the step of the impulses
    bool booked;    // their work is accounted for
    int64_t beat;   // in which it was last tidied (ctWorld_Beat); -1: it has not been stepped
    int slotCount, slotCapacity, bodyCapacity, pushCapacity, wayCapacity, markCapacity, gainCapacity;
    ctPileSlot *slots;
    ctSolverBody *bodies; // parallel to slots
    ctPilePush *pushes;   // the same; scratch of a step
    ctPileMark *marks;    // the same
    ctPileWork *gains;    // the same
    double *ways;         // m: the predicted path at the end of the step; the same
    int watchCount, watchCapacity, guardCapacity, lookCapacity;
    int estate; // while piles are built: watches from watchCount up to here are still the old pile's
    ctPileWatch *watches;
    ctPileGuard *guards; // parallel to watches
    ctPileLook *looks;   // watches that need a look; scratch of a step
    int manifoldCount, manifoldCapacity, anchorCapacity, normalCapacity, nextCapacity;
    ctPileManifold *manifolds;
    ctPileNormal *normals; // parallel to manifolds
    ctPileAnchor *anchors; // CT_PILE_POINTS for each manifold
    int *next;             // of the same record, parallel to manifolds
    struct ctPile *heir;   // the new pile that has these arrays now (contact/pile/heir.c); NULL
    int activeCount, wallCount, activeCapacity, wallCapacity;
    ctPileLink *active, *walls; // manifolds with points, by watch; with walls
    int workCapacity;
    ctPileLink *work; // those still to be solved; scratch of a step
    // Slabs of the present step, and groups of links: by colour, then those of slabs.
    int slabCount, colourCount, groupCapacity;
    ctPileGroup *groups;
    int colours[2 * CT_PILE_SLABS + 1]; // the first group of each, of slabs, and behind the last
} ctPile;

struct ctIsland;

// Before stale islands are found again, their piles are set aside. Afterwards the large ones among the new islands get
// piles, made from the data of the old ones. False when memory is short.
bool ctPiles_SetAside(ctWorld *world);
bool ctPiles_Build(ctWorld *world);
// Writes forces back to the records and frees the pile; the same for all piles.
void ctPile_Dissolve(ctWorld *world, struct ctIsland *island);
void ctPiles_Dissolve(ctWorld *world);
void ctPile_Free(ctPile *pile);

// Watches and manifolds pass on to the pile that is built (contact/pile/heir.c). The old pile that most of an island's
// manifolds come from leaves its arrays to the new pile.
struct ctContacts;
void ctPile_Inherit(const struct ctContacts *contacts, const struct ctIsland *island);
// An old pile that has an heir reads watches and manifolds where the heir has them now.
void ctPile_Follow(ctPile *old);
// When all piles are built: the same, with only those watches that no new pile has taken.
void ctPile_FollowRest(ctPile *old);
// An old pile that has an heir forgets them.
void ctPile_GiveUp(ctPile *old);
// Makes room for the watch of a record behind the last one, and takes the watch that it has in an old pile out of that.
// A watch of the old pile that is in the way moves back. False, with nothing changed, when memory is short.
struct ctContactRecord;
bool ctPile_AddPlace(struct ctContacts *contacts, ctPile *pile, const struct ctContactRecord *record,
                     ctPileWatch *former);
// A manifold of an old pile becomes one of the new pile. Its index; -1 when memory is short.
int ctPile_TakeManifold(ctPile *pile, const ctPileWatch *watch, const ctPile *old, int from);
// Sorts the manifolds in the order of watches, and drops those of no watch, when all piles are built. False when memory
// is short.
bool ctPile_Arrange(struct ctContacts *contacts, ctPile *pile);

// Makes an empty manifold of a record; -1 when memory is short.
int ctPile_AddManifold(ctPile *pile, const ctPileWatch *watch);
// Adds a record that has just begun between members, or a member and a wall. False when memory is short.
bool ctPile_AddRecord(ctWorld *world, ctPile *pile, int record);
// Makes a flying body that nothing else touches a member.
bool ctPile_AddMember(ctWorld *world, ctPile *pile, int body);
// Finds the points of a record again at the bodies' present poses, which the slots must have, with a margin for motion
// until the next time.
bool ctPile_FindPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch);
// The same in three stages: points are found, get manifolds if there are too few, and are loaded into these. The first
// and the last stage change only data of the watch.
bool ctPile_SeekPoints(ctWorld *world, ctPile *pile, ctPileWatch *watch);
bool ctPile_MakeRoom(const ctWorld *world, ctPile *pile, ctPileWatch *watch);
void ctPile_LoadPoints(ctWorld *world, ctPile *pile, const ctPileWatch *watch);
// Whether a watch without points may get some in a step of this length, with relative speeds up to this (m/s).
bool ctPile_MayTouch(ctPile *pile, ctPileWatch *watch, double step, double speed);
// Stores the forces of the last step, and the impulses over the frame, in the record's points.
void ctPile_StoreForces(ctWorld *world, ctPile *pile, const ctPileWatch *watch);
// The same for all records.
void ctPile_StoreAll(ctWorld *world, ctPile *pile);
// The share of the last step that has passed and is not accounted for yet (contact/pile/inside.c).
double ctPile_Share(const ctWorld *world, const ctPile *pile);
// The state of a body in the middle of its pile's step as it is seen, from that of its motion.
void ctPile_SeeMember(const ctWorld *world, int body, ctBodyState *state);
// Adds the work of the step so far to the sums: what a body has gained, and what contacts have lost to friction.
void ctPile_AddGain(const ctWorld *world, int body, ctStats *stats);
void ctPile_AddOpen(const ctWorld *world, const ctPile *pile, ctStats *stats);

// Adds the impulses of the last step to the frame's report, and their work to the sums of energy, once: for one record,
// and for all.
void ctPile_BookWatch(ctWorld *world, ctPile *pile, const ctPileWatch *watch);
void ctPile_Book(ctWorld *world, ctPile *pile);
// Lists a manifold among those of the step, or among those with walls. False when memory is short.
bool ctPile_AddLink(ctPile *pile, ctPileLink link, bool wall);
// The gaps of the points of a manifold where the bodies have carried them, and the targets for a step that pushes this
// share of overlaps out. Returns the deepest gap.
double ctPile_Carry(ctPile *pile, int manifold, double share, double step, bool *overlaps);
// Divides the listed links among slabs. False when memory is short.
bool ctPile_Divide(ctWorld *world, ctPile *pile);
// Calls fn for all groups, on all threads: one colour after another, then the slabs.
typedef void ctPileGroupFn(void *context, ctPile *pile, ctPileGroup *group);
void ctPile_Round(ctWorld *world, ctPile *pile, ctPileGroupFn *fn, void *context);
static inline int ctPile_GroupCount(const ctPile *pile)
{
    return pile->colours[pile->colourCount + 1];
}
// [storage] Slots and watches are handled in parts of so many, on all threads, in as many parts as needed. The end of
// part k.
#define CT_PILE_PART 64 // [storage] there are as many parts as it takes
static inline int ctPile_PartCount(int count)
{
    return (count + CT_PILE_PART - 1) / CT_PILE_PART;
}
static inline int ctPile_PartEnd(int part, int count)
{
    return (part + 1) * CT_PILE_PART < count ? (part + 1) * CT_PILE_PART : count;
}
// Starts a step of this length: advances everything to now (contact/pile/pile_start.c). False when memory is short.
bool ctPile_Start(ctWorld *world, ctPile *pile, double step);
// The solution (contact/pile/pile_sweep.c).
void ctPile_Sweep(ctWorld *world, ctPile *pile);
// Moves members out of overlaps, from below. False when memory is short.
bool ctPile_PushOut(ctWorld *world, ctPile *pile);
// The same until no overlap is deeper than allowed: before everything falls asleep.
void ctPile_Relax(ctWorld *world, ctPile *pile);
// After the solution, for slots that have been pushed: reduces the impulses such that the step adds no energy; gains
// get their work (contact/pile/work.c).
void ctPile_LimitWork(ctWorld *world, ctPile *pile);
// At the start of a step: freezes bodies that lie still among others that lie still.
void ctPile_Freeze(ctWorld *world, ctPile *pile);
// Whether neither body of a watch moves; the watch is then frozen.
bool ctPile_RestWatch(ctPile *pile, ctPileWatch *watch);
// At the start of a step: frozen bodies that have been disturbed are stepped again.
void ctPile_Thaw(ctWorld *world, ctPile *pile);
// After the solution: marks frozen bodies whose loads have changed as disturbed.
void ctPile_CheckLoads(ctWorld *world, ctPile *pile);
// Writes or reads the pile, with whether the island is large (contact/pile/pile_archive.c).
void ctPile_Archive(ctWorld *world, struct ctArchive *ar, struct ctIsland *island);
// Removes watches whose records have been released.
void ctPile_Tidy(ctWorld *world, ctPile *pile);
static inline bool ctPile_HasPoints(const ctPile *pile, const ctPileWatch *watch)
{
    return watch->first >= 0 && pile->manifolds[watch->first].count > 0;
}
// A thousand bodies and their contacts do not fit the cache: most of the time would be waiting for memory. So manifolds
// are prefetched: with one or two points, or with more.
enum { CT_PILE_LINES_OF_TWO = 7, CT_PILE_LINES = sizeof(ctPileManifold) / CT_CACHE_LINE };
// [cost] Manifolds that are prefetched ahead. Larger or smaller: memory comes too early or too late.
#define CT_PILE_AHEAD 4
static inline void ctPile_PrefetchLines(const void *start, int first, int end)
{
    for (int i = first; i < end; i++) {
        ctPrefetch((const char *)start + CT_CACHE_LINE * i);
    }
}
static inline void ctPile_PrefetchLink(const ctPile *pile, const ctPileLink *link)
{
    ctPile_PrefetchLines(&pile->manifolds[link->manifold], 0, CT_PILE_LINES_OF_TWO);
    if (link->points > 2) {
        ctPile_PrefetchLines(&pile->manifolds[link->manifold], CT_PILE_LINES_OF_TWO, CT_PILE_LINES);
    }
    ctPile_PrefetchLines(&pile->bodies[link->a], 0, 2);
    ctPile_PrefetchLines(&pile->bodies[link->b], 0, 2);
}
// Loads the state of the body of a slot, at now.
void ctPile_LoadSlot(ctWorld *world, ctPile *pile, int slot);
// A bound of the relative speed of points of the two that can touch, m/s.
static inline double ctPile_RelativeSpeed(const ctPile *pile, const ctPileWatch *watch)
{
    const ctPileSlot *a = &pile->slots[watch->a], *b = &pile->slots[watch->b];
    return ctDistance(a->v, b->v) + ctDistance(a->w, b->w) * watch->reach;
}

#endif
