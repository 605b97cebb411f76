// One engine among those that are compared: the few calls that the cases need, with a table of functions for each.
#ifndef CT_VALIDATE_PEER_H
#define CT_VALIDATE_PEER_H

#include "collision/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctPeerBody {
    double mass;
    ctVec3 inertia; // about the principal axes, which are those of the shape
    ctVec3 position;
    ctQuat orientation;
    ctVec3 velocity, spin; // world frame
} ctPeerBody;

typedef struct ctPeerWorld ctPeerWorld;

typedef struct ctPeer {
    const char *name;
    // The coefficients hold for every pair of bodies; dt is the time of one step.
    ctPeerWorld *(*create)(ctVec3 gravity, double friction, double restitution, double dt);
    void (*ground)(ctPeerWorld *w); // the half-space z <= 0
    int (*ball)(ctPeerWorld *w, double radius, const ctPeerBody *body);
    int (*box)(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body);
    void (*step)(ctPeerWorld *w);
    ctPeerBody (*state)(const ctPeerWorld *w, int body); // mass and inertia are not filled in
    void (*destroy)(ctPeerWorld *w);
} ctPeer;

extern const ctPeer ctPeerClatter, ctPeerBullet, ctPeerOde;

// The law of impact of the worlds that ctPeerClatter creates from now on, and eta^2 for the compliant one.
void ctPeerClatter_SetLaw(int law, double eta2);

#ifdef __cplusplus
}
#endif

#endif
