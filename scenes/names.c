// Names of kinds, for menus and messages.
#include "collision/shape.h"
#include "scenes/scene.h"

const char *ctShape_TypeName(int type)
{
    static const char *const names[] = {
        [ct_shapeSphere] = "sphere", [ct_shapeCapsule] = "capsule",     [ct_shapeBox] = "box",
        [ct_shapeLathe] = "lathe",   [ct_shapeEllipsoid] = "ellipsoid", [ct_shapeHull] = "hull",
        [ct_shapePlane] = "plane",   [ct_shapeCompound] = "compound",   [ct_shapeTerrain] = "terrain",
    };
    bool known = type >= 0 && type < (int)(sizeof names / sizeof *names) && names[type] != NULL;
    return known ? names[type] : "shape";
}
