#include "render/gui/annotations.h"

#include "collision/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_BINS = 100, MAX_LABELS = 256 };

static ctRgba displayed(ctVec3 linear)
{
    return (ctRgba){(float)sqrt(linear.x), (float)sqrt(linear.y), (float)sqrt(linear.z), 1.0f};
}

// The box of a label at a point, inside the free part of the picture. False when the point is out of sight.
static bool placeLabel(const ctCanvasPart *part, ctVec3 point, const char *text, ctRect *box)
{
    double x, y;
    if (!ctView_Project(part->view, (double)part->width / part->height, point, &x, &y) || fabs(x) > 1.0 ||
        fabs(y) > 1.0) {
        return false;
    }
    float px = (float)((x + 1.0) * 0.5) * part->width, py = (float)((1.0 - y) * 0.5) * part->height, w, h;
    ctGui_LabelSize(text, &w, &h);
    float half = 0.5f * w + 4.0f * part->unit, high = 0.5f * h + part->unit;
    const ctRect f = part->free;
    if (px < f.x - half || px > f.x + f.w + half || py < f.y - high || py > f.y + f.h + high) {
        return false; // behind a panel
    }
    px = fmaxf(fminf(px, f.x + f.w - half - 2.0f), f.x + half + 2.0f);
    py = fmaxf(fminf(py, f.y + f.h - high - 2.0f), f.y + high + 2.0f);
    *box = (ctRect){px - half, py - high, 2.0f * half, 2.0f * high};
    return true;
}

static void drawLabel(const ctCanvasPart *part, ctRect box, ctRgba color, const char *text)
{
    ctGui_Box(box, (ctRgba){0.05f, 0.06f, 0.08f, 0.8f * color.a}, 3.0f * part->unit);
    ctGui_Label(box.x + 0.5f * box.w, box.y + part->unit, 0.5f, color, text);
}

bool ctLabel_At(const ctCanvasPart *part, ctVec3 point, ctRgba color, const char *text)
{
    ctRect box;
    bool seen = placeLabel(part, point, text, &box);
    if (seen) {
        drawLabel(part, box, color, text);
    }
    return seen;
}

// Moves a label up until it overlaps no other label.
static ctRect clearOf(const ctRect *others, int count, ctRect box)
{
    for (int i = 0, moves = 0; i < count && moves < count; i++) {
        const ctRect o = others[i];
        if (box.x < o.x + o.w && o.x < box.x + box.w && box.y < o.y + o.h && o.y < box.y + box.h) {
            box.y = o.y - box.h - 1.0f;
            i = -1; // check all again: the moved label may overlap others
            moves++;
        }
    }
    return box;
}

void ctAnnotations_Labels(const ctCanvasPart *part, const ctAnnotations *a, const ctTransform *poses, int count)
{
    ctRect placed[MAX_LABELS];
    int placedCount = 0;
    for (int i = 0; i < a->labelCount && placedCount < MAX_LABELS; i++) {
        const ctSceneLabel *label = &a->labels[i];
        ctVec3 at = label->at;
        if (label->body >= count) {
            continue;
        }
        if (label->body >= 0) {
            at = ctAdd(at, poses[label->body].p);
        }
        ctRect box;
        if (placeLabel(part, at, label->text, &box)) {
            box = placed[placedCount] = clearOf(placed, placedCount, box);
            placedCount++;
            drawLabel(part, box, displayed(label->color), label->text);
        }
    }
}

// ---- histograms -------------------------------------------------------------------------------

static double quantityOf(ctQuantity of, const ctScene *scene, const ctBodyState *body)
{
    switch (of) {
    case ct_quantitySpin:
        return ctLength(body->spin);
    case ct_quantityHeight:
        return body->center.z;
    case ct_quantityEnergy:
        return 0.5 * ctBody_GetMass(scene->world, body->id) * ctLengthSquared(body->velocity);
    default:
        return ctLength(body->velocity);
    }
}

int ctHistogram_Count(const ctSceneHistogram *h, const ctScene *scene, const ctSimState *state, int *counts)
{
    int bodies = 0;
    size_t length = strlen(h->bodies);
    memset(counts, 0, (size_t)h->bins * sizeof(int));
    for (int i = 0; i < state->count; i++) {
        ctBodyId id = state->bodies[i].id;
        if (ctBody_GetMotionType(scene->world, id) != ct_motionDynamic ||
            strncmp(ctBody_GetName(scene->world, id), h->bodies, length) != 0) {
            continue;
        }
        bodies++;
        double bin = floor((quantityOf(h->of, scene, &state->bodies[i]) - h->from) / (h->to - h->from) * h->bins);
        if (bin >= 0.0 && bin < h->bins) {
            counts[(int)bin]++;
        }
    }
    return bodies;
}

// Bars of the counts, and the expected curve over them, on the same scale.
static void drawHistogram(const ctSceneHistogram *h, const int *counts, int bodies, ctRect r, float unit)
{
    double width = (h->to - h->from) / h->bins, top = 1.0;
    for (int i = 0; i < h->bins; i++) {
        top = fmax(top, counts[i]);
    }
    for (int i = 0; h->hasExpected && i < CT_EXPECTED_POINTS; i++) {
        top = fmax(top, h->expected[i] * bodies * width);
    }
    float step = r.w / (float)h->bins, scale = r.h / (float)(1.1 * top);
    for (int i = 0; i < h->bins; i++) {
        float high = (float)counts[i] * scale;
        ctGui_Box((ctRect){r.x + step * (float)i, r.y + r.h - high, step - 1.0f * unit, high},
                  (ctRgba){0.35f, 0.62f, 0.95f, 0.95f}, 0.0f);
    }
    if (h->hasExpected) {
        float xy[2 * CT_EXPECTED_POINTS];
        for (int i = 0; i < CT_EXPECTED_POINTS; i++) {
            xy[2 * i] = r.x + r.w * (float)i / (CT_EXPECTED_POINTS - 1);
            xy[2 * i + 1] = r.y + r.h - (float)(h->expected[i] * bodies * width) * scale;
        }
        ctGui_Polyline(xy, CT_EXPECTED_POINTS, (ctRgba){1.0f, 0.7f, 0.2f, 1.0f}, 2.0f * unit);
    }
    char text[32];
    ctRgba faint = {0.75f, 0.78f, 0.82f, 1.0f};
    snprintf(text, sizeof text, "%.3g", h->from);
    ctGui_Label(r.x, r.y + r.h + 2.0f * unit, 0.0f, faint, text);
    snprintf(text, sizeof text, "%.3g", h->to);
    ctGui_Label(r.x + r.w, r.y + r.h + 2.0f * unit, 1.0f, faint, text);
}

void ctAnnotations_Histograms(const ctCanvasPart *part, const ctScene *scene, const ctSimState *state)
{
    const ctAnnotations *a = &scene->annotations;
    // In a small picture histograms are small too, so that the scene stays visible beside them.
    float unit = part->unit, w = fminf(300.0f * unit, 0.34f * part->free.w), wide, high;
    float h = fminf(150.0f * unit, fmaxf(66.0f * unit, 0.3f * part->free.h));
    for (int i = 0; i < a->histogramCount; i++) {
        ctGui_LabelSize(a->histograms[i].title, &wide, &high);
        w = fmaxf(w, fminf(wide + 20.0f * unit, 0.5f * part->free.w));
    }
    float x = part->free.x + part->free.w - w - 12.0f * unit, y = part->free.y + part->free.h - 10.0f * unit;
    int counts[MAX_BINS];
    for (int i = 0; i < a->histogramCount && y - h > part->free.y; i++) {
        const ctSceneHistogram *item = &a->histograms[i];
        int bodies = ctHistogram_Count(item, scene, state, counts);
        float line = ctGui_LineHeight();
        ctRect box = {x, y - h, w, h};
        ctGui_Box(box, (ctRgba){0.07f, 0.08f, 0.1f, 0.85f}, 5.0f * unit);
        ctGui_Clip(box);
        ctGui_Label(x + 10.0f * unit, box.y + 5.0f * unit, 0.0f, (ctRgba){1.0f, 1.0f, 1.0f, 1.0f}, item->title);
        drawHistogram(
            item, counts, bodies,
            (ctRect){x + 10.0f * unit, box.y + line + 8.0f * unit, w - 20.0f * unit, h - 2.0f * line - 14.0f * unit},
            unit);
        ctGui_Unclip();
        y -= h + 8.0f * unit;
    }
}

// ---- the legend -------------------------------------------------------------------------------

void ctLegend_Draw(const ctCanvasPart *part, const ctLegendRow *rows, int count)
{
    float unit = part->unit, line = ctGui_LineHeight() + 3.0f * unit, wide = 0.0f, w, h;
    for (int i = 0; i < count; i++) {
        ctGui_LabelSize(rows[i].text, &w, &h);
        wide = fmaxf(wide, w);
    }
    if (count == 0) {
        return;
    }
    ctRect box = {part->free.x + part->free.w - wide - 58.0f * unit, part->free.y + 8.0f * unit, wide + 50.0f * unit,
                  line * (float)count + 9.0f * unit};
    ctGui_Box(box, (ctRgba){0.07f, 0.08f, 0.1f, 0.8f}, 5.0f * unit);
    for (int i = 0; i < count; i++) {
        float y = box.y + 5.0f * unit + line * (float)i, middle = y + 0.5f * ctGui_LineHeight();
        float x0 = box.x + 8.0f * unit, x1 = x0 + 26.0f * unit;
        if (rows[i].arrow) {
            ctGui_Arrow(x0, middle, x1, middle, rows[i].color, 2.0f * unit);
        } else {
            ctGui_Line(x0, middle, x1, middle, rows[i].color, 2.0f * unit);
        }
        ctGui_Label(x1 + 8.0f * unit, y, 0.0f, (ctRgba){0.95f, 0.95f, 0.97f, 1.0f}, rows[i].text);
    }
}
