// Falling asleep and waking up.
//
// An island in equilibrium sleeps at once (contact/step/rest.c). Any other sleeps as a whole when each of its bodies
// has been slow, and has stayed within a small distance of its place, for five times the time in which it falls by its
// size (ctBody_SleepTime). An island that touches a body with a motion of its own stays awake. A sleeping body has no
// velocity and costs nothing. Its points keep their forces, so that it wakes up exactly as it fell asleep.
#include "engine/contact/contact_internal.h"

#include "collision/memory.h"

// A body whose speed is at least this share of what it was, and whose way is at least this share of what that speed
// leads to, goes on steadily. Larger: what creeps stops; smaller: what comes to rest slowly stays awake.
#define STEADY (1.0 - 10.0 * CT_SLEEP_DRIFT)

// The largest displacement of a point of the body since it was last found moving.
static double driftOf(const ctBody *body, const ctContactBody *b)
{
    ctQuat turn = ctMulQ(body->q, ctConjugate(b->restQ));
    double sine = sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    return ctDistance(body->x, b->restX) + 2.0 * sine * body->radius;
}

void ctContactBody_Watch(ctWorld *world, int index, double dt)
{
    ctBody *body = &world->bodies[index];
    ctContactBody *b = &world->contacts->bodies[index];
    double speed = ctFastest(body->v, body->w, body->radius);
    double rate = ctLength(body->a) + ctLength(body->alpha) * body->radius;
    double fall = ctWorld_FallSpeed(world, body->radius), limit = CT_SLEEP_SPEED * fall;
    double enough = ctBody_SleepTime(world, body);
    // In a pile small errors keep everything trembling: there only the drift counts.
    bool calm = ctContactBody_IsLarge(b) ? speed < 10.0 * limit : speed < limit && rate * enough < 2.0 * limit;
    double drift = driftOf(body, b), rest = CT_REST_SPEED * fall;
    bool still = calm && drift < CT_SLEEP_DRIFT * body->radius;
    double *time = &world->infos[index].still, before = *time;
    // A body that gets faster and faster, however slowly, is not in equilibrium, nor is one that goes on steadily.
    bool steady = speed > rest && speed > STEADY * b->restSpeed && drift > STEADY * speed * (before + dt);
    bool moves = speed > b->restSpeed + rest || steady;
    still = still && !(!ctContactBody_IsLarge(b) && before + dt >= enough && moves);
    *time = still ? before + dt : 0.0;
    // In a pile drift is measured over that time, again and again: a body that creeps more slowly may sleep.
    bool lap = ctContactBody_IsLarge(b) && floor(*time / enough) > floor(before / enough);
    if (!still || lap) {
        b->restX = body->x;
        b->restQ = body->q;
        b->restSpeed = speed;
    }
}

void ctContactBody_FallAsleep(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctBody *body = &world->bodies[index];
    c->work.contact -= ctBody_Energy(world, index);
    ctBody_SetMode(body, ct_modeAsleep);
    body->v = body->w = body->a = body->alpha = ctZero3();
    c->work.contact += ctBody_Energy(world, index);
    body->island = -1;
    c->bodies[index].boxPath = -INFINITY;
    ctContactBody_SetRole(&c->bodies[index], ct_roleNone);
}

static bool touchesMoving(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *r = &c->records[c->sorted[island->firstRecord + i]];
        const ctBody *ends[2] = {&world->bodies[r->a], &world->bodies[r->b]};
        if (ctBody_HasBelt(world, r->b) || (!ctBody_IsMovable(ends[1]) && ctBody_WillMove(world, r->b))) {
            return true;
        }
        for (int k = 0; k < 2; k++) {
            if (ends[k]->mode == ct_modeKinematic && (ctLength(ends[k]->v) > 0.0 || ctLength(ends[k]->w) > 0.0)) {
                return true;
            }
        }
    }
    return false;
}

void ctIsland_TrySleep(ctWorld *world, ctIsland *island, double dt)
{
    ctContacts *c = world->contacts;
    bool still = true;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctContactBody_Watch(world, index, dt);
        const ctBody *body = &world->bodies[index];
        bool calm = world->infos[index].still >= ctBody_SleepTime(world, body);
        still = still && calm && ctBody_IsInContact(body);
    }
    if (!still || touchesMoving(world, island)) {
        return;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        ctContactBody_FallAsleep(world, c->members[island->firstBody + i]);
    }
    island->due = INFINITY;
    ctIsland_MarkStale(c, (int)(island - c->islands));
}

// hit: something has happened to the body itself. Otherwise it goes on as one that has rested all the time.
static void wakeBody(ctWorld *world, int index, bool hit)
{
    ctBody *body = &world->bodies[index];
    ctContacts *c = world->contacts;
    body->t = world->now;
    ctBody_SetMode(body, hit ? ct_modeStruck : ct_modeContact);
    world->infos[index].still = hit ? 0.0 : world->infos[index].still;
    c->bodies[index].restX = body->x;
    c->bodies[index].restQ = body->q;
    c->bodies[index].restSpeed = 0.0;
    body->courseEnd = world->now;
    ctContactBody_Rebase(world, index);
    c->due = world->now;
    ctIslands_MarkBody(world, index);
    c->reported = false;
}

// Wakes every sleeping body in contact with this one, directly or through others.
static void wakeGroup(ctWorld *world, int first)
{
    ctContacts *c = world->contacts;
    int tail = 0;
    if (!ctReserve((void **)&c->queue, &c->queueCapacity, world->bodySlots, sizeof(int))) {
        world->outOfMemory = true;
        return;
    }
    wakeBody(world, first, true);
    c->queue[tail++] = first;
    for (int head = 0; head < tail; head++) {
        int index = c->queue[head];
        int count;
        const ctLink *links = ctBody_Links(world, index, &count);
        for (int i = 0; i < count; i++) {
            int other = links[i].other;
            if (links[i].tag != CT_LATENT && world->pairs[links[i].tag].state == ct_pairContact &&
                world->bodies[other].mode == ct_modeAsleep) {
                wakeBody(world, other, false);
                c->queue[tail++] = other;
            }
        }
    }
    for (int i = 0; i < tail; i++) {
        ctWorld_CourseChanged(world, c->queue[i]);
    }
}

// Wakes the bodies that lean on an immovable one.
static void wakeNeighbours(ctWorld *world, int index)
{
    for (int i = 0, pair; (pair = ctBody_Pair(world, index, i)) >= 0; i++) {
        if (world->pairs[pair].state == ct_pairContact) {
            ctContact_Wake(world, world->pairs[pair].a);
        }
    }
}

void ctContact_Wake(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctBody *body = &world->bodies[index];
    if (!ctBody_IsMovable(body)) {
        wakeNeighbours(world, index);
    } else if (body->mode == ct_modeAsleep) {
        wakeGroup(world, index);
    } else if (index < c->bodyCapacity && c->bodies[index].records > 0) {
        world->infos[index].still = 0.0;
        ctContactBody_Thaw(&c->bodies[index]);
        ctCourse_Break(world, index);
        if (ctContactBody_IsLarge(&c->bodies[index])) {
            return; // the next regular step takes it in
        }
        // Impacts that follow each other closely in an island of many points are followed by one step.
        bool many = ctContact_PointsAround(world, index) > CT_MANY_POINTS;
        double due = many ? ctContact_BeginTime(world, index) : world->now;
        body->courseEnd = many ? ctFmin(body->courseEnd, due) : due;
        ctIsland_MakeDue(world, index, due);
    }
}

void ctContact_WakeOn(ctWorld *world, int index)
{
    // Piles treat all bodies that do not move as one.
    for (int i = 0, pair; (pair = ctBody_Pair(world, index, i)) >= 0; i++) {
        if (world->pairs[pair].state == ct_pairContact) {
            ctIslands_MarkBody(world, world->pairs[pair].a);
        }
    }
    ctContact_Wake(world, index);
}

// Whether a step of a body's island goes on when something strikes the body, which then loses the support of the time
// since the last step: where there are many points, and the step is not a long one.
static bool goesOn(const ctWorld *world, int index)
{
    return ctContact_PointsAround(world, index) > CT_MANY_POINTS &&
           world->contacts->islands[world->bodies[index].island].doublings == 0;
}

bool ctContact_IsInStep(ctWorld *world, int pair)
{
    const int ends[2] = {world->pairs[pair].a, world->pairs[pair].b};
    bool inside = false;
    for (int k = 0; k < 2; k++) {
        if (!ctContactBody_IsInStep(world, ends[k]) || goesOn(world, ends[k])) {
            continue;
        }
        inside = true;
        world->bodies[ends[k]].courseEnd = world->now;
        ctIsland_MakeDue(world, ends[k], world->now);
    }
    return inside;
}

bool ctContact_MeetsStep(const ctWorld *world, const ctBodyPair *pair)
{
    const int ends[2] = {pair->a, pair->b};
    bool joins = false;
    for (int k = 0; k < 2; k++) {
        if (!ctBody_IsMovable(&world->bodies[ends[k]]) || ctContact_PointsAround(world, ends[k]) > CT_MANY_POINTS) {
            return false;
        }
        joins = joins || ctBody_IsInContact(&world->bodies[ends[k]]);
    }
    return joins && world->def.contact == ct_contactIsland;
}

bool ctContact_JoinsStep(const ctWorld *world, const ctBodyPair *pair)
{
    return ctContact_MeetsStep(world, pair) && !ctContact_LandsExactly(world, pair);
}

void ctContact_WakeAll(ctWorld *world)
{
    ctIslands_MarkAll(world); // piles store coefficients that may have changed
    for (int i = 0; i < world->bodyCount; i++) {
        ctRoll_Drop(world, world->order[i]); // a plan is valid only under the settings under which it was made
        ctContact_Wake(world, world->order[i]);
    }
}

void ctContact_Skip(ctWorld *world, double seconds)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->bodyCapacity && i < world->bodySlots; i++) {
        c->bodies[i].base += seconds;
        world->bodies[i].courseEnd += seconds;
        ctCourse *course = c->bodies[i].ownCourse;
        if (course != NULL) {
            course->base += seconds;
            course->since += seconds;
            course->until += seconds;
            course->crowded += seconds;
            course->begun += seconds;
        }
        ctRollPlan *plan = c->bodies[i].plan;
        if (plan != NULL) {
            plan->base += seconds;
            plan->crowded += seconds;
        }
    }
    ctAgenda_Delay(&c->agenda, seconds);
    for (int i = 0; i < c->islandSlots; i++) {
        c->islands[i].due += seconds;
        if (c->islands[i].pile != NULL) {
            c->islands[i].pile->time += seconds;
        }
    }
    c->due += seconds;
}
