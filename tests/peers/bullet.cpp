#include "tests/peers/peers.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <memory>

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision is what is compared");

struct ctBulletShape {
    std::unique_ptr<btConvexShape> shape;
};

static btVector3 vector(ctVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

static btTransform transform(const ctPose *p)
{
    const ctMat3 &r = p->r;
    return btTransform(btMatrix3x3(r.cx.x, r.cy.x, r.cz.x, r.cx.y, r.cy.y, r.cz.y, r.cx.z, r.cy.z, r.cz.z),
                       vector(p->p));
}

ctBulletShape *ctBullet_Create(const ctShape *shape)
{
    std::unique_ptr<btConvexShape> made;
    if (shape->type == ct_shapeBox) {
        made.reset(new btBoxShape(vector(shape->u.half)));
    } else if (shape->type == ct_shapeHull) {
        btConvexHullShape *hull = new btConvexHullShape();
        for (int i = 0; i < shape->u.hull.vertexCount; i++) {
            hull->addPoint(vector(shape->u.hull.vertices[i]), false);
        }
        hull->recalcLocalAabb();
        made.reset(hull);
    } else if (shape->type == ct_shapeSphere || shape->type == ct_shapeCapsule) {
        double h = shape->type == ct_shapeCapsule ? shape->u.halfHeight : 0.0;
        btConvexHullShape *hull = new btConvexHullShape();
        hull->addPoint(btVector3(0, 0, -h), false);
        hull->addPoint(btVector3(0, 0, h), false);
        hull->recalcLocalAabb();
        made.reset(hull);
    } else {
        return nullptr;
    }
    made->setMargin(0.0);
    return new ctBulletShape{std::move(made)};
}

void ctBullet_Destroy(ctBulletShape *shape)
{
    delete shape;
}

static double measure(const ctBulletShape *a, const ctPose *poseA, const ctBulletShape *b, const ctPose *poseB,
                      btConvexPenetrationDepthSolver *depths, ctVec3 *axis)
{
    btVoronoiSimplexSolver simplex;
    btGjkPairDetector detector(a->shape.get(), b->shape.get(), &simplex, depths);
    if (ctLengthSquared(*axis) > 0.0) {
        detector.setCachedSeparatingAxis(vector(*axis));
    }
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform(poseA);
    input.m_transformB = transform(poseB);
    btPointCollector result;
    detector.getClosestPointsNonVirtual(input, result, nullptr);
    const btVector3 &kept = detector.getCachedSeparatingAxis();
    *axis = ctV3(kept.x(), kept.y(), kept.z());
    return result.m_hasResult ? result.m_distance : 0.0;
}

double ctBullet_Distance(const ctBulletShape *a, const ctPose *poseA, const ctBulletShape *b, const ctPose *poseB,
                         ctVec3 *axis)
{
    return measure(a, poseA, b, poseB, nullptr, axis);
}

double ctBullet_Depth(const ctBulletShape *a, const ctPose *poseA, const ctBulletShape *b, const ctPose *poseB)
{
    btGjkEpaPenetrationDepthSolver depths;
    ctVec3 axis = ctZero3();
    return -measure(a, poseA, b, poseB, &depths, &axis);
}
