// Bodies other than balls on curved terrain: they keep their energy.
//
// On the smooth surface that a mesh stands for, the ground does no work on a body: its energy is what friction leaves.
// On the mesh each triangle that rises takes the velocity with which the body approaches it, of the order of the angle
// between the two triangles, and pushing overlaps out lifts the body afterwards. As the velocity that is left is along
// the new triangles, and all conditions at points of fixed ground hold for any multiple of it, the energy is put right
// by a factor to velocity and spin: what a turn of the velocity along with the surface would do, to the second order of
// the angle.
#include "engine/contact/step/step.h"

// Of the kinetic energy: the most that a step puts right [cap]. What nearly stands still has nothing to give.
#define MOST 0.1

ctGraze ctContact_Graze(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctVec3 u)
{
    const ctTile *tile = world->infos[record->b].tile;
    if (tile == NULL || tile->facet >= 0 || world->bodies[record->a].ball) {
        return ct_grazeNone;
    }
    return ctTile_Graze(world, record->b, (int)point->leaf % tile->shape.leafCount, -ctDot(u, point->n), false);
}

void ctIslandStep_Glide(ctWorld *world, const ctIsland *island, const ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    int index = c->members[island->firstBody];
    ctBody *body = &world->bodies[index];
    if (!step->curved || step->lands || step->hits || island->bodyCount != 1 || body->ball || body->driven) {
        return;
    }
    const ctBodyInfo *info = &world->infos[index];
    double motion = 0.5 * info->mass * ctLengthSquared(body->v) + ctInertia_Energy(&info->inertia, body->q, body->w);
    double lost = c->work.start + c->work.friction + c->work.kinematic - ctBody_Energy(world, index);
    if (!(motion > 0.0) || !(fabs(lost) <= MOST * motion)) {
        return;
    }
    double factor = sqrt(1.0 + lost / motion);
    body->v = ctScale(factor, body->v);
    body->w = ctScale(factor, body->w);
    c->work.contact = c->work.push = 0.0;
}
