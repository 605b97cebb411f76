-- expect: 2: material 'air': density must be positive, not 0
material("air", { density = 0 })
