// When may balls on plans touch? At the end of a plan all times are found again.
#include "engine/pairs/balls.h"

// [method] Steps: where the bound of the time to a touch is shorter, the present velocities tell that time.
#define SOON (10.0 * CT_SHORTEST_STEP)

// The bound of the acceleration of a body on a plan, m/s^2, and its state now. Others have an acceleration that is
// known.
static ctCentre centreOf(const ctWorld *world, const ctBody *body, ctVec3 *a, double *stray)
{
    bool planned = ctBody_IsPlanned(body);
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    *a = planned ? ctZero3() : body->a;
    *stray += planned ? world->infos[ctBody_Index(world, body)].surge : 0.0;
    return (ctCentre){s.x, s.v};
}

// The time from now before which a ball and another, or a plane, cannot touch, of which one at least is on a plan. At
// the end of a plan times are found again. Just before they touch, it is the time by their present velocities: the next
// look is nearer by as many digits again.
double ctBalls_TimeOnPlan(const ctWorld *world, const ctBody *a, const ctBody *b)
{
    ctVec3 accelerations[2], n = b->normal;
    double stray = 0.0;
    ctCentre one = centreOf(world, a, &accelerations[0], &stray), other = {ctScale(b->offset, n), ctZero3()};
    accelerations[1] = ctZero3();
    if (!b->plane) {
        other = centreOf(world, b, &accelerations[1], &stray);
        n = ctNormalize(ctSub(one.x, other.x));
    }
    double gap = ctDot(n, ctSub(one.x, other.x)) - a->radius - (b->plane ? 0.0 : b->radius);
    double speed = ctDot(n, ctSub(one.v, other.v)), soon = SOON * ctBodies_Step(world, a, b);
    double time = ctFirstRoot(gap, speed, ctDot(n, ctSub(accelerations[0], accelerations[1])) - stray);
    double straight = speed < -ctBodies_SpeedRounding(a, b) ? ctFmax(gap, 0.0) / -speed : (double)INFINITY;
    return time > soon ? time : ctFmax(time, ctFmin(straight, soon));
}

bool ctBalls_PassBy(ctWorld *world, int index)
{
    const ctBody *a = &world->bodies[world->pairs[index].a], *b = &world->bodies[world->pairs[index].b];
    if (!ctBody_IsPlanned(a) && !ctBody_IsPlanned(b)) {
        return false;
    }
    double time = ctBalls_TimeOnPlan(world, a, b);
    if (!(time > SOON * ctBodies_Step(world, a, b))) {
        return false;
    }
    ctAgenda_Set(&world->pairAgenda, index, world->now + time);
    return true;
}
