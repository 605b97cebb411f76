-- expect: 2: body 'ball': degrees is missing
body { name = "ball", shape = sphere { radius = 1 }, rotate = { axis = {0, 0, 1} } }
