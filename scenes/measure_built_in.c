// The built-in measures, and finding a measure by its name.
#include "collision/error.h"
#include "collision/vec3.h"
#include "scenes/journal.h"
#include "scenes/measure.h"
#include "scenes/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Kind {
    X,
    Y,
    Z,
    SPEED,
    SPIN,
    IMPACTS,
    FIRST_IMPACT,
    FIRST_X,
    FIRST_Y,
    FIRST_Z,
    ENERGY,
    KINETIC,
    POTENTIAL,
    LOST,
    REST_TIME,
} Kind;

// A built-in measure: its name, how many bodies it takes, and the label of its axis.
typedef struct BuiltIn {
    const char *name;
    int least, most; // bodies
    const char *label;
} BuiltIn;

static const BuiltIn builtIns[] = {
    [X] = {"x", 1, 1, "x (m)"},
    [Y] = {"y", 1, 1, "y (m)"},
    [Z] = {"z", 1, 1, "z (m)"},
    [SPEED] = {"speed", 1, 1, "speed (m/s)"},
    [SPIN] = {"spin", 1, 1, "spin (rad/s)"},
    [IMPACTS] = {"impacts", 0, 2, "impacts"},
    [FIRST_IMPACT] = {"first_impact", 1, 2, "first impact (s)"},
    [FIRST_X] = {"first_impact_x", 1, 2, "first impact, x (m)"},
    [FIRST_Y] = {"first_impact_y", 1, 2, "first impact, y (m)"},
    [FIRST_Z] = {"first_impact_z", 1, 2, "first impact, z (m)"},
    [ENERGY] = {"energy", 0, 0, "energy (J)"},
    [KINETIC] = {"kinetic_energy", 0, 1, "kinetic energy (J)"},
    [POTENTIAL] = {"potential_energy", 0, 0, "potential energy (J)"},
    [LOST] = {"energy_lost", 0, 0, "energy lost (J)"},
    [REST_TIME] = {"rest_time", 0, 0, "time to rest (s)"},
};
enum { BUILT_INS = sizeof builtIns / sizeof builtIns[0], MAX_TEXT = 200 };

const char *ctMeasure_Help(void)
{
    return "Built-in measures:\n"
           "  x(BODY) y(BODY) z(BODY)        where the centre of mass of a body is in the end\n"
           "  speed(BODY) spin(BODY)         how fast it moves and turns in the end\n"
           "  impacts, impacts(A), impacts(A, B)   their number, in all, of a body, of two\n"
           "  first_impact(A, B)             when two bodies first meet; first_impact(A): A with anything\n"
           "  first_impact_x(A, B) ..._y ..._z   where\n"
           "  energy kinetic_energy potential_energy energy_lost   J; also kinetic_energy(BODY)\n"
           "  rest_time                      since when everything sleeps\n";
}

// Copies the text from start to end without leading and trailing blanks.
static void trim(char *out, size_t size, const char *start, const char *end)
{
    while (start < end && *start == ' ') {
        start++;
    }
    while (end > start && end[-1] == ' ') {
        end--;
    }
    snprintf(out, size, "%.*s", (int)(end - start), start);
}

static bool findBody(const ctScene *scene, const char *measure, const char *name, ctBodyId *body, ctError *error)
{
    const ctWorld *world = scene->world;
    *body = ctWorld_FindBody(world, name);
    if (body->index1 != 0) {
        return true;
    }
    const char *nearest = ctNearestBody(name, world);
    if (nearest != NULL) {
        return ctFail(error, ct_badArgument, "measure '%.80s': there is no body '%.60s'; did you mean '%.60s'?",
                      measure, name, nearest);
    }
    return ctFail(error, ct_badArgument, "measure '%.80s': there is no body '%.60s'", measure, name);
}

static bool failUnknown(const ctScene *scene, const char *name, ctError *error)
{
    const char *names[64 + BUILT_INS + 1];
    int count = 0;
    char list[MAX_TEXT] = "";
    size_t used = 0;
    for (int i = 0; i < scene->measureCount && count < 64; i++) {
        names[count++] = scene->measures[i].name;
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", i > 0 ? ", " : "", names[i]);
        }
    }
    for (int i = 0; i < BUILT_INS; i++) {
        names[count++] = builtIns[i].name;
    }
    names[count] = NULL;
    const char *nearest = ctNearestName(name, names);
    if (nearest != NULL) {
        return ctFail(error, ct_badArgument, "unknown measure '%.60s'; did you mean '%s'?", name, nearest);
    }
    return ctFail(error, ct_badArgument, "unknown measure '%.60s'; %s has %s", name, scene->name,
                  list[0] != '\0' ? list : "none of its own; clatter sweep --help lists those that are built in");
}

bool ctMeasure_Find(const ctScene *scene, const char *name, ctMeasureRef *m, ctError *error)
{
    *m = (ctMeasureRef){.own = -1};
    for (int i = 0; i < scene->measureCount; i++) {
        if (strcmp(scene->measures[i].name, name) == 0) {
            m->own = i;
            snprintf(m->label, sizeof m->label, "%s", scene->measures[i].label);
            return true;
        }
    }
    const char *open = strchr(name, '('), *close = strrchr(name, ')');
    bool hasBodies = open != NULL && close != NULL && close > open && close[1] == '\0';
    char word[MAX_TEXT], texts[2][MAX_TEXT] = {"", ""};
    trim(word, sizeof word, name, hasBodies ? open : name + strlen(name));
    while (m->kind < BUILT_INS && strcmp(builtIns[m->kind].name, word) != 0) {
        m->kind++;
    }
    if (m->kind == BUILT_INS) {
        return failUnknown(scene, name, error);
    }
    const BuiltIn *b = &builtIns[m->kind];
    int bodies = 0;
    if (hasBodies) {
        const char *comma = memchr(open, ',', (size_t)(close - open));
        trim(texts[0], MAX_TEXT, open + 1, comma != NULL ? comma : close);
        bodies = 1;
        if (comma != NULL) {
            trim(texts[1], MAX_TEXT, comma + 1, close);
            bodies = 2;
        }
    }
    if (bodies < b->least || bodies > b->most) {
        return ctFail(error, ct_badArgument, "measure '%.80s': %s takes %s", name, b->name,
                      b->most == 0   ? "no body"
                      : b->most == 1 ? "the name of one body, as in speed(ball)"
                                     : "the names of two bodies, as in first_impact(ball, pin 1)");
    }
    if ((bodies > 0 && !findBody(scene, name, texts[0], &m->a, error)) ||
        (bodies > 1 && !findBody(scene, name, texts[1], &m->b, error))) {
        return false;
    }
    snprintf(m->label, sizeof m->label, "%s%s%.60s%s%.60s", b->label, bodies > 0 ? " of " : "", texts[0],
             bodies > 1 ? " and " : "", texts[1]);
    return true;
}

static double valueOfFirst(const ctScene *scene, const ctMeasureRef *m)
{
    const ctFirstImpact *first = ctJournal_First(scene->journal, m->a.index1, m->b.index1);
    if (first == NULL) {
        return NAN;
    }
    switch ((Kind)m->kind) {
    case FIRST_X:
        return first->point.x;
    case FIRST_Y:
        return first->point.y;
    case FIRST_Z:
        return first->point.z;
    default:
        return first->time;
    }
}

static double valueOfStats(const ctScene *scene, const ctMeasureRef *m)
{
    ctStats s = ctWorld_GetStats(scene->world);
    switch ((Kind)m->kind) {
    case ENERGY:
        return s.kineticEnergy + s.potentialEnergy;
    case KINETIC:
        return m->a.index1 != 0 ? ctBody_GetKineticEnergy(scene->world, m->a) : s.kineticEnergy;
    case POTENTIAL:
        return s.potentialEnergy;
    case LOST:
        return s.frictionLoss + s.restitutionLoss + s.contactLoss;
    default:
        return m->b.index1 != 0   ? (double)ctWorld_GetPairTally(scene->world, m->a, m->b).impacts
               : m->a.index1 != 0 ? (double)ctBody_GetTally(scene->world, m->a).impacts
                                  : (double)s.impacts;
    }
}

bool ctMeasure_Value(ctScene *scene, const ctMeasureRef *m, double *value, ctError *error)
{
    if (m->own >= 0) {
        return ctScene_Measure(scene, m->own, value, error);
    }
    const ctWorld *world = scene->world;
    switch ((Kind)m->kind) {
    case X:
        *value = ctBody_GetCenter(world, m->a).x;
        break;
    case Y:
        *value = ctBody_GetCenter(world, m->a).y;
        break;
    case Z:
        *value = ctBody_GetCenter(world, m->a).z;
        break;
    case SPEED:
        *value = ctLength(ctBody_GetVelocity(world, m->a));
        break;
    case SPIN:
        *value = ctLength(ctBody_GetSpin(world, m->a));
        break;
    case FIRST_IMPACT:
    case FIRST_X:
    case FIRST_Y:
    case FIRST_Z:
        *value = valueOfFirst(scene, m);
        break;
    case REST_TIME:
        *value = isfinite(scene->journal->restTime) ? scene->journal->restTime : NAN;
        break;
    default:
        *value = valueOfStats(scene, m);
        break;
    }
    return true;
}
