// The viewer's panels. Each draws itself and changes the desk.
#ifndef CT_PANELS_H
#define CT_PANELS_H

#include "render/desk/desk.h"

void ctPanel_Bar(ctViewer *v);
void ctPanel_Tweak(ctViewer *v);
void ctPanel_Measures(const ctMeasures *measures); // rows of another panel
void ctPanel_Ghost(const ctViewer *v);             // rows of another panel
void ctPanel_Timeline(ctViewer *v);
void ctPanel_Plots(ctViewer *v);
void ctPanel_Curves(ctViewer *v);
void ctPanel_Body(ctViewer *v);
void ctPanel_Inspector(ctViewer *v);
void ctPanel_Help(ctViewer *v);
void ctPanel_Scenes(ctViewer *v);
void ctPanel_Notes(ctViewer *v); // the error of a scene, the short note, the sign of recording

#endif
