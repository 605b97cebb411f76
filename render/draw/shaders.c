#include "render/draw/shaders.h"

#include <stdio.h>

static void bindInputs(GLuint program)
{
    GLuint block = glGetUniformBlockIndex(program, "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program, block, 0);
    }
    glUseProgram(program);
    glUniform1i(ctGl_Uniform(program, "shadowMap"), 0);
}

static GLuint use(GLuint *program, const char *vertex, const char *fragment, const char *defines, ctError *error)
{
    if (*program == 0) {
        *program = ctGl_Program(vertex, fragment, defines, error);
        if (*program == 0) {
            return 0;
        }
        bindInputs(*program);
    }
    glUseProgram(*program);
    return *program;
}

GLuint ctShaders_UseBody(ctShaders *s, int pattern, ctEdges edges, ctError *error)
{
    char defines[64];
    snprintf(defines, sizeof defines, "#define PATTERN %d\n#define EDGES %d\n", pattern, (int)edges);
    return use(&s->bodies[edges][pattern], "frame.glsl body.vert", "frame.glsl light.glsl pattern.glsl body.frag",
               defines, error);
}

GLuint ctShaders_UseGround(ctShaders *s, int pattern, bool shadowed, ctError *error)
{
    char defines[64];
    snprintf(defines, sizeof defines, "#define PATTERN %d\n%s", pattern, shadowed ? "" : "#define UNSHADOWED\n");
    return use(&s->grounds[shadowed ? 0 : 1][pattern], "frame.glsl ground.vert",
               "frame.glsl light.glsl pattern.glsl ground.frag", defines, error);
}

bool ctShaders_Create(ctShaders *s, ctError *error)
{
    return use(&s->shadow, "shadow.vert", "shadow.frag", "", error) != 0 &&
           use(&s->sky, "frame.glsl sky.vert", "frame.glsl light.glsl sky.frag", "", error) != 0 &&
           use(&s->backdrop, "frame.glsl sky.vert", "backdrop.frag", "", error) != 0 &&
           use(&s->outline, "frame.glsl outline.vert", "outline.frag", "", error) != 0;
}

void ctShaders_Destroy(ctShaders *s)
{
    for (int i = 0; i < CT_PATTERNS; i++) {
        for (int k = 0; k < ct_edgesCount; k++) {
            glDeleteProgram(s->bodies[k][i]);
        }
        glDeleteProgram(s->grounds[0][i]);
        glDeleteProgram(s->grounds[1][i]);
    }
    glDeleteProgram(s->shadow);
    glDeleteProgram(s->sky);
    glDeleteProgram(s->backdrop);
    glDeleteProgram(s->outline);
    *s = (ctShaders){0};
}
