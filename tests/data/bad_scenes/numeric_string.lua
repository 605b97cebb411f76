-- expect: 2: sphere: radius must be a number, not a string
local s = sphere { radius = "0.5" }
