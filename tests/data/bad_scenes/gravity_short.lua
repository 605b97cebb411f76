-- expect: 2: scene: gravity must be a list of 3 numbers, not of 2
scene { gravity = {0, -9.81} }
