// What a run leaves behind for its measures. Every entry carries its time, so that a world put back to an earlier
// state (the viewer's timeline) drops what has not happened yet.
#ifndef CT_JOURNAL_H
#define CT_JOURNAL_H

#include "scenes/scene.h"

// The first impact of a pair of bodies.
typedef struct ctFirstImpact {
    int32_t a, b; // index1 of the bodies' ids, a < b; a = 0: an empty place of the table
    double time;  // s
    ctVec3 point; // m
} ctFirstImpact;

// One number per frame.
typedef struct ctSeries {
    double *times, *values; // s; NAN where the function gave nil
    int count, timeCapacity, valueCapacity;
} ctSeries;

typedef struct ctJournal {
    double time;           // of the world when it was last observed, s
    double restTime;       // since when all sleep, s; infinity: something moves
    int awake;             // ordinal of a body that moved last time
    ctFirstImpact *firsts; // open addressing by the pair
    int firstCount, firstPlaces;
    ctSeries *series; // one per sample() of the script
    int seriesCount;
} ctJournal;

void ctJournal_Begin(ctJournal *journal);
void ctJournal_Free(ctJournal *journal);
// Takes in the impacts of the last step, and the time of rest. False without memory.
bool ctJournal_Observe(ctJournal *journal, const ctWorld *world, bool frameEnd);
// The world was put back to an earlier time: what is later has not happened. False without memory.
bool ctJournal_GoBack(ctJournal *journal, double time);
// The first impact of a with b, or of a with anything when b is 0 (index1 of their ids). NULL: none yet.
const ctFirstImpact *ctJournal_First(const ctJournal *journal, int32_t a, int32_t b);
bool ctSeries_Add(ctSeries *series, double time, double value);

#endif
