// A body strikes a pile between two of its steps.
//
// The impact of the two is over, and the pile's next step will pass it on. Until then nothing would keep the struck
// body out of those that it lies on, nor other corners of the two out of each other: at 4 m/s and a step of 2 ms they
// would be 8 mm deep. So the pair and the bodies that it drives into, with everything that these drive into, are solved
// alone, as the step will solve them with all others: no point may overlap until then. These impulses are those of an
// impact: they are no warm start for the next step.
#include "engine/contact/contact_internal.h"

// [storage] Bodies that do not fit wait for the next step of the pile.
#define MOST_BODIES 24
#define MOST_MANIFOLDS 40
// Rounds of impulses. More: more time; fewer: bodies behind the first layers sink in until the next step.
#define ROUNDS 8

// Body 0 represents everything that does not move.
typedef struct Relay {
    ctWorld *world;
    double dt; // s: until the next step
    int bodyCount, count;
    int indices[MOST_BODIES];   // of the bodies; -1: body 0
    bool expanded[MOST_BODIES]; // its contacts have been looked at
    bool ball[MOST_BODIES];     // its points do not turn with it
    ctVec3 x[MOST_BODIES];
    ctMat3 r[MOST_BODIES];
    ctSolverBody bodies[MOST_BODIES];
    const ctPileManifold *origins[MOST_MANIFOLDS]; // in the pile; NULL: of the new pair
    ctPileManifold manifolds[MOST_MANIFOLDS];
} Relay;

// The index of a body, made now if it has none; -1 when there is no room.
static int placeOf(Relay *relay, int index)
{
    const ctBody *body = &relay->world->bodies[index];
    if (body->mode == ct_modeFixed || body->mode == ct_modeAsleep) {
        return 0;
    }
    for (int i = 1; i < relay->bodyCount; i++) {
        if (relay->indices[i] == index) {
            return i;
        }
    }
    if (relay->bodyCount == MOST_BODIES) {
        return -1;
    }
    int place = relay->bodyCount++;
    ctBody_Advance(relay->world, index);
    relay->indices[place] = index;
    relay->expanded[place] = !ctBody_IsMovable(body);
    relay->ball[place] = body->ball;
    relay->x[place] = body->x;
    relay->r[place] = ctMat3FromQuat(body->q);
    relay->bodies[place] = ctBody_ForSolver(relay->world, body);
    if (!ctBody_IsMovable(body)) {
        relay->bodies[place].invInertia = ctMat3Diagonal(0.0, 0.0, 0.0);
    }
    return place;
}

// Sets how far a point may still move; whether it would move farther.
static bool aim(const Relay *relay, const ctPileManifold *m, ctPilePoint *p, double gap)
{
    const ctSolverBody *a = &relay->bodies[m->a], *b = &relay->bodies[m->b];
    ctVec3 u = ctVelocityBetween(a->v, a->w, p->ra, b->v, b->w, p->rb);
    double closing = -ctDot(u, m->n) * relay->dt, shallow = CT_SHALLOW * m->size;
    p->target = gap > 0.0 ? -gap / relay->dt : 0.0;
    p->p1 = p->p2 = p->pn = 0.0;
    return closing > shallow && closing > gap + shallow;
}

// The arm of a point that a body carries along; that of a ball is along the normal, however the ball rolls.
static ctVec3 turnedArm(const Relay *relay, int place, ctVec3 local, ctVec3 towards)
{
    return relay->ball[place] ? ctScale(ctLength(local), towards) : ctMulMV(relay->r[place], local);
}

// Adds a manifold of a pile if its points would be too deep at the next step.
static void addManifold(Relay *relay, const ctContactRecord *record, int index)
{
    const ctPileManifold *origin = &record->pile->manifolds[index];
    if (relay->count == MOST_MANIFOLDS) {
        return;
    }
    for (int i = 0; i < relay->count; i++) {
        if (relay->origins[i] == origin) {
            return;
        }
    }
    int bodyCount = relay->bodyCount, a = placeOf(relay, record->a), b = placeOf(relay, record->b);
    bool deep = false;
    if (a >= 0 && b >= 0) {
        ctPileManifold *m = &relay->manifolds[relay->count];
        const ctPileAnchor *anchors = &record->pile->anchors[CT_PILE_POINTS * index];
        *m = *origin;
        m->a = a;
        m->b = b;
        m->rolling = m->spinning = m->patch = 0.0;
        m->twist = ctZero3();
        m->twisted = false;
        for (int k = 0; k < m->count; k++) {
            ctPilePoint *p = &m->points[k];
            p->ra = turnedArm(relay, a, anchors[k].localA, ctNeg(m->n));
            p->rb = turnedArm(relay, b, anchors[k].localB, m->n);
            ctVec3 d = ctSub(ctAdd(relay->x[a], p->ra), ctAdd(relay->x[b], p->rb));
            deep = aim(relay, m, p, ctDot(m->n, d)) || deep;
        }
    }
    if (deep) {
        relay->origins[relay->count++] = origin;
    } else {
        relay->bodyCount = bodyCount;
    }
}

// Adds what a body drives into.
static void expand(Relay *relay, int place)
{
    ctWorld *world = relay->world;
    int count;
    const ctLink *links = ctBody_Links(world, relay->indices[place], &count);
    relay->expanded[place] = true;
    for (int i = 0; i < count; i++) {
        int contact = links[i].tag == CT_LATENT ? -1 : world->pairs[links[i].tag].contact;
        const ctContactRecord *record = contact < 0 ? NULL : &world->contacts->records[contact];
        if (record == NULL || record->pile == NULL) {
            continue;
        }
        for (int k = record->pile->watches[record->watch].first; k >= 0; k = record->pile->next[k]) {
            if (record->pile->manifolds[k].count > 0) {
                addManifold(relay, record, k);
            }
        }
    }
}

// Adds the points of the pair itself, which the pile has not examined yet.
static void addPair(Relay *relay, const ctContactRecord *record)
{
    int a = placeOf(relay, record->a), b = placeOf(relay, record->b);
    ctCoefficients material = ctPair_Coefficients(relay->world, &relay->world->pairs[record->pair]);
    for (int first = 0; first < record->count && relay->count < MOST_MANIFOLDS;) {
        ctPileManifold *m = &relay->manifolds[relay->count];
        *m = (ctPileManifold){.a = a,
                              .b = b,
                              .wall = relay->bodies[b].invMass == 0.0,
                              .n = record->points[first].n,
                              .size = ctContact_PairSize(relay->world, record->a, record->b),
                              .friction = material.friction};
        ctFrameFromNormal(m->n, &m->t1, &m->t2);
        uint32_t leaf = record->points[first].leaf;
        bool deep = false;
        for (; first < record->count && m->count < CT_PILE_POINTS && record->points[first].leaf == leaf; first++) {
            ctPilePoint *p = &m->points[m->count++];
            p->ra = ctSub(record->points[first].pointA, relay->x[a]);
            p->rb = ctSub(record->points[first].pointB, relay->x[b]);
            deep = aim(relay, m, p, record->points[first].gap) || deep;
        }
        ctPile_Prepare(relay->bodies, m);
        if (deep) {
            relay->origins[relay->count++] = NULL;
        }
    }
}

// Sets the new velocities, and accounts for the change of energy.
static void finish(Relay *relay)
{
    ctWorld *world = relay->world;
    for (int i = 0; i < relay->count; i++) {
        const ctPileManifold *m = &relay->manifolds[i];
        const ctSolverBody *b = &relay->bodies[m->b];
        for (int k = 0; k < m->count && m->wall; k++) {
            const ctPilePoint *p = &m->points[k];
            ctVec3 impulse = ctMulAdd(ctMulAdd(ctScale(p->pn, m->n), p->p1, m->t1), p->p2, m->t2);
            double work = ctDot(impulse, ctVelocityAt(b->v, b->w, p->rb));
            world->stats.kinematicWork += work;
            world->stats.contactLoss += work;
        }
    }
    for (int i = 1; i < relay->bodyCount; i++) {
        int index = relay->indices[i];
        if (!(relay->bodies[i].invMass > 0.0)) {
            continue;
        }
        ctBody *body = &world->bodies[index];
        double before = ctBody_Energy(world, index);
        body->v = relay->bodies[i].v;
        body->w = relay->bodies[i].w;
        double change = ctBody_Energy(world, index) - before;
        world->stats.contactLoss -= change;
        if (ctBody_IsInContact(body)) {
            ctEnergy_Account(world, index, change);
        }
    }
    for (int i = 1; i < relay->bodyCount; i++) {
        if (relay->bodies[i].invMass > 0.0) {
            ctWorld_CourseChanged(world, relay->indices[i]);
        }
    }
}

void ctPile_Relay(ctWorld *world, int pair)
{
    ctContacts *c = world->contacts;
    ctContactRecord *record = &c->records[world->pairs[pair].contact];
    Relay relay;
    relay.world = world;
    int island = world->bodies[record->a].island;
    bool piled = record->pile != NULL && island >= 0 && c->islands[island].pile == record->pile;
    relay.dt = (piled ? c->islands[island].due : world->bodies[record->a].courseEnd) - world->now;
    if (!(relay.dt > 0.0 && relay.dt < CT_BEAT)) {
        return;
    }
    if (!ctContact_UpdatePoints(world, record, relay.dt, 0.0, false)) {
        world->outOfMemory = true;
        return;
    }
    relay.bodyCount = 1;
    relay.count = 0;
    relay.indices[0] = -1;
    relay.ball[0] = false;
    relay.expanded[0] = true;
    relay.x[0] = ctZero3();
    relay.r[0] = ctMat3Identity();
    relay.bodies[0] = (ctSolverBody){.invMass = 0.0};
    addPair(&relay, record);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 1; i < relay.bodyCount; i++) {
            if (!relay.expanded[i]) {
                expand(&relay, i);
            }
        }
        for (int i = 0; i < relay.count; i++) {
            ctPile_Solve(relay.bodies, &(ctPileManifold *){&relay.manifolds[i]}, 1, 0.0);
        }
    }
    if (relay.count > 0) {
        finish(&relay);
    }
}
