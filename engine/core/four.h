// Four numbers in one vector. Each lane is computed as a scalar would be, so results do not depend on the width of the
// machine's registers.
#ifndef CT_FOUR_H
#define CT_FOUR_H

typedef double ctFour __attribute__((vector_size(32)));
// The same, wherever it is in memory; and of each lane all bits or none.
typedef double ctFourAt __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long ctFourBits __attribute__((vector_size(32)));

// Rows become columns.
static inline void ctFour_Transpose(ctFour a, ctFour b, ctFour c, ctFour d, ctFour out[4])
{
    ctFour ab = __builtin_shufflevector(a, b, 0, 4, 2, 6), cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    ctFour ba = __builtin_shufflevector(a, b, 1, 5, 3, 7), dc = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    out[0] = __builtin_shufflevector(ab, cd, 0, 1, 4, 5);
    out[1] = __builtin_shufflevector(ba, dc, 0, 1, 4, 5);
    out[2] = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    out[3] = __builtin_shufflevector(ba, dc, 2, 3, 6, 7);
}

#endif
