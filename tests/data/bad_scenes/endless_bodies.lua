-- expect: 6: too many bodies; a scene may have 20000
local s = sphere { radius = 0.4 }
local i = 0
while true do
  i = i + 1
  body { shape = s, position = {i, 0, 0} }
end
