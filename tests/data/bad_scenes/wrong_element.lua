-- expect: 2: body 'ball': spin[2] must be a number, not a string
body { name = "ball", shape = sphere { radius = 1 }, spin = {0, "fast", 0} }
