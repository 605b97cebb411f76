-- expect: 3: body 'hill': motion of a trimesh must be 'fixed', not 'dynamic'
local ground = trimesh { vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} }, triangles = { {1, 2, 3} } }
body { name = "hill", motion = "dynamic", shape = ground }
