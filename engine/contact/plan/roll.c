// The motion of an island of one body that rolls, slides or spins on one point of flat ground at rest.
//
// The contact is smooth, so that the motion is an ordinary differential equation (motion/motion.c). It is solved ahead,
// for the rest of the frame if nothing else can come near meanwhile. The body then has a plan, and its state at any
// time is that of the solution. No point of the body moves by more than plan.path before the plan ends; other code
// needs no more than this bound. A caller that needs the exact state (ctBody_Advance) ends the plan: the body is
// brought to the present, the work of its contact is booked, and its island is due for a step at once.
//
// Where others are near, so that times of impact must be found, the plan is short, and the body moves on a parabola
// that ends where the solution ends, as bodies in contact do. Motion that is not smooth is left to the general step.
#include "engine/contact/ground.h"
#include "engine/contact/plan/course.h"

#include "collision/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Turn of the point of contact around the body, or of the body, in one step, rad.
// Larger: steps are rejected; smaller: there are more of them.
#define ROLL_PER_STEP 0.8
#define CUBE(x) ((x) * (x) * (x))
// Gap or overlap, as a share of the radius, that a plan may begin with; it is taken away at once.
#define NEAR (5.0 * CT_APART)
// Another edge of the body comes so near to the ground, as a share of the radius, that it bears.
#define RIM (0.5 * CT_CLOSED)
// A distance is measured anew when the two have moved by more than this share of the smaller radius.
// Larger: plans end for distances that are no longer true; smaller: measurements.
#define STALE 0.15
#define BISECTIONS 24 // [cap]
// It ends where the room that is left allows but this share of a step.
// Larger: plans are cut short; smaller: they end in many short parts.
#define CRAMPED 0.5

// ---- the body and its point -------------------------------------------------------------------

// The one place where the record bears, or -1: its lowest point. Where the lowest point of a rim is one of the fixed
// points beside it as well, there are two of them.
static int bearingPoint(const ctContactRecord *record, double near)
{
    int found = -1;
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *p = &record->points[i];
        if (!(ctLengthSquared(p->force) > 0.0)) {
            continue;
        }
        if (!p->known || (found >= 0 && ctDistance(p->pointA, record->points[found].pointA) > near)) {
            return -1;
        }
        found = found < 0 || p->gap < record->points[found].gap ? i : found;
    }
    return found;
}

// 1 + the piece of a lathe that lies at the point of contact, which need not be the lowest yet when another edge has
// just come to bear; 0 for other shapes.
static int pieceAt(const ctShape *shape, ctVec3 center, const ctContactBody *base, const ctContactPoint *point)
{
    if (shape->type != ct_shapeLathe) {
        return 0;
    }
    const ctLathe *l = &shape->u.lathe;
    ctVec3 p = ctAdd(ctInvRotate(base->q, ctSub(point->pointA, base->x)), center);
    double r = sqrt(p.x * p.x + p.y * p.y), least = INFINITY;
    int found = 0;
    for (int i = 0; i < l->count; i++) {
        double dr = l->r[i] - r, dz = l->z[i] - p.z, square = dr * dr + dz * dz;
        found = square < least ? i : found;
        least = ctFmin(least, square);
    }
    return 1 + found;
}

static void setUp(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                  const ctGround *ground, ctRoller *b, double *y)
{
    const ctContactBody *base = &world->contacts->bodies[record->a];
    const ctBodyInfo *info = &world->infos[record->a];
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    *b = (ctRoller){.shape = ctShape_Against(ctBody_Shape(world, record->a), ctBody_Shape(world, record->b)),
                    .center = info->center,
                    .n = ground->n,
                    .offset = ground->offset};
    b->gravity = ctBody_Pull(world, record->a);
    b->axes = info->inertia.axes;
    ctQuat f = b->frame = info->inertia.frame;
    b->turned = f.x != 0.0 || f.y != 0.0 || f.z != 0.0;
    b->inertia = info->inertia.principal;
    b->inverse = info->inertia.inversePrincipal;
    b->mass = info->mass;
    b->friction = pair.friction;
    b->rolling = pair.rolling;
    b->spinning = pair.spinning;
    b->bears = pieceAt(b->shape, b->center, base, point);
    const ctInertia *in = &info->inertia;
    b->pullN = ctDot(b->gravity, b->n);
    bool level = ctLengthSquared(b->gravity) - b->pullN * b->pullN <= 1e-20 * ctLengthSquared(b->gravity);
    bool axial = in->kind == ct_inertiaSpherical ||
                 (in->kind == ct_inertiaAxisymmetric && in->bodyAxis.z * in->bodyAxis.z > 1.0 - 1e-12);
    b->revolves = b->shape->type == ct_shapeLathe && level && axial && b->center.x == 0.0 && b->center.y == 0.0;
    if (b->revolves) {
        bool ball = in->kind == ct_inertiaSpherical;
        double along = ball ? in->principal.x : in->along, across = ball ? in->principal.x : in->across;
        b->along = 1.0 / along;
        b->across = 1.0 / across;
        b->bias = (along - across) / across;
    }
    ctQuat q = b->turned ? ctMulQ(base->q, f) : base->q;
    memset(y, 0, ct_rollState * sizeof *y);
    ctRoll_Put(y, ct_rollX, base->x);
    ctRoll_Put(y, ct_rollV, base->v);
    ctRoll_Put(y, ct_rollW, ctInvRotate(q, base->w));
    ctRoll_PutOrientation(y, q);
}

// ---- following the motion ---------------------------------------------------------------------

// The longest step that follows the motion. A disc that sinks wobbles faster and faster.
static double stepLength(const ctRoller *b, const ctRollPose *p)
{
    if (b->shape->type != ct_shapeLathe || !(p->rho > 0.0)) {
        return ROLL_PER_STEP / (ctFmax(p->circling, p->turning) + 1e-300);
    }
    double shallow = CT_STEEP / p->rho; // its cube root, within bounds
    double turn = ROLL_PER_STEP * (shallow > CUBE(1.4) ? 1.4 : shallow < CUBE(0.7) ? 0.7 : ctCbrt(shallow));
    double step = turn / (ctFmax(p->circling, p->turning) + 1e-300);
    for (int i = 0; i < 2; i++) {
        double left = ctFmax(p->rho + 1.5 * step * ctFmin(p->rhoRate, 0.0), 0.5 * p->rho);
        step = turn / (ctFmax(p->circling * (p->rho / left) * (p->rho / left), p->turning) + 1e-300);
    }
    return step;
}

// How far from bearing is the flat side of a lathe (0), the edge before (1) or after (2) the one that touches, m, and
// how fast that changes. Infinite where there is none.
enum { WAYS = 3 };
static double clearance(const ctRoller *b, const ctRollPose *p, double radius, int way, double *rate)
{
    const ctLathe *l = &b->shape->u.lathe;
    int other = way == 1 ? b->code - 1 : b->code + 1;
    if (way == 0) {
        *rate = radius * p->rhoRate;
        return radius * (p->rho - CT_ROLL_FLAT);
    }
    *rate = 0.0;
    if (other < 0 || other >= l->count) {
        return INFINITY;
    }
    double dr = l->r[b->code] - l->r[other], dz = l->z[b->code] - l->z[other];
    *rate = dr * p->rhoRate + dz * p->zRate;
    return dr * p->rho + dz * p->z - RIM * radius;
}

// How long it takes at the present rates until something else bears, s; 0 when it does. An edge that has just stopped
// bearing leaves.
static double timeAlone(const ctRoller *b, const ctRollPose *p, double radius)
{
    double time = INFINITY;
    for (int i = 0; i < WAYS && b->shape->type == ct_shapeLathe; i++) {
        double rate, left = clearance(b, p, radius, i, &rate);
        bool leaves = i > 0 && rate > 0.0 && left > -3.0 * RIM * radius;
        if (!(left > 0.0) && !leaves) {
            return 0.0;
        }
        time = rate < 0.0 ? ctFmin(time, left / -rate) : time;
    }
    return time;
}

// Something else bears after a step, and did not before: when it begins to, from the first, by the cubic through
// distances and rates at both ends.
static double timeOfBearing(const ctRoller *b, const ctRollPose *before, const ctRollPose *after, double radius,
                            double step)
{
    double first = 1.0; // of the step
    for (int i = 0; i < WAYS && b->shape->type == ct_shapeLathe; i++) {
        double r0, r1, c0 = clearance(b, before, radius, i, &r0), c1 = clearance(b, after, radius, i, &r1);
        if (!(c0 > 0.0 && c1 <= 0.0)) {
            continue;
        }
        double a = step * r0, fall = c0 - c1, q = -3.0 * fall - step * (2.0 * r0 + r1),
               r = 2.0 * fall + step * (r0 + r1);
        double lo = 0.0, hi = first;
        for (int k = 0; k < BISECTIONS; k++) {
            double t = 0.5 * (lo + hi);
            if (c0 + t * (a + t * (q + t * r)) > 0.0) {
                lo = t;
            } else {
                hi = t;
            }
        }
        first = lo;
    }
    return step * (first < 1.0 ? first : 0.5);
}

// Whether nothing else is about to bear: another edge of the body, or the edge of the ground.
static bool isAlone(const ctRoller *b, const ctGround *ground, const ctRollPose *p, ctVec3 foot, double radius)
{
    return ctGround_Holds(ground, foot, CT_CONTACT_MARGIN * radius) && timeAlone(b, p, radius) > 0.0;
}

// How far from where it was at the start the body is at most during a step in which it moves no farther than way (m);
// *stray: at the step's start, then at its end. A disc that wobbles in place gets nowhere, however far its points
// travel.
static double strayIn(const ctRoller *b, const ctRollPlace *first, const ctRollPlace *last, double radius, double way,
                      double *stray)
{
    if (!b->disc) {
        *stray += way;
        return *stray;
    }
    double before = *stray;
    *stray = ctDistance(first->x, last->x) + radius * ctDistance(first->axis, last->axis);
    return 0.5 * (before + *stray + way);
}

static void addMark(ctRollPlan *plan, double time, const double *s)
{
    if (plan->markCount < CT_ROLL_MARKS) {
        ctRollMark *mark = &plan->marks[plan->markCount++];
        mark->time = time;
        mark->part = plan->roller.part;
        memcpy(mark->state, s, sizeof mark->state);
    }
}

// Moves the state s on, in steps that suit a plan of length (s): as far as the motion is smooth, the body is alone on
// the ground, and strays no farther than room (m). Returns how far it got.
static double follow(ctRollPlan *plan, const ctGround *ground, double room, double length, double *s)
{
    ctRoller *b = &plan->roller;
    double done = 0.0, shortest = 0.5 * plan->least, radius = plan->radius, limit = INFINITY, stray = 0.0;
    plan->path = plan->fastest = 0.0;
    plan->cramped = false;
    plan->markCount = plan->steps = 0;
    ctRollPlace first = ctRoll_Where(b, s);
    ctRollPose pose = ctRoll_Pose(b, s);
    double fast = ctRoll_Speed(b, s, radius);
    addMark(plan, 0.0, s);
    // A plan of many steps is cut off: it may be given up soon, and all of it would have been in vain.
    while (done < length * (1.0 - 1e-9) && (plan->steps < CT_ROLL_MARKS || done < plan->least)) {
        double z[ct_rollState], natural = stepLength(b, &pose), alone = timeAlone(b, &pose, radius);
        double left = length - done, before = stray;
        double fits = (b->disc ? 2.0 : 1.0) * (room - stray) / (fast + natural * ctRoll_Pull(b, radius));
        double step = ctFmin(natural, fits);
        step = step < left ? left / ceil(left / step) : left;
        step = ctFmin(limit, alone < CT_PART_STEP * step ? ctFmax(alone - 0.5 * shortest, shortest) : step);
        plan->cramped = fits < CRAMPED * ctFmin(natural, left);
        if (plan->cramped || alone < shortest || (step < shortest && step < left)) {
            break;
        }
        memcpy(z, s, sizeof z);
        double taken = ctRoll_Step(b, z, step), again = ctFmin(0.5 * step, alone);
        plan->steps++;
        if (taken > 0.0) {
            ctRollPlace last = ctRoll_Where(b, z);
            ctRollPose next = ctRoll_Pose(b, z);
            // In the middle of the step it is faster by no more than half of the step times the greatest acceleration.
            // That is twice the greatest of the seven in each part at which it was evaluated, at most.
            double speed = ctRoll_Speed(b, z, radius), most = ctFmax(fast, speed) + taken * ctRoll_Pull(b, radius);
            double path = ctFmax(plan->path, strayIn(b, &first, &last, radius, taken * most, &stray));
            plan->cramped = path > room;
            if (plan->cramped) {
                break;
            }
            if (isAlone(b, ground, &next, last.foot, radius)) {
                plan->fastest = ctFmax(plan->fastest, most);
                plan->path = path;
                pose = next;
                fast = speed;
            } else {
                stray = before;
                again = ctFmin(timeOfBearing(b, &pose, &next, radius, taken) - 0.5 * shortest, 0.9 * taken);
                taken = 0.0;
            }
        }
        if (!(taken > 0.0)) {
            limit = again;
            if (limit < shortest) {
                break;
            }
            continue;
        }
        limit *= 2.0;
        done = left - taken < 1e-9 * length ? length : done + taken;
        memcpy(s, z, sizeof z);
        addMark(plan, done, s);
    }
    return done < length * (1.0 - 1e-9) ? done : length;
}

// ---- settling ---------------------------------------------------------------------------------

static ctRollPlan *planOf(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    int plan = index < c->bodyCapacity ? c->bodies[index].plan : 0;
    return plan > 0 && c->plans[plan - 1].base == c->bodies[index].base ? &c->plans[plan - 1] : NULL;
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
    world->contacts->bodies[index].plan = -abs(world->contacts->bodies[index].plan);
}

// The state at a time within the plan, and the roller as it is there.
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
        double step = ctFmin(left, ctFmin(stepLength(b, &pose), limit));
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

// The point of contact, as it was at the state y.
static void leavePoint(ctWorld *world, const ctRollPlan *plan, const ctRoller *b, const double *y, double dt)
{
    ctContactRecord *record = &world->contacts->records[plan->record];
    ctContactPoint *p = &record->points[0];
    ctVec3 gained = ctSub(ctRoll_Get(y, ct_rollV), ctRoll_Get(plan->start, ct_rollV));
    p->impulse = ctMulAdd(p->impulse, b->mass, ctMulAdd(gained, -dt, b->gravity));
    p->force = b->force;
    p->torque = b->torque;
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
        // Ended by a neighbour's look as it began: a second time it would be so for ever.
        plan->crowded = plan->crowded == world->now ? world->now + CT_CROWDED : world->now;
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
    c->bodies[index].plan = -c->bodies[index].plan;
    ctEnergy_CloseRoll(world, index, y[ct_rollWork]);
    ctContactBody_Rebase(world, index);
    ctBody_UpdateBounds(world, index);
    body->courseEnd = world->now;
    ctIsland_MakeDue(world, index);
}

// ---- planning ---------------------------------------------------------------------------------

static ctRollPlan *takePlan(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    ctContactBody *b = &c->bodies[index];
    if (b->plan == 0) {
        if (!ctReserve((void **)&c->plans, &c->planCapacity, c->planCount + 1, sizeof(ctRollPlan))) {
            return NULL; // the general step does it, too
        }
        c->plans[c->planCount] = (ctRollPlan){.part = 0.0};
        b->plan = -++c->planCount;
    }
    return &c->plans[abs(b->plan) - 1];
}

// How far a body can get within a time from now.
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

double ctPlan_RoomAround(ctWorld *world, int index, double time, double wish)
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
        double pathA = world->bodies[pair->a].path, pathB = world->bodies[pair->b].path;
        double size = ctBodies_Size(body, other);
        double kept = CT_ROOMY * size + reachOf(world, other, time), moved = pathA - pair->pathA + pathB - pair->pathB;
        if (pair->distance - moved < kept + wish && moved > STALE * size) {
            pair->distance = ctPair_Distance(world, links[i].tag);
            pair->pathA = pathA;
            pair->pathB = pathB;
            moved = 0.0;
        }
        room = ctFmin(room, pair->distance - moved - kept);
    }
    return room;
}

// The plan from the body's base on; b and s are its body there (ctRoll_Enter). False when there can be none.
static bool makePlan(ctWorld *world, ctRollPlan *plan, const ctRoller *b, const double *s, int index,
                     const ctGround *ground, double room, double length)
{
    double z[ct_rollState];
    plan->roller = *b;
    plan->roller.part = plan->part;
    plan->asked = length;
    plan->room = room;
    plan->least = ldexp(world->tickStep, -CT_MAX_HALVINGS);
    plan->base = world->contacts->bodies[index].base;
    plan->radius = world->bodies[index].radius;
    memcpy(z, s, sizeof z);
    plan->length = follow(plan, ground, room, length, z);
    if (!(plan->length >= ctFmin(plan->least, length))) {
        return false;
    }
    ctRoll_Leave(&plan->roller, z, plan->end, plan->rates);
    world->infos[index].reach = plan->path;
    return true;
}

// The longest of the short steps that follow the motion on a parabola.
static double shortLength(const ctWorld *world, double longest, double radius)
{
    longest = ctFmin(longest, CT_FALL_PER_STEP * sqrt(radius / ctLength(world->def.gravity)));
    double least = ldexp(world->tickStep, -CT_MAX_HALVINGS), step = ldexp(world->tickStep, CT_DOUBLINGS);
    while (step > least && (step > longest || step > world->def.frameTime)) {
        step *= 0.5;
    }
    return step;
}

// The parabola that ends where the plan does.
static void fitParabola(const ctWorld *world, int index, const ctRollPlan *plan, ctBody *body)
{
    ctBodyState end = bodyState(world, index, plan, plan->end);
    double h = plan->length, f = 2.0 / (h * h);
    body->a = ctScale(f, ctMulAdd(ctSub(end.x, body->x), -h, body->v));
    ctVec3 turn = ctQuatLog(ctMulQ(end.q, ctConjugate(body->q)));
    body->alpha = ctScale(f, ctMulAdd(turn, -h, body->w));
}

static bool isCandidate(const ctWorld *world, const ctIsland *island, int index, const ctContactRecord *record)
{
    const ctBody *body = &world->bodies[index], *ground = &world->bodies[record->b];
    if (world->infos[record->b].tile != NULL && !ground->plane) {
        return false; // the triangle beside the one it is on may rise into its way
    }
    return record->pair >= 0 && record->a == index && ground->mode == ct_modeFixed && !body->ball && !body->driven &&
           !ctBody_HasBelt(world, record->b) && !body->struck && ctBody_IsInContact(body) && !island->changed &&
           ctContact_IsSmooth(ctBody_Shape(world, index));
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
    int bearing = bearingPoint(record, CT_APART * body->radius);
    ctGround ground;
    if (bearing < 0 || !(fabs(record->points[bearing].gap) <= NEAR * body->radius) ||
        !ctGround_Find(world, record->b, (int)record->points[bearing].leaf, record->points[bearing].n, &ground)) {
        return false;
    }
    ctRollPlan *plan = takePlan(world, index);
    if (plan == NULL) {
        return false;
    }
    plan->record = c->sorted[island->firstRecord];
    ctRoller b;
    double s[ct_rollState];
    setUp(world, record, &record->points[bearing], &ground, &b, plan->start);
    if (!ctRoll_Enter(&b, plan->start, s)) {
        return false;
    }
    ctRollPose pose = ctRoll_Pose(&b, s);
    if (!isAlone(&b, &ground, &pose, ctRoll_Where(&b, s).foot, body->radius)) {
        return false;
    }
    double end = ctIsland_NextRegular(world, world->def.frameTime), frame = end - world->now;
    double brief = shortLength(world, 0.5 * stepLength(&b, &pose), body->radius);
    double room = INFINITY, length = frame, need = 0.5 * brief * ctRoll_Speed(&b, s, body->radius);
    while (length > CT_WORTHWHILE * brief && !((room = ctPlan_RoomAround(world, index, length, body->radius)) > need)) {
        length *= 0.5;
    }
    if (length < frame) {
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
        if (!makePlan(world, plan, &b, s, index, &ground, INFINITY, end - world->now)) {
            return false;
        }
    }
    if (bearing != 0) {
        record->points[0] = record->points[bearing];
    }
    record->points[0].n = record->normal = ground.n;
    record->count = 1;
    record->lost = record->ended = false;
    c->bodies[index].plan = abs(c->bodies[index].plan);
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
    ctRollPlan *plan = &c->plans[c->bodies[index].plan - 1];
    const ctContactRecord *record = &c->records[plan->record];
    ctGround ground;
    ctRoller b;
    double s[ct_rollState];
    bool known = record->pair >= 0 && record->a == index && record->count == 1 && c->bodies[index].records > 0 &&
                 ctBody_IsInContact(body) && !body->ball && ctContact_IsSmooth(ctBody_Shape(world, index)) &&
                 plan->asked > 0.0 && plan->asked <= (1.0 + 1e-6) * world->def.frameTime && plan->part >= 0.0 &&
                 ctGround_Find(world, record->b, (int)record->points[0].leaf, record->points[0].n, &ground);
    if (!known) {
        return false;
    }
    setUp(world, record, &record->points[0], &ground, &b, plan->start);
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
    if (island->bodyCount == 1 && c->bodies[first].plan > 0 && planOf(world, first) != NULL && !body->struck &&
        ctBody_IsInContact(body)) {
        ctRoll_Settle(world, first);
        ctEnergy_OpenStep(world, island);
    }
    bool here = island->bodyCount <= CT_COURSE_BODIES;
    for (int i = 0; i < island->bodyCount; i++) {
        ctRoll_Drop(world, c->members[island->firstBody + i]);
        here = here && c->bodies[c->members[island->firstBody + i]].base == world->now;
    }
    if (!here) {
        return false;
    }
    ctIsland_TrySleep(world, island, dt);
    return !(island->due < (double)INFINITY) || ctIsland_PlanRoll(world, island, true);
}
