// The flat end of a solid of revolution on a face: it strikes with its whole rim.
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

// The centre and the radius of the rim of one body of a pair that is flat on the other where these touch. toOther: from
// the body to the other one.
static bool findRim(const ctWorld *world, int index, int other, ctVec3 toOther, ctVec3 at, ctVec3 *centre,
                    double *radius)
{
    const ctShape *shape = ctBody_Shape(world, index);
    if (shape->type != ct_shapeLathe || !ctBody_IsMovable(&world->bodies[index])) {
        return false;
    }
    ctPose pose = ctBody_Pose(world, &world->bodies[index]);
    ctVec3 d = ctMulTMV(pose.r, toOther), p = ctInvPosePoint(&pose, at);
    const ctLathe *l = &shape->u.lathe;
    int end = d.z > 0.0 ? l->count - 1 : 0;
    *radius = l->r[end] + shape->round;
    *centre = ctPosePoint(&pose, ctV3(0.0, 0.0, p.z));
    double off = fabs(sqrt(p.x * p.x + p.y * p.y) - *radius);
    return l->r[end] > 0.0 && d.x * d.x + d.y * d.y < CT_CLOSED * CT_CLOSED &&
           off < CT_CLOSED * *radius + shape->round &&
           ctContact_HoldsRim(world, other, ctNeg(toOther), *centre, *radius);
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
    if (count < 3 || max < PLACES) {
        return count;
    }
    const ctBodyPair *pair = &world->pairs[touches[0].pair];
    ctVec3 n = touches[0].normal, centre;
    double radius;
    for (int k = 0; k < 2; k++) {
        int index = k == 0 ? pair->a : pair->b, other = k == 0 ? pair->b : pair->a;
        bool all = true;
        for (int i = 0; i < count && all; i++) {
            all = ctDot(touches[i].normal, n) > 1.0 - CT_EQUAL &&
                  findRim(world, index, other, k == 0 ? ctNeg(n) : n, touches[i].point, &centre, &radius);
        }
        if (all) {
            for (int i = 1; i < PLACES; i++) {
                touches[i] = touches[0];
            }
            place(world, touches, centre, radius);
            return PLACES;
        }
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
