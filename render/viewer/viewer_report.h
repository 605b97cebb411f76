// Lines on standard output about the viewer's state, for tests that control the viewer from outside.
#ifndef CT_VIEWER_REPORT_H
#define CT_VIEWER_REPORT_H

#include "render/viewer/viewer_internal.h"

// Prints the place of each widget when it appears or moves:
//     widget PANEL|LABEL X Y WIDTH HEIGHT
void ctReport_Widgets(void);
// Prints a line of state when it changed, at most ten times a second:
//     state time=... playing=0 speed=1 ...
void ctReport_State(ctViewer *v);

#endif
