-- Eight tosses of a cube on a table, as they were measured and as they are simulated.
--
-- The solid cube is simulated from the state in which the camera saw it just before it touched the table; the
-- translucent one is where it was seen 148 times a second (Pfrommer, Halm & Posa 2020). The first tosses agree to
-- a few per cent of the edge until the cube lies still. In the last ones a corner catches a little earlier or later,
-- and the cube ends on another face: tosses are chaotic, and friction and restitution are no constants of a table.
-- The panel says how far apart the two are. docs/validation.md has all 285 tosses, beside other engines.
scene { title = "Toss", tab = "Impacts", order = 15, seconds = 0.8 }

local which = math.floor(param("toss", 1, 1, 8, "which toss (1 to 8)") + 0.5)
local mu = param("friction", 0.18, 0, 1, "friction")
local e = param("e", 0.125, 0, 1, "restitution")

local tosses = {
  { at = {0, 0, 0.09423}, turn = {-0.54337, 0.04586, 0.65783, 0.51951},
    velocity = {0.15237, -1.01324, -0.84373}, spin = {2.1865, -0.2791, -0.6190}, to = {0.00, -0.23} },
  { at = {0, 0, 0.09742}, turn = {-0.57744, -0.04553, -0.81471, 0.02721},
    velocity = {0.42186, 1.05506, -1.01634}, spin = {-2.5216, -1.0162, -0.8325}, to = {0.08, 0.27} },
  { at = {0, 0, 0.09260}, turn = {0.08356, -0.55253, 0.21897, -0.79986},
    velocity = {-0.71212, -0.78562, -0.75475}, spin = {4.9450, -3.1321, -0.1008}, to = {-0.16, -0.22} },
  { at = {0, 0, 0.09513}, turn = {0.05784, -0.11211, -0.18533, -0.97455},
    velocity = {0.23513, 1.07817, -0.84081}, spin = {-4.4645, -0.0577, 0.1705}, to = {0.04, 0.28} },
  { at = {0, 0, 0.09515}, turn = {0.29735, -0.33611, 0.85463, -0.26118},
    velocity = {-0.19501, 1.15522, -0.95364}, spin = {-6.0002, -0.1579, -0.3599}, to = {-0.04, 0.35} },
  { at = {0, 0, 0.09438}, turn = {-0.25603, -0.31279, 0.61229, -0.67950},
    velocity = {-1.00213, 0.26799, -0.80375}, spin = {0.4144, -8.3283, 0.2806}, to = {-0.31, 0.03} },
  { at = {0, 0, 0.09106}, turn = {0.22976, 0.17333, 0.82683, -0.48324},
    velocity = {-0.46558, -0.93702, -1.06487}, spin = {4.2959, -3.0311, -1.3664}, to = {-0.10, -0.24} },
  { at = {0, 0, 0.09451}, turn = {0.06601, -0.29366, 0.38542, -0.87227},
    velocity = {1.07118, -0.36113, -0.83293}, spin = {2.4466, 4.7874, 0.0320}, to = {0.35, -0.20} },
}
local t = tosses[which]
-- from the side of the way that it takes, the one with the sun
local x, y = t.to[1], t.to[2]
local far = (0.48 * y - 0.44 * x >= 0 and 0.6 or -0.6) / math.sqrt(x^2 + y^2)
camera("side", { eye = { 0.5 * x - far * y, 0.5 * y + far * x, 0.28 }, target = { 0.5 * x, 0.5 * y, 0.05 }, fov = 30 })

material("acrylic", { friction = mu, restitution = e })
body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "acrylic",
       color = {0.42, 0.38, 0.33} }
-- 0.1048 m, 0.37 kg, and its moments of inertia as the authors give them
body { name = "cube", shape = box { size = {0.1048, 0.1048, 0.1048} }, mass = 0.37,
       inertia = {0.00081, 0.00081, 0.00081}, material = "acrylic", position = t.at, orientation = t.turn,
       velocity = t.velocity, spin = t.spin, color = {0.80, 0.22, 0.12}, pattern = "checker" }
ghost(string.format("toss/%d.csv", which))

measure("way", function(world)
  local p = world:body("cube").center
  return math.sqrt(p[1] ^ 2 + p[2] ^ 2)
end, "how far the cube came (m)")
-- Where the face +z of the cube ends: 1 above, 0 on a side, -1 below.
measure("face", function(world)
  local up = world:body("cube"):direction{0, 0, 1}[3]
  return up > 0.7 and 1 or up < -0.7 and -1 or 0
end, "the face +z: 1 above, 0 on a side, -1 below")
