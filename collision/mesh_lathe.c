// Solids of revolution: the edges of the outline, each turned about z.
#include "collision/mesh.h"

#include "collision/elementary.h"
#include "collision/memory.h"

// One edge of an outline in the half-plane (r, z), walked upwards so that outside is on the right.
typedef struct edge {
    double r[2], z[2];   // its ends
    double nr, nz;       // outward unit normal
    double er[2], ez[2]; // shading normals at its ends
    bool hidden;         // inside the union
} edge;

static void addEdge(edge *edges, int *count, double r0, double z0, double r1, double z1)
{
    double length = ctHypot(r1 - r0, z1 - z0);
    if (length > 0.0) {
        edges[(*count)++] = (edge){{r0, r1}, {z0, z1}, (z1 - z0) / length, (r0 - r1) / length, {0}, {0}, false};
    }
}

// The outline of one convex piece, bottom axis point to top axis point.
static void addOutline(const ctLathe *lathe, double lift, edge *edges, int *count)
{
    int n = lathe->outlineCount;
    const double *r = lathe->outlineR, *z = lathe->outlineZ;
    if (r[0] > 0.0) {
        addEdge(edges, count, 0.0, z[0] + lift, r[0], z[0] + lift);
    }
    for (int i = 0; i + 1 < n; i++) {
        addEdge(edges, count, r[i], z[i] + lift, r[i + 1], z[i + 1] + lift);
    }
    if (r[n - 1] > 0.0) {
        addEdge(edges, count, r[n - 1], z[n - 1] + lift, 0.0, z[n - 1] + lift);
    }
}

static bool near(double ar, double az, double br, double bz, double tol)
{
    return fabs(ar - br) <= tol && fabs(az - bz) <= tol;
}

// A flat cap is inside when another piece's cap faces it and is as wide or wider.
static void hideInnerCaps(edge *edges, int count, double tol)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            bool caps = fabs(edges[i].nz) > 0.999 && edges[i].nz * edges[j].nz < -0.99;
            double ri = ctFmax(edges[i].r[0], edges[i].r[1]), rj = ctFmax(edges[j].r[0], edges[j].r[1]);
            if (caps && fabs(edges[i].z[0] - edges[j].z[0]) <= tol && ri <= rj + tol) {
                edges[i].hidden = true;
            }
        }
    }
}

// Shading normals: at each end of an edge the mean over all visible edges there that bend by less than 40 degrees.
static void smoothEnds(edge *edges, int count, double tol)
{
    const double smooth = ctCos(40.0 * CT_PI / 180.0);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 2; k++) {
            edge *e = &edges[i];
            double sr = 0.0, sz = 0.0;
            for (int j = 0; j < count; j++) {
                const edge *f = &edges[j];
                bool meets =
                    near(e->r[k], e->z[k], f->r[0], f->z[0], tol) || near(e->r[k], e->z[k], f->r[1], f->z[1], tol);
                if (j == i || (meets && !f->hidden && e->nr * f->nr + e->nz * f->nz > smooth)) {
                    sr += f->nr;
                    sz += f->nz;
                }
            }
            // Where a round end closes on the axis its normal is the axis.
            bool pole = e->r[k] <= tol && fabs(e->nz) > smooth;
            double length = ctHypot(sr, sz);
            e->er[k] = pole ? 0.0 : sr / length;
            e->ez[k] = pole ? copysign(1.0, e->nz) : sz / length;
        }
    }
}

static void revolve(ctMesh *mesh, const ctTransform *pose, const edge *e, int segments)
{
    uint32_t first = (uint32_t)mesh->vertexCount;
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j <= segments; j++) {
            double c = ctCos(2.0 * CT_PI * j / segments), s = ctSin(2.0 * CT_PI * j / segments);
            ctVec3 p = ctV3(e->r[k] * c, e->r[k] * s, e->z[k]), n = ctV3(e->er[k] * c, e->er[k] * s, e->ez[k]);
            ctMesh_AddVertex(mesh, ctTransformPoint(*pose, p), ctRotate(pose->q, n));
        }
    }
    for (int j = 0; j < segments; j++) {
        uint32_t a = first + (uint32_t)j, b = a + (uint32_t)segments + 1;
        if (e->r[0] > 0.0) {
            ctMesh_AddTriangle(mesh, a, a + 1, b + 1);
        }
        if (e->r[1] > 0.0) {
            ctMesh_AddTriangle(mesh, a, b + 1, b);
        }
    }
}

void ctMesh_AddLathes(ctMesh *mesh, const ctLeaf *leaves, int count, int segments)
{
    int total = 0, used = 0;
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        total += leaves[i].shape->u.lathe.outlineCount + 2;
        size = ctFmax(size, leaves[i].shape->size);
    }
    edge *edges = ctAllocate((size_t)total, sizeof(edge));
    if (edges == NULL) {
        mesh->failed = true;
        return;
    }
    ctVec3 axis = ctRotate(leaves[0].pose.q, ctV3(0.0, 0.0, 1.0));
    for (int i = 0; i < count; i++) {
        double lift = ctDot(ctSub(leaves[i].pose.p, leaves[0].pose.p), axis);
        addOutline(&leaves[i].shape->u.lathe, lift, edges, &used);
    }
    hideInnerCaps(edges, used, 1e-3 * size);
    smoothEnds(edges, used, 1e-3 * size);
    for (int i = 0; i < used; i++) {
        if (!edges[i].hidden) {
            revolve(mesh, &leaves[0].pose, &edges[i], segments);
        }
    }
    ctFree(edges);
}
