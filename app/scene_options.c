#include "app/scene_options.h"

#include "collision/error.h"

#include <string.h>

void ctSceneArguments_UseAllCores(ctSceneArguments *arguments)
{
    arguments->scene.hasThreads = true;
    arguments->scene.threads = 0;
}

bool ctParseSetting(const char *word, void *arguments, ctError *error)
{
    ctSceneArguments *a = arguments;
    const char *equals = strchr(word, '=');
    double value;
    if (equals == NULL || equals == word || !ctParseNumber(equals + 1, &value)) {
        return ctFail(error, ct_badArgument, "takes NAME=VALUE with a number, not '%.60s'", word);
    }
    size_t length = (size_t)(equals - word);
    if (length >= CT_SETTING_NAME) {
        return ctFail(error, ct_badArgument, "names no parameter: '%.60s...' is too long", word);
    }
    int i = a->scene.settingCount;
    if (i >= CT_MAX_SETTINGS) {
        return ctFail(error, ct_limit, "is given more than %d times", CT_MAX_SETTINGS);
    }
    memcpy(a->names[i], word, length);
    a->names[i][length] = '\0';
    a->settings[i].name = a->names[i];
    a->settings[i].value = value;
    a->scene.settings = a->settings;
    a->scene.settingCount = i + 1;
    return true;
}

bool ctParseLaw(const char *word, void *arguments, ctError *error)
{
    ctSceneArguments *a = arguments;
    a->scene.hasLaw = ctLaw_Parse(word, &a->scene.law, error);
    return a->scene.hasLaw;
}

bool ctParseContact(const char *word, void *arguments, ctError *error)
{
    ctSceneArguments *a = arguments;
    a->scene.hasContact = ctContactMode_Parse(word, &a->scene.contact, error);
    return a->scene.hasContact;
}

static void printLine(void *context, const char *line)
{
    fprintf(context, "%s\n", line);
}

ctScene *ctLoadSceneOrComplain(const char *nameOrPath, ctSceneArguments *arguments)
{
    ctError error = {ct_ok, ""};
    arguments->scene.print = printLine;
    arguments->scene.printContext = stderr;
    ctScene *scene = ctScene_Load(nameOrPath, &arguments->scene, &error);
    if (scene == NULL) {
        fprintf(stderr, "clatter: %s\n", error.message);
    }
    return scene;
}
