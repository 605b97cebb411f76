// What the contact code remembers of a body.
#include "engine/contact/contact_internal.h"

void ctContactBody_Rebase(ctWorld *world, int index)
{
    ctContactBody *b = &world->contacts->bodies[index];
    const ctBody *body = &world->bodies[index];
    b->base = world->now;
    b->x = body->x;
    b->q = body->q;
    b->v = body->v;
    b->w = body->w;
    b->momentum = body->ball ? ctZero3() : ctInertia_Momentum(&world->infos[index].inertia, body->q, body->w);
}
