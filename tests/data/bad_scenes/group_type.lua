-- expect: 2: body 'b': group must be the name of a group, or a list of names, not a number
body { name = 'b', shape = sphere { radius = 1 }, group = 3 }
