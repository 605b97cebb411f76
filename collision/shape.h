// Shapes: immutable solids, shared by any number of bodies.
//
// A convex shape is a core with a ball of radius `round` swept over it. A sphere is a point, a capsule a segment. A
// box, a lathe or a hull is first shrunk inwards by `round`, so that its faces are where the user put them and only its
// edges and corners are rounded: those of a polyhedron by less than 1e-6 of its least extent, rims of a lathe by 1e-5
// of its size or less. Distances are computed between cores, which stay apart when surfaces touch: normals are well
// conditioned at contact. Against planes, balls, capsules and ellipsoids solids are sharp (ctShape_For).
#ifndef CT_SHAPE_H
#define CT_SHAPE_H

#include "collision/error.h"
#include "collision/quat.h"

// [limit] Convex parts of a compound, a lathe or a decomposed mesh.
#define CT_COMPOUND_LEAVES 4096
// [limit] Points of a lathe's profile, and of the input to a hull.
#define CT_LATHE_POINTS 100000
#define CT_HULL_POINTS 1000000
// [limit] Faces of a hull that meet in one corner, and corners of one face.
#define CT_CORNER_FACES 2000
#define CT_FACE_CORNERS 16000

typedef enum ctShapeType {
    ct_shapeSphere,    // core: a point at the origin
    ct_shapeCapsule,   // core: a segment on z
    ct_shapeBox,       // core: a box about the origin
    ct_shapeLathe,     // a solid of revolution about z with a convex profile: cylinders, cones, frusta
    ct_shapeEllipsoid, // its inner parallel body: support point minus round times the direction
    ct_shapeHull,      // a convex polyhedron
    ct_shapePlane,     // the half-space n.x <= offset; fixed bodies only
    ct_shapeCompound,  // convex parts, each with a pose
    ct_shapeTerrain,   // a surface of triangles; fixed bodies only (collision/terrain.h)
} ctShapeType;

// A convex profile in the half-plane r >= 0, by ascending z; the solid is its revolution about z.
// count points of the core: (r[i], z[i]); edges of the true solid are these grown by `round`.
// An end with r > 0 is closed by a flat disc; r = 0 occurs only at the ends, as a tip.
typedef struct ctLathe {
    int count;
    double *r, *z;
    int outlineCount; // the true, sharp solid in the same form
    double *outlineR, *outlineZ;
} ctLathe;

// A convex polyhedron: the core's vertices, their neighbours (for hill climbing), and its faces.
typedef struct ctHull {
    int vertexCount, faceCount;
    ctVec3 *vertices;     // of the core
    int *firstNeighbour;  // vertexCount + 1 offsets into neighbours
    int *neighbours;      // vertices across an edge, and across the short edges beside it
    ctVec3 *faceNormals;  // outward, unit
    double *faceOffsets;  // n.x = offset on the core's face; the surface is at offset + round
    int *firstFaceVertex; // faceCount + 1 offsets into faceVertices
    int *faceVertices;    // counter-clockwise seen from outside
    int *firstVertexFace; // vertexCount + 1 offsets into vertexFaces
    int *vertexFaces;     // the faces that meet in each vertex
    int cornerCount;      // of the true, sharp solid
    ctVec3 *corners;      // its corners
    int *vertexCorner;    // the corner that each vertex of the core lies under
    // Of a triangle of a terrain, which is flat: it has two faces and no volume. NULL for solids.
    const struct ctTerrain *terrain;
    int triangle;
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
    double round;          // m (compound: the least of its parts)
    double size;           // a typical length, m: the largest extent; tolerances scale with it
    ctVec3 lo, hi;         // tight box of the true, sharp solid in the shape's frame (infinite for planes)
    double boundRadius;    // of the smallest known ball about unit.center that holds the true solid
    ctMassProperties unit; // for density 1 kg/m^3, of the true, sharp solid
    union {
        double halfHeight; // capsule: half the distance between the end centres
        ctVec3 half;       // box: half extents of the core
        ctLathe lathe;     // core profile
        ctVec3 radii;      // ellipsoid: semi-axes of the surface
        ctHull hull;
        struct ctTerrain *terrain; // owned
        struct {
            ctVec3 normal;
            double offset;
        } plane;
    } u;
    const struct ctShape *sharp; // a box, lathe or hull without its rounding, NULL for others; see ctShape_Against
    int leafCount;               // 1 for a convex shape: itself
    ctLeaf *leaves;
    int references;
} ctShape;

// Constructors return NULL and fill in *error when the input is no solid. All lengths in metres.
ctShape *ctShape_Sphere(double radius, ctError *error);
// All the mass on the surface; its unit mass is that of the solid ball.
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
// Keeps references of its own to the parts' shapes; nested compounds are flattened. Where parts overlap,
// mass counts twice.
ctShape *ctShape_Compound(const ctLeaf *parts, int count, ctError *error);
// A triangle mesh in Wavefront OBJ text. Convex, or cut into convex parts when decompose is true.
// name is used in messages: "name:line: what is wrong".
ctShape *ctShape_Obj(const char *text, size_t length, const char *name, bool decompose, ctError *error);

ctShape *ctShape_Retain(ctShape *shape);
void ctShape_Release(ctShape *shape); // NULL is allowed

ctMassProperties ctShape_Mass(const ctShape *shape, double density);
// Principal moments in ascending order, and the principal axes as the columns of a rotation.
void ctMass_Principal(const ctMassProperties *mass, ctVec3 *moments, ctMat3 *axes);
// The tight axis-aligned box of the true, sharp solid at a pose. Planes give infinite boxes.
void ctShape_Bounds(const ctShape *shape, const ctPose *pose, ctVec3 *lo, ctVec3 *hi);

// The first point of the surface along origin + t direction, 0 <= t <= maxT (direction need not be unit).
// Of the true, sharp solid, in the shape's frame. True with *t and the outward unit *normal; a ray that
// starts inside hits at t = 0, with the normal against the ray.
bool ctShape_RayCast(const ctShape *shape, ctVec3 origin, ctVec3 direction, double maxT, double *t, ctVec3 *normal);

// The shape as a shape of another type meets it. One of the two has to be round, so that the normal is well
// conditioned. Solids have no rounding for planes, whose normal is known without a distance, for balls, capsules and
// ellipsoids, which are round themselves, and polyhedra have none for solids of revolution.
static inline const ctShape *ctShape_For(const ctShape *shape, ctShapeType other)
{
    bool sharp = other == ct_shapePlane || other <= ct_shapeCapsule || other == ct_shapeEllipsoid ||
                 (other == ct_shapeLathe && shape->type != ct_shapeLathe);
    return sharp && shape->sharp != NULL ? shape->sharp : shape;
}

static inline const ctShape *ctShape_Against(const ctShape *shape, const ctShape *other)
{
    return ctShape_For(shape, other->type);
}

// The pose of a convex part of a shape that is at a pose. Parts of solids of revolution are not turned.
static inline ctPose ctLeaf_Pose(const ctLeaf *leaf, const ctPose *pose)
{
    ctQuat q = leaf->pose.q;
    bool turned = q.x != 0.0 || q.y != 0.0 || q.z != 0.0;
    ctPose out = {ctPosePoint(pose, leaf->pose.p), turned ? ctMulMM(pose->r, ctMat3FromQuat(q)) : pose->r};
    return out;
}

// A compound of one part is that part at another pose.
static inline bool ctShape_IsWrapped(const ctShape *shape)
{
    return shape->type == ct_shapeCompound && shape->leafCount == 1;
}

static inline const ctShape *ctShape_Only(const ctShape *shape)
{
    return ctShape_IsWrapped(shape) ? shape->leaves[0].shape : shape;
}

// The same by the part's number. A convex shape is its own part, at the shape's pose; parts of a compound have poses of
// their own, even if there is only one.
static inline ctPose ctShape_PartPose(const ctShape *shape, int part, const ctPose *pose)
{
    return shape->type == ct_shapeCompound ? ctLeaf_Pose(&shape->leaves[part], pose) : *pose;
}

#endif
