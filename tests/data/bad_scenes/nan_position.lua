-- expect: 2: body 'ball': position[2] must be finite, not nan
body { name = "ball", shape = sphere { radius = 1 }, position = {0, 0/0, 0} }
