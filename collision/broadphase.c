// The broadphase: swept boxes (Mirtich & Canny 1995, section 3.2) in a tree of fat boxes.
//
// Each proxy has its exact box and a fat box around it, which is what the tree holds. Pairs of fat boxes that
// touch are candidates: each has a record, and a link in the lists of both proxies that says whether the exact
// boxes overlap now. A move that stays inside the fat box compares exact boxes along one list of links and
// touches nothing else; only a move that leaves it goes to the tree. Either way the cost is that of the proxy's
// own neighbourhood. Pairs whose state differs from what was last reported wait in a list for Flush.
//
// The fat box and the tree decide how fast an answer comes, never what it is.
#include "collision/broadphase.h"

#include "collision/aabb_tree.h"
#include "collision/memory.h"
#include "collision/sort.h"

#include <assert.h>
#include <float.h>

// Room around the exact box, as a fraction of its mean extent, on each side, unless the caller says otherwise.
// More: fewer visits to the tree, longer lists of candidates.
#define FAT_MARGIN 0.15
// The fat box also reaches this many times as far as the box has moved since the last time, the same way,
// but no further than the mean extent.
#define FAT_AHEAD 1.0
// A fat box whose extents add up to more than this many times the exact ones is made anew: it is a leftover.
#define FAT_LEFTOVER 3.0
// Half-spaces pair with boxes that miss them by this much of their coordinates.
#define PLANE_SLACK 1e-14

// One end of a candidate pair.
typedef struct Link {
    int other;
    int code; // 2 * pair + 1 when the exact boxes overlap
} Link;

typedef struct Pair {
    int a, b;      // a < b
    int atA, atB;  // places in the link lists of a and b
    int waiting;   // place in the list of changes, or -1
    bool reported; // overlapping, as far as the sink knows
} Pair;

typedef enum ProxyKind { proxyNone, proxyBox, proxyInfinite, proxyPlane } ProxyKind;

// What a comparison of exact boxes reads.
typedef struct Extent {
    ctBox box; // for a plane: lo is the normal, hi.x the offset
    int group;
    ProxyKind kind;
} Extent;

typedef struct Proxy {
    ctFloatBox fat;
    int place; // in the list of unbounded proxies
    int linkCount, linkCapacity;
    Link *links;
} Proxy;

struct ctBroadphase {
    ctTree tree;
    Extent *extents; // by proxy
    Proxy *proxies;
    int extentCapacity, proxyCapacity;
    int limit, count; // proxies are below limit; how many there are
    double margin, ahead;
    int *unbounded; // planes and infinite boxes
    int unboundedCount, unboundedCapacity;
    Pair *pairs;
    int pairCapacity, pairUsed, freePair; // free pairs are chained through a
    int reportedCount;
    int *changes; // pairs that may differ from what was reported
    int changeCount, changeCapacity;
    uint64_t *events, *scratch; // a << 32 | b << 1 | begins
    int eventCapacity, scratchCapacity;
    int *found; // results of a query, room for all proxies
    int foundCapacity;
    int *marks; // by proxy: the round in which it was seen
    int markCapacity, round;
};

ctBroadphase *ctBroadphase_Create(ctError *error)
{
    ctBroadphase *bp = ctAllocate(1, sizeof *bp);
    if (bp == NULL) {
        (void)ctFailMemory(error, "broadphase");
        return NULL;
    }
    ctTree_Init(&bp->tree);
    bp->freePair = -1;
    ctBroadphase_SetRoom(bp, FAT_MARGIN, FAT_AHEAD);
    return bp;
}

void ctBroadphase_SetRoom(ctBroadphase *bp, double margin, double ahead)
{
    bp->margin = margin;
    bp->ahead = ahead;
}

void ctBroadphase_Destroy(ctBroadphase *bp)
{
    if (bp == NULL) {
        return;
    }
    for (int i = 0; i < bp->limit; i++) {
        ctFree(bp->proxies[i].links);
    }
    ctTree_Clear(&bp->tree);
    ctFree(bp->extents);
    ctFree(bp->proxies);
    ctFree(bp->unbounded);
    ctFree(bp->pairs);
    ctFree(bp->changes);
    ctFree(bp->events);
    ctFree(bp->scratch);
    ctFree(bp->found);
    ctFree(bp->marks);
    ctFree(bp);
}

// ---- comparisons ------------------------------------------------------------------------------

static bool boxesTouch(const ctBox *a, const ctBox *b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

// The box's least value of n.x is at one corner; a zero component of n must not meet an infinite extent.
static bool planeTouches(const Extent *plane, const ctBox *box)
{
    ctVec3 n = plane->box.lo;
    double low = 0.0, scale = fabs(plane->box.hi.x);
    const double ni[3] = {n.x, n.y, n.z};
    const double lo[3] = {box->lo.x, box->lo.y, box->lo.z}, hi[3] = {box->hi.x, box->hi.y, box->hi.z};
    for (int i = 0; i < 3; i++) {
        if (ni[i] != 0.0) {
            double term = ni[i] * (ni[i] > 0.0 ? lo[i] : hi[i]);
            if (isinf(term)) {
                return term < 0.0;
            }
            low += term;
            scale += fabs(term);
        }
    }
    return low - plane->box.hi.x <= PLANE_SLACK * scale;
}

static bool extentsTouch(const Extent *a, const Extent *b)
{
    if (a->kind == proxyPlane) {
        return b->kind != proxyPlane && planeTouches(a, &b->box);
    }
    if (b->kind == proxyPlane) {
        return planeTouches(b, &a->box);
    }
    return boxesTouch(&a->box, &b->box);
}

static bool sameGroup(const Extent *a, const Extent *b)
{
    return a->group != 0 && a->group == b->group;
}

static ctBox fromFloat(const ctFloatBox *f)
{
    ctBox box = {ctV3(f->v[0], f->v[1], f->v[2]), ctV3(-f->v[3], -f->v[4], -f->v[5])};
    return box;
}

// May the two become a pair without either leaving its fat box?
static bool isCandidate(const ctBroadphase *bp, int a, int b)
{
    const Extent *ea = &bp->extents[a], *eb = &bp->extents[b];
    if (sameGroup(ea, eb)) {
        return false;
    }
    if (ea->kind == proxyBox && eb->kind == proxyBox) {
        return ctFloatBox_Touch(&bp->proxies[a].fat, &bp->proxies[b].fat);
    }
    if (ea->kind == proxyBox && eb->kind == proxyPlane) {
        ctBox box = fromFloat(&bp->proxies[a].fat);
        return planeTouches(eb, &box);
    }
    Extent fatA = *ea, fatB = *eb;
    if (ea->kind == proxyBox) {
        fatA.box = fromFloat(&bp->proxies[a].fat);
    }
    if (eb->kind == proxyBox) {
        fatB.box = fromFloat(&bp->proxies[b].fat);
    }
    return extentsTouch(&fatA, &fatB);
}

// ---- candidate pairs --------------------------------------------------------------------------

static void setLink(ctBroadphase *bp, int proxy, int place, Link link)
{
    bp->proxies[proxy].links[place] = link;
    Pair *pair = &bp->pairs[link.code >> 1];
    *(pair->a == proxy ? &pair->atA : &pair->atB) = place;
}

static void wait(ctBroadphase *bp, int index)
{
    Pair *pair = &bp->pairs[index];
    if (pair->waiting < 0) {
        pair->waiting = bp->changeCount; // room was reserved with the pair
        bp->changes[bp->changeCount++] = index;
    }
}

// Brings one pair's overlap up to date; place is the link's in the list of proxy.
static void compare(ctBroadphase *bp, int proxy, int place)
{
    Link *link = &bp->proxies[proxy].links[place];
    const Extent *a = &bp->extents[proxy], *b = &bp->extents[link->other];
    bool over = (a->kind == proxyBox && b->kind == proxyBox ? boxesTouch(&a->box, &b->box) : extentsTouch(a, b)) &&
                !sameGroup(a, b);
    if (over == (link->code & 1)) {
        return;
    }
    Pair *pair = &bp->pairs[link->code >> 1];
    bp->proxies[pair->a].links[pair->atA].code ^= 1;
    bp->proxies[pair->b].links[pair->atB].code ^= 1;
    wait(bp, link->code >> 1);
}

static void addPair(ctBroadphase *bp, int p, int q)
{
    int index = bp->freePair;
    if (index >= 0) {
        bp->freePair = bp->pairs[index].a;
    } else {
        index = bp->pairUsed++;
    }
    Proxy *a = &bp->proxies[p], *b = &bp->proxies[q];
    bp->pairs[index] = (Pair){.a = p < q ? p : q, .b = p < q ? q : p, .waiting = -1};
    setLink(bp, p, a->linkCount++, (Link){q, 2 * index});
    setLink(bp, q, b->linkCount++, (Link){p, 2 * index});
    compare(bp, p, a->linkCount - 1);
}

static void dropLink(ctBroadphase *bp, int proxy, int place)
{
    Proxy *p = &bp->proxies[proxy];
    int last = --p->linkCount;
    if (place != last) {
        setLink(bp, proxy, place, p->links[last]);
    }
}

static void removePair(ctBroadphase *bp, int index)
{
    Pair pair = bp->pairs[index];
    dropLink(bp, pair.a, pair.atA);
    dropLink(bp, pair.b, pair.atB);
    if (pair.waiting >= 0) {
        int moved = bp->changes[--bp->changeCount];
        bp->changes[pair.waiting] = moved;
        bp->pairs[moved].waiting = pair.waiting;
    }
    bp->reportedCount -= pair.reported;
    bp->pairs[index].waiting = -1;
    bp->pairs[index].a = bp->freePair;
    bp->freePair = index;
}

// Room for one more link of each of the found proxies, and for their pairs.
static bool reservePairs(ctBroadphase *bp, int proxy, int found)
{
    Proxy *p = &bp->proxies[proxy];
    // At most: free pairs are not counted.
    int need = bp->pairUsed + found;
    bool ok = ctReserve((void **)&p->links, &p->linkCapacity, p->linkCount + found, sizeof *p->links) &&
              ctReserve((void **)&bp->pairs, &bp->pairCapacity, need, sizeof *bp->pairs) &&
              ctReserve((void **)&bp->changes, &bp->changeCapacity, need, sizeof *bp->changes);
    for (int i = 0; ok && i < found; i++) {
        Proxy *o = &bp->proxies[bp->found[i]];
        ok = ctReserve((void **)&o->links, &o->linkCapacity, o->linkCount + 1, sizeof *o->links);
    }
    return ok;
}

static int nextRound(ctBroadphase *bp)
{
    if (bp->round == INT32_MAX) {
        for (int i = 0; i < bp->limit; i++) {
            bp->marks[i] = 0;
        }
        bp->round = 0;
    }
    return ++bp->round;
}

// Collects in bp->found the proxies that are to become candidates of this one and are not yet.
static int findCandidates(ctBroadphase *bp, int proxy)
{
    int round = nextRound(bp), count = 0, kept = 0;
    const Proxy *p = &bp->proxies[proxy];
    bp->marks[proxy] = round;
    for (int i = 0; i < p->linkCount; i++) {
        bp->marks[p->links[i].other] = round;
        ctPrefetch(&bp->extents[p->links[i].other]);
        ctPrefetch(&bp->proxies[p->links[i].other]);
        ctPrefetch(&bp->pairs[p->links[i].code >> 1]);
    }
    if (bp->extents[proxy].kind == proxyBox) {
        count = ctTree_Query(&bp->tree, &p->fat, bp->found);
        for (int i = 0; i < bp->unboundedCount; i++) {
            bp->found[count++] = bp->unbounded[i];
        }
    } else {
        for (int i = 0; i < bp->limit; i++) {
            if (bp->extents[i].kind != proxyNone) {
                bp->found[count++] = i;
            }
        }
    }
    for (int i = 0; i < count; i++) {
        ctPrefetch(&bp->extents[bp->found[i]]);
        ctPrefetch(&bp->proxies[bp->found[i]]);
    }
    for (int i = 0; i < count; i++) {
        int other = bp->found[i];
        if (bp->marks[other] != round && isCandidate(bp, proxy, other)) {
            bp->found[kept++] = other;
        }
    }
    return kept;
}

// Brings all pairs of a proxy up to date, and drops candidates that can no longer touch; those that the sink
// still holds wait for Flush.
static void compareAll(ctBroadphase *bp, int proxy)
{
    const Proxy *p = &bp->proxies[proxy];
    for (int i = p->linkCount - 1; i >= 0; i--) {
        compare(bp, proxy, i);
        int code = p->links[i].code;
        if ((code & 1) == 0 && !bp->pairs[code >> 1].reported && !isCandidate(bp, proxy, p->links[i].other)) {
            removePair(bp, code >> 1);
        }
    }
}

// ---- proxies ----------------------------------------------------------------------------------

// A float that is not above x, within two units in its last place.
static float floatBelow(double x)
{
    float f = (float)x;
    return (double)f > x ? f - (fabsf(f) * FLT_EPSILON + FLT_MIN) : f;
}

static ctFloatBox toFloat(const ctBox *box)
{
    ctFloatBox f = {{floatBelow(box->lo.x), floatBelow(box->lo.y), floatBelow(box->lo.z), floatBelow(-box->hi.x),
                     floatBelow(-box->hi.y), floatBelow(-box->hi.z)}};
    return f;
}

static double sumOfExtents(const ctBox *box)
{
    return (box->hi.x - box->lo.x) + (box->hi.y - box->lo.y) + (box->hi.z - box->lo.z);
}

static double clamp(double x, double limit)
{
    return x < -limit ? -limit : x > limit ? limit : x;
}

// A fat box for a box that has come from where the last one was.
static ctFloatBox fatten(const ctBroadphase *bp, const ctBox *box, const ctBox *last)
{
    double mean = sumOfExtents(box) / 3.0, margin = bp->margin * mean;
    ctVec3 step = ctScale(bp->ahead, ctSub(box->lo, last->lo));
    step = ctV3(clamp(step.x, mean), clamp(step.y, mean), clamp(step.z, mean));
    ctVec3 room = ctV3(margin, margin, margin);
    ctBox fat = {ctSub(ctAdd(box->lo, ctMin(step, ctZero3())), room),
                 ctAdd(ctAdd(box->hi, ctMax(step, ctZero3())), room)};
    return toFloat(&fat);
}

static bool fits(const ctBox *box, const ctFloatBox *fat)
{
    ctBox f = fromFloat(fat);
    return box->lo.x >= f.lo.x && box->lo.y >= f.lo.y && box->lo.z >= f.lo.z && box->hi.x <= f.hi.x &&
           box->hi.y <= f.hi.y && box->hi.z <= f.hi.z && sumOfExtents(&f) <= FAT_LEFTOVER * sumOfExtents(box);
}

// Tree positions are finite in single precision; whatever is not goes to the list of unbounded proxies.
static ProxyKind kindOf(const ctBox *box)
{
    const double most = 0.25 * (double)FLT_MAX;
    ctVec3 m = ctMax(ctAbs(box->lo), ctAbs(box->hi));
    return ctMaxElement(m) < most ? proxyBox : proxyInfinite;
}

static bool checkBox(int proxy, const ctBox *box, ctError *error)
{
    if (!(box->lo.x <= box->hi.x && box->lo.y <= box->hi.y && box->lo.z <= box->hi.z)) {
        return ctFail(error, ct_badArgument, "box of proxy %d is empty or not a number: (%g %g %g) to (%g %g %g)",
                      proxy, box->lo.x, box->lo.y, box->lo.z, box->hi.x, box->hi.y, box->hi.z);
    }
    return true;
}

// Room for proxy numbers below limit.
static bool reserveProxies(ctBroadphase *bp, int limit)
{
    bool ok = ctReserve((void **)&bp->extents, &bp->extentCapacity, limit, sizeof *bp->extents) &&
              ctReserve((void **)&bp->proxies, &bp->proxyCapacity, limit, sizeof *bp->proxies) &&
              ctReserve((void **)&bp->marks, &bp->markCapacity, limit, sizeof *bp->marks) &&
              ctReserve((void **)&bp->found, &bp->foundCapacity, limit, sizeof *bp->found) &&
              ctReserve((void **)&bp->unbounded, &bp->unboundedCapacity, limit, sizeof *bp->unbounded) &&
              ctTree_Reserve(&bp->tree, limit);
    for (; ok && bp->limit < limit; bp->limit++) {
        bp->extents[bp->limit] = (Extent){.kind = proxyNone};
        bp->proxies[bp->limit] = (Proxy){.place = -1};
        bp->marks[bp->limit] = 0;
    }
    return ok;
}

static void place(ctBroadphase *bp, int proxy)
{
    Proxy *p = &bp->proxies[proxy];
    if (bp->extents[proxy].kind == proxyBox) {
        ctTree_Insert(&bp->tree, &p->fat, proxy);
    } else {
        p->place = bp->unboundedCount;
        bp->unbounded[bp->unboundedCount++] = proxy;
    }
}

static void displace(ctBroadphase *bp, int proxy)
{
    Proxy *p = &bp->proxies[proxy];
    if (bp->extents[proxy].kind == proxyBox) {
        ctTree_Remove(&bp->tree, proxy);
    } else {
        int moved = bp->unbounded[--bp->unboundedCount];
        bp->unbounded[p->place] = moved;
        bp->proxies[moved].place = p->place;
    }
}

static bool add(ctBroadphase *bp, int proxy, const Extent *extent, ctError *error)
{
    if (proxy < 0 || proxy >= (1 << 28)) {
        return ctFail(error, ct_badArgument, "proxy %d is out of range", proxy);
    }
    if (ctBroadphase_Has(bp, proxy)) {
        return ctFail(error, ct_badArgument, "proxy %d exists already", proxy);
    }
    if (!reserveProxies(bp, proxy + 1)) {
        return ctFailMemory(error, "broadphase proxies");
    }
    Proxy *p = &bp->proxies[proxy];
    bp->extents[proxy] = *extent;
    if (extent->kind == proxyBox) {
        p->fat = fatten(bp, &extent->box, &extent->box);
    }
    int found = findCandidates(bp, proxy);
    if (!reservePairs(bp, proxy, found)) {
        bp->extents[proxy].kind = proxyNone;
        return ctFailMemory(error, "broadphase pairs");
    }
    for (int i = 0; i < found; i++) {
        addPair(bp, proxy, bp->found[i]);
    }
    place(bp, proxy);
    bp->count++;
    return true;
}

bool ctBroadphase_Add(ctBroadphase *bp, int proxy, ctBox box, int group, ctError *error)
{
    if (!checkBox(proxy, &box, error)) {
        return false;
    }
    Extent extent = {.box = box, .group = group, .kind = kindOf(&box)};
    return add(bp, proxy, &extent, error);
}

bool ctBroadphase_AddPlane(ctBroadphase *bp, int proxy, ctVec3 normal, double offset, int group, ctError *error)
{
    if (!ctIsFinite3(normal) || !isfinite(offset) || !(ctLength(normal) > 0.0)) {
        return ctFail(error, ct_badArgument, "plane of proxy %d: normal and offset must be finite and not zero", proxy);
    }
    Extent extent = {.box = {normal, ctV3(offset, 0.0, 0.0)}, .group = group, .kind = proxyPlane};
    return add(bp, proxy, &extent, error);
}

bool ctBroadphase_Has(const ctBroadphase *bp, int proxy)
{
    return proxy >= 0 && proxy < bp->limit && bp->extents[proxy].kind != proxyNone;
}

void ctBroadphase_Remove(ctBroadphase *bp, int proxy)
{
    if (!ctBroadphase_Has(bp, proxy)) {
        return;
    }
    Proxy *p = &bp->proxies[proxy];
    while (p->linkCount > 0) {
        removePair(bp, p->links[p->linkCount - 1].code >> 1);
    }
    displace(bp, proxy);
    ctFree(p->links);
    *p = (Proxy){.place = -1};
    bp->extents[proxy].kind = proxyNone;
    bp->count--;
}

// The slow way: a new fat box, or another group.
static bool moveFar(ctBroadphase *bp, int proxy, const Extent *extent, ctError *error)
{
    Proxy *p = &bp->proxies[proxy];
    Extent before = bp->extents[proxy];
    ctFloatBox fatBefore = p->fat;
    if (extent->kind == proxyBox && !(before.kind == proxyBox && fits(&extent->box, &p->fat))) {
        p->fat = fatten(bp, &extent->box, before.kind == proxyBox ? &before.box : &extent->box);
    }
    bp->extents[proxy] = *extent;
    int found = findCandidates(bp, proxy);
    if (!reservePairs(bp, proxy, found)) {
        bp->extents[proxy] = before;
        p->fat = fatBefore;
        return ctFailMemory(error, "broadphase pairs");
    }
    if (before.kind == proxyBox && extent->kind == proxyBox) {
        ctTree_Move(&bp->tree, &p->fat, proxy);
    } else {
        bp->extents[proxy].kind = before.kind;
        displace(bp, proxy);
        bp->extents[proxy].kind = extent->kind;
        place(bp, proxy);
    }
    compareAll(bp, proxy);
    for (int i = 0; i < found; i++) {
        addPair(bp, proxy, bp->found[i]);
    }
    return true;
}

bool ctBroadphase_Move(ctBroadphase *bp, int proxy, ctBox box, int group, ctError *error)
{
    if (!ctBroadphase_Has(bp, proxy) || bp->extents[proxy].kind == proxyPlane) {
        return ctFail(error, ct_badArgument, "proxy %d is not a box", proxy);
    }
    if (!checkBox(proxy, &box, error)) {
        return false;
    }
    Extent *now = &bp->extents[proxy];
    Extent extent = {.box = box, .group = group, .kind = kindOf(&box)};
    if (now->kind != proxyBox || extent.kind != proxyBox || now->group != group ||
        !fits(&box, &bp->proxies[proxy].fat)) {
        return moveFar(bp, proxy, &extent, error);
    }
    now->box = box;
    int count = bp->proxies[proxy].linkCount;
    for (int i = 0; i < count; i++) {
        compare(bp, proxy, i);
    }
    return true;
}

// ---- reports ----------------------------------------------------------------------------------

bool ctBroadphase_Flush(ctBroadphase *bp, const ctPairSink *sink, ctError *error)
{
    int changes = bp->changeCount, count = 0;
    if (!ctReserve((void **)&bp->events, &bp->eventCapacity, changes, sizeof *bp->events) ||
        !ctReserve((void **)&bp->scratch, &bp->scratchCapacity, changes, sizeof *bp->scratch)) {
        return ctFailMemory(error, "broadphase reports");
    }
    while (bp->changeCount > 0) {
        int index = bp->changes[--bp->changeCount];
        Pair *pair = &bp->pairs[index];
        pair->waiting = -1;
        bool over = bp->proxies[pair->a].links[pair->atA].code & 1;
        if (over != pair->reported) {
            pair->reported = over;
            bp->reportedCount += over ? 1 : -1;
            bp->events[count++] = (uint64_t)pair->a << 32 | (uint64_t)pair->b << 1 | (over ? 1u : 0u);
        }
        if (!over && !isCandidate(bp, pair->a, pair->b)) {
            removePair(bp, index);
        }
    }
    ctSortKeys(bp->events, bp->scratch, count);
    for (int i = 0; i < count; i++) {
        uint64_t event = bp->events[i];
        int a = (int)(event >> 32), b = (int)(event >> 1 & 0x7fffffffu);
        (event & 1u ? sink->begin : sink->end)(sink->context, a, b);
    }
    return true;
}

void ctBroadphase_PairsOf(ctBroadphase *bp, int proxy, const int **others, int *count)
{
    *count = 0;
    *others = bp->found;
    if (!ctBroadphase_Has(bp, proxy)) {
        return;
    }
    const Proxy *p = &bp->proxies[proxy];
    for (int i = 0; i < p->linkCount; i++) {
        if (bp->pairs[p->links[i].code >> 1].reported) {
            bp->found[(*count)++] = p->links[i].other;
        }
    }
    ctSortInts(bp->found, *count);
}

int ctBroadphase_PairCount(const ctBroadphase *bp)
{
    return bp->reportedCount;
}

void ctBroadphase_QueryBox(ctBroadphase *bp, ctBox box, bool (*visit)(void *context, int proxy), void *context)
{
    Extent extent = {.box = box, .kind = proxyBox};
    ctFloatBox fat = toFloat(&box);
    int count = bp->limit > 0 ? ctTree_Query(&bp->tree, &fat, bp->found) : 0, kept = 0;
    for (int i = 0; i < bp->unboundedCount; i++) {
        bp->found[count++] = bp->unbounded[i];
    }
    for (int i = 0; i < count; i++) {
        if (extentsTouch(&bp->extents[bp->found[i]], &extent)) {
            bp->found[kept++] = bp->found[i];
        }
    }
    ctSortInts(bp->found, kept);
    for (int i = 0; i < kept && visit(context, bp->found[i]); i++) {
    }
}

void ctBroadphase_QueryRay(ctBroadphase *bp, ctVec3 origin, ctVec3 direction, double maxT,
                           double (*visit)(void *context, int proxy, double maxT), void *context)
{
    int count = bp->limit > 0 ? ctTree_QueryRay(&bp->tree, origin, direction, maxT, bp->found) : 0;
    for (int i = 0; i < bp->unboundedCount; i++) {
        bp->found[count++] = bp->unbounded[i];
    }
    ctSortInts(bp->found, count);
    for (int i = 0; i < count && maxT >= 0.0; i++) {
        maxT = visit(context, bp->found[i], maxT);
    }
}
