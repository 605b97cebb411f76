// Compounds: convex parts at poses, in one frame. Parts may overlap; where they do, mass counts twice.
// collision/join.c joins parts that together are convex.
#include "collision/memory.h"
#include "collision/shape_build.h"

static bool checkParts(const ctLeaf *parts, int count, int *leaves, ctError *error)
{
    if (parts == NULL || count < 1) {
        return ctFail(error, ct_badArgument, "a compound needs at least one part");
    }
    long total = 0;
    for (int i = 0; i < count; i++) {
        const ctShape *shape = parts[i].shape;
        const ctTransform *pose = &parts[i].pose;
        if (shape == NULL) {
            return ctFail(error, ct_badArgument, "part %d of the compound has no shape", i + 1);
        }
        if (shape->type == ct_shapePlane) {
            return ctFail(error, ct_badArgument, "part %d of the compound is a plane, which has no volume", i + 1);
        }
        if (shape->type == ct_shapeTerrain) {
            return ctFail(error, ct_badArgument, "part %d of the compound is a terrain, which has no volume", i + 1);
        }
        if (!ctIsFinite3(pose->p) || ctMaxElement(ctAbs(pose->p)) > CT_LENGTH_MAX) {
            return ctFail(error, ct_badArgument, "part %d of the compound has a bad position", i + 1);
        }
        ctQuat q = pose->q;
        double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
        if (!(fabs(norm - 1.0) < 1e-6)) {
            return ctFail(error, ct_badArgument, "part %d of the compound has a rotation that is no unit quaternion",
                          i + 1);
        }
        total += shape->leafCount;
    }
    if (total > CT_COMPOUND_LEAVES) {
        return ctFail(error, ct_limit, "a compound may have %d convex parts, not %ld", CT_COMPOUND_LEAVES, total);
    }
    *leaves = (int)total;
    return true;
}

void ctCompound_SetMass(ctShape *shape, const ctMassProperties *unit)
{
    shape->unit = *unit;
    shape->boundRadius = 0.0;
    for (int i = 0; i < shape->leafCount; i++) {
        ctVec3 center = ctInvTransformPoint(shape->leaves[i].pose, unit->center);
        shape->boundRadius = ctFmax(shape->boundRadius, ctFarthestFrom(shape->leaves[i].shape, center));
    }
}

void ctCompound_Complete(ctShape *shape)
{
    ctPose identity = ctPoseOf(ctTransformIdentity());
    ctVec3 lo, hi;
    ctShape_Bounds(shape, &identity, &lo, &hi);
    ctSetBox(shape, lo, hi);
    shape->round = INFINITY;
    for (int i = 0; i < shape->leafCount; i++) {
        shape->round = ctFmin(shape->round, shape->leaves[i].shape->round);
    }
    ctMassProperties sum = ctMass_Sum(shape->leaves, shape->leafCount);
    ctCompound_SetMass(shape, &sum);
}

ctShape *ctNewCompound(const ctLeaf *parts, int count, ctError *error)
{
    int total = 0;
    if (!checkParts(parts, count, &total, error)) {
        return NULL;
    }
    ctLeaf *leaves = ctAllocate((size_t)total, sizeof *leaves);
    ctShape *shape = leaves != NULL ? ctNewShape(ct_shapeCompound, error) : NULL;
    if (shape == NULL) {
        ctFree(leaves);
        ctFailMemory(error, "a compound");
        return NULL;
    }
    int n = 0;
    for (int i = 0; i < count; i++) {
        ctTransform pose = ctTransformOf(parts[i].pose.p, ctNormalizeQ(parts[i].pose.q));
        for (int j = 0; j < parts[i].shape->leafCount; j++) {
            const ctLeaf *from = &parts[i].shape->leaves[j];
            leaves[n].shape = ctShape_Retain((ctShape *)from->shape);
            leaves[n].pose = ctMulT(pose, from->pose);
            n++;
        }
    }
    shape->leaves = leaves;
    shape->leafCount = n;
    ctCompound_Complete(shape);
    return shape;
}
