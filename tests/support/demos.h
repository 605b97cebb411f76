// Demos under test: what fails, fails the test.
#ifndef CT_TEST_DEMOS_H
#define CT_TEST_DEMOS_H

#include "scenes/scene.h"

// A few parameters of a demo.
typedef struct ctDemoSettings {
    int count;
    ctSetting list[4];
} ctDemoSettings;

// The demo with these parameters, or as it is (NULL), under audit.
ctScene *ctDemo_Load(const char *name, const ctDemoSettings *settings);
// Runs a demo; energy never rises. The check that it makes after each frame.
void ctDemo_StepTo(ctScene *scene, double time);
void ctDemo_CheckEnergyFalls(const ctScene *scene);
// No impulse outside its region, no event skipped, no overlap above the limit (m), every body is somewhere, and energy
// is accounted for to rounding.
void ctDemo_CheckSound(const ctScene *scene, double overlap);
// Of the body of a name.
ctVec3 ctDemo_CenterOf(const ctScene *scene, const char *name);
ctVec3 ctDemo_VelocityOf(const ctScene *scene, const char *name);

#endif
