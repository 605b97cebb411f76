-- Balls on a spinning platter roll in circles, and not about the platter's axis.
--
-- Watch the steel balls: each rolls around a centre of its own, which depends only on how it was started, and the
-- circle neither grows nor drifts. All solid balls go round at 2/7 of the platter's rate, whatever their size, mass,
-- or the size of the circle; a hollow ball goes round at 2/5 of it. (Friction at the contact turns the momentum of
-- the ball as a magnetic field turns a charge.) A program with a coarse time step sends them spiralling outwards.
scene { title = "Ball on a platter", tab = "Rolling and spinning", order = 4, seconds = 30,
        camera = { eye = {0.55, -1.45, 1.5}, target = {0, -0.02, 0}, fov = 42 }, show = {"trails"} }
camera("above", { eye = {0, -0.01, 2.6}, target = {0, 0, 0}, fov = 45 })

local omega = param("omega", 3.0, 0.5, 10, "speed of the platter (rad/s)")
local offset = param("offset", 0.20, 0, 0.5, "centre of the circle, from the axis (m)")
local circle = param("circle", 0.25, 0.05, 0.5, "radius of the circle (m)")
local mu = param("friction", 1.0, 0.05, 2, "friction")

material("steel", { friction = mu, restitution = 0.2, density = 7800 })
material("rubber", { friction = mu, restitution = 0.2, density = 1100 })

body { name = "platter", motion = "kinematic", shape = cylinder { radius = 1.0, height = 0.05 }, position = {0, 0, -0.025},
       spin = {0, 0, omega}, material = "rubber", color = {0.17, 0.18, 0.22}, pattern = "spokes" }
body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = -0.5 }, material = "steel",
       color = {0.34, 0.30, 0.27}, pattern = "checker" }

-- A ball that rolls at once: the contact point moves with the platter, v + spin x (-R z) = omega z x r.
-- share is the part of the platter's rate at which it goes round: I / (I + m R^2).
local function ball(name, radius, share, center, start, look)
  local rate = share * omega
  local x, y = center[1] + start[1], center[2] + start[2]
  local vx, vy = -rate * start[2], rate * start[1]
  body { name = name, shape = sphere { radius = radius, hollow = look.hollow }, position = {x, y, radius},
         velocity = {vx, vy, 0}, spin = { (omega * x - vy) / radius, (vx + omega * y) / radius, 0 },
         material = "steel", mass = look.mass, color = look.color, pattern = look.pattern }
end
ball("ball", 0.05, 2 / 7, {offset, 0}, {circle, 0},
     { mass = 4.08, color = {0.75, 0.22, 0.12}, pattern = "halves" })
ball("small ball", 0.03, 2 / 7, {-0.45, 0.25}, {0, 0.18},
     { mass = 0.88, color = {0.85, 0.60, 0.12}, pattern = "halves" })
ball("hollow ball", 0.05, 2 / 5, {-0.15, -0.55}, {0.15, 0},
     { mass = 0.05, hollow = true, color = {0.15, 0.40, 0.75}, pattern = "stripe" })

-- The distance of the ball from the centre of its circle, after five turns of the platter.
sample("radius", function(world)
  local p = world:body("ball").center
  return math.sqrt((p[1] - offset) ^ 2 + p[2] ^ 2)
end)
measure("radius after five turns", function(world)
  local radii, times = world:samples("radius"), world:sample_times()
  for i, t in ipairs(times) do
    if t >= 10 * math.pi / omega then return radii[i] / circle end
  end
  return nil
end, "radius after five turns of the platter / at the start")
label { body = "ball", at = {0, 0, 0.13}, text = "solid: 2/7 of the platter's rate" }
label { body = "small ball", at = {0, 0, 0.11}, text = "small: 2/7 too" }
label { body = "hollow ball", at = {0, 0, 0.13}, text = "hollow: 2/5" }
