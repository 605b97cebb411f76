// What the viewer may change about a scene, as it is and as the scene has it.
#ifndef CT_WINDOW_SETTINGS_H
#define CT_WINDOW_SETTINGS_H

#include "scenes/scene.h"

typedef struct ctPairRow {
    ctMaterialId a, b;
    char nameA[48], nameB[48];
    ctCoefficients value, initial;
    bool met; // bodies of them have touched since the scene was opened
} ctPairRow;

typedef struct ctSettings {
    ctPairRow *pairs; // of materials that can meet in the scene
    int pairCount, pairCapacity;
    ctSceneParam *params; // the scene's, with the values that were set; names point into the scene
    int paramCount, paramCapacity;
    ctLaw law, initialLaw;
    ctContactMode contact, initialContact;
    ctVec3 gravity, initialGravity;
    bool changed; // something has to be applied to the world
} ctSettings;

// Reads a scene as loaded.
bool ctSettings_Read(ctSettings *settings, const ctScene *scene, ctError *error);
void ctSettings_Free(ctSettings *settings);
// Takes over from old (of the scene before it was loaded again) whatever was changed there, and who has met, by name.
void ctSettings_Inherit(ctSettings *settings, const ctSettings *old);
// Two bodies of the scene's world have touched.
void ctSettings_Meet(ctSettings *settings, const ctWorld *world, ctBodyId body1, ctBodyId body2);
int ctSettings_CountMet(const ctSettings *settings); // pairs
void ctSettings_Restore(ctSettings *settings);       // to what the scene has; parameters too
bool ctSettings_IsDefault(const ctSettings *settings);
// Sets the world's materials, law, contact mode and gravity; parameters need the scene to be loaded again.
bool ctSettings_Apply(const ctSettings *settings, ctWorld *world, ctError *error);
// What ctScene_Load needs to start with these parameters: paramCount entries.
void ctSettings_GetParams(const ctSettings *settings, ctSetting *out);

// The settings as a `clatter` command line for a scene (its name or path) that was loaded as given, followed, where a
// pair of its own was changed, by the lines to put into the scene. Always ended; true when it fitted.
bool ctSettings_CommandLine(const ctSettings *settings, const ctSceneOptions *given, const char *scene, char *text,
                            size_t size);

#endif
