// Shapes by id. Each shape is kept with the recipe that made it, so that a snapshot can make it again.
#include "collision/memory.h"
#include "engine/core/archive.h"
#include "engine/state/state.h"

#include <string.h>

enum {
    PART_NUMBERS = 8,  // of a compound: shape, position, orientation
    FIELD_NUMBERS = 5, // of a heightfield: sides, smoothness, size, columns; then the heights
};

void ctRecipe_Free(ctRecipe *recipe)
{
    ctFree(recipe->numbers);
    ctFree(recipe->text);
    ctFree(recipe->name);
    *recipe = (ctRecipe){0};
}

// Takes ownership of the caller's reference; a null shape gives a null id.
static ctShapeId keep(ctWorld *world, ctShape *shape, ctRecipeKind kind, const double *numbers, int count,
                      ctError *error)
{
    ctShapeId none = {0};
    if (shape == NULL) {
        return none;
    }
    if (!ctWorld_MayChange(world, error)) {
        ctShape_Release(shape);
        return none;
    }
    int n = world->shapeCount;
    double *copy = ctAllocate((size_t)count, sizeof(double));
    if (copy == NULL || !ctReserve((void **)&world->shapes, &world->shapeCapacity, n + 1, sizeof(ctShape *)) ||
        !ctReserve((void **)&world->recipes, &world->recipeCapacity, n + 1, sizeof(ctRecipe))) {
        ctFree(copy);
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return none;
    }
    memcpy(copy, numbers, (size_t)count * sizeof(double));
    world->shapes[n] = shape;
    world->recipes[n] = (ctRecipe){.kind = (uint8_t)kind, .numberCount = count, .numbers = copy};
    world->shapeCount = n + 1;
    return (ctShapeId){n + 1};
}

ctShapeId ctWorld_CreateSphere(ctWorld *world, double radius, ctError *error)
{
    return keep(world, ctShape_Sphere(radius, error), ct_recipeSphere, &radius, 1, error);
}

ctShapeId ctWorld_CreateHollowSphere(ctWorld *world, double radius, ctError *error)
{
    return keep(world, ctShape_HollowSphere(radius, error), ct_recipeHollowSphere, &radius, 1, error);
}

ctShapeId ctWorld_CreateBox(ctWorld *world, ctVec3 size, ctError *error)
{
    return keep(world, ctShape_Box(size, error), ct_recipeBox, (double[3]){size.x, size.y, size.z}, 3, error);
}

ctShapeId ctWorld_CreateCylinder(ctWorld *world, double radius, double height, ctError *error)
{
    double numbers[2] = {radius, height};
    return keep(world, ctShape_Cylinder(radius, height, error), ct_recipeCylinder, numbers, 2, error);
}

ctShapeId ctWorld_CreateCapsule(ctWorld *world, double radius, double height, ctError *error)
{
    double numbers[2] = {radius, height};
    return keep(world, ctShape_Capsule(radius, height, error), ct_recipeCapsule, numbers, 2, error);
}

ctShapeId ctWorld_CreateCone(ctWorld *world, double radius, double height, ctError *error)
{
    double numbers[2] = {radius, height};
    return keep(world, ctShape_Cone(radius, height, error), ct_recipeCone, numbers, 2, error);
}

ctShapeId ctWorld_CreateEllipsoid(ctWorld *world, ctVec3 radii, ctError *error)
{
    return keep(world, ctShape_Ellipsoid(radii, error), ct_recipeEllipsoid, (double[3]){radii.x, radii.y, radii.z}, 3,
                error);
}

ctShapeId ctWorld_CreatePlane(ctWorld *world, ctVec3 normal, double offset, ctError *error)
{
    double numbers[4] = {normal.x, normal.y, normal.z, offset};
    return keep(world, ctShape_Plane(normal, offset, error), ct_recipePlane, numbers, 4, error);
}

ctShapeId ctWorld_CreateHull(ctWorld *world, const ctVec3 *points, int count, ctError *error)
{
    ctShapeId none = {0};
    ctShape *shape = ctShape_Hull(points, count, error);
    if (shape == NULL) {
        return none;
    }
    double *numbers = ctAllocate(3 * (size_t)count, sizeof(double));
    if (numbers == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return none;
    }
    for (int i = 0; i < count; i++) {
        numbers[3 * i] = points[i].x;
        numbers[3 * i + 1] = points[i].y;
        numbers[3 * i + 2] = points[i].z;
    }
    ctShapeId id = keep(world, shape, ct_recipeHull, numbers, 3 * count, error);
    ctFree(numbers);
    return id;
}

ctShapeId ctWorld_CreateLathe(ctWorld *world, const double *r, const double *z, int count, ctError *error)
{
    ctShapeId none = {0};
    ctShape *shape = ctShape_Lathe(r, z, count, error);
    if (shape == NULL) {
        return none;
    }
    double *numbers = ctAllocate(2 * (size_t)count, sizeof(double));
    if (numbers == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return none;
    }
    memcpy(numbers, r, (size_t)count * sizeof(double));
    memcpy(numbers + count, z, (size_t)count * sizeof(double));
    ctShapeId id = keep(world, shape, ct_recipeLathe, numbers, 2 * count, error);
    ctFree(numbers);
    return id;
}

// The same for a shape made from text; takes ownership of the caller's reference too.
static ctShapeId keepText(ctWorld *world, ctShape *shape, ctRecipeKind kind, const double *numbers, int count,
                          const char *objText, size_t length, const char *name, ctError *error)
{
    name = name != NULL ? name : "mesh";
    ctShapeId id = {0};
    char *text = ctAllocate(length + 1, 1), *copy = ctAllocate(strlen(name) + 1, 1);
    if (text == NULL || copy == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
    } else {
        id = keep(world, shape, kind, numbers, count, error);
    }
    if (id.index1 == 0) {
        ctFree(text);
        ctFree(copy);
        return id;
    }
    memcpy(text, objText, length);
    memcpy(copy, name, strlen(name));
    ctRecipe *recipe = &world->recipes[id.index1 - 1];
    recipe->text = text;
    recipe->textLength = (int)length;
    recipe->name = copy;
    return id;
}

ctShapeId ctWorld_CreateMesh(ctWorld *world, const char *objText, size_t length, const char *name, bool decompose,
                             ctError *error)
{
    ctShapeId none = {0};
    ctShape *shape = ctShape_Obj(objText, length, name, decompose, error);
    if (shape == NULL) {
        return none;
    }
    double flag = decompose ? 1.0 : 0.0;
    return keepText(world, shape, ct_recipeMesh, &flag, 1, objText, length, name, error);
}

// ---- terrains ---------------------------------------------------------------------------------

ctTerrainDef ctDefaultTerrainDef(void)
{
    return (ctTerrainDef){.twoSided = false, .smooth = CT_TERRAIN_SMOOTH};
}

static ctTerrainDef defOf(const ctTerrainDef *def)
{
    return def != NULL ? *def : ctDefaultTerrainDef();
}

ctShapeId ctWorld_CreateTrimesh(ctWorld *world, const ctVec3 *vertices, int vertexCount, const int *triangles,
                                int triangleCount, const ctTerrainDef *given, ctError *error)
{
    ctTerrainDef def = defOf(given);
    ctTerrainInput in = {.vertices = vertices,
                         .triangles = triangles,
                         .vertexCount = vertexCount,
                         .triangleCount = triangleCount,
                         .twoSided = def.twoSided,
                         .smooth = def.smooth};
    ctShape *shape = ctShape_Trimesh(&in, error);
    if (shape == NULL) {
        return (ctShapeId){0};
    }
    int count = 3 + 3 * vertexCount + 3 * triangleCount;
    double *numbers = ctAllocate((size_t)count, sizeof(double)), *n = numbers;
    if (numbers == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return (ctShapeId){0};
    }
    *n++ = def.twoSided ? 1.0 : 0.0;
    *n++ = def.smooth;
    *n++ = vertexCount;
    memcpy(n, vertices, 3 * (size_t)vertexCount * sizeof(double));
    n += 3 * vertexCount;
    for (int i = 0; i < 3 * triangleCount; i++) {
        n[i] = triangles[i];
    }
    ctShapeId id = keep(world, shape, ct_recipeTrimesh, numbers, count, error);
    ctFree(numbers);
    return id;
}

ctShapeId ctWorld_CreateTrimeshFromObj(ctWorld *world, const char *objText, size_t length, const char *name,
                                       const ctTerrainDef *given, ctError *error)
{
    ctTerrainDef def = defOf(given);
    ctShape *shape = ctShape_TrimeshObj(objText, length, name, def.twoSided, def.smooth, error);
    double numbers[2] = {def.twoSided ? 1.0 : 0.0, def.smooth};
    if (shape == NULL) {
        return (ctShapeId){0};
    }
    return keepText(world, shape, ct_recipeTrimeshObj, numbers, 2, objText, length, name, error);
}

ctShapeId ctWorld_CreateHeightfield(ctWorld *world, double sizeX, double sizeY, int columns, int rows,
                                    const double *heights, const ctTerrainDef *given, ctError *error)
{
    ctTerrainDef def = defOf(given);
    ctShape *shape = ctShape_Heightfield(sizeX, sizeY, columns, rows, heights, def.twoSided, def.smooth, error);
    if (shape == NULL) {
        return (ctShapeId){0};
    }
    const double head[FIELD_NUMBERS] = {def.twoSided ? 1.0 : 0.0, def.smooth, sizeX, sizeY, columns};
    int count = FIELD_NUMBERS + columns * rows;
    double *numbers = ctAllocate((size_t)count, sizeof(double));
    if (numbers == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return (ctShapeId){0};
    }
    memcpy(numbers, head, sizeof head);
    memcpy(numbers + FIELD_NUMBERS, heights, (size_t)(columns * rows) * sizeof(double));
    ctShapeId id = keep(world, shape, ct_recipeHeightfield, numbers, count, error);
    ctFree(numbers);
    return id;
}

static ctShapeId createCompound(ctWorld *world, const ctPart *parts, ctLeaf *leaves, double *numbers, int count,
                                ctError *error)
{
    for (int i = 0; i < count; i++) {
        ctTransform pose = parts[i].pose;
        leaves[i] = (ctLeaf){ctWorld_GetShape(world, parts[i].shape), pose};
        if (leaves[i].shape == NULL) {
            ctFail(error, ct_badArgument, "part %d of a compound has no shape", i + 1);
            return (ctShapeId){0};
        }
        const double row[PART_NUMBERS] = {
            parts[i].shape.index1, pose.p.x, pose.p.y, pose.p.z, pose.q.w, pose.q.x, pose.q.y, pose.q.z};
        memcpy(&numbers[i * PART_NUMBERS], row, sizeof row);
    }
    return keep(world, ctShape_Compound(leaves, count, error), ct_recipeCompound, numbers, count * PART_NUMBERS, error);
}

ctShapeId ctWorld_CreateCompound(ctWorld *world, const ctPart *parts, int count, ctError *error)
{
    ctShapeId id = {0};
    if (parts == NULL || count < 1 || count > 1 << 20) {
        ctFail(error, ct_badArgument, "a compound needs from 1 to %d parts", 1 << 20);
        return id;
    }
    ctLeaf *leaves = ctAllocate((size_t)count, sizeof *leaves);
    double *numbers = ctAllocate((size_t)count * PART_NUMBERS, sizeof *numbers);
    if (leaves == NULL || numbers == NULL) {
        ctFailMemory(error, "a compound");
    } else {
        id = createCompound(world, parts, leaves, numbers, count, error);
    }
    ctFree(leaves);
    ctFree(numbers);
    return id;
}

const struct ctShape *ctWorld_GetShape(const ctWorld *world, ctShapeId shape)
{
    return shape.index1 >= 1 && shape.index1 <= world->shapeCount ? world->shapes[shape.index1 - 1] : NULL;
}

// ---- recipes ----------------------------------------------------------------------------------

void ctRecipe_Archive(ctArchive *ar, ctRecipe *recipe)
{
    ctArchive_U8(ar, &recipe->kind);
    ctArchive_Count(ar, &recipe->numberCount, 8);
    ctArchive_Check(ar, recipe->numberCount > 0, "a shape");
    if (!ar->writing) {
        recipe->numbers = ctAllocate((size_t)recipe->numberCount, sizeof(double));
        if (!ctArchive_CheckMemory(ar, recipe->numbers != NULL)) {
            recipe->numberCount = 0;
        }
    }
    for (int i = 0; i < recipe->numberCount; i++) {
        ctArchive_Finite(ar, &recipe->numbers[i]);
    }
    ctArchive_Text(ar, &recipe->name);
    ctArchive_Count(ar, &recipe->textLength, 1);
    if (!ar->writing && recipe->textLength > 0) {
        recipe->text = ctAllocate((size_t)recipe->textLength + 1, 1);
        if (!ctArchive_CheckMemory(ar, recipe->text != NULL)) {
            recipe->textLength = 0;
        }
    }
    ctArchive_Bytes(ar, recipe->text, (size_t)recipe->textLength);
}

bool ctRecipe_Equal(const ctRecipe *a, const ctRecipe *b)
{
    return a->kind == b->kind && a->numberCount == b->numberCount && a->textLength == b->textLength &&
           memcmp(a->numbers, b->numbers, (size_t)a->numberCount * sizeof(double)) == 0 &&
           (a->textLength == 0 || memcmp(a->text, b->text, (size_t)a->textLength) == 0);
}

static ctShapeId makeCompound(ctWorld *world, const ctRecipe *recipe, ctError *error)
{
    int count = recipe->numberCount / PART_NUMBERS;
    ctPart *parts = ctAllocate((size_t)count, sizeof *parts);
    if (parts == NULL) {
        ctFailMemory(error, "a compound");
        return (ctShapeId){0};
    }
    for (int i = 0; i < count; i++) {
        const double *n = &recipe->numbers[i * PART_NUMBERS];
        bool known = n[0] >= 1.0 && n[0] <= world->shapeCount;
        parts[i] = (ctPart){{known ? (int32_t)n[0] : 0}, {{n[1], n[2], n[3]}, {n[4], n[5], n[6], n[7]}}};
    }
    ctShapeId id = ctWorld_CreateCompound(world, parts, count, error);
    ctFree(parts);
    return id;
}

// A whole number from 0 to most; -1 for any other number.
static int wholeOf(double number, int most)
{
    return number >= 0.0 && number <= most && number == floor(number) ? (int)number : -1;
}

static ctShapeId makeTrimesh(ctWorld *world, const ctRecipe *recipe, ctError *error)
{
    const double *n = recipe->numbers;
    ctTerrainDef def = {recipe->numberCount > 3 && n[0] != 0.0, recipe->numberCount > 3 ? n[1] : -1.0};
    int vertices = recipe->numberCount > 3 ? wholeOf(n[2], (recipe->numberCount - 3) / 3) : 0;
    int count = recipe->numberCount - 3 - 3 * vertices;
    int *triangles = ctAllocate((size_t)(count > 0 ? count : 1), sizeof *triangles);
    ctShapeId id = {0};
    if (triangles == NULL) {
        ctFailMemory(error, "a trimesh");
        return id;
    }
    for (int i = 0; i < count; i++) {
        triangles[i] = wholeOf(n[3 + 3 * vertices + i], INT32_MAX - 1);
    }
    id = ctWorld_CreateTrimesh(world, (const ctVec3 *)(n + 3), vertices, triangles, count / 3, &def, error);
    ctFree(triangles);
    return id;
}

static ctShapeId makeHeightfield(ctWorld *world, const ctRecipe *recipe, ctError *error)
{
    const double *n = recipe->numbers;
    int count = recipe->numberCount - FIELD_NUMBERS, columns = count > 0 ? wholeOf(n[4], count) : 0;
    if (columns < 1 || count % columns != 0) {
        ctFail(error, ct_corrupt, "a heightfield has the wrong number of heights");
        return (ctShapeId){0};
    }
    ctTerrainDef def = {n[0] != 0.0, n[1]};
    return ctWorld_CreateHeightfield(world, n[2], n[3], columns, count / columns, n + FIELD_NUMBERS, &def, error);
}

static ctShapeId makeTrimeshObj(ctWorld *world, const ctRecipe *recipe, ctError *error)
{
    ctTerrainDef def = {recipe->numbers[0] != 0.0, recipe->numberCount > 1 ? recipe->numbers[1] : -1.0};
    return ctWorld_CreateTrimeshFromObj(world, recipe->text, (size_t)recipe->textLength, recipe->name, &def, error);
}

ctShapeId ctRecipe_Make(ctWorld *world, const ctRecipe *recipe, ctError *error)
{
    static const int counts[] = {1, 1, 3, 2, 2, 2, 3, 4};
    const double *n = recipe->numbers;
    int count = recipe->numberCount;
    if (recipe->kind <= ct_recipePlane && count != counts[recipe->kind]) {
        ctFail(error, ct_corrupt, "a shape has the wrong number of parameters");
        return (ctShapeId){0};
    }
    switch ((ctRecipeKind)recipe->kind) {
    case ct_recipeSphere:
        return ctWorld_CreateSphere(world, n[0], error);
    case ct_recipeHollowSphere:
        return ctWorld_CreateHollowSphere(world, n[0], error);
    case ct_recipeBox:
        return ctWorld_CreateBox(world, (ctVec3){n[0], n[1], n[2]}, error);
    case ct_recipeCylinder:
        return ctWorld_CreateCylinder(world, n[0], n[1], error);
    case ct_recipeCapsule:
        return ctWorld_CreateCapsule(world, n[0], n[1], error);
    case ct_recipeCone:
        return ctWorld_CreateCone(world, n[0], n[1], error);
    case ct_recipeEllipsoid:
        return ctWorld_CreateEllipsoid(world, (ctVec3){n[0], n[1], n[2]}, error);
    case ct_recipePlane:
        return ctWorld_CreatePlane(world, (ctVec3){n[0], n[1], n[2]}, n[3], error);
    case ct_recipeHull:
        return ctWorld_CreateHull(world, (const ctVec3 *)n, count / 3, error);
    case ct_recipeLathe:
        return ctWorld_CreateLathe(world, n, n + count / 2, count / 2, error);
    case ct_recipeCompound:
        return makeCompound(world, recipe, error);
    case ct_recipeMesh:
        return ctWorld_CreateMesh(world, recipe->text, (size_t)recipe->textLength, recipe->name,
                                  count > 0 && n[0] != 0.0, error);
    case ct_recipeTrimesh:
        return makeTrimesh(world, recipe, error);
    case ct_recipeHeightfield:
        return makeHeightfield(world, recipe, error);
    case ct_recipeTrimeshObj:
        return makeTrimeshObj(world, recipe, error);
    }
    ctFail(error, ct_corrupt, "there is no shape of kind %d", recipe->kind);
    return (ctShapeId){0};
}
