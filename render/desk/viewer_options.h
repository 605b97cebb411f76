// The options of the viewer.
#ifndef CT_DESK_VIEWER_OPTIONS_H
#define CT_DESK_VIEWER_OPTIONS_H

#include "scenes/scene.h"

typedef struct ctViewerOptions {
    const char *scene;           // a demo's name or a path; NULL: the first demo
    const ctSceneOptions *given; // from the command line; may be NULL
    const char *ghost;           // a trace to show beside the scene; may be NULL
    int width, height;           // of the window; 0: 1280 x 800
    double scale;                // of the panels; 0: from the density of the display
    bool paused;                 // do not start playing
    bool printState;             // print the state as lines on standard output, for tests
    bool debug;                  // ask for an OpenGL debug context
    bool noPanels;               // start with the picture alone
    void (*copyLink)(void);      // on a web page: copies an address of this set-up to the clipboard; else NULL
} ctViewerOptions;

#endif
