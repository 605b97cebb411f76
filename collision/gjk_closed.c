// Closest points in closed form, and exact where the geometry is: the normal of a ball over a flat face
// is the face's own, to the last bit.
#include "collision/gjk_internal.h"

static void setAnswer(ctCoreAnswer *answer, ctVec3 a, ctVec3 b, ctVec3 n, double distance)
{
    answer->a = a;
    answer->b = b;
    answer->n = n;
    answer->distance = distance;
}

static void swapSides(ctCoreAnswer *answer)
{
    ctCoreAnswer old = *answer;
    answer->a = old.b;
    answer->b = old.a;
    answer->n = ctNeg(old.n);
    answer->featureA = old.featureB;
    answer->featureB = old.featureA;
}

static bool isSegment(const ctShape *s)
{
    return s->type == ct_shapeSphere || s->type == ct_shapeCapsule;
}

static double clampUnit(double t)
{
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

// Closest parameters of p + s d and q + t e, both in [0, 1]; either may be a point.
static void segmentSegment(ctVec3 p, ctVec3 d, ctVec3 q, ctVec3 e, double *s, double *t)
{
    ctVec3 r = ctSub(p, q);
    double dd = ctDot(d, d), ee = ctDot(e, e), dr = ctDot(d, r), er = ctDot(e, r);
    *s = *t = 0.0;
    if (!(dd > 0.0)) {
        *t = ee > 0.0 ? clampUnit(er / ee) : 0.0;
        return;
    }
    if (!(ee > 0.0)) {
        *s = clampUnit(-dr / dd);
        return;
    }
    double de = ctDot(d, e);
    ctVec3 x = ctCross(d, e);
    double det = ctDot(x, x); // dd ee - de^2 without its cancellation
    if (det > 1e-24 * dd * ee) {
        *s = clampUnit(ctDot(ctCross(e, r), x) / det);
    } else {
        // Parallel: the middle of the stretch that they share.
        double lo = clampUnit(-dr / dd), hi = clampUnit((de - dr) / dd);
        *s = 0.5 * (lo + hi);
    }
    *t = clampUnit((de * *s + er) / ee);
    // Clamping t moves s; one more pass makes both correct.
    *s = clampUnit((de * *t - dr) / dd);
}

static bool segments(const ctShapePair *pair, ctCoreAnswer *answer)
{
    double ha = pair->a->type == ct_shapeCapsule ? pair->a->u.halfHeight : 0.0;
    double hb = pair->b->type == ct_shapeCapsule ? pair->b->u.halfHeight : 0.0;
    ctVec3 p = ctV3(0.0, 0.0, -ha), d = ctV3(0.0, 0.0, 2.0 * ha);
    ctVec3 e = ctScale(2.0 * hb, pair->r.cz), q = ctMulAdd(pair->t, -hb, pair->r.cz);
    double s, t;
    segmentSegment(p, d, q, e, &s, &t);
    ctVec3 a = ctMulAdd(p, s, d), b = ctMulAdd(q, t, e), v = ctSub(a, b);
    double distance = ctLength(v);
    bool overlapping = !(distance > 1e-14 * pair->scale);
    ctVec3 n = ctScale(1.0 / distance, v);
    if (overlapping) {
        // Crossing axes separate along their common perpendicular; points and collinear axes along any direction.
        ctVec3 x = ctCross(ctV3(0.0, 0.0, 1.0), pair->r.cz);
        distance = 0.0;
        n = ha > 0.0 || hb > 0.0 ? ctV3(1.0, 0.0, 0.0) : ctV3(0.0, 0.0, 1.0);
        if (ha > 0.0 && hb > 0.0 && ctLengthSquared(x) > 1e-24) {
            n = ctNormalize(x);
        } else if (!(ha > 0.0) && hb > 0.0) {
            n = pair->r.cx;
        }
    }
    setAnswer(answer, a, b, n, distance);
    answer->featureA = !(ha > 0.0) ? ct_featureSmooth : s > 0.0 && s < 1.0 ? ct_featureEdge : ct_featureVertex;
    answer->featureB = !(hb > 0.0) ? ct_featureSmooth : t > 0.0 && t < 1.0 ? ct_featureEdge : ct_featureVertex;
    return overlapping;
}

// A point c against a box about the origin: n points from the box to the point.
static bool pointBox(ctVec3 c, ctVec3 half, double scale, ctCoreAnswer *answer)
{
    ctVec3 q = ctMax(ctNeg(half), ctMin(half, c)), v = ctSub(c, q);
    int out = (v.x != 0.0) + (v.y != 0.0) + (v.z != 0.0);
    answer->featureA = ct_featureSmooth;
    answer->featureB = out == 1 ? ct_featureFace : out == 2 ? ct_featureEdge : ct_featureVertex;
    double distance = ctLength(v);
    if (distance > 1e-14 * scale) {
        ctVec3 n = ctScale(1.0 / distance, v);
        if (out == 1) {
            distance = fabs(v.x + v.y + v.z);
            n = ctV3(v.x / distance, v.y / distance, v.z / distance);
        }
        setAnswer(answer, c, q, n, distance);
        return false;
    }
    // Inside: out through the nearest face.
    ctVec3 depth = ctSub(half, ctAbs(c));
    ctVec3 n = ctV3(c.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0);
    double least = depth.x;
    q = ctV3(copysign(half.x, n.x), c.y, c.z);
    if (depth.y < least) {
        least = depth.y;
        n = ctV3(0.0, c.y < 0.0 ? -1.0 : 1.0, 0.0);
        q = ctV3(c.x, copysign(half.y, n.y), c.z);
    }
    if (depth.z < least) {
        least = depth.z;
        n = ctV3(0.0, 0.0, c.z < 0.0 ? -1.0 : 1.0);
        q = ctV3(c.x, c.y, copysign(half.z, n.z));
    }
    answer->featureB = ct_featureFace;
    setAnswer(answer, c, q, n, -least);
    return true;
}

// A convex outline in the half-plane: the profile closed by its caps, from axis to axis. Corner i of
// count + 2, where the first and the last are on the axis.
static void outlineCorner(const ctLathe *l, int i, double *r, double *z)
{
    int k = i == 0 ? 0 : i > l->count ? l->count - 1 : i - 1;
    *r = i == 0 || i > l->count ? 0.0 : l->r[k];
    *z = l->z[k];
}

// A point against a lathe: in the half-plane through the point and the axis, a point against a convex
// outline. Outside, the nearest point of the outline; inside, the edge of least depth.
static bool pointLathe(ctVec3 c, const ctLathe *l, double scale, ctCoreAnswer *answer)
{
    double rho = sqrt(c.x * c.x + c.y * c.y);
    double best = INFINITY, bestR = 0.0, bestZ = 0.0, least = INFINITY, nr = 0.0, nz = 1.0;
    bool inside = true, face = false, vertex = false;
    for (int i = 0; i < l->count + 1; i++) {
        double r0, z0, r1, z1;
        outlineCorner(l, i, &r0, &z0);
        outlineCorner(l, i + 1, &r1, &z1);
        double er = r1 - r0, ez = z1 - z0, ee = er * er + ez * ez;
        if (!(ee > 0.0)) {
            continue;
        }
        double len = sqrt(ee), height = ((rho - r0) * ez - (c.z - z0) * er) / len; // outward is (ez, -er)
        double t = ((rho - r0) * er + (c.z - z0) * ez) / ee;
        if (height > 0.0) {
            inside = false;
            double q = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t, pr = r0 + q * er, pz = z0 + q * ez;
            if (ez == 0.0) {
                pz = z0; // a cap, exactly
                pr = t > 0.0 && t < 1.0 ? rho : pr;
            }
            double d2 = (rho - pr) * (rho - pr) + (c.z - pz) * (c.z - pz);
            if (d2 < best) {
                best = d2;
                bestR = pr;
                bestZ = pz;
                face = ez == 0.0 && t > 0.0 && t < 1.0;
                vertex = !(pr > 0.0);
            }
        } else if (-height < least) {
            least = -height;
            nr = ez / len;
            nz = -er / len;
        }
    }
    double ux = rho > 0.0 ? c.x / rho : 1.0, uy = rho > 0.0 ? c.y / rho : 0.0;
    answer->featureA = ct_featureSmooth;
    answer->featureB = face ? ct_featureFace : vertex ? ct_featureVertex : ct_featureSmooth;
    double distance = sqrt(best);
    if (!inside && distance > 1e-14 * scale) {
        double dr = (rho - bestR) / distance, dz = (c.z - bestZ) / distance;
        ctVec3 q = face ? ctV3(c.x, c.y, bestZ) : ctV3(bestR * ux, bestR * uy, bestZ);
        setAnswer(answer, c, q, face ? ctV3(0.0, 0.0, dz) : ctV3(dr * ux, dr * uy, dz), distance);
        return false;
    }
    if (!inside) {
        least = 0.0;
    }
    answer->featureB = nr == 0.0 ? ct_featureFace : ct_featureSmooth;
    ctVec3 n = ctV3(nr * ux, nr * uy, nz);
    setAnswer(answer, c, ctMulAdd(c, least, n), n, -least);
    return true;
}

// The point of a cap of the lathe B nearest to the axis of A across which the cap lies flat.
static ctVec3 discPoint(const ctShapePair *pair, int code, int axis)
{
    const ctLathe *l = &pair->b->u.lathe;
    ctVec3 centre = ctMulAdd(pair->t, l->z[code], pair->r.cz), across = centre;
    *(axis == 0 ? &across.x : axis == 1 ? &across.y : &across.z) = 0.0;
    double away = ctLength(across);
    return ctMulAdd(centre, away > l->r[code] ? -l->r[code] / away : -1.0, across);
}

// A flat face of A against the point of B that is farthest towards it: if that point lies over the face it is the
// answer, with the face's normal. axis and sign name the outward normal of the face; answers of no more than least are
// not taken.
static bool facePoint(const ctShapePair *pair, int axis, double sign, double least, ctCoreAnswer *answer)
{
    ctVec3 out = ctV3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
    int code = 0;
    ctVec3 inward = ctNeg(out), d = ctMulTMV(pair->r, inward);
    ctVec3 b = ctAdd(pair->t, ctMulMV(pair->r, ctCoreSupport(pair->b, d, &code)));
    if (pair->b->type == ct_shapeLathe && d.x * d.x + d.y * d.y < 1e-28) {
        b = discPoint(pair, code, axis);
    }
    double level;
    if (pair->a->type == ct_shapeBox) {
        ctVec3 h = pair->a->u.half, m = ctAbs(b);
        level = axis == 0 ? h.x : axis == 1 ? h.y : h.z;
        if ((axis != 0 && m.x > h.x) || (axis != 1 && m.y > h.y) || (axis != 2 && m.z > h.z)) {
            return false;
        }
    } else {
        const ctLathe *l = &pair->a->u.lathe;
        int end = sign > 0.0 ? l->count - 1 : 0;
        level = sign * l->z[end];
        if (b.x * b.x + b.y * b.y > l->r[end] * l->r[end]) {
            return false;
        }
    }
    double distance = ctDot(b, out) - level;
    if (!(distance > least)) {
        return false;
    }
    ctVec3 a = ctV3(axis == 0 ? sign * level : b.x, axis == 1 ? sign * level : b.y, axis == 2 ? sign * level : b.z);
    setAnswer(answer, a, b, inward, distance);
    answer->featureA = ct_featureFace;
    answer->featureB = pair->b->type == ct_shapeCapsule ? ct_featureVertex : ct_featureSmooth;
    return true;
}

static bool faceOfA(const ctShapePair *pair, double least, ctCoreAnswer *answer)
{
    if (pair->a->type != ct_shapeLathe && pair->a->type != ct_shapeBox) {
        return false;
    }
    // The face that the middle of B is farthest outside of; the origin of B may be anywhere.
    ctVec3 c = ctAdd(pair->t, ctMulMV(pair->r, pair->b->unit.center));
    if (pair->a->type == ct_shapeLathe) {
        return facePoint(pair, 2, c.z < pair->a->unit.center.z ? -1.0 : 1.0, least, answer);
    }
    ctVec3 over = ctSub(ctAbs(c), pair->a->u.half);
    int axis = over.x > over.y ? (over.x > over.z ? 0 : 2) : (over.y > over.z ? 1 : 2);
    double along = axis == 0 ? c.x : axis == 1 ? c.y : c.z;
    return facePoint(pair, axis, along < 0.0 ? -1.0 : 1.0, least, answer);
}

static bool faceOfB(const ctShapePair *pair, double least, ctCoreAnswer *answer)
{
    if (pair->b->type != ct_shapeLathe && pair->b->type != ct_shapeBox) {
        return false;
    }
    ctMat3 back = ctTranspose(pair->r);
    ctShapePair mirrored = {pair->b,     pair->a,      back,        ctNeg(ctMulMV(back, pair->t)),
                            pair->scale, pair->smooth, pair->poseB, pair->poseA};
    ctCoreAnswer m;
    if (!faceOfA(&mirrored, least, &m)) {
        return false;
    }
    answer->n = ctNeg(ctMulMV(pair->r, m.n));
    answer->a = ctAdd(pair->t, ctMulMV(pair->r, m.b));
    answer->b = ctAdd(pair->t, ctMulMV(pair->r, m.a));
    answer->distance = m.distance;
    answer->featureA = m.featureB;
    answer->featureB = m.featureA;
    return true;
}

// Solids of revolution lie on boxes more often than boxes on their caps.
bool ctEitherFacePoint(const ctShapePair *pair, double least, ctCoreAnswer *answer)
{
    bool turned = pair->a->type == ct_shapeLathe && pair->b->type == ct_shapeBox;
    return turned ? faceOfB(pair, least, answer) || faceOfA(pair, least, answer)
                  : faceOfA(pair, least, answer) || faceOfB(pair, least, answer);
}

// The position of the only piece of a core in a simplex, if it is a point that does not move with the direction.
static bool onePoint(const ctShape *shape, const ctSimplex *s, bool ofA, ctVec3 *point)
{
    int code = ofA ? s->p[0].ca : s->p[0].cb;
    for (int i = 1; i < s->count; i++) {
        if ((ofA ? s->p[i].ca : s->p[i].cb) != code) {
            return false;
        }
    }
    *point = ofA ? s->p[0].a : s->p[0].b;
    return shape->type == ct_shapeLathe ? !(shape->u.lathe.r[code] > 0.0) : shape->type != ct_shapeEllipsoid;
}

bool ctPointAndLathe(const ctShapePair *pair, const ctSimplex *s, ctCoreAnswer *answer)
{
    ctVec3 c;
    if (pair->b->type == ct_shapeLathe && onePoint(pair->a, s, true, &c)) {
        ctVec3 local = ctMulTMV(pair->r, ctSub(c, pair->t));
        if (pointLathe(local, &pair->b->u.lathe, pair->scale, answer)) {
            return false;
        }
        answer->n = ctMulMV(pair->r, answer->n);
        answer->a = c;
        answer->b = ctAdd(pair->t, ctMulMV(pair->r, answer->b));
    } else if (pair->a->type == ct_shapeLathe && onePoint(pair->b, s, false, &c)) {
        if (pointLathe(c, &pair->a->u.lathe, pair->scale, answer)) {
            return false;
        }
        swapSides(answer);
    } else {
        return false;
    }
    ctSimplexPoint p = s->p[0];
    ctPairSupport(pair, answer->n, &p);
    return answer->distance - ctDot(answer->n, p.w) <= 1e-15 * pair->scale;
}

bool ctClosedForm(const ctShapePair *pair, ctCoreAnswer *answer, bool *overlapping)
{
    const ctShape *a = pair->a, *b = pair->b;
    if (isSegment(a) && isSegment(b)) {
        *overlapping = segments(pair, answer);
        return true;
    }
    if (b->type != ct_shapeSphere || (a->type != ct_shapeBox && a->type != ct_shapeLathe)) {
        return false;
    }
    *overlapping = a->type == ct_shapeBox ? pointBox(pair->t, a->u.half, pair->scale, answer)
                                          : pointLathe(pair->t, &a->u.lathe, pair->scale, answer);
    swapSides(answer);
    return true;
}
