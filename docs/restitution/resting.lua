-- A ball at 1 m/s meets one at rest, e = 1: they exchange their velocities, and the second comes back from a wall.
scene { title = "A moving and a resting ball", gravity = {0, 0, 0}, seconds = 1.5 }
local walled = param("wall", 0, 0, 1, "1: with a wall behind")
material("elastic", { friction = 0, restitution = 1 })
body { name = "first", shape = sphere { radius = 0.1 }, mass = 1, position = {-1, 0, 0}, velocity = {1, 0, 0},
       material = "elastic" }
body { name = "second", shape = sphere { radius = 0.1 }, mass = 1, material = "elastic" }
if walled > 0.5 then
  body { name = "wall", motion = "fixed", shape = box { size = {1, 6, 6} }, position = {0.8, 0, 0}, material = "elastic" }
end
measure("first", function(world) return world:body("first").velocity[1] end, "first ball after (m/s)")
measure("second", function(world) return world:body("second").velocity[1] end, "second ball after (m/s)")
