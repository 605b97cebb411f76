// The selected body.
#include "render/viewer/viewer_internal.h"

#include "collision/quat.h"
#include "collision/shape.h"

#include <stdio.h>

static const char *shapeName(const ctShape *shape)
{
    static const char *const names[] = {"sphere",    "capsule",    "box",   "solid of revolution",
                                        "ellipsoid", "polyhedron", "plane", "compound"};
    return names[shape->type];
}

static void dynamics(ctViewer *v, const ctBodyState *body)
{
    const ctWorld *world = v->scene->world;
    double mass = ctBody_GetMass(world, body->id);
    ctVec3 spin = ctInvRotate(body->pose.q, body->spin);
    double kinetic = 0.5 * mass * ctLengthSquared(body->velocity) +
                     0.5 * ctDot(spin, ctMulMV(ctBody_GetInertia(world, body->id), spin));
    double potential = -mass * ctDot(v->settings.gravity, body->center);
    ctGui_Text("mass       %.4g kg", mass);
    ctGui_Text("speed      %.4g m/s   (%.3g, %.3g, %.3g)", ctLength(body->velocity), body->velocity.x, body->velocity.y,
               body->velocity.z);
    ctGui_Text("spin         %.4g rad/s   (%.3g, %.3g, %.3g)", ctLength(body->spin), body->spin.x, body->spin.y,
               body->spin.z);
    ctGui_Text("energy     %.4g J kinetic, %.4g J potential", kinetic, potential);
    ctGui_Text("state        %s", body->asleep ? "asleep" : "awake");
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
    ctRect place = {width - 6.0f * unit, 46.0f * unit, 0.0f, 0.0f};
    if (ctGui_BeginPanel(title, &v->show.body, place, ct_guiFit)) {
        static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
        ctGui_TextFaint("%s, %s, %s", motions[stage->motion], shapeName(stage->geometry),
                        ctWorld_GetMaterialName(v->scene->world, ctBody_GetMaterial(v->scene->world, v->selected)));
        ctGui_Text("centre     (%.4g, %.4g, %.4g) m", body->center.x, body->center.y, body->center.z);
        if (stage->motion == ct_motionDynamic) {
            dynamics(v, body);
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
    }
    ctGui_EndPanel();
}
