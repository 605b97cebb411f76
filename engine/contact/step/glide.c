// Bodies other than balls on curved terrain keep their energy.
//
// On the smooth surface that a mesh represents, the ground does no work on a body: only friction changes its energy. On
// the mesh each rising triangle removes the body's velocity of approach, of the order of the angle between the two
// triangles, and pushing overlaps out lifts the body afterwards. The remaining velocity is along the new triangles, and
// all conditions at points of fixed ground hold for any multiple of it. So the energy is corrected by a factor to
// velocity and spin. That equals a turn of the velocity with the surface, to second order of the angle.
#include "engine/contact/step/step.h"

// [cap] The largest correction of a step, as a share of the kinetic energy: a body that nearly stands still has none to
// give.
#define MOST 0.1

ctGraze ctContact_Graze(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctVec3 u)
{
    const ctTile *tile = world->infos[record->b].tile;
    if (tile == NULL || tile->facet >= 0 || world->bodies[record->a].ball) {
        return ct_grazeNone;
    }
    return ctTile_Graze(world, record->b, (int)point->leaf % tile->shape.leafCount, -ctDot(u, point->n), false);
}

// Whether all conditions at the points of an island hold for any multiple of its velocities: nothing that it touches
// moves by itself, and nothing drives it.
static bool isScalable(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        if (world->bodies[c->members[island->firstBody + i]].driven) {
            return false;
        }
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        bool there = record->pair >= 0;
        if (there && (world->bodies[record->b].mode == ct_modeKinematic || ctBody_HasBelt(world, record->b))) {
            return false;
        }
    }
    return true;
}

void ctIslandStep_Glide(ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    if (!step->curved || step->lands || step->hits || !isScalable(world, island)) {
        return;
    }
    double motion = 0.0, lost = c->work.start + c->work.friction;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        const ctBodyInfo *info = &world->infos[index];
        motion += 0.5 * info->mass * ctLengthSquared(body->v) + ctInertia_Energy(&info->inertia, body->q, body->w);
        lost -= ctBody_Energy(world, index);
    }
    if (!(motion > 0.0) || !(fabs(lost) <= MOST * motion)) {
        return;
    }
    double factor = sqrt(1.0 + lost / motion);
    for (int i = 0; i < island->bodyCount; i++) {
        ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        body->v = ctScale(factor, body->v);
        body->w = ctScale(factor, body->w);
    }
    c->work.contact = c->work.push = 0.0;
}
