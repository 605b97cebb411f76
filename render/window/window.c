#include "render/window/window.h"

#include "render/draw/gl_util.h"

#include <SDL.h>
#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
#include <link.h>
#endif
#include <stdlib.h>
#include <string.h>

static void *load(const char *name)
{
    return SDL_GL_GetProcAddress(name);
}

// glad's loader returns a function pointer; SDL returns an object pointer.
static GLADapiproc loadProc(const char *name)
{
    void *found = SDL_GL_GetProcAddress(name);
    GLADapiproc proc;
    memcpy(&proc, &found, sizeof proc);
    return proc;
}

static void setAttributes(bool debug)
{
#ifdef __EMSCRIPTEN__
    const int minor = 0, profile = SDL_GL_CONTEXT_PROFILE_ES; // browsers have only this
#else
    const int minor = 3, profile = SDL_GL_CONTEXT_PROFILE_CORE;
#endif
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, minor);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, profile);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, debug ? SDL_GL_CONTEXT_DEBUG_FLAG : 0);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
}

static bool openContext(ctWindow *window, bool debug, ctError *error)
{
    window->context = SDL_GL_CreateContext(window->window);
    if (window->context == NULL || SDL_GL_MakeCurrent(window->window, window->context) != 0) {
        return ctFail(error, ct_io, "no OpenGL 3.3 context (%s); on Debian: apt install libgl1-mesa-dri%s",
                      SDL_GetError(), window->offscreen ? " libegl1" : " libgl1");
    }
    if (gladLoadGL(loadProc) == 0) {
        return ctFail(error, ct_io, "the OpenGL library offers no version 3.3");
    }
    const char *name = (const char *)glGetString(GL_RENDERER);
    snprintf(window->renderer, sizeof window->renderer, "%s", name != NULL ? name : "?");
    if (debug) {
        ctGl_WatchErrors(load);
    }
    return true;
}

bool ctWindow_Open(ctWindow *window, const char *title, int width, int height, bool offscreen, bool debug,
                   ctError *error)
{
    *window = (ctWindow){.offscreen = offscreen};
    if (offscreen) {
        SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    }
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        return ctFail(error, ct_io, "no %s (%s)", offscreen ? "offscreen video driver" : "display", SDL_GetError());
    }
    const char *driver = SDL_GetCurrentVideoDriver();
    if (!offscreen && getenv("SDL_VIDEODRIVER") == NULL &&
        (strcmp(driver, "offscreen") == 0 || strcmp(driver, "dummy") == 0)) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        return ctFail(error, ct_io, "no display (neither DISPLAY nor WAYLAND_DISPLAY leads to one)");
    }
    setAttributes(debug);
    uint32_t flags =
        SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI | (offscreen ? SDL_WINDOW_HIDDEN : 0u);
    window->window = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    if (window->window == NULL) {
        ctFail(error, ct_io, "no window with OpenGL (%s)", SDL_GetError());
        ctWindow_Close(window);
        return false;
    }
    if (!openContext(window, debug, error)) {
        ctWindow_Close(window);
        return false;
    }
    if (!offscreen) {
        SDL_GL_SetSwapInterval(1);
    }
    return true;
}

#ifdef __SANITIZE_ADDRESS__
static int pinModule(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0') {
        dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
    }
    return 0;
}
#endif

void ctWindow_Close(ctWindow *window)
{
#ifdef __SANITIZE_ADDRESS__
    // Drivers stay loaded, so that the leak checker recognises memory that they keep until the process ends.
    dl_iterate_phdr(pinModule, NULL);
#endif
    if (window->context != NULL) {
        SDL_GL_DeleteContext(window->context);
    }
    if (window->window != NULL) {
        SDL_DestroyWindow(window->window);
    }
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    *window = (ctWindow){0};
}

void ctWindow_GetSize(const ctWindow *window, int *width, int *height)
{
    SDL_GL_GetDrawableSize(window->window, width, height);
}
