-- expect: 3: contact: unknown material 'steel'; material("steel", { ... }) must come before
material("rubber", {})
contact("rubber", "steel", { friction = 0.8 })
