// The box of the shadow map: along the sun's rays, around the bodies near the camera's target.
//
// A shadow lies behind its caster along the sun's rays. The box therefore needs to contain the casters only. Its first
// axis lies along the world's x, since most scenes are built along x and y: the box of a bowling lane is as narrow as
// the lane, which makes its shadows fine.
#include "render/draw/renderer_internal.h"

#include "collision/quat.h"

#include <math.h>

#define REACH 1.6       // times the distance to the target: bodies farther from the target cast no shadow
#define FULL 0.84       // of the box's half sides; shadows fade from there to its border (light.glsl)
#define STEPS 4.0       // number of sizes of the box per doubling
#define LEAST 1e-4      // m, half a side
#define NARROWEST 0.125 // of the longer side: a narrower box makes no visible difference

const ctVec3 ct_sunDirection = {-0.48, -0.44, 0.7588807548};

typedef struct span {
    double lo, hi; // m along an axis
} span;

// The extent of a body's box along an axis.
static span spanOf(const ctRenderer *r, int instance, ctVec3 axis)
{
    const ctInstance *i = &r->instances[instance];
    const ctMeshRange *range = &r->meshes.ranges[r->groupOf[instance] / CT_PATTERNS];
    ctQuat q = {(double)i->turn[3], (double)i->turn[0], (double)i->turn[1], (double)i->turn[2]};
    ctVec3 a = ctInvRotate(q, axis);
    const double along[3] = {a.x, a.y, a.z};
    double middle = ctDot(ctV3((double)i->place[0], (double)i->place[1], (double)i->place[2]), axis), half = 0.0;
    for (int k = 0; k < 3; k++) {
        double lo = (double)(range->lo[k] * i->scale[k]), hi = (double)(range->hi[k] * i->scale[k]);
        middle += along[k] * 0.5 * (lo + hi);
        half += fabs(along[k]) * 0.5 * fabs(hi - lo);
    }
    return (span){middle - half, middle + half};
}

// The extents of all bodies within reach of the target.
static void findCasters(const ctRenderer *r, const ctVec3 axes[2], double reach, span spans[2])
{
    span near[2];
    for (int k = 0; k < 2; k++) {
        double target = ctDot(r->view.target, axes[k]);
        near[k] = (span){target - reach, target + reach};
        spans[k] = (span){near[k].hi, near[k].lo};
    }
    for (int i = 0; i < r->instanceCount; i++) {
        span s[2] = {spanOf(r, i, axes[0]), spanOf(r, i, axes[1])};
        if (s[0].lo > near[0].hi || s[0].hi < near[0].lo || s[1].lo > near[1].hi || s[1].hi < near[1].lo) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            spans[k].lo = fmin(spans[k].lo, fmax(s[k].lo, near[k].lo));
            spans[k].hi = fmax(spans[k].hi, fmin(s[k].hi, near[k].hi));
        }
    }
}

// The size changes in steps and the centre by whole texels, so that the edges of shadows do not flicker when bodies
// move.
void ctRenderer_ShadowBox(const ctRenderer *r, float matrix[16], double *texel)
{
    const ctVec3 sun = ct_sunDirection, x = ctNormalize(ctMulAdd(ctV3(1.0, 0.0, 0.0), -sun.x, sun));
    const ctVec3 axes[2] = {x, ctCross(sun, x)};
    double reach = fmin(r->extent, REACH * ctDistance(r->view.eye, r->view.target)), middle[2], half[2];
    span spans[2];
    findCasters(r, axes, reach, spans);
    for (int k = 0; k < 2; k++) {
        half[k] = fmax(0.5 * (spans[k].hi - spans[k].lo) / FULL, LEAST);
    }
    double longer = fmax(half[0], half[1]);
    *texel = 0.0;
    for (int k = 0; k < 2; k++) {
        half[k] = exp2(ceil(STEPS * log2(fmax(half[k], NARROWEST * longer))) / STEPS);
        double t = 2.0 * half[k] / r->shadowSize;
        double origin = ctDot(r->origin, axes[k]);
        middle[k] = floor((0.5 * (spans[k].lo + spans[k].hi) + origin) / t) * t - origin;
        *texel = fmax(*texel, t);
    }
    double radius = fmax(half[0], half[1]), depth = 3.0 * fmax(radius, fmin(r->extent, 4.0 * radius));
    const ctVec3 rows[3] = {ctScale(1.0 / half[0], axes[0]), ctScale(1.0 / half[1], axes[1]),
                            ctScale(-1.0 / depth, sun)};
    const double shift[3] = {-middle[0] / half[0], -middle[1] / half[1], ctDot(r->view.target, sun) / depth};
    for (int i = 0; i < 3; i++) {
        matrix[i] = (float)rows[i].x;
        matrix[4 + i] = (float)rows[i].y;
        matrix[8 + i] = (float)rows[i].z;
        matrix[12 + i] = (float)shift[i];
        matrix[4 * i + 3] = 0.0f;
    }
    matrix[15] = 1.0f;
}
