// The scene's measures: what the run amounts to so far.
#include "render/panels/panels.h"

#include <math.h>

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
