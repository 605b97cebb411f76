-- expect: 3: the script needs too much memory; a scene may use 64 MB
local t = {}
while true do t[#t + 1] = string.rep("x", 10000 + #t) end
