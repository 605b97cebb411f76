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
    std::vector<btVector3> forces;
    double friction, restitution, dt;
    double groundShare = 1.0; // the ground's friction over that of bodies
    btRigidBody *table = nullptr;
    double tableSpin = 0.0, tableAngle = 0.0;
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
    body->setFriction(b == nullptr ? w->groundShare * w->friction : w->friction);
    body->setRestitution(w->restitution);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (b != nullptr) {
        body->setLinearVelocity(vector(b->velocity));
        body->setAngularVelocity(vector(b->spin));
    }
    w->forces.emplace_back(0.0, 0.0, 0.0);
    w->world.addRigidBody(body);
    return static_cast<int>(w->bodies.size()) - 1;
}

static void ground(ctPeerWorld *w)
{
    add(w, new btStaticPlaneShape(btVector3(0, 0, 1), 0.0), nullptr);
}

static void wall(ctPeerWorld *w, ctVec3 normal, double offset)
{
    add(w, new btStaticPlaneShape(vector(normal), offset), nullptr);
}

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, new btSphereShape(radius), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, new btBoxShape(vector(size) * 0.5), body);
}

static int prism(ctPeerWorld *w, int sides, double radius, double length, const ctPeerBody *body)
{
    ctVec3 corners[2 * CT_PRISM_SIDES];
    int count = ctPrism_Corners(sides, radius, length, corners);
    btConvexHullShape *hull = new btConvexHullShape;
    hull->setMargin(0.0); // it would be added to the corners
    for (int i = 0; i < count; i++) {
        hull->addPoint(vector(corners[i]), i == count - 1);
    }
    return add(w, hull, body);
}

// Bullet takes the velocity of a kinematic body from its poses.
static void turntable(ctPeerWorld *w, double spin)
{
    int index = add(w, new btBoxShape(btVector3(2.0, 2.0, 0.05)), nullptr);
    w->table = w->bodies[static_cast<size_t>(index)].get();
    w->table->setCollisionFlags(w->table->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    w->tableSpin = spin;
    btTransform pose(btQuaternion(0, 0, 0, 1), btVector3(0, 0, -0.05));
    w->table->setWorldTransform(pose);
    w->table->setInterpolationWorldTransform(pose);
}

static void groundFriction(ctPeerWorld *w, double friction)
{
    if (w->friction == 0.0) {
        w->friction = 1e-3; // the product of two is 10^-6
    }
    w->groundShare = friction / (w->friction * w->friction);
}

static void push(ctPeerWorld *w, int body, ctVec3 force)
{
    w->forces[static_cast<size_t>(body)] = vector(force);
}

static void step(ctPeerWorld *w)
{
    for (size_t i = 0; i < w->bodies.size(); i++) {
        w->bodies[i]->applyCentralForce(w->forces[i]);
    }
    if (w->table != nullptr) {
        w->tableAngle += w->tableSpin * w->dt;
        w->table->setWorldTransform(
            btTransform(btQuaternion(btVector3(0, 0, 1), w->tableAngle), btVector3(0, 0, -0.05)));
    }
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

extern const ctPeer ctPeerBullet = {"Bullet",  create,         ground, wall, ball,  box,    prism,
                                    turntable, groundFriction, push,   step, state, destroy};
