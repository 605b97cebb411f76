-- expect: 2: body 'ball': position must be a list of 3 numbers, not a number
body { name = "ball", shape = sphere { radius = 1 }, position = 3 }
