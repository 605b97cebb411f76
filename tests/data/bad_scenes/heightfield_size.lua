-- expect: 2: heightfield: size[2] must be positive, not 0
local ground = heightfield { size = {1, 0}, heights = { {0, 0}, {0, 0} } }
