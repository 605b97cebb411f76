-- A block on a slope at a share of its friction angle: it stays.
scene { title = "A block that stays", seconds = 10 }
local share = param("share", 0.05, 0.01, 0.99, "load over friction limit")
local mu = 0.7
local angle = math.atan(share * mu)
material("pad", { friction = mu, restitution = 0 })
body { name = "slope", motion = "fixed", shape = plane { normal = { -math.sin(angle), 0, math.cos(angle) }, offset = 0 },
       material = "pad" }
local h = 0.02
body { name = "block", shape = box { size = { 0.08, 0.08, 2 * h } }, mass = 0.045, material = "pad",
       position = { -h * math.sin(angle), 0, h * math.cos(angle) },
       rotate = { axis = {0, 1, 0}, degrees = -math.deg(angle) } }
measure("way", function(world)
  local p = world:body("block").position
  return 1e6 * math.sqrt((p[1] + h * math.sin(angle))^2 + p[2]^2 + (p[3] - h * math.cos(angle))^2)
end, "way in 10 s (micrometres)")
