-- A row of dominoes along an S.
--
-- Watch the wave: after a few dominoes it runs at a speed of its own, whatever the first push, since each domino
-- hits the next with the energy of its own fall. The closer they stand, the faster it goes; with a gap of half
-- their height it is about 1.5 sqrt(g h), here near 1 m/s. The pieces are of the usual size, 48 x 24 x 7.5 mm.
scene { title = "Dominoes", tab = "Games", order = 7, seconds = 4,
        camera = { eye = {-0.06, -0.50, 0.28}, target = {0.0, 0.0, 0.0}, fov = 46 } }
camera("first", { eye = {-0.62, -0.42, 0.14}, target = {-0.3, 0.0, 0.02}, fov = 45 })

local count = math.floor(param("count", 28, 5, 50, "dominoes"))
local gap = param("gap", 24, 12, 40, "from one to the next (mm)") * 1e-3
local push = param("push", 3.0, 0.5, 20, "spin of the first (rad/s)")
local mu = param("friction", 0.25, 0.05, 1, "friction of domino on domino")

material("table", { friction = 0.6, restitution = 0.2 })
material("bone", { friction = mu, restitution = 0.3, density = 1750 })
contact("bone", "table", { friction = 0.6, restitution = 0.1 })

body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "table",
       color = {0.10, 0.28, 0.20}, pattern = "plain" }

-- Along y = width * sin(x / wave), in steps of `gap` along the curve.
local height, wide, thick = 0.048, 0.024, 0.0075
local width, wave = 0.13, 0.16
local tile = box { size = {thick, wide, height} }
local x = -0.5 * gap * count * 0.75
for i = 1, count do
  local y = width * math.sin(x / wave)
  local slope = width / wave * math.cos(x / wave)
  local heading = math.deg(math.atan(slope))
  local t = (i - 1) / math.max(1, count - 1)
  local first = i == 1
  local nx, ny = math.cos(math.rad(heading)), math.sin(math.rad(heading))
  body { name = "domino " .. i, shape = tile, material = "bone", position = { x, y, height / 2 },
         rotate = { axis = {0, 0, 1}, degrees = heading },
         color = { 0.85 - 0.75 * t, 0.25 + 0.35 * t, 0.15 + 0.65 * t }, pattern = "dots",
         -- The first one starts to turn about its forward edge.
         velocity = first and { push * height / 2 * nx, push * height / 2 * ny, push * thick / 2 } or nil,
         spin = first and { -push * ny, push * nx, 0 } or nil }
  x = x + gap / math.sqrt(1 + slope * slope)
end

measure("dominoes fallen", function(world)
  local fallen = 0
  for i = 1, count do
    if world:body("domino " .. i):direction{0, 0, 1}[3] < 0.8 then fallen = fallen + 1 end
  end
  return fallen
end)
-- Over the last third of the row, where the wave has found its speed.
measure("speed of the wave", function(world)
  local from = count - count // 3
  local t0 = world:first_impact("domino " .. from - 1, "domino " .. from)
  local t1 = world:first_impact("domino " .. count - 1, "domino " .. count)
  return t0 and t1 and (count - from) * gap / (t1 - t0)
end, "speed of the wave (m/s)")
