-- expect: 2: body 'b': path[2]: time is missing
body { name = 'b', motion = 'kinematic', shape = sphere { radius = 1 }, path = { { time = 1 }, { position = {1, 0, 0} } } }
