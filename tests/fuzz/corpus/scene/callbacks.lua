body { name = "floor", shape = plane { } }
body { name = "ball", shape = sphere { radius = 0.1 }, position = {0, 0, 0.11}, velocity = {0, 0, -1} }
body { name = "gate", motion = "fixed", sensor = true, shape = box { size = {1, 1, 1} } }
body { name = "door", motion = "kinematic", shape = box { size = {1, 1, 1} }, position = {9, 0, 2} }
local s = state { n = 0, list = { 1, "a", { x = true } }, word = "" }
every(0.01, function(world, n)
  s.n = n
  s.list[#s.list + 1] = random()
  world:set_velocity("ball", {1, 0, random_int(1, 3)}, {0, 0, 1})
  world:apply_impulse("ball", {0, 0, 0.1}, {0, 0.1, 0.2})
  world:set_path("door", { { time = 0, position = {9, 0, 2} }, { time = 1, position = {9, 0, 3} } })
end)
on_impact("ball", "floor", function(world, impact) s.word = s.word .. impact.a .. impact.time end)
on_impact("ball", { "gate", "door" }, function(world, impact) s.list[1] = #world:inside("gate") end)
label { at = {0, 0, 1}, text = function(world) return s.word end }
measure("n", function(world) return s.n + world:impacts("ball", "floor") end)
