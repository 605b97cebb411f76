-- expect: 2: plane: normal must have a direction, not be zero
local p = plane { normal = {0, 0, 0}, offset = 0 }
