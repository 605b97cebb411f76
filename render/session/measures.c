#include "render/session/measures.h"

#include "scenes/measure.h"

#define MEASURE_INTERVAL 0.2 // s of wall time between computations: a measure may visit all bodies

void ctMeasures_Take(ctMeasures *m, ctScene *scene, bool playing, double clock)
{
    double time = ctWorld_GetTime(scene->world);
    if (m->scene == scene && (m->time == time || (playing && clock - m->taken < MEASURE_INTERVAL))) {
        return;
    }
    m->scene = scene;
    m->time = time;
    m->taken = clock;
    m->error = (ctError){0};
    for (int i = 0; i < scene->measureCount && i < CT_SHOWN_MEASURES; i++) {
        ctScene_Measure(scene, i, &m->values[i], &m->error);
    }
    ctScene_UpdateLabels(scene, &m->error);
}
