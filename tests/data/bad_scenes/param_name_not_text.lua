-- expect: 2: param: the name must be a string, not a number
local v = param(3, 1, 0, 2, "speed")
