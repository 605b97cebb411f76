#include "render/draw/mesh_store.h"

#include "collision/memory.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define COARSE_SEGMENTS 16 // of round meshes that are small on the screen

static void boxOf(const ctMesh *mesh, int first, ctMeshRange *range)
{
    for (int k = 0; k < 3; k++) {
        range->lo[k] = range->hi[k] = mesh->vertices[first].position[k];
        for (int i = first; i < mesh->vertexCount; i++) {
            range->lo[k] = fminf(range->lo[k], mesh->vertices[i].position[k]);
            range->hi[k] = fmaxf(range->hi[k], mesh->vertices[i].position[k]);
        }
    }
}

// Whether the outline is widest at both ends.
static bool isCylinder(const ctLathe *lathe)
{
    double widest = 0.0, ends[2] = {0.0, 0.0};
    double lo = lathe->z[0], hi = lathe->z[0];
    for (int i = 0; i < lathe->count; i++) {
        widest = fmax(widest, lathe->r[i]);
        lo = fmin(lo, lathe->z[i]);
        hi = fmax(hi, lathe->z[i]);
    }
    for (int i = 0; i < lathe->count; i++) {
        ends[0] = lathe->z[i] <= lo ? fmax(ends[0], lathe->r[i]) : ends[0];
        ends[1] = lathe->z[i] >= hi ? fmax(ends[1], lathe->r[i]) : ends[1];
    }
    return ends[0] >= widest && ends[1] >= widest;
}

// Takes ownership of a mesh. The store keeps no reference to the shape on failure.
static bool append(ctMeshStore *store, ctMesh *mesh, const ctShape *shape, ctError *error)
{
    ctMesh *all = &store->all;
    bool room =
        mesh->vertexCount > 0 &&
        ctReserve((void **)&store->ranges, &store->capacity, store->count + 1, sizeof(ctMeshRange)) &&
        ctReserve((void **)&all->vertices, &all->vertexCapacity, all->vertexCount + mesh->vertexCount,
                  sizeof(ctMeshVertex)) &&
        ctReserve((void **)&all->indices, &all->indexCapacity, all->indexCount + mesh->indexCount, sizeof(uint32_t));
    if (room) {
        ctMeshRange range = {.firstVertex = all->vertexCount,
                             .firstIndex = all->indexCount,
                             .indexCount = mesh->indexCount,
                             .coarser = store->count};
        memcpy(all->vertices + all->vertexCount, mesh->vertices, (size_t)mesh->vertexCount * sizeof(ctMeshVertex));
        // Indices count from the beginning of the buffer: OpenGL ES 3 has no base vertex in draw calls.
        for (int i = 0; i < mesh->indexCount; i++) {
            all->indices[all->indexCount + i] = mesh->indices[i] + (uint32_t)all->vertexCount;
        }
        all->vertexCount += mesh->vertexCount;
        all->indexCount += mesh->indexCount;
        boxOf(all, range.firstVertex, &range);
        range.cylinder = shape != NULL && shape->type == ct_shapeLathe && isCylinder(&shape->u.lathe);
        // Retaining changes only the count of references.
        range.shape = shape != NULL ? ctShape_Retain((ctShape *)(uintptr_t)shape) : NULL;
        store->ranges[store->count++] = range;
    }
    ctMesh_Free(mesh);
    return room ? true : ctFailMemory(error, "mesh");
}

static void describe(GLuint location, GLint size, size_t stride, size_t offset, GLuint divisor)
{
    glEnableVertexAttribArray(location);
    glVertexAttribPointer(location, size, GL_FLOAT, GL_FALSE, (GLsizei)stride, (const void *)offset);
    glVertexAttribDivisor(location, divisor);
}

bool ctMeshStore_Create(ctMeshStore *store, ctError *error)
{
    *store = (ctMeshStore){0};
    glGenVertexArrays(1, &store->array);
    glGenBuffers(1, &store->vertices);
    glGenBuffers(1, &store->indices);
    glGenBuffers(1, &store->instances);
    glBindVertexArray(store->array);
    glBindBuffer(GL_ARRAY_BUFFER, store->vertices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, store->indices);
    describe(0, 3, sizeof(ctMeshVertex), offsetof(ctMeshVertex, position), 0);
    describe(1, 3, sizeof(ctMeshVertex), offsetof(ctMeshVertex, normal), 0);
    glBindVertexArray(0);
    ctMesh mesh;
    static const int segments[4] = {64, 32, 16, 8};
    for (int i = 0; i < 4; i++) {
        if (!ctMesh_UnitSphere(&mesh, segments[i], error) || !append(store, &mesh, NULL, error)) {
            return false;
        }
    }
    return ctMesh_UnitBox(&mesh, error) && append(store, &mesh, NULL, error);
}

void ctMeshStore_Forget(ctMeshStore *store)
{
    for (int i = ct_meshFixedCount; i < store->count; i++) {
        ctShape_Release((ctShape *)(uintptr_t)store->ranges[i].shape);
        ctFree(store->ranges[i].edges);
    }
    if (store->count > ct_meshFixedCount) {
        store->all.vertexCount = store->ranges[ct_meshFixedCount].firstVertex;
        store->all.indexCount = store->ranges[ct_meshFixedCount].firstIndex;
        store->count = store->uploaded = ct_meshFixedCount;
    }
}

void ctMeshStore_Destroy(ctMeshStore *store)
{
    ctMeshStore_Forget(store);
    for (int i = 0; i < store->count; i++) {
        ctFree(store->ranges[i].edges);
    }
    ctMesh_Free(&store->all);
    ctFree(store->ranges);
    glDeleteVertexArrays(1, &store->array);
    glDeleteBuffers(1, &store->vertices);
    glDeleteBuffers(1, &store->indices);
    glDeleteBuffers(1, &store->instances);
    *store = (ctMeshStore){0};
}

static bool sameShape(const ctShape *a, const ctShape *b);

static bool sameLeaves(const ctShape *a, const ctShape *b)
{
    for (int i = 0; i < a->leafCount; i++) {
        if (memcmp(&a->leaves[i].pose, &b->leaves[i].pose, sizeof(ctTransform)) != 0 ||
            !sameShape(a->leaves[i].shape, b->leaves[i].shape)) {
            return false;
        }
    }
    return true;
}

// Whether two shapes have the same surface: equal type and equal dimensions.
static bool sameShape(const ctShape *a, const ctShape *b)
{
    if (a == b) {
        return true;
    }
    if (a->type != b->type || a->round != b->round || a->size != b->size || a->leafCount != b->leafCount) {
        return false;
    }
    switch (a->type) {
    case ct_shapeSphere:
        return true;
    case ct_shapeCapsule:
        return a->u.halfHeight == b->u.halfHeight;
    case ct_shapeBox:
        return ctDistance(a->u.half, b->u.half) <= 0.0;
    case ct_shapeEllipsoid:
        return ctDistance(a->u.radii, b->u.radii) <= 0.0;
    case ct_shapeLathe: {
        const ctLathe *p = &a->u.lathe, *q = &b->u.lathe;
        size_t bytes = (size_t)p->count * sizeof(double);
        return p->count == q->count && memcmp(p->r, q->r, bytes) == 0 && memcmp(p->z, q->z, bytes) == 0;
    }
    case ct_shapeHull: {
        const ctHull *p = &a->u.hull, *q = &b->u.hull;
        return p->vertexCount == q->vertexCount && p->faceCount == q->faceCount &&
               memcmp(p->vertices, q->vertices, (size_t)p->vertexCount * sizeof(ctVec3)) == 0;
    }
    case ct_shapeCompound:
        return sameLeaves(a, b);
    case ct_shapePlane:
    case ct_shapeTerrain: // equal terrains are the same shape already
        break;
    }
    return false;
}

static ctDrawShape scaled(int mesh, double x, double y, double z)
{
    ctDrawShape draw = {mesh, {(float)x, (float)y, (float)z}};
    return draw;
}

bool ctMeshStore_Add(ctMeshStore *store, const ctShape *shape, ctDrawShape *draw, ctError *error)
{
    double r = shape->round;
    switch (shape->type) {
    case ct_shapePlane:
        *draw = scaled(-1, 1.0, 1.0, 1.0);
        return true;
    case ct_shapeSphere:
        *draw = scaled(ct_meshSphere, r, r, r);
        return true;
    case ct_shapeEllipsoid:
        *draw = scaled(ct_meshSphere, shape->u.radii.x, shape->u.radii.y, shape->u.radii.z);
        return true;
    case ct_shapeBox:
        *draw =
            scaled(ct_meshBox, 2.0 * (shape->u.half.x + r), 2.0 * (shape->u.half.y + r), 2.0 * (shape->u.half.z + r));
        return true;
    default:
        break;
    }
    for (int i = ct_meshFixedCount; i < store->count; i++) {
        if (sameShape(shape, store->ranges[i].shape)) {
            *draw = scaled(i, 1.0, 1.0, 1.0);
            return true;
        }
    }
    ctMesh mesh, coarse;
    if (!ctMesh_FromShape(&mesh, shape, CT_MESH_SEGMENTS, error) || !append(store, &mesh, shape, error)) {
        return false;
    }
    int fine = store->count - 1;
    *draw = scaled(fine, 1.0, 1.0, 1.0);
    if (!ctMesh_FromShape(&coarse, shape, COARSE_SEGMENTS, error)) {
        return false;
    }
    if (coarse.indexCount >= store->ranges[fine].indexCount) { // the shape has no round parts
        ctMesh_Free(&coarse);
        return true;
    }
    if (!append(store, &coarse, shape, error)) {
        return false;
    }
    store->ranges[fine].coarser = fine + 1;
    return true;
}

void ctMeshStore_Upload(ctMeshStore *store, const ctInstance *instances, int count)
{
    glBindVertexArray(store->array);
    if (store->uploaded != store->count) {
        const ctMesh *all = &store->all;
        glBindBuffer(GL_ARRAY_BUFFER, store->vertices);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)all->vertexCount * (GLsizeiptr)sizeof(ctMeshVertex), all->vertices,
                     GL_STATIC_DRAW);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)all->indexCount * (GLsizeiptr)sizeof(uint32_t), all->indices,
                     GL_STATIC_DRAW);
        store->uploaded = store->count;
    }
    glBindBuffer(GL_ARRAY_BUFFER, store->instances);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count + 1) * (GLsizeiptr)sizeof(ctInstance), NULL, GL_STREAM_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)count * (GLsizeiptr)sizeof(ctInstance), instances);
}

void ctMeshStore_Draw(const ctMeshStore *store, int mesh, int first, int count)
{
    const ctMeshRange *range = &store->ranges[mesh];
    size_t base = (size_t)first * sizeof(ctInstance);
    glBindVertexArray(store->array);
    glBindBuffer(GL_ARRAY_BUFFER, store->instances);
    describe(2, 4, sizeof(ctInstance), base + offsetof(ctInstance, place), 1);
    describe(3, 4, sizeof(ctInstance), base + offsetof(ctInstance, turn), 1);
    describe(4, 4, sizeof(ctInstance), base + offsetof(ctInstance, scale), 1);
    describe(5, 4, sizeof(ctInstance), base + offsetof(ctInstance, color), 1);
    glDrawElementsInstanced(GL_TRIANGLES, range->indexCount, GL_UNSIGNED_INT,
                            (const void *)((size_t)range->firstIndex * sizeof(uint32_t)), count);
}
