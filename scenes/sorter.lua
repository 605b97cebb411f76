-- A sorter of parcels: a conveyor picks them up, an arm on a path sends every second one aside, sensors count.
--
-- A parcel that is put on the moving belt slips at first and gains speed by friction alone, at mu g, until it rides: it has
-- slipped for v/(mu g) seconds and lost half of its way to the belt. So all of them pass the first gate at a time that
-- can be computed, d/v + v/(2 mu g), whatever their size. The arm knows nothing of parcels; it swings when one is due.
scene { title = "Parcel sorter", tab = "Machines", order = 20, seconds = 12,
        camera = { eye = {2.2, -3.4, 2.2}, target = {-0.2, 0.3, 0}, fov = 42 } }

local v = param("speed", 0.8, 0.4, 1.2, "speed of the belt (m/s)")
local mu = param("friction", 0.5, 0.2, 0.9, "friction of the belt")
local count = math.floor(param("parcels", 6, 2, 8, "parcels"))

local gap, gate, arm = 0.7, 0.2, 1.0           -- between parcels; where the gate and the arm are, m
local first = gate - 0.6                       -- where the front of the first parcel starts

material("belt", { friction = mu, restitution = 0.1 })
material("steel", { friction = 0.3, restitution = 0.2 })

body { name = "belt", motion = "fixed", shape = box { size = {9, 0.7, 0.1} }, position = {-2.5, 0, -0.05},
       material = "belt", color = "#404448", pattern = "boards", surface_velocity = {v, 0, 0} }
body { name = "floor", shape = plane { normal = {0, 0, 1}, offset = -0.6 }, color = "tan", pattern = "checker" }
for side = -1, 1, 2 do
  body { name = side < 0 and "near leg" or "far leg", motion = "fixed", shape = box { size = {8, 0.05, 0.45} },
         position = {-2.5, 0.25 * side, -0.35}, material = "steel", color = "steel" }
end

-- Every second parcel is tall and red; all are as wide, so that the arm meets them in the same way.
for i = 1, count do
  local size = i % 2 == 0 and {0.2, 0.2, 0.26} or {0.2, 0.2, 0.14}
  body { name = "parcel " .. i, shape = box { size = size }, density = 200, material = "belt",
         position = { first - 0.1 - gap * (i - 1), 0, size[3] / 2 }, color = i % 2 == 0 and "red" or "wood" }
end

-- The gates see; they touch nothing.
local function sensor(name, size, at)
  body { name = name, motion = "fixed", sensor = true, shape = box { size = size }, position = at, color = "gold", visible = false }
end
sensor("gate", {0.02, 0.6, 0.5}, {gate + 0.01, 0, 0.26})
sensor("end", {0.02, 0.6, 0.5}, {1.9, 0, 0.26})
sensor("bin", {2, 1.2, 0.4}, {1.4, 1.1, -0.35})

-- The arm: forwards and back, once for two parcels; it begins when the second one is before it.
local slip = v / (2 * mu * 9.81)
local due = slip + (arm - (first - 0.1) + gap) / v
local rest, out, period = {arm, -0.56, 0.2}, {arm, 0.16, 0.2}, 2 * gap / v
body { name = "arm", motion = "kinematic", shape = box { size = {0.24, 0.3, 0.1} }, position = rest, material = "steel", color = "orange",
       path = { { time = due - 0.2, position = rest }, { time = due + 0.12, position = out }, { time = due + 0.5, position = rest },
                { time = due - 0.2 + period, position = rest }, loop = true } }

measure("through the gate", function(world) return world:impacts("gate") end)
measure("kept", function(world) return world:impacts("end") end)
measure("sent aside", function(world) return world:impacts("bin") end)
