// Where energy comes from and where it goes.
//
// The kinetic and potential energy of all dynamic bodies is, at the end of a frame and to rounding,
//     given + kinematic work + push work + step error - friction - restitution - contact,
// the sums in ctStats. Flight conserves energy; impacts lose the work of their impulses at the mean of the velocities
// before and after. An island is measured from the end of one step to the end of the next: every body in contact stores
// the energy that has been accounted for, with the changes by impacts and the program since. Beside that, the work of
// every contact over the step is computed from its impulse P,
//     W = P . (u0 + u1) / 2,
// with the velocities u0 and u1 of one body at the point relative to the other at the start and at the end of the step.
// During a step the sums are computed in the same way from the forces that act. If a body was struck during the step,
// the last step's force has acted until then, and the rest of the impulse acts at the end, at once. The part of W along
// the normal is lost to contact, the rest to friction; resistances to rolling and spinning count as friction. A
// kinematic body adds the work of P at its own velocity. Falling asleep is a loss to contact. The difference between
// the measured change and these sums is the error of the step.
//
// A large island takes steps of the implicit Euler method: M (v1 - v0) = h M g + J and x1 = x0 + h v1, with the
// impulses J of its contacts. So its energy changes by
//     J.v1 - |v1 - v0|^2 / 2   (in the metric M),
// which is not positive where contacts do no work. It is known as soon as v1 is, and is accounted for then; the shares
// J_t.u1 of friction and of kinematic bodies follow when the step is over. An impact on a member during the step makes
// its fall wrong by the gravity of the rest of the step: an error of the step.
#include "engine/contact/contact_internal.h"

double ctEnergy_Of(const ctWorld *world, int index, const ctBodyState *s)
{
    const ctBodyInfo *info = &world->infos[index];
    double potential = -info->mass * ctDot(ctBody_Pull(world, index), s->x);
    return potential + 0.5 * info->mass * ctLengthSquared(s->v) + ctInertia_Energy(&info->inertia, s->q, s->w);
}

double ctBody_Energy(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    return ctEnergy_Of(world, index, &(ctBodyState){body->x, body->v, body->q, body->w});
}

// ---- outside of contact -----------------------------------------------------------------------

void ctEnergy_Account(ctWorld *world, int index, double change)
{
    ctContacts *c = world->contacts;
    if (index < c->bodyCapacity) {
        c->bodies[index].energy += change;
    }
}

double ctEnergy_Accounted(const ctWorld *world, int index)
{
    const ctContacts *c = world->contacts;
    return index < c->bodyCapacity ? c->bodies[index].energy : 0.0;
}

void ctEnergy_Give(ctWorld *world, int index, double change)
{
    world->stats.givenEnergy += change;
    ctEnergy_Account(world, index, change);
}

void ctEnergy_Settle(ctWorld *world, int index)
{
    ctContacts *c = world->contacts;
    if (ctBody_IsInContact(&world->bodies[index])) {
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
        bool known = ctBody_IsInContact(&world->bodies[index]);
        c->work.start += known ? c->bodies[index].energy : ctBody_Energy(world, index);
    }
}

// Mean velocities over a time: of the body's point of contact, and of its rotation.
typedef struct Mean {
    ctVec3 u, w;
} Mean;

static Mean meanOf(ctVec3 v0, ctVec3 w0, ctVec3 arm0, ctVec3 v1, ctVec3 w1, ctVec3 arm1)
{
    ctVec3 u0 = ctAdd(v0, ctCross(w0, arm0)), u1 = ctAdd(v1, ctCross(w1, arm1));
    return (Mean){ctScale(0.5, ctAdd(u0, u1)), ctScale(0.5, ctAdd(w0, w1))};
}

// Over the whole step; arm0: the arm at its start.
static Mean overStep(const ctWorld *world, int index, int slot, ctVec3 arm0, ctVec3 arm1)
{
    const ctContactBody *b = &world->contacts->bodies[index];
    const ctSolverBody *end = &world->contacts->solverBodies[slot];
    if (!(end->invMass > 0.0)) {
        return meanOf(end->v, end->w, arm0, end->v, end->w, arm1);
    }
    return meanOf(b->v, b->w, arm0, end->v, end->w, arm1);
}

// Before something struck the body: it has moved with the accelerations of the last step.
static Mean beforeBlow(const ctWorld *world, int index, int slot, ctVec3 arm)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    if (!(world->contacts->solverBodies[slot].invMass > 0.0) || !ctBody_IsInContact(body)) {
        return meanOf(body->v, body->w, arm, body->v, body->w, arm);
    }
    double dt = world->now - b->base;
    return meanOf(b->v, b->w, arm, ctMulAdd(b->v, dt, body->a), ctMulAdd(b->w, dt, body->alpha), arm);
}

// At the end of the step, from the present velocity.
static Mean atBlow(const ctWorld *world, int index, int slot, ctVec3 arm)
{
    const ctBody *body = &world->bodies[index];
    const ctSolverBody *end = &world->contacts->solverBodies[slot];
    return meanOf(body->v, body->w, arm, end->v, end->w, arm);
}

// armB: of the point. swing: the impulse along the normal has also acted along other normals, and was larger by this.
static void addWork(const ctWorld *world, const ctContactRecord *record, ctVec3 n, ctVec3 armB, ctVec3 impulse,
                    ctVec3 swing, ctVec3 twist, const Mean *a, Mean b, ctStepWork *work)
{
    b.u = ctMulAdd(b.u, -ctBody_BeltAlong(world, record->b, ctAdd(world->bodies[record->b].x, armB), n), n);
    ctVec3 u = ctSub(a->u, b.u);
    double normal = ctDot(impulse, n) * ctDot(u, n);
    work->contact += normal + ctDot(swing, u);
    work->friction += ctDot(impulse, u) - normal + ctDot(twist, ctSub(a->w, b.w));
    if (world->bodies[record->b].mode == ct_modeKinematic || ctBody_HasBelt(world, record->b)) {
        work->kinematic += ctDot(impulse, b.u) + ctDot(swing, b.u) + ctDot(twist, b.w);
    }
}

static bool isNull(ctVec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

void ctEnergy_AddPoints(ctWorld *world)
{
    ctContacts *c = world->contacts;
    for (int i = 0; i < c->solverPointCount; i++) {
        const ctSolverPoint *p = &c->solverPoints[i];
        const ctPointRef *ref = &c->refs[i];
        const ctContactRecord *record = &c->records[ref->record];
        const ctContactPoint *point = &record->points[ref->point];
        int indexA = record->a, indexB = record->b;
        if (!point->known && isNull(p->impulse) && isNull(p->twist)) {
            continue; // nothing has acted
        }
        ctVec3 armA = point->known ? point->armA : p->ra, armB = point->known ? point->armB : p->rb;
        if (!ctContactBody_IsStruck(&world->bodies[indexA]) && !ctContactBody_IsStruck(&world->bodies[indexB])) {
            Mean a = overStep(world, indexA, p->a, armA, p->ra), b = overStep(world, indexB, p->b, armB, p->rb);
            addWork(world, record, p->n, p->rb, p->impulse, ctSub(ref->start, ref->counter), p->twist, &a, b, &c->work);
            continue;
        }
        // The force of the last step has acted all the time; the rest of the impulse acts now.
        ctVec3 old = ctZero3(), oldTwist = ctZero3();
        if (point->known) {
            old = ctScale(ref->dt, point->force);
            oldTwist = ctScale(ref->dt, point->torque);
            Mean a = beforeBlow(world, indexA, p->a, armA), b = beforeBlow(world, indexB, p->b, armB);
            addWork(world, record, p->n, armB, old, ctZero3(), oldTwist, &a, b, &c->work);
        }
        Mean a = atBlow(world, indexA, p->a, p->ra), b = atBlow(world, indexB, p->b, p->rb);
        addWork(world, record, p->n, p->rb, ctSub(p->impulse, old), ctZero3(), ctSub(p->twist, oldTwist), &a, b,
                &c->work);
    }
}

// Accounts for the change of the body's energy since the last time.
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

double ctEnergy_DrivePower(const ctWorld *world, int index, const ctBodyState *s)
{
    const ctBodyInfo *info = &world->infos[index];
    double spinning = 2.0 * ctInertia_Energy(&info->inertia, s->q, s->w);
    return ctDot(info->drive.torque, s->w) - info->drive.turning * spinning -
           info->drive.drag * info->mass * ctLengthSquared(s->v);
}

// The work of torque and drag in a step since the body's base, at the mean of the velocities then and now, J.
static double driveWork(const ctWorld *world, int index, ctVec3 v1, ctVec3 w1)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    if (!body->driven || ctBody_IsPlanned(body)) {
        return 0.0;
    }
    ctBodyState mean = {.v = ctLerp(b->v, v1, 0.5), .q = body->q, .w = ctLerp(b->w, w1, 0.5)};
    return ctEnergy_DrivePower(world, index, &mean) * (world->now - b->base);
}

void ctEnergy_CloseStep(ctWorld *world, const ctIsland *island)
{
    double energy = 0.0;
    for (int i = 0; i < island->bodyCount; i++) {
        int index = world->contacts->members[island->firstBody + i];
        // the work in a flight has been counted when the body was advanced
        bool flown = world->contacts->before[i].flying;
        double driven = flown ? 0.0 : driveWork(world, index, world->bodies[index].v, world->bodies[index].w);
        world->stats.driveWork += driven;
        energy += closeBody(world, index) - driven;
    }
    double rest = closeSums(world, energy);
    world->stats.contactLoss -= world->contacts->work.contact;
    world->stats.stepError += rest - world->contacts->work.contact;
}

// ---- between two steps ------------------------------------------------------------------------

double ctContact_OpenTime(const ctWorld *world, const ctContactRecord *record)
{
    const int ends[2] = {record->a, record->b};
    double open = INFINITY;
    for (int k = 0; k < 2; k++) {
        if (ctBody_IsMovable(&world->bodies[ends[k]])) {
            open =
                ctFmin(open, ctContactBody_IsInStep(world, ends[k]) ? world->now - world->contacts->bodies[ends[k]].base
                                                                    : 0.0);
        }
    }
    return open < (double)INFINITY ? open : 0.0;
}

// From the base of a body to now, at a point that was at arm then.
static Mean sinceBase(const ctWorld *world, int index, ctVec3 arm)
{
    const ctBody *body = &world->bodies[index];
    const ctContactBody *b = &world->contacts->bodies[index];
    if (!ctBody_IsMovable(body)) {
        ctVec3 v = body->v, w = body->w;
        ctBody_AddBelt(world, index, &v, &w);
        return meanOf(v, w, arm, v, w, arm);
    }
    ctBodyState s = ctBody_StateAt(world, body, world->now);
    return meanOf(b->v, b->w, arm, s.v, s.w, arm);
}

void ctEnergy_AddOpen(const ctWorld *world, ctStats *stats)
{
    const ctContacts *c = world->contacts;
    ctStepWork work = {0};
    double change = 0.0;
    for (int i = 0; i < world->bodyCount; i++) {
        int index = world->order[i];
        bool planned = ctContactBody_IsInPlan(world, index);
        if (planned || ctContactBody_IsInStep(world, index)) {
            ctBodyState s = ctBody_StateAt(world, &world->bodies[index], world->now);
            double driven = driveWork(world, index, s.v, s.w);
            stats->driveWork += driven;
            change += ctEnergy_Of(world, index, &s) - c->bodies[index].energy - driven;
        }
    }
    for (int i = 0; i < c->recordSlots; i++) {
        const ctContactRecord *record = &c->records[i];
        double open = record->pair >= 0 && record->count > 0 ? ctContact_OpenTime(world, record) : 0.0;
        for (int k = 0; k < record->count && open > 0.0; k++) {
            const ctContactPoint *p = &record->points[k];
            if (p->known && ctLengthSquared(p->force) > 0.0) {
                Mean a = sinceBase(world, record->a, p->armA), b = sinceBase(world, record->b, p->armB);
                addWork(world, record, p->n, p->armB, ctScale(open, p->force), ctZero3(), ctScale(open, p->torque), &a,
                        b, &work);
            }
        }
    }
    stats->frictionLoss -= work.friction;
    stats->kinematicWork += work.kinematic;
    stats->contactLoss -= work.contact;
    stats->stepError += change - work.friction - work.kinematic - work.contact;
}

// ---- plans ------------------------------------------------------------------------------------

void ctEnergy_CloseRoll(ctWorld *world, int index, double work)
{
    double before = world->contacts->bodies[index].energy;
    world->stats.frictionLoss -= work;
    world->stats.stepError += closeBody(world, index) - before - work;
}

void ctEnergy_AddCourse(const ctCourse *course, const ctCourseWork *work, ctStats *stats)
{
    double rubbed = work->friction - course->friction, carried = work->kinematic - course->kinematic;
    stats->frictionLoss -= rubbed;
    stats->kinematicWork += carried;
    stats->driveWork += work->drive;
    stats->pushWork += course->push;
    stats->contactLoss -= course->stop;
    stats->stepError -= rubbed + carried + work->drive + course->push + course->stop;
}

void ctEnergy_CloseCourse(ctWorld *world, ctCourse *course, const ctCourseWork *work)
{
    double before = 0.0, after = 0.0;
    for (int i = 0; i < course->bodyCount; i++) {
        before += world->contacts->bodies[course->bodies[i]].energy;
        after += closeBody(world, course->bodies[i]);
    }
    ctEnergy_AddCourse(course, work, &world->stats);
    world->stats.stepError += after - before;
    course->friction = work->friction;
    course->kinematic = work->kinematic;
    course->push = course->stop = 0.0;
}

// ---- large islands ----------------------------------------------------------------------------

double ctEnergy_Lift(const ctWorld *world, int index, ctVec3 push)
{
    return -world->infos[index].mass * ctDot(ctBody_Pull(world, index), push);
}

void ctEnergy_StepMember(ctWorld *world, int index, ctVec3 push, double change)
{
    double lift = ctEnergy_Lift(world, index, push);
    if (!ctBody_IsInContact(&world->bodies[index])) {
        world->contacts->bodies[index].energy = ctBody_Energy(world, index) - lift;
    }
    world->stats.pushWork += lift;
    world->stats.contactLoss -= change;
    world->contacts->bodies[index].energy += lift + change;
}

void ctEnergy_AddPile(const ctPile *pile, const ctPileManifold *m, double share, ctStats *stats)
{
    const ctPileSlot *a = &pile->slots[m->a], *b = &pile->slots[m->b];
    double friction = 0.0, kinematic = 0.0;
    for (int i = 0; i < m->count; i++) {
        const ctPilePoint *p = &m->points[i];
        if (!(p->pn > 0.0)) {
            continue;
        }
        ctVec3 at = ctVelocityAt(b->v, b->w, p->rb);
        ctVec3 u = ctSub(ctVelocityAt(a->v, a->w, p->ra), at);
        ctVec3 along = ctMulAdd(ctScale(p->p1, m->t1), p->p2, m->t2);
        friction += ctDot(along, u);
        if (m->wall && m->b > 0) {
            kinematic += ctDot(along, at) + p->pn * ctDot(m->n, at);
        }
    }
    if (m->twisted) {
        friction += ctDot(m->twist, ctSub(a->w, b->w));
        kinematic += m->wall ? ctDot(m->twist, b->w) : 0.0;
    }
    stats->frictionLoss -= share * friction;
    stats->kinematicWork += share * kinematic;
    stats->contactLoss += share * (friction + kinematic);
}

void ctEnergy_SettlePile(ctWorld *world, const ctPile *pile)
{
    for (int i = 1; i < pile->slotCount; i++) {
        if (pile->slots[i].member) {
            ctEnergy_Settle(world, pile->slots[i].body);
        }
    }
}
