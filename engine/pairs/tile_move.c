// Tiles move with their bodies, and their pairs then see other triangles.
#include "engine/pairs/tile_internal.h"

#include "collision/memory.h"

#include <string.h>

// The longest plan that a tile makes room for, in regular steps: for a plane, and for triangles, whose cost grows with
// their number. Longer: more triangles; shorter: plans end at the rim of a tile.
#define PLANE_TIME CT_LONGEST_STEPS
#define PARTS_TIME (0.25 * PLANE_TIME)

// Whether the tile shows the same as before, which is kept in w->former.
static bool isSame(const ctTile *w, int facet, bool front)
{
    if (w->facet >= 0 || facet >= 0) {
        return w->facet == facet && w->front == front;
    }
    return w->count == w->formerCount && memcmp(w->triangles, w->former, (size_t)w->count * sizeof(int)) == 0;
}

bool ctTile_RenewPair(ctWorld *world, int pair)
{
    ctPairExtra *extra = &world->extras[pair];
    ctTally tally = extra->tally;
    int64_t touched = extra->touched;
    if (!ctPair_Prepare(world, pair)) {
        return false;
    }
    extra = &world->extras[pair];
    extra->tally = tally;
    extra->touched = touched;
    if (world->pairs[pair].state == ct_pairContact) {
        world->hooks.tileMoved(world, pair);
        return true;
    }
    if (!ctReserve((void **)&world->fresh, &world->freshCapacity, world->freshCount + 1, sizeof(int))) {
        return false;
    }
    world->fresh[world->freshCount++] = pair;
    return true;
}

bool ctTile_Keep(ctTile *w)
{
    if (!ctReserve((void **)&w->former, &w->formerCapacity, w->count, sizeof(int))) {
        return false;
    }
    if (w->count > 0) {
        memcpy(w->former, w->triangles, (size_t)w->count * sizeof(int));
    }
    w->formerCount = w->count;
    w->formerFacet = w->facet;
    return true;
}

static bool lookAgain(ctWorld *world, int pair, double time)
{
    int index = world->pairs[pair].b;
    ctTile *w = world->infos[index].tile;
    bool front = w->front;
    return ctTile_Keep(w) && ctTile_Look(world, index, time) &&
           (isSame(w, w->formerFacet, front) || ctTile_RenewPair(world, pair));
}

// Chooses the sides again, with the same box.
static bool chooseAgain(ctWorld *world, int pair)
{
    int index = world->pairs[pair].b;
    ctTile *w = world->infos[index].tile;
    bool front = w->front;
    return ctTile_Keep(w) && ctTile_See(world, index) &&
           (isSame(w, w->formerFacet, front) || ctTile_RenewPair(world, pair));
}

static bool holds(const ctBox *outer, const ctBox *inner)
{
    return outer->lo.x <= inner->lo.x && outer->lo.y <= inner->lo.y && outer->lo.z <= inner->lo.z &&
           outer->hi.x >= inner->hi.x && outer->hi.y >= inner->hi.y && outer->hi.z >= inner->hi.z;
}

// Whether a tile is not much larger than a new one for the body's box or for a plan. A tile made for a long flight has
// many times the triangles that its body needs after landing.
static bool isInKeeping(const ctWorld *world, const ctTile *w, const ctBox *box)
{
    double step = ctBody_Step(world, &world->bodies[w->body]);
    double plan = 2.0 * ctTile_Reach(world, w->body, PARTS_TIME * step);
    ctVec3 has = ctSub(w->box.hi, w->box.lo), needs = ctMax(ctSub(box->hi, box->lo), ctV3(plan, plan, plan));
    return w->facet >= 0 || has.x + has.y + has.z <= CT_BOX_LEFTOVER * (needs.x + needs.y + needs.z);
}

static bool moveTile(ctWorld *world, int pair)
{
    const ctTile *w = world->infos[world->pairs[pair].b].tile;
    ctBox box = ctTile_BoxIn(world, w->terrain, &world->bodies[w->body].box, 0.0);
    return (holds(&w->box, &box) && isInKeeping(world, w, &box)) || lookAgain(world, pair, 0.0);
}

bool ctTiles_MakeRoom(ctWorld *world, int body)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    for (int i = 0; i < count; i++) {
        int tag = links[i].tag;
        if (tag == CT_LATENT || !world->bodies[links[i].other].terrain) {
            continue;
        }
        int tile = world->pairs[tag].b;
        double step = ctBody_Step(world, &world->bodies[body]);
        double time = step * (world->infos[tile].tile->facet >= 0 ? PLANE_TIME : PARTS_TIME);
        if (ctTile_Room(world, tile) < ctTile_Need(world, body, time) && !lookAgain(world, tag, time)) {
            return false;
        }
    }
    return world->freshCount == 0 || ctWorld_ScheduleFresh(world);
}

bool ctTiles_Move(ctWorld *world, int body)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    for (int i = 0; i < count; i++) {
        int tag = links[i].tag;
        if (tag != CT_LATENT && world->bodies[links[i].other].terrain && !moveTile(world, tag)) {
            return false;
        }
    }
    return true;
}

// Ends the box when another choice of sides is due.
static void keepWatch(ctWorld *world, int body, double watch)
{
    if (watch < ctAgenda_Time(&world->boxAgenda, body)) {
        ctAgenda_Set(&world->boxAgenda, body, ctFmax(watch, world->now));
    }
}

// The tile of a link of a body that passes some of its triangles, or NULL.
static const ctTile *passingTile(const ctWorld *world, const ctLink *link)
{
    bool terrain = link->tag != CT_LATENT && world->bodies[link->other].terrain;
    const ctTile *w = terrain ? world->infos[world->pairs[link->tag].b].tile : NULL;
    return w != NULL && w->passedCount > 0 ? w : NULL;
}

bool ctTiles_IsPassing(const ctWorld *world, int body)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    for (int i = 0; i < count; i++) {
        if (passingTile(world, &links[i]) != NULL) {
            return true;
        }
    }
    return false;
}

bool ctTiles_Attend(ctWorld *world, int body)
{
    int count;
    const ctLink *links = ctBody_Links(world, body, &count);
    for (int i = 0; i < count; i++) {
        const ctTile *w = passingTile(world, &links[i]);
        if (w != NULL && !chooseAgain(world, links[i].tag)) {
            return false;
        }
        if (w != NULL) {
            keepWatch(world, body, w->watch);
        }
    }
    return true;
}

bool ctTile_LetPass(ctWorld *world, int pair, const ctPairLook *look)
{
    int index = world->pairs[pair].b, body = world->pairs[pair].a, fresh = world->freshCount;
    const ctTile *w = world->infos[index].tile;
    if (w == NULL || w->facet >= 0 ||
        (w->passedCount == 0 && !ctTile_IsTouchedBehind(world, w, look->leafB, look->pointB, look->normal))) {
        return false;
    }
    if (!chooseAgain(world, pair)) {
        world->outOfMemory = true;
    }
    if (world->freshCount == fresh) {
        return false;
    }
    keepWatch(world, body, w->watch);
    return true;
}
