// Balls that roll over the seams of curved terrain (pairs/ride.c): they get on and off between two steps, and an island
// is due where one of them passes a seam. Where one has come to the seam between two boxes (contact/cover.c) another
// step follows at once, in which it is on the other.
#include "engine/contact/contact_internal.h"

// The part of the tile on whose face the ball bears, and on nothing else of it; -1: none.
static int faceUnder(const ctWorld *world, const ctContactRecord *record)
{
    const ctTile *tile = world->infos[record->b].tile;
    int found = -1;
    for (int i = 0; i < record->count && tile->facet < 0; i++) {
        const ctContactPoint *p = &record->points[i];
        if (!(ctLengthSquared(p->force) > 0.0)) {
            continue;
        }
        int leaf = (int)p->leaf % tile->shape.leafCount;
        ctVec3 n = ctRotate(world->bodies[record->b].q, tile->shape.leaves[leaf].shape->u.hull.faceNormals[0]);
        if (found >= 0 || fabs(ctDot(n, p->n)) < 1.0 - 1e-12) {
            return -1;
        }
        found = leaf;
    }
    return found;
}

static bool getOn(ctWorld *world, const ctContactRecord *record)
{
    int leaf = faceUnder(world, record);
    return leaf < 0 || ctTile_Mount(world, record->pair, leaf);
}

// The ball is at a seam, or off the ground. *event: whether the island must take another step at once.
static bool passSeams(ctWorld *world, const ctContactRecord *record, bool *event)
{
    if (world->bodies[record->a].mode != ct_modeContact) {
        return ctTile_Dismount(world, record->pair);
    }
    ctVec3 pull = ctBody_FreeAcceleration(world, record->a);
    ctRideEvent passed = ctTile_Cross(world, record->b, pull, CT_PART_STEP * world->tickStep);
    *event = *event || passed != ct_rideGoesOn;
    if (passed == ct_rideTurns) {
        ctContactBody_Rebase(world, record->a);
    }
    return passed != ct_rideEnds || ctTile_Dismount(world, record->pair);
}

bool ctIsland_Ride(ctWorld *world, ctIsland *island, bool elapsed)
{
    const ctContacts *c = world->contacts;
    bool event = false;
    for (int i = 0; i < island->recordCount && elapsed && !event; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        event = record->pair >= 0 && ctContact_IsAtSeam(world, record);
    }
    for (int i = 0; i < island->recordCount && world->terrainCount > 0; i++) {
        ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        const ctTile *tile = record->pair >= 0 ? world->infos[record->b].tile : NULL;
        if (tile == NULL || !world->bodies[record->a].ball || record->ended) {
            continue;
        }
        if ((tile->ride < 0 && !getOn(world, record)) || (tile->ride >= 0 && !passSeams(world, record, &event))) {
            return false;
        }
        island->due = ctFmin(island->due, ctTile_NextSeam(world, record->b, island->due));
    }
    if (event) {
        island->changed = true;
        island->due = world->now;
    }
    return true;
}
