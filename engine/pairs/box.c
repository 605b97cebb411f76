// The boxes that bodies move in: their size, their life, and what follows when a course changes.
#include "engine/pairs/pairs.h"

#include <assert.h>

// Fixed and kinematic bodies never pair with each other. Balls of the gas find each other without the broadphase.
static int groupOf(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    return ctBody_IsInGas(body) ? 2 : ctBody_IsMovable(body) ? 0 : 1;
}

bool ctWorld_MoveBox(ctWorld *world, int index, ctError *error)
{
    ctPairSink sink = ctWorld_PairSink(world);
    if (!ctBroadphase_Move(world->broadphase, index, world->bodies[index].box, groupOf(world, index), &sink, error)) {
        return false;
    }
    return world->terrainCount == 0 || ctTiles_Move(world, index) || ctFailMemory(error, "what is seen of a terrain");
}

// The swept box from now on, for everything but moving balls.
static ctBox sweep(ctWorld *world, int index, double duration)
{
    const ctBody *body = &world->bodies[index];
    if (body->t != world->now) {
        ctBody_Advance(world, index);
    }
    ctPose pose = ctBody_Pose(world, body);
    ctBox tight;
    ctShape_Bounds(ctBody_Shape(world, index), &pose, &tight.lo, &tight.hi);
    if (body->mode == ct_modeFixed || body->mode == ct_modeAsleep) {
        return tight;
    }
    if (ctBody_IsPlanned(body)) {
        double path = world->infos[index].reach;
        return (ctBox){ctSub(tight.lo, ctV3(path, path, path)), ctAdd(tight.hi, ctV3(path, path, path))};
    }
    ctMotion motion = ctBody_Motion(world, body);
    return ctSweptBoxTight(&motion, tight, body->radius, duration);
}

static bool holds(const ctBox *outer, const ctBox *inner)
{
    return outer->lo.x <= inner->lo.x && outer->lo.y <= inner->lo.y && outer->lo.z <= inner->lo.z &&
           outer->hi.x >= inner->hi.x && outer->hi.y >= inner->hi.y && outer->hi.z >= inner->hi.z;
}

// The life of a new box: until the body has moved by a share of its radius, and for at least some steps. So a fast body
// costs one long box in a frame and not a thousand small ones. A frame may last for seconds; a box for all of it would
// overlap everything.
static double lifetime(double least, double distance, double speed)
{
    double life = distance / (speed + 1e-300);
    return ctFmin(ctFmax(life, least), CT_BOX_FRAMES * least);
}

static double lifeOf(const ctWorld *world, const ctBody *body)
{
    if (body->mode == ct_modeFixed || body->mode == ct_modeAsleep) {
        return INFINITY;
    }
    double least = ctBody_BoxTime(world, body);
    double speed = ctLength(body->v) + least * ctLength(body->a) + body->wMax * body->radius;
    return lifetime(least, CT_BOX_REACH * body->radius, speed);
}

// ---- balls ------------------------------------------------------------------------------------

// The course of a ball at world->now. The ball is not advanced for this: it stays on the parabola of its last impact,
// and no rounding adds up.
typedef struct Course {
    ctVec3 x, v, a;
    double radius;
    double least, life; // of a new box, s
} Course;

static Course courseOf(const ctWorld *world, const ctBody *body)
{
    double s = world->now - body->t;
    Course c = {.x = ctMulAdd(ctMulAdd(body->x, s, body->v), 0.5 * s * s, body->a),
                .v = ctMulAdd(body->v, s, body->a),
                .a = body->a,
                .radius = body->radius,
                .least = ctBody_BoxTime(world, body)};
    double speed = ctLength(c.v) + c.least * ctLength(c.a);
    double reach = ctBody_IsFlying(body) ? CT_BALL_REACH : CT_BOX_REACH;
    c.life = lifetime(c.least, reach * c.radius, speed);
    return c;
}

// When the coordinate x + v s + a s^2 / 2 leaves the range from lo to hi.
static double leaves(double lo, double hi, double x, double v, double a)
{
    if (a == 0.0) {
        double way = v > 0.0 ? hi - x : x - lo;
        return v != 0.0 ? (way > 0.0 ? way : 0.0) / fabs(v) : (double)INFINITY;
    }
    double up = ctFirstRoot(hi - x, -v, -a), down = ctFirstRoot(x - lo, v, a);
    return up < down ? up : down;
}

// The time that a ball stays in its box, with a small share of the margin against rounding.
static double timeInBox(const Course *c, const ctBox *box)
{
    double r = c->radius * (1.0 + 0.01 * CT_BOX_MARGIN);
    double x = leaves(box->lo.x + r, box->hi.x - r, c->x.x, c->v.x, c->a.x);
    double y = leaves(box->lo.y + r, box->hi.y - r, c->x.y, c->v.y, c->a.y);
    double z = leaves(box->lo.z + r, box->hi.z - r, c->x.z, c->v.z, c->a.z);
    double t = x < y ? x : y;
    return t < z ? t : z;
}

static double sumOf(ctVec3 v)
{
    return v.x + v.y + v.z;
}

// Whether a box is not much larger than a new one would be.
static bool isInKeeping(const Course *c, const ctBox *box)
{
    double way = c->life * sumOf(ctAbs(c->v)) + 0.5 * c->life * c->life * sumOf(ctAbs(c->a));
    return sumOf(ctSub(box->hi, box->lo)) <= CT_BOX_LEFTOVER * (6.0 * (1.0 + CT_BOX_MARGIN) * c->radius + way);
}

// A ball keeps its box until it leaves it, whatever its course inside: the time of leaving is exact.
static bool updateBall(ctWorld *world, int index, bool renew, ctError *error)
{
    ctBody *body = &world->bodies[index];
    Course c = courseOf(world, body);
    double longest = CT_BOX_FRAMES * c.least;
    if (!renew && isInKeeping(&c, &body->box)) {
        double left = ctFmin(timeInBox(&c, &body->box), longest);
        if (left > CT_BOX_KEEP * c.life) {
            ctAgenda_Set(&world->boxAgenda, index, world->now + left);
            return true;
        }
    }
    body->box = ctSweptBall(c.x, c.v, c.a, (1.0 + CT_BOX_MARGIN) * c.radius, c.life);
    double left = ctFmin(timeInBox(&c, &body->box), longest); // at least a life, except for rounding
    ctAgenda_Set(&world->boxAgenda, index, world->now + (left > c.life ? left : c.life));
    return ctWorld_MoveBox(world, index, error);
}

static bool attend(ctWorld *world, int index, ctError *error)
{
    return world->terrainCount == 0 || !ctBody_IsMovable(&world->bodies[index]) || ctTiles_Attend(world, index) ||
           ctFailMemory(error, "what is seen of a terrain");
}

bool ctWorld_KeepBox(ctWorld *world, int index)
{
    Course c = courseOf(world, &world->bodies[index]);
    double left = timeInBox(&c, &world->bodies[index].box), longest = CT_BOX_FRAMES * c.least;
    ctAgenda_Set(&world->boxAgenda, index, world->now + ctFmin(left, longest));
    return ctWorld_MoveBox(world, index, NULL) && attend(world, index, NULL);
}

// ---- boxes ------------------------------------------------------------------------------------

// The box of a body on a plan holds it until the plan ends, and is renewed after the next plan has been made, not
// before it in the same moment.
static void keepForPlan(ctWorld *world, int index)
{
    if (ctBody_IsPlanned(&world->bodies[index])) {
        double end = world->bodies[index].courseEnd + 1e-3 * ctBody_BoxTime(world, &world->bodies[index]);
        if (ctAgenda_Time(&world->boxAgenda, index) < end) {
            ctAgenda_Set(&world->boxAgenda, index, end);
        }
    }
}

bool ctWorld_UpdateBox(ctWorld *world, int index, bool renew, ctError *error)
{
    ctBody *body = &world->bodies[index];
    if (body->plane || !ctBroadphase_Has(world->broadphase, index)) {
        return true; // it has no box, or is being removed
    }
    if (body->ball && body->mode != ct_modeFixed && body->mode != ct_modeAsleep && !ctBody_IsPlanned(body)) {
        return updateBall(world, index, renew, error) && attend(world, index, error);
    }
    if (!renew) {
        double left = ctAgenda_Time(&world->boxAgenda, index) - world->now;
        if (left > CT_BOX_FRAMES * ctBody_BoxTime(world, body)) {
            left = lifeOf(world, body); // it was at rest
        }
        ctBox rest = sweep(world, index, left);
        if (holds(&body->box, &rest)) {
            keepForPlan(world, index);
            return attend(world, index, error);
        }
    }
    double life = lifeOf(world, body);
    ctBox box = sweep(world, index, life);
    double margin = CT_BOX_MARGIN * body->radius;
    if (body->mode == ct_modeFixed || body->mode == ct_modeAsleep) {
        margin = (body->mode == ct_modeFixed ? 10.0 * CT_CONTACT_MARGIN : CT_FIND_AGAIN) * body->radius;
    }
    ctVec3 grow = ctV3(margin, margin, margin);
    body->box = (ctBox){ctSub(box.lo, grow), ctAdd(box.hi, grow)};
    ctAgenda_Set(&world->boxAgenda, index, world->now + life);
    keepForPlan(world, index);
    return ctWorld_MoveBox(world, index, error) && attend(world, index, error);
}

// ---- courses ----------------------------------------------------------------------------------

void ctWorld_CourseChanged(ctWorld *world, int index)
{
    assert(!ctBody_IsInGas(&world->bodies[index]));
    ctBody_UpdateBounds(world, index);
    if (!ctWorld_UpdateBox(world, index, false, NULL) || !ctWorld_ScheduleFresh(world)) {
        world->outOfMemory = true;
    }
    ctPair_ScheduleAll(world, index);
}

// ---- the broadphase -------------------------------------------------------------------------

bool ctWorld_EnterBroadphase(ctWorld *world, int index, const ctPairSink *sink, ctError *error)
{
    const ctBody *body = &world->bodies[index];
    if (body->plane) {
        return ctBroadphase_AddPlane(world->broadphase, index, body->normal, body->offset, groupOf(world, index), sink,
                                     error);
    }
    return ctBroadphase_Add(world->broadphase, index, body->box, groupOf(world, index), sink, error);
}

void ctWorld_StartBox(ctWorld *world, int index)
{
    ctBox all = {ctV3(-INFINITY, -INFINITY, -INFINITY), ctV3(INFINITY, INFINITY, INFINITY)};
    world->bodies[index].box = world->bodies[index].plane ? all : sweep(world, index, 0.0);
}
