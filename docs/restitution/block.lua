-- An elastic box falls flat on a smaller one: the contact points are not its corners, and it rises as high as it fell.
scene { title = "A box on a smaller one", seconds = 0.7 }
local g, drop = 9.81, 1
material("elastic", { friction = 0, restitution = 1 })
body { name = "support", motion = "fixed", shape = box { size = {0.75, 0.75, 0.5} }, position = {0, 0, 0.25},
       material = "elastic" }
body { name = "box", shape = box { size = {1, 1, 1} }, mass = 1, position = {0, 0, 1 + drop}, material = "elastic" }
measure("top", function(world)
  local b = world:body("box")
  return b.position[3] - 1 + b.velocity[3]^2 / (2 * g)
end, "height after the bounce (m)")
