// The journal of a run: the events that the measures need. Every entry has its time. When the world is restored to an
// earlier state (the viewer's timeline), the entries of later times are dropped.
#ifndef CT_JOURNAL_H
#define CT_JOURNAL_H

#include "scenes/scene.h"

// The first impact of a pair of bodies.
typedef struct ctFirstImpact {
    int32_t a, b; // index1 of the bodies' ids, a < b; a = 0: an empty slot of the table
    double time;  // s
    ctVec3 point; // m
} ctFirstImpact;

// The values of one sample() function, one per frame.
typedef struct ctSeries {
    double *times, *values; // times in s; a value is NAN where the function returned nil
    int count, timeCapacity, valueCapacity;
} ctSeries;

typedef struct ctJournal {
    double time;           // s: time of the world at the last observation
    double restTime;       // s: time since which all bodies sleep; infinity: a body is awake
    int awake;             // ordinal of a body that was awake at the last observation
    ctFirstImpact *firsts; // hash table of pairs, open addressing
    int firstCount, firstPlaces;
    ctSeries *series; // one per sample() of the script
    int seriesCount;
} ctJournal;

void ctJournal_Begin(ctJournal *journal);
void ctJournal_Free(ctJournal *journal);
// Adds the impacts of the last step, and updates the time of rest. False without memory.
bool ctJournal_Observe(ctJournal *journal, const ctWorld *world, bool frameEnd);
// Drops all entries later than `time`, to which the world was restored. False without memory.
bool ctJournal_GoBack(ctJournal *journal, double time);
// The first impact of a with b, or of a with any body when b is 0 (index1 of their ids). NULL: no impact yet.
const ctFirstImpact *ctJournal_First(const ctJournal *journal, int32_t a, int32_t b);
bool ctSeries_Add(ctSeries *series, double time, double value);

#endif
