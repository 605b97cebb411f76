-- expect: 4: body 'ball' exists already; names are unique
local s = sphere { radius = 0.1 }
body { name = "ball", shape = s, position = {0, 0, 0} }
body { name = "ball", shape = s, position = {1, 0, 0} }
