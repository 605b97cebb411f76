// Where energy comes from and where it goes.
//
// Kinetic and potential energy of the dynamic bodies together are, at the end of a frame and to rounding,
//     given + kinematic work + push work + step error - friction - restitution - contact,
// the sums in ctStats. Flight conserves energy; impacts lose what their impulses do at the mean of the
// velocities before and after. An island is measured from the end of one step to the end of the next: every
// body in contact remembers the energy that has been accounted for, which includes what impacts and the program
// did to it since. Beside that, the work of every contact over the step is computed from its impulse P,
//     W = P . (u0 + u1) / 2,
// u0 and u1 the velocities of one body at the point relative to the other at the start and at the end of the
// step. Its part along the normal is lost to contact, the rest to friction; resistances to rolling and spinning
// count as friction. A kinematic body adds the work of P at its own velocity. Going to sleep is a loss to
// contact. The difference between what was measured and these is the error of the step.
//
// A large island counts friction at the velocities that its sweeps end with, one step later. Its bodies get the gravity
// of a step at once and move straight on, which is a known error; what is left of the difference, the restless motion
// of a pile included, is the contacts' loss.
#include "engine/contact.h"

double ctBody_Energy(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    const ctBodyInfo *info = &world->infos[index];
    double potential = -info->mass * ctDot(world->def.gravity, body->x);
    return potential + 0.5 * info->mass * ctLengthSquared(body->v) + ctInertia_Energy(&info->inertia, body->q, body->w);
}

// ---- outside of contact -----------------------------------------------------------------------

void ctEnergy_Account(ctWorld *world, int index, double change)
{
    ctContacts *c = world->contacts;
    if (index < c->bodyCapacity) {
        c->bodies[index].energy += change;
    }
}

void ctEnergy_Give(ctWorld *world, int index, double change)
{
    world->stats.givenEnergy += change;
    ctEnergy_Account(world, index, change);
}

void ctEnergy_Settle(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    if (world->bodies[index].mode == ct_modeContact) {
        double energy = ctBody_Energy(world, index);
        world->stats.stepError += energy - c->bodies[index].energy;
        c->bodies[index].energy = energy;
    }
}

// ---- islands ----------------------------------------------------------------------------------

void ctEnergy_OpenStep(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    c->work = (ctStepWork){0};
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        bool known = world->bodies[index].mode == ct_modeContact;
        c->work.start += known ? c->bodies[index].energy : ctBody_Energy(world, index);
    }
}

// Velocities of a body at the start of the step and at its end. moved: it has been in contact all the time.
typedef struct Motion {
    ctVec3 v0, w0, v1, w1;
    bool moved;
} Motion;

static Motion motionOf(const ctWorld *world, int index, int slot)
{
    const ctContacts *c = world->contacts;
    const ctBody *body = &world->bodies[index];
    const ctSolverBody *end = &c->solverBodies[slot];
    if (!(end->invMass > 0.0)) {
        return (Motion){end->v, end->w, end->v, end->w, true};
    }
    if (body->mode == ct_modeContact && !body->struck) {
        return (Motion){c->bodies[index].v, c->bodies[index].w, end->v, end->w, true};
    }
    return (Motion){body->v, body->w, end->v, end->w, false};
}

// Mean velocity of the place that is at arm0 at the start and at arm1 at the end.
static ctVec3 meanVelocity(const Motion *m, ctVec3 arm0, ctVec3 arm1)
{
    ctVec3 before = ctAdd(m->v0, ctCross(m->w0, m->moved ? arm0 : arm1)), after = ctAdd(m->v1, ctCross(m->w1, arm1));
    return ctScale(0.5, ctAdd(before, after));
}

void ctEnergy_AddPoints(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        const ctContactRecord *record = &c->records[c->refs[i].record];
        const ctContactPoint *point = &record->points[c->refs[i].point];
        Motion a = motionOf(world, record->a, p->a), b = motionOf(world, record->b, p->b);
        ctVec3 ua = meanVelocity(&a, point->known ? point->armA : p->ra, p->ra);
        ctVec3 ub = meanVelocity(&b, point->known ? point->armB : p->rb, p->rb);
        ctVec3 u = ctSub(ua, ub), turn = ctScale(0.5, ctAdd(b.w0, b.w1));
        ctVec3 relativeTurn = ctSub(ctScale(0.5, ctAdd(a.w0, a.w1)), turn);
        double normal = ctDot(p->impulse, p->n) * ctDot(u, p->n);
        c->work.contact += normal;
        c->work.friction += ctDot(p->impulse, u) - normal + ctDot(p->twist, relativeTurn);
        if (world->bodies[record->b].mode == ct_modeKinematic) {
            c->work.kinematic += ctDot(p->impulse, ub) + ctDot(p->twist, turn);
        }
    }
}

// What the body's energy has changed by since it was last accounted for is accounted for now.
static double closeBody(ctWorld *world, int index)
{
    return world->contacts->bodies[index].energy = ctBody_Energy(world, index);
}

// The change that the sums of friction, kinematic bodies and pushes do not explain.
static double closeSums(ctWorld *world, double energy)
{
    const ctStepWork *work = &world->contacts->work;
    world->stats.frictionLoss -= work->friction;
    world->stats.kinematicWork += work->kinematic;
    world->stats.pushWork += work->push;
    return energy - work->start - work->friction - work->kinematic - work->push;
}

void ctEnergy_CloseStep(ctWorld *world, const ctIsland *island)
{
    double energy = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        energy += closeBody(world, world->contacts->members[island->firstBody + i]);
    }
    double rest = closeSums(world, energy);
    world->stats.contactLoss -= world->contacts->work.contact;
    world->stats.stepError += rest - world->contacts->work.contact;
}

// ---- large islands ----------------------------------------------------------------------------

void ctEnergy_OpenPile(ctWorld *world, const ctPile *pile)
{
    ctContacts *c = world->contacts;
    c->work = (ctStepWork){0};
    for (int i = 1; i < pile->slotCount; i++) {
        int index = pile->slots[i].body;
        if (pile->slots[i].member) {
            bool known = world->bodies[index].mode == ct_modeContact;
            c->work.start += known ? c->bodies[index].energy : ctBody_Energy(world, index);
        }
    }
}

void ctEnergy_AddPile(ctWorld *world, const ctPile *pile, const ctPileManifold *m)
{
    ctStepWork *work = &world->contacts->work;
    const ctPileSlot *a = &pile->slots[m->a], *b = &pile->slots[m->b];
    for (int i = 0; i < m->count; i++) {
        const ctPilePoint *p = &m->points[i];
        if (!(p->pn > 0.0)) {
            continue;
        }
        ctVec3 at = ctAdd(b->v, ctCross(b->w, p->rb));
        ctVec3 u = ctSub(ctAdd(a->v, ctCross(a->w, p->ra)), at);
        ctVec3 along = ctMulAdd(ctScale(p->p1, m->t1), p->p2, m->t2);
        work->friction += ctDot(along, u);
        if (m->wall && m->b > 0) {
            work->kinematic += ctDot(along, at) + p->pn * ctDot(m->n, at);
        }
    }
    if (m->twisted) {
        work->friction += ctDot(m->twist, ctSub(a->w, b->w));
        work->kinematic += m->wall ? ctDot(m->twist, b->w) : 0.0;
    }
}

void ctEnergy_ClosePile(ctWorld *world, const ctPile *pile)
{
    double energy = 0.0;
    for (int i = 1; i < pile->slotCount; i++) {
        energy += pile->slots[i].member ? closeBody(world, pile->slots[i].body) : 0.0;
    }
    double rest = closeSums(world, energy), gravity = world->contacts->work.gravity;
    world->stats.stepError += gravity;
    world->stats.contactLoss -= rest - gravity;
}
