-- expect: 2: body 'earth': mass must be positive and at most 1e12 kg, not 5.97e+24 kg
body { name = 'earth', shape = sphere { radius = 6.4e6 }, mass = 5.97e24 }
