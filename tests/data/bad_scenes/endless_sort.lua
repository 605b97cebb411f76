-- expect: 4: the script runs too long; a scene may take 20 million instructions (an endless loop?)
local t = {}
for i = 1, 300000 do t[i] = -i end
while true do table.sort(t) end
