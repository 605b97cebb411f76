-- expect: 4: parameter 'omega' must be from 0 to 10, not 50
-- options: --set omega=50
scene { title = "platter" }
local omega = param("omega", 3.0, 0, 10, "platter speed (rad/s)")
