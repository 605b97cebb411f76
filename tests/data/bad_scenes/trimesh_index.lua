-- expect: 2: trimesh: triangles[2][3] must be the number of a vertex, from 1 to 3, not 4
local ground = trimesh { vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} }, triangles = { {1, 2, 3}, {2, 1, 4} } }
