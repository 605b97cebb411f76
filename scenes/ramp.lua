-- Five blocks on a ramp, alike but for their friction.
--
-- A block holds when its friction is above the ramp's slope, tan(angle), and slides below: at 20 degrees the border is
-- 0.364. The blocks that hold do so for ever: they do not creep by an atom's width. The others slide with
-- the acceleration g (sin a - mu cos a), whatever they weigh. Tilt the ramp past another block's border.
scene { title = "Blocks on a ramp", tab = "Rolling and spinning", order = 5, seconds = 6,
        camera = { eye = {2.1, -1.9, 1.25}, target = {0.3, 0.02, 0.16}, fov = 36 } }

local angle = param("angle", 20, 0, 40, "slope (degrees)")
local step = param("step", 0.06, 0.01, 0.2, "friction from block to block")
local middle = param("middle", 0.36, 0.1, 1, "friction of the middle block")

local a = math.rad(angle)
local c, s = math.cos(a), math.sin(a)
local length, width, thick = 1.8, 1.1, 0.04
local tilt = { axis = {0, 1, 0}, degrees = angle }   -- downhill is +x
local foot = { 0.9, 0, 0.02 }                        -- of the slope's surface

-- The world's coordinates of a place on the slope: x downhill from its middle, y across, z above it.
local function place(x, y, z)
  local along = x - length / 2
  return { foot[1] + along * c + z * s, y, foot[3] - along * s + z * c }
end

material("slope", { friction = 0.5, restitution = 0.1 })
material("floor", { friction = 0.6, restitution = 0.1 })
body { name = "ramp", motion = "fixed", shape = box { size = {length, width, thick} }, rotate = tilt,
       position = place(0, 0, -thick / 2), material = "slope", color = {0.50, 0.40, 0.30}, pattern = "boards" }
body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = -0.05 }, material = "floor",
       color = {0.36, 0.38, 0.42}, pattern = "checker" }

local block = box { size = {0.16, 0.12, 0.08} }
local colors = { {0.20, 0.45, 0.85}, {0.15, 0.60, 0.65}, {0.85, 0.65, 0.15}, {0.85, 0.40, 0.12}, {0.75, 0.12, 0.12} }
for i = 1, 5 do
  local mu = math.max(0, middle + (i - 3) * step)
  local name = string.format("mu %.2f", mu)
  material(name .. " #" .. i, { friction = mu, restitution = 0.1, density = 700 })
  contact("slope", name .. " #" .. i, { friction = mu, restitution = 0.1 })
  body { name = "block " .. i, shape = block, rotate = tilt, position = place(-0.7, (i - 3) * 0.2, 0.04),
         material = name .. " #" .. i, color = colors[i] }
  label { body = "block " .. i, at = {0, 0, 0.11}, text = string.format("μ = %.2f", mu) }
end

measure("blocks that slide", function(world)
  local count = 0
  for i = 1, 5 do
    local p, q = world:body("block " .. i).position, place(-0.7, (i - 3) * 0.2, 0.04)
    if math.abs(p[1] - q[1]) > 1e-6 then count = count + 1 end
  end
  return count
end)
label { at = place(0.55, -0.5 * width, 0.06), text = string.format("slope: tan %g° = %.3f", angle, math.tan(a)) }
