// A viewer without a display, driven by the events that a window would send, and what its last picture has on it.
#ifndef CT_TEST_INSIDE_H
#define CT_TEST_INSIDE_H

#include "render/viewer/viewer_internal.h"
#include "tests/support/suite.h"

#include <SDL.h>

enum { CT_INSIDE_WIDTH = 900, CT_INSIDE_HEIGHT = 640, CT_INSIDE_TEXTS = 1000 };

typedef struct ctInsideText {
    char name[128]; // "PANEL|LABEL"
    ctRect rect;
} ctInsideText;

// The words and the widgets of the last picture.
extern ctInsideText ctInside_Texts[CT_INSIDE_TEXTS];
extern int ctInside_Count;
extern char ctInside_Folder[]; // of the scene, and the working folder of nobody else

// Opens a scene of its own, paused.
ctViewer *ctInside_Open(const char *name, const char *words, double scale);
void ctInside_Close(ctViewer *v); // checks that OpenGL has seen no error
void ctInside_WriteScene(const char *name, const char *words, char *path, size_t size);
void ctInside_Draw(ctViewer *v, int pictures);
// Where the last picture has a text or a widget; NULL when it has none of that name.
const ctRect *ctInside_Find(const char *name);

void ctInside_Move(int x, int y, unsigned buttons);
void ctInside_Button(int x, int y, bool down); // the left one
void ctInside_ClickAt(int x, int y);
void ctInside_Key(SDL_Keycode key);
// A click on a widget that the last picture has, and some pictures after it.
void ctInside_Click(ctViewer *v, const char *widget);
// A click on a body, which is selected by it.
void ctInside_ClickOn(ctViewer *v, const char *body);

#endif
