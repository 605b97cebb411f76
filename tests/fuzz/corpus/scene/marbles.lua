-- One marble rolls against a line of four. The last one rolls away, the others stay.
--
-- Watch the first marble stop dead and spin on the spot: the impact hands its speed down the line and leaves its spin
-- alone. With glass that is perfectly elastic (e = 1) the last marble leaves with exactly the speed of the first;
-- momentum and energy together leave no other way. With e below one each impact passes on (1 + e) / 2 of the speed,
-- and the line drifts apart. The last marble is frosted and grips the track: it slides until it rolls, with five
-- sevenths of the speed. Give the track friction and the spinning marble catches again and rolls after the
-- others: a rolling ball that has lost its speed gets two sevenths of it back from its spin.
scene { title = "Marbles", tab = "Impacts", order = 3, seconds = 5,
        camera = { eye = {0.08, -0.27, 0.09}, target = {0.05, 0, 0.006}, fov = 40 } }

local speed = param("speed", 0.25, 0.05, 2, "speed of the first marble (m/s)")
local e = param("restitution", 1.0, 0.5, 1, "restitution of glass on glass")
local mu = param("friction", 0, 0, 0.5, "friction of the track")
local gap = param("gap", 0, 0, 2, "gap between the marbles (mm)")

local radius = 0.008
material("glass", { friction = 0, restitution = e, density = 2500 })
material("frosted", { friction = 0, restitution = e, density = 2500 })
material("track", { friction = 0, restitution = 0.2 })
contact("glass", "track", { friction = mu })
contact("frosted", "track", { friction = 0.2 })

body { name = "track", motion = "fixed", shape = box { size = {2.0, 0.08, 0.02} }, position = {0.6, 0, -0.01},
       material = "track", color = {0.36, 0.22, 0.12}, pattern = "boards" }
local marble = sphere { radius = radius }
local colors = { {0.75, 0.08, 0.10}, {0.05, 0.35, 0.70}, {0.05, 0.50, 0.30}, {0.80, 0.55, 0.05}, {0.50, 0.12, 0.55} }
for i = 1, 5 do
  local first = i == 1
  body { name = "marble " .. i, shape = marble, material = i == 5 and "frosted" or "glass",
         color = colors[i], pattern = "halves",
         position = { first and -0.15 or (i - 2) * (2 * radius + gap * 1e-3), 0, radius },
         velocity = { first and speed or 0, 0, 0 }, spin = { 0, first and speed / radius or 0, 0 } }
end

measure("last marble", function(world) return world:first_impact("marble 4", "marble 5") end,
        "when the last marble is struck (s)")
measure("passed on", function(world) return world:body("marble 5").velocity[1] / speed end,
        "speed of the last marble / speed of the first")
