-- expect: 3: the script needs too much memory; a scene may use 200 MB (--script-memory)
local t, piece = {}, string.rep("x", 10000)
while true do t[#t + 1] = string.rep(piece, 100 + #t) end
