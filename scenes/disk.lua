-- Euler's disk: a heavy steel disk that rolls around on its edge, ever flatter and ever faster.
--
-- Watch the tilt go down while the point of contact runs around the rim quicker and quicker, until the disk stops all
-- at once: with a tilt t from the table it goes round at a rate of nearly sqrt(4 g / (a sin t)), which grows without bound as the disk
-- sinks. The picture on its face turns only slowly meanwhile. A small resistance to rolling decides how long it
-- takes: the tilt goes to zero in finite time, as the square of the time left (Moffatt 2000 on a cause of it).
scene { title = "Euler's disk", tab = "Rolling and spinning", order = 13, seconds = 20,
        camera = { eye = {0.075, -0.20, 0.115}, target = {0, 0, 0.012}, fov = 34 }, show = {"contacts"} }

local tilt = param("tilt", 25, 2, 70, "tilt at the start (degrees)")
local resistance = param("resistance", 0.12, 0, 1, "rolling resistance (mm)") * 1e-3
local mu = param("friction", 0.8, 0.1, 2, "friction")

local a, h, m, g = 0.0375, 0.0127, 0.44, 9.81
material("glass", { friction = mu, restitution = 0.1 })
material("steel", { friction = mu, restitution = 0.1, density = 7800 })
contact("steel", "glass", { friction = mu, restitution = 0.1, rolling = resistance })

body { name = "base", motion = "fixed", shape = cylinder { radius = 0.12, height = 0.01 }, position = {0, 0, -0.005},
       material = "glass",       color = {0.12, 0.14, 0.18}, pattern = "rings" }
body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = -0.011 }, material = "glass",
       color = {0.42, 0.30, 0.20}, pattern = "boards" }

-- Steady rolling with the centre at rest. With the axis at (sin t, 0, cos t) the contact lies (x, 0, -z) from the
-- centre; rolling makes the spin -rate x / a along the axis beside the precession; gravity's torque m g x turns the angular momentum.
local t = math.rad(tilt)
local c, s = math.cos(t), math.sin(t)
local x, z = a * c - h / 2 * s, a * s + h / 2 * c
local i1, i3 = m * (3 * a * a + h * h) / 12, m * a * a / 2
local rate = math.sqrt(m * g * x / (s * (i1 * c - i3 * h / (2 * a) * s)))
local own = -rate * x / a
body { name = "disk", shape = cylinder { radius = a, height = h }, mass = m, material = "steel", position = {0, 0, z},
       rotate = { axis = {0, 1, 0}, degrees = tilt }, spin = { own * s, 0, rate + own * c },
       color = {0.70, 0.72, 0.76}, pattern = "spokes" }

measure("time to rest", function(world) return world:rest_time() end, "time until the disk rests (s)")
measure("final tilt", function(world)
  return math.deg(math.acos(math.min(1, math.abs(world:body("disk"):direction{0, 0, 1}[3]))))
end, "tilt in the end (degrees)")
