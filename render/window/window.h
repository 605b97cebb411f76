// A window with an OpenGL 3.3 core context, or a context without a window.
#ifndef CT_WINDOW_H
#define CT_WINDOW_H

#include "collision/error.h"

struct SDL_Window;

typedef struct ctWindow {
    struct SDL_Window *window;
    void *context; // SDL_GLContext
    bool offscreen;
    char renderer[128];
} ctWindow;

// offscreen needs no display (EGL); debug asks for a context that reports every misuse.
bool ctWindow_Open(ctWindow *window, const char *title, int width, int height, bool offscreen, bool debug,
                   ctError *error);
void ctWindow_Close(ctWindow *window);
// The size in pixels. On dense displays it is larger than the size in the window's units.
void ctWindow_GetSize(const ctWindow *window, int *width, int *height);

#endif
