// An R-tree of width eight. A box is inserted into the leaf whose boxes it enlarges least; a full node is split in the
// middle of its longest side. A box that moves stays in its leaf while the leaf need not grow. Otherwise it is inserted
// again from the lowest node that holds it, so that leaves do not come to overlap as bodies drift. All leaves have the
// same depth. A query goes level by level and prefetches the nodes of a level together.
#include "collision/aabb_tree.h"

#include "collision/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#if defined(__SSE__)
#include <immintrin.h>
#endif

enum { WIDTH = CT_TREE_WIDTH };
// A leaf with this many values or fewer is dissolved into others.
enum { FEW = 2 };

_Static_assert(sizeof(ctTreeNode) == 4 * CT_CACHE_LINE, "a node is four cache lines");

void ctTree_Init(ctTree *tree)
{
    *tree = (ctTree){.freeNode = -1, .root = -1};
}

void ctTree_Clear(ctTree *tree)
{
    ctFreeAligned(tree->nodes);
    ctFreeAligned(tree->leafOf);
    ctFree(tree->open[0]);
    ctFree(tree->open[1]);
    ctTree_Init(tree);
}

static int heightOf(const ctTree *tree)
{
    return tree->root >= 0 ? tree->nodes[tree->root].height : 0;
}

static int spareNodes(const ctTree *tree)
{
    return tree->capacity - tree->used + tree->freeCount;
}

// One split on every level, and a new root.
static int nodesToInsert(const ctTree *tree)
{
    return heightOf(tree) + 2;
}

static bool growNodes(ctTree *tree)
{
    int need = tree->used + nodesToInsert(tree) - tree->freeCount;
    return ctReserveAligned((void **)&tree->nodes, &tree->capacity, need, sizeof *tree->nodes) &&
           ctReserve((void **)&tree->open[0], &tree->openCapacity[0], tree->capacity + WIDTH, sizeof(int)) &&
           ctReserve((void **)&tree->open[1], &tree->openCapacity[1], tree->capacity + WIDTH, sizeof(int));
}

bool ctTree_Reserve(ctTree *tree, int limit)
{
    return ctReserveAligned((void **)&tree->leafOf, &tree->leafCapacity, limit, sizeof *tree->leafOf) &&
           ((spareNodes(tree) >= nodesToInsert(tree) && tree->openCapacity[1] >= tree->capacity + WIDTH) ||
            growNodes(tree));
}

// ---- boxes ------------------------------------------------------------------------------------

static ctFloatBox boxAt(const ctTreeNode *node, int slot)
{
    ctFloatBox box;
    for (int k = 0; k < 6; k++) {
        box.v[k] = node->v[k][slot];
    }
    return box;
}

static void setBox(ctTreeNode *node, int slot, const ctFloatBox *box)
{
    for (int k = 0; k < 6; k++) {
        node->v[k][slot] = box->v[k];
    }
}

// The join of all children.
static ctFloatBox boundsOf(const ctTreeNode *node)
{
    ctFloatBox box;
#if defined(__SSE__)
    __m128 m[6];
    for (int k = 0; k < 6; k++) {
        m[k] = _mm_min_ps(_mm_loadu_ps(node->v[k]), _mm_loadu_ps(node->v[k] + 4));
    }
    // Transposes, two rows by two, and keeps the least of each column.
    __m128 a = _mm_min_ps(_mm_unpacklo_ps(m[0], m[1]), _mm_unpackhi_ps(m[0], m[1]));
    __m128 b = _mm_min_ps(_mm_unpacklo_ps(m[2], m[3]), _mm_unpackhi_ps(m[2], m[3]));
    __m128 c = _mm_min_ps(_mm_unpacklo_ps(m[4], m[5]), _mm_unpackhi_ps(m[4], m[5]));
    _mm_storeu_ps(box.v, _mm_min_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a)));
    _mm_storel_pi((__m64 *)(box.v + 4), _mm_min_ps(c, _mm_movehl_ps(c, c)));
#else
    for (int k = 0; k < 6; k++) {
        box.v[k] = node->v[k][0];
        for (int i = 1; i < WIDTH; i++) {
            box.v[k] = node->v[k][i] < box.v[k] ? node->v[k][i] : box.v[k];
        }
    }
#endif
    return box;
}

static bool holds(const ctFloatBox *outer, const ctFloatBox *inner)
{
    bool in = true;
    for (int k = 0; k < 6; k++) {
        in &= outer->v[k] <= inner->v[k];
    }
    return in;
}

// ---- nodes ------------------------------------------------------------------------------------

static int takeNode(ctTree *tree, int height)
{
    int index = tree->freeNode;
    if (index >= 0) {
        tree->freeNode = tree->nodes[index].parent;
        tree->freeCount--;
    } else {
        index = tree->used++;
        assert(tree->used <= tree->capacity);
    }
    ctTreeNode *node = &tree->nodes[index];
    *node = (ctTreeNode){.parent = -1, .height = height};
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < WIDTH; i++) {
            node->v[k][i] = INFINITY;
        }
    }
    return index;
}

static void giveNode(ctTree *tree, int index)
{
    tree->nodes[index].parent = tree->freeNode;
    tree->nodes[index].count = 0;
    tree->freeNode = index;
    tree->freeCount++;
}

// Writes a child to a place, and updates its back reference.
static void put(ctTree *tree, int index, int slot, const ctFloatBox *box, int child)
{
    ctTreeNode *node = &tree->nodes[index];
    setBox(node, slot, box);
    node->child[slot] = child;
    if (node->height == 0) {
        tree->leafOf[child] = index * WIDTH + slot;
    } else {
        tree->nodes[child].parent = index;
        tree->nodes[child].slot = slot;
    }
}

// Updates the box of a node in its parent, and so on up to the root, until one does not change.
static void refit(ctTree *tree, int index)
{
    for (int parent; (parent = tree->nodes[index].parent) >= 0; index = parent) {
        const ctTreeNode *node = &tree->nodes[index];
        ctFloatBox box = boundsOf(node), old = boxAt(&tree->nodes[parent], node->slot);
        if (holds(&box, &old) && holds(&old, &box)) {
            return;
        }
        setBox(&tree->nodes[parent], node->slot, &box);
    }
}

// ---- insertion --------------------------------------------------------------------------------

typedef struct Entry {
    ctFloatBox box;
    int child;
    float key;
} Entry;

// Sorts the entries by their middles, along the longest side of the box around these.
static void sortEntries(Entry *entries, int count)
{
    int axis = 0;
    float longest = -1.0f;
    for (int k = 0; k < 3; k++) {
        float lo = INFINITY, hi = -INFINITY;
        for (int i = 0; i < count; i++) {
            float middle = entries[i].box.v[k] - entries[i].box.v[k + 3];
            lo = middle < lo ? middle : lo;
            hi = middle > hi ? middle : hi;
        }
        if (hi - lo > longest) {
            longest = hi - lo;
            axis = k;
        }
    }
    for (int i = 0; i < count; i++) {
        Entry e = entries[i];
        e.key = e.box.v[axis] - e.box.v[axis + 3];
        int at = i;
        for (; at > 0 && entries[at - 1].key > e.key; at--) {
            entries[at] = entries[at - 1];
        }
        entries[at] = e;
    }
}

// Moves half of a full node's children, and the new one, to a new node. Returns it.
static int split(ctTree *tree, int index, const ctFloatBox *box, int child)
{
    Entry entries[WIDTH + 1];
    for (int i = 0; i < WIDTH; i++) {
        entries[i] = (Entry){boxAt(&tree->nodes[index], i), tree->nodes[index].child[i], 0.0f};
    }
    entries[WIDTH] = (Entry){*box, child, 0.0f};
    sortEntries(entries, WIDTH + 1);
    int other = takeNode(tree, tree->nodes[index].height), half = (WIDTH + 1) / 2;
    const ctFloatBox none = {{INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}};
    for (int i = 0; i < WIDTH + 1; i++) {
        put(tree, i < half ? index : other, i < half ? i : i - half, &entries[i].box, entries[i].child);
    }
    for (int i = half; i < WIDTH; i++) {
        setBox(&tree->nodes[index], i, &none);
    }
    tree->nodes[index].count = half;
    tree->nodes[other].count = WIDTH + 1 - half;
    return other;
}

// Adds a child to a node; full nodes are split, up to the root if necessary. The boxes above hold the new one already.
static void addChild(ctTree *tree, int index, ctFloatBox box, int child)
{
    while (tree->nodes[index].count == WIDTH) {
        int other = split(tree, index, &box, child), parent = tree->nodes[index].parent;
        if (parent < 0) {
            parent = tree->root = takeNode(tree, tree->nodes[index].height + 1);
            tree->nodes[parent].count = 1;
            tree->nodes[index].slot = 0;
        }
        ctFloatBox rest = boundsOf(&tree->nodes[index]);
        put(tree, parent, tree->nodes[index].slot, &rest, index);
        box = boundsOf(&tree->nodes[other]);
        child = other;
        index = parent;
    }
    put(tree, index, tree->nodes[index].count++, &box, child);
}

// The child whose area grows least; of equal ones the smallest. Areas are half surfaces; the signs cancel.
static int bestChild(const ctTreeNode *node, const ctFloatBox *box)
{
    float growth[WIDTH], size[WIDTH];
    for (int i = 0; i < WIDTH; i++) {
        float m[6];
        for (int k = 0; k < 6; k++) {
            m[k] = node->v[k][i] < box->v[k] ? node->v[k][i] : box->v[k];
        }
        float x = m[0] + m[3], y = m[1] + m[4], z = m[2] + m[5];
        float p = node->v[0][i] + node->v[3][i], q = node->v[1][i] + node->v[4][i], r = node->v[2][i] + node->v[5][i];
        size[i] = p * q + q * r + r * p;
        growth[i] = (x * y + y * z + z * x) - size[i];
    }
    int best = 0;
    for (int i = 1; i < node->count; i++) {
        bool better = (growth[i] < growth[best]) | ((growth[i] == growth[best]) & (size[i] < size[best]));
        best += (i - best) * better;
    }
    return best;
}

// Enlarges the box of a child to hold another one.
static void widen(ctTreeNode *node, int slot, const ctFloatBox *box)
{
    for (int k = 0; k < 6; k++) {
        node->v[k][slot] = node->v[k][slot] < box->v[k] ? node->v[k][slot] : box->v[k];
    }
}

// Inserts into the best leaf below a node. The boxes of the node and above hold the new one already.
static void insertBelow(ctTree *tree, int index, const ctFloatBox *box, int value)
{
    while (tree->nodes[index].height > 0) {
        ctTreeNode *node = &tree->nodes[index];
        int slot = bestChild(node, box);
        widen(node, slot, box);
        index = node->child[slot];
    }
    addChild(tree, index, *box, value);
}

void ctTree_Insert(ctTree *tree, const ctFloatBox *box, int value)
{
    if (tree->root < 0) {
        tree->root = takeNode(tree, 0);
    }
    insertBelow(tree, tree->root, box, value);
}

// ---- removal and motion -----------------------------------------------------------------------

// Removes a child; a node that becomes empty is removed too. Boxes above are updated.
static void dropChild(ctTree *tree, int index, int slot)
{
    const ctFloatBox none = {{INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}};
    while (tree->nodes[index].count == 1) {
        int parent = tree->nodes[index].parent;
        slot = tree->nodes[index].slot;
        giveNode(tree, index);
        if (parent < 0) {
            tree->root = -1;
            return;
        }
        index = parent;
    }
    ctTreeNode *node = &tree->nodes[index];
    int last = --node->count;
    if (slot != last) {
        ctFloatBox box = boxAt(node, last);
        put(tree, index, slot, &box, node->child[last]);
    }
    setBox(node, last, &none);
    refit(tree, index);
    while (tree->nodes[tree->root].height > 0 && tree->nodes[tree->root].count == 1) {
        int old = tree->root;
        tree->root = tree->nodes[old].child[0];
        tree->nodes[tree->root].parent = -1;
        giveNode(tree, old);
    }
}

void ctTree_Remove(ctTree *tree, int value)
{
    int index = tree->leafOf[value] / WIDTH;
    dropChild(tree, index, tree->leafOf[value] % WIDTH);
    // Only if nodes are to spare: a removal must not need memory, nor use what an insertion has reserved.
    int few = tree->nodes[index].count;
    if (few > FEW || few == 0 || index == tree->root || spareNodes(tree) < (FEW + 1) * (nodesToInsert(tree) + FEW)) {
        return;
    }
    ctTreeNode rest = tree->nodes[index];
    for (int i = rest.count - 1; i >= 0; i--) {
        dropChild(tree, index, i);
    }
    for (int i = 0; i < rest.count; i++) {
        ctFloatBox box = boxAt(&rest, i);
        ctTree_Insert(tree, &box, rest.child[i]);
    }
}

// The lowest node from here on upwards that holds the box, or the root.
static int holderOf(const ctTree *tree, int index, const ctFloatBox *box)
{
    for (int parent; (parent = tree->nodes[index].parent) >= 0; index = parent) {
        ctFloatBox bounds = boxAt(&tree->nodes[parent], tree->nodes[index].slot);
        if (holds(&bounds, box)) {
            break;
        }
    }
    return index;
}

void ctTree_Stretch(ctTree *tree, const ctFloatBox *box, int value)
{
    int index = tree->leafOf[value] / WIDTH;
    setBox(&tree->nodes[index], tree->leafOf[value] % WIDTH, box);
    refit(tree, index);
}

void ctTree_Move(ctTree *tree, const ctFloatBox *box, int value)
{
    int index = tree->leafOf[value] / WIDTH, slot = tree->leafOf[value] % WIDTH;
    int holder = holderOf(tree, index, box);
    if (holder == index) {
        ctTree_Stretch(tree, box, value);
        return;
    }
    if (tree->nodes[index].count <= FEW + 1) {
        ctTree_Remove(tree, value); // nodes may be removed with it
        ctTree_Insert(tree, box, value);
        return;
    }
    // The boxes above may have become smaller.
    dropChild(tree, index, slot);
    for (int i = holder, parent; (parent = tree->nodes[i].parent) >= 0; i = parent) {
        widen(&tree->nodes[parent], tree->nodes[i].slot, box);
    }
    insertBelow(tree, holder, box, value);
}

// ---- queries ----------------------------------------------------------------------------------

// No branch can predict which children touch: all are written, and those that touch are counted.
#if defined(__AVX2__) && defined(__BMI2__)

typedef struct Probe {
    __m256 v[6];
} Probe;

static Probe probeOf(const ctFloatBox *box)
{
    Probe p;
    for (int k = 0; k < 6; k++) {
        p.v[k] = _mm256_set1_ps(-box->v[(k + 3) % 6]);
    }
    return p;
}

static int touching(const ctTreeNode *node, const Probe *p, int *out)
{
    __m256 touch = _mm256_cmp_ps(_mm256_load_ps(node->v[0]), p->v[0], _CMP_LE_OQ);
    for (int k = 1; k < 6; k++) {
        touch = _mm256_and_ps(touch, _mm256_cmp_ps(_mm256_load_ps(node->v[k]), p->v[k], _CMP_LE_OQ));
    }
    // The positions of the bits that are set, lowest first, one byte each.
    unsigned bits = (unsigned)_mm256_movemask_ps(touch);
    uint64_t spread = _pdep_u64(bits, 0x0101010101010101u) * 0xffu;
    uint64_t places = _pext_u64(0x0706050403020100u, spread);
    __m256i order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)places));
    __m256i child = _mm256_load_si256((const __m256i *)node->child);
    _mm256_storeu_si256((__m256i *)out, _mm256_permutevar8x32_epi32(child, order));
    return __builtin_popcount(bits);
}

#else

typedef ctFloatBox Probe;

static Probe probeOf(const ctFloatBox *box)
{
    Probe p;
    for (int k = 0; k < 6; k++) {
        p.v[k] = -box->v[(k + 3) % 6];
    }
    return p;
}

static int touching(const ctTreeNode *node, const Probe *p, int *out)
{
    int touch[WIDTH], count = 0;
    for (int i = 0; i < WIDTH; i++) {
        touch[i] = (node->v[0][i] <= p->v[0]) & (node->v[1][i] <= p->v[1]) & (node->v[2][i] <= p->v[2]) &
                   (node->v[3][i] <= p->v[3]) & (node->v[4][i] <= p->v[4]) & (node->v[5][i] <= p->v[5]);
    }
    for (int i = 0; i < WIDTH; i++) {
        out[count] = node->child[i];
        count += touch[i];
    }
    return count;
}

#endif

int ctTree_Query(const ctTree *tree, const ctFloatBox *box, int *out)
{
    if (tree->root < 0) {
        return 0;
    }
    const ctTreeNode *nodes = tree->nodes;
    const Probe probe = probeOf(box);
    int *from = tree->open[0], *to = tree->open[1], count = 1;
    from[0] = tree->root;
    for (int height = nodes[tree->root].height; height >= 0; height--) {
        int *found = height > 0 ? to : out, kept = 0;
        for (int i = 0; i < count; i++) {
            kept += touching(&nodes[from[i]], &probe, found + kept);
        }
        count = kept;
        for (int i = 0; height > 0 && i < count; i++) {
            const char *node = (const char *)&nodes[found[i]];
            for (int line = 0; line < 4; line++) {
                ctPrefetch(node + line * CT_CACHE_LINE);
            }
        }
        to = from;
        from = found;
    }
    return count;
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
    int count = 0, depth = 0, *stack = tree->open[0];
    if (tree->root >= 0) {
        stack[depth++] = tree->root;
    }
    while (depth > 0) {
        const ctTreeNode *node = &tree->nodes[stack[--depth]];
        int *list = node->height > 0 ? stack : out, *size = node->height > 0 ? &depth : &count;
        for (int i = 0; i < node->count; i++) {
            ctFloatBox box = boxAt(node, i);
            if (rayTouches(&box, o, inverse, maxT)) {
                list[(*size)++] = node->child[i];
            }
        }
    }
    return count;
}
