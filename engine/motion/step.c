// Steps along the equations of motion of a body on one smooth point, in either form of the state: that of
// motion/motion.c, or that of a disc (motion/disc.c).
//
// The method is that of Dormand & Prince (1980), of order 5, with control of its error: a step is divided into parts.
// Within a step friction has one law. While the body slides, steps become shorter as the slip ends, so that friction
// does all its work, until friction that holds may stop the rest. Where friction that holds would have to leave its
// cone, a step is short enough to find out when. Negligible slip is left to friction that holds.
#include "engine/core/tunables.h"
#include "engine/motion/dormand_prince.h"
#include "engine/motion/motion_internal.h"

#include <string.h>

// Rate at which friction that holds stops slip, per step. Larger: the equations are stiff; smaller: held slip lasts.
#define GRIP 2.0
// Estimate of the error in velocity at which a step is accepted, as a share of the speeds: where energy is conserved,
// where friction slips at times, and where resistances dissipate all the time. The estimate is that of the fourth
// order; the fifth is a hundred times better. Larger: coins and rattlebacks miss their references; smaller: more steps.
#define ROLL_ERROR 1e-7
#define SLIP_ERROR 1e-5
#define LOSSY_ERROR 2e-4
#define MOST_PARTS 40    // [cap] tries at parts of a step
#define MOST_GROWTH 10.0 // [method] of a step in one go
// The longest sliding step, in times in which friction turns the slip. More: slip is integrated in many parts where
// friction that holds would do; fewer: friction holds what still slides.
#define STIFF_PARTS 2.0
// Slip below this share of the speeds is zero: it is hardly more than the error.
#define NO_SLIP (10.0 * ROLL_ERROR)
// The least share of its speed to which sliding may fall in one step. Larger: more steps; smaller: the end of a slide
// is coarse.
#define SLOWEST 0.3
// The shortest step that slides, and the longest in which friction that holds begins to slip, as shares of what the
// motion would allow otherwise. Larger: slip begins and ends late; smaller: more steps.
#define LAST_SLIDE (0.5 * ONSET)
#define ONSET 0.1
// Slip below this share of the speeds need not be followed where resistances dissipate all the time.
#define SLOW_SLIP (10.0 * SLIP_ERROR)
#define SLOW_SLIP_LOSSY (50.0 * LOSSY_ERROR)

// ---- steps ------------------------------------------------------------------------------------

typedef bool Rates(ctRoller *b, const double *y, double *rates);

static inline void notePull(ctRoller *b)
{
    const double *f = b->contact, *g = b->gain;
    double force = b->disc ? f[0] * f[0] + f[1] * f[1] + f[2] * f[2] : ctLengthSquared(b->force);
    double gain = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    b->mostForce = force > b->mostForce ? force : b->mostForce;
    b->mostGain = gain > b->mostGain ? gain : b->mostGain;
}

// One step of count equations. k[0] is the derivative at y; afterwards k[6] is that at the end, e the estimate of the
// error.
static inline bool step5(ctRoller *b, Rates *rates, int count, double *y, double h, double k[7][ct_rollState],
                         double *e)
{
    double z[ct_rollState];
    memcpy(z, y, sizeof z);
    b->holds = 0.0;
    for (int s = 0; s < 6; s++) {
        for (int i = 0; i < count; i++) {
            double sum = 0.0;
            for (int j = 0; j <= s; j++) {
                sum += CT_STAGES[s][j] * k[j][i];
            }
            z[i] = y[i] + h * sum;
        }
        if (!rates(b, z, k[s + 1])) {
            return false;
        }
        notePull(b);
        b->holds = b->slipped ? b->holds : CT_NODES[s];
    }
    for (int i = 0; i < count; i++) {
        double sum = 0.0;
        for (int j = 0; j < 7; j++) {
            sum += CT_ERRORS[j] * k[j][i];
        }
        e[i] = h * sum;
    }
    memcpy(y, z, sizeof z);
    return true;
}

// The same for either kind of state. The error is that of the velocities, m/s.
static bool stepEither(ctRoller *b, double *y, double h, double k[7][ct_rollState], double *error)
{
    double e[ct_rollState];
    if (!b->disc) {
        if (!step5(b, ctRoll_Derive, ct_rollWork + 1, y, h, k, e)) {
            return false;
        }
        *error = ctLength(ctRoll_Get(e, ct_rollV)) + ctLength(ctRoll_Get(e, ct_rollW)) * ctLength(b->arm);
        return true;
    }
    if (!step5(b, ctDisc_Derive, ct_discRates, y, h, k, e)) {
        return false;
    }
    double place =
        fabs(e[ct_discPlace]) + fabs(e[ct_discPlace + 1]) + b->rim * (fabs(e[ct_discRho]) + fabs(e[ct_discZ]));
    *error = sqrt(e[ct_discU] * e[ct_discU] + e[ct_discU + 1] * e[ct_discU + 1]) +
             ctLength(ctRoll_Get(e, ct_discW)) * b->rim + place / h;
    return true;
}

static bool deriveEither(ctRoller *b, const double *y, double *rates)
{
    return b->disc ? ctDisc_Derive(b, y, rates) : ctRoll_Derive(b, y, rates);
}

// The speed relative to which errors are measured.
static double speedOf(const ctRoller *b, const double *y)
{
    if (!b->disc) {
        return ctLength(ctRoll_Get(y, ct_rollV)) + ctLength(ctRoll_Get(y, ct_rollW)) * ctLength(b->arm);
    }
    double slip = sqrt(y[ct_discU] * y[ct_discU] + y[ct_discU + 1] * y[ct_discU + 1]);
    return slip + 2.0 * ctLength(ctRoll_Get(y, ct_discW)) * b->rim;
}

// The speed of the matter at the point of contact.
static double slipOf(ctRoller *b, const double *y)
{
    if (b->disc) {
        return sqrt(y[ct_discU] * y[ct_discU] + y[ct_discU + 1] * y[ct_discU + 1]);
    }
    ctQuat q = ctRoll_Orientation(y);
    b->code = ctRoll_LowestPiece(b, q);
    b->arm = ctRoll_LowestPoint(b, q);
    ctVec3 w = ctRotate(q, ctRoll_Get(y, ct_rollW)), u = ctAdd(ctRoll_Get(y, ct_rollV), ctCross(w, b->arm));
    return ctLength(ctMulAdd(u, -ctDot(u, b->n), b->n));
}

static bool isLossy(const ctRoller *b)
{
    return b->rolling > 0.0 || b->spinning > 0.0;
}

static double slowSlip(const ctRoller *b)
{
    return isLossy(b) ? SLOW_SLIP_LOSSY : SLOW_SLIP;
}

// Chooses the law of friction for a step from y, and its length, at most dt. Sliding ends in shorter and shorter steps,
// until friction that holds may stop it; so does slip that friction turns. Returns 0 when the motion is not smooth.
static double chooseFriction(ctRoller *b, const double *y, double dt, double *rates)
{
    double slip = slipOf(b, y);
    b->slides = b->friction == 0.0 || slip > NO_SLIP * speedOf(b, y);
    b->leastTurn = b->rolling * b->weight * (b->inverse.x + b->inverse.y + b->inverse.z) * dt;
    b->grip = GRIP / dt;
    if (b->slides && b->friction > 0.0 && slip < slowSlip(b) * speedOf(b, y)) {
        // Friction turns it within a negligible time, at least under the weight.
        b->slides = 1.5 * b->friction * b->weight * b->invMass * dt < CT_STIFF * STIFF_PARTS * slip;
    }
    if (b->slides) {
        b->leastSlip = b->friction > 0.0 ? SLOWEST * slip : -1.0;
        bool smooth = deriveEither(b, y, rates);
        if (b->friction == 0.0) {
            return smooth ? dt : 0.0;
        }
        double allowed = ctFmin(CT_STIFF * STIFF_PARTS / b->stiffness, b->slowing > 0.0 ? 0.6 * slip / b->slowing : dt);
        double shortest = dt * (slip > slowSlip(b) * speedOf(b, y) ? LAST_SLIDE : 1.0);
        if (smooth && allowed >= shortest) {
            return ctFmin(dt, allowed);
        }
        b->slides = false;
        dt = shortest;
        b->grip = GRIP / dt;
    }
    return deriveEither(b, y, rates) ? dt : 0.0;
}

// The same, with the law of resistance to rolling: it is full as long as it does not stop the body within the step.
// Rolling ends as sliding does, in a short step. What is left after that takes steps as long as others.
static double beginStep(ctRoller *b, const double *y, double dt, double *rates)
{
    double step = chooseFriction(b, y, dt, rates);
    if (b->disc || !(b->rolling > 0.0) || !(step > 0.0)) {
        return step;
    }
    ctQuat q = ctRoll_Orientation(y);
    ctVec3 w = ctRotate(q, ctRoll_Get(y, ct_rollW)), across = ctMulAdd(w, -ctDot(w, b->n), b->n);
    double turn = ctLength(across), law = b->leastTurn;
    b->leastTurn = 0.0;
    if (!(turn > 0.0) || !deriveEither(b, y, rates)) {
        b->leastTurn = law;
        return deriveEither(b, y, rates) ? step : 0.0;
    }
    double slowing = -ctDot(across, ctRotate(q, ctRoll_Get(rates, ct_rollW))) / turn;
    double allowed = slowing > 0.0 ? 0.6 * turn / slowing : step;
    if (allowed >= LAST_SLIDE * dt) {
        return ctFmin(step, allowed);
    }
    bool ended = allowed < LAST_SLIDE * LAST_SLIDE * dt;
    return chooseFriction(b, y, ended ? dt : LAST_SLIDE * dt, rates);
}

bool ctRoll_Enter(ctRoller *b, const double *y, double *s)
{
    double z[ct_rollState];
    memcpy(z, y, sizeof z);
    b->invMass = 1.0 / b->mass;
    b->weight = b->mass * ctLength(b->gravity);
    b->code = b->bears > 0 ? b->bears - 1 : ctRoll_LowestPiece(b, ctRoll_Orientation(y));
    b->arm = ctRoll_LowestPoint(b, ctRoll_Orientation(y));
    if (!(ctLengthSquared(b->arm) > 0.0)) {
        return false;
    }
    ctRoll_Project(b, false, z);
    b->disc = b->revolves && ctDisc_Enter(b, z, s);
    b->mostForce = b->mostGain = 0.0;
    notePull(b);
    if (!b->disc) {
        memcpy(s, z, sizeof z);
    }
    return true;
}

void ctRoll_Leave(ctRoller *b, const double *s, double *y, double *rates)
{
    if (b->disc) {
        ctDisc_Leave(b, s, y, rates);
        return;
    }
    memcpy(y, s, ct_rollState * sizeof *y);
    if (!ctRoll_Derive(b, y, rates)) {
        memset(rates, 0, ct_rollState * sizeof *rates);
        b->force = b->torque = ctZero3();
    }
}

ctRollPose ctRoll_Pose(const ctRoller *b, const double *s)
{
    ctRollPose p;
    if (b->disc) {
        double arm;
        p.rho = s[ct_discRho];
        p.z = s[ct_discZ];
        p.rhoRate = -s[ct_discW + 1] * p.z;
        p.zRate = s[ct_discW + 1] * p.rho;
        p.turning = ctLength(ctRoll_Get(s, ct_discW));
        p.circling = ctDisc_Circling(b, s, &arm);
        return p;
    }
    ctVec3 n = ctInvRotate(ctRoll_Orientation(s), b->n), w = ctRoll_Get(s, ct_rollW), d = ctNeg(n),
           rate = ctCross(w, n), r, run;
    p.turning = p.circling = ctLength(w);
    if (ctRoll_Point(b, d, rate, &r, &run)) {
        p.circling = ctLength(ctAdd(ctCross(w, r), run)) / ctLength(r);
    }
    if (b->turned) {
        d = ctMulMV(b->axes, d);
        rate = ctMulMV(b->axes, rate);
    }
    p.rho = sqrt(d.x * d.x + d.y * d.y);
    p.z = d.z;
    p.zRate = rate.z;
    p.rhoRate = p.rho > 0.0 ? (d.x * rate.x + d.y * rate.y) / p.rho : 0.0;
    return p;
}

ctRollPlace ctRoll_Where(const ctRoller *b, const double *s)
{
    ctRollPlace place;
    if (b->disc) {
        ctDisc_Where(b, s, &place);
        return place;
    }
    place.x = ctRoll_Get(s, ct_rollX);
    place.axis = ctZero3();
    place.foot = ctAdd(place.x, ctRoll_LowestPoint(b, ctRoll_Orientation(s)));
    return place;
}

double ctRoll_Speed(const ctRoller *b, const double *s, double radius)
{
    if (b->disc) {
        double arm;
        ctDisc_Circling(b, s, &arm);
        // Turning about its axis does not move a body of revolution.
        double slip = sqrt(s[ct_discU] * s[ct_discU] + s[ct_discU + 1] * s[ct_discU + 1]);
        double across = sqrt(s[ct_discW] * s[ct_discW] + s[ct_discW + 1] * s[ct_discW + 1]);
        return slip + arm * ctLength(ctRoll_Get(s, ct_discW)) + radius * across;
    }
    return ctLength(ctRoll_Get(s, ct_rollV)) + radius * ctLength(ctRoll_Get(s, ct_rollW));
}

double ctRoll_Pull(const ctRoller *b, double radius)
{
    return (sqrt(b->mostForce) + b->weight) * b->invMass + radius * sqrt(b->mostGain);
}

// ---- the step ---------------------------------------------------------------------------------

double ctRoll_Step(ctRoller *b, double *y, double natural)
{
    double k[7][ct_rollState], z[ct_rollState], dt = beginStep(b, y, natural, k[0]), done = 0.0, longest = 0.0, h = dt;
    double onset = INFINITY; // s: about when friction that holds begins to slip
    b->mostForce = b->mostGain = 0.0;
    notePull(b);
    if (b->slides && b->friction > 0.0) {
        h = ctFmin(h, CT_STIFF / b->stiffness);
    }
    if (b->part > 0.0) {
        h = ctFmin(h, dt / ctFmax(ctFmin(ceil(dt / b->part - 0.1), MOST_PARTS / 4.0), 1.0));
    }
    for (int tries = 0; tries < MOST_PARTS && h > CT_SHORTEST_STEP * dt; tries++) {
        double error = INFINITY, speed = 0.0;
        memcpy(z, y, sizeof z);
        b->slipped = b->slides;
        if (stepEither(b, z, h, k, &error)) {
            speed = speedOf(b, z);
        } else if (b->slides && b->friction > 0.0) {
            if (done > 0.0) {
                break; // it comes to its end
            }
            h *= 0.4;
            continue;
        }
        bool suspect = speed > 0.0 && !b->slides && b->slipped && b->friction > 0.0;
        double slip = suspect ? slipOf(b, z) : 0.0, slow = slowSlip(b) * speed;
        bool begins = slip > slow;
        if (begins && h > ONSET * natural) {
            double share = ctFmax((slow - slipOf(b, y)) / slip, b->holds);
            onset = done + share * h;
            h = ctFmax(0.9 * share * h, ONSET * natural);
            continue;
        }
        double allowed = (isLossy(b) ? LOSSY_ERROR : b->slipped && b->friction > 0.0 ? SLIP_ERROR : ROLL_ERROR) * speed;
        double better = h * ctFmin(MOST_GROWTH, ctFmax(0.2, 0.9 * ctPow(allowed / (error + 1e-300), 0.2)));
        if (error <= allowed) {
            longest = ctFmax(longest, h);
            memcpy(y, z, sizeof z);
            memcpy(k[0], k[6], sizeof k[0]);
            done += h;
            onset = done < onset ? onset : (double)INFINITY;
            if (b->disc) {
                ctDisc_Place(b, y, h, k[0]);
            }
        }
        if (!(done < dt * (1.0 - 1e-9)) || (begins && error <= allowed)) {
            b->part = tries == 0 ? better : ctFmax(better, longest);
            break;
        }
        double left = dt - done; // so that the last part is not tiny
        h = left <= 1.05 * better ? left : left < 2.0 * better ? 0.5 * left : better;
        h = ctFmin(h, ctFmax(onset - done, ONSET * natural));
    }
    if (!(done > 0.0)) {
        return 0.0;
    }
    if (b->disc) {
        ctDisc_Project(b, !b->slipped, y);
        return done;
    }
    ctRoll_Project(b, !b->slipped, y);
    return ctRoll_LowestPiece(b, ctRoll_Orientation(y)) == b->code ? done : 0.0;
}
