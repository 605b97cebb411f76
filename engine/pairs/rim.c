// The flat ends of solids of revolution: which touches are on the rim of one.
//
// A rim that is tilted touches at its lowest place alone. Places beside it, at which manifolds happen to have points,
// are hardly higher, but far enough for another impact: none of them counts.
#include "engine/pairs/pairs.h"

#include "collision/elementary.h"

#include <assert.h>

// [storage] Touches of a pair: no caller asks for more.
enum { MOST = 64 };

// The end of a convex part that a place is on the rim of; the place and the direction are in the part's frame. Its edge
// is a bit inside of where it is drawn where the other body sees it rounded.
static bool findEnd(const ctShape *part, ctVec3 d, ctVec3 p, double near, ctRim *rim)
{
    const ctLathe *l = &part->u.lathe;
    int end = d.z > 0.0 ? l->count - 1 : 0, corner = d.z > 0.0 ? l->outlineCount - 1 : 0;
    double r = ctHypot(p.x, p.y), z = l->outlineZ[corner];
    rim->radius = l->outlineR[corner];
    rim->sine = ctHypot(d.x, d.y);
    if (!(l->r[end] > 0.0) || fabs(p.z - z) > near + part->round || r < l->r[end] - near || r > rim->radius + near) {
        return false;
    }
    double least = rim->sine + 1e-300;
    rim->off = rim->radius * ctHypot(d.x / least - p.x / r, d.y / least - p.y / r);
    rim->centre = ctV3(0.0, 0.0, z);
    rim->end = end > 0;
    return true;
}

bool ctTouch_FindRim(const ctWorld *world, int index, const ctTouch *touch, ctRim *rim)
{
    const ctBodyPair *pair = &world->pairs[touch->pair];
    const ctShape *shape = ctBody_Shape(world, index);
    double near = CT_CLOSED * ctBodies_Size(&world->bodies[pair->a], &world->bodies[pair->b]);
    ctPose whole = ctBody_Pose(world, &world->bodies[index]);
    rim->out = index == pair->a ? ctNeg(touch->normal) : touch->normal;
    for (int i = 0; i < shape->leafCount; i++) {
        const ctShape *part = shape->leaves[i].shape;
        ctPose pose = ctLeaf_Pose(&shape->leaves[i], &whole);
        if (part->type == ct_shapeLathe &&
            findEnd(part, ctMulTMV(pose.r, rim->out), ctInvPosePoint(&pose, touch->point), near, rim)) {
            rim->centre = ctPosePoint(&pose, rim->centre);
            rim->end += 2 * i;
            return true;
        }
    }
    return false;
}

// The same for the rims of one body of a pair.
static int keepLowest(const ctWorld *world, int index, ctTouch *touches, int count)
{
    ctRim rims[MOST];
    bool drop[MOST] = {false};
    int kept = 0;
    assert(count <= MOST);
    for (int i = 0; i < count; i++) {
        bool tilted = ctTouch_FindRim(world, index, &touches[i], &rims[i]) && rims[i].sine >= CT_CLOSED;
        rims[i].end = tilted ? rims[i].end : -1;
    }
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < count && rims[i].end >= 0; k++) {
            bool same = k != i && rims[k].end == rims[i].end;
            bool nearer = rims[k].off < rims[i].off || (k < i && rims[k].off == rims[i].off);
            drop[i] = drop[i] || (same && nearer && rims[k].off < CT_CLOSED * rims[k].radius &&
                                  ctDot(touches[i].normal, touches[k].normal) > 1.0 - CT_EQUAL);
        }
    }
    for (int i = 0; i < count; i++) {
        if (!drop[i]) {
            touches[kept++] = touches[i];
        }
    }
    return kept;
}

int ctTouches_KeepLowest(const ctWorld *world, ctTouch *touches, int count)
{
    for (int k = 0; k < 2 && count > 1; k++) {
        const ctBodyPair *pair = &world->pairs[touches[0].pair];
        count = keepLowest(world, k == 0 ? pair->a : pair->b, touches, count);
    }
    return count;
}
