// Crowds: bodies that strike each other so often within one frame that impacts one by one cost too much.
//
// A crowd is a group of bodies that have struck each other, directly or through others, since the frame began. Groups
// are sets that are united at each impact, with their numbers of bodies and impacts at the root, so that what happens
// elsewhere in the world changes nothing here. Immovable bodies unite nothing.
#include "engine/contact/contact_internal.h"

// The body as a group of its own, when this is its first impact in the frame.
static void enter(const ctWorld *world, ctContactBody *b, int index)
{
    if (b->hitFrame != world->frame) {
        b->hitFrame = world->frame;
        b->hits = b->crowdImpacts = 0;
        b->crowdBodies = 1;
        b->crowd = index;
    }
}

static int rootOf(ctContactBody *bodies, int index)
{
    while (bodies[index].crowd != index) {
        bodies[index].crowd = bodies[bodies[index].crowd].crowd;
        index = bodies[index].crowd;
    }
    return index;
}

void ctCrowd_Note(ctWorld *world, int a, int b)
{
    int ends[2] = {a, b}, root = -1;
    if (!ctContact_ReserveBodies(world)) {
        world->outOfMemory = true;
        return;
    }
    ctContactBody *bodies = world->contacts->bodies;
    for (int k = 0; k < 2; k++) {
        if (!ctBody_IsMovable(&world->bodies[ends[k]])) {
            continue;
        }
        enter(world, &bodies[ends[k]], ends[k]);
        bodies[ends[k]].hits++;
        int own = rootOf(bodies, ends[k]);
        if (root >= 0 && own != root) {
            int low = own < root ? own : root, high = own + root - low;
            bodies[high].crowd = low;
            bodies[low].crowdBodies += bodies[high].crowdBodies;
            bodies[low].crowdImpacts += bodies[high].crowdImpacts;
            own = low;
        }
        root = own;
    }
    if (root >= 0) {
        bodies[root].crowdImpacts++;
    }
}

bool ctCrowd_Has(const ctWorld *world, int index, int size)
{
    ctContactBody *bodies = world->contacts->bodies;
    if (bodies[index].hitFrame != world->frame || bodies[index].hits < CT_CROWD_HITS) {
        return false;
    }
    const ctContactBody *root = &bodies[rootOf(bodies, index)];
    return root->crowdImpacts >= CT_CROWD_IMPACTS && root->crowdBodies >= size;
}
