-- expect: 2: heightfield: smooth must be from 0 to 90, not 100
local ground = heightfield { size = {1, 1}, heights = { {0, 0}, {0, 0} }, smooth = 100 }
