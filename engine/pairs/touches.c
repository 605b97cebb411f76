// The places where two bodies touch, over all pairs of their convex parts.
#include "collision/corners.h"
#include "collision/manifold.h"
#include "collision/separation.h"
#include "engine/pairs/tile_internal.h"

// Where several parts make up one face, those of its points stay that a single face would have. Returns their number.
static int thin(ctTouch *touches, int count, double size)
{
    ctSpot spots[CT_MOST_SPOTS];
    bool keep[CT_MOST_SPOTS];
    int kept = 0;
    if (count < 3 || count > CT_MOST_SPOTS) {
        return count;
    }
    for (int i = 0; i < count; i++) {
        spots[i] = (ctSpot){touches[i].point, touches[i].normal, touches[i].gap};
    }
    ctKeepCorners(spots, count, size, keep);
    for (int i = 0; i < count; i++) {
        if (keep[i]) {
            touches[kept++] = touches[i];
        }
    }
    return kept;
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
    ctPairExtra *extra = &world->extras[index];
    ctBody_Advance(world, pair->a);
    ctBody_Advance(world, pair->b);
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
        if (extra->leafCount > 1 && ctAreApart(leafA->shape, &poseA, leafB->shape, &poseB, n, m, gap)) {
            continue;
        }
        ctManifold manifold = {.count = 0};
        ctCollide(leafA->shape, &poseA, leafB->shape, &poseB, gap, &extra->leaves[i].cache, NULL, &manifold);
        for (int k = 0; k < manifold.count && count < max; k++) {
            ctClosest c;
            if (!ctPair_PointOf(world, index, i, &manifold, k, &c)) {
                continue;
            }
            touches[count++] = (ctTouch){index, c.normal, ctLerp(c.pointA, c.pointB, 0.5),
                                         (uint32_t)(i * CT_MANIFOLD_POINTS + k), c.distance};
        }
    }
    if (extra->leafCount > 1) {
        count = thin(touches, count, ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]));
    }
    ctClosest c;
    if (count == 0 && max > 0 && world->infos[pair->b].tile != NULL) {
        // Triangles leave contacts on their sides to their neighbours; by rounding, all of them may.
        int i = ctPair_Nearest(world, index, &c);
        const ctTile *tile = world->infos[pair->b].tile;
        if (c.distance <= gap &&
            (tile->facet >= 0 || !ctTile_IsTouchedBehind(world, tile, i % tile->count, c.pointB, c.normal))) {
            touches[count++] = (ctTouch){index, c.normal, ctLerp(c.pointA, c.pointB, 0.5),
                                         (uint32_t)(i * CT_MANIFOLD_POINTS), c.distance};
        }
    }
    return count;
}
