// The next hit of a ball of the gas: the earliest meeting with the members in the cells around it, four at a time.
#include "collision/memory.h"
#include "engine/core/four.h"
#include "engine/gas/gas_internal.h"

#include <stddef.h>

// ---- cells ------------------------------------------------------------------------------------

// A block of cells is read in rows of four along x, up to four by four rows: cell (i, j, k) is bit i + 4 j + 16 k of a
// word. Smaller blocks are masks of it.
enum { BLOCK = CT_GAS_BLOCK };
// [format] Bit masks in a block of four by four by four cells: three cells along a direction, and one.
#define THREE_IN_X 0x7777777777777777u
#define THREE_IN_Y 0x0fff0fff0fff0fffu
#define THREE_IN_Z 0x0000ffffffffffffu
#define ONE_IN_X 0x1111111111111111u

_Static_assert(CT_GAS_ROW == 4 && CT_GAS_BLOCK == 64, "bits of a row, and of a block");
typedef int Row __attribute__((vector_size(16)));
typedef int RowOfTable __attribute__((vector_size(16), aligned(4), may_alias));

// A bit for each place that is not empty.
static inline unsigned filled(Row row)
{
#if defined(__SSE2__)
    typedef float Floats __attribute__((vector_size(16)));
    return (unsigned)__builtin_ia32_movmskps((Floats)~row);
#else
    return (unsigned)((row[0] >= 0) | (row[1] >= 0) << 1 | (row[2] >= 0) << 2 | (row[3] >= 0) << 3);
#endif
}

// Reads rows of cells from a place on: the first ball of each cell, and a bit for each cell that is not empty.
static inline uint64_t readRows(const ctGas *gas, uint32_t place, int countY, int countZ, int first[BLOCK])
{
    uint64_t bits = 0;
    for (int k = 0; k < countZ; k++) {
        uint32_t at = place + (uint32_t)k * gas->steps[2];
        for (int j = 0; j < countY; j++, at += gas->steps[1]) {
            int bit = 4 * j + 16 * k;
            Row row = *(const RowOfTable *)&gas->first[at & ctGas_MaskOf(gas)];
            *(RowOfTable *)&first[bit] = row;
            bits |= (uint64_t)filled(row) << bit;
        }
    }
    return bits;
}

// The same for three rows side by side.
static inline uint64_t readPlane(const ctGas *gas, uint32_t place, uint32_t step, int first[BLOCK])
{
    uint64_t bits = 0;
    for (int j = 0; j < 3; j++, place += step) {
        Row row = *(const RowOfTable *)&gas->first[place & ctGas_MaskOf(gas)];
        *(RowOfTable *)&first[4 * j] = row;
        bits |= (uint64_t)filled(row) << 4 * j;
    }
    return bits;
}

// ---- crowds -----------------------------------------------------------------------------------

// Appends the balls behind those of the crowd in their lists, as far as there is room.
static inline void follow(const ctWorld *world, ctGasCrowd *crowd)
{
    const int *next = world->gas.next;
    while (crowd->moreCount > 0 && crowd->count + crowd->moreCount <= CT_GAS_CROWD) {
        int count = crowd->moreCount;
        crowd->moreCount = 0;
        for (int i = 0; i < count; i++) {
            int ball = crowd->more[i];
            ctPrefetch(&world->bodies[ball]);
            crowd->bodies[crowd->count++] = &world->bodies[ball];
            crowd->more[crowd->moreCount] = next[ball];
            crowd->moreCount += next[ball] >= 0;
        }
    }
}

// Appends the first balls of the cells with a bit. Few cells have a second ball, and no branch can predict which.
static inline void gather(const ctWorld *world, const int first[BLOCK], uint64_t bits, ctGasCrowd *crowd)
{
    const int *next = world->gas.next;
    int count = 0, moreCount = 0;
    for (; bits != 0; bits &= bits - 1) {
        int ball = first[__builtin_ctzll(bits)];
        const ctBody *body = &world->bodies[ball];
        ctPrefetch(body);
        crowd->bodies[count++] = body;
        crowd->more[moreCount] = next[ball];
        moreCount += next[ball] >= 0;
    }
    crowd->count = count;
    crowd->moreCount = moreCount;
    follow(world, crowd);
}

static void gatherAround(const ctWorld *world, int ball, ctGasCrowd *crowd)
{
    const ctGas *gas = &world->gas;
    int first[BLOCK];
    uint32_t place = gas->balls[ball].place - 1u - gas->steps[1] - gas->steps[2];
    uint64_t bits = readRows(gas, place, 3, 3, first) & THREE_IN_X;
    gather(world, first, bits, crowd);
}

bool ctGas_GatherBoth(const ctWorld *world, int one, int two, ctGasCrowd *crowd)
{
    const ctGas *gas = &world->gas;
    const int *a = gas->balls[one].cell, *b = gas->balls[two].cell;
    const uint64_t three[3] = {THREE_IN_X, THREE_IN_Y, THREE_IN_Z};
    int low[3], off = 0;
    uint64_t mask = ~(uint64_t)0;
    for (int k = 0; k < 3; k++) {
        int apart = a[k] - b[k];
        off |= (apart < -1) | (apart > 1);
        low[k] = (a[k] < b[k] ? a[k] : b[k]) - 1;
        mask &= three[k] | (0u - (uint64_t)(apart != 0));
    }
    if (off != 0) {
        return false;
    }
    int first[BLOCK];
    uint64_t bits = readRows(gas, ctGas_PlaceOf(gas, low), 4, 4, first) & mask;
    gather(world, first, bits, crowd);
    return true;
}

void ctGas_GatherAhead(const ctWorld *world, int ball, int axis, int way, ctGasCrowd *crowd)
{
    const ctGas *gas = &world->gas;
    uint32_t place = gas->balls[ball].place + 2u * (uint32_t)way * gas->steps[axis];
    int first[BLOCK];
    uint64_t bits;
    if (axis == 0) {
        bits = readRows(gas, place - gas->steps[1] - gas->steps[2], 3, 3, first) & ONE_IN_X;
    } else {
        uint32_t aside = gas->steps[3 - axis];
        bits = readPlane(gas, place - aside - 1u, aside, first) & THREE_IN_X;
    }
    gather(world, first, bits, crowd);
}

// ---- meetings ---------------------------------------------------------------------------------

// The first lines of a body are four numbers each: t, x and v, radius.
_Static_assert(offsetof(ctBody, t) == 0 && offsetof(ctBody, x) == 8 && offsetof(ctBody, v) == 32 &&
                   offsetof(ctBody, radius) == 56,
               "what is read at once");

static inline ctFour placeAndTime(const ctBody *body)
{
    return *(const ctFourAt *)&body->t;
}

static inline ctFour velocityAndRadius(const ctBody *body)
{
    return *(const ctFourAt *)&body->v;
}

// Four balls at a time of each.
typedef struct FourBalls {
    ctFour t, x, y, z, vx, vy, vz, radius;
} FourBalls;

static inline FourBalls ballsOf(const ctBody *const b[4])
{
    ctFour p[4], q[4]; // t and position; velocity and radius
    ctFour_Transpose(placeAndTime(b[0]), placeAndTime(b[1]), placeAndTime(b[2]), placeAndTime(b[3]), p);
    ctFour_Transpose(velocityAndRadius(b[0]), velocityAndRadius(b[1]), velocityAndRadius(b[2]), velocityAndRadius(b[3]),
                     q);
    return (FourBalls){p[0], p[1], p[2], p[3], q[0], q[1], q[2], q[3]};
}

static inline ctFour four(double a)
{
    return (ctFour){a, a, a, a};
}

// One ball four times.
static inline FourBalls ballOf(const ctBody *b)
{
    return (FourBalls){four(b->t),   four(b->x.x), four(b->x.y), four(b->x.z),
                       four(b->v.x), four(b->v.y), four(b->v.z), four(b->radius)};
}

// Moves the balls on to other times, as ctBody_CentreAt does.
static inline void moveTo(FourBalls *o, ctFour t, ctVec3 g)
{
    ctFour s = t - o->t;
    o->t = t;
    o->x += s * o->vx;
    o->y += s * o->vy;
    o->z += s * o->vz;
    if ((g.x != 0.0) | (g.y != 0.0) | (g.z != 0.0)) {
        ctFour h = 0.5 * s * s;
        o->x += h * g.x;
        o->y += h * g.y;
        o->z += h * g.z;
        o->vx += s * g.x;
        o->vy += s * g.y;
        o->vz += s * g.z;
    }
}

// For four balls: the addresses of the bodies, whose order is that of the indices.
typedef long long FourBodies __attribute__((vector_size(32), aligned(8), may_alias));

static inline ctFourBits bodiesAt(const ctBody *const b[4])
{
#if UINTPTR_MAX == UINT64_MAX
    return *(const FourBodies *)b;
#else
    return (ctFourBits){(intptr_t)b[0], (intptr_t)b[1], (intptr_t)b[2], (intptr_t)b[3]};
#endif
}

// A member that looks, and the earliest hit that each of its four lanes has found.
typedef struct Seeker {
    const ctBody *body;
    ctFour hit;         // s
    ctFourBits partner; // 0: nobody
} Seeker;

// hit and partner: the hit that it has already.
static inline Seeker seekerOf(const ctWorld *world, int ball, double hit, int partner)
{
    long long other = partner >= 0 ? (long long)(intptr_t)&world->bodies[partner] : 0;
    return (Seeker){&world->bodies[ball], {hit, INFINITY, INFINITY, INFINITY}, {other, 0, 0, 0}};
}

// The coefficients of the quadratics for four balls, and whether each has a root.
typedef struct Meetings {
    ctFour du, c, disc, reach;
    ctFourBits met;
} Meetings;

static inline Meetings meet(const FourBalls *s, const FourBalls *o)
{
    ctFour dx = s->x - o->x, ux = s->vx - o->vx;
    ctFour dy = s->y - o->y, uy = s->vy - o->vy;
    ctFour dz = s->z - o->z, uz = s->vz - o->vz;
    Meetings m;
    m.reach = s->radius + o->radius;
    m.du = dx * ux + dy * uy + dz * uz;
    m.c = dx * dx + dy * dy + dz * dz - m.reach * m.reach;
    m.disc = m.du * m.du - (ux * ux + uy * uy + uz * uz) * m.c;
    m.met = (ctFourBits)(m.du < 0.0) & (ctFourBits)(m.disc >= 0.0);
    return m;
}

// The times from there to the meetings; infinite: none. ctBalls_TimeFrom without branches, because nothing predicts
// which balls meet.
static inline ctFour timesOf(const Seeker *s, const Meetings *m, const ctBody *const bodies[4])
{
    const ctFour never = {INFINITY, INFINITY, INFINITY, INFINITY}, now = {0.0, 0.0, 0.0, 0.0};
    ctFour roots = ctFour_Choose((ctFourBits)(m->c > 0.0), m->c / (ctFour_Roots(m->disc) - m->du), now);
    ctFour times = ctFour_Choose(m->met, roots, never);
    if (ctFour_IsAny(m->met & (ctFourBits)(m->c <= 4e-13 * m->reach * m->reach))) {
        for (int k = 0; k < 4; k++) {
            times[k] =
                m->met[k] != 0 ? ctBalls_Root(s->body, bodies[k], m->du[k], m->c[k], m->disc[k]) : (double)INFINITY;
        }
    }
    return times;
}

// Of equal times the lower index wins.
static inline void takeFirst(Seeker *s, ctFour time, ctFourBits bodies)
{
    ctFourBits first = (ctFourBits)(time < s->hit) | ((ctFourBits)(time == s->hit) & (ctFourBits)(bodies < s->partner));
    s->hit = ctFour_Choose(first, time, s->hit);
    s->partner = (first & bodies) | (~first & s->partner);
}

// Takes the earliest hits of the seekers with these balls, if earlier than those that they have. The order of the balls
// does not matter. The seekers may be among the balls, and do not meet themselves. Two seekers begin their courses
// together. Times count from the later beginning of the two courses, so that they are the same to the last bit whenever
// a ball looks. few: most likely no ball is met; then false when none is.
static inline __attribute__((always_inline)) bool lookAtSome(const ctWorld *world, Seeker *seekers, int seekerCount,
                                                             ctGasCrowd *crowd, bool few)
{
    bool any = !few;
    ctVec3 g = world->def.gravity;
    for (int i = 0; i < 3; i++) {
        crowd->bodies[crowd->count + i] = seekers[0].body;
    }
    for (int i = 0; i < crowd->count; i += 4) {
        FourBalls others = ballsOf(&crowd->bodies[i]);
        ctFourBits bodies = bodiesAt(&crowd->bodies[i]);
        ctFour own = four(seekers[0].body->t), start = ctFour_Choose((ctFourBits)(own > others.t), own, others.t);
        moveTo(&others, start, g);
        for (int j = 0; j < seekerCount; j++) {
            FourBalls seeker = ballOf(seekers[j].body);
            if (seekerCount == 1) {
                moveTo(&seeker, start, g);
            }
            Meetings m = meet(&seeker, &others);
            if (!few || ctFour_IsAny(m.met)) {
                takeFirst(&seekers[j], start + timesOf(&seekers[j], &m, &crowd->bodies[i]), bodies);
                any = true;
            }
        }
    }
    return any;
}

// The same for the balls beyond the room of a crowd. Rare; not inlined, so that the rest stays small.
static __attribute__((noinline)) void lookAtMore(const ctWorld *world, Seeker *seekers, int seekerCount,
                                                 ctGasCrowd *crowd)
{
    while (crowd->moreCount > 0) {
        crowd->count = 0;
        follow(world, crowd);
        (void)lookAtSome(world, seekers, seekerCount, crowd, false);
    }
}

// The same for all balls of a crowd, however many.
static inline bool lookAt(const ctWorld *world, Seeker *seekers, int seekerCount, ctGasCrowd *crowd, bool few)
{
    bool any = lookAtSome(world, seekers, seekerCount, crowd, few), more = crowd->moreCount > 0;
    if (more) {
        lookAtMore(world, seekers, seekerCount, crowd);
    }
    return any || more;
}

// The result of a seeker.
typedef struct Found {
    double hit;  // s
    int partner; // or -1
} Found;

static inline Found foundBy(const ctWorld *world, Seeker *s)
{
    takeFirst(s, __builtin_shufflevector(s->hit, s->hit, 2, 3, 0, 1),
              __builtin_shufflevector(s->partner, s->partner, 2, 3, 0, 1));
    takeFirst(s, __builtin_shufflevector(s->hit, s->hit, 1, 0, 3, 2),
              __builtin_shufflevector(s->partner, s->partner, 1, 0, 3, 2));
    const ctBody *partner = (const ctBody *)(intptr_t)s->partner[0];
    return (Found){s->hit[0], partner != NULL ? ctBody_Index(world, partner) : -1};
}

static inline void note(ctWorld *world, int ball, Found found)
{
    ctGasBall *g = &world->gas.balls[ball];
    g->hit = found.hit;
    g->partner = found.partner;
    g->partnerTime = world->bodies[found.partner >= 0 ? found.partner : ball].t;
}

void ctGas_LookAround(ctWorld *world, int ball)
{
    ctGasCrowd crowd;
    gatherAround(world, ball, &crowd);
    Seeker seeker = seekerOf(world, ball, INFINITY, -1);
    (void)lookAt(world, &seeker, 1, &crowd, false);
    note(world, ball, foundBy(world, &seeker));
}

void ctGas_LookBoth(ctWorld *world, int one, int two, ctGasCrowd *crowd)
{
    Seeker seekers[2] = {seekerOf(world, one, INFINITY, -1), seekerOf(world, two, INFINITY, -1)};
    (void)lookAt(world, seekers, 2, crowd, false);
    note(world, one, foundBy(world, &seekers[0]));
    note(world, two, foundBy(world, &seekers[1]));
}

void ctGas_LookAhead(ctWorld *world, int ball, ctGasCrowd *crowd)
{
    if (crowd->count == 0) {
        return;
    }
    const ctGasBall *g = &world->gas.balls[ball];
    Seeker seeker = seekerOf(world, ball, g->hit, g->partner);
    if (lookAt(world, &seeker, 1, crowd, true)) {
        Found found = foundBy(world, &seeker);
        if (found.partner != g->partner || found.hit != g->hit) {
            note(world, ball, found);
        }
    }
}
