// One impact between two rigid bodies at one point: from K and the relative velocity to the impulse.
//
// Everything here is in the contact frame: z is the contact normal and points from body 2 to body 1,
// u = u1 - u2 is the relative velocity of the two contact points (m/s), p the impulse on body 1 (N s),
// and u changes by K p, where K is the symmetric, positive definite collision matrix (1/kg).
#ifndef CT_IMPACT_H
#define CT_IMPACT_H

#include "collision/mat3.h"
#include "engine/law.h"

typedef struct ctImpactInput {
    ctMat3 K;     // the upper triangle is read
    ctVec3 u;     // before the impact
    double mu;    // coefficient of friction, >= 0
    double e;     // restitution along the normal, in [0, 1]
    double et;    // restitution along the tangent, in [-1, 1]; algebraic, composite and bilinear
    double sigma; // share of the algebraic law, in [0, 1]; composite only
    ctLaw law;
    double eta2; // tangential stiffness over normal stiffness, > 0; compliant only
} ctImpactInput;

// How the contact ended.
typedef enum ctImpactMode {
    ct_impactNone,         // the bodies were not approaching: p = 0
    ct_impactSlide,        // sliding, without having stopped
    ct_impactStick,        // no tangential velocity is left
    ct_impactReverseSlide, // sliding stopped and began anew, in another direction
    ct_impactInvalid,      // not an impact: K is not positive definite, a number out of range or not finite
} ctImpactMode;

typedef struct ctImpactResult {
    ctVec3 p; // the impulse on body 1; NaN when invalid
    ctVec3 v; // the relative velocity after; NaN when invalid
    ctImpactMode mode;
    // Kinetic energy lost (J). The sum is exact; the split is by the work of the tangential and of the
    // normal force. Laws without a course (algebraic and the like) are split along the straight path to p.
    double frictionLoss, restitutionLoss;
    int steps; // integration steps: 0 when the impact has a closed form
} ctImpactResult;

// Solves one impact, to 1e-9 of |p| or better, in bounded time, whatever the input. Returns result->mode. Also invalid
// are: mu above 1e100; a K whose diagonal elements differ by more than 1e140; an impulse or a loss beyond the range of
// double; an impulse that is not permissible where mu is above 1e15 or numbers of K or u differ by more than 1e30.
ctImpactMode ctSolveImpact(const ctImpactInput *in, ctImpactResult *out);

// NULL when the input is a valid impact or a separating contact; else what is wrong, in words.
const char *ctCheckImpact(const ctImpactInput *in);

// "stronge", "poisson", ...; NULL for a number that is no law.
const char *ctLawName(ctLaw law);
bool ctLawFromName(const char *name, ctLaw *law);
// "slide", "stick", "reverse-slide", "none", "invalid".
const char *ctImpactModeName(ctImpactMode mode);

// [method] The stiffness ratio of two bodies of one material with Poisson's ratio nu: 2 (1 - nu) / (2 - nu) (Mindlin
// 1949). This is for nu = 0.3, where a material does not say.
#define CT_DEFAULT_ETA2 (14.0 / 17.0)

// The ratio of a material; the default if it gives none (0).
static inline double ctEta2Of(double given)
{
    return given > 0.0 ? given : CT_DEFAULT_ETA2;
}

// ---- K from two bodies ----------------------------------------------------------------------------

// What a body brings to an impact, in any one frame. A fixed or kinematic body has invMass = 0 and
// invInertia = 0: it contributes exact zeros.
typedef struct ctImpactBody {
    double invMass;    // 1/kg
    ctMat3 invInertia; // about the centre of mass, 1/(kg m^2)
    ctVec3 arm;        // from the centre of mass to the contact point, m
} ctImpactBody;

// K in the contact frame with the axes x, y and normal, which are unit vectors in the bodies' frame:
// K_ij = (1/m1 + 1/m2) delta_ij + sum over the bodies of (r x e_i) . I^-1 (r x e_j).
ctMat3 ctImpactMatrix(const ctImpactBody *body1, const ctImpactBody *body2, ctVec3 x, ctVec3 y, ctVec3 normal);

// ---- the permissible region (Chatterjee & Ruina, section 3.2) -------------------------------------

typedef enum ctPermissible {
    ct_permissible = 0,
    ct_gainsEnergy = 1,    // equation 6
    ct_leavesApproach = 2, // n . v < 0
    ct_leavesCone = 4,     // |p_t| > mu n . p
    ct_pulls = 8,          // n . p < 0
} ctPermissible;

// A set of flags. tolerance is relative (1e-9 is fair): to the energy before, the approach velocity, and |p|.
unsigned ctCheckPermissible(const ctImpactInput *in, ctVec3 p, double tolerance);

// ---- invariant directions (Jia & Wang, section 4; Baber, section 3.8) ------------------------------

typedef struct ctInvariantRay {
    double angle;    // of the sliding direction, in (-pi, pi]
    double c, s;     // its cosine and sine
    double rate;     // d|u_t|/dp_z on the ray, 1/kg; negative: towards the origin
    bool diverging;  // rate > 0: centrifugal
    bool attracting; // neighbouring directions turn towards it
} ctInvariantRay;

typedef struct ctInvariantRays {
    int count; // 2 to 4, in the order of the angle; -1: every direction is invariant
    ctInvariantRay rays[4];
    bool sticks; // |B^-1 d| <= mu: a contact that stops sliding sticks, and no ray diverges
} ctInvariantRays;

// K, mu of a valid input; u is not used. With mu = 0 the only direction of change is d.
void ctFindInvariantRays(const ctImpactInput *in, ctInvariantRays *out);

// ---- the whole course -----------------------------------------------------------------------------

// [storage] Samples of a recorded course (when there are more, every other one is dropped); events; samples of a
// straight piece.
#define CT_COURSE_SAMPLES 512
#define CT_COURSE_EVENTS 16
#define CT_STRAIGHT_SAMPLES 17

typedef struct ctCourseSample {
    ctVec3 p, u; // impulse so far (p.z is the parameter), relative velocity
    double work; // of the normal force so far, J
} ctCourseSample;

typedef enum ctCourseEventKind {
    ct_courseCompressionEnds, // u_z rises through zero (event c of Jia & Wang)
    ct_courseRecompression,   // u_z falls through zero: a second compression begins
    ct_courseSlidingStops,    // u_t = 0 (event s)
    ct_courseSlidingBegins,   // the spring slips: compliant only (event b)
    ct_courseOnRay,           // the direction of sliding no longer changes (event l)
    ct_courseEnds,            // event r
} ctCourseEventKind;

typedef struct ctCourseEvent {
    ctCourseEventKind kind;
    int sample; // the sample at which it happens
} ctCourseEvent;

// Plain data, about 30 kB; nothing to free.
typedef struct ctImpactCourse {
    ctImpactInput in;
    ctImpactResult result;
    ctInvariantRays rays;
    int sampleCount, eventCount;
    ctCourseSample samples[CT_COURSE_SAMPLES];
    ctCourseEvent events[CT_COURSE_EVENTS];
} ctImpactCourse;

// The same solution with its course. Laws without a course get the straight path from 0 to p, in CT_STRAIGHT_SAMPLES.
ctImpactMode ctSolveImpactCourse(const ctImpactInput *in, ctImpactCourse *course);

// ---- the papers' own methods, for comparison ------------------------------------------------------

// Jia & Wang's Algorithm 1 (stronge). step > 0 is a fixed step of the normal impulse; step = 0 adapts it by
// equation 36 with epsilon = 0.5, h1 = h2 = 0.01. closedForm = false integrates to the end ("NI" in their Table 1).
ctImpactMode ctSolveImpactJiaWang(const ctImpactInput *in, double step, bool closedForm, ctImpactResult *out);

// Baber, section 4: Euler with the step delta of the normal impulse (stronge).
ctImpactMode ctSolveImpactBaber(const ctImpactInput *in, double delta, ctImpactResult *out);

#endif
