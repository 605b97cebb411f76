#include "collision/support.h"
#include "tests/peers/peers.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>

typedef struct Body {
    const ctShape *shape;
    ctTransform pose;
    double round; // swept over the core, m
    int code;     // where a large hull's search starts
} Body;

static void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *point)
{
    Body *body = (Body *)object;
    ctVec3 d = ctInvRotate(body->pose.q, ctV3(direction->v[0], direction->v[1], direction->v[2]));
    ctVec3 p = ctCoreSupport(body->shape, d, &body->code);
    if (body->round > 0.0) {
        p = ctMulAdd(p, body->round / ctLength(d), d);
    }
    p = ctTransformPoint(body->pose, p);
    ccdVec3Set(point, p.x, p.y, p.z);
}

static void center(const void *object, ccd_vec3_t *point)
{
    const Body *body = object;
    ccdVec3Set(point, body->pose.p.x, body->pose.p.y, body->pose.p.z);
}

static ccd_t settings(void)
{
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = center;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-10;
    return ccd;
}

bool ctCcd_Meet(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb)
{
    ccd_t ccd = settings();
    Body first = {a, *ta, 0.0, 0}, second = {b, *tb, 0.0, 0};
    return ccdGJKIntersect(&first, &second, &ccd) != 0;
}

bool ctCcd_SurfacesMeet(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb)
{
    ccd_t ccd = settings();
    Body first = {a, *ta, a->type <= ct_shapeCapsule ? a->round : 0.0, 0};
    Body second = {b, *tb, b->type <= ct_shapeCapsule ? b->round : 0.0, 0};
    return ccdGJKIntersect(&first, &second, &ccd) != 0;
}

double ctCcd_Depth(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb)
{
    ccd_t ccd = settings();
    Body first = {a, *ta, 0.0, 0}, second = {b, *tb, 0.0, 0};
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction, position;
    return ccdGJKPenetration(&first, &second, &ccd, &depth, &direction, &position) == 0 ? depth : -1.0;
}
