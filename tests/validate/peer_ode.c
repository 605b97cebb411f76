// ODE in double precision with its exact step (dWorldStep), its own defaults otherwise; restitution at any speed.
#include "tests/validate/peer.h"

#include <ode/ode.h>
#include <stdarg.h>
#include <stdlib.h>

enum { MOST_BODIES = 512, MOST_POINTS = 8 };

struct ctPeerWorld {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID bodies[MOST_BODIES];
    int count;
    double friction, restitution, dt;
};

// ODE prints a line for every step whose linear program it could not solve.
static void ignore(int number, const char *text, va_list arguments)
{
    (void)number;
    (void)text;
    (void)arguments;
}

static ctPeerWorld *create(ctVec3 gravity, double friction, double restitution, double dt)
{
    static bool started = false;
    if (!started) {
        dInitODE2(0);
        dSetMessageHandler(ignore);
        started = true;
    }
    ctPeerWorld *w = calloc(1, sizeof *w);
    w->world = dWorldCreate();
    w->space = dHashSpaceCreate(NULL);
    w->joints = dJointGroupCreate(0);
    dWorldSetGravity(w->world, gravity.x, gravity.y, gravity.z);
    w->friction = friction;
    w->restitution = restitution;
    w->dt = dt;
    return w;
}

static int add(ctPeerWorld *w, dGeomID geom, const ctPeerBody *b)
{
    dBodyID body = dBodyCreate(w->world);
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, b->inertia.x, b->inertia.y, b->inertia.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    const dQuaternion q = {b->orientation.w, b->orientation.x, b->orientation.y, b->orientation.z};
    dBodySetPosition(body, b->position.x, b->position.y, b->position.z);
    dBodySetQuaternion(body, q);
    dBodySetLinearVel(body, b->velocity.x, b->velocity.y, b->velocity.z);
    dBodySetAngularVel(body, b->spin.x, b->spin.y, b->spin.z);
    w->bodies[w->count] = body;
    return w->count++;
}

static void ground(ctPeerWorld *w)
{
    dCreatePlane(w->space, 0, 0, 1, 0);
}

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, dCreateSphere(w->space, radius), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, dCreateBox(w->space, size.x, size.y, size.z), body);
}

static void touch(void *context, dGeomID a, dGeomID b)
{
    ctPeerWorld *w = context;
    dContact points[MOST_POINTS];
    int count = dCollide(a, b, MOST_POINTS, &points[0].geom, sizeof points[0]);
    for (int i = 0; i < count; i++) {
        points[i].surface.mode = dContactBounce | dContactApprox1;
        points[i].surface.mu = w->friction;
        points[i].surface.bounce = w->restitution;
        points[i].surface.bounce_vel = 0.0;
        dJointAttach(dJointCreateContact(w->world, w->joints, &points[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void step(ctPeerWorld *w)
{
    dSpaceCollide(w->space, w, touch);
    dWorldStep(w->world, w->dt);
    dJointGroupEmpty(w->joints);
}

static ctVec3 vector(const dReal *v)
{
    return (ctVec3){v[0], v[1], v[2]};
}

static ctPeerBody state(const ctPeerWorld *w, int body)
{
    dBodyID b = w->bodies[body];
    const dReal *q = dBodyGetQuaternion(b);
    return (ctPeerBody){.position = vector(dBodyGetPosition(b)),
                        .orientation = {q[0], q[1], q[2], q[3]},
                        .velocity = vector(dBodyGetLinearVel(b)),
                        .spin = vector(dBodyGetAngularVel(b))};
}

static void destroy(ctPeerWorld *w)
{
    dJointGroupDestroy(w->joints);
    dSpaceDestroy(w->space);
    dWorldDestroy(w->world);
    free(w);
}

const ctPeer ctPeerOde = {"ODE", create, ground, ball, box, step, state, destroy};
