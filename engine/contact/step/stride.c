// When the next step of an island is due, and how long its regular steps are.
//
// Ends of sliding, of rolling and of spinning, arrivals (contact/step/arrival.c) and ends of faces
// (contact/step/edge.c) are predicted from the motion: where there are few points, and where steps are long. Bodies on
// flat ground and round bodies on each other whose motion is smooth take longer and longer steps: if a step ends with
// some error of its prediction, one of twice the length would end within eight times that error.
#include "engine/contact/step/step.h"

#include "engine/contact/ground.h"

// When sliding at a point, if it is not slow, ends if it continues as now: |u_t| falls to zero.
static double timeOfSticking(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                             double slow)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctVec3 ra = point->armA, rb = point->armB;
    ctVec3 u = ctVelocityBetween(a->v, a->w, ra, b->v, b->w, rb);
    ctVec3 rate = ctVelocityBetween(a->a, a->alpha, ra, b->a, b->alpha, rb);
    if (ctBody_HasBelt(world, record->b)) {
        u = ctSub(u, ctBody_BeltAt(world, record->b, ctAdd(b->x, rb)));
    }
    u = ctMulAdd(u, -ctDot(u, point->n), point->n);
    double speedSquared = ctLengthSquared(u), slowing = -ctDot(u, rate);
    return speedSquared > slow * slow && slowing > 0.0 ? speedSquared / slowing : (double)INFINITY;
}

// When a part of a relative spin ends if it continues as now, where the surfaces are at a distance (m) from its axis.
static double timeOfStanding(ctVec3 part, ctVec3 rate, double arm, double slow)
{
    double square = ctLengthSquared(part), slowing = -ctDot(part, rate);
    return arm * arm * square > slow * slow && slowing > 0.0 ? square / slowing : (double)INFINITY;
}

// When resistance has stopped the rolling, or the spinning, at a point.
static double timeOfHalt(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, double slow)
{
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    if (!(pair.rolling > 0.0 || pair.spinning > 0.0)) {
        return INFINITY;
    }
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctVec3 w = ctSub(a->w, b->w), rate = ctSub(a->alpha, b->alpha), along = ctScale(ctDot(w, point->n), point->n);
    double arm = ctBodies_Size(a, b), time = INFINITY;
    if (pair.rolling > 0.0) {
        time = timeOfStanding(ctSub(w, along), rate, arm, slow);
    }
    return pair.spinning > 0.0 ? ctFmin(time, timeOfStanding(along, rate, arm, slow)) : time;
}

// When a point of contact reaches the end of its face. Points that exist already keep the forces that the look-ahead
// found for the coming step. A point that the side of a triangle clips is at the end in every step, to rounding.
static double timeOfLeaving(const ctWorld *world, const ctIsland *island, const ctIslandStep *step, double until)
{
    const ctContacts *c = world->contacts;
    double first = INFINITY;
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair >= 0 && record->count > 0) {
            double time = ctContact_TimeOfLeaving(world, record, ctFmin(until, first));
            double over = world->infos[record->b].tile != NULL ? CT_SHORTEST_STEP * step->length : 0.0;
            first = time > world->now + over || !step->changed ? ctFmin(first, time) : first;
        }
    }
    return first;
}

bool ctIslandStep_Foresees(const ctWorld *world, const ctIsland *island)
{
    return world->contacts->solverPointCount <= CT_FEW_POINTS || island->doublings > 0;
}

void ctIslandStep_Plan(ctWorld *world, ctIsland *island, ctIslandStep *step)
{
    ctContacts *c = world->contacts;
    island->changed = step->hits;
    if (step->hits) {
        island->extra++;
        island->due = world->now;
        return;
    }
    // Where nothing changes, and everything is in its place, one step is as long as several; but what is at rest sleeps
    // with its next step.
    bool steady = !step->rests && !step->changed && ctIsland_IsSteady(world, island, step->length) &&
                  ctIsland_IsInPlace(world, island);
    double end = ctIsland_NextRegular(world, steady ? CT_LONGEST_STEPS * step->regular : step->length), regular = end;
    bool few = ctIslandStep_Foresees(world, island);
    for (int i = 0; i < c->solverPointCount && few; i++) {
        const ctContactRecord *record = &c->records[c->refs[i].record];
        const ctContactPoint *point = &record->points[c->refs[i].point];
        bool bears = ctLengthSquared(point->force) > 0.0;
        if (bears && point->gap > CT_CONTACT_MARGIN * c->refs[i].size) {
            // Its force stops a landing body, and vanishes as soon as it has arrived.
            regular = ctFmin(regular, ctIsland_NextRegular(world, CT_PART_STEP * step->length));
        }
        double slow = CT_SLIDING_SPEED * step->fall;
        double time = bears ? timeOfSticking(world, record, point, slow) : (double)INFINITY;
        time = bears && record->pair >= 0 ? ctFmin(time, timeOfHalt(world, record, point, slow)) : time;
        if (ctIsLater(world->now + time, world->now)) { // also a moment from now: nothing else would end it
            step->next = ctFmin(step->next, world->now + time);
        }
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair >= 0 && record->count > 0 && ctIslandStep_ShareOf(world, record) != ct_shareNone) {
            double until = ctFmin(regular, step->next);
            step->next = ctFmin(step->next, ctContact_TimeOfArrival(world, record, until, few, step->dt > 0.0));
        }
    }
    // After many extra steps the next one is not as short again, but it ends where something arrives.
    double least = CT_PART_STEP * CT_PART_STEP * step->length;
    double full = ctFmin(regular, ctFmax(step->next, world->now + least));
    double leaving =
        few && !step->rests ? timeOfLeaving(world, island, step, ctFmin(regular, step->next)) : (double)INFINITY;
    step->next = ctFmin(step->next, leaving);
    island->changed = leaving <= step->next && leaving < regular && !step->full;
    if (!(step->next < regular) || step->full) {
        island->extra = 0;
        island->due = step->full ? full : regular;
    } else if (island->extra < CT_EXTRA_STEPS) {
        island->extra++;
        island->due = step->next;
    } else {
        island->due = world->now; // once more, with every point held
    }
    if (step->rests && island->due == end) {
        ctIsland_ComeToRest(world, island);
    }
}

// The error of the prediction of a smooth step for one body, as a share of the size.
double ctIslandStep_MissOf(const ctWorld *world, int index, const ctSolverBody *s)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    double dt = world->now - b->base;
    if (!ctBody_IsInContact(body)) {
        return 0.0; // its flight is exact
    }
    ctVec3 a = ctScale(1.0 / dt, ctSub(s->v, b->v)), alpha = ctScale(1.0 / dt, ctSub(s->w, b->w));
    return 0.5 * dt * dt * (ctDistance(a, body->a) / body->radius + ctDistance(alpha, body->alpha));
}

double ctIslandStep_Miss(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    double most = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        most = ctFmax(most, ctIslandStep_MissOf(world, c->members[island->firstBody + i], &c->solverBodies[i]));
    }
    return most;
}

// Whether a point stays a smooth one for so long: on ground that reaches far enough, or between two round bodies.
static bool staysSmooth(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, double length)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    if (ctBody_IsMovable(a) && ctBody_IsMovable(b)) {
        const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
        return ctContact_IsSmooth(shapeA->leaves[(int)point->leaf / shapeB->leafCount].shape) &&
               ctContact_IsSmooth(shapeB->leaves[(int)point->leaf % shapeB->leafCount].shape);
    }
    double room = 0.01 * a->radius + (a->ball ? 0.0 : length * ctLength(a->w) * a->radius);
    return ctContact_StaysOnGround(world, record, point, ctScale(1.25 * length, a->v), room);
}

// Whether the bodies keep their motion for so long: no velocity changes by more than a quarter of the fastest, and the
// fixed faces and edges that bear them reach far enough.
static bool keepsCourse(const ctWorld *world, const ctIsland *island, double length)
{
    const ctContacts *c = world->contacts;
    double fastest = 0.0, rate = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        const ctBody *body = &world->bodies[c->members[island->firstBody + i]];
        fastest = ctFmax(fastest, ctFastest(body->v, body->w, body->radius));
        rate = ctFmax(rate, ctLength(body->a) + ctLength(body->alpha) * body->radius);
    }
    if (!(length * rate <= 0.25 * fastest)) {
        return false;
    }
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctContactRecord *record = &c->records[c->refs[i].record];
        const ctContactPoint *point = &record->points[c->refs[i].point];
        if (ctLengthSquared(point->force) > 0.0 && !staysSmooth(world, record, point, length)) {
            return false;
        }
    }
    return true;
}

// The length of the next regular steps: longer and longer for bodies whose motion is smooth.
// Called after a smooth step; miss: the error of its prediction.
void ctIslandStep_Stride(const ctWorld *world, ctIsland *island, ctIslandStep *step, double miss)
{
    int doublings = miss > CT_ROUGH_MISS ? island->doublings - 1 : island->doublings;
    if (miss < CT_SMOOTH_MISS && step->dt > 0.9 * ldexp(step->regular, doublings) &&
        ldexp(1.0, doublings + 1) <= CT_LONGEST_STEPS) {
        doublings++;
    }
    while (doublings > 0 && !keepsCourse(world, island, ldexp(step->regular, doublings))) {
        doublings--;
    }
    island->doublings = doublings > 0 ? doublings : 0;
    step->length = ctFmin(step->length, ldexp(step->regular, island->doublings));
}
