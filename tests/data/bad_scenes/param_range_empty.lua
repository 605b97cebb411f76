-- expect: 2: param 'speed': the minimum 1 must be below the maximum 1
local v = param("speed", 1, 1, 1, "speed (m/s)")
