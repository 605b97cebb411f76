// material("rubber", { ... }) and contact("rubber", "steel", { ... }).
#include "scenes/lua_values.h"
#include "scenes/nearest.h"

#include <math.h>
#include <string.h>

// The coefficients that both functions take. A missing field keeps its value.
static void readPair(const ctFields *f, ctCoefficients *pair)
{
    ctField_Range(f, "friction", 0.0, INFINITY, &pair->friction);
    ctField_Range(f, "restitution", 0.0, 1.0, &pair->restitution);
    ctField_Range(f, "tangential_restitution", -1.0, 1.0, &pair->tangentialRestitution);
    ctField_Range(f, "tangential_stiffness", 0.0, 1e12, &pair->tangentialStiffness);
    ctField_Range(f, "sigma", 0.0, 1.0, &pair->sigma);
    ctField_Range(f, "rolling", 0.0, INFINITY, &pair->rolling);
    ctField_Range(f, "spinning", 0.0, INFINITY, &pair->spinning);
}

static bool lookUp(const ctWorld *world, const char *name, ctMaterialId *id)
{
    int count = ctWorld_GetMaterialCount(world);
    for (int i = 0; i < count; i++) {
        ctMaterialId at = {i};
        const char *known = ctWorld_GetMaterialName(world, at);
        if (known != NULL && strcmp(known, name) == 0) {
            *id = at;
            return true;
        }
    }
    return false;
}

ctMaterialId ctFindMaterial(lua_State *L, const char *name, const char *what)
{
    const ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctMaterialId id = {0};
    if (!lookUp(world, name, &id)) {
        const char *names[CT_SCRIPT_MATERIALS + 2];
        int count = ctWorld_GetMaterialCount(world), n = 0;
        for (int i = 0; i < count && n <= CT_SCRIPT_MATERIALS; i++) {
            ctMaterialId at = {i};
            names[n++] = ctWorld_GetMaterialName(world, at);
        }
        names[n] = NULL;
        const char *nearest = ctNearestName(name, names);
        if (nearest != NULL) {
            ctRaise(L, "%s: unknown material '%.40s'; did you mean '%s'?", what, name, nearest);
        }
        ctRaise(L, "%s: unknown material '%.40s'; material(\"%.40s\", { ... }) must come before", what, name, name);
    }
    return id;
}

static int material(lua_State *L)
{
    static const char *const keys[] = {
        "friction", "restitution", "tangential_restitution", "tangential_stiffness", "sigma", "rolling", "spinning",
        "density",  NULL};
    const char *name = ctTextArgument(L, 1, "material", "the name");
    if (name[0] == '\0' || lua_gettop(L) > 2) {
        return ctRaise(L, "material takes a name and a table, material(\"rubber\", { friction = 1 })");
    }
    ctFields f = ctOpenFields(L, 2, "material", keys);
    ctNameFields(&f, name);
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctMaterialId id;
    if (lookUp(world, name, &id)) {
        return ctRaise(L, "material '%.40s' exists already; a material is made once", name);
    }
    if (ctWorld_GetMaterialCount(world) > CT_SCRIPT_MATERIALS) {
        return ctRaise(L, "too many materials; a scene may have %d", CT_SCRIPT_MATERIALS);
    }
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = name;
    readPair(&f, &def.self);
    ctField_Positive(&f, "density", &def.density);
    ctError error = {0};
    if (!ctWorld_CreateMaterial(world, &def, &id, &error)) {
        return ctRaise(L, "%s: %s", f.what, error.message);
    }
    lua_pushvalue(L, 1);
    return 1;
}

static int contact(lua_State *L)
{
    static const char *const keys[] = {
        "friction", "restitution", "tangential_restitution", "tangential_stiffness", "sigma", "rolling",
        "spinning", NULL};
    const char *first = ctTextArgument(L, 1, "contact", "the first material");
    const char *second = ctTextArgument(L, 2, "contact", "the second material");
    ctFields f = ctOpenFields(L, 3, "contact", keys);
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    ctMaterialId a = ctFindMaterial(L, first, "contact"), b = ctFindMaterial(L, second, "contact");
    ctCoefficients pair = ctWorld_GetPair(world, a, b);
    readPair(&f, &pair);
    ctError error = {0};
    if (!ctWorld_SetPair(world, a, b, pair, &error)) {
        return ctRaise(L, "contact: %s", error.message);
    }
    return 0;
}

void ctOpenMaterials(lua_State *L)
{
    static const luaL_Reg functions[] = {{"material", material}, {"contact", contact}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}

void ctMaterials_Override(lua_State *L)
{
    const ctSceneOptions *options = ctLoaderOf(L)->options;
    if (!options->hasFriction && !options->hasRestitution) {
        return;
    }
    ctWorld *world = ctLoader_World(ctLoaderOf(L));
    int count = ctWorld_GetMaterialCount(world);
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            ctMaterialId a = {i}, b = {j};
            ctCoefficients pair = ctWorld_GetPair(world, a, b);
            pair.friction = options->hasFriction ? options->friction : pair.friction;
            pair.restitution = options->hasRestitution ? options->restitution : pair.restitution;
            ctError error = {0};
            if (!ctWorld_SetPair(world, a, b, pair, &error)) {
                ctRaise(L, "%s", error.message);
            }
        }
    }
}
