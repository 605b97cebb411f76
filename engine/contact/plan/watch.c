// What is watched while the bodies of a course move.
//
// A motion lasts as long as the same features touch. It ends where something new begins to bear (two of the island's
// bodies overlap although all points of the system are closed), and where a point leaves its face.
#include "engine/contact/plan/course.h"

#include <string.h>

// CT_EARLY for bodies that roll over the edge.
#define EARLY_ROLLING (20.0 * CT_EARLY)
// [storage] Sides of the faces under a ring.
#define MOST_LINES 64

// The place of a point in the principal axes of the body whose face it is on.
static ctVec3 onFace(const ctSystem *s, const ctSystemPoint *p)
{
    const ctSystemPose *b = &s->poses[p->b];
    return ctMulTMV(b->r, ctSub(p->at, b->x));
}

// How far a ring may go beyond a side of its face, m: a face that goes on there bears it, and before long the two
// touch.
static double beyondSide(const ctCourseDraft *draft, int index, int side)
{
    return draft->open[index] & 1U << side ? CT_APART * draft->system.size : 0.0;
}

// The faces under a ring, as lines around them: m from the ring's centre on the inside, and the unit normals inwards in
// two coordinates.
typedef struct Lines {
    int count;
    double x[MOST_LINES], y[MOST_LINES], at[MOST_LINES];
    int face[MOST_LINES], faces;
} Lines;

static bool addLines(const ctCourseDraft *draft, int index, ctVec3 centre, ctVec3 x, ctVec3 y, Lines *lines)
{
    const ctPatch *face = &draft->patches[index];
    for (int i = 0; i < face->count; i++) {
        ctVec3 edge = ctSub(face->p[i + 1 < face->count ? i + 1 : 0], face->p[i]);
        ctVec3 in = ctNormalize(ctCross(face->n, edge));
        int k = lines->count++;
        if (k == MOST_LINES) {
            return false;
        }
        lines->x[k] = ctDot(in, x);
        lines->y[k] = ctDot(in, y);
        lines->at[k] = ctDot(in, ctSub(centre, face->p[i])) + beyondSide(draft, index, i);
        lines->face[k] = lines->faces;
    }
    lines->faces++;
    return true;
}

// How far inside one of the faces the place of a ring in a direction is, m.
static double coverAt(const Lines *lines, double r, double x, double y)
{
    double most = -INFINITY, least = INFINITY;
    for (int k = 0; k < lines->count; k++) {
        least = ctFmin(least, lines->at[k] + r * (lines->x[k] * x + lines->y[k] * y));
        if (k + 1 == lines->count || lines->face[k + 1] != lines->face[k]) {
            most = ctFmax(most, least);
            least = INFINITY;
        }
    }
    return most;
}

// How far inside its faces a ring is where it is least so, m. That is opposite to a line's normal, or where it is as
// far inside one face as inside another.
static double coverOf(const ctCourseDraft *draft, int ring)
{
    const ctSystem *s = &draft->system;
    double r = s->points[ring].onA.radius, least;
    ctVec3 x, y, centre = onFace(s, &s->points[ring]);
    Lines lines = {.count = 0};
    ctFrameFromNormal(draft->patches[ring].n, &x, &y);
    bool room = addLines(draft, ring, centre, x, y, &lines);
    for (int i = ring + 1; i < s->pointCount && s->points[i].onA.kind == ct_guideSpoke; i++) {
        room = room && (!draft->joined[i] || addLines(draft, i, centre, x, y, &lines));
    }
    least = room ? INFINITY : -CT_FAR_AWAY;
    for (int k = 0; k < lines.count && room; k++) {
        least = ctFmin(least, coverAt(&lines, r, -lines.x[k], -lines.y[k]));
        for (int j = 0; j < k; j++) {
            double dx = lines.x[k] - lines.x[j], dy = lines.y[k] - lines.y[j], length = sqrt(dx * dx + dy * dy);
            double along = (lines.at[j] - lines.at[k]) / (r * length + 1e-300);
            if (lines.face[j] == lines.face[k] || !(fabs(along) <= 1.0)) {
                continue;
            }
            double beside = sqrt(1.0 - along * along);
            dx /= length;
            dy /= length;
            least = ctFmin(least, coverAt(&lines, r, along * dx - beside * dy, along * dy + beside * dx));
            least = ctFmin(least, coverAt(&lines, r, along * dx + beside * dy, along * dy - beside * dx));
        }
    }
    return least;
}

// Whether a ring is on several faces, beside each other.
static bool isJoined(const ctCourseDraft *draft, int ring)
{
    const ctSystem *s = &draft->system;
    bool joined = false;
    for (int i = ring + 1; i < s->pointCount && s->points[i].onA.kind == ct_guideSpoke; i++) {
        joined = joined || draft->joined[i];
    }
    return joined && s->points[ring].onA.kind == ct_guideRing;
}

// How far inside its face a point is: a ring with its whole rim, or how far its region is from one that is not
// supported.
static double insideOf(const ctCourseDraft *draft, int i, ctVec3 at)
{
    const ctSystemPoint *p = &draft->system.points[i];
    double rim = p->onA.kind == ct_guideRing ? p->onA.radius : 0.0;
    if (draft->open[i] != 0 || isJoined(draft, i)) {
        return coverOf(draft, i);
    }
    return p->region != NULL && draft->beyond[i] ? ctRegion_Room(p) : ctPatch_Inside(&draft->patches[i], at) - rim;
}

static bool hasFan(const ctCourseDraft *draft, int i)
{
    return draft->fans[i][0].count + draft->fans[i][1].count > 0;
}

// How far the normal is from what is beside a feature, as a sine. side: 1 for body a of the point, -1 for b.
static double withinFan(const ctSystem *s, const ctSystemPoint *p, const ctFan *fan, double side)
{
    const ctSystemPose *body = &s->poses[side > 0.0 ? p->a : p->b];
    const ctGuide *g = side > 0.0 ? &p->onA : &p->onB;
    ctVec3 out = ctMulTMV(body->r, ctScale(-side, p->n));
    if (fan->rim || fan->tip) {
        ctVec3 arm = fan->tip ? out : ctSub(ctMulTMV(body->r, ctSub(p->at, body->x)), g->p);
        ctVec3 away = ctNormalize(ctMulAdd(arm, -ctDot(arm, g->d), g->d));
        out = ctV3(ctDot(out, away), 0.0, ctDot(out, g->d));
    }
    double most = -INFINITY;
    for (int i = 0; i < fan->count; i++) {
        most = ctFmax(most, ctDot(out, fan->sides[i]));
    }
    return -most;
}

// The same for both bodies of a point, in sizes, m.
static double betweenFaces(const ctCourseDraft *draft, int i)
{
    const ctSystem *s = &draft->system;
    const ctFan *fans = draft->fans[i];
    double a = fans[0].count > 0 ? withinFan(s, &s->points[i], &fans[0], 1.0) : INFINITY;
    double b = fans[1].count > 0 ? withinFan(s, &s->points[i], &fans[1], -1.0) : INFINITY;
    return s->size * ctFmin(a, b);
}

// Whether a point is all that two bodies have, on a line whose end it may come to.
static bool isOverLine(const ctCourseDraft *draft, int i)
{
    const ctSystemPoint *p = &draft->system.points[i];
    return draft->alone[i] && (p->onA.kind == ct_guideLine || p->onB.kind == ct_guideLine);
}

static double watch(void *context, const ctSystem *s)
{
    ctCourseDraft *draft = context;
    double least = INFINITY;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        // A point that is open arrives elsewhere if it has left its feature.
        bool counts = p->mode != ct_pointOpen || p->loose || draft->alone[i];
        if (draft->bounded[i] && counts) {
            least = ctFmin(least, insideOf(draft, i, onFace(s, p)) - draft->least[i]);
        } else if (hasFan(draft, i) && counts) {
            least = ctFmin(least, betweenFaces(draft, i) - draft->least[i]);
        }
        if (isOverLine(draft, i) && p->mode == ct_pointOpen) {
            least = ctFmin(least, p->reach + CT_ARRIVED * s->size);
        }
    }
    least /= s->size;
    return least > 0.0 ? ctFmin(least, ctCourseDraft_Room(draft)) : least;
}

// ---- where points stay --------------------------------------------------------------------------

// How far a point with the velocity way on its face can get in a time, m. One on a rim goes around with it at most.
static double runIn(const ctSystem *s, const ctSystemPoint *p, ctVec3 way, double time)
{
    double run = time * ctLength(way);
    if (p->onA.kind != ct_guideRim) {
        return run;
    }
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    ctVec3 centre = ctAdd(a->x, ctMulMV(a->r, p->onA.p));
    ctVec3 v = ctSub(ctVelocityAt(a->v, a->w, ctSub(centre, a->x)), ctVelocityAt(b->v, b->w, ctSub(centre, b->x)));
    return ctFmin(run, 2.0 * p->onA.radius + time * ctLength(v));
}

// Whether another body goes on at a side of the face of a ring, or the ring is on two faces: then it must not reach
// beyond its face.
static bool hasSeam(const ctCourseDraft *draft, int index)
{
    const ctSystem *s = &draft->system;
    const ctSystemPoint *p = &s->points[index];
    const ctSystemPose *b = &s->poses[p->b];
    const ctPatch *face = &draft->patches[index];
    for (int i = 0; i < s->pointCount; i++) {
        if (i != index && s->points[i].onA.kind == ct_guideRing && s->points[i].a == p->a && s->points[i].b != p->b &&
            ctDot(s->points[i].n, p->n) > 1.0 - CT_EQUAL) {
            return true;
        }
    }
    for (int i = 0; i < face->count && face->kind == ct_patchPolygon; i++) {
        ctVec3 from = face->p[i], edge = ctSub(face->p[i + 1 < face->count ? i + 1 : 0], from);
        double along = ctDot(ctSub(onFace(s, p), from), edge) / ctLengthSquared(edge);
        ctVec3 foot = ctMulAdd(from, ctFmax(0.0, ctFmin(1.0, along)), edge);
        foot = ctAdd(b->x, ctMulMV(b->r, foot));
        if (ctContact_HasNext(draft->world, draft->bodies[p->a], draft->bodies[p->b], foot, p->n)) {
            return true;
        }
    }
    return false;
}

// The sides of a face of a ring, as bits, at which the next face goes on, of those within a distance of its centre (m).
// index: of the ring, or of the spoke whose patch the face is. *all: there is no other within that distance.
static uint32_t openSides(const ctCourseDraft *draft, int ring, int index, double most, bool *all)
{
    const ctSystem *s = &draft->system;
    const ctSystemPoint *p = &s->points[ring];
    const ctSystemPose *b = &s->poses[p->b];
    const ctPatch *face = &draft->patches[index];
    int own = draft->bodies[p->a], ground = draft->bodies[s->points[index].b];
    ctVec3 centre = onFace(s, p);
    uint32_t open = 0;
    *all = true;
    for (int i = 0; i < face->count && face->kind == ct_patchPolygon; i++) {
        ctVec3 from = face->p[i], edge = ctSub(face->p[i + 1 < face->count ? i + 1 : 0], from);
        double along = ctDot(ctSub(centre, from), edge) / ctLengthSquared(edge);
        ctVec3 foot = ctMulAdd(from, ctFmax(0.0, ctFmin(1.0, along)), edge);
        if (ctDistance(foot, centre) > most) {
            continue;
        }
        foot = ctAdd(b->x, ctMulMV(b->r, foot));
        bool next = ctContact_HasNext(draft->world, own, ground, foot, p->n) ||
                    ctContact_HasNextPart(draft->world, own, ground, foot, p->n);
        open |= next ? 1U << i : 0;
        *all = *all && next;
    }
    return open;
}

// Finds the sides beyond which a ring may go. early: m. False where it must stay inside its face.
static bool openFaces(ctCourseDraft *draft, int ring, double inside, double early)
{
    const ctSystem *s = &draft->system;
    double most = s->points[ring].onA.radius + 2.0 * early;
    bool joined = isJoined(draft, ring), all;
    draft->open[ring] = inside <= 2.0 * early || joined ? openSides(draft, ring, ring, most, &all) : 0;
    if (!joined) {
        draft->open[ring] = draft->open[ring] != 0 && all ? draft->open[ring] : 0;
        return draft->open[ring] != 0;
    }
    for (int i = ring + 1; i < s->pointCount && s->points[i].onA.kind == ct_guideSpoke; i++) {
        draft->open[i] = draft->joined[i] ? openSides(draft, ring, i, most, &all) : 0;
    }
    return true;
}

// Whether a point on a face is a corner of a polyhedron that may leave it over its edge, where nothing goes on.
static bool goesOff(const ctCourseDraft *draft, int i)
{
    const ctSystemPoint *p = &draft->system.points[i];
    const int ends[2] = {draft->bodies[p->a], draft->bodies[p->b]};
    bool sharp = p->onA.kind == ct_guidePoint, all;
    for (int k = 0; k < 2; k++) {
        const ctShape *shape = ctBody_Shape(draft->world, ends[k]);
        sharp = sharp && (shape->type == ct_shapeBox || shape->type == ct_shapeHull) &&
                draft->world->infos[ends[k]].tile == NULL;
    }
    return sharp && openSides(draft, i, i, INFINITY, &all) == 0;
}

// The same as ctCourseDraft_Bound, for a point that rolls on over the edge of its face, or is between faces.
static bool boundFeature(ctCourseDraft *draft, int i)
{
    const ctSystem *s = &draft->system;
    const ctSystemPoint *p = &s->points[i];
    double room = draft->rolls[i] ? insideOf(draft, i, onFace(s, p)) : betweenFaces(draft, i);
    draft->least[i] = ctFmin(0.0, room) - (draft->rolls[i] ? 1e-13 : CT_BEYOND) * s->size;
    if (room < -CT_APART * s->size) {
        return false;
    }
    // an edge that is left behind, where the next body bears already, bears no more
    bool parts = p->gap > CT_ARRIVED * s->size && p->un > 0.0;
    bool edge = !parts && (!draft->rolls[i] || room <= CT_CLOSED * s->size);
    return !edge || !ctContact_HasNext(draft->world, draft->bodies[p->a], draft->bodies[p->b], p->at, p->n);
}

// The same for a point on a face. fall: of a fall by the size, s.
static bool boundOnFace(ctCourseDraft *draft, int i, double fall)
{
    ctSystem *s = &draft->system;
    ctSystemPoint *p = &s->points[i];
    ctVec3 at = onFace(s, p), way = ctMulTMV(s->poses[p->b].r, ctMulAdd(p->way, -ctDot(p->way, p->n), p->n));
    bool sharp = p->onA.kind == ct_guidePoint || p->onA.kind == ct_guideRing, off = goesOff(draft, i);
    bool corner = sharp && p->onA.round < CT_DEEP * s->size;
    double time = (corner ? CT_EARLY : EARLY_ROLLING) * fall, inside = insideOf(draft, i, at);
    double early = off ? 0.0 : CT_CONTACT_MARGIN * s->size + runIn(s, p, way, time);
    double later = insideOf(draft, i, ctMulAdd(at, time, way));
    if (p->onA.kind == ct_guideRing && openFaces(draft, i, inside, early)) {
        p->region = NULL;
        draft->least[i] = isJoined(draft, i) ? -CT_CLOSED * s->size : 0.0; // seams count as closed
        return insideOf(draft, i, at) > draft->least[i];
    }
    bool nears = inside <= early && later < inside - CT_EQUAL * s->size;
    bool leaves = inside < -CT_EQUAL * s->size || nears;
    if (p->region != NULL && (leaves || draft->patches[i].kind == ct_patchDisc) && !hasSeam(draft, i)) {
        draft->beyond[i] = true;
        draft->least[i] = 0.0;
        return ctRegion_Room(p) > 0.0;
    }
    // At the rim it may go on by rounding for a while: a course that ends there is followed by another.
    draft->least[i] = inside > early && !off ? early : ctFmin(0.0, inside) - CT_EQUAL * s->size;
    return !(inside < -CT_APART * s->size) && (off || !nears);
}

bool ctCourseDraft_Bound(ctCourseDraft *draft)
{
    ctSystem *s = &draft->system;
    double fall = sqrt(s->size / ctSystem_Weight(s));
    bool placed = false;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (!draft->bounded[i] && !hasFan(draft, i)) {
            continue;
        }
        if (!placed) {
            ctSystem_Place(s, 0.0, s->y);
            placed = true;
        }
        if (p->onA.kind == ct_guideRim && !(p->reach > 0.0)) {
            return false; // it crosses no edge there
        }
        bool feature = draft->rolls[i] || hasFan(draft, i);
        if (!(feature ? boundFeature(draft, i) : boundOnFace(draft, i, fall))) {
            return false;
        }
    }
    return true;
}

// Whether a point may come to the edge of its face, or something new may begin to bear.
static bool hasEdges(const ctCourseDraft *draft)
{
    for (int i = 0; i < draft->system.pointCount; i++) {
        if (draft->bounded[i] || hasFan(draft, i) || isOverLine(draft, i)) {
            return true;
        }
    }
    for (int i = 0; i < draft->recordCount; i++) {
        if (!draft->covered[i]) {
            return true;
        }
    }
    return false;
}

void ctCourseDraft_Watch(ctCourseDraft *draft)
{
    for (int i = 0; i < draft->recordCount; i++) {
        memset(&draft->between[i], 0, sizeof draft->between[i]);
    }
    draft->system.watch = hasEdges(draft) ? watch : NULL;
    draft->system.context = draft;
}
