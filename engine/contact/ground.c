// Flat ground under a point of contact.
#include "engine/contact/ground.h"

bool ctGround_Find(const ctWorld *world, int index, int leaf, ctVec3 n, ctGround *ground)
{
    const ctBody *body = &world->bodies[index];
    ground->endless = body->plane;
    if (body->plane) {
        ground->n = body->normal;
        ground->offset = body->offset;
        return true;
    }
    const ctShape *shape = ctBody_Shape(world, index);
    if (leaf < 0 || leaf >= shape->leafCount) {
        return false;
    }
    const ctLeaf *part = &shape->leaves[leaf];
    ctPose pose = ctBody_Pose(world, body);
    pose = ctShape_PartPose(shape, leaf, &pose);
    ctPatchOf(part->shape, ctMulTMV(pose.r, n), 0, &ground->patch);
    if (ground->patch.kind < ct_patchPolygon) {
        return false;
    }
    ctPatch_Move(&ground->patch, &pose.r, pose.p);
    ctVec3 on = ground->patch.kind == ct_patchDisc ? ground->patch.centre : ground->patch.p[0];
    ground->n = ground->patch.n;
    ground->offset = ctDot(ground->n, on) + part->shape->round;
    return ctDot(ground->n, n) > 0.999;
}

bool ctGround_Holds(const ctGround *ground, ctVec3 p, double room)
{
    const ctPatch *patch = &ground->patch;
    if (ground->endless) {
        return true;
    }
    if (patch->kind == ct_patchDisc) {
        ctVec3 d = ctSub(p, patch->centre);
        return ctLength(ctMulAdd(d, -ctDot(d, patch->n), patch->n)) + room < patch->radius;
    }
    for (int i = 0; i < patch->count; i++) {
        ctVec3 edge = ctSub(patch->p[i + 1 < patch->count ? i + 1 : 0], patch->p[i]);
        double inward = ctDot(ctCross(patch->n, edge), ctSub(p, patch->p[i]));
        if (!(inward > room * ctLength(edge))) {
            return false;
        }
    }
    return true;
}

// Whether a point is on an edge of a box, and farther than room from the ends of the edge, there and at the end of the
// way.
static bool staysOnEdge(const ctLeaf *part, const ctPose *body, ctVec3 point, ctVec3 way, double room)
{
    if (part->shape->type != ct_shapeBox) {
        return false;
    }
    ctPose pose = ctLeaf_Pose(part, body);
    ctVec3 p = ctAbs(ctInvPosePoint(&pose, point)), q = ctAbs(ctInvPosePoint(&pose, ctAdd(point, way)));
    ctVec3 half = part->shape->u.half;
    const double inside[3][2] = {
        {half.x - p.x, half.x - q.x}, {half.y - p.y, half.y - q.y}, {half.z - p.z, half.z - q.z}};
    int out = 0;
    for (int i = 0; i < 3; i++) {
        if (inside[i][0] <= CT_EQUAL * part->shape->size) {
            out++;
        } else if (!(inside[i][0] > room && inside[i][1] > room)) {
            return false;
        }
    }
    return out == 2;
}

bool ctContact_StaysOnGround(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                             ctVec3 way, double room)
{
    if (world->bodies[record->b].mode != ct_modeFixed) {
        return false;
    }
    ctGround ground;
    const ctShape *shapeA = ctBody_Shape(world, record->a), *shapeB = ctBody_Shape(world, record->b);
    int leafA = (int)point->leaf / shapeB->leafCount, leafB = (int)point->leaf % shapeB->leafCount;
    if (ctGround_Find(world, record->b, leafB, point->n, &ground) && ctGround_Holds(&ground, point->pointB, room) &&
        ctGround_Holds(&ground, ctAdd(point->pointB, way), room)) {
        return true;
    }
    ctPose pose = ctBody_Pose(world, &world->bodies[record->b]);
    return !world->bodies[record->b].plane && ctContact_IsSmooth(shapeA->leaves[leafA].shape) &&
           staysOnEdge(&shapeB->leaves[leafB], &pose, point->pointB, way, room);
}
