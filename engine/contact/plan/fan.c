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

// The way along a lathe's profile from a rim to the next corner, or to the axis.
static ctVec3 alongProfile(const ctLathe *l, int at, int next)
{
    if (next < 0 || next == l->count) {
        return ctV3(-1.0, 0.0, 0.0);
    }
    return ctNormalize(ctV3(l->r[next] - l->r[at], 0.0, l->z[next] - l->z[at]));
}

// What is beside a rim, or beside the tip of a cone. Flat ends count unless it is a line that crosses it.
static void besideRim(const ctLathe *l, const ctGuide *g, ctGuideKind other, ctFan *fan)
{
    int at = 0;
    while (at < l->count - 1 && (l->z[at] != g->p.z || l->r[at] != g->radius)) {
        at++;
    }
    fan->tip = g->kind == ct_guidePoint;
    fan->rim = !fan->tip;
    for (int next = at - 1; next <= at + 1; next += 2) {
        bool end = next < 0 || next == l->count;
        if (!end || (fan->rim && other != ct_guideLine)) {
            fan->sides[fan->count++] = alongProfile(l, at, next);
        }
    }
}

// The edges that meet at a corner, in the part's frame.
static void besideCorner(const ctSeat *part, const ctGuide *g, ctFan *fan)
{
    ctGuide edges[CT_FAN_SIDES];
    if (part->shape->type == ct_shapeCapsule) {
        fan->sides[fan->count++] = ctV3(0.0, 0.0, copysign(1.0, -g->p.z));
        return;
    }
    fan->count = ctSeat_Edges(part, g, edges);
    for (int i = 0; i < fan->count && i < CT_FAN_SIDES; i++) {
        fan->sides[i] = edges[i].d;
    }
}

void ctFan_Find(const ctWorld *world, const ctSeat *part, const ctGuide *g, ctGuideKind other, ctFan *fan)
{
    *fan = (ctFan){.count = 0};
    if (part->shape->type == ct_shapeLathe && g->kind != ct_guideLine) {
        besideRim(&part->shape->u.lathe, g, other, fan);
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
