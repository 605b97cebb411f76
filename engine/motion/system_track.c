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
        ctFour y = *(const ctFourAt *)&s->y[at], change = *(const ctFourAt *)&s->y1[at] - y;
        ctFour bend = h * *(const ctFourAt *)&s->k[0][at] - change, sum = {0.0};
        for (int j = 0; j < 7; j++) {
            sum += DENSE[j] * *(const ctFourAt *)&s->k[j][at];
        }
        *(ctFourAt *)p = y;
        *(ctFourAt *)(p + n) = change;
        *(ctFourAt *)(p + 2 * n) = bend;
        *(ctFourAt *)(p + 3 * n) = change - h * *(const ctFourAt *)&s->k[6][at] - bend;
        *(ctFourAt *)(p + 4 * n) = h * sum;
    }
}

void ctPiece_Read(const double *c, int n, double at, double *y)
{
    double left = 1.0 - at;
    for (int i = 0; i < n; i += 4) {
        const double *p = c + ctFour_At(i, n);
        ctFour c0 = *(const ctFourAt *)p, c1 = *(const ctFourAt *)(p + n), c2 = *(const ctFourAt *)(p + 2 * n);
        ctFour c3 = *(const ctFourAt *)(p + 3 * n), c4 = *(const ctFourAt *)(p + 4 * n);
        *(ctFourAt *)&y[ctFour_At(i, n)] = c0 + at * (c1 + left * (c2 + at * (c3 + left * c4)));
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

static int strideOf(const ctSystemTrack *track)
{
    return COURSE + 5 * ctSystem_States(track->movable) + 9 * track->forceCount;
}

ctSystemTrack ctSystemTrack_Empty(int movable, int pointCount)
{
    ctSystemTrack track = {.movable = movable, .pointCount = pointCount, .forceCount = pointCount};
    for (int i = 0; i < pointCount; i++) {
        track.forced[i] = i;
    }
    track.stride = strideOf(&track);
    return track;
}

static double *stepOf(const ctSystemTrack *track, int index)
{
    return track->steps + (size_t)index * (size_t)track->stride;
}

// The forces of a step: at its start (0) or its end (1); the impulses until its start (2).
static double *forcesOf(const ctSystemTrack *track, double *step, int part)
{
    return step + COURSE + 5 * ctSystem_States(track->movable) + 3 * part * track->forceCount;
}

double *ctSystemTrack_Force(const ctSystemTrack *track, int index, int point, int end)
{
    for (int i = 0; i < track->forceCount; i++) {
        if (track->forced[i] == point) {
            return forcesOf(track, stepOf(track, index), end) + 3 * i;
        }
    }
    return NULL;
}

static ctVec3 read(const double *p)
{
    return ctV3(p[0], p[1], p[2]);
}

static void write(double *p, ctVec3 v)
{
    p[0] = v.x;
    p[1] = v.y;
    p[2] = v.z;
}

// The force of a listed point at a share of a step. *impulse: until then.
static ctVec3 forceAt(const ctSystemTrack *track, double *step, int i, double share, ctVec3 *impulse)
{
    ctVec3 first = read(forcesOf(track, step, 0) + 3 * i);
    ctVec3 force = ctLerp(first, read(forcesOf(track, step, 1) + 3 * i), share);
    *impulse = ctMulAdd(read(forcesOf(track, step, 2) + 3 * i), 0.5 * share * step[LENGTH], ctAdd(first, force));
    return force;
}

void ctSystemTrack_AddImpulses(ctSystemTrack *track, int index)
{
    double *sums = forcesOf(track, stepOf(track, index), 2);
    for (int i = 0; i < track->forceCount; i++) {
        ctVec3 impulse = ctZero3();
        if (index > 0) {
            forceAt(track, stepOf(track, index - 1), i, 1.0, &impulse);
        }
        write(sums + 3 * i, impulse);
    }
}

void ctSystem_KeepPart(ctSystem *s, double time, double h, const double *c, const ctVec3 *first, const ctVec3 *end)
{
    ctSystemTrack *track = s->track;
    double *step = stepOf(track, track->count), *f0 = forcesOf(track, step, 0), *f1 = forcesOf(track, step, 1);
    step[TIME] = time;
    step[LENGTH] = h;
    memcpy(step + COURSE, c, (size_t)(5 * ctSystem_Count(s)) * sizeof *c);
    for (int i = 0; i < s->pointCount; i++) {
        write(f0 + 3 * i, first[i]);
        write(f1 + 3 * i, end[i]);
    }
    ctSystemTrack_AddImpulses(track, track->count++);
}

void ctSystem_KeepStep(ctSystem *s, double h, const ctVec3 *first)
{
    ctVec3 end[CT_SYSTEM_POINTS];
    double c[5 * CT_SYSTEM_STATE];
    ctSystem_MakePiece(s, h, c);
    ctSystem_Report(s, end);
    ctSystem_KeepPart(s, s->time, h, c, first, end);
}

// Whether a listed point carries force on a track.
static bool carries(const ctSystemTrack *track, int i)
{
    for (int k = 0; k < track->count; k++) {
        double *step = stepOf(track, k);
        const double *f0 = forcesOf(track, step, 0) + 3 * i, *f1 = forcesOf(track, step, 1) + 3 * i;
        if (f0[0] != 0.0 || f0[1] != 0.0 || f0[2] != 0.0 || f1[0] != 0.0 || f1[1] != 0.0 || f1[2] != 0.0) {
            return true;
        }
    }
    return false;
}

void ctSystemTrack_Pack(ctSystemTrack *track)
{
    ctSystemTrack packed = *track;
    int kept[CT_SYSTEM_POINTS], states = COURSE + 5 * ctSystem_States(track->movable);
    packed.forceCount = 0;
    for (int i = 0; i < track->forceCount; i++) {
        if (carries(track, i)) {
            kept[packed.forceCount] = i;
            packed.forced[packed.forceCount++] = track->forced[i];
        }
    }
    packed.stride = strideOf(&packed);
    for (int k = 0; k < track->count; k++) {
        double *from = stepOf(track, k), *to = stepOf(&packed, k);
        memmove(to, from, (size_t)states * sizeof *to);
        for (int part = 0; part < 3; part++) { // no number is moved to a place behind its own
            for (int i = 0; i < packed.forceCount; i++) {
                write(forcesOf(&packed, to, part) + 3 * i, read(forcesOf(track, from, part) + 3 * kept[i]));
            }
        }
    }
    *track = packed;
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
    for (int i = 0; i < track->pointCount; i++) {
        forces[i] = impulses[i] = ctZero3();
    }
    if (track->count > 0) {
        double *step = stepOf(track, stepAt(track, time, &share));
        for (int i = 0; i < track->forceCount; i++) {
            forces[track->forced[i]] = forceAt(track, step, i, share, &impulses[track->forced[i]]);
        }
    }
}
