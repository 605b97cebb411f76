// The verdict on a touch: none yet, an impact of some kind, or sustained contact. The loop asks once for each look at a
// pair (ctPair_Judge) and acts on the verdict.
//
// A pair that touches becomes a contact when one of these holds:
//   it is slow and pressed together, so that a rebound would end within a few steps;
//   it rattles: it has collided again and again within a step;
//   it grazes: a body in contact rolls or slides on to the next surface;
//   it grinds: it has been looked at again and again, and nothing happened.
// A pair that touches a crowd or a pile is absorbed by it, at any speed. Every other pair that approaches has an
// impact.
#include "engine/collide/collide_internal.h"

// ---- when is it contact -----------------------------------------------------------------------

// A body in contact that rolls or slides on to the next surface approaches it only by the uncertainty of the normal:
// surfaces count as touching at a gap, so the approach is up to sqrt(2 gap / radius) times its speed. That is no
// impact.
static bool isGraze(const ctWorld *world, const ctBodyPair *pair, double speed)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double size = ctBodies_Size(a, b), along = ctDistance(a->v, b->v);
    return (ctBody_IsInContact(a) || ctBody_IsInContact(b)) &&
           speed * speed * size < 4.0 * ctPair_TouchGap(world, pair) * along * along;
}

bool ctPair_Rattles(const ctWorld *world, const ctBodyPair *pair)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return pair->rattle >= CT_RATTLE_LIMIT && world->now - pair->rattleTime < 2.0 * ctBodies_Step(world, a, b);
}

// The rule of islands that take steps. slowest: m/s, a slower rebound does not count.
static bool isSlow(const ctWorld *world, const ctBodyPair *pair, ctVec3 normal, double speed, double slowest)
{
    if (ctPair_Rattles(world, pair)) {
        return true;
    }
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double pressing = -ctDot(normal, ctSub(a->a, b->a));
    // Two bodies that already separate are judged by their present speed.
    double rebound = speed > 0.0 ? ctPair_Coefficients(world, pair).restitution * speed : -speed;
    return 2.0 * rebound < CT_REBOUND_STEPS * ctBodies_Step(world, a, b) * pressing || rebound < slowest ||
           isGraze(world, pair, speed);
}

// Whether two bodies are pressed together by more than their turning can lift.
static bool arePressed(const ctBody *a, const ctBody *b, ctVec3 normal)
{
    double lift = a->wMax * a->wMax * a->radius + (b->plane ? 0.0 : b->wMax * b->wMax * b->radius);
    return -ctDot(normal, ctSub(a->a, b->a)) > lift;
}

bool ctWorld_IsContact(const ctWorld *world, const ctBodyPair *pair, ctVec3 normal, double speed)
{
    if (world->def.contact != ct_contactIsland) {
        return false;
    }
    double landing = ctPair_LandingSpeed(world, pair), limit = ctPair_ImpactSpeed(world, pair);
    double rounding = ctPair_SpeedRounding(world, pair);
    if (speed >= ctFmax(rounding, ctFmax(landing, limit))) {
        return false;
    }
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double slowest =
        ctFmax(rounding, CT_STILL_SPEED * sqrt(ctBodies_Pull(world, pair->a, pair->b) * ctBodies_Size(a, b)));
    bool slow = speed < ctFmax(rounding, limit) && isSlow(world, pair, normal, speed, slowest);
    // A pair that touches without approach may be about to separate, unless nothing moves at all, or the two are
    // pressed together by more than their turning can lift.
    bool closed = speed < ctFmax(rounding, landing) && (speed > rounding || ctBodies_SpeedBound(a, b) < slowest ||
                                                        (speed >= -rounding && arePressed(a, b, normal)));
    // Which of the two rules holds is expensive to find out.
    return slow == closed || !ctContact_LandsExactly(world, pair) ? slow : closed;
}

bool ctPair_StaysClosed(const ctWorld *world, int index)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctSequence *s = &world->sequence;
    double nearest = -INFINITY;
    ctVec3 normal = ctZero3();
    if (!ctContact_MeetsStep(world, pair) || !ctContact_LandsExactly(world, pair)) {
        return false;
    }
    for (int i = 0; i < s->touchCount; i++) {
        if (s->touches[i].pair == index && s->speeds[i] > nearest) {
            nearest = s->speeds[i];
            normal = s->touches[i].normal;
        }
    }
    return nearest > -ctPair_LandingSpeed(world, pair) &&
           arePressed(&world->bodies[pair->a], &world->bodies[pair->b], normal);
}

// ---- the verdict ------------------------------------------------------------------------------

// The greatest approach over the places where the two touch; zero where all of them are on edges that other boxes
// cover.
static double approachSpeed(ctWorld *world, int index, const ctPairLook *look, double gap)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    ctVec3 point = ctLerp(look->pointA, look->pointB, 0.5);
    bool covered = ctContact_IsEdgeCovered(world, pair->a, pair->b, look->pointB, look->normal);
    double speed = covered ? 0.0 : ctBodies_Approach(a, b, look->normal, point);
    // Where nothing moves the approach is zero everywhere: worlds begin with bodies that lie still.
    if (pair->kind == ct_pairGeneral && !a->ball && !b->ball && ctBodies_SpeedBound(a, b) > 0.0) {
        ctTouch touches[16];
        int count = ctTouches_MakeRim(world, touches, ctPair_Touches(world, index, gap, touches, 16), 16);
        for (int i = 0; i < count; i++) {
            double s = ctBodies_Approach(a, b, touches[i].normal, touches[i].point);
            if (s > speed && !ctContact_IsEdgeCovered(world, pair->a, pair->b, touches[i].point, touches[i].normal)) {
                speed = s;
            }
        }
    }
    return speed;
}

// In microcollision mode a body that lies still and is pressed down collides too.
static bool isMicro(const ctWorld *world, const ctBodyPair *pair, const ctPairLook *look, double speed)
{
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return world->def.contact == ct_contactMicrocollision && speed > -ctPair_SpeedRounding(world, pair) &&
           ctDot(look->normal, ctSub(a->a, b->a)) < 0.0;
}

// Two bodies that rub against each other are looked at again and again, with next to no time in between.
static bool grinds(const ctWorld *world, int index)
{
    return world->extras[index].idle >= CT_GRIND_LOOKS;
}

// Whether a body lands on curved terrain after a hop over one of its seams.
static bool isOnCurve(const ctWorld *world, const ctBodyPair *pair, const ctPairLook *look, double speed)
{
    return world->terrainCount > 0 && !world->bodies[pair->a].ball && speed > 0.0 &&
           ctTile_Graze(world, pair->b, look->leafB, speed, true) != ct_grazeNone;
}

// Whether a body on a plan slides on to the next of two boxes side by side, which bears it from now on.
static bool isFlush(ctWorld *world, int index, const ctPairLook *look, double margin)
{
    const ctBodyPair *pair = &world->pairs[index];
    return !world->bodies[pair->b].plane && ctContact_IsFlush(world, pair->a, pair->b, look->pointB, look->normal) &&
           approachSpeed(world, index, look, margin) < ctPair_ImpactSpeed(world, pair);
}

// The verdict on a pair that touches.
static ctVerdict judgeTouch(ctWorld *world, int index, ctPairLook *look, double gap)
{
    const ctBodyPair *pair = &world->pairs[index];
    bool island = world->def.contact == ct_contactIsland;
    double speed = approachSpeed(world, index, look, gap);
    bool rubs = island && grinds(world, index) && fabs(speed) < ctContact_ImpactSpeed(world, pair);
    if (rubs || (island && isOnCurve(world, pair, look, speed)) ||
        ctWorld_IsContact(world, pair, look->normal, speed)) {
        return ct_verdictContact;
    }
    if (island && ctContact_Absorbs(world, pair, speed)) {
        look->speed = speed;
        return ct_verdictAbsorb;
    }
    if (!(speed > ctPair_SpeedRounding(world, pair)) && !isMicro(world, pair, look, speed)) {
        return ct_verdictWait;
    }
    return !island && ctMicro_IsHop(world, pair, speed) ? ct_verdictHop : ct_verdictImpact;
}

// Whether a slow pair that is pressed together or rubs, with an invisible gap, becomes a contact before the gap closes.
static bool settles(ctWorld *world, int index, const ctPairLook *look)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double size = ctBodies_Size(a, b), margin = CT_CONTACT_MARGIN * size;
    if (world->def.contact != ct_contactIsland || pair->kind != ct_pairGeneral || look->distance > margin) {
        return false;
    }
    if (ctContact_IsExact(world, pair)) {
        return isFlush(world, index, look, margin);
    }
    double speed = ctBodies_SpeedBound(a, b);
    if (speed >= ctPair_ImpactSpeed(world, pair)) {
        if (ctContact_IsFlush(world, pair->a, pair->b, look->pointB, look->normal)) {
            return ctWorld_IsContact(world, pair, look->normal, approachSpeed(world, index, look, margin));
        }
        if (!grinds(world, index)) {
            return false;
        }
        return approachSpeed(world, index, look, margin) < ctPair_ImpactSpeed(world, pair);
    }
    return ctWorld_IsContact(world, pair, look->normal, speed);
}

// Whether the pair is so near that it would move by less than the gap of touching until the next look: distances are
// not known better than that.
static bool stalls(const ctWorld *world, const ctBodyPair *pair, const ctPairLook *look, double gap)
{
    if (look->distance > 100.0 * gap) {
        return false;
    }
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    double speed = ctBodies_SpeedBound(a, b);
    return (look->until - world->now) * speed < gap;
}

bool ctPair_LiesStill(const ctWorld *world, int index, ctPairLook *look)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctPairExtra *extra = &world->extras[index];
    const ctBody *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    bool seen = pair->kind == ct_pairGeneral && extra->leafCount == 1 && world->infos[pair->b].tile == NULL &&
                a->path == pair->pathA && b->path == pair->pathB;
    if (world->def.contact != ct_contactIsland || !seen || a->t != world->now || ctBody_IsPlanned(a) ||
        ctBody_IsPlanned(b) || ctBodies_SpeedBound(a, b) > 0.0 || pair->distance > ctPair_TouchGap(world, pair)) {
        return false;
    }
    *look = (ctPairLook){.distance = pair->distance, .normal = extra->leaves[0].normal};
    return ctWorld_IsContact(world, pair, look->normal, 0.0);
}

ctVerdict ctPair_Judge(ctWorld *world, int index, ctPairLook *look)
{
    const ctBodyPair *pair = &world->pairs[index];
    double gap = ctPair_TouchGap(world, pair);
    if (look->distance <= gap || stalls(world, pair, look, gap)) {
        return judgeTouch(world, index, look, gap);
    }
    if (settles(world, index, look)) {
        return ct_verdictContact;
    }
    double step = ctBodies_Step(world, &world->bodies[pair->a], &world->bodies[pair->b]);
    if (grinds(world, index) && look->until - world->now < CT_SHORTEST_STEP * step) {
        return ct_verdictGrind;
    }
    if (ctIsLater(look->until, world->now)) {
        return ct_verdictApart;
    }
    // The exact root of a pair of balls is now, to rounding.
    return pair->kind != ct_pairGeneral ? judgeTouch(world, index, look, gap) : ct_verdictWait;
}
