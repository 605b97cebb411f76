// Textures for any shape: the surface is cut into charts, which are laid out in one picture.
//
// A chart is a connected part of the surface whose triangles face the same side of the shape's box. Its projection onto
// that side does not overlap itself, and gives its form in the picture. Each side of the box is stretched to the same
// length.
#include "render/export/gltf_internal.h"

#include "collision/error.h"
#include "collision/memory.h"
#include "collision/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BORDER = 2, NARROWEST = 512, WIDEST = 4096 }; // texels
#define SHRINK 0.94                                  // factor by which all charts shrink until they fit

typedef struct chart {
    int axis; // normal to its plane
    double lo[2], hi[2];
    int x, y, w, h; // texels, with its border
} chart;

typedef struct unwrapping {
    const ctMesh *mesh;
    double lo[3], hi[3]; // of the mesh
    int *owner;          // union-find, per vertex and side (vertex * 6 + side): another element of its chart, or itself
    int *chartOf;        // per triangle
    chart *charts;
    int count, capacity;
} unwrapping;

static double coordinate(const unwrapping *u, uint32_t vertex, int axis)
{
    double size = fmax(u->hi[axis] - u->lo[axis], 1e-12);
    return ((double)u->mesh->vertices[vertex].position[axis] - u->lo[axis]) / size;
}

// The side of the box that a triangle faces: the axis, plus 3 for the lower side.
static int sideOf(const unwrapping *u, const uint32_t t[3])
{
    ctVec3 p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = ctV3(coordinate(u, t[k], 0), coordinate(u, t[k], 1), coordinate(u, t[k], 2));
    }
    ctVec3 n = ctCross(ctSub(p[1], p[0]), ctSub(p[2], p[0]));
    double a = fabs(n.x), b = fabs(n.y), c = fabs(n.z);
    int axis = a >= b && a >= c ? 0 : b >= c ? 1 : 2;
    return axis + ((axis == 0 ? n.x : axis == 1 ? n.y : n.z) < 0.0 ? 3 : 0);
}

static int rootOf(int *owner, int i)
{
    while (owner[i] != i) {
        owner[i] = owner[owner[i]];
        i = owner[i];
    }
    return i;
}

static void widen(const unwrapping *u, chart *c, uint32_t vertex)
{
    for (int k = 0; k < 2; k++) {
        double x = coordinate(u, vertex, (c->axis + 1 + k) % 3);
        c->lo[k] = fmin(c->lo[k], x);
        c->hi[k] = fmax(c->hi[k], x);
    }
}

// Triangles that share a vertex and face the same side belong to one chart.
static bool findCharts(unwrapping *u)
{
    const uint32_t *indices = u->mesh->indices;
    int triangles = u->mesh->indexCount / 3, keys = 6 * u->mesh->vertexCount;
    for (int i = 0; i < keys; i++) {
        u->owner[i] = i;
    }
    for (int t = 0; t < triangles; t++) {
        int side = sideOf(u, indices + 3 * t), first = rootOf(u->owner, (int)indices[3 * t] * 6 + side);
        for (int k = 1; k < 3; k++) {
            u->owner[rootOf(u->owner, (int)indices[3 * t + k] * 6 + side)] = first;
        }
    }
    int *chartAt = malloc((size_t)keys * sizeof(int)); // per representative
    bool room = chartAt != NULL;
    for (int i = 0; room && i < keys; i++) {
        chartAt[i] = -1;
    }
    for (int t = 0; room && t < triangles; t++) {
        int side = sideOf(u, indices + 3 * t), root = rootOf(u->owner, (int)indices[3 * t] * 6 + side);
        if (chartAt[root] < 0) {
            room = ctReserve((void **)&u->charts, &u->capacity, u->count + 1, sizeof(chart));
            if (!room) {
                break;
            }
            u->charts[u->count] = (chart){.axis = side % 3, .lo = {1.0, 1.0}};
            chartAt[root] = u->count++;
        }
        u->chartOf[t] = chartAt[root];
        for (int k = 0; k < 3; k++) {
            widen(u, &u->charts[u->chartOf[t]], indices[3 * t + k]);
        }
    }
    free(chartAt);
    return room;
}

// ---- layout -----------------------------------------------------------------------------------

static int compareHeights(const void *a, const void *b)
{
    const chart *p = *(const chart *const *)a, *q = *(const chart *const *)b;
    return p->h != q->h ? q->h - p->h : p < q ? -1 : 1;
}

// Lays the charts out in rows, the highest first. Returns the total height.
static int layOut(const unwrapping *u, chart **order, double density, int width)
{
    for (int i = 0; i < u->count; i++) {
        chart *c = &u->charts[i];
        order[i] = c;
        c->w = (int)ceil(density * (c->hi[0] - c->lo[0])) + 2 * BORDER;
        c->h = (int)ceil(density * (c->hi[1] - c->lo[1])) + 2 * BORDER;
    }
    qsort(order, (size_t)u->count, sizeof *order, compareHeights);
    int x = 0, y = 0, row = 0;
    for (int i = 0; i < u->count; i++) {
        chart *c = order[i];
        if (x + c->w > width) {
            x = 0;
            y += row;
            row = 0;
        }
        c->x = x;
        c->y = y;
        x += c->w;
        row = c->h > row ? c->h : row;
    }
    return y + row;
}

// The finest layout in a picture that is at most as high as wide. The width is the smallest that fits all charts at a
// density of more than 32 texels.
static bool arrange(const unwrapping *u, int *width, int *height, double *density, ctError *error)
{
    chart **order = malloc((size_t)(u->count > 0 ? u->count : 1) * sizeof *order);
    if (order == NULL) {
        return ctFailMemory(error, "a texture");
    }
    for (*width = NARROWEST; *width <= WIDEST; *width *= 2) {
        for (*density = *width - 2 * BORDER; *density > 32.0; *density *= SHRINK) {
            *height = layOut(u, order, *density, *width);
            if (*height <= *width) {
                free(order);
                *height = *height > *width / 2 ? *width : *width / 2; // some programs require powers of two
                return true;
            }
        }
    }
    free(order);
    return ctFail(error, ct_badArgument, "a mesh has too many folds for a texture of %d texels", WIDEST);
}

// ---- the split mesh ---------------------------------------------------------------------------

static uint32_t addVertex(const unwrapping *u, uint32_t vertex, const chart *c, double density, ctGltfAtlas *atlas)
{
    const ctMeshVertex *m = &u->mesh->vertices[vertex];
    double x = c->x + BORDER + density * (coordinate(u, vertex, (c->axis + 1) % 3) - c->lo[0]);
    double y = c->y + BORDER + density * (coordinate(u, vertex, (c->axis + 2) % 3) - c->lo[1]);
    uint32_t at =
        ctMesh_AddVertex(&atlas->mesh, ctV3((double)m->position[0], (double)m->position[1], (double)m->position[2]),
                         ctV3((double)m->normal[0], (double)m->normal[1], (double)m->normal[2]));
    atlas->places[2 * (size_t)at] = (float)(x / atlas->width);
    atlas->places[2 * (size_t)at + 1] = (float)(y / atlas->height);
    return at;
}

// Makes a vertex for each chart that a vertex belongs to: those at a border belong to several charts.
static bool split(const unwrapping *u, double density, ctGltfAtlas *atlas)
{
    const ctMesh *from = u->mesh;
    size_t keys = 6 * (size_t)from->vertexCount;
    int64_t *made = malloc(keys * sizeof *made);
    atlas->places = malloc((size_t)from->indexCount * 2 * sizeof(float));
    bool room = made != NULL && atlas->places != NULL;
    for (size_t i = 0; room && i < keys; i++) {
        made[i] = -1;
    }
    for (int t = 0; room && t < from->indexCount / 3; t++) {
        const uint32_t *old = from->indices + 3 * t;
        int side = sideOf(u, old);
        uint32_t corners[3];
        for (int k = 0; k < 3; k++) {
            int64_t *at = &made[6 * (size_t)old[k] + (size_t)side];
            *at = *at >= 0 ? *at : addVertex(u, old[k], &u->charts[u->chartOf[t]], density, atlas);
            corners[k] = (uint32_t)*at;
        }
        ctMesh_AddTriangle(&atlas->mesh, corners[0], corners[1], corners[2]);
    }
    free(made);
    return room && !atlas->mesh.failed;
}

static bool unwrap(unwrapping *u, ctGltfAtlas *atlas, ctError *error)
{
    double density = 1.0;
    for (int k = 0; k < 3; k++) {
        u->lo[k] = INFINITY;
        u->hi[k] = -INFINITY;
    }
    for (int i = 0; i < 3 * u->mesh->vertexCount; i++) {
        double x = (double)u->mesh->vertices[i / 3].position[i % 3];
        u->lo[i % 3] = fmin(u->lo[i % 3], x);
        u->hi[i % 3] = fmax(u->hi[i % 3], x);
    }
    u->owner = malloc(6 * (size_t)u->mesh->vertexCount * sizeof(int));
    u->chartOf = malloc((size_t)u->mesh->indexCount / 3 * sizeof(int));
    if (u->owner == NULL || u->chartOf == NULL || !findCharts(u)) {
        return ctFailMemory(error, "a texture");
    }
    return arrange(u, &atlas->width, &atlas->height, &density, error) &&
           (split(u, density, atlas) || ctFailMemory(error, "a texture"));
}

ctGltfAtlas *ctGltfAtlas_Create(const ctMesh *mesh, ctError *error)
{
    ctGltfAtlas *atlas = calloc(1, sizeof *atlas);
    if (atlas == NULL) {
        ctFailMemory(error, "a texture");
        return NULL;
    }
    unwrapping u = {.mesh = mesh};
    bool good = unwrap(&u, atlas, error);
    free(u.owner);
    free(u.chartOf);
    ctFree(u.charts);
    if (!good) {
        ctGltfAtlas_Destroy(atlas);
        return NULL;
    }
    return atlas;
}

void ctGltfAtlas_Destroy(ctGltfAtlas *atlas)
{
    if (atlas != NULL) {
        ctMesh_Free(&atlas->mesh);
        free(atlas->places);
        free(atlas);
    }
}

// ---- the picture ------------------------------------------------------------------------------

// A triangle in the picture.
typedef struct flatTriangle {
    double x[3], y[3], area; // texels; the area is doubled and signed
    ctVec3 p[3], n[3];
} flatTriangle;

static flatTriangle triangleOf(const ctGltfAtlas *atlas, int triangle)
{
    flatTriangle f;
    for (int k = 0; k < 3; k++) {
        size_t v = atlas->mesh.indices[3 * triangle + k];
        const ctMeshVertex *m = &atlas->mesh.vertices[v];
        f.x[k] = (double)atlas->places[2 * v] * atlas->width;
        f.y[k] = (double)atlas->places[2 * v + 1] * atlas->height;
        f.p[k] = ctV3((double)m->position[0], (double)m->position[1], (double)m->position[2]);
        f.n[k] = ctV3((double)m->normal[0], (double)m->normal[1], (double)m->normal[2]);
    }
    f.area = (f.x[1] - f.x[0]) * (f.y[2] - f.y[0]) - (f.x[2] - f.x[0]) * (f.y[1] - f.y[0]);
    return f;
}

static void weigh(const flatTriangle *f, double x, double y, double weights[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        weights[k] = ((f->x[i] - x) * (f->y[j] - y) - (f->x[j] - x) * (f->y[i] - y)) / f->area;
    }
}

// The approximate distance of a point of the picture from a triangle, texels: exact enough to find the nearest one.
static double outside(const flatTriangle *f, const double weights[3])
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double height = fabs(f->area) / fmax(hypot(f->x[i] - f->x[j], f->y[i] - f->y[j]), 1e-9);
        most = fmax(most, -weights[k] * height);
    }
    return most;
}

// The mean colour of a texel.
static ctVec3 colorOf(const flatTriangle *f, const ctLook *look, ctVec3 lo, ctVec3 hi, int x, int y)
{
    ctVec3 sum = {0.0, 0.0, 0.0};
    for (int k = 0; k < 4; k++) {
        double w[3];
        weigh(f, x + 0.25 + 0.5 * (k % 2), y + 0.25 + 0.5 * (k / 2), w);
        ctVec3 p = ctMulAdd(ctMulAdd(ctScale(w[0], f->p[0]), w[1], f->p[1]), w[2], f->p[2]);
        ctVec3 n = ctMulAdd(ctMulAdd(ctScale(w[0], f->n[0]), w[1], f->n[1]), w[2], f->n[2]);
        sum = ctMulAdd(sum, 0.25, ctGltf_ColorAt(look, p, ctNormalize(n), lo, hi));
    }
    return sum;
}

// Paints the texels of a triangle, and those around it for which no other triangle is nearer.
static void paintTriangle(const ctGltfAtlas *atlas, const flatTriangle *f, const ctLook *look, ctVec3 lo, ctVec3 hi,
                          float *nearest, uint8_t *rgb)
{
    int left = (int)fmax(0.0, floor(fmin(f->x[0], fmin(f->x[1], f->x[2])) - BORDER));
    int top = (int)fmax(0.0, floor(fmin(f->y[0], fmin(f->y[1], f->y[2])) - BORDER));
    int right = (int)fmin(atlas->width, ceil(fmax(f->x[0], fmax(f->x[1], f->x[2])) + BORDER));
    int bottom = (int)fmin(atlas->height, ceil(fmax(f->y[0], fmax(f->y[1], f->y[2])) + BORDER));
    for (int y = top; y < bottom; y++) {
        for (int x = left; x < right; x++) {
            size_t texel = (size_t)y * (size_t)atlas->width + (size_t)x;
            double w[3];
            weigh(f, x + 0.5, y + 0.5, w);
            double away = outside(f, w);
            if (away < (double)nearest[texel]) {
                nearest[texel] = (float)away;
                ctGltf_Encode(colorOf(f, look, lo, hi, x, y), rgb + 3 * texel);
            }
        }
    }
}

int ctGltfAtlas_Paint(ctGltf *g, const ctGltfAtlas *atlas, const ctLook *look, ctVec3 lo, ctVec3 hi, ctError *error)
{
    size_t texels = (size_t)atlas->width * (size_t)atlas->height;
    uint8_t *rgb = malloc(3 * texels);
    float *nearest = malloc(texels * sizeof(float));
    int texture = -1;
    if (rgb == NULL || nearest == NULL) {
        ctFailMemory(error, "a texture");
    } else {
        for (size_t i = 0; i < texels; i++) {
            nearest[i] = BORDER;
            ctGltf_Encode(look->color, rgb + 3 * i);
        }
        for (int t = 0; t < atlas->mesh.indexCount / 3; t++) {
            flatTriangle f = triangleOf(atlas, t);
            if (fabs(f.area) > 1e-6) {
                paintTriangle(atlas, &f, look, lo, hi, nearest, rgb);
            }
        }
        texture = ctGltf_AddTexture(g, atlas->width, atlas->height, rgb, false, error);
    }
    free(rgb);
    free(nearest);
    return texture;
}
