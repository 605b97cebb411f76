// Events of a system during a step with frozen modes: by its state, and by its forces.
#include "engine/motion/system_internal.h"

// [rounding] Of the time of an event, as a share of the longest step.
#define EXACT 1e-12
// [cap] Iterations for the time of an event.
#define ITERATIONS 60
// [cap] Places of a step at which the watch is asked.
#define MOST_PARTS 64.0
// [cap] Halvings of a step in which two bodies may meet and part again.
#define MOST_HALVES 12

// ---- the first negative value ------------------------------------------------------------------

// A part of a step in which a quantity becomes negative: over at lo, under at hi.
typedef struct Bracket {
    double lo, hi, over, under;
    double past, value; // the end that was replaced last, and what the quantity was there
    bool late, known;   // hi is the newer end; there is a past one
} Bracket;

// Where to look next (Chandrupatla 1997): at the root of the inverse parabola through both ends and the past one, where
// that is monotonic between the ends, and otherwise in the middle. Not nearer to an end than `near`.
static double between(const Bracket *b, double near)
{
    double end = b->late ? b->hi : b->lo, other = b->late ? b->lo : b->hi, width = b->hi - b->lo;
    double f = b->late ? b->under : b->over, g = b->late ? b->over : b->under, h = b->value, share = f / (f - g);
    if (b->known) {
        double x = (end - other) / (b->past - other), y = (f - g) / (h - g);
        bool bends = !(y * y < x && (1.0 - y) * (1.0 - y) < 1.0 - x);
        double across = f * h / ((g - f) * (g - h)), along = (b->past - end) / (other - end);
        share = bends ? 0.5 : across + along * (f * g / ((h - f) * (h - g)));
    }
    share = isfinite(share) ? ctFmax(near / width, ctFmin(share, 1.0 - near / width)) : 0.5;
    return end + share * (other - end);
}

static void narrow(Bracket *b, double share, double value)
{
    b->late = value < 0.0;
    double *end = b->late ? &b->hi : &b->lo, *old = b->late ? &b->under : &b->over;
    b->past = *end;
    b->value = *old;
    b->known = true;
    *end = share;
    *old = value;
}

// ---- events of the state ----------------------------------------------------------------------

static void take(double *least, ctSystemEvent *event, double value, ctSystemEvent what)
{
    if (value < *least) {
        *least = value;
        *event = what;
    }
}

// How far a rim that falls is from flat.
static double beforeFlat(const ctSystemPoint *p)
{
    bool falls = p->onA.kind == ct_guideRim && p->sineRate < 0.0 && ctLengthSquared(p->startLow) > 0.0;
    return falls ? p->sine - CT_FALLEN_RIM : 1.0;
}

// Negative when something has happened; the closed points are placed. *event: what.
static double monitor(ctSystem *s, ctSystemEvent *event)
{
    double least = INFINITY, tolerance = ctSystem_NoSlip(s) / s->speed;
    ctSystem_PlaceGaps(s);
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->held) {
            take(&least, event, 20.0 * tolerance - ctLength(ctPoint_Slip(p)) / s->speed, ct_eventSlip);
        } else if (p->mode == ct_pointSlip && p->friction > 0.0) {
            double along = ctDot(ctPoint_Slip(p), p->startDir) / s->speed + (p->fresh ? 3.0 * tolerance : 0.0);
            take(&least, event, along, ct_eventSlip);
        } else if (p->loose) {
            take(&least, event, 20.0 * s->tolerance - fabs(p->un) / s->speed, ct_eventLoose);
            // separating points may overlap by what an impact has left
        } else if (p->mode == ct_pointOpen && ctPoint_Closing(p) < 0.0) {
            take(&least, event, ctPoint_Lowest(p) / s->size + CT_ARRIVED, ct_eventArrival);
        }
        if (ctPoint_Resists(p)) {
            take(&least, event, ctPoint_TurnLeft(s, p), ct_eventSlip);
        }
        if (ctPoint_IsClosed(p)) {
            take(&least, event, p->reach / s->size + 1e-12, ct_eventArrival);
            take(&least, event, beforeFlat(p), ct_eventArrival);
        }
    }
    if (s->watch != NULL) {
        take(&least, event, s->watch(s->context, s), ct_eventWatched);
    }
    return least;
}

static double monitorAt(ctSystem *s, double time, const double *y, ctSystemEvent *event)
{
    ctSystem_PlaceClosed(s, time, y);
    return monitor(s, event);
}

// The greatest speed of any part of a body at the ends of a step, m/s.
static double fastestOf(const ctSystem *s)
{
    double fastest = 0.0;
    for (int i = 0; i < s->movable; i++) {
        for (int end = 0; end < 2; end++) {
            const double *y = end ? s->y1 : s->y;
            double turning = s->bodies[i].radius * ctLength(ctSystem_Get(y, i, ct_systemW));
            fastest = ctFmax(fastest, ctLength(ctSystem_Get(y, i, ct_systemV)) + turning);
        }
    }
    return fastest;
}

// ---- open points in the middle of a step --------------------------------------------------------

// A place of a step: its share, what the monitor says there, and the gaps of points and their rates.
typedef struct Place {
    double share, value;
    double gap[CT_SYSTEM_POINTS], un[CT_SYSTEM_POINTS];
} Place;

static void notePlace(const ctSystem *s, double share, double value, Place *place)
{
    place->share = share;
    place->value = value;
    for (int i = 0; i < s->pointCount; i++) {
        place->gap[i] = s->points[i].gap;
        place->un[i] = s->points[i].un;
    }
}

// What is beyond a face stays there: nothing passes it inside a step.
static bool isOnFace(const ctSystemPoint *p)
{
    return p->onA.kind == ct_guideFace || p->onB.kind == ct_guideFace;
}

// Whether an open point stays apart between two moments, h apart, in which bodies move by no more than way relative to
// each other: it does not arrive, as the monitor sees it. The cubic through gaps and rates is positive where its
// control points are. It tells only if the way is less than the size: farther on, a body has passed the other, unless
// that is a face.
static bool staysApart(const ctSystem *s, const ctSystemPoint *p, const double gap[2], const double un[2], double h,
                       double way)
{
    bool parts = un[0] > 0.0 && un[1] > 0.0 && !ctPoint_IsRing(p);
    double g0 = gap[0] + CT_ARRIVED * s->size, g1 = gap[1] + CT_ARRIVED * s->size;
    if (parts || isOnFace(p)) {
        return parts || ctStaysPositive(g0, g1, un[0], un[1], h);
    }
    bool positive = (g0 > 0.0 || un[0] > 0.0) && g0 + h * un[0] / 3.0 > 0.0 && g1 - h * un[1] / 3.0 > 0.0 && g1 > 0.0;
    return g0 > way || (way < s->size && positive);
}

static bool isApart(const ctSystem *s, const Place *a, const Place *b, double h, double way)
{
    double part = b->share - a->share;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        const double gap[2] = {a->gap[i], b->gap[i]}, un[2] = {a->un[i], b->un[i]};
        bool hides = p->mode == ct_pointOpen && !p->loose && !isOnFace(p);
        if (hides && !staysApart(s, p, gap, un, part * h, part * way)) {
            return false;
        }
    }
    return true;
}

// Whether nothing can have happened in the middle of a step at whose end the points are placed. Slip and distant
// corners show that by their rates. The watch is not asked there where bodies move by less than in a part of a longer
// step.
static bool isCalm(const ctSystem *s, double h)
{
    double way = 2.0 * h * fastestOf(s);
    bool calm = s->watch == NULL || way <= s->stride;
    for (int i = 0; i < s->pointCount && calm; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode == ct_pointOpen && !p->loose) {
            const double gap[2] = {p->startGap, p->gap}, un[2] = {p->startUn, p->un};
            calm = staysApart(s, p, gap, un, h, way);
            continue;
        }
        calm = !p->held && !p->loose && !(p->reach < (double)INFINITY);
        if (p->mode == ct_pointSlip && p->friction > 0.0) {
            ctVec3 before = ctMulAdd(p->startU, ctDot(p->startTurn, p->startN), p->startN);
            double f0 = ctDot(before, p->startDir), f1 = ctDot(ctPoint_Slip(p), p->startDir);
            calm = calm && !p->stiff && !p->last && ctStaysPositive(f0, f1, p->startAlong, p->along, h);
        }
        calm = calm && (!ctPoint_Resists(p) || ctPoint_TurnsOn(s, p, h));
    }
    return calm;
}

// In how many parts a step is examined: in two, or so that bodies move by no more than a stride between two questions
// to the watch.
static int partsOf(const ctSystem *s, double h)
{
    double way = s->watch != NULL ? h * fastestOf(s) : 0.0;
    return way > 2.0 * s->stride ? (int)ctFmin(ceil(way / s->stride), MOST_PARTS) : 2;
}

// The pieces of a step of the length h; a state on them, at a share of the step.
static void makePiece(const ctSystem *s, double h, double *c)
{
    if (!s->series.used) {
        ctSystem_MakePiece(s, h, c);
    }
}

static void stateWithin(const ctSystem *s, double h, const double *c, double share, double *z)
{
    if (s->series.used) {
        ctSystem_Follow(s, share * h, z);
    } else {
        ctPiece_Read(c, ctSystem_Count(s), share, z);
    }
}

// The pieces c of a step of the length h at a share of it: negative when something has happened.
static double valueAt(ctSystem *s, double h, const double *c, double share, ctSystemEvent *event)
{
    double z[CT_SYSTEM_STATE];
    stateWithin(s, h, c, share, z);
    return monitorAt(s, s->time + share * h, z, event);
}

// What is new is known to touch when it overlaps visibly. Where it did not at the start of the bracket, it is located
// where it begins to.
static void locate(ctSystem *s, double h, const double *c, Bracket *b)
{
    ctSystemEvent at;
    s->locates = true;
    double over = valueAt(s, h, c, b->lo, &at), under = valueAt(s, h, c, b->hi, &at);
    s->locates = over > 0.0 && under < 0.0 && at == ct_eventWatched;
    if (s->locates) {
        b->over = over;
        b->under = under;
    }
}

// Looks between two places where nothing has happened for one where open points have met: a body may have met another
// and passed it. Halves what may hide that.
static bool findMeeting(ctSystem *s, double h, double way, const double *c, const Place *a, const Place *b, int halves,
                        Bracket *bracket, ctSystemEvent *event)
{
    if (halves == 0 || isApart(s, a, b, h, way)) {
        return false;
    }
    Place middle;
    double share = 0.5 * (a->share + b->share), value = valueAt(s, h, c, share, event);
    if (value < 0.0) {
        *bracket = (Bracket){.lo = a->share, .over = a->value, .hi = share, .under = value};
        return true;
    }
    notePlace(s, share, value, &middle);
    return findMeeting(s, h, way, c, a, &middle, halves - 1, bracket, event) ||
           findMeeting(s, h, way, c, &middle, b, halves - 1, bracket, event);
}

// The same for a whole step, at whose end the points are placed, with the value there.
static bool hidesMeeting(ctSystem *s, double h, const double *c, const Place *end, Bracket *bracket,
                         ctSystemEvent *event)
{
    Place start = {.share = 0.0, .value = -1.0}; // not known
    for (int i = 0; i < s->pointCount; i++) {
        start.gap[i] = s->points[i].startGap;
        start.un[i] = s->points[i].startUn;
    }
    return findMeeting(s, h, 2.0 * h * fastestOf(s), c, &start, end, MOST_HALVES, bracket, event);
}

double ctSystem_FirstEvent(ctSystem *s, double h, ctSystemEvent *event)
{
    double c[5 * CT_SYSTEM_STATE];
    ctSystemEvent atEnd = ct_eventNone, at = ct_eventNone;
    double end = monitor(s, &atEnd);
    *event = ct_eventNone;
    if (!(end < 0.0) && isCalm(s, h)) {
        return 1.0;
    }
    Place last;
    notePlace(s, 1.0, end, &last);
    makePiece(s, h, c);
    int parts = partsOf(s, h);
    Bracket b = {.over = -1.0};
    for (int i = 1; i <= parts && b.hi == 0.0; i++) {
        double share = (double)i / parts, value = end;
        at = atEnd;
        if (i < parts) {
            value = valueAt(s, h, c, share, &at);
        }
        narrow(&b, share, value);
        *event = value < 0.0 ? at : *event;
    }
    b.known = false;
    if (b.hi == 0.0 && !hidesMeeting(s, h, c, &last, &b, event)) {
        *event = ct_eventNone;
        ctSystem_PlaceClosed(s, s->time + h, s->y1);
        ctSystem_PlaceGaps(s);
        return 1.0;
    }
    if (b.lo == 0.0) {
        b.over = monitorAt(s, s->time, s->y, &at);
        if (b.over < 0.0) {
            *event = at;
            return 0.0;
        }
    }
    if (*event == ct_eventWatched) {
        locate(s, h, c, &b);
    }
    for (int i = 0; i < ITERATIONS && (b.hi - b.lo) * h > EXACT * s->longest; i++) {
        double share = between(&b, 0.5 * EXACT * s->longest / h), value = valueAt(s, h, c, share, &at);
        narrow(&b, share, value);
        *event = value < 0.0 ? at : *event;
    }
    s->locates = false;
    return b.hi;
}

// ---- events of the forces ---------------------------------------------------------------------

// The margin of the last forces inside what their modes allow, as a share of the greatest force.
double ctSystem_Margin(const ctSystem *s)
{
    double least = INFINITY;
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        if (p->mode == ct_pointOpen) {
            continue;
        }
        double normal = ctDot(p->force, p->n);
        least = ctFmin(least, normal);
        if (ctPoint_IsRing(p)) {
            ctVec3 slip;
            bool own;
            least = ctFmin(least, ctRing_Spare(p, &own));
            least = p->mode == ct_pointStick ? ctFmin(least, ctRing_Hold(p, &slip)) : least;
        } else if (p->mode == ct_pointStick) {
            least = ctFmin(least, p->friction * normal - ctLength(ctPoint_Across(p, p->force)));
        }
    }
    return ctFmin(least / (s->force + 1e-300) + CT_EQUAL, ctSystem_TurnMargin(s));
}

void ctSystem_Candidates(const ctSystem *s, double near, bool *candidates)
{
    for (int i = 0; i < s->pointCount; i++) {
        const ctSystemPoint *p = &s->points[i];
        double tilt = ctLength(p->tilt), turn = ctLength(ctPoint_Across(p, p->turn)); // zero but for rings
        candidates[i] = ctPoint_IsClosed(p) || (p->gap + tilt < near && p->un + turn < ctPoint_Slow(s, p));
    }
}

// Finds the modes at a state where forces have left what theirs allow. Returns the change of the motion over a step, in
// tolerances; infinite when there are no modes.
double ctSystem_Adopt(ctSystem *s, double h, double time, const double *y, const double *rates)
{
    bool candidates[CT_SYSTEM_POINTS];
    ctVec3 a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
    ctSystem_Place(s, time, y);
    ctSystem_Candidates(s, CT_ARRIVED * s->size, candidates);
    if (!ctSystem_FindModes(s, candidates)) {
        return INFINITY;
    }
    ctSystem_Accelerate(s, a, alpha);
    double most = 0.0;
    for (int i = 0; i < s->movable; i++) {
        ctVec3 turn = ctSystem_Get(rates, i, ct_systemW);
        double lever = ctFmin(s->size, s->bodies[i].radius);
        most = ctFmax(most, ctDistance(a[i], ctSystem_Get(rates, i, ct_systemV)) + lever * ctDistance(alpha[i], turn));
    }
    return 0.5 * h * most / ctSystem_Error(s);
}

// The share of a step up to which forces are within what their modes allow; at its end they are not.
double ctSystem_FirstBreach(ctSystem *s, double h)
{
    double c[5 * CT_SYSTEM_STATE], z[CT_SYSTEM_STATE], rates[CT_SYSTEM_STATE];
    Bracket b = {.hi = 1.0, .under = ctSystem_Margin(s)};
    b.over = ctSystem_Rates(s, s->time, s->y, rates) ? ctSystem_Margin(s) : -INFINITY;
    if (b.over < 0.0) {
        return 0.0;
    }
    makePiece(s, h, c);
    for (int i = 0; i < ITERATIONS && (b.hi - b.lo) * h > EXACT * s->longest; i++) {
        double share = between(&b, 0.5 * EXACT * s->longest / h);
        stateWithin(s, h, c, share, z);
        narrow(&b, share, ctSystem_Rates(s, s->time + share * h, z, rates) ? ctSystem_Margin(s) : -INFINITY);
    }
    return b.hi;
}
