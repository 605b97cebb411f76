// A box that slides and spins on a floor under g = 9.81, its four corner loads linear in place: a planar motion, solved
// in steps of 20 microseconds and less.
#ifndef CT_TEST_PLANAR_H
#define CT_TEST_PLANAR_H

typedef struct ctPlanarBox {
    double hx, hy, hz, mu; // half extents of its corners, height of its centre, friction
    double inertia;        // for a mass of one; 0: that of a box of this size
} ctPlanarBox;

// s: x, y, angle and their rates at the start, then where it has stopped. Returns when that is, s.
double ctPlanarBox_Stop(const ctPlanarBox *box, double *s);

#endif
