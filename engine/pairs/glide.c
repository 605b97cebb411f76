// Bodies other than balls on curved terrain: which touches are impacts.
//
// A mesh of small angles represents a smooth surface. The normal of that surface is known to the angle theta at which
// triangles of the size l meet, its height to about l theta. A body that slides or rolls at the speed v approaches the
// next triangle at v sin(theta). A body larger than the triangles tips from one to the next, through a height of l
// theta at most. On the smooth surface neither is an impact: the body continues along it.
#include "engine/pairs/tile_internal.h"

// [method] Seams that a corner may pass at once; each adds its angle.
#define SEAMS 2.0

// The sine of the greatest angle at which a triangle meets others in its corners, over smooth seams.
static double turnAround(const ctTerrain *t, int triangle)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        int v = ctTerrain_Corner(t, triangle, k);
        for (int i = t->firstRing[v]; i < t->firstRing[v + 1]; i++) {
            if (ctTerrain_IsSmooth(t, triangle, t->ring[i])) {
                most = ctFmax(most, ctLengthSquared(ctCross(n, ctTerrain_Normal(t, t->ring[i]))));
            }
        }
    }
    return sqrt(most);
}

static double sizeOf(const ctTerrain *t, int triangle)
{
    ctVec3 a = ctTerrain_Vertex(t, triangle, 0);
    ctVec3 b = ctTerrain_Vertex(t, triangle, 1), c = ctTerrain_Vertex(t, triangle, 2);
    return sqrt(ctLength(ctCross(ctSub(b, a), ctSub(c, a))));
}

ctGraze ctTile_Graze(const ctWorld *world, int index, int leaf, double approach, bool flies)
{
    const ctTile *w = world->infos[index].tile;
    if (w == NULL || w->facet >= 0) {
        return ct_grazeNone;
    }
    const ctTerrain *t = ctTile_Terrain(world, w);
    const ctBody *body = &world->bodies[w->body];
    double turn = turnAround(t, w->triangles[leaf]), speed = ctLength(body->v), g = ctLength(world->def.gravity);
    double square = approach * approach, small = 2.0 * CT_ROOMY; // twice the shares of m g r and of the kinetic energy
    bool seam = approach <= SEAMS * turn * speed, slow = square <= small * g * body->radius;
    bool tips = slow && square <= 2.0 * g * turn * sizeOf(t, w->triangles[leaf]);
    if (!(turn > 0.0) || (flies && !slow) || !(seam || tips)) {
        return ct_grazeNone;
    }
    return seam || square <= small * speed * speed ? ct_grazeGoesOn : ct_grazeTips;
}
