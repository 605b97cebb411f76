// The broadphase against brute force: all overlapping pairs and no others, after every kind of change.
#include "collision/broadphase.h"
#include "collision/memory.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define MOST 400

typedef enum { none, boxKind, planeKind } Kind;

typedef struct {
    Kind kind;
    ctBox box;
    ctVec3 normal;
    double offset;
    int group;
} Item;

// What the broadphase should know, and what the sink was told.
typedef struct {
    Item items[MOST];
    bool told[MOST][MOST];
    int proxy, lastBegun, lastEnded, calls; // in the present call
} Model;

static bool shouldPair(const Item *a, const Item *b)
{
    if (a->kind == none || b->kind == none || (a->group != 0 && a->group == b->group)) {
        return false;
    }
    if (a->kind == planeKind || b->kind == planeKind) {
        if (a->kind == b->kind) {
            return false;
        }
        const Item *p = a->kind == planeKind ? a : b, *q = p == a ? b : a;
        ctVec3 n = p->normal;
        ctVec3 corner = ctV3(n.x > 0 ? q->box.lo.x : q->box.hi.x, n.y > 0 ? q->box.lo.y : q->box.hi.y,
                             n.z > 0 ? q->box.lo.z : q->box.hi.z);
        double value = (n.x != 0.0 ? n.x * corner.x : 0.0) + (n.y != 0.0 ? n.y * corner.y : 0.0) +
                       (n.z != 0.0 ? n.z * corner.z : 0.0);
        return value <= p->offset;
    }
    return a->box.lo.x <= b->box.hi.x && b->box.lo.x <= a->box.hi.x && a->box.lo.y <= b->box.hi.y &&
           b->box.lo.y <= a->box.hi.y && a->box.lo.z <= b->box.hi.z && b->box.lo.z <= a->box.hi.z;
}

static int tagOf(int a, int b)
{
    return a * MOST + b;
}

// Reports concern the proxy that is changed: beginnings in ascending order of the other, then ends.
static int onBegin(void *context, int a, int b)
{
    Model *m = context;
    int other = a == m->proxy ? b : a;
    ctRequire(a < b && (a == m->proxy || b == m->proxy), "pair %d %d in a change of %d", a, b, m->proxy);
    ctRequire(other > m->lastBegun && m->lastEnded < 0, "pair %d %d begins out of order", a, b);
    ctRequire(!m->told[a][b], "pair %d %d begins twice", a, b);
    m->lastBegun = other;
    m->told[a][b] = true;
    m->calls++;
    return tagOf(a, b);
}

static void tellEnd(Model *m, int a, int b, int tag)
{
    ctRequire(a < b && (a == m->proxy || b == m->proxy), "pair %d %d in a change of %d", a, b, m->proxy);
    ctRequire(m->told[a][b], "pair %d %d ends without a beginning", a, b);
    ctRequire(tag == tagOf(a, b), "pair %d %d ends as another", a, b);
    m->told[a][b] = false;
    m->calls++;
}

static void onEnd(void *context, int a, int b, int tag)
{
    Model *m = context;
    int other = a == m->proxy ? b : a;
    ctRequire(other > m->lastEnded, "pair %d %d ends out of order", a, b);
    m->lastEnded = other;
    tellEnd(m, a, b, tag);
}

// The pairs of a proxy that goes end from the last to the first.
static void onLeave(void *context, int a, int b, int tag)
{
    Model *m = context;
    int other = a == m->proxy ? b : a;
    ctRequire(other < m->lastEnded, "pair %d %d ends out of order", a, b);
    m->lastEnded = other;
    tellEnd(m, a, b, tag);
}

static ctPairSink sinkFor(Model *m, int proxy)
{
    m->proxy = proxy;
    m->lastBegun = m->lastEnded = -1;
    return (ctPairSink){onBegin, onEnd, m, NULL};
}

static bool addBox(ctBroadphase *bp, Model *m, int i)
{
    ctPairSink sink = sinkFor(m, i);
    return ctBroadphase_Add(bp, i, m->items[i].box, m->items[i].group, &sink, NULL);
}

static bool moveBox(ctBroadphase *bp, Model *m, int i)
{
    ctPairSink sink = sinkFor(m, i);
    return ctBroadphase_Move(bp, i, m->items[i].box, m->items[i].group, &sink, NULL);
}

static void removeItem(ctBroadphase *bp, Model *m, int i)
{
    ctPairSink sink = sinkFor(m, i);
    sink.end = onLeave;
    m->lastEnded = MOST;
    ctBroadphase_Remove(bp, i, &sink);
    m->items[i].kind = none;
}

static void checkAll(ctBroadphase *bp, Model *m)
{
    int total = 0;
    for (int a = 0; a < MOST; a++) {
        int count, at = 0;
        const ctLink *links = ctBroadphase_Links(bp, a, &count);
        for (int b = 0; b < MOST; b++) {
            bool should = a != b && shouldPair(&m->items[a], &m->items[b]);
            if (a < b) {
                ctRequire(m->told[a][b] == should, "pair %d %d: told %d, should be %d", a, b, m->told[a][b], should);
                total += should;
            }
            if (should) {
                ctRequire(at < count && links[at].other == b, "pair %d %d is not in the list", a, b);
                ctRequire(links[at].tag == (a < b ? tagOf(a, b) : tagOf(b, a)), "pair %d %d has another's tag", a, b);
                at++;
            }
        }
        ctRequire(at == count, "%d pairs of %d, not %d", count, a, at);
    }
    ck_assert_int_eq(ctBroadphase_PairCount(bp), total);
}

// Boxes on a coarse lattice of quarters, so that touching faces, edges and corners are common, with sizes over
// three decades, some of them infinite.
static ctBox randomBox(ctRandom *r, double spread)
{
    double size = ctRandomLog(r, 0.02, 20.0);
    ctVec3 lo = ctRandomVec3(r, -spread, spread), ext = ctScale(size, ctRandomVec3(r, 0, 1));
    if (ctRandomInt(r, 0, 1)) {
        lo = ctV3(0.25 * floor(4 * lo.x), 0.25 * floor(4 * lo.y), 0.25 * floor(4 * lo.z));
        ext = ctV3(0.25 * floor(4 * ext.x), 0.25 * floor(4 * ext.y), 0.25 * floor(4 * ext.z));
    }
    ctBox box = {lo, ctAdd(lo, ext)};
    if (ctRandomInt(r, 0, 99) == 0) {
        box.hi.x = INFINITY;
    }
    if (ctRandomInt(r, 0, 99) == 0) {
        box.lo = ctV3(-INFINITY, -INFINITY, -INFINITY);
    }
    return box;
}

static void addItem(ctBroadphase *bp, Model *m, int i, ctRandom *r)
{
    Item *it = &m->items[i];
    it->group = ctRandomInt(r, 0, 3) == 0 ? ctRandomInt(r, 1, 2) : 0;
    if (ctRandomInt(r, 0, 60) == 0) {
        it->kind = planeKind;
        // Normals along the axes with offsets on the lattice: boxes that just touch.
        it->normal = ctRandomInt(r, 0, 1) ? ctV3(0, 0, ctRandomInt(r, 0, 1) ? 1 : -1) : ctRandomUnit(r);
        it->offset = 0.25 * ctRandomInt(r, -60, 20);
        ctPairSink sink = sinkFor(m, i);
        ck_assert(ctBroadphase_AddPlane(bp, i, it->normal, it->offset, it->group, &sink, NULL));
    } else {
        it->kind = boxKind;
        it->box = randomBox(r, 10.0);
        ck_assert(addBox(bp, m, i));
    }
    ck_assert(ctBroadphase_Has(bp, i));
}

static void changeItem(ctBroadphase *bp, Model *m, int i, ctRandom *r)
{
    Item *it = &m->items[i];
    int what = ctRandomInt(r, 0, 19);
    if (it->kind == none) {
        addItem(bp, m, i, r);
    } else if (what == 0) {
        removeItem(bp, m, i);
    } else if (it->kind == boxKind) {
        if (what == 1) {
            it->box = randomBox(r, 10.0); // anywhere
        } else if (what == 2) {
            it->group = ctRandomInt(r, 0, 2);
        } else {
            ctVec3 step = ctScale(ctRandomLog(r, 1e-3, 1.0), ctRandomVec3(r, -1, 1));
            if (what < 8) {
                step = ctV3(0.25 * ctRandomInt(r, -1, 1), 0, 0);
            }
            it->box.lo = ctAdd(it->box.lo, step);
            it->box.hi = ctAdd(it->box.hi, step);
            if (what == 9) {
                it->box.hi = ctAdd(it->box.hi, ctRandomVec3(r, 0, 1));
            }
        }
        ck_assert(moveBox(bp, m, i));
    }
}

START_TEST(pairs_match_brute_force)
{
    static Model m;
    for (int seed = 0; seed < 4; seed++) {
        memset(&m, 0, sizeof m);
        ctRandom r = ctRandomSeed((uint64_t)seed);
        ctBroadphase *bp = ctBroadphase_Create(NULL);
        for (int i = 0; i < MOST; i += 2) {
            addItem(bp, &m, i, &r);
        }
        checkAll(bp, &m);
        for (int round = 0; round < ctTestCases(120); round++) {
            int changes = ctRandomInt(&r, 0, 3) == 0 ? MOST : ctRandomInt(&r, 1, 10);
            for (int k = 0; k < changes; k++) {
                changeItem(bp, &m, ctRandomInt(&r, 0, MOST - 1), &r);
            }
            checkAll(bp, &m);
        }
        m.calls = 0;
        for (int i = 0; i < MOST; i++) {
            ck_assert(m.items[i].kind != boxKind || moveBox(bp, &m, i));
        }
        ck_assert_int_eq(m.calls, 0); // nothing changed, nothing to say
        for (int i = 0; i < MOST; i++) {
            removeItem(bp, &m, i);
        }
        checkAll(bp, &m);
        ctBroadphase_Destroy(bp);
    }
}
END_TEST

// Spheres that drift and bounce between walls, as in a gas: the same after every single move.
START_TEST(single_moves_are_seen_at_once)
{
    static Model m;
    memset(&m, 0, sizeof m);
    ctRandom r = ctRandomSeed(9);
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    ctVec3 x[100], v[100];
    for (int i = 0; i < 100; i++) {
        x[i] = ctRandomVec3(&r, 0, 1);
        v[i] = ctRandomVec3(&r, -1, 1);
        m.items[i].kind = boxKind;
        m.items[i].box = (ctBox){ctSub(x[i], ctV3(0.05, 0.05, 0.05)), ctAdd(x[i], ctV3(0.05, 0.05, 0.05))};
        ck_assert(addBox(bp, &m, i));
    }
    for (int k = 0; k < ctTestCases(3000); k++) {
        int i = ctRandomInt(&r, 0, 99);
        ctMotion motion = {.x = x[i], .v = v[i], .a = ctV3(0, 0, -9.81)};
        m.items[i].box = ctSweptBox(&motion, 0.05, 1.0 / 60);
        x[i] = ctMulAdd(x[i], 1.0 / 60, v[i]);
        v[i] = ctV3(x[i].x < 0 || x[i].x > 1 ? -v[i].x : v[i].x, x[i].y < 0 || x[i].y > 1 ? -v[i].y : v[i].y,
                    x[i].z < 0 || x[i].z > 1 ? -v[i].z : v[i].z);
        ck_assert(moveBox(bp, &m, i));
        for (int o = 0; o < 100; o++) {
            int a = i < o ? i : o, b = i < o ? o : i;
            if (i != o) {
                ctRequire(m.told[a][b] == shouldPair(&m.items[a], &m.items[b]), "pair %d %d", a, b);
            }
        }
    }
    checkAll(bp, &m);
    ctBroadphase_Destroy(bp);
}
END_TEST

typedef struct {
    int list[MOST], count, stopAfter;
} Seen;

static bool see(void *context, int proxy)
{
    Seen *s = context;
    s->list[s->count++] = proxy;
    return s->count != s->stopAfter;
}

static double seeRay(void *context, int proxy, double maxT)
{
    Seen *s = context;
    s->list[s->count++] = proxy;
    return maxT;
}

static bool seen(const Seen *s, int proxy)
{
    for (int i = 0; i < s->count; i++) {
        if (s->list[i] == proxy) {
            return true;
        }
    }
    return false;
}

START_TEST(queries_match_brute_force)
{
    static Model m;
    memset(&m, 0, sizeof m);
    ctRandom r = ctRandomSeed(11);
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    Seen s = {.count = 0};
    ctBroadphase_QueryBox(bp, (ctBox){ctZero3(), ctZero3()}, see, &s);
    ctBroadphase_QueryRay(bp, ctZero3(), ctV3(1, 0, 0), 1.0, seeRay, &s);
    ck_assert_int_eq(s.count, 0);
    for (int i = 0; i < MOST; i++) {
        addItem(bp, &m, i, &r);
        m.items[i].group = 0;
    }
    for (int k = 0; k < ctTestCases(2000); k++) {
        Item q = {.kind = boxKind, .box = randomBox(&r, 10.0)};
        s.count = 0;
        ctBroadphase_QueryBox(bp, q.box, see, &s);
        int at = 0;
        for (int i = 0; i < MOST; i++) {
            if (shouldPair(&m.items[i], &q)) {
                ck_assert_int_eq(s.list[at++], i);
            }
        }
        ck_assert_int_eq(at, s.count);
        // A ray that ends inside a box must find it, axis-parallel rays too.
        int target = ctRandomInt(&r, 0, MOST - 1);
        const Item *t = &m.items[target];
        if (t->kind == boxKind && ctIsFinite3(t->box.lo) && ctIsFinite3(t->box.hi)) {
            ctVec3 f = ctRandomVec3(&r, 0, 1), d = ctRandomVec3(&r, -20, 20);
            ctVec3 end = ctAdd(t->box.lo, ctMul(f, ctSub(t->box.hi, t->box.lo)));
            if (k % 3 == 0) {
                d = ctV3(k % 2 ? -d.x : d.x, 0.0, 0.0);
                end.y = t->box.lo.y; // along a face
            }
            s.count = 0;
            ctBroadphase_QueryRay(bp, ctSub(end, d), d, 1.0, seeRay, &s);
            ck_assert(seen(&s, target));
        }
    }
    s.count = 0;
    s.stopAfter = 3;
    ctBox all = {ctV3(-100, -100, -100), ctV3(100, 100, 100)};
    ctBroadphase_QueryBox(bp, all, see, &s);
    ck_assert_int_eq(s.count, 3);
    ctBroadphase_Destroy(bp);
}
END_TEST

START_TEST(swept_boxes_hold_the_motion)
{
    ctRandom r = ctRandomSeed(12);
    for (int k = 0; k < ctTestCases(20000); k++) {
        ctMotion m = {.x = ctRandomVec3(&r, -5, 5), .v = ctRandomVec3(&r, -3, 3), .a = ctRandomVec3(&r, -10, 10)};
        m.q = ctRandomQuat(&r);
        m.w = ctScale(ctRandomLog(&r, 0.01, 100), ctRandomUnit(&r));
        m.wMax = ctLength(m.w);
        double duration = ctRandomLog(&r, 1e-3, 2.0), radius = ctRandomLog(&r, 1e-3, 1.0);
        // A body of one point, at the radius.
        ctVec3 arm = ctScale(radius, ctRandomUnit(&r)), p = ctAdd(m.x, ctRotate(m.q, arm));
        ctBox wide = ctSweptBox(&m, radius, duration), tight = ctSweptBoxTight(&m, (ctBox){p, p}, radius, duration);
        for (int i = 0; i <= 20; i++) {
            double t = duration * i / 20.0;
            ctVec3 c = ctAdd(m.x, ctScale(t, ctMulAdd(m.v, 0.5 * t, m.a)));
            ctVec3 x = ctAdd(c, ctRotate(ctMulQ(ctQuatExp(ctScale(t, m.w)), m.q), arm));
            ctVec3 far = ctMulAdd(c, radius, ctRandomUnit(&r));
            double slack = 1e-13;
            ctRequire(ctMinElement(ctSub(far, wide.lo)) >= -slack && ctMinElement(ctSub(wide.hi, far)) >= -slack,
                      "ball");
            ctRequire(ctMinElement(ctSub(x, tight.lo)) >= -slack && ctMinElement(ctSub(tight.hi, x)) >= -slack,
                      "point");
        }
        ck_assert(ctMinElement(ctSub(tight.lo, wide.lo)) >= 0.0 && ctMinElement(ctSub(wide.hi, tight.hi)) >= 0.0);
        // No slack to speak of: each side is reached by the path of the ball.
        ctVec3 end = ctAdd(m.x, ctScale(duration, ctMulAdd(m.v, 0.5 * duration, m.a)));
        double hi = fmax(m.x.x, end.x), apex = -m.v.x / m.a.x;
        if (m.a.x < 0 && apex > 0 && apex < duration) {
            hi = m.x.x + 0.5 * m.v.x * apex;
        }
        ctAssertClose(wide.hi.x, hi + radius, 1e-12);
    }
}
END_TEST

// ---- many, huge, and degenerate boxes -----------------------------------------------------------

typedef struct {
    ctBox *boxes;
    long begun, ended;
} Crowd;

static int crowdBegin(void *context, int a, int b)
{
    (void)a, (void)b;
    return (int)((Crowd *)context)->begun++;
}

static void crowdEnd(void *context, int a, int b, int tag)
{
    (void)a, (void)b, (void)tag;
    ((Crowd *)context)->ended++;
}

static bool touch(const ctBox *a, const ctBox *b)
{
    return a->lo.x <= b->hi.x && b->lo.x <= a->hi.x && a->lo.y <= b->hi.y && b->lo.y <= a->hi.y && a->lo.z <= b->hi.z &&
           b->lo.z <= a->hi.z;
}

// All links of one proxy against all boxes.
static void checkProxy(const ctBroadphase *bp, const Crowd *c, int n, int proxy)
{
    int count, at = 0;
    const ctLink *links = ctBroadphase_Links(bp, proxy, &count);
    for (int i = 0; i < n; i++) {
        if (i != proxy && touch(&c->boxes[i], &c->boxes[proxy])) {
            ctRequire(at < count && links[at].other == i, "%d and %d are not linked", proxy, i);
            ctRequire(ctBroadphase_Find(bp, i, proxy) == links[at].tag, "%d and %d disagree", proxy, i);
            at++;
        }
    }
    ctRequire(at == count, "%d has %d links too many", proxy, count - at);
}

// Sizes over a factor of a thousand, in clusters and all over the place, moved near and far.
START_TEST(thousands_of_sizes_match_brute_force)
{
    enum { N = 3000 };
    static ctBox boxes[N];
    Crowd c = {boxes, 0, 0};
    ctRandom r = ctRandomSeed(21);
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    ctPairSink sink = {crowdBegin, crowdEnd, &c, NULL};
    for (int i = 0; i < N; i++) {
        ctVec3 lo = i % 3 == 0 ? ctScale(0.02, ctRandomVec3(&r, -1, 1)) : ctRandomVec3(&r, -1, 1);
        double size = ctRandomLog(&r, 2e-4, 0.2);
        boxes[i] = (ctBox){lo, ctAdd(lo, ctScale(size, ctRandomVec3(&r, 0.1, 1)))};
        ck_assert(ctBroadphase_Add(bp, i, boxes[i], 0, &sink, NULL));
    }
    for (int k = 0; k < ctTestCases(30000); k++) {
        int i = ctRandomInt(&r, 0, N - 1);
        double far = ctRandomInt(&r, 0, 9) == 0 ? 1.0 : 0.5 * (boxes[i].hi.x - boxes[i].lo.x);
        ctVec3 step = ctScale(far, ctRandomVec3(&r, -1, 1));
        boxes[i] = (ctBox){ctAdd(boxes[i].lo, step), ctAdd(boxes[i].hi, step)};
        ck_assert(ctBroadphase_Move(bp, i, boxes[i], 0, &sink, NULL));
        if (k % 10 == 0) {
            checkProxy(bp, &c, N, ctRandomInt(&r, 0, N - 1));
        }
    }
    for (int i = 0; i < N; i++) {
        checkProxy(bp, &c, N, i);
    }
    ck_assert_int_eq(ctBroadphase_PairCount(bp), (int)(c.begun - c.ended));
    ctBroadphase_Destroy(bp);
}
END_TEST

// Points, plates and needles, many at one place, numbers beyond single precision, and the infinite.
START_TEST(degenerate_boxes_match_brute_force)
{
    enum { N = 250 };
    static ctBox boxes[N];
    Crowd c = {boxes, 0, 0};
    ctRandom r = ctRandomSeed(22);
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    ctPairSink sink = {crowdBegin, crowdEnd, &c, NULL};
    const double sizes[8] = {0.0, 0.0, 1e-300, 1e-12, 1.0, 1e9, 1e37, 1e300};
    const double places[6] = {0.0, 0.0, 1.0, -1e-40, 1e12, -1e38};
    for (int k = 0; k < N + ctTestCases(3000); k++) {
        int i = k < N ? k : ctRandomInt(&r, 0, N - 1);
        ctVec3 lo = ctV3(places[ctRandomInt(&r, 0, 5)], places[ctRandomInt(&r, 0, 5)], places[ctRandomInt(&r, 0, 5)]);
        ctVec3 size = ctV3(sizes[ctRandomInt(&r, 0, 7)], sizes[ctRandomInt(&r, 0, 7)], sizes[ctRandomInt(&r, 0, 7)]);
        boxes[i] = (ctBox){lo, ctAdd(lo, size)};
        if (ctRandomInt(&r, 0, 30) == 0) {
            boxes[i].lo.y = -INFINITY;
            boxes[i].hi.z = INFINITY;
        }
        bool ok = k < N ? ctBroadphase_Add(bp, i, boxes[i], 0, &sink, NULL)
                        : ctBroadphase_Move(bp, i, boxes[i], 0, &sink, NULL);
        ck_assert(ok);
        checkProxy(bp, &c, k < N ? k + 1 : N, i);
    }
    for (int i = 0; i < N; i++) {
        checkProxy(bp, &c, N, i);
    }
    ctBroadphase_Destroy(bp);
}
END_TEST

// ---- sinks that change things -------------------------------------------------------------------

typedef struct {
    Crowd crowd;
    ctBroadphase *bp;
    int n, depth;
    ctRandom r;
} Meddler;

// Wakes a neighbour, as an engine does: it moves, and its pairs are reported inside this report.
static void meddlingEnd(void *context, int a, int b, int tag)
{
    Meddler *m = context;
    m->crowd.ended++;
    ctRequire(tag >= 0 && tag < m->crowd.begun, "pair %d %d ends with the tag %d", a, b, tag);
    if (m->depth > 2) {
        return;
    }
    m->depth++;
    int other = ctRandomInt(&m->r, 0, 1) ? a : b;
    if (ctBroadphase_Has(m->bp, other)) {
        ctVec3 step = ctRandomVec3(&m->r, -0.3, 0.3);
        ctBox *box = &m->crowd.boxes[other];
        *box = (ctBox){ctAdd(box->lo, step), ctAdd(box->hi, step)};
        ctPairSink sink = {crowdBegin, meddlingEnd, m, NULL};
        ck_assert(ctBroadphase_Move(m->bp, other, *box, 0, &sink, NULL));
    }
    m->depth--;
}

START_TEST(sinks_may_move_boxes)
{
    enum { N = 150 };
    static ctBox boxes[N];
    Meddler m = {.crowd = {boxes, 0, 0}, .bp = ctBroadphase_Create(NULL), .n = N, .r = ctRandomSeed(23)};
    ctPairSink sink = {crowdBegin, meddlingEnd, &m, NULL};
    for (int i = 0; i < N; i++) {
        ctVec3 lo = ctRandomVec3(&m.r, 0, 1);
        boxes[i] = (ctBox){lo, ctAdd(lo, ctV3(0.2, 0.2, 0.2))};
        ck_assert(ctBroadphase_Add(m.bp, i, boxes[i], 0, &sink, NULL));
    }
    for (int k = 0; k < ctTestCases(2000); k++) {
        int i = ctRandomInt(&m.r, 0, N - 1);
        ctVec3 lo = ctRandomVec3(&m.r, 0, 1);
        boxes[i] = (ctBox){lo, ctAdd(lo, ctV3(0.2, 0.2, 0.2))};
        if (k % 4 == 0) {
            ctBroadphase_Remove(m.bp, i, &sink);
            ck_assert(ctBroadphase_Add(m.bp, i, boxes[i], 0, &sink, NULL));
        } else {
            ck_assert(ctBroadphase_Move(m.bp, i, boxes[i], 0, &sink, NULL));
        }
    }
    for (int i = 0; i < N; i++) {
        checkProxy(m.bp, &m.crowd, N, i);
    }
    ck_assert_int_eq(ctBroadphase_PairCount(m.bp), (int)(m.crowd.begun - m.crowd.ended));
    ctBroadphase_Destroy(m.bp);
}
END_TEST

START_TEST(bad_boxes_are_refused)
{
    static Model m;
    ctError error = {0};
    ctBroadphase *bp = ctBroadphase_Create(&error);
    ctPairSink sink = sinkFor(&m, 3);
    ctBox unit = {ctZero3(), ctV3(1, 1, 1)}, nan = {ctZero3(), ctV3(1, NAN, 1)}, empty = {ctV3(1, 1, 1), ctZero3()};
    ck_assert(ctBroadphase_Add(bp, 3, unit, 0, &sink, &error));
    ck_assert(!ctBroadphase_Add(bp, 3, unit, 0, &sink, &error));
    ck_assert_int_eq(error.status, ct_badArgument);
    ck_assert_ptr_nonnull(strstr(error.message, "3"));
    ck_assert(!ctBroadphase_Add(bp, -1, unit, 0, &sink, &error));
    ck_assert(!ctBroadphase_Add(bp, 4, nan, 0, &sink, &error));
    ck_assert(!ctBroadphase_Add(bp, 4, empty, 0, &sink, &error));
    ck_assert(!ctBroadphase_Move(bp, 3, nan, 0, &sink, &error));
    ck_assert(!ctBroadphase_Move(bp, 4, unit, 0, &sink, &error));
    ck_assert(!ctBroadphase_AddPlane(bp, 5, ctZero3(), 0, 0, &sink, &error));
    ck_assert(!ctBroadphase_AddPlane(bp, 5, ctV3(0, 0, 1), NAN, 0, &sink, &error));
    ck_assert(!ctBroadphase_Has(bp, 4) && !ctBroadphase_Has(bp, 5) && ctBroadphase_Has(bp, 3));
    ctBroadphase_Remove(bp, 77, &sink); // nothing there: nothing happens
    ctBroadphase_Destroy(bp);
    ctBroadphase_Destroy(NULL);
}
END_TEST

// An allocator that refuses after a while.
static int allocationsLeft;

static void *meanRealloc(void *memory, size_t size, void *context)
{
    (void)context;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    if (allocationsLeft == 0) {
        return NULL;
    }
    allocationsLeft--;
    return realloc(memory, size);
}

START_TEST(short_memory_is_survived)
{
    static Model m;
    for (int limit = 0; limit < 200; limit++) {
        memset(&m, 0, sizeof m);
        ctRandom r = ctRandomSeed(5);
        ctSetAllocator(meanRealloc, NULL);
        allocationsLeft = limit;
        ctBroadphase *bp = ctBroadphase_Create(NULL);
        bool failed = bp == NULL;
        for (int i = 0; bp != NULL && i < 60; i++) {
            ctBox box = randomBox(&r, 2.0), far = randomBox(&r, 2.0);
            m.items[i] = (Item){.kind = boxKind, .box = box};
            if (addBox(bp, &m, i)) {
                m.items[i].box = far;
                if (!moveBox(bp, &m, i)) {
                    m.items[i].box = box;
                    failed = true;
                }
            } else {
                m.items[i].kind = none;
                failed = true;
            }
        }
        allocationsLeft = 1000000;
        if (bp != NULL) {
            checkAll(bp, &m); // what was refused left no trace
        }
        ctBroadphase_Destroy(bp);
        ctSetAllocator(NULL, NULL);
        if (!failed) {
            return;
        }
    }
    ck_abort_msg("never succeeded");
}
END_TEST

// Moves inside a group wait until somebody else looks at it: the look must find the last box of each, also of those
// that have left and come back, and with no memory left.
START_TEST(late_moves_are_seen)
{
    static Model m;
    memset(&m, 0, sizeof m);
    ctRandom r = ctRandomSeed(31);
    ctSetAllocator(meanRealloc, NULL);
    allocationsLeft = 1000000;
    ctBroadphase *bp = ctBroadphase_Create(NULL);
    for (int i = 0; i < 200; i++) {
        m.items[i] = (Item){.kind = boxKind, .group = 1 + (i >= 150), .box = randomBox(&r, 10.0)};
        ck_assert(addBox(bp, &m, i));
    }
    for (int k = 0; k < ctTestCases(200); k++) {
        for (int move = 0; move < 300; move++) {
            int i = ctRandomInt(&r, 0, 149); // all of one group
            if (ctRandomInt(&r, 0, 9) == 0) {
                removeItem(bp, &m, i);
                m.items[i] = (Item){.kind = boxKind, .group = 1, .box = randomBox(&r, 10.0)};
                ck_assert(addBox(bp, &m, i));
            } else {
                m.items[i].box = randomBox(&r, 10.0);
                ck_assert(moveBox(bp, &m, i));
            }
        }
        allocationsLeft = k % 2 == 0 ? 0 : 1000000;
        Item q = {.kind = boxKind, .box = randomBox(&r, 10.0)};
        Seen s = {.count = 0};
        ctBroadphase_QueryBox(bp, q.box, see, &s);
        allocationsLeft = 1000000;
        int expected = 0;
        for (int i = 0; i < 200; i++) {
            expected += shouldPair(&m.items[i], &q);
            ctRequire(seen(&s, i) == shouldPair(&m.items[i], &q), "proxy %d, look %d", i, k);
        }
        ck_assert_int_eq(s.count, expected);
        checkAll(bp, &m);
    }
    ctBroadphase_Destroy(bp);
    ctSetAllocator(NULL, NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("broadphase");
    TCase *pairs = tcase_create("pairs");
    tcase_add_test(pairs, pairs_match_brute_force);
    tcase_add_test(pairs, single_moves_are_seen_at_once);
    tcase_add_test(pairs, late_moves_are_seen);
    tcase_add_test(pairs, queries_match_brute_force);
    tcase_add_test(pairs, swept_boxes_hold_the_motion);
    tcase_add_test(pairs, thousands_of_sizes_match_brute_force);
    tcase_add_test(pairs, degenerate_boxes_match_brute_force);
    tcase_add_test(pairs, sinks_may_move_boxes);
    suite_add_tcase(suite, pairs);
    TCase *failures = tcase_create("failures");
    tcase_add_test(failures, bad_boxes_are_refused);
    tcase_add_test(failures, short_memory_is_survived);
    suite_add_tcase(suite, failures);
    return ctRunSuite(suite);
}
