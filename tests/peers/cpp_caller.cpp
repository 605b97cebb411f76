// The public interface called from C++.
#include "engine/clatter.h"
#include "tests/peers/peers.h"

#include <vector>

namespace
{
void collect(void *context, const ctWorld *, const ctImpact *impact)
{
    static_cast<std::vector<ctImpact> *>(context)->push_back(*impact);
}
} // namespace

extern "C" int ctCallFromCpp(double height, double *firstImpact)
{
    ctError error = {};
    ctWorldDef def = ctDefaultWorldDef();
    ctWorld *world = ctWorld_Create(&def, &error);
    ctBodyDef floor = ctDefaultBodyDef();
    floor.motion = ct_motionFixed;
    floor.shape = ctWorld_CreatePlane(world, ctVec3{0, 0, 1}, 0.0, &error);
    ctBodyDef ball = ctDefaultBodyDef();
    ball.shape = ctWorld_CreateSphere(world, 0.1, &error);
    ball.position = ctVec3{0, 0, height + 0.1};
    std::vector<ctImpact> impacts;
    ctWorld_OnImpact(world, collect, &impacts);
    bool ok =
        ctWorld_CreateBody(world, &floor, &error).index1 != 0 && ctWorld_CreateBody(world, &ball, &error).index1 != 0;
    for (int i = 0; ok && i < 120; i++) {
        ok = ctWorld_Step(world, &error);
    }
    *firstImpact = impacts.empty() ? -1.0 : impacts.front().time;
    ctWorld_Destroy(world);
    return ok ? static_cast<int>(impacts.size()) : -1;
}
