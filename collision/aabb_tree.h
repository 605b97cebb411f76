// A binary tree of boxes in single precision, each box rounded outwards: the index behind the broadphase.
#ifndef CT_AABB_TREE_H
#define CT_AABB_TREE_H

#include "collision/vec3.h"

typedef struct ctFloatBox {
    float lo[3], hi[3];
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

static inline bool ctFloatBox_Touch(const ctFloatBox *a, const ctFloatBox *b)
{
    // & rather than &&: six comparisons cost less than one branch that is taken at random.
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) & (b->lo[1] <= a->hi[1]) &
           (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

#endif
