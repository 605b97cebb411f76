-- A gas of hard elastic spheres in a box, without gravity.
--
-- All spheres start at the same speed, red on the left and blue on the right. Within a second or two the colours mix,
-- and the speeds spread into Maxwell's distribution: mean of v^4 = 5/3 of (mean of v^2)^2, while the total energy stays
-- what it was to twelve digits, for nothing is lost in an impact and nothing happens between two. Make some of the spheres heavy: they
-- end up slow, with the same mean energy as the light ones (equipartition).
scene { title = "Elastic gas", tab = "Impacts", order = 11, seconds = 15, gravity = {0, 0, 0},
        camera = { eye = {0.85, -1.95, 0.75}, target = {0.06, 0, -0.02}, fov = 38 } }

local side = math.floor(param("side", 7, 3, 12, "spheres along an edge"))
local speed = param("speed", 1.5, 0.1, 5, "speed of each at the start (m/s)")
local radius = param("radius", 2.5, 1, 4, "radius (cm)") * 1e-2
local ratio = param("ratio", 1, 1, 20, "mass of the blue ones / mass of the red ones")

material("ideal", { friction = 0, restitution = 1 })

local half = 0.5
for axis = 1, 3 do
  for sign = -1, 1, 2 do
    local normal = {0, 0, 0}
    normal[axis] = -sign
    body { name = "wall " .. ("xyz"):sub(axis, axis) .. (sign < 0 and "-" or "+"), material = "ideal",
           shape = plane { normal = normal, offset = -half },
           visible = false }
  end
end

seed(11)
local ball = sphere { radius = radius }
local pitch, n = 2 * half / side, 0
for i = 1, side do
  for j = 1, side do
    for k = 1, side do
      local z = random(-1, 1)
      local phi, s = random(0, 2 * math.pi), math.sqrt(1 - z * z)
      local red = i <= side / 2
      local v = red and speed or speed / math.sqrt(ratio)
      n = n + 1
      body { name = (red and "red " or "blue ") .. n, shape = ball, material = "ideal", mass = red and 0.01 or 0.01 * ratio,
             position = { (i - 0.5) * pitch - half, (j - 0.5) * pitch - half, (k - 0.5) * pitch - half },
             velocity = { v * s * math.cos(phi), v * s * math.sin(phi), v * z },
             color = red and {0.80, 0.12, 0.10} or {0.10, 0.25, 0.75} }
    end
  end
end

-- 1 when all have the same speed, 5/3 for the distribution of Maxwell (all of one mass).
measure("flatness", function(world)
  local v2, v4, n = 0, 0, 0
  for _, b in ipairs(world:bodies()) do
    if b.motion == "dynamic" then
      local w = (b.velocity[1] ^ 2 + b.velocity[2] ^ 2 + b.velocity[3] ^ 2) * b.mass
      v2, v4, n = v2 + w, v4 + w * w, n + 1
    end
  end
  return n * v4 / (v2 * v2)
end, "mean of v^4 / (mean of v^2)^2 (Maxwell: 5/3)")

-- The edges of the box.
for axis = 1, 3 do
  for i = 0, 3 do
    local a, b = {}, {}
    a[axis], b[axis] = -half, half
    local u, v = axis % 3 + 1, (axis + 1) % 3 + 1
    a[u], a[v] = (i % 2 * 2 - 1) * half, (i // 2 * 2 - 1) * half
    b[u], b[v] = a[u], a[v]
    curve { points = { a, b }, color = {0.1, 0.12, 0.15}, width = 2 }
  end
end

-- Maxwell's distribution of the speed, with the mean energy that each sphere has.
local sigma = speed / math.sqrt(3)
histogram { of = "speed", bodies = "red", from = 0, to = 3 * speed, bins = 24, title = "speeds of the red (m/s)",
            expected = function(v)
              return math.sqrt(2 / math.pi) * v ^ 2 / sigma ^ 3 * math.exp(-v ^ 2 / (2 * sigma ^ 2))
            end }
