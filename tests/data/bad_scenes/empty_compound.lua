-- expect: 2: compound: needs 1 to 10000 parts, not 0
local c = compound { }
