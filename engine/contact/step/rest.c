// Islands in which nothing moves.
//
// After a step that ends at rest the next ones would find the same forces at the same places. So negligible velocities
// are set to zero, and when nothing has happened until the next step to an island without any, it sleeps, unless it
// touches something that moves: then its steps only count the time. Its bodies show that nothing has happened: every
// event makes them move, or resets how long they have been still.
//
// Nor is there anything to find in an island whose bodies fly, after a hop, as long as planes separate them for certain
// from what they will land on.
#include "engine/contact/step/step.h"

#include "collision/separation.h"

static bool isZero(ctVec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

bool ctIsland_IsSteady(const ctWorld *world, const ctIsland *island, double length)
{
    return ctIsland_IsStill(world, island, length, false);
}

bool ctIsland_IsInPlace(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        double most = CT_CLOSED * ctContact_PairSize(world, r->a, r->b);
        for (int k = 0; k < r->count; k++) {
            bool bears = ctLengthSquared(r->points[k].force) > 0.0;
            if (r->points[k].gap < -most || (bears && r->points[k].gap > most)) {
                return false;
            }
        }
    }
    return true;
}

// Whether what the island touches does not move either, and its contacts are as at the last step.
static bool isSupported(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        const ctBody *a = &world->bodies[r->a], *b = &world->bodies[r->b];
        if (r->pair < 0 || r->fresh || r->lost || r->ended || !isZero(a->v) || !isZero(a->w) || !isZero(b->v) ||
            !isZero(b->w) || ctBody_HasBelt(world, r->b) || (!ctBody_IsMovable(b) && ctBody_WillMove(world, r->b))) {
            return false;
        }
    }
    return true;
}

void ctIsland_ComeToRest(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    if (!ctIsland_IsInPlace(world, island)) {
        return;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctBody *body = &world->bodies[index];
        c->work.contact -= ctBody_Energy(world, index);
        body->v = body->w = body->a = body->alpha = ctZero3();
        c->work.contact += ctBody_Energy(world, index);
        if (!(world->infos[index].still > 0.0)) { // it may have come a long way until now
            c->bodies[index].restX = body->x;
            c->bodies[index].restQ = body->q;
            c->bodies[index].restSpeed = 0.0;
        }
        world->infos[index].still = ctFmax(world->infos[index].still, CT_SHORTEST_STEP * ctBody_Step(world, body));
    }
}

bool ctIsland_Rest(ctWorld *world, ctIsland *island, double dt)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        if (!ctBody_IsInContact(body) || ctBody_IsStruck(body) || !(world->infos[index].still > 0.0) ||
            !isZero(body->v) || !isZero(body->w) || !isZero(body->a) || !isZero(body->alpha) ||
            c->bodies[index].base != c->bodies[c->members[island->firstBody]].base) {
            return false;
        }
    }
    if (island->changed || !isSupported(world, island) || !ctIsland_IsInPlace(world, island)) {
        return false;
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        for (int k = 0; k < r->count; k++) {
            r->points[k].impulse = ctMulAdd(r->points[k].impulse, dt, r->points[k].force);
        }
    }
    island->due = ctIsland_NextRegular(world, CT_LONGEST_STEPS * ctIsland_RegularStep(world, island));
    return true;
}

// For how long the two bodies of a record cannot touch, from now and at most horizon (s); zero when they may, or are
// far apart.
static double timeApart(const ctWorld *world, const ctContactRecord *record, double horizon)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctMotion motionA = ctBody_PlainMotion(world, a), motionB = ctBody_PlainMotion(world, b);
    ctPlaneSide sideA = {
        .shape = ctBody_Shape(world, record->a), .motion = &motionA, .radius = a->radius, .met = ct_shapePlane};
    ctPlaneSide sideB = {
        .shape = ctBody_Shape(world, record->b), .motion = &motionB, .radius = b->radius, .met = ct_shapePlane};
    sideA.count = sideA.shape->leafCount;
    sideB.count = sideB.shape->leafCount;
    double gap, time = ctSeparationTime(&sideA, &sideB, record->normal, horizon, &gap);
    return gap < CT_ROOMY * ctContact_PairSize(world, record->a, record->b) ? time : 0.0;
}

bool ctIsland_FlyOn(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        if (island->changed || body->mode != ct_modeFlying) {
            return false;
        }
    }
    double step = ctIsland_RegularStep(world, island), regular = ctIsland_NextRegular(world, step);
    double end = ctIsland_NextRegular(world, CT_LONGEST_STEPS * step), apart = end - world->now;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        bool known = r->pair >= 0 && !r->fresh && !r->lost && !r->ended;
        apart = known ? ctFmin(apart, timeApart(world, r, apart)) : 0.0;
        if (world->now + apart < regular) {
            return false;
        }
    }
    double steps = floor((world->now + apart - regular) / step);
    island->due = ctFmin(regular + steps * step, end);
    island->extra = 0;
    return true;
}
