// The viewer: `clatter run`.
#ifndef CT_VIEWER_H
#define CT_VIEWER_H

#include "scenes/scene.h"

typedef struct ctViewerOptions {
    const char *scene;           // a demo's name or a path; NULL: the first demo
    const ctSceneOptions *given; // from the command line; may be NULL
    int width, height;           // of the window; 0: 1280 x 800
    double scale;                // of the panels; 0: as the display asks
    bool paused;                 // do not start playing
    bool printState;             // print what happens as lines on standard output, for tests
    bool debug;                  // ask for an OpenGL debug context
} ctViewerOptions;

typedef struct ctViewer ctViewer;

// Opens the window on a scene. NULL when it cannot: the message says what is missing and what can be done without.
// *badInput is set when the scene is at fault.
ctViewer *ctViewer_Open(const ctViewerOptions *options, bool *badInput, ctError *error);
// What has happened since the last picture, and the next picture. *more: the window has not been closed.
bool ctViewer_Frame(ctViewer *viewer, bool *more, ctError *error);
void ctViewer_Close(ctViewer *viewer); // NULL is allowed

// All of these, until the window is closed.
bool ctRunViewer(const ctViewerOptions *options, bool *badInput, ctError *error);

#endif
