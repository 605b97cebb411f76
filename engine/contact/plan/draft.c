// An island as a mechanical system (motion/system.h): its bodies, and its points of contact as pairs of guides.
#include "engine/contact/plan/course.h"

#include "collision/elementary.h"
#include "collision/manifold.h"

#include <stddef.h>
#include <string.h>

// Error of a step, as a share of sizes and speeds; the longest step, in times of a fall by the size. Larger: references
// are missed; smaller: more time.
#define TOLERANCE 2e-9
#define TURNING (0.1 * TOLERANCE) // the same on ground that turns, which takes bodies around for ever
#define LONGEST 2.0
#define STRIDE (2.5 * CT_FALL_PER_STEP) // sizes that bodies move at most between two questions to the watch
// [rounding] Distance, in sizes, at which bodies that part are certain not to touch.
#define SEEN (10.0 * CT_ARRIVED)

// ---- bodies -----------------------------------------------------------------------------------

static void put(double *y, int at, ctVec3 v)
{
    y[at] = v.x;
    y[at + 1] = v.y;
    y[at + 2] = v.z;
}

static void addMember(const ctWorld *world, ctCourseDraft *draft, int index)
{
    ctSystem *s = &draft->system;
    const ctContactBody *base = &world->contacts->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    int i = s->bodyCount++;
    double *y = s->y + ct_systemBody * i;
    ctQuat q = ctMulQ(base->q, info->inertia.frame);
    draft->bodies[i] = index;
    s->movable++;
    s->bodies[i].mass = info->mass;
    s->bodies[i].inertia = info->inertia.principal;
    s->bodies[i].radius = world->bodies[index].radius;
    s->bodies[i].push = info->pull;
    s->bodies[i].drive = info->drive;
    s->size = ctFmin(s->size, world->bodies[index].radius);
    put(y, ct_systemX, base->x);
    put(y, ct_systemV, base->v);
    put(y, ct_systemW, base->w);
    y[ct_systemQ] = q.w;
    y[ct_systemQ + 1] = q.x;
    y[ct_systemQ + 2] = q.y;
    y[ct_systemQ + 3] = q.z;
}

// The index of the body in the system, -1 when there is no room.
static int slotOf(const ctWorld *world, ctCourseDraft *draft, int index)
{
    ctSystem *s = &draft->system;
    for (int i = 0; i < s->bodyCount; i++) {
        if (draft->bodies[i] == index) {
            return i;
        }
    }
    const ctBody *body = &world->bodies[index];
    bool route = ctBody_HasRoute(body);
    if (s->bodyCount == CT_SYSTEM_BODIES || ctBody_IsMovable(body) || (body->t != world->now && !route)) {
        return -1;
    }
    ctSystemBody *ground = &s->bodies[s->bodyCount];
    draft->bodies[s->bodyCount] = index;
    ground->x = body->x;
    ground->q = body->q;
    ground->v = body->v;
    ground->w = body->w;
    ground->belt = world->infos[index].surface;
    ground->beltSpin = world->infos[index].surfaceSpin;
    ground->path = route ? world->infos[index].route : NULL;
    ground->pathTime = world->now;
    ground->center = world->infos[index].center;
    s->tolerance = ctLengthSquared(ground->w) + ctLengthSquared(ground->beltSpin) > 0.0 ? TURNING : s->tolerance;
    return s->bodyCount++;
}

ctBodyState ctCourse_BodyState(const ctWorld *world, int index, const double *y, int slot)
{
    const double *z = y + ct_systemBody * slot;
    ctQuat q = ctQuatOf(z[ct_systemQ], z[ct_systemQ + 1], z[ct_systemQ + 2], z[ct_systemQ + 3]);
    return (ctBodyState){ctV3(z[ct_systemX], z[ct_systemX + 1], z[ct_systemX + 2]),
                         ctV3(z[ct_systemV], z[ct_systemV + 1], z[ct_systemV + 2]),
                         ctNormalizeQ(ctMulQ(q, ctConjugate(world->infos[index].inertia.frame))),
                         ctV3(z[ct_systemW], z[ct_systemW + 1], z[ct_systemW + 2])};
}

// ---- points -----------------------------------------------------------------------------------

// point: of the record, or NULL where it is not one yet.
static bool addPoint(ctCourseDraft *draft, int record, const ctContactPoint *point, const ctGuidePair *pair, int a,
                     int b, const ctCoefficients *material)
{
    ctSystem *s = &draft->system;
    const ctContactRecord *of = &draft->world->contacts->records[record];
    double slow = ctPair_LandingSpeed(draft->world, &draft->world->pairs[of->pair]);
    int i = s->pointCount;
    if (i == CT_SYSTEM_POINTS) {
        return false;
    }
    s->pointCount++;
    s->points[i] = (ctSystemPoint){.a = pair->flipped ? b : a,
                                   .b = pair->flipped ? a : b,
                                   .onA = pair->a,
                                   .onB = pair->b,
                                   .side = pair->side,
                                   .friction = material->friction,
                                   .rolling = material->rolling,
                                   .spinning = material->spinning,
                                   .slow = slow};
    draft->points[i] = (ctCoursePoint){.record = -1};
    if (point != NULL) {
        s->points[i].n = pair->flipped ? ctNeg(point->n) : point->n;
        s->points[i].at = point->pointA;
        draft->points[i] = (ctCoursePoint){record, point->leaf, point->id, pair->flipped};
    }
    draft->bounded[i] = pair->bounded;
    draft->beyond[i] = draft->joined[i] = draft->alone[i] = draft->bears[i] = false;
    draft->open[i] = 0;
    draft->rolls[i] = pair->rolls;
    memcpy(draft->fans[i], pair->fans, sizeof pair->fans);
    if (pair->bounded) {
        draft->patches[i] = pair->patch;
    }
    int face = pair->flipped ? of->a : of->b;
    // Triangles and parts of compounds may go on in the next one.
    bool whole = draft->world->infos[face].tile == NULL && ctBody_Shape(draft->world, face)->leafCount == 1;
    if (pair->bounded && pair->a.kind == ct_guideRing && whole) {
        draft->regions[i].face = &draft->patches[i];
        s->points[i].region = &draft->regions[i];
    }
    return true;
}

static bool isCircle(const ctGuide *g)
{
    return g->kind == ct_guideRim || g->kind == ct_guideRing;
}

static bool isSameGuide(const ctGuide *g, const ctGuide *h, double near)
{
    bool alike = g->kind == h->kind || (isCircle(g) && isCircle(h));
    alike = alike && (g->kind != ct_guideLine || ctLength(ctCross(g->d, h->d)) <= CT_EQUAL);
    return alike && ctDistance(g->p, h->p) <= near;
}

// The point of a system that stands for the same place, at: two places on one rim do, of which a system needs the
// lowest alone, but for both ends of a chord. -1: there is none.
static int findSame(const ctSystem *s, int first, const ctGuidePair *pair, ctVec3 at, bool convex)
{
    double near = 1e-9 * s->size;
    bool lines = pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine;
    for (int k = first; k < s->pointCount && (isCircle(&pair->a) || lines); k++) {
        // Two discs that lie on each other are a ring of one on the other.
        bool end = pair->chord && ctDistance(s->points[k].at, at) > CT_APART * s->size;
        bool swapped = convex && pair->a.kind == ct_guideRing && s->points[k].onA.kind == ct_guideRing;
        if (swapped || (!end && isSameGuide(&s->points[k].onA, &pair->a, near) &&
                        isSameGuide(&s->points[k].onB, &pair->b, near))) {
            return k;
        }
    }
    return -1;
}

// Adds a place on the ring before it, which reports a part of the ring's force. Its guide is still in the world.
static bool addSpoke(ctCourseDraft *draft, int record, const ctContactPoint *point, const ctGuidePair *pair, int a,
                     int b, const ctCoefficients *material)
{
    ctSystem *s = &draft->system;
    int ring = s->pointCount - 1;
    while (s->points[ring].onA.kind == ct_guideSpoke) {
        ring--;
    }
    ctGuidePair spoke = *pair;
    spoke.a = (ctGuide){.kind = ct_guideSpoke, .p = point->pointA};
    spoke.bounded = false;
    spoke.flipped = s->points[ring].a == b; // two discs may have it the other way round
    if (!addPoint(draft, record, point, &spoke, a, b, material)) {
        return false;
    }
    s->points[s->pointCount - 1].gap = CT_FAR_AWAY;
    return true;
}

// Brings spokes to the axes of the body under their ring.
static void placeSpokes(ctSystem *s)
{
    const ctSystemPoint *ring = NULL;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        if (p->onA.kind == ct_guideRing && ring == NULL) {
            ctSystem_Place(s, 0.0, s->y);
        }
        ring = p->onA.kind == ct_guideRing ? p : ring;
        if (p->onA.kind == ct_guideSpoke) {
            p->onA.p = ctMulTMV(s->poses[ring->b].r, ctSub(p->onA.p, ring->at));
        }
    }
}

// Adds corners above the plane of a record that are not among its points [first, last): their arrivals are exact to
// rounding. False where there is no room for them.
static bool addCorners(const ctWorld *world, ctCourseDraft *draft, int index, int first, int last)
{
    const ctContactRecord *record = &world->contacts->records[index];
    ctCoefficients material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    ctGuide guides[CT_SYSTEM_POINTS];
    ctSystem *s = &draft->system;
    int count = ctGuides_OverPlane(world, record, guides, CT_SYSTEM_POINTS);
    if (count < 0 || last == first || s->pointCount + count - (last - first) > CT_SYSTEM_POINTS) {
        return false;
    }
    ctGuidePair pair = {.b = s->points[first].onB, .side = 1.0};
    int a = s->points[first].a, b = s->points[first].b;
    for (int i = 0; i < count; i++) {
        bool known = false;
        for (int k = first; k < last; k++) {
            known = known || isSameGuide(&s->points[k].onA, &guides[i], 1e-9 * s->size);
        }
        pair.a = guides[i];
        if (!known && !addPoint(draft, index, NULL, &pair, a, b, &material)) {
            return false;
        }
    }
    return true;
}

// Adds the corners above planes, after all points that are near: where there is no room for them, the watch looks for
// them.
static void addAllCorners(const ctWorld *world, ctCourseDraft *draft, const int *firsts)
{
    for (int i = 0; i < draft->recordCount; i++) {
        const ctContactRecord *record = &world->contacts->records[draft->records[i]];
        if (!draft->covered[i] && world->bodies[record->b].plane) {
            draft->covered[i] = addCorners(world, draft, draft->records[i], firsts[i], firsts[i + 1]);
        }
    }
}

// The pose of ground whose axes those of its faces are.
static ctTransform axesOf(const ctSystem *s, int slot)
{
    return ctTransformOf(s->bodies[slot].x, s->bodies[slot].q);
}

// The ring of the same disc on a face that goes on in that of the pair: in the same plane, of the same body or both of
// fixed ones, with the same friction. The patch of the pair is brought to the axes under the ring. -1: none.
static int findJoined(const ctCourseDraft *draft, ctGuidePair *pair, int a, int b, const ctCoefficients *material)
{
    const ctSystem *s = &draft->system;
    int own = pair->flipped ? b : a, other = pair->flipped ? a : b, k = s->pointCount - 1;
    while (k >= 0 && s->points[k].onA.kind == ct_guideSpoke) {
        k--;
    }
    const ctSystemPoint *p = k >= 0 ? &s->points[k] : NULL;
    if (p == NULL || p->onA.kind != ct_guideRing || p->a != own || !draft->bounded[k] ||
        !isSameGuide(&p->onA, &pair->a, 1e-9 * s->size) || draft->patches[k].kind != ct_patchPolygon ||
        pair->patch.kind != ct_patchPolygon) {
        return -1;
    }
    bool fixed = draft->world->bodies[draft->bodies[p->b]].mode == ct_modeFixed &&
                 draft->world->bodies[draft->bodies[other]].mode == ct_modeFixed;
    bool alike =
        p->friction == material->friction && p->rolling == material->rolling && p->spinning == material->spinning;
    if ((p->b != other && !fixed) || !alike) {
        return -1;
    }
    if (p->b != other) {
        ctTransform from = axesOf(s, other), to = axesOf(s, p->b);
        ctMat3 r = ctMat3FromQuat(ctMulQ(ctConjugate(to.q), from.q));
        ctPatch_Move(&pair->patch, &r, ctInvRotate(to.q, ctSub(from.p, to.p)));
    }
    bool level = ctDot(pair->patch.n, draft->patches[k].n) > 1.0 - CT_EQUAL &&
                 fabs(ctDot(p->onB.d, ctSub(pair->patch.p[0], p->onB.p))) <= CT_EQUAL * s->size;
    return level ? k : -1;
}

bool ctCourseDraft_Takes(const ctWorld *world, const ctContactRecord *record)
{
    int parts = ctBody_Shape(world, record->a)->leafCount * ctBody_Shape(world, record->b)->leafCount;
    return record->pile == NULL && parts <= CT_COURSE_PARTS;
}

// Whether a point carries nothing: it is under a disc, whose rim is on the same face.
static bool isUnderRing(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    bool ring = false;
    if (!ctGuides_IsUnderDisc(world, record, point)) {
        return false;
    }
    for (int i = 0; i < record->count && !ring; i++) {
        ctGuidePair pairs[CT_GUIDE_PAIRS];
        const ctContactPoint *other = &record->points[i];
        ring = other != point && !ctContact_IsFar(world, record, other) &&
               ctGuides_Find(world, record, other, ct_guidesEither, pairs) > 0 && pairs[0].a.kind == ct_guideRing;
    }
    return ring;
}

// Adds a point of a record whose guides are known, unless it is there already. first: the first point of the record;
// convex: both of its bodies are. False where there is no room.
static bool addKnown(ctCourseDraft *draft, int record, const ctContactPoint *point, ctGuidePair *pair, int first, int a,
                     int b, const ctCoefficients *material, bool convex)
{
    ctSystem *s = &draft->system;
    int same = findSame(s, first, pair, point->pointA, convex), index = same >= 0 ? same : s->pointCount;
    bool rim = same >= 0 && s->points[same].onA.kind == ct_guideRim; // the circle is a rim already
    bool ring = !rim && pair->a.kind == ct_guideRing;
    int joined = ring && same < 0 && pair->bounded ? findJoined(draft, pair, a, b, material) : -1;
    if ((same < 0 && joined < 0 && !addPoint(draft, record, ring ? NULL : point, pair, a, b, material)) ||
        (ring && !addSpoke(draft, record, point, pair, a, b, material))) {
        return false;
    }
    if (joined >= 0) {
        draft->joined[s->pointCount - 1] = true;
        draft->patches[s->pointCount - 1] = pair->patch;
    }
    bool bears = ctLengthSquared(point->force) > 0.0;
    index = joined >= 0 ? joined : index;
    draft->bears[index] = draft->bears[index] || bears;
    draft->gaps = draft->gaps || point->gap > CT_ARRIVED * s->size;
    return true;
}

// Whether one of the points of a record that are no pairs of guides may bear. Where parts touch with a corner, its
// edges are near as well: a place at which a point from the first on is known has no other.
static bool bearsElsewhere(const ctCourseDraft *draft, int first, const ctContactPoint *const *points, int count)
{
    const ctSystem *s = &draft->system;
    bool alone = s->pointCount == first; // it may be the one that bears
    for (int i = 0; i < count; i++) {
        const ctContactPoint *point = points[i];
        bool touches = point->gap <= CT_POINT_TOUCH * s->size || ctLengthSquared(point->force) > 0.0;
        bool known = false;
        for (int k = first; k < s->pointCount; k++) {
            known = known || (draft->points[k].record >= 0 && draft->points[k].leaf == point->leaf &&
                              ctDistance(s->points[k].at, point->pointA) <= CT_CLOSED * s->size);
        }
        if (!known && (touches || (alone && point->gap <= CT_CLOSED * s->size))) {
            return true;
        }
    }
    return false;
}

static bool addRecord(const ctWorld *world, ctCourseDraft *draft, int index, bool *covered)
{
    const ctContactRecord *record = &world->contacts->records[index];
    ctSystem *s = &draft->system;
    ctCoefficients material = ctPair_Coefficients(world, &world->pairs[record->pair]);
    ctGuideSide side = draft->over == index ? draft->side : ct_guidesEither;
    int a = slotOf(world, draft, record->a), b = slotOf(world, draft, record->b), first = s->pointCount;
    if (a < 0 || b < 0) {
        return false;
    }
    bool convex = ctBody_Shape(world, record->a)->leafCount * ctBody_Shape(world, record->b)->leafCount == 1;
    bool chords = false, single = false, crosses = false;
    const ctContactPoint *strange[CT_SYSTEM_POINTS + 1];
    int count = 0;
    for (int i = 0; i < record->count && !crosses; i++) {
        const ctContactPoint *point = &record->points[i];
        ctGuidePair pairs[CT_GUIDE_PAIRS], *pair = pairs;
        if (ctContact_IsFar(world, record, point) || isUnderRing(world, record, point)) {
            single = false;
            continue;
        }
        int known = ctGuides_Find(world, record, point, side, pairs);
        if (known == 0 && side == ct_guidesEither && count <= CT_SYSTEM_POINTS &&
            !ctGuides_Pass(world, record, point)) {
            strange[count++] = point;
        }
        single = known > 0 && pair->single;
        crosses = single && convex && pair->a.kind == ct_guideLine;
        chords = chords || (known > 0 && pair->a.kind == ct_guideRim && pair->b.kind == ct_guideLine);
        if (crosses) { // what is at the ends of the lines does not touch
            s->pointCount = first;
            count = 0;
        }
        for (int k = 0; k < known; k++) {
            if (!addKnown(draft, index, point, &pairs[k], first, a, b, &material, convex)) {
                return false;
            }
        }
    }
    if (bearsElsewhere(draft, first, strange, count) && !(chords && convex)) {
        return false; // but nothing else of a disc bears that turns about an edge
    }
    // A body that is round all over has one point on a convex one, which the watch follows from face to edge.
    bool balls = world->pairs[record->pair].kind != ct_pairGeneral;
    *covered = s->pointCount == first + 1 && (balls || (convex && single));
    if (*covered) {
        draft->alone[first] = true;
    }
    return true;
}

// ---- the whole --------------------------------------------------------------------------------

static double heightOf(const ctSystem *s)
{
    double sum = 0.0;
    for (int i = 0; i < s->movable; i++) {
        const double *x = s->y + ct_systemBody * i + ct_systemX;
        sum -= s->bodies[i].mass * ctDot(ctSystem_Pull(s, i), ctV3(x[0], x[1], x[2]));
    }
    return sum;
}

// Whether a ring is neither flat on its face nor leaves it: its rim touches somewhere. One that has just landed flat
// and turns about a point of its rim leaves: there both speeds are equal, but for rounding.
static bool wobbles(const ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        ctVec3 turn = ctMulAdd(p->turn, -ctDot(p->turn, p->n), p->n);
        if (p->onA.kind == ct_guideRing && p->mode == ct_pointOpen && !(p->un > (1.0 - CT_EQUAL) * ctLength(turn))) {
            return true;
        }
    }
    return false;
}

// How far apart a point may be that keeps its gap, m.
static double mostKept(const ctCourseDraft *draft, int i, bool eventless)
{
    return (draft->bears[i] ? CT_APART : eventless ? CT_ARRIVED : CT_CLOSED) * draft->system.size;
}

// Whether all points that may bear have the same normal or quite different ones. Otherwise two faces are nearly
// parallel, and points of both would demand what no rigid body can do.
static bool isLevel(const ctCourseDraft *draft, bool eventless)
{
    const ctSystem *s = &draft->system;
    for (int i = 0; i < s->pointCount; i++) {
        for (int k = 0; k < i && s->points[i].gap <= mostKept(draft, i, eventless); k++) {
            double sine = ctLength(ctCross(s->points[i].n, s->points[k].n));
            if (s->points[k].gap <= mostKept(draft, k, eventless) && sine > CT_EQUAL && sine < CT_ALONG) {
                return false;
            }
        }
    }
    return true;
}

// Points that touch across a gap, where steps and impacts have left them, keep it until they part: their surfaces are
// that much nearer. Those of faces that are not parallel are closed.
static void keepGaps(ctCourseDraft *draft, bool eventless)
{
    ctSystem *s = &draft->system;
    draft->near = (eventless ? TOLERANCE : CT_CLOSED) * s->size;
    if (!draft->gaps) {
        return;
    }
    ctSystem_Place(s, 0.0, s->y);
    bool level = isLevel(draft, eventless);
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        if (p->onA.kind == ct_guideSpoke || p->gap > mostKept(draft, i, eventless) || fabs(p->un) > p->slow) {
            continue;
        }
        bool round = isCircle(&p->onA) && p->gap <= CT_CLOSED * s->size; // it falls flat, or is so
        if (level && !round && p->gap > CT_ARRIVED * s->size) {
            p->onB.round += p->gap;
        } else if (draft->bears[i] && p->gap <= CT_CONTACT_MARGIN * s->size) {
            draft->near = ctFmax(draft->near, p->gap * (1.0 + 1e-6) + CT_ARRIVED * s->size);
        }
    }
}

// Makes the system, and begins its motion. False where that is not possible.
static bool begin(const ctWorld *world, const ctCourse *course, ctCourseDraft *draft, bool eventless)
{
    ctSystem *s = &draft->system;
    memset(s, 0, offsetof(ctSystem, points));
    s->gravity = world->def.gravity;
    s->size = INFINITY;
    s->tolerance = TOLERANCE;
    for (int i = 0; i < course->bodyCount; i++) {
        addMember(world, draft, course->bodies[i]);
    }
    s->stride = STRIDE * s->size;
    s->longest = LONGEST * ctWorld_FallTime(world, s->size);
    draft->gaps = false;
    int firsts[CT_SYSTEM_POINTS + 1] = {0};
    for (int i = 0; i < course->recordCount; i++) {
        if (!addRecord(world, draft, draft->records[i], &draft->covered[i])) {
            return false;
        }
        firsts[i + 1] = s->pointCount;
    }
    addAllCorners(world, draft, firsts);
    double energy = ctSystem_Energy(s, s->y), height = heightOf(s);
    placeSpokes(s);
    keepGaps(draft, eventless);
    if (!ctCourseDraft_Bound(draft) || !ctSystem_Begin(s, draft->near) || wobbles(s)) {
        return false;
    }
    draft->push = heightOf(s) - height;
    const double *work = s->y + ct_systemBody * s->movable;
    draft->stop = ctSystem_Energy(s, s->y) - energy - draft->push - work[0] - work[1];
    ctCourseDraft_Watch(draft);
    return true;
}

// A ring has tipped over the edge of its face: from now on that edge bears on the disc.
static bool turnOver(const ctWorld *world, ctCourseDraft *draft)
{
    const ctSystem *s = &draft->system;
    int index = s->over != NULL ? (int)(s->over - s->points) + 1 : 0; // its first spoke
    if (draft->over >= 0 || index == 0 || index >= s->pointCount || draft->points[index].record < 0) {
        return false;
    }
    draft->over = draft->points[index].record;
    int a = slotOf(world, draft, world->contacts->records[draft->over].a);
    draft->side = s->over->a == a ? ct_guidesOnA : ct_guidesOnB;
    return true;
}

bool ctCourseDraft_Make(const ctWorld *world, const ctCourse *course, ctCourseDraft *draft, bool eventless)
{
    ctSystem *s = &draft->system;
    draft->world = world;
    draft->recordCount = course->recordCount;
    draft->over = -1;
    memcpy(draft->records, course->records, sizeof draft->records);
    s->over = NULL;
    return begin(world, course, draft, eventless) || ctCourseDraft_TurnOver(world, course, draft, eventless);
}

bool ctCourseDraft_TurnOver(const ctWorld *world, const ctCourse *course, ctCourseDraft *draft, bool eventless)
{
    return turnOver(world, draft) && begin(world, course, draft, eventless);
}

// A state after a short time of flight. Orientations follow from the mean spins; alpha: how these change at first.
static void flyFor(ctSystem *s, double time, const ctVec3 *alpha, double *y)
{
    memcpy(y, s->y, sizeof s->y);
    for (int i = 0; i < s->movable; i++) {
        double *z = y + ct_systemBody * i;
        ctVec3 x = ctV3(z[ct_systemX], z[ct_systemX + 1], z[ct_systemX + 2]);
        ctVec3 v = ctV3(z[ct_systemV], z[ct_systemV + 1], z[ct_systemV + 2]);
        put(z, ct_systemX, ctMulAdd(ctMulAdd(x, time, v), 0.5 * time * time, s->poses[i].a));
        s->spins[i] = ctMulAdd(ctV3(z[ct_systemW], z[ct_systemW + 1], z[ct_systemW + 2]), 0.5 * time, alpha[i]);
    }
}

double ctCourseDraft_TimeApart(ctCourseDraft *draft)
{
    ctSystem *s = &draft->system;
    double fall = sqrt(s->size / ctSystem_Weight(s)), last = 0.0, before = -INFINITY;
    ctVec3 alpha[CT_SYSTEM_MOVABLE];
    ctSystem_Place(s, 0.0, s->y);
    for (int i = 0; i < s->movable; i++) {
        alpha[i] = s->poses[i].alpha;
    }
    for (double time = CT_CLOSED * fall; time < CT_EARLY * fall; time *= 2.0) {
        double y[CT_SYSTEM_STATE], least = INFINITY;
        flyFor(s, time, alpha, y);
        ctSystem_Place(s, time, y);
        for (int i = 0; i < s->pointCount; i++) {
            least = ctFmin(least, s->points[i].gap / s->size);
        }
        if (!(least > before - CT_ARRIVED) || least > SEEN) {
            return least > SEEN ? time : last;
        }
        before = least;
        last = time;
    }
    return last;
}
