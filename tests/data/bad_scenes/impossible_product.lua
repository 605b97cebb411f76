-- expect: 2: body 'ball': inertia is impossible: the principal moment -4 is not positive
body { name = "ball", shape = sphere { radius = 1 }, mass = 1, inertia = {1, 1, 1, 5, 0, 0} }
