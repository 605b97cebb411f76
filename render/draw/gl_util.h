// Small helpers over OpenGL 3.3 core, or OpenGL ES 3.
#ifndef CT_DRAW_GL_UTIL_H
#define CT_DRAW_GL_UTIL_H

#include "collision/error.h"

#include <glad/gl.h>

// Compiles and links a program from files in assets/shaders. Each stage is the concatenation of its files,
// separated by spaces in the list; defines (lines of #define, or "") go before both. 0 on failure.
GLuint ctGl_Program(const char *vertexFiles, const char *fragmentFiles, const char *defines, ctError *error);

// Whether the context is one of OpenGL ES.
bool ctGl_IsEmbedded(void);
// Whether the renderer runs on the processor: Mesa's llvmpipe or softpipe.
bool ctGl_IsSoftware(void);

GLint ctGl_Uniform(GLuint program, const char *name);

// Sends messages of a debug context to standard error and counts them. Does nothing without the extension.
void ctGl_WatchErrors(void *(*load)(const char *name));
// Number of errors so far: those of the debug context, or else of glGetError.
int ctGl_ErrorCount(void);

#endif
