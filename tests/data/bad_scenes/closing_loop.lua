-- expect: 3: the script runs too long; a scene may take 20 million instructions (an endless loop?)
local x <close> = setmetatable({}, { __close = function() while true do end end })
while true do end
