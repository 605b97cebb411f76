// When may two bodies touch? Bounds of times of impact.
//
// Two balls with equal accelerations: pairs/balls.h. With different accelerations the projection on the present
// direction n is a lower bound of the gap,
//     gap(t) >= (|d| - R) + n.u t + n.a t^2 / 2.
// Its root is safe, and repeating it converges quadratically. For a ball and a plane the gap is exactly such a
// parabola. These times follow from the courses alone, and are the same to the last bit whenever they are asked for:
// they count from the moment at which the later of the two courses began. All other pairs: pairs/look.c.
#include "collision/memory.h"
#include "engine/pairs/balls.h"

#include <assert.h>

// ---- balls ------------------------------------------------------------------------------------

// With different accelerations: the bound, repeated until it equals the root to a tolerance.
static double ballsAccelerated(ctVec3 d, ctVec3 u, ctVec3 acceleration, double reach, double gapTolerance)
{
    double t = 0.0;
    for (int i = 0; i < 12; i++) {
        double length = ctLength(d);
        ctVec3 n = ctScale(1.0 / length, d);
        double gap = length - reach;
        if (t > 0.0 && gap <= gapTolerance) {
            break;
        }
        double step = ctFirstRoot(gap, ctDot(n, u), ctDot(n, acceleration));
        t += step;
        if (!(t < 1e3) || step == 0.0) {
            break;
        }
        d = ctMulAdd(ctMulAdd(d, step, u), 0.5 * step * step, acceleration);
        u = ctMulAdd(u, step, acceleration);
    }
    return t < 1e3 ? t : (double)INFINITY;
}

double ctBalls_Time(const ctWorld *world, int indexA, int indexB)
{
    const ctBody *a = &world->bodies[indexA], *b = &world->bodies[indexB];
    if (ctBody_IsPlanned(a) || ctBody_IsPlanned(b)) {
        return world->now + ctBalls_TimeOnPlan(world, a, b);
    }
    double start = a->t > b->t ? a->t : b->t;
    ctCentre one = ctBody_CentreAt(a, start), other = ctBody_CentreAt(b, start);
    ctVec3 d = ctSub(one.x, other.x), u = ctSub(one.v, other.v);
    ctVec3 acceleration = ctSub(a->a, b->a);
    if ((acceleration.x != 0.0) | (acceleration.y != 0.0) | (acceleration.z != 0.0)) {
        double reach = a->radius + b->radius;
        return start + ballsAccelerated(d, u, acceleration, reach, 1e-14 * (reach + ctMaxElement(ctAbs(a->x))));
    }
    return start + ctBalls_TimeFrom(a, b, d, u);
}

// When a ball meets a plane, s.
static double timeOfBallPlane(const ctWorld *world, int indexA, int indexB)
{
    const ctBody *a = &world->bodies[indexA], *b = &world->bodies[indexB];
    if (ctBody_IsPlanned(a)) {
        return world->now + ctBalls_TimeOnPlan(world, a, b);
    }
    // A ball that comes out of a one-sided surface meets it where it is out, and not where its course began.
    ctVec3 n = b->normal;
    double start = ctDot(n, a->x) - b->offset - a->radius < -ctBodies_TouchGap(a, b) ? world->now : a->t;
    ctCentre centre = ctBody_CentreAt(a, start);
    double gap = ctDot(n, centre.x) - b->offset - a->radius;
    double u = ctDot(n, centre.v), acceleration = ctDot(n, a->a);
    if (gap <= 1e-13 * a->radius && u < 0.0 && u > -ctBodies_SpeedRounding(a, b) && acceleration >= 0.0) {
        return INFINITY;
    }
    if (acceleration == 0.0) {
        return u < 0.0 ? start + (gap > 0.0 ? gap : 0.0) / -u : (double)INFINITY;
    }
    return start + ctFirstRoot(gap, u, acceleration);
}

void ctPair_Look(ctWorld *world, int index, ctPairLook *look)
{
    ctBodyPair *pair = &world->pairs[index];
    ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    if (pair->kind == ct_pairGeneral) {
        ctPair_LookGeneral(world, index, look);
    } else {
        ctBody_Advance(world, pair->a);
        ctBody_Advance(world, pair->b);
        *look = (ctPairLook){0};
        if (pair->kind == ct_pairBalls) {
            ctVec3 d = ctSub(a->x, b->x);
            double length = ctLength(d);
            look->normal = length > 0.0 ? ctScale(1.0 / length, d) : ctV3(0.0, 0.0, 1.0);
            look->distance = length - a->radius - b->radius;
            look->until = ctBalls_Time(world, pair->a, pair->b);
            look->pointB = ctMulAdd(b->x, b->radius, look->normal);
        } else {
            look->normal = b->normal;
            look->distance = ctDot(look->normal, a->x) - b->offset - a->radius;
            look->until = timeOfBallPlane(world, pair->a, pair->b);
            look->pointB = ctMulAdd(a->x, -a->radius - look->distance, look->normal);
        }
        look->pointA = ctMulAdd(a->x, -a->radius, look->normal);
    }
    pair->distance = look->distance;
    pair->pathA = a->path;
    pair->pathB = b->path;
    if (!ctPair_IsSensor(pair)) {
        ctWorld_SeeGap(world, pair->a, pair->b, look->distance);
    }
}

// ---- the agenda -------------------------------------------------------------------------------

void ctPair_Schedule(ctWorld *world, int index, bool full)
{
    ctBodyPair *pair = &world->pairs[index];
    assert(ctPair_IsAwaited(pair));
    switch ((ctPairKind)pair->kind) {
    case ct_pairBalls:
        ctAgenda_Set(&world->pairAgenda, index, ctBalls_Time(world, pair->a, pair->b));
        break;
    case ct_pairBallPlane:
        ctAgenda_Set(&world->pairAgenda, index, timeOfBallPlane(world, pair->a, pair->b));
        break;
    case ct_pairGeneral:
        if (ctPair_IsSensor(pair) && ctSensor_IsOnPlan(world, index)) {
            ctSensor_Await(world, index);
        } else if (full || !ctPair_PutOff(world, index)) {
            ctPairLook look;
            ctPair_Look(world, index, &look);
            world->extras[index].idle = 0;
            ctAgenda_Set(&world->pairAgenda, index, look.until);
        }
        break;
    }
}

void ctPair_ScheduleAll(ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    if (count == 0 || body->contactPairs >= count) {
        return; // deep in a pile no pair is apart
    }
    // Prefetched together: with ten thousand bodies most of the time is waiting for memory.
    for (int i = 0; i < count; i++) {
        ctPrefetch(&world->bodies[links[i].other]);
        ctPrefetch(&world->bodies[links[i].other].a);
        if (links[i].tag != CT_LATENT) { // without any other pair there are no times yet
            ctPrefetch(&world->pairAgenda.times[links[i].tag]);
        }
    }
    // All pairs of a ball without contacts are apart, and most are with balls. Those need no look at the pair.
    bool simple = body->ball && body->contactPairs == 0;
    for (int i = 0; i < count; i++) {
        int tag = links[i].tag;
        const ctBody *other = &world->bodies[links[i].other];
        if (other->pending) {
            continue;
        }
        if (tag == CT_LATENT || (simple && other->ball && !other->sensor)) {
            double time = ctBalls_Time(world, index, links[i].other);
            if (tag == CT_LATENT && time < (double)INFINITY) {
                tag = ctPair_Make(world, index, links[i].other);
            }
            if (tag >= 0 && tag != CT_LATENT && (time < (double)INFINITY || ctAgenda_Has(&world->pairAgenda, tag))) {
                ctAgenda_Set(&world->pairAgenda, tag, time);
            }
        } else if (simple && other->plane && !other->sensor) {
            ctAgenda_Set(&world->pairAgenda, tag, timeOfBallPlane(world, index, links[i].other));
        } else if (ctPair_IsAwaited(&world->pairs[tag])) {
            ctPair_Schedule(world, tag, false);
        } else if (world->pairs[tag].state == ct_pairInside) {
            ctSensor_Watch(world, tag);
        }
    }
}

void ctPair_Release(ctWorld *world, int index)
{
    ctBodyPair *pair = &world->pairs[index];
    pair->state = ct_pairApart;
    world->bodies[pair->a].contactPairs--;
    world->bodies[pair->b].contactPairs--;
    ctPair_Schedule(world, index, true);
}
