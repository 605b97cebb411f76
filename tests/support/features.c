#include "tests/support/features.h"

#include <assert.h>

typedef struct Edge {
    ctVec3 p, d;    // from p to p + d
    double squared; // |d|^2
} Edge;

// A core in the world frame.
typedef struct Solid {
    int vertexCount, edgeCount, faceCount;
    ctVec3 vertex[CT_TEST_VERTICES];
    Edge edge[3 * CT_TEST_VERTICES];
    ctVec3 normal[2 * CT_TEST_VERTICES]; // of each face, outward
    int first[2 * CT_TEST_VERTICES + 1]; // offsets into corner
    int corner[6 * CT_TEST_VERTICES];    // around each face, counter-clockwise seen from outside
} Solid;

static void addFace(Solid *s, const int *corners, int count, ctVec3 normal)
{
    int at = s->first[s->faceCount];
    s->normal[s->faceCount] = normal;
    for (int i = 0; i < count; i++) {
        int u = corners[i], v = corners[(i + 1) % count];
        s->corner[at + i] = u;
        if (u < v) { // the other face beside the edge has it from v to u
            ctVec3 d = ctSub(s->vertex[v], s->vertex[u]);
            Edge e = {s->vertex[u], d, ctDot(d, d)};
            s->edge[s->edgeCount++] = e;
        }
    }
    s->first[++s->faceCount] = at + count;
}

static void makeSolid(const ctShape *shape, const ctPose *pose, Solid *s)
{
    static const int around[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    s->edgeCount = s->faceCount = s->first[0] = 0;
    if (shape->type == ct_shapeBox) {
        ctVec3 h = shape->u.half;
        s->vertexCount = 8;
        for (int i = 0; i < 8; i++) {
            s->vertex[i] = ctPosePoint(pose, ctV3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z));
        }
        const ctVec3 axis[3] = {pose->r.cx, pose->r.cy, pose->r.cz};
        for (int f = 0; f < 6; f++) {
            addFace(s, around[f], 4, f % 2 ? axis[f / 2] : ctNeg(axis[f / 2]));
        }
        return;
    }
    const ctHull *h = &shape->u.hull;
    assert(shape->type == ct_shapeHull && h->vertexCount <= CT_TEST_VERTICES);
    s->vertexCount = h->vertexCount;
    for (int i = 0; i < h->vertexCount; i++) {
        s->vertex[i] = ctPosePoint(pose, h->vertices[i]);
    }
    for (int f = 0; f < h->faceCount; f++) {
        addFace(s, &h->faceVertices[h->firstFaceVertex[f]], h->firstFaceVertex[f + 1] - h->firstFaceVertex[f],
                ctMulMV(pose->r, h->faceNormals[f]));
    }
}

// Squared distances of the vertices of one from the faces and edges of the other.
static double verticesFrom(const Solid *a, const Solid *b)
{
    double best = INFINITY;
    for (int i = 0; i < a->vertexCount; i++) {
        ctVec3 p = a->vertex[i];
        for (int f = 0; f < b->faceCount; f++) {
            ctVec3 n = b->normal[f];
            double height = ctDot(n, ctSub(p, b->vertex[b->corner[b->first[f]]]));
            bool over = height >= 0.0 && height * height < best;
            for (int k = b->first[f]; over && k < b->first[f + 1]; k++) {
                ctVec3 u = b->vertex[b->corner[k]],
                       v = b->vertex[b->corner[k + 1 < b->first[f + 1] ? k + 1 : b->first[f]]];
                over = ctDot(ctCross(ctSub(v, u), ctSub(p, u)), n) >= 0.0;
            }
            best = over ? height * height : best;
        }
        for (int k = 0; k < b->edgeCount; k++) {
            const Edge *e = &b->edge[k];
            ctVec3 r = ctSub(p, e->p);
            double t = ctDot(r, e->d), squared = ctDot(r, r);
            if (t > 0.0) {
                ctVec3 q = ctMulAdd(r, t < e->squared ? -t / e->squared : -1.0, e->d);
                squared = ctDot(q, q);
            }
            best = squared < best ? squared : best;
        }
    }
    return best;
}

// Squared distances of edges that cross between their ends.
static double edgesAcross(const Solid *a, const Solid *b)
{
    double best = INFINITY;
    for (int i = 0; i < a->edgeCount; i++) {
        const Edge *d = &a->edge[i];
        for (int k = 0; k < b->edgeCount; k++) {
            const Edge *e = &b->edge[k];
            ctVec3 r = ctSub(d->p, e->p), x = ctCross(d->d, e->d);
            double xx = ctDot(x, x), s = ctDot(ctCross(e->d, r), x), t = ctDot(ctCross(d->d, r), x);
            if (s > 0.0 && s < xx && t > 0.0 && t < xx) {
                double height = ctDot(r, x);
                best = height * height < best * xx ? height * height / xx : best;
            }
        }
    }
    return best;
}

double ctTestFeatureDistance(const ctShape *a, const ctPose *pa, const ctShape *b, const ctPose *pb)
{
    Solid sa, sb;
    makeSolid(a, pa, &sa);
    makeSolid(b, pb, &sb);
    double squared = fmin(edgesAcross(&sa, &sb), fmin(verticesFrom(&sa, &sb), verticesFrom(&sb, &sa)));
    return sqrt(squared) - a->round - b->round;
}
