// Islands of few bodies by their equations of motion.
//
// The motion of such an island is found ahead (motion/system.h), for the rest of the frame or until something new
// begins to bear, and its bodies have a course: they are where the equations put them whenever somebody asks. What
// else touches a body ends the course of the whole island (ctCourse_Settle): all its bodies are brought to the present,
// with their true velocities, and the island is due for a step at once. Steps do not end where frames do: at the end of
// a frame bodies are brought there, and go on along the same track. Where others are so near that times of impact must
// be found, there is no course: general steps find them.
#include "engine/contact/plan/course.h"
#include "engine/contact/step/step.h"

#include "collision/elementary.h"
#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// Masses farther apart than this factor have forces that are known to rounding only.
#define UNEQUAL (10.0 * CT_UNEQUAL_MASSES)
// [cap] So many events within one track are a storm.
#define STORM 12

// ---- what others ask ----------------------------------------------------------------------------

// The course that a body follows; NULL: none.
static ctCourse *courseOf(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    ctCourse *course =
        index < c->bodyCapacity && c->bodies[index].course > 0 ? &c->courses[c->bodies[index].course - 1] : NULL;
    bool follows = false;
    for (int i = 0; course != NULL && course->active && i < course->bodyCount; i++) { // others may follow it now
        follows = follows || course->bodies[i] == index;
    }
    return follows && course->since == c->bodies[index].base ? course : NULL;
}

bool ctCourse_Has(const ctWorld *world, int index)
{
    return courseOf(world, index) != NULL;
}

void ctCourse_Break(ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    ctCourse *course = c->bodies[index].course > 0 ? &c->courses[c->bodies[index].course - 1] : NULL;
    for (int i = 0; course != NULL && i < course->bodyCount; i++) { // others may follow it now
        course->broken = course->broken || course->bodies[i] == index;
    }
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
    ctSystemTrack_StateAt(&course->track, t - course->base, y, NULL);
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

// The impulses of the points, N s, are sums of forces at the ends of steps. Those of a body alone must be what it has
// gained besides gravity: the difference goes to the points by what they bear.
static void balanceImpulses(const ctWorld *world, const ctCourse *course, const double *y, ctVec3 *impulses)
{
    int index = course->bodies[0], count = course->track.pointCount;
    double start[CT_SYSTEM_STATE], sum = 0.0, mass = world->infos[index].mass;
    ctSystemTrack_StateAt(&course->track, course->since - course->base, start, NULL);
    ctVec3 gained = ctSub(ctCourse_BodyState(world, index, y, 0).v, ctCourse_BodyState(world, index, start, 0).v);
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

// Points of contact as they are now: forces, what they have done since the last time, and arms, which turn with their
// bodies, so that points are found again.
static void leavePoints(ctWorld *world, const ctCourse *course, const double *y)
{
    ctContacts *c = world->contacts;
    ctVec3 forces[CT_SYSTEM_POINTS], impulses[CT_SYSTEM_POINTS], before[CT_SYSTEM_POINTS];
    ctSystemTrack_ForcesAt(&course->track, course->since - course->base, forces, before);
    ctSystemTrack_ForcesAt(&course->track, world->now - course->base, forces, impulses);
    for (int i = 0; i < course->track.pointCount; i++) {
        impulses[i] = ctSub(impulses[i], before[i]);
    }
    if (course->bodyCount == 1) {
        balanceImpulses(world, course, y, impulses);
    }
    for (int i = 0; i < course->track.pointCount; i++) {
        const ctCoursePoint *ref = &course->points[i];
        ctContactPoint *p = findPoint(c, ref);
        if (p == NULL) {
            continue;
        }
        double sign = ref->flipped ? -1.0 : 1.0;
        p->force = ctScale(sign, forces[i]);
        p->impulse = ctMulAdd(p->impulse, sign, impulses[i]);
        p->torque = ctZero3();
        const ctContactRecord *record = &c->records[ref->record];
        if (!p->known) { // found when the course began
            p->armA = ctSub(p->pointA, world->bodies[record->a].x);
            p->armB = ctSub(p->pointB, world->bodies[record->b].x);
        }
        p->known = true;
        for (int k = 0; k < course->bodyCount; k++) {
            int index = course->bodies[k];
            ctQuat turn = ctMulQ(ctCourse_BodyState(world, index, y, k).q, ctConjugate(c->bodies[index].q));
            p->armA = record->a == index ? ctRotate(turn, p->armA) : p->armA;
            p->armB = record->b == index ? ctRotate(turn, p->armB) : p->armB;
        }
    }
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
    ctSystemTrack_StateAt(&course->track, world->now - course->base, y, rates);
    if (world->now > course->since) {
        leavePoints(world, course, y);
    } else {
        // Ended in the moment in which it began, by a look of a neighbour: one that its box has just met, which is
        // known now. A second time in the same moment the two would end each other's courses for ever.
        course->crowded = course->crowded == world->now ? world->now + CT_CROWDED : world->now;
    }
    for (int i = 0; i < course->bodyCount; i++) {
        settleBody(world, course, i, y, rates);
    }
    const double *work = y + ct_systemBody * course->bodyCount;
    ctEnergy_CloseCourse(world, course, work[0], work[1]);
    for (int i = 0; i < course->bodyCount; i++) {
        ctBody *body = &world->bodies[course->bodies[i]];
        ctContactBody_Rebase(world, course->bodies[i]);
        ctBody_UpdateBounds(world, course->bodies[i]);
        body->courseEnd = world->now;
        ctIsland_MakeDue(world, course->bodies[i]);
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

// ---- finding a course ---------------------------------------------------------------------------

static ctCourseDraft *takeDraft(ctContacts *c)
{
    if (c->draft == NULL) {
        c->draft = ctAllocate(1, sizeof *c->draft);
    }
    return c->draft;
}

static ctCourse *takeCourse(ctContacts *c, int index)
{
    ctContactBody *b = &c->bodies[index];
    if (b->ownCourse == 0) {
        if (!ctReserve((void **)&c->courses, &c->courseCapacity, c->courseCount + 1, sizeof(ctCourse))) {
            return NULL;
        }
        c->courses[c->courseCount] = (ctCourse){0};
        b->ownCourse = ++c->courseCount;
    }
    return &c->courses[b->ownCourse - 1];
}

// How fast a body of a course gets in a step, m/s: in the middle it is faster than at the ends by no more than half of
// the step times the greatest acceleration.
static double fastestIn(const ctCourse *course, const ctWorld *world, const double *step, int slot)
{
    double most = 0.0, radius = world->bodies[course->bodies[slot]].radius;
    for (int end = 0; end < 2; end++) {
        double y[CT_SYSTEM_STATE];
        ctSystemTrack_StateAt(&course->track, step[0] + end * step[1] * (1.0 - 1e-12), y, NULL);
        ctBodyState s = ctCourse_BodyState(world, course->bodies[slot], y, slot);
        most = ctFmax(most, ctFastest(s.v, s.w, radius));
    }
    return most + 0.5 * step[1] * course->strongest;
}

// How far bodies stray on their course from one time to another (s, absolute), and how fast they are. Returns when they
// would leave the room (m), or the second time.
static double measure(const ctWorld *world, ctCourse *course, double from, double until, double room)
{
    const ctSystemTrack *track = &course->track;
    course->fastest = 0.0;
    course->cramped = false;
    memset(course->path, 0, sizeof course->path);
    for (int k = 0; k < track->count && !course->cramped; k++) {
        const double *step = track->steps + (size_t)k * (size_t)track->stride;
        double begin = ctFmax(course->base + step[0], from),
               h = ctFmin(course->base + step[0] + step[1], until) - begin;
        double share = 1.0;
        for (int i = 0; i < course->bodyCount && h > 0.0; i++) {
            double most = fastestIn(course, world, step, i);
            course->fastest = ctFmax(course->fastest, most);
            share = ctFmin(share, ctFmax(0.0, room - course->path[i]) / (h * most + 1e-300));
            course->path[i] = ctFmin(room, course->path[i] + h * most);
        }
        if (share < 1.0) {
            course->cramped = true;
            until = begin + 0.999 * share * h;
        }
    }
    return until;
}

// Of contact, for the smallest of the bodies, s.
static double leastStep(const ctWorld *world, const ctCourse *course)
{
    double size = INFINITY;
    for (int i = 0; i < course->bodyCount; i++) {
        size = ctFmin(size, world->bodies[course->bodies[i]].radius);
    }
    return ctContact_LeastStep(world, size);
}

// The track of the draft from the bodies' base on, for a time (s) at least where nothing happens. False when there is
// none that is worth while.
static bool findTrack(ctWorld *world, ctCourse *course, double length)
{
    ctContacts *c = world->contacts;
    double least = leastStep(world, course);
    ctSystem *s = &c->draft->system;
    ctSystemTrack *track = &course->track;
    double *steps = track->steps;
    *track = (ctSystemTrack){
        .movable = s->movable, .pointCount = s->pointCount, .capacity = CT_COURSE_STEPS, .steps = c->draft->steps};
    track->stride = ctSystemTrack_Stride(s->movable, s->pointCount);
    s->track = track;
    s->next = course->next;
    ctSystem_Run(s, length, true);
    track->steps = steps;
    course->next = s->next;
    if (s->events > STORM || s->end == ct_systemFailed) {
        course->crowded = world->now + track->length + CT_CROWDED; // what its modes come to is left to the general step
    }
    int numbers = track->count * track->stride;
    if (track->count == 0 || !(track->length >= ctFmin(least, length)) ||
        !ctReserve((void **)&track->steps, &course->stepCapacity, numbers, sizeof(double))) {
        return false;
    }
    memcpy(track->steps, c->draft->steps, (size_t)numbers * sizeof(double));
    course->base = world->now;
    course->push = c->draft->push;
    course->stop = c->draft->stop;
    course->friction = course->kinematic = 0.0;
    course->strongest = s->strongest;
    course->broken = false;
    memcpy(course->points, c->draft->points, sizeof course->points);
    return true;
}

static bool isCandidate(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    if (island->large || island->changed || island->bodyCount > CT_COURSE_BODIES || island->recordCount == 0 ||
        island->recordCount > CT_SYSTEM_POINTS || !(island->due < (double)INFINITY) ||
        ctIsland_IsAtRest(world, island, world->tickStep)) {
        return false;
    }
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        least = ctFmin(least, world->infos[index].mass);
        most = ctFmax(most, world->infos[index].mass);
        bool pulled = world->pulled && ctLengthSquared(world->infos[index].pull) > 0.0;
        if (body->ball || body->driven || pulled || ctBody_IsStruck(body) || !ctBody_IsInContact(body) ||
            c->bodies[index].base != world->now) {
            return false;
        }
    }
    if (most > UNEQUAL * least) {
        return false;
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair < 0 || !ctCourseDraft_Takes(world, record)) {
            return false;
        }
    }
    return true;
}

// How long a course may be followed: until the end of the frame, if there is room enough; 0: not long enough.
static double findRoom(ctWorld *world, const ctIsland *island, double frame, double brief, double *room)
{
    const ctContacts *c = world->contacts;
    double length = frame;
    for (;; length *= 0.5) {
        double speed = 0.0;
        *room = INFINITY;
        for (int i = 0; i < island->bodyCount; i++) {
            int index = c->members[island->firstBody + i];
            const ctBody *body = &world->bodies[index];
            speed = ctFmax(speed, ctFastest(body->v, body->w, body->radius));
            *room = ctFmin(*room, ctPlan_RoomAround(world, index, length, body->radius));
        }
        if (*room > 0.5 * brief * speed) {
            return length;
        }
        if (!(length > CT_WORTHWHILE * brief)) {
            return 0.0;
        }
    }
}

static bool isSame(ctVec3 a, ctVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether the island's bodies are where their last course has brought them, and can go on along its track.
static bool canGoOn(const ctWorld *world, const ctIsland *island, const ctCourse *course)
{
    const ctContacts *c = world->contacts;
    if (!course->goesOn || course->broken || course->since != world->now || course->bodyCount != island->bodyCount ||
        course->recordCount != island->recordCount ||
        !(course->base + course->track.length > world->now + leastStep(world, course))) {
        return false;
    }
    double y[CT_SYSTEM_STATE];
    ctSystemTrack_StateAt(&course->track, world->now - course->base, y, NULL);
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        ctBodyState s = ctCourse_BodyState(world, index, y, i);
        if (course->bodies[i] != index || !isSame(s.x, body->x) || !isSame(s.v, body->v) || !isSame(s.w, body->w)) {
            return false;
        }
    }
    for (int i = 0; i < island->recordCount; i++) {
        if (course->records[i] != c->sorted[island->firstRecord + i]) {
            return false;
        }
    }
    return true;
}

// moved: points are not where they were found last.
static bool listIsland(ctWorld *world, const ctIsland *island, ctCourse *course, bool moved)
{
    ctContacts *c = world->contacts;
    course->bodyCount = island->bodyCount;
    course->recordCount = island->recordCount;
    for (int i = 0; i < island->bodyCount; i++) {
        course->bodies[i] = c->members[island->firstBody + i];
    }
    for (int i = 0; i < island->recordCount; i++) {
        course->records[i] = c->sorted[island->firstRecord + i];
        ctContactRecord *record = &c->records[course->records[i]];
        if (moved && !ctContact_UpdatePoints(world, record, world->tickStep, 0.0, true)) {
            return false;
        }
    }
    return true;
}

static void follow(ctWorld *world, ctCourse *course, double until)
{
    ctContacts *c = world->contacts;
    course->active = true;
    course->goesOn = false;
    course->since = world->now;
    course->until = until;
    for (int i = 0; i < course->bodyCount; i++) {
        int index = course->bodies[i];
        c->bodies[index].course = (int)(course - c->courses) + 1;
        assert(c->bodies[index].role == ct_roleNone);
        ctBody_SetMode(&world->bodies[index], ct_modePlanned);
        world->infos[index].reach = course->path[i];
    }
}

bool ctIsland_PlanCourse(ctWorld *world, ctIsland *island, bool goesOn)
{
    ctContacts *c = world->contacts;
    if (!isCandidate(world, island) || takeDraft(c) == NULL) {
        return false;
    }
    ctCourse *course = takeCourse(c, c->members[island->firstBody]);
    if (course == NULL || world->now < course->crowded) {
        return false;
    }
    bool moved = goesOn;
    goesOn = goesOn && canGoOn(world, island, course);
    course->goesOn = false;
    if (!listIsland(world, island, course, moved) || (!goesOn && !ctCourseDraft_Make(world, course, c->draft))) {
        return false;
    }
    double end = ctIsland_NextRegular(world, world->def.frameTime), brief = ctIsland_StepLength(world, island), room;
    double length = findRoom(world, island, end - world->now, brief, &room);
    if (!(length > 0.0)) {
        course->crowded = world->now + CT_CROWDED;
        return false;
    }
    if (!goesOn && !findTrack(world, course, length)) {
        return false;
    }
    end = ctFmin(ctFmin(end, world->now + length), course->base + course->track.length);
    double until = measure(world, course, world->now, end, room);
    if (course->cramped && !(until - world->now > 0.5 * brief)) {
        course->crowded = world->now + CT_CROWDED;
        return false;
    }
    follow(world, course, until);
    island->pointCount = course->track.pointCount;
    island->extra = island->doublings = 0;
    island->due = until;
    return true;
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
        known = course->bodies[i] < c->bodyCapacity && ctBody_IsMovable(body) && !body->ball &&
                course->path[i] >= 0.0 &&
                (!course->active || (ctBody_IsPlanned(body) && c->bodies[course->bodies[i]].base == course->since));
    }
    for (int i = 0; i < course->bodyCount && known && course->active; i++) { // else they may have plans of their own
        world->infos[course->bodies[i]].reach = course->path[i];
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
    for (int i = 0; i < c->courseCount; i++) {
        ctFree(c->courses[i].track.steps);
    }
    ctFree(c->courses);
    ctFree(c->draft);
}
