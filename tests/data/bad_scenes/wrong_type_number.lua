-- expect: 2: body 'ball': mass must be a number, not a string
body { name = "ball", shape = sphere { radius = 1 }, mass = "heavy" }
