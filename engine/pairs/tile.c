// Tiles: the part of a terrain that one body sees.
//
// A terrain may have a hundred thousand triangles, of which a body can touch a few before its box is renewed. These few
// are the tile of the two. The tile replaces the terrain in their pair, as a fixed body that the program never sees. So
// all code for compounds and planes holds for it. Where the tile is flat and its facet continues beyond it on all
// sides, the tile is a plane, and bodies move as on a plane, to the last bit. Elsewhere it is a compound of triangles.
//
// Slots for tiles are made with the bodies, one for each terrain and each other body, so that none is made in a step.
#include "engine/pairs/tile_internal.h"

#include "collision/memory.h"
#include "collision/sort.h"
#include "collision/terrain.h"

#include <string.h>

// A tile reaches beyond the body's box by this share of the body's radius; for a plan it reaches farther than needed by
// this factor.
#define BEYOND (0.5 * CT_BOX_REACH)
#define AHEAD (1.0 + CT_BOX_REACH)
// [format] m: position of the plane of an empty tile.
#define FAR 1e30

void ctTile_Free(ctTile *tile)
{
    if (tile != NULL) {
        void *parts[] = {tile->triangles, tile->flats, tile->leaves, tile->former, tile->passed, tile->sides, tile};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            ctFree(parts[i]);
        }
    }
}

// ---- what is in it ----------------------------------------------------------------------------

const ctTerrain *ctTile_Terrain(const ctWorld *world, const ctTile *tile)
{
    return ctBody_Shape(world, tile->terrain)->u.terrain;
}

static bool collect(void *context, int triangle)
{
    ctTile *w = context;
    if (!ctReserve((void **)&w->triangles, &w->capacity, w->count + 1, sizeof(int))) {
        w->failed = true;
        return false;
    }
    w->triangles[w->count++] = triangle;
    return true;
}

bool ctBox_Crosses(const ctBox *box, ctVec3 a, ctVec3 b)
{
    double from = 0.0, to = 1.0;
    const double p[3] = {a.x, a.y, a.z}, d[3] = {b.x - a.x, b.y - a.y, b.z - a.z};
    const double lo[3] = {box->lo.x, box->lo.y, box->lo.z}, hi[3] = {box->hi.x, box->hi.y, box->hi.z};
    for (int k = 0; k < 3; k++) {
        if (d[k] == 0.0) {
            if (p[k] < lo[k] || p[k] > hi[k]) {
                return false;
            }
            continue;
        }
        double u = (lo[k] - p[k]) / d[k], v = (hi[k] - p[k]) / d[k];
        from = ctFmax(from, ctFmin(u, v));
        to = ctFmin(to, ctFmax(u, v));
    }
    return from <= to;
}

double ctTriangle_Inside(const ctTerrain *t, int triangle, ctVec3 p)
{
    ctVec3 n = ctTerrain_Normal(t, triangle);
    double part[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        ctVec3 a = ctTerrain_Vertex(t, triangle, (k + 1) % 3), b = ctTerrain_Vertex(t, triangle, (k + 2) % 3);
        part[k] = ctDot(n, ctCross(ctSub(b, a), ctSub(p, a)));
        sum += part[k];
    }
    return ctFmin(part[0], ctFmin(part[1], part[2])) / sum;
}

// A point of the box in the plane of a facet; false when the plane does not meet the box.
static bool pointInBox(const ctTerrain *t, int facet, const ctBox *box, ctVec3 *point)
{
    ctVec3 c = ctLerp(box->lo, box->hi, 0.5), half = ctSub(box->hi, c), n = t->normals[facet];
    double height = ctDot(n, c) - t->offsets[facet], reach = ctDot(half, ctAbs(n));
    if (fabs(height) > reach) {
        return false;
    }
    ctVec3 corner = ctV3(copysign(half.x, n.x), copysign(half.y, n.y), copysign(half.z, n.z));
    *point = ctMulAdd(c, -height / reach, corner);
    return true;
}

// The only facet of the tile, if the tile is well inside it; -1: there is none.
static int flatFacet(const ctTerrain *t, const ctTile *w)
{
    int facet = t->facets[w->triangles[0]];
    bool over = false;
    ctVec3 p;
    if (!pointInBox(t, facet, &w->box, &p)) {
        return -1;
    }
    for (int i = 0; i < w->passedCount; i++) {
        if (t->facets[w->passed[i]] == facet) {
            return -1;
        }
    }
    for (int i = 0; i < w->count; i++) {
        int triangle = w->triangles[i];
        if (t->facets[triangle] != facet) {
            return -1;
        }
        for (int k = 0; k < 3; k++) {
            int other = t->neighbours[3 * triangle + k];
            if ((other < 0 || t->facets[other] != facet) &&
                ctBox_Crosses(&w->box, ctTerrain_Vertex(t, triangle, k), ctTerrain_Vertex(t, triangle, (k + 1) % 3))) {
                return -1;
            }
        }
        over = over || ctTriangle_Inside(t, triangle, p) >= -1e-9;
    }
    return over ? facet : -1;
}

bool ctTile_IsGentle(const ctTerrain *t, const ctTile *w)
{
    ctVec3 n = ctTerrain_Normal(t, w->ride);
    bool there = false;
    for (int i = 0; i < w->count; i++) {
        int triangle = w->triangles[i];
        there = there || triangle == w->ride;
        if (ctDot(ctTerrain_Normal(t, triangle), n) < CT_GENTLE) {
            return false;
        }
        for (int k = 0; k < 3 && t->ends[triangle]; k++) {
            int other = t->neighbours[3 * triangle + k];
            if ((other < 0 || !ctTerrain_IsSmooth(t, triangle, other)) &&
                ctBox_Crosses(&w->box, ctTerrain_Vertex(t, triangle, k), ctTerrain_Vertex(t, triangle, (k + 1) % 3))) {
                return false;
            }
        }
    }
    return there;
}

static bool makeCompound(const ctTerrain *t, ctTile *w)
{
    if (!ctReserve((void **)&w->flats, &w->flatCapacity, w->count, sizeof(ctFlat)) ||
        !ctReserve((void **)&w->leaves, &w->leafCapacity, w->count, sizeof(ctLeaf))) {
        return false;
    }
    for (int i = 0; i < w->count; i++) {
        ctFlat_Make(&w->flats[i], t, w->triangles[i]);
        w->leaves[i] = w->flats[i].self;
    }
    w->shape.type = ct_shapeCompound;
    w->shape.leafCount = w->count;
    w->shape.leaves = w->leaves;
    return true;
}

static void makePlane(const ctTerrain *t, ctTile *w)
{
    bool there = w->facet < t->facetCount;
    double sign = w->front ? 1.0 : -1.0;
    w->shape.type = ct_shapePlane;
    w->shape.u.plane.normal = there ? ctScale(sign, t->normals[w->facet]) : ctV3(0.0, 0.0, 1.0);
    w->shape.u.plane.offset = there ? sign * t->offsets[w->facet] : -FAR;
    w->shape.leafCount = 1;
    w->shape.leaves = &w->self;
    w->self = (ctLeaf){&w->shape, ctTransformIdentity()};
}

// The body that represents the tile.
static void placeBody(ctWorld *world, int index)
{
    ctBody *body = &world->bodies[index];
    ctBodyInfo *info = &world->infos[index];
    const ctTile *w = info->tile;
    const ctBody *ground = &world->bodies[w->terrain];
    const ctBodyInfo *groundInfo = &world->infos[w->terrain];
    body->plane = w->facet >= 0;
    body->q = ground->q;
    info->center = body->plane ? ctZero3() : groundInfo->center;
    body->x = ctAdd(ground->x, ctRotate(ground->q, ctSub(info->center, groundInfo->center)));
    body->radius = body->plane ? 0.0 : ground->radius;
    body->box = ground->box;
    info->material = groundInfo->material;
    info->surface = groundInfo->surface;
    info->surfaceSpin = groundInfo->surfaceSpin;
    info->filter = groundInfo->filter;
    if (body->plane) {
        ctBody_UpdatePlane(world, index);
    }
}

void ctTile_BecomePlane(ctWorld *world, int index, int facet)
{
    ctTile *w = world->infos[index].tile;
    w->facet = facet;
    makePlane(ctTile_Terrain(world, w), w);
    placeBody(world, index);
}

// Collects the triangles of the box. False when memory is short.
static bool gather(const ctTerrain *t, ctTile *w)
{
    w->count = 0;
    w->failed = false;
    ctTerrain_Query(t, w->box.lo, w->box.hi, collect, w);
    if (w->count == 0 && !w->failed) {
        collect(w, ctTerrain_Near(t, ctLerp(w->box.lo, w->box.hi, 0.5))); // far away, but a pair needs a shape
    }
    return !w->failed;
}

// Makes a shape of the triangles. A riding ball has already been found to ride on.
static bool arrange(ctWorld *world, int index)
{
    ctTile *w = world->infos[index].tile;
    const ctTerrain *t = ctTile_Terrain(world, w);
    const ctShape *ground = ctBody_Shape(world, w->terrain);
    w->shape = (ctShape){.size = ground->size, .lo = ground->lo, .hi = ground->hi, .references = 1};
    w->shape.unit.center = ground->unit.center;
    w->shape.boundRadius = ground->boundRadius;
    w->facet = w->count > 0 ? flatFacet(t, w) : t->facetCount;
    w->flat = w->facet >= 0;
    if (w->ride >= 0) {
        w->facet = t->facets[w->ride];
    }
    if (w->facet >= 0) {
        makePlane(t, w);
    } else if (!makeCompound(t, w)) {
        return false;
    }
    placeBody(world, index);
    return true;
}

bool ctTile_Fill(ctWorld *world, int index)
{
    ctTile *w = world->infos[index].tile;
    if (!gather(ctTile_Terrain(world, w), w)) {
        return false;
    }
    ctSortInts(w->triangles, w->count);
    ctTile_LeaveOut(w);
    return arrange(world, index);
}

// ---- opening and moving -----------------------------------------------------------------------

ctBox ctTile_BoxIn(const ctWorld *world, int terrain, const ctBox *box, double grow)
{
    ctPose pose = ctBody_Pose(world, &world->bodies[terrain]);
    ctVec3 c = ctLerp(box->lo, box->hi, 0.5), half = ctSub(box->hi, c);
    ctMat3 back = ctTranspose(pose.r);
    ctVec3 reach =
        ctAdd(ctAdd(ctScale(half.x, ctAbs(back.cx)), ctScale(half.y, ctAbs(back.cy))), ctScale(half.z, ctAbs(back.cz)));
    c = ctInvPosePoint(&pose, c);
    reach = ctAdd(reach, ctV3(grow, grow, grow));
    return (ctBox){ctSub(c, reach), ctAdd(c, reach)};
}

double ctTile_Need(const ctWorld *world, int index, double time)
{
    const ctBody *body = &world->bodies[index];
    double pull = time * ctLength(world->def.gravity);
    return body->radius + time * (ctFastest(body->v, body->w, body->radius) + pull);
}

double ctTile_Reach(const ctWorld *world, int index, double time)
{
    return world->bodies[index].radius + AHEAD * ctTile_Need(world, index, time);
}

bool ctTile_Look(ctWorld *world, int index, double time)
{
    ctTile *w = world->infos[index].tile;
    const ctBody *body = &world->bodies[w->body];
    w->box = ctTile_BoxIn(world, w->terrain, &body->box, BEYOND * body->radius);
    if (time > 0.0) {
        ctBodyState s = ctBody_StateAt(world, body, world->now);
        double reach = ctTile_Reach(world, w->body, time);
        ctVec3 grow = ctV3(reach, reach, reach);
        ctPose pose = ctBody_Pose(world, &world->bodies[w->terrain]);
        ctVec3 p = ctInvPosePoint(&pose, s.x);
        w->box = (ctBox){ctMin(w->box.lo, ctSub(p, grow)), ctMax(w->box.hi, ctAdd(p, grow))};
    }
    return ctTile_See(world, index);
}

bool ctTile_See(ctWorld *world, int index)
{
    ctTile *w = world->infos[index].tile;
    const ctBody *body = &world->bodies[w->body];
    w->front = w->ride >= 0 ? w->front : true;
    const ctTerrain *t = ctTile_Terrain(world, w);
    if (!gather(t, w)) {
        return false;
    }
    w->ride = w->ride >= 0 && ctTile_IsGentle(t, w) ? w->ride : -1;
    // A ball on a smooth surface meets its front. A riding ball sees one triangle, and needs no order of the others.
    if (w->ride < 0 || w->passedCount > 0) {
        ctSortInts(w->triangles, w->count);
        if (!ctTile_ChooseSides(world, w)) {
            return false;
        }
    }
    if (!arrange(world, index)) {
        return false;
    }
    const ctBody *tile = &world->bodies[index];
    bool back = t->twoSided && w->facet >= 0;
    if (back && ctDot(tile->normal, body->x) < tile->offset) {
        w->front = false;
        makePlane(t, w);
        ctBody_UpdatePlane(world, index);
    }
    return true;
}

int ctTile_Open(ctWorld *world, int body, int terrain)
{
    int index = world->freeTile;
    ctTile *tile = index >= 0 ? ctAllocate(1, sizeof *tile) : NULL;
    if (tile == NULL) {
        return -1;
    }
    world->freeTile = world->bodies[index].island;
    memset(&world->bodies[index], 0, sizeof(ctBody));
    memset(&world->infos[index], 0, sizeof(ctBodyInfo));
    *tile = (ctTile){.terrain = terrain, .body = body, .facet = -1, .ride = -1};
    world->bodies[index].mode = ct_modeFixed;
    world->bodies[index].island = -1;
    world->bodies[index].microTime = -1.0;
    world->bodies[index].t = world->now;
    world->bodies[index].courseEnd = INFINITY;
    world->infos[index].motion = ct_motionFixed;
    world->infos[index].tile = tile;
    if (!ctTile_Look(world, index, 0.0)) {
        ctTile_Close(world, index);
        return -1;
    }
    return index;
}

void ctTile_Close(ctWorld *world, int index)
{
    ctTile_Free(world->infos[index].tile);
    memset(&world->bodies[index], 0, sizeof(ctBody));
    memset(&world->infos[index], 0, sizeof(ctBodyInfo));
    world->bodies[index].island = world->freeTile;
    world->freeTile = index;
}

// ---- what others ask --------------------------------------------------------------------------

int ctTile_Follow(const ctWorld *world, int index, int leaf, ctVec3 point)
{
    const ctTile *w = world->infos[index].tile;
    const ctTerrain *t = ctTile_Terrain(world, w);
    int triangle = w->formerFacet < 0 ? w->former[leaf] : -1;
    int facet = triangle >= 0 ? t->facets[triangle] : w->formerFacet, best = -1;
    if (w->facet >= 0) {
        return w->facet == facet ? 0 : -1;
    }
    ctPose pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    ctVec3 p = ctInvPosePoint(&pose, point);
    double most = -INFINITY;
    for (int i = 0; i < w->count; i++) {
        if (w->triangles[i] == triangle) {
            return i;
        }
        double inside = t->facets[w->triangles[i]] == facet ? ctTriangle_Inside(t, w->triangles[i], p) : -INFINITY;
        best = triangle < 0 && inside > most ? i : best;
        most = ctFmax(most, inside);
    }
    return best;
}

int ctTile_LeafCount(const ctTile *tile, bool former)
{
    if (former) {
        return tile->formerFacet >= 0 ? 1 : tile->formerCount;
    }
    return tile->shape.leafCount;
}

double ctTile_Room(const ctWorld *world, int index)
{
    const ctTile *w = world->infos[index].tile;
    const ctBody *body = &world->bodies[w->body];
    ctPose pose = ctBody_Pose(world, &world->bodies[w->terrain]);
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    ctVec3 p = ctInvPosePoint(&pose, s.x);
    return ctMinElement(ctMin(ctSub(p, w->box.lo), ctSub(w->box.hi, p))) - body->radius;
}

ctNearby ctTile_Nearby(const ctWorld *world, int body, const ctPose *pose, const ctShape *shape,
                       const ctPose *poseShape, double margin)
{
    const ctTile *w = world->infos[body].tile;
    ctNearby n = {.tile = w != NULL && w->facet < 0};
    if (n.tile) {
        ctVec3 grow = ctV3(margin, margin, margin);
        ctTerrain_BoxOf(pose, shape, poseShape, &n.lo, &n.hi);
        n.lo = ctSub(n.lo, grow);
        n.hi = ctAdd(n.hi, grow);
    }
    return n;
}

bool ctTile_IsSameFace(const ctWorld *world, int index, int leafA, int leafB)
{
    const ctTile *w = world->infos[index].tile;
    if (w == NULL || w->facet >= 0) {
        return leafA == leafB;
    }
    const int *facets = ctTile_Terrain(world, w)->facets;
    return facets[w->triangles[leafA]] == facets[w->triangles[leafB]];
}

void ctTiles_Refresh(ctWorld *world, int terrain)
{
    int count;
    const ctLink *links = ctBody_Links(world, terrain, &count);
    for (int i = 0; i < count; i++) {
        if (links[i].tag != CT_LATENT) {
            placeBody(world, world->pairs[links[i].tag].b);
        }
    }
}
