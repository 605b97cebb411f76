-- expect: 2: body 'ball': velocity must be a list of 3 numbers, not of 2
body { name = "ball", shape = sphere { radius = 1 }, velocity = {1, 2} }
