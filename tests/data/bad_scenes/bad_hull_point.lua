-- expect: 2: hull: points[3] must be a list of 3 numbers, not of 2
local h = hull { points = { {0, 0, 0}, {1, 0, 0}, {0, 1}, {0, 0, 1} } }
