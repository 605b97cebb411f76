-- expect: 2: trimesh takes a file, or vertices and triangles, not both
local ground = trimesh { file = "x.obj", vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} } }
