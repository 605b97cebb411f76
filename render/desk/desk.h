// The desk: the state of the viewer, and the requests to it. Panels write requests into it; render/viewer does them.
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

// The overlays that are drawn and the panels that are open.
typedef struct ctShow {
    bool contacts, boxes, pending, sleeping, trails, shadows, sound;
    bool tweak, plots, body, inspector, help, scenes, panels, menu, curves;
} ctShow;

#define CT_RECORD_FPS 60.0
#define CT_DESK_COVERS 8   // panels, at most, that the picture is moved aside for
#define CT_DESK_CAMERAS 32 // as many as a scene may have

// Why simulated time falls behind the clock.
typedef enum ctSlowness { ct_slowNot, ct_slowPhysics, ct_slowDrawing, ct_slowMachine } ctSlowness;
// Pictures further apart than this make simulated time fall behind, s.
#define CT_DESK_STALL 0.3

// Changes that the user has made to a body.
typedef struct ctBodyEdit {
    ctBodyId body; // null: nothing
    ctVec3 velocity, spin, place;
    bool moved; // place is valid
} ctBodyEdit;

typedef enum ctDrag { ct_dragNone, ct_dragOrbit, ct_dragPan, ct_dragPull } ctDrag;

// Fingers on a touch screen, in shares of the window.
typedef struct ctFingers {
    int count; // at most two are followed
    int64_t id[2];
    double x[2], y[2];
    double pressed; // time at which the last finger came down, s
    bool several;   // two fingers have been down since the first came down
} ctFingers;

typedef struct ctViewer {
    ctViewerOptions options;
    ctWindow window;
    ctRenderer *renderer;
    ctStage stage;
    ctCamera camera;
    ctView view;     // of the picture: the camera's view, fitted into the part that panels leave free
    float insets[4]; // of the free part: left, top, right, bottom, pixels; they follow wantedInsets smoothly
    float wantedInsets[4];
    ctRect covers[CT_DESK_COVERS]; // the panels over the scene in the last picture, pixels
    int coverCount;
    int width, height; // of the picture, pixels
    float scale;       // of the panels
    bool quit;

    // The scene.
    ctScene *scene;
    ctScene *preloaded; // the scene that the next ctViewer_Load takes
    ctDemo *demos;
    int demoCount;
    ctRecentFiles recent; // the user's scenes that were opened recently
    ctFolder folder;      // shown in the list of files
    ctSettings settings;
    ctSceneOptions sceneOptions; // from the command line; its settings are replaced by those of the panel
    char scenePath[1024];
    int64_t sceneStamp; // modification time of the script, ns
    double nextLook;    // time at which the script's modification is checked again, s
    char sceneError[CT_MESSAGE_SIZE];
    char stopped[CT_MESSAGE_SIZE];        // why the run has stopped: a callback of the script has failed
    char printed[1024];                   // output of the script
    int sceneCamera;                      // the scene's camera that was used last
    ctBodyId cameraBody;                  // the body that it moves with; null: none
    ctVec3 cameraFrom;                    // from that body to the camera's target, m
    ctVec3 cameraStarts[CT_DESK_CAMERAS]; // places at the start of the bodies that cameras move with

    // Time.
    ctSim sim;
    bool busy; // the simulation's thread has the world
    bool playing;
    double speed;       // simulated seconds per second wanted
    double shownTime;   // simulated time that the picture should show, s; it may be ahead of the world
    double pictureTime; // simulated time that the picture shows, s
    double factor;      // simulated seconds per second reached, smoothed
    double need;        // s of CPU time per simulated second, smoothed
    ctAdvanceKind wanted;
    int wantedCount;       // number of advances of the kind `wanted`
    int stepsBack;         // request: go back this many frames
    bool restart;          // request: load the scene again from the beginning
    int wantedDemo;        // request: load this demo; -1: none
    char wantedPath[1024]; // request: load this file; "": none
    double seek;           // request: go to this time, s; negative: none
    bool rewound;          // the world is at a time before the end of the timeline
    ctTimeline timeline;
    ctHistory history;
    double clock, lastClock; // s of wall time
    double elapsed;          // s between the last two pictures
    double lastInput;        // time of the last key or mouse event, on that clock
    int frames;              // pictures drawn so far
    double frameRate;        // pictures per second, smoothed

    // The picture and the panels.
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
    int throwBalls;      // request: throw this many balls
    bool deleteBody;     // request: delete the selected body
    bool saveWorld;      // request: save the world to a file
    bool copyScene;      // request: copy the world as a script to the clipboard
    int copied;          // number of characters copied last
    ctBodyEdit edit;
    bool measuring;          // clicks set points to measure between
    ctVec3 measurePoints[3]; // in the world, m
    int measureCount;

    // The inspector.
    int inspected;       // index into history.impacts; -1: none
    bool inspectOne;     // only impacts of the selected body
    bool pauseAtImpacts; // pause at every impact, or at those of the selected body with inspectOne

    // Pictures.
    int screenshot;     // 1: of the scene, 2: with panels
    bool record;        // request: record as long as it is true
    int recordedFrames; // of the present recording
    ctRecorder *recorder;
    char recordPath[256];
    ctClip clip; // the recording's sound
    char clipPath[300];

    char message[CT_MESSAGE_SIZE]; // a note that fades
    double messageUntil;
} ctViewer;

// A short note at the bottom of the window.
void ctViewer_Say(ctViewer *v, const char *format, ...) CT_PRINTF(2, 3);
// The shown state of a body; NULL when the body does not exist.
const ctBodyState *ctViewer_FindBody(const ctViewer *v, ctBodyId id);
// "ball", or "body 12" when it has no name.
void ctViewer_BodyName(const ctViewer *v, ctBodyId id, char *text, size_t size);

// The angle at the second of three clicked points, degrees.
double ctViewer_MeasuredAngle(const ctViewer *v);

// The scene.
int ctViewer_CurrentDemo(const ctViewer *v);       // -1: the scene is no demo
const char *ctViewer_SceneWord(const ctViewer *v); // the scene's name or path on a command line
void ctViewer_StepDemo(ctViewer *v, int direction);
void ctViewer_OpenFile(ctViewer *v, const char *path);
void ctViewer_ToggleScenes(ctViewer *v); // the window of scenes; opening it reads the list of files again

// The view.
float ctViewer_BarHeight(const ctViewer *v); // pixels
float ctViewer_TimelineHeight(const ctViewer *v);
void ctViewer_Cover(ctViewer *v, ctRect panel); // the picture moves aside for a panel of this frame
void ctViewer_ResetView(ctViewer *v);
void ctViewer_FitView(ctViewer *v);    // moves the camera, without turning it, so that the bodies fill the picture
void ctViewer_NextCamera(ctViewer *v); // the scene's cameras in turn; the last one again when the view was moved

// Time.
ctSlowness ctViewer_Slowness(const ctViewer *v);
const char *ctSlowness_Cause(ctSlowness slowness); // the text that the bar shows after the rate
void ctViewer_Play(ctViewer *v, bool playing);
void ctViewer_SetSpeed(ctViewer *v, double speed);
void ctViewer_Ask(ctViewer *v, ctAdvanceKind kind); // pauses and advances
void ctViewer_Seek(ctViewer *v, double time);
void ctViewer_StepBack(ctViewer *v);               // to the moment before
double ctViewer_TimelineLength(const ctViewer *v); // s, of simulated time

#endif
