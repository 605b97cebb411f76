-- expect: 4: the script takes too long; a scene may use half a second of computing
local t = {}
for i = 1, 300000 do t[i] = -i end
while true do table.sort(t) end
