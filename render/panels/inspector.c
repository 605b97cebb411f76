// The impact inspector: steps through impacts and shows one in detail.
#include "render/panels/panels.h"

#include "render/gui/impact_diagrams.h"

#include <math.h>
#include <stdio.h>

static void navigation(ctViewer *v)
{
    ctBodyId only = v->inspectOne ? v->selected : (ctBodyId){0};
    int count = v->history.impactCount, from = v->inspected;
    int previous = ctHistory_NextImpact(&v->history, from >= 0 ? from : count, -1, only);
    int next = ctHistory_NextImpact(&v->history, from, 1, only);
    ctGui_BeginDisabled(previous < 0);
    if (ctGui_Button("◀ previous", 0.0f, false)) {
        v->inspected = previous;
    }
    ctGui_EndDisabled();
    ctGui_SameLine(0.0f);
    ctGui_BeginDisabled(next < 0 || from < 0);
    if (ctGui_Button("next ▶", 0.0f, false)) {
        v->inspected = next;
    }
    ctGui_EndDisabled();
    ctGui_SameLine(0.0f);
    ctGui_BeginDisabled(from < 0);
    if (ctGui_Button("go there", 0.0f, false)) {
        ctViewer_Seek(v, v->history.impacts[from].time);
    }
    ctGui_EndDisabled();
    ctGui_Hint("Takes the world back to the frame of this impact");
    char place[40];
    snprintf(place, sizeof place, "%d of %d", from + 1, count);
    ctGui_SameLineIfFits(0.0f, place);
    ctGui_TextFaint("%s", place);
}

static void choices(ctViewer *v)
{
    ctGui_Checkbox("only the selected body", &v->inspectOne);
    ctGui_SameLineIfFits(0.0f, "[x] pause at impacts"); // with the box of the checkbox
    ctGui_Checkbox("pause at impacts", &v->pauseAtImpacts);
    ctGui_Hint("While playing, stop just after every impact that is listed here");
}

// A value beside the last one, at x or further right, or on a line of its own where it does not fit.
static void beside(float x, const char *text)
{
    ctGui_SameLineIfFits(x, text);
    ctGui_Text("%s", text);
}

static void numbers(const ctViewer *v, const ctImpactStudy *study)
{
    const ctImpact *m = &study->impact;
    char one[80], two[80];
    ctViewer_BodyName(v, m->body1, one, sizeof one);
    ctViewer_BodyName(v, m->body2, two, sizeof two);
    ctVec3 u = ctMulTMV(study->axes, m->velocity), p = ctMulTMV(study->axes, m->impulse);
    ctVec3 after = ctMulTMV(study->axes, ctAdd(m->velocity, ctMulMV(m->k, m->impulse)));
    double before = hypot(u.x, u.y), pt = hypot(p.x, p.y), sliding = hypot(after.x, after.y);
    sliding = sliding < 1e-9 * before ? 0.0 : sliding; // the rest is rounding: the contact sticks
    ctGui_TextColor((ctRgba){1.0f, 0.75f, 0.4f, 1.0f}, "%s on %s", one, two);
    ctGui_TextFaint("t = %.6f s, %s, μ = %.3g, e = %.3g", m->time, ctLawName(m->law), m->pair.friction,
                    m->pair.restitution);
    ctGui_Text("u_z  %.4g → %.4g m/s", u.z, after.z);
    float column = 226.0f * v->scale;
    snprintf(one, sizeof one, "|u_t|  %.4g → %.4g m/s", before, sliding);
    beside(column, one);
    ctGui_Text("p_z  %.4g N s", p.z);
    snprintf(one, sizeof one, "|p_t|  %.4g N s", pt);
    beside(column, one);
    ctGui_Text("|p_t| / p_z  %.3g", p.z > 0.0 ? pt / p.z : 0.0);
    beside(column, pt < m->pair.friction * p.z * (1.0 - 1e-6) ? "inside the cone" : "on the cone");
    ctGui_Text("energy lost  %.4g J", m->energyLost);
    snprintf(one, sizeof one, "friction %.3g, restitution %.3g", m->frictionLoss, m->restitutionLoss);
    beside(0.0f, one);
}

static void lawTable(const ctImpactStudy *study, float scale)
{
    ctGui_TextFaint("where the laws end");
    for (int i = 0; i < CT_LAW_ENDS; i++) {
        const ctLawEnd *end = &study->ends[i];
        if (end->result.mode == ct_impactInvalid) {
            continue;
        }
        ctRgba color =
            end->law == study->impact.law ? (ctRgba){1.0f, 0.6f, 0.25f, 1.0f} : (ctRgba){0.85f, 0.87f, 0.9f, 1.0f};
        ctGui_TextColor(color, "%d %s", i + 1, end->name);
        ctGui_SameLine(96.0f * scale);
        ctGui_TextColor(color, "u = (%.3g, %.3g, %.3g)", end->result.v.x, end->result.v.y, end->result.v.z);
        ctGui_SameLine(296.0f * scale);
        ctGui_TextColor(color, "%s, %.3g J", ctImpactModeName(end->result.mode),
                        end->result.frictionLoss + end->result.restitutionLoss);
    }
}

// All of the study, one below the other.
static void column(ctViewer *v, const ctImpactStudy *study)
{
    float free = ctGui_AvailableWidth(), unit = v->scale;
    numbers(v, study);
    ctDiagram_Hodograph(study, free, 190.0f * unit, unit);
    ctDiagram_Course(study, free, 220.0f * unit, unit);
    ctDiagram_Cone(study, free, 170.0f * unit, unit);
    lawTable(study, unit);
}

// In a low window a part at a time, each as high as the panel.
static void tabs(ctViewer *v, const ctImpactStudy *study)
{
    static const char *const names[] = {"Numbers", "Hodograph", "Course", "Cone", "Laws"};
    static void (*const diagrams[])(const ctImpactStudy *, float, float,
                                    float) = {NULL, ctDiagram_Hodograph, ctDiagram_Course, ctDiagram_Cone, NULL};
    if (!ctGui_BeginTabs("parts")) {
        return;
    }
    for (int i = 0; i < 5; i++) {
        if (!ctGui_BeginTab(names[i])) {
            continue;
        }
        float width = ctGui_AvailableWidth(), height = ctGui_AvailableHeight() - 12.0f * v->scale;
        if (i == 0) {
            numbers(v, study);
            choices(v);
        } else if (diagrams[i] != NULL) {
            diagrams[i](study, width, fmaxf(height, 100.0f * v->scale), v->scale);
        } else {
            lawTable(study, v->scale);
        }
        ctGui_EndTab();
    }
    ctGui_EndTabs();
}

void ctPanel_Inspector(ctViewer *v)
{
    static ctImpactStudy study;
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    float w = fminf(470.0f * unit, width - 12.0f * unit), top = 46.0f * unit;
    float most = height - top - ctViewer_TimelineHeight(v) - 6.0f * unit;
    // Beside the curves, if there is space.
    float right = v->show.curves && width > 2.0f * w + 320.0f * unit ? 472.0f * unit : 6.0f * unit;
    ctRect place = {width - w - right, top, w, fminf(800.0f * unit, most)};
    bool open = ctGui_BeginPanel("Impact inspector", &v->show.inspector, place, 0);
    ctViewer_Cover(v, ctGui_PanelRect());
    if (open) {
        bool chosen = v->inspected >= 0 && v->inspected < v->history.impactCount, low = most < 480.0f * unit;
        navigation(v);
        if (!low || !chosen) {
            choices(v);
        }
        if (chosen) {
            ctImpactStudy_Make(&study, &v->history.impacts[v->inspected]);
            (low ? tabs : column)(v, &study);
            if (study.borrowed) {
                ctGui_TextFaint("this law has no course; the curves are Stronge's");
            }
        } else {
            ctGui_Space(10.0f * unit);
            ctGui_TextWrapped(
                "No impact is chosen. Press N to run to the next impact, or choose one with the buttons above.");
        }
    }
    ctGui_EndPanel();
}
