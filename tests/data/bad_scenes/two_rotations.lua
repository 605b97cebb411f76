-- expect: 2: body 'ball': rotate and orientation are both given; one is enough
body { name = "ball", shape = sphere { radius = 1 }, rotate = { axis = {0, 0, 1}, degrees = 90 }, orientation = {1, 0, 0, 0} }
