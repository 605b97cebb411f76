// A body that rolls, slides or spins on one point of the ground, in the form of motion/motion.h.
#include "engine/contact/plan/roll.h"

#include <string.h>

int ctRoll_BearingPoint(const ctContactRecord *record, double near)
{
    int found = -1;
    for (int i = 0; i < record->count; i++) {
        const ctContactPoint *p = &record->points[i];
        if (!(ctLengthSquared(p->force) > 0.0)) {
            continue;
        }
        if (!p->known || (found >= 0 && ctDistance(p->pointA, record->points[found].pointA) > near)) {
            return -1;
        }
        found = found < 0 || p->gap < record->points[found].gap ? i : found;
    }
    return found;
}

// 1 + the piece of a lathe at the point of contact, which need not be the lowest yet when another edge has just come to
// bear; 0 for other shapes.
static int pieceAt(const ctShape *shape, ctVec3 center, const ctContactBody *base, const ctContactPoint *point)
{
    if (shape->type != ct_shapeLathe) {
        return 0;
    }
    const ctLathe *l = &shape->u.lathe;
    ctVec3 p = ctAdd(ctInvRotate(base->q, ctSub(point->pointA, base->x)), center);
    double r = sqrt(p.x * p.x + p.y * p.y), least = INFINITY;
    int found = 0;
    for (int i = 0; i < l->count; i++) {
        double dr = l->r[i] - r, dz = l->z[i] - p.z, square = dr * dr + dz * dz;
        found = square < least ? i : found;
        least = ctFmin(least, square);
    }
    return 1 + found;
}

void ctRoll_SetUp(const ctWorld *world, const ctContactRecord *record, const ctContactPoint *point,
                  const ctGround *ground, ctRoller *b, double *y)
{
    const ctContactBody *base = &world->contacts->bodies[record->a];
    const ctBodyInfo *info = &world->infos[record->a];
    ctCoefficients pair = ctPair_Coefficients(world, &world->pairs[record->pair]);
    *b = (ctRoller){.shape = ctShape_Against(ctBody_Shape(world, record->a), ctBody_Shape(world, record->b)),
                    .center = info->center,
                    .n = ground->n,
                    .offset = ground->offset};
    b->gravity = ctBody_Pull(world, record->a);
    b->axes = info->inertia.axes;
    ctQuat f = b->frame = info->inertia.frame;
    b->turned = f.x != 0.0 || f.y != 0.0 || f.z != 0.0;
    b->inertia = info->inertia.principal;
    b->inverse = info->inertia.inversePrincipal;
    b->mass = info->mass;
    b->friction = pair.friction;
    b->rolling = pair.rolling;
    b->spinning = pair.spinning;
    b->bears = pieceAt(b->shape, b->center, base, point);
    const ctInertia *in = &info->inertia;
    b->pullN = ctDot(b->gravity, b->n);
    bool level = ctLengthSquared(b->gravity) - b->pullN * b->pullN <= 1e-20 * ctLengthSquared(b->gravity);
    bool axial = in->kind == ct_inertiaSpherical ||
                 (in->kind == ct_inertiaAxisymmetric && in->bodyAxis.z * in->bodyAxis.z > 1.0 - 1e-12);
    b->revolves = b->shape->type == ct_shapeLathe && level && axial && b->center.x == 0.0 && b->center.y == 0.0;
    if (b->revolves) {
        bool ball = in->kind == ct_inertiaSpherical;
        double along = ball ? in->principal.x : in->along, across = ball ? in->principal.x : in->across;
        b->along = 1.0 / along;
        b->across = 1.0 / across;
        b->bias = (along - across) / across;
    }
    ctQuat q = b->turned ? ctMulQ(base->q, f) : base->q;
    memset(y, 0, ct_rollState * sizeof *y);
    ctRoll_Put(y, ct_rollX, base->x);
    ctRoll_Put(y, ct_rollV, base->v);
    ctRoll_Put(y, ct_rollW, ctInvRotate(q, base->w));
    ctRoll_PutOrientation(y, q);
}
