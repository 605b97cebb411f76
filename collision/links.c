// Links of proxies. A change merges the present list of a proxy with its new one, and changes only the lists of those
// others that are added or removed.
#include "collision/links.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// FRESH: tag of a link that is not there yet; END: closes a list of proxies.
enum { FRESH = -1, END = INT32_MAX };

void ctLinks_Free(ctLinks *links)
{
    for (int i = 0; i < links->limit; i++) {
        ctFree(links->lists[i].links);
    }
    ctFreeAligned(links->lists);
    ctFree(links->merged);
    ctFree(links->fresh);
    ctFree(links->gone);
    *links = (ctLinks){0};
}

bool ctLinks_Reserve(ctLinks *links, int limit)
{
    bool ok = ctReserveAligned((void **)&links->lists, &links->capacity, limit, sizeof *links->lists);
    for (; ok && links->limit < limit; links->limit++) {
        links->lists[links->limit] = (ctLinkList){0};
    }
    return ok;
}

// The position of a link to other, or where it belongs.
static int placeOf(const ctLinkList *list, int other)
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

static void insertLink(ctLinkList *list, ctLink link)
{
    int at = placeOf(list, link.other);
    memmove(&list->links[at + 1], &list->links[at], (size_t)(list->count - at) * sizeof *list->links);
    list->links[at] = link;
    list->count++;
}

static void eraseLink(ctLinkList *list, int other)
{
    int at = placeOf(list, other);
    assert(at < list->count && list->links[at].other == other);
    list->count--;
    memmove(&list->links[at], &list->links[at + 1], (size_t)(list->count - at) * sizeof *list->links);
}

// One more than needed: the list is closed by END.
static bool reserveList(ctLinkList *list, int count)
{
    return ctReserve((void **)&list->links, &list->capacity, count + 1, sizeof *list->links);
}

// ---- changes ----------------------------------------------------------------------------------

// Writes the new links of the proxy to merged, and pushes those that it loses. No branch can predict what comes next,
// so every step writes everything and then counts what it was. Both lists are closed by END.
static ctLinkChange merge(ctLinks *links, const ctLink *at, const int *next, int count)
{
    ctLinkChange change = {count, 0, links->goneCount};
    ctLink *merged = links->merged, *gone = links->gone + links->goneCount;
    int *fresh = links->fresh;
    for (;;) {
        ctLink link = *at;
        int other = *next;
        if ((link.other & other) == END) {
            break;
        }
        bool lost = (link.other < other), isNew = (link.other > other);
        *gone = link;
        *merged = (ctLink){other, isNew ? FRESH : link.tag};
        *fresh = (int)(merged - links->merged);
        gone += lost;
        fresh += isNew;
        merged += !lost;
        at += !isNew;
        next += !lost;
    }
    change.freshCount = (int)(fresh - links->fresh);
    links->goneCount = (int)(gone - links->gone);
    return change;
}

bool ctLinks_Prepare(ctLinks *links, int proxy, int *others, int count, const ctPairSink *sink, ctLinkChange *change)
{
    ctLinkList *list = &links->lists[proxy];
    int most = list->count + count + 1;
    if (!reserveList(list, count > list->count ? count : list->count) ||
        !ctReserve((void **)&links->merged, &links->mergedCapacity, most, sizeof *links->merged) ||
        !ctReserve((void **)&links->fresh, &links->freshCapacity, most, sizeof *links->fresh) ||
        !ctReserve((void **)&links->gone, &links->goneCapacity, links->goneCount + most, sizeof *links->gone)) {
        return false;
    }
    others[count] = END;
    list->links[list->count] = (ctLink){END, FRESH};
    *change = merge(links, list->links, others, count);
    for (int i = 0; i < change->freshCount; i++) {
        int other = links->merged[links->fresh[i]].other;
        ctLinkList *its = &links->lists[other];
        if (!reserveList(its, its->count + 1)) {
            links->goneCount = change->goneBase;
            return false;
        }
        ctPrefetch(its->links);
        if (sink->expect != NULL) {
            sink->expect(sink->context, other, FRESH);
        }
    }
    for (int i = change->goneBase; i < links->goneCount; i++) {
        ctLink link = links->gone[i];
        ctPrefetch(links->lists[link.other].links);
        if (sink->expect != NULL) {
            sink->expect(sink->context, link.other, link.tag);
        }
    }
    return true;
}

// Removes the links without a tag.
static int dropUntagged(ctLink *links, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        links[kept] = links[i];
        kept += links[i].tag >= 0;
    }
    return kept;
}

static void reportEnd(int a, int b, int tag, const ctPairSink *sink)
{
    sink->end(sink->context, a < b ? a : b, a < b ? b : a, tag);
}

void ctLinks_Apply(ctLinks *links, int proxy, const ctLinkChange *change, const ctPairSink *sink)
{
    int refused = 0, count = change->count;
    for (int i = 0; i < change->freshCount; i++) {
        ctLink *link = &links->merged[links->fresh[i]];
        bool first = proxy < link->other;
        link->tag = sink->begin(sink->context, first ? proxy : link->other, first ? link->other : proxy);
        if (link->tag >= 0) {
            insertLink(&links->lists[link->other], (ctLink){proxy, link->tag});
        } else {
            refused++;
        }
    }
    count = refused > 0 ? dropUntagged(links->merged, count) : count;
    links->lists[proxy].count = count;
    if (count > 0) {
        memcpy(links->lists[proxy].links, links->merged, (size_t)count * sizeof(ctLink));
    }
    int end = links->goneCount;
    for (int i = change->goneBase; i < end; i++) {
        eraseLink(&links->lists[links->gone[i].other], proxy);
    }
    links->pairCount += change->freshCount - refused - (end - change->goneBase);
    for (int i = change->goneBase; i < end; i++) {
        reportEnd(proxy, links->gone[i].other, links->gone[i].tag, sink);
    }
    links->goneCount = change->goneBase;
}

void ctLinks_Drop(ctLinks *links, int proxy, const ctPairSink *sink)
{
    while (links->lists[proxy].count > 0) {
        ctLink last = links->lists[proxy].links[--links->lists[proxy].count];
        eraseLink(&links->lists[last.other], proxy);
        links->pairCount--;
        reportEnd(proxy, last.other, last.tag, sink);
    }
    ctFree(links->lists[proxy].links);
    links->lists[proxy] = (ctLinkList){0};
}

// ---- answers ----------------------------------------------------------------------------------

int ctLinks_Find(const ctLinks *links, int a, int b)
{
    bool fewer = links->lists[a].count <= links->lists[b].count;
    const ctLinkList *list = &links->lists[fewer ? a : b];
    int other = fewer ? b : a, at = placeOf(list, other);
    return at < list->count && list->links[at].other == other ? list->links[at].tag : -1;
}

void ctLinks_SetTag(ctLinks *links, int a, int b, int tag)
{
    assert(tag >= 0 && ctLinks_Find(links, a, b) >= 0);
    ctLinkList *one = &links->lists[a], *two = &links->lists[b];
    one->links[placeOf(one, b)].tag = two->links[placeOf(two, a)].tag = tag;
}
