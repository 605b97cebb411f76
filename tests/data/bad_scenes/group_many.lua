-- expect: 2: body 'b': collides_with names too many groups; a scene may have 63
local g = {} for i = 1, 70 do g[i] = 'g' .. i end body { name = 'b', shape = sphere { radius = 1 }, collides_with = g }
