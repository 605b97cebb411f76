-- expect: 2: body 'ball': position must be a list of 3 numbers without keys
body { name = "ball", shape = sphere { radius = 1 }, position = { x = 1, y = 2, z = 3 } }
