// The parts of a snapshot, one file each. Each of these functions writes and reads (core/archive.h).
#ifndef CT_API_SNAPSHOT_H
#define CT_API_SNAPSHOT_H

#include "engine/contact/contact.h"
#include "engine/core/archive.h"

void ctSnapshot_Tally(ctArchive *ar, ctTally *tally);
void ctSnapshot_Pair(ctArchive *ar, ctCoefficients *pair);
void ctSnapshot_Bodies(ctWorld *world, ctArchive *ar);
void ctSnapshot_Pairs(ctWorld *world, ctArchive *ar); // after the bodies
void ctSnapshot_Events(ctWorld *world, ctArchive *ar);

#endif
