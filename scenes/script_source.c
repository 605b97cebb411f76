// The text of the script in the notes of a world. A saved world continues as the same scene with it. Only the file
// name of the script's path is kept: its meshes are looked for beside the snapshot file.
#include "collision/memory.h"
#include "scenes/script.h"

#include <string.h>

bool ctScriptSource_Write(ctLoader *loader, const char *text, size_t length)
{
    ctArchive *ar = &loader->script->source;
    const ctScene *scene = loader->scene;
    int textLength = (int)length, count = scene->paramCount;
    const char *slash = strrchr(scene->path, '/');
    char *name = slash != NULL ? (char *)slash + 1 : scene->path;
    *ar = ctArchive_Writer();
    ctArchive_Text(ar, &name);
    ctArchive_Count(ar, &textLength, 1);
    ctArchive_Bytes(ar, (void *)text, length);
    ctArchive_Count(ar, &count, 1);
    for (int i = 0; i < count; i++) {
        ctArchive_Text(ar, &scene->params[i].name);
        ctArchive_F64(ar, &scene->params[i].value);
    }
    return !ar->failed;
}

void ctScriptSource_Free(ctScriptSource *source)
{
    ctFree(source->name);
    ctFree(source->text);
    for (int i = 0; i < source->settingCount; i++) {
        ctFree(source->names[i]);
    }
    *source = (ctScriptSource){0};
}

static void readSettings(ctArchive *ar, ctScriptSource *source)
{
    int count = 0;
    ctArchive_Count(ar, &count, 1);
    ctArchive_Check(ar, count <= CT_SCRIPT_PARAMS, "the parameters");
    for (int i = 0; i < count && !ar->failed; i++) {
        ctArchive_Text(ar, &source->names[i]);
        ctArchive_F64(ar, &source->settings[i].value);
        ctArchive_Check(ar, source->names[i] != NULL, "a parameter");
        source->settings[i].name = source->names[i];
        source->settingCount = i + 1;
    }
}

bool ctScriptSource_Read(const ctWorld *world, ctScriptSource *source)
{
    size_t size;
    const void *notes = ctWorld_GetNotes(world, &size);
    ctArchive ar = ctArchive_Reader(notes, size);
    int sourceLength = 0, length = 0;
    *source = (ctScriptSource){0};
    ctScriptNotes_Head(&ar);
    ctArchive_Count(&ar, &sourceLength, 1);
    ctArchive_Text(&ar, &source->name);
    ctArchive_Count(&ar, &length, 1);
    source->text = ar.failed ? NULL : ctAllocate((size_t)length + 1, 1);
    if (source->text != NULL) {
        ctArchive_Bytes(&ar, source->text, (size_t)length);
        source->length = (size_t)length;
        readSettings(&ar, source);
    }
    if (ar.failed || source->text == NULL || source->name == NULL || strchr(source->name, '/') != NULL) {
        ctScriptSource_Free(source);
        return false;
    }
    return true;
}
