-- expect: 3: body 'ball': the body overlaps body 1, floor, by 0.1 m
body { name = "floor", motion = "fixed", shape = box { size = {2, 2, 1} }, position = {0, 0, -0.5} }
body { name = "ball", shape = sphere { radius = 0.2 },
       position = {0, 0, 0.1} }
