// The papers' own methods, so that their results can be rerun: Jia & Wang's Algorithm 1 and Baber's section 4.
// Both are Euler's method for du/dp_z = K (-mu (c, s), 1) under Stronge's law, with closed forms after sliding
// has stopped (and, in Algorithm 1, after it has reached an invariant direction).
#include "engine/impact/impact_internal.h"

enum { MAX_EULER_STEPS = 4000000 };

typedef struct Euler {
    ctCollisionMatrix k;   // of the scaled impact
    double kScale, uScale; // what K and u were divided by
    ctVec3 u, p;
    double wc, wd, eSquared; // work of compression (negative) and of decompression, e^2
    int steps;
} Euler;

static void move(Euler *x, ctVec3 slope, double qx, double qy, double h)
{
    x->u = ctMulAdd(x->u, h, slope);
    x->p = ctMulAdd(x->p, h, ctV3(qx, qy, 1.0));
}

// K (qx, qy, 1)
static ctVec3 slopeOf(const ctCollisionMatrix *k, double qx, double qy)
{
    return ctV3(k->b11 * qx + k->b12 * qy + k->d1, k->b12 * qx + k->b22 * qy + k->d2, k->d1 * qx + k->d2 * qy + k->k33);
}

// Straight on to the end of the impact, or for the normal impulse `left` (Jia & Wang 6.2 and 6.3; Baber's steps 5 and
// 6). True at the end. As in the papers there is one compression and one decompression.
static bool straight(Euler *x, double qx, double qy, double left)
{
    ctVec3 slope = slopeOf(&x->k, qx, qy);
    if (x->u.z < 0.0) {
        double t = slope.z > 0.0 ? -x->u.z / slope.z : INFINITY;
        if (t > left) {
            x->wc += left * (x->u.z + 0.5 * slope.z * left);
            move(x, slope, qx, qy, left);
            return false;
        }
        x->wc += 0.5 * t * x->u.z;
        move(x, slope, qx, qy, t);
        x->u.z = 0.0;
        left -= t;
    }
    double debt = x->wd + x->eSquared * x->wc, discriminant = x->u.z * x->u.z - 2.0 * slope.z * debt;
    double root = discriminant >= 0.0 ? x->u.z + sqrt(discriminant) : 0.0;
    double t = debt >= 0.0 ? 0.0 : (root > 0.0 ? -2.0 * debt / root : INFINITY);
    if (t > left) {
        x->wd += left * (x->u.z + 0.5 * slope.z * left);
        move(x, slope, qx, qy, left);
        return false;
    }
    if (!(t < INFINITY)) {
        return true;
    }
    x->wd -= debt;
    move(x, slope, qx, qy, t);
    return true;
}

// Event s: sliding has stopped (Jia & Wang, equation 38; Baber's step 4).
static void fromOrigin(Euler *x)
{
    const ctCollisionMatrix *k = &x->k;
    x->u.x = x->u.y = 0.0;
    if (k->stick1 * k->stick1 + k->stick2 * k->stick2 <= k->mu * k->mu) {
        straight(x, -k->stick1, -k->stick2, INFINITY);
        x->u.x = x->u.y = 0.0;
        return;
    }
    double c, s;
    ctDivergingRay(k, &c, &s);
    straight(x, -k->mu * c, -k->mu * s, INFINITY);
}

static ctImpactMode finish(const ctImpactInput *in, const Euler *x, ctImpactResult *out)
{
    out->p = ctScale(x->uScale / x->kScale, x->p);
    out->v = ctScale(x->uScale, x->u);
    out->steps = x->steps;
    ctFinishStraight(in, out);
    return out->mode;
}

// Both methods have dimensional steps, made for impacts of order one: u is divided by |u| and K by a third of
// its trace. Returns false, with *out filled in, when there is nothing to integrate.
static bool begin(const ctImpactInput *in, Euler *x, ctImpactResult *out)
{
    if (in->law != ct_lawStronge || ctCheckImpact(in) != NULL || !(in->u.z < 0.0)) {
        ctImpactInput copy = *in;
        if (in->law != ct_lawStronge) {
            copy.K = ctMat3Zero(); // these methods know no other law: invalid
        }
        ctSolveImpact(&copy, out);
        return false;
    }
    *x = (Euler){.kScale = (in->K.cx.x + in->K.cy.y + in->K.cz.z) / 3.0, .uScale = ctLength(in->u)};
    ctImpactInput scaled = *in;
    scaled.K = ctScaleM(1.0 / x->kScale, in->K);
    scaled.u = x->u = ctScale(1.0 / x->uScale, in->u);
    x->eSquared = in->e * in->e;
    if (!ctContactOf(&scaled, &x->k)) {
        ctSolveImpact(in, out);
        return false;
    }
    return true;
}

// Equation 36 with equation 37: the step that bounds both the length and the turning of the hodograph's piece.
static double stepOf36(const ctCollisionMatrix *k, ctVec3 slope, double c, double s, double r)
{
    const double epsilon = 0.5, h1 = 0.01, h2 = 0.01;
    double speed = sqrt(slope.x * slope.x + slope.y * slope.y);
    double turn = (c * slope.y - s * slope.x) / r; // dtheta/dp_z
    double ax = -k->mu * turn * (k->b12 * c - k->b11 * s), ay = -k->mu * turn * (k->b22 * c - k->b12 * s);
    double curvature = fabs(slope.x * ay - slope.y * ax) / (speed * speed * speed);
    return epsilon * h1 / speed + (1.0 - epsilon) * h2 / (curvature * speed);
}

ctImpactMode ctSolveImpactJiaWang(const ctImpactInput *in, double step, bool closedForm, ctImpactResult *out)
{
    // Below these the sliding velocity is zero (event s), and its direction invariant (event l).
    const double zero = 1e-6, parallel = 1e-6;
    Euler x;
    if (!begin(in, &x, out)) {
        return out->mode;
    }
    const ctCollisionMatrix *k = &x.k;
    step *= x.kScale / x.uScale;
    for (; x.steps < MAX_EULER_STEPS; x.steps++) {
        double r = sqrt(x.u.x * x.u.x + x.u.y * x.u.y), c = r > 0.0 ? x.u.x / r : 0.0, s = r > 0.0 ? x.u.y / r : 0.0;
        if (r < zero && (closedForm || r == 0.0) && k->mu > 0.0) {
            fromOrigin(&x);
            break;
        }
        double qx = -k->mu * c, qy = -k->mu * s;
        ctVec3 slope = slopeOf(k, qx, qy);
        double across = c * slope.y - s * slope.x, along = c * slope.x + s * slope.y;
        bool straightOn = fabs(across) <= parallel * sqrt(slope.x * slope.x + slope.y * slope.y);
        if ((straightOn && closedForm) || k->mu == 0.0) {
            if (!straight(&x, qx, qy, along < 0.0 && k->mu > 0.0 ? r / -along : INFINITY)) {
                fromOrigin(&x);
            }
            break;
        }
        double h = step > 0.0 ? step : stepOf36(k, slope, c, s, r);
        bool stops = closedForm && along < 0.0 && h >= r / -along;
        h = stops ? r / -along : h;
        bool turns = x.u.z < 0.0 && slope.z > 0.0 && x.u.z + slope.z * h >= 0.0;
        if (turns) {
            h = -x.u.z / slope.z;
            stops = false;
        }
        double work = h * (x.u.z + 0.5 * slope.z * h), debt = x.wd + x.eSquared * x.wc;
        if (x.u.z >= 0.0 && x.p.z > 0.0 && debt + work >= 0.0) {
            straight(&x, qx, qy, h);
            break;
        }
        *(x.u.z < 0.0 ? &x.wc : &x.wd) += work;
        move(&x, slope, qx, qy, h);
        x.u.z = turns ? 0.0 : x.u.z;
        if (turns && x.eSquared == 0.0) {
            break;
        }
        if (stops) {
            fromOrigin(&x);
            break;
        }
    }
    return finish(in, &x, out);
}

ctImpactMode ctSolveImpactBaber(const ctImpactInput *in, double delta, ctImpactResult *out)
{
    Euler x;
    if (!begin(in, &x, out)) {
        return out->mode;
    }
    const ctCollisionMatrix *k = &x.k;
    double h = delta * x.kScale / x.uScale;
    // "Approximately 0": what a step would overshoot.
    double zero = 0.5 * h * (k->mu * (k->b11 + k->b22) + fabs(k->d1) + fabs(k->d2));
    for (; x.steps < MAX_EULER_STEPS; x.steps++) {
        double r = sqrt(x.u.x * x.u.x + x.u.y * x.u.y);
        if (r <= zero && k->mu > 0.0) {
            fromOrigin(&x);
            break;
        }
        double qx = r > 0.0 ? -k->mu * x.u.x / r : 0.0, qy = r > 0.0 ? -k->mu * x.u.y / r : 0.0;
        *(x.u.z < 0.0 ? &x.wc : &x.wd) += x.u.z * h;
        move(&x, slopeOf(k, qx, qy), qx, qy, h);
        // Step 3c. With e = 0 it holds at once, so it also wants u_z > 0.
        if (x.u.z > 0.0 && x.wd >= -x.eSquared * x.wc) {
            break;
        }
    }
    return finish(in, &x, out);
}
