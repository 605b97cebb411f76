// Support points of convex cores: the point of a core that lies farthest along a direction.
//
// Each support point carries a code that names the piece of the core it belongs to: a corner of a box,
// a vertex of a hull, an end of a capsule, a circle of a lathe's profile. A code and a direction give
// the point again (ctCorePiece), which is how a query starts from the last one's answer.
#ifndef CT_SUPPORT_H
#define CT_SUPPORT_H

#include "collision/shape.h"

// Hulls with up to this many vertices are searched completely; larger ones climb over neighbours.
#define CT_HULL_SCAN 24

static inline ctVec3 ctBoxCorner(ctVec3 half, int code)
{
    return ctV3(code & 1 ? half.x : -half.x, code & 2 ? half.y : -half.y, code & 4 ? half.z : -half.z);
}

static inline int ctBoxCode(ctVec3 d)
{
    return (d.x >= 0.0 ? 1 : 0) | (d.y >= 0.0 ? 2 : 0) | (d.z >= 0.0 ? 4 : 0);
}

// A vertex none of whose neighbours is farther along d is the farthest of all, since the polyhedron is convex. The walk
// strictly ascends, so it ends.
static inline int ctHullClimb(const ctHull *hull, ctVec3 d, int start)
{
    int at = start;
    double best = ctDot(hull->vertices[at], d);
    for (;;) {
        int next = at;
        for (int i = hull->firstNeighbour[at]; i < hull->firstNeighbour[at + 1]; i++) {
            double h = ctDot(hull->vertices[hull->neighbours[i]], d);
            if (h > best) {
                best = h;
                next = hull->neighbours[i];
            }
        }
        if (next == at) {
            return at;
        }
        at = next;
    }
}

static inline int ctHullSupport(const ctHull *hull, ctVec3 d, int hint)
{
    if (hull->vertexCount > CT_HULL_SCAN) {
        return ctHullClimb(hull, d, hint);
    }
    int at = 0;
    double best = ctDot(hull->vertices[0], d);
    for (int i = 1; i < hull->vertexCount; i++) {
        double h = ctDot(hull->vertices[i], d);
        if (h > best) {
            best = h;
            at = i;
        }
    }
    return at;
}

// The face that best faces d, of those at the vertex farthest along d and at its neighbours: where the hull would
// touch a plane across d. *vertex is where the climb starts and, afterwards, that vertex.
static inline int ctHullFace(const ctHull *hull, ctVec3 d, int *vertex)
{
    int at = ctHullSupport(hull, d, *vertex), best = hull->vertexFaces[hull->firstVertexFace[at]];
    double most = -INFINITY;
    for (int k = hull->firstNeighbour[at] - 1; k < hull->firstNeighbour[at + 1]; k++) {
        int v = k < hull->firstNeighbour[at] ? at : hull->neighbours[k];
        for (int i = hull->firstVertexFace[v]; i < hull->firstVertexFace[v + 1]; i++) {
            double c = ctDot(hull->faceNormals[hull->vertexFaces[i]], d);
            if (c > most) {
                most = c;
                best = hull->vertexFaces[i];
            }
        }
    }
    *vertex = at;
    return best;
}

// The circle of the profile farthest along a direction with components rho (radial, >= 0) and z.
// The profile is convex, so that the height rises to one summit and falls.
static inline int ctLatheSupport(const ctLathe *lathe, double rho, double z, int hint)
{
    int at = hint;
    double best = lathe->r[at] * rho + lathe->z[at] * z;
    for (int step = 1; step >= -1; step -= 2) {
        int next = at + step;
        while (next >= 0 && next < lathe->count) {
            double h = lathe->r[next] * rho + lathe->z[next] * z;
            if (h < best) {
                break;
            }
            if (h > best) {
                best = h;
                at = next;
            }
            next += step;
        }
    }
    return at;
}

static inline ctVec3 ctLathePoint(const ctLathe *lathe, int code, ctVec3 d)
{
    double rho = sqrt(d.x * d.x + d.y * d.y);
    if (rho > 0.0) {
        double s = lathe->r[code] / rho;
        return ctV3(s * d.x, s * d.y, lathe->z[code]);
    }
    return ctV3(lathe->r[code], 0.0, lathe->z[code]);
}

// The inner parallel body of an ellipsoid: its support point less round times the direction.
static inline ctVec3 ctEllipsoidPoint(ctVec3 radii, double round, ctVec3 d)
{
    ctVec3 e = ctMul(radii, d);
    double s = 1.0 / ctLength(e), u = round / ctLength(d);
    return ctV3((s * radii.x * radii.x - u) * d.x, (s * radii.y * radii.y - u) * d.y,
                (s * radii.z * radii.z - u) * d.z);
}

// The point of the piece `code` for direction d (not zero), in the shape's frame.
static inline ctVec3 ctCorePiece(const ctShape *shape, int code, ctVec3 d)
{
    switch (shape->type) {
    case ct_shapeCapsule:
        return ctV3(0.0, 0.0, code ? shape->u.halfHeight : -shape->u.halfHeight);
    case ct_shapeBox:
        return ctBoxCorner(shape->u.half, code);
    case ct_shapeLathe:
        return ctLathePoint(&shape->u.lathe, code, d);
    case ct_shapeEllipsoid:
        return ctEllipsoidPoint(shape->u.radii, shape->round, d);
    case ct_shapeHull:
        return shape->u.hull.vertices[code];
    default:
        return ctZero3();
    }
}

// The point of the core farthest along d (not zero; need not be unit), in the shape's frame.
// *code is where the search starts and, afterwards, the piece that was found.
static inline ctVec3 ctCoreSupport(const ctShape *shape, ctVec3 d, int *code)
{
    switch (shape->type) {
    case ct_shapeCapsule:
        *code = d.z >= 0.0;
        return ctV3(0.0, 0.0, d.z >= 0.0 ? shape->u.halfHeight : -shape->u.halfHeight);
    case ct_shapeBox:
        *code = ctBoxCode(d);
        return ctBoxCorner(shape->u.half, *code);
    case ct_shapeLathe:
        *code = ctLatheSupport(&shape->u.lathe, sqrt(d.x * d.x + d.y * d.y), d.z, *code);
        return ctLathePoint(&shape->u.lathe, *code, d);
    case ct_shapeEllipsoid:
        *code = 0;
        return ctEllipsoidPoint(shape->u.radii, shape->round, d);
    case ct_shapeHull:
        *code = ctHullSupport(&shape->u.hull, d, *code);
        return shape->u.hull.vertices[*code];
    default:
        *code = 0;
        return ctZero3();
    }
}

// How far the core reaches along d: the product of d and its support point, without the point.
static inline double ctCoreReach(const ctShape *shape, ctVec3 d)
{
    int code = 0;
    switch (shape->type) {
    case ct_shapeSphere:
        return 0.0;
    case ct_shapeCapsule:
        return shape->u.halfHeight * fabs(d.z);
    case ct_shapeBox:
        return ctDot(shape->u.half, ctAbs(d));
    case ct_shapeLathe: {
        const ctLathe *lathe = &shape->u.lathe;
        double rho = sqrt(d.x * d.x + d.y * d.y), best = lathe->r[0] * rho + lathe->z[0] * d.z, h = best;
        for (int i = 1; i < lathe->count && h >= best; i++) {
            h = lathe->r[i] * rho + lathe->z[i] * d.z;
            best = h > best ? h : best;
        }
        return best;
    }
    default:
        return ctDot(d, ctCoreSupport(shape, d, &code));
    }
}

// The code of a support point alone, for cores that are polyhedra.
static inline int ctCoreCode(const ctShape *shape, ctVec3 d, int hint)
{
    switch (shape->type) {
    case ct_shapeCapsule:
        return d.z >= 0.0;
    case ct_shapeBox:
        return ctBoxCode(d);
    case ct_shapeHull:
        return ctHullSupport(&shape->u.hull, d, hint);
    default:
        return 0;
    }
}

// True when the core has pieces that move with the direction: circles or an ellipsoid.
static inline bool ctCoreIsSmooth(const ctShape *shape)
{
    return shape->type == ct_shapeLathe || shape->type == ct_shapeEllipsoid;
}

#endif
