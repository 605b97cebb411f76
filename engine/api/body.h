// What the files that make and change bodies share.
#ifndef CT_API_BODY_H
#define CT_API_BODY_H

#include "engine/state/state.h"

// The index of a body that may be changed now, or -1 and an error.
int ctBody_ToChange(const ctWorld *world, ctBodyId body, ctError *error);
bool ctBody_CheckPose(ctTransform pose, ctError *error);
// Mass, centre and inertia of a dynamic body, checked.
bool ctBodyDef_Mass(const ctWorld *world, const ctBodyDef *def, const ctShape *shape, ctMassProperties *out,
                    ctError *error);
// Whether it is not the default filter, which lets everything touch everything.
static inline bool ctFilter_IsChoosy(ctFilter filter)
{
    return filter.category != 1 || filter.mask != UINT64_MAX;
}

#endif
