// The menu of demos, by tabs, with what each one shows.
#include "render/viewer/viewer_internal.h"

#include <math.h>
#include <string.h>

static bool firstOfTab(const ctViewer *v, int index)
{
    for (int i = 0; i < index; i++) {
        if (strcmp(v->demos[i].tab, v->demos[index].tab) == 0) {
            return false;
        }
    }
    return true;
}

// Lines of a paragraph become one, so that the panel can wrap them; empty lines stay.
static void paragraphs(const char *text)
{
    char flat[2048];
    size_t n = 0;
    for (const char *c = text; *c != '\0' && n + 3 < sizeof flat; c++) {
        bool paragraph = c[0] == '\n' && (c[1] == '\n' || (c > text && c[-1] == '\n'));
        flat[n++] = *c == '\n' && !paragraph ? ' ' : *c;
    }
    flat[n] = '\0';
    ctGui_TextWrapped(flat);
}

static void demosOfTab(ctViewer *v, const char *tab)
{
    ctGui_BeginChild(tab, 0.0f, 0.0f);
    for (int i = 0; i < v->demoCount; i++) {
        const ctDemo *demo = &v->demos[i];
        if (strcmp(demo->tab, tab) == 0) {
            bool current = strcmp(demo->name, v->scene->name) == 0;
            ctGui_PushId(i);
            if (ctGui_Selectable(demo->title, current)) {
                v->wantedDemo = i;
                v->show.scenes = false;
            }
            ctGui_PopId();
            paragraphs(demo->description);
            ctGui_Space(8.0f * v->scale);
        }
    }
    ctGui_EndChild();
}

void ctPanel_Scenes(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    ctRect place = {(v->show.tweak ? 312.0f : 20.0f) * unit, 50.0f * unit, fminf(640.0f * unit, 0.8f * width),
                    fminf(560.0f * unit, 0.75f * height)};
    if (ctGui_BeginPanel("Scenes", &v->show.scenes, place, ct_guiSolid) && ctGui_BeginTabs("tabs")) {
        for (int i = 0; i < v->demoCount; i++) {
            if (firstOfTab(v, i) && ctGui_BeginTab(v->demos[i].tab)) {
                demosOfTab(v, v->demos[i].tab);
                ctGui_EndTab();
            }
        }
        ctGui_EndTabs();
    }
    ctGui_EndPanel();
}
