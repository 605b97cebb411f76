// Meshes by id, apart from the other shapes: a program without meshes links no reader of them.
#include "engine/world_internal.h"

ctShapeId ctWorld_CreateMesh(ctWorld *world, const char *objText, size_t length, const char *name, bool decompose,
                             ctError *error)
{
    return ctWorld_KeepShape(world, ctShape_Obj(objText, length, name, decompose, error), error);
}
