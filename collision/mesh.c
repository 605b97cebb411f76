#include "collision/mesh.h"

#include "collision/elementary.h"
#include "collision/memory.h"
#include "collision/terrain.h"

uint32_t ctMesh_AddVertex(ctMesh *mesh, ctVec3 position, ctVec3 normal)
{
    if (!ctReserve((void **)&mesh->vertices, &mesh->vertexCapacity, mesh->vertexCount + 1, sizeof(ctMeshVertex))) {
        mesh->failed = true;
        return 0;
    }
    mesh->vertices[mesh->vertexCount] = (ctMeshVertex){
        {(float)position.x, (float)position.y, (float)position.z},
        {(float)normal.x, (float)normal.y, (float)normal.z},
    };
    return (uint32_t)mesh->vertexCount++;
}

void ctMesh_AddTriangle(ctMesh *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    if (!ctReserve((void **)&mesh->indices, &mesh->indexCapacity, mesh->indexCount + 3, sizeof(uint32_t))) {
        mesh->failed = true;
        return;
    }
    mesh->indices[mesh->indexCount++] = a;
    mesh->indices[mesh->indexCount++] = b;
    mesh->indices[mesh->indexCount++] = c;
}

void ctMesh_Free(ctMesh *mesh)
{
    ctFree(mesh->vertices);
    ctFree(mesh->indices);
    *mesh = (ctMesh){0};
}

static bool finish(ctMesh *mesh, ctError *error)
{
    if (mesh->failed) {
        ctMesh_Free(mesh);
        return ctFailMemory(error, "mesh");
    }
    return true;
}

// A grid of rows x (columns + 1) vertices from first on, closed around.
static void addGrid(ctMesh *mesh, uint32_t first, int rows, int columns)
{
    for (int i = 0; i + 1 < rows; i++) {
        for (int j = 0; j < columns; j++) {
            uint32_t a = first + (uint32_t)(i * (columns + 1) + j), b = a + (uint32_t)(columns + 1);
            ctMesh_AddTriangle(mesh, a, a + 1, b + 1);
            ctMesh_AddTriangle(mesh, a, b + 1, b);
        }
    }
}

// Spheres, capsules and ellipsoids: meridians from the south pole to the north pole. The upper half is moved up by
// halfHeight and the lower half down; positions are scaled by radii.
static void addRound(ctMesh *mesh, const ctTransform *pose, ctVec3 radii, double halfHeight, int segments)
{
    int half = segments / 4, rows = 0;
    uint32_t first = (uint32_t)mesh->vertexCount;
    for (int i = -half; i <= half; i++) {
        double latitude = 0.5 * CT_PI * i / half;
        int copies = i == 0 && halfHeight > 0.0 ? 2 : 1;
        for (int k = 0; k < copies; k++) {
            double lift = i > 0 || k == 1 ? halfHeight : i < 0 || copies == 2 ? -halfHeight : 0.0;
            for (int j = 0; j <= segments; j++) {
                double longitude = 2.0 * CT_PI * j / segments;
                ctVec3 n =
                    ctV3(ctCos(latitude) * ctCos(longitude), ctCos(latitude) * ctSin(longitude), ctSin(latitude));
                ctVec3 p = ctAdd(ctMul(n, radii), ctV3(0.0, 0.0, lift));
                ctVec3 normal = ctNormalize(ctV3(n.x / radii.x, n.y / radii.y, n.z / radii.z));
                ctMesh_AddVertex(mesh, ctTransformPoint(*pose, p), ctRotate(pose->q, normal));
            }
            rows++;
        }
    }
    addGrid(mesh, first, rows, segments);
}

static void addBox(ctMesh *mesh, const ctTransform *pose, ctVec3 half)
{
    static const double axes[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++) {
        ctVec3 n = ctV3(axes[i][0], axes[i][1], axes[i][2]), x, y;
        ctFrameFromNormal(n, &x, &y);
        // The frame consists of coordinate axes, in some order, so scaling by the half extents fits it.
        ctVec3 c[4] = {ctSub(ctNeg(x), y), ctSub(x, y), ctAdd(x, y), ctSub(y, x)};
        uint32_t v[4];
        for (int k = 0; k < 4; k++) {
            v[k] = ctMesh_AddVertex(mesh, ctTransformPoint(*pose, ctMul(half, ctAdd(n, c[k]))), ctRotate(pose->q, n));
        }
        ctMesh_AddTriangle(mesh, v[0], v[1], v[2]);
        ctMesh_AddTriangle(mesh, v[0], v[2], v[3]);
    }
}

// Whether a face touches a corner of the sharp solid.
static bool faceHas(const ctHull *hull, int face, int corner)
{
    for (int k = hull->firstFaceVertex[face]; k < hull->firstFaceVertex[face + 1]; k++) {
        if (hull->vertexCorner[hull->faceVertices[k]] == corner) {
            return true;
        }
    }
    return false;
}

// The normal that shades a corner on one face: the mean of the faces there that meet it at less than 25 degrees.
static ctVec3 cornerNormal(const ctHull *hull, int face, int corner)
{
    const double smooth = ctCos(25.0 * CT_PI / 180.0);
    ctVec3 shade = ctZero3();
    for (int f = 0; f < hull->faceCount; f++) {
        if (ctDot(hull->faceNormals[f], hull->faceNormals[face]) > smooth && faceHas(hull, f, corner)) {
            shade = ctAdd(shade, hull->faceNormals[f]);
        }
    }
    return ctNormalize(shade);
}

static void addHull(ctMesh *mesh, const ctTransform *pose, const ctHull *hull)
{
    for (int f = 0; f < hull->faceCount; f++) {
        uint32_t first = (uint32_t)mesh->vertexCount;
        int count = hull->firstFaceVertex[f + 1] - hull->firstFaceVertex[f];
        for (int k = 0; k < count; k++) {
            int corner = hull->vertexCorner[hull->faceVertices[hull->firstFaceVertex[f] + k]];
            ctVec3 n = cornerNormal(hull, f, corner);
            ctMesh_AddVertex(mesh, ctTransformPoint(*pose, hull->corners[corner]), ctRotate(pose->q, n));
        }
        for (int k = 1; k + 1 < count; k++) {
            ctMesh_AddTriangle(mesh, first, first + (uint32_t)k, first + (uint32_t)k + 1);
        }
    }
}

// The normal that shades a vertex on one triangle: the mean of those around it that belong to the same curved surface.
static ctVec3 shadeOf(const ctTerrain *t, int triangle, int vertex, bool *whole)
{
    ctVec3 sum = ctZero3();
    *whole = true;
    for (int i = t->firstRing[vertex]; i < t->firstRing[vertex + 1]; i++) {
        ctVec3 n = ctTerrain_Normal(t, t->ring[i]);
        bool same = ctTerrain_IsSmooth(t, triangle, t->ring[i]);
        sum = same ? ctAdd(sum, n) : sum;
        *whole = *whole && same;
    }
    return ctNormalize(sum);
}

// Triangles share a vertex where all around it belong to one curved surface. back: the other side.
static bool addTerrainSide(ctMesh *mesh, const ctTransform *pose, const ctTerrain *t, bool back)
{
    int *shared = ctAllocate((size_t)t->vertexCount, sizeof *shared);
    for (int i = 0; i < t->triangleCount && shared != NULL; i++) {
        uint32_t v[3];
        for (int k = 0; k < 3; k++) {
            int vertex = ctTerrain_Corner(t, i, k);
            bool whole;
            ctVec3 n = shared[vertex] > 0 ? ctZero3() : shadeOf(t, i, vertex, &whole);
            if (shared[vertex] > 0) {
                v[k] = (uint32_t)shared[vertex] - 1;
                continue;
            }
            v[k] = ctMesh_AddVertex(mesh, ctTransformPoint(*pose, t->vertices[vertex]),
                                    ctRotate(pose->q, back ? ctNeg(n) : n));
            shared[vertex] = whole ? (int)v[k] + 1 : 0;
        }
        ctMesh_AddTriangle(mesh, v[0], v[back ? 2 : 1], v[back ? 1 : 2]);
    }
    ctFree(shared);
    return shared != NULL;
}

static void addTerrain(ctMesh *mesh, const ctTransform *pose, const ctTerrain *t)
{
    if (!addTerrainSide(mesh, pose, t, false) || (t->twoSided && !addTerrainSide(mesh, pose, t, true))) {
        mesh->failed = true;
    }
}

static void addLeaf(ctMesh *mesh, const ctLeaf *leaf, int segments)
{
    const ctShape *shape = leaf->shape;
    double r = shape->round;
    switch (shape->type) {
    case ct_shapeSphere:
        addRound(mesh, &leaf->pose, ctV3(r, r, r), 0.0, segments);
        break;
    case ct_shapeCapsule:
        addRound(mesh, &leaf->pose, ctV3(r, r, r), shape->u.halfHeight, segments);
        break;
    case ct_shapeEllipsoid:
        addRound(mesh, &leaf->pose, shape->u.radii, 0.0, segments);
        break;
    case ct_shapeBox:
        addBox(mesh, &leaf->pose, ctAdd(shape->u.half, ctV3(r, r, r)));
        break;
    case ct_shapeHull:
        addHull(mesh, &leaf->pose, &shape->u.hull);
        break;
    case ct_shapeLathe:
        ctMesh_AddLathes(mesh, leaf, 1, segments);
        break;
    case ct_shapeTerrain:
        addTerrain(mesh, &leaf->pose, shape->u.terrain);
        break;
    case ct_shapePlane:
    case ct_shapeCompound:
        break;
    }
}

static bool sharesAxis(const ctLeaf *a, const ctLeaf *b)
{
    ctVec3 za = ctRotate(a->pose.q, ctV3(0.0, 0.0, 1.0)), zb = ctRotate(b->pose.q, ctV3(0.0, 0.0, 1.0));
    ctVec3 d = ctSub(b->pose.p, a->pose.p);
    double tol = 1e-9 * (1.0 + ctLength(d));
    return a->shape->type == ct_shapeLathe && b->shape->type == ct_shapeLathe && ctDot(za, zb) > 1.0 - 1e-12 &&
           ctLength(ctCross(d, za)) < tol;
}

bool ctMesh_FromShape(ctMesh *mesh, const ctShape *shape, int segments, ctError *error)
{
    *mesh = (ctMesh){0};
    // A convex shape is its own and only leaf.
    ctLeaf self = {shape, ctTransformIdentity()};
    const ctLeaf *leaves = shape->type == ct_shapeCompound ? shape->leaves : &self;
    int count = shape->type == ct_shapeCompound ? shape->leafCount : 1;
    for (int i = 0; i < count;) {
        int run = 1;
        while (i + run < count && sharesAxis(&leaves[i], &leaves[i + run])) {
            run++;
        }
        if (leaves[i].shape->type == ct_shapeLathe) {
            ctMesh_AddLathes(mesh, &leaves[i], run, segments);
        } else {
            addLeaf(mesh, &leaves[i], segments);
        }
        i += leaves[i].shape->type == ct_shapeLathe ? run : 1;
    }
    return finish(mesh, error);
}

bool ctMesh_UnitSphere(ctMesh *mesh, int segments, ctError *error)
{
    *mesh = (ctMesh){0};
    ctTransform pose = ctTransformIdentity();
    addRound(mesh, &pose, ctV3(1.0, 1.0, 1.0), 0.0, segments);
    return finish(mesh, error);
}

bool ctMesh_UnitBox(ctMesh *mesh, ctError *error)
{
    *mesh = (ctMesh){0};
    ctTransform pose = ctTransformIdentity();
    addBox(mesh, &pose, ctV3(0.5, 0.5, 0.5));
    return finish(mesh, error);
}
