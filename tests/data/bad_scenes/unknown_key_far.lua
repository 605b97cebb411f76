-- expect: 2: unknown key 'zzz' in body; it takes name, shape, motion, material, mass, density, inertia, center, position, orientation, rotate, velocity, spin, color, pattern, visible, group, collides_with, sensor, force, torque, drag, surface_velocity, path, number, trail, waiting
body { shape = sphere { radius = 1 }, zzz = 1 }
