// The renderer's copy of a scene: the mesh and look of every body, and the ground.
#ifndef CT_DRAW_STAGE_H
#define CT_DRAW_STAGE_H

#include "render/draw/renderer.h"
#include "render/session/ghost.h"

typedef struct ctStageBody {
    ctBodyId id;
    const struct ctShape *geometry; // the world's
    ctDrawShape shape;
    ctLook look;
    ctMotionType motion;
    bool plane;
    ctVec3 planeNormal; // in the shape's frame
    double planeOffset;
    double radius; // of a ball about the shape's origin that contains the shape, m
} ctStageBody;

typedef struct ctStage {
    ctRenderer *renderer;
    const ctScene *scene;
    ctStageBody *bodies; // by ordinal
    int count, capacity;
    double floorCell; // m
} ctStage;

// Sets the scene (NULL: none) and frees the shapes of the last one.
bool ctStage_Set(ctStage *stage, ctRenderer *renderer, const ctScene *scene, ctError *error);
void ctStage_Free(ctStage *stage);
// Updates the stage when bodies have been added to the world or removed.
bool ctStage_Sync(ctStage *stage, ctError *error);

// The present poses of the bodies by ordinal, stage->count of them, and states (ct_stateAsleep; NULL is allowed).
void ctStage_Capture(const ctStage *stage, ctTransform *poses, uint8_t *states);
// Begins a frame and adds the ground and all bodies. The caller adds overlays and calls ctRenderer_End.
void ctStage_Draw(const ctStage *stage, const ctView *view, const ctTransform *poses, const uint8_t *states);

// Adds the ghosts of the bodies at a time. ghost may be empty.
void ctStage_AddGhosts(const ctStage *stage, const ctGhost *ghost, double time);

// One frame of the present world: ctStage_Sync, ctStage_Capture and ctStage_Draw, with ghosts unless ghost is NULL.
// ctRenderer_End does not use the world.
bool ctStage_Compose(ctStage *stage, const ctView *view, const ctGhost *ghost, ctError *error);
// ctStage_Compose and ctRenderer_End.
bool ctStage_DrawNow(ctStage *stage, const ctView *view, const ctGhost *ghost, ctError *error);

// The scene's camera of that name (NULL: the first), or a view of all bodies when the script has made no camera. False
// when no camera has that name.
bool ctStage_FindView(const ctScene *scene, const char *name, ctView *view);

#endif
