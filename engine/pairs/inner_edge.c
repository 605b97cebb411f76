// Inner edges of a compound: they are not edges of the body.
//
// Where two boxes of a compound lie flush, side by side, the edge between them is inside the common face. But closest
// points are found for each part on its own. Another body that slides towards the seam is then near the rounded edge of
// the next part, with a normal that leans against the motion. It overlaps that edge by as much as contact leaves, and
// would be struck at the seam. Therefore such a normal is replaced by the normal of the common face. A point whose
// place on the common face belongs to the other part is left to that part.
#include "collision/support.h"
#include "engine/pairs/pairs.h"

#include "engine/pairs/tunables.h"

// Slope: a part that rises less steeply above the plane of contact is flush. A point on an edge leans by no more.
#define RISE (2.0 * CT_CLOSED)
// [rounding] A normal whose component along the face normal is smaller is parallel to the face: it leans over no edge.
#define GLANCING 1e-3

ctBeside ctBesideBox(const ctShape *box, ctVec3 p, ctVec3 n, double near)
{
    ctVec3 hi = box->hi, top = ctV3(copysign(hi.x, n.x), copysign(hi.y, n.y), copysign(hi.z, n.z));
    double outside = ctDistance(p, ctMax(box->lo, ctMin(hi, p))), rise = ctDot(n, ctSub(top, p)),
           away = ctDistance(top, p);
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
        if (i != leaf && other->type == ct_shapeBox &&
            ctBesideBox(other, ctInvPosePoint(&pose, point), ctMulTMV(pose.r, n), near) == ct_besideFlush) {
            return true;
        }
    }
    return false;
}

// Finds the face of a part at whose edge the point p is. True if the normal n leans over that edge and the face of
// another part continues beyond the edge.
static bool findFace(const ctWorld *world, int index, int leaf, ctVec3 p, ctVec3 n, Face *face)
{
    const ctShape *shape = ctBody_Shape(world, index), *own = shape->leaves[leaf].shape;
    if (shape->leafCount < 2 || own->type != ct_shapeBox || world->infos[index].tile != NULL) {
        return false;
    }
    ctPose body = ctBody_Pose(world, &world->bodies[index]), part = ctShape_PartPose(shape, leaf, &body);
    ctVec3 m = ctMulTMV(part.r, n), q = ctInvPosePoint(&part, p);
    const ctVec3 axes[3] = {part.r.cx, part.r.cy, part.r.cz};
    const double along[3] = {m.x, m.y, m.z}, high[3] = {own->hi.x, own->hi.y, own->hi.z}, at[3] = {q.x, q.y, q.z};
    double near = CT_CLOSED * own->size, room = 4.0 * near + 2.0 * own->round;
    for (int k = 0; k < 3; k++) {
        if (fabs(along[k]) < GLANCING || fabs(along[k]) > 1.0 - 1e-12) {
            continue;
        }
        double side = copysign(1.0, along[k]);
        ctVec3 f = ctScale(side, axes[k]), on = ctMulAdd(p, high[k] - side * at[k], f);
        ctVec3 over = ctNormalize(ctMulAdd(n, -ctDot(n, f), f));
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
