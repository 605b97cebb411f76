-- expect: 2: body 'ball': orientation must be a quaternion {w, x, y, z} that is not zero
body { name = "ball", shape = sphere { radius = 1 }, orientation = {0, 0, 0, 0} }
