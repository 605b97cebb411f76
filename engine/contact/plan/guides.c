// The features of two bodies that touch at a point of contact.
//
// Where a face of one body is perpendicular to the normal, the corner, rim or edge of the other is the guide.
#include "engine/contact/plan/guides.h"

// From one part's frame to another's.
static ctVec3 toPart(const ctWorld *world, const ctSeat *from, const ctSeat *to, ctVec3 p)
{
    ctPose poseFrom = ctSeat_BasePose(world, from->body), poseTo = ctSeat_BasePose(world, to->body);
    ctVec3 x = ctInvPosePoint(&poseTo, ctPosePoint(&poseFrom, ctTransformPoint(from->pose, p)));
    return ctInvRotate(to->pose.q, ctSub(x, to->pose.p));
}

static ctVec3 turnTo(const ctWorld *world, const ctSeat *from, const ctSeat *to, ctVec3 d)
{
    ctPose poseFrom = ctSeat_BasePose(world, from->body), poseTo = ctSeat_BasePose(world, to->body);
    return ctInvRotate(to->pose.q, ctMulTMV(poseTo.r, ctMulMV(poseFrom.r, ctRotate(from->pose.q, d))));
}

// How fast the place where a round part touches a face runs along it, in the axes of the face's part.
static ctVec3 wayOnFace(const ctWorld *world, const ctSeat *with, const ctSeat *on, const ctGuide *g)
{
    const ctBody *a = &world->bodies[with->body], *b = &world->bodies[on->body];
    ctPose poseA = ctSeat_BasePose(world, with->body), poseB = ctSeat_BasePose(world, on->body);
    ctVec3 at = g->p, run = ctZero3();
    if (g->kind == ct_guideEllipsoid) {
        at = with->core;
        run = ctMulAdd(ctMulMV(g->form, with->outRate), -ctDot(at, with->outRate), at);
        run = ctScale(1.0 / sqrt(ctDot(with->out, ctMulMV(g->form, with->out))), run);
    } else if (g->kind == ct_guideRim) {
        ctVec3 h = ctV3(with->out.x, with->out.y, 0.0), rate = ctV3(with->outRate.x, with->outRate.y, 0.0);
        double length = ctLength(h);
        at = with->core;
        run = ctScale(g->radius / length, ctMulAdd(rate, -ctDot(h, rate) / (length * length), h));
    }
    ctVec3 x = ctPosePoint(&poseA, ctTransformPoint(with->pose, at));
    ctVec3 u = ctSub(ctBody_PointVelocity(a, x), ctBody_PointVelocity(b, x));
    u = ctAdd(u, ctMulMV(poseA.r, ctRotate(with->pose.q, run)));
    return ctInvRotate(on->pose.q, ctMulTMV(poseB.r, u));
}

// Whether a round part on a face, at its edge, is about to roll over it: then the edge is the guide.
static bool rollsOver(const ctWorld *world, const ctSeat *with, const ctSeat *on, const ctGuide *g, const ctPatch *face)
{
    double near = CT_EQUAL * with->shape->size, inside = ctPatch_Inside(face, on->core);
    if (fabs(inside) > near) {
        return inside < 0.0;
    }
    ctVec3 way = wayOnFace(world, with, on, g);
    double reach = with->shape->size / (ctLength(way) + 1e-300);
    if (face->kind == ct_patchDisc) {
        return reach * ctDot(way, ctNormalize(ctSub(on->core, face->centre))) > near;
    }
    return ctPatch_Inside(face, ctMulAdd(on->core, reach, way)) < inside - near;
}

// Whether a part is a polyhedron: its edges are sharp.
static bool isSharp(const ctSeat *part)
{
    return part->shape->type == ct_shapeBox || part->shape->type == ct_shapeHull;
}

static bool isCapsule(const ctSeat *part)
{
    return part->shape->type == ct_shapeCapsule;
}

static double lesserSize(const ctSeat *a, const ctSeat *b)
{
    return ctFmin(a->shape->size, b->shape->size);
}

// Whether the lowest point of a rim is beyond the edge of a face, on which it is nearly flat.
static bool isBeside(const ctWorld *world, const ctSeat *with, const ctSeat *on, const ctGuidePair *pair)
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
static bool endsOnFace(const ctWorld *world, const ctSeat *with, const ctSeat *on, bool tips, ctGuidePair *pair)
{
    const ctPatch *face = &pair->patch;
    ctGuide own;
    ctPatch flat;
    // Where the two are flat on each other, the disc is a ring, unless it tips.
    if (!tips && ctSeat_Face(with, &own, &flat) && ctLength(ctCross(own.d, with->out)) <= CT_FLAT_RING) {
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
    ctSeat_MoveGuide(world, with, &pair->a);
    ctSeat_MoveGuide(world, on, &pair->b);
    return true;
}

static bool restsOnFace(const ctWorld *world, const ctSeat *part, const ctSeat *on, bool tips, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!ctSeat_Face(on, &pair->b, &pair->patch)) {
        return false;
    }
    ctSeat seen = *part, *with = &seen; // from the face
    with->out = ctNeg(turnTo(world, on, with, pair->b.d));
    if (!ctSeat_Guide(with, &pair->a) || isBeside(world, with, on, pair)) {
        return false;
    }
    if (pair->a.kind == ct_guideLine) {
        return endsOnFace(world, with, on, tips, pair);
    }
    pair->bounded = on->shape->type != ct_shapePlane;
    bool round = ctSeat_IsBall(with->shape) || pair->a.kind == ct_guideEllipsoid;
    bool lies = fabs(with->out.z) <= CT_CLOSED; // along a line
    bool cap = isCapsule(with);
    double sine = sqrt(with->out.x * with->out.x + with->out.y * with->out.y);
    bool rim = pair->a.kind == ct_guideRim && sine > CT_STEEP_RIM;
    pair->rolls = pair->bounded && (round || (!lies && (cap || rim)));
    pair->single = pair->rolls && round;
    if (pair->rolls && rollsOver(world, with, on, &pair->a, &pair->patch)) {
        return false;
    }
    if (pair->bounded) {
        ctMat3 r;
        ctVec3 t;
        ctSeat_Frame(world, on, &r, &t);
        ctPatch_Move(&pair->patch, &r, t);
    }
    ctSeat_MoveGuide(world, with, &pair->a);
    ctSeat_MoveGuide(world, on, &pair->b);
    return true;
}

// Whether a guide is the rim of a flat end, and the normal nearly that of the end.
static bool isEnd(const ctSeat *part, const ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    double sine = sqrt(part->out.x * part->out.x + part->out.y * part->out.y);
    return g->kind == ct_guideRim && (g->p.z == l->z[0] || g->p.z == l->z[l->count - 1]) && sine < 1.1 * CT_STEEP_RIM;
}

// An edge that crosses the rim of a flat end is one end of its chord there.
static bool crossesRim(const ctWorld *world, const ctSeat *with, const ctSeat *on, ctGuidePair *pair)
{
    const ctLathe *l = &on->shape->u.lathe;
    bool last = pair->b.p.z == l->z[l->count - 1];
    double radius = pair->b.radius + on->shape->round;
    pair->b = ctGuide_Of(ct_guideFace, pair->b.p, ctV3(0.0, 0.0, last ? 1.0 : -1.0), on->shape->round);
    pair->b.radius = radius;
    pair->a.kind = ct_guideChord;
    pair->side = ctDot(pair->a.d, ctSub(with->core, toPart(world, on, with, pair->b.p))) > 0.0 ? 1.0 : -1.0;
    ctSeat_MoveGuide(world, with, &pair->a);
    ctSeat_MoveGuide(world, on, &pair->b);
    return true;
}

static bool isSmooth(const ctGuide *g)
{
    return g->kind == ct_guideEllipsoid || g->kind == ct_guideRim;
}

// The direction of a line, or of a rim at the point, in the world.
static ctVec3 directionAt(const ctWorld *world, const ctSeat *part, const ctGuide *g)
{
    ctVec3 d = g->kind == ct_guideRim ? ctNormalize(ctV3(-part->core.y, part->core.x, 0.0)) : g->d;
    d = g->slope != 0.0 ? ctNormalize(ctMulAdd(d, -g->slope, part->out)) : d;
    return ctMulMV(ctSeat_BasePose(world, part->body).r, ctRotate(part->pose.q, d));
}

// Sets the faces beside both features, brings the features to the axes of their bodies, and finds out whether the two
// bodies touch nowhere else: one is round all over, and the other has no corner there; or two capsules cross.
static void finish(const ctWorld *world, const ctSeat *a, const ctSeat *b, bool fans, ctGuidePair *pair)
{
    bool roundA = ctSeat_IsBall(a->shape) || pair->a.kind == ct_guideEllipsoid;
    bool roundB = ctSeat_IsBall(b->shape) || pair->b.kind == ct_guideEllipsoid;
    if (fans) {
        ctFan_Find(world, a, &pair->a, roundB, &pair->fans[0]);
        ctFan_Find(world, b, &pair->b, roundA, &pair->fans[1]);
    }
    bool capsules = isCapsule(a) && isCapsule(b);
    pair->single = (roundA && (roundB || pair->b.kind != ct_guidePoint)) || (roundB && pair->a.kind != ct_guidePoint) ||
                   (capsules && pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine);
    ctSeat_MoveGuide(world, a, &pair->a);
    ctSeat_MoveGuide(world, b, &pair->b);
}

// An ellipsoid, or a rim, that meets anything but a face. Two sharp features have a normal where they cross.
static bool meetsSmooth(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctGuidePair *pair)
{
    bool point = pair->b.kind == ct_guidePoint, line = pair->a.kind == ct_guideLine;
    if (pair->a.kind == ct_guideRing || pair->b.kind == ct_guideRing) {
        return false;
    }
    if (line || (pair->a.kind == ct_guideRim && (point || pair->b.kind == ct_guideEllipsoid))) {
        return false; // the opposite case is supported
    }
    if (pair->b.kind == ct_guideLine && isSharp(b) && isEnd(a, &pair->a)) {
        return false; // it is an end of a chord
    }
    bool ellipsoid = pair->a.kind == ct_guideEllipsoid || pair->b.kind == ct_guideEllipsoid;
    bool round = pair->a.round + pair->b.round > 10.0 * CT_APART * lesserSize(a, b);
    ctVec3 across = ctCross(directionAt(world, a, &pair->a), directionAt(world, b, &pair->b));
    bool crosses = pair->a.kind != ct_guidePoint && !point && ctLength(across) > CT_ALONG;
    finish(world, a, b, true, pair);
    return ellipsoid || round || crosses;
}

// The axis of a line in the world.
static ctVec3 axisOf(const ctWorld *world, const ctSeat *part, const ctGuide *g)
{
    return ctMulMV(ctSeat_BasePose(world, part->body).r, ctRotate(part->pose.q, g->d));
}

// A ring is one only on a face.
static void makeRim(const ctSeat *part, ctGuide *g)
{
    if (g->kind == ct_guideRing) {
        g->kind = ct_guideRim;
        g->radius -= part->shape->round;
        g->d = ctV3(0.0, 0.0, 1.0);
    }
}

// Whether a part lies behind the plane across a direction (world frame) through one of its edges.
static bool liesBehind(const ctWorld *world, const ctSeat *part, const ctGuide *edge, ctVec3 out)
{
    ctPose pose = ctSeat_BasePose(world, part->body);
    ctVec3 d = ctInvRotate(part->pose.q, ctMulTMV(pose.r, out)), t;
    ctMat3 r;
    ctFan fan;
    ctSeat_Frame(world, part, &r, &t);
    d = ctMulMV(r, d);
    ctFan_Find(world, part, edge, true, &fan);
    return isSharp(part) && fan.count == 2 && ctDot(d, fan.sides[0]) <= CT_EQUAL && ctDot(d, fan.sides[1]) <= CT_EQUAL;
}

// Whether a part touches a plane across a direction (world frame) with one of its lines. Round sides always do.
static bool bearsWith(const ctWorld *world, const ctSeat *part, const ctGuide *line, ctVec3 out)
{
    return isSharp(part) ? liesBehind(world, part, line, out) : isCapsule(part);
}

// Where two lines cross: how far along each, from its middle, and their gap along own, the unit vector across both. m
typedef struct Crossing {
    double s, t, gap;
} Crossing;

static Crossing crossingOf(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctGuidePair *pair, ctVec3 own)
{
    ctPose poseA = ctSeat_BasePose(world, a->body), poseB = ctSeat_BasePose(world, b->body);
    ctVec3 way = ctSub(ctPosePoint(&poseA, ctTransformPoint(a->pose, pair->a.p)),
                       ctPosePoint(&poseB, ctTransformPoint(b->pose, pair->b.p)));
    ctVec3 da = axisOf(world, a, &pair->a), db = axisOf(world, b, &pair->b);
    double cosine = ctDot(da, db), square = 1.0 - cosine * cosine, d = ctDot(da, way), e = ctDot(db, way);
    return (Crossing){(cosine * e - d) / square, (e - cosine * d) / square,
                      ctDot(own, way) - pair->a.round - pair->b.round};
}

// Whether two lines touch where they cross, and not at their ends. size: of the smaller part, m.
static bool isWithin(const Crossing *at, const ctGuidePair *pair, double size)
{
    double room = CT_EQUAL * size;
    return fabs(at->s) < pair->a.half - room && fabs(at->t) < pair->b.half - room && fabs(at->gap) <= CT_CLOSED * size;
}

// Whether two edges or sides bear on each other where they cross, with their own normal: that of the contact; where it
// is that of a face that the edge of the other has left but for one end, or of lines that are nearly parallel, a normal
// with each body on its own side. n: from b to a; the guides are in the frames of the parts.
static bool cross(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair)
{
    ctVec3 across = ctCross(directionAt(world, a, &pair->a), directionAt(world, b, &pair->b));
    ctVec3 axes = ctCross(axisOf(world, a, &pair->a), axisOf(world, b, &pair->b));
    double length = ctLength(across);
    pair->side = ctDot(axes, n) > 0.0 ? 1.0 : -1.0;
    if (!(length > CT_ALONG)) {
        return false;
    }
    if (pair->a.slope != 0.0 || pair->b.slope != 0.0) {
        return fabs(ctDot(axes, n)) > CT_ALONG;
    }
    ctVec3 own = ctScale(pair->side / length, across);
    if (ctDot(own, n) > 1.0 - 1e-6) {
        return true;
    }
    Crossing at = crossingOf(world, a, b, pair, own);
    return bearsWith(world, a, &pair->a, ctNeg(own)) && bearsWith(world, b, &pair->b, own) &&
           ((isSharp(a) && isSharp(b)) || isWithin(&at, pair, lesserSize(a, b)));
}

// Makes the side of a capsule its end, where a line crosses it beyond.
static void comeToEnd(const ctSeat *part, double along, ctGuide *g)
{
    if (isCapsule(part) && g->kind == ct_guideLine && fabs(along) >= g->half - CT_EQUAL * part->shape->size) {
        *g = ctGuide_End(part->shape, along);
    }
}

// Manifolds of lines that are nearly parallel have their points at ends, and next to an end a point is on either. Finds
// out whether the side or the end of a capsule touches: where its line crosses that of the other, within both.
static bool crossBetweenEnds(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair)
{
    ctGuide onA = pair->a, onB = pair->b;
    pair->a = isCapsule(a) ? ctGuide_Side(a->shape) : onA;
    pair->b = isCapsule(b) ? ctGuide_Side(b->shape) : onB;
    bool lines = pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine;
    bool straight = lines && pair->a.slope == 0.0 && pair->b.slope == 0.0;
    if ((isCapsule(a) || isCapsule(b)) && straight && cross(world, a, b, n, pair)) {
        ctVec3 across = ctNormalize(ctCross(axisOf(world, a, &pair->a), axisOf(world, b, &pair->b)));
        Crossing at = crossingOf(world, a, b, pair, ctScale(pair->side, across));
        if (isWithin(&at, pair, lesserSize(a, b))) {
            return true;
        }
        comeToEnd(a, at.s, &onA);
        comeToEnd(b, at.t, &onB);
    }
    pair->a = onA;
    pair->b = onB;
    return false;
}

static bool meetsEdge(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!ctSeat_Guide(a, &pair->a) || !ctSeat_Guide(b, &pair->b)) {
        return false;
    }
    if (crossBetweenEnds(world, a, b, n, pair)) {
        finish(world, a, b, a->exact, pair);
        return true;
    }
    if (pair->a.kind == ct_guideLine && pair->b.kind == ct_guidePoint) {
        return false; // the opposite case is supported
    }
    if (pair->a.kind == ct_guidePoint || pair->a.kind == ct_guideEllipsoid) {
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
    finish(world, a, b, a->exact, pair);
    if (lines) {
        return crossing;
    }
    // Two sharp corners have no normal of their own.
    return point && pair->a.round + pair->b.round > 10.0 * CT_APART * lesserSize(a, b);
}

static bool isRound(const ctSeat *part)
{
    return part->shape->type == ct_shapeLathe;
}

bool ctGuides_Find(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctGuideSide side,
                   ctGuidePair *pair)
{
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, point, &a, &b);
    pair->side = 1.0;
    pair->flipped = pair->rolls = pair->single = false;
    pair->fans[0] = pair->fans[1] = (ctFan){.count = 0};
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
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, point, &a, &b);
    bool first = isRound(&a), second = isRound(&b);
    if (first == second || a.shape->type == ct_shapePlane || b.shape->type == ct_shapePlane) {
        return false;
    }
    const ctSeat *disc = first ? &a : &b, *other = first ? &b : &a;
    ctGuide face;
    ctPatch round, flat;
    return ctSeat_Face(disc, &face, &round) && ctSeat_Face(other, &face, &flat) && flat.kind == ct_patchPolygon &&
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
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, &record->points[0], &a, &b);
    return ctSeat_Face(&b, &face, &patch);
}

// Whether a guide at a point is an edge or a corner: a rim is the line that touches it there.
static bool isEdge(const ctSeat *part, ctGuide *g)
{
    if (isRound(part) && g->kind == ct_guideLine) {
        return false; // its side
    }
    if (g->kind == ct_guideRim || g->kind == ct_guideRing) {
        g->kind = ct_guideLine;
        g->d = ctNormalize(ctV3(-part->core.y, part->core.x, 0.0));
    }
    return g->kind == ct_guideLine || g->kind == ct_guidePoint;
}

bool ctGuides_Pass(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, point, &a, &b);
    ctGuide g, h;
    bool edges = ctSeat_Guide(&a, &g) && ctSeat_Guide(&b, &h) && isEdge(&a, &g) && isEdge(&b, &h);
    ctPose poseA = ctSeat_BasePose(world, record->a), poseB = ctSeat_BasePose(world, record->b);
    ctVec3 apart = ctSub(ctPosePoint(&poseA, ctTransformPoint(a.pose, a.shape->unit.center)),
                         ctPosePoint(&poseB, ctTransformPoint(b.pose, b.shape->unit.center)));
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
