// Rows with the distances of the bodies from their ghosts.
#include "render/panels/panels.h"

#include "collision/quat.h"

enum { MOST_ROWS = 12 };

void ctPanel_Ghost(const ctViewer *v)
{
    if (v->ghost.count == 0 || !ctGui_Header("Ghost", true)) {
        return;
    }
    int rows = 0;
    for (int i = 0; i < v->shown.count && rows < MOST_ROWS; i++) {
        const ctBodyState *body = &v->shown.bodies[i];
        // The pose in the picture, which may be between two states of the world.
        ctVec3 offset = ctInvRotate(body->pose.q, ctSub(body->center, body->pose.p));
        ctVec3 center = ctTransformPoint(v->poses[i], offset);
        double distance, angle;
        if (ctGhost_Difference(&v->ghost, body->id, v->pictureTime, center, v->poses[i].q, &distance, &angle)) {
            char name[80];
            ctViewer_BodyName(v, body->id, name, sizeof name);
            ctGui_Text("%.40s: %.3g mm, %.3g°", name, 1e3 * distance, angle * 180.0 / CT_PI);
            rows++;
        }
    }
    if (v->ghost.count > MOST_ROWS) {
        ctGui_TextFaint("and %d more bodies", v->ghost.count - MOST_ROWS);
    }
}
