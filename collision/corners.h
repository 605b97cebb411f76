// The corners of a contact that is made up of several faces.
#ifndef CT_CORNERS_H
#define CT_CORNERS_H

#include "collision/types.h"

#include <stdbool.h>

// A point of contact: its place, the unit normal, and the gap there, m.
typedef struct ctSpot {
    ctVec3 p, n;
    double gap;
} ctSpot;

// [storage] More points than these are all kept.
#define CT_MOST_SPOTS 512

// Marks the points that a single face of the same form would have. A point is left out when others with its normal
// are around it and no farther from touching: then they touch first, however the two bodies move. Of points at one
// place the first stays. size: of the smaller body, m.
void ctKeepCorners(const ctSpot *spots, int count, double size, bool *keep);

#endif
