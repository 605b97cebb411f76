// The viewer: `clatter run`.
#ifndef CT_VIEWER_H
#define CT_VIEWER_H

#include "render/desk/viewer_options.h"

typedef struct ctViewer ctViewer;

// Opens the window with a scene. NULL on failure: the message says what is missing, and which commands work without it.
// *badInput is set when the error is in the scene.
ctViewer *ctViewer_Open(const ctViewerOptions *options, bool *badInput, ctError *error);
// Handles the events since the last picture and draws the next one. *more: the window has not been closed.
bool ctViewer_Frame(ctViewer *viewer, bool *more, ctError *error);
void ctViewer_Close(ctViewer *viewer); // NULL is allowed

// For a web page around the picture. Not to be called within ctViewer_Frame.
bool ctViewer_Show(ctViewer *viewer, const char *scene, const ctSceneOptions *given, ctError *error);
bool ctViewer_RestoreGraphics(ctViewer *viewer, ctError *error); // after the OpenGL context was lost and restored

// Opens the viewer, draws frames until the window is closed, and closes it.
bool ctRunViewer(const ctViewerOptions *options, bool *badInput, ctError *error);

#endif
