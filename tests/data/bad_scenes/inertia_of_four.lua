-- expect: 2: body 'ball': inertia must be a list of 6 numbers, not of 4
body { name = "ball", shape = sphere { radius = 1 }, mass = 1, inertia = {1, 1, 1, 0} }
