-- No gravity: a ball flies down at 5 m/s for a second and bounces once. It ends at v t + 2 r - h, whatever the start h.
scene { title = "Final over initial height", gravity = {0, 0, 0}, seconds = 1 }
local h = param("h", 2.95, 2.9, 3, "initial height (m)")
local radius, speed = 0.5, 5
material("elastic", { friction = 0, restitution = 1 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "elastic" }
body { name = "ball", shape = sphere { radius = radius }, mass = 1, position = {0, 0, h}, velocity = {0, 0, -speed},
       material = "elastic" }
measure("final", function(world) return world:body("ball").position[3] end, "final height (m)")
measure("off", function(world) return world:body("ball").position[3] - (speed + 2 * radius - h) end, "off by (m)")
