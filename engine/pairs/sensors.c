// Filters and sensors: which bodies may meet, and which are inside a sensor.
//
// A sensor is a body whose shape nothing touches. Its pairs have times in the agenda like those of solid bodies, so
// that no visitor is missed, however fast it is. The first touch is an event at its exact time. A visitor inside cannot
// be out before it has moved by the depth of its overlap. It is looked at again then, and so on until it has left,
// which is an event at its exact time too. Nothing feels a sensor: visitors on courses are looked at where they are,
// and go on.
//
// A visitor that lies on the surface of a sensor may be in or out at once, and may stay for ever. Looks at it grow
// rarer, but there is one at the end of the frame. The moment at which it came or left is sought afterwards, between
// two looks.
#include "collision/memory.h"
#include "engine/pairs/pairs.h"

#include <string.h>

// [rounding] A visitor that is nearer to the surface of the sensor than the second share of its size, on its way in or
// out, grazes. It is looked at again after it may have moved by the first share, and later each time that it still
// grazes: twice as far up to the second share, then after a time that grows by a quarter, up to a share of a tick.
#define GRAZE 1e-8
#define GRAZE_LONGEST 1e-4
#define GRAZE_GROWTH 1.25
#define GRAZE_TICKS 0.0625
// [rounding] Depths of overlaps are known to this share.
#define DEPTH 0.9

bool ctBodies_MayMeet(const ctWorld *world, int a, int b)
{
    const ctFilter *fa = &world->infos[a].filter, *fb = &world->infos[b].filter;
    if ((fa->category & fb->mask) == 0 || (fb->category & fa->mask) == 0) {
        return false;
    }
    if (world->bodies[a].sensor && world->bodies[b].sensor) {
        return false;
    }
    if (world->filter == NULL) {
        return true;
    }
    // Changes that the function tries are refused.
    ctWorld *guarded = (ctWorld *)world;
    bool stepping = world->stepping;
    guarded->stepping = true;
    bool may = world->filter(world->filterContext, world, ctBody_IdOf(world, a), ctBody_IdOf(world, b));
    guarded->stepping = stepping;
    return may;
}

static void tell(ctWorld *world, const ctBodyPair *pair, bool begin, double time)
{
    if (!ctReserve((void **)&world->sensorEvents, &world->sensorEventCapacity, world->sensorEventCount + 1,
                   sizeof(ctSensorEvent))) {
        world->outOfMemory = true;
        return;
    }
    int at = world->sensorEventCount++; // in order of time among those that the program has not been told
    for (; at > world->visitsTold && at > world->sensorEventsTold && world->sensorEvents[at - 1].time > time; at--) {
        world->sensorEvents[at] = world->sensorEvents[at - 1];
    }
    world->sensorEvents[at] = (ctSensorEvent){time, ctBody_IdOf(world, pair->b), ctBody_IdOf(world, pair->a), begin};
    if (begin) { // the sums of a sensor count visits
        world->infos[pair->b].tally.impacts++;
        world->extras[(int)(pair - world->pairs)].tally.impacts++;
    }
}

// The distance that a body may move at once, and bounds of its speed and acceleration: m/s, m/s^2. A body on a plan is
// scheduled again at the end of the plan, and moves no farther than its reach before that.
static void paceOf(const ctWorld *world, int index, const ctBodyState *s, double *speed, double *pull)
{
    const ctBody *body = &world->bodies[index];
    *speed += ctLength(s->v) + ctFmax(ctLength(s->w), body->wMax) * body->radius;
    *pull += ctBody_IsPlanned(body) ? ctLength(world->def.gravity) + ctLengthSquared(s->w) * body->radius
                                    : ctLength(body->a) + ctBody_Stray(world, body);
}

// Looks at a visitor again when it may have gone a way (m) at a speed and an acceleration, or later if it grazes.
static void lookAfter(ctWorld *world, int index, double way, double speed, double pull)
{
    ctBodyPair *pair = &world->pairs[index];
    int *idle = &world->extras[index].idle;
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double radius = a->radius, longest = (CT_BOX_FRAMES + 0.5) * ctBodies_BoxTime(world, a, b);
    double least = ctFmin(ldexp(GRAZE, *idle < 20 ? *idle : 20), GRAZE_LONGEST) * radius;
    double wait = ctFmin(ctFirstRoot(ctFmax(way, least), -speed, -pull), longest);
    if (way<least && * idle> 0) {
        double longer = ctFmin(GRAZE_GROWTH * (world->now - pair->rattleTime), GRAZE_TICKS * CT_COMMON_STEP);
        wait = ctFmax(wait, world->frameEnd > world->now ? ctFmin(longer, world->frameEnd - world->now) : longer);
    }
    *idle = way < GRAZE_LONGEST * radius ? *idle + 1 : 0;
    // How a visitor moved before the end of its step or plan is not known after that: it is looked at then, too. Waits
    // grow on as if there had been no such look.
    double end = ctFmin(ctBody_CourseEnd(a), ctBody_CourseEnd(b));
    if (end > world->now) {
        pair->rattleTime = ctFmax(pair->rattleTime, ctFmin(world->now, end - wait));
        wait = ctFmin(wait, end - world->now);
    }
    ctAgenda_Set(&world->pairAgenda, index, world->now + wait);
}

// Looks at a visitor again when it may be out. gap: its distance from the sensor, negative; states: of the two, now.
static void awaitLeaving(ctWorld *world, int index, double gap, const ctBodyState states[2])
{
    const ctBodyPair *pair = &world->pairs[index];
    double speed = 0.0, pull = 0.0;
    paceOf(world, pair->a, &states[0], &speed, &pull);
    paceOf(world, pair->b, &states[1], &speed, &pull);
    lookAfter(world, index, -DEPTH * gap, speed, pull);
}

// The time in which a visitor may move by the least way that counts, s.
static double grazeTime(const ctWorld *world, const ctBody *a, const ctBody *b)
{
    double slow = GRAZE * ctWorld_FallSpeed(world, a->radius);
    return GRAZE * a->radius / (ctBodies_SpeedBound(a, b) + slow);
}

// The time at which a visitor left that was inside at the last look and is out now, or came in that was outside.
static double timeOfCrossing(ctWorld *world, int index, bool wasInside)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double known = ctBody_IsMovable(b) ? ctFmax(a->t, b->t) : a->t; // others have moved the same before
    double before = ctFmin(ctFmax(pair->rattleTime, known), world->now), after = world->now;
    double gap = ctPair_TouchGap(world, pair), least = grazeTime(world, a, b);
    while (after - before > least) {
        double middle = 0.5 * (before + after);
        if (!(before < middle && middle < after)) {
            break;
        }
        ctBodyState states[2];
        bool inside = ctPair_Distance(world, index, middle, states) <= gap;
        *(inside == wasInside ? &before : &after) = middle;
    }
    return after;
}

void ctSensor_Watch(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    ctBodyState states[2];
    double gap = ctPair_Distance(world, index, world->now, states);
    if (gap <= ctPair_TouchGap(world, pair)) {
        awaitLeaving(world, index, gap, states);
        return;
    }
    pair->state = ct_pairOutside;
    world->extras[index].idle = 0;
    tell(world, pair, false, timeOfCrossing(world, index, true));
    pair->rattleTime = world->now;
    ctPair_Schedule(world, index, true);
}

// Bounds of the speed and acceleration of a body until its plan ends, or without one: m/s, m/s^2.
static void boundsOf(const ctWorld *world, int index, const ctBodyState *s, double *speed, double *pull)
{
    if (ctBody_IsPlanned(&world->bodies[index])) {
        *speed += world->infos[index].pace;
    } else {
        paceOf(world, index, s, speed, pull);
    }
}

// The distance of a visitor on its plan, m; where it does not touch the sensor, sets when to look again.
static double approach(ctWorld *world, int index, ctBodyState states[2])
{
    const ctBodyPair *pair = &world->pairs[index];
    double gap = ctPair_Distance(world, index, world->now, states), speed = 0.0, pull = 0.0;
    if (gap > ctPair_TouchGap(world, pair)) {
        boundsOf(world, pair->a, &states[0], &speed, &pull);
        boundsOf(world, pair->b, &states[1], &speed, &pull);
        lookAfter(world, index, gap, speed, pull);
    }
    return gap;
}

bool ctSensor_IsOnPlan(const ctWorld *world, int index)
{
    const int ends[2] = {world->pairs[index].a, world->pairs[index].b};
    bool on = false, known = true;
    for (int k = 0; k < 2; k++) {
        bool planned = ctBody_IsPlanned(&world->bodies[ends[k]]);
        on = on || planned;
        known = known && (!planned || world->infos[ends[k]].pace < (double)INFINITY);
    }
    return on && known;
}

void ctSensor_Await(ctWorld *world, int index)
{
    ctBodyState states[2];
    if (approach(world, index, states) <= ctPair_TouchGap(world, &world->pairs[index])) {
        ctAgenda_Set(&world->pairAgenda, index, world->now);
    }
}

// A visitor comes in at a time (s), and is at a distance (m) now.
static void enter(ctWorld *world, int index, double time, double distance, const ctBodyState states[2])
{
    ctBodyPair *pair = &world->pairs[index];
    pair->state = ct_pairInside;
    pair->rattleTime = world->now;
    world->extras[index].idle = 0;
    tell(world, pair, true, time);
    awaitLeaving(world, index, distance, states);
}

void ctSensor_Event(ctWorld *world, int index)
{
    ctBodyState states[2];
    if (world->pairs[index].state == ct_pairInside) {
        ctSensor_Watch(world, index);
        return;
    }
    if (ctSensor_IsOnPlan(world, index)) {
        double distance = approach(world, index, states);
        if (distance <= ctPair_TouchGap(world, &world->pairs[index])) {
            enter(world, index, timeOfCrossing(world, index, false), distance, states);
        }
        return;
    }
    ctPairLook look;
    ctPair_Look(world, index, &look);
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctBodies_SpeedBound(a, b);
    double gap = ctPair_TouchGap(world, pair), least = grazeTime(world, a, b);
    if (look.distance <= gap || (look.distance <= 100.0 * gap && (look.until - world->now) * speed < gap)) {
        states[0] = ctBody_StateAt(world, a, world->now);
        states[1] = ctBody_StateAt(world, b, world->now);
        enter(world, index, world->now, look.distance, states);
    } else {
        pair->rattleTime = world->now;
        ctAgenda_Set(&world->pairAgenda, index, ctFmax(look.until, world->now + least));
    }
}

void ctSensor_Part(ctWorld *world, int index)
{
    if (world->pairs[index].state == ct_pairInside) {
        tell(world, &world->pairs[index], false, world->now);
    }
}
