// Internal to engine/motion: the embedded pair of orders five and four (Dormand & Prince 1980). The last row of the
// stages is the step of the fifth order, whose rates are the first of the next step.
#ifndef CT_DORMAND_PRINCE_H
#define CT_DORMAND_PRINCE_H

// [method] The time, in units of that in which friction turns the slip, for which the method is stable: slip that
// friction turns faster is stiff.
#define CT_STIFF 3.0

static const double CT_STAGES[6][6] = {
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
};
// Where the stages are, as shares of the step.
static const double CT_NODES[6] = {1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
// The fifth order less the fourth.
static const double CT_ERRORS[7] = {71.0 / 57600.0,      0.0,          -71.0 / 16695.0, 71.0 / 1920.0,
                                    -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};

#endif
