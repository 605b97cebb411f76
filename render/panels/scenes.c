// The menu of demos, by tabs, with their descriptions; and the user's files.
#include "render/gui/pictures.h"
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>
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

// The demos of a tab as pictures, as many in a row as fit, at least two. A description appears beside the pointer.
static void demosOfTab(ctViewer *v, const char *tab)
{
    ctGui_BeginChild(tab, 0.0f, 0.0f);
    float unit = v->scale, free = ctGui_AvailableWidth(), space = 7.0f * unit;
    int columns = (int)fmaxf(2.0f, floorf((free + space) / (180.0f * unit + space))), column = 0;
    float w = (free - space * (float)(columns - 1)) / (float)columns;
    for (int i = 0; i < v->demoCount; i++) {
        const ctDemo *demo = &v->demos[i];
        if (strcmp(demo->tab, tab) != 0) {
            continue;
        }
        if (column > 0) {
            ctGui_SameLine(0.0f);
        }
        column = (column + 1) % columns;
        ctGui_PushId(i);
        if (ctGui_PictureButton(ctPictures_OfDemo(demo->name), w, 0.625f * w, demo->title,
                                i == ctViewer_CurrentDemo(v))) {
            v->wantedDemo = i;
            v->show.scenes = false;
        }
        ctGui_PopId();
        ctGui_Hint(demo->description);
    }
    ctGui_EndChild();
}

static const char *nameOf(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void open(ctViewer *v, const char *path)
{
    ctViewer_OpenFile(v, path);
    v->show.scenes = false;
}

// The user's scenes: those opened recently, and a list of files.
static void files(ctViewer *v)
{
    ctGui_BeginChild("files", 0.0f, 0.0f);
    if (v->recent.count > 0) {
        ctGui_TextFaint("opened lately");
    }
    for (int i = 0; i < v->recent.count; i++) {
        ctGui_PushId(i);
        if (ctGui_Selectable(nameOf(v->recent.paths[i]),
                             strcmp(nameOf(v->recent.paths[i]), nameOf(v->scenePath)) == 0)) {
            open(v, v->recent.paths[i]);
        }
        ctGui_Hint(v->recent.paths[i]);
        ctGui_PopId();
    }
    ctGui_Space(6.0f * v->scale);
    ctGui_TextFaint("%s", v->folder.path);
    ctGui_Hint("A scene can also be dropped on the window.");
    const char *enter = NULL;
    if (ctGui_Selectable("../", false)) {
        enter = "..";
    }
    for (int i = 0; i < v->folder.count; i++) {
        const ctFolderEntry *entry = &v->folder.entries[i];
        char label[300];
        snprintf(label, sizeof label, "%s%s", entry->name, entry->folder ? "/" : "");
        ctGui_PushId(1000 + i);
        if (ctGui_Selectable(label, false)) {
            enter = entry->name;
            if (!entry->folder) {
                char path[sizeof v->folder.path + 300];
                snprintf(path, sizeof path, "%s/%s", v->folder.path, entry->name);
                open(v, path);
                enter = NULL;
            }
        }
        ctGui_PopId();
    }
    if (enter != NULL && !ctFolder_Enter(&v->folder, enter)) {
        ctViewer_Say(v, "cannot open that folder");
    }
    ctGui_EndChild();
}

void ctPanel_Scenes(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float left = (v->show.tweak ? 312.0f : 20.0f) * unit, top = 46.0f * unit;
    float w = fminf(640.0f * unit, width - 16.0f * unit);
    ctRect place = {fmaxf(4.0f, fminf(left, width - w - 8.0f * unit)), top, w,
                    fminf(560.0f * unit, height - top - 8.0f * unit)};
    if (ctGui_BeginPanel("Scenes", &v->show.scenes, place, ct_guiSolid) && ctGui_BeginTabs("tabs")) {
        for (int i = 0; i < v->demoCount; i++) {
            if (firstOfTab(v, i) && ctGui_BeginTab(v->demos[i].tab)) {
                demosOfTab(v, v->demos[i].tab);
                ctGui_EndTab();
            }
        }
        if (ctGui_BeginTab("Files")) {
            files(v);
            ctGui_EndTab();
        }
        ctGui_EndTabs();
    }
    ctGui_EndPanel();
}
