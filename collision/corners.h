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

// [method] Points whose normals have this cosine belong to one face of solids, seen from one body or from the other: at
// this angle gaps are level to 1e-6 of the size. Triangles of a terrain at an angle are different faces.
#define CT_FACE_OF_SOLIDS (1.0 - 5e-7)
#define CT_FACE_OF_TERRAIN (1.0 - 1e-12)

// Marks the points that a single face of the same outline would have. A point is left out when points of the
// same face surround it and are no farther from touching: one of these touches first, however the two bodies move. Of
// points at the same place and level, the first stays. size: of the smaller body, m.
void ctKeepCorners(const ctSpot *spots, int count, double cosine, double size, bool *keep);

#endif
