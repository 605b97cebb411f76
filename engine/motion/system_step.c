// The motion of a system: steps of Dormand & Prince's method of order 5 (1980) with control of the error, states in
// between (motion/system_track.c), and events (motion/system_events.c).
//
// Modes are frozen within a step. After it, events of the state are looked for (slip has ended, an open point has
// arrived, the caller's watch), and located on the polynomials of the step; the step is repeated up to there. Where
// forces leave what their modes allow (a point pulls, a sticking point leaves the cone), the modes at the step's end
// are found. If with them the bodies accelerate as they did, to the tolerance, they are adopted; otherwise the step
// ends where the law was first broken.
#include "engine/motion/system_internal.h"

#include "engine/motion/dormand_prince.h"

#include <string.h>

// [cap] Events in one run, and in one place: more would not end.
#define MOST_EVENTS 60
#define SAME_TIME 6
// [cap] Rejected steps in a row.
#define FAILURES 12
// [cap] No place (m), velocity or spin is as great: beyond it their squares have no value.
#define BEYOND 1e100
// Share of itself that slip may lose in a step while it turns and ends; while it grows, it may turn by this share of
// its rate (rad) more. Larger: steps are rejected; smaller: more steps.
#define LAST_SLIP 0.5
// [method] Bodies rest that a step moves and accelerates by less than this share of its error.
#define REST 1e-3
// [method] The error of a step in which slip turns by a radian, as a share of the slip.
#define FIRST_ERROR 1e-2
// [rounding] Smaller errors of a step, in tolerances, say nothing about the next one.
#define NO_ERROR 1e-5
// Delay of the friction of stiff slip, as a share of the step. Larger: slip lags behind; smaller: steps are rejected.
#define DELAY 0.4

// The errors of a tried step, in tolerances: that of the method, and that of the delay of stiff slip.
typedef struct Trial {
    double error, delayed;
    double h;   // s: its length
    bool rests; // nothing has moved
    ctVec3 first[CT_SYSTEM_POINTS];
} Trial;

// ---- one step ---------------------------------------------------------------------------------

static void measureSpeed(ctSystem *s)
{
    s->speed = ctFmax(ctSystem_FallSpeed(s), 1e-100);
    for (int i = 0; i < s->movable; i++) {
        const ctSystemBody *b = &s->bodies[i];
        double v = ctLength(ctSystem_Get(s->y, i, ct_systemV)), w = ctLength(ctSystem_Get(s->y, i, ct_systemW));
        s->speed = ctFmax(s->speed, v + w * ctFmin(b->radius, s->size));
        s->fastest = ctFmax(s->fastest, v + w * b->radius);
    }
}

// The accelerations of an accepted step; those of a rejected one may be anything.
static void measurePull(ctSystem *s, double h)
{
    if (s->series.used) {
        s->strongest = ctFmax(s->strongest, ctSystem_SeriesPull(s, h));
        return;
    }
    for (int stage = 0; stage < 7; stage++) {
        for (int i = 0; i < s->movable; i++) {
            double a = ctLength(ctSystem_Get(s->k[stage], i, ct_systemV));
            double alpha = ctLength(ctSystem_Get(s->k[stage], i, ct_systemW));
            s->strongest = ctFmax(s->strongest, a + alpha * s->bodies[i].radius);
        }
    }
}

// Four rates of so many stages, weighted.
static inline __attribute__((always_inline)) ctFour addStages(const ctSystem *s, const double *weights, int count,
                                                              int at)
{
    ctFour sum = {0.0};
    for (int j = 0; j < count; j++) {
        sum += weights[j] * *(const ctFourAt *)&s->k[j][at];
    }
    return sum;
}

// The state z at a stage of the step of h. False where it is beyond all bounds.
static inline __attribute__((always_inline)) bool reachStage(const ctSystem *s, double h, int stage, double *z)
{
    int n = ctSystem_Count(s);
    ctFourBits sound = {-1, -1, -1, -1};
    for (int i = 0; i < n; i += 4) {
        int at = ctFour_At(i, n);
        ctFour state = *(const ctFourAt *)&s->y[at] + h * addStages(s, CT_STAGES[stage], stage + 1, at);
        sound &= (state < BEYOND) & (state > -BEYOND);
        *(ctFourAt *)&z[at] = state;
    }
    return (sound[0] & sound[1] & sound[2] & sound[3]) != 0;
}

static bool stageOf(const ctSystem *s, double h, int stage, double *z)
{
    switch (stage) { // numbers that the compiler knows
    case 0:
        return reachStage(s, h, 0, z);
    case 1:
        return reachStage(s, h, 1, z);
    case 2:
        return reachStage(s, h, 2, z);
    case 3:
        return reachStage(s, h, 3, z);
    case 4:
        return reachStage(s, h, 4, z);
    default:
        return reachStage(s, h, 5, z);
    }
}

static double errorOf(const ctSystem *s, double h)
{
    static const int firsts[5] = {ct_systemX, ct_systemV, ct_systemQ, ct_systemW, ct_systemBody};
    double most = 0.0, sums[CT_SYSTEM_STATE];
    int n = ctSystem_Count(s);
    for (int i = 0; i < n; i += 4) {
        *(ctFourAt *)&sums[ctFour_At(i, n)] = addStages(s, CT_ERRORS, 7, ctFour_At(i, n));
    }
    for (int b = 0; b < s->movable; b++) {
        double r = ctFmin(s->bodies[b].radius, s->size), scales[4] = {r, s->speed, 1.0, s->speed / r};
        const double *own = sums + ct_systemBody * b;
        for (int part = 0; part < 4; part++) {
            double squares = 0.0;
            for (int i = firsts[part]; i < firsts[part + 1]; i++) {
                squares += own[i] * own[i];
            }
            most = ctFmax(most, h * sqrt(squares) / (s->tolerance * scales[part]));
        }
    }
    return most;
}

// The time until slip ends at the rate of the last evaluation, s; infinite: it does not.
static double slipTime(const ctSystemPoint *p, double slip)
{
    return p->along < 0.0 ? slip / -p->along : (double)INFINITY;
}

// Over a distance within the tolerance slip ends without turning: its direction does not matter.
static bool isLast(const ctSystem *s, const ctSystemPoint *p, double slip, double lasts)
{
    return p->mode == ct_pointSlip && slip * lasts <= s->tolerance * s->size;
}

static bool isStiff(const ctSystem *s, const ctSystemPoint *p, double lasts, double h)
{
    return p->mode == ct_pointSlip && !p->held && p->friction > 0.0 && !(lasts < h) && !ctPoint_IsRing(p) &&
           ctDot(p->force, p->n) > 1e-6 * s->force && ctPoint_Stiffness(s, p) * h > CT_STIFF;
}

// Whether the law of slip changes with the length of the step.
static bool chooseStiff(ctSystem *s, double h)
{
    bool changed = false;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        double slip = ctLength(ctPoint_Slip(p)), lasts = slipTime(p, slip);
        bool last = isLast(s, p, slip, lasts), holds = p->held && p->friction > 0.0 && !ctPoint_IsRing(p);
        bool stiff = holds || isStiff(s, p, lasts, h);
        changed = changed || stiff || stiff != p->stiff || last != p->last;
        p->stiff = stiff;
        p->last = last;
        p->delay = holds ? (double)INFINITY : DELAY * h;
    }
    return changed;
}

static void resetDirections(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->dir = p->startDir;
        p->turns[ct_turnRoll].dir = p->turns[ct_turnRoll].startDir;
        p->turns[ct_turnSpin].dir = p->turns[ct_turnSpin].startDir;
    }
}

static void keepStart(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->startN = p->n;
        p->startAt = p->at;
        p->startU = p->u;
        p->startForce = p->force;
        p->startTurn = p->turn;
        p->startLean = p->lean;
        p->startLow = p->sine > CT_FLAT_RIM && ctPoint_IsClosed(p) ? p->low : ctZero3();
        p->startAlong = p->along;
        p->startAcross = p->across;
        p->startGap = p->gap;
        p->startUn = p->un;
        if (ctPoint_Resists(p)) {
            ctPoint_KeepTurns(s, p);
        }
    }
}

static void restoreStart(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->n = p->startN;
        p->at = p->startAt;
        p->u = p->startU;
        p->dir = p->startDir;
        p->force = p->startForce;
        p->turn = p->startTurn;
        p->lean = p->startLean;
        p->along = p->startAlong;
        p->across = p->startAcross;
        p->lately = ctDot(p->force, p->n);
        p->stiff = p->last = false;
        ctPoint_RestoreTurns(p);
    }
}

// The rates at the start of a step, as if no slip were stiff. They are those at the end of the last step, if it was
// accepted unchanged: in frames that turn with the bodies, orientations do not change at first. A repeated step has
// them already.
static bool beginStep(ctSystem *s)
{
    bool known = s->ready;
    for (int i = 0; i < s->pointCount; i++) {
        known = known && !s->points[i].stiff;
    }
    s->ready = s->series.used = false;
    for (int i = 0; i < s->movable; i++) {
        s->spins[i] = ctSystem_Get(s->y, i, ct_systemW);
    }
    if (s->begun) {
        restoreStart(s);
        return true;
    }
    s->series.known = false;
    if (known) {
        memcpy(s->k[0], s->k[6], sizeof s->k[0]);
        for (int i = 0; i < s->movable; i++) {
            ctSystem_PutQ(s->k[0], i, ctQuatOf(0.0, 0.0, 0.0, 0.0));
        }
    } else {
        for (int i = 0; i < s->pointCount; i++) {
            ctSystemPoint *p = &s->points[i];
            p->stiff = p->last = false;
            p->dir = p->startDir;
            p->along = p->across = 0.0;
            ctPoint_RestoreTurns(p);
        }
        if (!ctSystem_Rates(s, s->time, s->y, s->k[0])) {
            return false;
        }
        ctSystem_NoteSlip(s, s->k[0]);
    }
    keepStart(s);
    s->begun = true;
    return true;
}

// Whether nothing moves during a step of h: no point slips, and the rates at its start change the state by next to
// nothing. Forces are then the same throughout.
static bool isAtRest(const ctSystem *s, double h)
{
    for (int i = 0; i < s->pointCount; i++) {
        if (s->points[i].mode == ct_pointSlip) {
            return false;
        }
    }
    for (int i = 0; i < s->movable; i++) {
        double r = ctFmin(s->bodies[i].radius, s->size), still = REST * s->tolerance / h;
        if (ctLength(ctSystem_Get(s->k[0], i, ct_systemX)) + r * ctLength(s->spins[i]) > still * r ||
            ctLength(ctSystem_Get(s->k[0], i, ct_systemV)) + r * ctLength(ctSystem_Get(s->k[0], i, ct_systemW)) >
                still * s->speed) {
            return false;
        }
    }
    return true;
}

// The step of h from y of bodies at rest.
static void restOn(ctSystem *s, double h)
{
    for (int stage = 1; stage < 7; stage++) {
        memcpy(s->k[stage], s->k[0], sizeof s->k[0]);
    }
    for (int i = 0; i < ctSystem_Count(s); i++) {
        s->y1[i] = s->y[i] + h * s->k[0][i];
    }
    ctSystem_PlaceClosed(s, s->time + h, s->y1); // ground may move elsewhere
}

// Slip that is about to end keeps its direction.
static void chooseLast(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        double slip = ctLength(ctPoint_Slip(p));
        p->last = isLast(s, p, slip, slipTime(p, slip));
    }
}

// How long a step by series is in place of one of h: at most `most` (s), or h itself where that is 0. 0: the motion has
// none, or slip is stiff and its series are shorter.
static double seriesStep(ctSystem *s, double h, double most)
{
    if (s->series.known ? !(s->series.length > 0.0) : !ctSystem_IsOnCorners(s)) {
        return 0.0;
    }
    chooseLast(s);
    double length = ctSystem_Expand(s) ? ctFmin(most > 0.0 ? most : h, s->series.length) : 0.0;
    int room = s->track != NULL ? s->track->capacity - s->track->count : 0;
    if (s->track != NULL && length > 0.0 && ctSystem_Parts(s, length) > room) {
        length = 0.999 * room * s->series.part; // rounding must not make it one part more
    }
    length = length > 0.0 && most > 0.0 ? ctSystem_SoundSeries(s, length) : length;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        length = length < h && isStiff(s, p, slipTime(p, ctLength(ctPoint_Slip(p))), h) ? 0.0 : length;
    }
    for (int i = 0; i < s->pointCount && !(length > 0.0); i++) {
        s->points[i].last = false;
    }
    return length;
}

// Takes the step of h on the series.
static bool followSeries(ctSystem *s, double h)
{
    s->series.used = true;
    for (int i = 0; i < s->movable; i++) {
        s->spins[i] = ctZero3();
    }
    ctSystem_Follow(s, h, s->y1);
    if (!ctSystem_Rates(s, s->time + h, s->y1, s->k[6])) {
        return false;
    }
    ctSystem_NoteSlip(s, s->k[6]);
    return true;
}

// A step of h from y; its end is y1, with the rates k[6]. False where forces cannot be found, or are those of equations
// that are singular to rounding. most: a step by series may be so long, s; 0: it is h.
static bool tryStep(ctSystem *s, double h, double most, Trial *trial)
{
    double z[CT_SYSTEM_STATE];
    trial->h = h;
    if (!beginStep(s)) {
        return false;
    }
    double series = seriesStep(s, h, most);
    if (most > 0.0 ? series > 0.0 : series == h) {
        trial->h = series;
        trial->rests = false;
        trial->error = trial->delayed = 0.0;
        ctSystem_Report(s, trial->first);
        return followSeries(s, series);
    }
    bool last = ctSystem_ChooseLast(s);
    if (chooseStiff(s, h) || last) {
        s->begun = false;
        if (!ctSystem_Rates(s, s->time, s->y, s->k[0])) {
            return false;
        }
    }
    ctSystem_Report(s, trial->first);
    trial->error = trial->delayed = 0.0;
    trial->rests = isAtRest(s, h);
    if (trial->rests) {
        restOn(s, h);
        return true;
    }
    for (int stage = 0; stage < 6; stage++) {
        double time = s->time + CT_NODES[stage] * h, *rates = s->k[stage + 1];
        if (!stageOf(s, h, stage, z) || !ctSystem_Rates(s, time, z, rates)) {
            return false;
        }
    }
    memcpy(s->y1, z, (size_t)ctSystem_Count(s) * sizeof *z);
    ctSystem_NoteSlip(s, s->k[6]);
    trial->error = errorOf(s, h);
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode == ct_pointSlip && p->stiff && !p->held) {
            trial->delayed = ctFmax(trial->delayed, 0.3 * p->delay * p->across / ctSystem_NoSlip(s));
        }
    }
    return isfinite(trial->error) && isfinite(trial->delayed);
}

// The factor for the length of the next step. Where errors grow from step to step, as towards the end of a turning
// slip, the next one is expected to grow by as much again (Gustafsson's predictive control): last is the error that the
// last step would have had with the length of this one.
static double better(const Trial *trial, double last)
{
    double error = ctFmax(trial->error, 1e-10), expected = error * ctFmax(1.0, error / ctFmax(last, 1e-10));
    return ctFmax(0.1, ctFmin(0.9 * ctPow(expected, -0.2), 0.8 / ctFmax(trial->delayed, 1e-3)));
}

// ---- the run ----------------------------------------------------------------------------------

static bool startModes(ctSystem *s, double near)
{
    bool candidates[CT_SYSTEM_POINTS];
    measureSpeed(s);
    s->ready = s->begun = false;
    ctSystem_Place(s, s->time, s->y);
    ctSystem_TipRings(s, near, s->y);
    ctSystem_Candidates(s, near, candidates);
    for (int i = 0; i < s->pointCount; i++) {
        if (candidates[i] && ctPoint_Closing(&s->points[i]) < -ctPoint_Slow(s, &s->points[i])) {
            return false;
        }
    }
    bool found = ctSystem_FindModes(s, candidates);
    if (found && ctSystem_Land(s, candidates)) {
        ctSystem_Candidates(s, near, candidates);
        found = ctSystem_FindModes(s, candidates);
        ctSystem_Project(s, s->time, true, s->y);
    }
    return found;
}

static void openAll(ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        s->points[i].mode = ct_pointOpen;
        s->points[i].loose = s->points[i].held = s->points[i].fixed = false;
    }
}

// Whether an open point neither separates nor is away while others are closed: it would be closed if a motion began
// here.
static bool isOverlooked(ctSystem *s)
{
    bool any = false, held = false;
    ctSystem_Place(s, s->time, s->y);
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        held = held || ctPoint_IsClosed(p);
        any = any || (!ctPoint_IsClosed(p) && fabs(p->gap) < CT_ARRIVED * s->size && fabs(p->un) < ctSystem_Error(s));
    }
    return any && held;
}

bool ctSystem_Begin(ctSystem *s, double near)
{
    s->steps = s->rejected = s->events = s->solved = 0;
    s->time = s->base = s->fastest = s->strongest = 0.0;
    s->y[ct_systemBody * s->movable] = s->y[ct_systemBody * s->movable + 1] = 0.0;
    openAll(s);
    ctSystem_FindGround(s);
    bool found = startModes(s, near);
    // Three corners that stop the rest of their velocities stop the fourth: it bears as they do.
    if (found && isOverlooked(s)) {
        openAll(s);
        found = startModes(s, near);
    }
    return found;
}

bool ctSystem_IsFree(const ctSystem *s)
{
    for (int i = 0; i < s->pointCount; i++) {
        if (ctPoint_IsClosed(&s->points[i])) {
            return false;
        }
    }
    return true;
}

static void accept(ctSystem *s, double h, double end, const Trial *trial)
{
    if (s->track != NULL && s->series.used) {
        ctSystem_KeepSeries(s, h, trial->first);
    } else if (s->track != NULL) {
        ctSystem_KeepStep(s, h, trial->first);
    }
    s->steps++;
    measurePull(s, h);
    memcpy(s->y, s->y1, sizeof s->y);
    for (int i = 0; i < s->movable; i++) {
        ctQuat turn = ctSystem_Turn(s->spins[i], h);
        ctSystem_PutQ(s->y, i, ctNormalizeQ(ctMulQ(turn, ctSystem_GetQ(s->y, i))));
    }
    s->time = s->base = s->time + h > end - 1e-12 * s->longest ? end : s->time + h;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->fresh = p->fresh && ctLength(ctPoint_Slip(p)) < 10.0 * ctSystem_NoSlip(s);
        p->startDir = p->dir;
        for (int part = 0; part < 2 && ctPoint_Resists(p); part++) {
            ctPointTurn *t = &p->turns[part];
            t->fresh = t->fresh && ctPoint_TurnAlong(s, p, part) < 10.0 * ctSystem_NoSlip(s);
            t->startDir = t->dir;
        }
    }
    measureSpeed(s);
}

// For a tried step whose error is small enough: the share of it that counts, and the event at its end. Modes change
// where that makes no difference.
static double lookAt(ctSystem *s, double h, Trial *trial, ctSystemEvent *event)
{
    double share = ctSystem_FirstEvent(s, h, event), step = share * h;
    s->ready = share == 1.0;
    if (share < 1.0 && (!(step > CT_EQUAL * s->longest) || !tryStep(s, step, 0.0, trial))) {
        return 0.0;
    }
    if (ctSystem_Margin(s) >= 0.0) {
        return step;
    }
    s->ready = false;
    ctSystemPoint keep[CT_SYSTEM_POINTS];
    double force = s->force;
    size_t bytes = (size_t)s->pointCount * sizeof *keep;
    memcpy(keep, s->points, bytes);
    double difference = ctSystem_Adopt(s, step, s->time + step, s->y1, s->k[6]);
    if (difference <= 1.0) {
        return step;
    }
    s->force = force;
    memcpy(s->points, keep, bytes);
    double part = ctSystem_FirstBreach(s, step);
    memcpy(s->points, keep, bytes);
    *event = ct_eventForce;
    // Beyond the breach, however near it is: before it the modes would be found again.
    step = part > 0.0 ? ctFmin(step, ctFmax(part * step, 2.0 * CT_EQUAL * s->longest)) : 0.0;
    return step > CT_EQUAL * s->longest && tryStep(s, step, 0.0, trial) ? step : 0.0;
}

// Slip that turns while it ends does so faster and faster: the longest step for it, s. Valid after an accepted step:
// others leave wrong accelerations.
static double longestSlip(const ctSystem *s)
{
    double longest = ctFmin(s->longest, ctSystem_LongestTurn(s, LAST_SLIP));
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode != ct_pointSlip || p->held || !(p->friction > 0.0)) {
            continue;
        }
        double slip = ctLength(ctPoint_Slip(p)), lasts = slipTime(p, slip);
        bool ends = lasts<(double)INFINITY, turns = p->across> CT_SHORTEST_STEP * fabs(p->along);
        if (ends ? slip * lasts > s->tolerance * s->size && p->across * lasts > ctSystem_Error(s) : turns) {
            double rate = ctFmax(-p->along, 0.0) + p->across;
            longest = ctFmin(longest, ctFmax(LAST_SLIP * slip, ctSystem_NoSlip(s)) / rate);
        }
    }
    return longest;
}

double ctSystem_FirstStep(ctSystem *s)
{
    double longest = s->next > 0.0 ? s->next : 0.1 * s->longest;
    if (!beginStep(s)) {
        return longest;
    }
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        double slip = ctLength(ctPoint_Slip(p)), rate = ctFmax(-p->along, 0.0) + p->across;
        if (p->mode == ct_pointSlip && !p->held && p->friction > 0.0 && p->across > CT_SHORTEST_STEP * fabs(p->along)) {
            longest = ctFmin(longest, slip / rate * ctPow(ctSystem_Error(s) / (FIRST_ERROR * slip), 0.2));
        }
    }
    return ctFmin(longest, longestSlip(s));
}

static ctSystemEnd endOf(ctSystemEvent event)
{
    return event == ct_eventWatched ? ct_systemWatch : event == ct_eventArrival ? ct_systemArrive : ct_systemDone;
}

double ctSystem_Run(ctSystem *s, double length, bool whole)
{
    double end = s->time + length, last = -INFINITY, limit = s->longest, rate = INFINITY;
    int here = 0, failures = 0, stalled = 0;
    bool fresh = false;
    s->next = s->next > 0.0 ? s->next : 0.1 * s->longest;
    s->end = ct_systemDone;
    while (s->time < end && s->end == ct_systemDone) {
        if (fresh) {
            s->next = ctSystem_FirstStep(s);
        }
        fresh = false;
        double most = whole ? s->longest : ctFmin(s->longest, end - s->time), before = s->time;
        double h = ctFmin(ctFmin(s->next, limit), most);
        Trial trial = {0};
        if (ctSystem_IsFree(s) || (s->track != NULL && s->track->count == s->track->capacity)) {
            s->end = ctSystem_IsFree(s) ? ct_systemFree : ct_systemFull;
            break;
        }
        bool found = tryStep(s, h, most, &trial);
        h = trial.h;
        if (!found || trial.error > 1.0 || trial.delayed > 1.0) {
            s->rejected++;
            s->next = h * (found ? better(&trial, INFINITY) : 0.25);
            resetDirections(s);
            s->end = s->next < CT_EQUAL * s->longest || ++failures > FAILURES ? ct_systemFailed : ct_systemDone;
            continue;
        }
        failures = 0;
        double power = h * h * h * h * h, grown = h * ctFmin(4.0, better(&trial, rate * power));
        rate = s->series.used ? (double)INFINITY : ctFmax(trial.error, NO_ERROR) / power;
        grown = s->series.used ? h : trial.rests ? s->longest : grown;
        ctSystemEvent event = ct_eventNone;
        double step = lookAt(s, h, &trial, &event);
        if (step > 0.0) {
            accept(s, step, whole ? (double)INFINITY : end, &trial);
            s->begun = false;
            s->ready = ctSystem_Project(s, s->time, false, s->y) <= 0.01 * s->tolerance && s->ready;
            limit = longestSlip(s);
        } else {
            limit = s->longest;
            s->ready = false;
            resetDirections(s);
        }
        s->next = step < h ? ctFmin(s->next, h) : h < s->next && grown > h ? ctFmax(s->next, grown) : grown;
        stalled = s->time > before ? 0 : stalled + 1;
        if (event == ct_eventNone) {
            s->end = stalled > FAILURES ? ct_systemFailed : ct_systemDone; // nothing happens, and no time passes
            continue;
        }
        s->events++;
        here = s->time - last < 1e-6 * s->longest ? here + 1 : 0;
        last = s->time;
        s->end = endOf(event);
        fresh = true;
        s->verge = step == 0.0;
        if (s->end == ct_systemDone && !startModes(s, CT_ARRIVED * s->size)) {
            s->end = s->over != NULL ? ct_systemArrive : ct_systemFailed;
        } else if (s->end == ct_systemDone && (s->events > MOST_EVENTS || here > SAME_TIME)) {
            s->end = ct_systemFailed;
        }
        s->verge = false;
        if (step == 0.0 && before == s->time) {
            s->next = ctFmax(0.1 * s->next, 1e-6 * s->longest);
        }
    }
    if (s->track != NULL) {
        memcpy(s->track->end, s->y, sizeof s->y);
        s->track->length = s->time;
    }
    return s->time;
}

double ctSystem_Energy(const ctSystem *s, const double *y)
{
    double sum = 0.0;
    for (int i = 0; i < s->movable; i++) {
        const ctSystemBody *b = &s->bodies[i];
        ctVec3 v = ctSystem_Get(y, i, ct_systemV);
        ctVec3 w = ctInvRotate(ctSystem_GetQ(y, i), ctSystem_Get(y, i, ct_systemW));
        sum += 0.5 * b->mass * ctLengthSquared(v) + 0.5 * ctDot(w, ctMul(b->inertia, w));
        sum -= b->mass * ctDot(ctSystem_Pull(s, i), ctSystem_Get(y, i, ct_systemX));
    }
    return sum;
}
