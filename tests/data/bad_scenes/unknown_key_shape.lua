-- expect: 2: unknown key 'radus' in sphere; did you mean 'radius'?
local s = sphere { radus = 1 }
