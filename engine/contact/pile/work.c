// Contacts of a pile add no energy.
//
// A step of length h takes the members of a pile from x0, v0 to
//     v1 = v0 + h g + d,   x1 = x0 + h v1,
// with the change d of the velocities by the contacts' impulses. With the masses M it changes their energy by
//     d.M v0 + d.M d / 2 - h^2 g.M g / 2.
// That is never positive where all contacts are solved and nothing moves them from outside. Sweeps that end before may
// leave impulses that are too large, such as those of an impact in the last step, which were the warm start. With s
// times the impulses d becomes s d. s is the largest factor up to 1 at which the energy does not rise.
#include "engine/contact/pile/pile.h"

#include "engine/contact/contact_internal.h"

// The work of kinematic bodies in the step, J.
static double kinematicWork(const ctPile *pile)
{
    double work = 0.0;
    for (int i = 0; i < pile->wallCount; i++) {
        const ctPileManifold *m = &pile->manifolds[pile->walls[i].manifold];
        const ctSolverBody *b = &pile->bodies[m->b];
        for (int k = 0; k < m->count && m->b > 0; k++) {
            const ctPilePoint *p = &m->points[k];
            ctVec3 u = ctVelocityAt(b->v, b->w, p->rb);
            work += p->p1 * ctDot(m->t1, u) + p->p2 * ctDot(m->t2, u) + p->pn * ctDot(m->n, u);
        }
        work += m->b > 0 ? ctDot(m->twist, b->w) : 0.0;
    }
    return work;
}

static void scaleList(ctPile *pile, const ctPileLink *list, int count, double factor)
{
    for (int i = 0; i < count; i++) {
        ctPile_Scale(&pile->manifolds[list[i].manifold], factor);
    }
}

static void scaleAll(const ctWorld *world, ctPile *pile, double factor)
{
    scaleList(pile, pile->active, pile->activeCount, factor);
    scaleList(pile, pile->walls, pile->wallCount, factor);
    for (int i = 1; i < pile->slotCount; i++) {
        const ctPileSlot *slot = &pile->slots[i];
        ctPileWork *gain = &pile->gains[i];
        if (slot->member && pile->marks[i].pushed) {
            ctVec3 free = ctMulAdd(slot->v, pile->step, ctBody_Pull(world, slot->body));
            pile->bodies[i].v = ctLerp(free, pile->bodies[i].v, factor);
            pile->bodies[i].w = ctLerp(slot->w, pile->bodies[i].w, factor);
            gain->linear *= factor;
            gain->square *= factor * factor;
        }
    }
}

static void findGain(const ctWorld *world, ctPile *pile, int index)
{
    const ctPileSlot *slot = &pile->slots[index];
    ctPileWork *gain = &pile->gains[index];
    const ctBodyInfo *info = &world->infos[slot->body];
    ctVec3 pull = ctBody_Pull(world, slot->body);
    ctVec3 push = ctSub(pile->bodies[index].v, ctMulAdd(slot->v, pile->step, pull));
    ctVec3 turn = ctSub(pile->bodies[index].w, slot->w);
    ctVec3 angular = ctInertia_Momentum(&info->inertia, world->bodies[slot->body].q, turn);
    gain->linear = info->mass * ctDot(push, slot->v) + ctDot(angular, slot->w);
    gain->square = 0.5 * (info->mass * ctLengthSquared(push) + ctDot(angular, turn));
    gain->fall = 0.5 * info->mass * pile->step * pile->step * ctLengthSquared(pull);
}

typedef struct Gains {
    const ctWorld *world;
    ctPile *pile;
} Gains;

static void findGains(void *context, int part, int worker)
{
    (void)worker;
    const Gains *gains = context;
    ctPile *pile = gains->pile;
    int end = ctPile_PartEnd(part, pile->slotCount);
    for (int i = part * CT_PILE_PART; i < end; i++) {
        if (pile->slots[i].member && pile->marks[i].pushed) {
            findGain(gains->world, pile, i);
        }
    }
}

void ctPile_LimitWork(ctWorld *world, ctPile *pile)
{
    double fall = 0.0, linear = -kinematicWork(pile), square = 0.0;
    Gains gains = {world, pile};
    ctCrew_Run(world, findGains, &gains, ctPile_PartCount(pile->slotCount));
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].member && pile->marks[i].pushed) {
            fall += pile->gains[i].fall;
            linear += pile->gains[i].linear;
            square += pile->gains[i].square;
        }
    }
    if (linear + square > fall) {
        double root = sqrt(linear * linear + 4.0 * square * fall);
        scaleAll(world, pile, linear > 0.0 ? 2.0 * fall / (linear + root) : (root - linear) / (2.0 * square));
    }
}
