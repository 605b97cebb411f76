// When a contact comes to the end of its face.
//
// A ball rolls off a table, a corner slides off it, the last edge of a block leaves the edge of the table. Up to there
// the face holds the body; from there on it does not, or only as much as the body bends around the edge. The force
// jumps. The time is found from the courses of both bodies, as that of an arrival: the foot of the other body on the
// face, seen from the face, crosses one of its sides. While one of the bearing points stays on the face, the others
// pass their force on without a jump. So the last of them counts.
#include "engine/contact/step/step.h"

#include "collision/patch.h"
#include "collision/support.h"
#include "collision/terrain.h"

// A face of one body, and the part of the other on it.
typedef struct Footing {
    const ctWorld *world;
    int face, faceLeaf, other, otherLeaf;
    ctPatch patch;        // in the frame of its part
    const ctShape *shape; // of the other's part
    ctVec3 core;          // of the other's part, in its frame, under the point; on a lathe its circle passes through it
    ctVec3 d;             // into the face, in that frame
    uint32_t passed;      // sides of the face that the foot is on and stays on, or beyond which the face continues
} Footing;

// ---- geometry ---------------------------------------------------------------------------------

// The least distance inwards from the sides of the face that count; a disc has one.
static double inward(const ctPatch *patch, ctVec3 p, uint32_t passed)
{
    if (patch->kind == ct_patchDisc) {
        ctVec3 d = ctSub(p, patch->centre);
        double distance = patch->radius - ctLength(ctMulAdd(d, -ctDot(d, patch->n), patch->n));
        return passed ? (double)INFINITY : distance;
    }
    double least = INFINITY;
    for (int i = 0; i < patch->count; i++) {
        if (passed >> i & 1) {
            continue;
        }
        ctVec3 edge = ctSub(patch->p[i + 1 < patch->count ? i + 1 : 0], patch->p[i]);
        least = ctFmin(least, ctDot(ctCross(patch->n, edge), ctSub(p, patch->p[i])) / ctLength(edge));
    }
    return least;
}

// The foot on the face at a time, in the frame of the face.
static ctVec3 footAt(const Footing *f, double time)
{
    ctPose face = ctIsland_PartAt(f->world, f->face, f->faceLeaf, time);
    ctPose other = ctIsland_PartAt(f->world, f->other, f->otherLeaf, time);
    ctVec3 n = ctMulMV(face.r, f->patch.n), d = ctMulTMV(other.r, ctNeg(n)), core = f->core;
    int code = 0;
    if (f->shape->type == ct_shapeEllipsoid) {
        core = ctCoreSupport(f->shape, d, &code);
    } else if (f->shape->type == ct_shapeLathe) {
        double rho = sqrt(d.x * d.x + d.y * d.y), r = sqrt(core.x * core.x + core.y * core.y);
        core = ctV3(rho > 0.0 ? r * d.x / rho : core.x, rho > 0.0 ? r * d.y / rho : core.y, core.z);
    }
    return ctInvPosePoint(&face, ctMulAdd(ctPosePoint(&other, core), -f->shape->round, n));
}

static double inwardAt(const void *context, double time)
{
    const Footing *f = context;
    return inward(&f->patch, footAt(f, time), f->passed);
}

// Whether a place of a core is one of its ends: the support moves with it. Other places are where the edges of two
// faces cross, and run along both.
static bool isTip(const ctShape *shape, ctVec3 core, double slack)
{
    if (shape->type == ct_shapeBox) {
        ctVec3 off = ctAbs(ctSub(ctAbs(core), shape->u.half));
        return ctMaxElement(off) <= slack;
    }
    if (shape->type != ct_shapeHull) {
        return true;
    }
    for (int i = 0; i < shape->u.hull.vertexCount; i++) {
        if (ctDistance(shape->u.hull.vertices[i], core) <= slack) {
            return true;
        }
    }
    return false;
}

// The sides of a triangle of a terrain beyond which its plane continues: nothing ends there.
static uint32_t flatSides(const ctShape *shape, const ctPatch *patch)
{
    const ctTerrain *t = shape->type == ct_shapeHull ? shape->u.hull.terrain : NULL;
    uint32_t sides = 0;
    for (int i = 0; i < patch->count && t != NULL; i++) {
        ctVec3 from = patch->p[i], to = patch->p[i + 1 < patch->count ? i + 1 : 0];
        for (int k = 0; k < 3; k++) {
            int triangle = shape->u.hull.triangle, other = t->neighbours[3 * triangle + k];
            ctVec3 middle = ctLerp(ctTerrain_Vertex(t, triangle, k), ctTerrain_Vertex(t, triangle, (k + 1) % 3), 0.5);
            bool here = ctDistance(ctLerp(from, to, 0.5), middle) <= CT_EQUAL * shape->size;
            sides |= here && other >= 0 && t->facets[other] == t->facets[triangle] ? 1u << i : 0u;
        }
    }
    return sides;
}

// ---- one point --------------------------------------------------------------------------------

// A bound of the speed of the foot over the face within a time (s), m/s.
static double fastest(const ctWorld *world, const Footing *f, ctVec3 at, double length)
{
    const ctBody *face = &world->bodies[f->face], *other = &world->bodies[f->other];
    bool corner = f->shape->type == ct_shapeBox || f->shape->type == ct_shapeHull;
    ctVec3 v = corner ? ctBody_PointVelocity(other, at) : other->v;
    double run = corner || other->ball ? 0.0 : ctDistance(other->w, face->w) * other->radius;
    double pull = ctLength(other->a) + ctLength(face->a) + ctLength(other->alpha) * other->radius;
    return ctDistance(v, ctBody_PointVelocity(face, at)) + run + length * pull;
}

// The footing of a point on a face of its body b, or a if swap is true. False when there is none, or none that ends
// before the time.
static bool findFooting(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, bool swap,
                        double until, Footing *f)
{
    int partsB = ctBody_Shape(world, record->b)->leafCount;
    int leafA = (int)point->leaf / partsB, leafB = (int)point->leaf % partsB;
    *f = (Footing){.world = world, .face = swap ? record->a : record->b, .faceLeaf = swap ? leafA : leafB};
    f->other = swap ? record->b : record->a;
    f->otherLeaf = swap ? leafB : leafA;
    if (world->bodies[f->face].plane || world->bodies[f->face].ball || world->bodies[f->other].plane) {
        return false;
    }
    const ctShape *faceShape = ctBody_Shape(world, f->face)->leaves[f->faceLeaf].shape;
    const ctShape *otherShape = ctBody_Shape(world, f->other)->leaves[f->otherLeaf].shape;
    f->shape = ctShape_Against(otherShape, faceShape);
    faceShape = ctShape_Against(faceShape, otherShape);
    ctPose pose = ctIsland_PartAt(world, f->face, f->faceLeaf, world->now);
    ctVec3 n = ctMulTMV(pose.r, swap ? ctNeg(point->n) : point->n);
    ctPatchOf(faceShape, n, 0, &f->patch);
    if (f->patch.kind < ct_patchPolygon || ctDot(f->patch.n, n) < 1.0 - CT_EQUAL) {
        return false;
    }
    f->passed = flatSides(faceShape, &f->patch);
    ctVec3 at = swap ? point->pointA : point->pointB;
    double length = until - world->now, reach = length * fastest(world, f, at, length);
    if (inward(&f->patch, ctInvPosePoint(&pose, at), f->passed) > reach) {
        return false;
    }
    ctPose other = ctIsland_PartAt(world, f->other, f->otherLeaf, world->now);
    ctVec3 d = f->d = ctMulTMV(other.r, swap ? point->n : ctNeg(point->n));
    f->core = ctMulAdd(ctInvPosePoint(&other, swap ? point->pointB : point->pointA), -f->shape->round, d);
    return f->shape->type != ct_shapeLathe || d.x * d.x + d.y * d.y > CT_FLAT * CT_FLAT;
}

// The direction of the edge of the other part on which its core is, in its frame; zero where there is none.
static ctVec3 edgeUnder(const Footing *f)
{
    ctPatch patch;
    ctPatchOf(f->shape, f->d, 0, &patch);
    ctVec3 edge = ctZero3();
    double nearest = INFINITY;
    for (int i = 0; i < patch.count && (patch.kind == ct_patchPolygon || patch.kind == ct_patchSegment); i++) {
        ctVec3 from = patch.p[i], along = ctNormalize(ctSub(patch.p[i + 1 < patch.count ? i + 1 : 0], from));
        double off = ctLength(ctCross(along, ctSub(f->core, from)));
        edge = off < nearest ? along : edge;
        nearest = ctFmin(nearest, off);
    }
    return edge;
}

// The direction of a side of the face at a place.
static ctVec3 sideAt(const ctPatch *patch, int side, ctVec3 at)
{
    if (patch->kind == ct_patchDisc) {
        return ctNormalize(ctCross(patch->n, ctSub(at, patch->centre)));
    }
    return ctNormalize(ctSub(patch->p[side + 1 < patch->count ? side + 1 : 0], patch->p[side]));
}

// Marks the sides of the face that the foot is near and stays on: it runs along them, or it is where an edge crosses
// them, and the crossing runs along both.
static void passSides(Footing *f, double near, double until)
{
    ctVec3 foot = footAt(f, f->world->now), later = footAt(f, until);
    ctPose face = ctIsland_PartAt(f->world, f->face, f->faceLeaf, f->world->now);
    ctPose other = ctIsland_PartAt(f->world, f->other, f->otherLeaf, f->world->now);
    ctVec3 edge = ctMulTMV(face.r, ctMulMV(other.r, edgeUnder(f)));
    for (int i = 0; i < (f->patch.kind == ct_patchDisc ? 1 : f->patch.count); i++) {
        double at = inward(&f->patch, foot, ~(1u << i)), then = inward(&f->patch, later, ~(1u << i));
        bool crosses = ctLength(ctCross(edge, sideAt(&f->patch, i, foot))) > CT_ALONG;
        bool stays = crosses || at - then < CT_ALONG * ctDistance(foot, later);
        f->passed |= at <= near && stays ? 1u << i : 0u;
    }
}

// When the point comes to the end of its face: before until, or infinite. Now if it is there, earlier if it is past it.
static double timeOfEnd(const Footing *footing, double size, double until)
{
    Footing f = *footing;
    double now = f.world->now, slack = CT_EQUAL * size;
    if (!isTip(f.shape, f.core, slack)) {
        passSides(&f, CT_CONTACT_MARGIN * size, until);
    }
    double at = inwardAt(&f, now), then = inwardAt(&f, until);
    if (at <= slack && then < -slack) {
        return at < -slack ? -(double)INFINITY : now;
    }
    if (!(then < -slack)) {
        return INFINITY;
    }
    return ctIsland_TimeOfLevel(inwardAt, &f, (ctLevel){0.0, 1e-3 * slack, now, at, until, then});
}

// ---- the whole contact ------------------------------------------------------------------------

double ctContact_TimeOfLeaving(const ctWorld *world, const ctContactRecord *record, double until)
{
    double size = ctContact_PairSize(world, record->a, record->b), last = -INFINITY;
    if (world->pairs[record->pair].kind != ct_pairGeneral) {
        return INFINITY;
    }
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *point = &record->points[i];
        if (!(ctLengthSquared(point->force) > 0.0) || point->gap > CT_CONTACT_MARGIN * size) {
            continue;
        }
        double end = INFINITY;
        for (int k = 0; k < 2; k++) {
            Footing footing;
            if (findFooting(world, record, point, k == 1, until, &footing)) {
                end = ctFmin(end, timeOfEnd(&footing, size, until));
            }
        }
        if (!(end < until)) {
            return INFINITY;
        }
        last = ctFmax(last, end);
    }
    return last >= world->now ? last : (double)INFINITY;
}
