// The engine and the scene language for JavaScript: flat functions on numbers and pointers, which web/npm/clatter.js
// wraps into classes. A handle owns a world, or a scene with its world, and the arrays that its functions return. An
// array stays valid until the next call of the same function. Functions that fail return 0, or -1 where 0 is an index,
// and ctJs_Error returns the message.
#include "collision/error.h"
#include "collision/memory.h"
#include "scenes/scene.h"

#include <emscripten/emscripten.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT EMSCRIPTEN_KEEPALIVE
#define POSE_NUMBERS 7     // position, quaternion w x y z
#define MOTION_NUMBERS 6   // velocity, spin
#define IMPACT_NUMBERS 16  // time, two bodies, point, normal, velocity, impulse, energy
#define CONTACT_NUMBERS 11 // two bodies, point, normal, force

typedef struct ctJsWorld {
    ctScene *scene; // NULL for a world without a scene
    ctWorld *world;
    ctError error;
    char hash[24];
    double *poses, *motions, *impacts, *contacts;
    int poseCapacity, motionCapacity, impactCapacity, contactCapacity;
    double stats[8];
} ctJsWorld;

// The error of calls without a handle.
static ctError lastError;

static ctVec3 vector(const double *n)
{
    return (ctVec3){n[0], n[1], n[2]};
}

static void put(double *out, ctVec3 v)
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

EXPORT const char *ctJs_Error(const ctJsWorld *w)
{
    return w != NULL ? w->error.message : lastError.message;
}

EXPORT void ctJs_Free(ctJsWorld *w)
{
    if (w == NULL) {
        return;
    }
    if (w->scene != NULL) {
        ctScene_Destroy(w->scene);
    } else {
        ctWorld_Destroy(w->world);
    }
    ctFree(w->poses);
    ctFree(w->motions);
    ctFree(w->impacts);
    ctFree(w->contacts);
    ctFree(w);
}

static ctJsWorld *handle(void)
{
    setenv("CLATTER_DATA", "/", 1); // the demos are embedded at /scenes
    lastError = (ctError){0};
    ctJsWorld *w = ctAllocate(1, sizeof *w);
    if (w == NULL) {
        ctFailMemory(&lastError, "world");
    }
    return w;
}

EXPORT ctJsWorld *ctJs_World(double gx, double gy, double gz, double frameTime, const char *law, const char *contact)
{
    ctJsWorld *w = handle();
    ctWorldDef def = ctDefaultWorldDef();
    def.gravity = (ctVec3){gx, gy, gz};
    def.frameTime = frameTime;
    if (w == NULL || !ctLaw_Parse(law, &def.law, &lastError) ||
        !ctContactMode_Parse(contact, &def.contact, &lastError) ||
        (w->world = ctWorld_Create(&def, &lastError)) == NULL) {
        ctFree(w);
        return NULL;
    }
    return w;
}

// A scene by a demo's name or a path. settings: lines NAME=VALUE; mu, e and fps are the options of these names.
EXPORT ctJsWorld *ctJs_Scene(const char *nameOrPath, const char *settings, const char *law)
{
    ctJsWorld *w = handle();
    size_t length = strlen(settings) + 1;
    char *text = ctAllocate(length, 1);
    ctSetting list[64];
    ctSceneOptions options = {.settings = list};
    bool good = w != NULL && text != NULL;
    if (good) {
        memcpy(text, settings, length);
    }
    char *rest = NULL;
    for (char *line = good ? strtok_r(text, "\n", &rest) : NULL; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strchr(line, '=');
        if (equals == NULL || options.settingCount == 64) {
            good = ctFail(&lastError, ct_badArgument, "'%s' is no NAME=VALUE, or the 65th", line);
            break;
        }
        *equals = '\0';
        double value = strtod(equals + 1, NULL);
        if (strcmp(line, "mu") == 0) {
            options.hasFriction = true;
            options.friction = value;
        } else if (strcmp(line, "e") == 0) {
            options.hasRestitution = true;
            options.restitution = value;
        } else if (strcmp(line, "fps") == 0) {
            options.hasFps = true;
            options.fps = value;
        } else {
            list[options.settingCount++] = (ctSetting){line, value};
        }
    }
    if (good && law[0] != '\0') {
        options.hasLaw = good = ctLaw_Parse(law, &options.law, &lastError);
    }
    w = good ? w : (ctFree(w), NULL);
    if (w != NULL) {
        w->scene = ctScene_Load(nameOrPath, &options, &lastError);
        w->world = w->scene != NULL ? w->scene->world : NULL;
        w = w->scene != NULL ? w : (ctFree(w), NULL);
    }
    ctFree(text);
    return w;
}

EXPORT double ctJs_SceneSeconds(const ctJsWorld *w)
{
    return w->scene != NULL ? w->scene->seconds : 0.0;
}

EXPORT const char *ctJs_SceneTitle(const ctJsWorld *w)
{
    return w->scene != NULL ? w->scene->title : "";
}

// numbers: friction, restitution, tangential restitution, sigma, rolling, spinning, density. -1 on failure.
EXPORT int ctJs_Material(ctJsWorld *w, const char *name, const double *n)
{
    ctMaterialDef def = ctDefaultMaterialDef();
    def.name = name;
    def.self.friction = n[0];
    def.self.restitution = n[1];
    def.self.tangentialRestitution = n[2];
    def.self.sigma = n[3];
    def.self.rolling = n[4];
    def.self.spinning = n[5];
    def.density = n[6];
    ctMaterialId id;
    return ctWorld_CreateMaterial(w->world, &def, &id, &w->error) ? id.index : -1;
}

typedef enum Kind { sphere, box, cylinder, capsule, cone, ellipsoid, plane, hull, lathe, kindCount } Kind;

// A shape by its name and numbers, in the order of its constructor. 0 on failure.
EXPORT int ctJs_Shape(ctJsWorld *w, const char *name, const double *n, int count)
{
    static const struct {
        const char *name;
        int least, most;
    } kinds[kindCount] = {{"sphere", 1, 1},  {"box", 3, 3},         {"cylinder", 2, 2},
                          {"capsule", 2, 2}, {"cone", 2, 2},        {"ellipsoid", 3, 3},
                          {"plane", 4, 4},   {"hull", 12, 1 << 24}, {"lathe", 6, 1 << 24}};
    int kind = 0;
    while (kind < kindCount && strcmp(kinds[kind].name, name) != 0) {
        kind++;
    }
    if (kind == kindCount) {
        return ctFail(&w->error, ct_badArgument, "'%s' is no shape", name);
    }
    if (count < kinds[kind].least || count > kinds[kind].most) {
        return ctFail(&w->error, ct_badArgument, "%s: %d numbers are too few or too many", name, count);
    }
    ctWorld *world = w->world;
    ctError *error = &w->error;
    switch ((Kind)kind) {
    case sphere:
        return ctWorld_CreateSphere(world, n[0], error).index1;
    case box:
        return ctWorld_CreateBox(world, vector(n), error).index1;
    case cylinder:
        return ctWorld_CreateCylinder(world, n[0], n[1], error).index1;
    case capsule:
        return ctWorld_CreateCapsule(world, n[0], n[1], error).index1;
    case cone:
        return ctWorld_CreateCone(world, n[0], n[1], error).index1;
    case ellipsoid:
        return ctWorld_CreateEllipsoid(world, vector(n), error).index1;
    case plane:
        return ctWorld_CreatePlane(world, vector(n), n[3], error).index1;
    case hull:
        return ctWorld_CreateHull(world, (const ctVec3 *)(const void *)n, count / 3, error).index1;
    case lathe:
        return ctWorld_CreateLathe(world, n, n + count / 2, count / 2, error).index1;
    case kindCount:
        break;
    }
    return 0;
}

static bool bodyAt(ctJsWorld *w, int ordinal, ctBodyId *id)
{
    *id = ctWorld_GetBody(w->world, ordinal);
    return id->index1 != 0 || ctFail(&w->error, ct_badArgument, "there is no body %d", ordinal);
}

// numbers: mass (0: from density), density (0: the material's), position, quaternion, velocity, spin. Returns the
// ordinal of the new body, or -1.
EXPORT int ctJs_Body(ctJsWorld *w, const char *name, int shape, int motion, int material, const double *n)
{
    ctBodyDef def = ctDefaultBodyDef();
    def.name = name[0] != '\0' ? name : NULL;
    def.shape = (ctShapeId){shape};
    def.motion = (ctMotionType)motion;
    def.material = (ctMaterialId){material};
    def.mass = n[0];
    def.density = n[1];
    def.position = vector(n + 2);
    def.orientation = (ctQuat){.w = n[5], .x = n[6], .y = n[7], .z = n[8]};
    def.velocity = vector(n + 9);
    def.spin = vector(n + 12);
    ctBodyId id = ctWorld_CreateBody(w->world, &def, &w->error);
    return id.index1 != 0 ? ctBody_GetOrdinal(w->world, id) : -1;
}

EXPORT bool ctJs_Remove(ctJsWorld *w, int ordinal)
{
    ctBodyId id;
    return bodyAt(w, ordinal, &id) && ctWorld_DestroyBody(w->world, id, &w->error);
}

EXPORT bool ctJs_SetMotion(ctJsWorld *w, int ordinal, const double *n)
{
    ctBodyId id;
    return bodyAt(w, ordinal, &id) && ctBody_SetVelocity(w->world, id, vector(n), vector(n + 3), &w->error);
}

EXPORT bool ctJs_Impulse(ctJsWorld *w, int ordinal, const double *n)
{
    ctBodyId id;
    return bodyAt(w, ordinal, &id) && ctBody_ApplyImpulse(w->world, id, vector(n), vector(n + 3), &w->error);
}

EXPORT bool ctJs_Step(ctJsWorld *w)
{
    return ctWorld_Step(w->world, &w->error);
}

EXPORT double ctJs_Time(const ctJsWorld *w)
{
    return ctWorld_GetTime(w->world);
}

EXPORT const char *ctJs_Hash(ctJsWorld *w)
{
    snprintf(w->hash, sizeof w->hash, "%016" PRIx64, ctWorld_Hash(w->world));
    return w->hash;
}

EXPORT int ctJs_Count(const ctJsWorld *w)
{
    return ctWorld_GetBodyCount(w->world);
}

EXPORT const char *ctJs_Name(const ctJsWorld *w, int ordinal)
{
    return ctBody_GetName(w->world, ctWorld_GetBody(w->world, ordinal));
}

static bool room(ctJsWorld *w, double **list, int *capacity, int count, int numbers)
{
    return ctReserve((void **)list, capacity, count > 0 ? count * numbers : 1, sizeof(double)) ||
           ctFailMemory(&w->error, "array of numbers");
}

EXPORT const double *ctJs_Poses(ctJsWorld *w)
{
    int count = ctWorld_GetBodyCount(w->world);
    if (!room(w, &w->poses, &w->poseCapacity, count, POSE_NUMBERS)) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        ctTransform t = ctBody_GetTransform(w->world, ctWorld_GetBody(w->world, i));
        double *out = w->poses + (size_t)i * POSE_NUMBERS;
        put(out, t.p);
        out[3] = t.q.w;
        put(out + 4, (ctVec3){t.q.x, t.q.y, t.q.z});
    }
    return w->poses;
}

EXPORT const double *ctJs_Motions(ctJsWorld *w)
{
    int count = ctWorld_GetBodyCount(w->world);
    if (!room(w, &w->motions, &w->motionCapacity, count, MOTION_NUMBERS)) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        ctBodyId id = ctWorld_GetBody(w->world, i);
        put(w->motions + (size_t)i * MOTION_NUMBERS, ctBody_GetVelocity(w->world, id));
        put(w->motions + (size_t)i * MOTION_NUMBERS + 3, ctBody_GetSpin(w->world, id));
    }
    return w->motions;
}

EXPORT int ctJs_ImpactCount(const ctJsWorld *w)
{
    return ctWorld_GetImpacts(w->world, NULL);
}

EXPORT const double *ctJs_Impacts(ctJsWorld *w)
{
    const ctImpact *list;
    int count = ctWorld_GetImpacts(w->world, &list);
    if (!room(w, &w->impacts, &w->impactCapacity, count, IMPACT_NUMBERS)) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        double *out = w->impacts + (size_t)i * IMPACT_NUMBERS;
        out[0] = list[i].time;
        out[1] = ctBody_GetOrdinal(w->world, list[i].body1);
        out[2] = ctBody_GetOrdinal(w->world, list[i].body2);
        put(out + 3, list[i].point);
        put(out + 6, list[i].normal);
        put(out + 9, list[i].velocity);
        put(out + 12, list[i].impulse);
        out[15] = list[i].energyLost;
    }
    return w->impacts;
}

EXPORT int ctJs_ContactCount(const ctJsWorld *w)
{
    return ctWorld_GetContacts(w->world, NULL);
}

EXPORT const double *ctJs_Contacts(ctJsWorld *w)
{
    const ctContact *list;
    int count = ctWorld_GetContacts(w->world, &list);
    if (!room(w, &w->contacts, &w->contactCapacity, count, CONTACT_NUMBERS)) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        double *out = w->contacts + (size_t)i * CONTACT_NUMBERS;
        out[0] = ctBody_GetOrdinal(w->world, list[i].body1);
        out[1] = ctBody_GetOrdinal(w->world, list[i].body2);
        put(out + 2, list[i].point);
        put(out + 5, list[i].normal);
        put(out + 8, list[i].force);
    }
    return w->contacts;
}

// Kinetic and potential energy, losses to friction and restitution, impacts, contacts, bodies asleep, deepest overlap.
EXPORT const double *ctJs_Stats(ctJsWorld *w)
{
    ctStats s = ctWorld_GetStats(w->world);
    const double list[8] = {s.kineticEnergy,   s.potentialEnergy, s.frictionLoss,   s.restitutionLoss,
                            (double)s.impacts, s.contacts,        (double)s.asleep, s.maxPenetration};
    memcpy(w->stats, list, sizeof list);
    return w->stats;
}

int main(void)
{
    return 0; // calls come from JavaScript
}
