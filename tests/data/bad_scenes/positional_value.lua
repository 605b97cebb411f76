-- expect: 2: sphere has a value without a key; every value needs one, as in sphere { radius = ... }
local s = sphere { 0.5 }
