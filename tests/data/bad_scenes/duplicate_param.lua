-- expect: 3: param 'speed' exists already
local a = param("speed", 1, 0, 2, "speed")
local b = param("speed", 1, 0, 2, "speed")
