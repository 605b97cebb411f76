// The part of a convex shape that faces a direction.
#ifndef CT_PATCH_H
#define CT_PATCH_H

#include "collision/shape.h"

// [storage] Vertices of a face that take part in a contact; of a face with more, an even selection.
#define CT_PATCH_POINTS 24

// The part of a core that faces a direction: a point, a segment, a flat polygon or a disc. It has points with ids;
// polygons and discs have the outward normal, discs the centre and the radius, segments the line about which the
// surface is round (through centre).
typedef enum ctPatchKind { ct_patchPoint, ct_patchSegment, ct_patchPolygon, ct_patchDisc } ctPatchKind;

typedef struct ctPatch {
    ctPatchKind kind;
    int count;
    ctVec3 p[CT_PATCH_POINTS];
    uint32_t id[CT_PATCH_POINTS];
    uint32_t face; // the patch's own id
    double round;  // of the shape
    ctVec3 n, centre, axis;
    double radius;
    double swing; // of segments: the sine of the angle from d by which the surface is round about the line
} ctPatch;

// The patch of a core that faces the unit direction d, in the shape's frame. hint: the code of a piece near it, or 0.
void ctPatchOf(const ctShape *shape, ctVec3 d, int hint, ctPatch *patch);

// Reduces a polygon that leans away from the plane across d, but has a side along it, to that side. False where it has
// no such side, or does not lean.
bool ctPatch_ToEdge(const ctPatch *polygon, ctVec3 d, ctPatch *edge);

// From the frame of B to that of A.
void ctPatch_Move(ctPatch *patch, const ctMat3 *r, ctVec3 t);

// The point of a patch nearest to x.
ctVec3 ctPatch_Nearest(const ctPatch *patch, ctVec3 x);

// How far inside a polygon or a disc a point of its plane is, m.
double ctPatch_Inside(const ctPatch *patch, ctVec3 p);

#endif
