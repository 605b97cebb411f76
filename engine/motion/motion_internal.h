// What motion/step.c needs of the two forms of the equations of motion: those of motion/motion.c, for any body, and
// those of motion/disc.c, for a disc on level ground.
#ifndef CT_MOTION_INTERNAL_H
#define CT_MOTION_INTERNAL_H

#include "engine/motion/motion.h"

#include <math.h>

// Spin that is this many times faster than the resistance under the body's weight can stop in a step slips. Larger:
// spin stops within one step; smaller: invisible spin is followed.
#define CT_ROLL_FAST_SPIN 8.0

// The derivatives at y; false where the motion is not smooth.
bool ctRoll_Derive(ctRoller *b, const double *y, double *rates);
// Removes the overlap and forbidden velocity that a step has left; with stop, all slip.
void ctRoll_Project(const ctRoller *b, bool stop, double *y);
// As ctRoll_ShapePoint, in principal axes.
bool ctRoll_Point(const ctRoller *b, ctVec3 d, ctVec3 rate, ctVec3 *r, ctVec3 *run);

// The state of a disc: rho and z; spin; slip; phi and psi; place from its origin; work of the contact. These have
// rates. Beside them the place of that origin, in T and E2 at the start.
enum {
    ct_discRho = 0,
    ct_discZ = 1,
    ct_discW = 2,
    ct_discU = 5,
    ct_discPhi = 7,
    ct_discPsi = 8,
    ct_discPlace = 9,
    ct_discWork = 11,
    ct_discRates = 12,
    ct_discX = 12,
};

// Converts from a state of motion/motion.h and back, with the rates of velocity and spin. False when the body does not
// touch with a rim, or lies flat.
bool ctDisc_Enter(ctRoller *b, const double *y, double *d);
void ctDisc_Leave(ctRoller *b, const double *d, double *y, double *rates);
// The derivatives; false where the motion is not smooth.
bool ctDisc_Derive(ctRoller *b, const double *d, double *rates);
// After a part of a step: adds up the place, and chooses its origin for a part of h (s); its rates follow.
void ctDisc_Place(const ctRoller *b, double *d, double h, double *rates);
// Removes the errors that the step has left; with stop, all slip.
void ctDisc_Project(const ctRoller *b, bool stop, double *d);
// The rate at which the point of contact goes round, rad/s; and the length of the arm, m.
double ctDisc_Circling(const ctRoller *b, const double *d, double *arm);
void ctDisc_Where(const ctRoller *b, const double *d, ctRollPlace *place);

#endif
