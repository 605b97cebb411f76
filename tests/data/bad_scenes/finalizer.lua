-- expect: 2: setmetatable: a scene may not use __gc
setmetatable({}, { __gc = function() while true do end end })
