-- expect: 2: body 'ball': color[1] must be from 0 to 1, not 255
body { name = "ball", shape = sphere { radius = 1 }, color = {255, 0, 0} }
