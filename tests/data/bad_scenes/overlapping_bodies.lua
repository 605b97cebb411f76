-- expect: ?
body { name = "floor", motion = "fixed", shape = box { size = {2, 2, 1} }, position = {0, 0, -0.5} }
body { name = "ball", shape = sphere { radius = 0.2 },
       position = {0, 0, 0.1} }
