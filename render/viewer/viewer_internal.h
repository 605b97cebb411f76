// Shared by the files of the viewer, which carry out the requests on the desk.
#ifndef CT_VIEWER_INTERNAL_H
#define CT_VIEWER_INTERNAL_H

#include "render/panels/panels.h"
#include "render/viewer/viewer.h"

// viewer_scene.c
void ctViewer_OnPrint(void *context, const char *line); // receives the output of a script
bool ctViewer_Load(ctViewer *v, const char *nameOrPath, bool keepView, bool keepSettings, ctError *error);
void ctViewer_Restart(ctViewer *v);                    // not while busy
void ctViewer_WatchScene(ctViewer *v);                 // loads the script again when it was saved
void ctViewer_LoadDemo(ctViewer *v, int index);        // not while busy
void ctViewer_LoadFile(ctViewer *v, const char *path); // not while busy

// viewer_ghost.c
// Loads the ghost of a scene and frees the old one. The ghost is that of the command line when the scene is the one
// named there, else that of the script. On failure there is no ghost.
bool ctViewer_LoadGhost(ctViewer *v, const ctScene *scene, ctError *error);

// viewer_time.c
void ctViewer_Advance(ctViewer *v, double elapsed);
bool ctViewer_SyncBodies(ctViewer *v, ctError *error); // after bodies were added or removed; not while busy

// viewer_hands.c
void ctViewer_UseHands(ctViewer *v); // carries out requests to edit, delete and save; not while busy

// viewer_input.c
void ctViewer_Input(ctViewer *v);

// viewer_touch.c
void ctViewer_Finger(ctViewer *v, const union SDL_Event *event);
bool ctViewer_IsLongPress(const ctViewer *v); // a single finger has been down for a while

// viewer_pictures.c
void ctViewer_TakePictures(ctViewer *v, bool withPanels); // requested screenshots and frames, of the present picture
void ctViewer_StopRecording(ctViewer *v);

// viewer_draw.c
bool ctViewer_Draw(ctViewer *v, ctError *error);
void ctViewer_RunPanels(ctViewer *v); // without drawing: the panels process the pointer

// overlay.c
void ctOverlay_Draw(ctViewer *v);   // lines in space
void ctOverlay_Labels(ctViewer *v); // text

#endif
