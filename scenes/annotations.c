// label{}, curve{}, histogram{} and the overlays of scene{}.
#include "scenes/annotations.h"

#include "collision/memory.h"
#include "scenes/lua_values.h"

#include <math.h>
#include <string.h>

enum { MAX_TEXT = CT_LABEL_TEXT, MAX_CURVE = 2000, MAX_ITEMS = 500, MAX_BINS = 100 };

static const char *const showNames[] = {"trails", "contacts", "boxes", "pending", "sleeping", "energy", "time", NULL};

unsigned ctShow_Parse(const char *name, size_t length)
{
    for (int i = 0; showNames[i] != NULL; i++) {
        if (strlen(showNames[i]) == length && strncmp(name, showNames[i], length) == 0) {
            return 1u << i;
        }
    }
    return 0;
}

void ctAnnotations_Free(ctAnnotations *a)
{
    for (int i = 0; i < a->labelCount; i++) {
        ctFree(a->labels[i].text);
    }
    for (int i = 0; i < a->curveCount; i++) {
        ctFree(a->curves[i].points);
    }
    for (int i = 0; i < a->histogramCount; i++) {
        ctFree(a->histograms[i].title);
        ctFree(a->histograms[i].bodies);
    }
    ctFree(a->labels);
    ctFree(a->curves);
    ctFree(a->histograms);
    *a = (ctAnnotations){0};
}

void ctReadShow(const ctFields *f)
{
    lua_State *L = f->L;
    ctAnnotations *a = &ctLoaderOf(L)->scene->annotations;
    bool given = ctField_Push(f, "show");
    lua_pop(L, given ? 1 : 0);
    int count = given ? ctField_List(f, "show", 16) : 0;
    for (int i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        unsigned bit = name != NULL ? ctShow_Parse(name, strlen(name)) : 0;
        if (bit == 0) {
            ctRaiseField(f, "show", "knows trails, contacts, boxes, pending, sleeping, energy, time, not %s",
                         name != NULL ? name : ctTypeName(L, -1));
        }
        a->show |= bit;
        lua_pop(L, 1);
    }
    if (given) {
        lua_pop(L, 1);
    }
}

// Reserves memory for one more entry of a list. Raises when the list is full or memory is short.
static void reserve(lua_State *L, void **list, int *capacity, int count, size_t size, const char *what)
{
    if (count >= MAX_ITEMS) {
        ctRaise(L, "too many: a scene may have %d of %s", MAX_ITEMS, what);
    }
    if (!ctReserve(list, capacity, count + 1, size)) {
        ctRaise(L, "out of memory for %s", what);
    }
}

static char *copyText(const ctFields *f, const char *key, const char *text)
{
    if (strlen(text) > MAX_TEXT) {
        ctRaiseField(f, key, "must have at most %d characters", MAX_TEXT);
    }
    char *copy = ctCopyText(text, strlen(text));
    if (copy == NULL) {
        ctRaise(f->L, "out of memory");
    }
    return copy;
}

// The field `text`: a string, or a function of the world that returns one.
static void readLabelText(const ctFields *f, ctSceneLabel *item, const char **text)
{
    lua_State *L = f->L;
    ctField_Require(f, "text", ctField_Push(f, "text"));
    if (lua_type(L, -1) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        ctField_Text(f, "text", text);
        return;
    }
    item->function = luaL_ref(L, LUA_REGISTRYINDEX);
    item->line = ctCurrentLine(L);
    ctLoaderOf(L)->hasLiveLabels = true;
}

static int label(lua_State *L)
{
    static const char *const keys[] = {"at", "text", "body", "color", NULL};
    ctLoader *loader = ctLoaderOf(L);
    ctAnnotations *a = &loader->scene->annotations;
    ctFields f = ctOpenFields(L, 1, "label", keys);
    ctSceneLabel item = {.body = -1, .color = {1.0, 1.0, 1.0}};
    const char *text = "", *body;
    bool hasBody = ctField_Text(&f, "body", &body);
    bool hasPlace = ctField_Vec3(&f, "at", &item.at);
    ctField_Require(&f, "at", hasPlace || hasBody);
    readLabelText(&f, &item, &text);
    ctField_Color(&f, "color", &item.color);
    if (hasBody) {
        ctWorld *world = ctLoader_World(loader);
        item.body = ctBody_GetOrdinal(world, ctWorld_FindBody(world, body));
        if (item.body < 0) {
            return ctRaiseField(&f, "body", "names no body that exists by now: '%.60s'", body);
        }
    }
    reserve(L, (void **)&a->labels, &a->labelCapacity, a->labelCount, sizeof item, "labels");
    item.text = item.function != 0 ? ctAllocate(MAX_TEXT + 1, 1) : copyText(&f, "text", text);
    if (item.text == NULL) {
        return ctRaise(L, "out of memory for a label");
    }
    a->labels[a->labelCount++] = item;
    return 0;
}

static int curve(lua_State *L)
{
    static const char *const keys[] = {"points", "color", "width", NULL};
    ctAnnotations *a = &ctLoaderOf(L)->scene->annotations;
    ctFields f = ctOpenFields(L, 1, "curve", keys);
    ctSceneCurve item = {.width = 2.0, .color = {1.0, 0.75, 0.1}};
    ctField_Color(&f, "color", &item.color);
    ctField_Range(&f, "width", 0.5, 20.0, &item.width);
    reserve(L, (void **)&a->curves, &a->curveCapacity, a->curveCount, sizeof item, "curves");
    int count = ctField_List(&f, "points", MAX_CURVE);
    if (count < 2) {
        return ctRaiseField(&f, "points", "must be at least two points");
    }
    // The list owns the points from here on, so that they are freed when a later point raises an error.
    item.points = ctAllocate((size_t)count, sizeof(ctVec3));
    if (item.points == NULL) {
        return ctRaise(L, "out of memory for a curve");
    }
    ctSceneCurve *kept = &a->curves[a->curveCount++];
    *kept = item;
    for (int i = 1; i <= count; i++) {
        double p[3];
        char name[32];
        snprintf(name, sizeof name, "points[%d]", i);
        lua_rawgeti(L, -1, i);
        if (!lua_istable(L, -1)) {
            return ctRaiseField(&f, name, "must be {x, y, z}, not %s", ctTypeName(L, -1));
        }
        ctReadNumbers(&f, -1, name, 3, p);
        kept->points[i - 1] = (ctVec3){p[0], p[1], p[2]};
        kept->count = i;
        lua_pop(L, 1);
    }
    return 0;
}

// Samples the function at the top of the stack at equal steps from h->from to h->to.
static void sampleExpected(const ctFields *f, ctSceneHistogram *h)
{
    lua_State *L = f->L;
    if (!lua_isfunction(L, -1)) {
        ctRaiseField(f, "expected", "must be a function of the quantity, not %s", ctTypeName(L, -1));
    }
    for (int i = 0; i < CT_EXPECTED_POINTS; i++) {
        double x = h->from + (h->to - h->from) * i / (CT_EXPECTED_POINTS - 1);
        lua_pushvalue(L, -1);
        lua_pushnumber(L, x);
        lua_call(L, 1, 1);
        double y = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : NAN;
        if (!(y >= 0.0) || !isfinite(y)) {
            ctRaiseField(f, "expected", "must give a density of 0 or more, not %s at %g", ctTypeName(L, -1), x);
        }
        h->expected[i] = y;
        lua_pop(L, 1);
    }
    h->hasExpected = true;
}

static int histogram(lua_State *L)
{
    static const char *const keys[] = {"of", "bodies", "from", "to", "bins", "expected", "title", NULL};
    static const char *const quantities[] = {"speed", "spin", "height", "energy", NULL};
    ctAnnotations *a = &ctLoaderOf(L)->scene->annotations;
    ctFields f = ctOpenFields(L, 1, "histogram", keys);
    ctSceneHistogram h = {.from = 0.0, .to = 1.0, .bins = 20};
    const char *title = "", *bodies = "";
    int of = 0;
    double bins = 20.0;
    ctField_Require(&f, "of", ctField_Choice(&f, "of", quantities, &of));
    ctField_Number(&f, "from", &h.from);
    ctField_Require(&f, "to", ctField_Number(&f, "to", &h.to));
    ctField_Range(&f, "bins", 2.0, MAX_BINS, &bins);
    if (!(h.from < h.to)) {
        return ctRaiseField(&f, "to", "must be above from, %g, not %g", h.from, h.to);
    }
    h.of = (ctQuantity)of;
    h.bins = (int)bins;
    ctField_Text(&f, "title", &title);
    ctField_Text(&f, "bodies", &bodies);
    if (ctField_Push(&f, "expected")) {
        sampleExpected(&f, &h);
    }
    reserve(L, (void **)&a->histograms, &a->histogramCapacity, a->histogramCount, sizeof h, "histograms");
    ctSceneHistogram *kept = &a->histograms[a->histogramCount++];
    *kept = h;
    kept->title = copyText(&f, "title", title);
    kept->bodies = copyText(&f, "bodies", bodies);
    return 0;
}

void ctOpenAnnotations(lua_State *L)
{
    static const luaL_Reg functions[] = {{"label", label}, {"curve", curve}, {"histogram", histogram}, {NULL, NULL}};
    ctOpenFunctions(L, functions);
}
