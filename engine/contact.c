// Sustained contact: the hooks of the loop (world_internal.h).
#include "engine/world_internal.h"

bool ctContact_Create(ctWorld *world, ctError *error)
{
    (void)world, (void)error;
    return true;
}

void ctContact_Destroy(ctWorld *world)
{
    (void)world;
}

bool ctContact_Begin(ctWorld *world, int pair, const ctPairLook *look)
{
    (void)world, (void)pair, (void)look;
    return false;
}

void ctContact_End(ctWorld *world, int pair)
{
    (void)world, (void)pair;
}

int ctContact_Points(ctWorld *world, int pair, ctTouch *points, int max)
{
    (void)world, (void)pair, (void)points, (void)max;
    return 0;
}

bool ctContact_IsAwake(const ctWorld *world)
{
    (void)world;
    return false;
}

bool ctContact_Tick(ctWorld *world, ctError *error)
{
    (void)world, (void)error;
    return true;
}

void ctContact_Wake(ctWorld *world, int body)
{
    (void)world, (void)body;
}

void ctContact_WakeAll(ctWorld *world)
{
    (void)world;
}

void ctContact_ReleaseAll(ctWorld *world)
{
    (void)world;
}

bool ctContact_EndFrame(ctWorld *world, ctError *error)
{
    (void)world, (void)error;
    return true;
}
