-- expect: 2: box: size[2] must be positive, not 0
local b = box { size = {1, 0, 1} }
