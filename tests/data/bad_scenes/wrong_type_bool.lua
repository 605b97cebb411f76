-- expect: 2: sphere: hollow must be true or false, not a string
local s = sphere { radius = 1, hollow = "yes" }
