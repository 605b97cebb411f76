-- expect: 2: body 'wall': velocity is given, but a fixed body cannot move; motion = "kinematic" can
body { name = "wall", motion = "fixed", shape = box { size = {1, 1, 1} }, velocity = {1, 0, 0} }
