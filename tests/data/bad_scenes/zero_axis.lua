-- expect: 2: body 'ball': axis of rotate must have a direction, not be zero
body { name = "ball", shape = sphere { radius = 1 }, rotate = { axis = {0, 0, 0}, degrees = 90 } }
