-- expect: 2: body 'ball': mass must be positive, not -1
body { name = "ball", shape = sphere { radius = 1 }, mass = -1 }
