-- A bin of boxes, balls and cylinders: impacts, a crowd, a pile that settles.
scene { title = "Pile", gravity = {0, 0, -9.81}, seconds = 3 }
material("wood", { friction = 0.5, restitution = 0.2, rolling = 0.001, spinning = 0.001 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "wood" }
for i, w in ipairs { {1, 0}, {-1, 0}, {0, 1}, {0, -1} } do
  body { name = "wall " .. i, motion = "fixed", shape = plane { normal = {w[1], w[2], 0}, offset = -0.29 }, material = "wood" }
end
local k = 0
for z = 0, 9 do
  for x = -1, 2 do
    for y = -1, 2 do
      k = k + 1
      local shape = k % 5 == 0 and sphere { radius = 0.04 } or k % 7 == 0 and cylinder { radius = 0.04, height = 0.07 }
        or box { size = {0.08, 0.07, 0.09} }
      body { name = "body " .. k, shape = shape, density = 600, material = "wood",
             position = {x * 0.135 - 0.07 + 0.003 * (k % 3), y * 0.135 - 0.07 + 0.002 * (k % 4), 0.2 + z * 0.16},
             rotate = { axis = {1, (k % 5) / 3, 0.3}, degrees = k * 17 } }
    end
  end
end
