#include "render/window/settings.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "collision/vec3.h"
#include "engine/impact/impact.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Bodies with the same material, motion and filter: they can meet the same bodies.
typedef struct bodyKind {
    int material;
    bool moves; // the bodies are dynamic
    ctFilter filter;
    int count;
} bodyKind;

typedef struct bodyKinds {
    bodyKind *items;
    int count, capacity;
} bodyKinds;

static bool findKinds(const ctWorld *world, bodyKinds *kinds)
{
    for (int i = 0; i < ctWorld_GetBodyCount(world); i++) {
        ctBodyId id = ctWorld_GetBody(world, i);
        if (ctBody_IsSensor(world, id)) { // bodies pass through a sensor
            continue;
        }
        bodyKind k = {ctBody_GetMaterial(world, id).index, ctBody_GetMotionType(world, id) == ct_motionDynamic,
                      ctBody_GetFilter(world, id), 1};
        int at = 0;
        while (at < kinds->count && (kinds->items[at].material != k.material || kinds->items[at].moves != k.moves ||
                                     kinds->items[at].filter.category != k.filter.category ||
                                     kinds->items[at].filter.mask != k.filter.mask)) {
            at++;
        }
        if (at < kinds->count) {
            kinds->items[at].count++;
        } else if (ctReserve((void **)&kinds->items, &kinds->capacity, at + 1, sizeof(bodyKind))) {
            kinds->items[kinds->count++] = k;
        } else {
            return false;
        }
    }
    return true;
}

static bool addPair(ctSettings *s, const ctWorld *world, int a, int b)
{
    if (!ctReserve((void **)&s->pairs, &s->pairCapacity, s->pairCount + 1, sizeof(ctPairRow))) {
        return false;
    }
    ctPairRow *row = &s->pairs[s->pairCount++];
    *row = (ctPairRow){.a = {a}, .b = {b}};
    snprintf(row->nameA, sizeof row->nameA, "%s", ctWorld_GetMaterialName(world, row->a));
    snprintf(row->nameB, sizeof row->nameB, "%s", ctWorld_GetMaterialName(world, row->b));
    row->value = row->initial = ctWorld_GetPair(world, row->a, row->b);
    return true;
}

// Whether bodies of the two materials can meet: one of them moves, and their filters allow it.
static bool canMeet(const bodyKinds *kinds, int a, int b)
{
    for (int i = 0; i < kinds->count; i++) {
        for (int k = 0; k < kinds->count; k++) {
            const bodyKind *p = &kinds->items[i], *q = &kinds->items[k];
            if (p->material == a && q->material == b && (p->moves || q->moves) && (i != k || p->count > 1) &&
                (p->filter.category & q->filter.mask) != 0 && (q->filter.category & p->filter.mask) != 0) {
                return true;
            }
        }
    }
    return false;
}

static bool readPairs(ctSettings *s, const ctWorld *world)
{
    int count = ctWorld_GetMaterialCount(world);
    bodyKinds kinds = {0};
    bool room = findKinds(world, &kinds);
    for (int a = 0; a < count && room; a++) {
        for (int b = a; b < count && room; b++) {
            if (canMeet(&kinds, a, b)) {
                room = addPair(s, world, a, b);
            }
        }
    }
    ctFree(kinds.items);
    return room;
}

bool ctSettings_Read(ctSettings *s, const ctScene *scene, ctError *error)
{
    s->pairCount = s->paramCount = 0;
    s->changed = false;
    ctWorldDef def = ctWorld_GetSettings(scene->world);
    s->law = s->initialLaw = def.law;
    s->contact = s->initialContact = def.contact;
    s->gravity = s->initialGravity = def.gravity;
    if (!readPairs(s, scene->world) ||
        !ctReserve((void **)&s->params, &s->paramCapacity, scene->paramCount, sizeof(ctSceneParam))) {
        return ctFailMemory(error, "settings");
    }
    for (int i = 0; i < scene->paramCount; i++) {
        s->params[i] = scene->params[i];
    }
    s->paramCount = scene->paramCount;
    return true;
}

void ctSettings_Free(ctSettings *s)
{
    ctFree(s->pairs);
    ctFree(s->params);
    *s = (ctSettings){0};
}

static bool samePair(const ctCoefficients *a, const ctCoefficients *b)
{
    return a->friction == b->friction && a->restitution == b->restitution &&
           a->tangentialRestitution == b->tangentialRestitution && a->tangentialStiffness == b->tangentialStiffness &&
           a->sigma == b->sigma && a->rolling == b->rolling && a->spinning == b->spinning;
}

static bool sameVector(ctVec3 a, ctVec3 b)
{
    return ctDistance(a, b) <= 0.0;
}

void ctSettings_Inherit(ctSettings *s, const ctSettings *old)
{
    for (int i = 0; i < old->pairCount; i++) {
        const ctPairRow *was = &old->pairs[i];
        bool changed = !samePair(&was->value, &was->initial);
        for (int j = 0; j < s->pairCount && (changed || was->met); j++) {
            ctPairRow *row = &s->pairs[j];
            if (strcmp(row->nameA, was->nameA) == 0 && strcmp(row->nameB, was->nameB) == 0) {
                row->met = was->met;
                row->value = changed ? was->value : row->value;
                s->changed = s->changed || changed;
            }
        }
    }
    if (old->law != old->initialLaw) {
        s->law = old->law;
        s->changed = true;
    }
    if (old->contact != old->initialContact) {
        s->contact = old->contact;
        s->changed = true;
    }
    if (!sameVector(old->gravity, old->initialGravity)) {
        s->gravity = old->gravity;
        s->changed = true;
    }
}

void ctSettings_Meet(ctSettings *s, const ctWorld *world, ctBodyId body1, ctBodyId body2)
{
    if (!ctBody_IsValid(world, body1) || !ctBody_IsValid(world, body2)) { // a body has been removed since
        return;
    }
    int a = ctBody_GetMaterial(world, body1).index, b = ctBody_GetMaterial(world, body2).index;
    for (int i = 0; i < s->pairCount; i++) {
        ctPairRow *row = &s->pairs[i];
        row->met = row->met || (row->a.index == a && row->b.index == b) || (row->a.index == b && row->b.index == a);
    }
}

int ctSettings_CountMet(const ctSettings *s)
{
    int met = 0;
    for (int i = 0; i < s->pairCount; i++) {
        met += s->pairs[i].met ? 1 : 0;
    }
    return met;
}

void ctSettings_Restore(ctSettings *s)
{
    for (int i = 0; i < s->pairCount; i++) {
        s->pairs[i].value = s->pairs[i].initial;
    }
    for (int i = 0; i < s->paramCount; i++) {
        s->params[i].value = s->params[i].initial;
    }
    s->law = s->initialLaw;
    s->contact = s->initialContact;
    s->gravity = s->initialGravity;
    s->changed = true;
}

bool ctSettings_IsDefault(const ctSettings *s)
{
    bool same = s->law == s->initialLaw && s->contact == s->initialContact && sameVector(s->gravity, s->initialGravity);
    for (int i = 0; i < s->pairCount; i++) {
        same = same && samePair(&s->pairs[i].value, &s->pairs[i].initial);
    }
    for (int i = 0; i < s->paramCount; i++) {
        same = same && s->params[i].value == s->params[i].initial;
    }
    return same;
}

bool ctSettings_Apply(const ctSettings *s, ctWorld *world, ctError *error)
{
    ctWorldDef def = ctWorld_GetSettings(world);
    for (int i = 0; i < s->pairCount; i++) {
        const ctPairRow *row = &s->pairs[i];
        ctCoefficients is = ctWorld_GetPair(world, row->a, row->b);
        if (!samePair(&is, &row->value) && !ctWorld_SetPair(world, row->a, row->b, row->value, error)) {
            return false;
        }
    }
    if (s->law != def.law && !ctWorld_SetLaw(world, s->law, error)) {
        return false;
    }
    if (s->contact != def.contact && !ctWorld_SetContactMode(world, s->contact, error)) {
        return false;
    }
    return sameVector(s->gravity, def.gravity) || ctWorld_SetGravity(world, s->gravity, error);
}

void ctSettings_GetParams(const ctSettings *s, ctSetting *out)
{
    for (int i = 0; i < s->paramCount; i++) {
        out[i] = (ctSetting){s->params[i].name, s->params[i].value};
    }
}

// ---- the command line -------------------------------------------------------------------------

typedef struct buffer {
    char *text;
    size_t size, used;
} buffer;

static void append(buffer *b, const char *format, ...) CT_PRINTF(2, 3);
static void append(buffer *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = b->used < b->size ? b->size - b->used : 0;
    int n = vsnprintf(room > 0 ? b->text + b->used : NULL, room, format, args);
    b->used += n > 0 ? (size_t)n : 0;
    va_end(args);
}

// Appends the shortest text that reads back as the same number.
static void appendNumber(buffer *b, double value)
{
    char text[40];
    for (int digits = 3; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        double back = 0.0;
        if (sscanf(text, "%lf", &back) == 1 && back == value) {
            break;
        }
    }
    append(b, "%s", text);
}

// Appends a word for the shell, quoted if necessary.
static void appendWord(buffer *b, const char *word)
{
    bool plain = *word != '\0';
    for (const char *c = word; *c != '\0'; c++) {
        plain = plain && (isalnum((unsigned char)*c) || strchr("_-./=+:,", *c) != NULL);
    }
    if (plain) {
        append(b, "%s", word);
        return;
    }
    append(b, "'");
    for (const char *c = word; *c != '\0'; c++) {
        append(b, *c == '\'' ? "'\\''" : "%c", *c);
    }
    append(b, "'");
}

static void appendPairs(buffer *b, const ctSettings *s)
{
    for (int i = 0; i < s->pairCount; i++) {
        const ctPairRow *row = &s->pairs[i];
        if (!samePair(&row->value, &row->initial)) {
            append(b, "\n# in the scene: contact(\"%s\", \"%s\", { friction = ", row->nameA, row->nameB);
            appendNumber(b, row->value.friction);
            append(b, ", restitution = ");
            appendNumber(b, row->value.restitution);
            append(b, ", tangential_restitution = ");
            appendNumber(b, row->value.tangentialRestitution);
            append(b, ", tangential_stiffness = ");
            appendNumber(b, row->value.tangentialStiffness);
            append(b, ", rolling = ");
            appendNumber(b, row->value.rolling);
            append(b, ", spinning = ");
            appendNumber(b, row->value.spinning);
            append(b, " })");
        }
    }
}

bool ctSettings_CommandLine(const ctSettings *s, const ctSceneOptions *given, const char *scene, char *text,
                            size_t size)
{
    buffer b = {text, size, 0};
    text[0] = '\0';
    append(&b, "clatter run ");
    appendWord(&b, scene);
    for (int i = 0; i < s->paramCount; i++) {
        if (s->params[i].value != s->params[i].initial) {
            append(&b, " --set ");
            appendWord(&b, s->params[i].name);
            append(&b, "=");
            appendNumber(&b, s->params[i].value);
        }
    }
    // --mu and --e set every pair: they are written only when all pairs have the same value.
    bool mu = s->pairCount > 0, e = s->pairCount > 0, muChanged = false, eChanged = false, rest = true;
    for (int i = 0; i < s->pairCount; i++) {
        const ctCoefficients *v = &s->pairs[i].value, *initial = &s->pairs[i].initial;
        mu = mu && v->friction == s->pairs[0].value.friction;
        e = e && v->restitution == s->pairs[0].value.restitution;
        muChanged = muChanged || v->friction != initial->friction;
        eChanged = eChanged || v->restitution != initial->restitution;
        ctCoefficients other = *v;
        other.friction = initial->friction;
        other.restitution = initial->restitution;
        rest = rest && samePair(&other, initial);
    }
    // Options that the scene was loaded with are written also when the panel has not changed them.
    if (mu && (muChanged || given->hasFriction)) {
        append(&b, " --mu ");
        appendNumber(&b, s->pairs[0].value.friction);
    }
    if (e && (eChanged || given->hasRestitution)) {
        append(&b, " --e ");
        appendNumber(&b, s->pairs[0].value.restitution);
    }
    if (given->hasFps) {
        append(&b, " --fps ");
        appendNumber(&b, given->fps);
    }
    if (s->law != s->initialLaw || given->hasLaw) {
        append(&b, " --law %s", ctLawName(s->law));
    }
    if (s->contact != s->initialContact || given->hasContact) {
        append(&b, " --contact %s", s->contact == ct_contactIsland ? "island" : "microcollision");
    }
    if ((muChanged && !mu) || (eChanged && !e) || !rest) {
        appendPairs(&b, s);
    }
    if (!sameVector(s->gravity, s->initialGravity)) {
        append(&b, "\n# in the scene: gravity = {%g, %g, %g}", s->gravity.x, s->gravity.y, s->gravity.z);
    }
    return b.used < size;
}
