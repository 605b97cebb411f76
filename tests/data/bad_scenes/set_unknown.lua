-- expect: unknown parameter 'omga'; did you mean 'omega'?
-- options: --set omga=5
local omega = param("omega", 3.0, 0, 10, "platter speed (rad/s)")
