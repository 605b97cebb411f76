// The overlays of a recording: contacts, energy, the last impact's hodograph, the time, and others.
#ifndef CT_RECORD_OVERLAY_H
#define CT_RECORD_OVERLAY_H

#include "render/draw/stage.h"

typedef struct ctRecordOverlay ctRecordOverlay;

// Checks a list: any of contacts, trails, sleeping, energy, hodograph, time, separated by commas, or none; NULL: the
// overlays of the scene.
bool ctRecordOverlay_Check(const char *list, ctError *error);

// Whether any overlay or annotation has to be drawn.
bool ctRecordOverlay_IsNeeded(const char *list, const ctScene *scene);

// Needs a current OpenGL context. NULL on failure.
ctRecordOverlay *ctRecordOverlay_Create(const char *list, const ctScene *scene, int height, ctError *error);
void ctRecordOverlay_Destroy(ctRecordOverlay *overlay); // NULL is allowed

// To be called after every frame of the world, drawn or not: stores its impacts and energies.
void ctRecordOverlay_Follow(ctRecordOverlay *overlay, const ctScene *scene);

// One picture: the scene with its ghosts, the marks in space, and the panels over it. Composing reads the world.
// Painting does not, so that another thread may step the world meanwhile.
bool ctRecordOverlay_Compose(ctRecordOverlay *overlay, ctStage *stage, const ctView *view, const ctGhost *ghost,
                             ctError *error);
bool ctRecordOverlay_Paint(const ctStage *stage, ctError *error);

#endif
