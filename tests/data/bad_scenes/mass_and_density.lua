-- expect: 2: body 'ball': mass and density are both given; one follows from the other
body { name = "ball", shape = sphere { radius = 1 }, mass = 1, density = 1000 }
