// The scene's measures: what the run amounts to so far.
#ifndef CT_SESSION_MEASURES_H
#define CT_SESSION_MEASURES_H

#include "scenes/scene.h"

enum { CT_SHOWN_MEASURES = 64 };

// The measures as they were last computed.
typedef struct ctMeasures {
    const ctScene *scene; // whose they are; NULL: to be computed anew
    double time, taken;   // s, simulated and of wall time
    double values[CT_SHOWN_MEASURES];
    ctError error; // of the last that failed
} ctMeasures;

// Computes them when the world's time has changed; while it plays, only now and then. clock is wall time, s. Nobody
// else may use the world meanwhile.
void ctMeasures_Take(ctMeasures *measures, ctScene *scene, bool playing, double clock);
#endif
