-- expect: 2: the script needs too much memory; a scene may use 200 MB (--script-memory)
local s = (""):rep(1e15)
