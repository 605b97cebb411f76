// What the constructors of shapes share. Not part of the library's interface.
#ifndef CT_SHAPE_BUILD_H
#define CT_SHAPE_BUILD_H

#include "collision/shape.h"

// Lengths that a shape may have, m. Volumes times squares of these stay far from the limits of double.
#define CT_LENGTH_MIN 1e-9
#define CT_LENGTH_MAX 1e9
// Rims of a solid of revolution are rounded by this share of the size ...
#define CT_ROUND_OF_SIZE 1e-5
// ... and by at most this share of the radius of the largest ball inside.
#define CT_ROUND_OF_INRADIUS 0.1
// Edges of a polyhedron are rounded by at most this share of the radius of the largest ball inside, and by at least
// this share of the size: corners of a hull are known to fewer digits the flatter it is.
#define CT_ROUND_OF_POLYHEDRON 8e-7
#define CT_ROUND_LEAST 1e-10

// The radius of rounding of a solid of revolution with this largest extent and this inscribed radius (or less).
static inline double ctRoundFor(double size, double inradius)
{
    return ctFmin(CT_ROUND_OF_SIZE * size, CT_ROUND_OF_INRADIUS * inradius);
}

// The same for a polyhedron: less than 1e-6 of its least extent, unless that is thousands of times less than its size.
// A power of two: a box less its rounding, and the rounding added again, is the box to the last bit.
static inline double ctRoundOfPolyhedron(double size, double inradius)
{
    double round = ctFmax(CT_ROUND_OF_POLYHEDRON * inradius, CT_ROUND_LEAST * size);
    return ldexp(1.0, ilogb(ctFmin(round, CT_ROUND_OF_INRADIUS * inradius)));
}

// A shape with one reference, itself as its only leaf, and nothing else filled in.
ctShape *ctNewShape(ctShapeType type, ctError *error);

// Adds a copy without rounding to a finished box, lathe or hull. The caller sets the differences of its core.
ctShape *ctShape_AddSharp(ctShape *shape);

// Sets lo, hi and size.
void ctSetBox(ctShape *shape, ctVec3 lo, ctVec3 hi);

// A length that a solid can have; the message names it.
bool ctCheckLength(double value, const char *name, ctError *error);

// The farthest distance of a convex leaf's true surface from a point in the leaf's frame, or a little
// more (ellipsoids).
double ctFarthestFrom(const ctShape *leaf, ctVec3 point);

// A convex solid of revolution from an outline that is already checked: z ascending, r(z) concave.
ctShape *ctNewLathe(const double *r, const double *z, int count, ctError *error);
ctMassProperties ctMass_Lathe(const double *r, const double *z, int count);

// A compound of parts of which none are joined.
ctShape *ctNewCompound(const ctLeaf *parts, int count, ctError *error);
// Sets all that follows from the parts of a compound.
void ctCompound_Complete(ctShape *compound);

// Gives a compound other mass properties than the sum of its parts', and the ball that goes with them.
void ctCompound_SetMass(ctShape *compound, const ctMassProperties *unit);

// The convex hull of points; facets within flatness times the size of one plane become one face.
ctShape *ctNewHull(const ctVec3 *points, int count, double flatness, ctError *error);

// Volume integrals of 1, x and x xT over a solid, about an origin near it.
typedef struct ctMoments {
    double volume;
    ctVec3 first;
    ctMat3 second;
} ctMoments;

// The signed tetrahedron between the origin and a triangle: summed over a closed surface whose
// triangles run counter-clockwise seen from outside, these make up the solid inside.
void ctMoments_AddTriangle(ctMoments *m, ctVec3 a, ctVec3 b, ctVec3 c);
// origin: where the moments' origin is in the shape's frame.
ctMassProperties ctMoments_Finish(const ctMoments *m, ctVec3 origin);

// The sum of several bodies at their poses.
ctMassProperties ctMass_Sum(const ctLeaf *leaves, int count);

#endif
