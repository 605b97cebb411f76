-- expect: 2: material 'ice': friction must be at least 0, not -0.1
material("ice", { friction = -0.1 })
