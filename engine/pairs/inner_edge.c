// Inner edges of a compound: they are not edges of the body.
//
// Where two boxes or hulls of a compound lie flush, side by side, the edge between them is inside the common face. But
// closest points are found for each part on its own. Another body that slides towards the seam is then near the rounded
// edge of the next part, with a normal that leans against the motion. It overlaps that edge by as much as contact
// leaves, and would be struck at the seam. Therefore such a normal is replaced by the normal of the common face. A
// point whose place on the common face belongs to the other part is left to that part.
#include "collision/corners.h"
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

bool ctPair_HasFaces(const ctWorld *world, int pair, const ctShape *a, const ctShape *b)
{
    return world->extras[pair].leafCount > 1 && world->infos[world->pairs[pair].b].tile == NULL && ctHasFlatFaces(a) &&
           (ctHasFlatFaces(b) || b->type == ct_shapePlane);
}

bool ctPair_HasFace(const ctWorld *world, int pair, const ctShape *a, const ctShape *b)
{
    return world->extras[pair].leafCount == 1 && ctHasFlatFaces(a) && (ctHasFlatFaces(b) || b->type == ct_shapePlane);
}

double ctPair_FaceCosine(const ctWorld *world, int pair)
{
    return world->infos[world->pairs[pair].b].tile != NULL ? CT_FACE_OF_TERRAIN : CT_FACE_OF_SOLIDS;
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

// Whether a point is in another part of the body than this leaf, or no farther from it than near (m).
static bool isInOther(const ctShape *shape, const ctPose *body, int leaf, ctVec3 point, double near)
{
    bool found = false;
    for (int i = 0; i < shape->leafCount && !found; i++) {
        const ctShape *other = shape->leaves[i].shape;
        if (i != leaf && ctHasFlatFaces(other)) {
            ctPose pose = ctShape_PartPose(shape, i, body);
            ctVec3 q = ctInvPosePoint(&pose, point), top;
            double outside = ctDistance(q, ctMax(other->lo, ctMin(other->hi, q)));
            bool hull = outside <= near && other->type == ct_shapeHull;
            found = (hull ? outsideHull(&other->u.hull, other->round, q, q, &top) : outside) <= near;
        }
    }
    return found;
}

// [storage] Faces of a part at a corner that are looked at.
enum { AROUND = 8 };

// The faces of a part at a point q, in its frame: their normals. Returns their number.
static int facesAround(const ctShape *part, ctVec3 q, double near, ctVec3 normals[AROUND])
{
    int count = 0, all = part->type == ct_shapeBox ? 6 : part->u.hull.faceCount;
    for (int k = 0; k < all && count < AROUND; k++) {
        double offset, side = k < 3 ? 1.0 : -1.0;
        bool box = part->type == ct_shapeBox;
        ctVec3 n = faceTowards(part, box ? k % 3 : k, ctV3(side, side, side), &offset);
        if (offset - ctDot(n, q) <= near) {
            normals[count++] = n;
        }
    }
    return count;
}

// Whether a corner of a part lies within a straight edge or a flat face of the body: one of the edges that meet there
// goes on in another part. Such a corner touches no flat face before its neighbours do.
static bool isWithin(const ctWorld *world, int index, int leaf, ctVec3 p)
{
    const ctShape *shape = ctBody_Shape(world, index), *own = shape->leaves[leaf].shape;
    if (shape->leafCount < 2 || !ctHasFlatFaces(own) || world->infos[index].tile != NULL) {
        return false;
    }
    ctPose body = ctBody_Pose(world, &world->bodies[index]), part = ctShape_PartPose(shape, leaf, &body);
    ctVec3 normals[AROUND], q = ctInvPosePoint(&part, p);
    double near = CT_CLOSED * own->size;
    int count = facesAround(own, q, near, normals);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            ctVec3 edge = ctNormalize(ctCross(normals[i], normals[j]));
            double rises = 0.0, falls = 0.0;
            for (int k = 0; k < count; k++) {
                rises = ctFmax(rises, ctDot(normals[k], edge));
                falls = ctFmax(falls, -ctDot(normals[k], edge));
            }
            // From the corner the edge goes into the part; the other way it is outside.
            ctVec3 out = rises > falls ? edge : ctNeg(edge);
            bool is = ctFmin(rises, falls) < GLANCING && ctFmax(rises, falls) > GLANCING;
            if (is && isInOther(shape, &body, leaf, ctMulAdd(p, 4.0 * near, ctMulMV(part.r, out)), near)) {
                return true;
            }
        }
    }
    return false;
}

// Whether a convex shape has a flat face with the outward normal n (in the world): what it touches there leans over no
// edge, however the other body is tilted.
static bool hasFace(const ctShape *part, const ctPose *pose, ctVec3 n)
{
    if (part->type == ct_shapePlane) {
        return true;
    }
    ctVec3 m = ctMulTMV(pose->r, n);
    bool found = false;
    for (int k = 0; ctHasFlatFaces(part) && k < faceCount(part) && !found; k++) {
        double offset;
        found = ctDot(faceTowards(part, k, m, &offset), m) > 1.0 - 1e-12;
    }
    return found;
}

// What a point of a part is: nothing special; on an edge inside of a face; or such a point under a flat face of the
// other body, which others touch first.
typedef enum Inner { innerNot, innerEdge, innerUnderFace } Inner;

static Inner levelEdge(const ctWorld *world, int pair, int leaf, ctClosest *c, double *room)
{
    int ends[2] = {world->pairs[pair].a, world->pairs[pair].b}, parts = ctBody_Shape(world, ends[1])->leafCount;
    int leaves[2] = {leaf / parts, leaf % parts};
    for (int k = 1; k >= 0; k--) { // the edge belongs to b, or to a
        Face face;
        ctVec3 n = k == 1 ? c->normal : ctNeg(c->normal), p = k == 1 ? c->pointA : c->pointB;
        ctVec3 at = k == 1 ? c->pointB : c->pointA;
        const ctShape *shape = ctBody_Shape(world, ends[1 - k]), *other = shape->leaves[leaves[1 - k]].shape;
        ctPose body = ctBody_Pose(world, &world->bodies[ends[1 - k]]);
        ctPose pose = ctShape_PartPose(shape, leaves[1 - k], &body);
        if (hasFace(other, &pose, ctNeg(n))) {
            if (isWithin(world, ends[k], leaves[k], at)) {
                return innerUnderFace;
            }
            continue;
        }
        if (!findFace(world, ends[k], leaves[k], at, n, &face)) {
            continue;
        }
        p = turnPoint(other, &pose, p, n, face.n);
        c->distance = ctDot(face.n, p) - face.offset;
        ctVec3 foot = ctMulAdd(p, -c->distance, face.n);
        c->pointA = k == 1 ? p : foot;
        c->pointB = k == 1 ? foot : p;
        c->normal = k == 1 ? face.n : ctNeg(face.n);
        *room = face.room;
        return innerEdge;
    }
    return innerNot;
}

void ctPair_LevelEdge(const ctWorld *world, int pair, int leaf, ctClosest *c)
{
    double room;
    levelEdge(world, pair, leaf, c, &room);
}

bool ctPair_PointOf(const ctWorld *world, int pair, int leaf, const ctManifoldPoint *p, ctVec3 normal, ctClosest *c)
{
    *c = (ctClosest){.distance = p->gap, .normal = normal, .pointA = p->pointA, .pointB = p->pointB};
    double room;
    Inner inner = world->extras[pair].leafCount > 1 ? levelEdge(world, pair, leaf, c, &room) : innerNot;
    return inner == innerNot || (inner == innerEdge && ctDistance(c->pointB, p->pointB) <= room);
}
