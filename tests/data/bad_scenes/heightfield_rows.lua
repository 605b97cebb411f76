-- expect: 2: heightfield: heights[2] must be a list of 3 numbers, not of 2
local ground = heightfield { size = {1, 1}, heights = { {0, 0, 0}, {0, 0} } }
