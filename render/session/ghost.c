#include "render/session/ghost.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "render/files/columns.h"
#include "render/session/sim_state.h"
#include "scenes/loader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30)

enum { TIME, X, Y, Z, QW, QX, QY, QZ, VX, VY, VZ, WX, WY, WZ, NUMBERS, BODY = NUMBERS, COLUMNS };
enum { REQUIRED = QZ + 1 };
static const char *const columnNames[COLUMNS] = {"time", "x",  "y",  "z",  "qw", "qx", "qy",  "qz",
                                                 "vx",   "vy", "vz", "wx", "wy", "wz", "body"};

typedef struct Reader {
    ctColumns columns;
    int place[COLUMNS];
    const ctWorld *world;
    ctGhost *ghost;
    int *bodyOf; // per sample: index into ghost->bodies
    int bodyCapacity;
} Reader;

static bool readHeader(Reader *r, char *line, ctError *error)
{
    const char *missing = "a trace has columns time,body,x,y,z,qw,qx,qy,qz; there is no";
    if (!ctColumns_ReadHeader(&r->columns, line, missing, error)) {
        return false;
    }
    r->ghost->moving = true;
    for (int i = VX; i <= WZ; i++) {
        r->ghost->moving = r->ghost->moving && r->place[i] >= 0;
    }
    return true;
}

// The index of the ghost's body of that name (NULL: the first dynamic body); a new body is added. -1: the body cannot
// move; -2: failed.
static int bodyNamed(Reader *r, const char *name, ctError *error)
{
    ctBodyId id = name != NULL ? ctWorld_FindBody(r->world, name) : (ctBodyId){0};
    for (int i = 0; name == NULL && id.index1 == 0 && i < ctWorld_GetBodyCount(r->world); i++) {
        ctBodyId body = ctWorld_GetBody(r->world, i);
        id = ctBody_GetMotionType(r->world, body) == ct_motionDynamic ? body : id;
    }
    if (id.index1 == 0) {
        ctColumns_Fail(&r->columns, error, name != NULL ? "body" : "",
                       name != NULL ? "the scene has no body" : "no body of the scene moves", name);
        return -2;
    }
    if (ctBody_GetMotionType(r->world, id) != ct_motionDynamic) {
        return -1;
    }
    ctGhost *g = r->ghost;
    for (int i = g->count - 1; i >= 0; i--) {
        if (g->bodies[i].id.index1 == id.index1) {
            return i;
        }
    }
    if (!ctReserve((void **)&g->bodies, &g->capacity, g->count + 1, sizeof *g->bodies)) {
        ctFailMemory(error, "a ghost");
        return -2;
    }
    g->bodies[g->count] = (ctGhostBody){.id = id, .center = ctBody_GetMassData(r->world, id).center, .first = -1};
    return g->count++;
}

static bool readNumbers(const Reader *r, char *const *fields, double n[NUMBERS], ctError *error)
{
    for (int i = 0; i < (r->ghost->moving ? NUMBERS : REQUIRED); i++) {
        const char *text = fields[r->place[i]];
        char *end;
        n[i] = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(n[i])) {
            return ctColumns_Fail(&r->columns, error, columnNames[i], "not a finite number:", text);
        }
    }
    double size = sqrt(n[QW] * n[QW] + n[QX] * n[QX] + n[QY] * n[QY] + n[QZ] * n[QZ]);
    if (!(fabs(size - 1.0) < 0.01)) {
        return ctColumns_Fail(&r->columns, error, "qw", "the rotation is no unit quaternion", NULL);
    }
    return true;
}

static bool readRow(Reader *r, char *line, ctError *error)
{
    char *fields[CT_MOST_FIELDS];
    double n[NUMBERS] = {0.0};
    if (!ctColumns_ReadRow(&r->columns, line, fields, error)) {
        return false;
    }
    int body = bodyNamed(r, r->place[BODY] >= 0 ? fields[r->place[BODY]] : NULL, error);
    if (body == -2 || !readNumbers(r, fields, n, error)) {
        return false;
    }
    if (body == -1) {
        return true;
    }
    ctGhost *g = r->ghost;
    ctGhostBody *b = &g->bodies[body];
    if (b->first >= 0 && !(n[TIME] > g->samples[b->first].time)) { // first is the body's last sample so far
        return ctColumns_Fail(&r->columns, error, "time", "is not after the body's last one:", fields[r->place[TIME]]);
    }
    if (!ctReserve((void **)&g->samples, &g->sampleCapacity, g->sampleCount + 1, sizeof *g->samples) ||
        !ctReserve((void **)&r->bodyOf, &r->bodyCapacity, g->sampleCount + 1, sizeof *r->bodyOf)) {
        return ctFailMemory(error, "a ghost");
    }
    b->first = g->sampleCount;
    b->count++;
    r->bodyOf[g->sampleCount] = body;
    g->samples[g->sampleCount++] = (ctGhostSample){.time = n[TIME],
                                                   .center = ctV3(n[X], n[Y], n[Z]),
                                                   .q = ctNormalizeQ(ctQuatOf(n[QW], n[QX], n[QY], n[QZ])),
                                                   .velocity = ctV3(n[VX], n[VY], n[VZ]),
                                                   .spin = ctV3(n[WX], n[WY], n[WZ])};
    return true;
}

static bool readText(Reader *r, char *text, size_t length, ctError *error)
{
    bool header = false;
    for (char *line = text; line < text + length;) {
        char *end = memchr(line, '\n', (size_t)(text + length - line));
        char *next = end != NULL ? end + 1 : text + length;
        if (end != NULL) {
            *end = '\0';
        }
        r->columns.line++;
        if (memchr(line, '\0', (size_t)(next - line)) != (end != NULL ? end : NULL)) {
            return ctColumns_Fail(&r->columns, error, "", "not a text file", NULL);
        }
        if (!ctColumns_IsBlank(line) && line[0] != '#') {
            bool good = header ? readRow(r, line, error) : readHeader(r, line, error);
            if (!good) {
                return false;
            }
            header = true;
        }
        line = next;
    }
    if (r->ghost->sampleCount == 0) {
        r->columns.line = r->columns.line > 0 ? r->columns.line : 1;
        return ctColumns_Fail(&r->columns, error, "", header ? "no row of a body that moves" : "the file is empty",
                              NULL);
    }
    return true;
}

// Sorts the samples by body: a counting sort.
static bool sortByBody(Reader *r, ctError *error)
{
    ctGhost *g = r->ghost;
    ctGhostSample *sorted = ctAllocate((size_t)g->sampleCount, sizeof *sorted);
    if (sorted == NULL) {
        return ctFailMemory(error, "a ghost");
    }
    int at = 0;
    for (int i = 0; i < g->count; i++) {
        g->bodies[i].first = at;
        at += g->bodies[i].count;
        g->bodies[i].count = 0;
    }
    for (int i = 0; i < g->sampleCount; i++) {
        ctGhostBody *b = &g->bodies[r->bodyOf[i]];
        sorted[b->first + b->count++] = g->samples[i];
    }
    ctFree(g->samples);
    g->samples = sorted;
    g->sampleCapacity = g->sampleCount;
    return true;
}

bool ctGhost_Load(ctGhost *ghost, const char *path, const ctWorld *world, ctError *error)
{
    *ghost = (ctGhost){0};
    size_t length = 0;
    char *text = ctReadFile(path, MOST_BYTES, &length, error);
    if (text == NULL) {
        if (error != NULL && error->status == ct_io) {
            error->status = ct_badArgument; // the name of the file is input of the caller
        }
        return false;
    }
    Reader r = {.world = world, .ghost = ghost};
    r.columns =
        (ctColumns){.file = path, .names = columnNames, .count = COLUMNS, .required = REQUIRED, .place = r.place};
    bool good = readText(&r, text, length, error) && sortByBody(&r, error);
    ctFree(r.bodyOf);
    ctFree(text);
    if (!good) {
        ctGhost_Free(ghost);
    }
    return good;
}

void ctGhost_Free(ctGhost *ghost)
{
    ctFree(ghost->bodies);
    ctFree(ghost->samples);
    *ghost = (ctGhost){0};
}

// ---- the pose at a time ---------------------------------------------------------------------------

static ctBodyState stateOf(const ctGhostBody *body, const ctGhostSample *s)
{
    ctTransform pose = ctTransformOf(ctSub(s->center, ctRotate(s->q, body->center)), s->q);
    return (ctBodyState){body->id, pose, s->center, s->velocity, s->spin, false};
}

// Sets velocities and spins for uniform motion between two samples that have none.
static void moveEvenly(ctBodyState *a, ctBodyState *b, double dt)
{
    ctQuat turn = ctMulQ(b->pose.q, ctConjugate(a->pose.q));
    if (turn.w < 0.0) {
        turn = ctQuatOf(-turn.w, -turn.x, -turn.y, -turn.z);
    }
    a->velocity = b->velocity = ctScale(1.0 / dt, ctSub(b->center, a->center));
    a->spin = b->spin = ctScale(1.0 / dt, ctQuatLog(turn));
}

bool ctGhost_At(const ctGhost *ghost, ctBodyId id, double time, ctTransform *pose, ctVec3 *center)
{
    const ctGhostBody *body = NULL;
    for (int i = 0; i < ghost->count && body == NULL; i++) {
        const ctGhostBody *b = &ghost->bodies[i];
        body = b->id.index1 == id.index1 && b->id.generation == id.generation ? b : NULL;
    }
    if (body == NULL) {
        return false;
    }
    // The last sample at or before the time, by bisection.
    const ctGhostSample *s = &ghost->samples[body->first];
    int lo = 0, hi = body->count - 1;
    while (lo < hi) {
        int middle = (lo + hi + 1) / 2;
        if (s[middle].time <= time) {
            lo = middle;
        } else {
            hi = middle - 1;
        }
    }
    int next = lo + 1 < body->count ? lo + 1 : lo;
    ctBodyState a = stateOf(body, &s[lo]), b = stateOf(body, &s[next]);
    if (!ghost->moving && next > lo) {
        moveEvenly(&a, &b, s[next].time - s[lo].time);
    }
    *pose = time <= s[lo].time || next == lo ? a.pose : ctInterpolate(&a, s[lo].time, &b, s[next].time, time);
    if (center != NULL) {
        *center = ctTransformPoint(*pose, body->center);
    }
    return true;
}

bool ctGhost_Difference(const ctGhost *ghost, ctBodyId body, double time, ctVec3 center, ctQuat rotation,
                        double *distance, double *angle)
{
    ctTransform pose;
    ctVec3 there;
    if (!ctGhost_At(ghost, body, time, &pose, &there)) {
        return false;
    }
    ctQuat between = ctMulQ(ctConjugate(pose.q), rotation);
    *distance = ctDistance(center, there);
    *angle = 2.0 * atan2(sqrt(between.x * between.x + between.y * between.y + between.z * between.z), fabs(between.w));
    return true;
}
