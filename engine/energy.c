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
// A large island counts friction at the velocities that its sweeps end with. Its bodies get the gravity of a
// step at once and move straight on, which is a known error; what is left of the difference, the restless motion
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

static double closeBodies(ctWorld *world, const ctIsland *island)
{
    ctContacts *c = world->contacts;
    double change = -c->work.start;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        c->bodies[index].energy = ctBody_Energy(world, index);
        change += c->bodies[index].energy;
    }
    world->stats.frictionLoss -= c->work.friction;
    world->stats.kinematicWork += c->work.kinematic;
    world->stats.pushWork += c->work.push;
    return change - c->work.friction - c->work.kinematic - c->work.push;
}

void ctEnergy_CloseStep(ctWorld *world, const ctIsland *island)
{
    double rest = closeBodies(world, island);
    world->stats.contactLoss -= world->contacts->work.contact;
    world->stats.stepError += rest - world->contacts->work.contact;
}

// ---- large islands ----------------------------------------------------------------------------

void ctEnergy_AddLarge(ctWorld *world, const ctIsland *island, double step)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        if (!(p->pn > 0.0)) {
            continue;
        }
        const ctSolverBody *a = &c->solverBodies[p->a], *b = &c->solverBodies[p->b];
        ctVec3 u = ctSolverPoint_Velocity(p, c->solverBodies);
        double normal = p->pn * ctDot(u, p->n);
        c->work.friction += ctDot(p->impulse, u) - normal + ctDot(p->twist, ctSub(a->w, b->w));
        c->work.push += p->target > 0.0 ? p->pn * p->target : 0.0;
        if (!(b->invMass > 0.0)) { // at rest this is nothing
            ctVec3 at = ctAdd(b->v, ctCross(b->w, p->rb));
            c->work.kinematic += ctDot(p->impulse, at) + ctDot(p->twist, b->w);
        }
    }
    for (int i = 0; i < island->bodyCount; i++) {
        int index = c->members[island->firstBody + i];
        const ctBody *body = &world->bodies[index];
        double mass = world->infos[index].mass, before = mass * ctDot(world->def.gravity, body->v);
        double after = mass * ctDot(world->def.gravity, c->solverBodies[i].v);
        // The way that it has gone since the last step, and the push that it gets for the next.
        c->work.gravity -= body->mode == ct_modeContact ? before * (world->now - c->bodies[index].base) : 0.0;
        c->work.gravity += c->slotBody[i] != 0 ? 0.5 * step * (before + after) : 0.0;
    }
}

void ctEnergy_CloseLarge(ctWorld *world, const ctIsland *island)
{
    double rest = closeBodies(world, island);
    world->stats.stepError += world->contacts->work.gravity;
    world->stats.contactLoss -= rest - world->contacts->work.gravity;
}
