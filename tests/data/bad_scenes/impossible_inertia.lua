-- expect: 2: body 'ball': inertia is impossible: the principal moment 3 is larger than the other two, 1 and 1, together
body { name = "ball", shape = sphere { radius = 1 }, mass = 1, inertia = {1, 1, 3} }
