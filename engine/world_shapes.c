// Shapes by id: thin wrappers that keep what collision/shape.h makes.
#include "collision/memory.h"
#include "engine/world_internal.h"

ctShapeId ctWorld_KeepShape(ctWorld *world, ctShape *shape, ctError *error)
{
    ctShapeId none = {0};
    if (shape == NULL) {
        return none;
    }
    if (!ctReserve((void **)&world->shapes, &world->shapeCapacity, world->shapeCount + 1, sizeof(ctShape *))) {
        ctShape_Release(shape);
        ctFailMemory(error, "a shape");
        return none;
    }
    world->shapes[world->shapeCount++] = shape;
    return (ctShapeId){world->shapeCount};
}

ctShapeId ctWorld_CreateSphere(ctWorld *world, double radius, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Sphere(radius, error), error);
}

ctShapeId ctWorld_CreateHollowSphere(ctWorld *world, double radius, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_HollowSphere(radius, error), error);
}

ctShapeId ctWorld_CreateBox(ctWorld *world, ctVec3 size, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Box(size, error), error);
}

ctShapeId ctWorld_CreateCylinder(ctWorld *world, double radius, double height, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Cylinder(radius, height, error), error);
}

ctShapeId ctWorld_CreateCapsule(ctWorld *world, double radius, double height, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Capsule(radius, height, error), error);
}

ctShapeId ctWorld_CreateCone(ctWorld *world, double radius, double height, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Cone(radius, height, error), error);
}

ctShapeId ctWorld_CreateEllipsoid(ctWorld *world, ctVec3 radii, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Ellipsoid(radii, error), error);
}

ctShapeId ctWorld_CreatePlane(ctWorld *world, ctVec3 normal, double offset, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Plane(normal, offset, error), error);
}

ctShapeId ctWorld_CreateHull(ctWorld *world, const ctVec3 *points, int count, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Hull(points, count, error), error);
}

ctShapeId ctWorld_CreateLathe(ctWorld *world, const double *r, const double *z, int count, ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Lathe(r, z, count, error), error);
}

ctShapeId ctWorld_CreateCompound(ctWorld *world, const ctPart *parts, int count, ctError *error)
{
    ctShapeId none = {0};
    if (parts == NULL || count < 1) {
        ctFail(error, ct_badArgument, "a compound needs at least one part");
        return none;
    }
    ctLeaf *leaves = ctAllocate((size_t)count, sizeof *leaves);
    if (leaves == NULL) {
        ctFailMemory(error, "a compound");
        return none;
    }
    for (int i = 0; i < count; i++) {
        leaves[i].shape = ctWorld_GetShape(world, parts[i].shape);
        leaves[i].pose = parts[i].pose;
        if (leaves[i].shape == NULL) {
            ctFail(error, ct_badArgument, "part %d of a compound has no shape", i + 1);
            ctFree(leaves);
            return none;
        }
    }
    ctShape *shape = ctShape_Compound(leaves, count, error);
    ctFree(leaves);
    return ctWorld_KeepShape(world, shape, error);
}

const struct ctShape *ctWorld_GetShape(const ctWorld *world, ctShapeId shape)
{
    return shape.index1 >= 1 && shape.index1 <= world->shapeCount ? world->shapes[shape.index1 - 1] : NULL;
}
