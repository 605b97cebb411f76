// The world on a thread of its own, so that the window stays alive however long a frame takes.
//
// The viewer asks for an advance; until ctSim_Wait says that it is done, nobody else may touch the world or the
// fields of ctSim below the line.
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
    ct_advanceKnots,  // the same, with a state captured at every impact, for smooth slow motion
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

// What one frame left behind for the timeline, the plots and the inspector.
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
    atomic_bool cancel; // the advance under way ends at its next step
    // What is asked for.
    ctAdvanceKind kind;
    double until;  // simulated time, s
    double budget; // s of wall time after which it stops early
    ctPull pull;
    ctCaptureWhat what;
    bool record;       // take snapshots
    bool stopAtImpact; // ct_advanceKnots ends at an impact, of stopBody when it is not null
    ctBodyId stopBody;
    // ------------------------------------------------------------------------------------------
    ctScene *scene;
    ctSimState before, now; // two states in a row; now is the world's
    bool foundImpact;       // by the last advance that looked for one
    bool failed;            // the last advance could not go on; why in error
    ctError error;
    ctFrameRecord *records; // added to by every advance; the viewer takes them over and sets the count to 0
    int recordCount, recordCapacity;
    ctImpact *impacts; // the same
    int impactCount, impactCapacity;
    ctPathLog paths;   // the same, while it is on
    ctCurveLog curves; // the same
    int knotsInFrame;
    double frameCost; // s, of the frame under way
    double nextSave;  // simulated time of the next snapshot: in large worlds not every frame has one
} ctSim;

// threaded: work on a thread of its own. Without, or where none can be had, ctSim_Advance does the work itself, a
// little at a time.
void ctSim_Start(ctSim *sim, bool threaded);
// Waits for what runs, ends the thread, frees what is left. The scene is the caller's.
void ctSim_Stop(ctSim *sim);
// Another scene (or the same after a change from outside): captures its state. Not while busy.
bool ctSim_SetScene(ctSim *sim, ctScene *scene, ctError *error);
bool ctSim_Capture(ctSim *sim); // again, after the world was changed

void ctSim_Advance(ctSim *sim, ctAdvanceKind kind, double until);
// Ends what runs as soon as its present step is done.
void ctSim_Cancel(ctSim *sim);
// Waits up to seconds; true when nothing runs.
bool ctSim_Wait(ctSim *sim, double seconds);

#endif
