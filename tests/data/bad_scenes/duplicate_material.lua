-- expect: 3: material 'steel' exists already; a material is made once
material("steel", {})
material("steel", { friction = 0.2 })
