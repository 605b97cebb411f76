-- expect: 2: body 'b': times of a path must be finite and ascend by at least 1e-06 s; point 2 does not
body { name = 'b', motion = 'kinematic', shape = sphere { radius = 1 }, path = { { time = 2 }, { time = 1 } } }
