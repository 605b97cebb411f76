// Insertion walks down by the surface-area heuristic: the expected cost of a query is proportional to the
// sum of the areas of the inner nodes, so a new leaf goes where it adds the least area. On the way back up,
// a child is exchanged with a grandchild on the other side where this shrinks the tree.
#include "collision/aabb_tree.h"

#include "collision/memory.h"

#include <assert.h>
#include <string.h>

// A leaf that moves keeps its place as long as the box of the two siblings is not larger than this many times
// their own. More: cheaper moves, slower queries.
#define MAX_STRETCH 0.9f
#define CACHE_LINE 64

void ctTree_Init(ctTree *tree)
{
    *tree = (ctTree){.freePair = -1};
}

void ctTree_Clear(ctTree *tree)
{
    ctFree(tree->memory);
    ctFree(tree->leafOf);
    ctFree(tree->stack);
    ctTree_Init(tree);
}

bool ctTree_Reserve(ctTree *tree, int limit)
{
    if (limit > (1 << 28) || !ctReserve((void **)&tree->leafOf, &tree->leafCapacity, limit, sizeof *tree->leafOf) ||
        !ctReserve((void **)&tree->stack, &tree->stackCapacity, limit + 1, sizeof *tree->stack)) {
        return false;
    }
    if (2 * limit <= tree->capacity) {
        return true;
    }
    int capacity = 2 * limit > tree->capacity + tree->capacity / 2 ? 2 * limit : tree->capacity + tree->capacity / 2;
    capacity += capacity & 1;
    char *memory = ctAllocate(1, (size_t)capacity * sizeof *tree->nodes + CACHE_LINE);
    if (memory == NULL) {
        return false;
    }
    void *aligned = memory + (CACHE_LINE - (uintptr_t)memory % CACHE_LINE) % CACHE_LINE;
    if (tree->used > 0) {
        memcpy(aligned, tree->nodes, (size_t)tree->used * sizeof *tree->nodes);
    }
    ctFree(tree->memory);
    tree->memory = memory;
    tree->nodes = aligned;
    tree->capacity = capacity;
    tree->used = tree->used > 0 ? tree->used : 2;
    return true;
}

static ctFloatBox join(const ctFloatBox *a, const ctFloatBox *b)
{
    ctFloatBox c;
#if defined(__SSE2__)
    _mm_storeu_ps(c.v, _mm_min_ps(_mm_loadu_ps(a->v), _mm_loadu_ps(b->v)));
    _mm_storeu_ps(c.v + 2, _mm_min_ps(_mm_loadu_ps(a->v + 2), _mm_loadu_ps(b->v + 2)));
#else
    for (int i = 0; i < 6; i++) {
        c.v[i] = a->v[i] < b->v[i] ? a->v[i] : b->v[i];
    }
#endif
    return c;
}

// Half the surface.
static float area(const ctFloatBox *a)
{
    float x = a->v[0] + a->v[3], y = a->v[1] + a->v[4], z = a->v[2] + a->v[5];
    return x * y + y * z + z * x; // the signs cancel
}

static float joinedArea(const ctFloatBox *a, const ctFloatBox *b)
{
    ctFloatBox c = join(a, b);
    return area(&c);
}

static bool sameBox(const ctFloatBox *a, const ctFloatBox *b)
{
    bool same = true;
    for (int i = 0; i < 6; i++) {
        same = same && a->v[i] == b->v[i];
    }
    return same;
}

static bool isLeaf(const ctTreeNode *node)
{
    return node->child < 0;
}

static int takePair(ctTree *tree)
{
    int pair = tree->freePair;
    if (pair >= 0) {
        tree->freePair = tree->nodes[pair].parent;
        return pair;
    }
    pair = tree->used;
    tree->used += 2;
    assert(tree->used <= tree->capacity);
    return pair;
}

static void givePair(ctTree *tree, int pair)
{
    tree->nodes[pair].parent = tree->freePair;
    tree->freePair = pair;
}

// Writes a node to a place, and tells those that refer to it.
static void put(ctTree *tree, int place, ctTreeNode node, int parent)
{
    node.parent = parent;
    tree->nodes[place] = node;
    if (isLeaf(&node)) {
        tree->leafOf[~node.child] = place;
    } else {
        tree->nodes[node.child].parent = tree->nodes[node.child + 1].parent = place;
    }
}

// Of the four exchanges of a child with a grandchild on the other side, makes the one that shrinks the
// other side most, if any does.
static void rotate(ctTree *tree, int index)
{
    ctTreeNode *n = tree->nodes;
    int bestChild = -1, bestGrand = -1;
    float best = 0.0f;
    for (int side = 0; side < 2; side++) {
        int child = n[index].child + side, other = child ^ 1;
        if (isLeaf(&n[other])) {
            continue;
        }
        float now = area(&n[other].box);
        for (int g = 0; g < 2; g++) {
            // child takes the place of the grandchild; other then holds child and the grandchild's sibling.
            int grand = n[other].child + g;
            float gain = now - joinedArea(&n[child].box, &n[grand ^ 1].box);
            if (gain > best) {
                best = gain;
                bestChild = child;
                bestGrand = grand;
            }
        }
    }
    if (bestChild < 0) {
        return;
    }
    int other = bestChild ^ 1;
    ctTreeNode child = n[bestChild], grand = n[bestGrand];
    put(tree, bestGrand, child, other);
    put(tree, bestChild, grand, index);
    n[other].box = join(&n[bestGrand].box, &n[bestGrand ^ 1].box);
}

// Boxes from a node up to the root, rotating on the way if wanted, until one stays as it is.
static void refit(ctTree *tree, int index, bool turn)
{
    while (index >= 0) {
        ctTreeNode *n = &tree->nodes[index];
        ctFloatBox box = join(&tree->nodes[n->child].box, &tree->nodes[n->child + 1].box);
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
    int index = 0;
    float size = area(box), own = area(&n[index].box), grown = joinedArea(&n[index].box, box);
    float inherited = 0.0f; // the growth of all ancestors
    while (!isLeaf(&n[index])) {
        float here = grown + inherited; // cost of a new parent of index and the leaf
        inherited += grown - own;
        float cost[2], childOwn[2], childGrown[2];
        for (int i = 0; i < 2; i++) {
            const ctTreeNode *child = &n[n[index].child + i];
            childOwn[i] = area(&child->box);
            childGrown[i] = joinedArea(&child->box, box);
            // Below an inner node the leaf costs at least its own area.
            cost[i] = inherited + (isLeaf(child) ? childGrown[i] : childGrown[i] - childOwn[i] + size);
        }
        int next = cost[1] < cost[0];
        if (here <= cost[next]) {
            break;
        }
        index = n[index].child + next;
        own = childOwn[next];
        grown = childGrown[next];
    }
    return index;
}

void ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value)
{
    ctTreeNode leaf = {.box = *box, .child = ~value};
    if (tree->leaves++ == 0) {
        put(tree, 0, leaf, -1);
        return;
    }
    // The sibling moves down into a new pair, and its place becomes their parent.
    int place = bestSibling(tree, box), pair = takePair(tree);
    ctTreeNode sibling = tree->nodes[place];
    int above = sibling.parent;
    tree->nodes[place].box = join(&sibling.box, box);
    tree->nodes[place].child = pair;
    put(tree, pair, sibling, place);
    put(tree, pair + 1, leaf, place);
    refit(tree, above, true);
}

void ctTree_Remove(ctTree *tree, int value)
{
    int leaf = tree->leafOf[value];
    if (--tree->leaves == 0) {
        return;
    }
    int parent = tree->nodes[leaf].parent, above = tree->nodes[parent].parent;
    put(tree, parent, tree->nodes[leaf ^ 1], above);
    givePair(tree, leaf & ~1);
    refit(tree, above, false);
}

void ctTree_Move(ctTree *tree, const ctFloatBox *box, int value)
{
    int leaf = tree->leafOf[value];
    tree->nodes[leaf].box = *box;
    if (leaf == 0) {
        return;
    }
    const ctFloatBox *sibling = &tree->nodes[leaf ^ 1].box;
    if (joinedArea(box, sibling) <= MAX_STRETCH * (area(box) + area(sibling))) {
        refit(tree, tree->nodes[leaf].parent, false);
        return;
    }
    ctTree_Remove(tree, value);
    ctTree_Insert(tree, box, value);
}

// Nothing branches on what a box says, since nobody can predict it: results and open nodes are written in any
// case, and counted if they are some. Both have room: a node that is tested has leaves that are not counted yet.
int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out)
{
    int count = 0, depth = 0, *stack = tree->stack;
    const ctTreeNode *nodes = tree->nodes;
    const ctProbe probe = ctProbeOf(box);
    if (tree->leaves == 0 || !ctProbe_Touches(&probe, &nodes[0].box)) {
        return 0;
    }
    int open = nodes[0].child; // the first of the two siblings under the node that is open
    if (open < 0) {
        out[count++] = ~open;
        return count;
    }
    for (;;) {
        for (int i = 0; i < 2; i++) {
            int child = nodes[open + i].child, touch = ctProbe_Touches(&probe, &nodes[open + i].box);
            int leaf = child < 0;
            out[count] = ~child;
            count += touch & leaf;
            stack[depth] = child;
            depth += touch & !leaf;
            ctPrefetch(&nodes[leaf ? open : child]);
        }
        if (depth == 0) {
            return count;
        }
        open = stack[--depth];
    }
}

// The slab test. A direction of zero gives infinities, and 0 * infinity a NaN that the comparisons let pass.
static bool rayTouches(const ctFloatBox *box, const double *origin, const double *inverse, double maxT)
{
    double enter = 0.0, leave = maxT;
    for (int i = 0; i < 3; i++) {
        double a = ((double)box->v[i] - origin[i]) * inverse[i], b = (-(double)box->v[i + 3] - origin[i]) * inverse[i];
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
    if (tree->leaves > 0) {
        stack[depth++] = 0;
    }
    while (depth > 0) {
        const ctTreeNode *node = &tree->nodes[stack[--depth]];
        if (!rayTouches(&node->box, o, inverse, maxT)) {
            continue;
        }
        if (isLeaf(node)) {
            out[count++] = ~node->child;
        } else {
            stack[depth++] = node->child + 1;
            stack[depth++] = node->child;
        }
    }
    return count;
}
