-- A book spins about its middle axis: it turns over again and again, and keeps its energy and angular momentum.
scene { title = "Tumbling book", gravity = {0, 0, 0}, seconds = 30 }
body { name = "book", shape = box { size = {0.3, 0.2, 0.05} }, mass = 1, spin = {0.02, 8, 0.02} }
sample("side", function(world) -- the y component of the book's y axis: 1 or -1
  local q = world:body("book").orientation
  return 1 - 2 * (q[2]^2 + q[4]^2)
end)
measure("turns", function(world)
  local side, n = world:samples("side"), 0
  for i = 2, #side do n = n + (side[i] * side[i - 1] < 0 and 1 or 0) end
  return n
end, "times it has turned over")
sample("energy", function(world) return world:body("book").energy end)
measure("energy", function(world)
  local e = world:samples("energy")
  return e[#e] / e[1] - 1
end, "change of energy, relative")
