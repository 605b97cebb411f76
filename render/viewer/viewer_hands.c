// The user's changes to the world: edit a body, delete it, save the world.
#include "render/viewer/viewer_internal.h"

#include "render/files/atomic_file.h"
#include "render/gui/imgui_c.h"
#include "scenes/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool change(ctViewer *v, ctError *error)
{
    ctWorld *world = v->scene->world;
    ctBodyEdit edit = v->edit;
    v->edit = (ctBodyEdit){.moved = false};
    if (!ctBody_IsValid(world, edit.body)) {
        return true;
    }
    ctTransform pose = ctBody_GetTransform(world, edit.body);
    pose.p = edit.place;
    return ctBody_SetVelocity(world, edit.body, edit.velocity, edit.spin, error) &&
           (!edit.moved || ctBody_SetTransform(world, edit.body, pose, error));
}

static bool saveWorld(ctViewer *v, char *path, size_t size, ctError *error)
{
    for (int i = 1; i < 1000; i++) {
        snprintf(path, size, "clatter-%.80s-%03d.snap", v->scene->name, i);
        if (access(path, F_OK) != 0) {
            break;
        }
    }
    void *data = NULL;
    size_t length = 0;
    ctAtomicFile file;
    if (!ctWorld_Save(v->scene->world, &data, &length, error)) {
        return false;
    }
    bool good = ctAtomicFile_Open(&file, path, error);
    if (good) {
        fwrite(data, 1, length, file.stream);
        good = ctAtomicFile_Commit(&file, error);
    }
    ctFreeSnapshot(data);
    return good;
}

void ctViewer_UseHands(ctViewer *v)
{
    ctError error = {0};
    bool changed = false;
    if (v->edit.body.index1 != 0) {
        changed = true;
        if (!change(v, &error)) {
            ctViewer_Say(v, "%s", error.message);
        }
    }
    if (v->deleteBody && ctBody_IsValid(v->scene->world, v->selected)) {
        changed = true;
        if (ctWorld_DestroyBody(v->scene->world, v->selected, &error)) {
            v->selected = (ctBodyId){0};
            v->show.body = v->follow = false;
        } else {
            ctViewer_Say(v, "%s", error.message);
        }
    }
    v->deleteBody = false;
    if (changed && (!ctSim_Capture(&v->sim) || !ctViewer_SyncBodies(v, &error))) {
        ctViewer_Say(v, "%s", error.message);
    }
    if (v->copyScene) {
        v->copyScene = false;
        char *text = ctScene_Write(v->scene, &error);
        if (text != NULL) {
            ctGui_Copy(text);
            v->copied = (int)strlen(text);
            ctViewer_Say(v, "copied a scene of %d bodies", ctWorld_GetBodyCount(v->scene->world));
        } else {
            ctViewer_Say(v, "not copied: %s", error.message);
        }
        free(text);
    }
    if (v->saveWorld) {
        char path[256];
        v->saveWorld = false;
        if (saveWorld(v, path, sizeof path, &error)) {
            ctViewer_Say(v, "saved %s; clatter run %s opens it", path, path);
        } else {
            ctViewer_Say(v, "not saved: %s", error.message);
        }
    }
}
