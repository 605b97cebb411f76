#include "collision/soup.h"

#include "collision/memory.h"

void ctSoup_Free(ctSoup *s)
{
    ctFree(s->points);
    ctFree(s->polygons);
    *s = (ctSoup){0};
}

bool ctSoup_AddPoint(ctSoup *s, ctVec3 p)
{
    if (!ctReserve((void **)&s->points, &s->pointCapacity, s->pointCount + 1, sizeof *s->points)) {
        return false;
    }
    s->points[s->pointCount++] = p;
    return true;
}

bool ctSoup_Close(ctSoup *s, int plane)
{
    int first = 0;
    if (s->polygonCount > 0) {
        first = s->polygons[s->polygonCount - 1].first + s->polygons[s->polygonCount - 1].count;
    }
    if (s->pointCount - first < 3) {
        s->pointCount = first;
        return true;
    }
    if (!ctReserve((void **)&s->polygons, &s->polygonCapacity, s->polygonCount + 1, sizeof *s->polygons)) {
        return false;
    }
    s->polygons[s->polygonCount++] = (ctPolygon){first, s->pointCount - first, plane};
    return true;
}

bool ctSoup_Copy(ctSoup *to, const ctSoup *from, int i)
{
    bool ok = true;
    for (int k = 0; ok && k < from->polygons[i].count; k++) {
        ok = ctSoup_AddPoint(to, from->points[from->polygons[i].first + k]);
    }
    return ok && ctSoup_Close(to, from->polygons[i].plane);
}

int ctSoup_Sides(const ctSoup *s, int i, ctVec3 n, double d, double tolerance)
{
    int sides = 0;
    for (int k = 0; k < s->polygons[i].count && sides != 3; k++) {
        double at = ctDot(n, s->points[s->polygons[i].first + k]) - d;
        sides |= at > tolerance ? 1 : at < -tolerance ? 2 : 0;
    }
    return sides;
}

// A crossing is computed from the front end of a side, so that both polygons of an edge get the same point.
bool ctSoup_CutPolygon(const ctSoup *s, int i, ctVec3 n, double d, double tolerance, ctSoup *front, ctSoup *back,
                       ctSoup *rim)
{
    const ctVec3 *p = &s->points[s->polygons[i].first];
    int count = s->polygons[i].count;
    bool ok = true;
    for (int k = 0; ok && k < count; k++) {
        ctVec3 a = p[k], b = p[(k + 1) % count];
        double da = ctDot(n, a) - d, db = ctDot(n, b) - d;
        bool on = fabs(da) <= tolerance;
        ok = ok && (da < -tolerance || ctSoup_AddPoint(front, a)) && (da > tolerance || ctSoup_AddPoint(back, a));
        ok = ok && (!on || rim == NULL || ctSoup_AddPoint(rim, a));
        if ((da > tolerance && db < -tolerance) || (da < -tolerance && db > tolerance)) {
            ctVec3 x = da > 0.0 ? ctLerp(a, b, da / (da - db)) : ctLerp(b, a, db / (db - da));
            ok =
                ok && ctSoup_AddPoint(front, x) && ctSoup_AddPoint(back, x) && (rim == NULL || ctSoup_AddPoint(rim, x));
        }
    }
    return ok && ctSoup_Close(front, s->polygons[i].plane) && ctSoup_Close(back, s->polygons[i].plane);
}

// Sorts the points of a convex wall around their middle, by their angle in its plane.
static void sortRim(ctVec3 *p, int count, ctVec3 normal)
{
    ctVec3 x, y, middle = ctZero3();
    ctFrameFromNormal(normal, &x, &y);
    for (int i = 0; i < count; i++) {
        middle = ctMulAdd(middle, 1.0 / count, p[i]);
    }
    for (int i = 1; i < count; i++) {
        ctVec3 at = p[i], d = ctSub(at, middle);
        double angle = ctAtan2(ctDot(d, y), ctDot(d, x));
        int k = i;
        for (; k > 0; k--) {
            ctVec3 e = ctSub(p[k - 1], middle);
            if (ctAtan2(ctDot(e, y), ctDot(e, x)) <= angle) {
                break;
            }
            p[k] = p[k - 1];
        }
        p[k] = at;
    }
}

// Points closer together than tolerance become one.
static int thinOut(ctVec3 *p, int count, double tolerance)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool fresh = true;
        for (int k = 0; fresh && k < kept; k++) {
            fresh = ctDistance(p[i], p[k]) > tolerance;
        }
        if (fresh) {
            p[kept++] = p[i];
        }
    }
    return kept;
}

bool ctSoup_CutWalls(const ctSoup *walls, ctVec3 n, double d, double tolerance, ctSoup *front, ctSoup *back)
{
    ctSoup rim = {0};
    bool ok = true;
    for (int i = 0; ok && i < walls->polygonCount; i++) {
        int sides = ctSoup_Sides(walls, i, n, d, tolerance);
        if (sides == 0) {
            ok = ctSoup_Copy(front, walls, i) && ctSoup_Copy(back, walls, i);
        } else {
            ok = ctSoup_CutPolygon(walls, i, n, d, tolerance, front, back, &rim);
        }
    }
    rim.pointCount = thinOut(rim.points, rim.pointCount, tolerance);
    if (ok && rim.pointCount >= 3) {
        sortRim(rim.points, rim.pointCount, n);
        for (int k = 0; ok && k < rim.pointCount; k++) {
            ok = ctSoup_AddPoint(front, rim.points[k]) && ctSoup_AddPoint(back, rim.points[k]);
        }
        ok = ok && ctSoup_Close(front, -1) && ctSoup_Close(back, -1);
    }
    ctSoup_Free(&rim);
    return ok;
}
