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
// [cap] Events within one track that is shorter than as many times CT_LANDING of a fall by its size.
#define STORM 12
// How long a track is at least, in times of a fall by the size.
// Longer: more is found in vain where others strike; shorter: more beginnings.
#define TRACK (50.0 * CT_EARLY)

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
    // A track that is full gets on, unless about as many steps are rejected: then forces jump, and rounding decides how
    // far it gets.
    bool jumps = 2 * s->rejected > s->steps && track->length < CT_LANDING * fall;
    bool stuck = s->end == ct_systemFull && jumps;
    bool storm = s->events > STORM && track->length < STORM * CT_LANDING * fall;
    if (storm || s->end == ct_systemFailed || stuck) {
        // the general step resolves its modes
        course->crowded = world->now + track->length + ctCourse_Pause(world, course);
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
// constant while it rolls, and while it slides if nothing turns its slip, so that general steps are exact, and cost
// less. Ground on a path has other velocities in every step.
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
    double pull = ctCourse_Weight(world, &c->members[island->firstBody], island->bodyCount);
    double still = 0.1 * CT_SLOW * sqrt(pull * size);
    bool rests = struck ? !(fastest > still) : ctIsland_IsAtRest(world, island, ctIsland_RegularStep(world, island));
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
    ctSystemTrack_StateAt(&course->track, ctCourse_Time(course, world->now), y, NULL);
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

// Whether a look at a neighbour has ended the island's course before its time, and nothing else has happened.
static bool isInterrupted(const ctWorld *world, const ctIsland *island)
{
    const ctContacts *c = world->contacts;
    const ctCourse *course = c->bodies[c->members[island->firstBody]].ownCourse;
    bool interrupted = !island->changed && !island->large && course != NULL && world->now < course->until;
    for (int i = 0; i < island->bodyCount && interrupted; i++) {
        interrupted = !ctContactBody_IsStruck(&world->bodies[c->members[island->firstBody + i]]);
    }
    return interrupted && canGoOn(world, island, course);
}

// moved: points are not where they were found last.
static bool listIsland(ctWorld *world, const ctIsland *island, ctCourse *course, bool moved)
{
    ctContacts *c = world->contacts;
    course->bodyCount = island->bodyCount;
    course->recordCount = island->recordCount;
    double step = ctIsland_RegularStep(world, island);
    for (int i = 0; i < island->bodyCount; i++) {
        course->bodies[i] = c->members[island->firstBody + i];
    }
    for (int i = 0; i < island->recordCount; i++) {
        course->records[i] = c->sorted[island->firstRecord + i];
        ctContactRecord *record = &c->records[course->records[i]];
        if (moved && !ctContact_UpdatePoints(world, record, step, 0.0, true)) {
            return false;
        }
    }
    return true;
}

// Gives bodies that part the velocities with which the motion of the draft begins: those that approached more slowly
// than in an impact do not approach any more.
static void stopLandings(ctWorld *world, const ctCourse *course)
{
    const ctSystem *system = &world->contacts->draft->system;
    const double *y = system->y, *work = y + ct_systemBody * system->movable;
    if (world->contacts->draft->stop == 0.0 && work[0] == 0.0) {
        return;
    }
    world->stats.frictionLoss -= work[0];
    world->stats.kinematicWork += work[1];
    world->stats.contactLoss += work[0] + work[1];
    for (int i = 0; i < course->bodyCount; i++) {
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
    // An interrupted course goes on, also that of bodies at rest, and beside bodies that they are about to touch.
    bool candidate = (goesOn && isInterrupted(world, island)) || isCandidate(world, island);
    if (!candidate || takeDraft(c) == NULL) {
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
    double longest = CT_LONGEST_STEPS * ctIsland_RegularStep(world, island);
    double end = ctIsland_NextRegular(world, longest);
    bool regular = end - world->now > (1.0 - CT_EQUAL) * longest;
    if (!listIsland(world, island, course, moved && (!goesOn || regular))) {
        return false;
    }
    if (!goesOn && ctCourse_BeginsAgain(world, course)) {
        course->crowded = world->now + ctCourse_Pause(world, course); // the general step resolves it
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
    double brief = ctIsland_StepLength(world, island, ctIsland_GeneralStep(world, island)), room;
    double length = findRoom(world, island, end - world->now, brief, &room);
    if (!(length > 0.0)) {
        course->crowded = world->now + ctCourse_Pause(world, course);
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
        course->crowded = world->now + ctCourse_Pause(world, course);
        return false;
    }
    follow(world, course, until);
    island->pointCount = course->track.pointCount;
    island->extra = island->doublings = 0;
    island->due = until;
    return true;
}
