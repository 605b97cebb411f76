-- expect: 3: the script recurses too deeply (a function that calls itself without end?)
local function f(n)
  return 1 + f(n + 1)
end
f(1)
