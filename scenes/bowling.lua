-- A regulation lane, a ball with side spin, ten pins.
--
-- Watch the ball slide on the oil with hardly any change of course, bite where the oil ends, and hook into the
-- pocket beside the head pin. While it slides, friction pulls against the motion of the contact point, which side
-- spin carries sideways: the path bends into a parabola. Once it rolls, it runs straight.
-- A ball in the pocket, at about six degrees, takes the pins down through one another; one that comes straight at
-- the head pin leaves splits. Move the aim by a tenth of a degree, or take the spin away, and see what stands.
scene { title = "Bowling", tab = "Games", order = 1, seconds = 8,
        camera = { eye = {-2.3, -0.55, 1.15}, target = {1.9, -0.15, 0.0}, fov = 42, follow = "ball" },
        show = {"trails"} }
camera("pins", { eye = {15.9, -0.75, 1.0}, target = {18.7, 0.03, 0.1}, fov = 36 })
camera("bowler", { eye = {-2.6, 0.0, 1.6}, target = {18.3, 0, 0}, fov = 20 })
camera("above", { eye = {17.6, 0, 4.2}, target = {18.7, 0, 0}, fov = 32 })

local speed = param("speed", 8.0, 4, 12, "speed of the ball (m/s)")
local spin = param("spin", 30, -50, 50, "side spin, to the left (rad/s)")
local start = param("start", -0.15, -0.4, 0.4, "where it starts, from the middle (m)")
local aim = param("aim", -3.29, -4, 4, "aim, to the left (degrees)")
local oil = param("oil", 12.19, 0, 18, "length of the oil (m)")

local inch, foot, pound = 0.0254, 0.3048, 0.45359237
local head = 60 * foot                       -- from the foul line to the head pin
local deck = head + 34.19 * inch             -- where the lane ends
local half = 0.5 * 41.5 * inch               -- of its width
local gutter = 9.25 * inch

material("oil", { friction = 0.04, restitution = 0.3 })
material("boards", { friction = 0.20, restitution = 0.3 })
material("pit", { friction = 0.6, restitution = 0.1, rolling = 0.004, spinning = 0.004 })
material("ball", { friction = 0.2, restitution = 0.7, density = 1300 })
material("pin", { friction = 0.25, restitution = 0.65, density = 700 })
contact("ball", "oil", { friction = 0.04 })
contact("ball", "boards", { friction = 0.20 })
contact("ball", "pin", { friction = 0.12, restitution = 0.7 })
contact("pin", "boards", { friction = 0.35, restitution = 0.4 })

-- A fixed box from one corner to the other.
local function block(name, lo, hi, look)
  local size, middle = {}, {}
  for i = 1, 3 do size[i], middle[i] = hi[i] - lo[i], 0.5 * (hi[i] + lo[i]) end
  body { name = name, motion = "fixed", shape = box { size = size }, position = middle,
         material = look.material, color = look.color, pattern = look.pattern }
end

local wood = {0.76, 0.53, 0.28}
block("oiled boards", {-4.5, -half, -0.30}, {oil, half, 0},
      { material = "oil", color = {0.80, 0.60, 0.36}, pattern = "boards" })
block("dry boards", {oil, -half, -0.30}, {deck, half, 0}, { material = "boards", color = wood, pattern = "boards" })
for side = -1, 1, 2 do
  local name = side < 0 and "right" or "left"
  local a, b = side * (half + 1e-4), side * (half + gutter)
  block(name .. " gutter", {-4.5, math.min(a, b), -0.30}, {deck, math.max(a, b), -1.875 * inch},
        { material = "boards", color = {0.16, 0.16, 0.18} })
  local c, d = side * (half + gutter + 1e-4), side * (half + gutter + 0.06)
  block(name .. " kickback", {head - 0.4, math.min(c, d), -0.30}, {deck + 1.1, math.max(c, d), 0.55},
        { material = "pit", color = {0.20, 0.22, 0.30} })
end
block("pit", {deck + 1e-4, -half - gutter, -0.30}, {deck + 1.1, half + gutter, -0.20},
      { material = "pit", color = {0.10, 0.10, 0.11} })
block("cushion", {deck + 1.02, -half - gutter, -0.1999}, {deck + 1.1, half + gutter, 0.6},
      { material = "pit", color = {0.13, 0.12, 0.16} })

-- The official profile: diameter at each height, in inches; the neck with two points less.
local profile = { {2.031, 0}, {2.828, 0.75}, {3.906, 2.25}, {4.510, 3.375}, {4.766, 4.5}, {4.563, 5.875}, {3.703, 7.25},
                  {2.472, 8.625}, {1.797, 10}, {2.094, 11.75}, {2.406, 12.625}, {2.547, 13.5}, {2.36, 14.2}, {1.85, 14.6},
                  {1.2, 14.85}, {0, 15} }
local points = {}
for i, p in ipairs(profile) do points[i] = { 0.5 * p[1] * inch, p[2] * inch } end
local pin = lathe { profile = points }

local number = 1
for row = 0, 3 do
  for i = 0, row do
    body { name = "pin " .. number, shape = pin, mass = 1.55, material = "pin", color = {0.93, 0.92, 0.88},
           pattern = "pin", position = { head + row * 12 * inch * math.sqrt(3) / 2, (i - row / 2) * -12 * inch, 0 } }
    number = number + 1
  end
end

local radius, angle = 0.5 * 8.5 * inch, math.rad(aim)
body { name = "ball", shape = sphere { radius = radius }, mass = 15 * pound, material = "ball",
       position = { 0, start, radius }, velocity = { speed * math.cos(angle), speed * math.sin(angle), 0 },
       spin = { -spin, 0.7 * speed / radius, 0 }, color = {0.10, 0.13, 0.45}, pattern = "halves", trail = true }

measure("pins down", function(world)
  local down = 0
  for i = 1, 10 do
    local pin = world:body("pin " .. i)
    if pin:direction{0, 0, 1}[3] < 0.9 or pin.position[3] < -0.05 then down = down + 1 end
  end
  return down
end)
measure("pocket", function(world)
  local time, place = world:first_impact("ball", "pin 1")
  return time and 1000 * place[2]
end, "where the ball strikes the head pin, from its middle (mm)")
