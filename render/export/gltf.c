// glTF 2.0: a JSON document that describes views into one block of bytes.
//
// The block holds, in order of creation, each shape's positions, normals and indices; then the times of the
// keys, shared by all; then per moving body its translations and rotations. glTF's y is up and ours is z: one
// root node turns the whole scene by -90 degrees about x, so that numbers inside stay Clatter's own.
#include "render/export/gltf.h"

#include "collision/memory.h"
#include "collision/mesh.h"
#include "collision/quat.h"
#include "render/files/atomic_file.h"

#include <float.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENT_FLOAT = 5126, COMPONENT_UINT = 5125, TARGET_ARRAY = 34962, TARGET_INDEX = 34963 };
enum { MESH_SEGMENTS = 32 };
#define PLANE_HALF_SIZE 10.0 // m: a plane has no end, its picture has

typedef struct Key {
    float p[3], q[4]; // glTF order: x y z w
} Key;

typedef struct Track {
    ctBodyId body;
    int node;
    Key *keys;
    int keyCapacity;
} Track;

// The accessors of a shape's mesh: bodies of one shape share them.
typedef struct Geometry {
    int shape; // index1 of its id
    int position, normal, index;
} Geometry;

struct ctGltf {
    json_t *nodes, *meshes, *materials, *accessors, *views;
    char *title;
    uint8_t *bytes;
    int size, capacity;
    Geometry *geometries;
    int geometryCount, geometryCapacity;
    Track *tracks;
    int trackCount, trackCapacity;
    float *times;
    int timeCount, timeCapacity;
};

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

static json_t *floats(const float *v, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) {
        json_array_append_new(array, json_real((double)v[i]));
    }
    return array;
}

// A view of count elements, and the accessor that reads it; returns the accessor's index, or -1.
// low and high (components values each) may be NULL.
static int addAccessor(ctGltf *g, const void *data, size_t size, int target, int component, const char *type, int count,
                       const float *low, const float *high, int components, ctError *error)
{
    int offset = g->size;
    if (!append(g, data, size, error)) {
        return -1;
    }
    json_t *view = json_pack("{s:i, s:i, s:I}", "buffer", 0, "byteOffset", offset, "byteLength", (json_int_t)size);
    if (target != 0) {
        json_object_set_new(view, "target", json_integer(target));
    }
    json_array_append_new(g->views, view);
    json_t *accessor = json_pack("{s:I, s:i, s:i, s:s}", "bufferView", (json_int_t)json_array_size(g->views) - 1,
                                 "componentType", component, "count", count, "type", type);
    if (low != NULL) {
        json_object_set_new(accessor, "min", floats(low, components));
        json_object_set_new(accessor, "max", floats(high, components));
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

static bool addGeometry(ctGltf *g, const ctMesh *mesh, Geometry *geometry, ctError *error)
{
    float *positions = NULL, *normals = NULL, low[3], high[3];
    int n = mesh->vertexCount;
    size_t run = (size_t)n * 3 * sizeof(float);
    bool good = splitVertices(mesh, &positions, &normals, low, high);
    if (!good) {
        ctFailMemory(error, "a mesh");
    } else {
        geometry->position =
            addAccessor(g, positions, run, TARGET_ARRAY, COMPONENT_FLOAT, "VEC3", n, low, high, 3, error);
        geometry->normal = addAccessor(g, normals, run, TARGET_ARRAY, COMPONENT_FLOAT, "VEC3", n, NULL, NULL, 3, error);
        geometry->index = addAccessor(g, mesh->indices, (size_t)mesh->indexCount * sizeof(uint32_t), TARGET_INDEX,
                                      COMPONENT_UINT, "SCALAR", mesh->indexCount, NULL, NULL, 1, error);
        good = geometry->position >= 0 && geometry->normal >= 0 && geometry->index >= 0;
    }
    free(positions);
    free(normals);
    return good;
}

// The geometry of a shape, made when it is first asked for; NULL on failure.
static const Geometry *geometryOf(ctGltf *g, const ctScene *scene, ctShapeId shape, ctError *error)
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
    Geometry *geometry = &g->geometries[g->geometryCount];
    *geometry = (Geometry){shape.index1, -1, -1, -1};
    ctMesh mesh = {0};
    bool good =
        buildMesh(&mesh, ctWorld_GetShape(scene->world, shape), error) && addGeometry(g, &mesh, geometry, error);
    ctMesh_Free(&mesh);
    g->geometryCount += good ? 1 : 0;
    return good ? geometry : NULL;
}

static int addMaterial(ctGltf *g, ctVec3 color)
{
    json_t *material = json_pack("{s:{s:[f,f,f,f], s:f, s:f}}", "pbrMetallicRoughness", "baseColorFactor", color.x,
                                 color.y, color.z, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.6);
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

// ---- bodies -----------------------------------------------------------------------------------

static Key keyOf(const ctWorld *world, ctBodyId body)
{
    ctTransform t = ctBody_GetTransform(world, body);
    Key key = {{(float)t.p.x, (float)t.p.y, (float)t.p.z}, {(float)t.q.x, (float)t.q.y, (float)t.q.z, (float)t.q.w}};
    return key;
}

static bool addBody(ctGltf *g, const ctScene *scene, ctBodyId body, ctError *error)
{
    const Geometry *geometry = geometryOf(g, scene, ctBody_GetShape(scene->world, body), error);
    if (geometry == NULL) {
        return false;
    }
    uint64_t look = ctBody_GetUserData(scene->world, body);
    ctVec3 color = look < (uint64_t)scene->lookCount ? scene->looks[look].color : ctV3(0.7, 0.7, 0.7);
    json_t *mesh =
        json_pack("{s:[{s:{s:i, s:i}, s:i, s:i}]}", "primitives", "attributes", "POSITION", geometry->position,
                  "NORMAL", geometry->normal, "indices", geometry->index, "material", addMaterial(g, color));
    json_array_append_new(g->meshes, mesh);
    int made = (int)json_array_size(g->meshes) - 1;
    Key key = keyOf(scene->world, body);
    json_t *node =
        json_pack("{s:i, s:o, s:o}", "mesh", made, "translation", floats(key.p, 3), "rotation", floats(key.q, 4));
    const char *name = ctBody_GetName(scene->world, body);
    if (name[0] != '\0') {
        json_object_set_new(node, "name", json_string(name));
    }
    json_array_append_new(g->nodes, node);
    if (ctBody_GetMotionType(scene->world, body) == ct_motionFixed) {
        return true;
    }
    if (!ctReserve((void **)&g->tracks, &g->trackCapacity, g->trackCount + 1, sizeof *g->tracks)) {
        return ctFailMemory(error, "a glTF animation");
    }
    g->tracks[g->trackCount++] = (Track){body, (int)json_array_size(g->nodes) - 1, NULL, 0};
    return true;
}

ctGltf *ctGltf_Create(const ctScene *scene, ctError *error)
{
    ctGltf *g = calloc(1, sizeof *g);
    if (g == NULL) {
        ctFailMemory(error, "a glTF document");
        return NULL;
    }
    g->nodes = json_array();
    g->meshes = json_array();
    g->materials = json_array();
    g->accessors = json_array();
    g->views = json_array();
    g->title = strdup(scene->title != NULL ? scene->title : "Clatter");
    bool good = g->title != NULL && g->views != NULL;
    for (int i = 0; good && i < ctWorld_GetBodyCount(scene->world); i++) {
        good = addBody(g, scene, ctWorld_GetBody(scene->world, i), error);
    }
    if (!good) {
        ctGltf_Destroy(g);
        return NULL;
    }
    return g;
}

bool ctGltf_AddKey(ctGltf *g, const ctScene *scene, ctError *error)
{
    int k = g->timeCount;
    if (!ctReserve((void **)&g->times, &g->timeCapacity, k + 1, sizeof *g->times)) {
        return ctFailMemory(error, "a glTF animation");
    }
    for (int i = 0; i < g->trackCount; i++) {
        Track *track = &g->tracks[i];
        if (!ctReserve((void **)&track->keys, &track->keyCapacity, k + 1, sizeof *track->keys)) {
            return ctFailMemory(error, "a glTF animation");
        }
        Key key = keyOf(scene->world, track->body);
        if (k > 0) {
            // q and -q are the same rotation; viewers interpolate between the numbers.
            const float *last = track->keys[k - 1].q;
            float dot = key.q[0] * last[0] + key.q[1] * last[1] + key.q[2] * last[2] + key.q[3] * last[3];
            for (int c = 0; c < 4; c++) {
                key.q[c] = dot < 0.0f ? -key.q[c] : key.q[c];
            }
        }
        track->keys[k] = key;
    }
    g->times[k] = (float)ctWorld_GetTime(scene->world);
    g->timeCount = k + 1;
    return true;
}

// ---- the animation and the document -----------------------------------------------------------

// One sampler and one channel; count keys of `components` floats taken at `offset` in each Key.
static bool addChannel(ctGltf *g, json_t *animation, const Track *track, int input, int components, ctError *error)
{
    size_t n = (size_t)g->timeCount, width = (size_t)components;
    float *values = malloc(n * width * sizeof(float));
    if (values == NULL) {
        return ctFailMemory(error, "a glTF animation");
    }
    for (size_t k = 0; k < n; k++) {
        memcpy(values + k * width, components == 3 ? track->keys[k].p : track->keys[k].q, width * sizeof(float));
    }
    int output = addAccessor(g, values, n * width * sizeof(float), 0, COMPONENT_FLOAT,
                             components == 3 ? "VEC3" : "VEC4", g->timeCount, NULL, NULL, components, error);
    free(values);
    if (output < 0) {
        return false;
    }
    json_t *samplers = json_object_get(animation, "samplers"), *channels = json_object_get(animation, "channels");
    json_array_append_new(samplers,
                          json_pack("{s:i, s:s, s:i}", "input", input, "interpolation", "LINEAR", "output", output));
    json_array_append_new(channels, json_pack("{s:I, s:{s:i, s:s}}", "sampler",
                                              (json_int_t)json_array_size(samplers) - 1, "target", "node", track->node,
                                              "path", components == 3 ? "translation" : "rotation"));
    return true;
}

// Returns NULL on failure.
static json_t *makeAnimation(ctGltf *g, ctError *error)
{
    float first = g->times[0], last = g->times[g->timeCount - 1];
    int input = addAccessor(g, g->times, (size_t)g->timeCount * sizeof(float), 0, COMPONENT_FLOAT, "SCALAR",
                            g->timeCount, &first, &last, 1, error);
    json_t *animation = json_pack("{s:s, s:[], s:[]}", "name", "simulation", "samplers", "channels");
    bool good = input >= 0;
    for (int i = 0; good && i < g->trackCount; i++) {
        good = addChannel(g, animation, &g->tracks[i], input, 3, error) &&
               addChannel(g, animation, &g->tracks[i], input, 4, error);
    }
    if (!good) {
        json_decref(animation);
        return NULL;
    }
    return animation;
}

static json_t *makeDocument(ctGltf *g, ctError *error)
{
    json_t *animation = NULL;
    if (g->trackCount > 0 && g->timeCount > 0 && (animation = makeAnimation(g, error)) == NULL) {
        return NULL;
    }
    // The root comes last and has all the others as children.
    json_t *children = json_array(), *nodes = json_copy(g->nodes);
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        json_array_append_new(children, json_integer((json_int_t)i));
    }
    size_t root = json_array_size(nodes);
    const double half = 0.70710678118654752440;
    json_array_append_new(nodes, json_pack("{s:s, s:[f,f,f,f], s:o}", "name", g->title, "rotation", -half, 0.0, 0.0,
                                           half, "children", children));
    json_t *document = json_pack("{s:{s:s, s:s}, s:i, s:[{s:[I]}], s:o, s:[{s:i}]}", "asset", "version", "2.0",
                                 "generator", "Clatter " CT_VERSION, "scene", 0, "scenes", "nodes", (json_int_t)root,
                                 "nodes", nodes, "buffers", "byteLength", g->size);
    json_object_set(document, "meshes", g->meshes);
    json_object_set(document, "materials", g->materials);
    json_object_set(document, "accessors", g->accessors);
    json_object_set(document, "bufferViews", g->views);
    if (animation != NULL) {
        json_object_set_new(document, "animations", json_pack("[o]", animation));
    }
    return document;
}

static void putU32(FILE *out, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    fwrite(bytes, 1, 4, out);
}

// A chunk: its length, its type, its bytes, and padding to a multiple of four.
static void putChunk(FILE *out, uint32_t type, const void *data, uint32_t size, char padding)
{
    uint32_t padded = (size + 3u) & ~3u;
    putU32(out, padded);
    putU32(out, type);
    fwrite(data, 1, size, out);
    for (uint32_t i = size; i < padded; i++) {
        fputc(padding, out);
    }
}

bool ctGltf_Write(ctGltf *g, const char *path, ctError *error)
{
    json_t *document = makeDocument(g, error);
    if (document == NULL) {
        return false;
    }
    char *text = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(document);
    if (text == NULL) {
        return ctFailMemory(error, "a glTF document");
    }
    ctAtomicFile file;
    bool good = ctAtomicFile_Open(&file, path, error);
    if (good) {
        uint32_t length = (uint32_t)strlen(text), size = (uint32_t)g->size;
        putU32(file.stream, 0x46546C67u); // "glTF"
        putU32(file.stream, 2);
        putU32(file.stream, 12u + 8u + ((length + 3u) & ~3u) + 8u + ((size + 3u) & ~3u));
        putChunk(file.stream, 0x4E4F534Au, text, length, ' ');
        putChunk(file.stream, 0x004E4942u, g->bytes, size, '\0');
        good = ctAtomicFile_Commit(&file, error);
    }
    free(text);
    return good;
}

void ctGltf_Destroy(ctGltf *g)
{
    if (g == NULL) {
        return;
    }
    json_decref(g->nodes);
    json_decref(g->meshes);
    json_decref(g->materials);
    json_decref(g->accessors);
    json_decref(g->views);
    for (int i = 0; i < g->trackCount; i++) {
        ctFree(g->tracks[i].keys);
    }
    ctFree(g->tracks);
    ctFree(g->geometries);
    ctFree(g->times);
    ctFree(g->bytes);
    free(g->title);
    free(g);
}
