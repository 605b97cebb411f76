-- expect: 2: body 'ground': motion of a plane must be 'fixed', not 'dynamic'
body { name = "ground", motion = "dynamic", shape = plane { normal = {0, 0, 1}, offset = 0 } }
