// A ball of the gas looks at others: the earliest that it meets.
#include "collision/memory.h"
#include "engine/balls.h"

#include <stddef.h>

// Balls that are looked at in one go.
enum { CROWD = 64 };

// The balls that a member looks at.
typedef struct Crowd {
    int balls[CROWD + 3]; // room to fill up the last four
    int count;
} Crowd;

// Four numbers that are treated at once, each as if alone: the results do not depend on how wide the machine's
// registers are.
typedef double Four __attribute__((vector_size(32)));
// The same in the first line of a body: t, x and v, radius.
typedef double FourOfBody __attribute__((vector_size(32), aligned(8), may_alias));

_Static_assert(offsetof(ctBody, t) == 0 && offsetof(ctBody, x) == 8 && offsetof(ctBody, v) == 32 &&
                   offsetof(ctBody, radius) == 56,
               "what is read at once");

static inline Four placeAndTime(const ctBody *body)
{
    return *(const FourOfBody *)&body->t;
}

static inline Four velocityAndRadius(const ctBody *body)
{
    return *(const FourOfBody *)&body->v;
}

static inline void transpose(Four a, Four b, Four c, Four d, Four out[4])
{
    Four ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    Four ba = __builtin_shufflevector(a, b, 1, 5, 3, 7), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

// What the root needs, for each of four balls.
typedef struct Meetings {
    Four du, c, disc;
} Meetings;

static inline Meetings meet(const ctWorld *world, const ctCentre *centre, double radius, const int balls[4])
{
    const ctBody *b0 = &world->bodies[balls[0]], *b1 = &world->bodies[balls[1]];
    const ctBody *b2 = &world->bodies[balls[2]], *b3 = &world->bodies[balls[3]];
    Four p[4], q[4]; // t and place; velocity and radius
    transpose(placeAndTime(b0), placeAndTime(b1), placeAndTime(b2), placeAndTime(b3), p);
    transpose(velocityAndRadius(b0), velocityAndRadius(b1), velocityAndRadius(b2), velocityAndRadius(b3), q);
    ctVec3 g = world->def.gravity;
    Four s = world->now - p[0], h = 0.5 * s * s;
    Four dx = centre->x.x - (p[1] + s * q[0] + h * g.x), ux = centre->v.x - (q[0] + s * g.x);
    Four dy = centre->x.y - (p[2] + s * q[1] + h * g.y), uy = centre->v.y - (q[1] + s * g.y);
    Four dz = centre->x.z - (p[3] + s * q[2] + h * g.z), uz = centre->v.z - (q[2] + s * g.z);
    Four reach = radius + q[3];
    Meetings m;
    m.du = dx * ux + dy * uy + dz * uz;
    m.c = dx * dx + dy * dy + dz * dz - reach * reach;
    m.disc = m.du * m.du - (ux * ux + uy * uy + uz * uz) * m.c;
    return m;
}

// A bit for each of the four that the member is on its way to.
static inline unsigned met(const Meetings *m)
{
    typedef long long FourBits __attribute__((vector_size(32)));
    FourBits bits = (FourBits)(m->du < 0.0) & (FourBits)(m->disc >= 0.0);
#if defined(__AVX__)
    return (unsigned)__builtin_ia32_movmskpd256((Four)bits);
#else
    return (unsigned)((bits[0] & 1) | (bits[1] & 2) | (bits[2] & 4) | (bits[3] & 8));
#endif
}

// The earliest hit of a member with these balls, if it is earlier than the one that it has. Equal times go by index,
// so that their order does not matter. The member itself may be among them, and does not meet itself.
static void lookAt(ctWorld *world, int index, const ctCentre *centre, Crowd *crowd)
{
    const ctBody *self = &world->bodies[index];
    ctGasBall *g = &world->gas.balls[index];
    double hit = g->hit;
    int partner = g->partner;
    for (int i = 0; i < 3; i++) {
        crowd->balls[crowd->count + i] = index;
    }
    for (int i = 0; i < crowd->count; i += 4) {
        Meetings m = meet(world, centre, self->radius, &crowd->balls[i]);
        for (unsigned left = met(&m); left != 0; left &= left - 1) {
            int k = __builtin_ctz(left);
            int other = crowd->balls[i + k];
            double time = world->now + ctBalls_Root(self, &world->bodies[other], m.du[k], m.c[k], m.disc[k]);
            bool earlier = time < hit || (time == hit && time < (double)INFINITY && other < partner);
            hit = earlier ? time : hit;
            partner = earlier ? other : partner;
        }
    }
    crowd->count = 0;
    if (hit != g->hit || partner != g->partner) {
        g->hit = hit;
        g->partner = partner;
        g->partnerTime = world->bodies[partner].t;
    }
}

// The balls in the places first[0 ... count - 1], which begin with these.
static void lookInto(ctWorld *world, int index, const ctCentre *centre, const int *first, int count)
{
    const ctGas *gas = &world->gas;
    Crowd crowd;
    crowd.count = 0;
    for (int i = 0; i < count; i++) {
        int ball = first[i];
        do {
            crowd.balls[crowd.count++] = ball;
            ctPrefetch(&world->bodies[ball]);
            if (crowd.count == CROWD) {
                lookAt(world, index, centre, &crowd);
            }
            ball = gas->next[ball];
        } while (ball >= 0);
    }
    lookAt(world, index, centre, &crowd);
}

// At all that is around. Nobody can predict which cells are empty: all are written, and those that are not are counted.
void ctGas_LookAround(ctWorld *world, int index, const ctCentre *centre)
{
    const ctGas *gas = &world->gas;
    ctGasBall *g = &gas->balls[index];
    int first[27], count = 0;
    uint32_t place = ctGas_PlaceOf(gas, g->cell) - 1u - gas->stepY - gas->stepZ;
    for (int k = 0; k < 3; k++, place += gas->stepZ - 3u * gas->stepY) {
        for (int j = 0; j < 3; j++, place += gas->stepY) {
            for (uint32_t i = 0; i < 3; i++) {
                first[count] = gas->first[(place + i) & ctGas_MaskOf(gas)];
                count += first[count] >= 0;
            }
        }
    }
    g->hit = INFINITY;
    g->partner = -1;
    lookInto(world, index, centre, first, count);
}

// At the nine cells beyond the side that it has come through.
void ctGas_LookAhead(ctWorld *world, int index, const ctCentre *centre, int axis, int way)
{
    const ctGas *gas = &world->gas;
    const uint32_t steps[3] = {1u, gas->stepY, gas->stepZ};
    uint32_t one = steps[axis == 0 ? 1 : 0], two = steps[axis == 2 ? 1 : 2];
    uint32_t place = ctGas_PlaceOf(gas, gas->balls[index].cell) + (uint32_t)way * steps[axis] - one - two;
    int first[9], count = 0;
    for (uint32_t j = 0; j < 3; j++) {
        for (uint32_t i = 0; i < 3; i++) {
            first[count] = gas->first[(place + i * one + j * two) & ctGas_MaskOf(gas)];
            count += first[count] >= 0;
        }
    }
    lookInto(world, index, centre, first, count);
}
