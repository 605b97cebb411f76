// Sorting of plain numbers, ascending, with no allocation.
#ifndef CT_SORT_H
#define CT_SORT_H

#include "collision/types.h"

void ctSortInts(int *values, int count);
// scratch: room for as many. The result is in keys.
void ctSortKeys(uint64_t *keys, uint64_t *scratch, int count);

#endif
