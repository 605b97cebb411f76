-- expect: 4: unknown key 'restitutoin' in contact; did you mean 'restitution'?
material("a", {})
material("b", {})
contact("a", "b", { restitutoin = 0.1 })
