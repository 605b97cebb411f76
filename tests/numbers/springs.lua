-- The law with springs: boxes and rods that tumble, soft and stiff along the tangent, and two that slip through a turn.
scene { title = "Springs", gravity = {0, 0, -9.81}, seconds = 2, law = "compliant" }
material("stone", { friction = 0.3, restitution = 0.8 })
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "stone" }
for k, stiffness in ipairs { 0.4, 0.8, 3, 30, 1e3, 4e5, 7e5, 1.2e6, 2.5e6 } do
  local name = "spring " .. k
  material(name, { friction = 0.05 + 0.07 * k, restitution = 0.8, tangential_stiffness = stiffness })
  for i = 1, 3 do
    local shape = i == 1 and box { size = {0.1, 0.07, 0.05} } or i == 2 and capsule { radius = 0.01, height = 0.15 }
      or sphere { radius = 0.04 }
    body { name = k .. " " .. i, shape = shape, density = 800, material = name, position = {0.5 * k, 0.5 * i, 0.4},
           rotate = { axis = {1, 0.3 * i, 0.2 * k}, degrees = 40 * k }, velocity = {0.3 * i, 1 - 0.2 * k, -1},
           spin = {7 * i, 3 * k - 10, 15} }
  end
end
