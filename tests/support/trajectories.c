#include "tests/support/trajectories.h"

#include <assert.h>

const char *const ctMoverShapeNames[CT_MOVER_SHAPES] = {
    "sphere",  "cube", "plate",     "rod",    "brick",      "coin",   "thin coin", "drum",
    "capsule", "cone", "ellipsoid", "needle", "hull of 60", "barrel", "plane",
};

const char *const ctScenarioNames[CT_SCENARIOS] = {
    "mixed", "fast", "spinning", "thin", "grazing", "kinematic", "resting", "compound", "far",
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
    double radius[12], z[12];
    for (int i = 0; i < 12; i++) {
        double angle = 0.15 * CT_PI * (2.0 * i / 11.0 - 1.0);
        radius[i] = 0.5 * cos(angle) - 0.2;
        z[i] = sin(angle);
    }
    s[13] = ctShape_Lathe(radius, z, 12, NULL);
    s[14] = ctShape_Plane(ctV3(0, 0, 1), 0.0, NULL);
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
    m.rho = shape->boundRadius;
    m.inertia = ctInertia_FromTensor(mass.inertia);
    m.q = ctRandomQuat(r);
    return m;
}

// A part of some larger body: off its centre, with an inertia that has nothing to do with it.
static void makePart(ctRandom *r, ctMover *m)
{
    if (m->shape->type == ct_shapePlane) {
        return;
    }
    m->leaf = ctTransformOf(ctRandomVec3(r, -0.7, 0.7), ctRandomQuat(r));
    m->rho = ctDistance(ctTransformPoint(m->leaf, m->shape->unit.center), m->center) + m->shape->boundRadius;
    ctVec3 e = ctRandomVec3(r, 0.1, 1);
    e = ctMul(e, e);
    ctVec3 moments = ctV3(e.y + e.z, e.z + e.x, e.x + e.y);
    if (ctRandomInt(r, 0, 2) == 0) {
        moments.y = moments.x;
        moments.z = fmin(moments.z, 1.9 * moments.x);
    }
    m->inertia = ctInertia_FromTensor(ctRotateDiagonal(ctMat3FromQuat(ctRandomQuat(r)), moments));
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
        ctFlightBounds(&m->inertia, m->q, m->w, &o.wMax, &o.alphaMax);
        ctFlight_Describe(&m->inertia, &o);
    } else if (m->kind == ct_moverContact) {
        o.alpha = m->alpha;
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

void ctMoverPair_Advance(ctMoverPair *pair, double t)
{
    pair->a = ctMover_At(&pair->a, t);
    pair->b = ctMover_At(&pair->b, t);
    pair->horizon -= t;
    ctMoverPair_Closest(&pair->a, &pair->b, &pair->cache, &pair->closest);
}

void ctScenario_Shapes(ctRandom *r, ctScenario scenario, int *a, int *b)
{
    static const int thin[5] = {2, 3, 6, 11, 5};
    *a = ctRandomInt(r, 0, CT_MOVER_SHAPES - 2);
    *b = ctRandomInt(r, 0, CT_MOVER_SHAPES - 1);
    if (scenario == ct_scenarioThin) {
        *a = thin[ctRandomInt(r, 0, 4)];
    } else if (scenario == ct_scenarioKinematic && *b == CT_MOVER_SHAPES - 1) {
        *b = 1; // a moving plane is no motion
    } else if (scenario == ct_scenarioResting && ctRandomInt(r, 0, 1)) {
        *b = CT_MOVER_SHAPES - 1;
    }
}

void ctMoverPair_Place(ctRandom *r, ctScenario scenario, const ctShape *a, const ctShape *b, ctMoverPair *pair)
{
    *pair = (ctMoverPair){.scenario = scenario, .a = ctMover_Random(r, a), .b = ctMover_Random(r, b)};
    if (scenario == ct_scenarioCompound) {
        makePart(r, &pair->a);
        makePart(r, &pair->b);
    } else if (ctRandomInt(r, 0, 9) == 0) {
        makePart(r, &pair->a);
    }
    ctVec3 u = b->type == ct_shapePlane ? ctV3(0, 0, 1) : ctRandomUnit(r);
    if (scenario == ct_scenarioFar && b->type != ct_shapePlane) {
        pair->b.x = ctScale(1e4, ctRandomUnit(r));
    } else if (scenario == ct_scenarioFar) {
        pair->a.x = ctV3(8e3, -6e3, 0);
    }
    pair->a.x = ctAdd(pair->a.x, ctMulAdd(pair->b.x, pair->a.rho + pair->b.rho + 0.1, u));
    ctMoverPair_Closest(&pair->a, &pair->b, &pair->cache, &pair->closest);
}

// Speeds (m/s) and spins (rad/s) of a launch.
typedef struct Pace {
    double speed, spin;
    ctMoverKind kind;
} Pace;

static void launch(ctRandom *r, ctMover *m, ctVec3 towards, Pace pace)
{
    if (m->shape->type == ct_shapePlane || pace.kind == ct_moverFixed) {
        return;
    }
    m->kind = pace.kind;
    ctVec3 aim = ctMulAdd(towards, ctRandomInt(r, 0, 2) == 0 ? 3.0 : 0.5, ctRandomUnit(r));
    m->v = ctScale(pace.speed, ctNormalize(aim));
    m->w = ctScale(pace.spin, ctRandomUnit(r));
    if (m->kind == ct_moverFlying) {
        m->a = ctV3(0, 0, -9.81);
    } else if (m->kind == ct_moverContact) {
        m->a = ctScale(ctRandomLog(r, 0.1, 20.0), ctRandomUnit(r));
        m->alpha = ctScale(ctRandomUniform(r, -1, 1) * pace.speed, m->w);
    }
}

// Half of all movers fly.
static ctMoverKind anyKind(ctRandom *r)
{
    int k = ctRandomInt(r, 0, 5);
    return k < 3 ? ct_moverFlying : (ctMoverKind)(k - 2);
}

static void paceOf(ctRandom *r, ctScenario scenario, Pace *a, Pace *b)
{
    double speed = ctRandomLog(r, 0.01, 300.0);
    *a = (Pace){speed, ctRandomInt(r, 0, 3) == 0 ? 0.0 : speed * ctRandomLog(r, 0.01, 3.0), anyKind(r)};
    *b = (Pace){ctRandomInt(r, 0, 1) ? speed : 0.1 * speed, ctRandomInt(r, 0, 3) == 0 ? 0.0 : speed, anyKind(r)};
    switch (scenario) {
    case ct_scenarioFast:
        a->speed = ctRandomLog(r, 30.0, 3000.0);
        a->spin = fmin(a->spin, 300.0);
        a->kind = ct_moverFlying;
        break;
    case ct_scenarioSpinning:
        a->spin = speed * ctRandomLog(r, 3.0, 100.0);
        b->spin = ctRandomInt(r, 0, 1) ? speed * ctRandomLog(r, 1.0, 30.0) : 0.0;
        a->kind = ctRandomInt(r, 0, 2) == 0 ? ct_moverKinematic : ct_moverFlying;
        break;
    case ct_scenarioThin:
        a->speed = ctRandomLog(r, 1.0, 300.0);
        a->kind = ct_moverFlying;
        break;
    case ct_scenarioKinematic:
        a->kind = ctRandomInt(r, 0, 3) == 0 ? ct_moverFixed : ct_moverFlying;
        b->kind = ct_moverKinematic;
        break;
    case ct_scenarioResting:
        a->speed = ctRandomLog(r, 1e-4, 0.3);
        a->spin = ctRandomInt(r, 0, 1) ? a->speed * ctRandomLog(r, 0.1, 3.0) : 0.0;
        a->kind = ctRandomInt(r, 0, 1) ? ct_moverContact : ct_moverFlying;
        b->kind = ct_moverFixed;
        break;
    default:
        break;
    }
}

// The velocity of a mover's point.
static ctVec3 pointVelocity(const ctMover *m, ctVec3 point)
{
    return m->kind == ct_moverFixed ? ctZero3() : ctAdd(m->v, ctCross(m->w, ctSub(point, m->x)));
}

void ctMoverPair_Launch(ctRandom *r, const ctMoverPair *placed, ctMoverPair *pair)
{
    ctScenario scenario = placed->scenario;
    *pair = *placed;
    ctClosest *c = &pair->closest;
    bool near = scenario == ct_scenarioGrazing || scenario == ct_scenarioResting || ctRandomInt(r, 0, 2) == 0;
    double gap = near ? ctRandomLog(r, 1e-9, 1e-3) : ctRandomLog(r, 1e-4, 1.0);
    // Moved along the normal, the closest points stay the closest points.
    double move = gap - c->distance;
    pair->a.x = ctMulAdd(pair->a.x, move, c->normal);
    c->pointA = ctMulAdd(c->pointA, move, c->normal);
    c->distance = gap;
    Pace a, b;
    paceOf(r, scenario, &a, &b);
    launch(r, &pair->a, ctNeg(c->normal), a);
    launch(r, &pair->b, c->normal, b);
    if (scenario == ct_scenarioGrazing) {
        ctVec3 u = ctSub(pointVelocity(&pair->a, c->pointA), pointVelocity(&pair->b, c->pointB));
        double closing = a.speed * ctRandomLog(r, 1e-8, 1e-2) * (ctRandomInt(r, 0, 1) ? 1.0 : -1.0);
        if (pair->a.kind == ct_moverFixed) {
            pair->a.kind = ct_moverKinematic;
        }
        pair->a.v = ctMulAdd(pair->a.v, -ctDot(u, c->normal) - closing, c->normal);
    }
    double fastest = fmax(fmax(a.speed, b.speed), 0.1 * fmax(a.spin, b.spin));
    pair->horizon = ctRandomLog(r, 0.01, scenario == ct_scenarioGrazing ? 1.0 : 3.0) / fastest;
    if (scenario == ct_scenarioResting) {
        pair->horizon = ctRandomLog(r, 1e-3, 1.0);
    }
}

void ctMoverPair_Random(ctRandom *r, ctScenario scenario, ctShape *const *shapes, ctMoverPair *pair)
{
    int a, b;
    ctScenario_Shapes(r, scenario, &a, &b);
    ctMoverPair placed;
    ctMoverPair_Place(r, scenario, shapes[a], shapes[b], &placed);
    ctMoverPair_Launch(r, &placed, pair);
}
