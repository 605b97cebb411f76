-- expect: 2: body 'b': drag must be from 0 to 1e+06, not -1
body { name = 'b', shape = sphere { radius = 1 }, drag = -1 }
