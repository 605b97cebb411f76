// Inner edges of a compound: they are not edges of the body.
//
// Where two boxes or hulls of a compound lie flush, side by side, the edge between them is inside the common face. But
// closest points are found for each part on its own. Another body that slides towards the seam is then near the rounded
// edge of the next part, with a normal that leans against the motion. It overlaps that edge by as much as contact
// leaves, and would be struck at the seam. Therefore such a normal is replaced by the normal of the common face. A
// point whose place on the common face belongs to the other part is left to that part.
#include "collision/support.h"
#include "engine/pairs/pairs.h"

#include "engine/pairs/tunables.h"

// Slope: a part that rises less steeply above the plane of contact is flush. A point on an edge leans by no more.
#define RISE (2.0 * CT_CLOSED)
// [rounding] A normal whose component along the face normal is smaller is parallel to the face: it leans over no edge.
#define GLANCING 1e-3

bool ctHasFlatFaces(const ctShape *part)
{
    return part->type == ct_shapeBox || (part->type == ct_shapeHull && part->u.hull.terrain == NULL);
}

// How far a point is outside a hull, at least, m; and the corner of the hull that is farthest along n.
static double outsideHull(const ctHull *hull, double round, ctVec3 p, ctVec3 n, ctVec3 *top)
{
    double outside = 0.0, most = -INFINITY;
    for (int i = 0; i < hull->faceCount; i++) {
        outside = ctFmax(outside, ctDot(hull->faceNormals[i], p) - hull->faceOffsets[i] - round);
    }
    for (int i = 0; i < hull->cornerCount; i++) {
        double along = ctDot(n, hull->corners[i]);
        *top = along > most ? hull->corners[i] : *top;
        most = ctFmax(most, along);
    }
    return outside;
}

ctBeside ctBesidePart(const ctShape *part, ctVec3 p, ctVec3 n, double near)
{
    ctVec3 hi = part->hi, top = ctV3(copysign(hi.x, n.x), copysign(hi.y, n.y), copysign(hi.z, n.z));
    double outside = ctDistance(p, ctMax(part->lo, ctMin(hi, p)));
    if (outside <= near && part->type == ct_shapeHull) {
        outside = outsideHull(&part->u.hull, part->round, p, n, &top);
    }
    double rise = ctDot(n, ctSub(top, p)), away = ctDistance(top, p);
    if (outside > near || rise < -RISE * away) {
        return ct_besideNothing;
    }
    return rise > RISE * away ? ct_besideHigher : ct_besideFlush;
}

typedef struct Face {
    ctVec3 n;
    double offset; // m: n . x = offset for points x of the face
    double room;   // m: a point within this distance of the edge may be on the face of neither part
} Face;

// Whether another part of the body than this leaf has a face in the plane through the point with normal n.
static bool goesOn(const ctShape *shape, const ctPose *body, int leaf, ctVec3 point, ctVec3 n, double near)
{
    for (int i = 0; i < shape->leafCount; i++) {
        const ctShape *other = shape->leaves[i].shape;
        ctPose pose = ctShape_PartPose(shape, i, body);
        if (i != leaf && ctHasFlatFaces(other) &&
            ctBesidePart(other, ctInvPosePoint(&pose, point), ctMulTMV(pose.r, n), near) == ct_besideFlush) {
            return true;
        }
    }
    return false;
}

static int faceCount(const ctShape *part)
{
    return part->type == ct_shapeBox ? 3 : part->u.hull.faceCount;
}

// The normal of face k of a part; of the two faces of a box across an axis, the one that faces m. *offset: its distance
// from the origin along the normal, m.
static ctVec3 faceTowards(const ctShape *part, int k, ctVec3 m, double *offset)
{
    if (part->type == ct_shapeHull) {
        *offset = part->u.hull.faceOffsets[k] + part->round;
        return part->u.hull.faceNormals[k];
    }
    *offset = k == 0 ? part->hi.x : k == 1 ? part->hi.y : part->hi.z;
    return ctV3(k == 0 ? copysign(1.0, m.x) : 0.0, k == 1 ? copysign(1.0, m.y) : 0.0,
                k == 2 ? copysign(1.0, m.z) : 0.0);
}

// Finds the face of a part at whose edge the point p is. True if the normal n leans over that edge and the face of
// another part continues beyond the edge.
static bool findFace(const ctWorld *world, int index, int leaf, ctVec3 p, ctVec3 n, Face *face)
{
    const ctShape *shape = ctBody_Shape(world, index), *own = shape->leaves[leaf].shape;
    if (shape->leafCount < 2 || !ctHasFlatFaces(own) || world->infos[index].tile != NULL) {
        return false;
    }
    ctPose body = ctBody_Pose(world, &world->bodies[index]), part = ctShape_PartPose(shape, leaf, &body);
    ctVec3 m = ctMulTMV(part.r, n), q = ctInvPosePoint(&part, p);
    double near = CT_CLOSED * own->size, room = 4.0 * near + 2.0 * own->round;
    for (int k = 0; k < faceCount(own); k++) {
        double offset;
        ctVec3 facing = faceTowards(own, k, m, &offset);
        double along = ctDot(facing, m), below = offset - ctDot(facing, q);
        if (along < GLANCING || along > 1.0 - 1e-12 || below > room) {
            continue;
        }
        ctVec3 f = ctMulMV(part.r, facing), on = ctMulAdd(p, below, f);
        ctVec3 over = ctNormalize(ctMulAdd(n, -along, f));
        if (goesOn(shape, &body, leaf, ctMulAdd(on, room, over), f, near)) {
            *face = (Face){f, ctDot(f, on), room};
            return true;
        }
    }
    return false;
}

// The point of a part whose outward normal is -f. p is its point whose outward normal is -n.
static ctVec3 turnPoint(const ctShape *shape, const ctPose *pose, ctVec3 p, ctVec3 n, ctVec3 f)
{
    if (shape->type == ct_shapeEllipsoid) {
        return ctPosePoint(pose, ctEllipsoidPoint(shape->u.radii, 0.0, ctMulTMV(pose->r, ctNeg(f))));
    }
    ctVec3 axis = pose->r.cz, across = ctMulAdd(f, -ctDot(f, axis), axis);
    double length = ctLength(across);
    if (shape->type != ct_shapeLathe || length < 0.5) {
        return ctMulAdd(p, shape->round, ctSub(n, f));
    }
    double z = ctDot(axis, ctSub(p, pose->p)); // on the side of a lathe the point moves around the axis
    ctVec3 centre = ctMulAdd(pose->p, z, axis);
    return ctMulAdd(centre, -ctDistance(p, centre) / length, across);
}

bool ctPair_LevelEdge(const ctWorld *world, int pair, int leaf, ctClosest *c, double *room)
{
    int ends[2] = {world->pairs[pair].a, world->pairs[pair].b}, parts = ctBody_Shape(world, ends[1])->leafCount;
    int leaves[2] = {leaf / parts, leaf % parts};
    for (int k = 1; k >= 0; k--) { // the edge belongs to b, or to a
        Face face;
        ctVec3 n = k == 1 ? c->normal : ctNeg(c->normal), p = k == 1 ? c->pointA : c->pointB;
        if (!findFace(world, ends[k], leaves[k], k == 1 ? c->pointB : c->pointA, n, &face)) {
            continue;
        }
        const ctShape *shape = ctBody_Shape(world, ends[1 - k]);
        ctPose body = ctBody_Pose(world, &world->bodies[ends[1 - k]]);
        ctPose pose = ctShape_PartPose(shape, leaves[1 - k], &body);
        p = turnPoint(shape->leaves[leaves[1 - k]].shape, &pose, p, n, face.n);
        c->distance = ctDot(face.n, p) - face.offset;
        ctVec3 foot = ctMulAdd(p, -c->distance, face.n);
        c->pointA = k == 1 ? p : foot;
        c->pointB = k == 1 ? foot : p;
        c->normal = k == 1 ? face.n : ctNeg(face.n);
        *room = face.room;
        return true;
    }
    return false;
}

bool ctPair_PointOf(const ctWorld *world, int pair, int leaf, const ctManifold *manifold, int k, ctClosest *c)
{
    const ctManifoldPoint *p = &manifold->points[k];
    *c = (ctClosest){.distance = p->gap, .normal = manifold->normal, .pointA = p->pointA, .pointB = p->pointB};
    double room;
    bool leans = world->extras[pair].leafCount > 1 && ctPair_LevelEdge(world, pair, leaf, c, &room);
    return !leans || ctDistance(c->pointB, p->pointB) <= room;
}
