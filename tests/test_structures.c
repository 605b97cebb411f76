// Structures that stand or fall by their statics: limit analysis says which (tests/support/statics.h).
#include "collision/quat.h"
#include "collision/shape.h"
#include "tests/support/statics.h"
#include "tests/support/suite.h"
#include "tests/support/worlds.h"

#define G 9.81

// ---- an arch of wedges -------------------------------------------------------------------------------

enum { MOST = 15 };
static const double depth = 0.4, arch = 1.0; // m: along y, mean radius

// A wedge between the angles i and i + 1 of n, as a trapezoid: its corners, inner ones first.
static void cornersOf(int i, int n, double thickness, double x[4], double z[4])
{
    for (int k = 0; k < 4; k++) {
        double r = arch + (k < 2 ? -0.5 : 0.5) * thickness, angle = CT_PI * (i + k % 2) / n;
        x[k] = r * cos(angle);
        z[k] = r * sin(angle);
    }
}

// Area and centre of a trapezoid with corners 0, 1 inside and 2, 3 outside.
static ctStaticBody trapezoid(const double x[4], const double z[4])
{
    static const int around[5] = {0, 2, 3, 1, 0};
    ctStaticBody b = {0};
    for (int k = 0; k < 4; k++) {
        int i = around[k], j = around[k + 1];
        double cross = x[i] * z[j] - x[j] * z[i];
        b.weight += 0.5 * cross;
        b.x += (x[i] + x[j]) * cross / 6.0;
        b.z += (z[i] + z[j]) * cross / 6.0;
    }
    b.x /= b.weight;
    b.z /= b.weight;
    return b;
}

static bool archStands(int n, double thickness, double friction)
{
    ctStaticBody bodies[MOST];
    ctStaticPoint points[2 * (MOST + 1)];
    for (int i = 0; i <= n; i++) {
        double x[4], z[4], angle = CT_PI * i / n;
        cornersOf(i < n ? i : n - 1, n, thickness, x, z);
        if (i < n) {
            bodies[i] = trapezoid(x, z);
        }
        for (int k = 0; k < 2; k++) { // wedge i stands on wedge i - 1; the last one on the ground
            int corner = 2 * k + (i == n);
            points[2 * i + k] = (ctStaticPoint){i < n ? i : n - 1, i < n ? i - 1 : -1,        x[corner],
                                                z[corner],         i < n ? -sin(angle) : 0.0, i < n ? cos(angle) : 1.0};
        }
    }
    return ctStatics_CanStand(bodies, n, points, 2 * (n + 1), friction);
}

// The least thickness with which the arch can stand.
static double leastThickness(int n, double friction)
{
    double low = 0.02, high = 0.4;
    ctAssert(!archStands(n, low, friction) && archStands(n, high, friction));
    while (high - low > 1e-7) {
        double middle = 0.5 * (low + high);
        *(archStands(n, middle, friction) ? &high : &low) = middle;
    }
    return high;
}

// Builds the arch; gives its keystone.
static ctBodyId buildArch(ctWorld *world, int n, double thickness)
{
    ctBodyId middle = {0};
    for (int i = 0; i < n; i++) {
        double x[4], z[4];
        cornersOf(i, n, thickness, x, z);
        ctVec3 points[8];
        for (int k = 0; k < 8; k++) {
            points[k] = ctV3(x[k % 4], (k < 4 ? -0.5 : 0.5) * depth, z[k % 4]);
        }
        ctBodyDef def = ctDefaultBodyDef();
        def.shape = ctWorld_CreateHull(world, points, 8, NULL);
        ctBodyId id = ctWorld_CreateBody(world, &def, NULL);
        ctAssert(id.index1 != 0);
        middle = i == n / 2 ? id : middle;
    }
    return middle;
}

static double keystoneFalls(int n, double thickness, double friction, double fps, bool *rests)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), friction, 0.1);
    ctAssert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    ctBodyId keystone = buildArch(world, n, thickness);
    double start = ctBody_GetCenter(world, keystone).z;
    ctTestRun(world, 3.0);
    *rests = ctBody_IsAsleep(world, keystone);
    double fallen = start - ctBody_GetCenter(world, keystone).z, overlap = ctWorld_GetStats(world).maxPenetration;
    ctRequire(overlap < 1e-2 * thickness, "%d wedges at %g fps: an overlap of %g m", n, fps, overlap);
    ctWorld_Destroy(world);
    return fallen;
}

// A semicircular arch falls when it is too thin, by four or five hinges: with many wedges at 0.1075 of its radius
// (Milankovitch 1907), and at less with few. With too little friction its wedges slide.
START_TEST(an_arch_stands_or_falls)
{
    static const int wedges[] = {5, 9, 15};
    static const double known[] = {0.09498, 0.10153, 0.10607}, rates[] = {60.0, 144.0};
    const int n = wedges[_i / 2];
    const double fps = rates[_i % 2], friction = 0.8, least = leastThickness(n, friction);
    ctAssertClose(least, known[_i / 2], 1e-5);
    bool rests;
    double fallen = keystoneFalls(n, least * 1.001, friction, fps, &rests);
    ctRequire(rests && fabs(fallen) < 1e-9, "%d wedges, thick enough: %g m", n, fallen);
    fallen = keystoneFalls(n, least * 0.999, friction, fps, &rests);
    ctRequire(fallen > 0.3, "%d wedges, too thin: %g m", n, fallen);
}
END_TEST

// Arches that are far too thin, at two frame rates: wedges that come down together meet each other in time.
START_TEST(wedges_of_a_falling_arch_stay_apart)
{
    for (int i = 0; i < 8; i++) {
        bool rests;
        double fallen =
            keystoneFalls(i % 2 ? 7 : 9, 0.0955 * (0.9 - 0.05 * (i / 2)), 0.8, i % 4 < 2 ? 30.0 : 60.0, &rests);
        ck_assert(fallen > 0.3);
    }
}
END_TEST

START_TEST(an_arch_slides_or_holds)
{
    const int n = 9;
    const double thickness = 0.3;
    double low = 0.0, high = 0.8;
    while (high - low > 1e-7) {
        double middle = 0.5 * (low + high);
        *(archStands(n, thickness, middle) ? &high : &low) = middle;
    }
    bool rests;
    double fallen = keystoneFalls(n, thickness, 1.01 * high, 60.0, &rests);
    ctRequire(rests && fabs(fallen) < 1e-9, "friction of %g is enough: %g m", 1.01 * high, fallen);
    fallen = keystoneFalls(n, thickness, 0.99 * high, 60.0, &rests);
    ctRequire(fallen > 0.1, "friction of %g is too little: %g m", 0.99 * high, fallen);
}
END_TEST

// ---- contacts of a world as a problem of statics -----------------------------------------------------------

typedef struct Structure {
    ctStaticBody bodies[CT_STATIC_BODIES];
    ctBodyId ids[CT_STATIC_BODIES];
    int bodyCount;
    ctStaticPoint points[CT_STATIC_POINTS];
    int pointCount;
} Structure;

static int indexOf(const Structure *s, ctBodyId id)
{
    for (int i = 0; i < s->bodyCount; i++) {
        if (s->ids[i].index1 == id.index1) {
            return i;
        }
    }
    return -1;
}

// Points, normals and weights alone; forces come from the linear program.
static void readStructure(const ctWorld *world, Structure *s)
{
    for (int i = 0; i < s->bodyCount; i++) {
        ctVec3 c = ctBody_GetCenter(world, s->ids[i]);
        s->bodies[i] = (ctStaticBody){c.x, c.z, G * ctBody_GetMass(world, s->ids[i])};
    }
    const ctContact *contacts;
    s->pointCount = ctWorld_GetContacts(world, &contacts);
    ctAssert(s->pointCount <= CT_STATIC_POINTS);
    for (int i = 0; i < s->pointCount; i++) {
        const ctContact *c = &contacts[i];
        int a = indexOf(s, c->body1), b = indexOf(s, c->body2);
        double sign = a < 0 ? -1.0 : 1.0;
        ctAssert(fabs(c->normal.y) < 1e-6 && (a >= 0 || b >= 0));
        s->points[i] = (ctStaticPoint){a < 0 ? b : a, a < 0 ? a : b,      c->point.x,
                                       c->point.z,    sign * c->normal.x, sign * c->normal.z};
    }
}

static double leastFriction(const Structure *s)
{
    double low = 0.0, high = 2.0;
    ctAssert(ctStatics_CanStand(s->bodies, s->bodyCount, s->points, s->pointCount, high));
    while (high - low > 1e-7) {
        double middle = 0.5 * (low + high);
        *(ctStatics_CanStand(s->bodies, s->bodyCount, s->points, s->pointCount, middle) ? &high : &low) = middle;
    }
    return high;
}

// ---- a house of cards --------------------------------------------------------------------------------

static const double cardThick = 0.01, cardWide = 0.4, cardHigh = 0.3;

static void addCard(ctWorld *world, Structure *s, ctVec3 centre, double angle)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(world, ctV3(cardThick, cardWide, cardHigh), NULL);
    def.position = centre;
    def.orientation = ctQuatExp(ctV3(0, angle, 0));
    s->ids[s->bodyCount] = ctWorld_CreateBody(world, &def, NULL);
    ctAssert(s->ids[s->bodyCount++].index1 != 0);
}

// Two cards that lean on each other by an angle, over x, on something at height z. Edges are rounded by r for each
// other, and sharp on planes. Gives the height of their tops.
static double addTent(ctWorld *world, Structure *s, double x, double z, double angle, bool onPlane)
{
    ctShapeId card = ctWorld_CreateBox(world, ctV3(cardThick, cardWide, cardHigh), NULL);
    double r = ctWorld_GetShape(world, card)->round, along = 0.5 * cardHigh - r, across = 0.5 * cardThick - r;
    double up = along * cos(angle) + across * sin(angle) + r; // from the centre to the highest point and to the lowest
    double down = onPlane ? 0.5 * (cardHigh * cos(angle) + cardThick * sin(angle)) : up;
    for (int side = -1; side <= 1; side += 2) {
        double beside = r + along * sin(angle) + across * cos(angle);
        addCard(world, s, ctV3(x + side * beside, 0.0, z + down), -side * angle);
    }
    return z + down + up;
}

// Two tents, a card across their tops, and a tent on it.
static ctWorld *buildHouse(Structure *s, double friction, double fps, double angle)
{
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), friction, 0.1);
    ctAssert(ctWorld_SetFrameTime(world, 1.0 / fps, NULL));
    ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    s->bodyCount = 0;
    double apart = 0.5 * cardHigh * 0.9, z = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        z = addTent(world, s, side * apart, 0.0, angle, true);
    }
    addCard(world, s, ctV3(0.0, 0.0, z + 0.5 * cardThick), 0.5 * CT_PI);
    addTent(world, s, 0.0, z + cardThick, angle, false);
    return world;
}

static double houseMoves(double friction, double fps, double angle, bool *rests)
{
    Structure s;
    ctWorld *world = buildHouse(&s, friction, fps, angle);
    ctVec3 start[CT_STATIC_BODIES];
    for (int i = 0; i < s.bodyCount; i++) {
        start[i] = ctBody_GetCenter(world, s.ids[i]);
    }
    ctTestRun(world, 3.0);
    double moved = 0.0;
    *rests = true;
    for (int i = 0; i < s.bodyCount; i++) {
        moved = fmax(moved, ctDistance(start[i], ctBody_GetCenter(world, s.ids[i])));
        *rests &= ctBody_IsAsleep(world, s.ids[i]);
    }
    ctWorld_Destroy(world);
    return moved;
}

// Where edges meet edges the normal is a matter of rounding: the linear program takes points and normals from the
// engine, and gives the least friction with which the house can stand.
START_TEST(a_house_of_cards_stands_or_falls)
{
    static const double rates[] = {60.0, 144.0}, angles[] = {10.0, 15.0, 20.0};
    const double fps = rates[_i % 2], angle = angles[_i / 2] * CT_PI / 180.0;
    Structure s;
    ctWorld *world = buildHouse(&s, 2.0, fps, angle);
    ctAssert(ctWorld_Step(world, NULL));
    readStructure(world, &s);
    ctWorld_Destroy(world);
    double least = leastFriction(&s);
    bool rests;
    double moved = houseMoves(1.01 * least, fps, angle, &rests);
    ctRequire(rests && moved < 1e-5 * cardHigh, "friction of %g is enough: %g m", 1.01 * least, moved);
    moved = houseMoves(0.99 * least, fps, angle, &rests);
    ctRequire(moved > 0.1, "friction of %g is too little: %g m", 0.99 * least, moved);
}
END_TEST

// ---- loads that statics leaves open -------------------------------------------------------------------------

// A column of boxes with edges of 0.2 m, each moved by the same way along x and y beside the one below. Four corners
// carry more than three equations determine: the loads of least norm are linear in place, and no corner pushes another
// along the floor.
static void checkColumn(int boxes, double x, double y, int frames)
{
    const double half = 0.1;
    ctWorld *world = ctTestWorld(ctV3(0, 0, -G), 0.5, 0.1);
    ctBodyId floor = ctTestPlane(world, ctV3(0, 0, 1), 0.0);
    double weight = 0.0, sumX = 0.0, sumY = 0.0;
    for (int i = 0; i < boxes; i++) {
        ctVec3 at = ctV3(x * i, y * i, half + 2.0 * half * i);
        ctBodyId id = ctTestBox(world, ct_motionDynamic, ctV3(2 * half, 2 * half, 2 * half), at);
        double w = G * ctBody_GetMass(world, id);
        weight += w;
        sumX += w * at.x;
        sumY += w * at.y;
    }
    for (int i = 0; i < frames; i++) {
        ctAssert(ctWorld_Step(world, NULL));
    }
    const ctContact *contacts;
    int count = ctWorld_GetContacts(world, &contacts), corners = 0;
    for (int i = 0; i < count; i++) {
        const ctContact *c = &contacts[i];
        if (c->body1.index1 == floor.index1 || c->body2.index1 == floor.index1) {
            double up = c->body1.index1 == floor.index1 ? -1.0 : 1.0;
            double load =
                0.25 * (weight + copysign(1.0, c->point.x) * sumX / half + copysign(1.0, c->point.y) * sumY / half);
            ctRequire(fabs(up * c->force.z - load) < 1e-4 * weight && hypot(c->force.x, c->force.y) < 1e-4 * weight,
                      "%d boxes, corner %g %g: load %g instead of %g, push %g %g N", boxes, c->point.x, c->point.y,
                      up * c->force.z, load, c->force.x, c->force.y);
            corners++;
        }
    }
    ck_assert_int_eq(corners, 4);
    ctWorld_Destroy(world);
}

START_TEST(redundant_corners_carry_loads_of_least_norm)
{
    for (int boxes = 1; boxes <= 20; boxes++) {
        checkColumn(boxes, 0.0, 0.0, 1);
        checkColumn(boxes, 0.0, 0.0, 30);
        checkColumn(boxes, 0.01 / boxes, -0.007 / boxes, 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("structures");
    TCase *core = tcase_create("structures");
    tcase_set_timeout(core, 60);
    tcase_add_loop_test(core, an_arch_stands_or_falls, 0, 6);
    tcase_add_test(core, wedges_of_a_falling_arch_stay_apart);
    tcase_add_test(core, an_arch_slides_or_holds);
    tcase_add_loop_test(core, a_house_of_cards_stands_or_falls, 0, 6);
    tcase_add_test(core, redundant_corners_carry_loads_of_least_norm);
    suite_add_tcase(suite, core);
    return ctRunSuite(suite);
}
