#include "engine/clatter.h"
#include "tests/validate/peer.h"

#include <stdio.h>
#include <stdlib.h>

struct ctPeerWorld {
    ctWorld *world;
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

static int ball(ctPeerWorld *w, double radius, const ctPeerBody *body)
{
    return add(w, ctWorld_CreateSphere(w->world, radius, NULL), body);
}

static int box(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body)
{
    return add(w, ctWorld_CreateBox(w->world, size, NULL), body);
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

const ctPeer ctPeerClatter = {"Clatter", create, ground, ball, box, step, state, destroy};
