-- expect: 2: too many pins: 4
local function check(n) if n > 3 then error("too many pins: " .. n) end end
check(4)
