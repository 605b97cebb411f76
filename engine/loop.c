// The event loop (Mirtich & Canny 1995, section 3).
#include "engine/world_internal.h"

bool ctWorld_RunEvents(ctWorld *world, bool *impact, ctError *error)
{
    (void)impact, (void)error;
    world->now = world->frameEnd;
    return true;
}

bool ctWorld_AllCoursesChanged(ctWorld *world, ctError *error)
{
    for (int i = 0; i < world->bodyCount; i++) {
        if (!ctWorld_Announce(world, world->order[i], error)) {
            return false;
        }
    }
    return true;
}

bool ctWorld_Announce(ctWorld *world, int body, ctError *error)
{
    (void)error;
    ctBody_UpdateBounds(world, body);
    return true;
}

bool ctWorld_AdmitBody(ctWorld *world, int body, ctError *error)
{
    return ctWorld_Announce(world, body, error);
}

void ctWorld_DismissBody(ctWorld *world, int body)
{
    (void)world, (void)body;
}
