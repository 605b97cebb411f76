// The broadphase: swept boxes (Mirtich & Canny 1995, section 3.2) in a tree.
//
// A move finds the boxes in the tree that touch the new one, compares them exactly, and makes the rest the links of the
// proxy (links.h). Boxes should have room for later moves, because the cheapest move is none.
#include "collision/broadphase.h"

#include "collision/aabb_tree.h"
#include "collision/links.h"
#include "collision/memory.h"
#include "collision/sort.h"

#include <float.h>
#include <string.h>

// Slack of half-spaces, as a share of coordinates: they pair with boxes that miss them by less.
#define PLANE_SLACK 1e-14

// Up to this many numbers are sorted without a branch.
enum { FEW = 16 };

// The first groups have a tree each: members of a group do not pair with each other, and need not search their own
// tree. Proxies without a group, and of further groups, share the first tree.
enum { TREES = 3 };

typedef enum ProxyKind { proxyNone, proxyBox, proxyInfinite, proxyPlane } ProxyKind;

// The data that a comparison reads.
typedef struct Extent {
    ctBox box; // for a plane: lo is the normal, hi.x the offset
    int group;
    int place; // in the list of unbounded proxies
    ProxyKind kind : 8;
    bool late; // its tree has an older box
} Extent;

_Static_assert(sizeof(Extent) == CT_CACHE_LINE, "one line for each box that is looked at");

struct ctBroadphase {
    ctTree trees[TREES];
    // By tree of a group: proxies whose box in the tree is old. Members do not search their own tree, so a move is
    // entered when another proxy searches there: in a gas between walls never.
    int *late[TREES];
    int lateCount[TREES], lateCapacity[TREES];
    ctLinks links;
    Extent *extents; // by proxy
    int extentCapacity;
    int limit;      // proxies are below
    int *unbounded; // planes and infinite boxes
    int unboundedCount, unboundedCapacity;
    int *found; // results of a query, room for all proxies
    int foundCapacity;
};

ctBroadphase *ctBroadphase_Create(ctError *error)
{
    ctBroadphase *bp = ctAllocate(1, sizeof *bp);
    if (bp == NULL) {
        (void)ctFailMemory(error, "broadphase");
        return NULL;
    }
    for (int i = 0; i < TREES; i++) {
        ctTree_Init(&bp->trees[i]);
    }
    return bp;
}

void ctBroadphase_Destroy(ctBroadphase *bp)
{
    if (bp == NULL) {
        return;
    }
    for (int i = 0; i < TREES; i++) {
        ctTree_Clear(&bp->trees[i]);
        ctFree(bp->late[i]);
    }
    ctLinks_Free(&bp->links);
    ctFreeAligned(bp->extents);
    ctFree(bp->unbounded);
    ctFree(bp->found);
    ctFree(bp);
}

// ---- comparisons ------------------------------------------------------------------------------

static bool boxesTouch(const ctBox *a, const ctBox *b)
{
    return (a->lo.x <= b->hi.x) & (b->lo.x <= a->hi.x) & (a->lo.y <= b->hi.y) & (b->lo.y <= a->hi.y) &
           (a->lo.z <= b->hi.z) & (b->lo.z <= a->hi.z);
}

// The box's least value of n.x is at one corner.
static inline bool planeTouchesFinite(const Extent *plane, const ctBox *box)
{
    ctVec3 n = plane->box.lo, least = ctMin(ctMul(n, box->lo), ctMul(n, box->hi)), size = ctAbs(least);
    double offset = plane->box.hi.x, scale = fabs(offset) + size.x + size.y + size.z;
    return least.x + least.y + least.z - offset <= PLANE_SLACK * scale;
}

// Whether n.x has no least value; a zero component of n must not meet an infinite end.
static bool isBottomless(double n, double lo, double hi)
{
    return n != 0.0 && n * (n > 0.0 ? lo : hi) == -(double)INFINITY;
}

static bool planeTouches(const Extent *plane, const ctBox *box)
{
    ctVec3 n = plane->box.lo, lo = box->lo, hi = box->hi;
    if (isBottomless(n.x, lo.x, hi.x) || isBottomless(n.y, lo.y, hi.y) || isBottomless(n.z, lo.z, hi.z)) {
        return true;
    }
    ctVec3 corner = ctV3(n.x > 0.0   ? lo.x
                         : n.x < 0.0 ? hi.x
                                     : 0.0,
                         n.y > 0.0   ? lo.y
                         : n.y < 0.0 ? hi.y
                                     : 0.0,
                         n.z > 0.0   ? lo.z
                         : n.z < 0.0 ? hi.z
                                     : 0.0);
    ctBox finite = {corner, corner};
    return ctIsFinite3(corner) && planeTouchesFinite(plane, &finite);
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

static inline bool isSameGroup(const Extent *a, const Extent *b)
{
    return (a->group != 0) & (a->group == b->group);
}

static inline int treeOf(int group)
{
    return group > 0 && group < TREES ? group : 0;
}

static bool isPair(const Extent *a, const Extent *b)
{
    return !isSameGroup(a, b) && extentsTouch(a, b);
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

// Each number goes to the place given by the count of smaller ones; all are different. There is room for FEW.
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

// Enters the late boxes into a tree.
static void catchUp(ctBroadphase *bp, int tree)
{
    for (int i = 0; i < bp->lateCount[tree]; i++) {
        int proxy = bp->late[tree][i];
        Extent *e = &bp->extents[proxy];
        if (e->late && e->kind == proxyBox && treeOf(e->group) == tree) {
            ctFloatBox box = toFloat(&e->box);
            e->late = false;
            if (ctTree_Reserve(&bp->trees[tree], bp->limit)) {
                ctTree_Move(&bp->trees[tree], &box, proxy);
            } else {
                ctTree_Stretch(&bp->trees[tree], &box, proxy);
            }
        }
    }
    bp->lateCount[tree] = 0;
}

// Collects in bp->found the proxies that pair with this extent, in ascending order, without the proxy itself. box: the
// extent's, if it is a box.
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
    int count = ctTree_Query(&bp->trees[0], box, found);
    for (int k = 1; k < TREES; k++) {
        if (k != extent->group) {
            catchUp(bp, k);
            count += ctTree_Query(&bp->trees[k], box, found + count);
        }
    }
    for (int i = 0; i < count; i++) {
        ctPrefetch(&bp->extents[found[i]]);
        ctPrefetch(&bp->links.lists[found[i]]);
    }
    // While memory is fetched: planes and infinite boxes, of which there are few.
    int *extra = found + count, extras = 0;
    for (int i = 0; i < bp->unboundedCount; i++) {
        int other = bp->unbounded[i];
        const Extent *e = &bp->extents[other];
        int touch = e->kind == proxyPlane ? planeTouchesFinite(e, &extent->box) : boxesTouch(&extent->box, &e->box);
        int barred = isSameGroup(extent, e);
        extra[extras] = other;
        extras += touch & ~barred & (other != proxy);
    }
    // Nearly all of them pair, and all are in the tree.
    for (int i = 0; i < count; i++) {
        int other = found[i];
        const Extent *e = &bp->extents[other];
        found[kept] = other;
        int touch = boxesTouch(&extent->box, &e->box), barred = isSameGroup(extent, e);
        kept += touch & ~barred & (other != proxy);
    }
    for (int i = 0; i < extras; i++) {
        found[kept++] = extra[i];
    }
    if (kept <= FEW) {
        sortFew(found, kept);
    } else {
        ctSortInts(found, kept);
    }
    return kept;
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
              ctLinks_Reserve(&bp->links, limit) &&
              ctReserve((void **)&bp->found, &bp->foundCapacity, limit + FEW + 1, sizeof *bp->found) &&
              ctReserve((void **)&bp->unbounded, &bp->unboundedCapacity, limit, sizeof *bp->unbounded);
    for (int k = 1; k < TREES; k++) {
        ok = ok && ctReserve((void **)&bp->late[k], &bp->lateCapacity[k], limit, sizeof *bp->late[k]);
    }
    for (; ok && bp->limit < limit; bp->limit++) {
        bp->extents[bp->limit] = (Extent){.kind = proxyNone};
    }
    return ok;
}

static void place(ctBroadphase *bp, int proxy)
{
    Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox) {
        ctFloatBox box = toFloat(&e->box);
        ctTree_Insert(&bp->trees[treeOf(e->group)], &box, proxy);
    } else {
        e->place = bp->unboundedCount;
        bp->unbounded[bp->unboundedCount++] = proxy;
    }
}

static void displace(ctBroadphase *bp, int proxy)
{
    Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox) {
        e->late = false;
        ctTree_Remove(&bp->trees[treeOf(e->group)], proxy);
    } else {
        int moved = bp->unbounded[--bp->unboundedCount];
        bp->unbounded[e->place] = moved;
        bp->extents[moved].place = e->place;
    }
}

// Gives a proxy another box in the same tree, at once or late.
static void moveTo(ctBroadphase *bp, int proxy, const Extent *extent, const ctFloatBox *box)
{
    Extent *e = &bp->extents[proxy];
    int tree = treeOf(extent->group);
    bool late = e->late;
    *e = *extent;
    if (tree == 0) {
        ctTree_Move(&bp->trees[0], box, proxy);
        return;
    }
    e->late = true;
    if (late) {
        return;
    }
    if (bp->lateCount[tree] == bp->lateCapacity[tree]) { // a proxy that has left and come back may be listed twice
        catchUp(bp, tree);
    }
    bp->late[tree][bp->lateCount[tree]++] = proxy;
}

// Moves a proxy to where its extent says; a proxy without a kind is new.
static bool settle(ctBroadphase *bp, int proxy, const Extent *extent, const ctPairSink *sink, ctError *error)
{
    ctLinkChange change;
    ctFloatBox box = toFloat(&extent->box);
    ctPrefetch(bp->links.lists[proxy].links);
    int found = findPairs(bp, proxy, extent, &box);
    ctTree *tree = &bp->trees[treeOf(extent->group)];
    if (!ctTree_Reserve(tree, bp->limit) || !ctLinks_Prepare(&bp->links, proxy, bp->found, found, sink, &change)) {
        return ctFailMemory(error, "broadphase pairs");
    }
    Extent *e = &bp->extents[proxy];
    if (e->kind == proxyBox && extent->kind == proxyBox && treeOf(e->group) == treeOf(extent->group)) {
        moveTo(bp, proxy, extent, &box);
    } else {
        if (e->kind != proxyNone) {
            displace(bp, proxy);
        }
        *e = *extent;
        place(bp, proxy);
    }
    ctLinks_Apply(&bp->links, proxy, &change, sink);
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
    ctPrefetch(&bp->links.lists[proxy]);
}

void ctBroadphase_PrefetchList(const ctBroadphase *bp, int proxy)
{
    ctPrefetch(&bp->links.lists[proxy]);
}

void ctBroadphase_PrefetchLinks(const ctBroadphase *bp, int proxy)
{
    const char *links = (const char *)bp->links.lists[proxy].links;
    if (links != NULL) {
        ctPrefetch(links);
        ctPrefetch(links + CT_CACHE_LINE);
    }
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
    ctLinks_Drop(&bp->links, proxy, sink);
}

// ---- answers ----------------------------------------------------------------------------------

const ctLink *ctBroadphase_Links(const ctBroadphase *bp, int proxy, int *count)
{
    bool exists = proxy >= 0 && proxy < bp->limit; // the list of a removed proxy is empty
    *count = exists ? bp->links.lists[proxy].count : 0;
    return exists ? bp->links.lists[proxy].links : NULL;
}

int ctBroadphase_Find(const ctBroadphase *bp, int a, int b)
{
    return ctBroadphase_Has(bp, a) && ctBroadphase_Has(bp, b) ? ctLinks_Find(&bp->links, a, b) : -1;
}

void ctBroadphase_SetTag(ctBroadphase *bp, int a, int b, int tag)
{
    ctLinks_SetTag(&bp->links, a, b, tag);
}

int ctBroadphase_PairCount(const ctBroadphase *bp)
{
    return bp->links.pairCount;
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
    if (bp->found == NULL) {
        return; // there has never been a proxy
    }
    int count = 0;
    for (int i = 0; i < TREES; i++) {
        catchUp(bp, i);
        count += ctTree_QueryRay(&bp->trees[i], origin, direction, maxT, bp->found + count);
    }
    for (int i = 0; i < bp->unboundedCount; i++) {
        bp->found[count++] = bp->unbounded[i];
    }
    ctSortInts(bp->found, count);
    for (int i = 0; i < count && maxT >= 0.0; i++) {
        maxT = visit(context, bp->found[i], maxT);
    }
}
