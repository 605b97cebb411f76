// The world as a whole: whether it may change, and how many events a frame may have.
#include "engine/state/state.h"

bool ctWorld_MayChange(const ctWorld *world, ctError *error)
{
    return !world->stepping ||
           ctFail(error, ct_badArgument, "the world is in the middle of a step: a callback may only look");
}

int64_t ctWorld_EventLimit(const ctWorld *world)
{
    bool micro = world->def.contact == ct_contactMicrocollision;
    int64_t least = micro ? CT_MICRO_EVENTS_MIN : CT_FRAME_EVENTS_MIN;
    int64_t limit = (int64_t)world->bodyCount * (micro ? CT_MICRO_EVENTS_PER_BODY : CT_FRAME_EVENTS_PER_BODY);
    return limit > least ? limit : least;
}
