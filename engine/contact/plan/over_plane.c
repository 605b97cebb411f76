// All corners, rims and surfaces of a body that may come to touch a plane.
#include "engine/contact/plan/guides.h"

// [storage] Corners and rims of all parts of a body over a plane.
#define CORNERS 64
// [rounding] Corners nearer than this share of the size are at one place; lengths that differ by less are the same.
#define SAME 1e-9

static bool addGuide(ctGuide g, ctGuide *guides, int *count, int max)
{
    if (*count >= max) {
        return false;
    }
    guides[(*count)++] = g;
    return true;
}

// All corners, rims or the surface of a part over a plane.
static bool addPart(const ctWorld *world, const ctSeat *part, ctGuide *guides, int *count, int max)
{
    int first = *count;
    const ctShape *shape = part->shape;
    bool ok = true;
    if (shape->type == ct_shapeBox) {
        ctVec3 h = shape->u.half;
        for (int i = 0; i < 8 && ok; i++) {
            ctVec3 p = ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
            ok = addGuide(ctGuide_Of(ct_guidePoint, p, ctZero3(), shape->round), guides, count, max);
        }
    } else if (shape->type == ct_shapeHull) {
        const ctHull *hull = &shape->u.hull;
        for (int i = 0; i < hull->vertexCount && ok; i++) {
            ctGuide g = ctGuide_Of(ct_guidePoint, hull->vertices[i], ctZero3(), shape->round);
            ok = addGuide(g, guides, count, max);
        }
    } else if (shape->type == ct_shapeCapsule) {
        for (int i = 0; i < 2 && ok; i++) {
            ctVec3 p = ctV3(0.0, 0.0, i == 0 ? -shape->u.halfHeight : shape->u.halfHeight);
            ok = addGuide(ctGuide_Of(ct_guidePoint, p, ctZero3(), shape->round), guides, count, max);
        }
    } else if (shape->type == ct_shapeLathe) {
        for (int i = 0; i < shape->u.lathe.count && ok; i++) {
            ok = addGuide(ctGuide_Rim(shape, i), guides, count, max);
        }
    } else if (shape->type == ct_shapeEllipsoid || shape->type == ct_shapeSphere) {
        ctGuide g;
        ok = ctSeat_Guide(part, &g) && addGuide(g, guides, count, max);
    } else {
        ok = false;
    }
    ctMat3 r;
    ctVec3 t;
    ctSeat_Frame(world, part, &r, &t);
    for (int i = first; i < *count; i++) {
        ctGuide_Move(&guides[i], &r, t);
    }
    return ok;
}

// Whether two corners, or two rims, are as high over any plane as two points that move along with them are.
static bool areAlike(const ctGuide *a, const ctGuide *b)
{
    bool known = a->kind == ct_guidePoint || a->kind == ct_guideRim;
    return known && a->kind == b->kind && a->round == b->round && fabs(a->radius - b->radius) <= SAME * a->radius &&
           ctLength(ctCross(a->d, b->d)) <= SAME;
}

// Whether a corner or a rim is that of a part before, or lies between two others, of which one is never higher.
static bool isSpare(const ctGuide *guides, int count, int i, double near)
{
    const ctGuide *g = &guides[i];
    for (int k = 0; k < count; k++) {
        ctVec3 way = ctSub(guides[k].p, g->p);
        bool alike = areAlike(g, &guides[k]), here = !(ctLength(way) > near);
        if (alike && here && k < i) {
            return true;
        }
        for (int j = 0; j < k && alike && !here; j++) {
            ctVec3 back = ctSub(guides[j].p, g->p);
            if (areAlike(g, &guides[j]) && ctLength(back) > near && ctDot(way, back) < 0.0 &&
                ctLength(ctCross(way, back)) <= near * ctLength(ctSub(way, back))) {
                return true;
            }
        }
    }
    return false;
}

int ctGuides_OverPlane(const ctWorld *world, const ctContactRecord *record, ctGuide *guides, int max)
{
    const ctShape *shape = ctBody_Shape(world, record->a), *plane = ctBody_Shape(world, record->b);
    ctGuide all[CORNERS];
    int count = 0, kept = 0;
    for (int leaf = 0; leaf < shape->leafCount; leaf++) {
        const ctLeaf *l = &shape->leaves[leaf];
        bool part = shape->type == ct_shapeCompound;
        ctSeat p = {.shape = ctShape_Against(part ? l->shape : shape, plane), .body = record->a};
        p.pose = part ? l->pose : ctTransformIdentity();
        if (!addPart(world, &p, all, &count, CORNERS)) {
            return -1;
        }
    }
    for (int i = 0; i < count; i++) {
        if (shape->leafCount > 1 && isSpare(all, count, i, SAME * shape->size)) {
            continue;
        }
        if (kept == max) {
            return -1;
        }
        guides[kept++] = all[i];
    }
    return kept;
}
