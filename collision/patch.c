// The part of a core that faces a direction.
#include "collision/manifold_internal.h"

// A face whose normal makes a smaller cosine with the direction is no contact face.
#define FACE_COSINE 0.3
// A capsule, a generator of a lathe or an edge of a hull lies along a contact when its sine to the plane of contact is
// below this; a disc when the sine of its tilt is.
#define EDGE_SINE 0.1
#define DISC_SINE 0.1

static void addPoint(ctPatch *patch, ctVec3 p, uint32_t id)
{
    patch->p[patch->count] = p;
    patch->id[patch->count++] = id;
}

static void boxPatch(ctVec3 half, ctVec3 d, ctPatch *patch)
{
    // Corners around the face with outward normal +k, as codes; the other face has them reversed.
    static const int around[3][4] = {{0, 2, 6, 4}, {0, 4, 5, 1}, {0, 1, 3, 2}};
    ctVec3 m = ctAbs(d);
    int k = m.x > m.y ? (m.x > m.z ? 0 : 2) : (m.y > m.z ? 1 : 2);
    double along = k == 0 ? d.x : k == 1 ? d.y : d.z;
    bool positive = along > 0.0;
    patch->kind = ct_patchPolygon;
    patch->n = ctV3(k == 0 ? (positive ? 1.0 : -1.0) : 0.0, k == 1 ? (positive ? 1.0 : -1.0) : 0.0,
                    k == 2 ? (positive ? 1.0 : -1.0) : 0.0);
    patch->face = (uint32_t)(2 * k + positive);
    for (int i = 0; i < 4; i++) {
        int code = around[k][positive ? i : 3 - i] | (positive ? 1 << k : 0);
        addPoint(patch, ctBoxCorner(half, code), (uint32_t)code);
    }
}

static void hullPatch(const ctHull *hull, ctVec3 d, int hint, ctPatch *patch)
{
    int at = hint, best = ctHullFace(hull, d, &at), along = -1;
    if (ctDot(hull->faceNormals[best], d) >= FACE_COSINE) {
        int first = hull->firstFaceVertex[best], count = hull->firstFaceVertex[best + 1] - first;
        int kept = count < CT_PATCH_POINTS ? count : CT_PATCH_POINTS;
        patch->kind = ct_patchPolygon;
        patch->n = hull->faceNormals[best];
        patch->face = (uint32_t)best;
        for (int i = 0; i < kept; i++) {
            int v = hull->faceVertices[first + (int)((long)i * count / kept)];
            addPoint(patch, hull->vertices[v], (uint32_t)v);
        }
        return;
    }
    double least = EDGE_SINE;
    for (int i = hull->firstNeighbour[at]; i < hull->firstNeighbour[at + 1]; i++) {
        ctVec3 e = ctSub(hull->vertices[hull->neighbours[i]], hull->vertices[at]);
        double sine = -ctDot(e, d) / ctLength(e);
        if (sine < least) {
            least = sine;
            along = hull->neighbours[i];
        }
    }
    patch->kind = along < 0 ? ct_patchPoint : ct_patchSegment;
    addPoint(patch, hull->vertices[at], (uint32_t)at);
    if (along >= 0) {
        addPoint(patch, hull->vertices[along], (uint32_t)along);
        patch->centre = patch->p[0];
        patch->axis = ctNormalize(ctSub(patch->p[1], patch->p[0]));
    }
}

static void lathePatch(const ctLathe *l, ctVec3 d, ctPatch *patch)
{
    double rho = sqrt(d.x * d.x + d.y * d.y);
    int at = ctLatheSupport(l, rho, d.z, d.z > 0.0 ? l->count - 1 : 0), last = l->count - 1;
    bool end = (at == 0 && d.z < 0.0) || (at == last && d.z > 0.0);
    if (rho < DISC_SINE && end && l->r[at] > 0.0) {
        patch->kind = ct_patchDisc;
        patch->n = ctV3(0.0, 0.0, d.z > 0.0 ? 1.0 : -1.0);
        patch->centre = ctV3(0.0, 0.0, l->z[at]);
        patch->radius = l->r[at];
        patch->face = (uint32_t)at;
        return;
    }
    double ux = rho > 0.0 ? d.x / rho : 1.0, uy = rho > 0.0 ? d.y / rho : 0.0, least = EDGE_SINE;
    int other = -1;
    for (int next = at - 1; next <= at + 1; next += 2) {
        if (next < 0 || next > last) {
            continue;
        }
        double er = l->r[next] - l->r[at], ez = l->z[next] - l->z[at];
        double sine = -(er * rho + ez * d.z) / sqrt(er * er + ez * ez);
        if (sine < least) {
            least = sine;
            other = next;
        }
    }
    patch->kind = other < 0 ? ct_patchPoint : ct_patchSegment;
    int low = other >= 0 && other < at ? other : at, high = other > at ? other : at;
    addPoint(patch, ctV3(l->r[low] * ux, l->r[low] * uy, l->z[low]), (uint32_t)low);
    if (other >= 0) {
        addPoint(patch, ctV3(l->r[high] * ux, l->r[high] * uy, l->z[high]), (uint32_t)high);
    }
}

void ctPatchOf(const ctShape *shape, ctVec3 d, int hint, ctPatch *patch)
{
    patch->count = 0;
    patch->face = 0;
    patch->round = shape->round;
    patch->centre = ctZero3();
    patch->axis = ctV3(0.0, 0.0, 1.0);
    patch->swing = 0.99;
    int code = 0;
    switch (shape->type) {
    case ct_shapeBox:
        boxPatch(shape->u.half, d, patch);
        break;
    case ct_shapeHull:
        hullPatch(&shape->u.hull, d, hint, patch);
        break;
    case ct_shapeLathe:
        lathePatch(&shape->u.lathe, d, patch);
        break;
    case ct_shapeCapsule:
        if (fabs(d.z) < EDGE_SINE) {
            patch->kind = ct_patchSegment;
            addPoint(patch, ctV3(0.0, 0.0, -shape->u.halfHeight), 0);
            addPoint(patch, ctV3(0.0, 0.0, shape->u.halfHeight), 1);
            break;
        }
        // fall through
    default:
        patch->kind = ct_patchPoint;
        addPoint(patch, ctCoreSupport(shape, d, &code), 0);
        patch->id[0] = (uint32_t)code;
        break;
    }
}

bool ctPatch_ToEdge(const ctPatch *polygon, ctVec3 d, ctPatch *edge)
{
    double facing = polygon->kind == ct_patchPolygon ? ctDot(polygon->n, d) : 1.0;
    if (1.0 - facing * facing < EDGE_SINE * EDGE_SINE) {
        return false;
    }
    int count = polygon->count, top = 0;
    for (int i = 1; i < count; i++) {
        top = ctDot(polygon->p[i], d) > ctDot(polygon->p[top], d) ? i : top;
    }
    int after = (top + 1) % count, before = (top + count - 1) % count;
    ctVec3 p = polygon->p[top], q = ctSub(polygon->p[after], p), r = ctSub(polygon->p[before], p);
    double sineAfter = -ctDot(q, d) / ctLength(q), sineBefore = -ctDot(r, d) / ctLength(r);
    if (!(ctFmin(sineAfter, sineBefore) < EDGE_SINE)) {
        return false;
    }
    int low = sineAfter < sineBefore ? top : before, high = sineAfter < sineBefore ? after : top;
    edge->kind = ct_patchSegment;
    edge->count = 0;
    edge->face = polygon->face;
    edge->round = polygon->round;
    addPoint(edge, polygon->p[low], polygon->id[low]);
    addPoint(edge, polygon->p[high], polygon->id[high]);
    edge->centre = edge->p[0];
    edge->axis = ctNormalize(ctSub(edge->p[1], edge->p[0]));
    edge->swing = ctFmin(0.99, sqrt(1.0 - facing * facing)); // the face beyond the edge leans as much, or more
    return true;
}

void ctPatch_Move(ctPatch *patch, const ctMat3 *r, ctVec3 t)
{
    for (int i = 0; i < patch->count; i++) {
        patch->p[i] = ctAdd(t, ctMulMV(*r, patch->p[i]));
    }
    patch->centre = ctAdd(t, ctMulMV(*r, patch->centre));
    if (patch->kind == ct_patchSegment) {
        patch->axis = ctMulMV(*r, patch->axis);
    } else if (patch->kind >= ct_patchPolygon) {
        patch->n = ctMulMV(*r, patch->n);
    }
}

static ctVec3 nearestOnSegment(ctVec3 p, ctVec3 q, ctVec3 x)
{
    ctVec3 e = ctSub(q, p);
    double t = ctDot(ctSub(x, p), e), ee = ctDot(e, e);
    return !(t > 0.0) ? p : t < ee ? ctMulAdd(p, t / ee, e) : q;
}

static ctVec3 nearestOnPolygon(const ctPatch *patch, ctVec3 x)
{
    ctVec3 best = ctMulAdd(x, -ctDot(patch->n, ctSub(x, patch->p[0])), patch->n);
    double least = INFINITY;
    for (int i = 0; i < patch->count; i++) {
        ctVec3 p = patch->p[i], q = patch->p[i + 1 < patch->count ? i + 1 : 0];
        if (ctDot(patch->n, ctCross(ctSub(q, p), ctSub(x, p))) < 0.0) { // outside this side
            ctVec3 on = nearestOnSegment(p, q, x);
            double d = ctLengthSquared(ctSub(x, on));
            if (d < least) {
                least = d;
                best = on;
            }
        }
    }
    return best;
}

ctVec3 ctPatch_Nearest(const ctPatch *patch, ctVec3 x)
{
    if (patch->kind == ct_patchPoint) {
        return patch->p[0];
    }
    if (patch->kind == ct_patchSegment) {
        return nearestOnSegment(patch->p[0], patch->p[1], x);
    }
    if (patch->kind == ct_patchPolygon) {
        return nearestOnPolygon(patch, x);
    }
    ctVec3 d = ctSub(x, patch->centre), across = ctMulAdd(d, -ctDot(patch->n, d), patch->n);
    double r = ctLength(across);
    return ctMulAdd(patch->centre, r > patch->radius ? patch->radius / r : 1.0, across);
}

double ctPatch_Inside(const ctPatch *patch, ctVec3 p)
{
    if (patch->kind == ct_patchDisc) {
        ctVec3 d = ctSub(p, patch->centre);
        return patch->radius - ctLength(ctMulAdd(d, -ctDot(d, patch->n), patch->n));
    }
    double least = INFINITY;
    for (int i = 0; i < patch->count; i++) {
        ctVec3 edge = ctSub(patch->p[i + 1 < patch->count ? i + 1 : 0], patch->p[i]);
        least = ctFmin(least, ctDot(ctCross(patch->n, edge), ctSub(p, patch->p[i])) / ctLength(edge));
    }
    return least;
}
