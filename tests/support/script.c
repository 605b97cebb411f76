#include "tests/support/script.h"

#include "scenes/measure.h"
#include "tests/support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ctScene *ctLoadText(const char *text, const ctSceneOptions *options, ctError *error)
{
    char path[] = "/tmp/clatter-test-XXXXXX.lua";
    int fd = mkstemps(path, 4);
    ck_assert_int_ge(fd, 0);
    FILE *file = fdopen(fd, "wb");
    ck_assert(file != NULL);
    ck_assert(fwrite(text, 1, strlen(text), file) == strlen(text));
    fclose(file);
    ctScene *scene = ctScene_Load(path, options, error);
    remove(path);
    return scene;
}

ctScene *ctMustLoadText(const char *text, const ctSceneOptions *options)
{
    ctError error = {ct_ok, ""};
    ctScene *scene = ctLoadText(text, options, &error);
    ck_assert_msg(scene != NULL, "%s", error.message);
    return scene;
}

ctBodyId ctMustFind(const ctScene *scene, const char *name)
{
    ctBodyId id = ctWorld_FindBody(scene->world, name);
    ck_assert_msg(ctBody_IsValid(scene->world, id), "there is no body '%s'", name);
    return id;
}

void ctRunScene(ctScene *scene, double seconds)
{
    ctError error = {ct_ok, ""};
    while (ctWorld_GetTime(scene->world) < seconds - 1e-9) {
        ck_assert_msg(ctScene_Step(scene, &error), "%s", error.message);
    }
}

double ctMeasureNow(ctScene *scene, const char *name)
{
    ctError error = {ct_ok, ""};
    ctMeasureRef m;
    double x = 0.0;
    ck_assert_msg(ctMeasure_Find(scene, name, &m, &error), "%s", error.message);
    ck_assert_msg(ctMeasure_Value(scene, &m, &x, &error), "%s", error.message);
    return x;
}
