scene { title = "all", gravity = {0, 0, -9.81}, seconds = 2, camera = { eye = {1, 1, 1}, target = {0, 0, 0} } }
local n = param("n", 2, 1, 5, "how many")
material("rubber", { friction = 1.0, restitution = 0.5, rolling = 1e-3 })
contact("rubber", "default", { friction = 0.8 })
body { name = "floor", shape = plane {}, material = "rubber" }
local shapes = { sphere { radius = 0.1 }, box { size = {0.1, 0.2, 0.3} }, cylinder { radius = 0.1, height = 0.2 },
  capsule { radius = 0.1, height = 0.2 }, cone { radius = 0.1, height = 0.2 }, ellipsoid { radii = {0.1, 0.2, 0.15} },
  hull { points = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1} } }, lathe { profile = { {0, 0}, {0.1, 0.1}, {0, 0.3} } } }
shapes[#shapes + 1] = compound { { shape = shapes[1], position = {0, 0, 0.2} }, { shape = shapes[2], rotate = { axis = {0, 0, 1}, degrees = 30 } } }
for i, s in ipairs(shapes) do
  body { shape = s, position = { 2 * i, 0, 1 }, velocity = {0, 1, 0}, spin = {1, 2, 3}, mass = i, color = {0.5, 0.5, 0.5}, pattern = "stripe" }
end
measure("height", function(world) return world:body("sphere 2").position[3] end)
print("made", #shapes, tostring({}))
