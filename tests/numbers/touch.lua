-- One of each kind of sustained contact: a stack, a coin that wobbles, a ball that slides and rolls, a rod, an egg.
scene { title = "Touch", gravity = {0, 0, -9.81}, seconds = 2 }
material("wood", { friction = 0.5, restitution = 0.3, rolling = 0.001, spinning = 0.0005 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "wood" }
body { name = "table", motion = "fixed", shape = box { size = {0.6, 0.6, 0.1} }, position = {3, 0, 0.05}, material = "wood" }
for i = 0, 5 do
  body { name = "box " .. i, shape = box { size = {0.1, 0.1, 0.1} }, density = 600, material = "wood",
         position = {0.001 * i, 0, 0.051 + i * 0.1005} }
end
body { name = "coin", shape = cylinder { radius = 0.02, height = 0.002 }, mass = 0.01, position = {1, 0, 0.025},
       rotate = { axis = {1, 0, 0}, degrees = 80 }, velocity = {0.3, 0, 0}, spin = {0, 10, 3}, material = "wood" }
body { name = "ball", shape = sphere { radius = 0.05 }, mass = 0.5, position = {-1, 0, 0.1}, velocity = {2, 0, 0}, material = "wood" }
body { name = "rod", shape = capsule { radius = 0.02, height = 0.1 }, mass = 0.2, position = {0, 1, 0.1},
       velocity = {0.2, 0, 0}, spin = {1, 2, 3}, material = "wood" }
body { name = "egg", shape = ellipsoid { radii = {0.05, 0.03, 0.04} }, mass = 0.2, position = {0, -1, 0.1},
       velocity = {0.2, 0, 0}, spin = {1, 2, 30}, material = "wood" }
body { name = "slider", shape = box { size = {0.1, 0.08, 0.06} }, density = 600, position = {2.8, 0, 0.131},
       velocity = {1.6, 0.1, 0}, spin = {0, 0, 4}, material = "wood" }
