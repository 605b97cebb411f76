// The event loop (Mirtich & Canny 1995, section 3).
//
// The earliest of three kinds of events is next: a pair that may touch, a box that its body may leave, the tick of
// sustained contact. A look at a pair finds it apart or touching. A pair that is apart goes back into the agenda with a
// new bound. A pair that touches collides or becomes a contact.
#include "engine/loop/loop.h"
#include "collision/clock.h"
#include "engine/collide/collide.h"
#include "engine/gas/gas.h"

// ---- pairs that touch -------------------------------------------------------------------------

// The impact of two balls, or of a ball and a plane, with nothing else at this moment.
static void collideBalls(ctWorld *world, int index, const ctPairLook *look)
{
    ctTouch touch = {index, look->normal, ctLerp(look->pointA, look->pointB, 0.5), 0, look->distance};
    int a = world->pairs[index].a, b = world->pairs[index].b;
    if (!ctWorld_ImpactOfBalls(world, index, &touch)) {
        return;
    }
    ctGas_CourseChanged(world, a);
    if (ctBody_IsMovable(&world->bodies[b])) {
        ctGas_CourseChanged(world, b);
    }
}

// Whether the pair is a ball with a ball or a plane, and nothing else happens at this moment.
static bool isAlone(const ctWorld *world, const ctBodyPair *pair)
{
    return pair->kind != ct_pairGeneral && world->bodies[pair->a].contactPairs == 0 &&
           (world->bodies[pair->b].contactPairs == 0 || !ctBody_IsMovable(&world->bodies[pair->b])) &&
           ctIsLater(ctAgenda_TopTime(&world->pairAgenda), world->now) && !ctGas_IsHitDue(world, -1, -1);
}

// The two touch without approach, or are so near that times cannot be told apart. They are looked at again a little
// later. Each look at which nothing happens doubles that delay, up to the time in which the two can move by 1e-6 of
// their size.
static void lookAgain(ctWorld *world, int index, double until, int looks)
{
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    int *idle = &world->extras[index].idle;
    double size = ctBodies_Size(a, b);
    double speed = ctBodies_SpeedBound(a, b) + CT_SHORTEST_STEP * ctWorld_FallSpeed(world, size);
    double share = ldexp(1e-10, looks < 13 ? looks : 13);
    double least = world->now + share * size / speed + 1e-15 * world->now;
    *idle += 1;
    ctAgenda_Set(&world->pairAgenda, index, until > least ? until : least);
}

// An impact with a pile, or with a crowd that becomes one.
static void absorb(ctWorld *world, int index, const ctPairLook *look)
{
    ctWorld_ImpactAlone(world, index);
    if (world->pairs[index].state == ct_pairApart) {
        ctPair_BecomeContact(world, index, look);
        ctPile_Relay(world, index);
    }
}

// A contact begins. Neighbours that touch one of its bodies and move with it have had no reason to be looked at. They
// are looked at now, so that a stack or a wall comes into contact as a whole, and not one body after the other.
static void begin(ctWorld *world, int index, const ctPairLook *look)
{
    const int ends[2] = {world->pairs[index].a, world->pairs[index].b};
    ctPair_BecomeContact(world, index, look);
    for (int k = 0; k < 2 && world->def.contact == ct_contactIsland; k++) {
        int count;
        const ctLink *links = ctBody_Links(world, ends[k], &count);
        for (int i = 0; i < count && ctBody_IsMovable(&world->bodies[ends[k]]); i++) {
            int other = links[i].tag;
            const ctBodyPair *pair = other != CT_LATENT ? &world->pairs[other] : NULL;
            if (pair == NULL || pair->state != ct_pairApart || pair->kind != ct_pairGeneral) {
                continue;
            }
            const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
            double left = pair->distance - (a->path - pair->pathA) - (b->path - pair->pathB);
            if (left <= ctPair_TouchGap(world, pair) && ctAgenda_Time(&world->pairAgenda, other) > world->now) {
                ctAgenda_Set(&world->pairAgenda, other, world->now);
            }
        }
    }
}

// A pair that collides is not in the agenda meanwhile. Afterwards it gets a new time, unless it has become a contact.
// It is judged anew at once where a step at this moment would be made in vain without it, and is a contact at once
// where its points stay closed.
static void collide(ctWorld *world, int index, const ctPairLook *look, ctVerdict verdict)
{
    bool closed = false;
    ctAgenda_Remove(&world->pairAgenda, index);
    if (verdict == ct_verdictAbsorb) {
        absorb(world, index, look);
        return;
    }
    if (verdict == ct_verdictHop) {
        ctMicro_Collide(world, index, look);
    } else if (isAlone(world, &world->pairs[index])) {
        collideBalls(world, index, look);
    } else {
        ctWorld_Impact(world, index);
        closed = world->pairs[index].state == ct_pairApart && ctPair_StaysClosed(world, index);
    }
    if (closed) {
        ctPairLook now;
        ctPair_Look(world, index, &now);
        begin(world, index, &now);
    } else if (world->pairs[index].state == ct_pairApart && ctContact_JoinsStep(world, &world->pairs[index])) {
        ctAgenda_Set(&world->pairAgenda, index, world->now);
    } else if (world->pairs[index].state == ct_pairApart && !ctAgenda_Has(&world->pairAgenda, index)) {
        ctPair_Schedule(world, index, true);
    }
}

// Steps the islands that are due. Points that have hit hard in a step are impacts.
static bool tick(ctWorld *world, ctError *error)
{
    int count;
    const int *pairs = ctContact_Tick(world, &count, error);
    for (int i = 0; i < count; i++) {
        if (world->pairs[pairs[i]].state == ct_pairContact) {
            ctWorld_Impact(world, pairs[i]);
        }
    }
    return count >= 0;
}

// Whether a body touches a one-sided terrain from behind, and so passes through it.
static bool passes(ctWorld *world, int index, const ctPairLook *look)
{
    int a = world->pairs[index].a;
    if (look->distance > ctPair_TouchGap(world, &world->pairs[index]) || !ctTile_LetPass(world, index, look)) {
        return false;
    }
    ctGas_Leave(world, a);
    if (!ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
    return true;
}

// Judges a look at a pair. An impact within a step of contact ends that step first, so that the impact has the
// velocities that all forces up to now have given; then the pair is looked at again. False when the pair is no longer
// apart.
static bool judge(ctWorld *world, int index, ctPairLook *look, ctVerdict *verdict)
{
    ctPair_Look(world, index, look);
    if (world->terrainCount > 0 && passes(world, index, look)) {
        return false;
    }
    *verdict = ctPair_Judge(world, index, look);
    if (*verdict != ct_verdictImpact || world->def.contact != ct_contactIsland || !ctContact_IsInStep(world, index)) {
        return true;
    }
    int idle = world->extras[index].idle;
    if (!tick(world, NULL)) {
        world->outOfMemory = true;
    }
    if (world->pairs[index].state != ct_pairApart) {
        return false;
    }
    // The end of the step has announced both courses, as if they were new. A pair rubs if it is about to collide before
    // that, and is not afterwards, again and again: its count of idle looks is kept.
    world->extras[index].idle = idle;
    ctPair_Look(world, index, look);
    *verdict = ctPair_Judge(world, index, look);
    return true;
}

static void pairEvent(ctWorld *world, int index)
{
    const ctBodyPair *pair = &world->pairs[index];
    if (ctPair_IsSensor(pair)) {
        ctSensor_Event(world, index);
        return;
    }
    if (ctPair_PassBy(world, index)) {
        return;
    }
    ctBroadphase_PrefetchLinks(world->broadphase, pair->a);
    ctBroadphase_PrefetchLinks(world->broadphase, pair->b);
    ctPairLook look;
    ctVerdict verdict;
    if (ctPair_LiesStill(world, index, &look)) {
        begin(world, index, &look);
        return;
    }
    if (!judge(world, index, &look, &verdict)) {
        return;
    }
    // Read anew: a step may have made pairs.
    pair = &world->pairs[index];
    int *idle = &world->extras[index].idle;
    double step = ctBodies_Step(world, &world->bodies[pair->a], &world->bodies[pair->b]);
    switch (verdict) {
    case ct_verdictApart:
        *idle = look.until - world->now < (1.0 + CT_EQUAL) * CT_SHORTEST_STEP * step ? *idle + 1 : 0;
        ctAgenda_Set(&world->pairAgenda, index, look.until);
        break;
    case ct_verdictWait:
        lookAgain(world, index, look.until, *idle);
        break;
    case ct_verdictGrind:
        lookAgain(world, index, look.until, *idle - CT_GRIND_LOOKS);
        break;
    case ct_verdictContact:
        begin(world, index, &look);
        break;
    case ct_verdictAbsorb:
    case ct_verdictHop:
    case ct_verdictImpact:
        collide(world, index, &look, verdict);
        break;
    }
}

// ---- the other events -------------------------------------------------------------------------

static void boxEvent(ctWorld *world, int index, ctError *error)
{
    if (ctGas_Enter(world, index)) {
        return;
    }
    if (world->bodies[index].driven) { // its bounds hold for a limited time
        ctBody_Advance(world, index);
        ctBody_UpdateBounds(world, index);
        if (!ctBody_IsMovable(&world->bodies[index]) && ctBody_WillMove(world, index)) {
            ctContact_Wake(world, index); // wakes what sleeps on it
        }
        ctPair_ScheduleAll(world, index);
    }
    if (!ctWorld_UpdateBox(world, index, true, error) || !ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
}

// Too many events: the rest of the frame passes without motion. Every body stays where it is, which is a valid state.
static void skipFrame(ctWorld *world)
{
    double skipped = world->frameEnd - world->now;
    for (int i = 0; i < world->bodyCount; i++) {
        int index = world->order[i];
        ctBody_Advance(world, index);
        ctEnergy_Settle(world, index); // the frame ends in the middle of a step of contact
        world->bodies[index].t = world->frameEnd;
    }
    ctAgenda_Delay(&world->pairAgenda, skipped);
    ctAgenda_Delay(&world->boxAgenda, skipped);
    ctGas_Delay(world, skipped);
    ctContact_Skip(world, skipped);
    world->stats.eventLimitHits++;
    world->now = world->frameEnd;
}

// ---- the loop ---------------------------------------------------------------------------------

static void prefetchBody(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    const char *lines[] = {(const char *)body, (const char *)&body->a, (const char *)&body->q, (const char *)&body->box,
                           (const char *)&world->infos[index]};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        ctPrefetch(lines[i]);
    }
    ctBroadphase_Prefetch(world->broadphase, index);
}

static void prefetchNextPair(const ctWorld *world)
{
    const ctAgendaEntry *next = ctAgenda_Next(&world->pairAgenda, 1), *second = ctAgenda_Next(&world->pairAgenda, 2);
    if (second != NULL) {
        ctPrefetch(&world->pairs[second->item]);
        ctPrefetch(&world->extras[second->item]);
    }
    if (next != NULL) {
        prefetchBody(world, world->pairs[next->item].a);
        prefetchBody(world, world->pairs[next->item].b);
    }
}

typedef enum Outcome { outcomeEvent, outcomeDone, outcomeFailed } Outcome;

// Handles the next event before `until`. *phase is set to the sum that its CPU time belongs to.
static Outcome nextEvent(ctWorld *world, double until, double **phase, ctError *error)
{
    double pairTime = ctAgenda_TopTime(&world->pairAgenda), boxTime = ctAgenda_TopTime(&world->boxAgenda);
    double due = ctContact_NextTick(world);
    double next = pairTime < boxTime ? pairTime : boxTime;
    // Events at the very end of the frame belong to it. So the order of events is the same wherever frames end.
    if (due <= until && due < next) {
        world->now = due > world->now ? due : world->now;
        *phase = &world->stats.cpuContact;
        return tick(world, error) ? outcomeEvent : outcomeFailed;
    }
    if (!(next <= until)) {
        return outcomeDone;
    }
    world->now = next > world->now ? next : world->now;
    if (pairTime <= boxTime) {
        int64_t impacts = world->stats.impacts + world->stats.microcollisions;
        prefetchNextPair(world);
        pairEvent(world, ctAgenda_Top(&world->pairAgenda));
        bool hit = world->stats.impacts + world->stats.microcollisions > impacts;
        *phase = hit ? &world->stats.cpuImpact : &world->stats.cpuDistance;
    } else {
        int body = ctAgenda_Top(&world->boxAgenda);
        int64_t impacts = world->stats.impacts;
        ctGas_PrefetchNext(world);
        if (ctGas_Awaits(&world->gas, body)) {
            ctGas_Event(world, body);
        } else {
            boxEvent(world, body, error);
        }
        *phase = world->stats.impacts > impacts ? &world->stats.cpuImpact : &world->stats.cpuBroadphase;
    }
    return outcomeEvent;
}

bool ctWorld_RunEvents(ctWorld *world, const ctRunLimits *limits, ctError *error)
{
    int64_t limit = ctWorld_EventLimit(world);
    int impacts = world->impactCount, sensorEvents = world->sensorEventCount;
    for (;;) {
        double *phase = &world->stats.cpuOther, start = world->profiling ? ctClock_Process() : 0.0;
        Outcome outcome = nextEvent(world, limits->until, &phase, error);
        if (world->profiling) {
            *phase += ctClock_Process() - start;
        }
        if (outcome != outcomeEvent) {
            world->now = outcome == outcomeDone ? limits->until : world->now;
            return outcome == outcomeDone;
        }
        if (world->outOfMemory) {
            world->outOfMemory = false;
            return ctFailMemory(error, "the events of a frame");
        }
        bool hit = world->impactCount > impacts, news = hit || world->sensorEventCount > sensorEvents;
        if ((limits->toImpact && hit) || (limits->toNews && news)) {
            return true;
        }
        if (++world->frameEvents > limit) {
            skipFrame(world);
            return true;
        }
    }
}
