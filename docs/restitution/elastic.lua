-- A perfectly elastic ball falls from a height and keeps bouncing: its top stays where it was.
scene { title = "Elastic ball", seconds = 60 }
local g, radius = 9.81, 0.5
local drop = param("drop", 10, 0.1, 100, "height of the fall (m)")
material("elastic", { friction = 0, restitution = 1 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "elastic" }
body { name = "ball", shape = sphere { radius = radius }, mass = 1, material = "elastic",
       position = { 0, 0, drop + radius } }
measure("top", function(world)
  local b = world:body("ball")
  return b.position[3] - radius + b.velocity[3]^2 / (2 * g)
end, "height of its top after a minute (m)")
measure("bounces", function(world) return world:impacts("ball", "floor") end, "bounces")
