// `clatter impact`: the parts of the command.
#ifndef CT_CMD_IMPACT_H
#define CT_CMD_IMPACT_H

#include "engine/impact/impact.h"

#include <stdio.h>

// One impact in words and numbers.
void ctReportImpact(const ctImpactCourse *course, FILE *out);

// One impact as a picture: hodograph, impulse plane, normal velocity and work. Writes a whole SVG file.
bool ctPlotImpact(const ctImpactCourse *course, const char *path, ctError *error);

#endif
