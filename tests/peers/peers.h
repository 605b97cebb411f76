// Other libraries' closest-point code behind a plain C interface, for comparison only.
//
// A peer shape is the core of one of ours (a point for a sphere, a segment for a capsule), so that both
// sides measure the same solids: distances between cores.
#ifndef CT_TEST_PEERS_H
#define CT_TEST_PEERS_H

#include "collision/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctBulletShape ctBulletShape;

// Boxes, hulls, spheres and capsules; NULL for other types. Bullet is in double precision.
ctBulletShape *ctBullet_Create(const ctShape *shape);
void ctBullet_Destroy(ctBulletShape *shape);
// GJK as its collision world calls it. axis is the separating axis kept between calls (zero at first).
double ctBullet_Distance(const ctBulletShape *a, const ctPose *poseA, const ctBulletShape *b, const ctPose *poseB,
                         ctVec3 *axis);

// The depth of cores that meet: the same with the expanding polytope algorithm after it.
double ctBullet_Depth(const ctBulletShape *a, const ctPose *poseA, const ctBulletShape *b, const ctPose *poseB);

// libccd reports whether two cores meet; distances are not part of its interface. Boxes, hulls, spheres
// and capsules.
bool ctCcd_Meet(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb);
// The same for spheres and capsules with their radius.
bool ctCcd_SurfacesMeet(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb);
// The depth when they do; negative when libccd finds none.
double ctCcd_Depth(const ctShape *a, const ctTransform *ta, const ctShape *b, const ctTransform *tb);

// A ball falls on a plane, simulated from C++; the number of impacts in two seconds, or -1.
int ctCallFromCpp(double height, double *firstImpact);

#ifdef __cplusplus
}
#endif

#endif
