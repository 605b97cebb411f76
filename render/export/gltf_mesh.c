// The meshes of a glTF document: geometry by shape, colours by look.
#include "render/export/gltf_internal.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "collision/mesh.h"
#include "collision/vec3.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESH_SEGMENTS = 32 };
#define PLANE_HALF_SIZE 10.0 // m: a plane has no end, its picture has

// ---- the block of bytes -----------------------------------------------------------------------

static bool append(ctGltf *g, const void *data, size_t size, ctError *error)
{
    if (size > INT32_MAX / 4 || !ctReserve((void **)&g->bytes, &g->capacity, g->size + (int)size, 1)) {
        return ctFailMemory(error, "a glTF buffer");
    }
    memcpy(g->bytes + g->size, data, size);
    g->size += (int)size;
    return true;
}

json_t *ctGltf_Floats(const float *v, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) {
        json_array_append_new(array, json_real((double)v[i]));
    }
    return array;
}

int ctGltf_AddView(ctGltf *g, const void *data, size_t size, int target, ctError *error)
{
    static const uint8_t padding[4] = {0};
    int offset = g->size;
    // Floats begin at multiples of four.
    if (!append(g, data, size, error) || !append(g, padding, (4 - size % 4) % 4, error)) {
        return -1;
    }
    json_t *view = json_pack("{s:i, s:i, s:I}", "buffer", 0, "byteOffset", offset, "byteLength", (json_int_t)size);
    if (target != 0) {
        json_object_set_new(view, "target", json_integer(target));
    }
    json_array_append_new(g->views, view);
    return (int)json_array_size(g->views) - 1;
}

int ctGltf_AddAccessor(ctGltf *g, const void *data, size_t size, int target, int component, const char *type, int count,
                       const float *low, const float *high, int components, ctError *error)
{
    int view = ctGltf_AddView(g, data, size, target, error);
    if (view < 0) {
        return -1;
    }
    json_t *accessor =
        json_pack("{s:i, s:i, s:i, s:s}", "bufferView", view, "componentType", component, "count", count, "type", type);
    if (low != NULL) {
        json_object_set_new(accessor, "min", ctGltf_Floats(low, components));
        json_object_set_new(accessor, "max", ctGltf_Floats(high, components));
    }
    json_array_append_new(g->accessors, accessor);
    return (int)json_array_size(g->accessors) - 1;
}

// ---- meshes -----------------------------------------------------------------------------------

static bool buildMesh(ctMesh *mesh, const ctShape *shape, ctError *error)
{
    if (shape->type != ct_shapePlane) {
        return ctMesh_FromShape(mesh, shape, MESH_SEGMENTS, error);
    }
    ctVec3 n = shape->u.plane.normal, x, y, foot = ctScale(shape->u.plane.offset, n);
    ctFrameFromNormal(n, &x, &y);
    *mesh = (ctMesh){0};
    const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int i = 0; i < 4; i++) {
        ctVec3 p = ctMulAdd(ctMulAdd(foot, corners[i][0] * PLANE_HALF_SIZE, x), corners[i][1] * PLANE_HALF_SIZE, y);
        ctMesh_AddVertex(mesh, p, n);
    }
    ctMesh_AddTriangle(mesh, 0, 1, 2);
    ctMesh_AddTriangle(mesh, 0, 2, 3);
    return !mesh->failed || ctFailMemory(error, "a mesh");
}

// Positions and normals as separate runs, as accessors want them.
static bool splitVertices(const ctMesh *mesh, float **positions, float **normals, float low[3], float high[3])
{
    size_t n = (size_t)mesh->vertexCount;
    *positions = malloc(n * 3 * sizeof(float));
    *normals = malloc(n * 3 * sizeof(float));
    if (*positions == NULL || *normals == NULL) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        low[k] = FLT_MAX;
        high[k] = -FLT_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        const ctMeshVertex *v = &mesh->vertices[i];
        for (int k = 0; k < 3; k++) {
            (*positions)[3 * i + (size_t)k] = v->position[k];
            (*normals)[3 * i + (size_t)k] = v->normal[k];
            low[k] = v->position[k] < low[k] ? v->position[k] : low[k];
            high[k] = v->position[k] > high[k] ? v->position[k] : high[k];
        }
    }
    return true;
}

static bool addGeometry(ctGltf *g, const ctMesh *mesh, ctGltfGeometry *geometry, ctError *error)
{
    float *positions = NULL, *normals = NULL, low[3], high[3];
    int n = mesh->vertexCount;
    size_t run = (size_t)n * 3 * sizeof(float);
    bool good = splitVertices(mesh, &positions, &normals, low, high);
    if (!good) {
        ctFailMemory(error, "a mesh");
    } else {
        geometry->offset = g->size;
        geometry->vertices = n;
        geometry->position =
            ctGltf_AddAccessor(g, positions, run, CT_GLTF_ARRAY, CT_GLTF_FLOAT, "VEC3", n, low, high, 3, error);
        geometry->normal =
            ctGltf_AddAccessor(g, normals, run, CT_GLTF_ARRAY, CT_GLTF_FLOAT, "VEC3", n, NULL, NULL, 3, error);
        geometry->index =
            ctGltf_AddAccessor(g, mesh->indices, (size_t)mesh->indexCount * sizeof(uint32_t), CT_GLTF_INDEX,
                               CT_GLTF_UINT, "SCALAR", mesh->indexCount, NULL, NULL, 1, error);
        good = geometry->position >= 0 && geometry->normal >= 0 && geometry->index >= 0;
    }
    free(positions);
    free(normals);
    return good;
}

// A geometry with the same vertices, from another shape that is equal; NULL when there is none.
static const ctGltfGeometry *equalGeometry(const ctGltf *g, const ctMesh *mesh)
{
    for (int i = 0; i < g->geometryCount; i++) {
        const ctGltfGeometry *other = &g->geometries[i];
        bool same = other->vertices == mesh->vertexCount;
        for (int k = 0; same && k < mesh->vertexCount; k++) {
            same = memcmp(g->bytes + other->offset + (size_t)k * 12, mesh->vertices[k].position, 12) == 0;
        }
        if (same) {
            return other;
        }
    }
    return NULL;
}

// The geometry of a shape, made when it is first asked for; NULL on failure.
static const ctGltfGeometry *geometryOf(ctGltf *g, const ctScene *scene, ctShapeId shape, ctError *error)
{
    for (int i = 0; i < g->geometryCount; i++) {
        if (g->geometries[i].shape == shape.index1) {
            return &g->geometries[i];
        }
    }
    if (!ctReserve((void **)&g->geometries, &g->geometryCapacity, g->geometryCount + 1, sizeof *g->geometries)) {
        ctFailMemory(error, "a mesh");
        return NULL;
    }
    ctGltfGeometry *geometry = &g->geometries[g->geometryCount];
    *geometry = (ctGltfGeometry){.shape = shape.index1};
    ctMesh mesh = {0};
    bool good = buildMesh(&mesh, ctWorld_GetShape(scene->world, shape), error);
    const ctGltfGeometry *equal = good ? equalGeometry(g, &mesh) : NULL;
    if (equal != NULL) {
        *geometry = *equal;
        geometry->shape = shape.index1;
    } else {
        good = good && addGeometry(g, &mesh, geometry, error);
    }
    ctMesh_Free(&mesh);
    g->geometryCount += good ? 1 : 0;
    return good ? geometry : NULL;
}

// texture: -1 for none.
static int addMaterial(ctGltf *g, ctVec3 color, int texture)
{
    json_t *material = json_pack("{s:{s:[f,f,f,f], s:f, s:f}}", "pbrMetallicRoughness", "baseColorFactor", color.x,
                                 color.y, color.z, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.6);
    if (texture >= 0) {
        json_object_set_new(json_object_get(material, "pbrMetallicRoughness"), "baseColorTexture",
                            json_pack("{s:i}", "index", texture));
    }
    size_t count = json_array_size(g->materials), i = 0;
    while (i < count && !json_equal(json_array_get(g->materials, i), material)) {
        i++;
    }
    if (i < count) {
        json_decref(material);
    } else {
        json_array_append_new(g->materials, material);
    }
    return (int)i;
}

// ---- looks ------------------------------------------------------------------------------------

// The colour of a vertex by the patterns that a mesh can carry; u: its place in the shape's box, -1 ... 1.
static ctVec3 colorAt(const ctLook *look, const double u[3])
{
    static const ctVec3 white = {0.86, 0.85, 0.8};
    ctVec3 c = look->color, other = ctGltf_OtherColor(c);
    switch (look->pattern) {
    case ct_patternHalves:
        return u[0] > 0.0 ? other : c;
    case ct_patternStripe:
        return fabs(u[2]) > 0.45 ? white : c;
    case ct_patternBall:
        return (look->number > 8 && fabs(u[1]) > 0.5) || fabs(u[0]) > 0.87 ? white : c;
    case ct_patternSpokes:
        return ctLerp(c, other, fmod(floor(atan2(u[1], u[0]) * 6.0 / CT_PI + 12.0), 2.0) > 0.5 ? 0.7 : 0.0);
    case ct_patternPin:
        return fabs(u[2] - 0.41) < 0.03 || fabs(u[2] - 0.51) < 0.03 ? ctV3(0.65, 0.05, 0.05) : c;
    default:
        return c;
    }
}

// The accessor of a colour for every vertex of a geometry; -1 on failure.
static int addColors(ctGltf *g, const ctGltfGeometry *geometry, const ctLook *look, ctError *error)
{
    size_t n = (size_t)geometry->vertices;
    float *colors = malloc(n * 3 * sizeof(float)), *p = malloc(n * 3 * sizeof(float));
    int accessor = -1;
    if (colors == NULL || p == NULL) {
        ctFailMemory(error, "vertex colours");
    } else {
        memcpy(p, g->bytes + geometry->offset, n * 3 * sizeof(float));
        double low[3] = {1e30, 1e30, 1e30}, high[3] = {-1e30, -1e30, -1e30};
        for (size_t i = 0; i < 3 * n; i++) {
            low[i % 3] = fmin(low[i % 3], (double)p[i]);
            high[i % 3] = fmax(high[i % 3], (double)p[i]);
        }
        for (size_t i = 0; i < n; i++) {
            double u[3];
            for (size_t k = 0; k < 3; k++) {
                u[k] = (2.0 * (double)p[3 * i + k] - low[k] - high[k]) / fmax(high[k] - low[k], 1e-12);
            }
            ctVec3 c = colorAt(look, u);
            colors[3 * i] = (float)c.x;
            colors[3 * i + 1] = (float)c.y;
            colors[3 * i + 2] = (float)c.z;
        }
        accessor = ctGltf_AddAccessor(g, colors, n * 3 * sizeof(float), CT_GLTF_ARRAY, CT_GLTF_FLOAT, "VEC3", (int)n,
                                      NULL, NULL, 3, error);
    }
    free(colors);
    free(p);
    return accessor;
}

static bool isPatterned(ctPattern pattern)
{
    return pattern == ct_patternHalves || pattern == ct_patternStripe || pattern == ct_patternBall ||
           pattern == ct_patternSpokes || pattern == ct_patternPin;
}

// What a mesh has besides its geometry: colours of vertices, or a texture with its places; -1 where there is none.
typedef struct Paint {
    int colors, texture, places;
} Paint;

static bool makePaint(ctGltf *g, const ctGltfGeometry *geometry, const ctShape *shape, const ctLook *look, Paint *paint,
                      ctError *error)
{
    *paint = (Paint){-1, -1, -1};
    if (look->pattern == ct_patternPlain) {
        return true;
    }
    if (shape->type != ct_shapeBox) {
        paint->colors = addColors(g, geometry, look, error);
        return paint->colors >= 0;
    }
    ctVec3 half = ctScale(0.5, ctSub(shape->hi, shape->lo));
    paint->texture = ctGltf_BoxTexture(g, look, half, error);
    paint->places = paint->texture >= 0 ? ctGltf_BoxPlaces(g, geometry, error) : -1;
    return paint->places >= 0;
}

static int findSkin(const ctGltf *g, const ctGltfGeometry *geometry, const ctLook *look)
{
    bool numbered = look->pattern == ct_patternBall || look->pattern == ct_patternDomino;
    for (int i = 0; i < g->skinCount; i++) {
        const ctGltfSkin *s = &g->skins[i];
        if (s->position == geometry->position && s->pattern == look->pattern &&
            ctDistance(s->color, look->color) <= 0.0 && (!numbered || s->number == look->number)) {
            return s->mesh;
        }
    }
    return -1;
}

// The mesh of a geometry with a look, made when it is first asked for; -1 on failure.
static int meshOf(ctGltf *g, const ctGltfGeometry *geometry, const ctShape *shape, ctLook look, ctError *error)
{
    look.pattern = shape->type == ct_shapeBox || isPatterned(look.pattern) ? look.pattern : ct_patternPlain;
    int found = findSkin(g, geometry, &look);
    if (found >= 0) {
        return found;
    }
    Paint paint;
    if (!makePaint(g, geometry, shape, &look, &paint, error) ||
        (!ctReserve((void **)&g->skins, &g->skinCapacity, g->skinCount + 1, sizeof(ctGltfSkin)) &&
         !ctFailMemory(error, "a mesh"))) {
        return -1;
    }
    ctVec3 factor = look.pattern != ct_patternPlain ? ctV3(1.0, 1.0, 1.0) : look.color;
    json_t *attributes = json_pack("{s:i, s:i}", "POSITION", geometry->position, "NORMAL", geometry->normal);
    if (paint.colors >= 0) {
        json_object_set_new(attributes, "COLOR_0", json_integer(paint.colors));
    }
    if (paint.places >= 0) {
        json_object_set_new(attributes, "TEXCOORD_0", json_integer(paint.places));
    }
    json_array_append_new(g->meshes,
                          json_pack("{s:[{s:o, s:i, s:i}]}", "primitives", "attributes", attributes, "indices",
                                    geometry->index, "material", addMaterial(g, factor, paint.texture)));
    int made = (int)json_array_size(g->meshes) - 1;
    g->skins[g->skinCount++] = (ctGltfSkin){geometry->position, look.color, look.pattern, look.number, made};
    return made;
}

int ctGltf_MeshOf(ctGltf *g, const ctScene *scene, ctShapeId shape, ctLook look, ctError *error)
{
    const ctGltfGeometry *geometry = geometryOf(g, scene, shape, error);
    return geometry != NULL ? meshOf(g, geometry, ctWorld_GetShape(scene->world, shape), look, error) : -1;
}
