-- An elastic ball flies into a wall at 1 m/s and comes back at 1 m/s.
scene { title = "A ball and a wall", gravity = {0, 0, 0}, seconds = 2 }
material("elastic", { friction = 0, restitution = 1 })
body { name = "wall", motion = "fixed", shape = box { size = {0.2, 2, 2} }, position = {1.1, 0, 0}, material = "elastic" }
body { name = "ball", shape = sphere { radius = 0.2 }, mass = 1, velocity = {1, 0, 0}, material = "elastic" }
measure("speed", function(world) return world:body("ball").velocity[1] end, "velocity after (m/s)")
