#include "render/sound/modes.h"

#include "collision/shape.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

// Speed of sound (m/s), modulus (Pa), and quality: the number of periods until the amplitude has fallen to exp(-pi).
static const struct {
    double speed, modulus, quality;
} substances[] = {
    [ct_substanceWood] = {3800.0, 1.0e10, 30.0},
    [ct_substanceSteel] = {5100.0, 2.0e11, 700.0},
    [ct_substanceGlass] = {5200.0, 7.0e10, 350.0},
    [ct_substancePlastic] = {1700.0, 3.0e9, 25.0},
};

ctSubstance ctSubstance_Of(const char *material, double density)
{
    static const struct {
        const char *part;
        ctSubstance substance;
    } words[] = {
        {"steel", ct_substanceSteel},  {"iron", ct_substanceSteel},     {"metal", ct_substanceSteel},
        {"brass", ct_substanceSteel},  {"coin", ct_substanceSteel},     {"copper", ct_substanceSteel},
        {"glass", ct_substanceGlass},  {"marble", ct_substanceGlass},   {"stone", ct_substanceGlass},
        {"wood", ct_substanceWood},    {"board", ct_substanceWood},     {"oak", ct_substanceWood},
        {"pin", ct_substanceWood},     {"ball", ct_substancePlastic},   {"plastic", ct_substancePlastic},
        {"bone", ct_substancePlastic}, {"rubber", ct_substancePlastic},
    };
    char lower[64];
    size_t n = 0;
    for (; material[n] != '\0' && n + 1 < sizeof lower; n++) {
        lower[n] = (char)tolower((unsigned char)material[n]);
    }
    lower[n] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strstr(lower, words[i].part) != NULL) {
            return words[i].substance;
        }
    }
    return density > 5000.0   ? ct_substanceSteel
           : density > 2000.0 ? ct_substanceGlass
           : density < 900.0  ? ct_substanceWood
                              : ct_substancePlastic;
}

ctVoicing ctVoicing_Make(ctSubstance substance, ctVec3 size, bool round)
{
    static const double bar[CT_SOUND_MODES] = {1.0, 2.76, 5.40, 8.93}, plate[CT_SOUND_MODES] = {1.0, 1.73, 2.33, 3.91},
                        solid[CT_SOUND_MODES] = {1.0, 1.5, 1.9, 2.4};
    double e[3] = {fabs(size.x), fabs(size.y), fabs(size.z)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            if (e[k] > e[k + 1]) {
                double swap = e[k];
                e[k] = e[k + 1];
                e[k + 1] = swap;
            }
        }
    }
    double c = substances[substance].speed, thin = fmax(e[0], 1e-6), middle = fmax(e[1], 1e-6),
           longest = fmax(e[2], 1e-6);
    const double *ratios = solid;
    double first = 0.8 * c / longest;
    if (!round && longest > 2.5 * middle) {
        ratios = bar;
        first = fmin(first, 1.03 * c * thin / (longest * longest));
    } else if (!round && middle > 2.5 * thin) {
        ratios = plate;
        first = fmin(first, 0.47 * c * thin / (0.25 * longest * longest));
    }
    ctVoicing v = {.substance = substance, .radius = 0.5 * longest, .modulus = substances[substance].modulus};
    for (int i = 0; i < CT_SOUND_MODES; i++) {
        v.frequency[i] = first * ratios[i] / CT_SOUND_LOWERED;
        v.decay[i] = 3.14159265358979 * v.frequency[i] / substances[substance].quality;
    }
    return v;
}

ctVoicing ctVoicing_OfBody(const ctWorld *world, ctBodyId body)
{
    const ctShape *shape = ctWorld_GetShape(world, ctBody_GetShape(world, body));
    ctMaterialId material = ctBody_GetMaterial(world, body);
    ctSubstance substance =
        ctSubstance_Of(ctWorld_GetMaterialName(world, material), ctWorld_GetMaterialDensity(world, material));
    ctVec3 size = {1.0, 1.0, 1.0};
    bool plane = shape == NULL || shape->type == ct_shapePlane || shape->type == ct_shapeTerrain;
    if (!plane) {
        size = (ctVec3){shape->hi.x - shape->lo.x, shape->hi.y - shape->lo.y, shape->hi.z - shape->lo.z};
    }
    bool round = !plane && (shape->type == ct_shapeSphere || shape->type == ct_shapeEllipsoid);
    return ctVoicing_Make(substance, size, round);
}

double ctContactTime(const ctVoicing *a, const ctVoicing *b, double mass, double speed)
{
    double modulus = 1.0 / (0.91 / a->modulus + 0.91 / b->modulus); // Poisson's ratio 0.3
    double radius = 1.0 / (1.0 / a->radius + 1.0 / b->radius);
    return 2.87 * pow(mass * mass / (radius * modulus * modulus * fmax(speed, 1e-6)), 0.2);
}
