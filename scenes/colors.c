// Colours: three numbers, a name, or "#rrggbb" as on the web.
#include "collision/vec3.h"
#include "scenes/lua_values.h"
#include "scenes/nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

typedef struct NamedColor {
    const char *name;
    uint32_t rgb; // as on the web
} NamedColor;

static const NamedColor named[] = {
    {"black", 0x000000},   {"white", 0xffffff},  {"gray", 0x808080},   {"grey", 0x808080},  {"silver", 0xc0c0c0},
    {"red", 0xd62828},     {"orange", 0xf4801f}, {"yellow", 0xf5d033}, {"lime", 0x8cd321},  {"green", 0x2e8b3d},
    {"teal", 0x12807a},    {"cyan", 0x35c4dc},   {"blue", 0x2463c9},   {"navy", 0x17305e},  {"purple", 0x7a3fa0},
    {"magenta", 0xc7359f}, {"pink", 0xf29ab5},   {"brown", 0x7a4a26},  {"tan", 0xd2b48c},   {"ivory", 0xf5f0dc},
    {"gold", 0xd9a520},    {"brass", 0xb59a48},  {"copper", 0xb4673a}, {"steel", 0x8c949c}, {"wood", 0xb07f4f},
};
enum { NAMED = sizeof named / sizeof named[0] };

// From sRGB to linear light. The cubic polynomial fits the standard curve to 0.002. pow is not used, so that the
// colour is the same on every machine.
static double linear(uint32_t byte)
{
    double s = byte / 255.0;
    return s * (s * (s * 0.305306011 + 0.682171111) + 0.012522878);
}

static ctVec3 fromRgb(uint32_t rgb)
{
    return ctV3(linear(rgb >> 16 & 255), linear(rgb >> 8 & 255), linear(rgb & 255));
}

static ctVec3 fromHex(const ctFields *f, const char *field, const char *text)
{
    uint32_t rgb = 0;
    size_t length = strlen(text);
    for (size_t i = 1; i < length; i++) {
        char c = (char)tolower((unsigned char)text[i]);
        bool letter = c >= 'a' && c <= 'f';
        if (!letter && !(c >= '0' && c <= '9')) {
            length = 0;
            break;
        }
        rgb = rgb << 4 | (uint32_t)(letter ? c - 'a' + 10 : c - '0');
    }
    if (length != 7) {
        ctRaiseField(f, field, "must be '#' and six hexadecimal digits, not '%.20s'", text);
    }
    return fromRgb(rgb);
}

static ctVec3 fromName(const ctFields *f, const char *field, const char *text)
{
    const char *nearest = NULL;
    int best = ctTypingTolerance(text) + 1;
    for (int i = 0; i < NAMED; i++) {
        int distance = ctTypingDistance(text, named[i].name);
        if (distance == 0) {
            return fromRgb(named[i].rgb);
        }
        if (distance < best) {
            best = distance;
            nearest = named[i].name;
        }
    }
    if (nearest != NULL) {
        ctRaiseField(f, field, "has no colour '%.20s'; did you mean '%s'?", text, nearest);
    }
    ctRaiseField(f, field, "must be {red, green, blue}, '#rrggbb' or a name such as 'red', not '%.20s'", text);
    return ctZero3();
}

bool ctField_Color(const ctFields *f, const char *field, ctVec3 *color)
{
    lua_State *L = f->L;
    lua_pushstring(L, field);
    int type = lua_rawget(L, f->index);
    if (type == LUA_TSTRING) {
        const char *text = lua_tostring(L, -1);
        *color = text[0] == '#' ? fromHex(f, field, text) : fromName(f, field, text);
        lua_pop(L, 1);
        return true;
    }
    lua_pop(L, 1);
    ctVec3 given;
    if (!ctField_Vec3(f, field, &given)) {
        return false;
    }
    const double c[3] = {given.x, given.y, given.z};
    for (int i = 0; i < 3; i++) {
        if (!(c[i] >= 0.0 && c[i] <= 1.0)) {
            char element[48];
            snprintf(element, sizeof element, "%.20s[%d]", field, i + 1);
            ctRaiseField(f, element, "must be from 0 to 1, not %g", c[i]);
        }
    }
    *color = given;
    return true;
}
