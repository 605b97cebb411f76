// Impulses at all places of a sequence at once, where one after the other would not end.
//
// Between two bodies of the masses M and m and a wall, impacts one by one pass on m / M of the momentum each: a sugar
// cube under an anvil takes a hundred thousand. Their limit without rebound is what contact would do: impulses in the
// friction cones after which nothing approaches. The solver of sustained contact finds them.
//
// Bodies that bounce well store in the light ones what the heavy ones lose, and get it back. With the velocities scaled
// by the roots of the masses, two bodies before a wall are one point between two mirrors (Galperin 2003): each impact
// turns its course by a = sqrt(m / M) on the mean, until it has turned by pi. Restitution e below one takes e^(1/2) of
// the speed each time (two impacts, as a map of both velocities, have the determinant e^2). Like an oscillator with the
// damping d = -log(e) / 2 it turns more slowly then, by sqrt(a^2 - d^2) per impact; with a <= d it comes to rest, and
// the plastic impulses are right. In terms of these, P, and of the mobilities K between all places,
//     a^2 = 2 P K P / sum_i P_i K_ii P_i,
// and d is the mean with the weights P_i K_ii P_i. The plastic impulses lose L, more than P K P / 2 where light bodies
// are on their way: the course has then turned by phi, cos^2 phi = P K P / (2 L), and pi - phi is to come. So the share
//     b = exp(-2 d (pi - phi) / sqrt(a^2 - d^2))
// of L is given back: the impulses become (1 + r) P, which is in the cones as P is, with
//     r P u + r^2 P K P / 2 = b L,
// u the velocities after P.
#include "engine/collide/collide_internal.h"
#include "engine/solver/solver.h"

#include "collision/memory.h"
#include "engine/contact/contact.h"

#include <string.h>

static int slotOf(const ctWorld *world, ctJoint *joint, int index)
{
    for (int i = 0; i < joint->bodyCount; i++) {
        if (joint->slots[i] == index) {
            return i;
        }
    }
    joint->slots[joint->bodyCount] = index;
    ctSolverBody *s = &joint->bodies[joint->bodyCount];
    *s = ctBody_ForSolver(world, &world->bodies[index]);
    ctBody_AddBelt(world, index, &s->v, &s->w);
    return joint->bodyCount++;
}

bool ctJoint_Solve(ctWorld *world, const ctSequence *s, ctJoint *joint)
{
    size_t count = (size_t)s->touchCount;
    joint->points = ctAllocate(count, sizeof *joint->points);
    joint->bodies = ctAllocate(4 * count, sizeof *joint->bodies);
    joint->before = ctAllocate(count, sizeof *joint->before);
    joint->slots = ctAllocate(2 * count, sizeof *joint->slots);
    joint->accounts = ctAllocate(2 * count, sizeof *joint->accounts);
    if (joint->points == NULL || joint->bodies == NULL || joint->before == NULL || joint->slots == NULL ||
        joint->accounts == NULL) {
        return false;
    }
    double fastest = 0.0;
    ctSolverBody *start = &joint->bodies[2 * count];
    for (int i = 0; i < s->touchCount; i++) {
        const ctTouch *touch = &s->touches[i];
        const ctBodyPair *pair = &world->pairs[touch->pair];
        ctSolverPoint *p = &joint->points[i];
        *p =
            (ctSolverPoint){.a = slotOf(world, joint, pair->a), .b = slotOf(world, joint, pair->b), .n = touch->normal};
        p->ra = ctSub(touch->point, world->bodies[pair->a].x);
        p->rb = ctSub(touch->point, world->bodies[pair->b].x);
        p->mu = ctPair_Coefficients(world, pair).friction;
        p->target -= ctBody_BeltAlong(world, pair->b, touch->point, p->n);
        joint->before[i] = ctSolverPoint_Velocity(p, joint->bodies);
        fastest = ctFmax(fastest, -ctDot(touch->normal, joint->before[i]));
    }
    memcpy(start, joint->bodies, (size_t)joint->bodyCount * sizeof *start);
    ctContact_Solver(world)->shares = false;
    ctSolver_Solve(ctContact_Solver(world), joint->bodies, joint->bodyCount, joint->points, s->touchCount,
                   CT_EQUAL * fastest, CT_SOLVER_BUDGET);
    ctSolver_LimitWork(joint->bodies, start, joint->points, s->touchCount);
    return true;
}

bool ctJoint_Rebound(const ctWorld *world, const ctSequence *s, ctJoint *joint)
{
    double own = 0.0, whole = 0.0, after = 0.0, lost = 0.0, decay = 0.0;
    for (int i = 0; i < s->touchCount; i++) {
        const ctSolverPoint *p = &joint->points[i];
        if (!(p->pn > 0.0)) {
            continue;
        }
        ctVec3 u = ctSolverPoint_Velocity(p, joint->bodies);
        double weight = p->pn * p->pn * p->knn;
        own += weight;
        decay -= weight * ctLog(ctPair_Coefficients(world, &world->pairs[s->touches[i].pair]).restitution);
        whole += ctDot(p->impulse, ctSub(u, joint->before[i]));
        after += ctDot(p->impulse, u);
        lost -= 0.5 * ctDot(p->impulse, ctAdd(u, joint->before[i]));
    }
    if (!(whole > 0.0 && lost > 0.0)) {
        return false;
    }
    double damping = 0.5 * decay / own, turn = 2.0 * whole / own - damping * damping;
    double back =
        ctExp(-2.0 * damping * (CT_PI - ctAcos(sqrt(ctFmin(1.0, 0.5 * whole / lost)))) / sqrt(ctFmax(turn, 0.0)));
    if (!(turn > 0.0)) {
        return false;
    }
    double share = (sqrt(after * after + 2.0 * whole * back * lost) - after) / whole;
    ctSolver_Apply(joint->bodies, joint->points, s->touchCount, share);
    for (int i = 0; i < s->touchCount; i++) {
        joint->points[i].impulse = ctScale(1.0 + share, joint->points[i].impulse);
    }
    return true;
}

// The total of the world's energy sums.
static double sumOf(const ctStats *s)
{
    return s->kinematicWork - s->frictionLoss - s->restitutionLoss;
}

void ctJoint_OpenAccounts(const ctWorld *world, ctJoint *joint)
{
    joint->sum = sumOf(&world->stats);
    for (int i = 0; i < joint->bodyCount; i++) {
        int index = joint->slots[i];
        bool counts = ctBody_IsMovable(&world->bodies[index]);
        joint->accounts[i] = (ctJointAccount){counts ? ctBody_Energy(world, index) : 0.0,
                                              counts ? ctEnergy_Accounted(world, index) : 0.0};
    }
}

void ctJoint_CloseAccounts(ctWorld *world, const ctJoint *joint)
{
    double rest = joint->sum - sumOf(&world->stats);
    for (int i = 0; i < joint->bodyCount; i++) {
        int index = joint->slots[i];
        if (ctBody_IsMovable(&world->bodies[index])) {
            double change = ctBody_Energy(world, index) - joint->accounts[i].energy;
            double seen = ctEnergy_Accounted(world, index) - joint->accounts[i].accounted;
            ctEnergy_Account(world, index, ctBody_IsInContact(&world->bodies[index]) ? change - seen : 0.0);
            rest += change;
        }
    }
    world->stats.restitutionLoss -= rest;
}

void ctJoint_Free(ctJoint *joint)
{
    void *arrays[] = {joint->points, joint->bodies, joint->before, joint->slots, joint->accounts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}
