// The tables of measured tosses: every engine with the authors' coefficients, the floor that noise gives, and fits on
// one half of the tosses with errors on the other.
#include "collision/quat.h"
#include "engine/law.h"
#include "tests/support/random.h"
#include "tests/validate/validate.h"

#include <math.h>
#include <stdlib.h>

static void addErrors(ctResults *results, const char *section, const char *engine, double rate,
                      const ctTossError *errors, int count)
{
    static const char *const keys[] = {"place", "rotation", "pose"};
    double *values = malloc((size_t)count * sizeof *values);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < count; i++) {
            values[i] = k == 0 ? 100.0 * errors[i].place : k == 1 ? errors[i].rotation : 100.0 * errors[i].pose;
        }
        ctMean m = ctBootstrap(values, count, 2000);
        ctResults_Add(results, (ctResult){section, keys[k], engine, rate, m.value, m.lo, m.hi});
    }
    free(values);
}

// Every `stride`-th toss from `first` on; returns how many.
static int simulateAll(const ctTosses *all, int first, int stride, const ctPeer *peer, int substeps, double mu,
                       double e, ctTossError *errors)
{
    int n = 0;
    for (int i = first; i < all->count; i += stride) {
        errors[n++] = ctToss_Simulate(&all->tosses[i], peer, substeps, mu, e, NULL);
    }
    return n;
}

// What noise of the first sample alone does: a simulation from a state that is off by so much against one that is not.
static void noiseFloor(const ctTosses *all, ctResults *results, ctTossError *errors)
{
    double place, degrees;
    ctTosses_Noise(all, &place, &degrees);
    ctResults_Add(results, (ctResult){"floor", "noise_place_mm", "-", 0, 1000.0 * place, NAN, NAN});
    ctResults_Add(results, (ctResult){"floor", "noise_rotation_deg", "-", 0, degrees, NAN, NAN});
    // Velocities come from a line through about eight samples.
    const double perAxis = place / sqrt(3.0), turn = degrees * CT_PI / 180.0 / sqrt(3.0);
    const double slope = CT_TOSS_RATE * sqrt(12.0 / (8.0 * 63.0));
    ctRandom r = ctRandomSeed(7);
    for (int i = 0; i < all->count; i++) {
        const ctToss *t = &all->tosses[i];
        ctTossSample *clean = malloc((size_t)t->count * sizeof *clean);
        ctToss_Simulate(t, &ctPeerClatter, 1, CT_TOSS_MU, CT_TOSS_E, clean);
        ctToss off = {clean, t->count, t->velocity, t->spin};
        ctTossSample start = clean[0];
        double n[12];
        for (int k = 0; k < 12; k++) {
            n[k] = ctRandomNormal(&r);
        }
        clean[0].x = ctMulAdd(start.x, perAxis, ctV3(n[0], n[1], n[2]));
        clean[0].q = ctMulQ(ctQuatExp(ctScale(turn, ctV3(n[3], n[4], n[5]))), start.q);
        off.velocity = ctMulAdd(off.velocity, perAxis * slope, ctV3(n[6], n[7], n[8]));
        off.spin = ctMulAdd(off.spin, turn * slope, ctV3(n[9], n[10], n[11]));
        errors[i] = ctToss_Simulate(&off, &ctPeerClatter, 1, CT_TOSS_MU, CT_TOSS_E, NULL);
        free(clean);
    }
    addErrors(results, "floor", "noise", CT_TOSS_RATE, errors, all->count);
}

// ---- the comparison --------------------------------------------------------------------------------

// The pair of coefficients with the least error (edges plus radians) on the even tosses, and the errors on the odd.
static void fit(const ctTosses *all, const ctPeer *peer, const char *name, int substeps, ctResults *results,
                ctTossError *errors)
{
    static const double mus[] = {0.12, 0.15, 0.18, 0.21, 0.25}, es[] = {0.0, 0.06, 0.125, 0.2, 0.3, 0.4};
    double best = INFINITY, mu = 0.0, e = 0.0;
    for (int i = 0; i < 30; i++) {
        int n = simulateAll(all, 0, 2, peer, substeps, mus[i / 6], es[i % 6], errors);
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += errors[k].place + errors[k].rotation * CT_PI / 180.0;
        }
        if (sum < best) {
            best = sum;
            mu = mus[i / 6];
            e = es[i % 6];
        }
    }
    double rate = CT_TOSS_RATE * substeps;
    ctResults_Add(results, (ctResult){"fit", "mu", name, rate, mu, NAN, NAN});
    ctResults_Add(results, (ctResult){"fit", "e", name, rate, e, NAN, NAN});
    int n = simulateAll(all, 1, 2, peer, substeps, mu, e, errors);
    addErrors(results, "fit", name, rate, errors, n);
}

void ctTosses_Validate(ctResults *results)
{
    ctTosses all;
    ctError error = {ct_ok, ""};
    if (!ctTosses_Read(CT_TOSS_FILE, &all, &error)) {
        fprintf(stderr, "validate: %s\n", error.message);
        exit(1);
    }
    ctTossError *errors = malloc((size_t)all.count * sizeof *errors);
    static const struct {
        const ctPeer *peer;
        int substeps;
    } runs[] = {{&ctPeerClatter, 1}, {&ctPeerBullet, 1}, {&ctPeerBullet, 8}, {&ctPeerBullet, 100},
                {&ctPeerOde, 1},     {&ctPeerOde, 8},    {&ctPeerOde, 100}};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        int n = simulateAll(&all, 0, 1, runs[i].peer, runs[i].substeps, CT_TOSS_MU, CT_TOSS_E, errors);
        addErrors(results, "toss", runs[i].peer->name, CT_TOSS_RATE * runs[i].substeps, errors, n);
    }
    noiseFloor(&all, results, errors);
    fit(&all, &ctPeerClatter, "Clatter", 1, results, errors);
    fit(&all, &ctPeerBullet, "Bullet", 8, results, errors);
    fit(&all, &ctPeerOde, "ODE", 8, results, errors);
    static const struct {
        ctLaw law;
        const char *name;
    } laws[] = {{ct_lawStronge, "stronge"},
                {ct_lawPoisson, "poisson"},
                {ct_lawAlgebraic, "algebraic"},
                {ct_lawCompliant, "compliant"}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        ctPeerClatter_SetLaw(laws[i].law, 0.0);
        fit(&all, &ctPeerClatter, laws[i].name, 1, results, errors);
    }
    ctPeerClatter_SetLaw(ct_lawStronge, 0.0);
    free(errors);
    ctTosses_Free(&all);
}
