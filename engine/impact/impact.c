// Entry points of the impact solver: validation, the closed form of central impacts, the laws' dispatch,
// K from two bodies, and the permissible region.
#include "engine/impact/impact.h"
#include "engine/core/tunables.h"

#include "engine/impact/impact_internal.h"

#include <float.h>
#include <string.h>

static const char *const lawNames[] = {"stronge",   "poisson",   "algebraic", "composite",
                                       "compliant", "whittaker", "smith",     "bilinear"};
enum { LAWS = sizeof lawNames / sizeof *lawNames };

const char *ctLawName(ctLaw law)
{
    return (int)law >= 0 && (int)law < LAWS ? lawNames[law] : NULL;
}

bool ctLawFromName(const char *name, ctLaw *law)
{
    for (int i = 0; i < LAWS; i++) {
        if (strcmp(name, lawNames[i]) == 0) {
            *law = (ctLaw)i;
            return true;
        }
    }
    return false;
}

const char *ctImpactModeName(ctImpactMode mode)
{
    static const char *const names[] = {"none", "slide", "stick", "reverse-slide", "invalid"};
    return (int)mode >= 0 && (int)mode <= (int)ct_impactInvalid ? names[mode] : NULL;
}

// ---- validation -----------------------------------------------------------------------------------

// [limit] Beyond, products of mu and velocities leave the range of double.
#define MOST_FRICTION 1e100

static const char *checkNumbers(const ctImpactInput *in)
{
    const ctMat3 *K = &in->K;
    if (!isfinite(K->cx.x) || !isfinite(K->cy.x) || !isfinite(K->cy.y) || !ctIsFinite3(K->cz)) {
        return "K is not finite";
    }
    if (!ctIsFinite3(in->u)) {
        return "u is not finite";
    }
    if (!(in->mu >= 0.0 && in->mu <= MOST_FRICTION)) {
        return "mu must be from 0 to 1e100";
    }
    if (!(in->e >= 0.0 && in->e <= 1.0)) {
        return "e must be from 0 to 1";
    }
    if (in->law != ct_lawStronge && in->law != ct_lawPoisson) {
        if (ctLawName(in->law) == NULL) {
            return "there is no such law";
        }
        bool tangential = in->law == ct_lawAlgebraic || in->law == ct_lawComposite || in->law == ct_lawBilinear;
        if (tangential && !(in->et >= -1.0 && in->et <= 1.0)) {
            return "et must be from -1 to 1";
        }
        if (in->law == ct_lawComposite && !(in->sigma >= 0.0 && in->sigma <= 1.0)) {
            return "sigma must be from 0 to 1";
        }
        if (in->law == ct_lawCompliant && !(in->eta2 > 0.0 && in->eta2 < INFINITY)) {
            return "eta2 must be more than zero";
        }
    }
    return NULL;
}

static bool isDiagonal(const ctImpactInput *in)
{
    return in->K.cy.x == 0.0 && in->K.cz.x == 0.0 && in->K.cz.y == 0.0;
}

// ---- scale ----------------------------------------------------------------------------------------

// [range] The solver squares and multiplies its input. Far from everyday numbers it works on K and u times powers of
// two, which is exact: with K and u_z of order one. A matrix whose inverse masses differ by more than MOST_RANGE has no
// such scale. Where numbers of one impact differ by more than MUCH, or friction is beyond STICKY, an impulse may have
// no correct digits; it is an answer only if it is permissible.
#define MOST_RANGE 1e140
#define MUCH 1e30
#define STICKY 1e15
static bool isModerate(const ctImpactInput *in)
{
    double uz = fabs(in->u.z), ut = ctFmax(fabs(in->u.x), fabs(in->u.y));
    double lo = ctFmin(in->K.cx.x, ctFmin(in->K.cy.y, in->K.cz.z)),
           hi = ctFmax(in->K.cx.x, ctFmax(in->K.cy.y, in->K.cz.z));
    bool near = ut < MUCH * uz && hi < MUCH * lo && in->mu < STICKY;
    return near && uz > 1e-70 && uz < 1e70 && ut < 1e70 && lo > 1e-70 && hi < 1e70;
}

static bool isOneScale(const ctImpactInput *in)
{
    double lo = ctFmin(in->K.cx.x, ctFmin(in->K.cy.y, in->K.cz.z)),
           hi = ctFmax(in->K.cx.x, ctFmax(in->K.cy.y, in->K.cz.z));
    return hi / MOST_RANGE <= lo;
}

static ctImpactInput rescaled(const ctImpactInput *in, int *kExponent, int *uExponent)
{
    ctImpactInput x = *in;
    frexp(ctFmax(fabs(in->K.cx.x), ctFmax(fabs(in->K.cy.y), fabs(in->K.cz.z))), kExponent);
    frexp(in->u.z, uExponent);
    double *entries[] = {&x.K.cx.x, &x.K.cy.x, &x.K.cy.y, &x.K.cz.x, &x.K.cz.y, &x.K.cz.z};
    for (int i = 0; i < 6; i++) {
        *entries[i] = ldexp(*entries[i], -*kExponent);
    }
    x.u = ctV3(ldexp(x.u.x, -*uExponent), ldexp(x.u.y, -*uExponent), ldexp(x.u.z, -*uExponent));
    return x;
}

static void scaleBack(ctImpactResult *out, int kExponent, int uExponent)
{
    double *impulse[] = {&out->p.x, &out->p.y, &out->p.z}, *velocity[] = {&out->v.x, &out->v.y, &out->v.z};
    for (int i = 0; i < 3; i++) {
        *impulse[i] = ldexp(*impulse[i], uExponent - kExponent);
        *velocity[i] = ldexp(*velocity[i], uExponent);
    }
    out->frictionLoss = ldexp(out->frictionLoss, 2 * uExponent - kExponent);
    out->restitutionLoss = ldexp(out->restitutionLoss, 2 * uExponent - kExponent);
}

// ---- solving --------------------------------------------------------------------------------------

static ctImpactMode invalid(ctImpactResult *out)
{
    *out = (ctImpactResult){ctV3(NAN, NAN, NAN), ctV3(NAN, NAN, NAN), ct_impactInvalid, NAN, NAN, 0};
    return ct_impactInvalid;
}

// K = diag(a, a, k33) up to the rounding of a rotation into the contact frame: spheres, and every impact through the
// centre of an isotropic body. Friction does not change u_z, and u_t keeps its direction.
static inline bool isCentral(const ctImpactInput *in)
{
    const double tolerance = 8.0 * DBL_EPSILON, a = in->K.cx.x, least = a < in->K.cz.z ? a : in->K.cz.z;
    return fabs(in->K.cy.x) <= tolerance * a && fabs(a - in->K.cy.y) <= tolerance * a &&
           (fabs(in->K.cz.x) + fabs(in->K.cz.y)) * (1.0 + in->mu) <= tolerance * least;
}

static ctImpactMode solveCentral(const ctImpactInput *in, ctImpactResult *out)
{
    const double a = 0.5 * (in->K.cx.x + in->K.cy.y), k33 = in->K.cz.z, uz = in->u.z;
    const double pz = -(1.0 + in->e) * uz / k33, r = sqrt(in->u.x * in->u.x + in->u.y * in->u.y);
    const double limit = in->mu * pz;
    out->restitutionLoss = 0.5 * (1.0 - in->e * in->e) * uz * uz / k33;
    out->steps = 0;
    if (r <= limit * a) {
        out->p = ctV3((0.0 - in->u.x) / a, (0.0 - in->u.y) / a, pz); // no negative zeros
        out->v = ctV3(0.0, 0.0, -in->e * uz);
        out->frictionLoss = 0.5 * r * r / a;
        return out->mode = ct_impactStick;
    }
    double share = limit / r; // of u_t in the tangential impulse
    out->p = ctV3(-share * in->u.x, -share * in->u.y, pz);
    out->v = ctV3(in->u.x * (1.0 - share * a), in->u.y * (1.0 - share * a), -in->e * uz);
    out->frictionLoss = limit * (r - 0.5 * a * limit);
    return out->mode = ct_impactSlide;
}

static void solveComposite(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out)
{
    ctImpactResult algebraic, stronge;
    ctSolveAlgebraic(in, contact, &algebraic);
    ctSolveExact(in, contact, &stronge, NULL);
    out->p = ctLerp(stronge.p, algebraic.p, in->sigma);
    out->v = ctLerp(stronge.v, algebraic.v, in->sigma);
    out->steps = stronge.steps;
    ctFinishStraight(in, out);
}

static void solveByLaw(const ctImpactInput *in, const ctCollisionMatrix *contact, ctImpactResult *out,
                       ctImpactCourse *course)
{
    switch (in->law) {
    case ct_lawStronge:
    case ct_lawPoisson:
        ctSolveExact(in, contact, out, course);
        break;
    case ct_lawAlgebraic:
        ctSolveAlgebraic(in, contact, out);
        break;
    case ct_lawComposite:
        solveComposite(in, contact, out);
        break;
    case ct_lawCompliant:
        ctSolveCompliant(in, contact, isCentral(in), out, course);
        break;
    case ct_lawWhittaker:
        ctSolveWhittaker(in, contact, out);
        break;
    case ct_lawSmith:
        ctSolveSmith(in, contact, out);
        break;
    case ct_lawBilinear:
        ctSolveBilinear(in, out);
        break;
    }
}

static ctImpactMode noImpact(const ctImpactInput *in, ctImpactResult *out)
{
    *out = (ctImpactResult){ctZero3(), in->u, ct_impactNone, 0.0, 0.0, 0};
    return ct_impactNone;
}

static bool isFiniteResult(const ctImpactResult *r)
{
    return ctIsFinite3(r->p) && ctIsFinite3(r->v);
}

static bool isApproachingCentral(const ctImpactInput *in)
{
    bool incremental = in->law == ct_lawStronge || in->law == ct_lawPoisson;
    return incremental && in->u.z < 0.0 && in->K.cx.x > 0.0 && in->K.cz.z > 0.0 && isCentral(in);
}

// For numbers of moderate size.
static ctImpactMode solveModerate(const ctImpactInput *in, ctImpactResult *out, ctImpactCourse *course)
{
    if (course == NULL && isApproachingCentral(in)) {
        return solveCentral(in, out);
    }
    ctCollisionMatrix contact;
    if (!ctContactOf(in, &contact) || (in->law == ct_lawBilinear && !isDiagonal(in))) {
        return invalid(out);
    }
    if (!(in->u.z < 0.0)) {
        return noImpact(in, out);
    }
    solveByLaw(in, &contact, out, course);
    // A comparison law may have no solution here.
    return out->mode == ct_impactInvalid || !isFiniteResult(out) ? invalid(out) : out->mode;
}

static ctImpactMode solveExtreme(const ctImpactInput *in, ctImpactResult *out)
{
    if (!isOneScale(in)) {
        return invalid(out);
    }
    int kExponent, uExponent;
    ctImpactInput x = rescaled(in, &kExponent, &uExponent);
    solveModerate(&x, out, NULL);
    if (out->mode == ct_impactInvalid) {
        return ct_impactInvalid;
    }
    if (out->mode == ct_impactNone) {
        return noImpact(in, out);
    }
    scaleBack(out, kExponent, uExponent);
    bool finite = isFiniteResult(out) && isfinite(out->frictionLoss) && isfinite(out->restitutionLoss);
    // An impulse or an energy beyond the range of double, or an impulse below it, which leaves the bodies approaching.
    return finite && ctCheckPermissible(in, out->p, CT_EQUAL) == ct_permissible ? out->mode : invalid(out);
}

ctImpactMode ctSolveImpact(const ctImpactInput *in, ctImpactResult *out)
{
    if (checkNumbers(in) != NULL) {
        return invalid(out);
    }
    return isModerate(in) ? solveModerate(in, out, NULL) : solveExtreme(in, out);
}

const char *ctCheckImpact(const ctImpactInput *in)
{
    const char *wrong = checkNumbers(in);
    if (wrong != NULL) {
        return wrong;
    }
    if (in->law == ct_lawBilinear && !isDiagonal(in)) {
        return "the bilinear law is for a diagonal K";
    }
    int kExponent, uExponent;
    ctImpactInput x = rescaled(in, &kExponent, &uExponent);
    ctCollisionMatrix contact;
    if (!ctContactOf(&x, &contact)) {
        return "K is not positive definite";
    }
    ctImpactResult result;
    return ctSolveImpact(in, &result) == ct_impactInvalid && !isModerate(in) ? "K or u are out of range" : NULL;
}

// The straight path from 0 to p, for results without a course of their own.
static void recordStraight(ctImpactCourse *course)
{
    const ctVec3 u = course->in.u, v = course->result.v, p = course->result.p;
    course->sampleCount = CT_STRAIGHT_SAMPLES;
    for (int i = 0; i < CT_STRAIGHT_SAMPLES; i++) {
        double t = (double)i / (CT_STRAIGHT_SAMPLES - 1);
        course->samples[i] = (ctCourseSample){ctScale(t, p), ctLerp(u, v, t), t * p.z * (u.z + 0.5 * t * (v.z - u.z))};
    }
    course->events[0] = (ctCourseEvent){ct_courseEnds, CT_STRAIGHT_SAMPLES - 1};
    course->eventCount = 1;
}

ctImpactMode ctSolveImpactCourse(const ctImpactInput *in, ctImpactCourse *course)
{
    course->in = *in;
    course->sampleCount = course->eventCount = 0;
    course->rays.count = 0;
    course->rays.sticks = false;
    if (ctCheckImpact(in) != NULL) {
        return invalid(&course->result);
    }
    ctFindInvariantRays(in, &course->rays);
    if (isModerate(in)) {
        solveModerate(in, &course->result, course);
    }
    ctSolveImpact(in, &course->result); // so that it equals a solution without a course bit for bit
    if (course->sampleCount == 0) {
        recordStraight(course);
    }
    return course->result.mode;
}

// ---- K from two bodies ----------------------------------------------------------------------------

static void addBody(const ctImpactBody *body, const ctVec3 axes[3], double k[6])
{
    ctVec3 a = ctCross(body->arm, axes[0]), b = ctCross(body->arm, axes[1]), c = ctCross(body->arm, axes[2]);
    ctVec3 ia = ctMulMV(body->invInertia, a), ib = ctMulMV(body->invInertia, b), ic = ctMulMV(body->invInertia, c);
    k[0] += body->invMass + ctDot(a, ia);
    k[1] += ctDot(a, ib);
    k[2] += ctDot(a, ic);
    k[3] += body->invMass + ctDot(b, ib);
    k[4] += ctDot(b, ic);
    k[5] += body->invMass + ctDot(c, ic);
}

ctMat3 ctImpactMatrix(const ctImpactBody *body1, const ctImpactBody *body2, ctVec3 x, ctVec3 y, ctVec3 normal)
{
    const ctVec3 axes[3] = {x, y, normal};
    double k[6] = {0.0};
    addBody(body1, axes, k);
    addBody(body2, axes, k);
    return ctMat3Symmetric(k[0], k[1], k[2], k[3], k[4], k[5]);
}

// ---- the permissible region -----------------------------------------------------------------------

static unsigned checkPermissible(const ctImpactInput *in, ctVec3 p, double tolerance)
{
    const ctMat3 *K = &in->K;
    ctMat3 full = ctMat3Symmetric(K->cx.x, K->cy.x, K->cz.x, K->cy.y, K->cz.y, K->cz.z);
    ctVec3 v = ctAdd(in->u, ctMulMV(full, p)), mu;
    unsigned flags = ct_permissible;
    // Equation 6 is p . (u + v) <= 0; u . M u is twice the contact energy before.
    double energy = ctSolve(full, in->u, &mu) ? fabs(ctDot(in->u, mu)) : 0.0;
    if (!(ctDot(p, ctAdd(in->u, v)) <= tolerance * energy)) {
        flags |= ct_gainsEnergy;
    }
    double terms = fabs(in->u.z) + fabs(K->cz.x * p.x) + fabs(K->cz.y * p.y) + fabs(K->cz.z * p.z);
    if (!(v.z >= -tolerance * terms)) {
        flags |= ct_leavesApproach;
    }
    double size = ctLength(p);
    if (!(sqrt(p.x * p.x + p.y * p.y) <= in->mu * p.z + tolerance * (1.0 + in->mu) * size)) {
        flags |= ct_leavesCone;
    }
    if (!(p.z >= -tolerance * size)) {
        flags |= ct_pulls;
    }
    return flags;
}

unsigned ctCheckPermissible(const ctImpactInput *in, ctVec3 p, double tolerance)
{
    if (isModerate(in)) {
        return checkPermissible(in, p, tolerance);
    }
    int kExponent, uExponent;
    ctImpactInput x = rescaled(in, &kExponent, &uExponent);
    int shift = kExponent - uExponent;
    return checkPermissible(&x, ctV3(ldexp(p.x, shift), ldexp(p.y, shift), ldexp(p.z, shift)), tolerance);
}
