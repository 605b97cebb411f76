// The desk: the state of the viewer, and what can be asked for by changing it. Panels ask; render/viewer answers.
#ifndef CT_DESK_H
#define CT_DESK_H

#include "render/desk/viewer_options.h"
#include "render/draw/camera.h"
#include "render/draw/stage.h"
#include "render/draw/trails.h"
#include "render/files/folder.h"
#include "render/files/recent.h"
#include "render/gui/imgui_c.h"
#include "render/record/recorder.h"
#include "render/session/ghost.h"
#include "render/session/history.h"
#include "render/session/measures.h"
#include "render/session/sim.h"
#include "render/session/timeline.h"
#include "render/sound/clip.h"
#include "render/sound/speaker.h"
#include "render/window/settings.h"
#include "render/window/window.h"

// What is drawn besides the bodies, and which panels are open.
typedef struct ctShow {
    bool contacts, boxes, pending, sleeping, trails, shadows, sound;
    bool tweak, plots, body, inspector, help, scenes, panels, menu, curves;
} ctShow;

#define CT_RECORD_FPS 60.0
#define CT_DESK_COVERS 8   // panels that the picture moves aside for
#define CT_DESK_CAMERAS 32 // as many as a scene may have

// Why simulated time falls behind the clock.
typedef enum ctSlowness { ct_slowNot, ct_slowPhysics, ct_slowDrawing, ct_slowMachine } ctSlowness;
// Pictures further apart than this make simulated time fall behind, s.
#define CT_DESK_STALL 0.3

// What hands have changed about a body.
typedef struct ctBodyEdit {
    ctBodyId body; // null: nothing
    ctVec3 velocity, spin, place;
    bool moved; // place holds
} ctBodyEdit;

typedef enum ctDrag { ct_dragNone, ct_dragOrbit, ct_dragPan, ct_dragPull } ctDrag;

// Fingers on a touch screen, in shares of the window.
typedef struct ctFingers {
    int count; // at most two are followed
    int64_t id[2];
    double x[2], y[2];
    double pressed; // when the last one came down, s
    bool several;   // there have been two since the first came down
} ctFingers;

typedef struct ctViewer {
    ctViewerOptions options;
    ctWindow window;
    ctRenderer *renderer;
    ctStage stage;
    ctCamera camera;
    ctView view;     // of the picture: the camera's, put into the part that panels leave free
    float insets[4]; // of that part: left, top, right, bottom, pixels; they follow wantedInsets smoothly
    float wantedInsets[4];
    ctRect covers[CT_DESK_COVERS]; // the panels that the last picture had over the scene, pixels
    int coverCount;
    int width, height; // of the picture, pixels
    float scale;       // of the panels
    bool quit;

    // The scene.
    ctScene *scene;
    ctScene *preloaded; // what the next ctViewer_Load takes
    ctDemo *demos;
    int demoCount;
    ctRecentFiles recent; // scenes of one's own that were opened lately
    ctFolder folder;      // that the list of files shows
    ctSettings settings;
    ctSceneOptions sceneOptions; // from the command line; its settings are replaced by those of the panel
    char scenePath[1024];
    int64_t sceneStamp; // modification time of the script, ns
    double nextLook;    // when the script is looked at again
    char sceneError[CT_MESSAGE_SIZE];
    char stopped[CT_MESSAGE_SIZE];        // why the run does not go on: a callback of the script has failed
    char printed[1024];                   // what the script printed
    int sceneCamera;                      // the scene's camera that was used last
    ctBodyId cameraBody;                  // that it moves with; null: none
    ctVec3 cameraFrom;                    // from that body to the camera's target, m
    ctVec3 cameraStarts[CT_DESK_CAMERAS]; // where the bodies that cameras move with were at the start

    // Time.
    ctSim sim;
    bool busy; // the simulation's thread has the world
    bool playing;
    double speed;       // simulated seconds per second wanted
    double shownTime;   // simulated time that the picture should have, s; ahead of the world while it works
    double pictureTime; // and that it has
    double factor;      // simulated seconds per second reached, smoothed
    double need;        // s of CPU time per simulated second, smoothed
    ctAdvanceKind wanted;
    int wantedCount;       // so many times
    int stepsBack;         // asked for: so many frames back
    bool restart;          // asked for: load the scene again from the beginning
    int wantedDemo;        // asked for: load this demo; -1: no
    char wantedPath[1024]; // asked for: load this file; "": no
    double seek;           // asked for: go to this time; negative: no
    bool rewound;          // the world stands before the end of the timeline
    ctTimeline timeline;
    ctHistory history;
    double clock, lastClock; // s of wall time
    double elapsed;          // s between the last two pictures
    double lastInput;        // when a key or the mouse was last used, on that clock
    int frames;              // pictures drawn so far
    double frameRate;        // pictures per second, smoothed

    // What is on the screen.
    ctSimState shown;
    ctTransform *poses;
    uint8_t *states;
    int poseCapacity, stateCapacity;
    ctTrails trails;
    ctMeasures measures;
    ctCurves curves;
    int curveKind;                 // the quantity to add next
    bool curvePhase;               // the second curve over the first
    double curveSpan, curveMiddle; // s, of the times that are shown; span 0: all
    ctGhost ghost;                 // of the scene, or of the command line
    char ghostScene[1024];         // the script that the ghost of the command line belongs to
    ctShow show;
    ctSpeaker *speaker; // NULL: there is no sound
    double frameTime;   // s, of the world
    double typicalMass; // kg, the median of the dynamic bodies

    // Hands.
    ctBodyId selected;
    bool follow;
    ctDrag drag;
    ctFingers fingers;
    int pressX, pressY, mouseX, mouseY;
    unsigned buttons; // of the mouse that are down, bit 0: left
    ctPull pull;
    double pullDistance; // from the eye, along the pointer's ray, m
    int throwBalls;      // asked for: so many
    bool deleteBody;     // asked for: the selected one goes
    bool saveWorld;      // asked for: into a file
    bool copyScene;      // asked for: the world as a script, to the clipboard
    int copied;          // characters that were last put there
    ctBodyEdit edit;
    bool measuring;          // clicks set points to measure between
    ctVec3 measurePoints[3]; // in the world, m
    int measureCount;

    // The inspector.
    int inspected;       // index into history.impacts; -1: none
    bool inspectOne;     // only impacts of the selected body
    bool pauseAtImpacts; // pause at every impact that is looked at

    // Pictures.
    int screenshot;     // 1: of the scene, 2: with panels
    bool record;        // asked for
    int recordedFrames; // by the recording under way
    ctRecorder *recorder;
    char recordPath[256];
    ctClip clip; // the recording's sound
    char clipPath[300];

    char message[CT_MESSAGE_SIZE]; // a note that fades
    double messageUntil;
} ctViewer;

// A short note at the bottom of the window.
void ctViewer_Say(ctViewer *v, const char *format, ...) CT_PRINTF(2, 3);
// The body of an id in what is shown; NULL when it is not there.
const ctBodyState *ctViewer_FindBody(const ctViewer *v, ctBodyId id);
// "ball", or "body 12" when it has no name.
void ctViewer_BodyName(const ctViewer *v, ctBodyId id, char *text, size_t size);

// At the second of three points that were clicked, degrees.
double ctViewer_MeasuredAngle(const ctViewer *v);

// The scene.
int ctViewer_CurrentDemo(const ctViewer *v);       // -1: none of them
const char *ctViewer_SceneWord(const ctViewer *v); // how a command line names the scene
void ctViewer_StepDemo(ctViewer *v, int direction);
void ctViewer_OpenFile(ctViewer *v, const char *path);
void ctViewer_ToggleScenes(ctViewer *v); // the window of scenes, with the files as they are now

// The view.
float ctViewer_BarHeight(const ctViewer *v); // pixels
float ctViewer_TimelineHeight(const ctViewer *v);
void ctViewer_Cover(ctViewer *v, ctRect panel); // the picture moves aside for a panel of this frame
void ctViewer_ResetView(ctViewer *v);
void ctViewer_FitView(ctViewer *v);    // everything into the picture, from where the eye is
void ctViewer_NextCamera(ctViewer *v); // of the scene, in turn; the first when the view was moved

// Time.
ctSlowness ctViewer_Slowness(const ctViewer *v);
const char *ctSlowness_Cause(ctSlowness slowness); // as the bar says it behind the rate
void ctViewer_Play(ctViewer *v, bool playing);
void ctViewer_SetSpeed(ctViewer *v, double speed);
void ctViewer_Ask(ctViewer *v, ctAdvanceKind kind); // pauses and advances
void ctViewer_Seek(ctViewer *v, double time);
void ctViewer_StepBack(ctViewer *v);               // to the moment before
double ctViewer_TimelineLength(const ctViewer *v); // s, of simulated time

#endif
