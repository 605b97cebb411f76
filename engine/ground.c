// Flat ground under a point of contact.
#include "engine/ground.h"

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
    if (shape->leafCount > 1) {
        pose = (ctPose){ctPosePoint(&pose, part->pose.p), ctMulMM(pose.r, ctMat3FromQuat(part->pose.q))};
    }
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

bool ctContact_StaysOnFace(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point, ctVec3 way,
                           double room)
{
    ctGround ground;
    int leaf = (int)point->leaf % ctBody_Shape(world, record->b)->leafCount;
    return world->bodies[record->b].mode == ct_modeFixed && ctGround_Find(world, record->b, leaf, point->n, &ground) &&
           ctGround_Holds(&ground, point->pointB, room) && ctGround_Holds(&ground, ctAdd(point->pointB, way), room);
}
