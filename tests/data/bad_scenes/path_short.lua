-- expect: 2: body 'b': path must be a list of 2 to 10000 points
body { name = 'b', motion = 'kinematic', shape = sphere { radius = 1 }, path = { { time = 1 } } }
