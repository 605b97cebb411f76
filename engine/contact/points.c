// The points of a pair in contact: their present places, and the forces that they keep.
#include "engine/contact/contact_internal.h"

#include "collision/corners.h"
#include "collision/manifold.h"
#include "collision/memory.h"
#include "collision/separation.h"

// How far a point may be from touching and still matter in the coming step.
static double marginOf(const ctWorld *world, const ctContactRecord *record, double step)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    double closing = -ctDot(record->normal, ctSub(a->v, b->v));
    double turning =
        (a->ball ? 0.0 : ctLength(a->w) * a->radius) + (b->ball || b->plane ? 0.0 : ctLength(b->w) * b->radius);
    double fall = ctBodies_Pull(world, record->a, record->b) * step;
    double size = ctContact_PairSize(world, record->a, record->b);
    return 2.0 * CT_CONTACT_MARGIN * size + ctFmin(step * (ctFmax(closing, 0.0) + turning + fall), 0.2 * size);
}

static bool addFound(ctContacts *c, int *count, uint32_t leaf, uint32_t id, const ctClosest *at)
{
    if (!ctReserve((void **)&c->found, &c->foundCapacity, *count + 1, sizeof(ctContactPoint))) {
        return false;
    }
    ctContactPoint *p = &c->found[(*count)++];
    *p = (ctContactPoint){.leaf = leaf, .id = id, .n = at->normal, .gap = at->distance};
    p->pointA = at->pointA;
    p->pointB = at->pointB;
    return true;
}

static bool findBall(ctWorld *world, const ctContactRecord *record, double margin, int *count)
{
    const ctBody *a = &world->bodies[record->a], *b = &world->bodies[record->b];
    ctClosest c;
    if (b->plane) {
        c.normal = b->normal;
        c.distance = ctDot(c.normal, a->x) - b->offset - a->radius;
        c.pointB = ctMulAdd(a->x, -a->radius - c.distance, c.normal);
    } else {
        ctVec3 d = ctSub(a->x, b->x);
        double length = ctLength(d);
        c.normal = length > 0.0 ? ctScale(1.0 / length, d) : record->normal;
        c.distance = length - a->radius - b->radius;
        c.pointB = ctMulAdd(b->x, b->radius, c.normal);
    }
    c.pointA = ctMulAdd(a->x, -a->radius, c.normal);
    return c.distance > margin || addFound(world->contacts, count, 0, 0, &c);
}

// The points of a leaf pair that carry load; those on rims move along the rim, and are not kept.
static ctManifoldKeep loadedPoints(const ctContactRecord *record, int leaf, bool smooth)
{
    ctManifoldKeep keep = {0};
    for (int i = 0; i < record->count && keep.count < CT_MANIFOLD_POINTS && !smooth; i++) {
        const ctContactPoint *p = &record->points[i];
        if (p->leaf == (uint32_t)leaf && ctLengthSquared(p->force) > 0.0) {
            keep.ids[keep.count++] = p->id;
        }
    }
    return keep;
}

// Whether a point may continue on another pair of parts. On triangles of a terrain it may only within one plane.
static bool mayGoOn(const ctWorld *world, const ctContactRecord *record, uint32_t from, uint32_t to)
{
    if (from == to || from == UINT32_MAX || world->infos[record->b].tile == NULL) {
        return from != UINT32_MAX;
    }
    uint32_t parts = (uint32_t)ctBody_Shape(world, record->b)->leafCount;
    return from / parts == to / parts && ctTile_IsSameFace(world, record->b, (int)(from % parts), (int)(to % parts));
}

// Where several parts form one face, only those of its points stay that a single face would have: its corners.
static void thinFaces(const ctWorld *world, const ctContactRecord *record, double margin, int *count)
{
    ctContactPoint *points = world->contacts->found;
    ctSpot spots[CT_MOST_SPOTS];
    bool keep[CT_MOST_SPOTS];
    int kept = 0, thinned = *count <= CT_MOST_SPOTS ? *count : 0;
    for (int i = 0; i < thinned; i++) {
        spots[i] = (ctSpot){points[i].pointB, points[i].n, points[i].gap};
    }
    ctKeepCorners(spots, thinned, ctPair_FaceCosine(world, record->pair),
                  ctContact_PairSize(world, record->a, record->b), keep);
    for (int i = 0; i < *count; i++) {
        if ((i >= thinned || keep[i]) && points[i].gap <= margin) {
            points[kept++] = points[i];
        }
    }
    *count = kept;
}

// Triangles of a terrain leave contacts on their sides to their neighbours; by rounding, all of them may.
static bool findNearest(ctWorld *world, const ctContactRecord *record, double margin, int *count)
{
    ctClosest c;
    uint32_t leaf = (uint32_t)ctPair_Nearest(world, record->pair, &c);
    return c.distance > margin || addFound(world->contacts, count, leaf, 0, &c);
}

// Whether a body is in contact with no other that moves. Its island may be stale, or gone while it sleeps.
static bool isAlone(const ctWorld *world, int index)
{
    int count;
    const ctLink *links = ctBody_Links(world, index, &count);
    for (int i = 0; i < count; i++) {
        if (links[i].tag != CT_LATENT && world->pairs[links[i].tag].state == ct_pairContact &&
            ctBody_IsMovable(&world->bodies[links[i].other])) {
            return false;
        }
    }
    return true;
}

static bool findGeneral(ctWorld *world, const ctContactRecord *record, double margin, bool keep, int *count)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    ctPose poseA = ctBody_Pose(world, &world->bodies[record->a]), poseB = ctBody_Pose(world, &world->bodies[record->b]);
    ctPairExtra *extra = &world->extras[record->pair];
    // All corners of a face bear one body. Of several, loads would jump where a corner of one face passes an edge.
    bool alone = isAlone(world, record->a);
    // A part that is far from the whole of b is far from each of its parts.
    bool many = shapeA->leafCount > 1 && shapeB->leafCount > 1 && world->infos[record->b].tile == NULL;
    double top = many ? margin + ctReachAlong(shapeB, shapeA, &poseB, record->normal) : 0.0;
    for (int i = 0; i < shapeA->leafCount; i++) {
        ctPose pa = ctShape_PartPose(shapeA, i, &poseA);
        if (many && -ctReachAlong(shapeA->leaves[i].shape, shapeB, &pa, ctNeg(record->normal)) > top) {
            continue;
        }
        const ctShape *leafA = shapeA->leaves[i].shape;
        ctNearby near = ctTile_Nearby(world, record->b, &poseB, leafA, &pa, margin);
        for (int j = 0; j < shapeB->leafCount; j++) {
            const ctShape *leafB = shapeB->leaves[j].shape;
            if (ctNearby_LeavesOut(&near, leafB)) {
                continue;
            }
            ctPose pb = ctShape_PartPose(shapeB, j, &poseB);
            int leaf = i * shapeB->leafCount + j;
            if (extra->leafCount > 1 &&
                ctAreApart(leafA, &pa, leafB, &pb, record->normal, extra->leaves[leaf].normal, margin)) {
                continue;
            }
            ctManifold m = {.count = 0};
            ctWholeManifold whole;
            whole.count = 0;
            bool faces = ctPair_HasFaces(world, record->pair, leafA, leafB);
            bool face = alone && ctPair_HasFace(world, record->pair, leafA, leafB);
            bool free = !keep || ctContact_IsSmooth(leafA) || ctContact_IsSmooth(leafB);
            ctManifoldKeep loaded = loadedPoints(record, leaf, free);
            loaded.whole = faces || face ? &whole : NULL;
            loaded.within = face;
            ctCollide(leafA, &pa, leafB, &pb, margin, &extra->leaves[leaf].cache, &loaded, &m);
            world->contacts->apart = extra->leafCount > 1 ? 0.0 : m.apart;
            if (m.count > 0 || leafA->type != ct_shapeBox || leafB->type != ct_shapeBox) {
                extra->leaves[leaf].normal = m.normal;
            }
            faces = faces || (whole.count > 0 && whole.count <= CT_FACE_POINTS);
            int found = faces ? whole.count : m.count;
            for (int k = 0; k < found; k++) {
                const ctManifoldPoint *q = faces ? &whole.points[k] : &m.points[k];
                ctClosest c;
                if (!ctPair_PointOf(world, record->pair, leaf, q, m.normal, &c)) {
                    continue;
                }
                if (!addFound(world->contacts, count, (uint32_t)leaf, q->id, &c)) {
                    return false;
                }
            }
        }
    }
    if (extra->leafCount > 1) {
        thinFaces(world, record, margin, count);
    }
    return *count > 0 || world->infos[record->b].tile == NULL || findNearest(world, record, margin, count);
}

ctVec3 ctContact_TurnWith(ctVec3 v, ctVec3 n, ctVec3 m)
{
    if (!(ctDot(n, m) > 0.0)) {
        return v;
    }
    ctVec3 axis = ctCross(n, m);
    double cosine = ctDot(n, m);
    return ctAdd(ctMulAdd(ctScale(cosine, v), ctDot(axis, v) / (1.0 + cosine), axis), ctCross(axis, v));
}

static void inherit(ctContactPoint *point, ctContactPoint *old)
{
    point->past = old->n;
    point->armA = old->armA;
    point->armB = old->armB;
    point->force = old->force;
    // The torque turns with the normal: resistance to spinning is along it, and does no other work.
    point->torque = ctDot(old->n, point->n) > 0.0 ? ctContact_TurnWith(old->torque, old->n, point->n) : ctZero3();
    point->impulse = old->impulse;
    point->span = old->span;
    point->growth = old->growth;
    point->known = old->known;
    old->leaf = UINT32_MAX; // taken
}

// Passes forces on to the new points: first by feature, then to the nearest.
static void matchPoints(const ctWorld *world, ctContactRecord *record, ctContactPoint *found, int count)
{
    bool left[64] = {false};
    for (int i = 0; i < count; i++) {
        bool done = false;
        for (int j = 0; j < record->count && !done; j++) {
            ctContactPoint *old = &record->points[j];
            done = old->leaf == found[i].leaf && old->id == found[i].id;
            if (done) {
                inherit(&found[i], old);
            }
        }
        if (i < 64) {
            left[i] = !done;
        }
    }
    double reach = CT_SAME_POINT * ctContact_PairSize(world, record->a, record->b);
    ctVec3 centre = world->bodies[record->a].x;
    for (int i = 0; i < count && i < 64; i++) {
        int best = -1;
        double nearest = reach;
        for (int j = 0; j < record->count && left[i]; j++) {
            const ctContactPoint *old = &record->points[j];
            double distance = ctDistance(ctSub(found[i].pointA, centre), old->armA);
            if (mayGoOn(world, record, old->leaf, found[i].leaf) && old->known && distance < nearest &&
                ctDot(old->n, found[i].n) > 0.9) {
                nearest = distance;
                best = j;
            }
        }
        if (best >= 0) {
            inherit(&found[i], &record->points[best]);
        }
    }
    for (int j = 0; j < record->count; j++) {
        const ctContactPoint *old = &record->points[j];
        record->lost = record->lost || (old->leaf != UINT32_MAX && ctLengthSquared(old->force) > 0.0);
    }
}

// Removes points of a ball on edges that another box covers.
static void dropCovered(ctWorld *world, ctContactRecord *record, int *count)
{
    ctContactPoint *found = world->contacts->found;
    int kept = 0;
    record->covered = false;
    if (world->bodies[record->b].mode != ct_modeFixed || ctBody_Shape(world, record->b)->type != ct_shapeBox) {
        return;
    }
    for (int i = 0; i < *count; i++) {
        if (ctContact_IsCovered(world, record, &found[i])) {
            record->covered = true;
        } else if (kept++ < i) {
            found[kept - 1] = found[i];
        }
    }
    *count = kept;
}

// Points are most of what is known of a contact: room for twice as many as there are is given back. The record has no
// points that matter.
static bool fitPoints(ctContactRecord *record, int count)
{
    if (count == 0 || record->capacity < 2 * count) {
        return true;
    }
    ctFree(record->points);
    record->points = ctAllocate((size_t)count, sizeof(ctContactPoint));
    record->capacity = record->points != NULL ? count : 0;
    record->count = record->points != NULL ? record->count : 0;
    return record->points != NULL;
}

bool ctContact_UpdatePoints(ctWorld *world, ctContactRecord *record, double step, double reach, bool keep)
{
    ctContacts *c = world->contacts;
    int count = 0;
    double margin = marginOf(world, record, step) + reach;
    bool ok = world->pairs[record->pair].kind == ct_pairGeneral ? findGeneral(world, record, margin, keep, &count)
                                                                : findBall(world, record, margin, &count);
    if (ok) {
        dropCovered(world, record, &count);
    }
    if (!ok || !ctFit((void **)&record->points, &record->capacity, count, sizeof(ctContactPoint))) {
        return false;
    }
    matchPoints(world, record, c->found, count);
    if (!fitPoints(record, count)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        record->points[i] = c->found[i];
        record->normal = i == 0 || c->found[i].gap < c->found[0].gap ? c->found[i].n : record->normal;
        ctWorld_SeeGap(world, record->a, record->b, c->found[i].gap);
    }
    record->count = count;
    record->found = world->now;
    return true;
}

// The pair of parts of a point in a tile that has moved; UINT32_MAX: none.
static uint32_t leafThere(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *p, uint32_t former,
                          uint32_t now)
{
    int leaf = ctTile_Follow(world, record->b, (int)(p->leaf % former), p->pointB);
    return leaf >= 0 ? p->leaf / former * now + (uint32_t)leaf : UINT32_MAX;
}

void ctContact_FollowTile(ctWorld *world, int pair)
{
    ctContacts *c = world->contacts;
    int index = world->pairs[pair].contact, count = 0;
    ctContactRecord *record = &c->records[index];
    const ctTile *tile = world->infos[record->b].tile;
    uint32_t former = (uint32_t)ctTile_LeafCount(tile, true), now = (uint32_t)ctTile_LeafCount(tile, false);
    ctCourse *course = record->a < c->bodyCapacity ? c->bodies[record->a].course : NULL;
    if (course != NULL) {
        ctCourse_Break(world, record->a); // it was made for the triangles seen before
    }
    for (int k = 0; k < CT_SYSTEM_POINTS && course != NULL; k++) {
        ctCoursePoint *ref = &course->points[k];
        bool found = false;
        for (int i = 0; i < record->count && !found && ref->record == index; i++) {
            const ctContactPoint *p = &record->points[i];
            found = p->leaf == ref->leaf && p->id == ref->id;
            ref->leaf = found ? leafThere(world, record, p, former, now) : ref->leaf;
        }
        ref->record = found || ref->record != index ? ref->record : -1;
    }
    for (int i = 0; i < record->count; i++) {
        ctContactPoint p = record->points[i];
        uint32_t part = p.leaf / former;
        p.leaf = leafThere(world, record, &p, former, now);
        if (p.leaf == UINT32_MAX && record->pile != NULL) {
            p.leaf = part * now; // the points of a pile are in the same order, until it finds them again
        }
        if (p.leaf != UINT32_MAX) {
            record->points[count++] = p;
        } else {
            record->lost = record->lost || ctLengthSquared(p.force) > 0.0;
        }
    }
    record->count = count;
    if (record->pile != NULL && !record->pile->watches[record->watch].frozen) { // its neighbourhood has changed
        record->pile->watches[record->watch].limit = 0.0;
        record->pile->guards[record->watch].until = -1.0;
    }
}
