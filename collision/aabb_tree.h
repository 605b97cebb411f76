// A binary tree of boxes in single precision, each box rounded outwards: the index behind the broadphase.
#ifndef CT_AABB_TREE_H
#define CT_AABB_TREE_H

#include "collision/vec3.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The upper corner is kept with its sign turned, so that a box is small when all its numbers are large: the join
// of two boxes is the minimum of each number, and a touch is one comparison. The last of each four is zero.
typedef struct ctFloatBox {
    float lo[4];
    float minusHi[4];
} ctFloatBox;

typedef struct ctTreeNode {
    ctFloatBox box;
    int parent;   // -1 at the root; the next free node in the free list
    int child[2]; // a leaf has child[0] = -1 and child[1] = the caller's value
} ctTreeNode;

typedef struct ctTree {
    ctTreeNode *nodes;
    int capacity, used; // used: nodes ever taken, free ones included
    int root, freeNode; // -1 when none
    int *stack;         // room for a walk: never deeper than the number of leaves
    int stackCapacity;
} ctTree;

void ctTree_Init(ctTree *tree);
void ctTree_Clear(ctTree *tree); // frees everything
// Makes room for this many leaves in all. False, with nothing changed, when memory is short.
bool ctTree_Reserve(ctTree *tree, int leaves);
// Returns the leaf. Room must have been reserved.
int ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value);
void ctTree_Remove(ctTree *tree, int leaf);
// Another box for a leaf. Returns the leaf, which may be another one.
int ctTree_Move(ctTree *tree, int leaf, const ctFloatBox *box);
// Writes the values of all leaves whose boxes touch this one to out, which has room for all leaves.
int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out);
// The same for the boxes that the segment origin + t direction, 0 <= t <= maxT, touches, and perhaps a few
// that it passes by a rounding error.
int ctTree_QueryRay(const ctTree *tree, ctVec3 origin, ctVec3 direction, double maxT, int *out);

// a.lo <= b.hi and b.lo <= a.hi, in all directions.
static inline bool ctFloatBox_Touch(const ctFloatBox *a, const ctFloatBox *b)
{
#if defined(__SSE2__)
    __m128 zero = _mm_setzero_ps(), loA = _mm_loadu_ps(a->lo), loB = _mm_loadu_ps(b->lo);
    __m128 hiA = _mm_sub_ps(zero, _mm_loadu_ps(a->minusHi)), hiB = _mm_sub_ps(zero, _mm_loadu_ps(b->minusHi));
    return _mm_movemask_ps(_mm_and_ps(_mm_cmple_ps(loA, hiB), _mm_cmple_ps(loB, hiA))) == 15;
#else
    bool touch = true;
    for (int i = 0; i < 3; i++) {
        touch = touch && a->lo[i] <= -b->minusHi[i] && b->lo[i] <= -a->minusHi[i];
    }
    return touch;
#endif
}

#endif
