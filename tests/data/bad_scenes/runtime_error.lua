-- expect: 3: attempt to index a nil value (local 't')
local t = nil
body { shape = sphere { radius = t.size } }
