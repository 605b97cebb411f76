-- expect: 3: the script needs too much memory; a scene may use 200 MB (--script-memory)
local s = "x"
while true do s = s .. s end
