-- A superball thrown under a table comes back. A glass marble does not.
--
-- The superball (red) stores energy in its surface when the floor drags it sideways, and gives it back: the
-- velocity of its contact point is reversed (Garwin 1969). The first bounce gives it a strong backspin, the
-- bounce from under the table turns that into motion backwards, and it leaves by the way it came. The marble
-- (blue), with the same mass, bounce and friction, is stiff sideways: it ends each impact rolling or sliding, and
-- goes on through. The third ball (green) is of the superball's kind and starts with backspin: each bounce turns
-- both its spin and its way, so that it hops to and fro.
-- The law is compliant (docs/impact.md): tangential_stiffness is the ratio of the tangential to the normal
-- stiffness of the contact. A solid ball gives all of it back at 2/7, where both springs swing in step.
scene { title = "Superball", tab = "Impacts", order = 6, seconds = 4, law = "compliant",
        camera = { eye = {-0.12, -2.5, 0.72}, target = {0.12, 0, 0.38}, fov = 38 }, show = {"trails"} }

local speed = param("speed", 5.0, 2, 10, "speed of the throw (m/s)")
local down = param("down", 45, 20, 70, "downwards (degrees)")
local soft = param("eta2", 0.3, 0.05, 5, "stiffness ratio of the superball")
local e = param("e", 0.9, 0, 1, "restitution")
local mu = param("friction", 1.0, 0, 2, "friction")

material("wood", { friction = mu, restitution = 0, density = 700 })
material("superball", { friction = mu, restitution = e, tangential_stiffness = soft, density = 950 })
material("marble", { friction = mu, restitution = e, tangential_stiffness = 1e9, density = 950 })

body { name = "floor", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "wood",
       color = {0.45, 0.36, 0.28}, pattern = "checker" }
body { name = "table", motion = "fixed", shape = box { size = {1.6, 0.9, 0.04} }, position = {0.9, 0, 0.66},
       material = "wood",       color = {0.40, 0.24, 0.13}, pattern = "boards" }
for i = 0, 3 do
  local sx, sy = i % 2 * 2 - 1, i // 2 * 2 - 1
  body { motion = "fixed", name = "leg " .. i + 1, shape = cylinder { radius = 0.025, height = 0.639 },
         position = { 0.9 + sx * 0.74, sy * 0.39, 0.3195 }, material = "wood", color = {0.30, 0.18, 0.10} }
end

local radius, angle = 0.030, math.rad(down)
local function throw(name, y, kind, color)
  body { name = name, shape = sphere { radius = radius }, material = kind, color = color, pattern = "halves",
         position = { -0.55, y, 0.62 }, velocity = { speed * math.cos(angle), 0, -speed * math.sin(angle) } }
end
throw("superball", -0.12, "superball", {0.80, 0.10, 0.12})
throw("marble", 0.12, "marble", {0.10, 0.30, 0.75})

-- Backspin of 2.5 v / R: no angular momentum about the contact point.
local hop = 0.25
body { name = "hopper", shape = sphere { radius = radius }, material = "superball", color = {0.15, 0.55, 0.20},
       pattern = "halves", position = { -0.35, -0.62, 0.30 }, velocity = { hop, 0, 0 },
       spin = { 0, -2.5 * hop / radius, 0 } }

-- It comes back when it passes the place of the throw on its way out.
measure("comes back", function(world)
  local ball = world:body("superball")
  return ball.position[1] < -0.55 and ball.velocity[1] < 0
end, "the superball comes back")
measure("place of the marble", function(world) return world:body("marble").position[1] end, "x of the marble (m)")
label { body = "superball", at = {0, 0, 0.08}, text = "superball" }
label { body = "marble", at = {0, 0, 0.08}, text = "marble" }
