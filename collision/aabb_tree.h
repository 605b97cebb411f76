// A binary tree of boxes in single precision, each box rounded outwards: the index behind the broadphase.
#ifndef CT_AABB_TREE_H
#define CT_AABB_TREE_H

#include "collision/vec3.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

// The lower corner, and the upper corner with its sign turned: the join of two boxes is the minimum of each number,
// and a touch is a comparison of six.
typedef struct ctFloatBox {
    float v[6];
} ctFloatBox;

// Half a cache line. Siblings stand side by side, so that a walk touches one line for each node that it opens.
typedef struct ctTreeNode {
    ctFloatBox box;
    int parent; // -1 at the root; the next free pair in the free list
    int child;  // the first of two siblings, or ~value at a leaf
} ctTreeNode;

// Leaves carry values: small non-negative numbers, each at most once.
typedef struct ctTree {
    void *memory;      // of the nodes, unaligned
    ctTreeNode *nodes; // the root is the first; the second is not used
    int capacity, used;
    int freePair; // -1 when none
    int leaves;
    int *leafOf; // by value
    int *stack;  // room for a walk: never deeper than the number of leaves
    int leafCapacity, stackCapacity;
} ctTree;

void ctTree_Init(ctTree *tree);
void ctTree_Clear(ctTree *tree); // frees everything
// Makes room for the values below limit. False, with nothing lost, when memory is short.
bool ctTree_Reserve(ctTree *tree, int limit);
void ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value);
void ctTree_Remove(ctTree *tree, int value);
void ctTree_Move(ctTree *tree, const ctFloatBox *box, int value);
// Writes the values of all leaves whose boxes touch this one to out, which has room for all leaves.
int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out);
// The same for the boxes that the segment origin + t direction, 0 <= t <= maxT, touches, and perhaps a few
// that it passes by a rounding error.
int ctTree_QueryRay(const ctTree *tree, ctVec3 origin, ctVec3 direction, double maxT, int *out);

// What boxes are compared with: the same box with its corners exchanged, and every sign.
typedef struct ctProbe {
#if defined(__SSE2__)
    __m128 front, back; // for the first four numbers of a box, and for the last four
#else
    float v[6];
#endif
} ctProbe;

static inline ctProbe ctProbeOf(const ctFloatBox *b)
{
    ctProbe p;
#if defined(__SSE2__)
    p.front = _mm_setr_ps(-b->v[3], -b->v[4], -b->v[5], -b->v[0]);
    p.back = _mm_setr_ps(-b->v[5], -b->v[0], -b->v[1], -b->v[2]);
#else
    for (int i = 0; i < 6; i++) {
        p.v[i] = -b->v[(i + 3) % 6];
    }
#endif
    return p;
}

static inline bool ctProbe_Touches(const ctProbe *p, const ctFloatBox *a)
{
#if defined(__SSE2__)
    __m128 front = _mm_cmple_ps(_mm_loadu_ps(a->v), p->front), back = _mm_cmple_ps(_mm_loadu_ps(a->v + 2), p->back);
    return _mm_movemask_ps(_mm_and_ps(front, back)) == 15;
#else
    bool touch = true;
    for (int i = 0; i < 6; i++) {
        touch = touch && a->v[i] <= p->v[i];
    }
    return touch;
#endif
}

static inline bool ctFloatBox_Touch(const ctFloatBox *a, const ctFloatBox *b)
{
    ctProbe p = ctProbeOf(b);
    return ctProbe_Touches(&p, a);
}

#endif
