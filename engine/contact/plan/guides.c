// The features of two bodies that touch at a point of contact.
//
// Where a face of one body is perpendicular to the normal, the corner, rim or edge of the other is the guide.
#include "engine/contact/plan/guides.h"

// From one part's frame to another's.
static ctVec3 toPart(const ctSeat *from, const ctSeat *to, ctVec3 p)
{
    ctVec3 x = ctInvPosePoint(&to->base, ctPosePoint(&from->base, ctTransformPoint(from->pose, p)));
    return ctInvRotate(to->pose.q, ctSub(x, to->pose.p));
}

static ctVec3 turnTo(const ctSeat *from, const ctSeat *to, ctVec3 d)
{
    return ctInvRotate(to->pose.q, ctMulTMV(to->base.r, ctMulMV(from->base.r, ctRotate(from->pose.q, d))));
}

// The lowest point of a rim that is not flat.
static ctVec3 lowestOf(const ctSeat *part, const ctGuide *rim)
{
    return ctMulAdd(rim->p, rim->radius, ctNormalize(ctV3(part->out.x, part->out.y, 0.0)));
}

// How fast the place where a round part touches a face runs along it, in the axes of the face's part.
static ctVec3 wayOnFace(const ctWorld *world, const ctSeat *with, const ctSeat *on, const ctGuide *g)
{
    const ctBody *a = &world->bodies[with->body], *b = &world->bodies[on->body];
    ctVec3 at = g->p, run = ctZero3();
    if (g->kind == ct_guideEllipsoid) {
        at = with->core;
        run = ctMulAdd(ctMulMV(g->form, with->outRate), -ctDot(at, with->outRate), at);
        run = ctScale(1.0 / sqrt(ctDot(with->out, ctMulMV(g->form, with->out))), run);
    } else if (g->kind == ct_guideRim) {
        ctVec3 h = ctV3(with->out.x, with->out.y, 0.0), rate = ctV3(with->outRate.x, with->outRate.y, 0.0);
        double length = ctLength(h);
        at = lowestOf(with, g);
        run = ctScale(g->radius / length, ctMulAdd(rate, -ctDot(h, rate) / (length * length), h));
    }
    ctVec3 x = ctPosePoint(&with->base, ctTransformPoint(with->pose, at));
    ctVec3 u = ctSub(ctBody_PointVelocity(a, x), ctBody_PointVelocity(b, x));
    u = ctAdd(u, ctMulMV(with->base.r, ctRotate(with->pose.q, run)));
    return ctInvRotate(on->pose.q, ctMulTMV(on->base.r, u));
}

// Whether a round part on a face, at its edge, is about to roll over it, or is beyond: then the edge is the guide.
// Points of a contact may be anywhere on a rim, of which the lowest one counts.
static bool rollsOver(const ctWorld *world, const ctSeat *with, const ctSeat *on, const ctGuide *g, const ctPatch *face)
{
    ctVec3 at = g->kind == ct_guideRim ? toPart(with, on, lowestOf(with, g)) : on->core;
    double near = CT_EQUAL * with->shape->size, inside = ctPatch_Inside(face, at);
    if (fabs(inside) > near) {
        return inside < 0.0;
    }
    ctVec3 way = wayOnFace(world, with, on, g);
    double reach = with->shape->size / (ctLength(way) + 1e-300);
    if (face->kind == ct_patchDisc) {
        return reach * ctDot(way, ctNormalize(ctSub(at, face->centre))) > near;
    }
    return ctPatch_Inside(face, ctMulAdd(at, reach, way)) < inside - near;
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
static bool isBeside(const ctSeat *with, const ctSeat *on, const ctGuidePair *pair)
{
    ctVec3 o = with->out;
    if (pair->a.kind != ct_guideRim || on->shape->type == ct_shapePlane || !(sqrt(o.x * o.x + o.y * o.y) < CT_CLOSED)) {
        return false;
    }
    return ctPatch_Inside(&pair->patch, toPart(with, on, lowestOf(with, &pair->a))) < 0.0;
}

static bool restsOnFace(const ctWorld *world, const ctSeat *part, const ctSeat *on, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!ctSeat_Face(on, &pair->b, &pair->patch)) {
        return false;
    }
    ctSeat seen = *part, *with = &seen; // from the face
    with->out = ctNeg(turnTo(on, with, pair->b.d));
    if (!ctSeat_Guide(with, &pair->a) || pair->a.kind == ct_guideLine || isBeside(with, on, pair)) {
        return false;
    }
    pair->bounded = on->shape->type != ct_shapePlane;
    bool round = ctSeat_IsBall(with->shape) || pair->a.kind == ct_guideEllipsoid;
    bool lies = fabs(with->out.z) <= CT_CLOSED; // along a line
    double sine = sqrt(with->out.x * with->out.x + with->out.y * with->out.y);
    bool rim = pair->a.kind == ct_guideRim && sine > CT_CLOSED && !lies;
    pair->rolls = pair->bounded && (round || isCapsule(with) || rim);
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

static bool isSmooth(const ctGuide *g)
{
    return g->kind == ct_guideEllipsoid || g->kind == ct_guideRim;
}

// The direction of a line, or of a rim at the point, in the world.
static ctVec3 directionAt(const ctSeat *part, const ctGuide *g)
{
    ctVec3 d = g->kind == ct_guideRim ? ctNormalize(ctV3(-part->core.y, part->core.x, 0.0)) : g->d;
    d = g->slope != 0.0 ? ctNormalize(ctMulAdd(d, -g->slope, part->out)) : d;
    return ctMulMV(part->base.r, ctRotate(part->pose.q, d));
}

// Sets the faces beside both features, brings the features to the axes of their bodies, and finds out whether the two
// bodies touch nowhere else: one is round all over, and the other has no corner there; or two capsules cross.
static void finish(const ctWorld *world, const ctSeat *a, const ctSeat *b, bool fans, ctGuidePair *pair)
{
    bool roundA = ctSeat_IsBall(a->shape) || pair->a.kind == ct_guideEllipsoid;
    bool roundB = ctSeat_IsBall(b->shape) || pair->b.kind == ct_guideEllipsoid;
    if (fans) {
        ctFan_Find(world, a, &pair->a, pair->b.kind, &pair->fans[0]);
        ctFan_Find(world, b, &pair->b, pair->a.kind, &pair->fans[1]);
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
    bool ellipsoid = pair->a.kind == ct_guideEllipsoid || pair->b.kind == ct_guideEllipsoid;
    bool round = pair->a.round + pair->b.round > 10.0 * CT_APART * lesserSize(a, b);
    ctVec3 across = ctCross(directionAt(a, &pair->a), directionAt(b, &pair->b));
    bool crosses = pair->a.kind != ct_guidePoint && !point && ctLength(across) > CT_ALONG;
    double sine = sqrt(a->out.x * a->out.x + a->out.y * a->out.y);
    double other = sqrt(b->out.x * b->out.x + b->out.y * b->out.y);
    bool rims = pair->b.kind == ct_guideRim && ctFmin(sine, other) < CT_STEEP_RIM;
    pair->chord = pair->a.kind == ct_guideRim && (rims || (pair->b.kind == ct_guideLine && sine < CT_STEEP_RIM));
    finish(world, a, b, true, pair);
    return ellipsoid || round || crosses;
}

// The axis of a line in the world.
static ctVec3 axisOf(const ctSeat *part, const ctGuide *g)
{
    return ctMulMV(part->base.r, ctRotate(part->pose.q, g->d));
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
    ctVec3 d = ctInvRotate(part->pose.q, ctMulTMV(part->base.r, out)), t;
    ctMat3 r;
    ctFan fan;
    ctSeat_Frame(world, part, &r, &t);
    d = ctMulMV(r, d);
    ctFan_Find(world, part, edge, ct_guideLine, &fan);
    return isSharp(part) && fan.count == 2 && ctDot(d, fan.sides[0]) <= CT_EQUAL && ctDot(d, fan.sides[1]) <= CT_EQUAL;
}

// Whether a part touches a plane across a direction (world frame) with one of its lines. Round sides always do.
static bool bearsWith(const ctWorld *world, const ctSeat *part, const ctGuide *line, ctVec3 out)
{
    return !isSharp(part) || liesBehind(world, part, line, out);
}

// Where two lines cross: the normal from b to a, how far along each, from its middle, and their gap; m.
typedef struct Crossing {
    ctVec3 n;
    double s, t, gap;
} Crossing;

// The unit vector with given sines along two axes; side: of a x b. False where there is none.
static bool normalOf(ctVec3 a, double along, ctVec3 b, double beside, double side, ctVec3 *n)
{
    double c = ctDot(a, b), square = 1.0 - c * c;
    double x = (along - c * beside) / square, y = (beside - c * along) / square, rest = 1.0 - along * x - beside * y;
    *n = ctMulAdd(ctMulAdd(ctScale(x, a), y, b), side * sqrt(ctFmax(0.0, rest) / square), ctCross(a, b));
    return square > CT_ALONG * CT_ALONG && rest > CT_ALONG * CT_ALONG * square;
}

static bool findCrossing(const ctSeat *a, const ctSeat *b, const ctGuidePair *pair, Crossing *at)
{
    ctVec3 way = ctSub(ctPosePoint(&a->base, ctTransformPoint(a->pose, pair->a.p)),
                       ctPosePoint(&b->base, ctTransformPoint(b->pose, pair->b.p)));
    ctVec3 da = axisOf(a, &pair->a), db = axisOf(b, &pair->b);
    bool crosses = normalOf(da, -pair->a.slope, db, pair->b.slope, pair->side, &at->n);
    da = ctNormalize(ctMulAdd(da, pair->a.slope, at->n));
    db = ctNormalize(ctMulAdd(db, -pair->b.slope, at->n));
    double cosine = ctDot(da, db), square = 1.0 - cosine * cosine, d = ctDot(da, way), e = ctDot(db, way);
    at->s = (cosine * e - d) / square - pair->a.shift;
    at->t = (e - cosine * d) / square - pair->b.shift;
    at->gap = ctDot(at->n, way) - pair->a.round - pair->b.round;
    return crosses && square > CT_ALONG * CT_ALONG;
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
static bool cross(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair, Crossing *at)
{
    ctVec3 axes = ctCross(axisOf(a, &pair->a), axisOf(b, &pair->b));
    pair->side = ctDot(axes, n) > 0.0 ? 1.0 : -1.0;
    if (!findCrossing(a, b, pair, at)) {
        return false;
    }
    return ctDot(at->n, n) > 1.0 - 1e-6 ||
           (bearsWith(world, a, &pair->a, ctNeg(at->n)) && bearsWith(world, b, &pair->b, at->n) &&
            ((isSharp(a) && isSharp(b)) || isWithin(at, pair, lesserSize(a, b))));
}

// The side at a point that is on the side or at the end of a capsule or a lathe; otherwise its own guide.
static ctGuide sideAt(const ctSeat *part, const ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    if (isCapsule(part)) {
        return ctGuide_Side(part->shape);
    }
    if (part->shape->type != ct_shapeLathe || g->kind != ct_guideRim) {
        return *g;
    }
    ctGuide best = *g;
    double most = 0.0, r = sqrt(part->out.x * part->out.x + part->out.y * part->out.y);
    for (int i = 0; i + 1 < l->count; i++) {
        ctGuide side = ctGuide_Slope(part->shape, i);
        double along = side.slope * part->out.z + sqrt(1.0 - side.slope * side.slope) * r;
        if ((l->z[i] == g->p.z || l->z[i + 1] == g->p.z) && along > most) {
            most = along;
            best = side;
        }
    }
    return best;
}

// Makes a side the end, or the rim, at which it ends, where a line crosses it beyond. along: from its middle, m.
static void comeToEnd(const ctSeat *part, const ctGuide *side, double along, ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    if (isSharp(part) || g->kind != ct_guideLine || !(fabs(along) >= side->half - CT_EQUAL * part->shape->size)) {
        return;
    }
    if (isCapsule(part)) {
        *g = ctGuide_End(part->shape, along);
        return;
    }
    for (int i = 0; i + 1 < l->count; i++) {
        if (0.5 * (l->z[i] + l->z[i + 1]) == side->p.z) {
            *g = ctGuide_Rim(part->shape, along > 0.0 ? i + 1 : i);
            return;
        }
    }
}

// Manifolds of lines that are nearly parallel have their points at ends, and next to an end a point is on either. Finds
// out whether the side or the end of a capsule or a lathe touches: where its line crosses that of the other, within
// both.
static bool crossBetweenEnds(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair)
{
    ctGuide onA = pair->a, onB = pair->b;
    Crossing at;
    pair->a = sideAt(a, &onA);
    pair->b = sideAt(b, &onB);
    bool lines = pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine;
    if (lines && !(isSharp(a) && isSharp(b)) && cross(world, a, b, n, pair, &at)) {
        if (isWithin(&at, pair, lesserSize(a, b))) {
            return true;
        }
        comeToEnd(a, &pair->a, at.s, &onA);
        comeToEnd(b, &pair->b, at.t, &onB);
    }
    pair->a = onA;
    pair->b = onB;
    return false;
}

// Whether a line is the side of a cylinder or a cone.
static bool isSide(const ctSeat *part, const ctGuide *g)
{
    return part->shape->type == ct_shapeLathe && g->kind == ct_guideLine;
}

// Next to a corner a point is on it, or on one of its edges. Finds out which touches the side of a cylinder or a cone:
// an edge does where the normal at the corner is beyond it.
static void leaveCorner(const ctSeat *a, const ctSeat *b, ctGuidePair *pair)
{
    ctGuide edges[CT_FAN_SIDES];
    if (pair->a.kind != ct_guidePoint || !isSharp(a) || !isSide(b, &pair->b)) {
        return;
    }
    ctVec3 way = ctSub(toPart(a, b, pair->a.p), pair->b.p);
    double sine = pair->b.slope, most = 0.5 * CT_BEYOND;
    ctVec3 n = ctMulAdd(ctScale(sqrt(1.0 - sine * sine), ctNormalize(ctV3(way.x, way.y, 0.0))), sine, pair->b.d);
    ctVec3 out = ctNeg(turnTo(b, a, n));
    int count = ctSeat_Edges(a, &pair->a, edges);
    for (int i = 0; i < count && i < CT_FAN_SIDES; i++) {
        double beyond = ctDot(out, edges[i].d);
        pair->a = beyond > most ? edges[i] : pair->a;
        most = ctFmax(most, beyond);
    }
}

static bool meetsEdge(const ctWorld *world, const ctSeat *a, const ctSeat *b, ctVec3 n, ctGuidePair *pair)
{
    pair->bounded = pair->rolls = false;
    if (!ctSeat_Guide(a, &pair->a) || !ctSeat_Guide(b, &pair->b)) {
        return false;
    }
    leaveCorner(a, b, pair);
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
    if (pair->b.kind == ct_guideLine || pair->b.kind == ct_guideRim) {
        makeRim(a, &pair->a);
    }
    if (pair->a.kind == ct_guideRim) {
        makeRim(b, &pair->b);
    }
    if (isSmooth(&pair->a) || isSmooth(&pair->b)) {
        return meetsSmooth(world, a, b, pair);
    }
    bool lines = pair->a.kind == ct_guideLine && pair->b.kind == ct_guideLine;
    bool point = pair->a.kind == ct_guidePoint && (pair->b.kind == ct_guideLine || pair->b.kind == ct_guidePoint);
    Crossing at;
    bool crossing = lines && cross(world, a, b, n, pair, &at);
    bool corner = pair->a.kind == ct_guidePoint && isSide(b, &pair->b);
    finish(world, a, b, a->exact || corner, pair);
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

// ---- corners of polyhedra at edges of others ----------------------------------------------------

// Whether two parts are polyhedra and whole bodies, and no body goes on beside one of them: edges of others may be
// seams.
static bool haveEdges(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctContactPoint *point)
{
    const ctSeat *parts[2] = {a, b};
    bool sharp = isSharp(a) && isSharp(b);
    for (int k = 0; k < 2; k++) {
        int body = parts[k]->body, other = parts[1 - k]->body;
        sharp = sharp && ctBody_Shape(world, body)->leafCount == 1 && world->infos[body].tile == NULL &&
                !ctContact_HasNext(world, other, body, point->pointA, k == 0 ? ctNeg(point->n) : point->n);
    }
    return sharp;
}

// Whether a corner at the edge of a face is about to go beyond it. One that is slower than what a landing leaves does
// not move.
static bool leaves(const ctWorld *world, const ctSeat *with, const ctSeat *on, double slow)
{
    ctGuide g, f;
    ctPatch face;
    if (!ctSeat_Guide(with, &g) || !ctSeat_Face(on, &f, &face)) {
        return false;
    }
    ctVec3 at = toPart(with, on, g.p), way = wayOnFace(world, with, on, &g);
    double near = CT_EQUAL * with->shape->size, inside = ctPatch_Inside(&face, at);
    double reach = CT_APART * with->shape->size / (ctLength(way) + 1e-300);
    return !(inside > near) && ctLength(way) > slow && ctPatch_Inside(&face, ctMulAdd(at, reach, way)) < inside - near;
}

// The edges of a polyhedron at a point that is on one, or at a corner.
static int edgesAt(const ctSeat *part, ctGuide edges[CT_FAN_SIDES])
{
    ctGuide g;
    if (!ctSeat_Guide(part, &g)) {
        return 0;
    }
    if (g.kind == ct_guideLine) {
        edges[0] = g;
        return 1;
    }
    int count = ctSeat_Edges(part, &g, edges);
    return count > CT_FAN_SIDES ? 0 : count;
}

// The velocity of body a relative to b at a point.
static ctVec3 velocityAt(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctContactPoint *point)
{
    return ctSub(ctBody_PointVelocity(&world->bodies[a->body], point->pointA),
                 ctBody_PointVelocity(&world->bodies[b->body], point->pointA));
}

// Whether a place on a line (m from its middle), which runs along it, is on the line, or about to come to it at an end.
static bool isOrComes(double at, double rate, double half, double size)
{
    double inside = half - fabs(at);
    return inside > CT_EQUAL * size || (inside > -CT_CLOSED * size && at * rate < 0.0);
}

// Whether two edges bear on each other where they cross, near a point.
static bool crossNear(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctContactPoint *point,
                      ctGuidePair *pair)
{
    Crossing at;
    double size = lesserSize(a, b);
    if (!cross(world, a, b, point->n, pair, &at) || !(fabs(at.gap) <= CT_CLOSED * size)) {
        return false;
    }
    ctVec3 da = axisOf(a, &pair->a), db = axisOf(b, &pair->b), u = velocityAt(world, a, b, point);
    ctVec3 acrossA = ctCross(at.n, da), acrossB = ctCross(at.n, db);
    double runA = -ctDot(u, acrossB) / ctDot(da, acrossB), runB = ctDot(u, acrossA) / ctDot(db, acrossA);
    return isOrComes(at.s, runA, pair->a.half, size) && isOrComes(at.t, runB, pair->b.half, size);
}

// Finds the edges that cross next to a corner, and bear on each other there: of those that meet at the corner.
static int crossAtCorner(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctContactPoint *point,
                         ctGuidePair pairs[CT_GUIDE_PAIRS])
{
    ctGuide edgesA[CT_FAN_SIDES], edgesB[CT_FAN_SIDES];
    int countA = edgesAt(a, edgesA), countB = edgesAt(b, edgesB), count = 0;
    for (int i = 0; i < countA && countA + countB > 2; i++) {
        for (int k = 0; k < countB && count < CT_GUIDE_PAIRS; k++) {
            ctGuidePair *pair = &pairs[count];
            *pair = (ctGuidePair){.a = edgesA[i], .b = edgesB[k]};
            if (crossNear(world, a, b, point, pair)) {
                finish(world, a, b, false, pair);
                count++;
            }
        }
    }
    return count;
}

// The pairs of guides at a point of two polyhedra that is next to a corner: the corner is on a face, or its edges cross
// another. There are none where it slides off the edge of the face, or where edges slide off each other.
static int findAtCorner(const ctWorld *world, const ctSeat *a, const ctSeat *b, const ctContactPoint *point,
                        double slow, ctGuidePair pairs[CT_GUIDE_PAIRS])
{
    *pairs = (ctGuidePair){.side = 1.0};
    if (restsOnFace(world, a, b, pairs) && !leaves(world, a, b, slow)) {
        return 1;
    }
    *pairs = (ctGuidePair){.side = 1.0, .flipped = true};
    if (restsOnFace(world, b, a, pairs) && !leaves(world, b, a, slow)) {
        return 1;
    }
    return crossAtCorner(world, a, b, point, pairs);
}

// Whether a corner slides off.
static bool slidesOff(const ctWorld *world, const ctContactRecord *record, const ctSeat *a, const ctSeat *b,
                      const ctContactPoint *point)
{
    ctGuidePair pairs[CT_GUIDE_PAIRS];
    ctVec3 u = velocityAt(world, a, b, point), slip = ctMulAdd(u, -ctDot(u, point->n), point->n);
    double slow = ctPair_LandingSpeed(world, &world->pairs[record->pair]);
    return ctLength(slip) > slow && haveEdges(world, a, b, point) && findAtCorner(world, a, b, point, slow, pairs) == 0;
}

int ctGuides_Find(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctGuideSide side,
                  ctGuidePair pairs[CT_GUIDE_PAIRS])
{
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, point, &a, &b);
    bool either = side == ct_guidesEither, rims = isRound(&a) && isRound(&b);
    if (either && haveEdges(world, &a, &b, point)) {
        double slow = ctPair_LandingSpeed(world, &world->pairs[record->pair]);
        int count = findAtCorner(world, &a, &b, point, slow, pairs);
        if (count > 0) {
            return count;
        }
        either = false; // a corner is about to leave its face
    }
    ctGuidePair *pair = pairs;
    *pair = (ctGuidePair){.side = 1.0};
    if (either && restsOnFace(world, &a, &b, pair)) {
        return 1;
    }
    // Rims cross where neither is on the end of the other.
    pair->flipped = rims && either && restsOnFace(world, &b, &a, pair);
    if (pair->flipped || (side != ct_guidesOnB && meetsEdge(world, &a, &b, point->n, pair))) {
        return 1;
    }
    pair->flipped = true;
    return (either && !rims && restsOnFace(world, &b, &a, pair)) ||
           (side != ct_guidesOnA && meetsEdge(world, &b, &a, ctNeg(point->n), pair));
}

bool ctGuides_IsUnderDisc(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point)
{
    const ctShape *shapeA, *shapeB;
    ctSeat_Shapes(world, record, point, &shapeA, &shapeB);
    bool first = shapeA->type == ct_shapeLathe, second = shapeB->type == ct_shapeLathe;
    if (first == second || shapeA->type == ct_shapePlane || shapeB->type == ct_shapePlane) {
        return false;
    }
    ctSeat a, b;
    ctSeat_MakeBoth(world, record, point, &a, &b);
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
    if (slidesOff(world, record, &a, &b, point)) {
        return true;
    }
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
