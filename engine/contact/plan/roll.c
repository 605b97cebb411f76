// The motion of an island of one body that rolls, slides or spins on one point of flat ground at rest.
//
// The contact is smooth, so that the motion is an ordinary differential equation (motion/motion.c). It is solved ahead,
// for up to 1/60 s if nothing else can come near meanwhile. The body then has a plan, and its state at any time is that
// of the solution. No point of the body moves by more than plan.path before the plan ends; other code
// needs no more than this bound. A caller that needs the exact state (ctBody_Advance) ends the plan: the body is
// brought to the present, the work of its contact is booked, and its island is due for a step at once.
//
// Where others are near, so that times of impact must be found, the plan is short, and the body moves on a parabola
// that ends where the solution ends, as bodies in contact do. Motion that is not smooth is left to the general step.
#include "engine/contact/plan/roll.h"
#include "engine/contact/ground.h"
#include "engine/contact/plan/course.h"

#include "collision/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Gap or overlap, as a share of the radius, that a plan may begin with; it is removed at once.
#define NEAR (5.0 * CT_APART)
// A distance is measured again when the two have moved by more than this share of the smaller radius. Larger: plans end
// because of outdated distances; smaller: more measurements.
#define STALE 0.15

// ---- settling ---------------------------------------------------------------------------------

static ctRollPlan *planOf(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctContactBody *b = index < c->bodyCapacity ? &c->bodies[index] : NULL;
    return b != NULL && b->planIsOn && b->plan->base == b->base ? b->plan : NULL;
}

void ctRoll_Drop(ctWorld *world, int index)
{
    if (index >= world->contacts->bodyCapacity) {
        return;
    }
    if (ctCourse_Has(world, index)) {
        ctCourse_Drop(world, index);
    }
    if (ctBody_IsPlanned(&world->bodies[index])) {
        ctRoll_Settle(world, index);
    }
    world->contacts->bodies[index].planIsOn = false;
}

// The state at a time within the plan, and the roller there.
static void stateIn(const ctRollPlan *plan, double t, ctRoller *b, double *y, double *rates)
{
    double dt = t - plan->base;
    *b = plan->roller;
    if (dt >= plan->length) {
        memcpy(y, plan->end, sizeof plan->end);
        memcpy(rates, plan->rates, sizeof plan->rates);
        return;
    }
    int at = plan->markCount - 1;
    while (at > 0 && plan->marks[at].time > dt) {
        at--;
    }
    const ctRollMark *mark = &plan->marks[at];
    double s[ct_rollState], z[ct_rollState], left = dt - mark->time, limit = INFINITY;
    memcpy(s, mark->state, sizeof s);
    b->part = mark->part;
    while (left > 1e-9 * plan->length && limit > 0.5 * plan->least) {
        ctRollPose pose = ctRoll_Pose(b, s);
        double step = ctFmin(left, ctFmin(ctRoll_StepLength(b, &pose), limit));
        memcpy(z, s, sizeof z);
        double taken = ctRoll_Step(b, z, step);
        if (taken > 0.0) {
            memcpy(s, z, sizeof s);
            left -= taken;
        } else {
            limit = 0.5 * step;
        }
    }
    ctRoll_Leave(b, s, y, rates);
}

static ctBodyState bodyState(const ctWorld *world, int index, const ctRollPlan *plan, const double *y)
{
    ctQuat q = ctRoll_Orientation(y), frame = world->infos[index].inertia.frame;
    return (ctBodyState){ctRoll_Get(y, ct_rollX), ctRoll_Get(y, ct_rollV),
                         plan->roller.turned ? ctNormalizeQ(ctMulQ(q, ctConjugate(frame))) : q,
                         ctRotate(q, ctRoll_Get(y, ct_rollW))};
}

ctBodyState ctRoll_StateAt(const ctWorld *world, int index, double t)
{
    if (ctCourse_Has(world, index)) {
        return ctCourse_StateAt(world, index, t);
    }
    const ctRollPlan *plan = planOf(world, index);
    ctRoller b;
    double y[ct_rollState], rates[ct_rollState];
    stateIn(plan, t, &b, y, rates);
    return bodyState(world, index, plan, y);
}

// The impulse of the contact from the start of the plan to the state y, dt later, N s.
static ctVec3 impulseOf(const ctRollPlan *plan, const double *y, double dt)
{
    const ctRoller *b = &plan->roller;
    ctVec3 gained = ctSub(ctRoll_Get(y, ct_rollV), ctRoll_Get(plan->start, ct_rollV));
    return ctScale(b->mass, ctMulAdd(gained, -dt, b->gravity));
}

void ctRoll_LendImpulses(ctWorld *world, int index, double sign)
{
    if (ctCourse_Has(world, index)) {
        ctCourse_LendImpulses(world, index, sign);
        return;
    }
    const ctRollPlan *plan = planOf(world, index);
    ctRoller b;
    double y[ct_rollState], rates[ct_rollState];
    stateIn(plan, world->now, &b, y, rates);
    ctContactPoint *p = &world->contacts->records[plan->record].points[0];
    p->impulse = ctMulAdd(p->impulse, sign, impulseOf(plan, y, world->now - plan->base));
}

void ctRoll_AddOpen(const ctWorld *world, int index, ctStats *stats)
{
    if (ctCourse_Has(world, index)) {
        ctCourse_AddOpen(world, index, stats);
        return;
    }
    const ctRollPlan *plan = planOf(world, index);
    ctRoller b;
    double y[ct_rollState], rates[ct_rollState];
    stateIn(plan, world->now, &b, y, rates);
    stats->frictionLoss -= y[ct_rollWork];
    stats->stepError -= y[ct_rollWork];
}

// The point of contact, as it was at the state y.
static void leavePoint(ctWorld *world, const ctRollPlan *plan, const ctRoller *b, const double *y, double dt)
{
    ctContactRecord *record = &world->contacts->records[plan->record];
    ctContactPoint *p = &record->points[0];
    p->impulse = ctAdd(p->impulse, impulseOf(plan, y, dt));
    ctContactPoint_Load(p, b->force, b->torque);
    p->gap = 0.0;
    p->armA = b->arm;
    p->pointA = p->pointB = ctAdd(ctRoll_Get(y, ct_rollX), b->arm);
    p->armB = ctSub(p->pointB, world->bodies[record->b].x);
}

void ctRoll_Settle(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    if (ctCourse_Has(world, index)) {
        ctCourse_Settle(world, index);
        return;
    }
    ctBody *body = &world->bodies[index];
    ctRollPlan *plan = planOf(world, index);
    ctRoller b;
    double y[ct_rollState], rates[ct_rollState], dt = world->now - plan->base;
    stateIn(plan, world->now, &b, y, rates);
    ctBodyState s = bodyState(world, index, plan, y);
    if (dt > 0.0) {
        leavePoint(world, plan, &b, y, dt);
        body->path += ctBody_IsPlanned(body) ? ctFmin(plan->path, dt * plan->fastest) : 0.0;
        plan->part = b.part;
    } else if (ctBody_IsPlanned(body)) {
        // A look of a neighbour has ended it at its start: a second time this would never end.
        double pause = CT_CROWDED * ctWorld_FallTime(world, body->radius);
        plan->crowded = plan->crowded == world->now ? world->now + pause : world->now;
    }
    body->x = s.x;
    body->v = s.v;
    body->q = s.q;
    body->w = s.w;
    body->a = ctRoll_Get(rates, ct_rollV);
    body->alpha = ctRotate(ctRoll_Orientation(y), ctRoll_Get(rates, ct_rollW));
    body->t = world->now;
    if (ctBody_IsPlanned(body)) {
        ctBody_SetMode(body, ct_modeContact);
    }
    c->bodies[index].planIsOn = false;
    ctEnergy_CloseRoll(world, index, y[ct_rollWork]);
    ctContactBody_Rebase(world, index);
    ctBody_UpdateBounds(world, index);
    body->courseEnd = world->now;
    ctIsland_MakeDue(world, index, world->now);
}

// ---- planning ---------------------------------------------------------------------------------

ctRollPlan *ctRoll_TakePlan(ctContactBody *body)
{
    if (body->plan == NULL) {
        body->plan = ctAllocate(1, sizeof *body->plan);
    }
    return body->plan;
}

// How far a body can move within a time from now.
static double reachOf(const ctWorld *world, const ctBody *body, double time)
{
    if (!ctBody_IsMovable(body) && body->mode != ct_modeKinematic) {
        return 0.0;
    }
    if (ctBody_IsPlanned(body)) {
        return world->infos[ctBody_Index(world, body)].reach;
    }
    double dt = time + world->now - body->t, pull = ctLength(body->a) + body->alphaMax * body->radius;
    return dt * (ctBody_SpeedBound(body) + 0.5 * dt * pull);
}

double ctPlan_RoomAround(ctWorld *world, int index, double time, double wish, bool looks)
{
    const ctBody *body = &world->bodies[index];
    double room = INFINITY;
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    for (int i = 0; i < count; i++) {
        if (links[i].tag != CT_LATENT && world->bodies[links[i].other].terrain) {
            room = ctFmin(room, ctTile_Room(world, world->pairs[links[i].tag].b));
        }
        if (links[i].tag == CT_LATENT || !ctPair_IsAwaited(&world->pairs[links[i].tag])) {
            continue;
        }
        ctBodyPair *pair = &world->pairs[links[i].tag];
        const ctBody *other = &world->bodies[links[i].other];
        if (looks) {
            continue;
        }
        double pathA = world->bodies[pair->a].path, pathB = world->bodies[pair->b].path;
        double size = ctBodies_Size(body, other);
        double kept = CT_ROOMY * size + reachOf(world, other, time), moved = pathA - pair->pathA + pathB - pair->pathB;
        if (pair->distance - moved < kept + wish && moved > STALE * size) {
            ctBodyState states[2];
            pair->distance = ctPair_Distance(world, links[i].tag, world->now, states);
            pair->pathA = pathA;
            pair->pathB = pathB;
            moved = 0.0;
        }
        room = ctFmin(room, pair->distance - moved - kept);
    }
    return room;
}

// Makes the plan from the body's base on; b and s: the roller there (ctRoll_Enter). False when there can be none.
static bool makePlan(ctWorld *world, ctRollPlan *plan, const ctRoller *b, const double *s, int index,
                     const ctGround *ground, double room, double length)
{
    double z[ct_rollState];
    plan->roller = *b;
    plan->roller.part = plan->part;
    plan->asked = length;
    plan->room = room;
    plan->base = world->contacts->bodies[index].base;
    plan->radius = world->bodies[index].radius;
    plan->least = ctContact_LeastStep(world, plan->radius);
    memcpy(z, s, sizeof z);
    plan->length = ctRollPlan_Follow(plan, ground, room, length, z);
    if (!(plan->length >= ctFmin(plan->least, length))) {
        return false;
    }
    ctRoll_Leave(&plan->roller, z, plan->end, plan->rates);
    world->infos[index].reach = plan->path;
    world->infos[index].pace = INFINITY;
    return true;
}

// The longest of the short steps that follow the motion on a parabola.
static double shortLength(const ctWorld *world, double longest, double radius)
{
    double least = ctContact_LeastStep(world, radius), step = ldexp(ctWorld_StepOf(world, radius), CT_DOUBLINGS);
    while (step > least && step > longest) {
        step *= 0.5;
    }
    return step;
}

// The parabola that ends where the plan ends.
static void fitParabola(const ctWorld *world, int index, const ctRollPlan *plan, ctBody *body)
{
    ctBodyState end = bodyState(world, index, plan, plan->end);
    double h = plan->length, f = 2.0 / (h * h);
    body->a = ctScale(f, ctMulAdd(ctSub(end.x, body->x), -h, body->v));
    ctVec3 turn = ctQuatLog(ctMulQ(end.q, ctConjugate(body->q)));
    body->alpha = ctScale(f, ctMulAdd(turn, -h, body->w));
}

// Whether a body of revolution meets resistance: its own frame is cheaper than a course.
static bool isWheel(const ctWorld *world, const ctContactRecord *record)
{
    ctCoefficients material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    return ctBody_Shape(world, record->a)->type == ct_shapeLathe && (material.rolling > 0.0 || material.spinning > 0.0);
}

static bool isCandidate(const ctWorld *world, const ctIsland *island, int index, const ctContactRecord *record)
{
    const ctBody *body = &world->bodies[index], *ground = &world->bodies[record->b];
    if (world->infos[record->b].tile != NULL && !ground->plane) {
        return false; // the next triangle may rise into its way
    }
    return record->pair >= 0 && record->a == index && ground->mode == ct_modeFixed && !body->ball && !body->driven &&
           !ctBody_HasBelt(world, record->b) && !ctBody_IsStruck(body) && ctBody_IsInContact(body) &&
           !island->changed && ctContact_IsSmooth(ctBody_Shape(world, index)) &&
           (isWheel(world, record) || !ctContact_IsExact(world, &world->pairs[record->pair])); // else it has a course
}

static bool planRoll(ctWorld *world, ctIsland *island)
{
    ctContacts *c = world->contacts;
    if (island->bodyCount != 1 || island->recordCount != 1 || !(island->due < (double)INFINITY)) {
        return false;
    }
    int index = c->members[island->firstBody];
    ctContactRecord *record = &c->records[c->sorted[island->firstRecord]];
    ctBody *body = &world->bodies[index];
    if (!isCandidate(world, island, index, record)) {
        return false;
    }
    int bearing = ctRoll_BearingPoint(record, CT_APART * body->radius);
    ctGround ground;
    if (bearing < 0 || !(fabs(record->points[bearing].gap) <= NEAR * body->radius) ||
        !ctGround_Find(world, record->b, (int)record->points[bearing].leaf, record->points[bearing].n, &ground)) {
        return false;
    }
    ctRollPlan *plan = ctRoll_TakePlan(&world->contacts->bodies[index]);
    if (plan == NULL) {
        return false;
    }
    plan->record = c->sorted[island->firstRecord];
    ctRoller b;
    double s[ct_rollState];
    ctRoll_SetUp(world, record, &record->points[bearing], &ground, &b, plan->start);
    if (!ctRoll_Enter(&b, plan->start, s)) {
        return false;
    }
    ctRollPose pose = ctRoll_Pose(&b, s);
    if (!ctRoll_IsAlone(&b, &ground, &pose, ctRoll_Where(&b, s).foot, body->radius)) {
        return false;
    }
    double end = ctIsland_NextRegular(world, CT_LONGEST_STEPS * ctBody_Step(world, body));
    double longest = end - world->now;
    double brief = shortLength(world, 0.5 * ctRoll_StepLength(&b, &pose), body->radius);
    double room = INFINITY, length = longest, need = 0.5 * brief * ctRoll_Speed(&b, s, body->radius);
    while (length > CT_WORTHWHILE * brief &&
           !((room = ctPlan_RoomAround(world, index, length, body->radius, false)) > need)) {
        length *= 0.5;
    }
    if (length < longest) {
        end = world->now + length;
    }
    bool tried = length > CT_WORTHWHILE * brief && world->now >= plan->crowded;
    bool exact = tried && makePlan(world, plan, &b, s, index, &ground, room, length);
    world->frameEvents += tried ? plan->steps : 0; // each takes about as long as an event
    if (tried && !exact && !plan->cramped) {
        return false;
    }
    if (!exact || (plan->cramped && !(plan->length > brief))) {
        exact = false;
        end = ctIsland_NextRegular(world, brief);
        bool made = makePlan(world, plan, &b, s, index, &ground, INFINITY, end - world->now);
        world->frameEvents += plan->steps;
        if (!made) {
            return false;
        }
    }
    if (bearing != 0) {
        record->points[0] = record->points[bearing];
    }
    record->points[0].n = record->normal = ground.n;
    record->count = 1;
    record->lost = record->ended = false;
    c->bodies[index].planIsOn = true;
    if (exact) {
        assert(c->bodies[index].role == ct_roleNone);
        ctBody_SetMode(body, ct_modePlanned);
    }
    if (!exact) {
        fitParabola(world, index, plan, body);
    }
    island->pointCount = 1;
    island->extra = island->doublings = 0;
    island->due = plan->length < plan->asked ? world->now + plan->length : end;
    return true;
}

bool ctIsland_PlanRoll(ctWorld *world, ctIsland *island, bool goesOn)
{
    const ctContacts *c = world->contacts;
    for (int i = 0; i < island->bodyCount && world->terrainCount > 0 && island->bodyCount <= CT_COURSE_BODIES; i++) {
        int index = c->members[island->firstBody + i];
        if (!world->bodies[index].ball && !ctTiles_MakeRoom(world, index)) {
            world->outOfMemory = true;
            return false;
        }
    }
    return planRoll(world, island) || ctIsland_PlanCourse(world, island, goesOn);
}

bool ctRoll_Restore(ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    ctRollPlan *plan = c->bodies[index].plan;
    const ctContactRecord *record = &c->records[plan->record];
    ctGround ground;
    ctRoller b;
    double s[ct_rollState];
    double most = ctFmax(CT_BEAT, CT_LONGEST_STEPS * ctBody_Step(world, body));
    bool known = record->pair >= 0 && record->a == index && record->count == 1 && c->bodies[index].records > 0 &&
                 ctBody_IsInContact(body) && !body->ball && ctContact_IsSmooth(ctBody_Shape(world, index)) &&
                 plan->asked > 0.0 && plan->asked <= (1.0 + 1e-6) * ctFmax(world->def.frameTime, most) &&
                 plan->part >= 0.0 &&
                 ctGround_Find(world, record->b, (int)record->points[0].leaf, record->points[0].n, &ground);
    if (!known) {
        return false;
    }
    ctRoll_SetUp(world, record, &record->points[0], &ground, &b, plan->start);
    return ctRoll_Enter(&b, plan->start, s) && makePlan(world, plan, &b, s, index, &ground, plan->room, plan->asked);
}

bool ctIsland_Roll(ctWorld *world, ctIsland *island, double dt)
{
    ctContacts *c = world->contacts;
    int first = c->members[island->firstBody];
    if (ctCourse_IsFollowed(world, island)) {
        ctCourse_Settle(world, first);
        ctEnergy_OpenStep(world, island);
    }
    const ctBody *body = &world->bodies[first];
    if (island->bodyCount == 1 && planOf(world, first) != NULL && !ctBody_IsStruck(body) && ctBody_IsInContact(body)) {
        ctRoll_Settle(world, first);
        ctEnergy_OpenStep(world, island);
    }
    bool here = island->bodyCount <= CT_COURSE_BODIES, flying = false;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        ctRoll_Drop(world, index);
        flying = flying || world->bodies[index].mode == ct_modeFlying;
        here = here && (world->bodies[index].mode == ct_modeFlying || c->bodies[index].base == world->now);
    }
    if (!here) {
        return false;
    }
    ctIsland_TrySleep(world, island, flying ? 0.0 : dt);
    return !(island->due < (double)INFINITY) || ctIsland_PlanRoll(world, island, true);
}
