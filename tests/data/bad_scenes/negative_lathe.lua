-- expect: 2: lathe: profile[2] has a negative radius, -1
local l = lathe { profile = { {0, 0}, {-1, 0.5}, {0, 1} } }
