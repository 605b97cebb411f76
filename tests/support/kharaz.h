// The measured oblique impacts of Kharaz, Gorham & Salman 2001 (tests/data/measured/kharaz.csv), and the same impacts
// under a law.
#ifndef CT_TEST_KHARAZ_H
#define CT_TEST_KHARAZ_H

#include "engine/impact/impact.h"

typedef enum ctKharazQuantity {
    ct_kharazReboundAngle, // of the centre, degrees from the normal
    ct_kharazTangential,   // tangential restitution of the centre: its tangential velocity after over that before
    ct_kharazSpin,         // after, rad/s
    ct_kharazPatchAngle,   // rebound angle of the contact point, degrees
    ct_kharazQuantities
} ctKharazQuantity;

typedef struct ctKharazPoint {
    ctKharazQuantity quantity;
    double angle; // of impact, degrees from the normal
    double value;
} ctKharazPoint;

enum { CT_KHARAZ_POINTS = 34 };

// Reads all points; false when the file is not there or not as it should be.
bool ctKharaz_Read(const char *path, ctKharazPoint points[CT_KHARAZ_POINTS]);

// The ratio of the stiffnesses of alumina on glass after Mindlin: 4 G* / E* with E = 380 and 70 GPa, nu = 0.23 and
// 0.25.
double ctKharaz_Eta2(void);

// What the law gives at the same angle.
double ctKharaz_Model(ctLaw law, double eta2, ctKharazQuantity quantity, double angle);

// What elastic theory gives, with slip in a ring at the edge of the contact (Maw, Barber & Fawcett 1976), by Popov and
// Hess's reduction of Hertz and Mindlin's contact to a row of independent springs. No law of the engine: an oracle.
double ctKharaz_Theory(double eta2, ctKharazQuantity quantity, double angle);

// The ratio of stiffnesses that fits tangential restitution best, by its largest relative error over all angles, which
// is left in *worst.
double ctKharaz_BestEta2(const ctKharazPoint points[CT_KHARAZ_POINTS], double *worst);

#endif
