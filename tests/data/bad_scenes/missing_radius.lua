-- expect: 2: cylinder: radius is missing
local s = cylinder { height = 1 }
