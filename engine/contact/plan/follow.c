// Follows the motion of a roller (motion/motion.c) over the ground, in steps for a plan: as far as it is smooth,
// nothing else of the body or of the ground begins to bear, and the body stays in its room.
#include "engine/contact/plan/roll.h"

#include <string.h>

// Turn of the point of contact around the body, or of the body, in one step, rad. Larger: steps are rejected; smaller:
// more steps.
#define ROLL_PER_STEP 0.8
#define CUBE(x) ((x) * (x) * (x))
// Distance of another edge of the body from the ground at which it bears, as a share of the radius.
#define RIM (0.5 * CT_CLOSED)
#define BISECTIONS 24 // [cap]

double ctRoll_StepLength(const ctRoller *b, const ctRollPose *p)
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

// The distance from bearing of the flat side of a lathe (0), of the edge before (1) or after (2) the one that touches,
// m, and its rate. Infinite where there is none.
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

// The time until something else bears at the present rates, s; 0 when it does. An edge that has just stopped bearing
// leaves.
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

// Something else bears after a step, and did not before: when it begins to, by the cubic through distances and rates at
// both ends.
static double timeOfBearing(const ctRoller *b, const ctRollPose *before, const ctRollPose *after, double radius,
                            double step)
{
    double first = 1.0; // as a share of the step
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

bool ctRoll_IsAlone(const ctRoller *b, const ctGround *ground, const ctRollPose *p, ctVec3 foot, double radius)
{
    return ctGround_Holds(ground, foot, CT_CONTACT_MARGIN * radius) && timeAlone(b, p, radius) > 0.0;
}

// A bound of the distance of the body from its start during a step in which it moves no farther than way (m); *stray:
// at the step's start, then at its end. A disc that wobbles in place stays there, however far its points travel.
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

// Every step has a mark while there is room. Then every second mark is dropped, and every second step gets one, and so
// on: a state within the plan is never many steps after a mark.
typedef struct Marks {
    int every, since; // steps
} Marks;

static void addMark(ctRollPlan *plan, Marks *m, double time, const double *s)
{
    if (m->since++ % m->every != 0) {
        return;
    }
    if (plan->markCount == CT_ROLL_MARKS) {
        plan->markCount = CT_ROLL_MARKS / 2;
        for (int i = 1; i < plan->markCount; i++) {
            plan->marks[i] = plan->marks[2 * i];
        }
        m->every *= 2;
    }
    ctRollMark *mark = &plan->marks[plan->markCount++];
    mark->time = time;
    mark->part = plan->roller.part;
    memcpy(mark->state, s, sizeof mark->state);
}

double ctRollPlan_Follow(ctRollPlan *plan, const ctGround *ground, double room, double length, double *s)
{
    ctRoller *b = &plan->roller;
    double done = 0.0, shortest = 0.5 * plan->least, radius = plan->radius, limit = INFINITY, stray = 0.0;
    plan->path = plan->fastest = 0.0;
    plan->cramped = false;
    plan->markCount = plan->steps = 0;
    ctRollPlace first = ctRoll_Where(b, s);
    ctRollPose pose = ctRoll_Pose(b, s);
    double fast = ctRoll_Speed(b, s, radius);
    Marks marks = {1, 0};
    addMark(plan, &marks, 0.0, s);
    // A plan of many steps is cut off: it may end early, and most of it would be in vain.
    while (done < length * (1.0 - 1e-9) && (plan->steps < CT_ROLL_MARKS || done < plan->least)) {
        double z[ct_rollState], natural = ctRoll_StepLength(b, &pose), alone = timeAlone(b, &pose, radius);
        double left = length - done, before = stray;
        double fits = (b->disc ? 2.0 : 1.0) * (room - stray) / (fast + natural * ctRoll_Pull(b, radius));
        double step = ctFmin(natural, fits);
        step = step < left ? left / ceil(left / step) : left;
        step = ctFmin(limit, alone < CT_PART_STEP * step ? ctFmax(alone - 0.5 * shortest, shortest) : step);
        plan->cramped = fits < 2.0 * CT_PART_STEP * ctFmin(natural, left);
        if (plan->cramped || alone < shortest || (step < shortest && step < left)) {
            break;
        }
        memcpy(z, s, sizeof z);
        double taken = ctRoll_Step(b, z, step), again = ctFmin(0.5 * step, alone);
        plan->steps++;
        if (taken > 0.0) {
            ctRollPlace last = ctRoll_Where(b, z);
            ctRollPose next = ctRoll_Pose(b, z);
            // In the middle of the step the speed exceeds that at its ends by no more than half of the step times the
            // greatest acceleration. That is at most twice the greatest of the seven evaluations in each part.
            double speed = ctRoll_Speed(b, z, radius), most = ctFmax(fast, speed) + taken * ctRoll_Pull(b, radius);
            double path = ctFmax(plan->path, strayIn(b, &first, &last, radius, taken * most, &stray));
            plan->cramped = path > room;
            if (plan->cramped) {
                break;
            }
            if (ctRoll_IsAlone(b, ground, &next, last.foot, radius)) {
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
        addMark(plan, &marks, done, s);
    }
    return done < length * (1.0 - 1e-9) ? done : length;
}
