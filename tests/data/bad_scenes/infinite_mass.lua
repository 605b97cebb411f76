-- expect: 2: body 'ball': mass must be finite, not infinite
body { name = "ball", shape = sphere { radius = 1 }, mass = math.huge }
