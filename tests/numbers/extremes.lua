-- What is far from usual: grains, a pebble between millstones, balls of many sizes and speeds in flight.
scene { title = "Extremes", gravity = {0, 0, -9.81}, seconds = 1 }
material("stone", { friction = 0.5, restitution = 0.4 })
material("rubber", { friction = 0.2, restitution = 0.9 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "stone" }
for i = 0, 3 do
  body { name = "grain " .. i, shape = box { size = {2e-4, 1.6e-4, 1.2e-4} }, density = 2600, material = "stone",
         position = {0.01 * i, 0, 2e-4 + 1e-4 * i}, spin = {5, 3 * i, 1} }
end
body { name = "pebble", shape = box { size = {0.01, 0.01, 0.01} }, mass = 1e-3, position = {1, 0, 0.0051}, material = "stone" }
body { name = "millstone", shape = cylinder { radius = 0.4, height = 0.1 }, mass = 20, position = {1.05, 0.02, 0.061}, material = "stone" }
body { name = "upper stone", shape = cylinder { radius = 0.4, height = 0.1 }, mass = 2000, position = {1.05, 0, 0.162}, material = "stone" }
local k = 0
for x = 0, 5 do
  for y = 0, 5 do
    k = k + 1
    local fast = k % 9 == 0 and 60 or 2
    body { name = "ball " .. k, shape = sphere { radius = 0.01 + 0.012 * (k % 7) }, density = 1000, material = "rubber",
           position = {-3 + 0.2 * x, 0.2 * y, 1 + 0.03 * (k % 4)}, velocity = {fast * math.cos(k), fast * math.sin(k), 1} }
  end
end
body { name = "propeller", shape = box { size = {0.3, 0.05, 0.02} }, density = 600, material = "stone", position = {3, 0, 2},
       torque = {0.001, 0.002, 0.01}, spin = {1, 2, 20} }
