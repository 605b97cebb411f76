// The timeline at the bottom: the simulated past; drag to go back.
#include "render/panels/panels.h"

#include <math.h>
#include <stdio.h>

// Impacts as ticks along the line, at most one per pixel.
static void ticks(const ctViewer *v, ctRect r, double end)
{
    float last = -10.0f;
    for (int i = 0; i < v->history.impactCount; i++) {
        float x = r.x + (float)(v->history.impacts[i].time / end) * r.w;
        if (x > last + 1.0f) {
            ctGui_Line(x, r.y + 0.3f * r.h, x, r.y + 0.7f * r.h, (ctRgba){1.0f, 0.55f, 0.15f, 0.55f}, 1.0f);
            last = x;
        }
    }
}

void ctPanel_Timeline(ctViewer *v)
{
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float high = ctViewer_TimelineHeight(v), inner = high - 18.0f * unit;
    ctRect place = {0.0f, height - high, width, high};
    if (ctGui_BeginPanel("timeline", NULL, place, ct_guiBare | ct_guiStay | ct_guiScrollless)) {
        double last = v->timeline.count > 0 ? v->timeline.moments[v->timeline.count - 1].time : 0.0;
        double end = ctViewer_TimelineLength(v);
        bool hovered;
        float mx, my;
        ctRect r = ctGui_Canvas("line", width - 20.0f * unit, inner, &hovered, &mx, &my);
        double pointed = end * fmin(1.0, fmax(0.0, (double)(mx - r.x) / r.w));
        if (ctGui_CanvasHeld()) {
            ctViewer_Seek(v, fmin(pointed, last));
        }
        ctRect line = {r.x, r.y + 0.5f * inner - 6.0f * unit, r.w, 12.0f * unit};
        ctGui_Box(line, (ctRgba){0.2f, 0.22f, 0.26f, 1.0f}, 4.0f * unit);
        line.w = r.w * (float)(last / end);
        ctGui_Box(line, (ctRgba){0.32f, 0.37f, 0.45f, 1.0f}, 4.0f * unit);
        ticks(v, r, end);
        float x = r.x + r.w * (float)fmin(1.0, v->pictureTime / end);
        ctGui_Line(x, r.y, x, r.y + r.h, (ctRgba){1.0f, 0.95f, 0.85f, 1.0f}, 2.0f * unit);
        ctGui_Disc(x, r.y + 0.5f * r.h, 5.5f * unit, (ctRgba){1.0f, 0.65f, 0.25f, 1.0f});
        if (hovered) {
            char text[96];
            snprintf(text, sizeof text, "%.3f s%s", fmin(pointed, last),
                     pointed > last ? " (not simulated yet beyond)" : "");
            ctGui_Hint(text);
        }
    }
    ctGui_EndPanel();
}
