-- expect: 2: body 'b': path needs a body that is 'kinematic'
body { name = 'b', shape = sphere { radius = 1 }, path = { { time = 1 }, { time = 2 } } }
