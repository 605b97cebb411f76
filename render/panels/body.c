// The panel of the selected body.
#include "render/panels/panels.h"

#include "collision/quat.h"
#include "collision/shape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// A row of the table: a name, and its value in the second column.
static void row(const ctViewer *v, const char *name, const char *format, ...) CT_PRINTF(3, 4);
static void row(const ctViewer *v, const char *name, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctGui_TextFaint("%s", name);
    ctGui_SameLine(84.0f * v->scale);
    ctGui_Text("%s", text);
}

// The length of a vector, and its components in a second row, so that the panel keeps its width.
static void vectorRow(const ctViewer *v, const char *name, const char *unit, ctVec3 x)
{
    row(v, name, "%.4g %s", ctLength(x), unit);
    row(v, "", "(%.3g, %.3g, %.3g)", x.x, x.y, x.z);
}

static void dynamics(ctViewer *v, const ctBodyState *body)
{
    const ctWorld *world = v->scene->world;
    double mass = ctBody_GetMass(world, body->id);
    ctVec3 spin = ctInvRotate(body->pose.q, body->spin);
    double kinetic = 0.5 * mass * ctLengthSquared(body->velocity) +
                     0.5 * ctDot(spin, ctMulMV(ctBody_GetInertia(world, body->id), spin));
    double potential = 0.0 - mass * ctDot(v->settings.gravity, body->center);
    row(v, "mass", "%.4g kg, %s", mass, body->asleep ? "asleep" : "awake");
    vectorRow(v, "speed", "m/s", body->velocity);
    vectorRow(v, "spin", "rad/s", body->spin);
    row(v, "kinetic", "%.4g J", kinetic);
    row(v, "potential", "%.4g J", potential);
}

static ctVec3 vectorOf(const double v[3])
{
    return ctV3(v[0], v[1], v[2]);
}

// Fields to change place, velocity and spin while the simulation is paused.
static void hands(ctViewer *v, const ctBodyState *body, double size)
{
    double p[3] = {body->pose.p.x, body->pose.p.y, body->pose.p.z};
    double u[3] = {body->velocity.x, body->velocity.y, body->velocity.z},
           w[3] = {body->spin.x, body->spin.y, body->spin.z};
    ctGui_ItemWidth(-70.0f * v->scale);
    bool moved = ctGui_Vector("place", p, 0.01 * size);
    bool changed = ctGui_Vector("velocity", u, 0.02);
    changed = ctGui_Vector("spin", w, 0.1) || changed;
    ctGui_ItemWidth(0.0f);
    ctGui_Hint("Drag a number, or click and type");
    if (changed || moved) {
        v->edit = (ctBodyEdit){body->id, vectorOf(u), vectorOf(w), vectorOf(p), moved};
    }
}

void ctPanel_Body(ctViewer *v)
{
    const ctBodyState *body = ctViewer_FindBody(v, v->selected);
    if (body == NULL) {
        return;
    }
    float width, height, unit = v->scale;
    ctGui_GetSize(&width, &height);
    const ctStageBody *stage = &v->stage.bodies[body - v->shown.bodies];
    char title[128], name[80];
    ctViewer_BodyName(v, v->selected, name, sizeof name);
    snprintf(title, sizeof title, "%s###body", name);
    float w = fminf(280.0f * unit, width - 12.0f * unit);
    ctRect place = {width - w - 6.0f * unit, 46.0f * unit, w, 0.0f};
    if (ctGui_BeginPanel(title, &v->show.body, place, ct_guiStay | ct_guiScrollless)) {
        static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
        char kind[160];
        snprintf(kind, sizeof kind, "%s %s of %s", motions[stage->motion], ctShape_TypeName((int)stage->geometry->type),
                 ctWorld_GetMaterialName(v->scene->world, ctBody_GetMaterial(v->scene->world, v->selected)));
        ctGui_TextWrapped(kind);
        row(v, "centre", "(%.4g, %.4g, %.4g) m", body->center.x, body->center.y, body->center.z);
        if (stage->motion == ct_motionDynamic) {
            dynamics(v, body);
        }
        if (!v->playing && stage->motion == ct_motionDynamic && ctGui_Header("Change", false)) {
            hands(v, body, stage->radius);
        }
        if (ctGui_Button(v->follow ? "Following" : "Follow", 0.0f, v->follow)) {
            v->follow = !v->follow;
        }
        ctGui_SameLine(0.0f);
        if (ctGui_Button("Its impacts", 0.0f, false)) {
            v->show.inspector = true;
            int last = ctHistory_NextImpact(&v->history, v->history.impactCount, -1, v->selected);
            v->inspected = last >= 0 ? last : v->inspected;
        }
        ctGui_SameLine(0.0f);
        if (ctGui_Button("Delete", 0.0f, false)) {
            v->deleteBody = true;
        }
        ctGui_Hint("Takes the body out of the world (Delete); R brings it back");
    }
    ctGui_EndPanel();
}
