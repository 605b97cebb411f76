// Impulses at all places of a sequence at once, where one after the other would not end.
//
// Between two bodies of the masses M and m and a wall, impacts one by one pass on m / M of the momentum each: a sugar
// cube under an anvil takes a hundred thousand. Their limit without rebound is what contact would do: impulses in the
// friction cones after which nothing approaches. The solver of sustained contact finds them.
#include "engine/sequence.h"

#include "collision/memory.h"
#include "engine/contact.h"

#include <string.h>

#define PRECISION 1e-9 // of the greatest approach

static int slotOf(const ctWorld *world, ctJoint *joint, int index)
{
    for (int i = 0; i < joint->bodyCount; i++) {
        if (joint->slots[i] == index) {
            return i;
        }
    }
    const ctBody *body = &world->bodies[index];
    ctSolverBody s = {.v = body->v, .w = body->w, .invMass = ctBody_IsMovable(body) ? body->invMass : 0.0};
    s.invInertia = ctBody_InverseInertia(world, body);
    joint->slots[joint->bodyCount] = index;
    joint->bodies[joint->bodyCount] = s;
    return joint->bodyCount++;
}

bool ctJoint_Solve(ctWorld *world, const ctSequence *s, ctJoint *joint)
{
    size_t count = (size_t)s->touchCount;
    joint->points = ctAllocate(count, sizeof *joint->points);
    joint->bodies = ctAllocate(4 * count, sizeof *joint->bodies);
    joint->before = ctAllocate(count, sizeof *joint->before);
    joint->slots = ctAllocate(2 * count, sizeof *joint->slots);
    if (joint->points == NULL || joint->bodies == NULL || joint->before == NULL || joint->slots == NULL) {
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
        joint->before[i] = ctSolverPoint_Velocity(p, joint->bodies);
        fastest = fmax(fastest, -ctDot(touch->normal, joint->before[i]));
    }
    memcpy(start, joint->bodies, (size_t)joint->bodyCount * sizeof *start);
    ctSolver_Solve(&world->contacts->solver, joint->bodies, joint->bodyCount, joint->points, s->touchCount,
                   PRECISION * fastest, CT_MAX_SWEEPS);
    ctSolver_LimitWork(joint->bodies, start, joint->points, s->touchCount);
    return true;
}

void ctJoint_Free(ctJoint *joint)
{
    void *arrays[] = {joint->points, joint->bodies, joint->before, joint->slots};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        ctFree(arrays[i]);
    }
}
