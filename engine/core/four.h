// Four numbers in one vector. Each lane is computed as a scalar would be, so results do not depend on the width of the
// machine's registers.
#ifndef CT_FOUR_H
#define CT_FOUR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef double ctFour __attribute__((vector_size(32)));
// The same, wherever it is in memory; and of each lane all bits or none.
typedef double ctFourAt __attribute__((vector_size(32), aligned(8), may_alias));
typedef long long ctFourBits __attribute__((vector_size(32)));

// A vector in each lane.
typedef struct ctFourVec {
    ctFour x, y, z;
} ctFourVec;

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

// In each lane, as ctFmax.
static inline ctFour ctFour_Max(ctFour a, ctFour b)
{
    return ctFour_Choose((ctFourBits)(a > b) | (ctFourBits)(b != b), a, b);
}

static inline ctFour ctFour_Size(ctFour a)
{
    return (ctFour)((ctFourBits)a & INT64_MAX);
}

// ---- vectors ------------------------------------------------------------------------------------

static inline ctFourVec ctFourVec_Load(const ctFourAt *from)
{
    return (ctFourVec){from[0], from[1], from[2]};
}

static inline ctFourVec ctFourVec_Add(ctFourVec a, ctFourVec b)
{
    return (ctFourVec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline ctFourVec ctFourVec_Sub(ctFourVec a, ctFourVec b)
{
    return (ctFourVec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline ctFourVec ctFourVec_Scale(ctFour s, ctFourVec a)
{
    return (ctFourVec){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline ctFourVec ctFourVec_MulAdd(ctFourVec a, ctFour s, ctFourVec b)
{
    return (ctFourVec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline ctFour ctFourVec_Dot(ctFourVec a, ctFourVec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline ctFourVec ctFourVec_Cross(ctFourVec a, ctFourVec b)
{
    return (ctFourVec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
