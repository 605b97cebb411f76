// The plain types that cross every layer, and the public API: vectors, rotations, errors.
// SI units, double precision, z up.
#ifndef CT_TYPES_H
#define CT_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctVec3 {
    double x, y, z;
} ctVec3;

// A 3x3 matrix by columns: m * v = cx * v.x + cy * v.y + cz * v.z.
typedef struct ctMat3 {
    ctVec3 cx, cy, cz;
} ctMat3;

// A rotation as a unit quaternion, w first.
typedef struct ctQuat {
    double w, x, y, z;
} ctQuat;

// A rigid motion: x -> p + q x q*.
typedef struct ctTransform {
    ctVec3 p;
    ctQuat q;
} ctTransform;

// Why a call failed. Zero is success.
typedef enum ctStatus {
    ct_ok = 0,
    ct_badArgument, // the caller's input is not acceptable; the message names the field
    ct_outOfMemory, // an allocation failed; the objects passed in are unchanged
    ct_limit,       // a documented limit would be passed
    ct_corrupt,     // a file or a buffer is damaged, or is of another version
    ct_io,          // the system refused to read or write
} ctStatus;

#define CT_MESSAGE_SIZE 512

// Functions that can fail take a pointer to one of these as their last argument. It may be NULL.
// On success they leave it alone; on failure they fill it in.
typedef struct ctError {
    ctStatus status;
    char message[CT_MESSAGE_SIZE];
} ctError;

// A surface made of triangles, for drawing.
typedef struct ctMeshVertex {
    float position[3]; // the shape's frame, m
    float normal[3];   // outward, unit
} ctMeshVertex;

typedef struct ctMesh {
    int vertexCount, vertexCapacity;
    int indexCount, indexCapacity;
    ctMeshVertex *vertices;
    uint32_t *indices; // triangles, counter-clockwise seen from outside
    bool failed;       // memory ran short while it was built
} ctMesh;

#ifdef __cplusplus
}
#endif

#endif
