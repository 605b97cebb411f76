// scene{}, camera(), param() and ghost(): the settings of a scene.
#include "collision/error.h"
#include "collision/memory.h"
#include "collision/vec3.h"
#include "engine/impact/impact.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const contactNames[] = {"island", "microcollision", NULL};
static const ctSceneCamera defaultCamera = {NULL, {3.0, -4.0, 2.5}, {0.0, 0.0, 0.3}, 40.0, -1};

const char *ctContactMode_Name(ctContactMode mode)
{
    return mode <= ct_contactMicrocollision ? contactNames[mode] : "?";
}

// The index of name in names, or -1 with an error that lists the names.
static int findName(const char *what, const char *name, const char *const *names, ctError *error)
{
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], name) == 0) {
            return i;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    ctFail(error, ct_badArgument, "unknown %s '%.40s'; it is one of %s", what, name, list);
    return -1;
}

// The number of laws that a world accepts, and the NULL at the end. The laws after ct_lawCompliant are for comparison.
enum { LAW_NAMES = ct_lawCompliant + 2 };

static void listLaws(const char *names[LAW_NAMES])
{
    for (int k = 0; k <= ct_lawCompliant; k++) {
        names[k] = ctLawName((ctLaw)k);
    }
    names[LAW_NAMES - 1] = NULL;
}

bool ctLaw_Parse(const char *name, ctLaw *law, ctError *error)
{
    const char *names[LAW_NAMES];
    listLaws(names);
    int i = findName("law", name, names, error);
    if (i >= 0) {
        *law = (ctLaw)i;
    }
    return i >= 0;
}

bool ctContactMode_Parse(const char *name, ctContactMode *mode, ctError *error)
{
    int i = findName("contact mode", name, contactNames, error);
    if (i >= 0) {
        *mode = (ctContactMode)i;
    }
    return i >= 0;
}

// Replaces *text by a copy.
static void setText(lua_State *L, char **text, const char *value)
{
    char *copy = ctCopyText(value, strlen(value));
    if (copy == NULL) {
        ctRaise(L, "out of memory");
    }
    ctFree(*text);
    *text = copy;
}

#define FOLLOWED "clatter.followed"

// The body that a camera follows may be made after the camera. A Lua table keeps its name until the script has run.
static void keepFollowed(const ctFields *f, int camera)
{
    const char *body;
    if (ctField_Text(f, "follow", &body)) {
        luaL_getsubtable(f->L, LUA_REGISTRYINDEX, FOLLOWED);
        lua_pushstring(f->L, body);
        lua_rawseti(f->L, -2, camera + 1);
        lua_pop(f->L, 1);
    }
}

static void findFollowed(lua_State *L)
{
    const ctScene *scene = ctLoaderOf(L)->scene;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, FOLLOWED);
    for (int i = 0; i < scene->cameraCount; i++) {
        if (lua_rawgeti(L, -1, i + 1) == LUA_TSTRING) {
            const char *name = lua_tostring(L, -1);
            ctBodyId body = scene->world != NULL ? ctWorld_FindBody(scene->world, name) : (ctBodyId){0};
            if (body.index1 == 0) {
                ctRaise(L, "camera '%.40s': follow names no body: '%.60s'", scene->cameras[i].name, name);
            }
            scene->cameras[i].follow = ctBody_GetOrdinal(scene->world, body);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

// The table {eye, target, fov, follow} at index becomes the camera of that name.
static void addCamera(lua_State *L, int index, const char *name)
{
    static const char *const keys[] = {"eye", "target", "fov", "follow", NULL};
    ctLoader *loader = ctLoaderOf(L);
    ctScene *scene = loader->scene;
    ctFields f = ctOpenFields(L, index, "camera", keys);
    ctNameFields(&f, name);
    ctSceneCamera camera = defaultCamera;
    ctField_Require(&f, "eye", ctField_Vec3(&f, "eye", &camera.eye));
    ctField_Require(&f, "target", ctField_Vec3(&f, "target", &camera.target));
    ctField_Range(&f, "fov", 1.0, 150.0, &camera.fov);
    if (!(ctDistance(camera.eye, camera.target) > 1e-9)) {
        ctRaiseField(&f, "eye", "and target must be different points");
    }
    for (int i = 0; i < scene->cameraCount; i++) {
        if (strcmp(scene->cameras[i].name, name) == 0) {
            ctRaise(L, "camera '%.40s' exists already", name);
        }
    }
    if (scene->cameraCount >= CT_SCRIPT_CAMERAS) {
        ctRaise(L, "too many cameras; a scene may have %d", CT_SCRIPT_CAMERAS);
    }
    camera.name = ctCopyText(name, strlen(name));
    if (camera.name == NULL ||
        !ctReserve((void **)&scene->cameras, &loader->cameraCapacity, scene->cameraCount + 1, sizeof camera)) {
        ctFree(camera.name);
        ctRaise(L, "out of memory for cameras");
    }
    scene->cameras[scene->cameraCount] = camera;
    keepFollowed(&f, scene->cameraCount++);
    scene->hasCamera = true;
}

static int camera(lua_State *L)
{
    const char *name = ctTextArgument(L, 1, "camera", "the name");
    addCamera(L, 2, name);
    return 0;
}

// The settings of the world from scene{}. Options of the command line override them.
static void readWorld(const ctFields *f, ctLoader *loader)
{
    ctWorldDef *def = &loader->def;
    int law = def->law, mode = def->contact;
    ctField_Vec3(f, "gravity", &def->gravity);
    const char *lawNames[LAW_NAMES];
    listLaws(lawNames);
    if (ctField_Choice(f, "law", lawNames, &law) && !loader->options->hasLaw) {
        def->law = (ctLaw)law;
    }
    if (ctField_Choice(f, "contact", contactNames, &mode) && !loader->options->hasContact) {
        def->contact = (ctContactMode)mode;
    }
    ctWorld *world = loader->scene->world;
    ctError error = {0};
    if (world != NULL && !(ctWorld_SetGravity(world, def->gravity, &error) && ctWorld_SetLaw(world, def->law, &error) &&
                           ctWorld_SetContactMode(world, def->contact, &error))) {
        ctRaise(f->L, "scene: %s", error.message);
    }
}

static int scene(lua_State *L)
{
    static const char *const keys[] = {"title", "tab",     "order",  "description", "gravity", "seconds",
                                       "law",   "contact", "camera", "show",        NULL};
    ctLoader *loader = ctLoaderOf(L);
    ctScene *s = loader->scene;
    ctFields f = ctOpenFields(L, 1, "scene", keys);
    if (loader->hasScene) {
        return ctRaise(L, "scene { } may be given only once");
    }
    loader->hasScene = true;
    const char *text;
    double order;
    if (ctField_Text(&f, "title", &text)) {
        setText(L, &s->title, text);
    }
    if (ctField_Text(&f, "tab", &text)) {
        setText(L, &s->tab, text);
    }
    if (ctField_Text(&f, "description", &text)) {
        setText(L, &s->description, text);
    }
    ctField_Number(&f, "order", &order);
    if (ctField_Positive(&f, "seconds", &s->seconds) && s->seconds > CT_SCENE_SECONDS) {
        ctRaiseField(&f, "seconds", "must be at most %g, not %g", CT_SCENE_SECONDS, s->seconds);
    }
    readWorld(&f, loader);
    ctReadShow(&f);
    if (ctField_Push(&f, "camera")) {
        addCamera(L, -1, "default");
    }
    return 0;
}

// The value that the caller set for the parameter, or the default.
static double chosenValue(lua_State *L, const char *name, double initial, double min, double max)
{
    const ctSceneOptions *options = ctLoaderOf(L)->options;
    double value = initial;
    for (int i = 0; i < options->settingCount; i++) {
        if (strcmp(options->settings[i].name, name) == 0) {
            value = options->settings[i].value;
            if (!(value >= min && value <= max)) {
                ctRaise(L, "parameter '%.40s' must be from %g to %g, not %g", name, min, max, value);
            }
        }
    }
    return value;
}

static int param(lua_State *L)
{
    ctLoader *loader = ctLoaderOf(L);
    ctScene *s = loader->scene;
    const char *name = ctTextArgument(L, 1, "param", "the name");
    double initial = ctNumberArgument(L, 2, "param", "the default");
    double min = ctNumberArgument(L, 3, "param", "the minimum");
    double max = ctNumberArgument(L, 4, "param", "the maximum");
    const char *label = lua_isnoneornil(L, 5) ? name : ctTextArgument(L, 5, "param", "the label");
    if (name[0] == '\0' || strpbrk(name, "=, \t\n") != NULL) {
        return ctRaise(L, "param: the name must be a word, not '%.40s'", name);
    }
    if (ctNameFault(name) != NULL) {
        return ctRaise(L, "param: the name %s", ctNameFault(name));
    }
    if (!(min < max)) {
        return ctRaise(L, "param '%.40s': the minimum %g must be below the maximum %g", name, min, max);
    }
    if (!(initial >= min && initial <= max)) {
        return ctRaise(L, "param '%.40s': the default %g is outside %g to %g", name, initial, min, max);
    }
    for (int i = 0; i < s->paramCount; i++) {
        if (strcmp(s->params[i].name, name) == 0) {
            return ctRaise(L, "param '%.40s' exists already", name);
        }
    }
    for (int i = 0; i < s->measureCount; i++) {
        if (strcmp(s->measures[i].name, name) == 0) {
            return ctRaise(L, "param '%.40s' has the name of a measure", name);
        }
    }
    if (s->paramCount >= CT_SCRIPT_PARAMS) {
        return ctRaise(L, "too many parameters; a scene may have %d", CT_SCRIPT_PARAMS);
    }
    ctSceneParam p = {NULL, NULL, chosenValue(L, name, initial, min, max), initial, min, max};
    p.name = ctCopyText(name, strlen(name));
    p.label = ctCopyText(label, strlen(label));
    if (p.name == NULL || p.label == NULL ||
        !ctReserve((void **)&s->params, &loader->paramCapacity, s->paramCount + 1, sizeof p)) {
        ctFree(p.name);
        ctFree(p.label);
        return ctRaise(L, "out of memory for parameters");
    }
    s->params[s->paramCount++] = p;
    lua_pushnumber(L, p.value);
    return 1;
}

// ghost("FILE.csv"): a trace that is shown beside the scene. The program that draws the scene reads it.
static int ghost(lua_State *L)
{
    char path[4096];
    const char *file = ctTextArgument(L, 1, "ghost", "the file");
    ctScriptPath(L, "ghost: the file", "a trace", ".csv", file, path, sizeof path);
    ctScene *s = ctLoaderOf(L)->scene;
    if (s->ghost != NULL) {
        return ctRaise(L, "ghost: a scene has one");
    }
    setText(L, &s->ghost, path);
    return 0;
}

void ctOpenParams(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"scene", scene}, {"camera", camera}, {"param", param}, {"ghost", ghost}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}

static bool isParam(const ctScene *s, const char *name)
{
    for (int i = 0; i < s->paramCount; i++) {
        if (strcmp(s->params[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void unknownSetting(lua_State *L, const char *name)
{
    const ctScene *s = ctLoaderOf(L)->scene;
    const char *names[CT_SCRIPT_PARAMS + 1];
    char list[256] = "";
    size_t used = 0;
    for (int i = 0; i < s->paramCount; i++) {
        names[i] = s->params[i].name;
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
        }
    }
    names[s->paramCount] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        ctRaise(L, "unknown parameter '%.40s'; did you mean '%s'?", name, nearest);
    }
    if (s->paramCount == 0) {
        ctRaise(L, "unknown parameter '%.40s'; this scene has none", name);
    }
    ctRaise(L, "unknown parameter '%.40s'; this scene has %s", name, list);
}

void ctParams_Finish(lua_State *L)
{
    const ctLoader *loader = ctLoaderOf(L);
    for (int i = 0; i < loader->options->settingCount; i++) {
        const char *name = loader->options->settings[i].name;
        if (!isParam(loader->scene, name)) {
            unknownSetting(L, name);
        }
    }
    findFollowed(L);
    if (loader->scene->cameraCount == 0) {
        lua_newtable(L);
        const double eye[3] = {defaultCamera.eye.x, defaultCamera.eye.y, defaultCamera.eye.z};
        const double target[3] = {defaultCamera.target.x, defaultCamera.target.y, defaultCamera.target.z};
        const char *const names[2] = {"eye", "target"};
        for (int k = 0; k < 2; k++) {
            lua_createtable(L, 3, 0);
            for (int i = 0; i < 3; i++) {
                lua_pushnumber(L, k == 0 ? eye[i] : target[i]);
                lua_rawseti(L, -2, i + 1);
            }
            lua_setfield(L, -2, names[k]);
        }
        addCamera(L, -1, "default");
        lua_pop(L, 1);
        loader->scene->hasCamera = false;
    }
}
