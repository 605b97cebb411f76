// Overlays in space: contact points with forces, impulses, swept boxes, pending pairs.
#include "render/viewer/viewer_internal.h"

#include "collision/quat.h"
#include "render/draw/marks.h"
#include "render/gui/annotations.h"

#include <math.h>
#include <stdio.h>

// How long impacts stay visible, s of wall time.
#define SPARK_SECONDS 0.35

static ctMarkScale markScale(const ctViewer *v)
{
    return ctMarks_Scale(&v->shown.stats, v->settings.gravity, v->typicalMass, v->camera.distance);
}

static void drawContacts(ctViewer *v)
{
    ctMarkScale scale = markScale(v);
    ctMarks_Contacts(v->renderer, v->shown.contacts, v->shown.contactCount, scale);
    ctMarks_Impacts(v->renderer, &v->history, v->pictureTime, SPARK_SECONDS * v->speed, scale);
}

static void drawBox(ctRenderer *r, ctVec3 lo, ctVec3 hi, ctColor color)
{
    ctVec3 c[8];
    for (int i = 0; i < 8; i++) {
        c[i] = ctV3((i & 1) != 0 ? hi.x : lo.x, (i & 2) != 0 ? hi.y : lo.y, (i & 4) != 0 ? hi.z : lo.z);
    }
    for (int i = 0; i < 8; i++) {
        for (int bit = 1; bit < 8; bit *= 2) {
            if ((i & bit) == 0) {
                ctRenderer_AddLine(r, c[i], c[i | bit], 1.4f, 1.4f, color);
            }
        }
    }
}

// Red for a pair that may meet soon, blue for a late one. share: time until then, in frames.
static ctColor urgency(double share)
{
    float s = (float)fmin(1.0, fmax(0.0, share));
    return (ctColor){1.0f - 0.75f * s, 0.3f + 0.4f * s, 0.25f + 0.7f * s, 0.9f};
}

static bool endsOf(const ctViewer *v, const ctPending *p, ctVec3 *a, ctVec3 *b)
{
    const ctBodyState *one = ctViewer_FindBody(v, p->body1), *two = ctViewer_FindBody(v, p->body2);
    if (one == NULL || two == NULL || !isfinite(p->time)) {
        return false;
    }
    int first = (int)(one - v->shown.bodies), second = (int)(two - v->shown.bodies);
    *a = one->center;
    *b = two->center;
    // The line to a body that is not dynamic, such as a plane, goes straight down.
    if (v->stage.bodies[first].motion != ct_motionDynamic) {
        *a = ctV3(b->x, b->y, b->z - p->distance - v->stage.bodies[second].radius);
    } else if (v->stage.bodies[second].motion != ct_motionDynamic) {
        *b = ctV3(a->x, a->y, a->z - p->distance - v->stage.bodies[first].radius);
    }
    return true;
}

static void drawPending(ctViewer *v)
{
    double frame = v->frameTime;
    for (int i = 0; i < v->shown.pendingCount; i++) {
        ctVec3 a, b;
        if (endsOf(v, &v->shown.pending[i], &a, &b)) {
            ctColor color = urgency((v->shown.pending[i].time - v->shown.time) / frame);
            ctRenderer_AddLine(v->renderer, a, b, 1.8f, 1.8f, color);
        }
    }
}

static void drawSelection(ctViewer *v)
{
    const ctBodyState *body = ctViewer_FindBody(v, v->selected);
    if (body == NULL) {
        return;
    }
    int ordinal = (int)(body - v->shown.bodies);
    double radius = v->stage.bodies[ordinal].radius, speed = ctLength(body->velocity);
    if (v->show.body && speed > 1e-3 && v->stage.bodies[ordinal].motion == ct_motionDynamic) {
        ctVec3 to = ctMulAdd(body->center, (radius * 1.2 + ctMarks_ArrowLength(markScale(v), speed, 1.0)) / speed,
                             body->velocity);
        ctMarks_Arrow(v->renderer, body->center, to, 2.5f, (ctColor){0.3f, 0.7f, 1.0f, 0.95f});
    }
    if (v->pull.on) {
        ctVec3 anchor = ctTransformPoint(v->poses[ordinal], v->pull.anchor);
        ctColor spring = {1.0f, 0.85f, 0.3f, 0.95f};
        ctRenderer_AddLine(v->renderer, anchor, v->pull.target, 2.5f, 2.5f, spring);
        ctRenderer_AddLine(v->renderer, v->pull.target, v->pull.target, 9.0f, 9.0f, spring);
    }
}

static void drawInspected(ctViewer *v)
{
    if (!v->show.inspector || v->inspected < 0 || v->inspected >= v->history.impactCount) {
        return;
    }
    const ctImpact *m = &v->history.impacts[v->inspected];
    double size = ctLength(m->impulse), length = 0.14 * v->camera.distance;
    ctRenderer_AddLine(v->renderer, m->point, ctMulAdd(m->point, length, m->normal), 1.6f, 1.6f,
                       (ctColor){0.9f, 0.9f, 0.95f, 0.9f});
    if (size > 0.0) {
        ctMarks_Arrow(v->renderer, m->point, ctMulAdd(m->point, length / size, m->impulse), 3.2f,
                      (ctColor){1.0f, 0.45f, 0.1f, 1.0f});
    }
    double speed = ctLength(m->velocity);
    if (speed > 0.0) {
        ctMarks_Arrow(v->renderer, ctMulAdd(m->point, -length / speed, m->velocity), m->point, 2.4f,
                      (ctColor){0.3f, 0.7f, 1.0f, 1.0f});
    }
}

void ctOverlay_Draw(ctViewer *v)
{
    ctMarks_Curves(v->renderer, &v->scene->annotations);
    if (v->show.trails) {
        ctTrails_Draw(&v->trails, v->renderer, &v->view, v->pictureTime);
    }
    if (v->show.boxes) {
        for (int i = 0; i < v->shown.boxCount && i < 3000; i++) {
            drawBox(v->renderer, v->shown.boxes[i].lo, v->shown.boxes[i].hi, (ctColor){0.55f, 0.35f, 0.95f, 0.8f});
        }
    }
    if (v->show.pending) {
        drawPending(v);
    }
    if (v->show.contacts) {
        drawContacts(v);
    }
    drawSelection(v);
    drawInspected(v);
    for (int i = 0; i < v->measureCount; i++) {
        ctColor yellow = {1.0f, 0.95f, 0.3f, 1.0f};
        ctRenderer_AddLine(v->renderer, v->measurePoints[i], v->measurePoints[i], 7.0f, 7.0f, yellow);
        if (i > 0) {
            ctRenderer_AddLine(v->renderer, v->measurePoints[i - 1], v->measurePoints[i], 1.8f, 1.8f, yellow);
        }
    }
}

// ---- text -------------------------------------------------------------------------------------

static ctCanvasPart canvasOf(const ctViewer *v)
{
    ctRect part = {v->insets[0], v->insets[1], (float)v->width - v->insets[0] - v->insets[2],
                   (float)v->height - v->insets[1] - v->insets[3]};
    return (ctCanvasPart){&v->view, (float)v->width, (float)v->height, part, v->scale};
}

// The legend of the overlays' colours.
static void legend(const ctViewer *v, const ctCanvasPart *part)
{
    ctLegendRow rows[6];
    int n = 0;
    if (v->show.contacts) {
        rows[n++] = (ctLegendRow){{0.15f, 0.8f, 0.5f, 1.0f}, "force of a contact", true};
        rows[n++] = (ctLegendRow){{1.0f, 0.45f, 0.1f, 1.0f}, "impulse of an impact", true};
    }
    if (v->selected.index1 != 0 && v->show.body) {
        rows[n++] = (ctLegendRow){{0.3f, 0.7f, 1.0f, 1.0f}, "velocity", true};
    }
    if (v->show.boxes) {
        rows[n++] = (ctLegendRow){{0.55f, 0.35f, 0.95f, 1.0f}, "swept box", false};
    }
    if (v->show.pending) {
        rows[n++] = (ctLegendRow){{1.0f, 0.3f, 0.25f, 1.0f}, "pair that may meet soon", false};
        rows[n++] = (ctLegendRow){{0.25f, 0.7f, 0.95f, 1.0f}, "late in the frame", false};
    }
    bool covered = v->show.panels && v->show.body && v->selected.index1 != 0 && !v->show.inspector;
    ctCanvasPart beside = *part;
    float right = (float)v->width - (covered ? 292.0f * v->scale : 0.0f);
    beside.free.w = fminf(beside.free.w, right - beside.free.x);
    ctLegend_Draw(&beside, rows, n);
}

// Distances between the clicked points, and the angle at the second of three.
static void measured(const ctViewer *v, const ctCanvasPart *part)
{
    const ctVec3 *p = v->measurePoints;
    const ctRgba yellow = {1.0f, 0.95f, 0.4f, 1.0f};
    char text[64];
    for (int i = 1; i < v->measureCount; i++) {
        snprintf(text, sizeof text, "%.4g m", ctDistance(p[i - 1], p[i]));
        ctLabel_At(part, ctLerp(p[i - 1], p[i], 0.5), yellow, text);
    }
    if (v->measureCount == 3) {
        snprintf(text, sizeof text, "%.2f°", ctViewer_MeasuredAngle(v));
        ctLabel_At(part, p[1], yellow, text);
    }
}

// The speed of the selected body, at the tip of its arrow.
static void speedLabel(const ctViewer *v, const ctCanvasPart *part, const ctBodyState *body)
{
    int ordinal = (int)(body - v->shown.bodies);
    double speed = ctLength(body->velocity);
    if (v->stage.bodies[ordinal].motion == ct_motionDynamic && speed > 1e-3) {
        char text[48];
        snprintf(text, sizeof text, "%.3g m/s", speed);
        double reach = 1.35 * (1.2 * v->stage.bodies[ordinal].radius + ctMarks_ArrowLength(markScale(v), speed, 1.0));
        ctLabel_At(part, ctMulAdd(body->center, reach / speed, body->velocity), (ctRgba){0.55f, 0.8f, 1.0f, 1.0f},
                   text);
    }
}

void ctOverlay_Labels(ctViewer *v)
{
    ctCanvasPart part = canvasOf(v);
    ctGui_OnScreen(false);
    ctAnnotations_Labels(&part, &v->scene->annotations, v->poses, v->shown.count);
    ctAnnotations_Histograms(&part, v->scene, &v->shown);
    legend(v, &part);
    measured(v, &part);
    // Only pairs that may meet soon show their number, because space is limited.
    double soon = v->shown.time + 2.0 * v->frameTime;
    for (int i = 0, shown = 0; v->show.pending && i < v->shown.pendingCount && shown < 24; i++) {
        ctVec3 a, b;
        const ctPending *p = &v->shown.pending[i];
        if (p->time < soon && endsOf(v, p, &a, &b)) {
            shown++;
            char text[48];
            snprintf(text, sizeof text, "%.2f ms", 1e3 * (p->time - v->shown.time));
            ctLabel_At(&part, ctLerp(a, b, 0.5), (ctRgba){1.0f, 1.0f, 1.0f, 0.95f}, text);
        }
    }
    const ctBodyState *body = ctViewer_FindBody(v, v->selected);
    if (body != NULL && v->show.body) {
        char name[80];
        speedLabel(v, &part, body);
        ctViewer_BodyName(v, v->selected, name, sizeof name);
        double lift = v->stage.bodies[body - v->shown.bodies].radius;
        lift = fmin(lift, 0.1 * v->camera.distance);
        ctVec3 at =
            v->stage.bodies[body - v->shown.bodies].plane ? v->camera.target : v->poses[body - v->shown.bodies].p;
        ctLabel_At(&part, ctAdd(at, ctV3(0.0, 0.0, 1.2 * lift)), (ctRgba){1.0f, 0.8f, 0.45f, 1.0f}, name);
    }
}
