// Inside contact/plan: the interface between its files.
#ifndef CT_PLAN_COURSE_H
#define CT_PLAN_COURSE_H

#include "engine/contact/plan/guides.h"

// A course or a plan up to the next multiple of 1/60 s is worth while if it is as long as this many short ones. Larger:
// more short plans; smaller: plans that are discarded.
#define CT_WORTHWHILE 1.5
// Time before room is looked for again, where others are too near for a course or a plan, in times of a fall by the
// size. Longer: steps where a plan would do; shorter: room is looked for in vain.
#define CT_CROWDED (1.25 * CT_FALL_PER_STEP)

// A motion ends this long before a point comes to the edge of its face, in times of a fall by the size. Earlier: more
// is stepped; later: a point leaves its face inside a motion.
#define CT_EARLY (10.0 * CT_LANDING)

// How far a body may move within a time from now (s) without touching anything new, m. Where that seems to be less than
// wish (m), distances are measured again. looks: others are looked at during the motion, and need no room.
double ctPlan_RoomAround(ctWorld *world, int body, double time, double wish, bool looks);

// One rule for landings in islands of few bodies (contact/plan/landing.c). Bodies that fly, or have been struck, at now
// continue from here; true when there are such.
bool ctIsland_TakeIn(ctWorld *world, const ctIsland *island);
// Whether a course begins again and again within a negligible time.
bool ctCourse_BeginsAgain(const ctWorld *world, ctCourse *course);
// Whether a point of contact is too far away to count, and carries nothing.
bool ctContact_IsFar(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point);
// Whether something lands, or separates for good: that is handled first, and the island is due at once.
bool ctIsland_Land(ctWorld *world, ctIsland *island, bool eventless);
// Nothing touches any more, nor will before a time (s, absolute): all pairs go back to the loop. False when one begins
// again and again.
bool ctIsland_Part(ctWorld *world, ctIsland *island, double until);
// Marks its contacts as having been in a step.
void ctIsland_Greet(ctWorld *world, const ctIsland *island);

// [method] m
#define CT_FAR_AWAY 1e30
// The numbers of the longest track.
#define CT_COURSE_NUMBERS (CT_COURSE_STEPS * CT_TRACK_STRIDE)

// [storage] Pairs of convex parts that two bodies of a course may have.
#define CT_COURSE_PARTS 32

// The convex parts of two bodies of a record: planes that were between them, and how far they were apart.
typedef struct ctBetween {
    ctVec3 planes[CT_COURSE_PARTS]; // their normals
    double gaps[CT_COURSE_PARTS];   // m: at least; not positive where they are not known to be apart
    ctVec3 x;                       // where one body was then, in the axes of the other
    ctMat3 r;
} ctBetween;

// A system while its course is found: the bodies and points of the world that it consists of.
typedef struct ctCourseDraft {
    const ctWorld *world;
    ctSystem system;
    int bodies[CT_SYSTEM_BODIES]; // in the world
    int recordCount, records[CT_SYSTEM_POINTS];
    int over; // the record whose ring tips over the edge of its face, -1: none; side: who has the face then
    ctGuideSide side;
    bool covered[CT_SYSTEM_POINTS]; // by record: everything that could touch there is a point of the system already
    ctBetween between[CT_SYSTEM_POINTS]; // by record
    ctCoursePoint points[CT_SYSTEM_POINTS];
    ctPatch patches[CT_SYSTEM_POINTS];                       // of points on bounded faces
    ctRegion regions[CT_SYSTEM_POINTS];                      // of rings on them
    bool bounded[CT_SYSTEM_POINTS], rolls[CT_SYSTEM_POINTS]; // as in ctGuidePair
    bool beyond[CT_SYSTEM_POINTS];                           // a ring may reach beyond its face
    uint32_t open[CT_SYSTEM_POINTS];                         // sides of a ring's face, as bits, beyond which it goes on
    bool joined[CT_SYSTEM_POINTS];                           // the patch of a spoke is another face of its ring
    bool alone[CT_SYSTEM_POINTS];                            // it covers its record: no other feature is watched
    bool bears[CT_SYSTEM_POINTS], gaps;                      // it has borne so far; gaps: of some points
    ctFan fans[CT_SYSTEM_POINTS][2];
    double least[CT_SYSTEM_POINTS];  // m: how far inside its face, or between the faces of its fans, a point stays
    double near;                     // m: points no farther apart are closed
    double push, stop;               // J: work of closing gaps and stopping slow separation, at the start
    double steps[CT_COURSE_NUMBERS]; // of the track, while it is found: most are short, and keep no more room
} ctCourseDraft;

// Whether a contact is of a kind that systems support, wherever its points are.
bool ctCourseDraft_Takes(const ctWorld *world, const ctContactRecord *record);
// Makes the system of a course's bodies and records at the bodies' bases, with modes and forces. False when they are
// not one, or not now.
bool ctCourseDraft_Make(const ctWorld *world, const ctCourse *course, ctCourseDraft *draft, bool eventless);
// Makes it again where a ring of it tips over the edge of its face at once. False where none does.
bool ctCourseDraft_TurnOver(const ctWorld *world, const ctCourse *course, ctCourseDraft *draft, bool eventless);
// Sets how far inside their faces points stay: the general step handles edges. Points beyond the edge to rounding stay
// where they are. False where one leaves its face at once. Sets what is watched (contact/plan/watch.c).
bool ctCourseDraft_Bound(ctCourseDraft *draft);
void ctCourseDraft_Watch(ctCourseDraft *draft);
// How far the bodies of the draft are from an overlap that ends the course, as a share of it: 1 where nothing overlaps,
// negative where they overlap by more.
double ctCourseDraft_Room(ctCourseDraft *draft);
// How long the bodies of a draft, which fly from now on, are certain not to touch at its points, s: until their
// distance can be told from rounding, or less.
double ctCourseDraft_TimeApart(ctCourseDraft *draft);
// The greatest of the bodies' accelerations by gravity and forces, m/s^2.
static inline double ctCourse_Weight(const ctWorld *world, const int *bodies, int count)
{
    double most = 0.0;
    for (int i = 0; i < count; i++) {
        most = ctFmax(most, ctLength(ctBody_Pull(world, bodies[i])));
    }
    return most;
}

// How long general steps, which are short, take over where there is no room for a course, or it makes no progress, s.
static inline double ctCourse_Pause(const ctWorld *world, const ctCourse *course)
{
    return CT_PART_STEP * CT_CROWDED * ctWorld_FallTime(world, world->bodies[course->bodies[0]].radius);
}

// A time (s, absolute) on the track of a course. Where nothing has ended the track, the next one begins at its end to
// the last bit, where bodies obey all conditions.
static inline double ctCourse_Time(const ctCourse *course, double t)
{
    bool end = course->eventless && !(t < course->base + course->track.length);
    return end ? course->track.length : t - course->base;
}

// The state of a movable body of a system, in the form of the world.
ctBodyState ctCourse_BodyState(const ctWorld *world, int body, const double *y, int slot);

#endif
