// Wavefront OBJ: vertices and faces. All other statements of the format are ignored.
#include "collision/memory.h"
#include "collision/polymesh.h"
#include "collision/terrain.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// Statements without a meaning for a solid.
static const char *const ignored[] = {
    "vt",    "vn",    "vp",    "o",      "g",    "s",        "mg",       "usemtl", "mtllib",     "l",
    "p",     "deg",   "bmat",  "cstype", "step", "lod",      "usemap",   "maplib", "shadow_obj", "trace_obj",
    "ctech", "stech", "curv",  "curv2",  "surf", "parm",     "end",      "trim",   "hole",       "scrv",
    "sp",    "con",   "bevel", "call",   "csh",  "c_interp", "d_interp",
};

typedef struct Reader {
    const char *at, *end;
    int line;
    const char *name;
    locale_t locale; // "C": a decimal point is a point
    int *polygon;    // corners of the face being read
    int polygonCapacity;
    ctPolyMesh *mesh;
    ctError *error;
} Reader;

// Spaces within a line; a backslash before the end of a line joins it with the next.
static void skipSpace(Reader *r)
{
    while (r->at < r->end) {
        if (*r->at == ' ' || *r->at == '\t' || *r->at == '\r' || *r->at == '\v' || *r->at == '\f') {
            r->at++;
        } else if (*r->at == '\\' && r->end - r->at >= 2 && r->at[1] == '\n') {
            r->at += 2;
            r->line++;
        } else if (*r->at == '\\' && r->end - r->at >= 3 && r->at[1] == '\r' && r->at[2] == '\n') {
            r->at += 3;
            r->line++;
        } else {
            return;
        }
    }
}

static bool isBreak(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

// The next word of the line, copied and cut off at size - 1 characters; false at its end.
// *whole is false when it was cut off.
static bool nextWord(Reader *r, char *word, size_t size, bool *whole)
{
    skipSpace(r);
    size_t n = 0;
    *whole = true;
    if (r->at >= r->end || *r->at == '\n' || *r->at == '#') {
        return false;
    }
    for (; r->at < r->end && !isBreak(*r->at); r->at++) {
        if (n + 1 < size) {
            word[n++] = *r->at;
        } else {
            *whole = false;
        }
    }
    word[n] = '\0';
    return true;
}

// For messages: what is not printable ASCII shows as a question mark.
static const char *printable(char *word)
{
    for (char *c = word; *c != '\0'; c++) {
        if (*c < ' ' || *c > '~') {
            *c = '?';
        }
    }
    return word;
}

static void skipLine(Reader *r)
{
    const char *end = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    r->at = end != NULL ? end : r->end;
}

static bool readVertex(Reader *r)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        char word[64], *stop;
        bool whole;
        if (!nextWord(r, word, sizeof word, &whole)) {
            return ctFail(r->error, ct_badArgument, "%s:%d: a vertex needs three numbers, not %d", r->name, r->line, i);
        }
        x[i] = strtod_l(word, &stop, r->locale);
        if (!whole || stop == word || *stop != '\0') {
            word[24] = '\0';
            return ctFail(r->error, ct_badArgument, "%s:%d: '%s' is not a number", r->name, r->line, printable(word));
        }
        if (!isfinite(x[i]) || fabs(x[i]) > CT_LENGTH_MAX) {
            return ctFail(r->error, ct_badArgument, "%s:%d: %g is not a coordinate within %g m", r->name, r->line, x[i],
                          CT_LENGTH_MAX);
        }
    }
    if (r->mesh->pointCount >= CT_HULL_POINTS) {
        return ctFail(r->error, ct_limit, "%s:%d: more than %d vertices", r->name, r->line, CT_HULL_POINTS);
    }
    // Adding zero turns -0 into 0, so that equal points have equal bits.
    return ctPolyMesh_AddPoint(r->mesh, ctV3(x[0] + 0.0, x[1] + 0.0, x[2] + 0.0), r->error);
}

// An integer without a fraction, clamped to a billion; *text moves behind it. False when there is none.
static bool readInteger(const char **text, int *value)
{
    const char *c = *text;
    bool negative = *c == '-';
    c += *c == '-' || *c == '+';
    if (*c < '0' || *c > '9') {
        return false;
    }
    int v = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        v = v < 100000000 ? 10 * v + (*c - '0') : 1000000000;
    }
    *value = negative ? -v : v;
    *text = c;
    return true;
}

// v, v/vt, v//vn or v/vt/vn
static bool readCorner(const char *word, int *vertex)
{
    int unused;
    if (!readInteger(&word, vertex)) {
        return false;
    }
    for (int i = 0; i < 2 && *word == '/'; i++) {
        word++;
        if (*word != '/' && *word != '\0' && !readInteger(&word, &unused)) {
            return false;
        }
    }
    return *word == '\0';
}

static bool readFace(Reader *r)
{
    char word[64];
    bool whole;
    int count = 0, line = r->line;
    while (nextWord(r, word, sizeof word, &whole)) {
        int vertex;
        if (!whole || !readCorner(word, &vertex)) {
            word[24] = '\0';
            return ctFail(r->error, ct_badArgument, "%s:%d: '%s' is not a corner of a face", r->name, line,
                          printable(word));
        }
        int index = vertex > 0 ? vertex - 1 : r->mesh->pointCount + vertex;
        if (vertex == 0 || index < 0) {
            return ctFail(r->error, ct_badArgument, "%s:%d: there is no vertex %d", r->name, line, vertex);
        }
        if (!ctReserve((void **)&r->polygon, &r->polygonCapacity, count + 1, sizeof *r->polygon)) {
            return ctFailMemory(r->error, "a mesh");
        }
        r->polygon[count++] = index;
    }
    if (count < 3) {
        return ctFail(r->error, ct_badArgument, "%s:%d: a face needs at least three corners, not %d", r->name, line,
                      count);
    }
    if (r->mesh->cornerCount + count > 4 * CT_HULL_POINTS) {
        return ctFail(r->error, ct_limit, "%s:%d: more than %d corners of faces", r->name, line, 4 * CT_HULL_POINTS);
    }
    return ctPolyMesh_AddFace(r->mesh, r->polygon, count, line, r->error);
}

static bool readStatement(Reader *r)
{
    char word[64];
    bool whole;
    if (!nextWord(r, word, sizeof word, &whole)) {
        return true;
    }
    if (strcmp(word, "v") == 0) {
        return readVertex(r);
    }
    if (strcmp(word, "f") == 0 || strcmp(word, "fo") == 0) {
        return readFace(r);
    }
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        if (strcmp(word, ignored[i]) == 0) {
            return true;
        }
    }
    // The word is not shown: a scene that names some other file as its mesh must not get it read out.
    return ctFail(r->error, ct_badArgument, "%s:%d: this is not a statement of an OBJ file", r->name, r->line);
}

static bool readText(Reader *r)
{
    for (r->line = 1; r->at < r->end; r->at++, r->line++) {
        if (!readStatement(r)) {
            return false;
        }
        skipLine(r);
    }
    const ctPolyMesh *m = r->mesh;
    if (m->faceCount == 0) {
        return ctFail(r->error, ct_badArgument, "%s: no faces", r->name);
    }
    for (int f = 0; f < m->faceCount; f++) {
        for (int k = m->first[f]; k < m->first[f + 1]; k++) {
            if (m->corners[k] >= m->pointCount) {
                return ctFail(r->error, ct_badArgument, "%s:%d: there is no vertex %d, only %d", r->name, m->lines[f],
                              m->corners[k] + 1, m->pointCount);
            }
        }
    }
    return true;
}

// A hull, when the mesh fills it; NULL with *concave set when it does not.
static ctShape *makeConvex(const ctPolyMesh *mesh, bool *concave, ctError *error)
{
    ctError why = {ct_ok, ""};
    ctShape *shape = ctNewHull(mesh->points, mesh->pointCount, CT_MESH_FLATNESS, &why);
    if (shape == NULL) {
        ctFail(error, why.status, "%s: %.160s", mesh->name, why.message);
        return NULL;
    }
    double slack = CT_MESH_FLATNESS * mesh->size * mesh->area, spare = shape->unit.mass - mesh->unit.mass;
    if (fabs(spare) > slack) {
        *concave = spare > 0.0;
        ctFail(error, ct_badArgument,
               spare > 0.0 ? "%s: the mesh is not convex; decompose would cut it into parts"
                           : "%s: the mesh crosses itself",
               mesh->name);
        ctShape_Release(shape);
        return NULL;
    }
    return shape;
}

static ctShape *makeShape(const ctPolyMesh *mesh, bool decompose, ctError *error)
{
    bool concave = mesh->concaveLine != 0;
    ctShape *shape = NULL;
    if (!concave) {
        ctError why = {ct_ok, ""};
        shape = makeConvex(mesh, &concave, &why);
        if (shape == NULL && !(concave && decompose)) {
            ctFail(error, why.status, "%s", why.message);
        }
    } else if (!decompose) {
        ctFail(error, ct_badArgument,
               "%s:%d: the mesh is not convex beside this face; decompose would cut it into parts", mesh->name,
               mesh->concaveLine);
    }
    return concave && decompose ? ctPolyMesh_Decompose(mesh, error) : shape;
}

// The polygons of an OBJ text; the caller frees the mesh in either case.
static bool readMesh(const char *text, size_t length, const char *name, ctPolyMesh *mesh, ctError *error)
{
    name = name != NULL ? name : "mesh";
    // The end of a long name says most, and leaves room for the rest of a message.
    size_t letters = strlen(name);
    *mesh = (ctPolyMesh){.name = letters > 100 ? name + letters - 100 : name};
    if (text == NULL) {
        return ctFail(error, ct_badArgument, "%s: no text", mesh->name);
    }
    Reader r = {.at = text, .end = text + length, .name = mesh->name, .mesh = mesh, .error = error};
    r.locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    bool ok = r.locale != (locale_t)0 ? readText(&r) : ctFailMemory(error, "a mesh");
    if (r.locale != (locale_t)0) {
        freelocale(r.locale);
    }
    ctFree(r.polygon);
    return ok;
}

ctShape *ctShape_Obj(const char *text, size_t length, const char *name, bool decompose, ctError *error)
{
    ctPolyMesh mesh;
    bool ok = readMesh(text, length, name, &mesh, error) && ctPolyMesh_Check(&mesh, error);
    ctShape *shape = ok ? makeShape(&mesh, decompose, error) : NULL;
    ctPolyMesh_Free(&mesh);
    return shape;
}

// Polygons as fans of triangles, with the lines that they are on.
static bool cutFans(const ctPolyMesh *mesh, ctTerrainInput *in, ctError *error)
{
    int count = mesh->cornerCount - 2 * mesh->faceCount, at = 0;
    int *triangles = ctAllocate(3 * (size_t)count, sizeof *triangles),
        *lines = ctAllocate((size_t)count, sizeof *lines);
    in->triangles = triangles;
    in->lines = lines;
    in->triangleCount = count;
    if (triangles == NULL || lines == NULL) {
        return ctFailMemory(error, "a mesh");
    }
    for (int f = 0; f < mesh->faceCount; f++) {
        const int *corner = &mesh->corners[mesh->first[f]];
        for (int k = 2; k < mesh->first[f + 1] - mesh->first[f]; k++, at++) {
            triangles[3 * at] = corner[0];
            triangles[3 * at + 1] = corner[k - 1];
            triangles[3 * at + 2] = corner[k];
            lines[at] = mesh->lines[f];
        }
    }
    return true;
}

ctShape *ctShape_TrimeshObj(const char *text, size_t length, const char *name, bool twoSided, double smooth,
                            ctError *error)
{
    ctPolyMesh mesh;
    ctTerrainInput in = {.twoSided = twoSided, .smooth = smooth};
    bool ok = readMesh(text, length, name, &mesh, error) && cutFans(&mesh, &in, error);
    in.vertices = mesh.points;
    in.vertexCount = mesh.pointCount;
    in.name = mesh.name;
    ctShape *shape = ok ? ctShape_Trimesh(&in, error) : NULL;
    ctFree((void *)in.triangles);
    ctFree((void *)in.lines);
    ctPolyMesh_Free(&mesh);
    return shape;
}
