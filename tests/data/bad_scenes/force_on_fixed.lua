-- expect: 2: body 'b': force is given, but the body is not dynamic
body { name = 'b', motion = 'fixed', shape = sphere { radius = 1 }, force = {1, 0, 0} }
