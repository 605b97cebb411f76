-- One marble falls through eight rows of pegs into a bin.
--
-- At each peg it goes left or right. If these choices were fair and did not know of each other, the bins would fill
-- as the binomial distribution: 1, 8, 28, 56, 70, 56, 28, 8, 1 of 256.
scene { title = "One marble on a Galton board", seconds = 4,
        camera = { eye = {0, -0.6, 0.1}, target = {0, 0, 0.08}, fov = 35 } }

local draw = param("draw", 1, 1, 1e6, "which marble")
local e = param("restitution", 0.3, 0, 0.9, "restitution")

local rows, pitch, drop, radius, peg = 8, 0.017, 0.015, 0.005, 0.0015
material("glass", { friction = 0, restitution = e, density = 2500 })
body { name = "floor", shape = plane { normal = {0, 0, 1}, offset = -0.02 }, material = "glass" }
body { name = "back", shape = plane { normal = {0, -1, 0}, offset = -0.0058 }, material = "glass" }
body { name = "front", shape = plane { normal = {0, 1, 0}, offset = -0.0058 }, material = "glass", visible = false }

local pin = cylinder { radius = peg, height = 0.0112 }
for row = 1, rows do
  for i = -rows, rows do
    local x = (i + (row % 2 == 1 and 0 or 0.5)) * pitch
    body { name = "peg " .. row .. "." .. i, motion = "fixed", shape = pin, material = "glass",
           position = { x, 0, (rows - row + 1) * drop }, rotate = { axis = {1, 0, 0}, degrees = 90 } }
  end
end

seed(draw)
body { name = "marble", shape = sphere { radius = radius }, material = "glass", color = "#c02020",
       position = { random(-0.003, 0.003), random(-3e-4, 3e-4), (rows + 2) * drop } }

-- From the left, 0 to 8, where the marble leaves the last row.
measure("bin", function(world)
  local time, place = world:first_impact("marble", "floor")
  return time and math.floor(place[1] / pitch + rows / 2 + 0.5)
end, "bin, from the left")
