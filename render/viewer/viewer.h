// The viewer: `clatter run`.
#ifndef CT_VIEWER_H
#define CT_VIEWER_H

#include "render/desk/viewer_options.h"

typedef struct ctViewer ctViewer;

// Opens the window on a scene. NULL when it cannot: the message says what is missing and what can be done without.
// *badInput is set when the scene is at fault.
ctViewer *ctViewer_Open(const ctViewerOptions *options, bool *badInput, ctError *error);
// What has happened since the last picture, and the next picture. *more: the window has not been closed.
bool ctViewer_Frame(ctViewer *viewer, bool *more, ctError *error);
void ctViewer_Close(ctViewer *viewer); // NULL is allowed

// For a page around the picture. Not within ctViewer_Frame.
bool ctViewer_Show(ctViewer *viewer, const char *scene, const ctSceneOptions *given, ctError *error);
bool ctViewer_RestoreGraphics(ctViewer *viewer, ctError *error); // after the OpenGL context was lost and came back

// All of these, until the window is closed.
bool ctRunViewer(const ctViewerOptions *options, bool *badInput, ctError *error);

#endif
