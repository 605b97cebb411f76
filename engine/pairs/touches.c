// The places where two bodies touch, over all pairs of their convex parts.
#include "collision/corners.h"
#include "collision/manifold.h"
#include "collision/separation.h"
#include "engine/pairs/tile_internal.h"

#include <string.h>

// Where several parts make up one face, those of its points stay that a single face would have, within the gap (m).
// Returns their number.
static int thin(ctTouch *touches, int count, double cosine, double size, double gap)
{
    ctSpot spots[CT_MOST_SPOTS];
    bool keep[CT_MOST_SPOTS];
    int kept = 0;
    for (int i = 0; i < count; i++) {
        spots[i] = (ctSpot){touches[i].point, touches[i].normal, touches[i].gap};
    }
    ctKeepCorners(spots, count, cosine, size, keep);
    for (int i = 0; i < count; i++) {
        if (keep[i] && touches[i].gap <= gap) {
            touches[kept++] = touches[i];
        }
    }
    return kept;
}

// Adds the points of a pair of parts; with all those beyond the gap if there is one within it, where parts may make up
// one face. Returns the number of touches then.
static int addParts(ctWorld *world, int index, int i, const ctPose *poseA, const ctPose *poseB, double gap,
                    ctTouch *touches, int count, int max)
{
    const ctBodyPair *pair = &world->pairs[index];
    const ctShape *shapeB = ctBody_Shape(world, pair->b), *b = shapeB->leaves[i % shapeB->leafCount].shape;
    const ctShape *a = ctBody_Shape(world, pair->a)->leaves[i / shapeB->leafCount].shape;
    ctManifold manifold = {.count = 0};
    ctWholeManifold whole;
    whole.count = 0;
    bool faces = ctPair_HasFaces(world, index, a, b), face = ctPair_HasFace(world, index, a, b);
    ctManifoldKeep keep = {.whole = &whole, .within = face};
    ctCollide(a, poseA, b, poseB, gap, &world->extras[index].leaves[i].cache, faces || face ? &keep : NULL, &manifold);
    faces = faces || (whole.count > 0 && whole.count <= CT_FACE_POINTS);
    int found = faces ? whole.count : manifold.count;
    for (int k = 0; k < found && count < max; k++) {
        const ctManifoldPoint *p = faces ? &whole.points[k] : &manifold.points[k];
        ctClosest c;
        if (ctPair_PointOf(world, index, i, p, manifold.normal, &c)) {
            touches[count++] = (ctTouch){index, c.normal, ctLerp(c.pointA, c.pointB, 0.5),
                                         (uint32_t)(i * CT_WHOLE_POINTS + k), c.distance};
        }
    }
    return count;
}

// The touches of all pairs of parts.
static int addAll(ctWorld *world, int index, double gap, ctTouch *touches, int max)
{
    const ctBodyPair *pair = &world->pairs[index];
    ctPairExtra *extra = &world->extras[index];
    const ctShape *shapeA = ctBody_Shape(world, pair->a), *shapeB = ctBody_Shape(world, pair->b);
    ctPose a = ctBody_Pose(world, &world->bodies[pair->a]), b = ctBody_Pose(world, &world->bodies[pair->b]);
    int count = 0;
    ctNearby near = {.tile = false};
    for (int i = 0; i < extra->leafCount; i++) {
        const ctLeaf *leafA = &shapeA->leaves[i / shapeB->leafCount], *leafB = &shapeB->leaves[i % shapeB->leafCount];
        ctPose poseA = ctLeaf_Pose(leafA, &a);
        if (i % shapeB->leafCount == 0) {
            near = ctTile_Nearby(world, pair->b, &b, leafA->shape, &poseA, gap);
        }
        if (ctNearby_LeavesOut(&near, leafB->shape)) {
            continue;
        }
        ctPose poseB = ctLeaf_Pose(leafB, &b);
        ctVec3 n = extra->leaves[i].normal, m = extra->leaves[extra->closest].normal;
        if (extra->leafCount == 1 || !ctAreApart(leafA->shape, &poseA, leafB->shape, &poseB, n, m, gap)) {
            count = addParts(world, index, i, &poseA, &poseB, gap, touches, count, max);
        }
    }
    return count;
}

// The touches of two bodies of several parts, of which several may make up one face.
static int addWhole(ctWorld *world, int index, double gap, ctTouch *touches, int max)
{
    const ctBodyPair *pair = &world->pairs[index];
    ctTouch all[CT_MOST_SPOTS];
    int found = addAll(world, index, gap, all, CT_MOST_SPOTS);
    double size = ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    found = thin(all, found, ctPair_FaceCosine(world, index), size, gap);
    found = found < max ? found : max;
    memcpy(touches, all, (size_t)found * sizeof *all);
    return found;
}

int ctPair_Touches(ctWorld *world, int index, double gap, ctTouch *touches, int max)
{
    const ctBodyPair *pair = &world->pairs[index];
    if (pair->kind != ct_pairGeneral) {
        ctPairLook look;
        ctPair_Look(world, index, &look);
        if (look.distance > gap || max < 1) {
            return 0;
        }
        touches[0] = (ctTouch){index, look.normal, ctLerp(look.pointA, look.pointB, 0.5), 0, look.distance};
        return 1;
    }
    ctBody_Advance(world, pair->a);
    ctBody_Advance(world, pair->b);
    bool many = world->extras[index].leafCount > 1;
    int count = many ? addWhole(world, index, gap, touches, max) : addAll(world, index, gap, touches, max);
    ctClosest c;
    if (count == 0 && max > 0 && world->infos[pair->b].tile != NULL) {
        // Triangles leave contacts on their sides to their neighbours; by rounding, all of them may.
        int i = ctPair_Nearest(world, index, &c);
        const ctTile *tile = world->infos[pair->b].tile;
        if (c.distance <= gap &&
            (tile->facet >= 0 || !ctTile_IsTouchedBehind(world, tile, i % tile->count, c.pointB, c.normal))) {
            touches[count++] = (ctTouch){index, c.normal, ctLerp(c.pointA, c.pointB, 0.5),
                                         (uint32_t)(i * CT_WHOLE_POINTS), c.distance};
        }
    }
    return count;
}
