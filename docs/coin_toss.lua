-- A coin tossed straight up, spinning about a diameter, that lands on felt: Keller's toss (1986).
--
-- It starts level with heads up. While it flies, it turns by spin x time; it falls back to where it started after
-- 2 sqrt(2 h / g). Were it caught there, it would show heads whenever the cosine of its angle is positive: hyperbolae
-- in the plane of spin and speed. Here it lands instead, without a bounce, and tips over to one of its faces.
scene { title = "A coin toss", seconds = 4, camera = { eye = {0.2, -0.6, 0.3}, target = {0, 0, 0.1}, fov = 40 } }

local height = param("height", 0.3, 0.05, 0.6, "height of the toss (m)")
local spin = param("spin", 60, 0, 200, "spin (rad/s)")

material("felt", { friction = 1, restitution = 0, rolling = 2e-4, spinning = 2e-4 })
material("metal", { friction = 1, restitution = 0, density = 7800, rolling = 2e-4, spinning = 2e-4 })

local g, radius, thick = 9.81, 0.012, 0.0017
body { name = "table", shape = plane { normal = {0, 0, 1}, offset = -radius }, material = "felt" }
body { name = "coin", shape = cylinder { radius = radius, height = thick }, material = "metal", position = {0, 0, 0.002},
       velocity = {0, 0, math.sqrt(2 * g * height)}, spin = {0, spin, 0} }

measure("heads", function(world) return world:body("coin"):direction{0, 0, 1}[3] > 0 end, "heads, as simulated")
measure("Keller", function() return math.cos(spin * 2 * math.sqrt(2 * height / g)) > 0 end, "heads, when it is caught (Keller)")
