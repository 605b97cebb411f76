// A tree of boxes in single precision, each box rounded outwards: the index behind the broadphase.
#ifndef CT_AABB_TREE_H
#define CT_AABB_TREE_H

#include "collision/vec3.h"

// The lower corner, and the negated upper corner: the join of two boxes is the minimum of each number, and the test for
// touching is six comparisons.
typedef struct ctFloatBox {
    float v[6];
} ctFloatBox;

enum { CT_TREE_WIDTH = 8 };

// The boxes of up to eight children side by side, compared at once; four cache lines. An unused child has infinite
// numbers: it touches nothing, and changes no join.
typedef struct ctTreeNode {
    float v[6][CT_TREE_WIDTH];
    int child[CT_TREE_WIDTH]; // nodes; values in a leaf
    int parent, slot;         // -1 at the root; the next free node in the free list
    int count;
    int height; // 0: a leaf. All leaves have the same depth
    int unused[4];
} ctTreeNode;

// Values are small non-negative numbers, each at most once.
typedef struct ctTree {
    ctTreeNode *nodes;
    int capacity, used;
    int freeNode, freeCount;
    int root;    // -1 when empty
    int *leafOf; // by value: node * CT_TREE_WIDTH + place
    int leafCapacity;
    int *open[2]; // nodes of two levels of a query
    int openCapacity[2];
} ctTree;

void ctTree_Init(ctTree *tree);
void ctTree_Clear(ctTree *tree); // frees everything
// Makes room for values below limit and for one insertion; call it again before the next. False, with nothing lost,
// when memory is short.
bool ctTree_Reserve(ctTree *tree, int limit);
void ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value);
void ctTree_Remove(ctTree *tree, int value);
// Counts as an insertion.
void ctTree_Move(ctTree *tree, const ctFloatBox *box, int value);
// The same at its old place, which needs no room; queries become slower.
void ctTree_Stretch(ctTree *tree, const ctFloatBox *box, int value);
// Writes all values whose boxes touch this one to out, unordered. out has room for all values, and eight more.
int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out);
// The same for the boxes that the segment origin + t direction, 0 <= t <= maxT, touches, and perhaps a few
// that it passes by a rounding error.
int ctTree_QueryRay(const ctTree *tree, ctVec3 origin, ctVec3 direction, double maxT, int *out);

#endif
