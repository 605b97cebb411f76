-- expect: 2: body 'b': surface_velocity needs a body that is 'fixed' or 'kinematic'
body { name = 'b', shape = sphere { radius = 1 }, surface_velocity = {1, 0, 0} }
