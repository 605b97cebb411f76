-- A stack of ten boxes, a pyramid, and a ball to knock them down.
--
-- Watch that nothing happens for the first two seconds: ten boxes on top of each other neither sink, sway nor creep.
-- Then the ball arrives. The stack takes its momentum from below and comes down over it; the pyramid, wide and low,
-- loses only its middle.
scene { title = "Tower", tab = "Games", order = 8, seconds = 8,
        camera = { eye = {-2.2, -3.1, 1.6}, target = {0.62, 0, 0.82}, fov = 40 } }

local levels = math.floor(param("levels", 10, 1, 15, "boxes in the stack"))
local base = math.floor(param("base", 4, 1, 5, "boxes at the pyramid's foot"))
local speed = param("speed", 6, 0, 20, "speed of the ball (m/s)")
local mass = param("mass", 60, 1, 110, "mass of the ball (kg)")
local mu = param("friction", 0.6, 0.05, 1.5, "friction")

material("wood", { friction = mu, restitution = 0.2, density = 600 })
material("stone", { friction = 0.6, restitution = 0.3 })
contact("wood", "stone", { friction = mu, restitution = 0.2 })
material("iron", { friction = 0.4, restitution = 0.3 })

body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "stone",
       color = {0.40, 0.42, 0.45}, pattern = "checker" }

local side = 0.2
local cube = box { size = {side, side, side} }
for i = 1, levels do
  local t = (i - 1) / math.max(1, levels - 1)
  body { name = "stack " .. i, shape = cube, material = "wood", position = { 0, 0, (i - 0.5) * side },
         color = { 0.85, 0.30 + 0.45 * t, 0.12 }, pattern = "plain" }
end

local wide = { 0.3, side, side }
local brick = box { size = wide }
local n = 0
for row = 0, base - 1 do
  for i = 1, base - row do
    n = n + 1
    body { name = "brick " .. n, shape = brick, material = "wood",
           position = { 1.5, (i - (base - row + 1) / 2) * (side + 0.02), (row + 0.5) * side },
           color = { 0.15, 0.35 + 0.08 * row, 0.65 }, pattern = "plain" }
  end
end

local radius = 0.13
body { name = "ball", shape = sphere { radius = radius }, mass = mass, material = "iron",
       position = { -0.4 - 2 * speed, 0, radius }, velocity = { speed, 0, 0 }, spin = { 0, speed / radius, 0 },
       color = {0.12, 0.12, 0.14}, pattern = "halves" }

measure("boxes down", function(world)
  local down = 0
  for i = 1, levels do
    if world:body("stack " .. i).position[3] < (i - 0.75) * side then down = down + 1 end
  end
  return down
end, "boxes of the stack that came down")
measure("bricks moved", function(world)
  local moved = 0
  for i = 1, n do
    if world:first_impact("brick " .. i) and world:body("brick " .. i).position[1] > 1.51 then moved = moved + 1 end
  end
  return moved
end, "bricks of the pyramid that moved")
