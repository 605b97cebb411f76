// The part of an island that is not solved yet.
//
// In a long row of dominoes a few fall and the others lie still: for the points of these the impulses of the last step
// are still the solution. A sweep shows where that is not so. The points whose velocity it has changed by more than the
// tolerance are then solved alone, with all points of their bodies and of the neighbours of these, while all other
// impulses do not change. Each body keeps its own mass and moves freely, so this is a step of the Gauss-Seidel method
// with a large block. Sweeps over the whole island then show whether anything is left.
#include "engine/solver/part.h"

#include "collision/memory.h"

static bool reserve(ctPart **part, int bodyCount, int count)
{
    if (*part == NULL) {
        *part = ctAllocate(1, sizeof(ctPart));
    }
    ctPart *t = *part;
    return t != NULL && ctReserve((void **)&t->points, &t->pointCapacity, count, sizeof(ctSolverPoint)) &&
           ctReserve((void **)&t->from, &t->fromCapacity, count, sizeof(int)) &&
           ctReserve((void **)&t->near, &t->nearCapacity, bodyCount, sizeof(bool));
}

// Adds all points of the bodies of the points so far. A fixed body connects nothing.
static void spread(ctPart *t, const ctSolverBody *bodies, const ctSolverPoint *points, int count)
{
    for (int i = 0; i < t->count; i++) {
        const ctSolverPoint *p = &points[t->from[i]];
        t->near[p->a] = bodies[p->a].invMass > 0.0;
        t->near[p->b] = bodies[p->b].invMass > 0.0;
    }
    t->count = 0;
    for (int i = 0; i < count; i++) {
        if (t->near[points[i].a] || t->near[points[i].b]) {
            t->from[t->count++] = i;
        }
    }
}

bool ctPart_Take(ctPart **part, const ctSolverBody *bodies, int bodyCount, const ctSolverPoint *points, int count,
                 double tolerance)
{
    if (!reserve(part, bodyCount, count)) {
        return false;
    }
    ctPart *t = *part;
    for (int i = 0; i < bodyCount; i++) {
        t->near[i] = false;
    }
    t->count = 0;
    for (int i = 0; i < count; i++) {
        if (points[i].change > tolerance) {
            t->from[t->count++] = i;
        }
    }
    spread(t, bodies, points, count);
    spread(t, bodies, points, count); // adds those of their neighbours
    if (t->count == count) {
        return false;
    }
    for (int i = 0; i < t->count; i++) {
        t->points[i] = points[t->from[i]];
    }
    return true;
}

void ctPart_Return(const ctPart *part, ctSolverPoint *points)
{
    for (int i = 0; i < part->count; i++) {
        points[part->from[i]] = part->points[i];
    }
}

void ctPart_Destroy(ctPart *part)
{
    if (part == NULL) {
        return;
    }
    ctFree(part->points);
    ctFree(part->from);
    ctFree(part->near);
    ctFree(part);
}
