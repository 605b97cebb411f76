-- expect: 2: body 'b': group must name at least one group
body { name = 'b', shape = sphere { radius = 1 }, group = {} }
