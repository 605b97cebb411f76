-- The rattleback, or celt: a boat that likes to spin one way only.
--
-- Spun the wrong way it slows down, begins to rattle, stops, and spins back; spun the right way, it just spins. No law
-- is broken: the axes of its mass are turned by a few degrees against the axes of its curved belly, and friction
-- couples spinning to rocking. One sense of spin feeds the rocking along its length until it is used
-- up, and the rocking then drives the spin the other way (Walker 1896). Turn the skew to the other side, and it
-- prefers the other sense; without skew it has no preference.
scene { title = "Rattleback", tab = "Rolling and spinning", order = 14, seconds = 12,
        camera = { eye = {0.10, -0.30, 0.19}, target = {0, 0, 0.01}, fov = 34 } }
camera("along", { eye = {0.34, -0.04, 0.09}, target = {0, 0, 0.015}, fov = 30 })

local spin = param("spin", -6, -12, 12, "spin (rad/s)")
local skew = param("skew", 3.5, -15, 15, "skew of the mass against the shape (degrees)")
local rock = param("rock", 0.5, 0, 5, "rocking at the start (degrees)")
local resistance = param("resistance", 0.0, 0, 0.2, "resistance to spinning (mm)") * 1e-3

material("table", { friction = 1.0, restitution = 0.1 })
material("celt", { friction = 1.0, restitution = 0.1 })
contact("celt", "table", { spinning = resistance })

body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "table",
       color = {0.35, 0.24, 0.16}, pattern = "boards" }

-- The mass of the lower half of an ellipsoid of 15 x 4 x 4 cm: centre 3/8 of the depth below the middle. Seen from
-- above, its principal axes are turned by the skew.
local a, b, c, m = 0.075, 0.020, 0.020, 0.075
local low = 3 / 8 * c
local along, across = m * ((b * b + c * c) / 5 - low * low), m * ((a * a + c * c) / 5 - low * low)
local up = m * (a * a + b * b) / 5
local cs, sn = math.cos(math.rad(skew)), math.sin(math.rad(skew))
local tip = math.rad(rock)
body { name = "celt", shape = ellipsoid { radii = {a, b, c} }, mass = m, center = {0, 0, -low},
       inertia = { along * cs * cs + across * sn * sn, along * sn * sn + across * cs * cs, up,
                   (along - across) * cs * sn, 0, 0 },
       position = {0, 0, math.sqrt((a * math.sin(tip)) ^ 2 + (c * math.cos(tip)) ^ 2)},
       rotate = { axis = {0, 1, 0}, degrees = rock }, spin = {0, 0, spin},
       material = "celt", color = {0.16, 0.42, 0.45}, pattern = "stripe" }

sample("spin", function(world) return world:body("celt").spin[3] end)
measure("reversals", function(world)
  local count, last = 0, spin
  for _, s in ipairs(world:samples("spin")) do
    if math.abs(s) > 0.05 and s * last < 0 then count, last = count + 1, s end
  end
  return count
end, "reversals of the spin")
measure("spin in the end", function(world) return world:body("celt").spin[3] end, "spin in the end (rad/s)")
