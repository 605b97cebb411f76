#include "render/draw/marks.h"

#include "collision/memory.h"
#include "collision/vec3.h"

#include <stdlib.h>

enum { IMPACTS_MAX = 400 }; // drawn at a time

static int compareNumbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ctTypicalMass(const ctWorld *world)
{
    int count = ctWorld_GetBodyCount(world), n = 0;
    double *masses = ctAllocate((size_t)count + 1, sizeof(double)), median = 1.0;
    if (masses == NULL) {
        return median;
    }
    for (int i = 0; i < count; i++) {
        double mass = ctBody_GetMass(world, ctWorld_GetBody(world, i));
        if (mass > 0.0) {
            masses[n++] = mass;
        }
    }
    if (n > 0) {
        qsort(masses, (size_t)n, sizeof(double), compareNumbers);
        median = masses[n / 2];
    }
    ctFree(masses);
    return median;
}

ctMarkScale ctMarks_Scale(const ctStats *stats, ctVec3 gravity, double typicalMass, double cameraDistance)
{
    double total = typicalMass * fmax(stats->dynamicBodies, 1);
    double speed = sqrt(2.0 * fmax(stats->kineticEnergy, 1e-12) / fmax(total, 1e-12));
    ctMarkScale scale = {0.12 * cameraDistance, typicalMass * fmax(ctLength(gravity), 1.0),
                         typicalMass * fmax(speed, 0.2)};
    return scale;
}

void ctMarks_Arrow(ctRenderer *renderer, ctVec3 from, ctVec3 to, float width, ctColor color)
{
    ctVec3 d = ctSub(to, from);
    ctVec3 neck = ctMulAdd(from, 0.78, d);
    ctRenderer_AddLine(renderer, from, neck, width, width, color);
    ctRenderer_AddLine(renderer, neck, to, 4.5f * width, 0.0f, color);
}

double ctMarks_ArrowLength(ctMarkScale scale, double size, double unit)
{
    return scale.length * log1p(size / unit) / log1p(3.0);
}

void ctMarks_Contacts(ctRenderer *renderer, const ctContact *contacts, int count, ctMarkScale scale)
{
    ctColor point = {0.15f, 0.85f, 0.55f, 1.0f}, arrow = {0.15f, 0.8f, 0.5f, 0.95f};
    for (int i = 0; i < count; i++) {
        const ctContact *c = &contacts[i];
        double size = ctLength(c->force);
        if (size > 1e-9 * scale.force) {
            ctVec3 to = ctMulAdd(c->point, ctMarks_ArrowLength(scale, size, scale.force) / size, c->force);
            ctMarks_Arrow(renderer, c->point, to, 2.5f, arrow);
        }
        ctRenderer_AddLine(renderer, c->point, c->point, 7.0f, 7.0f, point);
    }
}

void ctMarks_Curves(ctRenderer *renderer, const ctAnnotations *annotations)
{
    for (int i = 0; i < annotations->curveCount; i++) {
        const ctSceneCurve *c = &annotations->curves[i];
        float width = (float)c->width;
        ctColor color = {(float)sqrt(c->color.x), (float)sqrt(c->color.y), (float)sqrt(c->color.z), 1.0f};
        for (int k = 0; k + 1 < c->count; k++) {
            ctRenderer_AddLine(renderer, c->points[k], c->points[k + 1], width, width, color);
        }
    }
}

void ctMarks_Impacts(ctRenderer *renderer, const ctHistory *history, double time, double fade, ctMarkScale scale)
{
    for (int i = history->impactCount - 1; i >= 0 && history->impactCount - i <= IMPACTS_MAX; i--) {
        const ctImpact *m = &history->impacts[i];
        double age = time - m->time, size = ctLength(m->impulse);
        if (age > fade) {
            break;
        }
        if (age >= -1e-9 && size > 0.0) {
            float alpha = (float)(1.0 - 0.8 * age / fade);
            ctVec3 to = ctMulAdd(m->point, ctMarks_ArrowLength(scale, size, scale.impulse) / size, m->impulse);
            ctMarks_Arrow(renderer, m->point, to, 3.0f, (ctColor){1.0f, 0.45f, 0.1f, alpha});
            ctRenderer_AddLine(renderer, m->point, m->point, 8.0f, 8.0f, (ctColor){1.0f, 0.8f, 0.2f, alpha});
        }
    }
}
