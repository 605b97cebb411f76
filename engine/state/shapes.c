// Shapes by id: each is kept with the recipe that it was made from, so that a snapshot can make it again.
#include "collision/memory.h"
#include "engine/core/archive.h"
#include "engine/state/state.h"

#include <string.h>

enum { PART_NUMBERS = 8 }; // of a compound: shape, position, orientation

void ctRecipe_Free(ctRecipe *recipe)
{
    ctFree(recipe->numbers);
    ctFree(recipe->text);
    ctFree(recipe->name);
    *recipe = (ctRecipe){0};
}

// Takes over the caller's reference; a null shape gives a null id.
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

ctShapeId ctWorld_CreateMesh(ctWorld *world, const char *objText, size_t length, const char *name, bool decompose,
                             ctError *error)
{
    ctShapeId none = {0};
    ctShape *shape = ctShape_Obj(objText, length, name, decompose, error);
    if (shape == NULL) {
        return none;
    }
    name = name != NULL ? name : "mesh";
    char *text = ctAllocate(length + 1, 1), *copy = ctAllocate(strlen(name) + 1, 1);
    double flag = decompose ? 1.0 : 0.0;
    ctShapeId id = none;
    if (text == NULL || copy == NULL) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
    } else {
        id = keep(world, shape, ct_recipeMesh, &flag, 1, error);
    }
    if (id.index1 == 0) {
        ctFree(text);
        ctFree(copy);
        return none;
    }
    memcpy(text, objText, length);
    memcpy(copy, name, strlen(name));
    ctRecipe *recipe = &world->recipes[id.index1 - 1];
    recipe->text = text;
    recipe->textLength = (int)length;
    recipe->name = copy;
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
    }
    ctFail(error, ct_corrupt, "there is no shape of kind %d", recipe->kind);
    return (ctShapeId){0};
}
