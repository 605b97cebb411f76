-- expect: 2: material 'flubber': restitution must be from 0 to 1, not 1.2
material("flubber", { restitution = 1.2 })
