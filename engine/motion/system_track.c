// States in between the ends of a system's steps: the polynomials of order 4 that belong to Dormand and Prince's method
// (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, II.6).
#include "engine/motion/system_internal.h"

#include <string.h>

static const double DENSE[7] = {-12715105075.0 / 11282082432.0,  0.0,
                                87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                69997945.0 / 29380423.0};

// Where the parts of a step are in a track.
enum { TIME, LENGTH, COURSE };

void ctSystem_MakePiece(const ctSystem *s, double h, double *c)
{
    int n = ctSystem_Count(s);
    for (int i = 0; i < n; i += 4) {
        int at = ctFour_At(i, n);
        double *p = c + at;
        ctFour y = *(const ctFour *)&s->y[at], change = *(const ctFour *)&s->y1[at] - y;
        ctFour bend = h * *(const ctFour *)&s->k[0][at] - change, sum = {0.0};
        for (int j = 0; j < 7; j++) {
            sum += DENSE[j] * *(const ctFour *)&s->k[j][at];
        }
        *(ctFour *)p = y;
        *(ctFour *)(p + n) = change;
        *(ctFour *)(p + 2 * n) = bend;
        *(ctFour *)(p + 3 * n) = change - h * *(const ctFour *)&s->k[6][at] - bend;
        *(ctFour *)(p + 4 * n) = h * sum;
    }
}

void ctPiece_Read(const double *c, int n, double at, double *y)
{
    double left = 1.0 - at;
    for (int i = 0; i < n; i += 4) {
        const double *p = c + ctFour_At(i, n);
        ctFour c0 = *(const ctFour *)p, c1 = *(const ctFour *)(p + n), c2 = *(const ctFour *)(p + 2 * n);
        ctFour c3 = *(const ctFour *)(p + 3 * n), c4 = *(const ctFour *)(p + 4 * n);
        *(ctFour *)&y[ctFour_At(i, n)] = c0 + at * (c1 + left * (c2 + at * (c3 + left * c4)));
    }
}

// The derivative of that by the share.
static void readRates(const double *c, int n, double at, double *rates)
{
    double left = 1.0 - at;
    for (int i = 0; i < n; i++) {
        double d = c[3 * n + i] + left * c[4 * n + i], e = c[2 * n + i] + at * d, f = c[n + i] + left * e;
        double eRate = d - at * c[4 * n + i], fRate = left * eRate - e;
        rates[i] = f + at * fRate;
    }
}

int ctSystemTrack_Stride(int movable, int pointCount)
{
    return COURSE + 5 * (ct_systemBody * movable + 2) + 6 * pointCount;
}

static double *stepOf(const ctSystemTrack *track, int index)
{
    return track->steps + (size_t)index * (size_t)track->stride;
}

// The forces of a step: at its start (0) or its end (1).
static double *forcesOf(const ctSystemTrack *track, double *step, int end)
{
    return step + COURSE + 5 * (ct_systemBody * track->movable + 2) + 3 * end * track->pointCount;
}

void ctSystem_KeepStep(ctSystem *s, double h, const ctVec3 *first)
{
    ctSystemTrack *track = s->track;
    double *step = stepOf(track, track->count++), *f0 = forcesOf(track, step, 0), *f1 = forcesOf(track, step, 1);
    step[TIME] = s->time;
    step[LENGTH] = h;
    ctSystem_MakePiece(s, h, step + COURSE);
    ctVec3 end[CT_SYSTEM_POINTS];
    ctSystem_Report(s, end);
    for (int i = 0; i < s->pointCount; i++) {
        ctVec3 last = end[i];
        f0[3 * i] = first[i].x;
        f0[3 * i + 1] = first[i].y;
        f0[3 * i + 2] = first[i].z;
        f1[3 * i] = last.x;
        f1[3 * i + 1] = last.y;
        f1[3 * i + 2] = last.z;
    }
}

static int stepAt(const ctSystemTrack *track, double time, double *share)
{
    int i = 0;
    for (int end = track->count; end - i > 1;) {
        int middle = (i + end) / 2;
        if (stepOf(track, middle)[TIME] > time) {
            end = middle;
        } else {
            i = middle;
        }
    }
    const double *step = stepOf(track, i);
    *share = ctFmin(1.0, ctFmax(0.0, (time - step[TIME]) / step[LENGTH]));
    return i;
}

const double *ctSystemTrack_Start(const ctSystemTrack *track, int index)
{
    return index < track->count ? stepOf(track, index) + COURSE : track->end;
}

void ctSystemTrack_StateAt(const ctSystemTrack *track, double time, double *y, double *rates)
{
    int n = ctSystem_States(track->movable);
    memset(rates != NULL ? rates : y, 0, (size_t)n * sizeof *y);
    if (track->count > 0 && (time < track->length || rates != NULL)) {
        double share;
        const double *step = stepOf(track, stepAt(track, time, &share)), *c = step + COURSE;
        ctPiece_Read(c, n, share, y);
        for (int i = 0; i < track->movable; i++) {
            ctQuat turn = ctSystem_Turn(ctSystem_Get(c, i, ct_systemW), share * step[LENGTH]);
            ctSystem_PutQ(y, i, ctNormalizeQ(ctMulQ(turn, ctSystem_GetQ(y, i))));
        }
        if (rates != NULL) {
            readRates(c, n, share, rates);
            for (int i = 0; i < n; i++) {
                rates[i] /= step[LENGTH];
            }
        }
    }
    if (!(time < track->length)) {
        memcpy(y, track->end, (size_t)n * sizeof *y);
    }
}

void ctSystemTrack_ForcesAt(const ctSystemTrack *track, double time, ctVec3 *forces, ctVec3 *impulses)
{
    double share = 0.0;
    int last = track->count > 0 ? stepAt(track, time, &share) : -1;
    for (int i = 0; i < track->pointCount; i++) {
        forces[i] = impulses[i] = ctZero3();
    }
    for (int k = 0; k <= last; k++) {
        double *step = stepOf(track, k), part = k < last ? 1.0 : share, half = 0.5 * part * step[LENGTH];
        const double *f0 = forcesOf(track, step, 0), *f1 = forcesOf(track, step, 1);
        for (int i = 0; i < track->pointCount; i++, f0 += 3, f1 += 3) {
            ctVec3 first = ctV3(f0[0], f0[1], f0[2]);
            forces[i] = ctLerp(first, ctV3(f1[0], f1[1], f1[2]), part);
            impulses[i] = ctMulAdd(impulses[i], half, ctAdd(first, forces[i]));
        }
    }
}
