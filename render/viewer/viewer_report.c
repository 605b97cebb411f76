#include "render/viewer/viewer_report.h"

#include "collision/vec3.h"

#include <stdio.h>
#include <string.h>

typedef struct widget {
    char name[96];
    ctRect rect;
} widget;

static struct {
    widget widgets[512];
    int count;
    char last[1024];
    double next;
} report;

static void onWidget(void *context, const char *panel, const char *label, ctRect rect)
{
    (void)context;
    char name[sizeof report.widgets[0].name];
    snprintf(name, sizeof name, "%.40s|%.50s", panel, label);
    int i = 0;
    while (i < report.count && strcmp(report.widgets[i].name, name) != 0) {
        i++;
    }
    if (i == (int)(sizeof report.widgets / sizeof *report.widgets)) {
        return;
    }
    widget *w = &report.widgets[i];
    if (i == report.count || memcmp(&w->rect, &rect, sizeof rect) != 0) {
        report.count = i == report.count ? i + 1 : report.count;
        memcpy(w->name, name, sizeof name);
        w->rect = rect;
        printf("widget %s %.0f %.0f %.0f %.0f\n", name, (double)rect.x, (double)rect.y, (double)rect.w, (double)rect.h);
        fflush(stdout);
    }
}

void ctReport_Widgets(void)
{
    ctGui_OnWidget(onWidget, NULL);
}

// The place of a point in the picture, in pixels from the upper left corner.
static void screenPlace(const ctViewer *v, ctVec3 p, double *x, double *y)
{
    ctView_Project(&v->view, (double)v->width / v->height, p, x, y);
    *x = (*x + 1.0) * 0.5 * v->width;
    *y = (1.0 - *y) * 0.5 * v->height;
}

void ctReport_State(ctViewer *v)
{
    if (v->clock < report.next) {
        return;
    }
    report.next = v->clock + 0.1;
    char name[80] = "", text[sizeof report.last];
    if (v->selected.index1 != 0) {
        ctViewer_BodyName(v, v->selected, name, sizeof name);
    }
    ctView view = ctCamera_GetView(&v->camera);
    const ctCoefficients *pair = v->settings.pairCount > 0 ? &v->settings.pairs[0].value : NULL;
    int n = snprintf(text, sizeof text,
                     "state scene=%s time=%.6f now=%.6f end=%.6f length=%.6f playing=%d speed=%g bodies=%d impacts=%d "
                     "inspected=%d selected=%s "
                     "size=%dx%d eye=%.6f,%.6f,%.6f mu=%g e=%g recording=%d recorded=%d frames=%d fps=%.1f help=%d "
                     "strikes=%d samples=%d copied=%d distance=%.4f angle=%.2f error=%s bodies:",
                     v->scene->name, v->pictureTime, v->shown.time,
                     v->timeline.count > 0 ? v->timeline.moments[v->timeline.count - 1].time : 0.0,
                     ctViewer_TimelineLength(v), v->playing, v->speed, v->shown.count, v->history.impactCount,
                     v->inspected, name[0] != '\0' ? name : "-", v->width, v->height, view.eye.x, view.eye.y,
                     view.eye.z, pair != NULL ? pair->friction : 0.0, pair != NULL ? pair->restitution : 0.0, v->record,
                     v->recordedFrames, v->frames, v->frameRate, v->show.help, (int)ctSpeaker_Strikes(v->speaker),
                     v->curves.count, v->copied,
                     v->measureCount > 1 ? ctDistance(v->measurePoints[0], v->measurePoints[1]) : 0.0,
                     v->measureCount > 2 ? ctViewer_MeasuredAngle(v) : 0.0,
                     v->sceneError[0] != '\0' ? v->sceneError
                     : v->stopped[0] != '\0'  ? v->stopped
                                              : "-");
    for (int i = 0; i < v->shown.count && i < 6 && n > 0 && n < (int)sizeof text - 120; i++) {
        double x = 0.0, y = 0.0;
        ctVec3 p = v->shown.bodies[i].center;
        screenPlace(v, p, &x, &y);
        ctViewer_BodyName(v, v->shown.bodies[i].id, name, 40);
        n += snprintf(text + n, sizeof text - (size_t)n, " %s@%.4f,%.4f,%.4f@%.0f,%.0f", name, p.x, p.y, p.z, x, y);
    }
    if (strcmp(text, report.last) != 0) {
        memcpy(report.last, text, sizeof text);
        puts(text);
        fflush(stdout);
    }
}
