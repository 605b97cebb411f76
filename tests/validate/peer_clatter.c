#include "engine/clatter.h"
#include "tests/validate/peer.h"

#include <stdio.h>
#include <stdlib.h>

struct ctPeerWorld {
    ctWorld *world;
    ctMaterialId ground;
};

static ctLaw chosenLaw = ct_lawStronge;
static double chosenEta2;

void ctPeerClatter_SetLaw(int law, double eta2)
{
    chosenLaw = (ctLaw)law;
    chosenEta2 = eta2;
}

static void need(bool ok, const ctError *error)
{
    if (!ok) {
        fprintf(stderr, "validate: %s\n", error->message);
        exit(1);
    }
}

static ctPeerWorld *create(ctVec3 gravity, double friction, double restitution, double dt)
{
    ctError error = {ct_ok, ""};
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = gravity;
    def.frameTime = dt;
    def.law = chosenLaw;
    ctPeerWorld *w = malloc(sizeof *w);
    w->ground = (ctMaterialId){0};
    w->world = ctWorld_Create(&def, &error);
    need(w->world != NULL, &error);
    ctCoefficients pair = {.friction = friction, .restitution = restitution, .tangentialStiffness = chosenEta2};
    need(ctWorld_SetMaterial(w->world, (ctMaterialId){0}, pair, &error), &error);
    return w;
}

static int add(ctPeerWorld *w, ctShapeId shape, const ctPeerBody *body)
{
    ctError error = {ct_ok, ""};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = shape;
    def.motion = body == NULL ? ct_motionFixed : ct_motionDynamic;
    def.material = body == NULL ? w->ground : (ctMaterialId){0};
    if (body != NULL) {
        def.mass = body->mass;
        def.hasInertia = true;
        def.inertia = (ctMat3){{body->inertia.x, 0, 0}, {0, body->inertia.y, 0}, {0, 0, body->inertia.z}};
        def.position = body->position;
        def.orientation = body->orientation;
        def.velocity = body->velocity;
        def.spin = body->spin;
    }
    ctBodyId id = ctWorld_CreateBody(w->world, &def, &error);
    need(id.index1 != 0, &error);
    return ctBody_GetOrdinal(w->world, id);
}

static void ground(ctPeerWorld *w)
{
    add(w, ctWorld_CreatePlane(w->world, (ctVec3){0, 0, 1}, 0.0, NULL), NULL);
}

static void wall(ctPeerWorld *w, ctVec3 normal, double offset)
{
    add(w, ctWorld_CreatePlane(w->world, normal, offset, NULL), NULL);
}

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, ctWorld_CreateSphere(w->world, radius, NULL), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, ctWorld_CreateBox(w->world, size, NULL), body);
}

static int prism(ctPeerWorld *w, int sides, double radius, double length, const ctPeerBody *body)
{
    ctVec3 corners[2 * CT_PRISM_SIDES];
    int count = ctPrism_Corners(sides, radius, length, corners);
    return add(w, ctWorld_CreateHull(w->world, corners, count, NULL), body);
}

static void turntable(ctPeerWorld *w, double spin)
{
    ctError error = {ct_ok, ""};
    ctBodyDef def = ctDefaultBodyDef();
    def.shape = ctWorld_CreateBox(w->world, (ctVec3){4.0, 4.0, 0.1}, NULL);
    def.motion = ct_motionKinematic;
    def.position = (ctVec3){0, 0, -0.05};
    def.spin = (ctVec3){0, 0, spin};
    need(ctWorld_CreateBody(w->world, &def, &error).index1 != 0, &error);
}

static void groundFriction(ctPeerWorld *w, double friction)
{
    ctError error = {ct_ok, ""};
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = "ground";
    need(ctWorld_CreateMaterial(w->world, &def, &w->ground, &error), &error);
    ctCoefficients pair = ctWorld_GetPair(w->world, (ctMaterialId){0}, (ctMaterialId){0});
    pair.friction = friction;
    need(ctWorld_SetPair(w->world, (ctMaterialId){0}, w->ground, pair, &error), &error);
}

static void push(ctPeerWorld *w, int body, ctVec3 force)
{
    ctError error = {ct_ok, ""};
    need(ctBody_SetForce(w->world, ctWorld_GetBody(w->world, body), force, &error), &error);
}

static void step(ctPeerWorld *w)
{
    ctError error = {ct_ok, ""};
    need(ctWorld_Step(w->world, &error), &error);
}

static ctPeerBody state(const ctPeerWorld *w, int body)
{
    ctBodyId id = ctWorld_GetBody(w->world, body);
    return (ctPeerBody){.position = ctBody_GetCenter(w->world, id),
                        .orientation = ctBody_GetTransform(w->world, id).q,
                        .velocity = ctBody_GetVelocity(w->world, id),
                        .spin = ctBody_GetSpin(w->world, id)};
}

static void destroy(ctPeerWorld *w)
{
    ctWorld_Destroy(w->world);
    free(w);
}

const ctPeer ctPeerClatter = {"Clatter", create,         ground, wall, ball,  box,    prism,
                              turntable, groundFriction, push,   step, state, destroy};
