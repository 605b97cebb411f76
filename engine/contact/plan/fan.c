// What is beside a corner, an edge or a rim: the feature bears as long as the normal is between its sides.
#include "engine/contact/plan/seat.h"

// Adds a corner of a polyhedron to the two faces of an edge: all corners lie between them. to: the way to the corner
// from the edge, across it.
static void widen(ctVec3 d, ctVec3 to, ctVec3 *sides, bool *any)
{
    if (!*any) {
        sides[0] = sides[1] = to;
        *any = true;
        return;
    }
    sides[0] = ctDot(d, ctCross(sides[0], to)) < 0.0 ? to : sides[0];
    sides[1] = ctDot(d, ctCross(sides[1], to)) > 0.0 ? to : sides[1];
}

// The directions from an edge of a polyhedron into its two faces, in the part's frame. False where it is none.
static bool findSides(const ctSeat *part, const ctGuide *edge, ctVec3 *sides)
{
    const ctShape *s = part->shape;
    bool box = s->type == ct_shapeBox, any = false;
    int count = box ? 8 : s->type == ct_shapeHull ? s->u.hull.vertexCount : 0;
    for (int i = 0; i < count; i++) {
        ctVec3 h = box ? s->u.half : ctZero3();
        ctVec3 p = box ? ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z) : s->u.hull.vertices[i];
        ctVec3 to = ctSub(p, edge->p);
        to = ctMulAdd(to, -ctDot(to, edge->d), edge->d);
        if (ctLength(to) > CT_APART * s->size) {
            widen(edge->d, ctNormalize(to), sides, &any);
        }
    }
    return any;
}

// The way along a lathe's profile from a rim to the next corner, or to the axis. lift: how much steeper a flat end is.
static ctVec3 alongProfile(const ctLathe *l, int at, int next, double lift)
{
    if (next < 0 || next == l->count) {
        return ctNormalize(ctV3(-1.0, 0.0, next < 0 ? -lift : lift));
    }
    return ctNormalize(ctV3(l->r[next] - l->r[at], 0.0, l->z[next] - l->z[at]));
}

// What is beside a rim, or beside the tip of a cone.
static void besideRim(const ctLathe *l, const ctGuide *g, double lift, ctFan *fan)
{
    int at = 0;
    while (at < l->count - 1 && (l->z[at] != g->p.z || l->r[at] != g->radius)) {
        at++;
    }
    fan->tip = g->kind == ct_guidePoint;
    fan->rim = !fan->tip;
    for (int next = at - 1; next <= at + 1; next += 2) {
        if (fan->rim || (next >= 0 && next < l->count)) {
            fan->sides[fan->count++] = alongProfile(l, at, next, lift);
        }
    }
}

static void addSide(ctFan *fan, ctVec3 side)
{
    if (fan->count < CT_FAN_SIDES) {
        fan->sides[fan->count] = side;
    }
    fan->count++;
}

// The edges that meet at a corner, in the part's frame.
static void besideCorner(const ctSeat *part, const ctGuide *g, ctFan *fan)
{
    const ctShape *s = part->shape;
    if (s->type == ct_shapeBox) {
        addSide(fan, ctV3(copysign(1.0, -g->p.x), 0.0, 0.0));
        addSide(fan, ctV3(0.0, copysign(1.0, -g->p.y), 0.0));
        addSide(fan, ctV3(0.0, 0.0, copysign(1.0, -g->p.z)));
    } else if (s->type == ct_shapeCapsule) {
        addSide(fan, ctV3(0.0, 0.0, copysign(1.0, -g->p.z)));
    } else if (s->type == ct_shapeHull) {
        const ctHull *hull = &s->u.hull;
        int at = 0;
        while (at < hull->vertexCount - 1 && ctDistance(hull->vertices[at], g->p) > 0.0) {
            at++;
        }
        for (int k = hull->firstNeighbour[at]; k < hull->firstNeighbour[at + 1]; k++) {
            addSide(fan, ctNormalize(ctSub(hull->vertices[hull->neighbours[k]], g->p)));
        }
    }
}

void ctFan_Find(const ctWorld *world, const ctSeat *part, const ctGuide *g, bool round, ctFan *fan)
{
    *fan = (ctFan){.count = 0};
    if (part->shape->type == ct_shapeLathe && g->kind != ct_guideLine) {
        besideRim(&part->shape->u.lathe, g, round ? 0.0 : CT_STEEP_RIM, fan);
        return;
    }
    if (g->kind == ct_guidePoint) {
        besideCorner(part, g, fan);
    } else if (g->kind == ct_guideLine && findSides(part, g, fan->sides)) {
        fan->count = 2;
    }
    fan->count = fan->count > CT_FAN_SIDES ? 0 : fan->count;
    ctMat3 r;
    ctVec3 t;
    ctSeat_Frame(world, part, &r, &t);
    for (int i = 0; i < fan->count; i++) {
        fan->sides[i] = ctMulMV(r, fan->sides[i]);
    }
}
