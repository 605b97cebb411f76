#include "render/draw/trails.h"

#include "collision/memory.h"
#include "collision/vec3.h"

#define PIECES_MAX 24 // straight pieces of one curve

void ctTrails_Clear(ctTrails *t)
{
    t->count = 0;
}

void ctTrails_Free(ctTrails *t)
{
    ctFree(t->trails);
    *t = (ctTrails){0};
}

static ctTrail *trailOf(ctTrails *t, ctBodyId body)
{
    for (int i = 0; i < t->count; i++) {
        if (t->trails[i].body.index1 == body.index1 && t->trails[i].body.generation == body.generation) {
            return &t->trails[i];
        }
    }
    if (t->count >= CT_TRAIL_BODIES || !ctReserve((void **)&t->trails, &t->capacity, t->count + 1, sizeof(ctTrail))) {
        return NULL;
    }
    ctTrail *trail = &t->trails[t->count++];
    trail->body = body;
    trail->first = trail->count = 0;
    return trail;
}

static ctKnot *knotAt(ctTrail *trail, int index)
{
    return &trail->knots[(trail->first + index) % CT_TRAIL_KNOTS];
}

static void addKnot(ctTrail *trail, const ctKnot *knot)
{
    ctKnot *last = trail->count > 0 ? knotAt(trail, trail->count - 1) : NULL;
    if (last != NULL && knot->time <= last->time) { // two impacts at one time: the velocity after the last counts
        *last = *knot;
        return;
    }
    if (trail->count == CT_TRAIL_KNOTS) {
        trail->first = (trail->first + 1) % CT_TRAIL_KNOTS;
        trail->count--;
    }
    *knotAt(trail, trail->count++) = *knot;
}

bool ctTrails_Mark(ctPathLog *log, const ctScene *scene)
{
    log->markCount = 0;
    for (int i = 0; i < ctWorld_GetBodyCount(scene->world); i++) {
        ctBodyId id = ctWorld_GetBody(scene->world, i);
        uint64_t look = ctBody_GetUserData(scene->world, id);
        if (look < (uint64_t)scene->lookCount && scene->looks[look].trail) {
            if (!ctReserve((void **)&log->marks, &log->markCapacity, log->markCount + 1, sizeof(ctBodyId))) {
                return false;
            }
            log->marks[log->markCount++] = id;
        }
    }
    return true;
}

void ctTrails_Take(ctTrails *t, ctPathLog *log)
{
    for (int i = 0; i < log->count; i++) {
        ctTrail *trail = trailOf(t, log->knots[i].body);
        if (trail != NULL) {
            addKnot(trail, &log->knots[i]);
        }
    }
    log->count = 0;
}

// The number of straight pieces for the curve between two knots. A parabola that leaves its tangent by b at its end
// deviates by b / (4 n^2) from n chords.
static int pieces(const ctKnot *a, const ctKnot *b, double tolerance)
{
    ctVec3 bend = ctSub(ctSub(b->place, a->place), ctScale(b->time - a->time, a->velocity));
    double n = ceil(sqrt(0.25 * ctLength(bend) / tolerance));
    return n < 1.0 ? 1 : n > PIECES_MAX ? PIECES_MAX : (int)n;
}

static void drawTrail(const ctTrail *trail, ctRenderer *renderer, const float *hue, double tolerance, double until)
{
    for (int k = 0; k + 1 < trail->count; k++) {
        const ctKnot *a = &trail->knots[(trail->first + k) % CT_TRAIL_KNOTS];
        const ctKnot *b = &trail->knots[(trail->first + k + 1) % CT_TRAIL_KNOTS];
        if (a->time >= until) {
            break;
        }
        double end = b->time > until ? (until - a->time) / (b->time - a->time) : 1.0;
        int n = pieces(a, b, tolerance);
        ctVec3 from = a->place;
        float age = (float)(k + 1) / (float)trail->count;
        ctColor color = {hue[0], hue[1], hue[2], 0.45f + 0.5f * age};
        for (int i = 1; i <= n; i++) {
            ctVec3 to = ctPath_Between(a, b, end * i / n);
            ctRenderer_AddLine(renderer, from, to, 2.4f, 2.4f, color);
            from = to;
        }
    }
}

void ctTrails_Draw(const ctTrails *t, ctRenderer *renderer, const ctView *view, double until)
{
    static const float hues[6][3] = {{1.0f, 0.55f, 0.1f}, {0.2f, 0.75f, 1.0f}, {0.5f, 0.9f, 0.3f},
                                     {1.0f, 0.4f, 0.6f},  {0.8f, 0.6f, 1.0f},  {1.0f, 0.85f, 0.3f}};
    int width, height;
    ctRenderer_GetSize(renderer, &width, &height);
    double pixel = 2.0 * ctDistance(view->eye, view->target) * tan(view->fov * CT_PI / 360.0) / height;
    for (int i = 0; i < t->count; i++) {
        drawTrail(&t->trails[i], renderer, hues[i % 6], pixel / 3.0, until);
    }
}
