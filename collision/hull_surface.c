// The only file that calls libqhull_r. Qhull returns by longjmp, allocates by itself, and writes messages to a stream.
// The first line of these becomes the text of the error.
#include "collision/hull_build.h"

#include "collision/memory.h"

#include <libqhull_r/qhull_ra.h>

void ctHullSurface_Free(ctHullSurface *s)
{
    ctFree(s->normals);
    ctFree(s->offsets);
    ctFree(s->edges);
    *s = (ctHullSurface){0, 0, NULL, NULL, NULL};
}

// Copies facets and ridges. False when memory is short.
static bool readSurface(qhT *qh, ctHullSurface *out)
{
    facetT *facet;
    size_t ridges = 0;
    FORALLfacets
    {
        qh_makeridges(qh, facet);
    }
    FORALLfacets
    {
        facet->visitid = (unsigned int)out->facetCount++;
        ridges += (size_t)qh_setsize(qh, facet->ridges);
    }
    out->normals = ctAllocate((size_t)out->facetCount, sizeof *out->normals);
    out->offsets = ctAllocate((size_t)out->facetCount, sizeof *out->offsets);
    out->edges = ctAllocate(ridges, sizeof *out->edges); // each ridge is counted twice
    if (out->normals == NULL || out->offsets == NULL || out->edges == NULL) {
        return false;
    }
    FORALLfacets
    {
        int f = (int)facet->visitid;
        out->normals[f] = ctV3(facet->normal[0], facet->normal[1], facet->normal[2]);
        out->offsets[f] = -facet->offset;
        ridgeT *ridge, **ridgep;
        FOREACHridge_(facet->ridges)
        {
            if (ridge->top == facet) {
                ctHullEdge *e = &out->edges[out->edgeCount++];
                e->facet[0] = f;
                e->facet[1] = (int)ridge->bottom->visitid;
                e->point[0] = qh_pointid(qh, ((vertexT *)SETfirst_(ridge->vertices))->point);
                e->point[1] = qh_pointid(qh, ((vertexT *)SETsecond_(ridge->vertices))->point);
            }
        }
    }
    return true;
}

// Errors inside readSurface come back through qh->errexit.
static int readGuarded(qhT *qh, ctHullSurface *out, bool *enough)
{
    int code = setjmp(qh->errexit);
    if (code == 0) {
        qh->NOerrexit = False;
        *enough = readSurface(qh, out);
    }
    qh->NOerrexit = True;
    return code;
}

static void firstLine(char *text)
{
    char *end = strchr(text, '\n');
    if (end != NULL) {
        *end = '\0';
    }
}

bool ctHullSurface_Make(const ctVec3 *points, int count, bool joggle, ctHullSurface *out, ctError *error)
{
    *out = (ctHullSurface){0, 0, NULL, NULL, NULL};
    char message[160] = "";
    coordT *coords = ctAllocate((size_t)count * 3, sizeof *coords);
    qhT *qh = ctAllocate(1, sizeof *qh);
    FILE *log = fmemopen(message, sizeof message, "w");
    bool enough = coords != NULL && qh != NULL && log != NULL;
    int code = 0;
    if (enough) {
        for (int i = 0; i < count; i++) {
            coords[3 * i] = points[i].x;
            coords[3 * i + 1] = points[i].y;
            coords[3 * i + 2] = points[i].z;
        }
        // Q12: nearly coincident points make facets that are wide for their rounding errors; accept them.
        // QJ: move all points by about 1e-11, from a fixed seed, until no facets need merging.
        char merging[] = "qhull Q12", joggling[] = "qhull QJ";
        qh_zero(qh, log);
        code = qh_new_qhull(qh, 3, count, coords, False, joggle ? joggling : merging, NULL, log);
        if (code == 0) {
            code = readGuarded(qh, out, &enough);
        }
        int longMemory, totalLong;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &longMemory, &totalLong);
        enough = enough && code != qh_ERRmem;
    }
    if (log != NULL) {
        fclose(log);
    }
    ctFree(coords);
    ctFree(qh);
    if (!enough) {
        return ctFailMemory(error, "a convex hull");
    }
    if (code != 0) {
        firstLine(message);
        return ctFail(error, ct_badArgument, "the points have no usable convex hull (%s)", message);
    }
    return true;
}
