#include "render/draw/mesh_crossings.h"

#include <stdlib.h>

ctTriangle ctTriangle_Make(ctVec3 a, ctVec3 b, ctVec3 c, int body)
{
    return (ctTriangle){{a, b, c}, ctMin(a, ctMin(b, c)), ctMax(a, ctMax(b, c)), body};
}

static int compareLow(const void *s, const void *t)
{
    double p = ((const ctTriangle *)s)->lo.x, q = ((const ctTriangle *)t)->lo.x;
    return p < q ? -1 : p > q ? 1 : 0;
}

// Whether the segment from p to q passes through a triangle, and where.
static bool pierces(ctVec3 p, ctVec3 q, const ctVec3 t[3], ctVec3 *at)
{
    ctVec3 n = ctCross(ctSub(t[1], t[0]), ctSub(t[2], t[0]));
    double above = ctDot(n, ctSub(p, t[0])), below = ctDot(n, ctSub(q, t[0]));
    if (!((above > 0.0 && below < 0.0) || (above < 0.0 && below > 0.0))) {
        return false;
    }
    *at = ctLerp(p, q, above / (above - below));
    for (int i = 0; i < 3; i++) {
        if (ctDot(ctCross(ctSub(t[(i + 1) % 3], t[i]), ctSub(*at, t[i])), n) < 0.0) {
            return false;
        }
    }
    return true;
}

// Two triangles cross in a segment whose ends lie where a side of one passes through the other.
static void cross(const ctTriangle *s, const ctTriangle *t, ctCrossingFn *found, void *context)
{
    ctVec3 ends[6];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        count += pierces(s->corners[i], s->corners[(i + 1) % 3], t->corners, &ends[count]) ? 1 : 0;
        count += pierces(t->corners[i], t->corners[(i + 1) % 3], s->corners, &ends[count]) ? 1 : 0;
    }
    if (count >= 2) {
        found(context, ends[0], ends[1]);
    }
}

void ctTriangles_Cross(ctTriangle *triangles, int count, ctCrossingFn *found, void *context)
{
    qsort(triangles, (size_t)count, sizeof(ctTriangle), compareLow);
    for (int i = 0; i < count; i++) {
        const ctTriangle *s = &triangles[i];
        for (int k = i + 1; k < count && triangles[k].lo.x < s->hi.x; k++) {
            const ctTriangle *t = &triangles[k];
            if ((s->body == 0 || s->body != t->body) && s->lo.y < t->hi.y && t->lo.y < s->hi.y && s->lo.z < t->hi.z &&
                t->lo.z < s->hi.z) {
                cross(s, t, found, context);
            }
        }
    }
}
