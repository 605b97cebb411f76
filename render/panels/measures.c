#include "render/panels/measures.h"

#include "render/gui/imgui_c.h"
#include "scenes/measure.h"

#include <math.h>

#define MEASURE_INTERVAL 0.2 // s of wall time: a measure may go through all bodies

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
}

void ctPanel_Measures(const ctMeasures *m)
{
    if (m->scene == NULL || m->scene->measureCount == 0 || !ctGui_Header("Measures", true)) {
        return;
    }
    for (int i = 0; i < m->scene->measureCount && i < CT_SHOWN_MEASURES; i++) {
        if (isnan(m->values[i])) {
            ctGui_TextFaint("%s: –", m->scene->measures[i].label);
        } else {
            ctGui_Text("%s: %.5g", m->scene->measures[i].label, m->values[i]);
        }
    }
    if (m->error.message[0] != '\0') {
        ctGui_TextWrapped(m->error.message);
    }
}
