// Bullet in double precision, with its own defaults but two: bodies never sleep, and restitution holds at any speed
// (Bullet's threshold of 0.2 m/s would stop small bounces).
#include "tests/validate/peer.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

static_assert(sizeof(btScalar) == sizeof(double), "Bullet in double precision is what is compared");

struct ctPeerWorld {
    btDefaultCollisionConfiguration config;
    btCollisionDispatcher dispatcher{&config};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &config};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    double friction, restitution, dt;
};

static btVector3 vector(ctVec3 v)
{
    return btVector3(v.x, v.y, v.z);
}

static ctVec3 vector(const btVector3 &v)
{
    return ctVec3{v.x(), v.y(), v.z()};
}

static ctPeerWorld *create(ctVec3 gravity, double friction, double restitution, double dt)
{
    ctPeerWorld *w = new ctPeerWorld;
    w->world.setGravity(vector(gravity));
    w->world.getSolverInfo().m_restitutionVelocityThreshold = 0.0;
    // Bullet multiplies the coefficients of the two bodies.
    w->friction = std::sqrt(friction);
    w->restitution = std::sqrt(restitution);
    w->dt = dt;
    return w;
}

static int add(ctPeerWorld *w, btCollisionShape *shape, const ctPeerBody *b)
{
    w->shapes.emplace_back(shape);
    btVector3 inertia = b != nullptr ? vector(b->inertia) : btVector3(0, 0, 0);
    btRigidBody::btRigidBodyConstructionInfo info(b != nullptr ? b->mass : 0.0, nullptr, shape, inertia);
    if (b != nullptr) {
        info.m_startWorldTransform = btTransform(
            btQuaternion(b->orientation.x, b->orientation.y, b->orientation.z, b->orientation.w), vector(b->position));
    }
    btRigidBody *body = new btRigidBody(info);
    w->bodies.emplace_back(body);
    body->setFriction(w->friction);
    body->setRestitution(w->restitution);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (b != nullptr) {
        body->setLinearVelocity(vector(b->velocity));
        body->setAngularVelocity(vector(b->spin));
    }
    w->world.addRigidBody(body);
    return static_cast<int>(w->bodies.size()) - 1;
}

static void ground(ctPeerWorld *w)
{
    add(w, new btStaticPlaneShape(btVector3(0, 0, 1), 0.0), nullptr);
}

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, new btSphereShape(radius), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, new btBoxShape(vector(size) * 0.5), body);
}

static void step(ctPeerWorld *w)
{
    w->world.stepSimulation(w->dt, 0, w->dt);
}

static ctPeerBody state(const ctPeerWorld *w, int index)
{
    const btRigidBody &b = *w->bodies[static_cast<size_t>(index)];
    btQuaternion q = b.getWorldTransform().getRotation();
    ctPeerBody s = {};
    s.position = vector(b.getWorldTransform().getOrigin());
    s.orientation = ctQuat{q.w(), q.x(), q.y(), q.z()};
    s.velocity = vector(b.getLinearVelocity());
    s.spin = vector(b.getAngularVelocity());
    return s;
}

static void destroy(ctPeerWorld *w)
{
    for (auto &b : w->bodies) {
        w->world.removeRigidBody(b.get());
    }
    delete w;
}

extern const ctPeer ctPeerBullet = {"Bullet", create, ground, ball, box, step, state, destroy};
