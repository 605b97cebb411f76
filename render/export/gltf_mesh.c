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
#define PLANE_HALF_SIZE 10.0 // m: a plane is infinite, its mesh is not

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

// Positions and normals as separate arrays, as accessors require.
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

static bool addPlaces(ctGltf *g, const float *places, ctGltfGeometry *geometry, ctError *error)
{
    geometry->place = ctGltf_AddAccessor(g, places, (size_t)geometry->vertices * 2 * sizeof(float), CT_GLTF_ARRAY,
                                         CT_GLTF_FLOAT, "VEC2", geometry->vertices, NULL, NULL, 2, error);
    return geometry->place >= 0;
}

// The tiles of a plane begin at its point nearest to the origin, as in the renderer.
static bool addPlane(ctGltf *g, const ctMesh *mesh, ctVec3 normal, ctGltfGeometry *geometry, ctError *error)
{
    ctVec3 x, y;
    float places[4][2];
    ctFrameFromNormal(normal, &x, &y);
    for (int i = 0; i < 4; i++) {
        const float *v = mesh->vertices[i].position;
        ctVec3 p = ctV3((double)v[0], (double)v[1], (double)v[2]);
        places[i][0] = (float)(ctDot(p, x) / (CT_GLTF_TILE_X * g->cell));
        places[i][1] = (float)(ctDot(p, y) / (CT_GLTF_TILE_Y * g->cell));
    }
    return addGeometry(g, mesh, geometry, error) && addPlaces(g, &places[0][0], geometry, error);
}

// A geometry of another shape with the same vertices; NULL when there is none.
static const ctGltfGeometry *equalGeometry(const ctGltf *g, const ctMesh *mesh, bool painted)
{
    for (int i = 0; i < g->geometryCount; i++) {
        const ctGltfGeometry *other = &g->geometries[i];
        bool same = other->painted == painted && other->vertices == mesh->vertexCount;
        for (int k = 0; same && k < mesh->vertexCount; k++) {
            same = memcmp(g->bytes + other->offset + (size_t)k * 12, mesh->vertices[k].position, 12) == 0;
        }
        if (same) {
            return other;
        }
    }
    return NULL;
}

// The geometry of a mesh. Equal meshes share their geometry.
static bool takeMesh(ctGltf *g, const ctMesh *mesh, const ctShape *shape, ctGltfGeometry *geometry, ctError *error)
{
    if (geometry->painted && shape->type != ct_shapePlane) {
        geometry->atlas = ctGltfAtlas_Create(mesh, error);
        geometry->as = geometry->atlas;
        mesh = geometry->atlas != NULL ? &geometry->atlas->mesh : NULL;
    }
    const ctGltfGeometry *equal = mesh != NULL ? equalGeometry(g, mesh, geometry->painted) : NULL;
    if (mesh == NULL) {
        return false;
    }
    if (equal != NULL) {
        int index = geometry->shape;
        ctGltfAtlas_Destroy(geometry->atlas);
        *geometry = *equal;
        geometry->shape = index;
        geometry->atlas = NULL;
        return true;
    }
    if (geometry->painted && shape->type == ct_shapePlane) {
        return addPlane(g, mesh, shape->u.plane.normal, geometry, error);
    }
    return addGeometry(g, mesh, geometry, error) &&
           (!geometry->painted || addPlaces(g, geometry->atlas->places, geometry, error));
}

// The geometry of a shape, made when it is first needed; NULL on failure.
static const ctGltfGeometry *geometryOf(ctGltf *g, const ctScene *scene, ctShapeId id, bool painted, ctError *error)
{
    for (int i = 0; i < g->geometryCount; i++) {
        if (g->geometries[i].shape == id.index1 && g->geometries[i].painted == painted) {
            return &g->geometries[i];
        }
    }
    if (!ctReserve((void **)&g->geometries, &g->geometryCapacity, g->geometryCount + 1, sizeof *g->geometries)) {
        ctFailMemory(error, "a mesh");
        return NULL;
    }
    ctGltfGeometry *geometry = &g->geometries[g->geometryCount];
    *geometry = (ctGltfGeometry){.shape = id.index1, .painted = painted, .place = -1};
    const ctShape *shape = ctWorld_GetShape(scene->world, id);
    ctMesh mesh = {0};
    bool good = buildMesh(&mesh, shape, error) && takeMesh(g, &mesh, shape, geometry, error);
    if (!good) {
        ctGltfAtlas_Destroy(geometry->atlas);
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

// Whether the pattern is drawn on the shape: planes have only the patterns of floors.
static bool isPatterned(const ctShape *shape, ctPattern pattern)
{
    return shape->type == ct_shapePlane ? pattern == ct_patternChecker || pattern == ct_patternBoards
                                        : pattern != ct_patternPlain;
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

// The mesh of a geometry with a look, made when it is first needed; -1 on failure.
static int meshOf(ctGltf *g, const ctGltfGeometry *geometry, const ctShape *shape, ctLook look, ctError *error)
{
    int found = findSkin(g, geometry, &look), texture = -1;
    if (found >= 0) {
        return found;
    }
    if (geometry->painted) {
        texture = shape->type == ct_shapePlane ? ctGltf_PlaneTexture(g, &look, error)
                                               : ctGltfAtlas_Paint(g, geometry->as, &look, shape->lo, shape->hi, error);
        if (texture < 0) {
            return -1;
        }
    }
    if (!ctReserve((void **)&g->skins, &g->skinCapacity, g->skinCount + 1, sizeof(ctGltfSkin))) {
        ctFailMemory(error, "a mesh");
        return -1;
    }
    ctVec3 factor = geometry->painted ? ctV3(1.0, 1.0, 1.0) : look.color;
    json_t *attributes = json_pack("{s:i, s:i}", "POSITION", geometry->position, "NORMAL", geometry->normal);
    if (geometry->place >= 0) {
        json_object_set_new(attributes, "TEXCOORD_0", json_integer(geometry->place));
    }
    json_array_append_new(g->meshes,
                          json_pack("{s:[{s:o, s:i, s:i}]}", "primitives", "attributes", attributes, "indices",
                                    geometry->index, "material", addMaterial(g, factor, texture)));
    int made = (int)json_array_size(g->meshes) - 1;
    g->skins[g->skinCount++] = (ctGltfSkin){geometry->position, look.color, look.pattern, look.number, made};
    return made;
}

int ctGltf_MeshOf(ctGltf *g, const ctScene *scene, ctShapeId id, ctLook look, ctError *error)
{
    const ctShape *shape = ctWorld_GetShape(scene->world, id);
    bool painted = isPatterned(shape, look.pattern);
    look.pattern = painted ? look.pattern : ct_patternPlain;
    const ctGltfGeometry *geometry = geometryOf(g, scene, id, painted, error);
    return geometry != NULL ? meshOf(g, geometry, shape, look, error) : -1;
}
