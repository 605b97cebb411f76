// Whom a ball of the gas meets next: the members in the cells around it, four at a time, and the earliest that it
// meets.
#include "collision/memory.h"
#include "engine/gas/gas_internal.h"

#include <stddef.h>

// ---- cells ------------------------------------------------------------------------------------

// A block of cells is read in rows of four along x, up to four by four of them: cell (i, j, k) of it is bit
// i + 4 j + 16 k of a word. Blocks of fewer cells are masks.
enum { BLOCK = CT_GAS_BLOCK };
// [format] Cells of a block of four by four by four, one bit each: three in a direction, and one.
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

// The rows from a place on: what their places begin with, and a bit for each that is not empty.
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

// Three rows, one beside the other.
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

// The balls after those that are in the crowd, as far as there is room.
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

// The balls in the places that these begin with. Few have a second one: nobody can predict which.
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

// Four balls now.
typedef struct FourBalls {
    Four x, y, z, vx, vy, vz, radius;
} FourBalls;

static inline FourBalls ballsNow(const ctWorld *world, const ctBody *const b[4])
{
    Four p[4], q[4]; // t and place; velocity and radius
    transpose(placeAndTime(b[0]), placeAndTime(b[1]), placeAndTime(b[2]), placeAndTime(b[3]), p);
    transpose(velocityAndRadius(b[0]), velocityAndRadius(b[1]), velocityAndRadius(b[2]), velocityAndRadius(b[3]), q);
    ctVec3 g = world->def.gravity;
    Four s = world->now - p[0];
    FourBalls o = {p[1] + s * q[0], p[2] + s * q[1], p[3] + s * q[2], q[0], q[1], q[2], q[3]};
    if ((g.x != 0.0) | (g.y != 0.0) | (g.z != 0.0)) {
        Four h = 0.5 * s * s;
        o.x += h * g.x;
        o.y += h * g.y;
        o.z += h * g.z;
        o.vx += s * g.x;
        o.vy += s * g.y;
        o.vz += s * g.z;
    }
    return o;
}

// What the root needs, for each of four balls.
typedef struct Meetings {
    Four du, c, disc;
} Meetings;

static inline Meetings meet(const ctVec3 *x, const ctVec3 *v, double radius, const FourBalls *o)
{
    Four dx = x->x - o->x, ux = v->x - o->vx;
    Four dy = x->y - o->y, uy = v->y - o->vy;
    Four dz = x->z - o->z, uz = v->z - o->vz;
    Four reach = radius + o->radius;
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

// A member that looks, and what it has found.
typedef struct Seeker {
    const ctBody *body;
    // Of its centre. No copies: what has just been written in parts is slow to read as a whole.
    const ctVec3 *x, *v;
    double hit; // s
    int partner;
} Seeker;

// The earliest hits of seekers with these balls, if they are earlier than those that they have. Equal times go by
// index, so that their order does not matter. The seekers may be among them, and do not meet themselves.
static inline void lookAtSome(const ctWorld *world, Seeker *seekers, int seekerCount, ctGasCrowd *crowd)
{
    for (int i = 0; i < 3; i++) {
        crowd->bodies[crowd->count + i] = seekers[0].body;
    }
    for (int i = 0; i < crowd->count; i += 4) {
        FourBalls others = ballsNow(world, &crowd->bodies[i]);
        for (int j = 0; j < seekerCount; j++) {
            Seeker *s = &seekers[j];
            Meetings m = meet(s->x, s->v, s->body->radius, &others);
            for (unsigned left = met(&m); left != 0; left &= left - 1) {
                int k = __builtin_ctz(left);
                const ctBody *body = crowd->bodies[i + k];
                double time = world->now + ctBalls_Root(s->body, body, m.du[k], m.c[k], m.disc[k]);
                if (time <= s->hit && time < (double)INFINITY) {
                    int other = ctBody_Index(world, body);
                    s->partner = time < s->hit || other < s->partner ? other : s->partner;
                    s->hit = time;
                }
            }
        }
    }
}

// The same for all of a crowd, however large.
static inline void lookAt(const ctWorld *world, Seeker *seekers, int seekerCount, ctGasCrowd *crowd)
{
    lookAtSome(world, seekers, seekerCount, crowd);
    while (crowd->moreCount > 0) {
        crowd->count = 0;
        follow(world, crowd);
        lookAtSome(world, seekers, seekerCount, crowd);
    }
}

static inline void note(ctWorld *world, int ball, const Seeker *s)
{
    ctGasBall *g = &world->gas.balls[ball];
    g->hit = s->hit;
    g->partner = s->partner;
    g->partnerTime = world->bodies[s->partner >= 0 ? s->partner : ball].t;
}

void ctGas_LookAround(ctWorld *world, int ball, const ctCentre *centre)
{
    ctGasCrowd crowd;
    gatherAround(world, ball, &crowd);
    Seeker seeker = {&world->bodies[ball], &centre->x, &centre->v, INFINITY, -1};
    lookAt(world, &seeker, 1, &crowd);
    note(world, ball, &seeker);
}

void ctGas_LookBoth(ctWorld *world, int one, int two, ctGasCrowd *crowd)
{
    const ctBody *a = &world->bodies[one], *b = &world->bodies[two];
    Seeker seekers[2] = {{a, &a->x, &a->v, INFINITY, -1}, {b, &b->x, &b->v, INFINITY, -1}};
    lookAt(world, seekers, 2, crowd);
    note(world, one, &seekers[0]);
    note(world, two, &seekers[1]);
}

void ctGas_LookAhead(ctWorld *world, int ball, const ctCentre *centre, ctGasCrowd *crowd)
{
    const ctGasBall *g = &world->gas.balls[ball];
    Seeker seeker = {&world->bodies[ball], &centre->x, &centre->v, g->hit, g->partner};
    lookAt(world, &seeker, 1, crowd);
    if (seeker.partner != g->partner || seeker.hit != g->hit) {
        note(world, ball, &seeker);
    }
}
