// Which points of a system carry force, and how: the modes with which all of them obey the laws
//     F_n >= 0, a_n >= 0, F_n a_n = 0            (Signorini, for accelerations, where the normal velocity is zero)
//     |F_t| <= mu F_n                            (Coulomb, where a point sticks)
//     F_t = -mu F_n u / |u|, or along the acceleration where the slip begins.
// An active set: forces for a guess of the modes, and every point that breaks a law changes its mode, all at once at
// first, later only the worst.
//
// Modes are kinematic: what counts is whether a point stays closed, and whether it stays at rest. Where points are
// redundant, some may need no force, or none inside the cone; the others then keep them closed (loose) or at rest
// (held).
#include "engine/motion/system_internal.h"

#include <string.h>

#define ROUNDS 40 // [cap] of the search
// Rounds in which all points change at once; later one at a time, which cannot cycle.
#define TOGETHER (ROUNDS / 3)

// [method] A share of friction, to see what moves with it: almost one, since others may hold a point along one line
// only, and what friction it has left across that line is enough.
#define LESS 0.99

typedef enum Breach { KEEPS, ENTERS, PULLS, SLIDES, STOPS, TURNS, TIPS, LEAVES } Breach;

typedef struct Search {
    double scale; // m/s^2
    ctVec3 a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
} Search;

// Whether a point slips, and how. One that does not may stick.
static void setOut(const ctSystem *s, ctSystemPoint *p)
{
    ctVec3 slip = ctPoint_Slip(p);
    double speed = ctLength(slip);
    p->fixed = speed > 10.0 * ctSystem_NoSlip(s) && !p->last;
    if (p->fixed) {
        p->startDir = p->dir = ctScale(1.0 / speed, slip);
        p->mode = p->mode == ct_pointStick ? ct_pointSlip : p->mode;
    } else if (p->mode == ct_pointSlip) {
        p->mode = ct_pointStick;
    }
    if (ctPoint_Resists(p)) {
        ctPoint_SetOutTurns(s, p);
    }
}

static void change(ctSystemPoint *p, Breach breach)
{
    ctVec3 across = ctPoint_Across(p, p->force);
    switch (breach) {
    case ENTERS:
        p->mode = p->fixed ? ct_pointSlip : ct_pointStick;
        p->dir = p->startDir;
        break;
    case PULLS:
        p->mode = ct_pointOpen;
        break;
    case SLIDES:
        p->mode = ct_pointSlip;
        p->dir = ctNormalize(ctNeg(across));
        break;
    case STOPS:
        p->mode = ct_pointStick;
        break;
    case TURNS:
        p->dir = ctNormalize(ctNeg(across));
        break;
    case KEEPS:
    case TIPS:
    case LEAVES:
        break;
    }
}

// Which law a point that slips, from rest, breaks, and by how much.
static Breach checkSlip(const ctSystem *s, const Search *search, ctSystemPoint *p, ctVec3 rate, double *much)
{
    double still = CT_EQUAL * search->scale, normal = ctDot(p->force, p->n), along = ctDot(rate, p->dir);
    bool loaded = p->friction > 0.0 && normal > CT_SYSTEM_NONE * s->force;
    p->along = ctFmax(0.0, along);
    p->lately = normal;
    if (along < -still) {
        *much = -along / search->scale;
        return STOPS;
    }
    if (!loaded || !(ctLength(rate) > 10.0 * still)) {
        return KEEPS;
    }
    ctVec3 friction = ctPoint_Across(p, p->force);
    double off = p->stiff ? ctLength(ctAdd(p->dir, ctNormalize(friction))) : 1e-6;
    *much = 1e-3 * off;
    return off > CT_TURNED ? TURNS : KEEPS;
}

// A ring becomes a rim that touches in one direction from its centre. A flat rim turns to another.
static void tip(const ctSystem *s, ctSystemPoint *p, ctVec3 direction)
{
    if (ctPoint_IsRing(p)) {
        p->onA.kind = ct_guideRim;
        p->onA.radius -= p->onA.round;
        p->tilt = p->turn = p->lean = ctZero3();
        p->region = NULL;
    }
    p->edge = ctMulTMV(s->poses[p->b].r, direction);
    ctSystem_PlacePoint(s, p);
    setOut(s, p);
}

// Whether a rim is flat and hardly turns: forces decide where it tips.
static bool isFlatRim(const ctSystem *s, const ctSystemPoint *p)
{
    ctVec3 w = ctPoint_Across(p, ctSub(s->poses[p->a].w, s->poses[p->b].w));
    return p->onA.kind == ct_guideRim && p->sine < CT_FLAT_RIM && ctLengthSquared(p->edge) > 0.0 &&
           p->onA.radius * ctLength(w) < ctPoint_Slow(s, p);
}

// The direction over which a ring, or a flat rim, tips. A ring does so where its loads lean to; a rim where the bodies
// turn against each other. False when a rim does not tip at all.
static bool edgeOf(const ctSystem *s, const Search *search, const ctSystemPoint *p, ctVec3 *direction)
{
    const ctSystemPose *a = &s->poses[p->a], *b = &s->poses[p->b];
    if (ctPoint_IsRing(p)) {
        *direction = ctNormalize(p->lean);
        return true;
    }
    ctVec3 e = ctMulMV(b->r, p->edge), w = ctSub(a->w, b->w), across = ctCross(p->n, e);
    ctVec3 turning = ctSub(search->alpha[p->a], search->alpha[p->b]);
    ctVec3 tips = ctCross(ctMulAdd(turning, -ctDot(w, p->n), ctCross(b->w, p->n)), p->n);
    double ease = ctDot(across, ctMulMV(a->inverse, across)) + ctDot(across, ctMulMV(b->inverse, across));
    *direction = ctNormalize(ctMulAdd(e, 1.0 / (ease * p->onA.radius * ctDot(p->force, p->n)), tips));
    return p->onA.radius * ctDot(tips, e) > -CT_EQUAL * search->scale;
}

// Whether a flat rim touches elsewhere than over where it tips, or does not tip.
static Breach checkEdge(const ctSystem *s, const Search *search, const ctSystemPoint *p, double *much)
{
    ctVec3 direction;
    if (!isFlatRim(s, p) || p->mode == ct_pointOpen) {
        return KEEPS;
    }
    if (!edgeOf(s, search, p, &direction)) {
        *much = 1.0;
        return LEAVES;
    }
    *much = 1e-3 * ctDistance(direction, ctMulMV(s->poses[p->b].r, p->edge));
    return *much > 1e-3 * CT_TURNED ? TIPS : KEEPS;
}

void ctSystem_TipRings(ctSystem *s, double near, double *y)
{
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        double slow = ctPoint_Slow(s, p), turn = ctLength(ctPoint_Across(p, p->turn));
        bool flat = ctPoint_IsRing(p) && p->gap + ctLength(p->tilt) < near;
        if (flat && p->un + turn > slow && turn > slow && fabs(p->un - turn) < slow) {
            int index = p->a < s->movable ? p->a : p->b;
            ctVec3 edge = ctNormalize(ctCross(p->turn, p->n));
            if (ctPoint_IsPartial(p) && !ctRegion_Holds(p, edge)) {
                continue;
            }
            double level = (index == p->a ? -1.0 : 1.0) / p->onA.radius;
            ctSystem_TurnBody(s, index, ctScale(level, p->tilt), y);
            ctSystem_Place(s, s->time, y);
            tip(s, p, edge);
        }
    }
}

// Which law a ring breaks.
static Breach checkRing(ctSystem *s, const Search *search, ctSystemPoint *p, double *much)
{
    ctVec3 rate = ctPoint_Acceleration(s, p, search->a, search->alpha), slip;
    double opens = p->bend + ctDot(p->n, ctSub(rate, p->curve)), none = CT_SYSTEM_NONE * s->force;
    double rises = ctLength(ctPoint_Across(p, ctPoint_Turning(s, p, search->alpha))), normal = ctDot(p->force, p->n);
    if (p->mode == ct_pointOpen) {
        *much = (rises - opens) / search->scale;
        return opens - rises < -CT_EQUAL * search->scale ? ENTERS : KEEPS;
    }
    if (normal < -none) {
        *much = -normal / s->force;
        return PULLS;
    }
    bool slides = p->mode == ct_pointStick && ctRing_Hold(p, &slip) < -none;
    bool own;
    double spare = ctRing_Spare(p, &own);
    bool tips = spare < (s->verge && !own ? 2.0 * CT_EQUAL * s->force : -none);
    *much = 1.0;
    s->over = tips && !own ? p : s->over;
    return tips && own ? TIPS : tips || slides ? LEAVES : KEEPS;
}

static Breach check(ctSystem *s, const Search *search, ctSystemPoint *p, double *much)
{
    if (ctPoint_IsRing(p)) {
        return checkRing(s, search, p, much);
    }
    ctVec3 rate = ctPoint_Acceleration(s, p, search->a, search->alpha), across = ctPoint_Across(p, p->force);
    // The normal turns too: bend has the whole rate of u.n, curve only that of u.
    double opens = p->bend + ctDot(p->n, ctSub(rate, p->curve)), normal = ctDot(p->force, p->n);
    double none = CT_SYSTEM_NONE * s->force;
    if (p->mode == ct_pointOpen) {
        *much = -opens / search->scale;
        return opens < -CT_EQUAL * search->scale ? ENTERS : KEEPS;
    }
    if (normal < -none) {
        *much = -normal / s->force;
        return PULLS;
    }
    if (p->mode == ct_pointStick) {
        double excess = ctLength(across) - p->friction * normal;
        *much = excess / s->force;
        return excess > none ? SLIDES : KEEPS;
    }
    return p->fixed ? KEEPS : checkSlip(s, search, p, ctPoint_Across(p, rate), much);
}

// Points whose slip has no rate, to rounding, are held by others, or are at the very limit of their friction, and slip
// from here on. These would begin to move at once with less friction.
static void releaseMovable(ctSystem *s)
{
    ctVec3 before[CT_SYSTEM_POINTS], dirs[CT_SYSTEM_POINTS], a[CT_SYSTEM_BODIES], alpha[CT_SYSTEM_BODIES];
    bool any = false;
    ctSystem_Accelerate(s, a, alpha);
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        if (p->held) {
            before[i] = ctPoint_Acceleration(s, p, a, alpha);
            dirs[i] = p->dir;
            p->friction *= LESS;
            any = true;
        }
    }
    bool found = any && ctSystem_TurnForces(s, a, alpha);
    for (int i = 0; i < s->pointCount && any; i++) {
        ctSystemPoint *p = &s->points[i];
        if (!p->held) {
            continue;
        }
        p->friction /= LESS;
        p->dir = dirs[i];
        double push = (1.0 - LESS) * p->friction * p->lately * (s->poses[p->a].invMass + s->poses[p->b].invMass);
        ctVec3 gain = ctPoint_Across(p, ctSub(ctPoint_Acceleration(s, p, a, alpha), before[i]));
        p->held = !(found && ctLength(gain) > CT_REDUNDANT * push);
    }
    if (any) {
        ctSystem_Forces(s);
    }
}

// The forces obey the laws. Finds points without force that stay closed, and points on the cone that stay at rest.
static void settle(ctSystem *s, const Search *search)
{
    double still = 3.0 * CT_EQUAL * search->scale;
    bool sticks = false, bears = false;
    for (int i = 0; i < s->pointCount; i++) {
        sticks = sticks || s->points[i].mode == ct_pointStick;
        bears = bears || s->points[i].mode != ct_pointOpen;
    }
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        ctVec3 rate = ctPoint_Acceleration(s, p, search->a, search->alpha);
        double opens = p->bend + ctDot(p->n, ctSub(rate, p->curve));
        ctVec3 across = ctPoint_Across(p, rate);
        // Where none bears, none is kept closed: it is about to separate.
        p->loose = p->loose && bears && p->mode == ct_pointOpen && fabs(opens) < still && !ctPoint_IsRing(p);
        // Where no point sticks, all begin to slip, however slowly.
        p->held = p->mode == ct_pointSlip && !p->fixed && sticks && ctLength(across) < still;
    }
    releaseMovable(s);
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->fresh = p->mode == ct_pointSlip && !p->fixed && !p->held;
        p->stiff = false;
        p->startDir = p->dir;
        if (ctPoint_Resists(p)) {
            ctPoint_SettleTurns(s, p, search->alpha, search->scale);
        }
    }
}

static bool search(ctSystem *s, Search *find, const bool *candidates)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < s->pointCount; i++) {
            ctSystemPoint *p = &s->points[i];
            p->stiff =
                p->mode == ct_pointSlip && !p->fixed && !ctPoint_IsRing(p) && p->friction > 0.0 && p->lately > 0.0;
            p->delay = 1e30;
        }
        if (!ctSystem_Forces(s)) {
            return false;
        }
        ctSystem_Accelerate(s, find->a, find->alpha);
        int worst = -1;
        Breach what = KEEPS;
        double most = 0.0;
        for (int i = 0; i < s->pointCount; i++) {
            double much = 0.0;
            Breach breach = candidates[i] ? check(s, find, &s->points[i], &much) : KEEPS;
            breach = breach == KEEPS && candidates[i] ? checkEdge(s, find, &s->points[i], &much) : breach;
            if (breach == KEEPS) {
                continue;
            }
            // What tips depends on the other points: these come first.
            if (worst < 0 || (breach == TIPS) < (what == TIPS) || ((breach == TIPS) == (what == TIPS) && much > most)) {
                worst = i;
                what = breach;
                most = much;
            }
            if (round < TOGETHER || breach == TURNS) {
                change(&s->points[i], breach);
            }
        }
        bool turns = ctSystem_CheckTurns(s, candidates, find->alpha, find->scale);
        if ((worst < 0 && turns) || what == LEAVES) {
            return worst < 0;
        }
        if (what == TIPS) {
            ctVec3 direction;
            edgeOf(s, find, &s->points[worst], &direction);
            tip(s, &s->points[worst], direction);
        } else if (worst >= 0 && round >= TOGETHER && what != TURNS) {
            change(&s->points[worst], what);
        }
    }
    return false;
}

bool ctSystem_FindModes(ctSystem *s, const bool *candidates)
{
    Search find = {.scale = 1e-30};
    bool known = false;
    s->over = NULL;
    for (int i = 0; i < s->pointCount; i++) {
        ctSystemPoint *p = &s->points[i];
        p->loose = candidates[i];
        p->lately = p->along = 0.0;
        if (!candidates[i]) {
            p->mode = ct_pointOpen;
            continue;
        }
        setOut(s, p);
        known = known || p->mode != ct_pointOpen;
        find.scale = ctFmax(find.scale, ctLength(p->curve) + fabs(p->bend));
    }
    for (int i = 0; i < s->pointCount && !known; i++) {
        ctSystemPoint *p = &s->points[i];
        p->mode = !candidates[i] ? ct_pointOpen : p->fixed ? ct_pointSlip : ct_pointStick;
    }
    if (!search(s, &find, candidates)) {
        return false;
    }
    settle(s, &find);
    return true;
}
