// Microcollisions: sustained contact as a series of tiny impacts (Mirtich & Canny 1995, sections 2 and 4.5).
//
// Below a threshold of normal speed the impulse that exactly reverses the contact velocity,
//   p = -2 K^-1 u,
// is applied when it lies in the friction cone; it does no work. Otherwise the full collision is.
//
// Left open by the paper: a contact that keeps losing speed would collide infinitely often. Bodies in
// contact hover in an envelope of the height h = CT_MICRO_ENVELOPE of their size: a rebound is never
// slower than the speed sqrt(2 A h) that reaches it. Restitution is raised for that, up to one, so that friction gets
// its share of the impulse and a body slides as it should; what is missing then is added along the normal, which
// stays in the cone. A is the acceleration that presses them together: gravity's, where one of them rests (the energy
// that this adds is less than m g h), or what turning does, w^2 r, where two fall that lean on each other. Bodies with
// several touching points would still collide at one after the other without end: a pair pauses after each
// microcollision for the time in which gravity and turning together bring it nearer by h / 4; another of its points may
// come nearer in that time by less than the threshold times the pause.
#include "engine/sequence.h"

static bool inCone(ctVec3 p, double mu)
{
    return p.z > 0.0 && p.x * p.x + p.y * p.y <= mu * mu * p.z * p.z;
}

// The acceleration, m/s^2, with which turning brings points nearer. Balls turn without coming nearer.
static double turning(const ctBody *a, const ctBody *b)
{
    double turnA = a->ball ? 0.0 : a->wMax * a->wMax * a->radius;
    double turnB = b->ball || b->plane ? 0.0 : b->wMax * b->wMax * b->radius;
    return turnA + turnB;
}

// The acceleration, m/s^2, that presses the two together.
static double pressing(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double falling = ctDistance(a->a, b->a);
    return falling > 0.0 ? falling : turning(a, b);
}

static double envelope(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return CT_MICRO_ENVELOPE * (b->plane || a->radius < b->radius ? a->radius : b->radius);
}

double ctMicro_LeastRebound(const ctWorld *world, const ctBodyPair *pair)
{
    return sqrt(2.0 * pressing(world, pair) * envelope(world, pair));
}

double ctMicro_Pause(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double acceleration = ctDistance(a->a, b->a) + turning(a, b);
    return acceleration > 0.0 ? sqrt(0.5 * envelope(world, pair) / acceleration) : 0.0;
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

double ctMicro_Restitution(const ctImpactInput *in, double leastRebound)
{
    double speed = fmax(-in->u.z, leastRebound);
    return speed > 0.0 ? fmax(in->e, leastRebound / speed) : in->e;
}

void ctMicro_Lift(const ctImpactInput *in, double leastRebound, ctImpactResult *out)
{
    if (out->v.z < leastRebound) {
        double p = (leastRebound - out->v.z) / in->K.cz.z;
        out->p.z += p;
        out->v = ctMulAdd(out->v, p, in->K.cz);
    }
}
