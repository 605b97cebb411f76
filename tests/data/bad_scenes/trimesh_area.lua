-- expect: 2: trimesh: triangle 2 has no area
local ground = trimesh { vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} }, triangles = { {1, 2, 3}, {2, 1, 1} } }
