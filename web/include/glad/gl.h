// The browser's OpenGL ES 3 under the header name of desktop OpenGL, which the viewer includes.
#ifndef CT_WEB_GL_H
#define CT_WEB_GL_H

#include <glad/gles2.h>

#define gladLoadGL gladLoadGLES2

#endif
