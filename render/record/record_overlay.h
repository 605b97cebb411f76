// What a recording can show besides the bodies: contacts, energy, the last impact's hodograph, the time.
#ifndef CT_RECORD_OVERLAY_H
#define CT_RECORD_OVERLAY_H

#include "render/draw/stage.h"

typedef struct ctRecordOverlay ctRecordOverlay;

// list: any of contacts, trails, sleeping, energy, hodograph, time, separated by commas, or none; NULL: what the scene
// shows. Checked without making anything.
bool ctRecordOverlay_Check(const char *list, ctError *error);

// Whether there is anything to draw over the bodies.
bool ctRecordOverlay_IsNeeded(const char *list, const ctScene *scene);

// Needs a current OpenGL context. NULL on failure.
ctRecordOverlay *ctRecordOverlay_Create(const char *list, const ctScene *scene, int height, ctError *error);
void ctRecordOverlay_Destroy(ctRecordOverlay *overlay); // NULL is allowed

// After every frame of the world, drawn or not: remembers what happened.
void ctRecordOverlay_Follow(ctRecordOverlay *overlay, const ctScene *scene);

// One whole picture: the scene with its ghosts, the marks in space, and the panels over it. Composing reads the world;
// painting does not, so that the world may go on meanwhile, on another thread.
bool ctRecordOverlay_Compose(ctRecordOverlay *overlay, ctStage *stage, const ctView *view, const ctGhost *ghost,
                             ctError *error);
bool ctRecordOverlay_Paint(const ctStage *stage, ctError *error);

#endif
