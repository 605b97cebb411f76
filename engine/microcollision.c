// Microcollisions: sustained contact as a series of tiny impacts (Mirtich & Canny 1995, sections 2 and 4.5).
//
// Below a threshold of normal speed the impulse that exactly reverses the contact velocity,
//   p = -2 K^-1 u,
// is applied when it lies in the friction cone; it does no work. Otherwise the full collision is.
//
// Left open by the paper: a contact that keeps losing speed would collide infinitely often. Bodies in
// contact hover in an envelope of the height h = CT_MICRO_ENVELOPE of their size: a rebound is never
// slower than the speed sqrt(2 g h) that reaches it, and what is missing is added along the normal, which
// stays in the cone. The energy this adds is less than m g h for a body at rest. Bodies with several touching
// points would still collide at one after the other without end: a pair pauses for half the time of the slowest
// rebound after each microcollision, in which it falls by h / 4 at most.
#include "engine/sequence.h"

static bool inCone(ctVec3 p, double mu)
{
    return p.z > 0.0 && p.x * p.x + p.y * p.y <= mu * mu * p.z * p.z;
}

double ctMicro_LeastRebound(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double size = b->plane || a->radius < b->radius ? a->radius : b->radius;
    return sqrt(2.0 * ctDistance(a->a, b->a) * CT_MICRO_ENVELOPE * size);
}

double ctMicro_Pause(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double pressing = ctDistance(a->a, b->a);
    return pressing > 0.0 ? 0.5 * ctMicro_LeastRebound(world, pair) / pressing : 0.0;
}

bool ctMicro_Solve(const ctImpactInput *in, double leastRebound, ctImpactResult *out)
{
    double rebound = -in->u.z > leastRebound ? -in->u.z : leastRebound;
    ctVec3 after = ctV3(-in->u.x, -in->u.y, rebound), p;
    if (ctSolve(in->K, ctSub(after, in->u), &p) && inCone(p, in->mu)) {
        *out = (ctImpactResult){.p = p, .v = after, .mode = ct_impactStick};
        return true;
    }
    return false;
}

void ctMicro_Lift(const ctImpactInput *in, double leastRebound, ctImpactResult *out)
{
    if (out->v.z < leastRebound) {
        double p = (leastRebound - out->v.z) / in->K.cz.z;
        out->p.z += p;
        out->v = ctMulAdd(out->v, p, in->K.cz);
    }
}
