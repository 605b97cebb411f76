// The menu of demos, by tabs, with what each one shows.
#include "render/viewer_internal.h"

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
            ctGui_TextFaint("%s", demo->name);
            ctGui_TextWrapped(demo->description);
            ctGui_Space(8.0f * v->scale);
        }
    }
    ctGui_EndChild();
}

void ctPanel_Scenes(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    ctRect place = {60.0f * unit, 60.0f * unit, fminf(640.0f * unit, 0.8f * width),
                    fminf(560.0f * unit, 0.75f * height)};
    if (ctGui_BeginPanel("Scenes", &v->show.scenes, place, 0) && ctGui_BeginTabs("tabs")) {
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
