-- Marbles run down a winding valley, and a conveyor lifts them back to its head.
--
-- The land is a heightfield of 75,264 triangles, and a marble rolls over their seams as over a smooth hill: on the
-- straights it gains 5/7 (g sin a - g cos a rolling / r), as on a plane. The belt is of fleece, on which nothing
-- rolls: rolling resistance above r tan(b) holds a marble on a slope of b, and the belt takes it along at its own speed.
local slope = param("slope", 3, 2.5, 4, "slope of the valley (%)") / 100
local speed = param("belt", 0.3, 0.1, 0.6, "speed of the belt (m/s)")
local count = math.floor(param("marbles", 10, 1, 12, "marbles"))

scene { title = "Marble run", tab = "Machines", order = 22, seconds = 40,
        camera = { eye = {0.75, -1.55, 1.25}, target = {0.02, 0.07, 0.07}, fov = 36 } }
camera("above", { eye = {0, 0.09, 2.3}, target = {0, 0.1, 0}, fov = 36 })
camera("lift", { eye = {1.5, -0.75, 0.7}, target = {0.66, 0.05, 0.12}, fov = 38 })
camera("marble", { eye = {0.95, 0.02, 0.62}, target = {0.6, 0.5, 0.24}, fov = 45, follow = "marble 1" })

local r, low = 0.018, 0.06                       -- radius of the marbles; height of the valley's end, m

material("land", { friction = 0.5, restitution = 0.3 })
material("glass", { friction = 0.3, restitution = 0.6, density = 2500 })
material("fleece", { friction = 0.9, restitution = 0.1 })
material("wood", { friction = 0.3, restitution = 0.4 })
contact("glass", "land", { friction = 0.5, restitution = 0.3, rolling = 4e-4 })
contact("glass", "fleece", { friction = 0.9, restitution = 0.1, rolling = 0.02, spinning = 0.01 })

-- ---- the valley ---------------------------------------------------------------------------------

-- Four straights and three bends, from the top on the right to the bottom on the right.
local bend = 0.13
local parts, length = {}, 0
local function straight(x0, x1, y)
  parts[#parts + 1] = { from = length, x0 = x0, y0 = y, way = x1 > x0 and 1 or -1, length = math.abs(x1 - x0) }
  length = length + math.abs(x1 - x0)
end
local function turn(x, y, side)                  -- around (x, y), downwards, on its left (-1) or right (1)
  parts[#parts + 1] = { from = length, x0 = x, y0 = y, side = side, length = math.pi * bend }
  length = length + math.pi * bend
end
straight(0.70, -0.55, 0.50)
turn(-0.55, 0.37, -1)
straight(-0.55, 0.45, 0.24)
turn(0.45, 0.11, 1)
straight(0.45, -0.55, -0.02)
turn(-0.55, -0.15, -1)
straight(-0.55, 0.72, -0.28)

-- The place at s along the valley.
local function place(s)
  for _, p in ipairs(parts) do
    local t = s - p.from
    if t <= p.length then
      if not p.side then return p.x0 + p.way * t, p.y0 end
      return p.x0 + p.side * bend * math.sin(t / bend), p.y0 + bend * math.cos(t / bend)
    end
  end
end
local function bottom(s) return low + slope * (length - s) end

-- The height of the land: that of the nearest stretch of the valley, and on a ridge a mean of that and the next one.
local rim, width = 0.07, 0.18                    -- of the banks: height, and twice the radius at the bottom
local sqrt, atan, exp = math.sqrt, math.atan, math.exp
local far, at = {}, {}                           -- for each part the square of its distance, and where that is
local function height(x, y, near)
  local d1, s1, d2, s2 = 9, 0, 9, 0
  for k = 1, #near do
    local p = near[k]
    local dx, dy, d, s = x - p.x0, y - p.y0, 9, 0
    if not p.side then
      local t, past = p.way * dx, 0
      if t < 0 then t, past = 0, t elseif t > p.length then t, past = p.length, t - p.length end
      d, s = past * past + dy * dy, p.from + t
    elseif p.side * dx >= 0 then                 -- else the straights are nearer
      local off = sqrt(dx * dx + dy * dy) - bend
      d, s = off * off, p.from + bend * atan(p.side * dx, dy)
    end
    if d < d1 then d1, s1 = d, s end
    far[k], at[k] = d, s
  end
  for k = 1, #near do
    local away = at[k] - s1
    if far[k] < d2 and (away > 0.2 or away < -0.2) then d2, s2 = far[k], at[k] end
  end
  local z = bottom(s1) + rim * (1 - exp(-d1 / (width * rim)))
  if d2 - d1 > 0.15 then return z end
  local share = exp((d1 - d2) / 0.008) * math.min(1, 5 * math.abs(s2 - s1) - 1)
  return (z + share * (bottom(s2) + rim * (1 - exp(-d2 / (width * rim))))) / (1 + share)
end

-- A grid with the straights on its lines, and a skirt around it.
local step, nx, ny = 0.0065, 225, 169
local x0, y0 = 0.66 - (nx - 1) * step, -0.28 - 24 * step
local rows = {}
for j = 1, ny do
  local row, near, y = {}, {}, y0 + (j - 1) * step
  for _, p in ipairs(parts) do                   -- the others are too far away to matter
    if math.abs(y - p.y0) < 0.36 then near[#near + 1] = p end
  end
  for i = 1, nx do row[i] = height(x0 + (i - 1) * step, y, near) end
  rows[j] = row
end
body { name = "land", motion = "fixed", material = "land", color = {0.10, 0.27, 0.09},
       position = { x0 + (nx - 1) * step / 2, y0 + (ny - 1) * step / 2, 0 },
       shape = heightfield { size = { (nx - 1) * step, (ny - 1) * step }, heights = rows } }
local edge, sides = {}, {}
local function post(i, j)
  local x, y = x0 + (i - 1) * step, y0 + (j - 1) * step
  edge[#edge + 1] = { x, y, -0.02 }
  edge[#edge + 1] = { x, y, rows[j][i] - 0.001 }
end
for i = 1, nx do post(i, 1) end
for j = 2, ny do post(nx, j) end
for i = nx - 1, 1, -1 do post(i, ny) end
for j = ny - 1, 2, -1 do post(1, j) end
for k = 1, #edge, 2 do
  local n = k + 2 <= #edge and k + 2 or 1
  sides[#sides + 1] = { k, n, n + 1 }
  sides[#sides + 1] = { k, n + 1, k + 1 }
end
body { name = "skirt", motion = "fixed", material = "wood", color = {0.20, 0.11, 0.05},
       shape = trimesh { vertices = edge, triangles = sides } }

-- ---- the lift -----------------------------------------------------------------------------------

local foot, head = -0.36, 0.40                   -- of the belt, in y
local z0, z1 = bottom(length) - 0.012, bottom(0) + 0.035
local angle = math.atan(z1 - z0, head + 0.28)
local belt = (head - foot) / math.cos(angle)
local turned = { axis = {1, 0, 0}, degrees = math.deg(angle) }
local function along(x, t, up)                   -- a place on the belt, t from its middle
  local y = (foot + head) / 2
  local z = z0 + (y + 0.28) * math.tan(angle)
  return { x, y + t * math.cos(angle) - up * math.sin(angle), z + t * math.sin(angle) + up * math.cos(angle) }
end
body { name = "belt", motion = "fixed", material = "fleece", color = "#30343c", surface_velocity = { 0, speed, 0 },
       shape = box { size = { 0.14, belt, 0.02 } }, position = along(0.73, 0, -0.01), rotate = turned }
local function plank(name, size, at, rotate)
  body { name = name, motion = "fixed", material = "wood", color = "wood", shape = box { size = size },
         position = at, rotate = rotate }
end
-- Bars go round with the belt, to see it move; as sensors they touch nothing.
local bars, up, back = 6, belt / speed, 0.6 * belt / speed
for k = 1, bars do
  local points, from = { loop = true }, -(up + back) * k / bars
  local function pass(time, t, height, way)
    points[#points + 1] = { time = from + time, position = along(0.73, t, height), rotate = turned,
                            velocity = { 0, way * speed * math.cos(angle), way * speed * math.sin(angle) } }
  end
  pass(0, -belt / 2, 0.0015, 1)
  pass(up, belt / 2, 0.0015, 1)
  pass(up + 0.1 * back, belt / 2, -0.03, -1)
  pass(up + 0.9 * back, -belt / 2, -0.03, -1)
  pass(up + back, -belt / 2, 0.0015, 1)
  body { name = "bar " .. k, motion = "kinematic", sensor = true, color = "orange", path = points,
         shape = box { size = { 0.13, 0.008, 0.003 } } }
end
plank("outer rail", { 0.012, belt, 0.06 }, along(0.806, 0, 0.01), turned)
plank("inner rail", { 0.012, belt - 0.19, 0.06 }, along(0.654, 0.095, 0.01), turned)
plank("foot stop", { 0.16, 0.012, 0.08 }, { 0.73, foot - 0.006, z0 })
-- The chute at the head slopes to the valley.
local chute = { axis = {0, 1, 0}, degrees = -7 }
plank("chute", { 0.17, 0.14, 0.012 }, { 0.735, head + 0.08, bottom(0) + 0.012 }, chute)
plank("chute back", { 0.17, 0.012, 0.07 }, { 0.735, head + 0.156, bottom(0) + 0.04 })
plank("chute side", { 0.012, 0.16, 0.09 }, { 0.816, head + 0.08, bottom(0) + 0.05 })

local marbles, v = {}, 0.35                       -- they roll already
for i = 1, count do
  local x, y = place(0.07 * (i + 1))
  marbles[i] = body { name = "marble " .. i, shape = sphere { radius = r }, material = "glass", pattern = "halves",
                      position = { x, y, bottom(0.07 * (i + 1)) + r + 3e-4 }, velocity = { -v, 0, -slope * v },
                      spin = { 0, -v / r, 0 } }
end

-- ---- laps ---------------------------------------------------------------------------------------

body { name = "gate", motion = "fixed", sensor = true, color = "gold", shape = box { size = { 0.004, 0.1, 0.06 } },
       position = { 0.60, 0.5, bottom(0.1) + 0.03 }, visible = false }
local run = state { lifted = 0, seen = {}, lap = false }
on_impact(marbles, "gate", function(world, impact)
  local before = run.seen[impact.a]
  run.lifted, run.lap = run.lifted + 1, before and impact.time - before or false
  run.seen[impact.a] = impact.time
end)
label { at = { -0.1, 0.66, 0.42 }, color = "gold", text = function()
  return ("lifted %d"):format(run.lifted) .. (run.lap and ("    the last lap took %.2f s"):format(run.lap) or "")
end }
measure("lifted", function() return run.lifted end, "marbles lifted")
measure("lap", function() return run.lap or nil end, "time of the last lap (s)")
