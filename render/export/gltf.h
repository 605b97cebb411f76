// A simulated scene as glTF 2.0 in its binary form (.glb): meshes, and one baked animation.
#ifndef CT_EXPORT_GLTF_H
#define CT_EXPORT_GLTF_H

#include "scenes/scene.h"

typedef struct ctGltf ctGltf;

// Copies the meshes, looks and names of the scene's present bodies. Bodies added or removed later are ignored.
ctGltf *ctGltf_Create(const ctScene *scene, ctError *error);

// Adds a key to the animation: the present place of every moving body, at the world's time.
bool ctGltf_AddKey(ctGltf *gltf, const ctScene *scene, ctError *error);

// Writes the file, which appears under its name when it is complete. To be called once, at the end.
bool ctGltf_Write(ctGltf *gltf, const char *path, ctError *error);

void ctGltf_Destroy(ctGltf *gltf); // NULL is allowed

#endif
