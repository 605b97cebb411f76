// Which corner, edge, rim, side or face of a part a point of contact is on.
//
// A shape is a core and a ball swept over it: the guide belongs to the core, and is `round` under the surface along the
// normal.
#include "engine/contact/plan/seat.h"

#include "collision/elementary.h"

// [rounding] Places nearer than this share of the size to a corner, an edge or a rim are on it.
#define NEAR (0.1 * CT_BEYOND)

ctGuide ctGuide_Of(ctGuideKind kind, ctVec3 p, ctVec3 d, double round)
{
    return (ctGuide){.kind = kind, .p = p, .d = d, .round = round};
}

static bool onBox(const ctSeat *part, ctGuide *g)
{
    ctVec3 half = part->shape->u.half, c = part->core;
    double near = part->near, h[3] = {half.x, half.y, half.z}, x[3] = {c.x, c.y, c.z};
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
        *g = ctGuide_Of(ct_guidePoint, p, ctZero3(), part->shape->round);
        return true;
    }
    ctVec3 d = ctV3(free == 0 ? 1.0 : 0.0, free == 1 ? 1.0 : 0.0, free == 2 ? 1.0 : 0.0);
    *g = ctGuide_Of(ct_guideLine, ctMulAdd(p, -x[free], d), d, part->shape->round);
    g->half = h[free];
    return true;
}

static bool onHull(const ctSeat *part, ctGuide *g)
{
    const ctHull *hull = &part->shape->u.hull;
    double near = part->near, least = INFINITY;
    int at = 0;
    for (int i = 0; i < hull->vertexCount; i++) {
        double d = ctDistance(hull->vertices[i], part->core);
        at = d < least ? i : at;
        least = ctFmin(least, d);
    }
    if (least <= near) {
        *g = ctGuide_Of(ct_guidePoint, hull->vertices[at], ctZero3(), part->shape->round);
        return true;
    }
    double across = INFINITY; // next to a corner several edges are near, of which one is across the normal
    for (int i = 0; i < hull->vertexCount; i++) {
        for (int k = hull->firstNeighbour[i]; k < hull->firstNeighbour[i + 1]; k++) {
            ctVec3 p = hull->vertices[i], edge = ctSub(hull->vertices[hull->neighbours[k]], p), d = ctNormalize(edge);
            ctVec3 way = ctSub(part->core, p);
            double along = ctDot(way, d), length = ctLength(edge), slope = fabs(ctDot(d, part->out));
            if (hull->neighbours[k] > i && along > 0.0 && along < length && slope < across &&
                ctLength(ctMulAdd(way, -along, d)) <= near) {
                *g = ctGuide_Of(ct_guideLine, ctMulAdd(p, 0.5 * length, d), d, part->shape->round);
                g->half = 0.5 * length;
                across = slope;
            }
        }
    }
    return across < (double)INFINITY;
}

static void addEdge(ctGuide *edges, int *count, ctVec3 from, ctVec3 to, double round)
{
    if (*count < CT_FAN_SIDES) {
        ctVec3 way = ctSub(to, from);
        edges[*count] = ctGuide_Of(ct_guideLine, ctMulAdd(from, 0.5, way), ctNormalize(way), round);
        edges[*count].half = 0.5 * ctLength(way);
    }
    ++*count;
}

int ctSeat_Edges(const ctSeat *part, const ctGuide *corner, ctGuide edges[CT_FAN_SIDES])
{
    const ctShape *s = part->shape;
    ctVec3 p = corner->p;
    int count = 0, at = 0;
    if (s->type == ct_shapeBox) {
        addEdge(edges, &count, p, ctV3(-p.x, p.y, p.z), s->round);
        addEdge(edges, &count, p, ctV3(p.x, -p.y, p.z), s->round);
        addEdge(edges, &count, p, ctV3(p.x, p.y, -p.z), s->round);
    } else if (s->type == ct_shapeHull) {
        const ctHull *hull = &s->u.hull;
        while (at < hull->vertexCount - 1 && ctDistance(hull->vertices[at], p) > 0.0) {
            at++;
        }
        for (int k = hull->firstNeighbour[at]; k < hull->firstNeighbour[at + 1]; k++) {
            addEdge(edges, &count, p, hull->vertices[hull->neighbours[k]], s->round);
        }
    }
    return count;
}

ctGuide ctGuide_Rim(const ctShape *shape, int at)
{
    const ctLathe *l = &shape->u.lathe;
    ctVec3 p = ctV3(0.0, 0.0, l->z[at]);
    ctGuide g = ctGuide_Of(l->r[at] > 0.0 ? ct_guideRim : ct_guidePoint, p, ctV3(0.0, 0.0, 1.0), shape->round);
    g.radius = l->r[at];
    return g;
}

ctGuide ctGuide_Slope(const ctShape *lathe, int at)
{
    const ctLathe *l = &lathe->u.lathe;
    double dr = l->r[at + 1] - l->r[at], dz = l->z[at + 1] - l->z[at], length = sqrt(dr * dr + dz * dz);
    double middle = 0.5 * (l->r[at] + l->r[at + 1]);
    ctVec3 p = ctV3(0.0, 0.0, 0.5 * (l->z[at] + l->z[at + 1]));
    ctGuide g = ctGuide_Of(ct_guideLine, p, ctV3(0.0, 0.0, 1.0), lathe->round);
    g.round += dz / length * middle;
    g.half = 0.5 * length;
    g.slope = -dr / length;
    g.shift = dr / length * middle;
    return g;
}

// The side of a cylinder or a cone, between two corners of the profile: where the normal is across it.
static bool onSide(const ctSeat *part, ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    double size = part->shape->size, r = sqrt(part->core.x * part->core.x + part->core.y * part->core.y);
    double out = r > 0.0 ? (part->out.x * part->core.x + part->out.y * part->core.y) / r : 0.0;
    for (int i = 0; i + 1 < l->count; i++) {
        double dr = l->r[i + 1] - l->r[i], dz = l->z[i + 1] - l->z[i], length = sqrt(dr * dr + dz * dz);
        double sine = -dr / length, cosine = dz / length, middle = 0.5 * (l->r[i] + l->r[i + 1]);
        double z = part->core.z - 0.5 * (l->z[i] + l->z[i + 1]), along = cosine * z - sine * (r - middle);
        double over = sine * z + cosine * (r - middle), inside = 0.5 * length - fabs(along);
        if (inside > NEAR * size && fabs(over) <= part->near && fabs(cosine * part->out.z - sine * out) <= CT_CLOSED) {
            *g = ctGuide_Slope(part->shape, i);
            return true;
        }
    }
    return false;
}

static bool onLathe(const ctSeat *part, ctGuide *g)
{
    const ctLathe *l = &part->shape->u.lathe;
    ctVec3 c = part->core, o = part->out;
    double near = part->near, r = sqrt(c.x * c.x + c.y * c.y);
    if (onSide(part, g)) {
        return true;
    }
    for (int i = 0; i < l->count; i++) {
        if (fabs(l->z[i] - c.z) > near || fabs(l->r[i] - r) > near) {
            continue;
        }
        *g = ctGuide_Rim(part->shape, i);
        double sine = sqrt(o.x * o.x + o.y * o.y), rises = o.x * part->outRate.x + o.y * part->outRate.y;
        if (!(l->r[i] > 0.0) || sine > CT_FLAT_RING || (sine > 2.0 * CT_FLAT_RIM && rises > 0.0)) {
            return true;
        }
        g->kind = ct_guideRing;
        g->radius += part->shape->round; // where the edge is drawn
        g->d = ctV3(0.0, 0.0, o.z > 0.0 ? 1.0 : -1.0);
        return o.z > 0.0 ? i == l->count - 1 : i == 0;
    }
    return false;
}

ctGuide ctGuide_Side(const ctShape *capsule)
{
    ctGuide g = ctGuide_Of(ct_guideLine, ctZero3(), ctV3(0.0, 0.0, 1.0), capsule->round);
    g.half = capsule->u.halfHeight;
    return g;
}

ctGuide ctGuide_End(const ctShape *capsule, double side)
{
    return ctGuide_Of(ct_guidePoint, ctV3(0.0, 0.0, copysign(capsule->u.halfHeight, side)), ctZero3(), capsule->round);
}

bool ctSeat_IsBall(const ctShape *s)
{
    ctVec3 r = s->type == ct_shapeEllipsoid ? s->u.radii : ctZero3();
    return s->type == ct_shapeSphere || (s->type == ct_shapeEllipsoid && r.x == r.y && r.y == r.z);
}

bool ctSeat_Guide(const ctSeat *part, ctGuide *g)
{
    const ctShape *s = part->shape;
    switch (s->type) {
    case ct_shapeSphere:
        *g = ctGuide_Of(ct_guidePoint, ctZero3(), ctZero3(), s->round);
        return true;
    case ct_shapeCapsule:
        *g = fabs(fabs(part->core.z) - s->u.halfHeight) <= part->near ? ctGuide_End(s, part->core.z) : ctGuide_Side(s);
        return true;
    case ct_shapeEllipsoid: {
        ctVec3 r = s->u.radii;
        if (ctSeat_IsBall(s)) {
            *g = ctGuide_Of(ct_guidePoint, ctZero3(), ctZero3(), r.x);
            return true;
        }
        *g = ctGuide_Of(ct_guideEllipsoid, ctZero3(), ctZero3(), 0.0);
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

bool ctSeat_Face(const ctSeat *part, ctGuide *g, ctPatch *patch)
{
    if (part->shape->type == ct_shapePlane) {
        ctVec3 n = part->shape->u.plane.normal;
        *g = ctGuide_Of(ct_guideFace, ctScale(part->shape->u.plane.offset, n), n, 0.0);
        return true;
    }
    ctPatchOf(part->shape, part->out, 0, patch);
    if (patch->kind < ct_patchPolygon || ctDot(patch->n, part->out) < 1.0 - CT_EQUAL) {
        return false;
    }
    ctVec3 p = patch->kind == ct_patchDisc ? patch->centre : patch->p[0];
    *g = ctGuide_Of(ct_guideFace, p, patch->n, part->shape->round);
    return true;
}

// ---- frames -----------------------------------------------------------------------------------

ctPose ctSeat_BasePose(const ctWorld *world, int index)
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

void ctSeat_Frame(const ctWorld *world, const ctSeat *part, ctMat3 *r, ctVec3 *t)
{
    const ctBodyInfo *info = &world->infos[part->body];
    ctQuat back = ctBody_IsMovable(&world->bodies[part->body]) ? ctConjugate(info->inertia.frame) : ctQuatIdentity();
    *r = ctMat3FromQuat(ctMulQ(back, part->pose.q));
    *t = ctRotate(back, ctSub(part->pose.p, info->center));
}

void ctGuide_Move(ctGuide *g, const ctMat3 *r, ctVec3 t)
{
    g->p = ctAdd(t, ctMulMV(*r, g->p));
    g->d = ctMulMV(*r, g->d);
    if (g->kind == ct_guideEllipsoid) {
        g->form = ctMulMM(*r, ctMulMM(g->form, ctTranspose(*r)));
    }
}

void ctSeat_MoveGuide(const ctWorld *world, const ctSeat *part, ctGuide *g)
{
    ctMat3 r;
    ctVec3 t;
    ctSeat_Frame(world, part, &r, &t);
    ctGuide_Move(g, &r, t);
}

static bool isRounded(const ctShape *s)
{
    return s->type == ct_shapeSphere || s->type == ct_shapeCapsule || s->type == ct_shapeEllipsoid;
}

// The parts that meet at a point.
static void partsAt(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, const ctLeaf **a,
                    const ctLeaf **b)
{
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    *a = &shapeA->leaves[(int)point->leaf / shapeB->leafCount];
    *b = &shapeB->leaves[(int)point->leaf % shapeB->leafCount];
}

// body, l: whose part; with, other: the body and the part that it touches at a place, with the normal out of it.
static ctSeat make(const ctWorld *world, int body, int with, const ctLeaf *l, const ctShape *other, ctVec3 at,
                   ctVec3 out, double gap)
{
    ctSeat part = {.body = body, .pose = ctTransformIdentity()};
    part.shape = ctShape_Against(l->shape, other);
    part.exact = isRounded(part.shape) || isRounded(other);
    // Points of a capsule that overlaps are beside their features by as much.
    bool capsule = part.shape->type == ct_shapeCapsule || other->type == ct_shapeCapsule;
    double beside = capsule ? ctFmax(0.0, -2.0 * gap) : 0.0;
    part.near = part.exact ? ctFmin(NEAR * part.shape->size + beside, CT_APART * part.shape->size)
                           : CT_APART * part.shape->size;
    ctPose pose = part.base = ctSeat_BasePose(world, body);
    if (ctBody_Shape(world, body)->type == ct_shapeCompound) {
        part.pose = l->pose;
        pose = ctLeaf_Pose(l, &pose);
    }
    part.out = ctMulTMV(pose.r, out);
    part.outRate = ctMulTMV(pose.r, ctCross(ctSub(world->bodies[with].w, world->bodies[body].w), out));
    part.core = ctMulAdd(ctInvPosePoint(&pose, at), -part.shape->round, part.out);
    return part;
}

void ctSeat_MakeBoth(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctSeat *a,
                     ctSeat *b)
{
    const ctLeaf *la, *lb;
    partsAt(world, record, point, &la, &lb);
    *a = make(world, record->a, record->b, la, lb->shape, point->pointA, ctNeg(point->n), point->gap);
    *b = make(world, record->b, record->a, lb, la->shape, point->pointB, point->n, point->gap);
}

void ctSeat_Shapes(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, const ctShape **a,
                   const ctShape **b)
{
    const ctLeaf *la, *lb;
    partsAt(world, record, point, &la, &lb);
    *a = ctShape_Against(la->shape, lb->shape);
    *b = ctShape_Against(lb->shape, la->shape);
}
