-- expect: 2: body 'b': force must accelerate the body by at most 1e+06 m/s^2, not by 1e+09
body { name = 'b', mass = 1, shape = sphere { radius = 1 }, force = {1e9, 0, 0} }
