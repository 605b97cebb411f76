// Tables of single impacts for `clatter impact --batch`.
#ifndef CT_IMPACT_BATCH_H
#define CT_IMPACT_BATCH_H

#include "engine/impact/impact.h"

#include <stdio.h>

typedef struct ctImpactBatch {
    ctImpactInput *cases;
    int count;
} ctImpactBatch;

// Reads comma-separated values: a header line, then one impact per line. The columns k11 k12 k13 k22 k23 k33 ux uy uz
// mu e are required. The columns et (default 0), sigma (0), eta2 (14/17) and law (stronge) are optional; others are
// ignored. nan and inf are accepted as numbers: such an impact is not valid, but the file is well formed. path "-" is
// standard input.
// False, with a message "FILE:LINE: what is wrong", when the file is malformed; *batch is empty then.
bool ctImpactBatch_Read(ctImpactBatch *batch, const char *path, ctError *error);

void ctImpactBatch_Free(ctImpactBatch *batch);

// One line of the result: px,py,pz,vx,vy,vz,mode with 17 significant digits.
void ctWriteImpactHeader(FILE *out);
void ctWriteImpactLine(FILE *out, const ctImpactResult *result);

#endif
