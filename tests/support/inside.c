#include "tests/support/inside.h"

#include "render/draw/gl_util.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ctInsideText ctInside_Texts[CT_INSIDE_TEXTS];
int ctInside_Count;
char ctInside_Folder[] = "build/test_inside_XXXXXX";

static void take(void *context, const char *panel, const char *label, ctRect rect)
{
    (void)context;
    ck_assert_int_lt(ctInside_Count, CT_INSIDE_TEXTS);
    ctInsideText *text = &ctInside_Texts[ctInside_Count++];
    snprintf(text->name, sizeof text->name, "%s|%s", panel, label);
    text->rect = rect;
}

const ctRect *ctInside_Find(const char *name)
{
    for (int i = 0; i < ctInside_Count; i++) {
        if (strcmp(ctInside_Texts[i].name, name) == 0) {
            return &ctInside_Texts[i].rect;
        }
    }
    return NULL;
}

void ctInside_WriteScene(const char *name, const char *words, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", ctInside_Folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(words, f);
    ck_assert_int_eq(fclose(f), 0);
}

ctViewer *ctInside_Open(const char *name, const char *words, double scale)
{
    char path[128];
    strcpy(ctInside_Folder, "build/test_inside_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(ctInside_Folder));
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    setenv("XDG_STATE_HOME", ctInside_Folder, 1);
    ctInside_WriteScene(name, words, path, sizeof path);
    bool badInput;
    ctError error = {0};
    const ctViewerOptions options = {.scene = path,
                                     .width = CT_INSIDE_WIDTH,
                                     .height = CT_INSIDE_HEIGHT,
                                     .paused = true,
                                     .debug = true,
                                     .scale = scale};
    ctViewer *v = ctViewer_Open(&options, &badInput, &error);
    ck_assert_msg(v != NULL, "%s", error.message);
    ctGui_OnLabel(take, NULL);
    ctGui_OnWidget(take, NULL);
    return v;
}

void ctInside_Close(ctViewer *v)
{
    char command[128];
    ck_assert_int_eq(ctGl_ErrorCount(), 0);
    ctViewer_Close(v);
    snprintf(command, sizeof command, "rm -r %s", ctInside_Folder);
    ck_assert_int_eq(system(command), 0);
}

void ctInside_Draw(ctViewer *v, int pictures)
{
    for (int i = 0; i < pictures; i++) {
        bool more;
        ctError error = {0};
        ctInside_Count = 0;
        ck_assert_msg(ctViewer_Frame(v, &more, &error), "%s", error.message);
        ck_assert(more);
    }
}

// ---- hands ------------------------------------------------------------------------------------

void ctInside_Move(int x, int y, unsigned buttons)
{
    SDL_Event e = {.motion = {.type = SDL_MOUSEMOTION, .state = buttons, .x = x, .y = y}};
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

void ctInside_Button(int x, int y, bool down)
{
    SDL_Event e = {.button = {.button = SDL_BUTTON_LEFT, .clicks = 1, .x = x, .y = y}};
    e.button.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
    e.button.state = down ? SDL_PRESSED : SDL_RELEASED;
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

void ctInside_ClickAt(int x, int y)
{
    ctInside_Button(x, y, true);
    ctInside_Button(x, y, false);
}

void ctInside_Key(SDL_Keycode key)
{
    SDL_Event e = {.key = {.type = SDL_KEYDOWN, .state = SDL_PRESSED, .keysym = {.sym = key}}};
    e.key.keysym.scancode = SDL_GetScancodeFromKey(key);
    ck_assert_int_eq(SDL_PushEvent(&e), 1);
}

void ctInside_Click(ctViewer *v, const char *widget)
{
    const ctRect *r = ctInside_Find(widget);
    ck_assert_msg(r != NULL, "no %s", widget);
    int x = (int)(r->x + fminf(0.5f * r->w, 30.0f)), y = (int)(r->y + 0.5f * r->h);
    ctInside_Move(x, y, 0);
    ctInside_Draw(v, 1);
    ctInside_ClickAt(x, y);
    ctInside_Draw(v, 2);
}

void ctInside_ClickOn(ctViewer *v, const char *body)
{
    ctBodyId id = ctWorld_FindBody(v->scene->world, body);
    double x, y;
    ck_assert(ctView_Project(&v->view, (double)CT_INSIDE_WIDTH / CT_INSIDE_HEIGHT,
                             ctBody_GetCenter(v->scene->world, id), &x, &y));
    ctInside_ClickAt((int)((x + 1.0) * 0.5 * CT_INSIDE_WIDTH), (int)((1.0 - y) * 0.5 * CT_INSIDE_HEIGHT));
    ctInside_Draw(v, 3);
    ck_assert_int_eq(v->selected.index1, id.index1);
}
