-- Sixty dominoes along a winding row.
--
-- Watch the wave: after a few dominoes it runs at a speed of its own, whatever the first push, since each domino
-- hits the next with the energy of its own fall. The closer they stand, the faster it goes; with a gap of half
-- their height it is about 1.5 sqrt(g h), here near 1 m/s. The pieces are of the usual size, 48 x 24 x 7.5 mm.
scene { title = "Dominoes", tab = "Games", order = 7, seconds = 4,
        camera = { eye = {0.02, -0.82, 0.60}, target = {0.03, -0.01, 0.0}, fov = 36 } }
camera("first", { eye = {-0.60, -0.30, 0.13}, target = {-0.3, -0.02, 0.02}, fov = 45 })

local count = math.floor(param("count", 60, 5, 100, "dominoes"))
local gap = param("gap", 24, 12, 40, "from one to the next (mm)") * 1e-3
local push = param("push", 3.0, 0.5, 20, "spin of the first (rad/s)")
local mu = param("friction", 0.25, 0.05, 1, "friction of domino on domino")

material("table", { friction = 0.6, restitution = 0.2 })
material("bone", { friction = mu, restitution = 0.3, density = 1750 })
contact("bone", "table", { friction = 0.6, restitution = 0.1 })

body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "table",
       color = {0.10, 0.28, 0.20}, pattern = "plain" }

-- A meander: its heading is a sine of the way along it, which bends it most evenly.
local height, wide, thick = 0.048, 0.024, 0.0075
local bend, wave = math.rad(86), 0.90        -- the largest heading, and the length of one wave (m)
local tile = box { size = {thick, wide, height} }
local length = gap * (count - 1)
local function heading(s) return bend * math.cos(2 * math.pi * (s - length / 2) / wave) end
-- Where the row is at s, from its middle: the sum of short steps.
local function at(s)
  local x, y, n = 0, 0, 200
  local ds = (s - length / 2) / n
  for i = 1, n do
    local h = heading(length / 2 + (i - 0.5) * ds)
    x, y = x + ds * math.cos(h), y + ds * math.sin(h)
  end
  return x, y
end
for i = 1, count do
  local s = (i - 1) * gap
  local x, y = at(s)
  local h = heading(s)
  local first = i == 1
  local nx, ny = math.cos(h), math.sin(h)
  body { name = "domino " .. i, shape = tile, material = "bone", position = { x, y, height / 2 },
         rotate = { axis = {0, 0, 1}, degrees = math.deg(h) },
         color = { 0.86, 0.82, 0.70 }, pattern = "domino", number = 10 * ((i * 4) % 7) + (i * 3) % 7,
         -- The first one starts to turn about its forward edge.
         velocity = first and { push * height / 2 * nx, push * height / 2 * ny, push * thick / 2 } or nil,
         spin = first and { -push * ny, push * nx, 0 } or nil }
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
