-- expect: 2: sphere: radius must be positive, not -0.1
local s = sphere { radius = -0.1 }
