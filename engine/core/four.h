// Four numbers in one vector. Each lane is computed as a scalar would be, so results do not depend on the width of the
// machine's registers.
#ifndef CT_FOUR_H
#define CT_FOUR_H

#include <math.h>
#include <stdbool.h>

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

static inline bool ctFour_IsAny(ctFourBits bits)
{
#if defined(__AVX__)
    return __builtin_ia32_movmskpd256((ctFour)bits) != 0;
#else
    return (bits[0] | bits[1] | bits[2] | bits[3]) != 0;
#endif
}

// a where the condition holds, and b elsewhere.
static inline ctFour ctFour_Choose(ctFourBits which, ctFour a, ctFour b)
{
    return (ctFour)((which & (ctFourBits)a) | (~which & (ctFourBits)b));
}

static inline ctFour ctFour_Roots(ctFour a)
{
#if defined(__AVX__)
    return __builtin_ia32_sqrtpd256(a);
#else
    return (ctFour){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])};
#endif
}

#endif
