-- expect: 2: material 'odd': tangential_stiffness must be from 0 to 1e+12, not -0.5
material("odd", { tangential_stiffness = -0.5 })
