-- expect: 2: hull: points must have at least 4 points, not 2
local h = hull { points = { {0, 0, 0}, {1, 0, 0} } }
