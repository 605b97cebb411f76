// Convex meshes from Wavefront OBJ text: the hull of the vertices that faces use, refused when one of them
// lies inside it.
#include "collision/error.h"
#include "collision/memory.h"
#include "collision/shape.h"

#include <stdlib.h>
#include <string.h>

typedef struct Mesh {
    ctVec3 *vertices;
    int count, capacity;
    int faces;
} Mesh;

static bool readVertex(Mesh *mesh, const char *p, const char *name, int line, ctError *error)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        char *end;
        x[i] = strtod(p, &end);
        if (end == p || !isfinite(x[i])) {
            return ctFail(error, ct_badArgument, "%s:%d: a vertex needs three finite numbers", name, line);
        }
        p = end;
    }
    if (!ctReserve((void **)&mesh->vertices, &mesh->capacity, mesh->count + 1, sizeof(ctVec3))) {
        return ctFailMemory(error, "a mesh");
    }
    mesh->vertices[mesh->count++] = ctV3(x[0], x[1], x[2]);
    return true;
}

static bool readFace(Mesh *mesh, const char *p, const char *name, int line, ctError *error)
{
    int corners = 0;
    for (p += strspn(p, " \t\r"); *p != '\0' && *p != '\n'; p += strspn(p, " \t\r")) {
        char *end;
        long index = strtol(p, &end, 10);
        if (end == p) {
            return ctFail(error, ct_badArgument, "%s:%d: a face is a list of vertex numbers", name, line);
        }
        if (index == 0 || index > mesh->count || index < -mesh->count) {
            return ctFail(error, ct_badArgument, "%s:%d: there is no vertex %ld", name, line, index);
        }
        corners++;
        p = end + strcspn(end, " \t\r\n");
    }
    if (corners < 3) {
        return ctFail(error, ct_badArgument, "%s:%d: a face needs at least three vertices", name, line);
    }
    mesh->faces++;
    return true;
}

static bool readMesh(Mesh *mesh, const char *text, const char *name, ctError *error)
{
    int line = 1;
    for (const char *p = text; *p != '\0'; line++) {
        p += strspn(p, " \t\r");
        bool ok = true;
        if (p[0] == 'v' && (p[1] == ' ' || p[1] == '\t')) {
            ok = readVertex(mesh, p + 2, name, line, error);
        } else if (p[0] == 'f' && (p[1] == ' ' || p[1] == '\t')) {
            ok = readFace(mesh, p + 2, name, line, error);
        }
        if (!ok) {
            return false;
        }
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    if (mesh->faces == 0) {
        return ctFail(error, ct_badArgument, "%s:%d: the mesh has no faces", name, line);
    }
    return true;
}

// Whether every vertex lies on the surface of the hull.
static bool isConvex(const Mesh *mesh, const ctShape *hull)
{
    for (int i = 0; i < mesh->count; i++) {
        double inside = INFINITY;
        for (int f = 0; f < hull->u.hull.faceCount; f++) {
            double offset = hull->u.hull.faceOffsets[f] + hull->round;
            inside = fmin(inside, offset - ctDot(hull->u.hull.faceNormals[f], mesh->vertices[i]));
        }
        if (inside > 1e-3 * hull->size) {
            return false;
        }
    }
    return true;
}

ctShape *ctShape_Obj(const char *text, size_t length, const char *name, bool decompose, ctError *error)
{
    Mesh mesh = {0};
    ctShape *shape = NULL;
    char *copy = ctAllocate(length + 1, 1); // ended by a zero, whatever text is
    if (copy == NULL) {
        ctFailMemory(error, "a mesh");
        return NULL;
    }
    memcpy(copy, text, length);
    if (readMesh(&mesh, copy, name, error)) {
        shape = ctShape_Hull(mesh.vertices, mesh.count, error);
    }
    if (shape != NULL && !isConvex(&mesh, shape)) {
        ctShape_Release(shape);
        shape = NULL;
        ctFail(error, ct_badArgument, "%s: the mesh is not convex%s", name,
               decompose ? " and cannot be cut into convex parts" : "; decompose = true cuts it into parts that are");
    }
    ctFree(mesh.vertices);
    ctFree(copy);
    return shape;
}
