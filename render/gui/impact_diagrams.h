// One impact as diagrams: the hodograph, velocity and work over the normal impulse, the friction cone.
#ifndef CT_GUI_IMPACT_DIAGRAMS_H
#define CT_GUI_IMPACT_DIAGRAMS_H

#include "engine/clatter.h"
#include "engine/impact/impact.h"
#include "render/gui/imgui_c.h"

// The result of another law for the same impact.
typedef struct ctLawEnd {
    ctLaw law;
    const char *name; // for people
    ctImpactResult result;
} ctLawEnd;

enum { CT_LAW_ENDS = 7 };

typedef struct ctImpactStudy {
    ctImpact impact;
    ctImpactCourse course; // of the world's law, or of Stronge's when that law has no course
    bool borrowed;         // the course is Stronge's
    ctLawEnd ends[CT_LAW_ENDS];
    ctMat3 axes; // of the contact frame, in the world: x along the sliding before, z the normal
} ctImpactStudy;

void ctImpactStudy_Make(ctImpactStudy *study, const ctImpact *impact);

// Each reserves its space in the panel.
void ctDiagram_Hodograph(const ctImpactStudy *study, float width, float height, float scale);
void ctDiagram_Course(const ctImpactStudy *study, float width, float height, float scale);
void ctDiagram_Cone(const ctImpactStudy *study, float width, float height, float scale);

#endif
