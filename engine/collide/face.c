// Faces and edges strike as one.
//
// Points of two bodies whose gaps are below a small part of their size arrive within the duration of one impact: they
// are one impact. Which of the points bear follows from the impulses without rebound, in their friction cones, after
// which no point approaches: the solver of sustained contact finds them. Among these points the impulses without
// friction, p_i >= 0, are found in the same way. Normals of one face are parallel; then p does to the bodies what its
// sum does at the centre of the pressure,
//     c = sum p_i x_i / sum p_i,
// and where all points stop, c stops as well. So the impact is solved at c, by whatever law: without friction every
// point that bears leaves with e times the speed of its approach. A block that falls or slides flat against a wall
// keeps its attitude, one that lands on an edge while it stands on another leaves the other where that is what the
// impulse does, and a touch of one point is what it was. How p is shared between more points than three is not
// determined; its sum and c are.
#include "engine/collide/collide_internal.h"

#include "engine/contact/contact.h"

enum { MAX_POINTS = 16 };
#define PARALLEL 1e-6   // by which the cosine between normals of one face may be off
#define PRECISION 1e-11 // of the greatest approach
#define BEARS 1e-6      // of the greatest impulse: a point with more bears

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

// Impulses without rebound at some places under a friction, after which none of them approaches; the places that bear
// come first then. Returns how many do.
static int press(ctWorld *world, const ctSequence *s, double friction, int places[MAX_POINTS], int count,
                 double impulses[MAX_POINTS])
{
    const ctBodyPair *pair = &world->pairs[s->touches[places[0]].pair];
    ctSolverBody bodies[2] = {bodyOf(world, pair->a), bodyOf(world, pair->b)};
    ctSolverPoint points[MAX_POINTS];
    double fastest = 0.0, most = 0.0;
    int bearing = 0;
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        points[i] = (ctSolverPoint){.a = 0, .b = 1, .n = touch->normal, .mu = friction};
        points[i].ra = ctSub(touch->point, world->bodies[pair->a].x);
        points[i].rb = ctSub(touch->point, world->bodies[pair->b].x);
        fastest = ctFmax(fastest, s->speeds[places[i]]);
    }
    ctSolver_Solve(ctContact_Solver(world), bodies, 2, points, count, PRECISION * fastest, CT_MAX_SWEEPS);
    for (int i = 0; i < count; i++) {
        most = ctFmax(most, points[i].pn);
    }
    for (int i = 0; i < count; i++) {
        if (points[i].pn > BEARS * most) {
            places[bearing] = places[i];
            impulses[bearing++] = points[i].pn;
        }
    }
    return bearing;
}

ctTouch ctSequence_Face(ctWorld *world, const ctSequence *s, int first)
{
    int places[MAX_POINTS], count = collect(s, first, places);
    ctTouch one = s->touches[first];
    double friction = ctPair_Coefficients(world, &world->pairs[one.pair]).friction, impulses[MAX_POINTS];
    count = count > 1 && friction > 0.0 ? press(world, s, friction, places, count, impulses) : count;
    count = count > 1 ? press(world, s, 0.0, places, count, impulses) : count;
    if (count == 0) {
        return one;
    }
    double sum = 0.0, gap = 0.0;
    ctVec3 point = ctZero3(), normal = ctZero3();
    impulses[0] = count == 1 ? 1.0 : impulses[0];
    for (int i = 0; i < count; i++) {
        const ctTouch *touch = &s->touches[places[i]];
        sum += impulses[i];
        gap += impulses[i] * touch->gap;
        point = ctMulAdd(point, impulses[i], touch->point);
        normal = ctMulAdd(normal, impulses[i], touch->normal);
    }
    if (count > 1 && sum > 0.0 && isfinite(sum)) {
        one.point = ctScale(1.0 / sum, point);
        one.normal = ctNormalize(normal);
        one.gap = gap / sum;
    } else {
        one = s->touches[places[0]];
    }
    return one;
}
