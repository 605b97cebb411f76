// glTF 2.0: a JSON document that describes views into one block of bytes.
//
// The block holds, in order of creation, each shape's positions, normals and indices; then the times of the
// keys, shared by all; then the translations and rotations of each moving body. Up is y in glTF and z in Clatter: one
// root node turns the whole scene by -90 degrees about x, so that all other numbers are Clatter's.
#include "render/export/gltf_internal.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "collision/quat.h"
#include "render/draw/framing.h"
#include "render/files/atomic_file.h"

#include <stdlib.h>
#include <string.h>

// ---- bodies -----------------------------------------------------------------------------------

static ctGltfKey keyOf(const ctWorld *world, ctBodyId body)
{
    ctTransform t = ctBody_GetTransform(world, body);
    ctGltfKey key = {{(float)t.p.x, (float)t.p.y, (float)t.p.z},
                     {(float)t.q.x, (float)t.q.y, (float)t.q.z, (float)t.q.w}};
    return key;
}

static bool addBody(ctGltf *g, const ctScene *scene, ctBodyId body, ctError *error)
{
    uint64_t index = ctBody_GetUserData(scene->world, body);
    ctLook look = {.color = {0.7, 0.7, 0.7}};
    look = index < (uint64_t)scene->lookCount ? scene->looks[index] : look;
    if (look.hidden) {
        return true;
    }
    int made = ctGltf_MeshOf(g, scene, ctBody_GetShape(scene->world, body), look, error);
    if (made < 0) {
        return false;
    }
    ctGltfKey key = keyOf(scene->world, body);
    json_t *node = json_pack("{s:i, s:o, s:o}", "mesh", made, "translation", ctGltf_Floats(key.p, 3), "rotation",
                             ctGltf_Floats(key.q, 4));
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
    g->tracks[g->trackCount++] = (ctGltfTrack){body, (int)json_array_size(g->nodes) - 1, NULL, 0};
    return true;
}

// A node that looks along a direction, with its up vector as near to z as possible. Cameras and lights of glTF look
// along their -z axis.
static json_t *lookingNode(ctVec3 place, ctVec3 direction, const char *name)
{
    ctVec3 back = ctNormalize(ctScale(-1.0, direction)), side = ctCross(ctV3(0.0, 0.0, 1.0), back);
    ctVec3 right = ctLength(side) > 1e-9 ? ctNormalize(side) : ctV3(1.0, 0.0, 0.0), up = ctCross(back, right);
    ctMat3 axes = {right, up, back};
    ctQuat q = ctQuatFromMat3(axes);
    return json_pack("{s:s, s:[f,f,f], s:[f,f,f,f]}", "name", name, "translation", place.x, place.y, place.z,
                     "rotation", q.x, q.y, q.z, q.w);
}

// The scene's cameras, and the sun of its pictures.
static void addCamerasAndLight(ctGltf *g, const ctScene *scene)
{
    for (int i = 0; i < scene->cameraCount; i++) {
        const ctSceneCamera *c = &scene->cameras[i];
        ctView view = {c->eye, c->target, c->fov, 0.0, 0.0};
        view = scene->hasCamera ? view : ctFraming_View(scene);
        json_t *node = lookingNode(view.eye, ctSub(view.target, view.eye), c->name);
        json_array_append_new(g->cameras, json_pack("{s:s, s:s, s:{s:f, s:f}}", "name", c->name, "type", "perspective",
                                                    "perspective", "yfov", view.fov * CT_PI / 180.0, "znear",
                                                    0.02 * ctDistance(view.eye, view.target)));
        json_object_set_new(node, "camera", json_integer(i));
        json_array_append_new(g->nodes, node);
    }
    json_t *sun = lookingNode(ctV3(0.0, 0.0, 0.0), ctV3(0.48, 0.44, -0.7588807548), "sun");
    json_object_set_new(sun, "extensions", json_pack("{s:{s:i}}", "KHR_lights_punctual", "light", 0));
    json_array_append_new(g->nodes, sun);
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
    g->cameras = json_array();
    g->images = json_array();
    g->textures = json_array();
    g->cell = ctFraming_FloorCell(scene);
    g->title = strdup(scene->title != NULL ? scene->title : "Clatter");
    bool good = g->title != NULL && g->views != NULL;
    for (int i = 0; good && i < ctWorld_GetBodyCount(scene->world); i++) {
        good = addBody(g, scene, ctWorld_GetBody(scene->world, i), error);
    }
    if (!good) {
        ctGltf_Destroy(g);
        return NULL;
    }
    addCamerasAndLight(g, scene);
    return g;
}

bool ctGltf_AddKey(ctGltf *g, const ctScene *scene, ctError *error)
{
    int k = g->timeCount;
    if (!ctReserve((void **)&g->times, &g->timeCapacity, k + 1, sizeof *g->times)) {
        return ctFailMemory(error, "a glTF animation");
    }
    for (int i = 0; i < g->trackCount; i++) {
        ctGltfTrack *track = &g->tracks[i];
        if (!ctReserve((void **)&track->keys, &track->keyCapacity, k + 1, sizeof *track->keys)) {
            return ctFailMemory(error, "a glTF animation");
        }
        ctGltfKey key = keyOf(scene->world, track->body);
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

// One sampler and one channel; count keys of `components` floats taken at `offset` in each ctGltfKey.
static bool addChannel(ctGltf *g, json_t *animation, const ctGltfTrack *track, int input, int components,
                       ctError *error)
{
    size_t n = (size_t)g->timeCount, width = (size_t)components;
    float *values = malloc(n * width * sizeof(float));
    if (values == NULL) {
        return ctFailMemory(error, "a glTF animation");
    }
    for (size_t k = 0; k < n; k++) {
        memcpy(values + k * width, components == 3 ? track->keys[k].p : track->keys[k].q, width * sizeof(float));
    }
    int output = ctGltf_AddAccessor(g, values, n * width * sizeof(float), 0, CT_GLTF_FLOAT,
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
    int input = ctGltf_AddAccessor(g, g->times, (size_t)g->timeCount * sizeof(float), 0, CT_GLTF_FLOAT, "SCALAR",
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

// The two samplers. Charts are clamped and have no mipmaps, which would mix neighbouring charts. Tiles are repeated.
static void addTextures(const ctGltf *g, json_t *document)
{
    enum { LINEAR = 9729, SMALLER_TOO = 9987, CLAMPED = 33071, REPEATED = 10497 };
    json_object_set(document, "images", g->images);
    json_object_set(document, "textures", g->textures);
    json_object_set_new(document, "samplers",
                        json_pack("[{s:i, s:i, s:i, s:i}, {s:i, s:i, s:i, s:i}]", "magFilter", LINEAR, "minFilter",
                                  LINEAR, "wrapS", CLAMPED, "wrapT", CLAMPED, "magFilter", LINEAR, "minFilter",
                                  SMALLER_TOO, "wrapS", REPEATED, "wrapT", REPEATED));
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
    json_object_set(document, "cameras", g->cameras);
    json_object_set_new(document, "extensionsUsed", json_pack("[s]", "KHR_lights_punctual"));
    json_object_set_new(document, "extensions",
                        json_pack("{s:{s:[{s:s, s:s, s:f}]}}", "KHR_lights_punctual", "lights", "name", "sun", "type",
                                  "directional", "intensity", 3.0));
    json_object_set(document, "accessors", g->accessors);
    json_object_set(document, "bufferViews", g->views);
    if (json_array_size(g->images) > 0) {
        addTextures(g, document);
    }
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
    json_decref(g->cameras);
    json_decref(g->images);
    json_decref(g->textures);
    ctFree(g->skins);
    for (int i = 0; i < g->trackCount; i++) {
        ctFree(g->tracks[i].keys);
    }
    ctFree(g->tracks);
    for (int i = 0; i < g->geometryCount; i++) {
        ctGltfAtlas_Destroy(g->geometries[i].atlas);
    }
    ctFree(g->geometries);
    ctFree(g->times);
    ctFree(g->bytes);
    free(g->title);
    free(g);
}
