// Which corner, edge, rim or face of its body a point of contact is on.
//
// A shape is a core and a ball swept over it: the guide belongs to the core, and is `round` under the surface along the
// normal. Where a face of one body is perpendicular to the normal, the corner, rim or edge of the other is the guide.
#include "engine/contact/plan/guides.h"

#include "collision/elementary.h"

// A rim that is flatter than this (sine) is a ring, unless it rises.
#define FLAT (1.5 * CT_FALLEN_RIM)

// [method] Tilt of a rim against anything but a ball or a face: courses move by a tenth of the size between two looks.
#define STEEP 0.1

// [storage] Corners and rims of all parts of a body over a plane.
#define CORNERS 64
// [rounding] Corners nearer than this share of the size are at one place; lengths that differ by less are the same.
#define SAME 1e-9

// A convex part of a body at a point: the part's shape, its pose in the body's frame; the point of the core and the
// direction out of the part, in the part's frame.
typedef struct Part {
    const ctShape *shape;
    ctTransform pose;
    ctVec3 core, out, outRate; // outRate: how fast the direction turns there, 1/s
    int body;
} Part;

static ctGuide make(ctGuideKind kind, ctVec3 p, ctVec3 d, double round)
{
    return (ctGuide){.kind = kind, .p = p, .d = d, .round = round};
}

static bool onBox(const Part *part, ctGuide *g)
{
    ctVec3 half = part->shape->u.half, c = part->core;
    double near = CT_APART * part->shape->size, h[3] = {half.x, half.y, half.z}, x[3] = {c.x, c.y, c.z};
    int ends = 0, free = -1;
    for (int i = 0; i < 3; i++) {
        bool end = fabs(fabs(x[i]) - h[i]) <= near;
        ends += end;
        x[i] = end ? copysign(h[i], x[i]) : x[i];
        free = end ? free : i;
    }
    if (ends < 2) {
        return false;
    }
    ctVec3 p = ctV3(x[0], x[1], x[2]);
    if (ends == 3) {
        *g = make(ct_guidePoint, p, ctZero3(), part->shape->round);
        return true;
    }
    ctVec3 d = ctV3(free == 0 ? 1.0 : 0.0, free == 1 ? 1.0 : 0.0, free == 2 ? 1.0 : 0.0);
    *g = make(ct_guideLine, ctMulAdd(p, -x[free], d), d, part->shape->round);
    g->half = h[free];
    return true;
}

static bool onHull(const Part *part, ctGuide *g)
{
    const ctHull *hull = &part->shape->u.hull;
    double near = CT_APART * part->shape->size, least = INFINITY;
    int at = 0;
    for (int i = 0; i < hull->vertexCount; i++) {
        double d = ctDistance(hull->vertices[i], part->core);
        at = d < least ? i : at;
        least = ctFmin(least, d);
    }
    if (least <= near) {
        *g = make(ct_guidePoint, hull->vertices[at], ctZero3(), part->shape->round);
        return true;
    }
    for (int i = 0; i < hull->vertexCount; i++) {
        for (int k = hull->firstNeighbour[i]; k < hull->firstNeighbour[i + 1]; k++) {
            ctVec3 p = hull->vertices[i], edge = ctSub(hull->vertices[hull->neighbours[k]], p), d = ctNormalize(edge);
            ctVec3 way = ctSub(part->core, p);
            double along = ctDot(way, d), length = ctLength(edge);
            if (hull->neighbours[k] > i && along > 0.0 && along < length &&
                ctLength(ctMulAdd(way, -along, d)) <= near) {
                *g = make(ct_guideLine, ctMulAdd(p, 0.5 * length, d), d, part->shape->round);
                g->half = 0.5 * length;
                return true;
            }
        }
    }
    return false;
}

// The rim, or the tip, at a corner of a lathe's profile.
static ctGuide ringOf(const ctShape *shape, int at)
{
    const ctLathe *l = &shape->u.lathe;
    ctVec3 p = ctV3(0.0, 0.0, l->z[at]);
    ctGuide g = make(l->r[at] > 0.0 ? ct_guideRim : ct_guidePoint, p, ctV3(0.0, 0.0, 1.0), shape->round);
    g.radius = l->r[at];
    return g;
}

// The side of a cylinder is a line, its axis, with the radius about it.
static bool onSide(const Part *part, double r, ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    double near = CT_APART * part->shape->size, end = CT_CLOSED * part->shape->size;
    for (int i = 0; i + 1 < l->count && fabs(part->out.z) <= CT_CLOSED; i++) {
        bool between = part->core.z > l->z[i] + end && part->core.z < l->z[i + 1] - end;
        if (between && l->r[i] == l->r[i + 1] && fabs(l->r[i] - r) <= near) {
            double middle = 0.5 * (l->z[i] + l->z[i + 1]);
            *g = make(ct_guideLine, ctV3(0.0, 0.0, middle), ctV3(0.0, 0.0, 1.0), l->r[i] + part->shape->round);
            g->half = 0.5 * (l->z[i + 1] - l->z[i]);
            return true;
        }
    }
    return false;
}

static bool onLathe(const Part *part, ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    ctVec3 c = part->core, o = part->out;
    double near = CT_APART * part->shape->size, r = sqrt(c.x * c.x + c.y * c.y);
    if (onSide(part, r, g)) {
        return true;
    }
    for (int i = 0; i < l->count; i++) {
        if (fabs(l->z[i] - c.z) > near || fabs(l->r[i] - r) > near) {
            continue;
        }
        *g = ringOf(part->shape, i);
        double sine = sqrt(o.x * o.x + o.y * o.y), rises = o.x * part->outRate.x + o.y * part->outRate.y;
        if (!(l->r[i] > 0.0) || sine > FLAT || (sine > 2.0 * CT_FLAT_RIM && rises > 0.0)) {
            return true;
        }
        g->kind = ct_guideRing;
        g->radius += part->shape->round; // where the edge is drawn
        g->d = ctV3(0.0, 0.0, o.z > 0.0 ? 1.0 : -1.0);
        return o.z > 0.0 ? i == l->count - 1 : i == 0;
    }
    return false;
}

// Whether a part is a ball, however it is described.
static bool isBall(const ctShape *s)
{
    ctVec3 r = s->type == ct_shapeEllipsoid ? s->u.radii : ctZero3();
    return s->type == ct_shapeSphere || (s->type == ct_shapeEllipsoid && r.x == r.y && r.y == r.z);
}

// The corner, edge, rim or smooth surface of the point, in the part's frame.
static bool guideOf(const Part *part, ctGuide *g)
{
    const ctShape *s = part->shape;
    double near = CT_APART * s->size;
    switch (s->type) {
    case ct_shapeSphere:
        *g = make(ct_guidePoint, ctZero3(), ctZero3(), s->round);
        return true;
    case ct_shapeCapsule:
        if (fabs(fabs(part->core.z) - s->u.halfHeight) <= near) {
            *g = make(ct_guidePoint, ctV3(0.0, 0.0, copysign(s->u.halfHeight, part->core.z)), ctZero3(), s->round);
        } else {
            *g = make(ct_guideLine, ctZero3(), ctV3(0.0, 0.0, 1.0), s->round);
            g->half = s->u.halfHeight;
        }
        return true;
    case ct_shapeEllipsoid: {
        ctVec3 r = s->u.radii;
        if (isBall(s)) {
            *g = make(ct_guidePoint, ctZero3(), ctZero3(), r.x);
            return true;
        }
        *g = make(ct_guideEllipsoid, ctZero3(), ctZero3(), 0.0);
        g->form = ctMat3Diagonal(r.x * r.x, r.y * r.y, r.z * r.z);
        return true;
    }
    case ct_shapeBox:
        return onBox(part, g);
    case ct_shapeHull:
        return onHull(part, g);
    case ct_shapeLathe:
        return onLathe(part, g);
    case ct_shapePlane:
    case ct_shapeCompound:
    case ct_shapeTerrain:
        return false;
    }
    return false;
}

// The face perpendicular to the normal, in the part's frame.
static bool faceOf(const Part *part, ctGuide *g, ctPatch *patch)
{
    if (part->shape->type == ct_shapePlane) {
        ctVec3 n = part->shape->u.plane.normal;
        *g = make(ct_guideFace, ctScale(part->shape->u.plane.offset, n), n, 0.0);
        return true;
    }
    ctPatchOf(part->shape, part->out, 0, patch);
    if (patch->kind < ct_patchPolygon || ctDot(patch->n, part->out) < 1.0 - CT_EQUAL) {
        return false;
    }
    ctVec3 p = patch->kind == ct_patchDisc ? patch->centre : patch->p[0];
    *g = make(ct_guideFace, p, patch->n, part->shape->round);
    return true;
}

// ---- frames -----------------------------------------------------------------------------------

// The pose of a body at its base.
static ctPose poseAtBase(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    if (!ctBody_IsMovable(body)) {
        return ctBody_Pose(world, body);
    }
    const ctContactBody *base = &world->contacts->bodies[index];
    ctPose pose = {ctZero3(), ctMat3FromQuat(base->q)};
    pose.p = ctSub(base->x, ctMulMV(pose.r, world->infos[index].center));
    return pose;
}

// From a part's frame to the principal axes of its body.
static void frameOf(const ctWorld *world, const Part *part, ctMat3 *r, ctVec3 *t)
{
    const ctBodyInfo *info = &world->infos[part->body];
    ctQuat back = ctBody_IsMovable(&world->bodies[part->body]) ? ctConjugate(info->inertia.frame) : ctQuatIdentity();
    *r = ctMat3FromQuat(ctMulQ(back, part->pose.q));
    *t = ctRotate(back, ctSub(part->pose.p, info->center));
}

static void moveGuide(const ctWorld *world, const Part *part, ctGuide *g)
{
    ctMat3 r;
    ctVec3 t;
    frameOf(world, part, &r, &t);
    g->p = ctAdd(t, ctMulMV(r, g->p));
    g->d = ctMulMV(r, g->d);
    if (g->kind == ct_guideEllipsoid) {
        g->form = ctMulMM(r, ctMulMM(g->form, ctTranspose(r)));
    }
}

// The part of one end of a record at a point.
static Part partOf(const ctWorld *world, int body, int with, int leaf, const ctShape *other, ctVec3 at, ctVec3 out)
{
    const ctShape *shape = ctBody_Shape(world, body);
    const ctLeaf *l = &shape->leaves[leaf];
    Part part = {.body = body, .pose = ctTransformIdentity()};
    part.shape = ctShape_Against(l->shape, other);
    ctPose pose = poseAtBase(world, body);
    if (shape->type == ct_shapeCompound) {
        part.pose = l->pose;
        pose = ctLeaf_Pose(l, &pose);
    }
    part.out = ctMulTMV(pose.r, out);
    part.outRate = ctMulTMV(pose.r, ctCross(ctSub(world->bodies[with].w, world->bodies[body].w), out));
    part.core = ctMulAdd(ctInvPosePoint(&pose, at), -part.shape->round, part.out);
    return part;
}

// ---- balls at edges -----------------------------------------------------------------------------

// Whether a ball on a face, at its edge, is about to roll over it: then the edge is the guide.
static bool rollsOver(const ctWorld *world, const Part *ball, const Part *on, const ctPatch *face)
{
    const ctBody *a = &world->bodies[ball->body], *b = &world->bodies[on->body];
    double near = CT_EQUAL * ball->shape->size, inside = ctPatch_Inside(face, on->core);
    if (fabs(inside) > near) {
        return inside < 0.0;
    }
    ctVec3 u = ctSub(a->v, ctBody_PointVelocity(b, a->x));
    ctPose pose = poseAtBase(world, on->body);
    ctVec3 way = ctInvRotate(on->pose.q, ctMulTMV(pose.r, u));
    double reach = ball->shape->size / (ctLength(way) + 1e-300);
    if (face->kind == ct_patchDisc) {
        return reach * ctDot(way, ctNormalize(ctSub(on->core, face->centre))) > near;
    }
    return ctPatch_Inside(face, ctMulAdd(on->core, reach, way)) < inside - near;
}

// Adds a corner of a polyhedron to the two faces of an edge: all corners lie between them. to: the way to the corner
// from the edge, across it.
static void widen(ctVec3 d, ctVec3 to, ctVec3 *sides, bool *any)
{
    if (!*any) {
        sides[0] = sides[1] = to;
        *any = true;
        return;
    }
    sides[0] = ctDot(d, ctCross(sides[0], to)) < 0.0 ? to : sides[0];
    sides[1] = ctDot(d, ctCross(sides[1], to)) > 0.0 ? to : sides[1];
}

// The directions from an edge of a polyhedron into its two faces, in the part's frame. False where it is none.
static bool findSides(const Part *part, const ctGuide *edge, ctVec3 *sides)
{
    const ctShape *s = part->shape;
    bool box = s->type == ct_shapeBox, any = false;
    int count = box ? 8 : s->type == ct_shapeHull ? s->u.hull.vertexCount : 0;
    for (int i = 0; i < count; i++) {
        ctVec3 h = box ? s->u.half : ctZero3();
        ctVec3 p = box ? ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z) : s->u.hull.vertices[i];
        ctVec3 to = ctSub(p, edge->p);
        to = ctMulAdd(to, -ctDot(to, edge->d), edge->d);
        if (ctLength(to) > CT_APART * s->size) {
            widen(edge->d, ctNormalize(to), sides, &any);
        }
    }
    return any;
}

// The way along a lathe's profile from a rim to the next corner, or to the axis. lift: how much steeper a flat end is.
static ctVec3 alongProfile(const ctLathe *l, int at, int next, double lift)
{
    if (next < 0 || next == l->count) {
        return ctNormalize(ctV3(-1.0, 0.0, next < 0 ? -lift : lift));
    }
    return ctNormalize(ctV3(l->r[next] - l->r[at], 0.0, l->z[next] - l->z[at]));
}

// The faces beside an edge of a polyhedron, or a rim. The guide is still in the part's frame. Where a rim meets
// anything but a ball its lowest point is not known well when it is nearly flat.
static void findFan(const ctWorld *world, const Part *part, const ctGuide *g, bool ball, ctFan *fan)
{
    *fan = (ctFan){.rim = g->kind == ct_guideRim};
    if (fan->rim) {
        const ctLathe *l = &part->shape->u.lathe;
        int at = 0;
        while (l->z[at] != g->p.z || l->r[at] != g->radius) {
            at++;
        }
        fan->known = true;
        fan->sides[0] = alongProfile(l, at, at - 1, ball ? 0.0 : STEEP);
        fan->sides[1] = alongProfile(l, at, at + 1, ball ? 0.0 : STEEP);
    } else if (g->kind == ct_guideLine && findSides(part, g, fan->sides)) {
        ctMat3 r;
        ctVec3 t;
        frameOf(world, part, &r, &t);
        fan->known = true;
        fan->sides[0] = ctMulMV(r, fan->sides[0]);
        fan->sides[1] = ctMulMV(r, fan->sides[1]);
    }
}

// ---- pairs ------------------------------------------------------------------------------------

// From one part's frame to another's.
static ctVec3 toPart(const ctWorld *world, const Part *from, const Part *to, ctVec3 p)
{
    ctPose poseFrom = poseAtBase(world, from->body), poseTo = poseAtBase(world, to->body);
    ctVec3 x = ctInvPosePoint(&poseTo, ctPosePoint(&poseFrom, ctTransformPoint(from->pose, p)));
    return ctInvRotate(to->pose.q, ctSub(x, to->pose.p));
}

static ctVec3 turnTo(const ctWorld *world, const Part *from, const Part *to, ctVec3 d)
{
    ctPose poseFrom = poseAtBase(world, from->body), poseTo = poseAtBase(world, to->body);
    return ctInvRotate(to->pose.q, ctMulTMV(poseTo.r, ctMulMV(poseFrom.r, ctRotate(from->pose.q, d))));
}

// Whether a part is a polyhedron: its edges are sharp.
static bool isSharp(const Part *part)
{
    return part->shape->type == ct_shapeBox || part->shape->type == ct_shapeHull;
}

// Whether the lowest point of a rim is beyond the edge of a face, on which it is nearly flat.
static bool isBeside(const ctWorld *world, const Part *with, const Part *on, const ctGuidePair *pair)
{
    ctVec3 o = with->out, low = pair->a.p;
    double sine = sqrt(o.x * o.x + o.y * o.y);
    if (pair->a.kind != ct_guideRim || on->shape->type == ct_shapePlane || !(sine < CT_CLOSED)) {
        return false;
    }
    low = ctMulAdd(low, pair->a.radius / sine, ctV3(o.x, o.y, 0.0));
    return ctPatch_Inside(&pair->patch, toPart(world, with, on, low)) < 0.0;
}

// Makes a line on a round face the end of its chord on whose side the point is.
static bool endsOnFace(const ctWorld *world, const Part *with, const Part *on, bool tips, ctGuidePair *pair)
{
    const ctPatch *face = &pair->patch;
    ctGuide own;
    ctPatch flat;
    // Where the two are flat on each other, the disc is a ring, unless it tips.
    if (!tips && faceOf(with, &own, &flat) && ctLength(ctCross(own.d, with->out)) <= FLAT) {
        return false;
    }
    if (!isSharp(with) || on->shape->type == ct_shapePlane || face->kind != ct_patchDisc ||
        ctPatch_Inside(face, on->core) < -CT_APART * on->shape->size) {
        return false;
    }
    pair->a.kind = ct_guideChord;
    pair->b.radius = face->radius + on->shape->round;
    pair->b.p = face->centre;
    pair->side = ctDot(pair->a.d, ctSub(with->core, toPart(world, on, with, face->centre))) > 0.0 ? 1.0 : -1.0;
    moveGuide(world, with, &pair->a);
    moveGuide(world, on, &pair->b);
    return true;
}

static bool restsOnFace(const ctWorld *world, const Part *part, const Part *on, bool tips, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!faceOf(on, &pair->b, &pair->patch)) {
        return false;
    }
    Part seen = *part, *with = &seen; // from the face
    with->out = ctNeg(turnTo(world, on, with, pair->b.d));
    if (!guideOf(with, &pair->a) || isBeside(world, with, on, pair)) {
        return false;
    }
    if (pair->a.kind == ct_guideLine) {
        return endsOnFace(world, with, on, tips, pair);
    }
    pair->bounded = on->shape->type != ct_shapePlane;
    pair->rolls = pair->single = pair->bounded && isBall(with->shape);
    if (pair->rolls && rollsOver(world, with, on, &pair->patch)) {
        return false;
    }
    if (pair->bounded) {
        ctMat3 r;
        ctVec3 t;
        frameOf(world, on, &r, &t);
        ctPatch_Move(&pair->patch, &r, t);
    }
    moveGuide(world, with, &pair->a);
    moveGuide(world, on, &pair->b);
    return true;
}

// Whether a guide is the rim of a flat end.
static bool isEnd(const Part *part, const ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    return g->kind == ct_guideRim && (g->p.z == l->z[0] || g->p.z == l->z[l->count - 1]);
}

// An edge that crosses the rim of a flat end is one end of its chord there.
static bool crossesRim(const ctWorld *world, const Part *with, const Part *on, ctGuidePair *pair)
{
    const ctLathe *l = &on->shape->u.lathe;
    bool last = pair->b.p.z == l->z[l->count - 1];
    double radius = pair->b.radius + on->shape->round;
    pair->b = make(ct_guideFace, pair->b.p, ctV3(0.0, 0.0, last ? 1.0 : -1.0), on->shape->round);
    pair->b.radius = radius;
    pair->a.kind = ct_guideChord;
    pair->side = ctDot(pair->a.d, ctSub(with->core, toPart(world, on, with, pair->b.p))) > 0.0 ? 1.0 : -1.0;
    moveGuide(world, with, &pair->a);
    moveGuide(world, on, &pair->b);
    return true;
}

static bool isSmooth(const ctGuide *g)
{
    return g->kind == ct_guideEllipsoid || g->kind == ct_guideRim;
}

// The direction of a line, or of a rim at the point, in the world.
static ctVec3 directionAt(const ctWorld *world, const Part *part, const ctGuide *g)
{
    ctVec3 d = g->kind == ct_guideRim ? ctNormalize(ctV3(-part->core.y, part->core.x, 0.0)) : g->d;
    return ctMulMV(poseAtBase(world, part->body).r, ctRotate(part->pose.q, d));
}

// Sets the faces beside both features, brings the features to the axes of their bodies, and finds out whether the two
// bodies touch nowhere else: one is round all over, and the other has no corner there.
static void finish(const ctWorld *world, const Part *a, const Part *b, bool fans, ctGuidePair *pair)
{
    bool roundA = isBall(a->shape) || pair->a.kind == ct_guideEllipsoid;
    bool roundB = isBall(b->shape) || pair->b.kind == ct_guideEllipsoid;
    if (fans) {
        findFan(world, a, &pair->a, isBall(b->shape), &pair->fans[0]);
        findFan(world, b, &pair->b, isBall(a->shape), &pair->fans[1]);
    }
    pair->single = (roundA && (roundB || pair->b.kind != ct_guidePoint)) || (roundB && pair->a.kind != ct_guidePoint);
    moveGuide(world, a, &pair->a);
    moveGuide(world, b, &pair->b);
}

// An ellipsoid, or a rim, that meets anything but a face. Two sharp features have a normal where they cross.
static bool meetsSmooth(const ctWorld *world, const Part *a, const Part *b, ctGuidePair *pair)
{
    bool point = pair->b.kind == ct_guidePoint, line = pair->a.kind == ct_guideLine;
    if (pair->a.kind == ct_guideRing || pair->b.kind == ct_guideRing) {
        return false;
    }
    if (line || (pair->a.kind == ct_guideRim && point)) {
        return false; // the opposite case is supported
    }
    if (pair->b.kind == ct_guideLine && isSharp(b) && isEnd(a, &pair->a)) {
        return false; // it is an end of a chord
    }
    bool ellipsoid = pair->a.kind == ct_guideEllipsoid || pair->b.kind == ct_guideEllipsoid;
    bool round = pair->a.round + pair->b.round > 10.0 * CT_APART * ctFmin(a->shape->size, b->shape->size);
    ctVec3 across = ctCross(directionAt(world, a, &pair->a), directionAt(world, b, &pair->b));
    bool crosses = pair->a.kind != ct_guidePoint && !point && ctLength(across) > CT_ALONG;
    finish(world, a, b, true, pair);
    return ellipsoid || round || crosses;
}

// A ring is one only on a face.
static void makeRim(const Part *part, ctGuide *g)
{
    if (g->kind == ct_guideRing) {
        g->kind = ct_guideRim;
        g->radius -= part->shape->round;
        g->d = ctV3(0.0, 0.0, 1.0);
    }
}

// Whether a part lies behind the plane across a direction (world frame) through one of its edges.
static bool liesBehind(const ctWorld *world, const Part *part, const ctGuide *edge, ctVec3 out)
{
    ctPose pose = poseAtBase(world, part->body);
    ctVec3 sides[2], d = ctInvRotate(part->pose.q, ctMulTMV(pose.r, out));
    return isSharp(part) && findSides(part, edge, sides) && ctDot(d, sides[0]) <= CT_EQUAL &&
           ctDot(d, sides[1]) <= CT_EQUAL;
}

// Whether two edges bear on each other where they cross, with their own normal: that of the contact, or, where it is
// that of a face that the edge of the other has left but for one end, a normal with each body on its own side. n: from
// b to a; the guides are in the frames of the parts.
static bool cross(const ctWorld *world, const Part *a, const Part *b, ctVec3 n, ctGuidePair *pair)
{
    ctVec3 across = ctCross(directionAt(world, a, &pair->a), directionAt(world, b, &pair->b));
    double length = ctLength(across);
    pair->side = ctDot(across, n) > 0.0 ? 1.0 : -1.0;
    if (!(length > CT_ALONG)) {
        return false;
    }
    ctVec3 own = ctScale(pair->side / length, across);
    return ctDot(own, n) > 1.0 - 1e-6 ||
           (liesBehind(world, a, &pair->a, ctNeg(own)) && liesBehind(world, b, &pair->b, own));
}

static bool meetsEdge(const ctWorld *world, const Part *a, const Part *b, ctVec3 n, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!guideOf(a, &pair->a) || !guideOf(b, &pair->b)) {
        return false;
    }
    if (pair->a.kind == ct_guideLine && pair->b.kind == ct_guidePoint) {
        return false; // the opposite case is supported
    }
    if (pair->a.kind == ct_guidePoint) {
        makeRim(b, &pair->b);
    }
    if (pair->a.kind == ct_guideLine && isSharp(a) && isEnd(b, &pair->b)) {
        return crossesRim(world, a, b, pair);
    }
    if (isSmooth(&pair->a) || isSmooth(&pair->b)) {
        return meetsSmooth(world, a, b, pair);
    }
    bool lines = pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine;
    bool point = pair->a.kind == ct_guidePoint && (pair->b.kind == ct_guideLine || pair->b.kind == ct_guidePoint);
    bool crossing = lines && cross(world, a, b, n, pair);
    finish(world, a, b, isBall(a->shape), pair);
    if (lines) {
        return crossing;
    }
    // Two sharp corners have no normal of their own.
    return point && pair->a.round + pair->b.round > 10.0 * CT_APART * ctFmin(a->shape->size, b->shape->size);
}

bool ctGuides_Find(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctGuideSide side,
                   ctGuidePair *pair)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    int leafA = (int)point->leaf / shapeB->leafCount, leafB = (int)point->leaf % shapeB->leafCount;
    const ctShape *sa = shapeA->leaves[leafA].shape, *sb = shapeB->leaves[leafB].shape;
    Part a = partOf(world, record->a, record->b, leafA, sb, point->pointA, ctNeg(point->n));
    Part b = partOf(world, record->b, record->a, leafB, sa, point->pointB, point->n);
    pair->side = 1.0;
    pair->flipped = pair->rolls = pair->single = false;
    pair->fans[0] = pair->fans[1] = (ctFan){.known = false};
    bool tips = side != ct_guidesEither;
    if (side != ct_guidesOnA && (restsOnFace(world, &a, &b, tips, pair) || meetsEdge(world, &a, &b, point->n, pair))) {
        return true;
    }
    if (side == ct_guidesOnB) {
        return false;
    }
    pair->flipped = true;
    return restsOnFace(world, &b, &a, tips, pair) || meetsEdge(world, &b, &a, ctNeg(point->n), pair);
}

bool ctGuides_IsUnderDisc(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    int leafA = (int)point->leaf / shapeB->leafCount, leafB = (int)point->leaf % shapeB->leafCount;
    const ctShape *sa = shapeA->leaves[leafA].shape, *sb = shapeB->leaves[leafB].shape;
    bool first = sa->type == ct_shapeLathe, second = sb->type == ct_shapeLathe;
    if (first == second || sa->type == ct_shapePlane || sb->type == ct_shapePlane) {
        return false;
    }
    Part a = partOf(world, record->a, record->b, leafA, sb, point->pointA, ctNeg(point->n));
    Part b = partOf(world, record->b, record->a, leafB, sa, point->pointB, point->n);
    const Part *disc = first ? &a : &b, *other = first ? &b : &a;
    ctGuide face;
    ctPatch round, flat;
    return faceOf(disc, &face, &round) && faceOf(other, &face, &flat) && flat.kind == ct_patchPolygon &&
           ctPatch_Inside(&round, disc->core) > CT_APART * disc->shape->size;
}

bool ctGuides_IsOnFace(const ctWorld *world, const ctContactRecord *record)
{
    ctGuide face;
    ctPatch patch;
    if (record->count != 1 || ctBody_IsMovable(&world->bodies[record->b])) {
        return false;
    }
    if (world->bodies[record->b].plane) {
        return true;
    }
    const ctShape *shape = ctBody_Shape(world, record->b);
    const ctContactPoint *point = &record->points[0];
    Part part = partOf(world, record->b, record->a, (int)point->leaf % shape->leafCount, ctBody_Shape(world, record->a),
                       point->pointB, point->n);
    return faceOf(&part, &face, &patch);
}

static bool isRound(const Part *part)
{
    return part->shape->type == ct_shapeLathe;
}

// Whether a guide at a point is an edge or a corner: a rim is the line that touches it there.
static bool isEdge(const Part *part, ctGuide *g)
{
    if (g->kind == ct_guideRim || g->kind == ct_guideRing) {
        g->kind = ct_guideLine;
        g->d = ctNormalize(ctV3(-part->core.y, part->core.x, 0.0));
    }
    return g->kind == ct_guideLine || g->kind == ct_guidePoint;
}

bool ctGuides_Pass(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    int leafA = (int)point->leaf / shapeB->leafCount, leafB = (int)point->leaf % shapeB->leafCount;
    const ctShape *sa = shapeA->leaves[leafA].shape, *sb = shapeB->leaves[leafB].shape;
    Part a = partOf(world, record->a, record->b, leafA, sb, point->pointA, ctNeg(point->n));
    Part b = partOf(world, record->b, record->a, leafB, sa, point->pointB, point->n);
    ctGuide g, h;
    bool edges = guideOf(&a, &g) && guideOf(&b, &h) && isEdge(&a, &g) && isEdge(&b, &h);
    ctPose poseA = poseAtBase(world, record->a), poseB = poseAtBase(world, record->b);
    ctVec3 apart = ctSub(ctPosePoint(&poseA, ctTransformPoint(a.pose, sa->unit.center)),
                         ctPosePoint(&poseB, ctTransformPoint(b.pose, sb->unit.center)));
    ctVec3 u = ctSub(ctBody_PointVelocity(&world->bodies[record->a], point->pointA),
                     ctBody_PointVelocity(&world->bodies[record->b], point->pointB));
    if (!edges) {
        return false;
    }
    ctVec3 along = g.kind == ct_guideLine ? ctMulMV(poseA.r, ctRotate(a.pose.q, g.d)) : ctZero3();
    ctVec3 beside = h.kind == ct_guideLine ? ctMulMV(poseB.r, ctRotate(b.pose.q, h.d)) : along;
    bool lines = g.kind == ct_guideLine && h.kind == ct_guideLine && (isRound(&a) || isRound(&b));
    if (lines && ctLength(ctCross(along, beside)) > CT_ALONG) {
        return false; // a rim that crosses an edge bears on it
    }
    along = beside;
    u = ctMulAdd(u, -ctDot(u, point->n), point->n);
    return ctDot(ctMulAdd(u, -ctDot(u, along), along), apart) > 0.0;
}

static bool addGuide(const ctWorld *world, const Part *part, ctGuide g, ctGuide *guides, int *count, int max)
{
    if (*count >= max) {
        return false;
    }
    moveGuide(world, part, &g);
    guides[(*count)++] = g;
    return true;
}

// All corners, rims or the surface of a part over a plane.
static bool addPart(const ctWorld *world, const Part *part, ctGuide *guides, int *count, int max)
{
    const ctShape *shape = part->shape;
    bool ok = true;
    if (shape->type == ct_shapeBox) {
        ctVec3 h = shape->u.half;
        for (int i = 0; i < 8 && ok; i++) {
            ctVec3 p = ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
            ok = addGuide(world, part, make(ct_guidePoint, p, ctZero3(), shape->round), guides, count, max);
        }
    } else if (shape->type == ct_shapeHull) {
        const ctHull *hull = &shape->u.hull;
        for (int i = 0; i < hull->vertexCount && ok; i++) {
            ctGuide g = make(ct_guidePoint, hull->vertices[i], ctZero3(), shape->round);
            ok = addGuide(world, part, g, guides, count, max);
        }
    } else if (shape->type == ct_shapeCapsule) {
        for (int i = 0; i < 2 && ok; i++) {
            ctVec3 p = ctV3(0.0, 0.0, i == 0 ? -shape->u.halfHeight : shape->u.halfHeight);
            ok = addGuide(world, part, make(ct_guidePoint, p, ctZero3(), shape->round), guides, count, max);
        }
    } else if (shape->type == ct_shapeLathe) {
        for (int i = 0; i < shape->u.lathe.count && ok; i++) {
            ok = addGuide(world, part, ringOf(shape, i), guides, count, max);
        }
    } else if (shape->type == ct_shapeEllipsoid || shape->type == ct_shapeSphere) {
        ctGuide g;
        ok = guideOf(part, &g) && addGuide(world, part, g, guides, count, max);
    } else {
        ok = false;
    }
    return ok;
}

// Whether two corners, or two rims, are as high over any plane as two points that move along with them are.
static bool areAlike(const ctGuide *a, const ctGuide *b)
{
    bool known = a->kind == ct_guidePoint || a->kind == ct_guideRim;
    return known && a->kind == b->kind && a->round == b->round && fabs(a->radius - b->radius) <= SAME * a->radius &&
           ctLength(ctCross(a->d, b->d)) <= SAME;
}

// Whether a corner or a rim is that of a part before, or lies between two others, of which one is never higher.
static bool isSpare(const ctGuide *guides, int count, int i, double near)
{
    const ctGuide *g = &guides[i];
    for (int k = 0; k < count; k++) {
        ctVec3 way = ctSub(guides[k].p, g->p);
        bool alike = areAlike(g, &guides[k]), here = !(ctLength(way) > near);
        if (alike && here && k < i) {
            return true;
        }
        for (int j = 0; j < k && alike && !here; j++) {
            ctVec3 back = ctSub(guides[j].p, g->p);
            if (areAlike(g, &guides[j]) && ctLength(back) > near && ctDot(way, back) < 0.0 &&
                ctLength(ctCross(way, back)) <= near * ctLength(ctSub(way, back))) {
                return true;
            }
        }
    }
    return false;
}

int ctGuides_OverPlane(const ctWorld *world, const ctContactRecord *record, ctGuide *guides, int max)
{
    const ctShape *shape = ctBody_Shape(world, record->a), *plane = ctBody_Shape(world, record->b);
    ctGuide all[CORNERS];
    int count = 0, kept = 0;
    for (int leaf = 0; leaf < shape->leafCount; leaf++) {
        const ctLeaf *l = &shape->leaves[leaf];
        bool part = shape->type == ct_shapeCompound;
        Part p = {.shape = ctShape_Against(part ? l->shape : shape, plane), .body = record->a};
        p.pose = part ? l->pose : ctTransformIdentity();
        if (!addPart(world, &p, all, &count, CORNERS)) {
            return -1;
        }
    }
    for (int i = 0; i < count; i++) {
        if (shape->leafCount > 1 && isSpare(all, count, i, SAME * shape->size)) {
            continue;
        }
        if (kept == max) {
            return -1;
        }
        guides[kept++] = all[i];
    }
    return kept;
}
