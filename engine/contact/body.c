// What the contact code keeps of a body: its role in a pile, its base, its course.
#include "engine/contact/contact_internal.h"

#include <assert.h>

// The roles that may follow each role in a pile. Modes of motion have a table of their own (state/body.c).
#define BIT(role) (1u << (role))
static const unsigned successors[] = {
    [ct_roleNone] = BIT(ct_roleWanted) | BIT(ct_roleMember), // a flying body joins an existing pile
    [ct_roleWanted] = BIT(ct_roleMember) | BIT(ct_roleNone),
    [ct_roleMember] = BIT(ct_roleWanted) | BIT(ct_roleFrozen) | BIT(ct_roleParting) | BIT(ct_roleNone),
    [ct_roleFrozen] = BIT(ct_roleMember) | BIT(ct_roleParting) | BIT(ct_roleNone), // it stays frozen in the next pile
    [ct_roleParting] = BIT(ct_roleMember) | BIT(ct_roleWanted) | BIT(ct_roleNone),
};

void ctContactBody_SetRole(ctContactBody *body, ctPileRole role)
{
    assert(role == body->role || (successors[body->role] & BIT(role)) != 0);
    (void)successors;
    body->role = role;
}

void ctContactBody_Enlist(ctContactBody *body)
{
    if (!ctContactBody_IsLarge(body)) {
        ctContactBody_SetRole(body, body->role == ct_roleParting ? ct_roleMember : ct_roleWanted);
    }
}

bool ctContactBody_IsInStep(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    return ctBody_IsInContact(body) && !ctBody_IsPlanned(body) && index < c->bodyCapacity &&
           c->bodies[index].records > 0 && !ctContactBody_IsPiled(&c->bodies[index]) &&
           !ctContactBody_IsLarge(&c->bodies[index]) &&
           world->now - c->bodies[index].base > CT_EQUAL * ctBody_Step(world, body);
}

bool ctContactBody_IsInPile(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    return ctBody_IsInContact(body) && !ctBody_IsPlanned(body) && index < c->bodyCapacity &&
           (ctContactBody_IsPiled(&c->bodies[index]) || ctContactBody_IsLarge(&c->bodies[index]));
}

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
    int island = ctBody_IsAwake(world, body) ? world->bodies[body].island : -1; // members may fly for a while
    return island >= 0 && island < c->islandSlots ? c->islands[island].pointCount : 0;
}

// ballsCount false: balls may spin.
bool ctIsland_IsStill(const ctWorld *world, const ctIsland *island, double length, bool ballsCount)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        double speed = ctLength(body->v) + (body->ball && !ballsCount ? 0.0 : ctLength(body->w) * body->radius);
        double rate = ctLength(body->a) + ctLength(body->alpha) * body->radius;
        double still = CT_REST_SPEED * ctWorld_FallSpeed(world, body->radius);
        if (!ctBody_IsInContact(body) || speed + length * rate > still) {
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

bool ctCourse_Lists(const ctCourse *course, int index)
{
    for (int i = 0; i < course->bodyCount; i++) {
        if (course->bodies[i] == index) {
            return true;
        }
    }
    return false;
}

void ctCourse_Break(ctWorld *world, int index)
{
    ctCourse *course = world->contacts->bodies[index].course;
    if (course != NULL && ctCourse_Lists(course, index)) {
        course->broken = true;
    }
}
