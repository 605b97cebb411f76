-- A cup is set down on its edge with a spin: rolling resistance brings it to rest.
scene { title = "A cup that settles", seconds = 10 }
local rolling = param("rolling", 1e-3, 0, 1e-2, "rolling resistance (m)")
material("cup", { friction = 1, restitution = 0.1, rolling = rolling, spinning = rolling })
body { name = "table", motion = "fixed", shape = plane { normal = {0, 0, 1}, offset = 0 }, material = "cup" }
local tilt, r, h = math.rad(20), 0.06, 0.05
body { name = "cup", shape = cylinder { radius = r, height = h }, mass = 0.5, material = "cup",
       position = { 0, 0, 0.5 * h * math.cos(tilt) + r * math.sin(tilt) + 1e-4 },
       rotate = { axis = {0, 1, 0}, degrees = 20 }, spin = {0, 0, 12} }
measure("rest", function(world) return world:rest_time() end, "comes to rest after (s)")
measure("height", function(world) return world:body("cup").position[3] end, "height of its centre (m)")
