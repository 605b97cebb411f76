// Making and releasing shapes, the simple solids, and boxes around all of them.
#include "collision/shape.h"

#include "collision/hull_build.h"
#include "collision/memory.h"
#include "collision/terrain.h"

typedef struct ShapeBlock {
    ctShape shape;
    ctLeaf self;
} ShapeBlock;

// A solid, with itself once more without rounding.
typedef struct SolidBlock {
    ShapeBlock block;
    ctShape sharp;
} SolidBlock;

ctShape *ctNewShape(ctShapeType type, ctError *error)
{
    bool solid = type == ct_shapeBox || type == ct_shapeLathe || type == ct_shapeHull;
    ShapeBlock *block = ctAllocate(1, solid ? sizeof(SolidBlock) : sizeof(ShapeBlock));
    if (block == NULL) {
        ctFailMemory(error, "a shape");
        return NULL;
    }
    ctShape *shape = &block->shape;
    shape->type = type;
    shape->references = 1;
    shape->leafCount = 1;
    shape->leaves = &block->self;
    block->self.shape = shape;
    block->self.pose = ctTransformIdentity();
    return shape;
}

ctShape *ctShape_AddSharp(ctShape *shape)
{
    ctShape *sharp = &((SolidBlock *)shape)->sharp;
    *sharp = *shape;
    sharp->round = 0.0;
    shape->sharp = sharp;
    return sharp;
}

ctShape *ctShape_Retain(ctShape *shape)
{
    shape->references++;
    return shape;
}

void ctShape_Release(ctShape *shape)
{
    if (shape == NULL || --shape->references > 0) {
        return;
    }
    if (shape->type == ct_shapeLathe) {
        ctFree(shape->u.lathe.r);
    } else if (shape->type == ct_shapeHull) {
        if (shape->sharp != NULL) {
            ctFree(shape->sharp->u.hull.vertices);
            ctFree(shape->sharp->u.hull.faceOffsets);
        }
        ctHull_Free(&shape->u.hull);
    } else if (shape->type == ct_shapeTerrain) {
        ctTerrain_Free(shape->u.terrain);
    } else if (shape->type == ct_shapeCompound) {
        for (int i = 0; i < shape->leafCount; i++) {
            ctShape_Release((ctShape *)shape->leaves[i].shape);
        }
        if (shape->leaves != &((ShapeBlock *)shape)->self) {
            ctFree(shape->leaves);
        }
    }
    ctFree(shape);
}

void ctSetBox(ctShape *shape, ctVec3 lo, ctVec3 hi)
{
    shape->lo = lo;
    shape->hi = hi;
    shape->size = ctMaxElement(ctSub(hi, lo));
}

bool ctCheckLength(double value, const char *name, ctError *error)
{
    if (!isfinite(value) || !(value > 0.0)) {
        return ctFail(error, ct_badArgument, "%s must be a positive number, not %g", name, value);
    }
    if (value < CT_LENGTH_MIN || value > CT_LENGTH_MAX) {
        return ctFail(error, ct_badArgument, "%s must lie between %g and %g m, not %g", name, CT_LENGTH_MIN,
                      CT_LENGTH_MAX, value);
    }
    return true;
}

static ctShape *newSphere(double radius, double inertiaFactor, ctError *error)
{
    if (!ctCheckLength(radius, "radius", error)) {
        return NULL;
    }
    ctShape *shape = ctNewShape(ct_shapeSphere, error);
    if (shape == NULL) {
        return NULL;
    }
    shape->round = radius;
    shape->boundRadius = radius;
    ctSetBox(shape, ctV3(-radius, -radius, -radius), ctV3(radius, radius, radius));
    shape->unit.mass = 4.0 / 3.0 * CT_PI * radius * radius * radius;
    double i = inertiaFactor * shape->unit.mass * radius * radius;
    shape->unit.inertia = ctMat3Diagonal(i, i, i);
    return shape;
}

ctShape *ctShape_Sphere(double radius, ctError *error)
{
    return newSphere(radius, 2.0 / 5.0, error);
}

ctShape *ctShape_HollowSphere(double radius, ctError *error)
{
    return newSphere(radius, 2.0 / 3.0, error);
}

ctShape *ctShape_Box(ctVec3 size, ctError *error)
{
    if (!ctCheckLength(size.x, "size x", error) || !ctCheckLength(size.y, "size y", error) ||
        !ctCheckLength(size.z, "size z", error)) {
        return NULL;
    }
    ctShape *shape = ctNewShape(ct_shapeBox, error);
    if (shape == NULL) {
        return NULL;
    }
    ctVec3 half = ctScale(0.5, size);
    ctSetBox(shape, ctNeg(half), half);
    shape->round = ctRoundOfPolyhedron(shape->size, ctMinElement(half));
    shape->u.half = ctSub(half, ctV3(shape->round, shape->round, shape->round));
    shape->boundRadius = ctLength(half);
    ctVec3 s = ctMul(size, size);
    double m = size.x * size.y * size.z;
    shape->unit.mass = m;
    shape->unit.inertia = ctMat3Diagonal(m * (s.y + s.z) / 12.0, m * (s.z + s.x) / 12.0, m * (s.x + s.y) / 12.0);
    ctShape_AddSharp(shape)->u.half = half;
    return shape;
}

ctShape *ctShape_Cylinder(double radius, double height, ctError *error)
{
    if (!ctCheckLength(radius, "radius", error) || !ctCheckLength(height, "height", error)) {
        return NULL;
    }
    double r[2] = {radius, radius}, z[2] = {-0.5 * height, 0.5 * height};
    return ctNewLathe(r, z, 2, error);
}

ctShape *ctShape_Cone(double radius, double height, ctError *error)
{
    if (!ctCheckLength(radius, "radius", error) || !ctCheckLength(height, "height", error)) {
        return NULL;
    }
    double r[2] = {radius, 0.0}, z[2] = {-0.5 * height, 0.5 * height};
    return ctNewLathe(r, z, 2, error);
}

ctShape *ctShape_Capsule(double radius, double height, ctError *error)
{
    if (!ctCheckLength(radius, "radius", error) || !ctCheckLength(height, "height", error)) {
        return NULL;
    }
    ctShape *shape = ctNewShape(ct_shapeCapsule, error);
    if (shape == NULL) {
        return NULL;
    }
    double half = 0.5 * height, r2 = radius * radius;
    shape->round = radius;
    shape->u.halfHeight = half;
    shape->boundRadius = half + radius;
    ctSetBox(shape, ctV3(-radius, -radius, -half - radius), ctV3(radius, radius, half + radius));
    double tube = CT_PI * r2 * height, ends = 4.0 / 3.0 * CT_PI * r2 * radius;
    double axial = tube * 0.5 * r2 + ends * 0.4 * r2;
    double across =
        tube * (height * height / 12.0 + 0.25 * r2) + ends * (0.4 * r2 + half * half + 0.375 * height * radius);
    shape->unit.mass = tube + ends;
    shape->unit.inertia = ctMat3Diagonal(across, across, axial);
    return shape;
}

ctShape *ctShape_Ellipsoid(ctVec3 radii, ctError *error)
{
    if (!ctCheckLength(radii.x, "radius x", error) || !ctCheckLength(radii.y, "radius y", error) ||
        !ctCheckLength(radii.z, "radius z", error)) {
        return NULL;
    }
    ctShape *shape = ctNewShape(ct_shapeEllipsoid, error);
    if (shape == NULL) {
        return NULL;
    }
    double least = ctMinElement(radii), most = ctMaxElement(radii);
    ctSetBox(shape, ctNeg(radii), radii);
    // The inner parallel body is smooth while round is below the least radius of curvature, least^2 / most.
    shape->round = CT_ROUND_OF_INRADIUS * least * least / most;
    shape->u.radii = radii;
    shape->boundRadius = most;
    ctVec3 s = ctMul(radii, radii);
    double m = 4.0 / 3.0 * CT_PI * radii.x * radii.y * radii.z;
    shape->unit.mass = m;
    shape->unit.inertia = ctMat3Diagonal(m * (s.y + s.z) / 5.0, m * (s.z + s.x) / 5.0, m * (s.x + s.y) / 5.0);
    return shape;
}

ctShape *ctShape_Plane(ctVec3 normal, double offset, ctError *error)
{
    if (!ctIsFinite3(normal) || !(ctMaxElement(ctAbs(normal)) > 0.0)) {
        ctFail(error, ct_badArgument, "normal must be a direction, not (%g, %g, %g)", normal.x, normal.y, normal.z);
        return NULL;
    }
    if (!isfinite(offset) || fabs(offset) > CT_LENGTH_MAX) {
        ctFail(error, ct_badArgument, "offset must be a length of at most %g m, not %g", CT_LENGTH_MAX, offset);
        return NULL;
    }
    ctShape *shape = ctNewShape(ct_shapePlane, error);
    if (shape == NULL) {
        return NULL;
    }
    shape->u.plane.normal = ctNormalize(normal);
    shape->u.plane.offset = offset;
    shape->lo = ctV3(-INFINITY, -INFINITY, -INFINITY);
    shape->hi = ctV3(INFINITY, INFINITY, INFINITY);
    shape->boundRadius = INFINITY;
    return shape;
}

// ---- boxes -------------------------------------------------------------------------------------

// How far a convex leaf reaches along u (a unit vector in its frame) and against it.
static void extent(const ctShape *s, ctVec3 u, double *least, double *most)
{
    double reach = 0.0;
    switch (s->type) {
    case ct_shapeSphere:
        reach = s->round;
        break;
    case ct_shapeCapsule:
        reach = s->round + s->u.halfHeight * fabs(u.z);
        break;
    case ct_shapeBox:
        reach = ctDot(ctAbs(u), s->hi);
        break;
    case ct_shapeEllipsoid:
        reach = ctLength(ctMul(u, s->u.radii));
        break;
    case ct_shapeLathe: {
        double across = sqrt(u.x * u.x + u.y * u.y);
        *least = INFINITY;
        *most = -INFINITY;
        for (int i = 0; i < s->u.lathe.outlineCount; i++) {
            double r = s->u.lathe.outlineR[i] * across, z = s->u.lathe.outlineZ[i] * u.z;
            *least = ctFmin(*least, z - r);
            *most = ctFmax(*most, z + r);
        }
        return;
    }
    case ct_shapeHull:
        *least = INFINITY;
        *most = -INFINITY;
        for (int i = 0; i < s->u.hull.cornerCount; i++) {
            double d = ctDot(u, s->u.hull.corners[i]);
            *least = d < *least ? d : *least;
            *most = d > *most ? d : *most;
        }
        return;
    case ct_shapeTerrain:
        *least = INFINITY;
        *most = -INFINITY;
        for (int i = 0; i < s->u.terrain->vertexCount; i++) {
            double d = ctDot(u, s->u.terrain->vertices[i]);
            *least = d < *least ? d : *least;
            *most = d > *most ? d : *most;
        }
        return;
    case ct_shapePlane:
    case ct_shapeCompound:
        reach = INFINITY;
        break;
    }
    *least = -reach;
    *most = reach;
}

void ctShape_Bounds(const ctShape *shape, const ctPose *pose, ctVec3 *lo, ctVec3 *hi)
{
    *lo = ctV3(INFINITY, INFINITY, INFINITY);
    *hi = ctNeg(*lo);
    for (int i = 0; i < shape->leafCount; i++) {
        const ctLeaf *leaf = &shape->leaves[i];
        ctPose at = ctLeaf_Pose(leaf, pose);
        ctMat3 rows = ctTranspose(at.r);
        ctVec3 least, most;
        extent(leaf->shape, rows.cx, &least.x, &most.x);
        extent(leaf->shape, rows.cy, &least.y, &most.y);
        extent(leaf->shape, rows.cz, &least.z, &most.z);
        *lo = ctMin(*lo, ctAdd(at.p, least));
        *hi = ctMax(*hi, ctAdd(at.p, most));
    }
}

double ctFarthestFrom(const ctShape *s, ctVec3 point)
{
    double far = 0.0;
    switch (s->type) {
    case ct_shapeSphere:
    case ct_shapeEllipsoid:
        return ctLength(point) + s->boundRadius;
    case ct_shapeCapsule:
        return ctLength(ctV3(point.x, point.y, fabs(point.z) + s->u.halfHeight)) + s->round;
    case ct_shapeBox:
        return ctLength(ctAdd(ctAbs(point), s->hi));
    case ct_shapeLathe: {
        double across = sqrt(point.x * point.x + point.y * point.y);
        for (int i = 0; i < s->u.lathe.outlineCount; i++) {
            double r = s->u.lathe.outlineR[i] + across, z = s->u.lathe.outlineZ[i] - point.z;
            far = ctFmax(far, r * r + z * z);
        }
        return sqrt(far);
    }
    case ct_shapeHull:
        for (int i = 0; i < s->u.hull.cornerCount; i++) {
            far = ctFmax(far, ctLengthSquared(ctSub(s->u.hull.corners[i], point)));
        }
        return sqrt(far);
    case ct_shapePlane:
    case ct_shapeCompound:
    case ct_shapeTerrain:
        break;
    }
    return INFINITY;
}
