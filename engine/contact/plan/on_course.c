// Bodies on a course: their state at any time, the end of a course, and what its forces have done until then.
#include "engine/contact/plan/course.h"
#include "engine/contact/step/step.h"

#include "collision/memory.h"

#include <string.h>

// [cap] Looks in a row, each after less than CT_LANDING of the time of a fall by the size: more would not end.
#define MOST_LOOKS 256

// The course that a body follows; NULL: none. The course that it followed last may belong to others now.
static ctCourse *courseOf(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    ctCourse *course = index < c->bodyCapacity ? c->bodies[index].course : NULL;
    bool follows =
        course != NULL && course->active && course->since == c->bodies[index].base && ctCourse_Lists(course, index);
    return follows ? course : NULL;
}

bool ctCourse_Has(const ctWorld *world, int index)
{
    return courseOf(world, index) != NULL;
}

static int slotIn(const ctCourse *course, int index)
{
    int slot = 0;
    while (course->bodies[slot] != index) {
        slot++;
    }
    return slot;
}

ctBodyState ctCourse_StateAt(const ctWorld *world, int index, double t)
{
    const ctCourse *course = courseOf(world, index);
    double y[CT_SYSTEM_STATE];
    ctSystemTrack_StateAt(&course->track, ctCourse_Time(course, t), y, NULL);
    return ctCourse_BodyState(world, index, y, slotIn(course, index));
}

static ctContactPoint *findPoint(const ctContacts *c, const ctCoursePoint *ref)
{
    const ctContactRecord *record = ref->record >= 0 ? &c->records[ref->record] : NULL;
    for (int i = 0; record != NULL && i < record->count; i++) {
        if (record->points[i].leaf == ref->leaf && record->points[i].id == ref->id) {
            return &record->points[i];
        }
    }
    return NULL;
}

// The impulses of the points, N s, are sums of forces at the ends of steps. Those of a single body must equal its
// momentum gained besides gravity, forces and drag: the difference is shared among the points in proportion to their
// loads.
static void balanceImpulses(const ctWorld *world, const ctCourse *course, const double *y, ctVec3 *impulses)
{
    int index = course->bodies[0], count = course->track.pointCount;
    double sum = 0.0, mass = world->infos[index].mass;
    const ctContactBody *base = &world->contacts->bodies[index];
    ctBodyState state = ctCourse_BodyState(world, index, y, 0);
    ctVec3 gained = ctMulAdd(ctSub(state.v, base->v), world->infos[index].drive.drag, ctSub(state.x, base->x));
    ctVec3 rest = ctScale(mass, ctMulAdd(gained, course->since - world->now, ctBody_Pull(world, index)));
    for (int i = 0; i < count; i++) {
        rest = ctSub(rest, ctScale(course->points[i].flipped ? -1.0 : 1.0, impulses[i]));
        sum += ctLength(impulses[i]);
    }
    for (int i = 0; i < count && sum > 0.0; i++) {
        double part = ctLength(impulses[i]) / sum;
        impulses[i] = ctMulAdd(impulses[i], course->points[i].flipped ? -part : part, rest);
    }
}

// The forces of the points now, and their impulses since the bodies began to follow the course.
static void impulsesOf(const ctWorld *world, const ctCourse *course, const double *y, ctVec3 *forces, ctVec3 *impulses)
{
    ctSystemTrack_ForcesAt(&course->track, world->now - course->base, forces, impulses);
    if (course->since > course->base) {
        ctVec3 then[CT_SYSTEM_POINTS], before[CT_SYSTEM_POINTS];
        ctSystemTrack_ForcesAt(&course->track, course->since - course->base, then, before);
        for (int i = 0; i < course->track.pointCount; i++) {
            impulses[i] = ctSub(impulses[i], before[i]);
        }
    }
    if (course->bodyCount == 1) {
        balanceImpulses(world, course, y, impulses);
    }
}

void ctCourse_LendImpulses(ctWorld *world, int index, double sign)
{
    const ctCourse *course = courseOf(world, index);
    double y[CT_SYSTEM_STATE];
    ctVec3 forces[CT_SYSTEM_POINTS], impulses[CT_SYSTEM_POINTS];
    if (course->bodies[0] != index || !(world->now > course->since)) {
        return;
    }
    ctSystemTrack_StateAt(&course->track, ctCourse_Time(course, world->now), y, NULL);
    impulsesOf(world, course, y, forces, impulses);
    for (int i = 0; i < course->track.pointCount; i++) {
        ctContactPoint *p = findPoint(world->contacts, &course->points[i]);
        if (p != NULL) {
            p->impulse = ctMulAdd(p->impulse, course->points[i].flipped ? -sign : sign, impulses[i]);
        }
    }
}

// Arms turn with their bodies, so that points are found again. That from ground, which may move, ends where the arm
// from the body on it does.
static void turnArms(const ctWorld *world, const ctCourse *course, const double *y, const ctContactRecord *record,
                     ctContactPoint *p)
{
    bool ground = true;
    ctVec3 place = ctZero3();
    for (int k = 0; k < course->bodyCount; k++) {
        int index = course->bodies[k];
        ctBodyState s = ctCourse_BodyState(world, index, y, k);
        ctQuat turn = ctMulQ(s.q, ctConjugate(world->contacts->bodies[index].q));
        if (record->a == index) {
            p->armA = ctRotate(turn, p->armA);
            place = ctAdd(s.x, p->armA);
        } else if (record->b == index) {
            p->armB = ctRotate(turn, p->armB);
            ground = false;
        }
    }
    if (ground) {
        p->armB = ctSub(place, ctBody_StateAt(world, &world->bodies[record->b], world->now).x);
    }
}

// Updates the points of contact to now: forces, impulses since the last time, and arms.
static void leavePoints(ctWorld *world, const ctCourse *course, const double *y)
{
    ctContacts *c = world->contacts;
    ctVec3 forces[CT_SYSTEM_POINTS], impulses[CT_SYSTEM_POINTS];
    impulsesOf(world, course, y, forces, impulses);
    for (int i = 0; i < course->track.pointCount; i++) {
        const ctCoursePoint *ref = &course->points[i];
        ctContactPoint *p = findPoint(c, ref);
        if (p == NULL) {
            continue;
        }
        double sign = ref->flipped ? -1.0 : 1.0;
        ctContactPoint_Load(p, ctScale(sign, forces[i]), ctZero3());
        p->impulse = ctMulAdd(p->impulse, sign, impulses[i]);
        const ctContactRecord *record = &c->records[ref->record];
        if (!p->known) { // found when the course began
            p->armA = ctSub(p->pointA, world->bodies[record->a].x);
            p->armB = ctSub(p->pointB, world->bodies[record->b].x);
        }
        p->known = true;
        turnArms(world, course, y, record, p);
    }
}

// The work of torque and drag on a body since it began to follow the course, J.
static double driveWork(const ctWorld *world, const ctCourse *course, int slot)
{
    // Gauss's places and weights for polynomials of order 9: velocities are of order 4.
    static const double places[5] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                     0.95308992296933200};
    static const double weights[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                      0.23931433524968324, 0.11846344252809454};
    const ctSystemTrack *track = &course->track;
    int index = course->bodies[slot];
    double sum = 0.0;
    for (int k = 0; k < track->count && world->bodies[index].driven; k++) {
        const double *step = track->steps + (size_t)k * (size_t)track->stride;
        double start = ctFmax(step[0], course->since - course->base);
        double end = ctFmin(k + 1 < track->count ? step[0] + step[1] : track->length, world->now - course->base);
        for (int i = 0; i < 5 && end > start; i++) {
            double y[CT_SYSTEM_STATE];
            ctSystemTrack_StateAt(track, start + places[i] * (end - start), y, NULL);
            ctBodyState s = ctCourse_BodyState(world, index, y, slot);
            sum += weights[i] * (end - start) * ctEnergy_DrivePower(world, index, &s);
        }
    }
    return sum;
}

// y: the state now.
static ctCourseWork workOf(const ctWorld *world, const ctCourse *course, const double *y)
{
    const double *sums = y + ct_systemBody * course->bodyCount;
    ctCourseWork work = {sums[0], sums[1], 0.0};
    for (int i = 0; i < course->bodyCount; i++) {
        work.drive += driveWork(world, course, i);
    }
    return work;
}

static void settleBody(ctWorld *world, const ctCourse *course, int slot, const double *y, const double *rates)
{
    ctBody *body = &world->bodies[course->bodies[slot]];
    ctBodyState s = ctCourse_BodyState(world, course->bodies[slot], y, slot);
    const double *r = rates + ct_systemBody * slot;
    body->path += ctFmin(course->path[slot], (world->now - course->since) * course->fastest);
    body->x = s.x;
    body->v = s.v;
    body->q = s.q;
    body->w = s.w;
    body->a = ctV3(r[ct_systemV], r[ct_systemV + 1], r[ct_systemV + 2]);
    body->alpha = ctV3(r[ct_systemW], r[ct_systemW + 1], r[ct_systemW + 2]);
    body->t = world->now;
    ctBody_SetMode(body, ct_modeContact);
}

void ctCourse_Settle(ctWorld *world, int index)
{
    ctCourse *course = courseOf(world, index);
    double y[CT_SYSTEM_STATE], rates[CT_SYSTEM_STATE];
    ctSystemTrack_StateAt(&course->track, ctCourse_Time(course, world->now), y, rates);
    if (world->now > course->since) {
        leavePoints(world, course, y);
    }
    // Looks at a neighbour have ended it at its start again and again: the two slide along each other, and their
    // distance is too small to tell when they touch.
    double fall = sqrt(world->bodies[index].radius / ctCourse_Weight(world, course->bodies, course->bodyCount));
    course->again =
        world->now - course->since < CT_LANDING * fall && world->now < course->until ? course->again + 1 : 0;
    if (course->again > MOST_LOOKS) {
        course->crowded = world->now + ctCourse_Pause(world, course);
        course->again = 0;
        course->broken = true;
    }
    for (int i = 0; i < course->bodyCount; i++) {
        settleBody(world, course, i, y, rates);
    }
    ctCourseWork work = workOf(world, course, y);
    ctEnergy_CloseCourse(world, course, &work);
    for (int i = 0; i < course->bodyCount; i++) {
        ctBody *body = &world->bodies[course->bodies[i]];
        ctContactBody_Rebase(world, course->bodies[i]);
        ctBody_UpdateBounds(world, course->bodies[i]);
        body->courseEnd = world->now;
        ctIsland_MakeDue(world, course->bodies[i], world->now);
    }
    course->active = false;
    course->goesOn = !course->broken;
    course->since = world->now;
}

void ctCourse_Drop(ctWorld *world, int index)
{
    ctCourse *course = courseOf(world, index);
    if (course != NULL) {
        ctCourse_Settle(world, index);
        course->goesOn = false;
    }
}

void ctCourse_Release(ctContactBody *body)
{
    ctCourse *course = body->ownCourse;
    if (course != NULL && !course->active) {
        course->goesOn = false;
        ctFree(course->track.steps);
        course->track.steps = NULL;
        course->track.count = course->stepCapacity = 0;
    }
}

bool ctCourse_IsFollowed(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    const ctCourse *course = courseOf(world, c->members[island->firstBody]);
    if (course == NULL || course->bodyCount != island->bodyCount) {
        return false;
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        if (courseOf(world, index) != course || ctContactBody_IsStruck(&world->bodies[index])) {
            return false;
        }
    }
    return true;
}

void ctCourse_AddOpen(const ctWorld *world, int index, ctStats *stats)
{
    const ctCourse *course = courseOf(world, index);
    if (course->bodies[0] == index) {
        double y[CT_SYSTEM_STATE];
        ctSystemTrack_StateAt(&course->track, ctCourse_Time(course, world->now), y, NULL);
        ctCourseWork work = workOf(world, course, y);
        ctEnergy_AddCourse(course, &work, stats);
    }
}

bool ctCourse_IsOfUse(const ctWorld *world, const ctCourse *course)
{
    bool goesOn = course->goesOn && !course->broken && course->since == world->now;
    for (int i = 0; i < course->bodyCount && goesOn; i++) {
        goesOn = ctBody_IsMovable(&world->bodies[course->bodies[i]]);
    }
    return course->active || goesOn;
}

bool ctCourse_Restore(ctWorld *world, ctCourse *course)
{
    ctContacts *c = world->contacts;
    const ctSystemTrack *track = &course->track;
    bool known = track->length > 0.0 && course->base <= course->since &&
                 course->since <= course->base + track->length && course->fastest >= 0.0;
    for (int i = 0; i < course->bodyCount && known; i++) {
        const ctBody *body = &world->bodies[course->bodies[i]];
        known = course->bodies[i] < c->bodyCapacity && ctBody_IsMovable(body) && course->path[i] >= 0.0 &&
                (!course->active || (ctBody_IsPlanned(body) && c->bodies[course->bodies[i]].base == course->since));
    }
    // otherwise they may have plans of their own
    for (int i = 0; i < course->bodyCount && known && course->active; i++) {
        world->infos[course->bodies[i]].reach = course->path[i];
        world->infos[course->bodies[i]].pace = course->fastest;
        world->infos[course->bodies[i]].surge = course->strongest;
    }
    double last = 0.0;
    for (int i = 0; i < track->count && known; i++) {
        const double *step = track->steps + (size_t)i * (size_t)track->stride;
        known = step[1] > 0.0 && fabs(step[0] - last) <= 1e-6 * track->length;
        last = step[0] + step[1];
    }
    return known;
}

void ctCourse_FreeAll(ctContacts *c)
{
    for (int i = 0; i < c->bodyCapacity; i++) {
        if (c->bodies[i].ownCourse != NULL) {
            ctFree(c->bodies[i].ownCourse->track.steps);
        }
        ctFree(c->bodies[i].ownCourse);
        ctFree(c->bodies[i].plan);
    }
    ctFree(c->draft);
}
