// Measured tosses of a cube, and simulations of them by every engine.
//
// Error as in Acosta, Yang & Posa 2022: simulate from the first sample, the mean over the samples of |dx| / edge and of
// the angle between the simulated and the measured rotation, then the mean over tosses; and the share of tosses whose
// last rotation is within 20 degrees. Intervals of 95 % are from resampling the tosses.
#include "collision/quat.h"
#include "tests/support/random.h"
#include "tests/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const double edge = 0.1048, mass = 0.37, inertia = 0.00081, frameRate = CT_TOSS_RATE, g = 9.81;

// ---- reading ---------------------------------------------------------------------------------------

static ctToss *newToss(ctTosses *all)
{
    if (all->count % 64 == 0) {
        all->tosses = realloc(all->tosses, (size_t)(all->count + 64) * sizeof *all->tosses);
    }
    ctToss *toss = &all->tosses[all->count++];
    *toss = (ctToss){NULL, 0, {0, 0, 0}, {0, 0, 0}};
    return toss;
}

bool ctTosses_Read(const char *path, ctTosses *all, ctError *error)
{
    gzFile in = gzopen(path, "rb");
    char line[512];
    *all = (ctTosses){NULL, 0};
    if (in == NULL) {
        snprintf(error->message, sizeof error->message, "%s: cannot be read", path);
        return false;
    }
    for (int number = 1; gzgets(in, line, sizeof line) != NULL; number++) {
        int toss, sample;
        double n[13];
        int read = sscanf(line, "%d,%d,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf", &toss, &sample, &n[0],
                          &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7], &n[8], &n[9], &n[10], &n[11], &n[12]);
        if (number == 1) {
            continue; // the names of the columns
        }
        if (read < 9 || (sample == 0 && read < 15)) {
            snprintf(error->message, sizeof error->message, "%s:%d: not a sample", path, number);
            gzclose(in);
            return false;
        }
        ctToss *t = sample == 0 ? newToss(all) : &all->tosses[all->count - 1];
        if (t->count % 64 == 0) {
            t->samples = realloc(t->samples, (size_t)(t->count + 64) * sizeof *t->samples);
        }
        ctQuat q = ctNormalizeQ((ctQuat){n[3], n[4], n[5], n[6]});
        t->samples[t->count++] = (ctTossSample){{n[0], n[1], n[2]}, q};
        if (sample == 0) {
            t->velocity = ctV3(n[7], n[8], n[9]);
            t->spin = ctRotate(q, ctV3(n[10], n[11], n[12]));
        }
    }
    gzclose(in);
    return true;
}

void ctTosses_Free(ctTosses *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->tosses[i].samples);
    }
    free(all->tosses);
}

// ---- simulating ------------------------------------------------------------------------------------

// The height of the lowest corner.
static double lowest(const ctTossSample *s)
{
    ctMat3 r = ctMat3FromQuat(s->q);
    return s->x.z - 0.5 * edge * (fabs(r.cx.z) + fabs(r.cy.z) + fabs(r.cz.z));
}

static double angleBetween(ctQuat a, ctQuat b)
{
    return ctLength(ctQuatLog(ctMulQ(ctConjugate(a), b))) * 180.0 / CT_PI;
}

ctTossError ctToss_Simulate(const ctToss *toss, const ctPeer *peer, int substeps, double mu, double e,
                            ctTossSample *out)
{
    const ctTossSample *first = &toss->samples[0];
    ctPeerBody cube = {mass, {inertia, inertia, inertia}, first->x, first->q, toss->velocity, toss->spin};
    while (lowest(&(ctTossSample){cube.position, cube.orientation}) < 1e-6) {
        cube.position.z += 0.0005; // tracking noise puts it into the table by up to a few mm
    }
    ctPeerWorld *w = peer->create((ctVec3){0, 0, -g}, mu, e, 1.0 / (frameRate * substeps));
    peer->ground(w);
    int id = peer->box(w, (ctVec3){edge, edge, edge}, &cube);
    ctTossError error = {0.0, 0.0, 0.0};
    double last = 0.0;
    for (int i = 0; i < toss->count; i++) {
        for (int j = 0; i > 0 && j < substeps; j++) {
            peer->step(w);
        }
        ctPeerBody s = peer->state(w, id);
        last = angleBetween(s.orientation, toss->samples[i].q);
        error.place += ctDistance(s.position, toss->samples[i].x) / edge / toss->count;
        error.rotation += last / toss->count;
        if (out != NULL) {
            out[i] = (ctTossSample){s.position, s.orientation};
        }
    }
    peer->destroy(w);
    error.pose = last <= 20.0;
    return error;
}

// ---- statistics ------------------------------------------------------------------------------------

static int byValue(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

ctMean ctBootstrap(const double *values, int count, int rounds)
{
    ctRandom r = ctRandomSeed(2026);
    double *means = malloc((size_t)rounds * sizeof *means), sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    for (int k = 0; k < rounds; k++) {
        means[k] = 0.0;
        for (int i = 0; i < count; i++) {
            means[k] += values[ctRandomInt(&r, 0, count - 1)] / count;
        }
    }
    qsort(means, (size_t)rounds, sizeof *means, byValue);
    ctMean mean = {sum / count, means[rounds / 40], means[rounds - 1 - rounds / 40]};
    free(means);
    return mean;
}

// ---- tracking noise --------------------------------------------------------------------------------

// Least squares of a straight line through y at 0, 1 ... n - 1: the sum of squares that is left.
static double restOfLine(const double *y, int n)
{
    double mean = 0.0, slope = 0.0, spread = 0.0, rest = 0.0, middle = 0.5 * (n - 1);
    for (int i = 0; i < n; i++) {
        mean += y[i] / n;
        slope += (i - middle) * y[i];
        spread += (i - middle) * (i - middle);
    }
    slope /= spread;
    for (int i = 0; i < n; i++) {
        double d = y[i] - mean - slope * (i - middle);
        rest += d * d;
    }
    return rest;
}

// Windows of eight samples in flight: the centre is on a parabola with the known g, and a cube turns about a fixed axis
// at a constant rate, because its moments of inertia are equal. Both are straight lines after that is taken away.
void ctTosses_Noise(const ctTosses *all, double *place, double *degrees)
{
    enum { N = 8 };
    double sumPlace = 0.0, sumAngle = 0.0;
    long windows = 0;
    for (int k = 0; k < all->count; k++) {
        const ctToss *t = &all->tosses[k];
        for (int start = 0; start + N <= t->count;) {
            int flying = 0;
            while (flying < N && lowest(&t->samples[start + flying]) > 0.004) {
                flying++;
            }
            if (flying < N) {
                start += flying + 1;
                continue;
            }
            double y[6][N];
            for (int i = 0; i < N; i++) {
                const ctTossSample *s = &t->samples[start + i];
                double time = i / frameRate;
                ctVec3 turn = ctQuatLog(ctMulQ(s->q, ctConjugate(t->samples[start + N / 2].q)));
                y[0][i] = s->x.x;
                y[1][i] = s->x.y;
                y[2][i] = s->x.z + 0.5 * g * time * time;
                y[3][i] = turn.x;
                y[4][i] = turn.y;
                y[5][i] = turn.z;
            }
            for (int i = 0; i < 3; i++) {
                sumPlace += restOfLine(y[i], N) / (N - 2);
                sumAngle += restOfLine(y[3 + i], N) / (N - 2);
            }
            windows++;
            start += N;
        }
    }
    *place = windows > 0 ? sqrt(sumPlace / (double)windows) : NAN;
    *degrees = windows > 0 ? sqrt(sumAngle / (double)windows) * 180.0 / CT_PI : NAN;
}
