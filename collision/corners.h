// The corners of a face that several parts or triangles make up.
#ifndef CT_CORNERS_H
#define CT_CORNERS_H

#include "collision/types.h"

#include <stdbool.h>

// A point of contact: place, m; unit normal; gap, m.
typedef struct ctSpot {
    ctVec3 p, n;
    double gap;
} ctSpot;

// [storage] Of more points than this number, all are kept.
#define CT_MOST_SPOTS 512

// Marks the points that a single face of the same outline would have. A point is left out when points with the same
// normal surround it and are no farther from touching: one of these touches first, however the two bodies move. Of
// points at the same place and level, the first stays. size: of the smaller body, m.
void ctKeepCorners(const ctSpot *spots, int count, double size, bool *keep);

#endif
