// ODE in double precision with its exact step (dWorldStep), its own defaults otherwise; restitution at any speed.
#include "collision/vec3.h"
#include "tests/validate/peer.h"

#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 4096, MOST_POINTS = 8 };

struct ctPeerWorld {
    dWorldID world;
    dSpaceID space;
    dJointGroupID joints;
    dBodyID bodies[MOST_BODIES];
    int count;
    dVector3 forces[MOST_BODIES];
    double friction, restitution, dt;
    double groundFriction; // < 0: that of the others
    bool quick;
    // What the prism's geometry points to.
    dReal planes[4 * (CT_PRISM_SIDES + 2)], corners[3 * 2 * CT_PRISM_SIDES];
    unsigned int faces[(2 * CT_PRISM_SIDES + 2) + 5 * CT_PRISM_SIDES];
};

static bool chosenQuick;

void ctPeerOde_SetQuick(bool quick)
{
    chosenQuick = quick;
}

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
    w->groundFriction = -1.0;
    w->quick = chosenQuick;
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

static void wall(ctPeerWorld *w, ctVec3 normal, double offset)
{
    dCreatePlane(w->space, normal.x, normal.y, normal.z, offset);
}

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, dCreateSphere(w->space, radius), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, dCreateBox(w->space, size.x, size.y, size.z), body);
}

// A polygon of ODE is a number of corners and then their indices, counter-clockwise seen from outside.
static int prism(ctPeerWorld *w, int sides, double radius, double length, const ctPeerBody *body)
{
    ctVec3 corners[2 * CT_PRISM_SIDES];
    int count = ctPrism_Corners(sides, radius, length, corners), at = 0;
    for (int i = 0; i < count; i++) {
        w->corners[3 * i] = corners[i].x;
        w->corners[3 * i + 1] = corners[i].y;
        w->corners[3 * i + 2] = corners[i].z;
    }
    for (int i = 0; i < sides; i++) {
        int next = (i + 1) % sides;
        double angle = 2.0 * CT_PI * (i + 0.5) / sides;
        const dReal plane[4] = {sin(angle), 0.0, -cos(angle), radius * cos(CT_PI / sides)};
        memcpy(&w->planes[4 * i], plane, sizeof plane);
        const unsigned int face[5] = {4, (unsigned)(i + sides), (unsigned)(next + sides), (unsigned)next, (unsigned)i};
        memcpy(&w->faces[at], face, sizeof face);
        at += 5;
    }
    for (int end = 0; end < 2; end++) {
        const dReal plane[4] = {0.0, end == 0 ? -1.0 : 1.0, 0.0, 0.5 * length};
        memcpy(&w->planes[4 * (sides + end)], plane, sizeof plane);
        w->faces[at++] = (unsigned)sides;
        for (int i = 0; i < sides; i++) {
            w->faces[at++] = (unsigned)(end == 0 ? i : 2 * sides - 1 - i);
        }
    }
    dGeomID geom = dCreateConvex(w->space, w->planes, (unsigned)sides + 2, w->corners, (unsigned)count, w->faces);
    return add(w, geom, body);
}

static void turntable(ctPeerWorld *w, double spin)
{
    const ctPeerBody still = {1.0, {1, 1, 1}, {0, 0, -0.05}, {1, 0, 0, 0}, {0, 0, 0}, {0, 0, spin}};
    dBodySetKinematic(w->bodies[add(w, dCreateBox(w->space, 4.0, 4.0, 0.1), &still)]);
}

static void groundFriction(ctPeerWorld *w, double friction)
{
    w->groundFriction = friction;
}

static void push(ctPeerWorld *w, int body, ctVec3 force)
{
    w->forces[body][0] = force.x;
    w->forces[body][1] = force.y;
    w->forces[body][2] = force.z;
}

static void touch(void *context, dGeomID a, dGeomID b)
{
    ctPeerWorld *w = context;
    dContact points[MOST_POINTS];
    int count = dCollide(a, b, MOST_POINTS, &points[0].geom, sizeof points[0]);
    for (int i = 0; i < count; i++) {
        points[i].surface.mode = dContactBounce | dContactApprox1;
        bool onGround = dGeomGetBody(a) == NULL || dGeomGetBody(b) == NULL;
        points[i].surface.mu = onGround && w->groundFriction >= 0.0 ? w->groundFriction : w->friction;
        points[i].surface.bounce = w->restitution;
        points[i].surface.bounce_vel = 0.0;
        dJointAttach(dJointCreateContact(w->world, w->joints, &points[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static void step(ctPeerWorld *w)
{
    for (int i = 0; i < w->count; i++) {
        dBodyAddForce(w->bodies[i], w->forces[i][0], w->forces[i][1], w->forces[i][2]);
    }
    dSpaceCollide(w->space, w, touch);
    if (w->quick) {
        dWorldQuickStep(w->world, w->dt);
    } else {
        dWorldStep(w->world, w->dt);
    }
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

const ctPeer ctPeerOde = {"ODE",     create,         ground, wall, ball,  box,    prism,
                          turntable, groundFriction, push,   step, state, destroy};
