-- expect: 2: sphere takes a table, sphere { ... }, not a number
local s = sphere(0.5)
