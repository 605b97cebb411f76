// The programs of the renderer, compiled when they are first needed.
#ifndef CT_DRAW_SHADERS_H
#define CT_DRAW_SHADERS_H

#include "render/draw/gl_util.h"
#include "scenes/scene.h"

#define CT_PATTERNS (ct_patternDomino + 1)

// Which edges of a mesh are drawn as lines (EDGES of assets/shaders/body.frag).
typedef enum ctEdges { ct_edgesNone, ct_edgesBox, ct_edgesCylinder, ct_edgesCount } ctEdges;

typedef struct ctShaders {
    GLuint bodies[ct_edgesCount][CT_PATTERNS];
    GLuint grounds[2][CT_PATTERNS]; // with and without shadows
    GLuint shadow, sky, backdrop, outline;
} ctShaders;

bool ctShaders_Create(ctShaders *shaders, ctError *error); // compiles the programs that every scene needs
void ctShaders_Destroy(ctShaders *shaders);
// Each makes the program current and returns it, or returns 0 when the program cannot be made.
GLuint ctShaders_UseBody(ctShaders *shaders, int pattern, ctEdges edges, ctError *error);
GLuint ctShaders_UseGround(ctShaders *shaders, int pattern, bool shadowed, ctError *error);

#endif
