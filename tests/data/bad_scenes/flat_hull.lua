-- expect: 2: hull: all points of the hull lie in one plane
local h = hull { points = { {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0} } }
