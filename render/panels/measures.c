// Rows with the scene's measures.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

void ctPanel_Measures(const ctMeasures *m)
{
    if (m->scene == NULL || m->scene->measureCount == 0 || !ctGui_Header("Measures", true)) {
        return;
    }
    for (int i = 0; i < m->scene->measureCount && i < CT_SHOWN_MEASURES; i++) {
        char text[256];
        snprintf(text, sizeof text, isnan(m->values[i]) ? "%.200s: –" : "%.200s: %.5g", m->scene->measures[i].label,
                 m->values[i]);
        ctGui_TextWrapped(text);
    }
    if (m->error.message[0] != '\0') {
        ctGui_TextWrapped(m->error.message);
    }
}
