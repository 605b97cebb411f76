// Faces and edges strike as one.
//
// Points of two bodies whose gaps are below a small part of their size arrive within the duration of one impact: they
// are one impact. Without rebound it is the impulses p_i, in their friction cones, after which no point approaches: the
// solver of sustained contact finds them. Normals of one face are parallel; then the normal parts of p do to the bodies
// what their sum does at the centre of the pressure,
//     c = sum p_i x_i / sum p_i,
// friction does the same but for its torque about the normal, and where all points stop, c stops as well. So the
// impact is solved at c, by whatever law: without friction every point that bears leaves with e times the speed of its
// approach. A block that falls or slides flat against a wall keeps its attitude, one that lands on an edge while it
// stands on another leaves the other where that is what the impulse does, and a touch of one point is what it was. How
// p is shared between more points than three is not determined; its sum and c are.
#include "engine/collide/collide_internal.h"

#include "engine/contact/contact.h"

enum { MAX_POINTS = 16 };
#define PARALLEL 1e-6   // by which the cosine between normals of one face may be off
#define PRECISION 1e-11 // of the greatest approach

// The places in the sequence that strike together with one of them. Returns how many.
static int collect(const ctSequence *s, int first, int places[MAX_POINTS])
{
    const ctTouch *touch = &s->touches[first];
    int count = 0;
    places[count++] = first;
    for (int i = 0; i < s->touchCount && count < MAX_POINTS; i++) {
        if (i != first && s->touches[i].pair == touch->pair &&
            ctDot(s->touches[i].normal, touch->normal) > 1.0 - PARALLEL) {
            places[count++] = i;
        }
    }
    return count;
}

static ctSolverBody bodyOf(const ctWorld *world, int index)
{
    const ctBody *body = &world->bodies[index];
    ctSolverBody s = {.v = body->v, .w = body->w, .invMass = ctBody_IsMovable(body) ? body->invMass : 0.0};
    s.invInertia = ctBody_InverseInertia(world, body);
    return s;
}

ctTouch ctSequence_Face(ctWorld *world, const ctSequence *s, int first)
{
    int places[MAX_POINTS], count = collect(s, first, places);
    ctTouch one = s->touches[first];
    if (count == 1) {
        return one;
    }
    const ctBodyPair *pair = &world->pairs[one.pair];
    ctSolverBody bodies[2] = {bodyOf(world, pair->a), bodyOf(world, pair->b)};
    ctSolverPoint points[MAX_POINTS];
    double fastest = 0.0, friction = ctPair_Coefficients(world, pair).friction;
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        points[i] = (ctSolverPoint){.a = 0, .b = 1, .n = touch->normal, .mu = friction};
        points[i].ra = ctSub(touch->point, world->bodies[pair->a].x);
        points[i].rb = ctSub(touch->point, world->bodies[pair->b].x);
        fastest = fmax(fastest, s->speeds[places[i]]);
    }
    ctSolver_Solve(ctContact_Solver(world), bodies, 2, points, count, PRECISION * fastest, CT_MAX_SWEEPS);
    double sum = 0.0, gap = 0.0;
    ctVec3 point = ctZero3(), normal = ctZero3();
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        double p = fmax(0.0, points[i].pn);
        sum += p;
        gap += p * touch->gap;
        point = ctMulAdd(point, p, touch->point);
        normal = ctMulAdd(normal, p, touch->normal);
    }
    if (!(sum > 0.0) || !isfinite(sum)) {
        return one;
    }
    one.point = ctScale(1.0 / sum, point);
    one.normal = ctNormalize(normal);
    one.gap = gap / sum;
    return one;
}
