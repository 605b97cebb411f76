// The settings of a scene that the viewer can change: present values and those of the scene.
#ifndef CT_WINDOW_SETTINGS_H
#define CT_WINDOW_SETTINGS_H

#include "scenes/scene.h"

typedef struct ctPairRow {
    ctMaterialId a, b;
    char nameA[48], nameB[48];
    ctCoefficients value, initial;
    bool met; // bodies of these materials have touched since the scene was opened
} ctPairRow;

typedef struct ctSettings {
    ctPairRow *pairs; // of materials that can meet in the scene
    int pairCount, pairCapacity;
    ctSceneParam *params; // the scene's parameters with the values of the panel; names point into the scene
    int paramCount, paramCapacity;
    ctLaw law, initialLaw;
    ctContactMode contact, initialContact;
    ctVec3 gravity, initialGravity;
    bool changed; // the settings have to be applied to the world
} ctSettings;

// Reads the settings of a loaded scene.
bool ctSettings_Read(ctSettings *settings, const ctScene *scene, ctError *error);
void ctSettings_Free(ctSettings *settings);
// Copies the changed values, and which pairs have met, from old, by name. old: of the scene before it was loaded again.
void ctSettings_Inherit(ctSettings *settings, const ctSettings *old);
// To be called when two bodies of the scene's world have touched.
void ctSettings_Meet(ctSettings *settings, const ctWorld *world, ctBodyId body1, ctBodyId body2);
int ctSettings_CountMet(const ctSettings *settings); // number of pairs that have met
void ctSettings_Restore(ctSettings *settings);       // to the values of the scene, also the parameters
bool ctSettings_IsDefault(const ctSettings *settings);
// Sets the world's materials, law, contact mode and gravity; parameters need the scene to be loaded again.
bool ctSettings_Apply(const ctSettings *settings, ctWorld *world, ctError *error);
// The parameters for ctScene_Load: paramCount entries.
void ctSettings_GetParams(const ctSettings *settings, ctSetting *out);

// The settings as a `clatter` command line for a scene (its name or path) that was loaded with the options `given`.
// Changes that have no option follow as lines to put into the scene. The text is always terminated; true when it fits.
bool ctSettings_CommandLine(const ctSettings *settings, const ctSceneOptions *given, const char *scene, char *text,
                            size_t size);

#endif
