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
    void (*ground)(ctPeerWorld *w);                             // the half-space z <= 0
    void (*wall)(ctPeerWorld *w, ctVec3 normal, double offset); // the half-space n.x <= offset
    int (*ball)(ctPeerWorld *w, double radius, const ctPeerBody *body);
    int (*box)(ctPeerWorld *w, ctVec3 size, const ctPeerBody *body);
    // A prism of a regular polygon about the y axis, with one corner below; radius is that of the corners.
    int (*prism)(ctPeerWorld *w, int sides, double radius, double length, const ctPeerBody *body);
    // A square of 4 m whose upper face is z = 0 turns about the z axis at a constant rate.
    void (*turntable)(ctPeerWorld *w, double spin);
    // The friction of bodies with the ground, where it is not that of bodies with each other; before all else.
    void (*groundFriction)(ctPeerWorld *w, double friction);
    void (*push)(ctPeerWorld *w, int body, ctVec3 force); // at its centre, from now on
    void (*step)(ctPeerWorld *w);
    ctPeerBody (*state)(const ctPeerWorld *w, int body); // mass and inertia are not filled in
    void (*destroy)(ctPeerWorld *w);
} ctPeer;

extern const ctPeer ctPeerClatter, ctPeerBullet, ctPeerOde;

enum { CT_PRISM_SIDES = 16 }; // at most
// The corners of a prism: those of the face y < 0 in order, then the others. Their number.
int ctPrism_Corners(int sides, double radius, double length, ctVec3 *corners);

// Whether worlds that ctPeerOde creates from now on take its fast approximate step (dWorldQuickStep).
void ctPeerOde_SetQuick(bool quick);

// The law of impact of the worlds that ctPeerClatter creates from now on, and eta^2 for the compliant one.
void ctPeerClatter_SetLaw(int law, double eta2);

#ifdef __cplusplus
}
#endif

#endif
