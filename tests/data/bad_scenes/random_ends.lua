-- expect: 2: random_int: the lower end is above the upper end
local n = random_int(5, 1)
