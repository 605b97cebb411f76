// Materials, and the coefficients of each two of them.
#include "collision/memory.h"
#include "engine/contact/contact.h"

#include <string.h>

static const uint32_t materialDefCookie = 0x4d415445U;

ctMaterialDef ctDefaultMaterialDef(void)
{
    ctMaterialDef def;
    memset(&def, 0, sizeof def);
    def.self.friction = 0.5;
    def.self.restitution = 0.5;
    def.density = 1000.0;
    def.internal = materialDefCookie;
    return def;
}

static bool within(double value, double lo, double hi, const char *name, ctError *error)
{
    if (!(value >= lo && value <= hi)) {
        return ctFail(error, ct_badArgument, "%s must be from %g to %g, not %g", name, lo, hi, value);
    }
    return true;
}

static bool checkPair(const ctCoefficients *pair, ctError *error)
{
    return within(pair->friction, 0.0, 1e6, "friction", error) &&
           within(pair->restitution, 0.0, 1.0, "restitution", error) &&
           within(pair->tangentialRestitution, -1.0, 1.0, "tangential restitution", error) &&
           within(pair->tangentialStiffness, 0.0, 1e12, "tangential stiffness", error) &&
           within(pair->sigma, 0.0, 1.0, "sigma", error) &&
           within(pair->rolling, 0.0, 1e3, "rolling resistance", error) &&
           within(pair->spinning, 0.0, 1e3, "spinning resistance", error);
}

static ctMaterialPair *pairSlot(const ctWorld *world, int a, int b)
{
    int hi = a > b ? a : b, lo = a > b ? b : a;
    return &world->materialPairs[(size_t)hi * (size_t)(hi + 1) / 2 + (size_t)lo];
}

// Of two stiffness ratios the smaller one; a ratio that is not given (0) gives way to the other.
static double softer(double a, double b)
{
    return a > 0.0 && b > 0.0 ? ctFmin(a, b) : ctFmax(a, b);
}

// The coefficients of two materials unless they are set: friction is the geometric mean, tangential stiffness the
// smaller value, and the rest the larger one.
static ctCoefficients mix(const ctCoefficients *a, const ctCoefficients *b)
{
    return (ctCoefficients){
        .friction = sqrt(a->friction * b->friction),
        .restitution = ctFmax(a->restitution, b->restitution),
        .tangentialRestitution = ctFmax(a->tangentialRestitution, b->tangentialRestitution),
        .tangentialStiffness = softer(a->tangentialStiffness, b->tangentialStiffness),
        .sigma = ctFmax(a->sigma, b->sigma),
        .rolling = ctFmax(a->rolling, b->rolling),
        .spinning = ctFmax(a->spinning, b->spinning),
    };
}

// Computes the pairs of one material that are not set from the materials' own values.
static void follow(ctWorld *world, int id)
{
    for (int other = 0; other < world->materialCount; other++) {
        ctMaterialPair *slot = pairSlot(world, id, other);
        if (!slot->isSet) {
            slot->pair = other == id ? world->materials[id].self
                                     : mix(&world->materials[id].self, &world->materials[other].self);
        }
    }
}

static bool isMaterial(const ctWorld *world, ctMaterialId id)
{
    return id.index >= 0 && id.index < world->materialCount;
}

bool ctWorld_CreateMaterial(ctWorld *world, const ctMaterialDef *def, ctMaterialId *id, ctError *error)
{
    if (def == NULL || def->internal != materialDefCookie) {
        return ctFail(error, ct_badArgument, "a ctMaterialDef must come from ctDefaultMaterialDef");
    }
    if (!ctWorld_MayChange(world, error) || !checkPair(&def->self, error) ||
        !within(def->density, 1e-9, 1e9, "density", error)) {
        return false;
    }
    int n = world->materialCount;
    if (n >= CT_MAX_MATERIALS) {
        return ctFail(error, ct_limit, "at most %d materials", CT_MAX_MATERIALS);
    }
    const char *name = def->name != NULL ? def->name : "";
    size_t length = strlen(name) + 1;
    char *copy = ctAllocate(length, 1);
    if (copy == NULL || !ctReserve((void **)&world->materials, &world->materialCapacity, n + 1, sizeof(ctMaterial)) ||
        !ctReserve((void **)&world->materialPairs, &world->materialPairCapacity, (n + 1) * (n + 2) / 2,
                   sizeof(ctMaterialPair))) {
        ctFree(copy);
        return ctFailMemory(error, "a material");
    }
    memcpy(copy, name, length);
    world->materials[n] = (ctMaterial){copy, def->self, def->density};
    world->materialCount = n + 1;
    for (int other = 0; other <= n; other++) {
        pairSlot(world, n, other)->isSet = false;
    }
    follow(world, n);
    if (id != NULL) {
        id->index = n;
    }
    return true;
}

int ctWorld_GetMaterialCount(const ctWorld *world)
{
    return world->materialCount;
}

const char *ctWorld_GetMaterialName(const ctWorld *world, ctMaterialId id)
{
    return isMaterial(world, id) ? world->materials[id.index].name : "";
}

double ctWorld_GetMaterialDensity(const ctWorld *world, ctMaterialId id)
{
    return isMaterial(world, id) ? world->materials[id.index].density : 0.0;
}

bool ctWorld_SetMaterial(ctWorld *world, ctMaterialId id, ctCoefficients self, ctError *error)
{
    if (!isMaterial(world, id)) {
        return ctFail(error, ct_badArgument, "there is no material %d", id.index);
    }
    if (!ctWorld_MayChange(world, error) || !checkPair(&self, error) || !ctContact_EndSteps(world, error)) {
        return false;
    }
    world->materials[id.index].self = self;
    follow(world, id.index);
    ctContact_WakeAll(world);
    return true;
}

bool ctWorld_SetPair(ctWorld *world, ctMaterialId a, ctMaterialId b, ctCoefficients pair, ctError *error)
{
    if (!isMaterial(world, a) || !isMaterial(world, b)) {
        return ctFail(error, ct_badArgument, "there is no material %d", isMaterial(world, a) ? b.index : a.index);
    }
    if (!ctWorld_MayChange(world, error) || !checkPair(&pair, error) || !ctContact_EndSteps(world, error)) {
        return false;
    }
    ctMaterialPair *slot = pairSlot(world, a.index, b.index);
    slot->pair = pair;
    slot->isSet = true;
    ctContact_WakeAll(world);
    return true;
}

ctCoefficients ctWorld_GetPair(const ctWorld *world, ctMaterialId a, ctMaterialId b)
{
    return isMaterial(world, a) && isMaterial(world, b) ? pairSlot(world, a.index, b.index)->pair : (ctCoefficients){0};
}
