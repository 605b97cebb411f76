// Insertion walks down by the surface-area heuristic: the expected cost of a query is proportional to the
// sum of the areas of the inner nodes, so a new leaf goes where it adds the least area. On the way back up,
// a child is exchanged with a grandchild on the other side where this shrinks the tree.
#include "collision/aabb_tree.h"

#include "collision/memory.h"

#include <assert.h>

// A leaf that moves keeps its place as long as the box of the two siblings is not larger than this many times
// their own. More: cheaper moves, slower queries.
#define MAX_STRETCH 0.9f

void ctTree_Init(ctTree *tree)
{
    *tree = (ctTree){.root = -1, .freeNode = -1};
}

void ctTree_Clear(ctTree *tree)
{
    ctFree(tree->nodes);
    ctFree(tree->stack);
    ctTree_Init(tree);
}

bool ctTree_Reserve(ctTree *tree, int leaves)
{
    return leaves < (1 << 29) && ctReserve((void **)&tree->nodes, &tree->capacity, 2 * leaves, sizeof *tree->nodes) &&
           ctReserve((void **)&tree->stack, &tree->stackCapacity, leaves + 1, sizeof *tree->stack);
}

static ctFloatBox join(const ctFloatBox *a, const ctFloatBox *b)
{
    ctFloatBox c;
#if defined(__SSE2__)
    _mm_storeu_ps(c.lo, _mm_min_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->lo)));
    _mm_storeu_ps(c.minusHi, _mm_min_ps(_mm_loadu_ps(a->minusHi), _mm_loadu_ps(b->minusHi)));
#else
    for (int i = 0; i < 4; i++) {
        c.lo[i] = a->lo[i] < b->lo[i] ? a->lo[i] : b->lo[i];
        c.minusHi[i] = a->minusHi[i] < b->minusHi[i] ? a->minusHi[i] : b->minusHi[i];
    }
#endif
    return c;
}

// Half the surface.
static float area(const ctFloatBox *a)
{
    float x = a->lo[0] + a->minusHi[0], y = a->lo[1] + a->minusHi[1], z = a->lo[2] + a->minusHi[2];
    return x * y + y * z + z * x; // the signs cancel
}

static float joinedArea(const ctFloatBox *a, const ctFloatBox *b)
{
    ctFloatBox c = join(a, b);
    return area(&c);
}

static bool isLeaf(const ctTreeNode *node)
{
    return node->child[0] < 0;
}

static int takeNode(ctTree *tree)
{
    int i = tree->freeNode;
    if (i >= 0) {
        tree->freeNode = tree->nodes[i].parent;
        return i;
    }
    assert(tree->used < tree->capacity);
    return tree->used++;
}

static void giveNode(ctTree *tree, int i)
{
    tree->nodes[i].parent = tree->freeNode;
    tree->freeNode = i;
}

static void adopt(ctTree *tree, int parent, int slot, int child)
{
    tree->nodes[parent].child[slot] = child;
    tree->nodes[child].parent = parent;
}

// Of the four exchanges of a child with a grandchild on the other side, makes the one that shrinks the
// other side most, if any does.
static void rotate(ctTree *tree, int index)
{
    ctTreeNode *n = tree->nodes;
    int bestSide = -1, bestGrand = 0;
    float best = 0.0f;
    for (int side = 0; side < 2; side++) {
        int child = n[index].child[side], other = n[index].child[1 - side];
        if (isLeaf(&n[other])) {
            continue;
        }
        float now = area(&n[other].box);
        for (int g = 0; g < 2; g++) {
            // child takes the place of grandchild g; other then holds child and grandchild 1 - g.
            float gain = now - joinedArea(&n[child].box, &n[n[other].child[1 - g]].box);
            if (gain > best) {
                best = gain;
                bestSide = side;
                bestGrand = g;
            }
        }
    }
    if (bestSide < 0) {
        return;
    }
    int child = n[index].child[bestSide], other = n[index].child[1 - bestSide], grand = n[other].child[bestGrand];
    adopt(tree, index, bestSide, grand);
    adopt(tree, other, bestGrand, child);
    n[other].box = join(&n[n[other].child[0]].box, &n[n[other].child[1]].box);
}

static bool sameBox(const ctFloatBox *a, const ctFloatBox *b)
{
#if defined(__SSE2__)
    __m128 lo = _mm_cmpeq_ps(_mm_loadu_ps(a->lo), _mm_loadu_ps(b->lo));
    __m128 hi = _mm_cmpeq_ps(_mm_loadu_ps(a->minusHi), _mm_loadu_ps(b->minusHi));
    return _mm_movemask_ps(_mm_and_ps(lo, hi)) == 15;
#else
    bool same = true;
    for (int i = 0; i < 3; i++) {
        same = same && a->lo[i] == b->lo[i] && a->minusHi[i] == b->minusHi[i];
    }
    return same;
#endif
}

// Boxes from a node up to the root, rotating on the way if wanted, until one stays as it is.
static void refit(ctTree *tree, int index, bool turn)
{
    while (index >= 0) {
        ctTreeNode *n = &tree->nodes[index];
        ctFloatBox box = join(&tree->nodes[n->child[0]].box, &tree->nodes[n->child[1]].box);
        bool same = sameBox(&box, &n->box);
        n->box = box;
        if (turn) {
            rotate(tree, index);
        }
        if (same) {
            return;
        }
        index = n->parent;
    }
}

// The node beside which a new leaf adds the least area, by greedy descent.
static int bestSibling(const ctTree *tree, const ctFloatBox *box)
{
    const ctTreeNode *n = tree->nodes;
    int index = tree->root;
    float size = area(box), own = area(&n[index].box), grown = joinedArea(&n[index].box, box);
    float inherited = 0.0f; // the growth of all ancestors
    while (!isLeaf(&n[index])) {
        float here = grown + inherited; // cost of a new parent of index and the leaf
        inherited += grown - own;
        float cost[2], childOwn[2], childGrown[2];
        for (int i = 0; i < 2; i++) {
            const ctTreeNode *child = &n[n[index].child[i]];
            childOwn[i] = area(&child->box);
            childGrown[i] = joinedArea(&child->box, box);
            // Below an inner node the leaf costs at least its own area.
            cost[i] = inherited + (isLeaf(child) ? childGrown[i] : childGrown[i] - childOwn[i] + size);
        }
        int next = cost[1] < cost[0];
        if (here <= cost[next]) {
            break;
        }
        index = n[index].child[next];
        own = childOwn[next];
        grown = childGrown[next];
    }
    return index;
}

int ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value)
{
    int leaf = takeNode(tree);
    tree->nodes[leaf] = (ctTreeNode){.box = *box, .parent = -1, .child = {-1, value}};
    if (tree->root < 0) {
        tree->root = leaf;
        return leaf;
    }
    int sibling = bestSibling(tree, box), above = tree->nodes[sibling].parent, node = takeNode(tree);
    tree->nodes[node].parent = above;
    tree->nodes[node].box = join(&tree->nodes[sibling].box, box);
    if (above < 0) {
        tree->root = node;
    } else {
        tree->nodes[above].child[tree->nodes[above].child[1] == sibling] = node;
    }
    adopt(tree, node, 0, sibling);
    adopt(tree, node, 1, leaf);
    refit(tree, above, true);
    return leaf;
}

void ctTree_Remove(ctTree *tree, int leaf)
{
    int parent = tree->nodes[leaf].parent;
    giveNode(tree, leaf);
    if (parent < 0) {
        tree->root = -1;
        return;
    }
    const ctTreeNode *p = &tree->nodes[parent];
    int sibling = p->child[p->child[0] == leaf], above = p->parent;
    tree->nodes[sibling].parent = above;
    if (above < 0) {
        tree->root = sibling;
    } else {
        tree->nodes[above].child[tree->nodes[above].child[1] == parent] = sibling;
        refit(tree, above, false);
    }
    giveNode(tree, parent);
}

int ctTree_Move(ctTree *tree, int leaf, const ctFloatBox *box)
{
    int value = tree->nodes[leaf].child[1], parent = tree->nodes[leaf].parent;
    tree->nodes[leaf].box = *box;
    if (parent < 0) {
        return leaf;
    }
    const ctTreeNode *p = &tree->nodes[parent];
    const ctFloatBox *sibling = &tree->nodes[p->child[p->child[0] == leaf]].box;
    if (joinedArea(box, sibling) <= MAX_STRETCH * (area(box) + area(sibling))) {
        refit(tree, parent, false);
        return leaf;
    }
    ctTree_Remove(tree, leaf);
    return ctTree_Insert(tree, box, value);
}

// What a box is compared with: made once for a query.
typedef struct Probe {
#if defined(__SSE2__)
    __m128 hi, minusLo;
#else
    ctFloatBox box;
#endif
} Probe;

static Probe probeOf(const ctFloatBox *box)
{
    Probe p;
#if defined(__SSE2__)
    __m128 zero = _mm_setzero_ps();
    p.hi = _mm_sub_ps(zero, _mm_loadu_ps(box->minusHi));
    p.minusLo = _mm_sub_ps(zero, _mm_loadu_ps(box->lo));
#else
    p.box = *box;
#endif
    return p;
}

static bool touches(const ctFloatBox *a, const Probe *p)
{
#if defined(__SSE2__)
    __m128 lo = _mm_cmple_ps(_mm_loadu_ps(a->lo), p->hi), hi = _mm_cmple_ps(_mm_loadu_ps(a->minusHi), p->minusLo);
    return _mm_movemask_ps(_mm_and_ps(lo, hi)) == 15;
#else
    return ctFloatBox_Touch(a, &p->box);
#endif
}

int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out)
{
    int count = 0, depth = 0, *stack = tree->stack;
    const ctTreeNode *nodes = tree->nodes;
    const Probe probe = probeOf(box);
    if (tree->root < 0 || !touches(&nodes[tree->root].box, &probe)) {
        return 0;
    }
    for (int index = tree->root;;) {
        const ctTreeNode *node = &nodes[index];
        if (isLeaf(node)) {
            out[count++] = node->child[1];
        } else {
            int left = node->child[0], right = node->child[1];
            bool second = touches(&nodes[right].box, &probe);
            if (touches(&nodes[left].box, &probe)) {
                stack[depth] = right;
                depth += second;
                index = left;
                continue;
            }
            if (second) {
                index = right;
                continue;
            }
        }
        if (depth == 0) {
            return count;
        }
        index = stack[--depth];
    }
}

// The slab test. A direction of zero gives infinities, and 0 * infinity a NaN that the comparisons let pass.
static bool rayTouches(const ctFloatBox *box, const double *origin, const double *inverse, double maxT)
{
    double enter = 0.0, leave = maxT;
    for (int i = 0; i < 3; i++) {
        double a = ((double)box->lo[i] - origin[i]) * inverse[i],
               b = (-(double)box->minusHi[i] - origin[i]) * inverse[i];
        double near = a < b ? a : b, far = a < b ? b : a;
        double slack = 1e-14 * (fabs(near) + fabs(far));
        if (near - slack > enter) {
            enter = near - slack;
        }
        if (far + slack < leave) {
            leave = far + slack;
        }
    }
    return enter <= leave;
}

int ctTree_QueryRay(const ctTree *tree, ctVec3 origin, ctVec3 direction, double maxT, int *out)
{
    double o[3] = {origin.x, origin.y, origin.z};
    double inverse[3] = {1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z};
    int count = 0, depth = 0, *stack = tree->stack;
    if (tree->root >= 0) {
        stack[depth++] = tree->root;
    }
    while (depth > 0) {
        const ctTreeNode *node = &tree->nodes[stack[--depth]];
        if (!rayTouches(&node->box, o, inverse, maxT)) {
            continue;
        }
        if (isLeaf(node)) {
            out[count++] = node->child[1];
        } else {
            stack[depth++] = node->child[1];
            stack[depth++] = node->child[0];
        }
    }
    return count;
}
