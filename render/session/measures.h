// The scene's measures for the panel.
#ifndef CT_SESSION_MEASURES_H
#define CT_SESSION_MEASURES_H

#include "scenes/scene.h"

enum { CT_SHOWN_MEASURES = 64 };

// The measures as they were last computed.
typedef struct ctMeasures {
    const ctScene *scene; // of the measures; NULL: to be computed anew
    double time, taken;   // s, simulated and of wall time
    double values[CT_SHOWN_MEASURES];
    ctError error; // of the last measure that failed
} ctMeasures;

// Computes the measures when the world's time has changed; while it plays, only from time to time. clock is wall time,
// s. No other thread may use the world meanwhile.
void ctMeasures_Take(ctMeasures *measures, ctScene *scene, bool playing, double clock);
#endif
