// Internal to the impact solver: the walk through an impact, shared by impact/exact.c (phases, straight pieces, the
// whole) and impact/curve.c (the curved piece).
#ifndef CT_IMPACT_WALK_H
#define CT_IMPACT_WALK_H

#include "engine/impact/impact_internal.h"

typedef struct ctWalk {
    const ctCollisionMatrix *contact;
    ctFlow flow;
    ctFlowState at;
    double eSquared;
    double debt;   // W_d + e^2 W_c of the phases that are over, <= 0; J
    double mark;   // work at the beginning of this phase
    double target; // Poisson: p_z at the end, once it is known
    ctFlowScale scale;
    double nearEnough; // angle to an attracting ray below which a jump to the origin may succeed
    double turnSlope;  // du_z/dp_z at the first end of compression
    double finesse;    // all tolerances are multiplied by this: 1, or less in a second attempt
    bool poisson, decompressing, stopped;
    int steps;
    ctImpactCourse *course;
} ctWalk;

// W_d + e^2 W_c so far, in decompression; the impact ends when it reaches zero.
static inline double debtNow(const ctWalk *w, const ctFlowState *at)
{
    return w->debt + (at->work - w->mark);
}

void ctRecordSample(ctWalk *w, const ctFlowState *at);
void ctRecordEvent(ctWalk *w, ctCourseEventKind kind);

// u_z has just passed zero with the slope kz over p_z. True when the impact is over.
bool ctChangePhase(ctWalk *w, double kz);

// Straight on in the direction of sliding, until it stops (false) or the impact is over (true).
bool ctWalkAlongRay(ctWalk *w);

// Slides until the origin (false) or the end of the impact (true).
bool ctWalkCurve(ctWalk *w);

#endif
