-- expect: 2: param 'speed': the default 12 is outside 0 to 10
local v = param("speed", 12, 0, 10, "speed (m/s)")
