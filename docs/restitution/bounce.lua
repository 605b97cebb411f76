-- Four balls fall 2 m; each rebounds to e^2 of it.
scene { title = "Bounce heights", seconds = 0.8 }
local g, drop, radius = 9.81, 2, 0.1
material("floor", { friction = 0, restitution = 0 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "floor" }
for i, e in ipairs { 0.30, 0.50, 0.80, 0.95 } do
  local name = string.format("ball %.2f", e)
  material(name, { friction = 0, restitution = e })
  body { name = name, shape = sphere { radius = radius }, mass = 1, material = name,
         position = { i, 0, drop + radius } }
  measure(name, function(world)
    local b = world:body(name)
    return (b.position[3] - radius + b.velocity[3]^2 / (2 * g)) / drop
  end, string.format("rebound over drop, e = %.2f", e))
end
