-- A terrain of hills and valleys, gentle and steep, and a platform with one side: what rolls, slides and passes there.
scene { title = "Terrain", gravity = {0, 0, -9.81}, seconds = 2 }
material("wood", { friction = 0.5, restitution = 0.3, rolling = 0.001 })
local heights, count = {}, 41
for j = 1, count do
  heights[j] = {}
  for i = 1, count do
    local x, y = (i - 21) / 20, (j - 21) / 20
    heights[j][i] = 0.15 * (x * x + y * y) + 0.012 * math.sin(9 * x) * math.cos(7 * y) + (i > 30 and 0.04 * (i - 30) or 0)
  end
end
body { name = "land", motion = "fixed", shape = heightfield { size = {2, 2}, heights = heights }, material = "wood" }
body { name = "platform", motion = "fixed", material = "wood", position = {3, 0, 0.6}, shape = trimesh {
  vertices = { {-0.3, -0.3, 0}, {0.3, -0.3, 0}, {0.3, 0.3, 0}, {-0.3, 0.3, 0} }, triangles = { {1, 2, 3}, {1, 3, 4} } } }
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = -0.5 }, material = "wood" }
body { name = "ball", shape = sphere { radius = 0.05 }, mass = 0.5, position = {-0.7, -0.3, 0.15}, velocity = {1, 0.4, 0}, material = "wood" }
body { name = "marble", shape = sphere { radius = 0.02 }, mass = 0.05, position = {0.1, 0.6, 0.12}, velocity = {0.5, -0.4, 0}, material = "wood" }
body { name = "fast marble", shape = sphere { radius = 0.02 }, mass = 0.05, position = {-0.1, 0.1, 0.1}, velocity = {4, 0.4, 0}, material = "wood" }
body { name = "box", shape = box { size = {0.1, 0.08, 0.06} }, density = 600, position = {0.2, -0.5, 0.15}, velocity = {0.3, 0.6, 0},
       spin = {0, 0, 2}, material = "wood" }
body { name = "coin", shape = cylinder { radius = 0.03, height = 0.004 }, mass = 0.02, position = {-0.4, 0.4, 0.15}, spin = {3, 8, 2}, material = "wood" }
body { name = "egg", shape = ellipsoid { radii = {0.05, 0.03, 0.04} }, mass = 0.2, position = {0.3, 0.2, 0.12}, spin = {1, 2, 6}, material = "wood" }
body { name = "thrown ball", shape = sphere { radius = 0.05 }, mass = 0.5, position = {3, 0, 0.3}, velocity = {0.1, 0, 3.2}, material = "wood" }
body { name = "thrown box", shape = box { size = {0.1, 0.08, 0.06} }, density = 600, position = {3.15, 0.1, 0.3}, velocity = {0, 0, 3.5},
       spin = {1, 2, 1}, material = "wood" }
