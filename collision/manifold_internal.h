// The interface between the files of the manifold code: candidate points of a contact, and the choice among them.
#ifndef CT_MANIFOLD_INTERNAL_H
#define CT_MANIFOLD_INTERNAL_H

#include "collision/gjk_internal.h"
#include "collision/manifold.h"
#include "collision/patch.h"

#define CT_CANDIDATES CT_WHOLE_POINTS

// A corner counts as inside a face when it misses it by less than this share of the face, so that faces laid squarely
// on each other keep their ids. For a face seen at an angle (rad) of more than CT_FLUSH it is less, because the plane
// would be extended beyond its edge: there the edge is what is near.
#define CT_INSIDE 1e-5
#define CT_INSIDE_TILTED 1e-10
#define CT_FLUSH 1e-3

// The share for faces at an angle with this cosine.
static inline double ctInsideRoom(double cosine)
{
    return 1.0 - cosine * cosine <= CT_FLUSH * CT_FLUSH ? CT_INSIDE : CT_INSIDE_TILTED;
}

// A point of contact in A's frame, on the cores or on the surfaces. x, y: its place in the plane of contact.
typedef struct ctCandidate {
    ctVec3 a, b;
    bool onSurface;
    bool lowest; // the lowest place of a rim that is not flat
    double gap;  // between the surfaces
    double x, y;
    uint32_t id;
} ctCandidate;

typedef struct ctCandidates {
    ctVec3 n;                       // from B to A, A's frame
    ctVec3 x;                       // across n, A's frame: a direction that does not turn with either body
    const ctPatch *patchA, *patchB; // the parts that meet, A's frame; not used for boxes and planes
    double apart;                   // boxes that are farther apart than the margin: at least this, m
    int count;
    ctCandidate c[CT_CANDIDATES];
} ctCandidates;

// Where two patches lie over each other, seen along out->n.
void ctPatch_Overlay(const ctPatch *a, const ctPatch *b, ctCandidates *out);

// The points of a patch of A over a plane with normal up (unit, A's frame) at height offset.
void ctPatch_OverPlane(const ctPatch *patch, ctVec3 up, double offset, ctCandidates *out);

// Boxes: separating axes and clipping. False when they are farther apart than margin. No points when the
// closest points are the only contact.
bool ctCollideBoxes(const ctShapePair *pair, double margin, ctCandidates *out);

// Points within margin, four at most: the extremes of the contact area, and the deepest.
// In the world, with A's pose.
void ctChoosePoints(const ctShapePair *pair, const ctPose *poseA, double margin, const ctManifoldKeep *keep,
                    ctCandidates *in, ctManifold *manifold);

// The features that meet at a point: kind and index, for each body.
enum { ct_idVertex = 0x0000, ct_idEdge = 0x4000, ct_idFace = 0x8000, ct_idRim = 0xc000 };

static inline uint32_t ctFeatureId(uint32_t kind, uint32_t index)
{
    return kind | (index & 0x3fffu);
}

static inline uint32_t ctPointId(uint32_t a, uint32_t b)
{
    return (a & 0xffffu) << 16 | (b & 0xffffu);
}

static inline void ctAddCandidate(ctCandidates *out, ctVec3 a, ctVec3 b, double gap, double x, double y, uint32_t id)
{
    if (out->count < CT_CANDIDATES) {
        ctCandidate c = {a, b, false, false, gap, x, y, id};
        out->c[out->count++] = c;
    }
}

#endif
