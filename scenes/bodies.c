// body{ ... }: a solid with a place, a motion and a look.
#include "collision/memory.h"
#include "collision/quat.h"
#include "scenes/lua_values.h"
#include "scenes/waiting.h"

#include <string.h>

#define NAMES "clatter.names"

static const char *const patternNames[] = {"plain",  "spokes", "stripe", "halves", "checker", "rings",
                                           "boards", "pin",    "dots",   "ball",   "domino",  NULL};
static const char *const motionNames[] = {"dynamic", "fixed", "kinematic", NULL};

const char *ctPattern_Name(ctPattern pattern)
{
    return patternNames[pattern];
}

// The shape and the way it moves.
static void readShape(const ctFields *f, ctBodyDef *def, const char **kind)
{
    lua_State *L = f->L;
    ctField_Require(f, "shape", ctField_Push(f, "shape"));
    const ctShapeValue *shape = ctToShape(L, -1);
    if (shape == NULL) {
        ctRaiseField(f, "shape", "must be a shape, such as sphere { radius = 1 }, not %s", ctTypeName(L, -1));
    }
    def->shape = shape->id;
    *kind = shape->kind;
    lua_pop(L, 1);
    bool isGround = strcmp(*kind, "plane") == 0 || strcmp(*kind, "heightfield") == 0 || strcmp(*kind, "trimesh") == 0;
    int motion = isGround ? ct_motionFixed : ct_motionDynamic;
    ctField_Choice(f, "motion", motionNames, &motion);
    if (isGround && motion != ct_motionFixed) {
        ctRaiseField(f, "motion", "of a %s must be 'fixed', not '%s'", *kind, motionNames[motion]);
    }
    def->motion = (ctMotionType)motion;
}

// Raises unless the principal moments are physical: positive, and none larger than the sum of the other two.
static void checkInertia(const ctFields *f, ctMat3 inertia)
{
    ctVec3 d;
    ctMat3 axes;
    ctEigenSymmetric(inertia, &d, &axes);
    if (!(d.x > 0.0)) {
        ctRaiseField(f, "inertia", "is impossible: the principal moment %g is not positive", d.x);
    }
    if (d.z > (d.x + d.y) * (1.0 + 1e-9)) {
        ctRaiseField(f, "inertia",
                     "is impossible: the principal moment %g is larger than the other two, %g and %g, together", d.z,
                     d.x, d.y);
    }
}

static void readInertia(const ctFields *f, ctBodyDef *def)
{
    lua_State *L = f->L;
    if (ctField_Push(f, "inertia")) {
        double i[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        if (!lua_istable(L, -1)) {
            ctRaiseField(f, "inertia", "must be a list of 3 or 6 numbers, not %s", ctTypeName(L, -1));
        }
        ctReadNumbers(f, -1, "inertia", lua_rawlen(L, -1) > 3 ? 6 : 3, i);
        def->hasInertia = true;
        def->inertia = ctMat3Symmetric(i[0], i[3], i[4], i[1], i[5], i[2]);
        checkInertia(f, def->inertia);
        lua_pop(L, 1);
    }
}

static void readMass(const ctFields *f, ctBodyDef *def)
{
    bool hasMass = ctField_Positive(f, "mass", &def->mass);
    bool hasDensity = ctField_Positive(f, "density", &def->density);
    if (hasMass && hasDensity) {
        ctRaiseField(f, "mass", "and density are both given; one follows from the other");
    }
    readInertia(f, def);
    def->hasCenter = ctField_Vec3(f, "center", &def->center);
}

static void readMotion(const ctFields *f, ctBodyDef *def)
{
    ctField_Vec3(f, "position", &def->position);
    ctField_Rotation(f, &def->orientation);
    ctField_Vec3(f, "velocity", &def->velocity);
    ctField_Vec3(f, "spin", &def->spin);
    if (def->motion == ct_motionFixed) {
        const char *moves = ctLengthSquared(def->velocity) > 0.0 ? "velocity"
                            : ctLengthSquared(def->spin) > 0.0   ? "spin"
                                                                 : NULL;
        if (moves != NULL) {
            ctRaiseField(f, moves, "is given, but a fixed body cannot move; motion = \"kinematic\" can");
        }
    }
}

ctVec3 ctDefaultColor(ctMotionType motion, int ordinal)
{
    static const ctVec3 palette[] = {{0.80, 0.24, 0.16}, {0.16, 0.42, 0.75}, {0.90, 0.62, 0.10},
                                     {0.22, 0.58, 0.30}, {0.55, 0.27, 0.60}, {0.12, 0.60, 0.62}};
    int count = (int)(sizeof palette / sizeof palette[0]);
    return motion == ct_motionDynamic ? palette[ordinal % count] : ctV3(0.55, 0.55, 0.58);
}

static ctLook readLook(const ctFields *f, ctMotionType motion, int ordinal)
{
    ctLook look = {ctDefaultColor(motion, ordinal), ct_patternPlain, false, 0, false};
    ctField_Color(f, "color", &look.color);
    int pattern = ct_patternPlain;
    ctField_Choice(f, "pattern", patternNames, &pattern);
    look.pattern = (ctPattern)pattern;
    bool visible = true;
    ctField_Bool(f, "visible", &visible);
    look.hidden = !visible;
    ctField_Bool(f, "trail", &look.trail);
    double number = 0.0;
    if (ctField_Range(f, "number", 0.0, 99.0, &number)) {
        if (number != floor(number)) {
            ctRaiseField(f, "number", "must be whole, not %g", number);
        }
        look.number = (int)number;
    }
    return look;
}

// Whether a body has the name at the top of the stack. A Lua table holds all names, because a linear search would be
// slow in scenes of thousands of bodies.
static bool isTaken(lua_State *L)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, NAMES);
    lua_pushvalue(L, -2);
    bool taken = lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 2);
    return taken;
}

static void takeName(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, NAMES);
    lua_pushboolean(L, true);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

// Pushes the name of the body. A body without a name is called by its shape and a number: "sphere 3".
static const char *readName(const ctFields *f, const char *kind, int ordinal)
{
    const char *name = NULL;
    if (ctField_Text(f, "name", &name)) {
        if (ctNameFault(name) != NULL) {
            ctRaiseField(f, "name", "%s", ctNameFault(name));
        }
        lua_pushstring(f->L, name);
        if (isTaken(f->L)) {
            ctRaise(f->L, "body '%.40s' exists already; names are unique", name);
        }
        return name;
    }
    for (int n = ordinal + 1;; n++) {
        name = lua_pushfstring(f->L, "%s %d", kind, n);
        if (!isTaken(f->L)) {
            return name;
        }
        lua_pop(f->L, 1);
    }
}

static int body(lua_State *L)
{
    static const char *const keys[] = {
        "name",     "shape",         "motion",  "material", "mass",   "density", "inertia",          "center",
        "position", "orientation",   "rotate",  "velocity", "spin",   "color",   "pattern",          "visible",
        "group",    "collides_with", "sensor",  "force",    "torque", "drag",    "surface_velocity", "path",
        "number",   "trail",         "waiting", NULL};
    ctLoader *loader = ctLoaderOf(L);
    ctFields f = ctOpenFields(L, 1, "body", keys);
    ctWorld *world = ctLoader_World(loader);
    int ordinal = ctWorld_GetBodyCount(world);
    if (ordinal >= CT_SCRIPT_BODIES) {
        return ctRaise(L, "too many bodies; a scene may have %d", CT_SCRIPT_BODIES);
    }
    const char *label = NULL, *kind, *materialName;
    ctField_Text(&f, "name", &label);
    ctNameFields(&f, label);
    ctBodyDef def = ctDefaultBodyDef();
    readShape(&f, &def, &kind);
    def.name = readName(&f, kind, ordinal);
    ctNameFields(&f, def.name);
    readMass(&f, &def);
    readMotion(&f, &def);
    if (ctField_Text(&f, "material", &materialName)) {
        def.material = ctFindMaterial(L, materialName, f.what);
    }
    def.filter = ctReadFilter(&f);
    ctField_Bool(&f, "sensor", &def.sensor);
    if (def.sensor && def.motion == ct_motionDynamic) {
        ctRaiseField(&f, "sensor", "needs a body that is 'fixed' or 'kinematic'");
    }
    ctScene *scene = loader->scene;
    ctLook look = readLook(&f, def.motion, ordinal);
    if (!ctReserve((void **)&scene->looks, &loader->lookCapacity, ordinal + 1, sizeof *scene->looks)) {
        return ctRaise(L, "out of memory for bodies");
    }
    def.userData = (uint64_t)ordinal;
    ctFilter filter = def.filter;
    bool waiting = false;
    if (ctField_Bool(&f, "waiting", &waiting) && waiting) {
        if (def.motion != ct_motionDynamic) {
            ctRaiseField(&f, "waiting", "needs a body that is 'dynamic'");
        }
        def.filter = (ctFilter){0, 0};
    }
    ctError error = {0};
    ctBodyId id = ctWorld_CreateBody(world, &def, &error);
    if (!ctBody_IsValid(world, id)) {
        return ctRaise(L, "%s: %s", f.what, error.message);
    }
    ctReadForces(&f, world, id, def.motion);
    if (waiting) {
        ctWaiting_Read(&f, world, id, &def, filter);
    }
    takeName(L, def.name);
    scene->looks[ordinal] = look;
    scene->lookCount = ordinal + 1;
    lua_pushstring(L, def.name);
    return 1;
}

void ctOpenBodies(lua_State *L)
{
    static const luaL_Reg functions[] = {{"body", body}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}
