-- expect: 3: unknown key 'positon' in body; did you mean 'position'?
local ball = sphere { radius = 0.1 }
body { name = "ball",
       shape = ball,
       positon = {0, 0, 1} }
