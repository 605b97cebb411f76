// The flat end of a solid of revolution on a face: it strikes with its whole rim.
//
// One that is tilted touches at its lowest place alone (pairs/rim.c).
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

// The direction of a vector across a normal, if that is longer than least.
static bool takeWay(ctVec3 v, ctVec3 n, double least, ctVec3 *way)
{
    ctVec3 across = ctMulAdd(v, -ctDot(v, n), n);
    bool known = ctLength(across) > least;
    *way = known ? ctNormalize(across) : *way;
    return known;
}

// The first place is where the rim approaches fastest; else, as far as known, where it slips to, or where the other
// body is: directions that turn with the world.
static void place(const ctWorld *world, ctTouch *places, ctVec3 centre, double radius)
{
    const ctBodyPair *pair = &world->pairs[places[0].pair];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctVec3 n = places[0].normal, w = ctSub(a->w, b->w), x, y;
    ctVec3 u = ctSub(ctBody_PointVelocity(a, centre), ctBody_PointVelocity(b, centre));
    double speed = ctLength(u) + radius * ctLength(w);
    ctFrameFromNormal(n, &x, &y);
    if (!takeWay(ctCross(w, n), n, KNOWN * speed / radius, &x) && !takeWay(u, n, KNOWN * speed, &x)) {
        takeWay(ctSub(b->x, a->x), n, KNOWN * radius, &x);
    }
    y = ctCross(n, x);
    const ctVec3 ways[PLACES] = {x, ctNeg(x), y, ctNeg(y)};
    for (uint32_t k = 0; k < PLACES; k++) {
        places[k].point = ctMulAdd(centre, radius, ways[k]);
        places[k].id = RIM_ID + k;
    }
}

// Whether touches are the flat end of one body of a pair, which is whole on the other.
static bool areFlatRim(const ctWorld *world, int index, int other, const ctTouch *touches, int count, ctRim *rim)
{
    ctVec3 n = touches[0].normal;
    int end = -1;
    bool all = true;
    for (int i = 0; i < count && all; i++) {
        all = ctDot(touches[i].normal, n) > 1.0 - CT_EQUAL && ctTouch_FindRim(world, index, &touches[i], rim) &&
              rim->sine < CT_CLOSED && (i == 0 || rim->end == end);
        end = rim->end;
    }
    return all && ctContact_HoldsRim(world, other, ctNeg(rim->out), rim->centre, rim->radius);
}

int ctTouches_MakeRim(const ctWorld *world, ctTouch *touches, int count, int max)
{
    count = ctTouches_KeepLowest(world, touches, count);
    const ctBodyPair *pair = count > 0 ? &world->pairs[touches[0].pair] : NULL;
    for (int k = 0; k < 2 && count >= 3 && max >= PLACES; k++) {
        int index = k == 0 ? pair->a : pair->b, other = k == 0 ? pair->b : pair->a;
        ctRim rim = {.end = -1};
        if (areFlatRim(world, index, other, touches, count, &rim)) {
            for (int i = 1; i < PLACES; i++) {
                touches[i] = touches[0];
            }
            place(world, touches, rim.centre, rim.radius);
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
