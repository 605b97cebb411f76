#include "tests/support/trajectories.h"

#include <assert.h>

const char *const ctMoverShapeNames[CT_MOVER_SHAPES] = {
    "sphere", "cube",    "plate", "rod",       "brick",  "coin",       "thin coin",
    "drum",   "capsule", "cone",  "ellipsoid", "needle", "hull of 60", "plane",
};

void ctMoverShapes_Create(ctShape *s[CT_MOVER_SHAPES])
{
    ctRandom r = ctRandomSeed(77);
    ctVec3 points[60];
    for (int i = 0; i < 60; i++) {
        points[i] = ctMul(ctV3(0.5, 0.4, 0.3), ctRandomUnit(&r));
    }
    s[0] = ctShape_Sphere(0.5, NULL);
    s[1] = ctShape_Box(ctV3(1, 1, 1), NULL);
    s[2] = ctShape_Box(ctV3(1, 0.8, 0.001), NULL);
    s[3] = ctShape_Box(ctV3(1, 0.02, 0.03), NULL);
    s[4] = ctShape_Box(ctV3(1, 0.6, 0.3), NULL);
    s[5] = ctShape_Cylinder(0.5, 0.07, NULL);
    s[6] = ctShape_Cylinder(0.5, 0.001, NULL);
    s[7] = ctShape_Cylinder(0.3, 0.8, NULL);
    s[8] = ctShape_Capsule(0.2, 0.6, NULL);
    s[9] = ctShape_Cone(0.4, 0.8, NULL);
    s[10] = ctShape_Ellipsoid(ctV3(0.5, 0.35, 0.2), NULL);
    s[11] = ctShape_Ellipsoid(ctV3(0.5, 0.02, 0.02), NULL);
    s[12] = ctShape_Hull(points, 60, NULL);
    s[13] = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
    for (int i = 0; i < CT_MOVER_SHAPES; i++) {
        assert(s[i] != NULL);
    }
}

void ctMoverShapes_Release(ctShape *s[CT_MOVER_SHAPES])
{
    for (int i = 0; i < CT_MOVER_SHAPES; i++) {
        ctShape_Release(s[i]);
    }
}

ctMover ctMover_Random(ctRandom *r, const ctShape *shape)
{
    ctMover m = {.shape = shape, .leaf = ctTransformIdentity(), .q = ctQuatIdentity(), .kind = ct_moverFixed};
    if (shape->type == ct_shapePlane) {
        return m;
    }
    ctMassProperties mass = ctShape_Mass(shape, 1.0);
    m.center = mass.center;
    ctMat3 tensor = mass.inertia;
    m.rho = shape->boundRadius;
    if (ctRandomInt(r, 0, 4) == 0) {
        // A part of some larger body: off its centre, with an inertia that has nothing to do with it.
        m.leaf = ctTransformOf(ctRandomVec3(r, -0.7, 0.7), ctRandomQuat(r));
        m.rho = ctDistance(ctTransformPoint(m.leaf, mass.center), m.center) + shape->boundRadius;
        ctVec3 e = ctRandomVec3(r, 0.1, 1);
        e = ctMul(e, e);
        tensor = ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), ctV3(e.y + e.z, e.z + e.x, e.x + e.y));
    }
    m.inertia = ctInertia_FromTensor(tensor);
    m.q = ctRandomQuat(r);
    return m;
}

ctMover ctMover_At(const ctMover *m, double t)
{
    ctMover s = *m;
    switch (m->kind) {
    case ct_moverFlying:
        ctFly(&m->inertia, &s.x, &s.v, &s.q, &s.w, m->a, t);
        break;
    case ct_moverFixed:
        break;
    case ct_moverKinematic:
        s.x = ctMulAdd(m->x, t, m->v);
        s.q = ctNormalizeQ(ctMulQ(ctQuatExp(ctScale(t, m->w)), m->q));
        break;
    case ct_moverContact: {
        s.x = ctAdd(m->x, ctScale(t, ctMulAdd(m->v, 0.5 * t, m->a)));
        s.v = ctMulAdd(m->v, t, m->a);
        // w grows along alpha; alpha is parallel to w here, so that the rotation has a closed form.
        s.q = ctNormalizeQ(ctMulQ(ctQuatExp(ctScale(t, ctMulAdd(m->w, 0.5 * t, m->alpha))), m->q));
        s.w = ctMulAdd(m->w, t, m->alpha);
        break;
    }
    }
    return s;
}

ctMotion ctMover_Motion(const ctMover *m, double tickEnd)
{
    ctMotion o = {.x = m->x, .v = m->v, .a = m->a, .q = m->q, .w = m->w, .center = m->center};
    o.wMax = ctLength(m->w);
    if (m->kind == ct_moverFlying) {
        ctFlight_Describe(&m->inertia, &o);
    } else if (m->kind == ct_moverContact) {
        o.alphaMax = ctLength(m->alpha);
        o.wMax += o.alphaMax * tickEnd;
    }
    return o;
}

ctPose ctMover_Pose(const ctMover *m)
{
    ctPose body = {ctZero3(), ctMat3FromQuat(m->q)};
    body.p = ctSub(m->x, ctMulMV(body.r, m->center));
    ctPose pose = {ctPosePoint(&body, m->leaf.p), ctMulMM(body.r, ctMat3FromQuat(m->leaf.q))};
    return pose;
}

void ctMoverPair_Closest(const ctMover *a, const ctMover *b, ctGjkCache *cache, ctClosest *closest)
{
    ctPose pa = ctMover_Pose(a), pb = ctMover_Pose(b);
    ctClosestPoints(a->shape, &pa, b->shape, &pb, cache, closest);
}

double ctMoverPair_Bound(const ctMover *a, const ctMover *b, const ctClosest *closest, double horizon, bool *exact)
{
    ctMotion ma = ctMover_Motion(a, horizon), mb = ctMover_Motion(b, horizon);
    ctToiInput in = {.shapeA = a->shape,
                     .shapeB = b->shape,
                     .leafA = a->leaf,
                     .leafB = b->leaf,
                     .motionA = &ma,
                     .motionB = &mb,
                     .closest = closest,
                     .horizon = horizon};
    return ctTimeOfImpactBound(&in, exact);
}

static void launch(ctRandom *r, ctMover *m, ctVec3 towards, double speed)
{
    if (m->shape->type == ct_shapePlane) {
        return;
    }
    m->kind = (ctMoverKind)ctRandomInt(r, 0, 3);
    if (ctRandomInt(r, 0, 1)) {
        m->kind = ct_moverFlying;
    }
    if (m->kind == ct_moverFixed) {
        return;
    }
    ctVec3 aim = ctMulAdd(towards, ctRandomInt(r, 0, 2) == 0 ? 3.0 : 0.5, ctRandomUnit(r));
    m->v = ctScale(speed, ctNormalize(aim));
    double spin = ctRandomInt(r, 0, 3) == 0 ? 0.0 : speed * ctRandomLog(r, 0.01, 30.0);
    m->w = ctScale(spin, ctRandomUnit(r));
    if (m->kind == ct_moverFlying) {
        m->a = ctV3(0, 0, -9.81);
    } else if (m->kind == ct_moverContact) {
        m->a = ctScale(ctRandomLog(r, 0.1, 20.0), ctRandomUnit(r));
        m->alpha = ctScale(ctRandomUniform(r, -1, 1) * speed, m->w);
    }
}

void ctMoverPair_Random(ctRandom *r, const ctShape *a, const ctShape *b, ctMover *ma, ctMover *mb, double *horizon)
{
    *ma = ctMover_Random(r, a);
    *mb = ctMover_Random(r, b);
    ctVec3 u = ctRandomUnit(r);
    if (b->type == ct_shapePlane) {
        u = ctV3(0, 0, 1);
    }
    ma->x = ctScale(ma->rho + mb->rho + 1.0, u);
    ctClosest c;
    double gap = ctRandomInt(r, 0, 2) == 0 ? ctRandomLog(r, 1e-9, 1e-3) : ctRandomLog(r, 1e-4, 1.0);
    for (int i = 0; i < 4; i++) { // slide in along the normal: the closest features may change on the way
        ctMoverPair_Closest(ma, mb, NULL, &c);
        ma->x = ctMulAdd(ma->x, (gap - c.distance), c.normal);
    }
    double speed = ctRandomLog(r, 0.01, 300.0);
    launch(r, ma, ctNeg(c.normal), speed);
    launch(r, mb, c.normal, ctRandomInt(r, 0, 1) ? speed : 0.1 * speed);
    *horizon = ctRandomLog(r, 0.01, 3.0) / speed;
}
