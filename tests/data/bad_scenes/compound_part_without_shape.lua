-- expect: 2: compound part 2: shape is missing
local c = compound { { shape = sphere { radius = 1 } }, { position = {1, 0, 0} } }
