-- expect: 2: body 'one, two': name must not hold commas, quotes or line breaks
body { name = "one, two", shape = sphere { radius = 1 } }
