-- expect: 2: heightfield: heights[2][1] must be finite, not nan
local ground = heightfield { size = {1, 1}, heights = { {0, 0}, {0/0, 0} } }
