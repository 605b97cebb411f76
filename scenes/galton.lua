-- A Galton board: marbles fall through rows of pegs into bins.
--
-- At each row a marble goes left or right, as if by the toss of a coin; after n rows the bins fill to a bell curve, the
-- binomial distribution, with a standard deviation of sqrt(n)/2 peg spacings. Two lines of marbles roll in from the
-- sides, so that they arrive one by one. With bouncier marbles a step is no longer a coin toss of one peg, and
-- the bell spreads.
scene { title = "Galton board", tab = "Impacts", order = 10, seconds = 11,
        camera = { eye = {0.02, -0.80, 0.23}, target = {0, 0, 0.205}, fov = 32 } }

local rows = math.floor(param("rows", 10, 4, 14, "rows of pegs"))
local count = math.floor(param("marbles", 80, 10, 160, "marbles"))
local e = param("restitution", 0.3, 0, 0.9, "restitution")
local draw = param("seed", 1, 1, 99, "another run")
local first = param("first", 1, -1, 1, "side of the first marble") < 0 and -1 or 1

local radius, peg, pitch, drop = 0.005, 0.0015, 0.017, 0.015
local bins = rows + 5
local half = bins * pitch / 2
local bottom, tall = 0, 0.20                       -- of the bins
local top = bottom + tall + 0.012 + rows * drop    -- of the first row
local shelf = top + 0.05

material("glass", { friction = 0, restitution = e, density = 2500, rolling = 2e-5, spinning = 2e-5 })
material("brass", { friction = 0, restitution = e })
material("rail", { friction = 0.3, restitution = 0.1 })
contact("glass", "rail", { friction = 0.3, restitution = 0.1, rolling = 0, spinning = 0 })

local function block(name, x0, x1, z0, z1, look)
  local y0, y1 = look.y0 or -0.0057, look.y1 or 0.0057
  body { name = name, motion = "fixed", shape = box { size = { x1 - x0, y1 - y0, z1 - z0 } },
         position = { (x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2 }, material = look.material or "brass",
         color = look.color or {0.45, 0.30, 0.16}, visible = look.visible }
end
-- The board, and a glass pane in front that is not drawn.
block("board", -half, half, bottom - 0.01, top + 0.02, { y0 = 0.0058, y1 = 0.016, color = {0.80, 0.74, 0.62} })
block("pane", -half, half, bottom - 0.01, top + 0.02, { y0 = -0.016, y1 = -0.0058, visible = false })
block("floor", -half, half, bottom - 0.01, bottom, {})
for side = -1, 1, 2 do
  local name = side < 0 and "left" or "right"
  local function span(a, b) return math.min(side * a, side * b), math.max(side * a, side * b) end
  local x0, x1 = span(half, half + 0.008)
  block(name .. " wall", x0, x1, bottom - 0.01, top + 0.02, {})
  x0, x1 = span(0.008, 0.02 + count * 0.5 * 0.0125)
  block(name .. " shelf", x0, x1, shelf - 0.012, shelf, { material = "rail", color = {0.30, 0.20, 0.12} })
  x0, x1 = span(0.008, 0.012)
  block(name .. " spout", x0, x1, top + 0.012, shelf - 0.0121, {})
end
for i = 1, bins - 1 do
  local x = -half + i * pitch
  block("divider " .. i, x - 0.0006, x + 0.0006, bottom + 1e-5, bottom + tall, { color = {0.55, 0.42, 0.25} })
end

-- Pegs in every row right across, shifted by half a pitch from row to row; the last row stands above the dividers.
local pin = cylinder { radius = peg, height = 0.0112 }
for row = 1, rows do
  local shift = (rows - row) % 2 == 0 and 0 or 0.5
  for i = 1, bins - 1 do
    local x = -half + (i - shift) * pitch
    if x > -half + 2 * peg then
      body { name = "peg " .. row .. "." .. i, motion = "fixed", shape = pin, material = "brass", color = {0.16, 0.09, 0.04},
             position = { x, 0, top - (row - 1) * drop }, rotate = { axis = {1, 0, 0}, degrees = 90 } }
    end
  end
end

seed(math.floor(draw + 0.5))
local marble = sphere { radius = radius }
local colors = { {0.75, 0.08, 0.08}, {0.08, 0.30, 0.70}, {0.10, 0.50, 0.20}, {0.85, 0.55, 0.05}, {0.50, 0.10, 0.55} }
local spacing = 0.0122
for i = 1, count do
  local side = i % 2 == 0 and -first or first
  local speed = 0.10 * (1 + random(-0.003, 0.003)) -- equal marbles of equal speed would all fall the same way
  local x = 0.012 + (i - 1) * spacing / 2 + random(0, 0.0004)
  body { name = "marble " .. i, shape = marble, material = "glass", color = colors[i % 5 + 1], pattern = "halves",
         position = { side * x, random(-3e-4, 3e-4), shelf + radius }, velocity = { -side * speed, 0, 0 },
         spin = { 0, -side * speed / radius, 0 } }
end

-- Bins count from the middle; a marble that is not in a bin yet does not count.
local function bin(marble)
  local p = marble.position
  return p[3] < bottom + tall and math.floor(p[1] / pitch + bins / 2) - (bins - 1) / 2 or nil
end
local function moment(world, power, middle)
  local sum, n = 0, 0
  for i = 1, count do
    local b = bin(world:body("marble " .. i))
    if b then sum, n = sum + (b - middle) ^ power, n + 1 end
  end
  return n > 0 and sum / n or nil
end
measure("bin of marble 1", function(world) return bin(world:body("marble 1")) end, "bin of the first marble")
measure("mean bin", function(world) return moment(world, 1, 0) end, "mean of the bins")
measure("spread", function(world)
  local mean = moment(world, 1, 0)
  return mean and math.sqrt(moment(world, 2, mean))
end, "standard deviation of the bins (binomial: sqrt(rows)/2)")

-- What is expected: the normal curve with the binomial's spread. In a bin marbles lie in two staggered columns.
local inner = pitch - 0.0012 - 2 * radius
local rise = math.sqrt(4 * radius ^ 2 - inner ^ 2)
local sigma = math.sqrt(rows) / 2
local curve_points = {}
for i = 0, 60 do
  local k = (i / 60 - 0.5) * bins
  local share = math.exp(-0.5 * (k / sigma) ^ 2) / (sigma * math.sqrt(2 * math.pi))
  curve_points[i + 1] = { k * pitch, -0.0062, bottom + 0.003 + count * share * rise }
end
curve { points = curve_points, color = {0.9, 0.12, 0.05}, width = 3 }
label { at = { 0, -0.0062, bottom + 0.02 + count * rise / (sigma * math.sqrt(2 * math.pi)) }, text = "expected" }
