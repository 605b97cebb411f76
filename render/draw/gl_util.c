#include "render/draw/gl_util.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "render/draw/shader_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHADER_MAX 65536

// Appends a file of assets/shaders to text.
static bool appendFile(char *text, const char *name, ctError *error)
{
    const ctShaderText *shader = ctShaderTexts;
    while (shader->name != NULL && strcmp(shader->name, name) != 0) {
        shader++;
    }
    size_t used = strlen(text), left = SHADER_MAX - used;
    if (shader->name == NULL || (size_t)snprintf(text + used, left, "#line 1\n%s", shader->text) >= left) {
        return ctFail(error, ct_io, "shader %s: is missing, or too long", name);
    }
    return true;
}

bool ctGl_IsEmbedded(void)
{
    const char *version = (const char *)glGetString(GL_VERSION);
    return version != NULL && strncmp(version, "OpenGL ES", 9) == 0;
}

bool ctGl_IsSoftware(void)
{
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    return renderer != NULL && (strstr(renderer, "llvmpipe") != NULL || strstr(renderer, "softpipe") != NULL);
}

// The first lines of a shader. The same shaders serve OpenGL 3.3 and OpenGL ES 3, which requires precisions.
static const char *preamble(void)
{
    return ctGl_IsEmbedded() ? "#version 300 es\nprecision highp float;\nprecision highp int;\n"
                               "precision highp sampler2DShadow;\nprecision highp sampler2D;\n"
                             : "#version 330 core\n";
}

static GLuint compile(GLenum stage, const char *files, const char *defines, ctError *error)
{
    char *text = ctAllocate(SHADER_MAX, 1);
    if (text == NULL) {
        ctFailMemory(error, "shader");
        return 0;
    }
    snprintf(text, SHADER_MAX, "%s%s", preamble(), defines);
    char list[256];
    snprintf(list, sizeof list, "%s", files);
    char *rest = NULL;
    bool read = true;
    for (char *name = strtok_r(list, " ", &rest); name != NULL && read; name = strtok_r(NULL, " ", &rest)) {
        read = appendFile(text, name, error);
    }
    GLuint shader = 0;
    if (read) {
        shader = glCreateShader(stage);
        const GLchar *source = text;
        glShaderSource(shader, 1, &source, NULL);
        glCompileShader(shader);
        GLint good = GL_FALSE;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
        if (good != GL_TRUE) {
            char log[160] = "";
            glGetShaderInfoLog(shader, sizeof log, NULL, log);
            ctFail(error, ct_io, "shader %s: %s", files, log);
            glDeleteShader(shader);
            shader = 0;
        }
    }
    ctFree(text);
    return shader;
}

GLuint ctGl_Program(const char *vertexFiles, const char *fragmentFiles, const char *defines, ctError *error)
{
    GLuint vertex = compile(GL_VERTEX_SHADER, vertexFiles, defines, error);
    GLuint fragment = vertex != 0 ? compile(GL_FRAGMENT_SHADER, fragmentFiles, defines, error) : 0;
    GLuint program = 0;
    if (fragment != 0) {
        program = glCreateProgram();
        glAttachShader(program, vertex);
        glAttachShader(program, fragment);
        glLinkProgram(program);
        GLint good = GL_FALSE;
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (good != GL_TRUE) {
            char log[160] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            ctFail(error, ct_io, "shaders %s, %s: %s", vertexFiles, fragmentFiles, log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

GLint ctGl_Uniform(GLuint program, const char *name)
{
    return glGetUniformLocation(program, name);
}

// ---- messages of a debug context --------------------------------------------------------------

typedef void(GLAD_API_PTR *debugFn)(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                    const GLchar *message, const void *context);
typedef void(GLAD_API_PTR *debugCallbackFn)(debugFn callback, const void *context);

enum { debugOutputSynchronous = 0x8242, debugTypeError = 0x824C };

static int errorCount;

static void GLAD_API_PTR onMessage(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                   const GLchar *message, const void *context)
{
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    (void)context;
    if (type == debugTypeError) {
        errorCount++;
        fprintf(stderr, "clatter: OpenGL: %s\n", message);
    }
}

void ctGl_WatchErrors(void *(*load)(const char *name))
{
    void *found = load("glDebugMessageCallback");
    if (found == NULL) {
        found = load("glDebugMessageCallbackKHR");
    }
    if (found != NULL) {
        debugCallbackFn set;
        memcpy(&set, &found, sizeof set);
        set(onMessage, NULL);
        glEnable(debugOutputSynchronous);
    }
}

int ctGl_ErrorCount(void)
{
    while (glGetError() != GL_NO_ERROR) {
        errorCount++;
    }
    return errorCount;
}
