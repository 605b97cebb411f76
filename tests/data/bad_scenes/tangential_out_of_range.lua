-- expect: 2: material 'odd': tangential_restitution must be from -1 to 1, not -1.5
material("odd", { tangential_restitution = -1.5 })
