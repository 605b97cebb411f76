// Surfaces of hulls: their edges by facet or point, and the merging of nearly coplanar facets.
#include "collision/hull_build.h"
#include "collision/memory.h"

#include <stdlib.h>

void ctEdgeGroups_Free(ctEdgeGroups *g)
{
    ctFree(g->first);
    ctFree(g->order);
    *g = (ctEdgeGroups){NULL, NULL};
}

bool ctEdgeGroups_Make(const ctHullSurface *s, const int *map, int keyCount, ctEdgeGroups *g)
{
    int n = 2 * s->edgeCount;
    ctEdgeGroups_Free(g);
    g->first = ctAllocate((size_t)keyCount + 2, sizeof *g->first);
    g->order = ctAllocate((size_t)n, sizeof *g->order);
    if (g->first == NULL || g->order == NULL) {
        return false;
    }
    // Shifted by one while filling, so that each offset ends where its group begins.
    int *next = g->first + 1;
    for (int i = 0; i < n; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        next[(map != NULL ? map[e->point[i % 2]] : e->facet[i % 2]) + 1]++;
    }
    for (int k = 0; k < keyCount; k++) {
        next[k + 1] += next[k];
    }
    for (int i = 0; i < n; i++) {
        const ctHullEdge *e = &s->edges[i / 2];
        g->order[next[map != NULL ? map[e->point[i % 2]] : e->facet[i % 2]]++] = i;
    }
    return true;
}

int ctHullSurface_Number(const ctHullSurface *s, int *number, int count)
{
    for (int i = 0; i < count; i++) {
        number[i] = -1;
    }
    for (int i = 0; i < 2 * s->edgeCount; i++) {
        number[s->edges[i / 2].point[i % 2]] = 0;
    }
    int used = 0;
    for (int i = 0; i < count; i++) {
        number[i] = number[i] == 0 ? used++ : -1;
    }
    return used;
}

// ---- merging -----------------------------------------------------------------------------------

typedef struct Ranked {
    double area;
    int facet;
} Ranked;

typedef struct Merger {
    ctHullSurface *surface;
    const ctVec3 *points;
    double tolerance;
    ctEdgeGroups ends;
    Ranked *ranked;
    int *region; // of each facet, -1 while it has none
    int *queue;
    int regionCount;
} Merger;

static int compareRanked(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->area != y->area) {
        return x->area > y->area ? -1 : 1;
    }
    return x->facet < y->facet ? -1 : x->facet > y->facet;
}

// The points of edge end i.
static const int *endPoints(const Merger *m, int i)
{
    return m->surface->edges[m->ends.order[i] / 2].point;
}

static void rankFacets(Merger *m)
{
    for (int f = 0; f < m->surface->facetCount; f++) {
        ctVec3 o = m->points[endPoints(m, m->ends.first[f])[0]];
        double area = 0.0;
        for (int i = m->ends.first[f]; i < m->ends.first[f + 1]; i++) {
            const int *p = endPoints(m, i);
            area += ctLength(ctCross(ctSub(m->points[p[0]], o), ctSub(m->points[p[1]], o)));
        }
        m->ranked[f] = (Ranked){area, f};
        m->region[f] = -1;
    }
    qsort(m->ranked, (size_t)m->surface->facetCount, sizeof *m->ranked, compareRanked);
}

static bool fits(const Merger *m, int facet, ctVec3 normal, double offset)
{
    for (int i = m->ends.first[facet]; i < m->ends.first[facet + 1]; i++) {
        const int *p = endPoints(m, i);
        if (fabs(ctDot(normal, m->points[p[0]]) - offset) > m->tolerance ||
            fabs(ctDot(normal, m->points[p[1]]) - offset) > m->tolerance) {
            return false;
        }
    }
    return ctDot(normal, m->surface->normals[facet]) > 0.5;
}

// Takes the facets around a seed that fit its plane.
static void growRegion(Merger *m, int seed)
{
    const ctHullSurface *s = m->surface;
    int count = 0;
    m->queue[count++] = seed;
    m->region[seed] = m->regionCount;
    for (int at = 0; at < count; at++) {
        int f = m->queue[at];
        for (int i = m->ends.first[f]; i < m->ends.first[f + 1]; i++) {
            int end = m->ends.order[i], g = s->edges[end / 2].facet[1 - end % 2];
            if (m->region[g] < 0 && fits(m, g, s->normals[seed], s->offsets[seed])) {
                m->region[g] = m->regionCount;
                m->queue[count++] = g;
            }
        }
    }
}

static void mergeFacets(Merger *m, ctVec3 *normals, double *offsets)
{
    ctHullSurface *s = m->surface;
    rankFacets(m);
    for (int k = 0; k < s->facetCount; k++) {
        int seed = m->ranked[k].facet;
        if (m->region[seed] < 0) {
            normals[m->regionCount] = s->normals[seed];
            offsets[m->regionCount] = s->offsets[seed];
            growRegion(m, seed);
            m->regionCount++;
        }
    }
    int edges = 0;
    for (int i = 0; i < s->edgeCount; i++) {
        ctHullEdge e = s->edges[i];
        e.facet[0] = m->region[e.facet[0]];
        e.facet[1] = m->region[e.facet[1]];
        if (e.facet[0] != e.facet[1]) {
            s->edges[edges++] = e;
        }
    }
    s->edgeCount = edges;
    s->facetCount = m->regionCount;
}

bool ctHullSurface_Merge(ctHullSurface *surface, const ctVec3 *points, double tolerance, ctError *error)
{
    size_t n = (size_t)surface->facetCount;
    Merger m = {.surface = surface, .points = points, .tolerance = tolerance};
    ctVec3 *normals = ctAllocate(n, sizeof *normals);
    double *offsets = ctAllocate(n, sizeof *offsets);
    m.ranked = ctAllocate(n, sizeof *m.ranked);
    m.region = ctAllocate(n, sizeof *m.region);
    m.queue = ctAllocate(n, sizeof *m.queue);
    bool ok = normals != NULL && offsets != NULL && m.ranked != NULL && m.region != NULL && m.queue != NULL &&
              ctEdgeGroups_Make(surface, NULL, surface->facetCount, &m.ends);
    if (ok) {
        mergeFacets(&m, normals, offsets);
        ctFree(surface->normals);
        ctFree(surface->offsets);
        surface->normals = normals;
        surface->offsets = offsets;
    } else {
        ctFree(normals);
        ctFree(offsets);
    }
    ctFree(m.ranked);
    ctFree(m.region);
    ctFree(m.queue);
    ctEdgeGroups_Free(&m.ends);
    return ok ? true : ctFailMemory(error, "a hull");
}
