// Flight with a constant torque and with drag.
//
// With z = c t and the functions
//     p1(z) = (1 - exp(-z)) / z,   p2(z) = (z - 1 + exp(-z)) / z^2
// dv/dt = g - c v has the solution
//     v(t) = (1 - z p1) v + t p1 g,   x(t) = x + t p1 v + t^2 p2 g.
// The angular momentum under dL/dt = T - k L is of the same form. Without a torque the rotation is torque-free flight
// in another time: with w = exp(-k t) W(s) and s = t p1(k t), Euler's equations
//     I dw/dt + w x I w = -k I w   become   I dW/ds + W x I W = 0,
// so that the body turns in t as the free one does in s, and then more slowly by exp(-k t).
// With a torque L(t) is known and the orientation follows q' = w q / 2, w = R I^-1 R^T L(t): steps of the fourth order
// by products of rotations (Celledoni, Marthinsen & Owren 2003), so short that their error is below 1e-11.
#include "engine/flight/flight.h"

#include "collision/elementary.h"
#include "collision/quat.h"

// rad: the turn in one step. Larger: less exact; smaller: slower.
#define TURN 4e-3
// [rounding] Below this z the closed form loses digits, and the functions are summed as series.
#define SERIES 0.5
enum { TERMS = 16, MOST_STEPS = 200000 };

// p1(z) and p2(z), z >= 0.
static void weights(double z, double *p1, double *p2)
{
    if (z > SERIES) {
        double rest = ctExp(-z);
        *p1 = (1.0 - rest) / z;
        *p2 = (z - 1.0 + rest) / (z * z);
        return;
    }
    // p2 = 1/2 - z/6 + z^2/24 - ..., p1 = 1 - z p2
    double sum = 0.0;
    for (int k = TERMS; k >= 2; k--) {
        sum = (1.0 - z * sum) / k;
    }
    *p2 = sum;
    *p1 = 1.0 - z * sum;
}

static ctVec3 decay(ctVec3 value, ctVec3 push, double rate, double dt)
{
    double p1, p2, z = rate * dt;
    weights(z, &p1, &p2);
    return ctMulAdd(ctScale(1.0 - z * p1, value), dt * p1, push);
}

ctVec3 ctDrive_Velocity(const ctDrive *drive, ctVec3 v, ctVec3 pull, double dt)
{
    return decay(v, pull, drive->drag, dt);
}

ctVec3 ctDrive_Momentum(const ctDrive *drive, ctVec3 momentum, double dt)
{
    return decay(momentum, drive->torque, drive->turning, dt);
}

static ctVec3 spinOf(const ctInertia *inertia, ctQuat q, ctVec3 momentum)
{
    return ctMulMV(ctInertia_WorldInverse(inertia, q), momentum);
}

static ctQuat turn(ctQuat q, double h, ctVec3 w)
{
    return ctMulQ(ctQuatExp(ctScale(h, w)), q);
}

// One step of the orientation; l0, lm and l1: the angular momentum at its start, middle and end.
static ctQuat stepOrientation(const ctInertia *inertia, ctQuat q, double h, ctVec3 l0, ctVec3 lm, ctVec3 l1)
{
    ctVec3 k1 = spinOf(inertia, q, l0);
    ctQuat q2 = turn(q, 0.5 * h, k1);
    ctVec3 k2 = spinOf(inertia, q2, lm);
    ctQuat q3 = turn(q, 0.5 * h, k2);
    ctVec3 k3 = spinOf(inertia, q3, lm);
    ctQuat q4 = turn(q2, h, ctMulAdd(k3, -0.5, k1));
    ctVec3 k4 = spinOf(inertia, q4, l1);
    ctVec3 middle = ctScale(2.0, ctAdd(k2, k3));
    ctVec3 first = ctAdd(ctMulAdd(middle, 3.0, k1), ctNeg(k4)), second = ctAdd(ctMulAdd(middle, 3.0, k4), ctNeg(k1));
    return turn(turn(q, h / 12.0, first), h / 12.0, second);
}

static void flyTwisted(const ctInertia *inertia, const ctDrive *drive, ctQuat *q, ctVec3 *w, double dt)
{
    ctVec3 start = ctInertia_Momentum(inertia, *q, *w), end = ctDrive_Momentum(drive, start, dt);
    double least = ctMinElement(inertia->principal);
    double most = ctMaxElement(ctAbs(start)) + ctMaxElement(ctAbs(end)) + ctLength(drive->torque) * dt;
    double wanted = 2.0 * most / least * dt / TURN + 1.0;
    int steps = wanted < MOST_STEPS ? (int)wanted : MOST_STEPS;
    double h = dt / steps;
    for (int i = 0; i < steps; i++) {
        ctVec3 l0 = ctDrive_Momentum(drive, start, i * h), lm = ctDrive_Momentum(drive, start, (i + 0.5) * h);
        *q = stepOrientation(inertia, *q, h, l0, lm, ctDrive_Momentum(drive, start, (i + 1) * h));
    }
    *q = ctNormalizeQ(*q);
    *w = spinOf(inertia, *q, end);
}

void ctFlyDriven(const ctInertia *inertia, const ctDrive *drive, ctVec3 *x, ctVec3 *v, ctQuat *q, ctVec3 *w,
                 ctVec3 pull, double dt)
{
    double p1, p2;
    weights(drive->drag * dt, &p1, &p2);
    *x = ctAdd(*x, ctScale(dt, ctMulAdd(ctScale(p1, *v), dt * p2, pull)));
    *v = ctDrive_Velocity(drive, *v, pull, dt);
    if (ctLengthSquared(drive->torque) > 0.0) {
        flyTwisted(inertia, drive, q, w, dt);
        return;
    }
    double z = drive->turning * dt;
    weights(z, &p1, &p2);
    ctFlyRotation(inertia, q, w, dt * p1);
    *w = ctScale(1.0 - z * p1, *w);
}

void ctDrivenBounds(const ctInertia *inertia, const ctDrive *drive, ctQuat q, ctVec3 w, double seconds, double *wMax,
                    double *alphaMax)
{
    ctFlightBounds(inertia, q, w, wMax, alphaMax); // bounds of the free rotation, which drag only slows down
    double torque = ctLength(drive->torque);
    if (torque > 0.0) {
        double least = ctMinElement(inertia->principal), most = ctMaxElement(inertia->principal);
        double momentum = ctLength(ctInertia_Momentum(inertia, q, w)) + torque * seconds;
        *wMax = momentum / least;
        *alphaMax = *wMax * *wMax * (most - least) / least + torque / least;
    }
    *alphaMax += drive->turning * *wMax;
}
