-- expect: 2: body 'b': sensor needs a body that is 'fixed' or 'kinematic'
body { name = 'b', shape = sphere { radius = 1 }, sensor = true }
