// Choices without branches, for what is a matter of luck: half of the time a processor would guess wrong, which costs
// as much as dozens of instructions. Compilers make branches of the conditional operator as they see fit.
#ifndef CT_PICK_H
#define CT_PICK_H

#include "collision/types.h"

#include <string.h>

static inline int ctPick(bool first, int a, int b)
{
    return b ^ ((a ^ b) & -(int)first);
}

static inline int64_t ctBitsOf(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double ctOfBits(int64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double ctPickReal(bool first, double a, double b)
{
    return ctOfBits(ctBitsOf(b) ^ ((ctBitsOf(a) ^ ctBitsOf(b)) & -(int64_t)first));
}

#endif
