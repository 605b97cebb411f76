-- expect: 3: unknown key 'frictoin' in material; did you mean 'friction'?
material("rubber", { friction = 1.0 })
material("steel", { frictoin = 0.4 })
