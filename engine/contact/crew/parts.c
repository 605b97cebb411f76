// Work of one island on several threads: the parts are independent, and their sums are added in order.
#include "engine/contact/crew/crew.h"

typedef struct Lot {
    ctCrew *crew;
    ctPartFn *fn;
    void *context;
} Lot;

static void doPart(void *context, int item, int worker)
{
    const Lot *lot = context;
    ctView_Do(&lot->crew->views[worker], lot->fn, lot->context, item, &lot->crew->parts[item]);
}

static bool doAlone(ctWorld *world, ctPartFn *fn, void *context, int count)
{
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        ctStats before = world->stats;
        world->stats = (ctStats){0};
        ok = fn(world, context, i);
        ctStats part = world->stats;
        world->stats = before;
        ctStats_Add(&world->stats, &part);
    }
    return ok;
}

bool ctCrew_DoParts(ctWorld *world, ctPartFn *fn, void *context, int count)
{
    ctCrew *crew = count < 2 || world->terrainCount > 0 ? NULL : ctCrew_Of(world);
    if (crew == NULL || !ctStepTraces_Reserve(&crew->parts, &crew->partCapacity, count)) {
        return doAlone(world, fn, context, count);
    }
    Lot lot = {crew, fn, context};
    for (int i = 0; i < crew->viewCount; i++) {
        ctView_Open(&crew->views[i], world, 0);
    }
    ctTasks_Run(crew->tasks, doPart, &lot, count);
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        ok = ctStepTrace_Add(&crew->parts[i], world, -1);
    }
    return ok;
}

void ctCrew_Run(ctWorld *world, ctTaskFn *fn, void *context, int count)
{
    ctCrew *crew = count < 2 ? NULL : ctCrew_Of(world);
    if (crew != NULL) {
        ctTasks_Run(crew->tasks, fn, context, count);
        return;
    }
    for (int i = 0; i < count; i++) {
        fn(context, i, 0);
    }
}
