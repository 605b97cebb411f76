// What the files of the viewer share: they read what was asked for on the desk and do it.
#ifndef CT_VIEWER_INTERNAL_H
#define CT_VIEWER_INTERNAL_H

#include "render/panels/panels.h"
#include "render/viewer/viewer.h"

// viewer_scene.c
void ctViewer_OnPrint(void *context, const char *line); // what a script prints
bool ctViewer_Load(ctViewer *v, const char *nameOrPath, bool keepView, bool keepSettings, ctError *error);
void ctViewer_Restart(ctViewer *v);                    // not while busy
void ctViewer_WatchScene(ctViewer *v);                 // loads the script again when it was saved
void ctViewer_LoadDemo(ctViewer *v, int index);        // not while busy
void ctViewer_LoadFile(ctViewer *v, const char *path); // not while busy

// viewer_ghost.c
// The ghost of a scene: of the command line when the scene is the one that was named there, or the script's own. The
// old one goes. On failure there is none.
bool ctViewer_LoadGhost(ctViewer *v, const ctScene *scene, ctError *error);

// viewer_time.c
void ctViewer_Advance(ctViewer *v, double elapsed);
bool ctViewer_SyncBodies(ctViewer *v, ctError *error); // after bodies came or went; not while busy

// viewer_hands.c
void ctViewer_UseHands(ctViewer *v); // edits, deletes, saves what was asked for; not while busy

// viewer_input.c
void ctViewer_Input(ctViewer *v);

// viewer_touch.c
void ctViewer_Finger(ctViewer *v, const union SDL_Event *event);
bool ctViewer_IsLongPress(const ctViewer *v); // one finger has stayed where it came down

// viewer_pictures.c
void ctViewer_TakePictures(ctViewer *v, bool withPanels); // what was asked for, from the picture as it is
void ctViewer_StopRecording(ctViewer *v);

// viewer_draw.c
bool ctViewer_Draw(ctViewer *v, ctError *error);
void ctViewer_RunPanels(ctViewer *v); // without drawing: the panels see what the pointer did

// overlay.c
void ctOverlay_Draw(ctViewer *v);   // lines in space
void ctOverlay_Labels(ctViewer *v); // their text

#endif
