// Filters and sensors: which bodies may meet, and which are inside a sensor.
//
// A sensor is a body whose shape nothing touches. Its pairs have times in the agenda like those of solid bodies, so
// that no visitor is missed, however fast it is. The first touch is an event at its exact time. A visitor inside cannot
// be out before it has moved by the depth of its overlap. It is looked at again then, and so on until it has left,
// which is an event at its exact time too.
//
// A visitor that lies on the surface of a sensor may be out at once, and may stay for ever. Looks at it grow rarer, but
// there is one at the end of the frame. The moment at which it left is sought afterwards, between two looks.
#include "collision/memory.h"
#include "engine/pairs/pairs.h"

#include <string.h>

// [rounding] A visitor that grazes the sensor on its way in or out is looked at again after it may have moved by this
// share of its size, and later each time that it still grazes: twice as far up to the second share, then after a time
// that grows by a quarter, up to a share of a tick.
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

// Looks at a visitor again when it may be out. gap: its distance from the sensor, negative; states: of the two, now.
static void awaitLeaving(ctWorld *world, int index, double gap, const ctBodyState states[2])
{
    ctBodyPair *pair = &world->pairs[index];
    int *idle = &world->extras[index].idle;
    double speed = 0.0, pull = 0.0, radius = world->bodies[pair->a].radius;
    paceOf(world, pair->a, &states[0], &speed, &pull);
    paceOf(world, pair->b, &states[1], &speed, &pull);
    double least = ctFmin(ldexp(GRAZE, *idle < 20 ? *idle : 20), GRAZE_LONGEST) * radius, way = -DEPTH * gap;
    double wait = ctFirstRoot(ctFmax(way, least), -speed, -pull);
    if (way<least && * idle> 0) {
        double longer = ctFmin(GRAZE_GROWTH * (world->now - pair->rattleTime), GRAZE_TICKS * world->tickStep);
        wait = ctFmax(wait, world->frameEnd > world->now ? ctFmin(longer, world->frameEnd - world->now) : longer);
    }
    *idle = way < least ? *idle + 1 : 0;
    pair->rattleTime = world->now;
    ctAgenda_Set(&world->pairAgenda, index, world->now + wait);
}

// The time at which a visitor left that was inside at the last look and is out now.
static double timeOfLeaving(ctWorld *world, int index)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double inside = ctFmin(ctFmax(pair->rattleTime, ctFmax(a->t, b->t)), world->now), outside = world->now;
    double gap = ctPair_TouchGap(world, pair), least = GRAZE * a->radius / (ctBodies_SpeedBound(a, b) + GRAZE);
    while (outside - inside > least) {
        double middle = 0.5 * (inside + outside);
        if (!(inside < middle && middle < outside)) {
            break;
        }
        ctBodyState states[2];
        *(ctPair_Distance(world, index, middle, states) <= gap ? &inside : &outside) = middle;
    }
    return outside;
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
    tell(world, pair, false, timeOfLeaving(world, index));
    ctPair_Schedule(world, index, true);
}

void ctSensor_Event(ctWorld *world, int index)
{
    if (world->pairs[index].state == ct_pairInside) {
        ctSensor_Watch(world, index);
        return;
    }
    ctPairLook look;
    ctPair_Look(world, index, &look);
    ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctBodies_SpeedBound(a, b);
    double gap = ctPair_TouchGap(world, pair), least = GRAZE * a->radius / (speed + GRAZE);
    if (look.distance <= gap || (look.distance <= 100.0 * gap && (look.until - world->now) * speed < gap)) {
        pair->state = ct_pairInside;
        world->extras[index].idle = 0;
        tell(world, pair, true, world->now);
        ctBodyState states[2] = {ctBody_StateAt(world, a, world->now), ctBody_StateAt(world, b, world->now)};
        awaitLeaving(world, index, look.distance, states);
    } else {
        ctAgenda_Set(&world->pairAgenda, index, ctFmax(look.until, world->now + least));
    }
}

void ctSensor_Part(ctWorld *world, int index)
{
    if (world->pairs[index].state == ct_pairInside) {
        tell(world, &world->pairs[index], false, world->now);
    }
}
