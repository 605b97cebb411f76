-- expect: 2: body 'ghost': shape is missing
body { name = "ghost", mass = 1 }
