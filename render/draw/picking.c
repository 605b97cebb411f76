#include "render/draw/picking.h"

#include "collision/shape.h"

#include <math.h>

ctPick ctPick_Body(const ctStage *stage, const ctTransform *poses, ctRay ray)
{
    ctPick pick = {-1, 1e9, ray.origin};
    for (int i = 0; i < stage->count; i++) {
        const ctStageBody *body = &stage->bodies[i];
        ctVec3 origin = ctInvTransformPoint(poses[i], ray.origin), direction = ctInvRotate(poses[i].q, ray.direction);
        // A body is skipped when the ray's line passes outside its bounding ball.
        double along = -ctDot(origin, direction), away = ctLengthSquared(ctMulAdd(origin, along, direction));
        if (!body->plane && away > body->radius * body->radius) {
            continue;
        }
        double t;
        ctVec3 normal;
        if (ctShape_RayCast(body->geometry, origin, direction, pick.t, &t, &normal) && t < pick.t) {
            pick.ordinal = i;
            pick.t = t;
        }
    }
    pick.point = ctMulAdd(ray.origin, pick.t, ray.direction);
    return pick;
}
