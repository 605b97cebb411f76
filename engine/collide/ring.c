// The flat end of a solid of revolution on a face: it strikes with its whole rim.
//
// A rim that is tilted touches at its lowest place alone. Places beside it, at which manifolds happen to have points,
// are hardly higher, but far enough for another impact: none of them counts.
//
// The normal velocity around a rim is linear in place, so a rim approaches fastest at one point. Four places stand for
// it: that point, the opposite one, and the two in between. They move around the rim as impulses change the velocities.
#include "engine/collide/collide_internal.h"

#include "engine/contact/contact.h"

// [format] Ids of the four places of a rim.
#define RIM_ID 0xffffff00u
enum { PLACES = 4 };
// A turning is known if it moves the rim by this share of the speeds.
#define KNOWN CT_EQUAL

// An end of a solid of revolution that is nearest to another body.
typedef struct Rim {
    ctVec3 centre, lowest; // m: its centre, and the place that is farthest towards the other body
    double radius, sine;   // m; of its tilt
} Rim;

// The nearest end of one body of a pair. toOther: from the body to the other one; at: a place on its rim. False where
// that is elsewhere.
static bool findRim(const ctWorld *world, int index, ctVec3 toOther, ctVec3 at, Rim *rim)
{
    const ctShape *shape = ctBody_Shape(world, index);
    if (shape->type != ct_shapeLathe) {
        return false;
    }
    ctPose pose = ctBody_Pose(world, &world->bodies[index]);
    ctVec3 d = ctMulTMV(pose.r, toOther), p = ctInvPosePoint(&pose, at);
    const ctLathe *l = &shape->u.lathe;
    int end = d.z > 0.0 ? l->count - 1 : 0;
    rim->radius = l->r[end] + shape->round;
    rim->centre = ctPosePoint(&pose, ctV3(0.0, 0.0, p.z));
    rim->sine = sqrt(d.x * d.x + d.y * d.y);
    double off = fabs(sqrt(p.x * p.x + p.y * p.y) - rim->radius), along = rim->radius / (rim->sine + 1e-300);
    rim->lowest = ctPosePoint(&pose, ctV3(along * d.x, along * d.y, p.z));
    return l->r[end] > 0.0 && off < CT_CLOSED * rim->radius + shape->round &&
           fabs(p.z - l->z[end]) < CT_CLOSED * rim->radius + shape->round;
}

// Whether that end is flat on the other body where the two touch.
static bool findFlatRim(const ctWorld *world, int index, int other, ctVec3 toOther, ctVec3 at, Rim *rim)
{
    return ctBody_IsMovable(&world->bodies[index]) && findRim(world, index, toOther, at, rim) &&
           rim->sine < CT_CLOSED && ctContact_HoldsRim(world, other, ctNeg(toOther), rim->centre, rim->radius);
}

// Leaves only the lowest place of a tilted rim of one body of a pair, where that is one of its touches. Returns their
// number.
static int keepLowest(const ctWorld *world, int index, double side, ctTouch *touches, int count)
{
    double least = INFINITY;
    uint64_t rims = 0; // as bits
    int lowest = -1, kept = 0;
    for (int i = 0; i < count; i++) {
        Rim rim;
        if (findRim(world, index, ctScale(side, touches[i].normal), touches[i].point, &rim) && rim.sine >= CT_CLOSED) {
            double off = ctDistance(touches[i].point, rim.lowest);
            bool nearer = off < least && off < CT_CLOSED * rim.radius;
            least = nearer ? off : least;
            lowest = nearer ? i : lowest;
            rims |= (uint64_t)1 << i;
        }
    }
    for (int i = 0; i < count; i++) {
        if (lowest < 0 || i == lowest || (rims >> i & 1) == 0 ||
            ctDot(touches[i].normal, touches[lowest].normal) < 1.0 - CT_EQUAL) {
            touches[kept++] = touches[i];
        }
    }
    return kept;
}

static void place(const ctWorld *world, ctTouch *places, ctVec3 centre, double radius)
{
    const ctBodyPair *pair = &world->pairs[places[0].pair];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctVec3 n = places[0].normal, w = ctSub(a->w, b->w), turn = ctCross(w, n);
    ctVec3 u = ctSub(ctBody_PointVelocity(a, centre), ctBody_PointVelocity(b, centre));
    ctVec3 slip = ctMulAdd(u, -ctDot(u, n), n), x, y;
    double speed = ctLength(u) + radius * ctLength(w);
    if (radius * ctLength(turn) > KNOWN * speed) {
        x = ctNormalize(turn); // there it approaches fastest
        y = ctCross(n, x);
    } else if (ctLength(slip) > KNOWN * speed) {
        x = ctNormalize(slip);
        y = ctCross(n, x);
    } else {
        ctFrameFromNormal(n, &x, &y);
    }
    const ctVec3 ways[PLACES] = {x, ctNeg(x), y, ctNeg(y)};
    for (uint32_t k = 0; k < PLACES; k++) {
        places[k].point = ctMulAdd(centre, radius, ways[k]);
        places[k].id = RIM_ID + k;
    }
}

int ctTouches_MakeRim(const ctWorld *world, ctTouch *touches, int count, int max)
{
    if (count < 2) {
        return count;
    }
    const ctBodyPair *pair = &world->pairs[touches[0].pair];
    ctVec3 n = touches[0].normal;
    Rim rim;
    for (int k = 0; k < 2; k++) {
        int index = k == 0 ? pair->a : pair->b, other = k == 0 ? pair->b : pair->a;
        double side = k == 0 ? -1.0 : 1.0;
        bool all = count >= 3 && max >= PLACES;
        for (int i = 0; i < count && all; i++) {
            all = ctDot(touches[i].normal, n) > 1.0 - CT_EQUAL &&
                  findFlatRim(world, index, other, ctScale(side, n), touches[i].point, &rim);
        }
        if (all) {
            for (int i = 1; i < PLACES; i++) {
                touches[i] = touches[0];
            }
            place(world, touches, rim.centre, rim.radius);
            return PLACES;
        }
        count = keepLowest(world, index, side, touches, count);
    }
    return count;
}

void ctSequence_MoveRims(const ctWorld *world, ctSequence *s, int a, int b)
{
    for (int i = 0; i + PLACES <= s->touchCount; i++) {
        if (s->touches[i].id != RIM_ID) {
            continue;
        }
        const ctBodyPair *pair = &world->pairs[s->touches[i].pair];
        if (pair->a == a || pair->b == a || pair->a == b || pair->b == b) {
            ctVec3 p = s->touches[i].point, q = s->touches[i + 1].point;
            place(world, &s->touches[i], ctLerp(p, q, 0.5), 0.5 * ctDistance(p, q));
            ctSequence_DropFace(s, i);
        }
    }
}
