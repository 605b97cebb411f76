// The broadphase: swept boxes (Mirtich & Canny 1995, section 3.2) in a tree.
//
// Each proxy has a list of links to the proxies that it overlaps, in ascending order: the pairs are stored
// nowhere else. A move asks the tree for the boxes that touch the new one, merges them with the list, and touches
// the lists of those alone that come or go. Boxes should have room for the moves to come: the cheapest move is
// the one that is not made.
#include "collision/broadphase.h"

#include "collision/aabb_tree.h"
#include "collision/memory.h"
#include "collision/sort.h"

#include <assert.h>
#include <float.h>
#include <string.h>

// Half-spaces pair with boxes that miss them by this much of their coordinates.
#define PLANE_SLACK 1e-14

// The tag of a link that is not there yet; what follows the last proxy of a list.
enum { FRESH = -1, END = INT32_MAX };
// As many numbers are sorted without a branch.
enum { FEW = 16 };

typedef enum ProxyKind { proxyNone, proxyBox, proxyInfinite, proxyPlane } ProxyKind;

// What a comparison reads.
typedef struct Extent {
    ctBox box; // for a plane: lo is the normal, hi.x the offset
    int group;
    int place; // in the list of unbounded proxies
    ProxyKind kind;
} Extent;

_Static_assert(sizeof(Extent) == CT_CACHE_LINE, "one line for each box that is looked at");

typedef struct List {
    ctLink *links; // in ascending order of the other
    int count, capacity;
} List;

struct ctBroadphase {
    ctTree tree;
    Extent *extents; // by proxy
    List *lists;
    int extentCapacity, listCapacity;
    int limit;      // proxies are below
    int *unbounded; // planes and infinite boxes
    int unboundedCount, unboundedCapacity;
    int pairCount;
    ctLink *merged; // the links that a proxy is to have
    int mergedCapacity;
    ctLink *gone; // a stack of links that have ended and are not reported yet; sinks may make moves of their own
    int goneCount, goneCapacity;
    int *found; // results of a query, room for all proxies
    int foundCapacity;
    int *fresh; // places in merged of links that are new
    int freshCapacity;
};

ctBroadphase *ctBroadphase_Create(ctError *error)
{
    ctBroadphase *bp = ctAllocate(1, sizeof *bp);
    if (bp == NULL) {
        (void)ctFailMemory(error, "broadphase");
        return NULL;
    }
    ctTree_Init(&bp->tree);
    return bp;
}

void ctBroadphase_Destroy(ctBroadphase *bp)
{
    if (bp == NULL) {
        return;
    }
    for (int i = 0; i < bp->limit; i++) {
        ctFree(bp->lists[i].links);
    }
    ctTree_Clear(&bp->tree);
    ctFreeAligned(bp->extents);
    void *arrays[] = {bp->lists, bp->unbounded, bp->merged, bp->gone, bp->found, bp->fresh, bp};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}

// ---- comparisons ------------------------------------------------------------------------------

static bool boxesTouch(const ctBox *a, const ctBox *b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

// n times the end of the range that is lower along n. A zero n must not meet an infinite end.
static inline double lowerTerm(double n, double lo, double hi)
{
    double end = n > 0.0 ? lo : hi;
    return n != 0.0 ? n * end : 0.0;
}

// The box's least value of n.x is at one corner.
static bool planeTouches(const Extent *plane, const ctBox *box)
{
    ctVec3 n = plane->box.lo;
    double x = lowerTerm(n.x, box->lo.x, box->hi.x), y = lowerTerm(n.y, box->lo.y, box->hi.y);
    double z = lowerTerm(n.z, box->lo.z, box->hi.z), offset = plane->box.hi.x;
    double scale = fabs(offset) + fabs(x) + fabs(y) + fabs(z);
    if (isinf(scale)) {
        return x == -INFINITY || y == -INFINITY || z == -INFINITY;
    }
    return x + y + z - offset <= PLANE_SLACK * scale;
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

static bool isPair(const Extent *a, const Extent *b)
{
    return !(a->group != 0 && a->group == b->group) && extentsTouch(a, b);
}

// ---- links ------------------------------------------------------------------------------------

// Where a link to other is, or belongs.
static int placeOf(const List *list, int other)
{
    int lo = 0, count = list->count;
    while (count > 0) {
        int half = count / 2;
        bool right = list->links[lo + half].other < other;
        lo = right ? lo + half + 1 : lo;
        count = right ? count - half - 1 : half;
    }
    return lo;
}

static void insertLink(ctBroadphase *bp, int proxy, ctLink link)
{
    List *list = &bp->lists[proxy];
    int at = placeOf(list, link.other);
    memmove(&list->links[at + 1], &list->links[at], (size_t)(list->count - at) * sizeof *list->links);
    list->links[at] = link;
    list->count++;
}

static void eraseLink(ctBroadphase *bp, int proxy, int other)
{
    List *list = &bp->lists[proxy];
    int at = placeOf(list, other);
    assert(at < list->count && list->links[at].other == other);
    list->count--;
    memmove(&list->links[at], &list->links[at + 1], (size_t)(list->count - at) * sizeof *list->links);
}

// ---- finding ----------------------------------------------------------------------------------

// A float that is not above x, within two units in its last place.
static float floatBelow(double x)
{
    float f = (float)x, step = fabsf(f) * FLT_EPSILON + FLT_MIN;
    return f - step * (float)((double)f > x);
}

static ctFloatBox toFloat(const ctBox *box)
{
    ctFloatBox f = {{floatBelow(box->lo.x), floatBelow(box->lo.y), floatBelow(box->lo.z), floatBelow(-box->hi.x),
                     floatBelow(-box->hi.y), floatBelow(-box->hi.z)}};
    return f;
}

// Each number goes to the place that the count of smaller ones gives; all are different. There is room for FEW.
static void sortFew(int *values, int count)
{
    int old[FEW], rank[FEW] = {0};
    memcpy(old, values, sizeof old);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < FEW; k++) {
            rank[k] += old[i] < old[k];
        }
    }
    for (int i = 0; i < count; i++) {
        values[rank[i]] = old[i];
    }
}

// Collects in bp->found the proxies that pair with this extent, in ascending order, but for the proxy itself. box:
// the extent's, where it is a box.
static int findPairs(ctBroadphase *bp, int proxy, const Extent *extent, const ctFloatBox *box)
{
    int *found = bp->found, kept = 0;
    if (extent->kind != proxyBox) {
        for (int i = 0; i < bp->limit; i++) {
            found[kept] = i;
            kept += bp->extents[i].kind != proxyNone && i != proxy && isPair(extent, &bp->extents[i]);
        }
        return kept;
    }
    int count = ctTree_Query(&bp->tree, box, found);
    for (int i = 0; i < count; i++) {
        ctPrefetch(&bp->extents[found[i]]);
        ctPrefetch(&bp->lists[found[i]]);
    }
    // Nearly all of them do pair: there is nothing to predict, and all are in the tree.
    for (int i = 0; i < count; i++) {
        int other = found[i];
        const Extent *e = &bp->extents[other];
        found[kept] = other;
        kept += boxesTouch(&extent->box, &e->box) & (other != proxy) & ((e->group == 0) | (e->group != extent->group));
    }
    for (int i = 0; i < bp->unboundedCount; i++) {
        found[kept] = bp->unbounded[i];
        kept += bp->unbounded[i] != proxy && isPair(extent, &bp->extents[bp->unbounded[i]]);
    }
    if (kept <= FEW) {
        sortFew(found, kept);
    } else {
        ctSortInts(found, kept);
    }
    return kept;
}

// What a move changes: how many links there will be, how many of them are new, and where in the stack those
// begin that are lost.
typedef struct Change {
    int count, freshCount, goneBase;
} Change;

// Writes the links that the proxy is to have to bp->merged, and pushes those that it is to lose. Nobody can
// predict what comes next, so that every step writes everything and counts what it was; ENDs close both lists.
static Change merge(ctBroadphase *bp, int proxy, int found)
{
    List *list = &bp->lists[proxy];
    Change change = {found, 0, bp->goneCount};
    const int *next = bp->found;
    const ctLink *at = list->links;
    ctLink *merged = bp->merged, *gone = bp->gone + bp->goneCount;
    int *fresh = bp->fresh, steps = 0;
    bp->found[found] = END;
    if (list->count == 0) {
        for (; steps < found; steps++) {
            merged[steps] = (ctLink){next[steps], FRESH};
            fresh[steps] = steps;
        }
        change.freshCount = found;
        return change;
    }
    list->links[list->count] = (ctLink){END, FRESH};
    for (;;) {
        ctLink link = *at;
        int other = *next;
        if ((link.other & other) == END) {
            break;
        }
        bool lost = (link.other < other), isNew = (link.other > other);
        *gone = link;
        *merged = (ctLink){other, isNew ? FRESH : link.tag};
        *fresh = (int)(merged - bp->merged);
        gone += lost;
        fresh += isNew;
        merged += !lost;
        at += !isNew;
        next += !lost;
    }
    change.freshCount = (int)(fresh - bp->fresh);
    bp->goneCount = (int)(gone - bp->gone);
    return change;
}

static bool reserveList(List *list, int count)
{
    return ctReserve((void **)&list->links, &list->capacity, count + 1, sizeof *list->links);
}

// Everything that a move needs, before it is made. *change is made by merge.
static bool prepare(ctBroadphase *bp, int proxy, int found, const ctPairSink *sink, Change *change)
{
    List *list = &bp->lists[proxy];
    int most = list->count + found + 1;
    if (!reserveList(list, found > list->count ? found : list->count) ||
        !ctReserve((void **)&bp->merged, &bp->mergedCapacity, most, sizeof *bp->merged) ||
        !ctReserve((void **)&bp->fresh, &bp->freshCapacity, most, sizeof *bp->fresh) ||
        !ctReserve((void **)&bp->gone, &bp->goneCapacity, bp->goneCount + most, sizeof *bp->gone) ||
        !ctTree_Reserve(&bp->tree, bp->limit)) {
        return false;
    }
    *change = merge(bp, proxy, found);
    for (int i = 0; i < change->freshCount; i++) {
        int other = bp->merged[bp->fresh[i]].other;
        if (!reserveList(&bp->lists[other], bp->lists[other].count + 1)) {
            bp->goneCount = change->goneBase;
            return false;
        }
        ctPrefetch(bp->lists[other].links);
        if (sink->expect != NULL) {
            sink->expect(sink->context, other);
        }
    }
    for (int i = change->goneBase; i < bp->goneCount; i++) {
        ctPrefetch(bp->lists[bp->gone[i].other].links);
    }
    return true;
}

static void reportEnd(int a, int b, int tag, const ctPairSink *sink)
{
    sink->end(sink->context, a < b ? a : b, a < b ? b : a, tag);
}

// Takes the merged links without a tag out.
static int dropUntagged(ctLink *links, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        links[kept] = links[i];
        kept += links[i].tag >= 0;
    }
    return kept;
}

static void relink(ctBroadphase *bp, int proxy, const Change *change, const ctPairSink *sink)
{
    int refused = 0, count = change->count;
    for (int i = 0; i < change->freshCount; i++) {
        ctLink *link = &bp->merged[bp->fresh[i]];
        bool first = proxy < link->other;
        link->tag = sink->begin(sink->context, first ? proxy : link->other, first ? link->other : proxy);
        if (link->tag >= 0) {
            insertLink(bp, link->other, (ctLink){proxy, link->tag});
        } else {
            refused++;
        }
    }
    count = refused > 0 ? dropUntagged(bp->merged, count) : count;
    bp->lists[proxy].count = count;
    if (count > 0) {
        memcpy(bp->lists[proxy].links, bp->merged, (size_t)count * sizeof(ctLink));
    }
    int end = bp->goneCount;
    for (int i = change->goneBase; i < end; i++) {
        eraseLink(bp, bp->gone[i].other, proxy);
    }
    bp->pairCount += change->freshCount - refused - (end - change->goneBase);
    for (int i = change->goneBase; i < end; i++) {
        reportEnd(proxy, bp->gone[i].other, bp->gone[i].tag, sink);
    }
    bp->goneCount = change->goneBase;
}

// ---- proxies ----------------------------------------------------------------------------------

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
    bool ok = ctReserveAligned((void **)&bp->extents, &bp->extentCapacity, limit, sizeof *bp->extents) &&
              ctReserve((void **)&bp->lists, &bp->listCapacity, limit, sizeof *bp->lists) &&
              ctReserve((void **)&bp->found, &bp->foundCapacity, limit + FEW + 1, sizeof *bp->found) &&
              ctReserve((void **)&bp->unbounded, &bp->unboundedCapacity, limit, sizeof *bp->unbounded);
    for (; ok && bp->limit < limit; bp->limit++) {
        bp->extents[bp->limit] = (Extent){.kind = proxyNone};
        bp->lists[bp->limit] = (List){0};
    }
    return ok;
}

static void place(ctBroadphase *bp, int proxy)
{
    Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox) {
        ctFloatBox box = toFloat(&e->box);
        ctTree_Insert(&bp->tree, &box, proxy);
    } else {
        e->place = bp->unboundedCount;
        bp->unbounded[bp->unboundedCount++] = proxy;
    }
}

static void displace(ctBroadphase *bp, int proxy)
{
    const Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox) {
        ctTree_Remove(&bp->tree, proxy);
    } else {
        int moved = bp->unbounded[--bp->unboundedCount];
        bp->unbounded[e->place] = moved;
        bp->extents[moved].place = e->place;
    }
}

// Puts a proxy where its extent says; one of no kind is new.
static bool settle(ctBroadphase *bp, int proxy, const Extent *extent, const ctPairSink *sink, ctError *error)
{
    Change change;
    ctFloatBox box = toFloat(&extent->box);
    ctPrefetch(bp->lists[proxy].links);
    if (!prepare(bp, proxy, findPairs(bp, proxy, extent, &box), sink, &change)) {
        return ctFailMemory(error, "broadphase pairs");
    }
    Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox && extent->kind == proxyBox) {
        *e = *extent;
        ctTree_Move(&bp->tree, &box, proxy);
    } else {
        if (e->kind != proxyNone) {
            displace(bp, proxy);
        }
        *e = *extent;
        place(bp, proxy);
    }
    relink(bp, proxy, &change, sink);
    return true;
}

static bool add(ctBroadphase *bp, int proxy, const Extent *extent, const ctPairSink *sink, ctError *error)
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
    return settle(bp, proxy, extent, sink, error);
}

bool ctBroadphase_Add(ctBroadphase *bp, int proxy, ctBox box, int group, const ctPairSink *sink, ctError *error)
{
    if (!checkBox(proxy, &box, error)) {
        return false;
    }
    Extent extent = {.box = box, .group = group, .kind = kindOf(&box)};
    return add(bp, proxy, &extent, sink, error);
}

bool ctBroadphase_AddPlane(ctBroadphase *bp, int proxy, ctVec3 normal, double offset, int group, const ctPairSink *sink,
                           ctError *error)
{
    if (!ctIsFinite3(normal) || !isfinite(offset) || !(ctLength(normal) > 0.0)) {
        return ctFail(error, ct_badArgument, "plane of proxy %d: normal and offset must be finite and not zero", proxy);
    }
    Extent extent = {.box = {normal, ctV3(offset, 0.0, 0.0)}, .group = group, .kind = proxyPlane};
    return add(bp, proxy, &extent, sink, error);
}

void ctBroadphase_Prefetch(const ctBroadphase *bp, int proxy)
{
    ctPrefetch(&bp->extents[proxy]);
    ctPrefetch(&bp->lists[proxy]);
    ctPrefetch(&bp->tree.leafOf[proxy]);
}

void ctBroadphase_PrefetchLinks(const ctBroadphase *bp, int proxy)
{
    const char *links = (const char *)bp->lists[proxy].links;
    ctPrefetch(links);
    ctPrefetch(links + CT_CACHE_LINE);
}

bool ctBroadphase_Has(const ctBroadphase *bp, int proxy)
{
    return proxy >= 0 && proxy < bp->limit && bp->extents[proxy].kind != proxyNone;
}

bool ctBroadphase_Move(ctBroadphase *bp, int proxy, ctBox box, int group, const ctPairSink *sink, ctError *error)
{
    if (!ctBroadphase_Has(bp, proxy) || bp->extents[proxy].kind == proxyPlane) {
        return ctFail(error, ct_badArgument, "proxy %d is not a box", proxy);
    }
    if (!checkBox(proxy, &box, error)) {
        return false;
    }
    Extent extent = {.box = box, .group = group, .kind = kindOf(&box)};
    return settle(bp, proxy, &extent, sink, error);
}

void ctBroadphase_Remove(ctBroadphase *bp, int proxy, const ctPairSink *sink)
{
    if (!ctBroadphase_Has(bp, proxy)) {
        return;
    }
    displace(bp, proxy);
    bp->extents[proxy].kind = proxyNone;
    while (bp->lists[proxy].count > 0) {
        ctLink last = bp->lists[proxy].links[--bp->lists[proxy].count];
        eraseLink(bp, last.other, proxy);
        bp->pairCount--;
        reportEnd(proxy, last.other, last.tag, sink);
    }
    ctFree(bp->lists[proxy].links);
    bp->lists[proxy] = (List){0};
}

// ---- answers ----------------------------------------------------------------------------------

const ctLink *ctBroadphase_Links(const ctBroadphase *bp, int proxy, int *count)
{
    bool exists = ctBroadphase_Has(bp, proxy);
    *count = exists ? bp->lists[proxy].count : 0;
    return exists ? bp->lists[proxy].links : NULL;
}

int ctBroadphase_Find(const ctBroadphase *bp, int a, int b)
{
    if (!ctBroadphase_Has(bp, a) || !ctBroadphase_Has(bp, b)) {
        return -1;
    }
    bool fewer = bp->lists[a].count <= bp->lists[b].count;
    const List *list = &bp->lists[fewer ? a : b];
    int other = fewer ? b : a, at = placeOf(list, other);
    return at < list->count && list->links[at].other == other ? list->links[at].tag : -1;
}

void ctBroadphase_SetTag(ctBroadphase *bp, int a, int b, int tag)
{
    assert(tag >= 0 && ctBroadphase_Find(bp, a, b) >= 0);
    bp->lists[a].links[placeOf(&bp->lists[a], b)].tag = tag;
    bp->lists[b].links[placeOf(&bp->lists[b], a)].tag = tag;
}

int ctBroadphase_PairCount(const ctBroadphase *bp)
{
    return bp->pairCount;
}

void ctBroadphase_QueryBox(ctBroadphase *bp, ctBox box, bool (*visit)(void *context, int proxy), void *context)
{
    if (bp->limit == 0) {
        return;
    }
    Extent extent = {.box = box, .kind = kindOf(&box)};
    ctFloatBox floats = toFloat(&box);
    int count = findPairs(bp, -1, &extent, &floats);
    for (int i = 0; i < count && visit(context, bp->found[i]); i++) {
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
