// The history of a run, for the plots and the impact inspector: a sample per frame, and the impacts.
#ifndef CT_SESSION_HISTORY_H
#define CT_SESSION_HISTORY_H

#include "engine/clatter.h"

#define CT_HISTORY_SAMPLES 36000  // frames: ten minutes at 60 per second
#define CT_HISTORY_IMPACTS 200000 // about 80 MB

typedef struct ctSample {
    double time, kinetic, potential; // s, J, J
    double cost;                     // s of CPU time of this frame
    int64_t impacts;                 // since the beginning
    int asleep, contacts;
} ctSample;

typedef struct ctHistory {
    ctSample *samples;
    int sampleCount, sampleCapacity;
    ctImpact *impacts;
    int impactCount, impactCapacity;
} ctHistory;

void ctHistory_Clear(ctHistory *history);
void ctHistory_Free(ctHistory *history);
// Drops everything after a time: the world was restored to that time and continued from there.
void ctHistory_Rewind(ctHistory *history, double time);
bool ctHistory_AddSample(ctHistory *history, ctSample sample);
// Microcollisions are left out. The oldest quarter is dropped when the list is full.
bool ctHistory_AddImpacts(ctHistory *history, const ctImpact *impacts, int count);
// The nearest impact of a body (null: any) before or after index from; direction -1 or +1. -1 when there is none.
int ctHistory_NextImpact(const ctHistory *history, int from, int direction, ctBodyId body);

#endif
