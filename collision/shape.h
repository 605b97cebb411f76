// Shapes: immutable solids, shared by any number of bodies.
//
// A convex shape is a core with a ball of radius `round` swept over it: a sphere is a point, a capsule
// a segment, and a box, a lathe or a hull is shrunk inwards by `round` first, so that its faces are
// where the user put them and only its edges and corners are rounded, by 1e-4 of its size or less.
// Distances are taken between cores, which stay apart when surfaces touch: normals are well
// conditioned at contact.
#ifndef CT_SHAPE_H
#define CT_SHAPE_H

#include "collision/error.h"
#include "collision/quat.h"

typedef enum ctShapeType {
    ct_shapeSphere,    // core: a point at the origin
    ct_shapeCapsule,   // core: a segment on z
    ct_shapeBox,       // core: a box about the origin
    ct_shapeLathe,     // a solid of revolution about z with a convex profile: cylinders, cones, frusta
    ct_shapeEllipsoid, // its inner parallel body: support point minus round times the direction
    ct_shapeHull,      // a convex polyhedron
    ct_shapePlane,     // the half-space n.x <= offset; fixed bodies only
    ct_shapeCompound,  // convex parts, each with a pose
} ctShapeType;

// A convex profile in the half-plane r >= 0, by ascending z; the solid is its revolution about z.
// count points of the core: (r[i], z[i]); edges of the true solid are these grown by `round`.
typedef struct ctLathe {
    int count;
    double *r, *z;
} ctLathe;

// A convex polyhedron: the core's vertices, their neighbours (for hill climbing), and its faces.
typedef struct ctHull {
    int vertexCount, faceCount;
    ctVec3 *vertices;     // of the core
    int *firstNeighbour;  // vertexCount + 1 offsets into neighbours
    int *neighbours;      // vertex indices
    ctVec3 *faceNormals;  // outward, unit
    double *faceOffsets;  // n.x = offset on the core's face; the surface is at offset + round
    int *firstFaceVertex; // faceCount + 1 offsets into faceVertices
    int *faceVertices;    // counter-clockwise seen from outside
} ctHull;

typedef struct ctMassProperties {
    double mass;    // kg (or m^3 for unit density)
    ctVec3 center;  // centre of mass in the shape's frame, m
    ctMat3 inertia; // about the centre, axes of the shape's frame, kg m^2
} ctMassProperties;

struct ctShape;

// A convex part of a shape, with its pose in the shape's frame.
typedef struct ctLeaf {
    const struct ctShape *shape;
    ctTransform pose;
} ctLeaf;

typedef struct ctShape {
    ctShapeType type;
    double round;          // m
    double size;           // a typical length, m: the largest extent; tolerances scale with it
    ctVec3 lo, hi;         // tight box in the shape's frame (infinite for planes)
    double boundRadius;    // of the smallest known ball about unit.center that holds the shape
    ctMassProperties unit; // for density 1 kg/m^3
    union {
        double halfHeight; // capsule: half the distance between the end centres
        ctVec3 half;       // box: half extents of the core
        ctLathe lathe;     // core profile
        ctVec3 radii;      // ellipsoid: semi-axes of the surface
        ctHull hull;
        struct {
            ctVec3 normal;
            double offset;
        } plane;
    } u;
    int leafCount; // 1 for a convex shape: itself
    ctLeaf *leaves;
    int references;
} ctShape;

// Constructors return NULL and fill in *error when the input is no solid. All lengths in metres.
ctShape *ctShape_Sphere(double radius, ctError *error);
// All the mass on the surface.
ctShape *ctShape_HollowSphere(double radius, ctError *error);
ctShape *ctShape_Box(ctVec3 size, ctError *error); // full edge lengths
// Axis z, centred at the middle of the height.
ctShape *ctShape_Cylinder(double radius, double height, ctError *error);
ctShape *ctShape_Capsule(double radius, double height, ctError *error); // height between the end centres
// Axis z, base at z = -height / 2, apex at z = +height / 2.
ctShape *ctShape_Cone(double radius, double height, ctError *error);
ctShape *ctShape_Ellipsoid(ctVec3 radii, ctError *error);
ctShape *ctShape_Plane(ctVec3 normal, double offset, ctError *error);
// The convex hull of points (libqhull_r).
ctShape *ctShape_Hull(const ctVec3 *points, int count, ctError *error);
// A solid of revolution about z: its outline as points (r[i] >= 0, z[i])
// from one end of the axis to the other. Where it is concave it is cut into convex pieces (a compound).
ctShape *ctShape_Lathe(const double *r, const double *z, int count, ctError *error);
// Keeps references of its own to the parts' shapes; nested compounds are flattened.
ctShape *ctShape_Compound(const ctLeaf *parts, int count, ctError *error);
// A triangle mesh in Wavefront OBJ text. Convex, or cut into convex parts when decompose is true.
// name is used in messages: "name:line: what is wrong".
ctShape *ctShape_Obj(const char *text, size_t length, const char *name, bool decompose, ctError *error);

ctShape *ctShape_Retain(ctShape *shape);
void ctShape_Release(ctShape *shape); // NULL is allowed

ctMassProperties ctShape_Mass(const ctShape *shape, double density);
// The tight axis-aligned box of the shape at a pose. Planes give infinite boxes.
void ctShape_Bounds(const ctShape *shape, const ctPose *pose, ctVec3 *lo, ctVec3 *hi);

// The first point of the surface along origin + t direction, 0 <= t <= maxT (direction need not be unit).
// True with *t and the outward unit *normal (shape's frame); a ray that starts inside hits at t = 0.
bool ctShape_RayCast(const ctShape *shape, ctVec3 origin, ctVec3 direction, double maxT, double *t, ctVec3 *normal);

static inline bool ctShape_IsConvex(const ctShape *shape)
{
    return shape->type < ct_shapePlane;
}

#endif
