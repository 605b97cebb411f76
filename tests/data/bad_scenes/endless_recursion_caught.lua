-- expect: 2: the script recurses too deeply (a function that calls itself without end?)
local function f() pcall(f) pcall(f) end
f()
