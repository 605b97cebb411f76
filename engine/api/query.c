// Questions about a world: rays, and the pairs in the agenda.
#include "collision/memory.h"
#include "engine/api/api_internal.h"
#include "engine/contact/contact.h"

#include <math.h>

typedef struct Ray {
    const ctWorld *world;
    ctVec3 origin, direction;
    double best;
    int body;
    ctVec3 normal;
} Ray;

bool ctBody_RayCast(const ctWorld *world, int index, ctVec3 origin, ctVec3 direction, double maxT, double *t,
                    ctVec3 *normal)
{
    ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
    ctTransform pose = ctTransformOf(ctSub(s.x, ctRotate(s.q, world->infos[index].center)), s.q);
    bool hit = ctShape_RayCast(ctBody_Shape(world, index), ctInvTransformPoint(pose, origin),
                               ctInvRotate(s.q, direction), maxT, t, normal);
    *normal = hit ? ctRotate(s.q, *normal) : ctZero3();
    return hit;
}

static double visit(void *context, int proxy, double maxT)
{
    Ray *ray = context;
    const ctWorld *world = ray->world;
    double t;
    ctVec3 normal;
    if (ctBody_RayCast(world, proxy, ray->origin, ray->direction, maxT, &t, &normal) &&
        (ray->body < 0 || t < ray->best)) {
        ray->best = t;
        ray->body = proxy;
        ray->normal = normal;
        return t;
    }
    return maxT;
}

bool ctWorld_RayCast(const ctWorld *world, ctVec3 origin, ctVec3 direction, double maxT, ctRayHit *hit)
{
    double largest = ctFmax(fabs(direction.x), ctFmax(fabs(direction.y), fabs(direction.z)));
    if (!ctIsFinite3(origin) || !ctIsFinite3(direction) || !(largest > 0.0) || !(maxT >= 0.0)) {
        return false;
    }
    // Scaling by a power of two is exact; squares of the direction then neither vanish nor overflow.
    int exponent = ilogb(largest);
    ctVec3 d = {ldexp(direction.x, -exponent), ldexp(direction.y, -exponent), ldexp(direction.z, -exponent)};
    Ray ray = {world, origin, d, ldexp(maxT, exponent), -1, ctZero3()};
    ctBroadphase_QueryRay(world->broadphase, origin, d, ray.best, visit, &ray);
    if (ray.body < 0) {
        return false;
    }
    if (hit != NULL) {
        *hit = (ctRayHit){ctBody_IdOf(world, ray.body), ldexp(ray.best, -exponent), ctMulAdd(origin, ray.best, d),
                          ray.normal};
    }
    return true;
}

static double ballsDistance(const ctWorld *world, int indexA, int indexB)
{
    const ctBody *a = &world->bodies[indexA], *b = &world->bodies[indexB];
    ctVec3 d = ctSub(ctBody_StateAt(world, a, world->now).x, ctBody_StateAt(world, b, world->now).x);
    return ctLength(d) - a->radius - b->radius;
}

// Whether this ball reports the hit of two balls of the gas: if both wait for each other, the lower index does.
static bool isOwnHit(const ctWorld *world, int index)
{
    const ctGasBall *g = &world->gas.balls[index];
    if (!ctGas_IsHitValid(world, g)) {
        return false;
    }
    const ctGasBall *other = &world->gas.balls[g->partner];
    return index < g->partner || other->partner != index || !ctGas_IsHitValid(world, other);
}

// Balls are not measured when they are scheduled, because their times are exact.
static double pendingDistance(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctVec3 x = ctBody_StateAt(world, a, world->now).x;
    if (pair->kind == ct_pairBalls) {
        return ballsDistance(world, pair->a, pair->b);
    }
    if (pair->kind == ct_pairBallPlane) {
        return ctDot(b->normal, x) - b->offset - a->radius;
    }
    return pair->distance;
}

int ctWorld_GetPending(const ctWorld *world, const ctPending **pending)
{
    // The list is scratch memory of the world, and no part of its state.
    ctWorld *scratch = (ctWorld *)world;
    if (pending == NULL) {
        return world->pairCount;
    }
    *pending = NULL;
    if (!ctReserve((void **)&scratch->pending, &scratch->pendingCapacity, world->pairCount + world->gas.count,
                   sizeof(ctPending))) {
        return 0;
    }
    int count = 0;
    for (int i = 0; i < world->pairSlots; i++) {
        const ctBodyPair *pair = &world->pairs[i];
        if (pair->state != ct_pairFree) {
            scratch->pending[count++] = (ctPending){ctBody_IdOf(world, pair->a), ctBody_IdOf(world, pair->b),
                                                    ctAgenda_Time(&world->pairAgenda, i), pendingDistance(world, pair)};
        }
    }
    for (int i = 0; i < world->bodySlots; i++) {
        if (isOwnHit(world, i)) {
            const ctGasBall *g = &world->gas.balls[i];
            scratch->pending[count++] = (ctPending){ctBody_IdOf(world, i), ctBody_IdOf(world, g->partner), g->hit,
                                                    ballsDistance(world, i, g->partner)};
        }
    }
    *pending = scratch->pending;
    return count;
}

ctTally ctWorld_GetPairTally(const ctWorld *world, ctBodyId a, ctBodyId b)
{
    ctTally sum = {0};
    int indexA = ctBody_Resolve(world, a), indexB = ctBody_Resolve(world, b);
    if (indexA < 0 || indexB < 0 || indexA == indexB) {
        return sum;
    }
    int pair = ctPair_Find(world, indexA, indexB);
    if (pair >= 0) {
        sum = world->extras[pair].tally;
    }
    ctTally_Collect(world, a, b, &sum);
    return sum;
}
