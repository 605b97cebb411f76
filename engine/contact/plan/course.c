// Islands of few bodies by their equations of motion.
//
// The motion of such an island is solved ahead (motion/system.h), for part of a fall by its size or until something
// new begins to bear. Its bodies then follow a course: their state at any time is that of the solution. Any other event
// of a body ends the course of the whole island (ctCourse_Settle): all its bodies are advanced to the present, with
// their exact velocities, and the island is due for a step at once. Steps do not end with frames, nor at regular times:
// there bodies are advanced, and continue on the same track. Others that are near are looked at on the way
// (pairs/put_off.c, pairs/sensors.c).
#include "engine/contact/plan/course.h"
#include "engine/contact/step/step.h"

#include "collision/elementary.h"
#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// Masses farther apart than this factor have forces that are known only to rounding.
#define UNEQUAL (10.0 * CT_UNEQUAL_MASSES)
// [cap] Looks in a row, each after less than CT_LANDING of the time of a fall by the size: more would not end.
#define MOST_LOOKS 256
// [cap] Events within one track.
#define STORM 12
// How long a track is at least, in times of a fall by the size.
// Longer: more is found in vain where others strike; shorter: more beginnings.
#define TRACK (50.0 * CT_EARLY)

// ---- what others ask ----------------------------------------------------------------------------

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

// The greatest of the bodies' accelerations by gravity and forces, m/s^2.
static double weightOf(const ctWorld *world, const int *bodies, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = ctFmax(most, ctLength(ctBody_Pull(world, bodies[i])));
    }
    return most;
}

// A time (s, absolute) on the track of a course. Where nothing has ended the track, the next one begins at its end to
// the last bit, where bodies obey all conditions.
static double timeOn(const ctCourse *course, double t)
{
    bool end = course->eventless && !(t < course->base + course->track.length);
    return end ? course->track.length : t - course->base;
}

ctBodyState ctCourse_StateAt(const ctWorld *world, int index, double t)
{
    const ctCourse *course = courseOf(world, index);
    double y[CT_SYSTEM_STATE];
    ctSystemTrack_StateAt(&course->track, timeOn(course, t), y, NULL);
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
    ctSystemTrack_StateAt(&course->track, timeOn(course, world->now), y, NULL);
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
        p->force = ctScale(sign, forces[i]);
        p->impulse = ctMulAdd(p->impulse, sign, impulses[i]);
        p->torque = ctZero3();
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
    ctSystemTrack_StateAt(&course->track, timeOn(course, world->now), y, rates);
    if (world->now > course->since) {
        leavePoints(world, course, y);
    }
    // Looks at a neighbour have ended it at its start again and again: the two slide along each other, and their
    // distance is too small to tell when they touch.
    double fall = sqrt(world->bodies[index].radius / weightOf(world, course->bodies, course->bodyCount));
    course->again =
        world->now - course->since < CT_LANDING * fall && world->now < course->until ? course->again + 1 : 0;
    if (course->again > MOST_LOOKS) {
        course->crowded = world->now + CT_CROWDED;
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
    if (course != NULL && !course->active && !course->goesOn) {
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

// ---- finding a course ---------------------------------------------------------------------------

static ctCourseDraft *takeDraft(ctContacts *c)
{
    if (c->draft == NULL) {
        c->draft = ctAllocate(1, sizeof *c->draft);
    }
    return c->draft;
}

ctCourse *ctCourse_Take(ctContactBody *body)
{
    if (body->ownCourse == NULL) {
        body->ownCourse = ctAllocate(1, sizeof *body->ownCourse);
    }
    return body->ownCourse;
}

// A bound of the speed of a point of the bodies on the track, m/s: in the middle of a step it exceeds that at the ends
// by no more than half of the step times the greatest acceleration.
static double fastestOn(const ctWorld *world, const ctCourse *course)
{
    const ctSystemTrack *track = &course->track;
    double most = 0.0;
    for (int k = 0; k <= track->count; k++) {
        const double *step = track->steps + (size_t)(k < track->count ? k : k - 1) * (size_t)track->stride;
        const double *y = ctSystemTrack_Start(track, k);
        for (int i = 0; i < course->bodyCount; i++, y += ct_systemBody) {
            ctVec3 v = ctV3(y[ct_systemV], y[ct_systemV + 1], y[ct_systemV + 2]);
            ctVec3 w = ctV3(y[ct_systemW], y[ct_systemW + 1], y[ct_systemW + 2]);
            double fast = ctFastest(v, w, world->bodies[course->bodies[i]].radius);
            most = ctFmax(most, fast + 0.5 * step[1] * course->strongest);
        }
    }
    return most;
}

// Measures how far bodies move on their course from now to a time (s, absolute). Returns when they would leave the room
// (m), or that time.
static double measure(const ctWorld *world, ctCourse *course, double until, double room)
{
    double way = (until - world->now) * course->fastest;
    course->cramped = way > room;
    for (int i = 0; i < course->bodyCount; i++) {
        course->path[i] = ctFmin(way, room);
    }
    return course->cramped ? world->now + 0.999 * room / course->fastest : until;
}

// The time until the path of a ground comes to its next point, s.
static double timeToKnot(const ctSystem *s)
{
    double least = INFINITY;
    for (int i = s->movable; i < s->bodyCount; i++) {
        const ctSystemBody *ground = &s->bodies[i];
        if (ground->path != NULL) {
            least = ctFmin(least, ctPath_NextKnot(ground->path, ground->pathTime) - ground->pathTime);
        }
    }
    return least;
}

// Copies the steps of a track from where they were found. What was there before is of no use.
static bool keepTrack(ctCourse *course, const double *steps)
{
    ctSystemTrack *track = &course->track;
    int numbers = track->count * track->stride;
    if (numbers > course->stepCapacity) {
        ctFree(track->steps);
        track->steps = NULL;
        course->stepCapacity = 0;
    }
    if (!ctReserve((void **)&track->steps, &course->stepCapacity, numbers, sizeof(double))) {
        track->count = 0;
        return false;
    }
    memcpy(track->steps, steps, (size_t)numbers * sizeof(double));
    return true;
}

// Finds the track of the draft from the bodies' base on, for at least part of a fall by the size if nothing happens: so
// it has the same steps at every size and frame rate. False when there is none that is worth while.
static bool findTrack(ctWorld *world, ctCourse *course)
{
    ctContacts *c = world->contacts;
    ctSystem *s = &c->draft->system;
    ctSystemTrack *track = &course->track;
    double *steps = track->steps;
    *track = ctSystemTrack_Empty(s->movable, s->pointCount);
    track->capacity = CT_COURSE_STEPS;
    track->steps = c->draft->steps;
    s->track = track;
    s->next = course->next;
    s->next = ctSystem_FirstStep(s);
    int before = s->steps + s->rejected;
    double fall = sqrt(s->size / ctSystem_Weight(s));
    // Where a path goes on with another acceleration the track ends, so that no step contains a jump.
    double knot = timeToKnot(s), length = TRACK * fall;
    bool whole = knot > length + s->longest;
    ctSystem_Run(s, whole ? length : ctFmin(length, knot), whole);
    world->frameEvents += (int64_t)(s->steps + s->rejected - before) * s->movable; // each takes as long as an event
    ctSystemTrack_Pack(track);
    track->steps = steps;
    course->next = s->next;
    course->eventless = s->end == ct_systemDone || s->end == ct_systemFull;
    // So many steps of several bodies cost more than the general step. Those of one body get on, unless about as many
    // are rejected: then its forces jump, and rounding decides how far it gets.
    bool jumps = 2 * s->rejected > s->steps && track->length < CT_LANDING * fall;
    bool slow = s->movable > 1 && track->length < 3.0 * CT_EARLY * fall;
    bool stuck = s->end == ct_systemFull && (slow || jumps);
    if (s->events > STORM || s->end == ct_systemFailed || stuck) {
        course->crowded = world->now + track->length + CT_CROWDED; // the general step resolves its modes
    }
    if (track->count == 0 || stuck || !keepTrack(course, c->draft->steps)) {
        return false;
    }
    course->base = world->now;
    course->push = c->draft->push;
    course->stop = c->draft->stop;
    course->friction = course->kinematic = 0.0;
    course->strongest = s->strongest;
    course->fastest = fastestOn(world, course);
    course->broken = false;
    memcpy(course->points, c->draft->points, sizeof course->points);
    return true;
}

static bool isSame(ctVec3 a, ctVec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Whether the ground of a record turns, or moves and resists rolling or spinning.
static bool isDraggedAround(const ctWorld *world, const ctContactRecord *record)
{
    const ctBody *ground = &world->bodies[record->b];
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    bool resists = pair.rolling > 0.0 || pair.spinning > 0.0;
    return ctLengthSquared(ground->w) + ctLengthSquared(world->infos[record->b].surfaceSpin) > 0.0 ||
           (resists && ground->mode != ct_modeFixed);
}

// Whether an island is one ball on faces of one plane, of bodies that are fixed or move straight on: its forces are
// constant while it slides and while it rolls, so that general steps are exact, and cost less. Ground on a path has
// other velocities in every step.
static bool isBallOnFace(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    ctVec3 n = ctZero3();
    bool flat = island->bodyCount == 1 && world->bodies[c->members[island->firstBody]].ball;
    for (int i = 0; i < island->recordCount && flat; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        ctVec3 other = n;
        bool moves = ctBody_HasRoute(&world->bodies[record->b]) || isDraggedAround(world, record);
        flat = record->count == 0 || (ctGuides_IsOnFace(world, record) && !moves);
        n = record->count > 0 ? record->points[0].n : n;
        flat = flat && !(ctDot(n, other) < 1.0 - CT_EQUAL && ctLengthSquared(other) > 0.0);
    }
    return flat;
}

static bool isCandidate(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    if (isBallOnFace(world, island) || island->large || island->bodyCount > CT_COURSE_BODIES ||
        island->recordCount == 0 || island->recordCount > CT_SYSTEM_POINTS || !(island->due < (double)INFINITY)) {
        return false;
    }
    double least = INFINITY, most = 0.0, fastest = 0.0, size = INFINITY;
    bool struck = false;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        least = ctFmin(least, world->infos[index].mass);
        most = ctFmax(most, world->infos[index].mass);
        struck = struck || ctContactBody_IsStruck(body);
        fastest = ctFmax(fastest, ctFastest(body->v, body->w, body->radius));
        size = ctFmin(size, body->radius);
        if (!(body->mode == ct_modeFlying ? body->t == world->now : c->bodies[index].base == world->now)) {
            return false;
        }
    }
    // Impacts that have been found have not happened yet. Bodies at rest need no course, nor do bodies that have just
    // been put there, whose forces the general step finds first.
    double pull = weightOf(world, &c->members[island->firstBody], island->bodyCount);
    double still = 0.1 * CT_SLOW * sqrt(pull * size);
    bool rests = struck ? !(fastest > still) : ctIsland_IsAtRest(world, island, world->tickStep);
    if (most > UNEQUAL * least || (!struck && island->changed) || rests) {
        return false;
    }
    for (int i = 0; i < island->recordCount; i++) {
        const ctContactRecord *record = &c->records[c->sorted[island->firstRecord + i]];
        if (record->pair < 0 || !ctCourseDraft_Takes(world, record) ||
            !ctContact_IsExact(world, &world->pairs[record->pair])) {
            return false;
        }
    }
    return true;
}

// How long a course may be followed: for the longest time (s), if there is enough room; 0: not long enough.
static double findRoom(ctWorld *world, const ctIsland *island, double longest, double brief, double *room)
{
    const ctContacts *c = world->contacts;
    double length = longest;
    for (;; length *= 0.5) {
        double speed = 0.0;
        *room = INFINITY;
        for (int i = 0; i < island->bodyCount; i++) {
            int index = c->members[island->firstBody + i];
            const ctBody *body = &world->bodies[index];
            speed = ctFmax(speed, ctFastest(body->v, body->w, body->radius));
            *room = ctFmin(*room, ctPlan_RoomAround(world, index, length, body->radius, true));
        }
        if (*room > 0.5 * brief * speed) {
            return length;
        }
        if (!(length > CT_WORTHWHILE * brief)) {
            return 0.0;
        }
    }
}

// Whether the island's bodies are where their last course has brought them, and can continue on its track.
static bool canGoOn(const ctWorld *world, const ctIsland *island, const ctCourse *course)
{
    const ctContacts *c = world->contacts;
    if (!course->goesOn || course->broken || course->since != world->now || course->bodyCount != island->bodyCount ||
        course->recordCount != island->recordCount || !(course->base + course->track.length > world->now)) {
        return false;
    }
    double y[CT_SYSTEM_STATE];
    ctSystemTrack_StateAt(&course->track, timeOn(course, world->now), y, NULL);
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

// Gives bodies that part the velocities with which the motion of the draft begins: those that approached more slowly
// than in an impact do not approach any more.
static void stopLandings(ctWorld *world, const ctCourse *course)
{
    const double *y = world->contacts->draft->system.y;
    for (int i = 0; i < course->bodyCount && world->contacts->draft->stop != 0.0; i++) {
        int index = course->bodies[i];
        ctBody *body = &world->bodies[index];
        ctBodyState s = ctCourse_BodyState(world, index, y, i);
        double before = ctBody_Energy(world, index);
        body->v = s.v;
        body->w = s.w;
        double change = ctBody_Energy(world, index) - before;
        world->stats.contactLoss -= change;
        world->contacts->work.start += change; // of the step that has just ended
        ctEnergy_Account(world, index, change);
        ctContactBody_Rebase(world, index);
    }
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
        c->bodies[index].course = course;
        assert(c->bodies[index].role == ct_roleNone);
        ctBody_SetMode(&world->bodies[index], ct_modePlanned);
        world->infos[index].reach = course->path[i];
        world->infos[index].pace = course->fastest;
        world->infos[index].surge = course->strongest;
    }
}

bool ctIsland_PlanCourse(ctWorld *world, ctIsland *island, bool goesOn)
{
    ctContacts *c = world->contacts;
    if (!isCandidate(world, island) || takeDraft(c) == NULL) {
        return false;
    }
    ctCourse *course = ctCourse_Take(&c->bodies[c->members[island->firstBody]]);
    if (course == NULL || (world->now < course->crowded && !(goesOn && canGoOn(world, island, course)))) {
        return false;
    }
    bool struck = ctIsland_TakeIn(world, island), moved = goesOn || struck;
    // Nothing has happened at the end of a track that nothing has ended.
    bool eventless =
        goesOn && !struck && course->goesOn && !course->broken && course->since == world->now && course->eventless;
    goesOn = goesOn && !struck && canGoOn(world, island, course);
    course->goesOn = false;
    island->changed = struck; // for the general step, if there is no course
    // Points in between are examined at regular times.
    double end = ctIsland_NextRegular(world, CT_LONGEST_STEP);
    bool regular = end - world->now > (1.0 - CT_EQUAL) * CT_LONGEST_STEP;
    if (!listIsland(world, island, course, moved && (!goesOn || regular))) {
        return false;
    }
    if (!goesOn && ctCourse_BeginsAgain(world, course)) {
        course->crowded = world->now + CT_CROWDED; // the general step resolves it
        return false;
    }
    if (!goesOn && ctIsland_Land(world, island, eventless)) {
        return true;
    }
    if (!goesOn && !ctCourseDraft_Make(world, course, c->draft, eventless)) {
        return false;
    }
    if (!goesOn && ctSystem_IsFree(&c->draft->system)) {
        stopLandings(world, course);
        return ctIsland_Part(world, island, world->now + ctCourseDraft_TimeApart(c->draft));
    }
    ctIsland_Greet(world, island);
    double brief = ctIsland_StepLength(world, island), room;
    double length = findRoom(world, island, end - world->now, brief, &room);
    if (!(length > 0.0)) {
        course->crowded = world->now + CT_CROWDED;
        return false;
    }
    if (!goesOn && !findTrack(world, course) &&
        !(ctCourseDraft_TurnOver(world, course, c->draft, eventless) && findTrack(world, course))) {
        return false;
    }
    island->changed = false;
    end = ctFmin(ctFmin(end, world->now + length), course->base + course->track.length);
    double until = measure(world, course, end, room);
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

void ctCourse_AddOpen(const ctWorld *world, int index, ctStats *stats)
{
    const ctCourse *course = courseOf(world, index);
    if (course->bodies[0] == index) {
        double y[CT_SYSTEM_STATE];
        ctSystemTrack_StateAt(&course->track, timeOn(course, world->now), y, NULL);
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
