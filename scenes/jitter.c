// Perturbed starts. Velocity and spin are scaled by one factor and turned together about the vertical. A rolling ball
// therefore still rolls, and no body gets a velocity into the floor.
#include "collision/elementary.h"
#include "collision/quat.h"
#include "collision/vec3.h"
#include "scenes/loader.h"
#include "scenes/random.h"

static ctVec3 verticalOf(const ctWorld *world)
{
    ctVec3 g = ctWorld_GetSettings(world).gravity;
    double length = ctLength(g);
    return length > 0.0 ? ctScale(-1.0 / length, g) : (ctVec3){0.0, 0.0, 1.0};
}

bool ctScene_Jitter(ctScene *scene, double amount, uint64_t seed, ctError *error)
{
    ctWorld *world = scene->world;
    ctVec3 up = verticalOf(world);
    uint64_t state[4];
    ctRandom_Seed(state, seed);
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId body = ctWorld_GetBody(world, i);
        ctVec3 v = ctBody_GetVelocity(world, body), w = ctBody_GetSpin(world, body);
        if (ctBody_GetMotionType(world, body) != ct_motionDynamic || (ctLength(v) == 0.0 && ctLength(w) == 0.0)) {
            continue;
        }
        double factor = 1.0 + amount * ctRandom_Normal(state), half = 0.5 * amount * ctRandom_Normal(state);
        double s = ctSin(half);
        ctQuat turn = {ctCos(half), s * up.x, s * up.y, s * up.z};
        if (!ctBody_SetVelocity(world, body, ctScale(factor, ctRotate(turn, v)), ctScale(factor, ctRotate(turn, w)),
                                error)) {
            return false;
        }
    }
    return true;
}
