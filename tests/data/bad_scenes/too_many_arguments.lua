-- expect: 2: sphere takes one table, sphere { ... }
local s = sphere({ radius = 1 }, { radius = 2 })
