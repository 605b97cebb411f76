// The world on a thread of its own, so that the window stays responsive however long a frame takes.
//
// The viewer starts an advance. Until ctSim_Wait returns true, no other thread may use the world or the fields of ctSim
// below the line.
#ifndef CT_SESSION_SIM_H
#define CT_SESSION_SIM_H

#include "render/session/curves.h"
#include "render/session/paths.h"
#include "render/session/sim_state.h"
#include "scenes/scene.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum ctAdvanceKind {
    ct_advanceNone,
    ct_advanceFrames, // whole frames until the time is reached
    ct_advanceKnots,  // as ct_advanceFrames, with a state captured at every impact, for smooth slow motion
    ct_advanceFrame,  // one frame
    ct_advanceImpact, // to just after the next impact, within CT_SEARCH_SECONDS
} ctAdvanceKind;

#define CT_SEARCH_SECONDS 20.0 // simulated time in which an impact is looked for

// A spring from a point of a body to a point in space, pulled by the pointer.
typedef struct ctPull {
    bool on;
    ctBodyId body;
    ctVec3 anchor; // in the shape's frame, m
    ctVec3 target; // world, m
} ctPull;

// The data of one frame for the timeline and the plots.
typedef struct ctFrameRecord {
    double time;
    double cost; // s of CPU time of the simulation's thread
    ctStats stats;
    void *snapshot; // NULL when none was taken
    size_t snapshotSize;
} ctFrameRecord;

typedef struct ctSim {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake, finished;
    bool started, quit, busy;
    atomic_bool cancel; // the present advance ends after its present step
    // The request.
    ctAdvanceKind kind;
    double until;  // simulated time, s
    double budget; // s of wall time after which the advance stops early
    ctPull pull;
    ctCaptureWhat what;
    bool record;       // take snapshots
    bool stopAtImpact; // ct_advanceKnots ends at an impact, of stopBody when it is not null
    ctBodyId stopBody;
    // ------------------------------------------------------------------------------------------
    ctScene *scene;
    ctSimState before, now; // two consecutive states; now is the world's
    bool foundImpact;       // the last search for an impact succeeded
    bool failed;            // the last advance failed with `error`
    ctError error;
    ctFrameRecord *records; // every advance adds some; the viewer takes them and sets the count to 0
    int recordCount, recordCapacity;
    ctImpact *impacts; // taken in the same way
    int impactCount, impactCapacity;
    ctPathLog paths;   // taken in the same way, while it is on
    ctCurveLog curves; // taken in the same way
    int knotsInFrame;
    double frameCost; // s, of the present frame
    double nextSave;  // simulated time of the next snapshot: in large worlds not every frame has one
} ctSim;

// threaded: start a thread for the advances. Without a thread, or when none can be started, ctSim_Advance does the work
// itself, within a short budget.
void ctSim_Start(ctSim *sim, bool threaded);
// Waits for the present advance, ends the thread and frees the memory. The caller owns the scene.
void ctSim_Stop(ctSim *sim);
// Sets another scene, or the same after a change from outside, and captures its state. Not during an advance.
bool ctSim_SetScene(ctSim *sim, ctScene *scene, ctError *error);
bool ctSim_Capture(ctSim *sim); // captures the state again after a change of the world

void ctSim_Advance(ctSim *sim, ctAdvanceKind kind, double until);
// Ends the present advance after its present step.
void ctSim_Cancel(ctSim *sim);
// Waits up to `seconds`; true when no advance runs.
bool ctSim_Wait(ctSim *sim, double seconds);

#endif
