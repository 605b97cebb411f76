-- expect: 4: body 'box 2': the body overlaps body 1, ground, by 0.01 m
body { name = "ground", shape = plane { normal = {0, 0, 1}, offset = 0 } }
for i = 1, 3 do
  body { name = "box " .. i, shape = box { size = {0.1, 0.1, 0.1} }, position = { i, 0, 0.06 - 0.02 * (i - 1) } }
end
