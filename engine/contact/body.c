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

int ctContact_PointsAround(const ctWorld *world, int body)
{
    const ctContacts *c = world->contacts;
    bool member = ctBody_IsInContact(&world->bodies[body]) && world->bodies[body].island >= 0;
    return member && world->bodies[body].island < c->islandSlots ? c->islands[world->bodies[body].island].pointCount
                                                                 : 0;
}

// Balls may turn as they do, if they do not count.
bool ctIsland_IsStill(const ctWorld *world, const ctIsland *island, double length, bool ballsCount)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        double speed = ctLength(body->v) + (body->ball && !ballsCount ? 0.0 : ctLength(body->w) * body->radius);
        double rate = ctLength(body->a) + ctLength(body->alpha) * body->radius;
        if (!ctBody_IsInContact(body) || speed + length * rate > CT_REST_SPEED) {
            return false;
        }
    }
    return true;
}

bool ctIsland_IsAtRest(const ctWorld *world, const ctIsland *island, double length)
{
    return ctIsland_IsStill(world, island, length, true);
}

bool ctIsland_IsTooLarge(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double fastest = 0.0; // sizes per second
    for (int i = 0; i < island->bodyCount && island->pointCount > CT_LARGE_POINTS; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        fastest = ctFmax(fastest, ctLength(body->v) / body->radius + ctLength(body->w));
    }
    return island->pointCount > (fastest > CT_CALM ? CT_LARGE_POINTS : CT_LARGE_POINTS_CALM);
}
