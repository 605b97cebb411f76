// A simulated scene as glTF 2.0 in its binary form (.glb): meshes, and one baked animation.
#ifndef CT_EXPORT_GLTF_H
#define CT_EXPORT_GLTF_H

#include "scenes/scene.h"

typedef struct ctGltf ctGltf;

// Takes the meshes, looks and names of the scene's bodies as they are now. Bodies made or removed later are
// not followed.
ctGltf *ctGltf_Create(const ctScene *scene, ctError *error);

// Adds a key to the animation: where every moving body is now, at the world's time.
bool ctGltf_AddKey(ctGltf *gltf, const ctScene *scene, ctError *error);

// Writes the file; it appears under its name when it is whole.
// Once, at the end.
bool ctGltf_Write(ctGltf *gltf, const char *path, ctError *error);

void ctGltf_Destroy(ctGltf *gltf); // NULL is allowed

#endif
