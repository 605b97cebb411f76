-- expect: 3: the script needs too much memory; a scene may use 200 MB (--script-memory)
local s = "x"
while true do pcall(function() s = s .. s end) end
