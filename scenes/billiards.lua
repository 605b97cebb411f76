-- The break: sixteen pool balls on a nine-foot table.
--
-- Watch the rack burst. The cue ball first slides, then rolls; the impact with the head ball lasts no time at all, and
-- runs through the touching balls one pair at a time. Balls leave the rack sliding, and take spin from
-- the cloth until they roll, at 5/7 of their speed: that is why they seem to hesitate. With some luck, one goes down.
-- Shift the cue ball by a millimetre and every ball ends somewhere else.
scene { title = "Billiards", tab = "Games", order = 9, seconds = 12,
        camera = { eye = {1.95, -1.0, 1.05}, target = {0.36, -0.02, -0.08}, fov = 38 } }
camera("above", { eye = {0, -0.01, 3.6}, target = {0, 0, 0}, fov = 42 })
camera("player", { eye = {-2.3, 0, 0.7}, target = {0.5, 0, 0}, fov = 40 })

local speed = param("speed", 9, 1, 12, "speed of the cue ball (m/s)")
local offset = param("offset", 16, -40, 40, "aim beside the head ball (mm)") * 1e-3
local follow = param("follow", 0, -1, 1, "draw ... stun ... follow")
local gap = param("gap", 0.5, 0, 3, "looseness of the rack (mm)") * 1e-3

local radius, mass = 0.05715 / 2, 0.17
local length, width = 2.54, 1.27         -- between the noses of the cushions
local rail, depth = 0.036, 0.13
local corner, side = 0.085, 0.064        -- how far the cushions stop before the pockets

material("cloth", { friction = 0.2, restitution = 0.5 })
material("cushion", { friction = 0.14, restitution = 0.8 })
material("wood", { friction = 0.5, restitution = 0.2, rolling = 2e-3 })
material("ball", { friction = 0.06, restitution = 0.95 })
contact("ball", "cloth", { friction = 0.2, restitution = 0.5, rolling = 2.5e-4, spinning = 3e-4 })
contact("ball", "cushion", { friction = 0.14, restitution = 0.8 })
contact("ball", "wood", { friction = 0.5, restitution = 0.2, rolling = 2e-3, spinning = 1e-3 })

local function block(name, x0, x1, y0, y1, z0, z1, kind, color)
  body { name = name, motion = "fixed", shape = box { size = { x1 - x0, y1 - y0, z1 - z0 } }, material = kind, color = color,
         position = { (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2 } }
end
local green, dark, wood = {0.02, 0.30, 0.16}, {0.02, 0.22, 0.12}, {0.28, 0.13, 0.06}
local X, Y = length / 2, width / 2
block("bed", -X, X, -Y, Y, -0.04, 0, "cloth", green)
block("tray", -X - depth, X + depth, -Y - depth, Y + depth, -0.16, -0.14, "wood", {0.03, 0.03, 0.03})
for s = -1, 1, 2 do
  local function span(a, b) return math.min(s * a, s * b), math.max(s * a, s * b) end
  local y0, y1 = span(Y, Y + depth)
  local x0, x1 = span(X, X + depth)
  local end_name, side_name = s < 0 and "head" or "foot", s < 0 and "right" or "left"
  block(side_name .. " cushion 1", -X + corner, -side, y0, y1, -0.04, rail, "cushion", dark)
  block(side_name .. " cushion 2", side, X - corner, y0, y1, -0.04, rail, "cushion", dark)
  block(end_name .. " cushion", x0, x1, -Y + corner, Y - corner, -0.04, rail, "cushion", dark)
  y0, y1 = span(Y + depth, Y + depth + 0.06)
  x0, x1 = span(X + depth, X + depth + 0.06)
  block(side_name .. " frame", -X - depth - 0.06, X + depth + 0.06, y0, y1, -0.16, 0.05, "wood", wood)
  block(end_name .. " frame", x0, x1, -Y - depth, Y + depth, -0.16, 0.05, "wood", wood)
end

-- The mouths of the pockets, to look at: sensors, which nothing bumps into.
local mouth = cylinder { radius = 0.062, height = 0.001 }
for sx = -1, 1 do
  for sy = -1, 1, 2 do
    local out = sx == 0 and 0.030 or 0.016
    body { name = "pocket " .. sx .. " " .. sy, motion = "fixed", sensor = true, shape = mouth, color = {0.01, 0.01, 0.012},
           position = { sx * (X + out), sy * (Y + out), 0.0002 } }
  end
end

local ball = sphere { radius = radius }
local colors = { {0.90, 0.65, 0.02}, {0.03, 0.12, 0.55}, {0.75, 0.04, 0.04}, {0.22, 0.05, 0.40}, {0.90, 0.30, 0.02},
                 {0.02, 0.30, 0.12}, {0.35, 0.04, 0.06}, {0.02, 0.02, 0.02} }
-- One ball of each kind in the back corners, the eight in the middle.
local order = { 1, 9, 2, 10, 8, 3, 11, 4, 12, 5, 6, 13, 14, 7, 15 }
local pitch, k = 2 * radius + gap, 0
seed(8)
local function off() return random(-0.35, 0.35) * gap end
for row = 0, 4 do
  for i = 0, row do
    k = k + 1
    local n = order[k]
    body { name = "ball " .. n, shape = ball, mass = mass, material = "ball", color = colors[(n - 1) % 8 + 1],
           pattern = "ball", number = n,
           position = { length / 4 + row * pitch * math.sqrt(3) / 2 + off(), (i - row / 2) * pitch + off(), radius },
           rotate = { axis = {1, 0.3 * k, 0.2}, degrees = 35 * k } }
  end
end
body { name = "cue ball", shape = ball, mass = mass, material = "ball", color = {0.92, 0.90, 0.84}, pattern = "dots",
       position = { -length / 4 - 0.15, offset, radius }, velocity = { speed, 0, 0 },
       spin = { 0, follow * speed / radius, 0 } }

measure("pocketed", function(world)
  local down = 0
  for i = 1, 15 do
    if world:body("ball " .. i).position[3] < -0.05 then down = down + 1 end
  end
  return down
end, "balls pocketed")
measure("spread of the rack", function(world)
  local x, y, xx = 0, 0, 0
  for i = 1, 15 do
    local p = world:body("ball " .. i).position
    x, y, xx = x + p[1] / 15, y + p[2] / 15, xx + (p[1] ^ 2 + p[2] ^ 2) / 15
  end
  return math.sqrt(xx - x * x - y * y)
end, "root mean square distance of the balls from their middle (m)")
