-- expect: 2: compound part 2: shape must be a shape, such as sphere { radius = 1 }, not nil
local c = compound { { shape = sphere { radius = 1 } }, { position = {1, 0, 0} } }
