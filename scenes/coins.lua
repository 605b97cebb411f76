-- Eight coins tossed and rolled onto a table (Mirtich & Canny's demonstration of 1995: eight moving, five fixed
-- bodies, five seconds).
--
-- Watch how a coin that lands on its edge rolls, leans, and winds down: it wobbles faster and faster while it sinks,
-- as the point of contact runs around the rim ever quicker. The rails turn some of them back; others roll over the
-- far edge onto the floor. The coins are euros in size and mass.
scene { title = "Coins", tab = "Impacts", order = 2, seconds = 5,
        camera = { eye = {0.03, -0.37, 0.22}, target = {-0.005, 0.015, 0.022}, fov = 33 } }
camera("low", { eye = {0.34, -0.28, 0.10}, target = {0, 0, 0.02}, fov = 40 })

local speed = param("speed", 0.40, 0.1, 1.5, "speed of the rolling coins (m/s)")
local toss = param("toss", 0.12, 0.05, 0.8, "height of the toss (m)")
local flips = param("flips", 30, 0, 80, "spin of the tossed coins (rad/s)")
local draw = param("seed", 5, 1, 99, "another toss")

material("metal", { friction = 0.20, restitution = 0.55, density = 7800, rolling = 2e-5, spinning = 2e-5 })
material("wood", { friction = 0.35, restitution = 0.45, rolling = 2e-4, spinning = 2e-4 })

local function fixed(name, size, position, color, pattern)
  body { name = name, motion = "fixed", shape = box { size = size }, position = position, material = "wood",
         color = color, pattern = pattern }
end
fixed("table", {0.36, 0.30, 0.02}, {0, 0, -0.01}, {0.42, 0.25, 0.13}, "boards")
fixed("left rail", {0.01, 0.30, 0.012}, {-0.175, 0, 0.006}, {0.25, 0.14, 0.07})
fixed("right rail", {0.01, 0.30, 0.012}, {0.175, 0, 0.006}, {0.25, 0.14, 0.07})
body { name = "peg", motion = "fixed", shape = cylinder { radius = 0.008, height = 0.03 }, 
       position = {0.03, 0.05, 0.015},       material = "wood", color = {0.75, 0.70, 0.55} }
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = -0.12 }, material = "wood",
       color = {0.30, 0.32, 0.36}, pattern = "checker" }

-- Diameter and thickness in millimetres, mass in grams, colour.
local copper, gold, silver = {0.72, 0.36, 0.18}, {0.86, 0.66, 0.22}, {0.75, 0.75, 0.78}
local kinds = { { "2 euro", 25.75, 2.20, 8.50, silver }, { "1 euro", 23.25, 2.33, 7.50, gold },
                { "50 cent", 24.25, 2.38, 7.80, gold }, { "5 cent", 21.25, 1.67, 3.92, copper } }
for _, kind in ipairs(kinds) do kind.shape = cylinder { radius = kind[2] / 2000, height = kind[3] / 1000 } end

seed(math.floor(draw + 0.5))
for i = 1, 8 do
  local kind = kinds[(i - 1) % 4 + 1]
  local radius = kind[2] / 2000
  local coin = { name = kind[1] .. (i > 4 and " b" or " a"), shape = kind.shape, mass = kind[4] / 1000,
                 material = "metal", color = kind[5], pattern = i % 2 == 0 and "spokes" or "rings" }
  if i % 2 == 1 then
    -- On its edge, rolling in from the near side, leaning into a turn.
    local lean = (i % 4 == 1 and 1 or -1) * random(7, 13)
    local heading = 90 + random(-20, 20)
    local c, s = math.cos(math.rad(heading)), math.sin(math.rad(heading))
    local v = speed * random(0.8, 1.2)
    coin.position = { -0.105 + 0.03 * i, -0.13, radius + 0.002 }
    coin.rotate = { { axis = {1, 0, 0}, degrees = 90 + lean }, { axis = {0, 0, 1}, degrees = heading } }
    coin.velocity = { v * c, v * s, 0 }
    coin.spin = { -v / radius * s, v / radius * c, 0 }
  else
    -- Tossed up from just above the table, flipping.
    coin.position = { 0.12 - 0.03 * i, random(-0.06, 0.06), 0.02 + 0.012 * i }
    coin.rotate = { axis = { random(), random(), 1 }, degrees = random(0, 180) }
    coin.velocity = { random(-0.15, 0.15), random(-0.1, 0.2), math.sqrt(2 * 9.81 * toss) * random(0.9, 1.1) }
    coin.spin = { flips * random(0.6, 1.4), random(-5, 5), random(-10, 10) }
  end
  body(coin)
end

measure("heads", function(world)
  local heads = 0
  for _, b in ipairs(world:bodies()) do
    if b.motion == "dynamic" and b:direction{0, 0, 1}[3] > 0 then heads = heads + 1 end
  end
  return heads
end, "coins with heads up")
measure("on the table", function(world)
  local count = 0
  for _, b in ipairs(world:bodies()) do
    if b.motion == "dynamic" and b.center[3] > 0 then count = count + 1 end
  end
  return count
end, "coins on the table")
